"""The page "Access to your account": everything that opens it or acts for it, ended together."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from allauth.account.adapter import get_adapter
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html_join
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from people import credentials
from people.credentials import Credential
from people.sessions import public_key
from web.account.access import own_account, user_of
from web.account.forms import AccessForm
from web.frame import throttle
from web.frame.reauthentication import signed_in_lately
from web.frame.sentences import with_times
from web.templatetags.tabula import a_day


@dataclass(frozen=True, slots=True)
class Row:
    """A credential on the page.

    Attributes:
        what: The name of the credential in the form.
        credential: The credential.
        here: Whether it is the session of this browser.
        asked: Whether the page asks for confirmation before it ends the credential.
        url: The page that ends it, or that asks for confirmation.
        notes_use: Whether the site records its last use.
    """

    what: str
    credential: Credential
    here: bool
    asked: bool
    url: str
    notes_use: bool

    @property
    def usage(self) -> SafeString | str:
        """Return when it was last used; empty if the site does not record that."""
        if self.credential.used_at:
            return with_times(_("last used %(on)s"), on=a_day(self.credential.used_at))
        return _("not used yet") if self.notes_use else ""

    @property
    def life(self) -> SafeString:
        """Return since when and until when it is valid."""
        parts = []
        if self.credential.begun_at:
            parts.append(with_times(_("since %(on)s"), on=a_day(self.credential.begun_at)))
        if self.credential.ends_at:
            parts.append(with_times(_("ends %(at)s"), at=a_day(self.credential.ends_at)))
        return format_html_join(" · ", "{}", ((part,) for part in parts))


@dataclass(frozen=True, slots=True)
class Group:
    """The credentials of one kind."""

    heading: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """The content of the page; `empty` has the headings of the kinds of which the user has none."""

    groups: tuple[Group, ...]
    empty: tuple[str, ...]


@own_account
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """List credentials; `?end=WHAT` asks for confirmation, and a POST's `do` says what to end."""
    match request.POST.get("do"):
        case "end":
            return _end(request)
        case "everywhere":
            return _end_everywhere(request)
    return render(request, "account/credentials.html", {"page": _page(request)})


def _page(request: HttpRequest) -> Page:
    user = user_of(request)
    asked, here = request.GET.get("end", ""), public_key(request.session.session_key or "")
    groups, empty = [], []
    for source in credentials.sources():
        rows = tuple(_row(row, asked, here) for row in source.listed(user))
        if rows:
            groups.append(Group(str(source.heading), rows))
        else:
            empty.append(str(source.heading))
    return Page(tuple(groups), tuple(empty))


def _row(credential: Credential, asked: str, here: str) -> Row:
    what = f"{credential.kind}:{credential.key}"
    url = ""
    if credential.kind in credentials.SIGNS_IN:
        url = f"{reverse('ways')}?remove={credential.key}#{credential.key}"
    is_elsewhere = bool(url)
    is_here = credential.kind == credentials.SESSION and credential.key == here
    notes_use = credential.kind not in (credentials.DISCORD, credentials.ADDRESS)
    is_asked = what == asked and not (is_elsewhere or is_here)
    return Row(
        what, credential, is_here, is_asked, url or f"?{urlencode({'end': what})}", notes_use
    )


def _end(request: HttpRequest) -> HttpResponse:
    user = user_of(request)
    form = AccessForm(request.POST)
    form.is_valid()
    kind, _colon, key = form.cleaned_data["what"].partition(":")
    here = public_key(request.session.session_key or "")
    if kind in credentials.SIGNS_IN or (kind, key) == (credentials.SESSION, here):
        return redirect("ways" if kind in credentials.SIGNS_IN else "account_logout")
    if credentials.end_one(user, kind, key, timezone.now()):
        messages.success(request, _("You have ended this access to your account."))
    else:
        messages.info(request, _("This access has already ended."))
    return redirect("credentials")


@signed_in_lately
def _end_everywhere(request: HttpRequest) -> HttpResponse:
    user = user_of(request)
    if wait := throttle.spend(request, throttle.WAYS, f"user {user.pk}"):
        return throttle.refused(request, wait)
    all_ended = credentials.end_all(user, timezone.now(), keep=request.session.session_key or "")
    update_session_auth_hash(request, user)
    with suppress(OSError):  # all has ended, whatever the mail server answers
        facts = {"list_url": reverse("credentials")}
        get_adapter().send_notification_mail("account/email/signed_out", user, facts)
    messages.success(request, _("Now only this browser has access to your account."))
    if not all_ended:
        text = _(
            "Your passkeys and accounts elsewhere remain, because nothing else signs you in. Set a "
            "password or confirm your address, then remove those that are not yours."
        )
        messages.warning(request, text)
    return redirect("credentials")

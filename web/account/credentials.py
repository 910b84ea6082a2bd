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
from people.models import User
from people.sessions import public_key
from web.account.access import own_account, user_of
from web.account.forms import AccessForm
from web.frame import throttle
from web.frame.posted import form_key
from web.frame.reauthentication import signed_in_lately
from web.frame.sentences import with_times
from web.templatetags.tabula import a_day


@dataclass(frozen=True, slots=True)
class CredentialRow:
    """A credential on the page."""

    key: str
    """The name of the credential in the form: its kind and its key."""
    credential: Credential
    is_here: bool
    """Whether it is the session of this browser."""
    is_asked: bool
    """Whether the page asks for confirmation before it ends the credential."""
    url: str
    """The page that ends it, or that asks for confirmation."""
    notes_use: bool
    """Whether the site records its last use."""

    @property
    def name(self) -> str:
        return self.credential.name

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
class CredentialGroup:
    """The credentials of one kind."""

    heading: str
    rows: list[CredentialRow]


@dataclass(frozen=True, slots=True)
class CredentialsPage:
    """All credentials of a user."""

    groups: list[CredentialGroup]
    empty: list[str]
    """The headings of the kinds of which the user has none."""


def credentials_page(request: HttpRequest, user: User) -> CredentialsPage:
    """Return all credentials of a user. `?end=KEY` asks for confirmation before one is ended."""
    asked, here = request.GET.get("end", ""), session_key(request)
    groups, empty = [], []
    for source in credentials.sources():
        rows = [credential_row(row, asked, here) for row in source.listed(user)]
        if rows:
            groups.append(CredentialGroup(str(source.heading), rows))
        else:
            empty.append(str(source.heading))
    return CredentialsPage(groups, empty)


def credential_row(credential: Credential, asked: str, here: str) -> CredentialRow:
    """Return a credential; `asked` is the key to confirm, `here` the session of this browser."""
    key = f"{credential.kind}:{credential.key}"
    is_here = credential.kind == credentials.SESSION and credential.key == here
    is_way = credential.kind in credentials.SIGNS_IN
    if is_way:
        url = f"{reverse('ways')}?remove={credential.key}#{credential.key}"
    else:
        url = f"?{urlencode({'end': key})}"
    return CredentialRow(
        key=key,
        credential=credential,
        is_here=is_here,
        is_asked=key == asked and not is_way and not is_here,
        url=url,
        notes_use=credential.kind not in (credentials.DISCORD, credentials.ADDRESS),
    )


def session_key(request: HttpRequest) -> str:
    """Return the key of this browser's session among the credentials."""
    return public_key(request.session.session_key or "")


@own_account
@require_http_methods(["GET", "HEAD", "POST"])
def show(request: HttpRequest) -> HttpResponse:
    """List credentials. A POST's `do` says what to end."""
    match form_key(request):
        case "end":
            return end_access(request)
        case "everywhere":
            return end_everywhere(request)
    page = credentials_page(request, user_of(request))
    return render(request, "account/credentials.html", {"page": page})


def end_access(request: HttpRequest) -> HttpResponse:
    """End one credential. Ways to sign in, and the session of this browser, end elsewhere."""
    user = user_of(request)
    form = AccessForm(request.POST)
    form.is_valid()
    kind, _colon, key = form.cleaned_data["what"].partition(":")
    if kind in credentials.SIGNS_IN:
        return redirect("ways")
    if (kind, key) == (credentials.SESSION, session_key(request)):
        return redirect("account_logout")
    if credentials.end_one(user, kind, key, timezone.now()):
        messages.success(request, _("You have ended this access to your account."))
    else:
        messages.info(request, _("This access has already ended."))
    return redirect("credentials")


@signed_in_lately
def end_everywhere(request: HttpRequest) -> HttpResponse:
    """End all credentials but the session of this browser, and send an e-mail about it."""
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

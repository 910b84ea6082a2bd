"""The page "Access to your account": all credentials, which can be ended one by one or together."""

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
from django.utils.translation import pgettext
from django.views.decorators.http import require_http_methods

from people import credentials
from people.credentials import Credential
from people.models import User
from people.sessions import public_key
from web.account.access import own_account, user_of
from web.account.forms import AccessForm
from web.frame import throttle
from web.frame.raw_forms import form_key
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
    """Whether the credential is this browser's session."""
    is_asked: bool
    """Whether the page asks for confirmation before it ends the credential."""
    url: str
    """The page that ends the credential or asks for confirmation."""
    notes_use: bool
    """Whether the site records the last use of the credential."""

    @property
    def name(self) -> str:
        return self.credential.name

    @property
    def usage(self) -> SafeString | str:
        """The last use of the credential, in words; empty if the site does not record it."""
        if self.credential.used_at:
            return with_times(
                pgettext("account", "last used on %(on)s"), on=a_day(self.credential.used_at)
            )
        return pgettext("account", "not used yet") if self.notes_use else ""

    @property
    def life(self) -> SafeString:
        """The beginning and the end of the credential's validity, in words."""
        parts = []
        if self.credential.begun_at:
            parts.append(with_times(_("since %(on)s"), on=a_day(self.credential.begun_at)))
        if self.credential.ends_at:
            parts.append(
                with_times(pgettext("account", "expires %(at)s"), at=a_day(self.credential.ends_at))
            )
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
    """The headings of the kinds that the user does not have."""


def credentials_page(request: HttpRequest, user: User) -> CredentialsPage:
    """Return all credentials of a user. `?end=KEY` asks for confirmation before it is ended."""
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
    """Return a credential; `asked` is the key to confirm, `here` this browser's session."""
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
    """List the credentials; a POST ends one or all of them."""
    match form_key(request):
        case "end":
            return end_access(request)
        case "everywhere":
            return end_everywhere(request)
    page = credentials_page(request, user_of(request))
    return render(request, "account/credentials.html", {"page": page})


def end_access(request: HttpRequest) -> HttpResponse:
    """End one credential.

    Other pages remove ways to sign in, and end the session of this browser.
    """
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
    with suppress(OSError):  # all credentials have ended, even if the mail server fails
        facts = {"list_url": reverse("credentials")}
        get_adapter().send_notification_mail("account/email/signed_out", user, facts)
    messages.success(request, _("Now only this browser has access to your account."))
    if not all_ended:
        text = _(
            "Your passkeys and linked accounts remain, because you have no other way to sign in. "
            "Set a password or confirm your address, then remove those that are not yours."
        )
        messages.warning(request, text)
    return redirect("credentials")

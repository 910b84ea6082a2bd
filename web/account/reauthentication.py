"""The pages on which users confirm who they are, before something changes how they sign in.

allauth has the pages for a password and for a code of the second factor. These are for a passkey,
and for a code that is sent by mail.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import time
from typing import NamedTuple, TypedDict

from allauth.account.adapter import get_adapter
from allauth.account.app_settings import LOGIN_BY_CODE_MAX_ATTEMPTS
from allauth.account.internal.flows.login import record_authentication
from allauth.account.views import BaseReauthenticateView
from allauth.mfa.webauthn.internal import flows
from django import forms
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

from people import attacks, ways
from people.models import User
from web.account.access import user_of
from web.account.forms import CodeForm, OnwardForm, PasskeyForm
from web.frame import requests, throttle


class OtherPage(NamedTuple):
    """Another page on which the user can confirm who they are."""

    url: str
    name: str


@dataclass(frozen=True, slots=True)
class ReauthenticationPage:
    """A page on which users confirm who they are."""

    next: str
    """The page that follows."""
    error: str
    email: str
    is_sent: bool
    """Whether a code has been sent to the address."""
    others: list[OtherPage]

    @property
    def send_verb(self) -> str:
        return _("Send another code") if self.is_sent else _("Send the code")


class ReauthenticationView(BaseReauthenticateView):
    """A page on which users who have one way to sign in confirm who they are."""

    form_class = forms.Form

    def get_context_data(self, **kwargs: object) -> dict[str, object]:
        return {"page": self.page()}

    def page(self, error: str = "") -> ReauthenticationPage:
        """Return the content of the page, with what was wrong."""
        user = user_of(self.request)
        return ReauthenticationPage(
            next=requests.inside_this_site(self.request, self.onward()),
            error=error,
            email=user.email,
            is_sent=sent_code(self.request, user) is not None,
            others=[
                OtherPage(other["url"], other["description"])
                for other in self.get_reauthentication_alternatives()
            ],
        )

    def onward(self) -> str:
        """Return the page that follows, as the form or the address names it."""
        given = self.request.POST if "next" in self.request.POST else self.request.GET
        form = OnwardForm(given)
        form.is_valid()
        return str(form.cleaned_data["next"])

    def refuse(self, error: str) -> HttpResponse:
        """Show the page with what was wrong."""
        return self.render_to_response({"page": self.page(error)}, status=422)


class PasskeyView(ReauthenticationView):
    """The page on which a passkey confirms who the user is."""

    template_name = "account/again_passkey.html"

    def post(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        """Answer what the device is to sign, or check what it has signed."""
        user, form = user_of(request), PasskeyForm(request.POST)
        if form.asks_options:
            return JsonResponse(ways.request_options(user))
        try:
            key = ways.authenticated(form.cleaned_data["credential"], user)
        except ways.Wrong as wrong:
            attacks.note(request, attacks.SIGN_IN_FAILED)
            return self.refuse(str(wrong))
        flows.reauthenticate(request, key)
        return self.form_valid(form)


# A code by mail


class SentCode(TypedDict):
    """What a session keeps of a code that was sent: never the code itself."""

    user: int
    code: str
    """The code as `code_digest` returns it."""
    until: float
    tries: int


KEY = "again"
"""The entry of a session with a `SentCode`."""


def sent_code(request: HttpRequest, user: User) -> SentCode | None:
    """Return what the session keeps of the code that was sent to this user."""
    kept: SentCode | None = request.session.get(KEY)
    return kept if kept is not None and kept["user"] == user.pk else None


def code_digest(user: User, code: str) -> str:
    """Return a digest of a code. Small letters, and signs between letters, make no difference."""
    plain = "".join(sign for sign in code.upper() if sign.isalnum())
    return salted_hmac("web.ways.again", f"{user.pk} {plain}", algorithm="sha256").hexdigest()


class MailView(ReauthenticationView):
    """The page on which a mailed code confirms who the user is, in the browser that asked for it.

    It is for users who have no password.
    """

    template_name = "account/again_mail.html"

    def post(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        """Send a code, or check one."""
        user, form = user_of(request), CodeForm(request.POST)
        form.is_valid()
        if form.cleaned_data["do"] == "send":
            return throttle.mail(request, throttle.CODE, f"user {user.pk}") or self.send(user)
        kept = sent_code(request, user)
        if kept is None or kept["until"] < time():
            request.session.pop(KEY, None)
            return self.refuse(_("This code has expired. Request a new one."))
        tries = kept["tries"] + 1
        request.session[KEY] = {**kept, "tries": tries}
        if not constant_time_compare(kept["code"], code_digest(user, form.cleaned_data["code"])):
            return self.refuse_code(tries)
        del request.session[KEY]
        record_authentication(request, user, "code", reauthenticated=True)
        return self.form_valid(form)

    def refuse_code(self, tries: int) -> HttpResponse:
        """Refuse a wrong code; after too many tries no other one is accepted."""
        attacks.note(self.request, attacks.CODE_REFUSED)
        if tries < LOGIN_BY_CODE_MAX_ATTEMPTS:
            return self.refuse(_("This is not the code. Look at it again."))
        del self.request.session[KEY]
        return self.refuse(_("These were too many tries. Have another code sent to you."))

    def send(self, user: User) -> HttpResponse:
        """Send a code to the user's address."""
        code = get_adapter().generate_login_code()
        self.request.session[KEY] = SentCode(
            user=user.pk,
            code=code_digest(user, code),
            until=time() + settings.ACCOUNT_LOGIN_BY_CODE_TIMEOUT,
            tries=0,
        )
        get_adapter().send_mail("account/email/again_code", user.email, {"code": code})
        return self.render_to_response(self.get_context_data())


by_passkey = login_required(PasskeyView.as_view())
by_mail = login_required(MailView.as_view())

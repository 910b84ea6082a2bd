"""The pages on which users confirm their identity before they change how they sign in.

allauth has the pages for a password and for a code of the second factor. These are for a passkey,
and for a code that is sent by e-mail.
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
from django.utils.translation import pgettext

from people import attack_log, sign_in_ways
from people.models import User
from web.account.access import user_of
from web.account.forms import CodeForm, OnwardForm, PasskeyForm
from web.frame import requests, throttle


class OtherPage(NamedTuple):
    """Another page on which the user can confirm their identity."""

    url: str
    name: str


@dataclass(frozen=True, slots=True)
class ReauthenticationPage:
    """A page on which users confirm their identity."""

    next: str
    """The page that follows."""
    error: str
    email: str
    is_sent: bool
    """Whether a code has been sent to the address."""
    others: list[OtherPage]

    @property
    def send_verb(self) -> str:
        return (
            pgettext("button", "Send a new code")
            if self.is_sent
            else pgettext("button", "Send the code")
        )


class ReauthenticationView(BaseReauthenticateView):
    """A view in which users confirm their identity by one way to sign in."""

    form_class = forms.Form

    def get_context_data(self, **kwargs: object) -> dict[str, object]:
        return {"page": self.page()}

    def page(self, error: str = "") -> ReauthenticationPage:
        """Return the content of the page, with an error if there is one."""
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
        """Return the page that follows, named by the form or the address."""
        given = self.request.POST if "next" in self.request.POST else self.request.GET
        form = OnwardForm(given)
        form.is_valid()
        return str(form.cleaned_data["next"])

    def refuse(self, error: str) -> HttpResponse:
        """Show the page with an error."""
        return self.render_to_response({"page": self.page(error)}, status=422)


class PasskeyView(ReauthenticationView):
    """The page on which a user confirms their identity with a passkey."""

    template_name = "account/again_passkey.html"

    def post(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        """Answer with the options for the device to sign, or check its signature."""
        user, form = user_of(request), PasskeyForm(request.POST)
        if form.asks_options:
            return JsonResponse(sign_in_ways.request_options(user))
        try:
            key = sign_in_ways.authenticate_passkey(form.cleaned_data["credential"], user)
        except sign_in_ways.PasskeyError as wrong:
            attack_log.note(request, attack_log.SIGN_IN_FAILED)
            return self.refuse(str(wrong))
        flows.reauthenticate(request, key)
        return self.form_valid(form)


# A code by e-mail


class SentCode(TypedDict):
    """The facts that a session keeps about a sent code. The code itself is not kept."""

    user: int
    code: str
    """The digest of the code, from `code_digest`."""
    until: float
    tries: int


KEY = "again"
"""The key of a `SentCode` in a session."""


def sent_code(request: HttpRequest, user: User) -> SentCode | None:
    """Return the facts about the code that was sent to this user."""
    kept: SentCode | None = request.session.get(KEY)
    return kept if kept is not None and kept["user"] == user.pk else None


def code_digest(user: User, code: str) -> str:
    """Return a digest of a code. Case, spaces and punctuation in the code make no difference."""
    plain = "".join(sign for sign in code.upper() if sign.isalnum())
    return salted_hmac("web.ways.again", f"{user.pk} {plain}", algorithm="sha256").hexdigest()


class MailView(ReauthenticationView):
    """The page on which a user confirms their identity with a code from an e-mail.

    The code is valid only in the browser that asked for it. This is for users without a password.
    """

    template_name = "account/again_mail.html"

    def post(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        """Send a code, or check a code."""
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
        """Refuse a wrong code; after too many attempts the code is no longer valid."""
        attack_log.note(self.request, attack_log.CODE_REFUSED)
        if tries < LOGIN_BY_CODE_MAX_ATTEMPTS:
            return self.refuse(_("This is not the right code. Check it and try again."))
        del self.request.session[KEY]
        return self.refuse(_("Too many attempts. Request a new code."))

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

"""Passkeys: adding one, signing in by one; and confirming again who one is.

A passkey takes two requests: the browser first asks what to sign (`do=options`, answered as JSON),
then sends what its device signed. static/js/passkeys.js does both; a page without script offers the
other ways.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import time
from typing import Any, cast

from allauth.account.adapter import get_adapter
from allauth.account.app_settings import LOGIN_BY_CODE_MAX_ATTEMPTS
from allauth.account.internal.flows.login import record_authentication
from allauth.account.models import Login
from allauth.account.views import BaseReauthenticateView
from allauth.mfa.webauthn.internal import flows
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from people import attacks, ways
from people.models import User
from web.account.access import own_account, user_of
from web.account.forms import CodeForm, PasskeyForm
from web.frame import requests, throttle
from web.frame.reauthentication import signed_in_lately


@dataclass(frozen=True, slots=True)
class PasskeyPage:
    """The form of a new passkey."""

    name: str
    next: str
    is_new_account: bool
    """Whether the account was made just now with it, so that the reader may leave it for later."""
    error: str
    longest_name: int = ways.LONGEST_NAME

    @property
    def heading(self) -> str:
        if self.is_new_account:
            return _("One more step: your passkey")
        return _("A new passkey")


def must_offer_passkeys() -> None:
    """Raise `Http404` where passkeys are not offered."""
    if not ways.passkeys_offered():
        raise Http404


@own_account
@signed_in_lately
@require_http_methods(["GET", "HEAD", "POST"])
def add_passkey(request: HttpRequest) -> HttpResponse:
    """Add a passkey. `?new=1` is for an account that was made just now."""
    must_offer_passkeys()
    if request.method == "POST":
        return make_passkey(request)
    return show_passkey_form(request)


def make_passkey(request: HttpRequest) -> HttpResponse:
    """Answer what the device is to sign, or store what it has signed."""
    user, form = user_of(request), PasskeyForm(request.POST)
    if wait := throttle.spend(request, throttle.WAYS, f"user {user.pk}"):
        return throttle.refused(request, wait)
    if form.asks_options:
        try:
            return JsonResponse(ways.creation_options(user))
        except ways.Wrong as wrong:
            return JsonResponse({"wrong": str(wrong), "code": wrong.code}, status=422)
    try:
        key = ways.add(user, form.cleaned_data["name"], form.cleaned_data["credential"])
    except ways.Wrong as wrong:
        return show_passkey_form(request, str(wrong))
    name = str(key.data["name"])
    ways.notify(user, "way_added", ways.Way("", ways.PASSKEY, name, None, None, True).title)
    messages.success(request, _("From now on “%(name)s” signs you in.") % {"name": name})
    return redirect(requests.safe_redirect(request) or "ways")


def show_passkey_form(request: HttpRequest, error: str = "") -> HttpResponse:
    """Show the form of a new passkey, with what was wrong."""
    asked = request.POST if request.method == "POST" else request.GET
    form = PasskeyForm(request.POST)
    form.is_valid()
    has_name = "name" in request.POST
    name = form.cleaned_data["name"] if has_name else ways.device_name(request)
    page = PasskeyPage(
        name=name[: ways.LONGEST_NAME],
        next=requests.inside_this_site(request, asked.get("next", "")),
        is_new_account=bool(asked.get("new")),
        error=error,
    )
    return render(request, "account/passkey.html", {"page": page}, status=422 if error else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    """Sign in by a passkey, without a name or a second factor.

    The device has asked for finger, face or number.
    """
    must_offer_passkeys()
    onward = requests.safe_redirect(request)
    if request.method != "POST":
        return redirect("account_login")
    if wait := throttle.spend(request, throttle.PASSKEY):
        return throttle.refused(request, wait)
    form = PasskeyForm(request.POST)
    if form.asks_options:
        return JsonResponse(ways.request_options())
    if request.user.is_authenticated:
        return redirect(onward or "front")
    try:
        key = ways.authenticated(form.cleaned_data["credential"])
    except ways.Wrong as wrong:
        attacks.note(request, attacks.SIGN_IN_FAILED)
        messages.error(request, str(wrong))
        query = f"?{urlencode({'next': onward})}" if onward else ""
        return redirect(reverse("account_login") + query)
    login = Login(user=key.user, redirect_url=onward or None)
    return flows.perform_passwordless_login(request, key, login)


# Confirming again who one is, before something changes how one signs in


class AgainView(BaseReauthenticateView):
    """A page on which users who have this way confirm who they are, with other ways beside it."""

    form_class = forms.Form

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        own = {
            "next": requests.inside_this_site(
                self.request, self.request.POST.get("next") or self.request.GET.get("next", "")
            )
        }
        return cast(dict[str, Any], super().get_context_data(**kwargs)) | own | kwargs

    def refuse(self, wrong: Exception) -> HttpResponse:
        return self.render_to_response(self.get_context_data(wrong=str(wrong)), status=422)

    def confirmed(self) -> HttpResponse:
        return super().form_valid(None)


class AgainByPasskeyView(AgainView):
    template_name = "account/again_passkey.html"

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        user, form = user_of(request), PasskeyForm(request.POST)
        if form.asks_options:
            return JsonResponse(ways.request_options(user))
        try:
            key = ways.authenticated(form.cleaned_data["credential"], user)
        except ways.Wrong as wrong:
            attacks.note(request, attacks.SIGN_IN_FAILED)
            return self.refuse(wrong)
        flows.reauthenticate(request, key)
        return self.confirmed()


KEY = "again"
"""Where the session keeps what a mailed code has to be: never the code itself."""


class AgainByMailView(AgainView):
    """For who has no password: a code to the account's address, typed in the same browser."""

    template_name = "account/again_mail.html"

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        user, form = user_of(request), CodeForm(request.POST)
        form.is_valid()
        if form.cleaned_data["do"] == "send":
            return throttle.mail(request, throttle.CODE, f"user {user.pk}") or self._send(user)
        kept: dict[str, Any] = request.session.get(KEY) or {}
        if kept.get("user") != user.pk or kept["until"] < time():
            request.session.pop(KEY, None)
            return self.refuse(ValueError(_("This code has expired. Request a new one.")))
        kept = {**kept, "tries": kept["tries"] + 1}
        request.session[KEY] = kept
        if not constant_time_compare(kept["code"], _mark(user, form.cleaned_data["code"])):
            return self.refuse_code(kept["tries"])
        del request.session[KEY]
        record_authentication(request, user, "code", reauthenticated=True)
        return self.confirmed()

    def refuse_code(self, tries: int) -> HttpResponse:
        """Refuse a wrong code; after too many tries no other one is accepted."""
        attacks.note(self.request, attacks.CODE_REFUSED)
        if tries < LOGIN_BY_CODE_MAX_ATTEMPTS:
            return self.refuse(ValueError(_("This is not the code. Look at it again.")))
        del self.request.session[KEY]
        text = _("These were too many tries. Have another code sent to you.")
        return self.refuse(ValueError(text))

    def _send(self, user: User) -> HttpResponse:
        code = get_adapter().generate_login_code()
        until = time() + settings.ACCOUNT_LOGIN_BY_CODE_TIMEOUT
        self.request.session[KEY] = {
            "user": user.pk,
            "code": _mark(user, code),
            "until": until,
            "tries": 0,
        }
        get_adapter().send_mail("account/email/again_code", user.email, {"code": code})
        return self.render_to_response(self.get_context_data())

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        kept: dict[str, Any] = self.request.session.get(KEY) or {}
        user = cast(User, self.request.user)
        own = {"sent": kept.get("user") == user.pk, "email": user.email}
        return {**super().get_context_data(**kwargs), **own}


def _mark(user: User, code: str) -> str:
    """A code as the session keeps it; signs between and small letters count for nothing."""
    plain = "".join(sign for sign in code.upper() if sign.isalnum())
    return salted_hmac("web.ways.again", f"{user.pk} {plain}", algorithm="sha256").hexdigest()


again_by_passkey = login_required(AgainByPasskeyView.as_view())
again_by_mail = login_required(AgainByMailView.as_view())

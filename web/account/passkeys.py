"""Passkeys: adding a passkey, and signing in with a passkey.

A passkey takes two requests: the browser first asks for the options to sign (`do=options`, answered
as JSON), then sends the signature of its device. static/js/passkeys.js does both; a page without
scripts offers the other ways.
"""

from __future__ import annotations

from dataclasses import dataclass

from allauth.account.models import Login
from allauth.mfa.webauthn.internal import flows
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from people import attack_log, sign_in_ways
from web.account.access import own_account, user_of
from web.account.forms import PasskeyForm
from web.frame import requests, throttle
from web.frame.reauthentication import signed_in_lately


@dataclass(frozen=True, slots=True)
class PasskeyPage:
    """The form of a new passkey."""

    name: str
    next: str
    is_new_account: bool
    """Whether the reader has just created the account with it, and may add the passkey later."""
    error: str
    longest_name: int = sign_in_ways.LONGEST_NAME

    @property
    def heading(self) -> str:
        if self.is_new_account:
            return _("One last step: your passkey")
        return _("New passkey")


def must_offer_passkeys() -> None:
    """Raise `Http404` if the site does not offer passkeys."""
    if not sign_in_ways.passkeys_offered():
        raise Http404


@own_account
@signed_in_lately
@require_http_methods(["GET", "HEAD", "POST"])
def add_passkey(request: HttpRequest) -> HttpResponse:
    """Add a passkey. `?new=1` is for an account that has just been created."""
    must_offer_passkeys()
    if request.method == "POST":
        return make_passkey(request)
    return show_passkey_form(request)


def make_passkey(request: HttpRequest) -> HttpResponse:
    """Answer with the options for the device to sign, or store its signature."""
    user, form = user_of(request), PasskeyForm(request.POST)
    if wait := throttle.spend(request, throttle.WAYS, f"user {user.pk}"):
        return throttle.refused(request, wait)
    if form.asks_options:
        try:
            return JsonResponse(sign_in_ways.creation_options(user))
        except sign_in_ways.PasskeyError as wrong:
            return JsonResponse({"wrong": str(wrong), "code": wrong.code}, status=422)
    try:
        key = sign_in_ways.add_passkey(
            user, form.cleaned_data["name"], form.cleaned_data["credential"]
        )
    except sign_in_ways.PasskeyError as wrong:
        return show_passkey_form(request, str(wrong))
    name = str(key.data["name"])
    sign_in_ways.notify(
        user, "way_added", sign_in_ways.Way("", sign_in_ways.PASSKEY, name, None, None, True).title
    )
    messages.success(request, _("From now on you can sign in with “%(name)s”.") % {"name": name})
    return redirect(requests.inside_this_site(request, form.cleaned_data["next"]) or "ways")


def show_passkey_form(request: HttpRequest, error: str = "") -> HttpResponse:
    """Show the form of a new passkey, with an error if there is one."""
    form = PasskeyForm(request.POST if request.method == "POST" else request.GET)
    form.is_valid()
    name = (
        form.cleaned_data["name"] if "name" in request.POST else sign_in_ways.device_name(request)
    )
    page = PasskeyPage(
        name=name[: sign_in_ways.LONGEST_NAME],
        next=requests.inside_this_site(request, form.cleaned_data["next"]),
        is_new_account=bool(form.cleaned_data["new"]),
        error=error,
    )
    return render(request, "account/passkey.html", {"page": page}, status=422 if error else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    """Sign in with a passkey, without a name or a second factor.

    They are not needed, because the device has already asked for a fingerprint, a face or a PIN.
    """
    must_offer_passkeys()
    if request.method != "POST":
        return redirect("account_login")
    if wait := throttle.spend(request, throttle.PASSKEY):
        return throttle.refused(request, wait)
    form = PasskeyForm(request.POST)
    if form.asks_options:
        return JsonResponse(sign_in_ways.request_options())
    onward = requests.inside_this_site(request, form.cleaned_data["next"])
    if request.user.is_authenticated:
        return redirect(onward or "front")
    try:
        key = sign_in_ways.authenticate_passkey(form.cleaned_data["credential"])
    except sign_in_ways.PasskeyError as wrong:
        attack_log.note(request, attack_log.SIGN_IN_FAILED)
        messages.error(request, str(wrong))
        query = f"?{urlencode({'next': onward})}" if onward else ""
        return redirect(reverse("account_login") + query)
    login = Login(user=key.user, redirect_url=onward or None)
    return flows.perform_passwordless_login(request, key, login)

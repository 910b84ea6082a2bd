"""Ways to sign in: the page that lists, adds and removes them; passkeys signing in; confirming
again who one is.

A passkey takes two requests: the browser first asks what to sign (`do=options`, answered as JSON),
then sends what its device signed. static/js/passkeys.js does both; a page without script offers the
other ways.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from time import time
from typing import Any, cast

from allauth.account.adapter import get_adapter
from allauth.account.app_settings import LOGIN_BY_CODE_MAX_ATTEMPTS
from allauth.account.internal.flows.login import record_authentication
from allauth.account.models import Login
from allauth.account.views import BaseReauthenticateView
from allauth.mfa.webauthn.internal import flows
from allauth.socialaccount.internal.flows import connect
from allauth.socialaccount.internal.flows import signup as pending
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from engine.strict_json import whole
from people import attacks, ways
from people.models import User
from web import provider
from web.frame import requests, throttle
from web.frame.reauthentication import signed_in_lately

View = Callable[[HttpRequest], HttpResponse]


def own_account(view: View) -> View:
    """For people with an account of their own, signed in."""

    @login_required
    @wraps(view)
    def looked_at(request: HttpRequest) -> HttpResponse:
        if cast(User, request.user).demo:
            raise PermissionDenied(
                _(
                    "Only an account of your own has ways to sign in. Sign up: what you play stays"
                    " yours."
                )
            )
        return view(request)

    return cast(View, looked_at)


# The page -----------------------------------------------------------------------------------------


@own_account
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """`?remove=KEY` asks before a way is removed, `?rename=KEY` shows a form; a POST's `do` says
    which form it is.
    """
    if request.method == "POST":
        match request.POST.get("do"):
            case "remove":
                return _remove(request)
            case "rename":
                return _rename(request)
    return _page(request)


def _page(request: HttpRequest, wrong: Exception | None = None) -> HttpResponse:
    user, asked = cast(User, request.user), request.POST if wrong is not None else request.GET
    rows = ways.ways_of(user)
    linked = {one.kind for one in rows}
    context = {
        "ways": rows,
        "remove": (
            asked.get("remove", "") or (asked.get("way", "") if asked.get("do") == "remove" else "")
        ),
        "rename": (
            asked.get("rename", "") or (asked.get("way", "") if asked.get("do") == "rename" else "")
        ),
        "typed": asked.get("name", "")[: ways.LONGEST_NAME],
        "longest": ways.LONGEST_NAME,
        "passkeys": ways.passkeys_offered(),
        "elsewhere": [(site, name) for site, name in ways.offered() if site not in linked],
        "second_factor": ways.has_second_factor(user),
        "wrong": str(wrong or ""),
    }
    return render(request, "account/ways.html", context, status=422 if wrong is not None else 200)


@signed_in_lately
def _remove(request: HttpRequest) -> HttpResponse:
    user = cast(User, request.user)
    if wait := throttle.spend(request, throttle.WAYS, f"user {user.pk}"):
        return throttle.refused(request, wait)
    try:
        way = ways.remove(user, request.POST.get("way", ""), request.session.session_key or "")
    except ways.LastWay as last:
        return _page(request, last)
    if way is None:
        messages.info(request, _("This way to sign in is not there any more."))
        return redirect("ways")
    update_session_auth_hash(request, user)
    ways.notify(user, "way_removed", way.title)
    text = _("Removed: %(way)s. Other browsers that were signed in are signed out.")
    messages.success(request, text % {"way": way.title})
    return redirect("ways")


def _rename(request: HttpRequest) -> HttpResponse:
    number = whole(request.POST.get("way", "").removeprefix(f"{ways.PASSKEY}-"), 18)
    try:
        if number is None or not ways.rename(
            cast(User, request.user), number, request.POST.get("name", "")
        ):
            raise Http404
    except ways.Wrong as wrong:
        return _page(request, wrong)
    messages.success(request, _("Saved."))
    return redirect("ways")


@own_account
@require_http_methods(["GET", "HEAD", "POST"])
def link(request: HttpRequest) -> HttpResponse:
    """An account elsewhere that somebody came by, before they signed in to the account they have:
    it is linked when they say so.
    """
    login = provider.waiting(request)
    if login is None:
        return redirect("ways")
    if request.method == "POST":
        pending.clear_pending_signup(request)
        if request.POST.get("do") != "link":
            return redirect("ways")
        login.state.pop("next", None)
        try:
            with transaction.atomic():
                return cast(HttpResponse, connect.connect(request, login))
        except IntegrityError:  # another browser linked it a moment ago
            messages.error(
                request,
                _("This account signs in to another account here already. Remove it there first."),
            )
            return redirect("ways")
    site, name = login.account.provider, login.account.extra_data.get("name", "")
    return render(
        request, "account/link.html", {"site": ways.ELSEWHERE.get(site, site), "name": name}
    )


# Passkeys -----------------------------------------------------------------------------------------


def _refusal(request: HttpRequest, wrong: ways.Wrong) -> JsonResponse:
    return JsonResponse({"wrong": str(wrong), "code": wrong.code}, status=422)


def _off(request: HttpRequest) -> None:
    if not ways.passkeys_offered():
        raise Http404


@own_account
@signed_in_lately
@require_http_methods(["GET", "HEAD", "POST"])
def add_passkey(request: HttpRequest) -> HttpResponse:
    """`?new=1`: for who has just made an account with it, and may leave it for later."""
    _off(request)
    user = cast(User, request.user)
    wrong: ways.Wrong | None = None
    if request.method == "POST":
        if wait := throttle.spend(request, throttle.WAYS, f"user {user.pk}"):
            return throttle.refused(request, wait)
        try:
            if request.POST.get("do") == "options":
                return JsonResponse(ways.creation_options(user))
            key = ways.add(user, request.POST.get("name", ""), request.POST.get("credential", ""))
        except ways.Wrong as no:
            if request.POST.get("do") == "options":
                return _refusal(request, no)
            wrong = no
        else:
            name = str(key.data["name"])
            ways.notify(user, "way_added", ways.Way("", ways.PASSKEY, name, None, None, True).title)
            messages.success(request, _("From now on “%(name)s” signs you in.") % {"name": name})
            return redirect(requests.safe_redirect(request) or "ways")
    asked = request.POST if request.method == "POST" else request.GET
    context = {
        "name": request.POST.get("name", ways.device_name(request))[: ways.LONGEST_NAME],
        "longest": ways.LONGEST_NAME,
        "next": requests.inside_this_site(request, asked.get("next", "")),
        "new": bool(asked.get("new")),
        "wrong": str(wrong or ""),
    }
    return render(request, "account/passkey.html", context, status=422 if wrong else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    """By a passkey, without a name or a second factor: the device has asked for finger, face or
    number.
    """
    _off(request)
    onward = requests.safe_redirect(request)
    if request.method != "POST":
        return redirect("account_login")
    if wait := throttle.spend(request, throttle.PASSKEY):
        return throttle.refused(request, wait)
    if request.POST.get("do") == "options":
        return JsonResponse(ways.request_options())
    if request.user.is_authenticated:
        return redirect(onward or "front")
    try:
        key = ways.authenticated(request.POST.get("credential", ""))
    except ways.Wrong as wrong:
        attacks.note(request, attacks.SIGN_IN_FAILED)
        messages.error(request, str(wrong))
        return redirect(
            reverse("account_login") + (f"?{urlencode({'next': onward})}" if onward else "")
        )
    login = Login(user=key.user, redirect_url=onward or None)
    return flows.perform_passwordless_login(request, key, login)


# Again: before something changes how one signs in -------------------------------------------------


class AgainView(BaseReauthenticateView):
    """What the pages below share: only for who has this way, with the others beside it."""

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
        user = cast(User, request.user)
        if request.POST.get("do") == "options":
            return JsonResponse(ways.request_options(user))
        try:
            key = ways.authenticated(request.POST.get("credential", ""), user)
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
        user = cast(User, request.user)
        if request.POST.get("do") == "send":
            return throttle.mail(request, throttle.CODE, f"user {user.pk}") or self._send(user)
        kept: dict[str, Any] = request.session.get(KEY) or {}
        if kept.get("user") != user.pk or kept["until"] < time():
            request.session.pop(KEY, None)
            return self.refuse(ValueError(_("This code has expired. Request a new one.")))
        request.session[KEY] = {**kept, "tries": kept["tries"] + 1}
        if not constant_time_compare(kept["code"], _mark(user, request.POST.get("code", ""))):
            attacks.note(request, attacks.CODE_REFUSED)
            if kept["tries"] + 1 >= LOGIN_BY_CODE_MAX_ATTEMPTS:
                del request.session[KEY]
                return self.refuse(
                    ValueError(_("These were too many tries. Have another code sent to you."))
                )
            return self.refuse(ValueError(_("This is not the code. Look at it again.")))
        del request.session[KEY]
        record_authentication(request, user, "code", reauthenticated=True)
        return self.confirmed()

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

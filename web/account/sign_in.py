"""Signing in, signing up and changing a password or an address: django-allauth in our look.

The signatures of the methods, and the dictionaries that they return, are those of allauth.
"""

from __future__ import annotations

from typing import Any, cast

from allauth.account.internal.flows.login import record_authentication
from allauth.account.models import EmailAddress
from allauth.account.views import (
    ConfirmLoginCodeView,
    EmailView,
    LoginView,
    PasswordChangeView,
    PasswordResetFromKeyView,
    PasswordResetView,
    PasswordSetView,
    RequestLoginCodeView,
    SignupView,
)
from allauth.core.exceptions import ReauthenticationRequired
from allauth.mfa.base.views import AuthenticateView
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.views import GenerateRecoveryCodesView
from allauth.mfa.totp.views import DeactivateTOTPView
from allauth.socialaccount.internal.flows import signup
from allauth.socialaccount.views import SignupView as SocialSignupView
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from people import proof, ways
from people.models import User, find
from web import provider
from web.frame import requests, throttle


class SignUpView(SignupView):
    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Every try counts, refused or not."""
        if wait := throttle.spend(request, throttle.SIGN_UP_TRY):
            return throttle.refused(request, wait)
        return cast(HttpResponse, super().post(request, *args, **kwargs))

    def form_valid(self, form: Any) -> HttpResponse:
        """Refuse the second of two sign-ups at once with the same name."""
        if wait := throttle.mail(
            self.request, throttle.SIGN_UP, form.cleaned_data["email"].casefold()
        ):
            return wait
        try:
            with transaction.atomic():
                answer: HttpResponse = super().form_valid(form)
        except IntegrityError:
            form.add_error(
                "username",
                _("This name or address was taken a moment ago. Choose another, or sign in."),
            )
            return self.form_invalid(form)
        return _signed_up(self.request, form, answer)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs) | other_ways()


def other_ways() -> dict[str, Any]:
    """What a page to sign in or up offers beside the password."""
    return {"passkeys": ways.passkeys_offered(), "elsewhere": ways.offered()}


def _signed_up(request: HttpRequest, form: Any, answer: HttpResponse) -> HttpResponse:
    """Just now they chose a password, which need not be typed again before another way is added; or
    they go on to a passkey.
    """
    if not request.user.is_authenticated:
        return answer
    if getattr(form, "with_passkey", False):
        record_authentication(request, request.user, "sign-up")
        onward = {"next": answer.headers.get("Location", "/"), "new": "1"}
        return redirect(f"{reverse('mfa_add_webauthn')}?{urlencode(onward)}")
    record_authentication(request, request.user, "password")
    ways.note_use(request, request.user, timezone.now())
    return answer


class SignUpElsewhereView(SocialSignupView):
    """For who comes by an account of another site that nobody has linked. Where its address is
    known here, they are asked to sign in first: an address opens no account.
    """

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Where it has been linked meanwhile, it signs in the next time it is gone to."""
        login = provider.waiting(request)
        if login is None or login.is_existing:
            signup.clear_pending_signup(request)
            return redirect("account_login")
        return super().dispatch(request, *args, **kwargs)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if wait := throttle.spend(request, throttle.SIGN_UP_TRY):
            return throttle.refused(request, wait)
        return cast(HttpResponse, super().post(request, *args, **kwargs))

    def form_valid(self, form: Any) -> HttpResponse:
        if wait := throttle.mail(
            self.request, throttle.SIGN_UP, form.cleaned_data["email"].casefold()
        ):
            return wait
        pending = self.request.session.get("socialaccount_sociallogin")
        try:
            with transaction.atomic():
                return super().form_valid(form)
        except (
            IntegrityError
        ):  # the name went to another, or the account there was linked, a moment ago
            self.request.session["socialaccount_sociallogin"] = pending
            form.add_error(
                "username",
                _("This name or address was taken a moment ago. Choose another, or sign in."),
            )
            return cast(HttpResponse, self.form_invalid(form))

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        account = self.sociallogin.account
        email = cast(User, self.sociallogin.user).email
        named = {
            "site": ways.ELSEWHERE.get(account.provider, account.provider),
            "name": account.extra_data.get("name", ""),
            "known": email if email and find(email) is not None else "",
        }
        return super().get_context_data(**kwargs) | named


class SignInView(LoginView):
    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return cast(dict[str, Any], super().get_context_data(**kwargs)) | other_ways()


class SecondFactorView(AuthenticateView):
    """A code; or a passkey, which signs in by itself."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return cast(dict[str, Any], super().get_context_data(**kwargs)) | {
            "passkeys": ways.passkeys_offered()
        }


class SecondFactorOffView(DeactivateTOTPView):
    """Its recovery codes go with it, also where there are passkeys, which allauth takes for another
    second factor.
    """

    def form_valid(self, form: Any) -> HttpResponse:
        answer: HttpResponse = super().form_valid(form)
        Authenticator.objects.filter(
            user_id=cast(User, self.request.user).pk, type=Authenticator.Type.RECOVERY_CODES
        ).delete()
        return answer


class NewRecoveryCodesView(GenerateRecoveryCodesView):
    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Only beside the app whose place they take."""
        if not ways.has_second_factor(cast(User, request.user)):
            return redirect("mfa_index")
        return super().dispatch(request, *args, **kwargs)


class FirstPasswordView(PasswordSetView):
    """Let a user who has just signed in give the account its first password."""

    success_url = reverse_lazy("ways")

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if cast(User, request.user).demo:
            raise PermissionDenied(_("A demonstration user has no password to change."))
        if not ways.fresh(request):
            raise ReauthenticationRequired
        return cast(HttpResponse, super().dispatch(request, *args, **kwargs))

    def form_valid(self, form: Any) -> HttpResponse:
        answer: HttpResponse = super().form_valid(form)
        record_authentication(
            self.request, cast(User, self.request.user), "password", reauthenticated=True
        )
        return answer


class ChangePasswordView(PasswordChangeView):
    success_url = reverse_lazy("me")

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.is_authenticated and request.user.demo:
            raise PermissionDenied(_("A demonstration user has no password to change."))
        if request.user.is_authenticated and not request.user.has_usable_password():
            return redirect("account_set_password")
        return super().dispatch(request, *args, **kwargs)


class ForgottenPasswordView(PasswordResetView):
    def form_valid(self, form: Any) -> HttpResponse:
        who = throttle.person(form.cleaned_data["email"])
        return throttle.mail(self.request, throttle.RESET, who) or super().form_valid(form)


class NewPasswordView(PasswordResetFromKeyView):
    """Who sets a password by a link that came to their address has proven it."""

    def form_valid(self, form: Any) -> HttpResponse:
        user = self.reset_user
        answer: HttpResponse = super().form_valid(form)
        address = EmailAddress.objects.filter(
            user=user, email__iexact=user.email, verified=False
        ).first()
        if address is not None and not proof.proven(user) and address.set_verified():
            user.refresh_from_db()
            proof.end_what_came_before(self.request, user, password_is_new=True)
        return answer


class AskForCodeView(RequestLoginCodeView):
    def form_valid(self, form: Any) -> HttpResponse:
        """Codes that others ask for elsewhere are no reason to have none here."""
        who = throttle.person(self.request.POST["email"])
        if throttle.knows(self.request, find(self.request.POST["email"])):
            who += " at home"
        if wait := throttle.mail(self.request, throttle.CODE, who):
            return wait
        user = find(self.request.POST["email"])
        answer: HttpResponse = super().form_valid(form)
        self.request.session[CODE_OF] = requests.mark_of_person(user) if user is not None else ""
        return answer


CODE_OF = "code of"
"""The entry of a session with the user whose code it requested. A code that is older than the end
of all sessions of this user is not valid."""


class TypeCodeView(ConfirmLoginCodeView):
    def form_valid(self, form: Any) -> HttpResponse:
        user = self._process.user
        mark = self.request.session.get(CODE_OF)
        if user is not None and mark != requests.mark_of_person(user):
            self._process.abort()
            messages.error(self.request, _("This code has expired. Request a new one."))
            return redirect("account_request_login_code")
        return super().form_valid(form)

    def _resend_form_valid(self, form: Any) -> HttpResponse:
        who = f"user {self._process.user.pk}" if self._process.user else "nobody"
        return throttle.mail(self.request, throttle.CODE, who) or super()._resend_form_valid(form)


class AddressView(EmailView):
    """The address changes when the new one is confirmed; until then both are known and the old one
    counts.
    """

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if cast(User, request.user).demo:
            raise PermissionDenied(_("A demonstration user has no address to change."))
        if not ways.fresh(request):
            raise ReauthenticationRequired
        return super().dispatch(request, *args, **kwargs)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if {"action_add", "action_send"} & request.POST.keys() and (
            wait := throttle.mail(request, throttle.VERIFY, f"user {request.user.pk}")
        ):
            return wait
        return super().post(request, *args, **kwargs)

"""Signing in, signing up and changing a password or an address: allauth in the look of this site.

The signatures of the methods are those of allauth. Besides the context of allauth, a template gets
one name, `page`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

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
from allauth.socialaccount.models import SocialLogin
from allauth.socialaccount.views import SignupView as SocialSignupView
from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from people import address_proof, sign_in_ways
from people.forms import AskForCode, ForgottenPassword, SignUp, SignUpElsewhere
from people.models import User, find_by_login
from web import provider
from web.account.access import user_of
from web.account.sign_in_ways import Site
from web.frame import requests, throttle

# The content of the pages


@dataclass(frozen=True, slots=True)
class EntrancePage:
    """The ways to sign in or up, other than the password."""

    passkeys: bool
    sites: list[Site]


def entrance_page() -> EntrancePage:
    """Return the ways to sign in that this site offers besides the password."""
    return EntrancePage(
        passkeys=sign_in_ways.passkeys_offered(),
        sites=[Site(name, reverse(f"{site}_login")) for site, name in sign_in_ways.offered_sites()],
    )


@dataclass(frozen=True, slots=True)
class SignUpElsewherePage:
    """The account of another site with which a reader signs up."""

    site: str
    name: str
    """The reader's name there, if the other site sends it."""
    known_email: str
    """The address that the other site sends, if a user of this site has it."""

    @property
    def origin(self) -> str:
        """A sentence about the other site from which the reader comes."""
        facts = {"site": self.site, "name": self.name}
        if self.name:
            text = _(
                "You have signed in at %(site)s as %(name)s, but no account here is linked to "
                "that account yet."
            )
        else:
            text = _(
                "You have signed in at %(site)s, but no account here is linked to that account yet."
            )
        return text % facts

    @property
    def advice(self) -> str:
        """A sentence for a reader who already has an account here."""
        facts = {"site": self.site, "known": self.known_email}
        if self.known_email:
            text = _(
                "There is already an account with the address %(known)s. Sign in to it first; "
                "%(site)s will then be linked to it."
            )
        else:
            text = _("Sign in first; %(site)s will then be linked to your account.")
        return text % facts


def sign_up_elsewhere_page(login: SocialLogin) -> SignUpElsewherePage:
    """Return the account of another site with which a reader signs up."""
    account, email = login.account, cast(User, login.user).email
    return SignUpElsewherePage(
        site=sign_in_ways.ELSEWHERE.get(account.provider, account.provider),
        name=account.extra_data.get("name", ""),
        known_email=email if email and find_by_login(email) is not None else "",
    )


# Signing up


class SignUpView(SignupView):
    """The page to create an account."""

    def post(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        """Count each attempt, whether it is refused or not."""
        if wait := throttle.spend(request, throttle.SIGN_UP_TRY):
            return throttle.refused(request, wait)
        return cast(HttpResponse, super().post(request, *args, **kwargs))

    def form_valid(self, form: SignUp) -> HttpResponse:
        """Create the account, unless its name was taken at the same moment."""
        if refusal := refuse_mail(self.request, form):
            return refusal
        try:
            with transaction.atomic():
                answer = super().form_valid(form)
        except IntegrityError:
            add_name_taken(form)
            return self.form_invalid(form)
        return after_sign_up(self.request, form, answer)

    def get_context_data(self, **kwargs: object) -> dict[str, object]:
        return {**super().get_context_data(**kwargs), "page": entrance_page()}


def refuse_mail(request: HttpRequest, form: forms.BaseForm) -> HttpResponse | None:
    """Return a refusal if too many sign-ups have named this address; else count this sign-up."""
    return throttle.mail(request, throttle.SIGN_UP, form.cleaned_data["email"].casefold())


def add_name_taken(form: forms.BaseForm) -> None:
    """Add the error for a name that another sign-up took at the same moment."""
    text = _("This name or address has just been taken. Choose another, or sign in.")
    form.add_error("username", text)


def after_sign_up(request: HttpRequest, form: SignUp, answer: HttpResponse) -> HttpResponse:
    """Record how the new user has signed in, or redirect to the form of the first passkey.

    A user who has just chosen a password need not type it again before adding another way.
    """
    if not request.user.is_authenticated:
        return answer
    if form.with_passkey:
        record_authentication(request, request.user, "sign-up")
        onward = {"next": answer.headers.get("Location", "/"), "new": "1"}
        return redirect(f"{reverse('mfa_add_webauthn')}?{urlencode(onward)}")
    record_authentication(request, request.user, "password")
    sign_in_ways.note_use(request, request.user, timezone.now())
    return answer


class SignUpElsewhereView(SocialSignupView):
    """The page to create an account that signs in with an account of another site.

    If a user here has the address that the other site sends, the page asks the reader to sign in
    first: an address alone gives no access to an account.
    """

    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        """Show the page only while the account elsewhere is not linked to a user."""
        login = provider.waiting(request)
        if login is None or login.is_existing:
            signup.clear_pending_signup(request)
            return redirect("account_login")
        return super().dispatch(request, *args, **kwargs)

    def post(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        """Count each attempt, whether it is refused or not."""
        if wait := throttle.spend(request, throttle.SIGN_UP_TRY):
            return throttle.refused(request, wait)
        return cast(HttpResponse, super().post(request, *args, **kwargs))

    def form_valid(self, form: SignUpElsewhere) -> HttpResponse:
        """Create the account, unless its name or the account elsewhere was taken meanwhile."""
        if refusal := refuse_mail(self.request, form):
            return refusal
        pending = self.request.session.get("socialaccount_sociallogin")
        try:
            with transaction.atomic():
                return super().form_valid(form)
        except IntegrityError:
            self.request.session["socialaccount_sociallogin"] = pending
            add_name_taken(form)
            return cast(HttpResponse, self.form_invalid(form))

    def get_context_data(self, **kwargs: object) -> dict[str, object]:
        page = sign_up_elsewhere_page(self.sociallogin)
        return {**super().get_context_data(**kwargs), "page": page}


# Signing in


class SignInView(LoginView):
    """The page to sign in, with all ways that this site offers."""

    def get_context_data(self, **kwargs: object) -> dict[str, object]:
        return {**super().get_context_data(**kwargs), "page": entrance_page()}


class SecondFactorView(AuthenticateView):
    """The page that asks for a code of the second factor. A passkey signs in without it."""

    def get_context_data(self, **kwargs: object) -> dict[str, object]:
        page = EntrancePage(passkeys=sign_in_ways.passkeys_offered(), sites=[])
        return {**super().get_context_data(**kwargs), "page": page}


class AskForCodeView(RequestLoginCodeView):
    """The page to request a code by e-mail."""

    def form_valid(self, form: AskForCode) -> HttpResponse:
        """Send a code. Requests from elsewhere do not count against those of a known browser."""
        typed = form.data["email"]
        user, source = find_by_login(typed), throttle.person(typed)
        if throttle.knows(self.request, user):
            source += " at home"
        if wait := throttle.mail(self.request, throttle.CODE, source):
            return wait
        answer = super().form_valid(form)
        self.request.session[CODE_OF] = requests.mark_of_person(user) if user is not None else ""
        return answer


CODE_OF = "code of"
"""The key of a session for the user whose code it requested. A code is no longer valid if all
sessions of this user have been ended since.
"""


class TypeCodeView(ConfirmLoginCodeView):
    """The page to type a code from an e-mail."""

    def form_valid(self, form: forms.BaseForm) -> HttpResponse:
        """Sign in; or send another code, if the form has no field."""
        user = self.stage.login.user
        mark = self.request.session.get(CODE_OF)
        if user is not None and mark != requests.mark_of_person(user):
            self.stage.abort()
            messages.error(self.request, _("This code has expired. Request a new one."))
            return redirect("account_request_login_code")
        if not form.fields:
            source = f"user {user.pk}" if user is not None else "nobody"
            if wait := throttle.mail(self.request, throttle.CODE, source):
                return wait
        return super().form_valid(form)


# The second factor


class SecondFactorOffView(DeactivateTOTPView):
    """The page to switch off the second factor."""

    def form_valid(self, form: forms.BaseForm) -> HttpResponse:
        """Delete the recovery codes too.

        allauth keeps them for users with a passkey, which it regards as another second factor.
        """
        answer = super().form_valid(form)
        Authenticator.objects.filter(
            user_id=user_of(self.request).pk, type=Authenticator.Type.RECOVERY_CODES
        ).delete()
        return answer


class NewRecoveryCodesView(GenerateRecoveryCodesView):
    """The page to make new recovery codes."""

    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        """Show the page only to users with an authenticator app, which the codes replace."""
        if not sign_in_ways.has_second_factor(user_of(request)):
            return redirect("mfa_index")
        return super().dispatch(request, *args, **kwargs)


# Passwords and the address


class FirstPasswordView(PasswordSetView):
    """The page on which a user who has recently signed in sets the first password."""

    success_url = reverse_lazy("ways")

    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if user_of(request).demo:
            raise PermissionDenied(_("A demonstration user has no password to change."))
        if not sign_in_ways.is_recently_confirmed(request):
            raise ReauthenticationRequired
        return cast(HttpResponse, super().dispatch(request, *args, **kwargs))

    def form_valid(self, form: forms.BaseForm) -> HttpResponse:
        answer = super().form_valid(form)
        user = user_of(self.request)
        record_authentication(self.request, user, "password", reauthenticated=True)
        return answer


class ChangePasswordView(PasswordChangeView):
    """The page to change the password."""

    success_url = reverse_lazy("me")

    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if request.user.is_authenticated and request.user.demo:
            raise PermissionDenied(_("A demonstration user has no password to change."))
        if request.user.is_authenticated and not request.user.has_usable_password():
            return redirect("account_set_password")
        return super().dispatch(request, *args, **kwargs)


class ForgottenPasswordView(PasswordResetView):
    """The page to request a link for setting a new password."""

    def form_valid(self, form: ForgottenPassword) -> HttpResponse:
        source = throttle.person(form.cleaned_data["email"])
        return throttle.mail(self.request, throttle.RESET, source) or super().form_valid(form)


class NewPasswordView(PasswordResetFromKeyView):
    """The page behind that link. A user who sets a password there has confirmed the address."""

    def form_valid(self, form: forms.BaseForm) -> HttpResponse:
        user = self.reset_user
        answer = super().form_valid(form)
        address = EmailAddress.objects.filter(
            user=user, email__iexact=user.email, verified=False
        ).first()
        if address is not None and not address_proof.proven(user) and address.set_verified():
            user.refresh_from_db()
            address_proof.end_earlier_access(self.request, user, password_is_new=True)
        return answer


class AddressView(EmailView):
    """The page to change the address.

    The address changes when the user confirms the new one. Until then both addresses are stored,
    and the old one is in use.
    """

    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        if user_of(request).demo:
            raise PermissionDenied(_("A demonstration user has no e-mail address to change."))
        if not sign_in_ways.is_recently_confirmed(request):
            raise ReauthenticationRequired
        return super().dispatch(request, *args, **kwargs)

    def post(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        """Count the e-mails that a user sends to new addresses."""
        if {"action_add", "action_send"} & request.POST.keys() and (
            wait := throttle.mail(request, throttle.VERIFY, f"user {request.user.pk}")
        ):
            return wait
        return super().post(request, *args, **kwargs)

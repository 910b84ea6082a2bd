"""One's own account. Signing in and passwords are django-allauth's, in our look."""

from typing import Any, cast

from allauth.account.decorators import reauthentication_required
from allauth.account.models import EmailAddress
from allauth.account.views import (
    ConfirmLoginCodeView,
    EmailView,
    PasswordChangeView,
    PasswordResetFromKeyView,
    PasswordResetView,
    RequestLoginCodeView,
    SignupView,
)
from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _

from campaign.models import Membership
from people import proof
from people.forms import AboutGuest, AboutMe
from people.models import User, find
from web import throttle


@login_required
def me(request: HttpRequest) -> HttpResponse:
    user = cast(User, request.user)
    # Another object: an invalid form must not change the user whom the page shows.
    form = (AboutGuest if user.guest else AboutMe)(request.POST or None, instance=User.objects.get(pk=user.pk))
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
        return redirect("me")
    factors = set(Authenticator.objects.filter(user=user).values_list("type", flat=True))
    context = {
        "form": form,
        "second_factor": "totp" in factors,
        "unconfirmed": user.email and not EmailAddress.objects.filter(user=user, verified=True).exists(),
        "runs_campaigns": Membership.objects.filter(user=user, role=Membership.Role.GAME_MASTER, until=None).exists(),
    }
    return render(request, "account/me.html", context, status=422 if form.errors else 200)


class SignUpView(SignupView):
    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Every try counts, refused or not."""
        if wait := throttle.spend(request, throttle.SIGN_UP_TRY):
            return throttle.refused(request, wait)
        return cast(HttpResponse, super().post(request, *args, **kwargs))

    def form_valid(self, form: Any) -> HttpResponse:
        """Two sign-ups at once with one name: the second is told so."""
        if wait := throttle.mail(self.request, throttle.SIGN_UP, form.cleaned_data["email"].casefold()):
            return wait
        try:
            with transaction.atomic():
                return super().form_valid(form)
        except IntegrityError:
            form.add_error("username", _("This name or address was taken a moment ago. Choose another, or sign in."))
            return self.form_invalid(form)


class ChangePasswordView(PasswordChangeView):
    success_url = reverse_lazy("me")

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.is_authenticated and request.user.demo:
            raise PermissionDenied(_("A demonstration user has no password to change."))
        if request.user.is_authenticated and not request.user.has_usable_password():
            return redirect("account_reset_password")  # there is none: a letter brings the link to set one
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
        address = EmailAddress.objects.filter(user=user, email__iexact=user.email, verified=False).first()
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
        return throttle.mail(self.request, throttle.CODE, who) or super().form_valid(form)


class TypeCodeView(ConfirmLoginCodeView):
    def _resend_form_valid(self, form: Any) -> HttpResponse:
        who = f"user {self._process.user.pk}" if self._process.user else "nobody"
        return throttle.mail(self.request, throttle.CODE, who) or super()._resend_form_valid(form)


@method_decorator(reauthentication_required(app="allauth.mfa"), name="dispatch")
class AddressView(EmailView):
    """The address changes when the new one is confirmed; until then both are known and the old one counts."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if cast(User, request.user).demo:
            raise PermissionDenied(_("A demonstration user has no address to change."))
        return super().dispatch(request, *args, **kwargs)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if {"action_add", "action_send"} & request.POST.keys() and (
            wait := throttle.mail(request, throttle.VERIFY, f"user {request.user.pk}")
        ):
            return wait
        return super().post(request, *args, **kwargs)

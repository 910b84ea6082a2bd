"""One's own account. Signing in and passwords are django-allauth's, in our look."""

from typing import Any, cast

from allauth.account.views import PasswordChangeView, SignupView
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy

from people.forms import AboutMe
from people.models import User


@login_required
def me(request: HttpRequest) -> HttpResponse:
    user = cast(User, request.user)
    # Another object: an invalid form must not change the user whom the page shows.
    form = AboutMe(request.POST or None, instance=User.objects.get(pk=user.pk))
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, "Saved.")
        return redirect("me")
    return render(request, "account/me.html", {"form": form}, status=422 if form.errors else 200)


class SignUpView(SignupView):
    def form_valid(self, form: Any) -> HttpResponse:
        """Two sign-ups at once with one name: the second is told so."""
        try:
            with transaction.atomic():
                return super().form_valid(form)
        except IntegrityError:
            form.add_error("username", "This name or address was taken a moment ago. Choose another, or sign in.")
            return self.form_invalid(form)


class ChangePasswordView(PasswordChangeView):
    success_url = reverse_lazy("me")

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.is_authenticated and not request.user.has_usable_password():
            raise PermissionDenied("A demonstration user has no password to change.")
        return super().dispatch(request, *args, **kwargs)

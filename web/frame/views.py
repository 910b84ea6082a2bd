"""The front page, the choice of a language, and sign-in to the demonstration."""

from __future__ import annotations

from ipaddress import ip_address

from django import forms
from django.conf import settings
from django.contrib.auth import login
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from people.models import User
from web.frame.front import front_page
from web.frame.requests import safe_redirect


def front(request: HttpRequest) -> HttpResponse:
    """Show the reader's campaigns and tasks, or else the listed campaigns."""
    page = front_page(request)
    template = "frame/home.html" if page.at_home else "frame/front.html"
    return render(request, template, {"page": page})


class LanguageForm(forms.Form):
    """The language of pages."""

    language = forms.ChoiceField(choices=settings.LANGUAGES)


@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """Choose the language of pages, for this browser and for the account of a signed-in user."""
    form = LanguageForm(request.POST)
    if not form.is_valid():
        raise BadRequest(_("The site is not available in this language."))
    language = form.cleaned_data["language"]
    if isinstance(request.user, User):
        request.user.language = language
        request.user.save(update_fields=["language"])
    answer = redirect(safe_redirect(request) or "front")
    answer.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        samesite="Lax",
    )
    return answer


def from_this_machine(request: HttpRequest) -> bool:
    """Return whether a request comes from the machine on which the site runs."""
    try:
        return ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False


@require_POST
def become(request: HttpRequest, pk: int) -> HttpResponse:
    """Sign in as a user of the demonstration, which only `script/serve` has."""
    if not settings.TABULA_DEMO or not from_this_machine(request):
        raise Http404
    user = get_object_or_404(
        User, pk=pk, demo=True, is_active=True, is_staff=False, is_superuser=False
    )
    login(request, user, backend=settings.AUTHENTICATION_BACKENDS[-1])
    return redirect(safe_redirect(request) or settings.LOGIN_REDIRECT_URL)

"""Restrictions of guests."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from people import services as people_services
from web.frame.raw_forms import sent_fields


def refuse_guest(request: HttpRequest) -> None:
    """Raise `PermissionDenied` for guests, who may only play alone."""
    if people_services.is_guest(request.user):
        raise PermissionDenied(
            _("Guests can only play alone. Create an account first: you keep what you have played.")
        )


def ask_for_account(request: HttpRequest, onward: str) -> HttpResponse | None:
    """Return a redirect for a reader without an account; None for a reader with one.

    Visitors sign in, and guests create an account. Both come back to the address `onward`.
    """
    if people_services.has_account(request.user):
        return None
    if not people_services.is_guest(request.user):
        return redirect_to_login(onward)
    text = _("To play with others you need an account. You keep what you have played as a guest.")
    messages.info(request, text)
    return redirect(f"{reverse('account_signup')}?{urlencode({'next': onward})}")


def filled_form(request: HttpRequest) -> str:
    """Return the address of a page's form with the values that were posted to it."""
    values = {**dict(request.GET.lists()), **dict(sent_fields(request))}
    return f"{request.path}?{urlencode(values, doseq=True)}" if values else request.path

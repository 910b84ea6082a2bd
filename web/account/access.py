"""Checks of who may see the pages of an account."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _

from people.models import User

View = Callable[[HttpRequest], HttpResponse]


def user_of(request: HttpRequest) -> User:
    """Return the user of a page for which the reader must be signed in."""
    assert request.user.is_authenticated
    return request.user


def own_user(request: HttpRequest) -> User:
    """Return the user, who must have an account of their own. Raises `PermissionDenied`."""
    user = user_of(request)
    if user.guest or user.demo:
        raise PermissionDenied(_("You need an account of your own for this."))
    return user


def own_account(view: View) -> Callable[..., HttpResponseBase]:
    """Restrict a view to people with an account of their own who are signed in."""

    @wraps(view)
    def restricted(request: HttpRequest) -> HttpResponse:
        if user_of(request).demo:
            text = _(
                "You need an account of your own to set up ways to sign in. Sign up: you keep "
                "what you have played."
            )
            raise PermissionDenied(text)
        return view(request)

    return login_required(restricted)

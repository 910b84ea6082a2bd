"""Who may see the pages of an account."""

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
    """Return the user of a page that asks to sign in."""
    assert request.user.is_authenticated
    return request.user


def own_user(request: HttpRequest) -> User:
    """Return the user, who must have an account of their own. Raises `PermissionDenied`."""
    user = user_of(request)
    if user.guest or user.demo:
        raise PermissionDenied(_("This is for people with an account of their own."))
    return user


def own_account(view: View) -> Callable[..., HttpResponseBase]:
    """Restrict a view to people with an account of their own who are signed in."""

    @wraps(view)
    def restricted(request: HttpRequest) -> HttpResponse:
        if user_of(request).demo:
            text = _(
                "Only an account of your own has ways to sign in. Sign up: what you play stays"
                " yours."
            )
            raise PermissionDenied(text)
        return view(request)

    return login_required(restricted)

"""Reauthentication before sensitive changes, which docs/contribute/packages/people.md lists."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from allauth.account.adapter import get_adapter
from allauth.core.exceptions import ReauthenticationRequired
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.utils.translation import gettext as _

from people import sign_in_ways

P = ParamSpec("P")
Answer = TypeVar("Answer")


def signed_in_lately(
    view: Callable[Concatenate[HttpRequest, P], Answer],
) -> Callable[Concatenate[HttpRequest, P], Answer]:
    """Ask for the password, a code or a passkey, unless the user gave one within five minutes.

    This stops a stranger at an open browser from changing the access to the owner's account.
    allauth keeps a sent form meanwhile and then continues it. A user who has none of the three gets
    an error that says what to do, because the page that asks for one would only redirect them here
    again.
    """

    @wraps(view)
    def asked_again(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> Answer:
        if not sign_in_ways.is_recently_confirmed(request):
            if request.user.is_authenticated and not get_adapter().get_reauthentication_methods(
                request.user
            ):
                raise PermissionDenied(
                    _(
                        "Your account has no password, e-mail address or passkey with which you "
                        "could confirm who you are. Ask the host for help."
                    )
                )
            raise ReauthenticationRequired
        return view(request, *args, **kwargs)

    return asked_again

"""Reauthentication before sensitive changes, which docs/internals/signing-in.md lists."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from allauth.core.exceptions import ReauthenticationRequired
from django.http import HttpRequest

from people import ways

P = ParamSpec("P")
Answer = TypeVar("Answer")


def signed_in_lately(
    view: Callable[Concatenate[HttpRequest, P], Answer],
) -> Callable[Concatenate[HttpRequest, P], Answer]:
    """Ask for the password, a code or a passkey, unless the user gave one within five minutes.

    So a stranger at an open browser cannot change the access to its owner's account. allauth keeps a
    sent form meanwhile and then continues it.
    """

    @wraps(view)
    def asked_again(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> Answer:
        if not ways.fresh(request):
            raise ReauthenticationRequired
        return view(request, *args, **kwargs)

    return asked_again

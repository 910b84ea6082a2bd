"""Restrictions of guests."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.utils.translation import gettext as _

from people import services as people_services


def refuse_guest(request: HttpRequest) -> None:
    """Raise `PermissionDenied` for guests, who may only play alone."""
    if people_services.is_guest(request.user):
        raise PermissionDenied(
            _("Guests can only play alone. Create an account first: you keep what you have played.")
        )

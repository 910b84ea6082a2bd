"""What guests may not do."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.utils.translation import gettext as _

from people import services as people_services


def refuse_guest(request: HttpRequest) -> None:
    """Refuse guests, who only play alone.

    Raises:
        PermissionDenied: The user is a guest.
    """
    if people_services.is_guest(request.user):
        raise PermissionDenied(
            _("A guest plays alone. Make an account first: what you have goes with you.")
        )

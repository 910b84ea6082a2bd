from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone


def site(request: HttpRequest) -> dict[str, Any]:
    """What every page may ask: is this a demonstration, in which zone do times stand."""
    return {"demonstration": settings.TABULA_DEMO, "zone": timezone.get_current_timezone_name()}

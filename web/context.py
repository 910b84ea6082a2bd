from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone

from campaign import selectors
from games.registry import TITLES, word

MOST = 100


def guest_has(request: HttpRequest) -> str:
    """What goes with a guest who makes an account; empty where nobody is one."""
    guest = getattr(request, "guest", None)
    if guest is None:
        return ""
    held = [campaign for campaign in selectors.mine(guest)[:MOST] if campaign.title in TITLES]
    if len(held) != 1:
        return f"Your {len(held)} campaigns go with you." if held else ""
    (one,) = held
    turn, what = word(one.title, "turn"), word(one.title, "campaign")
    length = f" of {one.turn} {turn}{'' if one.turn == 1 else 's'}" if one.turn else ""
    return f"Your {what}{length} goes with you."


def site(request: HttpRequest) -> dict[str, Any]:
    """What every page may ask: is this a demonstration, in which zone do times stand."""
    return {"demonstration": settings.TABULA_DEMO, "zone": timezone.get_current_timezone_name(),
            "guest_has": lambda: guest_has(request)}  # fmt: skip

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

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
        return _("Your %(n)d campaigns go with you.") % {"n": len(held)} if held else ""
    (one,) = held
    named = {"what": word(one.title, "campaign"), "n": one.turn, "turns": word(one.title, "turn" if one.turn == 1 else "turns")}
    if not one.turn:
        return _("Your %(what)s goes with you.") % named
    return _("Your %(what)s of %(n)d %(turns)s goes with you.") % named


def site(request: HttpRequest) -> dict[str, Any]:
    """What every page may ask: is this a demonstration, in which zone do times stand."""
    return {"demonstration": settings.TABULA_DEMO, "version": settings.VERSION, "zone": timezone.get_current_timezone_name(),
            "guest_has": lambda: guest_has(request)}  # fmt: skip

"""The bell in the bar: how many notices are new; those of the page that is read are new no longer."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from campaign.log import selectors
from games.registry import TITLES, word
from moderation import selectors as moderation
from notices import selectors as notices_selectors
from notices import services
from notices.selectors import News
from web.shell.requests import noted, page_or_table

MOST = 100


def guest_has(request: HttpRequest) -> str:
    """What goes with a guest who makes an account; empty where nobody is one."""
    guest = noted(request).guest
    if guest is None:
        return ""
    held = [campaign for campaign in selectors.campaigns_of_user(guest)[:MOST] if campaign.title in TITLES]
    if len(held) != 1:
        return _("Your %(n)d campaigns go with you.") % {"n": len(held)} if held else ""
    (one,) = held
    named = {"what": word(one.title, "campaign"), "n": one.turn, "turns": word(one.title, "turn" if one.turn == 1 else "turns")}
    if not one.turn:
        return _("Your %(what)s goes with you.") % named
    return _("Your %(what)s of %(n)d %(turns)s goes with you.") % named


def reports_waiting(request: HttpRequest) -> int | None:
    """For a moderator of the site, how many texts wait to be looked at; None for everybody else, who is asked nothing."""
    user = getattr(request, "user", None)
    if user is None or not moderation.is_moderator(user):
        return None
    return moderation.waiting().values("kind", "ref").distinct().order_by().count()


def site(request: HttpRequest) -> dict[str, Any]:
    """What every page may ask: is this a demonstration, in which zone do times stand."""
    return {"demonstration": settings.TABULA_DEMO, "version": settings.VERSION, "zone": timezone.get_current_timezone_name(),
            "passkey_places": settings.PASSKEY_ORIGINS, "sign_up": settings.SIGN_UP, "contact": settings.CONTACT,
            "reports_waiting": lambda: reports_waiting(request), "guest_has": lambda: guest_has(request)}  # fmt: skip


"""More are not looked at for one page: the bell says 99+."""


def news(request: HttpRequest) -> list[News]:
    """The reader's unread notices, asked for once a request."""
    notes = noted(request)
    if notes.news is None:
        notes.news = notices_selectors.news(request.user, MOST) if request.user.is_authenticated else []
    return notes.news


def mark_page_read(request: HttpRequest) -> None:
    """Marks as read what leads to the page that is shown now. A part fetched in the background shows no page."""
    if request.method != "GET" or getattr(request, "htmx", False) or noted(request).looked:
        return
    noted(request).looked = True
    match = request.resolver_match
    if match is None or "ref" not in match.kwargs:
        return
    page = (match.url_name, *(given for key, given in match.kwargs.items() if key != "ref"))
    begun = [one for one in news(request) if match.kwargs["ref"].startswith(one.public_id)]
    here = [one for one in begun if page in (page_or_table(one.title, one.page), ("entry", one.number))]
    if here:
        services.mark_read(request.user, notices=[one.pk for one in here])
        noted(request).news = [one for one in news(request) if one not in here]


def count(request: HttpRequest) -> str:
    """What the bell says: nothing, a number, 99+."""
    new = len(news(request))
    return "99+" if new > 99 else str(new or "")


def bell(request: HttpRequest) -> dict[str, Any]:
    """For every page: asked only where the bar is drawn."""
    return {"bell": lambda: count(request)}

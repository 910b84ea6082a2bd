"""The game master's dice thrown elsewhere: the mode, the dice an announcement waits for, one known beforehand."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaign import hand, positions, services
from campaign.errors import NotNow, Refused
from engine.strict_json import whole
from games import registry
from web import own
from web.titles.talk import capital
from web.views.common import GAME_MASTER, TableContext, campaign_page, see_other

MOST = 40
"""Dice entered at once."""


def parked(table: TableContext) -> dict[str, Any] | None:
    """The announcement that waits for a die, as every page of the campaign says it; None where none waits."""
    waits = hand.awaited(table.campaign)
    if waits is None:
        return None
    seat = str(waits.move.get("for", waits.move["by"]))
    text = table.title.move_line(table.scenario, waits.move)
    return {
        "text": capital(text) if seat == GAME_MASTER else f"{capital(table.name_of(seat))}: {text}",
        "move": waits.move, "purpose": waits.purpose, "mine": seat in table.own_seats or table.game_master, "seat": seat,
        "url": f"{table.url('dice')}#h-hand",
    }  # fmt: skip


def sheet(table: TableContext) -> dict[str, Any] | None:
    """What the dice page asks of who enters dice, or of who may take a parked announcement back; the others are told of the mode
    while it is on. None where nothing is to be said."""
    waits = parked(table)
    master = table.game_master and not table.finished and not table.campaign.archived
    if not master and not (waits and waits["mine"]):
        return {"on": True} if table.campaign.by_hand and not table.finished else None
    can = table.campaign.by_hand or not (
        table.campaign.title in registry.PAGES or table.title.hides(positions.options(table.campaign))
    )
    if master and not can and waits is None:
        return None
    dice = hand.ahead(table.campaign, table.position) if waits else []
    concerned = (own.of_seat(table, waits["seat"]) or own.of_move(table, waits["move"])) if waits and master else None
    ahead = own.always(table) if master else None
    return {
        "parked": waits,
        "own": concerned,
        "ahead": ahead,
        "master": master,
        "dice": dice[:MOST],
        "on": table.campaign.by_hand,
    }


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def by_hand(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """POST does what `do` says: `on`, `off`, `give` the dice waited for, `ahead` one, `drop`; a GET leads to the dice page."""
    back = f"{table.url('dice')}#h-hand"
    if request.method != "POST":
        return redirect(back)
    campaign, user, posted = table.campaign, table.user, request.POST
    try:
        match posted.get("do", ""):
            case "on" | "off" as how:
                services.throw_by(campaign, user, how == "on")
                messages.success(
                    request, _("From now on dice are entered by hand.") if how == "on" else _("The program throws again.")
                )
            case "give":
                values = _values(posted)
                made = services.give_dice(campaign, user, values, posted.get("url", ""))
                moved = any(entry.is_move for entry in made)
                messages.success(request, _("The dice are entered and the move is made.") if moved else _("The die is entered."))
            case "ahead":
                value = whole(posted.get("value", ""))
                services.give_die(
                    campaign, user, posted.get("purpose", ""), -1 if value is None else value, posted.get("url", "")
                )
                messages.success(request, _("The die is entered."))
            case "drop":
                services.drop(campaign, user, posted.get("reason", ""))
                messages.success(request, _("The announcement is taken back."))
    except (Refused, NotNow) as error:
        messages.error(request, str(error))
    return see_other(back)


def _values(posted: Any) -> dict[str, object]:
    """The dice that were filled in, by purpose; nonsense is a value off every die."""
    found: dict[str, object] = {}
    for key, text in list(posted.items())[: 2 * MOST]:
        if key.startswith("die:") and text.strip():
            value = whole(text.strip())
            found[key.removeprefix("die:")] = -1 if value is None else value
    return found

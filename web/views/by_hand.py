"""The game master's dice thrown elsewhere: the mode, the dice an announcement waits for, one known beforehand."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaign import services
from campaign.errors import NotNow, Refused
from engine.strict_json import whole
from web.by_hand import MOST
from web.views import dice
from web.views.common import TableContext, campaign_page, see_other


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def by_hand(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """POST does what `do` says: `on`, `off`, `give` the dice waited for, `ahead` one, `drop`; a GET leads to the dice page.
    What was refused stands in the form still."""
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
        return dice.page(request, table, posted.dict(), str(error))
    return see_other(back)


def _values(posted: Any) -> dict[str, object]:
    """The dice that were filled in, by purpose; nonsense is a value off every die."""
    found: dict[str, object] = {}
    for key, text in list(posted.items())[: 2 * MOST]:
        if key.startswith("die:") and text.strip():
            value = whole(text.strip())
            found[key.removeprefix("die:")] = -1 if value is None else value
    return found

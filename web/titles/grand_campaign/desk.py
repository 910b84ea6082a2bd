"""What opening a turn of the Grand Campaign will do, for the game master's button (1.2, 1.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from engine.language import sentence
from games.grand_campaign.text.words import nation_name

if TYPE_CHECKING:
    from web.shell.campaign_page import TableContext


def opening(table: TableContext) -> list[tuple[str, str]]:
    """Sentences with their rules: what the start or the next turn throws and opens."""
    position, scenario = table.position, table.scenario
    standing = [key for key in scenario.order if not position.nations[key].fallen]
    if position.phase == "setup":
        count = len(scenario.order)
        return [
            (sentence(_("A d{n} picks who opens turn 1."), n=count), "1.2"),
            (sentence(_("{n} cards are drawn, d{die} each."), n=count, die=position.rules.die), "1.3"),
            (_("From then on scenario, options and seed stand."), ""),
        ]
    turn = position.turn + 1
    told = [(sentence(_("{n} cards are drawn, d{die} each."), n=len(standing), die=position.rules.die), "1.3")]
    if turn in position.rules.event_turns:
        told.append((sentence(_("{n} random events are rolled."), n=len(standing)), "1.3"))
    told.append((sentence(_("The slot of the {nation} opens."), nation=nation_name(scenario, _opener(table, turn))), "1.2"))
    if not position.options.hidden:
        told.append((sentence(_("Link {n} of the dice is published."), n=position.turn), ""))
    return told


def _opener(table: TableContext, turn: int) -> str:
    """Who opens this turn: by the rotation, fallen nations passed over (1.2)."""
    keys, position = list(table.scenario.order), table.position
    place = (position.opener + turn - 2) % len(keys)
    return next(key for key in keys[place:] + keys[:place] if not position.nations[key].fallen)

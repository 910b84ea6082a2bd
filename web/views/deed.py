"""A move made on the battle page or at the desk: looked at, then said; refused or overtaken, it comes back as typed."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.contrib import messages
from django.utils.translation import gettext as _

from campaign import selectors, services
from campaign.errors import TableError, TableMovedOn
from engine.effects import Effect
from engine.errors import IllegalMove
from engine.title import Branch
from web.follow import Follow, follow
from web.moves import look
from web.own import Own
from web.titles.talk import Talk, talk
from web.views.common import TableContext
from web.views.lines import Row, rows
from web.views.seen import seen_number

MOVED_ON, REFUSED = 409, 422


@dataclass
class Deed:
    """A move on its way: what follows from it and why it is asked twice, or what stands in its way."""

    raw: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    follow: Follow | None = None
    asks: str = ""
    wrong: str = ""
    rule: str = ""
    since: list[Row] = dataclasses.field(default_factory=list)
    overtaken: bool = False
    looked: bool = False
    done: bool = False
    parked: bool = False
    """It waits for a die (`campaign.hand`)."""
    effects: tuple[Effect, ...] = ()
    own: Own | None = None
    """What is said where it concerns the game master's own seat."""
    field: str = ""
    """The field that is wrong; empty: the whole."""

    @property
    def status(self) -> int:
        return MOVED_ON if self.overtaken else REFUSED if self.wrong and not self.looked else 200


def speaker(table: TableContext) -> Talk:
    """The title's words for this campaign's position."""
    return talk(table.title, table.scenario, table.position)


def consider(table: TableContext, raw: Mapping[str, Any]) -> Deed:
    """What would follow, nothing done."""
    talk = speaker(table)
    try:
        made, asks = look(talk, raw, table.access.sees)
        ways = in_parts(table, raw)
    except IllegalMove as refusal:
        return Deed(raw, wrong=table.why_not(refusal), rule=refusal.rule)
    if ways is not None:
        made = follow(talk, ways, sees=table.access.sees, first=str(raw.get("for", raw["by"])))
    return Deed(raw, made, asks)


def in_parts(table: TableContext, raw: Mapping[str, Any]) -> list[Branch] | None:
    """The branches of a move that makes two entries, those in which the first leaves nothing for the second shown as
    what the first does: its dice stand. None for every other move."""
    title, position = table.title, table.position
    move = title.decode(dict(raw), position)
    parts = title.expand(position, move)
    if len(parts) < 2:
        return None
    whole = list(title.branches(position, move))
    firsts = list(title.branches(position, title.decode(dict(parts[0]), position)))
    for place, branch in enumerate(whole):
        if branch.after is position:
            own = next((first for first in reversed(firsts) if first.chance == branch.chance), None)
            if own is not None:
                firsts.remove(own)
                whole[place] = own
    return whole


def say(table: TableContext, raw: Mapping[str, Any], posted: Mapping[str, Any]) -> Deed:
    """Make the move. What became of it is told where the reader goes next, or in the deed where it was refused."""
    before = table.seen
    deed = attempt(table, partial(services.play, table.campaign, table.user, dict(raw)), posted)
    deed.raw = raw
    if deed.done:
        effects = [effect for effect in deed.effects if table.access.sees(effect.audience)]
        waits = _("Announced. It waits for a die that is thrown elsewhere.")
        messages.success(table.request, waits if deed.parked else speaker(table).moved(raw, effects))
    elif selectors.seen(table.campaign, table.user) > before and not deed.overtaken:
        # The die of an earlier part has fallen and stands; the rest of the move found nothing left to do.
        messages.warning(table.request, deed.wrong)
        deed.done = True
    return deed


def attempt(table: TableContext, act: Any, posted: Mapping[str, Any]) -> Deed:
    """Call `act(seen=…)` of the table's services; its refusals as a deed."""
    try:
        result = act(seen=seen_number(posted.get("seen", "")))
    except IllegalMove as refusal:
        return Deed(wrong=refusal.sentence, rule=refusal.rule)
    except TableMovedOn as moved:
        lines = selectors.lines(table.campaign, table.user, moved.entries)
        return Deed(wrong=str(moved), since=rows(table, lines), overtaken=True)
    except TableError as refusal:
        if refusal.status in (403, 404):
            raise
        return Deed(wrong=str(refusal), field="reason" if refusal.code == "no-reason" else "")
    if not isinstance(result, services.Result):
        return Deed(done=True)
    return Deed(done=True, effects=result.effects, parked=not result.entries[-1].is_move)

"""A move made on the battle page or at the desk: looked at, then said; refused or overtaken, it
comes back as typed.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from django.contrib import messages
from django.utils.translation import gettext as _

from campaign import review, services
from campaign.errors import TableError, TableMovedOn
from campaign.log import selectors
from campaign.models import LogEntry, Membership
from engine.effects import Effect
from engine.errors import IllegalMove
from games.contract.title import Branch
from web.frame import page_cache
from web.frame.campaign_page import TableContext
from web.frame.requests import seen_number
from web.log.lines import Row, rows
from web.play.forms import preview_move
from web.play.move_preview import Follow, outcome_columns
from web.titles.talk import Talk, talk

if TYPE_CHECKING:
    from web.frame.campaign_page import TableContext

MOVED_ON, REFUSED = 409, 422


@dataclass
class Deed:
    """A move on its way: what follows from it and why it is asked twice, or what stands in
    its way.
    """

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
    """It waits for a die (`campaign.dice.selectors`)."""
    effects: tuple[Effect, ...] = ()
    own: Own | None = None
    """What is said where it concerns the game master's own seat."""
    field: str = ""
    """The field that is wrong; empty: the whole."""
    seen: int | None = None
    """The reader's last entry right after the move."""

    @property
    def status(self) -> int:
        return MOVED_ON if self.overtaken else REFUSED if self.wrong and not self.looked else 200


def speaker(table: TableContext, position: Any = None) -> Talk:
    """Return the title's words for this campaign's position, or for another position."""
    return talk(table.title, table.scenario, table.position if position is None else position)


def consider(table: TableContext, raw: Mapping[str, Any], position: Any = None) -> Deed:
    """Foresee a move on the current position, or on another `position`, without doing it."""
    talk = speaker(table, position)
    try:
        follow, asks = preview_move(talk, raw, table.access.sees)
        ways = in_parts(table, raw, position)
    except IllegalMove as refusal:
        return Deed(raw, wrong=table.why_not(refusal), rule=refusal.rule)
    if ways is not None:
        follow = outcome_columns(
            talk, ways, sees=table.access.sees, first=str(raw.get("for", raw["by"]))
        )
    return Deed(raw, follow, asks)


def in_parts(
    table: TableContext, raw: Mapping[str, Any], position: Any = None
) -> list[Branch] | None:
    """The branches of a move that makes two entries, those in which the first leaves nothing for
    the second shown as what the first does: its dice stand. None for every other move.
    """
    title, position = table.title, table.position if position is None else position
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


def make_move(table: TableContext, raw: Mapping[str, Any], posted: Mapping[str, Any]) -> Deed:
    """Make the move. What became of it is told where the reader goes next, or in the deed where it
    was refused.
    """
    before = table.seen
    deed = attempt(table, partial(services.play, table.campaign, table.user, dict(raw)), posted)
    deed.raw = raw
    if deed.done:
        effects = [effect for effect in deed.effects if table.access.sees(effect.audience)]
        waits = _("Announced. It waits for a die that is thrown elsewhere.")
        messages.success(
            table.request, waits if deed.parked else speaker(table).moved(raw, effects)
        )
    elif selectors.seen(table.campaign, table.user) > before and not deed.overtaken:
        # The die of an earlier part has fallen and stands; the rest of the move found nothing left
        # to do.
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
    return Deed(
        done=True,
        effects=result.effects,
        parked=not result.entries[-1].is_move,
        seen=selectors.seen_after(result.campaign, table.access),
    )


# What a game master who plays is told before they act for their own seat: who is asked to
# countersign it.


class Own(NamedTuple):
    """The seats of theirs that an act concerns, and who may countersign it, by name; `named` where
    these are asked by name, and not as the players that there are. `left` are the names of those
    seats that they gave up, but not long ago.
    """

    seats: list[tuple[str, str]]
    asked: list[str]
    named: bool
    left: list[str]

    @property
    def text(self) -> str:
        """Whom it asks, in a sentence."""
        who = {"names": ", ".join(self.asked)}
        if not self.asked:
            return _("Nobody here may countersign it: it is marked “not countersigned”.")
        if self.named:
            return (
                _(
                    "It is valid at once, and marked “not countersigned” until one of these has"
                    " looked at it: %(names)s."
                )
                % who
            )
        return (
            _(
                "It is valid at once, and marked “not countersigned” until another player has"
                " looked at it: %(names)s."
            )
            % who
        )


def seats(table: TableContext) -> frozenset[str]:
    """The seats of a game master who plays with others; empty for everybody else."""
    if not table.host:
        return frozenset()
    user = table.user
    seats_held: frozenset[str] = page_cache.of_log(
        table, ("own", user.pk), lambda: review.own_seats(table.campaign, user, table.access)
    )
    return seats_held


def self_dealing_note(table: TableContext, touched: Iterable[str]) -> Own | None:
    """What is said of these seats of theirs; None where there is none."""
    keys = sorted(touched)
    if not keys:
        return None
    members = review.seats_to_countersign(table.places, table.user.pk, keys)
    named = any(one.role != Membership.Role.SEAT for one in members)
    left = [table.name_of(key) for key in keys if key not in table.access.seats]
    return Own(
        [(key, table.name_of(key)) for key in keys],
        sorted(one.user.username for one in members),
        named,
        left,
    )


def always(table: TableContext) -> Own | None:
    """Of an act that concerns every seat."""
    return self_dealing_note(table, seats(table))


def of_seat(table: TableContext, *keys: str) -> Own | None:
    return self_dealing_note(table, seats(table) & set(keys))


def of_contest(table: TableContext, number: int) -> Own | None:
    mine = seats(table)
    return (
        self_dealing_note(table, review.of_contest(table.campaign, number, mine, table.position))
        if mine
        else None
    )


def of_struck(table: TableContext, entries: Iterable[LogEntry]) -> Own | None:
    mine = seats(table)
    return self_dealing_note(table, review.of_struck(entries, mine)) if mine else None


def of_move(table: TableContext, raw: Mapping[str, Any]) -> Own | None:
    """Of a move that is not made yet; None also where the rules forbid it, which they say
    themselves.
    """
    mine = seats(table)
    if not mine:
        return None
    try:
        move = table.title.decode(dict(raw), table.position)
        branches = table.title.branches(table.position, move)
        return self_dealing_note(
            table,
            review.of_branches(table.campaign, move.to_json(), branches, mine, table.position),
        )
    except IllegalMove:
        return None

"""Moves and acts of a page's reader: previewed first, then made or refused."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from django.contrib import messages
from django.utils.translation import gettext as _

from campaign import services
from campaign.errors import TableError, TableMovedOn
from campaign.log import selectors
from campaign.models import Campaign
from engine.effects import Effect
from engine.errors import IllegalMove
from games.contract.move_words import MoveWords
from games.contract.plain import Position
from games.contract.title import Branch
from games.kit.move_words import move_words
from web.frame.requests import seen_number
from web.frame.table import TableContext
from web.log.lines import LogRow, rows
from web.moves.own_seats import OwnSeats
from web.moves.preview import Follow, mover, outcome_columns, preview_move

FORBIDDEN, NOT_FOUND, MOVED_ON, REFUSED = 403, 404, 409, 422


@dataclass
class ActionOutcome:
    """The outcome of a move or act: its preview, its refusal, or its result."""

    raw: Mapping[str, object] = dataclasses.field(default_factory=dict)
    follow: Follow | None = None
    asks: str = ""
    """The reason why the move needs a confirmation."""
    wrong: str = ""
    rule: str = ""
    since: list[LogRow] = dataclasses.field(default_factory=list)
    """The log entries that were made since the page was shown."""
    overtaken: bool = False
    looked: bool = False
    """Whether the reader only asked for the consequences."""
    done: bool = False
    parked: bool = False
    """Whether the move waits for a die (`campaign.dice.selectors`)."""
    effects: tuple[Effect, ...] = ()
    own: OwnSeats | None = None
    """The note that the move concerns the game master's own seat."""
    field: str = ""
    """The field that is wrong; empty if the refusal concerns the whole form."""
    seen: int | None = None
    """The reader's last entry directly after the move."""

    @property
    def status(self) -> int:
        """Return the HTTP status of the page that shows the outcome."""
        if self.overtaken:
            return MOVED_ON
        return REFUSED if self.wrong and not self.looked else 200


def move_words_of(table: TableContext, position: Position = None) -> MoveWords:
    """Return the title's words for the campaign's position, or for another position."""
    return move_words(table.title, table.scenario, table.position if position is None else position)


def preview_action(
    table: TableContext, raw: Mapping[str, object], position: Position = None
) -> ActionOutcome:
    """Preview a move on the campaign's position, or on another `position`, without making it."""
    words = move_words_of(table, position)
    try:
        follow, asks = preview_move(words, raw, table.access.sees)
        ways = branches_of_two_entries(table, raw, position)
    except IllegalMove as refusal:
        return ActionOutcome(raw, wrong=table.why_not(refusal), rule=refusal.rule)
    if ways is not None:
        follow = outcome_columns(words, ways, sees=table.access.sees, first=mover(raw))
    return ActionOutcome(raw, follow, asks)


def branches_of_two_entries(
    table: TableContext, raw: Mapping[str, object], position: Position = None
) -> list[Branch] | None:
    """Return the branches of a move that makes two entries; None for every other move.

    Where the first entry leaves nothing for the second, the branch is that of the first entry
    alone, because its dice remain valid.
    """
    title, position = table.title, table.position if position is None else position
    move = title.decode(dict(raw), position)
    parts = title.expand(position, move)
    if len(parts) < 2:
        return None
    branches = list(title.branches(position, move))
    firsts = list(title.branches(position, title.decode(dict(parts[0]), position)))
    for place, branch in enumerate(branches):
        if branch.after is position:
            own = next((first for first in reversed(firsts) if first.chance == branch.chance), None)
            if own is not None:
                firsts.remove(own)
                branches[place] = own
    return branches


def make_move(
    table: TableContext, raw: Mapping[str, object], post_data: Mapping[str, str]
) -> ActionOutcome:
    """Make a move and leave a message with its effects; return the outcome."""
    before = table.seen
    outcome = attempt(
        table, partial(services.play, table.campaign, table.user, dict(raw)), post_data
    )
    outcome.raw = raw
    if outcome.done:
        effects = [effect for effect in outcome.effects if table.access.sees(effect.audience)]
        waits = _("Announced. The move is waiting for a die that is thrown elsewhere.")
        text = waits if outcome.parked else move_words_of(table).confirmation(raw, effects)
        messages.success(table.request, text)
    elif selectors.seen(table.campaign, table.user) > before and not outcome.overtaken:
        # The die of an earlier part was thrown and remains; the rest of the move had nothing to do.
        messages.warning(table.request, outcome.wrong)
        outcome.done = True
    return outcome


def attempt(
    table: TableContext, act: Callable[..., object], post_data: Mapping[str, str]
) -> ActionOutcome:
    """Call `act(seen=…)` of the campaign's services and return its result or refusal."""
    try:
        result = act(seen=seen_number(post_data.get("seen", "")))
    except IllegalMove as refusal:
        return ActionOutcome(wrong=refusal.sentence, rule=refusal.rule)
    except TableMovedOn as moved:
        if moved.again:  # The user has pressed the button twice.
            campaign = Campaign.objects.get(pk=table.campaign.pk)
            line = selectors.lines(campaign, table.user, moved.again)[-1]
            return ActionOutcome(done=True, effects=tuple(line.effects))
        lines = selectors.lines(table.campaign, table.user, moved.entries)
        return ActionOutcome(wrong=str(moved), since=rows(table, lines), overtaken=True)
    except TableError as refusal:
        if refusal.status in (FORBIDDEN, NOT_FOUND):
            raise
        return ActionOutcome(
            wrong=str(refusal), field="reason" if refusal.code == "no-reason" else ""
        )
    if not isinstance(result, services.Result):
        return ActionOutcome(done=True)
    return ActionOutcome(
        done=True,
        effects=result.effects,
        parked=not result.entries[-1].is_move,
        seen=selectors.seen_after(result.campaign, table.access),
    )

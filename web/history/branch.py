"""The page of a struck branch: its moves, its end, and the way to restore it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaign.log import history as log_history
from campaign.log.acts.registry import act_line
from campaign.log.history import StepBack, Trail, UndoAct
from people.models import User
from web.frame.table import TableContext
from web.history.earlier_table import table_as_of
from web.history.moment import Moment, Spot, moment
from web.history.player import Player, player
from web.history.position_diff import PositionDiff, compare


@dataclass(frozen=True, slots=True)
class RestoredBy:
    """The entry that restored the branch."""

    number: int | None
    url: str


@dataclass(frozen=True, slots=True)
class RestoreStep:
    """An act of the game master that is needed to restore the branch."""

    text: str
    url: str
    """The page on which the reader takes the step; empty if they may not do so now."""


@dataclass(frozen=True, slots=True)
class Restoring:
    """The way to restore the branch."""

    text: str
    steps: list[RestoreStep]
    """Acts that are needed one after the other; empty if a single act is enough."""
    rewind_url: str
    """The page where the game master restores the branch with a single act."""


@dataclass(frozen=True, slots=True)
class BranchPage:
    """A struck branch at a chosen stop."""

    number: int
    text: str
    person: User | None
    at: datetime
    moment: Moment
    player: Player
    restored: RestoredBy | None
    restoring: Restoring | None
    diff: PositionDiff
    struck: int
    """The number of the branch's public moves."""
    is_branch = True

    @property
    def heading(self) -> str:
        if self.restored is not None:
            return _("This branch was struck and is in force again")
        return _("A struck branch: nothing on this page is in force")


def branch_page(spot: Spot, turn: UndoAct, turns: dict[int, UndoAct]) -> BranchPage:
    """Return the page of the moves that an undo struck; `turns` are all undos and restorations."""
    table, road, act = spot.table, spot.road, turn.act
    assert act.number is not None
    restored = restored_by(table, turn, turns)
    return BranchPage(
        number=act.number,
        text=act_line(act.content, table.name_of(act.seat)),
        person=act.actor,
        at=act.at,
        moment=moment(spot, moving=False),
        player=player(spot),
        restored=restored,
        restoring=restoring(table, turn, turns) if restored is None else None,
        diff=compare(table, table_as_of(table, len(road.sequences), road)),
        struck=struck_moves(road, turn),
    )


def struck_moves(road: Trail, turn: UndoAct) -> int:
    return sum(stop.sequence in turn.moves for stop in road.stops)


def restored_by(table: TableContext, turn: UndoAct, turns: dict[int, UndoAct]) -> RestoredBy | None:
    """Return the entry that restored the branch; None if it is not in force."""
    by = turn.act.struck_by_id
    number = next((other.act.number for other in turns.values() if other.act.pk == by), None)
    if by is None or number is None:
        return None
    return RestoredBy(number, table.url("entry", number))


def restoring(table: TableContext, turn: UndoAct, turns: dict[int, UndoAct]) -> Restoring:
    """Return the acts that restore the branch, or the reason why it cannot be restored."""
    in_force = frozenset(log_history.trail(table.campaign).sequences)
    steps = log_history.way_back(turns, turn.act, in_force)
    if steps is None:
        text = _(
            "It cannot be restored as a whole, because some of what it depends on was restored or "
            "struck separately. Its moves stay readable here and can be announced again one by "
            "one; the dice are then the same."
        )
        return Restoring(text, [], "")
    if len(steps) == 1:
        text = _("No move has been played since. The game master can restore it, dice included.")
        return Restoring(text, [], step_url(table, steps[0]))
    lines = [
        RestoreStep(step_text(step), step_url(table, step) if place == 0 else "")
        for place, step in enumerate(steps)
    ]
    return Restoring(several_steps_text(len(in_force - turn.in_force)), lines, "")


def several_steps_text(since: int) -> str:
    """Return why several acts are needed; `since` is the number of moves played since the undo."""
    if since:
        why = ngettext(
            "%(n)s move has been played since and prevents it.",
            "%(n)s moves have been played since and prevent it.",
            since,
        ) % {"n": since}
    else:
        why = _("A later undo prevents this. What it struck must be restored first.")
    way_back = _(
        "The game master can do this in these steps. Each page first shows what it changes:"
    )
    return f"{why} {way_back}"


def step_text(step: StepBack) -> str:
    if step.restores:
        text = ngettext(
            "Restore what entry %(entry)s undid (%(n)s move)",
            "Restore what entry %(entry)s undid (%(n)s moves)",
            step.moves,
        )
    else:
        text = ngettext(
            "Undo to entry %(entry)s (%(n)s move)",
            "Undo to entry %(entry)s (%(n)s moves)",
            step.moves,
        )
    return text % {"entry": step.number, "n": step.moves}


def step_url(table: TableContext, step: StepBack) -> str:
    """Return the page on which the game master takes this step; empty for other readers."""
    if not table.game_master:
        return ""
    return f"{table.url('rewind')}?{'undo' if step.restores else 'entry'}={step.number}"

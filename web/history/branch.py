"""Build the page of a struck branch: its moves one by one, how it ended, how it comes back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaign.log import history as log_history
from campaign.log.acts.registry import act_line
from campaign.log.history import Step, Trail, Turn
from people.models import User
from web.frame.table import TableContext
from web.history.moment import Moment, Spot, moment
from web.history.past import as_of
from web.history.player import Player, player
from web.history.position_diff import PositionDiff, compare


@dataclass(frozen=True, slots=True)
class RestoredBy:
    """The entry that restored the branch."""

    number: int | None
    url: str


@dataclass(frozen=True, slots=True)
class RestoreStep:
    """An act of the game master on the way back to the branch."""

    text: str
    url: str
    """Empty if the reader may not do it now."""


@dataclass(frozen=True, slots=True)
class Restoring:
    """How the branch comes back."""

    text: str
    steps: list[RestoreStep]
    """Several acts, one after the other."""
    rewind_url: str
    """Where the game master restores it at once."""


@dataclass(frozen=True, slots=True)
class BranchPage:
    """A struck branch at one of its stops."""

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
    """The number of its moves that everyone sees."""
    is_branch = True

    @property
    def heading(self) -> str:
        if self.restored is not None:
            return _("A branch that was struck, and is in force again")
        return _("A struck branch: nothing on this page is in force")


def branch_page(spot: Spot, turn: Turn, turns: dict[int, Turn]) -> BranchPage:
    """Return the page of what an undo struck; `turns` are all undos and restorations."""
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
        diff=compare(table, as_of(table, len(road.sequences), road)),
        struck=struck_moves(road, turn),
    )


def struck_moves(road: Trail, turn: Turn) -> int:
    return sum(stop.sequence in turn.moves for stop in road.stops)


def restored_by(table: TableContext, turn: Turn, turns: dict[int, Turn]) -> RestoredBy | None:
    """Return the entry by which the branch is in force again."""
    by = turn.act.struck_by_id
    number = next((other.act.number for other in turns.values() if other.act.pk == by), None)
    if by is None or number is None:
        return None
    return RestoredBy(number, table.url("entry", number))


def restoring(table: TableContext, turn: Turn, turns: dict[int, Turn]) -> Restoring:
    """Return the acts that restore the branch, or why none can."""
    in_force = frozenset(log_history.trail(table.campaign).sequences)
    steps = log_history.way_back(turns, turn.act, in_force)
    if steps is None:
        text = _(
            "It cannot come back as a whole: some of what it depends on was restored or struck "
            "separately. Its moves stay readable here, and may be announced again one by one; the "
            "same dice then come again."
        )
        return Restoring(text, [], "")
    if len(steps) == 1:
        text = _(
            "No move was played since. The game master can put it in force again, with its dice."
        )
        return Restoring(text, [], step_url(table, steps[0]))
    lines = [
        RestoreStep(step_text(step), step_url(table, step) if place == 0 else "")
        for place, step in enumerate(steps)
    ]
    return Restoring(several_steps_text(len(in_force - turn.stands)), lines, "")


def several_steps_text(since: int) -> str:
    """Return why several acts are needed; `since` counts the moves played since."""
    if since:
        why = ngettext(
            "%(n)s move was played since and prevents it.",
            "%(n)s moves were played since and prevent it.",
            since,
        ) % {"n": since}
    else:
        why = _("A later undo prevents this: what it struck comes back first.")
    way_back = _(
        "The game master can do this, one after the other; each page shows first what it changes:"
    )
    return f"{why} {way_back}"


def step_text(step: Step) -> str:
    if step.restores:
        text = ngettext(
            "Restore what entry %(entry)s undid, %(n)s move",
            "Restore what entry %(entry)s undid, %(n)s moves",
            step.moves,
        )
    else:
        text = ngettext(
            "Undo to entry %(entry)s, %(n)s move",
            "Undo to entry %(entry)s, %(n)s moves",
            step.moves,
        )
    return text % {"entry": step.number, "n": step.moves}


def step_url(table: TableContext, step: Step) -> str:
    """Return the page on which the game master takes this step; empty for other readers."""
    if not table.game_master:
        return ""
    return f"{table.url('rewind')}?{'undo' if step.restores else 'entry'}={step.number}"

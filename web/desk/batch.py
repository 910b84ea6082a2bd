"""Foresee several results at a time: each on the position after the results before it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from campaign.models import GAME_MASTER
from engine.errors import IllegalMove
from engine.language import joined
from games.contract.plain import Position, RawMove
from games.contract.title import Branch
from web.frame.table import TableContext
from web.moves.deeds import consider, in_parts, speaker
from web.moves.preview import Follow, branches_of

MOST_STATES = 16
"""The number of positions that are carried on. Behind more of them no result is foreseen."""


@dataclass(frozen=True, slots=True)
class View:
    """The consequences of a result, or why it is not possible.

    `label` says how the dice of the results before it must fall; empty if they do not matter.
    """

    label: str
    follow: Follow | None
    wrong: str = ""


@dataclass(frozen=True, slots=True)
class Foreseen:
    """A result of the batch with its views; none if too many dice fall before it."""

    views: tuple[View, ...] = ()

    @property
    def follow(self) -> Follow | None:
        """Return the consequences in the first view in which the result is possible."""
        return next((view.follow for view in self.views if view.follow is not None), None)

    @property
    def wrong(self) -> str:
        """Return why the result is impossible in every view; empty if it is possible."""
        return self.views[0].wrong if self.views and self.follow is None else ""


@dataclass(frozen=True, slots=True)
class Batch:
    """The results in their order, and a sentence if the turn or the campaign ends with them."""

    results: tuple[Foreseen, ...]
    ends: str


class BattleResult(NamedTuple):
    """A result that is to be foreseen: the number of its battle, and the move that enters it."""

    number: int
    move: RawMove


class State(NamedTuple):
    """A position to which the results so far may lead, and how their dice fall for it."""

    dice: tuple[str, ...]
    position: Position


def foresee(table: TableContext, results: Iterable[BattleResult], position: Position) -> Batch:
    """Foresee results in this order, beginning at a position."""
    states = [State((), position)]
    foreseen: list[Foreseen] = []
    for result in results:
        if len(states) > MOST_STATES:
            foreseen.append(Foreseen())
            continue
        foreseen.append(Foreseen(views_of(table, result.move, states)))
        states = [after for state in states for after in states_after(table, result, state)]
    is_any_possible = any(result.follow for result in foreseen)
    is_end_foreseen = is_any_possible and len(states) <= MOST_STATES
    return Batch(tuple(foreseen), end_text(table, states) if is_end_foreseen else "")


def views_of(table: TableContext, move: RawMove, states: Sequence[State]) -> tuple[View, ...]:
    """Return the consequences in each state; states with equal consequences share a view."""
    views: list[View] = []
    labels: list[list[str]] = []
    """How the dice must fall, for each view."""
    for state in states:
        deed = consider(table, move, state.position)
        view, label = View("", deed.follow, deed.wrong), ", ".join(state.dice)
        if view in views:
            labels[views.index(view)].append(label)
        else:
            views.append(view)
            labels.append([label])
    if len(views) == 1:
        return (views[0],)
    return tuple(
        View(joined(_(" or "), dice), view.follow, view.wrong)
        for view, dice in zip(views, labels, strict=True)
    )


def states_after(table: TableContext, result: BattleResult, state: State) -> list[State]:
    """Return the states to which a result leads; the same state if the result is impossible."""
    words = speaker(table, state.position)
    try:
        branches = branches_after(table, result.move, state.position)
    except IllegalMove:
        return [state]
    if len(branches) == 1:
        return [State(state.dice, branches[0].after)]
    return [
        State((*state.dice, f"#{result.number}: {words.branch(branch)[0]}"), branch.after)
        for branch in branches
    ]


def branches_after(table: TableContext, move: RawMove, position: Position) -> Sequence[Branch]:
    """Return the ways in which a move may turn out. Raises `IllegalMove`."""
    return in_parts(table, move, position) or branches_of(speaker(table, position), move)


def end_text(table: TableContext, states: Sequence[State]) -> str:
    """Return a sentence if the turn or the campaign ends with the results."""
    campaign_ends = [bool(table.title.score(state.position)) for state in states]
    turn_ends = [is_turn_closed(table, state.position) for state in states]
    facts = {"number": table.campaign.turn}
    if all(campaign_ends):
        return _("When this is applied, the campaign ends.")
    if any(campaign_ends):
        return _("When this is applied, the campaign may end: the dice decide.")
    if all(turn_ends):
        return _("When this is applied, turn %(number)s ends.") % facts
    if any(turn_ends):
        return _("When this is applied, turn %(number)s may end: the dice decide.") % facts
    return ""


def is_turn_closed(table: TableContext, position: Position) -> bool:
    """Return whether the game master may open the next turn from this position."""
    offers = table.title.offers(position, GAME_MASTER)
    return any(offer.move == "open-turn" and offer.refusal is None for offer in offers)

"""Previews of several results at a time, each on the position after the results before it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from campaign.models import GAME_MASTER
from engine.errors import IllegalMove
from engine.language import join_with
from games.contract.plain import Position, RawMove
from games.contract.title import Branch
from web.frame.table import TableContext
from web.moves.actions import branches_of_two_entries, move_words_of, preview_action
from web.moves.preview import Follow, branches_of

MOST_STATES = 16
"""The largest number of possible positions; if there are more, further results have no preview."""


@dataclass(frozen=True, slots=True)
class View:
    """The consequences of a result, or why it is not possible.

    They can depend on the dice of earlier results in the batch: `label` says which dice this view
    assumes. It is empty if the dice make no difference.
    """

    label: str
    follow: Follow | None
    wrong: str = ""


@dataclass(frozen=True, slots=True)
class ResultPreview:
    """A result of the batch with its views; it has none if too many dice are thrown before it."""

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
    """The results in their order, and a sentence if they end the turn or the campaign."""

    results: tuple[ResultPreview, ...]
    ends: str


class BattleResult(NamedTuple):
    """A result to be previewed: the number of its battle, and the move that enters it."""

    number: int
    move: RawMove


class State(NamedTuple):
    """A position to which the results so far may lead, and the dice that lead to it."""

    dice: tuple[str, ...]
    position: Position


def foresee(table: TableContext, results: Iterable[BattleResult], position: Position) -> Batch:
    """Preview results in this order, beginning at a position."""
    states = [State((), position)]
    foreseen: list[ResultPreview] = []
    for result in results:
        if len(states) > MOST_STATES:
            foreseen.append(ResultPreview())
            continue
        foreseen.append(ResultPreview(views_of(table, result.move, states)))
        states = [after for state in states for after in states_after(table, result, state)]
    is_any_possible = any(result.follow for result in foreseen)
    is_end_foreseen = is_any_possible and len(states) <= MOST_STATES
    return Batch(tuple(foreseen), end_text(table, states) if is_end_foreseen else "")


def views_of(table: TableContext, move: RawMove, states: Sequence[State]) -> tuple[View, ...]:
    """Return the consequences in each state; states with equal consequences share a view."""
    views: list[View] = []
    # For each view, the dice that lead to it.
    labels: list[list[str]] = []
    for state in states:
        outcome = preview_action(table, move, state.position)
        view, label = View("", outcome.follow, outcome.wrong), ", ".join(state.dice)
        if view in views:
            labels[views.index(view)].append(label)
        else:
            views.append(view)
            labels.append([label])
    if len(views) == 1:
        return (views[0],)
    return tuple(
        View(join_with(_(" or "), dice), view.follow, view.wrong)
        for view, dice in zip(views, labels, strict=True)
    )


def states_after(table: TableContext, result: BattleResult, state: State) -> list[State]:
    """Return the states to which a result leads; only the same state if it is impossible."""
    words = move_words_of(table, state.position)
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
    """Return the possible outcomes of a move. Raise `IllegalMove` if it is refused."""
    return branches_of_two_entries(table, move, position) or branches_of(
        move_words_of(table, position), move
    )


def end_text(table: TableContext, states: Sequence[State]) -> str:
    """Return a sentence if the results end the turn or the campaign; otherwise empty."""
    campaign_ends = [bool(table.title.score(state.position)) for state in states]
    turn_ends = [is_turn_closed(table, state.position) for state in states]
    facts = {"number": table.campaign.turn}
    if all(campaign_ends):
        return _("Applying this ends the campaign.")
    if any(campaign_ends):
        return _("Applying this may end the campaign: the dice decide.")
    if all(turn_ends):
        return _("Applying this ends turn %(number)s.") % facts
    if any(turn_ends):
        return _("Applying this may end turn %(number)s: the dice decide.") % facts
    return ""


def is_turn_closed(table: TableContext, position: Position) -> bool:
    """Return whether the game master may open the next turn from this position."""
    offers = table.title.offers(position, GAME_MASTER)
    return any(offer.move == "open-turn" and offer.refusal is None for offer in offers)

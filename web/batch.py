"""Several results at a time: each is foreseen on the position after the results before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from campaign.models import GAME_MASTER
from engine.errors import IllegalMove
from engine.language import joined
from games.contract.title import Branch
from web.frame.campaign_page import TableContext
from web.moves.deeds import consider, in_parts
from web.moves.preview import Follow, branches_of
from web.titles.talk import talk

MOST = 16
"""The most positions that are carried on. Behind more of them no result is foreseen."""


class View(NamedTuple):
    """The consequences of a result, or why it is not possible.

    `label` says how the dice of the results before it must fall; empty if they do not matter.
    """

    label: str
    follow: Follow | None
    wrong: str = ""


class Foreseen(NamedTuple):
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


class Batch(NamedTuple):
    """The results in their order, and a sentence if the turn or the campaign ends with them."""

    results: tuple[Foreseen, ...]
    ends: str


class _State(NamedTuple):
    """A position to which the results so far may lead, and how their dice fall for it."""

    dice: tuple[str, ...]
    position: Any


def foresee(
    table: TableContext, raws: Sequence[tuple[int, Mapping[str, Any]]], start: Any = None
) -> Batch:
    """Foresee results, each with the number of its battle, in this order from `start` or now."""
    states = [_State((), table.position if start is None else start)]
    results: list[Foreseen] = []
    for number, raw in raws:
        if len(states) > MOST:
            results.append(Foreseen())
            continue
        results.append(Foreseen(_views(table, raw, states)))
        states = [after for state in states for after in _after(table, number, raw, state)]
    possible = any(result.follow for result in results)
    return Batch(tuple(results), _ends(table, states) if possible and len(states) <= MOST else "")


def _views(
    table: TableContext, raw: Mapping[str, Any], states: Sequence[_State]
) -> tuple[View, ...]:
    """Return the consequences in each state; states with equal consequences share a view."""
    known: list[tuple[Follow | None, str, list[str]]] = []
    for state in states:
        deed = consider(table, raw, state.position)
        label = ", ".join(state.dice)
        same = next((entry for entry in known if entry[:2] == (deed.follow, deed.wrong)), None)
        if same is None:
            known.append((deed.follow, deed.wrong, [label]))
        else:
            same[2].append(label)
    if len(known) == 1:
        return (View("", *known[0][:2]),)
    return tuple(View(joined(_(" or "), labels), follow, wrong) for follow, wrong, labels in known)


def _after(table: TableContext, number: int, raw: Mapping[str, Any], state: _State) -> list[_State]:
    """Return the states to which a result leads; the same state if the result is impossible."""
    speaker = talk(table.title, table.scenario, state.position)
    try:
        branches: Sequence[Branch] = in_parts(table, raw, state.position) or branches_of(
            speaker, raw
        )
    except IllegalMove:
        return [state]
    if len(branches) == 1:
        return [_State(state.dice, branches[0].after)]
    return [
        _State((*state.dice, f"#{number}: {speaker.branch(branch)[0]}"), branch.after)
        for branch in branches
    ]


def _ends(table: TableContext, states: Sequence[_State]) -> str:
    """Return a sentence if the turn or the campaign ends with the results."""
    campaign = [bool(table.title.score(state.position)) for state in states]
    turn = [_closed(table, state.position) for state in states]
    named = {"number": table.campaign.turn}
    if all(campaign):
        return _("When this is applied, the campaign ends.")
    if any(campaign):
        return _("When this is applied, the campaign may end: the dice decide.")
    if all(turn):
        return _("When this is applied, turn %(number)s ends.") % named
    if any(turn):
        return _("When this is applied, turn %(number)s may end: the dice decide.") % named
    return ""


def _closed(table: TableContext, position: Any) -> bool:
    """Return whether the game master may open the next turn from this position."""
    offers = table.title.offers(position, GAME_MASTER)
    return any(offer.move == "open-turn" and offer.refusal is None for offer in offers)

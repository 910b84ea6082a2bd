"""The preview of a plan: the consequences and costs of each move after those before it."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from campaign.plans import ForeseenMove, foresee_moves
from engine.language import capitalize, plain_name
from engine.strict_json import canonical
from games.contract.plain import Position
from games.contract.title import Offer
from web.frame.table import TableContext
from web.moves.forms import Arguments, FormRefusal, to_text
from web.moves.offers import OfferCard, SeatOffers
from web.moves.preview import Follow, confirmation_text, outcome_columns

HEAD = frozenset({"by", "for", "move"})
"""The keys of a move in record form that are not arguments."""
CERTAIN, DIE, REFUSED, BEYOND = "certain", "die", "refused", "beyond"
"""The states of a planned move. `BEYOND`: an earlier move stops the plan."""


@dataclass(frozen=True, slots=True)
class PlannedMove:
    """A move of a plan."""

    place: int
    ident: str
    name: str
    state: str
    content: Mapping[str, object]
    actor: SeatOffers | None = None
    """The offers at the position before the move; None if that is not reached."""
    follow: Follow | None = None
    asks: str = ""
    wrong: FormRefusal | None = None
    cost: int = 0
    left: str = ""
    offer: Offer | None = None
    """The offer whose form changes the move; None if it has nothing to choose."""
    card: OfferCard | None = None
    """The open form of the move."""

    @property
    def number(self) -> int:
        return self.place + 1

    @property
    def is_certain(self) -> bool:
        return self.state == CERTAIN

    @property
    def is_die(self) -> bool:
        return self.state == DIE

    @property
    def is_beyond(self) -> bool:
        return self.state == BEYOND

    @property
    def can_be_announced(self) -> bool:
        return self.state in (CERTAIN, DIE)

    @property
    def gain(self) -> int:
        """Return the amount that the move adds to the purse; 0 if the move costs something."""
        return max(-self.cost, 0)

    @property
    def shows_cost(self) -> bool:
        return self.is_certain and bool(self.left)

    @property
    def preview(self) -> Follow | None:
        """Return the consequences that the page shows; None if there is nothing to show."""
        if self.follow is None or self.card is not None:
            return None
        shown = self.follow.columns if self.is_die else self.follow.blocks
        return self.follow if shown or self.follow.chance is not None else None

    @property
    def preview_before_announcing(self) -> Follow | None:
        """Return the consequences to show before an announcement; None if there are none."""
        follow = self.follow
        if follow is None or not (follow.columns and (follow.blocks or follow.chance)):
            return None
        return follow

    @property
    def note(self) -> str:
        """Return why announcing the move will need a confirmation."""
        return self.asks if self.is_certain and self.card is None else ""

    @property
    def arguments(self) -> dict[str, object]:
        return {key: value for key, value in self.content.items() if key not in HEAD}

    @property
    def chosen_arguments(self) -> dict[str, object]:
        """Return the arguments that the fields of its form show."""
        given = self.offer.given if self.offer is not None else {}
        return {key: value for key, value in self.arguments.items() if key not in given}


class Sum(NamedTuple):
    """An account of the seat before the plan, and after the certain part of it."""

    label: str
    was: str
    now: str

    @property
    def stays(self) -> bool:
        return self.was == self.now


class ForeseenPlan:
    """The preview of a plan, from the position that the reader's page shows."""

    def __init__(self, actor: SeatOffers, moves: Sequence[dict[str, object]]) -> None:
        self.actor, self.table, self.seat = actor, actor.table, actor.seat
        foreseen = foresee_moves(self.table.title, self.table.position, moves)
        idents = idents_of(moves)
        self.moves = [
            planned_move(self.table, self.seat, place, ident, move)
            for place, (ident, move) in enumerate(zip(idents, foreseen, strict=True))
        ]
        certain = [move.after for move in foreseen if move.certain]
        self.end = certain[-1] if certain else self.table.position
        """The position after the certain part of the plan."""
        self.befores = [move.before for move in foreseen]

    @property
    def stop(self) -> PlannedMove | None:
        """Return the move that stops the plan because it is refused or throws a die."""
        return next((move for move in self.moves if move.state in (REFUSED, DIE)), None)

    @property
    def possible(self) -> int:
        """Return how many moves can be announced at once, including a move that throws a die."""
        return sum(move.can_be_announced for move in self.moves)

    def position_before(self, place: int) -> Position:
        """Return the position at which this move would be made.

        If the plan does not reach it, return the last certain position.
        """
        reached = place < len(self.befores) and self.befores[place] is not None
        return self.befores[place] if reached else self.end

    def sums(self) -> list[Sum]:
        """Return the purse, then every other account of the seat that changes."""
        words = self.actor.words
        before = self.table.title.rows(self.table.position).accounts
        after = self.table.title.rows(self.end).accounts
        first, others = list[Sum](), list[Sum]()
        for key, account in self.table.accounts_by_key.items():
            was, now = (
                words.amount(key, levels.get((self.seat, key), 0)) for levels in (before, after)
            )
            line = Sum(capitalize(account.label), was, now)
            if key == words.purse:
                first.append(line)
            elif was != now:
                others.append(line)
        return first + others


def idents_of(moves: Sequence[Mapping[str, object]]) -> list[str]:
    """Return ids of moves that do not depend on their order, to preserve the keyboard focus."""
    times: Counter[str] = Counter()
    idents = []
    for move in moves:
        name = hashlib.sha256(canonical(move).encode()).hexdigest()[:8]
        times[name] += 1
        idents.append(f"s-{name}-{times[name]}")
    return idents


def planned_move(
    table: TableContext, seat: str, place: int, ident: str, foreseen: ForeseenMove
) -> PlannedMove:
    """Return a move with the consequences that the reader may see."""
    content, name = foreseen.content, move_name(table, foreseen.content)
    if not foreseen.reached:
        return PlannedMove(place, ident, name, BEYOND, content)
    actor = SeatOffers(table, seat, foreseen.before)
    arguments = {key: value for key, value in content.items() if key not in HEAD}
    offer = fitting_offer(actor, arguments, str(content["move"]))
    if foreseen.refusal is not None:
        wrong = FormRefusal(table.why_not(foreseen.refusal), foreseen.refusal.rule)
        return PlannedMove(place, ident, name, REFUSED, content, actor, wrong=wrong, offer=offer)
    follow = outcome_columns(actor.words, foreseen.branches, sees=table.access.sees, first=seat)
    if actor.chances is not None:
        follow = replace(follow, chance=actor.chances.of_branches(content, foreseen.branches))
    cost, left = (0, "") if foreseen.die else cost_of(actor, foreseen)
    return PlannedMove(
        place=place,
        ident=ident,
        name=name,
        state=DIE if foreseen.die else CERTAIN,
        content=content,
        actor=actor,
        follow=follow,
        asks=confirmation_text(actor.words, content, foreseen.branches, follow),
        cost=cost,
        left=left,
        offer=offer,
    )


def cost_of(actor: SeatOffers, foreseen: ForeseenMove) -> tuple[int, str]:
    """Return the cost of a move and what remains in the purse; empty without a purse."""
    purse = actor.words.purse
    if purse not in actor.table.accounts_by_key:
        return 0, ""
    before, after = (
        actor.table.title.rows(position).accounts.get((actor.seat, purse), 0)
        for position in (foreseen.before, foreseen.after)
    )
    return before - after, actor.words.amount(purse, after)


def move_name(table: TableContext, move: Mapping[str, object]) -> str:
    """Return a move as a sentence; only its name if an argument of the sentence is missing."""
    try:
        return capitalize(table.title.planned_line(table.scenario, move))
    except (KeyError, TypeError, ValueError, AttributeError):
        return plain_name(str(move["move"]))


def fitting_offer(actor: SeatOffers, arguments: Arguments, move: str) -> Offer | None:
    """Return the offer whose form makes this move.

    If several do, prefer an offer that lists the values of the move.
    """
    fitting = [offer for offer in actor.offers if makes(offer, arguments, move)]
    listing = (offer for offer in fitting if lists(offer, arguments))
    return next(listing, fitting[0] if fitting else None)


def makes(offer: Offer, arguments: Arguments, move: str) -> bool:
    """Return whether the form of this offer can make the move."""
    fields = {field.key for field in offer.fields}
    is_given = all(arguments.get(key) == value for key, value in offer.given.items())
    return (
        offer.move == move
        and bool(fields)
        and is_given
        and set(arguments) <= fields | set(offer.given)
    )


def lists(offer: Offer, arguments: Arguments) -> bool:
    """Return whether all arguments are among the values that the offer lists."""
    for field in offer.fields:
        allowed = offer.values(field.key, arguments)
        if allowed is None or field.key not in arguments:
            continue
        if to_text(arguments[field.key]) not in {to_text(value) for value in allowed}:
            return False
    return True

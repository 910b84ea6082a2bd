"""A plan as its page shows it: what each move would do after those before it, what it costs, what is left."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from campaign.plans import Foreseen, foresee
from engine.log import canonical
from engine.title import Offer
from web.follow import Follow, follow
from web.moves import Card, Wrong, asks_twice, to_text
from web.titles.talk import capital, plain_name
from web.views.nation import Desk

HEAD = {"by", "for", "move"}
"""What every move has in record form beside its arguments."""


@dataclass
class Step:
    """A planned move. `state` is `certain`, `die`, `refused` or `beyond`: a move before it stops the plan."""

    at: int
    ident: str
    name: str
    state: str
    foreseen: Foreseen
    desk: Desk | None = None
    follow: Follow | None = None
    asks: str = ""
    wrong: Wrong | None = None
    cost: int = 0
    left: str = ""
    offer: Offer | None = None
    """What it is changed by; None where nothing about it can be chosen."""
    card: Card | None = None

    @property
    def number(self) -> int:
        return self.at + 1

    @property
    def gain(self) -> int:
        """What it adds to the purse, for a move that costs less than nothing."""
        return -self.cost

    @property
    def arguments(self) -> dict[str, Any]:
        return {key: value for key, value in self.foreseen.said.items() if key not in HEAD}


class Sum(NamedTuple):
    """An account of the seat before the plan and after what is certain of it."""

    label: str
    was: str
    now: str

    @property
    def stays(self) -> bool:
        return self.was == self.now


class Drawn:
    """The whole plan, foreseen from the position that the reader's page shows."""

    def __init__(self, desk: Desk, moves: Sequence[dict[str, Any]]) -> None:
        self.desk, self.table, self.seat = desk, desk.table, desk.seat
        self.times: Counter[str] = Counter()
        found = foresee(self.table.title, self.table.position, moves)
        self.steps = [self._step(at, one) for at, one in enumerate(found)]

    @property
    def stop(self) -> Step | None:
        """The move that the plan does not come beyond."""
        return next((step for step in self.steps if step.state in ("refused", "die")), None)

    @property
    def possible(self) -> int:
        """How many moves can be announced in one go, the one that throws a die among them."""
        return sum(step.state in ("certain", "die") for step in self.steps)

    @property
    def end(self) -> Any:
        """The position after all that is certain."""
        certain = [step for step in self.steps if step.state == "certain"]
        return certain[-1].foreseen.after if certain else self.table.position

    def sums(self) -> list[Sum]:
        """The purse, and every other account of the seat that changes."""
        made = []
        before, after = (self.table.title.rows(position).accounts for position in (self.table.position, self.end))
        for key, account in self.table.accounts.items():
            was, now = (self.desk.talk.amount(key, rows.get((self.seat, key), 0)) for rows in (before, after))
            if was != now or key == self.desk.talk.purse:
                made.append(Sum(capital(account.label), was, now))
        return sorted(made, key=lambda one: one.label != self._purse_label)

    @property
    def _purse_label(self) -> str:
        purse = self.table.accounts.get(self.desk.talk.purse)
        return capital(purse.label) if purse else ""

    def _step(self, at: int, one: Foreseen) -> Step:
        table = self.table
        ident = self._ident(one.said)
        name = self._name(one.said)
        if not one.reached:
            return Step(at, ident, name, "beyond", one)
        desk = Desk(table, self.seat, one.before)
        step = Step(at, ident, name, "certain", one, desk)
        step.offer = _offer(desk, step.arguments, str(one.said["move"]))
        if one.refusal is not None:
            step.state, step.wrong = "refused", Wrong(table.why_not(one.refusal), one.refusal.rule)
            return step
        step.follow = follow(desk.talk, one.branches, sees=table.access.sees, first=self.seat)
        crossed = _("Thresholds are crossed, as shown.") if step.follow.cascades else ""
        step.asks = asks_twice(desk.talk, one.said, one.branches, step.follow) or crossed
        if one.die:
            step.state = "die"
            return step
        purse = desk.talk.purse
        if purse in table.accounts:
            before, after = (table.title.rows(p).accounts.get((self.seat, purse), 0) for p in (one.before, one.after))
            step.cost, step.left = before - after, desk.talk.amount(purse, after)
        return step

    def _name(self, said: Mapping[str, Any]) -> str:
        """The move as a sentence; its name where the sentence wants what was not said."""
        try:
            return capital(self.table.title.move_line(self.table.scenario, said))
        except (KeyError, TypeError, ValueError, AttributeError):
            return plain_name(str(said["move"]))

    def _ident(self, said: Mapping[str, Any]) -> str:
        """The same for the same move wherever it stands, so that the keyboard's focus goes with it."""
        name = hashlib.sha256(canonical(said).encode()).hexdigest()[:8]
        self.times[name] += 1
        return f"s-{name}-{self.times[name]}"


def _offer(desk: Desk, arguments: Mapping[str, Any], move: str) -> Offer | None:
    """The offer whose form would make this move: of several the one that lists what was chosen."""
    fitting = []
    for offer in desk.offers:
        fields = {one.key for one in offer.fields}
        given = all(arguments.get(key) == value for key, value in offer.given.items())
        if offer.move == move and fields and given and set(arguments) <= fields | set(offer.given):
            fitting.append(offer)
    return next((offer for offer in fitting if _lists(offer, arguments)), fitting[0] if fitting else None)


def _lists(offer: Offer, arguments: Mapping[str, Any]) -> bool:
    """Are all these among the values that the offer lists?"""
    for one in offer.fields:
        allowed = offer.values(one.key, arguments)
        known = None if allowed is None else {to_text(value) for value in allowed}
        if known is not None and one.key in arguments and to_text(arguments[one.key]) not in known:
            return False
    return True

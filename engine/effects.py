"""What a move does, as values: whatever a page, a ledger or a report must tell is an effect."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

NOTHING: Mapping[str, Any] = {}


class Say(NamedTuple):
    """A sentence not yet spoken: an id of the title's words, the rule it cites, the facts it names
    by key.
    """

    id: str
    rule: str = ""
    facts: Mapping[str, Any] = NOTHING

    def to_json(self) -> list[Any]:
        return [self.id, self.rule, dict(self.facts)]


class Effect(NamedTuple):
    """One consequence of a move.

    `kind` is what changed: `account`, `holding`, `card`, `structure`, `attack`, `truce`, `turn`,
    `slot`, `seat`. `holder` is the seat it happened to; `subject` the account, place, card … within
    it; of an `attack` it is the number of the contest, in digits. On `account` effects `change` and
    `balance` are whole numbers in the account's own unit (half-actions for `actions`), and the
    effect is a ledger line as it stands. `audience` names the
    seats that may see it; None is everybody. The game master sees all.
    """

    kind: str
    holder: str | None
    subject: str
    cause: Say
    change: int = 0
    balance: int = 0
    facts: Mapping[str, Any] = NOTHING
    audience: tuple[str, ...] | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "holder": self.holder,
            "subject": self.subject,
            "cause": self.cause.to_json(),
            "change": self.change,
            "balance": self.balance,
            "facts": dict(self.facts),
            "audience": None if self.audience is None else list(self.audience),
        }

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Effect:
        audience = raw["audience"]
        return cls(
            raw["kind"],
            raw["holder"],
            raw["subject"],
            Say(*raw["cause"]),
            raw["change"],
            raw["balance"],
            raw["facts"],
            None if audience is None else tuple(audience),
        )

    def seen_by(self, seat: str | None) -> bool:
        """May this seat (`gm`, a seat, or None for a stranger) see it?"""
        return self.audience is None or seat == "gm" or seat in self.audience


class Roll(NamedTuple):
    """A thrown die: its purpose (unique in the campaign), sides, value, and the turn whose link it
    came from.
    """

    purpose: str
    sides: int
    value: int
    turn: int
    audience: tuple[str, ...] | None = None

    def seen_by(self, seat: str | None) -> bool:
        return self.audience is None or seat == "gm" or seat in self.audience

"""Effects and rolls: the consequences of a move, from which pages, ledgers and reports are made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

NOTHING: Mapping[str, Any] = {}


class Phrase(NamedTuple):
    """A sentence that is not rendered yet.

    `id` is a key of the title's texts, `rule` the paragraph that the sentence cites, `facts` the
    values for its placeholders.
    """

    id: str
    rule: str = ""
    facts: Mapping[str, Any] = NOTHING

    def to_json(self) -> list[Any]:
        """Return the sentence as a JSON list."""
        return [self.id, self.rule, dict(self.facts)]


class Effect(NamedTuple):
    """A consequence of a move.

    `kind` is what changed: `account`, `holding`, `card`, `structure`, `attack`, `truce`, `turn`,
    `slot`, `seat`. `holder` is the seat that it happened to, `subject` the account, place or card
    of that seat; for an `attack` it is the number of the contest, in digits. On `account` effects
    `change` and `balance` are whole numbers in the account's own unit (half-actions for `actions`),
    and the effect is a complete line of the ledger. `audience` names the seats that may see the
    effect; None means everyone. The game master sees all effects.
    """

    kind: str
    holder: str | None
    subject: str
    cause: Phrase
    change: int = 0
    balance: int = 0
    facts: Mapping[str, Any] = NOTHING
    audience: tuple[str, ...] | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the effect as a JSON object."""
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
        """Return the effect that `to_json` wrote."""
        audience = raw["audience"]
        return cls(
            raw["kind"],
            raw["holder"],
            raw["subject"],
            Phrase(*raw["cause"]),
            raw["change"],
            raw["balance"],
            raw["facts"],
            None if audience is None else tuple(audience),
        )

    def seen_by(self, seat: str | None) -> bool:
        """Return whether a reader may see it: `gm`, a seat, or None for an outsider."""
        return self.audience is None or seat == "gm" or seat in self.audience


class Roll(NamedTuple):
    """A thrown die: its purpose, sides and value, and the turn whose link it came from.

    A purpose is unique in a campaign.
    """

    purpose: str
    sides: int
    value: int
    turn: int
    audience: tuple[str, ...] | None = None

    def seen_by(self, seat: str | None) -> bool:
        """Return whether a reader may see it: `gm`, a seat, or None for an outsider."""
        return self.audience is None or seat == "gm" or seat in self.audience

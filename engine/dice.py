"""The only maker of chance: rolls by purpose from a hash chain that anybody can check (RECORD, Dice)."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping, Sequence

from engine.effects import Roll
from engine.errors import IllegalMove

SPAN = 2**64


def sha256(text: str) -> str:
    """SHA-256 of the text in UTF-8, as lower-case hex."""
    return hashlib.sha256(text.encode()).hexdigest()


def chain(seed: str, turns: int) -> list[str]:
    """Links 0 to `turns`: the last is the seed's hash, each earlier one the hash of the next."""
    links = [sha256(seed)]
    for _ in range(turns):
        links.append(sha256(links[-1]))
    return links[::-1]


def commitment(seed: str, turns: int) -> str:
    """What is published before the first die is thrown: the hash of link 0."""
    return sha256(chain(seed, turns)[0])


def draw(link: str, purpose: str, sides: int) -> int:
    """The value of one roll, 1 to `sides`: HMAC-SHA256 of "PURPOSE#ATTEMPT" under the link, without modulo bias."""
    attempt = 0
    while True:
        mac = hmac.digest(link.encode(), f"{purpose}#{attempt}".encode(), "sha256")
        x = int.from_bytes(mac[:8], "big")
        if x < SPAN - SPAN % sides:
            return x % sides + 1
        attempt += 1


class Dice:
    """The dice of one campaign. A value depends on the seed and the purpose alone, or is `fixed`.

    Without a seed the published `links` (link n serves the rolls of turn n) may serve; a roll that none of
    the three gives is refused with `no-dice`. `thrown` collects the rolls since it was last emptied.
    """

    def __init__(
        self,
        turns: int,
        *,
        seed: str | None = None,
        links: Sequence[str] = (),
        fixed: Mapping[str, int] | None = None,
    ) -> None:
        self.turns = turns
        self.seed = seed
        self.fixed: Mapping[str, int] = fixed if fixed is not None else {}
        self.thrown: list[Roll] = []
        self._links: Sequence[str] = links
        self._chain: Sequence[str] | None = None

    def roll(self, purpose: str, sides: int, turn: int, audience: tuple[str, ...] | None = None) -> int:
        """Throw a die of `sides` for the purpose, from the link of `turn`."""
        value = self.fixed.get(purpose)
        if value is None:
            value = draw(self._link(purpose, turn), purpose, sides)
        self.thrown.append(Roll(purpose, sides, value, turn, audience))
        return value

    def _link(self, purpose: str, turn: int) -> str:
        if self._chain is None:
            self._chain = self._links if self.seed is None else chain(self.seed, self.turns)
        if not 0 <= turn < len(self._chain):
            raise IllegalMove("no-dice", "", purpose=purpose)
        return self._chain[turn]

    def take(self) -> tuple[Roll, ...]:
        """The rolls thrown since the last call."""
        thrown = tuple(self.thrown)
        self.thrown.clear()
        return thrown

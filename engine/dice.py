"""Dice: rolls by purpose from a chain of hashes that anyone can check (RECORD, Dice)."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Container, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from engine.effects import Roll
from engine.errors import IllegalMove, MalformedRecord, RollsMissing

SPAN = 2**64
CHAINS = 64
"""The number of chains that are cached: making one of a thousand links takes half a millisecond."""


def sha256(text: str) -> str:
    """Return the SHA-256 of the text in UTF-8, as lower-case hex."""
    return hashlib.sha256(text.encode()).hexdigest()


@lru_cache(maxsize=CHAINS)
def _chain(seed: str, turns: int) -> tuple[str, ...]:
    links = [sha256(seed)]
    for _ in range(turns):
        links.append(sha256(links[-1]))
    return tuple(reversed(links))


def chain(seed: str, turns: int) -> list[str]:
    """Return links 0 to `turns` of the chain of a seed.

    The last link is the hash of the seed; each earlier link is the hash of the next one.
    """
    return list(_chain(seed, turns))


def commitment(seed: str, turns: int) -> str:
    """Return the hash of link 0, which is published before the first die is thrown."""
    return sha256(_chain(seed, turns)[0])


def mixed_key(link: str, mixture: str) -> str:
    """Return the key of the rolls of a mixed turn, which replaces the link (RECORD, Mixed dice).

    It is the SHA-256 of the link, a line feed and the mixture: the phrases and the draw of the turn
    as canonical JSON.
    """
    return sha256(f"{link}\n{mixture}")


class Renewal(NamedTuple):
    """New dice in the course of a campaign (RECORD, Renewed dice).

    It has the commitment of a new chain, the known links of that chain from link 0 on, and the
    purposes that are drawn from it instead of from the first chain.
    """

    commitment: str
    links: Sequence[str]
    purposes: tuple[str, ...] = ()
    mixed: Mapping[int, str] | None = None
    """The mixtures of the links of this chain, if they differ from those of the first chain: at the
    table, each chain is mixed anew.
    """


@lru_cache(maxsize=CHAINS)
def _keyed(link: str) -> hmac.HMAC:
    """Return an HMAC under the link that has read no data yet.

    All rolls of a turn share it; each works on a copy.
    """
    return hmac.new(link.encode(), digestmod="sha256")


def work_out_roll(link: str, purpose: str, sides: int) -> tuple[int, bytes, int]:
    """Return the attempt that gave a roll, its HMAC, and the number of the first eight bytes.

    The HMAC is the HMAC-SHA256 of "PURPOSE#ATTEMPT" under the link. Attempts whose number is in the
    incomplete last range of faces are skipped, because they would favour the low faces.
    """
    attempt = 0
    while True:
        keyed = _keyed(link).copy()
        keyed.update(f"{purpose}#{attempt}".encode())
        mac = keyed.digest()
        x = int.from_bytes(mac[:8], "big")
        if x < SPAN - SPAN % sides:
            return attempt, mac, x
        attempt += 1


def draw(link: str, purpose: str, sides: int) -> int:
    """Return the value of a roll, from 1 to `sides`, each with the same probability."""
    return work_out_roll(link, purpose, sides)[2] % sides + 1


class Dice:
    """The dice of a campaign.

    A value depends on the seed and the purpose only, or is `fixed`. Without a seed, the published
    `links` are used (link n for the rolls of turn n). A roll that neither seed, links nor `fixed`
    give is refused with `no-dice`. `fixed` has the value of a die by its purpose; several dice of
    one purpose are a list under it, or single values under `PURPOSE/1` and so on. If the dice are
    thrown elsewhere, `waits` is true: a roll that is not fixed raises `RollsMissing`. `thrown`
    collects the rolls since it was last emptied.

    A purpose that one of the `renewals` lists is drawn from the links of that renewal only; a
    renewal that lists a purpose of several dice has all of them. `mixed` gives the mixture of each
    mixed turn, see `mixed_key`. If `ready` is given, dice can be thrown only from the links of
    these turns: every other turn waits for its mixture (`no-dice`, sentence `not-mixed`).
    """

    def __init__(
        self,
        turns: int,
        *,
        seed: str | None = None,
        links: Sequence[str] = (),
        fixed: Mapping[str, int | Sequence[int]] | None = None,
        waits: bool = False,
        renewals: Sequence[Renewal] = (),
        mixed: Mapping[int, str] | None = None,
        ready: Container[int] | None = None,
    ) -> None:
        self.waits = waits
        self.turns = turns
        self.seed = seed
        self._lists: dict[str, int] = {}
        self.fixed: dict[str, int] = {}
        for purpose, value in (fixed or {}).items():
            if isinstance(value, int):
                self.fixed[purpose] = value
            else:
                self._lists[purpose] = len(value)
                self.fixed |= {f"{purpose}/{n}": number for n, number in enumerate(value, 1)}
        self.thrown: list[Roll] = []
        self._links: Sequence[str] = links
        self._chain: Sequence[str] | None = None
        self._renewed = {purpose: renewal for renewal in renewals for purpose in renewal.purposes}
        self._mixed = mixed or {}
        self._ready = ready

    def roll(
        self, purpose: str, sides: int, turn: int, audience: tuple[str, ...] | None = None
    ) -> int:
        """Throw a die of `sides` for the purpose, from the link of `turn`."""
        value = self.fixed.get(purpose)
        if value is None:
            if self.waits:
                raise RollsMissing((purpose,), sides)
            value = draw(self._key(purpose, turn), purpose, sides)
        self.thrown.append(Roll(purpose, sides, value, turn, audience))
        return value

    def roll_several(self, purpose: str, sides: int, count: int, turn: int) -> list[int]:
        """Throw `count` dice of `sides` for a purpose: die k is the roll `PURPOSE/k`.

        Raises:
            MalformedRecord: A fixed list has another length, a fixed value is not on the
                die, or a die is renewed twice: by itself and with all dice of its purpose.
        """
        if self._lists.get(purpose, count) != count:
            raise MalformedRecord(f"dice.fixed.{purpose}", "list-of", count=count)
        if self._renewed and (renewal := self._renewed.get(purpose)) is not None:
            for n in range(1, count + 1):
                if self._renewed.setdefault(f"{purpose}/{n}", renewal) is not renewal:
                    raise MalformedRecord(
                        "dice.renewals", "renewed-twice", purpose=f"{purpose}/{n}"
                    )
        return [self.roll_within(f"{purpose}/{n}", sides, turn) for n in range(1, count + 1)]

    def roll_within(self, purpose: str, sides: int, turn: int) -> int:
        """Throw a die as `roll` does, if its sides are known only in play.

        Raises:
            MalformedRecord: A fixed value is not on the die.
        """
        value = self.roll(purpose, sides, turn)
        if not 1 <= value <= sides:
            raise MalformedRecord(f"dice.fixed.{purpose}", "whole", least=1, most=sides)
        return value

    def _key(self, purpose: str, turn: int) -> str:
        """Return the key of the roll's HMAC: the link of its turn, mixed if the turn is mixed."""
        links, mixed = self._chain, self._mixed
        if links is None:
            links = self._chain = (
                self._links if self.seed is None else _chain(self.seed, self.turns)
            )
        if (renewal := self._renewed.get(purpose)) is not None:
            links, mixed = renewal.links, mixed if renewal.mixed is None else renewal.mixed
        if not 0 <= turn < len(links):
            raise IllegalMove("no-dice", "", purpose=purpose)
        if self._ready is not None and turn not in self._ready:
            raise IllegalMove("no-dice", "", "not-mixed", turn=turn)
        mixture = mixed.get(turn)
        return links[turn] if mixture is None else mixed_key(links[turn], mixture)

    def take_rolls(self) -> tuple[Roll, ...]:
        """Return the rolls thrown since the last call, and forget them."""
        thrown = tuple(self.thrown)
        self.thrown.clear()
        return thrown

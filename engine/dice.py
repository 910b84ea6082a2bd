"""The only maker of chance: rolls by purpose from a hash chain that anybody can check (RECORD,
Dice).
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Container, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from engine.effects import Roll
from engine.errors import Awaits, IllegalMove, MalformedRecord

SPAN = 2**64
CHAINS = 64
"""Chains remembered: one of a thousand links takes half a millisecond to make."""


def sha256(text: str) -> str:
    """SHA-256 of the text in UTF-8, as lower-case hex."""
    return hashlib.sha256(text.encode()).hexdigest()


@lru_cache(maxsize=CHAINS)
def _chain(seed: str, turns: int) -> tuple[str, ...]:
    links = [sha256(seed)]
    for _ in range(turns):
        links.append(sha256(links[-1]))
    return tuple(reversed(links))


def chain(seed: str, turns: int) -> list[str]:
    """Links 0 to `turns`: the last is the seed's hash, each earlier one the hash of the next."""
    return list(_chain(seed, turns))


def commitment(seed: str, turns: int) -> str:
    """What is published before the first die is thrown: the hash of link 0."""
    return sha256(_chain(seed, turns)[0])


def mixed_key(link: str, mixture: str) -> str:
    """What a roll of a mixed turn is worked with in place of the link: SHA-256 of the link, a line
    feed and the mixture, which is the turn's phrases and draw as canonical JSON (RECORD, Mixed
    dice).
    """
    return sha256(f"{link}\n{mixture}")


class Renewal(NamedTuple):
    """New dice in the course of a campaign (RECORD, Renewed dice): the commitment, the links that
    are known of the chain, from link 0 on, and the purposes that are drawn from it in place of the
    first chain.
    """

    commitment: str
    links: Sequence[str]
    purposes: tuple[str, ...] = ()
    mixed: Mapping[int, str] | None = None
    """The mixtures of its own links, where they differ from the first chain's: at the table, each
    chain is mixed anew.
    """


@lru_cache(maxsize=CHAINS)
def _keyed(link: str) -> hmac.HMAC:
    """An HMAC under the link that has read nothing yet: a turn's rolls share it, each with
    a copy.
    """
    return hmac.new(link.encode(), digestmod="sha256")


def worked(link: str, purpose: str, sides: int) -> tuple[int, bytes, int]:
    """How one roll comes about: the attempt that serves, HMAC-SHA256 of "PURPOSE#ATTEMPT" under the
    link, and the whole number of its first eight bytes. An attempt that would favour the low faces
    is passed over.
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
    """The value of one roll, 1 to `sides`, without modulo bias."""
    return worked(link, purpose, sides)[2] % sides + 1


class Dice:
    """The dice of one campaign. A value depends on the seed and the purpose alone, or is `fixed`.

    Without a seed the published `links` (link n serves the rolls of turn n) may serve; a roll that
    none of the three gives is refused with `no-dice`. `fixed` names one die by its purpose; several
    dice of one purpose as a list under it, or one by one under `PURPOSE/1` and so on. Where dice
    are thrown elsewhere it `waits`: a roll that is not fixed raises `Awaits`. `thrown` collects the
    rolls since it was last emptied.

    A purpose that one of the `renewals` lists is drawn from that renewal's links and from nothing
    else; a renewal that lists a purpose of several dice has all of them. `mixed` gives the mixture
    of each mixed turn, see `mixed_key`. Where `ready` is given, only these turns may be thrown from
    yet: any other waits for its mixture (`no-dice`, sentence `not-mixed`).
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
                self.fixed |= {f"{purpose}/{n}": one for n, one in enumerate(value, 1)}
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
                raise Awaits((purpose,), sides)
            value = draw(self._key(purpose, turn), purpose, sides)
        self.thrown.append(Roll(purpose, sides, value, turn, audience))
        return value

    def several(self, purpose: str, sides: int, count: int, turn: int) -> list[int]:
        """Throw `count` dice of `sides` for one purpose: die k is a roll of its own, `PURPOSE/k`.

        Raises `MalformedRecord` where a fixed list is of another length, a fixed value off the die,
        or a die renewed twice: by itself and with all of its purpose.
        """
        if self._lists.get(purpose, count) != count:
            raise MalformedRecord(f"dice.fixed.{purpose}", "list-of", count=count)
        if self._renewed and (renewal := self._renewed.get(purpose)) is not None:
            for n in range(1, count + 1):
                if self._renewed.setdefault(f"{purpose}/{n}", renewal) is not renewal:
                    raise MalformedRecord(
                        "dice.renewals", "renewed-twice", purpose=f"{purpose}/{n}"
                    )
        return [self.within(f"{purpose}/{n}", sides, turn) for n in range(1, count + 1)]

    def within(self, purpose: str, sides: int, turn: int) -> int:
        """As `roll`, where the sides are only known in play: a fixed value off the die is a
        `MalformedRecord`.
        """
        value = self.roll(purpose, sides, turn)
        if not 1 <= value <= sides:
            raise MalformedRecord(f"dice.fixed.{purpose}", "whole", least=1, most=sides)
        return value

    def _key(self, purpose: str, turn: int) -> str:
        """The key of the roll's HMAC: the link of its turn, mixed where the turn is."""
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

    def take(self) -> tuple[Roll, ...]:
        """The rolls thrown since the last call."""
        thrown = tuple(self.thrown)
        self.thrown.clear()
        return thrown

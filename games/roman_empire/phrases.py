"""Words of the page, from its catalogue in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.language import catalogue
from games.roman_empire.board import EMPERORS, HERE, LANDS, STATES, Card, Emperor
from games.roman_empire.words import group_name, numeral

__all__ = ["bonus", "book", "counted", "effect", "emperor", "group_name", "land", "numeral", "periods", "text", "when"]


def book() -> Mapping[str, Any]:
    made: Mapping[str, Any] = catalogue(HERE, "page")
    return made


def text(key: str, **named: object) -> str:
    """A phrase of the catalogue."""
    return str(book()[key]).format(**named)


def counted(key: str, n: int) -> str:
    """A phrase that counts: the catalogue has one for one and one for more."""
    one, many = book()[key]
    return str(one if n == 1 else many).format(n=n)


def land(key: str) -> str:
    return LANDS[key].name


def emperor(key: int | None) -> str:
    return EMPERORS[key].name if key in EMPERORS else ""


def bonus(of: Emperor) -> str:
    """What an Emperor brings (7), in words; without anything it says so."""
    return text(f"bonus-{of.bonus or 'none'}", n=of.value)


def effect(card: Card) -> str:
    """What a card does (9.3): its words name a number, or the land and the strength of who acts."""
    told, state = card.effect, STATES.get(str(card.effect.get("key")))
    named = {"land": land(state.land), "strength": state.strength} if state is not None else {}
    return text(f"effect-{card.kind}", n=told.get("armies") or told.get("value") or told.get("fort_points") or 0, **named)


def when(card: Card) -> str:
    """The phase and the moment in which a card may be played (9.1)."""
    return ", ".join((text(f"card-{card.phase}"), text(f"card-{card.timing}")))


def periods(card: Card) -> str:
    """The periods of a card: II–IV."""
    first, last = numeral(card.periods[0]), numeral(card.periods[-1])
    return first if first == last else f"{first}–{last}"

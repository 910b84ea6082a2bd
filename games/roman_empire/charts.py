"""The charts as a chapter of the rules: points of areas, Peoples, Emperors, Kingdoms, cards (5, 7, 9, 10)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import count, groupby

from engine.language import language
from games.roman_empire.board import (
    AREAS,
    CARDS,
    CHART,
    EMPERORS,
    KINGDOMS,
    MINORS,
    PEOPLE_COUNTERS,
    PEOPLES,
    PERIODS,
    POINTS,
    SETS,
    Card,
    State,
)
from games.roman_empire.phrases import bonus, effect, land, numeral, periods, text, when
from games.roman_empire.words import years

CHAPTER = 14


def chapter() -> str:
    """The chapter in the language of now, as RULES.md would write it."""
    return _written(language())


@cache
def _written(_: str) -> str:
    numbers = count(1)
    paragraphs = [f"- {CHAPTER}.{next(numbers)} {head}\n" + "".join(f"\n– {one}\n" for one in lines) for head, lines in _parts()]
    return f"## {CHAPTER} {text('charts')}\n\n" + "\n".join(paragraphs)


def _parts() -> Iterator[tuple[str, Sequence[str]]]:
    """Each paragraph's head, and the lines below it."""
    yield text("charts-areas"), [f"{name}: {', '.join(map(str, POINTS[key]))}" for key, name in AREAS.items()]
    for period in range(1, PERIODS + 1):
        named = {"period": numeral(period), "years": years(period)}
        peoples = [one for one in CHART if one.period == period]
        lines = [f"{one.n} {one.name}: {text('people-line', land=land(one.start), n=one.strength)}" for one in peoples]
        yield text("charts-peoples", **named), lines
        emperors = [one for one in EMPERORS.values() if one.period == period]
        yield text("charts-emperors", **named), [f"{one.n} {one.name}: {bonus(one)}" for one in emperors]
    yield text("charts-counters"), [", ".join(f"{PEOPLES[key]} {n}" for key, n in PEOPLE_COUNTERS.items())]
    yield text("charts-kingdoms"), [f"{_state(one)}, {text('charts-loot', n=one.loot)}" for one in KINGDOMS.values()]
    yield text("charts-minors"), [_state(one) for one in MINORS.values()]
    for number in (*SETS, None):
        cards = [card for card in CARDS.values() if card.set == number]
        yield text("charts-set", n=number) if number else text("charts-optional"), list(_cards(cards))


def _state(one: State) -> str:
    return f"{one.name}: {text('people-line', land=land(one.land), n=one.strength)}"


def _cards(cards: Sequence[Card]) -> Iterator[str]:
    """A line a card; those that differ in their periods only share one."""
    for (name, _), alike in groupby(cards, key=lambda card: (card.name, effect(card))):
        found = list(alike)
        yield f"**{name}** {'; '.join(map(periods, found))} ({when(found[0])}): {effect(found[0])}"

"""Words of the page, from its catalogue in the reader's language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import count, groupby

from engine.language import language
from games.roman_empire.english import PAGE
from games.roman_empire.rules.board import (
    AREAS,
    CARDS,
    CHART,
    EMPERORS,
    KINGDOMS,
    LANDS,
    MINORS,
    PEOPLE_COUNTERS,
    PEOPLES,
    PERIODS,
    POINTS,
    SETS,
    STATES,
    Card,
    Emperor,
    State,
)
from games.roman_empire.text.words import group_name, numeral, years

__all__ = [
    "bonus",
    "card_timing",
    "counted_phrase",
    "effect",
    "emperor",
    "group_name",
    "land",
    "numeral",
    "page_book",
    "periods",
    "phrase_text",
]


page_book, phrase_text, counted_phrase = PAGE.read, PAGE.text, PAGE.counted


def land(key: str) -> str:
    return LANDS[key].name


def emperor(key: int | None) -> str:
    return EMPERORS[key].name if key in EMPERORS else ""


def bonus(of: Emperor) -> str:
    """What an Emperor brings (7), in words; without anything it says so."""
    return phrase_text(f"bonus-{of.bonus or 'none'}", n=of.value)


def effect(card: Card) -> str:
    """What a card does (9.3): its words name a number, or the land and the strength of who acts."""
    facts, state = card.effect, STATES.get(str(card.effect.get("key")))
    named = {"land": land(state.land), "strength": state.strength} if state is not None else {}
    return phrase_text(
        f"effect-{card.kind}", n=facts.get("armies") or facts.get("value") or facts.get("fort_points") or 0, **named
    )


def card_timing(card: Card) -> str:
    """The phase and the moment in which a card may be played (9.1)."""
    return ", ".join((phrase_text(f"card-{card.phase}"), phrase_text(f"card-{card.timing}")))


def periods(card: Card) -> str:
    """The periods of a card: II–IV."""
    first, last = numeral(card.periods[0]), numeral(card.periods[-1])
    return first if first == last else f"{first}–{last}"


# The charts as a chapter of the rules: points of areas, Peoples, Emperors, Kingdoms, cards (5, 7, 9, 10).

CHAPTER = 14


def chapter() -> str:
    """The chapter in the language of now, as RULES.md would write it."""
    return _written(language())


@cache
def _written(_: str) -> str:
    numbers = count(1)
    paragraphs = [f"- {CHAPTER}.{next(numbers)} {head}\n" + "".join(f"\n– {one}\n" for one in lines) for head, lines in _parts()]
    return f"## {CHAPTER} {phrase_text('charts')}\n\n" + "\n".join(paragraphs)


def _parts() -> Iterator[tuple[str, Sequence[str]]]:
    """Each paragraph's head, and the lines below it."""
    yield phrase_text("charts-areas"), [f"{name}: {', '.join(map(str, POINTS[key]))}" for key, name in AREAS.items()]
    for period in range(1, PERIODS + 1):
        named = {"period": numeral(period), "years": years(period)}
        peoples = [one for one in CHART if one.period == period]
        lines = [f"{one.n} {one.name}: {phrase_text('people-line', land=land(one.start), n=one.strength)}" for one in peoples]
        yield phrase_text("charts-peoples", **named), lines
        emperors = [one for one in EMPERORS.values() if one.period == period]
        yield phrase_text("charts-emperors", **named), [f"{one.n} {one.name}: {bonus(one)}" for one in emperors]
    yield phrase_text("charts-counters"), [", ".join(f"{PEOPLES[key]} {n}" for key, n in PEOPLE_COUNTERS.items())]
    yield (
        phrase_text("charts-kingdoms"),
        [f"{_state(one)}, {phrase_text('charts-loot', n=one.loot)}" for one in KINGDOMS.values()],
    )
    yield phrase_text("charts-minors"), [_state(one) for one in MINORS.values()]
    for number in (*SETS, None):
        cards = [card for card in CARDS.values() if card.set == number]
        yield phrase_text("charts-set", n=number) if number else phrase_text("charts-optional"), list(_cards(cards))


def _state(one: State) -> str:
    return f"{one.name}: {phrase_text('people-line', land=land(one.land), n=one.strength)}"


def _cards(cards: Sequence[Card]) -> Iterator[str]:
    """A line a card; those that differ in their periods only share one."""
    for (name, _), alike in groupby(cards, key=lambda card: (card.name, effect(card))):
        kinds_alike = list(alike)
        yield f"**{name}** {'; '.join(map(periods, kinds_alike))} ({card_timing(kinds_alike[0])}): {effect(kinds_alike[0])}"

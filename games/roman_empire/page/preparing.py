"""The moves before an army is placed, and the cards of a hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.errors import IllegalMove
from games.roman_empire.drawing.map import land_contents
from games.roman_empire.page.placing import OfferedMove, legal, offered_move
from games.roman_empire.rules import events
from games.roman_empire.rules.factions import DEARER
from games.roman_empire.rules.position import AREAS, CARDS, Position
from games.roman_empire.text.words import (
    card_timing,
    effect,
    group_name,
    land,
    periods,
    phrase_text,
)
from games.roman_empire.text.words import refusal as sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveGroup:
    """Moves of a kind, with a heading and their rule."""

    key: str
    name: str
    rule: str
    moves: Sequence[OfferedMove]


@dataclass(frozen=True, slots=True, kw_only=True)
class CardChoice:
    """A choice that a card requires. Without `choices` it is yes or no."""

    key: str
    name: str
    choices: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class CardMove:
    """The form that plays a card."""

    fields: Sequence[tuple[str, str]]
    asks: Sequence[CardChoice]


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A card of a hand, with the form that plays it now or the rule that forbids it."""

    key: str
    name: str
    text: str
    when: str
    periods: str
    is_now: bool
    is_past: bool
    play: CardMove | None
    refused: str
    rule: str


def before(position: Position, seat: str) -> list[MoveGroup]:
    """Return the moves that are possible before an army is placed, in groups."""
    groups: list[MoveGroup] = []
    starts = [
        offered_move("choose_start", land(str(given["land"])), land=given["land"])
        for given in legal(position, "choose_start", seat)
    ]
    _group(groups, "choose_start", "6.3", starts)
    most: dict[str, int] = {}
    for given in legal(position, "take_up", seat):
        most[str(given["land"])] = max(most.get(str(given["land"]), 0), int(given["n"]))
    rows = [
        replace(offered_move("take_up", land(key), land=key), counts=range(1, n + 1))
        for key, n in most.items()
    ]
    _group(groups, "take_up", "6.2" if position.is_faction else "5.2", rows)
    if not position.is_faction:
        return groups
    price = 3 if position.period >= DEARER else 2
    counts = [int(given["n"]) for given in legal(position, "recruit", seat)]
    _group(
        groups,
        "recruit",
        "6.2",
        (
            [replace(offered_move("recruit", phrase_text("recruit-each", n=price)), counts=counts)]
            if counts
            else []
        ),
    )
    for name in ("bribe", "fort", "fortress", "rebuild"):
        lands = [str(given["land"]) for given in legal(position, name, seat)]
        _group(
            groups,
            name,
            "6.2",
            [
                offered_move(name, land(key), price_of(position, name, key), land=key)
                for key in lands
            ],
        )
    return groups


def price_of(position: Position, name: str, key: str) -> str:
    """Return the price in words, in points or in a fort point."""
    if name == "bribe":
        return phrase_text("costs", n=2 * position.lands[key].n)
    if name != "rebuild" and position.free_forts:
        return phrase_text("costs-fort-point", n=position.free_forts)
    return phrase_text("costs", n=1)


def _group(groups: list[MoveGroup], key: str, rule: str, moves: Sequence[OfferedMove]) -> None:
    if moves:
        name = phrase_text(f"group-{key}")
        groups.append(MoveGroup(key=key, name=name, rule=rule, moves=moves))


def cards_of_seat(position: Position, seat: str) -> list[Card]:
    """Return the cards of a seat."""
    playing = (
        position.active == seat
        and position.pending is None
        and position.phase in ("people", "faction")
    )
    ways: dict[str, list[Mapping[str, Any]]] = {}
    for given in legal(position, "play_event", seat) if playing else ():
        ways.setdefault(str(given["card"]), []).append(given)
    return [
        _card(position, seat, key, ways.get(key, []), playing)
        for key in position.hand.get(seat, [])
    ]


def _card(
    position: Position, seat: str, key: str, ways: list[Mapping[str, Any]], playing: bool
) -> Card:
    card = CARDS[key]
    refused, rule = why_not_played(position, seat, key) if playing and not ways else ("", "")
    play = CardMove(fields=[("card", key)], asks=_card_choices(position, card.kind, ways))
    return Card(
        key=key,
        name=card.name,
        text=effect(card),
        when=card_timing(card),
        periods=periods(card),
        is_now=position.period in card.periods,
        is_past=position.period > card.periods[-1],
        play=play if ways else None,
        refused=refused,
        rule=rule,
    )


def why_not_played(position: Position, seat: str, key: str) -> tuple[str, str]:
    """Return why a card cannot be played now, and the rule."""
    try:
        events.admit(position, seat, key)
    except IllegalMove as refused:
        return sentence(position.scenario, refused), refused.rule
    return phrase_text("no-target"), "9.3"


def _card_choices(position: Position, kind: str, ways: list[Mapping[str, Any]]) -> list[CardChoice]:
    """Return the choices that the card requires, with their legal values."""
    fields = []
    for key in sorted(events.ARGUMENTS.get(kind, ())):
        values = list(dict.fromkeys(str(given[key]) for given in ways))
        fields.append(
            CardChoice(
                key=key,
                name=phrase_text(f"names-{key}"),
                choices=[(value, _named(position, key, value)) for value in values],
            )
        )
    if any(given.get("loot") for given in ways):
        fields.append(CardChoice(key="loot", name=phrase_text("and-loot"), choices=()))
    return fields


def _named(position: Position, key: str, value: str) -> str:
    if key == "land":
        return phrase_text(
            "land",
            name=land(value),
            what=", ".join(land_contents(position, value)) or phrase_text("nothing"),
        )
    return (
        AREAS[value]
        if key == "area"
        else group_name(value)
        if key == "people"
        else phrase_text(f"use-{value}")
    )

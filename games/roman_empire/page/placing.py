"""The ways to place an army, each with its chances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.errors import IllegalMove
from games.roman_empire.drawing.map import land_contents
from games.roman_empire.rules import combat, phases
from games.roman_empire.rules.choices import choices, sources
from games.roman_empire.rules.moves import MOVES
from games.roman_empire.rules.placing import ATTACK, CLAIM, STRENGTHEN, conquers, judge
from games.roman_empire.rules.position import LANDS, Position
from games.roman_empire.text.words import (
    counted_phrase,
    group_in_sentence,
    group_name,
    land,
    phrase_text,
)
from games.roman_empire.text.words import refusal as sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedMove:
    """A move that the page offers."""

    do: str
    fields: Sequence[tuple[str, str]]
    """The fields of its form."""
    text: str
    """The words on its button."""
    note: str = ""
    """A remark about its consequences."""
    counts: Sequence[int] = ()
    """The numbers to choose from, if it asks how many."""
    is_proposed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackChances:
    """The chances of an attack, with their terms."""

    one: str
    """The chance that one army takes the land."""
    all: str
    """The chance that all armies in hand take it."""
    held: str
    """The share of the bar that one army does not win."""
    lost: str
    armies: int
    defenders: str
    mine: Sequence[str]
    theirs: Sequence[str]
    holder: str
    retreats: bool
    """Whether the defender may retreat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A way to place an army. `way` is its kind."""

    do: str
    fields: Sequence[tuple[str, str]]
    text: str
    land: str
    name: str
    way: str
    source: str
    """Where the army comes from, in words."""
    gain: int
    """The points that it would add to the score of the phase."""
    loot: bool
    loot_text: str
    fort: bool
    """Whether a Fort can be taken over or destroyed."""
    there: Sequence[str]
    odds: AttackChances | None
    stack: str


def legal(position: Position, name: str, seat: str) -> list[Mapping[str, Any]]:
    """Return the arguments of the legal moves of a kind."""
    return choices(position, MOVES[name], seat, seat)[0]


def form_fields(given: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the arguments of a move as fields of a form."""
    return [
        (key, "1" if value is True else "0" if value is False else str(value))
        for key, value in given.items()
    ]


def offered_move(name: str, text: str, note: str = "", /, **given: Any) -> OfferedMove:
    """Return a move that the page offers."""
    return OfferedMove(do=name, fields=form_fields(given), text=text, note=note)


def places(position: Position, seat: str) -> list[Way]:
    """Return every way to place an army, those that only strengthen a land last.

    The others are sorted by the points they add.
    """
    loots: dict[tuple[str, str], bool] = {}
    forts: dict[tuple[str, str], bool] = {}
    for given in legal(position, "place", seat):
        lands = str(given["land"]), str(given["from"])
        loots[lands] = loots.get(lands, False) or given.get("loot") is True
        forts[lands] = forts.get(lands, False) or given.get("fort") is not None
    ways = [
        way_to_place(position, target, source, loot=loot, fort=forts[target, source])
        for (target, source), loot in loots.items()
    ]
    return sorted(ways, key=lambda way: (way.way == STRENGTHEN, -way.gain, way.name))


def loot_text(position: Position, target: str) -> str:
    """Return the text about looting the City of a land."""
    key = "loot-two" if combat.loot_dice(position, target) > 1 else "loot-one"
    return phrase_text(key, land=land(target))


def way_to_place(position: Position, target: str, source: str, *, loot: bool, fort: bool) -> Way:
    """Return a way to place an army."""
    way = judge(position, target, source, False)
    if way == CLAIM and not conquers(position, target):
        way = "first"
    odds = combat.attack(position, target, source) if way == ATTACK else None
    return Way(
        do="place",
        fields=form_fields({"land": target, "from": source}),
        text=phrase_text(f"do-{way}", land=land(target)),
        land=target,
        name=land(target),
        way=way,
        source=origin_in_words(target, source),
        gain=gain(position, target) if way != STRENGTHEN else 0,
        loot=loot,
        loot_text=loot_text(position, target) if loot else "",
        fort=fort,
        there=land_contents(position, target),
        odds=None if odds is None else chance(odds, position, target, source),
        stack=(
            counted_phrase("would-be", position.lands[target].n + 1) if way == STRENGTHEN else ""
        ),
    )


def origin_in_words(target: str, source: str) -> str:
    """Return the origin of an army in words; empty for an army from the same land."""
    return (
        ""
        if source == target
        else (
            phrase_text(f"from-{source}")
            if source not in LANDS
            else phrase_text("from-land", land=land(source))
        )
    )


def why_not(position: Position, target: str) -> tuple[str, str]:
    """Return why no army can be placed in a land, and the rule."""
    held = position.lands_of(position.current)
    for source in sources(position, target) or held[:1]:
        try:
            judge(position, target, source, False)
        except IllegalMove as refused:
            if refused.code != "not-adjacent":
                return sentence(position.scenario, refused), refused.rule
    group = group_in_sentence(position.current)
    return phrase_text("no-neighbour", land=land(target), group=group), "5.3"


def gain(position: Position, target: str) -> int:
    """Return the points that this land, once taken, would add to the score of the phase (10).

    Its City is not looted.
    """
    seat, phase = str(position.active), position.phase
    after = position.copy()
    after.lands[target] = after.lands[target]._replace(who=position.current, n=1, of=None)
    return phases.score(after, seat, phase).points - phases.score(position, seat, phase).points


def chance(odds: combat.Odds, position: Position, target: str, source: str) -> AttackChances:
    """Return the chances of an attack, term by term."""
    sides, place = odds.sides, position.lands[target]
    mine = [phrase_text("dice-three" if sides.three else "dice-two")]
    theirs = [phrase_text("dice-two" if sides.dice > 1 else "dice-one")]
    if sides.mine:
        mine.append(phrase_text("plus", n=sides.mine))
    if sides.ties:
        mine.append(phrase_text("wins-ties"))
    if sides.dice > 1:
        theirs.append(phrase_text("hard"))
    if source == "sea" and sides.theirs > (
        place.fort is not None and not position.active_bonuses.get("no_fort_bonus")
    ):
        theirs.append(phrase_text("overseas"))
    if place.fort is not None:
        theirs.append(
            phrase_text(
                "walls-none"
                if position.active_bonuses.get("no_fort_bonus")
                else "fortress"
                if sides.fortress
                else "fort"
            )
        )
    taken, lost = combat.percents(odds.one)
    return AttackChances(
        one=taken,
        all=combat.percent(odds.all),
        held=f"{(1 - odds.one) * 100:.1f}",
        lost=lost,
        armies=odds.armies,
        defenders=counted_phrase("defenders", odds.defenders),
        mine=mine,
        theirs=theirs,
        holder=group_name(place.who or (place.fort.who if place.fort else None)),
        retreats=place.who in position.factions.values() and place.n > 0,
    )

"""The ways to place an army, each with its chances."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.errors import IllegalMove
from games.roman_empire.drawing.map import land_contents
from games.roman_empire.rules import combat, phases
from games.roman_empire.rules.choices import choices, sources
from games.roman_empire.rules.moves import MOVES
from games.roman_empire.rules.placing import ATTACK, CLAIM, STRENGTHEN, conquers, judge
from games.roman_empire.rules.position import AREAS, LANDS, Position
from games.roman_empire.text.words import counted_phrase, group_name, land, phrase_text
from games.roman_empire.text.words import refusal as sentence

Deed = dict[str, Any]


def legal(position: Position, name: str, seat: str) -> list[Mapping[str, Any]]:
    """The arguments of the legal moves of a kind."""
    return choices(position, MOVES[name], seat, seat)[0]


def offered_move(name: str, text: str, note: str = "", /, **given: Any) -> Deed:
    """A move as the page offers it: what its form says, its button, what follows."""
    fields = [
        (key, "1" if value is True else "0" if value is False else str(value))
        for key, value in given.items()
    ]
    return {"do": name, "fields": fields, "text": text, "note": note}


def places(position: Position, seat: str) -> list[Deed]:
    """Every way to place an army: attacks with their chances first, by what they would give; then
    what is taken at once.
    """
    ways: dict[tuple[str, str], Deed] = {}
    for given in legal(position, "place", seat):
        target, source = str(given["land"]), str(given["from"])
        one = ways.get((target, source))
        if one is None:
            one = ways[target, source] = _way(position, target, source)
        one["loot"] = one["loot"] or given.get("loot") is True
        one["fort"] = one["fort"] or given.get("fort") is not None
    for one in ways.values():
        if one["loot"]:
            one["loot_text"] = phrase_text(
                "loot-two" if combat.loot_dice(position, one["land"]) > 1 else "loot-one",
                land=land(one["land"]),
            )
    return sorted(
        ways.values(), key=lambda one: (one["way"] == STRENGTHEN, -one["gain"], one["name"])
    )


def _way(position: Position, target: str, source: str) -> Deed:
    way = judge(position, target, source, False)
    if way == CLAIM and not conquers(position, target):
        way = "first"
    odds = combat.attack(position, target, source) if way == ATTACK else None
    deed = offered_move(
        "place", phrase_text(f"do-{way}", land=land(target)), **{"land": target, "from": source}
    )
    return deed | {
        "land": target,
        "name": land(target),
        "area": AREAS[LANDS[target].area],
        "way": way,
        "from": whence(target, source),
        "gain": gain(position, target) if way != STRENGTHEN else 0,
        "loot": False,
        "fort": False,
        "there": land_contents(position, target),
        "odds": None if odds is None else chance(odds, position, target, source),
        "stack": (
            counted_phrase("would-be", position.lands[target].n + 1) if way == STRENGTHEN else ""
        ),
    }


def whence(target: str, source: str) -> str:
    """Where an army comes from, in words; nothing where that says nothing."""
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
    """Why no army can be placed in a land, and the rule."""
    held = position.held(position.current)
    for source in sources(position, target) or held[:1]:
        try:
            judge(position, target, source, False)
        except IllegalMove as refused:
            if refused.code != "not-adjacent":
                return sentence(position.scenario, refused), refused.rule
    return phrase_text("no-neighbour", land=land(target), group=group_name(position.current)), "5.3"


def gain(position: Position, target: str) -> int:
    """How many points more the phase would score with this land taken and its City left
    whole (10).
    """
    seat, phase = str(position.active), position.phase
    after = position.copy()
    after.lands[target] = after.lands[target]._replace(who=position.current, n=1, of=None)
    return phases.score(after, seat, phase).points - phases.score(position, seat, phase).points


def chance(odds: combat.Odds, position: Position, target: str, source: str) -> dict[str, Any]:
    """The chances of an attack with what makes them, term by term."""
    sides, place = odds.sides, position.lands[target]
    mine = [phrase_text("dice-three" if sides.three else "dice-two")]
    his = [phrase_text("dice-two" if sides.dice > 1 else "dice-one")]
    if sides.mine:
        mine.append(phrase_text("plus", n=sides.mine))
    if sides.ties:
        mine.append(phrase_text("wins-ties"))
    if sides.dice > 1:
        his.append(phrase_text("hard"))
    if source == "sea" and sides.his > (
        place.fort is not None and not position.working.get("no_fort_bonus")
    ):
        his.append(phrase_text("overseas"))
    if place.fort is not None:
        his.append(
            phrase_text(
                "walls-none"
                if position.working.get("no_fort_bonus")
                else "fortress"
                if sides.fortress
                else "fort"
            )
        )
    taken, lost = combat.percents(odds.one)
    return {
        "one": taken,
        "all": combat.percent(odds.all),
        "share": f"{odds.one * 100:.1f}",
        "held": f"{(1 - odds.one) * 100:.1f}",
        "lost": lost,
        "armies": odds.armies,
        "defenders": counted_phrase("defenders", odds.defenders),
        "mine": mine,
        "his": his,
        "holder": group_name(place.who or (place.fort.who if place.fort else None)),
        "retreats": place.who in position.factions.values() and place.n > 0,
    }

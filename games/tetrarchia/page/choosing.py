"""What an Emperor may do: moves with their prices, attacks with their chances, spaces."""

from __future__ import annotations

from typing import Any

from engine.errors import IllegalMove
from games.kit.records import make_move
from games.tetrarchia.drawing.map import Leg
from games.tetrarchia.rules import battle
from games.tetrarchia.rules.battle import Odds, Value
from games.tetrarchia.rules.moves import MOVES
from games.tetrarchia.rules.position import (
    ADJACENT,
    EMPERORS,
    LINKS,
    PRINTED,
    REVOLT,
    ROMA,
    SPACES,
    UNREST,
    ZONES,
    Position,
)
from games.tetrarchia.text.words import chain, counted_phrase, emperor, phrase_text, space
from games.tetrarchia.text.words import refusal as sentence

Deed = dict[str, Any]


def offered_move(position: Position, name: str, **given: Any) -> Deed:
    """A move as the page offers it: what its form says, its price, or the rule that forbids it."""
    seat = position.options.player(position.emperor)
    move = make_move(MOVES[name], seat, seat, given)
    deed: Deed = {"do": name, "fields": fields(given), "refused": "", "rule": "", "cost": None}
    try:
        move.admit(position)
        move.check(position)
    except IllegalMove as refused:
        deed |= {"refused": sentence(position.scenario, refused), "rule": refused.rule}
    cost = getattr(move, "cost", None)
    if cost is not None:
        try:
            deed["cost"] = cost(position)
        except IllegalMove:
            deed["cost"] = None
    return deed


def fields(given: dict[str, Any]) -> list[tuple[str, str]]:
    return [
        (key, "-".join(value) if isinstance(value, list) else str(value))
        for key, value in given.items()
    ]


def goals(position: Position) -> dict[str, battle.Way]:
    """Where the Emperor can go with what he has: space -> the cheapest way there."""
    if position.phase != "roman" or position.at is None:
        return {}
    taken = {where for who, where in position.figures.items() if who != position.emperor}
    return {
        key: way
        for key, way in battle.reach(position, position.at, position.ip).items()
        if way.path and key not in taken
    }


def legs(position: Position, path: tuple[str, ...]) -> list[Leg]:
    """The steps of a way with the price of each."""
    here, travelled = str(position.at), []
    for to in path:
        travelled.append(Leg(here, to, battle.step(position, here, to) or 0))
        here = to
    return travelled


def entries(position: Position) -> list[Deed]:
    """ROMA and his capital, for one who is off the board."""
    return [
        offered_move(position, "enter", at=key) | {"name": space(key), "rome": key == ROMA}
        for key in (ROMA, EMPERORS[position.emperor].capital)
    ]


def moves_in_place(position: Position) -> list[Deed]:
    """What he may do where he stands: secure, subdue."""
    at = position.at
    if at is None:
        return []
    token, deeds = position.tokens.get(at), []
    if token in (UNREST, REVOLT):
        deeds.append(
            offered_move(position, "subdue", how="remove")
            | {"text": phrase_text(f"remove-{token}", space=space(at))}
        )
    if token == REVOLT:
        deeds.append(
            offered_move(position, "subdue", how="calm")
            | {"text": phrase_text("calm", space=space(at))}
        )
    if token is None and at not in PRINTED:
        border = SPACES[at].outside
        deeds.append(
            offered_move(position, "secure")
            | {"text": phrase_text("secure-border" if border else "secure", space=space(at))}
        )
    return deeds


def sails(position: Position) -> list[Deed]:
    """The voyages of the fleets that are possible."""
    return [
        offered_move(position, "sail", **{"from": zone, "to": other})
        | {"text": phrase_text("sail", zone=ZONES[zone], to=ZONES[other])}
        for zone in position.fleets
        for other in ADJACENT[zone]
        if other not in position.fleets
    ]


def attacks(position: Position) -> list[dict[str, Any]]:
    """The armies on the board: those within reach of an attack first, each with its chance from
    where he stands.
    """
    rows = []
    for army in position.barbarians:
        one: dict[str, Any] = {"key": army, "name": space(army), "linked": False}
        if position.at is not None and battle.attack_cost(position, position.at, army) is not None:
            odds = battle.against(position, position.emperor, position.at, army)
            one |= offered_move(position, "attack", target=army) | {
                "linked": True,
                "chance": chance(odds.won),
            }
        rows.append(one)
    return sorted(rows, key=lambda one: not one["linked"])


def chance(pairs: int) -> dict[str, str]:
    """A chance as a page shows it."""
    return {"text": battle.percent(pairs), "share": battle.share(pairs)}


def attack(position: Position, army: str) -> dict[str, Any]:
    """An attack on an army explained: where from, value term by term, all pairs of dice, and what
    would change it.
    """
    ways = origins(position, army)
    at = (
        position.at
        if any(one["key"] == position.at for one in ways)
        else ways[0]["key"]
        if ways
        else None
    )
    if at is None:
        return {"key": army, "name": space(army), "from": [], "odds": None}
    odds = battle.against(position, position.emperor, at, army)
    return {
        "key": army,
        "name": space(army),
        "emperor": position.emperor,
        "who": emperor(position.emperor),
        "at": at,
        "at_name": space(at),
        "stands": at == position.at,
        "odds": side_row(odds),
        "from": ways,
        "ours": side(odds.ours, [emperor(one) for one in odds.ours.helpers], "chain"),
        "theirs": side(odds.theirs, [space(one) for one in odds.theirs.helpers], "revolts"),
        "what_if": what_if(odds),
        "deed": offered_move(position, "attack", target=army) if at == position.at else None,
    }


def side(value: Value, helpers: list[str], key: str) -> dict[str, Any]:
    """One side of the sum."""
    group = (
        counted_phrase(key, len(value.group), chain=chain(value.group))
        if value.group
        else phrase_text(f"{key}-none")
    )
    return {
        "support": value.support,
        "group": group,
        "helpers": helpers,
        "times": value.times,
        "least": value.value_with(1),
        "most": value.value_with(6),
    }


def side_row(odds: Odds) -> dict[str, Any]:
    """Return the table of both dice, and the three chances in whole per cent, which add up
    to 100.
    """
    won, level, lost = battle.percents((odds.won, odds.level, odds.lost))
    rows = [
        [
            {"ours": a, "theirs": b, "is": "won" if a > b else "level" if a == b else "lost"}
            for a, b in row
        ]
        for row in odds.rows
    ]
    return {
        "rows": list(zip(("I", "II", "III", "IV", "V", "VI"), rows, strict=True)),
        "won": odds.won,
        "level": odds.level,
        "lost": odds.lost,
        "won_text": won,
        "level_text": level,
        "lost_text": lost,
        "held": battle.share(battle.PAIRS - odds.won),
    }


def origins(position: Position, army: str) -> list[dict[str, Any]]:
    """The spaces from which the army can be attacked, with the price of going there and attacking,
    the cheapest first.
    """
    if position.at is None:
        return []
    taken = {where for who, where in position.figures.items() if who != position.emperor}
    ways = battle.reach(position, position.at, 12)
    rows = []
    for key in LINKS[army]:
        if key in taken or key in position.barbarians or key not in ways:
            continue
        price = battle.attack_cost(position, key, army)
        cost = ways[key].cost + (price or 0)
        won = battle.against(position, position.emperor, key, army)
        rows.append(
            {
                "key": key,
                "name": space(key),
                "cost": cost,
                "far": cost > position.ip,
                "support": won.ours.support,
                "won": battle.percent(won.won),
                "pairs": won.won,
                "here": key == position.at,
            }
        )
    return sorted(rows, key=lambda one: (one["far"], -one["pairs"], one["cost"], one["name"]))


def what_if(odds: Odds) -> list[dict[str, str]]:
    """How the chance would change: one token more, each helper away, one Revolt less."""
    cases: list[tuple[str, Value, Value]] = [
        (phrase_text("if-token"), odds.ours._replace(support=odds.ours.support + 1), odds.theirs)
    ]
    for one in odds.ours.helpers:
        rest = tuple(other for other in odds.ours.helpers if other != one)
        cases.append(
            (
                phrase_text("if-away", name=emperor(one)),
                odds.ours._replace(helpers=rest),
                odds.theirs,
            )
        )
    if odds.theirs.support > 1:
        cases.append(
            (
                phrase_text("if-revolt"),
                odds.ours,
                odds.theirs._replace(support=odds.theirs.support - 1),
            )
        )
    was = battle.percent(odds.won)
    return [
        {
            "text": what,
            "was": was,
            "now": battle.percent(battle.between(ours, theirs).won),
            "ours": value(ours),
            "theirs": value(theirs),
        }
        for what, ours, theirs in cases
    ]


def value(one: Value) -> str:
    """A side's value as a formula: "(d + 3) × 2"."""
    return f"(d + {one.support}) × {one.times}" if one.times > 1 else f"d + {one.support}"


def spot(position: Position, key: str, reach: dict[str, battle.Way]) -> dict[str, Any]:
    """A space that was chosen on the board: what it would cost to go, or why he cannot go there."""
    row: dict[str, Any] = {
        "key": key,
        "name": space(key),
        "coord": SPACES[key].coord,
        "way": None,
        "why": None,
    }
    if key in reach:
        way = reach[key]
        row["way"] = offered_move(position, "move", path=list(way.path)) | {
            "cost": way.cost,
            "steps": [space(one) for one in way.path],
            "left": counted_phrase("points-left", position.ip - way.cost),
        }
    elif key != position.at:
        far = (
            battle.reach(position, position.at, battle.FAR).get(key)
            if position.at is not None
            else None
        )
        row["why"] = offered_move(position, "move", path=list(far.path) if far else [key])
    return row

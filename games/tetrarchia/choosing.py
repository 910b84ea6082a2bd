"""What the Emperor whose turn it is may do, with its price, and what would come of it."""

from __future__ import annotations

from typing import Any

from engine.errors import IllegalMove
from games.tetrarchia import odds, roads
from games.tetrarchia.battle import Value
from games.tetrarchia.board import ADJACENT, EMPERORS, LINKS, PRINTED, REVOLT, ROMA, SPACES, UNREST, ZONES
from games.tetrarchia.choices import make
from games.tetrarchia.form import MOVES
from games.tetrarchia.map import Leg
from games.tetrarchia.odds import Odds
from games.tetrarchia.phrases import chain, counted, emperor, space, text
from games.tetrarchia.position import Position
from games.tetrarchia.words import refusal as sentence

Deed = dict[str, Any]


def deed(position: Position, name: str, **given: Any) -> Deed:
    """A move as the page offers it: what its form says, its price, or the rule that forbids it."""
    found = make(MOVES[name], position.options.player(position.emperor), given)
    made: Deed = {"do": name, "fields": fields(given), "refused": "", "rule": "", "cost": None}
    try:
        found.admit(position)
        found.check(position)
    except IllegalMove as refused:
        made |= {"refused": sentence(position.scenario, refused), "rule": refused.rule}
    cost = getattr(found, "cost", None)
    if cost is not None:
        try:
            made["cost"] = cost(position)
        except IllegalMove:
            made["cost"] = None
    return made


def fields(given: dict[str, Any]) -> list[tuple[str, str]]:
    return [(key, "-".join(value) if isinstance(value, list) else str(value)) for key, value in given.items()]


def goals(position: Position) -> dict[str, roads.Way]:
    """Where the Emperor can go with what he has: space -> the cheapest way there."""
    if position.phase != "roman" or position.at is None:
        return {}
    taken = {where for who, where in position.figures.items() if who != position.emperor}
    return {key: way for key, way in roads.reach(position, position.at, position.ip).items() if way.path and key not in taken}


def legs(position: Position, path: tuple[str, ...]) -> list[Leg]:
    """The steps of a way with the price of each."""
    here, made = str(position.at), []
    for to in path:
        made.append(Leg(here, to, roads.step(position, here, to) or 0))
        here = to
    return made


def entries(position: Position) -> list[Deed]:
    """ROMA and his capital, for one who is off the board."""
    return [
        deed(position, "enter", at=key) | {"name": space(key), "rome": key == ROMA}
        for key in (ROMA, EMPERORS[position.emperor].capital)
    ]


def here(position: Position) -> list[Deed]:
    """What he may do where he stands: secure, subdue."""
    at = position.at
    if at is None:
        return []
    token, made = position.tokens.get(at), []
    if token in (UNREST, REVOLT):
        made.append(deed(position, "subdue", how="remove") | {"text": text(f"remove-{token}", space=space(at))})
    if token == REVOLT:
        made.append(deed(position, "subdue", how="calm") | {"text": text("calm", space=space(at))})
    if token is None and at not in PRINTED:
        border = SPACES[at].outside
        made.append(deed(position, "secure") | {"text": text("secure-border" if border else "secure", space=space(at))})
    return made


def sails(position: Position) -> list[Deed]:
    """The voyages of the fleets that are possible."""
    return [
        deed(position, "sail", **{"from": zone, "to": other}) | {"text": text("sail", zone=ZONES[zone], to=ZONES[other])}
        for zone in position.fleets
        for other in ADJACENT[zone]
        if other not in position.fleets
    ]


def attacks(position: Position) -> list[dict[str, Any]]:
    """The armies on the board: those within reach of an attack first, each with its chance from where he stands."""
    made = []
    for army in position.barbarians:
        one: dict[str, Any] = {"key": army, "name": space(army), "linked": False}
        if position.at is not None and roads.attack_cost(position, position.at, army) is not None:
            found = odds.against(position, position.emperor, position.at, army)
            one |= deed(position, "attack", target=army) | {"linked": True, "chance": chance(found.won)}
        made.append(one)
    return sorted(made, key=lambda one: not one["linked"])


def chance(pairs: int) -> dict[str, str]:
    """A chance as a page shows it."""
    return {"text": odds.percent(pairs), "share": odds.share(pairs)}


def attack(position: Position, army: str) -> dict[str, Any]:
    """An attack on an army explained: where from, value term by term, all pairs of dice, and what would change it."""
    ways = origins(position, army)
    at = position.at if any(one["key"] == position.at for one in ways) else ways[0]["key"] if ways else None
    if at is None:
        return {"key": army, "name": space(army), "from": [], "odds": None}
    found = odds.against(position, position.emperor, at, army)
    return {
        "key": army, "name": space(army), "emperor": position.emperor, "who": emperor(position.emperor),
        "at": at, "at_name": space(at), "stands": at == position.at, "odds": shown(found), "from": ways,
        "ours": side(found.ours, [emperor(one) for one in found.ours.helpers], "chain"),
        "theirs": side(found.theirs, [space(one) for one in found.theirs.helpers], "revolts"),
        "what_if": what_if(found),
        "deed": deed(position, "attack", target=army) if at == position.at else None,
    }  # fmt: skip


def side(value: Value, helpers: list[str], key: str) -> dict[str, Any]:
    """One side of the sum."""
    group = counted(key, len(value.group), chain=chain(value.group)) if value.group else text(f"{key}-none")
    return {
        "support": value.support, "group": group, "helpers": helpers, "times": value.times,
        "least": value.of(1), "most": value.of(6),
    }  # fmt: skip


def shown(found: Odds) -> dict[str, Any]:
    rows = [
        [{"ours": a, "theirs": b, "is": "won" if a > b else "level" if a == b else "lost"} for a, b in row] for row in found.rows
    ]
    return {
        "rows": list(zip(("I", "II", "III", "IV", "V", "VI"), rows, strict=True)), "won": found.won, "level": found.level,
        "lost": found.lost, "won_text": odds.percent(found.won), "level_text": odds.percent(found.level),
        "lost_text": odds.percent(found.lost), "held": odds.share(odds.PAIRS - found.won),
    }  # fmt: skip


def origins(position: Position, army: str) -> list[dict[str, Any]]:
    """The spaces from which the army can be attacked, with the price of going there and attacking, the cheapest first."""
    if position.at is None:
        return []
    taken = {where for who, where in position.figures.items() if who != position.emperor}
    ways = roads.reach(position, position.at, 12)
    made = []
    for key in LINKS[army]:
        if key in taken or key in position.barbarians or key not in ways:
            continue
        price = roads.attack_cost(position, key, army)
        cost = ways[key].cost + (price or 0)
        won = odds.against(position, position.emperor, key, army)
        made.append({
            "key": key, "name": space(key), "cost": cost, "far": cost > position.ip, "support": won.ours.support,
            "won": odds.percent(won.won), "pairs": won.won, "here": key == position.at,
        })  # fmt: skip
    return sorted(made, key=lambda one: (one["far"], -one["pairs"], one["cost"], one["name"]))


def what_if(found: Odds) -> list[dict[str, str]]:
    """How the chance would change: one token more, each helper away, one Revolt less."""
    cases: list[tuple[str, Value, Value]] = [
        (text("if-token"), found.ours._replace(support=found.ours.support + 1), found.theirs)
    ]
    for one in found.ours.helpers:
        rest = tuple(other for other in found.ours.helpers if other != one)
        cases.append((text("if-away", name=emperor(one)), found.ours._replace(helpers=rest), found.theirs))
    if found.theirs.support > 1:
        cases.append((text("if-revolt"), found.ours, found.theirs._replace(support=found.theirs.support - 1)))
    was = odds.percent(found.won)
    return [
        {
            "text": what,
            "was": was,
            "now": odds.percent(odds.between(ours, theirs).won),
            "ours": value(ours),
            "theirs": value(theirs),
        }
        for what, ours, theirs in cases
    ]


def value(one: Value) -> str:
    """A side's value as a formula: "(d + 3) × 2"."""
    return f"(d + {one.support}) × {one.times}" if one.times > 1 else f"d + {one.support}"


def spot(position: Position, key: str, reach: dict[str, roads.Way]) -> dict[str, Any]:
    """A space that was chosen on the board: what it would cost to go, or why he cannot go there."""
    made: dict[str, Any] = {"key": key, "name": space(key), "coord": SPACES[key].coord, "way": None, "why": None}
    if key in reach:
        way = reach[key]
        made["way"] = deed(position, "move", path=list(way.path)) | {
            "cost": way.cost, "steps": [space(one) for one in way.path], "left": counted("points-left", position.ip - way.cost),
        }  # fmt: skip
    elif key != position.at:
        far = roads.reach(position, position.at, roads.FAR).get(key) if position.at is not None else None
        made["why"] = deed(position, "move", path=list(far.path) if far else [key])
    return made

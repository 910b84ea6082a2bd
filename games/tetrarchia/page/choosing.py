"""What an Emperor may do: moves with their prices, attacks with their chances, spaces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.errors import IllegalMove
from engine.play import Move
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


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedMove:
    """A move as the page offers it."""

    do: str
    fields: Sequence[tuple[str, str]]
    """The fields of its form."""
    refused: str = ""
    """Why the rules forbid it now; empty if they allow it."""
    rule: str = ""
    cost: int | None = None
    name: str = ""
    """The space to which it leads, if the page shows it."""
    text: str = ""
    """The words on its button, if the template does not write them."""
    is_rome: bool = False


def offered_move(position: Position, name: str, **given: Any) -> OfferedMove:
    """Return a move as the page offers it: its form, its price, or the rule that forbids it."""
    seat = position.options.player(position.emperor)
    move = make_move(MOVES[name], seat, seat, given)
    offered = OfferedMove(do=name, fields=fields(given), cost=price_of(position, move))
    try:
        move.admit(position)
        move.check(position)
    except IllegalMove as refused:
        refusal = sentence(position.scenario, refused)
        return replace(offered, refused=refusal, rule=refused.rule)
    return offered


def price_of(position: Position, move: Move) -> int | None:
    """Return the price of a move; None if it has none here."""
    cost = getattr(move, "cost", None)
    try:
        return None if cost is None else int(cost(position))
    except IllegalMove:
        return None


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


def entries(position: Position) -> list[OfferedMove]:
    """ROMA and his capital, for one who is off the board."""
    return [
        replace(offered_move(position, "enter", at=key), name=space(key), is_rome=key == ROMA)
        for key in (ROMA, EMPERORS[position.emperor].capital)
    ]


def moves_in_place(position: Position) -> list[OfferedMove]:
    """What he may do where he stands: secure, subdue."""
    at = position.at
    if at is None:
        return []
    token, deeds = position.tokens.get(at), []
    if token in (UNREST, REVOLT):
        deeds.append(
            replace(
                offered_move(position, "subdue", how="remove"),
                text=phrase_text(f"remove-{token}", space=space(at)),
            )
        )
    if token == REVOLT:
        deeds.append(
            replace(
                offered_move(position, "subdue", how="calm"),
                text=phrase_text("calm", space=space(at)),
            )
        )
    if token is None and at not in PRINTED:
        border = SPACES[at].outside
        deeds.append(
            replace(
                offered_move(position, "secure"),
                text=phrase_text("secure-border" if border else "secure", space=space(at)),
            )
        )
    return deeds


def sails(position: Position) -> list[OfferedMove]:
    """The voyages of the fleets that are possible."""
    return [
        replace(
            offered_move(position, "sail", **{"from": zone, "to": other}),
            text=phrase_text("sail", zone=ZONES[zone], to=ZONES[other]),
        )
        for zone in position.fleets
        for other in ADJACENT[zone]
        if other not in position.fleets
    ]


def linked_armies(position: Position) -> dict[str, int | None]:
    """Return the armies that the Emperor can attack from where he is, with the price of each."""
    return {
        army: offered_move(position, "attack", target=army).cost
        for army in position.barbarians
        if position.at is not None and battle.attack_cost(position, position.at, army) is not None
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """A space from which an army can be attacked."""

    key: str
    name: str
    cost: int
    """The price of going there and attacking."""
    is_far: bool
    """Whether the Emperor has too few points for it."""
    support: int
    won: str
    """The chance of victory."""
    pairs: int
    """The pairs of dice that win, of 36."""
    is_here: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One side of a battle: the terms of its sum."""

    support: int
    group: str
    helpers: Sequence[str]
    least: int
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A pair of dice: both values, and what they lead to (`won`, `level` or `lost`)."""

    ours: int
    theirs: int
    result: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Chances:
    """The table of both dice, and its three chances: pairs of 36, and per cent that add up to
    100.
    """

    rows: Sequence[tuple[str, Sequence[Pair]]]
    won: int
    level: int
    lost: int
    won_text: str
    level_text: str
    lost_text: str
    held: str
    """The share of the bar that is not won."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What would change the chance of victory."""

    text: str
    was: str
    now: str
    ours: str
    theirs: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedAttack:
    """An attack from the best space: its terms, all pairs of dice, and what would change it."""

    emperor: str
    who: str
    at_name: str
    is_here: bool
    """Whether the Emperor is in that space."""
    odds: Chances
    ours: Side
    theirs: Side
    what_if: Sequence[Case]
    move: OfferedMove | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackOnArmy:
    """The attack on an army; not explained if the Emperor reaches no space to attack it from."""

    name: str
    origins: Sequence[Origin]
    explained: ExplainedAttack | None


def attack(position: Position, army: str) -> AttackOnArmy:
    """Return the attack on an army, explained."""
    ways = origins(position, army)
    at = position.at if any(way.is_here for way in ways) else ways[0].key if ways else None
    explained = None if at is None else explained_attack(position, army, at)
    return AttackOnArmy(name=space(army), origins=ways, explained=explained)


def explained_attack(position: Position, army: str, at: str) -> ExplainedAttack:
    """Return the attack on an army from a space."""
    odds = battle.against(position, position.emperor, at, army)
    is_here = at == position.at
    return ExplainedAttack(
        emperor=position.emperor,
        who=emperor(position.emperor),
        at_name=space(at),
        is_here=is_here,
        odds=table_of_dice(odds),
        ours=side(odds.ours, [emperor(key) for key in odds.ours.helpers], "chain"),
        theirs=side(odds.theirs, [space(key) for key in odds.theirs.helpers], "revolts"),
        what_if=what_if(odds),
        move=offered_move(position, "attack", target=army) if is_here else None,
    )


def side(value: Value, helpers: list[str], key: str) -> Side:
    """Return one side of the sum."""
    group = (
        counted_phrase(key, len(value.group), chain=chain(value.group))
        if value.group
        else phrase_text(f"{key}-none")
    )
    return Side(
        support=value.support,
        group=group,
        helpers=helpers,
        least=value.value_with(1),
        most=value.value_with(6),
    )


def table_of_dice(odds: Odds) -> Chances:
    """Return the table of both dice, and the three chances in whole per cent, which add up
    to 100.
    """
    won, level, lost = battle.percents((odds.won, odds.level, odds.lost))
    rows = [[pair(ours, theirs) for ours, theirs in row] for row in odds.rows]
    return Chances(
        rows=list(zip(("I", "II", "III", "IV", "V", "VI"), rows, strict=True)),
        won=odds.won,
        level=odds.level,
        lost=odds.lost,
        won_text=won,
        level_text=level,
        lost_text=lost,
        held=battle.share(battle.PAIRS - odds.won),
    )


def pair(ours: int, theirs: int) -> Pair:
    """Return a pair of dice with its result."""
    result = "won" if ours > theirs else "level" if ours == theirs else "lost"
    return Pair(ours=ours, theirs=theirs, result=result)


def origins(position: Position, army: str) -> list[Origin]:
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
            Origin(
                key=key,
                name=space(key),
                cost=cost,
                is_far=cost > position.ip,
                support=won.ours.support,
                won=battle.percent(won.won),
                pairs=won.won,
                is_here=key == position.at,
            )
        )
    return sorted(rows, key=lambda way: (way.is_far, -way.pairs, way.cost, way.name))


def what_if(odds: Odds) -> list[Case]:
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
        Case(
            text=what,
            was=was,
            now=battle.percent(battle.between(ours, theirs).won),
            ours=value(ours),
            theirs=value(theirs),
        )
        for what, ours, theirs in cases
    ]


def value(one: Value) -> str:
    """A side's value as a formula: "(d + 3) × 2"."""
    return f"(d + {one.support}) × {one.times}" if one.times > 1 else f"d + {one.support}"


@dataclass(frozen=True, slots=True, kw_only=True)
class WayToSpace:
    """The cheapest way to a space, and the move that goes there."""

    move: OfferedMove
    cost: int
    steps: Sequence[str]
    left: str
    """The points that are left then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenSpace:
    """The space that was chosen on the board: the way there, or the move that cannot be made."""

    name: str
    coord: str
    way: WayToSpace | None = None
    forbidden: OfferedMove | None = None


def spot(position: Position, key: str, reach: Mapping[str, battle.Way]) -> ChosenSpace:
    """Return a space that was chosen on the board."""
    chosen = ChosenSpace(name=space(key), coord=SPACES[key].coord)
    if key in reach:
        way = reach[key]
        return replace(
            chosen,
            way=WayToSpace(
                move=offered_move(position, "move", path=list(way.path)),
                cost=way.cost,
                steps=[space(step) for step in way.path],
                left=counted_phrase("points-left", position.ip - way.cost),
            ),
        )
    if key == position.at:
        return chosen
    far = battle.reach(position, position.at, battle.FAR).get(key) if position.at else None
    path = list(far.path) if far else [key]
    return replace(chosen, forbidden=offered_move(position, "move", path=path))

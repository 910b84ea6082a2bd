"""The possible moves of an Emperor with their prices, and attacks with their chances."""

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
    """A move that the page offers."""

    do: str
    fields: Sequence[tuple[str, str]]
    """The fields of its form."""
    refused: str = ""
    """The reason why the rules forbid it now; empty if they allow it."""
    rule: str = ""
    cost: int | None = None
    name: str = ""
    """The space to which it leads, if the page shows it."""
    text: str = ""
    """The words on its button, if the template does not write them."""
    is_rome: bool = False


def offered_move(position: Position, name: str, **given: Any) -> OfferedMove:
    """Return a move that the page offers: its form, its price, or the rule that forbids it."""
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
    """Return the spaces that the Emperor can reach with the points left, with the cheapest ways."""
    if position.phase != "roman" or position.at is None:
        return {}
    taken = {where for who, where in position.figures.items() if who != position.emperor}
    return {
        key: way
        for key, way in battle.reach(position, position.at, position.ip).items()
        if way.path and key not in taken
    }


def legs(position: Position, path: tuple[str, ...]) -> list[Leg]:
    """Return the steps of a way, each with its price."""
    here, travelled = str(position.at), []
    for to in path:
        travelled.append(Leg(here, to, battle.step(position, here, to) or 0))
        here = to
    return travelled


def entries(position: Position) -> list[OfferedMove]:
    """Return the entries of an Emperor who is off the board: ROMA and the capital."""
    return [
        replace(offered_move(position, "enter", at=key), name=space(key), is_rome=key == ROMA)
        for key in (ROMA, EMPERORS[position.emperor].capital)
    ]


def moves_in_place(position: Position) -> list[OfferedMove]:
    """Return the moves in the Emperor's space: secure, subdue."""
    at = position.at
    if at is None:
        return []
    token, moves = position.tokens.get(at), []
    if token in (UNREST, REVOLT):
        moves.append(
            replace(
                offered_move(position, "subdue", how="remove"),
                text=phrase_text(f"remove-{token}", space=space(at)),
            )
        )
    if token == REVOLT:
        moves.append(
            replace(
                offered_move(position, "subdue", how="calm"),
                text=phrase_text("calm", space=space(at)),
            )
        )
    if token is None and at not in PRINTED:
        border = SPACES[at].outside
        moves.append(
            replace(
                offered_move(position, "secure"),
                text=phrase_text("secure-border" if border else "secure", space=space(at)),
            )
        )
    return moves


def sails(position: Position) -> list[OfferedMove]:
    """Return the possible voyages of the fleets."""
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
    """Return the armies that the Emperor can attack without moving, each with its price."""
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
    """A pair of dice: the values of both sides, and the result (`won`, `level` or `lost`)."""

    rome: int
    foe: int
    result: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Chances:
    """The table of both dice, and the chances of its three results.

    They are given as pairs of 36, and in per cents that add up to 100.
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
    """A change that would alter the chance of victory."""

    text: str
    was: str
    now: str
    rome: str
    foe: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedAttack:
    """An attack from the best space: its terms, all pairs of dice, and possible changes."""

    emperor: str
    who: str
    at_name: str
    is_here: bool
    """Whether the Emperor is in that space."""
    odds: Chances
    rome: Side
    foe: Side
    what_if: Sequence[Case]
    move: OfferedMove | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackOnArmy:
    """The attack on an army; not explained if the Emperor reaches no space for it."""

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
    """Return an explanation of an attack from a space on an army."""
    odds = battle.odds_against(position, position.emperor, at, army)
    is_here = at == position.at
    return ExplainedAttack(
        emperor=position.emperor,
        who=emperor(position.emperor),
        at_name=space(at),
        is_here=is_here,
        odds=table_of_dice(odds),
        rome=side(odds.rome, [emperor(key) for key in odds.rome.helpers], "chain"),
        foe=side(odds.foe, [space(key) for key in odds.foe.helpers], "revolts"),
        what_if=what_if(odds, has_token=position.supply[position.emperor] > 0),
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
    """Return the table of both dice with the three chances in whole per cents."""
    won, level, lost = battle.percents((odds.won, odds.level, odds.lost))
    rows = [[pair(rome, foe) for rome, foe in row] for row in odds.rows]
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


def pair(rome: int, foe: int) -> Pair:
    """Return a pair of dice with its result."""
    result = "won" if rome > foe else "level" if rome == foe else "lost"
    return Pair(rome=rome, foe=foe, result=result)


def origins(position: Position, army: str) -> list[Origin]:
    """Return the spaces from which the army can be attacked, the best first.

    The price includes the way there.
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
        won = battle.odds_against(position, position.emperor, key, army)
        rows.append(
            Origin(
                key=key,
                name=space(key),
                cost=cost,
                is_far=cost > position.ip,
                support=won.rome.support,
                won=battle.percent(won.won),
                pairs=won.won,
                is_here=key == position.at,
            )
        )
    return sorted(rows, key=lambda way: (way.is_far, -way.pairs, way.cost, way.name))


def what_if(odds: Odds, *, has_token: bool) -> list[Case]:
    """Return possible changes of the chance: one more token, one helper less, one Revolt less.

    `has_token`: the Emperor has a token in reserve.
    """
    cases: list[tuple[str, Value, Value]] = []
    if has_token:
        more = odds.rome._replace(support=odds.rome.support + 1)
        cases.append((phrase_text("if-token"), more, odds.foe))
    for helper in odds.rome.helpers:
        rest = tuple(other for other in odds.rome.helpers if other != helper)
        cases.append(
            (
                phrase_text("if-away", name=emperor(helper)),
                odds.rome._replace(helpers=rest),
                odds.foe,
            )
        )
    if odds.foe.support > 1:
        cases.append(
            (phrase_text("if-revolt"), odds.rome, odds.foe._replace(support=odds.foe.support - 1))
        )
    was = battle.percent(odds.won)
    return [
        Case(
            text=what,
            was=was,
            now=battle.percent(battle.odds_between(rome, foe).won),
            rome=formula(rome),
            foe=formula(foe),
        )
        for what, rome, foe in cases
    ]


def formula(side: Value) -> str:
    """Return a side's value as a formula: "(d + 3) × 2"."""
    return f"(d + {side.support}) × {side.times}" if side.times > 1 else f"d + {side.support}"


@dataclass(frozen=True, slots=True, kw_only=True)
class WayToSpace:
    """The cheapest way to a space, and the move that goes there."""

    move: OfferedMove
    cost: int
    steps: Sequence[str]
    left: str
    """The points left afterwards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenSpace:
    """The space that was chosen on the board: the way there, or the move that is forbidden."""

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

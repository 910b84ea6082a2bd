"""The views of a game: rows for the table, offers, and pending tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

from engine.effects import Phrase
from engine.errors import IllegalMove
from engine.strict_json import check_keys
from games.contract.title import Branch, Offer, Rows, SeatInfo, Standing, TurnPart, Waiting
from games.kit.records import (
    GM,
    Given,
    certain_branch,
    legal_choices,
    links_by_turn,
    offer_choices,
    read_flag,
    read_names,
    read_numbers,
    read_object,
    read_one_of,
    read_whole,
)
from games.tetrarchia.rules import barbarians, battle, moves
from games.tetrarchia.rules.moves import MOVES, TetrarchyMove
from games.tetrarchia.rules.position import (
    ADJACENT,
    ARMIES,
    BARBARIANS,
    COUNTED,
    EMPERORS,
    GREAT,
    IP,
    LINKS,
    OPTIONS,
    OUTSIDE,
    RESERVE,
    REVOLT,
    ROMA,
    SPACES,
    TOKENS,
    UNREST,
    VARIANTS,
    ZONES,
    Fault,
    Options,
    Position,
    Scenario,
    chosen,
    ordered,
    read_level,
)
from games.tetrarchia.text import words

LAST_LINK = 1000
COLOURS = {"green": "#3d7a3f", "yellow": "#b98a12", "red": "#a93226", "blue": "#2f5f9e"}
TOGETHER = {"tetrarchy": "#6b4f8a", "east": COLOURS["green"], "west": COLOURS["blue"]}
GROUPS = {"begin": "setup", "place_fleets": "setup", "end_turn": "end"}
KINDS = {
    "zones": "choices",
    "path": "choice",
    "tokens": "number",
    "at": "province",
    "target": "province",
}


def seats(scenario: Scenario, options: Options) -> list[SeatInfo]:
    """Return the players' seats with the Emperors they play (2.1)."""
    infos = []
    for seat in options.seats:
        emperors = [EMPERORS[key] for key in options.emperors(seat)]
        colour = TOGETHER.get(seat) or COLOURS[EMPERORS[seat].colour]
        about = words.book()["about"].format(
            names=words.listed(words.holder_name(e.key) for e in emperors)
        )
        infos.append(SeatInfo(seat, words.seat_name(seat), colour, about))
    return infos


def rows(position: Position) -> Rows:
    """Return the position as title-neutral rows.

    There are no contests: battles end within their move and are described by their effects.
    """
    books = {"supply": position.supply, "removed": position.removed, "glory": position.glory}
    accounts = {
        (emperor, key): book[emperor] for key, book in books.items() for emperor in EMPERORS
    }
    accounts |= {
        (emperor, "ip"): position.ip if emperor == position.emperor else 0 for emperor in EMPERORS
    }
    accounts |= {(RESERVE, key): position.reserve[key] for key in COUNTED}
    holdings: dict[str, dict[str, Any]] = {}
    for key in SPACES:
        standing = position.standing(key)
        army = key in position.barbarians
        holdings[key] = {"owner": position.tokens.get(key), "figures": standing, "army": army}
    return Rows(
        holders={
            key: {"space": position.figures[key], "player": position.options.player(key)}
            for key in EMPERORS
        }
        | {RESERVE: {"fleets": list(position.fleets)}},
        accounts=accounts,
        holdings=holdings,
        items={},
        contests={},
    )


def view(position: Position, seat: str | None) -> dict[str, Any]:
    """Return the state of RULES, which is public, with `turn`, `slot` and `order`.

    `turn` is the round, `slot` the seat that moves, `order` the seats.
    """
    return position.encode() | {
        "turn": position.round,
        "slot": mover(position),
        "order": list(position.options.seats),
    }


def mover(position: Position) -> str | None:
    """Return the seat that has to move; None at the end.

    It is also None if the game master has to begin a game of several players.
    """
    options = position.options
    if position.phase == "over" or (position.phase == "setup" and options.players > 1):
        return None
    return options.player(position.emperor)


def waiting(position: Position) -> list[Waiting]:
    """Return the tasks that have to be done before the game can go on."""
    if position.phase == "over":
        return []
    if position.phase == "setup":
        return [Waiting(mover(position) or GM, Phrase("wait-begin", "3.2"))]
    seat = str(mover(position))
    if position.phase == "fleets":
        return [Waiting(seat, Phrase("wait-fleets", "3.5", {"fleets": position.options.level[1]}))]
    return [
        Waiting(
            seat,
            Phrase(
                "wait-turn",
                "4",
                {"emperor": position.emperor, "round": position.round, "ip": position.ip},
            ),
        )
    ]


def course(position: Position) -> list[TurnPart]:
    """Return the rest of the round: the Emperors in their order, each with its seat (2.1, 4)."""
    if position.phase in ("setup", "over"):
        return []
    order, player = list(EMPERORS), position.options.player
    fleets = position.phase == "fleets"
    stretches = (
        [TurnPart(Phrase("course-fleets", "3.5"), (str(mover(position)),), open=True)]
        if fleets
        else []
    )
    for emperor in order[order.index(position.emperor) :]:
        now = not fleets and emperor == position.emperor
        stretches.append(
            TurnPart(Phrase("course-turn", "4", {"emperor": emperor}), (player(emperor),), open=now)
        )
    return stretches


def offers(position: Position, seat: str, by: str) -> list[Offer]:
    """Return the moves of a seat, each with its values or the rule that forbids it.

    The game master of a game of several players may begin it.
    """
    owner = position.options.players > 1
    if seat == GM:
        return [_offer(position, moves.Begin, seat, by)] if owner else []
    if seat not in position.options.seats:
        return []
    mine = [cls for cls in MOVES.values() if not (owner and cls is moves.Begin)]
    return [
        _offer(position, cls, seat, by)
        for cls in mine
        if not cls.variant or position.has_variant(cls.variant)
    ]


def _offer(position: Position, cls: type[TetrarchyMove], seat: str, by: str) -> Offer:
    legal = choices(position, cls, seat, by)
    return offer_choices(cls, seat, by, GROUPS.get(cls.name, "turn"), KINDS, legal)


def branches(position: Position, move: TetrarchyMove) -> list[Branch]:
    return certain_branch(position, move, LAST_LINK)


def links_due(position: Position) -> int:
    return links_by_turn(position.phase, position.round, LAST_LINK)


def score(position: Position) -> list[Standing] | None:
    """Return each seat with the score of 6.3 and the first rank; None before the end.

    All win or lose together.
    """
    if position.result is None:
        return None
    parts = barbarians.score(position)
    facts: dict[str, Any] = {
        "result": position.result,
        "reason": position.reason,
        "round": position.round,
        "level": position.options.digits,
        "variants": sorted(position.options.variants),
        "secured": parts.secured,
        "quiet": parts.quiet,
        "armies": parts.armies,
        "heavy": list(parts.heavy),
    }
    if position.has_variant(GREAT):
        facts |= {"personal": barbarians.personal(position), "titles": barbarians.titles(position)}
    return [
        Standing(seat, parts.points, 1, facts | {"objective": barbarians.objective(position, seat)})
        for seat in position.options.seats
    ]


# A position read from a partial state, as worked examples have it (RULES, Worked examples).

PHASES = ("setup", "fleets", "roman", "over")
REASONS = ("rome", "no_revolt", "no_unrest")
KEYS = {
    "phase",
    "round",
    "emperor",
    "ip",
    "level",
    "variants",
    "options",
    "figures",
    "tokens",
    "barbarians",
    "fleets",
    "supply",
    "reserve",
    "attack_no",
    "can_enter",
    "ip_mod",
    "patres_done",
    "removed",
    "removed_now",
    "glory",
    "result",
    "reason",
}


def read_position(raw: object, scenario: Scenario, options: Options) -> Position:
    """Return the position of a partial state.

    The defaults are: phase roman, round 1, Diocletian with 6 IP, everything else empty. Supply and
    reserve are what remains after the pieces on the board, the tokens given up and the glory.

    Raises:
        MalformedRecord: A value is wrong; the error has its key.
    """
    parts = check_keys("position", raw, KEYS)
    options = _options(parts, options)
    position = Position(scenario, options)
    position.phase = read_one_of("phase", parts.get("phase", "roman"), PHASES)
    position.round = read_whole("round", parts.get("round", 1), 1)
    position.emperor = read_one_of("emperor", parts.get("emperor", position.emperor), EMPERORS)
    position.ip = read_whole("ip", parts.get("ip", IP))
    for emperor, space in read_object("figures", parts.get("figures", {}), EMPERORS).items():
        position.figures[emperor] = None if space is None else read_one_of("figures", space, SPACES)
    tokens = read_object("tokens", parts.get("tokens", {}), SPACES)
    for space in ordered(space for space in tokens if tokens[space] is not None):
        position.tokens[space] = read_one_of("tokens", tokens[space], (UNREST, REVOLT, *EMPERORS))
        if space in OUTSIDE and position.tokens[space] not in EMPERORS:
            raise Fault(f"position.tokens.{space}", "token-beyond")
    position.barbarians = ordered(read_names("barbarians", parts.get("barbarians", []), SPACES))
    position.set_fleets(read_names("fleets", parts.get("fleets", []), ZONES))
    position.patres_done = read_names("patres_done", parts.get("patres_done", []), EMPERORS)
    for key in ("removed", "glory"):
        getattr(position, key).update(read_numbers(key, parts.get(key, {}), EMPERORS))
    for emperor, change in read_object("ip_mod", parts.get("ip_mod", {}), EMPERORS).items():
        position.ip_mod[emperor] = read_whole("ip_mod", change, -IP)
    _count(position, parts)
    position.attack_no = read_whole("attack_no", parts.get("attack_no", 0))
    position.removed_now = read_whole("removed_now", parts.get("removed_now", 0))
    position.can_enter = read_flag("can_enter", parts.get("can_enter", False))
    if parts.get("result") is not None:
        position.result = read_one_of("result", parts["result"], ("won", "lost"))
    if parts.get("reason") is not None:
        position.reason = read_one_of("reason", parts["reason"], REASONS)
    return position


def _options(parts: dict[str, Any], options: Options) -> Options:
    """Return the options with the level, variants and additional options of the state itself.

    The state may have the additional options as an object of flags.
    """
    extras = parts.get("options", sorted(options.extras))
    if type(extras) is dict:
        extras = [key for key, on in extras.items() if read_flag("options", on)]
    variants = parts.get("variants", sorted(options.variants))
    return options._replace(
        level=read_level("position.level", parts.get("level", list(options.level))),
        variants=chosen("position.variants", variants, VARIANTS),
        extras=chosen("position.options", extras, OPTIONS),
    )


def _count(position: Position, parts: dict[str, Any]) -> None:
    """Set supply and reserve as the state names them, and compute the rest."""
    on_board = list(position.tokens.values())
    for emperor in EMPERORS:
        position.supply[emperor] = (
            position.options.level[0] - on_board.count(emperor) - position.removed[emperor]
        )
    position.reserve = {
        UNREST: TOKENS - on_board.count(UNREST) - sum(position.glory.values()),
        REVOLT: TOKENS - on_board.count(REVOLT),
        ARMIES: BARBARIANS - len(position.barbarians),
    }
    # An example may put more on the board than the level or the box has; then nothing is left.
    for book in (position.supply, position.reserve):
        book.update({key: max(0, n) for key, n in book.items()})
    position.supply.update(read_numbers("supply", parts.get("supply", {}), EMPERORS))
    position.reserve.update(read_numbers("reserve", parts.get("reserve", {}), COUNTED))


# The arguments of every legal move, by kind.


def choices(
    position: Position, cls: type[TetrarchyMove], seat: str, by: str
) -> tuple[list[Given], IllegalMove | None]:
    """Return the arguments that make a legal move of this kind for this seat, or the refusal.

    Of the ways to a space only the one of `battle.reach` is listed.
    """
    return legal_choices(position, cls, seat, by or seat, CANDIDATES[cls.name](position))


def _nothing(position: Position) -> Iterator[Given]:
    yield {}


def _fleets(position: Position) -> Iterator[Given]:
    for zones in combinations(ZONES, position.options.level[1]):
        yield {"zones": list(zones)}


def _enter(position: Position) -> Iterator[Given]:
    yield {"at": ROMA}
    yield {"at": EMPERORS[position.emperor].capital}


def _paths(position: Position) -> Iterator[Given]:
    if position.at is None:
        yield {"path": [ROMA]}
        return
    taken = set(position.figures.values())
    ways = battle.reach(position, position.at, position.ip)
    paths = [way.path for space, way in ways.items() if space not in taken]
    for path in paths or [(space,) for space in LINKS[position.at]]:
        yield {"path": list(path)}


def _sails(position: Position) -> Iterator[Given]:
    for zone in ZONES:
        for other in ADJACENT[zone]:
            yield {"from": zone, "to": other}


def _removals(position: Position) -> Iterator[Given]:
    yield {"how": "remove"}
    yield {"how": "calm"}


def _targets(position: Position) -> Iterator[Given]:
    for space in position.barbarians or (LINKS[position.at] if position.at else (ROMA,)):
        yield {"target": space}


def _tokens(position: Position) -> Iterator[Given]:
    for n in range(1, max(1, position.supply[position.emperor]) + 1):
        yield {"tokens": n}


CANDIDATES: dict[str, Callable[[Position], Iterator[Given]]] = {
    "place_fleets": _fleets,
    "enter": _enter,
    "move": _paths,
    "sail": _sails,
    "subdue": _removals,
    "attack": _targets,
    "imperium": _tokens,
    **dict.fromkeys(("begin", "secure", "patres", "end_turn"), _nothing),
}

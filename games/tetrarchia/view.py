"""A game as its readers see it: rows for the table, what may be said now, whom the table waits for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.dice import Dice
from engine.effects import Say
from engine.errors import IllegalMove
from engine.play import play
from engine.title import Branch, Field, Offer, Rows, SeatInfo, Standing, Stretch, Waiting
from games.tetrarchia import moves, scoring, words
from games.tetrarchia.board import EMPERORS, RESERVE, SPACES
from games.tetrarchia.choices import choices
from games.tetrarchia.form import GM, MOVES, TetrarchyMove
from games.tetrarchia.position import COUNTED, Position
from games.tetrarchia.scenario import GREAT, Options

LAST_LINK = 1000
COLOURS = {"green": "#3d7a3f", "yellow": "#b98a12", "red": "#a93226", "blue": "#2f5f9e"}
TOGETHER = {"tetrarchy": "#6b4f8a", "east": COLOURS["green"], "west": COLOURS["blue"]}
GROUPS = {"begin": "setup", "place_fleets": "setup", "end_turn": "end"}
KINDS = {"zones": "choices", "path": "choice", "tokens": "number", "at": "province", "target": "province"}


def seats(options: Options) -> list[SeatInfo]:
    """The players' seats with the Emperors they play (2.1)."""
    made = []
    for seat in options.seats:
        emperors = [EMPERORS[key] for key in options.emperors(seat)]
        colour = TOGETHER.get(seat) or COLOURS[EMPERORS[seat].colour]
        about = words.book()["about"].format(names=words.listed(words.holder_name(e.key) for e in emperors))
        made.append(SeatInfo(seat, words.seat_name(seat), colour, about))
    return made


def rows(position: Position) -> Rows:
    """The position as title-neutral rows. Battles end within their move and are told by their effects: no contests."""
    books = {"supply": position.supply, "removed": position.removed, "glory": position.glory}
    accounts = {(emperor, key): book[emperor] for key, book in books.items() for emperor in EMPERORS}
    accounts |= {(emperor, "ip"): position.ip if emperor == position.emperor else 0 for emperor in EMPERORS}
    accounts |= {(RESERVE, key): position.reserve[key] for key in COUNTED}
    holdings: dict[str, dict[str, Any]] = {}
    for key in SPACES:
        standing = position.standing(key)
        army = key in position.barbarians
        holdings[key] = {"owner": position.tokens.get(key), "figures": standing, "army": army}
    return Rows(
        holders={
            key: {"space": position.figures[key], "player": position.options.player(key)} for key in EMPERORS
        } | {RESERVE: {"fleets": list(position.fleets)}},
        accounts=accounts,
        holdings=holdings,
        items={},
        contests={},
    )  # fmt: skip


def view(position: Position, seat: str | None) -> dict[str, Any]:
    """The state of RULES, open to everybody; beside it `turn` (the round), `slot` (the seat that moves)."""
    return position.encode() | {"turn": position.round, "slot": mover(position), "order": list(position.options.seats)}


def mover(position: Position) -> str | None:
    """The seat whose move it is; None before the beginning, where that is the table owner's, and after the end."""
    options = position.options
    if position.phase == "over" or (position.phase == "setup" and options.players > 1):
        return None
    return options.player(position.emperor)


def waiting(position: Position) -> list[Waiting]:
    """What must be done for the game to go on."""
    if position.phase == "over":
        return []
    if position.phase == "setup":
        return [Waiting(mover(position) or GM, Say("wait-begin", "3.2"))]
    seat = str(mover(position))
    if position.phase == "fleets":
        return [Waiting(seat, Say("wait-fleets", "3.5", {"fleets": position.options.level[1]}))]
    return [Waiting(seat, Say("wait-turn", "4", {"emperor": position.emperor, "round": position.round, "ip": position.ip}))]


def course(position: Position) -> list[Stretch]:
    """The rest of the round: the Emperors in their order, each by the seat that plays him (2.1, 4)."""
    if position.phase in ("setup", "over"):
        return []
    order, player = list(EMPERORS), position.options.player
    fleets = position.phase == "fleets"
    made = [Stretch(Say("course-fleets", "3.5"), (str(mover(position)),), open=True)] if fleets else []
    for emperor in order[order.index(position.emperor) :]:
        now = not fleets and emperor == position.emperor
        made.append(Stretch(Say("course-turn", "4", {"emperor": emperor}), (player(emperor),), open=now))
    return made


def offers(position: Position, seat: str, by: str) -> list[Offer]:
    """The moves of a seat, each with its values or the rule that forbids it; for the game master to begin where he does."""
    owner = position.options.players > 1
    if seat == GM:
        return [_offer(position, moves.Begin, seat, by)] if owner else []
    if seat not in position.options.seats:
        return []
    mine = [cls for cls in MOVES.values() if not (owner and cls is moves.Begin)]
    return [_offer(position, cls, seat, by) for cls in mine if not cls.variant or position.on(cls.variant)]


def _offer(position: Position, cls: type[TetrarchyMove], seat: str, by: str) -> Offer:
    found, refused = choices(position, cls, seat, by)
    keys = list(cls.form)
    fields = tuple(Field(key, KINDS.get(key, "choice"), depends=tuple(keys[:at])) for at, key in enumerate(keys))

    def allowed(key: str, chosen: Mapping[str, Any]) -> Sequence[Any]:
        fit = [given[key] for given in found if all(given.get(k) == value for k, value in chosen.items())]
        return [value for at, value in enumerate(fit) if value not in fit[:at]]

    return Offer(cls.name, cls.name, GROUPS.get(cls.name, "turn"), by, seat, fields=fields, refusal=refused, allowed=allowed)


def branches(position: Position, move: TetrarchyMove) -> list[Branch]:
    """The one way a move without dice turns out; none where dice decide. Raises `IllegalMove` if it is not possible."""
    try:
        played = play(position, move, Dice(LAST_LINK))
    except IllegalMove as refusal:
        if refusal.code != "no-dice":
            raise
        return []
    return [Branch(Say("certain"), (1, 1), played.effects, played.after)]


def links_due(position: Position) -> int:
    """How many links are published now: link n when round n + 1 opens, the last round's when the game is over."""
    if position.phase == "setup":
        return 0
    return min(position.round + (position.phase == "over"), LAST_LINK + 1)


def score(position: Position) -> list[Standing] | None:
    """All win or lose together: each seat has the score of RULES 6.3 and the first rank. None while the game lasts."""
    if position.result is None:
        return None
    parts = scoring.score(position)
    facts: dict[str, Any] = {
        "result": position.result, "reason": position.reason, "round": position.round, "level": position.options.digits,
        "variants": sorted(position.options.variants), "secured": parts.secured, "quiet": parts.quiet,
        "armies": parts.armies, "heavy": list(parts.heavy),
    }  # fmt: skip
    if position.on(GREAT):
        facts |= {"personal": scoring.personal(position), "titles": scoring.titles(position)}
    return [
        Standing(seat, parts.points, 1, facts | {"objective": scoring.objective(position, seat)})
        for seat in position.options.seats
    ]

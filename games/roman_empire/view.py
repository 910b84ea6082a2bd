"""A game as its readers see it: rows for the table, what each seat may see, what may be said, whom the table waits for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.dice import Dice
from engine.effects import Say
from engine.errors import IllegalMove
from engine.play import play
from engine.title import Branch, Field, Offer, Rows, SeatInfo, Standing, Stretch, Waiting
from games.roman_empire import phases, words
from games.roman_empire.board import BARBARIANS, COLOURS, PERIODS
from games.roman_empire.choices import choices
from games.roman_empire.form import GM, MOVES, EmpireMove
from games.roman_empire.position import DONE, FACTION, PEOPLE, Draw, F, P, Place, Position
from games.roman_empire.scenario import Options

PAINT = {"red": "#a3342a", "blue": "#2f5f9e", "white": "#8b8578", "purple": "#6b4f8a"}
GROUPS_OF_MOVES = {"begin": "setup", "order": "draw", "draw": "draw", "keep": "draw", "pass_counter": "draw", "end_phase": "end"}
KINDS = {"land": "province", "to": "choice", "n": "number", "amount": "number", "loot": "flag", "accept": "flag", "hold": "flag"}
KINDS |= {"card": "card", "cities": "choices"}
TO_DEAL = 2
"""Announcements for a counter: it is drawn, then kept or passed on (4.2)."""


def seats(options: Options) -> list[SeatInfo]:
    """A seat a Faction; with two players it says who has it (12)."""
    made = []
    for seat, colour in options.factions.items():
        about = words.book()["about"].format(player=options.owners[seat]) if options.players == 2 else ""
        made.append(SeatInfo(seat, words.faction_name(colour), PAINT[colour], about))
    return made


def rows(position: Position) -> Rows:
    """The position as title-neutral rows. A combat is told by its effects: no contests."""
    items = {(seat, "hand", card): 1 for seat, cards in position.hand.items() for card in cards}
    return Rows(
        holders={
            seat: {"faction": colour, "player": position.owners[seat], "start": position.start.get(seat)}
            for seat, colour in position.factions.items()
        },
        accounts={(seat, track): position.vp[seat][track] for seat in position.seats for track in (P, F)},
        holdings={land: held(position, place) for land, place in position.lands.items()},
        items=items,
        contests={},
        private={(seat, "hand"): (seat,) for seat in position.seats},
    )  # fmt: skip


def held(position: Position, place: Place) -> dict[str, Any]:
    """A land as the table lists it."""
    fort = {} if place.fort is None else {"fort": place.fort.who, "level": place.fort.level}
    return {"owner": position.seat_of(place.who), "group": place.who, "armies": place.n, "city": place.city, **fort}


def view(position: Position, seat: str | None) -> dict[str, Any]:
    """The state of RULES as this reader may know it: `gm` all of it; a seat its own hand, its own counters unless they were
    passed to it and the dealing is not over (4.2), those it passed itself, and what has been revealed (4.4).

    Beside it `turn` (the period), `slot` (whom the table waits for), `order` (the seats), `cards` (how many each has).
    """
    state = position.encode()
    made = state | {
        "turn": position.period,
        "slot": mover(position),
        "order": list(position.seats),
        "cards": {key: len(cards) for key, cards in position.hand.items()},
    }
    if seat == GM or position.phase == "over":
        return made
    made["hand"] = {key: list(cards) for key, cards in position.hand.items() if key == seat}
    made["counters"] = {
        key: {what: n if knows(position, seat, key, what) else None for what, n in of.items()}
        for key, of in position.counters.items()
    }
    # Who comes after whom would tell whose counter is the lower: the next is known when he is called (4.4).
    made["queue"] = []
    if position.draw is not None and position.draw.order[position.draw.i] != seat:
        made["draw"] = {**state["draw"], "open": None}
    return made


def knows(position: Position, seat: str | None, holder: str, what: str) -> bool:
    """Does a seat know another's counter, or its own?"""
    if position.phase == "over" or revealed(position, holder, what):
        return True
    giver = position.passed.get(holder, {}).get(what)
    if seat == holder:
        return giver is None or position.phase != "draw"
    return seat is not None and seat == giver


def revealed(position: Position, holder: str, what: str) -> bool:
    """Has the counter been called this turn (4.4)?"""
    if position.phase not in (PEOPLE, FACTION):
        return False
    return (holder, PEOPLE if what == PEOPLE else FACTION) not in position.queue


def mover(position: Position) -> str | None:
    """The seat the table waits for; None where it goes on by itself and at the end."""
    if position.pending is not None:
        return position.pending.seat
    if position.phase == "draw" and position.draw is not None:
        return position.active
    return position.active if position.phase in (PEOPLE, FACTION) and position.step != DONE else None


def automatic(position: Position) -> str | None:
    """The move by which it goes on by itself now; None if a seat has to speak, or all is over."""
    if position.phase == "setup":
        return "begin"
    if position.phase == "draw":
        return "order" if position.draw is None else None
    if position.phase == "turns" or (position.phase in (PEOPLE, FACTION) and position.step == DONE):
        return "open"
    return None


def waiting(position: Position) -> list[Waiting]:
    """What must be done for the game to go on."""
    going = automatic(position)
    if going is not None:
        return [Waiting(GM, Say(f"wait-{going}", "4", {"period": position.period}))]
    if position.phase == "over":
        return []
    seat, asked = str(mover(position)), position.pending
    if asked is not None:
        return [Waiting(seat, Say(f"wait-{asked.kind}", "8.5", {"land": asked.land, "points": asked.amount}))]
    if position.draw is not None:
        key = "wait-draw" if position.draw.open is None else "wait-keep"
        return [Waiting(seat, Say(key, "4.2", {"what": position.draw.what, "period": position.period}))]
    return [Waiting(seat, Say("wait-phase", "5", {"group": position.current, "period": position.period}))]


def course(position: Position) -> list[Stretch]:
    """The rest of the turn as everybody may know it: counters to be dealt, then the phases, which are called by numbers (4)."""
    made, seats = [], position.seats
    if position.phase == "draw":
        now = position.draw or Draw(seats)
        slots = TO_DEAL * sum(position.counters[seat][now.what] is None for seat in seats)
        if position.draw is not None:
            made.append(Stretch(Say("course-draw", "4.2", {"what": now.what}), (str(position.active),), open=True))
            slots -= 1 if now.open is None else TO_DEAL
        lack = tuple(seat for seat in seats if position.counters[seat][now.what] is None)
        made.append(Stretch(Say(f"course-{now.what}", "4.2"), lack, slots))
        if now.what == PEOPLE:
            made.append(Stretch(Say("course-emperor", "4.2"), seats, TO_DEAL * len(seats)))
        made.append(Stretch(Say("course-phases", "4.4"), seats, 2 * len(seats)))
    elif position.phase in ("turns", PEOPLE, FACTION):
        asked = position.pending
        if asked is not None:
            made.append(Stretch(Say("course-choice", "8.5", {"land": asked.land}), (asked.seat,), open=True))
        if position.phase != "turns" and position.step != DONE:
            phase = Say("course-phase", "5", {"group": position.current})
            made.append(Stretch(phase, (str(position.active),), open=asked is None))
        # In the order of the seats: who comes after whom would tell whose counter is the lower (4.4).
        still = {seat for seat, _ in position.queue}
        made.append(Stretch(Say("course-phases", "4.4"), tuple(seat for seat in seats if seat in still), len(position.queue)))
    made = [one for one in made if one.slots]
    return [*made, Stretch(Say("course-asked", "8.5"), (), maybe=True)] if made else []


def offers(position: Position, seat: str, by: str) -> list[Offer]:
    """The moves of a seat, each with its values or the rule that forbids it; for the game master what goes on by itself."""
    if seat == GM:
        return [_offer(position, cls, seat, by) for cls in MOVES.values() if cls.automatic]
    if seat not in position.seats:
        return []
    return [_offer(position, cls, seat, by) for cls in MOVES.values() if not cls.automatic]


def _offer(position: Position, cls: type[EmpireMove], seat: str, by: str) -> Offer:
    found, refused = choices(position, cls, seat, by)
    keys = list(cls.form)
    fields = tuple(
        Field(key, KINDS.get(key, "choice"), optional=key in cls.optional, depends=tuple(keys[:at]))
        for at, key in enumerate(keys)
    )

    def allowed(key: str, chosen: Mapping[str, Any]) -> Sequence[Any]:
        fit = [given.get(key) for given in found if all(given.get(k) == value for k, value in chosen.items())]
        return [value for at, value in enumerate(fit) if value not in fit[:at]]

    group = GROUPS_OF_MOVES.get(cls.name, "phase")
    return Offer(cls.name, cls.name, group, by, seat, fields=fields, refusal=refused, allowed=allowed)


def branches(position: Position, move: EmpireMove) -> list[Branch]:
    """The one way a move without dice turns out; none where dice decide. Raises `IllegalMove` if it is not possible."""
    try:
        played = play(position, move, Dice(PERIODS))
    except IllegalMove as refusal:
        if refusal.code != "no-dice":
            raise
        return []
    return [Branch(Say("certain"), (1, 1), played.effects, played.after)]


def links_due(position: Position) -> int:
    """How many links are published: none before the end, since each tells the one before, and the first dealt the hands."""
    return PERIODS + 1 if position.phase == "over" else 0


def score(position: Position) -> list[Standing] | None:
    """The seats by their players' points, the best first; None while the game lasts. Ranks are unique: Emperors break ties."""
    if position.result is None:
        return None
    totals = position.result["totals"]
    ranks = {player: rank for rank, player in enumerate(phases.ranking(position, totals), start=1)}
    made = [
        Standing(
            seat, sum(position.vp[seat].values()), ranks[player],
            {"player": player, "p": position.vp[seat][P], "f": position.vp[seat][F], "total": totals[player]},
        )
        for seat, player in position.owners.items()
    ]  # fmt: skip
    return sorted(made, key=lambda one: (one.rank, -one.points))


assert not BARBARIANS & set(COLOURS)

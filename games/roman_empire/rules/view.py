"""The views of a game: rows for the table, the state for each seat, offers, and pending tasks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.effects import Phrase
from engine.strict_json import check_keys
from games.contract.title import Branch, Offer, Rows, SeatInfo, Standing, TurnPart, Waiting
from games.kit.records import (
    GM,
    MOST,
    certain_branch,
    offer_choices,
    read_names,
    read_numbers,
    read_object,
    read_one_of,
    read_whole,
)
from games.roman_empire.rules import phases
from games.roman_empire.rules.choices import choices
from games.roman_empire.rules.moves import MOVES, EmpireMove
from games.roman_empire.rules.position import (
    BARBARIANS,
    CARDS,
    CHART,
    COLOURS,
    DONE,
    EMPERORS,
    EXPAND,
    FACTION,
    FLAGS,
    GROUPS,
    LANDS,
    LOOTED,
    PEOPLE,
    PERIODS,
    REBEL,
    SEATS,
    START,
    WHOLE,
    Combat,
    Draw,
    F,
    Fault,
    Fort,
    Options,
    P,
    Pending,
    Place,
    Position,
    Rebellion,
    Resume,
    Scenario,
    read_colours,
    read_flags,
)
from games.roman_empire.text import words

PAINT = {"red": "#a3342a", "blue": "#2f5f9e", "white": "#8b8578", "purple": "#6b4f8a"}
GROUPS_OF_MOVES = {
    "begin": "setup",
    "order": "draw",
    "draw": "draw",
    "keep": "draw",
    "pass_counter": "draw",
    "end_phase": "end",
}
KINDS = {
    "land": "province",
    "to": "choice",
    "n": "number",
    "amount": "number",
    "loot": "flag",
    "accept": "flag",
    "hold": "flag",
}
KINDS |= {"card": "card", "cities": "choices", "lands": "choices"}
LAST_LINK = PERIODS
TO_DEAL = 2
"""The number of moves for each counter: it is drawn, then kept or passed on (4.2)."""


def seats(scenario: Scenario, options: Options) -> list[SeatInfo]:
    """Return a seat for each Faction; with two players it names its player (12)."""
    infos = []
    for seat, colour in options.factions.items():
        about = (
            words.book()["about"].format(player=options.owners[seat])
            if options.players == 2
            else ""
        )
        infos.append(SeatInfo(seat, words.faction_name(colour), PAINT[colour], about))
    return infos


def rows(position: Position) -> Rows:
    """Return the position as title-neutral rows.

    There are no contests: a combat is described by its effects.
    """
    items = {(seat, "hand", card): 1 for seat, cards in position.hand.items() for card in cards}
    return Rows(
        holders={
            seat: {
                "faction": colour,
                "player": position.owners[seat],
                "start": position.start.get(seat),
            }
            for seat, colour in position.factions.items()
        },
        accounts={
            (seat, track): position.vp[seat][track] for seat in position.seats for track in (P, F)
        },
        holdings={land: land_row(position, place) for land, place in position.lands.items()},
        items=items,
        contests={},
        private={(seat, "hand"): (seat,) for seat in position.seats},
    )


def land_row(position: Position, place: Place) -> dict[str, Any]:
    """Return a land as the table lists it."""
    fort = {} if place.fort is None else {"fort": place.fort.who, "level": place.fort.level}
    return {
        "owner": position.seat_of(place.who),
        "group": place.who,
        "armies": place.n,
        "city": place.city,
        **fort,
    }


def view(position: Position, seat: str | None) -> dict[str, Any]:
    """Return the state of RULES as this reader may know it.

    `gm` sees all of it. A seat sees its own hand, its own counters unless they were passed to it
    and the dealing is not over (4.2), those that it passed itself, and those that have been
    revealed (4.4). The result also has `turn` (the period), `slot` (the seat that has to move),
    `order` (the seats), `cards` (the number of each seat's cards).
    """
    state = position.encode()
    facts = state | {
        "turn": position.period,
        "slot": mover(position),
        "order": list(position.seats),
        "cards": {key: len(cards) for key, cards in position.hand.items()},
    }
    if seat == GM or position.phase == "over":
        return facts
    facts["hand"] = {key: list(cards) for key, cards in position.hand.items() if key == seat}
    facts["counters"] = {
        key: {what: n if knows(position, seat, key, what) else None for what, n in numbers.items()}
        for key, numbers in position.counters.items()
    }
    # The order of the queue would show which seat has the lower counter: a counter is only known
    # when it is called (4.4).
    facts["queue"] = []
    if position.draw is not None and position.draw.order[position.draw.i] != seat:
        facts["draw"] = {**state["draw"], "open": None}
    return facts


def knows(position: Position, seat: str | None, holder: str, what: str) -> bool:
    """Return whether a seat knows a counter of another seat or its own."""
    if position.phase == "over" or revealed(position, holder, what):
        return True
    giver = position.passed.get(holder, {}).get(what)
    if seat == holder:
        return giver is None or position.phase != "draw"
    return seat is not None and seat == giver


def revealed(position: Position, holder: str, what: str) -> bool:
    """Return whether the counter has been called this turn (4.4)."""
    if position.phase not in (PEOPLE, FACTION):
        return False
    return (holder, PEOPLE if what == PEOPLE else FACTION) not in position.queue


def mover(position: Position) -> str | None:
    """Return the seat that has to move; None if an automatic move is next, and at the end."""
    if position.pending is not None:
        return position.pending.seat
    if position.phase == "draw" and position.draw is not None:
        return position.active
    return (
        position.active if position.phase in (PEOPLE, FACTION) and position.step != DONE else None
    )


def automatic(position: Position) -> str | None:
    """Return the next automatic move; None if a seat has to move, and at the end."""
    if position.phase == "setup":
        return "begin"
    if position.phase == "draw":
        return "order" if position.draw is None else None
    if position.phase == "turns" or (position.phase in (PEOPLE, FACTION) and position.step == DONE):
        return "open"
    return None


def waiting(position: Position) -> list[Waiting]:
    """Return the tasks that have to be done before the game can go on."""
    going = automatic(position)
    if going is not None:
        return [Waiting(GM, Phrase(f"wait-{going}", "4", {"period": position.period}))]
    if position.phase == "over":
        return []
    seat, asked = str(mover(position)), position.pending
    if asked is not None:
        return [
            Waiting(
                seat,
                Phrase(f"wait-{asked.kind}", "8.5", {"land": asked.land, "points": asked.amount}),
            )
        ]
    if position.draw is not None:
        key = "wait-draw" if position.draw.open is None else "wait-keep"
        return [
            Waiting(
                seat, Phrase(key, "4.2", {"what": position.draw.what, "period": position.period})
            )
        ]
    return [
        Waiting(
            seat, Phrase("wait-phase", "5", {"group": position.current, "period": position.period})
        )
    ]


def course(position: Position) -> list[TurnPart]:
    """Return the public course of the rest of the turn.

    It has the counters still to be dealt, then the phases, which are called by number (4).
    """
    stretches, seats = [], position.seats
    if position.phase == "draw":
        now = position.draw or Draw(seats)
        slots = TO_DEAL * sum(position.counters[seat][now.what] is None for seat in seats)
        if position.draw is not None:
            stretches.append(
                TurnPart(
                    Phrase("course-draw", "4.2", {"what": now.what}),
                    (str(position.active),),
                    open=True,
                )
            )
            slots -= 1 if now.open is None else TO_DEAL
        lack = tuple(seat for seat in seats if position.counters[seat][now.what] is None)
        stretches.append(TurnPart(Phrase(f"course-{now.what}", "4.2"), lack, slots))
        if now.what == PEOPLE:
            stretches.append(TurnPart(Phrase("course-emperor", "4.2"), seats, TO_DEAL * len(seats)))
        stretches.append(TurnPart(Phrase("course-phases", "4.4"), seats, 2 * len(seats)))
    elif position.phase in ("turns", PEOPLE, FACTION):
        asked = position.pending
        if asked is not None:
            stretches.append(
                TurnPart(
                    Phrase("course-choice", "8.5", {"land": asked.land}), (asked.seat,), open=True
                )
            )
        if position.phase != "turns" and position.step != DONE:
            phase = Phrase("course-phase", "5", {"group": position.current})
            stretches.append(TurnPart(phase, (str(position.active),), open=asked is None))
        # In the order of the seats: the order of the queue would show which seat has the lower
        # counter (4.4).
        still = {seat for seat, _ in position.queue}
        stretches.append(
            TurnPart(
                Phrase("course-phases", "4.4"),
                tuple(seat for seat in seats if seat in still),
                len(position.queue),
            )
        )
    stretches = [stretch for stretch in stretches if stretch.slots]
    return (
        [*stretches, TurnPart(Phrase("course-asked", "8.5"), (), maybe=True)] if stretches else []
    )


def offers(position: Position, seat: str, by: str) -> list[Offer]:
    """Return the moves of a seat, each with its values or the rule that forbids it.

    The game master gets the automatic moves.
    """
    if seat == GM:
        return [_offer(position, cls, seat, by) for cls in MOVES.values() if cls.automatic]
    if seat not in position.seats:
        return []
    return [_offer(position, cls, seat, by) for cls in MOVES.values() if not cls.automatic]


def _offer(position: Position, cls: type[EmpireMove], seat: str, by: str) -> Offer:
    legal = choices(position, cls, seat, by)
    return offer_choices(cls, seat, by, GROUPS_OF_MOVES.get(cls.name, "phase"), KINDS, legal)


def branches(position: Position, move: EmpireMove) -> list[Branch]:
    return certain_branch(position, move, LAST_LINK)


def links_due(position: Position) -> int:
    """Return how many links are published: none before the end.

    Each link reveals the one before, and the first dealt the hands.
    """
    return PERIODS + 1 if position.phase == "over" else 0


def score(position: Position) -> list[Standing] | None:
    """Return the seats by their players' points, the best first; None before the end.

    Ranks are unique because Emperors break ties.
    """
    if position.result is None:
        return None
    totals = position.result["totals"]
    ranks = {player: rank for rank, player in enumerate(phases.ranking(position, totals), start=1)}
    rows = [
        Standing(
            seat,
            sum(position.vp[seat].values()),
            ranks[player],
            {
                "player": player,
                "p": position.vp[seat][P],
                "f": position.vp[seat][F],
                "total": totals[player],
            },
        )
        for seat, player in position.owners.items()
    ]
    return sorted(rows, key=lambda standing: (standing.rank, -standing.points))


assert not BARBARIANS & set(COLOURS)


# A position read from a partial state, as worked examples have it (RULES, Worked examples).

PHASES = ("setup", "draw", "turns", PEOPLE, FACTION, "over")
WHAT = (PEOPLE, "emperor")
BONUSES = {
    "three_dice": bool,
    "ties": bool,
    "no_fort_bonus": bool,
    "ignore_terrain": bool,
    "attack_plus": int,
    "save_losses": int,
    "surprise": str,
    "revolt": dict,
}
NUMBERS = ("in_hand", "free_forts", "combat_no")
KEYS = {
    "period",
    "phase",
    "active",
    "queue",
    "factions",
    "start",
    "control",
    "vp",
    "counters",
    "prev_people",
    "hand",
    "current",
    "start_land",
    "emperor",
    "step",
    "effects",
    "built",
    "legion_limit",
    "combat",
    "pending",
    "resume",
    "played",
    "draw",
    "rebellion",
    "lands",
    "losses",
    "players",
    "result",
    "options",
    "bribed",
    "passed",
    "earned",
    *NUMBERS,
}


def read_position(raw: object, scenario: Scenario, options: Options) -> Position:
    """Return the position of a partial state.

    The defaults of missing or null values are: period 1, phase people, seat A active, step start,
    the seats of `factions` (all four if these are missing), the legion limit of their number,
    everything else empty.

    Raises:
        MalformedRecord: A value is wrong; the error has its key.
    """
    parts = {
        key: value for key, value in check_keys("position", raw, KEYS).items() if value is not None
    }
    given = parts.get("options", {})
    flags = options.flags
    if given:
        check_keys("position.options", given, {*FLAGS, "players", "factions"})
        flags = read_flags("position.options", given)
    position = Position(scenario, options._replace(flags=flags))
    _seats(position, parts)
    position.period = read_whole("period", parts.get("period", 1), 1)
    if position.period > PERIODS:
        raise Fault("position.period", "at-most", most=PERIODS)
    position.phase = _one_of("phase", parts.get("phase", PEOPLE), PHASES)
    acting = position.phase in (PEOPLE, FACTION)
    if acting or "active" in parts:
        position.active = _one_of("active", parts.get("active", position.seats[0]), position.seats)
    position.step = _one_of("step", parts.get("step", START), (START, EXPAND, DONE))
    for name in NUMBERS:
        setattr(position, name, read_whole(name, parts.get(name, 0)))
    if parts.get("legion_limit"):
        position.legion_limit = read_whole("legion_limit", parts["legion_limit"])
    _groups(position, parts)
    _books(position, parts)
    _lands(position, parts)
    _unfinished(position, parts)
    return position


def _seats(position: Position, parts: dict[str, Any]) -> None:
    if "factions" in parts:
        factions = read_object("factions", parts["factions"], SEATS)
        if not factions:
            raise Fault("position.factions", "a-seat")
        read_colours("position.factions", tuple(factions.values()))
        seats = {seat: str(factions[seat]) for seat in SEATS if seat in factions}
    else:
        seats = dict(position.factions)
    owners = {seat: seat for seat in seats}
    for seat, player in read_object("players", parts.get("players", {}), seats).items():
        if type(player) is not str or not player:
            raise Fault("position.players", "players-named")
        owners[seat] = player
    if "factions" not in parts and "players" not in parts:
        owners = position.options.owners
    position.seat_players(seats, owners)


def _groups(position: Position, parts: dict[str, Any]) -> None:
    for group, seat in read_object("control", parts.get("control", {}), BARBARIANS).items():
        if seat is not None:
            position.control[group] = _one_of("control", seat, position.seats)
    for seat, land in read_object("start", parts.get("start", {}), position.seats).items():
        if land is not None:
            position.start[seat] = _one_of("start", land, LANDS)
    if "current" in parts:
        position.current = _one_of("current", parts["current"], GROUPS)
    elif position.phase == FACTION:
        position.current = position.colour
    if "start_land" in parts:
        position.start_land = _one_of("start_land", parts["start_land"], LANDS)
    if "emperor" in parts:
        position.emperor = read_whole("emperor", parts["emperor"], 1)
        if position.emperor not in EMPERORS:
            raise Fault("position.emperor", "on-chart")


def _books(position: Position, parts: dict[str, Any]) -> None:
    seats = position.seats
    for seat, points in read_object("vp", parts.get("vp", {}), seats).items():
        position.vp[seat].update(read_numbers("vp", points, ("p", "f")))
    for seat, numbers in read_object("counters", parts.get("counters", {}), seats).items():
        for what, n in read_object("counters", numbers, WHAT).items():
            position.counters[seat][what] = None if n is None else read_whole("counters", n, 1)
    position.prev_people = read_numbers("prev_people", parts.get("prev_people", {}), seats)
    for seat, counts in read_object("played", parts.get("played", {}), seats).items():
        position.played[seat].update(read_numbers("played", counts, (PEOPLE, FACTION)))
    for seat, cards in read_object("hand", parts.get("hand", {}), seats).items():
        position.hand[seat] = _names("hand", cards, CARDS)
    for seat, givers in read_object("passed", parts.get("passed", {}), seats).items():
        position.passed[seat] = {
            what: _one_of("passed", by, seats)
            for what, by in read_object("passed", givers, WHAT).items()
        }
    position.losses.update(read_numbers("losses", parts.get("losses", {}), COLOURS))
    lines = {*(f"people-{people.id}" for people in CHART), *(f"emperor-{key}" for key in EMPERORS)}
    for line, points in read_object("earned", parts.get("earned", {}), lines).items():
        position.earned[line] = read_whole("earned", points, -MOST)
    position.built = _names("built", parts.get("built", []), LANDS)
    position.queue = [
        (seat, phase)
        for seat, phase in _pairs("queue", parts.get("queue", []), seats, (PEOPLE, FACTION))
    ]
    position.bribed = _pairs("bribed", parts.get("bribed", []), BARBARIANS, COLOURS)


def _lands(position: Position, parts: dict[str, Any]) -> None:
    for land, contents in read_object("lands", parts.get("lands", {}), LANDS).items():
        facts = {
            k: v
            for k, v in check_keys(
                f"position.lands.{land}", contents, {"who", "n", "city", "fort", "of"}
            ).items()
            if v is not None
        }
        n = read_whole("lands", facts.get("n", 0))
        who = _one_of("lands", facts["who"], GROUPS) if "who" in facts else None
        if who is None and n:
            raise Fault(f"position.lands.{land}", "armies-group")
        who = who if n else None
        city = _one_of("lands", facts["city"], (WHOLE, LOOTED)) if "city" in facts else None
        fort = None
        if "fort" in facts:
            of_fort = check_keys(
                f"position.lands.{land}.fort", facts["fort"], {"who", "level"}, {"who"}
            )
            fort = Fort(
                _one_of("lands", of_fort["who"], COLOURS),
                read_whole("lands", of_fort.get("level", 1), 1),
            )
        of_faction = (
            _one_of("lands", facts["of"], COLOURS) if "of" in facts and who == REBEL else None
        )
        position.lands[land] = Place(who, n, city, fort, of_faction)


def _rebellion(raw: object) -> Rebellion:
    """Return a Rebellion that waits for a decision on a retreat."""
    needed = {"card", "land", "of", "rebels"}
    parts = check_keys("position.rebellion", raw, set(Rebellion._fields), needed)
    cards = [key for key, card in CARDS.items() if card.kind == "rebellion"]
    return Rebellion(
        _one_of("rebellion", parts["card"], cards),
        _one_of("rebellion", parts["land"], LANDS),
        _one_of("rebellion", parts["of"], COLOURS),
        read_whole("rebellion", parts["rebels"], 1),
        read_whole("rebellion", parts.get("round", 0)),
        parts.get("hold") is True,
    )


def _unfinished(position: Position, parts: dict[str, Any]) -> None:
    for key, value in read_object("effects", parts.get("effects", {}), BONUSES).items():
        if value is not None and value is not False:
            position.bonus[key] = _bonus(key, value)
    if "resume" in parts:
        given = check_keys(
            "position.resume", parts["resume"], {"current", "in_hand", "start_land"}, {"current"}
        )
        land = given.get("start_land")
        position.resume = Resume(
            _one_of("resume", given["current"], GROUPS),
            read_whole("resume", given.get("in_hand", 0)),
            None if land is None else _one_of("resume", land, LANDS),
        )
    if "combat" in parts:
        position.combat = _combat(parts["combat"])
    if "rebellion" in parts:
        position.rebellion = _rebellion(parts["rebellion"])
    if "pending" in parts:
        given = check_keys(
            "position.pending", parts["pending"], set(Pending._fields), {"kind", "seat", "land"}
        )
        position.pending = Pending(
            _one_of("pending", given["kind"], ("retreat", "offer", "answer")),
            _one_of("pending", given["seat"], position.seats),
            _one_of("pending", given["land"], LANDS),
            tuple(_names("pending", given.get("to", []), LANDS)),
            read_whole("pending", given.get("amount", 0)),
            given.get("loot") is True,
        )
        chosen = (
            "choose_retreat" in position.options.flags
            and position.lands[position.pending.land].n > 0
        )
        from_start = chosen and position.makes_way
        struggle = position.rebellion or position.combat
        if not from_start and (struggle is None or struggle.land != position.pending.land):
            raise Fault("position.pending", "pending-combat")
    if "draw" in parts:
        given = check_keys("position.draw", parts["draw"], set(Draw._fields), {"order"})
        order = tuple(_names("draw", given["order"], position.seats))
        draw = Draw(
            order,
            _one_of("draw", given.get("what", PEOPLE), WHAT),
            read_whole("draw", given.get("i", 0)),
            read_whole("draw", given.get("n", 0)),
        )
        if sorted(order) != sorted(position.seats) or draw.i >= len(order):
            raise Fault("position.draw", "draw-order")
        position.draw = (
            draw
            if given.get("open") is None
            else draw._replace(open=read_whole("draw", given["open"], 1))
        )
        position.active = order[draw.i]
    if "result" in parts:
        given = check_keys(
            "position.result", parts["result"], {"totals", "winner"}, {"totals", "winner"}
        )
        players = set(position.owners.values())
        position.result = {
            "totals": read_numbers("result", given["totals"], players),
            "winner": _one_of("result", given["winner"], players),
        }


def _combat(raw: object) -> Combat:
    given = check_keys("position.combat", raw, set(Combat._fields), {"land", "no"})
    flags = {key: given[key] for key in ("terrain", "loot", "hold", "standing") if key in given}
    if (
        any(type(flag) is not bool for flag in flags.values())
        or type(given.get("source", "")) is not str
    ):
        raise Fault("position.combat", "no-combat")
    holder = None if given.get("holder") is None else _one_of("combat", given["holder"], GROUPS)
    return Combat(
        _one_of("combat", given["land"], LANDS),
        read_whole("combat", given["no"]),
        holder,
        given.get("source", ""),
        plus=read_whole("combat", given.get("plus", 0)),
        round=read_whole("combat", given.get("round", 0)),
        **flags,
    )


def _bonus(key: str, value: Any) -> Any:
    kind = BONUSES[key]
    if kind is dict:
        given = check_keys("position.effects.revolt", value, {"land", "n"}, {"land", "n"})
        return {
            "land": _one_of("effects", given["land"], LANDS),
            "n": read_whole("effects", given["n"]),
        }
    if type(value) is not kind:
        raise Fault(f"position.effects.{key}", "kind-of", kind=kind.__name__)
    if kind is str:
        _one_of("effects", value, LANDS)
    return read_whole("effects", value) if kind is int else value


def _names(where: str, value: object, allowed: Iterable[str]) -> list[str]:
    return read_names(where, value, sorted(allowed))


def _pairs(
    where: str, value: object, first: Iterable[str], second: Iterable[str]
) -> list[tuple[str, str]]:
    if type(value) is not list or any(type(pair) is not list or len(pair) != 2 for pair in value):
        raise Fault(f"position.{where}", "pairs")
    return [(_one_of(where, a, first), _one_of(where, b, second)) for a, b in value]


def _one_of(where: str, value: object, allowed: Iterable[str]) -> str:
    return read_one_of(where, value, sorted(allowed))

"""The tables beside the map: seats, points, counters, areas, Peoples, Emperors, lands."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from games.roman_empire.drawing.map import land_contents
from games.roman_empire.page import deciding, placing
from games.roman_empire.page.reader import may_know, stage_of
from games.roman_empire.rules import phases, view
from games.roman_empire.rules.phases import TIMES
from games.roman_empire.rules.position import (
    AREAS,
    CHART,
    EMPERORS,
    FACTION,
    LANDS,
    NEAR,
    OF_AREA,
    PEOPLE,
    POINTS,
    F,
    P,
    Position,
)
from games.roman_empire.text.english import BOARD
from games.roman_empire.text.words import (
    bonus,
    faction_name,
    group_name,
    land,
    numeral,
    phrase_text,
    seat_name,
)

SIDES = (PEOPLE, FACTION)
EMPEROR = "emperor"


def named(position: Position, seat: str) -> dict[str, str]:
    return {
        "key": seat,
        "name": faction_name(position.factions[seat]),
        "seat_name": seat_name(seat),
    }


def scores(position: Position) -> dict[str, Any]:
    """Points of Peoples and of the Faction, seat by seat, with what each side would score now; and
    by player of two seats.
    """
    rows = []
    most = max([sum(of.values()) for of in position.vp.values()] + [1])
    for seat, colour in position.factions.items():
        p, f = position.vp[seat][P], position.vp[seat][F]
        rows.append(
            {
                **named(position, seat),
                "p": p,
                "f": f,
                "sum": p + f,
                "p_share": f"{p * 100 / most:.1f}",
                "f_share": f"{f * 100 / most:.1f}",
                "legions": position.on_map(colour),
                "lands": len(position.held(colour)),
                "peoples": [
                    f"{group_name(key)} ({position.on_map(key)})"
                    for key, of in position.control.items()
                    if of == seat and position.on_map(key)
                ],
                "cards": len(position.hand.get(seat, [])),
                "owner": seat_name(position.owners[seat]),
                "would": {side: phases.score(position, seat, side).points for side in SIDES},
            }
        )
    players = dict.fromkeys(position.owners.values(), 0)
    for seat, of in position.vp.items():
        players[position.owners[seat]] += sum(of.values())
    both = (
        [(seat_name(player), n) for player, n in players.items()]
        if len(players) < len(position.seats)
        else []
    )
    return {"rows": rows, "players": both}


def counters(position: Position, seen: Collection[str]) -> list[dict[str, Any]]:
    """The counters of this period as far as the reader may know them."""
    rows = []
    for seat in position.seats:
        row: dict[str, Any] = named(position, seat)
        for what in (PEOPLE, EMPEROR):
            n = position.counters[seat][what]
            known = n is not None and (
                position.phase == "over" or may_know(position, seen, seat, what)
            )
            row[what] = deciding.counter(position.period, what, n) if known and n else None
            row[f"{what}_has"] = n is not None
        rows.append(row)
    return rows


def areas(position: Position) -> list[dict[str, Any]]:
    """Every area: its points now and in the next period, and who holds it how (10.1)."""
    rows = []
    for key, name in AREAS.items():
        points = POINTS[key]
        value = points[position.period - 1]
        holders = []
        for seat, colour in position.factions.items():
            for side in SIDES:
                how = phases.holding(position, seat, side, key)
                if how:
                    of = (
                        faction_name(colour)
                        if side == FACTION
                        else phrase_text("peoples-of", seat=seat_name(seat))
                    )
                    holders.append(
                        {
                            "key": seat,
                            "name": of,
                            "how": phrase_text(f"how-{how}"),
                            "points": value * TIMES[how],
                        }
                    )
        following = points[position.period] if position.period < len(points) else None
        rows.append(
            {
                "key": key,
                "name": name,
                "value": value,
                "times": [value * n for n in TIMES.values()],
                "next": following,
                "holders": holders,
            }
        )
    return rows


def chart(position: Position, seen: Collection[str]) -> dict[str, Any]:
    """The Peoples and Emperors of the period, and who has which, as far as the reader may know."""
    period = position.period
    has: dict[tuple[str, int], str] = {}
    for seat in position.seats:
        for what in (PEOPLE, EMPEROR):
            n = position.counters[seat][what]
            if n is not None and may_know(position, seen, seat, what):
                has[what, n] = seat
    peoples = [
        {
            "n": one.n,
            "name": one.name,
            "start": land(one.start),
            "strength": one.strength,
            "there": position.on_map(one.key),
            "who": named(position, has[PEOPLE, one.n]) if (PEOPLE, one.n) in has else None,
        }
        for one in CHART
        if one.period == period
    ]
    emperors = [
        {
            "n": one.n,
            "name": one.name,
            "text": bonus(one),
            "who": named(position, has[EMPEROR, one.n]) if (EMPEROR, one.n) in has else None,
        }
        for one in EMPERORS.values()
        if one.period == period
    ]
    return {"peoples": peoples, "emperors": emperors, "period": numeral(period)}


def why_nowhere(position: Position, key: str) -> tuple[str, str] | None:
    """Why nobody can be placed in a land now, and the rule; None where nobody is placed at all."""
    return placing.why_not(position, key) if stage_of(position) == "act" else None


def spot(position: Position, key: str) -> dict[str, Any]:
    """A land that was chosen on the board."""
    one = LANDS[key]
    return {
        "key": key,
        "name": one.name,
        "area": AREAS[one.area],
        "there": land_contents(position, key),
        "coast": one.coastal,
        "resource": one.resource,
        "why": why_nowhere(position, key),
    }


def lands(position: Position) -> list[dict[str, Any]]:
    """The board as a table, area by area."""
    return [
        {
            "name": name,
            "rows": [
                {
                    "key": key,
                    "name": land(key),
                    "there": ", ".join(land_contents(position, key)),
                    "seat": position.seat_of(position.lands[key].who) or "",
                    "resource": LANDS[key].resource,
                    "near": [
                        {"name": land(other), "hard": phrase_text(f"over-{hard}") if hard else ""}
                        for other, hard in NEAR[key].items()
                    ],
                }
                for key in OF_AREA[area]
            ],
        }
        for area, name in AREAS.items()
    ]


def seats_line(position: Position) -> list[dict[str, Any]]:
    """The seats in one line: name, points, what each does now."""
    now = view.mover(position)
    rows = []
    for seat, colour in position.factions.items():
        points = sum(position.vp[seat].values())
        doing = ""
        if seat == now and position.pending is not None:
            doing = str(BOARD.text("is-asked"))
        elif seat == now and position.phase == "draw":
            doing = str(BOARD.text("draws"))
        elif seat == position.active and position.phase in (PEOPLE, FACTION):
            doing = str(BOARD.text("acts", group=group_name(position.current)))
        rows.append(
            {
                "key": seat,
                "name": faction_name(colour),
                "colour": colour,
                "seat_name": seat_name(seat),
                "points": points,
                "doing": doing,
                "now": seat == now,
            }
        )
    return rows

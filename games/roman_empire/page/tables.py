"""The tables beside the map: seats, points, counters, areas, Peoples, Emperors, lands."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from games.roman_empire.drawing.map import land_contents
from games.roman_empire.page import deciding, placing
from games.roman_empire.page.deciding import Counter
from games.roman_empire.page.reader import SeatOfFaction, may_know, named, stage_of
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
    group_in_sentence,
    group_name,
    land,
    numeral,
    phrase_text,
    seat_name,
)

SIDES = (PEOPLE, FACTION)
EMPEROR = "emperor"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatScore:
    """The points of a seat, of its Peoples (`p`) and of its Faction (`f`)."""

    key: str
    name: str
    seat_name: str
    p: int
    f: int
    sum: int
    p_share: str
    """The length of the bar, in per cent."""
    f_share: str
    legions: int
    peoples: Sequence[str]
    cards: int
    would_people: int
    """The points that its Peoples would score now."""
    would_faction: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """The points of all seats, and of players if they have two seats each."""

    rows: Sequence[SeatScore]
    players: Sequence[tuple[str, int]]


def scores(position: Position) -> Scores:
    """Return the points of all seats."""
    rows = []
    most = max([sum(tracks.values()) for tracks in position.vp.values()] + [1])
    for seat, colour in position.factions.items():
        p, f = position.vp[seat][P], position.vp[seat][F]
        rows.append(
            SeatScore(
                key=seat,
                name=faction_name(colour),
                seat_name=seat_name(seat),
                p=p,
                f=f,
                sum=p + f,
                p_share=f"{p * 100 / most:.1f}",
                f_share=f"{f * 100 / most:.1f}",
                legions=position.on_map(colour),
                peoples=[
                    f"{group_name(key)} ({position.on_map(key)})"
                    for key, holder in position.control.items()
                    if holder == seat and position.on_map(key)
                ],
                cards=len(position.hand.get(seat, [])),
                would_people=phases.score(position, seat, PEOPLE).points,
                would_faction=phases.score(position, seat, FACTION).points,
            )
        )
    players = dict.fromkeys(position.owners.values(), 0)
    for seat, tracks in position.vp.items():
        players[position.owners[seat]] += sum(tracks.values())
    both = (
        [(seat_name(player), n) for player, n in players.items()]
        if len(players) < len(position.seats)
        else []
    )
    return Scores(rows=rows, players=both)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatCounters:
    """The counters of a seat, as far as the reader may know them."""

    key: str
    name: str
    people: Counter | None
    has_people: bool
    emperor: Counter | None
    has_emperor: bool


def counters(position: Position, seen: Collection[str]) -> list[SeatCounters]:
    """Return the counters of this period."""
    return [
        SeatCounters(
            key=seat,
            name=faction_name(position.factions[seat]),
            people=known_counter(position, seen, seat, PEOPLE),
            has_people=position.counters[seat][PEOPLE] is not None,
            emperor=known_counter(position, seen, seat, EMPEROR),
            has_emperor=position.counters[seat][EMPEROR] is not None,
        )
        for seat in position.seats
    ]


def known_counter(
    position: Position, seen: Collection[str], seat: str, what: str
) -> Counter | None:
    """Return a counter of a seat if it has one that the reader may know."""
    n = position.counters[seat][what]
    if not n or not (position.phase == "over" or may_know(position, seen, seat, what)):
        return None
    return deciding.counter(position.period, what, n)


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaHolder:
    """A holder of an area, how it holds the area, and the points for that."""

    key: str
    name: str
    how: str
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaRow:
    """An area: its points now and in the next period, and its holders (10.1)."""

    key: str
    name: str
    times: Sequence[int]
    next: int | None
    holders: Sequence[AreaHolder]


def areas(position: Position) -> list[AreaRow]:
    """Return every area."""
    rows = []
    for key, name in AREAS.items():
        points = POINTS[key]
        value = points[position.period - 1]
        holders = []
        for seat, colour in position.factions.items():
            for side in SIDES:
                how = phases.holding(position, seat, side, key)
                if how:
                    name_of_holder = (
                        faction_name(colour)
                        if side == FACTION
                        else phrase_text("peoples-of", seat=seat_name(seat))
                    )
                    holders.append(
                        AreaHolder(
                            key=seat,
                            name=name_of_holder,
                            how=phrase_text(f"how-{how}"),
                            points=value * TIMES[how],
                        )
                    )
        following = points[position.period] if position.period < len(points) else None
        rows.append(
            AreaRow(
                key=key,
                name=name,
                times=[value * n for n in TIMES.values()],
                next=following,
                holders=holders,
            )
        )
    return rows


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleRow:
    """A People in the chart of the period."""

    n: int
    name: str
    start: str
    strength: int
    there: int
    """Its armies on the map."""
    who: SeatOfFaction | None
    """The seat that has it, as far as the reader may know."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EmperorRow:
    """An Emperor in the chart of the period."""

    n: int
    name: str
    text: str
    who: SeatOfFaction | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """The Peoples and Emperors of a period."""

    peoples: Sequence[PeopleRow]
    emperors: Sequence[EmperorRow]
    period: str


def chart(position: Position, seen: Collection[str]) -> Chart:
    """Return the Peoples and Emperors of the period."""
    period = position.period
    has: dict[tuple[str, int], str] = {}
    for seat in position.seats:
        for what in (PEOPLE, EMPEROR):
            n = position.counters[seat][what]
            if n is not None and may_know(position, seen, seat, what):
                has[what, n] = seat
    peoples = [
        PeopleRow(
            n=people.n,
            name=people.name,
            start=land(people.start),
            strength=people.strength,
            there=position.on_map(people.key),
            who=named(position, has[PEOPLE, people.n]) if (PEOPLE, people.n) in has else None,
        )
        for people in CHART
        if people.period == period
    ]
    emperors = [
        EmperorRow(
            n=lord.n,
            name=lord.name,
            text=bonus(lord),
            who=named(position, has[EMPEROR, lord.n]) if (EMPEROR, lord.n) in has else None,
        )
        for lord in EMPERORS.values()
        if lord.period == period
    ]
    return Chart(peoples=peoples, emperors=emperors, period=numeral(period))


def why_nowhere(position: Position, key: str) -> tuple[str, str] | None:
    """Return why no army can be placed in a land, and the rule; None in other stages."""
    return placing.why_not(position, key) if stage_of(position) == "act" else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenLand:
    """The land that was chosen on the board."""

    name: str
    area: str
    there: Sequence[str]
    why: tuple[str, str] | None
    """Why no army can be placed there, and the rule."""


def spot(position: Position, key: str) -> ChosenLand:
    """Return a land that was chosen on the board."""
    place = LANDS[key]
    return ChosenLand(
        name=place.name,
        area=AREAS[place.area],
        there=land_contents(position, key),
        why=why_nowhere(position, key),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NearLand:
    """A land beside another one, and why it is hard to enter."""

    name: str
    hard: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LandRow:
    """A land in the table of the board."""

    key: str
    name: str
    there: str
    seat: str
    """The seat that holds it."""
    resource: bool
    near: Sequence[NearLand]


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaLands:
    """The lands of an area."""

    name: str
    rows: Sequence[LandRow]


def lands(position: Position) -> list[AreaLands]:
    """Return the board as a table, area by area."""
    return [
        AreaLands(name=name, rows=[land_row(position, key) for key in OF_AREA[area]])
        for area, name in AREAS.items()
    ]


def land_row(position: Position, key: str) -> LandRow:
    """Return a land in the table of the board."""
    return LandRow(
        key=key,
        name=land(key),
        there=", ".join(land_contents(position, key)),
        seat=position.seat_of(position.lands[key].who) or "",
        resource=bool(LANDS[key].resource),
        near=[
            NearLand(name=land(other), hard=phrase_text(f"over-{hard}") if hard else "")
            for other, hard in NEAR[key].items()
        ],
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatOnLine:
    """A seat in the line above the board."""

    key: str
    name: str
    points: int
    doing: str
    now: bool


def seats_line(position: Position) -> list[SeatOnLine]:
    """Return the seats in one line."""
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
            doing = str(BOARD.text("acts", group=group_in_sentence(position.current)))
        rows.append(
            SeatOnLine(
                key=seat, name=faction_name(colour), points=points, doing=doing, now=seat == now
            )
        )
    return rows

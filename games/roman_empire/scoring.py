"""Points at the end of a phase (10), and what they would be."""

from __future__ import annotations

from typing import Any, NamedTuple

from games.roman_empire.board import AREAS, COLOURS, EMPERORS, LANDS, OF_AREA, POINTS, WHOLE, is_capital
from games.roman_empire.position import FACTION, PEOPLE, Place, Position

ALL = 5
MANY = 3
TIMES = {"presence": 1, "domination": 2, "control": 3}


class Area(NamedTuple):
    """What an area gives: how it is held, its points by period, and what it comes to (10.1)."""

    key: str
    held: str
    value: int

    @property
    def points(self) -> int:
        return self.value * TIMES[self.held]


class Score(NamedTuple):
    """The points of a phase: areas that give something, points of Cities by land, the Emperor's."""

    areas: tuple[Area, ...]
    cities: dict[str, int]
    emperor: int = 0

    @property
    def points(self) -> int:
        return sum(area.points for area in self.areas) + sum(self.cities.values()) + self.emperor

    def to_json(self) -> dict[str, Any]:
        return {
            "areas": [[area.key, area.held, area.points] for area in self.areas],
            "cities": dict(self.cities),
            "emperor_points": self.emperor,
            "points": self.points,
        }


def side(position: Position, group: str | None) -> tuple[str, str] | None:
    """The seat and the side of it that a group counts for; None for nobody's (10)."""
    seat = position.seat_of(group)
    return None if seat is None else (seat, FACTION if group in COLOURS else PEOPLE)


def score(position: Position, seat: str, phase: str) -> Score:
    """What a seat would score if this phase of it ended now."""
    lands = [land for land, place in position.lands.items() if side(position, place.who) == (seat, phase)]
    areas = []
    for area in AREAS:
        held = holding(position, seat, phase, area)
        if held:
            areas.append(Area(area, held, POINTS[area][position.period - 1]))
    cities = {land: city(land, phase, position.period) for land in lands if position.lands[land].city == WHOLE}
    return Score(tuple(areas), cities, per_land(position, phase) * len(lands))


def per_land(position: Position, phase: str) -> int:
    """What the Emperor gives for each land (7, 10.3)."""
    bonus = EMPERORS.get(position.emperor) if phase == FACTION and position.emperor is not None else None
    return bonus.value if bonus is not None and bonus.bonus == "vp_per_land" else 0


def difference(position: Position, seat: str, phase: str, land: str, place: Place) -> int:
    """What the phase would score more, or less, with a land in another state."""
    before = _of_land(position, seat, phase, land)
    was, position.lands[land] = position.lands[land], place
    after = _of_land(position, seat, phase, land)
    position.lands[land] = was
    return after - before


def _of_land(position: Position, seat: str, phase: str, land: str) -> int:
    """The points of a land's area, of its City, and the Emperor's for it: all that can change with it."""
    area, place = LANDS[land].area, position.lands[land]
    held = holding(position, seat, phase, area)
    points = POINTS[area][position.period - 1] * TIMES[held] if held else 0
    if side(position, place.who) == (seat, phase):
        points += city(land, phase, position.period) * (place.city == WHOLE) + per_land(position, phase)
    return points


def city(land: str, phase: str, period: int) -> int:
    """What a whole City gives (10.2)."""
    return (2 if phase == FACTION else 1) + is_capital(land, period)


def holding(position: Position, seat: str, phase: str, area: str) -> str:
    """Presence, domination or control of an area; "" with no land there (10.1)."""
    counts: dict[tuple[str, str], int] = {}
    for land in OF_AREA[area]:
        whose = side(position, position.lands[land].who)
        if whose is not None:
            counts[whose] = counts.get(whose, 0) + 1
    mine = counts.get((seat, phase), 0)
    if not mine:
        return ""
    if mine == ALL or (phase == FACTION and _walled(position, seat, area)):
        return "control"
    others = max((n for (other, _), n in counts.items() if other != seat), default=0)
    least = 2 if "strict_domination" in position.options.flags else 1
    return "domination" if mine >= MANY or (mine > others and mine >= least) else "presence"


def _walled(position: Position, seat: str, area: str) -> bool:
    """Has every land of the area the Faction's Legions, or its own Fort and no army?"""
    colour = position.factions[seat]
    places = [position.lands[land] for land in OF_AREA[area]]
    return all(
        place.who == colour or (place.who is None and place.fort is not None and place.fort.who == colour) for place in places
    )

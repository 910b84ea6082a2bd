"""The beginning and the end of phases, turns and the game (5.1, 5.4, 6.1, 6.7, 6.8, 11)."""

from __future__ import annotations

from typing import Any, NamedTuple

from engine.dice import Dice
from engine.effects import Phrase
from engine.errors import IllegalMove
from games.roman_empire.rules.placing import read_places
from games.roman_empire.rules.position import (
    AREAS,
    COLOURS,
    COUNTERS,
    DONE,
    EMPERORS,
    FACTION,
    KINGDOMS,
    LANDS,
    OF_AREA,
    PEOPLE,
    PERIODS,
    POINTS,
    START,
    WHOLE,
    F,
    P,
    Place,
    Position,
    emperor_of,
    is_capital,
    people_of,
)

D6 = 6
LAND = 2
"""The points for each land of a Faction at the end (11)."""


def next_phase(position: Position, dice: Dice) -> None:
    """Begin the next phase or turn, or end the game."""
    if not position.queue:
        if position.period == PERIODS:
            finish(position, dice)
        else:
            next_turn(position)
        return
    seat, phase = position.queue.pop(0)
    position.active, position.phase, position.step = seat, phase, START
    position.bonus, position.built = {}, []
    position.free_forts, position.combat_no = 0, 0
    position.combat, position.pending, position.resume = None, None, None
    position.rebellion = None
    position.emperor = None
    if phase == PEOPLE:
        _open_people(position, seat)
    else:
        _open_faction(position, seat)


def _open_people(position: Position, seat: str) -> None:
    """Begin the phase of a People, which changes to the seat's marker (5.1)."""
    people = people_of(position.period, position.counters[seat][PEOPLE] or 1)
    was = position.control.get(people.key)
    position.control[people.key] = seat
    position.current, position.start_land = people.key, people.start
    position.in_hand = max(0, people.strength - position.on_map(people.key))
    position.note(
        "opened",
        seat,
        people.key,
        "5.1",
        seat=seat,
        phase=PEOPLE,
        group=people.key,
        n=people.n,
        period=position.period,
        strength=people.strength,
        in_hand=position.in_hand,
        was=was,
        land=people.start,
    )


def _open_faction(position: Position, seat: str) -> None:
    """Begin the phase of a Faction, with its Emperor's bonus and Legions in the hand (6.1, 7)."""
    colour = position.factions[seat]
    emperor = emperor_of(position.period, position.counters[seat]["emperor"] or 1)
    position.current, position.start_land, position.emperor = colour, None, emperor.id
    if emperor.bonus in ("three_dice", "ties"):
        position.bonus[emperor.bonus] = True
    elif emperor.bonus == "attack_plus":
        position.bonus[emperor.bonus] = emperor.value
    first = position.period == 1
    legions = position.legion_limit if first else 0
    if emperor.bonus == "legions" and not (is_dead(position, colour) and not first):
        legions += emperor.value
    position.in_hand = max(
        0, min(legions, COUNTERS["legions_per_faction"] - position.on_map(colour))
    )
    position.free_forts = COUNTERS["free_forts"] if first else 0
    position.note(
        "opened",
        seat,
        colour,
        "6.1",
        seat=seat,
        phase=FACTION,
        group=colour,
        n=emperor.n,
        period=position.period,
        emperor=emperor.id,
        in_hand=position.in_hand,
    )


def is_dead(position: Position, colour: str) -> bool:
    """Return whether a Faction has neither Legions on the map nor points to recruit any (6.6)."""
    seat = position.seat_of(colour)
    return seat is not None and not position.on_map(colour) and not position.vp[seat][F]


def judge_cities(position: Position, cities: tuple[str, ...]) -> None:
    """Check that these Cities may be built (6.7).

    Raises:
        IllegalMove: They may not.
    """
    for land in cities:
        read_places(land)
    most = resources(position) // 2
    if len(cities) > most:
        raise IllegalMove("too-many-cities", "6.7", most=most)
    free = sites(position)
    for at, land in enumerate(cities):
        if land not in free or land in cities[:at]:
            raise IllegalMove("bad-site", "6.7", land=land)
    home = set(home_area(position)) & set(free)
    if home - set(cities) and set(cities) - home:
        raise IllegalMove(
            "home-area-first",
            "6.7",
            land=next(land for land in free if land in home and land not in cities),
        )


def resources(position: Position) -> int:
    """Return the number of resource symbols that the acting Faction controls."""
    return sum(LANDS[land].resource for land in position.lands_of(position.colour))


def sites(position: Position) -> list[str]:
    """Return the lands in which the acting Faction could build a City."""
    return [
        land
        for land in position.lands_of(position.colour)
        if LANDS[land].resource and position.lands[land].city is None
    ]


def home_area(position: Position) -> tuple[str, ...]:
    """Return the five lands of the start land's area (6.7, R16)."""
    start = position.start.get(str(position.active))
    return OF_AREA[LANDS[start].area] if start else ()


def close_phase(position: Position, cities: tuple[str, ...]) -> None:
    """End the phase: build Cities, score points, empty the hand (5.4, 6.7, 6.8)."""
    seat = str(position.active)
    for land in cities:
        position.settle(land, Phrase("city_built", "6.7", {"group": position.current}), city=WHOLE)
        position.note("city_built", seat, land, "6.7", land=land, group=position.current)
    parts = score(position, seat, position.phase)
    cause = Phrase("scored", "10", {"seat": seat, "phase": position.phase, "points": parts.points})
    position.note(
        "scored",
        seat,
        position.phase,
        "10",
        seat=seat,
        phase=position.phase,
        group=position.current,
        emperor=position.emperor,
        **parts.to_json(),
    )
    position.score(seat, F if position.is_faction else P, parts.points, cause)
    position.in_hand = 0
    position.bonus.pop("revolt", None)
    position.free_forts = 0
    position.combat = None
    position.step = DONE


def next_turn(position: Position) -> None:
    """Begin the next period without counters, played cards and bribes."""
    position.prev_people = {
        seat: counters[PEOPLE] or 0 for seat, counters in position.counters.items()
    }
    position.counters = {seat: {PEOPLE: None, "emperor": None} for seat in position.seats}
    position.played = {seat: {PEOPLE: 0, FACTION: 0} for seat in position.seats}
    position.passed, position.bribed, position.built = {}, [], []
    position.period += 1
    position.phase, position.step, position.active = "draw", START, None
    position.current, position.start_land, position.emperor, position.bonus = None, None, None, {}
    position.note("turn", None, "", "4", period=position.period)


def finish(position: Position, dice: Dice) -> None:
    """End the game: score lands of Factions and surviving Kingdoms, and find the winner (11)."""
    position.active, position.emperor = None, None
    for seat, colour in position.factions.items():
        lands = len(position.lands_of(colour))
        position.score(seat, F, LAND * lands, Phrase("lands", "11", {"seat": seat, "n": lands}))
    for key, kingdom in KINGDOMS.items():
        place, ruler = position.lands[kingdom.land], position.control.get(key)
        if place.who == key and place.city == WHOLE and ruler is not None:
            points = dice.roll_within(f"end/kingdom/{key}", D6, PERIODS) + kingdom.loot
            position.note("kingdom_stands", ruler, key, "11", seat=ruler, group=key, points=points)
            position.score(
                ruler,
                P,
                points,
                Phrase("kingdom_stands", "11", {"seat": ruler, "group": key, "points": points}),
            )
    players = list(dict.fromkeys(position.owners[seat] for seat in position.seats))
    totals = {
        player: sum(
            sum(position.vp[seat].values())
            for seat in position.seats
            if position.owners[seat] == player
        )
        for player in players
    }
    winner = ranking(position, totals)[0]
    position.phase, position.active, position.step = "over", None, DONE
    position.current, position.start_land, position.emperor, position.bonus = None, None, None, {}
    position.result = {"totals": totals, "winner": winner}
    position.note("game_end", winner, "", "11", winner=winner, totals=totals)


def ranking(position: Position, totals: dict[str, int]) -> list[str]:
    """Return the players, the best first (11).

    Their points decide, then the higher Emperor of the last turn.
    """

    def emperor(player: str) -> int:
        return max(
            (
                position.counters[seat]["emperor"] or 0
                for seat, owner in position.owners.items()
                if owner == player
            ),
            default=0,
        )

    return sorted(totals, key=lambda player: (-totals[player], -emperor(player)))


# The points at the end of a phase, also before it ends (10).

ALL = 5
MANY = 3
TIMES = {"presence": 1, "domination": 2, "control": 3}


class Area(NamedTuple):
    """The score of an area: how it is held, and its points in the period (10.1)."""

    key: str
    held: str
    value: int

    @property
    def points(self) -> int:
        return self.value * TIMES[self.held]


class Score(NamedTuple):
    """The points of a phase: of areas, of Cities by land, and of the Emperor."""

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
    """Return the seat and the side of it for which a group counts; None without a seat (10)."""
    seat = position.seat_of(group)
    return None if seat is None else (seat, FACTION if group in COLOURS else PEOPLE)


def score(position: Position, seat: str, phase: str) -> Score:
    """Return the points that a seat would score if this phase of it ended now."""
    lands = [
        land for land, place in position.lands.items() if side(position, place.who) == (seat, phase)
    ]
    areas = []
    for area in AREAS:
        held = holding(position, seat, phase, area)
        if held:
            areas.append(Area(area, held, POINTS[area][position.period - 1]))
    cities = {
        land: city(land, phase, position.period)
        for land in lands
        if position.lands[land].city == WHOLE
    }
    return Score(tuple(areas), cities, per_land(position, phase) * len(lands))


def per_land(position: Position, phase: str) -> int:
    """Return the Emperor's points for each land (7, 10.3)."""
    bonus = (
        EMPERORS.get(position.emperor)
        if phase == FACTION and position.emperor is not None
        else None
    )
    return bonus.value if bonus is not None and bonus.bonus == "vp_per_land" else 0


def difference(position: Position, seat: str, phase: str, land: str, place: Place) -> int:
    """Return how the score of the phase would change with a land in another state."""
    before = _points_of_land(position, seat, phase, land)
    was, position.lands[land] = position.lands[land], place
    after = _points_of_land(position, seat, phase, land)
    position.lands[land] = was
    return after - before


def _points_of_land(position: Position, seat: str, phase: str, land: str) -> int:
    """Return the points that can change with a land: of its area, its City, and the Emperor."""
    area, place = LANDS[land].area, position.lands[land]
    held = holding(position, seat, phase, area)
    points = POINTS[area][position.period - 1] * TIMES[held] if held else 0
    if side(position, place.who) == (seat, phase):
        points += city(land, phase, position.period) * (place.city == WHOLE) + per_land(
            position, phase
        )
    return points


def city(land: str, phase: str, period: int) -> int:
    """Return the points of a whole City (10.2)."""
    return (2 if phase == FACTION else 1) + is_capital(land, period)


def holding(position: Position, seat: str, phase: str, area: str) -> str:
    """Return presence, domination or control of an area; "" with no land there (10.1)."""
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
    """Return whether every land of the area has the Faction's Legions, or only its Fort."""
    colour = position.factions[seat]
    places = [position.lands[land] for land in OF_AREA[area]]
    return all(
        place.who == colour
        or (place.who is None and place.fort is not None and place.fort.who == colour)
        for place in places
    )

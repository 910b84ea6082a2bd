"""The board with its charts and cards, scenario and options, and the whole state of a game at one
point of the log (1, 2, 5.1, 7, 9, 12; RULES, State).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Self

from engine.effects import Effect, Say
from engine.errors import MalformedRecord
from engine.strict_json import only_keys
from games.contract.title import RULES_EDITION, read_edition
from games.kit.records import STANDARD as STANDARD
from games.kit.records import BoardPosition, read_standard
from games.kit.records import Scenario as Scenario
from games.roman_empire.text.english import FAULTS

# The board, the charts and the cards, read from their files (1, 2, 5.1, 7, 9).

HERE = Path(__file__).parent.parent
REBEL = "rebel"
WHOLE, LOOTED = "whole", "looted"
CAPITAL_PERIOD = {"italia": 1, "tracia": 4}
"""The two capitals, and the period from which each counts as one (8.10, 10.2)."""
PERIODS = 7


class Land(NamedTuple):
    """A space of the board: its area, whether it has a resource symbol, whether it lies on
    a coast.
    """

    key: str
    name: str
    area: str
    resource: bool
    coastal: bool


class People(NamedTuple):
    """A line of the People chart (5.1); some peoples stand on it more than once."""

    id: int
    period: int
    n: int
    key: str
    name: str
    start: str
    strength: int
    colour: str


class State(NamedTuple):
    """A Kingdom or a Minor People (9.2): its land, strength, loot bonus (0 for a Minor People)."""

    key: str
    name: str
    land: str
    strength: int
    loot: int


class Emperor(NamedTuple):
    """A line of the Emperor chart: `bonus` is its kind or "", `value` the number that goes with it
    (7).
    """

    id: int
    period: int
    n: int
    name: str
    bonus: str
    value: int


class Card(NamedTuple):
    """An event card: set 1 to 9 (None: the optional one), `before` or `during`, phase, periods,
    effect (9).
    """

    key: str
    set: int | None
    name: str
    timing: str
    phase: str
    periods: tuple[int, ...]
    effect: Mapping[str, Any]
    text: str

    @property
    def kind(self) -> str:
        return str(self.effect["type"])


@cache
def data(name: str) -> Any:
    """A data file of this folder. Not to be changed by whoever reads it."""
    return json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))


LANDS = {
    one["key"]: Land(one["key"], one["name"], one["area"], one["resource"], one["coastal"])
    for one in data("board")["lands"]
}
"""By key, in board order."""
ORDER = {key: at for at, key in enumerate(LANDS)}
AREAS: dict[str, str] = {one["key"]: one["name"] for one in data("board")["areas"]}
OF_AREA = {area: tuple(key for key, land in LANDS.items() if land.area == area) for area in AREAS}
POINTS: dict[str, list[int]] = data("board")["area_points"]
"""An area's points by period (10.1)."""
STARTS: tuple[str, ...] = tuple(one["land"] for one in data("board")["starts"])
COLOURS: tuple[str, ...] = tuple(data("board")["factions"])
COUNTERS: dict[str, int] = data("board")["counters"]
STACK = COUNTERS["stack"]


def _neighbours() -> dict[str, dict[str, str]]:
    neighbours: dict[str, dict[str, str]] = {key: {} for key in LANDS}
    for one in data("board")["borders"]:
        neighbours[one["a"]][one["b"]], neighbours[one["b"]][one["a"]] = (
            one["into_b"] or "",
            one["into_a"] or "",
        )
    for one in data("board")["straits"]:
        neighbours[one["a"]][one["b"]] = neighbours[one["b"]][one["a"]] = "strait"
    return {
        key: dict(sorted(of.items(), key=lambda one: ORDER[one[0]]))
        for key, of in neighbours.items()
    }


NEAR = _neighbours()
"""The neighbours of a land in board order, each with what makes it hard to enter from there:
mountain, forest, strait or "" (1.5, 8.2).
"""

CHART = tuple(
    People(
        p["id"], p["period"], p["n"], p["key"], p["name"], p["start"], p["strength"], p["colour"]
    )
    for p in data("peoples")["people"]
)
PEOPLES = {one.key: one.name for one in CHART}
PEOPLE_COUNTERS: dict[str, int] = data("peoples")["people_counters"]
KINGDOMS = {
    k["key"]: State(k["key"], k["name"], k["land"], k["strength"], k["loot_bonus"])
    for k in data("peoples")["kingdoms"]
}
MINORS = {
    m["key"]: State(m["key"], m["name"], m["land"], m["strength"], 0)
    for m in data("peoples")["minor_peoples"]
}
STATES = {**KINGDOMS, **MINORS}
BARBARIANS = frozenset({*PEOPLES, *STATES})
"""Every group that has a controller: Peoples, Kingdoms, Minor Peoples (1.3)."""
GROUPS = frozenset({*BARBARIANS, *COLOURS, REBEL})
EMPERORS = {
    e["id"]: Emperor(
        e["id"],
        e["period"],
        e["n"],
        e["name"],
        (e["bonus"] or {}).get("type", ""),
        (e["bonus"] or {}).get("value", 0),
    )
    for e in data("emperors")["emperors"]
}
CARDS = {
    c["key"]: Card(
        c["key"],
        c["set"],
        c["name"],
        c["timing"],
        c["phase"],
        tuple(c["periods"]),
        c["effect"],
        c["text"],
    )
    for c in data("events")["cards"]
}
SETS = tuple(range(1, 10))
GODS_FAVOR, REPLACED = "gods_favor", "wrath_2"


def people_of(period: int, n: int) -> People:
    """The line of the People chart that a counter calls (5.1)."""
    return next(one for one in CHART if (one.period, one.n) == (period, n))


def emperor_of(period: int, n: int) -> Emperor:
    """The Emperor that a counter calls (6.1)."""
    return next(one for one in EMPERORS.values() if (one.period, one.n) == (period, n))


def earlier(people: str, period: int) -> People | None:
    """A People's last entry of the chart before this period (9.2)."""
    return next((one for one in reversed(CHART) if one.key == people and one.period < period), None)


def cards_of(number: int, favor: bool) -> list[str]:
    """The cards of a set in file order; with God's Favor it stands where the second Wrath of God
    stood (12).
    """
    cards = [key for key, card in CARDS.items() if card.set == number]
    return [GODS_FAVOR if favor and key == REPLACED else key for key in cards]


def is_capital(land: str, period: int) -> bool:
    """Does this land count as a capital in this period (8.10, 10.2)?"""
    return land in CAPITAL_PERIOD and period >= CAPITAL_PERIOD[land]


# Scenario and options: how many play, the colours of their Factions, the optional rules (12).


SEATS = ("A", "B", "C", "D")
FLAGS = ("gods_favor", "bribe_barbarians", "strict_domination", "choose_retreat")
PROPOSED = {"choose_retreat": True}
"""The options that founding proposes. In a record without an option it is off."""
EDITION = 2
"""The edition of the rules. Since the second, a Faction never rolls two dice for loot (8.10), and
loyal Legions may retreat in a Rebellion (9.3).
"""
LATER = ("choose_retreat",)
"""Rules that records of before do not name: where they are off, nothing is written of them."""
TWO = 2
THREE = 3
LONGEST = 40


class Options(NamedTuple):
    """`players` 2 to 4; `colours` of the seats' Factions, in the order of the seats; the optional
    rules that are on; `names` of the seats' players where a record tells who has which, else empty;
    `edition` of the rules.
    """

    players: int = 4
    colours: tuple[str, ...] = COLOURS
    flags: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()
    edition: int = EDITION

    @property
    def seats(self) -> tuple[str, ...]:
        """Each player's seat; with two players each has two (12)."""
        return SEATS[: THREE if self.players == THREE else len(SEATS)]

    @property
    def factions(self) -> dict[str, str]:
        """The colour of each seat's Faction (3.2)."""
        return dict(zip(self.seats, self.colours, strict=False))

    @property
    def owners(self) -> dict[str, str]:
        """The player of each seat, by name or by their first seat: if nothing is said, of two
        players A has A and C, B has B and D.
        """
        if self.names:
            return dict(zip(self.seats, self.names, strict=True))
        return {seat: SEATS[at % self.players] for at, seat in enumerate(self.seats)}

    @property
    def raw(self) -> dict[str, bool]:
        return {
            flag: flag in self.flags for flag in FLAGS if flag in self.flags or flag not in LATER
        }


def legions(seats: int) -> int:
    """The Legions a Faction starts with, and may be recruited up to (2, 6.2, 12)."""
    return COUNTERS["starting_legions_3p" if seats == THREE else "starting_legions"]


def read_scenario(raw: object) -> Scenario:
    read_standard(raw)
    return Scenario()


def read_options(raw: object) -> Options:
    """The options of a record. Raises `MalformedRecord`."""
    parts = only_keys("options", raw, {"players", "factions", RULES_EDITION, *FLAGS})
    players, names = _players(parts.get("players", 4))
    options = Options(
        players, COLOURS, read_flags("options", parts), names, read_edition(parts, EDITION)
    )
    if "factions" not in parts:
        return options
    named = only_keys("options.factions", parts["factions"], set(options.seats), set(options.seats))
    colours = tuple(named[seat] for seat in options.seats)
    return options._replace(colours=read_colours("options.factions", colours))


def _players(raw: object) -> tuple[int, tuple[str, ...]]:
    """How many play: a number, or an object that names the player of each seat, two seats each if
    there are two.
    """
    if type(raw) is int and TWO <= raw <= len(SEATS):
        return raw, ()
    if type(raw) is not dict:
        raise Fault("options.players", "players")
    names = tuple(str(raw.get(seat)) for seat in SEATS if seat in raw)
    players = len(set(names))
    fair = players == len(names) >= THREE or sorted(map(names.count, set(names))) == [TWO, TWO]
    if (
        not fair
        or set(raw) != set(SEATS[: len(names)])
        or not all(type(name) is str and is_name(name) for name in raw.values())
    ):
        raise Fault("options.players", "players-of-seats")
    return players, names


def is_name(text: str) -> bool:
    """Is it 1 to 40 printable characters?"""
    return 1 <= len(text) <= LONGEST and text.isprintable() and bool(text.strip())


def read_colours(where: str, colours: tuple[object, ...]) -> tuple[str, ...]:
    """Colours of Factions, each once."""
    if any(type(one) is not str or one not in COLOURS for one in colours) or len(
        set(colours)
    ) != len(colours):
        raise Fault(where, "colours", values=COLOURS)
    return tuple(map(str, colours))


def read_flags(where: str, parts: Mapping[str, Any]) -> frozenset[str]:
    """The optional rules that are on."""
    for flag in FLAGS:
        if type(parts.get(flag, False)) is not bool:
            raise MalformedRecord(f"{where}.{flag}", "boolean")
    return frozenset(flag for flag in FLAGS if parts.get(flag, False))


# What is wrong with a record, its options or a position of this title.


class Fault(MalformedRecord):
    """Its sentence is in FAULTS, unless it is one that any title may need."""

    BOOK = FAULTS


# The whole state at one point of the log, and the few doors through which it changes (RULES,
# State).

PEOPLE, FACTION = "people", "faction"
START, EXPAND, DONE = "start", "expand", "done"
P, F = "p", "f"


class Fort(NamedTuple):
    """A Fort (level 1) or Fortress (2) and whose it is."""

    who: str
    level: int


class Place(NamedTuple):
    """What stands in a land: `n` armies of the group `who`, a City (whole, looted), a Fort; `of`
    which Faction Rebels were.
    """

    who: str | None = None
    n: int = 0
    city: str | None = None
    fort: Fort | None = None
    of: str | None = None


class Combat(NamedTuple):
    """A combat that is not over: `round` rounds were fought; `standing` while an attacking army is
    there; `source`, `terrain`, `plus` (the defender's overseas bonus) and `loot` are of the last
    attacker, `holder` of the first moment.
    """

    land: str
    no: int
    holder: str | None
    source: str = ""
    terrain: bool = False
    plus: int = 0
    loot: bool = False
    round: int = 0
    hold: bool = False
    standing: bool = True


class Pending(NamedTuple):
    """A decision another seat has to make: `retreat` (to one of `to`), `offer` or `answer` (to an
    offer of `amount`).

    A retreat without a combat or a Rebellion is one from a start land, where a group arrives that
    may `loot` (8.6, 12.5).
    """

    kind: str
    seat: str
    land: str
    to: tuple[str, ...] = ()
    amount: int = 0
    loot: bool = False

    def to_json(self) -> dict[str, Any]:
        """As RULES writes it; `loot` only where it is so."""
        facts = {**self._asdict(), "to": list(self.to)}
        return facts if self.loot else {key: value for key, value in facts.items() if key != "loot"}


class Rebellion(NamedTuple):
    """A Rebellion that waits for a decision on a retreat (9.3).

    The land shows the Legions that have stayed loyal; `rebels` counts the others, which belonged to
    `of`. `round` rounds have been fought. `hold`: the loyal Legions fight to the end.
    """

    card: str
    land: str
    of: str
    rebels: int
    round: int = 0
    hold: bool = False


class Resume(NamedTuple):
    """The main People that waits for the end of a sub-turn (9.2)."""

    current: str | None
    in_hand: int
    start_land: str | None


class Draw(NamedTuple):
    """The dealing of counters: order of seats, `people` or `emperor`, whose place it is, draws
    made, the counter being looked at (4.1 to 4.3).
    """

    order: tuple[str, ...]
    what: str = "people"
    i: int = 0
    n: int = 0
    open: int | None = None


class Position(BoardPosition):
    """The state of RULES under its own names, but for `bonus` (its `effects`) and `owners` (its
    `players`). `bribed` are the pairs of People and Faction between which gold made peace this turn
    (12); `passed` who passed a seat its counters; `earned` the points that each line of the charts
    brought in its own phase, what it cost taken off.
    """

    def __init__(self, scenario: Scenario, options: Options) -> None:
        self.scenario = scenario
        self.options = options
        self.effects: list[Effect] = []
        self.period = 1
        self.phase = "setup"
        self.active: str | None = None
        self.queue: list[tuple[str, str]] = []
        self.start: dict[str, str] = {}
        self.control: dict[str, str] = {}
        self.hand: dict[str, list[str]] = {}
        self.current: str | None = None
        self.start_land: str | None = None
        self.emperor: int | None = None
        self.step = START
        self.in_hand = 0
        self.bonus: dict[str, Any] = {}
        self.free_forts = 0
        self.built: list[str] = []
        self.combat_no = 0
        self.combat: Combat | None = None
        self.pending: Pending | None = None
        self.rebellion: Rebellion | None = None
        self.resume: Resume | None = None
        self.draw: Draw | None = None
        self.lands = dict.fromkeys(LANDS, Place())
        self.bribed: list[tuple[str, str]] = []
        self.result: dict[str, Any] | None = None
        self.seat(options.factions, options.owners)

    def seat(self, factions: dict[str, str], owners: dict[str, str]) -> None:
        """These seats sit down with nothing yet."""
        self.factions = dict(factions)
        self.owners = dict(owners)
        self.legion_limit = legions(len(factions))
        self.vp = {seat: {P: 0, F: 0} for seat in factions}
        self.counters: dict[str, dict[str, int | None]] = {
            seat: {PEOPLE: None, "emperor": None} for seat in factions
        }
        self.prev_people: dict[str, int] = {}
        self.passed: dict[str, dict[str, str]] = {}
        self.played = {seat: {PEOPLE: 0, FACTION: 0} for seat in factions}
        self.losses = dict.fromkeys(factions.values(), 0)
        self.earned: dict[str, int] = {}

    def copy(self) -> Self:
        new = super().copy()
        for name in ("vp", "counters", "played", "passed", "hand"):
            setattr(new, name, {key: value.copy() for key, value in getattr(self, name).items()})
        return new

    def encode(self) -> dict[str, Any]:
        """The state as RULES writes it."""
        record: dict[str, Any] = {
            key: getattr(self, key)
            for key in (
                "period",
                "phase",
                "active",
                "current",
                "start_land",
                "emperor",
                "step",
                "in_hand",
                "free_forts",
                "legion_limit",
                "combat_no",
            )
        }
        record |= {
            key: dict(getattr(self, key))
            for key in ("factions", "start", "control", "prev_people", "losses", "earned")
        }
        record |= {
            key: {seat: dict(of) for seat, of in getattr(self, key).items()}
            for key in ("vp", "counters", "played")
        }
        record["players"] = dict(self.owners)
        record["passed"] = {seat: dict(of) for seat, of in self.passed.items()}
        record["hand"] = {seat: list(cards) for seat, cards in self.hand.items()}
        record["queue"] = [list(one) for one in self.queue]
        record["bribed"] = [list(one) for one in self.bribed]
        record["built"] = list(self.built)
        record["effects"] = {
            key: dict(value) if type(value) is dict else value for key, value in self.bonus.items()
        }
        record["combat"] = self.combat._asdict() if self.combat else None
        record["pending"] = self.pending.to_json() if self.pending else None
        if self.rebellion is not None:  # older positions do not have it
            record["rebellion"] = self.rebellion._asdict()
        record["resume"] = self.resume._asdict() if self.resume else None
        record["draw"] = (
            {**self.draw._asdict(), "order": list(self.draw.order)} if self.draw else None
        )
        record["lands"] = {land: place_json(place) for land, place in self.lands.items()}
        record["result"] = (
            {**self.result, "totals": dict(self.result["totals"])} if self.result else None
        )
        record["options"] = self.options.raw
        return record

    # What there is --------------------------------------------------------------------------------

    @property
    def makes_way(self) -> bool:
        """Return whether a start land's holder has to choose where the armies go (8.6, 12.5)."""
        asked = self.pending is not None and self.pending.kind == "retreat"
        return asked and self.combat is None and self.rebellion is None

    @property
    def seats(self) -> tuple[str, ...]:
        return tuple(self.factions)

    @property
    def colour(self) -> str:
        """The Faction of the seat whose phase it is."""
        return self.factions[str(self.active)]

    @property
    def is_faction(self) -> bool:
        """Is it a Faction that acts now?"""
        return self.phase == FACTION

    def seat_of(self, group: str | None) -> str | None:
        """Whose a group is; nobody's: Rebels, a People under no marker (1.3)."""
        if group is None:
            return None
        if group in COLOURS:
            for seat, colour in self.factions.items():
                if colour == group:
                    return seat
            return None
        return self.control.get(group)

    def player_of(self, group: str | None) -> str | None:
        seat = self.seat_of(group)
        return None if seat is None else self.owners[seat]

    def held(self, group: str | None) -> list[str]:
        """The lands a group controls, in board order (1.4)."""
        return [
            land for land, place in self.lands.items() if place.who == group and group is not None
        ]

    def on_map(self, group: str | None) -> int:
        """A group's armies on the map."""
        return sum(
            place.n for place in self.lands.values() if place.who == group and group is not None
        )

    def turned(self, colour: str) -> int:
        """A Faction's Legions that are Rebels now (6.2)."""
        return sum(
            place.n for place in self.lands.values() if place.who == REBEL and place.of == colour
        )

    def forts(self, colour: str) -> int:
        """A Faction's Forts and Fortresses on the map (2)."""
        return sum(
            place.fort is not None and place.fort.who == colour for place in self.lands.values()
        )

    def left(self, group: str | None) -> int:
        """The counters of a group that are not on the map (2)."""
        if group in COLOURS:
            most = COUNTERS["legions_per_faction"]
        elif group in PEOPLES:
            most = PEOPLE_COUNTERS[group]
        else:
            most = STATES[group].strength if group in STATES else COUNTERS["rebel_legions"]
        return most - self.on_map(group)

    def own(self, land: str) -> bool:
        """Does another group of the acting seat hold the land, or the Fort of its Faction stand
        there alone (8.8)?
        """
        place = self.lands[land]
        holder = place.who or (place.fort.who if place.fort else None)
        return holder is not None and holder != self.current and self.seat_of(holder) == self.active

    @property
    def working(self) -> dict[str, Any]:
        """The bonuses of the group that acts. Those of the phase are the main People's: no card
        modifies another, so they rest while a Kingdom, a Minor People or a revived People acts
        (9.1).
        """
        return self.bonus if self.resume is None else {}

    @property
    def dealt(self) -> bool:
        """Is it a phase of a game, with counters dealt? A told position may leave them out, and
        what follows from them.
        """
        return self.active is not None and self.counters[self.active]["emperor"] is not None

    @property
    def line(self) -> str | None:
        """The line of the People or the Emperor chart whose phase it is: `people-12`,
        `emperor-3`.
        """
        if self.phase == FACTION:
            return None if self.emperor is None else f"emperor-{self.emperor}"
        n = (
            self.counters[self.active][PEOPLE]
            if self.phase == PEOPLE and self.active is not None
            else None
        )
        return None if n is None else f"people-{people_of(self.period, n).id}"

    @property
    def base(self) -> str:
        """What the purposes of this phase's rolls begin with (RULES, Rolls)."""
        return f"turn-{self.period}/{self.active}/{self.phase}"

    # What changes ---------------------------------------------------------------------------------

    def score(self, seat: str, track: str, change: int, cause: Say) -> None:
        """Victory points on the P or the F track. Never below 0: who pays has been asked before
        (R21).
        """
        if change:
            self.vp[seat][track] += change
            if seat == self.active and self.line is not None:
                self.earned[self.line] = self.earned.get(self.line, 0) + change
            self.effects.append(Effect("account", seat, track, cause, change, self.vp[seat][track]))

    def settle(self, land: str, cause: Say, **changes: Any) -> None:
        """Another state of a land. No armies: nobody is there."""
        was = self.lands[land]
        place = was._replace(**changes)
        if not place.n:
            place = place._replace(who=None, n=0, of=None)
        if place == was:
            return
        self.lands[land] = place
        facts = {"land": land, "was": place_json(was), "now": place_json(place)}
        holder = self.seat_of(place.who)
        self.effects.append(
            Effect(
                "holding",
                holder,
                land,
                cause._replace(facts={**cause.facts, "land": land}),
                0,
                0,
                facts,
            )
        )

    def kill(self, land: str, n: int, cause: Say) -> None:
        """Armies in a land die. Legions are counted for the reports."""
        place = self.lands[land]
        n = min(n, place.n)
        if place.who in self.losses:
            self.losses[place.who] += n
        self.settle(land, cause, n=place.n - n)

    def spend_card(self, seat: str, card: str, cause: Say) -> None:
        """A card leaves the hand for good (9.1)."""
        self.hand[seat].remove(card)
        self.effects.append(Effect("card", seat, card, cause, -1, 0, {"card": card}))

    def deal_card(self, seat: str, card: str) -> None:
        """A card nobody else sees (3.3)."""
        self.hand.setdefault(seat, []).append(card)
        self.effects.append(
            Effect(
                "card",
                seat,
                card,
                Say("dealt", "3.3", {"card": card}),
                1,
                0,
                {"card": card},
                (seat,),
            )
        )


def place_json(place: Place) -> dict[str, Any]:
    """A land as RULES writes it."""
    fort = None if place.fort is None else {"who": place.fort.who, "level": place.fort.level}
    return {"who": place.who, "n": place.n, "city": place.city, "fort": fort, "of": place.of}

"""The board, charts and cards, the options, and the whole state of a game.

Rules 1, 2, 5.1, 7, 9, 12; RULES, State.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Self

from engine.effects import Effect, Phrase
from engine.errors import MalformedRecord
from engine.strict_json import check_keys
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
    """A space of the board, with its area, and whether it has a resource symbol and a coast."""

    key: str
    name: str
    area: str
    resource: bool
    coastal: bool


class People(NamedTuple):
    """A line of the People chart (5.1); some peoples have several lines."""

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
    """A line of the Emperor chart (7).

    `bonus` is its kind or "", `value` the number that belongs to it.
    """

    id: int
    period: int
    n: int
    name: str
    bonus: str
    value: int


class Card(NamedTuple):
    """An event card (9).

    `set` is 1 to 9, None for the optional card; `timing` is `before` or `during`.
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
    """Return the content of a data file of this folder; it must not be changed."""
    return json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))


LANDS = {
    land["key"]: Land(land["key"], land["name"], land["area"], land["resource"], land["coastal"])
    for land in data("board")["lands"]
}
"""The lands by key, in board order."""
ORDER = {key: at for at, key in enumerate(LANDS)}
AREAS: dict[str, str] = {area["key"]: area["name"] for area in data("board")["areas"]}
OF_AREA = {area: tuple(key for key, land in LANDS.items() if land.area == area) for area in AREAS}
POINTS: dict[str, list[int]] = data("board")["area_points"]
"""An area's points by period (10.1)."""
STARTS: tuple[str, ...] = tuple(start["land"] for start in data("board")["starts"])
COLOURS: tuple[str, ...] = tuple(data("board")["factions"])
COUNTERS: dict[str, int] = data("board")["counters"]
STACK = COUNTERS["stack"]


def _neighbours() -> dict[str, dict[str, str]]:
    neighbours: dict[str, dict[str, str]] = {key: {} for key in LANDS}
    for border in data("board")["borders"]:
        neighbours[border["a"]][border["b"]], neighbours[border["b"]][border["a"]] = (
            border["into_b"] or "",
            border["into_a"] or "",
        )
    for strait in data("board")["straits"]:
        neighbours[strait["a"]][strait["b"]] = neighbours[strait["b"]][strait["a"]] = "strait"
    return {
        key: dict(sorted(neighbours_of_land.items(), key=lambda near: ORDER[near[0]]))
        for key, neighbours_of_land in neighbours.items()
    }


NEAR = _neighbours()
"""The neighbours of a land in board order, each with the obstacle on the way there.

It is mountain, forest, strait or "" (1.5, 8.2).
"""

CHART = tuple(
    People(
        p["id"], p["period"], p["n"], p["key"], p["name"], p["start"], p["strength"], p["colour"]
    )
    for p in data("peoples")["people"]
)
PEOPLES = {people.key: people.name for people in CHART}
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
    """Return the line of the People chart for a counter (5.1)."""
    return next(people for people in CHART if (people.period, people.n) == (period, n))


def emperor_of(period: int, n: int) -> Emperor:
    """Return the Emperor for a counter (6.1)."""
    return next(
        emperor for emperor in EMPERORS.values() if (emperor.period, emperor.n) == (period, n)
    )


def earlier(people: str, period: int) -> People | None:
    """Return a People's last entry of the chart before this period (9.2)."""
    return next(
        (entry for entry in reversed(CHART) if entry.key == people and entry.period < period), None
    )


def cards_of(number: int, favor: bool) -> list[str]:
    """Return the cards of a set in file order.

    With `favor`, God's Favor replaces the second Wrath of God (12).
    """
    cards = [key for key, card in CARDS.items() if card.set == number]
    return [GODS_FAVOR if favor and key == REPLACED else key for key in cards]


def is_capital(land: str, period: int) -> bool:
    """Return whether a land counts as a capital in this period (8.10, 10.2)."""
    return land in CAPITAL_PERIOD and period >= CAPITAL_PERIOD[land]


# Scenario and options: the number of players, the colours of their Factions, the optional rules
# (12).


SEATS = ("A", "B", "C", "D")
FLAGS = ("gods_favor", "bribe_barbarians", "strict_domination", "choose_retreat")
PROPOSED = {"choose_retreat": True}
"""The options that the form for a new campaign proposes. An option missing in a record is off."""
EDITION = 2
"""The edition of the rules.

Since the second, a Faction never rolls two dice for loot (8.10), and loyal Legions may retreat in a
Rebellion (9.3).
"""
LATER = ("choose_retreat",)
"""Rules that older records do not have; a record names them only if they are on."""
TWO = 2
THREE = 3
LONGEST = 40


class Options(NamedTuple):
    """The options of a game.

    - players: 2 to 4
    - colours: the colours of the seats' Factions, in the order of the seats
    - flags: the optional rules that are on
    - names: the players of the seats if a record names them, otherwise empty
    - edition: the edition of the rules
    """

    players: int = 4
    colours: tuple[str, ...] = COLOURS
    flags: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()
    edition: int = EDITION

    @property
    def seats(self) -> tuple[str, ...]:
        """Return the seats; each of two players has two (12)."""
        return SEATS[: THREE if self.players == THREE else len(SEATS)]

    @property
    def factions(self) -> dict[str, str]:
        """Return the colour of each seat's Faction (3.2)."""
        return dict(zip(self.seats, self.colours, strict=False))

    @property
    def owners(self) -> dict[str, str]:
        """Return the player of each seat, by name or by their first seat.

        By default, of two players the first has A and C, the second B and D.
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
    """Return the number of Legions at the start, which also limits recruiting (2, 6.2, 12)."""
    return COUNTERS["starting_legions_3p" if seats == THREE else "starting_legions"]


def read_scenario(raw: object) -> Scenario:
    read_standard(raw)
    return Scenario()


def read_options(raw: object) -> Options:
    """Return the options of a record.

    Raises:
        MalformedRecord: The options are malformed.
    """
    parts = check_keys("options", raw, {"players", "factions", RULES_EDITION, *FLAGS})
    players, names = _players(parts.get("players", 4))
    options = Options(
        players, COLOURS, read_flags("options", parts), names, read_edition(parts, EDITION)
    )
    if "factions" not in parts:
        return options
    named = check_keys(
        "options.factions", parts["factions"], set(options.seats), set(options.seats)
    )
    colours = tuple(named[seat] for seat in options.seats)
    return options._replace(colours=read_colours("options.factions", colours))


def _players(raw: object) -> tuple[int, tuple[str, ...]]:
    """Return the number of players, and the player of each seat if the record names them.

    Two players have two seats each.
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
    """Return whether a text has 1 to 40 printable characters."""
    return 1 <= len(text) <= LONGEST and text.isprintable() and bool(text.strip())


def read_colours(where: str, colours: tuple[object, ...]) -> tuple[str, ...]:
    """Return colours of Factions without repetitions."""
    if any(type(colour) is not str or colour not in COLOURS for colour in colours) or len(
        set(colours)
    ) != len(colours):
        raise Fault(where, "colours", values=COLOURS)
    return tuple(map(str, colours))


def read_flags(where: str, parts: Mapping[str, Any]) -> frozenset[str]:
    """Return the optional rules that are on."""
    for flag in FLAGS:
        if type(parts.get(flag, False)) is not bool:
            raise MalformedRecord(f"{where}.{flag}", "boolean")
    return frozenset(flag for flag in FLAGS if parts.get(flag, False))


# Faults of a record, its options or a position of this title.


class Fault(MalformedRecord):
    """A fault in a record of this title.

    Its sentence is in FAULTS, unless all titles share it.
    """

    BOOK = FAULTS


# The whole state at one point of the log, and the few methods that change it (RULES, State).

PEOPLE, FACTION = "people", "faction"
START, EXPAND, DONE = "start", "expand", "done"
P, F = "p", "f"


class Fort(NamedTuple):
    """A Fort (level 1) or Fortress (2), with its Faction."""

    who: str
    level: int


class Place(NamedTuple):
    """The contents of a land: `n` armies of the group `who`, a City (whole, looted), a Fort.

    `of` is the former Faction of Rebels.
    """

    who: str | None = None
    n: int = 0
    city: str | None = None
    fort: Fort | None = None
    of: str | None = None


class Combat(NamedTuple):
    """A combat that is not over.

    `round` rounds were fought; `standing` while an attacking army is there. `source`, `terrain`,
    `plus` (the defender's overseas bonus) and `loot` are those of the last attacker. `holder` held
    the land at the beginning.
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
    """A decision that another seat has to make.

    It is `retreat` (to one of `to`), `offer` or `answer` (to an offer of `amount`). A retreat
    without a combat or a Rebellion is one from a start land, where a group arrives that may `loot`
    (8.6, 12.5).
    """

    kind: str
    seat: str
    land: str
    to: tuple[str, ...] = ()
    amount: int = 0
    loot: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the decision as RULES writes it, with `loot` only if it is true."""
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
    """The dealing of counters (4.1 to 4.3).

    - order: the order of seats
    - what: `people` or `emperor`
    - i: the index of the seat that draws
    - n: the number of draws so far
    - open: the drawn counter that the seat looks at
    """

    order: tuple[str, ...]
    what: str = "people"
    i: int = 0
    n: int = 0
    open: int | None = None


class Position(BoardPosition):
    """The state of a game.

    It has the state of RULES under the same names, except for `bonus` (its `effects`) and `owners`
    (its `players`). `bribed` has the pairs of People and Faction that made peace for gold this turn
    (12), `passed` the seat that passed a counter to each seat, `earned` the points of each line of
    the charts in its own phase, less what it paid.
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
        self.seat_players(options.factions, options.owners)

    def seat_players(self, factions: dict[str, str], owners: dict[str, str]) -> None:
        """Set up these seats, with nothing yet."""
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
        """Return the state as RULES writes it."""
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
            key: {seat: dict(values) for seat, values in getattr(self, key).items()}
            for key in ("vp", "counters", "played")
        }
        record["players"] = dict(self.owners)
        record["passed"] = {seat: dict(givers) for seat, givers in self.passed.items()}
        record["hand"] = {seat: list(cards) for seat, cards in self.hand.items()}
        record["queue"] = [list(phase) for phase in self.queue]
        record["bribed"] = [list(pair) for pair in self.bribed]
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

    # Queries --------------------------------------------------------------------------------------

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
        """Return the Faction of the seat whose phase it is."""
        return self.factions[str(self.active)]

    @property
    def is_faction(self) -> bool:
        """Return whether a Faction acts now."""
        return self.phase == FACTION

    def seat_of(self, group: str | None) -> str | None:
        """Return the seat of a group; None for Rebels and for a People under no marker (1.3)."""
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

    def lands_of(self, group: str | None) -> list[str]:
        """Return the lands that a group controls, in board order (1.4)."""
        return [
            land for land, place in self.lands.items() if place.who == group and group is not None
        ]

    def on_map(self, group: str | None) -> int:
        """Return the number of a group's armies on the map."""
        return sum(
            place.n for place in self.lands.values() if place.who == group and group is not None
        )

    def rebels_of(self, colour: str) -> int:
        """Return the number of a Faction's Legions that are Rebels now (6.2)."""
        return sum(
            place.n for place in self.lands.values() if place.who == REBEL and place.of == colour
        )

    def forts(self, colour: str) -> int:
        """Return the number of a Faction's Forts and Fortresses on the map (2)."""
        return sum(
            place.fort is not None and place.fort.who == colour for place in self.lands.values()
        )

    def counters_left(self, group: str | None) -> int:
        """Return the number of a group's counters that are not on the map (2)."""
        if group in COLOURS:
            most = COUNTERS["legions_per_faction"]
        elif group in PEOPLES:
            most = PEOPLE_COUNTERS[group]
        else:
            most = STATES[group].strength if group in STATES else COUNTERS["rebel_legions"]
        return most - self.on_map(group)

    def is_own(self, land: str) -> bool:
        """Return whether another group of the acting seat holds the land (8.8).

        Its Faction may also hold it with a Fort alone.
        """
        place = self.lands[land]
        holder = place.who or (place.fort.who if place.fort else None)
        return holder is not None and holder != self.current and self.seat_of(holder) == self.active

    @property
    def active_bonuses(self) -> dict[str, Any]:
        """Return the bonuses of the group that acts.

        The bonuses of the phase are those of the main People. They do not apply while a Kingdom, a
        Minor People or a revived People acts, because no card modifies another (9.1).
        """
        return self.bonus if self.resume is None else {}

    @property
    def has_counters(self) -> bool:
        """Return whether the acting seat has its counters.

        A position that was read from a record may leave them out.
        """
        return self.active is not None and self.counters[self.active]["emperor"] is not None

    @property
    def chart_line(self) -> str | None:
        """Return the line of the People or Emperor chart whose phase it is.

        Examples are `people-12` and `emperor-3`.
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
    def roll_prefix(self) -> str:
        """Return the beginning of the purposes of this phase's rolls (RULES, Rolls)."""
        return f"turn-{self.period}/{self.active}/{self.phase}"

    # Changes --------------------------------------------------------------------------------------

    def score(self, seat: str, track: str, change: int, cause: Phrase) -> None:
        """Change the victory points on the P or the F track.

        They are never below 0: payments are checked before (R21).
        """
        if change:
            self.vp[seat][track] += change
            if seat == self.active and self.chart_line is not None:
                self.earned[self.chart_line] = self.earned.get(self.chart_line, 0) + change
            self.effects.append(Effect("account", seat, track, cause, change, self.vp[seat][track]))

    def settle(self, land: str, cause: Phrase, **changes: Any) -> None:
        """Change the contents of a land. With no armies it has no group."""
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

    def kill(self, land: str, n: int, cause: Phrase) -> None:
        """Remove armies from a land. Lost Legions are counted for the reports."""
        place = self.lands[land]
        n = min(n, place.n)
        if place.who in self.losses:
            self.losses[place.who] += n
        self.settle(land, cause, n=place.n - n)

    def spend_card(self, seat: str, card: str, cause: Phrase) -> None:
        """Remove a card from the hand for good (9.1)."""
        self.hand[seat].remove(card)
        self.effects.append(Effect("card", seat, card, cause, -1, 0, {"card": card}))

    def deal_card(self, seat: str, card: str) -> None:
        """Deal a card that only its seat sees (3.3)."""
        self.hand.setdefault(seat, []).append(card)
        self.effects.append(
            Effect(
                "card",
                seat,
                card,
                Phrase("dealt", "3.3", {"card": card}),
                1,
                0,
                {"card": card},
                (seat,),
            )
        )


def place_json(place: Place) -> dict[str, Any]:
    """Return a land as RULES writes it."""
    fort = None if place.fort is None else {"who": place.fort.who, "level": place.fort.level}
    return {"who": place.who, "n": place.n, "city": place.city, "fort": fort, "of": place.of}

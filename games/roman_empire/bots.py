"""Players by program: three manners of play, one that weighs points against armies, and one that
makes any move (docs/bots.md).

Chance that they need for themselves comes from a `random.Random` given to them. The game's own dice
are thrown by `engine.dice` alone: a player by program chooses as people do, and what it chose
stands in the log. All are given the whole position, hands of others included, and use of it only
what their seat may know.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from itertools import product
from random import Random
from typing import Any, NamedTuple

from engine.dice import Dice
from engine.effects import Effect
from engine.play import perform
from games.contract.players import End, Player, Rank
from games.kit.records import GM
from games.roman_empire.rules import combat, events, phases, placing, view
from games.roman_empire.rules.choices import choices
from games.roman_empire.rules.factions import recruitable
from games.roman_empire.rules.moves import MOVES, decode
from games.roman_empire.rules.phases import difference
from games.roman_empire.rules.position import (
    CARDS,
    CHART,
    COLOURS,
    DONE,
    EMPERORS,
    FACTION,
    KINGDOMS,
    LANDS,
    NEAR,
    PEOPLE,
    PERIODS,
    SEATS,
    START,
    STARTS,
    STATES,
    WHOLE,
    F,
    Options,
    P,
    Place,
    Position,
    Scenario,
)
from games.roman_empire.text.english import BOTS
from games.roman_empire.text.words import numeral

# What a program weighs: where the next army brings most points for what it may cost.

Raw = Mapping[str, Any]


class Style(NamedTuple):
    """The weights of a manner, in points: an army, a City looted, a new land beside its points of
    now, a second army in a land, a point that another player will not get (of the leader `leader`
    more), a Faction's resource symbol (half a City). `least` is the smallest chance at which it
    attacks, `save` the points it keeps before it recruits, `cards` what a card must do, `trade` how
    much a counter must be below those left to be passed on.
    """

    army: float = 0.9
    loot: float = 3.5
    spread: float = 0.35
    guard: float = 0.15
    hurt: float = 0.45
    leader: float = 0.0
    resource: float = 0.8
    least: float = 0.0
    save: int = 12
    cards: float = 0.0
    trade: float = 99.0


class Choice(NamedTuple):
    """A move in record form, and why it is made: a text of `BOTS` with its facts."""

    raw: Raw
    why: str
    facts: Mapping[str, Any] = {}

    @property
    def sentence(self) -> str:
        """Why, in the language of now."""
        return BOTS.text(self.why, **self.facts)


SENSIBLE = Style()
CAUTIOUS = Style(
    army=1.3, guard=0.6, spread=0.6, hurt=0.25, resource=1.2, least=0.6, save=20, cards=1.5
)
BOLD = Style(army=0.7, loot=4.5, guard=0.1, hurt=0.6, leader=0.3, least=0.4, save=8)
GREEDY = Style(army=0.5, loot=6.0, spread=0.2, guard=0.05, hurt=0.2, resource=1.0, save=6)
GUARDED = Style(army=1.1, guard=0.35, spread=0.5, resource=1.0, least=0.5)


def sensible(position: Position, rng: object = None) -> Raw | None:
    """The move that promises most; None when all is over. It keeps every counter and needs no
    chance.
    """
    choice = best(position, SENSIBLE)
    return None if choice is None else choice.raw


def best(position: Position, style: Style) -> Choice | None:
    """The move that promises most in a manner of play; None when all is over."""
    going = view.automatic(position)
    if going is not None:
        return Choice({"move": going}, "goes-on")
    seat = view.mover(position)
    if seat is None:
        return None
    if position.pending is not None:
        return _decide(position, style)
    if position.draw is not None:
        return _draw(position, seat, style)
    return _prepare(position, seat, style) or _place(position, seat, style) or _end(position, seat)


def _decide(position: Position, style: Style) -> Choice:
    """Retreats with one Legion left where walls and ground do not help; takes gold for half a loot,
    offers none.
    """
    asked = position.pending
    assert asked is not None
    if asked.kind == "offer":
        return Choice({"by": asked.seat, "move": "offer", "amount": 0}, "no-gold")
    if asked.kind == "answer":
        accept = asked.amount > style.loot - 1.5
        return Choice(
            {"by": asked.seat, "move": "answer", "accept": accept}, "gold" if accept else "no-gold"
        )
    place = position.lands[asked.land]
    hard = position.rebellion is None and position.combat is not None and position.combat.terrain
    weak = place.fort is None and not hard
    if weak and place.n == 1:
        goal = min(asked.to, key=lambda land: position.lands[land].n)
        return Choice({"by": asked.seat, "move": "retreat", "to": goal}, "retreats")
    return Choice({"by": asked.seat, "move": "retreat", "to": None, "hold": True}, "stands")


# The dealing of counters --------------------------------------------------------------------------

PEOPLE_POINTS: tuple[tuple[int, ...], ...] = (
    (25, 25, 25, 20, 14),
    (20, 18, 23, 18, 22),
    (30, 30, 23, 25, 15),
    (32, 30, 29, 21, 26),
    (33, 29, 30, 20, 25),
    (38, 37, 33, 25, 24),
    (35, 39, 22, 28, 32),
)
EMPEROR_POINTS: tuple[tuple[int, ...], ...] = (
    (40, 31, 28, 26, 24, 27),
    (18, 15, 15, 11, 12, 12),
    (15, 16, 16, 13, 11, 10),
    (10, 6, 7, 2, 5, 3),
    (6, 3, 3, 4, -1, 0),
    (8, 6, 3, 6, 5, 6),
    (14, 8, 10, 7, 6, 6),
)
"""What the phases of each counter brought on the average, by period: 60 games of four by
`sensible`.
"""


def counter_points(what: str, period: int, n: int) -> int:
    """What a counter is worth."""
    return (PEOPLE_POINTS if what == PEOPLE else EMPEROR_POINTS)[period - 1][n - 1]


def _draw(position: Position, seat: str, style: Style) -> Choice:
    """Keeps the counter, or passes on one that is much below those that may be left (4.2). What
    others keep is not known.
    """
    now = position.draw
    assert now is not None
    if now.open is None:
        return Choice({"by": seat, "move": "draw"}, "draws")
    seen = {
        n
        for holder in position.seats
        if view.knows(position, seat, holder, now.what)
        and (n := position.counters[holder][now.what]) is not None
    }
    numbers = range(1, len((PEOPLE_POINTS if now.what == PEOPLE else EMPEROR_POINTS)[0]) + 1)
    unknown = [
        counter_points(now.what, position.period, n)
        for n in numbers
        if n not in seen and n != now.open
    ]
    free = [
        one
        for one in position.seats
        if position.counters[one][now.what] is None and not _friends(position, one, seat)
    ]
    mine = counter_points(now.what, position.period, now.open)
    if free and unknown and sum(unknown) / len(unknown) - mine > style.trade:
        return Choice(
            {"by": seat, "move": "pass_counter", "to": max(free, key=partial(_points, position))},
            "passes",
        )
    return Choice({"by": seat, "move": "keep"}, "keeps")


def _friends(position: Position, one: str, other: str | None) -> bool:
    """Do two seats play for the same player (12)?"""
    return other is not None and position.owners[one] == position.owners[other]


def _points(position: Position, seat: str) -> int:
    """The points of a seat's player."""
    return sum(
        sum(position.vp[one].values()) for one in position.seats if _friends(position, one, seat)
    )


# Before placing -----------------------------------------------------------------------------------


def _prepare(position: Position, seat: str, style: Style) -> Choice | None:
    """A start land, armies taken up, Legions recruited, Cities rebuilt, a card."""
    if position.step == START:
        choice = _faction(position, seat, style) if position.is_faction else _gather(position, seat)
        if choice is not None:
            return choice
    return _card(position, seat, style)


def _faction(position: Position, seat: str, style: Style) -> Choice | None:
    if position.period == 1 and seat not in position.start:
        free = [land for land in STARTS if land not in position.start.values()]
        land = max(free, key=lambda land: _room(position, land))
        return Choice(
            {"by": seat, "move": "choose_start", "land": land}, "starts", {"land": LANDS[land].name}
        )
    for land in position.held(position.colour):
        place = position.lands[land]
        if place.city == "looted" and position.vp[seat][F]:
            return Choice(
                {"by": seat, "move": "rebuild", "land": land},
                "rebuilds",
                {"land": LANDS[land].name},
            )
        if place.n > 1:
            return Choice(
                {"by": seat, "move": "take_up", "land": land, "n": place.n - 1}, "gathers"
            )
    if position.period < LATE and recruitable(position) > 0 and position.vp[seat][F] >= style.save:
        return Choice({"by": seat, "move": "recruit", "n": 1}, "recruits")
    return None


LATE = 7
"""The period in which a Legion pays no more."""


def _gather(position: Position, seat: str) -> Choice | None:
    for land in position.held(position.current):
        n = position.lands[land].n
        if n > 1:
            return Choice({"by": seat, "move": "take_up", "land": land, "n": n - 1}, "gathers")
    return None


def _room(position: Position, land: str) -> float:
    """What lies around a start land."""
    return (
        sum(LANDS[other].resource + (position.lands[other].who is None) for other in NEAR[land])
        - 2 * position.lands[land].n
    )


def _card(position: Position, seat: str, style: Style) -> Choice | None:
    """The card that helps most: a people of its own, dice, fort points; harm to the strongest
    rival.
    """
    if position.resume is not None or sum(position.played[seat].values()) >= events.LIMIT:
        return None
    ways = choices(position, MOVES["play_event"], seat, seat)[0]
    most, chosen = style.cards, None
    for given in ways:
        worth = _worth(position, seat, given, style)
        if worth > most:
            most, chosen = worth, given
    return None if chosen is None else Choice({"by": seat, "move": "play_event", **chosen}, "card")


def _worth(position: Position, seat: str, given: Raw, style: Style) -> float:
    """What a card does, roughly in points."""
    card = CARDS[given["card"]]
    if card.kind in ("kingdom", "minor"):
        return (
            6.0
            if position.seat_of(position.lands[STATES[card.effect["key"]].land].who) != seat
            else 0.0
        )
    if card.kind == "revive":
        return 5.0
    if card.kind in ("three_dice", "attack_plus", "ties", "save_losses", "no_fort_bonus"):
        return (
            2.0
            if position.in_hand >= 4 and (card.kind != "no_fort_bonus" or _walls(position))
            else 0.0
        )
    if card.kind in ("revolt", "rebellion", "land_strip", "treachery"):
        place = position.lands[given["land"]]
        extra = style.leader * (
            place.n > 0 and position.seat_of(place.who) in leaders(position, seat)
        )
        return _damage(position, seat, place) * (1 + extra) - (
            2.0 if card.kind != "revolt" else 1.0
        )
    return 0.0


def leaders(position: Position, seat: str) -> list[str]:
    """The seats of the rival with most points."""
    rivals = [one for one in position.seats if not _friends(position, one, seat)]
    first = max((_points(position, one) for one in rivals), default=0)
    return [one for one in rivals if _points(position, one) == first]


def _walls(position: Position) -> int:
    return sum(
        any(position.lands[other].who == position.current for other in NEAR[land])
        for land, place in position.lands.items()
        if place.fort is not None and position.seat_of(place.fort.who) != position.active
    )


def _damage(position: Position, seat: str, place: Place) -> float:
    """What it hurts a rival to lose their armies in a land."""
    if position.seat_of(place.who) in (seat, None):
        return 0.0
    return place.n + (2.0 if place.city == WHOLE else 0.0)


# Placing ------------------------------------------------------------------------------------------


def _place(position: Position, seat: str, style: Style) -> Choice | None:
    """The placement that brings most; none if no army brings anything."""
    if position.in_hand < 1 and not position.working.get("revolt"):
        return None
    ahead = frozenset(leaders(position, seat)) if style.leader else frozenset()
    most, chosen, win = 0.0, None, 1.0
    for given in choices(position, MOVES["place"], seat, seat)[0]:
        gain, chance = _gain(position, seat, given, style, ahead)
        if gain > most:
            most, chosen, win = gain, given, chance
    if chosen is None:
        return None
    facts = {"land": LANDS[chosen["land"]].name, "chance": round(100 * win)}
    place = position.lands[chosen["land"]]
    why = "fights" if win < 1 else "guards" if place.who == position.current else "spreads"
    return Choice({"by": seat, "move": "place", **chosen}, why, facts)


def _gain(
    position: Position, seat: str, given: Raw, style: Style, ahead: frozenset[str]
) -> tuple[float, float]:
    """What a placement brings, and the chance to win its fight."""
    land, place = given["land"], position.lands[given["land"]]
    way = placing.judge(position, land, given["from"], False, given.get("fort"))
    if way == placing.STRENGTHEN:
        return style.guard / place.n + (style.guard if place.city == WHOLE else 0.0), 1.0
    if way == placing.OWN:
        return 0.05 if position.is_faction else 0.0, 1.0
    if given.get("fort") == "destroy":
        return 0.0, 1.0
    bounty = style.loot * combat.loot_dice(position, land) if given.get("loot") else 0.0
    if place.who in KINGDOMS and KINGDOMS[place.who].land == land and given.get("loot"):
        bounty += KINGDOMS[place.who].loot
    gain = _new_points(position, seat, land, bool(given.get("loot"))) + bounty + style.spread
    if position.is_faction and LANDS[land].resource:
        gain += style.resource
    if way == placing.CLAIM:
        return 50.0 + gain, 1.0
    if way != placing.ATTACK:
        return gain, 1.0
    hurt = style.hurt + style.leader * (position.seat_of(place.who) in ahead)
    gain += (
        hurt
        * _damage(position, seat, place)
        * (position.player_of(place.who) != position.owners[seat])
    )
    win, cost = odds(position, land, given["from"], position.in_hand)
    if win < style.least and not (position.combat is not None and position.combat.land == land):
        return 0.0, win
    return win * gain - style.army * cost, min(win, 0.99)


def _new_points(position: Position, seat: str, land: str, looted: bool) -> float:
    """What the phase would score more with this land."""
    was = position.lands[land]
    place = was._replace(who=position.current, n=1, city="looted" if looted else was.city)
    return float(difference(position, seat, position.phase, land, place))


def odds(position: Position, land: str, source: str, armies: int) -> tuple[float, float]:
    """The chance to take a land with so many armies, and how many it costs on the average; retreats
    are not counted.
    """
    place, bonus = position.lands[land], position.working
    overseas = (
        source == "sea"
        and place.who not in COLOURS
        and place.who not in KINGDOMS
        and place.who != "rebel"
    )
    walls = place.fort.level if place.fort is not None and not bonus.get("no_fort_bonus") else 0
    edge = int(bonus.get("attack_plus") or 0) - int(overseas)
    win = chance(
        3 if bonus.get("three_dice") else 2,
        2 if combat.hard(position, land, source) else 1,
        edge - (walls > 0),
        walls == combat.FORTRESS,
        bool(bonus.get("ties")),
    )
    return race(win, place.n + (place.fort is not None), armies)


@cache
def chance(mine: int, his: int, edge: int, fortress: bool, ties: bool) -> float:
    """The chance to win a round with so many dice against so many; what is thrown again does not
    count.
    """
    won = lost = 0
    for dice in product(range(1, 7), repeat=mine + his):
        winner = combat.decide(max(dice[:mine]) + edge, max(dice[mine:]), fortress, ties)
        won += winner == "attacker"
        lost += winner == "defender"
    return won / (won + lost) if won + lost else 0.5


@cache
def race(win: float, need: int, armies: int) -> tuple[float, float]:
    """The chance of so many wins before so many losses, and the losses on the average."""
    if not need:
        return 1.0, 0.0
    if not armies:
        return 0.0, 0.0
    a, cost_a = race(win, need - 1, armies)
    b, cost_b = race(win, need, armies - 1)
    return win * a + (1 - win) * b, win * cost_a + (1 - win) * (1 + cost_b)


# Ending -------------------------------------------------------------------------------------------


def _end(position: Position, seat: str) -> Choice:
    """Free Forts where they cover a City, then Cities, first at home, and the end."""
    if position.resume is not None:
        return Choice({"by": seat, "move": "end_sub"}, "nothing-more")
    if position.phase != FACTION:
        return Choice({"by": seat, "move": "end_phase"}, "nothing-more")
    if position.free_forts and combat.has_fort(position):
        open_lands = [
            land for land in position.held(position.colour) if position.lands[land].fort is None
        ]
        if open_lands:
            land = max(
                open_lands, key=lambda one: (position.lands[one].city == WHOLE, LANDS[one].resource)
            )
            return Choice(
                {"by": seat, "move": "fort", "land": land}, "fort", {"land": LANDS[land].name}
            )
    home = phases.home_area(position)
    sites = sorted(phases.sites(position), key=lambda land: land not in home)
    cities = sites[: phases.resources(position) // 2]
    return Choice(
        {"by": seat, "move": "end_phase", "cities": cities}, "cities" if cities else "nothing-more"
    )


# Three manners ------------------------------------------------------------------------------------


def cautious(position: Position, rng: object = None) -> Raw | None:
    """Attacks where it wins more often than not, keeps armies together and points in hand."""
    choice = explained("cautious", position, Random(0))  # noqa: S311
    return None if choice is None else choice.raw


def bold(position: Position, rng: object = None) -> Raw | None:
    """Attacks where a victory promises more than it costs, the leader first, and spends what it
    has.
    """
    choice = explained("bold", position, Random(0))  # noqa: S311
    return None if choice is None else choice.raw


def cunning(position: Position, rng: Random) -> Raw | None:
    """Tries what the manners propose by playing the phase to its end several times, and passes weak
    counters on.
    """
    choice = explained("cunning", position, rng)
    return None if choice is None else choice.raw


MANNERS = (Style(trade=1.5), CAUTIOUS, BOLD, GREEDY, GUARDED)
"""What `cunning` chooses from; the first one draws counters and answers for others in what it
tries.
"""
TRIALS = 4
"""So often each proposal is played to the end of the phase: a number, no time, so that one chance
gives one move.
"""
AHEAD = 0.5
"""What the points are worth that a Faction would score again as it stands."""
REAR = 0.35
"""What an army is worth at the end of a phase."""


def explained(level: str, position: Position, rng: Random) -> Choice | None:
    """The move of a program by its level, and why."""
    if level == "random":
        raw = random(position, rng)
        return None if raw is None else Choice(raw, "any")
    if level != "cunning":
        return best(position, {"cautious": CAUTIOUS, "bold": BOLD}.get(level, SENSIBLE))
    first = best(position, MANNERS[0])
    seat = view.mover(position)
    if first is None or seat is None or position.pending is not None or position.draw is not None:
        return first
    proposals: list[tuple[Choice, Style]] = [(first, MANNERS[0])]
    for style in MANNERS[1:]:
        choice = best(position, style)
        if choice is not None and all(choice.raw != other.raw for other, _style in proposals):
            proposals.append((choice, style))
    if len(proposals) == 1:
        return first
    seeds = [f"{rng.getrandbits(64):016x}" for _trial in range(TRIALS)]
    worths = [
        sum(_trial(position, seat, choice, style, seed) for seed in seeds)
        for choice, style in proposals
    ]
    choice = proposals[worths.index(max(worths))][0]
    return choice._replace(
        why="tried", facts={"n": len(proposals) * TRIALS, "because": choice.sentence}
    )


def _trial(position: Position, seat: str, choice: Choice, style: Style, seed: str) -> float:
    """What comes of a move if the rest of the phase is played in this manner, with dice of
    its own.
    """
    trial, dice = position.copy(), Dice(view.LAST_LINK, seed=seed)
    here = (position.period, position.phase, position.active)
    move: Choice | None = choice
    while move is not None:
        perform(trial, decode(dict(move.raw), trial), dice)
        dice.thrown.clear()
        if trial.step == DONE or (trial.period, trial.phase, trial.active) != here:
            break
        move = best(trial, style if view.mover(trial) == seat else MANNERS[0])
    return standing(trial, seat)


def standing(position: Position, seat: str) -> float:
    """What a player has come to, less what the others have: points, those that Factions would score
    again, armies.
    """
    worth: dict[str, float] = {}
    for one in position.seats:
        again = phases.score(position, one, FACTION).points if position.period < LATE else 0
        armies = position.on_map(position.factions[one]) if position.period < LATE else 0
        value = sum(position.vp[one].values()) + AHEAD * again + REAR * armies
        worth[position.owners[one]] = worth.get(position.owners[one], 0.0) + value
    mine = worth.pop(position.owners[seat])
    return mine - sum(worth.values()) / max(1, len(worth))


ENDS = ("end_phase", "end_sub")
EAGER = 0.93
"""How often the random player does something else than end."""


def random(position: Position, rng: Random) -> Raw | None:
    """Any legal move, evenly among the kinds there are and then among their arguments; None when
    all is over.
    """
    going = view.automatic(position)
    if going is not None:
        return {"move": going}
    seat = view.mover(position)
    if seat is None:
        return None
    ends: list[tuple[str, list[Mapping[str, Any]]]] = []
    acts: list[tuple[str, list[Mapping[str, Any]]]] = []
    for name, cls in MOVES.items():
        ways = [] if cls.automatic else choices(position, cls, seat, seat)[0]
        if ways:
            (ends if name in ENDS else acts).append((name, ways))
    kinds = acts if acts and (not ends or rng.random() < EAGER) else ends
    name, ways = rng.choice(kinds)
    return {"by": seat, "move": name, **rng.choice(ways)}


LEVELS = ("cautious", "bold", "cunning")
"""The programs that may hold a seat beside people, the weakest first."""


def _go_on(going: str, rng: Random) -> dict[str, Any]:
    return {"by": GM, "move": going}


def game(seats: Mapping[str, str], seed: str, options: Options) -> Position:
    """A whole game from its seed, each seat played by the program of this name."""
    position, dice, rng = (
        Position(Scenario(), options),
        Dice(view.LAST_LINK, seed=seed),
        Random(seed),  # noqa: S311
    )
    while True:
        choice = explained(seats.get(view.mover(position) or "", "sensible"), position, rng)
        if choice is None:
            return position
        perform(position, decode(dict(choice.raw), position), dice)
        dice.thrown.clear()


class EmpirePlayers:
    """See `games.contract.players.Players`, `Graded`, `Opponents` and `Contested`."""

    grades: Mapping[str, Mapping[str, Any]] = {f"{n} players": {"players": n} for n in (2, 3, 4)}
    games = 200
    by_name: Mapping[str, Player] = {
        "sensible": sensible,
        "cunning": cunning,
        "bold": bold,
        "cautious": cautious,
        "random": random,
    }
    labels: Mapping[str, str] = {
        "grade": "table",
        "A": "seat A wins",
        "B": "seat B wins",
        "C": "seat C wins",
        "D": "seat D wins",
        "points": "points of the winner",
        "last": "points of the last",
        "p": "Peoples, all seats",
        "f": "Factions, all seats",
        "legions": "Legions lost",
        "romans": "lands of Factions",
        "shares": "share of all points",
        "seat": "By seat",
        "people": "By People, in the order of the turns",
        "emperor": "By Emperor, in the order of the turns",
        **{f"seat-{seat}": f"seat {seat}" for seat in SEATS},
        **{f"people-{one.id}": f"{numeral(one.period)} {one.n} {one.name}" for one in CHART},
        **{
            f"emperor-{one.id}": f"{numeral(one.period)} {one.n} {one.name}"
            for one in EMPERORS.values()
        },
    }

    @property
    def levels(self) -> Mapping[str, str]:
        return {level: BOTS.text(level) for level in LEVELS}

    @property
    def manners(self) -> Mapping[str, str]:
        """What each level is like, in a few words of the language of now."""
        return {level: BOTS.text(f"{level}-about") for level in LEVELS}

    def asks(
        self, position: Position, seats: Mapping[str, str], by_hand: bool
    ) -> Callable[[Random], dict[str, Any]] | None:
        """Programs make the moves of their seats, also retreats in another's phase; what goes on by
        itself, a program makes go on, but the beginning. There are no battles to be fought by hand.
        """
        going = view.automatic(position)
        if going is not None:
            return None if going == "begin" else partial(_go_on, going)
        seat = view.mover(position)
        return (
            partial(self._move, position, seats[seat])
            if seat is not None and seat in seats
            else None
        )

    def measure(self, position: Position, whole: bool) -> tuple[int, int]:
        """By the phases that have been called (4.4)."""
        phases_of_turn = 2 * len(position.seats)
        called = (
            phases_of_turn - len(position.queue)
            if position.phase in (PEOPLE, FACTION, "turns")
            else 0
        )
        ended = called - (position.phase in (PEOPLE, FACTION) and position.step != DONE)
        if not whole:
            return ended, phases_of_turn
        over = position.phase == "over"
        return (
            PERIODS if over else position.period - 1
        ) * phases_of_turn + ended, PERIODS * phases_of_turn

    @staticmethod
    def _move(position: Position, level: str, rng: Random) -> dict[str, Any]:
        choice = explained(level, position, rng)
        assert choice is not None
        return dict(choice.raw)

    def tournament(self, hero: str, others: str, campaigns: int, seed: str) -> Rank:
        """One program among three of another, in each seat as often."""
        first, ranks = 0, 0
        for n in range(campaigns):
            options = Options()
            seat = options.seats[n % len(options.seats)]
            position = game(
                {one: hero if one == seat else others for one in options.seats},
                f"{seed}/{n}",
                options,
            )
            assert position.result is not None
            rank = (
                phases.ranking(position, position.result["totals"]).index(position.owners[seat]) + 1
            )
            first, ranks = first + (rank == 1), ranks + rank
        return Rank(campaigns, first / campaigns, ranks / campaigns)

    def end(self, position: Position, effects: Sequence[Effect]) -> End:
        """Who won, and what all had at the end; `unfinished` if nothing had ended."""
        result = position.result or {"winner": "unfinished", "totals": {"": 0}}
        totals = result["totals"].values()
        numbers = {
            "points": max(totals),
            "last": min(totals),
            "p": sum(of[P] for of in position.vp.values()),
            "f": sum(of[F] for of in position.vp.values()),
            "legions": sum(position.losses.values()),
            "romans": sum(len(position.held(colour)) for colour in position.factions.values()),
        }
        points = {
            f"seat-{seat}": sum(of.values()) for seat, of in position.vp.items()
        } | position.earned
        return End(str(result["winner"]), "", numbers, points)

"""The page of a game: one address at all its moments (games.contract.pages.Pages).

What it shows of counters and cards is asked of `view.knows` and of the reader's seats: nothing else
of them goes into a context.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from engine.effects import Effect, Roll
from engine.errors import IllegalMove, MalformedRecord
from engine.language import Plural, language
from games.contract.pages import (
    Die,
    Fame,
    Frame,
    NamedSeat,
    Page,
    PastPage,
    Picture,
    Question,
    Reader,
    Told,
)
from games.kit.records import GM
from games.kit.title import BoardFounding
from games.roman_empire.bots.choosing import sensible
from games.roman_empire.drawing.map import Said, draw, land_contents, land_text
from games.roman_empire.page import choosing
from games.roman_empire.page.shown import EmpireBoard, PastEmpire
from games.roman_empire.rules import combat, phases, view
from games.roman_empire.rules.factions import DEARER, recruitable
from games.roman_empire.rules.moves import MOVES
from games.roman_empire.rules.phases import TIMES
from games.roman_empire.rules.placing import returns, start_land
from games.roman_empire.rules.position import (
    AREAS,
    CHART,
    COLOURS,
    COUNTERS,
    DONE,
    EDITION,
    EMPERORS,
    FACTION,
    FLAGS,
    LANDS,
    NEAR,
    OF_AREA,
    PEOPLE,
    POINTS,
    PROPOSED,
    REBEL,
    STACK,
    STANDARD,
    START,
    STARTS,
    F,
    Options,
    P,
    Place,
    Position,
    Scenario,
    data,
)
from games.roman_empire.text import words
from games.roman_empire.text.english import BOARD, FOUNDING
from games.roman_empire.text.words import (
    bonus,
    card_name,
    counted_phrase,
    effect_line,
    faction_name,
    group_name,
    land,
    land_name,
    move_line,
    numeral,
    phrase_text,
    resolve,
    roll_line,
    seat_name,
    tells,
)

SIDES = (PEOPLE, FACTION)
EMPEROR = "emperor"
LONGEST = 400
CITY = "city-"
"""A checkbox of a City to build is called by it and its land."""


class EmpirePages:
    """`games.contract.pages.Pages` of History of the Roman Empire."""

    styles: Sequence[str] = ("css/march.css", "css/tetrarchia.css", "css/roman_empire.css")

    def page(
        self, position: Position, log: Sequence[Told], reader: Reader, hall: Sequence[Fame]
    ) -> Page[EmpireBoard]:
        is_over = position.phase == "over"
        own = EmpireBoard(
            **self.common(position, log, reader),
            **self.of_turn(position, reader),
            end=end(position, log) if is_over else None,
            hall=[fame(entry) for entry in hall] if is_over else (),
        )
        shown = own.end["winner"] if own.end else own.seat
        seat = NamedSeat(shown["key"], shown["seat_name"]) if shown else None
        name = "end.html" if is_over else "roman_empire.html"
        return Page(name, own, title(position), seat)

    def common(self, position: Position, log: Sequence[Told], reader: Reader) -> dict[str, Any]:
        """Return the fields of `EmpireBoard` that every stage shows beside the map."""
        mine, seen = is_movers(position, reader), visible_seats(position, reader)
        stage = stage_of(position)
        rows = counters(position, seen)
        own = [seat for seat in position.seats if seat in reader.seats]
        shown = [seat for seat in position.seats if seat in seen and stage != "setup"]
        return {
            "stage": stage,
            "mine": mine,
            "plays": reader.plays,
            "typed": dict(reader.typed),
            "period": numeral(position.period),
            "going": view.automatic(position),
            "dealing": self.dealing(position, seen),
            "hands": [self.hand(position, seat) for seat in shown],
            "scores": scores(position),
            "counters": rows,
            "areas": areas(position),
            "chart": chart(position, seen),
            "lands": lands(position),
            "told": stretches(position, log),
            "variants": variants(position),
            "line": seats_line(position),
            "own_names": [named(position, seat)["name"] for seat in own],
            "own_counters": [row for row in rows if row["key"] in reader.seats],
            "board_data": document(position, mine),
        }

    def of_turn(self, position: Position, reader: Reader) -> dict[str, Any]:
        """Return the map and what the seat that moves may do: fields of `EmpireBoard`."""
        seat, mine = view.mover(position), is_movers(position, reader)
        acts = stage_of(position) == "act"
        chosen = chosen_land(reader)
        ways = choosing.places(position, str(seat)) if acts else []
        before = choosing.before(position, str(seat)) if acts else []
        targets = set(position.pending.to) if position.pending else set()
        lit = {way["land"] for way in ways} | set(starts(before)) | targets
        return {
            "seat": named(position, seat) if seat else None,
            "deputed": reader.plays and not mine and seat in reader.deputes,
            "acts_for": seat_name(seat) if mine and seat not in reader.seats else "",
            "map": self.picture(position, chosen, lit),
            "act": choosing.acting(position) if position.current else None,
            "ways": ways,
            "here": [way for way in ways if way["land"] == chosen],
            "before": before,
            "spot": spot(position, chosen) if chosen else None,
            "decision": choosing.decision(position),
            "ending": choosing.ending(position, str(seat)) if acts else None,
            "listing": planned(position, reader, mine=mine),
        }

    def past(self, position: Position, changed: Collection[str]) -> PastPage[PastEmpire]:
        """See `games.contract.pages.Remembering`: what everybody may know."""
        picture = draw(
            position,
            Said(phrase_text("board-title"), lambda key: land_text(position, key)),
            lit=changed,
        )
        own = PastEmpire(
            map=Picture(picture),
            period=numeral(position.period),
            scores=scores(position),
            areas=areas(position),
            lands=lands(position),
        )
        return PastPage("past.html", own)

    def place(self, key: str) -> str:
        return land(key)

    def item(self, key: str) -> str:
        return card_name(key)

    def board(self, position: Position, reader: Reader) -> Mapping[str, Any]:
        """See `games.contract.pages.Composing`."""
        return document(position, reader.plays and speaks(position, reader))

    @staticmethod
    def picture(position: Position, chosen: str | None, lit: Collection[str]) -> Picture:
        fought = position.combat.land if position.combat is not None else None
        picture = draw(
            position,
            Said(phrase_text("board-title"), lambda key: land_text(position, key)),
            lit=sorted(lit),
            selected=chosen,
            fought=fought,
            links=lambda key: f"?at={key}#h-turn",
        )
        return Picture(picture, lit=bool(lit))

    @staticmethod
    def dealing(position: Position, seen: Collection[str]) -> dict[str, Any] | None:
        row = choosing.dealing(position, seen)
        if row is not None:
            row |= {
                "who": named(position, row["seat"]),
                "pass": [one | named(position, one["seat"]) for one in row["pass"]],
            }
        return row

    @staticmethod
    def hand(position: Position, seat: str) -> dict[str, Any]:
        left = 2 - sum(position.played[seat].values())
        cards = choosing.cards_of_seat(position, seat)
        return named(position, seat) | {
            "cards": cards,
            "left": counted_phrase("cards-left", left),
            "ready": any(one["play"] for one in cards),
        }

    # What the page's forms say --------------------------------------------------------------------

    def asked(self, position: Position, form: Mapping[str, str]) -> Mapping[str, Any]:
        name = form.get("do", "")
        if name not in MOVES:
            raise IllegalMove("unknown-move", "4", name=name[:40])
        if MOVES[name].automatic:
            return {"by": GM, "move": name}
        raw: dict[str, Any] = {"by": view.mover(position) or GM, "move": name}
        for key, kind in MOVES[name].form.items():
            raw[key] = read_argument(form, key, kind, optional=key in MOVES[name].optional)
        return {key: value for key, value in raw.items() if value is not None}

    def announcer(self, position: Position) -> str | None:
        return choosing.announcer(position)

    def listed(self, position: Position, form: Mapping[str, str]) -> Mapping[str, Any]:
        if form.get("do") != choosing.PLACE:
            raise IllegalMove("bad-arguments", "", "not-listed")
        return {**self.asked(position, form), "by": choosing.announcer(position)}

    def stops(self) -> Collection[str]:
        return choosing.STOPS

    def stopped(self, before: Position, after: Position, seat: str, chosen: Collection[str]) -> str:
        return choosing.stopped(before, after, seat, chosen)

    def film(self, before: Position, log: Sequence[Told]) -> Sequence[Frame]:
        return film(before, log)

    def wanted(self, position: Position, condition: Mapping[str, Any]) -> bool:
        return wanted(position, condition)

    def onward(self, position: Position) -> Mapping[str, Any] | None:
        """The drawing order and the next phase come by themselves; the beginning is the game
        master's.
        """
        going = view.automatic(position)
        return None if going in (None, "begin") else {"move": going}

    def deputy(self, position: Position) -> Mapping[str, Any] | None:
        return sensible(position)


def read_argument(form: Mapping[str, str], key: str, kind: str, *, optional: bool) -> Any:
    """Return an argument of a move as it was typed; None for one that was left out."""
    typed = form.get(key, "").strip()[:LONGEST]
    if key == "lands":
        return typed.split(",") if typed else None
    if kind == "texts":
        chosen = [name for name in form if name.startswith(CITY)]
        return [name.removeprefix(CITY)[:LONGEST] for name in chosen][:LONGEST] or None
    if kind == "flag":
        return typed == "1" if typed or not optional else None
    if kind == "number":
        if not (typed.isascii() and typed.isdigit() and len(typed) < 6):
            raise IllegalMove("bad-arguments", "4", "not-number", key=key)
        return int(typed)
    return typed or None


def is_movers(position: Position, reader: Reader) -> bool:
    """Return whether the reader plays and makes the next move."""
    return reader.plays and speaks(position, reader)


def chosen_land(reader: Reader) -> str | None:
    """Return the land that the reader has chosen, if it is one."""
    asked = reader.typed.get("land") or reader.typed.get("at") or reader.asked.get("at", "")
    return asked if asked in LANDS else None


def planned(position: Position, reader: Reader, *, mine: bool) -> dict[str, Any] | None:
    """Return the list of planned moves, for a reader who may have one now."""
    may_plan = mine or position.pending is not None
    if reader.plan is None or not may_plan or not reader.plays:
        return None
    return choosing.listing(position, reader.plan, reader.asked.get("stops"))


def stage_of(position: Position) -> str:
    """What the page is about: setup, draw, go (it goes on by itself), decide (another is asked),
    act, over.
    """
    if position.phase in ("setup", "over"):
        return position.phase
    if position.pending is not None:
        return "decide"
    if view.automatic(position) is not None:
        return "go"
    return "draw" if position.phase == "draw" else "act"


def speaks(position: Position, reader: Reader) -> bool:
    """Is it the reader's move? The game master may make every seat's; what goes on by itself,
    everybody who plays.
    """
    going = view.automatic(position)
    if going is not None:
        return going != "begin" or reader.host or GM in reader.seats
    return GM in reader.seats or view.mover(position) in (*reader.seats, *reader.opened)


def visible_seats(position: Position, reader: Reader) -> tuple[str, ...]:
    """The seats whose hand the reader sees: their own and what lies open to them; the game master,
    and whoever looks at what is over, sees all of them.
    """
    if GM in reader.seats or position.phase == "over":
        return position.seats
    return tuple(seat for seat in position.seats if seat in (*reader.seats, *reader.opened))


def named(position: Position, seat: str) -> dict[str, str]:
    return {
        "key": seat,
        "name": faction_name(position.factions[seat]),
        "seat_name": seat_name(seat),
    }


def starts(before: Sequence[Mapping[str, Any]]) -> list[str]:
    """The start lands that may be chosen now."""
    return [
        dict(one["fields"])["land"]
        for group in before
        if group["key"] == "choose_start"
        for one in group["deeds"]
    ]


def title(position: Position) -> str:
    period = numeral(position.period)
    match stage_of(position):
        case "setup":
            return phrase_text("title-setup")
        case "over":
            return phrase_text(
                "title-over", seat=seat_name(position.result["winner"]) if position.result else ""
            )
        case "draw":
            return phrase_text("title-draw", period=period)
    if position.current is None or position.step == DONE:
        return phrase_text("title-go", period=period)
    return phrase_text("title-act", group=group_name(position.current), period=period)


def variants(position: Position) -> list[str]:
    return [phrase_text(f"variant-{flag}") for flag in sorted(position.options.flags)]


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
            row[what] = choosing.counter(position.period, what, n) if known and n else None
            row[f"{what}_has"] = n is not None
        rows.append(row)
    return rows


def may_know(position: Position, seen: Collection[str], holder: str, what: str) -> bool:
    """Does any of the reader's seats know this counter (4.2, 4.4)? The game master, who sees all
    seats, does.
    """
    if set(seen) == set(position.seats):
        return True
    return any(view.knows(position, one, holder, what) for one in (None, *seen))


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
    return choosing.why_not(position, key) if stage_of(position) == "act" else None


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


def end(position: Position, log: Sequence[Told]) -> dict[str, Any]:
    """How the game ended: standings, points by period, what is remembered."""
    result = position.result or {"winner": "", "totals": {}}
    standings = view.score(position) or []
    rows = [
        {
            "rank": one.rank,
            **named(position, one.seat),
            "p": one.facts["p"],
            "f": one.facts["f"],
            "points": one.points,
            "total": one.facts["total"],
            "player": seat_name(one.facts["player"]),
        }
        for one in standings
    ]
    return {
        "winner": named(position, str(result["winner"])),
        "rows": rows,
        "two": len(result["totals"]) < len(position.seats),
        "points": max(result["totals"].values(), default=0),
        "chronicle": chronicle(position, log),
        "periods": by_period(position, log),
        "seats": [named(position, seat) for seat in position.seats],
        "dice": sum(len(one.rolls) for one in log),
    }


def fame(one: Fame) -> dict[str, Any]:
    """A line of the hall of fame."""
    return {
        "player": one.player,
        "url": one.url,
        "ended": one.ended,
        "points": one.points,
        **one.facts,
    }


# What happened, read back from the log: the phase that is being played, and the one before it, step
# by step with its dice.

OPENERS = ("opened", "turn", "order", "begun")
"""The effects with which another stretch of the log begins."""
MOST = 2


def stretches(position: Position, log: Sequence[Told]) -> list[dict[str, Any]]:
    """The last phases, the latest first: a title, and each move with its notes and dice."""
    rows: list[dict[str, Any]] = []
    steps: list[dict[str, Any]] = []
    for one in reversed(log):
        steps.append(step(position, one))
        opening = next((effect for effect in one.effects if effect.kind in OPENERS), None)
        if opening is not None:
            rows.append(
                {
                    "title": heading(opening, one),
                    "steps": steps[::-1],
                    "dice": sum(len(of["rolls"]) for of in steps),
                }
            )
            steps = []
            if len(rows) == MOST:
                break
    return rows


def heading(effect: Effect, one: Told) -> str:
    """What a stretch of the log is called."""
    facts = effect.facts
    if effect.kind == "opened":
        key = "told-people" if facts["phase"] == "people" else "told-faction"
        named = _named(facts)
        return phrase_text(key, **named)
    return phrase_text(
        "told-begin" if effect.kind == "begun" else "told-counters", period=numeral(one.turn)
    )


def _named(facts: Any) -> dict[str, str]:
    named = words.resolve(facts)
    return {
        "group": str(named["group"]),
        "period": str(named["period"]),
        "emperor": str(named.get("emperor_text", "")),
    }


def step(position: Position, one: Told) -> dict[str, Any]:
    """A move of the log: who, what, what came of it, its dice."""
    scenario = position.scenario
    return {
        "number": one.number,
        "seat": one.seat if one.seat in position.factions else "",
        "text": move_line(scenario, one.move, one.effects),
        "notes": [effect_line(scenario, effect) for effect in one.effects if tells(effect)],
        "rolls": [
            {"label": roll_line(scenario, roll), "values": thrown(roll)} for roll in one.rolls
        ],
    }


def thrown(roll: Roll) -> list[Any]:
    """The dice of a throw."""
    return list(roll.value) if isinstance(roll.value, (list, tuple)) else [roll.value]


def by_period(position: Position, log: Sequence[Told]) -> list[dict[str, Any]]:
    """The points each seat made or paid, period by period."""
    periods: dict[int, dict[str, int]] = {}
    for one in log:
        for effect in one.effects:
            if effect.kind == "account" and effect.holder in position.factions:
                of = periods.setdefault(one.turn, dict.fromkeys(position.factions, 0))
                of[str(effect.holder)] += effect.change
    return [
        {"period": numeral(turn), "seats": [of[seat] for seat in position.seats]}
        for turn, of in sorted(periods.items())
    ]


def chronicle(position: Position, log: Sequence[Told]) -> list[dict[str, Any]]:
    """What will be remembered, period by period: Cities looted, cards played, areas held whole."""
    by_turn: dict[int, list[str]] = {}
    for one in log:
        for effect in one.effects:
            if effect.kind in ("looted", "event_played", "kingdom_stands", "leader_killed"):
                line = effect_line(position.scenario, effect)
                by_turn.setdefault(one.turn, []).append(line[:1].upper() + line[1:] + ".")
    return [
        {"period": numeral(turn), "text": " ".join(lines[:8])}
        for turn, lines in sorted(by_turn.items())
    ]


# How History of the Roman Empire is offered and founded: how many play, the optional rules.

PLAYERS = ("2", "3", "4")
USUAL = "4"


def _flag(key: str) -> Question:
    """Return the question for an optional rule, with the words of the source if it is unclear."""
    texts = FOUNDING.read()
    proposed = "1" if key in PROPOSED else ""
    return Question(key, texts[key], "flag", texts.get(f"{key}_help", ""), proposed)


class EmpireFounding(BoardFounding):
    """`games.contract.pages.Founding` of History of the Roman Empire."""

    catalogue = FOUNDING

    @property
    def questions(self) -> Sequence[Question]:
        texts = FOUNDING.read()
        players = tuple((key, texts[f"players_{key}"]) for key in PLAYERS)
        asked = Question(
            "players", texts["players"], "choice", texts["players_help"], USUAL, choices=players
        )
        return (asked, *map(_flag, FLAGS))

    def terms(self, answers: Mapping[str, str]) -> tuple[Any, dict[str, Any]]:
        players = answers.get("players", "") or USUAL
        if players not in PLAYERS:
            raise MalformedRecord("players", FOUNDING.text("must_be"))
        return {"key": STANDARD}, {
            "players": int(players),
            **{key: True for key in FLAGS if answers.get(key)},
        }

    def called(self, answers: Mapping[str, str]) -> str:
        return FOUNDING.text("called", n=answers.get("players", "") or USUAL)

    def outcome_line(self, scenario: Scenario, facts: Mapping[str, Any]) -> str:
        return FOUNDING.text("told", **facts)

    def facts(self, scenario: Scenario, options: Options) -> Sequence[tuple[str, str]]:
        texts = FOUNDING.read()
        on = [texts[key].partition(":")[0] for key in FLAGS if key in options.flags]
        chosen = (
            (texts["players"], texts[f"players_{options.players}"]),
            (texts["rules"], ", ".join(on) or texts["none"]),
        )
        return (
            chosen
            if options.edition == EDITION
            else (*chosen, (texts["edition"], texts["edition_1"]))
        )


# What the page's script is given to compose a phase on the board: the public position, ways,
# chances, points, words.
#
# Nothing of hands and counters is in it: all of it stands open on the table. The script judges
# nothing; it shows what the rules would likely say, and the server plays move by move.

MOST_ON_BOARD = 10
"""Chances are told for so many armies."""
START_PERIODS = 3
"""The points of a start land's area are shown for the first periods."""


def document(position: Position, mine: bool) -> dict[str, Any]:
    """All the script may know; `play` is there only where the reader composes a phase now."""
    groups = {place.who for place in position.lands.values() if place.who} | set(position.control)
    if position.current is not None:
        groups.add(position.current)
    whole: dict[str, Any] = {
        "lands": {key: _place(place) for key, place in position.lands.items()},
        "groups": {
            key: [group_name(key), position.seat_of(key) or REBEL, _kind(key)]
            for key in sorted(groups)
        },
        "names": {key: one.name for key, one in LANDS.items()},
        "geo": _geography(),
        "phase": [
            position.period,
            position.phase,
            position.active,
            position.current,
            position.resume is not None,
        ],
        "mover": view.mover(position),
        "fought": position.combat.land if position.combat is not None else "",
        "words": _words(language()),
    }
    if mine and position.pending is not None:
        whole["decide"] = list(position.pending.to)
    elif mine and position.phase in (PEOPLE, FACTION) and view.automatic(position) is None:
        whole["play"] = _play(position)
    return whole


def _place(place: Place) -> list[Any]:
    """Group, armies, City, whose Fort, its level."""
    fort = place.fort
    return [place.who, place.n, place.city, fort.who if fort else None, fort.level if fort else 0]


def _kind(group: str) -> str:
    return "faction" if group in COLOURS else "rebel" if group == REBEL else "people"


@cache
def _geography() -> dict[str, list[Any]]:
    """Where stack, City, Fort and resource of each land stand, whether its name is below, whether
    it is a capital's.
    """
    drawn = data("drawing")["lands"]
    return {
        key: [
            one["markers"]["stack"],
            one["markers"].get("city"),
            one["markers"].get("fort"),
            one["markers"].get("resource"),
            one["label"][1] > one["markers"]["stack"][1],
            bool(one["capital"]),
        ]
        for key, one in drawn.items()
    }


def _play(position: Position) -> dict[str, Any]:
    """What the acting seat composes with."""
    seat, group = str(position.active), str(position.current)
    revolt = position.working.get("revolt")
    return {
        "seat": seat,
        "group": group,
        "name": group_name(group),
        "faction": position.is_faction,
        "hand": position.in_hand,
        "begin": position.step == START,
        "home": start_land(position),
        "returns": returns(position),
        "stack": STACK,
        "revolt": [revolt["land"], revolt["n"]] if revolt and revolt["n"] else None,
        "near": {
            key: {to: int(combat.hard(position, to, key)) for to in of} for key, of in NEAR.items()
        },
        "coast": [key for key, one in LANDS.items() if one.coastal],
        "bribed": [colour for people, colour in position.bribed if people == group],
        "fights": {key: chances for key in LANDS if (chances := _chances(position, key))},
        "areas": {key: [name, OF_AREA[key], POINTS[key]] for key, name in AREAS.items()},
        "city": {key: phases.city(key, position.phase, position.period) for key in LANDS},
        "capitals": [key for key in LANDS if combat.loot_dice(position, key) > 1],
        "per_land": phases.per_land(position, position.phase),
        "strict": "strict_domination" in position.options.flags,
        "main": group_name(position.resume.current) if position.resume is not None else "",
        "score": [phases.score(position, seat, position.phase).points],
        "fight": position.combat is not None and not position.combat.standing,
        **(
            _faction(position, seat)
            if position.is_faction
            else {"take_up": _take_ups(position, seat)}
        ),
    }


def _chances(position: Position, land: str) -> dict[str, Any]:
    """Of an attack on a land: per cent for one army to ten by open ground, hard ground, sea and
    revolt; the words of each.
    """
    place = position.lands[land]
    if position.current == place.who or not (place.n or place.fort):
        return {}
    ways: dict[str, str] = {}
    for source in NEAR[land]:
        ways.setdefault("h" if combat.hard(position, land, source) else "e", source)
    if position.is_faction and LANDS[land].coastal:
        ways["s"] = "sea"
    if position.working.get("revolt"):
        ways["r"] = "revolt"
    rows: dict[str, Any] = {}
    for key, source in ways.items():
        odds = combat.attack(position, land, source)
        shown = choosing.chance(odds, position, land, source)
        chances = [
            combat.conquest_chance(odds.sides, n, odds.defenders)
            for n in range(1, MOST_ON_BOARD + 1)
        ]
        rows[key] = [
            [_percent(one) for one in chances],
            ", ".join(shown["mine"]),
            ", ".join(shown["his"]),
        ]
    holder = place.who or (place.fort.who if place.fort else None)
    rows["holder"] = group_name(holder)
    rows["beat"] = place.n + (place.fort is not None)
    rows["loot"] = combat.lootable(position, land, holder)
    rows["asks"] = place.who in position.factions.values() and place.n > 0
    return rows


def _percent(chance: float) -> int:
    return int(combat.percent(chance)[:-1])


def _take_ups(position: Position, seat: str) -> dict[str, int]:
    most: dict[str, int] = {}
    for one in choosing.legal(position, "take_up", seat):
        most[str(one["land"])] = max(most.get(str(one["land"]), 0), int(one["n"]))
    return most


def _faction(position: Position, seat: str) -> dict[str, Any]:
    """What only a Faction does before it places, with its prices."""

    def lands(name: str) -> list[str]:
        return [str(one["land"]) for one in choosing.legal(position, name, seat)]

    starts = {
        key: [
            AREAS[LANDS[key].area],
            POINTS[LANDS[key].area][:START_PERIODS],
            OF_AREA[LANDS[key].area],
        ]
        for key in lands("choose_start")
    }
    taken = {land: seat_name(other) for other, land in position.start.items() if other != seat}
    return {
        "starts": starts,
        "taken": taken if starts else {},
        "all_starts": list(STARTS),
        "points": position.vp[seat][F],
        "free_forts": position.free_forts,
        "forts_left": _forts_left(position),
        "price": 3 if position.period >= DEARER else 2,
        "recruits": max(
            [int(one["n"]) for one in choosing.legal(position, "recruit", seat)], default=0
        ),
        "room": max(0, recruitable(position)),
        "take_up": _take_ups(position, seat),
        "bribe": {key: 2 * position.lands[key].n for key in lands("bribe")},
        "fortress": lands("fortress"),
        "resources": [key for key, one in LANDS.items() if one.resource],
        "home_area": list(phases.home_area(position)),
    }


def _forts_left(position: Position) -> int:
    return max(0, COUNTERS["forts_per_faction"] - position.forts(position.colour))


@cache
def _words(_: str) -> dict[str, Any]:
    """The texts of the script in the language of now: of what counts, one and many."""
    texts: Mapping[str, Any] = BOARD.read()
    return {
        key: [one.form(1), one.form(2)] if isinstance(one, Plural) else one
        for key, one in texts.items()
    }


def wanted(position: Position, condition: Mapping[str, Any]) -> bool:
    """Is a move still to be made, by its condition (`games.contract.pages.Conditional`): a land is
    yet to be fought for (`fights`), lands were won (`won`), no army was lost before a land just now
    (`unbroken`)?
    """
    known = {"fights", "won", "unbroken"}
    for key, value in condition.items():
        lands = value if key == "won" and isinstance(value, list) else [value]
        if key not in known or any(type(land) is not str or land not in LANDS for land in lands):
            raise IllegalMove(
                "bad-arguments", "", "unknown-argument", key=str(key)[:40], move="place"
            )
    now, group = position.combat, position.current
    broken = now is not None and not now.standing and now.land == condition.get("unbroken")
    fought = "fights" not in condition or position.lands[condition["fights"]].who != group
    return (
        not broken
        and fought
        and all(position.lands[land].who == group for land in condition.get("won", ()))
    )


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


# Moves as a film: what is tried, the dice, what came of it, what changes on the board. Read from
# effects and rolls alone.

AFTER = ("placed", "killed", "fort_lost")
"""The causes of changes that follow the sentence they belong to; all others come before it."""
JOINED = ("army_lost", "leader_killed")
"""What is said in one breath with the round before it."""
QUICK = ("placed", "kept", "drawn", "passed")
HEAVY = ("scored", "game_end", "kingdom_stands", "turn", "opened")
GOOD, BAD = (
    ("conquered", "looted", "city_built"),
    ("displaced", "struck", "ruined", "destroyed", "rebelled"),
)


def film(before: Position, log: Sequence[Told]) -> list[Frame]:
    """The frames of these entries."""
    reel = Reel(before)
    return [frame for one in log for frame in reel.frames(one)]


class Reel:
    """Frames one after the other; it knows whose groups are, and from where the last army came into
    a fight.
    """

    def __init__(self, before: Position) -> None:
        self.scenario = before.scenario
        self.seats = {colour: seat for seat, colour in before.factions.items()} | dict(
            before.control
        )
        self.sources: dict[str, str] = {}

    def frames(self, one: Told) -> list[Frame]:
        """The frames of one entry, each with its changes."""
        shots: list[dict[str, Any]] = []
        waiting: list[dict[str, Any]] = []
        dice = {roll.purpose: roll.value for roll in one.rolls}
        for effect in one.effects:
            if effect.kind == "holding":
                change = self.changed(effect)
                if effect.cause.id in AFTER and shots:
                    shots[-1]["changes"].append(change)
                else:
                    waiting.append(change)
                continue
            self.learn(effect)
            if not tells(effect):
                continue
            if effect.kind in JOINED and shots:
                shots[-1]["say"] += f" {self.line(effect)}"
                continue
            shots.append(self.shot(effect, dice, waiting))
            waiting = []
        if waiting and shots:
            shots[-1]["changes"] += waiting
        elif waiting:
            shots.append({"say": "", "changes": waiting})
        return [
            Frame(at=one.number, **{**shot, "changes": tuple(shot["changes"])}) for shot in shots
        ]

    def learn(self, effect: Effect) -> None:
        facts = effect.facts
        if effect.kind in ("opened", "sub_begun") and facts.get("seat"):
            self.seats[str(facts["group"])] = str(facts["seat"])
        if effect.kind == "placed":
            self.sources[str(facts["land"])] = str(facts["source"])

    def line(self, effect: Effect) -> str:
        text = effect_line(self.scenario, effect)
        return f"{text[:1].upper()}{text[1:]}."

    def changed(self, effect: Effect) -> dict[str, Any]:
        """What stands in a land now."""
        now = effect.facts["now"]
        fort = now["fort"] or {"who": None, "level": 0}
        return {
            "kind": "land",
            "land": effect.subject,
            "now": [now["who"], now["n"], now["city"], fort["who"], fort["level"]],
            "group": self.group(now["who"]),
        }

    def group(self, key: str | None) -> list[str] | None:
        """Name, seat and kind, as the board draws a stack."""
        if key is None:
            return None
        kind = "faction" if key in COLOURS else "people" if key in self.seats else "rebel"
        return [group_name(key), self.seats.get(key, "rebel"), kind]

    def march(self, source: str, land: str, group: str) -> list[dict[str, Any]]:
        """An army on its way, where it came from a land."""
        if source not in LANDS or source == land:
            return []
        seat, faction = self.seats.get(group, "rebel"), group in COLOURS
        return [{"kind": "march", "from": source, "to": land, "seat": seat, "faction": faction}]

    def shot(
        self, effect: Effect, dice: Mapping[str, Any], changes: list[dict[str, Any]]
    ) -> dict[str, Any]:
        kind, facts = effect.kind, effect.facts
        land = str(facts.get("land") or "")
        shot: dict[str, Any] = {
            "intro": "",
            "dice": (),
            "say": self.line(effect),
            "changes": changes,
            "places": (land,) if land in LANDS else (),
            "tone": "good" if kind in GOOD else "bad" if kind in BAD else "",
            "weight": 0 if kind in QUICK else 1,
        }
        if kind in HEAVY:
            shot["weight"] = 2
        if kind == "placed" and facts["way"] != "attack":
            shot["changes"] = self.march(str(facts["source"]), land, str(facts["group"])) + changes
        elif kind == "conquered":
            shot["changes"] = (
                self.march(self.sources.get(land, ""), land, str(facts["group"])) + changes
            )
        elif kind == "retreated":
            shot["changes"] = self.march(land, str(facts["to"]), str(facts["group"])) + changes
        elif kind in ("round", "rebel_round"):
            shot["intro"] = BOARD.text("film-round", land=land_name(land), n=facts["round"])
            shot["dice"] = self.thrown(facts)
            shot["changes"] = [*changes, {"kind": "flash", "land": land}]
        elif kind == "looted":
            shot["intro"] = BOARD.text("film-loot", land=land_name(land))
            shot["dice"] = pips(self.values(dice, f"/loot/{land}"), land_name(land))
        elif kind in ("struck", "spared") and facts.get("land"):
            shot["dice"] = pips(self.values(dice, f"/{land}"), land_name(land))
        elif kind == "order":
            shot["dice"] = tuple(
                Die(value, "", seat_name(purpose.split("/")[2]))
                for purpose, values in dice.items()
                for value in listed(values)
            )
        elif kind == "scored":
            shot["intro"] = BOARD.text("film-count", group=group_name(str(facts["group"])))
            named = resolve({**facts, "areas": facts.get("areas", ())})
            if facts.get("areas"):
                shot["say"] += f" {named['areas_text']}."
        return shot

    def thrown(self, facts: Mapping[str, Any]) -> tuple[Die, ...]:
        """The dice of a round, the attacker's first."""
        mine = group_name(str(facts["group"])) if facts.get("group") else BOARD.text("film-rebels")
        his = (
            group_name(str(facts["defender"]))
            if facts.get("defender")
            else BOARD.text("film-walls")
        )
        return (*pips(facts["attacker"], mine), *pips(facts["thrown"], his))

    @staticmethod
    def values(dice: Mapping[str, Any], end: str) -> Any:
        return next((value for purpose, value in dice.items() if purpose.endswith(end)), ())


def listed(value: Any) -> Iterable[int]:
    return value if isinstance(value, (list, tuple)) else (value,)


def pips(values: Any, label: str) -> tuple[Die, ...]:
    return tuple(Die(value, "", label) for value in listed(values))

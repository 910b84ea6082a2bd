"""The page of a game: one address at all its moments (engine.pages.Pages).

What it shows of counters and cards is asked of `view.knows` and of the reader's seats: nothing else of them goes into a
context.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from engine.errors import IllegalMove
from engine.pages import Fame, Page, Reader, Told
from games.roman_empire import announcing, choosing, scoring, telling, view
from games.roman_empire.board import AREAS, CHART, EMPERORS, LANDS, NEAR, OF_AREA, POINTS
from games.roman_empire.form import GM, MOVES
from games.roman_empire.map import Said, draw, standing, told
from games.roman_empire.phrases import bonus, counted, group_name, land, numeral, text
from games.roman_empire.position import DONE, FACTION, PEOPLE, F, P, Position
from games.roman_empire.scoring import TIMES
from games.roman_empire.sense import sensible
from games.roman_empire.words import card_name, faction_name, seat_name

SIDES = (PEOPLE, FACTION)
EMPEROR = "emperor"
LONGEST = 400
CITY = "city-"
"""A checkbox of a City to build is called by it and its land."""


class EmpirePages:
    """`engine.pages.Pages` of History of the Roman Empire."""

    styles: Sequence[str] = ("css/march.css", "css/tetrarchia.css", "css/roman_empire.css")

    def page(self, position: Position, log: Sequence[Told], reader: Reader, hall: Sequence[Fame]) -> Page:
        seat, mine = view.mover(position), reader.plays and speaks(position, reader)
        seen = eyes(position, reader)
        asked = reader.typed.get("land") or reader.typed.get("at") or reader.asked.get("at", "")
        chosen = asked if asked in LANDS else None
        stage = stage_of(position)
        ways = choosing.places(position, str(seat)) if stage == "act" else []
        before = choosing.before(position, str(seat)) if stage == "act" else []
        lit = {one["land"] for one in ways} | set(starts(before)) | set(position.pending.to if position.pending else ())
        context = {
            "stage": stage, "mine": mine, "plays": reader.plays, "typed": dict(reader.typed), "gm": GM in reader.seats,
            "period": numeral(position.period), "going": view.automatic(position), "ribbon": ribbon(position),
            "seat": named(position, seat) if seat else None,
            "deputed": reader.plays and not mine and seat in reader.deputes,
            "acts_for": seat_name(seat) if mine and seat not in reader.seats else "",
            "map": self.board(position, chosen, lit), "act": choosing.acting(position) if position.current else None,
            "ways": ways, "here": [one for one in ways if one["land"] == chosen], "before": before,
            "spot": spot(position, chosen) if chosen else None, "dealing": self.dealing(position, seen),
            "decision": choosing.decision(position), "ending": choosing.ending(position, str(seat)) if stage == "act" else None,
            "hands": [self.hand(position, one) for one in position.seats if one in seen and stage != "setup"],
            "scores": scores(position), "counters": counters(position, seen), "areas": areas(position),
            "chart": chart(position, seen), "lands": lands(position), "told": telling.stretches(position, log),
            "variants": variants(position),
        }  # fmt: skip
        if reader.plan is not None and (mine or position.pending is not None) and reader.plays:
            context["list"] = announcing.listing(position, reader.plan, reader.asked.get("stops"))
        if position.phase == "over":
            context |= {"end": end(position, log), "hall": [fame(one) for one in hall]}
        return Page("end.html" if position.phase == "over" else "roman_empire.html", context, title(position))

    def past(self, position: Position, changed: Collection[str]) -> Page:
        """See `engine.pages.Remembering`: what everybody may know."""
        picture = draw(position, Said(text("board-title"), lambda key: told(position, key)), lit=changed)
        context = {"map": {"svg": picture}, "scores": scores(position), "areas": areas(position), "lands": lands(position)}
        return Page("past.html", context | {"past": True, "period": numeral(position.period)})

    def place(self, key: str) -> str:
        return land(key)

    def item(self, key: str) -> str:
        return card_name(key)

    @staticmethod
    def board(position: Position, chosen: str | None, lit: Collection[str]) -> dict[str, Any]:
        fought = position.combat.land if position.combat is not None else None
        picture = draw(
            position, Said(text("board-title"), lambda key: told(position, key)), lit=sorted(lit), selected=chosen,
            fought=fought, links=lambda key: f"?at={key}#h-turn",
        )  # fmt: skip
        return {"svg": picture, "lit": bool(lit)}

    @staticmethod
    def dealing(position: Position, seen: Collection[str]) -> dict[str, Any] | None:
        made = choosing.dealing(position, seen)
        if made is not None:
            made |= {"who": named(position, made["seat"]), "pass": [one | named(position, one["seat"]) for one in made["pass"]]}
        return made

    @staticmethod
    def hand(position: Position, seat: str) -> dict[str, Any]:
        left = 2 - sum(position.played[seat].values())
        cards = choosing.hand(position, seat)
        return named(position, seat) | {
            "cards": cards,
            "left": counted("cards-left", left),
            "ready": any(one["play"] for one in cards),
        }

    # What the page's forms say -----------------------------------------------------------------------------------------

    def asked(self, position: Position, form: Mapping[str, str]) -> Mapping[str, Any]:
        name = form.get("do", "")
        if name not in MOVES:
            raise IllegalMove("unknown-move", "4", name=name[:40])
        if MOVES[name].automatic:
            return {"by": GM, "move": name}
        raw: dict[str, Any] = {"by": view.mover(position) or GM, "move": name}
        for key, kind in MOVES[name].form.items():
            typed = form.get(key, "").strip()[:LONGEST]
            if kind == "texts":
                raw[key] = [one.removeprefix(CITY)[:LONGEST] for one in form if one.startswith(CITY)][:LONGEST] or None
            elif kind == "flag":
                raw[key] = typed == "1" if typed or key not in MOVES[name].optional else None
            elif kind == "number":
                if not (typed.isascii() and typed.isdigit() and len(typed) < 6):
                    raise IllegalMove("bad-arguments", "4", "not-number", key=key)
                raw[key] = int(typed)
            else:
                raw[key] = typed or None
        return {key: value for key, value in raw.items() if value is not None}

    def announcer(self, position: Position) -> str | None:
        return announcing.announcer(position)

    def listed(self, position: Position, form: Mapping[str, str]) -> Mapping[str, Any]:
        if form.get("do") != announcing.PLACE:
            raise IllegalMove("bad-arguments", "", "not-listed")
        return {**self.asked(position, form), "by": announcing.announcer(position)}

    def stops(self) -> Collection[str]:
        return announcing.STOPS

    def stopped(self, before: Position, after: Position, seat: str, chosen: Collection[str]) -> str:
        return announcing.stopped(before, after, seat, chosen)

    def onward(self, position: Position) -> Mapping[str, Any] | None:
        """The drawing order and the next phase come by themselves; the beginning is the game master's."""
        going = view.automatic(position)
        return None if going in (None, "begin") else {"move": going}

    def deputy(self, position: Position) -> Mapping[str, Any] | None:
        return sensible(position)


def stage_of(position: Position) -> str:
    """What the page is about: setup, draw, go (it goes on by itself), decide (another is asked), act, over."""
    if position.phase in ("setup", "over"):
        return position.phase
    if position.pending is not None:
        return "decide"
    if view.automatic(position) is not None:
        return "go"
    return "draw" if position.phase == "draw" else "act"


def speaks(position: Position, reader: Reader) -> bool:
    """Is it the reader's move? The game master may make every seat's; what goes on by itself, everybody who plays."""
    going = view.automatic(position)
    if going is not None:
        return going != "begin" or reader.host or GM in reader.seats
    return GM in reader.seats or view.mover(position) in (*reader.seats, *reader.opened)


def eyes(position: Position, reader: Reader) -> tuple[str, ...]:
    """The seats whose hand the reader sees: his own and what lies open to him; the game master, and who looks at what is over,
    all of them."""
    if GM in reader.seats or position.phase == "over":
        return position.seats
    return tuple(seat for seat in position.seats if seat in (*reader.seats, *reader.opened))


def named(position: Position, seat: str) -> dict[str, str]:
    return {"key": seat, "name": faction_name(position.factions[seat]), "seat_name": seat_name(seat)}


def starts(before: Sequence[Mapping[str, Any]]) -> list[str]:
    """The start lands that may be chosen now."""
    return [dict(one["fields"])["land"] for group in before if group["key"] == "choose_start" for one in group["deeds"]]


def title(position: Position) -> str:
    period = numeral(position.period)
    match stage_of(position):
        case "setup":
            return text("title-setup")
        case "over":
            return text("title-over", seat=seat_name(position.result["winner"]) if position.result else "")
        case "draw":
            return text("title-draw", period=period)
    if position.current is None or position.step == DONE:
        return text("title-go", period=period)
    return text("title-act", group=group_name(position.current), period=period)


def variants(position: Position) -> list[str]:
    return [text(f"variant-{flag}") for flag in sorted(position.options.flags)]


def ribbon(position: Position) -> list[dict[str, Any]]:
    """The seats: whose move it is, points, who acts."""
    now = view.mover(position)
    return [
        {
            **named(position, seat), "is": "now" if seat == now else "later", "short": seat,
            "state": text("has-points", n=sum(position.vp[seat].values())),
        }
        for seat in position.seats
    ]  # fmt: skip


def scores(position: Position) -> dict[str, Any]:
    """Points of Peoples and of the Faction, seat by seat, with what each side would score now; and by player of two seats."""
    rows = []
    most = max([sum(of.values()) for of in position.vp.values()] + [1])
    for seat, colour in position.factions.items():
        p, f = position.vp[seat][P], position.vp[seat][F]
        rows.append({
            **named(position, seat), "p": p, "f": f, "sum": p + f, "p_share": f"{p * 100 / most:.1f}",
            "f_share": f"{f * 100 / most:.1f}", "legions": position.on_map(colour), "lands": len(position.held(colour)),
            "peoples": [f"{group_name(key)} ({position.on_map(key)})" for key, of in position.control.items() if of == seat
                        and position.on_map(key)],
            "cards": len(position.hand.get(seat, [])), "owner": seat_name(position.owners[seat]),
            "would": {side: scoring.score(position, seat, side).points for side in SIDES},
        })  # fmt: skip
    players = dict.fromkeys(position.owners.values(), 0)
    for seat, of in position.vp.items():
        players[position.owners[seat]] += sum(of.values())
    both = [(seat_name(player), n) for player, n in players.items()] if len(players) < len(position.seats) else []
    return {"rows": rows, "players": both}


def counters(position: Position, seen: Collection[str]) -> list[dict[str, Any]]:
    """The counters of this period as far as the reader may know them."""
    made = []
    for seat in position.seats:
        row: dict[str, Any] = named(position, seat)
        for what in (PEOPLE, EMPEROR):
            n = position.counters[seat][what]
            known = n is not None and (position.phase == "over" or may_know(position, seen, seat, what))
            row[what] = choosing.counter(position.period, what, n) if known and n else None
            row[f"{what}_has"] = n is not None
        made.append(row)
    return made


def may_know(position: Position, seen: Collection[str], holder: str, what: str) -> bool:
    """Does any of the reader's seats know this counter (4.2, 4.4)? The game master, who sees all seats, does."""
    if set(seen) == set(position.seats):
        return True
    return any(view.knows(position, one, holder, what) for one in (None, *seen))


def areas(position: Position) -> list[dict[str, Any]]:
    """Every area: its points now and in the next period, and who holds it how (10.1)."""
    made = []
    for key, name in AREAS.items():
        points = POINTS[key]
        value = points[position.period - 1]
        holders = []
        for seat, colour in position.factions.items():
            for side in SIDES:
                how = scoring.holding(position, seat, side, key)
                if how:
                    of = faction_name(colour) if side == FACTION else text("peoples-of", seat=seat_name(seat))
                    holders.append({
                        "key": seat, "name": of,
                        "how": text(f"how-{how}"), "points": value * TIMES[how],
                    })  # fmt: skip
        following = points[position.period] if position.period < len(points) else None
        made.append({"key": key, "name": name, "value": value, "times": [value * n for n in TIMES.values()], "next": following,
                     "holders": holders})  # fmt: skip
    return made


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
        {"n": one.n, "name": one.name, "start": land(one.start), "strength": one.strength, "there": position.on_map(one.key),
         "who": named(position, has[PEOPLE, one.n]) if (PEOPLE, one.n) in has else None}
        for one in CHART if one.period == period
    ]  # fmt: skip
    emperors = [
        {"n": one.n, "name": one.name, "text": bonus(one),
         "who": named(position, has[EMPEROR, one.n]) if (EMPEROR, one.n) in has else None}
        for one in EMPERORS.values() if one.period == period
    ]  # fmt: skip
    return {"peoples": peoples, "emperors": emperors, "period": numeral(period)}


def why(position: Position, key: str) -> tuple[str, str] | None:
    """Why nobody can be placed in a land now, and the rule; None where nobody is placed at all."""
    return choosing.why_not(position, key) if stage_of(position) == "act" else None


def spot(position: Position, key: str) -> dict[str, Any]:
    """A land that was chosen on the board."""
    one = LANDS[key]
    return {"key": key, "name": one.name, "area": AREAS[one.area], "there": standing(position, key), "coast": one.coastal,
            "resource": one.resource, "why": why(position, key)}  # fmt: skip


def lands(position: Position) -> list[dict[str, Any]]:
    """The board as a table, area by area."""
    return [
        {
            "name": name,
            "rows": [
                {
                    "key": key, "name": land(key), "there": ", ".join(standing(position, key)),
                    "seat": position.seat_of(position.lands[key].who) or "", "resource": LANDS[key].resource,
                    "near": [{"name": land(other), "hard": text(f"over-{hard}") if hard else ""} for other, hard in
                             NEAR[key].items()],
                }
                for key in OF_AREA[area]
            ],
        }
        for area, name in AREAS.items()
    ]  # fmt: skip


def end(position: Position, log: Sequence[Told]) -> dict[str, Any]:
    """How the game ended: standings, points by period, what is remembered."""
    result = position.result or {"winner": "", "totals": {}}
    standings = view.score(position) or []
    rows = [
        {"rank": one.rank, **named(position, one.seat), "p": one.facts["p"], "f": one.facts["f"], "points": one.points,
         "total": one.facts["total"], "player": seat_name(one.facts["player"])}
        for one in standings
    ]  # fmt: skip
    return {
        "winner": named(position, str(result["winner"])), "rows": rows, "two": len(result["totals"]) < len(position.seats),
        "points": max(result["totals"].values(), default=0), "chronicle": telling.chronicle(position, log),
        "periods": telling.by_period(position, log), "seats": [named(position, seat) for seat in position.seats],
        "dice": sum(len(one.rolls) for one in log),
    }  # fmt: skip


def fame(one: Fame) -> dict[str, Any]:
    """A line of the hall of fame."""
    return {"player": one.player, "url": one.url, "ended": one.ended, "points": one.points, **one.facts}

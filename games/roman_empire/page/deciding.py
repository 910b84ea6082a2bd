"""The end of a phase, what other seats are asked, the dealing, and who acts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from games.roman_empire.drawing.map import land_contents
from games.roman_empire.page.placing import offered_move
from games.roman_empire.rules import combat, phases
from games.roman_empire.rules.choices import shares
from games.roman_empire.rules.position import (
    AREAS,
    STACK,
    START,
    F,
    Position,
    emperor_of,
    people_of,
)
from games.roman_empire.text.words import (
    bonus,
    counted_phrase,
    emperor,
    group_name,
    land,
    land_name,
    phrase_text,
    seat_name,
)


def ending(position: Position, seat: str) -> dict[str, Any]:
    """The end of the phase: what it would score now, the armies in hand that would be lost, the
    sites for new Cities.
    """
    row: dict[str, Any] = {
        "score": scored(position, seat, position.phase),
        "sub": position.resume is not None,
        "sites": [],
    }
    row["unused"] = counted_phrase("unused", position.in_hand) if position.in_hand else ""
    if position.is_faction and not row["sub"]:
        home = set(phases.home_area(position))
        free = phases.sites(position)
        row["most"] = min(len(free), phases.resources(position) // 2)
        row["resources"] = phases.resources(position)
        row["home_first"] = bool(home & set(free)) and bool(set(free) - home)
        ranked = sorted(free, key=lambda key: key not in home)
        row["sites"] = (
            [
                {
                    "key": key,
                    "name": land(key),
                    "home": key in home,
                    "gives": phases.city(key, position.phase, position.period),
                    "checked": at < row["most"],
                }
                for at, key in enumerate(ranked)
            ]
            if row["most"]
            else []
        )
    return row


def scored(position: Position, seat: str, phase: str) -> dict[str, Any]:
    """What a seat would score if this phase of it ended now, part by part."""
    points = phases.score(position, seat, phase)
    lines = [
        (phrase_text(f"scores-{one.held}", area=AREAS[one.key]), one.points) for one in points.areas
    ]
    if points.cities:
        lines.append(
            (
                phrase_text("scores-cities", names=", ".join(map(land, points.cities))),
                sum(points.cities.values()),
            )
        )
    if points.emperor:
        lines.append(
            (phrase_text("scores-emperor", name=emperor(position.emperor)), points.emperor)
        )
    return {"lines": lines, "points": points.points}


def decision(position: Position) -> dict[str, Any] | None:
    """What another seat is asked, with its answers; None if nobody is."""
    asked = position.pending
    if asked is None:
        return None
    place, attacker = position.lands[asked.land], group_name(position.current)
    facts = {
        "land": land(asked.land),
        "group": attacker,
        "n": asked.amount,
        "seat": seat_name(asked.seat),
    }
    row: dict[str, Any] = {
        "kind": asked.kind,
        "seat": asked.seat,
        "land": asked.land,
        "title": phrase_text(f"asked-{asked.kind}", **facts),
        "there": land_contents(position, asked.land),
        "deeds": [],
        "most": 0,
        "rule": "8.5" if asked.kind == "retreat" else "12",
    }
    if asked.kind == "offer":
        row["most"] = position.vp[asked.seat][F]
        return row
    if asked.kind == "answer":
        row["deeds"] = [
            offered_move("answer", phrase_text("answer-yes", **facts), accept=True),
            offered_move("answer", phrase_text("answer-no"), accept=False),
        ]
        return row
    if position.makes_way:
        row |= {"title": phrase_text("asked-way", **facts), "rule": "8.6"}
        for lands in shares(position, asked):
            text = ", ".join(
                phrase_text("way-share", n=lands.count(to), land=land(to))
                for to in dict.fromkeys(lands)
            )
            row["deeds"].append(
                offered_move("retreat", phrase_text("way-to", lands=text), lands=",".join(lands))
            )
        row["deeds"].append(offered_move("retreat", phrase_text("way-usual")))
        return row
    for to in asked.to:
        room = min(place.n, STACK - position.lands[to].n)
        note = phrase_text("retreat-loses", n=place.n - room) if room < place.n else ""
        row["deeds"].append(
            offered_move("retreat", phrase_text("retreat-to", land=land(to)), note, to=to)
        )
    if position.rebellion is not None:
        row |= {
            "title": phrase_text("asked-rebellion", **facts, rebels=position.rebellion.rebels),
            "rule": "9.3",
        }
    now = position.combat if position.rebellion is None else None
    if now is not None and now.source:
        odds = combat.attack(position, asked.land, now.source)
        row["stands"] = combat.percents(combat.conquest_chance(odds.sides, 1, odds.defenders))[1]
    held = phrase_text("hold-note-rebellion" if position.rebellion is not None else "hold-note")
    row["deeds"].append(offered_move("retreat", phrase_text("stand"), phrase_text("stand-note")))
    row["deeds"].append(offered_move("retreat", phrase_text("hold"), held, hold=True))
    return row


def dealing(position: Position, knows: Iterable[str]) -> dict[str, Any] | None:
    """The counters being dealt: whose place it is; the counter drawn, to eyes that may see it; to
    whom it can be passed.
    """
    now = position.draw
    if now is None or position.active is None:
        return None
    seat = position.active
    looks = seat in knows
    row: dict[str, Any] = {
        "what": now.what,
        "seat": seat,
        "drawn": now.open is not None,
        "counter": None,
        "pass": [],
        "rule": "4.2" if now.what == "people" else "4.3",
        "last": not any(
            position.counters[other][now.what] is None for other in position.seats if other != seat
        ),
    }
    if now.open is not None:
        row["pass"] = [
            offered_move("pass_counter", "", to=other) | {"seat": other}
            for other in position.seats
            if other != seat and position.counters[other][now.what] is None
        ]
        if looks:
            row["counter"] = counter(position.period, now.what, now.open)
    return row


def counter(period: int, what: str, n: int) -> dict[str, Any]:
    """A counter as its chart reads it."""
    if what == "people":
        one = people_of(period, n)
        return {
            "n": n,
            "name": one.name,
            "text": phrase_text("people-line", land=land(one.start), n=one.strength),
        }
    lord = emperor_of(period, n)
    return {"n": n, "name": lord.name, "text": bonus(lord)}


def acting(position: Position) -> dict[str, Any]:
    """Who acts now: its name, what is in hand, what works for it."""
    on = [
        phrase_text(
            f"on-{key}",
            **(
                {"land": land_name(value)}
                if key == "surprise"
                else {"n": value}
                if type(value) is int
                else {}
            ),
        )
        for key, value in position.working.items()
        if key != "revolt" and value
    ]
    revolt = position.working.get("revolt")
    if revolt and revolt["n"]:
        on.append(phrase_text("on-revolt", n=revolt["n"], land=land(revolt["land"])))
    if position.resume is not None and any(position.bonus.values()):
        on.append(phrase_text("on-rests", main=group_name(position.resume.current)))
    now = position.combat
    return {
        "group": position.current,
        "name": group_name(position.current),
        "seat": position.active,
        "hand": position.in_hand,
        "hand_text": counted_phrase("in-hand", position.in_hand),
        "start": position.step == START,
        "faction": position.is_faction,
        "emperor": emperor(position.emperor),
        "on": on,
        "forts": position.free_forts,
        "forts_text": (
            counted_phrase("fort-points", position.free_forts) if position.free_forts else ""
        ),
        "sub": group_name(position.resume.current) if position.resume is not None else "",
        "fight": (
            None
            if now is None or now.standing
            else phrase_text("goes-on", land=land(now.land), n=now.round)
        ),
        "fight_land": None if now is None else now.land,
    }

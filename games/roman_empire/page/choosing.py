"""What the seat whose move it is may do, each with what would come of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from engine.errors import IllegalMove
from games.roman_empire.drawing.map import land_contents
from games.roman_empire.rules import combat, events, phases, view
from games.roman_empire.rules.choices import choices, shares, sources
from games.roman_empire.rules.factions import DEARER
from games.roman_empire.rules.moves import MOVES, decode
from games.roman_empire.rules.placing import ATTACK, CLAIM, STRENGTHEN, conquers, judge
from games.roman_empire.rules.position import (
    AREAS,
    CARDS,
    FACTION,
    LANDS,
    PEOPLE,
    STACK,
    START,
    WHOLE,
    F,
    Position,
    emperor_of,
    people_of,
)
from games.roman_empire.text.words import (
    bonus,
    card_timing,
    counted_phrase,
    effect,
    emperor,
    group_name,
    land,
    land_name,
    move_line,
    periods,
    phrase_text,
    refusal,
    seat_name,
)
from games.roman_empire.text.words import refusal as sentence

Deed = dict[str, Any]


def legal(position: Position, name: str, seat: str) -> list[Mapping[str, Any]]:
    """The arguments of the legal moves of a kind."""
    return choices(position, MOVES[name], seat, seat)[0]


def offered_move(name: str, text: str, note: str = "", /, **given: Any) -> Deed:
    """A move as the page offers it: what its form says, its button, what follows."""
    fields = [
        (key, "1" if value is True else "0" if value is False else str(value))
        for key, value in given.items()
    ]
    return {"do": name, "fields": fields, "text": text, "note": note}


# Placing ------------------------------------------------------------------------------------------


def places(position: Position, seat: str) -> list[Deed]:
    """Every way to place an army: attacks with their chances first, by what they would give; then
    what is taken at once.
    """
    ways: dict[tuple[str, str], Deed] = {}
    for given in legal(position, "place", seat):
        target, source = str(given["land"]), str(given["from"])
        one = ways.get((target, source))
        if one is None:
            one = ways[target, source] = _place(position, target, source)
        one["loot"] = one["loot"] or given.get("loot") is True
        one["fort"] = one["fort"] or given.get("fort") is not None
    for one in ways.values():
        if one["loot"]:
            one["loot_text"] = phrase_text(
                "loot-two" if combat.loot_dice(position, one["land"]) > 1 else "loot-one",
                land=land(one["land"]),
            )
    return sorted(
        ways.values(), key=lambda one: (one["way"] == STRENGTHEN, -one["gain"], one["name"])
    )


def _place(position: Position, target: str, source: str) -> Deed:
    way = judge(position, target, source, False)
    if way == CLAIM and not conquers(position, target):
        way = "first"
    odds = combat.attack(position, target, source) if way == ATTACK else None
    deed = offered_move(
        "place", phrase_text(f"do-{way}", land=land(target)), **{"land": target, "from": source}
    )
    return deed | {
        "land": target,
        "name": land(target),
        "area": AREAS[LANDS[target].area],
        "way": way,
        "from": whence(target, source),
        "gain": gain(position, target) if way != STRENGTHEN else 0,
        "loot": False,
        "fort": False,
        "there": land_contents(position, target),
        "odds": None if odds is None else chance(odds, position, target, source),
        "stack": (
            counted_phrase("would-be", position.lands[target].n + 1) if way == STRENGTHEN else ""
        ),
    }


def whence(target: str, source: str) -> str:
    """Where an army comes from, in words; nothing where that says nothing."""
    return (
        ""
        if source == target
        else (
            phrase_text(f"from-{source}")
            if source not in LANDS
            else phrase_text("from-land", land=land(source))
        )
    )


def why_not(position: Position, target: str) -> tuple[str, str]:
    """Why no army can be placed in a land, and the rule."""
    held = position.held(position.current)
    for source in sources(position, target) or held[:1]:
        try:
            judge(position, target, source, False)
        except IllegalMove as refused:
            if refused.code != "not-adjacent":
                return sentence(position.scenario, refused), refused.rule
    return phrase_text("no-neighbour", land=land(target), group=group_name(position.current)), "5.3"


def gain(position: Position, target: str) -> int:
    """How many points more the phase would score with this land taken and its City left
    whole (10).
    """
    seat, phase = str(position.active), position.phase
    after = position.copy()
    after.lands[target] = after.lands[target]._replace(who=position.current, n=1, of=None)
    return phases.score(after, seat, phase).points - phases.score(position, seat, phase).points


def chance(odds: combat.Odds, position: Position, target: str, source: str) -> dict[str, Any]:
    """The chances of an attack with what makes them, term by term."""
    sides, place = odds.sides, position.lands[target]
    mine = [phrase_text("dice-three" if sides.three else "dice-two")]
    his = [phrase_text("dice-two" if sides.dice > 1 else "dice-one")]
    if sides.mine:
        mine.append(phrase_text("plus", n=sides.mine))
    if sides.ties:
        mine.append(phrase_text("wins-ties"))
    if sides.dice > 1:
        his.append(phrase_text("hard"))
    if source == "sea" and sides.his > (
        place.fort is not None and not position.working.get("no_fort_bonus")
    ):
        his.append(phrase_text("overseas"))
    if place.fort is not None:
        his.append(
            phrase_text(
                "walls-none"
                if position.working.get("no_fort_bonus")
                else "fortress"
                if sides.fortress
                else "fort"
            )
        )
    taken, lost = combat.percents(odds.one)
    return {
        "one": taken,
        "all": combat.percent(odds.all),
        "share": f"{odds.one * 100:.1f}",
        "held": f"{(1 - odds.one) * 100:.1f}",
        "lost": lost,
        "armies": odds.armies,
        "defenders": counted_phrase("defenders", odds.defenders),
        "mine": mine,
        "his": his,
        "holder": group_name(place.who or (place.fort.who if place.fort else None)),
        "retreats": place.who in position.factions.values() and place.n > 0,
    }


# Before placing -----------------------------------------------------------------------------------


def before(position: Position, seat: str) -> list[dict[str, Any]]:
    """What is done before an army is placed, in groups: a heading, its rule, deeds or a form that
    counts.
    """
    groups: list[dict[str, Any]] = []
    starts = [
        offered_move("choose_start", land(str(one["land"])), land=one["land"])
        for one in legal(position, "choose_start", seat)
    ]
    _group(groups, "choose_start", "6.3", starts)
    most: dict[str, int] = {}
    for one in legal(position, "take_up", seat):
        most[str(one["land"])] = max(most.get(str(one["land"]), 0), int(one["n"]))
    rows = [
        offered_move("take_up", land(key), land=key) | {"counts": list(range(1, n + 1))}
        for key, n in most.items()
    ]
    _group(groups, "take_up", "6.2" if position.is_faction else "5.2", rows)
    if not position.is_faction:
        return groups
    price = 3 if position.period >= DEARER else 2
    counts = [int(one["n"]) for one in legal(position, "recruit", seat)]
    _group(
        groups,
        "recruit",
        "6.2",
        (
            [offered_move("recruit", phrase_text("recruit-each", n=price)) | {"counts": counts}]
            if counts
            else []
        ),
    )
    for name in ("bribe", "fort", "fortress", "rebuild"):
        lands = [str(one["land"]) for one in legal(position, name, seat)]
        _group(
            groups,
            name,
            "6.2",
            [
                offered_move(name, land(key), price_of(position, name, key), land=key)
                for key in lands
            ],
        )
    return groups


def price_of(position: Position, name: str, key: str) -> str:
    """What it costs, in points or in a fort point."""
    if name == "bribe":
        return phrase_text("costs", n=2 * position.lands[key].n)
    if name != "rebuild" and position.free_forts:
        return phrase_text("costs-fort-point", n=position.free_forts)
    return phrase_text("costs", n=1)


def _group(groups: list[dict[str, Any]], key: str, rule: str, deeds: Sequence[Deed]) -> None:
    if deeds:
        groups.append(
            {"key": key, "name": phrase_text(f"group-{key}"), "rule": rule, "deeds": list(deeds)}
        )


# Cards --------------------------------------------------------------------------------------------


def cards_of_seat(position: Position, seat: str) -> list[dict[str, Any]]:
    """The cards of a seat: what each does, when, and how it is played now or the rule that forbids
    it.
    """
    playing = (
        position.active == seat
        and position.pending is None
        and position.phase in ("people", "faction")
    )
    ways: dict[str, list[Mapping[str, Any]]] = {}
    for given in legal(position, "play_event", seat) if playing else ():
        ways.setdefault(str(given["card"]), []).append(given)
    return [
        _card(position, seat, key, ways.get(key, []), playing)
        for key in position.hand.get(seat, [])
    ]


def _card(
    position: Position, seat: str, key: str, ways: list[Mapping[str, Any]], playing: bool
) -> dict[str, Any]:
    card = CARDS[key]
    row: dict[str, Any] = {
        "key": key,
        "name": card.name,
        "text": effect(card),
        "when": card_timing(card),
        "periods": periods(card),
        "now": position.period in card.periods,
        "past": position.period > card.periods[-1],
        "play": None,
        "refused": "",
        "rule": "",
    }
    if ways:
        row["play"] = {
            "do": "play_event",
            "fields": [("card", key)],
            "asks": _card_fields(position, card.kind, ways),
        }
    elif playing:
        try:
            events.admit(position, seat, key)
            row["refused"], row["rule"] = phrase_text("no-target"), "9.3"
        except IllegalMove as refused:
            row["refused"], row["rule"] = sentence(position.scenario, refused), refused.rule
    return row


def _card_fields(
    position: Position, kind: str, ways: list[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """What the card has to name, with the values that are legal."""
    fields = []
    for key in sorted(events.ARGUMENTS.get(kind, ())):
        values = list(dict.fromkeys(str(one[key]) for one in ways))
        fields.append(
            {
                "key": key,
                "name": phrase_text(f"names-{key}"),
                "values": [(value, _named(position, key, value)) for value in values],
            }
        )
    if any(one.get("loot") for one in ways):
        fields.append({"key": "loot", "name": phrase_text("and-loot"), "values": []})
    return fields


def _named(position: Position, key: str, value: str) -> str:
    if key == "land":
        return phrase_text(
            "land",
            name=land(value),
            what=", ".join(land_contents(position, value)) or phrase_text("nothing"),
        )
    return (
        AREAS[value]
        if key == "area"
        else group_name(value)
        if key == "people"
        else phrase_text(f"use-{value}")
    )


# The end of a phase, and what others decide -------------------------------------------------------


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


# A list of placements announced at once: what each would be as things stand, and what stops it.

PLACE = "place"
STOPS = ("lost", "taken", "looted")
TICKED = ("taken",)
"""What is ticked before anybody chose: what follows was meant for a land still to be fought for."""
BETWEEN = "."
"""Between the chosen stops in an address."""


def announcer(position: Position) -> str | None:
    """Who places armies now."""
    return (
        position.active
        if position.phase in (PEOPLE, FACTION) and view.automatic(position) is None
        else None
    )


def stopped(before: Position, after: Position, seat: str, chosen: Collection[str]) -> str:
    """See `games.contract.pages.Announcing`."""
    if after.pending is not None:
        mine = after.pending.seat == seat
        return phrase_text(
            "stopped-you" if mine else "stopped-asked", seat=seat_name(after.pending.seat)
        )
    if announcer(before) is None:
        return ""  # counters are dealt: nothing of a march
    if after.active != seat or announcer(after) is None:
        return phrase_text("stopped-turn")
    if "lost" in chosen and armies(after) < armies(before):
        return phrase_text("stopped-lost")
    group = before.current
    for key, was in before.lands.items():
        now = after.lands[key]
        if "looted" in chosen and was.city == WHOLE != now.city:
            return phrase_text("stopped-looted", land=land_name(key))
        held = was.who is not None or was.fort is not None
        if (
            "taken" in chosen
            and held
            and was.who != group == now.who
            and before.seat_of(was.who) != seat
        ):
            return phrase_text("stopped-taken", land=land_name(key))
    return ""


def armies(position: Position) -> int:
    """What the acting group has, on the map and to be placed. Elite Troops that come back are not
    lost.
    """
    revolt = position.working.get("revolt")
    return (
        position.on_map(position.current) + position.in_hand + (int(revolt["n"]) if revolt else 0)
    )


def listing(
    position: Position, plan: Sequence[Mapping[str, Any]], asked: str | None
) -> dict[str, Any]:
    """The list as the page shows it: each placement with what it would be after those before it,
    what could follow them that cannot be said now, and the stops with those that are `asked` for in
    the address.
    """
    open_now = position.pending is None
    rows, end = (
        foreseen(position, plan)
        if open_now
        else ([{"line": placement_sentence(position, one), "state": ""} for one in plan], position)
    )
    more: list[Deed] = []
    if open_now and plan:
        now = [one["fields"] for one in places(position, str(position.active))]
        more = [one for one in places(end, str(position.active)) if one["fields"] not in now]
    chosen = TICKED if asked is None else asked.split(BETWEEN)
    return {
        "rows": rows,
        "open": open_now,
        "more": more,
        "most": range(1, max(2, min(9, end.in_hand)) + 1),
        "ready": bool(rows) and rows[0]["state"] in ("certain", "die"),
        "stops": [
            {"key": key, "name": phrase_text(f"stop-{key}"), "chosen": key in chosen}
            for key in STOPS
        ],
    }


def foreseen(
    position: Position, plan: Sequence[Mapping[str, Any]]
) -> tuple[list[dict[str, Any]], Position]:
    """Each with its state (certain, die, refused, beyond) and why it is refused; the position after
    them, in which every fight is won by one army.
    """
    rows: list[dict[str, Any]] = []
    here, shut = position, False
    for raw in plan:
        row = {"line": placement_sentence(position, raw), "state": "beyond", "why": "", "rule": ""}
        rows.append(row)
        if shut:
            continue
        try:
            ways = view.branches(here, decode(dict(raw), here))
        except IllegalMove as refused:
            row |= {
                "state": "refused",
                "why": refusal(position.scenario, refused),
                "rule": refused.rule,
            }
            shut = True
            continue
        sure = bool(ways) and ways[0].after.pending is None
        row["state"] = "certain" if sure else "die"
        here = ways[0].after if sure else won(here, raw)
    return rows, here


def won(position: Position, raw: Mapping[str, Any]) -> Position:
    """As if the placement had taken its land."""
    after, land = position.copy(), str(raw["land"])
    after.lands[land] = after.lands[land]._replace(who=after.current, n=1, fort=None, of=None)
    after.combat, after.step = None, "expand"
    if raw["from"] == "revolt":
        revolt = after.bonus["revolt"]
        after.bonus["revolt"] = {**revolt, "n": revolt["n"] - 1}
    else:
        after.in_hand -= 1
    return after


def placement_sentence(position: Position, raw: Mapping[str, Any]) -> str:
    """A placement in words, beginning with a capital."""
    text = move_line(position.scenario, raw)
    return text[:1].upper() + text[1:]

"""The end of a phase, the decisions of other seats, the dealing, and the acting group."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from games.roman_empire.bots.choosing import best
from games.roman_empire.bots.styles import SUGGESTED
from games.roman_empire.drawing.map import land_contents
from games.roman_empire.page.placing import OfferedMove, offered_move
from games.roman_empire.page.reader import SeatOfFaction, named
from games.roman_empire.rules import combat, phases
from games.roman_empire.rules.choices import shares
from games.roman_empire.rules.position import (
    AREAS,
    STACK,
    F,
    Pending,
    Position,
    emperor_of,
    people_of,
)
from games.roman_empire.text.words import (
    bonus,
    counted_phrase,
    emperor,
    group_in_sentence,
    land,
    land_name,
    phrase_text,
    seat_name,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseScore:
    """The score of a phase, part by part."""

    lines: Sequence[tuple[str, int]]
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A site for a new City."""

    key: str
    name: str
    home: bool
    gives: int
    """Its points in this phase."""
    checked: bool
    """Whether the form proposes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseEnd:
    """The end of the phase, if it came now."""

    score: PhaseScore
    sub: bool
    """Whether it is the phase of a card, after which the main phase goes on."""
    unused: str
    """The armies in hand that would be lost."""
    most: int
    """How many Cities may be built."""
    sites: Sequence[Site]


def phase_end(position: Position, seat: str) -> PhaseEnd:
    """Return the end of the phase, if it came now."""
    is_sub = position.resume is not None
    builds = position.is_faction and not is_sub
    free = phases.sites(position) if builds else []
    most = min(len(free), phases.resources(position) // 2) if builds else 0
    return PhaseEnd(
        score=phase_score(position, seat, position.phase),
        sub=is_sub,
        unused=counted_phrase("unused", position.in_hand) if position.in_hand else "",
        most=most,
        sites=sites(position, free, most) if most else [],
    )


def sites(position: Position, free: Sequence[str], most: int) -> list[Site]:
    """Return the sites for new Cities, those at home first."""
    home = set(phases.home_area(position))
    ranked = sorted(free, key=lambda key: key not in home)
    return [
        Site(
            key=key,
            name=land(key),
            home=key in home,
            gives=phases.city(key, position.phase, position.period),
            checked=at < most,
        )
        for at, key in enumerate(ranked)
    ]


def phase_score(position: Position, seat: str, phase: str) -> PhaseScore:
    """Return the points that a seat would score if this phase ended now."""
    points = phases.score(position, seat, phase)
    lines = [
        (phrase_text(f"scores-{area.held}", area=AREAS[area.key]), area.points)
        for area in points.areas
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
    return PhaseScore(lines=lines, points=points.points)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A decision that another seat has to make, with its choices; the proposed one is the last."""

    kind: str
    title: str
    there: Sequence[str]
    moves: Sequence[OfferedMove] = ()
    why: str = ""
    """The reason for the proposed choice."""
    most: int = 0
    """The most points that may be offered."""
    chance_to_stand: str = ""
    """The chance that the attacking army is beaten if no one retreats."""


def decision(position: Position) -> Decision | None:
    """Return the decision that another seat has to make; None if there is none."""
    asked = position.pending
    if asked is None:
        return None
    facts = {
        "land": land(asked.land),
        "group": group_in_sentence(position.current),
        "n": asked.amount,
        "seat": seat_name(asked.seat),
    }
    question = Decision(
        kind=asked.kind,
        title=phrase_text(f"asked-{asked.kind}", **facts),
        there=land_contents(position, asked.land),
    )
    if asked.kind == "offer":
        return replace(question, most=position.vp[asked.seat][F])
    if asked.kind == "answer":
        accept = offered_move("answer", phrase_text("answer-yes", **facts), accept=True)
        decline = offered_move("answer", phrase_text("answer-no"), accept=False)
        return proposing(position, replace(question, moves=[accept, decline]))
    if position.makes_way:
        title = phrase_text("asked-way", **facts)
        moves = ways_to_make_way(position, asked)
        return replace(question, title=title, moves=moves, why=phrase_text("way-usual-why"))
    if position.rebellion is not None:
        rebels = position.rebellion.rebels
        question = replace(question, title=phrase_text("asked-rebellion", **facts, rebels=rebels))
    return proposing(
        position,
        replace(
            question,
            moves=retreats(position, asked),
            chance_to_stand=chance_to_stand(position, asked),
        ),
    )


def proposing(position: Position, question: Decision) -> Decision:
    """Return a decision that proposes the choice of the player who follows the bar.

    A proposed retreat loses the fewest Legions.
    """
    choice = best(position, SUGGESTED)
    if choice is None:
        return question
    outside = ("by", "move")
    given = {
        key: value for key, value in choice.raw.items() if key not in outside and value is not None
    }
    proposed = offered_move(question.kind, "", **given).fields
    moves = [replace(move, is_proposed=move.fields == proposed) for move in question.moves]
    return replace(
        question, moves=sorted(moves, key=lambda move: move.is_proposed), why=choice.sentence
    )


def ways_to_make_way(position: Position, asked: Pending) -> list[OfferedMove]:
    """Return the ways in which armies make way (8.6)."""
    moves = []
    for lands in shares(position, asked):
        text = ", ".join(
            phrase_text("way-share", n=lands.count(to), land=land(to))
            for to in dict.fromkeys(lands)
        )
        to_lands = phrase_text("way-to", lands=text)
        moves.append(offered_move("retreat", to_lands, lands=",".join(lands)))
    usual = replace(offered_move("retreat", phrase_text("way-usual")), is_proposed=True)
    return [*moves, usual]


def retreats(position: Position, asked: Pending) -> list[OfferedMove]:
    """Return the lands to which armies can retreat, and the ways to stay (8.5, 9.3)."""
    place, moves = position.lands[asked.land], []
    for to in asked.to:
        lost = max(0, place.n + position.lands[to].n - STACK)
        text = phrase_text("retreat-loses" if lost else "retreat-to", land=land(to), n=lost)
        moves.append(offered_move("retreat", text, to=to))
    held = phrase_text("hold-note-rebellion" if position.rebellion is not None else "hold-note")
    return [
        *moves,
        offered_move("retreat", phrase_text("stand"), phrase_text("stand-note")),
        offered_move("retreat", phrase_text("hold"), held, hold=True),
    ]


def chance_to_stand(position: Position, asked: Pending) -> str:
    """Return the chance that the attacking army is beaten; empty in a rebellion."""
    now = position.combat if position.rebellion is None else None
    if now is None or not now.source:
        return ""
    odds = combat.attack(position, asked.land, now.source)
    return combat.percents(combat.conquest_chance(odds.sides, 1, odds.defenders))[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Counter:
    """A counter with its text from the chart."""

    n: int
    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PassTo:
    """The move that passes a counter to another seat."""

    do: str
    fields: Sequence[tuple[str, str]]
    name: str
    seat_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealing:
    """The counters that are dealt. `what` is `people` or `emperor`."""

    what: str
    who: SeatOfFaction
    drawn: bool
    counter: Counter | None
    """The counter that was drawn, for readers who may see it."""
    passes: Sequence[PassTo]
    last: bool
    """Whether this is the last counter."""


def dealing(position: Position, knows: Iterable[str]) -> Dealing | None:
    """Return the counters that are dealt; None if none are."""
    now = position.draw
    if now is None or position.active is None:
        return None
    seat = position.active
    without = [
        other
        for other in position.seats
        if other != seat and position.counters[other][now.what] is None
    ]
    drawn = now.open
    return Dealing(
        what=now.what,
        who=named(position, seat),
        drawn=drawn is not None,
        counter=(
            counter(position.period, now.what, drawn)
            if drawn is not None and seat in knows
            else None
        ),
        passes=[pass_to(position, other) for other in without] if drawn is not None else [],
        last=not without,
    )


def pass_to(position: Position, seat: str) -> PassTo:
    """Return the move that passes a counter to a seat."""
    other = named(position, seat)
    return PassTo(
        do="pass_counter", fields=[("to", seat)], name=other.name, seat_name=other.seat_name
    )


def counter(period: int, what: str, n: int) -> Counter:
    """Return a counter with its text from the chart."""
    if what == "people":
        people = people_of(period, n)
        text = phrase_text("people-line", land=land(people.start), n=people.strength)
        return Counter(n=n, name=people.name, text=text)
    lord = emperor_of(period, n)
    return Counter(n=n, name=lord.name, text=bonus(lord))


@dataclass(frozen=True, slots=True, kw_only=True)
class Acting:
    """The People or Faction that acts, with its hand and the effects in force for it."""

    name: str
    seat: str | None
    hand_text: str
    emperor: str
    on: Sequence[str]
    """The effects of cards and bonuses in force for it."""
    forts: int
    forts_text: str
    sub: str
    """The group that goes on afterwards, if a card lets this one act."""
    fight: str | None
    """The fight that goes on."""


def acting_group(position: Position) -> Acting:
    """Return the People or Faction that acts."""
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
        for key, value in position.active_bonuses.items()
        if key != "revolt" and value
    ]
    revolt = position.active_bonuses.get("revolt")
    if revolt and revolt["n"]:
        on.append(phrase_text("on-revolt", n=revolt["n"], land=land(revolt["land"])))
    if position.resume is not None and any(position.bonus.values()):
        on.append(phrase_text("on-rests", main=group_in_sentence(position.resume.current)))
    now = position.combat
    return Acting(
        name=group_in_sentence(position.current),
        seat=position.active,
        hand_text=counted_phrase("in-hand", position.in_hand),
        emperor=emperor(position.emperor),
        on=on,
        forts=position.free_forts,
        forts_text=(
            counted_phrase("fort-points", position.free_forts) if position.free_forts else ""
        ),
        sub=group_in_sentence(position.resume.current) if position.resume is not None else "",
        fight=(
            None
            if now is None or now.standing
            else phrase_text("goes-on", land=land(now.land), n=now.round)
        ),
    )

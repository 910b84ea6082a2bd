"""The end of a phase: its points, new Cities, and what would remain unused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.roman_empire.page.placing import legal
from games.roman_empire.page.preparing import cards_of_seat
from games.roman_empire.rules import phases
from games.roman_empire.rules.position import AREAS, F, Position
from games.roman_empire.text.english import BOARD
from games.roman_empire.text.words import emperor, group_in_sentence, land, phrase_text

CITY = "city-"
"""The prefix of the name of the checkbox for a City; the key of its land follows."""


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
    """Whether the form proposes it, or the reader has chosen it before the question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndQuestion:
    """The question before a phase ends although something remains unused."""

    title: str
    anyway: str
    """The words on the button that ends the phase."""
    go_on: str
    """The words on the link that continues it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseEnd:
    """The end of the phase as it would be now."""

    score: PhaseScore
    sub: bool
    """Whether it is the phase of a card, after which the main phase goes on."""
    unused: Sequence[str]
    """A sentence about each thing that would remain unused."""
    question: EndQuestion | None
    """The question that the reader answers first; None if it has not been asked."""
    most: int
    """How many Cities may be built."""
    sites: Sequence[Site]


def phase_end(
    position: Position, seat: str, query: Mapping[str, str], *, sees_hand: bool
) -> PhaseEnd:
    """Return the end of the phase as it would be now.

    `query` has the parameters of the address: with `end`, the reader is asked before the phase
    ends, and the Cities that they have chosen are in it, too.
    """
    is_sub = position.resume is not None
    builds = position.is_faction and not is_sub
    free = phases.sites(position) if builds else []
    most = min(len(free), phases.resources(position) // 2) if builds else 0
    left = unused(position, seat, sees_hand=sees_hand)
    asked = bool(left) and "end" in query
    return PhaseEnd(
        score=phase_score(position, seat, position.phase),
        sub=is_sub,
        unused=left,
        question=end_question(position) if asked else None,
        most=most,
        sites=sites(position, free, most, query if asked else None) if most else [],
    )


def unused(position: Position, seat: str, *, sees_hand: bool) -> list[str]:
    """Return what would remain unused if the phase ended now, each in a sentence.

    `unused` of the script conquest_choices.js says the same of a phase with planned moves.
    """
    revolt = position.active_bonuses.get("revolt")
    armies = position.in_hand + (revolt["n"] if revolt else 0)
    recruits = max([int(given["n"]) for given in legal(position, "recruit", seat)], default=0)
    fortifies = legal(position, "fort", seat) or legal(position, "fortress", seat)
    forts = position.free_forts if position.is_faction and fortifies else 0
    cards = [card for card in cards_of_seat(position, seat) if card.play] if sees_hand else []
    points = position.vp[seat][F]
    counts = (
        ("end-armies", armies),
        ("end-recruits", recruits),
        ("end-forts", forts),
        ("end-cards", len(cards)),
    )
    return [BOARD.counted(key, n, points=points) for key, n in counts if n]


def end_question(position: Position) -> EndQuestion:
    """Return the question whether the phase should end although something remains unused."""
    main = position.resume
    anyway = (
        BOARD.text("back-to", main=group_in_sentence(main.current))
        if main is not None
        else BOARD.text("end-anyway")
    )
    return EndQuestion(title=BOARD.text("ask-end"), anyway=anyway, go_on=BOARD.text("go-on"))


def sites(
    position: Position, free: Sequence[str], most: int, chosen: Mapping[str, str] | None
) -> list[Site]:
    """Return the sites for new Cities, those at home first.

    `chosen` has the fields of the Cities that the reader has chosen; None proposes Cities.
    """
    home = set(phases.home_area(position))
    ranked = sorted(free, key=lambda key: key not in home)
    return [
        Site(
            key=key,
            name=land(key),
            home=key in home,
            gives=phases.city(key, position.phase, position.period),
            checked=at < most if chosen is None else f"{CITY}{key}" in chosen,
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

"""The page of a lesson, and the note that guides through it on every page of its campaign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import pgettext

from campaign import practice
from engine.errors import MalformedRecord
from engine.strict_json import read
from games.registry import TITLES, together
from web.frame.table import TableContext

LARGEST = 64_000
"""The largest size in bytes of a request with planned moves."""
MOST = 60
"""The largest number of moves in such a request."""
PlannedMoves = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class LearnPage:
    """The introduction to a lesson."""

    title_key: str
    title_name: str
    name: str
    about: str
    minutes: int
    steps: list[str]
    others: list[tuple[str, str]]
    is_known: bool


def learn_page(title: str, *, is_known: bool) -> LearnPage:
    """Return the page of a title's lesson."""
    lesson = TITLES[title].lesson
    assert lesson is not None  # the view has checked it
    texts = lesson.texts.read()
    return LearnPage(
        title_key=title,
        title_name=TITLES[title].name,
        name=texts["name"],
        about=texts["about"],
        minutes=lesson.minutes,
        steps=[texts["steps"][step.key]["head"] for step in lesson.steps],
        others=[
            (key, other.lesson.texts.text("name"))
            for key, other in TITLES.items()
            if other.lesson is not None and key != title
        ],
        is_known=is_known,
    )


@dataclass(frozen=True, slots=True)
class LessonStep:
    """A step in the list of all steps."""

    head: str
    done: bool
    left_out: bool
    now: bool


@dataclass(frozen=True, slots=True)
class NextWay:
    """A way to continue after the lesson, as a button."""

    text: str
    url: str


@dataclass(frozen=True, slots=True)
class LessonNote:
    """The present step of the lesson, with instructions for the reader."""

    left: bool
    """Whether the reader has left the guide."""
    number: int
    of: int
    beside: str
    """The part of the page that the step explains."""
    head: str
    text: str
    last: bool
    otherwise: bool
    """Whether the reader did something else that is allowed."""
    waits: bool
    """Whether programs are playing now."""
    late: bool
    """Whether the step can no longer be done."""
    title: str
    url: str
    next: list[NextWay]
    """The ways to continue after the last step, the most suitable first."""
    steps: list[LessonStep]


def lesson_note(table: TableContext, page: str, planned: PlannedMoves = ()) -> LessonNote | None:
    """Return the note for a page; None if the reader is not taking a lesson."""
    known = practice.lesson_of(table.campaign)
    if known is None or not table.access.chief:
        return None
    progress = practice.progress_of(table.campaign, table.user, table.position, page, planned)
    assert progress is not None
    texts = known.texts.read()["steps"]
    step = known.steps[progress.at]
    text = texts[step.key]
    return LessonNote(
        left=table.campaign.lesson == practice.LEFT,
        number=progress.at + 1,
        of=len(known.steps),
        beside=step.beside,
        head=text["head"],
        text=text["text"] if progress.possible else text.get("late", text["text"]),
        last=progress.at == len(known.steps) - 1,
        otherwise=progress.otherwise,
        waits=bool(table.campaign.programs) and practice.waits(table.campaign),
        late=not progress.possible,
        title=table.campaign.title,
        url=table.url("lesson"),
        next=next_ways(table.campaign.title),
        steps=[
            LessonStep(
                head=texts[other.key]["head"],
                done=number < progress.at and number not in progress.left_out,
                left_out=number in progress.left_out,
                now=number == progress.at,
            )
            for number, other in enumerate(known.steps)
        ],
    )


def next_ways(title: str) -> list[NextWay]:
    """Return what a learner of a title can do after its lesson."""
    new_game = reverse("found") + "?" + urlencode({"title": title})
    rules = NextWay(pgettext("button", "Read the rules"), reverse("rules", args=[title]))
    if not together(TITLES[title]):
        return [NextWay(pgettext("button", "Start your own game"), new_game), rules]
    friends = NextWay(pgettext("button", "Play with friends"), f"{new_game}&with=friends")
    if practice.opponents(title) is None:
        return [friends, rules]
    programs = pgettext("button", "Play with programs")
    return [NextWay(programs, reverse("practice", args=[title])), friends, rules]


def read_planned(body: bytes) -> PlannedMoves | None:
    """Return the planned moves of a request; None if it is malformed."""
    try:
        given = read(body) if len(body) <= LARGEST else None
    except MalformedRecord:
        return None
    moves = given.get("moves") if isinstance(given, dict) and given.keys() == {"moves"} else None
    if not isinstance(moves, list) or len(moves) > MOST:
        return None
    right = all(isinstance(move, dict) and isinstance(move.get("move"), str) for move in moves)
    return moves if right else None

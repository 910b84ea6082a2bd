"""Charts of accounts over the log as SVG: a stepped line per holder, vertical marks for turns.

The stylesheet defines colours by `data-nation`, and dashes by class. Lines differ by either, and by
their names.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.html import escape
from django.utils.safestring import SafeString

DASHES = 12
"""The number of line styles in the stylesheet (`dash-0` to `dash-11`)."""
TOP, BOTTOM, LEAST_LEFT = 10, 22, 28
LINE = 13.5
"""The vertical distance of two names at the right edge."""
LETTER, BOLD = 6.0, 6.8
"""The approximate width of a letter."""
FINE = 0.5
"""The distance below which steps are drawn as one, because the line is wider."""
MANY_TURNS = 24
"""If there are more turns, only turns with a name have a mark."""

Step = tuple[int, int]
"""An entry and the balance after it."""


@dataclass(frozen=True, slots=True)
class Course:
    """A holder's account over the log."""

    holder: str
    name: str
    dash: int
    """The line style, the same in every chart of a campaign."""
    steps: Sequence[Step]
    """The first step is the beginning of the line."""
    named: bool = True
    """Whether the line has a name in the drawing and a column in the table; if not, it is thin."""
    ended: bool = False
    """Whether the line ends at its last step, without a name at the right edge."""
    focus: bool = False

    @property
    def last(self) -> int:
        return self.steps[-1][1]

    @property
    def css(self) -> str:
        if self.focus:
            return " is-focus"
        return "" if self.named else " is-past"


class Turn(NamedTuple):
    """The first entry of a turn, and its name on the axis."""

    entry: int
    name: str


@dataclass(frozen=True, slots=True)
class Frame:
    """The field of a chart in SVG pixels, and the values at its edges."""

    left: float
    right: float
    height: int
    first: int
    last: int
    low: int
    high: int

    def x(self, entry: int) -> float:
        entry = min(max(entry, self.first), self.last)
        span = max(self.last - self.first, 1)
        return self.left + (self.right - self.left) * (entry - self.first) / span

    def y(self, value: int) -> float:
        part = (value - self.low) / (self.high - self.low)
        return TOP + (self.height - TOP - BOTTOM) * (1 - part)


def edge(first: int, last: int) -> int:
    """Return the entry at the right edge, slightly after the last entry.

    In a long log it moves by several entries at a time, so that most lines remain as drawn.
    """
    room = last + 1 + (last - first) // 40
    each = max((last - first) // 128, 1)
    return first + -(-(room - first) // each) * each


def step(span: int, scale: int) -> int:
    """Return the distance of the horizontal lines in units: whole numbers, at most six lines."""
    size, n = 1, 0
    while span > 5 * size * scale:
        n += 1
        size = (1, 2, 5)[n % 3] * 10 ** (n // 3)
    return size * scale


def draw(
    courses: Sequence[Course],
    turns: Sequence[Turn],
    first: int,
    last: int,
    *,
    label: str,
    text: Callable[[int], str],
    scale: int = 1,
    width: int = 560,
    height: int = 190,
    marked_entry: int | None = None,
) -> SafeString:
    """Return the chart of entries `first` to `last`; empty without a line.

    `text` formats an amount, `scale` units make a whole, and the entry `marked_entry` is marked.
    The chart is higher if it does not have room for the names at its right edge.
    """
    if not courses:
        return SafeString("")
    names = [course for course in courses if course.named and not course.ended]
    height = max(height, round(TOP + BOTTOM + LINE * len(names)))
    low, high, every = limits(courses, scale)
    longest = max((len(name_text(course, text, width)) for course in names), default=0)
    frame = Frame(
        left=max(LEAST_LEFT, 12 + LETTER * max(len(text(low)), len(text(high)))),
        right=width - 14 - BOLD * longest,
        height=height,
        first=first,
        last=edge(first, last),
        low=low,
        high=high,
    )
    parts = [
        f'<svg class="chart" viewBox="0 0 {width} {height}" role="img"',
        f' aria-label="{escape(label)}">',
        *(line_across(frame, value, text(value)) for value in range(low, high + 1, every)),
        *turn_marks(frame, turns),
        *(course_line(frame, course) for course in sorted(courses, key=drawing_order)),
        *name_labels(frame, names, text, width),
        "" if marked_entry is None else entry_mark(frame, marked_entry),
        "</svg>",
    ]
    # Names and labels are escaped where they are written; all other markup is made here.
    return SafeString("".join(parts))


def limits(courses: Sequence[Course], scale: int) -> tuple[int, int, int]:
    """Return the lowest and the highest horizontal line, and the distance between two lines."""
    values = [value for course in courses for _entry, value in course.steps]
    every = step(max(values) - min(values), scale)
    low = min(values) // every * every
    return low, max(-(-max(values) // every) * every, low + every), every


def drawing_order(course: Course) -> tuple[bool, bool]:
    """Return a sort key that draws thin lines first and the reader's own line last."""
    return course.focus, course.named


def line_across(frame: Frame, value: int, text: str) -> str:
    y = frame.y(value)
    return (
        f'<path class="chart__grid" d="M{frame.left:.1f} {y:.1f}H{frame.right:.1f}"/>'
        f'<text class="chart__y" x="{frame.left - 6:.1f}" y="{y + 4:.1f}">{escape(text)}</text>'
    )


def entry_mark(frame: Frame, entry: int) -> str:
    """Return the mark of an entry, with the data that a script needs to move it."""
    x, edges = frame.x(entry), f"{frame.left:.1f} {frame.right:.1f} {frame.first} {frame.last}"
    return (
        f'<line class="chart__at" data-edges="{edges}" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}"'
        f' y2="{frame.height - BOTTOM}"/>'
    )


def turn_marks(frame: Frame, turns: Sequence[Turn]) -> list[str]:
    """Return a mark at the beginning of each turn, with its name if there is room."""
    parts, free = [], frame.left
    for turn in turns:
        x = frame.x(turn.entry)
        is_named = x >= free
        if is_named or len(turns) <= MANY_TURNS:
            parts.append(f'<path class="chart__turn" d="M{x:.1f} {TOP}V{frame.height - BOTTOM}"/>')
        if is_named:
            parts.append(
                f'<text class="chart__x" x="{x + 4:.1f}"'
                f' y="{frame.height - 6}">{escape(turn.name)}</text>'
            )
            free = x + 14 + LETTER * len(turn.name)
    return parts


def course_line(frame: Frame, course: Course) -> str:
    return (
        f'<path class="chart__line dash-{course.dash}{course.css}"'
        f' data-nation="{escape(course.holder)}"'
        f' d="{course_path(frame, course)}"><title>{escape(course.name)}</title></path>'
    )


def course_path(frame: Frame, course: Course) -> str:
    """Return the path of a line.

    A long log has thousands of steps: those that the eye cannot separate are drawn as a single
    vertical line that covers all of them.
    """
    (entry, value), *rest = course.steps
    path = [f"M{frame.x(entry):.1f} {frame.y(value):.1f}"]
    place = 0
    while place < len(rest):
        x, first = frame.x(rest[place][0]), place
        while place < len(rest) and frame.x(rest[place][0]) < x + FINE:
            place += 1
        values = [balance for _entry, balance in rest[first:place]]
        path.append(f"H{x:.1f}" + "".join(f"V{frame.y(y):.1f}" for y in turns_of(value, values)))
        value = values[-1]
    if not course.ended:
        path.append(f"H{frame.right:.1f}")
    return "".join(path)


def turns_of(value: int, values: Sequence[int]) -> list[int]:
    """Return the points at which a vertical line from `value` over these values turns and ends."""
    last = values[-1]
    low, high = min(value, last), max(value, last)
    extremes = (max(values), min(values))
    return [*(extreme for extreme in extremes if not low <= extreme <= high), last]


def name_text(course: Course, text: Callable[[int], str], width: int) -> str:
    """Return name and amount at the end of a line.

    A name longer than a third of the chart is cut; the table shows the whole name.
    """
    amount = " " + text(course.last)
    room = round(width * 0.36 / BOLD) - len(amount)
    if len(course.name) <= room:
        return course.name + amount
    return course.name[: room - 1].rstrip() + "…" + amount


def name_labels(
    frame: Frame, courses: Sequence[Course], text: Callable[[int], str], width: int
) -> list[str]:
    """Return the names at the right edge, each as close to the end of its line as possible."""
    ordered = sorted(courses, key=lambda course: -course.last)
    heights = spread([frame.y(course.last) for course in ordered], frame.height - BOTTOM + 8.0)
    return [
        f'<text class="chart__name" data-nation="{escape(course.holder)}" x="{frame.right + 8:.1f}"'
        f' y="{y + 4:.1f}">{escape(name_text(course, text, width))}</text>'
        for course, y in zip(ordered, heights, strict=True)
    ]


def spread(wanted: Sequence[float], lowest: float) -> list[float]:
    """Return heights that are at least a line apart, and none below `lowest`."""
    places: list[float] = []
    for y in wanted:
        places.append(max(y, places[-1] + LINE) if places else y)
    for n in range(len(places) - 1, -1, -1):
        places[n] = min(places[n], lowest)
        lowest = places[n] - LINE
    return places

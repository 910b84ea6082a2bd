"""Charts of accounts over the log, drawn as SVG: one stepped line a holder, turns as vertical marks. Nothing here asks.

Colours come by `data-nation`, dashes by class, both of the stylesheet; a line is told apart by either, and by its name.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from campaign.log import selectors
from engine.language import within
from games.registry import word, words
from nations import selectors as nations
from web import forecasts, titles
from web.ledger import account_holders, taken_over
from web.shell import page_cache
from web.shell.campaign_page import TableContext, campaign_page, show
from web.shell.head import accounts_by_key
from web.titles.talk import capital, talk

if TYPE_CHECKING:
    from web.shell.campaign_page import TableContext

DASHES = 12
"""So many kinds of line the stylesheet has (`dash-0` to `dash-11`)."""
TOP, BOTTOM, LEAST_LEFT = 10, 22, 28
LINE = 13.5
"""From one name to the next at the right edge."""
LETTER, BOLD = 6.0, 6.8
"""About the width of a letter."""


class Course(NamedTuple):
    """A holder's account over the log: `steps` are (entry, balance), the first where the line begins.

    `dash` is the same in every chart of a campaign. One that has `ended` stops at its last step and has no name at the right
    edge; one that is not `named` is drawn thin, too.
    """

    holder: str
    name: str
    dash: int
    steps: Sequence[tuple[int, int]]
    named: bool = True
    ended: bool = False
    focus: bool = False

    @property
    def last(self) -> int:
        return self.steps[-1][1]


class Turn(NamedTuple):
    """Where a turn begins: its first entry, its name on the axis."""

    entry: int
    name: str


class Frame(NamedTuple):
    """The field of a chart in the SVG's own pixels, and what its edges mean."""

    left: float
    right: float
    height: int
    first: int
    last: int
    low: int
    high: int

    def x(self, entry: int) -> float:
        entry = min(max(entry, self.first), self.last)
        return self.left + (self.right - self.left) * (entry - self.first) / max(self.last - self.first, 1)

    def y(self, value: int) -> float:
        return TOP + (self.height - TOP - BOTTOM) * (1 - (value - self.low) / (self.high - self.low))


def edge(first: int, last: int) -> int:
    """The entry at the right edge: a little behind the last one. In a long log it moves by several entries at a time, so that
    most lines stay where they are drawn."""
    room = last + 1 + (last - first) // 40
    each = max((last - first) // 128, 1)
    return first + -(-(room - first) // each) * each


def step(span: int, scale: int) -> int:
    """The distance of the lines across, in units: whole ones, at most six for this span."""
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
    at: int | None = None,
) -> SafeString:
    """The chart of entries `first` to `last`. `text` writes an amount, `scale` units make a whole one; `at` marks an entry.

    The last steps keep a little room behind them (`edge`). It grows where more names stand at its right edge than its height
    holds. Empty without a line.
    """
    if not courses:
        return SafeString("")
    values = [value for course in courses for _, value in course.steps]
    every = step(max(values) - min(values), scale)
    low = min(values) // every * every
    high = max(-(-max(values) // every) * every, low + every)
    names = [course for course in courses if course.named and not course.ended]
    height = max(height, round(TOP + BOTTOM + LINE * len(names)))
    longest = max((len(_name(course, text, width)) for course in names), default=0)
    left = max(LEAST_LEFT, 12 + LETTER * max(len(text(low)), len(text(high))))
    frame = Frame(left, width - 14 - BOLD * longest, height, first, edge(first, last), low, high)
    parts = [
        f'<svg class="chart" viewBox="0 0 {width} {height}" role="img" aria-label="{escape(label)}">',
        *(_across(frame, value, text(value)) for value in range(low, high + 1, every)),
        *_turns(frame, turns),
        *(_line(frame, course) for course in sorted(courses, key=lambda one: (one.focus, one.named))),
        *_names(frame, names, text, width),
        "" if at is None else _entry_mark(frame, at),
        "</svg>",
    ]
    return SafeString("".join(parts))  # names and labels are escaped where they are written, all else is ours


def _across(frame: Frame, value: int, text: str) -> str:
    y = frame.y(value)
    return (
        f'<path class="chart__grid" d="M{frame.left:.1f} {y:.1f}H{frame.right:.1f}"/>'
        f'<text class="chart__y" x="{frame.left - 6:.1f}" y="{y + 4:.1f}">{escape(text)}</text>'
    )


def _entry_mark(frame: Frame, at: int) -> str:
    """The mark of an entry, with what is wanted to move it."""
    x, edges = frame.x(at), f"{frame.left:.1f} {frame.right:.1f} {frame.first} {frame.last}"
    return f'<line class="chart__at" data-edges="{edges}" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{frame.height - BOTTOM}"/>'


def _turns(frame: Frame, turns: Sequence[Turn]) -> list[str]:
    """A mark where each turn begins, with its name where there is room; of many turns only the named ones."""
    paths, free = [], frame.left
    for turn in turns:
        x = frame.x(turn.entry)
        named = x >= free
        if named or len(turns) <= 24:
            paths.append(f'<path class="chart__turn" d="M{x:.1f} {TOP}V{frame.height - BOTTOM}"/>')
        if named:
            paths.append(f'<text class="chart__x" x="{x + 4:.1f}" y="{frame.height - 6}">{escape(turn.name)}</text>')
            free = x + 14 + LETTER * len(turn.name)
    return paths


def _line(frame: Frame, course: Course) -> str:
    path: str = page_cache.fragments.get(("course", frame, tuple(course.steps), course.ended), lambda: _path(frame, course))
    kind = " is-focus" if course.focus else "" if course.named else " is-past"
    return (
        f'<path class="chart__line dash-{course.dash}{kind}" data-nation="{escape(course.holder)}" d="{path}">'
        f"<title>{escape(course.name)}</title></path>"
    )


def _path(frame: Frame, course: Course) -> str:
    (entry, value), *rest = course.steps
    path = [f"M{frame.x(entry):.1f} {frame.y(value):.1f}"]
    path += [f"H{frame.x(at):.1f}V{frame.y(to):.1f}" for at, to in rest]
    if not course.ended:
        path.append(f"H{frame.right:.1f}")
    return "".join(path)


def _name(course: Course, text: Callable[[int], str], width: int) -> str:
    """Name and amount at the end of a line; a name longer than a third of the chart is cut, the table has it whole."""
    amount = " " + text(course.last)
    room = round(width * 0.36 / BOLD) - len(amount)
    return (course.name if len(course.name) <= room else course.name[: room - 1].rstrip() + "…") + amount


def _names(frame: Frame, courses: Sequence[Course], text: Callable[[int], str], width: int) -> list[str]:
    """The names at the right edge, each as near to its line's end as the others let it."""
    ordered = sorted(courses, key=lambda one: -one.last)
    places: list[float] = []
    for course in ordered:
        y = frame.y(course.last)
        places.append(max(y, places[-1] + LINE) if places else y)
    lowest = frame.height - BOTTOM + 8.0
    for n in range(len(places) - 1, -1, -1):
        places[n] = min(places[n], lowest)
        lowest = places[n] - LINE
    return [
        f'<text class="chart__name" data-nation="{escape(course.holder)}" x="{frame.right + 8:.1f}" y="{y + 4:.1f}">'
        f"{escape(_name(course, text, width))}</text>"
        for course, y in zip(ordered, places, strict=True)
    ]


# Accounts over the log as their reader may know them: what charts and their tables say.

NAMED = 12
"""So many lines have their name and their column in the table; seats always have."""
WIDE, LARGE, NARROW = (560, 190), (1160, 340), (340, 210)
"""Width and height of a chart among others, of one alone, on a phone."""


@dataclass(frozen=True)
class Cell:
    """What an account came to within a turn, in order; `steps` is empty where it stayed what it `was`."""

    steps: Sequence[str]
    was: str

    @property
    def before(self) -> Sequence[str]:
        return self.steps[:-1]

    @property
    def last(self) -> str:
        return self.steps[-1] if self.steps else ""


@dataclass(frozen=True)
class Drawn:
    """An account's chart: `wide` and `narrow` SVG, and as a table `heads` (holder, name) with rows of turns."""

    key: str
    label: str
    wide: SafeString
    narrow: SafeString
    heads: Sequence[tuple[str, str]]
    rows: Sequence[tuple[str, Sequence[Cell]]]
    ended: Sequence[Course]
    """Lines that have their column and no name in the drawing: they have nothing left."""
    others: int
    """Lines that have no name at all."""


class Courses:
    """All accounts of a campaign, or one."""

    def __init__(self, table: TableContext, account: str = "", focus: str = "") -> None:
        self.table, self.focus = table, focus
        self.talk = talk(table.title, table.scenario, table.position)
        spans = selectors.turns(table.campaign)
        self.turns = [(turn, first) for turn, first, _ in spans if turn]
        entries = [number for _, first, last in spans for number in (first, last)]
        self.first, self.last = (min(entries) - 1, max(entries)) if entries else (0, 0)
        # Taken over in its course: what the scenario begins with never stood in this campaign.
        self.taken_over = bool(self.turns) and self.turns[0][0] > 1
        if self.taken_over:
            self.first = self.turns[0][1]
        self.steps = nations.courses(table.campaign, table.access, account, self.first).steps

    @property
    def empty(self) -> bool:
        return not self.turns

    def has(self, account: str) -> bool:
        """Has anybody a course in it? An account that only a variant knows may have none."""
        return bool(self._courses(account))

    def small(self, account: str) -> tuple[str, SafeString]:
        """The account's name, and its narrow chart alone."""
        drawn: Drawn = self.once(("chart", "small"), account, lambda: self.drawn(account, small=True))
        return drawn.label, drawn.narrow

    def once(self, what: Hashable, account: str, make: Callable[[], Any]) -> Any:
        """What follows from an account's chart and from nothing else: made once, until one of its lines has another step or the
        edge moves."""
        campaign = self.table.campaign
        lines = tuple(line._replace(steps=tuple(line.steps)) for line in self._courses(account))
        steps = tuple(self.steps.get((line.holder, account)) for line in lines)
        where = campaign.pk, campaign.address, page_cache.rules_of(self.table), get_language()
        given = account, lines, steps, tuple(self.turns), self.first, edge(self.first, self.last), self.taken_over
        return page_cache.drawn.get((what, where, given), make)

    def drawn(self, account: str, *, small: bool = False, large: bool = False, at: int | None = None) -> Drawn:
        """One account's chart and table; `at` an entry to be marked."""
        known = accounts_by_key(self.table)[account]
        lines = self._courses(account)
        named = [course for course in lines if course.named]

        def text(value: int) -> str:
            return self.talk.amount(account, value)

        label = capital(known.label)
        courses = ", ".join(f"{one.name} {text(one.steps[0][1])} → {text(one.last)}" for one in named)
        label_text = _("%(account)s over the log: %(courses)s") % {"account": label, "courses": courses}
        turns = [Turn(first, within(self.turn_name(turn))) for turn, first in self.turns]

        def svg(size: tuple[int, int]) -> SafeString:
            sizes = dict(zip(("width", "height"), size, strict=True))
            return draw(lines, turns, self.first, self.last, label=label_text, text=text, scale=known.scale, at=at, **sizes)

        rows = [] if small else self._rows(account, [one.holder for one in named])
        wide = SafeString() if small else svg(LARGE if large else WIDE)
        heads, ended = [(one.holder, one.name) for one in named], [one for one in named if one.ended]
        return Drawn(account, label, wide, svg(NARROW), heads, rows, ended, len(lines) - len(named))

    def _courses(self, account: str) -> list[Course]:
        seats = {seat.key for seat in self.table.seats}
        courses = []
        for place, holder in enumerate(account_holders(self.table)):  # the place is the dash, in every chart
            steps = self.steps.get((holder, account), ())
            if not steps and (holder not in seats or (holder, account) not in self.table.rows.accounts):
                continue
            line = [(at, balance) for _, at, balance in steps]
            if holder in seats and (not steps or steps[0][0]):
                line.insert(0, (self.first, 0))
            ended = holder not in seats and not line[-1][1]
            name = capital(self.table.name_of(holder))
            courses.append(Course(holder, name, place % DASHES, line, True, ended, holder == self.focus))
        first = sorted(courses, key=lambda one: (one.holder not in seats, one.ended, -max(value for _, value in one.steps)))
        kept = {one.holder for one in first[: max(NAMED, len(seats))]}
        return [one._replace(named=one.holder in kept) for one in courses]

    def turn_name(self, turn: int) -> str:
        return f"{capital(word(self.table.campaign.title, 'turn'))} {turn}"

    def _rows(self, account: str, holders: Sequence[str]) -> list[tuple[str, Sequence[Cell]]]:
        """A row a turn, the first what the campaign began with."""
        by_turn: dict[str, Mapping[int, Sequence[int]]] = {}
        for holder in holders:
            balances: dict[int, list[int]] = {}
            for turn, _at, balance in self.steps.get((holder, account), ()):
                balances.setdefault(turn, []).append(balance)
            by_turn[holder] = balances
        now: dict[str, str] = {seat.key: self.talk.amount(account, 0) for seat in self.table.seats}
        rows: list[tuple[str, Sequence[Cell]]] = []
        for turn in [0, *(first[0] for first in self.turns)]:
            cells = []
            for holder in holders:
                steps = [self.talk.amount(account, value) for value in by_turn[holder].get(turn, ())]
                cells.append(Cell(steps, now.get(holder, "")))
                now[holder] = steps[-1] if steps else now.get(holder, "")
            if turn or not self.taken_over:
                rows.append((_("At the start") if not turn else self.turn_name(turn), cells))
        return rows


def every_chart(table: TableContext, chosen: str) -> SafeString:
    """The charts as they are read, empty where nothing has moved yet."""
    courses = Courses(table, chosen, table.own_seats[0] if table.own_seats else "")
    shown = [] if courses.empty else [chosen] if chosen else [key for key in accounts_by_key(table) if courses.has(key)]
    given = {"chosen": chosen, "table": table, "head": {"words": words(table.campaign.title)}}

    def figure(key: str) -> SafeString:
        drawn = courses.drawn(key, large=bool(chosen))
        return render_to_string("ledger/_chart.html", given | {"one": drawn})

    figures = [courses.once(("chart", bool(chosen)), key, lambda key=key: figure(key)) for key in shown]  # type: ignore[misc]
    whole = "".join(figures)
    return SafeString(whole if chosen or not whole else f'<div class="sheet__body charts">{whole}</div>')


# Charts of the accounts over the log, all or one, each with a table that says the same.


@require_safe
@campaign_page
def charts(request: HttpRequest, table: TableContext) -> HttpResponse:
    """`?account=` is one of the title's; without it all are drawn. The reader's own line is drawn bolder."""
    asked = request.GET.get("account", "")
    chosen = asked if asked in accounts_by_key(table) else ""
    context = {
        "choices": [("", _("All"), not chosen)]
        + [(key, capital(account.label), key == chosen) for key, account in accounts_by_key(table).items()],
        "charts": page_cache.of_log(table, ("charts", chosen), lambda: every_chart(table, chosen)),
        "chosen": chosen,
        "taken_over": taken_over(table),
        "remembers": titles.remembers(table),
        **({} if chosen else forecasts.context_of(table, "charts")),
    }
    return show(request, table, "ledger/charts.html", context, here="charts")

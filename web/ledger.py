"""The ledgers of all, filtered by holder, account, turn and cause, and what the lines found add up
to.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from functools import cached_property
from io import StringIO
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_safe

from campaign.log import selectors
from campaign.models import LogEntry
from engine.effects import Effect, Say
from engine.language import within
from engine.strict_json import read, whole
from games.registry import word, words
from nations import projection as nations
from nations.models import LedgerEntry
from nations.projection import LedgerRow, Wanted
from web import titles
from web.frame.campaign_page import (
    GAME_MASTER,
    RESUME,
    TableContext,
    accounts_by_key,
    campaign_page,
    rules_link,
    show,
)
from web.frame.parts import part_of_page
from web.log.lines import Row, rows
from web.titles import extras
from web.titles.talk import Talk, capital, plain_name, talk

if TYPE_CHECKING:
    from web.frame.campaign_page import TableContext

PAGE = 100
LONGEST = 60
EVERY = "*"
"""In place of an account: the purse, too, which is else left out."""


def account_holders(table: TableContext) -> list[str]:
    """Everybody who has an account, the seats first; seats without one stand there, too."""
    seats = [seat.key for seat in table.seats]
    others = {holder for holder, _ in table.rows.accounts} - set(seats)
    return [*seats, *sorted(others, key=lambda key: (len(key), key))]


def taken_over(table: TableContext) -> int:
    """Return the turn after which the campaign was taken over from elsewhere; 0 if it began
    here.
    """
    if not table.campaign.started or extras(table.campaign.title, "resume") is None:
        return 0
    moves = table.campaign.entries.filter(kind=LogEntry.Kind.MOVE, act=RESUME, struck_by=None)
    move = moves.order_by("sequence").first()
    return int(move.content["turn"]) if move is not None else 0


class Choice(NamedTuple):
    """A value of a filter and what it is called."""

    value: str
    name: str


class Line(NamedTuple):
    """A line in words; `turn` is told where a new turn's lines begin."""

    number: int | None
    url: str
    holder: str
    name: str
    account: str
    cause: str
    rule: str
    change: str
    balance: str
    cascade: bool
    turn: str


class Total(NamedTuple):
    """What the lines found add up to: of an account, or of a holder's account."""

    account: str
    lines: int
    up: str
    down: str
    sum: str


class Ledger:
    """The lines that a query asks for. What it asks and is not there is left out: no filter is ever
    wrong.
    """

    def __init__(self, table: TableContext, asked: Mapping[str, str]) -> None:
        self.table = table
        self.talk = talk(table.title, table.scenario, table.position)
        self.chosen = {
            key: (
                asked.get(key, "")
                if any(one.value == asked.get(key, "") for one in choices)
                else ""
            )
            for key, choices in self.choices.items()
        }

    @cached_property
    def choices(self) -> dict[str, list[Choice]]:
        """By the filter's name, the first what stands where nothing is chosen."""
        table = self.table
        purse, every = self.talk.accounts.get(self.talk.purse), _("All")
        accounts = [Choice("", every)]
        if purse:
            accounts = [
                Choice("", _("All but %(account)s") % {"account": purse.label}),
                Choice(EVERY, every),
            ]
        return {
            "nation": [
                Choice("", every),
                *(Choice(key, capital(table.name_of(key))) for key in account_holders(self.table)),
            ],
            "account": (
                accounts
                + [
                    Choice(account.key, capital(account.label))
                    for account in accounts_by_key(table).values()
                ]
            ),
            "turn": [
                Choice("", every),
                *(Choice(str(n), turn_name(self.table, n)) for n in range(table.campaign.turn + 1)),
            ],
            "cause": [Choice("", every), *self.causes],
        }

    @cached_property
    def causes(self) -> list[Choice]:
        """The kinds of causes there are, each named by what its sentences have in common."""
        spoken: dict[str, list[str]] = {}
        for text in self._every.causes:
            phrase = Say(*read(text))
            spoken.setdefault(phrase.id, []).append(capital(self.table.sentence(phrase)))
        named = sorted((common(key, texts), key) for key, texts in spoken.items())
        twice = {one[0] for one, following in pairwise(named) if one[0] == following[0]}
        return [
            Choice(key, f"{name} ({plain_name(key)})" if name in twice else name)
            for name, key in named
        ]

    @cached_property
    def wanted(self) -> Wanted:
        chosen, account = self.chosen, self.chosen["account"]
        return Wanted(
            chosen["nation"],
            "" if account == EVERY else account,
            "" if account else self.talk.purse,
            int(chosen["turn"]) if chosen["turn"] else None,
            chosen["cause"],
        )

    @property
    def matching_lines(self) -> QuerySet[LedgerEntry]:
        """The lines found, oldest first."""
        return nations.lines(self.table.campaign, self.table.access, self.wanted)

    @property
    def query(self) -> str:
        """The filters as an address has them."""
        return urlencode({key: value for key, value in self.chosen.items() if value})

    @cached_property
    def sums(self) -> list[Any]:
        """Lines, sum and gains of every holder's account among the lines found."""
        added, want = dict[tuple[str, str], list[int]](), self.wanted
        for (holder, account, turn, cause), one in self._every.by.items():
            if (
                (not want.holder or holder == want.holder)
                and (not want.account or account == want.account)
                and account != (want.without or None)
                and want.turn in (None, turn)
                and (not want.cause or cause == want.cause)
            ):
                lines, up, total = added.get((holder, account), (0, 0, 0))
                added[holder, account] = [lines + one.lines, up + one.up, total + one.sum]
        return [
            {"holder": holder, "account": account, "lines": lines, "up": up, "sum": total}
            for (holder, account), (lines, up, total) in added.items()
        ]

    @cached_property
    def _every(self) -> nations.Sums:
        """What all lines come to, before any filter."""
        return nations.sums(self.table.campaign, self.table.access)

    @property
    def count(self) -> int:
        return sum(row["lines"] for row in self.sums)

    def totals(self) -> list[Total]:
        """By account, in the title's order."""
        return [
            total
            for key in accounts_by_key(self.table)
            if (total := self._total(key, [row for row in self.sums if row["account"] == key]))
            is not None
        ]

    def by_holder(self) -> list[tuple[str, str, list[str]]]:
        """Key, name and a sum an account of `totals`, where the lines are of more than one
        holder.
        """
        rows = {(row["holder"], row["account"]): row["sum"] for row in self.sums}
        accounts = [
            key
            for key in accounts_by_key(self.table)
            if any(row["account"] == key for row in self.sums)
        ]
        shown = [
            holder
            for holder in account_holders(self.table)
            if any((holder, key) in rows for key in accounts)
        ]
        if len(shown) < 2:
            return []
        return [
            (
                holder,
                capital(self.table.name_of(holder)),
                [
                    signed(self.talk, key, rows[holder, key]) if (holder, key) in rows else ""
                    for key in accounts
                ],
            )
            for holder in shown
        ]

    def _total(self, account: str, rows: Iterable[Mapping[str, Any]]) -> Total | None:
        of_it = list(rows)
        if not of_it:
            return None
        up, whole = sum(row["up"] or 0 for row in of_it), sum(row["sum"] for row in of_it)
        return Total(
            capital(self.talk.account_name(account)),
            sum(row["lines"] for row in of_it),
            signed(self.talk, account, up),
            signed(self.talk, account, whole - up),
            signed(self.talk, account, whole),
        )

    def lines(self, page: int) -> SafeString:
        """A page of the lines, newest first."""
        table = self.table
        rows = nations.page_of_lines(
            table.campaign, table.access, self.wanted, (page - 1) * PAGE, PAGE
        )
        return drawn(table, self.talk, rows, "ledger/_line.html")


def drawn(
    table: TableContext, talk: Talk, rows: Sequence[LedgerRow], template: str, chosen: str = ""
) -> SafeString:
    """Lines of the ledgers as pages show them, each written once; above the first of a turn stands
    which turn it is.
    """
    given = {"chosen": chosen, "rules_page": rules_link(table)}
    drawn, turn = [], None
    for row in rows:
        name = turn_name(table, row.turn) if row.turn != turn else ""
        drawn.append(part_of_page(template, given | {"line": _line(table, talk, row, name)}))
        turn = row.turn
    return SafeString("".join(drawn))


def _line(table: TableContext, talk: Talk, row: LedgerRow, turn: str) -> Line:
    phrase, number = row.cause_said, row.number
    return Line(
        number,
        table.url("entry", number) if number is not None else "",
        row.holder,
        capital(table.name_of(row.holder)),
        talk.account_name(row.account),
        capital(table.sentence(phrase)),
        phrase.rule,
        signed(talk, row.account, row.change),
        talk.amount(row.account, row.balance),
        talk.cascade(Effect("account", row.holder, row.account, phrase, row.change, row.balance)),
        turn,
    )


def turn_name(table: TableContext, turn: int) -> str:
    name = word(table.campaign.title, "turn")
    return f"{capital(name)} {turn}" if turn else _("Before %(turn)s 1") % {"turn": name}


def signed(talk: Talk, account: str, change: int) -> str:
    return ("+" if change > 0 else "") + talk.amount(account, change)


def common(key: str, texts: Sequence[str]) -> str:
    """What sentences of one kind have in common: "Battle of …"; what the kind is called where they
    have nothing.
    """
    every = [text.split() for text in dict.fromkeys(texts)]
    if len(every) == 1:
        name = " ".join(every[0])
        return name if len(name) <= LONGEST else name[: LONGEST - 1].rstrip() + "…"
    first = next(
        (n for n, words in enumerate(zip(*every, strict=False)) if len(set(words)) > 1),
        min(map(len, every)),
    )
    turned = [words[::-1] for words in every]
    last = next((n for n, words in enumerate(zip(*turned, strict=False)) if len(set(words)) > 1), 0)
    if first:
        return " ".join(every[0][:first])[: LONGEST - 2] + " …"
    return "… " + " ".join(every[0][-last:])[-(LONGEST - 2) :] if last else plain_name(key)


def page_number(asked: str, pages: int) -> int:
    """The page asked for, the first where that is none."""
    number = whole(asked)
    return number if number is not None and 1 <= number <= pages else 1


@require_safe
@campaign_page
def ledger(request: HttpRequest, table: TableContext) -> HttpResponse:
    """`?nation=&account=&turn=&cause=` filter, `&page=` leafs; the sums are of all lines found, on
    whatever page.
    """
    account = Ledger(table, request.GET.dict())
    pages = max(1, -(-account.count // PAGE))
    page = page_number(request.GET.get("page", ""), pages)
    query = account.query

    def leaf(number: int) -> str:
        return "?" + "&".join([*([query] if query else []), f"page={number}"])

    chosen = account.chosen["account"]
    context = {
        "ledger": account,
        "taken_over": taken_over(table),
        "filters": [
            (key, choices, account.chosen[key]) for key, choices in account.choices.items()
        ],
        "lines": account.lines(page),
        "totals": account.totals(),
        "by_holder": account.by_holder(),
        "first": (page - 1) * PAGE + 1,
        "last": min(page * PAGE, account.count),
        "newer": leaf(page - 1) if page > 1 else "",
        "older": leaf(page + 1) if page < pages else "",
        "file": table.url("ledger_file") + (f"?{query}" if query else ""),
        "charts_url": (
            table.url("charts")
            + (f"?{urlencode({'account': chosen})}" if chosen and chosen != EVERY else "")
        ),
    }
    return show(request, table, "ledger/ledger.html", context, here="charts")


# A nation's ledger, the log and the dice as files for a spreadsheet, as their reader may see them,
# oldest line first.

# The columns of each file.
LEDGER = gettext_noop("Entry|Turn|Time (UTC)|Account|Cause|Rule|Change|Balance")
LEDGERS = gettext_noop("Entry|Turn|Time (UTC)|Holder|Account|Cause|Rule|Change|Balance")
LOG = gettext_noop("Entry|Turn|Time (UTC)|Seat|By|What|Changes|Notes|Rolls|Struck by")
DICE = gettext_noop("Entry|Turn|Purpose|Sides|Value|What it meant|Struck|Seen by some only")


@require_safe
@campaign_page
def nation_ledger_sheet(request: HttpRequest, table: TableContext, seat: str) -> HttpResponse:
    """Every line of a seat's ledger, `?account=` those of one account; actions in whole ones."""
    if seat not in table.names or seat == GAME_MASTER:
        raise Http404
    asked = request.GET.get("account", "")
    return of_ledger(table, seat, asked if asked in accounts_by_key(table) else "")


def of_ledger(table: TableContext, seat: str, account: str = "") -> HttpResponse:
    """A seat's ledger, of one account or of all."""
    speaker = talk(table.title, table.scenario, table.position)
    rows = nations.ledger(table.campaign, table.user, seat, account=account)
    lines = ((*_when(row), *_what(table, speaker, row)) for row in rows)
    return download(f"{table.ref}-{seat}-ledger.csv", _(LEDGER).split("|"), lines)


@require_safe
@campaign_page
def ledgers(request: HttpRequest, table: TableContext) -> HttpResponse:
    """The lines of all ledgers, with the filters of their page."""
    asked = Ledger(table, request.GET.dict())
    lines = (
        (*_when(row), capital(table.name_of(row.holder)), *_what(table, asked.talk, row))
        for row in asked.matching_lines
    )
    return download(f"{table.ref}-ledger.csv", _(LEDGERS).split("|"), lines)


def _when(row: LedgerEntry) -> tuple[Cell, ...]:
    return row.entry.number, row.turn, row.entry.at


def _what(table: TableContext, speaker: Talk, row: LedgerEntry) -> tuple[Cell, ...]:
    scale, phrase = (
        accounts_by_key(table)[row.account].scale if row.account in accounts_by_key(table) else 1,
        row.cause_said,
    )
    return (
        capital(speaker.account_name(row.account)),
        capital(table.sentence(phrase)),
        f"§{phrase.rule}" if phrase.rule else "",
        number(row.change, scale),
        number(row.balance, scale),
    )


@require_safe
@campaign_page
def log(request: HttpRequest, table: TableContext) -> HttpResponse:
    """The whole log, struck entries too."""
    return of_log(table)


def of_log(table: TableContext) -> HttpResponse:
    """The log as its reader may see it."""
    lines = rows(table, reversed(selectors.log(table.campaign, table.user)))
    return download(f"{table.ref}-log.csv", _(LOG).split("|"), map(_entry, lines))


def _entry(row: Row) -> tuple[Cell, ...]:
    changed = "; ".join(
        f"{one.who} {one.label} {one.change} → {one.balance}".strip() for one in row.changes
    )
    thrown = "; ".join(f"{one.text}: {one.value} (d{one.sides})" for one in row.rolls)
    struck: Cell = row.struck_by if row.struck_by is not None else _("yes") if row.struck else ""
    return (
        row.number,
        row.turn,
        row.at,
        row.name,
        row.person,
        row.text,
        changed,
        "; ".join(row.notes),
        thrown,
        struck,
    )


@require_safe
@campaign_page
def dice(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Every roll, of struck moves too."""
    return of_dice(table)


def of_dice(table: TableContext) -> HttpResponse:
    """The rolls as their reader may see them."""
    line = table.title.roll_line
    rolled = reversed(selectors.rolls(table.campaign, table.user))
    return download(
        f"{table.ref}-dice.csv",
        _(DICE).split("|"),
        (
            (
                row.entry.number,
                row.turn,
                row.purpose,
                row.sides,
                row.value,
                line(table.scenario, row.roll),
                _("yes") if row.entry.struck_by_id is not None else "",
                _("yes") if row.audience is not None else "",
            )
            for row in rolled
        ),
    )


# Tables for people's own spreadsheets: comma-separated, UTF-8 with its mark, numbers as numbers,
# text never a formula.

Cell = str | int | Decimal | datetime | None

SIGNS = "[=+\\-@\uff1d\uff0b\uff0d\uff20]"
FORMULA = re.compile(rf"\A(?=\s*{SIGNS}|[\t\r\n])|(?<=[;\t\r\n|]){SIGNS}")
"""Where a spreadsheet would begin to reckon: at the beginning of a cell, and behind what another
country's program takes for the end of one (a semicolon, a tab), whatever the quotation marks say.
"""


def safe_cell(value: str) -> str:
    """The text with an apostrophe before everything that would be a formula."""
    return FORMULA.sub(lambda match: "'" + match[0], value)


def number(value: int, scale: int = 1) -> int | Decimal:
    """An amount of an account in whole ones: a balance of 5 half-actions is 2.5."""
    return value // scale if value % scale == 0 else Decimal(value) / scale


def written(cell: Cell) -> str | int | Decimal:
    """A cell as the file has it; only text is guarded, so that −30 stays a number that can be added
    up.
    """
    if cell is None:
        return ""
    if isinstance(cell, datetime):
        return cell.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")
    return safe_cell(cell) if isinstance(cell, str) else cell


def download(name: str, head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> HttpResponse:
    """The file `name` with these columns, to be saved and never shown. `name` is of letters,
    digits, dots and hyphens.
    """
    stream = StringIO()
    stream.write("\ufeff")  # else Excel reads another alphabet
    writer = csv.writer(stream, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
    writer.writerow(head)
    writer.writerows([written(cell) for cell in row] for row in rows)
    answer = HttpResponse(stream.getvalue(), content_type="text/csv; charset=utf-8; header=present")
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    answer.headers["X-Content-Type-Options"] = "nosniff"
    answer.headers["Content-Security-Policy"] = "sandbox; default-src 'none'"
    answer.headers["Cache-Control"] = "private"
    return answer


# Charts of accounts over the log, drawn as SVG: one stepped line a holder, turns as vertical marks.
# Nothing here asks.
#
# Colours come by `data-nation`, dashes by class, both of the stylesheet; a line is told apart by
# either, and by its name.

DASHES = 12
"""So many kinds of line the stylesheet has (`dash-0` to `dash-11`)."""
TOP, BOTTOM, LEAST_LEFT = 10, 22, 28
LINE = 13.5
"""From one name to the next at the right edge."""
LETTER, BOLD = 6.0, 6.8
"""About the width of a letter."""
FINE = 0.5
"""Steps nearer to each other than this lie under one line, which is wider."""


class Course(NamedTuple):
    """A holder's account over the log: `steps` are (entry, balance), the first where the line
    begins.

    `dash` is the same in every chart of a campaign. One that has `ended` stops at its last step and
    has no name at the right edge; one that is not `named` is drawn thin, too.
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
        return self.left + (self.right - self.left) * (entry - self.first) / max(
            self.last - self.first, 1
        )

    def y(self, value: int) -> float:
        return TOP + (self.height - TOP - BOTTOM) * (
            1 - (value - self.low) / (self.high - self.low)
        )


def edge(first: int, last: int) -> int:
    """The entry at the right edge: a little behind the last one. In a long log it moves by several
    entries at a time, so that most lines stay where they are drawn.
    """
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
    """The chart of entries `first` to `last`. `text` writes an amount, `scale` units make a whole
    one; `at` marks an entry.

    The last steps keep a little room behind them (`edge`). It grows where more names stand at its
    right edge than its height holds. Empty without a line.
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
        (
            f'<svg class="chart" viewBox="0 0 {width} {height}" role="img"'
            f' aria-label="{escape(label)}">'
        ),
        *(_across(frame, value, text(value)) for value in range(low, high + 1, every)),
        *_turns(frame, turns),
        *(
            _course_line(frame, course)
            for course in sorted(courses, key=lambda one: (one.focus, one.named))
        ),
        *_names(frame, names, text, width),
        "" if at is None else _entry_mark(frame, at),
        "</svg>",
    ]
    return SafeString(
        "".join(parts)
    )  # names and labels are escaped where they are written, all else is ours


def _across(frame: Frame, value: int, text: str) -> str:
    y = frame.y(value)
    return (
        f'<path class="chart__grid" d="M{frame.left:.1f} {y:.1f}H{frame.right:.1f}"/>'
        f'<text class="chart__y" x="{frame.left - 6:.1f}" y="{y + 4:.1f}">{escape(text)}</text>'
    )


def _entry_mark(frame: Frame, at: int) -> str:
    """The mark of an entry, with what is wanted to move it."""
    x, edges = frame.x(at), f"{frame.left:.1f} {frame.right:.1f} {frame.first} {frame.last}"
    return (
        f'<line class="chart__at" data-edges="{edges}" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}"'
        f' y2="{frame.height - BOTTOM}"/>'
    )


def _turns(frame: Frame, turns: Sequence[Turn]) -> list[str]:
    """A mark where each turn begins, with its name where there is room; of many turns only the
    named ones.
    """
    paths, free = [], frame.left
    for turn in turns:
        x = frame.x(turn.entry)
        named = x >= free
        if named or len(turns) <= 24:
            paths.append(f'<path class="chart__turn" d="M{x:.1f} {TOP}V{frame.height - BOTTOM}"/>')
        if named:
            paths.append(
                f'<text class="chart__x" x="{x + 4:.1f}"'
                f' y="{frame.height - 6}">{escape(turn.name)}</text>'
            )
            free = x + 14 + LETTER * len(turn.name)
    return paths


def _course_line(frame: Frame, course: Course) -> str:
    path = _path(frame, course)
    kind = " is-focus" if course.focus else "" if course.named else " is-past"
    return (
        f'<path class="chart__line dash-{course.dash}{kind}" data-nation="{escape(course.holder)}"'
        f' d="{path}"><title>{escape(course.name)}</title></path>'
    )


def _path(frame: Frame, course: Course) -> str:
    """Steps that the eye cannot tell apart are one, as high and as low as all of them: a long log
    has thousands.
    """
    (entry, value), *rest = course.steps
    path = [f"M{frame.x(entry):.1f} {frame.y(value):.1f}"]
    place = 0
    while place < len(rest):
        at, first = frame.x(rest[place][0]), place
        while place < len(rest) and frame.x(rest[place][0]) < at + FINE:
            place += 1
        values = [to for _, to in rest[first:place]]
        last = values[-1]
        turned = [
            end
            for end in (max(values), min(values))
            if not min(value, last) <= end <= max(value, last)
        ]
        path.append(f"H{at:.1f}" + "".join(f"V{frame.y(to):.1f}" for to in (*turned, last)))
        value = last
    if not course.ended:
        path.append(f"H{frame.right:.1f}")
    return "".join(path)


def _name(course: Course, text: Callable[[int], str], width: int) -> str:
    """Name and amount at the end of a line; a name longer than a third of the chart is cut, the
    table has it whole.
    """
    amount = " " + text(course.last)
    room = round(width * 0.36 / BOLD) - len(amount)
    return (
        course.name if len(course.name) <= room else course.name[: room - 1].rstrip() + "…"
    ) + amount


def _names(
    frame: Frame, courses: Sequence[Course], text: Callable[[int], str], width: int
) -> list[str]:
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
        f'<text class="chart__name" data-nation="{escape(course.holder)}" x="{frame.right + 8:.1f}"'
        f' y="{y + 4:.1f}">{escape(_name(course, text, width))}</text>'
        for course, y in zip(ordered, places, strict=True)
    ]


# Accounts over the log as their reader may know them: what charts and their tables say.

NAMED = 12
"""So many lines have their name and their column in the table; seats always have."""
WIDE, LARGE, NARROW = (560, 190), (1160, 340), (340, 210)
"""Width and height of a chart among others, of one alone, on a phone."""
FEW = 8
"""So many steps of a turn stand at the beginning and at the end of a table's cell; the ledger has
all.
"""


@dataclass(frozen=True)
class ChartCell:
    """What an account came to within a turn, in order; `steps` is empty where it stayed what it
    `was`.
    """

    steps: Sequence[str]
    was: str

    @property
    def before(self) -> Sequence[str]:
        """All but the last; of very many the first and the last ones."""
        steps = self.steps[:-1]
        return steps if len(steps) <= 2 * FEW else [*steps[:FEW], "…", *steps[-FEW:]]

    @property
    def last(self) -> str:
        return self.steps[-1] if self.steps else ""


@dataclass(frozen=True)
class Drawn:
    """An account's chart: `wide` and `narrow` SVG, and as a table `heads` (holder, name) with rows
    of turns.
    """

    key: str
    label: str
    wide: SafeString
    narrow: SafeString
    heads: Sequence[tuple[str, str]]
    rows: Sequence[tuple[str, Sequence[ChartCell]]]
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
        courses = nations.courses(table.campaign, table.access, account, self.first)
        self.steps, self.marks = courses.steps, courses.marks

    @property
    def empty(self) -> bool:
        return not self.turns

    def has(self, account: str) -> bool:
        """Has anybody a course in it? An account that only a variant knows may have none."""
        return any(self._stands(holder, account) for holder in account_holders(self.table))

    def _stands(self, holder: str, account: str) -> bool:
        """A seat that has the account, or whoever ever had a line of it."""
        return (holder, account) in self.steps or (
            (holder, account) in self.table.rows.accounts
            and any(holder == seat.key for seat in self.table.seats)
        )

    def small(self, account: str) -> tuple[str, SafeString]:
        """The account's name, and its narrow chart alone."""
        drawn = self.drawn(account, small=True)
        return drawn.label, drawn.narrow

    def drawn(
        self, account: str, *, small: bool = False, large: bool = False, at: int | None = None
    ) -> Drawn:
        """One account's chart and table; `at` an entry to be marked."""
        known = accounts_by_key(self.table)[account]
        lines = self._courses(account)
        named = [course for course in lines if course.named]

        def text(value: int) -> str:
            return self.talk.amount(account, value)

        label = capital(known.label)
        courses = ", ".join(
            f"{one.name} {text(one.steps[0][1])} → {text(one.last)}" for one in named
        )
        label_text = _("%(account)s over the log: %(courses)s") % {
            "account": label,
            "courses": courses,
        }
        turns = [Turn(first, within(self.turn_name(turn))) for turn, first in self.turns]

        def svg(size: tuple[int, int]) -> SafeString:
            sizes = dict(zip(("width", "height"), size, strict=True))
            return draw(
                lines,
                turns,
                self.first,
                self.last,
                label=label_text,
                text=text,
                scale=known.scale,
                at=at,
                **sizes,
            )

        rows = [] if small else self._rows(account, [one.holder for one in named])
        wide = SafeString() if small else svg(LARGE if large else WIDE)
        heads, ended = (
            [(one.holder, one.name) for one in named],
            [one for one in named if one.ended],
        )
        return Drawn(account, label, wide, svg(NARROW), heads, rows, ended, len(lines) - len(named))

    def _courses(self, account: str) -> list[Course]:
        seats = {seat.key for seat in self.table.seats}
        courses = []
        for place, holder in enumerate(
            account_holders(self.table)
        ):  # the place is the dash, in every chart
            if not self._stands(holder, account):
                continue
            steps = self.steps.get((holder, account), ())
            line = [(at, balance) for _, at, balance in steps]
            if holder in seats and (not steps or steps[0][0]):
                line.insert(0, (self.first, 0))
            ended = holder not in seats and not line[-1][1]
            name = capital(self.table.name_of(holder))
            courses.append(
                Course(holder, name, place % DASHES, line, True, ended, holder == self.focus)
            )
        first = sorted(
            courses,
            key=lambda one: (
                one.holder not in seats,
                one.ended,
                -max(value for _, value in one.steps),
            ),
        )
        kept = {one.holder for one in first[: max(NAMED, len(seats))]}
        return [one._replace(named=one.holder in kept) for one in courses]

    def turn_name(self, turn: int) -> str:
        return f"{capital(word(self.table.campaign.title, 'turn'))} {turn}"

    def _rows(self, account: str, holders: Sequence[str]) -> list[tuple[str, Sequence[ChartCell]]]:
        """A row a turn, the first what the campaign began with."""
        by_turn: dict[str, Mapping[int, Sequence[int]]] = {}
        for holder in holders:
            balances: dict[int, list[int]] = {}
            for turn, _at, balance in self.steps.get((holder, account), ()):
                balances.setdefault(turn, []).append(balance)
            by_turn[holder] = balances
        now: dict[str, str] = {seat.key: self.talk.amount(account, 0) for seat in self.table.seats}
        rows: list[tuple[str, Sequence[ChartCell]]] = []
        for turn in [0, *(first[0] for first in self.turns)]:
            cells = []
            for holder in holders:
                steps = [
                    self.talk.amount(account, value) for value in by_turn[holder].get(turn, ())
                ]
                cells.append(ChartCell(steps, now.get(holder, "")))
                now[holder] = steps[-1] if steps else now.get(holder, "")
            if turn or not self.taken_over:
                rows.append((_("At the start") if not turn else self.turn_name(turn), cells))
        return rows


def every_chart(table: TableContext, chosen: str) -> SafeString:
    """The charts as they are read, empty where nothing has moved yet."""
    courses = Courses(table, chosen, table.own_seats[0] if table.own_seats else "")
    shown = (
        []
        if courses.empty
        else [chosen]
        if chosen
        else [key for key in accounts_by_key(table) if courses.has(key)]
    )
    given = {"chosen": chosen, "table": table, "head": {"words": words(table.campaign.title)}}

    def figure(key: str) -> SafeString:
        drawn = courses.drawn(key, large=bool(chosen))
        return part_of_page("ledger/_chart.html", given | {"one": drawn})

    whole = "".join(figure(key) for key in shown)
    return SafeString(
        whole if chosen or not whole else f'<div class="sheet__body charts">{whole}</div>'
    )


# Charts of the accounts over the log, all or one, each with a table that says the same.


@require_safe
@campaign_page
def charts(request: HttpRequest, table: TableContext) -> HttpResponse:
    """`?account=` is one of the title's; without it all are drawn. The reader's own line is drawn
    bolder.
    """
    from web import practice  # its worker packs ledgers

    asked = request.GET.get("account", "")
    chosen = asked if asked in accounts_by_key(table) else ""
    context = {
        "choices": (
            [("", _("All"), not chosen)]
            + [
                (key, capital(account.label), key == chosen)
                for key, account in accounts_by_key(table).items()
            ]
        ),
        "charts": every_chart(table, chosen),
        "chosen": chosen,
        "taken_over": taken_over(table),
        "remembers": titles.remembers(table),
        **({} if chosen else practice.context_of(table, "charts")),
    }
    return show(request, table, "ledger/charts.html", context, here="charts")

"""The ledgers of all, filtered by holder, account, turn and cause, and what the lines found add up to."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from functools import cached_property
from io import StringIO
from itertools import pairwise
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import get_language, gettext_noop
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from campaign.log import selectors
from campaign.models import LogEntry
from engine.effects import Effect, Say
from engine.strict_json import read, whole
from games.registry import word
from nations import selectors as nations
from nations.models import LedgerEntry
from nations.selectors import LedgerRow, Wanted
from web.log.lines import Row, rows
from web.shell import page_cache
from web.shell.campaign_page import GAME_MASTER, RESUME, TableContext, campaign_page, show
from web.shell.head import accounts_by_key
from web.titles import extras
from web.titles.talk import Talk, capital, plain_name, talk

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
    """The turn after which the campaign was taken over from elsewhere; 0 where it began here."""
    if not table.campaign.started or extras(table.campaign.title, "resume") is None:
        return 0

    def read() -> int:
        entry = table.campaign.entries.filter(kind=LogEntry.Kind.MOVE, act=RESUME, struck_by=None).first()
        return int(entry.content["turn"]) if entry is not None else 0

    turn: int = page_cache.of_log(table, "taken over", read)
    return turn


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
    """The lines that a query asks for. What it asks and is not there is left out: no filter is ever wrong."""

    def __init__(self, table: TableContext, asked: Mapping[str, str]) -> None:
        self.table = table
        self.talk = talk(table.title, table.scenario, table.position)
        self.chosen = {
            key: asked.get(key, "") if any(one.value == asked.get(key, "") for one in choices) else ""
            for key, choices in self.choices.items()
        }

    @cached_property
    def choices(self) -> dict[str, list[Choice]]:
        """By the filter's name, the first what stands where nothing is chosen."""
        table = self.table
        purse, every = self.talk.accounts.get(self.talk.purse), _("All")
        accounts = [Choice("", every)]
        if purse:
            accounts = [Choice("", _("All but %(account)s") % {"account": purse.label}), Choice(EVERY, every)]
        return {
            "nation": [Choice("", every), *(Choice(key, capital(table.name_of(key))) for key in account_holders(self.table))],
            "account": accounts + [Choice(account.key, capital(account.label)) for account in accounts_by_key(table).values()],
            "turn": [Choice("", every), *(Choice(str(n), turn_name(self.table, n)) for n in range(table.campaign.turn + 1))],
            "cause": [Choice("", every), *self.causes],
        }

    @cached_property
    def causes(self) -> list[Choice]:
        """The kinds of causes there are, each named by what its sentences have in common."""
        texts, table = self._every.causes, self.table
        known = "causes", table.campaign.pk, table.campaign.address, page_cache.rules_of(table), get_language(), texts
        choices: list[Choice] = page_cache.kept.get(known, lambda: self._causes(texts))
        return choices

    def _causes(self, texts: Sequence[str]) -> list[Choice]:
        spoken: dict[str, list[str]] = {}
        table = self.table
        for text in texts:

            def known(text: str = text) -> tuple[str, str]:
                phrase = Say(*read(text))
                return phrase.id, capital(table.sentence(phrase))

            key, words = page_cache.spoken(table, text, known)
            spoken.setdefault(key, []).append(words)
        named = sorted((common(key, texts), key) for key, texts in spoken.items())
        twice = {one[0] for one, following in pairwise(named) if one[0] == following[0]}
        return [Choice(key, f"{name} ({plain_name(key)})" if name in twice else name) for name, key in named]

    @cached_property
    def wanted(self) -> Wanted:
        chosen, account = self.chosen, self.chosen["account"]
        return Wanted(
            chosen["nation"], "" if account == EVERY else account, "" if account else self.talk.purse,
            int(chosen["turn"]) if chosen["turn"] else None, chosen["cause"],
        )  # fmt: skip

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
                (not want.holder or holder == want.holder) and (not want.account or account == want.account)
                and account != (want.without or None) and want.turn in (None, turn) and (not want.cause or cause == want.cause)
            ):  # fmt: skip
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
            if (total := self._total(key, [row for row in self.sums if row["account"] == key])) is not None
        ]

    def by_holder(self) -> list[tuple[str, str, list[str]]]:
        """Key, name and a sum an account of `totals`, where the lines are of more than one holder."""
        rows = {(row["holder"], row["account"]): row["sum"] for row in self.sums}
        accounts = [key for key in accounts_by_key(self.table) if any(row["account"] == key for row in self.sums)]
        shown = [holder for holder in account_holders(self.table) if any((holder, key) in rows for key in accounts)]
        if len(shown) < 2:
            return []
        return [
            (holder, capital(self.table.name_of(holder)),
             [signed(self.talk, key, rows[holder, key]) if (holder, key) in rows else "" for key in accounts])
            for holder in shown
        ]  # fmt: skip

    def _total(self, account: str, rows: Iterable[Mapping[str, Any]]) -> Total | None:
        of_it = list(rows)
        if not of_it:
            return None
        up, whole = sum(row["up"] or 0 for row in of_it), sum(row["sum"] for row in of_it)
        return Total(
            capital(self.talk.account_name(account)), sum(row["lines"] for row in of_it),
            signed(self.talk, account, up), signed(self.talk, account, whole - up), signed(self.talk, account, whole),
        )  # fmt: skip

    def lines(self, page: int) -> list[Line]:
        """A page of the lines, newest first."""
        table = self.table
        rows = nations.page_of_lines(table.campaign, table.access, self.wanted, (page - 1) * PAGE, PAGE)
        return in_words(table, self.talk, rows)


def in_words(table: TableContext, talk: Talk, rows: Iterable[LedgerRow]) -> list[Line]:
    """Lines of the ledgers as pages show them."""
    lines, turn = [], None
    for row in rows:
        line: Line = page_cache.spoken(table, row, lambda row=row: _line(table, talk, row))  # type: ignore[misc]
        lines.append(line if row.turn == turn else line._replace(turn=turn_name(table, row.turn)))
        turn = row.turn
    return lines


def _line(table: TableContext, talk: Talk, row: LedgerRow) -> Line:
    phrase, number = row.cause_said, row.number
    return Line(
        number, table.url("entry", number) if number is not None else "", row.holder, capital(table.name_of(row.holder)),
        talk.account_name(row.account), capital(table.sentence(phrase)), phrase.rule, signed(talk, row.account, row.change),
        talk.amount(row.account, row.balance),
        talk.cascade(Effect("account", row.holder, row.account, phrase, row.change, row.balance)), "",
    )  # fmt: skip


def turn_name(table: TableContext, turn: int) -> str:
    name = word(table.campaign.title, "turn")
    return f"{capital(name)} {turn}" if turn else _("Before %(turn)s 1") % {"turn": name}


def signed(talk: Talk, account: str, change: int) -> str:
    return ("+" if change > 0 else "") + talk.amount(account, change)


def common(key: str, texts: Sequence[str]) -> str:
    """What sentences of one kind have in common: "Battle of …"; what the kind is called where they have nothing."""
    every = [text.split() for text in dict.fromkeys(texts)]
    if len(every) == 1:
        name = " ".join(every[0])
        return name if len(name) <= LONGEST else name[: LONGEST - 1].rstrip() + "…"
    first = next((n for n, words in enumerate(zip(*every, strict=False)) if len(set(words)) > 1), min(map(len, every)))
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
    """`?nation=&account=&turn=&cause=` filter, `&page=` leafs; the sums are of all lines found, on whatever page."""
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
        "filters": [(key, choices, account.chosen[key]) for key, choices in account.choices.items()],
        "lines": account.lines(page),
        "totals": account.totals(),
        "by_holder": account.by_holder(),
        "first": (page - 1) * PAGE + 1,
        "last": min(page * PAGE, account.count),
        "newer": leaf(page - 1) if page > 1 else "",
        "older": leaf(page + 1) if page < pages else "",
        "file": table.url("ledger_file") + (f"?{query}" if query else ""),
        "charts_url": table.url("charts") + (f"?{urlencode({'account': chosen})}" if chosen and chosen != EVERY else ""),
    }
    return show(request, table, "ledger/ledger.html", context, here="charts")


# A nation's ledger, the log and the dice as files for a spreadsheet, as their reader may see them, oldest line first.

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
    lines = ((*_when(row), capital(table.name_of(row.holder)), *_what(table, asked.talk, row)) for row in asked.matching_lines)
    return download(f"{table.ref}-ledger.csv", _(LEDGERS).split("|"), lines)


def _when(row: LedgerEntry) -> tuple[Cell, ...]:
    return row.entry.number, row.turn, row.entry.at


def _what(table: TableContext, speaker: Talk, row: LedgerEntry) -> tuple[Cell, ...]:
    scale, phrase = accounts_by_key(table)[row.account].scale if row.account in accounts_by_key(table) else 1, row.cause_said
    return (
        capital(speaker.account_name(row.account)), capital(table.sentence(phrase)), f"§{phrase.rule}" if phrase.rule else "",
        number(row.change, scale), number(row.balance, scale),
    )  # fmt: skip


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
    changed = "; ".join(f"{one.who} {one.label} {one.change} → {one.balance}".strip() for one in row.changes)
    thrown = "; ".join(f"{one.text}: {one.value} (d{one.sides})" for one in row.rolls)
    struck: Cell = row.struck_by if row.struck_by is not None else _("yes") if row.struck else ""
    return row.number, row.turn, row.at, row.name, row.person, row.text, changed, "; ".join(row.notes), thrown, struck


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
                row.entry.number, row.turn, row.purpose, row.sides, row.value, line(table.scenario, row.roll),
                _("yes") if row.entry.struck_by_id is not None else "", _("yes") if row.audience is not None else "",
            )
            for row in rolled
        ),
    )  # fmt: skip


# Tables for people's own spreadsheets: comma-separated, UTF-8 with its mark, numbers as numbers, text never a formula.

Cell = str | int | Decimal | datetime | None

SIGNS = "[=+\\-@\uff1d\uff0b\uff0d\uff20]"
FORMULA = re.compile(rf"\A(?=\s*{SIGNS}|[\t\r\n])|(?<=[;\t\r\n|]){SIGNS}")
"""Where a spreadsheet would begin to reckon: at the beginning of a cell, and behind what another country's program takes
for the end of one (a semicolon, a tab), whatever the quotation marks say."""


def safe_cell(value: str) -> str:
    """The text with an apostrophe before everything that would be a formula."""
    return FORMULA.sub(lambda match: "'" + match[0], value)


def number(value: int, scale: int = 1) -> int | Decimal:
    """An amount of an account in whole ones: a balance of 5 half-actions is 2.5."""
    return value // scale if value % scale == 0 else Decimal(value) / scale


def written(cell: Cell) -> str | int | Decimal:
    """A cell as the file has it; only text is guarded, so that −30 stays a number that can be added up."""
    if cell is None:
        return ""
    if isinstance(cell, datetime):
        return cell.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")
    return safe_cell(cell) if isinstance(cell, str) else cell


def download(name: str, head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> HttpResponse:
    """The file `name` with these columns, to be saved and never shown. `name` is of letters, digits, dots and hyphens."""
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

"""The page of the ledgers, with filters and sums."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.contract.move_words import MoveWords
from games.kit.move_words import move_words
from nations import projection as nations
from web.frame.table import TableContext
from web.ledger.filters import EVERY, Filter, LedgerForm, Query, filters, query_of
from web.ledger.lines import LedgerLine, ledger_lines, taken_over
from web.ledger.sums import HolderSums, Total, by_holder, sums_of, totals

PAGE = 100
"""The number of lines on a page."""


@dataclass(frozen=True, slots=True)
class Pagination:
    """The current page of a long list, and the addresses of its neighbours."""

    page: int
    pages: int
    query: str

    @property
    def newer_url(self) -> str:
        return self.url(self.page - 1) if self.page > 1 else ""

    @property
    def older_url(self) -> str:
        return self.url(self.page + 1) if self.page < self.pages else ""

    def url(self, page: int) -> str:
        return "?" + "&".join(filter(None, (self.query, f"page={page}")))


@dataclass(frozen=True, slots=True)
class LedgerPage:
    """The filtered lines, the newest first, and their sums."""

    filters: list[Filter]
    is_filtered: bool
    lines: list[LedgerLine]
    count: int
    pagination: Pagination
    totals: list[Total]
    holders: list[HolderSums]
    taken_over: str
    sheet_url: str
    charts_url: str

    @property
    def total_note(self) -> str:
        if self.pagination.pages == 1:
            return _("the lines shown")
        return ngettext("all %(n)s lines", "all %(n)s lines", self.count) % {"n": self.count}

    @property
    def lines_note(self) -> str:
        if self.pagination.pages == 1:
            return _("newest first")
        first = (self.pagination.page - 1) * PAGE + 1
        last = min(self.pagination.page * PAGE, self.count)
        return _("%(first)s–%(last)s, newest first") % {"first": first, "last": last}

    @property
    def hint(self) -> str:
        """Return a suggestion if there is no line."""
        if self.is_filtered:
            return _("Remove filters to see more lines.")
        return _("Every change to an account is listed here with its cause.")


def ledger_page(table: TableContext, form: LedgerForm) -> LedgerPage:
    """Return the requested page. The sums cover all filtered lines."""
    words = move_words(table.title, table.scenario, table.position)
    every = nations.sums(table.campaign, table.access)
    shown = filters(table, words, every.causes, form)
    query = query_of(shown)
    wanted = query.wanted(words.purse)
    sums = sums_of(every, wanted)
    count = sum(part.lines for part in sums.values())
    pages = max(1, -(-count // PAGE))
    pagination = Pagination(form.page_number(pages), pages, query.address)
    return LedgerPage(
        filters=shown,
        is_filtered=bool(query.address),
        lines=lines_of_page(table, words, wanted, pagination.page),
        count=count,
        pagination=pagination,
        totals=totals(table, words, sums),
        holders=by_holder(table, words, sums),
        taken_over=taken_over_text(taken_over(table)),
        sheet_url=with_query(table.url("ledger_file"), query.address),
        charts_url=charts_url(table, query),
    )


def lines_of_page(
    table: TableContext, words: MoveWords, wanted: nations.Wanted, page: int
) -> list[LedgerLine]:
    rows = nations.page_of_lines(table.campaign, table.access, wanted, (page - 1) * PAGE, PAGE)
    return ledger_lines(table, words, rows)


def taken_over_text(turn: int) -> str:
    if not turn:
        return ""
    text = _(
        "This campaign was taken over from elsewhere after turn %(n)s. What was played before then "
        "is not listed here."
    )
    return text % {"n": turn}


def charts_url(table: TableContext, query: Query) -> str:
    account = query.account if query.account != EVERY else ""
    return with_query(table.url("charts"), urlencode({"account": account}) if account else "")


def with_query(url: str, query: str) -> str:
    return f"{url}?{query}" if query else url

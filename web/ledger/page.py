"""Build the page of the ledgers, with filters and sums."""

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
"""Lines on a page."""


@dataclass(frozen=True, slots=True)
class Leaves:
    """The page of a long list that is shown, and the addresses of the pages beside it."""

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
    """The lines that the filters leave, the newest first, and what they add up to."""

    filters: list[Filter]
    is_filtered: bool
    lines: list[LedgerLine]
    count: int
    leaves: Leaves
    totals: list[Total]
    holders: list[HolderSums]
    taken_over: str
    sheet_url: str
    charts_url: str

    @property
    def total_note(self) -> str:
        if self.leaves.pages == 1:
            return _("the lines shown")
        return ngettext("all %(n)s lines", "all %(n)s lines", self.count) % {"n": self.count}

    @property
    def lines_note(self) -> str:
        if self.leaves.pages == 1:
            return _("newest first")
        first = (self.leaves.page - 1) * PAGE + 1
        last = min(self.leaves.page * PAGE, self.count)
        return _("%(first)s–%(last)s, newest first") % {"first": first, "last": last}

    @property
    def hint(self) -> str:
        """Return what to do if there is no line."""
        if self.is_filtered:
            return _("Choose fewer filters: every filter removes lines.")
        return _("Every change of an account is written here, with its cause.")


def ledger_page(table: TableContext, asked: LedgerForm) -> LedgerPage:
    """Return the page that an address asks for. The sums are of all lines found."""
    speaker = move_words(table.title, table.scenario, table.position)
    every = nations.sums(table.campaign, table.access)
    shown = filters(table, speaker, every.causes, asked)
    query = query_of(shown)
    wanted = query.wanted(speaker.purse)
    sums = sums_of(every, wanted)
    count = sum(part.lines for part in sums.values())
    pages = max(1, -(-count // PAGE))
    leaves = Leaves(asked.page_number(pages), pages, query.address)
    return LedgerPage(
        filters=shown,
        is_filtered=bool(query.address),
        lines=lines_of_page(table, speaker, wanted, leaves.page),
        count=count,
        leaves=leaves,
        totals=totals(table, speaker, sums),
        holders=by_holder(table, speaker, sums),
        taken_over=taken_over_text(taken_over(table)),
        sheet_url=with_query(table.url("ledger_file"), query.address),
        charts_url=charts_url(table, query),
    )


def lines_of_page(
    table: TableContext, speaker: MoveWords, wanted: nations.Wanted, page: int
) -> list[LedgerLine]:
    rows = nations.page_of_lines(table.campaign, table.access, wanted, (page - 1) * PAGE, PAGE)
    return ledger_lines(table, speaker, rows)


def taken_over_text(turn: int) -> str:
    if not turn:
        return ""
    text = _("Taken over after turn %(n)s from elsewhere. What was played before is not here.")
    return text % {"n": turn}


def charts_url(table: TableContext, query: Query) -> str:
    account = query.account if query.account != EVERY else ""
    return with_query(table.url("charts"), urlencode({"account": account}) if account else "")


def with_query(url: str, query: str) -> str:
    return f"{url}?{query}" if query else url

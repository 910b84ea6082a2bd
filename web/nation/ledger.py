"""The ledger on the page of a nation, with a chart of an account."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urlencode

from django.utils.safestring import SafeString
from django.utils.translation import pgettext

from engine.language import capitalize
from games.contract.move_words import MoveWords
from nations import projection as nations
from web.charts.accounts import courses, small_chart
from web.frame.table import TableContext
from web.ledger.lines import LedgerLine, ledger_lines
from web.nation.forms import LedgerFilter

LINES = 30
"""The number of lines that are shown before the reader asks for all."""


class AccountFilter(NamedTuple):
    """A link that shows the lines of a single account, or of all accounts."""

    name: str
    url: str
    is_chosen: bool


class Chart(NamedTuple):
    """A chart of an account of all nations over the log."""

    label: str
    svg: SafeString
    url: str


@dataclass(frozen=True, slots=True)
class LedgerSheet:
    """The ledger of a seat, the newest line first."""

    lines: list[LedgerLine]
    is_filtered: bool
    filters: list[AccountFilter]
    more_url: str
    """The page with all lines; empty if all are shown."""
    file_url: str
    all_url: str
    chart: Chart | None


def ledger_sheet(
    table: TableContext, seat: str, words: MoveWords, asked: LedgerFilter, page_url: str
) -> LedgerSheet:
    """Return the filtered lines. Without a filter, the purse is left out."""
    accounts = {account.key: capitalize(account.label) for account in table.title.accounts}
    account = asked.text_of("account") if asked.text_of("account") in accounts else ""
    wanted = nations.Wanted(seat, account, "" if account else words.purse)
    limit = None if asked.shows_all else LINES + 1
    rows = nations.page_of_lines(table.campaign, table.access, wanted, 0, limit)
    is_cut = not asked.shows_all and len(rows) > LINES
    shown = rows[:LINES] if is_cut else rows
    chosen = {"account": account} if account else {}
    more = urlencode({"account": account, "ledger": "all"})
    return LedgerSheet(
        lines=ledger_lines(table, words, shown),
        is_filtered=bool(account),
        filters=account_filters(accounts, account, page_url),
        more_url=f"{page_url}?{more}#ledger" if is_cut else "",
        file_url=with_query(table.url("ledger_sheet", seat), chosen),
        all_url=with_query(table.url("ledger"), {"nation": seat, **chosen}),
        chart=chart(table, seat, words, account),
    )


def with_query(url: str, query: dict[str, str]) -> str:
    """Return the address, with the query if that is not empty."""
    return f"{url}?{urlencode(query)}" if query else url


def account_filters(accounts: dict[str, str], chosen: str, page_url: str) -> list[AccountFilter]:
    """Return a link for all lines, and a link for each account."""
    filters = [AccountFilter(pgettext("nation", "All"), f"{page_url}#ledger", not chosen)]
    for key, name in accounts.items():
        url = with_query(page_url, {"account": key})
        filters.append(AccountFilter(name, f"{url}#ledger", key == chosen))
    return filters


def chart(table: TableContext, seat: str, words: MoveWords, account: str) -> Chart | None:
    """Return the chart of the chosen account, or of the title's first; the seat's line is bold."""
    others = (known.key for known in table.title.accounts if known.key != words.purse)
    key = account or next(others, "")
    log = courses(table, key, seat) if key else None
    if log is None or log.empty:
        return None
    label, svg = small_chart(log, key)
    return Chart(label, svg, with_query(table.url("charts"), {"account": key}))

"""The page of charts: of all accounts, or of a single account."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from django.utils.translation import pgettext

from engine.language import capitalize
from games.registry import word
from web import titles
from web.charts.accounts import Chart, chart, courses
from web.forecast.page import Forecast, forecast
from web.frame.table import TableContext
from web.ledger.lines import taken_over
from web.ledger.page import taken_over_text, with_query


@dataclass(frozen=True, slots=True)
class AccountLink:
    """A link to the chart of an account, or to all charts."""

    name: str
    url: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class ChartsPage:
    """Charts of accounts over the log, each with a table of the same data."""

    accounts: list[AccountLink]
    charts: list[Chart]
    is_single: bool
    turn_word: str
    table_note: str
    """The sentence that explains the tables."""
    taken_over: str
    history_url: str
    ledger_url: str
    forecast: Forecast | None
    """None on the chart of a single account, and if there is no forecast."""


def charts_page(table: TableContext, asked: str) -> ChartsPage:
    """Return all charts, or that of an account; the lines of the reader's first seat are bold."""
    accounts = table.accounts_by_key
    chosen = asked if asked in accounts else ""
    query = urlencode({"account": chosen}) if chosen else ""
    return ChartsPage(
        accounts=[
            account_link(table, "", pgettext("charts", "All"), chosen),
            *(
                account_link(table, key, capitalize(account.label), chosen)
                for key, account in accounts.items()
            ),
        ],
        charts=charts_of(table, chosen),
        is_single=bool(chosen),
        turn_word=word(table.campaign.title, "turn"),
        table_note=word(table.campaign.title, "values_by_turn"),
        taken_over=taken_over_text(taken_over(table)),
        history_url=table.url("history") if titles.remembers(table) else "",
        ledger_url=with_query(table.url("ledger"), query),
        forecast=None if chosen else forecast(table, "charts"),
    )


def account_link(table: TableContext, key: str, name: str, chosen: str) -> AccountLink:
    query = urlencode({"account": key}) if key else ""
    return AccountLink(name, with_query(table.url("charts"), query), key == chosen)


def charts_of(table: TableContext, chosen: str) -> list[Chart]:
    """Return the charts; none if no move has been made yet."""
    log = courses(table, chosen, table.own_seats[0] if table.own_seats else "")
    if log.empty:
        return []
    if chosen:
        return [chart(log, chosen, is_large=True)]
    return [chart(log, key) for key in table.accounts_by_key if log.has(key)]

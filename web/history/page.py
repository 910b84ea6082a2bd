"""The page of the history, and the page for an entry that has no position."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from campaign.log.history import Trail
from campaign.models import LogEntry
from web.charts.accounts import Chart, chart, courses
from web.frame.table import TableContext
from web.history.moment import Moment, Spot, moment
from web.history.player import Player, player


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """The campaign at the position after an entry."""

    moment: Moment
    player: Player
    is_branch = False


@dataclass(frozen=True, slots=True)
class MomentPart:
    """Only the changing parts, for a page that already has the rest."""

    moment: Moment


def history_page(spot: Spot) -> HistoryPage:
    return HistoryPage(moment(spot, moving=False), player(spot))


def moment_part(spot: Spot) -> MomentPart:
    return MomentPart(moment(spot, moving=True))


@dataclass(frozen=True, slots=True)
class AccountCurves:
    """Charts of the accounts over the log, without the purse."""

    charts: list[Chart]


def account_curves(table: TableContext, number: int) -> AccountCurves:
    """Return the charts with this entry marked; no charts if no move was made."""
    log = courses(table, focus=table.own_seats[0] if table.own_seats else "")
    if log.empty:
        return AccountCurves([])
    keys = [key for key in table.accounts_by_key if key != "actions"]
    return AccountCurves([chart(log, key, marked_entry=number) for key in keys])


@dataclass(frozen=True, slots=True)
class StruckEntry:
    """An entry that was struck, and the entry that struck it."""

    url: str
    by: int | None
    by_url: str


@dataclass(frozen=True, slots=True)
class NowherePage:
    """The page for an entry without a position, with the nearest earlier position."""

    heading: str
    struck: StruckEntry | None
    first: int
    last: int
    near: int | None
    near_url: str
    now_url: str


def nowhere_page(table: TableContext, road: Trail, number: int | None) -> NowherePage:
    """Return the page; `number` is None if the address has no valid number."""
    struck = None if number is None else struck_entry(table, number)
    near = None if number is None else road.before(number)
    spot = Spot(table, road, 0, by_turns=False)
    return NowherePage(
        heading=nowhere_heading(number, is_struck=struck is not None),
        struck=struck,
        first=road.stops[0].number,
        last=road.stops[-1].number,
        near=None if near is None else road.stops[near].number,
        near_url=spot.address(near),
        now_url=table.url("history"),
    )


def nowhere_heading(number: int | None, *, is_struck: bool) -> str:
    if number is None:
        return _("This is not an entry")
    text = _("Entry %(number)s is struck") if is_struck else _("There is no entry %(number)s")
    return text % {"number": number}


def struck_entry(table: TableContext, number: int) -> StruckEntry | None:
    entries = LogEntry.objects.filter(campaign=table.campaign, number=number)
    entry = entries.exclude(struck_by=None).select_related("struck_by").first()
    if entry is None or entry.struck_by is None:
        return None
    by = entry.struck_by.number
    return StruckEntry(table.url("entry", number), by, "" if by is None else table.url("entry", by))

"""The table of a campaign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import QueryDict
from django.utils.translation import ngettext, pgettext

from campaign.log import selectors
from web.frame.table import TableContext
from web.frame.waiting_lines import WaitLine, waits
from web.log.lines import LogRow, rows
from web.table.battles import RunningBattles, battles_on_table
from web.table.before_start import BeforeStart, before_start
from web.table.contract import OwnPage
from web.table.standings import FinalPlace, Place, final, standings
from web.titles.contract import pages_of

LATEST = 20
"""The number of log entries on the table."""


@dataclass(frozen=True, slots=True)
class TablePage:
    """The table of a campaign."""

    own: OwnPage | None
    before_start: BeforeStart | None
    waits: Sequence[WaitLine]
    final: Sequence[FinalPlace]
    standings: Sequence[Place]
    battles: RunningBattles | None
    log: Sequence[LogRow]
    entries_text: str
    seat_word: str


def table_page(table: TableContext, query: QueryDict) -> TablePage:
    """Return the table. `query` has the choices in the address."""
    title = pages_of(table.title.key).table
    own = title.own_page(table, query) if title is not None else None
    started = table.campaign.started
    return TablePage(
        own=own,
        before_start=before_start(table),
        waits=waits(table),
        final=final(table),
        standings=standings(table) if started else [],
        battles=battles_on_table(table) if started else None,
        log=rows(table, selectors.log(table.campaign, table.access, limit=LATEST)),
        entries_text=entries_text(table.seen + 1),
        seat_word=own.seat_word if own is not None else pgettext("table", "Seat"),
    )


def entries_text(count: int) -> str:
    """Return the text of the link to the whole log."""
    return ngettext("The only entry", "All %(n)s entries", count) % {"n": count}

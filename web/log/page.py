"""The pages of the log: the log, a single entry, and the answer to an open page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, npgettext, pgettext

from campaign import services
from campaign.log import removal, selectors
from campaign.log.acts.registry import BINDS_TEXTS
from campaign.log.selectors import Line
from engine.effects import Effect
from engine.language import sentence
from web import titles
from web.desk.countersigning import may_countersign
from web.frame.live import mark
from web.frame.table import TableContext
from web.frame.tabs import talks
from web.log.filters import (
    FilterForm,
    LogFilter,
    condition,
    filter_form,
    known_filter,
    nothing_text,
)
from web.log.forms import LiveQuery, LogQuery
from web.log.lines import (
    Change,
    LogRow,
    OtherEffect,
    changes,
    other_effects,
    row,
    rows,
    turn_name,
)
from web.seats.hidden_hands import ClosedHands, closed_hands

PAGE = 50
"""Number of entries on a page of the log."""
MOST = 3
"""The number of new entries that an open page shows; it only counts the others."""


@dataclass(frozen=True, slots=True)
class LogGroup:
    """Consecutive entries of a turn, or of a nation's part of a turn."""

    turn: str
    """The heading of the turn that begins with this group; empty if it goes on."""
    part: str
    """The heading of a nation's part of the turn, or of the entries before the first part."""
    seat: str
    """The seat whose part of the turn it is; empty if there is none."""
    lines: list[LogRow]


@dataclass(frozen=True, slots=True)
class PageLink:
    """A link to another page of the log."""

    text: str
    url: str
    rel: str = ""

    @property
    def css(self) -> str:
        """Return the second class of the button."""
        return "" if self.rel else " button--quiet"


@dataclass(frozen=True, slots=True)
class LogPage:
    """A page of the log, the newest entry first."""

    groups: list[LogGroup]
    note: str
    filter_form: FilterForm
    empty_text: str
    links: list[PageLink]
    """The links to other pages of the log."""
    reset_url: str
    """The address without the filter; empty if there is none."""
    sheet_url: str
    closed_hands: ClosedHands | None


def log_page(table: TableContext, query: LogQuery) -> LogPage:
    """Return the requested page."""
    chosen = known_filter(table, list(query.nations), list(query.kinds))
    only = condition(table, chosen) if chosen else None
    skip = 0
    if query.at is not None:
        skip = selectors.newer(table.campaign, table.user, query.at, only) // PAGE * PAGE
    shown, more = lines_of_page(table, query, skip, only)
    is_older = query.before is not None or skip > 0
    return LogPage(
        groups=groups(table, shown, parted=not chosen),
        note=log_note(table, query.before, only),
        filter_form=filter_form(table, chosen),
        empty_text=nothing_text() if chosen else _("This is the first entry."),
        links=page_links(
            chosen,
            [line.number for line in shown if line.number is not None],
            has_older=more or query.after is not None,
            has_newer=is_older or (query.after is not None and more),
            every=query.every,
        ),
        reset_url="?" if chosen else "",
        sheet_url=table.url("log_sheet"),
        closed_hands=closed_hands(table),
    )


def page_links(
    chosen: LogFilter, numbers: Sequence[int], *, has_older: bool, has_newer: bool, every: bool
) -> list[PageLink]:
    """Return the links of a page with these numbers of entries; they keep the filter."""
    has_older, has_newer = has_older and bool(numbers), has_newer and bool(numbers)
    links = list[PageLink]()
    if has_newer:
        url = chosen.address(f"after={max(numbers)}")
        links.append(PageLink(_("Newer entries"), url, "prev"))
    if has_older:
        url = chosen.address(f"before={min(numbers)}")
        links.append(PageLink(_("Older entries"), url, "next"))
    if has_newer or every:
        links.append(PageLink(_("Newest entries"), chosen.address()))
    if has_older or has_newer:
        links.append(PageLink(pgettext("button", "The whole log"), chosen.address("all")))
    return links


def lines_of_page(
    table: TableContext, query: LogQuery, skip: int, only: Q | None
) -> tuple[Sequence[Line], bool]:
    """Return the entries of a page, and whether there are more in the direction of the query."""
    campaign, access = table.campaign, table.access
    if query.every:
        return selectors.log(campaign, access, only=only), False
    lines = selectors.log(
        campaign,
        access,
        before=query.before,
        after=query.after,
        skip=skip,
        limit=PAGE + 1,
        only=only,
    )
    return lines[-PAGE:] if query.after is not None else lines[:PAGE], len(lines) > PAGE


def log_note(table: TableContext, before: int | None, only: Q | None) -> str:
    """Return the note beside the heading of the log."""
    entries = table.seen + 1
    if only is not None:
        matching = selectors.count(table.campaign, table.user, only)
        text = ngettext("%(n)s of %(all)s entry", "%(n)s of %(all)s entries", entries)
        return text % {"n": matching, "all": entries}
    if before is None:
        return npgettext(
            "log", "%(n)s entry, newest first", "%(n)s entries, newest first", entries
        ) % {"n": entries}
    text = ngettext(
        "%(n)s entry, newest first, before entry %(before)s",
        "%(n)s entries, newest first, before entry %(before)s",
        entries,
    )
    return text % {"n": entries, "before": before}


# Groups of entries


def groups(table: TableContext, lines: Sequence[Line], *, parted: bool) -> list[LogGroup]:
    """Return entries, the newest first, in groups by turn, and by nations' parts if `parted`."""
    seats = seats_of_turn(lines) if parted else [""] * len(lines)
    listed = list[LogGroup]()
    key: tuple[int, str] | None = None
    for line, seat in zip(lines, seats, strict=True):
        turn = line.entry.turn
        if (turn, seat) != key:
            goes_on = key is not None and key[0] == turn
            heading = "" if goes_on else turn_name(table, turn)
            listed.append(LogGroup(heading, part_name(table, seat, goes_on), seat, []))
            key = turn, seat
        listed[-1].lines.append(row(table, line, notes_slots=not parted))
    return listed


def part_name(table: TableContext, seat: str, goes_on: bool) -> str:
    """Return the heading of a part of a turn.

    Entries of no seat at the end of a turn, the newest, have none.
    """
    if seat:
        return sentence(pgettext("heading", "Turn of {name:the}"), name=table.name_of(seat))
    return pgettext("heading in the log", "Start of the turn") if goes_on else ""


def seats_of_turn(lines: Sequence[Line]) -> list[str]:
    """Return the seat in whose slot each entry was made, for entries from newest to oldest.

    Effects on a slot name its seat. The entries before the first such effect belong to the slot
    that ends first.
    """
    seats = list[str]()
    current, is_known = "", False
    for line in reversed(lines):
        changes = () if line.struck else [effect for effect in line.effects if is_slot(effect)]
        if changes and not is_known:
            ended = next((effect for effect in changes if effect.subject == "ended"), None)
            current = (ended.holder or "") if ended else ""
            seats = [current] * len(seats)
            is_known = True
        seats.append(current)
        if changes:
            opened = next((effect for effect in changes if effect.subject == "opened"), None)
            current = (opened.holder or "") if opened else ""
    return seats[::-1]


def is_slot(effect: Effect) -> bool:
    return effect.kind == "slot" and effect.subject in ("opened", "ended")


@dataclass(frozen=True, slots=True)
class Neighbour:
    """The previous or the next entry."""

    number: int
    url: str


@dataclass(frozen=True, slots=True)
class EntryPage:
    """The page of an entry, with all its effects."""

    line: LogRow
    is_move: bool
    changes: list[Change]
    happened: list[OtherEffect]
    before: Neighbour | None
    after: Neighbour | None
    struck_url: str
    """The address of the entry that struck this entry."""
    branch_of_move_url: str
    branch_of_undo_url: str
    log_url: str
    history_url: str
    quote_url: str
    ruling_url: str
    forum_url: str
    countersign_url: str
    reportable: bool
    author: int | None
    may_link: bool

    @property
    def link_label(self) -> str:
        if self.forum_url:
            return _("Link to its post; leave empty to remove the link")
        return _("Link to its post on the forum")


def entry_page(table: TableContext, number: int) -> EntryPage:
    """Return the page of an entry. Raise `NoSuchEntry` if there is none."""
    line = selectors.entry(table.campaign, table.user, number)
    entry, shown = line.entry, row(table, line)
    # Numbers count the entries that everyone sees, from 0 and without a gap.
    is_last = number >= table.campaign.last_number
    remembered = not line.struck and titles.remembers(table)
    return EntryPage(
        line=shown,
        is_move=entry.is_move,
        changes=changes(table, line.effects),
        happened=other_effects(table, line.effects),
        before=neighbour(table, number - 1) if number else None,
        after=None if is_last else neighbour(table, number + 1),
        struck_url="" if shown.struck_by is None else table.url("entry", shown.struck_by),
        branch_of_move_url=shown.branch_url if entry.is_move else "",
        branch_of_undo_url="" if entry.is_move else shown.branch_url,
        log_url=f"{table.url('log')}?at={number}#e{number}",
        history_url=f"{table.url('history')}?at={number}" if remembered else "",
        quote_url=f"{table.url('talk')}?quote={number}" if talks(table) else "",
        ruling_url=f"{table.url('rulings')}?entry={number}#write" if table.host else "",
        forum_url=line.url,
        countersign_url=table.url("countersign", number) if may_countersign(table, line) else "",
        reportable=bool(removal.removable(entry)) and entry.act not in BINDS_TEXTS,
        author=entry.actor_id,
        may_link=services.may_link(table.access, table.user, entry),
    )


def neighbour(table: TableContext, number: int) -> Neighbour:
    return Neighbour(number, table.url("entry", number))


@dataclass(frozen=True, slots=True)
class NewEntriesPage:
    """The events since an open page was made."""

    mark: str
    newest: list[LogRow]
    more: int
    """The number of new entries that are not shown."""
    count: int
    numbers: str
    log_url: str


def new_entries_page(table: TableContext, query: LiveQuery) -> NewEntriesPage:
    """Return the new entries that this reader may see."""
    shown = rows(table, new_lines(table, query.seen))
    return NewEntriesPage(
        mark=mark(table),
        newest=shown[-MOST:],
        more=len(shown[:-MOST]),
        count=len(shown) + query.counted,
        numbers=" ".join(str(line.number) for line in shown if line.number is not None),
        log_url=table.url("log"),
    )


def new_lines(table: TableContext, seen: int | None) -> list[Line]:
    """Return the entries after the place `seen`.

    Entries that were written after the campaign's row was read are left out.
    """
    if seen is None or seen >= table.seen:
        return []
    return selectors.since(table.campaign, table.access, seen)[: table.seen - seen]

"""The pages of a campaign as tabs, grouped in rooms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.contract.title import WithRulebook
from people import services as people_services
from web import titles
from web.frame import awaited_people
from web.frame.table import TableContext
from web.frame.waiting_lines import number_of_master_tasks, running

MOST_ROOMS = 7
SHOWN_ROOMS = 5
"""The number of tabs that fit on a phone. The others are under More."""


class PageLink(NamedTuple):
    """A link to a page of a room that has several pages."""

    key: str
    name: str
    url: str


@dataclass(frozen=True, slots=True)
class Room:
    """A group of a campaign's pages, with one tab."""

    key: str
    name: str
    icon: str
    url: str
    pages: Sequence[PageLink] = ()
    """The pages of the room after the first one."""
    count: int = 0
    mine: bool = False
    """Whether the counted tasks are the reader's."""
    wide: bool = False
    """Whether the tab of the room is under More on a phone."""


@dataclass(frozen=True, slots=True)
class InnerPage:
    """A page of a room, as a link below the tabs."""

    name: str
    url: str
    is_open: bool


@dataclass(frozen=True, slots=True)
class Tab:
    """The tab of a room; `open` is the key of the page that is shown."""

    room: Room
    open: str

    @property
    def exact(self) -> bool:
        """Whether the first page of the room is shown."""
        return self.room.key == self.open

    @property
    def is_open(self) -> bool:
        """Whether a page of the room is shown."""
        return self.exact or any(page.key == self.open for page in self.room.pages)

    @property
    def inner(self) -> list[InnerPage]:
        """The pages of a room that has several, including the first one."""
        if not self.room.pages:
            return []
        first = PageLink(self.room.key, self.room.name, self.room.url)
        return [
            InnerPage(page.name, page.url, page.key == self.open)
            for page in (first, *self.room.pages)
        ]

    @property
    def further(self) -> list[InnerPage]:
        """The pages of a room after the first one, to which its tab leads."""
        return self.inner[1:]

    @property
    def in_more(self) -> bool:
        """Whether the tab is listed under More on a phone."""
        return self.room.wide or bool(self.room.pages)


def tabs(table: TableContext, tab: str) -> list[Tab]:
    """Return the tabs of the campaign, at most `MOST_ROOMS`; `tab` is the open page."""
    rooms = list(playing_rooms(table))
    crowded = len(rooms) + 3 > MOST_ROOMS
    rooms.append(log_room(table, crowded))
    if not crowded:
        rooms.append(reports_room(table, wide=len(rooms) > SHOWN_ROOMS))
    about = about_pages(table)
    if len(rooms) + 2 <= MOST_ROOMS:
        rooms.append(Room("dice", pgettext("tab", "Dice"), "die", table.url("dice"), wide=True))
    else:
        about.append(PageLink("dice", pgettext("tab", "Dice"), table.url("dice")))
    rooms.append(
        Room("about", pgettext("tab", "About"), "info", table.url("about"), about, wide=True)
    )
    return [Tab(room, tab) for room in rooms]


def talks(table: TableContext) -> bool:
    """Return whether the reader can use the messages of this table."""
    return (
        (bool(table.own_seats) or table.host)
        and not table.solo
        and not table.campaign.programs
        and not people_services.is_guest(table.user)
    )


def posts(table: TableContext) -> bool:
    """Return whether the reader has an outbox."""
    return table.host and not table.solo and not people_services.is_guest(table.user)


def playing_rooms(table: TableContext) -> Iterator[Room]:
    """Yield the table, and the rooms in which the reader plays: desk, nation, battles, talk."""
    plain = table.pages is None
    yield Room("table", pgettext("tab", "Table"), "map", table.url("table"))
    if table.game_master and plain:
        count = number_of_master_tasks(table)
        yield Room(
            "desk", pgettext("tab", "Desk"), "glass", table.url("desk"), count=count, mine=True
        )
    if table.own_seats and table.campaign.started and plain:
        yield nation_room(table)
    if plain:
        count = sum(1 for facts in table.rows.contests.values() if running(facts))
        yield Room(
            "battles", pgettext("tab", "Battles"), "swords", table.url("battles"), count=count
        )
    if talks(table):
        yield Room(
            "talk",
            pgettext("tab", "Messages"),
            "talk",
            table.url("talk"),
            press_pages(table),
            count=table.notes.talk_new,
            mine=True,
        )


def nation_room(table: TableContext) -> Room:
    """Return the room of the reader's first seat, with the pages of their other seats."""
    seat, *others = table.own_seats
    mine = [wait for wait in table.waited_for if wait.seat in table.own_seats]
    return Room(
        f"nation-{seat}",
        table.name_of(seat),
        "shield",
        table.url("nation", seat),
        [
            PageLink(f"nation-{other}", table.name_of(other), table.url("nation", other))
            for other in others
        ],
        count=sum(not awaited_people.substitute(table, wait.seat, wait.contest) for wait in mine),
        mine=True,
    )


def press_pages(table: TableContext) -> list[PageLink]:
    """Return the page of the press; none if no one else could read it."""
    if table.solo or table.campaign.programs:
        return []
    return [PageLink("press", pgettext("tab", "Press"), table.url("press"))]


def log_room(table: TableContext, crowded: bool) -> Room:
    """Return the log with the pages about the past, and with the reports if there are many tabs."""
    pages = []
    if table.pages is None:
        pages.append(PageLink("story", _("Story"), table.url("story")))
    if titles.remembers(table):
        pages.append(PageLink("history", pgettext("tab", "History"), table.url("history")))
    pages.append(PageLink("charts", pgettext("tab", "Charts"), table.url("charts")))
    if crowded and posts(table):  # as for a game master who plays
        pages.append(PageLink("reports", pgettext("tab", "Outbox"), table.url("posts")))
    elif crowded:
        pages.append(PageLink("reports", pgettext("tab", "Reports"), table.url("reports")))
    wide = posts(table) or talks(table)
    return Room("log", pgettext("tab", "Log"), "clock", table.url("log"), pages, wide=wide)


def reports_room(table: TableContext, wide: bool) -> Room:
    """Return the outbox of a game master, or else the reports."""
    if posts(table):
        return Room("reports", pgettext("tab", "Outbox"), "mail", table.url("posts"), wide=wide)
    press = [] if talks(table) else press_pages(table)
    return Room(
        "reports", pgettext("tab", "Reports"), "scroll", table.url("reports"), press, wide=True
    )


def about_pages(table: TableContext) -> list[PageLink]:
    """Return the pages about the campaign and its people."""
    if isinstance(table.title, WithRulebook):
        pages = [PageLink("rules", pgettext("tab", "Rules"), table.url("campaign_rules"))]
    else:
        pages = [PageLink("rules", pgettext("tab", "Rulings"), table.url("rulings"))]
    if table.host and not table.solo:
        pages.append(PageLink("seats", pgettext("tab", "Seats"), table.url("seats")))
    if not table.solo:
        pages.append(PageLink("clocks", pgettext("tab", "Deadlines"), table.url("clocks")))
    if table.campaign.lobby_open:
        pages.append(PageLink("lobby", pgettext("tab", "Lobby"), table.url("lobby")))
    return pages

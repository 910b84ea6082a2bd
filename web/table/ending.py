"""The end of a campaign of a title without its own board: who won, the story, maps and charts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign.log import positions
from games.contract.ending import CampaignEnding, EndChapter, SeatCourse
from games.contract.maps import FrontMap
from games.contract.title import WithRulebook
from games.registry import TITLES
from web.charts.accounts import TurnDrawing, turn_drawing
from web.frame.chip import Chip
from web.frame.play_again import PlayAgain, play_again
from web.frame.table import TableContext, address
from web.story.page import campaign_ending, map_at, spark
from web.table.standings import FinalPlace, final


@dataclass(frozen=True, slots=True)
class ChapterOfEnd:
    """A turn of the story with the address of its report."""

    chapter: EndChapter
    report_url: str


@dataclass(frozen=True, slots=True)
class CourseOfSeat:
    """A seat's course with its place in the final standings, its sheet, and a small chart."""

    course: SeatCourse
    place: FinalPlace
    url: str
    spark: SafeString

    @property
    def tone(self) -> str:
        return "is-mine" if self.place.mine else ""

    @property
    def chips(self) -> list[Chip]:
        """Return whether the seat has won, and whether its nation has fallen."""
        won = [Chip(pgettext("final standings", "winner"), "good")] if self.place.is_winner else []
        return [*won, *(Chip(note) for note in [self.course.note] if note)]


@dataclass(frozen=True, slots=True)
class OtherTitle:
    """A link to the page that founds a game of another title."""

    name: str
    url: str


@dataclass(frozen=True, slots=True)
class EndingPage:
    """The end of a campaign.

    `maps` has the map of the start and that of the end with their names; none if the title draws
    none for this scenario.
    """

    ending: CampaignEnding
    again: PlayAgain | None
    maps: Sequence[tuple[str, FrontMap]]
    chapters: Sequence[ChapterOfEnd]
    courses: Sequence[CourseOfSeat]
    charts: Sequence[TurnDrawing]
    links: Sequence[tuple[str, str]]
    others: Sequence[OtherTitle]

    @property
    def tone(self) -> str:
        """Return the class of the result: a victory or a defeat of the reader."""
        return {True: "laurel--won", False: "laurel--lost", None: ""}[self.ending.won]


def ending_page(table: TableContext) -> EndingPage | None:
    """Return the end of the campaign; None while it runs, or if its title does not describe it."""
    seat = table.own_seats[0] if table.own_seats else ""
    ending = campaign_ending(table, seat) if table.campaign.ended else None
    if ending is None:
        return None
    places = {place.seat: place for place in final(table)}
    return EndingPage(
        ending=ending,
        again=play_again(table),
        maps=maps_of(table),
        chapters=[
            ChapterOfEnd(chapter, table.url("report", f"turn-{chapter.turn}"))
            for chapter in ending.story
        ],
        courses=[
            CourseOfSeat(
                course=course,
                place=places[course.seat],
                url=table.url("nation", course.seat),
                spark=spark(course.points, ending.courses),
            )
            for course in ending.courses
        ],
        charts=[turn_drawing(chart, seat) for chart in ending.charts],
        links=links_of(table),
        others=[
            OtherTitle(title.name, f"{address('found')}?title={quote(key)}")
            for key, title in TITLES.items()
            if key != table.campaign.title and isinstance(title, WithRulebook)
        ],
    )


def maps_of(table: TableContext) -> list[tuple[str, FrontMap]]:
    """Return the maps of the start and of the end, with their names."""
    shown = [
        (pgettext("map", "At the start"), map_at(table, positions.setup(table.campaign), "start")),
        (pgettext("map", "At the end"), map_at(table, table.position)),
    ]
    return [(name, drawn) for name, drawn in shown if drawn is not None]


def links_of(table: TableContext) -> list[tuple[str, str]]:
    """Return the names and addresses of the pages with the record of the campaign."""
    return [
        (pgettext("link", "The whole log"), table.url("log")),
        (_("The dice and their proofs"), table.url("dice")),
        (pgettext("file", "Audit pack (zip)"), table.url("pack")),
        (_("The table, move by move"), table.url("history")),
        (pgettext("link", "Hall of fame"), address("hall", table.campaign.title)),
    ]

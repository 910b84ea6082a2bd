"""The page of a campaign's story."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Protocol

from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import ngettext

from battles.models import Battle
from battles.projection import RESOLVED
from campaign import scenarios
from campaign.log import selectors
from campaign.log.selectors import Seat
from campaign.models import Campaign
from campaign.pictures import images
from games.contract.ending import CampaignEnding, WithEnding
from games.contract.maps import FrontMap, WithMaps
from games.contract.plain import Position
from games.contract.story import Chapter, StoryStanding, WithStory
from web.forecast.page import Forecast, forecast
from web.frame.outlines import outlines_url
from web.frame.table import TableContext
from web.frame.waiting_lines import WaitLine
from web.frame.waiting_lines import waits as waited_lines
from web.story.summary import story_of, summary_of
from web.table.battles import battle_text

WEEK = timedelta(days=7)
SPARK_WIDTH, SPARK_HEIGHT = 84, 22
"""The size of the small chart in a line of the standings."""


@dataclass(frozen=True, slots=True)
class ChapterShown:
    """A turn with its report and the picture of its map.

    The address of the picture is empty if there is none.
    """

    chapter: Chapter
    report_url: str
    picture_url: str


@dataclass(frozen=True, slots=True)
class BattleOfWeek:
    """A battle: its sides, its place, and its state or result."""

    number: int
    url: str
    attacker: str
    attacker_name: str
    defender: str
    defender_name: str
    place_and_kind: str
    state: str
    tone: str
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class StandShown:
    """A line of the standings with a small chart."""

    stand: StoryStanding
    spark: SafeString


@dataclass(frozen=True, slots=True)
class Sharing:
    """Addresses to share. `code` shows the picture in a forum; empty if there is none."""

    url: str
    code: str


@dataclass(frozen=True, slots=True)
class StoryPage:
    """The story of a campaign. `picture_url` is empty if the title draws no map."""

    map: FrontMap | None
    picture_url: str
    chapters: Sequence[ChapterShown]
    week: Sequence[BattleOfWeek]
    waits: Sequence[WaitLine]
    stands: Sequence[StandShown]
    free_seats: Sequence[Seat]
    free_text: str
    sharing: Sharing | None
    forecast: Forecast | None


def story_page(table: TableContext) -> StoryPage:
    """Return the page of the story."""
    campaign = table.campaign
    week = battles_of_week(table)
    story = story_of(campaign)
    place = images.place(campaign) if isinstance(campaign.game, WithMaps) else None
    picture_url = f"{table.url('map_picture')}?at={place.number}" if place else ""
    picture_url = table.request.build_absolute_uri(picture_url) if picture_url else ""
    free = [] if table.solo or campaign.ended else free_seats(table)
    return StoryPage(
        map=front_map(table),
        picture_url=picture_url,
        chapters=[
            chapter_shown(table, chapter, with_picture=bool(place)) for chapter in story.chapters
        ],
        week=week,
        waits=waited_lines(table) if campaign.started else [],
        stands=[StandShown(stand, spark(stand.points, story.stands)) for stand in story.stands],
        free_seats=free,
        free_text=free_text(len(free)),
        sharing=sharing(table, picture_url),
        forecast=forecast(table, "story"),
    )


def front_map(table: TableContext) -> FrontMap | None:
    """Return the map of the campaign as outsiders see it; None if it has none."""
    return map_at(table, selectors.position(table.campaign))


def map_at(table: TableContext, position: Position, uid: str = "front") -> FrontMap | None:
    """Return the map at a position as outsiders see it; None if the title draws none.

    Two maps on a page need different `uid`.
    """
    campaign = table.campaign
    if not isinstance(campaign.game, WithMaps):
        return None
    return campaign.game.maps.front(
        position, scenarios.text_of(campaign), partial(outlines_url, campaign=campaign), uid
    )


def campaign_ending(table: TableContext, seat: str) -> CampaignEnding | None:
    """Return the end of a campaign for this seat; None if the title does not describe it."""
    title = table.title
    if not isinstance(title, WithEnding) or table.final_standings is None:
        return None
    return title.tell_ending(table.position, summary_of(table.campaign), seat)


def chapter_shown(table: TableContext, chapter: Chapter, *, with_picture: bool) -> ChapterShown:
    picture_url = f"{table.url('map_picture')}?at={chapter.entry}"
    return ChapterShown(
        chapter=chapter,
        report_url=table.url("report", f"turn-{chapter.turn}"),
        picture_url=picture_url if with_picture and chapter.entry else "",
    )


def free_seats(table: TableContext) -> list[Seat]:
    return [seat for seat in table.seats if seat.holder is None]


def free_text(count: int) -> str:
    text = ngettext("%(seats)s seat is free:", "%(seats)s seats are free:", count)
    return text % {"seats": count}


def sharing(table: TableContext, picture_url: str) -> Sharing | None:
    """Return the addresses to share; None for a campaign that only its members may see."""
    if table.campaign.visibility == Campaign.Visibility.MEMBERS:
        return None
    url = table.request.build_absolute_uri(table.url("story"))
    code = f"[url={url}][img]{picture_url}[/img][/url]" if picture_url else ""
    return Sharing(url, code)


# Battles


def battles_of_week(table: TableContext) -> list[BattleOfWeek]:
    """Return the battles of this turn, running ones, and those that ended in the last seven days.

    The latest come first.
    """
    if not table.campaign.started:
        return []
    # Whole days of the reader, so that the page stays the same all day while nothing happens.
    today = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    battles = sorted(table.all_battles, key=lambda battle: -battle.number)
    return [
        battle_of_week(table, battle)
        for battle in battles
        if is_recent(battle, table.campaign.turn, today - WEEK)
    ]


def is_recent(battle: Battle, turn: int, since: datetime) -> bool:
    """Return whether a battle belongs to this turn, is running, or has ended since then."""
    if battle.status != RESOLVED or battle.turn == turn:
        return True
    return battle.resolved_at is not None and battle.resolved_at >= since


def battle_of_week(table: TableContext, battle: Battle) -> BattleOfWeek:
    """Return a battle in the title's words."""
    words = battle_text(table, battle.facts)
    return BattleOfWeek(
        number=battle.number,
        url=table.url("battle", battle.number),
        attacker=battle.attacker,
        attacker_name=table.name_of(battle.attacker),
        defender=words.defender or battle.defender,
        defender_name=words.defender_name or table.name_of(battle.defender),
        place_and_kind=f"{words.where}, {words.kind}" if words.where else words.kind,
        state=outcome(table, battle) if battle.status == RESOLVED else words.state,
        tone="" if battle.status == RESOLVED else words.tone,
        ended_at=battle.resolved_at,
    )


def outcome(table: TableContext, battle: Battle) -> str:
    """Return the result of a battle."""
    title = table.title
    return title.outcome_name(battle.facts) if isinstance(title, WithStory) else battle.outcome


# Standings


class WithPoints(Protocol):
    """A seat with its points at the start and at the end of each turn."""

    @property
    def points(self) -> Sequence[int]: ...


def spark(points: Sequence[int], seats: Sequence[WithPoints]) -> SafeString:
    """Return a small chart of the points as SVG.

    All charts of a table have the same scale. The SVG contains only numbers from the code.
    """
    values = [value for seat in seats for value in seat.points]
    low, high = min(values), max(values)
    step = (SPARK_WIDTH - 8) / max(len(points) - 1, 1)
    spots = [
        (
            4 + place * step,
            SPARK_HEIGHT - 4 - (SPARK_HEIGHT - 8) * (value - low) / max(high - low, 1),
        )
        for place, value in enumerate(points)
    ]
    line = "L".join(f"{x:.1f} {y:.1f}" for x, y in spots)
    x, y = spots[-1]
    return SafeString(
        f'<svg class="spark" viewBox="0 0 {SPARK_WIDTH} {SPARK_HEIGHT}" width="{SPARK_WIDTH}"'
        f' height="{SPARK_HEIGHT}" aria-hidden="true"><path d="M{line}"/><circle cx="{x:.1f}"'
        f' cy="{y:.1f}" r="2.6"/></svg>'
    )

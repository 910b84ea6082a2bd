"""The frame around every page of a campaign (`templates/frame/base.html`)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from django.utils import timezone
from django.utils.translation import gettext as _

from campaign import scenarios
from campaign.log import positions
from campaign.seats import seating
from games.contract.maps import WithMaps
from games.contract.title import WithRulebook
from people import services as people_services
from web import titles
from web.frame import hooks
from web.frame.dice_banners import MixingWaits, Parked, mixing_waits, parked
from web.frame.head import Head, head
from web.frame.live import Live, live
from web.frame.sharing import Share, share
from web.frame.table import TableContext


@dataclass(frozen=True, slots=True)
class Frame:
    """The frame around a page of a campaign.

    `rules_url` is empty if the title has no rules text. `scripts` and `styles` are static files of
    the title. `share` is None on pages that report an error, and in campaigns for members only.
    `mixing` and `parked` are banners about missing dice. `live` is None if only the reader can
    change anything. `visit` is None for readers whose browser records their visits.
    """

    head: Head
    title_name: str
    rules_url: str
    has_film: bool
    seat_styles: Mapping[str, str]
    styles: Sequence[str]
    scripts: Sequence[str]
    mixing: MixingWaits | None
    parked: Parked | None
    share: Share | None
    live: Live | None
    lesson: object | None
    visit: Visit | None
    undo_url: str


def frame_of(
    table: TableContext, name: str, tab: str, status: int, scripts: Sequence[str]
) -> Frame:
    """Return the frame of the page of this name; `tab` is the key of the open tab."""
    is_shown = status == 200
    is_taught = bool(table.campaign.lesson) and tab != "history"
    page_head = head(table, tab)
    return Frame(
        head=page_head,
        title_name=positions.plays(table.campaign),
        rules_url=table.url("campaign_rules") if isinstance(table.title, WithRulebook) else "",
        has_film=titles.films(table),
        seat_styles=seat_styles(table),
        styles=table.pages.styles if table.pages else (),
        scripts=scripts,
        mixing=mixing_waits(table),
        parked=parked(table),
        share=share(table, page_head.state) if is_shown else None,
        live=live(table, name, status),
        lesson=hooks.lesson_note(table, name) if is_taught else None,
        visit=visit(table) if is_shown else None,
        undo_url=undo_url(table, name) if not page_head.stopped else "",
    )


def undo_url(table: TableContext, name: str) -> str:
    """Return the address of the last undo; empty for readers who cannot undo a move.

    From the page of a seat it leads back there.
    """
    is_running = table.campaign.started and not table.campaign.ended
    if not is_running or not (table.own_seats or table.game_master):
        return ""
    page = table.request.resolver_match
    seat = page.kwargs.get("seat", "") if page is not None and name == "nation" else ""
    return table.url("last_undo") + (f"?back={quote(str(seat))}" if seat else "")


@dataclass(frozen=True, slots=True)
class Visit:
    """The film of what has happened since the reader's last visit."""

    since: int
    last: int

    @property
    def any(self) -> bool:
        """Whether anything has happened."""
        return self.since < self.last

    @property
    def text(self) -> str:
        text = _("Film since your last visit: entries {first} to {last}")
        return text.format(first=self.since + 1, last=self.last)


def visit(table: TableContext) -> Visit | None:
    """Record this visit of a signed-in member, and return the entries since the last visit.

    None for other readers, whose browser records their visits.
    """
    user = table.user
    if table.request.method != "GET" or not titles.films(table) or not table.access.member:
        return None
    own = [place for place in table.places if place.user_id == user.pk]
    if not own or not people_services.has_account(user):
        return None
    last = table.campaign.last_number
    place = min(own, key=lambda place: place.pk)
    return Visit(seating.note_visit(place, last, timezone.now()), last)


# Colours of seats that are not in the stylesheet

COLOUR = re.compile(r"#[0-9a-fA-F]{6}", re.ASCII)


def seat_styles(table: TableContext) -> dict[str, str]:
    """Return the custom properties of each seat's colours as inline styles.

    The title's own styles are used if it has any.
    """
    title = table.title
    if isinstance(title, WithMaps):
        styles = title.maps.seat_styles(table.scenario, scenarios.text_of(table.campaign))
        return {key: style for key, style in styles.items() if style}
    return {
        seat.key: (
            f"--fill:{seat.info.colour};--name:light-dark(color-mix(in"
            f" oklab,{seat.info.colour},black 35%),color-mix(in oklab,{seat.info.colour},white"
            " 45%));--on:#fff8ea"
        )
        for seat in table.seats
        if COLOUR.fullmatch(seat.info.colour)
    }

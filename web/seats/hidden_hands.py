"""Hidden hands: a game master does not see a hand before they open it (docs/decisions/0027).

The holder of the hand can read that they did. The game master's session keeps for an hour which
hands are open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from campaign import access, review
from campaign.models import GAME_MASTER
from web.frame.open_hands import SESSION
from web.frame.table import TableContext

OPEN = timedelta(hours=1)
"""The time for which a hand stays open."""
LISTED = 200
"""The number of lines that the access log shows."""
ALL_HANDS = "all"
"""The word for all hands in the address that opens them."""


class ClosedHand(NamedTuple):
    """A hand that the reader cannot see."""

    key: str
    name: str
    holders: str


@dataclass(frozen=True, slots=True)
class ClosedHands:
    """The hands that are closed to a game master; `url` opens them."""

    url: str
    seats: list[ClosedHand]
    back: str


class SeatLink(NamedTuple):
    """A link to a page of a seat."""

    key: str
    name: str
    url: str


def open_hands(table: TableContext, seats: Sequence[str]) -> None:
    """Open the hands of these seats to the reader."""
    session = table.request.session
    kept = dict(session.get(SESSION, {}))
    until = int((timezone.now() + OPEN).timestamp())
    kept[table.campaign.public_id] = {
        **kept.get(table.campaign.public_id, {}),
        **dict.fromkeys(seats, until),
    }
    session[SESSION] = kept


def close_hands(table: TableContext) -> None:
    """Close all hands of this campaign to the reader again."""
    session = table.request.session
    session[SESSION] = {
        campaign: hands
        for campaign, hands in session.get(SESSION, {}).items()
        if campaign != table.campaign.public_id
    }


def closed_hands(table: TableContext, *seats: str) -> ClosedHands | None:
    """Return the hands of these seats, or of all, that are closed to the game master.

    None if they see all of them, or if the reader is not a game master.
    """
    if table.access.open_hands is None or not table.game_master:
        return None
    closed = [
        seat.key
        for seat in table.seats
        if seat.holder is not None
        and (not seats or seat.key in seats)
        and not table.access.opens(seat.key)
    ]
    if not closed:
        return None
    return ClosedHands(
        url=table.url("look", closed[0] if len(closed) == 1 else ALL_HANDS),
        seats=[
            ClosedHand(key, table.name_of(key), ", ".join(table.holders(key))) for key in closed
        ],
        back=table.request.path,
    )


def looks_url(table: TableContext, seat: str) -> str:
    """Return the address of a hand's access log; empty if the reader may not open it.

    The holder of the hand can read the whole log, and the game master their own lines.
    """
    campaign = table.campaign
    allowed = seat in table.own_seats or (table.game_master and access.hides(campaign))
    if table.solo or not campaign.started or not allowed:
        return ""
    return table.url("looks", seat) if seat in table.own_seats or table.holders(seat) else ""


def looks_links(table: TableContext) -> list[SeatLink]:
    """Return the access logs that the reader may open; none if all hands are open."""
    if not access.hides(table.campaign):
        return []
    urls = {key: looks_url(table, key) for key in table.names if key != GAME_MASTER}
    return [SeatLink(key, table.name_of(key), url) for key, url in urls.items() if url]


def is_prefetch(request: HttpRequest) -> bool:
    """Return whether a browser only prefetches a page, which no one may ever look at."""
    purposes = " ".join(
        request.headers.get(name, "") for name in ("Sec-Purpose", "Purpose", "X-Moz")
    ).lower()
    return "prefetch" in purposes or "prerender" in purposes


def refuse_prefetch() -> HttpResponse:
    """Refuse to prefetch a page with hidden hands, because that would count as a look."""
    answer = HttpResponse(status=503)
    answer.headers["Cache-Control"] = "no-store"
    return answer


# The access log


@dataclass(frozen=True, slots=True)
class LookLine:
    """The number of a user's looks at a hand within an hour."""

    person: str
    first_at: datetime
    last_at: datetime
    ways: str
    times: int


@dataclass(frozen=True, slots=True)
class AccessLogPage:
    """The users who have looked at a hand.

    Its holder sees all of them, a game master only themselves.
    """

    seat: str
    name: str
    nation_url: str
    mine: bool
    title: str
    audience: str
    looks: list[LookLine]
    has_more: bool
    hides: bool
    empty_text: str


def access_log_page(table: TableContext, seat: str) -> AccessLogPage:
    """Return the access log of a seat's hand."""
    mine = seat in table.own_seats
    looks = list(
        review.looks_at_seat(table.campaign, table.signed_in_user.pk, table.access, seat)[
            : LISTED + 1
        ]
    )
    return AccessLogPage(
        seat=seat,
        name=table.name_of(seat),
        nation_url=table.home if table.pages is not None else table.url("nation", seat),
        mine=mine,
        title=_("Who opened my hand") if mine else _("Your looks at this hand"),
        audience=(
            _("only you see the whole list; people who opened the hand see their own lines")
            if mine
            else _("the holder can see this, too")
        ),
        looks=[
            LookLine(
                person=look.user.username,
                first_at=look.first_at,
                last_at=look.last_at,
                ways=", ".join(map(str, look.way_labels)),
                times=look.count,
            )
            for look in looks[:LISTED]
        ],
        has_more=len(looks) > LISTED,
        hides=access.hides(table.campaign),
        empty_text=_("No one but you has seen it.")
        if mine
        else _("You have not looked at this hand."),
    )

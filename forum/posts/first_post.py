"""The first post of a thread, which shows the present state of the campaign.

The text is above what the writer has typed there. A row of the outbox holds what was written:
it has no report, so that the lists of reports leave it out, and the changes that are made to it are
those of `forum.posts.sending.edit_due_post`.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import DatabaseError, transaction
from django.db.models import BooleanField, ExpressionWrapper, Q
from django.urls import reverse
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from campaign import status
from campaign.clocks.selectors import running
from campaign.dates import written
from campaign.errors import Refused
from campaign.log import entries, positions, selectors
from campaign.log.selectors import Seat
from campaign.models import Campaign, Clock, LogEntry
from campaign.pictures import images
from forum.boards import EditsPosts, InvalidSetting
from forum.boards.registry import transport
from forum.dialects import DIALECTS
from forum.models import Post, Thread
from forum.posts import all_reports, outbox, report_parts, reports
from forum.posts.outbox import State, lock_campaign
from games.contract.maps import WithMaps
from games.contract.report import Block, Bullets, Heading, Paragraph, Report, Span, Table
from games.contract.standings import WithStandings

LOG = logging.getLogger(__name__)
KIND = outbox.FIRST_POST
PACE = timedelta(minutes=5)
"""The minimum time between two changes of the post."""
AFTER_ERROR = timedelta(hours=1)
"""The pause after a text that could not be made."""
MOST_LINKS = 200
PURSE = "actions"
"""The account that standings leave out."""


# The text


def first_post_text(thread: Thread, clocks: Sequence[Clock] | None = None) -> str:
    """Return the text of the first post in the thread's dialect and language.

    It contains only what everyone may know. It has no more links than fit in one post. `clocks`
    are the running clocks of the campaign, if they are known.
    """
    campaign = thread.campaign
    clocks = running(campaign) if clocks is None else clocks
    with reports.in_language(thread.language):
        seats = selectors.seats(campaign)
        links = _links(thread)
        context = reports.dialect_context(thread, seats)
        dialect = DIALECTS[thread.dialect]
        while True:
            report = _report(campaign, seats, links, clocks)
            parts = dialect.parts(report, context, reports.post_limit(thread))
            if len(parts) == 1 or not links:
                return dialect.text(parts[0], context)
            links = links[len(links) // 2 + 1 :]


def _report(
    campaign: Campaign, seats: Sequence[Seat], links: Sequence[Post], clocks: Sequence[Clock]
) -> Report:
    site = str(getattr(settings, "SITE_URL", "")).rstrip("/")
    blocks: list[Block] = [
        Heading((Span(campaign.name),)),
        Paragraph((Span(positions.plays(campaign), italic=True),)),
        Paragraph((Span(_status_line(campaign, seats, clocks), bold=True),)),
    ]
    if picture := _picture(campaign, site):
        blocks.append(picture)
    if campaign.started and (table := _standings(campaign, seats)) is not None:
        blocks += [Heading((Span(pgettext("report", "Standings")),), 2), table]
    if links:
        items = tuple((Span(post.subject, link=post.permalink),) for post in links)
        blocks += [Heading((Span(pgettext("report", "Reports")),), 2), Bullets(items)]
    if site:
        home = site + reverse("table", args=[campaign.address])
        blocks.append(Paragraph((Span(_("Map, ledgers and log"), link=home),)))
    return Report(campaign.name, tuple(blocks), (), (), 0, 0)


def _status_line(campaign: Campaign, seats: Sequence[Seat], clocks: Sequence[Clock]) -> str:
    """Return a sentence about the turn, the seat that is to move, and its deadline."""
    if not campaign.started or campaign.stopped or campaign.ended:
        return str(status.status(campaign).label)
    seat = next((seat for seat in seats if seat.key == campaign.active_seat), None)
    if seat is None:
        return pgettext("report", "Turn {turn}").format(turn=campaign.turn)
    player = seat.holder.username if seat.holder is not None else pgettext("seat", "free")
    facts = {"turn": campaign.turn, "nation": seat.name, "player": player}
    ends = [clock.due_at for clock in clocks if clock.kind in ("slot", "turn")]
    due = next((end for end in ends if end is not None), None)
    if due is None:
        return _("Turn {turn}. {nation} ({player}) must move next.").format(**facts)
    until = written(due.astimezone(UTC), "j M H:i")
    return _("Turn {turn}. {nation} ({player}) must move by {until} UTC.").format(
        **facts, until=until
    )


def _picture(campaign: Campaign, site: str) -> Paragraph | None:
    """Return the picture of the map after the last entry."""
    if not site or not campaign.started or not report_parts.allows_picture(campaign):
        return None
    place = images.place(campaign) if isinstance(campaign.game, WithMaps) else None
    if place is None:
        return None
    all_reports.asks_for_picture(campaign, place.number)
    address = reverse("map_picture_at", args=[campaign.address, place.number, get_language()])
    return Paragraph((Span(images.caption(campaign, place), picture=site + address),))


def _standings(campaign: Campaign, seats: Sequence[Seat]) -> Table | None:
    """Return the standings as the page of the table shows them, the leader first."""
    title, position = campaign.game, positions.current(campaign)
    names = {seat.key: seat.name for seat in seats}
    nation = pgettext("report", "Seat")
    if isinstance(title, WithStandings):
        lines = title.standings(position)
        if not lines:
            return None
        head = (nation, *(number.label for number in lines[0].numbers))
        rows = [(names[line.seat], *(number.text for number in line.numbers)) for line in lines]
        return Table(head, tuple(row for row in rows if len(row) == len(head)))
    balances = title.rows(position).accounts
    accounts = [account for account in title.accounts if account.key != PURSE]
    keys = sorted(
        names, key=lambda key: [-balances.get((key, account.key), 0) for account in accounts]
    )
    head = (nation, *(account.label for account in accounts))
    return Table(
        head,
        tuple(
            (names[key], *(str(balances.get((key, account.key), 0)) for account in accounts))
            for key in keys
        ),
    )


def _links(thread: Thread) -> list[Post]:
    """Return the reports that are in the thread, oldest first."""
    posted = Post.objects.filter(thread=thread, first=None, state=State.POSTED)
    posted = posted.exclude(report__in=("", reports.TEST)).exclude(permalink="")
    return list(posted.order_by("-pk")[:MOST_LINKS])[::-1]


# The row


def row_of(thread: Thread) -> Post | None:
    """Return the row of the thread's first post; None if it was never kept up to date."""
    rows = Post.objects.filter(thread=thread, kind=KIND, report="")
    return rows.select_related("thread", "campaign").first()


def row_or_oldest_post(thread: Thread) -> Post | None:
    """Return the row of the first post; without one, the account's oldest post in the thread."""
    is_front = Q(kind=KIND, report="")
    rows = Post.objects.filter(is_front | (Q(state=State.POSTED) & ~Q(permalink="")), thread=thread)
    rows = rows.annotate(is_front=ExpressionWrapper(is_front, BooleanField()))
    return rows.order_by("-is_front", "posted_at", "pk").first()


@transaction.atomic
def keep(thread: Thread, user: Any, link: str, *, now: datetime | None = None) -> Post:
    """Keep the first post of the thread up to date from now on.

    `link` is the address of the post, which the thread's account has written. It is not needed if a
    person copies the text. If the address is the same as before, the text that is there is
    replaced, and a change that was not confirmed is made first. Raises `Refused`.
    """
    table, at = lock_campaign(thread.campaign, user), entries.moment(now)
    row = outbox.lock_thread(thread)
    if not row.active:
        raise outbox.post_changed()
    address = outbox.valid_line(link, outbox.LONGEST)
    if outbox.is_automatic(row):
        _must_be_own_post(row, address)
    front = row_of(row) or outbox.create_post(row, at=at, report="", kind=KIND, by=user)
    if address != front.permalink:
        front.text, front.edit, front.edited_at = "", "", None
    front.campaign, front.permalink, front.state = table, address, State.POSTED
    front.edit_at, front.last_error = at if front.edit else None, ""
    front.entry, front.next_at = None, at
    front.save()
    row.keeps_first_post = True
    row.save(update_fields=["keeps_first_post"])
    outbox.request_work()
    return front


def _must_be_own_post(thread: Thread, address: str) -> None:
    """Raise `Refused` if the address is not that of a post on the thread's board."""
    way = transport(thread.transport)
    if not isinstance(way, EditsPosts):
        raise Refused(
            "no-edits",
            _("A program cannot change posts on this board. Copy the text instead."),
        )
    try:
        way.must_be_post(thread.settings, address)
    except InvalidSetting as error:
        raise Refused("no-post", str(error)) from None


@transaction.atomic
def stop(thread: Thread, user: Any) -> None:
    """Leave the first post as it is from now on.

    A change that was not confirmed remains in `edit`, because it may be on the board.
    """
    lock_campaign(thread.campaign, user)
    Thread.objects.filter(pk=thread.pk).update(keeps_first_post=False)
    cancelled = {"edit_at": None, "next_at": None, "last_error": ""}
    Post.objects.filter(thread=thread, kind=KIND, report="").update(**cancelled)


@transaction.atomic
def update_now(thread: Thread, user: Any, *, now: datetime | None = None) -> bool:
    """Have the worker change the first post now. Return whether its text has changed.

    Raises `NotNow` if the first post is no longer kept up to date.
    """
    lock_campaign(thread.campaign, user)
    row, at = outbox.lock_thread(thread), entries.moment(now)
    front = row_of(row) if row.keeps_first_post and row.active else None
    if front is None:
        raise outbox.post_changed()
    changed = _plan(front, at) or _hasten(front, at)
    outbox.request_work()
    return changed


def refresh(now: datetime) -> int:
    """Plan the changes of first posts that are due. Return how many there are.

    A change that is not made yet, or that has failed, is left alone. A text that cannot be made
    delays no other post. This function is idempotent.
    """
    due = Post.objects.filter(kind=KIND, report="", next_at__lte=now, edit_at=None)
    due = due.filter(thread__keeps_first_post=True, thread__active=True, thread__locked_at=None)
    due = due.filter(thread__removed_at=None).exclude(campaign__suspended=True)
    planned = 0
    for front in due.select_related("thread__campaign", "campaign", "entry").order_by("next_at")[
        :20
    ]:
        try:
            planned += _refresh_one(front, now)
        except DatabaseError:  # The database is away or busy. The next pulse tries again.
            raise
        except Exception as error:
            LOG.exception("First post %d of %s has no text", front.pk, front.campaign.public_id)
            failed = {"next_at": now + AFTER_ERROR, "last_error": type(error).__name__}
            Post.objects.filter(pk=front.pk, edit_at=None).update(**failed)
    return planned


def _refresh_one(front: Post, now: datetime) -> bool:
    """Plan the change of one first post. Return whether its text has changed."""
    if not outbox.is_automatic(front.thread):
        Post.objects.filter(pk=front.pk).update(next_at=None)
        return False
    if _may_have_changed(front):
        return _plan(front, now)
    Post.objects.filter(pk=front.pk, edit_at=None).update(next_at=now + PACE)
    return False


def _may_have_changed(front: Post) -> bool:
    """Return whether something was recorded or posted since the text was last compared."""
    last = _last_entry(front.campaign)
    if front.entry_id != (last.pk if last else None) or not front.text or front.last_error:
        return True
    if front.next_at is None:
        return True
    since = front.next_at - PACE
    return Post.objects.filter(thread=front.thread, posted_at__gte=since).exists()


def _plan(front: Post, now: datetime) -> bool:
    """Plan the change to the present text. Return whether one was planned.

    A change that waits is not replaced: it may be on the board already, and then the next change
    has to replace its text.
    """
    text, last = first_post_text(front.thread), _last_entry(front.campaign)
    to: dict[str, Any] = {"entry": last, "next_at": now + PACE, "last_error": ""}
    if text != front.text:
        to |= {"edit": text, "edit_at": now}
    mine = Post.objects.filter(pk=front.pk, edit_at=None, thread__keeps_first_post=True)
    return bool(mine.update(**to)) and text != front.text


def _hasten(front: Post, now: datetime) -> bool:
    """Make a change that waits now, and compare the text after it. Return whether one waits."""
    waiting = Post.objects.filter(pk=front.pk, edit_at__isnull=False)
    return bool(waiting.update(edit_at=now, next_at=now))


def _last_entry(campaign: Campaign) -> LogEntry | None:
    return campaign.entries.filter(audience=None).order_by("sequence").last()

"""The message in a Discord channel that shows for whom a campaign waits, edited in place.

`POST …?wait=true` creates a message and returns its number; PATCH changes it. It has only what
everyone may read on the campaign's page.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, pgettext

from campaign.clocks import selectors as clocks
from campaign.clocks.services import is_frozen
from campaign.log import positions
from campaign.log.selectors import waiting as waited_for
from campaign.models import Campaign, Clock, Membership
from notices.channels import NotSent, services
from notices.channels.chat import refusal
from notices.channels.discord import Discord
from notices.channels.registry import type_of
from notices.channels.services import ChannelError
from notices.deadlines import task_name as task_text
from notices.models import Channel
from notices.site_address import full_url
from outgoing import Doubtful, OutsideError
from outgoing.client import Client

DISCORD = Discord()
LOG = logging.getLogger(__name__)
LEASE = timedelta(minutes=10)
BACK_OFF = tuple(timedelta(minutes=m) for m in (1, 5, 15, 60, 240))
STOPPED = 100
"""The value of `board_tries` for a board that waits for a person.

Its message may have arrived, and the program cannot find out.
"""
MOST_LINES = 20
NO_MESSAGE, NO_WEBHOOK = 10008, 10015
DOUBT = gettext_noop(
    "No answer came, so the message may already be there. Look in the channel, then decide "
    "whether to have a new one made."
)

TimeSource = Callable[[], datetime]


def tick(now: datetime, clock: TimeSource, most: int | None) -> int:
    """Bring at most `most` boards up to date that are due.

    Return how many messages were created or changed.
    """
    done, looked = 0, 0
    while (most is None or looked < most) and (taken := take_board(now, clock())) is not None:
        looked += 1
        try:
            done += update_message(taken)
        except NotSent as error:
            store_failure(taken, error, clock())
        except Exception as error:
            LOG.error("Board %d broke: %s", taken.pk, type(error).__name__)
            store_failure(taken, NotSent(type(error).__name__, blameless=True), clock())
        else:
            mark_done(taken)
            services.store_success(taken, clock())
    return done


@transaction.atomic
def take_board(now: datetime, at: datetime) -> Channel | None:
    """Return the next board that is due, marked as taken at `at`.

    A board whose first message was interrupted waits for a person.
    """
    ready = Channel.objects.filter(
        board=True, active=True, removed_at=None, confirmed_at__isnull=False, board_due__lte=now
    )
    free = ready.filter(Q(board_taken=None) | Q(board_taken__lt=at - LEASE)).order_by(
        "board_due", "pk"
    )
    while (board := free.select_for_update(skip_locked=True).first()) is not None:
        row = Channel.objects.filter(pk=board.pk)
        if board.board_taken is None or board.board_message:
            row.update(board_taken=at)
            return Channel.objects.select_related("user", "campaign").get(pk=board.pk)
        row.update(board_taken=None, board_due=None, board_tries=STOPPED, board_error=DOUBT)
    return None


def mark_done(taken: Channel) -> None:
    """Mark a board as done. If it became due again meanwhile, it still is."""
    row = Channel.objects.filter(pk=taken.pk)
    row.update(board_taken=None, board_tries=0, board_error="")
    row.filter(board_due=taken.board_due).update(board_due=None)


def store_failure(taken: Channel, error: NotSent, now: datetime) -> None:
    """Store why a board could not be brought up to date, and when it is tried again."""
    row, why = Channel.objects.filter(pk=taken.pk), str(error)[:300]
    if error.doubtful:
        row.update(board_taken=None, board_due=None, board_tries=STOPPED, board_error=DOUBT)
        return
    wait = BACK_OFF[min(taken.board_tries, len(BACK_OFF) - 1)]
    row.update(
        board_taken=None,
        board_due=now + wait,
        board_tries=min(taken.board_tries + 1, STOPPED - 1),
        board_error=why,
    )
    services.store_failure(
        taken, why, now, gone=error.gone, counts=not error.blameless, enough=len(BACK_OFF) + 3
    )


def update_message(channel: Channel) -> bool:
    """Bring the message up to date. Return whether it had to change.

    Raises:
        NotSent: The message could not be created or changed.
    """
    assert channel.campaign is not None
    with services.in_reader_language(channel):
        text = waiting_text(channel.campaign)
        digest = hashlib.sha256(text.encode()).hexdigest()
        if digest == channel.board_digest and channel.board_message:
            return False
        client, row = Client(), Channel.objects.filter(pk=channel.pk)
        if channel.board_message and _edit_message(client, channel, text):
            row.update(board_digest=digest)
            return True
        row.update(board_message=_create_message(client, channel, text), board_digest=digest)
        return True


def _url(channel: Channel) -> str:
    return DISCORD.request_url(DISCORD.address_of(channel).parts)


def _create_message(client: Client, channel: Channel, text: str) -> str:
    """Create a new message. Return its number."""
    try:
        answer = client.post(f"{_url(channel)}?wait=true", json=DISCORD.request_body((), text))
        if answer.ok:
            number = answer.json().get("id")
            if isinstance(number, str) and number.isdigit() and len(number) <= 40:
                return number
            raise NotSent(_(DOUBT), doubtful=True)
    except Doubtful:
        raise NotSent(_(DOUBT), doubtful=True) from None
    except OutsideError as error:
        raise NotSent(str(error), blameless=True) from None
    raise refusal(DISCORD, answer.status)


def _edit_message(client: Client, channel: Channel, text: str) -> bool:
    """Change the message. Return False if someone has deleted it.

    A change may be repeated, so a missing answer does no harm.
    """
    try:
        answer = client.request(
            "PATCH",
            f"{_url(channel)}/messages/{channel.board_message}",
            json=DISCORD.request_body((), text),
        )
        if answer.ok:
            return True
        if answer.status == 404 and answer.json().get("code") == NO_MESSAGE:
            return False
    except OutsideError as error:
        raise NotSent(str(error), blameless=True) from None
    raise refusal(DISCORD, answer.status)


# The text of the message


def waiting_text(campaign: Campaign) -> str:
    """Return for whom the campaign waits, and until when.

    Discord shows each reader the time in their own time zone.
    """
    link = DISCORD.link(full_url(reverse("table", args=(campaign.address,))))
    head = f"**{_escape(campaign.name)}**"
    if campaign.ended:
        lines = [pgettext("notice", "The campaign has ended.")]
    elif is_frozen(campaign):
        lines = [pgettext("notice", "The campaign is paused.")]
    elif not campaign.started:
        lines = [_("The campaign has not begun.")]
    else:
        lines = _waiting_lines(campaign)
        head = f"{head} · {_escape(task_text(campaign.title, 'turn', {'turn': campaign.turn}))}"
    kept = lines[:MOST_LINES] + ([_("and more")] if len(lines) > MOST_LINES else [])
    return DISCORD.fitting([f"{head}\n" + "\n".join(kept) + f"\n{link}"], link)


def _escape(text: str) -> str:
    return DISCORD.plain(text)


def _waiting_lines(campaign: Campaign) -> list[str]:
    running = clocks.running(campaign)
    names = {"gm": pgettext("notice", "Game master")} | positions.seats(campaign)
    role = Membership.Role
    held = Membership.objects.filter(campaign=campaign, until=None, role=role.SEAT).select_related(
        "user"
    )
    people = {place.seat: place.user.username for place in held}
    claims = {clock.contest: clock for clock in running if clock.kind == Clock.Kind.CLAIM}
    lines: list[str] = []
    for wait in waited_for(campaign):
        claim = claims.get(wait.contest) if wait.contest is not None else None
        clock = claim or next((c for c in running if _is_clock_of(c, wait)), None)
        due, seat = clock.due_at if clock is not None else None, wait.seat
        if claim is not None:
            task, seat = (
                task_text(campaign.title, "claim", {"contest": wait.contest}),
                next(iter(claim.seats), wait.seat),
            )
        else:
            task = campaign.game.speak(positions.scenario(campaign), wait.what)
        who = (
            f"{names.get(seat, seat)} ({people[seat]})" if seat in people else names.get(seat, seat)
        )
        facts = {
            "who": _escape(who),
            "what": _escape(task),
            "until": f"<t:{int(due.timestamp())}:f>" if due else "",
        }
        line = (
            _("• %(who)s: %(what)s, by %(until)s") % facts
            if due
            else _("• %(who)s: %(what)s") % facts
        )
        if line not in lines:
            lines.append(line)
    turn = clocks.clock_of(running, Clock.Kind.TURN)
    if turn is not None:
        lines.append(
            _("The turn ends %(until)s") % {"until": f"<t:{int(turn.due_at.timestamp())}:f>"}
        )
    return lines or [_("The campaign is not waiting for anyone.")]


def _is_clock_of(clock: Clock, wait: Any) -> bool:
    """Return whether this clock belongs to something that the table waits for."""
    if wait.contest is not None:
        return clock.contest == wait.contest
    return clock.kind == Clock.Kind.SLOT and clock.seat == wait.seat


# Services for the game masters of a campaign, who switch the message on and off


def switch_on(channel: Channel, now: datetime | None = None) -> None:
    """Switch the message on, so that the next tick creates it.

    If the last message may or may not have arrived, a new one is created.
    """
    if (
        channel.campaign_id is None
        or not type_of(channel).has_board
        or channel.confirmed_at is None
    ):
        raise ChannelError(
            _("Only a confirmed Discord channel of a campaign can show this message.")
        )
    Channel.objects.filter(pk=channel.pk).update(
        board=True,
        board_due=now or timezone.now(),
        board_digest="",
        board_tries=0,
        board_error="",
        board_taken=None,
    )


def make_new_message(channel: Channel, now: datetime | None = None) -> None:
    """Switch the message on and let the next tick create a new one. The old one remains."""
    Channel.objects.filter(pk=channel.pk).update(board_message="")
    switch_on(channel, now)


def switch_off(channel: Channel) -> None:
    """Switch the message off. It remains as it is."""
    Channel.objects.filter(pk=channel.pk).update(
        board=False, board_due=None, board_error="", board_tries=0
    )

"""One message in a Discord channel that says whom a campaign waits for, edited in place.

`POST …?wait=true` makes a message and returns its number, and PATCH on it changes it. It has only
what everyone may read on the campaign's page.
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
from django.utils.translation import gettext_noop

from campaign.clocks import selectors as clocks
from campaign.clocks.services import is_frozen
from campaign.log import positions
from campaign.log.selectors import waiting as waited_for
from campaign.models import Campaign, Clock, Membership
from notices.channels import NotSent, services
from notices.channels.chat import refusal
from notices.channels.discord import Discord
from notices.channels.registry import type_of
from notices.channels.services import Wrong
from notices.deadlines import task as task_text
from notices.models import Channel
from notices.site import site
from outgoing import Doubtful, OutsideError
from outgoing.client import Client

DISCORD = Discord()
LOG = logging.getLogger(__name__)
LEASE = timedelta(minutes=10)
BACK_OFF = tuple(timedelta(minutes=m) for m in (1, 5, 15, 60, 240))
STOPPED = 100
"""`board_tries` of a board that waits for a person: its message may have arrived, and no program
can look.
"""
MOST = 20  # lines
NO_MESSAGE, NO_WEBHOOK = 10008, 10015
DOUBT = gettext_noop(
    "The message may be there already: no answer came. Look, then have a new one made, or not."
)

Clock_ = Callable[[], datetime]


def tick(now: datetime, clock: Clock_, most: int | None) -> int:
    """Bring at most `most` boards up to date that are due. Return how many messages were made or
    changed.
    """
    done, looked = 0, 0
    while (most is None or looked < most) and (taken := take(now, clock())) is not None:
        looked += 1
        try:
            done += bring(taken)
        except NotSent as error:
            failed(taken, error, clock())
        except Exception as error:
            LOG.error("Board %d broke: %s", taken.pk, type(error).__name__)
            failed(taken, NotSent(type(error).__name__, ours=True), clock())
        else:
            mark(taken)
            services.arrived(taken, clock())
    return done


@transaction.atomic
def take(now: datetime, at: datetime) -> Channel | None:
    """Return the next board that is due, marked as taken at `at`. A board whose first message was
    interrupted waits for a person.
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


def mark(taken: Channel) -> None:
    """Mark a board as done. If it became due again meanwhile, it still is."""
    row = Channel.objects.filter(pk=taken.pk)
    row.update(board_taken=None, board_tries=0, board_error="")
    row.filter(board_due=taken.board_due).update(board_due=None)


def failed(taken: Channel, error: NotSent, now: datetime) -> None:
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
    services.refused(
        taken, why, now, gone=error.gone, counts=not error.ours, enough=len(BACK_OFF) + 3
    )


def bring(channel: Channel) -> bool:
    """Bring the message up to date. Return whether it had to change. Raises `NotSent`."""
    assert channel.campaign is not None
    with services.reader(channel):
        text = waiting_text(channel.campaign)
        digest = hashlib.sha256(text.encode()).hexdigest()
        if digest == channel.board_digest and channel.board_message:
            return False
        client, row = Client(), Channel.objects.filter(pk=channel.pk)
        if channel.board_message and _change(client, channel, text):
            row.update(board_digest=digest)
            return True
        row.update(board_message=_make(client, channel, text), board_digest=digest)
        return True


def _url(channel: Channel) -> str:
    return DISCORD.request_url(DISCORD.address_of(channel).parts)


def _make(client: Client, channel: Channel, text: str) -> str:
    """Make a new message. Return its number."""
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
        raise NotSent(str(error), ours=True) from None
    raise refusal(DISCORD, answer.status)


def _change(client: Client, channel: Channel, text: str) -> bool:
    """Change the message. Return False if someone has deleted it. A change may be repeated, so a
    missing answer does no harm.
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
        raise NotSent(str(error), ours=True) from None
    raise refusal(DISCORD, answer.status)


# The text of the message


def waiting_text(campaign: Campaign) -> str:
    """Return whom the campaign waits for, and until when. Discord shows each reader the time in
    their own zone.
    """
    link = DISCORD.link(site(reverse("table", args=(campaign.address,))))
    head = f"**{_safe(campaign.name)}**"
    if campaign.ended:
        lines = [_("The campaign is over.")]
    elif is_frozen(campaign):
        lines = [_("The campaign is paused.")]
    elif not campaign.started:
        lines = [_("The campaign has not begun.")]
    else:
        lines = _waits(campaign)
        head = f"{head} · {_safe(task_text(campaign.title, 'turn', {'turn': campaign.turn}))}"
    kept = lines[:MOST] + ([_("and more")] if len(lines) > MOST else [])
    return DISCORD.fitting([f"{head}\n" + "\n".join(kept) + f"\n{link}"], link)


def _safe(text: str) -> str:
    return DISCORD.plain(text)


def _waits(campaign: Campaign) -> list[str]:
    running = clocks.running(campaign)
    names = {"gm": _("Game master")} | positions.seats(campaign)
    role = Membership.Role
    held = Membership.objects.filter(campaign=campaign, until=None, role=role.SEAT).select_related(
        "user"
    )
    people = {one.seat: one.user.username for one in held}
    claims = {one.contest: one for one in running if one.kind == Clock.Kind.CLAIM}
    lines: list[str] = []
    for one in waited_for(campaign):
        claim = claims.get(one.contest) if one.contest is not None else None
        clock = claim or next((c for c in running if _is_of(c, one)), None)
        due, seat = clock.due_at if clock is not None else None, one.seat
        if claim is not None:
            task, seat = (
                task_text(campaign.title, "claim", {"contest": one.contest}),
                next(iter(claim.seats), one.seat),
            )
        else:
            task = campaign.game.speak(positions.scenario(campaign), one.what)
        who = (
            f"{names.get(seat, seat)} ({people[seat]})" if seat in people else names.get(seat, seat)
        )
        facts = {
            "who": _safe(who),
            "what": _safe(task),
            "until": f"<t:{int(due.timestamp())}:f>" if due else "",
        }
        line = (
            _("• %(who)s: %(what)s, until %(until)s") % facts
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
    return lines or [_("Nobody is waited for.")]


def _is_of(clock: Clock, one: Any) -> bool:
    """Return whether a clock is that of what the table waits for."""
    if one.contest is not None:
        return clock.contest == one.contest
    return clock.kind == Clock.Kind.SLOT and clock.seat == one.seat


# A campaign's hosts switch the message on and off.


def show(channel: Channel, now: datetime | None = None) -> None:
    """Let the message be made; a new one if the last may or may not have arrived."""
    if (
        channel.campaign_id is None
        or not type_of(channel).has_board
        or channel.confirmed_at is None
    ):
        raise Wrong(_("Only a campaign’s confirmed Discord channel carries it."))
    Channel.objects.filter(pk=channel.pk).update(
        board=True,
        board_due=now or timezone.now(),
        board_digest="",
        board_tries=0,
        board_error="",
        board_taken=None,
    )


def anew(channel: Channel, now: datetime | None = None) -> None:
    """Let another message be made. The old one stays as it is."""
    Channel.objects.filter(pk=channel.pk).update(board_message="")
    show(channel, now)


def leave(channel: Channel) -> None:
    """Leave the message as it is."""
    Channel.objects.filter(pk=channel.pk).update(
        board=False, board_due=None, board_error="", board_tries=0
    )

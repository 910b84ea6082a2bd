"""What leaves, and when. `tick` may run as often as one likes, in as many processes as one likes.

A delivery is taken in a short transaction of its own, sent outside of any, and marked in a third.
What is taken is not taken again until `LEASE` has passed; then who took it has died. A letter is
sent once more under its old Message-ID, so that a mail program shows it once; a message to a chat
is not: nobody can look whether it stands there.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, time, timedelta
from time import monotonic
from typing import Any
from zoneinfo import ZoneInfo

from django.core.mail import get_connection
from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from campaign.models import GAME_MASTER, Membership
from engine.strict_json import read
from notices import boards, selectors
from notices.channels import NotSent, chat, mail, push, services
from notices.channels.mail import Letter, press_address, pressing, word
from notices.channels.mail import notice_letter as letter_of
from notices.models import (
    Channel,
    Delivery,
    DeliveryItem,
    DeliveryMode,
    Mute,
    Notice,
    NoticePreference,
    Service,
)
from notices.preferences import preference_for
from notices.registry import KINDS
from notices.wording import NoticeInWords, notices_in_words

LOG = logging.getLogger(__name__)
State = Delivery.State
LEASE = timedelta(minutes=10)
BACK_OFF = tuple(timedelta(minutes=m) for m in (1, 5, 15, 60, 240, 720, 1440))
"""From one attempt to the next; after the eighth it has failed."""
ENOUGH = 8
"""Failures of an address, one after the other, until it is switched off."""
DIED = gettext_noop(
    "The process that sent it was stopped in the middle. It may have arrived; it is not sent again."
)


def tick(now: datetime, limit: int | None = None) -> int:
    """Route what is new, send what is due, look after boards. How many messages were tried, at most
    `limit`.
    """
    start = monotonic()

    def clock() -> datetime:
        """The time as it goes on while this tick works: a lease begins when its row is taken."""
        return now + timedelta(seconds=monotonic() - start)

    while route(now):
        pass
    recover(clock())
    done = 0
    post = Post()
    try:
        while (limit is None or done < limit) and (taken := take(now, clock())) is not None:
            done += 1
            outcome = deliver(taken, post, clock())
            # Outside of what is caught: where it cannot be marked it stays taken, and is not said
            # again at once.
            close(taken, outcome, clock())
    finally:
        post.close()
    return done + boards.tick(now, clock, None if limit is None else limit - done)


class Post:
    """A connection to the mail server for all e-mails of a tick, opened with the first.

    `away`: the mail server has failed in this tick. So a tick waits for a silent server once, not
    once for each e-mail.
    """

    def __init__(self) -> None:
        self._connection: Any = None
        self.away = False

    def connection(self) -> Any:
        if self.away:
            raise NotSent(_("Our mail server did not take the e-mail."), ours=True)
        if self._connection is None:
            self._connection = get_connection()
        return self._connection

    def close(self) -> None:
        if self._connection is not None:
            with suppress(OSError):
                self._connection.close()
            self._connection = None


@transaction.atomic
def take(now: datetime, at: datetime) -> Delivery | None:
    """The next that is due, marked as being sent, so that nobody else takes it."""
    due = Delivery.objects.filter(state=State.WAITING, next_at__lte=now).order_by("next_at", "pk")
    delivery = claimable(due).first()
    if delivery is None:
        return None
    taken = Delivery.objects.filter(pk=delivery.pk, state=State.WAITING)
    taken.update(state=State.SENDING, taken_at=at, attempts=F("attempts") + 1)
    return Delivery.objects.select_related("channel__user", "channel__campaign").get(pk=delivery.pk)


@transaction.atomic
def recover(now: datetime) -> int:
    """What was taken and never marked: a letter or a push goes again, once; of all else nobody
    knows.
    """
    deliveries = list(
        claimable(Delivery.objects.filter(state=State.SENDING, taken_at__lt=now - LEASE))
    )
    services_of = dict(
        Channel.objects.filter(pk__in={one.channel_id for one in deliveries}).values_list(
            "pk", "service"
        )
    )
    for one in deliveries:
        again = (
            services_of[one.channel_id] in (Service.EMAIL, Service.PUSH) and one.last_error != DIED
        )
        one.state = State.WAITING if again else State.DOUBTFUL
        one.last_error = DIED
        one.done_at = None if again else now
        one.save(update_fields=["state", "last_error", "done_at"])
    return len(deliveries)


def deliver(delivery: Delivery, post: Post, now: datetime) -> NotSent | str | datetime:
    """Say it, in its reader's language. What became of it: a state, what went wrong, or when it may
    go. Where nobody needs it: dropped.
    """
    channel = delivery.channel
    if (later := quiet_until(channel, now)) is not None:
        return later
    try:
        with services.reader(channel):
            if not services.open_to(channel):
                return State.DROPPED
            if channel.service == Service.PUSH:
                return pushed(delivery, now)
            if channel.service != Service.EMAIL:
                text = chat_text(delivery)
                if text is None:
                    return State.DROPPED
                chat.send(services.address_of(channel), text)
                return State.SENT
            to = mail.address(channel.user)
            letter = delivery_letter(delivery) if to else None
            if letter is None:
                return State.DROPPED
            mail.send(delivery, to, letter, post.connection())
            return State.SENT
    except NotSent as error:
        if error.ours and channel.service == Service.EMAIL:
            post.away = True
            post.close()  # a connection that broke is not asked again
        return error
    except Exception as error:
        # One that breaks must not keep the others. What was said to it may hold a secret: its name
        # says enough.
        LOG.error("Delivery %d broke: %s", delivery.pk, type(error).__name__)
        return NotSent(type(error).__name__, ours=True)


def close(delivery: Delivery, outcome: NotSent | str | datetime, now: datetime) -> None:
    """Mark what became of it, as long as it is still ours."""
    if isinstance(outcome, NotSent):
        return failed(delivery, outcome, now)
    if isinstance(outcome, datetime):  # nothing was tried: what comes meanwhile joins it
        leased(delivery).update(state=State.WAITING, next_at=outcome, attempts=F("attempts") - 1)
        return None
    leased(delivery).update(state=outcome, done_at=now, last_error="")
    if outcome == State.SENT:
        services.arrived(delivery.channel, now)
    return None


def leased(delivery: Delivery) -> QuerySet[Delivery]:
    """The row, unless our lease has run out and somebody else has taken it over."""
    return Delivery.objects.filter(pk=delivery.pk, state=State.SENDING, attempts=delivery.attempts)


def failed(delivery: Delivery, error: NotSent, now: datetime) -> None:
    """Note why, and when to try again, if at all; an address that keeps failing is switched off,
    and its owner told so.
    """
    why = str(error)[:300]
    last = error.gone or error.doubtful or delivery.attempts > len(BACK_OFF)
    if last:
        state = State.DOUBTFUL if error.doubtful else State.FAILED
        leased(delivery).update(state=state, done_at=now, last_error=why)
    else:
        wait = BACK_OFF[delivery.attempts - 1]
        leased(delivery).update(state=State.WAITING, next_at=now + wait, last_error=why)
    services.refused(
        delivery.channel, why, now, gone=error.gone, counts=not error.ours, enough=ENOUGH
    )


# From notices to what leaves: each into the deliveries of the channels that its reader wants it
# through, once.

MOST_ROUTED = 500
"""Notices looked at in one transaction; whoever is among them has all of theirs looked at."""


def claimable(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Rows that nobody else holds. SQLite has one writer at a time, and its transactions begin by
    being that.
    """
    return rows.select_for_update(skip_locked=True)


@transaction.atomic
def route(now: datetime, limit: int = MOST_ROUTED) -> int:
    """Put what nobody has looked at yet into deliveries. How many notices these were; none of them
    is looked at again.
    """
    waiting = Notice.objects.filter(routed_at=None)
    users = set(waiting.order_by("pk").values_list("user_id", flat=True)[:limit])
    if not users:
        return 0
    notices = list(claimable(waiting.filter(user__in=users).order_by("pk")))
    fill(notices, now)
    return Notice.objects.filter(pk__in=[one.pk for one in notices], routed_at=None).update(
        routed_at=now
    )


def fill(notices: list[Notice], now: datetime) -> None:
    """Make or find the deliveries and put the notices into them."""
    channels = _channels(notices, now)
    wished = {
        (channel, kind): how
        for channel, kind, how in NoticePreference.objects.filter(channel__in=channels).values_list(
            "channel_id", "kind", "mode"
        )
    }
    silent = muted(notices)
    items: dict[tuple[int, str], list[tuple[Channel, Notice]]] = defaultdict(list)
    for notice in notices:
        for channel in channels:
            personal = channel.campaign_id is None
            if (personal and channel.user_id != notice.user_id) or (
                not personal and channel.campaign_id != notice.campaign_id
            ):
                continue
            if personal and (notice.user_id, notice.campaign_id) in silent:
                continue
            how = preference_for(channel, notice.kind, wished)
            if how != DeliveryMode.OFF:
                items[channel.pk, how].append((channel, notice))
    for (_channel, how), listed in items.items():
        delivery = waiting(listed[0][0], how, now)
        DeliveryItem.objects.bulk_create(
            [
                DeliveryItem(
                    delivery=delivery, channel=channel, notice=notice, notice_key=once_each(notice)
                )
                for channel, notice in listed
            ],
            ignore_conflicts=True,
        )


def muted(notices: Iterable[Notice]) -> set[tuple[int, int]]:
    """Who hears nothing of which campaign, among those these notices are for. One query."""
    kept = Mute.objects.filter(user__in={one.user_id for one in notices})
    return set(kept.values_list("user_id", "campaign_id"))


def once_each(notice: Notice) -> str:
    """What is told, whoever is told it: a campaign's channel says it once, though many have a
    notice of it.
    """
    return f"{notice.entry_id}/{notice.kind}/{notice.about}"


def _channels(notices: Iterable[Notice], now: datetime) -> list[Channel]:
    """The channels these notices may go through. A person with a confirmed address has a letter box
    from their first notice on.
    """
    users = {one.user_id for one in notices}
    boxes = Channel.objects.filter(service=Service.EMAIL, removed_at=None)
    missing = users - set(boxes.filter(user__in=users).values_list("user_id", flat=True))
    people = mail.EmailAddress.objects.filter(
        user__in=missing, verified=True, user__is_active=True, user__guest=False, user__demo=False
    )
    fresh = [
        Channel(user_id=user, service=Service.EMAIL, created_at=now, confirmed_at=now)
        for user in set(people.values_list("user_id", flat=True))
    ]
    Channel.objects.bulk_create(fresh, ignore_conflicts=True)
    own = Q(
        campaign=None, user__in=users, user__is_active=True, user__guest=False, user__demo=False
    )
    whose = own | Q(campaign__in={one.campaign_id for one in notices})
    open_ones = Channel.objects.filter(
        whose, active=True, removed_at=None, confirmed_at__isnull=False
    )
    return list(open_ones.select_related("user", "campaign"))


def waiting(channel: Channel, form: str, now: datetime) -> Delivery:
    """The delivery of this form that waits for its first attempt, locked; a new one where there is
    none.

    Who takes a delivery locks it too: so nothing is put into one that is being sent.
    """
    rows = Delivery.objects.filter(
        channel=channel, form=form, state=Delivery.State.WAITING, attempts=0
    )
    one = rows.select_for_update().order_by("pk").first()
    if one is not None:
        return one
    due = morning(channel, now) if form == DeliveryMode.DIGEST else now
    try:
        with transaction.atomic():
            return Delivery.objects.create(channel=channel, form=form, made_at=now, next_at=due)
    except IntegrityError:  # another tick has made the daily letter meanwhile
        return rows.select_for_update().get()


def morning(channel: Channel, now: datetime) -> datetime:
    """The next time that it is the channel's hour where its reader is."""
    return next_hour(channel, channel.digest_hour, now)


def next_hour(channel: Channel, hour: int, now: datetime) -> datetime:
    """The next time that it is this hour where its reader is."""
    owner = channel.campaign.time_zone if channel.campaign is not None else channel.user.time_zone
    zone = ZoneInfo(owner)
    local = now.astimezone(zone)
    day = local.date()
    for _day in range(3):
        at = datetime.combine(day, time(hour), zone)
        if at > now:
            return at.astimezone(ZoneInfo("UTC"))
        day += timedelta(days=1)
    raise AssertionError(
        "no such hour"
    )  # one that a change of clocks leaves out is read as the one after it


def quiet_until(channel: Channel, now: datetime) -> datetime | None:
    """The end of its quiet hours where it has some and they are now."""
    if channel.quiet_from is None or channel.quiet_to is None:
        return None
    begins, ends = (
        next_hour(channel, hour, now) for hour in (channel.quiet_from, channel.quiet_to)
    )
    return ends if ends < begins else None


# What a delivery says when it leaves: of what was put into it, what its reader may see and still
# needs.


def still_relevant(delivery: Delivery) -> list[NoticeInWords]:
    """What is still to be told: nothing struck, nothing read meanwhile, nothing of a seat that they
    hold no more.
    """
    channel = delivery.channel
    if channel.campaign_id is None:
        notices = selectors.unread(channel.user).filter(items__delivery=delivery)
        kept = still_his(channel.user, notices.exclude(campaign__mutes__user=channel.user))
    else:
        kept = [
            one
            for one in Notice.objects.filter(
                items__delivery=delivery, kind__in=KINDS
            ).select_related("campaign", "entry", "entry__struck_by")
            if one.entry.audience is None and KINDS[one.kind].is_public and readable(one)
        ]
    return [one for one in notices_in_words(kept) if not one.struck and still(one.notice)]


def readable(notice: Notice) -> bool:
    return not notice.campaign.suspended or KINDS[notice.kind].outlasts_suspension


def still(notice: Notice) -> bool:
    """Has what it tells of not been overtaken?"""
    return not KINDS[notice.kind].is_overtaken(notice)


def still_his(user: Any, notices: Iterable[Notice]) -> list[Notice]:
    """Those told to them as a person, or as the holder of a seat that is theirs now; the leaver
    loses sight at once. Of a campaign that the host has suspended, which nobody reads, only that it
    is.
    """
    listed = [one for one in notices if readable(one)]
    seats = {(one.campaign_id, one.seat) for one in listed if one.seat}
    if not seats:
        return listed
    held = Membership.objects.filter(
        Q(campaign__in={c for c, _seat in seats}), user_id=user.pk, until=None
    )
    his = {
        (campaign, GAME_MASTER if role in Membership.MASTERS else seat)
        for campaign, role, seat in held.values_list("campaign_id", "role", "seat")
        if role in (*Membership.MASTERS, Membership.Role.SEAT)
    }
    return [one for one in listed if not one.seat or (one.campaign_id, one.seat) in his]


def settings_url(channel: Channel) -> str:
    """Where its owner says what comes through it."""
    if channel.campaign is not None:
        return mail.site(reverse("channels", args=(channel.campaign.address,)))
    return mail.site(reverse("told"))


def delivery_letter(delivery: Delivery) -> Letter | None:
    """None where nothing is left to say."""
    channel = delivery.channel
    with services.reader(channel):
        links = {
            "name": channel.user.username,
            "choose": mail.site(reverse("told")),
            "end": mail.site(reverse("unsubscribe", args=(mail.token(channel),))),
        }
        if delivery.form == Delivery.Form.WORD:
            trial = read(delivery.facts).get("trial")
            heading, body, url = (
                (*services.trial_message(channel), "") if trial else of_channels(delivery)
            )
            return word(heading, body, url=url, **links)
        notices = still_relevant(delivery)
        return (
            letter_of(
                notices, digest=delivery.form == DeliveryMode.DIGEST, site=mail.site(), **links
            )
            if notices
            else None
        )


def chat_text(delivery: Delivery) -> str | None:
    """A message for a chat. None where nothing is left to say."""
    channel = delivery.channel
    service = channel.service
    with services.reader(channel):
        if delivery.form == Delivery.Form.WORD:
            heading, body, url = of_channels(delivery)
            words = (
                chat.plain(service, heading),
                chat.plain(service, body),
                chat.link(service, url),
            )
            return "\n".join(words)
        notices = pressing(still_relevant(delivery))
        if not notices:
            return None
        more = ngettext("There is more here: %(url)s", "There is more here: %(url)s", len(notices))
        blocks = []
        for one in notices:
            heading = _("[%(campaign)s] %(title)s") % {
                "campaign": one.notice.campaign.name,
                "title": one.title,
            }
            lines = [chat.plain(service, line) for line in (heading, one.body) if line]
            blocks.append("\n".join([*lines, chat.link(service, place(channel, one))]))
        everything = mail.site(reverse("notices") if channel.campaign is None else _home(channel))
        return chat.fitting(service, blocks, more % {"url": chat.link(service, everything)})


TITLE, BODY = 120, 200
"""Characters that a locked screen shows."""


def pushed(delivery: Delivery, now: datetime) -> str:
    """Push it to a device: one notification for each campaign, which takes the place of the one
    before.
    """
    channel = delivery.channel
    device = services.device_of(channel)
    if delivery.form == Delivery.Form.WORD:
        heading, body, url = of_channels(delivery)
        push.send(
            device,
            {"title": heading[:TITLE], "body": body[:BODY], "tag": "channels", "url": url},
            "channels",
            now,
        )
        return State.SENT
    by_campaign: dict[int, list[NoticeInWords]] = defaultdict(list)
    for one in pressing(still_relevant(delivery)):
        by_campaign[one.notice.campaign_id].append(one)
    for told_here in by_campaign.values():
        urgent = any(KINDS[one.notice.kind].is_urgent for one in told_here)
        push.send(
            device,
            payload(channel, told_here),
            told_here[0].notice.campaign.public_id,
            now,
            urgent=urgent,
        )
    return State.SENT if by_campaign else State.DROPPED


def payload(channel: Channel, told_here: list[NoticeInWords]) -> dict[str, Any]:
    """What the screen shows of one campaign: the first notice's title and how many more there are,
    never a notice's text; on a discreet device that something is new, and where. Each button has
    its title and where it leads: nothing is done by it.
    """
    first, campaign = told_here[0], told_here[0].notice.campaign
    more = len(told_here) - 1
    after = ngettext("%(campaign)s, and %(n)d more", "%(campaign)s, and %(n)d more", more) % {
        "campaign": campaign.name,
        "n": more,
    }
    body = after if more and not channel.discreet else campaign.name
    title = _("Something new at the table") if channel.discreet else first.title
    url = (
        press_address("", first)
        if not more
        else reverse("campaign_notices", args=(campaign.address,))
    )
    buttons = [[_("Open"), url]]
    answer = KINDS[first.notice.kind].answer_button
    if answer and not more and not channel.discreet:
        buttons = [[_(answer), f"{url}?answer"], [_("Look"), url]]
    return {
        "title": title[:TITLE],
        "body": body[:BODY],
        "tag": campaign.public_id,
        "url": url,
        "buttons": buttons,
    }


def place(channel: Channel, one: NoticeInWords) -> str:
    """Where a line leads: their notice, which is read then, or for a campaign's many readers its
    table.
    """
    return (
        press_address(mail.site(), one) if channel.campaign is None else mail.site(_home(channel))
    )


def _home(channel: Channel) -> str:
    assert channel.campaign is not None
    return reverse("table", args=(channel.campaign.address,))


def of_channels(delivery: Delivery) -> tuple[str, str, str]:
    """Heading, text and link of a word about a channel that was switched off."""
    facts = read(delivery.facts)
    off = Channel.objects.select_related("campaign").get(pk=facts["channel"])
    named = {"name": off.called, "why": facts["why"]}
    heading = _("%(name)s is switched off") % named
    body = _("Nothing arrived there any more: %(why)s Correct it and switch it on again.") % named
    return heading, body, settings_url(off)

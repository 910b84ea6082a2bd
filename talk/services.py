"""Writing, reading on, muting, removing. Every write of the room is here."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext as _

from campaign import access, busy, hooks, keys
from campaign.errors import NoSuchEntry, NotAllowed, NotNow, Refused
from campaign.log import entries, positions
from campaign.models import GAME_MASTER, Campaign, LogEntry, Membership, pack
from engine.strict_json import clean_text
from people import services
from talk import selectors
from talk.models import TABLE, Conversation, Message, ReadMarker
from talk.selectors import LONGEST, NoSuchThread, Reader

EVERYBODY = "*"
"""In place of seats: the whole table."""
AN_HOUR, MOST = timedelta(hours=1), 60
"""So many messages may one person write in so long a time, wherever they write them."""


@transaction.atomic
def write(
    campaign: Campaign,
    user: Any,
    to: Collection[str],
    text: str,
    *,
    seat: str = "",
    quoted: int | None = None,
    now: datetime | None = None,
) -> Message:
    """Write to these seats (`gm` for the game masters, `*` for the whole table), in the thread that
    they share with the writer.

    `seat` is as whom, by default the first that the user has; `quoted` the number of a log entry.
    Raises `NotAllowed`, `NotNow`, `NoSuchEntry`, and `Refused` where the text, or whom it is for,
    makes no sense.
    """
    at = entries.moment(now)
    who = selectors.reader(campaign, user)
    access.must_have_account(user)
    if campaign.archived or campaign.suspended or not selectors.open_here(campaign):
        raise NotNow(
            "archived", _("Nothing can be written here now. What was written can be read.")
        )
    seat = seat or who.voices[0]
    if seat not in who.seats:
        raise NotAllowed("not-your-seat", _("You do not hold this seat."))
    parties = _parties(campaign, seat, to)
    others = readers(campaign, parties)
    if not any(one.user_id != user.pk for one in others):
        raise Refused(
            "nobody-there",
            _("Nobody else holds a seat that this is for: there is nobody to read it."),
        )
    apart = set[int]()
    if parties != TABLE and GAME_MASTER not in parties.split("|"):
        apart = services.apart_from(user)
        people = {one.user_id for one in others} - {user.pk}
        if people <= apart and services.blocks(user, people):
            raise Refused(
                "blocked",
                _(
                    "You have blocked who holds this seat. Unblock them first, on your account’s"
                    " page."
                ),
            )
    entries.must_be_seen(text, _("Message"))
    if not clean_text(text, LONGEST) or not text.strip():
        raise Refused(
            "no-words", _("Write it in up to %(most)s characters.") % {"most": f"{LONGEST:,}"}
        )
    if Message.objects.filter(author=user, at__gt=at - AN_HOUR).count() >= MOST:
        raise NotNow(
            "too-many",
            _("You have written %(most)s messages within an hour. Wait a little.") % {"most": MOST},
        )
    entry = _quoted(campaign, who, quoted)
    thread, _new = Conversation.objects.get_or_create(
        campaign=campaign, parties=parties, defaults={"key": keys.new_public_id(), "begun_at": at}
    )
    with busy.turn(campaign.pk):
        entries.wake_followers(campaign)
    thread = Conversation.objects.select_for_update().get(pk=thread.pk)
    thread.size += 1
    thread.save(update_fields=["size"])
    message = Message.objects.create(
        conversation=thread,
        number=thread.size,
        seat=seat,
        author=user,
        sealed=keys.seal(text.strip()),
        quoted=entry,
        sight=campaign.sight,
        at=at,
    )
    _count(thread, [one for one in others if one.user_id not in apart], user, at, message)
    return message


def _parties(campaign: Campaign, seat: str, to: Collection[str]) -> str:
    """The column of a thread between this seat and those. Raises `Refused` where one of them is
    none.
    """
    every = {GAME_MASTER, *positions.seats(campaign)}
    wanted = set(to) - {seat}
    if EVERYBODY in wanted or wanted | {seat} == every:
        return TABLE
    if not wanted or not wanted <= every:
        raise Refused("nobody-chosen", _("Choose whom it is for."))
    return str(pack({seat, *wanted}))


def _quoted(campaign: Campaign, who: Reader, number: int | None) -> LogEntry | None:
    """The entry that is quoted: one with a number, which everybody may see. What a reader sees of
    it is asked when they read.
    """
    if number is None:
        return None
    entry = (
        entries.visible_entries(campaign, access.access_of(campaign, who.user))
        .filter(number=number)
        .first()
    )
    if entry is None:
        raise NoSuchEntry
    return entry


def readers(campaign: Campaign, parties: str) -> list[Membership]:
    """The places whose holders read what is written to these parties now."""
    role = Membership.Role
    held = Membership.objects.filter(campaign=campaign, until=None)
    if parties == TABLE:
        return list(held.filter(role__in=(role.SEAT, *Membership.MASTERS)))
    seats = [one for one in parties.split("|") if one]
    wanted = Q(role=role.SEAT, seat__in=seats)
    if GAME_MASTER in seats:
        wanted |= Q(role__in=Membership.MASTERS)
    return list(held.filter(wanted))


def _count(
    thread: Conversation, places: Iterable[Membership], user: Any, at: datetime, message: Message
) -> None:
    """One more that is new to everybody but its author, who is told of it unless they muted the
    thread.
    """
    others = list({one.user_id: one for one in places if one.user_id != user.pk}.values())
    ReadMarker.objects.bulk_create(
        [ReadMarker(conversation=thread, membership=one) for one in others], ignore_conflicts=True
    )
    marks = ReadMarker.objects.filter(conversation=thread, membership__in=others)
    marks.update(unread=F("unread") + 1)
    _note_marks(others)
    muted = set(marks.filter(muted=True).values_list("membership__user_id", flat=True))
    people: dict[int, str] = {}
    for one in others:
        if one.user_id not in muted:
            people.setdefault(one.user_id, one.seat or GAME_MASTER)
    hooks.message_posted(thread.campaign, people, {"thread": thread.key, "seat": message.seat}, at)


def _note_marks(places: Iterable[Membership]) -> None:
    """Count that the number of new messages has changed for the holders of these places."""
    entries.note_own_change(Membership.objects.filter(pk__in=[place.pk for place in places]))


def read_on(who: Reader, thread: Conversation) -> None:
    """They have the thread before their eyes: nothing in it is new to them."""
    if ReadMarker.objects.filter(
        conversation=thread, membership__in=who.places, unread__gt=0
    ).update(unread=0):
        _note_marks(who.places)
        hooks.message_read(who.campaign, who.user, thread.key)


def mute(who: Reader, thread: Conversation, on: bool) -> None:
    """Hear of it no more, or again: a muted thread is read as ever, and nothing counts it or tells
    of it.
    """
    if not who.belongs(thread):
        raise NoSuchThread
    places = [
        one for one in who.places if thread.everybody or (one.seat or GAME_MASTER) in thread.seats
    ]
    ReadMarker.objects.bulk_create(
        [ReadMarker(conversation=thread, membership=one) for one in places], ignore_conflicts=True
    )
    ReadMarker.objects.filter(conversation=thread, membership__in=places).update(muted=on, unread=0)
    _note_marks(places)
    if on:
        hooks.message_read(who.campaign, who.user, thread.key)


@transaction.atomic
def remove(message: Message, reason: str, at: datetime) -> str:
    """The host's moderator removes the text; the row says so. What it said comes back. Raises
    `NotNow` where it is gone.
    """
    row = Message.objects.select_for_update().get(pk=message.pk)
    if row.removed:
        raise NotNow("removed", _("This text is removed already."))
    text = row.text
    Message.objects.filter(pk=row.pk).update(
        sealed="", removed=True, removed_at=at, removed_for=reason
    )
    return text


def erase(user: Any, at: datetime) -> list[str]:
    """What is kept of somebody who leaves for good: the texts of their messages go, the rows stay,
    so that the others' threads keep their order; so goes what they had read.
    """
    written = Message.objects.filter(author=user, removed=False)
    lines = [f"{written.update(sealed='', removed=True, quoted=None)} messages"]
    ReadMarker.objects.filter(membership__user=user).delete()
    return lines

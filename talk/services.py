"""Services that write, mute, remove and erase messages.

No other code writes to these tables.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign import access, hooks, keys, slow_database
from campaign.errors import NoSuchEntry, NotAllowed, NotNow, Refused
from campaign.log import entries, positions
from campaign.models import (
    GAME_MASTER,
    Campaign,
    LogEntry,
    Membership,
    save_seat_sets,
    seats_of,
    set_key,
)
from engine.strict_json import is_clean_text
from people import services
from talk import selectors
from talk.models import WHOLE_TABLE, Conversation, Message, ReadMarker
from talk.selectors import LONGEST_MESSAGE, NoSuchThread, Reader

TO_WHOLE_TABLE = "*"
"""The key of a message to the whole table; other messages name seats."""
MOST_WITHIN, MOST_MESSAGES = timedelta(hours=1), 60
"""The number of messages that a user may write within an hour, in all threads together."""


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
    """Write a message to these seats (`gm` for the game masters, `*` for the whole table).

    It is added to the thread that these seats share with the writer's seat. `seat` is the seat that
    writes, by default the user's first. `quoted` is the number of a log entry.

    Raises:
        NotAllowed: The user may not write here, or does not hold `seat`.
        NotNow: The campaign is closed for messages, or the user has written too many.
        NoSuchEntry: The quoted entry does not exist, or the user may not see it.
        Refused: The text is not acceptable, or there is no one who could read it.
    """
    at = entries.moment(now)
    who = selectors.reader(campaign, user)
    access.must_have_account(user)
    if campaign.archived or campaign.suspended or not selectors.is_open(campaign):
        raise NotNow(
            "archived", _("No new messages can be written here. You can still read the old ones.")
        )
    seat = seat or who.voices[0]
    if seat not in who.seats:
        raise NotAllowed("not-your-seat", _("This is not your seat."))
    parties = _parties_key(campaign, seat, to)
    others = readers(campaign, parties)
    if not any(member.user_id != user.pk for member in others):
        raise Refused(
            "nobody-there",
            _("No one else holds any of these seats, so no one would read your message."),
        )
    apart = set[int]()
    if parties != WHOLE_TABLE and GAME_MASTER not in seats_of(parties):
        apart = services.apart_from(user)
        people = {member.user_id for member in others} - {user.pk}
        if people <= apart and services.blocks(user, people):
            raise Refused(
                "blocked",
                _(
                    "You have blocked the player in this seat. Unblock them first, under Your "
                    "account."
                ),
            )
    entries.must_be_visible(text, pgettext("field", "Message"))
    if not is_clean_text(text, LONGEST_MESSAGE) or not text.strip():
        raise Refused(
            "no-words",
            _("Your text must have at most %(most)s characters.")
            % {"most": f"{LONGEST_MESSAGE:,}"},
        )
    if Message.objects.filter(author=user, at__gt=at - MOST_WITHIN).count() >= MOST_MESSAGES:
        raise NotNow(
            "too-many",
            _("You have already written %(most)s messages within an hour. Try again later.")
            % {"most": MOST_MESSAGES},
        )
    entry = _quoted_entry(campaign, who, quoted)
    save_seat_sets([parties])
    thread, _new = Conversation.objects.get_or_create(
        campaign=campaign,
        parties_id=parties,
        defaults={"key": keys.new_public_id(), "begun_at": at},
    )
    with slow_database.place_in_queue(campaign.pk):
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
    _count_and_notify(
        thread, [member for member in others if member.user_id not in apart], user, at, message
    )
    return message


def _parties_key(campaign: Campaign, seat: str, to: Collection[str]) -> str:
    """Return the key of the set of this seat and the others, as `Conversation.parties` stores it.

    Raises:
        Refused: There is no other seat, or one of the keys is not a seat.
    """
    every = {GAME_MASTER, *positions.seats(campaign)}
    wanted = set(to) - {seat}
    if TO_WHOLE_TABLE in wanted or wanted | {seat} == every:
        return WHOLE_TABLE
    if not wanted or not wanted <= every:
        raise Refused("nobody-chosen", _("Choose at least one recipient."))
    return set_key(sorted({seat, *wanted}))


def _quoted_entry(campaign: Campaign, who: Reader, number: int | None) -> LogEntry | None:
    """Return the log entry that is quoted, which must have a number and be visible to the writer.

    Whether a reader may see it is decided when they read.
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
    """Return the memberships whose holders may read what is written to these parties now."""
    role = Membership.Role
    held = Membership.objects.filter(campaign=campaign, until=None)
    if parties == WHOLE_TABLE:
        return list(held.filter(role__in=(role.SEAT, *Membership.MASTERS)))
    seats = [part for part in parties.split("|") if part]
    wanted = Q(role=role.SEAT, seat__in=seats)
    if GAME_MASTER in seats:
        wanted |= Q(role__in=Membership.MASTERS)
    return list(held.filter(wanted))


def _count_and_notify(
    thread: Conversation, places: Iterable[Membership], user: Any, at: datetime, message: Message
) -> None:
    """Count a new message for everyone except its author, and notify them.

    Members who have muted the thread are not notified.
    """
    others = list({place.user_id: place for place in places if place.user_id != user.pk}.values())
    ReadMarker.objects.bulk_create(
        [ReadMarker(conversation=thread, membership=place) for place in others],
        ignore_conflicts=True,
    )
    marks = ReadMarker.objects.filter(conversation=thread, membership__in=others)
    marks.update(unread=F("unread") + 1)
    _note_changed_counts(others)
    muted = set(marks.filter(muted=True).values_list("membership__user_id", flat=True))
    people: dict[int, str] = {}
    for place in others:
        if place.user_id not in muted:
            people.setdefault(place.user_id, place.seat or GAME_MASTER)
    hooks.message_posted(thread.campaign, people, {"thread": thread.key, "seat": message.seat}, at)


def _note_changed_counts(places: Iterable[Membership]) -> None:
    """Count that the number of new messages has changed for the holders of these places."""
    entries.note_own_change(Membership.objects.filter(pk__in=[place.pk for place in places]))


def mark_read(who: Reader, thread: Conversation) -> None:
    """Mark everything in a thread as read, because the reader has opened it."""
    if ReadMarker.objects.filter(
        conversation=thread, membership__in=who.places, unread__gt=0
    ).update(unread=0):
        _note_changed_counts(who.places)
        hooks.message_read(who.campaign, who.user, thread.key)


def mute(who: Reader, thread: Conversation, on: bool) -> None:
    """Mute a thread, or unmute it.

    A muted thread can be read as before, but its messages are neither counted as new nor notified.
    """
    if not who.takes_part_in(thread):
        raise NoSuchThread
    places = [
        place
        for place in who.places
        if thread.is_whole_table or (place.seat or GAME_MASTER) in thread.seats
    ]
    ReadMarker.objects.bulk_create(
        [ReadMarker(conversation=thread, membership=place) for place in places],
        ignore_conflicts=True,
    )
    ReadMarker.objects.filter(conversation=thread, membership__in=places).update(muted=on, unread=0)
    _note_changed_counts(places)
    if on:
        hooks.message_read(who.campaign, who.user, thread.key)


@transaction.atomic
def remove(message: Message, reason: str, at: datetime) -> str:
    """Remove the text of a message as moderator of the host. Return the text.

    The row remains and says that the text was removed.

    Raises:
        NotNow: The text has already been removed.
    """
    row = Message.objects.select_for_update().get(pk=message.pk)
    if row.removed:
        raise NotNow("removed", _("This text has already been removed."))
    text = row.text
    Message.objects.filter(pk=row.pk).update(
        sealed="", removed=True, removed_at=at, removed_for=reason
    )
    return text


def erase(user: Any, at: datetime) -> list[str]:
    """Erase the texts and read markers of a user whose account is erased. Return what was erased.

    The rows of the messages remain, so that the threads of other users keep their order.
    """
    written = Message.objects.filter(author=user, removed=False)
    lines = [f"{written.update(sealed='', removed=True, quoted=None)} messages"]
    ReadMarker.objects.filter(membership__user=user).delete()
    return lines

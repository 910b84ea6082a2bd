"""Texts that users write and others see: how to find each, its page, its author and its removal.

A text is named by its kind and a reference: `entry abcdefgh.12` is entry 12 of a campaign, `message
k3y.4` the fourth message of a thread. Users can report only what they can read. A moderator may
read a text that was reported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from battles import services as battles
from battles.models import Evidence
from campaign import access, founding, scenarios, sentences
from campaign.errors import NoSuchCampaign, NoSuchEntry, NotAllowed, Refused, TableError
from campaign.founding import SIGHT_ADDRESSED
from campaign.hosting import host_acts
from campaign.log import entries, removal
from campaign.log.acts.registry import BINDS_TEXTS
from campaign.models import Campaign, Lobby, LogEntry, Scenario, SeatHandover
from campaign.seats import seating
from campaign.seats import selectors as seats_selectors
from engine.strict_json import read_whole_number
from forum.models import ReportComment
from forum.posts import outbox
from moderation.models import Kind
from notices import services as notices
from people import services as people
from people.models import Absence, User
from talk import selectors as talk_selectors
from talk import services as talk
from talk.models import Message


class NoSuchText(TableError):
    """The error that a text does not exist, or that this reader may not know that it exists."""

    status = 404

    def __init__(self) -> None:
        super().__init__("no-such-text", _("This text does not exist, or you may not read it."))


@dataclass(frozen=True)
class Target:
    """A text as it is now.

    `path` is the page on which it can be read; `row` is the object that has it.
    """

    kind: Kind
    ref: str
    campaign: Campaign | None
    author: User | None
    text: str
    path: str
    row: Any
    to_masters: bool = True
    """Whether the game masters of its campaign see reports of it."""


class RemovalResult(NamedTuple):
    """The result of a removal: the log entry that records it, if the text belongs to a campaign."""

    entry: LogEntry | None


def find_target(kind: str, ref: str, reader: Any = None) -> Target:
    """Return the text with this reference, if `reader` may read it.

    `reader` is None for a moderator, who may read any text that was reported.

    Raises:
        NoSuchText: There is no such text, or the reader may not read it.
    """
    # A database refuses to search for some characters.
    if not (ref.isascii() and ref.isprintable()):
        raise NoSuchText
    try:
        target = FINDERS[Kind(kind)](ref, reader)
    except (
        KeyError,
        ValueError,
        NoSuchCampaign,
        NoSuchEntry,
        NotAllowed,
        talk_selectors.NoSuchThread,
    ) as error:
        raise NoSuchText from error
    if target is None or not target.text.strip():
        raise NoSuchText
    return target


def remove(target: Target, reason: str, now: datetime) -> RemovalResult:
    """Remove a text wherever it is shown. `reason` has been checked before.

    Raises:
        NotNow: The text has already been removed.
        Refused: The text cannot be removed.
    """
    gone = REMOVERS[target.kind](target, reason, now)
    if target.campaign is not None:
        entries.note_change(pk=target.campaign.pk)
    elif target.author is not None:
        entries.note_change(memberships__user=target.author)
    return gone


# Finding a text


def _find_campaign(ref: str, reader: Any) -> Campaign:
    campaign = (
        Campaign.objects.filter(public_id=ref).first() if len(ref) == 8 and ref.isascii() else None
    )
    if campaign is None or (reader is not None and not access.may_see(campaign, reader)):
        raise NoSuchText
    return campaign


def _split_ref(ref: str) -> tuple[str, int]:
    name, _dot, number = ref.partition(".")
    value = read_whole_number(number, 9)
    if value is None:
        raise NoSuchText
    return name, value


def _find_user(number: int | None) -> User | None:
    return User.objects.filter(pk=number).first() if number is not None else None


def _find_entry(ref: str, reader: Any) -> Target | None:
    name, number = _split_ref(ref)
    campaign = _find_campaign(name, reader)
    rows = (
        campaign.entries.all()
        if reader is None
        else entries.visible_entries(campaign, access.access_of(campaign, reader))
    )
    row = rows.filter(number=number).first()
    if row is None:
        return None
    path = reverse("entry", args=[campaign.address, number])
    return Target(
        Kind.ENTRY, ref, campaign, _find_user(row.actor_id), removal.removable(row), path, row
    )


def _find_message(ref: str, reader: Any) -> Target | None:
    key, number = _split_ref(ref)
    rows = Message.objects.filter(
        conversation__key=key, number=number, removed=False
    ).select_related("conversation__campaign", "author")
    row = rows.first() if key.isascii() else None
    if row is None:
        return None
    thread = row.conversation
    if reader is not None:
        who = talk_selectors.reader(thread.campaign, reader)
        if (
            not who.takes_part_in(thread)
            or not talk_selectors.messages(who).filter(pk=row.pk).exists()
        ):
            return None
    path = reverse("talk_thread", args=[thread.campaign.address, key]) + f"#m{number}"
    to_masters = row.sight != SIGHT_ADDRESSED
    return Target(Kind.MESSAGE, ref, thread.campaign, row.author, row.text, path, row, to_masters)


def _find_note(ref: str, reader: Any) -> Target | None:
    """Return a note that was left for the next holder of a seat, which only they may read."""
    number = read_whole_number(ref, 9)
    if number is None:
        return None
    rows = SeatHandover.objects.filter(note__pk=number, note__for_successor=True).select_related(
        "note__user", "campaign"
    )
    row = (rows if reader is None else rows.filter(user=reader)).first()
    if row is None or row.note is None:
        return None
    if reader is not None and seats_selectors.handover_of(row.campaign, reader, row.seat) is None:
        return None
    path = reverse("handover", args=[row.campaign.address, row.seat])
    text = seats_selectors.text_of(row.note)
    return Target(
        Kind.NOTE, ref, row.campaign, row.note.user, text, path, row.note, to_masters=False
    )


def _find_lobby(ref: str, reader: Any) -> Target | None:
    campaign = _find_campaign(ref, reader)
    row = (
        founding.current_lobby(campaign)
        or Lobby.objects.filter(campaign=campaign).order_by("-pk").first()
    )
    if row is None:
        return None
    return Target(
        Kind.LOBBY,
        ref,
        campaign,
        _game_master(campaign),
        row.words,
        reverse("lobby", args=[campaign.address]),
        row,
    )


def _find_name(ref: str, reader: Any) -> Target:
    campaign = _find_campaign(ref, reader)
    path = reverse("about", args=[campaign.address])
    return Target(
        Kind.CAMPAIGN, ref, campaign, _game_master(campaign), campaign.name, path, campaign
    )


def _game_master(campaign: Campaign) -> User | None:
    member = (
        campaign.memberships.filter(role="game_master", until=None).select_related("user").first()
    )
    return member.user if member is not None else campaign.founder


def _find_person(ref: str, reader: Any) -> Target | None:
    """Return the names of a user, as far as the reader meets them.

    Members of the same campaign see all names. Other readers see only the user name, and only if
    the user is in a campaign that anyone can find, has a public scenario or is in the ratings.
    """
    row = _find_user(read_whole_number(ref, 9))
    if row is None or row.erased_at is not None or row.guest:
        return None
    together = reader is None or reader.pk == row.pk or _have_shared_campaign(row, reader)
    if not together and not _has_public_name(row):
        return None
    names = [row.username, *((row.forum_name, row.fog2_name) if together else ())]
    return Target(Kind.PERSON, ref, None, row, "\n".join(name for name in names if name), "", row)


def _have_shared_campaign(person: User, reader: Any) -> bool:
    return person.memberships.filter(campaign__in=reader.memberships.values("campaign")).exists()


def _has_public_name(person: User) -> bool:
    listed = {"visibility": Campaign.Visibility.LISTED, "hidden": False, "suspended": False}
    played = Campaign.objects.filter(memberships__user=person, **listed)
    shared = Scenario.objects.filter(
        owner=person, sharing=Scenario.Sharing.PUBLIC, removed_at=None, hidden=False
    )
    return person.is_active and (person.rated or played.exists() or shared.exists())


def _find_scenario(ref: str, reader: Any) -> Target | None:
    row = (
        Scenario.objects.filter(public_id=ref).select_related("owner").first()
        if len(ref) == 8 and ref.isascii()
        else None
    )
    if row is None or row.hidden:
        return None
    if (
        reader is not None
        and row.owner_id != reader.pk
        and (row.removed_at or row.sharing == Scenario.Sharing.PRIVATE)
    ):
        return None
    text = "\n".join(part for part in (row.name, row.note) if part)
    return Target(
        Kind.SCENARIO, ref, None, row.owner, text, reverse("scenario_shown", args=[ref]), row
    )


def _find_evidence(ref: str, reader: Any) -> Target | None:
    name, number = _split_ref(ref)
    campaign = _find_campaign(name, reader)
    row = (
        Evidence.objects.filter(campaign=campaign, entry__number=number, erased_at=None)
        .select_related("entry__actor")
        .first()
    )
    if row is None:
        return None
    text = row.url or _("A picture, %(width)s × %(height)s") % {
        "width": row.width,
        "height": row.height,
    }
    path = reverse("battle", args=[campaign.address, row.number]) + "#evidence"
    return Target(Kind.EVIDENCE, ref, campaign, row.entry.actor, text, path, row)


def _find_absence(ref: str, reader: Any) -> Target | None:
    """Return the note of an absence, if the reader plays in a campaign of its author."""
    number = read_whole_number(ref, 9)
    row = (
        Absence.objects.filter(pk=number, taken_back_at=None).select_related("user").first()
        if number is not None
        else None
    )
    if row is None:
        return None
    if reader is not None:
        shared = Campaign.objects.filter(
            memberships__user=row.user, memberships__until=None
        ).filter(pk__in=reader.memberships.filter(until=None).values("campaign"))
        masters = reader.memberships.filter(
            until=None, role__in=("game_master", "co_game_master"), campaign__in=shared
        )
        if not shared.exists() or (row.masters_only and not masters.exists()):
            return None
    return Target(Kind.ABSENCE, ref, None, row.user, row.note, "", row)


def _find_comment(ref: str, reader: Any) -> Target | None:
    """Return the comments of a game master before and after a report.

    The reference is `abcdefgh.5`, with the row's own number.
    """
    name, number = _split_ref(ref)
    campaign = _find_campaign(name, reader)
    row = (
        ReportComment.objects.filter(campaign=campaign, pk=number)
        .select_related("changed_by")
        .first()
    )
    if row is None:
        return None
    text = "\n".join(part for part in (row.before, row.after) if part)
    return Target(
        Kind.FLAVOUR,
        ref,
        campaign,
        row.changed_by,
        text,
        reverse("report", args=[campaign.address, row.report]),
        row,
    )


FINDERS: Mapping[Kind, Callable[[str, Any], Target | None]] = {
    Kind.ENTRY: _find_entry,
    Kind.MESSAGE: _find_message,
    Kind.NOTE: _find_note,
    Kind.LOBBY: _find_lobby,
    Kind.CAMPAIGN: _find_name,
    Kind.PERSON: _find_person,
    Kind.SCENARIO: _find_scenario,
    Kind.EVIDENCE: _find_evidence,
    Kind.ABSENCE: _find_absence,
    Kind.FLAVOUR: _find_comment,
}


# Removing a text


def _removal_sentence(reason: str, now: datetime) -> str:
    return sentences.first_text(now.astimezone(UTC).date(), reason)


def _withhold_copies(campaign: Campaign, texts: Mapping[str, str]) -> None:
    """Replace the removed texts in the copies that notices and posts have of the log."""
    notices.withhold(campaign, texts)
    outbox.withhold(campaign, texts)


def _remove_entry(target: Target, reason: str, now: datetime) -> RemovalResult:
    assert target.campaign is not None
    gone = removal.remove_texts(target.campaign, target.row.sequence, reason, now=now)
    _withhold_copies(target.campaign, gone.texts)
    return RemovalResult(gone.act)


def _remove_message(target: Target, reason: str, now: datetime) -> RemovalResult:
    """Remove a message. The log does not mention messages, nor their removal."""
    talk.remove(target.row, reason, now)
    return RemovalResult(None)


def _remove_note(target: Target, reason: str, now: datetime) -> RemovalResult:
    seating.replace_note(target.row, _removal_sentence(reason, now), now)
    return RemovalResult(None)


def _remove_lobby(target: Target, reason: str, now: datetime) -> RemovalResult:
    assert target.campaign is not None
    founding.replace_words(target.row, _removal_sentence(reason, now))
    return RemovalResult(removal.note_removal(target.campaign, "lobby", reason, now=now))


def _remove_name(target: Target, reason: str, now: datetime) -> RemovalResult:
    assert target.campaign is not None
    host_acts.remove_name(target.campaign)
    outbox.withhold(target.campaign, {target.text: target.campaign.public_id})
    return RemovalResult(removal.note_removal(target.campaign, "name", reason, now=now))


def _remove_person(target: Target, reason: str, now: datetime) -> RemovalResult:
    people.remove_names(target.row, reason, now)
    return RemovalResult(None)


def _remove_scenario(target: Target, reason: str, now: datetime) -> RemovalResult:
    """Remove the names of a scenario and hide it from everyone except its owner.

    Campaigns that play it keep their own copy of its numbers.
    """
    scenarios.remove_names(target.row, _removal_sentence(reason, now))
    scenarios.set_hidden(target.ref, True, reason, now=now)
    return RemovalResult(None)


def _remove_evidence(target: Target, reason: str, now: datetime) -> RemovalResult:
    assert target.campaign is not None
    battles.erase(target.row, reason, now=now)
    return RemovalResult(removal.note_removal(target.campaign, "evidence", reason, now=now))


def _remove_absence(target: Target, reason: str, now: datetime) -> RemovalResult:
    people.replace_absence_note(target.row, _removal_sentence(reason, now))
    return RemovalResult(None)


def _remove_flavour(target: Target, reason: str, now: datetime) -> RemovalResult:
    assert target.campaign is not None
    sentence = _removal_sentence(reason, now)
    outbox.withhold(
        target.campaign,
        dict.fromkeys((text for text in (target.row.before, target.row.after) if text), sentence),
    )
    return RemovalResult(removal.note_removal(target.campaign, "flavour", reason, now=now))


REMOVERS: Mapping[Kind, Callable[[Target, str, datetime], RemovalResult]] = {
    Kind.ENTRY: _remove_entry,
    Kind.MESSAGE: _remove_message,
    Kind.NOTE: _remove_note,
    Kind.LOBBY: _remove_lobby,
    Kind.CAMPAIGN: _remove_name,
    Kind.PERSON: _remove_person,
    Kind.SCENARIO: _remove_scenario,
    Kind.EVIDENCE: _remove_evidence,
    Kind.ABSENCE: _remove_absence,
    Kind.FLAVOUR: _remove_flavour,
}


def must_be_removable(target: Target) -> None:
    """Raise `Refused` if the dice depend on the text, before anything is changed."""
    if target.kind == Kind.ENTRY and target.row.act in BINDS_TEXTS:
        raise Refused(
            "bound",
            _(
                "This text is part of the dice and cannot be removed: without it no one could "
                "check the rolls."
            ),
        )

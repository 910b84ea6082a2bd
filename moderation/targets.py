"""The texts that people type and others see: how each is read, where it stands, who wrote it, and
how it is removed.

A text is named by its kind and a reference: `entry abcdefgh.12` is entry 12 of a campaign, `message
k3y.4` the fourth message of a thread. Whoever reports one must be able to read it; a moderator may
look at one that was reported to them.
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
from engine.strict_json import whole
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
    """There is none, or this reader may not know that there is."""

    status = 404

    def __init__(self) -> None:
        super().__init__("no-such-text", _("There is no such text, or you cannot read it."))


@dataclass(frozen=True)
class Target:
    """A text as it stands now. `path` is the page where it is read; `row` what it is kept in."""

    kind: Kind
    ref: str
    campaign: Campaign | None
    author: User | None
    text: str
    path: str
    row: Any
    to_masters: bool = True
    """Do the game masters of its campaign read a report of it?"""


class Gone(NamedTuple):
    """What a removal left: the log's act that says so, where the text belongs to a campaign."""

    entry: LogEntry | None


def target(kind: str, ref: str, reader: Any = None) -> Target:
    """The text of this name, as `reader` may read it; None is a moderator to whom it was reported.
    Raises `NoSuchText`.
    """
    if not (ref.isascii() and ref.isprintable()):  # a database refuses to look for some signs
        raise NoSuchText
    try:
        one = READ[Kind(kind)](ref, reader)
    except (
        KeyError,
        ValueError,
        NoSuchCampaign,
        NoSuchEntry,
        NotAllowed,
        talk_selectors.NoSuchThread,
    ) as error:
        raise NoSuchText from error
    if one is None or not one.text.strip():
        raise NoSuchText
    return one


def remove(one: Target, reason: str, now: datetime) -> Gone:
    """The text goes wherever it is shown. `reason` has been read. Raises `NotNow`, `Refused`."""
    gone = REMOVE[one.kind](one, reason, now)
    if one.campaign is not None:
        entries.note_change(pk=one.campaign.pk)
    elif one.author is not None:
        entries.note_change(memberships__user=one.author)
    return gone


# Reading one --------------------------------------------------------------------------------------


def _campaign(ref: str, reader: Any) -> Campaign:
    campaign = (
        Campaign.objects.filter(public_id=ref).first() if len(ref) == 8 and ref.isascii() else None
    )
    if campaign is None or (reader is not None and not access.may_see(campaign, reader)):
        raise NoSuchText
    return campaign


def _parts(ref: str) -> tuple[str, int]:
    name, _dot, number = ref.partition(".")
    value = whole(number, 9)
    if value is None:
        raise NoSuchText
    return name, value


def _user(number: int | None) -> User | None:
    return User.objects.filter(pk=number).first() if number is not None else None


def _entry(ref: str, reader: Any) -> Target | None:
    name, number = _parts(ref)
    campaign = _campaign(name, reader)
    rows = (
        campaign.entries.all()
        if reader is None
        else entries.visible_entries(campaign, access.access_of(campaign, reader))
    )
    row = rows.filter(number=number).first()
    if row is None:
        return None
    path = reverse("entry", args=[campaign.address, number])
    return Target(Kind.ENTRY, ref, campaign, _user(row.actor_id), removal.removable(row), path, row)


def _message(ref: str, reader: Any) -> Target | None:
    key, number = _parts(ref)
    rows = Message.objects.filter(
        conversation__key=key, number=number, removed=False
    ).select_related("conversation__campaign", "author")
    row = rows.first() if key.isascii() else None
    if row is None:
        return None
    thread = row.conversation
    if reader is not None:
        who = talk_selectors.reader(thread.campaign, reader)
        if not who.belongs(thread) or not talk_selectors.messages(who).filter(pk=row.pk).exists():
            return None
    path = reverse("talk_thread", args=[thread.campaign.address, key]) + f"#m{number}"
    to_masters = row.sight != SIGHT_ADDRESSED
    return Target(Kind.MESSAGE, ref, thread.campaign, row.author, row.text, path, row, to_masters)


def _note(ref: str, reader: Any) -> Target | None:
    """A note that was left to a seat's next holder, who alone reads it."""
    number = whole(ref, 9)
    if number is None:
        return None
    rows = SeatHandover.objects.filter(note__pk=number, note__for_successor=True).select_related(
        "note__user", "campaign"
    )
    row = (rows if reader is None else rows.filter(user=reader)).first()
    if row is None or row.note is None:
        return None
    if reader is not None and seats_selectors.handed(row.campaign, reader, row.seat) is None:
        return None
    path = reverse("handover", args=[row.campaign.address, row.seat])
    text = seats_selectors.text_of(row.note)
    return Target(
        Kind.NOTE, ref, row.campaign, row.note.user, text, path, row.note, to_masters=False
    )


def _lobby(ref: str, reader: Any) -> Target | None:
    campaign = _campaign(ref, reader)
    row = (
        founding.current(campaign)
        or Lobby.objects.filter(campaign=campaign).order_by("-pk").first()
    )
    if row is None:
        return None
    return Target(
        Kind.LOBBY,
        ref,
        campaign,
        _chief(campaign),
        row.words,
        reverse("lobby", args=[campaign.address]),
        row,
    )


def _name(ref: str, reader: Any) -> Target:
    campaign = _campaign(ref, reader)
    path = reverse("about", args=[campaign.address])
    return Target(Kind.CAMPAIGN, ref, campaign, _chief(campaign), campaign.name, path, campaign)


def _chief(campaign: Campaign) -> User | None:
    member = (
        campaign.memberships.filter(role="game_master", until=None).select_related("user").first()
    )
    return member.user if member is not None else campaign.founder


def _person(ref: str, reader: Any) -> Target | None:
    """The names that somebody is called by, for who meets them: at a table of both, else by the
    name here alone in a campaign that anybody finds, a public scenario or the ratings.
    """
    row = _user(whole(ref, 9))
    if row is None or row.erased_at is not None or row.guest:
        return None
    together = reader is None or reader.pk == row.pk or _meets(row, reader)
    if not together and not _public(row):
        return None
    names = [row.username, *((row.forum_name, row.fog2_name) if together else ())]
    return Target(Kind.PERSON, ref, None, row, "\n".join(one for one in names if one), "", row)


def _meets(person: User, reader: Any) -> bool:
    return person.memberships.filter(campaign__in=reader.memberships.values("campaign")).exists()


def _public(person: User) -> bool:
    listed = {"visibility": Campaign.Visibility.LISTED, "hidden": False, "suspended": False}
    played = Campaign.objects.filter(memberships__user=person, **listed)
    shared = Scenario.objects.filter(
        owner=person, sharing=Scenario.Sharing.PUBLIC, removed_at=None, hidden=False
    )
    return person.is_active and (person.rated or played.exists() or shared.exists())


def _scenario(ref: str, reader: Any) -> Target | None:
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
    text = "\n".join(one for one in (row.name, row.note) if one)
    return Target(
        Kind.SCENARIO, ref, None, row.owner, text, reverse("scenario_shown", args=[ref]), row
    )


def _evidence(ref: str, reader: Any) -> Target | None:
    name, number = _parts(ref)
    campaign = _campaign(name, reader)
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


def _absence(ref: str, reader: Any) -> Target | None:
    """The note of an absence, read by whoever plays in a campaign of who wrote it."""
    number = whole(ref, 9)
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


def _flavour(ref: str, reader: Any) -> Target | None:
    """What a game master says before and after a report: `abcdefgh.5`, the row's own number."""
    name, number = _parts(ref)
    campaign = _campaign(name, reader)
    row = (
        ReportComment.objects.filter(campaign=campaign, pk=number)
        .select_related("changed_by")
        .first()
    )
    if row is None:
        return None
    text = "\n".join(one for one in (row.before, row.after) if one)
    return Target(
        Kind.FLAVOUR,
        ref,
        campaign,
        row.changed_by,
        text,
        reverse("report", args=[campaign.address, row.report]),
        row,
    )


READ: Mapping[Kind, Callable[[str, Any], Target | None]] = {
    Kind.ENTRY: _entry,
    Kind.MESSAGE: _message,
    Kind.NOTE: _note,
    Kind.LOBBY: _lobby,
    Kind.CAMPAIGN: _name,
    Kind.PERSON: _person,
    Kind.SCENARIO: _scenario,
    Kind.EVIDENCE: _evidence,
    Kind.ABSENCE: _absence,
    Kind.FLAVOUR: _flavour,
}


# Removing one -------------------------------------------------------------------------------------


def _sentence(reason: str, now: datetime) -> str:
    return sentences.first_text(now.astimezone(UTC).date(), reason)


def _copies(campaign: Campaign, texts: Mapping[str, str]) -> None:
    """What other rooms have copied of the log: notices and posts."""
    notices.withhold(campaign, texts)
    outbox.withhold(campaign, texts)


def _remove_entry(one: Target, reason: str, now: datetime) -> Gone:
    assert one.campaign is not None
    gone = removal.remove_texts(one.campaign, one.row.sequence, reason, now=now)
    _copies(one.campaign, gone.texts)
    return Gone(gone.act)


def _remove_message(one: Target, reason: str, now: datetime) -> Gone:
    """The log knows nothing of talk, nor of what is removed from it."""
    talk.remove(one.row, reason, now)
    return Gone(None)


def _remove_note(one: Target, reason: str, now: datetime) -> Gone:
    seating.replace_note(one.row, _sentence(reason, now), now)
    return Gone(None)


def _remove_lobby(one: Target, reason: str, now: datetime) -> Gone:
    assert one.campaign is not None
    founding.replace_words(one.row, _sentence(reason, now))
    return Gone(removal.note_removal(one.campaign, "lobby", reason, now=now))


def _remove_name(one: Target, reason: str, now: datetime) -> Gone:
    assert one.campaign is not None
    host_acts.remove_name(one.campaign)
    outbox.withhold(one.campaign, {one.text: one.campaign.public_id})
    return Gone(removal.note_removal(one.campaign, "name", reason, now=now))


def _remove_person(one: Target, reason: str, now: datetime) -> Gone:
    people.remove_names(one.row, reason, now)
    return Gone(None)


def _remove_scenario(one: Target, reason: str, now: datetime) -> Gone:
    """Its owner alone sees it from now on; campaigns that play it keep their own copy of its
    numbers.
    """
    scenarios.remove_names(one.row, _sentence(reason, now))
    scenarios.set_hidden(one.ref, True, reason, now=now)
    return Gone(None)


def _remove_evidence(one: Target, reason: str, now: datetime) -> Gone:
    assert one.campaign is not None
    battles.erase(one.row, reason, now=now)
    return Gone(removal.note_removal(one.campaign, "evidence", reason, now=now))


def _remove_absence(one: Target, reason: str, now: datetime) -> Gone:
    people.replace_absence_note(one.row, _sentence(reason, now))
    return Gone(None)


def _remove_flavour(one: Target, reason: str, now: datetime) -> Gone:
    assert one.campaign is not None
    sentence = _sentence(reason, now)
    outbox.withhold(
        one.campaign,
        dict.fromkeys((text for text in (one.row.before, one.row.after) if text), sentence),
    )
    return Gone(removal.note_removal(one.campaign, "flavour", reason, now=now))


REMOVE: Mapping[Kind, Callable[[Target, str, datetime], Gone]] = {
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


def must_be_removable(one: Target) -> None:
    """Raises `Refused` before anything else is done where the dice need the text."""
    if one.kind == Kind.ENTRY and one.row.act in BINDS_TEXTS:
        raise Refused(
            "bound",
            _(
                "This text is part of the dice: without it nobody could check them. It cannot be"
                " removed."
            ),
        )

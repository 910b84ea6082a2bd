"""Models of the table of any title, and of the log, which is the campaign.

Only the services of `campaign` write them. Models of seats are in `campaign.seats.models` and are
imported here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import models
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy, pgettext_lazy

from campaign import sentences
from campaign.seats.models import AbsenceCampaign as AbsenceCampaign
from campaign.seats.models import Application as Application
from campaign.seats.models import Invitation as Invitation
from campaign.seats.models import Lobby as Lobby
from campaign.seats.models import Membership as Membership
from campaign.seats.models import SeatHandover as SeatHandover
from campaign.seats.models import SeatNote as SeatNote
from campaign.seats.models import StandingOrderResult as StandingOrderResult
from campaign.seats.models import StandingOrders as StandingOrders
from engine.effects import Effect, Roll
from engine.strict_json import StoredDecoder, StoredEncoder, read
from games import registry
from games.contract.title import Title

# Sets of seats: the readers of a row, the parties to a conversation, the seats a clock waits for.


GAME_MASTER = "gm"


class SeatSet(models.Model):
    """A set of seats to which rows refer, one row for all equal sets of the site.

    Queries never search in `key`: they look for members, which have an index.
    """

    key = models.TextField(
        primary_key=True, help_text="Seats between bars: |huns|romans|; || for no seat."
    )

    def __str__(self) -> str:
        return self.key


class SeatSetMember(models.Model):
    """A seat in a set."""

    seat_set = models.ForeignKey(SeatSet, models.CASCADE, related_name="members", db_index=False)
    seat = models.CharField(max_length=40)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["seat", "seat_set"], name="one_member_a_seat")
        ]

    def __str__(self) -> str:
        return f"{self.seat} in {self.seat_set_id}"


def set_key(seats: Iterable[str]) -> str:
    """Return the key of a set of seats, in their order."""
    return "|" + "".join(f"{seat}|" for seat in seats) if (seats := tuple(seats)) else "||"


def seats_of(key: str) -> tuple[str, ...]:
    """Return the seats of a set from its key."""
    return tuple(seat for seat in key.split("|") if seat)


def audience_key(audience: Iterable[str] | None) -> str | None:
    """Return the key of an audience as the kernel has it; None for everyone."""
    return None if audience is None else set_key(sorted(audience))


def audience_of(key: str | None) -> tuple[str, ...] | None:
    """Return an audience as the kernel has it from its key."""
    return None if key is None else seats_of(key)


def save_seat_sets(keys: Iterable[str | None]) -> None:
    """Write the sets with these keys that are not stored yet.

    Makes no query if there are no keys. It writes in the order of the keys, so that two
    transactions never wait for each other.
    """
    wanted = {key for key in keys if key is not None}
    if not wanted:
        return
    stored = SeatSet.objects.filter(pk__in=wanted).values_list("pk", flat=True)
    if missing := sorted(wanted.difference(stored)):
        SeatSet.objects.bulk_create([SeatSet(key=key) for key in missing], ignore_conflicts=True)
        SeatSetMember.objects.bulk_create(
            [
                SeatSetMember(seat_set_id=key, seat=seat)
                for key in missing
                for seat in seats_of(key)
            ],
            ignore_conflicts=True,
        )


def sets_with(seats: Iterable[str]) -> QuerySet[SeatSetMember, Any]:
    """Return the keys of the sets that contain any of these seats, for a subquery."""
    return SeatSetMember.objects.filter(seat__in=tuple(seats)).values("seat_set")


def seen_by(audience: tuple[str, ...] | None, viewers: Iterable[str]) -> bool:
    """Return whether any of these seats may see something; the game master sees everything."""
    return audience is None or any(
        viewer == GAME_MASTER or viewer in audience for viewer in viewers
    )


def visible(viewers: Iterable[str], column: str = "audience") -> Q:
    """Return the filter for rows that any of these seats may see."""
    named = tuple(viewers)
    if GAME_MASTER in named:
        return Q()
    condition = Q(**{f"{column}__isnull": True})
    return condition | Q(**{f"{column}__in": sets_with(named)}) if named else condition


# Lengths of time: whole days, which end at the same local time, or whole hours.
#
# Written `3d` or `36h`, in terms, rows and the log.


LENGTH = re.compile(r"([1-9][0-9]{0,3})([dh])|0h", re.ASCII)
MOST_DAYS, MOST_HOURS = 365, 24 * 60
MORNING = time(8)
HASTE = timedelta(hours=2)
"""How long before a deadline in the early morning the reminder of that day is sent."""


def is_length(text: object, *, none: bool = False) -> bool:
    """Return whether a text is a length, at most a year of days or sixty days of hours.

    With `none`, it may be `0h`.
    """
    if not isinstance(text, str) or LENGTH.fullmatch(text) is None:
        return False
    amount = int(text[:-1])
    return (none or amount > 0) and amount <= (MOST_DAYS if text.endswith("d") else MOST_HOURS)


def local(at: datetime, zone: ZoneInfo) -> datetime:
    """Return the instant of a local time, in UTC.

    A time that exists twice is the later one. A time that is skipped when the clocks go forward is
    as long after midnight as it would have been. So a change of the clocks costs no one an hour.
    """
    naive = at.replace(tzinfo=None)
    return max(naive.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))


def add(at: datetime, length: str, zone: str, times: int = 1) -> datetime:
    """Return the instant so many lengths later, in UTC."""
    amount = int(length[:-1]) * times
    if length.endswith("h"):
        return at.astimezone(UTC) + timedelta(hours=amount)
    if not amount:
        return at.astimezone(UTC)
    where = ZoneInfo(zone)
    return local(at.astimezone(where) + timedelta(days=amount), where)


def day_of(due: datetime, zone: str) -> datetime:
    """Return when the reminder on the day of a deadline is due.

    It is due at eight in the morning local time; for an earlier deadline two hours before it, but
    not before midnight.
    """
    where = ZoneInfo(zone)
    day = due.astimezone(where).date()
    morning, midnight = (local(datetime.combine(day, at), where) for at in (MORNING, time(0)))
    return max(midnight, min(morning, due.astimezone(UTC) - HASTE))


# The models.


PEOPLE = settings.AUTH_USER_MODEL

# Scenarios that users write, and the drawings of their maps.


class MapDrawing(models.Model):
    """A map in the form in which its title has written it.

    Its key is the digest of its text, so it never changes. Scenarios and campaigns with the same
    map share it.
    """

    digest = models.CharField(
        max_length=64, primary_key=True, editable=False, help_text="SHA-256 of the text."
    )
    text = models.TextField(help_text="Canonical JSON, as the title wrote it.")

    def __str__(self) -> str:
        return self.digest[:12]


class Scenario(models.Model):
    """A scenario of a user.

    Campaigns copy it, so later changes to this row do not affect them. With `removed_at` only its
    owner sees it, in a list from which it can be restored. `hidden` is set by the host.
    """

    class Sharing(models.TextChoices):
        PRIVATE = "private", gettext_lazy("Private: only you")
        LINK = "link", gettext_lazy("By link: everyone with the address")
        PUBLIC = "public", gettext_lazy("Public: in everyone’s list")

    public_id = models.CharField(max_length=8, unique=True, editable=False)
    owner = models.ForeignKey(PEOPLE, models.PROTECT, related_name="scenarios")
    title = models.CharField(max_length=40, help_text="Key of the title.")
    name = models.CharField(max_length=100)
    text = models.TextField(help_text="Canonical JSON of the scenario object.")
    drawing = models.ForeignKey(
        MapDrawing, models.PROTECT, null=True, blank=True, related_name="scenarios"
    )
    digest = models.CharField(max_length=64, help_text="SHA-256 of the scenario and the drawing.")
    sharing = models.CharField(max_length=10, choices=Sharing.choices, default=Sharing.PRIVATE)
    made_at = models.DateTimeField()
    removed_at = models.DateTimeField(null=True, blank=True)
    hidden = models.BooleanField(
        default=False, help_text="The host has hidden it from everyone except its owner."
    )
    draft = models.ForeignKey(
        "ScenarioDraft",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="versions",
        help_text="Draft from which it was published.",
    )
    version = models.PositiveSmallIntegerField(
        default=0, help_text="Version of its draft; 0 if it was uploaded as a file."
    )
    note = models.CharField(
        max_length=200, blank=True, default="", help_text="Changes in this version."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "title", "digest"],
                condition=Q(removed_at=None),
                name="one_of_a_kind_a_shelf",
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.public_id})"


class ScenarioDraft(models.Model):
    """A scenario that is being written. It may have faults.

    `past` and `future` hold the steps that can be undone and redone. Publishing makes a `Scenario`
    of it, which never changes.
    """

    public_id = models.CharField(max_length=8, unique=True, editable=False)
    owner = models.ForeignKey(PEOPLE, models.PROTECT, related_name="drafts")
    title = models.CharField(max_length=40, help_text="Key of the title.")
    name = models.CharField(max_length=100)
    scenario = models.TextField(help_text="JSON of the scenario object.")
    drawing = models.TextField(help_text="JSON of the drawing.")
    revision = models.PositiveIntegerField(
        default=0,
        help_text=("Number of changes; it prevents two windows from overwriting each other."),
    )
    past = models.TextField(default="[]", help_text="JSON of the patches that undo the last steps.")
    future = models.TextField(
        default="[]", help_text="JSON of the patches that redo the undone steps."
    )
    origin = models.ForeignKey(
        Scenario, models.PROTECT, null=True, blank=True, related_name="forks"
    )
    origin_name = models.CharField(
        max_length=100,
        blank=True,
        default="",
        help_text="Name of the scenario from which the draft was begun.",
    )
    begun_at = models.DateTimeField()
    saved_at = models.DateTimeField()
    removed_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.name} ({self.public_id})"


class Playtest(models.Model):
    """Campaigns of one scenario that programs play, to show its balance.

    It belongs to the text of the scenario and not to a user, so the same text is not played twice.
    `rows` has one row for each campaign, as the title's programs return it.
    """

    digest = models.CharField(
        max_length=64,
        unique=True,
        help_text="SHA-256 of title, scenario, program and number of campaigns.",
    )
    title = models.CharField(max_length=40, help_text="Key of the title.")
    scenario = models.TextField(help_text="Canonical JSON of the scenario object.")
    player = models.CharField(max_length=20, help_text="Name of the program.")
    games = models.PositiveIntegerField(help_text="Number of campaigns to play.")
    done = models.PositiveIntegerField(default=0)
    seconds = models.PositiveIntegerField(default=0, help_text="Seconds spent playing.")
    rows = models.JSONField(default=list, help_text="Results of the campaigns played so far.")
    failed = models.BooleanField(
        default=False, help_text="It stopped because of an error or a limit."
    )
    limit = models.CharField(
        max_length=6, default="", blank=True, help_text="Exceeded limit: memory or time."
    )
    asked_at = models.DateTimeField()
    heartbeat_at = models.DateTimeField(
        null=True, blank=True, help_text="Last sign of life of the worker."
    )
    ended_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"play-test {self.pk} ({self.done} of {self.games})"


class Campaign(models.Model):
    """One playing of a title.

    The columns in `COPIES` repeat what the log says. They are written with each entry, for queries
    and pages; a replay does not read them.
    """

    class Visibility(models.TextChoices):
        LISTED = "listed", gettext_lazy("Listed: anyone can find it")
        UNLISTED = "unlisted", gettext_lazy("Unlisted: everyone with the address")
        MEMBERS = "members", pgettext_lazy("option", "Members only")

    class Status(models.TextChoices):
        DRAFT = "draft", "Not started"
        SEATING = "seating", "Seating"
        RUNNING = "running", "Running"
        PAUSED = "paused", "Paused"
        FINISHED = "finished", "Finished"
        ABANDONED = "abandoned", "Abandoned"
        ARCHIVED = "archived", "Archived"
        SUSPENDED = "suspended", "Suspended"

    public_id = models.CharField(max_length=8, unique=True, editable=False)
    slug = models.SlugField(max_length=60, editable=False)
    name = models.CharField(max_length=100)
    title = models.CharField(max_length=40, help_text="Key of the title.")
    scenario = models.TextField(
        help_text=("Canonical JSON of the scenario object, or of the name of a shipped scenario.")
    )
    options = models.TextField(help_text="Canonical JSON of the options.")
    edition = models.PositiveSmallIntegerField(
        default=1, help_text="Edition of the title's rules in the first entry."
    )
    drawing = models.ForeignKey(
        MapDrawing,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="campaigns",
        help_text="The campaign's own map.",
    )
    seed_sealed = models.TextField()
    digest_key_sealed = models.TextField()
    commitment = models.CharField(max_length=64)
    imported = models.BooleanField(
        default=False, help_text="It was imported from a record, so its dice may have been known."
    )
    chance = models.CharField(
        max_length=8,
        default="",
        blank=True,
        help_text="What is mixed into the dice: words, draw or both; empty for nothing.",
    )
    amending = models.CharField(
        max_length=12,
        default="two-thirds",
        help_text=("Who must agree before the rules change: master, most, two-thirds or all."),
    )
    sight = models.CharField(
        max_length=10,
        default="reported",
        help_text="Messages that the game master can read: all, reported or addressed.",
    )
    press_reported = models.BooleanField(
        default=False, help_text="Whether turn reports contain the turn's proclamations."
    )
    programs = models.JSONField(
        null=True,
        blank=True,
        encoder=StoredEncoder,
        decoder=StoredDecoder,
        help_text=("Of a practice campaign: the seats of programs, and how battles are decided."),
    )
    """For practice only. Programs that hold seats among people are in `seat_programs`."""
    lesson = models.CharField(
        max_length=6,
        default="",
        blank=True,
        help_text="State of a lesson: guided or left; empty for other campaigns.",
    )
    forecasts = models.PositiveIntegerField(
        default=0, help_text="Number of forecasts made (`campaign.forecasts`)."
    )
    onward = models.JSONField(
        null=True,
        blank=True,
        encoder=StoredEncoder,
        decoder=StoredDecoder,
        help_text="Task of automatic play (`campaign.automatic_moves`).",
    )
    time_zone = models.CharField(max_length=64, default="UTC")
    visibility = models.CharField(
        max_length=10, choices=Visibility.choices, default=Visibility.UNLISTED
    )
    founder = models.ForeignKey(PEOPLE, models.PROTECT, related_name="founded")
    founded_at = models.DateTimeField()

    # Copies.
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.DRAFT)
    turn = models.PositiveIntegerField(default=0)
    phase = models.CharField(max_length=40, default="", blank=True)
    active_seat = models.CharField(max_length=40, default="", blank=True)
    last_sequence = models.IntegerField(default=-1)
    last_number = models.IntegerField(default=-1)
    last_hash = models.CharField(max_length=64, default="", blank=True)
    standing_hash = models.CharField(
        max_length=64,
        default="",
        blank=True,
        help_text="Hash of the last entry that changed the position.",
    )
    changes = models.PositiveIntegerField(
        default=0,
        help_text=(
            "Number of changes to anything that a page can show, hidden entries "
            "included. It is never shown."
        ),
    )
    public_changes = models.PositiveIntegerField(
        default=0,
        help_text=("Number of changes that every reader can see: public entries, clocks, names."),
    )
    # The flags behind `status`: an archived or paused campaign keeps its other flags
    # (`campaign.status`).
    started = models.BooleanField(default=False, help_text="A move has been made.")
    ended = models.BooleanField(
        default=False, help_text="The title has computed the final standings."
    )
    lobby_open = models.BooleanField(default=False)
    paused = models.BooleanField(default=False)
    abandoned = models.BooleanField(default=False)
    archived = models.BooleanField(default=False)
    # Flags that the host sets (`campaign.hosting.host_acts`).
    suspended = models.BooleanField(
        default=False, help_text="The host has suspended it: no one can read it or move in it."
    )
    hidden = models.BooleanField(default=False, help_text="It is not in any list.")
    # The result of a finished campaign, for the hall of fame; an undo removes it
    # (`campaign.status`).
    result = models.JSONField(
        null=True,
        blank=True,
        encoder=StoredEncoder,
        decoder=StoredDecoder,
        help_text="Final standings.",
    )
    points = models.IntegerField(null=True, blank=True, help_text="Points of the winner.")
    ended_at = models.DateTimeField(null=True, blank=True)
    turn_times = models.JSONField(
        null=True,
        blank=True,
        encoder=StoredEncoder,
        decoder=StoredDecoder,
        help_text="Times of the moves of each turn, hidden moves included.",
    )
    retried = models.BooleanField(default=False, help_text="A move with dice was undone.")
    helped = models.BooleanField(default=False, help_text="A program chose a move for a player.")
    seat_programs = models.JSONField(
        null=True,
        blank=True,
        encoder=StoredEncoder,
        decoder=StoredDecoder,
        help_text=(
            "Programs that held seats among people, each with its level, first and last entry."
        ),
    )
    # Dice thrown elsewhere (`campaign.dice.selectors`).
    by_hand = models.BooleanField(default=False, help_text="The game master enters every new die.")
    entered_dice = models.JSONField(
        default=dict,
        encoder=StoredEncoder,
        decoder=StoredDecoder,
        help_text="Values of dice by purpose, entered or imported.",
    )
    parked = models.JSONField(
        null=True,
        blank=True,
        encoder=StoredEncoder,
        decoder=StoredDecoder,
        help_text="Announced move that is waiting for a die.",
    )
    mixing = models.JSONField(
        default=dict,
        encoder=StoredEncoder,
        decoder=StoredDecoder,
        help_text="What is mixed into the dice, by chain and link.",
    )
    draw_due = models.DateTimeField(
        null=True, blank=True, db_index=True, help_text="Time of the next public draw to check."
    )
    # New dice in the course of the campaign (`campaign.dice.services`).
    renewals = models.PositiveSmallIntegerField(
        default=0, help_text="Number of times the dice were renewed."
    )
    links_published = models.PositiveIntegerField(
        default=0, help_text="Number of published links of the first chain when it was replaced."
    )
    clock_terms = models.JSONField(
        null=True,
        blank=True,
        encoder=StoredEncoder,
        decoder=StoredDecoder,
        help_text="Terms of the clocks since the last change (`campaign.clocks`).",
    )
    forecast = models.CharField(
        max_length=3,
        default="",
        blank=True,
        help_text="on or off since the last change; empty for the title's default.",
    )

    # Findings of the audit (`campaign.hosting.audit`). The log does not contain them.
    fault = models.TextField(
        default="",
        blank=True,
        help_text=("First fault of the stored log; while there is one, no entry can be added."),
    )
    audited_at = models.DateTimeField(
        null=True, blank=True, db_index=True, help_text="Start of the last nightly audit."
    )

    class Meta:
        indexes = [  # Ticks query these few among all campaigns.
            models.Index(fields=["id"], condition=Q(onward__isnull=False), name="played_on"),
            models.Index(
                fields=["id"],
                condition=~Q(programs__isnull=True, seat_programs__isnull=True),
                name="with_programs",
            ),
            models.Index(fields=["id"], condition=Q(forecast="on"), name="forecast_on"),
        ]

    COPIES = (
        "status",
        "turn",
        "phase",
        "active_seat",
        "last_sequence",
        "last_number",
        "last_hash",
        "standing_hash",
        "changes",
        "public_changes",
        "started",
        "ended",
        "lobby_open",
        "paused",
        "abandoned",
        "archived",
        "suspended",
        "hidden",
        "result",
        "points",
        "ended_at",
        "turn_times",
        "retried",
        "helped",
        "seat_programs",
        "clock_terms",
        "forecast",
        "by_hand",
        "entered_dice",
        "parked",
        "mixing",
        "renewals",
        "links_published",
    )

    def __str__(self) -> str:
        return f"{self.name} ({self.public_id})"

    @property
    def game(self) -> Title:
        """The title that is played here."""
        return registry.TITLES[self.title]

    @property
    def address(self) -> str:
        """The part of its addresses after /c/; the slug is ignored when an address is read."""
        return f"{self.public_id}-{self.slug}" if self.slug else self.public_id

    @property
    def stopped(self) -> bool:
        """Whether no moves are made at present: paused, abandoned, archived or suspended."""
        return self.paused or self.abandoned or self.archived or self.suspended

    @property
    def playable(self) -> bool:
        """Whether at least the game master may make moves: neither abandoned nor archived."""
        return not (self.abandoned or self.archived)


class Plan(models.Model):
    """Moves that a seat's holder plans to make, in order. They are private.

    They are not part of the log or of an export. `moves` is a list of moves in record form; only
    their form has been checked. `version` counts the changes, so that an older window notices a
    change made in another. An empty plan is a row, too.
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="plans")
    user = models.ForeignKey(PEOPLE, models.PROTECT, related_name="plans")
    seat = models.CharField(max_length=40)
    moves = models.JSONField(default=list, encoder=StoredEncoder, decoder=StoredDecoder)
    size = models.PositiveIntegerField(default=0, help_text="Number of moves.")
    version = models.PositiveIntegerField(default=0)
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "user", "seat"], name="one_plan_a_seat_and_person"
            )
        ]

    def __str__(self) -> str:
        return f"{self.campaign}: a plan"


class LogEntry(models.Model):
    """A numbered row of the log: a move of the title or an act. It is never deleted.

    Its hash covers a typed text by the salted hash of that text
    (`campaign.log.entries.hashed_text`), so that the chain can be checked without the text. A text
    that a moderator has removed is withheld: `sealed` then contains the original, `content_json`
    states in its place that it is removed, and `removed` says when and why
    (`campaign.log.removal`). Apart from this, only three fields change later: `struck_by`, the undo
    that took the entry out of force (on an undo: the restoration that reversed it), `effects`, a
    cache of what a replay gives, and `why`, a program's reason for its move. `hash` covers the rest
    and the previous entry, except the columns of `FACTS`, which repeat parts of the content for
    queries.
    """

    class Kind(models.TextChoices):
        MOVE = "move", "move"
        TABLE = "table", "table"

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="entries")
    sequence = models.PositiveIntegerField(
        help_text="Place in the chain, hidden entries included. It is never shown."
    )
    number = models.PositiveIntegerField(
        null=True, blank=True, help_text="Number that is shown; empty for a hidden entry."
    )
    kind = models.CharField(max_length=5, choices=Kind.choices)
    content_json = models.TextField(help_text="Canonical JSON of the move or act.")
    actor = models.ForeignKey(
        PEOPLE,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="Empty if a clock acted.",
    )
    seat = models.CharField(max_length=40, blank=True, default="")
    audience = models.ForeignKey(
        SeatSet, models.PROTECT, null=True, blank=True, related_name="+", db_index=False
    )
    target = models.ForeignKey(
        "self",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text=(
            "Entry that an act refers to: an undo goes back to it, a restoration restores it."
        ),
    )
    struck_by = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="struck"
    )
    digest = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)
    at = models.DateTimeField()
    turn = models.PositiveIntegerField()
    effects = models.TextField(default="[]", help_text="Canonical JSON; a cache for reading.")

    act = models.CharField(max_length=60, default="", help_text="Name of the act or move.")
    how = models.CharField(
        max_length=40, default="", blank=True, help_text="Kind of the act, if it has several kinds."
    )
    why = models.JSONField(
        null=True,
        blank=True,
        encoder=StoredEncoder,
        decoder=StoredDecoder,
        help_text="Why a program chose this move.",
    )
    salt = models.CharField(
        max_length=64,
        default="",
        blank=True,
        help_text="Salt for the hashes of its typed texts; empty without typed texts.",
    )
    sealed = models.TextField(
        default="",
        blank=True,
        help_text=("Original content of an entry with a removed text, encrypted for the audit."),
    )
    removed = models.JSONField(
        null=True,
        blank=True,
        encoder=StoredEncoder,
        decoder=StoredDecoder,
        help_text="Removed texts, with the day and the reason.",
    )

    FACTS = ("act", "how")

    linked: str | None = None
    """The last act that linked it to a forum post, as canonical JSON.

    None if there is none or it was not queried.
    """
    marked: bool | None = None
    """Whether a countersigner has marked it; None if this was not queried."""

    class Meta:
        ordering = ["sequence"]
        verbose_name_plural = "log entries"
        constraints = [
            models.UniqueConstraint(fields=["campaign", "sequence"], name="one_entry_a_place"),
            models.UniqueConstraint(fields=["campaign", "number"], name="one_entry_a_number"),
        ]
        indexes = [
            models.Index(fields=["campaign", "act", "sequence"], name="entries_by_act"),
            models.Index(
                fields=["campaign", "sequence"], condition=Q(kind="table"), name="acts_of_the_table"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.campaign_id}#{self.sequence} {self.kind}"

    @property
    def is_move(self) -> bool:
        """Whether the entry is a move, not an act."""
        return self.kind == self.Kind.MOVE

    @property
    def content(self) -> dict[str, Any]:
        """The move in record form, or the act; fractions are decimals.

        A sentence in the current language replaces a removed text.
        """
        shown: dict[str, Any] = read(self.content_json)
        return (
            sentences.put(shown, self.removal["paths"], self.removal_text)
            if self.removed
            else shown
        )

    @property
    def removal(self) -> dict[str, Any]:
        """The `paths` of removed texts, the `day` and the `reason`; empty if none was removed."""
        return self.removed or {}

    @property
    def removal_text(self) -> str:
        """The sentence in place of removed texts; empty if there are none."""
        facts = self.removal
        return (
            sentences.removal_text(date.fromisoformat(facts["day"]), facts["reason"])
            if facts
            else ""
        )

    @property
    def table_act(self) -> str:
        """The name of an act; empty for a move."""
        return "" if self.is_move else self.act

    def facts(self) -> dict[str, Any]:
        """Return the values of the columns of `FACTS`, from the content."""
        content = self.content
        if self.is_move:
            return {"act": content["move"], "how": ""}
        return {"act": content["act"], "how": content.get("how", "")}

    @property
    def contests(self) -> list[int]:
        """The numbers of the contests that an act names or a move's effects concern, in order.

        Queries use `ContestEntry`.
        """
        if self.is_move:
            # Titles without contests have attacks, too, whose subject is not a number.
            attacks = {row["subject"] for row in read(self.effects) if row["kind"] == "attack"}
            return sorted(int(subject) for subject in attacks if subject.isdecimal())
        number = self.content.get("battle")
        return [] if number is None else [int(number)]

    @property
    def viewers(self) -> tuple[str, ...] | None:
        """The seats that may see it; None for everyone."""
        return audience_of(self.audience_id)

    @property
    def all_effects(self) -> tuple[Effect, ...]:
        """All effects, not filtered for a reader; the selectors filter them."""
        return tuple(Effect.from_json(raw) for raw in read(self.effects))


class ContestEntry(models.Model):
    """A contest that a log entry concerns (`LogEntry.contests`), for queries."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="+", db_index=False)
    contest = models.PositiveIntegerField(help_text="Number of the contest.")
    entry = models.ForeignKey(LogEntry, models.CASCADE, related_name="contest_rows", db_index=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["entry", "contest"], name="one_row_a_contest_and_entry")
        ]
        indexes = [models.Index(fields=["campaign", "contest"], name="entries_of_a_contest")]
        verbose_name_plural = "contest entries"

    def __str__(self) -> str:
        return f"{self.entry_id} concerns contest {self.contest}"


class Forecast(models.Model):
    """The likely end of a campaign, from programs that continue it after a turn has closed.

    It belongs to the entry that closed the turn and counts while that entry is in force. `rows` are
    the campaigns played so far, until `result` has the outcome.
    """

    entry = models.OneToOneField(LogEntry, models.CASCADE, related_name="forecast")
    done = models.PositiveIntegerField(default=0, help_text="Number of campaigns played.")
    seconds = models.FloatField(default=0.0, help_text="Seconds spent playing, on one core.")
    rows = models.JSONField(
        default=dict, help_text="Results of the campaigns played so far, by stop."
    )
    result = models.JSONField(null=True, blank=True)
    failed = models.BooleanField(
        default=False, help_text="It stopped because of an error or a limit."
    )
    limit = models.CharField(
        max_length=6, default="", blank=True, help_text="Exceeded limit: memory or time."
    )
    asked_at = models.DateTimeField()
    heartbeat_at = models.DateTimeField(
        null=True, blank=True, help_text="Last sign of life of the worker."
    )
    ended_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"forecast {self.pk} ({self.done} campaigns)"


class DiceRoll(models.Model):
    """A die that a move threw.

    A purpose that is thrown again after an undo has two rows with the same value.
    """

    entry = models.ForeignKey(LogEntry, models.PROTECT, related_name="rolls")
    purpose = models.CharField(max_length=200)
    sides = models.PositiveIntegerField()
    value = models.PositiveIntegerField()
    turn = models.PositiveIntegerField(help_text="Turn whose link gave the value.")
    chain = models.PositiveSmallIntegerField(
        default=0, help_text="0 for the first chain, n for the chain of renewal n."
    )
    audience = models.ForeignKey(
        SeatSet, models.PROTECT, null=True, blank=True, related_name="+", db_index=False
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["entry", "purpose"], name="one_roll_a_purpose")
        ]

    def __str__(self) -> str:
        return f"{self.purpose}: {self.value} of {self.sides}"

    @property
    def roll(self) -> Roll:
        """The roll as the kernel has it."""
        return Roll(self.purpose, self.sides, self.value, self.turn, audience_of(self.audience_id))


class DiceRenewal(models.Model):
    """New dice from an entry on (RECORD, Renewed dice).

    Every purpose that was not thrown before uses this chain.
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="dice_renewals")
    number = models.PositiveSmallIntegerField(help_text="1, 2, …")
    entry = models.OneToOneField(
        LogEntry, models.PROTECT, related_name="renewal", help_text="Entry with the commitment."
    )
    seed_sealed = models.TextField()
    commitment = models.CharField(max_length=64)
    links_published = models.PositiveIntegerField(
        default=0, help_text="Number of published links when the chain was replaced."
    )

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "number"], name="one_renewal_a_number")
        ]

    def __str__(self) -> str:
        return f"{self.campaign}: dice, renewal {self.number}"


class VaultKey(models.Model):
    """The vault key that seals the secrets of this database: one row, pk 1 (`campaign.keys`).

    Backups do not contain the row; their manifest has the fingerprint.
    """

    fingerprint = models.CharField(
        max_length=64, help_text="Fingerprint of the key (`campaign.keys.fingerprint`)."
    )
    set_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"vault key {self.fingerprint[:8]}"


class TickRun(models.Model):
    """The last run of each kind of scheduled work (`campaign.pulse.note`).

    Backups do not contain the rows; the next run writes them again.
    """

    part = models.CharField(
        max_length=100, primary_key=True, help_text="Name of the tick in settings.TICKS."
    )
    at = models.DateTimeField()
    seconds = models.FloatField(help_text="Duration.")
    failed = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.part} at {self.at:%Y-%m-%d %H:%M:%S}"


class RunningTask(models.Model):
    """A task that a worker is doing (`campaign.pulse`); backups do not contain it.

    If a task is ended with its process, its row remains until the next pulse; `ends_by` has then
    passed.
    """

    id = models.CharField(max_length=64, primary_key=True, help_text="Id of the Celery task.")
    name = models.CharField(
        max_length=100,
        help_text=(
            "Name of the task; for the task `work`, also the kind of work, for "
            "example `work clocks`."
        ),
    )
    started_at = models.DateTimeField()
    ends_by = models.DateTimeField(help_text="Latest time at which its process will be ended.")

    def __str__(self) -> str:
        return f"{self.name} since {self.started_at:%Y-%m-%d %H:%M:%S}"


# Uploads: records that become campaigns, scenarios, and files with shapes that become drafts. Only
# `campaign.imports` writes them.


class ImportJob(models.Model):
    """A text or file that a user sent for a worker to read, and the progress of the work.

    It has no effect before all of it is judged. `content` is what the user sent, compressed; it is
    empty after the work has ended. It contains a record; or, for a scenario, JSON with `text` and
    `drawing`; or, for a file with shapes, a line of JSON with the names and whether a draft begins,
    then the file. `result` is the public id of the `draft` that began from the shapes, or the
    `sheet` and the `errors` that the page shows. `attempt` counts the workers that have begun the
    job: a worker that finds a higher number than its own has been given up, and writes nothing
    more.
    """

    class Kind(models.TextChoices):
        RECORD = "record", "a record"
        SCENARIO = "scenario", "a scenario"
        SHAPES = "shapes", "a file with shapes"

    class State(models.TextChoices):
        WAITING = "waiting", "waiting"
        READING = "reading", "being read"
        REPLAYING = "replaying", "being replayed"
        WRITING = "writing", "being written"
        FOUNDED = "founded", "done"
        FAULTY = "faulty", "faults found"
        STOPPED = "stopped", "stopped by an error"
        TOO_LONG = "too-long", "took too long"

    OPEN = (State.WAITING, State.READING, State.REPLAYING, State.WRITING)

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="imports")
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.RECORD)
    title = models.CharField(
        max_length=40, default="", blank=True, help_text="Of a scenario: key of the title."
    )
    name = models.CharField(max_length=100)
    time_zone = models.CharField(max_length=64)
    visibility = models.CharField(max_length=10, help_text="Of a scenario: how it is shared.")
    language = models.CharField(max_length=8, default="en", help_text="Language of the faults.")
    content = models.BinaryField(default=b"")
    digest = models.CharField(max_length=64, help_text="SHA-256 of everything that was sent.")
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    attempt = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0, help_text="Number of replayed moves.")
    total = models.PositiveIntegerField(default=0)
    faults = models.JSONField(
        default=list,
        encoder=StoredEncoder,
        decoder=StoredDecoder,
        help_text="Faults as sentences.",
    )
    result = models.JSONField(
        null=True, blank=True, help_text="Result of reading a file with shapes."
    )
    campaign = models.OneToOneField(
        "campaign.Campaign", models.PROTECT, null=True, blank=True, related_name="+"
    )
    scenario = models.ForeignKey(
        "campaign.Scenario", models.PROTECT, null=True, blank=True, related_name="+"
    )
    made_at = models.DateTimeField()
    heartbeat_at = models.DateTimeField(
        null=True, blank=True, help_text="Last sign of life of the worker."
    )
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["heartbeat_at"], condition=Q(ended_at=None), name="import_to_do")
        ]

    def __str__(self) -> str:
        return f"import {self.pk} ({self.state})"

    @property
    def open(self) -> bool:
        """Whether the work has not ended."""
        return self.state in self.OPEN


# The log of users who opened a hidden hand of another seat. Only `campaign.review` writes these
# rows, and they are never deleted.


class AccessLogEntry(models.Model):
    """The times that a user has seen a seat's secrets within one hour (UTC).

    It has the first and the last time, their number, and the ways. The seat's holder and this user
    read it. It is not part of the log, which everyone reads.
    """

    class Way(models.TextChoices):
        HAND = "hand", gettext_lazy("opened the hand on its page")
        RECORD = "record", gettext_lazy("took the record with all hands")
        PACK = "pack", gettext_lazy("took the audit pack with all hands")
        ORDERS = "orders", gettext_lazy("read the standing orders")
        MOVE = "move", gettext_lazy("moved for the seat")
        PROGRAM = "api", gettext_lazy("read it with a program")

    campaign = models.ForeignKey("campaign.Campaign", models.PROTECT, related_name="access_log")
    user = models.ForeignKey(PEOPLE, models.PROTECT, related_name="+")
    seat = models.CharField(max_length=40)
    hour = models.DateTimeField(help_text="Hour of the access, without minutes.")
    first_at = models.DateTimeField()
    last_at = models.DateTimeField()
    count = models.PositiveIntegerField(default=1)
    ways = models.CharField(max_length=80, help_text="Values of Way, separated by commas.")

    class Meta:
        ordering = ["-hour", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "user", "seat", "hour"], name="one_look_an_hour"
            )
        ]

    def __str__(self) -> str:
        return f"{self.campaign_id}: a look at {self.seat}"

    @property
    def way_labels(self) -> list[str]:
        """The ways, in words."""
        return [str(self.Way(key).label) for key in self.ways.split(",") if key in self.Way.values]


# Deadlines. Only `campaign.clocks.services` writes these rows.

SOON, TODAY, MISSED, ACTED, MOVED = "soon", "today", "missed", "acted", "moved"
"""The events of a clock.

80% of its time is gone; it is the day of its deadline; its time is over; it has acted by itself;
its deadline was moved.
"""
SMALLEST_CHANGE = timedelta(minutes=1)
"""Deadlines are shown to the minute, so a smaller change is not announced."""


class Clock(models.Model):
    """A deadline that follows from the log: of a turn, a slot, an answer, a battle, a claim.

    It refers to the entry that opened it. If the entry is undone, the clock ends; if it is
    restored, the clock continues with the time that was left. `next_at` is the next instant at
    which the tick has something to do, and the only column that the tick searches.
    """

    class Kind(models.TextChoices):
        TURN = "turn", pgettext_lazy("option", "Turn")
        SLOT = "slot", pgettext_lazy("option", "Player’s turn")
        ANSWER = "answer", gettext_lazy("Answer to a challenge")
        BATTLE = "battle", pgettext_lazy("option", "Battle")
        CLAIM = "claim", gettext_lazy("Confirmation of a claim")
        WORDS = "words", pgettext_lazy("option", "Words for the dice")

    class End(models.TextChoices):
        DONE = "done", "the awaited act was done"
        ACTED = "acted", "the clock acted"
        UNDONE = "undone", "the entry was undone"
        OFF = "off", "switched off, or the campaign ended"

    campaign = models.ForeignKey("campaign.Campaign", models.PROTECT, related_name="clocks")
    kind = models.CharField(max_length=6, choices=Kind.choices)
    seat = models.CharField(
        max_length=40,
        blank=True,
        default="",
        help_text="Seat that the clock waits for, if it is a single one.",
    )
    contest = models.PositiveIntegerField(null=True, blank=True)
    entry = models.ForeignKey(
        "campaign.LogEntry",
        models.PROTECT,
        related_name="+",
        help_text="Entry that started the clock.",
    )
    followup_key = models.CharField(
        max_length=200,
        blank=True,
        default="",
        help_text="Distinguishes this clock from the next one of the same kind and seat.",
    )
    waits_for = models.ForeignKey(
        SeatSet, models.PROTECT, null=True, blank=True, related_name="+", db_index=False
    )
    zone = models.CharField(
        max_length=64, help_text="Time zone in which a length in days is counted."
    )
    length = models.CharField(max_length=6)
    started_at = models.DateTimeField()
    first_due_at = models.DateTimeField(help_text="Deadline without extensions.")
    due_at = models.DateTimeField()
    paused_time = models.DurationField(
        default=timedelta(),
        help_text=("Total time of pauses, and of the time during which its entry was undone."),
    )
    held_at = models.DateTimeField(
        null=True, blank=True, help_text="Start of the current pause of the campaign."
    )
    grace = models.CharField(max_length=6, default="0h")
    acts_at = models.DateTimeField(
        null=True, blank=True, help_text="When the clock acts by itself; empty if it only reminds."
    )
    notified_kinds = models.CharField(
        max_length=40, blank=True, default="", help_text="Notices already sent about this deadline."
    )
    attempts = models.PositiveIntegerField(default=0, help_text="Number of failed attempts to act.")
    next_at = models.DateTimeField(null=True, blank=True)
    acted_entry = models.ForeignKey(
        "campaign.LogEntry", models.PROTECT, null=True, blank=True, related_name="+"
    )
    ended_at = models.DateTimeField(null=True, blank=True)
    end_reason = models.CharField(max_length=6, choices=End.choices, blank=True, default="")

    class Meta:
        indexes = [
            models.Index(fields=["next_at"], condition=Q(next_at__isnull=False), name="clock_next"),
            models.Index(
                fields=["campaign"], condition=Q(ended_at__isnull=True), name="clock_running"
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "kind", "seat", "contest", "entry"],
                condition=Q(contest__isnull=False),
                name="one_clock_a_contest",
            ),
            models.UniqueConstraint(
                fields=[
                    "campaign",
                    "kind",
                    "seat",
                    "followup_key",
                    "entry",
                ],  # Renewed dice need new words after the same move.
                condition=Q(contest__isnull=True),
                name="one_clock_an_entry",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.campaign_id}: {self.kind} {self.seat or self.contest or ''}"

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats for which it waits."""
        return seats_of(self.waits_for_id) if self.waits_for_id else ()

    @property
    def latest(self) -> datetime:
        """The latest possible deadline: twice its length after the start, pauses aside."""
        return add(self.started_at, self.length, self.zone, 2) + self.paused_time

    @property
    def extended(self) -> bool:
        """Whether the deadline was moved."""
        return self.due_at > self.first_due_at

    @property
    def held(self) -> bool:
        """Whether the clock is paused with its campaign."""
        return self.held_at is not None

    @property
    def reminders_sent(self) -> set[str]:
        """The events of this deadline that have been announced."""
        return set(self.notified_kinds.split())

    def overdue(self, now: datetime) -> bool:
        """Return whether the deadline has passed. A paused or ended clock is never overdue."""
        return not self.held and self.ended_at is None and now >= self.due_at

    def instants(self) -> dict[str, datetime]:
        """Return when each event is due, by its name, in increasing priority.

        If several events are due, only the last of them happens.
        """
        soon = self.due_at - (self.due_at - self.started_at - self.paused_time) / 5
        today = day_of(self.due_at, self.zone)
        moments = {SOON: soon, TODAY: today, MISSED: self.due_at}
        if today <= self.started_at:
            del moments[TODAY]  # The clock began on its last day.
        if self.acts_at is not None and self.acted_entry_id is None:
            moments[ACTED] = self.acts_at
        return moments

    def arm(self) -> None:
        """Set `next_at` to the next event that is due."""
        open_now = [at for what, at in self.instants().items() if what not in self.reminders_sent]
        self.next_at = (
            None if self.held or self.ended_at is not None or not open_now else min(open_now)
        )

    def note_reminders(self, *what: str) -> None:
        """Record that these events have been announced."""
        self.notified_kinds = " ".join(sorted(self.reminders_sent | set(what)))

    def move(self, to: datetime) -> None:
        """Set another deadline. The caller must call `rearm` afterwards."""
        if self.acts_at is not None:
            self.acts_at = add(to, self.grace, self.zone)
        self.due_at = to

    def rearm(self, at: datetime) -> None:
        """Let the events that lie ahead be announced again, after a change of the deadline."""
        self.notified_kinds = " ".join(
            sorted(what for what in self.reminders_sent if self.instants().get(what, at) <= at)
        )
        self.arm()

    def shift(self, by: timedelta) -> None:
        """Move the deadline and what follows it by a time that did not count, such as a pause."""
        self.paused_time += by
        self.due_at += by
        self.first_due_at += by
        if self.acts_at is not None:
            self.acts_at += by

"""The table of any title, and the log, which is the campaign. Only `campaign.services` writes here.

What belongs to seats is in `campaign.seats.models`, and is named here with the rest.
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
from django.utils.translation import gettext_lazy

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

# Sets of seats: who may see a row, who writes in a conversation, for whom a clock waits.


GAME_MASTER = "gm"


class SeatSet(models.Model):
    """A set of seats to which rows refer, one row for all equal sets of the site.

    Queries never search in `key`: they look for members, which have an index.
    """

    key = models.TextField(
        primary_key=True, help_text="the seats between bars: |huns|romans|; || for no seat"
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
    """Write the sets with these keys that are not stored yet. Makes no query if there are none.

    It writes in the order of the keys, so that two transactions never wait for each other.
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
    """Return whether any of these seats (the game master sees all) may see it."""
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


# Lengths of time as people say them: whole days, which end at the same local time, or whole hours.
#
# Written `3d` or `36h`, in terms, rows and the log.


LENGTH = re.compile(r"([1-9][0-9]{0,3})([dh])|0h", re.ASCII)
MOST_DAYS, MOST_HOURS = 365, 24 * 60
MORNING = time(8)
HASTE = timedelta(hours=2)
"""How long before a deadline of the early morning its day's reminder comes."""


def is_length(text: object, *, none: bool = False) -> bool:
    """Is it a length of at most a year of days, or sixty days of hours? `none`: may it be `0h`?"""
    if not isinstance(text, str) or LENGTH.fullmatch(text) is None:
        return False
    amount = int(text[:-1])
    return (none or amount > 0) and amount <= (MOST_DAYS if text.endswith("d") else MOST_HOURS)


def local(at: datetime, zone: ZoneInfo) -> datetime:
    """The instant of a local time, in UTC. One that is there twice is the later; one that is left
    out, as the clocks go forward, is as long after midnight as it would have been: nobody loses an
    hour to either.
    """
    naive = at.replace(tzinfo=None)
    return max(naive.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))


def add(at: datetime, length: str, zone: str, times: int = 1) -> datetime:
    """The instant so many lengths later, in UTC."""
    amount = int(length[:-1]) * times
    if length.endswith("h"):
        return at.astimezone(UTC) + timedelta(hours=amount)
    if not amount:
        return at.astimezone(UTC)
    where = ZoneInfo(zone)
    return local(at.astimezone(where) + timedelta(days=amount), where)


def day_of(due: datetime, zone: str) -> datetime:
    """When one is reminded on the day of a deadline: at eight in the morning there; two hours
    before an earlier one, but not before midnight.
    """
    where = ZoneInfo(zone)
    day = due.astimezone(where).date()
    morning, midnight = (local(datetime.combine(day, at), where) for at in (MORNING, time(0)))
    return max(midnight, min(morning, due.astimezone(UTC) - HASTE))


# The rows.


PEOPLE = settings.AUTH_USER_MODEL

# Scenarios that people write, and the drawings of maps that go with them.


class MapDrawing(models.Model):
    """A map as its title has read it and written it anew. It is named by what it says, so it never
    changes; scenarios and campaigns that show the same map share it.
    """

    digest = models.CharField(
        max_length=64, primary_key=True, editable=False, help_text="SHA-256 of the text"
    )
    text = models.TextField(help_text="canonical JSON, as the title wrote it")

    def __str__(self) -> str:
        return self.digest[:12]


class Scenario(models.Model):
    """A scenario on somebody's shelf. A campaign takes copies: what becomes of this row is nothing
    to it.

    `removed_at` takes it from every page but its owner's list, where it may be brought back;
    `hidden` is the host's.
    """

    class Sharing(models.TextChoices):
        PRIVATE = "private", gettext_lazy("Private: only you")
        LINK = "link", gettext_lazy("By link: everybody with the address")
        PUBLIC = "public", gettext_lazy("Public: in the list for everybody")

    public_id = models.CharField(max_length=8, unique=True, editable=False)
    owner = models.ForeignKey(PEOPLE, models.PROTECT, related_name="scenarios")
    title = models.CharField(max_length=40, help_text="key of the game")
    name = models.CharField(max_length=100)
    text = models.TextField(help_text="canonical JSON of the scenario object")
    drawing = models.ForeignKey(
        MapDrawing, models.PROTECT, null=True, blank=True, related_name="scenarios"
    )
    digest = models.CharField(max_length=64, help_text="SHA-256 of scenario and drawing")
    sharing = models.CharField(max_length=10, choices=Sharing.choices, default=Sharing.PRIVATE)
    made_at = models.DateTimeField()
    removed_at = models.DateTimeField(null=True, blank=True)
    hidden = models.BooleanField(
        default=False, help_text="the host has taken it from everybody but its owner"
    )
    draft = models.ForeignKey(
        "ScenarioDraft",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="versions",
        help_text="made from it",
    )
    version = models.PositiveSmallIntegerField(
        default=0, help_text="which version of its draft; 0: brought as a file"
    )
    note = models.CharField(
        max_length=200, blank=True, default="", help_text="what is new in this version"
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
    """A scenario that is being made. It may be faulty; `past` and `future` hold the steps that can
    be undone and redone.

    What is published from it is a `Scenario`, which never changes.
    """

    public_id = models.CharField(max_length=8, unique=True, editable=False)
    owner = models.ForeignKey(PEOPLE, models.PROTECT, related_name="drafts")
    title = models.CharField(max_length=40, help_text="key of the game")
    name = models.CharField(max_length=100)
    scenario = models.TextField(help_text="JSON of the scenario object")
    drawing = models.TextField(help_text="JSON of its drawing")
    revision = models.PositiveIntegerField(
        default=0, help_text="counts every change, so that two windows do not overwrite each other"
    )
    past = models.TextField(default="[]", help_text="JSON: what takes each of the last steps back")
    future = models.TextField(default="[]", help_text="JSON: what makes undone steps again")
    origin = models.ForeignKey(
        Scenario, models.PROTECT, null=True, blank=True, related_name="forks"
    )
    origin_name = models.CharField(
        max_length=100, blank=True, default="", help_text="name of what it was begun from"
    )
    begun_at = models.DateTimeField()
    saved_at = models.DateTimeField()
    removed_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.name} ({self.public_id})"


class Playtest(models.Model):
    """Campaigns of one scenario that programs play, to show its balance. It belongs to the text of
    the scenario and to nobody: the same text is not played twice. `rows` has one row a campaign, as
    the title's programs give it.
    """

    digest = models.CharField(
        max_length=64, unique=True, help_text="of title, scenario, program and number of campaigns"
    )
    title = models.CharField(max_length=40, help_text="key of the game")
    scenario = models.TextField(help_text="canonical JSON of the scenario object")
    player = models.CharField(max_length=20, help_text="name of the program")
    games = models.PositiveIntegerField(help_text="how many campaigns are to be played")
    done = models.PositiveIntegerField(default=0)
    seconds = models.PositiveIntegerField(default=0, help_text="time that playing has taken")
    rows = models.JSONField(default=list, help_text="the campaigns played so far")
    failed = models.BooleanField(
        default=False, help_text="it stopped on our side, or exceeded a limit"
    )
    limit = models.CharField(
        max_length=6, default="", blank=True, help_text="it exceeded: memory or time"
    )
    asked_at = models.DateTimeField()
    heartbeat_at = models.DateTimeField(
        null=True, blank=True, help_text="when who plays it last said so"
    )
    ended_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"play-test {self.pk} ({self.done} of {self.games})"


class Campaign(models.Model):
    """One playing of a title. The fields under "copies" are written with each entry and never read
    to play.
    """

    class Visibility(models.TextChoices):
        LISTED = "listed", gettext_lazy("Listed: anybody finds it")
        UNLISTED = "unlisted", gettext_lazy("Unlisted: everybody with the address")
        MEMBERS = "members", gettext_lazy("Members only")

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
    title = models.CharField(max_length=40, help_text="key of the game")
    scenario = models.TextField(
        help_text="canonical JSON of the scenario object, or of a shipped one's name"
    )
    options = models.TextField(help_text="canonical JSON")
    edition = models.PositiveSmallIntegerField(
        default=1, help_text="edition of the title's rules, as the genesis names it"
    )
    drawing = models.ForeignKey(
        MapDrawing,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="campaigns",
        help_text="its own map",
    )
    seed_sealed = models.TextField()
    digest_key_sealed = models.TextField()
    commitment = models.CharField(max_length=64)
    imported = models.BooleanField(
        default=False, help_text="it began as a record, whose dice somebody may have chosen"
    )
    chance = models.CharField(
        max_length=8,
        default="",
        blank=True,
        help_text="what is mixed into the dice: words, draw, both; empty: nothing",
    )
    amending = models.CharField(
        max_length=12,
        default="two-thirds",
        help_text="who must agree before rules change in play: master, most, two-thirds, all",
    )
    sight = models.CharField(
        max_length=10,
        default="reported",
        help_text="what the game master reads of messages: all, reported, addressed",
    )
    press_reported = models.BooleanField(
        default=False, help_text="the report of a turn has its proclamations"
    )
    programs = models.JSONField(
        null=True,
        blank=True,
        encoder=StoredEncoder,
        decoder=StoredDecoder,
        help_text="of a practice campaign: seats of programs, how battles are decided",
    )
    """Of practice alone. A program that holds a seat among people stands in `seat_programs`."""
    lesson = models.CharField(
        max_length=6,
        default="",
        blank=True,
        help_text="a guided first game: guided, left; empty: an ordinary campaign",
    )
    forecasts = models.PositiveIntegerField(
        default=0, help_text="forecasts that have been made (`campaign.forecasts`)"
    )
    onward = models.JSONField(
        null=True,
        blank=True,
        encoder=StoredEncoder,
        decoder=StoredDecoder,
        help_text="what is being played on (campaign.playing_on)",
    )
    time_zone = models.CharField(max_length=64, default="UTC")
    visibility = models.CharField(
        max_length=10, choices=Visibility.choices, default=Visibility.UNLISTED
    )
    founder = models.ForeignKey(PEOPLE, models.PROTECT, related_name="founded")
    founded_at = models.DateTimeField()

    # Copies
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
        help_text="of the last entry that changed the position",
    )
    changes = models.PositiveIntegerField(
        default=0,
        help_text=(
            "counts all that a page may show: entries, hidden ones too, clocks, messages, names;"
            " never shown"
        ),
    )
    public_changes = models.PositiveIntegerField(
        default=0,
        help_text="counts what every reader may see: public entries, clocks, names",
    )
    # What `status` is made of: a campaign archived or paused keeps what it was (`campaign.status`).
    started = models.BooleanField(default=False, help_text="a move has been made")
    ended = models.BooleanField(default=False, help_text="the title has final standings")
    lobby_open = models.BooleanField(default=False)
    paused = models.BooleanField(default=False)
    abandoned = models.BooleanField(default=False)
    archived = models.BooleanField(default=False)
    # What the host says of it (`campaign.hosting.host_acts`).
    suspended = models.BooleanField(default=False, help_text="nobody reads or moves it")
    hidden = models.BooleanField(default=False, help_text="it stands in no list")
    # What it came to, from when it ends until an undo opens it again: for the hall of fame
    # (`campaign.status`).
    result = models.JSONField(
        null=True,
        blank=True,
        encoder=StoredEncoder,
        decoder=StoredDecoder,
        help_text="the final standings",
    )
    points = models.IntegerField(null=True, blank=True, help_text="of the first in the standings")
    ended_at = models.DateTimeField(null=True, blank=True)
    turn_times = models.JSONField(
        null=True,
        blank=True,
        encoder=StoredEncoder,
        decoder=StoredDecoder,
        help_text="when the moves of the turn were made, hidden ones too",
    )
    retried = models.BooleanField(default=False, help_text="a move that threw dice is struck")
    helped = models.BooleanField(default=False, help_text="a program chose for a seat")
    seat_programs = models.JSONField(
        null=True,
        blank=True,
        encoder=StoredEncoder,
        decoder=StoredDecoder,
        help_text=(
            "each program that held a seat among people, with its level, its first and last entry"
        ),
    )
    # Dice thrown elsewhere (`campaign.dice.selectors`).
    by_hand = models.BooleanField(
        default=False, help_text="every new die is entered by the game master"
    )
    entered_dice = models.JSONField(
        default=dict,
        encoder=StoredEncoder,
        decoder=StoredDecoder,
        help_text="values of dice by purpose, entered or imported",
    )
    parked = models.JSONField(
        null=True,
        blank=True,
        encoder=StoredEncoder,
        decoder=StoredDecoder,
        help_text="the announcement that waits for a die",
    )
    mixing = models.JSONField(
        default=dict,
        encoder=StoredEncoder,
        decoder=StoredDecoder,
        help_text="what is mixed into the dice, by chain and link",
    )
    draw_due = models.DateTimeField(
        null=True, blank=True, db_index=True, help_text="when the public draw that was named falls"
    )
    # New dice in the course of the campaign (`campaign.dice.services`).
    renewals = models.PositiveSmallIntegerField(
        default=0, help_text="how often the dice were renewed"
    )
    links_published = models.PositiveIntegerField(
        default=0, help_text="links of the first chain when it was replaced"
    )
    clock_terms = models.JSONField(
        null=True,
        blank=True,
        encoder=StoredEncoder,
        decoder=StoredDecoder,
        help_text="of the last act on them (`campaign.clocks`)",
    )
    forecast = models.CharField(
        max_length=3,
        default="",
        blank=True,
        help_text="on, off by the last act on it; empty: as the title has it",
    )

    # Findings of the audit (`campaign.hosting.audit`). The log does not contain them.
    fault = models.TextField(
        default="",
        blank=True,
        help_text="where the stored log does not verify; then no entry is added",
    )
    audited_at = models.DateTimeField(
        null=True, blank=True, db_index=True, help_text="when the nightly audit began with it"
    )

    class Meta:
        indexes = [  # a tick asks for these few of all campaigns
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
        """What stands behind /c/ in its addresses; the slug is ignored when read."""
        return f"{self.public_id}-{self.slug}" if self.slug else self.public_id

    @property
    def stopped(self) -> bool:
        """Are no moves made at present, whatever the rules say? Paused, abandoned, in the archive,
        suspended.
        """
        return self.paused or self.abandoned or self.archived or self.suspended

    @property
    def playable(self) -> bool:
        """May at least the game master make moves? Not where it is abandoned or in the archive."""
        return not (self.abandoned or self.archived)


class Plan(models.Model):
    """Moves that a seat's holder means to make, in their order, seen by nobody else: no part of the
    log, and of no export.

    `moves` is a list of moves in record form, of which the title knows that their
    form is right and no more. `version` counts the changes, so that of two windows the older one
    learns of it. An empty plan is a row, too.
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="plans")
    user = models.ForeignKey(PEOPLE, models.PROTECT, related_name="plans")
    seat = models.CharField(max_length=40)
    moves = models.JSONField(default=list, encoder=StoredEncoder, decoder=StoredDecoder)
    size = models.PositiveIntegerField(default=0, help_text="how many moves these are")
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
    """Something said at the table: a move of the title, or an act of the table itself. Never
    changed or deleted.

    Its hash covers a typed text by the salted hash of that text
    (`campaign.log.entries.hashed_text`), so that the chain can be checked without the text. A text
    that a moderator has removed is withheld: `sealed` then contains the original, `content_json`
    states in its place that it is removed, and `removed` when and why (`campaign.log.removal`).
    Otherwise only three fields come later: `struck_by`, the undo that took it out of force (on an
    undo: the restoration that took that back), `effects`, a cache of what replay gives, and `why`,
    of a program's move. `hash` covers the rest and the entry before, except the columns of `FACTS`,
    which repeat what the texts say, so that queries need not search in texts.
    """

    class Kind(models.TextChoices):
        MOVE = "move", "move"
        TABLE = "table", "table"

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="entries")
    sequence = models.PositiveIntegerField(
        help_text="place in the chain, of hidden entries too; never shown"
    )
    number = models.PositiveIntegerField(
        null=True, blank=True, help_text="shown; none where there is an audience"
    )
    kind = models.CharField(max_length=5, choices=Kind.choices)
    content_json = models.TextField(help_text="canonical JSON of the move or act")
    actor = models.ForeignKey(
        PEOPLE, models.PROTECT, null=True, blank=True, related_name="+", help_text="none: clock"
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
        help_text="what an undo goes back to (an own one: strikes), what is restored",
    )
    struck_by = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="struck"
    )
    digest = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)
    at = models.DateTimeField()
    turn = models.PositiveIntegerField()
    effects = models.TextField(default="[]", help_text="canonical JSON, a cache for reading")

    act = models.CharField(
        max_length=60, default="", help_text="name of the table's act, or of the move"
    )
    how = models.CharField(
        max_length=40, default="", blank=True, help_text="of a table's act that has several kinds"
    )
    why = models.JSONField(
        null=True,
        blank=True,
        encoder=StoredEncoder,
        decoder=StoredDecoder,
        help_text="why a program made this move",
    )
    salt = models.CharField(
        max_length=64,
        default="",
        blank=True,
        help_text="of the hashes of its typed texts; none where it has no text",
    )
    sealed = models.TextField(
        default="",
        blank=True,
        help_text="what was said, where a text of it is removed: for the audit",
    )
    removed = models.JSONField(
        null=True,
        blank=True,
        encoder=StoredEncoder,
        decoder=StoredDecoder,
        help_text="which texts, on which day, why",
    )

    FACTS = ("act", "how")

    linked: str | None = None
    """The last act that linked it to a post of the forum, as canonical JSON; None where there is
    none or nobody has asked.
    """
    marked: bool | None = None
    """Does a countersigner's mark stand under it? None where nobody has asked."""

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
        return self.kind == self.Kind.MOVE

    @property
    def content(self) -> dict[str, Any]:
        """The move in record form, or the act; fractions are decimals. A removed text is told in
        the language of now.
        """
        shown: dict[str, Any] = read(self.content_json)
        return (
            sentences.put(shown, self.removal["paths"], self.removal_text)
            if self.removed
            else shown
        )

    @property
    def removal(self) -> dict[str, Any]:
        """`paths` of the removed texts, the `day`, the `reason`; empty where none is."""
        return self.removed or {}

    @property
    def removal_text(self) -> str:
        """What stands in the place of removed texts; empty where there are none."""
        facts = self.removal
        return (
            sentences.removal_text(date.fromisoformat(facts["day"]), facts["reason"])
            if facts
            else ""
        )

    @property
    def table_act(self) -> str:
        """The name of a table's act; empty for a move."""
        return "" if self.is_move else self.act

    def facts(self) -> dict[str, Any]:
        """What the columns of `FACTS` have to say, by the texts."""
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
            # Titles without contests have attacks, too, whose subject is no number.
            attacks = {row["subject"] for row in read(self.effects) if row["kind"] == "attack"}
            return sorted(int(subject) for subject in attacks if subject.isdecimal())
        number = self.content.get("battle")
        return [] if number is None else [int(number)]

    @property
    def viewers(self) -> tuple[str, ...] | None:
        return audience_of(self.audience_id)

    @property
    def all_effects(self) -> tuple[Effect, ...]:
        """Unfiltered: what a reader may see is for `selectors` to say."""
        return tuple(Effect.from_json(raw) for raw in read(self.effects))


class ContestEntry(models.Model):
    """A contest that a log entry concerns (`LogEntry.contests`), for queries."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="+", db_index=False)
    contest = models.PositiveIntegerField(help_text="number of the contest")
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
    """How the campaign may end, by programs that play on after the entry that closed a turn. It
    counts while that entry is in force. `rows` are the campaigns played so far, until `result` says
    what came of them.
    """

    entry = models.OneToOneField(LogEntry, models.CASCADE, related_name="forecast")
    done = models.PositiveIntegerField(default=0, help_text="campaigns that have been played")
    seconds = models.FloatField(default=0.0, help_text="time that playing has taken on one core")
    rows = models.JSONField(default=dict, help_text="the campaigns played so far, by place")
    result = models.JSONField(null=True, blank=True)
    failed = models.BooleanField(
        default=False, help_text="it stopped on our side, or exceeded a limit"
    )
    limit = models.CharField(
        max_length=6, default="", blank=True, help_text="it exceeded: memory or time"
    )
    asked_at = models.DateTimeField()
    heartbeat_at = models.DateTimeField(
        null=True, blank=True, help_text="when who plays it last said so"
    )
    ended_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"forecast {self.pk} ({self.done} campaigns)"


class DiceRoll(models.Model):
    """A roll that a move threw. A purpose thrown again after an undo stands twice, with one
    value.
    """

    entry = models.ForeignKey(LogEntry, models.PROTECT, related_name="rolls")
    purpose = models.CharField(max_length=200)
    sides = models.PositiveIntegerField()
    value = models.PositiveIntegerField()
    turn = models.PositiveIntegerField(help_text="whose link it came from")
    chain = models.PositiveSmallIntegerField(
        default=0, help_text="0: the first chain, n: that of renewal n"
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
        return Roll(self.purpose, self.sides, self.value, self.turn, audience_of(self.audience_id))


class DiceRenewal(models.Model):
    """New dice from an entry on (RECORD, Renewed dice): every purpose that was not thrown before
    comes from this chain.
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="dice_renewals")
    number = models.PositiveSmallIntegerField(help_text="1, 2, …")
    entry = models.OneToOneField(
        LogEntry, models.PROTECT, related_name="renewal", help_text="it holds the commitment"
    )
    seed_sealed = models.TextField()
    commitment = models.CharField(max_length=64)
    links_published = models.PositiveIntegerField(
        default=0, help_text="when it was replaced itself"
    )

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "number"], name="one_renewal_a_number")
        ]

    def __str__(self) -> str:
        return f"{self.campaign}: dice, renewal {self.number}"


class VaultKey(models.Model):
    """Which vault key seals the secrets of this database: one row, pk 1 (`campaign.keys`). It is in
    no backup, whose manifest has the fingerprint.
    """

    fingerprint = models.CharField(max_length=64, help_text="campaign.keys.fingerprint of the key")
    set_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"vault key {self.fingerprint[:8]}"


class TickRun(models.Model):
    """When each kind of the pulse's work was last done (`campaign.pulse.note`). In no backup; lost,
    the next pulse writes it.
    """

    part = models.CharField(
        max_length=100, primary_key=True, help_text="as settings.TICKS names it"
    )
    at = models.DateTimeField()
    seconds = models.FloatField(help_text="how long it took")
    failed = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.part} at {self.at:%Y-%m-%d %H:%M:%S}"


class RunningTask(models.Model):
    """A task that a worker is doing (`campaign.pulse`); backups do not contain it.

    If a task is ended with its process, its row remains until the next pulse; `ends_by` has then
    passed.
    """

    id = models.CharField(max_length=64, primary_key=True, help_text="as Celery names it")
    name = models.CharField(
        max_length=100, help_text="the task, of the pulse's work with its kind: work clocks"
    )
    started_at = models.DateTimeField()
    ends_by = models.DateTimeField(help_text="when its process is ended at the latest")

    def __str__(self) -> str:
        return f"{self.name} since {self.started_at:%Y-%m-%d %H:%M:%S}"


# Records that become campaigns, scenarios that go to a shelf, files with shapes that become drafts.
# Only `campaign.imports` writes here.


class ImportJob(models.Model):
    """A text or file that a user sent for a worker to read, and the progress of the work.

    It has no effect before all of it is judged. `content` is what the user sent, compressed; it is
    empty after the work has ended. It contains a record; or, for a scenario, JSON with `text` and
    `drawing`; or, for a file with shapes, a line of JSON with the names and whether a draft begins,
    then the file. `result` is the public id of the `draft` that began from the shapes, or the
    `sheet` and the `errors` that the page shows. `attempt` counts who has taken it on: whoever
    finds another number than their own has been given up for dead, and writes no more.
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
        FOUNDED = "founded", "founded, on the shelf, or read"
        FAULTY = "faulty", "faults were found"
        STOPPED = "stopped", "it stopped on our side"
        TOO_LONG = "too-long", "it took too long"

    OPEN = (State.WAITING, State.READING, State.REPLAYING, State.WRITING)

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="imports")
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.RECORD)
    title = models.CharField(
        max_length=40, default="", blank=True, help_text="of a scenario: key of the game"
    )
    name = models.CharField(max_length=100)
    time_zone = models.CharField(max_length=64)
    visibility = models.CharField(max_length=10, help_text="of a scenario: how it is shared")
    language = models.CharField(max_length=8, default="en", help_text="in which faults are told")
    content = models.BinaryField(default=b"")
    digest = models.CharField(max_length=64, help_text="of all that was sent")
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    attempt = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0, help_text="moves replayed")
    total = models.PositiveIntegerField(default=0)
    faults = models.JSONField(
        default=list,
        encoder=StoredEncoder,
        decoder=StoredDecoder,
        help_text="sentences",
    )
    result = models.JSONField(null=True, blank=True, help_text="what was read of shapes")
    campaign = models.OneToOneField(
        "campaign.Campaign", models.PROTECT, null=True, blank=True, related_name="+"
    )
    scenario = models.ForeignKey(
        "campaign.Scenario", models.PROTECT, null=True, blank=True, related_name="+"
    )
    made_at = models.DateTimeField()
    heartbeat_at = models.DateTimeField(
        null=True, blank=True, help_text="when who works at it last said so"
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
        return self.state in self.OPEN


# Who looked at a hidden hand that is not theirs. Only `campaign.review` writes here, and nobody
# takes a row away.


class AccessLogEntry(models.Model):
    """A person's looks at a seat's secrets within one hour (UTC): the first, the last, how many,
    and in which ways.

    It is read by the seat's holder, and by whoever looked. No part of the log, which would tell
    everybody.
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
    hour = models.DateTimeField(help_text="the full hour in which it was")
    first_at = models.DateTimeField()
    last_at = models.DateTimeField()
    count = models.PositiveIntegerField(default=1)
    ways = models.CharField(max_length=80, help_text="keys of Way, between commas")

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


# Deadlines as rows. Only `campaign.clocks.services` writes here.

SOON, TODAY, MISSED, ACTED, MOVED = "soon", "today", "missed", "acted", "moved"
"""What is said of a clock: 80% of its time is gone, it is its day, it is over, it did something by
itself, it was moved.
"""
WORTH_TELLING = timedelta(minutes=1)
"""Deadlines are told to the minute: one that a short pause moves by less is the same in words."""


class Clock(models.Model):
    """Something of the log that is due: a turn, a slot, an answer, a battle, a claim's
    confirmation.

    It points to the entry that opened it. Undone, it ends; restored, it runs on with the time it
    had. `next_at` is the next instant at which the tick has something to do with it, and the only
    thing that the tick looks for.
    """

    class Kind(models.TextChoices):
        TURN = "turn", gettext_lazy("Turn")
        SLOT = "slot", gettext_lazy("Slot")
        ANSWER = "answer", gettext_lazy("Answer to a challenge")
        BATTLE = "battle", gettext_lazy("Battle")
        CLAIM = "claim", gettext_lazy("Confirmation of a claim")
        WORDS = "words", gettext_lazy("Words for the dice")

    class End(models.TextChoices):
        DONE = "done", "what it waited for was done"
        ACTED = "acted", "it did it by itself"
        UNDONE = "undone", "its entry was undone"
        OFF = "off", "the game master switched it off, or the campaign ended"

    campaign = models.ForeignKey("campaign.Campaign", models.PROTECT, related_name="clocks")
    kind = models.CharField(max_length=6, choices=Kind.choices)
    seat = models.CharField(
        max_length=40, blank=True, default="", help_text="whom it waits for, where it is one"
    )
    contest = models.PositiveIntegerField(null=True, blank=True)
    entry = models.ForeignKey(
        "campaign.LogEntry", models.PROTECT, related_name="+", help_text="that opened it"
    )
    followup_key = models.CharField(
        max_length=200, blank=True, default="", help_text="tells what follows on it from it"
    )
    waits_for = models.ForeignKey(
        SeatSet, models.PROTECT, null=True, blank=True, related_name="+", db_index=False
    )
    zone = models.CharField(max_length=64, help_text="whose local time a length in days keeps")
    length = models.CharField(max_length=6)
    started_at = models.DateTimeField()
    first_due_at = models.DateTimeField(help_text="by its length, before anybody extended it")
    due_at = models.DateTimeField()
    paused_time = models.DurationField(
        default=timedelta(), help_text="pauses, and the time for which it was undone"
    )
    held_at = models.DateTimeField(
        null=True, blank=True, help_text="since when it stands still: the campaign pauses"
    )
    grace = models.CharField(max_length=6, default="0h")
    acts_at = models.DateTimeField(
        null=True, blank=True, help_text="when it does by itself what it does; none: it reminds"
    )
    notified_kinds = models.CharField(
        max_length=40, blank=True, default="", help_text="what was said of this deadline"
    )
    attempts = models.PositiveIntegerField(
        default=0, help_text="how often it failed to do what was due"
    )
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
                ],  # renewed dice want new words after the same move
                condition=Q(contest__isnull=True),
                name="one_clock_an_entry",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.campaign_id}: {self.kind} {self.seat or self.contest or ''}"

    @property
    def seats(self) -> tuple[str, ...]:
        """Whom it waits for."""
        return seats_of(self.waits_for_id) if self.waits_for_id else ()

    @property
    def latest(self) -> datetime:
        """The last instant to which it may be extended: twice its length, pauses aside."""
        return add(self.started_at, self.length, self.zone, 2) + self.paused_time

    @property
    def extended(self) -> bool:
        return self.due_at > self.first_due_at

    @property
    def held(self) -> bool:
        """Does it stand still, as the campaign does?"""
        return self.held_at is not None

    @property
    def reminders_sent(self) -> set[str]:
        return set(self.notified_kinds.split())

    def overdue(self, now: datetime) -> bool:
        return not self.held and self.ended_at is None and now >= self.due_at

    def instants(self) -> dict[str, datetime]:
        """When what is to be said of it, or done, in this order of weight: the last wins where
        several are due.
        """
        soon = self.due_at - (self.due_at - self.started_at - self.paused_time) / 5
        today = day_of(self.due_at, self.zone)
        moments = {SOON: soon, TODAY: today, MISSED: self.due_at}
        if today <= self.started_at:
            del moments[TODAY]  # it began on its last day
        if self.acts_at is not None and self.acted_entry_id is None:
            moments[ACTED] = self.acts_at
        return moments

    def arm(self) -> None:
        """Set `next_at` by what is still to be said and done."""
        open_now = [at for what, at in self.instants().items() if what not in self.reminders_sent]
        self.next_at = (
            None if self.held or self.ended_at is not None or not open_now else min(open_now)
        )

    def note_reminders(self, *what: str) -> None:
        self.notified_kinds = " ".join(sorted(self.reminders_sent | set(what)))

    def move(self, to: datetime) -> None:
        """Another deadline: what it had said of the old one is said again of the new one, if that
        lies ahead of `to`.
        """
        if self.acts_at is not None:
            self.acts_at = add(to, self.grace, self.zone)
        self.due_at = to

    def rearm(self, at: datetime) -> None:
        """After a move at this moment: what lies ahead will be said again."""
        self.notified_kinds = " ".join(
            sorted(what for what in self.reminders_sent if self.instants().get(what, at) <= at)
        )
        self.arm()

    def shift(self, by: timedelta) -> None:
        """Time that did not count."""
        self.paused_time += by
        self.due_at += by
        self.first_due_at += by
        if self.acts_at is not None:
            self.acts_at += by

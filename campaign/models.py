"""The table of any title: who sits there, and the log, which is the campaign. Only `campaign.services` writes here."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from campaign.audience import pack, unpack
from campaign.clocks.models import Clock  # noqa: F401
from campaign.models_away import AbsenceAt, Heeded, StandingOrders  # noqa: F401
from campaign.models_handed import Handover, Note  # noqa: F401
from campaign.models_importing import Import  # noqa: F401
from campaign.models_looked import Look  # noqa: F401
from campaign.models_scenarios import Drawing, Scenario  # noqa: F401
from engine.effects import Effect, Roll
from engine.strict_json import read
from engine.title import Title
from games import registry

PEOPLE = settings.AUTH_USER_MODEL


class Campaign(models.Model):
    """One playing of a title. The fields under "copies" are written with each entry and never read to play."""

    class Visibility(models.TextChoices):
        LISTED = "listed", gettext_lazy("Listed: anybody finds it")
        UNLISTED = "unlisted", gettext_lazy("Unlisted: whoever has the address")
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
    scenario = models.TextField(help_text="canonical JSON of the scenario object, or of a shipped one's name")
    options = models.TextField(help_text="canonical JSON")
    drawing = models.ForeignKey(Drawing, models.PROTECT, null=True, blank=True, related_name="campaigns", help_text="its own map")
    seed_sealed = models.TextField()
    digest_key_sealed = models.TextField()
    commitment = models.CharField(max_length=64)
    time_zone = models.CharField(max_length=64, default="UTC")
    visibility = models.CharField(max_length=10, choices=Visibility.choices, default=Visibility.UNLISTED)
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
        max_length=64, default="", blank=True, help_text="of the last entry that changed the position"
    )
    # What `status` is made of: a campaign archived or paused keeps what it was (`campaign.life`).
    started = models.BooleanField(default=False, help_text="a move has been made")
    ended = models.BooleanField(default=False, help_text="the title has final standings")
    lobby_open = models.BooleanField(default=False)
    paused = models.BooleanField(default=False)
    abandoned = models.BooleanField(default=False)
    archived = models.BooleanField(default=False)
    # What the host says of it (`campaign.services.hosting`).
    suspended = models.BooleanField(default=False, help_text="nobody reads or moves it")
    hidden = models.BooleanField(default=False, help_text="it stands in no list")
    # What it came to, from when it ends until an undo opens it again: for the hall of fame (`campaign.hall`).
    result = models.TextField(default="", blank=True, help_text="canonical JSON of the final standings")
    points = models.IntegerField(null=True, blank=True, help_text="of the first in the standings")
    ended_at = models.DateTimeField(null=True, blank=True)
    retried = models.BooleanField(default=False, help_text="a move that threw dice is struck")
    helped = models.BooleanField(default=False, help_text="a program chose for a seat")
    # Dice thrown elsewhere (`campaign.hand`).
    by_hand = models.BooleanField(default=False, help_text="every new die is entered by the game master")
    given = models.TextField(default="{}", help_text="canonical JSON: values of dice by purpose, entered or imported")
    parked = models.TextField(default="", blank=True, help_text="canonical JSON of the announcement that waits for a die")
    clock_terms = models.TextField(default="", blank=True, help_text="canonical JSON of the last act on them (`campaign.clocks`)")

    COPIES = (
        "status", "turn", "phase", "active_seat", "last_sequence", "last_number", "last_hash", "standing_hash",
        "started", "ended", "lobby_open", "paused", "abandoned", "archived", "suspended", "hidden", "result", "points",
        "ended_at", "retried", "helped", "clock_terms", "by_hand", "given",
        "parked",
    )  # fmt: skip

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


class Membership(models.Model):
    """A role of a user in a campaign, from and until; a seat has one holder at a time, a user any number of roles.

    A substitute stands in for a seat's holder at one contest, named by the entry that launched it and its number there. His
    place ends with the contest without a row being written: `access.in_force` says whether it stands.
    """

    class Role(models.TextChoices):
        GAME_MASTER = "game_master", gettext_lazy("game master")
        CO_GAME_MASTER = "co_game_master", gettext_lazy("co-game-master")
        SEAT = "seat", gettext_lazy("seat")
        RESERVE = "reserve", gettext_lazy("reserve")
        SUBSTITUTE = "substitute", gettext_lazy("substitute for one battle")
        COUNTERSIGNER = "countersigner", gettext_lazy("countersigner")

    MASTERS = (Role.GAME_MASTER, Role.CO_GAME_MASTER)

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="memberships")
    user = models.ForeignKey(PEOPLE, models.PROTECT, related_name="memberships")
    role = models.CharField(max_length=16, choices=Role.choices)
    seat = models.CharField(max_length=40, blank=True, default="")
    launch = models.ForeignKey("LogEntry", models.PROTECT, null=True, blank=True, related_name="+")
    contest = models.PositiveIntegerField(null=True, blank=True)
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "seat"], condition=Q(until=None, role="seat"), name="one_holder_a_seat"),
            models.UniqueConstraint(fields=["campaign"], condition=Q(until=None, role="game_master"), name="one_game_master"),
            models.UniqueConstraint(
                fields=["campaign", "user", "role", "seat"], condition=Q(until=None) & ~Q(role="substitute"), name="one_role_once"
            ),
            models.UniqueConstraint(
                fields=["launch", "contest", "seat"], condition=Q(until=None, role="substitute"), name="one_substitute_a_side"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} as {self.seat or self.get_role_display()}"


class Invitation(models.Model):
    """A link to a seat, to any free one where `seat` is empty, or to a game master's place. Only its token's hash is kept.

    With `leaver` it hands over: who takes it, takes his place, as long as he holds it. With `named` it is that person's
    alone, who needs no link.
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="invitations")
    role = models.CharField(max_length=16, choices=Membership.Role.choices, default=Membership.Role.SEAT)
    seat = models.CharField(max_length=40, blank=True, default="")
    leaver = models.ForeignKey(PEOPLE, models.PROTECT, null=True, blank=True, related_name="+")
    named = models.ForeignKey(PEOPLE, models.PROTECT, null=True, blank=True, related_name="+")
    token_hash = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(PEOPLE, models.PROTECT, related_name="+")
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    uses_left = models.PositiveIntegerField(default=1)
    revoked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.campaign}: {self.seat or 'any free seat'}"


class Lobby(models.Model):
    """A time in which people apply for seats, and its draw, whose dice are its own: seed and commitment of one link."""

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="lobbies")
    words = models.TextField(blank=True, default="", help_text="the game master's")
    seed_sealed = models.TextField()
    commitment = models.CharField(max_length=64)
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "lobbies"
        constraints = [models.UniqueConstraint(fields=["campaign"], condition=Q(closed_at=None), name="one_open_lobby")]

    def __str__(self) -> str:
        return f"{self.campaign}: lobby"


class Application(models.Model):
    """Somebody's wish for a seat: `wishes` are seats, the best liked first, as canonical JSON. Nobody else reads them
    until the draw, whose entry tells all."""

    lobby = models.ForeignKey(Lobby, models.PROTECT, related_name="applications")
    user = models.ForeignKey(PEOPLE, models.PROTECT, related_name="applications")
    wishes = models.TextField()
    applied_at = models.DateTimeField()
    changed_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["applied_at", "pk"]
        constraints = [models.UniqueConstraint(fields=["lobby", "user"], condition=Q(withdrawn_at=None), name="one_application")]

    def __str__(self) -> str:
        return f"{self.user}: {self.lobby}"

    @property
    def seats(self) -> list[str]:
        return list(read(self.wishes))


class Plan(models.Model):
    """Moves that a seat's holder means to make, in their order, seen by nobody else: no part of the log, and of no export.

    `moves` is canonical JSON, a list of moves in record form, of which the title knows that their form is right and no
    more. `version` counts the changes, so that of two windows the older one learns of it. An empty plan is a row, too.
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="plans")
    user = models.ForeignKey(PEOPLE, models.PROTECT, related_name="plans")
    seat = models.CharField(max_length=40)
    moves = models.TextField(default="[]")
    size = models.PositiveIntegerField(default=0, help_text="how many moves these are")
    version = models.PositiveIntegerField(default=0)
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "user", "seat"], name="one_plan_a_seat_and_person")]

    def __str__(self) -> str:
        return f"{self.campaign}: a plan"

    @property
    def said(self) -> list[dict[str, Any]]:
        """The moves in record form; fractions are decimals."""
        return list(read(self.moves))


def packed_contests(numbers: Collection[object]) -> str:
    """The numbers of contests as `LogEntry.contests` has them: `|3|7|`, empty for none."""
    return (pack(str(number) for number in numbers) or "") if numbers else ""


class LogEntry(models.Model):
    """Something said at the table: a move of the title, or an act of the table itself. Never changed or deleted.

    Only two fields come later: `struck_by`, the undo that took it out of force (on an undo: the restoration that took
    that back), and `effects`, a cache of what replay gives. `hash` covers all the rest and the entry before, but for the
    columns of `FACTS`, which repeat what the texts say, so that queries need not search in these.
    """

    class Kind(models.TextChoices):
        MOVE = "move", "move"
        TABLE = "table", "table"

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="entries")
    sequence = models.PositiveIntegerField(help_text="place in the chain, of hidden entries too; never shown")
    number = models.PositiveIntegerField(null=True, blank=True, help_text="shown; none where there is an audience")
    kind = models.CharField(max_length=5, choices=Kind.choices)
    what = models.TextField(help_text="canonical JSON of the move or act")
    actor = models.ForeignKey(PEOPLE, models.PROTECT, null=True, blank=True, related_name="+", help_text="none: clock")
    seat = models.CharField(max_length=40, blank=True, default="")
    audience = models.TextField(null=True, blank=True)
    target = models.ForeignKey(
        "self",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="what an undo goes back to (an own one: strikes), what is restored",
    )
    struck_by = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="struck")
    digest = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)
    at = models.DateTimeField()
    turn = models.PositiveIntegerField()
    effects = models.TextField(default="[]", help_text="canonical JSON, a cache for reading")

    act = models.CharField(max_length=60, default="", help_text="name of the table's act, or of the move")
    how = models.CharField(max_length=40, default="", blank=True, help_text="of a table's act that has several kinds")
    contests = models.TextField(default="", blank=True, help_text="contests that an act names or a move's effects tell of: |3|7|")
    slot = models.BooleanField(default=False, help_text="its effects open or end a slot")

    FACTS = ("act", "how", "contests", "slot")

    class Meta:
        ordering = ["sequence"]
        verbose_name_plural = "log entries"
        constraints = [
            models.UniqueConstraint(fields=["campaign", "sequence"], name="one_entry_a_place"),
            models.UniqueConstraint(fields=["campaign", "number"], name="one_entry_a_number"),
        ]
        indexes = [models.Index(fields=["campaign", "act"], name="entries_of_an_act")]

    def __str__(self) -> str:
        return f"{self.campaign_id}#{self.sequence} {self.kind}"

    @property
    def is_move(self) -> bool:
        return self.kind == self.Kind.MOVE

    @property
    def said(self) -> dict[str, Any]:
        """The move in record form, or the act; fractions are decimals."""
        return read(self.what)

    @property
    def table_act(self) -> str:
        """The name of a table's act; empty for a move."""
        return "" if self.is_move else self.act

    def facts(self) -> dict[str, Any]:
        """What the columns of `FACTS` have to say, by the texts."""
        said = self.said
        if self.is_move:
            effects = read(self.effects)
            fought = {effect["subject"] for effect in effects if effect["kind"] == "attack"}
            slot = any(effect["kind"] == "slot" for effect in effects)
            return {"act": said["move"], "how": "", "contests": packed_contests(fought), "slot": slot}
        named = [] if said.get("battle") is None else [said["battle"]]
        return {"act": said["act"], "how": said.get("how", ""), "contests": packed_contests(named), "slot": False}

    @property
    def viewers(self) -> tuple[str, ...] | None:
        return unpack(self.audience)

    @property
    def all_effects(self) -> tuple[Effect, ...]:
        """Unfiltered: what a reader may see is for `selectors` to say."""
        return tuple(Effect.from_json(raw) for raw in read(self.effects))


class DiceRoll(models.Model):
    """A roll that a move threw. A purpose thrown again after an undo stands twice, with one value."""

    entry = models.ForeignKey(LogEntry, models.PROTECT, related_name="rolls")
    purpose = models.CharField(max_length=200)
    sides = models.PositiveIntegerField()
    value = models.PositiveIntegerField()
    turn = models.PositiveIntegerField(help_text="whose link it came from")
    audience = models.TextField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["entry", "purpose"], name="one_roll_a_purpose")]

    def __str__(self) -> str:
        return f"{self.purpose}: {self.value} of {self.sides}"

    @property
    def roll(self) -> Roll:
        return Roll(self.purpose, self.sides, self.value, self.turn, unpack(self.audience))


class VaultKey(models.Model):
    """Which vault key seals the secrets of this database: one row, pk 1 (`campaign.vault`). It is in no backup, whose
    manifest has the fingerprint."""

    fingerprint = models.CharField(max_length=64, help_text="campaign.keys.fingerprint of the key")
    set_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"vault key {self.fingerprint[:8]}"


class Pulse(models.Model):
    """When each kind of the pulse's work was last done (`campaign.pulse.note`). In no backup; lost, the next pulse writes it."""

    part = models.CharField(max_length=100, primary_key=True, help_text="as settings.TICKS names it")
    at = models.DateTimeField()
    seconds = models.FloatField(help_text="how long it took")
    failed = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.part} at {self.at:%Y-%m-%d %H:%M:%S}"

"""Models of seats: memberships, invitations, lobbies, orders, notes.

Only the services of `campaign` write them.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy, pgettext_lazy

from engine.strict_json import StoredDecoder, StoredEncoder

PEOPLE = settings.AUTH_USER_MODEL


class Membership(models.Model):
    """A role of a user in a campaign, from `since` until `until`.

    A seat has one holder at a time; a user can have any number of roles. A substitute stands in for
    a seat's holder at one contest, which is named by its number and the entry that launched it.
    Their membership ends with the contest although `until` stays empty: `access.in_force` checks
    this.
    """

    class Role(models.TextChoices):
        """The roles of a user in a campaign."""

        GAME_MASTER = "game_master", pgettext_lazy("option", "game master")
        CO_GAME_MASTER = "co_game_master", pgettext_lazy("option", "co-game-master")
        SEAT = "seat", gettext_lazy("seat")
        RESERVE = "reserve", pgettext_lazy("option", "reserve")
        SUBSTITUTE = "substitute", gettext_lazy("substitute for one battle")
        COUNTERSIGNER = "countersigner", pgettext_lazy("option", "countersigner")

    MASTERS = (Role.GAME_MASTER, Role.CO_GAME_MASTER)

    campaign = models.ForeignKey("campaign.Campaign", models.PROTECT, related_name="memberships")
    user = models.ForeignKey(PEOPLE, models.PROTECT, related_name="memberships")
    role = models.CharField(max_length=16, choices=Role.choices)
    seat = models.CharField(max_length=40, blank=True, default="")
    launch = models.ForeignKey(
        "campaign.LogEntry", models.PROTECT, null=True, blank=True, related_name="+"
    )
    contest = models.PositiveIntegerField(null=True, blank=True)
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)
    visited_at = models.DateTimeField(null=True, blank=True)
    visit_seen = models.PositiveIntegerField(null=True, blank=True)
    """The newest entry when the user looked last, at `visited_at`."""
    visit_since = models.PositiveIntegerField(null=True, blank=True)
    """The newest entry at the end of the visit before this one."""
    own_changes = models.PositiveIntegerField(
        default=0,
        help_text=(
            "Number of changes that only the holder can see: hidden entries, plans, messages."
        ),
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "seat"],
                condition=Q(until=None, role="seat"),
                name="one_holder_a_seat",
            ),
            models.UniqueConstraint(
                fields=["campaign"],
                condition=Q(until=None, role="game_master"),
                name="one_game_master",
            ),
            models.UniqueConstraint(
                fields=["campaign", "user", "role", "seat"],
                condition=Q(until=None) & ~Q(role="substitute"),
                name="one_role_once",
            ),
            models.UniqueConstraint(
                fields=["launch", "contest", "seat"],
                condition=Q(until=None, role="substitute"),
                name="one_substitute_a_side",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} as {self.seat or self.get_role_display()}"


class Invitation(models.Model):
    """A link to a seat, to any free seat if `seat` is empty, or to the role of a game master.

    Only the hash of its token is stored. With `leaver` it hands over a seat or role: the user who
    accepts it replaces the leaver, as long as the leaver holds it. With `named` it is for this user
    alone, who needs no link.
    """

    campaign = models.ForeignKey("campaign.Campaign", models.PROTECT, related_name="invitations")
    role = models.CharField(
        max_length=16, choices=Membership.Role.choices, default=Membership.Role.SEAT
    )
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
    """A period in which users apply for seats, and its draw.

    The draw has its own dice: the seed and commitment of one link.
    """

    campaign = models.ForeignKey("campaign.Campaign", models.PROTECT, related_name="lobbies")
    words = models.TextField(blank=True, default="", help_text="Text by the game master.")
    seed_sealed = models.TextField()
    commitment = models.CharField(max_length=64)
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "lobbies"
        constraints = [
            models.UniqueConstraint(
                fields=["campaign"], condition=Q(closed_at=None), name="one_open_lobby"
            )
        ]

    def __str__(self) -> str:
        return f"{self.campaign}: lobby"


class Application(models.Model):
    """A user's application for a seat.

    `preferences` are seats, the preferred seat first. No one else reads them until the draw, whose
    entry shows all of them.
    """

    lobby = models.ForeignKey(Lobby, models.PROTECT, related_name="applications")
    user = models.ForeignKey(PEOPLE, models.PROTECT, related_name="applications")
    preferences = models.JSONField(encoder=StoredEncoder, decoder=StoredDecoder)
    applied_at = models.DateTimeField()
    changed_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["applied_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["lobby", "user"], condition=Q(withdrawn_at=None), name="one_application"
            )
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.lobby}"


class AbsenceCampaign(models.Model):
    """A campaign that is informed of an absence, if the absence does not apply to all campaigns.

    `dropped_at` is set when the campaign is no longer informed.
    """

    absence = models.ForeignKey("people.Absence", models.PROTECT, related_name="campaign_links")
    campaign = models.ForeignKey("campaign.Campaign", models.PROTECT, related_name="+")
    dropped_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["absence", "campaign"], name="one_absence_a_campaign")
        ]

    def __str__(self) -> str:
        return f"{self.campaign}: {self.absence}"


class StandingOrders(models.Model):
    """The moves that a seat's holder wants made for them while they are away.

    The holder and the game master read them. They are not part of the log or of an export. `orders`
    is a list of `{"order": the title's, "when": "at-once" or "clock"}`, as the title has read them.
    They act while this user holds the seat. `version` counts the changes. The row stays when all
    orders are removed.
    """

    AT_ONCE, CLOCK = "at-once", "clock"

    campaign = models.ForeignKey(
        "campaign.Campaign", models.PROTECT, related_name="standing_orders"
    )
    user = models.ForeignKey(PEOPLE, models.PROTECT, related_name="standing_orders")
    seat = models.CharField(max_length=40)
    orders = models.JSONField(default=list, encoder=StoredEncoder, decoder=StoredDecoder)
    size = models.PositiveIntegerField(default=0)
    timed = models.BooleanField(
        default=False, help_text="Whether any of the orders takes effect at a deadline."
    )
    version = models.PositiveIntegerField(default=0)
    changed_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "standing orders"
        constraints = [
            models.UniqueConstraint(fields=["campaign", "user", "seat"], name="one_set_of_orders")
        ]
        indexes = [
            models.Index(
                fields=["campaign"], condition=models.Q(timed=True), name="orders_for_the_clock"
            )
        ]

    def __str__(self) -> str:
        return f"{self.campaign}: standing orders"


class StandingOrderResult(models.Model):
    """The outcome of a standing order that was due.

    `entry` opened the question. Each question is answered once: not again after an undo, and a
    refused order is not tried again before it is changed. `refusal` is the refusal by the rules
    (code, rule, message, facts); None if the order acted.
    """

    orders = models.ForeignKey(StandingOrders, models.CASCADE, related_name="results")
    entry = models.ForeignKey("campaign.LogEntry", models.CASCADE, related_name="+")
    question = models.CharField(max_length=60)
    version = models.PositiveIntegerField(help_text="Version of the orders.")
    place = models.PositiveIntegerField(help_text="Place of the order among them.")
    content = models.JSONField(encoder=StoredEncoder, decoder=StoredDecoder, help_text="The order.")
    contest = models.PositiveIntegerField(null=True, blank=True)
    refusal = models.JSONField(blank=True, null=True, encoder=StoredEncoder, decoder=StoredDecoder)
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "standing order results"
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["orders", "entry", "question", "version", "place"], name="heeded_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.orders}: {self.question}"

    @property
    def acted(self) -> bool:
        """Whether the order made its move."""
        return not self.refusal


class SeatNote(models.Model):
    """The private notes of a seat's holder, which are not part of the log or of an export.

    With `for_successor` the next holder of the seat receives them; without it no one reads them any
    more. The text is sealed with the installation's key. `version` counts the changes, so that an
    older window notices a change made in another.
    """

    campaign = models.ForeignKey("campaign.Campaign", models.PROTECT, related_name="notes")
    user = models.ForeignKey(PEOPLE, models.PROTECT, related_name="seat_notes")
    seat = models.CharField(max_length=40)
    text_sealed = models.TextField(default="")
    empty = models.BooleanField(default=True)
    for_successor = models.BooleanField(
        default=False, help_text="Whether the next holder of the seat gets the note."
    )
    version = models.PositiveIntegerField(default=0)
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "user", "seat"], name="one_note_a_seat_and_person"
            )
        ]

    def __str__(self) -> str:
        return f"{self.campaign_id}: notes for a seat"


class SeatHandover(models.Model):
    """A seat that passed to a user during play, or together with its last holder's notes.

    `leaver` held it before, if any user did. The hand-over page is computed from the campaign; only
    `note` is handed over.
    """

    campaign = models.ForeignKey("campaign.Campaign", models.PROTECT, related_name="handovers")
    membership = models.OneToOneField(Membership, models.PROTECT, related_name="handover")
    user = models.ForeignKey(PEOPLE, models.PROTECT, related_name="handovers")
    seat = models.CharField(max_length=40)
    leaver = models.ForeignKey(PEOPLE, models.PROTECT, null=True, blank=True, related_name="+")
    note = models.ForeignKey(SeatNote, models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField()
    dismissed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["user"], condition=Q(dismissed_at=None), name="handover_waits")
        ]

    def __str__(self) -> str:
        return f"{self.campaign_id}: a seat handed over"

"""Who sits where, and what goes with a seat: invitations, lobbies, orders, notes. Only
`campaign.services` writes here.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from engine.strict_json import read

PEOPLE = settings.AUTH_USER_MODEL


class Membership(models.Model):
    """A role of a user in a campaign, from and until; a seat has one holder at a time, a user any
    number of roles.

    A substitute stands in for a seat's holder at one contest, named by the entry that launched it
    and its number there. Their place ends with the contest without a row being written:
    `access.in_force` says whether it stands.
    """

    class Role(models.TextChoices):
        GAME_MASTER = "game_master", gettext_lazy("game master")
        CO_GAME_MASTER = "co_game_master", gettext_lazy("co-game-master")
        SEAT = "seat", gettext_lazy("seat")
        RESERVE = "reserve", gettext_lazy("reserve")
        SUBSTITUTE = "substitute", gettext_lazy("substitute for one battle")
        COUNTERSIGNER = "countersigner", gettext_lazy("countersigner")

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
    """The newest entry there was when its holder looked last, of `visited_at`."""
    visit_since = models.PositiveIntegerField(null=True, blank=True)
    """The newest entry there was at the end of the visit before this one."""
    own_changes = models.PositiveIntegerField(
        default=0,
        help_text="counts what only its holder sees: hidden entries, plans, messages",
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
    """A link to a seat, to any free one where `seat` is empty, or to a game master's place. Only
    its token's hash is kept.

    With `leaver` it hands over: whoever takes it takes the leaver's place, as long as the leaver
    holds it. With `named` it is that person's alone, who needs no link.
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
    """A time in which people apply for seats, and its draw, whose dice are its own: seed and
    commitment of one link.
    """

    campaign = models.ForeignKey("campaign.Campaign", models.PROTECT, related_name="lobbies")
    words = models.TextField(blank=True, default="", help_text="the game master's")
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
    """A user's application for a seat. `preferences` are seats as canonical JSON, the preferred
    seat first. No one else reads them until the draw, whose entry shows all of them.
    """

    lobby = models.ForeignKey(Lobby, models.PROTECT, related_name="applications")
    user = models.ForeignKey(PEOPLE, models.PROTECT, related_name="applications")
    preferences = models.TextField()
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

    @property
    def seats(self) -> list[str]:
        return list(read(self.preferences))


class AbsenceCampaign(models.Model):
    """A campaign that is told of an absence which is not for all; `dropped_at` where it is not told
    any more.
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
    """What a seat's holder wants said for it when it is asked something and they are away: read by
    them and the game master, no part of the log and of no export.

    `orders` is canonical JSON: a list of `{"order": the title's, "when": "at-once" or "clock"}`, as
    the title has read them. They speak while this user holds the seat. `version` counts the
    changes. No orders is a row, too.
    """

    AT_ONCE, CLOCK = "at-once", "clock"

    campaign = models.ForeignKey(
        "campaign.Campaign", models.PROTECT, related_name="standing_orders"
    )
    user = models.ForeignKey(PEOPLE, models.PROTECT, related_name="standing_orders")
    seat = models.CharField(max_length=40)
    orders = models.TextField(default="[]")
    size = models.PositiveIntegerField(default=0)
    timed = models.BooleanField(
        default=False, help_text="is one of them for when the clock has run out?"
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

    @property
    def given(self) -> list[dict[str, Any]]:
        """Each with its `order` and its `when`."""
        return list(read(self.orders))


class StandingOrderResult(models.Model):
    """An order looked at when it would act: what came of it. `entry` opened the question, so that
    each question is answered once: not again after an undo, and a refused order not before it is
    changed.

    `refusal` is canonical JSON of the rule's refusal (code, rule, message, facts); empty where the
    order acted.
    """

    orders = models.ForeignKey(StandingOrders, models.CASCADE, related_name="results")
    entry = models.ForeignKey("campaign.LogEntry", models.CASCADE, related_name="+")
    question = models.CharField(max_length=60)
    version = models.PositiveIntegerField(help_text="of the orders")
    place = models.PositiveIntegerField(help_text="of the order among them")
    content = models.TextField(help_text="canonical JSON of the order")
    contest = models.PositiveIntegerField(null=True, blank=True)
    refusal = models.TextField(blank=True, default="")
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
        return not self.refusal


class SeatNote(models.Model):
    """What a seat's holder writes down for themselves: nobody else reads it, and it is no part of
    the log or an export.

    With `for_successor` the next holder of the seat receives it; without it no one reads it any
    more. The text is sealed with the installation's key. `version` counts the changes, so that of
    two windows the older one learns of it.
    """

    campaign = models.ForeignKey("campaign.Campaign", models.PROTECT, related_name="notes")
    user = models.ForeignKey(PEOPLE, models.PROTECT, related_name="seat_notes")
    seat = models.CharField(max_length=40)
    text_sealed = models.TextField(default="")
    empty = models.BooleanField(default=True)
    for_successor = models.BooleanField(default=False, help_text="to the successor")
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
    """A seat that came to somebody while the campaign was played, or with what its last holder
    wrote down.

    `leaver` held it before, if anybody did. The page says what the campaign's rows say now; only
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

"""What is left with the table for the time in which somebody is away. Only `campaign.services` writes here."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models

from engine.strict_json import read

PEOPLE = settings.AUTH_USER_MODEL


class AbsenceAt(models.Model):
    """A campaign that is told of an absence which is not for all; `dropped_at` where it is not told any more."""

    absence = models.ForeignKey("people.Absence", models.PROTECT, related_name="told")
    campaign = models.ForeignKey("campaign.Campaign", models.PROTECT, related_name="+")
    dropped_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["absence", "campaign"], name="one_absence_a_campaign")]

    def __str__(self) -> str:
        return f"{self.campaign}: {self.absence}"


class StandingOrders(models.Model):
    """What a seat's holder wants said for it when it is asked something and he is away: read by him and the game master,
    no part of the log and of no export.

    `orders` is canonical JSON: a list of `{"order": the title's, "when": "at-once" or "clock"}`, as the title has read them.
    They speak while this user holds the seat. `version` counts the changes. No orders is a row, too.
    """

    AT_ONCE, CLOCK = "at-once", "clock"

    campaign = models.ForeignKey("campaign.Campaign", models.PROTECT, related_name="standing_orders")
    user = models.ForeignKey(PEOPLE, models.PROTECT, related_name="standing_orders")
    seat = models.CharField(max_length=40)
    orders = models.TextField(default="[]")
    size = models.PositiveIntegerField(default=0)
    timed = models.BooleanField(default=False, help_text="is one of them for when the clock has run out?")
    version = models.PositiveIntegerField(default=0)
    changed_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "standing orders"
        constraints = [models.UniqueConstraint(fields=["campaign", "user", "seat"], name="one_set_of_orders")]
        indexes = [models.Index(fields=["campaign"], condition=models.Q(timed=True), name="orders_for_the_clock")]

    def __str__(self) -> str:
        return f"{self.campaign}: standing orders"

    @property
    def given(self) -> list[dict[str, Any]]:
        """Each with its `order` and its `when`."""
        return list(read(self.orders))


class Heeded(models.Model):
    """An order looked at when it would act: what came of it. `entry` opened the question, so that each question is answered
    once: not again after an undo, and a refused order not before it is changed.

    `refusal` is canonical JSON of the rule's refusal (code, rule, message, facts); empty where the order acted.
    """

    orders = models.ForeignKey(StandingOrders, models.CASCADE, related_name="heeded")
    entry = models.ForeignKey("campaign.LogEntry", models.CASCADE, related_name="+")
    question = models.CharField(max_length=60)
    version = models.PositiveIntegerField(help_text="of the orders")
    place = models.PositiveIntegerField(help_text="of the order among them")
    said = models.TextField(help_text="canonical JSON of the order")
    contest = models.PositiveIntegerField(null=True, blank=True)
    refusal = models.TextField(blank=True, default="")
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "heeded"
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["orders", "entry", "question", "version", "place"], name="heeded_once"),
        ]

    def __str__(self) -> str:
        return f"{self.orders}: {self.question}"

    @property
    def acted(self) -> bool:
        return not self.refusal

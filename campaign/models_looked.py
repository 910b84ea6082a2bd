"""Who looked at a hidden hand that is not his. Only `campaign.services.looking` writes here, and nobody takes a row away."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy

PEOPLE = settings.AUTH_USER_MODEL


class Look(models.Model):
    """A person's looks at a seat's secrets within one hour (UTC): the first, the last, how many, and in which ways.

    It is read by the seat's holder, and by whoever looked. No part of the log, which would tell everybody.
    """

    class Way(models.TextChoices):
        HAND = "hand", gettext_lazy("opened the hand on its page")
        RECORD = "record", gettext_lazy("took the record with all hands")
        PACK = "pack", gettext_lazy("took the audit pack with all hands")
        ORDERS = "orders", gettext_lazy("read the standing orders")
        MOVE = "move", gettext_lazy("moved for the seat")
        PROGRAM = "api", gettext_lazy("read it with a program")

    campaign = models.ForeignKey("campaign.Campaign", models.PROTECT, related_name="looks")
    user = models.ForeignKey(PEOPLE, models.PROTECT, related_name="+")
    seat = models.CharField(max_length=40)
    hour = models.DateTimeField(help_text="the full hour in which it was")
    first_at = models.DateTimeField()
    last_at = models.DateTimeField()
    times = models.PositiveIntegerField(default=1)
    ways = models.CharField(max_length=80, help_text="keys of Way, between commas")

    class Meta:
        ordering = ["-hour", "-pk"]
        constraints = [models.UniqueConstraint(fields=["campaign", "user", "seat", "hour"], name="one_look_an_hour")]

    def __str__(self) -> str:
        return f"{self.campaign_id}: a look at {self.seat}"

    @property
    def said(self) -> list[str]:
        """The ways, in words."""
        return [str(self.Way(key).label) for key in self.ways.split(",") if key in self.Way.values]

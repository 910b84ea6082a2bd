"""Records on their way to become campaigns, and scenarios on their way to a shelf. Only `campaign.services` writes here."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q

from engine.strict_json import read


class Import(models.Model):
    """What somebody sent to be founded from or to be put on their shelf, and how far it is. No campaign and no shelf knows of
    it before all of it is judged.

    `content` is what was sent, compressed, until it is ended: a record, or JSON with `text` and `drawing` of a scenario.
    `attempt` counts who has taken it on: whoever finds another number than their own has been given up for dead, and writes
    no more.
    """

    class Kind(models.TextChoices):
        RECORD = "record", "a record"
        SCENARIO = "scenario", "a scenario"

    class State(models.TextChoices):
        WAITING = "waiting", "waiting"
        READING = "reading", "being read"
        REPLAYING = "replaying", "being replayed"
        WRITING = "writing", "being written"
        FOUNDED = "founded", "founded, or on the shelf"
        FAULTY = "faulty", "faults were found"
        STOPPED = "stopped", "it stopped on our side"
        TOO_LONG = "too-long", "it took too long"

    OPEN = (State.WAITING, State.READING, State.REPLAYING, State.WRITING)

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="imports")
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.RECORD)
    title = models.CharField(max_length=40, default="", blank=True, help_text="of a scenario: key of the game")
    name = models.CharField(max_length=100)
    time_zone = models.CharField(max_length=64)
    visibility = models.CharField(max_length=10, help_text="of a scenario: how it is shared")
    language = models.CharField(max_length=8, default="en", help_text="in which faults are told")
    content = models.BinaryField(default=b"")
    digest = models.CharField(max_length=64, help_text="of all that was sent")
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    attempt = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0, help_text="moves replayed")
    of = models.PositiveIntegerField(default=0)
    faults = models.TextField(default="[]", help_text="canonical JSON: sentences")
    campaign = models.OneToOneField("campaign.Campaign", models.PROTECT, null=True, blank=True, related_name="+")
    scenario = models.ForeignKey("campaign.Scenario", models.PROTECT, null=True, blank=True, related_name="+")
    made_at = models.DateTimeField()
    heard_at = models.DateTimeField(null=True, blank=True, help_text="when who works at it last said so")
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["heard_at"], condition=Q(ended_at=None), name="import_to_do")]

    def __str__(self) -> str:
        return f"import {self.pk} ({self.state})"

    @property
    def open(self) -> bool:
        return self.state in self.OPEN

    @property
    def told(self) -> list[Any]:
        """The faults, as sentences."""
        return list(read(self.faults))

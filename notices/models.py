"""Who is told of what. Only `notices.projection` and `notices.services` write here."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models

from campaign.models import Campaign, LogEntry
from engine.strict_json import read


class Notice(models.Model):
    """An entry of the log told to one person. Its words are made when read, from `kind` and `facts`.

    `seat` is as whom he was told (`gm` for the game master), `about` tells apart what one entry says twice of a kind.
    The notice of a struck entry stays; whether it is struck is read from the entry.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="notices")
    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="notices")
    entry = models.ForeignKey(LogEntry, models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=40)
    about = models.CharField(max_length=60, blank=True, default="")
    seat = models.CharField(max_length=40, blank=True, default="")
    facts = models.TextField(default="{}", help_text="canonical JSON")
    at = models.DateTimeField()
    read_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["user", "read_at"], name="unread_of_a_user")]
        constraints = [models.UniqueConstraint(fields=["user", "entry", "kind", "about"], name="told_once")]

    def __str__(self) -> str:
        return f"{self.kind} to {self.user_id}"

    @property
    def known(self) -> dict[str, Any]:
        return read(self.facts)

"""What was fought: readings of the log, in the words of no title. Only `battles.projection` writes here."""

from __future__ import annotations

from typing import Any

from django.db import models

from campaign.models import Campaign, LogEntry
from engine.strict_json import read


class Battle(models.Model):
    """A contest. Its identity is the entry that launched it; the number is only shown."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="battles")
    entry = models.ForeignKey(LogEntry, models.CASCADE, related_name="battles")
    number = models.PositiveIntegerField()
    turn = models.PositiveIntegerField()
    kind = models.CharField(max_length=40)
    attacker = models.CharField(max_length=40, blank=True, default="")
    defender = models.CharField(max_length=40, blank=True, default="")
    source = models.CharField(max_length=60, blank=True, default="")
    target = models.CharField(max_length=60, blank=True, default="")
    status = models.CharField(max_length=40)
    outcome = models.CharField(max_length=40, blank=True, default="")
    facts = models.TextField(default="{}", help_text="canonical JSON of all the title tells of it")
    launched_at = models.DateTimeField()
    resolved_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["entry", "number"], name="battle_key")]

    def __str__(self) -> str:
        return f"{self.number}: {self.attacker} against {self.defender or self.target}"

    @property
    def known(self) -> dict[str, Any]:
        return read(self.facts)

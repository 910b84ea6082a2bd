"""How a campaign is told: what a game master says about its reports, and in them. Only `forum.services` writes here."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from campaign.models import Campaign
from engine.strict_json import read

PEOPLE = settings.AUTH_USER_MODEL


class ReportTemplate(models.Model):
    """What stands about every report of a campaign in one language: `forum.dressing` puts it there.

    `subject`, `greeting`, `signature` have placeholders by name (`forum.placeholders`); empty ones say nothing.
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="report_templates")
    language = models.CharField(max_length=8)
    tone = models.CharField(max_length=20)
    subject = models.CharField(max_length=200, blank=True, default="")
    greeting = models.TextField(blank=True, default="")
    signature = models.TextField(blank=True, default="")
    parts = models.TextField(help_text="canonical JSON: the parts of a report that are told, in their order")
    changed_by = models.ForeignKey(PEOPLE, models.PROTECT, related_name="+")
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "language"], name="one_template_a_language")]

    def __str__(self) -> str:
        return f"{self.campaign_id}: {self.language}"

    @property
    def order(self) -> list[str]:
        return list(read(self.parts))


class Flavour(models.Model):
    """What a game master says in one report, before and after what happened: text and nothing else."""

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="flavours")
    report = models.CharField(max_length=80, help_text="the report's key")
    language = models.CharField(max_length=8)
    before = models.TextField(blank=True, default="")
    after = models.TextField(blank=True, default="")
    changed_by = models.ForeignKey(PEOPLE, models.PROTECT, related_name="+")
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "report", "language"], name="one_flavour_a_report")]

    def __str__(self) -> str:
        return f"{self.campaign_id}: {self.report} ({self.language})"

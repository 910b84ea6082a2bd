"""Reports of texts, and texts that moderators removed. Only `moderation.services` writes here.

Texts are stored sealed with the installation's key. A report shows moderators the text as it was
when it was reported.
"""

from __future__ import annotations

from cryptography.fernet import InvalidToken
from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy, pgettext_lazy

from campaign import keys
from campaign.models import Campaign, LogEntry

PEOPLE = settings.AUTH_USER_MODEL


def unsealed_text(sealed: str) -> str:
    """Return the unsealed text; empty if it was sealed with another installation's key."""
    try:
        return keys.unseal(sealed) if sealed else ""
    except InvalidToken:
        return ""


class Kind(models.TextChoices):
    """The kinds of texts that can be reported; `moderation.targets` reads and removes them."""

    ENTRY = "entry", gettext_lazy("Text in the log")
    MESSAGE = "message", pgettext_lazy("option", "Message")
    NOTE = "note", gettext_lazy("Note for a seat")
    LOBBY = "lobby", gettext_lazy("Text of a lobby")
    CAMPAIGN = "campaign", gettext_lazy("Name of a campaign")
    PERSON = "person", gettext_lazy("User name")
    SCENARIO = "scenario", pgettext_lazy("option", "Scenario")
    EVIDENCE = "evidence", gettext_lazy("Evidence for a battle")
    ABSENCE = "absence", gettext_lazy("Note about an absence")
    FLAVOUR = "flavour", gettext_lazy("Text in a report")


class AbuseReport(models.Model):
    """A text that a user reports to the host's moderators.

    With `to_masters`, the game masters of its campaign see the report too. `ref` names the text
    among those of its kind. `outcome` is what a moderator decided. `masters_at` is when a game
    master dealt with it at the table; the moderators decide nevertheless.
    """

    class Outcome(models.TextChoices):
        DISMISSED = "dismissed", pgettext_lazy("report", "dismissed")
        REMOVED = "removed", pgettext_lazy("report", "text removed")
        WARNED = "warned", pgettext_lazy("report", "author warned")
        CLOSED = "closed", pgettext_lazy("report", "account closed")

    kind = models.CharField(max_length=10, choices=Kind.choices)
    ref = models.CharField(max_length=60)
    campaign = models.ForeignKey(
        Campaign, models.PROTECT, null=True, blank=True, related_name="reports"
    )
    author = models.ForeignKey(
        PEOPLE,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="Author of the reported text.",
    )
    sealed = models.TextField(help_text="The text when it was reported, encrypted.")
    by = models.ForeignKey(PEOPLE, models.PROTECT, related_name="reports_made")
    reason = models.CharField(max_length=500, blank=True, default="")
    to_masters = models.BooleanField(
        default=False, help_text="Whether the campaign's game masters can read the report, too."
    )
    at = models.DateTimeField()
    masters_at = models.DateTimeField(
        null=True, blank=True, help_text="When a game master marked it as seen to."
    )
    settled_at = models.DateTimeField(null=True, blank=True)
    settled_by = models.ForeignKey(PEOPLE, models.PROTECT, null=True, blank=True, related_name="+")
    outcome = models.CharField(max_length=10, choices=Outcome.choices, blank=True, default="")
    words = models.CharField(
        max_length=1000,
        blank=True,
        default="",
        help_text="Words of the moderator for the users concerned.",
    )

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "ref", "by"], condition=Q(settled_at=None), name="one_open_report"
            ),
        ]
        indexes = [
            models.Index(fields=["at"], condition=Q(settled_at=None), name="reports_that_wait")
        ]

    def __str__(self) -> str:
        return f"report {self.pk}"

    @property
    def text(self) -> str:
        return unsealed_text(self.sealed)


class Removal(models.Model):
    """A text that a moderator removed.

    Readers see that it was removed, when and why. The text itself is kept here for the host,
    sealed.
    """

    kind = models.CharField(max_length=10, choices=Kind.choices)
    ref = models.CharField(max_length=60)
    campaign = models.ForeignKey(
        Campaign, models.PROTECT, null=True, blank=True, related_name="removals"
    )
    entry = models.ForeignKey(
        LogEntry,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="Log entry that records the removal.",
    )
    author = models.ForeignKey(PEOPLE, models.PROTECT, null=True, blank=True, related_name="+")
    sealed = models.TextField()
    reason = models.CharField(max_length=1000)
    by = models.ForeignKey(
        PEOPLE,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="Empty for a command.",
    )
    at = models.DateTimeField()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.kind} {self.ref}"

    @property
    def text(self) -> str:
        return unsealed_text(self.sealed)

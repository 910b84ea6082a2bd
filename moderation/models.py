"""What people report, and what moderators remove. Only `moderation.services` writes here.

Texts are kept sealed with the installation's key: a report shows its readers the text as it was
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


def opened(sealed: str) -> str:
    """Empty where it was sealed with another key than this installation's."""
    try:
        return keys.unseal(sealed) if sealed else ""
    except InvalidToken:
        return ""


class Kind(models.TextChoices):
    """What can be reported; `moderation.targets` says how each is read and removed."""

    ENTRY = "entry", gettext_lazy("Text in the log")
    MESSAGE = "message", gettext_lazy("Message")
    NOTE = "note", gettext_lazy("Note for a seat")
    LOBBY = "lobby", gettext_lazy("Words of a lobby")
    CAMPAIGN = "campaign", gettext_lazy("Name of a campaign")
    PERSON = "person", gettext_lazy("Name of a person")
    SCENARIO = "scenario", gettext_lazy("Scenario")
    EVIDENCE = "evidence", gettext_lazy("Evidence of a battle")
    ABSENCE = "absence", gettext_lazy("Note about an absence")
    FLAVOUR = "flavour", gettext_lazy("Text of a report")


class AbuseReport(models.Model):
    """A text that somebody shows to the host's moderators, and with `to_masters` to the game
    masters of its campaign.

    `ref` names it among those of its kind. What a moderator did is the `outcome`; a game master who
    has seen to it at the table leaves `masters_at`, and the moderators decide all the same.
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
        PEOPLE, models.PROTECT, null=True, blank=True, related_name="+", help_text="who wrote it"
    )
    sealed = models.TextField(help_text="the text, as it was when it was reported")
    by = models.ForeignKey(PEOPLE, models.PROTECT, related_name="reports_made")
    reason = models.CharField(max_length=500, blank=True, default="")
    to_masters = models.BooleanField(
        default=False, help_text="the game masters of the campaign read it, too"
    )
    at = models.DateTimeField()
    masters_at = models.DateTimeField(
        null=True, blank=True, help_text="when a game master saw to it"
    )
    settled_at = models.DateTimeField(null=True, blank=True)
    settled_by = models.ForeignKey(PEOPLE, models.PROTECT, null=True, blank=True, related_name="+")
    outcome = models.CharField(max_length=10, choices=Outcome.choices, blank=True, default="")
    words = models.CharField(
        max_length=1000, blank=True, default="", help_text="the moderator's, for who is concerned"
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
        return opened(self.sealed)


class Removal(models.Model):
    """A text that a moderator removed. Its readers see that, when and why; what it said is kept
    here, sealed, for the host.
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
        help_text="the act that says so",
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
        help_text="none: by a command",
    )
    at = models.DateTimeField()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.kind} {self.ref}"

    @property
    def text(self) -> str:
        return opened(self.sealed)

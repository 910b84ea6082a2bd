"""Battles, claims and evidence, derived from the log, in terms that no title determines.

Claims, evidence and passwords refer to the entry that launched the battle: an undone battle keeps
them, and a restored one has them again. Only `battles.projection` and `battles.services` write
here.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy, pgettext_lazy

from campaign.models import Campaign, LogEntry
from engine.strict_json import StoredDecoder, StoredEncoder


class Battle(models.Model):
    """A contest. The entry that launched it identifies it; the number is only shown."""

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
    solo = models.CharField(
        max_length=40,
        blank=True,
        default="",
        help_text=(
            "Seat of the absent player; the opponent plays the battle against the computer."
        ),
    )
    facts = models.JSONField(
        default=dict,
        encoder=StoredEncoder,
        decoder=StoredDecoder,
        help_text="Facts from the title about the battle.",
    )
    launched_at = models.DateTimeField()
    resolved_at = models.DateTimeField(null=True, blank=True)

    sealed: str | None = None
    """The sealed password of its lobby, if `projection.battle` has read it."""
    live_claim: Claim | None = None
    """The claim that waits for an answer or a ruling, if a list of battles has read it."""

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["entry", "number"], name="battle_key")]

    def __str__(self) -> str:
        return f"{self.number}: {self.attacker} against {self.defender or self.target}"

    @property
    def parties(self) -> tuple[str, str]:
        """The seats that play it, the attacker's side first.

        A neutral side is played by its leader; it is empty if there is none.
        """
        return self.attacker, self.defender or str(self.facts.get("leader") or "")

    def other(self, seat: str) -> str:
        """Return the seat of the opponent."""
        first, second = self.parties
        return second if seat == first else first


class Claim(models.Model):
    """A result that a side claims, derived from the claim's entry and the last act on it."""

    class State(models.TextChoices):
        OPEN = "open", pgettext_lazy("option", "Claimed")
        WITHDRAWN = "withdrawn", gettext_lazy("Withdrawn")
        DISPUTED = "disputed", pgettext_lazy("option", "Disputed")
        CONFIRMED = "confirmed", pgettext_lazy("option", "Confirmed")
        JUDGED = "judged", pgettext_lazy("option", "Judged")

    LIVE = (State.OPEN, State.DISPUTED)

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="claims")
    entry = models.OneToOneField(LogEntry, models.CASCADE, related_name="claim")
    launch = models.ForeignKey(LogEntry, models.CASCADE, related_name="claims")
    number = models.PositiveIntegerField(
        help_text="Number of the battle when the result was claimed."
    )
    seat = models.CharField(max_length=40)
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    last_act = models.ForeignKey(
        LogEntry,
        models.CASCADE,
        related_name="+",
        help_text="Last act on the claim, or the claim itself.",
    )

    class Meta:
        ordering = ["entry"]

    def __str__(self) -> str:
        return f"{self.number}: claimed by {self.seat}, {self.state}"

    @property
    def content(self) -> dict[str, Any]:
        """The content of the claim's entry."""
        return self.entry.content

    @property
    def result(self) -> dict[str, Any]:
        """The game master's move that would enter the result, in record form."""
        return dict(self.content["move"])

    @property
    def disputed_result(self) -> dict[str, Any] | None:
        """The result according to the other side, in record form.

        It is None if the dispute names no result.
        """
        move = self.last_act.content.get("move") if self.state == self.State.DISPUTED else None
        return dict(move) if move is not None else None

    @property
    def live(self) -> bool:
        """Whether the claim waits for an answer or a ruling."""
        return self.state in self.LIVE


class Evidence(models.Model):
    """A link or a picture that is evidence for a battle.

    Its hash is in the entry; the bytes are in `Picture`.
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="evidence")
    entry = models.OneToOneField(LogEntry, models.PROTECT, related_name="evidence")
    launch = models.ForeignKey(LogEntry, models.PROTECT, related_name="+")
    number = models.PositiveIntegerField()
    digest = models.CharField(
        max_length=64, help_text="SHA-256 of the stored picture, or of the link."
    )
    url = models.TextField(blank=True, default="")
    bytes = models.PositiveIntegerField(default=0)
    width = models.PositiveIntegerField(default=0)
    height = models.PositiveIntegerField(default=0)
    erased_at = models.DateTimeField(null=True, blank=True)
    erasure_reason = models.TextField(blank=True, default="")

    class Meta:
        ordering = ["entry"]
        verbose_name_plural = "evidence"

    def __str__(self) -> str:
        return f"{self.number}: {self.digest[:12]}"

    @property
    def picture(self) -> bool:
        """Whether it is a picture."""
        return bool(self.bytes)


class Picture(models.Model):
    """The bytes of evidence, by their hash."""

    digest = models.CharField(max_length=64, unique=True)
    content = models.BinaryField()

    def __str__(self) -> str:
        return self.digest


class LobbyPassword(models.Model):
    """The sealed password of the game's lobby. It is in no log.

    `services.may_read_password` says who may read it.
    """

    launch = models.ForeignKey(LogEntry, models.PROTECT, related_name="+")
    number = models.PositiveIntegerField()
    sealed = models.TextField()
    set_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    set_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["launch", "number"], name="one_password_a_battle")
        ]

    def __str__(self) -> str:
        return f"lobby of {self.number}"

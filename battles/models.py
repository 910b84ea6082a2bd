"""What was fought, claimed and shown: battles and claims are readings of the log, in the words of
no title.

Claims, evidence and passwords point to the entry that launched the battle, so that one that is
struck keeps them and one that is restored has them back. Only `battles.projection` and
`battles.services` write here.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy

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
    solo = models.CharField(
        max_length=40,
        blank=True,
        default="",
        help_text="the seat that is away: the other plays it solo",
    )
    facts = models.TextField(default="{}", help_text="canonical JSON of all the title tells of it")
    launched_at = models.DateTimeField()
    resolved_at = models.DateTimeField(null=True, blank=True)

    sealed: str | None = None
    """Its lobby's password as it is kept, where `selectors.battle` has asked for it."""
    live_claim: Claim | None = None
    """The claim that waits for an answer or a judgment, where a list of battles was asked for."""

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["entry", "number"], name="battle_key")]

    def __str__(self) -> str:
        return f"{self.number}: {self.attacker} against {self.defender or self.target}"

    @property
    def known(self) -> dict[str, Any]:
        return read(self.facts)

    @property
    def parties(self) -> tuple[str, str]:
        """The seats that play it, attacker's side first; empty where nobody does. A neutral side
        has its leader.
        """
        return self.attacker, self.defender or str(self.known.get("leader") or "")

    def other(self, seat: str) -> str:
        """The seat across the field."""
        first, second = self.parties
        return second if seat == first else first


class Claim(models.Model):
    """A result that one side says was fought: a reading of the claim's entry and of the last act on
    it.
    """

    class State(models.TextChoices):
        OPEN = "open", gettext_lazy("Claimed")
        WITHDRAWN = "withdrawn", gettext_lazy("Withdrawn")
        DISPUTED = "disputed", gettext_lazy("Disputed")
        CONFIRMED = "confirmed", gettext_lazy("Confirmed")
        JUDGED = "judged", gettext_lazy("Judged")

    LIVE = (State.OPEN, State.DISPUTED)

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="claims")
    entry = models.OneToOneField(LogEntry, models.CASCADE, related_name="claim")
    launch = models.ForeignKey(LogEntry, models.CASCADE, related_name="claims")
    number = models.PositiveIntegerField(help_text="of the battle, as shown when it was claimed")
    seat = models.CharField(max_length=40)
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    last_act = models.ForeignKey(
        LogEntry,
        models.CASCADE,
        related_name="+",
        help_text="the last act on it, or the claim itself",
    )

    class Meta:
        ordering = ["entry"]

    def __str__(self) -> str:
        return f"{self.number}: claimed by {self.seat}, {self.state}"

    @property
    def content(self) -> dict[str, Any]:
        return self.entry.content

    @property
    def result(self) -> dict[str, Any]:
        """The game master's move that would enter it, in record form."""
        return dict(self.content["move"])

    @property
    def disputed_result(self) -> dict[str, Any] | None:
        """The result as the other side has it, in the same form; None where the dispute
        names none.
        """
        move = self.last_act.content.get("move") if self.state == self.State.DISPUTED else None
        return dict(move) if move is not None else None

    @property
    def live(self) -> bool:
        return self.state in self.LIVE


class Evidence(models.Model):
    """A link or a picture shown for a battle. Its hash stands in its entry; the bytes are
    `storage.Pictures`' to keep.
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="evidence")
    entry = models.OneToOneField(LogEntry, models.PROTECT, related_name="evidence")
    launch = models.ForeignKey(LogEntry, models.PROTECT, related_name="+")
    number = models.PositiveIntegerField()
    digest = models.CharField(
        max_length=64, help_text="SHA-256 of the picture as kept, or of the link"
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
        return bool(self.bytes)


class Picture(models.Model):
    """The bytes of evidence, by their hash."""

    digest = models.CharField(max_length=64, unique=True)
    content = models.BinaryField()

    def __str__(self) -> str:
        return self.digest


class LobbyPassword(models.Model):
    """The password of the game's lobby, sealed. It stands in no log; who may read it is
    `services.may_read_password`'s to say.
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

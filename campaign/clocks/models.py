"""Deadlines as rows. Only `campaign.clocks.running`, `campaign.clocks.ticking` and `campaign.services.timing` write here."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from campaign.clocks.lengths import add, day_of

SOON, TODAY, MISSED, ACTED, MOVED = "soon", "today", "missed", "acted", "moved"
"""What is said of a clock: 80% of its time is gone, it is its day, it is over, it did something by itself, it was moved."""
WORTH_TELLING = timedelta(minutes=1)
"""Deadlines are told to the minute: one that a short pause moves by less is the same in words."""


class Clock(models.Model):
    """Something of the log that is due: a turn, a slot, an answer, a battle, a claim's confirmation.

    It points to the entry that opened it. Undone, it ends; restored, it runs on with the time it had. `next_at` is the
    next instant at which the tick has something to do with it, and the only thing that the tick looks for.
    """

    class Kind(models.TextChoices):
        TURN = "turn", gettext_lazy("Turn")
        SLOT = "slot", gettext_lazy("Slot")
        ANSWER = "answer", gettext_lazy("Answer to a challenge")
        BATTLE = "battle", gettext_lazy("Battle")
        CLAIM = "claim", gettext_lazy("Confirmation of a claim")

    class End(models.TextChoices):
        DONE = "done", "what it waited for was done"
        ACTED = "acted", "it did it by itself"
        UNDONE = "undone", "its entry was undone"
        OFF = "off", "the game master switched it off, or the campaign ended"

    campaign = models.ForeignKey("campaign.Campaign", models.PROTECT, related_name="clocks")
    kind = models.CharField(max_length=6, choices=Kind.choices)
    seat = models.CharField(max_length=40, blank=True, default="", help_text="whom it waits for, where it is one")
    contest = models.PositiveIntegerField(null=True, blank=True)
    entry = models.ForeignKey("campaign.LogEntry", models.PROTECT, related_name="+", help_text="that opened it")
    mark = models.CharField(max_length=200, blank=True, default="", help_text="tells what follows on it from it")
    waits = models.TextField(blank=True, default="", help_text="|seat|seat| whom it waits for")
    zone = models.CharField(max_length=64, help_text="whose local time a length in days keeps")
    length = models.CharField(max_length=6)
    started_at = models.DateTimeField()
    first_due_at = models.DateTimeField(help_text="by its length, before anybody extended it")
    due_at = models.DateTimeField()
    spared = models.DurationField(default=timedelta(), help_text="pauses, and the time for which it was undone")
    held_at = models.DateTimeField(null=True, blank=True, help_text="since when it stands still: the campaign pauses")
    grace = models.CharField(max_length=6, default="0h")
    acts_at = models.DateTimeField(null=True, blank=True, help_text="when it does by itself what it does; none: it reminds")
    told = models.CharField(max_length=40, blank=True, default="", help_text="what was said of this deadline")
    attempts = models.PositiveIntegerField(default=0, help_text="how often it failed to do what was due")
    next_at = models.DateTimeField(null=True, blank=True)
    acted = models.ForeignKey("campaign.LogEntry", models.PROTECT, null=True, blank=True, related_name="+")
    ended_at = models.DateTimeField(null=True, blank=True)
    how = models.CharField(max_length=6, choices=End.choices, blank=True, default="")

    class Meta:
        indexes = [
            models.Index(fields=["next_at"], condition=Q(next_at__isnull=False), name="clock_next"),
            models.Index(fields=["campaign"], condition=Q(ended_at__isnull=True), name="clock_running"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "kind", "seat", "contest", "entry"],
                condition=Q(contest__isnull=False),
                name="one_clock_a_contest",
            ),
            models.UniqueConstraint(
                fields=["campaign", "kind", "seat", "entry"], condition=Q(contest__isnull=True), name="one_clock_an_entry"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.campaign_id}: {self.kind} {self.seat or self.contest or ''}"

    @property
    def seats(self) -> tuple[str, ...]:
        """Whom it waits for."""
        return tuple(seat for seat in self.waits.split("|") if seat)

    @property
    def latest(self) -> datetime:
        """The last instant to which it may be extended: twice its length, pauses aside."""
        return add(self.started_at, self.length, self.zone, 2) + self.spared

    @property
    def extended(self) -> bool:
        return self.due_at > self.first_due_at

    @property
    def held(self) -> bool:
        """Does it stand still, as the campaign does?"""
        return self.held_at is not None

    @property
    def said(self) -> set[str]:
        return set(self.told.split())

    def overdue(self, now: datetime) -> bool:
        return not self.held and self.ended_at is None and now >= self.due_at

    def instants(self) -> dict[str, datetime]:
        """When what is to be said of it, or done, in this order of weight: the last wins where several are due."""
        soon = self.due_at - (self.due_at - self.started_at - self.spared) / 5
        today = day_of(self.due_at, self.zone)
        found = {SOON: soon, TODAY: today, MISSED: self.due_at}
        if today <= self.started_at:
            del found[TODAY]  # it began on its last day
        if self.acts_at is not None and self.acted_id is None:
            found[ACTED] = self.acts_at
        return found

    def arm(self) -> None:
        """Set `next_at` by what is still to be said and done."""
        open_now = [at for what, at in self.instants().items() if what not in self.said]
        self.next_at = None if self.held or self.ended_at is not None or not open_now else min(open_now)

    def say(self, *what: str) -> None:
        self.told = " ".join(sorted(self.said | set(what)))

    def move(self, to: datetime) -> None:
        """Another deadline: what it had said of the old one is said again of the new one, if that lies ahead of `to`."""
        if self.acts_at is not None:
            self.acts_at = add(to, self.grace, self.zone)
        self.due_at = to

    def rearm(self, at: datetime) -> None:
        """After a move at this moment: what lies ahead will be said again."""
        self.told = " ".join(sorted(what for what in self.said if self.instants().get(what, at) <= at))
        self.arm()

    def shift(self, by: timedelta) -> None:
        """Time that did not count."""
        self.spared += by
        self.due_at += by
        self.first_due_at += by
        if self.acts_at is not None:
            self.acts_at += by

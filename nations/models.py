"""Ledgers, holdings, cards and actions, derived from the log, in terms that no title determines.

Only `nations.projection` writes here.
"""

from __future__ import annotations

from django.db import models

from campaign.models import Campaign, LogEntry, SeatSet
from engine.effects import Phrase
from engine.strict_json import StoredDecoder, StoredEncoder

HOLDER = 40


class Nation(models.Model):
    """The public facts of a holder apart from its accounts, from the title's rows."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="nations")
    holder = models.CharField(max_length=HOLDER)
    facts = models.JSONField(default=dict, encoder=StoredEncoder, decoder=StoredDecoder)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "holder"], name="nation_key")]

    def __str__(self) -> str:
        return self.holder


class Balance(models.Model):
    """The current amount of an account, in its own unit (half-actions)."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="balances")
    holder = models.CharField(max_length=HOLDER)
    account = models.CharField(max_length=40)
    amount = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "holder", "account"], name="balance_key")
        ]

    def __str__(self) -> str:
        return f"{self.holder} {self.account}: {self.amount}"


class LedgerEntry(models.Model):
    """A change of an account, and the balance after it.

    The first line is the amount at the start, so that all lines sum to the balance.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="ledger")
    entry = models.ForeignKey(LogEntry, models.CASCADE, related_name="ledger")
    order = models.PositiveIntegerField(help_text="Place among the effects of the entry.")
    turn = models.PositiveIntegerField()
    holder = models.CharField(max_length=HOLDER)
    account = models.CharField(max_length=40)
    change = models.BigIntegerField()
    balance = models.BigIntegerField()
    cause = models.JSONField(
        encoder=StoredEncoder, decoder=StoredDecoder, help_text="The cause as a phrase, in JSON."
    )
    cause_name = models.CharField(max_length=100, default="", help_text="Id of the phrase.")
    audience = models.ForeignKey(
        SeatSet, models.PROTECT, null=True, blank=True, related_name="+", db_index=False
    )

    class Meta:
        ordering = ["entry__sequence", "order"]
        verbose_name_plural = "ledger entries"
        constraints = [models.UniqueConstraint(fields=["entry", "order"], name="ledger_key")]
        indexes = [
            models.Index(fields=["campaign", "holder", "account"], name="ledger_of_a_holder")
        ]

    def __str__(self) -> str:
        return f"{self.holder} {self.account} {self.change:+} = {self.balance}"

    @property
    def cause_said(self) -> Phrase:
        """The cause as a sentence to render."""
        return Phrase(*self.cause)


class Holding(models.Model):
    """A place with its owner; `owner` is empty if no one owns it."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="holdings")
    place = models.CharField(max_length=60)
    owner = models.CharField(max_length=HOLDER, blank=True, default="")
    facts = models.JSONField(default=dict, encoder=StoredEncoder, decoder=StoredDecoder)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "place"], name="holding_key")]

    def __str__(self) -> str:
        return f"{self.place}: {self.owner or 'nobody'}"


class Card(models.Model):
    """The number of an item in a zone of a holder.

    Read it through `nations.projection.cards`, which checks what the reader may see.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="cards")
    holder = models.CharField(max_length=HOLDER)
    zone = models.CharField(max_length=40)
    item = models.CharField(max_length=60)
    count = models.PositiveIntegerField()
    audience = models.ForeignKey(
        SeatSet, models.PROTECT, null=True, blank=True, related_name="+", db_index=False
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "holder", "zone", "item"], name="card_key")
        ]

    def __str__(self) -> str:
        return f"{self.holder}, {self.zone}: {self.count} {self.item}"


class Action(models.Model):
    """A move of a seat in force, and its cost in actions, in the unit of that account."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="actions")
    entry = models.OneToOneField(LogEntry, models.CASCADE, related_name="action")
    seat = models.CharField(max_length=HOLDER)
    move = models.CharField(max_length=60)
    cost = models.IntegerField()
    turn = models.PositiveIntegerField()
    audience = models.ForeignKey(
        SeatSet, models.PROTECT, null=True, blank=True, related_name="+", db_index=False
    )

    class Meta:
        ordering = ["entry__sequence"]

    def __str__(self) -> str:
        return f"{self.seat}: {self.move} ({self.cost})"


class PlaceMove(models.Model):
    """A move in force that has effects on a place, or on a contest that names it."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="+", db_index=False)
    place = models.CharField(max_length=60)
    entry = models.ForeignKey(LogEntry, models.CASCADE, related_name="places", db_index=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["entry", "place"], name="place_move_key")]
        indexes = [models.Index(fields=["campaign", "place"], name="moves_of_a_place")]

    def __str__(self) -> str:
        return f"{self.place}: {self.entry_id}"

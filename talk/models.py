"""What seats write to each other, to the table and to the game master. Only `talk.services` writes
here.

It stands beside the log and not in it: the log's numbers, hashes and tags must not tell that two
seats write to each other. What is said for everybody is in the log (`campaign.log.talk`).
"""

from __future__ import annotations

from datetime import UTC
from functools import cached_property

from cryptography.fernet import InvalidToken
from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext as _

from campaign import keys, sentences
from campaign.models import Campaign, LogEntry, Membership

PEOPLE = settings.AUTH_USER_MODEL
TABLE = "|*|"
"""The parties of the thread that everybody with a place at the table reads."""


class Conversation(models.Model):
    """Everything between the same seats: there is one thread for each set of parties.

    `key` stands in its address and is drawn at random, so that no number tells how many threads
    there are.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="conversations")
    key = models.CharField(max_length=8, unique=True, editable=False)
    parties = models.CharField(
        max_length=500, help_text="|gm|huns|romans|; |*| for the whole table"
    )
    size = models.PositiveIntegerField(
        default=0, help_text="messages written, which numbers the next one"
    )
    begun_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "parties"], name="one_thread_a_company")
        ]

    def __str__(self) -> str:
        return f"{self.campaign_id}: thread {self.key}"

    @property
    def everybody(self) -> bool:
        return self.parties == TABLE

    @property
    def seats(self) -> tuple[str, ...]:
        """The parties, `gm` among them; none are named where it is the whole table."""
        return () if self.everybody else tuple(one for one in self.parties.split("|") if one)


class Message(models.Model):
    """Plain text that a seat wrote, sealed with the installation's key. The seat is its author for
    the others; `author` is who held it then.

    `sight` is the rule of the campaign when it was written: a later rule opens nothing that was
    written under an earlier one. `removed` says that the text went with its author's account, or
    with `removed_at` that the host's moderator removed it.
    """

    conversation = models.ForeignKey(Conversation, models.CASCADE, related_name="messages")
    number = models.PositiveIntegerField()
    seat = models.CharField(max_length=40)
    author = models.ForeignKey(PEOPLE, models.PROTECT, related_name="+")
    sealed = models.TextField(default="")
    quoted = models.ForeignKey(LogEntry, models.PROTECT, null=True, blank=True, related_name="+")
    sight = models.CharField(max_length=10)
    at = models.DateTimeField()
    removed = models.BooleanField(default=False)
    removed_at = models.DateTimeField(
        null=True, blank=True, help_text="when a moderator removed it"
    )
    removed_for = models.CharField(
        max_length=1000, blank=True, default="", help_text="the moderator's reason"
    )

    class Meta:
        ordering = ["conversation", "number"]
        constraints = [
            models.UniqueConstraint(fields=["conversation", "number"], name="one_message_a_number")
        ]
        indexes = [models.Index(fields=["author", "at"], name="messages_of_an_hour")]

    def __str__(self) -> str:
        return f"{self.conversation_id}: message {self.number}"

    @property
    def gap(self) -> str:
        """What stands in the place of a text that is removed; empty where it is there."""
        if not self.removed:
            return ""
        if self.removed_at is not None:
            return sentences.removal_text(
                timezone.localdate(self.removed_at, UTC), self.removed_for
            )
        return _("This text went with the account of its author.")

    @cached_property
    def text(self) -> str:
        """Empty where it was removed, or sealed with another key than this installation's."""
        try:
            return keys.unseal(self.sealed) if self.sealed else ""
        except InvalidToken:
            return ""


class ReadMarker(models.Model):
    """How far somebody has read a thread in a place that they hold, and whether they want to hear
    of it. It counts nothing any more when the place ends.
    """

    conversation = models.ForeignKey(Conversation, models.CASCADE, related_name="read_markers")
    membership = models.ForeignKey(Membership, models.CASCADE, related_name="+")
    unread = models.PositiveIntegerField(default=0)
    muted = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["conversation", "membership"], name="one_mark_a_place")
        ]

    def __str__(self) -> str:
        return f"{self.conversation_id}: {self.unread} unread"

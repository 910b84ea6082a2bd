"""Messages between seats, to the table and to the game master. Only `talk.services` writes here.

Messages are not stored in the log, because the numbers, hashes and tags of the log must not reveal
that two seats write to each other. Public announcements are in the log (`campaign.log.talk`).
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
from campaign.models import Campaign, LogEntry, Membership, SeatSet, seats_of

PEOPLE = settings.AUTH_USER_MODEL
WHOLE_TABLE = "|*|"
"""The parties of the thread that everyone who has a place at the table reads."""


class Conversation(models.Model):
    """A thread with all messages between the same seats. Each set of parties has one thread.

    `key` is part of its address. It is drawn at random, so that it does not reveal how many threads
    there are.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="conversations")
    key = models.CharField(max_length=8, unique=True, editable=False)
    parties = models.ForeignKey(
        SeatSet,
        models.PROTECT,
        related_name="+",
        db_index=False,
        help_text="Parties between bars: |gm|huns|romans|; |*| for the whole table.",
    )
    size = models.PositiveIntegerField(
        default=0, help_text="Number of messages, which gives the next one its number."
    )
    begun_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "parties"], name="one_thread_a_company")
        ]

    def __str__(self) -> str:
        return f"{self.campaign_id}: thread {self.key}"

    @property
    def is_whole_table(self) -> bool:
        return self.parties_id == WHOLE_TABLE

    @property
    def seats(self) -> tuple[str, ...]:
        """The parties, with `gm` among them; empty if the thread is that of the whole table."""
        return () if self.is_whole_table else seats_of(self.parties_id)


class Message(models.Model):
    """A message in plain text from a seat, sealed with the installation's key.

    Other readers see the seat as its author. `author` is the user who held the seat when it was
    written.

    `sight` is the campaign's rule about messages when it was written: a later rule does not give
    access to messages written under an earlier one. `removed` means that the text was deleted: with
    its author's account, or, if `removed_at` is set, by a moderator of the host.
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
        null=True, blank=True, help_text="When a moderator removed it."
    )
    removed_for = models.CharField(
        max_length=1000, blank=True, default="", help_text="Reason given by the moderator."
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
        """The sentence shown in place of a removed text; empty if the text is not removed."""
        if not self.removed:
            return ""
        if self.removed_at is not None:
            return sentences.removal_text(
                timezone.localdate(self.removed_at, UTC), self.removed_for
            )
        return _("This message was erased together with its author’s account.")

    @cached_property
    def text(self) -> str:
        """The text; empty if it was removed, or sealed with another installation's key."""
        try:
            return keys.unseal(self.sealed) if self.sealed else ""
        except InvalidToken:
            return ""


class ReadMarker(models.Model):
    """The number of messages in a thread that are new to a member, and whether it is muted.

    It belongs to one membership and is no longer counted once that has ended.
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

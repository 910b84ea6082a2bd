"""What passes with a seat: notes, and the page on which its new holder finds them. Only `campaign.services` writes here."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

PEOPLE = settings.AUTH_USER_MODEL


class Note(models.Model):
    """What a seat's holder writes down for himself: nobody else reads it, and it is no part of the log or an export.

    `left` says that it goes to whoever holds the seat after him; without it nobody reads it any more. The text is sealed
    with the installation's key. `version` counts the changes, so that of two windows the older one learns of it.
    """

    campaign = models.ForeignKey("campaign.Campaign", models.PROTECT, related_name="notes")
    user = models.ForeignKey(PEOPLE, models.PROTECT, related_name="seat_notes")
    seat = models.CharField(max_length=40)
    text_sealed = models.TextField(default="")
    empty = models.BooleanField(default=True)
    left = models.BooleanField(default=False, help_text="to the successor")
    version = models.PositiveIntegerField(default=0)
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "user", "seat"], name="one_note_a_seat_and_person")]

    def __str__(self) -> str:
        return f"{self.campaign_id}: notes for a seat"


class Handover(models.Model):
    """A seat that came to somebody while the campaign was played, or with what its last holder wrote down.

    `leaver` held it before, if anybody did. The page says what the campaign's rows say now; only `note` is handed over.
    """

    campaign = models.ForeignKey("campaign.Campaign", models.PROTECT, related_name="handovers")
    membership = models.OneToOneField("campaign.Membership", models.PROTECT, related_name="handover")
    user = models.ForeignKey(PEOPLE, models.PROTECT, related_name="handovers")
    seat = models.CharField(max_length=40)
    leaver = models.ForeignKey(PEOPLE, models.PROTECT, null=True, blank=True, related_name="+")
    note = models.ForeignKey(Note, models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField()
    dismissed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["user"], condition=Q(dismissed_at=None), name="handover_waits")]

    def __str__(self) -> str:
        return f"{self.campaign_id}: a seat handed over"

"""Where a campaign's log goes as it is said, for programs; and what was sent there. Only `notices.webhooks` and
`notices.services.webhooks` write here."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import pgettext_lazy

from campaign.models import Campaign

PEOPLE = settings.AUTH_USER_MODEL


class Webhook(models.Model):
    """An address that is sent every entry which everybody may see, in order, from the one after `upto` on.

    `sealed` is the address, `secret` what signs; both are sealed (`campaign.keys`), never shown, and empty once it is taken
    away. `host` is what of the address may be shown. `batch` is the last entry of those that were tried and not taken yet,
    so that another attempt sends the same; `failing_since` the first failure since something arrived.
    """

    page = "webhooks"

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="webhooks")
    made_by = models.ForeignKey(PEOPLE, models.PROTECT, related_name="+")
    made_at = models.DateTimeField()
    key = models.CharField(max_length=8, unique=True, help_text="begins the ids of its deliveries")
    host = models.CharField(max_length=255)
    sealed = models.TextField(blank=True)
    secret = models.TextField(blank=True)
    active = models.BooleanField(default=True)
    off_why = models.CharField(max_length=300, blank=True, default="", help_text="empty: a game master switched it off")
    upto = models.IntegerField(help_text="number of the last entry that arrived")
    batch = models.IntegerField(null=True, blank=True)
    next_at = models.DateTimeField(null=True, blank=True, help_text="not before; empty: at once")
    taken_at = models.DateTimeField(null=True, blank=True)
    failures = models.PositiveIntegerField(default=0)
    failing_since = models.DateTimeField(null=True, blank=True)
    last_error = models.CharField(max_length=300, blank=True, default="")
    last_ok_at = models.DateTimeField(null=True, blank=True)
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["campaign"], condition=Q(active=True, removed_at=None), name="webhooks_that_listen")]

    def __str__(self) -> str:
        return f"webhook {self.pk} of {self.campaign_id}"

    @property
    def called(self) -> str:
        return self.host


class WebhookDelivery(models.Model):
    """Entries `first` to `last` on their way to a webhook, under one id however often they are tried; no `first`: a test."""

    class State(models.TextChoices):
        SENDING = "sending", pgettext_lazy("delivery", "is being sent")
        SENT = "sent", pgettext_lazy("delivery", "arrived")
        FAILED = "failed", pgettext_lazy("delivery", "did not arrive")

    webhook = models.ForeignKey(Webhook, models.PROTECT, related_name="deliveries")
    key = models.CharField(max_length=60, unique=True)
    first = models.IntegerField(null=True, blank=True)
    last = models.IntegerField(null=True, blank=True)
    state = models.CharField(max_length=8, choices=State.choices, default=State.SENDING)
    attempts = models.PositiveIntegerField(default=0)
    status = models.PositiveSmallIntegerField(null=True, blank=True, help_text="what the last attempt was answered")
    error = models.CharField(max_length=300, blank=True, default="")
    made_at = models.DateTimeField()
    tried_at = models.DateTimeField()

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "webhook deliveries"

    def __str__(self) -> str:
        return f"{self.key}: {self.state}"

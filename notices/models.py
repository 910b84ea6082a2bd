"""Who is told of what, and where to. Only the modules of this room write here."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy, pgettext_lazy

from campaign.models import Campaign, LogEntry
from engine.strict_json import read

PEOPLE = settings.AUTH_USER_MODEL


class Notice(models.Model):
    """An entry of the log told to one person. Its words are made when read, from `kind` and
    `facts`.

    `seat` is as whom they were told (`gm` for the game master), `about` tells apart what one entry
    says twice of a kind. The notice of a struck entry stays; whether it is struck is read from the
    entry. `routed_at` is when it was put into what leaves for their channels; none has been looked
    for while it is empty.
    """

    user = models.ForeignKey(PEOPLE, models.PROTECT, related_name="notices")
    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="notices")
    entry = models.ForeignKey(LogEntry, models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=40)
    about = models.CharField(max_length=60, blank=True, default="")
    seat = models.CharField(max_length=40, blank=True, default="")
    facts = models.TextField(default="{}", help_text="canonical JSON")
    at = models.DateTimeField()
    read_at = models.DateTimeField(null=True, blank=True)
    routed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["user", "read_at"], name="unread_of_a_user"),
            models.Index(fields=["id"], condition=Q(routed_at=None), name="notice_to_route"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["user", "entry", "kind", "about"], name="told_once")
        ]

    def __str__(self) -> str:
        return f"{self.kind} to {self.user_id}"

    @property
    def known(self) -> dict[str, Any]:
        return read(self.facts)


class Service(models.TextChoices):
    EMAIL = "email", gettext_lazy("E-mail")
    DISCORD = "discord", "Discord"
    TELEGRAM = "telegram", "Telegram"
    SLACK = "slack", "Slack"
    PUSH = "push", gettext_lazy("Device")


class DeliveryMode(models.TextChoices):
    NOW = "now", gettext_lazy("at once")
    DIGEST = "digest", gettext_lazy("in the daily e-mail")
    OFF = "off", gettext_lazy("not at all")


class Channel(models.Model):
    """A place that a person's notices go to, or with `campaign` what everybody may know of one
    campaign.

    An e-mail channel has no address of its own: letters go to the account's, as long as it is
    confirmed. What any other needs to be written to is sealed. One that was not `confirmed_at` gets
    nothing but its code. `failures` counts what went wrong since something last arrived.
    """

    user = models.ForeignKey(
        PEOPLE, models.PROTECT, related_name="channels", help_text="whose it is, or who set it up"
    )
    campaign = models.ForeignKey(
        Campaign, models.CASCADE, null=True, blank=True, related_name="channels"
    )
    service = models.CharField(max_length=10, choices=Service.choices)
    name = models.CharField(max_length=60, blank=True, default="")
    sealed = models.TextField(blank=True, default="")
    digest_hour = models.PositiveSmallIntegerField(default=8, validators=[MaxValueValidator(23)])
    language = models.CharField(
        max_length=8, blank=True, default="", help_text="a campaign's; a person's is his own"
    )
    created_at = models.DateTimeField()
    code_hash = models.CharField(max_length=64, blank=True, default="")
    code_tries = models.PositiveSmallIntegerField(default=0)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    active = models.BooleanField(default=True)
    off_why = models.CharField(
        max_length=300, blank=True, default="", help_text="empty: its owner switched it off"
    )
    discreet = models.BooleanField(
        default=False, help_text="a device's: its locked screen shows no more than the campaign"
    )
    quiet_from = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[MaxValueValidator(23)]
    )
    quiet_to = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        validators=[MaxValueValidator(23)],
        help_text="a device's: between the two hours it waits",
    )
    failures = models.PositiveIntegerField(default=0)
    last_error = models.CharField(max_length=300, blank=True, default="")
    last_ok_at = models.DateTimeField(null=True, blank=True)
    removed_at = models.DateTimeField(null=True, blank=True)
    # The message "whom we wait for", edited in place: of a campaign's Discord only.
    board = models.BooleanField(default=False)
    board_message = models.CharField(max_length=40, blank=True, default="")
    board_digest = models.CharField(
        max_length=64, blank=True, default="", help_text="of the text that stands there"
    )
    board_due = models.DateTimeField(
        null=True, blank=True, help_text="when to look whether it says what is"
    )
    board_taken = models.DateTimeField(null=True, blank=True)
    board_tries = models.PositiveIntegerField(default=0)
    board_error = models.CharField(max_length=300, blank=True, default="")

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(
                fields=["board_due"], condition=Q(board_due__isnull=False), name="board_to_look_at"
            )
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["user"],
                condition=Q(service="email", removed_at=None),
                name="one_letter_box",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.service} of {self.campaign_id or self.user_id}"

    @property
    def called(self) -> str:
        """What it is called on pages: its own name or the service's."""
        return self.name or str(self.get_service_display())


class NoticePreference(models.Model):
    """How a kind comes through a channel if not as usual (`notices.preferences`)."""

    channel = models.ForeignKey(Channel, models.CASCADE, related_name="preferences")
    kind = models.CharField(max_length=40)
    mode = models.CharField(max_length=6, choices=DeliveryMode.choices)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["channel", "kind"], name="one_wish_a_kind")]

    def __str__(self) -> str:
        return f"{self.kind}: {self.mode}"


class Mute(models.Model):
    """A campaign of which somebody wants to hear nothing but what waits for them: nothing of it
    leaves for their channels, and the bell rings for what is urgent alone. Its notices are written
    and listed as ever.
    """

    user = models.ForeignKey(PEOPLE, models.PROTECT, related_name="mutes")
    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="mutes")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "campaign"], name="muted_once")]

    def __str__(self) -> str:
        return f"{self.campaign_id} muted by {self.user_id}"


class Delivery(models.Model):
    """A message that leaves, or has left, through a channel; what is in it are its `items`, or for
    a `word` the `facts`.
    """

    class Form(models.TextChoices):
        NOW = "now", gettext_lazy("at once")
        DIGEST = "digest", gettext_lazy("daily e-mail")
        WORD = "word", gettext_lazy("of your channels")

    class State(models.TextChoices):
        WAITING = "waiting", gettext_lazy("waits")
        SENDING = "sending", gettext_lazy("is being sent")
        SENT = "sent", gettext_lazy("sent")
        DROPPED = "dropped", gettext_lazy("no longer needed")
        DOUBTFUL = "doubtful", gettext_lazy("perhaps sent")
        FAILED = "failed", gettext_lazy("failed")

    channel = models.ForeignKey(Channel, models.CASCADE, related_name="deliveries")
    form = models.CharField(max_length=6, choices=Form.choices)
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    facts = models.TextField(default="{}", help_text="canonical JSON")
    made_at = models.DateTimeField()
    next_at = models.DateTimeField(help_text="when it is to be sent, or tried again")
    attempts = models.PositiveIntegerField(default=0)
    taken_at = models.DateTimeField(null=True, blank=True)
    done_at = models.DateTimeField(null=True, blank=True)
    last_error = models.CharField(max_length=300, blank=True, default="")

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "deliveries"
        indexes = [
            models.Index(fields=["next_at"], condition=Q(state="waiting"), name="delivery_to_send"),
            models.Index(
                fields=["taken_at"], condition=Q(state="sending"), name="delivery_being_sent"
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["channel"],
                condition=Q(form="digest", state="waiting", attempts=0),
                name="one_digest_waits",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.form} {self.pk} {self.state}"


class RequestedMail(models.Model):
    """An e-mail that a request has caused and the worker has not sent yet (`notices.mailing`);
    backups do not contain it.

    `sealed` is the whole e-mail with its addresses, sealed with the vault key because of its codes
    and links.
    """

    sealed = models.TextField()
    made_at = models.DateTimeField()
    next_at = models.DateTimeField(help_text="when it is to be sent, or tried again")
    expires_at = models.DateTimeField(help_text="from when on it is of no use and is deleted")
    attempts = models.PositiveIntegerField(default=0)
    taken_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "requested e-mails"
        indexes = [
            models.Index(fields=["next_at"], name="requested_mail_to_send"),
            models.Index(fields=["expires_at"], name="requested_mail_expires"),
        ]

    def __str__(self) -> str:
        return f"requested e-mail {self.pk}"


class DeliveryItem(models.Model):
    """One notice in one delivery. `notice_key` (entry, kind, about) identifies the notice, so that
    a channel receives it once.
    """

    delivery = models.ForeignKey(Delivery, models.CASCADE, related_name="items")
    channel = models.ForeignKey(Channel, models.CASCADE, related_name="+")
    notice = models.ForeignKey(Notice, models.CASCADE, related_name="items")
    notice_key = models.CharField(max_length=130)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["channel", "notice_key"], name="through_a_channel_once")
        ]

    def __str__(self) -> str:
        return self.notice_key


class FeedAddress(models.Model):
    """An address that a program reads a person's notices or deadlines from. Only its token's hash
    is kept.
    """

    class Kind(models.TextChoices):
        NOTICES = "notices", gettext_lazy("Notices (Atom)")
        DEADLINES = "deadlines", gettext_lazy("Deadlines (calendar)")

    user = models.ForeignKey(PEOPLE, models.PROTECT, related_name="feeds")
    kind = models.CharField(max_length=9, choices=Kind.choices)
    token_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "kind"], condition=Q(revoked_at=None), name="one_feed_of_a_kind"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.user_id}"


__all__ = [
    "Channel",
    "Delivery",
    "DeliveryItem",
    "DeliveryMode",
    "FeedAddress",
    "Notice",
    "NoticePreference",
    "RequestedMail",
    "Service",
    "Webhook",
    "WebhookDelivery",
]


# Where a campaign's log goes as it is said, for programs; and what was sent there. Only
# `notices.webhooks` and `notices.webhooks` write here.


class Webhook(models.Model):
    """An address that is sent every entry which everybody may see, in order, from the one after
    `upto` on.

    `sealed` is the address, `secret` what signs; both are sealed (`campaign.keys`), never shown,
    and empty once it is taken away. `host` is what of the address may be shown. `batch` is the last
    entry of those that were tried and not taken yet, so that another attempt sends the same;
    `failing_since` the first failure since something arrived.
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
    off_why = models.CharField(
        max_length=300, blank=True, default="", help_text="empty: a game master switched it off"
    )
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
        indexes = [
            models.Index(
                fields=["campaign"],
                condition=Q(active=True, removed_at=None),
                name="webhooks_that_listen",
            )
        ]

    def __str__(self) -> str:
        return f"webhook {self.pk} of {self.campaign_id}"

    @property
    def called(self) -> str:
        return self.host


class WebhookDelivery(models.Model):
    """Entries `first` to `last` on their way to a webhook, under one id however often they are
    tried; no `first`: a test.
    """

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
    status = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="what the last attempt was answered"
    )
    error = models.CharField(max_length=300, blank=True, default="")
    made_at = models.DateTimeField()
    tried_at = models.DateTimeField()

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "webhook deliveries"

    def __str__(self) -> str:
        return f"{self.key}: {self.state}"

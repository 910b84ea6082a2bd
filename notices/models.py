"""Notices, the channels through which they are sent, and webhooks. Only `notices` writes here."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy, pgettext_lazy

from campaign.models import Campaign, LogEntry
from engine.strict_json import StoredDecoder, StoredEncoder

PEOPLE = settings.AUTH_USER_MODEL


class Notice(models.Model):
    """A log entry of which a user is notified.

    The texts are made when the notice is read, from `kind` and `facts`. `seat` is the seat as whose
    holder the user is notified (`gm` for the game master). `about` distinguishes several notices of
    one kind that an entry causes. The notice of a struck entry remains; whether it is struck is
    read from the entry. `routed_at` is when it was put into deliveries for the user's channels; it
    is empty until then.
    """

    user = models.ForeignKey(PEOPLE, models.PROTECT, related_name="notices")
    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="notices")
    entry = models.ForeignKey(LogEntry, models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=40)
    about = models.CharField(max_length=60, blank=True, default="")
    seat = models.CharField(max_length=40, blank=True, default="")
    facts = models.JSONField(default=dict, encoder=StoredEncoder, decoder=StoredDecoder)
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


class Service(models.TextChoices):
    EMAIL = "email", pgettext_lazy("option", "E-mail")
    DISCORD = "discord", "Discord"
    TELEGRAM = "telegram", "Telegram"
    SLACK = "slack", "Slack"
    PUSH = "push", gettext_lazy("Device")


class DeliveryMode(models.TextChoices):
    NOW = "now", pgettext_lazy("option", "at once")
    DIGEST = "digest", gettext_lazy("in the daily e-mail")
    OFF = "off", gettext_lazy("not at all")


class Channel(models.Model):
    """A place to which a user's notices are sent, or, with `campaign`, a campaign's public notices.

    An e-mail channel has no address of its own: it uses the address of the account, if that is
    confirmed. The address of any other channel is sealed. A channel without `confirmed_at` receives
    nothing except its code. `failures` counts the failures since a message last arrived.
    """

    user = models.ForeignKey(
        PEOPLE,
        models.PROTECT,
        related_name="channels",
        help_text="Owner of a personal channel; otherwise the user who set it up.",
    )
    campaign = models.ForeignKey(
        Campaign, models.CASCADE, null=True, blank=True, related_name="channels"
    )
    service = models.CharField(max_length=10, choices=Service.choices)
    name = models.CharField(max_length=60, blank=True, default="")
    sealed = models.TextField(blank=True, default="")
    digest_hour = models.PositiveSmallIntegerField(default=8, validators=[MaxValueValidator(23)])
    language = models.CharField(
        max_length=8,
        blank=True,
        default="",
        help_text=("Language of a campaign's channel; a personal channel uses that of its owner."),
    )
    created_at = models.DateTimeField()
    code_hash = models.CharField(max_length=64, blank=True, default="")
    code_tries = models.PositiveSmallIntegerField(default=0)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    active = models.BooleanField(default=True)
    off_why = models.CharField(
        max_length=300, blank=True, default="", help_text="Empty if its owner switched it off."
    )
    discreet = models.BooleanField(
        default=False, help_text="Of a device: the lock screen shows only the campaign."
    )
    quiet_from = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[MaxValueValidator(23)]
    )
    quiet_to = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        validators=[MaxValueValidator(23)],
        help_text="Of a device: notices wait between the two hours.",
    )
    failures = models.PositiveIntegerField(default=0)
    last_error = models.CharField(max_length=300, blank=True, default="")
    last_ok_at = models.DateTimeField(null=True, blank=True)
    removed_at = models.DateTimeField(null=True, blank=True)
    # The message "whom we wait for", which is edited in place. Only a campaign's Discord channel
    # has it.
    board = models.BooleanField(default=False)
    board_message = models.CharField(max_length=40, blank=True, default="")
    board_digest = models.CharField(
        max_length=64,
        blank=True,
        default="",
        help_text="Digest of the text that the message shows now.",
    )
    board_due = models.DateTimeField(
        null=True, blank=True, help_text="When to check whether the message is up to date."
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
        """The name on pages: the channel's own name, or else the name of the service."""
        return self.name or str(self.get_service_display())


class NoticePreference(models.Model):
    """The owner's choice how a kind is delivered through a channel (`notices.preferences`)."""

    channel = models.ForeignKey(Channel, models.CASCADE, related_name="preferences")
    kind = models.CharField(max_length=40)
    mode = models.CharField(max_length=6, choices=DeliveryMode.choices)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["channel", "kind"], name="one_wish_a_kind")]

    def __str__(self) -> str:
        return f"{self.kind}: {self.mode}"


class Mute(models.Model):
    """A campaign that a user has muted.

    No notices of it are sent through the user's channels, and the bell counts only urgent ones. Its
    notices are written and listed as usual.
    """

    user = models.ForeignKey(PEOPLE, models.PROTECT, related_name="mutes")
    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="mutes")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "campaign"], name="muted_once")]

    def __str__(self) -> str:
        return f"{self.campaign_id} muted by {self.user_id}"


class Delivery(models.Model):
    """A message that is to be sent, or has been sent, through a channel.

    Its content is its `items`, or for the form `word` its `facts`.
    """

    class Form(models.TextChoices):
        NOW = "now", pgettext_lazy("option", "at once")
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
    facts = models.JSONField(default=dict, encoder=StoredEncoder, decoder=StoredDecoder)
    made_at = models.DateTimeField()
    next_at = models.DateTimeField(help_text="Next attempt to send it.")
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
    """An e-mail that a request has caused and the worker has not sent yet (`notices.mailing`).

    `sealed` is the whole e-mail with its addresses, sealed with the vault key because of its codes
    and links. Backups do not contain it.
    """

    sealed = models.TextField()
    made_at = models.DateTimeField()
    next_at = models.DateTimeField(help_text="Next attempt to send it.")
    expires_at = models.DateTimeField(
        help_text="When it is deleted because it is no longer useful."
    )
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
    """A notice in a delivery.

    `notice_key` (entry, kind, about) identifies the notice, so that a channel receives it once.
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
    """An address from which a program reads a user's notices or deadlines.

    Only the hash of its token is stored.
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


# Webhooks send a campaign's log to programs as it is written. Only `notices.webhooks` writes here.


class Webhook(models.Model):
    """An address that receives every public entry after `upto`, in order.

    `sealed` is the address and `secret` the key for signatures. Both are sealed (`campaign.keys`),
    never shown, and empty once the webhook is removed. `host` is the part of the address that may
    be shown. `batch` is the last entry of those that were tried but have not arrived, so that
    another attempt sends the same entries. `failing_since` is the first failure since something
    arrived.
    """

    page = "webhooks"

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="webhooks")
    made_by = models.ForeignKey(PEOPLE, models.PROTECT, related_name="+")
    made_at = models.DateTimeField()
    key = models.CharField(
        max_length=8, unique=True, help_text="Beginning of the ids of its deliveries."
    )
    host = models.CharField(max_length=255)
    sealed = models.TextField(blank=True)
    secret = models.TextField(blank=True)
    active = models.BooleanField(default=True)
    off_why = models.CharField(
        max_length=300, blank=True, default="", help_text="Empty if a game master switched it off."
    )
    upto = models.IntegerField(help_text="Number of the last delivered entry.")
    batch = models.IntegerField(null=True, blank=True)
    next_at = models.DateTimeField(
        null=True, blank=True, help_text="Earliest time of the next attempt; empty for now."
    )
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
    """The entries `first` to `last` on their way to a webhook; a test has no `first`.

    All attempts have the same id.
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
        null=True, blank=True, help_text="HTTP status of the last attempt."
    )
    error = models.CharField(max_length=300, blank=True, default="")
    made_at = models.DateTimeField()
    tried_at = models.DateTimeField()

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "webhook deliveries"

    def __str__(self) -> str:
        return f"{self.key}: {self.state}"

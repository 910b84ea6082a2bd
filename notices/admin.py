from django.contrib import admin

from notices.models import Channel, Delivery, Feed, Notice, Webhook, WebhookDelivery
from people.admin import ReadOnly


@admin.register(Notice)
class NoticeAdmin(ReadOnly):
    exclude = ["facts"]  # they may name a card that only one seat knows


@admin.register(Channel)
class ChannelAdmin(ReadOnly):
    exclude = ["sealed", "code_hash", "board_message"]
    list_display = ["__str__", "active", "failures", "last_error", "last_ok_at"]


@admin.register(Delivery)
class DeliveryAdmin(ReadOnly):
    exclude = ["facts"]
    list_display = ["__str__", "channel", "attempts", "next_at", "done_at", "last_error"]


@admin.register(Feed)
class FeedAdmin(ReadOnly):
    exclude = ["token_hash"]


@admin.register(Webhook)
class WebhookAdmin(ReadOnly):
    exclude = ["sealed", "secret"]
    list_display = ["__str__", "host", "active", "upto", "failures", "last_error", "last_ok_at"]


@admin.register(WebhookDelivery)
class WebhookDeliveryAdmin(ReadOnly):
    list_display = ["__str__", "webhook", "first", "last", "attempts", "status", "tried_at", "error"]

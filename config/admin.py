"""The admin pages. They only show rows, and no secrets."""

from typing import Any, ClassVar

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django.contrib import admin
from django.contrib.auth.models import Group
from django.db.models import QuerySet

from battles.models import Battle, Claim
from campaign.log import selectors
from campaign.models import Campaign, DiceRoll, Invitation, LogEntry, Membership
from forum.models import FollowedThread, ImportedPost, Post, ReportComment, ReportTemplate, Thread
from nations.models import Balance, Holding, Nation
from notices.models import Channel, Delivery, FeedAddress, Notice, Webhook, WebhookDelivery
from people.models import Token, User

# Addresses are fields of the user; the site has no groups; a second factor is a secret; keys of
# other sites come from the settings.
for model in (EmailAddress, Group, Authenticator, SocialAccount, SocialApp, SocialToken):
    admin.site.unregister(model)


class ReadOnly(admin.ModelAdmin):
    """A page that shows rows and changes nothing. Secret fields belong into `exclude`."""

    actions = None

    def has_add_permission(self, request: Any) -> bool:
        return False

    def has_change_permission(self, request: Any, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: Any, obj: Any = None) -> bool:
        return False


@admin.register(User)
class UserAdmin(ReadOnly):
    list_display = [
        "username",
        "email",
        "time_zone",
        "date_joined",
        "last_login",
        "is_active",
        "is_staff",
        "demo",
        "guest",
    ]
    list_filter = ["is_active", "is_staff", "demo", "guest"]
    search_fields = ["username", "email"]
    ordering = ["username"]
    exclude = ["password", "user_permissions", "groups"]


@admin.register(Token)
class TokenAdmin(ReadOnly):
    list_display = ["user", "scope", "made_at", "ends_at", "last_used_at", "revoked_at"]
    list_filter = ["scope"]
    list_select_related = ["user"]
    exclude = ["secret_hash"]


# Seeds, keys, hashes of tokens and rows with an audience are not shown.
#
# Digests and the chain are not shown either: a reader who knows everything of an entry except a
# hidden die could try its values against the hash.


@admin.register(Campaign)
class CampaignAdmin(ReadOnly):
    list_display = [
        "name",
        "public_id",
        "title",
        "status",
        "turn",
        "phase",
        "visibility",
        "founder",
        "founded_at",
    ]
    list_filter = ["title", "status", "visibility"]
    search_fields = ["name", "public_id"]
    exclude = [
        "seed_sealed",
        "digest_key_sealed",
        "last_sequence",
        "last_hash",
        "standing_hash",
        "turn_times",
        "changes",
    ]


@admin.register(Membership)
class MembershipAdmin(ReadOnly):
    list_display = ["campaign", "user", "role", "seat", "since", "until"]
    list_filter = ["role"]
    exclude = ["own_changes"]


@admin.register(Invitation)
class InvitationAdmin(ReadOnly):
    list_display = [
        "campaign",
        "seat",
        "made_by",
        "created_at",
        "expires_at",
        "uses_left",
        "revoked_at",
    ]
    exclude = ["token_hash"]


class Open(ReadOnly):
    """A page of rows that everyone may see: the user who runs the server is not a game master."""

    open: ClassVar[dict[str, Any]] = {"audience__isnull": True}

    def get_queryset(self, request: Any) -> "QuerySet[Any]":
        return super().get_queryset(request).filter(**self.open)


@admin.register(LogEntry)
class LogEntryAdmin(Open):
    list_display = ["campaign", "number", "kind", "seat", "line", "actor", "turn", "at"]
    list_filter = ["kind"]
    list_select_related = ["campaign", "actor"]
    # A public entry may name a hidden card: its line is the one for outsiders.
    fields = ["campaign", "number", "kind", "line", "actor", "seat", "turn", "at"]

    @admin.display(description="said")
    def line(self, entry: LogEntry) -> str:
        return selectors.lines(entry.campaign, None, [entry])[0].text


@admin.register(DiceRoll)
class DiceRollAdmin(Open):
    open: ClassVar[dict[str, Any]] = {"audience__isnull": True, "entry__audience__isnull": True}
    list_display = ["entry", "purpose", "value", "sides", "turn"]


# Cards, ledger and actions are left out: some of their rows have an audience.
admin.site.register([Nation, Balance, Holding], ReadOnly)

admin.site.register(Battle, ReadOnly)
admin.site.register(Claim, ReadOnly)


@admin.register(Thread)
class ThreadAdmin(ReadOnly):
    list_display = ["campaign", "name", "transport", "active", "locked_at", "removed_at"]
    exclude = [
        "settings",
        "sealed",
        "session",
    ]  # open ones are left out, too: an address may reveal more than its owner meant


@admin.register(Post)
class PostAdmin(ReadOnly):
    list_display = [
        "campaign",
        "number",
        "report",
        "part",
        "part_count",
        "state",
        "attempts",
        "next_at",
    ]
    list_filter = ["state"]


@admin.register(ReportTemplate)
class ReportTemplateAdmin(ReadOnly):
    list_display = ["campaign", "language", "tone", "changed_by", "changed_at"]


@admin.register(ReportComment)
class FlavourAdmin(ReadOnly):
    list_display = ["campaign", "report", "language", "changed_by", "changed_at"]


@admin.register(FollowedThread)
class FollowingAdmin(ReadOnly):
    list_display = ["thread", "active", "shown", "read_at", "failures", "stopped_at"]
    exclude = ["place", "seen"]


@admin.register(ImportedPost)
class ImportedPostAdmin(ReadOnly):
    list_display = ["thread", "name", "author", "posted_at", "imported_at"]


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


@admin.register(FeedAddress)
class FeedAdmin(ReadOnly):
    exclude = ["token_hash"]


@admin.register(Webhook)
class WebhookAdmin(ReadOnly):
    exclude = ["sealed", "secret"]
    list_display = ["__str__", "host", "active", "upto", "failures", "last_error", "last_ok_at"]


@admin.register(WebhookDelivery)
class WebhookDeliveryAdmin(ReadOnly):
    list_display = [
        "__str__",
        "webhook",
        "first",
        "last",
        "attempts",
        "status",
        "tried_at",
        "error",
    ]


# Messages between seats and reports of users are left out: moderators read reports on another page
# (`web.moderation`).

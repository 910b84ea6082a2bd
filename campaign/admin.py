"""The admin reads. Seeds, keys and the hashes of tokens are not shown, nor what has an audience."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet

from campaign.models import Campaign, DiceRoll, Invitation, LogEntry, Membership
from people.admin import ReadOnly


@admin.register(Campaign)
class CampaignAdmin(ReadOnly):
    list_display = ["name", "public_id", "title", "status", "turn", "phase", "visibility", "founder", "founded_at"]
    list_filter = ["title", "status", "visibility"]
    search_fields = ["name", "public_id"]
    exclude = ["seed_sealed", "digest_key_sealed"]


@admin.register(Membership)
class MembershipAdmin(ReadOnly):
    list_display = ["campaign", "user", "role", "seat", "since", "until"]
    list_filter = ["role"]


@admin.register(Invitation)
class InvitationAdmin(ReadOnly):
    list_display = ["campaign", "seat", "made_by", "created_at", "expires_at", "uses_left", "revoked_at"]
    exclude = ["token_hash"]


class Open(ReadOnly):
    """Rows that everybody may see; whoever runs the server is not by that a game master."""

    open: ClassVar[dict[str, Any]] = {"audience__isnull": True}

    def get_queryset(self, request: Any) -> "QuerySet[Any]":
        return super().get_queryset(request).filter(**self.open)


@admin.register(LogEntry)
class LogEntryAdmin(Open):
    list_display = ["campaign", "number", "kind", "seat", "actor", "turn", "at", "struck_by"]
    list_filter = ["kind"]
    exclude = ["effects", "sequence"]


@admin.register(DiceRoll)
class DiceRollAdmin(Open):
    open: ClassVar[dict[str, Any]] = {"audience__isnull": True, "entry__audience__isnull": True}
    list_display = ["entry", "purpose", "value", "sides", "turn"]

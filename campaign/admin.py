"""The admin reads. Seeds, keys and the hashes of tokens are not shown, nor what has an audience.

Digests neither, nor the chain: who knows all but a hidden die of an entry could try its values against the hash.
"""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet

from campaign import selectors
from campaign.models import Campaign, DiceRoll, Invitation, LogEntry, Membership
from people.admin import ReadOnly


@admin.register(Campaign)
class CampaignAdmin(ReadOnly):
    list_display = ["name", "public_id", "title", "status", "turn", "phase", "visibility", "founder", "founded_at"]
    list_filter = ["title", "status", "visibility"]
    search_fields = ["name", "public_id"]
    exclude = ["seed_sealed", "digest_key_sealed", "last_sequence", "last_hash", "standing_hash"]


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
    list_display = ["campaign", "number", "kind", "seat", "line", "actor", "turn", "at"]
    list_filter = ["kind"]
    list_select_related = ["campaign", "actor"]
    # A public entry may name a card that only some may know: its words are those of a stranger.
    fields = ["campaign", "number", "kind", "line", "actor", "seat", "turn", "at"]

    @admin.display(description="said")
    def line(self, entry: LogEntry) -> str:
        return selectors.lines(entry.campaign, None, [entry])[0].text


@admin.register(DiceRoll)
class DiceRollAdmin(Open):
    open: ClassVar[dict[str, Any]] = {"audience__isnull": True, "entry__audience__isnull": True}
    list_display = ["entry", "purpose", "value", "sides", "turn"]

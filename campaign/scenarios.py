"""Who may see which scenario of somebody's shelf."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet

from campaign.models_scenarios import Scenario

LISTED = ("public_id", "name", "title", "sharing", "made_at", "removed_at", "hidden", "drawing_id", "owner_id", "owner__username",
          "owner__erased_at")  # fmt: skip
"""What a list shows of each: never its text, which is long."""


def mine(user: Any, *, removed: bool = False) -> QuerySet[Scenario]:
    """A person's own, the newest first; with `removed` those he has removed."""
    found = Scenario.objects.filter(owner_id=user.pk, removed_at__isnull=not removed)
    return found.select_related("owner").only(*LISTED).order_by("-made_at", "-pk")


def public(user: Any = None) -> QuerySet[Scenario]:
    """Those that others have put into the list for everybody, by name."""
    found = Scenario.objects.filter(sharing=Scenario.Sharing.PUBLIC, removed_at=None, hidden=False)
    if user is not None and user.pk:
        found = found.exclude(owner_id=user.pk)
    return found.select_related("owner").only(*LISTED).order_by("name", "pk")


def seen(public_id: str, user: Any) -> Scenario | None:
    """The scenario of this address, if this reader may see it: its owner, or whoever comes where it is shared."""
    theirs = Q(removed_at=None, hidden=False) & ~Q(sharing=Scenario.Sharing.PRIVATE)
    may = theirs | Q(owner_id=user.pk) if user.pk else theirs
    return Scenario.objects.filter(may, public_id=public_id).select_related("owner", "drawing").first()

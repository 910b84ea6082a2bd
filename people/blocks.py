"""Two people of whom one wants to hear nothing from the other.

A block works both ways and only who made it knows of it: what the other sends goes nowhere and looks as if it had arrived, and
what the blocker would send is refused with the reason. What the table does, moves and battles among it, knows no blocks.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from people.models import Block, User

MOST = 200


class CannotBlock(Exception):
    """Nobody can be blocked so; the text says why."""


def block(user: User, other: User, now: datetime | None = None) -> Block:
    """From now on. Twice is no error. Raises `CannotBlock`."""
    if user.guest or user.demo:
        raise CannotBlock(_("Make an account first: a guest is written to by nobody."))
    if other.pk == user.pk or other.guest or other.erased_at is not None:
        raise CannotBlock(_("There is nobody to block."))
    if blocks_of(user).count() >= MOST:
        raise CannotBlock(_("You have blocked %(most)s people. Unblock somebody first.") % {"most": MOST})
    return Block.objects.get_or_create(user=user, blocked=other, defaults={"at": now or timezone.now()})[0]


def unblock(user: User, other: int) -> bool:
    """Was there a block?"""
    return bool(Block.objects.filter(user=user, blocked_id=other).delete()[0])


def blocks_of(user: User) -> QuerySet[Block]:
    """Whom they block, the latest first."""
    return Block.objects.filter(user=user).select_related("blocked")


def apart_since(user: Any) -> dict[int, datetime]:
    """Whom they block and who blocks them, each with since when."""
    if not user.pk:
        return {}
    rows = Block.objects.filter(Q(user_id=user.pk) | Q(blocked_id=user.pk)).order_by("-at")
    pairs = rows.values_list("user_id", "blocked_id", "at")
    return {blocked if one == user.pk else one: at for one, blocked, at in pairs}


def apart_from(user: Any) -> set[int]:
    """Whom they block and who blocks them."""
    return set(apart_since(user))


def blocks(user: Any, others: Iterable[int]) -> bool:
    """Do they themselves block one of these?"""
    return Block.objects.filter(user_id=user.pk, blocked_id__in=list(others)).exists()


def are_apart(one: Any, other: Any) -> bool:
    """Does either block the other?"""
    return Block.objects.filter(Q(user_id=one.pk, blocked_id=other.pk) | Q(user_id=other.pk, blocked_id=one.pk)).exists()

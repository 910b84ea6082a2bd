"""Who may make an account here: everybody, who was invited, or nobody (`settings.SIGN_UP`).

Where people come by invitation, a link of a campaign's game master opens sign-up, or one of the host's, which this file makes.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext as _

from people.models import SiteInvitation, User

OPEN, INVITED, CLOSED = "open", "invited", "closed"
LIVES = (1, 7, 30, 90)
"""Days for which a link may open sign-up."""
MOST_USES = 500
KEY = "site invitation"
"""Where a session keeps the link that it came by."""


class CannotInvite(Exception):
    """No link can be made so; `field` is what is to be changed."""

    def __init__(self, why: str, field: str) -> None:
        super().__init__(why)
        self.field = field


def make(by: User | None, now: datetime, *, days: int = 30, uses: int = 1, note: str = "") -> tuple[SiteInvitation, str]:
    """A link's row and its token, which nobody can look up later. `by` None: a command. Raises `CannotInvite`."""
    note = note.strip()
    if days not in LIVES:
        raise CannotInvite(_("Choose how long the link opens sign-up."), "days")
    if not 1 <= uses <= MOST_USES:
        raise CannotInvite(_("A link serves once, or up to %(most)s times.") % {"most": MOST_USES}, "uses")
    if len(note) > SiteInvitation.LONGEST_NOTE or not all(sign.isprintable() for sign in note):
        raise CannotInvite(_("A note has up to %(most)s characters.") % {"most": SiteInvitation.LONGEST_NOTE}, "note")
    token = secrets.token_urlsafe(24)
    row = SiteInvitation.objects.create(
        token_hash=_hash(token), note=note, made_by=by, made_at=now, ends_at=now + timedelta(days=days), uses_left=uses
    )
    return row, token


def opening(token: str, now: datetime) -> SiteInvitation | None:
    """The row of a link that opens sign-up now."""
    return living(now).filter(token_hash=_hash(token)).first() if token else None


def use(token: str, now: datetime) -> bool:
    """An account was made by this link. False where it was used up a moment ago."""
    row = living(now).filter(token_hash=_hash(token))
    return bool(row.update(uses_left=F("uses_left") - 1, used=F("used") + 1))


def revoke(number: int, now: datetime) -> bool:
    return bool(SiteInvitation.objects.filter(pk=number, revoked_at=None).update(revoked_at=now))


def living(now: datetime) -> QuerySet[SiteInvitation]:
    return SiteInvitation.objects.filter(Q(ends_at__gt=now), uses_left__gt=0, revoked_at=None)


def way() -> str:
    return str(settings.SIGN_UP)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()

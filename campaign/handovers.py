"""What a holder wrote down for a seat, and what is handed over with it, read: nobody else learns of either."""

from __future__ import annotations

from typing import Any

from cryptography.fernet import InvalidToken
from django.db.models import OuterRef, QuerySet, Subquery
from django.utils.translation import gettext as _

from campaign import access, keys
from campaign.errors import NotAllowed
from campaign.models import Campaign, LogEntry, Membership
from campaign.models_handed import Handover, Note

LONGEST = 10_000
"""Characters of a note."""
SEAT = Membership.Role.SEAT


def note_of(campaign: Campaign, user: Any, seat: str) -> Note:
    """This user's note for a seat that he holds; an empty one, not stored, where he has none. Raises `NotAllowed`."""
    if seat not in access.of(campaign, user).seats:
        raise NotAllowed("not-your-seat", _("Only who holds a seat keeps notes for it, and nobody else reads them."))
    kept = Note.objects.filter(campaign=campaign, user_id=user.pk, seat=seat).first()
    return kept or Note(campaign=campaign, user=user, seat=seat)


def text_of(note: Note | None) -> str:
    """What the note says; empty under another installation's key, which cannot read it."""
    if note is None or note.empty:
        return ""
    try:
        return keys.unseal(note.text_sealed)
    except InvalidToken:
        return ""


def handed(campaign: Campaign, user: Any, seat: str) -> Any:
    """The `Handover` to this user of a seat that he holds still, None where there is none. Raises `NotAllowed` where he does not.

    `last_said` is the number of the last move that everybody sees and that who held the seat before made for it himself.
    """
    if seat not in access.of(campaign, user).seats:
        raise NotAllowed("not-your-seat", _("Only who holds the seat now reads what was handed over with it."))
    found = Handover.objects.filter(campaign=campaign, user_id=user.pk, seat=seat, membership__until=None)
    moves = LogEntry.objects.filter(campaign=campaign, kind=LogEntry.Kind.MOVE, seat=seat, number__isnull=False)
    last = moves.filter(actor=OuterRef("leaver"), at__lte=OuterRef("at")).order_by("-sequence")
    return found.select_related("leaver", "note").annotate(last_said=Subquery(last.values("number")[:1])).first()


def beside(campaigns: QuerySet[Campaign], user: Any) -> QuerySet[Campaign]:
    """The same campaigns, each with `handed`: the first seat of this user's whose hand-over page waits for him (or None)."""
    waits = Handover.objects.filter(campaign=OuterRef("pk"), user_id=user.pk, membership__until=None, dismissed_at=None)
    return campaigns.annotate(handed=Subquery(waits.order_by("pk").values("seat")[:1]))

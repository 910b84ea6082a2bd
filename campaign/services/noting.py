"""Notes for a seat, written; and what passes to its next holder."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from campaign import handovers, keys
from campaign.errors import NoteChanged, Refused
from campaign.models import Campaign, Membership
from campaign.models_handed import Handover, Note
from campaign.services import log
from engine.strict_json import clean_text


@transaction.atomic
def write_note(
    campaign: Campaign, user: Any, seat: str, text: str, *, left: bool, version: int, now: datetime | None = None
) -> Note:
    """What the seat's holder writes down, in the place of what stood there; `left` leaves it to who holds the seat next.

    Raises `NotAllowed`, `Refused` where it is too long or cannot be shown, `NoteChanged` where `version` is not that which
    stands.
    """
    table = log.lock(campaign)
    note = handovers.note_of(table, user, seat)
    if version != note.version:
        raise NoteChanged
    text = text.replace("\r\n", "\n").strip()
    log.must_be_seen(text, _("Notes"))
    if text and not clean_text(text, handovers.LONGEST):
        most = {"most": handovers.LONGEST}
        raise Refused("bad-note", _("Notes have up to %(most)d characters, all of which can be shown.") % most)
    note.text_sealed, note.empty, note.left = keys.seal(text) if text else "", not text, left
    note.version += 1
    note.changed_at = log.moment(now)
    note.save()
    return note


def pass_on(table: Campaign, held: Membership) -> None:
    """The seat that this place is of has come to its user: what its last holder left him, if anything is handed over.

    Before the start there is nothing but notes. Who comes back to what he held last needs no page.
    """
    past = table.memberships.filter(role=held.role, seat=held.seat, until__isnull=False).order_by("-until", "-pk")
    leaver = past.values_list("user_id", flat=True).first()
    if leaver == held.user_id:
        return
    kept = Note.objects.filter(campaign=table, seat=held.seat, left=True, empty=False)
    left = kept.filter(user_id=leaver).first() if leaver is not None else None
    if left is None and not table.started:
        return
    Handover.objects.create(
        campaign=table, membership=held, user_id=held.user_id, seat=held.seat, leaver_id=leaver, note=left, at=held.since
    )


@transaction.atomic
def dismiss_handover(campaign: Campaign, user: Any, seat: str, *, now: datetime | None = None) -> None:
    """The holder has read it: his pages lead there no more. Twice is no error. Raises `NotAllowed`."""
    table = log.lock(campaign)
    found = handovers.handed(table, user, seat)
    if found is not None:
        Handover.objects.filter(pk=found.pk, dismissed_at=None).update(dismissed_at=log.moment(now))

"""A standing order that the rules forbade, told to who gave it and to nobody else: `settings.ORDER_TELLERS`."""

from __future__ import annotations

from datetime import datetime

from campaign.models import Heeded
from engine.log import canonical
from engine.strict_json import read
from notices.models import Notice

SKIPPED = "order-skipped"


def tell(note: Heeded, at: datetime) -> None:
    """Write it to the holder, once an order and question."""
    kept = note.orders
    facts = {"seat": kept.seat, "contest": note.contest, "refusal": read(note.refusal), "order": read(note.said)}
    row = Notice(
        user_id=kept.user_id, campaign_id=kept.campaign_id, entry=note.entry, kind=SKIPPED, seat=kept.seat,
        about=f"{note.question[:40]}/{kept.version}/{note.place}", facts=canonical(facts), at=at,
    )  # fmt: skip
    Notice.objects.bulk_create([row], ignore_conflicts=True)

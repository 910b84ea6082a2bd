"""Evidence: links and pictures that were shown for a battle."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from battles.models import Battle, Evidence
from web.frame.campaign_page import TableContext


@dataclass(frozen=True, slots=True)
class EvidenceItem:
    """A link or a picture. `erased` is when it was erased, and `why_erased` the reason."""

    number: int | None
    entry_url: str
    url: str
    is_picture: bool
    kilobytes: int
    width: int
    height: int
    who: str
    author: int | None
    at: datetime
    sha256: str
    erased: datetime | None
    why_erased: str


def evidence_item(table: TableContext, battle: Battle, evidence: Evidence) -> EvidenceItem:
    entry = evidence.entry
    is_shown_picture = evidence.picture and not evidence.erased_at
    return EvidenceItem(
        number=entry.number,
        entry_url=table.url("entry", entry.number),
        url=(
            table.url("evidence", battle.number, entry.number) if is_shown_picture else evidence.url
        ),
        is_picture=evidence.picture,
        kilobytes=max(1, evidence.bytes // 1024),
        width=evidence.width,
        height=evidence.height,
        who=entry.actor.username if entry.actor else "",
        author=entry.actor_id,
        at=entry.at,
        sha256=evidence.digest,
        erased=evidence.erased_at,
        why_erased=evidence.why_erased,
    )

"""Evidence: links and pictures that were shown for a battle."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from battles import projection as battles_projection
from battles.models import Battle, Evidence
from campaign.log.acts.battles import EVIDENCE
from campaign.models import LogEntry
from web.battles.acts import FormState
from web.battles.forms import LinkForm
from web.frame.table import TableContext
from web.moves.actions import ActionOutcome


@dataclass(frozen=True, slots=True)
class EvidenceItem:
    """A link or a picture.

    `erased` is the time at which it was erased, and `why_erased` the reason.
    """

    number: int | None
    entry_url: str
    url: str
    is_picture: bool
    kilobytes: int
    width: int
    height: int
    person: str
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
        person=entry.actor.username if entry.actor else "",
        author=entry.actor_id,
        at=entry.at,
        sha256=evidence.digest,
        erased=evidence.erased_at,
        why_erased=evidence.erasure_reason,
    )


@dataclass(frozen=True, slots=True)
class EvidenceSheet:
    """All evidence of a battle, and the forms that add evidence."""

    items: list[EvidenceItem]
    may_show: bool
    typed_url: str
    refusal: ActionOutcome | None


def evidence_sheet(
    table: TableContext, battle: Battle, acts: Iterable[LogEntry], form_state: FormState
) -> EvidenceSheet | None:
    """Return the sheet; None if there is no evidence and the reader cannot add any."""
    items = [
        evidence_item(table, battle, entry.evidence) for entry in acts if entry.act == EVIDENCE.name
    ]
    may_show = table.game_master or bool(battles_projection.sides(battle, table.access))
    if not items and not may_show:
        return None
    return EvidenceSheet(
        items=items,
        may_show=may_show,
        typed_url=LinkForm(form_state.data).text_of("url") if form_state.do == "link" else "",
        refusal=form_state.refusal("link", "picture"),
    )

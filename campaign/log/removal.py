"""Removal of typed texts from the log's pages, while its hash chain stays valid.

Readers see that a text was removed, when and why. The hashed original is kept sealed for the audit.
A later act names the entry and has the SHA-256 of the entry as readers see it since. So anyone who
has the log, but not the key, can detect a replacement text that was changed afterwards.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _

from campaign import keys
from campaign.errors import NotNow, Refused
from campaign.log import entries, positions
from campaign.log.acts.life import HOST, REMOVED
from campaign.log.acts.registry import BINDS_TEXTS
from campaign.models import Campaign, LogEntry
from campaign.sentences import LINKS, first_text, put, swap, texts
from engine.strict_json import canonical, read


class Removed(NamedTuple):
    """The act of a removal, and each removed text with its replacement.

    Other packages need the replacements for their copies of the texts.
    """

    act: LogEntry
    texts: Mapping[str, str]


def removable(entry: LogEntry) -> str:
    """Return the typed texts of an entry that a moderator may remove, one a line.

    Empty if the entry has none.
    """
    return "" if entry.removed else "\n".join(texts(entry.content).values())


@transaction.atomic
def remove_texts(
    campaign: Campaign, number: int, reason: str, *, now: datetime | None = None
) -> Removed:
    """Remove every typed text of the entry of this sequence.

    Raises `NotNow` if it has been removed already, `Refused` if the entry has no typed text or the
    dice need it.
    """
    table, at, why = entries.lock(campaign), entries.moment(now), entries.checked_reason(reason)
    entry = table.entries.get(sequence=number)
    if entry.removed:
        raise NotNow("removed", _("This text has already been removed."))
    content: dict[str, Any] = read(entry.content_json)
    if content.get("act") in BINDS_TEXTS:
        raise Refused(
            "bound",
            _(
                "This text is part of the dice and cannot be removed: without it no one could "
                "check the rolls."
            ),
        )
    typed = texts(content)
    if not typed:
        raise Refused("no-text", _("This entry contains no typed text."))
    day = at.astimezone(UTC).date()
    sentence = first_text(day, why)
    old = {text: "" if path.split(".")[-1] in LINKS else sentence for path, text in typed.items()}
    LogEntry.objects.filter(pk=entry.pk).update(
        sealed=keys.seal(entry.content_json),
        content_json=canonical(put(content, list(typed), sentence)),
        effects=canonical(swap(read(entry.effects), old)),
        removed={"paths": sorted(typed), "day": day.isoformat(), "reason": why},
    )
    entry.refresh_from_db()
    what: dict[str, Any] = {
        "act": HOST.name,
        "how": REMOVED,
        "reason": why,
        "shown": shown_hash(entry),
    }
    if entry.number is not None:
        what["entry"] = entry.number
    act = entries.append_act(table, None, what, audience=entry.viewers, target=entry, now=at)
    _rebuild(table)
    return Removed(act, old)


@transaction.atomic
def note_removal(
    campaign: Campaign, of: str, reason: str, *, now: datetime | None = None
) -> LogEntry:
    """Log that something outside the log was removed.

    `of` says what: the campaign's `name`, its `lobby` or `evidence`.
    """
    table, why = entries.lock(campaign), entries.checked_reason(reason)
    return entries.append_act(
        table, None, {"act": HOST.name, "how": REMOVED, "of": of, "reason": why}, now=now
    )


def shown_hash(entry: LogEntry) -> str:
    """Return the SHA-256 of the entry as readers see it, in the form of an audit pack."""
    target = entry.target.sequence if entry.target is not None else None
    text = canonical(
        entries.body(entry, target, [row.roll for row in entry.rolls.all()], shown=True)
    )
    return hashlib.sha256(text.encode()).hexdigest()


def fault(entry: LogEntry, text: str) -> str:
    """Return how a withheld entry differs from the decision to remove it; empty if it does not.

    `text` is its original.
    """
    facts, content = entry.removal, read(text)
    expected = put(content, facts["paths"], first_text(_day(facts["day"]), facts["reason"]))
    if entry.content_json != canonical(expected):
        return "the text that replaces a removed text differs from the decision to remove it"
    acts = LogEntry.objects.filter(
        campaign_id=entry.campaign_id, target=entry, act=HOST.name, how=REMOVED
    ).order_by("sequence")
    last = acts.last()
    shown = last.content["shown"] if last is not None else ""
    return "" if shown == shown_hash(entry) else "no later entry records the removal of its text"


def _day(text: str) -> Any:
    return datetime.fromisoformat(text).date()


def _rebuild(table: Campaign) -> None:
    """Rebuild the projections, some of which keep a cause with its text."""
    if table.last_sequence >= 0:
        entries.rebuild(table, positions.history(table))

"""A text leaves the log's pages and stays in its chain: what readers see says that it was removed,
when and why; what the hash covers is kept sealed for the audit.

A later entry names it and carries the SHA-256 of the entry as readers see it since: so whoever has
the log without the key still finds a sentence that was put in the place of another by anybody else.
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

"""How of the host's act."""


class Removed(NamedTuple):
    """What was taken out: the act that says so, and each text with what stands in its place, for
    the copies of other rooms.
    """

    act: LogEntry
    texts: Mapping[str, str]


def removable(entry: LogEntry) -> str:
    """The texts of an entry that a person typed and a moderator may remove, one a line; empty where
    there are none.
    """
    return "" if entry.removed else "\n".join(texts(entry.content).values())


@transaction.atomic
def remove_texts(
    campaign: Campaign, number: int, reason: str, *, now: datetime | None = None
) -> Removed:
    """Remove every typed text of the entry of this sequence. Raises `NotNow` where it is done,
    `Refused` where there is none, or the dice need it.
    """
    table, at, why = entries.lock(campaign), entries.moment(now), entries.a_reason(reason)
    entry = table.entries.get(sequence=number)
    if entry.removed:
        raise NotNow("removed", _("This text is removed already."))
    content: dict[str, Any] = read(entry.content_json)
    if content.get("act") in BINDS_TEXTS:
        raise Refused(
            "bound",
            _(
                "This text is part of the dice: without it nobody could check them. It cannot be"
                " removed."
            ),
        )
    typed = texts(content)
    if not typed:
        raise Refused("no-text", _("Nobody typed a text in this entry."))
    day = at.astimezone(UTC).date()
    sentence = first_text(day, why)
    old = {text: "" if path.split(".")[-1] in LINKS else sentence for path, text in typed.items()}
    LogEntry.objects.filter(pk=entry.pk).update(
        sealed=keys.seal(entry.content_json),
        content_json=canonical(put(content, list(typed), sentence)),
        effects=canonical(swap(read(entry.effects), old)),
        removed=canonical({"paths": sorted(typed), "day": day.isoformat(), "reason": why}),
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
    """Say in the log that something was removed that stands beside it: the campaign's `name`, its
    `lobby`, `evidence`.
    """
    table, why = entries.lock(campaign), entries.a_reason(reason)
    return entries.append_act(
        table, None, {"act": HOST.name, "how": REMOVED, "of": of, "reason": why}, now=now
    )


def shown_hash(entry: LogEntry) -> str:
    """SHA-256 of the entry as readers see it, in the form that an audit pack has."""
    target = entry.target.sequence if entry.target is not None else None
    text = canonical(
        entries.body(entry, target, [row.roll for row in entry.rolls.all()], shown=True)
    )
    return hashlib.sha256(text.encode()).hexdigest()


def fault(entry: LogEntry, text: str) -> str:
    """What is wrong with a withheld entry, whose original `text` is known: does it show more than
    was decided, or other words?
    """
    facts, content = entry.removal, read(text)
    expected = put(content, facts["paths"], first_text(_day(facts["day"]), facts["reason"]))
    if entry.content_json != canonical(expected):
        return "what it shows in the place of a removed text is not what was decided"
    acts = LogEntry.objects.filter(
        campaign_id=entry.campaign_id, target=entry, act=HOST.name, how=REMOVED
    ).order_by("sequence")
    last = acts.last()
    shown = last.content["shown"] if last is not None else ""
    return "" if shown == shown_hash(entry) else "no later entry says that its text is removed"


def _day(text: str) -> Any:
    return datetime.fromisoformat(text).date()


def _rebuild(table: Campaign) -> None:
    """The readings that keep a cause with its text, from the log as it is now."""
    if table.last_sequence >= 0:
        entries.rebuild(table, positions.history(table))

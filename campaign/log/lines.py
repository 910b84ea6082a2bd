"""The log in the form that everyone can check: each entry as its hash covers it, with its texts.

This form is withheld while hands are hidden, because the hashes of open entries depend on hidden
ones. Until then a reader gets the entries about dice, without hashes (`open_lines`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from campaign.log.acts.registry import CONCERNS_DICE
from campaign.log.entries import body
from campaign.models import Campaign, DiceRoll, LogEntry
from campaign.sentences import texts


def all_lines(campaign: Campaign) -> Iterator[dict[str, Any]]:
    """Yield every entry of a campaign without secrets in the form of `line`."""
    rows = campaign.entries.order_by("sequence").select_related("target").prefetch_related("rolls")
    return map(line, rows)


def open_lines(campaign: Campaign, rolls: Iterable[DiceRoll]) -> Iterator[dict[str, Any]]:
    """Yield the public entries about dice of a campaign with secrets.

    `rolls` are those that this reader may see. The line of a move contains only these rolls,
    because its content may name hidden things.
    """
    thrown: dict[int, list[Any]] = {}
    for row in rolls:
        thrown.setdefault(row.entry_id, []).append(
            [row.purpose, row.sides, row.value, row.turn, None]
        )
    for entry in campaign.entries.order_by("sequence"):
        public = entry.audience_id is None and not entry.is_move and entry.act in CONCERNS_DICE
        if public or entry.pk in thrown:
            yield {
                "body": {
                    "number": entry.number,
                    "kind": entry.kind,
                    "rolls": thrown.get(entry.pk, []),
                    "what": entry.content_json if public else None,
                    "seat": entry.seat if public else "",
                    "at": entry.at.isoformat() if public else "",
                }
            }


def line(entry: LogEntry) -> dict[str, Any]:
    """Return an entry for `log.jsonl`: its hash, what the hash covers, and its visible typed texts.

    `salt` and `texts` give the texts whose salted hashes are in the body. If a text was removed,
    both are missing, and `removed` is the day of the removal. An older entry without salt then
    shows a sentence in place of the text, and its hash cannot be computed again. The entry needs
    `target` and `rolls` prefetched.
    """
    target = entry.target.sequence if entry.target is not None else None
    older = bool(entry.removed) and not entry.salt
    facts: dict[str, Any] = {
        "hash": entry.hash,
        "body": body(entry, target, [row.roll for row in entry.rolls.all()], shown=older),
    }
    if entry.removed:
        facts["removed"] = entry.removal["day"]
    elif entry.salt:
        facts |= {"salt": entry.salt, "texts": texts(entry.content)}
    return facts

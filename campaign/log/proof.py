"""The log as anybody checks it: each entry as its hash covers it, with its texts beside it."""

from __future__ import annotations

from typing import Any

from campaign.log.entries import body
from campaign.models import LogEntry
from campaign.sentences import texts


def line(entry: LogEntry) -> dict[str, Any]:
    """Return an entry for `log.jsonl`: its hash, what that covers, and what a reader may see of its typed texts.

    `salt` and `texts` give the texts whose salted hashes are in the body; a removed text has neither, and the day of its
    removal under `removed`. An entry from before texts had salts that has lost a text shows the sentence in its place, and
    nobody can compute its hash again. Wants `target` and `rolls` to be fetched.
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

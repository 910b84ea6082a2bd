"""The log as anybody checks it: each entry as its hash covers it, with its texts beside it.

While hands are hidden nobody gets that: the hashes of open entries depend on hidden ones. Then a reader gets what the log
says of the dice, without hashes (`open_lines`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from campaign.dice.selectors import ACT, MIX, RENEW
from campaign.log.entries import body
from campaign.models import Campaign, DiceRoll, LogEntry
from campaign.sentences import texts

OF_DICE = ("genesis", "undo", RENEW, MIX, ACT)
"""The acts that say something of the dice."""


def all_lines(campaign: Campaign) -> Iterator[dict[str, Any]]:
    """Return every entry of a campaign without secrets as `line` has it."""
    rows = campaign.entries.order_by("sequence").select_related("target").prefetch_related("rolls")
    return map(line, rows)


def open_lines(campaign: Campaign, rolls: Iterable[DiceRoll]) -> Iterator[dict[str, Any]]:
    """Return what everybody may read of the dice in a campaign with secrets, and the `rolls` that this reader may see.

    A move is there with these rolls and no more, since its words may name what is hidden.
    """
    thrown: dict[int, list[Any]] = {}
    for row in rolls:
        thrown.setdefault(row.entry_id, []).append([row.purpose, row.sides, row.value, row.turn, None])
    for entry in campaign.entries.order_by("sequence"):
        public = entry.audience is None and not entry.is_move and entry.act in OF_DICE
        if public or entry.pk in thrown:
            yield {
                "body": {
                    "number": entry.number,
                    "kind": entry.kind,
                    "rolls": thrown.get(entry.pk, []),
                    "what": entry.what if public else None,
                    "seat": entry.seat if public else "",
                    "at": entry.at.isoformat() if public else "",
                }
            }


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

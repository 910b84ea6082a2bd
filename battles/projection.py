"""Battles, written from the title's rows: each belongs to the entry after which it first stood there. Claims, written
from the acts on them; an undo strikes moves and no acts, so a struck battle keeps its claims.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from battles.models import Battle, Claim
from campaign.log.entries import disagreements, sync
from campaign.log.positions import History
from campaign.log.texts import SOLO
from campaign.models import Campaign, LogEntry
from engine.play import Played
from engine.strict_json import canonical

RESOLVED = "resolved"
TEXTS = ("kind", "attacker", "defender", "source", "target", "status", "outcome")
KEY = ("entry_id", "number")
FIELDS = ("turn", *TEXTS, "facts", "launched_at", "resolved_at", "solo")
CLAIM_KEY = ("entry_id",)
CLAIM_FIELDS = ("launch_id", "number", "seat", "state", "last_id")
CLOSING = {
    "withdraw-claim": Claim.State.WITHDRAWN,
    "dispute": Claim.State.DISPUTED,
    "confirm": Claim.State.CONFIRMED,
    "judge": Claim.State.JUDGED,
}
Launched = dict[int, tuple[tuple[Any, ...], dict[str, Any]]]


def _write(battles: Launched, campaign: Campaign, entry: LogEntry, after: Any) -> None:
    """Bring the contests known so far, by number, up to the position after an entry."""
    for number, facts in campaign.game.rows(after).contests.items():
        if number not in battles:
            row = {"turn": entry.turn, "launched_at": entry.at, "resolved_at": None, "solo": ""}
            battles[number] = ((entry.pk, number), row)
        values = battles[number][1]
        values |= {field: str(facts.get(field) or "") for field in TEXTS}
        values["facts"] = canonical(facts)
        if values["status"] == RESOLVED and values["resolved_at"] is None:
            values["resolved_at"] = entry.at


def _all(campaign: Campaign, history: History) -> dict[tuple[Any, ...], dict[str, Any]]:
    battles: Launched = {}
    last = None
    for entry, played in history.steps:
        if played.after is not last:
            last = played.after
            _write(battles, campaign, entry, last)
    rows = dict(battles.values())
    for entry in campaign.entries.filter(kind=LogEntry.Kind.TABLE, act=SOLO).order_by("sequence"):
        key = (entry.target_id, entry.content["battle"])
        if key in rows:
            rows[key]["solo"] = solo_after(entry)
    return rows


def solo_after(entry: LogEntry) -> str:
    """The seat in whose absence the other plays on alone from this act on; empty where both play again."""
    return entry.seat if entry.content["how"] == "agreed" else ""


def project(campaign: Campaign, entry: LogEntry, played: Played[Any]) -> None:
    """One move more."""
    rows = Battle.objects.filter(campaign=campaign).values(*KEY, *FIELDS)
    battles: Launched = {}
    for row in rows:
        battles[row["number"]] = ((row["entry_id"], row["number"]), {field: row[field] for field in FIELDS})
    before = {key: dict(values) for key, values in battles.values()}
    _write(battles, campaign, entry, played.after)
    for key, values in battles.values():
        if key not in before:
            Battle.objects.create(campaign=campaign, entry_id=key[0], number=key[1], **values)
        elif values != before[key]:
            Battle.objects.filter(entry_id=key[0], number=key[1]).update(**values)


def project_act(campaign: Campaign, entry: LogEntry) -> None:
    """One act more."""
    act, facts = entry.act, entry.content
    if act == "claim":
        values = {"launch": entry.target, "number": facts["battle"], "seat": entry.seat, "last": entry}
        Claim.objects.create(campaign=campaign, entry=entry, **values)
    elif act == SOLO:
        Battle.objects.filter(entry=entry.target, number=facts["battle"]).update(solo=solo_after(entry))
    elif act in CLOSING:
        Claim.objects.filter(campaign=campaign, entry__number=facts["claim"]).update(state=CLOSING[act], last=entry)


def _claims(campaign: Campaign) -> dict[tuple[Any, ...], dict[str, Any]]:
    """The claims of the whole log, as their acts left them."""
    claims: dict[int | None, tuple[tuple[Any, ...], dict[str, Any]]] = {}
    for entry in campaign.entries.filter(kind=LogEntry.Kind.TABLE, target__isnull=False).order_by("sequence"):
        act, facts = entry.act, entry.content
        if act == "claim":
            values = {"number": facts["battle"], "seat": entry.seat, "state": str(Claim.State.OPEN), "last_id": entry.pk}
            claims[entry.number] = ((entry.pk,), {"launch_id": entry.target_id, **values})
        elif act in CLOSING and facts["claim"] in claims:
            claims[facts["claim"]][1].update(state=str(CLOSING[act]), last_id=entry.pk)
    return dict(claims.values())


def rebuild(campaign: Campaign, history: History) -> None:
    """All again, after an undo or a restoration."""
    sync(Battle, campaign, KEY, FIELDS, _all(campaign, history))
    sync(Claim, campaign, CLAIM_KEY, CLAIM_FIELDS, _claims(campaign))


def differences(campaign: Campaign, history: History) -> Iterator[str]:
    """What the rows say that the log does not."""
    yield from disagreements(Battle, campaign, KEY, FIELDS, _all(campaign, history))
    yield from disagreements(Claim, campaign, CLAIM_KEY, CLAIM_FIELDS, _claims(campaign))

"""The logs of `script/measure`, and the folder that keeps them."""

from __future__ import annotations

import os
import pickle
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.conf import settings
from django.db import connection

from campaign.log import positions
from campaign.models import Campaign
from tests.conftest import migrations_digest
from tests.grand_campaign import campaigns
from tests.web import put_back
from tests.web.grand_table import GrandTable

LOGS = tuple(int(size) for size in os.environ.get("TABULA_MEASURE_ENTRIES", "400,4000").split(","))
FOLDER = Path(settings.BASE_DIR) / "var" / "measure"
NewCampaign = Callable[..., GrandTable]


class Log(NamedTuple):
    """A campaign with this many entries, and the dice that choose its next moves."""

    entries: int
    grand_table: GrandTable
    rng: random.Random


class KeptLogs(NamedTuple):
    """The content of a file of the folder.

    It has the rows of all tables, whose users must have equal ids, and for each log its campaign
    and the state of its dice.
    """

    users: list[int]
    tables: put_back.Tables
    logs: list[tuple[int, int, Any]]


def logs_to_measure(new_campaign: NewCampaign, monkeypatch: pytest.MonkeyPatch) -> list[Log]:
    """Return the logs of LOGS: those of the folder, else new ones, which SQLite keeps there."""
    people: dict[str, Any] = new_campaign.people  # type: ignore[attr-defined]
    users = [user.pk for user in people.values()]
    file = FOLDER / f"{'-'.join(map(str, LOGS))}-{migrations_digest()}.pickle"
    if connection.vendor == "sqlite" and file.exists():
        kept: KeptLogs = pickle.loads(file.read_bytes())
        if kept.users == users:
            return restore(kept, people)
    logs = [new_log(new_campaign, entries, monkeypatch) for entries in LOGS]
    if connection.vendor == "sqlite":
        dice = [(log.entries, log.grand_table.campaign.pk, log.rng.getstate()) for log in logs]
        FOLDER.mkdir(parents=True, exist_ok=True)
        file.write_bytes(pickle.dumps(KeptLogs(users, put_back.all_rows(), dice)))
    return logs


def restore(kept: KeptLogs, people: dict[str, Any]) -> list[Log]:
    """Write the rows of kept logs into the database."""
    put_back.insert_rows(kept.tables)
    logs = []
    for entries, campaign, state in kept.logs:
        rng = random.Random()
        rng.setstate(state)
        logs.append(Log(entries, GrandTable(Campaign.objects.get(pk=campaign), people), rng))
    return logs


def new_log(new_campaign: NewCampaign, entries: int, monkeypatch: pytest.MonkeyPatch) -> Log:
    """Play a log with this many entries.

    All logs have equal ends, because the history shows the last entry.
    """
    monkeypatch.setattr(campaigns, "CORRECTIONS", 0.6)
    log = Log(entries, new_campaign(name=f"A log of {entries}"), random.Random(LOGS[0]))
    lay_out(log)
    correct(log.grand_table, "huns", 1)
    return log


def lay_out(log: Log) -> None:
    """Play the entries of a log.

    All logs have equal moves, so that pages are equal. A longer one has pairs of corrections
    between them, of which the second reverses the first.
    """
    grand_table, between = log.grand_table, 0
    while (own := grand_table.campaign.last_sequence + 1 - between) < LOGS[0]:
        move(grand_table, log.rng)
        nations = positions.current(grand_table.campaign).nations
        standing = [seat for seat, nation in nations.items() if not nation.fallen]
        while between + 2 <= (own + 1) * (log.entries / LOGS[0] - 1):
            nation = standing[own % len(standing)]
            for change in (1, -1):
                correct(grand_table, nation, change)
            between += 2


def move(grand_table: GrandTable, rng: random.Random) -> None:
    """Make a random legal move."""
    raw = campaigns.next_move(rng, positions.current(grand_table.campaign))
    assert raw is not None, "the campaign ended too soon"
    grand_table.play(raw.pop("for", raw.pop("by")), **raw)


def correct(grand_table: GrandTable, nation: str, change: int) -> None:
    """Change a nation's income by the game master."""
    given = {"nation": nation, "account": "income", "change": change, "reason": "As ruled."}
    grand_table.play("gm", "adjust", **given)

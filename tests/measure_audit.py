"""How long `manage.py audit` takes of 2,000 campaigns, on one process and on two: `script/measure audit`, on PostgreSQL.

Each has the log of a game of the Grand Campaign that a program has played for some moves, with its readings and its clocks:
a record of it is founded so many times.
"""

from __future__ import annotations

import random
from io import StringIO
from time import perf_counter
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from campaign.models import Campaign, LogEntry
from campaign.services.importing import import_record, judge
from engine.dice import Dice
from engine.log import canonical
from engine.play import perform
from games.registry import TITLES
from tests.grand_campaign.campaigns import next_move

CAMPAIGNS, MOVES = 2_000, 8


def a_record() -> str:
    """Some moves of the shipped scenario."""
    title, rng, said = TITLES["grand_campaign"], random.Random(3), []
    scenario = title.scenario("420ad")
    position, dice = title.setup(scenario, title.options({})), Dice(title.last_link(scenario), seed="9" * 64)
    while len(said) < MOVES and (move := next_move(rng, position)) is not None:
        perform(position, title.decode(move, position), dice)
        said.append(move)
    return canonical(
        {"format": title.format, "scenario": "420ad", "options": {}, "dice": {"seed": "9" * 64}, "moves": said}
    )  # fmt: skip


@pytest.mark.django_db(transaction=True)
def test_measure(person: Any, capsys: Any) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("it is measured as in use")
    master, text = person("Gm"), a_record()
    for n in range(CAMPAIGNS):
        import_record(master, judge(text), f"No. {n}", "UTC", "unlisted")
    with capsys.disabled():
        print(f"\n{Campaign.objects.count():,} campaigns, {LogEntry.objects.count():,} entries")
        for jobs in ("1", "2"):
            out, before = StringIO(), perf_counter()
            call_command("audit", "--jobs", jobs, stdout=out)
            assert len(out.getvalue().splitlines()) == CAMPAIGNS
            print(f"{jobs} process(es): {perf_counter() - before:.0f} s")

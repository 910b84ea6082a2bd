"""The time of `manage.py audit` for 2,000 campaigns with one process and two.

`script/measure audit`.

It needs PostgreSQL. One campaign is played for some moves; the others are copies of its rows.
"""

from __future__ import annotations

from io import StringIO
from time import perf_counter
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection

from campaign.models import Campaign, Clock, DiceRoll, LogEntry, Membership
from tests.many import copied, grow
from tests.table import people, running, table, toy

__all__ = ["people", "running", "table", "toy"]
CAMPAIGNS, MOVES = 2_000, 12


def copy_readings(last: int) -> None:
    """Copy the other rows of the first campaign: its rolls, nations and battles."""
    there = "JOIN campaign_campaign c ON c.public_id = 'm' || lpad(i::text, 7, '0')"
    rolls = [field.column for field in DiceRoll._meta.local_concrete_fields if field.column != "id"]
    names = ", ".join(f'"{name}"' for name in rolls)
    values = ", ".join("e.id" if name == "entry_id" else f't."{name}"' for name in rolls)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO campaign_diceroll ({names}) SELECT {values} FROM campaign_diceroll t JOIN"
            " campaign_logentry e0 ON e0.id = t.entry_id JOIN campaign_logentry e ON e.sequence ="
            " e0.sequence AND e.campaign_id <> e0.campaign_id"
        )
    for model in (
        *apps.get_app_config("nations").get_models(),
        *apps.get_app_config("battles").get_models(),
    ):
        columns = {field.column: field.related_model for field in model._meta.local_concrete_fields}
        if "campaign_id" not in columns:
            continue
        same = (
            "(SELECT e.id FROM campaign_logentry e0 JOIN campaign_logentry e ON e.sequence ="
            " e0.sequence"
        )
        entries = {
            column: f'{same} WHERE e0.id = t."{column}" AND e.campaign_id = c.id)'
            for column, of in columns.items()
            if of is LogEntry
        }
        copied(model, 1, last, **{"campaign_id": "c.id", "from": there, **entries})


@pytest.mark.django_db(transaction=True)
def test_measure(running: Any, capsys: Any) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("it is measured as in use")
    for n in range(MOVES):
        seat = running.campaign.active_seat
        running.play(seat, "add" if n % 3 else "end", **({"stones": 1} if n % 3 else {}))
    grow(CAMPAIGNS)
    copy_readings(CAMPAIGNS - 1)
    with capsys.disabled():
        print(
            f"\n{Campaign.objects.count():,} campaigns, {LogEntry.objects.count():,} entries,"
            f" {Clock.objects.count():,} clocks"
        )
        for jobs in ("1", "2"):
            out, before = StringIO(), perf_counter()
            call_command("audit", "--jobs", jobs, stdout=out)
            assert (
                len(out.getvalue().splitlines())
                == CAMPAIGNS
                == Membership.objects.filter(role="game_master").count()
            )
            print(f"{jobs} process(es): {perf_counter() - before:.0f} s")

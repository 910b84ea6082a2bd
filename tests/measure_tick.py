"""How long a tick takes with 100 due things among 1,000 campaigns and among 100,000: `script/measure tick`, on PostgreSQL.

Every campaign has its people, its log's first entries and two clocks that run. The due things are slots that are over, each
round others; what is measured is the whole pulse, notices and all. It prints plans and the ratio, which may be 1.5.
"""

from __future__ import annotations

from datetime import timedelta
from statistics import median
from time import perf_counter
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone

from campaign import pulse
from campaign.models import Campaign, Clock, LogEntry, Membership
from tests.table import people, table, toy

__all__ = ["people", "table", "toy"]
DUE, ROUNDS, FEW, MANY, MOST = 100, 7, 1_000, 100_000, 1.5


def copied(model: Any, first: int, last: int, **instead: str) -> None:
    """The template's rows of a model for campaigns `first` to `last`, some columns otherwise: `i` is which campaign."""
    fields = [field.column for field in model._meta.local_concrete_fields if field.column != "id"]
    chosen = ", ".join(instead.get(field, f't."{field}"') for field in fields)
    names = ", ".join(f'"{field}"' for field in fields)
    name = model._meta.db_table
    where = "t.id = %s" if model is Campaign else "t.campaign_id = %s"
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {name} ({names}) SELECT {chosen} FROM {name} t CROSS JOIN generate_series({first}, {last}) i "
            f"{instead.get('from', '')} WHERE {where} {instead.get('and', '')}",
            [Campaign.objects.earliest("pk").pk],
        )


def grow(to: int) -> None:
    have = Campaign.objects.count()
    there = "JOIN campaign_campaign c ON c.public_id = 'm' || lpad(i::text, 7, '0')"
    copied(Campaign, have, to - 1, public_id="'m' || lpad(i::text, 7, '0')")
    copied(LogEntry, have, to - 1, campaign_id="c.id", **{"from": there})
    copied(Membership, have, to - 1, campaign_id="c.id", **{"from": there})
    entry = f"{there} JOIN campaign_logentry e0 ON e0.id = t.entry_id JOIN campaign_logentry e ON e.campaign_id = c.id"
    copied(Clock, have, to - 1, campaign_id="c.id", entry_id="e.id", **{"from": entry, "and": "AND e.sequence = e0.sequence"})
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def plans() -> None:
    now = timezone.now()
    due = Clock.objects.filter(next_at__lte=now).order_by("next_at", "pk").values_list("pk", "campaign_id", "next_at")[:DUE]
    running = Clock.objects.filter(campaign=Campaign.objects.latest("pk"), ended_at=None)
    for name, query in (("what is due", due), ("the clocks of a campaign", running)):
        print(f"{name}:\n    " + query.explain(analyze=True).replace("\n", "\n    "))


def measure(n: int) -> float:
    """Milliseconds, the median of the rounds."""
    now = timezone.now()
    times = []
    slots = list(Clock.objects.filter(kind="slot").order_by("pk").values_list("pk", flat=True))
    for nth in range(ROUNDS):
        due = slots[nth :: len(slots) // DUE][:DUE]
        assert len(due) == DUE
        Clock.objects.filter(pk__in=due).update(
            due_at=now - timedelta(hours=1), next_at=now - timedelta(hours=1), notified_kinds=""
        )
        if not nth:
            plans()
        before = perf_counter()
        done = pulse.tick(now)
        times.append(1000 * (perf_counter() - before))
        assert done["clocks"] == DUE
        assert None not in done.values()
    shown = f"{median(times):.0f} ms for {DUE} due things ({min(times):.0f} to {max(times):.0f})"
    print(f"\n{n:,} campaigns, {Clock.objects.count():,} clocks: {shown}")
    return median(times)


@pytest.mark.django_db(transaction=True)
def test_measure(table: Any, capsys: Any) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("it is of PostgreSQL's plans")
    table.play("gm", "start")
    assert Clock.objects.count() == 2
    with capsys.disabled():
        print(f"\nTICKS: {', '.join(settings.TICKS)}")
        result = {}
        for n in (FEW, MANY):
            grow(n)
            pulse.tick()
            result[n] = measure(n)
        ratio = result[MANY] / result[FEW]
        print(f"ratio {ratio:.2f}, at most {MOST}")
    assert ratio <= MOST

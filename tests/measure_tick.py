"""The time of a tick with 100 due clocks among 1,000 and 100,000 campaigns.

`script/measure tick`.

It needs PostgreSQL. Every campaign has players, the first entries of its log and two running
clocks. The due clocks are overdue slots, others in each round; measured is the whole pulse with its
notices. It prints plans and the ratio, which may be 1.2.
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
from campaign.models import Campaign, Clock
from tests.many import grow
from tests.table import people, table, toy

__all__ = ["people", "table", "toy"]
DUE, ROUNDS, FEW, MANY, MOST = 100, 7, 1_000, 100_000, 1.2


def plans() -> None:
    now = timezone.now()
    due = (
        Clock.objects.filter(next_at__lte=now)
        .order_by("next_at", "pk")
        .values_list("pk", "campaign_id", "next_at")[:DUE]
    )
    running = Clock.objects.filter(campaign=Campaign.objects.latest("pk"), ended_at=None)
    for name, query in (("what is due", due), ("the clocks of a campaign", running)):
        print(f"{name}:\n    " + query.explain(analyze=True).replace("\n", "\n    "))


def measure(n: int) -> float:
    """Return the median of the rounds in milliseconds."""
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
        print(f"ratio {ratio:.2f}, at most {MOST}: {'met' if ratio <= MOST else 'not met'}")

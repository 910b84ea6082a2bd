"""Campaigns whose clocks have run for a while: played at past times, so that no test waits."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from campaign.clocks import selectors
from campaign.models import Clock
from tests.web.contests import attack_dalmatia
from tests.web.grand_table import GrandTable

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
ROME, YORK = ZoneInfo("Europe/Rome"), ZoneInfo("America/New_York")


def start_with_slot_open_for(table: GrandTable, ago: timedelta) -> datetime:
    """Start the campaign so that the Hun's slot has been open for this long; return its start."""
    began = timezone.now() - ago
    table.play("gm", "start", began)
    table.slot_to("huns", began)
    return began


def running_clock(table: GrandTable, kind: str, contest: int | None = None) -> Clock:
    """Return the only running clock of this kind, for a battle if `contest` is given."""
    (result,) = [
        clock
        for clock in selectors.running(table.campaign)
        if (clock.kind, clock.contest) == (kind, contest)
    ]
    return result


def datetimes_on_page(page: str) -> list[str]:
    """Return the machine-readable times of a page."""
    return re.findall(r'<time datetime="([^"]+)"', page)


def local_iso_time(at: datetime, zone: ZoneInfo) -> str:
    """Return a time in this zone, as pages write it for machines."""
    return at.astimezone(zone).isoformat(timespec="seconds")


@pytest.fixture
def challenged(draft: GrandTable) -> GrandTable:
    """Return a campaign with a running challenge and a running slot.

    The Hun attacked Dalmatia when their slot had been open for two of three days: the Roman has two
    days and 23 hours left to answer, the Hun less than a day for the slot. Marozia is in Rome,
    Ingrid in New York.
    """
    for who, zone in (("gm", "Europe/Rome"), ("hun", "America/New_York"), ("roman", "Europe/Rome")):
        draft.people[who].time_zone = zone
        draft.people[who].save()
    start_with_slot_open_for(draft, 2 * DAY + HOUR)
    attack_dalmatia(draft, timezone.now() - HOUR)
    return draft


@pytest.fixture
def overdue(draft: GrandTable) -> GrandTable:
    """Return a campaign with an overdue slot and answer.

    The Hun's slot is overdue for a day and two hours, the Roman's answer for two hours.
    """
    began = start_with_slot_open_for(draft, 4 * DAY + 2 * HOUR)
    attack_dalmatia(draft, began + DAY)
    return draft


def post_clock_terms(table: GrandTable, who: str = "gm", **typed: str) -> Any:
    """Send the form of the clocks' terms with these fields changed, such as `slot_length="5"`."""
    kinds = {"turn": "28", "slot": "3", "answer": "3", "battle": "14", "claim": "3"}
    form = {}
    for kind, days in kinds.items():
        form |= {
            f"{kind}-length": days,
            f"{kind}-unit": "d",
            f"{kind}-grace": "1",
            f"{kind}-grace_unit": "d",
        }
        form[f"{kind}-then"] = "ask"
    changed = {key.replace("_", "-", 1): value for key, value in typed.items()}
    assert set(changed) <= set(form)
    return table.post(who, "clocks/", do="terms", **(form | changed))

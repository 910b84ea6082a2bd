"""Campaigns whose clocks have run for a while: played at moments of the past, so that nothing
waits.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from campaign.clocks import selectors
from campaign.models import Clock
from tests.web.contests import hun_attack
from tests.web.five import Five

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
ROME, YORK = ZoneInfo("Europe/Rome"), ZoneInfo("America/New_York")


def start(table: Five, ago: timedelta) -> datetime:
    """Turn 1 with the Hun's slot open since then."""
    began = timezone.now() - ago
    table.play("gm", "start", began)
    table.slot_to("huns", began)
    return began


def clock(table: Five, kind: str, contest: int | None = None) -> Clock:
    (result,) = [
        one
        for one in selectors.running(table.campaign)
        if (one.kind, one.contest) == (kind, contest)
    ]
    return result


def moments(page: str) -> list[str]:
    """The machine-readable times of a page."""
    return re.findall(r'<time datetime="([^"]+)"', page)


def local(at: datetime, zone: ZoneInfo) -> str:
    return at.astimezone(zone).isoformat(timespec="seconds")


@pytest.fixture
def challenged(draft: Five) -> Five:
    """The Hun's slot has been open for two days of three when they attack Dalmatia: the Roman has
    two days and 23 hours left for the answer, the Hun less than a day for the slot. Marozia is in
    Rome, Ingrid in New York.
    """
    for who, zone in (("gm", "Europe/Rome"), ("hun", "America/New_York"), ("roman", "Europe/Rome")):
        draft.people[who].time_zone = zone
        draft.people[who].save()
    start(draft, 2 * DAY + HOUR)
    hun_attack(draft, timezone.now() - HOUR)
    return draft


@pytest.fixture
def overdue(draft: Five) -> Five:
    """The Hun's slot is overdue for a day and two hours, the Roman's answer for two hours."""
    began = start(draft, 4 * DAY + 2 * HOUR)
    hun_attack(draft, began + DAY)
    return draft


def terms(table: Five, who: str = "gm", **typed: str) -> Any:
    """The form of the clocks' terms as the page has it, with these fields changed:
    `slot_length="5"`.
    """
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

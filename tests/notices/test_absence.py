"""Notices of an absence, to the game masters and to opponents in an open battle."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

from campaign.seats import standing_orders
from tests.notices.test_notices import notices_shown

pytestmark = pytest.mark.django_db
NOW = datetime(2077, 7, 20, 12, tzinfo=UTC)
DAYS = date(2077, 8, 3), date(2077, 8, 17)


def absence_notices(user: Any) -> list[tuple[str, str, str]]:
    return [
        notice for notice in notices_shown(user) if "absent" in notice[0] or notice[0] == "absence"
    ]


def test_the_game_master_and_the_opponent_are_notified(running: Any) -> None:
    ant, bee = running.people["ant"], running.people["bee"]
    kept = standing_orders.announce_absence(ant, *DAYS, note="Sailing", now=NOW)
    assert absence_notices(running.gm) == [
        (
            "absence",
            "Ant is away from 3 Aug 2077 to 17 Aug 2077",
            "The desk shows what is due in that time and what you can do about it.",
        )
    ]
    assert absence_notices(bee) == [], "they have no battle"
    running.reload()
    running.play("bee", "duel")
    standing_orders.take_back_absence(ant, kept.pk, now=NOW)
    assert (
        absence_notices(running.gm)[-1][1]
        == "Ant is not away from 3 Aug 2077 to 17 Aug 2077 after all"
    )
    assert absence_notices(bee) == [
        (
            "opponent-absent",
            "Ant is not away from 3 Aug 2077 to 17 Aug 2077 after all",
            "You play battle #1 against each other.",
        ),
    ]
    assert absence_notices(ant) == absence_notices(running.stranger) == []

"""Who is told that somebody is away: the game masters, and whoever has an open battle
against them.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

from campaign.seats import standing_orders
from tests.notices.test_notices import notices_shown

pytestmark = pytest.mark.django_db
NOW = datetime(2077, 7, 20, 12, tzinfo=UTC)
DAYS = date(2077, 8, 3), date(2077, 8, 17)


def away(user: Any) -> list[tuple[str, str, str]]:
    return [one for one in notices_shown(user) if "absent" in one[0] or one[0] == "absence"]


def test_the_game_master_is_told_and_his_opponent(running: Any) -> None:
    ant, bee = running.people["ant"], running.people["bee"]
    kept = standing_orders.announce(ant, *DAYS, note="Sailing", now=NOW)
    assert away(running.gm) == [
        (
            "absence",
            "Ant is away from 3 Aug 2077 to 17 Aug 2077",
            "The desk shows what is due meanwhile, and what may be done.",
        )
    ]
    assert away(bee) == [], "they have no battle"
    running.fresh()
    running.play("bee", "duel")
    standing_orders.take_back(ant, kept.pk, now=NOW)
    assert away(running.gm)[-1][1] == "Ant is not away after all from 3 Aug 2077 to 17 Aug 2077"
    assert away(bee) == [
        (
            "opponent-absent",
            "Ant is not away after all from 3 Aug 2077 to 17 Aug 2077",
            "You play battle #1 against each other.",
        ),
    ]
    assert away(ant) == away(running.stranger) == []

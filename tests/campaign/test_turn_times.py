"""The times of the open turn, stored in the campaign's row."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from campaign import services
from campaign.hosting import audit
from campaign.log import turn_times
from campaign.log.turn_times import TurnTimes
from tests.web.contests import attack_dalmatia
from tests.web.grand_table import GrandTable, new_campaign

__all__ = ["new_campaign"]
pytestmark = pytest.mark.django_db

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def times(grand_table: GrandTable) -> TurnTimes:
    grand_table.campaign.refresh_from_db()
    return turn_times.from_stored(grand_table.campaign.turn_times)


def test_the_row_holds_only_the_times_of_the_open_turn(
    new_campaign: Callable[..., GrandTable],
) -> None:
    grand_table = new_campaign()
    assert times(grand_table) == TurnTimes()
    grand_table.play("gm", "start", NOON)
    first, second = grand_table.order[:2]
    assert times(grand_table).opened == {first: NOON}
    grand_table.play(first, "end-slot", NOON + HOUR)
    assert times(grand_table).ended == {first: NOON + HOUR}
    assert times(grand_table).opened == {first: NOON, second: NOON + HOUR}
    assert (times(grand_table).first, times(grand_table).last) == (NOON, NOON + HOUR)
    while grand_table.campaign.phase != "closed":
        grand_table.play(grand_table.campaign.active_seat, "end-slot", NOON + 2 * HOUR)
    grand_table.play("gm", "open-turn", NOON + 3 * HOUR)
    assert times(grand_table).turn == 2
    assert times(grand_table).first == times(grand_table).last == NOON + 3 * HOUR
    assert times(grand_table).ended == {}


def test_an_undo_removes_the_times_of_struck_moves(
    new_campaign: Callable[..., GrandTable],
) -> None:
    grand_table = new_campaign()
    grand_table.play("gm", "start", NOON)
    grand_table.slot_to("huns", NOON)
    before, number = times(grand_table), grand_table.campaign.last_number
    attack_dalmatia(grand_table, NOON + HOUR)
    assert times(grand_table).contests == {"1": NOON + HOUR}
    gm = grand_table.people["gm"]
    services.undo_to(grand_table.campaign, gm, number, "A slip", grand_table.seen("gm"))
    assert times(grand_table) == before
    assert not list(audit.differences(grand_table.campaign))

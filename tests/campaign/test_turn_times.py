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
from tests.web.five import Five, new_campaign

__all__ = ["new_campaign"]
pytestmark = pytest.mark.django_db

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def times(five: Five) -> TurnTimes:
    five.campaign.refresh_from_db()
    return turn_times.from_stored(five.campaign.turn_times)


def test_the_row_holds_only_the_times_of_the_open_turn(
    new_campaign: Callable[..., Five],
) -> None:
    five = new_campaign()
    assert times(five) == TurnTimes()
    five.play("gm", "start", NOON)
    first, second = five.order[:2]
    assert times(five).opened == {first: NOON}
    five.play(first, "end-slot", NOON + HOUR)
    assert times(five).ended == {first: NOON + HOUR}
    assert times(five).opened == {first: NOON, second: NOON + HOUR}
    assert (times(five).first, times(five).last) == (NOON, NOON + HOUR)
    while five.campaign.phase != "closed":
        five.play(five.campaign.active_seat, "end-slot", NOON + 2 * HOUR)
    five.play("gm", "open-turn", NOON + 3 * HOUR)
    assert times(five).turn == 2
    assert times(five).first == times(five).last == NOON + 3 * HOUR
    assert times(five).ended == {}


def test_an_undo_removes_the_times_of_struck_moves(
    new_campaign: Callable[..., Five],
) -> None:
    five = new_campaign()
    five.play("gm", "start", NOON)
    five.slot_to("huns", NOON)
    before, number = times(five), five.campaign.last_number
    attack_dalmatia(five, NOON + HOUR)
    assert times(five).contests == {"1": NOON + HOUR}
    gm = five.people["gm"]
    services.undo_to(five.campaign, gm, number, "A slip", five.seen("gm"))
    assert times(five) == before
    assert not list(audit.differences(five.campaign))

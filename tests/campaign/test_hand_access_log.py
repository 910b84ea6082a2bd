"""The access log of hidden hands, which the holder can read.

It has one row for each hour, and none if nothing is hidden.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from campaign import access, review, services
from campaign.models import AccessLogEntry
from tests.web.grand_table import GrandTable, new_campaign

__all__ = ["new_campaign"]

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 3, 10, 12, 5, tzinfo=UTC)


@pytest.fixture
def hidden(new_campaign: Callable[..., GrandTable]) -> GrandTable:
    table = new_campaign(hands="hidden")
    table.play("gm", "start")
    return table


def rows(table: GrandTable, who: str, seat: str) -> list[tuple[str, str, int, str]]:
    user = table.people[who]
    result = review.looks_at_seat(
        table.campaign, user.pk, access.access_of(table.campaign, user), seat
    )
    return [
        (row.user.username, f"{row.first_at:%H:%M}-{row.last_at:%H:%M}", row.count, row.ways)
        for row in result
    ]


def test_each_hour_has_one_row_with_the_kinds_of_access(hidden: GrandTable) -> None:
    gm = hidden.people["gm"]
    for minutes, way in ((0, "hand"), (10, "move"), (20, "hand"), (60, "hand")):
        services.log_access(hidden.campaign, gm, "huns", way, NOON + timedelta(minutes=minutes))
    assert rows(hidden, "hun", "huns") == [
        ("Marozia", "13:05-13:05", 1, "hand"),
        ("Marozia", "12:05-12:25", 3, "hand,move"),
    ]
    assert rows(hidden, "gm", "huns") == rows(hidden, "hun", "huns")
    assert rows(hidden, "roman", "huns") == rows(hidden, "stranger", "huns") == []


def test_a_request_that_only_reads_writes_once_an_hour(
    hidden: GrandTable, django_assert_num_queries: Callable[..., object]
) -> None:
    gm = hidden.people["gm"]
    assert len(services.log_access_to_all(hidden.campaign, gm, "record", NOON)) == 2
    with django_assert_num_queries(2):  # one for the holders, one for the existing rows
        services.log_access_to_all(hidden.campaign, gm, "record", NOON + timedelta(minutes=40))
    assert rows(hidden, "hun", "huns") == [("Marozia", "12:05-12:05", 1, "record")]
    services.log_access_to_all(hidden.campaign, gm, "pack", NOON + timedelta(minutes=50))
    assert rows(hidden, "roman", "romans") == [("Marozia", "12:05-12:55", 2, "pack,record")]


def test_nothing_is_logged_for_the_own_a_free_or_an_open_hand(
    hidden: GrandTable, new_campaign: Callable[..., GrandTable]
) -> None:
    assert services.log_access(hidden.campaign, hidden.people["hun"], "huns", "hand", NOON) is None
    assert (
        services.log_access(hidden.campaign, hidden.people["gm"], "vandals", "hand", NOON) is None
    )
    table = new_campaign(name="Open")
    assert services.log_access(table.campaign, table.people["gm"], "huns", "hand", NOON) is None
    assert services.log_access_to_all(table.campaign, table.people["gm"], "record", NOON) == []
    assert not AccessLogEntry.objects.exists()


def test_a_game_master_sees_their_own_accesses_to_hidden_hands(hidden: GrandTable) -> None:
    gm = hidden.people["gm"]
    assert access.access_of(hidden.campaign, gm).opens("huns")
    access.set_open_hands(hidden.campaign, gm, frozenset({"romans"}))
    who = access.access_of(hidden.campaign, gm)
    assert (who.voices, who.sight, who.viewer) == (("gm",), ("romans",), "romans")
    assert [who.opens(seat) for seat in ("huns", "romans")] == [False, True]
    assert [who.sees(audience) for audience in (None, (), ("huns",), ("huns", "romans"))] == [
        True,
        False,
        False,
        True,
    ]

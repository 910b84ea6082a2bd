"""Who looked at a hidden hand is kept for its holder: by the hour, never where nothing is
hidden.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from campaign import access, review, services
from campaign.models import AccessLogEntry
from tests.web.five import Five, new_campaign

__all__ = ["new_campaign"]

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 3, 10, 12, 5, tzinfo=UTC)


@pytest.fixture
def hidden(new_campaign: Callable[..., Five]) -> Five:
    table = new_campaign(hands="hidden")
    table.play("gm", "start")
    return table


def rows(table: Five, who: str, seat: str) -> list[tuple[str, str, int, str]]:
    user = table.people[who]
    result = review.of_seat(table.campaign, user.pk, access.access_of(table.campaign, user), seat)
    return [
        (one.user.username, f"{one.first_at:%H:%M}-{one.last_at:%H:%M}", one.count, one.ways)
        for one in result
    ]


def test_a_row_an_hour_with_what_was_done(hidden: Five) -> None:
    gm = hidden.people["gm"]
    for minutes, way in ((0, "hand"), (10, "move"), (20, "hand"), (60, "hand")):
        services.log_access(hidden.campaign, gm, "huns", way, NOON + timedelta(minutes=minutes))
    assert rows(hidden, "hun", "huns") == [
        ("Marozia", "13:05-13:05", 1, "hand"),
        ("Marozia", "12:05-12:25", 3, "hand,move"),
    ]
    assert rows(hidden, "gm", "huns") == rows(hidden, "hun", "huns")
    assert rows(hidden, "roman", "huns") == rows(hidden, "stranger", "huns") == []


def test_what_only_reads_is_kept_once_an_hour(
    hidden: Five, django_assert_num_queries: Callable[..., object]
) -> None:
    gm = hidden.people["gm"]
    assert len(services.log_access_to_all(hidden.campaign, gm, "record", NOON)) == 2
    with django_assert_num_queries(2):  # the holders, and which rows are there
        services.log_access_to_all(hidden.campaign, gm, "record", NOON + timedelta(minutes=40))
    assert rows(hidden, "hun", "huns") == [("Marozia", "12:05-12:05", 1, "record")]
    services.log_access_to_all(hidden.campaign, gm, "pack", NOON + timedelta(minutes=50))
    assert rows(hidden, "roman", "romans") == [("Marozia", "12:05-12:55", 2, "pack,record")]


def test_nothing_is_kept_of_ones_own_a_free_or_an_open_hand(
    hidden: Five, new_campaign: Callable[..., Five]
) -> None:
    assert services.log_access(hidden.campaign, hidden.people["hun"], "huns", "hand", NOON) is None
    assert (
        services.log_access(hidden.campaign, hidden.people["gm"], "vandals", "hand", NOON) is None
    )
    table = new_campaign(name="Open")
    assert services.log_access(table.campaign, table.people["gm"], "huns", "hand", NOON) is None
    assert services.log_access_to_all(table.campaign, table.people["gm"], "record", NOON) == []
    assert not AccessLogEntry.objects.exists()


def test_a_game_master_sees_of_hidden_hands_what_he_opened(hidden: Five) -> None:
    gm = hidden.people["gm"]
    assert access.access_of(hidden.campaign, gm).opens("huns")
    access.open_eyes(hidden.campaign, gm, frozenset({"romans"}))
    who = access.access_of(hidden.campaign, gm)
    assert (who.voices, who.sight, who.viewer) == (("gm",), ("romans",), "romans")
    assert [who.opens(seat) for seat in ("huns", "romans")] == [False, True]
    assert [who.sees(audience) for audience in (None, (), ("huns",), ("huns", "romans"))] == [
        True,
        False,
        False,
        True,
    ]

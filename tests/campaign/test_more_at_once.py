"""Seats, undos and the cache of a process, with another request at the same time."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db.models import ProtectedError

from campaign import services
from campaign.errors import CannotUndo, TableMovedOn
from campaign.log import positions, selectors
from tests.campaign.test_two_at_once import run_at_once, table_of_two  # noqa: F401

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_user_who_takes_a_seat_twice_at_once_has_it_once(table_of_two: Any) -> None:  # noqa: F811
    table = table_of_two
    for seat in ("ant", "bee"):
        services.vacate(table.campaign, table.gm, seat)
    invitation, token = services.invite(table.campaign, table.gm, "", 2)
    outcomes = run_at_once(*[lambda: services.take_seat(table.stranger, token)] * 3)
    assert len({created.pk for created in outcomes}) == 1
    assert table.campaign.memberships.filter(user=table.stranger, until=None).count() == 1
    invitation.refresh_from_db()
    assert invitation.uses_left == 1


def test_a_move_and_an_undo_at_once(table_of_two: Any) -> None:  # noqa: F811
    table = table_of_two
    table.play("gm", "start")
    seat = table.campaign.active_seat
    table.play(seat, "add", stones=1)
    number, seen = table.campaign.last_number - 1, table.seen("gm")
    outcomes = run_at_once(
        lambda: services.undo_to(table.campaign, table.gm, number, "A slip.", seen),
        lambda: services.undo_own(table.campaign, table.people[seat], seen),
        lambda: services.play(
            table.campaign, table.people[seat], {"by": seat, "move": "add", "stones": 2}, seen
        ),
    )
    assert sum(isinstance(outcome, (TableMovedOn, CannotUndo)) for outcome in outcomes) == 2, (
        outcomes
    )
    call_command("audit", stdout=StringIO())


def test_another_process_uses_no_outdated_position(
    table_of_two: Any,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A position cached before an undo in another process is not taken for the present one."""
    table = table_of_two
    table.play("gm", "start")
    seat = table.campaign.active_seat
    table.play(seat, "add", stones=1)
    here, there = positions.memory, positions.Memory()

    def stones() -> tuple[int, int]:
        result = []
        for memory in (here, there):
            monkeypatch.setattr(positions, "memory", memory)
            campaign = type(table.campaign).objects.get(pk=table.campaign.pk)
            result.append(selectors.position(campaign).stones[seat])
        return result[0], result[1]

    assert stones() == (1, 1)
    monkeypatch.setattr(positions, "memory", there)
    undo = services.undo_to(
        table.campaign, table.gm, table.campaign.last_number - 1, "A slip.", table.seen("gm")
    )
    assert stones() == (0, 0)
    monkeypatch.setattr(positions, "memory", here)
    services.restore(table.campaign, table.gm, undo.number, "It was none.", table.seen("gm"))
    assert stones() == (1, 1)


def test_a_user_named_in_a_log_cannot_be_deleted(table_of_two: Any) -> None:  # noqa: F811
    table = table_of_two
    table.play("gm", "start")
    for user in (table.gm, table.people["ant"]):
        with pytest.raises(ProtectedError):
            user.delete()
    call_command("audit", stdout=StringIO())

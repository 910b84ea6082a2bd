"""Invitations and seats."""

from __future__ import annotations

from datetime import timedelta
from threading import Event, Thread
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from campaign import access, services
from campaign.errors import InvitationRefused, NotAllowed, Refused
from campaign.log import selectors
from campaign.models import Invitation, Membership
from campaign.seats import seating


@pytest.fixture
def empty(people: Any) -> Any:
    return services.found_campaign(people["gm"], "heap", "The Heap", "small")


def refusal_code(token: str, user: Any, seat: str = "", **when: Any) -> str:
    """Return the code of the refusal, which is the same for viewing and for taking."""
    with pytest.raises(InvitationRefused) as taken:
        services.take_seat(user, token, seat, **when)
    if not seat:
        with pytest.raises(InvitationRefused) as seen:
            services.open_invitation(token, **when)
        assert seen.value.code == taken.value.code
    assert "Ask " in str(taken.value)
    return taken.value.code


def test_an_invitation_seats_its_user(empty: Any, people: Any) -> None:
    invitation, token = services.invite(empty, people["gm"], "ant")
    assert len(token) >= 22
    assert token not in str(Invitation.objects.values().get())
    shown = services.open_invitation(token)
    assert (shown.pk, shown.seat, shown.campaign) == (invitation.pk, "ant", empty)
    assert [seat.holder for seat in selectors.seats(empty)] == [None, None]
    services.take_seat(people["ant"], token)
    assert [seat.holder for seat in selectors.seats(empty)] == [people["ant"], None]
    line = selectors.log(empty, None)[0]
    assert line.entry.content == {
        "act": "seat",
        "how": "taken",
        "seat": "ant",
        "user": people["ant"].pk,
    }
    assert line.text == "The Ant: the seat is taken."


def test_an_invitation_may_offer_any_free_seat(empty: Any, people: Any) -> None:
    _, token = services.invite(empty, people["gm"], uses=2)
    assert services.take_seat(people["bee"], token, "bee").seat == "bee"
    assert refusal_code(token, people["ant"], "bee") == "taken"
    assert services.take_seat(people["ant"], token).seat == "ant"
    assert refusal_code(token, people["stranger"]) == "used"


def test_taking_twice_gives_the_same_seat(empty: Any, people: Any) -> None:
    for seat in ("ant", ""):
        _, token = services.invite(empty, people["gm"], seat)
        first = services.take_seat(people["ant"], token)
        assert services.take_seat(people["ant"], token) == first
    assert Membership.objects.filter(role="seat").count() == 1


def test_unusable_invitations_are_refused(empty: Any, people: Any) -> None:
    gm = people["gm"]
    now = timezone.now()
    _, used = services.invite(empty, gm, "ant")
    _, late = services.invite(empty, gm, "ant")
    services.take_seat(people["ant"], used)
    assert refusal_code(used, people["stranger"]) == "used"
    assert refusal_code(late, people["stranger"]) == "taken"
    _, old = services.invite(empty, gm, "bee")
    assert refusal_code(old, people["bee"], now=now + timedelta(days=30, seconds=5)) == "expired"
    assert services.open_invitation(old, now=now + timedelta(days=29)).seat == "bee"
    gone, token = services.invite(empty, gm, "bee")
    services.revoke(gone, gm)
    services.revoke(gone, gm)
    assert refusal_code(token, people["bee"]) == "revoked"
    assert refusal_code("nonsense", people["bee"]) == "unknown"
    _, free = services.invite(empty, gm)
    services.take_seat(people["bee"], old)
    assert refusal_code(free, people["stranger"]) == "full"


def test_a_link_to_one_seat_opens_no_other(empty: Any, people: Any) -> None:
    _, token = services.invite(empty, people["gm"], "ant")
    assert refusal_code(token, people["bee"], "bee") == "other-seat"


def test_who_may_invite_and_revoke(empty: Any, people: Any) -> None:
    invitation, token = services.invite(empty, people["gm"], "ant")
    services.take_seat(people["ant"], token)
    for who in ("ant", "stranger"):
        with pytest.raises(NotAllowed):
            services.invite(empty, people[who], "bee")
        with pytest.raises(NotAllowed):
            services.revoke(invitation, people[who])


@pytest.mark.parametrize(("seat", "uses"), [("wasp", 1), ("ant", 2), ("", 0), ("", 21)])
def test_invalid_invitations_are_refused(empty: Any, people: Any, seat: str, uses: int) -> None:
    with pytest.raises(Refused):
        services.invite(empty, people["gm"], seat, uses)


def test_a_seat_is_left_and_taken_by_another(table: Any) -> None:
    ant, bee, stranger = (table.people[who] for who in ("ant", "bee", "stranger"))
    with pytest.raises(NotAllowed):
        services.vacate(table.campaign, bee, "ant")
    services.vacate(table.campaign, ant, "ant")
    with pytest.raises(Refused):
        services.vacate(table.campaign, table.gm, "ant")
    _, token = services.invite(table.campaign, table.gm, "ant")
    services.take_seat(stranger, token)
    services.vacate(table.campaign, table.gm, "bee")
    assert [access.access_of(table.campaign, user).seats for user in (ant, bee, stranger)] == [
        (),
        (),
        ("ant",),
    ]
    assert Membership.objects.filter(role="seat").count() == 3


def test_the_database_allows_one_holder_for_each_seat(table: Any) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Membership.objects.create(
            campaign=table.campaign,
            user=table.stranger,
            role="seat",
            seat="ant",
            since=timezone.now(),
        )


def test_a_visit_in_another_process_counts(table: Any) -> None:
    """Two processes of the site each have the membership as they read it.

    The film begins where the last visit ended, in whichever process that was.
    """
    now = timezone.now()
    here, elsewhere = (
        Membership.objects.filter(campaign=table.campaign, seat="ant").get()
        for _process in range(2)
    )
    assert seating.note_visit(here, 3, now) == 3  # the first visit has nothing to show
    elsewhere.visited_at, elsewhere.visit_seen, elsewhere.visit_since = now, 3, 3
    assert seating.note_visit(here, 8, now + timedelta(hours=2)) == 3
    assert seating.note_visit(here, 9, now + timedelta(hours=2, minutes=10)) == 3  # the same visit
    assert seating.note_visit(elsewhere, 12, now + timedelta(hours=5)) == 9


@pytest.mark.django_db(transaction=True)
def test_a_visit_that_cannot_be_stored_does_not_break_the_page(table: Any) -> None:
    place = Membership.objects.filter(campaign=table.campaign, seat="ant").get()
    with connection.cursor() as cursor:
        cursor.execute(
            "PRAGMA query_only = ON"
            if connection.vendor == "sqlite"
            else "SET default_transaction_read_only = on"
        )
    try:
        assert seating.note_visit(place, 3, timezone.now()) == 3
    finally:
        with connection.cursor() as cursor:
            cursor.execute(
                "PRAGMA query_only = OFF"
                if connection.vendor == "sqlite"
                else "SET default_transaction_read_only = off"
            )
    assert Membership.objects.get(pk=place.pk).visited_at is None


@pytest.mark.skipif(connection.vendor != "sqlite", reason="one writes at a time in SQLite alone")
@pytest.mark.django_db(transaction=True)
def test_a_page_does_not_wait_while_a_long_record_is_written(table: Any) -> None:
    place = Membership.objects.filter(campaign=table.campaign, seat="ant").get()
    writes, looked = Event(), Event()

    def write() -> None:
        with transaction.atomic():
            writes.set()
            looked.wait(180)
        connection.close()

    writer = Thread(target=write)
    writer.start()
    try:
        assert writes.wait(20)
        assert seating.note_visit(place, 3, timezone.now()) == 3
        assert writer.is_alive(), "the page was answered during the transaction"
    finally:
        looked.set()
        writer.join()
    assert Membership.objects.get(pk=place.pk).visited_at is None
    assert seating.note_visit(place, 3, timezone.now()) == 3
    assert Membership.objects.get(pk=place.pk).visited_at is not None, "the next look keeps it"
    with connection.cursor() as cursor:
        assert cursor.execute("PRAGMA busy_timeout").fetchone() == (5000,)

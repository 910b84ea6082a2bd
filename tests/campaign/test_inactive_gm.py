"""Inactive game masters.

A co-game-master takes over, or a majority of the seats asks the host to name a new game master.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from campaign import access, services
from campaign.errors import NotAllowed, NotNow, Refused, TableError
from campaign.log import selectors
from campaign.seats import selectors as seats_selectors
from notices.models import Notice
from people import services as people_services
from people.models import User
from tests.campaign.test_masters import check_audit, make_co_master, roles, secret, take_seat, texts

__all__ = ["secret"]


def time_after_absence(user: Any, days: int) -> datetime:
    """Store that a user was last seen this many days ago, and return the present time."""
    now = timezone.now()
    User.objects.filter(pk=user.pk).update(
        seen_on=people_services.utc_day(now - timedelta(days=days))
    )
    return now


def takeover(*args: str) -> str:
    out = StringIO()
    call_command("takeover", *args, stdout=out)
    return out.getvalue()


@pytest.fixture
def left(running: Any) -> Any:
    """Return a campaign whose game master was last seen 14 days ago.

    Two seats, Ant and Bee, are a majority.
    """
    time_after_absence(running.gm, 14)
    return running


def test_presence_is_written_once_a_day(person: Any) -> None:
    user, now = person("Max"), timezone.now()
    assert (user.seen_on, people_services.days_away(user, now)) == (people_services.utc_day(now), 0)
    time_after_absence(user, 3)
    user.refresh_from_db()
    assert people_services.days_away(user, now) == 3
    assert people_services.note_presence(user, now)
    assert not people_services.note_presence(user, now)
    assert not people_services.note_presence(
        User.objects.get(pk=user.pk), now + timedelta(microseconds=1)
    )
    assert people_services.note_presence(User.objects.get(pk=user.pk), now + timedelta(days=1))


@pytest.mark.parametrize(("days", "gone"), [(0, False), (13, False), (14, True), (40, True)])
def test_a_game_master_is_inactive_after_fourteen_days(running: Any, days: int, gone: bool) -> None:
    now = time_after_absence(running.gm, days)
    result = seats_selectors.inactive_master(
        running.campaign, selectors.held(running.campaign), now
    )
    assert (result is not None) == gone
    if result is not None:
        assert (result.chief, result.days, result.asking_seats, result.seats, result.needed) == (
            running.gm,
            days,
            (),
            ("ant", "bee"),
            2,
        )


def test_the_co_game_master_takes_over(left: Any) -> None:
    make_co_master(left.campaign, left.people, "stranger")
    services.take_over(left.campaign, left.stranger)
    assert roles(left.campaign, left.stranger) == ["game_master"]
    assert roles(left.campaign, left.gm) == []
    assert texts(left.campaign, 1) == [
        "Stranger takes the campaign over from Gm, who has not been seen for 14 days."
    ]
    shown = Notice.objects.filter(kind="taken-over").values_list("user__username", flat=True)
    assert sorted(shown) == ["Ant", "Bee", "Gm"]
    with pytest.raises(NotAllowed):
        services.take_over(left.campaign, left.gm)
    with pytest.raises(Refused, match="You are already the game master here"):  # a double click
        services.take_over(left.campaign, left.stranger)
    assert Notice.objects.filter(kind="taken-over").count() == 3
    check_audit()


def test_only_a_co_game_master_takes_over_and_only_from_an_inactive_game_master(
    running: Any,
) -> None:
    make_co_master(running.campaign, running.people, "stranger")
    time_after_absence(running.gm, 13)
    with pytest.raises(NotNow, match="seen within the last 14 days"):
        services.take_over(running.campaign, running.stranger)
    time_after_absence(running.gm, 14)
    for who in ("ant", "bee"):
        with pytest.raises(NotAllowed):
            services.take_over(running.campaign, running.people[who])
    with pytest.raises(Refused, match="You are already the game master here"):
        services.take_over(running.campaign, running.gm)
    assert roles(running.campaign, running.gm) == ["game_master"]


def test_with_hidden_hands_a_player_does_not_take_over_alone(secret: Any, people: Any) -> None:
    make_co_master(secret, people, "stranger")
    take_seat(secret, people, "stranger", "ant")
    time_after_absence(people["gm"], 20)
    with pytest.raises(Refused, match="Stranger plays here and hands are hidden"):
        services.take_over(secret, people["stranger"])
    assert roles(secret, people["gm"]) == ["game_master"]
    services.vacate(secret, people["stranger"], "ant")
    services.take_over(secret, people["stranger"])
    assert access.access_of(secret, people["stranger"]).game_master
    check_audit()


def test_a_former_game_master_who_plays_keeps_their_seat(secret: Any, people: Any) -> None:
    make_co_master(secret, people, "stranger")
    take_seat(secret, people, "gm", "ant")
    time_after_absence(people["gm"], 20)
    services.take_over(secret, people["stranger"])
    assert roles(secret, people["gm"]) == ["seat"]
    assert roles(secret, people["stranger"]) == ["game_master"]


def test_seats_ask_and_withdraw_their_request(left: Any) -> None:
    ant, bee = left.people["ant"], left.people["bee"]
    services.ask_for_master(left.campaign, ant, "ant")
    services.ask_for_master(left.campaign, ant, "ant")
    assert (
        texts(left.campaign, 2)[0]
        == "The Ant: a new game master is wanted; the present one has not been seen for 14 days."
    )
    assert sorted(
        Notice.objects.filter(kind="master-asked").values_list("user__username", flat=True)
    ) == ["Bee", "Gm"]

    def asked() -> tuple[str, ...]:
        result = seats_selectors.inactive_master(
            left.campaign, selectors.held(left.campaign), timezone.now()
        )
        return result.asking_seats if result else ()

    assert asked() == ("ant",)
    services.ask_for_master(left.campaign, bee, "bee")
    assert asked() == ("ant", "bee")
    services.keep_master(left.campaign, ant, "ant")
    services.keep_master(left.campaign, ant, "ant")
    assert asked() == ("bee",)
    assert texts(left.reload(), 1) == ["The Ant: a new game master is no longer wanted."]
    for who, seat in (("gm", "ant"), ("stranger", "ant"), ("bee", "ant")):
        with pytest.raises(NotAllowed):
            services.ask_for_master(left.campaign, left.people[who], seat)
    services.vacate(left.campaign, bee, "bee")
    assert asked() == ()
    take_seat(left.campaign, left.people, "stranger", "bee")
    assert asked() == (), "what a seat's earlier holder asked is not the new one's"
    check_audit()


def test_requests_expire_when_the_game_master_returns(left: Any) -> None:
    """The game master returns on the next day and then becomes inactive again."""
    then = timezone.now() - timedelta(days=20)
    User.objects.filter(pk=left.gm.pk).update(
        seen_on=people_services.utc_day(then - timedelta(days=15))
    )
    services.ask_for_master(left.campaign, left.people["ant"], "ant", now=then)
    places = selectors.held(left.campaign)
    result = seats_selectors.inactive_master(left.campaign, places, then + timedelta(hours=1))
    assert result is not None
    assert result.asking_seats == ("ant",)
    people_services.note_presence(User.objects.get(pk=left.gm.pk), then + timedelta(days=1))
    assert (
        seats_selectors.inactive_master(
            left.campaign, selectors.held(left.campaign), then + timedelta(days=2)
        )
        is None
    )
    again = seats_selectors.inactive_master(
        left.campaign, selectors.held(left.campaign), timezone.now()
    )
    assert again is not None
    assert again.asking_seats == ()


def test_no_one_asks_while_the_game_master_is_active(running: Any) -> None:
    with pytest.raises(NotNow):
        services.ask_for_master(running.campaign, running.people["ant"], "ant")


def test_the_host_names_a_game_master_when_a_majority_asks(left: Any) -> None:
    key = left.campaign.public_id
    with pytest.raises(
        CommandError, match="0 of 2 seats have asked for a new game master; 2 are needed"
    ):
        takeover(key, "Stranger")
    services.ask_for_master(left.campaign, left.people["ant"], "ant")
    with pytest.raises(CommandError, match="1 of 2 seats have asked"):
        takeover(key, "Stranger")
    services.ask_for_master(left.campaign, left.people["bee"], "bee")
    assert "Nothing has been changed" in takeover(key, "Stranger", "--dry-run")
    assert roles(left.campaign, left.gm) == ["game_master"]
    assert takeover(f"http://testserver/c/{left.campaign.address}/about/", "STRANGER").startswith(
        "Stranger is now the game master of The Heap"
    )
    assert roles(left.campaign, left.stranger) == ["game_master"]
    assert roles(left.campaign, left.gm) == []
    (line,) = selectors.log(left.campaign, None, limit=1)
    assert (line.text, line.entry.actor) == (
        "The host makes Stranger game master in place of Gm.",
        None,
    )
    assert line.entry.content["asked"] == ["ant", "bee"]
    assert sorted(
        Notice.objects.filter(kind="taken-over").values_list("user__username", flat=True)
    ) == [
        "Ant",
        "Bee",
        "Gm",
        "Stranger",
    ]
    check_audit()


def test_force_needs_only_a_reason(running: Any) -> None:
    key = running.campaign.public_id
    with pytest.raises(CommandError, match="seen within the last 14 days"):
        takeover(key, "Bee")
    with pytest.raises(CommandError, match="Give a reason"):
        takeover(key, "Bee", "--force")
    takeover(key, "Bee", "--force", "--reason", "He has asked for it by letter.")
    content = "The host makes Bee game master in place of Gm. He has asked for it by letter."
    assert texts(running.campaign, 1) == [content]
    assert roles(running.campaign, running.people["bee"]) == ["game_master", "seat"]
    with pytest.raises(CommandError, match="Bee is the game master here"):
        takeover(key, "Bee", "--force", "--reason", "Again.")
    check_audit()


def test_force_does_not_break_hidden_hands(secret: Any, people: Any) -> None:
    take_seat(secret, people, "ant", "ant")
    with pytest.raises(CommandError, match="Ant plays here and hands are hidden"):
        takeover(secret.public_id, "Ant", "--force", "--reason", "Nobody else is there.")
    assert roles(secret, people["gm"]) == ["game_master"]


@pytest.mark.parametrize(
    "args", [("nowhere1", "Bee"), ("", "Bee"), ("{key}", "Nobody"), ("{key}", "")]
)
def test_unknown_campaigns_and_users_are_reported(running: Any, args: tuple[str, str]) -> None:
    with pytest.raises(CommandError, match=r"There is no campaign|There is no user"):
        takeover(*(arg.format(key=running.campaign.public_id) for arg in args))


def test_guests_and_suspended_users_cannot_become_game_master(running: Any, person: Any) -> None:
    person("Guest 1", guest=True)
    person("Gone", is_active=False)
    for name in ("Guest 1", "Gone"):
        with pytest.raises(CommandError, match="their account cannot sign in"):
            takeover(running.campaign.public_id, name, "--force", "--reason", "A try.")
    with pytest.raises(TableError):
        services.take_over(running.campaign, running.people["ant"])

"""Several game masters, handing over, the reserve, and game masters who play."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.utils import timezone

from campaign import access, services
from campaign.errors import InvitationRefused, NotAllowed, Refused, TableMovedOn
from campaign.log import record, selectors
from campaign.models import Membership


def check_audit() -> None:
    call_command("audit", stdout=StringIO())


def make_co_master(campaign: Any, people: Any, who: str) -> None:
    _, token = services.invite_master(campaign, people["gm"])
    services.take_seat(people[who], token)


def roles(campaign: Any, user: Any) -> list[str]:
    return sorted(
        Membership.objects.filter(campaign=campaign, user=user, until=None).values_list(
            "role", flat=True
        )
    )


def texts(campaign: Any, count: int) -> list[str]:
    return [line.text for line in selectors.log(campaign, None, limit=count)]


def test_a_co_game_master_does_what_the_game_master_does(running: Any) -> None:
    make_co_master(running.campaign, running.people, "stranger")
    assert selectors.game_masters(running.campaign) == [running.gm, running.stranger]
    seen = selectors.seen(running.campaign, running.stranger)
    services.play(
        running.campaign, running.stranger, {"by": "gm", "for": "bee", "move": "end"}, seen
    )
    assert texts(running.reload(), 2)[1] == "A co-game-master joins."
    with pytest.raises(NotAllowed, match="not a co-game-master"):
        services.invite_master(running.campaign, running.stranger)
    with pytest.raises(NotAllowed):
        services.offer_campaign(running.campaign, running.stranger, running.gm)
    services.leave_masters(running.campaign, running.gm, running.stranger)
    assert access.access_of(running.campaign, running.stranger) == access.NO_ACCESS
    check_audit()


def test_there_is_one_game_master(table: Any) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Membership.objects.create(
            campaign=table.campaign, user=table.stranger, role="game_master", since=timezone.now()
        )


def test_the_campaign_is_handed_over(table: Any) -> None:
    ant = table.people["ant"]
    with pytest.raises(Refused):
        services.offer_campaign(table.campaign, table.gm, table.stranger)
    with pytest.raises(NotAllowed):
        services.offer_campaign(table.campaign, ant, table.people["bee"])
    services.offer_campaign(table.campaign, table.gm, table.people["bee"])
    services.offer_campaign(table.campaign, table.gm, ant)
    for who in ("bee", "stranger", "gm"):
        with pytest.raises(InvitationRefused):
            services.accept_campaign(table.campaign, table.people[who])
    assert roles(table.campaign, table.gm) == ["game_master"]
    services.accept_campaign(table.campaign, ant)
    assert roles(table.campaign, table.gm) == []
    assert roles(table.campaign, ant) == ["game_master", "seat"]
    assert texts(table.campaign, 1) == ["Gm hands the campaign over to Ant."]
    with pytest.raises(InvitationRefused):
        services.accept_campaign(table.campaign, ant)
    check_audit()


def test_an_offer_ends_by_time_and_by_declining(table: Any) -> None:
    ant, now = table.people["ant"], timezone.now()
    services.offer_campaign(table.campaign, table.gm, ant, now=now - timedelta(days=31))
    with pytest.raises(InvitationRefused):
        services.accept_campaign(table.campaign, ant, now=now)
    offer = services.offer_campaign(table.campaign, table.gm, ant)
    with pytest.raises(NotAllowed):
        services.revoke(offer, table.people["bee"])
    services.revoke(offer, ant)
    with pytest.raises(InvitationRefused):
        services.accept_campaign(table.campaign, ant)


def test_a_seat_is_handed_over(running: Any) -> None:
    bee, stranger = running.people["bee"], running.stranger
    running.play("bee", "add", stones=2)
    with pytest.raises(NotAllowed):
        services.hand_over_link(running.campaign, running.people["ant"], "bee")
    _, token = services.hand_over_link(running.campaign, bee, "bee")
    assert access.access_of(running.campaign, bee).seats == ("bee",)
    services.take_seat(stranger, token)
    assert access.access_of(running.campaign, bee).seats == ()
    assert access.access_of(running.campaign, stranger).seats == ("bee",)
    assert texts(running.campaign, 1) == ["The Bee: the seat passes from Bee to Stranger."]
    assert selectors.log(running.campaign, None)[1].entry.actor == bee
    running.people["bee"] = stranger
    running.reload()
    running.play("bee", "add", stones=1)
    check_audit()


def test_an_offered_seat_that_changed_hands_meanwhile_cannot_be_accepted(table: Any) -> None:
    _, by_holder = services.hand_over_link(table.campaign, table.people["bee"], "bee")
    _, by_master = services.hand_over_link(table.campaign, table.gm, "bee")
    services.take_seat(table.stranger, by_master)
    with pytest.raises(InvitationRefused, match="in the meantime"):
        services.take_seat(table.people["ant"], by_holder)
    services.vacate(table.campaign, table.gm, "ant")
    with pytest.raises(Refused):
        services.hand_over_link(table.campaign, table.gm, "ant")


def test_the_reserve(table: Any) -> None:
    stranger = table.stranger
    services.join_waiting_list(table.campaign, stranger)
    services.join_waiting_list(table.campaign, stranger)
    assert texts(table.campaign, 1) == ["Stranger waits for a seat."]
    assert access.access_of(table.campaign, stranger).voices == ()
    assert access.access_of(table.campaign, stranger).member
    with pytest.raises(Refused, match="not free"):
        services.seat_reserve(table.campaign, table.gm, stranger.pk, "ant")
    services.vacate(table.campaign, table.gm, "ant")
    with pytest.raises(NotAllowed):
        services.seat_reserve(table.campaign, table.people["bee"], stranger.pk, "ant")
    services.seat_reserve(table.campaign, table.gm, stranger.pk, "ant")
    assert roles(table.campaign, stranger) == ["seat"]
    assert texts(table.campaign, 1) == ["The Ant: the seat goes to Stranger from the reserve."]
    with pytest.raises(Refused, match="already"):
        services.join_waiting_list(table.campaign, stranger)
    check_audit()


def test_a_user_who_left_the_reserve_is_not_seated(table: Any) -> None:
    services.vacate(table.campaign, table.gm, "ant")
    services.join_waiting_list(table.campaign, table.stranger)
    services.leave_waiting_list(table.campaign, table.stranger)
    services.leave_waiting_list(table.campaign, table.stranger)
    with pytest.raises(Refused, match="no longer waits"):
        services.seat_reserve(table.campaign, table.gm, table.stranger.pk, "ant")
    check_audit()


# The game master who plays (HOUSE, People and Secrets) --------------------------------------------


@pytest.fixture
def secret(people: Any) -> Any:
    return services.found_campaign(people["gm"], "heap", "The Heap", "small", {"secret": True})


def take_seat(campaign: Any, people: Any, who: str, seat: str) -> None:
    _, token = services.invite(campaign, people["gm"], seat)
    services.take_seat(people[who], token)


def test_a_single_game_master_may_not_play_with_hidden_hands(secret: Any, people: Any) -> None:
    _, token = services.invite(secret, people["gm"], "ant")
    for way in (
        lambda: services.take_seat(people["gm"], token),
        lambda: (
            services.join_waiting_list(secret, people["gm"]),
            services.seat_reserve(secret, people["gm"], people["gm"].pk, "ant"),
        ),
        lambda: (
            services.open_lobby(secret, people["gm"]),
            services.apply_for_seat(secret, people["gm"], ["ant"]),
        ),
    ):
        with (
            pytest.raises(Refused, match="needs a co-game-master who does not") as refusal,
            transaction.atomic(),
        ):
            way()
        assert refusal.value.code == "no-master-left"
    assert access.access_of(secret, people["gm"]).seats == ()


def test_a_single_game_master_may_play_if_nothing_is_hidden(people: Any) -> None:
    open_heap = services.found_campaign(people["gm"], "heap", "The Heap", "small")
    take_seat(open_heap, people, "gm", "ant")
    assert access.access_of(open_heap, people["gm"]).voices == ("gm", "ant")
    with pytest.raises(Refused, match="Hands are hidden"):
        services.change_terms(open_heap, people["gm"], options={"secret": True})


def test_with_a_co_game_master_a_playing_game_master_sees_what_their_seat_sees(
    secret: Any, people: Any
) -> None:
    gm, other = people["gm"], people["stranger"]
    make_co_master(secret, people, "stranger")
    take_seat(secret, people, "gm", "ant")
    take_seat(secret, people, "bee", "bee")
    who = access.access_of(secret, gm)
    assert (who.voices, who.viewer, who.game_master, who.host, who.speaks_for("bee")) == (
        ("ant",),
        "ant",
        False,
        True,
        False,
    )
    with pytest.raises(NotAllowed):
        services.play(secret, gm, {"by": "gm", "move": "start"}, selectors.seen(secret, gm))
    campaign = services.play(
        secret, other, {"by": "gm", "move": "start"}, selectors.seen(secret, other)
    ).campaign
    if campaign.active_seat == "ant":
        raw = {"by": "gm", "for": "ant", "move": "end"}
        campaign = services.play(campaign, other, raw, selectors.seen(campaign, other)).campaign
    campaign = services.play(
        campaign,
        people["bee"],
        {"by": "bee", "move": "hide", "secret": 7},
        selectors.seen(campaign, people["bee"]),
    ).campaign
    assert selectors.view(campaign, gm)["mine"] == 0
    assert selectors.view(campaign, other)["mine"] == {"ant": 0, "bee": 7}
    assert "hide" not in " ".join(line.text for line in selectors.log(campaign, gm))
    for refused in (
        lambda: selectors.offers(campaign, gm, "gm"),
        lambda: selectors.offers(campaign, gm, "bee"),
        lambda: services.undo_to(campaign, gm, 0, "A slip", selectors.seen(campaign, gm)),
        lambda: record.export(campaign, gm),
    ):
        with pytest.raises(NotAllowed):
            refused()
    assert record.export(campaign, other)["moves"]
    services.invite(campaign, gm)
    check_audit()


def test_the_co_game_master_cannot_leave_a_playing_game_master_alone(
    secret: Any, people: Any
) -> None:
    make_co_master(secret, people, "stranger")
    take_seat(secret, people, "gm", "ant")
    for way in (
        lambda: services.leave_masters(secret, people["stranger"], people["stranger"]),
        lambda: take_seat(secret, people, "stranger", "bee"),
    ):
        with pytest.raises(Refused, match="Hands are hidden"):
            way()
    services.vacate(secret, people["gm"], "ant")
    services.leave_masters(secret, people["stranger"], people["stranger"])
    assert access.access_of(secret, people["gm"]).game_master


def test_a_player_does_not_take_the_campaign_over_alone(secret: Any, people: Any) -> None:
    services.join_waiting_list(secret, people["ant"])
    services.offer_campaign(secret, people["gm"], people["ant"])
    take_seat(secret, people, "ant", "ant")
    with pytest.raises(Refused, match="Hands are hidden"):
        services.accept_campaign(secret, people["ant"])
    assert roles(secret, people["gm"]) == ["game_master"]


def test_offers_that_cannot_be_accepted_are_refused(secret: Any, people: Any) -> None:
    """With hidden hands, two offers are refused.

    The campaign is not offered to a player without another game master, nor a seat to the only
    member who sees all hands.
    """
    for who in ("ant", "bee"):
        take_seat(secret, people, who, who)
    with pytest.raises(
        Refused, match="Ant cannot accept the campaign: hands are hidden here"
    ) as refusal:
        services.offer_campaign(secret, people["gm"], people["ant"])
    assert refusal.value.code == "cannot-accept"
    with pytest.raises(
        Refused,
        match="Gm cannot accept this seat: hands are hidden here, and no game master",
    ):
        services.offer_seat(secret, people["ant"], "ant", people["gm"])
    make_co_master(secret, people, "stranger")
    services.offer_campaign(secret, people["gm"], people["ant"])
    services.offer_seat(secret, people["ant"], "ant", people["gm"])
    services.accept_campaign(secret, people["ant"])
    with pytest.raises(Refused, match="Stranger cannot accept this seat"):
        services.offer_seat(secret, people["bee"], "bee", people["stranger"])
    services.offer_seat(secret, people["bee"], "bee", people["ant"])
    check_audit()


def test_in_an_open_campaign_a_player_is_offered_anything(table: Any) -> None:
    services.offer_campaign(table.campaign, table.gm, table.people["ant"])
    services.offer_seat(table.campaign, table.people["ant"], "ant", table.gm)


def test_a_form_from_before_the_user_took_a_seat_is_stale(secret: Any, people: Any) -> None:
    """A new seat changes what the user may see, so entries they had seen are counted again."""
    make_co_master(secret, people, "stranger")
    take_seat(secret, people, "gm", "ant")
    with pytest.raises(TableMovedOn):
        services.undo_own(secret, people["gm"], 99)

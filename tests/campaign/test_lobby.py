"""The lobby: applying, and a draw worked by hand."""

from __future__ import annotations

import hashlib
import hmac
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from campaign import founding, keys, services
from campaign.errors import NoSuchCampaign, NotAllowed, NotNow, Refused
from campaign.hosting.audit import differences
from campaign.log import selectors
from campaign.models import Campaign, Lobby, Membership
from engine.language import use_language

pytestmark = pytest.mark.django_db

SEED = "seed of the lobby"


def roll_by_record_rules(purpose: str, sides: int) -> int:
    """Compute a roll by the rules in RECORD, Dice.

    It is the first 8 bytes of HMAC-SHA256 of PURPOSE#0 under the link, modulo the sides, plus 1.
    """
    link = hashlib.sha256(SEED.encode()).hexdigest()
    return (
        int(hmac.new(link.encode(), f"{purpose}#0".encode(), "sha256").hexdigest()[:16], 16) % sides
        + 1
    )


@pytest.fixture
def grand_one(people: Any) -> Campaign:
    return services.found_campaign(
        people["gm"], "grand_campaign", "Storm", "420ad", visibility="listed"
    )


@pytest.fixture
def crowd(person: Any) -> list[Any]:
    return [person(f"Person {letter}") for letter in "ABCDEFGH"]


def open_lobby(campaign: Campaign, gm: Any) -> Lobby:
    return services.open_lobby(campaign, gm, "Two turns a month.", seed=SEED)


def holders(campaign: Campaign) -> dict[str, str]:
    return {seat.key: seat.holder.username for seat in selectors.seats(campaign) if seat.holder}


def test_the_dice_of_three_by_hand() -> None:
    """d(3), d(2), d(1) without replacement: 1 draws the first of the rest."""
    values = [
        roll_by_record_rules("lobby/order/1", 3),
        roll_by_record_rules("lobby/order/2", 2),
        roll_by_record_rules("lobby/order/3", 1),
    ]
    assert values == [2, 2, 1]
    people = [(11, ["huns", "romans"]), (12, ["huns"]), (13, ["huns", "romans", "vandals"])]
    free = ["hephtalites", "huns", "kushans", "romans", "sassanids", "vandals"]
    created = founding.draw_lots(SEED, people, free)
    # The 2nd of 11, 12, 13 is 12; the 2nd of 11, 13 is 13; then 11.
    assert [
        (wishes["user"], wishes["sides"], wishes["value"], wishes["seat"]) for wishes in created
    ] == [
        (12, 3, 2, "huns"),  # the first of their list
        (13, 2, 2, "romans"),  # the Huns are taken: the second of their list
        (11, 1, 1, "hephtalites"),  # both are taken: the first in alphabetical order
    ]


def test_a_list_without_a_free_seat_gets_the_alphabetically_first() -> None:
    created = founding.draw_lots(
        SEED, [(11, ["huns"]), (12, ["huns"]), (13, ["huns"])], ["hephtalites", "huns"]
    )
    assert [(wishes["user"], wishes["seat"]) for wishes in created] == [
        (12, "huns"),
        (13, "hephtalites"),
        (11, ""),
    ]


def test_the_order_of_seats_does_not_depend_on_user_or_language(
    grand_one: Campaign, people: Any
) -> None:
    open_lobby(grand_one, people["gm"])
    with use_language("it"):
        shown = services.draw_seats(grand_one, people["gm"])
    assert shown["free"] == ["hephtalites", "huns", "kushans", "romans", "sassanids", "vandals"]


def test_a_lobby_without_applications_cannot_be_drawn() -> None:
    assert founding.draw_lots(SEED, [], ["huns"]) == []


def test_a_whole_lobby(grand_one: Campaign, people: Any, crowd: list[Any]) -> None:
    gm = people["gm"]
    created = open_lobby(grand_one, gm)
    grand_one.refresh_from_db()
    assert grand_one.status == "seating"
    link = hashlib.sha256(SEED.encode()).hexdigest()
    assert created.commitment == hashlib.sha256(link.encode()).hexdigest()
    assert created.commitment in selectors.log(grand_one, None)[0].text
    assert list(selectors.open_lobbies()) == [grand_one]
    for user in crowd[:7]:
        services.apply_for_seat(grand_one, user, ["huns", "romans"])
    services.apply_for_seat(
        grand_one, crowd[0], ["vandals"]
    )  # keeps the place of the first application
    services.withdraw_application(grand_one, crowd[1])
    services.apply_for_seat(grand_one, crowd[1], ["romans"])  # goes to the end
    assert [application.user for application in founding.applicants(created)] == [
        crowd[0],
        *crowd[2:7],
        crowd[1],
    ]
    shown = services.draw_seats(grand_one, gm)
    grand_one.refresh_from_db()
    assert (grand_one.status, shown["seed"]) == ("draft", SEED)
    assert [application["sides"] for application in shown["order"]] == [7, 6, 5, 4, 3, 2, 1]
    assert [application["value"] for application in shown["order"]] == [
        roll_by_record_rules(f"lobby/order/{n}", 8 - n) for n in range(1, 8)
    ]
    left = list(shown["applications"])
    for application in shown["order"]:
        assert left.pop(application["value"] - 1)["user"] == application["user"]
    names = {user.pk: user.username for user in crowd}
    assert holders(grand_one) == {
        application["seat"]: names[application["user"]]
        for application in shown["order"]
        if application["seat"]
    }
    assert len(holders(grand_one)) == 6
    waits = Membership.objects.filter(campaign=grand_one, role="reserve", until=None)
    assert [waiting.user_id for waiting in waits] == [shown["order"][-1]["user"]]
    assert founding.is_proven_draw(shown)
    assert not founding.is_proven_draw({**shown, "seed": "another"})
    assert SEED in " ".join(line.text for line in selectors.log(grand_one, None))
    call_command("audit", stdout=StringIO())


def test_the_seed_is_nowhere_before_the_draw(grand_one: Campaign, people: Any) -> None:
    created = open_lobby(grand_one, people["gm"])
    assert SEED not in str(Lobby.objects.values().get())
    assert keys.unseal(created.seed_sealed) == SEED
    assert not any(SEED in entry.content_json for entry in grand_one.entries.all())


def test_no_one_reads_wishes_before_the_draw(grand_one: Campaign, people: Any) -> None:
    open_lobby(grand_one, people["gm"])
    services.apply_for_seat(grand_one, people["ant"], ["kushans"])
    line = selectors.log(grand_one, people["gm"])[0]
    assert (line.text, "kushans" in line.entry.content_json) == ("Applies for a seat.", False)


@pytest.mark.parametrize("wishes", [[], ["huns", "huns"], ["gauls"], ["gm"], [""]])
def test_invalid_lists_of_wishes_are_refused(
    grand_one: Campaign, people: Any, wishes: list[str]
) -> None:
    open_lobby(grand_one, people["gm"])
    with pytest.raises(Refused):
        services.apply_for_seat(grand_one, people["ant"], wishes)


def test_members_and_phases_decide_who_may_apply(grand_one: Campaign, people: Any) -> None:
    gm, ant = people["gm"], people["ant"]
    with pytest.raises(NotNow):
        services.apply_for_seat(grand_one, ant, ["huns"])
    with pytest.raises(NotAllowed):
        services.open_lobby(grand_one, ant)
    with pytest.raises(Refused):
        services.open_lobby(grand_one, gm, "x" * 2001)
    open_lobby(grand_one, gm)
    with pytest.raises(NotNow):
        services.open_lobby(grand_one, gm)
    with pytest.raises(NotAllowed):
        services.draw_seats(grand_one, ant)
    with pytest.raises(NotNow, match="Draw the seats first"):
        services.play(grand_one, gm, {"by": "gm", "move": "start"}, selectors.seen(grand_one, gm))
    _, token = services.invite(grand_one, gm, "huns")
    services.take_seat(ant, token)
    with pytest.raises(Refused, match="already"):
        services.apply_for_seat(grand_one, ant, ["romans"])
    services.draw_seats(grand_one, gm)
    with pytest.raises(NotNow):
        services.draw_seats(grand_one, gm)
    grand_one.refresh_from_db()
    services.play(grand_one, gm, {"by": "gm", "move": "start"}, selectors.seen(grand_one, gm))
    with pytest.raises(NotNow):
        services.open_lobby(grand_one, gm)


def test_a_members_only_lobby_is_unknown_to_others(people: Any) -> None:
    hidden = services.found_campaign(
        people["gm"], "heap", "The Heap", "small", visibility="members"
    )
    services.open_lobby(hidden, people["gm"])
    with pytest.raises(NoSuchCampaign):
        services.apply_for_seat(hidden, people["ant"], ["ant"])
    assert list(selectors.open_lobbies()) == []


def test_an_applicant_who_already_has_a_seat_is_not_drawn(grand_one: Campaign, people: Any) -> None:
    open_lobby(grand_one, people["gm"])
    services.apply_for_seat(grand_one, people["ant"], ["huns"])
    _, token = services.invite(grand_one, people["gm"], "romans")
    services.take_seat(people["ant"], token)
    assert services.draw_seats(grand_one, people["gm"])["order"] == []
    assert holders(grand_one) == {"romans": "Ant"}
    call_command("audit", stdout=StringIO())


def test_the_number_of_applications_and_withdrawals_is_limited(
    grand_one: Campaign, people: Any
) -> None:
    open_lobby(grand_one, people["gm"])
    for _ in range(5):
        services.apply_for_seat(grand_one, people["ant"], ["huns"])
        services.withdraw_application(grand_one, people["ant"])
    with pytest.raises(Refused, match="5 times"):
        services.apply_for_seat(grand_one, people["ant"], ["huns"])


def test_the_audit_finds_an_application_that_was_never_made(
    grand_one: Campaign, people: Any
) -> None:
    created = open_lobby(grand_one, people["gm"])
    services.apply_for_seat(grand_one, people["ant"], ["huns"])
    created.applications.update(user=people["bee"])
    grand_one.refresh_from_db()
    assert list(differences(grand_one)) == ["the applicants of the lobby differ from the log"]

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
from engine.language import reading_in

pytestmark = pytest.mark.django_db

SEED = "seed of the lobby"


def by_hand(purpose: str, sides: int) -> int:
    """RECORD, Dice: the first 8 bytes of HMAC-SHA256 of PURPOSE#0 under the link, modulo the sides,
    plus 1.
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


def opened(campaign: Campaign, gm: Any) -> Lobby:
    return services.open_lobby(campaign, gm, "Two turns a month.", seed=SEED)


def holders(campaign: Campaign) -> dict[str, str]:
    return {seat.key: seat.holder.username for seat in selectors.seats(campaign) if seat.holder}


def test_the_dice_of_three_by_hand() -> None:
    """d(3), d(2), d(1) without replacement: 1 draws the first of those left."""
    values = [by_hand("lobby/order/1", 3), by_hand("lobby/order/2", 2), by_hand("lobby/order/3", 1)]
    assert values == [2, 2, 1]
    people = [(11, ["huns", "romans"]), (12, ["huns"]), (13, ["huns", "romans", "vandals"])]
    free = ["hephtalites", "huns", "kushans", "romans", "sassanids", "vandals"]
    created = founding.lots(SEED, people, free)
    # The 2nd of 11, 12, 13 is 12; the 2nd of 11, 13 is 13; then 11.
    assert [(one["user"], one["sides"], one["value"], one["seat"]) for one in created] == [
        (12, 3, 2, "huns"),  # the best of their list
        (13, 2, 2, "romans"),  # the Huns are gone: the second of theirs
        (11, 1, 1, "hephtalites"),  # both of theirs are gone: the first of the alphabet
    ]


def test_a_list_without_a_free_seat_gets_the_alphabetically_first() -> None:
    created = founding.lots(
        SEED, [(11, ["huns"]), (12, ["huns"]), (13, ["huns"])], ["hephtalites", "huns"]
    )
    assert [(one["user"], one["seat"]) for one in created] == [
        (12, "huns"),
        (13, "hephtalites"),
        (11, ""),
    ]


def test_the_seats_stand_in_one_order_whoever_draws_in_whatever_language(
    grand_one: Campaign, people: Any
) -> None:
    opened(grand_one, people["gm"])
    with reading_in("it"):
        shown = services.draw(grand_one, people["gm"])
    assert shown["free"] == ["hephtalites", "huns", "kushans", "romans", "sassanids", "vandals"]


def test_nobody_applied() -> None:
    assert founding.lots(SEED, [], ["huns"]) == []


def test_a_lobby_from_first_to_last(grand_one: Campaign, people: Any, crowd: list[Any]) -> None:
    gm = people["gm"]
    created = opened(grand_one, gm)
    grand_one.refresh_from_db()
    assert grand_one.status == "seating"
    link = hashlib.sha256(SEED.encode()).hexdigest()
    assert created.commitment == hashlib.sha256(link.encode()).hexdigest()
    assert created.commitment in selectors.log(grand_one, None)[0].text
    assert list(selectors.seeking()) == [grand_one]
    for user in crowd[:7]:
        services.apply(grand_one, user, ["huns", "romans"])
    services.apply(grand_one, crowd[0], ["vandals"])  # keeps their place
    services.withdraw(grand_one, crowd[1])
    services.apply(grand_one, crowd[1], ["romans"])  # stands at the end
    assert [one.user for one in founding.applicants(created)] == [crowd[0], *crowd[2:7], crowd[1]]
    shown = services.draw(grand_one, gm)
    grand_one.refresh_from_db()
    assert (grand_one.status, shown["seed"]) == ("draft", SEED)
    assert [one["sides"] for one in shown["order"]] == [7, 6, 5, 4, 3, 2, 1]
    assert [one["value"] for one in shown["order"]] == [
        by_hand(f"lobby/order/{n}", 8 - n) for n in range(1, 8)
    ]
    left = list(shown["applications"])
    for one in shown["order"]:
        assert left.pop(one["value"] - 1)["user"] == one["user"]
    names = {user.pk: user.username for user in crowd}
    assert holders(grand_one) == {
        one["seat"]: names[one["user"]] for one in shown["order"] if one["seat"]
    }
    assert len(holders(grand_one)) == 6
    waits = Membership.objects.filter(campaign=grand_one, role="reserve", until=None)
    assert [one.user_id for one in waits] == [shown["order"][-1]["user"]]
    assert founding.proves(shown)
    assert not founding.proves({**shown, "seed": "another"})
    assert SEED in " ".join(line.text for line in selectors.log(grand_one, None))
    call_command("audit", stdout=StringIO())


def test_the_seed_is_nowhere_before_the_draw(grand_one: Campaign, people: Any) -> None:
    created = opened(grand_one, people["gm"])
    assert SEED not in str(Lobby.objects.values().get())
    assert keys.unseal(created.seed_sealed) == SEED
    assert not any(SEED in entry.content_json for entry in grand_one.entries.all())


def test_wishes_are_nobodys_to_read_before_the_draw(grand_one: Campaign, people: Any) -> None:
    opened(grand_one, people["gm"])
    services.apply(grand_one, people["ant"], ["kushans"])
    line = selectors.log(grand_one, people["gm"])[0]
    assert (line.text, "kushans" in line.entry.content_json) == ("Applies for a seat.", False)


@pytest.mark.parametrize("wishes", [[], ["huns", "huns"], ["gauls"], ["gm"], [""]])
def test_what_is_no_list_of_wishes(grand_one: Campaign, people: Any, wishes: list[str]) -> None:
    opened(grand_one, people["gm"])
    with pytest.raises(Refused):
        services.apply(grand_one, people["ant"], wishes)


def test_who_may_and_when(grand_one: Campaign, people: Any) -> None:
    gm, ant = people["gm"], people["ant"]
    with pytest.raises(NotNow):
        services.apply(grand_one, ant, ["huns"])
    with pytest.raises(NotAllowed):
        services.open_lobby(grand_one, ant)
    with pytest.raises(Refused):
        services.open_lobby(grand_one, gm, "x" * 2001)
    opened(grand_one, gm)
    with pytest.raises(NotNow):
        services.open_lobby(grand_one, gm)
    with pytest.raises(NotAllowed):
        services.draw(grand_one, ant)
    with pytest.raises(NotNow, match="Draw the seats first"):
        services.play(grand_one, gm, {"by": "gm", "move": "start"}, selectors.seen(grand_one, gm))
    _, token = services.invite(grand_one, gm, "huns")
    services.take_seat(ant, token)
    with pytest.raises(Refused, match="already"):
        services.apply(grand_one, ant, ["romans"])
    services.draw(grand_one, gm)
    with pytest.raises(NotNow):
        services.draw(grand_one, gm)
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
        services.apply(hidden, people["ant"], ["ant"])
    assert list(selectors.seeking()) == []


def test_who_was_seated_meanwhile_is_not_drawn(grand_one: Campaign, people: Any) -> None:
    opened(grand_one, people["gm"])
    services.apply(grand_one, people["ant"], ["huns"])
    _, token = services.invite(grand_one, people["gm"], "romans")
    services.take_seat(people["ant"], token)
    assert services.draw(grand_one, people["gm"])["order"] == []
    assert holders(grand_one) == {"romans": "Ant"}
    call_command("audit", stdout=StringIO())


def test_applying_and_withdrawing_has_an_end(grand_one: Campaign, people: Any) -> None:
    opened(grand_one, people["gm"])
    for _ in range(5):
        services.apply(grand_one, people["ant"], ["huns"])
        services.withdraw(grand_one, people["ant"])
    with pytest.raises(Refused, match="5 times"):
        services.apply(grand_one, people["ant"], ["huns"])


def test_the_audit_sees_an_application_that_was_never_made(
    grand_one: Campaign, people: Any
) -> None:
    created = opened(grand_one, people["gm"])
    services.apply(grand_one, people["ant"], ["huns"])
    created.applications.update(user=people["bee"])
    grand_one.refresh_from_db()
    assert list(differences(grand_one)) == ["the lobby's applicants are not the log's"]

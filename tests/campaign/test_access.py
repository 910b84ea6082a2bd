"""Access rights of the game master, two players, a stranger and an anonymous visitor."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from campaign import access, services
from campaign.errors import NoSuchCampaign, NoSuchEntry, NotAllowed
from campaign.log import selectors
from campaign.models import SeatSetMember, audience_key, audience_of, save_seat_sets
from engine.strict_json import canonical
from nations import projection as nations

PEOPLE = ("gm", "ant", "bee", "stranger", "nobody")


def user_or_anonymous(table: Any, who: str) -> Any:
    return AnonymousUser() if who == "nobody" else table.people[who]


@pytest.mark.parametrize(
    ("who", "voices", "viewer"),
    [
        ("gm", ("gm",), "gm"),
        ("ant", ("ant",), "ant"),
        ("bee", ("bee",), "bee"),
        ("stranger", (), None),
        ("nobody", (), None),
    ],
)
def test_access_names_the_roles_of_each_user(
    table: Any, who: str, voices: tuple[str, ...], viewer: str | None
) -> None:
    result = access.access_of(table.campaign, user_or_anonymous(table, who))
    assert (result.voices, result.viewer, result.member) == (voices, viewer, bool(voices))
    assert access.viewer_seat(table.campaign, user_or_anonymous(table, who)) == viewer


@pytest.mark.parametrize("visibility", ["listed", "unlisted", "members"])
def test_visibility_decides_who_finds_a_campaign(table: Any, visibility: str) -> None:
    services.change_description(
        table.campaign, table.gm, name="H", time_zone="UTC", visibility=visibility
    )
    for who in PEOPLE:
        allowed = visibility != "members" or who in ("gm", "ant", "bee")
        if allowed:
            assert (
                access.find(table.campaign.public_id, user_or_anonymous(table, who))
                == table.campaign
            )
        else:
            with pytest.raises(NoSuchCampaign):
                access.find(table.campaign.public_id, user_or_anonymous(table, who))
    assert selectors.listed().exists() is (visibility == "listed")
    with pytest.raises(NoSuchCampaign):
        access.find("xxxxxxxx", table.gm)


def test_members_find_their_campaigns(table: Any) -> None:
    assert [
        selectors.campaigns_of_user(table.people[who]).count()
        for who in ("gm", "ant", "bee", "stranger")
    ] == [1, 1, 1, 0]
    services.vacate(table.campaign, table.people["ant"], "ant")
    assert not selectors.campaigns_of_user(table.people["ant"]).exists()
    assert selectors.game_masters(table.campaign) == [table.gm]


def test_offers_are_for_the_holder_and_the_game_master(running: Any) -> None:
    for who in PEOPLE:
        for seat in ("gm", "ant", "bee"):
            if who == "gm" or who == seat:
                offers = selectors.offers(running.campaign, user_or_anonymous(running, who), seat)
                assert {offer.by for offer in offers} == {who}
                assert {offer.seat for offer in offers} == {seat}
            else:
                with pytest.raises(NotAllowed):
                    selectors.offers(running.campaign, user_or_anonymous(running, who), seat)


def everything_shown_to(table: Any, who: str) -> str:
    """Return everything that the selectors show to this user, as one text."""
    reader, campaign = user_or_anonymous(table, who), table.campaign
    log = [
        [
            line.number,
            line.text,
            line.entry.content_json,
            [e.to_json() for e in line.effects],
            line.rolls,
        ]
        for line in selectors.log(campaign, reader)
    ]
    ledger = [[row.change, row.balance] for row in nations.ledger(campaign, reader, "bee")]
    cards = [str(card) for card in nations.cards(campaign, reader)]
    actions = [str(action) for action in nations.actions(campaign, reader)]
    rolls = [str(roll) for roll in selectors.rolls(campaign, reader)]
    view = selectors.view(campaign, reader)
    return canonical([log, ledger, cards, actions, rolls, view, selectors.seen(campaign, reader)])


def test_a_hidden_move_is_shown_to_its_seat_and_the_game_master(running: Any) -> None:
    before = {who: everything_shown_to(running, who) for who in PEOPLE}
    running.play("bee", "hide", secret=7)
    changed = [who for who in PEOPLE if everything_shown_to(running, who) != before[who]]
    assert changed == ["gm", "bee"]
    assert "bee, hand: 7 number" in everything_shown_to(running, "gm")


def test_a_hidden_entry_has_no_number(running: Any) -> None:
    running.play("bee", "hide", secret=7)
    with pytest.raises(NoSuchEntry):
        selectors.entry(running.campaign, running.gm, running.campaign.last_number + 1)
    entry = running.campaign.entries.last()
    assert selectors.lines(running.campaign, running.people["ant"], [entry]) == []
    assert len(selectors.lines(running.campaign, running.people["bee"], [entry])) == 1


def test_a_log_is_paged_by_numbers(running: Any) -> None:
    running.play("bee", "add", stones=1)
    running.play("bee", "duel")
    first = selectors.log(running.campaign, None, limit=2)
    second = selectors.log(running.campaign, None, before=first[-1].number, limit=2)
    numbers = [line.number for line in first + second]
    assert numbers == sorted(numbers, reverse=True)
    assert len(set(numbers)) == 4
    assert [line.number for line in selectors.since(running.campaign, None, 2)] == [
        *range(3, numbers[0] + 1)
    ]  # type: ignore[operator]


def test_audiences_are_read_back_as_they_were_stored() -> None:
    for audience in (None, (), ("ant",), ("ant", "bee")):
        assert audience_of(audience_key(audience)) == audience


@pytest.mark.django_db
def test_sets_of_seats_are_written_in_the_order_of_their_keys() -> None:
    """Two transactions that write the same sets never wait for each other."""
    save_seat_sets(f"|seat{n}|" for n in (7, 3, 9, 1, 5, 8, 2, 6, 4))
    written = SeatSetMember.objects.order_by("pk").values_list("seat_set", "seat")
    assert list(written) == [(f"|seat{n}|", f"seat{n}") for n in (1, 2, 3, 4, 5, 6, 7, 8, 9)]

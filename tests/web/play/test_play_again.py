"""The end of a campaign against programs: its page, its readers, and the ways to play again."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaign import practice, services, status
from campaign.errors import Refused
from campaign.hosting.audit import differences
from campaign.log import history, positions, selectors
from campaign.models import Campaign
from tests.web.scenarios.test_own_scenario import SMALL

pytestmark = pytest.mark.django_db
SEAT = "goths"


def words(page: str) -> str:
    page = re.sub(r"<(script|style|svg).*?</\1>", " ", page, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


def play_on(campaign: Campaign) -> Campaign:
    """Let the programs move until the campaign waits for the player."""
    while practice.advance(campaign.pk):
        pass
    return Campaign.objects.get(pk=campaign.pk)


def played_to_the_end(campaign: Campaign) -> Campaign:
    """Accept every challenge and end every slot of the player."""
    campaign = play_on(campaign)
    while not campaign.ended:
        position = selectors.position(campaign)
        raw: dict[str, Any] = {"by": SEAT, "move": "end-slot"}
        for attack in position.running:
            if attack.status == "challenged":
                raw = {"by": SEAT, "move": "respond", "attack": attack.id, "choice": "accept"}
        seen = selectors.seen(campaign, campaign.founder)
        services.play(campaign, campaign.founder, raw, seen)
        campaign = play_on(campaign)
    return campaign


@pytest.fixture
def begun(person: Callable[..., Any]) -> Campaign:
    """Return a campaign of three peoples and one turn against two programs."""
    return practice.begin(
        person("Ada"),
        "grand_campaign",
        {**SMALL, "turns": 1},
        SEAT,
        "cautious",
        levels={"picts": "bold"},
        options={"external_attacks": True},
        seed="7" * 64,
    )


@pytest.fixture
def ended(begun: Campaign) -> Campaign:
    return played_to_the_end(begun)


def client_of(campaign: Campaign) -> Client:
    client = Client()
    client.force_login(campaign.founder)
    return client


def first_position(campaign: Campaign) -> dict[str, Any]:
    """Return the position after the first move of the campaign, with hands and events."""
    moves = positions.moves_in_force(campaign)
    assert moves[0].content["move"] == "start"
    state: dict[str, Any] = campaign.game.state(history.after(campaign, 1))
    return state


def again(campaign: Campaign, way: str) -> Campaign:
    """Press a button at the end of the campaign and return the new campaign."""
    answer = client_of(campaign).post(f"/c/{campaign.address}/about/", {"do": way})
    new = Campaign.objects.order_by("-pk")[0]
    assert new.pk != campaign.pk
    assert answer["Location"] == f"/c/{new.address}/"
    return new


def test_the_end_for_the_player_and_for_a_visitor(ended: Campaign) -> None:
    home = f"/c/{ended.address}/"
    own = words(client_of(ended).get(home).content.decode())
    assert "The campaign has ended after turn 1" in own
    for part in (
        (
            "Play again with new dice You get the same scenario, the same nation and the same"
            " opponents at the same levels, and no one knows the new dice."
        ),
        (
            "Play again with the same start You get the same nation, the same opponents and the"
            " same dice: the first hands and events are the same. You know these dice now, so the"
            " campaign is practice and counts nowhere."
        ),
        "Final standings Place 1",
        "The story of the campaign",
        "Victory points before the final scoring Provinces Income",
        "The dice and their proofs Audit pack (zip)",
        "March on Rome Tetrarchia History of the Roman Empire",
    ):
        assert part in own
    visitor = words(Client().get(home).content.decode())
    assert "Final standings Place 1" in visitor
    assert "Play again" not in visitor
    assert "You " not in visitor.split("Final standings")[0]


def test_before_the_end_there_is_neither_page_nor_button(begun: Campaign) -> None:
    campaign = play_on(begun)
    text = words(client_of(campaign).get(f"/c/{campaign.address}/").content.decode())
    assert "Final standings" not in text
    assert "Play again" not in text
    for way in ("again", "again-new"):
        client_of(campaign).post(f"/c/{campaign.address}/about/", {"do": way})
    with pytest.raises(Refused, match="played it to its end"):
        practice.begin_again(campaign, campaign.founder, same_dice=False)
    assert Campaign.objects.count() == 1


def test_the_same_start_has_the_same_dice_and_counts_nowhere(ended: Campaign) -> None:
    new = again(ended, "again")
    assert new.name == "Practice (same dice)"
    assert (new.programs, new.commitment) == (ended.programs, ended.commitment)
    assert first_position(new) == first_position(ended)
    assert new.retried
    assert not status.may_enter(new)
    assert status.may_enter(ended)
    # The same moves have the same consequences to the end. The name of a third game says only once
    # that the dice are the same.
    second = played_to_the_end(new)
    assert selectors.position(second).standings == selectors.position(ended).standings
    assert list(differences(second)) == []
    Campaign.objects.filter(pk__in=(ended.pk, second.pk)).update(visibility="listed")
    assert [finished.campaign.pk for finished in status.best("grand_campaign")] == [ended.pk]
    assert again(second, "again").name == "Practice (same dice)"


def test_new_dice_differ(ended: Campaign) -> None:
    new = again(ended, "again-new")
    assert (new.name, new.programs, new.retried) == ("Practice", ended.programs, False)
    assert selectors.terms(new) == selectors.terms(ended)
    assert new.commitment != ended.commitment
    assert status.may_enter(new)
    held = {place.seat for place in new.memberships.filter(until=None, role="seat")}
    assert held == {SEAT}


def test_only_the_player_begins_again(ended: Campaign, person: Callable[..., Any]) -> None:
    client = Client()
    client.force_login(person("Bo"))
    for way in ("again", "again-new"):
        client.post(f"/c/{ended.address}/about/", {"do": way})
    assert Campaign.objects.count() == 1


def test_the_end_asks_the_database_at_most_twelve_times(ended: Campaign) -> None:
    client, home = client_of(ended), f"/c/{ended.address}/"
    client.get(home)
    with CaptureQueriesContext(connection) as queries:
        client.get(home)
    assert len(queries) <= 12

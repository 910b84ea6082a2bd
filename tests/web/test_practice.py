"""Practice: one person among programs, from the founding to the end of the campaign."""

from __future__ import annotations

import html
import re
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from campaign import practice, services
from campaign.errors import Refused
from campaign.log import selectors
from campaign.models import Campaign
from games.grand_campaign.bots import fought

pytestmark = pytest.mark.django_db

HOME = "/practice/grand_campaign/"


def text(answer: Any) -> str:
    page = re.sub(r"<(script|style|svg).*?</\1>", " ", answer.content.decode(), flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


def begun(client: Client, **changes: str) -> Campaign:
    form = {"begin": "1", "scenario": "420ad", "seat": "huns", "level": "cautious", "battles": "model", **changes}
    answer = client.post(HOME, form)
    assert answer.status_code == 303, text(answer)[200:900]
    return Campaign.objects.get()


def test_a_guest_plays_a_campaign_to_its_end(client: Client) -> None:
    page = text(client.get(HOME))
    assert "You play as a guest." in page
    assert "Careless" in page
    campaign = begun(client)
    assert (campaign.name, campaign.turn, campaign.programs[:9]) == ("Practice: 420 AD Grand Campaign", 1, '{"seats":')
    user = campaign.founder
    assert user.guest
    for _slot in range(6):
        while practice.advance(campaign.pk):
            pass
        campaign.refresh_from_db()
        if campaign.ended:
            break
        assert campaign.active_seat == "huns"
        assert practice.next_move(campaign) is None
        assert client.get(f"/c/{campaign.address}/").status_code == 200
        services.play(campaign, user, {"by": "huns", "move": "end-slot"}, selectors.seen(campaign, user))
    while practice.advance(campaign.pk):
        pass
    campaign.refresh_from_db()
    assert (campaign.turn, campaign.phase, campaign.ended) == (6, "finished", True)
    assert len(selectors.position(campaign).standings) == 6


def test_what_one_sees_at_the_table(client: Client) -> None:
    campaign = begun(client)
    user = campaign.founder
    while practice.advance(campaign.pk):
        pass
    campaign.refresh_from_db()
    services.play(campaign, user, {"by": "huns", "move": "build", "structure": "hamlets"}, selectors.seen(campaign, user))
    home = f"/c/{campaign.address}/"
    page = text(client.get(home))
    assert "practice against programs" in page
    assert "The film since your last move" in page
    assert "by a program" in text(client.get(f"{home}log/"))
    about = text(client.get(f"{home}about/"))
    assert "Hephtalites program Huns" in about
    assert "Wait for a seat" not in text(Client().get(f"{home}about/"))
    with pytest.raises(Refused, match="programs hold the other seats"):
        services.invite(campaign, user, "romans")
    assert user.notices.count() == 0


def test_battles_by_hand_wait_for_their_result(client: Client) -> None:
    """Nine powers, and the person attacks: the programs wait until both percentages are entered."""
    campaign = begun(client, scenario="240bc", seat="rome", level="cautious", battles="hand")
    assert len(practice.seats_of(campaign)) == 8
    user = campaign.founder
    while practice.advance(campaign.pk):
        pass
    campaign.refresh_from_db()
    position = selectors.position(campaign)
    fighting = [one for one in position.running if one.status == "fighting"]
    if position.slot == "rome" and not fighting:
        raw = {"by": "rome", "move": "attack", "kind": "land", "from": "italia-annonaria", "target": "noricum"}
        services.play(campaign, user, raw, selectors.seen(campaign, user))
        campaign.refresh_from_db()
    assert [one.status for one in selectors.position(campaign).running] == ["fighting"]
    assert practice.next_move(campaign) is None
    (attack,) = selectors.position(campaign).running
    result = fought(attack, Random(3))
    services.play(campaign, user, result, selectors.seen(campaign, user))
    campaign.refresh_from_db()
    assert selectors.position(campaign).running == []


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"seat": "gauls"}, "Choose a nation."),
        ({"level": "perfect"}, "Choose how well the programs play."),
        ({"battles": "lots"}, "Choose how your battles are decided."),
    ],
)
def test_what_is_not_known_is_asked_again(client: Client, changes: dict[str, str], why: str) -> None:
    form = {"begin": "1", "scenario": "420ad", "seat": "huns", "level": "cautious", "battles": "model", **changes}
    answer = client.post(HOME, form)
    assert (answer.status_code, Campaign.objects.count()) == (422, 0)
    assert why in text(answer)
    assert client.get(f"{HOME}?scenario=atlantis").status_code == 404
    assert client.get("/practice/march_on_rome/").status_code == 404


def test_the_pulse_plays_on_where_no_worker_does(client: Client) -> None:
    campaign = begun(client)
    number = campaign.last_number
    moved = 0
    while practice.waits(Campaign.objects.get()) and moved < 20:
        moved += practice.tick(timezone.now(), 5)
    campaign.refresh_from_db()
    assert campaign.last_number > number or campaign.active_seat == "huns"
    assert not practice.waits(campaign)

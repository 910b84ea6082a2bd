"""Practice: one person among programs, from the founding to the end of the campaign."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.test import Client

from campaign import practice, services
from campaign.log import selectors
from campaign.models import Campaign

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

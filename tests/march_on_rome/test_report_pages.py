"""The pages of a real reign's reports: a year, the chronicle, the end."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from django.test import Client

from campaign import services
from campaign.log import positions, selectors
from campaign.models import Campaign
from games.march_on_rome.bots.players import sensible

pytestmark = pytest.mark.django_db


def reign(person: Callable[..., Any], years: int) -> tuple[Campaign, Any]:
    """Return a reign of Drusus, played by program until year `years` ends or the reign is over."""
    user = person("Marozia")
    scenario = {"key": "standard", "general": "Drusus <b>"}
    campaign = services.found_campaign(user, "march_on_rome", "The march", scenario, seed="2" * 64)
    while True:
        position = positions.current(campaign)
        raw = sensible(position, Random(0))
        if raw is None or (position.turn > years and position.phase == "pc"):
            return campaign, user
        services.play(campaign, user, {"by": "pc", **raw}, selectors.seen(campaign, user))
        campaign.refresh_from_db()


def test_a_reign_has_its_report_pages(person: Callable[..., Any]) -> None:
    campaign, user = reign(person, 2)
    client = Client()
    client.force_login(user)
    home = f"/c/{campaign.address}/reports/"
    contents = client.get(home).content.decode()
    for key, words in (
        (
            "year-1",
            (
                "The march: year 1",
                "declared for Drusus &lt;b&gt;;",
                "Step by step",
                "Holders",
                "Dice",
            ),
        ),
        ("chronicle", ("The march: the chronicle of the reign", "declared for Drusus &lt;b&gt;;")),
    ):
        assert f"{home}{key}/" in contents
        page = client.get(f"{home}{key}/")
        assert page.status_code == 200
        text = page.content.decode()
        for word in words:
            assert word in text, word
        assert "Drusus <b>" not in text
    assert client.get(f"{home}final/").status_code == (200 if campaign.ended else 404)

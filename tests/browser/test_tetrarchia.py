"""Tetrarchia as one plays it: every moment of the page wide and narrow, and a round without script on a phone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from campaign import services
from campaign.log import selectors
from campaign.models import Campaign
from games.tetrarchia.bots import sensible
from tests.browser.axe import SHIFTS, Looker, looker  # noqa: F401
from tests.browser.steady import resize

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MOMENTS: dict[str, Callable[[Any], bool]] = {
    "fleets": lambda p: p.phase == "fleets",
    "enter": lambda p: p.can_enter,
    "attack": lambda p: p.phase == "roman" and any(p.at in near for near in map(near_of, p.barbarians)),
    "over": lambda p: p.phase == "over",
}


def near_of(space: str) -> set[str]:
    from games.tetrarchia.rules.board import LINKS

    return set(LINKS[space])


def played(user: Any, there: Callable[[Any], bool]) -> str:
    campaign = services.found_campaign(user, "tetrarchia", "The night of the four", "standard", {}, seed="b" * 64)
    while not there(position := selectors.position(campaign)):
        raw = sensible(position)
        assert raw is not None
        campaign = services.play(campaign, user, {"by": "tetrarchy", **raw}, selectors.seen(campaign, user)).campaign
    return f"/c/{campaign.address}/"


def test_every_moment_wide_and_narrow(
    looker: Looker,  # noqa: F811
    person: Callable[..., Any],
) -> None:
    user = person("Shirin")
    homes = {name: played(user, there) for name, there in MOMENTS.items()}
    for name, home in homes.items():
        looker.visit("Shirin", home, whole=name == "attack")
    looker.visit("Shirin", homes["attack"] + "?at=roma", whole=False)
    page = looker.window("Shirin")
    resize(page, 320, 700)
    for name, home in homes.items():
        page.goto(home)
        assert page.evaluate(SHIFTS) <= 0, name


def test_a_round_on_a_phone_without_script(new_page: Callable[..., Any]) -> None:
    page = new_page(width=390, java_script_enabled=False)
    page.goto("/")
    page.get_by_role("button", name="Play Tetrarchia now").click()
    page.get_by_role("button", name="Place the fleets").click()
    for name in ("Diocletian", "Galerius", "Constantius", "Maximian"):
        page.get_by_role("heading", name=f"{name}’s turn").wait_for()
        for pressed in (page.get_by_role("button", name="Enter in ROMA"), page.locator(".goals__list button").first,
                        page.get_by_role("button", name="End the turn")):  # fmt: skip
            with page.expect_navigation():
                pressed.click()
            assert page.locator("[role=alert]").count() == 0
    page.get_by_role("heading", name="The barbarians after Maximian").wait_for()
    assert selectors.position(Campaign.objects.get()).round == 2

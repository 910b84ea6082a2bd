"""Tetrarchia in a browser: every moment wide and narrow, and a round without script on a phone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from campaign import services
from campaign.log import positions, selectors
from campaign.models import Campaign
from games.tetrarchia.bots.players import sensible
from tests.browser.axe import OVERFLOW_WIDTH, PageChecker, page_checker  # noqa: F401
from tests.browser.steady import resize

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MOMENTS: dict[str, Callable[[Any], bool]] = {
    "fleets": lambda p: p.phase == "fleets",
    "enter": lambda p: p.can_enter,
    "attack": lambda p: (
        p.phase == "roman" and any(p.at in near for near in map(near_of, p.barbarians))
    ),
    "over": lambda p: p.phase == "over",
}


def near_of(space: str) -> set[str]:
    from games.tetrarchia.rules.position import LINKS

    return set(LINKS[space])


def played(user: Any, there: Callable[[Any], bool]) -> str:
    campaign = services.found_campaign(
        user, "tetrarchia", "The night of the four", "standard", {}, seed="b" * 64
    )
    while not there(position := selectors.position(campaign)):
        raw = sensible(position)
        assert raw is not None
        campaign = services.play(
            campaign, user, {"by": "tetrarchy", **raw}, selectors.seen(campaign, user)
        ).campaign
    return f"/c/{campaign.address}/"


def test_every_moment_wide_and_narrow(
    page_checker: PageChecker,  # noqa: F811
    person: Callable[..., Any],
) -> None:
    user = person("Shirin")
    homes = {name: played(user, there) for name, there in MOMENTS.items()}
    for name, home in homes.items():
        page_checker.visit("Shirin", home, whole=name == "attack")
    page_checker.visit("Shirin", homes["attack"] + "?at=roma", whole=False)
    page = page_checker.window("Shirin")
    resize(page, 320, 700)
    for name, home in homes.items():
        page.goto(home)
        assert page.evaluate(OVERFLOW_WIDTH) <= 0, name


def test_a_round_on_a_phone_without_script(new_page: Callable[..., Any]) -> None:
    page = new_page(width=390, java_script_enabled=False)
    page.goto("/")
    page.get_by_role("button", name="Play Tetrarchia now").click()
    page.get_by_role("button", name="Place the fleets").click()
    for name in ("Diocletian", "Galerius", "Constantius", "Maximian"):
        page.get_by_role("heading", name=f"{name}’s turn").wait_for()
        for pressed in (
            page.get_by_role("button", name="Enter in ROMA"),
            page.locator(".goals__list button").first,
            page.get_by_role("button", name="End the turn"),
        ):
            with page.expect_navigation():
                pressed.click()
            assert page.locator("[role=alert]").count() == 0
    page.get_by_role("heading", name="The barbarians after Maximian").wait_for()
    assert selectors.position(Campaign.objects.get()).round == 2


@pytest.mark.parametrize("width", [1280, 390])
def test_a_turn_on_the_board(
    width: int,
    page_checker: PageChecker,  # noqa: F811
    person: Callable[..., Any],
) -> None:
    """Play by keys and by taps.

    Nothing is written before a die is rolled, one request sends everything, and a film shows it.
    """
    user = person("Shirin")
    home = played(user, lambda position: position.can_enter)
    campaign = Campaign.objects.get()
    page = page_checker.window("Shirin")
    resize(page, width, 844)
    requests: list[str] = []
    page.on(
        "request",
        lambda request: requests.append(request.url) if request.method == "POST" else None,
    )
    page.goto(home)
    bar = page.locator(".play-bar")
    bar.get_by_text("Diocletian enters the board").first.wait_for()
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    page.locator('[data-key="roma"]').focus()
    page.keyboard.press("Enter")
    bar.get_by_role("button", name="Enter in ROMA").wait_for()
    page.keyboard.press("Enter")
    bar.get_by_text("Diocletian in ROMA, 6 IP").first.wait_for()
    page.keyboard.press("z")
    bar.get_by_text("Diocletian enters the board").first.wait_for()
    bar.get_by_role("button", name="Enter in ROMA").click()
    bar.get_by_text("Diocletian in ROMA, 6 IP").first.wait_for()
    page.locator('[data-key="roma"]').focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    bar.get_by_role("button", name="March to").wait_for()
    page.keyboard.press("Escape")
    bar.get_by_text("Diocletian in ROMA, 6 IP").first.wait_for()
    page.keyboard.press("Enter")
    bar.get_by_role("button", name="March to").click()
    page.get_by_role("button", name="Take back").first.wait_for()
    assert [entry.content["move"] for entry in positions.moves_in_force(campaign)] == [
        "begin",
        "place_fleets",
    ]
    planned = len(requests)
    with page.expect_response("**/moves/"):
        bar.get_by_role("button", name="End the turn").click()
    page.locator(".film__say").wait_for()
    page.keyboard.press("End")
    bar.get_by_text("Galerius").first.wait_for()
    assert len(requests) - planned == 1
    assert [entry.content["move"] for entry in positions.moves_in_force(campaign)][2:] == [
        "enter",
        "move",
        "end_turn",
    ]
    page.locator("#h-film").wait_for(state="visible" if width == 1280 else "attached")
    page_checker.check(page, f"the board in play, {width}", whole=False)

"""A guest plays a practice campaign to its end with what the pages offer."""

from __future__ import annotations

import re
from typing import Any

import pytest

from campaign import practice
from campaign.models import Campaign
from tests.browser.steady import wait_until, wait_until_settled

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
MOST = 60
"""More answers and slots than one nation has in a campaign."""


def programs_play() -> Campaign:
    """Make the programs' moves here, because no worker runs beside the browser."""
    campaign = Campaign.objects.get()
    while practice.advance(campaign.pk):
        pass
    return Campaign.objects.get()


def play_on(page: Any) -> None:
    """Do what the page asks for: answer a challenge, otherwise build and end the slot.

    The film of what follows is open afterwards.
    """
    answers = page.locator("#answers .chal").first
    if answers.count():
        folded = answers.locator("summary.button", has_text="Accept")
        if folded.count():
            folded.first.click()
        answers.get_by_role("button", name=re.compile("^Accept")).first.click()
        confirm = page.locator(".ask .button--primary")
        wait_until(page, "location.pathname.endsWith('/film/') || document.querySelector('.ask')")
        if confirm.count():
            confirm.click()
        page.wait_for_url("**/history/film/**")
        return
    build = page.get_by_role(
        "button", name=re.compile("^Build it.* (Hamlets|Villages|Shrines|Temples|Bridges|Roads)")
    )
    if build.count():
        build.first.click()
        page.locator(".toast").first.wait_for()
        wait_until_settled(page)
    asks = page.get_by_role("button", name=re.compile("^End turn")).locator("visible=true").first
    lapses = "…" in asks.inner_text()
    asks.click()
    if lapses:
        page.get_by_role("heading", name="End turn?").wait_for()
        wait_until_settled(page)
        page.get_by_role("button", name="End turn", exact=True).click()
    page.wait_for_url("**/history/film/**")


def first_button(page: Any) -> float:
    """Return the lower edge of the first button of a move or of an answer."""
    button = page.locator("#answers .button, .moves .move__do .button").locator("visible=true")
    box = button.first.bounding_box()
    return float(box["y"] + box["height"])


@pytest.mark.parametrize("width", [390, pytest.param(1280, marks=pytest.mark.nightly)])
def test_a_guest_plays_six_turns_among_programs(new_page: Any, width: int) -> None:
    page = new_page(width=width)
    page.goto("/")
    page.get_by_role("link", name=re.compile("Practise")).first.click()
    page.get_by_role("radio", name="Huns").check()
    page.get_by_label("Program that plays the Romans").select_option("Cunning")
    page.get_by_role("button", name="Begin", exact=True).click()
    page.wait_for_url("**/c/**")
    home = f"/c/{Campaign.objects.get().address}/"

    asked = 0
    while not (campaign := programs_play()).ended:
        asked += 1
        assert asked < MOST, "the campaign does not end"
        # After it was skipped, the film goes by itself to what has to be decided.
        page.get_by_role("button", name="Skip").click()
        page.wait_for_url("**/n/huns/**")
        wait_until_settled(page)
        assert first_button(page) < page.viewport_size["height"], "the moves are below the fold"
        news = page.locator("#live").evaluate("live => getComputedStyle(live).position")
        assert news == "static", "the news may cover a button"
        play_on(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert (campaign.turn, campaign.phase) == (6, "finished")
    page.goto(home)
    page.get_by_text(
        re.compile("Final standings|has won|have won|shared victory", re.IGNORECASE)
    ).first.wait_for()

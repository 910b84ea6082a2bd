"""The history in a browser.

Slider by keyboard, film, back and forward, less motion, wide and narrow.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.laid_out import create_demonstration
from tests.browser.steady import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WATCH = """() => {
    const player = document.querySelector('#player'), button = player.querySelector('[data-play]');
    window.film = [];
    new MutationObserver(() => window.film.push(
        `${button.getAttribute('aria-pressed') === 'true' ? 'runs' : 'rests'}: ${player.querySelector('[role=status]').innerText}`
    )).observe(player, {subtree: true, childList: true, attributes: true});
}"""  # noqa: E501
"""A script that keeps the sentences of the player, because a film does not wait for the test."""
CHANGED = (
    "[...document.querySelectorAll('.m-changed')].map(one =>"
    " one.getAttribute('href').split('#')[1])"
)


@pytest.fixture
def home() -> str:
    return f"/c/{create_demonstration().address}/history/"


@pytest.mark.parametrize("width", [1280, 390])
def test_the_slider_and_the_film(new_page: Callable[..., Any], home: str, width: int) -> None:
    page = new_page(width=width)
    page.emulate_media(reduced_motion="no-preference")
    page.goto(home + "?at=31")
    asked: list[str] = []
    page.on(
        "request",
        lambda one: asked.append(one.url) if one.headers.get("hx-target") == "moment" else None,
    )
    slider, now = page.get_by_label("Entry of the log"), page.get_by_role("status")
    page.evaluate("document.querySelector('.map__world').dataset.mine = 'kept'")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(now).to_contain_text("enters the result of #1 Margiana")
    expect(page.get_by_role("heading", name="Standings after entry 32")).to_be_visible()
    assert page.evaluate(CHANGED) == ["o-margiana"]
    assert (
        page.locator("use.m-prov[href$='#o-margiana']").get_attribute("data-nation")
        == "hephtalites"
    )
    assert (
        page.evaluate("document.querySelector('.m-prov').namespaceURI")
        == "http://www.w3.org/2000/svg"
    )
    assert page.evaluate("document.querySelector('.map__world').dataset.mine") == "kept"
    assert slider.get_attribute("aria-valuetext") == "Entry 32"
    expect(page).to_have_url(re.compile(r"\?at=32$"))
    expect(page).to_have_title(re.compile("^History, entry 32 · "))
    assert len(asked) == 1

    page.keyboard.press("PageUp")
    expect(now).to_contain_text("Turn 1 to its end, entry 43")
    expect(page.get_by_role("link", name="Turn 1", exact=True)).to_have_attribute(
        "aria-current", "true"
    )
    expect(page).to_have_url(re.compile(r"at=43&by=turns$"))
    page.get_by_role("link", name="One entry forward").click()
    expect(now).to_contain_text("44 Game master opens the next turn")

    page.get_by_role("link", name="First entry").click()
    expect(page.get_by_role("heading", name="Standings after entry 0")).to_be_visible()
    expect(slider).to_be_focused()  # the button has no target now
    page.get_by_label("Speed").select_option("fast")
    slider.focus()
    page.evaluate(WATCH)
    page.keyboard.press("Space")
    wait_until(
        page,
        "window.film.length > 1 && window.film.at(-1).startsWith('rests: Turn 2 so far')",
    )
    shown = iter(page.evaluate("window.film"))
    for stop in ("Before the start", "Turn 1", "Turn 2 so far"):
        assert any(line.startswith(f"runs: {stop}") for line in shown), stop
    expect(page.get_by_role("button", name="Play the film")).to_have_attribute(
        "aria-pressed", "false"
    )
    expect(page).to_have_url(re.compile(r"\?at=55&by=turns$"))
    page.go_back()
    expect(now).not_to_contain_text("Turn 2 as far")
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_with_less_motion_nothing_moves_by_itself(new_page: Callable[..., Any], home: str) -> None:
    page = new_page()
    page.clock.install()
    page.goto(home + "?at=31")
    expect(page.get_by_text("Your device asks for reduced motion")).to_be_visible()
    assert not page.get_by_role("button", name="Play the film").is_visible()
    slider = page.get_by_label("Entry of the log")
    slider.focus()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("status")).to_contain_text("Margiana")
    page.clock.run_for(10_000)
    assert slider.input_value() == "33"

"""Each lesson walked by who does only what its note says, and its pages held to axe."""

from __future__ import annotations

import re
from typing import Any

import pytest

from campaign import practice
from campaign.models import Campaign
from tests.browser.axe import Looker, looker
from tests.browser.steady import settled, until

__all__ = ["looker"]

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
STILL = "() => !document.body.classList.contains('is-film') && !document.querySelector('.play-bar[aria-busy=true]')"


def begin(page: Any, title: str) -> None:
    page.goto(f"/learn/{title}/")
    page.get_by_role("button", name="Begin the lesson").click()
    page.wait_for_url("**/c/**")


def step(page: Any, number: int) -> None:
    """The note asks for this step, beside its thing: neither over it nor over the bar."""
    until(page, f"(document.querySelector('.lesson__far')?.textContent ?? '').includes('Step {number} of')")
    until(page, "!document.body.classList.contains('is-film')")
    over = page.evaluate(
        """() => { const box = (one) => one.getBoundingClientRect(), note = document.querySelector('#lesson.is-beside');
        if (!note) return [];
        const hit = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
        return [note.dataset.beside, '.play-bar'].filter((thing) => hit(box(note), box(document.querySelector(thing)))); }"""
    )
    assert over == [], f"step {number}"


def press(page: Any, name: str) -> None:
    page.locator(".play-bar").get_by_role("button", name=re.compile(name)).first.click()


def tap(page: Any, key: str) -> None:
    """By keys, as the note says one may."""
    page.locator(f'[data-key="{key}"]').focus()
    page.keyboard.press("Enter")


def skip(page: Any) -> None:
    """The film, if one runs."""
    button = page.locator("[data-film=skip]")
    if button.is_visible():
        button.click()


def test_tetrarchia(looker: Looker) -> None:
    page = looker.window("")
    begin(page, "tetrarchia")
    step(page, 1)
    looker.look(page, "lesson")
    press(page, "Place the fleets")
    step(page, 2)
    press(page, "Enter in BITHYNIA")
    step(page, 3)
    tap(page, "asia")
    tap(page, "asia")
    step(page, 4)
    press(page, "Remove the Revolt")
    step(page, 5)
    press(page, "Secure ASIA")
    step(page, 6)
    press(page, "End the turn")
    step(page, 7)
    press(page, "Enter in PANNONIA")
    step(page, 8)
    tap(page, "dacia")
    tap(page, "dacia")
    step(page, 9)
    campaign = Campaign.objects.get()
    assert (campaign.lesson, campaign.visibility) == ("guided", "unlisted")
    page.get_by_role("button", name="Leave the guide").click()
    page.get_by_role("button", name="Show me the steps again").wait_for()

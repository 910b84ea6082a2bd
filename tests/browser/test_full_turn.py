"""Seven people who know only the forum play a whole turn, each in a window of his own."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.browser.steady import settled

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PLAYERS = {
    "Hephtalites": "Tomasz",
    "Huns": "Ingrid",
    "Kushans": "Devika",
    "Romans": "Benedetto",
    "Sassanids": "Shirin",
    "Vandals": "Owen",
}
PASSWORD = "correct horse battery"


def sign_up(page: Any, name: str) -> None:
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("E-mail").fill(f"{name.lower()}@example.org")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password, again").fill(PASSWORD)
    page.get_by_role("button", name="Make the account").click()
    page.get_by_role("link", name=name).first.wait_for()


def found(page: Any) -> str:
    """Marozia founds the campaign; its address."""
    page.goto("/")
    page.get_by_role("link", name="Make an account").click()
    sign_up(page, "Marozia")
    page.goto("/found/")
    page.get_by_label("Name of the campaign").fill("The Seven")
    page.get_by_role("button", name="Found the campaign").click()
    page.get_by_role("heading", name="The Seven").wait_for()
    return str(page.evaluate("location.pathname"))


def invite(page: Any, home: str, nation: str) -> str:
    """A link to one seat."""
    page.goto(home + "seats/")
    row = page.locator(".seat-list li", has_text=nation).first
    row.get_by_role("button", name="Make a link").click()
    return str(page.get_by_label("Invitation link").input_value())


def sit_down(page: Any, link: str, name: str) -> None:
    page.goto(link)
    page.get_by_label("Name at the table").fill(name)
    page.get_by_label("E-mail").fill(f"{name.lower()}@example.org")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Create an account and take the seat").click()
    page.get_by_text("The Seven").first.wait_for()


def slot_of(page: Any, home: str) -> str | None:
    """The nation that plays now, by the ribbon; None if nobody does."""
    page.goto(home)
    now = page.locator(".order .is-now .order__full")
    return str(now.inner_text()) if now.count() else None


def play_slot(page: Any, home: str, nation: str) -> bool:
    """Build the first thing that can be built, attack by land if that is possible, end the slot. Was there an attack?"""
    page.goto(f"{home}n/{nation.lower()}/")
    page.get_by_role("button", name=re.compile("Announce.* (Gymnasia|Hamlets)")).click()
    page.locator(".toast", has_text=re.compile("Gymnasia|Hamlets")).wait_for()
    settled(page)
    attacks = page.locator("#o-attack-land, li.move", has_text="Land attack").first.get_by_role("link", name="Choose…")
    attacked = attacks.count() > 0
    if attacked:
        attacks.click()
        page.get_by_label("Target").wait_for()
        settled(page)
        page.get_by_role("button", name="Announce the attack").click()
        page.locator(".toast", has_text="attack").wait_for()
    settled(page)
    asks = page.get_by_role("button", name=re.compile("^End slot")).first
    lapses = "…" in asks.inner_text()
    asks.click()
    if lapses:
        page.get_by_role("heading", name="End slot?").wait_for()
        settled(page)
        page.get_by_role("button", name="End slot", exact=True).click()
    page.locator(".toast", has_text=re.compile("slot", re.IGNORECASE)).wait_for()
    return attacked


def test_seven_people_play_a_turn(new_page: Any) -> None:
    master = new_page()
    home = found(master)
    windows = {}
    for nation, name in PLAYERS.items():
        link = invite(master, home, nation)
        windows[nation] = new_page(width=390 if nation in ("Huns", "Vandals") else 1280)
        sit_down(windows[nation], link, name)

    master.goto(home + "desk/")
    with master.expect_navigation():
        master.get_by_role("button", name=re.compile("Start the campaign")).first.click()
    assert slot_of(master, home) in PLAYERS

    played = []
    while (nation := slot_of(master, home)) is not None:
        assert nation not in played, "a slot that was ended is open again"
        play_slot(windows[nation], home, nation)
        played.append(nation)
    assert sorted(played) == sorted(PLAYERS)

    for number in range(1, 7):
        master.goto(f"{home}b/{number}/")
        if not master.get_by_role("heading", name="Enter the result").count():
            break
        answer = master.get_by_text("waits for")
        if answer.count():
            defender = next(n for n in PLAYERS if master.locator(".side").nth(1).get_by_text(n).count())
            window = windows[defender]
            window.goto(f"{home}b/{number}/")
            window.get_by_label("Accept").check()
            with window.expect_navigation():
                window.get_by_role("button", name=re.compile("Answer")).first.click()
            master.goto(f"{home}b/{number}/")
        shares = master.locator(".fields--shares input")
        shares.nth(0).fill("20")
        shares.nth(1).fill("50")
        master.get_by_role("button", name="See what follows").click()
        master.get_by_role("button", name="Confirm the result").click()
        master.get_by_text("attacker won").first.wait_for()

    master.goto(home + "desk/")
    assert master.get_by_role("button", name="Open turn 2").is_enabled()
    master.goto(home + "reports/turn-1/?now=1")
    bbcode = master.locator(".code").first.text_content() or ""
    assert "[b]The Seven, turn 1 of 6[/b]" in bbcode
    for nation in PLAYERS:
        assert nation in bbcode
    master.get_by_role("button", name="Copy for phpBB").click()

    master.goto(home + "desk/")
    with master.expect_navigation():
        master.get_by_role("button", name="Open turn 2").click()
    assert slot_of(master, home) in PLAYERS
    master.get_by_text("turn 2 of 6").first.wait_for()

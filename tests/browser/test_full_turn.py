"""A whole turn of seven people who know only the forum, each in their own window.

The game master's clicks are counted.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from campaign.models import Campaign
from campaign.tasks import draw_picture
from tests.browser.steady import wait_until_settled

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
    page.get_by_label("Repeat the password").fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    page.get_by_role("link", name=name).first.wait_for()


def create_campaign(page: Any) -> str:
    """Let Marozia found the campaign, and return its address."""
    page.goto("/")
    page.get_by_role("link", name="Create an account").click()
    sign_up(page, "Marozia")
    page.goto("/found/")
    page.get_by_label("Name of the campaign").fill("The Seven")
    page.get_by_role("button", name="Create the campaign").click()
    page.wait_for_url("**/seats/")
    page.get_by_label("Invitation link").wait_for()
    return str(page.evaluate("location.pathname")).removesuffix("seats/")


def invite(page: Any, home: str, nation: str) -> str:
    """Create a link to one seat."""
    page.goto(home + "seats/")
    row = page.locator(".seat-list li", has_text=nation).first
    row.get_by_role("button", name="Create a link").click()
    return str(page.get_by_label("Invitation link").input_value())


def take_seat(page: Any, link: str, name: str) -> None:
    page.goto(link)
    page.get_by_label("Name at the table").fill(name)
    page.get_by_label("E-mail").fill(f"{name.lower()}@example.org")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Create an account and take the seat").click()
    page.get_by_text("The Seven").first.wait_for()


def current_slot(page: Any, home: str) -> str | None:
    """Return the nation that plays now, by the ribbon; None if there is none."""
    page.goto(home)
    now = page.locator(".order .is-now .order__full")
    return str(now.inner_text()) if now.count() else None


def play_slot(page: Any, home: str, nation: str) -> bool:
    """Build, attack by land if possible, end the slot, and return whether there was an attack.

    The building is the first that is offered.
    """
    page.goto(f"{home}n/{nation.lower()}/")
    page.get_by_role("button", name=re.compile("Announce.* (Gymnasia|Hamlets)")).click()
    page.locator(".toast", has_text=re.compile("Gymnasia|Hamlets")).wait_for()
    wait_until_settled(page)
    attacks = page.locator("#o-attack-land, li.move", has_text="Land attack").first.get_by_role(
        "link", name="Choose…"
    )
    attacked = attacks.count() > 0
    if attacked:
        attacks.click()
        page.get_by_label("Target").wait_for()
        wait_until_settled(page)
        page.get_by_role("button", name="Announce the attack").click()
        page.locator(".toast", has_text="attack").wait_for()
    wait_until_settled(page)
    asks = page.get_by_role("button", name=re.compile("^End turn")).first
    lapses = "…" in asks.inner_text()
    asks.click()
    if lapses:
        page.get_by_role("heading", name="End turn?").wait_for()
        wait_until_settled(page)
        page.get_by_role("button", name="End turn", exact=True).click()
    page.locator(".toast", has_text=re.compile("turn", re.IGNORECASE)).wait_for()
    return attacked


THREAD = "https://forum.example/viewtopic.php?t=7"


def count_clicks(page: Any) -> list[str]:
    """Count what a person clicks in this window from now on, by its text.

    A form sent by Enter has no click.
    """
    clicks: list[str] = []
    page.expose_function("clicked", lambda text: clicks.append(text))
    page.add_init_script(
        "addEventListener('click', e => e.isTrusted && e.detail &&"
        " window.clicked(e.target.textContent.trim()), true)"
    )
    return clicks


def draw_waiting_map() -> None:
    """Draw the waiting map here, because no worker runs beside the browser."""
    campaign = Campaign.objects.get()
    draw_picture(campaign.pk, campaign.entries.exclude(number=None).latest("number").number, "en")


def test_seven_people_play_a_turn(new_page: Any) -> None:
    """From the founding to the posted report of turn 1.

    After the seats are filled it takes at most 25 clicks and one copy.
    """
    master = new_page()
    home = create_campaign(master)
    windows = {}
    for nation, name in PLAYERS.items():
        link = invite(master, home, nation)
        windows[nation] = new_page(width=390 if nation in ("Huns", "Vandals") else 1280)
        take_seat(windows[nation], link, name)

    clicks = count_clicks(master)
    master.goto(home)
    master.get_by_role("link", name="Desk").first.click()
    master.get_by_role("button", name=re.compile("Start the campaign")).first.click()
    # The announcement has not been posted, so the desk asks once.
    master.get_by_role("button", name="Start without the announcement").click()
    master.get_by_text("turn 1 of 6").first.wait_for()

    played, attacks = [], 0
    looker = windows["Romans"]
    while (nation := current_slot(looker, home)) is not None:
        assert nation not in played, "a slot that was ended is open again"
        attacks += play_slot(windows[nation], home, nation)
        played.append(nation)
    assert sorted(played) == sorted(PLAYERS)
    for number in range(1, attacks + 1):
        for window in windows.values():
            window.goto(f"{home}b/{number}/")
            if window.get_by_label("Accept").count():
                window.get_by_label("Accept").check()
                with window.expect_navigation():
                    window.get_by_role("button", name=re.compile("Answer")).first.click()
                break

    master.goto(home)
    master.get_by_role("link", name="Desk").first.click()
    percentages = master.locator(".results .input--pct")
    expect(percentages).to_have_count(2 * attacks)
    for field in percentages.all():
        field.click()
        field.fill("20" if (field.get_attribute("name") or "").startswith("a") else "50")
    master.keyboard.press("Tab")
    if attacks:
        apply = master.locator("#results-do button")
        expect(apply).to_have_text(re.compile(f"^Apply {attacks} results?$"))
        apply.click()
        master.get_by_text("No battle is running.").wait_for()
    master.get_by_role("link", name="Outbox").first.click()
    master.get_by_label("Address of the thread").click()
    master.get_by_label("Address of the thread").fill(THREAD)
    master.keyboard.press("Enter")
    copy = master.get_by_role("button", name=re.compile("^Copy")).first
    master.get_by_role("button", name="The map is being drawn…").wait_for()
    draw_waiting_map()
    copy.wait_for()
    assert master.locator("#h-next").inner_text() == "Next to post: Turn 1 report"
    copy.click()
    wait_until_settled(master)
    link = master.get_by_label("Link of the post").first
    link.click()
    link.fill(f"{THREAD}&p=2#p2")
    master.keyboard.press("Enter")
    copy.wait_for(state="detached")  # nothing more is due
    assert len(clicks) <= 25, clicks

    bbcode_page = windows["Romans"]
    bbcode_page.goto(home + "reports/turn-1/?now=1")
    bbcode = bbcode_page.locator(".code").first.text_content() or ""
    assert bbcode.startswith("Turn 1: the [color=")
    for nation in PLAYERS:
        assert nation in bbcode
    master.goto(home + "desk/")
    with master.expect_navigation():
        master.get_by_role("button", name="Open turn 2").click()
    master.get_by_text("turn 2 of 6").first.wait_for()
    assert current_slot(looker, home) in PLAYERS

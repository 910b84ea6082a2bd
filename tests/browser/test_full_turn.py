"""Seven people who know only the forum play a whole turn, each in their own window; the game
master's clicks are counted.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from campaign.models import Campaign
from campaign.tasks import draw_picture
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


def new_campaign(page: Any) -> str:
    """Marozia founds the campaign; its address."""
    page.goto("/")
    page.get_by_role("link", name="Make an account").click()
    sign_up(page, "Marozia")
    page.goto("/found/")
    page.get_by_label("Name of the campaign").fill("The Seven")
    page.get_by_role("button", name="Found the campaign").click()
    page.wait_for_url("**/seats/")
    page.get_by_label("Invitation link").wait_for()
    return str(page.evaluate("location.pathname")).removesuffix("seats/")


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
    """Build the first thing that can be built, attack by land if that is possible, end the slot.
    Was there an attack?
    """
    page.goto(f"{home}n/{nation.lower()}/")
    page.get_by_role("button", name=re.compile("Announce.* (Gymnasia|Hamlets)")).click()
    page.locator(".toast", has_text=re.compile("Gymnasia|Hamlets")).wait_for()
    settled(page)
    attacks = page.locator("#o-attack-land, li.move", has_text="Land attack").first.get_by_role(
        "link", name="Choose…"
    )
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


THREAD = "https://forum.example/viewtopic.php?t=7"


def counted(page: Any) -> list[str]:
    """From now on, what a person clicks in this window, by its text; who presses Enter in a form
    clicks nothing.
    """
    clicks: list[str] = []
    page.expose_function("clicked", lambda text: clicks.append(text))
    page.add_init_script(
        "addEventListener('click', e => e.isTrusted && e.detail &&"
        " window.clicked(e.target.textContent.trim()), true)"
    )
    return clicks


def worker_draws() -> None:
    """No worker runs beside the browser: the map that waits is drawn here."""
    campaign = Campaign.objects.get()
    draw_picture(campaign.pk, campaign.entries.exclude(number=None).latest("number").number, "en")


def test_seven_people_play_a_turn(new_page: Any) -> None:
    """From the founding to the posted report of turn 1: at most 25 clicks after the seats are
    filled, and one copy.
    """
    master = new_page()
    home = new_campaign(master)
    windows = {}
    for nation, name in PLAYERS.items():
        link = invite(master, home, nation)
        windows[nation] = new_page(width=390 if nation in ("Huns", "Vandals") else 1280)
        sit_down(windows[nation], link, name)

    clicks = counted(master)
    master.goto(home)
    master.get_by_role("link", name="Desk").first.click()
    master.get_by_role("button", name=re.compile("Start the campaign")).first.click()
    # The announcement has not been posted: the desk asks once.
    master.get_by_role("button", name="Start without the announcement").click()
    master.locator(".toast").first.wait_for()

    played, attacks = [], 0
    looker = windows["Romans"]
    while (nation := slot_of(looker, home)) is not None:
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
    for field in master.locator(".results .input--pct").all():
        field.click()
        field.fill("20" if (field.get_attribute("name") or "").startswith("a") else "50")
    master.keyboard.press("Tab")
    if attacks:
        master.get_by_role("button", name=re.compile(f"^Apply {attacks} results?$")).click()
        master.locator(".toast").first.wait_for()
    master.get_by_role("link", name="Outbox").first.click()
    master.get_by_label("Address of the thread").click()
    master.get_by_label("Address of the thread").fill(THREAD)
    master.keyboard.press("Enter")
    copy = master.get_by_role("button", name=re.compile("^Copy")).first
    master.get_by_role("button", name="The map is being drawn…").wait_for()
    worker_draws()
    copy.wait_for()
    assert master.locator("#h-next").inner_text() == "Next to post: Turn 1 report"
    copy.click()
    settled(master)
    link = master.get_by_label("Link of the post").first
    link.click()
    link.fill(f"{THREAD}&p=2#p2")
    master.keyboard.press("Enter")
    master.locator(".toast").first.wait_for()
    assert not copy.is_visible(), "nothing more is due"
    assert len(clicks) <= 25, clicks

    bbcode_page = windows["Romans"]
    bbcode_page.goto(home + "reports/turn-1/?now=1")
    bbcode = bbcode_page.locator(".code").first.text_content() or ""
    assert "[b]The Seven, turn 1 of 6[/b]" in bbcode
    for nation in PLAYERS:
        assert nation in bbcode
    master.goto(home + "desk/")
    with master.expect_navigation():
        master.get_by_role("button", name="Open turn 2").click()
    master.get_by_text("turn 2 of 6").first.wait_for()
    assert slot_of(looker, home) in PLAYERS

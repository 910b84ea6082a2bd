"""Talk and Press held to axe-core, on a phone and on a desk: a letter is written, read, quoted,
answered, reported.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from people.models import User
from talk import services
from talk.models import Message
from tests.browser.axe import Looker, looker
from tests.browser.laid_out import MASTER, NOBODY, PLAYER, RIVAL, demonstration
from tests.browser.steady import resize

__all__ = ["looker"]

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_letter_and_its_answer(looker: Looker) -> None:
    campaign = demonstration()
    home = f"/c/{campaign.address}/"
    rival = User.objects.get(username=RIVAL)
    services.write(
        campaign,
        rival,
        ["romans"],
        "*Peace* for two turns, see #44.\n\n> Where?\n\nOn the Danube.",
        quoted=44,
    )
    services.write(campaign, rival, ["*"], "Who fights #8 on Saturday?")
    page = looker.window(PLAYER)
    page.goto(home)
    resize(page, 390)
    tab = page.get_by_role("navigation", name="Campaign", exact=True).get_by_role(
        "link", name="Talk"
    )
    expect(tab).to_contain_text("2")
    tab.click()
    expect(page.get_by_role("heading", name="Threads")).to_be_visible()
    looker.look(page, "talk")
    resize(page, 390)
    page.locator(".talk__list a", has_text="Danube").click()
    expect(page.locator(".talk__quote")).to_contain_text("#44")
    looker.look(page, "thread")
    page.fill("#f-text", "Agreed.")
    page.get_by_role("button", name="Answer").click()
    page.wait_for_url("**#m2")
    assert Message.objects.latest("pk").text == "Agreed."
    looker.press(page.get_by_role("link", name="Report 1"), "reporting")
    page.fill("[name=reason]", "A threat.")
    page.get_by_role("button", name="Report it").click()
    page.get_by_text("Reported. You read here what comes of it.").first.wait_for()
    looker.look(page, "own reports")
    looker.visit(MASTER, home + "reported/")
    looker.visit(MASTER, home + "talk/?quote=44")
    page = looker.visit(PLAYER, home + "press/")
    page.fill("#f-headline", "Ravenna stands")
    page.fill("#f-text", "To all who count legions: count again.")
    page.get_by_role("button", name="Publish it").click()
    page.get_by_role("heading", name="Ravenna stands").wait_for()
    looker.visit(NOBODY, home + "press/")
    looker.visit(NOBODY, "/offline/")

"""Talk and press on phone and desktop, checked by axe-core: write, read, quote, answer, report."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from people.models import User
from talk import services
from talk.models import Message
from tests.browser.axe import PageChecker, page_checker
from tests.browser.laid_out import MASTER, NOBODY, PLAYER, RIVAL, create_demonstration
from tests.browser.steady import resize

__all__ = ["page_checker"]

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_letter_and_its_answer(page_checker: PageChecker) -> None:
    campaign = create_demonstration()
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
    page = page_checker.window(PLAYER)
    page.goto(home)
    resize(page, 390)
    tab = page.get_by_role("navigation", name="Campaign", exact=True).get_by_role(
        "link", name="Messages"
    )
    expect(tab).to_contain_text("2")
    tab.click()
    expect(page.get_by_role("heading", name="Threads")).to_be_visible()
    page_checker.check(page, "talk")
    resize(page, 390)
    page.locator(".talk__list a", has_text="Danube").click()
    expect(page.locator(".talk__quote")).to_contain_text("#44")
    page_checker.check(page, "thread")
    page.fill("#f-text", "Agreed.")
    page.get_by_role("button", name="Answer").click()
    page.wait_for_url("**#m2")
    assert Message.objects.latest("pk").text == "Agreed."
    page_checker.press_and_check(page.get_by_role("link", name="Report 1"), "reporting")
    page.fill("[name=reason]", "A threat.")
    page.get_by_role("button", name="Report it").click()
    page.get_by_text(
        "You have reported the text. You will find the decision here."
    ).first.wait_for()
    page_checker.check(page, "own reports")
    page_checker.visit(MASTER, home + "reported/")
    page_checker.visit(MASTER, home + "talk/?quote=44")
    page = page_checker.visit(PLAYER, home + "press/")
    page.fill("#f-headline", "Ravenna stands")
    page.fill("#f-text", "To all who count legions: count again.")
    page.get_by_role("button", name="Publish it").click()
    page.get_by_role("heading", name="Ravenna stands").wait_for()
    page_checker.visit(NOBODY, home + "press/")
    page_checker.visit(NOBODY, "/offline/")

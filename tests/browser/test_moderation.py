"""Reports, decisions of moderators, data export and leaving, checked by axe-core."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.hashers import make_password
from playwright.sync_api import expect

from campaign.log.talk import proclaim
from moderation import services
from people.models import User
from tests.browser.axe import PageChecker, page_checker
from tests.browser.laid_out import MASTER, NOBODY, PLAYER, RIVAL, create_demonstration

__all__ = ["page_checker"]

PASSWORD = "seven sheaves at Ravenna"

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_from_a_report_to_a_removal(page_checker: PageChecker, settings: Any) -> None:
    settings.CONTACT = "host@example.org"
    campaign = create_demonstration()
    home = f"/c/{campaign.address}/"
    User.objects.update(demo=False)
    rival, master = User.objects.get(username=RIVAL), User.objects.get(username=MASTER)
    entry = proclaim(campaign, rival, "To the Romans", "You are thieves, and your fathers were.")
    services.report(User.objects.get(username=PLAYER), "person", str(rival.pk), "A name to offend.")
    page = page_checker.visit(PLAYER, home + "press/")
    page.get_by_role("link", name="Report", exact=True).click()
    page.fill("[name=reason]", "An insult to a player.")
    page_checker.check(page, "report")
    page_checker.press_and_check(page.get_by_role("button", name="Report it"), "own reports")
    page_checker.visit(MASTER, home + "reported/")
    User.objects.filter(pk=master.pk).update(moderator=True, demo=False)
    page = page_checker.visit(MASTER, "/moderation/")
    row = page.get_by_role("article").filter(has_text="thieves")
    row.get_by_role("button", name="Remove the text").click()
    expect(row.get_by_role("alert")).to_contain_text("Give a reason")
    page_checker.check(page, "queue")
    row.get_by_label("Reason").fill("Insults a player.")
    row.get_by_role("button", name="Remove the text").click()
    page.get_by_text(
        "Your decision has been carried out. The person who reported the text is notified."
    ).first.wait_for()
    page_checker.check(page, "decided")
    page = page_checker.visit(NOBODY, home + "press/")
    expect(page.locator("main")).to_contain_text("Removed by the host’s moderator on")
    expect(page.locator("main")).not_to_contain_text("thieves")
    page_checker.visit(NOBODY, home + f"e/{entry.number}/")
    page = page_checker.visit(MASTER, "/moderation/invitations/")
    page.fill("[name=note]", "The club in Ravenna")
    page_checker.press_and_check(page.get_by_role("button", name="Create the link"), "link")


def test_blocks_and_leaving(page_checker: PageChecker, settings: Any) -> None:
    settings.CONTACT = "host@example.org"
    create_demonstration()
    User.objects.filter(username=PLAYER).update(demo=False, password=make_password(PASSWORD))
    page = page_checker.visit(PLAYER, "/me/blocks/")
    page.fill("[name=name]", "Nobody")
    page_checker.press_and_check(page.get_by_role("button", name="Block"), "wrong name")
    page.fill("[name=name]", RIVAL)
    page_checker.press_and_check(page.get_by_role("button", name="Block"), "blocked")
    page_checker.visit(PLAYER, "/me/")
    page = page_checker.visit(PLAYER, "/me/data/")
    page.get_by_label("Password").fill(PASSWORD)
    page_checker.press_and_check(page.get_by_role("button", name="Continue"), "confirmed")
    page_checker.press_and_check(
        page.get_by_role("button", name="Create the file"), "being created"
    )
    page = page_checker.visit(PLAYER, "/me/leave/")
    page_checker.press_and_check(
        page.get_by_role("button", name="Erase everything in 14 days"), "not confirmed"
    )
    for path in ("/terms/", "/privacy/", "/left/"):
        page_checker.visit(NOBODY, path)
    settings.SIGN_UP = "invited"
    page_checker.visit(NOBODY, "/sign-up/")
    settings.SIGN_UP = "open"
    page_checker.visit(NOBODY, "/sign-up/")
    page_checker.visit(NOBODY, "/invited/over/", status=410)
    settings.TERMS_ASK_AGAIN = True
    page = page_checker.visit(PLAYER, "/terms/agree/")
    page_checker.press_and_check(page.get_by_role("button", name="I agree"), "agreed")

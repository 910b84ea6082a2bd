"""What people report and moderators decide, what one takes along, how one leaves: held to axe-core
on a phone and on a desk.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.hashers import make_password
from playwright.sync_api import expect

from campaign.log.talk import proclaim
from moderation import services
from people.models import User
from tests.browser.axe import Looker, looker
from tests.browser.laid_out import MASTER, NOBODY, PLAYER, RIVAL, demonstration

__all__ = ["looker"]

PASSWORD = "seven sheaves at Ravenna"

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_from_a_report_to_a_removal(looker: Looker, settings: Any) -> None:
    settings.CONTACT = "host@example.org"
    campaign = demonstration()
    home = f"/c/{campaign.address}/"
    User.objects.update(demo=False)
    rival, master = User.objects.get(username=RIVAL), User.objects.get(username=MASTER)
    entry = proclaim(campaign, rival, "To the Romans", "You are thieves, and your fathers were.")
    services.report(User.objects.get(username=PLAYER), "person", str(rival.pk), "A name to offend.")
    page = looker.visit(PLAYER, home + "press/")
    page.get_by_role("link", name="Report", exact=True).click()
    page.fill("[name=reason]", "An insult to a player.")
    looker.look(page, "report")
    looker.press(page.get_by_role("button", name="Report it"), "own reports")
    looker.visit(MASTER, home + "reported/")
    User.objects.filter(pk=master.pk).update(moderator=True, demo=False)
    page = looker.visit(MASTER, "/moderation/")
    row = page.get_by_role("article").filter(has_text="thieves")
    row.get_by_role("button", name="Remove the text").click()
    expect(row.get_by_role("alert")).to_contain_text("Give the reason")
    looker.look(page, "queue")
    row.get_by_label("The reason").fill("Insults a player.")
    row.get_by_role("button", name="Remove the text").click()
    page.get_by_text("Decided. Who reported it is notified.").first.wait_for()
    looker.look(page, "decided")
    page = looker.visit(NOBODY, home + "press/")
    expect(page.locator("main")).to_contain_text("Removed by the host’s moderator on")
    expect(page.locator("main")).not_to_contain_text("thieves")
    looker.visit(NOBODY, home + f"e/{entry.number}/")
    page = looker.visit(MASTER, "/moderation/invitations/")
    page.fill("[name=note]", "The club in Ravenna")
    looker.press(page.get_by_role("button", name="Make the link"), "link")


def test_blocks_and_leaving(looker: Looker, settings: Any) -> None:
    settings.CONTACT = "host@example.org"
    demonstration()
    User.objects.filter(username=PLAYER).update(demo=False, password=make_password(PASSWORD))
    page = looker.visit(PLAYER, "/me/blocks/")
    page.fill("[name=name]", "Nobody")
    looker.press(page.get_by_role("button", name="Block"), "wrong name")
    page.fill("[name=name]", RIVAL)
    looker.press(page.get_by_role("button", name="Block"), "blocked")
    looker.visit(PLAYER, "/me/")
    page = looker.visit(PLAYER, "/me/data/")
    page.get_by_label("Password").fill(PASSWORD)
    looker.press(page.get_by_role("button", name="Go on"), "confirmed")
    looker.press(page.get_by_role("button", name="Make the file"), "being made")
    page = looker.visit(PLAYER, "/me/leave/")
    looker.press(page.get_by_role("button", name="Erase it all in 14 days"), "not confirmed")
    for path in ("/terms/", "/privacy/", "/left/"):
        looker.visit(NOBODY, path)
    settings.SIGN_UP = "invited"
    looker.visit(NOBODY, "/sign-up/")
    settings.SIGN_UP = "open"
    looker.visit(NOBODY, "/sign-up/")
    looker.visit(NOBODY, "/invited/over/", status=410)
    settings.TERMS_ASK_AGAIN = True
    page = looker.visit(PLAYER, "/terms/agree/")
    looker.press(page.get_by_role("button", name="I agree"), "agreed")

"""A plan on a phone by keyboard: composed, ordered, announced."""

from __future__ import annotations

from typing import Any

import pytest

from campaign import plans
from tests.browser.steady import wait_until, wait_until_settled
from tests.browser.test_touch import MISSED
from tests.web.grand_table import GrandTable, grand_table, new_campaign
from tests.web.play.test_plan import HUNS, SHRINES, TEMPLES, VILLAGES, announced, plan

__all__ = ["grand_table", "new_campaign"]

pytestmark = pytest.mark.browser


def test_a_plan_on_a_phone(live_server: Any, grand_table: GrandTable, new_page: Any) -> None:
    page = new_page(width=390, has_touch=True, is_mobile=True)
    cookie = grand_table.clients["hun"].cookies["sessionid"]
    page.context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": live_server.url}])
    names = page.locator(".plan .move__name")

    page.goto(f"{grand_table.home}n/huns/?open=fleet")
    page.locator("#form-o-fleet").get_by_role("button", name="Add to plan").click()
    page.wait_for_url("**/n/huns/")
    page.locator("#slot-plan .plan__step").wait_for()
    page.goto(grand_table.home + HUNS)
    page.locator("#o-build-religious button").click()
    names.get_by_text("Build Shrines").first.wait_for()
    wait_until_settled(page)
    page.locator("#o-build-religious").get_by_role("button", name="Add Temples").click()
    names.get_by_text("Build Temples").first.wait_for()
    wait_until_settled(page)
    assert [move["move"] for move in plan(grand_table).moves] == ["fleet", "build", "build"]
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.evaluate(MISSED) == []

    # Move it down twice by keyboard: the focus stays on the move, and the end is announced.
    page.locator(".plan__step").first.get_by_role("button", name="Later").focus()
    page.keyboard.press("Enter")
    wait_until(
        page, "document.querySelector('.plan .move__name').textContent.trim() === 'Build Shrines'"
    )
    wait_until(page, "document.activeElement.textContent.trim().startsWith('Later Build a fleet')")
    wait_until_settled(page)
    page.keyboard.press("Enter")
    wait_until(page, "document.activeElement.textContent.trim().endsWith('is now last.')")
    assert names.all_inner_texts()[:2] == ["Build Shrines", "Build Temples"]
    assert plan(grand_table).moves[:2] == [SHRINES, TEMPLES]

    page.locator(".plan__step").last.get_by_role("link", name="Change").click()
    page.wait_for_selector(".plan__step.is-open select:focus")
    wait_until_settled(page)
    page.get_by_role("button", name="Leave the move as it is").click()
    page.wait_for_selector(".plan__step.is-open", state="detached")
    wait_until_settled(page)
    plan(grand_table, VILLAGES)  # in another window
    page.get_by_role("button", name="Announce all").click()
    page.get_by_text("The plan was changed in another window.").first.wait_for()
    wait_until_settled(page)
    assert announced(grand_table) == []
    page.get_by_role("button", name="Announce the first 3").click()
    page.get_by_text("3 moves announced.").first.wait_for()
    assert [move["move"] for move in announced(grand_table)] == ["build", "build", "fleet"]
    assert plans.plan_of_user(grand_table.campaign, grand_table.people["hun"], "huns").moves == [
        VILLAGES
    ]

"""Charts, ledger and dice with everything open.

Axe-core and the window's width, without script too.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.axe import PageChecker, page_checker
from tests.browser.laid_out import create_demonstration

__all__ = ["page_checker"]

ROW = ("^", "Income", "1", r"\+100t", "0t", r"\+100t", "$")

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def home() -> str:
    return f"/c/{create_demonstration().address}/"


def test_open_sections_are_not_too_wide(page_checker: PageChecker, home: str) -> None:
    page = page_checker.window("")
    for path in ("charts/", "charts/?account=income", "dice/"):
        page.goto(home + path)
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        page_checker.check(page, path)


def test_filters_without_script(new_page: Callable[..., Any], home: str) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(home + "charts/?account=income")
    page.get_by_role("link", name="Ledger", exact=True).click()
    page.get_by_label("Holder", exact=True).select_option("Huns")
    page.get_by_label("Turn", exact=True).select_option("Turn 1")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url(lambda url: "account=income" in url and "nation=huns" in url)
    expect(page.get_by_role("table").locator("tbody tr")).to_have_text(
        [re.compile(r"\s*".join(ROW))]
    )


def test_a_phone_has_its_own_drawing(new_page: Callable[..., Any], home: str) -> None:
    page = new_page(width=390)
    page.goto(home + "charts/?account=army")
    drawn = page.get_by_role("img", name="Army over time")
    assert drawn.count() == 1
    box = drawn.bounding_box()
    assert 300 < box["width"] <= 390
    assert 200 <= box["height"] < 260

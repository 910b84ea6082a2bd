"""Use without a mouse and with large letters.

A slot by keyboard alone, no page wider than its window.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from tests.browser.axe import OVERFLOW_WIDTH
from tests.browser.steady import wait_until, wait_until_settled
from tests.web.grand_table import GrandTable, new_campaign  # noqa: F401

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FOCUSED = """() => { const one = document.activeElement, style = getComputedStyle(one);
    const drawn = one instanceof SVGElement && getComputedStyle(one.querySelector('circle, use'));
    return {text: (one.getAttribute('aria-label') || one.innerText || one.value || '').replace(/\\s+/g, ' ').trim(),
            id: one.id, name: one.name || '', outline: drawn ? drawn.stroke : style.outlineStyle,
            width: parseFloat(drawn ? drawn.strokeWidth : style.outlineWidth)} }"""  # noqa: E501
"""A place on a map shows its focus by the line around it."""
LARGE = (
    "",
    "n/huns/",
    "log/",
    "charts/",
    "ledger/",
    "dice/",
    "reports/",
    "rules/",
    "about/",
    "clocks/",
    "battles/",
    "history/",
)


@pytest.fixture
def hun(new_campaign: Any, new_page: Callable[..., Any], live_server: Any) -> Any:  # noqa: F811
    """Return Ingrid's window at her own slot, and the address of the campaign."""
    grand_table: GrandTable = new_campaign()
    grand_table.play("gm", "start")
    grand_table.slot_to("huns")
    page, client = new_page(), Client()
    client.force_login(grand_table.people["hun"])
    page.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
    )
    return page, grand_table


def tab_to(page: Any, *texts: str, id: str = "", most: int = 400) -> dict[str, Any]:
    """Press Tab until the focused element begins with one of the texts or has the id.

    Its visible focus is checked too.
    """
    for _ in range(most):
        page.keyboard.press("Tab")
        one = page.evaluate(FOCUSED)
        if (id and one["id"] == id) or any(one["text"].startswith(text) for text in texts if text):
            assert one["outline"] != "none", one
            assert one["width"] >= 1, one
            return dict(one)
    raise AssertionError(f"never came to {texts or id}")


def test_a_slot_by_keyboard_alone(hun: Any) -> None:
    page, grand_table = hun
    page.goto(grand_table.home)
    first = tab_to(page, "Skip to content")
    assert first["text"] == "Skip to content"
    page.goto(f"{grand_table.home}n/huns/")
    tab_to(page, "Announce")
    page.keyboard.press("Enter")
    page.locator(".toast").wait_for()
    wait_until_settled(page)
    tab_to(page, "End turn")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="End turn?").wait_for()  # actions are left and would lapse
    wait_until_settled(page)
    tab_to(page, "End turn")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="End turn?").wait_for(state="detached")
    wait_until(
        page,
        "!['Huns', undefined].includes(document.querySelector('.order .is-now"
        " .order__full')?.innerText)",
    )
    grand_table.campaign.refresh_from_db()
    content = [
        entry.content["move"]
        for entry in grand_table.campaign.entries.order_by("sequence")
        if entry.is_move and entry.seat == "huns"
    ]
    assert content[-1] == "end-slot"
    assert len(content) == 2
    assert grand_table.campaign.active_seat != "huns"


def test_no_page_is_wider_than_its_window_with_letters_twice_as_large(hun: Any) -> None:
    page, grand_table = hun
    wide = []
    for path in LARGE:
        page.goto(grand_table.home + path)
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        if (over := page.evaluate(OVERFLOW_WIDTH)) > 0:
            wide.append(f"{path or 'table'}: {over}")
    assert wide == []

"""The pages of playing alone, as a guest, held to axe-core and to the window's width."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.test_axe import AXE, RULES

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def wrong(page: Any, where: str) -> list[str]:
    page.evaluate(AXE)
    result = page.evaluate("tags => axe.run(document, {runOnly: tags, resultTypes: ['violations']})", RULES)
    found = [f"{where} {one['id']} {node['target'][0]}" for one in result["violations"] for node in one["nodes"][:3]]
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return found + ([f"{where} is {wide} pixels too wide"] if wide > 0 else [])


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "light"), (1280, "dark"), (390, "dark")])
def test_a_guest_from_the_first_page_on(new_page: Callable[..., Any], width: int, scheme: str) -> None:
    page = new_page(width=width, color_scheme=scheme)
    page.goto("/")
    found = wrong(page, "front")
    page.get_by_role("button", name="Play March on Rome now").click()
    page.wait_for_url("**/c/**")
    home = page.url
    found += wrong(page, "table")
    for path in (
        "undo/",
        "about/",
        "log/",
        "charts/",
        "charts/?account=legions",
        "ledger/",
        "ledger/?account=legions&turn=1",
        "rules/",
        "/",
        "/me/",
        "/sign-up/",
        "/sign-out/",
        "/hall/march_on_rome/",
    ):
        page.goto(path if path.startswith("/") else home + path)
        found += wrong(page, path)
    page.goto("/found/?title=march_on_rome")
    found += wrong(page, "found")
    assert not found, "\n".join(found)

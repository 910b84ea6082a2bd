"""The pages of playing alone as a guest, checked by axe-core and for the window's width."""

from __future__ import annotations

import pytest

from tests.browser.axe import PageChecker, page_checker

__all__ = ["page_checker"]

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


LEDGERS = ("charts/", "charts/?account=legions", "ledger/", "ledger/?account=legions&turn=1")
OWN = ("undo/", "about/", "log/", "history/", "rules/", "dice/", *LEDGERS)
SITE = (
    "/",
    "/me/",
    "/sign-up/",
    "/sign-out/",
    "/hall/march_on_rome/",
    "/found/?title=march_on_rome",
)


@pytest.mark.parametrize(
    "paths",
    [
        ("undo/", "history/", "charts/", "/me/"),
        pytest.param((*OWN, *SITE), marks=pytest.mark.nightly),
    ],
    ids=["some", "every"],
)
def test_a_guest_from_the_first_page_on(page_checker: PageChecker, paths: tuple[str, ...]) -> None:
    page = page_checker.visit("", "/")
    page.get_by_role("button", name="Play March on Rome now").click()
    page.wait_for_url("**/c/**")
    page_checker.check(page, "table")
    home = page.url
    for path in paths:
        page_checker.visit("", path if path.startswith("/") else home + path)

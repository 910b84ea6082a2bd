"""Checks of pages by axe-core: each page wide and narrow, in the light and the dark scheme."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from people.models import User
from tests.browser.steady import LAID_OUT, resize, set_color_scheme, wait_until

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
"""Rules whose result can differ between the two schemes of a width.

Names, roles, order and room are equal in both.
"""
WINDOWS: list[tuple[int, str, Any]] = [
    (1280, "light", RULES),
    (1280, "dark", COLOURS),
    (390, "dark", RULES),
]
"""Each width and each scheme is checked once, in full or for its colours.

A fourth check would find nothing more.
"""
RUN_AXE = """([only, less]) => axe.run({exclude: less}, {runOnly: only, resultTypes: ['violations']}).then(found =>
    found.violations.flatMap(one => one.nodes.slice(0, 3).map(node => `${one.id} ${node.target[0]}`)))"""  # noqa: E501
OVERFLOW_WIDTH = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
MAP = [[".map__svg"]]
SHOTS = os.environ.get("TABULA_SHOTS", "")
"""A folder for pictures of every page, wide and narrow; none by default."""


def _file_name(title: str) -> str:
    """Return the name of a picture, without its ending."""
    return re.sub(r"[^\w-]+", "-", re.sub(r"/c/[^/]+/", "/", title)).strip("-")[:80] or "page"


class PageChecker:
    """A visitor who opens pages as these users and collects their faults in `faults`.

    `checks` counts the checks, three for each page.
    """

    def __init__(self, new_page: Callable[..., Any], url: str) -> None:
        self.new_page, self.url = new_page, url
        self.windows: dict[str, Any] = {}
        self.faults: list[str] = []
        self.checks = 0

    def window(self, name: str) -> Any:
        """Return this user's only window; an empty name is an anonymous reader."""
        if name not in self.windows:
            page = self.windows[name] = self.new_page()
            if name:
                client = Client()
                client.force_login(User.objects.get(username=name))
                cookie = client.cookies["sessionid"].value
                page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": self.url}])
        return self.windows[name]

    def visit(self, name: str, path: str, status: int = 200, *, whole: bool = True) -> Any:
        """Open and check a page as this user; an unexpected status is a fault too.

        `whole` is passed to `check`.
        """
        page = self.window(name)
        answer = page.goto(path)
        title = f"{name or 'nobody'} {path}"
        if answer.status != status:
            self.faults.append(f"{title}: {answer.status} instead of {status}")
        return self.check(page, title, whole=whole)

    def check(self, page: Any, title: str, *, whole: bool = True) -> Any:
        """Check the current page in each of WINDOWS.

        If `whole` is false, the map with its thousand texts is left out.
        """
        page.wait_for_load_state()
        wait_until(page, LAID_OUT)
        page.evaluate(AXE)
        for width, colours, rules in WINDOWS:
            resize(page, width)
            set_color_scheme(page, colours)
            self.faults += [
                f"{title} {width} {colours}: {finding}"
                for finding in page.evaluate(RUN_AXE, [rules, [] if whole else MAP])
            ]
            if SHOTS and rules is RULES:
                page.screenshot(
                    path=Path(SHOTS) / f"{_file_name(title)}-{width}-{colours}.png", full_page=True
                )
            if (wide := page.evaluate(OVERFLOW_WIDTH)) > 0:
                self.faults.append(f"{title} {width} {colours}: {wide} pixels too wide")
            self.checks += 1
        resize(page, 1280)
        set_color_scheme(page, "light")
        return page

    def press_and_check(self, button: Any, title: str) -> Any:
        """Press a form's button and check the page to which it leads.

        A check of the page before would be interrupted by the new one.
        """
        with button.page.expect_navigation():
            button.click()
        return self.check(button.page, title)

    def check_page_with_text(self, page: Any, text: str) -> Any:
        """Wait for a page with this text, and check it."""
        page.get_by_text(text).first.wait_for()
        return self.check(page, text)


@pytest.fixture
def page_checker(new_page: Callable[..., Any], live_server: Any) -> Iterator[PageChecker]:
    """Provide a PageChecker; the test fails at its end with all faults."""
    created = PageChecker(new_page, live_server.url)
    yield created
    assert created.faults == [], "\n".join(dict.fromkeys(created.faults))

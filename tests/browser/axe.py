"""How a page is held to axe-core: opened once and looked at wide and narrow, light and dark."""

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
from tests.browser.steady import LAID_OUT, resize, scheme, until

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
"""All that the other scheme of a width can break: names, roles, order and room are the same in
both.
"""
WINDOWS: list[tuple[int, str, Any]] = [
    (1280, "light", RULES),
    (1280, "dark", COLOURS),
    (390, "dark", RULES),
]
"""Each width and each scheme once in full or in its colours: what the fourth look would find is
found by one of these.
"""
LOOK = """([only, less]) => axe.run({exclude: less}, {runOnly: only, resultTypes: ['violations']}).then(found =>
    found.violations.flatMap(one => one.nodes.slice(0, 3).map(node => `${one.id} ${node.target[0]}`)))"""  # noqa: E501
SHIFTS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
MAP = [[".map__svg"]]
SHOTS = os.environ.get("TABULA_SHOTS", "")
"""A folder that keeps a picture of every page looked at, wide and narrow; none by default."""


def _file(called: str) -> str:
    return re.sub(r"[^\w-]+", "-", re.sub(r"/c/[^/]+/", "/", called)).strip("-")[:80] or "page"


class Looker:
    """Opens pages as somebody and notes what is wrong with them in `found`; `looked` counts looks,
    three to a page.
    """

    def __init__(self, new_page: Callable[..., Any], url: str) -> None:
        self.new_page, self.url = new_page, url
        self.windows: dict[str, Any] = {}
        self.found: list[str] = []
        self.looked = 0

    def window(self, name: str) -> Any:
        """The window of this person, signed in, or of nobody: one each for the whole test."""
        if name not in self.windows:
            page = self.windows[name] = self.new_page()
            if name:
                client = Client()
                client.force_login(User.objects.get(username=name))
                cookie = client.cookies["sessionid"].value
                page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": self.url}])
        return self.windows[name]

    def visit(self, name: str, path: str, status: int = 200, *, whole: bool = True) -> Any:
        """Opens this as this person; another status is an error too. `whole` is of `look`."""
        page = self.window(name)
        answer = page.goto(path)
        called = f"{name or 'nobody'} {path}"
        if answer.status != status:
            self.found.append(f"{called}: {answer.status} instead of {status}")
        return self.look(page, called, whole=whole)

    def look(self, page: Any, called: str, *, whole: bool = True) -> Any:
        """Three looks at the page as it stands; without `whole` the map, a thousand texts, is left
        out of them.
        """
        page.wait_for_load_state()
        until(page, LAID_OUT)
        page.evaluate(AXE)
        for width, colours, rules in WINDOWS:
            resize(page, width)
            scheme(page, colours)
            self.found += [
                f"{called} {width} {colours}: {one}"
                for one in page.evaluate(LOOK, [rules, [] if whole else MAP])
            ]
            if SHOTS and rules is RULES:
                page.screenshot(
                    path=Path(SHOTS) / f"{_file(called)}-{width}-{colours}.png", full_page=True
                )
            if (wide := page.evaluate(SHIFTS)) > 0:
                self.found.append(f"{called} {width} {colours}: {wide} pixels too wide")
            self.looked += 1
        resize(page, 1280)
        scheme(page, "light")
        return page

    def press(self, button: Any, called: str) -> Any:
        """Looks at the page that a form's button leads to: at the one before, the new one would cut
        the look off.
        """
        with button.page.expect_navigation():
            button.click()
        return self.look(button.page, called)

    def sees(self, page: Any, words: str) -> Any:
        """A page that one comes to by a form, known by its words."""
        page.get_by_text(words).first.wait_for()
        return self.look(page, words)


@pytest.fixture
def looker(new_page: Callable[..., Any], live_server: Any) -> Iterator[Looker]:
    """The test fails at its end with all that was found."""
    created = Looker(new_page, live_server.url)
    yield created
    assert created.found == [], "\n".join(dict.fromkeys(created.found))

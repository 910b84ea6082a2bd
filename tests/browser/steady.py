"""Functions that wait in tests of the browser.

They wait for an event, never for a fixed time, because the machine may be busy.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Error

PATIENCE = 180.0
"""Seconds after which an event is considered missing."""
LAID_OUT = "() => { document.body?.offsetHeight; return document.fonts.status === 'loaded' }"
"""Fonts load after the page and move its content."""
RELOADING_PAGES = re.compile(r"/(pack|map\.png|found/import/\d+|map/[^/]+)/?$")
"""Pages that reload by themselves."""
BUSY = ".htmx-request, .htmx-swapping, .htmx-settling, .htmx-added"


def wait_until(page: Any, condition: str | Callable[[], Any]) -> None:
    """Wait until a condition is true.

    The condition is a JavaScript expression or a Python function. The page's content security
    policy does not allow the driver to wait inside the page.
    """
    end = time.monotonic() + PATIENCE
    while not (_evaluate(page, condition) if isinstance(condition, str) else condition()):
        assert time.monotonic() < end, condition
        page.wait_for_timeout(20)


def _evaluate(page: Any, expression: str) -> Any:
    """Return the value of a JavaScript expression; None while the next page loads."""
    try:
        return page.evaluate(expression)
    except Error as why:
        if "context was destroyed" in why.message:
            return None
        raise


def open_page(page: Any, path: str, **options: Any) -> Any:
    """Open an address, wait for its fonts, and return the response.

    A page that reloads by itself does not do so.
    """

    def answer_without_refresh(route: Any) -> None:
        answer = route.fetch()
        route.fulfill(
            response=answer,
            headers={key: value for key, value in answer.headers.items() if key != "refresh"},
        )

    reloads = RELOADING_PAGES.search(path.partition("?")[0])
    if reloads:
        page.route(RELOADING_PAGES, answer_without_refresh)
    answer = page.goto_at_once(path, **options)
    if reloads:
        page.unroute(RELOADING_PAGES, answer_without_refresh)
    wait_until(page, LAID_OUT)
    return answer


def wait_until_settled(page: Any) -> None:
    """Wait until htmx has inserted everything and no request is open."""
    wait_until(page, f"document.querySelector('{BUSY}') === null")


def resize(page: Any, width: int, height: int = 900) -> None:
    """Resize the window, and wait until the page has the new size."""
    page.set_viewport_size({"width": width, "height": height})
    wait_until(page, f"innerWidth === {width} && innerHeight === {height}")


def set_color_scheme(page: Any, name: str) -> None:
    """Choose the light or dark scheme, and wait until the page has it."""
    page.emulate_media(color_scheme=name, reduced_motion="reduce")
    wait_until(page, f"matchMedia('(prefers-color-scheme: {name})').matches")

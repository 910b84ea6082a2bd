"""How a test of the browser waits: for what is to happen, never for a time, and on a busy machine
as long as it takes.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Error

PATIENCE = 60.0
"""Seconds after which something is taken not to happen at all."""
LAID_OUT = "() => { document.body?.offsetHeight; return document.fonts.status === 'loaded' }"
"""Letters come after the page, and move what stands on it."""
AGAIN = re.compile(r"/(pack|map\.png|found/import/\d+|map/[^/]+)/?$")
"""Pages that look again by themselves."""
BUSY = ".htmx-request, .htmx-swapping, .htmx-settling, .htmx-added"


def until(page: Any, true: str | Callable[[], Any]) -> None:
    """Waits until this is so: a sentence of the page's script (its own policy keeps the driver from
    waiting inside of it), or something asked here.
    """
    end = time.monotonic() + PATIENCE
    while not (_so(page, true) if isinstance(true, str) else true()):
        assert time.monotonic() < end, true
        page.wait_for_timeout(20)


def _so(page: Any, true: str) -> Any:
    try:
        return page.evaluate(true)
    except Error as why:
        if "context was destroyed" in why.message:  # by the page that comes
            return None
        raise


def opened(page: Any, path: str, **options: Any) -> Any:
    """Goes there and waits for its letters; a page that looks again by itself is held still. The
    answer.
    """

    def still(route: Any) -> None:
        answer = route.fetch()
        route.fulfill(
            response=answer,
            headers={key: value for key, value in answer.headers.items() if key != "refresh"},
        )

    held = AGAIN.search(path.partition("?")[0])
    if held:
        page.route(AGAIN, still)
    answer = page.went(path, **options)
    if held:
        page.unroute(AGAIN, still)
    until(page, LAID_OUT)
    return answer


def settled(page: Any) -> None:
    """What htmx has fetched stands on the page, and nothing more is asked for."""
    until(page, f"document.querySelector('{BUSY}') === null")


def resize(page: Any, width: int, height: int = 900) -> None:
    """Another size of the window, once the page knows of it."""
    page.set_viewport_size({"width": width, "height": height})
    until(page, f"innerWidth === {width} && innerHeight === {height}")


def scheme(page: Any, name: str) -> None:
    """Light or dark, once the page knows of it."""
    page.emulate_media(color_scheme=name, reduced_motion="reduce")
    until(page, f"matchMedia('(prefers-color-scheme: {name})').matches")

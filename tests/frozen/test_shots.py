"""Pictures of forty pages, wide and narrow, compared with those of an earlier run on this machine.

No picture is stored with the code: another browser or another font draws other pixels.
TABULA_SHOTS=folder keeps the pictures of a run, TABULA_SHOTS_BEFORE=folder compares with those of
an earlier one, pixel by pixel. If both are set, a difference is kept beside the new picture as
`….diff.png`. If neither is set, these tests are skipped.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops

from tests.browser.steady import LAID_OUT, resize, wait_until, wait_until_settled
from tests.frozen import companions, grand, site
from tests.frozen.grand import Founder
from tests.frozen.scene import STATES
from tests.frozen.still import NOW, still
from tests.web.grand_table import new_campaign

__all__ = ["companions", "grand", "new_campaign", "site", "still"]

KEPT, BEFORE = os.environ.get("TABULA_SHOTS", ""), os.environ.get("TABULA_SHOTS_BEFORE", "")
WIDTHS = (1280, 390)
TRIES = 8
UNSEEN = 4
"""The most by which a channel may differ, of 255: browsers draw gradients and edges not quite
alike.
"""
SAME_PORT = """() => { const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const text = texts.currentNode;
        if (text.data.includes(location.host)) text.data = text.data.replaceAll(location.host, 'localhost:8000');
    }
    for (const field of document.querySelectorAll('input, textarea')) {
        if (field.value.includes(location.host)) field.value = field.value.replaceAll(location.host, 'localhost:8000');
    } }"""  # noqa: E501
"""Each run has another port, which some pages show. Reports show it too often and are not
compared.
"""
SHOTS: dict[str, list[tuple[str, str]]] = {
    "grand_campaign lobby": [("gm", ""), ("nobody", "lobby/"), ("gm", "terms/"), ("gm", "seats/")],
    "grand_campaign running": [
        ("nobody", ""),
        ("hun", ""),
        ("hun", "n/huns/"),
        ("hun", "n/huns/?open=attack-land"),
        ("gm", "about/"),
        ("nobody", "log/"),
        ("gm", "clocks/"),
        ("nobody", "rules/"),
        ("gm", "posts/"),
        ("hun", "/me/"),
    ],
    "grand_campaign claim": [
        ("roman", "b/1/"),
        ("gm", "b/1/"),
        ("gm", "desk/"),
        ("nobody", "battles/"),
        ("roman", "/notices/"),
    ],
    "grand_campaign second_turn": [
        ("nobody", "history/"),
        ("nobody", "charts/"),
        ("nobody", "story/"),
        ("nobody", "ledger/"),
        ("nobody", "dice/"),
        ("nobody", "reports/"),
        ("nobody", "n/huns/"),
        ("gm", "rewind/?entry=1"),
    ],
    "grand_campaign planned": [("hun", "n/huns/plan/")],
    "grand_campaign talked": [("hun", "talk/"), ("nobody", "press/")],
    "march_on_rome choose": [("gm", ""), ("nobody", "history/")],
    "tetrarchia emperors_turn": [("hun", ""), ("nobody", "")],
    "roman_empire peoples_phase": [("hun", ""), ("nobody", "")],
    "site outside": [
        ("nobody", "/"),
        ("nobody", "/help/"),
        ("gm", "/found/"),
        ("nobody", "/scenarios/"),
    ],
}

pytestmark = [
    pytest.mark.browser,
    pytest.mark.nightly,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        not KEPT and not BEFORE, reason="TABULA_SHOTS or TABULA_SHOTS_BEFORE names no folder"
    ),
]


def test_forty_pages_are_looked_at() -> None:
    assert sum(map(len, SHOTS.values())) == 40


def steady_shot(page: Any, *, full_page: bool = True) -> bytes:
    """Return a picture of the page or its window, taken until two in a row are equal.

    After a resize, parts may not be painted yet.
    """
    last = b""
    for _ in range(TRIES):
        page.wait_for_timeout(150)
        shot = page.screenshot(full_page=full_page, animations="disabled", caret="hide")
        if shot == last:
            break
        last = shot
    return bytes(shot)


def compared(name: str, new: Path) -> str:
    """Return how this picture differs from the earlier one; empty if it does not."""
    old = Path(BEFORE) / f"{name}.png"
    if not old.exists():
        return f"{name}: there is no picture of before"
    with Image.open(old) as first, Image.open(new) as second:
        before, after = first.convert("RGB"), second.convert("RGB")
    if before.size != after.size:
        return f"{name}: {before.size[0]}×{before.size[1]} became {after.size[0]}×{after.size[1]}"
    difference = ImageChops.difference(before, after).point(
        lambda value: 255 if value > UNSEEN else 0
    )
    if (box := difference.getbbox()) is None:
        return ""
    if KEPT:
        difference.save(new.with_name(f"{name}.diff.png"))
    return f"{name}: differs within {box}"


@pytest.mark.parametrize("key", SHOTS)
def test_its_pictures_are_as_before(
    key: str,
    still: Any,
    request: Any,
    new_page: Any,
    live_server: Any,
    person: Any,
    monkeypatch: Any,
    settings: Any,
    tmp_path: Path,
) -> None:
    title, name = key.split(" ")
    state = next(state for state in STATES if (state.title, state.name) == (title, name))
    built = state.build(Founder(request, person, monkeypatch, settings))
    folder = Path(KEPT) if KEPT else tmp_path
    folder.mkdir(parents=True, exist_ok=True)
    changes, pages = [], {}
    for reader, address in SHOTS[key]:
        if reader not in pages:
            pages[reader] = new_page()
            pages[reader].clock.set_fixed_time(NOW)
            if cookie := built.clients[reader].cookies.get("sessionid"):
                value = {"name": "sessionid", "value": cookie.value, "url": live_server.url}
                pages[reader].context.add_cookies([value])
        page = pages[reader]
        page.goto(built.path(address))
        wait_until_settled(page)
        page.evaluate(SAME_PORT)
        page.evaluate("() => { for (const image of document.images) image.loading = 'eager' }")
        wait_until(page, "[...document.images].every((image) => image.complete)")
        for width in WIDTHS:
            resize(page, width)
            wait_until(page, LAID_OUT)
            shot = re.sub(r"[^\w-]+", "-", f"{key}-{reader}-{address or 'table'}-{width}").strip(
                "-"
            )
            (folder / f"{shot}.png").write_bytes(steady_shot(page))
            if BEFORE and (change := compared(shot, folder / f"{shot}.png")):
                changes.append(change)
        resize(page, WIDTHS[0])
    assert changes == [], "\n".join(changes)

"""How a scenario begins, in a browser: hexagons painted by mouse and by keys, a file shown before
it becomes a draft.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from campaign import drafts, imports, playtests
from campaign.models import ImportJob, ScenarioDraft
from people.models import User
from tests.browser.axe import Looker
from tests.browser.steady import until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
FILE = (
    '<svg xmlns="http://www.w3.org/2000/svg"><rect id="Alba" width="20" height="20"/><rect x="19"'
    ' width="20" height="20"/><rect id="Ostia" x="39.3" width="20" height="20"/></svg>'
)


def test_hexagons_are_painted(
    new_page: Callable[..., Any], live_server: Any, person: Callable[..., Any]
) -> None:
    person("Ada")
    looker = Looker(new_page, live_server.url)
    page = looker.visit("Ada", "/scenarios/begin/?from=grid")
    page.set_viewport_size({"width": 1280, "height": 1200})
    rows = page.locator("#b-rows")
    page.locator("#hexes-text summary").click()
    cell = page.locator("#hexes polygon[data-at='10 6']")
    cell.click()
    assert rows.input_value().split("\n")[6] == "......C...D..........."
    # A stroke goes on over what lies beside; the next province has the next letter.
    page.get_by_role("button", name="Next province").click()
    first, last = (
        page.locator(f"#hexes polygon[data-at='{at}']").bounding_box() for at in ("12 6", "14 6")
    )
    page.mouse.move(first["x"] + 15, first["y"] + 18)
    page.mouse.down()
    page.mouse.move(last["x"] + 15, last["y"] + 18, steps=12)
    page.mouse.up()
    assert rows.input_value().split("\n")[6] == "......C...D.EEE......."
    # By keys: one to the right of the last, painted, and taken away again.
    page.locator("#hexes svg").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    assert rows.input_value().split("\n")[5] == ".....CCC....E........."
    page.keyboard.press("Enter")
    assert rows.input_value().split("\n")[5] == ".....CCC.............."
    page.get_by_label("Down").fill("7")
    page.get_by_label("Down").press("Tab")
    assert len(rows.input_value().split("\n")) == 7
    page.get_by_label("Name of the scenario").fill("By hand")
    page.get_by_role("button", name="Begin", exact=True).click()
    page.wait_for_url("**/scenarios/drafts/*/")
    scenario = drafts.bundle_of(ScenarioDraft.objects.get())["scenario"]
    assert [row["key"] for row in scenario["provinces"]] == ["b", "a", "c", "d", "e"]
    assert looker.found == []


def test_a_file_is_shown_and_a_play_test_told(
    new_page: Callable[..., Any],
    live_server: Any,
    person: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(playtests, "GAMES", 8)
    person("Ada")
    looker = Looker(new_page, live_server.url)
    for way in ("map", "other"):
        looker.visit("Ada", f"/scenarios/begin/?from={way}")
    page = looker.visit("Ada", "/scenarios/begin/?from=file")
    page.get_by_label("SVG or GeoJSON, up to 2 MB").set_input_files(
        {"name": "islands.svg", "mimeType": "image/svg+xml", "buffer": FILE.encode()}
    )
    page.get_by_role("button", name="Read the file").click()
    page.wait_for_url("**/found/import/*/")
    looker.look(page, "the file that waits")
    imports.work(ImportJob.objects.get().pk)
    until(page, "document.querySelector('.readin svg') !== null")
    looker.look(page, "the file as read")
    assert page.locator(".readin__told li").count() == 2
    page.get_by_label("2", exact=True).fill("Roma")
    page.get_by_role("button", name="Begin", exact=True).click()
    page.wait_for_url("**/found/import/*/")
    imports.work(ImportJob.objects.latest("pk").pk)
    page.wait_for_url("**/scenarios/drafts/*/")
    with open("static/examples/three_peoples.json", encoding="utf-8") as opened:
        draft = drafts.begin(User.objects.get(), "grand_campaign", json.load(opened))
    page.goto(f"/scenarios/playtest/?draft={draft.public_id}")
    page.get_by_role("button", name="Play 8 campaigns").click()
    until(
        page,
        "document.querySelector('#playtest progress') !== null || document.querySelector('#playtest"
        " table') !== null",
    )
    for one in playtests.Playtest.objects.all():
        playtests.work(one.pk)
    until(page, "document.querySelector('#playtest table') !== null")
    looker.look(page, "the play-test")
    assert looker.found == []

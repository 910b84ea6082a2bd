"""The start of a scenario in a browser: painted hexagons, and a file that is previewed."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from campaign import drafts, imports, playtests
from campaign.models import ImportJob, ScenarioDraft
from people.models import User
from tests.browser.axe import PageChecker
from tests.browser.steady import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
FILE = (
    '<svg xmlns="http://www.w3.org/2000/svg"><rect id="Alba" width="20" height="20"/><rect x="19"'
    ' width="20" height="20"/><rect id="Ostia" x="39.3" width="20" height="20"/></svg>'
)


def test_hexagons_are_painted(
    new_page: Callable[..., Any], live_server: Any, person: Callable[..., Any]
) -> None:
    person("Ada")
    page_checker = PageChecker(new_page, live_server.url)
    page = page_checker.visit("Ada", "/scenarios/begin/?from=grid")
    page.set_viewport_size({"width": 1280, "height": 1200})
    rows = page.locator("#b-rows")
    page.locator("#hexes-text summary").click()
    cell = page.locator("#hexes polygon[data-at='10 6']")
    cell.click()
    assert rows.input_value().split("\n")[6] == "......C...D..........."
    # A stroke continues over neighbouring fields; the next province has the next letter.
    page.get_by_role("button", name="Next province").click()
    first, last = (
        page.locator(f"#hexes polygon[data-at='{at}']").bounding_box() for at in ("12 6", "14 6")
    )
    page.mouse.move(first["x"] + 15, first["y"] + 18)
    page.mouse.down()
    page.mouse.move(last["x"] + 15, last["y"] + 18, steps=12)
    page.mouse.up()
    assert rows.input_value().split("\n")[6] == "......C...D.EEE......."
    # By keys: one field to the right of the last is painted and removed again.
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
    assert page_checker.faults == []


def test_a_file_is_previewed_and_a_play_test_shown(
    new_page: Callable[..., Any],
    live_server: Any,
    person: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(playtests, "GAMES", 8)
    person("Ada")
    page_checker = PageChecker(new_page, live_server.url)
    for way in ("map", "other"):
        page_checker.visit("Ada", f"/scenarios/begin/?from={way}")
    page = page_checker.visit("Ada", "/scenarios/begin/?from=file")
    page.get_by_label("SVG or GeoJSON, up to 2 MB").set_input_files(
        {"name": "islands.svg", "mimeType": "image/svg+xml", "buffer": FILE.encode()}
    )
    page.get_by_role("button", name="Read the file").click()
    page.wait_for_url("**/found/import/*/")
    page.goto(page.url)  # a page opened so does not reload during the look
    page_checker.check(page, "the file that waits")
    page.reload()
    imports.work(ImportJob.objects.get().pk)
    wait_until(page, "document.querySelector('.readin svg') !== null")
    page_checker.check(page, "the file as read")
    assert page.locator(".readin__told li").count() == 2
    page.get_by_label("2", exact=True).fill("Roma")
    page.get_by_role("button", name="Begin", exact=True).click()
    page.wait_for_url("**/found/import/*/")
    imports.work(ImportJob.objects.latest("pk").pk)
    page.wait_for_url("**/scenarios/drafts/*/")
    with open("static/examples/three_peoples.json", encoding="utf-8") as opened:
        draft = drafts.begin_draft(User.objects.get(), "grand_campaign", json.load(opened))
    page.goto(f"/scenarios/playtest/?draft={draft.public_id}")
    page.get_by_role("button", name="Play 8 campaigns").click()
    wait_until(
        page,
        "document.querySelector('#playtest progress') !== null || document.querySelector('#playtest"
        " table') !== null",
    )
    for playtest in playtests.Playtest.objects.all():
        playtests.work(playtest.pk)
    wait_until(page, "document.querySelector('#playtest table') !== null")
    page_checker.check(page, "the play-test")
    assert page_checker.faults == []

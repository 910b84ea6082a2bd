"""The scenario editor in a browser, from map to founded campaign, by mouse, keys and touch."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from campaign import services
from campaign.models import ScenarioDraft
from tests.browser.axe import PageChecker
from tests.browser.steady import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SPOT = """key => {
    const link = document.querySelector(`.m-hits a[href^="?province=${key}#"]`), box = link.getBoundingClientRect();
    for (let i = 1; i < 24; i++) for (let j = 1; j < 24; j++) {
        const [x, y] = [box.left + box.width * i / 24, box.top + box.height * j / 24];
        if (document.elementFromPoint(x, y)?.closest('.m-hits a') === link) return [x, y];
    }
}"""  # noqa: E501
"""A point of the window in a province."""


def editing(page: Any, person: Any, url: str) -> ScenarioDraft:
    client = Client()
    client.force_login(person)
    page.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": url}]
    )
    page.goto("/scenarios/")
    page.get_by_role("link", name="Start a scenario").click()
    page.get_by_role("link", name="Another scenario").click()
    page.get_by_label("Scenario", exact=True).select_option("grand_campaign/420ad")
    page.get_by_role("button", name="Begin", exact=True).click()
    page.wait_for_url("**/scenarios/drafts/*/")
    return ScenarioDraft.objects.get(owner=person)


def saved(page: Any, draft: ScenarioDraft, revision: int) -> None:
    wait_until(page, lambda: ScenarioDraft.objects.get(pk=draft.pk).revision == revision)
    wait_until(page, f"document.querySelector('[name=revision]').value === '{revision}'")


def owner(draft: ScenarioDraft, key: str) -> Any:
    draft.refresh_from_db()
    match = re.search(rf'"key": "{key}"[^}}]*"owner": ("(\w+)"|null)', draft.scenario)
    assert match is not None
    return match[2]


def test_a_scenario_is_made_by_hand(
    new_page: Callable[..., Any], live_server: Any, person: Callable[..., Any]
) -> None:
    page, ada = new_page(), person("Ada")
    draft = editing(page, ada, live_server.url)
    click = lambda key: page.mouse.click(*page.evaluate(SPOT, key))  # noqa: E731
    # A stroke over two provinces is one step.
    page.keyboard.press("o")
    page.locator("#owners [data-nation=romans]").click()
    first, last = page.evaluate(SPOT, "aegyptus"), page.evaluate(SPOT, "cyrenaica")
    page.mouse.move(*first)
    page.mouse.down()
    page.mouse.move(*last, steps=8)
    page.mouse.up()
    saved(page, draft, 1)
    assert (owner(draft, "aegyptus"), owner(draft, "cyrenaica")) == ("romans", "romans")
    page.keyboard.press("Control+z")
    saved(page, draft, 2)
    assert owner(draft, "cyrenaica") is None
    page.keyboard.press("Control+Shift+Z")
    saved(page, draft, 3)
    # Two clicks take a border away; the fault is mended by its button.
    page.keyboard.press("b")
    click("macedonia")
    click("achaia")
    saved(page, draft, 4)
    assert "Achaia and Macedonia touch but have no border." in page.inner_text("#checks")
    assert page.locator("[data-publish] .button--primary").is_disabled()
    page.get_by_role("button", name="Add the border").click()
    saved(page, draft, 5)
    assert page.inner_text("#checks h2 >> nth=0").strip() == "No errors"
    # Two neighbours become one, and a nation gets another name: the panel saves during typing.
    page.keyboard.press("m")
    click("aegyptus")
    click("cyrenaica")
    saved(page, draft, 6)
    assert page.locator(".m-hits a").count() == 89
    page.locator(".ed__tabs [data-tab=nations]").click()
    page.locator("[data-go-nation=huns]").click()
    page.fill("#n-name", "Xiongnu")
    page.press("#n-name", "Tab")
    saved(page, draft, 7)
    wait_until(page, "document.querySelector('#owners').textContent.includes('Xiongnu')")
    page.locator(".ed__tabs [data-tab=scenario]").click()
    page.fill("#sc-name", "Made by hand")
    page.press("#sc-name", "Tab")
    saved(page, draft, 8)
    # Numbers, then the first version, then a campaign.
    page.get_by_role("link", name="Numbers of the rules").click()
    page.fill('[id="c-army.victory"]', "45")
    page.get_by_role("button", name="Save the numbers").click()
    page.get_by_text("1 number differs.").first.wait_for()
    page.get_by_text("Publish…").click()
    page.get_by_role("button", name="Publish version 1").click()
    page.get_by_role("link", name="Create a campaign with it").click()
    assert (
        page.locator("select[name=scenario]").input_value()
        == f"shelf:{draft.versions.get().public_id}"
    )
    assert page.locator("[name='rules.army.victory']").input_value() == "45"


def test_by_keys_alone(
    new_page: Callable[..., Any], live_server: Any, person: Callable[..., Any]
) -> None:
    page = new_page()
    draft = editing(page, person("Ada"), live_server.url)
    page.locator("#tools [data-tool=owner]").press("Enter")
    page.locator("#owners [data-nation=huns] input").press("Space")
    page.locator(".m-hits a[href^='?province=gothia#']").focus()
    page.keyboard.press("ArrowDown")
    reached = page.evaluate(
        "new URL(document.activeElement.getAttribute('href'),"
        " location).searchParams.get('province')"
    )
    assert reached == "moesia-secunda"
    page.keyboard.press("Enter")
    saved(page, draft, 1)
    assert owner(draft, "moesia-secunda") == "huns"


def test_small_corrections_on_a_phone(
    new_page: Callable[..., Any], live_server: Any, person: Callable[..., Any]
) -> None:
    page = new_page(width=390, has_touch=True, is_mobile=True)
    draft = editing(page, person("Ada"), live_server.url)
    assert not page.locator("#tools").is_visible()
    page.goto(f"/scenarios/drafts/{draft.public_id}/?province=sicilia")
    page.select_option("#f-owner", "vandals")
    saved(page, draft, 1)
    assert owner(draft, "sicilia") == "vandals"
    assert (
        page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        == 0
    )


def test_no_rule_is_broken(
    new_page: Callable[..., Any], live_server: Any, person: Callable[..., Any]
) -> None:
    person("Ada")
    page_checker = PageChecker(new_page, live_server.url)
    page = page_checker.visit("Ada", "/scenarios/")
    page.get_by_role("link", name="Start a scenario").click()
    page.get_by_role("link", name="Another scenario").click()
    page.get_by_label("Scenario", exact=True).select_option("grand_campaign/420ad")
    page.get_by_role("button", name="Begin", exact=True).click()
    page.wait_for_url("**/scenarios/drafts/*/")
    home = page.url.removeprefix(live_server.url)
    for path in ("?province=achaia", "?nation=huns", "?tab=nations", "?tab=scenario", "numbers/"):
        page_checker.visit("Ada", home + path, whole=False)
    assert page_checker.faults == []


def test_owners_are_painted_on_the_sheet(
    new_page: Callable[..., Any], live_server: Any, person: Callable[..., Any]
) -> None:
    """In a campaign to be taken over, lines of the sheet follow the brush.

    A province with its initial owner has no line.
    """
    page, ada = new_page(), person("Ada")
    campaign = services.found_campaign(
        ada, "grand_campaign", "Elsewhere", "420ad", {}, "UTC", "listed"
    )
    client = Client()
    client.force_login(ada)
    page.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
    )
    page.goto(f"/c/{campaign.address}/resume/")
    lines = page.locator("#r-prov")

    def paint(brush: str, key: str) -> None:
        page.locator("#paint .brush").get_by_text(brush, exact=True).click()
        link = page.locator(f"#paint .m-hits a[href='?province={key}']")
        link.focus()
        link.press("Enter")

    paint("Huns", "dalmatia")
    paint("Walls", "dalmatia")
    paint("Huns", "achaia")
    paint("fleet", "achaia")
    assert lines.input_value() == "Dalmatia, Huns, Walls\nAchaia, Huns, fleet"
    paint("Walls", "dalmatia")
    paint("Romans", "dalmatia")
    assert lines.input_value() == "Achaia, Huns, fleet"
    wait_until(page, "document.querySelector('#so').textContent.includes('Say where the campaign')")

"""Updates of an open page while another user plays, and parts that stay unchanged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import expect

from campaign import services
from campaign.log import selectors
from people.models import User
from tests.browser.laid_out import create_demonstration
from tests.browser.steady import wait_until, wait_until_settled
from tests.config.test_live import a_process, broker
from tests.web.grand_table import GrandTable, grand_table, new_campaign

__all__ = ["broker", "grand_table", "new_campaign"]

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

QUIET = 40_000
"""Milliseconds in which a page without a stream would ask, and one with a stream misses nothing."""


def test_others_move_while_a_user_types(new_page: Callable[..., Any], live_server: Any) -> None:
    campaign = create_demonstration()
    home, moved = f"/c/{campaign.address}/", campaign.last_number + 1

    def window(name: str, path: str, **options: Any) -> Any:
        page, client = new_page(**options), Client()
        page.clock.install()
        client.force_login(User.objects.get(username=name))
        page.context.add_cookies(
            [
                {
                    "name": "sessionid",
                    "value": client.cookies["sessionid"].value,
                    "url": live_server.url,
                }
            ]
        )
        page.goto(home + path)
        return page

    sheet = window("Benedetto", "?province=asia")
    sheet.click("#provinces summary")
    sheet.evaluate("scrollTo(0, 400)")
    desk = window("Marozia", "desk/?fix=adjust", width=390)
    reason = desk.locator("textarea, input[type=text]").first
    reason.fill("Because it was")
    focus = desk.evaluate("document.activeElement.name")

    gm = User.objects.get(username="Marozia")
    raw = {
        "by": "gm",
        "move": "adjust",
        "nation": "romans",
        "account": "income",
        "change": 7,
        "reason": "As ruled <b>.",
    }
    services.play(campaign, gm, raw, selectors.seen(campaign, gm))

    for page in (sheet, desk):
        page.clock.fast_forward(30_000)
        page.locator("#live .live__text").wait_for()
        assert "1 new entry" in page.inner_text("#live")
        assert page.locator(f"#live a[data-entry='{moved}']").count() == 1
    assert sheet.locator(f"#log #e{moved}.mark-new").count() == 1
    assert sheet.get_attribute(f"#live a[data-entry='{moved}']", "href") == f"#e{moved}"
    assert sheet.get_attribute("#province", "data-province") == "asia"
    assert sheet.evaluate("document.querySelector('#provinces').open")
    assert sheet.evaluate("scrollY") > 0
    assert reason.input_value() == "Because it was"
    assert desk.evaluate("document.activeElement.name") == focus
    assert "Reload" in desk.inner_text("#live")
    desk.click("#live button")
    expect(desk.locator("#live")).to_be_hidden()


def test_a_challenge_comes_in_and_an_open_form_stays(
    new_page: Callable[..., Any], live_server: Any, grand_table: GrandTable
) -> None:
    page, phone = new_page(), new_page(width=390)
    for window, who, path in (
        (page, "roman", "n/romans/"),
        (phone, "hun", "n/huns/?open=attack-land"),
    ):
        session = grand_table.clients[who].cookies["sessionid"].value
        window.context.add_cookies(
            [{"name": "sessionid", "value": session, "url": live_server.url}]
        )
        window.clock.install()
        window.goto(grand_table.home + path)
    phone.locator("#moves select").first.focus()
    grand_table.play(
        "huns", "attack", kind="land", battle="open", target="dalmatia", **{"from": "pannonia"}
    )
    for window in (page, phone):
        window.clock.fast_forward(30_000)
    page.locator("#answer-1").wait_for()
    assert "1 new entry" in page.inner_text("#live")
    assert "answer" in page.inner_text("#answer-1").lower()
    phone.locator("#live .live__text").wait_for()
    assert "The open window still shows the state before the reload." in phone.inner_text("#live")
    assert phone.evaluate("document.activeElement.matches('#moves select')")
    assert "1½ actions left" in phone.inner_text(".order")


def test_a_number_typed_while_another_nation_is_fetched_stays(
    grand_table: GrandTable, new_page: Callable[..., Any], live_server: Any
) -> None:
    page, held = new_page(), list[Any]()
    session = grand_table.clients["gm"].cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    page.goto(f"{grand_table.home}desk/?fix=adjust")
    page.route("**/desk/?*", lambda route: held.append(route))
    page.select_option("#f-adjust-nation", "romans")
    wait_until(page, lambda: held)
    page.fill("#f-adjust-change", "12")
    assert len(held) == 1
    with page.expect_response("**/desk/?*"):
        held[0].continue_()
    page.locator("#f-adjust-nation option[value=romans][selected]").wait_for(state="attached")
    wait_until_settled(page)
    assert page.input_value("#f-adjust-change") == "12"
    assert page.input_value("#f-adjust-nation") == "romans"
    assert page.evaluate("document.activeElement.id") == "f-adjust-change"


def test_a_page_with_a_stream_sends_no_requests_and_learns_of_a_move_from_it(
    new_page: Callable[..., Any], live_server: Any, grand_table: GrandTable, broker: int
) -> None:
    """The browser plays the site's proxy.

    Longer than a page without a stream waits, no request is sent, so the request after the move
    comes from the stream. `/live/` goes to the process, everything else to the site.
    """
    page, asked = new_page(), list[str]()
    page.on(
        "request",
        lambda request: asked.append(request.url.split("?")[0].removeprefix(live_server.url)),
    )
    ask, stream = f"{grand_table.home}live/", f"/live/{grand_table.campaign.public_id}/"
    session = grand_table.clients["roman"].cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    page.clock.install()
    with a_process() as process:
        page.route(
            f"**{stream}",
            lambda route: route.continue_(url=f"http://localhost:{process.port}{stream}"),
        )
        page.goto(f"{grand_table.home}n/romans/")
        wait_until(page, lambda: asked.count(ask) == 1)  # moves from before the stream was open
        page.clock.fast_forward(QUIET)
        page.wait_for_timeout(300)
        assert (asked.count(stream), asked.count(ask)) == (1, 1)

        grand_table.play(
            "huns", "attack", kind="land", battle="open", target="dalmatia", **{"from": "pannonia"}
        )

        wait_until(page, lambda: asked.count(ask) == 2)
        page.locator("#answer-1").wait_for()
        assert "1 new entry" in page.inner_text("#live")
        page.clock.fast_forward(QUIET)
        page.wait_for_timeout(300)
        assert asked.count(ask) == 2

    def asks_again() -> bool:
        page.clock.fast_forward(30_000)
        return asked.count(ask) >= 4

    wait_until(page, asks_again)  # now that the process has ended, the page polls


def test_a_page_without_a_stream_sends_requests_as_before(
    new_page: Callable[..., Any], live_server: Any, grand_table: GrandTable, settings: Any
) -> None:
    """The host has enabled the stream, but no process answers."""
    settings.LIVE, settings.REDIS_URL = True, "redis://127.0.0.1:1/0"
    page, asked = new_page(), list[str]()
    page.on(
        "request",
        lambda request: asked.append(request.url.split("?")[0].removeprefix(live_server.url)),
    )
    page.clock.install()
    page.goto(grand_table.home)
    wait_until(page, lambda: f"/live/{grand_table.campaign.public_id}/" in asked)
    grand_table.play("huns", "build", structure="shrines")
    page.clock.fast_forward(30_000)
    page.locator("#live .live__text").wait_for()
    assert "1 new entry" in page.inner_text("#live")

"""The page of a nation with a script.

Offers open in place, fields depend on each other, undo is one click.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.steady import wait_until, wait_until_settled
from tests.web.grand_table import GrandTable, campaign_in_huns_slot, grand_table, new_campaign

__all__ = ["grand_table", "new_campaign"]

pytestmark = pytest.mark.browser


def sign_in(page: Any, grand_table: GrandTable, who: str, live_server: Any) -> None:
    cookie = grand_table.clients[who].cookies["sessionid"]
    page.context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": live_server.url}])


def test_a_slot_with_script(live_server: Any, grand_table: GrandTable, page: Any) -> None:
    sign_in(page, grand_table, "hun", live_server)
    page.goto(f"{grand_table.home}n/huns/")
    page.locator("#o-attack-land a.button").click()
    page.wait_for_selector("#f-attack-land-from:focus")
    wait_until_settled(page)
    sources = page.locator("#f-attack-land-from option").all_inner_texts()
    before = page.locator("#f-attack-land-target option").all_inner_texts()
    for source in sources[1:]:
        with page.expect_response("**/preview/"):
            page.select_option("#f-attack-land-from", label=source)
        expect(page.locator("#f-attack-land-from option[selected]")).to_have_text(source)
        wait_until_settled(page)
    assert page.locator("#f-attack-land-target option").all_inner_texts() != before
    page.locator("#form-o-attack-land").get_by_text("Close").click()
    page.wait_for_selector("#form-o-attack-land", state="detached")
    wait_until_settled(page)
    page.locator("#o-build-religious button:not(.move__plan)").click()
    page.locator(".toast a").focus()  # it stays as long as it has the focus
    assert "Shrines announced: stability 7." in page.locator(".toast").inner_text()
    page.locator(".toast a").click()
    page.get_by_text("Shrines undone. The entry stays readable.").first.wait_for()
    page.uncheck("#show-off")
    assert not page.locator("#o-provincial-levy").is_visible()
    assert page.locator("#o-barracks").is_visible()


def test_a_choice_made_during_a_request_stays(
    live_server: Any, grand_table: GrandTable, page: Any
) -> None:
    held = list[Any]()
    sign_in(page, grand_table, "hun", live_server)
    page.goto(f"{grand_table.home}n/huns/?open=attack-land")
    page.route("**/preview/", lambda route: held.append(route))
    source = page.locator("#f-attack-land-from option").nth(1).get_attribute("value")
    page.select_option("#f-attack-land-from", source)
    wait_until(page, lambda: held)
    page.select_option("#f-attack-land-battle", index=1)
    battle = page.input_value("#f-attack-land-battle")
    held[0].continue_()
    wait_until(page, lambda: len(held) > 1)
    assert f"battle={battle}" in held[1].request.post_data
    held[1].continue_()
    expect(page.locator("#f-attack-land-battle option[selected]")).to_have_attribute(
        "value", battle
    )
    wait_until_settled(page)
    assert page.input_value("#f-attack-land-from") == source
    assert page.input_value("#f-attack-land-battle") == battle


def test_the_slot_stays_beside_the_moves(
    live_server: Any, grand_table: GrandTable, new_page: Any
) -> None:
    """On a desktop, purse, plan and end of slot stay visible.

    On a phone the page is short, and groups are closed.
    """
    page = new_page()
    sign_in(page, grand_table, "hun", live_server)
    page.goto(f"{grand_table.home}n/huns/")
    with page.expect_navigation():
        page.locator("#o-build-religious .move__plan").click()
    assert page.url.endswith("n/huns/")
    assert page.locator("#slot-plan .plan__step").count() == 1
    page.evaluate("scrollTo(0, document.body.scrollHeight / 2)")
    box = page.locator("#slot").bounding_box()
    assert 0 <= box["y"] < 40
    page.locator("#slot .plan__x").click()
    page.get_by_text("Nothing is planned.").first.wait_for()
    phone = new_page(width=390, has_touch=True, is_mobile=True)
    sign_in(phone, grand_table, "hun", live_server)
    phone.goto(f"{grand_table.home}n/huns/")
    assert phone.locator("#g-fiscal").get_attribute("open") is not None
    assert phone.locator("#g-military").get_attribute("open") is None
    phone.locator("#g-military > summary").click()
    assert phone.locator("#o-attack-land a.button").is_visible()
    phone.goto(f"{grand_table.home}n/huns/?open=attack-land")
    assert phone.locator("#f-attack-land-from").is_visible(), "the group of an open form is open"


def test_two_attacks_to_answer_fit_a_phone(
    live_server: Any, new_campaign: Any, new_page: Any
) -> None:
    """Each attack has one line with its buttons.

    Consequences are closed: in the player's own slot the page is at most 2,600 pixels high.
    """

    def attacked(grand_table: GrandTable) -> None:
        other = next(
            seat
            for seat in grand_table.order
            if seat not in ("huns", "romans")
            and grand_table.order.index(seat) > grand_table.order.index("huns")
        )
        grand_table.play(
            "gm", "set-owner", province="cappadocia", owner=other, reason="For two attacks."
        )
        grand_table.play(
            "huns", "attack", kind="land", **{"from": "pannonia", "target": "dalmatia"}
        )
        grand_table.slot_to(other)
        grand_table.play(other, "attack", kind="land", **{"from": "cappadocia", "target": "asia"})
        grand_table.slot_to("romans")

    grand_table = campaign_in_huns_slot(new_campaign, "two attacks", attacked)
    page = new_page(width=390, has_touch=True, is_mobile=True)
    sign_in(page, grand_table, "roman", live_server)
    page.goto(f"{grand_table.home}n/romans/")
    assert page.locator(".chal").count() == 2
    assert page.evaluate("document.documentElement.scrollHeight") <= 2600
    page.locator("#answer-2 .answer__do").first.click()
    page.locator(".toast").wait_for()
    assert page.locator(".chal").count() == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_a_phone(
    live_server: Any, grand_table: GrandTable, new_page: Any, scheme: str
) -> None:
    page = new_page(width=390, color_scheme=scheme)
    sign_in(page, grand_table, "hun", live_server)
    for path in ("n/huns/", "n/huns/?open=attack-land", "n/romans/"):
        page.goto(grand_table.home + path)
        assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_controls_are_large_enough_for_a_thumb(
    live_server: Any, grand_table: GrandTable, new_page: Any
) -> None:
    """Controls are at least 44 px high.

    The toast does not cover the button of the purse.
    """
    page = new_page(width=390, has_touch=True, is_mobile=True)
    sign_in(page, grand_table, "hun", live_server)
    page.goto(f"{grand_table.home}n/huns/?open=attack-land")
    for what in (".select", ".ledger__filter a", ".foot a", ".bar__mark", ".order > li"):
        heights = page.locator(what).evaluate_all(
            "all => all.map((one) => one.getBoundingClientRect().height)"
        )
        assert min(heights, default=0) >= 44, what
    page.locator("#o-build-religious button:not(.move__plan)").click()
    page.wait_for_selector(".toast")
    wait_until(
        page,
        "((toast, purse) => toast && toast.getBoundingClientRect().bottom <="
        " purse.getBoundingClientRect().top)(document.querySelector('.toast'),"
        " document.querySelector('.purse-bar'))",
    )


def test_without_script_a_toast_covers_nothing(
    live_server: Any, grand_table: GrandTable, new_page: Any
) -> None:
    page = new_page(width=390, java_script_enabled=False)
    sign_in(page, grand_table, "hun", live_server)
    page.goto(f"{grand_table.home}n/huns/")
    with page.expect_navigation():
        page.locator("#o-build-religious button:not(.move__plan)").click()
    toast, sheet = (
        page.locator(".toast").bounding_box(),
        page.locator("main .sheet").first.bounding_box(),
    )
    assert toast["y"] + toast["height"] <= sheet["y"]


def test_the_focus_stays_after_an_update(
    live_server: Any, grand_table: GrandTable, page: Any
) -> None:
    sign_in(page, grand_table, "hun", live_server)
    page.goto(f"{grand_table.home}n/huns/")
    page.locator("#o-attack-land a.button").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#f-attack-land-from:focus")
    wait_until_settled(page)
    page.locator("#form-o-attack-land").get_by_text("Close").press("Enter")
    page.locator("#form-o-attack-land").wait_for(state="detached")
    page.wait_for_selector("#o-attack-land a.button:focus")
    wait_until_settled(page)
    page.locator("#o-build-religious button:not(.move__plan)").press("Enter")
    page.wait_for_selector("#o-build-religious button:focus")
    wait_until_settled(page)
    page.locator(".toast a").press("Enter")
    page.get_by_text("Shrines undone.").first.wait_for()
    page.wait_for_selector("#main:focus")


@pytest.mark.parametrize("width", [390, 1280])
def test_a_name_of_one_long_word_breaks(
    live_server: Any, grand_table: GrandTable, new_page: Any, width: int
) -> None:
    type(grand_table.campaign).objects.filter(pk=grand_table.campaign.pk).update(name="W" * 100)
    page = new_page(width=width)
    sign_in(page, grand_table, "gm", live_server)
    for path in (grand_table.home, f"{grand_table.home}seats/", "/"):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") == width

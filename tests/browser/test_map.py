"""The map under pointer, wheel, fingers and keys; its layers; its use without a script."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from people.models import User
from tests.browser.laid_out import create_demonstration
from tests.browser.steady import wait_until, wait_until_settled

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ZOOM = "new DOMMatrix(getComputedStyle(document.querySelector('.map__world')).transform).a"


BOX = """(({x, y, width, height}) => [x, y, width, height])(
    document.querySelector(".m-hits a[aria-label^='Moesia Prima'] use").getBoundingClientRect())"""
GLIDES = "document.querySelector('.map__view').style.transform !== ''"
KEPT = """(() => {
    const [near, x, y] = document.querySelector('.map__world').style.transform.match(/-?[\\d.]+/g).map(Number);
    const {width, height} = document.querySelector('.map__svg').viewBox.baseVal;
    const at = location.hash.slice('#at='.length).split(',').map(Number);
    return Math.hypot(at[0] - width / 2 + x, at[1] - height / 2 + y) < 2 && Math.abs(at[2] - near) < 0.02;
})()"""  # noqa: E501
"""The address contains the position of the map."""


@pytest.fixture
def visit(new_page: Callable[..., Any], live_server: Any) -> Callable[..., Any]:
    """Return a function that opens a page of the demonstration in Benedetto's window.

    For example `visit("n/romans/", width=390)`.
    """
    home = f"/c/{create_demonstration().address}/"

    def make(path: str = "", name: str = "Benedetto", **options: Any) -> Any:
        page = new_page(**options)
        client = Client()
        client.force_login(User.objects.get(username=name))
        value = client.cookies["sessionid"].value
        page.context.add_cookies([{"name": "sessionid", "value": value, "url": live_server.url}])
        page.goto(home + path)
        return page

    return make


def at_rest(page: Any) -> None:
    """Wait until the page has not moved for half a second."""
    wait_until(
        page,
        "(at => { const now = [scrollY, performance.now()]; if (at[0] !== now[0]) window.restedAt ="
        " now; return now[1] - window.restedAt[1] > 500; })(window.restedAt ??= [NaN, 0])",
    )


def middle(page: Any, province: str) -> tuple[float, float]:
    box = page.locator(f".m-hits a[href='?province={province}#province']").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def touch(page: Any, *steps: list[tuple[float, float]]) -> None:
    """Set fingers down, move and lift them; each step gives their places.

    They rest before they are lifted, because a thrown page would continue to scroll.
    """
    devtools = page.context.new_cdp_session(page)
    for at, fingers in enumerate(steps):
        points = [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(fingers)]
        devtools.send(
            "Input.dispatchTouchEvent",
            {"type": "touchMove" if at else "touchStart", "touchPoints": points},
        )
    page.wait_for_timeout(300)
    devtools.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": points})
    devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_timeout(100)


# moving -------------------------------------------------------------------------------------------
def test_the_wheel_zooms_with_ctrl_and_scrolls_the_page_without(visit: Callable[..., Any]) -> None:
    page = visit()
    x, y = middle(page, "dalmatia")
    page.mouse.move(x, y)
    page.mouse.wheel(0, 200)
    wait_until(page, "scrollY >= 200")  # all of the scroll
    at_rest(page)
    assert page.evaluate(ZOOM) == 1
    page.evaluate("scrollTo(0, 0)")
    at_rest(page)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -400)
    page.keyboard.up("Control")
    wait_until(page, f"{ZOOM} > 2")
    assert page.evaluate("scrollY") == 0
    # The place under the pointer is still there.
    assert middle(page, "dalmatia") == pytest.approx((x, y), abs=3)


def test_a_drag_moves_the_near_map_and_opens_nothing(visit: Callable[..., Any]) -> None:
    page = visit()
    for _ in range(3):
        page.get_by_role("button", name="Zoom in").click()
    assert page.evaluate(ZOOM) == pytest.approx(1.6**3)
    before = middle(page, "asia")
    page.mouse.move(640, 500)
    page.mouse.down()
    page.mouse.move(700, 480, steps=4)
    page.mouse.move(740, 460, steps=4)
    page.mouse.up()
    after = middle(page, "asia")
    assert (after[0] - before[0], after[1] - before[1]) == pytest.approx((100, -40), abs=8)
    assert "province=" not in page.url
    wait_until(page, KEPT)  # the address changes when the pointer rests
    page.reload()
    assert middle(page, "asia") == pytest.approx(after, abs=4)
    page.get_by_role("button", name="The whole map").click()
    assert page.evaluate(ZOOM) == 1
    page.wait_for_url(lambda url: "#" not in url)


def test_keys_go_from_province_to_province_and_zoom(visit: Callable[..., Any]) -> None:
    page = visit()
    link = page.locator(".m-hits a[tabindex='0']")
    page.locator(".m-hits a[aria-label^='Dalmatia']").focus()
    assert link.count() == 1  # one tab stop, once the provinces were visible
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith(
        "Macedonia"
    )
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith(
        "Italia Suburbicaria"
    )
    page.keyboard.press("+")
    assert page.evaluate(ZOOM) == pytest.approx(1.5)
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("-")
    assert page.evaluate(ZOOM) == 1
    page.keyboard.press("+")
    page.keyboard.press("0")
    assert page.evaluate(ZOOM) == 1
    assert link.count() == 1


def test_a_region_takes_the_map_back_from_the_hand(visit: Callable[..., Any]) -> None:
    page = visit()
    page.get_by_role("button", name="Zoom in").click()
    page.locator("#z-danube").check(force=True)
    assert page.evaluate(ZOOM) == pytest.approx(2.6)
    page.locator("#z-whole").check(force=True)
    assert page.evaluate(ZOOM) == 1


def test_the_map_glides_as_one_picture_and_is_there_at_once_when_asked_again(
    visit: Callable[..., Any],
) -> None:
    page = visit()
    page.emulate_media(reduced_motion="no-preference")
    page.clock.install()  # from here on the test asks for each frame of the page
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    nearer = page.get_by_role("button", name="Zoom in")
    nearer.click()
    assert page.evaluate(f"[{GLIDES}, {ZOOM}]") == [True, 1]
    nearer.click()  # the map jumps to its target and continues from there
    assert page.evaluate(f"[{GLIDES}, {ZOOM}]") == [True, pytest.approx(1.6)]
    page.clock.run_for(500)
    assert page.evaluate(f"[{GLIDES}, {ZOOM}]") == [False, pytest.approx(2.56)]
    page.get_by_role("button", name="The whole map").click()  # farther out: painted first
    assert page.evaluate(f"[{GLIDES}, {ZOOM}]") == [True, 1]
    page.clock.run_for(500)
    assert page.evaluate(f"[{GLIDES}, {ZOOM}]") == [False, 1]
    regions = "label:has(#z-danube)", "label:has(#z-whole)"
    for press in ('.map__zoom [data-times="1.6"]', '.map__zoom [data-times="0.625"]', *regions):
        before = page.evaluate(BOX)
        page.locator(press).click()
        assert page.evaluate(f"[{GLIDES}, {BOX}]") == [True, pytest.approx(before, abs=1)], press
        page.clock.run_for(220)
        assert page.evaluate(BOX) != pytest.approx(before, abs=5), press
        # the glide ends 420 ms after its first frame: this is the frame before
        page.clock.run_for(200)
        last = page.evaluate(BOX)
        assert page.evaluate(GLIDES), press
        page.clock.run_for(40)
        assert page.evaluate(f"[{GLIDES}, {BOX}]") == [False, pytest.approx(last, abs=1)], press


def test_a_page_that_was_left_while_its_map_glided_comes_back_as_it_is(
    visit: Callable[..., Any],
) -> None:
    """Htmx stores and restores a page as it is, with the transform of the glide."""
    page = visit()
    page.emulate_media(reduced_motion="no-preference")
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    page.get_by_role("button", name="Zoom in").click()
    page.clock.run_for(200)
    assert page.evaluate(GLIDES)
    page.evaluate(
        "() => { const map = document.querySelector('.map'), again = map.cloneNode(true);"
        " map.replaceWith(again); htmx.process(again); htmx.trigger(again, 'htmx:load', {elt:"
        " again}); }"
    )
    assert not page.evaluate(GLIDES)


def test_a_province_that_is_pointed_at_is_framed_above_all_and_says_its_name(
    visit: Callable[..., Any],
) -> None:
    page = visit()
    asia = page.locator(".m-hits a[aria-label='Asia, Romans']")
    page.mouse.move(*middle(page, "asia"))
    frame = page.locator(".map__world > .m-pointed:last-child")
    assert frame.get_attribute("href").endswith("#o-asia")
    assert asia.locator("title").inner_html() == "Asia, Romans"
    page.mouse.move(5, 5)
    assert page.locator(".m-pointed").count() == 0
    asia.focus()
    page.keyboard.press("ArrowDown")
    page.mouse.move(*middle(page, "asia"))  # both are visible
    focused = page.locator(".map__world > .m-pointed.is-focus").get_attribute("href").split("#")[1]
    assert focused == "o-" + page.evaluate(
        "new URL(document.activeElement.getAttribute('href'),"
        " location).searchParams.get('province')"
    )
    assert page.locator(".m-pointed:not(.is-focus)").get_attribute("href").endswith("#o-asia")
    assert focused != "o-asia"


def test_one_finger_scrolls_the_page_two_zoom_the_map(visit: Callable[..., Any]) -> None:
    page = visit(width=390, height=844, has_touch=True, is_mobile=True)
    whole = page.evaluate(ZOOM)
    touch(page, [(200, 340)], [(200, 300)], [(200, 240)], [(200, 160)])
    wait_until(page, "scrollY > 80")
    assert page.evaluate(ZOOM) == whole
    at_rest(page)
    page.evaluate("scrollTo(0, 0)")
    at_rest(page)
    assert page.evaluate("scrollY") == 0
    touch(page, *[[(200.0 - d, 320.0), (200.0 + d, 320.0)] for d in (20, 40, 60, 80)])
    wait_until(page, f"{ZOOM} > 2")
    assert page.evaluate("[scrollY, visualViewport.scale]") == [0, 1]
    before = page.locator(".m-hits a[aria-label^='Asia']").bounding_box()
    touch(page, [(200, 340)], [(200, 330)], [(200, 300)])
    after = page.locator(".m-hits a[aria-label^='Asia']").bounding_box()
    assert after["y"] < before["y"] - 20
    assert page.evaluate("scrollY") == 0


# layers -------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("box", "gone", "stays"),
    [
        ("sea route", ".m-routes use", ".arrow"),
        ("fortification", ".m-fort", ".m-star"),
        ("covert attack", ".arrow", ".m-fort"),
        ("owners", ".m-star", ".m-label"),
    ],
)
def test_a_layer_is_hidden_and_that_is_remembered(
    visit: Callable[..., Any], box: str, gone: str, stays: str
) -> None:
    page = visit()
    shown = page.locator(f".map {gone}").first
    assert shown.is_visible()
    page.locator(".map__layers").get_by_label(box).uncheck()
    assert not shown.is_visible()
    assert page.locator(f".map {stays}").first.is_visible()
    page.reload()
    assert not page.locator(f".map {gone}").first.is_visible()
    page.locator(".map__layers").get_by_label(box).check()
    assert page.locator(f".map {gone}").first.is_visible()


def test_recent_attacks_are_shown_on_request(visit: Callable[..., Any]) -> None:
    page = visit()
    past = page.locator(".m-fought .arrow").first
    assert not past.is_visible()
    page.locator(".map__layers").get_by_label("attacks fought recently").check()
    assert past.is_visible()


# a province ---------------------------------------------------------------------------------------
def test_a_province_opens_its_sheet_beside_the_map(visit: Callable[..., Any]) -> None:
    page = visit()
    page.evaluate("window.same = true")
    page.mouse.click(*middle(page, "hunnia"))
    sheet = page.locator("#province.is-lifted")
    sheet.wait_for()
    assert sheet.locator("h2").inner_text() == "Hunnia"
    page.wait_for_url("**/?province=hunnia")
    wait_until_settled(page)
    assert page.locator(".atlas .m-selected").get_attribute("href").endswith("#o-hunnia")
    sheet.get_by_role("link", name="Pannonia").first.click()
    wait_until(
        page, "document.querySelector('#province.is-lifted h2')?.textContent.trim() === 'Pannonia'"
    )
    wait_until(
        page,
        "document.querySelector('.atlas .m-selected').getAttribute('href').endsWith('#o-pannonia')",
    )
    wait_until_settled(page)
    page.keyboard.press("Escape")
    assert page.locator("#province.is-lifted").count() == 0
    assert page.locator("#province h2").inner_text() == "Pannonia"
    page.locator(".m-hits a[aria-label^='Asia']").focus()
    page.keyboard.press("Enter")
    wait_until(page, "document.activeElement.textContent.trim() === 'Asia'")
    wait_until_settled(page)
    # Others have moved meanwhile: the provinces are drawn again, and the way back is still found.
    page.evaluate(
        "(part => { part.innerHTML = part.innerHTML; })(document.querySelector('.atlas .m-hits'))"
    )
    page.get_by_role("button", name="Close").click()
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Asia, Romans"
    assert page.evaluate("window.same")


@pytest.mark.parametrize("script", [True, False])
def test_on_a_telephone_the_address_of_a_province_leads_to_its_sheet(
    visit: Callable[..., Any], script: bool
) -> None:
    page = visit(
        "?province=asia#province",
        width=390,
        height=844,
        has_touch=True,
        is_mobile=True,
        java_script_enabled=script,
    )
    if script:
        at_rest(page)
    assert 0 <= page.locator("#province").bounding_box()["y"] < 300
    page.get_by_role("link", name="Provinces as a table").click()
    if script:
        at_rest(page)
    assert 0 <= page.locator("#provinces").bounding_box()["y"] < 700  # the page ends below it
    page = visit(
        "", width=390, height=844, has_touch=True, is_mobile=True, java_script_enabled=script
    )
    page.get_by_role("link", name="Provinces as a table").click()
    if script:
        at_rest(page)
    assert (
        0 <= page.locator("#provinces").bounding_box()["y"] < (150 if script else 700)
    )  # a script opens it


def test_a_target_on_the_map_fills_the_form(visit: Callable[..., Any]) -> None:
    page = visit("n/romans/?open=attack-land")
    target = page.locator("#f-attack-land-target")
    assert target.input_value() == "caesariensis"
    with page.expect_response("**/preview/"):
        page.locator("#f-attack-land-battle").select_option(index=1)
    wait_until(
        page,
        "document.querySelector('#f-attack-land-battle option:nth-child(2)[selected]') !== null",
    )
    wait_until_settled(page)
    battle = page.locator("#f-attack-land-battle").input_value()
    page.locator(".m-hits a[data-value='tripolitania']").click()
    wait_until(
        page,
        "document.querySelector('.m-lit.is-target')?.getAttribute('href').endsWith('#o-tripolitania')",
    )
    wait_until_settled(page)
    assert target.input_value() == "tripolitania"
    assert page.locator("#f-attack-land-battle").input_value() == battle
    assert page.locator("#o-attack-land .follows").inner_text().count("Tripolitania") >= 1


def test_a_target_on_the_map_fills_the_form_without_script(visit: Callable[..., Any]) -> None:
    page = visit("n/romans/?open=attack-land", java_script_enabled=False)
    page.locator(".m-hits a[data-value='tripolitania']").click()
    page.wait_for_url(
        "**/?open=attack-land&from=africa&target=tripolitania&battle=open#o-attack-land"
    )
    assert page.locator("#f-attack-land-target").input_value() == "tripolitania"


# without script -----------------------------------------------------------------------------------
def test_without_script_regions_move_layers_hide_and_provinces_open(
    visit: Callable[..., Any],
) -> None:
    page = visit(java_script_enabled=False)
    assert page.get_by_role("button", name="Zoom in").count() == 0
    assert page.locator(".atlas .map").get_attribute("data-hand") is None
    page.locator("#z-danube").check(force=True)
    page.locator(".map__layers").get_by_label("sea route").uncheck()
    assert not page.locator(".map .m-routes use").first.is_visible()
    touch = page.evaluate("getComputedStyle(document.querySelector('.map__svg')).touchAction")
    assert touch == "auto"  # one finger scrolls, two zoom the page
    page.locator("#z-whole").check(force=True)
    page.mouse.click(*middle(page, "dalmatia"))
    page.wait_for_url("**/?province=dalmatia#province")
    assert page.locator("#province h2").inner_text() == "Dalmatia"

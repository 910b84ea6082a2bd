"""Tetrarchia in a browser: every moment wide and narrow, and a round without script on a phone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from campaign import services
from campaign.log import positions, selectors
from campaign.models import Campaign
from games.tetrarchia.bots.players import sensible
from tests.browser.axe import OVERFLOW_WIDTH, PageChecker, page_checker  # noqa: F401
from tests.browser.steady import resize

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

OVERLAPS = """() => {
  const svg = document.querySelector(".play-stage svg");
  const scale = Number(svg.style.getPropertyValue("--s"));
  const shown = (node) => {
    const style = getComputedStyle(node);
    return style.display !== "none" && style.visibility !== "hidden";
  };
  const apart = (a, b) => a.x1 <= b.x0 || b.x1 <= a.x0 || a.y1 <= b.y0 || b.y1 <= a.y0;
  const lines = [];
  for (const name of svg.querySelectorAll(".b-name")) {
    if (!shown(name)) continue;
    const half = 0.34 * parseFloat(getComputedStyle(name).fontSize) * scale;
    for (const line of name.children) {
      const box = line.getBoundingClientRect();
      const middle = (box.top + box.bottom) / 2;
      const [y0, y1] = [middle - half, middle + half];
      lines.push({ key: name.dataset.name, x0: box.left, x1: box.right, y0, y1 });
    }
  }
  const found = [];
  for (const [place, a] of lines.entries()) {
    for (const b of lines.slice(0, place)) {
      if (a.key !== b.key && !apart(a, b)) found.push(`${a.key} on ${b.key}`);
    }
    for (const circle of svg.querySelectorAll(".b-circle, .b-no circle, .b-num circle")) {
      const box = circle.getBoundingClientRect();
      const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
      const r = box.width / 2;
      const [dx, dy] = [Math.max(a.x0 - x, 0, x - a.x1), Math.max(a.y0 - y, 0, y - a.y1)];
      if (dx * dx + dy * dy < r * r) found.push(`${a.key} on a circle`);
    }
    for (const piece of svg.querySelectorAll("[data-layer=pieces] .p-k")) {
      const { left, right, top, bottom } = piece.getBoundingClientRect();
      const area = { x0: left, x1: right, y0: top, y1: bottom };
      if (!apart(a, area)) found.push(`${a.key} on ${piece.className.baseVal}`);
    }
  }
  const names = [...svg.querySelectorAll(".b-name")];
  return { found, shown: names.filter(shown).length, far: svg.closest(".is-far") !== null };
}"""
"""The names on the board that cover another name, a circle, a number or a piece."""
MOMENTS: dict[str, Callable[[Any], bool]] = {
    "fleets": lambda p: p.phase == "fleets",
    "enter": lambda p: p.can_enter,
    "attack": lambda p: (
        p.phase == "roman" and any(p.at in near for near in map(near_of, p.barbarians))
    ),
    "over": lambda p: p.phase == "over",
}


def near_of(space: str) -> set[str]:
    from games.tetrarchia.rules.position import LINKS

    return set(LINKS[space])


def played(user: Any, there: Callable[[Any], bool]) -> str:
    campaign = services.found_campaign(
        user, "tetrarchia", "The night of the four", "standard", {}, seed="b" * 64
    )
    while not there(position := selectors.position(campaign)):
        raw = sensible(position)
        assert raw is not None
        campaign = services.play(
            campaign, user, {"by": "tetrarchy", **raw}, selectors.seen(campaign, user)
        ).campaign
    return f"/c/{campaign.address}/"


def test_every_moment_wide_and_narrow(
    page_checker: PageChecker,  # noqa: F811
    person: Callable[..., Any],
) -> None:
    user = person("Shirin")
    homes = {name: played(user, there) for name, there in MOMENTS.items()}
    for name, home in homes.items():
        page_checker.visit("Shirin", home, whole=name == "attack")
    page_checker.visit("Shirin", homes["attack"] + "?at=roma", whole=False)
    page = page_checker.window("Shirin")
    resize(page, 320, 700)
    for name, home in homes.items():
        page.goto(home)
        assert page.evaluate(OVERFLOW_WIDTH) <= 0, name


def test_a_round_on_a_phone_without_script(new_page: Callable[..., Any]) -> None:
    page = new_page(width=390, java_script_enabled=False)
    page.goto("/")
    page.get_by_role("button", name="Play Tetrarchia now").click()
    page.get_by_role("button", name="Place the fleets").click()
    for name in ("Diocletian", "Galerius", "Constantius", "Maximian"):
        page.get_by_role("heading", name=f"{name}’s turn").wait_for()
        for pressed in (
            page.get_by_role("button", name="Enter in ROMA"),
            page.locator(".goals__list button").first,
            page.get_by_role("button", name="End the turn"),
        ):
            with page.expect_navigation():
                pressed.click()
            assert page.locator("[role=alert]").count() == 0
    page.get_by_role("heading", name="The barbarians after Maximian").wait_for()
    assert selectors.position(Campaign.objects.get()).round == 2


@pytest.mark.parametrize("width", [1280, 390])
def test_a_turn_on_the_board(
    width: int,
    page_checker: PageChecker,  # noqa: F811
    person: Callable[..., Any],
) -> None:
    """Play by keys and by taps.

    Nothing is written before a die is rolled, one request sends everything, and a film shows it.
    """
    user = person("Shirin")
    home = played(user, lambda position: position.can_enter)
    campaign = Campaign.objects.get()
    page = page_checker.window("Shirin")
    resize(page, width, 844)
    requests: list[str] = []
    page.on(
        "request",
        lambda request: requests.append(request.url) if request.method == "POST" else None,
    )
    page.goto(home)
    bar = page.locator(".play-bar")
    bar.get_by_text("Diocletian enters the board").first.wait_for()
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    page.locator('[data-key="roma"]').focus()
    page.keyboard.press("Enter")
    bar.get_by_role("button", name="Enter in ROMA").wait_for()
    page.keyboard.press("Enter")
    bar.get_by_text("Diocletian in ROMA, 6 IP").first.wait_for()
    page.keyboard.press("z")
    bar.get_by_text("Diocletian enters the board").first.wait_for()
    bar.get_by_role("button", name="Enter in ROMA").click()
    bar.get_by_text("Diocletian in ROMA, 6 IP").first.wait_for()
    page.locator('[data-key="roma"]').focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    bar.get_by_role("button", name="March to").wait_for()
    page.keyboard.press("Escape")
    bar.get_by_text("Diocletian in ROMA, 6 IP").first.wait_for()
    page.keyboard.press("Enter")
    bar.get_by_role("button", name="March to").click()
    page.get_by_text("Take back").first.wait_for(state="attached")  # on a telephone in the drawer
    assert [entry.content["move"] for entry in positions.moves_in_force(campaign)] == [
        "begin",
        "place_fleets",
    ]
    planned = len(requests)
    with page.expect_response("**/moves/"):
        bar.get_by_role("button", name="End the turn").click()
    page.locator(".film__say").wait_for()
    page.keyboard.press("End")
    bar.get_by_text("Galerius").first.wait_for()
    assert len(requests) - planned == 1
    assert [entry.content["move"] for entry in positions.moves_in_force(campaign)][2:] == [
        "enter",
        "move",
        "end_turn",
    ]
    page.locator("#h-film").wait_for(state="visible" if width == 1280 else "attached")
    page_checker.check(page, f"the board in play, {width}", whole=False)


@pytest.mark.parametrize("width", [1280, 390])
def test_names_never_cover_each_other_or_a_piece(
    width: int,
    page_checker: PageChecker,  # noqa: F811
    person: Callable[..., Any],
) -> None:
    """Look at every moment of three rounds, and at the last of them at every scale."""
    user = person("Shirin")
    home = played(user, lambda position: position.round == 3)
    page = page_checker.window("Shirin")
    resize(page, width, 844)
    page.goto(home)
    page.locator(".play-bar button").first.wait_for()
    nearer, farther = (page.locator("[data-zoom]").nth(place) for place in (0, 1))
    for press in (None, *[nearer] * 5, *[farther] * 9):
        if press:
            press.click()
        names = page.evaluate(OVERLAPS)
        assert names["found"] == []
        assert names["far"] or names["shown"] >= 42
    page.goto(home + "history/film/?since=3&to=40")
    page.locator("[data-theatre-do=play]").click()
    forward = page.locator("[data-film=pause]")
    moments = 0
    while forward.is_visible():
        assert page.evaluate(OVERLAPS)["found"] == []
        forward.dispatch_event("click")  # the film may just have ended
        moments += 1
    assert moments > 20


def test_the_camera_follows_the_acting_emperor(
    page_checker: PageChecker,  # noqa: F811
    person: Callable[..., Any],
) -> None:
    """On a phone it goes to the Emperor after each film, and leaves the board alone in a turn."""
    user = person("Shirin")
    home = played(user, lambda position: position.can_enter)
    page = page_checker.window("Shirin")
    resize(page, 390, 844)
    page.goto(home)
    bar = page.locator(".play-bar")
    bar.get_by_role("button", name="Enter in BITHYNIA").click()
    bar.get_by_text("Diocletian in BITHYNIA").first.wait_for()
    assert in_the_middle(page, "bithynia")
    page.mouse.move(60, 300)
    page.mouse.down()
    page.mouse.move(120, 340, steps=4)
    page.mouse.up()
    panned = world(page)
    page.locator("[data-key=asia]").focus()
    page.keyboard.press("Enter")
    bar.get_by_role("button", name="March to ASIA").click()
    bar.get_by_text("Diocletian in ASIA").first.wait_for()
    assert world(page) == panned
    bar.get_by_role("button", name="End the turn").click()
    bar.get_by_text("Galerius enters the board").first.wait_for()
    assert world(page) != panned
    assert in_view(page, "roma")
    assert in_view(page, "pannonia_inferior")


def world(page: Any) -> tuple[str, str]:
    """Return the horizontal place and the scale of the board.

    Its vertical place also depends on the height of the bar.
    """
    moved = str(page.locator(".map__world").evaluate("(world) => world.style.transform"))
    return moved.partition(",")[0], moved.partition(" scale")[2]


def spot(page: Any, key: str) -> tuple[float, float]:
    """Return the place of a space in the window of the board, as shares of its size."""
    stage = page.locator(".play-stage").bounding_box()
    box = page.locator(f'[data-key="{key}"] circle').bounding_box()
    return (
        (box["x"] + box["width"] / 2 - stage["x"]) / stage["width"],
        (box["y"] + box["height"] / 2 - stage["y"]) / stage["height"],
    )


def in_view(page: Any, key: str) -> bool:
    return all(0 < share < 1 for share in spot(page, key))


def in_the_middle(page: Any, key: str) -> bool:
    return all(0.3 < share < 0.7 for share in spot(page, key))

"""March on Rome as a player sees it: a whole reign, and every moment of the page at all sizes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from campaign.log import selectors
from campaign.models import Campaign
from tests.browser.axe import OVERFLOW_WIDTH, PageChecker, page_checker  # noqa: F401
from tests.browser.steady import resize
from tests.march_on_rome.founded import founded

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

GENERAL = "Albinus of the long and unbroken surname"


def pending(position: Any, kind: str) -> bool:
    return position.pending is not None and position.pending["kind"] == kind


MOMENTS: dict[str, tuple[int, Callable[[Any], bool]]] = {
    "choose": (363, lambda p: p.phase == "pc" and p.turn == 3 and not p.pending),
    "attack": (
        22,
        lambda p: (
            pending(p, "devote")
            and p.pending["side"] == "attacker"
            and p.battle["initiative"] == "defender"
        ),
    ),
    "attack, first": (
        12,
        lambda p: pending(p, "devote") and p.battle["initiative"] == "attacker" and p.turn > 1,
    ),
    "defence": (4, lambda p: pending(p, "devote") and p.pending["side"] == "defender"),
    "invasion": (31, lambda p: pending(p, "devote") and p.battle["cause"] == "invasion"),
    "answer": (3, lambda p: pending(p, "answer")),
    "year": (107, lambda p: p.phase == "events" and p.turn >= 3 and not p.pending),
    "won": (8, lambda p: p.result == "won"),
    "driven out": (95, lambda p: p.result == "lost"),
}
"""Seed of a sensible player's reign, and the position at which it stops."""


def reign(user: Any, seed: int, there: Callable[[Any], bool]) -> str:
    """Play a reign up to a moment and return its address."""
    return f"/c/{founded(user, seed, there, GENERAL).address}/"


def fights(user: Any, home: str) -> list[str]:
    """Return where the first battle against each kind of holder is in the log, one segment each."""
    campaign = Campaign.objects.get(public_id=home.split("/")[2][:8])
    first: dict[str, str] = {}
    for shown in selectors.moves_on_page(campaign, user):
        for effect in shown.effects:
            if effect.kind == "battle_over" and any(
                effect.kind == "segment" for effect in shown.effects
            ):
                first.setdefault(str(effect.facts["defender"])[:3], f"?told={shown.number}.1")
    assert first
    return list(first.values())


def signed_in(page: Any, user: Any, live_server: Any) -> None:
    client = Client()
    client.force_login(user)
    page.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
    )


@pytest.mark.parametrize(
    "moments",
    [("choose", "answer"), pytest.param(tuple(MOMENTS), marks=pytest.mark.nightly)],
    ids=["some", "every"],
)
def test_moments_at_every_size(
    page_checker: PageChecker,  # noqa: F811
    person: Callable[..., Any],
    moments: tuple[str, ...],
) -> None:
    user = person("Benedetto")
    homes = {name: reign(user, *MOMENTS[name]) for name in moments}
    for name, home in homes.items():
        page = page_checker.visit("Benedetto", home, whole=name == "answer")
        if name == "choose":
            page.locator("details.target summary").first.click()
            page_checker.check(page, "a target opened", whole=False)
        if name == "year":
            for fought in fights(user, home):
                page_checker.visit("Benedetto", home + fought, whole=False)
    page = page_checker.window("Benedetto")
    resize(page, 320, 700)
    for name, home in homes.items():
        page.goto(home)
        assert page.evaluate(OVERFLOW_WIDTH) <= 0, name


@pytest.mark.parametrize("name", ["attack", "defence", "answer", "year"])
def test_on_a_phone_the_button_that_decides_is_under_the_thumb(
    name: str, new_page: Callable[..., Any], live_server: Any, person: Callable[..., Any]
) -> None:
    user = person("Benedetto")
    page = new_page(width=390, height=844)
    signed_in(page, user, live_server)
    page.goto(reign(user, *MOMENTS[name]))
    button = page.locator(".play-bar .button--primary").bounding_box()
    assert button["y"] > 844 - 250
    assert button["y"] + button["height"] <= 844
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


def go(page: Any, pressed: Any, done: str) -> str:
    """Press a button that leads to another page, and wait for that page."""
    with page.expect_navigation():
        pressed.click()
    return done


def decide(page: Any) -> str:
    """Make the decision that the page waits for by its proposals, and return it."""
    if page.locator("section.laurel").count():
        return "end"
    for name, role in (
        ("No, fight", "button"),
        ("Devote", "button"),
        ("Play the year out", "button"),
        ("To your decision", "link"),
        ("To the end", "link"),
    ):
        result = page.get_by_role(role, name=name)
        if result.count():
            return go(page, result.first, name)
    target = page.locator("details.target").first
    if not target.count():
        return go(page, page.get_by_role("button", name="Pass the year"), "pass")
    target.locator("summary").click()
    if not target.locator("[value=attack]").is_enabled():
        return go(page, page.get_by_role("button", name="Pass the year"), "pass")
    ends = target.get_by_label("ends my reign").count()
    ally = not ends and "YES 83%" in target.inner_text()
    target.get_by_label("play on to my next decision").check()
    return go(page, target.locator(f"button[value={'ally' if ally else 'attack'}]"), "act")


def watched_to_the_end(page: Any) -> None:
    """Wait until the film of the decisions reaches the next decision or the end of the reign."""
    page.wait_for_function("""() => { if (!document.querySelector(".play-main")) return true;
        if (document.querySelector(".play-bar").getAttribute("aria-busy") === "true") return false;
        if (!document.body.classList.contains("is-film")) return true;
        document.querySelector("[data-film=skip]").click(); return false; }""")


OUTLINES_BELOW = """() => {
    const [lines, names] = [".m-lit", ".m-label, .m-std, .b-chance"]
        .map((css) => [...document.querySelectorAll(`.map__world :is(${css})`)]);
    return lines.length > 0 && lines.every((line) => names.every((name) =>
        line.compareDocumentPosition(name) & Node.DOCUMENT_POSITION_FOLLOWING)); }"""


def test_a_reign_on_the_map(
    new_page: Callable[..., Any], live_server: Any, person: Callable[..., Any]
) -> None:
    """A year takes at most four presses, and one request for each decision."""
    user = person("Benedetto")
    page = new_page(width=1280)
    signed_in(page, user, live_server)
    posts: list[str] = []
    page.on(
        "request", lambda request: posts.append(request.url) if request.method == "POST" else None
    )
    page.goto(reign(user, 107, lambda position: position.phase == "pc" and not position.pending))
    years, presses = list[int](), 0
    bar = page.locator(".play-bar")
    bar.get_by_text("Year 1: attack").first.wait_for()
    before = len(posts)
    for _ in range(200):
        if not page.locator(".play-main").count() or len(years) == 5:
            break
        if "attack, offer" in bar.inner_text():
            years, presses = [*years, presses], 0
            if len(years) > 1:  # the film of the year was skipped; the bar sums up the year
                line = bar.locator(".play-bar__told").inner_text()
                assert line.startswith(f"Year {len(years) - 1}: "), line
            assert page.evaluate(OUTLINES_BELOW)
            best = page.evaluate(
                """() => Object.entries(JSON.parse(document.getElementById("board-data").textContent).targets)
                .sort((a, b) => b[1].share - a[1].share).filter((one) => one[1].share > 70)[0]?.[0]"""  # noqa: E501
            )
            if best is None:
                bar.get_by_role("button", name="Pass the year").click()
                presses += 1
                watched_to_the_end(page)
                continue
            page.locator(f'[data-key="{best}"]').focus()
            page.keyboard.press("Enter")
            presses += 1
        out = bar.get_by_role("button", name="auto-play the year")
        if presses == 3 and out.count():
            out.click()
        else:
            bar.locator(".button--primary").click()
        presses += 1
        watched_to_the_end(page)
    assert max(years) <= 4, years
    assert len(years) > 1
    assert len(posts) - before <= sum(years) + presses


def test_an_evening_from_the_front_page_to_the_end_of_a_reign(new_page: Callable[..., Any]) -> None:
    """Without a script, by the page's forms."""
    page = new_page(width=390, java_script_enabled=False)
    page.goto("/")
    go(page, page.get_by_role("button", name="Play March on Rome now"), "play")
    page.get_by_role("heading", name="Your action, year 1").wait_for()
    done = []
    for _ in range(120):
        assert page.locator("[role=alert]").count() == 0
        done.append(decide(page))
        if done[-1] == "end":
            break
        if len(done) > 60:
            page.goto(page.url.partition("?")[0])
            if (end := page.get_by_role("button", name="Play to the end for me")).count():
                go(page, end, "end")
    assert done[-1] == "end"
    assert "act" in done
    page.get_by_role("heading", name="The reign, province by province").wait_for()
    page.get_by_role("heading", name="Chronicle of the reign").wait_for()


def test_with_script_the_button_names_the_number_and_the_film_rolls_the_dice(
    new_page: Callable[..., Any], live_server: Any, person: Callable[..., Any]
) -> None:
    user = person("Benedetto")
    page = new_page()
    signed_in(page, user, live_server)
    page.goto(reign(user, *MOMENTS["defence"]))
    send = page.locator(".play-bar .button--primary")
    best = int(page.locator(".play-step output").inner_text())
    assert send.inner_text().startswith(f"Send {best} legions (")
    page.get_by_role("button", name="One fewer").click()
    assert int(page.locator(".play-step output").inner_text()) == best - 1
    presets = page.locator(".play-presets button")
    presets.last.click()
    everything = int(presets.last.inner_text().split()[1])
    assert presets.last.inner_text().startswith(f"All: {everything} (")
    assert send.inner_text().startswith(f"Send {everything} legions (")
    send.click()
    page.locator(".film__tray .cube").first.wait_for()
    watched_to_the_end(page)
    assert page.locator(".film__list .die").count() > 1


def test_a_step_at_a_time_segment_by_segment(
    new_page: Callable[..., Any], live_server: Any, person: Callable[..., Any]
) -> None:
    user = person("Benedetto")
    page = new_page(java_script_enabled=False)
    signed_in(page, user, live_server)
    page.goto(reign(user, *MOMENTS["attack"]))
    go(page, page.locator(".run--thumb button"), "commit")
    page.wait_for_url("**/?told=*")
    sealed = page.locator(".fight .die--sealed")
    before = sealed.count()
    assert before > 0
    go(page, page.get_by_role("link", name="Next"), "next")
    page.wait_for_url("**.1#now")
    assert sealed.count() == before - 6
    assert page.locator(".fight tr.is-new").count() == 1


def test_undo_takes_two_presses_and_shows_the_earlier_board(
    person: Callable[..., Any], new_page: Any, live_server: Any
) -> None:
    user = person("Marozia")
    home = reign(user, *MOMENTS["choose"])
    page = new_page(width=390)
    signed_in(page, user, live_server)
    page.goto(home)
    page.keyboard.press("z")
    panel = page.locator("#undo-panel")
    panel.get_by_role("heading", name="Undo your last decision?").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.keyboard.press("Enter")
    page.get_by_text("Taken back. Struck moves stay readable in the log.").first.wait_for()
    assert page.evaluate("location.pathname") == home
    campaign = Campaign.objects.get(public_id=home.split("/")[2][:8])
    assert selectors.position(campaign).turn < 3
    page.locator(".play-bar").get_by_role("link", name="Undo").click()
    panel.get_by_role("button", name="Restore it").click()
    page.get_by_text("It is in force again.").first.wait_for()
    assert selectors.position(Campaign.objects.get(pk=campaign.pk)).turn == 3

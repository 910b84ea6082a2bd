"""Films of a part of a log: the final board, stills with less motion, sounds, buttons.

In every title a film ends with the board that the server draws there. Sentences light their places,
sounds are played on request, and buttons name their acts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from campaign import automatic_moves, services
from campaign.log import selectors
from campaign.log.entries import note_change
from campaign.models import Campaign
from games.roman_empire.bots.players import EmpirePlayers
from games.tetrarchia.bots.players import sensible
from tests.browser.axe import PageChecker, page_checker
from tests.browser.laid_out import create_demonstration
from tests.browser.steady import resize, wait_until
from tests.march_on_rome.founded import founded

__all__ = ["page_checker"]
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

OVER = (
    "!document.body.classList.contains('is-film') &&"
    " !document.querySelector('[data-theatre-do=play]').hidden"
)
OWNERS = """() => Object.fromEntries([...document.querySelectorAll('use.m-prov')].map(
    one => [one.getAttribute('href').split('#')[1].slice(2), one.dataset.nation]))"""
STACKS = """() => [...document.querySelectorAll('[data-stack]')].map(one =>
    `${one.dataset.stack} ${one.querySelector('text').textContent} ${one.firstChild.dataset.nation}`).sort()"""  # noqa: E501
PIECES = """() => [...document.querySelectorAll('[data-layer=pieces] [data-army], [data-layer=pieces] [data-figure]')].map(
    one => `${one.dataset.army ?? one.dataset.figure} ${one.getAttribute('transform')}`).sort()"""  # noqa: E501


def tetrarchia(user: Any, moves: int = 30) -> Campaign:
    campaign = services.found_campaign(
        user, "tetrarchia", "The night of the four", "standard", {}, seed="b" * 64
    )
    for _move in range(moves):
        move = {"by": "tetrarchy", **(sensible(selectors.position(campaign)) or {})}
        campaign = services.play(campaign, user, move, selectors.seen(campaign, user)).campaign
    return campaign


def empire(user: Any, moves: int = 40) -> Campaign:
    campaign = services.found_campaign(
        user, "roman_empire", "From Caesar on", "standard", {"players": 3}, seed="b" * 64
    )
    for _move in range(moves):
        raw = EmpirePlayers.by_name["sensible"](selectors.position(campaign), Random(1)) or {}
        move = {"by": "gm", **raw} if "by" not in raw else {**raw, "by": "gm", "for": raw["by"]}
        campaign = services.play(campaign, user, move, selectors.seen(campaign, user)).campaign
    return campaign


FOUND: dict[str, tuple[Callable[[Any], Campaign], str]] = {
    "grand_campaign": (lambda user: create_demonstration(), OWNERS),
    "march_on_rome": (
        lambda user: founded(
            user, 5, lambda position: position.turn == 4 and position.phase == "pc"
        ),
        OWNERS,
    ),
    "roman_empire": (empire, STACKS),
    "tetrarchia": (tetrarchia, PIECES),
}


def shown(page: Any, address: str, asked: str) -> Any:
    """Return the content of the board after its film was skipped to the end."""
    page.goto(address)
    wait_until(page, "document.body.classList.contains('is-film')")
    page.keyboard.press("End")
    wait_until(page, OVER)
    return page.evaluate(asked)


@pytest.mark.parametrize("title", list(FOUND))
def test_a_film_ends_with_the_current_board(
    title: str, page_checker: PageChecker, person: Callable[..., Any]
) -> None:
    """The board is equal whether the film begins at the start, in the middle or at the end."""
    user = person("Livia")
    make, asked = FOUND[title]
    campaign = make(user)
    name = "Marozia" if title == "grand_campaign" else "Livia"
    page = page_checker.window(name)
    page.emulate_media(reduced_motion="no-preference")
    home = f"/c/{campaign.address}/history/film/"
    last = Campaign.objects.get(pk=campaign.pk).last_number
    ended = shown(page, home, asked)
    assert ended
    assert shown(page, f"{home}?since={last // 2}", asked) == ended
    page.get_by_role("button", name="Show it again").click()
    wait_until(page, "document.body.classList.contains('is-film')")
    page.keyboard.press("End")
    wait_until(page, OVER)
    assert page.evaluate(asked) == ended
    if asked == OWNERS:
        page.goto(f"/c/{campaign.address}/history/")
        assert page.evaluate(OWNERS) == ended


def test_the_film_of_the_grand_campaign(
    page_checker: PageChecker, person: Callable[..., Any]
) -> None:
    """The film starts from the form of the history.

    Checked are pause, pace, an arrow, a battle, prestige beside the name, then axe.
    """
    campaign = create_demonstration()
    page = page_checker.window("Marozia")
    page.goto(f"/c/{campaign.address}/history/?at=31")
    page.emulate_media(reduced_motion="no-preference")
    page.get_by_label("Film from entry").fill("30")
    page.get_by_label("to", exact=True).fill("32")
    page.get_by_role("button", name="Show the film").click()
    wait_until(page, "document.body.classList.contains('is-film')")
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Resume").click()
    page.get_by_label("Pace").select_option("fast")
    wait_until(page, OVER)
    expect(page.locator(".film__list li").last).to_contain_text("the attacker won")
    assert (
        page.locator("use.m-prov[href='#m-margiana']").get_attribute("data-nation") == "hephtalites"
    )
    assert page.locator("[data-level=victory_points][data-of=hephtalites]").inner_text() == "3"
    page_checker.check(page, "the film", whole=False)
    page.emulate_media(reduced_motion="no-preference")
    page.goto(f"/c/{campaign.address}/history/film/?since=9&to=10")
    wait_until(page, OVER)
    assert page.locator(".arrow[data-no='1'] .arrow__shaft").count() == 1


@pytest.mark.long
def test_with_less_motion_it_is_stills_turned_by_hand(
    new_page: Callable[..., Any], page_checker: PageChecker
) -> None:
    campaign = create_demonstration()
    page = page_checker.window("Marozia")
    page.goto(f"/c/{campaign.address}/history/film/?since=31&to=43")
    start = page.get_by_role("button", name="Show the film")
    expect(start).to_be_visible()  # nothing starts by itself
    start.click()
    first = page.locator(".film__say")
    expect(first).to_contain_text("the attacker won")
    step = page.get_by_role("button", name="Next step")
    step.click()
    expect(first).to_contain_text("Vandals play Chancellor")
    page.keyboard.press("ArrowRight")
    expect(first).to_contain_text("Vandals attack Gallaecia")


def test_wrong_numbers_are_reported(page_checker: PageChecker) -> None:
    campaign = create_demonstration()
    page = page_checker.window("Marozia")
    answer = page.goto(f"/c/{campaign.address}/history/film/?since=x&to=12")
    assert answer.status == 422
    expect(page.get_by_role("alert")).to_contain_text("0 to 55")
    assert page.get_by_label("From", exact=True).input_value() == "x"
    page.goto(
        f"/c/{campaign.address}/history/film/?since=24&to=9"
    )  # numbers in the wrong order are exchanged
    expect(page.locator(".play-bar__say")).to_contain_text("Entries 10 to 24")


def test_the_last_visit_leads_to_its_film(page_checker: PageChecker) -> None:
    """It is stored with a member for all devices, and in the browser for other readers."""
    campaign = create_demonstration()
    page = page_checker.window("Marozia")
    link = page.locator(".since")
    at = timezone.now() - timedelta(hours=1)
    campaign.memberships.filter(user__username="Marozia").update(visited_at=at, visit_seen=43)
    note_change(pk=campaign.pk)  # members are read again
    page.goto(f"/c/{campaign.address}/")
    expect(link).to_contain_text("Film since your last visit: entries 44 to 55")
    page.reload()  # still the same visit
    link.click()
    page.wait_for_url(re.compile(r"since=43&to=55"))


def test_a_sentence_lights_its_place_and_sounds_are_asked_for(
    page_checker: PageChecker, person: Callable[..., Any]
) -> None:
    campaign = tetrarchia(person("Shirin"))
    page = page_checker.window("Shirin")
    page.goto(f"/c/{campaign.address}/history/film/")
    sentence = page.locator(".film__list li", has_text="An army gathers in").first
    sentence.hover()
    assert page.locator(".b-told").count() == 1
    page.locator(".play-bar").hover()
    wait_until(page, "document.querySelectorAll('.b-told').length === 0")
    page.locator(".film__list li[tabindex='0']").focus()
    page.keyboard.press("ArrowDown")
    assert page.locator(".b-told").count() == 1
    assert page.locator(".film__list li[tabindex='0']").count() == 1
    assert page.evaluate("localStorage.getItem('sounds')") is None
    page.get_by_role("button", name="Show the film").click()
    sounds = page.get_by_role("button", name="Sounds")
    assert sounds.get_attribute("aria-pressed") == "false"
    sounds.click()
    assert page.evaluate("localStorage.getItem('sounds')") == "1"
    page.goto("/me/")
    box = page.get_by_label("Play quiet sounds for dice, marches and your turn")
    assert box.is_checked()
    box.uncheck()
    assert page.evaluate("localStorage.getItem('sounds')") == "0"
    resize(page, 390, 844)
    page.goto(f"/c/{create_demonstration().address}/")
    page.locator("ol.log > li", has_text="Tocharistan").first.dispatch_event("click")
    assert page.locator(".m-told").first.get_attribute("href").partition("#")[2][2:] in (
        "tocharistan",
        "paropamisadae",
    )


NAMELESS = {"OK", "Submit", "Go", "Announce", "Confirm", "Continue", "Yes", "No", "Do it"}


def buttons(page: Any) -> list[str]:
    return [
        text
        for text in page.locator(".play-bar__do button:visible").all_inner_texts()
        if len(text) > 1
    ]


@pytest.mark.long
def test_buttons_name_the_act(page_checker: PageChecker, person: Callable[..., Any]) -> None:
    """Look at the bar of each board at its moments.

    A button that loses armies is never the primary one.
    """
    user = person("Livia")
    page = page_checker.window("Livia")
    reign = founded(user, 5, lambda position: position.phase == "pc" and position.turn > 1)
    page.goto(f"/c/{reign.address}/")
    page.locator(".m-hits [data-key]").first.wait_for(state="attached")
    assert buttons(page) == ["Pass the year"]
    targets = page.evaluate(
        "Object.keys(JSON.parse(document.getElementById('board-data').textContent).targets)"
    )
    page.locator(f".m-hits [data-key='{targets[0]}']").focus()
    page.keyboard.press("Enter")
    assert re.match(r"Attack |Offer ", buttons(page)[0])
    four = tetrarchia(user, 3)
    page.goto(f"/c/{four.address}/")
    page.locator(".play-bar__do button").first.wait_for()
    assert all(
        re.match(r"Secure |Calm |Enter in |End the turn|Remove |March to |Give up ", text)
        for text in buttons(page)
    ), buttons(page)
    rome = empire(user, 0)
    seen: list[str] = []
    choose = EmpirePlayers.by_name["sensible"]
    while (position := selectors.position(rome)).phase != "people" or position.step != "start":
        page.goto(f"/c/{rome.address}/")
        seen += buttons(page)
        raw = choose(position, Random(1)) or {}
        move = {"by": "gm", **raw} if "by" not in raw else {**raw, "by": "gm", "for": raw["by"]}
        rome = services.play(rome, user, move, selectors.seen(rome, user)).campaign
    page.goto(f"/c/{rome.address}/")
    ends = page.get_by_role(
        "button", name=re.compile(r"^End the phase and score -?\d+; \d+ armies are lost")
    )
    ends.wait_for()
    assert "button--primary" not in str(ends.get_attribute("class"))
    assert {"Lay out the Cities and deal the cards", "Draw a counter"} <= set(seen)
    assert not NAMELESS & {*seen, *buttons(page)}


@pytest.mark.long
def test_a_long_run_shows_progress_and_then_its_film(
    page_checker: PageChecker, person: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A year takes longer than a request may.

    The board shows progress with a stop button, and then the film.
    """
    campaign = founded(
        person("Livia"), 5, lambda position: position.phase == "pc" and position.turn > 1
    )
    page = page_checker.window("Livia")
    page.emulate_media(reduced_motion="no-preference")
    page.goto(f"/c/{campaign.address}/")
    monkeypatch.setattr(automatic_moves, "SHARE", 0.0)
    page.locator(".play-bar").get_by_role("button", name="Pass the year").click()
    expect(page.locator("#onward")).to_contain_text("The game goes on automatically")
    assert page.get_by_role("button", name="Stop").is_visible()
    while automatic_moves.advance(campaign.pk, 600.0, 10_000).more:
        pass
    page.locator("#onward").wait_for(state="detached")
    wait_until(page, "document.body.classList.contains('is-film')")
    page.keyboard.press("End")
    page.locator(".play-bar__do button").first.wait_for()
    assert page.locator(".film__list li").count() > 0

"""A phase composed on the board.

Taps and requests are counted, the film shows it, a phone has one screen.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from campaign import services
from campaign.log import selectors
from games.roman_empire.bots.players import EmpirePlayers
from tests.browser.axe import PageChecker, page_checker  # noqa: F401
from tests.browser.steady import resize, wait_until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
IDLE = (
    "!document.body.classList.contains('is-sending') &&"
    " !document.body.classList.contains('is-film')"
)
LIT = (
    "css => [...document.querySelectorAll(`.e-marks .${css}`)].map(one =>"
    " one.getAttribute('href').slice(3))"
)


class Hand:
    """A player at the board whose presses and waiting requests are counted."""

    def __init__(self, page: Any) -> None:
        self.page, self.taps, self.requests = page, 0, list[str]()
        page.on(
            "request", lambda one: self.requests.append(one.url) if one.method == "POST" else None
        )

    def land(self, key: str) -> None:
        self.taps += 1
        self.page.locator(f".m-hits a[href='?at={key}#h-turn']").dispatch_event("click")

    def press(self, name: str) -> None:
        self.taps += 1
        self.page.locator("[data-bar]").get_by_role("button", name=name).click()

    def undo(self) -> None:
        """Take the last planned move back with the button of the bar."""
        self.taps += 1
        self.page.locator("[data-bar]").get_by_role("link", name="Undo").click()

    def wait(self) -> None:
        if self.page.locator("[data-film=skip]").is_visible():
            self.page.locator("[data-film=skip]").click()
        wait_until(self.page, IDLE)

    @property
    def says(self) -> str:
        return str(self.page.locator("[data-say] b").inner_text())


def table(person: Callable[..., Any], there: Callable[[Any], bool]) -> Any:
    user = person("Marozia")
    campaign = services.found_campaign(
        user, "roman_empire", "From Caesar on", "standard", {"players": 3}, seed="b" * 64
    )
    choose = EmpirePlayers.by_name["sensible"]
    while not there(position := selectors.position(campaign)):
        raw = choose(position, Random(1))
        content = {"by": "gm", **raw} if "by" not in raw else {**raw, "by": "gm", "for": raw["by"]}
        campaign = services.play(campaign, user, content, selectors.seen(campaign, user)).campaign
    return campaign


def test_a_phase_in_few_taps_and_two_requests(
    page_checker: PageChecker,  # noqa: F811
    person: Callable[..., Any],
) -> None:
    campaign = table(person, lambda p: p.phase == "people" and p.step == "start")
    position = selectors.position(campaign)
    page = page_checker.visit("Marozia", f"/c/{campaign.address}/")
    hand = Hand(page)
    hand.requests.clear()
    resize(page, 390, 844)
    assert page.evaluate("document.documentElement.scrollHeight") <= 844 * 1.5
    assert page.evaluate(LIT, "is-open") == ["suebia"]
    hand.land("suebia")
    hand.press("Place 3 in Suebia")
    hand.land("saxonia")
    hand.undo()
    hand.land("raetia")
    hand.press("Place 2 in Raetia")
    hand.land("frisia")
    assert hand.says == "All armies are placed"
    assert hand.requests == []
    hand.press("Confirm: 6 armies")
    hand.wait()
    position = selectors.position(type(campaign).objects.get(pk=campaign.pk))
    assert {key: position.lands[key].n for key in ("suebia", "raetia", "frisia")} == {
        "suebia": 3,
        "raetia": 2,
        "frisia": 1,
    }
    hand.press("End")  # a card could still be played: the bar asks
    assert hand.says == "Do you want to end the phase anyway?"
    assert page.locator("[data-bar] .button--primary").inner_text() == "Continue the phase"
    hand.press("End the phase anyway")
    hand.wait()
    assert (hand.taps, len(hand.requests)) == (10, 2)
    page.get_by_text("Choose your start land").first.wait_for()
    assert page_checker.faults == []


def test_a_fight_is_requested_and_later_moves_depend_on_it(
    page_checker: PageChecker,  # noqa: F811
    person: Callable[..., Any],
) -> None:
    campaign = table(
        person,
        lambda p: (
            p.phase == "people" and p.period == 2 and p.step == "start" and p.current == "batavi"
        ),
    )
    page = page_checker.visit("Marozia", f"/c/{campaign.address}/")
    hand = Hand(page)
    hand.land("frisia")
    assert set(page.evaluate(LIT, "is-war")) == {"belgica", "saxonia", "suebia"}
    hand.land("belgica")
    assert hand.says == "Attack Belgica: 91% with up to 2"
    hand.press("One more")
    assert hand.says == "Attack Belgica: 97% with up to 3"
    hand.press("Attack Belgica")
    assert (
        page.locator("[data-march-list] li")
        .all_inner_texts()[1]
        .startswith("Attack Belgica from Frisia: up to 3, 97%, until it is taken")
    )
    hand.land("aquitania")  # held by Legions, and reached only through Belgica and Lugdunensis
    assert hand.says.startswith("Aquitania does not border")
    page.keyboard.press("z")
    assert page.locator("[data-march-list] li").count() == 1
    hand.land("belgica")
    page.keyboard.press("Escape")
    assert hand.says == "Batavi: 5 armies in hand"
    assert page_checker.faults == []


def test_undo_takes_two_presses_and_puts_the_army_back_into_the_hand(
    page_checker: PageChecker,  # noqa: F811
    person: Callable[..., Any],
) -> None:
    """The first press of Z takes back the plan; without a plan, the panel takes back a move."""
    campaign = table(person, lambda p: p.phase == "people" and p.step == "start")
    seat, player = selectors.position(campaign).active, person("Shirin")
    _, token = services.invite(campaign, campaign.founder, seat)
    services.take_seat(player, token)
    page = page_checker.window("Shirin")
    resize(page, 390, 844)
    page.goto(f"/c/{campaign.address}/")
    hand = Hand(page)
    hand.land("suebia")
    hand.press("Confirm: 1 army")
    hand.wait()
    assert hand.says == "Suebi: 5 armies in hand"
    hand.land("saxonia")
    page.keyboard.press("z")
    assert hand.says == "Suebi: 5 armies in hand"
    page.keyboard.press("z")
    panel = page.locator("#undo-panel")
    panel.get_by_role("heading", name="Undo your last move?").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    button = panel.get_by_role("button", name="Take it back")
    assert button.evaluate("button => button.scrollWidth <= button.clientWidth")
    page.keyboard.press("Enter")
    page.get_by_text("Suebi: 6 armies in hand").wait_for()
    taken_back = type(campaign).objects.get(pk=campaign.pk)
    assert selectors.position(taken_back).in_hand == 6
    assert page_checker.faults == []

"""The cost of a turn on the board and by forms: `script/measure play`, without limits on time.

Whole games are played in Chromium at a phone's width: on the board by taps, and without a script by
forms. It counts presses and the seconds of waiting for the server, without films and without
thought. It also measures how high the page is during the player's turn, runs axe, and reads the
frame rate of a film from the browser's own trace. TABULA_PLAYED=20 ends each game after 20 turns.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random
from statistics import mean, median
from typing import Any

import pytest
from django.test import Client

from campaign import services
from campaign.log import selectors
from campaign.models import Campaign
from games.contract.pages import Reader
from games.roman_empire.bots.players import EmpirePlayers
from games.tetrarchia.bots.players import sensible
from games.tetrarchia.page import choosing, composing
from people.models import User
from tests.browser.axe import AXE, MAP, RULES, RUN_AXE
from tests.browser.laid_out import create_demonstration
from tests.browser.steady import wait_until
from tests.march_on_rome.founded import founded

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.django_db(transaction=True)]

MOST = int(os.environ.get("TABULA_PLAYED", "400"))
PHONE = (390, 844)
DONE = (
    "!document.body.matches('.is-film, .is-sending') &&"
    " document.querySelector('.play-bar')?.getAttribute('aria-busy') !== 'true'"
)
MARKS = (
    "css => [...document.querySelectorAll(`.e-marks .${css}`)].map(one =>"
    " one.getAttribute('href').slice(3))"
)


@dataclass
class Turn:
    """The cost of one turn."""

    taps: int = 0
    requests: int = 0
    waited: float = 0.0
    armies: int = 0


@dataclass
class Hand:
    """A player at the page, whose presses are counted and whose requests are timed."""

    page: Any
    turn: Turn = field(default_factory=Turn)
    turns: list[Turn] = field(default_factory=list)
    screens: list[float] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.page.on("requestfinished", self.timed)

    def timed(self, request: Any) -> None:
        """Note a request that a press waits for: a page, or an answer to the board's script."""
        if request.resource_type == "document" or request.method == "POST":
            self.turn.waited += max(request.timing["responseEnd"], 0) / 1000
            self.turn.requests += request.method == "POST"

    def press(self, what: Any) -> None:
        """Press a button and wait for everything that follows except the film."""
        self.turn.taps += 1
        what.click()
        self.settle()

    def settle(self) -> None:
        """Wait until the page waits for the player.

        A film is skipped, which does not count as a press of the turn.
        """
        wait_until(
            self.page,
            f"{DONE} || (document.querySelector('.is-film [data-film=skip]')?.click(), false)",
        )

    def look(self, *, axe: bool = False) -> None:
        """Note the height of the page in screens, and the faults that axe finds."""
        self.screens.append(
            self.page.evaluate("document.documentElement.scrollHeight / innerHeight")
        )
        if axe:
            self.page.evaluate(AXE)
            self.broken |= set(self.page.evaluate(RUN_AXE, [RULES, MAP]))

    def over(self) -> None:
        """End the turn."""
        if self.turn.taps:
            self.turns.append(self.turn)
        self.turn = Turn()


def reported(name: str, hand: Hand, *, turns: list[Turn] | None = None) -> None:
    """Print the measurements of a game."""
    rows = hand.turns if turns is None else turns
    if not rows:
        return
    taps, waits = [row.taps for row in rows], [row.waited for row in rows]
    print(
        f"\n{name}: {len(rows)} turns; presses median {median(taps):g}, mean {mean(taps):.1f}, most"
        f" {max(taps)}; requests median {median(row.requests for row in rows):g}, most"
        f" {max(row.requests for row in rows)}; waiting median {median(waits):.2f} s, most"
        f" {max(waits):.2f} s; screens at most {max(hand.screens, default=0):.2f}; axe"
        f" {sorted(hand.broken) or 'finds nothing'}"
    )


@pytest.fixture
def at(new_page: Callable[..., Any], live_server: Any) -> Callable[..., Any]:
    """Return a function that opens a window of this user at a phone's width."""

    def opened(name: str, width: int = PHONE[0], **options: Any) -> Any:
        page = new_page(width, PHONE[1], **options)
        client = Client()
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
        return page

    return opened


def home(campaign: Campaign) -> str:
    return f"/c/{campaign.address}/"


def reloaded(campaign: Campaign) -> Campaign:
    return Campaign.objects.get(pk=campaign.pk)


# Tetrarchia ---------------------------------------------------------------------------------------

WHOLE = Reader(("tetrarchy", "gm"), {}, True)
FREE = {"enter", "move", "secure", "subdue", "sail", "imperium", "patres"}


def chosen(position: Any) -> dict[str, Any] | None:
    """Return the move of a sensible player; a march takes the route that the board shows."""
    raw = sensible(position)
    if raw is not None and raw["move"] == "move":
        return {**raw, "path": list(choosing.goals(position)[raw["path"][-1]].path)}
    return dict(raw) if raw is not None else None


def wanted(doc: dict[str, Any], raw: dict[str, Any]) -> tuple[str, dict[str, Any]] | None:
    """Return the space on the board where an act is, and the act.

    The space is one to tap, or None if the act is in the bar.
    """

    def same(act: dict[str, Any]) -> bool:
        last = {key: value for key, value in act["moves"][-1].items() if key != "by"}
        return last == {key: value for key, value in raw.items() if key != "by"}

    for act in [*doc.get("stand", ()), *([doc["end"]] if doc.get("end") else [])]:
        if same(act):
            return "", act
    for part in ("go", "attack"):
        for key, act in doc.get(part, {}).items():
            if same(act):
                return ("" if "main" in act else key), act
    for zone, acts in doc.get("sail", {}).items():
        for act in acts:
            if same(act):
                return f"sea:{zone}", act
    return None


def tetrarchia_by_taps(hand: Hand, campaign: Campaign, user: Any) -> None:
    page = hand.page
    page.goto(home(campaign))
    while len(hand.turns) < MOST and not reloaded(campaign).ended:
        now = reloaded(campaign)
        plan: list[dict[str, Any]] = []
        hand.look(axe=not hand.turns)
        emperor = selectors.position(now).emperor
        while True:
            position = (
                services.foresee(now, user, plan).position if plan else selectors.position(now)
            )
            raw = chosen(position)
            if raw is None:
                break
            act = wanted(composing.document(position, WHOLE), raw)
            if raw["move"] == "place_fleets":
                hand.press(page.locator(".play-bar__do .button--primary"))
            elif act is None:
                raw = {"move": "end_turn"}
                act = wanted(composing.document(position, WHOLE), raw)
                assert act is not None
                hand.press(
                    page.locator(".play-bar").get_by_role("button", name=act[1]["do"], exact=True)
                )
            else:
                key, one = act
                if key:
                    hand.turn.taps += 1
                    focus(page, key)
                    wait_until(page, "document.querySelector('.play-bar__do .button') !== null")
                hand.press(
                    page.locator(".play-bar")
                    .get_by_role("button", name=one["do"], exact=True)
                    .first
                )
            if raw["move"] in FREE:
                plan.append({"by": "tetrarchy", **raw})
                continue
            break
        now = reloaded(campaign)
        if (
            now.ended
            or selectors.position(now).emperor != emperor
            or selectors.position(now).phase != "roman"
        ):
            hand.over()


def focus(page: Any, key: str) -> None:
    """Tap a space, wherever the board has been moved to."""
    page.evaluate(
        """key => {
        const hit = document.querySelector(`.m-hits [data-key="${CSS.escape(key)}"]`);
        hit.focus({ preventScroll: true });
        hit.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    }""",
        key,
    )


FORMS = """() => [...document.querySelectorAll('button[name=do]')].map((one) =>
    [one.value, one.form ? Object.fromEntries(new FormData(one.form)) : {}])"""


def form_of(page: Any, raw: dict[str, Any]) -> Any | None:
    """Return the button whose form makes this move."""
    given = {key: plain(value) for key, value in raw.items() if key not in ("by", "for", "move")}
    for n, (name, fields) in enumerate(page.evaluate(FORMS)):
        if name == raw["move"] and all(
            plain(fields.get(key, "")) == value for key, value in given.items()
        ):
            return page.locator("button[name=do]").nth(n)
    return None


def plain(value: Any) -> str:
    text = (
        {True: "1", False: "0"}.get(value, "")
        if isinstance(value, bool)
        else " ".join(value)
        if isinstance(value, list)
        else value
    )
    return re.sub(r"[^a-z0-9]+", " ", str(text)).strip()


def unfolded(hand: Hand, button: Any) -> None:
    """Open a closed section, which takes another press."""
    for fold in button.locator("xpath=ancestor::details[not(@open)]").all():
        hand.turn.taps += 1
        fold.locator("summary").first.click()


def tetrarchia_by_forms(hand: Hand, campaign: Campaign) -> None:
    page = hand.page
    page.goto(home(campaign))
    while len(hand.turns) < MOST and not reloaded(campaign).ended:
        position = selectors.position(reloaded(campaign))
        emperor, raw = position.emperor, chosen(position)
        assert raw is not None
        hand.look()
        button = form_of(page, raw)
        if (
            button is None and raw["move"] == "attack"
        ):  # its space is chosen first, and the page shows the odds
            hand.turn.taps += 1
            page.goto(
                f"{home(campaign)}?at={raw.get('army') or raw.get('space') or raw.get('target')}#h-turn"  # noqa: E501
            )
            button = form_of(page, raw)
        if button is None:
            button = page.locator(
                f"button[name=do][value={'place_fleets' if raw['move'] == 'place_fleets' else 'end_turn'}]"  # noqa: E501
            ).first
        unfolded(hand, button)
        with page.expect_navigation():
            hand.turn.taps += 1
            button.click()
        after = selectors.position(reloaded(campaign))
        if after.phase == "over" or after.emperor != emperor:
            hand.over()


@pytest.mark.parametrize("way", ["board", "forms"])
def test_tetrarchia(way: str, at: Any, person: Any) -> None:
    user = person("Shirin")
    campaign = services.found_campaign(
        user, "tetrarchia", "The night of the four", "standard", {}, seed="b" * 64
    )
    campaign = (
        services.play(
            campaign, user, {"by": "tetrarchy", "move": "begin"}, selectors.seen(campaign, user)
        ).campaign
        if selectors.position(campaign).phase == "setup"
        else campaign
    )
    hand = Hand(at("Shirin", java_script_enabled=way == "board"))
    if way == "board":
        tetrarchia_by_taps(hand, campaign, user)
        assert max(turn.taps for turn in hand.turns) <= 8 or MOST < 400
    else:
        tetrarchia_by_forms(hand, campaign)
    reported(f"Tetrarchia, {way}, an Emperor's turn", hand)


# History of the Roman Empire ----------------------------------------------------------------------


def conquest_by_taps(hand: Hand, campaign: Campaign) -> None:
    """Play every seat: each phase is composed as a whole, sent, and ended."""
    page = hand.page
    page.goto(home(campaign))
    bar = page.locator("[data-bar]")
    while len(hand.turns) < MOST and not (now := reloaded(campaign)).ended:
        position = selectors.position(now)
        if (
            position.phase not in ("people", "faction")
            or position.pending is not None
            or page.locator("[data-march]").count() == 0
        ):
            button = bar.locator(".button--primary")
            hand.press(button if button.count() else bar.locator("button").first)
            continue
        mark = (position.period, position.phase, position.active, position.current)
        if not hand.turn.armies:
            hand.look(axe=not hand.turns)
            hand.turn = Turn(armies=position.in_hand)
        phase(hand, bar)
        if (after := selectors.position(reloaded(campaign))).phase == "over" or (
            after.period,
            after.phase,
            after.active,
            after.current,
        ) != mark:
            hand.over()


def phase(hand: Hand, bar: Any) -> None:
    """Compose a phase: start land, a tap for each army, fights, and send it.

    Then end the phase when no army is left to place.
    """
    page = hand.page

    def tap(land: str) -> None:
        hand.turn.taps += 1
        page.locator(f".m-hits a[href='?at={land}#h-turn']").dispatch_event("click")

    if bar.get_by_text("Choose your start land").count():
        tap(page.evaluate(MARKS, "is-open")[0])
        hand.press(bar.get_by_role("button", name=re.compile("^Start in")))
    for _army in range(30):
        hand.settle()
        open_, war = page.evaluate(MARKS, "is-open"), page.evaluate(MARKS, "is-war")
        if not open_ and not war:
            break
        if times := bar.locator(".e-times").all():
            hand.press(times[-1])
        elif open_:
            tap(open_[-1])
        else:
            tap(war[0])
            attack = bar.get_by_role("button", name=re.compile("^Attack "))
            if not attack.count():
                break
            hand.press(attack)
    send = bar.get_by_role("button", name=re.compile("^Confirm"))
    end = bar.get_by_role("button", name=re.compile("^(End$|End the phase|Back to)"))
    hand.settle()
    if send.count() or end.count():
        hand.press(send.last if send.count() else end)
    anyway = bar.get_by_role("button", name=re.compile("^(End the phase anyway|Back to)"))
    if bar.get_by_text("Do you want to end the phase anyway?").count():
        hand.press(anyway)


def conquest_by_forms(hand: Hand, campaign: Campaign) -> None:
    page = hand.page
    page.goto(home(campaign))
    choose = EmpirePlayers.by_name["sensible"]
    while len(hand.turns) < MOST and not (now := reloaded(campaign)).ended:
        position = selectors.position(now)
        mark = (position.period, position.phase, position.active, position.current)
        acting = position.phase in ("people", "faction") and position.pending is None
        if acting and not hand.turn.armies:
            hand.look()
            hand.turn = Turn(armies=position.in_hand)
        raw = choose(position, Random(1)) or {}
        button = (
            form_of(page, {key: value for key, value in raw.items() if key != "by"})
            if raw
            else None
        )
        if button is None and acting and position.in_hand:
            placing = page.locator(
                "button[name=do][value=place], button[name=do][value=choose_start]"
            )
            button = placing.first if placing.count() else None
        if button is None:
            ends = page.locator(
                "button[value=end_phase], button[value=end_sub], .play-bar button, form"
                " button.button--primary"
            )
            button = ends.first
        unfolded(hand, button)
        with page.expect_navigation():
            hand.turn.taps += 1
            button.click()
        after = selectors.position(reloaded(campaign))
        if acting and (
            after.phase == "over"
            or (after.period, after.phase, after.active, after.current) != mark
        ):
            hand.over()


@pytest.mark.parametrize("way", ["board", "forms"])
def test_roman_empire(way: str, at: Any, person: Any) -> None:
    user = person("Marozia")
    campaign = services.found_campaign(
        user, "roman_empire", "From Caesar on", "standard", {"players": 3}, seed="b" * 64
    )
    hand = Hand(at("Marozia", java_script_enabled=way == "board"))
    (conquest_by_taps if way == "board" else conquest_by_forms)(hand, campaign)
    phases = [turn for turn in hand.turns if turn.armies]
    reported(f"Roman Empire, {way}, a phase", hand, turns=phases)
    reported(
        f"Roman Empire, {way}, a phase of six to eight armies",
        hand,
        turns=[turn for turn in phases if 6 <= turn.armies <= 8],
    )


# March on Rome ------------------------------------------------------------------------------------


def reign_by_taps(hand: Hand, campaign: Campaign) -> None:
    page = hand.page
    page.goto(home(campaign))
    while len(hand.turns) < MOST and not (now := reloaded(campaign)).ended:
        year = selectors.position(now).turn
        hand.look(axe=not hand.turns)
        doc = json.loads(page.locator("#board-data").text_content())
        best = max(doc["targets"].items(), key=lambda one: float(one[1]["share"]), default=None)
        if best is not None and float(best[1]["share"]) >= 50:
            hand.turn.taps += 1
            focus(page, best[0])
            wait_until(page, "document.querySelector('.play-bar__do .button--primary') !== null")
        button = page.locator(".play-bar__do .button--primary")
        out = page.locator(".play-bar__do").get_by_role(
            "button", name=re.compile("auto-play the year$")
        )
        if (
            hand.turn.taps == 3 and out.count()
        ):  # enough was decided; the rest of the year follows the proposals
            button = out
        hand.press(button if button.count() else page.locator(".play-bar__do .button").first)
        if reloaded(campaign).ended or selectors.position(reloaded(campaign)).turn != year:
            hand.over()


def reign_by_forms(hand: Hand, campaign: Campaign) -> None:
    page = hand.page
    page.goto(home(campaign))
    while len(hand.turns) < MOST and not (now := reloaded(campaign)).ended:
        position = selectors.position(now)
        hand.look()
        target = page.locator("details:has(form) summary")
        form = page.locator("main form button.button--primary:visible")
        if position.phase == "pc" and position.pending is None and target.count():
            hand.turn.taps += 1
            target.first.click()
        elif position.phase == "pc" and position.pending is None:
            form = page.locator("button[value=pass]")
        with page.expect_navigation():
            hand.turn.taps += 1
            on = page.locator("main .run a.button--primary:visible")
            (
                form
                if form.count()
                else on
                if on.count()
                else page.locator("main form button:visible")
            ).first.click()
        if reloaded(campaign).ended or selectors.position(reloaded(campaign)).turn != position.turn:
            hand.over()


@pytest.mark.parametrize("way", ["board", "forms"])
def test_march_on_rome(way: str, at: Any, person: Any) -> None:
    campaign = founded(person("Livia"), 5, lambda position: position.phase == "pc")
    hand = Hand(at("Livia", java_script_enabled=way == "board"))
    (reign_by_taps if way == "board" else reign_by_forms)(hand, campaign)
    assert way == "forms" or max(turn.taps for turn in hand.turns) <= 4
    reported(f"March on Rome, {way}, a year", hand)


# Films --------------------------------------------------------------------------------------------

TRACED = [
    "cc",
    "benchmark",
    "viz",
    "devtools.timeline",
    "devtools.timeline.frame",
    "disabled-by-default-devtools.timeline",
    "disabled-by-default-devtools.timeline.frame",
]
WORK = {
    "script": ("FunctionCall", "EvaluateScript", "FireAnimationFrame"),
    "style": ("UpdateLayoutTree",),
    "layout": ("Layout",),
    "paint": ("PrePaint", "Paint", "Layerize", "Commit"),
    "pictures": ("RasterTask",),
}
LONG = 50
"""Milliseconds from which a task of the page counts as long."""


def shown(title: str, user: Any) -> str:
    """Return the address of a film of some moves of this title."""
    if title == "grand_campaign":
        return f"/c/{create_demonstration().address}/history/film/?since=9&to=24"
    if title == "march_on_rome":
        campaign = founded(
            user, 363, lambda position: position.turn == 3 and position.phase == "pc"
        )
        return f"/c/{campaign.address}/history/film/?since={max(campaign.last_number - 12, 0)}"
    options, n = ({"players": 3}, 60) if title == "roman_empire" else ({}, 14)
    campaign = services.found_campaign(user, title, "The film", "standard", options, seed="b" * 64)
    choose = EmpirePlayers.by_name["sensible"]
    for _move in range(n):
        position = selectors.position(campaign)
        raw = choose(position, Random(1)) if options else sensible(position)
        assert raw is not None
        move = {"by": "gm", **raw} if "by" not in raw else {**raw, "by": "gm", "for": raw["by"]}
        if not options:
            move = {**raw, "by": "tetrarchy"}
        campaign = services.play(campaign, user, move, selectors.seen(campaign, user)).campaign
    return f"/c/{campaign.address}/history/film/?since={max(campaign.last_number - 10, 0)}"


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("title", ["grand_campaign", "march_on_rome", "tetrarchia", "roman_empire"])
def test_films(title: str, width: int, at: Any, person: Any) -> None:
    """Measure the frames drawn during a film at normal pace, by the browser's own trace.

    The result depends on this machine.
    """
    user = person("Shirin")
    address = shown(title, user)
    page = at("Shirin" if title != "grand_campaign" else "Ingrid", width=width)
    page.emulate_media(reduced_motion="no-preference")
    page.goto(address)
    wait_until(page, "document.body.matches('.is-film')")
    browser = page.context.browser
    browser.start_tracing(page=page, categories=TRACED)
    began = page.evaluate("performance.now()")
    for _wait in range(60):
        page.wait_for_timeout(200)
        if not page.evaluate("document.body.matches('.is-film')"):
            break
    seconds = (page.evaluate("performance.now()") - began) / 1000
    events = json.loads(browser.stop_tracing())["traceEvents"]
    times = sorted({event["ts"] for event in events if event["name"] == "DrawFrame"})
    gaps = [(b - a) / 1000 for a, b in pairwise(times)]
    moving = [gap for gap in gaps if gap < 100]  # while a sentence is shown, nothing is drawn
    cost = {
        name: (
            sum(event.get("dur", 0) for event in events if event["name"] in kinds)
            / 1000
            / max(len(times), 1)
        )
        for name, kinds in WORK.items()
    }
    tasks = [
        event["dur"] / 1000
        for event in events
        if event["name"] == "RunTask" and event.get("dur", 0) >= LONG * 1000
    ]
    print(
        f"\nFilm of {title} at {width}: {len(times) / seconds:.0f} frames a second of {seconds:.1f}"
        f" s; while something moves {1000 / mean(moving or [1000]):.0f}, slowest of twenty"
        f" {sorted(moving or [0])[int(len(moving) * 0.95) - 1]:.0f} ms; long tasks {len(tasks)},"
        f" longest {max(tasks, default=0):.0f} ms; a frame costs "
        + ", ".join(f"{name} {ms:.1f}" for name, ms in cost.items())
        + " ms"
    )

"""Each lesson with a player who does only what its notes say, on a desktop and a small phone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from campaign import practice
from campaign.models import Campaign
from tests.browser.axe import PageChecker, page_checker
from tests.browser.steady import wait_until, wait_until_settled

__all__ = ["page_checker"]

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SIZES = [(1280, 900), (390, 664)]
ENDS = re.compile("^(Confirm|End)")
STILL = (
    "() => !document.body.classList.contains('is-film') &&"
    " !document.querySelector('.play-bar[aria-busy=true]')"
)
PLACED = """(() => {
  const note = document.getElementById('lesson');
  return note !== null && note.getClientRects().length > 0
    && getComputedStyle(note).visibility === 'visible'
})()"""
WRONG = """() => {
  const lesson = document.getElementById('lesson'), note = lesson.getBoundingClientRect();
  const wrong = [];
  if (note.left < -1 || note.top < -1) wrong.push('before the window');
  if (note.right > innerWidth + 1 || note.bottom > innerHeight + 1) wrong.push('behind the window');
  const middle = document.elementFromPoint(note.left + note.width / 2, note.top + note.height / 2);
  if (!lesson.contains(middle)) wrong.push('covered');
  const hit = (box) => note.left < box.right - 1 && box.left < note.right - 1
    && note.top < box.bottom - 1 && box.top < note.bottom - 1;
  for (const bar of document.querySelectorAll('.play-bar, .purse-bar'))
    if (bar.getClientRects().length && hit(bar.getBoundingClientRect())) wrong.push(bar.className);
  const thing = document.querySelector(lesson.dataset.beside);
  const onBoard = thing?.closest('.play-stage');
  if (onBoard && hit(thing.getBoundingClientRect())) wrong.push(lesson.dataset.beside);
  const text = lesson.querySelector('.lesson__text');
  if (text.scrollWidth > text.clientWidth + 1) wrong.push('text wider than the note');
  return wrong;
}"""
BUTTONS = """() => [...document.querySelectorAll('button, a')]
  .filter((button) => button.getClientRects().length && !button.closest('#lesson'))
  .map((button) => button.innerText ?? '')"""


def begin(page: Any, title: str) -> None:
    page.quoted, page.offered = set(), set()
    page.goto(f"/learn/{title}/")
    page.get_by_role("button", name="Start the lesson").click()
    page.wait_for_url("**/c/**")


def step(page: Any, number: int) -> None:
    """Check that the note asks for this step, inside the window.

    The note covers neither its element nor the bar.
    """
    wait_until(
        page,
        f"(document.querySelector('.lesson__far')?.textContent ?? '').includes('Step {number} of')",
    )
    wait_until(page, STILL)
    wait_until(page, PLACED)
    assert page.evaluate(WRONG) == [], f"step {number}"
    text = page.locator(".lesson__text").inner_text()
    page.quoted |= set(re.findall("“([^”]+)”", text))
    look(page)


def look(page: Any) -> None:
    """Remember the buttons that the page offers."""
    page.offered |= {" ".join(text.split()) for text in page.evaluate(BUTTONS)}


def completed(page: Any, later: frozenset[str] = frozenset()) -> None:
    """Check the last note, and that every button which a note quoted was on the page.

    `later` are the buttons of which the notes say that they come after the lesson.
    """
    note = page.locator("#lesson")
    assert note.get_by_text("You have completed the lesson.").is_visible()
    assert note.get_by_role("heading", name="You know how to play").is_visible()
    assert note.locator(".lesson__next a").count() >= 2
    offered = [text.casefold() for text in page.offered]
    missing = {
        quote
        for quote in page.quoted
        if not any(text.startswith(quote.casefold()) for text in offered)
    }
    assert missing == later
    note.get_by_role("button", name="Continue this game").click()
    wait_until(page, "document.getElementById('lesson').getClientRects().length === 0")
    page.get_by_role("button", name="Show the last step").click()
    wait_until(page, PLACED)


def press(page: Any, name: str) -> None:
    look(page)
    page.locator(".play-bar").get_by_role("button", name=re.compile(name)).first.click()


def tap(page: Any, key: str) -> None:
    """Choose a place by keys, as the note allows."""
    page.locator(f'[data-key="{key}"]').focus()
    page.keyboard.press("Enter")
    look(page)


def skip(page: Any) -> None:
    """Skip the film, if one runs."""
    button = page.locator("[data-film=skip]")
    if button.is_visible():
        button.click()


@pytest.mark.long
def test_a_note_is_accessible(page_checker: PageChecker) -> None:
    page = page_checker.window("")
    begin(page, "tetrarchia")
    step(page, 1)
    page_checker.check(page, "lesson")


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
def test_tetrarchia(new_page: Any, size: tuple[int, int]) -> None:
    page = new_page(*size)
    begin(page, "tetrarchia")
    step(page, 1)
    press(page, "Place the fleets")
    step(page, 2)
    press(page, "Enter in BITHYNIA")
    step(page, 3)
    tap(page, "asia")
    tap(page, "asia")
    step(page, 4)
    press(page, "Remove the Revolt")
    step(page, 5)
    press(page, "Secure ASIA")
    step(page, 6)
    press(page, "End the turn")
    step(page, 7)
    press(page, "Enter in PANNONIA")
    step(page, 8)
    tap(page, "dacia")
    tap(page, "dacia")
    step(page, 9)
    completed(page)
    campaign = Campaign.objects.get()
    assert (campaign.lesson, campaign.visibility) == ("guided", "unlisted")
    page.locator(".lesson__all > summary").click()
    page.get_by_role("button", name="Leave the lesson").click()
    page.get_by_role("button", name="Show me the steps again").wait_for()


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
def test_march_on_rome(new_page: Any, size: tuple[int, int]) -> None:
    page = new_page(*size)
    begin(page, "march_on_rome")
    step(page, 1)
    tap(page, "syria")
    press(page, "Attack Syria")
    step(page, 2)
    page.locator(".play-bar .button--primary").click()
    step(page, 3)
    tap(page, "achaia")
    press(page, "alliance")
    step(page, 4)
    page.locator(".play-bar .button--primary").click()
    step(page, 5)
    press(page, "Pass the year")
    step(page, 6)
    completed(page)


def programs_play() -> None:
    """Make the programs' moves here, because no worker runs beside the browser."""
    while practice.advance(Campaign.objects.get().pk):
        pass


def logged(page: Any, act: Callable[[], object]) -> None:
    """Wait until the act is in the log with all its moves, which the page may show earlier."""
    before = Campaign.objects.get().last_sequence
    act()
    wait_until(page, lambda: Campaign.objects.get().last_sequence > before)
    wait_until(page, "!document.body.classList.contains('is-sending')")
    wait_until_settled(page)


def answered(page: Any, act: Callable[[], object]) -> None:
    """Let the programs answer the act, and reload the page."""
    logged(page, act)
    programs_play()
    page.reload()


def lit(page: Any) -> None:
    """Wait until the board's script listens and shows the choices."""
    wait_until(page, "document.querySelectorAll('.e-marks *').length > 0")


def land(page: Any, key: str) -> None:
    lit(page)
    page.locator(f'[data-land="{key}"]').focus()
    page.keyboard.press("Enter")
    look(page)


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
def test_roman_empire(new_page: Any, size: tuple[int, int]) -> None:
    page = new_page(*size)
    begin(page, "roman_empire")
    programs_play()
    page.reload()
    for number in (1, 2):
        step(page, number)
        while f"Step {number} of" in page.locator(".lesson__far").inner_text():
            answered(page, page.locator(".play-bar .button--primary").first.click)
    step(page, 3)
    land(page, "lugdunensis")
    step(page, 4)
    land(page, "aquitania")
    step(page, 5)
    press(page, "Cards")
    press(page, "Cancel")
    land(page, "belgica")
    step(page, 6)
    land(page, "germania_superior")
    step(page, 6)  # the note of the same step is placed anew
    logged(page, lambda: press(page, "Confirm:"))
    wait_until(page, "document.querySelector('[data-march-list]')?.textContent.includes('Nothing')")
    skip(page)
    wait_until(page, STILL)
    press(page, "End$")
    answered(page, lambda: press(page, "End the phase anyway"))
    step(page, 7)
    land(page, "italia")
    press(page, "Start in")
    step(page, 8)
    for _move in range(40):  # the Faction follows the bar, ends its phase and scores
        if "Step 10 of" in page.locator(".lesson__far").inner_text():
            break
        wait_until(page, "document.querySelector('.play-bar__do button') !== null")
        bar = page.locator(".play-bar")
        if bar.get_by_text("Do you want to end the phase anyway?").count():
            answered(page, lambda: press(page, "End the phase anyway"))
            continue
        proposed = bar.locator(".button--primary")
        button = proposed if proposed.count() else bar.get_by_role("button", name=ENDS)
        if re.match("Confirm|End the phase|Call", button.first.inner_text()):
            answered(page, button.first.click)
        else:
            button.first.click()
    step(page, 10)
    completed(page, frozenset({"Recruit"}))


@pytest.mark.parametrize("size", [SIZES[0], pytest.param(SIZES[1], marks=pytest.mark.long)])
def test_grand_campaign(new_page: Any, size: tuple[int, int]) -> None:
    page = new_page(*size)
    begin(page, "grand_campaign")
    step(page, 1)
    page.locator("#waits a.button").first.click()
    step(page, 2)
    page.get_by_role(
        "button", name=re.compile("^Announce.* (Hamlets|Villages|Shrines|Temples|Bridges|Roads)")
    ).first.click()
    page.locator(".toast").first.wait_for()
    step(page, 3)
    folded = page.locator("details.mgroup:not([open]) > summary")
    while folded.count():
        folded.first.click()
    page.locator("#o-attack-land, li.move", has_text="Land attack").first.get_by_role(
        "link", name="Choose…"
    ).click()
    look(page)
    page.get_by_role("button", name="Announce the attack").click()
    page.locator(".toast", has_text="attack").wait_for()
    step(page, 4)
    page.get_by_role("button", name=re.compile("^End turn")).locator("visible=true").first.click()
    page.get_by_role("button", name="End turn", exact=True).locator("visible=true").last.click()
    page.locator(".toast", has_text=re.compile("turn", re.IGNORECASE)).first.wait_for()
    step(page, 5)
    completed(page)

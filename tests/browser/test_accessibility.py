"""Accessibility beyond axe: keyboard, screen readers, large letters, contrast and less motion.

docs/play/accessibility.md lists what holds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from campaign.log import positions
from campaign.models import Campaign
from people.models import User
from tests.browser.axe import AXE, OVERFLOW_WIDTH
from tests.browser.laid_out import MASTER, PLAYER, RIVAL, create_demonstration
from tests.browser.steady import resize, wait_until, wait_until_settled
from tests.browser.test_keyboard import hun, tab_to
from tests.browser.test_tetrarchia import MOMENTS, played
from tests.browser.tree import accessibility_faults, accessibility_tree, spoken_lines, spoken_status
from tests.web.grand_table import new_campaign

__all__ = ["hun", "new_campaign"]
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PAGES = ("", "n/romans/?open=attack-land", "b/6/", "talk/")
MORE = (
    "battles/",
    "log/",
    "dice/",
    "reports/turn-1/",
    "rules/",
    "history/",
    "n/romans/plan/",
    "clocks/",
    "/me/notices/",
    "/notices/",
    "/",
)
"""Pages that a player opens every day, and pages of every week."""
CLIPPED = """() => [...document.querySelectorAll('button, a, h1, h2, h3, h4, label, summary, th, td, p, li, .chip, .toast')]
    .filter(one => {
        if (!one.getClientRects().length || one.closest('.sr, svg, [hidden]')) return false;
        const style = getComputedStyle(one), cut = (way) => ['hidden', 'clip'].includes(style[`overflow${way}`]);
        if (style.textOverflow === 'ellipsis' || !one.innerText.trim()) return false;
        return (cut('X') && one.scrollWidth > one.clientWidth + 1) || (cut('Y') && one.scrollHeight > one.clientHeight + 1);
    }).map(one => `${one.tagName} ${one.innerText.trim().slice(0, 40)}`)"""  # noqa: E501
"""Texts that are partly cut off."""
LOUD = """axe.run({exclude: [['.map__svg']]}, {runOnly: {type: 'rule', values: ['color-contrast-enhanced']},
    resultTypes: ['violations']}).then(found => found.violations.flatMap(one => one.nodes.map(node => node.target[0])))"""  # noqa: E501
"""Text with a contrast below seven to one."""


@pytest.fixture
def window(new_page: Callable[..., Any], live_server: Any) -> Callable[..., Any]:
    def opened(name: str, path: str, **options: Any) -> Any:
        page, client = new_page(**options), Client()
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
        page.goto(path)
        return page

    return opened


def in_order(heard: list[str], *wanted: str) -> None:
    """Check that each of these begins a line, one after the other."""
    at = 0
    for text in wanted:
        place = next((n for n in range(at, len(heard)) if heard[n].startswith(text)), None)
        assert place is not None, (
            f"{text!r} is not heard after {wanted[: wanted.index(text)][-1:]}:\n" + "\n".join(heard)
        )
        at = place + 1


def test_a_slot_can_be_played_by_keys_with_a_screen_reader(hun: Any) -> None:
    """Ingrid opens an attack, chooses in its form and announces it, then ends the slot.

    A screen reader announces each result.
    """
    page, grand_table = hun
    page.goto(f"{grand_table.home}n/huns/")
    in_order(
        spoken_lines(page),
        "link Skip to content",
        "navigation Site",
        "heading 1 The Long Frontier",
        "list Order of play, turn 1",
        "navigation Campaign",
        "main",
        "heading 2 Huns",
        "region Your moves",
        "heading 2 Your moves",
        "DisclosureTriangle Construction",
        "button Announce : Hamlets",
        "button Plan Hamlets",
        "link Choose… Land attack",
        "button Announce : Siege train",
        "heading 2 Structures",
        "region 2½ of 2½ actions left",
        "button End turn…",
        "contentinfo",
    )
    assert not [
        line
        for line in spoken_lines(page)
        if line in ("link Choose…", "button Announce", "button Plan")
    ]
    assert accessibility_faults(page) == []
    tab_to(page, "Choose… Land attack")
    page.keyboard.press("Enter")
    page.get_by_label("From", exact=True).wait_for()
    wait_until_settled(page)
    in_order(
        spoken_lines(page),
        "group The provinces that this move may concern",
        "combobox From",
        "combobox Target",
        "combobox Battle",
        "heading 4 If you win",
        "button Announce the attack",
        "button Add to plan",
        "link Close",
    )
    tab_to(page, id=page.get_by_label("From", exact=True).get_attribute("id"))
    page.keyboard.press("P")  # Pannonia
    wait_until(
        page,
        "[...document.querySelectorAll('select')].some(one => one.selectedOptions[0].text ==="
        " 'Dalmatia')",
    )
    wait_until_settled(page)
    tab_to(page, "Announce the attack")
    page.keyboard.press("Enter")
    wait_until(page, "document.getElementById('spoken')?.textContent.length > 3")
    assert page.text_content("#spoken") == "Attack on Dalmatia announced."
    assert "status" in {
        node.role for node in accessibility_tree(page) if node.properties.get("live") == "polite"
    }
    wait_until_settled(page)
    for _ in range(2):  # asked again, because actions lapse
        tab_to(page, "End turn")
        page.keyboard.press("Enter")
        wait_until_settled(page)
    wait_until(
        page,
        "!['Huns', undefined].includes(document.querySelector('.order .is-now"
        " .order__full')?.innerText)",
    )
    grand_table.campaign.refresh_from_db()
    moves = [
        entry.content["move"]
        for entry in positions.moves_in_force(grand_table.campaign)
        if entry.seat == "huns"
    ]
    assert moves[-2:] == ["attack", "end-slot"]


def test_a_battle_is_claimed_and_confirmed_by_keys(window: Callable[..., Any]) -> None:
    home = f"/c/{create_demonstration().address}/"
    page = window(RIVAL, f"{home}b/6/")
    in_order(
        spoken_lines(page),
        "main",
        "region Pannonia → Dalmatia",
        "heading 2 Pannonia → Dalmatia",
        "heading 3 Huns",
        "heading 3 Romans",
        "region Claim the result",
        "textbox Result line from the forum",
        "textbox Huns, % (required)",
        "textbox Romans, % (required)",
        "button See the consequences",
        "image Outcomes by the routed shares",
        "region Set-up sheet",
        "region Evidence",
        "log Battle log",
    )
    assert accessibility_faults(page) == []
    for name, typed in (("Huns, %", "31"), ("Romans, %", "46")):
        tab_to(page, id=page.get_by_label(name).get_attribute("id"))
        page.keyboard.type(typed)
    tab_to(page, "See the consequences")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Claim the result").wait_for()
    wait_until_settled(page)
    assert accessibility_faults(page) == []
    tab_to(page, "Claim the result")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Withdraw the claim").wait_for()
    other = window(PLAYER, f"{home}b/6/")
    assert accessibility_faults(other) == []
    heard = spoken_lines(other)
    in_order(heard, "heading 2", "button Confirm", "DisclosureTriangle Dispute…")
    tab_to(other, "Confirm")
    other.keyboard.press("Enter")
    other.get_by_role("button", name="Confirm").wait_for(state="detached")
    wait_until(other, "document.getElementById('spoken')?.textContent.length > 3")
    assert Campaign.objects.get(title="grand_campaign").battles.get(number=6).status == "resolved"


def test_a_tetrarchia_turn_can_be_played_by_keys_with_a_screen_reader(
    window: Callable[..., Any], person: Callable[..., Any]
) -> None:
    page = window("Shirin", played(person("Shirin"), MOMENTS["enter"]))
    bar = page.locator(".play-bar")
    bar.get_by_text("Diocletian enters the board").first.wait_for()
    assert accessibility_faults(page) == []
    in_order(
        spoken_lines(page),
        "link Skip to content",
        "heading 1 The night of the four",
        "list The four Emperors",
        "main",
        "group The board: 42 provinces",
        "button BITHYNIA: printed token. Enter in BITHYNIA",
        "button ROMA: printed token. Enter in ROMA",
        "region Diocletian’s turn",
        "region Threats",
        "rowheader Diocletian",
        "DisclosureTriangle The board as a table",
        "region Your turn",
        "button Enter in ROMA",
    )
    tab_to(page, "Enter in ROMA")
    page.keyboard.press("Enter")
    bar.get_by_text("Diocletian in ROMA, 6 IP").first.wait_for()
    assert "Diocletian in ROMA, 6 IP" in spoken_status(page)
    tab_to(page, "ROMA", most=80)
    page.keyboard.press("n")
    here = "document.activeElement.getAttribute('aria-label')"
    first = page.evaluate(here)
    assert "March to" in first
    page.keyboard.press("n")
    assert "March to" in page.evaluate(here)
    page.keyboard.press("Shift+N")
    assert page.evaluate(here) == first
    page.keyboard.press("Enter")
    bar.get_by_role("button", name="March to").wait_for()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Take back").first.wait_for()
    assert "Diocletian in " in spoken_status(page)
    tab_to(page, "End the turn")
    with page.expect_response("**/moves/"):
        page.keyboard.press("Enter")
    page.locator(".film__say").wait_for()
    page.keyboard.press("End")
    bar.get_by_text("Galerius").first.wait_for()
    assert "Galerius" in spoken_status(page)
    assert accessibility_faults(page) == []
    moves = [entry.content["move"] for entry in positions.moves_in_force(Campaign.objects.get())]
    assert moves[2:] == ["enter", "move", "end_turn"]


@pytest.mark.parametrize(
    "paths", [PAGES, pytest.param(MORE, marks=pytest.mark.nightly)], ids=["day", "week"]
)
def test_pages_work_with_screen_readers_large_letters_and_contrast(
    window: Callable[..., Any], paths: tuple[str, ...]
) -> None:
    """Each page is opened once.

    Checked are its tree, letters twice as large, a window of 320 pixels, more contrast, less
    motion.
    """
    home, wrong = f"/c/{create_demonstration().address}/", list[str]()
    board = played(User.objects.get(username="Shirin"), MOMENTS["attack"])
    page = window(PLAYER, "/")
    pages = [(page, path if path.startswith("/") else home + path) for path in paths]
    pages += [(window(MASTER, "/"), f"{home}desk/"), (window("Shirin", "/"), board)]
    looked = 0
    for name, path in pages:
        name.goto(path)
        wrong += [f"{path}: {fault}" for fault in accessibility_faults(name)]
        if moving := name.evaluate(
            "document.getAnimations().filter(one => one.playState === 'running').length"
        ):
            wrong.append(f"{path}: {moving} things move")
        for width, size in ((1280, "200%"), (320, "")):
            resize(name, width)
            name.evaluate(f"document.documentElement.style.fontSize = '{size}'")
            how = f"{path} at {width}, {size or '100%'}"
            if (over := name.evaluate(OVERFLOW_WIDTH)) > 0:
                wrong.append(f"{how}: {over} pixels too wide")
            wrong += [f"{how}: cut {text}" for text in name.evaluate(CLIPPED)]
        resize(name, 1280)
        name.emulate_media(contrast="more")
        name.evaluate(AXE)
        wrong += [f"{path}: too pale {text}" for text in name.evaluate(LOUD)]
        name.emulate_media(contrast="no-preference")
        looked += 1
    assert wrong == [], "\n".join(wrong)
    assert looked == len(paths) + 2


LINES = """selector => { const style = getComputedStyle(document.querySelector(selector));
    return [style.borderBlockEndColor, style.outlineStyle, style.backgroundColor, style.backgroundImage] }"""  # noqa: E501


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_in_system_colours_the_selection_is_visible(
    window: Callable[..., Any], scheme: str
) -> None:
    home = f"/c/{create_demonstration().address}/"
    page = window(PLAYER, f"{home}n/romans/")
    page.emulate_media(forced_colors="active", color_scheme=scheme)
    canvas = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert page.evaluate(LINES, ".tabs a[aria-current]")[0] != canvas
    assert page.evaluate(LINES, ".tabs a:not([aria-current])")[0] == canvas
    assert page.evaluate(LINES, ".order > .is-now")[1] == "solid"
    full, half = (page.evaluate(LINES, f'.pip[data-f="{how}"]') for how in ("1", "h"))
    assert full[2] != canvas
    assert "gradient" in half[3]
    assert page.evaluate(LINES, ".order .swatch, .swatch")[3] != "none"
    page.keyboard.press("Tab")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.goto(home)
    assert page.evaluate(LINES, ".map__regions > :has(:checked)")[1] == "solid"

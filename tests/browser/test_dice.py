"""The reader's browser checks the log, computes the rolls again, and names a changed roll."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from campaign import services
from campaign.log import selectors
from campaign.models import Campaign
from tests.browser.laid_out import create_demonstration
from tests.web.dice.test_verify import FORGERIES, Forged, rich
from tests.web.grand_table import new_campaign

__all__ = ["new_campaign", "rich"]

BY_RULES = ("no links", "scenario in the log", "seat of a move", "a move that the rules forbid")
"""Forgeries that only a replay of the rules can find."""
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_checked_by_the_browser(new_page: Callable[..., Any]) -> None:
    home = f"/c/{create_demonstration().address}/"
    page = new_page()
    changed: dict[str, int] = {}

    def tampered(route: Any) -> None:
        answer = route.fetch()
        given = json.loads(answer.text())
        roll = next(roll for roll in given["rolls"] if roll["purpose"] == "turn-1/card/huns")
        changed.update(due=roll["value"], value=roll["value"] % 100 + 1)
        roll["value"] = changed["value"]
        given["rolls"] = [
            roll for roll in given["rolls"] if roll["purpose"] != "turn-1/card/vandals"
        ]
        route.fulfill(response=answer, body=json.dumps(given))

    page.goto(home + "dice/")
    page.get_by_text("7 of 7 published rolls check out").first.wait_for()
    assert page.locator("[data-roll].chip--good").count() == 7
    page.route("**/rolls.json", tampered)
    page.get_by_role("button", name="Check again").click()
    page.get_by_text("1 of 7 published rolls do not check out").first.wait_for()
    shown = page.locator("[data-verdict] li").all_inner_texts()
    assert shown == [
        "turn-1/card/huns: the log and the list of rolls differ",
        "turn-1/card/vandals is missing",
    ]
    assert page.locator('[data-roll="turn-1/card/huns"]').inner_text() == "wrong"
    page.route("**/rolls.json", lambda route: route.fulfill(json={"chains": [], "rolls": []}))
    page.route("**/log.jsonl", lambda route: route.fulfill(body=""))
    page.get_by_role("button", name="Check again").click()
    page.locator("[data-verdict]").wait_for(state="hidden")


def test_the_page_names_forgeries_as_the_script_does(
    new_page: Callable[..., Any], rich: Forged
) -> None:
    """The page names each forgery with new hashes, except those that only the rules can find."""
    page = new_page()
    page.goto(f"/c/{Campaign.objects.get().address}/dice/")
    whole = (
        (rich.folder / "log.jsonl").read_text("utf-8"),
        (rich.folder / "rolls.json").read_text("utf-8"),
    )
    believed = []
    for name, (forge, _words) in {"honest": (lambda forged: None, ""), **FORGERIES}.items():
        for file, text in zip(("log.jsonl", "rolls.json"), whole, strict=True):
            (rich.folder / file).write_text(text, "utf-8")
        forged = Forged(rich.folder)
        forge(forged)
        forged.write(reseal=True)
        check = """async ([lines, list]) => {
          try { return (await work(lines, list)).faults.length } catch (error) { return 1 }
        }"""
        if not page.evaluate(check, [forged.lines, forged.listed]):
            believed.append(name)
    assert set(believed) == {"honest", *BY_RULES}


def test_the_page_reads_terms_that_were_saved_again_before_the_start(
    new_page: Callable[..., Any], person: Callable[..., Any]
) -> None:
    gm = person("Marozia")
    campaign = services.change_terms(
        services.found_campaign(gm, "grand_campaign", "Draft", "420ad"), gm
    )
    services.play(campaign, gm, {"by": "gm", "move": "start"}, selectors.seen(campaign, gm))
    page = new_page()
    page.goto(f"/c/{campaign.address}/dice/")
    faults = """async () => {
      const sheet = document.querySelector("[data-log][data-rolls]");
      const [log, list] = await Promise.all([sheet.dataset.log, sheet.dataset.rolls].map((file) => fetch(file)));
      const lines = (await log.text()).split("\\n").filter(Boolean).map((line) => JSON.parse(line));
      const whole = await list.json();
      const late = lines.concat([lines[0]]);
      return [(await work(lines, whole)).faults, (await work(late, whole)).faults.length > 0];
    }"""  # noqa: E501
    assert page.evaluate(faults) == [[], True]


def test_mixed_dice_are_checked_by_the_browser(
    new_page: Callable[..., Any], person: Callable[..., Any], client: Any, live_server: Any
) -> None:
    """The Hun adds random words, and the game master closes and starts.

    The words come from the Hun's browser, which computes all rolls again.
    """
    gm, hun = person("Marozia"), person("Ingrid")
    campaign = services.found_campaign(gm, "grand_campaign", "Mixed", "420ad", {}, chance="words")
    services.take_seat(hun, services.invite(campaign, gm, "huns")[1])
    client.force_login(hun)
    page = new_page()
    page.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
    )
    page.goto(f"/c/{campaign.address}/dice/")
    page.get_by_role("button", name="Random words").click()
    words = page.get_by_label("Words of the Huns").input_value()
    assert re.fullmatch(r"([0-9a-f]{6} ){3}[0-9a-f]{6}", words)
    page.get_by_role("button", name="Add the words").click()
    page.get_by_text("Your words are in the log. They cannot be removed.").first.wait_for()
    assert page.get_by_text(f"“{words}”").count() == 1
    services.close_words(campaign, gm)
    campaign.refresh_from_db()
    campaign = services.play(
        campaign, gm, {"by": "gm", "move": "start"}, selectors.seen(campaign, gm)
    ).campaign
    while campaign.active_seat:
        move = {"by": "gm", "for": campaign.active_seat, "move": "end-slot"}
        campaign = services.play(campaign, gm, move, selectors.seen(campaign, gm)).campaign
    services.close_words(campaign, gm)
    services.play(campaign, gm, {"by": "gm", "move": "open-turn"}, selectors.seen(campaign, gm))
    page.goto(f"/c/{campaign.address}/dice/")
    page.get_by_text("7 of 7 published rolls check out").first.wait_for()

"""History of the Roman Empire in a browser: every moment wide and narrow, checked by axe."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from campaign import services
from campaign.log import selectors
from games.roman_empire.bots.players import EmpirePlayers
from tests.browser.axe import OVERFLOW_WIDTH, PageChecker, page_checker  # noqa: F401
from tests.browser.steady import resize

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
MOMENTS: dict[str, Callable[[Any], bool]] = {
    "draw": lambda p: p.phase == "draw" and p.draw is not None and p.draw.open is not None,
    "people": lambda p: p.phase == "people" and p.step == "expand" and p.combat is not None,
    "faction": lambda p: p.phase == "faction" and p.period == 2 and p.step == "start",
    "retreat": lambda p: p.pending is not None,
    "over": lambda p: p.phase == "over",
}


@pytest.mark.parametrize(
    "moments",
    [("draw", "people"), pytest.param(tuple(MOMENTS), marks=pytest.mark.nightly)],
    ids=["first", "every"],
)
def test_moments_wide_and_narrow(
    page_checker: PageChecker,  # noqa: F811
    person: Callable[..., Any],
    moments: tuple[str, ...],
) -> None:
    """Moments of a whole game; the default run ends when the first people fights."""
    user = person("Marozia")
    campaign = services.found_campaign(
        user, "roman_empire", "From Caesar on", "standard", {"players": 3}, seed="b" * 64
    )
    home, choose, waiting = (
        f"/c/{campaign.address}/",
        EmpirePlayers.by_name["sensible"],
        {name: MOMENTS[name] for name in moments},
    )
    page = page_checker.window("Marozia")
    while waiting:
        position = selectors.position(campaign)
        name = next((name for name, there in waiting.items() if there(position)), None)
        if name is not None:
            del waiting[name]
            page_checker.visit("Marozia", home, whole=name == "people")
            resize(page, 320, 700)
            page.goto(home)
            assert page.evaluate(OVERFLOW_WIDTH) <= 0, name
        raw = choose(position, Random(1))
        if raw is None:
            assert position.result is not None
            resize(page, 1280)
            page.get_by_role("heading", name=f"Seat {position.result['winner']} has won").wait_for()
            page.get_by_role("heading", name="Points by period").wait_for()
            break
        content = {"by": "gm", **raw} if "by" not in raw else {**raw, "by": "gm", "for": raw["by"]}
        campaign = services.play(campaign, user, content, selectors.seen(campaign, user)).campaign
    assert set(waiting) <= {"retreat"}

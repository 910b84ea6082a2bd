"""Several results at the desk: each is shown on the position after those above it, and applied as
it was shown.
"""

from __future__ import annotations

from typing import Any

import pytest

from campaign import services
from campaign.log import selectors
from tests.web.contests import covert_attack, plain, siege  # noqa: F401
from tests.web.five import Five, new_campaign  # noqa: F401

pytestmark = pytest.mark.django_db


def typed(table: Five, **more: Any) -> Any:
    """Send the rows of both battles: the Huns win the siege and lose the covert attack."""
    rows = {"a-1": "31", "d-1": "46", "a-2": "70", "d-2": "10"}
    seen = str(table.seen("gm"))
    return table.post("gm", "desk/", do="results", **{"seen": seen, **rows, **more})


SHOWN = "1:31:46 2:70:10"


@pytest.fixture
def two(siege: Five) -> Five:  # noqa: F811
    """The Huns besiege Dalmatia, and attack independents covertly."""
    covert_attack(siege)
    return siege


def section(page: Any, number: int) -> str:
    """What the page says follows from a battle."""
    text = plain(page).split(f"What follows from #{number}", 1)[1]
    return text.split("What follows from #", 1)[0].split("Apply ", 1)[0]


def test_the_second_result_is_shown_behind_the_first(two: Five) -> None:
    page = typed(two)
    assert "Huns Stability 6 → 7 Prestige 6 → 7 VP 0 → 1 0 → 3" in section(page, 1)
    assert section(page, 2).strip().startswith("Huns prestige 7 → 6 Vandals stability")
    assert typed(two, sure=SHOWN).status_code == 302
    nation = selectors.position(type(two.campaign).objects.get(pk=two.campaign.pk)).nations["huns"]
    assert nation.prestige == 6


def test_where_dice_matter_each_way_is_shown(two: Five) -> None:
    """The siege of the first battle is worth victory points: the second begins with them."""
    shown = section(typed(two, **{"a-2": "10", "d-2": "70"}), 2)
    held, taken = shown.split("#1: held", 1)[1].split("#1: taken", 1)
    assert held.strip().startswith("Huns prestige 7 → 8 , VP 1 → 2")
    assert taken.strip().startswith("Huns prestige 7 → 8 , VP 3 → 4")


def test_the_end_of_the_turn_is_named(two: Five) -> None:
    assert "When this is applied" not in plain(typed(two))
    while two.campaign.active_seat:
        two.play(two.campaign.active_seat, "end-slot")
    assert "When this is applied, turn 2 ends." in plain(typed(two))
    assert "When this is applied" not in plain(typed(two, **{"a-2": "", "d-2": ""}))
    assert typed(two, sure=SHOWN).status_code == 302
    two.campaign.refresh_from_db()
    assert two.campaign.phase == "closed"


def test_what_changed_since_the_page_is_shown_again(two: Five) -> None:
    before = str(two.seen("gm"))
    gm = two.people["gm"]
    adjust = {
        "by": "gm",
        "move": "adjust",
        "nation": "huns",
        "account": "prestige",
        "change": 1,
        "reason": "A slip",
    }
    services.play(two.campaign, gm, adjust, two.seen("gm"))
    two.campaign.refresh_from_db()
    page = typed(two, sure=SHOWN, seen=before)
    assert page.status_code == 409
    assert "your move would now have other consequences" in plain(page)
    assert len(selectors.position(two.campaign).running) == 2


def test_what_does_not_touch_the_results_lets_them_pass(two: Five) -> None:
    before = str(two.seen("gm"))
    two.play("huns", "end-slot")
    assert typed(two, sure=SHOWN, seen=before).status_code == 302
    two.campaign.refresh_from_db()
    assert selectors.position(two.campaign).running == []

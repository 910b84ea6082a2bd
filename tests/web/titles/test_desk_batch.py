"""Several results at once: each is shown after those above it and applied as shown."""

from __future__ import annotations

from typing import Any

import pytest

from campaign import services
from campaign.log import selectors
from tests.web.contests import attack_independents, siege, visible_text  # noqa: F401
from tests.web.grand_table import GrandTable, new_campaign  # noqa: F401

pytestmark = pytest.mark.django_db


def typed(table: GrandTable, **more: Any) -> Any:
    """Send the rows of both battles: the Huns win the siege and lose the covert attack."""
    rows = {"a-1": "31", "d-1": "46", "a-2": "70", "d-2": "10"}
    seen = str(table.seen("gm"))
    return table.post("gm", "desk/", do="results", **{"seen": seen, **rows, **more})


SHOWN = "1:31:46 2:70:10"


@pytest.fixture
def two(siege: GrandTable) -> GrandTable:  # noqa: F811
    """The Huns besiege Dalmatia, and attack independents covertly."""
    attack_independents(siege)
    return siege


def section(page: Any, number: int) -> str:
    """Return the consequences of a battle as the page shows them."""
    text = visible_text(page).split(f"Consequences of #{number}", 1)[1]
    return text.split("Consequences of #", 1)[0].split("Apply ", 1)[0]


def test_the_second_result_is_shown_behind_the_first(two: GrandTable) -> None:
    page = typed(two)
    assert "Huns Stability 6 → 7 Prestige 6 → 7 VP 0 → 1 0 → 3" in section(page, 1)
    assert section(page, 2).strip().startswith("Huns prestige 7 → 6 Vandals stability")
    assert typed(two, sure=SHOWN).status_code == 302
    nation = selectors.position(type(two.campaign).objects.get(pk=two.campaign.pk)).nations["huns"]
    assert nation.prestige == 6


def test_where_dice_matter_each_way_is_shown(two: GrandTable) -> None:
    """The siege of the first battle is worth victory points, with which the second begins."""
    shown = section(typed(two, **{"a-2": "10", "d-2": "70"}), 2)
    held, taken = shown.split("#1: held", 1)[1].split("#1: taken", 1)
    assert held.strip().startswith("Huns prestige 7 → 8 , VP 1 → 2")
    assert taken.strip().startswith("Huns prestige 7 → 8 , VP 3 → 4")


def test_the_end_of_the_turn_is_named(two: GrandTable) -> None:
    assert "Applying this" not in visible_text(typed(two))
    while two.campaign.active_seat:
        two.play(two.campaign.active_seat, "end-slot")
    assert "Applying this ends turn 2." in visible_text(typed(two))
    assert "Applying this" not in visible_text(typed(two, **{"a-2": "", "d-2": ""}))
    assert typed(two, sure=SHOWN).status_code == 302
    two.campaign.refresh_from_db()
    assert two.campaign.phase == "closed"


def test_changed_consequences_are_shown_again(two: GrandTable) -> None:
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
    assert "your move would now have other consequences" in visible_text(page)
    assert len(selectors.position(two.campaign).running) == 2


def test_results_are_accepted_after_unrelated_changes(two: GrandTable) -> None:
    before = str(two.seen("gm"))
    two.play("huns", "end-slot")
    assert typed(two, sure=SHOWN, seen=before).status_code == 302
    two.campaign.refresh_from_db()
    assert selectors.position(two.campaign).running == []

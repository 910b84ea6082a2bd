"""The notice of a truce that ends (4.8), which both sides get when its last turn opens."""

from __future__ import annotations

import pytest

from notices import selectors
from notices.channels.mail import reading_as
from notices.wording import notices_in_words
from tests.notices.test_notices import notices_shown
from tests.web.grand_table import GrandTable

pytestmark = pytest.mark.django_db


def open_next_turn(grand_table: GrandTable) -> None:
    while grand_table.campaign.active_seat:
        grand_table.play(grand_table.campaign.active_seat, "end-slot")
    grand_table.play("gm", "open-turn")


def truce_notices(grand_table: GrandTable, who: str) -> list[tuple[str, str]]:
    shown = notices_shown(grand_table.people[who])
    return [(title, body) for kind, title, body in shown if kind == "truce-ends"]


def test_both_sides_are_notified_when_the_last_turn_opens(grand_table: GrandTable) -> None:
    """A truce that is made in turn 1 holds until the end of turn 2."""
    grand_table.play("gm", "give-card", nation="huns", card="diplomat", reason="For the test")
    grand_table.play("huns", "play", card="diplomat", truce="romans")
    assert truce_notices(grand_table, "hun") == truce_notices(grand_table, "roman") == []
    open_next_turn(grand_table)
    body = "It lasts until the end of turn 2."
    assert truce_notices(grand_table, "hun") == [("Your truce with the Romans is ending", body)]
    assert truce_notices(grand_table, "roman") == [("Your truce with the Huns is ending", body)]
    assert truce_notices(grand_table, "gm") == []
    (notice,) = selectors.notices(grand_table.people["hun"]).filter(kind="truce-ends")
    assert selectors.linked_page(notice) == ("nation", "huns")
    with reading_as("de", "Europe/Berlin"):
        (shown,) = notices_in_words([notice])
    assert shown.title == "Deine Waffenruhe mit den Römern endet"
    open_next_turn(grand_table)
    assert len(truce_notices(grand_table, "hun")) == 1, "in turn 3 there is no truce any more"


def test_a_truce_with_a_fallen_nation_is_not_announced(grand_table: GrandTable) -> None:
    grand_table.play("gm", "give-card", nation="huns", card="diplomat", reason="For the test")
    grand_table.play("huns", "play", card="diplomat", truce="romans")
    collapse = {
        "nation": "romans",
        "account": "stability",
        "change": -100,
        "reason": "For the test",
    }
    grand_table.play("gm", "adjust", **collapse)
    open_next_turn(grand_table)
    assert "fell" in [kind for kind, _title, _body in notices_shown(grand_table.people["roman"])]
    assert truce_notices(grand_table, "hun") == truce_notices(grand_table, "roman") == []

"""The notice of a truce that ends (4.8), which both sides get when its last turn opens."""

from __future__ import annotations

import pytest

from notices import selectors
from notices.channels.mail import reading_as
from notices.wording import notices_in_words
from tests.notices.test_notices import notices_shown
from tests.web.five import Five

pytestmark = pytest.mark.django_db


def open_next_turn(five: Five) -> None:
    while five.campaign.active_seat:
        five.play(five.campaign.active_seat, "end-slot")
    five.play("gm", "open-turn")


def truce_notices(five: Five, who: str) -> list[tuple[str, str]]:
    shown = notices_shown(five.people[who])
    return [(title, body) for kind, title, body in shown if kind == "truce-ends"]


def test_both_sides_are_notified_when_the_last_turn_opens(five: Five) -> None:
    """A truce that is made in turn 1 holds until the end of turn 2."""
    five.play("gm", "give-card", nation="huns", card="diplomat", reason="For the test")
    five.play("huns", "play", card="diplomat", truce="romans")
    assert truce_notices(five, "hun") == truce_notices(five, "roman") == []
    open_next_turn(five)
    body = "It lasts until the end of turn 2."
    assert truce_notices(five, "hun") == [("Your truce with the Romans is ending", body)]
    assert truce_notices(five, "roman") == [("Your truce with the Huns is ending", body)]
    assert truce_notices(five, "gm") == []
    (notice,) = selectors.notices(five.people["hun"]).filter(kind="truce-ends")
    assert selectors.linked_page(notice) == ("nation", "huns")
    with reading_as("de", "Europe/Berlin"):
        (shown,) = notices_in_words([notice])
    assert shown.title == "Deine Waffenruhe mit den Römern endet"
    open_next_turn(five)
    assert len(truce_notices(five, "hun")) == 1, "in turn 3 there is no truce any more"


def test_a_truce_with_a_fallen_nation_is_not_announced(five: Five) -> None:
    five.play("gm", "give-card", nation="huns", card="diplomat", reason="For the test")
    five.play("huns", "play", card="diplomat", truce="romans")
    collapse = {
        "nation": "romans",
        "account": "stability",
        "change": -100,
        "reason": "For the test",
    }
    five.play("gm", "adjust", **collapse)
    open_next_turn(five)
    assert "fell" in [kind for kind, _title, _body in notices_shown(five.people["roman"])]
    assert truce_notices(five, "hun") == truce_notices(five, "roman") == []

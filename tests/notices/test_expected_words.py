"""Letters that ask for words for the dice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import time_machine
from django.core import mail as outbox

from campaign.clocks import services as clocks
from campaign.clocks.selectors import Terms
from campaign.dice import services
from notices.delivery import tick
from notices.models import Notice
from tests.web.dice.test_mixed_dice import HOUR, NOW, close_turn
from tests.web.grand_table import GrandTable

pytestmark = pytest.mark.django_db


def test_words_are_asked_for_until_they_are_there(
    new_campaign: Callable[..., GrandTable], confirm_address: Callable[..., Any]
) -> None:
    with time_machine.travel(NOW - HOUR):
        table = new_campaign(chance="words")
    gm = table.people["gm"]
    services.close_words(table.campaign, gm, now=NOW)
    clocks.set_terms(table.campaign, gm, {"words": Terms("2d", "1h", acts=True)}, now=NOW)
    table.campaign.refresh_from_db()
    table.play("gm", "start", NOW)
    close_turn(table)
    services.add_words(table.campaign, table.people["roman"], "romans", "S·P·Q·R", now=NOW + HOUR)
    for who in ("hun", "roman"):
        confirm_address(table.people[who])
    Notice.objects.exclude(kind="words-wanted").update(read_at=NOW)
    tick(NOW + HOUR)
    (letter,) = outbox.outbox
    assert letter.to == [table.people["hun"].email]
    assert letter.subject == (
        "[The Long Frontier] Words for the next dice: add yours by Wed 25 Nov 12:00"
    )
    assert letter.body.splitlines()[3:6] == [
        "The words of all seats are mixed into the dice. Words that come too late do not count.",
        "Add your words for the dice by Wed 25 November 2026, 12:00 (UTC), in 47 hours.",
        "If you add no words, the dice are mixed without yours on Wed 25 Nov 13:00.",
    ]

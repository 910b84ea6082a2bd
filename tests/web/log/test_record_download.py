"""The download of a record, which replays to the same state."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from games.replay import replay
from tests.web.grand_table import GrandTable, new_campaign  # noqa: F401

pytestmark = pytest.mark.django_db


def test_the_record_replays_to_the_same_position(new_campaign: Callable[..., GrandTable]) -> None:  # noqa: F811
    grand_table = new_campaign()
    grand_table.play("gm", "start")
    grand_table.play(grand_table.campaign.active_seat, "tax-exemption")
    answer = grand_table.get("nobody", "record.json")
    assert (
        answer["Content-Disposition"]
        == f'attachment; filename="{grand_table.campaign.address}.json"'
    )
    record = json.loads(answer.content)
    assert "seed" not in record["dice"]
    assert len(record["dice"]["links"]) == 1, "link 0, and no later one"
    state = replay(answer.content)
    assert state["turn"] == 1
    assert state["nations"][state["slot"]]["stability"] == 7


def test_only_the_game_master_gets_the_record_with_hidden_hands(
    new_campaign: Callable[..., GrandTable],  # noqa: F811
) -> None:
    grand_table = new_campaign()
    grand_table.play("gm", "start")
    assert grand_table.statuses("record.json") == {
        "gm": 200,
        "hun": 200,
        "roman": 200,
        "stranger": 200,
        "nobody": 200,
    }
    hidden = new_campaign(hands="hidden")
    hidden.play("gm", "start")
    assert hidden.statuses("record.json") == {
        "gm": 200,
        "hun": 403,
        "roman": 403,
        "stranger": 403,
        "nobody": 302,
    }

"""Entries as JSON, which disclose no more than the lines of the log (rules 4.2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from campaign import access
from campaign.log import selectors
from campaign.log.acts.registry import ACTS
from campaign.log.public_content import entry_json
from campaign.models import Campaign, LogEntry
from tests.web.grand_table import GrandTable, new_campaign  # noqa: F401

pytestmark = pytest.mark.django_db


def announced(campaign: Campaign, user: Any, number: int) -> dict[str, Any]:
    line = selectors.entry(campaign, user, number)
    return dict(entry_json(campaign.game, line.entry, line.effects))


@pytest.mark.parametrize("hands", ["open", "hidden"])
def test_4_2_a_traded_or_given_card_is_named_to_those_who_see_it(
    new_campaign: Callable[..., GrandTable],  # noqa: F811
    hands: str,
) -> None:
    grand_table = new_campaign(hands=hands)
    grand_table.play("gm", "start")
    first, second = grand_table.order[0], grand_table.order[1]
    gm = grand_table.people["gm"]
    given = (
        grand_table.play("gm", "give-card", nation=first, card="traitor", reason="Lost")
        .entries[0]
        .number
    )
    grand_table.play("gm", "give-card", nation=second, card="scouts", reason="Lost")
    grand_table.play(first, "offer", card="traitor")
    grand_table.play(first, "end-slot")
    taken = (
        grand_table.play(second, "take", card="traitor", give="scouts", **{"from": first})
        .entries[0]
        .number
    )
    whole = {
        "by": "gm",
        "for": second,
        "move": "take",
        "from": first,
        "card": "traitor",
        "give": "scouts",
    }
    assert announced(grand_table.campaign, gm, taken) == whole
    assert announced(grand_table.campaign, gm, given) == {
        "by": "gm",
        "move": "give-card",
        "nation": first,
        "card": "traitor",
        "reason": "Lost",
    }
    other = announced(grand_table.campaign, None, taken)
    if hands == "open":
        assert other == whole
        assert announced(grand_table.campaign, None, given)["card"] == "traitor"
    else:
        assert other == {key: value for key, value in whole.items() if key != "give"}
        assert "card" not in announced(grand_table.campaign, None, given)
        assert access.hides(grand_table.campaign)


def test_an_act_contains_only_the_listed_facts(new_campaign: Callable[..., GrandTable]) -> None:  # noqa: F811
    grand_table = new_campaign()
    genesis = announced(grand_table.campaign, None, 0)
    assert set(genesis) == {"act", "format", "options", "commitment"}
    order = LogEntry(
        kind=LogEntry.Kind.TABLE,
        content_json='{"act":"standing","question":"slot","when":{"prestige":3},"battle":2}',
    )
    assert entry_json(grand_table.campaign.game, order, ()) == {"act": "standing", "battle": 2}
    assert not {"scenario", "given", "when", "question", "sha256", "word", "line"} & {
        fact for act in ACTS.values() for fact in act.public
    }


def test_the_consequences_of_a_claim_name_no_hidden_card(
    new_campaign: Callable[..., GrandTable],  # noqa: F811
) -> None:
    grand_table = new_campaign(hands="hidden")
    parked = LogEntry(
        kind=LogEntry.Kind.TABLE,
        content_json='{"act":"die","how":"parked","purpose":"p","sides":6,"move":{"by":"huns","move":"take","from":"a","card":"b","give":"c"}}',
    )
    assert entry_json(grand_table.campaign.game, parked, ())["move"] == {
        "by": "huns",
        "move": "take",
        "from": "a",
        "card": "b",
    }

"""The costs and effects of moves as rows of the database."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.log import entries, positions, selectors
from engine.effects import Effect, Phrase
from nations import projection as nations
from nations.models import Action, Balance, Card, Holding, LedgerEntry, Nation, PlaceMove
from nations.projection import _narrow


def test_a_campaign_has_its_rows_before_the_first_move(table: Any) -> None:
    assert nations.balances(table.campaign) == {
        seat: {"actions": 0, "stones": 0} for seat in ("ant", "bee")
    }
    assert [(row.place, row.owner) for row in table.campaign.holdings.all()] == [("heap", "")]
    assert [row.holder for row in table.campaign.nations.order_by("holder")] == ["ant", "bee"]
    assert not LedgerEntry.objects.exists()
    assert not Card.objects.exists()


def test_an_account_effect_is_a_ledger_line(running: Any) -> None:
    before = nations.balances(running.campaign)["bee"]
    entry = running.play("bee", "add", stones=2).entries[0]
    lines = list(nations.ledger(running.campaign, None, "bee", turn=entry.turn).filter(entry=entry))
    assert [
        (row.account, row.change, row.balance, row.cause_said.id, row.order) for row in lines
    ] == [
        ("actions", -1, before["actions"] - 1, "spends", 0),
        ("stones", 2, before["stones"] + 2, "adds", 1),
    ]
    after = nations.balances(running.campaign)["bee"]
    assert after == {"actions": before["actions"] - 1, "stones": before["stones"] + 2}
    stones = nations.ledger(running.campaign, None, "bee", account="stones")
    assert [row.balance for row in stones][-1] == after["stones"]
    assert not nations.ledger(running.campaign, None, "bee", turn=99).exists()


def test_ledgers_sum_to_balances(running: Any) -> None:
    for _ in range(2):
        running.play("bee", "add", stones=1)
    running.play("bee", "dig")
    for holder, accounts in nations.balances(running.campaign).items():
        for account, amount in accounts.items():
            rows = nations.ledger(running.campaign, None, holder, account=account)
            assert sum(row.change for row in rows) == amount


def test_an_action_is_a_seats_move_and_its_cost(running: Any) -> None:
    assert not nations.actions(running.campaign, None, "gm").exists()
    turn = running.campaign.turn
    running.play("bee", "add", stones=2)
    running.play("gm", "dig", **{"for": "bee"})
    rows = nations.actions(running.campaign, None, "bee", turn=turn)
    assert [(row.move, row.cost) for row in rows] == [("add", 1), ("dig", 0)]


def test_holdings_follow(running: Any) -> None:
    running.play("bee", "add", stones=3)
    assert [row.facts for row in running.campaign.holdings.filter(owner="bee")] == [
        {"owner": "bee", "height": 3}
    ]
    assert not running.campaign.holdings.filter(owner="ant").exists()


def test_cards_are_for_those_who_may_see_them(running: Any) -> None:
    running.play("bee", "hide", secret=4)
    seen = {
        who: [str(c) for c in nations.cards(running.campaign, user)]
        for who, user in running.people.items()
    }
    mine = ["bee, hand: 4 number"]
    assert seen == {"gm": mine, "ant": [], "bee": mine, "stranger": []}
    assert nations.cards(running.campaign, None).count() == 0
    actions = {
        who: nations.actions(running.campaign, user, "bee").count()
        for who, user in running.people.items()
    }
    assert actions == {"gm": 1, "ant": 0, "bee": 1, "stranger": 0}
    running.play("bee", "hide", secret=0)
    assert not Card.objects.exists()


def test_who_sees_an_effect_of_an_entry() -> None:
    assert _narrow(None, None) is None
    assert _narrow("|ant|", None) == "|ant|"
    assert _narrow(None, ("ant",)) == "|ant|"
    assert _narrow("|ant|", ("ant", "bee")) == "|ant|"
    assert _narrow("|ant|", ("bee",)) == "||"


def rows() -> list[Any]:
    """Everything projected, without primary keys."""
    result: list[Any] = []
    for model in (Nation, Balance, Holding, Card, Action, LedgerEntry, PlaceMove):
        fields = [field.attname for field in model._meta.concrete_fields if not field.primary_key]
        result += sorted(model._default_manager.values_list(*fields), key=repr)
    return result


def test_rebuilding_gives_the_same_rows_and_writes_none(
    running: Any, django_assert_max_num_queries: Any
) -> None:
    running.play("bee", "add", stones=3)
    running.play("bee", "hide", secret=4)
    running.play("bee", "dig")
    before, history = rows(), positions.history(running.campaign)
    with django_assert_max_num_queries(12) as queries:
        entries.rebuild(running.campaign, history)
    assert rows() == before
    assert not [
        query for query in queries.captured_queries if not query["sql"].startswith("SELECT")
    ]
    LedgerEntry.objects.all().delete()
    Balance.objects.update(amount=0)
    entries.rebuild(running.campaign, history)
    assert rows() == before


def test_an_undo_takes_its_rows_away(running: Any) -> None:
    before, number = rows(), running.campaign.last_number
    running.play("bee", "add", stones=3)
    running.play("bee", "dig")
    assert rows() != before
    running.undo(number)
    assert rows() == before


@pytest.mark.parametrize("change", [1, -1])
def test_a_title_whose_effects_do_not_add_up_is_found(running: Any, toy: Any, change: int) -> None:
    history = positions.history(running.campaign)
    assert list(entries.differences(running.campaign, history)) == []
    step = history.steps[-1]
    wrong = Effect("account", "bee", "stones", Phrase("adds"), change, 0)
    history.steps[-1] = step._replace(
        played=step.played._replace(effects=(*step.played.effects, wrong))
    )
    entries.rebuild(running.campaign, history)
    shown = list(entries.differences(running.campaign, history))
    assert shown == [f"ledger bee/stones: the changes add up to {change}, but the balance is 0"]
    assert selectors.position(running.campaign).stones["bee"] == 0

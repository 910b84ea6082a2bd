"""Battles as rows of the database."""

from __future__ import annotations

from typing import Any

import pytest

from battles import projection as battles
from campaign import services


@pytest.fixture
def twos(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every die falls on 2, from the first on: an undo replays them all."""
    monkeypatch.setattr("engine.dice.draw", lambda link, purpose, sides: 2)


@pytest.fixture
def duel(twos: None, running: Any) -> Any:
    """A duel of the bee's, challenged."""
    running.launch = running.play("bee", "duel").entries[0]
    return running


def test_a_battle_belongs_to_the_entry_that_launched_it(duel: Any) -> None:
    result = battles.battle(duel.campaign, 1)
    assert result is not None
    assert (result.entry, result.kind, result.status) == (duel.launch, "duel", "challenged")
    assert (result.attacker, result.defender, result.source, result.target) == (
        "bee",
        "ant",
        "",
        "heap",
    )
    assert (result.launched_at, result.resolved_at, result.turn) == (
        duel.launch.at,
        None,
        duel.launch.turn,
    )
    assert result.facts["answer"] == 0


def test_it_is_answered_and_resolved(duel: Any) -> None:
    duel.play("ant", "answer")
    assert [battle.status for battle in battles.running(duel.campaign)] == ["fighting"]
    entry = duel.play("gm", "settle", winner="attacker").entries[0]
    result = battles.battle(duel.campaign, 1)
    assert result is not None
    assert (result.status, result.outcome, result.resolved_at) == ("resolved", "attacker", entry.at)
    assert not battles.running(duel.campaign).exists()
    duel.play("bee", "add", stones=1)
    later = battles.battle(duel.campaign, 1)
    assert later is not None
    assert later.resolved_at == entry.at


def test_of_whom_and_when(duel: Any) -> None:
    for seat in ("ant", "bee"):
        assert battles.battles(duel.campaign, seat=seat).count() == 1
    assert not battles.battles(duel.campaign, seat="wasp").exists()
    assert battles.battles(duel.campaign, turn=duel.launch.turn).count() == 1
    assert not battles.battles(duel.campaign, turn=99).exists()
    assert battles.battle(duel.campaign, 2) is None


def test_a_struck_battle_goes_and_a_restored_one_comes_back(duel: Any) -> None:
    undo = duel.undo(duel.launch.number - 1)
    assert not battles.battles(duel.campaign).exists()
    services.restore(duel.campaign, duel.gm, undo.number, "It was fought")
    duel.reload()
    result = battles.battle(duel.campaign, 1)
    assert result is not None
    assert result.entry == duel.launch


def test_a_number_goes_to_another_battle_after_an_undo(duel: Any) -> None:
    duel.undo(duel.launch.number - 1)
    duel.play("bee", "add", stones=1)
    second = duel.play("bee", "duel").entries[0]
    result = battles.battle(duel.campaign, 1)
    assert result is not None
    assert result.entry == second

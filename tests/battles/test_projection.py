"""What was fought, as rows."""

from __future__ import annotations

from typing import Any

import pytest

from battles import selectors as battles
from campaign import services


@pytest.fixture
def twos(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every die falls on 2, from the first on: an undo replays them all."""
    monkeypatch.setattr("engine.dice.draw", lambda link, purpose, sides: 2)


@pytest.fixture
def duel(twos: None, running: Any) -> Any:
    """A duel of the bee's, challenged."""
    running.launch = running.say("bee", "duel").entries[0]
    return running


def test_a_battle_belongs_to_the_entry_that_launched_it(duel: Any) -> None:
    found = battles.battle(duel.campaign, 1)
    assert found is not None
    assert (found.entry, found.kind, found.status) == (duel.launch, "duel", "challenged")
    assert (found.attacker, found.defender, found.source, found.target) == ("bee", "ant", "", "heap")
    assert (found.launched_at, found.resolved_at, found.turn) == (duel.launch.at, None, duel.launch.turn)
    assert found.known["answer"] == 0


def test_it_is_answered_and_resolved(duel: Any) -> None:
    duel.say("ant", "answer")
    assert [battle.status for battle in battles.running(duel.campaign)] == ["fighting"]
    entry = duel.say("gm", "settle", winner="attacker").entries[0]
    found = battles.battle(duel.campaign, 1)
    assert found is not None
    assert (found.status, found.outcome, found.resolved_at) == ("resolved", "attacker", entry.at)
    assert not battles.running(duel.campaign).exists()
    duel.say("bee", "add", stones=1)
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
    duel.fresh()
    found = battles.battle(duel.campaign, 1)
    assert found is not None
    assert found.entry == duel.launch


def test_a_number_goes_to_another_battle_after_an_undo(duel: Any) -> None:
    duel.undo(duel.launch.number - 1)
    duel.say("bee", "add", stones=1)
    second = duel.say("bee", "duel").entries[0]
    found = battles.battle(duel.campaign, 1)
    assert found is not None
    assert found.entry == second

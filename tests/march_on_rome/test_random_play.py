"""Random reigns, with the invariants after each move."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from engine.dice import Dice
from engine.effects import Effect
from engine.errors import IllegalMove
from engine.play import play
from engine.strict_json import canonical, digest
from games.march_on_rome.rules.moves import MOVES
from games.march_on_rome.rules.position import CORE, LOST, PC, PROVINCES, SENATE
from games.replay import replay
from tests.march_on_rome.reigns import steps
from tests.march_on_rome.table import SCENARIO, TITLE

REIGNS = 150
THOROUGH = 300
SOME = [
    {"move": "begin"},
    {"move": "pass"},
    {"move": "continue"},
    {"move": "answer", "accept": True},
]
SOME += [
    {"move": "answer", "accept": False},
    *({"move": "devote", "legions": n} for n in (-1, 0, 1, 5, 60)),
]
SOME += [{"move": name, "target": key} for name in ("attack", "ally") for key in PROVINCES]


class Ledger:
    """The balances that follow from the effects alone."""

    def __init__(self) -> None:
        self.accounts: Counter[tuple[str, str]] = Counter()
        self.places: Counter[tuple[str, str]] = Counter()
        self.owner = dict.fromkeys(PROVINCES, LOST)

    def enter(self, effects: tuple[Effect, ...]) -> None:
        for effect in effects:
            if effect.kind == "account":
                assert effect.holder is not None
                assert effect.change
                self.accounts[effect.holder, effect.subject] += effect.change
                assert self.accounts[effect.holder, effect.subject] == effect.balance >= 0
                if effect.subject != "legions":
                    self.places[effect.subject, effect.facts["province"]] += effect.change
                    assert (
                        self.places[effect.subject, effect.facts["province"]] == effect.facts["now"]
                    )
            elif effect.kind == "holding":
                assert (
                    self.owner[effect.subject] == effect.cause.facts["from"] == effect.facts["from"]
                )
                assert effect.facts["to"] == effect.holder
                self.owner[effect.subject] = str(effect.holder)

    def agree(self, position: Any) -> None:
        assert self.owner == position.owner
        rows = TITLE.rows(position)
        assert {key: n for key, n in self.accounts.items() if n} == {
            key: n for key, n in rows.accounts.items() if n
        }
        assert {key: n for key, n in self.places.items() if n} == {
            **{("garrison", key): n for key, n in position.garrison.items() if n},
            **{("armies", key): n for key, n in position.barbarians.items() if n},
        }


def check_invariants(position: Any) -> None:
    """Check the invariants of a position."""
    owners = set(position.owner.values())
    assert list(position.owner) == list(PROVINCES)
    assert all(
        n >= 0
        for n in (
            *position.legions.values(),
            *position.garrison.values(),
            *position.barbarians.values(),
        )
    )
    assert set(position.garrison) == set(position.lands(SENATE))
    assert set(position.barbarians) <= set(position.lands(LOST))
    landed = owners - {SENATE, LOST}
    assert landed == set(position.legions) or (
        position.phase == "over" and landed - set(position.legions) <= {PC}
    )
    assert all(int(who[4:]) <= position.npc_seq for who in position.npcs())
    assert (position.result is None) == (position.phase != "over")
    assert position.queue is None or set(position.queue) <= set(position.npcs())
    assert (position.battle is not None) == (
        position.pending is not None and position.pending["kind"] == "devote"
    )
    if position.phase not in ("setup", "over"):
        assert PC in position.legions
        assert position.legions[PC] >= 0
    if position.phase == "pc" and position.pending is None:
        assert (position.queue, position.events_left, position.event_no) == (None, None, 0)
        assert not position.barbarians
        assert len(position.lands(PC)) < 3 or position.npcs() or position.turn == 1
    if position.phase == "over":
        assert position.result in ("won", "lost")
        assert position.result == "lost" or (len(position.lands(PC)) >= 3 and not position.npcs())


def round_trip(position: Any) -> None:
    """Check that an encoded position reads back the same and a copy shares no mutable state."""
    raw = position.encode()
    before = canonical(raw)
    if position.phase != "setup":
        assert TITLE.situation(raw, TITLE.options({})).encode() == raw
    copied = position.copy()
    assert copied.encode() == raw
    for name in ("owner", "garrison", "legions", "barbarians"):
        getattr(copied, name)["gaul"] = "changed"
    if copied.queue is not None:
        copied.queue.append("changed")
    copied.turn += 1
    raw["legions"]["nobody"] = 5
    assert canonical(position.encode()) == before


def refused_without_trace(position: Any, offered: list[str], dice: Dice) -> None:
    """Check that moves that are not offered are refused without changes or dice.

    The offers must be complete.
    """
    before = canonical(position.encode())
    for raw in SOME:
        move = TITLE.decode({"by": "pc", **raw}, position)
        if canonical(move.to_json()) in offered:
            continue
        with pytest.raises(IllegalMove):
            play(position, move, dice)
        assert not dice.take_rolls()
    assert canonical(position.encode()) == before


def play_one(
    seed: str, choice: random.Random, options: dict[str, Any], kinds: Counter[str]
) -> None:
    ledger, moves, seen, last = Ledger(), [], set(), None
    idle = Dice(1000, seed=seed)
    for n, (position, move, played) in enumerate(steps(seed, choice, options)):
        if n % 9 == 0:
            offered = [
                canonical(m) for offer in TITLE.offers(position, "pc") for m in offer.moves()
            ]
            refused_without_trace(position, offered, idle)
            round_trip(position)
        last = played.after
        check_invariants(last)
        ledger.enter(played.effects)
        ledger.agree(last)
        moves.append(move)
        for roll in played.rolls:
            assert roll.purpose not in seen
            seen.add(roll.purpose)
        for effect in played.effects:
            kinds[effect.kind] += 1
            assert Effect.from_json(effect.to_json()).cause.id == effect.cause.id
            assert "{" not in TITLE.speak(SCENARIO, effect.cause)
        assert TITLE.waiting(last) or last.phase == "over"
    round_trip(last)
    created = {
        "format": "march_on_rome/1",
        "options": options,
        "dice": {"seed": seed},
        "moves": moves,
    }
    assert digest(replay(created)) == digest(TITLE.state(last))
    kinds[str(last.result)] += 1


@pytest.mark.long
def test_the_invariants_hold_in_every_reign() -> None:
    kinds: Counter[str] = Counter()
    for n in range(REIGNS):
        play_one(f"reign {n}", random.Random(n), {"barbarian_initiative": n % 3 == 0}, kinds)
    assert {"won", "lost"} <= set(kinds)
    assert set(kinds) >= {
        "account",
        "holding",
        "battle",
        "initiative",
        "battle_devoted",
        "segments",
        "segment",
        "battle_over",
        "merged",
        "refused",
        "general_out",
        "recruited",
        "event",
        "events",
        "new_general",
        "idle",
        "order",
        "offered",
        "begun",
        "marches",
        "year",
    }


@pytest.mark.nightly
def test_the_invariants_hold_in_hundreds_of_reigns() -> None:
    kinds: Counter[str] = Counter()
    for n in range(THOROUGH):
        play_one(
            f"long {n}", random.Random(f"long {n}"), {"barbarian_initiative": n % 2 == 0}, kinds
        )
    assert kinds["won"] > 10


def test_every_move_is_offered_at_some_point() -> None:
    offered = Counter()
    for n in range(40):
        for _, move, _ in steps(f"offered {n}", random.Random(n)):
            offered[move["move"]] += 1
    assert set(offered) == set(MOVES)


def test_a_reign_at_random_begins_in_every_core_province() -> None:
    begun = {next(steps(f"begin {n}", random.Random(n)))[2].after.lands(PC)[0] for n in range(80)}
    assert begun == set(CORE)

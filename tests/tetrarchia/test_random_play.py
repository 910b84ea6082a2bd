"""Random games, with the invariants after each move."""

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
from games.replay import replay
from games.tetrarchia.rules.barbarians import score
from games.tetrarchia.rules.moves import MOVES
from games.tetrarchia.rules.position import (
    EMPERORS,
    LINKS,
    OUTSIDE,
    PROVINCES,
    SPACES,
    ZONES,
    World,
)
from tests.tetrarchia.games import legal, options, steps
from tests.tetrarchia.table import SCENARIO, TITLE

GAMES = 50
SOME: list[dict[str, Any]] = [{"move": name} for name in ("begin", "secure", "patres", "end_turn")]
SOME += [{"move": "subdue", "how": how} for how in ("remove", "calm")] + [
    {"move": "imperium", "tokens": n} for n in (1, 3, 9)
]
SOME += [{"move": "attack", "target": key} for key in SPACES] + [
    {"move": "enter", "at": key} for key in PROVINCES
]
SOME += [{"move": "sail", "from": a, "to": b} for a in ZONES for b in ZONES]
SOME += [{"move": "place_fleets", "zones": list(ZONES)[:n]} for n in (1, 2, 3)]


class Ledger:
    """The balances that follow from the effects alone."""

    def __init__(self, start: Any) -> None:
        self.accounts = Counter(dict(TITLE.rows(start).accounts))
        self.world = World()

    def enter(self, effects: tuple[Effect, ...]) -> None:
        for effect in effects:
            if effect.kind == "account":
                assert effect.change
                self.accounts[effect.holder, effect.subject] += effect.change  # type: ignore[index]
                assert self.accounts[effect.holder, effect.subject] == effect.balance >= 0, effect  # type: ignore[index]
        self.world = self.world.after(effects)

    def agree(self, position: Any) -> None:
        assert dict(self.accounts) == TITLE.rows(position).accounts
        assert self.world.tokens == position.tokens
        assert self.world.figures == position.figures
        assert sorted(self.world.armies) == sorted(position.barbarians)
        assert sorted(self.world.fleets) == sorted(position.fleets)


def check_invariants(p: Any) -> None:
    """Check the invariants of a position (1.4, 1.5, 3.1)."""
    tokens, level = list(p.tokens.values()), p.options.level
    for emperor in EMPERORS:
        assert p.supply[emperor] + p.removed[emperor] + tokens.count(emperor) == level[0]
        assert min(p.supply[emperor], p.removed[emperor], p.glory[emperor]) >= 0
    assert p.reserve["unrest"] + tokens.count("unrest") + sum(p.glory.values()) == 21
    assert p.reserve["revolt"] + tokens.count("revolt") == 21
    assert p.reserve["barbarians"] + len(p.barbarians) == 3
    assert min(p.reserve.values()) >= 0
    for space in OUTSIDE:
        assert p.tokens.get(space) in (None, *EMPERORS)
    assert len(set(p.barbarians)) == len(p.barbarians)
    standing = [space for space in p.figures.values() if space is not None]
    assert not set(standing) & set(p.barbarians)
    assert all(space == "roma" for space, n in Counter(standing).items() if n > 1)
    assert (p.phase == "setup") or len(p.fleets) in (0, level[1])
    assert len(set(p.fleets)) == len(p.fleets)
    assert (p.result is None) == (p.phase != "over")
    assert (p.result == "won") == (len(p.secured()) == 6)
    assert (p.result == "lost") == (p.reason is not None)
    assert p.ip >= 0
    assert not p.can_enter or p.at is None
    assert set(p.patres_done) <= {"diocletian", "constantius"}
    assert -16 <= score(p).points <= 10
    for space in p.barbarians:
        assert (
            space in OUTSIDE
            or p.tokens.get(space) == "revolt"
            or p.phase == "over"
            or space == "roma"
        )


def round_trip(position: Any) -> None:
    """Check that an encoded position reads back the same and a copy shares no mutable state."""
    raw = position.encode()
    before = canonical(raw)
    assert TITLE.situation(raw, TITLE.options({})).encode() == raw
    copied = position.copy()
    assert copied.encode() == raw
    for name in ("figures", "tokens", "supply", "reserve", "ip_mod", "removed", "glory"):
        getattr(copied, name)["asia"] = "changed"
    for name in ("barbarians", "fleets", "patres_done"):
        getattr(copied, name).append("asia")
    raw["tokens"]["asia"] = "changed"
    raw["fleets"].append("asia")
    assert canonical(position.encode()) == before


def refused_without_trace(position: Any, moves: list[dict[str, Any]], dice: Dice) -> None:
    """Check that moves that are not offered are refused without changes or dice.

    The offers must be complete.
    """
    before = canonical(position.encode())
    offered = {
        canonical({key: move[key] for key in move if key not in ("by", "for")}) for move in moves
    }
    goals = {move["path"][-1] for move in moves if move["move"] == "move"}
    shown = SOME + [{"move": "move", "path": [a]} for a in SPACES if a not in goals]
    if position.at is not None:
        shown += [
            {"move": "move", "path": [a, b]}
            for a in LINKS[position.at]
            for b in LINKS[a]
            if b not in goals and b != position.at
        ]
    for raw in shown:
        if canonical(raw) in offered:
            continue
        with pytest.raises(IllegalMove) as refusal:
            play(position, TITLE.decode(raw, position), dice)
        assert "{" not in TITLE.refusal(SCENARIO, refusal.value)
        assert not dice.take_rolls()
    assert canonical(position.encode()) == before


def play_one(seed: str, choice: random.Random, shown: dict[str, Any], kinds: Counter[str]) -> None:
    ledger, moves, seen, last = Ledger(TITLE.setup(SCENARIO, TITLE.options(shown))), [], set(), None
    idle = Dice(1000, seed=seed)
    for n, (position, move, played) in enumerate(steps(seed, choice, shown)):
        if n % 31 == 0:
            refused_without_trace(position, legal(position), idle)
            round_trip(position)
        last = played.after
        check_invariants(last)
        ledger.enter(played.effects)
        ledger.agree(last)
        moves.append(move)
        for roll in played.rolls:
            assert roll.purpose not in seen
            seen.add(roll.purpose)
            TITLE.check_roll(SCENARIO, None, roll.purpose, roll.value)
            assert roll.turn == (
                0
                if roll.purpose.startswith("setup/")
                else int(roll.purpose.split("/")[0].removeprefix("round-"))
            )
            assert not {"/", "{"} & set(TITLE.roll_line(SCENARIO, roll))
        for effect in played.effects:
            kinds[effect.kind] += 1
            assert Effect.from_json(effect.to_json()).cause.id == effect.cause.id
            assert "{" not in TITLE.speak(SCENARIO, effect.cause)
        assert "{" not in TITLE.move_line(SCENARIO, move, played.effects)
        assert TITLE.waiting(last) or last.phase == "over"
    assert last is not None
    round_trip(last)
    created = {"format": "tetrarchia/1", "options": shown, "dice": {"seed": seed}, "moves": moves}
    assert digest(replay(created)) == digest(TITLE.state(last))
    kinds[f"{last.result} {last.reason}"] += 1


def test_the_invariants_hold_in_every_game() -> None:
    kinds: Counter[str] = Counter()
    for n in range(GAMES):
        play_one(f"game {n}", random.Random(n), options(n), kinds)
    assert set(kinds) >= {
        "account",
        "holding",
        "begun",
        "fleets",
        "turn",
        "ended",
        "entered",
        "moved",
        "sailed",
        "secured",
        "subdued",
        "attack",
        "victory",
        "defeat",
        "draw",
        "moved_in",
        "army_removed",
        "status_revolt",
        "emperor_removed",
        "threat",
        "unrest",
        "revolt",
        "uprising",
        "echo",
        "invaders",
        "advance",
        "blocked",
        "not_linked",
        "devastation",
        "patres",
        "lost",
        "lost rome",
    }


@pytest.mark.long
@pytest.mark.thorough
def test_the_invariants_hold_in_more_games() -> None:
    kinds: Counter[str] = Counter()
    for n in range(GAMES, 2 * GAMES):
        play_one(f"long {n}", random.Random(f"long {n}"), options(n), kinds)
    assert kinds["lost rome"] > 2


def test_every_move_is_offered_at_some_point() -> None:
    offered = Counter(
        move["move"]
        for n in (7, 15, 31)
        for _, move, _ in steps(f"offered {n}", random.Random(n), options(n))
    )
    assert set(offered) == set(MOVES)

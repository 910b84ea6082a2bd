"""Random games, with the invariants after each move."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engine.dice import Dice
from engine.effects import Effect
from engine.errors import IllegalMove
from engine.play import play
from engine.strict_json import canonical, digest
from games.replay import replay
from games.roman_empire.rules.moves import MOVES
from games.roman_empire.rules.position import BARBARIANS, CARDS, COLOURS, LANDS, REBEL
from games.roman_empire.rules.view import automatic, mover
from tests.roman_empire.games import options, steps
from tests.roman_empire.table import SCENARIO, TITLE

GAMES = 3
SOME: list[dict[str, Any]] = [
    {"move": name} for name in ("begin", "order", "draw", "keep", "open", "end_sub", "end_phase")
]
SOME += [
    {"move": "place", "land": a, "from": b}
    for a in LANDS
    for b in ("start", "sea", "reentry", "revolt", a)
]
SOME += [{"move": "take_up", "land": land, "n": 1} for land in LANDS] + [
    {"move": "recruit", "n": n} for n in (1, 3, 9)
]
SOME += [
    {"move": kind, "land": land}
    for kind in ("fort", "fortress", "rebuild", "bribe", "choose_start")
    for land in LANDS
]
SOME += [{"move": "pass_counter", "to": seat} for seat in "ABCD"] + [
    {"move": "retreat", "to": land} for land in LANDS
]
SOME += [
    {"move": "retreat", "to": None},
    {"move": "offer", "amount": 1},
    {"move": "answer", "accept": True},
]
SOME += [{"move": "play_event", "card": card, "land": "italia"} for card in CARDS]
SOME += [{"move": "play_event", "card": card} for card in CARDS]


class Ledger:
    """The balances that follow from the effects alone."""

    def __init__(self, start: Any) -> None:
        self.accounts = Counter(dict(TITLE.rows(start).accounts))
        self.lands = start.encode()["lands"]
        self.cards: Counter[tuple[str, str]] = Counter()

    def enter(self, effects: tuple[Effect, ...]) -> None:
        for effect in effects:
            if effect.kind == "account":
                assert effect.change
                self.accounts[str(effect.holder), effect.subject] += effect.change
                assert self.accounts[str(effect.holder), effect.subject] == effect.balance >= 0, (
                    effect
                )
            elif effect.kind == "holding":
                assert self.lands[effect.subject] == effect.facts["was"]
                self.lands[effect.subject] = effect.facts["now"]
            elif effect.kind == "card":
                self.cards[str(effect.holder), effect.subject] += effect.change

    def agree(self, position: Any) -> None:
        assert dict(self.accounts) == TITLE.rows(position).accounts
        assert self.lands == position.encode()["lands"]
        assert {key for key, n in self.cards.items() if n} == {
            (s, card) for s, hand in position.hand.items() for card in hand
        }


def check_invariants(p: Any) -> None:
    """Check the invariants of a position (2, 4, 9.1)."""
    for land, place in p.lands.items():
        assert (place.who is None) == (place.n == 0)
        assert 0 <= place.n <= 3
        assert place.city is None or LANDS[land].resource
        assert (place.of is None) == (place.who != REBEL)
        if place.fort is not None:
            assert place.fort.level in (1, 2)
            assert place.who in (None, place.fort.who)
    for group in {*BARBARIANS, *COLOURS, REBEL}:
        assert p.counters_left(group) >= 0
    for colour in COLOURS:
        assert p.forts(colour) <= 6
    assert p.in_hand >= 0
    assert p.free_forts >= 0
    for seat in p.seats:
        assert sum(p.played[seat].values()) <= 2
        assert min(p.vp[seat].values()) >= 0
    for what, most in (("people", 5), ("emperor", 6)):
        dealt = [of[what] for of in p.counters.values() if of[what] is not None]
        assert len(dealt) == len(set(dealt))
        assert all(1 <= n <= most for n in dealt)
    cards = [card for hand in p.hand.values() for card in hand]
    assert len(cards) == len(set(cards))
    assert p.pending is None or p.combat is not None
    assert (p.result is None) == (p.phase != "over")


def secrets(p: Any) -> None:
    """Check that no seat sees another's hand or counter before its time."""
    for seat in (*p.seats, None):
        seen = TITLE.view(p, seat)
        if p.phase == "over":
            continue
        assert set(seen["hand"]) <= {seat}
        assert seen["queue"] == []
        for other in p.seats:
            for what in ("people", "emperor"):
                given = p.passed.get(other, {}).get(what)
                called = (
                    p.phase in ("people", "faction")
                    and (other, what.replace("emperor", "faction")) not in p.queue
                )
                mine = other == seat and (given is None or p.phase != "draw")
                assert seen["counters"][other][what] in (None, p.counters[other][what])
                if not (called or mine or (given is not None and given == seat)):
                    assert seen["counters"][other][what] is None


def round_trip(position: Any) -> None:
    """Check that an encoded position reads back the same and a copy shares no mutable state."""
    raw = position.encode()
    before = canonical(raw)
    assert TITLE.situation(raw, TITLE.options({})).encode() == raw
    copied = position.copy()
    assert copied.encode() == raw
    for name in (
        "start",
        "control",
        "prev_people",
        "bonus",
        "losses",
        "factions",
        "owners",
        "earned",
    ):
        getattr(copied, name)["B"] = "changed"
    for name in ("queue", "built", "bribed"):
        getattr(copied, name).append(("A", "people"))
    for name in ("vp", "counters", "played"):
        getattr(copied, name)["A"]["f"] = 99
    copied.lands["italia"] = copied.lands["italia"]._replace(n=77)
    for hand in copied.hand.values():
        hand.append("fury")
    raw["lands"]["asia"]["n"] = 9
    raw["vp"]["A"]["f"] = 99
    assert canonical(position.encode()) == before


def refused_without_trace(position: Any, dice: Dice) -> None:
    """Check that a random move is legal, or is refused without changes or dice."""
    before = canonical(position.encode())
    for raw in SOME:
        try:
            move = TITLE.decode(raw, position)
            move.admit(position)
            move.check(position)
        except IllegalMove:
            with pytest.raises(IllegalMove) as refusal:
                play(position, TITLE.decode(raw, position), dice)
            assert "{" not in TITLE.refusal(SCENARIO, refusal.value)
            assert not dice.take_rolls()
        else:
            play(position, move, dice)
    assert canonical(position.encode()) == before


def play_one(n: int, player: str, kinds: Counter[str], every: int = 23) -> None:
    seed, shown = f"{player} {n}", options(n)
    ledger, moves, seen, last = Ledger(TITLE.setup(SCENARIO, TITLE.options(shown))), [], set(), None
    idle = Dice(7, seed=seed)
    for number, (position, move, played) in enumerate(steps(seed, shown, player)):
        if number % (every * 9) == 0:
            refused_without_trace(position, idle)
        if number % every == 0:
            round_trip(position)
            secrets(position)
        last = played.after
        check_invariants(last)
        ledger.enter(played.effects)
        if number % every == 1:
            ledger.agree(last)
        moves.append(move)
        for roll in played.rolls:
            assert roll.purpose not in seen
            seen.add(roll.purpose)
            TITLE.check_roll(SCENARIO, None, roll.purpose, roll.value)
            where = roll.purpose.split("/")[0].removeprefix("turn-")
            assert roll.turn == {"setup": 0, "end": 7}.get(where) or roll.turn == int(
                where if where.isdecimal() else roll.turn
            )
            assert not {"/", "{"} & set(TITLE.roll_line(SCENARIO, roll))
        for effect in played.effects:
            kinds[effect.kind] += 1
            assert Effect.from_json(effect.to_json()).cause.id == effect.cause.id
            assert not {"{", "None"} & set(
                TITLE.speak(SCENARIO, effect.cause).replace("{", "{ ").split()
            )
        assert "{" not in TITLE.move_line(SCENARIO, move, played.effects)
        (waiting,) = TITLE.waiting(last) or [None]
        assert (waiting is None) == (last.phase == "over")
        assert waiting is None or waiting.seat == (mover(last) or "gm")
        assert waiting is None or "{" not in TITLE.speak(SCENARIO, waiting.what)
        assert (automatic(last) is None) or mover(last) is None
    assert last is not None
    ledger.agree(last)
    round_trip(last)
    if not shown["bribe_barbarians"]:
        late = sum(e.change for e in played.effects if e.kind == "account")
        assert sum(last.earned.values()) + late == sum(sum(of.values()) for of in last.vp.values())
    created = {"format": "roman_empire/1", "options": shown, "dice": {"seed": seed}, "moves": moves}
    assert digest(replay(created)) == digest(TITLE.state(last))


def test_the_invariants_hold_in_every_game() -> None:
    kinds: Counter[str] = Counter()
    for n in range(GAMES):
        play_one(n, "random", kinds)
    play_one(0, "sensible", kinds, every=61)
    assert set(kinds) >= {
        "account",
        "holding",
        "card",
        "order",
        "drawn",
        "looked",
        "kept",
        "passed",
        "dealt_out",
        "opened",
        "placed",
        "round",
        "army_lost",
        "conquered",
        "looted",
        "fort_lost",
        "fort_built",
        "fort_taken",
        "city_built",
        "recruited",
        "scored",
        "turn",
        "game_end",
        "event_played",
        "sub_begun",
        "sub_ended",
        "overrun",
        "displaced",
        "taken_up",
        "asked_retreat",
        "retreated",
        "rebelled",
        "struck",
        "started",
        "begun",
        "asked_offer",
        "offered",
    }


@pytest.mark.thorough
@pytest.mark.parametrize(
    "part", [0, *(pytest.param(part, marks=pytest.mark.nightly) for part in (1, 2, 3))]
)
def test_the_invariants_hold_in_many_games(part: int) -> None:
    kinds: Counter[str] = Counter()
    for n in range(part + GAMES, GAMES + 12, 4):
        play_one(n, "random", kinds)
    assert kinds["game_end"] == 3


def test_every_move_is_offered_at_some_point() -> None:
    offered: Counter[str] = Counter()
    for n, (position, _, _) in enumerate(steps("offered", options(3))):
        if n % 25 == 0 or position.step == "done" or position.phase == "draw":
            for seat in (*position.seats, "gm"):
                for offer in TITLE.offers(position, seat):
                    assert (offer.refusal is None) == (next(offer.moves(), None) is not None)
                    if offer.refusal is not None:
                        assert "{" not in TITLE.refusal(SCENARIO, offer.refusal)
                    for move in list(offer.moves())[:3]:
                        offered[move["move"]] += 1
                        created = TITLE.decode(move, position)
                        created.admit(position)
                        created.check(position)
    assert set(offered) >= set(MOVES) - {
        "bribe",
        "rebuild",
        "fortress",
        "answer",
        "offer",
        "retreat",
    }

"""The published derivation, by its worked values (RECORD, Dice)."""

from __future__ import annotations

import hashlib
import hmac

import pytest

from engine.dice import Dice, chain, commitment, draw
from engine.errors import IllegalMove, MalformedRecord


def test_worked_chain_and_commitment():
    links = chain("any text", 6)
    assert len(links) == 7
    assert links[6].startswith("06c83efcd22e3b75")
    assert links[0].startswith("e20144ce170a8a82")
    assert commitment("any text", 6).startswith("beb4ec0d6bf06072")


@pytest.mark.parametrize(
    ("purpose", "sides", "turn", "value"),
    [
        ("start", 6, 0, 6),
        ("turn-1/card/romans", 100, 1, 59),
        ("turn-2/event/huns", 100, 2, 53),
        ("turn-6/attack/huns/pannonia/siege", 100, 6, 48),
    ],
)
def test_worked_rolls(purpose, sides, turn, value):
    assert Dice(6, seed="any text").roll(purpose, sides, turn) == value


def test_a_value_in_the_biased_tail_is_thrown_again():
    sides = 2**63 + 1  # every second first attempt falls into the tail
    link = "0" * 64
    for n in range(20):
        purpose = f"tail-{n}"
        attempt = 0
        while True:
            x = int.from_bytes(
                hmac.new(link.encode(), f"{purpose}#{attempt}".encode(), hashlib.sha256).digest()[
                    :8
                ],
                "big",
            )
            if x < sides:
                break
            attempt += 1
        assert draw(link, purpose, sides) == x + 1


def test_order_and_undo_never_change_a_value():
    first, second = Dice(6, seed="s"), Dice(6, seed="s")
    a = [first.roll(f"turn-1/card/{n}", 100, 1) for n in "abc"]
    b = [second.roll(f"turn-1/card/{n}", 100, 1) for n in "cba"]
    assert a == b[::-1]


def test_fixed_goes_before_the_seed_and_a_link_serves_its_turn():
    assert Dice(6, seed="s", fixed={"start": 2}).roll("start", 6, 0) == 2
    links = chain("any text", 6)[:2]
    assert Dice(6, links=links).roll("turn-1/card/romans", 100, 1) == 59
    with pytest.raises(IllegalMove) as refused:
        Dice(6, links=links).roll("turn-2/event/huns", 100, 2)
    assert refused.value.code == "no-dice"


def test_thrown_rolls_are_taken_once():
    dice = Dice(6, seed="any text")
    dice.roll("start", 6, 0)
    assert [(r.purpose, r.sides, r.value, r.turn) for r in dice.take_rolls()] == [
        ("start", 6, 6, 0)
    ]
    assert dice.take_rolls() == ()


def test_several_dice_are_rolls_of_their_own():
    seeded = Dice(1000, seed="any text")
    drawn = seeded.roll_several("turn-3/battle-1/segment-1/attacker", 6, 3, 3)
    assert [roll.purpose for roll in seeded.thrown] == [
        f"turn-3/battle-1/segment-1/attacker/{n}" for n in (1, 2, 3)
    ]
    assert drawn == [
        draw(chain("any text", 1000)[3], roll.purpose, 6) for roll in seeded.take_rolls()
    ]


def test_several_dice_are_fixed_as_a_list_or_one_by_one():
    dice = Dice(1000, seed="any text", fixed={"a": [1, 4, 1], "b/2": 6})
    assert dice.roll_several("a", 6, 3, 1) == [1, 4, 1]
    assert dice.roll_several("b", 6, 3, 1)[1] == 6
    assert [roll.purpose for roll in dice.take_rolls()] == [
        "a/1",
        "a/2",
        "a/3",
        "b/1",
        "b/2",
        "b/3",
    ]


@pytest.mark.parametrize("values", [[], [1], [1, 2], [1, 2, 3, 4]])
def test_a_fixed_list_of_another_length_is_malformed(values):
    with pytest.raises(MalformedRecord):
        Dice(1000, seed="any text", fixed={"a": values}).roll_several("a", 6, 3, 1)


@pytest.mark.parametrize("value", [0, 7])
def test_a_fixed_value_off_the_die_is_malformed(value):
    with pytest.raises(MalformedRecord):
        Dice(1000, fixed={"a": [1, value]}).roll_several("a", 6, 2, 1)
    with pytest.raises(MalformedRecord):
        Dice(1000, fixed={"a": value}).roll_within("a", 6, 1)


def test_a_chain_of_a_thousand_links_is_made_once():
    links = chain("a long reign", 1000)
    links[0] = "changed by whoever asked for it"
    assert len(chain("a long reign", 1000)) == 1001
    assert (
        hashlib.sha256(chain("a long reign", 1000)[7].encode()).hexdigest()
        == chain("a long reign", 1000)[6]
    )
    assert (
        commitment("a long reign", 1000)
        == hashlib.sha256(chain("a long reign", 1000)[0].encode()).hexdigest()
    )

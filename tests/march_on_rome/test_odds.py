"""Chances: small cases worked out by hand, the prototypes' numbers, replays with dice."""

from fractions import Fraction
from math import sqrt
from typing import Any

import pytest

from engine.dice import Dice
from engine.play import perform
from games.march_on_rome.rules import battle, odds
from games.march_on_rome.rules.moves import decode
from games.march_on_rome.rules.odds import Foe, percent
from games.march_on_rome.rules.position import Options, Position, Scenario

MISS = Fraction(125, 216)
"""The chance that three dice show no 1."""
LEVEL = Fraction(216, 341)
"""One legion against one, with the player striking first: 91/216 of 1 - (125/216)²."""


def standing(legions: dict[str, int], options: Options | None = None, **owner: str) -> Position:
    """Return a position in which the player acts.

    Provinces that are not named are lost; procurators have one legion.
    """
    position = Position(Scenario(), options or Options())
    position.phase = "pc"
    position.owner.update(owner)
    position.legions = dict(legions)
    position.garrison = {key: 1 for key, holder in owner.items() if holder == "senate"}
    return position


# Worked by hand -----------------------------------------------------------------------------------


def test_one_against_one_strikes_until_a_1_is_thrown() -> None:
    assert Fraction(odds.victory(1, 1, True), odds.OF) == LEVEL
    assert Fraction(odds.victory(1, 1, False), odds.OF) == 1 - LEVEL


def test_two_against_one_may_also_wait_for_the_last_segment() -> None:
    """In each segment a hit wins.

    Otherwise two 1s lose, one 1 makes the sides equal, and no 1 continues. An undamaged side of two
    is more than one.
    """
    a_segment = 1 - MISS + MISS * Fraction(75, 216) * LEVEL
    by_number = [
        a_segment * (1 - MISS ** (2 * n)) / (1 - MISS**2) + MISS ** (2 * n) for n in range(1, 7)
    ]
    assert Fraction(odds.victory(2, 1, True), odds.OF) == sum(by_number) / 6


def test_a_single_segment_hit_by_hit() -> None:
    """It is seven against seven.

    X = 2, so each side falls after four hits, and only hits can decide a segment.
    """
    ends = odds.duel_ends(7, 7, True)
    assert sum(ends.values()) == odds.OF
    assert {mine % 2 for mine, _ in ends} | {his % 2 for _, his in ends} == {0, 1}
    assert all(
        mine in (0, 1, 3, 5, 7) and his in (0, 1, 3, 5, 7) and mine != his for mine, his in ends
    )


@pytest.mark.parametrize(
    ("sum_of_both", "x"), [(2, 1), (13, 1), (14, 2), (26, 2), (27, 3), (120, 10)]
)
def test_4_6_loss_number(sum_of_both: int, x: int) -> None:
    one = odds.commitment(sum_of_both - 1, sum_of_both - 1, Foe(1), True)
    assert [split.x for split in one.splits] == [x]


def test_4_3_no_legions_no_dice() -> None:
    assert odds.battle(4, Foe(0)) == odds.Battle(
        Fraction(1), Fraction(1), Fraction(1), {(4, True): Fraction(1)}, walkover=True
    )
    assert odds.battle(0, Foe(3)).win == 0
    assert odds.battle(0, Foe(0)).win == 0
    assert odds.battle(0, Foe(0), attacking=False).win == 1


def test_4_5_a_rival_divides_the_army_by_a_die() -> None:
    """mor-07: 8 legions against 10, and the rival has the initiative.

    The numbers are 4, 4, 6, 7, 8 and two more, at most 8.
    """
    one = odds.commitment(10, 9, Foe(8, True), False)
    assert [(split.dice, split.brings, split.x) for split in one.splits] == [
        ((1, 2), 6, 2),
        ((3, 4, 5, 6), 8, 2),
    ]
    assert one.win == one.splits[0].win / 3 + one.splits[1].win * 2 / 3


def test_6_1_a_lost_invasion_kills_all_who_were_devoted() -> None:
    saved, doomed = (odds.commitment(9, 5, Foe(6), False, None, end) for end in (False, True))
    assert doomed.win == saved.win
    assert doomed.kept_won == saved.kept_won
    assert doomed.kept_lost == 4
    assert saved.kept_lost is not None
    assert saved.kept_lost > 4


def test_a_province_given_up_costs_no_legion() -> None:
    assert odds.commitment(9, 0, Foe(6), False).spread == {(9, False): 1}


def test_7_2_barbarians_with_the_initiative_have_two_more() -> None:
    plain, more = odds.battle(6, Foe(4)), odds.battle(6, Foe(4, extra=2))
    assert more.first == plain.first
    assert more.second == odds.battle(6, Foe(6)).second < plain.second
    position = standing({"pc": 6}, Options(True), italy="pc")
    position.barbarians = {"noricum": 4}
    assert odds.attack(position, "noricum") == more
    assert odds.attack(
        standing({"pc": 6}, Options(True), italy="pc", gaul="senate"), "gaul"
    ) == odds.battle(6, Foe(1))


def test_5_4_alliances() -> None:
    position = standing(
        {"pc": 5, "npc-1": 4, "npc-2": 5},
        italy="pc",
        gaul="senate",
        africa="npc-1",
        illyrica="npc-2",
    )
    gaul, africa, illyrica = (
        odds.alliance(position, key) for key in ("gaul", "africa", "illyrica")
    )
    assert (gaul.yes, gaul.win) == (
        Fraction(5, 6),
        Fraction(5, 6) + odds.attack(position, "gaul").win / 6,
    )
    assert (africa.yes, africa.win) == (
        Fraction(1, 3),
        Fraction(1, 3) + odds.attack(position, "africa").win * 2 / 3,
    )
    assert odds.alliance(position, "noricum").yes == Fraction(1, 6)
    assert (illyrica.yes, illyrica.win, illyrica.absorbed) == (1, 0, True)


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (Fraction(0), "0%"),
        (Fraction(1, 101), "<1%"),
        (Fraction(1, 100), "1%"),
        (Fraction(125, 1000), "13%"),
        (Fraction(99, 100), "99%"),
        (Fraction(991, 1000), ">99%"),
        (Fraction(1), "100%"),
    ],
)
def test_only_certain_chances_are_called_certain(chance: Fraction, text: str) -> None:
    assert percent(chance) == text


# The prototypes' numbers --------------------------------------------------------------------------


def test_year_3_of_the_prototype() -> None:
    position = standing(
        {"pc": 10, "npc-1": 11, "npc-2": 7},
        asia="pc",
        achaia="pc",
        illyrica="pc",
        noricum="npc-2",
        gaul="npc-2",
        italy="npc-1",
        africa="npc-1",
        egypt="npc-1",
        syria="senate",
        spain="senate",
    )
    shown = {
        key: (
            percent(result.win),
            percent(result.first),
            percent(result.second),
            percent(odds.alliance(position, key).win),
        )
        for key in position.targets()
        for result in [odds.attack(position, key)]
    }
    assert shown == {
        "italy": ("79%", "86%", "72%", "0%"),
        "syria": (">99%", ">99%", ">99%", ">99%"),
        "noricum": ("90%", "94%", "85%", "93%"),
        "dacia": ("90%", "90%", "90%", "92%"),
        "thrace": ("90%", "90%", "90%", "92%"),
        "armenia": ("90%", "90%", "90%", "92%"),
    }
    assert odds.alliance(position, "italy").absorbed


def test_the_commitment_of_the_prototype() -> None:
    """The player has ten legions at Noricum; Otho has seven and the initiative."""
    position = standing({"pc": 10, "npc-2": 7}, illyrica="pc", noricum="npc-2", gaul="npc-2")
    position.battle = {
        "no": 1,
        "target": "noricum",
        "attacker": "pc",
        "defender": "npc-2",
        "cause": "attack",
        "initiative": "defender",
        "devoted": {"attacker": None, "defender": None},
    }
    position.pending = {"kind": "devote", "side": "attacker"}
    rows = odds.commitments(position)
    assert [
        (row.legions, percent(row.win), [percent(split.win) for split in row.splits])
        for row in rows[:6]
    ] == [
        (10, "85%", ["93%", "88%", "83%"]),
        (9, "77%", ["88%", "84%", "73%"]),
        (8, "70%", ["95%", "72%", "62%"]),
        (7, "60%", ["88%", "73%", "49%"]),
        (6, "38%", ["73%", "50%", "27%"]),
        (5, "20%", ["50%", "26%", "12%"]),
    ]
    assert [(mean(row.kept_won), mean(row.kept_lost)) for row in rows[:3]] == [
        ("7.4", "2.6"),
        ("7.5", "3.1"),
        ("8.0", "4.5"),
    ]
    home = [
        percent(sum(p for (legions, _), p in rows[0].spread.items() if legions == left))
        for left in range(10, -1, -1)
    ]
    assert home == ["23%", "0%", "30%", "0%", "22%", "0%", "14%", "0%", "7%", "0%", "5%"]
    assert odds.advised_commitment(position) == 10
    assert [row.legions for row in rows] == list(range(10, 0, -1))
    position.pending, position.battle = (
        {"kind": "devote", "side": "defender"},
        {**position.battle, "attacker": "npc-2", "defender": "pc"},
    )
    assert odds.commitments(position)[-1].win == 0


def mean(legions: Fraction | None) -> str:
    assert legions is not None
    return f"{float(legions):.1f}"


# Comparison with dice -----------------------------------------------------------------------------


@pytest.mark.parametrize("total", [1, 2, 7, 13, 40])
def test_every_distribution_adds_up_to_1(total: int) -> None:
    for foe in (Foe(total), Foe(total, True), Foe(total, extra=2)):
        for attacking in (True, False):
            one = odds.battle(9, foe, attacking, not attacking)
            assert sum(one.spread.values()) == 1
            assert (
                sum(p for (_, won), p in one.spread.items() if won)
                == one.win
                == (one.first + one.second) / 2
            )


def test_a_page_of_chances_counts_each_race_once() -> None:
    """The expensive part is a race of hits (4.6, 4.7).

    There are few races, whatever the armies: a new size of army adds hardly any.
    """
    for mine in (60, 59):
        for foe in range(50, 62):
            odds.battle(mine, Foe(foe, True))
    ran = odds._race.cache_info().misses
    for foe in range(50, 62):
        odds.battle(58, Foe(foe, True))
    assert odds._race.cache_info().misses == ran
    known = odds.commitment.cache_info().misses
    for foe in range(50, 62):
        odds.battle(58, Foe(foe, True))
    assert odds.commitment.cache_info().misses == known


REPLAYS = 12_000
CASES: list[tuple[dict[str, Any], str]] = [
    ({"legions": {"pc": 10, "npc-1": 7}, "illyrica": "pc", "italy": "npc-1"}, "italy"),
    ({"legions": {"pc": 6, "npc-1": 9}, "illyrica": "pc", "italy": "npc-1"}, "italy"),
    ({"legions": {"pc": 2}, "italy": "pc", "gaul": "senate"}, "gaul"),
    ({"legions": {"pc": 6}, "italy": "pc"}, "noricum"),
    ({"legions": {"pc": 7}, "options": Options(True), "italy": "pc"}, "noricum"),
    ({"legions": {"pc": 25, "npc-1": 24}, "italy": "pc", "gaul": "npc-1"}, "gaul"),
]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("given", "target"),
    [CASES[0], *(pytest.param(*case, marks=pytest.mark.nightly) for case in CASES[1:])],
)
def test_replays_of_an_attack_agree(given: dict[str, Any], target: str) -> None:
    """In 12,000 replays, wins and kept legions are within four standard errors of the chance."""
    content = odds.attack(standing(**given), target)
    won, kept = 0, 0
    for n in range(REPLAYS):
        position, dice = standing(**given), Dice(1, seed=f"{target}/{n}")
        perform(position, decode({"move": "attack", "target": target}), dice)
        if position.pending:
            perform(
                position,
                decode({"move": "devote", "legions": odds.advised_commitment(position)}),
                dice,
            )
        won += position.owner[target] == "pc"
        kept += position.legions["pc"]
    chance = float(content.win)
    assert abs(won / REPLAYS - chance) < 4 * sqrt(chance * (1 - chance) / REPLAYS)
    average = float(sum(legions * p for (legions, _), p in content.spread.items()))
    square = float(sum(legions**2 * p for (legions, _), p in content.spread.items()))
    assert abs(kept / REPLAYS - average) < 4 * sqrt((square - average**2) / REPLAYS)


@pytest.mark.long
@pytest.mark.thorough
@pytest.mark.parametrize("horde", [0, 3, 8])
@pytest.mark.parametrize("options", [Options(), Options(True)])
def test_replays_of_a_defence_agree(horde: int, options: Options) -> None:
    """The enemy is a rival's nine legions (0) or an invasion, which kills all if it wins."""
    won, kept, legions = 0, 0, {"pc": 6, "npc-1": 9} if not horde else {"pc": 6}
    for n in range(4_000):
        position, dice = (
            standing(
                legions, options, italy="pc", gaul="pc", spain="npc-1" if not horde else "lost"
            ),
            Dice(1, seed=f"{n}"),
        )
        position.phase, position.events_left = "events", 2
        content = odds.invasion(position, horde) if horde else odds.defence(position, "npc-1")
        battle.begin(
            position,
            dice,
            *(("barbarians", "gaul", "invasion", horde) if horde else ("npc-1", "gaul", "attack")),
        )
        perform(
            position, decode({"move": "devote", "legions": odds.advised_commitment(position)}), dice
        )
        won += position.owner["gaul"] == "pc"
        kept += position.legions["pc"]
    chance, average = (
        float(content.win),
        float(sum(left * p for (left, _), p in content.spread.items())),
    )
    assert abs(won / 4_000 - chance) < 4 * sqrt(chance * (1 - chance) / 4_000)
    assert abs(kept / 4_000 - average) < 0.2

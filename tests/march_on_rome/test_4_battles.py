"""Battles (4)."""

from __future__ import annotations

import pytest

from engine.errors import IllegalMove
from games.march_on_rome.rules.position import devotes, losses
from tests.march_on_rome.table import (
    GO_ON,
    TITLE,
    after,
    ally,
    at,
    attack,
    battle,
    devote,
    refused,
    rendered,
)

TWO = {
    "owner": {"italy": "pc", "gaul": "npc-1", "spain": "npc-1"},
    "legions": {"pc": 8, "npc-1": 6},
}
NATION = {"owner": {"italy": "pc"}, "legions": {"pc": 8}}
PROCURATOR = {
    "owner": {"italy": "pc", "gaul": "senate"},
    "garrison": {"gaul": 2},
    "legions": {"pc": 8},
}
DEFENCE = {
    "turn": 1,
    "phase": "npc",
    "queue": ["npc-1"],
    "owner": {"gaul": "pc", "italy": "pc", "spain": "npc-1"},
}
COMES = {"turn-1/npc-1/action": 5, "turn-1/npc-1/neighbour": 1}


def test_4_1_battles_are_numbered_within_a_year_walk_overs_too() -> None:
    position = {
        "owner": {"italy": "pc", "gaul": "senate", "spain": "npc-1", "mauretania": "senate"},
        "legions": {"npc-1": 3},
    }
    position["legions"]["pc"] = 1
    dice = {"turn-1/npc-order/npc-1": 5, "turn-1/npc-1/action": 5, "turn-1/npc-1/neighbour": 2}
    state = after(position, attack("gaul"), GO_ON, GO_ON, dice=dice)
    assert (state["battle_no"], state["owner"]["mauretania"]) == (2, "npc-1")


def test_4_2_a_nations_strength_is_rolled_once_a_year() -> None:
    dice = {"turn-1/barbarians/noricum": 4} | battle(initiative=(1, 6))
    state = after(NATION, attack("noricum"), dice=dice)
    assert state["barbarians"] == {"noricum": 6}
    assert state["pending"] == {"kind": "devote", "side": "attacker"}
    known = after(
        NATION | {"barbarians": {"noricum": 3}}, attack("noricum"), dice=battle(initiative=(6, 1))
    )
    assert known["battle"]["devoted"] == {"attacker": None, "defender": 3}


def test_4_2_a_refusal_makes_the_strength_known() -> None:
    dice = {"turn-1/pc/answer": 2, "turn-1/barbarians/noricum": 1} | battle(initiative=(1, 6))
    state = after(NATION, ally("noricum"), dice=dice)
    assert (state["barbarians"], state["battle"]["cause"]) == ({"noricum": 3}, "refused")


def test_4_2_the_strength_minus_its_losses_remains() -> None:
    fought = battle(initiative=(6, 1), segments=1, a1=[1, 2, 2], d1=[1, 1, 1])
    state = after(
        NATION, attack("noricum"), devote(3), dice=fought | {"turn-1/barbarians/noricum": 6}
    )
    assert (state["barbarians"], state["legions"], state["owner"]["noricum"]) == (
        {"noricum": 7},
        {"pc": 5},
        "lost",
    )
    second = state | {
        "phase": "npc",
        "queue": ["npc-1"],
        "owner": state["owner"] | {"illyrica": "npc-1"},
    }
    second["legions"] = {"pc": 5, "npc-1": 1}
    dice = {"turn-1/npc-1/action": 4, "turn-1/npc-1/neighbour": 4} | battle(
        no=2, initiative=(1, 6), devote_attacker=6
    )
    dice |= battle(no=2, segments=1, d1=[2, 2, 2], a1=[1, 1, 1])
    again = after(second, GO_ON, dice=dice)
    assert (again["barbarians"], again["battle_no"]) == ({"noricum": 4}, 2)


def test_4_3_without_legions_a_side_loses_at_once() -> None:
    state = after({"owner": {"italy": "pc", "gaul": "npc-1"}, "legions": {"pc": 1}}, attack("gaul"))
    assert (state["owner"]["gaul"], state["legions"], state["battle_no"]) == ("pc", {"pc": 1}, 1)


def test_4_3_an_attacker_without_legions_loses_at_once() -> None:
    position = TWO | {"legions": {"pc": 0, "npc-1": 3}}
    state = after(position, ally("gaul"), dice={"turn-1/pc/answer": 1})
    assert state["result"] == "lost"
    refusal = {
        "owner": {"italy": "pc", "gaul": "senate"},
        "garrison": {"gaul": 1},
        "legions": {"pc": 0},
    }
    state = after(refusal, ally("gaul"), dice={"turn-1/pc/answer": 6})
    assert (state["owner"]["gaul"], state["garrison"], state["phase"]) == (
        "senate",
        {"gaul": 1},
        "npc",
    )


def test_4_3_if_neither_has_any_the_defender_holds() -> None:
    position = {"owner": {"italy": "pc", "gaul": "senate"}, "legions": {"pc": 0}}
    state = after(position, ally("gaul"), dice={"turn-1/pc/answer": 6})
    assert (state["owner"]["gaul"], state["battle_no"]) == ("senate", 1)


def test_4_3_a_nation_that_refuses_the_unarmed_becomes_known() -> None:
    """The strength is rolled by 4.2 and is not one of the battle's dice."""
    dice = {"turn-1/pc/answer": 3, "turn-1/barbarians/noricum": 2}
    state = after(NATION | {"legions": {"pc": 0}}, ally("noricum"), dice=dice)
    assert (state["barbarians"], state["owner"]["noricum"], state["phase"]) == (
        {"noricum": 4},
        "lost",
        "npc",
    )


def test_4_4_ties_roll_again_both() -> None:
    dice = {"turn-1/barbarians/noricum": 4} | battle(initiative=(4, 4))
    head = "turn-1/battle-1/initiative"
    dice |= {f"{head}/{side}/reroll-1": 2 for side in ("attacker", "defender")}
    dice |= {f"{head}/attacker/reroll-2": 3, f"{head}/defender/reroll-2": 2}
    assert after(NATION, attack("noricum"), dice=dice)["battle"]["initiative"] == "attacker"


def test_4_5_without_initiative_the_player_commits_first() -> None:
    state = after(TWO, attack("gaul"), dice=battle(initiative=(1, 2)))
    assert state["battle"]["devoted"] == {"attacker": None, "defender": None}
    dice = battle(initiative=(1, 2), devote_defender=6, segments=1, d1=[2, 2, 2], a1=[2, 2, 2])
    assert after(TWO, attack("gaul"), devote(1), dice=dice)["legions"] == {"pc": 8, "npc-1": 6}


def test_4_5_with_initiative_the_player_knows_the_enemys_number() -> None:
    state = after(TWO, attack("gaul"), dice=battle(initiative=(6, 2), devote_defender=2))
    assert state["battle"]["devoted"] == {"attacker": None, "defender": 3}


@pytest.mark.parametrize("number", [0, 9, -1, 10**12])
def test_4_5_an_attacker_devotes_1_to_all(number: int) -> None:
    assert (
        refused(TWO, attack("gaul"), devote(number), dice=battle(initiative=(1, 2))) == "bad-number"
    )


@pytest.mark.parametrize(("number", "legal"), [(-1, False), (0, True), (3, True), (4, False)])
def test_4_5_a_defender_devotes_0_to_all(number: int, legal: bool) -> None:
    position = at(
        **DEFENCE,
        legions={"pc": 3, "npc-1": 2},
        battle_no=1,
        pending={"kind": "devote", "side": "defender"},
        battle={
            "no": 1,
            "target": "gaul",
            "attacker": "npc-1",
            "defender": "pc",
            "cause": "attack",
            "initiative": "attacker",
            "devoted": {"attacker": None, "defender": None},
        },
    )
    move = TITLE.decode(devote(number), position)
    move.admit(position)
    if legal:
        move.check(position)
    else:
        with pytest.raises(IllegalMove, match="bad-number"):
            move.check(position)


def test_4_5_a_defender_who_devotes_none_gives_the_province_up_without_dice() -> None:
    """This also holds before the rival has committed: the rival's die is not thrown any more."""
    position = DEFENCE | {"legions": {"pc": 3, "npc-1": 2}}
    state = after(position, GO_ON, devote(0), dice=COMES | battle(initiative=(5, 2)))
    assert (state["phase"], state["pending"]) == ("recruit", None)
    assert (state["owner"]["gaul"], state["legions"], state["battle"]) == (
        "npc-1",
        {"pc": 3, "npc-1": 2},
        None,
    )


@pytest.mark.parametrize(
    ("roll", "stronger", "equal", "weaker"),
    [(1, 4, 3, 2), (2, 5, 4, 3), (3, 7, 5, 4), (4, 7, 5, 4), (5, 9, 8, 7), (6, 10, 10, 9)],
)
def test_4_5_a_rivals_share_of_ten_legions(
    roll: int, stronger: int, equal: int, weaker: int
) -> None:
    assert [devotes(roll, 10, other, False) for other in (11, 10, 9)] == [stronger, equal, weaker]
    assert [devotes(roll, 10, other, True) for other in (11, 10, 9)] == [
        min(10, n + 2) for n in (stronger, equal, weaker)
    ]


def test_4_5_a_share_is_rounded_up_and_never_more_than_all() -> None:
    assert [devotes(1, own, 99, False) for own in range(1, 7)] == [1, 1, 2, 2, 2, 3]
    assert [devotes(6, own, 99, True) for own in range(1, 4)] == [1, 2, 3]
    assert devotes(1, 5, 1, False) == 1


def test_4_5_procurators_devote_everything_without_a_roll() -> None:
    state = after(PROCURATOR, attack("gaul"), dice=battle(initiative=(6, 2)))
    assert state["battle"]["devoted"] == {"attacker": None, "defender": 2}


def test_4_6_the_loss_number() -> None:
    assert [losses(n) for n in (2, 13, 14, 26, 27, 39, 40, 52, 53)] == [1, 1, 2, 2, 3, 3, 4, 4, 5]


def test_4_6_it_is_fixed_for_the_battle() -> None:
    """R6: 14 legions cost 2 for each hit, even when only 10 are left."""
    position = {
        "owner": {"italy": "pc", "gaul": "npc-1", "spain": "npc-1"},
        "legions": {"pc": 8, "npc-1": 6},
    }
    dice = battle(
        initiative=(2, 1), devote_defender=6, segments=2, a1=[1, 1, 2], d1=[1, 2, 2], a2=[1, 3, 3]
    )
    state = after(position, attack("gaul"), devote(8), dice=dice)
    assert (state["legions"], state["owner"]["gaul"]) == ({"pc": 6, "npc-1": 0}, "pc")


def test_4_7_the_side_with_initiative_strikes_first_and_the_dead_do_not_strike() -> None:
    dice = battle(initiative=(1, 2), segments=6, d1=[1, 1, 2])
    state = after(PROCURATOR, attack("gaul"), devote(2), dice=dice)
    assert (state["legions"], state["garrison"], state["owner"]["gaul"]) == (
        {"pc": 6},
        {"gaul": 2},
        "senate",
    )


def test_4_7_all_segments_are_fought_while_both_sides_have_legions() -> None:
    dice = battle(
        initiative=(2, 1),
        segments=3,
        a1=[2, 2, 2],
        d1=[3, 3, 3],
        a2=[1, 4, 4],
        d2=[5, 5, 5],
        a3=[6, 6, 6],
        d3=[1, 1, 1],
    )
    state = after(PROCURATOR, attack("gaul"), devote(5), dice=dice)
    assert (state["legions"], state["owner"]["gaul"]) == ({"pc": 5}, "pc")


def test_4_7_equal_sides_fight_on_one_segment_at_a_time() -> None:
    dice = battle(
        initiative=(2, 1),
        segments=1,
        a1=[2, 2, 2],
        d1=[2, 2, 2],
        a2=[1, 2, 2],
        d2=[1, 2, 2],
        a3=[2, 2, 2],
        d3=[1, 2, 2],
    )
    state = after(PROCURATOR, attack("gaul"), devote(2), dice=dice)
    assert (state["legions"], state["garrison"]) == ({"pc": 6}, {"gaul": 1})
    effects = rendered(PROCURATOR, attack("gaul"), devote(2), dice=dice)
    assert [e.facts["left"] for e in effects if e.kind == "segment"] == [
        {"attacker": 2, "defender": 2},
        {"attacker": 1, "defender": 1},
        {"attacker": 0, "defender": 1},
    ]


def test_4_8_generals_take_their_survivors_back() -> None:
    """R8: the loser and the winner do so alike."""
    dice = battle(initiative=(2, 1), devote_defender=1, segments=1, a1=[2, 2, 2], d1=[1, 2, 2])
    state = after(TWO, attack("gaul"), devote(3), dice=dice)
    assert (state["owner"]["gaul"], state["legions"]) == ("npc-1", {"pc": 7, "npc-1": 6})


def test_4_8_a_beaten_garrison_is_gone() -> None:
    dice = battle(initiative=(2, 1), segments=1, a1=[2, 2, 2], d1=[2, 2, 2])
    state = after(PROCURATOR, attack("gaul"), devote(3), dice=dice)
    assert (state["garrison"], state["owner"]["gaul"], state["legions"]) == ({}, "pc", {"pc": 8})


def test_4_8_a_beaten_nation_scatters() -> None:
    dice = {"turn-1/barbarians/noricum": 1} | battle(
        initiative=(2, 1), segments=1, a1=[2, 2, 2], d1=[2, 2, 2]
    )
    state = after(NATION, attack("noricum"), devote(4), dice=dice)
    assert (state["barbarians"], state["owner"]["noricum"], state["legions"]) == (
        {},
        "pc",
        {"pc": 8},
    )


def test_4_9_a_general_without_provinces_is_out_with_all_his_legions() -> None:
    position = {"owner": {"italy": "pc", "gaul": "npc-1"}, "legions": {"pc": 8, "npc-1": 6}}
    dice = battle(initiative=(2, 1), devote_defender=1, segments=1, a1=[2, 2, 2], d1=[2, 2, 2])
    state = after(position, attack("gaul"), devote(8), dice=dice)
    assert state["legions"] == {"pc": 8}
    out = [
        e
        for e in rendered(position, attack("gaul"), devote(8), dice=dice)
        if e.kind == "general_out"
    ]
    assert [(e.subject, e.facts["why"]) for e in out] == [("npc-1", "no_province")]


def test_4_9_the_players_last_province_ends_the_reign_and_the_queue() -> None:
    position = DEFENCE | {
        "owner": {"gaul": "pc", "spain": "npc-1", "asia": "npc-2"},
        "queue": ["npc-1", "npc-2"],
    }
    position["legions"] = {"pc": 3, "npc-1": 2, "npc-2": 1}
    state = after(position, GO_ON, devote(0), dice=COMES | battle(initiative=(5, 2)))
    assert (state["phase"], state["result"], state["pending"]) == ("over", "lost", None)
    assert (state["legions"], state["owner"]["gaul"]) == ({"npc-1": 2, "npc-2": 1}, "npc-1")
    assert (
        refused(position, GO_ON, devote(0), GO_ON, dice=COMES | battle(initiative=(5, 2)))
        == "game-over"
    )

"""Alliances (5)."""

from __future__ import annotations

import pytest

from tests.march_on_rome.table import GO_ON, after, ally, answer, at, battle, refused

NPC = {"turn": 3, "phase": "npc", "queue": ["npc-1"]}
OFFER = {"turn-3/npc-1/action": 3, "turn-3/npc-1/neighbour": 1}
"""An offer of alliance from Spain to Gaul."""


def test_5_1_no_is_a_battle_by_the_side_that_offered() -> None:
    position = {"owner": {"italy": "pc", "gaul": "npc-1"}, "legions": {"pc": 8, "npc-1": 6}}
    state = after(position, ally("gaul"), dice={"turn-1/pc/answer": 3} | battle(initiative=(1, 2)))
    fought = state["battle"]
    assert (fought["attacker"], fought["defender"], fought["target"], fought["cause"]) == (
        "pc",
        "npc-1",
        "gaul",
        "refused",
    )
    assert (state["phase"], state["pending"]) == ("pc", {"kind": "devote", "side": "attacker"})


@pytest.mark.parametrize(
    ("legions", "lands", "dominant"),
    [
        ((6, 5), (1, 3), True),
        ((5, 6), (3, 1), False),
        ((5, 5), (2, 1), True),
        ((5, 5), (1, 2), False),
        ((5, 5), (1, 1), None),
    ],
)
def test_5_2_legions_then_provinces_then_the_receiver_of_the_offer(
    legions: tuple[int, int], lands: tuple[int, int], dominant: bool | None
) -> None:
    """R10."""
    ours, theirs = (
        ("italy", "illyrica", "achaia")[: lands[0]],
        ("gaul", "spain", "britannia")[: lands[1]],
    )
    position = at(
        owner=dict.fromkeys(ours, "pc") | dict.fromkeys(theirs, "npc-1"),
        legions={"pc": legions[0], "npc-1": legions[1]},
    )
    if dominant is None:
        assert position.dominates("pc", "npc-1", offered="pc")
        assert not position.dominates("pc", "npc-1", offered="npc-1")
        assert position.dominates("npc-1", "pc", offered="npc-1")
    else:
        for offered in ("pc", "npc-1"):
            assert position.dominates("pc", "npc-1", offered=offered) is dominant
            assert position.dominates("npc-1", "pc", offered=offered) is not dominant


def test_5_3_a_general_brings_everything() -> None:
    """R17."""
    position = {
        "owner": {"italy": "pc", "gaul": "npc-1", "asia": "npc-1"},
        "legions": {"pc": 8, "npc-1": 6},
    }
    state = after(position, ally("gaul"), dice={"turn-1/pc/answer": 1})
    assert (state["legions"], state["owner"]["asia"], state["phase"]) == ({"pc": 14}, "pc", "npc")


def test_5_3_a_procurator_brings_his_province_and_garrison() -> None:
    position = {
        "owner": {"italy": "pc", "gaul": "senate", "spain": "senate"},
        "garrison": {"gaul": 2},
        "legions": {"pc": 0},
    }
    state = after(position, ally("gaul"), dice={"turn-1/pc/answer": 5})
    assert (state["legions"], state["garrison"], state["owner"]["gaul"]) == (
        {"pc": 2},
        {"spain": 0},
        "pc",
    )


def test_5_3_a_nation_brings_its_strength_known_or_rolled() -> None:
    position = {"owner": {"italy": "pc"}, "legions": {"pc": 3}}
    rolled = after(
        position, ally("noricum"), dice={"turn-1/pc/answer": 1, "turn-1/barbarians/noricum": 6}
    )
    assert (rolled["legions"], rolled["barbarians"], rolled["owner"]["noricum"]) == (
        {"pc": 11},
        {},
        "pc",
    )
    known = after(
        position | {"barbarians": {"noricum": 3, "dacia": 8}},
        ally("noricum"),
        dice={"turn-1/pc/answer": 1},
    )
    assert (known["legions"], known["barbarians"]) == ({"pc": 6}, {"dacia": 8})


@pytest.mark.parametrize("roll", range(1, 7))
def test_5_4_a_weaker_rival_says_yes_on_1_and_2(roll: int) -> None:
    position = {"owner": {"italy": "pc", "gaul": "npc-1"}, "legions": {"pc": 8, "npc-1": 6}}
    dice = {"turn-1/pc/answer": roll} | (battle(initiative=(1, 2)) if roll > 2 else {})
    assert (after(position, ally("gaul"), dice=dice)["owner"]["gaul"] == "pc") is (roll <= 2)


@pytest.mark.parametrize("roll", range(1, 7))
def test_5_4_a_stronger_rival_always_says_yes_and_rolls(roll: int) -> None:
    position = NPC | {
        "owner": {"asia": "pc", "spain": "npc-1", "gaul": "npc-2"},
        "legions": {"pc": 1, "npc-1": 2, "npc-2": 3},
    }
    state = after(position, GO_ON, dice=OFFER | {"turn-3/npc-1/answer": roll})
    assert (state["legions"], state["owner"]["spain"]) == ({"pc": 1, "npc-2": 5}, "npc-2")


@pytest.mark.parametrize("roll", range(1, 7))
def test_5_4_a_procurator_says_no_on_6_a_nation_yes_on_1(roll: int) -> None:
    senate = {"owner": {"italy": "pc", "gaul": "senate"}, "legions": {"pc": 0}}
    assert (
        after(senate, ally("gaul"), dice={"turn-1/pc/answer": roll})["owner"]["gaul"] == "pc"
    ) is (roll < 6)
    dice = {"turn-1/pc/answer": roll, "turn-1/barbarians/gaul": 1}
    lost = after({"owner": {"italy": "pc"}, "legions": {"pc": 0}}, ally("gaul"), dice=dice)
    assert (lost["owner"]["gaul"] == "pc") is (roll == 1)


def test_5_4_rivals_among_themselves_fight_over_a_refusal() -> None:
    position = NPC | {
        "owner": {"asia": "pc", "spain": "npc-1", "gaul": "npc-2"},
        "legions": {"pc": 1, "npc-1": 3, "npc-2": 2},
    }
    dice = (
        OFFER
        | {"turn-3/npc-1/answer": 3}
        | battle(3, initiative=(5, 2), devote_defender=6, devote_attacker=1)
    )
    dice |= battle(3, segments=1, a1=[1, 1, 1])
    state = after(position, GO_ON, dice=dice)
    assert (state["owner"]["gaul"], state["legions"], state["phase"]) == (
        "npc-1",
        {"pc": 1, "npc-1": 3},
        "recruit",
    )


def test_5_5_a_stronger_rival_asks() -> None:
    position = NPC | {"owner": {"gaul": "pc", "spain": "npc-1"}, "legions": {"pc": 3, "npc-1": 4}}
    state = after(position, GO_ON, dice=OFFER)
    assert state["pending"] == {"kind": "answer", "from": "npc-1", "target": "gaul"}
    assert (state["phase"], state["queue"], state["battle"]) == ("npc", [], None)


def test_5_5_yes_ends_the_reign() -> None:
    position = NPC | {
        "owner": {"gaul": "pc", "italy": "pc", "spain": "npc-1"},
        "legions": {"pc": 3, "npc-1": 4},
    }
    state = after(position, GO_ON, answer(True), dice=OFFER)
    assert (state["result"], state["phase"], state["pending"]) == ("lost", "over", None)
    assert (state["legions"], state["owner"]["italy"]) == ({"npc-1": 7}, "npc-1")


def test_5_5_no_is_a_battle() -> None:
    position = NPC | {"owner": {"gaul": "pc", "spain": "npc-1"}, "legions": {"pc": 3, "npc-1": 4}}
    state = after(position, GO_ON, answer(False), dice=OFFER | battle(3, initiative=(5, 2)))
    assert (state["pending"], state["battle"]["cause"]) == (
        {"kind": "devote", "side": "defender"},
        "refused",
    )


def test_5_5_no_without_legions_loses_the_province_at_once() -> None:
    position = NPC | {
        "owner": {"gaul": "pc", "italy": "pc", "spain": "npc-1"},
        "legions": {"pc": 0, "npc-1": 4},
    }
    state = after(position, GO_ON, answer(False), dice=OFFER)
    assert (state["owner"]["gaul"], state["phase"], state["pending"]) == ("npc-1", "recruit", None)


def test_5_5_a_weaker_rival_joins_unasked() -> None:
    """R11: this includes an equal rival, since the player received the offer (R10)."""
    for legions in (3, 4):
        position = NPC | {
            "owner": {"gaul": "pc", "spain": "npc-1"},
            "legions": {"pc": 4, "npc-1": legions},
        }
        state = after(position, GO_ON, dice=OFFER)
        assert (state["legions"], state["owner"]["spain"], state["phase"]) == (
            {"pc": 4 + legions},
            "pc",
            "recruit",
        )


def test_5_6_a_stronger_rivals_yes_absorbs_the_player() -> None:
    position = {"owner": {"italy": "pc", "gaul": "npc-1"}, "legions": {"pc": 4, "npc-1": 6}}
    state = after(position, ally("gaul"), dice={"turn-1/pc/answer": 6})
    assert (state["result"], state["legions"], state["owner"]["italy"]) == (
        "lost",
        {"npc-1": 10},
        "npc-1",
    )
    equal = position | {"legions": {"pc": 6, "npc-1": 6}}
    assert after(equal, ally("gaul"), dice={"turn-1/pc/answer": 6})["result"] == "lost"
    assert refused(position, ally("gaul"), GO_ON, dice={"turn-1/pc/answer": 6}) == "game-over"

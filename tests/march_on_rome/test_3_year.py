"""The year: the player's choice, the rivals, recruiting, its end (3)."""

from __future__ import annotations

from itertools import permutations

import pytest

from games.march_on_rome.rules.position import RING
from tests.march_on_rome.table import (
    GO_ON,
    PASS,
    after,
    ally,
    at,
    attack,
    battle,
    refused,
    rendered,
)

NPC = {"phase": "npc", "turn": 3}
EVENTS = {"phase": "events", "turn": 3, "events_left": 1}


def test_3_1_to_wait_ends_the_players_part() -> None:
    state = after(
        {"owner": {"italy": "pc", "gaul": "npc-1"}, "legions": {"pc": 2, "npc-1": 2}}, PASS
    )
    assert (state["phase"], state["queue"], state["battle_no"]) == ("npc", None, 0)


def test_3_1_any_owner_may_be_the_target() -> None:
    position = at(
        owner={"italy": "pc", "gaul": "npc-1", "illyrica": "senate"}, legions={"pc": 2, "npc-1": 2}
    )
    assert position.targets() == ["gaul", "illyrica", "achaia", "africa", "noricum"]


def test_3_1_a_target_borders_the_player_and_belongs_to_another() -> None:
    position = {"owner": {"italy": "pc", "gaul": "pc"}, "legions": {"pc": 2}}
    for move in (attack, ally):
        assert refused(position, move("gaul")) == "own-province"
        assert refused(position, move("asia")) == "not-adjacent"
        assert refused(position, move("carthage")) == "unknown-province"


def test_3_1_an_attack_takes_a_legion_an_offer_none() -> None:
    position = {"owner": {"italy": "pc", "gaul": "senate"}, "legions": {"pc": 0}}
    assert refused(position, attack("gaul")) == "no-legions"
    assert after(position, ally("gaul"), dice={"turn-1/pc/answer": 5})["owner"]["gaul"] == "pc"


def test_3_2_the_lowest_acts_first_ties_roll_again_among_themselves() -> None:
    position = NPC | {
        "owner": {
            "italy": "pc",
            "gaul": "npc-1",
            "spain": "npc-2",
            "asia": "npc-3",
            "syria": "npc-5",
        },
        "legions": {"pc": 1, "npc-1": 1, "npc-2": 1, "npc-3": 1, "npc-5": 1},
    }
    dice = {
        "turn-3/npc-order/npc-1": 9,
        "turn-3/npc-order/npc-2": 4,
        "turn-3/npc-order/npc-3": 9,
        "turn-3/npc-order/npc-5": 9,
        "turn-3/npc-order/npc-1/reroll-1": 12,
        "turn-3/npc-order/npc-3/reroll-1": 2,
        "turn-3/npc-order/npc-5/reroll-1": 12,
        "turn-3/npc-order/npc-1/reroll-2": 20,
        "turn-3/npc-order/npc-5/reroll-2": 1,
    }
    state = after(position, GO_ON, dice=dice)
    assert state["queue"] == ["npc-2", "npc-3", "npc-5", "npc-1"]
    assert state["phase"] == "npc"


def test_3_2_without_rivals_recruiting_follows() -> None:
    state = after(NPC | {"owner": {"italy": "pc"}, "legions": {"pc": 1}}, GO_ON)
    assert (state["phase"], state["queue"]) == ("recruit", None)


def test_3_2_a_roll_of_one_does_nothing() -> None:
    position = NPC | {
        "queue": ["npc-1"],
        "owner": {"italy": "pc", "gaul": "npc-1"},
        "legions": {"pc": 1, "npc-1": 1},
    }
    state = after(position, GO_ON, dice={"turn-3/npc-1/action": 1})
    assert (state["phase"], state["queue"], state["battle_no"]) == ("recruit", [], 0)


def test_3_2_an_attack_without_legions_rolls_no_more() -> None:
    position = NPC | {
        "queue": ["npc-1"],
        "owner": {"italy": "pc", "gaul": "npc-1"},
        "legions": {"pc": 1, "npc-1": 0},
    }
    for roll in (4, 5, 6):
        assert after(position, GO_ON, dice={"turn-3/npc-1/action": roll})["phase"] == "recruit"
    (idle,) = rendered(position, GO_ON, dice={"turn-3/npc-1/action": 4})
    assert (idle.kind, idle.facts["why"]) == ("idle", "no-legions")


def test_3_2_an_offer_needs_no_legions() -> None:
    position = NPC | {
        "queue": ["npc-1"],
        "owner": {"italy": "pc", "egypt": "npc-1", "judaea": "senate"},
        "legions": {"pc": 1},
    }
    dice = {"turn-3/npc-1/action": 3, "turn-3/npc-1/neighbour": 1, "turn-3/npc-1/answer": 1}
    assert after(position, GO_ON, dice=dice)["owner"]["judaea"] == "npc-1"


@pytest.mark.parametrize("home", RING)
def test_3_2_the_count_goes_round_the_ring_from_due_north(home: str) -> None:
    """R2: after the end, the count continues at the start."""
    far = next(key for key in RING if key != home and key not in RING[home])
    position = NPC | {"queue": ["npc-1"], "legions": {"pc": 1, "npc-1": 4}}
    position["owner"] = {**dict.fromkeys(RING, "senate"), far: "pc", home: "npc-1"}
    for roll in range(1, 7):
        dice = {"turn-3/npc-1/action": 6, "turn-3/npc-1/neighbour": roll}
        state = after(position, GO_ON, dice=dice)
        target = RING[home][(roll - 1) % len(RING[home])]
        assert [
            key for key, owner in state["owner"].items() if owner == "npc-1" and key != home
        ] == [target]


def test_3_2_the_rivals_own_provinces_are_skipped_clockwise() -> None:
    """R3: the next province clockwise that is not the rival's is chosen."""
    ring = RING["italy"]
    for owned, roll in [
        (("noricum", "illyrica"), 1),
        (("noricum", "illyrica"), 6),
        (("gaul", "noricum"), 5),
    ]:
        position = NPC | {"queue": ["npc-1"], "legions": {"pc": 1, "npc-1": 4}}
        position["owner"] = {
            "italy": "npc-1",
            **dict.fromkeys(ring, "senate"),
            **dict.fromkeys(owned, "npc-1"),
            "syria": "pc",
        }
        lands = sorted(["italy", *owned], key=list(RING).index)
        dice = {
            "turn-3/npc-1/action": 4,
            "turn-3/npc-1/home": lands.index("italy") + 1,
            "turn-3/npc-1/neighbour": roll,
        }
        state = after(position, GO_ON, dice=dice)
        start = (roll - 1) % len(ring)
        first = next(key for key in ring[start:] + ring[:start] if key not in owned)
        assert state["owner"][first] == "npc-1"


def test_3_2_a_rival_surrounded_by_their_own_provinces_does_nothing() -> None:
    position = NPC | {"queue": ["npc-1"], "legions": {"pc": 1, "npc-1": 4}}
    position["owner"] = {"egypt": "npc-1", "judaea": "npc-1", "africa": "npc-1", "spain": "pc"}
    dice = {"turn-3/npc-1/action": 2, "turn-3/npc-1/home": 3, "turn-3/npc-1/neighbour": 6}
    (idle,) = rendered(position, GO_ON, dice=dice)
    assert (idle.kind, idle.facts["why"], idle.subject) == ("idle", "all-own", "egypt")


def test_3_2_a_rival_defeated_before_acting_loses_the_place_in_the_queue() -> None:
    position = NPC | {
        "queue": ["npc-1", "npc-2", "npc-3"],
        "owner": {"syria": "pc", "gaul": "npc-1", "spain": "npc-2", "africa": "npc-3"},
        "legions": {"pc": 1, "npc-1": 2, "npc-2": 0, "npc-3": 1},
    }
    dice = {"turn-3/npc-1/action": 4, "turn-3/npc-1/neighbour": 5}
    state = after(position, GO_ON, dice=dice)
    assert state["queue"] == ["npc-3"]
    assert "npc-2" not in state["legions"]
    assert state["owner"]["spain"] == "npc-1"


def test_3_2_a_rival_absorbed_before_acting_loses_the_place_in_the_queue() -> None:
    position = NPC | {
        "queue": ["npc-1", "npc-2"],
        "owner": {"syria": "pc", "gaul": "npc-1", "spain": "npc-2"},
        "legions": {"pc": 1, "npc-1": 5, "npc-2": 3},
    }
    dice = {"turn-3/npc-1/action": 2, "turn-3/npc-1/neighbour": 5, "turn-3/npc-1/answer": 2}
    state = after(position, GO_ON, dice=dice)
    assert (state["queue"], state["phase"], state["legions"]) == (
        [],
        "recruit",
        {"pc": 1, "npc-1": 8},
    )


def test_3_2_a_rival_absorbed_while_acting_is_gone_and_the_next_acts() -> None:
    position = NPC | {
        "queue": ["npc-1", "npc-2"],
        "owner": {"syria": "pc", "gaul": "npc-1", "spain": "npc-2"},
        "legions": {"pc": 1, "npc-1": 2, "npc-2": 3},
    }
    dice = {"turn-3/npc-1/action": 2, "turn-3/npc-1/neighbour": 5, "turn-3/npc-1/answer": 6}
    state = after(position, GO_ON, dice=dice)
    assert (state["queue"], state["phase"], state["legions"]) == (
        ["npc-2"],
        "npc",
        {"pc": 1, "npc-2": 5},
    )
    assert state["owner"]["gaul"] == "npc-2"


def test_3_2_an_offer_to_a_stronger_player_is_a_merger_in_the_middle_of_the_queue() -> None:
    position = NPC | {
        "queue": ["npc-1", "npc-2"],
        "owner": {"gaul": "pc", "spain": "npc-1", "asia": "npc-2"},
        "legions": {"pc": 9, "npc-1": 5, "npc-2": 3},
    }
    state = after(position, GO_ON, dice={"turn-3/npc-1/action": 3, "turn-3/npc-1/neighbour": 1})
    assert (state["queue"], state["legions"]) == (["npc-2"], {"pc": 14, "npc-2": 3})
    assert (state["owner"]["spain"], state["pending"], state["result"]) == ("pc", None, None)


def test_3_2_the_dead_in_a_queue_are_passed_over() -> None:
    position = NPC | {
        "queue": ["npc-4", "npc-1"],
        "owner": {"syria": "pc", "gaul": "npc-1"},
        "legions": {"pc": 1, "npc-1": 1},
    }
    state = after(position, GO_ON, dice={"turn-3/npc-1/action": 1})
    assert (state["queue"], state["phase"]) == ([], "recruit")
    assert after(position | {"queue": ["npc-4"]}, GO_ON)["phase"] == "recruit"
    assert after(position | {"queue": []}, GO_ON)["phase"] == "recruit"


def test_3_2_the_phase_waits_for_the_player_whose_rival_is_out_of_the_queue_already() -> None:
    position = NPC | {
        "queue": ["npc-1"],
        "owner": {"italy": "pc", "gaul": "npc-1"},
        "legions": {"pc": 3, "npc-1": 3},
    }
    dice = {"turn-3/npc-1/action": 4, "turn-3/npc-1/neighbour": 4} | battle(3, initiative=(5, 2))
    state = after(position, GO_ON, dice=dice)
    assert (state["phase"], state["queue"], state["pending"]) == (
        "npc",
        [],
        {"kind": "devote", "side": "defender"},
    )


def test_3_3_generals_recruit_by_provinces_procurators_do_not() -> None:
    position = {
        "phase": "recruit",
        "owner": {"italy": "pc", "gaul": "pc", "spain": "npc-1", "asia": "senate"},
    }
    state = after(position, GO_ON)
    assert (state["legions"], state["garrison"], state["phase"]) == (
        {"pc": 2, "npc-1": 1},
        {"asia": 0},
        "events",
    )


def test_3_3_what_was_absorbed_recruits_for_its_new_master() -> None:
    owner = {"italy": "pc", "africa": "npc-2", "egypt": "npc-2", "asia": "npc-1"}
    position = {"turn": 6, "owner": owner, "legions": {"pc": 9, "npc-2": 5, "npc-1": 7}}
    dice = {"turn-6/pc/answer": 2, "turn-6/npc-order/npc-1": 1, "turn-6/npc-1/action": 1}
    state = after(position, ally("africa"), GO_ON, GO_ON, GO_ON, dice=dice)
    assert state["legions"] == {"pc": 17, "npc-1": 8}


def test_3_4_the_number_of_events_is_a_step_of_its_own() -> None:
    position = {"phase": "events", "turn": 3, "owner": {"italy": "pc"}, "legions": {"pc": 1}}
    for roll in range(1, 7):
        state = after(position, GO_ON, dice={"turn-3/events": roll})
        assert (state["events_left"], state["event_no"], state["phase"]) == (roll, 0, "events")


def test_3_5_a_year_without_events_left_ends() -> None:
    state = after(EVENTS | {"events_left": 0, "owner": {"italy": "pc"}}, GO_ON)
    assert (state["phase"], state["turn"], state["events_left"]) == ("pc", 4, None)


def test_3_5_strengths_are_forgotten_and_counters_restart() -> None:
    position = EVENTS | {
        "owner": {"italy": "pc", "gaul": "npc-1"},
        "legions": {"pc": 1, "npc-1": 1},
        "barbarians": {"dacia": 4},
    }
    position |= {"event_no": 2, "battle_no": 5, "queue": []}
    state = after(position, GO_ON, dice={"turn-3/event-3": 4, "turn-3/event-3/province": 9})
    assert (state["barbarians"], state["phase"], state["turn"]) == ({}, "pc", 4)
    assert (state["queue"], state["events_left"], state["event_no"], state["battle_no"]) == (
        None,
        None,
        0,
        0,
    )


@pytest.mark.parametrize("rival", [False, True])
@pytest.mark.parametrize("provinces", [2, 3])
def test_3_5_three_provinces_and_no_rival_win(rival: bool, provinces: int) -> None:
    owner = dict(list({"italy": "pc", "gaul": "pc", "asia": "pc"}.items())[:provinces]) | (
        {"spain": "npc-1"} if rival else {}
    )
    state = after(
        EVENTS | {"owner": owner}, GO_ON, dice={"turn-3/event-1": 4, "turn-3/event-1/province": 9}
    )
    won = provinces == 3 and not rival
    assert (state["result"], state["phase"], state["turn"]) == (
        ("won", "over", 3) if won else (None, "pc", 4)
    )


def test_3_5_victory_is_checked_only_at_the_end_of_the_year() -> None:
    position = {
        "owner": {"italy": "pc", "gaul": "pc", "asia": "pc", "spain": "npc-1"},
        "legions": {"pc": 5, "npc-1": 0},
    }
    state = after(position, attack("spain"))
    assert (state["legions"], state["result"], state["phase"]) == ({"pc": 5}, None, "npc")


def test_the_order_of_three_follows_their_dice() -> None:
    position = NPC | {"owner": {"italy": "pc", "gaul": "npc-1", "spain": "npc-2", "asia": "npc-3"}}
    for rolls in permutations((3, 11, 20)):
        dice = {f"turn-3/npc-order/npc-{n}": roll for n, roll in enumerate(rolls, 1)}
        expected = [f"npc-{n}" for _, n in sorted((roll, n) for n, roll in enumerate(rolls, 1))]
        assert after(position, GO_ON, dice=dice)["queue"] == expected

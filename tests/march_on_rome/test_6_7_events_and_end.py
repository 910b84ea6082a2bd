"""Events, the end, and the option (6, 7)."""

from __future__ import annotations

from typing import Any

import pytest

from games.march_on_rome.rules.position import CORE, INVASIONS, PROVINCES, row
from tests.march_on_rome.table import GO_ON, after, attack, battle, devote, rendered

YEAR = {"phase": "events", "turn": 5, "events_left": 2, "queue": []}
OWNERS = {"italy": "pc", "gaul": "npc-1", "spain": "npc-1", "asia": "npc-2", "achaia": "senate"}
FOUR = YEAR | {
    "owner": OWNERS,
    "legions": {"pc": 4, "npc-1": 3, "npc-2": 1},
    "garrison": {"achaia": 1},
}


def event(roll: int, **more: int) -> dict[str, int]:
    return {"turn-5/event-1": roll} | {
        f"turn-5/event-1/{key.replace('_', '/')}": value for key, value in more.items()
    }


def test_6_the_table_of_events() -> None:
    names = [row("events", n)["event"] for n in range(1, 21)]
    assert (
        names
        == ["assassination"]
        + ["new_general"] * 2
        + ["epidemic"] * 4
        + ["prosperity"] * 5
        + ["rebellion"] * 4
        + ["invasion"] * 4
    )


def test_6_2_a_murdered_rival_leaves_procurators_without_legions() -> None:
    """R13; R16: `pc` comes first, then the rivals by their numbers."""
    state = after(FOUR, GO_ON, dice=event(1, victim=2))
    assert (state["owner"]["gaul"], state["owner"]["spain"]) == ("senate", "senate")
    assert state["garrison"] == {"achaia": 1, "gaul": 0, "spain": 0}
    assert (state["legions"], state["events_left"]) == ({"pc": 4, "npc-2": 1}, 1)


def test_6_2_a_murdered_player_has_lost() -> None:
    state = after(FOUR, GO_ON, dice=event(1, victim=1))
    assert (state["result"], state["phase"], state["legions"]) == (
        "lost",
        "over",
        {"npc-1": 3, "npc-2": 1},
    )


def test_6_2_a_player_without_rivals_is_the_victim_without_a_roll() -> None:
    state = after(
        YEAR | {"owner": {"italy": "pc", "gaul": "pc", "spain": "pc"}, "events_left": 1},
        GO_ON,
        dice=event(1),
    )
    assert (state["result"], state["phase"]) == ("lost", "over")


def test_6_3_no_new_general_appears_if_three_live() -> None:
    assert after(FOUR, GO_ON, dice=event(2))["legions"] == {"pc": 4, "npc-1": 3, "npc-2": 1}


def test_6_3_a_new_general_takes_a_core_province_and_its_garrison() -> None:
    owner = {"italy": "pc", "gaul": "npc-1", "achaia": "senate"}
    position = YEAR | {
        "owner": owner,
        "legions": {"pc": 4, "npc-1": 3},
        "garrison": {"achaia": 2},
        "npc_seq": 4,
    }
    dice = event(3, legions=6, core=3) | {
        "turn-5/event-1/core/reroll-1": 2,
        "turn-5/event-1/core/reroll-2": 5,
    }
    state = after(position, GO_ON, dice=dice)
    assert (state["owner"]["achaia"], state["legions"]["npc-5"], state["garrison"]) == (
        "npc-5",
        10,
        {},
    )
    assert state["npc_seq"] == 5


def test_6_3_a_general_may_rise_in_a_lost_core_province_of_known_strength() -> None:
    position = YEAR | {
        "owner": {"italy": "pc"},
        "legions": {"pc": 4},
        "barbarians": {"gaul": 5, "dacia": 3},
    }
    state = after(position, GO_ON, dice=event(2, legions=1, core=2))
    assert (state["owner"]["gaul"], state["legions"], state["barbarians"]) == (
        "npc-1",
        {"pc": 4, "npc-1": 3},
        {"dacia": 3},
    )


def test_6_3_if_the_core_is_full_a_d20_chooses_any_province() -> None:
    position = YEAR | {
        "owner": dict.fromkeys(CORE, "pc") | {"noricum": "npc-1"},
        "legions": {"pc": 4, "npc-1": 1},
    }
    dice = {"turn-5/event-1": 2, "turn-5/event-1/legions": 2}
    dice |= {
        "turn-5/event-1/province": 19,
        "turn-5/event-1/province/reroll-1": 3,
        "turn-5/event-1/province/reroll-2": 11,
    }
    state = after(position, GO_ON, dice=dice | {"turn-5/event-1/province/reroll-3": 18})
    assert (state["owner"]["mauretania"], state["legions"]["npc-2"]) == ("npc-2", 4)


def test_6_3_no_general_rises_if_no_province_is_left() -> None:
    state = after(
        YEAR | {"owner": dict.fromkeys(PROVINCES, "pc"), "legions": {"pc": 4}}, GO_ON, dice=event(2)
    )
    assert (state["legions"], state["events_left"]) == ({"pc": 4}, 1)


@pytest.mark.parametrize(
    ("province", "holder", "expected"), [(3, "pc", 3), (2, "npc-1", 2), (6, "npc-2", 0)]
)
def test_6_4_an_epidemic_takes_a_legion_and_no_province(
    province: int, holder: str, expected: int
) -> None:
    state = after(FOUR, GO_ON, dice=event(4, province=province))
    assert (state["legions"][holder], state["owner"]) == (
        expected,
        after(FOUR, GO_ON, dice=event(2))["owner"],
    )


def test_6_4_an_epidemic_stops_at_zero_and_spares_lost_provinces() -> None:
    empty = FOUR | {"legions": {"pc": 0, "npc-1": 0, "npc-2": 0}, "garrison": {}}
    for number in (2, 3, 5, 6, 12):
        state = after(empty, GO_ON, dice=event(7, province=number))
        assert (set(state["legions"].values()), state["garrison"]) == ({0}, {"achaia": 0})


def test_6_4_nineteen_and_twenty_are_thrown_again() -> None:
    dice = {
        "turn-5/event-1": 5,
        "turn-5/event-1/province": 20,
        "turn-5/event-1/province/reroll-1": 19,
    }
    state = after(FOUR, GO_ON, dice=dice | {"turn-5/event-1/province/reroll-2": 5})
    assert state["garrison"] == {"achaia": 0}


def test_6_5_prosperity_adds_a_legion() -> None:
    assert after(FOUR, GO_ON, dice=event(8, province=5))["garrison"] == {"achaia": 2}
    assert after(FOUR, GO_ON, dice=event(12, province=3))["legions"]["pc"] == 5
    assert after(FOUR, GO_ON, dice=event(10, province=12))["legions"] == FOUR["legions"]


@pytest.mark.parametrize("garrison", [0, 1, 2])
def test_6_6_a_procurator_with_none_or_one_loses_his_province(garrison: int) -> None:
    """R14."""
    state = after(FOUR | {"garrison": {"achaia": garrison}}, GO_ON, dice=event(13, province=5))
    assert (state["owner"]["achaia"], state["garrison"]) == (
        ("senate", {"achaia": 1}) if garrison == 2 else ("lost", {})
    )


def test_6_6_a_general_left_with_none_loses_the_province() -> None:
    state = after(
        FOUR | {"legions": {"pc": 4, "npc-1": 1, "npc-2": 1}}, GO_ON, dice=event(16, province=2)
    )
    assert (state["owner"]["gaul"], state["owner"]["spain"], state["legions"]["npc-1"]) == (
        "lost",
        "npc-1",
        0,
    )


def test_6_6_the_last_province_lost_to_a_rebellion_is_the_end_of_a_general() -> None:
    state = after(FOUR, GO_ON, dice=event(14, province=6))
    assert (state["owner"]["asia"], "npc-2" in state["legions"], state["result"]) == (
        "lost",
        False,
        None,
    )
    state = after(
        FOUR | {"legions": {"pc": 1, "npc-1": 1, "npc-2": 1}}, GO_ON, dice=event(14, province=3)
    )
    assert (state["owner"]["italy"], state["result"], state["phase"]) == ("lost", "lost", "over")


def test_6_6_a_lost_province_does_not_rebel() -> None:
    assert after(FOUR, GO_ON, dice=event(13, province=12))["owner"]["dacia"] == "lost"


@pytest.mark.parametrize("number", INVASIONS)
def test_6_7_each_people_follows_its_route_to_the_first_province_in_the_empire(number: int) -> None:
    route = INVASIONS[number].route
    for place, target in enumerate(route):
        rest = dict.fromkeys(route[place:], "senate")
        free = next(key for key in PROVINCES if key not in route)
        position = YEAR | {"owner": {free: "pc"} | rest}
        state = after(position, GO_ON, dice=event(17, invader=number, strength=1))
        assert [key for key in rest if state["owner"][key] == "lost"] == [target]
        assert (state["battle_no"], state["battle"]) == (1, None)


def test_6_7_no_invasion_without_a_target() -> None:
    state = after(YEAR | {"owner": {"asia": "pc"}}, GO_ON, dice=event(20, invader=1))
    assert (state["battle_no"], state["events_left"]) == (0, 1)


def test_6_7_invaders_are_not_the_nation_they_come_from() -> None:
    """R15: the Picts come through Britannia, whose strength does not change."""
    position = YEAR | {"owner": {"gaul": "senate", "asia": "pc"}, "barbarians": {"britannia": 8}}
    assert after(position, GO_ON, dice=event(20, invader=1, strength=6))["barbarians"] == {
        "britannia": 8
    }


PICTS: dict[str, Any] = YEAR | {"owner": {"gaul": "pc", "italy": "pc"}, "legions": {"pc": 5}}


def invaded(initiative: tuple[int, int] = (1, 2), **rolls: Any) -> dict[str, Any]:
    return event(20, invader=1, strength=2) | battle(5, initiative=initiative, **rolls)


def test_6_7_the_player_is_asked_and_the_events_wait() -> None:
    state = after(PICTS, GO_ON, dice=invaded((2, 1)))
    assert (state["phase"], state["pending"]) == ("events", {"kind": "devote", "side": "defender"})
    assert (state["events_left"], state["event_no"]) == (1, 1)
    assert (state["battle"]["attacker"], state["battle"]["horde"]) == ("barbarians", 4)
    assert state["battle"]["devoted"] == {"attacker": None, "defender": None}
    knows = after(PICTS, GO_ON, dice=invaded((1, 2)))
    assert knows["battle"]["devoted"] == {"attacker": 4, "defender": None}


def test_6_1_all_committed_legions_die_if_invaders_win() -> None:
    dice = invaded((2, 1), segments=1, a1=[1, 1, 2], d1=[2, 2, 2])
    state = after(PICTS, GO_ON, devote(3), dice=dice)
    assert (state["owner"]["gaul"], state["legions"], state["barbarians"]) == (
        "lost",
        {"pc": 2},
        {},
    )
    fallen = [e for e in rendered(PICTS, GO_ON, devote(3), dice=dice) if e.kind == "account"]
    assert [(e.holder, e.change, e.balance, e.cause.rule) for e in fallen] == [("pc", -3, 2, "6.1")]


def test_6_1_beaten_invaders_are_gone_and_the_survivors_come_home() -> None:
    state = after(
        PICTS, GO_ON, devote(5), dice=invaded((2, 1), segments=1, a1=[1, 2, 2], d1=[1, 2, 2])
    )
    assert (state["owner"]["gaul"], state["legions"], state["barbarians"]) == ("pc", {"pc": 4}, {})


def test_6_1_to_concede_costs_the_province_and_no_legions() -> None:
    state = after(PICTS, GO_ON, devote(0), dice=invaded((1, 2)))
    assert (state["owner"]["gaul"], state["legions"], state["phase"]) == (
        "lost",
        {"pc": 5},
        "events",
    )


def test_6_1_a_rival_is_not_spared_either() -> None:
    position = YEAR | {
        "owner": {"gaul": "npc-1", "spain": "npc-1", "asia": "pc"},
        "legions": {"pc": 1, "npc-1": 5},
    }
    dice = invaded((2, 1), devote_defender=3, segments=1, a1=[2, 2, 2], d1=[2, 2, 2])
    state = after(position, GO_ON, dice=dice)
    assert (state["owner"]["gaul"], state["legions"]) == ("lost", {"pc": 1, "npc-1": 3})


def test_6_1_a_procurator_who_holds_keeps_what_is_left() -> None:
    position = YEAR | {"owner": {"gaul": "senate", "asia": "pc"}, "garrison": {"gaul": 6}}
    dice = invaded((2, 1), segments=1, a1=[1, 2, 2], d1=[1, 2, 2])
    assert after(position, GO_ON, dice=dice)["garrison"] == {"gaul": 5}


def test_6_1_without_legions_the_province_is_lost_without_dice() -> None:
    state = after(PICTS | {"legions": {"pc": 0}}, GO_ON, dice=event(20, invader=1, strength=6))
    assert (state["owner"]["gaul"], state["pending"], state["legions"]) == ("lost", None, {"pc": 0})


def test_an_invasion_as_the_last_event_ends_the_year_after_its_battle() -> None:
    position = PICTS | {"events_left": 1, "owner": {"gaul": "pc", "italy": "pc", "asia": "pc"}}
    assert after(position, GO_ON, dice=invaded())["phase"] == "events"
    state = after(position, GO_ON, devote(0), dice=invaded())
    assert (state["phase"], state["turn"], state["result"]) == ("pc", 6, None)
    held = after(position, GO_ON, devote(5), dice=invaded(segments=1, d1=[2, 2, 2], a1=[2, 2, 2]))
    assert (held["phase"], held["turn"], held["result"]) == ("over", 5, "won")


def test_7_1_the_last_province_lost_to_invaders_is_the_end() -> None:
    state = after(
        PICTS | {"owner": {"gaul": "pc", "asia": "npc-1"}}, GO_ON, devote(0), dice=invaded()
    )
    assert (state["result"], state["phase"], state["events_left"]) == ("lost", "over", 1)


ON = {"options": {"barbarian_initiative": True}}


def test_7_2_off_barbarians_fight_with_what_they_have() -> None:
    state = after(PICTS, GO_ON, dice=invaded((1, 2)))
    assert state["battle"]["devoted"]["attacker"] == 4


def test_7_2_invaders_with_the_initiative_have_two_armies_more() -> None:
    dice = invaded((2, 1), segments=1, a1=[2, 2, 2], d1=[1, 1, 2])
    assert after(PICTS | ON, GO_ON, devote(5), dice=dice)["legions"] == {"pc": 5}
    (fought,) = [
        e for e in rendered(PICTS | ON, GO_ON, devote(5), dice=dice) if e.kind == "segment"
    ]
    assert fought.facts["left"] == {"attacker": 4, "defender": 5}


@pytest.mark.parametrize(("initiative", "devoted"), [((6, 1), 5), ((1, 6), 7)])
def test_7_2_a_nation_too_and_only_with_the_initiative(
    initiative: tuple[int, int], devoted: int
) -> None:
    position = {
        "owner": {"italy": "npc-1", "spain": "pc"},
        "legions": {"npc-1": 9, "pc": 1},
        "phase": "npc",
        "queue": ["npc-1"],
    }
    dice = {"turn-1/npc-1/action": 4, "turn-1/npc-1/neighbour": 1, "turn-1/barbarians/noricum": 3}
    dice |= battle(initiative=initiative, devote_attacker=6, segments=1, a1=[2, 2, 2], d1=[2, 2, 2])
    effects = rendered(position | ON, GO_ON, dice=dice)
    assert [
        e.facts["legions"]
        for e in effects
        if e.kind == "battle_devoted" and e.facts["side"] == "defender"
    ] == [devoted]


def test_7_2_what_is_left_of_a_nation_is_its_number_less_its_losses() -> None:
    position = {"owner": {"italy": "pc"}, "legions": {"pc": 8}} | ON
    dice = {"turn-1/barbarians/noricum": 2} | battle(
        initiative=(1, 6), segments=1, d1=[2, 2, 2], a1=[1, 2, 2]
    )
    state = after(position, attack("noricum"), devote(1), dice=dice)
    assert (state["barbarians"], state["options"]) == (
        {"noricum": 3},
        {"barbarian_initiative": True},
    )
    dice = {"turn-1/barbarians/noricum": 1} | battle(
        initiative=(1, 6), segments=2, d1=[2, 2, 2], a1=[1, 1, 1], d2=[1, 2, 2]
    )
    beaten = after(position, attack("noricum"), devote(1), dice=dice)
    assert beaten["barbarians"] == {"noricum": 0}

"""RECORD: scenario objects and the rules that they override."""

import copy
from itertools import pairwise

import pytest

from games.replay import replay
from tests.grand_campaign.table import (
    MINI,
    land,
    malformed,
    played,
    record,
    scenario,
)


def built_from(result):
    return {**record(), "scenario": result, "dice": {"seed": "case"}}


def edited(edit):
    result = scenario()
    edit(result)
    return built_from(result)


def nation(result, key):
    return next(item for item in result["nations"] if item["key"] == key)


def province(result, key):
    return next(item for item in result["provinces"] if item["key"] == key)


def put(*path):
    """Return an edit that puts the last value of the path under the keys before it."""
    *keys, last, value = path

    def edit(result):
        for key in keys:
            result = result[key]
        result[last] = value

    return edit


def drop(*path):
    *keys, last = path

    def edit(result):
        for key in keys:
            result = result[key]
        del result[last]

    return edit


def renamed(old, new):
    """Return an edit that renames a nation or a province everywhere."""

    def rename(value):
        if isinstance(value, dict):
            return {key: rename(item) for key, item in value.items()}
        if isinstance(value, list):
            return [rename(item) for item in value]
        return new if value == old else value

    return lambda result: result.update(rename(copy.deepcopy(result)))


def small(count, turns=6):
    """Return nations in a chain, with a capital each."""
    keys = [f"k{number:02}" for number in range(count)]
    one = {"culture": "civilized", "army": "A", "colour": "#000000", "escort": False}
    return {
        "key": "small",
        "name": "Small",
        "turns": turns,
        "nations": [{"key": k, "name": k, "capital": f"{k}-p", **one} for k in keys],
        "provinces": [
            {"key": f"{k}-p", "name": k, "kind": "nation", "owner": k, "army": "A"} for k in keys
        ],
        "borders": [[f"{a}-p", f"{b}-p"] for a, b in pairwise(keys)],
        "sea_routes": [],
    }


@pytest.mark.parametrize("count", [2, 12])
def test_2_to_12_nations(count):
    assert len(replay(built_from(small(count)))["nations"]) == count


@pytest.mark.parametrize("count", [0, 1, 13])
def test_no_fewer_and_no_more(count):
    assert malformed(built_from(small(count)))


@pytest.mark.parametrize("turns", [1, 2, 100])
def test_1_to_100_turns(turns):
    assert replay(built_from(small(2, turns)))["turn"] == 1


@pytest.mark.parametrize("turns", [0, -1, 101, 1.0, "6", True, None, 10**40])
def test_other_numbers_of_turns(turns):
    assert malformed(built_from(small(2, turns)))


@pytest.mark.parametrize("key", ["z", "0", "a-b", "-", "z" * 40, "1-2-3"])
def test_keys_of_nations_and_provinces(key):
    assert "error" not in replay(edited(renamed("cedar", key)))
    assert "error" not in replay(edited(renamed("c2", key)))


@pytest.mark.parametrize(
    "key", ["", "Z", "a b", "a_b", "ä", "a.b", "z" * 41, "a/b", "gm", " a", "a\n", 5, None, ["a"]]
)
def test_other_keys(key):
    assert malformed(edited(renamed("cedar", key)))
    if key != "gm":
        assert malformed(edited(renamed("c2", key)))


@pytest.mark.parametrize(
    "path", ["key", "name", "turns", "nations", "provinces", "borders", "sea_routes"]
)
def test_all_keys_of_a_scenario_are_needed(path):
    assert malformed(edited(drop(path)))


@pytest.mark.parametrize("path", ["key", "name", "culture", "army", "capital", "colour", "escort"])
def test_all_keys_of_a_nation_are_needed(path):
    assert malformed(edited(drop("nations", 0, path)))
    assert malformed(edited(put("nations", 0, path, None)))


@pytest.mark.parametrize("path", ["key", "name", "kind", "owner", "army"])
def test_all_keys_of_a_province_are_needed(path):
    assert malformed(edited(drop("provinces", 0, path)))
    assert malformed(edited(put("provinces", 0, path, 5)))


@pytest.mark.parametrize(
    "edit",
    [
        put("geometry", {}),
        put("nations", 0, "seat", 1),
        put("provinces", 0, "port", True),
        put("nations", {}),
        put("provinces", []),
        put("borders", {}),
        put("sea_routes", None),
        put("name", 5),
        put("start", []),
        put("rules", []),
        put("nations", 0, "culture", "nomad"),
        put("nations", 0, "escort", 1),
        put("nations", 0, "escort", "true"),
        put("nations", 0, "capital", "nowhere"),
        put("nations", 0, "capital", "b1"),
        put("nations", 0, "capital", "i1"),
        put("nations", 0, "name", ["Amber"]),
        put("nations", 1, "key", "amber"),
        put("nations", 0, "amber"),
        put("provinces", 1, "key", "a1"),
        put("provinces", 0, "kind", "colony"),
        put("provinces", 1, "kind", "independent"),
        put("provinces", 1, "kind", "external"),
        put("provinces", 1, "owner", None),
        put("provinces", 1, "owner", "egypt"),
        put("provinces", 1, "owner", "gm"),
        put("provinces", 7, "owner", "amber"),
        put("provinces", 10, "owner", "amber"),
        put("provinces", 0, "maritime", "yes"),
        put("provinces", 0, "maritime", 1),
        put("borders", 0, ["a1", "nowhere"]),
        put("borders", 0, ["a1", "a1"]),
        put("borders", 0, ["a1"]),
        put("borders", 0, ["a1", "a2", "a3"]),
        put("borders", 0, "a1-a2"),
        put("borders", 0, ["a1", 5]),
        put("borders", 0, ["a3", "a1"]),
        put("borders", 0, ["a1", "a3"]),
        put("sea_routes", 0, ["a3", "nowhere"]),
        put("sea_routes", 0, ["a3", "a3"]),
        put("sea_routes", 0, ["a3", "i3"]),
        put("sea_routes", 0, ["i3", "a3"]),
        put("start", {"gold": 5}),
        put("start", {"stability": 1}),
        put("start", {"stability": 0}),
        put("start", {"prestige": -1}),
        put("start", {"income": -1}),
        put("start", {"army": -1}),
        put("start", {"income": 1.5}),
        put("start", {"income": True}),
        put("start", {"income": "450"}),
        put("start", {"income": None}),
    ],
)
def test_a_scenario_must_make_sense(edit):
    assert malformed(edited(edit))


def test_a_pair_may_be_border_and_route():
    assert ["a2", "b2"] in scenario()["borders"]
    assert ["a2", "b2"] in scenario()["sea_routes"]
    assert replay(built_from(scenario()))["turn"] == 1


def test_starting_levels():
    start = {"stability": 2, "prestige": 0, "income": 0, "army": 0}
    assert played(start=start).levels("amber") == (2, 0, 0, 0, 0)
    assert played(start={"army": 1550}).levels("birch") == (6, 6, 450, 1550, 0)
    assert played(start={}).levels("cedar") == (6, 6, 450, 1600, 0)


def ruled(**rules):
    return built_from(scenario(rules=rules))


@pytest.mark.parametrize(
    "rules",
    [
        {"dice": 100},
        {"die": 0},
        {"die": -100},
        {"die": 1_000_001},
        {"die": 100.0},
        {"die": "100"},
        {"die": True},
        {"die": 50},
        {"die": 120},
        {"cards": [[1, 100, "joker"]]},
        {"cards": [[1, 99, "spy"]]},
        {"cards": [[2, 100, "spy"]]},
        {"cards": [[1, 50, "spy"], [52, 100, "scouts"]]},
        {"cards": [[1, 50, "spy"], [50, 100, "scouts"]]},
        {"cards": [[1, 101, "spy"]]},
        {"cards": []},
        {"cards": {}},
        {"cards": [[1, 100]]},
        {"cards": [[1, 100, "spy", 5]]},
        {"cards": [[1.0, 100, "spy"]]},
        {"cards": [[1, 100, 5]]},
        {"cards": None},
        {"events": [[1, 100, "flood"]]},
        {"events": [[1, 100, "spy"]]},
        {"events": [[1, 50, "riots"]]},
        {"events": [[1, 50, "riots"], [52, 100, "famine"]]},
        {"event_turns": 2},
        {"event_turns": ["2"]},
        {"event_turns": [2.5]},
        {"event_turns": [True]},
        {"event_turns": [-2]},
        {"income_actions": {}},
        {"income_actions": [[50]]},
        {"income_actions": [[50, 0.25]]},
        {"income_actions": [[50, -1]]},
        {"income_actions": [[50.5, 1]]},
        {"income_actions": [["50", 1]]},
        {"architecture": {"nomad": []}},
        {"architecture": []},
        {"architecture": {"civilized": [["gymnasia", 0.25, 1, 0]]}},
        {"architecture": {"civilized": [["gymnasia", 0.5, 1.5, 0]]}},
        {"architecture": {"civilized": [["gymnasia", 0.5, 1]]}},
        {"architecture": {"civilized": [["gymnasia", 0.5, -1, 0]]}},
        {"religious": [["shrines", 0.5, 1, 0.5]]},
        {"religious": [[5, 0.5, 1, 0]]},
        {"religious": {}},
        {"commercial": [["bridges", -1, 100, 0]]},
        {"commercial": [["bridges", 1, 10**9, 0]]},
        {"fortifications": [["ramparts", 0.5]]},
        {"fortifications": [["ramparts", 0.5, 30.5]]},
        {"fortifications": [["ramparts", 0.5, -30]]},
        {"costs": {"land": 0.25}},
        {"costs": {"land": -1}},
        {"costs": {"land": "1"}},
        {"costs": {"land": True}},
        {"costs": {"land": None}},
        {"costs": {"land": 10**9}},
        {"costs": {"catapult": 1}},
        {"costs": []},
        {"tax_increase_actions": 0.3},
        {"tax_increases_per_slot": 1.5},
        {"tax_increases_per_slot": -1},
        {"chancellor_actions": 0.7},
        {"chancellor_actions": -1},
        {"prestigious": 11.5},
        {"prestigious": "11"},
        {"army": {"victory": -30}},
        {"army": {"victory": 30.5}},
        {"army": {"defeat": -30.5}},
        {"army": {"maximum": 10**9}},
        {"army": {"elephants": 5}},
        {"army": 1600},
        {"rout": {"decisive": -1}},
        {"rout": {"decisive": "45"}},
        {"rout": {"late": 45}},
        {"siege_train": 20.5},
        {"siege_train": -20},
        {"naval_technology": -20},
        {"escort_from": 5.5},
        {"truce_turns": 2.5},
        {"truce_turns": -2},
        {"talents": {"conquest": 50.5}},
        {"talents": {"famine": 50}},
        {"talents": {"loss": -50}},
        {"victory_points": {"battle": 0.5}},
        {"victory_points": {"battle": -1}},
        {"victory_points": {"siege": 1}},
        {"capital_protected_before_turn": 6.5},
        {"capital_protected_before_turn": -6},
    ],
)
def test_invalid_rules_are_refused(rules):
    assert malformed(ruled(**rules))


@pytest.mark.parametrize(
    "rules",
    [
        {},
        {"die": 1_000_000, "cards": [[1, 1_000_000, "spy"]], "events": [[1, 1_000_000, "riots"]]},
        {"army": {"defeat": -999_999_999}},
        {"army": {"defeat": 0}},
        {"talents": {"conquest": 999_999_999}},
        {"costs": {"land": 0}},
        {"costs": {"land": 1.0}},
        {"costs": {"land": 2.5}},
        {"rout": {"decisive": 44.5, "early": 33.3, "early_own_losses": 12.25}},
        {"event_turns": []},
        {"event_turns": [1, 2, 3, 4, 5, 6]},
        {"income_actions": [[1, 0.5], [2, 1]]},
    ],
)
def test_valid_rules_are_accepted(rules):
    assert replay(ruled(**rules))["turn"] == 1


def test_rules_are_merged_key_by_key():
    """One victory is worth 40 points, a defeat 30 as usual; land attacks cost 2."""
    rules = {"army": {"victory": 40}, "costs": {"land": 2}}
    moves = [land("amber", "a2", "b2"), {"by": "gm", "move": "report", "attack": 1}]
    moves[1]["winner"] = "attacker"
    state = played(moves, rules=rules)
    assert (state["amber.army"], state["birch.army"]) == (1640, 1570)
    assert state["amber.actions"] == 0.5


def test_the_scenario_of_the_record_is_used_whatever_its_key():
    result = scenario(key="420ad")
    assert sorted(replay(built_from(result))["nations"]) == list(MINI)

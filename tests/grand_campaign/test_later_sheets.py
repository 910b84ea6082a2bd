"""RECORD, Later additions: amended rules, richer beginnings, tools that correct a sheet.

The tests follow the text sentence by sentence.
"""

from __future__ import annotations

import copy

import pytest

from games.replay import replay
from tests.grand_campaign.table import (
    OPEN,
    START,
    adjust,
    build,
    covert,
    end,
    fleet,
    fortify,
    gm,
    land,
    malformed,
    move,
    owner,
    played,
    record,
    refused,
    report,
    respond,
    scenario,
    sea,
    slots,
    until,
    whole,
)
from tests.grand_campaign.test_later_resume import error, resume

WHY = {"reason": "r"}
CLOSED = end("amber", "birch", "cedar")
TRAIN = move("amber", "siege-train")


def amend(reason="r", **rules):
    return gm("amend", rules=rules, reason=reason)


# Rules amended


def test_amended_from_then_on():
    state = played(
        CLOSED,
        amend(costs={"fleet": 1}, income_actions=[[0, 3]]),
        OPEN,
        end("birch", "cedar"),
        fleet("amber", "a2"),
    )
    assert state["amber.actions"] == 2
    assert state["a2.fleet"] is True


def test_amended_key_by_key_over_the_rules_in_force():
    """The scenario's own numbers remain, and those of an earlier amendment."""
    moves = [CLOSED, amend(costs={"fleet": 1}), amend(costs={"barracks": 1})]
    state = played(
        moves,
        OPEN,
        end("birch", "cedar"),
        fleet("amber", "a2"),
        move("amber", "barracks"),
        rules={"costs": {"siege-train": 0}},
    )
    assert state["amber.actions"] == 0.5
    assert (
        played(moves, OPEN, end("birch", "cedar"), TRAIN, rules={"costs": {"siege-train": 0}})[
            "amber.actions"
        ]
        == 2.5
    )


def test_existing_assets_are_not_changed_by_an_amendment():
    state = played(
        build("amber", "shrines"),
        CLOSED,
        amend(religious=[["shrines", 1, 5, 3], ["temples", 1, 2, 0]]),
    )
    assert state.levels("amber") == (7, 6, 450, 1600, 0)
    assert state["amber.structures"] == ["shrines"]


def test_5_an_earthquake_takes_what_the_row_in_force_gives():
    moves = [build("amber", "shrines"), CLOSED, amend(religious=[["shrines", 1, 3, 2]]), OPEN]
    state = played(moves)
    assert state.levels("amber") == (4, 6, 450, 1600, -2)
    assert state["amber.structures"] == []


def test_amended_before_the_start_and_between_turns_only():
    written = record()
    written["moves"] = [amend(cards_per_turn=0), START]
    assert replay(written)["nations"]["amber"]["hand"] == []
    assert refused(amend(siege_train=1)) == "wrong-phase"
    assert refused(slots(1), amend(siege_train=1), OPEN, amend(siege_train=1)) == "wrong-phase"
    assert refused(land("amber", "a2", "b2"), slots(1), amend(siege_train=1)) == "wrong-phase"
    assert refused(slots(1), amend(siege_train=1), turns=1) == "wrong-phase"
    assert error(resume(), amend(siege_train=1), amend(siege_train=2), amend()) == "bad-argument"


def test_who_may_amend():
    assert refused(slots(1), {**amend(siege_train=1), "by": "amber"}) == "not-allowed"
    assert refused({**amend(siege_train=1), "by": "amber"}) == "wrong-phase"
    assert refused(slots(1), {**amend(siege_train=1), "for": "amber"}) == "bad-argument"


@pytest.mark.parametrize(
    "rules",
    [
        None,
        [],
        "x",
        {},
        {"die": 100},
        {"die": 20},
        {"die": 100, "siege_train": 1},
        {"weather": 1},
        {"costs": {"castle": 1}},
        {"costs": None},
        {"costs": {"fleet": 0.3}},
        {"costs": {"fleet": -1}},
        {"costs": {"fleet": 10**9}},
        {"siege_train": 1.5},
        {"siege_train": -1},
        {"siege_train": None},
        {"cards": [[1, 99, "spy"]]},
        {"cards": [[1, 50, "spy"], [50, 100, "spy"]]},
        {"cards": [[1, 100, "joker"]]},
        {"events": [[1, 100, "rain"]]},
        {"religious": [["a", 1, 1, 0], ["a", 1, 1, 0]]},
        {"religious": [["gymnasia", 1, 1, 0]]},
        {"architecture": {"nomadic": []}},
        {"cards_per_turn": 6},
        {"cards_per_turn": -1},
        {"attacks_per_turn": {"overt": 10}},
        {"attacks_per_turn": {"naval": 1}},
        {"attacks_per_turn": 2},
        {"army": {"defeat": -(10**9)}},
        {"income_actions": [[50, 1], [50, 2]]},
        {"fortifications": [["a", 1]]},
    ],
)
def test_what_would_make_a_scenario_malformed_is_bad_argument(rules):
    assert refused(slots(1), gm("amend", rules=rules, reason="r")) == "bad-argument"


@pytest.mark.parametrize("wrong", [{"reason": ""}, {"reason": None}, {"reason": 5}, {"why": "r"}])
def test_amendments_need_their_keys(wrong):
    assert (
        refused(slots(1), gm("amend", rules={"siege_train": 1}, **{**WHY, **wrong}))
        == "bad-argument"
    )
    assert refused(slots(1), gm("amend", rules={"siege_train": 1})) == "bad-argument"
    assert refused(slots(1), gm("amend", reason="r")) == "bad-argument"


SHRINES, TEMPLES, SANCTUARIES = (
    ["shrines", 0.5, 1, 0],
    ["temples", 1, 2, 0],
    ["sanctuaries", 1.5, 3, 1],
)


@pytest.mark.parametrize(
    ("rows", "stands_so"),
    [
        ([SHRINES], True),
        ([["shrines", 2, 9, 9], ["chapels", 1, 1, 1]], True),
        ([SHRINES, SANCTUARIES, TEMPLES], True),
        ([], False),
        ([TEMPLES, SHRINES], False),
        ([["grove", 0.5, 1, 0], SHRINES], False),
        ([["grove", 0.5, 1, 0]], False),
    ],
)
def test_a_row_that_is_built_keeps_name_and_place(rows, stands_so):
    moves = [build("amber", "shrines"), slots(1), amend(religious=rows)]
    assert played(moves)["phase"] == "closed" if stands_so else refused(moves) == "bad-argument"


def test_rows_that_no_nation_has_built_may_change():
    moves = [build("amber", "gymnasia"), slots(1)]
    assert played(moves, amend(architecture={"barbarian": [["camps", 1, 1, 0]]}))
    assert refused(moves, amend(architecture={"civilized": [["agora", 1, 1, 0]]})) == "bad-argument"
    assert refused(moves, amend(architecture={"civilized": []}, siege_train=1)) == "bad-argument"
    assert played(slots(1), amend(architecture={"civilized": []}, religious=[], commercial=[]))
    shaken = [build("amber", "shrines"), whole(1), slots(2), amend(religious=[])]
    assert played(shaken)["amber.structures"] == [], (
        "an earthquake has taken it: nobody has it any more"
    )


def test_the_rows_of_a_fallen_nation_are_kept():
    fall = [build("amber", "shrines"), adjust("amber", "stability", -6), end("birch", "cedar")]
    assert played(fall)["amber.fallen"] is True
    assert refused(fall, amend(religious=[TEMPLES])) == "bad-argument"


@pytest.mark.parametrize(
    ("rows", "stands_so"),
    [
        ([["ramparts", 1, 1], ["walls", 3, 99]], True),
        ([["ramparts", 1, 1], ["walls", 1, 50], ["citadel", 2, 90]], True),
        ([["ramparts", 0.5, 30]], False),
        ([["walls", 1, 50], ["ramparts", 1, 30]], False),
        ([], False),
        ([["fence", 0.5, 30], ["walls", 1, 50]], False),
        ([["ramparts", 0.5, 30], ["bulwark", 1, 50]], False),
    ],
)
def test_fortification_rows_are_kept_up_to_the_highest_built_level(rows, stands_so):
    moves = [
        fortify("amber", "a2", "a2"),
        fortify("amber", "a3"),
        slots(1),
        amend(fortifications=rows),
    ]
    assert (
        played(moves)["a2.fortification"] == "walls"
        if stands_so
        else refused(moves) == "bad-argument"
    )


def test_amended_cards_and_attacks():
    dice = {f"turn-2/card/{key}/2": 11 for key in ("amber", "birch", "cedar")}
    state = played(
        slots(1), amend(cards_per_turn=2, attacks_per_turn={"overt": 0}), OPEN, dice=dice
    )
    assert state["amber.hand"] == ["scouts", "scouts", "spy"]
    moves = [
        slots(1),
        amend(attacks_per_turn={"overt": 0}),
        OPEN,
        until(2, "amber"),
        land("amber", "a2", "b2"),
    ]
    assert refused(moves) == "attack-limit"


# Richer beginnings


def begun(nation=None, province=None, where="a2", **changes):
    """Return nations and provinces of the small map.

    They have Amber's start and one province's defences.
    """
    base = scenario()
    nations = [
        {**power, "start": nation} if power["key"] == "amber" and nation is not None else power
        for power in base["nations"]
    ]
    provinces = [
        {**land, **(province or {})} if land["key"] == where else land for land in base["provinces"]
    ]
    return {"nations": nations, "provinces": provinces, **changes}


def test_a_nation_begins_with_its_own_start():
    given = {
        "stability": 9,
        "prestige": 3,
        "income": 640,
        "army": 1480,
        "structures": ["bridges", "gymnasia", "shrines"],
        "barracks": True,
        "siege_trains": 2,
        "hand": ["traitor", "spy", "spy"],
    }
    state = played(**begun(given, start={"stability": 4, "prestige": 8}))
    assert state.levels("amber") == (9, 3, 640, 1480, 0)
    assert state["amber.actions"] == 3
    assert state["amber.structures"] == ["bridges", "gymnasia", "shrines"]
    assert (state["amber.barracks"], state["amber.siege_trains"]) == (True, 2)
    assert state["amber.hand"] == ["scouts", "spy", "spy", "traitor"]
    assert state.levels("birch") == (4, 8, 450, 1600, 0)
    assert state["birch.hand"] == ["scouts"]


def test_the_beginning_is_shown_in_the_setup():
    written = record(**begun({"hand": ["spy"], "income": 1}, {"fleet": True}))
    state = replay({**written, "moves": []})
    assert (state["nations"]["amber"]["hand"], state["nations"]["amber"]["income"]) == (["spy"], 1)
    assert state["provinces"]["a2"]["fleet"] is True
    assert replay({**written, "moves": [], "dice": {}}) == state


def test_part_of_a_start_leaves_the_rest():
    assert played(**begun({}))["amber.income"] == 450
    assert played(**begun({"prestige": 0}, start={"income": 550})).levels("amber") == (
        6,
        0,
        550,
        1600,
        0,
    )


def test_a_fleet_and_walls_of_the_beginning():
    state = played(
        sea("amber", "a3", "i3"),
        **begun(None, {"fortification": "great-walls", "fleet": True}, "a3"),
    )
    assert state["a3"] == {"owner": "amber", "fortification": "great-walls", "fleet": True}
    assert state["1.status"] == "fighting"
    assert state.levels("amber") == (6, 6, 450, 1600, 0)


def test_what_was_given_scores_at_the_end_and_goes_on():
    state = played(
        build("amber", "temples"),
        slots(1),
        **begun({"structures": ["shrines"]}, {"fortification": "walls"}, turns=1),
    )
    assert state["amber.structures"] == ["shrines", "temples"]
    assert state["amber.victory_points"] == 8 + 6 + 2
    assert (
        refused(build("amber", "shrines"), **begun({"structures": ["shrines"]})) == "already-built"
    )
    assert (
        played(fortify("amber", "a2"), **begun(None, {"fortification": "ramparts"}))[
            "a2.fortification"
        ]
        == "walls"
    )


def test_its_own_rules_judge_a_beginning():
    rules = {"religious": [["grove", 1, 1, 0]], "fortifications": [["fence", 1, 10]]}
    assert (
        played(**begun({"structures": ["grove"]}, {"fortification": "fence"}, rules=rules))[
            "a2.fortification"
        ]
        == "fence"
    )
    assert malformed(record(**begun({"structures": ["shrines"]}, rules=rules)))
    assert malformed(record(**begun(None, {"fortification": "walls"}, rules=rules)))


@pytest.mark.parametrize(
    "start",
    [
        None,
        [],
        "x",
        {"victory_points": 1},
        {"table": []},
        {"fallen": False},
        {"actions": 1},
        {"keep": True},
        {"stability": 1},
        {"stability": -1},
        {"stability": 2.5},
        {"prestige": -1},
        {"income": -1},
        {"army": -1},
        {"army": 10**9},
        {"income": "450"},
        {"income": None},
        {"income": True},
        {"structures": None},
        {"structures": "shrines"},
        {"structures": ["temples"]},
        {"structures": ["shrines", "shrines"]},
        {"structures": ["hamlets"]},
        {"structures": ["temples", "shrines"]},
        {"structures": ["castle"]},
        {"structures": [1]},
        {"barracks": 1},
        {"barracks": None},
        {"siege_trains": -1},
        {"siege_trains": 0.5},
        {"siege_trains": 10**9},
        {"siege_trains": None},
        {"hand": None},
        {"hand": ["joker"]},
        {"hand": "spy"},
        {"hand": [None]},
    ],
)
def test_a_start_malformed(start):
    written = record()
    next(nation for nation in written["scenario"]["nations"] if nation["key"] == "amber")[
        "start"
    ] = start
    assert malformed({**written, "moves": []})


@pytest.mark.parametrize(
    ("key", "given"),
    [
        ("a2", {"fortification": "castle"}),
        ("a2", {"fortification": 1}),
        ("a2", {"fortification": False}),
        ("a2", {"fleet": 1}),
        ("a2", {"fleet": None}),
        ("a1", {"fleet": True}),
        ("i3", {"fleet": True}),
        ("i1", {"fortification": "walls"}),
        ("x1", {"fortification": "walls"}),
        ("x1", {"fleet": True}),
        ("a2", {"fleets": True}),
        ("a2", {"garrison": 5}),
    ],
)
def test_a_province_malformed(key, given):
    assert malformed({**record(**begun(None, given, key)), "moves": []})


@pytest.mark.parametrize(
    ("key", "given"),
    [
        ("a2", {"fortification": None, "fleet": False}),
        ("i1", {"fortification": None, "fleet": False}),
        ("x1", {"fleet": False}),
        ("c1", {"fleet": True}),
        ("a1", {"fleet": False, "fortification": "walls"}),
    ],
)
def test_a_province_with_its_new_keys(key, given):
    assert "error" not in replay(record(**begun(None, given, key)))


@pytest.mark.parametrize("cards", [0, 1, 2, 5])
def test_cards_of_a_turn(cards):
    dice = {
        f"turn-1/card/{key}/{n}": 11
        for key in ("amber", "birch", "cedar")
        for n in range(2, cards + 1)
    }
    state = played(rules={"cards_per_turn": cards}, dice=dice)
    assert state["amber.hand"] == (["scouts"] + ["spy"] * (cards - 1) if cards else [])
    assert state["cedar.hand"] == state["amber.hand"]


def test_cards_are_drawn_by_purposes_of_their_own():
    written = record(rules={"cards_per_turn": 3})
    written["dice"] = {
        "fixed": {
            "start": 1,
            "turn-1/card/amber": 95,
            "turn-1/card/amber/2": 11,
            "turn-1/card/amber/3": 1,
        }
    }
    answer = replay(written)["error"]
    assert (answer["code"], answer["move"]) == ("no-dice", 0)
    assert "turn-1/card/birch " in answer["message"] + " ", (
        "nation by nation: amber's three came first"
    )


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_further_cards_are_known_purposes_in_every_record(n):
    assert "error" not in replay(record(dice={f"turn-6/card/cedar/{n}": 100}))


@pytest.mark.parametrize(
    "rules",
    [
        {"cards_per_turn": 6},
        {"cards_per_turn": -1},
        {"cards_per_turn": 1.5},
        {"cards_per_turn": None},
        {"cards_per_turn": True},
        {"attacks_per_turn": {"overt": 10}},
        {"attacks_per_turn": {"covert": 10}},
        {"attacks_per_turn": {"overt": -1}},
        {"attacks_per_turn": {"overt": 0.5}},
        {"attacks_per_turn": {"naval": 1}},
        {"attacks_per_turn": 2},
        {"attacks_per_turn": None},
        {"attacks_per_turn": [1, 1]},
    ],
)
def test_numbers_of_a_turn_malformed(rules):
    assert malformed({**record(rules=rules), "moves": []})


def test_7_2_several_attacks_a_turn():
    rules = {"attacks_per_turn": {"overt": 2, "covert": 2}, "income_actions": [[0, 9]]}
    setting = begun(None, {"fleet": True}, "a3", rules=rules)
    two = [land("amber", "a2", "b2"), sea("amber", "a3", "i3")]
    assert played(two, **setting)["2.status"] == "fighting"
    gained = [owner("i1", "amber"), owner("i2", "amber")]
    assert refused(two, gained, land("amber", "i2", "c2"), **setting) == "attack-limit"
    assert refused(two[0], land("amber", "a2", "i1"), **setting) == "starting-point-used"
    assert refused(two[0], gained, land("amber", "i1", "b2"), **setting) == "already-attacked"
    assert played(two, covert("amber", "i2", "c2"), **setting)["3.kind"] == "independent"
    again = [
        *two,
        end("amber", "birch", "cedar"),
        report(1, winner="draw"),
        report(2, winner="draw"),
        OPEN,
        end("birch", "cedar"),
    ]
    assert refused(again, land("amber", "a2", "b2"), **setting) == "repeat-attack"
    assert refused(again, sea("amber", "a3", "i3"), **setting) == "repeat-attack"
    assert (
        played(again, land("amber", "a2", "i1"), sea("amber", "a3", "c2"), **setting)["4.target"]
        == "c2"
    )


def test_7_2_none_at_all():
    assert (
        refused(land("amber", "a2", "b2"), rules={"attacks_per_turn": {"overt": 0}})
        == "attack-limit"
    )
    assert (
        refused(covert("amber", "i2", "c2"), rules={"attacks_per_turn": {"covert": 0}})
        == "attack-limit"
    )
    assert (
        played(covert("amber", "i2", "c2"), rules={"attacks_per_turn": {"overt": 0}})["1.kind"]
        == "independent"
    )


def two_attacks(trains, *between, second_train=True, **more):
    """Launch the first attack with a siege train, then the second by sea."""
    rules = {"attacks_per_turn": {"overt": 2}, "income_actions": [[0, 9]]}
    setting = begun({"siege_trains": trains, "income": 900}, {"fleet": True}, "a3", rules=rules)
    first = land("amber", "a2", "b2", siege_train=True)
    return [first, *between, sea("amber", "a3", "i3", siege_train=second_train, **more)], setting


def test_3_9_a_train_goes_with_one_unresolved_attack():
    for trains, resolved, code in ((1, False, "no-siege-train"), (2, False, None), (1, True, None)):
        moves, setting = two_attacks(trains, *([report(1, winner="attacker")] if resolved else []))
        assert (refused(moves, **setting) if code else played(moves, **setting)["2.status"]) == (
            code or "fighting"
        )
    moves, setting = two_attacks(1, second_train=False)
    assert played(moves, **setting)["2.status"] == "fighting"
    moves, setting = two_attacks(1, report(1, winner="defender"))
    assert refused(moves, **setting) == "no-siege-train", "the lost battle has taken it"


def test_3_9_the_train_is_judged_after_7_2():
    moves, setting = two_attacks(1)
    setting["rules"] = {"attacks_per_turn": {"overt": 1}, "income_actions": [[0, 9]]}
    assert refused(moves, **setting) == "attack-limit"
    moves, setting = two_attacks(1, gm("set-assets", nation="amber", siege_trains=0, reason="r"))
    setting["rules"] = {"attacks_per_turn": {"overt": 1}, "income_actions": [[0, 9]]}
    assert refused(moves, **setting) == "no-siege-train", "none at all is judged before"
    moves, setting = two_attacks(1, adjust("amber", "stability", -4))
    assert refused(moves, **setting) == "no-siege-train", "before stability"
    moves, setting = two_attacks(2, adjust("amber", "stability", -4))
    assert refused(moves, **setting) == "stability-too-low"


# Correcting a sheet


def tool(name, **arguments):
    return gm(name, **{"reason": "r", **arguments})


def structures(*names, nation="amber"):
    return tool("set-structures", nation=nation, structures=list(names))


def assets(nation="amber", **given):
    return tool("set-assets", nation=nation, **given)


def fort(province, fortification):
    return tool("set-fortification", province=province, fortification=fortification)


def ships(province, there=True):
    return tool("set-fleet", province=province, fleet=there)


def test_the_tools_cost_earn_and_score_nothing():
    given = [structures("shrines", "gymnasia", "temples"), assets(barracks=True, siege_trains=3)]
    state = played(given, fort("a2", "great-walls"), ships("a3"))
    assert state.levels("amber") == (6, 6, 450, 1600, 0)
    assert state["amber.actions"] == 2.5
    assert state["amber.structures"] == ["shrines", "gymnasia", "temples"]
    assert (state["amber.barracks"], state["amber.siege_trains"]) == (True, 3)
    assert state["a2.fortification"] == "great-walls"
    assert state["a3.fleet"] is True


def test_the_tools_take_away():
    moves = [build("amber", "shrines"), structures("gymnasia"), structures()]
    assert played(moves)["amber.structures"] == []
    assert played(moves).levels("amber") == (7, 6, 450, 1600, 0)
    assert played(assets(siege_trains=2), assets(siege_trains=0))["amber.siege_trains"] == 0
    assert played(assets(barracks=True), assets(barracks=False))["amber.barracks"] is False
    assert (
        played(fort("a2", "walls"), fort("a2", "ramparts"), fort("a2", None))["a2.fortification"]
        is None
    )
    assert played(ships("a2"), ships("a2", False))["a2.fleet"] is False


def test_the_order_of_a_list_is_part_of_it():
    moves = [structures("shrines", "gymnasia"), structures("gymnasia", "shrines")]
    assert played(moves)["amber.structures"] == ["gymnasia", "shrines"]


def test_one_value_of_two_is_change_enough():
    assert played(assets(barracks=False, siege_trains=1))["amber.siege_trains"] == 1
    assert played(assets(barracks=True, siege_trains=0))["amber.barracks"] is True


def test_3_12_a_fleet_that_is_given_carries_at_once():
    assert played(ships("a3"), sea("amber", "a3", "i3"))["1.status"] == "fighting"
    assert refused(fleet("amber", "a3"), sea("amber", "a3", "i3")) == "fleet-too-new"
    state = played(ships("a3"), sea("amber", "a3", "i3"), report(1, winner="defender"))
    assert state["a3.fleet"] is False, "and is lost with the battle"


def test_a_given_structure_is_built_upon_and_lost():
    assert played(structures("shrines"), build("amber", "temples"))["amber.structures"] == [
        "shrines",
        "temples",
    ]
    shaken = played(structures("shrines"), slots(1), OPEN)
    assert shaken.levels("amber") == (5, 6, 450, 1600, 0)


def test_9_9_a_train_that_a_correction_has_taken_leaves_0():
    attack = land("amber", "a2", "b2", siege_train=True)
    moves = [TRAIN, attack, assets(siege_trains=0), report(1, winner="defender")]
    assert played(moves)["amber.siege_trains"] == 0
    moves = [
        fort("b2", "walls"),
        TRAIN,
        attack,
        assets(siege_trains=0),
        report(1, winner="attacker"),
    ]
    assert played(moves, dice={"turn-1/attack/amber/b2/siege": 30})["amber.siege_trains"] == 0


@pytest.mark.parametrize("name", ["set-structures", "set-assets", "set-fortification", "set-fleet"])
def test_phases_and_people(name):
    good = {
        "set-structures": structures("shrines"),
        "set-assets": assets(barracks=True),
        "set-fortification": fort("a2", "walls"),
        "set-fleet": ships("a2"),
    }[name]
    assert played(good)["phase"] == "slots"
    assert played(slots(1), good)["phase"] == "closed"
    assert played(land("amber", "a2", "i1"), slots(1), good)["phase"] == "battles"
    written = record()
    assert replay({**written, "moves": [good]})["error"]["code"] == "wrong-phase"
    assert refused(slots(1), good, turns=1) == "wrong-phase"
    assert refused({**good, "by": "amber"}) == "not-allowed"
    assert refused({**good, "by": "amber", "for": "amber"}) == "not-allowed"
    assert refused({**good, "for": "amber"}) == "bad-argument"
    assert refused({**good, "reason": ""}) == "bad-argument"
    assert refused({**good, "reason": None}) == "bad-argument"
    assert refused({**good, "cost": 1}) == "bad-argument"
    assert refused({key: value for key, value in good.items() if key != "reason"}) == "bad-argument"
    assert (
        refused({key: value for key, value in good.items() if key not in ("nation", "province")})
        == "bad-argument"
    )


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (structures("shrines", nation="romans"), "unknown-nation"),
        (structures("shrines", nation=None), "bad-argument"),
        (structures("temples"), "bad-argument"),
        (structures("temples", "shrines"), "bad-argument"),
        (structures("shrines", "shrines"), "bad-argument"),
        (structures("hamlets"), "bad-argument"),
        (structures("castle"), "bad-argument"),
        (structures(1), "bad-argument"),
        (tool("set-structures", nation="amber", structures="shrines"), "bad-argument"),
        (tool("set-structures", nation="amber", structures=None), "bad-argument"),
        (structures(), "bad-argument"),
        (assets(), "bad-argument"),
        (assets("romans", barracks=True), "unknown-nation"),
        (assets(barracks=1), "bad-argument"),
        (assets(barracks=None), "bad-argument"),
        (assets(barracks=None, siege_trains=1), "bad-argument"),
        (assets(siege_trains=-1), "bad-argument"),
        (assets(siege_trains=1.5), "bad-argument"),
        (assets(siege_trains=10**9), "bad-argument"),
        (assets(siege_trains=None), "bad-argument"),
        (assets(barracks=False), "bad-argument"),
        (assets(siege_trains=0), "bad-argument"),
        (assets(barracks=False, siege_trains=0), "bad-argument"),
        (fort("roma", "walls"), "unknown-province"),
        (fort(None, "walls"), "bad-argument"),
        (fort("a2", "castle"), "bad-argument"),
        (fort("a2", 2), "bad-argument"),
        (fort("a2", None), "bad-argument"),
        (fort("i1", "walls"), "not-owner"),
        (fort("i1", None), "not-owner"),
        (fort("x1", "walls"), "not-owner"),
        (ships("roma"), "unknown-province"),
        (ships("a2", 1), "bad-argument"),
        (ships("a2", None), "bad-argument"),
        (ships("a2", False), "bad-argument"),
        (ships("i3"), "not-owner"),
        (ships("i3", False), "not-owner"),
        (ships("i2"), "not-owner"),
        (ships("x1", False), "not-owner"),
        (ships("a1"), "not-maritime"),
        (ships("a1", False), "bad-argument"),
    ],
)
def test_refused_tools(raw, code):
    assert refused(raw) == code


def test_the_same_again_is_refused_last():
    assert refused(structures("shrines"), structures("shrines")) == "bad-argument"
    assert refused(assets(barracks=True), assets(barracks=True)) == "bad-argument"
    assert refused(fort("a2", "walls"), fort("a2", "walls")) == "bad-argument"
    assert refused(ships("a2"), ships("a2")) == "bad-argument"


def test_under_attack_after_the_coast_and_before_no_change():
    attack = land("amber", "a2", "b2")
    for raw in (fort("b2", "walls"), fort("b2", None), ships("b2"), ships("b2", False)):
        assert refused(attack, raw) == "province-under-attack"
    inland = [owner("i2", "birch"), adjust("cedar", "actions", 0.5)]
    assert (
        refused(inland[0], land("cedar", "c2", "i2"), ships("i2"), opens="cedar") == "not-maritime"
    )
    assert (
        played(
            attack, respond("birch", 1, "accept"), report(1, winner="draw"), fort("b2", "walls")
        )["b2.fortification"]
        == "walls"
    )
    assert played(attack, fort("a2", "walls"))["a2.fortification"] == "walls", (
        "a starting point is not under attack"
    )


def test_a_fallen_nation_has_no_sheet_to_correct():
    fall = adjust("amber", "stability", -6)
    for raw in (structures("shrines"), structures(), assets(barracks=True), assets(siege_trains=0)):
        assert refused(fall, raw) == "nation-fallen"
    assert refused(fall, structures("temples")) == "bad-argument", "the form comes first"
    assert refused(fall, fort("a2", "walls")) == "not-owner"
    assert refused(fall, ships("a2", False)) == "not-owner"


def test_records_without_the_additions_read_as_before():
    written = record()
    assert set(replay(copy.deepcopy(written))) == {
        "turn",
        "phase",
        "slot",
        "order",
        "nations",
        "provinces",
        "attacks",
        "truces",
        "standings",
    }

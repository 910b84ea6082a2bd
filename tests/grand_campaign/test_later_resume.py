"""RECORD, Later additions: campaigns taken over from elsewhere, sentence by sentence.

The map is the small one: amber a1 (capital) a2 a3, birch b1 b2, cedar c1 c2, independent i1 i2 i3,
external x1; by the sea are a2 a3 b2 c1 c2 i3.
"""

from __future__ import annotations

import copy

import pytest

from games.replay import replay
from tests.grand_campaign.table import (
    OPEN,
    START,
    Seen,
    both,
    end,
    gm,
    land,
    move,
    owner,
    record,
    report,
    sea,
)

LEVELS = {"stability": 6, "prestige": 6, "income": 450, "army": 1600, "victory_points": 0}
EMPTY = {
    "hand": [],
    "table": [],
    "structures": [],
    "barracks": False,
    "siege_trains": 0,
    "fallen": False,
}
GONE = {**LEVELS, "stability": 1, "fallen": True}
NO_CEDAR = {"c1": {"owner": None}, "c2": {"owner": "amber"}}
MISSING = object()


def resume(turn=2, sheets=None, provinces=None, **more):
    """Return a resume move; `sheets` are merged over plain levels, nation by nation."""
    nations = {
        key: {**LEVELS, **(sheets or {}).get(key, {})} for key in ("amber", "birch", "cedar")
    }
    raw = {
        "turn": turn,
        "first": "amber",
        "reason": "old thread",
        "nations": nations,
        "provinces": provinces or {},
        **more,
    }
    return gm("resume", **{key: value for key, value in raw.items() if value is not MISSING})


def taken(*moves, **setting):
    """Return a record that begins with these moves, without `start`."""
    written = record(*moves, **setting)
    written["moves"].pop(0)
    return written


def legal(*moves, **setting):
    state = both(taken(*moves, **setting))
    assert "error" not in state, state["error"]
    return Seen(state)


def error(*moves, **setting):
    written = taken(*moves, **setting)
    answer = both(written)
    assert "error" in answer, "nothing was refused"
    assert answer["error"]["move"] == len(written["moves"]) - 1, answer["error"]
    return answer["error"]["code"]


def test_afterwards_the_turn_has_closed():
    state = legal(resume())
    assert (state["turn"], state["phase"], state["slot"]) == (2, "closed", None)
    assert (state["attacks"], state["truces"], state["standings"]) == ([], [], None)
    assert state["amber"] == {**LEVELS, **EMPTY, "actions": 0}
    assert state["a2"] == {"owner": "amber", "fortification": None, "fleet": False}
    assert set(state.state) == {
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


@pytest.mark.parametrize(
    ("turn", "first", "order"),
    [
        (1, "amber", "abc"),
        (1, "cedar", "cab"),
        (2, "amber", "bca"),
        (3, "amber", "cab"),
        (4, "birch", "bca"),
        (5, "cedar", "abc"),
    ],
)
def test_the_order_is_that_of_the_turn(turn, first, order):
    names = {"a": "amber", "b": "birch", "c": "cedar"}
    assert legal(resume(turn, first=first))["order"] == [names[letter] for letter in order]
    after = legal(resume(turn, first=first), OPEN)
    assert (after["turn"], after["order"]) == (
        turn + 1,
        [names[letter] for letter in order[1:] + order[:1]],
    )
    assert after["slot"] == names[order[1]]


def test_the_fallen_are_not_in_the_order_and_may_have_opened():
    state = legal(resume(1, {"cedar": GONE}, NO_CEDAR, first="cedar", appointed="cedar"))
    assert state["order"] == ["amber", "birch"]
    assert legal(resume(1, {"cedar": GONE}, NO_CEDAR, first="cedar"), OPEN)["order"] == [
        "amber",
        "birch",
    ]
    assert state["cedar"] == {**GONE, **EMPTY, "fallen": True, "actions": 0}


def test_the_turn_after_opens_as_always():
    """Cards, events and the allowance follow as usual; no die was thrown before."""
    written = taken(resume(3, {"amber": {"income": 750}}), OPEN)
    written["dice"] = {
        "fixed": {k: v for k, v in written["dice"]["fixed"].items() if k.startswith("turn-4/")}
    }
    state = Seen(replay(written))
    assert (state["turn"], state["amber.hand"], state["slot"], state["amber.actions"]) == (
        4,
        ["scouts"],
        "amber",
        4,
    )
    assert "error" not in replay({**written, "dice": {}, "moves": written["moves"][:1]})


def test_the_last_turn_may_open_after_it():
    assert legal(resume(5), OPEN, end("cedar", "amber", "birch"))["phase"] == "finished"


def test_given_values_are_kept():
    sheet = {
        "stability": 9,
        "prestige": 0,
        "income": 0,
        "army": 1333,
        "victory_points": -7,
        "hand": ["spy", "ambush", "spy"],
        "table": ["traitor", "assassin"],
        "structures": ["shrines", "gymnasia", "temples", "bridges"],
        "barracks": True,
        "siege_trains": 3,
    }
    given = {
        "a2": {"owner": "amber", "fortification": "walls", "fleet": True},
        "i1": {"owner": "birch", "fortification": "great-walls"},
    }
    state = legal(resume(2, {"amber": sheet}, given))
    sorted_cards = {"hand": ["ambush", "spy", "spy"], "table": ["assassin", "traitor"]}
    assert state["amber"] == {**sheet, **sorted_cards, "actions": 0, "fallen": False}
    assert state["a2"] == {"owner": "amber", "fortification": "walls", "fleet": True}
    assert state["i1"] == {"owner": "birch", "fortification": "great-walls", "fleet": False}


def test_no_threshold_fires():
    state = legal(resume(2, {"amber": {"stability": 2, "prestige": 1, "income": 0}}))
    assert state.levels("amber") == (2, 1, 0, 1600, 0)


def test_omitted_keys_have_the_documented_value_whatever_the_scenario_says():
    start = {
        "structures": ["shrines"],
        "hand": ["spy"],
        "barracks": True,
        "siege_trains": 2,
        "income": 900,
    }
    base = record()["scenario"]
    nations = [
        {**nation, "start": start} if nation["key"] == "amber" else nation
        for nation in base["nations"]
    ]
    walls = {"fortification": "walls", "fleet": True}
    provinces = [
        {**province, **walls} if province["key"] in ("a2", "a3") else province
        for province in base["provinces"]
    ]
    state = legal(
        resume(2, provinces={"a3": {"owner": "amber"}}), nations=nations, provinces=provinces
    )
    assert state["amber"] == {**LEVELS, **EMPTY, "actions": 0}
    assert state["a3"] == {"owner": "amber", "fortification": None, "fleet": False}
    assert state["a2"] == {"owner": "amber", **walls}, "one not named is as the scenario has it"


def test_structures_score_nothing_and_cost_nothing():
    state = legal(
        resume(
            2, {"amber": {"structures": ["shrines", "temples", "sanctuaries"], "barracks": True}}
        )
    )
    assert state.levels("amber") == (6, 6, 450, 1600, 0)


def test_a_fleet_carries_attacks_in_the_turn_that_opens():
    given = {"a3": {"owner": "amber", "fleet": True}}
    assert (
        legal(resume(3, provinces=given), OPEN, sea("amber", "a3", "i3"))["1.status"] == "fighting"
    )


def test_7_6_what_was_attacked_is_not_attacked_again():
    targets = {"amber": ["b2"], "birch": ["a2", "i2"], "cedar": []}
    moves = [resume(3, targets=targets), OPEN]
    assert error(moves, land("amber", "a2", "b2")) == "repeat-attack"
    assert legal(moves, land("amber", "a2", "i1"))["1.target"] == "i1"
    later = [resume(2, targets=targets), OPEN, end("cedar", "amber", "birch"), OPEN]
    assert legal(later, land("amber", "a2", "b2"))["1.target"] == "b2", "a turn later it may be"


def test_7_9_the_leader_after_the_one_appointed_last():
    attack = land("amber", "a2", "i1")
    assert legal(resume(3), OPEN, attack)["1.leader"] == "birch"
    assert legal(resume(3, appointed="birch"), OPEN, attack)["1.leader"] == "cedar"
    assert legal(resume(3, appointed="cedar"), OPEN, attack)["1.leader"] == "birch"


def test_truces_hold_in_their_order():
    truces = [
        {"nations": ["cedar", "birch"], "until": 3},
        {"nations": ["amber", "birch"], "until": 4},
    ]
    state = legal(resume(3, truces=truces))
    listed = [
        {"nations": ["birch", "cedar"], "until": 3},
        {"nations": ["amber", "birch"], "until": 4},
    ]
    assert state["truces"] == listed, "one to the end of turn N accepted until the next opens"
    assert legal(resume(3, truces=truces), OPEN)["truces"] == listed[1:]
    assert error(resume(3, truces=truces), OPEN, land("amber", "a2", "b2")) == "truce"


def test_battles_after_it_are_as_always():
    state = legal(resume(3), OPEN, land("amber", "a2", "b2"), report(1, winner="attacker"))
    assert state["b2.owner"] == "amber"
    assert state.levels("amber") == (7, 7, 500, 1630, 3)


def test_it_takes_the_place_of_start():
    assert error(resume(), START) == "wrong-phase"
    assert error(resume(), resume()) == "wrong-phase"
    assert error(START, resume()) == "wrong-phase"
    assert error(resume(), OPEN, resume()) == "wrong-phase"
    assert legal(gm("amend", rules={"siege_train": 30}, reason="r"), resume())["turn"] == 2


def test_who_may_make_it():
    assert error({**resume(), "by": "amber"}) == "not-allowed"
    assert error({**resume(), "by": "amber", "for": "birch"}) == "not-allowed"
    assert error({**resume(), "for": "amber"}) == "bad-argument"
    assert error({**resume(), "by": "romans"}) == "unknown-nation"


def without(key):
    return resume(**{key: MISSING})


def sheet(**changes):
    return resume(2, {"amber": changes})


def levels_without(key):
    raw = resume()
    del raw["nations"]["amber"][key]
    return raw


def nations(**changes):
    raw = copy.deepcopy(resume())
    raw["nations"].update(changes)
    return {
        **raw,
        "nations": {key: value for key, value in raw["nations"].items() if value is not MISSING},
    }


def truce(*named, until=2, **more):
    return resume(truces=[{"nations": list(named), "until": until, **more}])


def province(key="a2", **given):
    return resume(provinces={key: given})


TURNED = (("amber", "birch"), ("birch", "amber"))
BAD = {
    # form
    "another key": {**resume(), "weather": "fine"},
    **{
        f"without {key}": without(key)
        for key in ("turn", "first", "reason", "nations", "provinces")
    },
    # turn
    **{f"turn {turn!r}": resume(turn) for turn in (0, -1, 6, 7, 10**12, 1.0, 1.5, "2", None, True)},
    # first, appointed, reason
    "first null": resume(first=None),
    "first a number": resume(first=1),
    "appointed null": resume(appointed=None),
    "appointed a list": resume(appointed=["amber"]),
    "empty reason": resume(reason=""),
    "reason null": resume(reason=None),
    "reason no text": resume(reason=["old"]),
    # nations
    "nations null": resume(nations=None),
    "nations a list": resume(nations=[LEVELS]),
    "a nation left out": nations(cedar=MISSING),
    "no nation": resume(nations={}),
    "a sheet null": nations(cedar=None),
    "a sheet a list": nations(cedar=[]),
    **{f"without {level}": levels_without(level) for level in LEVELS},
    **{
        f"{level} below 0": sheet(**{level: -1})
        for level in ("stability", "prestige", "income", "army")
    },
    **{f"{level} of 10^9": sheet(**{level: 10**9}) for level in LEVELS},
    **{f"{level} a fraction": sheet(**{level: 3.5}) for level in LEVELS},
    **{f"{level} null": sheet(**{level: None}) for level in LEVELS},
    **{f"{level} a text": sheet(**{level: "6"}) for level in LEVELS},
    **{f"{level} true": sheet(**{level: True}) for level in LEVELS},
    "minus 10^9": sheet(victory_points=-(10**9)),
    "stability 1": sheet(stability=1),
    "stability 0": sheet(stability=0),
    "actions": sheet(actions=2),
    "keep": sheet(keep=True),
    "another key of a sheet": sheet(cards=[]),
    "hand null": sheet(hand=None),
    "hand a text": sheet(hand="spy"),
    "an unknown card": sheet(hand=["spies"]),
    "a card null": sheet(hand=[None]),
    "an unknown card on the table": sheet(table=["joker"]),
    "table null": sheet(table=None),
    "structures null": sheet(structures=None),
    "structures a text": sheet(structures="shrines"),
    "an unknown structure": sheet(structures=["castle"]),
    "a structure a number": sheet(structures=[1]),
    "not the first one": sheet(structures=["temples"]),
    "not in order": sheet(structures=["temples", "shrines"]),
    "one left out": sheet(structures=["shrines", "sanctuaries"]),
    "given twice": sheet(structures=["shrines", "shrines"]),
    "of the other culture": sheet(structures=["hamlets"]),
    "a fortification": sheet(structures=["ramparts"]),
    "barracks null": sheet(barracks=None),
    "barracks a number": sheet(barracks=1),
    "trains below 0": sheet(siege_trains=-1),
    "trains of 10^9": sheet(siege_trains=10**9),
    "trains a fraction": sheet(siege_trains=0.5),
    "trains true": sheet(siege_trains=True),
    "trains null": sheet(siege_trains=None),
    "fallen null": sheet(fallen=None),
    "fallen a number": sheet(fallen=1),
    "fallen with provinces": sheet(fallen=True),
    "fallen with a hand": resume(2, {"cedar": {**GONE, "hand": ["spy"]}}, NO_CEDAR),
    "fallen with a table": resume(2, {"cedar": {**GONE, "table": ["spy"]}}, NO_CEDAR),
    "fallen below 0": resume(2, {"cedar": {**GONE, "prestige": -1}}, NO_CEDAR),
    "fallen with one province": resume(2, {"cedar": GONE}, {"c1": {"owner": None}}),
    "fallen with one given": resume(2, {"cedar": GONE}, {**NO_CEDAR, "i1": {"owner": "cedar"}}),
    "standing without province": resume(2, {}, NO_CEDAR),
    # provinces
    "provinces null": resume(provinces=MISSING) | {"provinces": None},
    "provinces a list": resume() | {"provinces": ["a2"]},
    "a province null": resume() | {"provinces": {"a2": None}},
    "a province's owner alone": resume() | {"provinces": {"a2": "amber"}},
    "without owner": province(fortification="walls"),
    "owner a number": province(owner=1),
    "another key of a province": province(owner="amber", kind="nation"),
    "an unknown fortification": province(owner="amber", fortification="castle"),
    "fortification a level": province(owner="amber", fortification=2),
    "fortification false": province(owner="amber", fortification=False),
    "fleet null": province(owner="amber", fleet=None),
    "fleet a number": province(owner="amber", fleet=1),
    "a fleet inland": province("a1", owner="amber", fleet=True),
    "a fleet of nobody": province("i3", owner=None, fleet=True),
    "walls of nobody": province("i3", owner=None, fortification="walls"),
    "an external province": province("x1", owner="amber"),
    "an external province as it is": province("x1", owner=None),
    # truces
    "truces null": resume(truces=None),
    "truces an object": resume(truces={}),
    "a truce null": resume(truces=[None]),
    "a truce of one": truce("amber"),
    "a truce of three": truce("amber", "birch", "cedar"),
    "a truce with itself": truce("amber", "amber"),
    "a truce of a number": truce("amber", 1),
    "a truce that is over": truce("amber", "birch", until=1),
    "a truce of turn 0": truce("amber", "birch", until=0),
    "until 10^9": truce("amber", "birch", until=10**9),
    "until a fraction": truce("amber", "birch", until=2.5),
    "until null": truce("amber", "birch", until=None),
    "another key of a truce": truce("amber", "birch", since=1),
    "without until": resume(truces=[{"nations": ["amber", "birch"]}]),
    "without nations": resume(truces=[{"until": 2}]),
    "nations a text": resume(truces=[{"nations": "ab", "until": 2}]),
    "a pair twice": resume(truces=[{"nations": ["amber", "birch"], "until": n} for n in (2, 3)]),
    "a pair twice, turned round": resume(
        truces=[{"nations": [a, b], "until": 2} for a, b in TURNED]
    ),
    # targets
    "targets null": resume(targets=None),
    "targets a list": resume(targets=["a2"]),
    "a nation's targets null": resume(targets={"amber": None}),
    "a nation's targets a text": resume(targets={"amber": "b2"}),
    "a target a number": resume(targets={"amber": [2]}),
    "an external target": resume(targets={"amber": ["x1"]}),
    "a target twice": resume(targets={"amber": ["b2", "i1", "b2"]}),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_argument(name):
    assert error(BAD[name]) == "bad-argument"


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (resume(first="romans"), "unknown-nation"),
        (resume(appointed="romans"), "unknown-nation"),
        (resume(first="gm"), "unknown-nation"),
        (nations(romans=LEVELS), "unknown-nation"),
        (province(owner="romans"), "unknown-nation"),
        (truce("amber", "romans"), "unknown-nation"),
        (resume(targets={"romans": ["b2"]}), "unknown-nation"),
        (province("roma", owner="amber"), "unknown-province"),
        (resume(targets={"amber": ["roma"]}), "unknown-province"),
    ],
)
def test_unknown_names(raw, code):
    assert error(raw) == code


@pytest.mark.parametrize(
    "raw",
    [
        resume(1),
        resume(5),
        sheet(stability=2),
        sheet(income=999_999_999),
        sheet(victory_points=-999_999_999),
        sheet(structures=["bridges", "shrines", "roads", "gymnasia"]),
        sheet(hand=["spy"] * 30),
        sheet(siege_trains=999_999_999),
        resume(
            2,
            {
                "cedar": {
                    **GONE,
                    "stability": 0,
                    "structures": ["shrines"],
                    "barracks": True,
                    "siege_trains": 2,
                }
            },
            NO_CEDAR,
        ),
        resume(2, {"cedar": {**GONE, "hand": [], "table": []}}, NO_CEDAR),
        sheet(fallen=False),
        province("c1", owner="cedar", fleet=True),
        province("i3", owner=None, fleet=False, fortification=None),
        province("i3", owner="cedar", fleet=True, fortification="ramparts"),
        province("a1", owner="amber", fortification="great-walls"),
        truce("amber", "birch", until=999_999_999),
        resume(truces=[], targets={}),
        resume(targets={"amber": [], "cedar": ["c1"]}),
        resume(reason=" "),
        resume(2, {}, {"a1": {"owner": "birch"}, "b1": {"owner": "amber"}}),
    ],
)
def test_what_is_allowed(raw):
    assert legal(raw)["phase"] == "closed"


def test_the_form_is_judged_before_the_phase():
    assert error(START, resume(turn=9)) == "bad-argument"
    assert error(START, {**resume(turn=9), "by": "amber"}) == "bad-argument"
    assert error(START, {**resume(), "by": "amber"}) == "wrong-phase"


def test_a_scenario_of_one_turn_is_not_taken_over():
    assert error(resume(1), turns=1) == "bad-argument"


def test_rules_in_force_judge_it():
    amend = gm(
        "amend",
        rules={"religious": [["grove", 1, 1, 0]], "fortifications": [["fence", 1, 10]]},
        reason="r",
    )
    given = {"a2": {"owner": "amber", "fortification": "fence"}}
    assert (
        legal(amend, resume(2, {"amber": {"structures": ["grove"]}}, given))["a2.fortification"]
        == "fence"
    )
    assert error(amend, sheet(structures=["shrines"])) == "bad-argument"
    assert error(amend, province(owner="amber", fortification="ramparts")) == "bad-argument"


def test_tools_work_after_it():
    assert legal(
        resume(),
        owner("i1", "cedar"),
        move("gm", "give-card", nation="amber", card="spy", reason="r"),
    )["amber.hand"] == ["spy"]

"""RECORD: the document, the options, the form of moves, the game master's tools, the state."""

import json

import pytest

from games.replay import replay
from tests.grand_campaign.table import (
    OPEN,
    START,
    actions,
    adjust,
    build,
    covert,
    discard,
    end,
    fleet,
    for_,
    fortify,
    give,
    land,
    malformed,
    move,
    offer,
    owner,
    play,
    played,
    record,
    refused,
    report,
    respond,
    slots,
    whole,
)

CHALLENGE = land("amber", "a2", "b2")
TOOLS = [
    adjust("birch", "income", 5),
    owner("b2", "amber"),
    *give("birch", "spy"),
    *discard("birch", "scouts"),
]


def changed(**parts):
    return {**record(), **parts}


def without(part):
    return {key: value for key, value in record().items() if key != part}


@pytest.mark.parametrize("part", ["format", "scenario", "dice", "moves"])
def test_the_parts_are_needed(part):
    if part == "dice":
        answer = replay(without(part))
        assert answer["error"]["code"] in ("malformed-record", "no-dice")
    else:
        assert malformed(without(part))


def test_options_and_fixed_may_be_missing():
    assert replay(without("options"))["turn"] == 1
    assert replay(changed(dice={"seed": "case"}))["turn"] == 1
    assert replay(changed(options={}))["turn"] == 1
    assert replay(changed(options={"external_attacks": False}))["turn"] == 1
    assert replay(changed(options={"diplomat": "bordering", "attack_limit": "turn"}))["turn"] == 1
    assert replay(changed(options={"diplomat": "anywhere", "attack_limit": "running"}))["turn"] == 1


@pytest.mark.parametrize(
    "parts",
    [
        {"format": "grand-campaign/2"},
        {"format": "grand-campaign"},
        {"format": 1},
        {"format": None},
        {"format": "tetrarchia/9"},
        {"scenario": "421ad"},
        {"scenario": ""},
        {"scenario": "../420ad"},
        {"scenario": None},
        {"scenario": 420},
        {"scenario": []},
        {"options": {"hands": "closed"}},
        {"options": {"hands": True}},
        {"options": {"hands": None}},
        {"options": {"external_attacks": 1}},
        {"options": {"external_attacks": "true"}},
        {"options": {"diplomat": "everywhere"}},
        {"options": {"diplomat": None}},
        {"options": {"diplomat": True}},
        {"options": {"diplomat": ["bordering"]}},
        {"options": {"attack_limit": "slot"}},
        {"options": {"attack_limit": None}},
        {"options": {"attack_limit": 1}},
        {"options": {"attack_limit": {}}},
        {"options": {"hands": "open", "speed": "fast"}},
        {"options": []},
        {"options": None},
        {"dice": []},
        {"dice": None},
        {"dice": {"seed": 5}},
        {"dice": {"seed": "a", "phrases": {}}},
        {"dice": {"seed": "a", "fixed": []}},
        {"dice": {"seed": "a", "sides": 6}},
        {"moves": {}},
        {"moves": None},
        {"moves": "start"},
        {"comment": "no such part"},
    ],
)
def test_malformed_documents(parts):
    assert malformed(changed(**parts))
    assert replay(changed(**parts), 0)["error"]["code"] == "malformed-record"


@pytest.mark.parametrize("document", [None, 5, [], "", "{", "[]", "5", '"text"', b"", {}, "null"])
def test_what_is_no_record(document):
    assert malformed(document)


def test_a_dict_a_text_and_bytes_are_alike():
    written = record(build("amber", "shrines"))
    text = json.dumps(written)
    assert replay(written) == replay(text) == replay(text.encode())


def test_replay_leaves_the_record_as_it_was():
    written = record(build("amber", "shrines"), CHALLENGE)
    before = json.dumps(written)
    replay(written)
    assert json.dumps(written) == before


def test_the_state_is_json():
    state = replay(record(adjust("amber", "actions", -0.5), CHALLENGE))
    assert json.loads(json.dumps(state)) == state


def test_upto_plays_the_first_moves_only():
    written = record(build("amber", "shrines"), build("amber", "shrines"))
    assert replay(written, 0)["phase"] == "setup"
    assert replay(written, upto=1)["nations"]["amber"]["stability"] == 6
    assert replay(written, 2)["nations"]["amber"]["stability"] == 7
    assert replay(written, 3)["error"] == {
        **replay(written, 3)["error"],
        "move": 2,
        "code": "already-built",
    }
    assert replay(written, 99) == replay(written)


@pytest.mark.parametrize(
    "bad",
    [
        None,
        5,
        "start",
        [],
        {},
        {"by": "gm"},
        {"move": "start"},
        {"by": 5, "move": "end-slot"},
        {"by": None, "move": "end-slot"},
        {"by": "amber", "move": 5},
        {"by": "amber", "move": None},
        {"by": [], "move": "end-slot"},
        {"by": "amber", "move": {}},
        {"by": "gm", "for": 5, "move": "end-slot"},
        {"by": "amber", "move": "end-slot", "note": "bye"},
        {"by": "amber", "move": "build", "struct": "shrines"},
        {"by": "amber", "move": "build"},
        {"by": "amber", "move": "build", "structure": "circus"},
        {"by": "amber", "move": "play", "card": "joker"},
        {"by": "amber", "move": "offer", "card": "joker"},
        {"by": "amber", "move": "attack", "kind": "land", "from": "a2"},
        {"by": "amber", "move": "attack", "kind": "land", "from": "a2", "target": 5},
        {"by": "gm", "move": "give-card", "nation": "amber", "card": "joker", "reason": "x"},
    ],
)
def test_ill_formed_moves_are_bad_arguments(bad):
    error = replay(changed(moves=[START, bad]))["error"]
    assert (error["move"], error["code"]) == (1, "bad-argument")


def test_unknown_moves_and_nations():
    assert refused(move("amber", "surrender")) == "unknown-move"
    assert refused(gm_move("surrender")) == "unknown-move"
    assert refused(move("egypt", "end-slot")) == "unknown-nation"
    assert refused(for_("egypt", "end-slot")) == "unknown-nation"
    assert refused(adjust("egypt", "income", 5)) == "unknown-nation"


def gm_move(name, **arguments):
    return move("gm", name, **arguments)


def test_the_game_master_moves_for_nations_by_for_only():
    assert refused(gm_move("end-slot")) == "bad-argument"
    assert refused(gm_move("build", structure="shrines")) == "bad-argument"
    assert refused({**gm_move("adjust", **ADJUSTED), "for": "amber"}) == "bad-argument"
    assert refused({**OPEN, "for": "amber"}) == "bad-argument"
    assert played(for_("amber", "end-slot"))["slot"] == "birch"


ADJUSTED = {"nation": "amber", "account": "income", "change": 5, "reason": "test"}


def test_a_nation_makes_no_move_of_the_game_master_and_names_no_for():
    assert refused(move("amber", "adjust", **ADJUSTED)) == "not-allowed"
    assert refused(whole(1)[:-1], move("amber", "open-turn")) == "not-allowed"
    assert refused({"by": "amber", "for": "amber", "move": "end-slot"}) == "not-allowed"
    assert refused({"by": "amber", "for": "birch", "move": "end-slot"}) == "not-allowed"


@pytest.mark.parametrize(
    "change",
    [
        {"account": "gold"},
        {"account": 5},
        {"change": 0},
        {"change": 1.5},
        {"change": 1.0},
        {"change": True},
        {"change": "5"},
        {"change": None},
        {"change": 10**9},
        {"change": -(10**9)},
        {"reason": ""},
        {"reason": 5},
        {"reason": None},
        {"nation": 5},
        {"account": "actions", "change": 0.25},
        {"account": "actions", "change": 0},
    ],
)
def test_adjust_is_checked(change):
    assert refused(gm_move("adjust", **{**ADJUSTED, **change})) == "bad-argument"


def test_adjust_reaches_the_six_accounts():
    moves = [adjust("amber", name, 7) for name in ("stability", "prestige", "income", "army")]
    moves += [adjust("amber", "victory_points", 7), actions("amber", 0.5), actions("amber", 1)]
    state = played(moves)
    assert state.levels("amber") == (13, 13, 457, 1607, 7)
    assert state["amber.actions"] == 4
    big = 10**9 - 1
    assert played(adjust("amber", "income", big))["amber.income"] == 450 + big


def test_adjust_stops_at_0_but_for_victory_points():
    fall = [adjust("amber", name, -5000) for name in ("prestige", "income", "army")]
    state = played(fall, adjust("amber", "victory_points", -7), actions("amber", -9))
    assert state.levels("amber")[1:] == (0, 0, 0, -7)
    assert state["amber.actions"] == 0


def test_the_tools_work_in_slots_battles_and_closed():
    for moves in ([], [CHALLENGE, slots(1)], [slots(1)]):
        for tool in TOOLS:
            if moves and moves[0] is CHALLENGE and tool["move"] == "set-owner":
                tool = owner("a3", "birch")
            assert played(moves, tool)["turn"] == 1


@pytest.mark.parametrize("tool", TOOLS)
def test_the_tools_do_not_work_before_the_start_and_after_the_end(tool):
    early = {**record(), "moves": [tool]}
    assert replay(early)["error"]["code"] == "wrong-phase"
    assert refused(slots(1), tool, turns=1) == "wrong-phase"


def test_the_tools_do_not_reach_the_fallen():
    fallen = adjust("birch", "stability", -9)
    assert refused(fallen, adjust("birch", "income", 5)) == "nation-fallen"
    assert refused(fallen, give("birch", "spy")) == "nation-fallen"
    assert refused(fallen, discard("birch", "spy")) == "nation-fallen"
    assert refused(fallen, owner("b2", "birch")) == "nation-fallen"
    assert played(fallen, adjust("birch", "victory_points", 5))["birch.victory_points"] == 5


def test_set_owner():
    state = played(fortify("amber", "a3"), fleet("amber", "a3"), owner("a3", "cedar"))
    assert state["a3.owner"] == "cedar"
    assert (state["a3.fortification"], state["a3.fleet"]) == (None, False)
    assert state.levels("amber") == state.levels("cedar") == (6, 6, 450, 1600, 0)
    assert refused(CHALLENGE, owner("b2", "cedar")) == "province-under-attack"
    assert refused(owner("nowhere", "cedar")) == "unknown-province"
    assert refused(owner("a3", "egypt")) == "unknown-nation"
    assert refused(gm_move("set-owner", province="a3", reason="test")) == "bad-argument"


def test_discard_card_takes_from_the_hand_else_from_the_table():
    moves = [give("amber", "spy", "spy"), offer("amber", "spy")]
    state = played(moves, discard("amber", "spy"))
    assert (state["amber.hand"], state["amber.table"]) == (["scouts"], ["spy"])
    state = played(moves, discard("amber", "spy", "spy"))
    assert (state["amber.hand"], state["amber.table"]) == (["scouts"], [])
    assert refused(moves, discard("amber", "spy", "spy", "spy")) == "no-such-card"


def test_reports_and_answers_are_checked():
    for result in (
        {},
        {"winner": "birch"},
        {"winner": None},
        {"winner": "attacker", "called_off": True},
        {"winner": "attacker", "routed": {"attacker": 1, "defender": 50}},
        {"routed": {"attacker": 1}},
        {"routed": {"attacker": 1, "defender": 101}},
        {"routed": {"attacker": 1, "defender": 100.1}},
        {"routed": {"attacker": -1, "defender": 50}},
        {"routed": {"attacker": -0.1, "defender": 50}},
        {"routed": {"attacker": True, "defender": 50}},
        {"routed": {"attacker": "1", "defender": 50}},
        {"routed": {"attacker": 1, "defender": 50, "leader": 1}},
        {"routed": [1, 50]},
        {"called_off": 1},
        {"naval": "nobody"},
    ):
        assert refused(CHALLENGE, report(1, **result)) == "bad-argument", result
    for number in ("1", 1.0, True, None, [1]):
        assert refused(CHALLENGE, report(number, winner="draw")) == "bad-argument"
        assert refused(CHALLENGE, respond("birch", number, "accept")) == "bad-argument"
    for number in (0, 2, -1, 10**30):
        assert refused(CHALLENGE, report(number, winner="draw")) in (
            ("unknown-attack",) if number in (0, 2) else ("unknown-attack", "bad-argument")
        )


def test_booleans_and_lists_are_what_they_say():
    for value in (1, "true", None):
        assert refused({**CHALLENGE, "siege_train": value}) == "bad-argument"
        assert refused(move("amber", "keep", card="bodyguard", value=value)) == "bad-argument"
    for cards in ("scouts", {"scouts": 1}, None, [5], [None], [["scouts"]], ["joker"]):
        assert refused({**CHALLENGE, "cards": cards}) == "bad-argument"
        assert refused(CHALLENGE, respond("birch", 1, "accept", cards=cards)) == "bad-argument"


def test_the_state_before_the_start():
    state = replay({**record(), "moves": []})
    assert (state["turn"], state["phase"], state["slot"]) == (0, "setup", None)
    assert state["order"] == state["attacks"] == state["truces"] == []
    assert state["standings"] is None
    assert state["nations"]["amber"] == {
        **state["nations"]["amber"],
        "stability": 6,
        "prestige": 6,
        "income": 450,
        "army": 1600,
        "victory_points": 0,
        "actions": 0,
        "hand": [],
        "table": [],
        "structures": [],
        "barracks": False,
        "siege_trains": 0,
        "fallen": False,
    }


def test_lists_of_cards_are_sorted():
    moves = [give("amber", "traitor", "spy", "ambush", "spy")]
    moves += [offer("amber", "traitor"), offer("amber", "ambush")]
    state = played(moves)
    assert state["amber.hand"] == ["scouts", "spy", "spy"]
    assert state["amber.table"] == ["ambush", "traitor"]


def test_attacks_are_numbered_over_the_whole_campaign():
    rising = [*give("amber", "local-insurrection")]
    rising += [play("amber", "local-insurrection", province="b2")]
    moves = [rising, covert("amber", "i2", "c2"), slots(1)]
    moves += [report(1, winner="draw"), report(2, winner="draw"), OPEN, land("birch", "b2", "i1")]
    state = played(moves)
    assert [attack["id"] for attack in state["attacks"]] == [1, 2, 3]
    assert [attack["kind"] for attack in state["attacks"]] == [
        "insurrection",
        "independent",
        "land",
    ]
    assert "siege" not in state["1"]


def test_the_start_is_played_once_by_the_game_master():
    assert refused(START) == "wrong-phase"
    written = {**record(), "moves": [{"by": "amber", "move": "start"}]}
    assert replay(written)["error"]["code"] == "not-allowed"


def test_at_most_50000_moves():
    written = record()
    written["moves"] = [START, *end("amber"), *[OPEN] * 49_999]
    assert malformed(written)
    written["moves"].pop()
    assert replay(written)["error"]["move"] == 2

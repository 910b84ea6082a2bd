"""RECORD: the dice. The tests compute the formula again, from its description alone."""

import hashlib
import hmac

import pytest

from games.replay import replay
from tests.grand_campaign.table import (
    MINI,
    OPEN,
    START,
    adjust,
    end,
    fortify,
    land,
    malformed,
    move,
    owner,
    played,
    record,
    refused,
    report,
    scenario,
    slots,
)


def sha(text):
    return hashlib.sha256(text.encode()).hexdigest()


def chain(seed, turns=6):
    links = [sha(seed)]
    for _ in range(turns):
        links.insert(0, sha(links[0]))
    return links


def value(link, purpose, sides):
    attempt = 0
    while True:
        message = f"{purpose}#{attempt}".encode()
        x = int.from_bytes(hmac.new(link.encode(), message, hashlib.sha256).digest()[:8], "big")
        if x < 2**64 - 2**64 % sides:
            return x % sides + 1
        attempt += 1


ANY_TEXT = chain("any text")


def seeded(*moves, on="_six", fixed=None, **dice):
    return {
        "format": "grand-campaign/1",
        "scenario": scenario(on),
        "dice": {"seed": "any text", **({"fixed": fixed} if fixed else {}), **dice},
        "moves": [START, *moves],
    }


def test_the_worked_values():
    assert ANY_TEXT[6].startswith("06c83efcd22e3b75")
    assert ANY_TEXT[0].startswith("e20144ce170a8a82")
    assert sha(ANY_TEXT[0]).startswith("beb4ec0d6bf06072")
    assert value(ANY_TEXT[0], "start", 6) == 6
    assert value(ANY_TEXT[1], "turn-1/card/romans", 100) == 59
    assert value(ANY_TEXT[2], "turn-2/event/huns", 100) == 53
    assert value(ANY_TEXT[6], "turn-6/attack/huns/pannonia/siege", 100) == 48


@pytest.mark.parametrize("where", ["_six", None])
def test_the_worked_values_in_play(where):
    """Start 6: vandals; 59: Naval Technology; also in the shipped scenario."""
    written = seeded()
    if where is None:
        written["scenario"] = "420ad"
    state = replay(written)
    assert state["order"][0] == "vandals"
    assert state["nations"]["romans"]["hand"] == ["naval-technology"]


def test_the_worked_event_in_play():
    """turn-2/event/huns 53: food distributions."""
    events = {f"turn-2/event/{nation}": 45 for nation in ("hephtalites", "kushans", "romans")}
    six = ("vandals", "hephtalites", "huns", "kushans", "romans", "sassanids")
    state = replay(seeded(*end(*six), OPEN, fixed=events))
    assert state["nations"]["huns"]["stability"] == 7


def test_the_worked_siege_in_play():
    """48 fails before walls and succeeds before ramparts."""
    fixed = {f"turn-{turn}/event/{nation}": 45 for turn in (2, 4, 6) for nation in SIX}
    moves = [list(end(*SIX[turn:], *SIX[:turn])) for turn in range(6)]
    until_6 = [item for turn in moves[:5] for item in [*turn, OPEN]]
    for levels, held in ((2, True), (1, False)):
        fixed["start"] = 1
        slots_6 = end("vandals", "hephtalites")
        built = [move("gm", "adjust", **FREE), *fortified(levels)]
        written = seeded(*built_first(until_6, built), *slots_6, fixed=fixed)
        written["moves"] += [land("huns", "hunnia", "pannonia"), report(1, winner="attacker")]
        state = replay(written)
        assert "error" not in state, state
        assert state["provinces"]["pannonia"]["owner"] == ("romans" if held else "huns")


SIX = ("hephtalites", "huns", "kushans", "romans", "sassanids", "vandals")
FREE = {"nation": "romans", "account": "actions", "change": 3, "reason": "test"}


def fortified(levels):
    return fortify("romans", *["pannonia"] * levels)


def built_first(moves, built):
    """Return the moves with what the Romans build in their slot of turn 1, the fourth."""
    return [*moves[:3], *built, *moves[3:]]


@pytest.mark.parametrize("seed", ["", "Ravenna", "ä € 𝄞", "x" * 5000, "1", " \n"])
def test_any_text_is_a_seed(seed):
    links = chain(seed)
    written = record()
    written["dice"] = {"seed": seed}
    state = replay(written)
    opener = value(links[0], "start", 3)
    assert state["order"][0] == MINI[opener - 1]
    for nation in MINI:
        roll = value(links[1], f"turn-1/card/{nation}", 100)
        assert state["nations"][nation]["hand"] == [card(roll)]


def card(roll):
    bands = {
        10: "local-insurrection",
        20: "spy",
        30: "chancellor",
        40: "diplomat",
        45: "traitor",
        50: "assassin",
        55: "bodyguard",
        60: "naval-technology",
        65: "ambush",
        75: "reinforcements",
        90: "mercenaries",
        100: "scouts",
    }
    return next(name for top, name in bands.items() if roll <= top)


def test_the_number_of_turns_is_the_length_of_the_chain():
    written = record(turns=9)
    written["dice"] = {"seed": "any text"}
    opener = value(chain("any text", 9)[0], "start", 3)
    assert replay(written)["order"][0] == MINI[opener - 1]


def test_a_large_die_and_its_tables():
    """Half of the die gives Spies, the other half Scouts."""
    rules = {"die": 1_000_000, "cards": [[1, 500_000, "spy"], [500_001, 1_000_000, "scouts"]]}
    rules["events"] = [[1, 1_000_000, "famine"]]
    result = scenario(rules=rules)
    written = {**record(), "scenario": result, "dice": {"seed": "any text"}}
    state = replay(written)
    for nation in MINI:
        roll = value(ANY_TEXT[1], f"turn-1/card/{nation}", 1_000_000)
        expected = "spy" if roll <= 500_000 else "scouts"
        assert state["nations"][nation]["hand"] == [expected]


def test_neither_order_nor_undo_changes_a_roll():
    quiet = record(slots(1), OPEN)
    busy = record(land("amber", "a2", "i1"), report(1, winner="draw"), slots(1), OPEN)
    for written in (quiet, busy):
        written["dice"] = {"seed": "s", "fixed": {"start": 1}}
    hands = [[replay(w)["nations"][nation]["hand"] for nation in MINI] for w in (quiet, busy)]
    assert hands[0] == hands[1]


def test_fixed_overrides_single_purposes():
    written = record()
    free = {**written, "dice": {"seed": "s", "fixed": {"start": 2}}}
    state = replay(free)
    assert state["order"][0] == "birch"
    links = chain("s")
    for nation in MINI:
        roll = value(links[1], f"turn-1/card/{nation}", 100)
        assert state["nations"][nation]["hand"] == [card(roll)]


@pytest.mark.parametrize(
    ("purpose", "wrong"),
    [
        ("start", 0),
        ("start", 4),
        ("start", 1.0),
        ("start", "1"),
        ("start", True),
        ("start", None),
        ("turn-1/card/amber", 0),
        ("turn-1/card/amber", 101),
        ("turn-1/card/amber", -5),
        ("turn-1/card/amber", 50.5),
        ("turn-1/card/amber", [50]),
        ("turn-2/event/amber", 101),
        ("turn-1/attack/amber/b2/escort", 7),
        ("turn-1/attack/amber/b2/escort", 0),
        ("turn-1/attack/amber/b2/siege", 101),
        ("turn-1/attack/amber/b2/naval/attacker", 101),
        ("turn-1/attack/amber/b2/naval/defender", 0),
        ("turn-7/card/amber", 5),
        ("turn-0/card/amber", 5),
        ("turn-01/card/amber", 5),
        ("turn--1/card/amber", 5),
        ("turn-1/card/egypt", 5),
        ("turn-1/card", 5),
        ("turn-1/card/amber/6", 5),
        ("turn-1/card/amber/02", 5),
        ("turn-1/card/amber/2/2", 5),
        ("turn-1/card/amber/2", 101),
        ("turn-2/event/amber/2", 5),
        ("turn-1/attack/amber/nowhere/siege", 5),
        ("turn-1/attack/egypt/b2/siege", 5),
        ("turn-1/attack/amber/b2/naval", 5),
        ("turn-1/attack/amber/b2", 5),
        ("turn-1/attack/1/escort", 5),
        ("Start", 1),
        ("start ", 1),
        ("", 1),
        ("start#0", 1),
        ("turn-1/spy/amber", 0),
        ("turn-1/spy/amber/1", 1),
        ("turn-1/spy/amber/02", 1),
        ("turn-1/spy/amber/2/2", 1),
        ("turn-1/weather/amber", 1),
    ],
)
def test_unknown_purposes_and_values_off_the_die(purpose, wrong):
    assert malformed(record(dice={purpose: wrong}))


def test_the_die_of_the_rules_bounds_fixed_values():
    rules = {"die": 20, "cards": [[1, 20, "spy"]], "events": [[1, 20, "riots"]]}
    written = {**record(), "scenario": scenario(rules=rules)}
    written["dice"] = {"fixed": {"start": 1, **{f"turn-1/card/{n}": 20 for n in MINI}}}
    assert replay(written)["nations"]["amber"]["hand"] == ["spy"]
    written["dice"]["fixed"]["turn-1/card/amber"] = 21
    assert malformed(written)
    written["dice"]["fixed"]["turn-1/card/amber"] = 20
    written["dice"]["fixed"]["turn-1/attack/amber/b2/escort"] = 6
    assert replay(written)["turn"] == 1


def linked(count, *moves, **dice):
    written = record(*moves)
    written["dice"] = {"links": ANY_TEXT[:count], **dice}
    return written


def test_published_links_replace_the_seed():
    written = record()
    written["dice"] = {"seed": "any text"}
    assert replay(linked(2)) == replay(written)


def test_a_roll_beyond_the_links_is_refused_at_its_move():
    moves = [end("amber", "birch", "cedar"), OPEN]
    fixed = {"start": 1}
    answer = replay(linked(2, moves, fixed=fixed))
    assert (answer["error"]["code"], answer["error"]["move"]) == ("no-dice", 4)
    assert replay(linked(3, moves, fixed=fixed))["turn"] == 2
    answer = replay(linked(1))
    assert (answer["error"]["code"], answer["error"]["move"]) == ("no-dice", 0)


def test_rolls_beyond_the_links_may_be_fixed():
    fixed = {"start": 1}
    for nation in MINI:
        fixed[f"turn-2/card/{nation}"] = 95
        fixed[f"turn-2/event/{nation}"] = 45
    moves = [end("amber", "birch", "cedar"), OPEN]
    assert replay(linked(2, moves, fixed=fixed))["turn"] == 2


def test_links_are_checked():
    wrong = [
        [ANY_TEXT[0], ANY_TEXT[2]],
        [ANY_TEXT[1], ANY_TEXT[0]],
        [ANY_TEXT[0], ANY_TEXT[1].upper()],
        [ANY_TEXT[0], ANY_TEXT[1][:-1]],
        [ANY_TEXT[0], "x"],
        [ANY_TEXT[0], 5],
        [5],
        [None],
        {"0": ANY_TEXT[0]},
        ANY_TEXT[0],
    ]
    for links in wrong:
        written = record()
        written["dice"] = {"fixed": written["dice"]["fixed"], "links": links}
        assert malformed(written), links


def test_without_seed_link_or_fixed_value():
    written = record()
    written["dice"] = {"fixed": {"start": 1}}
    answer = replay(written)
    assert (answer["error"]["code"], answer["error"]["move"]) == ("no-dice", 0)
    written["dice"] = {}
    assert replay(written)["error"]["code"] == "no-dice"


def test_no_dice_at_a_siege_leaves_nothing():
    fixed = record()["dice"]["fixed"]
    moves = [end("amber"), fortify("birch", "b2"), end("birch", "cedar"), OPEN, end("birch")]
    moves += [end("cedar"), land("amber", "a2", "b2"), report(1, winner="attacker")]
    written = {**record(moves), "dice": {"fixed": fixed}}
    error = replay(written)["error"]
    assert (error["code"], error["move"]) == ("no-dice", len(written["moves"]) - 1)
    assert replay(written, error["move"])["attacks"][0]["status"] == "challenged"


def test_a_siege_names_the_turn_of_launch_attacker_and_target():
    moves = [end("amber"), fortify("birch", "b2"), end("birch", "cedar"), OPEN]
    moves += [end("birch", "cedar"), land("amber", "a2", "b2"), report(1, winner="attacker")]
    dice = {"turn-1/attack/amber/b2/siege": 100, "turn-2/attack/birch/b2/siege": 100}
    state = played(moves, dice={**dice, "turn-2/attack/amber/b2/siege": 1})
    assert state["1.siege"] == "held"
    assert refused(moves, OPEN, dice={**dice, "turn-2/attack/amber/b2/siege": 1}) == "wrong-phase"


def test_an_insurrection_s_rolls_name_the_card_s_player():
    moves = [end("amber"), fortify("birch", "b2"), end("birch", "cedar"), OPEN]
    card_of_cedar = {"by": "gm", "move": "give-card", "nation": "cedar"}
    moves += [{**card_of_cedar, "card": "local-insurrection", "reason": "test"}, end("birch")]
    moves += [move("cedar", "play", card="local-insurrection", province="b2")]
    moves += [report(1, winner="attacker")]
    for roll, new in ((30, "birch"), (31, None)):
        state = played(moves, dice={"turn-2/attack/cedar/b2/siege": roll})
        assert state["b2.owner"] == new


def test_thresholds_need_no_dice():
    fixed = record()["dice"]["fixed"]
    moves = [adjust("amber", "stability", -9), owner("i1", "birch")]
    assert "error" not in replay({**record(moves), "dice": {"fixed": fixed}})

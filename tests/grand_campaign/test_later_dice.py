"""RECORD, Later additions: renewed and mixed dice, sentence by sentence."""

from __future__ import annotations

import copy
import hashlib
import hmac

import pytest

from engine.dice import Dice, Renewal, chain, commitment, draw, mixed_key
from engine.errors import IllegalMove, MalformedRecord
from games.replay import replay
from tests.grand_campaign.table import NINE, OPEN, START, end, malformed, record, scenario

ANY, OTHER = "any text", "another text"
COMMITMENT = "363b0bc58651dedf73a4d528d9e07e205da70eb1016af1cd122e57fde80c13da"
SIEGE = "turn-2/attack/huns/dalmatia/siege"
MIXTURE = '{"draw":"Bari 12 45 7 88 31","phrases":{"huns":"Attila was here","romans":"S·P·Q·R"}}'
LINKS = chain(OTHER, 6)
EVENT = "turn-2/event/amber"


def test_the_worked_key_and_its_rolls():
    key = mixed_key(chain(ANY, 6)[2], MIXTURE)
    assert key == "7ad03f087a6ac6694e7b5a197c9cc9d6c41c37207c7cfbf60a059fac46f801bf"
    assert draw(key, "turn-2/event/huns", 100) == 23
    assert draw(key, "turn-2/card/romans", 100) == 48
    dice = Dice(6, seed=ANY, mixed={2: MIXTURE})
    assert [dice.roll(f"turn-2/{what}", 100, 2) for what in ("event/huns", "card/romans")] == [
        23,
        48,
    ]
    assert dice.roll("turn-1/card/romans", 100, 1) == 59, "another turn is not mixed"
    assert Dice(6, seed=ANY).roll("turn-2/event/huns", 100, 2) == 53


def test_the_worked_renewal():
    assert commitment(OTHER, 6) == COMMITMENT
    renewals = [Renewal(COMMITMENT, LINKS, (SIEGE,))]
    assert Dice(6, seed=ANY).roll(SIEGE, 100, 2) == 11
    assert Dice(6, seed=ANY, mixed={2: MIXTURE}).roll(SIEGE, 100, 2) == 39
    assert Dice(6, seed=ANY, renewals=renewals).roll(SIEGE, 100, 2) == 87
    assert Dice(6, seed=ANY, renewals=renewals, mixed={2: MIXTURE}).roll(SIEGE, 100, 2) == 76
    assert Dice(6, seed=ANY, renewals=renewals).roll("turn-2/event/huns", 100, 2) == 53, (
        "what is not listed stays"
    )


def by_hand(seed, turn, purpose, mixture=None, turns=6, sides=100):
    """Return a roll that is worked out without the code of the project."""
    link = hashlib.sha256(seed.encode()).hexdigest()
    for _ in range(turns - turn):
        link = hashlib.sha256(link.encode()).hexdigest()
    if mixture is not None:
        link = hashlib.sha256(f"{link}\n{mixture}".encode()).hexdigest()
    mac = hmac.new(link.encode(), f"{purpose}#0".encode(), hashlib.sha256).digest()
    return int.from_bytes(mac[:8], "big") % sides + 1


def table(hands=None, **dice):
    """Return a record of the opening of turn 2 whose only free die is Amber's event."""
    written = record(end("amber", "birch", "cedar"), OPEN)
    del written["dice"]["fixed"][EVENT]
    written["dice"].pop("seed")
    written["dice"] |= {"seed": ANY, **dice}
    return written


EVENTS = {
    range(1, 11): ("stability", 5),
    range(11, 21): ("prestige", 5),
    range(31, 41): ("income", 400),
    range(51, 61): ("stability", 7),
    range(61, 71): ("prestige", 7),
    range(81, 91): ("income", 500),
    range(91, 101): ("income", 550),
}


def shows(state, roll):
    """Return whether Amber's sheet shows the result of an event with this roll."""
    amber = state["nations"]["amber"]
    usual = {"stability": 6, "prestige": 6, "income": 450}
    for rolls, (account, value) in EVENTS.items():
        if roll in rolls:
            usual[account] = value
    return {account: amber[account] for account in usual} == usual


MIXED = {
    "both": (
        {"phrases": {"birch": "b", "amber": "a"}, "draw": "x"},
        '{"draw":"x","phrases":{"amber":"a","birch":"b"}}',
    ),
    "draw": ({"draw": "Bari 12"}, '{"draw":"Bari 12"}'),
    "phrases": ({"phrases": {"cedar": " c "}}, '{"phrases":{"cedar":" c "}}'),
    "escapes": ({"draw": '"\\\b\f\n\r\t'}, '{"draw":"\\"\\\\\\b\\f\\n\\r\\t"}'),
    "controls": ({"draw": "\x00\x01\x1f"}, '{"draw":"\\u0000\\u0001\\u001f"}'),
    "as taken": (
        {"draw": "/\x7f\x80\u2028é\U0001f600<>&'"},
        '{"draw":"/\x7f\x80\u2028é\U0001f600<>&\'"}',
    ),
    "not normalized": ({"draw": "e\u0301"}, '{"draw":"e\u0301"}'),
    "200 code points": ({"draw": "\U0001f600" * 200}, '{"draw":"' + "\U0001f600" * 200 + '"}'),
}


@pytest.mark.parametrize("name", MIXED)
def test_a_mixture_as_text(name):
    raw, text = MIXED[name]
    roll = by_hand(ANY, 2, EVENT, text)
    assert Dice(6, seed=ANY, mixed={2: text}).roll(EVENT, 100, 2) == roll
    written = table(mixed={"2": raw})
    written["dice"]["fixed"][EVENT] = roll
    expected = replay(written)
    assert replay(table(mixed={"2": raw})) == expected
    assert shows(expected, roll)


def test_mixed_turn_0_is_the_start_and_the_last_turn_is_known():
    written = table(mixed={"0": {"draw": "x"}, "6": {"draw": "y"}})
    del written["dice"]["fixed"]["start"]
    opener = by_hand(ANY, 0, "start", '{"draw":"x"}', sides=3)
    written["moves"] = [START]
    assert replay(written)["order"][0] == ("amber", "birch", "cedar")[opener - 1]
    assert "error" not in replay(table(mixed={}))


def test_fixed_values_are_not_mixed():
    written = table(mixed={"2": {"draw": "x"}})
    written["dice"]["fixed"][EVENT] = 15
    assert replay(written)["nations"]["amber"]["prestige"] == 5


def test_links_are_mixed_as_the_seed_is():
    written = table(mixed={"2": {"draw": "x"}})
    other = copy.deepcopy(written)
    del other["dice"]["seed"]
    other["dice"]["links"] = chain(ANY, 6)[:3]
    assert replay(other) == replay(written)
    other["dice"]["links"] = chain(ANY, 6)[:2]
    assert replay(other)["error"]["code"] == "no-dice"


@pytest.mark.parametrize(
    "mixed",
    [
        None,
        [],
        "2",
        2,
        {"7": {"draw": "x"}},
        {"-1": {"draw": "x"}},
        {"02": {"draw": "x"}},
        {"+2": {"draw": "x"}},
        {" 2": {"draw": "x"}},
        {"2.0": {"draw": "x"}},
        {"": {"draw": "x"}},
        {"two": {"draw": "x"}},
        {"\u0662": {"draw": "x"}},
        {"0x2": {"draw": "x"}},
        {"2": None},
        {"2": []},
        {"2": "x"},
        {"2": {}},
        {"2": {"phrases": {}}},
        {"2": {"phrases": {}, "draw": "x"}},
        {"2": {"phrases": None}},
        {"2": {"phrases": None, "draw": "x"}},
        {"2": {"phrases": ["x"]}},
        {"2": {"phrases": "x"}},
        {"2": {"phrases": {"amber": ""}}},
        {"2": {"phrases": {"amber": None}}},
        {"2": {"phrases": {"amber": 5}}},
        {"2": {"phrases": {"amber": "x" * 201}}},
        {"2": {"phrases": {"amber": "\ud800"}}},
        {"2": {"phrases": {"romans": "x"}}},
        {"2": {"phrases": {"gm": "x"}}},
        {"2": {"phrases": {"amber": "x", "birch": ""}}},
        {"2": {"phrases": {"amber": ["x"]}}},
        {"2": {"draw": ""}},
        {"2": {"draw": None}},
        {"2": {"draw": 12}},
        {"2": {"draw": "x" * 201}},
        {"2": {"draw": "\udfff"}},
        {"2": {"draw": ["x"]}},
        {"2": {"draw": "\U0001f600" * 201}},
        {"2": {"draw": "x", "source": "y"}},
        {"1": {"draw": "x"}, "2": {"drawn": "x"}},
    ],
)
def test_mixed_dice_malformed(mixed):
    assert malformed({**table(mixed=mixed), "moves": []})


def test_mixed_turn_given_twice_is_malformed():
    text = (
        '{"format": "grand-campaign/1", "scenario": "420ad", "moves": [], "dice": {"mixed": {"2":'
        ' {"draw": "x"}, "2": {}}}}'
    )
    assert replay(text)["error"]["code"] == "malformed-record"


# Renewed dice


def renewal(**parts):
    return {"commitment": COMMITMENT, "purposes": [EVENT], **parts}


@pytest.mark.parametrize(
    "known",
    [{"seed": OTHER}, {"links": LINKS[:3]}, {"links": LINKS}, {"seed": OTHER, "links": LINKS[:1]}],
)
def test_a_listed_purpose_comes_from_its_renewal(known):
    roll = by_hand(OTHER, 2, EVENT)
    assert roll != by_hand(ANY, 2, EVENT)
    fixed = table()
    fixed["dice"]["fixed"][EVENT] = roll
    written = table(renewals=[renewal(purposes=[]), renewal(**known)])
    assert replay(written) == replay(fixed)
    assert shows(replay(written), roll)
    del written["dice"]["seed"]
    assert replay(written) == replay(fixed), "the first seed is not needed for it"


@pytest.mark.parametrize("known", [{}, {"links": []}, {"links": LINKS[:1]}, {"links": LINKS[:2]}])
def test_a_listed_purpose_without_value_seed_and_link_is_no_dice(known):
    written = table(renewals=[renewal(**known)], links=chain(ANY, 6))
    answer = replay(written)["error"]
    assert (answer["code"], answer["move"]) == ("no-dice", 4)
    written["dice"]["fixed"][EVENT] = 15
    assert replay(written)["nations"]["amber"]["prestige"] == 5, "a fixed value goes before"
    assert replay(written | {"moves": written["moves"][:4]})["turn"] == 1


def test_a_renewal_of_another_renewals_purposes_leaves_them():
    dice = Dice(
        6,
        seed=ANY,
        renewals=[Renewal("", LINKS, (EVENT,)), Renewal("", chain("third", 6), (SIEGE,))],
    )
    assert dice.roll(EVENT, 100, 2) == by_hand(OTHER, 2, EVENT)
    assert dice.roll(SIEGE, 100, 2) == by_hand("third", 2, SIEGE)
    assert dice.roll("turn-2/card/romans", 100, 2) == by_hand(ANY, 2, "turn-2/card/romans")


def test_the_chain_of_a_renewal_is_as_long_as_the_campaign():
    """T comes from the scenario: nine turns give another chain."""
    written = record(on="_nine", opens="n1")
    del written["dice"]["fixed"]["turn-1/card/n1"]
    first = {"commitment": commitment(OTHER, 9), "seed": OTHER, "purposes": ["turn-1/card/n1"]}
    written["dice"]["renewals"] = [first]
    roll = by_hand(OTHER, 1, "turn-1/card/n1", turns=9)
    state = replay(written)
    written["dice"]["fixed"]["turn-1/card/n1"] = roll
    assert replay(written) == state
    assert malformed(
        {**written, "dice": {**written["dice"], "renewals": [{**first, "commitment": COMMITMENT}]}}
    )
    assert NINE[0] in state["nations"]


@pytest.mark.parametrize(
    "renewals",
    [
        None,
        {},
        "x",
        [None],
        [[]],
        ["x"],
        [{}],
        [{"commitment": COMMITMENT}],
        [{"purposes": []}],
        [renewal(purposes=None)],
        [renewal(purposes={})],
        [renewal(purposes=EVENT)],
        [renewal(purposes=[None])],
        [renewal(purposes=[5])],
        [renewal(purposes=[[EVENT]])],
        [renewal(purposes=[EVENT, EVENT])],
        [renewal(), renewal()],
        [renewal(), renewal(purposes=["start", EVENT])],
        [renewal(purposes=["turn-7/event/amber"])],
        [renewal(purposes=["turn-2/event/romans"])],
        [renewal(purposes=["weather"])],
        [renewal(purposes=["turn-2/event/amber/2"])],
        [renewal(purposes=["turn-2/card/amber/6"])],
        [renewal(purposes=[""])],
        [renewal(purposes=["turn-2/card/amber/1"])],
        [renewal(purposes=["turn-2/event/amber#0"])],
        [renewal(commitment=None)],
        [renewal(commitment="")],
        [renewal(commitment=COMMITMENT.upper())],
        [renewal(commitment=COMMITMENT[:-1])],
        [renewal(commitment=COMMITMENT + "0")],
        [renewal(commitment="g" * 64)],
        [renewal(commitment=5)],
        [renewal(commitment=COMMITMENT + "\n")],
        [renewal(seed=ANY)],
        [renewal(seed=None)],
        [renewal(seed=5)],
        [renewal(seed="\ud800")],
        [renewal(seed=OTHER + " ")],
        [renewal(links=None)],
        [renewal(links={})],
        [renewal(links=[*LINKS, hashlib.sha256(b"x").hexdigest()])],
        [renewal(links=chain(ANY, 6)[:2])],
        [renewal(links=LINKS[1:3])],
        [renewal(links=[LINKS[0], LINKS[2]])],
        [renewal(links=[LINKS[0].upper()])],
        [renewal(links=[LINKS[0], 5])],
        [renewal(links=[LINKS[0][:-1]])],
        [renewal(seed=OTHER, links=chain(ANY, 6)[:1])],
        [renewal(seed=ANY, links=LINKS[:1])],
        [renewal(commitment=commitment(ANY, 6), seed=OTHER, links=chain(ANY, 6)[:1])],
        [renewal(reason="why")],
        [renewal(fixed={})],
        [renewal(turn=2)],
    ],
)
def test_renewed_dice_malformed(renewals):
    assert malformed({**table(renewals=renewals), "moves": []})


@pytest.mark.parametrize(
    "purpose",
    [
        "start",
        "turn-1/card/cedar",
        "turn-1/card/cedar/2",
        "turn-6/card/cedar/5",
        "turn-3/event/cedar",
        "turn-1/spy/amber",
        "turn-1/spy/amber/2",
        "turn-1/attack/amber/b2/escort",
        "turn-1/attack/amber/b2/naval/attacker",
        "turn-1/attack/amber/b2/naval/defender",
        "turn-1/attack/amber/b2/siege",
    ],
)
def test_every_known_purpose_may_be_renewed(purpose):
    assert "error" not in replay(
        table(
            renewals=[renewal(purposes=[purpose], seed=OTHER)],
            fixed=table()["dice"]["fixed"] | {EVENT: 45},
        )
    )


def test_a_renewal_alone_is_valid():
    assert "error" not in replay(table(renewals=[]))
    assert "error" not in replay(table(renewals=[renewal(purposes=[])] * 3))


def test_the_dice_have_no_other_keys():
    assert malformed(table(renewal=[]))
    assert malformed(table(mix={}))


def test_a_purpose_of_several_dice_is_renewed_whole_or_die_by_die():
    whole = Dice(1000, seed=ANY, renewals=[Renewal("", chain(OTHER, 1000), ("turn-3/a",))])
    one = Dice(1000, seed=ANY, renewals=[Renewal("", chain(OTHER, 1000), ("turn-3/a/2",))])
    first, other = (
        Dice(1000, seed=seed).roll_several("turn-3/a", 1000, 3, 3) for seed in (ANY, OTHER)
    )
    assert (
        whole.roll_several("turn-3/a", 1000, 3, 3)
        == whole.roll_several("turn-3/a", 1000, 3, 3)
        == other
    )
    assert one.roll_several("turn-3/a", 1000, 3, 3) == [first[0], other[1], first[2]]
    both = [
        Renewal("", chain(OTHER, 1000), ("turn-3/a",)),
        Renewal("", chain("third", 1000), ("turn-3/a/2",)),
    ]
    with pytest.raises(MalformedRecord, match="renewed twice"):
        Dice(1000, seed=ANY, renewals=both).roll_several("turn-3/a", 6, 3, 3)


def test_no_dice_of_a_renewal_names_the_purpose():
    with pytest.raises(IllegalMove) as refused:
        Dice(6, seed=ANY, renewals=[Renewal("", (), (EVENT,))]).roll(EVENT, 100, 2)
    assert (refused.value.code, refused.value.facts) == ("no-dice", {"purpose": EVENT})


# Other titles: they use the dice of the engine, with T = 1000 or their last turn


def other(form, purpose, seed=OTHER, turns=1000, **dice):
    return {"format": form, "dice": {"seed": ANY, **dice}, "moves": []} | (
        {
            "dice": {
                "seed": ANY,
                "renewals": [
                    {"commitment": commitment(seed, turns), "seed": seed, "purposes": [purpose]}
                ],
                **dice,
            }
        }
    )


@pytest.mark.parametrize(
    ("form", "purposes", "turns", "seat"),
    [
        (
            "march_on_rome/1",
            ["setup/pc/legions", "turn-3/battle-1/segment-1/attacker", "turn-1/event-1"],
            1000,
            "pc",
        ),
        (
            "tetrarchia/1",
            ["round-1/diocletian/threat-1/number", "setup/barbarian-1"],
            1000,
            "tetrarchy",
        ),
        ("roman_empire/1", ["turn-1/order/A", "turn-2/draw-people-1", "turn-1/order/A/2"], 7, "A"),
    ],
)
def test_renewed_and_mixed_dice_of_other_titles(form, purposes, turns, seat):
    for purpose in purposes:
        assert "error" not in replay(other(form, purpose, turns=turns)), purpose
    for wrong in ("turn-1/card/romans", "weather", purposes[0] + "/x"):
        assert malformed(other(form, wrong, turns=turns))
    assert malformed(other(form, purposes[0], turns=turns + 1))
    assert "error" not in replay(
        other(form, purposes[0], turns=turns, mixed={str(turns): {"draw": "x"}, "0": {"draw": "y"}})
    )
    assert malformed(other(form, purposes[0], turns=turns, mixed={str(turns + 1): {"draw": "x"}}))
    assert malformed(
        other(form, purposes[0], turns=turns, mixed={"1": {"phrases": {"romans": "x"}}})
    )
    assert "error" not in replay(
        other(form, purposes[0], turns=turns, mixed={"1": {"phrases": {seat: "x"}}})
    )


def test_a_year_of_march_on_rome_renewed_and_mixed():
    raw = other("march_on_rome/1", "setup/pc/legions", mixed={"0": {"draw": "x"}})
    raw["moves"] = [{"move": "begin"}]
    state = replay(raw)
    assert state["legions"]["pc"] == 2 + by_hand(
        OTHER, 0, "setup/pc/legions", '{"draw":"x"}', 1000, 6
    )


def test_the_scenario_of_these_tests_is_the_small_one():
    assert [nation["key"] for nation in scenario()["nations"]] == ["amber", "birch", "cedar"]

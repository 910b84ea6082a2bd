"""RECORD: each override of the rules has its effect and leaves the others alone."""

import pytest

from tests.grand_campaign.table import (
    OPEN,
    actions,
    adjust,
    build,
    covert,
    end,
    fleet,
    fortify,
    give,
    land,
    move,
    owner,
    play,
    played,
    refused,
    report,
    respond,
    routed,
    sea,
    slots,
    until,
    whole,
)

CHALLENGE = land("amber", "a2", "b2")
WON, LOST, DRAWN = (report(1, winner=side) for side in ("attacker", "defender", "draw"))
TAX = move("amber", "tax-increase")


def test_income_actions():
    rules = {"income_actions": [[100, 1], [450, 5.5]]}
    assert played(rules=rules)["amber.actions"] == 5.5
    assert played(rules=rules, start={"income": 449})["amber.actions"] == 1
    assert played(rules=rules, start={"income": 99})["amber.actions"] == 0


def test_cards_and_events():
    rules = {"cards": [[1, 94, "spy"], [95, 95, "ambush"], [96, 100, "scouts"]]}
    assert played(rules=rules)["amber.hand"] == ["ambush"]
    rules = {"events": [[1, 44, "famine"], [45, 45, "riots"], [46, 100, "plague"]]}
    assert played(whole(1), rules=rules)["amber.stability"] == 5


def test_architecture_of_one_culture_only():
    rules = {"architecture": {"civilized": [["agora", 1.5, 4, 3], ["forum", 0.5, 1, 0]]}}
    state = played(build("amber", "agora", "forum"), rules=rules)
    assert state.levels("amber") == (6, 11, 450, 1600, 3)
    assert state["amber.actions"] == 0.5
    assert refused(build("amber", "gymnasia"), rules=rules) == "bad-argument"
    assert refused(build("amber", "forum"), rules=rules) == "prerequisite-missing"
    assert played(build("birch", "hamlets"), rules=rules, opens="birch")["birch.prestige"] == 7


def test_religious_and_commercial():
    rules = {"religious": [["grove", 1, 3, 2]], "commercial": [["fair", 0.5, 70, 1]]}
    state = played(build("amber", "grove", "fair"), rules=rules)
    assert state.levels("amber") == (9, 6, 520, 1600, 3)
    shaken = played(build("amber", "grove"), whole(1), rules=rules)
    assert shaken.levels("amber")[0::4] == (6, 0)
    dice = {"turn-2/event/amber": 91}
    assert played(whole(1), rules=rules, dice=dice)["amber.structures"] == ["fair"]


@pytest.mark.parametrize(("roll", "siege"), [(60, "held"), (61, "taken")])
def test_fortifications(roll, siege):
    rules = {"fortifications": [["palisade", 1, 60]]}
    moves = [end("amber"), fortify("birch", "b2"), end("birch", "cedar"), OPEN]
    moves += [until(2, "amber"), CHALLENGE]
    assert played(moves, rules=rules)["b2.fortification"] == "palisade"
    dice = {"turn-2/attack/amber/b2/siege": roll}
    assert played(moves, WON, rules=rules, dice=dice)["1.siege"] == siege


@pytest.mark.parametrize(
    ("cost", "moves"),
    [
        ("tax-exemption", [move("amber", "tax-exemption")]),
        ("barracks", [move("amber", "barracks")]),
        ("siege-train", [move("amber", "siege-train")]),
        ("fleet", [fleet("amber", "a3")]),
        ("land", [CHALLENGE]),
        ("independent", [covert("amber", "i2", "c2")]),
        ("independent-prestigious", [adjust("cedar", "prestige", 5), covert("amber", "i2", "c2")]),
    ],
)
@pytest.mark.parametrize("amount", [0, 1.5, 2.5])
def test_costs(cost, moves, amount):
    state = played(moves, rules={"costs": {cost: amount}})
    assert state["amber.actions"] == 2.5 - amount
    assert refused(moves, rules={"costs": {cost: 3}}) == "not-enough-actions"


def test_costs_of_levies_and_amphibious_attacks():
    barracks = [actions("amber", 2), move("amber", "barracks"), move("amber", "provincial-levy")]
    rules = {"costs": {"provincial-levy": 2}, "army": {"levy": 15}}
    state = played(barracks, rules=rules, start={"army": 1500})
    assert (state["amber.actions"], state["amber.army"]) == (0.5, 1515)
    sailing = [fleet("amber", "a3"), whole(1), until(2, "amber"), sea("amber", "a3", "c2")]
    assert played(sailing, rules={"costs": {"amphibious": 2}})["amber.actions"] == 0.5


def test_tax_increases():
    rules = {"tax_increase_actions": 1.5, "tax_increases_per_slot": 2}
    state = played(TAX, TAX, rules=rules)
    assert (state["amber.actions"], state["amber.stability"]) == (5.5, 4)
    assert refused(TAX, TAX, TAX, rules=rules) == "not-allowed"
    assert refused(TAX, rules={"tax_increases_per_slot": 0}) == "not-allowed"


def test_chancellors_and_the_prestigious():
    moves = [give("amber", "chancellor"), play("amber", "chancellor")]
    assert played(moves, rules={"chancellor_actions": 0.5})["amber.actions"] == 3
    attack = covert("amber", "i2", "c2")
    assert played(attack, rules={"prestigious": 6})["amber.actions"] == 1.5
    assert played(attack, rules={"prestigious": 7})["amber.actions"] == 2


def test_army():
    rules = {"army": {"victory": 45, "defeat": -10, "maximum": 1640, "minimum": 1595}}
    state = played(CHALLENGE, WON, rules=rules)
    assert (state["amber.army"], state["birch.army"]) == (1640, 1595)
    rules = {"army": {"independent": 1400, "reinforcements": 75, "full": 1700}}
    attack = land("amber", "a2", "i1", cards=["reinforcements"])
    state = played(give("amber", "reinforcements"), attack, rules=rules)
    assert state["1.points"] == {"attacker": 1675, "defender": 1400}
    hired = [give("amber", "mercenaries"), play("amber", "mercenaries")]
    rules = {"army": {"full": 1700, "mercenaries": 90, "mercenaries_talents": 10}}
    state = played(hired, rules=rules)
    assert (state["amber.army"], state["amber.income"]) == (1690, 440)


def test_rout():
    rules = {"rout": {"decisive": 50.5, "early": 30, "early_own_losses": 20.5}}
    for attacker, defender, outcome in (
        (21, 50.5, "attacker"),
        (21, 50.4, "draw"),
        (20.5, 30, "attacker"),
        (20.6, 30, "draw"),
        (50.5, 50.5, "draw"),
    ):
        assert played(CHALLENGE, routed(1, attacker, defender), rules=rules)["1.outcome"] == outcome


def test_naval_technology():
    moves = [fleet("amber", "a3"), end("amber", "birch"), fleet("cedar", "c2"), end("cedar"), OPEN]
    moves += [until(2, "amber"), give("amber", "naval-technology")]
    moves += [sea("amber", "a3", "c2", cards=["naval-technology"]), respond("cedar", 1, "accept")]
    purpose = "turn-2/attack/amber/c2/naval/"
    dice = {purpose + "attacker": 10, purpose + "defender": 39}
    assert played(moves, dice=dice, rules={"naval_technology": 30})["1.status"] == "fighting"
    assert played(moves, dice=dice)["1.outcome"] == "naval-repulse"


@pytest.mark.parametrize(("start", "roll", "forced"), [(2, 1, False), (2, 2, True), (6, 5, False)])
def test_escort_from(start, roll, forced):
    dice = {"turn-1/attack/amber/b2/escort": roll}
    moves = [CHALLENGE, respond("birch", 1, "escort")]
    state = played(moves, dice=dice, rules={"escort_from": start})
    assert (state["1.battle"] == "escort-baggage-train") is forced


@pytest.mark.parametrize(("turns", "until_"), [(1, 1), (2, 2), (4, 4)])
def test_truce_turns(turns, until_):
    moves = [give("amber", "diplomat"), play("amber", "diplomat", truce="birch")]
    state = played(moves, rules={"truce_turns": turns})
    assert state["truces"] == [{"nations": ["amber", "birch"], "until": until_}]


def test_talents():
    rules = {"talents": {"conquest": 11, "loss": 22, "ravage": 33, "card_conquest": 44}}
    state = played(CHALLENGE, WON, rules=rules)
    assert (state["amber.income"], state["birch.income"]) == (461, 428)
    state = played(CHALLENGE, DRAWN, rules=rules)
    assert (state["amber.income"], state["birch.income"]) == (483, 417)
    won = [give("amber", "diplomat"), play("amber", "diplomat", province="i1")]
    assert played(won, rules=rules)["amber.income"] == 494
    taken = [give("amber", "traitor"), play("amber", "traitor", province="b2")]
    state = played(taken, rules=rules)
    assert (state["amber.income"], state["birch.income"]) == (494, 428)
    events = {"talents": {"plague": 15, "agrarian-improvements": 16}}
    dice = {"turn-2/event/amber": 31, "turn-2/event/birch": 81}
    state = played(whole(1), rules=events, dice=dice)
    assert (state["amber.income"], state["birch.income"]) == (435, 466)


def test_victory_points():
    rules = {"victory_points": {"battle": 3, "conquest": 10, "independent_defence": 5}}
    assert played(CHALLENGE, WON, rules=rules)["amber.victory_points"] == 13
    assert played(CHALLENGE, LOST, rules=rules)["birch.victory_points"] == 3
    lost = [land("amber", "a2", "i1"), LOST]
    assert played(lost, rules=rules)["birch.victory_points"] == 5
    built = [actions("amber", 5), move("amber", "barracks"), fleet("amber", "a3")]
    built += [fortify("amber", "a2", "a2"), slots(1)]
    final = {"barracks": 100, "fleet": 1000, "fortification_level": 10000}
    state = played(built, turns=1, rules={"victory_points": final})
    assert state["amber.victory_points"] == 12 + 100 + 1000 + 20000
    state = played(slots(1), turns=1, rules={"victory_points": {"stability": 2, "prestige": 0}})
    assert state["amber.victory_points"] == 12
    state = played(slots(1), turns=1, rules={"victory_points": {"stability": 3}})
    assert state["amber.victory_points"] == 24


def test_the_die_is_that_of_encounters_and_sieges():
    rules = {"die": 20, "cards": [[1, 20, "scouts"]], "events": [[1, 20, "famine"]]}
    rules["fortifications"] = [["ramparts", 0.5, 19]]
    dice = {
        f"turn-{t}/{what}/{n}": 20
        for t in range(1, 7)
        for what in ("card", "event")
        for n in ("amber", "birch", "cedar")
        if what == "card" or t in (2, 4, 6)
    }
    moves = [end("amber"), fortify("birch", "b2"), end("birch", "cedar"), OPEN]
    moves += [until(2, "amber"), CHALLENGE, WON]
    for roll, siege in ((19, "held"), (20, "taken")):
        rolled = {**dice, "turn-2/attack/amber/b2/siege": roll}
        assert played(moves, rules=rules, dice=rolled)["1.siege"] == siege


def test_a_larger_scenario_needs_no_change_of_code():
    """Nine nations play nine turns without a change of code."""
    state = played(on="_nine")
    assert len(state["order"]) == 9
    assert played(owner("m1", "n9"), on="_nine")["m1.owner"] == "n9"

"""RULES 3: actions (3.7 to 3.13 in `test_3_military`)."""

import pytest

from tests.grand_campaign.table import (
    actions,
    adjust,
    build,
    covert,
    end,
    give,
    land,
    move,
    play,
    played,
    refused,
    until,
    whole,
)

TAX = move("amber", "tax-increase")
EXEMPTION = move("amber", "tax-exemption")
CIVILIZED = ["gymnasia", "theatres", "baths", "academies", "royal-palace"]
BARBARIAN = ["hamlets", "villages", "oppida", "boroughs", "towns"]
RELIGIOUS = ["shrines", "temples", "sanctuaries", "templar-complexes"]
COMMERCIAL = ["bridges", "roads", "markets", "merchants-quarters"]


@pytest.mark.parametrize(
    ("income", "allowance"),
    [
        (0, 0),
        (49, 0),
        (50, 0.5),
        (100, 0.5),
        (149, 0.5),
        (150, 1),
        (249, 1),
        (250, 1.5),
        (349, 1.5),
        (350, 2),
        (449, 2),
        (450, 2.5),
        (549, 2.5),
        (550, 3),
        (649, 3),
        (650, 3.5),
        (749, 3.5),
        (750, 4),
        (5000, 4),
    ],
)
def test_3_1_income_gives_actions(income, allowance):
    assert played(start={"income": income})["amber.actions"] == allowance


def test_3_2_the_allowance_is_taken_when_the_slot_opens():
    """It is not taken when the turn opens; later changes count from the next turn."""
    assert played(adjust("birch", "income", 300), end("amber"))["birch.actions"] == 4
    raised = adjust("amber", "income", 300)
    assert played(raised)["amber.actions"] == 2.5
    assert played(raised, whole(1), until(2, "amber"))["amber.actions"] == 4


def test_3_2_commercial_structures_count_from_the_next_turn():
    built = build("amber", "bridges", "roads")
    assert played(built)["amber.actions"] == 0.5
    assert played(built, whole(1), until(2, "amber"))["amber.actions"] == 3.5


def test_3_2_unused_actions_lapse_when_the_slot_ends():
    assert played(end("amber"))["amber.actions"] == 0
    assert played(whole(1), until(2, "amber"))["amber.actions"] == 2.5


def test_3_2_no_actions_outside_the_slot():
    state = played()
    assert (state["birch.actions"], state["cedar.actions"]) == (0, 0)


@pytest.mark.parametrize(("income", "left"), [(450, 1.5), (150, 0), (50, 0), (0, 0)])
def test_3_2_famine_takes_an_action_but_never_below_0(income, left):
    moves = [whole(1), until(2, "amber")]
    state = played(moves, dice={"turn-2/event/amber": 21}, start={"income": income})
    assert state["amber.actions"] == left


def test_3_2_what_an_event_takes_beyond_the_allowance_is_forgotten():
    moves = [give("amber", "chancellor"), whole(1), until(2, "amber"), play("amber", "chancellor")]
    state = played(moves, dice={"turn-2/event/amber": 21}, start={"income": 50})
    assert state["amber.actions"] == 1


def test_3_2_administrative_reforms_give_an_action():
    moves = [whole(1), until(2, "amber")]
    assert played(moves, dice={"turn-2/event/amber": 71})["amber.actions"] == 3.5
    low = played(moves, dice={"turn-2/event/amber": 71}, start={"income": 0})
    assert low["amber.actions"] == 1


def test_3_2_an_event_counts_for_its_turn_only():
    moves = [whole(1), whole(2), until(3, "amber")]
    assert played(moves, dice={"turn-2/event/amber": 71})["amber.actions"] == 2.5


def test_3_2_nothing_is_bought_beyond_the_actions():
    assert refused(actions("amber", -2.5), EXEMPTION) == "not-enough-actions"
    assert played(actions("amber", -2), EXEMPTION)["amber.actions"] == 0


@pytest.mark.parametrize(
    ("count", "cost", "prestige", "points"),
    [(1, 0.5, 7, 0), (2, 1.5, 9, 0), (3, 2.5, 11, 0), (4, 4, 14, 1), (5, 6, 18, 3)],
)
@pytest.mark.parametrize(("nation", "names"), [("amber", CIVILIZED), ("birch", BARBARIAN)])
def test_3_3_architectures_and_urban_infrastructures(nation, names, count, cost, prestige, points):
    moves = [actions(nation, 10), build(nation, *names[:count])]
    state = played(moves, opens=nation)
    assert state["slot"] == nation
    assert state[f"{nation}.actions"] == 12.5 - cost
    assert state.levels(nation) == (6, prestige, 450, 1600, points)
    assert state[f"{nation}.structures"] == names[:count]


@pytest.mark.parametrize("place", [1, 2, 3, 4])
def test_3_3_in_this_order(place):
    moves = [actions("amber", 10), build("amber", *CIVILIZED[: place - 1], CIVILIZED[place])]
    assert refused(moves) == "prerequisite-missing"


def test_3_3_once_each():
    for place in range(1, 6):
        built = build("amber", *CIVILIZED[:place])
        again = build("amber", CIVILIZED[place - 1])
        assert refused(actions("amber", 10), built, again) == "already-built"


@pytest.mark.parametrize(
    ("count", "cost", "stability", "points"),
    [(1, 0.5, 7, 0), (2, 1.5, 9, 0), (3, 3, 12, 1), (4, 5, 16, 3)],
)
def test_3_4_religious_buildings(count, cost, stability, points):
    state = played(actions("amber", 10), build("amber", *RELIGIOUS[:count]))
    assert state["amber.actions"] == 12.5 - cost
    assert state.levels("amber") == (stability, 6, 450, 1600, points)


def test_3_4_in_order_and_once_each():
    assert refused(build("amber", "temples")) == "prerequisite-missing"
    assert refused(build("amber", "shrines", "sanctuaries")) == "prerequisite-missing"
    missing = build("amber", "shrines", "temples", "templar-complexes")
    assert refused(actions("amber", 10), missing) == "prerequisite-missing"
    assert refused(build("amber", "shrines", "shrines")) == "already-built"


def test_3_4_barbarians_build_them_too():
    assert played(build("birch", "shrines"), opens="birch")["birch.stability"] == 7


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_3_5_commercial_structures(count):
    state = played(actions("amber", 10), build("amber", *COMMERCIAL[:count]))
    assert state["amber.actions"] == 12.5 - count
    assert state.levels("amber") == (6, 6, 450 + 100 * count, 1600, 0)


def test_3_5_in_order_and_once_each():
    assert refused(build("amber", "roads")) == "prerequisite-missing"
    assert refused(build("amber", "bridges", "markets")) == "prerequisite-missing"
    assert refused(build("amber", "bridges", "bridges")) == "already-built"
    assert played(build("birch", "bridges"), opens="birch")["birch.income"] == 550


def test_3_5_structures_are_listed_in_the_order_of_their_making():
    moves = [actions("amber", 10), build("amber", "shrines", "bridges", "gymnasia", "temples")]
    assert played(moves)["amber.structures"] == ["shrines", "bridges", "gymnasia", "temples"]


def test_3_6_tax_exemptions_any_number_of_times():
    state = played([EXEMPTION] * 5)
    assert (state["amber.stability"], state["amber.actions"]) == (11, 0)
    assert refused([EXEMPTION] * 6) == "not-enough-actions"


def test_3_6_one_tax_increase_a_slot():
    state = played(TAX)
    assert (state["amber.stability"], state["amber.actions"]) == (5, 3)
    assert refused(TAX, TAX) == "not-allowed"
    assert played(TAX, whole(1), until(2, "amber"), TAX)["amber.stability"] == 4


def test_3_6_a_tax_increase_needs_no_action():
    assert played(TAX, start={"income": 0})["amber.actions"] == 0.5


@pytest.mark.parametrize(
    ("stability", "prestige", "after"), [(3, 6, (2, 5)), (3, 3, (2, 2)), (4, 2, (2, 0))]
)
def test_3_6_a_tax_increase_that_does_not_crumble_the_nation_is_allowed(stability, prestige, after):
    start = {"stability": stability, "prestige": prestige}
    assert played(TAX, start=start).levels("amber")[:2] == after


@pytest.mark.parametrize(("stability", "prestige"), [(2, 6), (3, 2)])
def test_3_6_a_tax_increase_that_would_crumble_is_refused(stability, prestige):
    """3 and 2: stability 2, prestige 1, stability 1."""
    start = {"stability": stability, "prestige": prestige}
    assert refused(TAX, start=start) == "would-crumble"


def test_3_6_a_refused_tax_increase_leaves_nothing():
    start = {"stability": 3, "prestige": 2}
    assert refused(TAX, start=start) == "would-crumble"
    assert played(EXEMPTION, start=start).levels("amber")[:2] == (4, 2)


@pytest.mark.parametrize(("stability", "prestige"), [(3, 6), (4, 2)])
def test_3_6_mercenaries_that_would_crumble_are_refused(stability, prestige):
    """The nation has only 25t left.

    The deficit takes 2 stability (4 and 2: 2, prestige 0, stability 1).
    """
    start = {"stability": stability, "prestige": prestige, "income": 25, "army": 1500}
    moves = [give("amber", "mercenaries"), play("amber", "mercenaries")]
    assert refused(moves, start=start) == "would-crumble"
    richer = {**start, "income": 26}
    assert played(moves, start=richer).levels("amber")[:4] == (stability, prestige, 1, 1520)


def test_3_6_mercenaries_may_bring_a_deficit():
    start = {"income": 25, "army": 1500}
    moves = [give("amber", "mercenaries"), play("amber", "mercenaries")]
    assert played(moves, start=start).levels("amber")[:4] == (4, 6, 0, 1520)


def test_3_12_stability_counts_as_the_lower_of_opening_and_now():
    """Opened at 4, taxed to 3 and exempted to 4: allowed again. Opened at 3 and raised: refused."""
    attack = covert("amber", "i2", "c2")
    assert refused(TAX, attack, start={"stability": 4}) == "stability-too-low"
    assert played(TAX, EXEMPTION, attack, start={"stability": 4})["1.status"] == "challenged"
    assert refused(EXEMPTION, EXEMPTION, attack, start={"stability": 3}) == "stability-too-low"
    assert refused(build("amber", "shrines"), attack, start={"stability": 3}) == "stability-too-low"


def test_3_12_the_stability_of_the_slot_opening_not_of_the_turn_opening():
    moves = [adjust("birch", "stability", 2), end("amber"), land("birch", "b2", "i2")]
    assert played(moves, start={"stability": 2})["1.status"] == "fighting"


def test_3_12_stability_gained_counts_in_the_next_turn():
    moves = [EXEMPTION, whole(1), until(2, "amber"), land("amber", "a2", "i1")]
    assert played(moves, start={"stability": 2})["1.status"] == "fighting"


def test_3_12_action_points_are_usable_at_once():
    moves = [actions("amber", -2), give("amber", "chancellor"), play("amber", "chancellor")]
    assert played(moves, land("amber", "a2", "i1"))["amber.actions"] == 0.5
    taxed = [actions("amber", -2), TAX, land("amber", "a2", "i1")]
    assert played(taxed)["amber.actions"] == 0

"""RULES 12 and 13: the final scoring, and what the rules leave to the players."""

from tests.grand_campaign.table import (
    MINI,
    TWO,
    actions,
    adjust,
    build,
    end,
    fleet,
    fortify,
    give,
    land,
    move,
    offer,
    owner,
    played,
    refused,
    report,
    slots,
    take,
    to_turn,
    until,
    whole,
)

CLOSE = slots(1)


def standing(place, nation, points, income):
    return {"nation": nation, "victory_points": points, "income": income, "rank": place}


def test_12_standings_come_with_the_end():
    assert played(to_turn(6))["standings"] is None
    state = played(to_turn(6), slots(6))
    assert state["phase"] == "finished"
    assert state["standings"] == [standing(1, nation, 12, 450) for nation in MINI]


def test_12_stability_prestige_walls_barracks_and_fleets_are_added():
    moves = [
        actions("amber", 5),
        adjust("amber", "stability", 1),
        adjust("amber", "prestige", -2),
        adjust("amber", "victory_points", 5),
        fortify("amber", "a2", "a2", "a2", "a1"),
        move("amber", "barracks"),
        fleet("amber", "a3"),
        fleet("amber", "a2"),
    ]
    state = played(moves, CLOSE, turns=1)
    assert state["amber.victory_points"] == 5 + 7 + 4 + 4 + 1 + 2
    assert state["standings"][0] == standing(1, "amber", 23, 450)


def test_12_structures_score_when_built_not_again():
    built = build("amber", "shrines", "temples", "sanctuaries")
    state = played(actions("amber", 5), built, CLOSE, turns=1)
    assert state["amber.victory_points"] == 1 + 12 + 6


def test_12_most_victory_points_win():
    moves = [adjust("cedar", "victory_points", 2), adjust("birch", "victory_points", 1)]
    state = played(moves, CLOSE, turns=1)
    assert state["standings"] == [
        standing(1, "cedar", 14, 450),
        standing(2, "birch", 13, 450),
        standing(3, "amber", 12, 450),
    ]


def test_12_equal_points_the_greater_income():
    state = played(adjust("cedar", "income", 1), CLOSE, turns=1)
    assert state["standings"] == [
        standing(1, "cedar", 12, 451),
        standing(2, "amber", 12, 450),
        standing(2, "birch", 12, 450),
    ]


def test_12_nations_equal_in_everything_share_the_place():
    state = played(adjust("birch", "income", -1), CLOSE, turns=1)
    assert state["standings"] == [
        standing(1, "amber", 12, 450),
        standing(1, "cedar", 12, 450),
        standing(3, "birch", 12, 449),
    ]


def test_12_the_fallen_are_scored_with_what_is_left_to_them():
    """Stability 0, prestige 4, barracks 1, three victory points kept; no fleet, no walls."""
    moves = [
        actions("amber", 3),
        move("amber", "barracks"),
        fleet("amber", "a3"),
        fortify("amber", "a2"),
        adjust("amber", "victory_points", 3),
        adjust("amber", "stability", -9),
        end("birch", "cedar"),
    ]
    state = played(moves, turns=1)
    assert state["standings"][-1] == standing(3, "amber", 8, 450)
    assert state["amber.fallen"] is True


def test_12_only_assets_that_remain_at_the_end_count():
    moves = [fortify("amber", "a2"), fleet("amber", "a2"), owner("a2", "birch"), CLOSE]
    state = played(moves, turns=1)
    assert state["amber.victory_points"] == 12
    assert state["birch.victory_points"] == 12


def test_12_a_battle_reported_last_counts():
    moves = [land("amber", "a2", "i1"), CLOSE, report(1, winner="attacker")]
    state = played(moves, turns=1)
    assert state["standings"][0] == standing(1, "amber", 3 + 7 + 7, 500)


def test_12_nothing_is_played_after_the_end():
    assert refused(CLOSE, adjust("amber", "income", 5), turns=1) == "wrong-phase"
    assert refused(CLOSE, give("amber", "spy"), turns=1) == "wrong-phase"
    assert refused(CLOSE, build("amber", "shrines"), turns=1) == "wrong-phase"


def test_12_two_nations_in_six_turns():
    moves = [to_turn(6, TWO), slots(6, who=TWO)]
    state = played(moves, on="_two")
    assert [row["rank"] for row in state["standings"]] == [1, 1]


def test_13_a_battle_lost_on_purpose_is_not_forbidden():
    state = played(land("amber", "a2", "b2"), report(1, routed={"attacker": 0, "defender": 100}))
    assert state["b2.owner"] == "amber"


def test_13_a_sham_attack_shields_a_province():
    moves = [land("amber", "a2", "i1"), end("amber"), land("birch", "b2", "a2")]
    assert refused(moves) == "starting-point-protected"


def test_13_cards_may_be_parked_on_the_table():
    moves = [give("amber", "spy"), offer("amber", "spy"), whole(1), until(2, "amber")]
    parked = [moves, offer("amber", "spy"), end("amber")]
    assert played(parked)["amber.table"] == ["spy"]
    swapped = [offer("amber", "scouts"), end("amber"), take("birch", "amber", "scouts", "scouts")]
    assert played(swapped)["birch.hand"] == ["scouts"]


def test_13_the_game_master_may_set_a_result_aside():
    moves = [land("amber", "a2", "b2"), report(1, winner="attacker"), owner("b2", "birch")]
    moves += [adjust("amber", "victory_points", -3), adjust("birch", "income", 50)]
    state = played(moves)
    assert (state["b2.owner"], state["amber.victory_points"]) == ("birch", 0)
    assert state["birch.income"] == 450


def test_13_always_with_a_reason():
    for tool in (
        adjust("amber", "income", 5),
        owner("a2", "birch"),
        *give("amber", "spy"),
        {"by": "gm", "move": "discard-card", "nation": "amber", "card": "scouts", "reason": ""},
    ):
        assert refused({**tool, "reason": ""}) == "bad-argument"
        unexplained = {key: value for key, value in tool.items() if key != "reason"}
        assert refused(unexplained) == "bad-argument"

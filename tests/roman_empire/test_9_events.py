"""The event cards (9): when they may be played and what they do."""

from __future__ import annotations

from typing import Any

import pytest

from tests.roman_empire.table import (
    END,
    after,
    event,
    faction,
    fort,
    held,
    lands,
    peoples,
    place,
    refused,
    throw,
)

GALLI = {"lugdunensis": held("galli")}
BASE = "turn-1/A/people"


def holding(*cards: str, **more: Any) -> dict[str, Any]:
    there = GALLI | more.pop("lands", {})
    return peoples("galli", there, step=more.pop("step", "start"), hand={"A": list(cards)}, **more)


def test_9_1_two_cards_a_turn_over_both_phases() -> None:
    position = holding("elite_1", "weaponry_1", "leader_1")
    state = after(position, event("elite_1"), event("weaponry_1"))
    assert (state["played"]["A"]["people"], state["hand"]["A"]) == (2, ["leader_1"])
    assert (
        refused(position, event("elite_1"), event("weaponry_1"), event("leader_1")) == "event-limit"
    )
    played = {"played": {"A": {"people": 0, "faction": 2}}}
    assert refused(position | played, event("elite_1")) == "event-limit"


def test_9_1_before_is_before_and_during_is_always() -> None:
    position = holding("elite_1", "weaponry_1", step="expand")
    assert refused(position, event("elite_1")) == "too-late"
    assert after(position, event("weaponry_1"))["effects"] == {"attack_plus": 1}


def test_9_1_period_phase_and_hand() -> None:
    assert refused(holding("leader_3"), event("leader_3")) == "wrong-period"
    assert refused(holding("fortify_1"), event("fortify_1")) == "wrong-phase"
    assert refused(holding("fury"), event("plague", area="gallia")) == "not-in-hand"
    assert refused(holding("fury"), {"by": "B", **event("fury")}) == "not-your-turn"
    assert refused(holding("fury", phase="turns"), event("fury")) == "wrong-phase"
    assert refused(holding("fury"), event("fury", land="syria")) == "bad-arguments"
    assert refused(holding("fury"), event("fury", loot=True)) == "bad-arguments"
    assert refused(holding("plague"), event("plague")) == "bad-arguments"
    assert refused(holding("plague"), {"move": "play_event"}) == "bad-arguments"


@pytest.mark.parametrize(
    ("card", "effects"),
    [
        ("leader_1", {"three_dice": True}),
        ("fury", {"ties": True}),
        ("gods_favor", {"ties": True}),
        ("siegecraft_1", {"no_fort_bonus": True}),
        ("elite_1", {"save_losses": 2}),
    ],
)
def test_9_3_effects_that_last_for_the_phase(card: str, effects: dict[str, Any]) -> None:
    state = after(holding(card), event(card))
    assert (state["effects"], state["step"]) == (effects, "start")


AREA = {
    "belgica": held("blue", 2),
    "aquitania": held("parthi"),
    "narbonensis": {"city": "whole", **fort("blue")},
}


def test_9_3_plague_takes_one_of_each_land() -> None:
    state = after(holding("plague", lands=AREA), event("plague", area="gallia"))
    assert lands(state, "lugdunensis", "belgica", "aquitania") == [
        (None, 0, None),
        ("blue", 1, None),
        (None, 0, None),
    ]
    assert state["lands"]["narbonensis"]["fort"] == {"who": "blue", "level": 1}
    assert refused(holding("plague"), event("plague", area="italia")) == "bad-target"


def test_9_3_epidemy_rolls_for_each_land_with_armies() -> None:
    dice = {
        f"{BASE}/event-epidemy/{land}": value
        for land, value in (("aquitania", 4), ("lugdunensis", 3), ("belgica", 1))
    }
    state = after(holding("epidemy", lands=AREA), event("epidemy", area="gallia"), dice=dice)
    assert lands(state, "lugdunensis", "belgica", "aquitania") == [
        (None, 0, None),
        ("blue", 1, None),
        ("parthi", 1, None),
    ]


def test_9_3_pestilence_strips_a_land_and_leaves_its_city() -> None:
    position = holding(
        "pestilence", lands={"belgica": held("blue", 3, city="whole", **fort("blue"))}
    )
    state = after(position, event("pestilence", land="belgica"))
    assert (lands(state, "belgica"), state["losses"]["blue"]) == ([(None, 0, "whole")], 3)
    assert state["lands"]["belgica"]["fort"] == {"who": "blue", "level": 1}
    assert refused(position, event("pestilence", land="syria")) == "bad-target"
    assert refused(position, event("pestilence", land="gallia")) == "unknown-land"


def test_9_3_wrath_ruins_city_and_walls_and_no_one_scores() -> None:
    position = holding(
        "wrath_1", lands={"belgica": held("blue", 3, city="whole", **fort("blue", 2))}
    )
    state = after(position, event("wrath_1", land="belgica"))
    assert (lands(state, "belgica"), state["lands"]["belgica"]["fort"]) == (
        [("blue", 3, "looted")],
        None,
    )
    assert state["vp"] == {"A": {"p": 0, "f": 0}, "B": {"p": 0, "f": 0}}
    assert refused(position, event("wrath_1", land="lugdunensis")) == "bad-target"


def test_9_3_disaster_takes_the_city_and_an_army() -> None:
    there = {"belgica": held("blue", 2, city="looted"), "syria": {"city": "whole"}}
    position = holding("disaster", lands=there)
    assert lands(after(position, event("disaster", land="belgica")), "belgica") == [
        ("blue", 1, None)
    ]
    assert lands(after(position, event("disaster", land="syria")), "syria") == [(None, 0, None)]
    assert refused(position, event("disaster", land="lugdunensis")) == "bad-target"


REVOLT = {
    "belgica": held("blue", 1, city="whole"),
    "britannia": held("parthi"),
    "syria": held("red"),
}


def test_9_3_a_revolt_rises_in_the_middle_of_a_phase() -> None:
    """It has two free armies and no difficult terrain, although Britannia is beyond a strait."""
    there = {"britannia": held("blue", 2), "caledonia": held("blue")}
    position = holding("revolt_1", lands=there, in_hand=0)
    rise = place("britannia", "revolt")
    hold = {"move": "retreat", "to": None, "hold": True}
    dice = throw(1, ([1, 1], [2]), ([5, 1], [2]), ([5, 1], [2]))
    state = after(position, event("revolt_1", land="britannia"), rise, rise, hold, dice=dice)
    assert (lands(state, "britannia"), state["in_hand"]) == ([("galli", 1, None)], 0)
    assert (
        refused(position, event("revolt_1", land="britannia"), rise, rise, hold, rise, dice=dice)
        == "no-units"
    )


def test_9_3_lands_in_which_a_revolt_can_rise() -> None:
    position = holding("revolt_1", lands=REVOLT)
    assert refused(position, event("revolt_1", land="britannia")) == "bad-target"
    assert refused(position, event("revolt_1", land="syria")) == "bad-target"
    assert refused(position, event("revolt_1", land="asia")) == "bad-target"
    assert (
        refused(position, event("revolt_1", land="belgica"), place("aquitania", "revolt"))
        == "bad-from"
    )
    state = after(position, event("revolt_1", land="belgica"), END)
    assert state["effects"] == {}


def test_9_3_another_player_s_faction_with_two_players() -> None:
    seats = {"A": "red", "B": "blue", "C": "white", "D": "purple"}
    position = holding(
        "revolt_1", lands={"belgica": held("white"), "syria": held("purple")}, factions=seats
    )
    position |= {"players": {"A": "A", "B": "B", "C": "A", "D": "B"}}
    assert refused(position, event("revolt_1", land="belgica")) == "bad-target"
    assert after(position, event("revolt_1", land="syria"))["effects"] == {
        "revolt": {"land": "syria", "n": 2}
    }


def rebellion(*rounds: tuple[list[int], list[int]]) -> dict[str, Any]:
    created = {}
    for number, (attacker, defender) in enumerate(rounds, 1):
        created[f"{BASE}/event-rebellion_1/round-{number}/attacker"] = attacker
        created[f"{BASE}/event-rebellion_1/round-{number}/defender"] = defender
    return created


def test_9_3_half_the_legions_rebel_and_win() -> None:
    position = holding(
        "rebellion_1", lands={"belgica": held("blue", 3, city="whole", **fort("blue"))}
    )
    dice = rebellion(([2, 1], [3]), ([5, 1], [3]), ([4, 1], [3]), ([6, 1], [1]))
    dice |= {
        f"{BASE}/event-rebellion_1/round-3/attacker/reroll-1": [6, 2],
        f"{BASE}/event-rebellion_1/round-3/defender/reroll-1": [1],
    }
    del (
        dice[f"{BASE}/event-rebellion_1/round-4/attacker"],
        dice[f"{BASE}/event-rebellion_1/round-4/defender"],
    )
    state = after(position, event("rebellion_1", land="belgica"), dice=dice)
    assert (lands(state, "belgica"), state["lands"]["belgica"]["fort"]) == (
        [("rebel", 1, "whole")],
        None,
    )
    assert (state["lands"]["belgica"]["of"], state["losses"]["blue"]) == ("blue", 1)


def test_9_3_a_rebellion_put_down() -> None:
    position = holding("rebellion_1", lands={"belgica": held("blue", 2, **fort("blue", 2))})
    dice = rebellion(([4, 1], [3]))
    state = after(position, event("rebellion_1", land="belgica"), dice=dice)
    assert lands(state, "belgica") == [("blue", 1, None)]


def test_9_3_a_single_legion_goes_over_at_once() -> None:
    position = holding(
        "rebellion_1",
        lands={"belgica": held("blue"), "aquitania": held("parthi"), "syria": held("red")},
    )
    assert lands(after(position, event("rebellion_1", land="belgica")), "belgica") == [
        ("rebel", 1, None)
    ]
    assert refused(position, event("rebellion_1", land="aquitania")) == "bad-target"
    assert refused(position, event("rebellion_1", land="syria")) == "bad-target"


def stay(hold: bool = False) -> dict[str, Any]:
    return {"move": "retreat", "to": None, **({"hold": True} if hold else {})}


def go(land: str) -> dict[str, Any]:
    return {"move": "retreat", "to": land}


LOST = ([1, 1], [5])
WON = ([6, 6], [1])


def risen(n: int = 3, **more: Any) -> dict[str, Any]:
    """Return a position in which Blue has n Legions in Belgica and holds Germania beside it."""
    there = {
        "belgica": held("blue", n, **more.pop("belgica", {})),
        "germania_superior": held("blue", 1),
        **more.pop("lands", {}),
    }
    return holding("rebellion_1", lands=there, **more)


REBELLION = event("rebellion_1", land="belgica")


def test_9_3_before_each_later_round_of_a_rebellion_the_loyal_may_retreat() -> None:
    state = after(risen(), REBELLION, dice=rebellion(LOST))
    assert state["pending"] == {
        "kind": "retreat",
        "seat": "B",
        "land": "belgica",
        "to": ["germania_superior"],
        "amount": 0,
    }
    assert state["rebellion"] == {
        "card": "rebellion_1",
        "land": "belgica",
        "of": "blue",
        "rebels": 1,
        "round": 1,
        "hold": False,
    }
    assert lands(state, "belgica") == [("blue", 1, None)]
    assert state["hand"]["A"] == []
    state = after(risen(), REBELLION, go("germania_superior"), dice=rebellion(LOST))
    assert lands(state, "belgica", "germania_superior") == [("rebel", 1, None), ("blue", 2, None)]
    assert (state["pending"], state.get("rebellion"), state["lands"]["belgica"]["of"]) == (
        None,
        None,
        "blue",
    )


def test_9_3_no_retreat_in_the_first_round_of_a_rebellion() -> None:
    assert lands(after(risen(2), REBELLION, dice=rebellion(WON)), "belgica") == [("rebel", 1, None)]


def test_9_3_loyal_legions_that_stay_are_asked_again_unless_they_hold() -> None:
    begun = {"card": "rebellion_1", "land": "belgica", "of": "blue", "rebels": 3, "round": 1}
    board = {**GALLI, "belgica": held("blue", 3), "germania_superior": held("blue", 1)}
    asked = {"kind": "retreat", "seat": "B", "land": "belgica", "to": ["germania_superior"]}
    position = peoples("galli", board, rebellion=begun, pending=asked)
    rounds = rebellion(LOST, LOST, WON, LOST)
    second = {key: dice for key, dice in rounds.items() if "round-2" in key}
    state = after(position, stay(), dice=second)
    assert (
        state["rebellion"]["rebels"],
        state["rebellion"]["round"],
        state["pending"]["seat"],
    ) == (2, 2, "B")
    to_the_end = {key: dice for key, dice in rounds.items() if "round-1" not in key}
    state = after(
        position,
        stay(hold=True),
        dice=to_the_end
        | {key.replace("4", "5"): value for key, value in rounds.items() if "round-4" in key},
    )
    assert (state["pending"], lands(state, "belgica")) == (None, [("blue", 2, None)])


def test_9_3_after_a_retreat_the_rebels_fight_the_fort_which_stays() -> None:
    walls = {"belgica": fort("blue")}
    kept = after(risen(**walls), REBELLION, go("germania_superior"), dice=rebellion(LOST, LOST))
    assert lands(kept, "belgica", "germania_superior") == [(None, 0, None), ("blue", 2, None)]
    assert kept["lands"]["belgica"]["fort"] == {"who": "blue", "level": 1}
    fallen = after(risen(**walls), REBELLION, go("germania_superior"), dice=rebellion(LOST, WON))
    assert (lands(fallen, "belgica"), fallen["lands"]["belgica"]["fort"]) == (
        [("rebel", 1, None)],
        None,
    )


def test_9_3_a_rebellion_asks_no_seat_if_no_land_is_open() -> None:
    full = risen(lands={"germania_superior": held("blue", 3)})
    assert lands(after(full, REBELLION, dice=rebellion(LOST, WON)), "belgica") == [
        ("rebel", 1, None)
    ]
    alone = risen(lands={"germania_superior": held("galli")})
    assert after(alone, REBELLION, dice=rebellion(LOST, LOST))["pending"] is None


def test_9_3_the_faction_s_own_lone_fort_is_open_to_the_loyal() -> None:
    position = risen(lands={"germania_superior": fort("blue")})
    state = after(position, REBELLION, go("germania_superior"), dice=rebellion(LOST))
    assert lands(state, "belgica", "germania_superior") == [("rebel", 1, None), ("blue", 1, None)]


def test_9_3_surprise_does_not_touch_a_rebellion() -> None:
    state = after(risen(effects={"surprise": "belgica"}), REBELLION, dice=rebellion(LOST))
    assert state["pending"]["to"] == ["germania_superior"]
    assert state["effects"] == {"surprise": "belgica"}


@pytest.mark.parametrize("land", ["belgica", "aquitania"])
def test_9_3_a_combat_of_the_phase_stays_as_it_was(land: str) -> None:
    combat = {
        "land": land,
        "no": 1,
        "holder": "blue",
        "source": "lugdunensis",
        "round": 2,
        "standing": False,
    }
    position = risen(step="expand", combat=combat, lands={"aquitania": held("blue", 2)})
    before = after(position, REBELLION, dice=rebellion(LOST))
    gone = after(position, REBELLION, go("germania_superior"), dice=rebellion(LOST))
    assert before["combat"] == gone["combat"]
    assert (gone["combat"]["land"], gone["combat"]["round"], gone["combat"]["standing"]) == (
        land,
        2,
        False,
    )
    assert lands(gone, "belgica", "germania_superior") == [("rebel", 1, None), ("blue", 2, None)]


def test_9_3_the_table_waits_for_the_answer() -> None:
    moves = (risen(), REBELLION)
    assert (
        refused(*moves, place("aquitania", "lugdunensis"), dice=rebellion(LOST))
        == "pending-decision"
    )
    assert refused(*moves, END, dice=rebellion(LOST)) == "pending-decision"
    assert (
        refused(*moves, {"by": "A", **go("germania_superior")}, dice=rebellion(LOST))
        == "not-your-turn"
    )
    assert refused(*moves, go("belgica"), dice=rebellion(LOST)) == "bad-target"
    assert (
        refused(*moves, {"move": "retreat", "lands": ["germania_superior"]}, dice=rebellion(LOST))
        == "bad-arguments"
    )


def test_9_3_a_given_position_continues_at_the_question_about_a_retreat() -> None:
    begun = {
        "rebellion": {
            "card": "rebellion_1",
            "land": "belgica",
            "of": "blue",
            "rebels": 2,
            "round": 1,
        },
        "pending": {"kind": "retreat", "seat": "B", "land": "belgica", "to": ["germania_superior"]},
    }
    position = peoples(
        "galli",
        {**GALLI, "belgica": held("blue", 1), "germania_superior": held("blue", 3)},
        **begun,
    )
    position["pending"]["to"] = []
    second = {key.replace("round-1", "round-2"): dice for key, dice in rebellion(WON).items()}
    assert lands(after(position, stay(), dice=second), "belgica") == [("rebel", 2, None)]


def test_8_5_from_the_second_round_of_a_revolt_the_defender_may_retreat() -> None:
    position = risen(2, effects={"revolt": {"land": "belgica", "n": 2}})
    first = place("belgica", "revolt")
    state = after(position, first, go("germania_superior"), dice=throw(1, WON))
    assert lands(state, "belgica", "germania_superior") == [("galli", 1, None), ("blue", 2, None)]


def test_2_twelve_rebel_legions() -> None:
    there = {land: held("rebel", 3, of="blue") for land in ("asia", "syria", "arabia")} | {
        "italia": held("rebel", 2, of="blue")
    }
    position = holding("rebellion_1", lands={**there, "belgica": held("blue", 3)})
    dice = rebellion(([6, 1], [3]), ([6, 1], [3]))
    assert lands(after(position, event("rebellion_1", land="belgica"), dice=dice), "belgica") == [
        ("rebel", 1, None)
    ]


def test_2_no_thirteenth() -> None:
    there = {land: held("rebel", 3, of="blue") for land in ("asia", "syria", "arabia", "italia")}
    position = holding("rebellion_1", lands={**there, "belgica": held("blue", 3)})
    assert refused(position, event("rebellion_1", land="belgica")) == "bad-target"


def test_9_3_treachery_ends_a_combat() -> None:
    position = holding(
        "treachery", lands={"belgica": held("parthi", 3)}, control={"galli": "A", "parthi": "B"}
    )
    state = after(
        position,
        place("belgica", "lugdunensis"),
        event("treachery", land="belgica"),
        dice=throw(1, ([1, 1], [2])),
    )
    assert (lands(state, "belgica"), state["combat"], state["in_hand"]) == (
        [("galli", 1, None)],
        None,
        1,
    )


def test_9_3_no_fort_points_in_a_people_s_phase() -> None:
    position = holding("engineering_1")
    assert refused(position, event("engineering_1", use="forts")) == "wrong-phase"
    assert after(position, event("engineering_1", use="bridges"))["effects"] == {
        "ignore_terrain": True
    }


def test_9_3_treachery_opens_the_gates() -> None:
    there = {
        "belgica": held("blue", 3, city="whole", **fort("blue")),
        "syria": held("blue"),
        "aquitania": held("red"),
    }
    position = holding("treachery", lands=there)
    dice = {f"{BASE}/loot/belgica": [4]}
    state = after(position, event("treachery", land="belgica", loot=True), dice=dice)
    assert (lands(state, "belgica"), state["lands"]["belgica"]["fort"]) == (
        [("galli", 1, "looted")],
        None,
    )
    assert (state["in_hand"], state["vp"]["A"]["p"], state["losses"]["blue"]) == (2, 4, 3)
    assert lands(after(position, event("treachery", land="belgica")), "belgica") == [
        ("galli", 1, "whole")
    ]
    assert refused(position, event("treachery", land="syria")) == "not-adjacent"
    assert refused(position, event("treachery", land="aquitania")) == "bad-target"
    assert refused(position, event("treachery", land="narbonensis")) == "bad-target"
    assert refused(position | {"in_hand": 0}, event("treachery", land="belgica")) == "no-units"


def test_9_3_a_faction_takes_the_fort_over_and_does_not_loot() -> None:
    there = {"italia": held("red"), "cisalpina": held("blue", 2, city="whole", **fort("blue", 2))}
    position = faction(there, hand={"A": ["treachery"]})
    state = after(position, event("treachery", land="cisalpina"))
    assert state["lands"]["cisalpina"]["fort"] == {"who": "red", "level": 2}
    assert refused(position, event("treachery", land="cisalpina", loot=True)) == "cannot-loot"


def test_9_3_bridges_help_by_land_and_strait_not_overseas() -> None:
    there = {
        "italia": held("red"),
        "sicilia": held("parthi"),
        "raetia": held("parthi"),
        "cisalpina": held("red"),
    }
    position = faction(there, control={"parthi": "B"}, hand={"A": ["engineering_1"]})
    base = "turn-1/A/faction"
    dice = throw(1, ([5, 1], [4]), base=base) | throw(2, ([5, 1], [4]), base=base)
    state = after(
        position,
        event("engineering_1", use="bridges"),
        place("sicilia", "italia"),
        place("raetia", "cisalpina"),
        dice=dice,
    )
    assert lands(state, "sicilia", "raetia") == [("red", 1, None), ("red", 1, None)]
    far = position | {"lands": {"italia": held("red"), "syria": held("blue")}}
    dice = throw(1, ([5, 1], [4, 2]), base=base)
    assert (
        after(far, event("engineering_1", use="bridges"), place("syria", "sea"), dice=dice)[
            "lands"
        ]["syria"]["who"]
        == "red"
    )


def test_9_3_surprise_takes_ground_and_retreat_from_the_next_combat() -> None:
    there = {"cisalpina": held("blue", 2), "italia": held("blue"), "narbonensis": held("galli")}
    position = holding("surprise_1", lands=there)
    dice = throw(1, ([5, 1], [2]), ([5, 1], [2]))
    state = after(
        position,
        event("surprise_1", land="cisalpina"),
        place("cisalpina", "narbonensis"),
        dice=dice,
    )
    assert (lands(state, "cisalpina"), state["effects"], state["pending"]) == (
        [("galli", 1, None)],
        {},
        None,
    )
    assert refused(position, event("surprise_1", land="gallia")) == "unknown-land"


def test_9_3_surprise_is_spent_when_the_combat_is_given_up() -> None:
    there = {"cisalpina": held("parthi", 2), "narbonensis": held("galli")}
    position = holding("surprise_1", lands=there, control={"galli": "A", "parthi": "B"})
    to, away = place("cisalpina", "narbonensis"), place("belgica", "lugdunensis")
    dice = throw(1, ([1, 1], [2])) | throw(2, ([1, 1], [2, 2]))
    state = after(position, event("surprise_1", land="cisalpina"), to, away, to, dice=dice)
    assert (lands(state, "cisalpina"), state["effects"]) == ([("parthi", 2, None)], {})


def test_9_2_a_kingdom_drives_out_the_armies_in_its_land() -> None:
    there = {"aegyptus": held("blue", 2, city="whole"), "iudaea": held("blue", 2)}
    position = holding("kingdom_aegyptus_ptolemaica", lands=there)
    acts = (event("kingdom_aegyptus_ptolemaica"), place("aegyptus", "start", True))
    state = after(position, *acts, dice={f"{BASE}/loot/aegyptus": [2]})
    assert lands(state, "aegyptus", "iudaea") == [
        ("aegyptus_ptolemaica", 1, "looted"),
        ("blue", 3, None),
    ]
    assert (state["vp"]["A"]["p"], state["losses"]["blue"]) == (2, 1)

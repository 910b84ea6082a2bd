"""The page before a year's action, during commitments and when an offer waits (3.1, 4.5, 5.5).

The numbers are those of the prototypes, which another program computed.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from engine.language import use_language
from games.march_on_rome.page.questions import BroughtNumber, commitment, offer
from games.march_on_rome.page.targets import targets
from games.march_on_rome.rules import odds
from games.march_on_rome.text.english import LESSON
from games.march_on_rome.text.fights import Fight
from games.march_on_rome.text.phrases import PhrasePart
from tests.march_on_rome.table import at

OWNER = {
    "asia": "pc",
    "achaia": "pc",
    "illyrica": "pc",
    "italy": "npc-1",
    "africa": "npc-1",
    "egypt": "npc-1",
    "gaul": "npc-2",
    "noricum": "npc-2",
    "spain": "senate",
    "syria": "senate",
}


def year_three(**more: Any) -> Any:
    position = {
        "turn": 3,
        "owner": OWNER,
        "garrison": {"spain": 0, "syria": 1},
        "legions": {"pc": 10, "npc-1": 11, "npc-2": 7},
    }
    return at(**position | more)


def target_at(position: Any, key: str) -> dict[str, Any]:
    return next(target for target in targets(position) if target.key == key)


# The action ---------------------------------------------------------------------------------------


def test_neighbours_are_sorted_by_generals_and_chances() -> None:
    result = [
        (target.key, target.attack.text, target.ally.text) for target in targets(year_three())
    ]
    assert result == [
        ("noricum", "90%", "93%"),
        ("italy", "79%", "none"),
        ("syria", ">99%", ">99%"),
        ("dacia", "90%", "92%"),
        ("thrace", "90%", "92%"),
        ("armenia", "90%", "92%"),
    ]


def test_a_general_is_shown_with_all_possible_results() -> None:
    noricum = target_at(year_three(), "noricum")
    assert noricum.who == PhrasePart(holder="npc-2", name="Otho")
    assert (noricum.first.text, noricum.second.text, noricum.yes.text) == (
        "94%",
        "85%",
        "33%",
    )
    assert (noricum.kept_won, noricum.kept_lost) == ("8", "3")
    assert (noricum.legions, noricum.least, noricum.most) == (7, 3, 7)
    assert (noricum.also, noricum.lands, noricum.yearly) == (["Gaul"], 2, 4)
    assert sorted(noricum.new) == ["Gaul", "Germania"]
    assert not noricum.absorbed


def test_5_6_a_stronger_general_would_absorb_the_player() -> None:
    italy = target_at(year_three(), "italy")
    assert italy.absorbed
    assert italy.kind == "general"


def test_procurators_and_peoples_are_shown_with_the_known_facts() -> None:
    position = year_three(barbarians={"dacia": 6})
    assert target_at(position, "syria").legions == 1
    assert target_at(position, "syria").yes.text == "83%"
    assert target_at(position, "dacia").legions == 6
    assert target_at(position, "thrace").legions is None
    assert target_at(position, "thrace").yes.text == "17%"


def test_4_3_without_legions_nothing_can_be_attacked_and_an_empty_province_falls_for_sure() -> None:
    unarmed = target_at(year_three(legions={"pc": 0, "npc-1": 11, "npc-2": 7}), "noricum")
    assert not unarmed.can_attack
    spain = target_at(year_three(owner=OWNER | {"gaul": "pc"}), "spain")
    assert spain.walkover
    assert float(spain.attack.share) == 100


def test_one_neighbour_is_unfolded() -> None:
    assert [target.key for target in targets(year_three(), "italy") if target.open] == ["italy"]
    assert not [target.key for target in targets(year_three(), "spain") if target.open]


# The commitment -----------------------------------------------------------------------------------


def asked(typed: str = "", **more: Any) -> dict[str, Any]:
    """Return the page of a battle: Albinus attacks Noricum with ten legions.

    Otho has seven and the initiative, unless `more` changes it.
    """
    battle = {
        "no": 1,
        "target": "noricum",
        "attacker": "pc",
        "defender": "npc-2",
        "cause": "attack",
        "initiative": "defender",
        "devoted": {"attacker": None, "defender": None},
    } | more.pop("battle", {})
    side = "attacker" if battle["attacker"] == "pc" else "defender"
    position = year_three(
        battle=battle, pending={"kind": "devote", "side": side}, battle_no=1, **more
    )
    totals = {side: position.total(side, battle) for side in ("attacker", "defender")}
    fight = Fight(
        1,
        battle["target"],
        battle["attacker"],
        battle["defender"],
        battle["cause"],
        totals,
        battle["initiative"],
    )
    return commitment(position, fight, typed)


def test_4_5_each_number_is_compared_with_each_die_of_the_rival() -> None:
    result = asked()
    assert (result.best, result.least, result.mine, result.theirs, result.first) == (
        10,
        1,
        10,
        7,
        False,
    )
    assert result.splits == [
        BroughtNumber(brings=5, dice="1"),
        BroughtNumber(brings=6, dice="2"),
        BroughtNumber(brings=7, dice="3–6"),
    ]
    rows = {row.legions: row for row in result.rows}
    assert list(rows) == [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]
    assert [row.win.text for row in rows.values()] == [
        "85%",
        "77%",
        "70%",
        "60%",
        "38%",
        "20%",
        "9%",
        "3%",
        "1%",
        "<1%",
    ]
    assert rows[10].splits == ["93%", "88%", "83%"]
    assert rows[7].splits == ["88%", "73%", "49%"]
    assert (rows[10].x, rows[8].x, rows[6].x) == ("2", "1 or 2", "1")
    assert (rows[10].kept_won, rows[10].kept_lost, rows[6].kept_lost) == (
        "7.4",
        "2.6",
        "7.6",
    )
    assert [row.legions for row in result.rows if row.is_best] == [10]


@pytest.mark.parametrize("initiative", ["attacker", "defender"])
@pytest.mark.parametrize("legions", [3, 7, 13, 21])
def test_4_5_no_other_number_is_better_by_more_than_half_a_percentage_point(
    initiative: str, legions: int
) -> None:
    """The page says this beside the number that it recommends."""
    battle = {
        "no": 1,
        "target": "noricum",
        "attacker": "pc",
        "defender": "npc-2",
        "cause": "attack",
        "initiative": initiative,
        "devoted": {"attacker": None, "defender": 5 if initiative == "attacker" else None},
    }
    armies = {"legions": {"pc": legions, "npc-1": 11, "npc-2": 7}}
    position = year_three(
        battle=battle, pending={"kind": "devote", "side": "attacker"}, battle_no=1, **armies
    )
    rows, advised = odds.commitments(position), odds.advised_commitment(position)
    chances = {row.legions: row.win for row in rows}
    assert len(chances) > 1
    assert max(chances.values()) - chances[advised] <= Fraction(1, 200)


def test_3_5_the_lesson_teaches_the_victory_of_the_rules() -> None:
    with use_language("en"):
        assert LESSON.read()["steps"]["on"]["text"] == (
            "You win if, at the end of a year, you hold at least three provinces and no rival "
            "is alive. You lose when you hold no province."
        )


def test_4_5_the_rivals_die_is_explained() -> None:
    result = [(list(row.faces), row.percent, row.bare, row.first) for row in asked().die]
    assert result == [
        ([1], 40, 3, 5),
        ([2], 50, 4, 6),
        ([3, 4], 70, 5, 7),
        ([5], 85, 6, 7),
        ([6], 100, 7, 7),
    ]


def test_the_page_shows_the_returning_legions() -> None:
    result = asked()
    assert {row.legions: row.text for row in result.spread} == {
        10: "23%",
        8: "29%",  # 29.52%: rounded alone it would be 30%, and the sum 101%
        6: "22%",
        4: "14%",
        2: "7%",
        0: "5%",
    }
    assert (result.won.text, result.lost.text) == ("85%", "15%")


def test_the_chances_of_all_ends_add_up_to_100() -> None:
    both = odds.percents([Fraction(845, 1000), Fraction(155, 1000)])
    assert both == ["85%", "15%"], "rounded target_at by target_at they would be 85% and 16%"
    assert odds.percents([Fraction(996, 1000), Fraction(4, 1000)]) == [">99%", "<1%"]
    assert odds.percents([Fraction(1), Fraction(0)]) == ["100%", "0%"]
    assert odds.percents([Fraction(1, 3)] * 3) == ["34%", "33%", "33%"]


def test_the_page_shows_what_follows() -> None:
    follows = asked().consequences
    assert (follows.mine, follows.mine_then, follows.theirs, follows.theirs_then) == (
        3,
        4,
        2,
        1,
    )
    assert follows.rest == ["Gaul"]


@pytest.mark.parametrize(
    ("typed", "chosen"),
    [("", 10), ("7", 7), ("0", 10), ("11", 10), ("many", 10), ("-3", 10), ("²", 10)],
)
def test_a_typed_number_stays_selected_if_it_is_possible(typed: str, chosen: int) -> None:
    result = asked(typed)
    assert result.chosen == chosen
    assert [row.legions for row in result.rows if row.is_chosen] == [chosen]


def test_with_the_initiative_the_rivals_number_is_known() -> None:
    result = asked(battle={"initiative": "attacker", "devoted": {"attacker": None, "defender": 4}})
    assert (result.known, result.first, result.die, result.splits) == (4, True, [], [])


def test_4_5_a_defender_may_give_the_province_up() -> None:
    result = asked(
        battle={
            "attacker": "npc-1",
            "defender": "pc",
            "target": "illyrica",
            "initiative": "attacker",
        }
    )
    assert (result.least, result.side, result.foe.name) == (0, "defender", "Galba")
    last = result.rows[-1]
    assert (last.legions, last.nothing, last.kept_lost) == (0, True, "10.0")
    assert float(last.win.share) == 0


def test_6_1_legions_committed_against_an_invasion_die_if_they_lose() -> None:
    result = asked(
        battle={
            "attacker": "barbarians",
            "defender": "pc",
            "target": "asia",
            "cause": "invasion",
            "initiative": "attacker",
            "horde": 6,
            "devoted": {"attacker": 6, "defender": None},
        }
    )
    assert (result.doomed, result.least, result.general, result.known) == (
        True,
        0,
        False,
        6,
    )
    ten = result.rows[0]
    assert (ten.legions, ten.kept_lost) == (10, "0.0")


def test_a_great_army_has_no_row_for_every_legion() -> None:
    result = asked("41", legions={"pc": 90, "npc-1": 11, "npc-2": 70})
    numbers = [row.legions for row in result.rows]
    assert not result.all_rows
    assert len(numbers) <= 30
    assert {41, result.best, 1} <= set(numbers)


# The answer ---------------------------------------------------------------------------------------


def test_5_5_a_stronger_rival_asks() -> None:
    result = offer(
        year_three(
            phase="npc", queue=[], pending={"kind": "answer", "from": "npc-1", "target": "illyrica"}
        )
    )
    assert (result.who.name, result.name, result.theirs, result.mine) == (
        "Galba",
        "Illyrica",
        11,
        10,
    )
    assert (result.their_lands, result.mine_lands, result.last, result.source) == (
        3,
        3,
        False,
        "italy",
    )
    assert 0 < float(result.hold.share) < 100


def test_5_5_the_answer_of_a_player_with_one_province() -> None:
    owner = {"achaia": "pc", "italy": "npc-1"}
    position = at(
        phase="npc",
        queue=[],
        owner=owner,
        legions={"pc": 2, "npc-1": 9},
        pending={"kind": "answer", "from": "npc-1", "target": "achaia"},
    )
    assert offer(position).last

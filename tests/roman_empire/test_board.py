"""The board on which a phase is composed (games.roman_empire.page).

The tests cover the document for the script, conditional moves and the film.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.dice import Dice
from engine.errors import IllegalMove
from engine.play import play
from games.contract.pages import LoggedMove
from games.roman_empire.page.composing import document
from games.roman_empire.page.film import film
from games.roman_empire.page.pages import EmpirePages
from tests.roman_empire.table import END, TITLE, TWO, at, held, place, throw
from tests.roman_empire.test_web import Table, seated, table

__all__ = ["table"]

PAGES = EmpirePages()
THERE = {
    "dacia": held("daci", 2),
    "moesia": held("blue", 1, city="whole"),
    "tracia": held("blue", 1),
}


def daci(**more: Any) -> Any:
    given = {
        "factions": TWO,
        "control": {"daci": "A"},
        "current": "daci",
        "in_hand": 4,
        "step": "expand",
        "lands": THERE,
    }
    return at(**{**given, **more})


def test_the_document_has_ways_chances_and_points() -> None:
    shown = document(daci(), mine=True)
    now = shown["play"]
    assert shown["lands"]["dacia"] == ["daci", 2, None, None, 0]
    assert shown["groups"]["blue"] == ["the blue Faction", "B", "faction"]
    assert (now["hand"], now["group"], now["home"], now["near"]["dacia"]["moesia"]) == (
        4,
        "daci",
        "dacia",
        0,
    )
    assert now["fights"]["moesia"]["e"] == [
        [69, 91, 97, 99, 99, 99, 99, 99, 99, 99],
        "two dice",
        "one die",
    ]
    assert (now["fights"]["moesia"]["loot"], now["fights"]["moesia"]["asks"]) == (True, True)
    assert "dacia" not in now["fights"]
    assert now["score"] == [2]
    assert "play" not in document(daci(), mine=False)


def test_the_document_contains_no_hands_and_counters() -> None:
    """Two games that differ only in hidden facts give the same document."""
    one = daci(
        hand={"A": ["leader_1"], "B": ["revolt_1"]}, counters={"A": {"people": 1, "emperor": 2}}
    )
    other = daci(hand={"A": ["revolt_1"], "B": []}, counters={"A": {"people": 1, "emperor": 3}})
    for mine in (True, False):
        assert document(one, mine) == document(other, mine)


@pytest.mark.parametrize(
    ("condition", "wanted"),
    [
        ({"fights": "moesia"}, True),
        ({"fights": "dacia"}, False),
        ({"won": ["dacia"]}, True),
        ({"won": ["dacia", "moesia"]}, False),
        ({"unbroken": "moesia"}, True),
        ({}, True),
    ],
)
def test_a_move_may_depend_on_the_results_of_others(
    condition: dict[str, Any], wanted: bool
) -> None:
    assert PAGES.wanted(daci(), condition) is wanted


def test_a_loss_stops_a_list_that_stops_at_the_first_loss() -> None:
    lost = daci(combat={"land": "moesia", "no": 1, "standing": False, "round": 1})
    assert PAGES.wanted(lost, {"unbroken": "moesia"}) is False
    assert PAGES.wanted(lost, {"unbroken": "tracia"}) is True


@pytest.mark.parametrize(
    "condition",
    [{"luck": 3}, {"fights": "roma"}, {"won": "roma"}, {"won": [["dacia"]]}, {"fights": 7}],
)
def test_invalid_conditions_are_refused(condition: dict[str, Any]) -> None:
    with pytest.raises(IllegalMove) as refused:
        PAGES.wanted(daci(), condition)
    assert refused.value.code == "bad-arguments"


def rendered(position: Any, dice: dict[str, Any], *moves: Any) -> list[LoggedMove]:
    entries, thrown = [], Dice(7, fixed=dice)
    for number, move in enumerate(moves, 1):
        played = play(position, TITLE.decode(move, position), thrown)
        position = played.after
        entries.append(LoggedMove(number, move, "A", played.effects, played.rolls, 1))
    return entries


def test_a_fight_is_shown_before_its_result() -> None:
    position = daci(lands={key: THERE[key] for key in ("dacia", "moesia")})
    dice = throw(1, ([2, 1], [5])) | throw(1, ([6, 3], [2]), first=2)
    frames = film(
        position,
        rendered(
            position, dice, place("moesia", "dacia", False), place("moesia", "dacia", False), END
        ),
    )
    rounds = [frame for frame in frames if frame.dice]
    assert [frame.intro for frame in rounds] == ["Moesia, round 1.", "Moesia, round 2."]
    assert [[die.value for die in frame.dice] for frame in rounds] == [[2, 1, 5], [6, 3, 2]]
    assert [die.label for die in rounds[0].dice] == ["Daci", "Daci", "the blue Faction"]
    assert "the defender wins" in rounds[0].say
    assert not any(word in frame.intro for frame in frames for word in ("wins", "lose", "conquer"))
    taken = next(
        frame for frame in frames if frame.say == "The Daci conquer Moesia from the blue Faction."
    )
    assert taken.changes[0] == {
        "kind": "march",
        "from": "dacia",
        "to": "moesia",
        "seat": "A",
        "faction": False,
    }
    assert taken.changes[-1]["now"] == ["daci", 1, "whole", None, 0]
    assert frames[-1].say.startswith("Seat A scores")
    assert [frame.at for frame in frames] == sorted(frame.at for frame in frames)


def test_a_film_shows_only_what_its_reader_may_see(table: Table) -> None:
    """The film is made from each reader's log.

    The seat that draws a counter sees it, the others do not.
    """
    table.post("gm", do="begin", then="on")
    who = table.position.active.lower()
    table.post(who, do="draw")
    texts = {reader: table.text(reader, "film/?since=0") for reader in "abc"}
    assert [reader for reader, text in texts.items() if "the counter shows" in text.lower()] in (
        [],
        [who],
    )


def test_a_march_is_one_request_and_skips_moves_that_are_no_longer_needed(person: Any) -> None:
    table = seated(person)
    table.until(lambda p: p.phase == "people" and p.step == "start")
    who = table.position.active.lower()
    home, group = document(table.position, True)["play"]["home"], table.position.current
    table.campaign.refresh_from_db()
    seen = board_seen(table, who)
    moves = [
        {"move": "place", "land": home, "from": "start"},
        {"move": "place", "land": home, "from": home, "if": {"fights": home}},
        {"move": "place", "land": home, "from": home, "if": {"won": [home]}},
        {"move": "end_phase"},
    ]
    body = json.dumps({"seen": seen, "moves": moves, "then": "on"})
    answer = table.clients[who].post(table.home + "moves/", body, content_type="application/json")
    content = answer.json()
    assert (
        answer.status_code,
        content["played"],
        content["skipped"],
        content["left"],
        content["why"],
    ) == (200, 3, [1], [], None)
    assert (table.position.lands[home].who, table.position.lands[home].n) == (group, 2)
    assert table.position.current != group  # the next phase has opened automatically
    assert [frame["say"] for frame in content["frames"]][:1] != []
    refused = json.dumps(
        {"seen": content["seen"], "moves": [{"move": "end_phase", "if": {"luck": 1}}]}
    )
    holder = str(table.position.active).lower()
    assert table.clients[holder].post(
        table.home + "moves/", refused, content_type="application/json"
    ).status_code in (409, 422)


def board_seen(table: Table, who: str) -> int:
    from campaign.log import selectors

    return int(selectors.seen(table.campaign, table.people[who]))


def test_the_board_of_a_plan_shows_the_position_after_it(person: Any) -> None:
    """Moves without dice are previewed.

    No move is played, and the document is that of the position after them.
    """
    table = seated(person)
    table.until(lambda p: p.phase == "people" and p.step == "start")
    who = table.position.active.lower()
    home = document(table.position, True)["play"]["home"]
    body = json.dumps(
        {
            "seen": board_seen(table, who),
            "moves": [{"move": "place", "land": home, "from": "start"}],
            "plan": True,
        }
    )
    answer = (
        table.clients[who].post(table.home + "moves/", body, content_type="application/json").json()
    )
    assert (answer["count"], answer["board"]["lands"][home][1]) == (1, 1)
    assert table.position.lands[home].n == 0

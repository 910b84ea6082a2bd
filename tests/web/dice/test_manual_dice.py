"""Dice entered by hand: the banner, the game master's form, the marks on entered rolls."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.web.contests import visible_text
from tests.web.grand_table import GrandTable, draft, grand_table, new_campaign

__all__ = ["draft", "grand_table", "new_campaign"]

ROLL = "https://forum.example/roll/7"
CARDS = {
    f"turn-1/card/{nation}": "35"
    for nation in ("huns", "romans", "sassanids", "vandals", "hephtalites", "kushans")
}


def post(grand_table: GrandTable, who: str, do: str, **more: str) -> Any:
    return grand_table.post(who, "dice/by-hand/", do=do, follow=True, **more)


@pytest.fixture
def waiting(draft: GrandTable) -> GrandTable:
    post(draft, "gm", "on")
    draft.play("gm", "start")
    return draft


def test_the_game_master_turns_it_on_and_off(draft: GrandTable) -> None:
    page = draft.text("gm", "dice/")
    assert "Enter dice by hand from now on" in page
    assert "Dice by hand" not in draft.text("hun", "dice/")
    assert "Let the program throw the dice again" in visible_text(post(draft, "gm", "on"))
    assert "From now on dice are thrown elsewhere and entered by hand." in visible_text(
        draft.text("nobody", "log/")
    )
    for who in ("hun", "nobody"):
        shown = visible_text(draft.text(who, "dice/"))
        assert "every new die is thrown elsewhere" in shown
        assert "waits until the game master has entered it" in shown
        assert "Let the program throw the dice again" not in shown
    assert "Enter dice by hand from now on" in visible_text(post(draft, "gm", "off"))


def test_all_readers_see_the_die_that_the_table_waits_for(waiting: GrandTable) -> None:
    for who in ("gm", "hun", "nobody"):
        assert "The table is waiting for a die: start" in visible_text(waiting.text(who))
    asked = visible_text(waiting.text("gm", "dice/"))
    assert "turn-1/card/huns d100" in asked
    assert "Take back the announcement" not in visible_text(waiting.text("hun", "dice/"))


def test_an_entered_die_is_marked(waiting: GrandTable) -> None:
    dice = {f"die:{purpose}": value for purpose, value in {"start": "4", **CARDS}.items()}
    answer = post(waiting, "gm", "give", url=ROLL, **dice)
    assert "The dice have been entered and the move has been made." in visible_text(answer)
    waiting.campaign.refresh_from_db()
    assert waiting.campaign.turn == 1
    dice = waiting.text("nobody", "dice/")
    assert dice.count("by hand</span>") == 7
    assert dice.count(f'href="{ROLL}"') == 7
    assert (
        "None of these rolls was made from a published key: they were entered by hand"
        in visible_text(dice)
    )
    listed = json.loads(waiting.get("nobody", "dice/rolls.json").content)["rolls"]
    assert {roll.get("hand") for roll in listed} == {True}
    number = next(roll["entry"] for roll in listed)
    assert visible_text(waiting.text("nobody", f"e/{number}/")).count("by hand") == 7


def test_wrong_values_are_refused(waiting: GrandTable) -> None:
    for value in ("0", "7", "x", "", "4.5", "9" * 40):
        content = visible_text(post(waiting, "gm", "give", **{"die:start": value}))
        assert (
            "whole number from 1 to 6" in content
            or "Enter the die that the announced move is waiting for." in content
        )
    answer = post(waiting, "gm", "give", url="javascript:alert(1)", **{"die:start": "4"})
    assert "Give the address of the post" in visible_text(answer)
    assert 'max="6" value="4"' in answer.content.decode()
    waiting.campaign.refresh_from_db()
    assert waiting.campaign.turn == 0


def test_an_unknown_die_and_a_side_that_it_does_not_have_are_refused(
    grand_table: GrandTable,
) -> None:
    for purpose, value, why in (
        ("turn-2/card/huns", "101", "This die has no side 101."),
        (
            "turn-2/card/nobody",
            "50",
            "No die has this purpose. Enter the purpose as the Dice page shows it",
        ),
    ):
        answer = grand_table.post(
            "gm", "dice/by-hand/", do="ahead", purpose=purpose, value=value, url=ROLL
        )
        beside = answer.content.decode().partition('id="h-hand"')[
            2
        ]  # on a phone the form is shown, not the head of the page
        assert (answer.status_code, why in beside) == (422, True)
        for typed in (purpose, value, ROLL):  # what was typed is not lost
            assert f'value="{typed}"' in answer.content.decode()


def test_only_the_game_master_enters_dice(waiting: GrandTable) -> None:
    for who, status in (("hun", 403), ("stranger", 403)):
        assert (
            waiting.post(who, "dice/by-hand/", do="give", **{"die:start": "4"}).status_code
            == status
        )
    assert (
        waiting.post("nobody", "dice/by-hand/", do="give", **{"die:start": "4"}).status_code == 302
    )


def test_an_entered_die_can_be_taken_back(waiting: GrandTable) -> None:
    assert "The announcement has been taken back." in visible_text(post(waiting, "gm", "drop"))
    assert "The table is waiting for a die" not in visible_text(waiting.text("gm"))


def test_the_desk_says_that_a_move_waits_for_dice(grand_table: GrandTable) -> None:
    """A turn opens with cards and events: it waits for the first of their dice to be entered."""
    while grand_table.campaign.active_seat:
        grand_table.play(grand_table.campaign.active_seat, "end-slot")
    post(grand_table, "gm", "on")
    answer = grand_table.post(
        "gm",
        "desk/",
        do="turn",
        move="open-turn",
        seen=str(grand_table.seen("gm")),
        sure="1",
        follow=True,
    )
    assert "Announced. The move is waiting for a die that is thrown elsewhere." in visible_text(
        answer
    )
    grand_table.campaign.refresh_from_db()
    assert grand_table.campaign.turn == 1
    assert "The table is waiting for a die: turn-2/card/" in visible_text(
        grand_table.text("hun", "n/huns/")
    )

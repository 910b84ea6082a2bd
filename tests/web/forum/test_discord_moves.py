"""Moves and battles at Discord: their costs, sieges, and the button for the next move."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.web.contests import play_to_turn, siege
from tests.web.forum.test_discord import (
    HUN,
    ROMAN,
    application,
    buttons,
    command,
    grand_table,
    link,
    linked,
    menu,
    new_campaign,
    press,
)
from tests.web.grand_table import GrandTable, campaign_in_huns_slot

__all__ = ["application", "grand_table", "linked", "new_campaign", "siege"]
pytestmark = pytest.mark.django_db


def costs(answer: dict[str, object]) -> dict[str, str]:
    """Return the notes of a menu's options by label."""
    data = answer["data"]
    assert isinstance(data, dict)
    options = data["components"][0]["components"][0]["options"]
    return {option["label"]: option.get("description", "") for option in options}


def test_the_cost_of_a_move_and_what_remains_are_shown(linked: GrandTable) -> None:
    answer = command("moves")
    assert answer["data"]["content"] == "**The Long Frontier**\nYou have 2½ actions."
    shown = costs(answer)
    assert (shown["Hamlets"], shown["Land attack"], shown["End turn"]) == (
        "½ action",
        "1 action",
        "",
    )
    custom, options = menu(answer)
    assert press(custom, HUN, options["Hamlets"])["data"]["content"].splitlines()[:2] == [
        "**Build Hamlets**",
        "Costs ½ action; 2 actions left",
    ]


def test_the_next_move_is_one_button_away(linked: GrandTable) -> None:
    custom, options = menu(command("moves"))
    looked = press(custom, HUN, options["Hamlets"])
    done = press(buttons(looked)["Announce"])
    assert done["data"]["content"].splitlines()[-1] == "You have 2 actions."
    assert list(buttons(done)) == ["Next move", "Open the table"]
    after = press(buttons(done)["Next move"])
    assert (after["type"], after["data"]["flags"]) == (7, 64)
    assert after["data"]["content"] == "**The Long Frontier**\nYou have 2 actions."
    custom, options = menu(after)
    ended = press(buttons(press(custom, HUN, options["End turn"]))["Announce"])
    assert list(buttons(ended)) == ["Open the table"]
    late = press(buttons(done)["Next move"])
    assert late["data"]["content"] == "Huns cannot announce anything now."
    other = press(buttons(done)["Next move"], ROMAN)
    assert other["data"]["content"] == "Romans cannot announce anything now."


def test_an_attack_on_walls_is_called_a_siege(new_campaign: Callable[..., GrandTable]) -> None:
    table = campaign_in_huns_slot(new_campaign)
    play_to_turn(table, 2, {"romans": [("fortify", {"province": "dalmatia"})] * 2})
    table.slot_to("huns")
    link(table, "hun", HUN)
    custom, options = menu(command("moves"))
    custom, sources = menu(press(custom, HUN, options["Land attack"]))
    custom, lines = menu(press(custom, HUN, sources["Pannonia"]))
    walls = press(custom, HUN, lines["Attack Dalmatia from Pannonia (land attack, open battle)"])
    siege_line = walls["data"]["content"].splitlines()[2]
    assert siege_line.startswith(
        "• If you win: Siege fails, Dalmatia stays with the Romans: 50%; Siege succeeds, "
        "Dalmatia to the Huns, Walls lost: 50%; Huns: "
    )
    open_land = press(
        custom, HUN, lines["Attack Moesia Prima from Pannonia (land attack, open battle)"]
    )
    assert "Siege" not in open_land["data"]["content"]


def test_a_battle_before_walls_is_called_a_siege(siege: GrandTable) -> None:
    link(siege, "hun", HUN)
    assert command("battle")["data"]["content"].startswith(
        "**#1 Pannonia → Dalmatia** (land attack, then a siege)\nHuns – Romans: "
    )

"""The sheet of a running campaign: written, read again, and played on."""

from __future__ import annotations

import csv
import io
from random import Random

import pytest

from engine.dice import Dice
from engine.language import use_language
from engine.play import perform
from games.grand_campaign.bots.players import GrandPlayers
from games.grand_campaign.rules.moves import decode
from games.grand_campaign.rules.position import Options, Position
from games.grand_campaign.rules.scenario import load
from games.grand_campaign.rules.view import state
from games.grand_campaign.text.resume_sheet import (
    TypedSheet,
    as_table,
    read_move,
    read_table,
    starting,
    typed_from,
)

SCENARIO = load("420ad")
SEED = "taken over"
PALACE = (
    "“Palace” is not a structure of this track. The track has: Hamlets, Villages, Oppida, "
    "Boroughs, Towns. You can also give the number of structures that are built."
)


def until(position: Position, dice: Dice, rng: Random, closed: int) -> Position:
    """Play on with the steady programs until this turn has closed, or to the end."""
    while position.turn < closed or position.phase not in ("closed", "finished"):
        raw = GrandPlayers.by_name["steady"](position, rng)
        assert raw is not None
        perform(position, decode(raw, position), dice)
        dice.thrown.clear()
    return position


@pytest.mark.parametrize("language", ["en", "it"])
def test_a_campaign_goes_on_elsewhere_to_the_same_end_with_the_same_dice(language: str) -> None:
    here = until(Position(SCENARIO, Options()), dice := Dice(6, seed=SEED), Random("1"), 4)
    with use_language(language):
        rows = as_table(typed_from(here, lambda _nation: True), SCENARIO)
        text = io.StringIO()
        csv.writer(text, delimiter=";").writerows(rows)
        there, sheet = Position(SCENARIO, Options()), TypedSheet()
        assert read_table(text.getvalue(), SCENARIO, there, sheet) == []
        sheet.reason = "It ran in the old thread."
        raw, wrong = read_move(sheet, SCENARIO, there)
    assert wrong == []
    perform(there, decode(raw, there), Dice(6, seed=SEED))
    as_it_stood, as_it_stands = state(here), state(there)
    assert as_it_stood.pop("attacks") != []
    assert as_it_stands.pop("attacks") == []
    for nation in (*as_it_stood["nations"].values(), *as_it_stands["nations"].values()):
        nation["structures"].sort()  # the sheet lists them by track
    assert as_it_stands == as_it_stood
    assert there.led_last == here.led_last
    until(here, dice, Random("2"), 6)
    until(there, Dice(6, seed=SEED), Random("2"), 6)
    assert there.phase == here.phase == "finished"
    assert there.standings == here.standings


def test_an_unreadable_value_is_reported_with_its_place_and_the_nearest_name() -> None:
    position = Position(SCENARIO, Options())
    sheet = starting(SCENARIO, position)
    sheet.turn, sheet.first, sheet.reason = "two", "Hunns", ""
    sheet.nations["huns"] |= {
        "hand": "Spy, Reinforcments",
        "architecture": "Palace",
        "barracks": "maybe",
        "army": "16oo",
    }
    sheet.provinces = ["Dalmatja, Huns, Wals", "Sicilia"]
    sheet.truces = ["Huns, Romans"]
    _raw, wrong = read_move(sheet, SCENARIO, position)
    assert [tuple(fault) for fault in wrong] == [
        ("turn", "“two” is not a whole number."),
        ("first", "“Hunns” is not the name of a nation in this scenario. Did you mean Huns?"),
        ("reason", "Say where the campaign was played until now. Everyone can read it."),
        ("nations.huns.army", "“16oo” is not a whole number."),
        ("nations.huns.hand", "“Reinforcments” is not a card. Did you mean Reinforcements?"),
        ("nations.huns.architecture", PALACE),
        ("nations.huns.barracks", "“maybe” is neither yes nor no."),
        (
            "provinces.1",
            "“Dalmatja” is not the name of a province in this scenario. Did you mean Dalmatia?",
        ),
        ("provinces.1", "“Wals” is neither a fortification nor “fleet”."),
        (
            "truces.1",
            (
                "“Huns, Romans”: give two nations and the last turn of the truce, separated by "
                "commas."
            ),
        ),
    ]


def test_a_spreadsheet_needs_only_the_columns_that_differ() -> None:
    position = Position(SCENARIO, Options())
    sheet = starting(SCENARIO, position)
    pasted = "Nazione\tPrestigio\tVP\tColour\nUnni\t9\t4\tbrown\nPersians\t1\t1\tgreen\nRomans\t8\t3\tred"  # noqa: E501
    wrong = read_table(pasted, SCENARIO, position, sheet)
    assert [fault.sentence for fault in wrong] == [
        "The column “Colour” is unknown and was ignored.",
        "Line 3: “Persians” is not the name of a nation in this scenario.",
    ]
    assert (sheet.nations["huns"]["prestige"], sheet.nations["huns"]["income"]) == ("9", "450")
    assert sheet.nations["romans"]["victory_points"] == "3"


def test_headings_of_earlier_translations_are_read() -> None:
    position, sheet = Position(SCENARIO, Options()), TypedSheet()
    text = (
        "Turno chiuso;4\nHa aperto il turno 1;Unni\n"
        "Nazione;Architettura;Belagerungsparks\nUnni;Borghi;2\n"
    )
    assert read_table(text, SCENARIO, position, sheet) == []
    assert (sheet.turn, sheet.first) == ("4", "Unni")
    assert sheet.nations["huns"] == {"architecture": "Borghi", "siege_trains": "2"}


def test_hands_that_the_reader_may_not_see_stay_empty() -> None:
    here = until(Position(SCENARIO, Options(hidden=True)), Dice(6, seed=SEED), Random("1"), 2)
    sheet = typed_from(here, lambda nation: nation == "huns")
    assert {key for key, row in sheet.nations.items() if row["hand"]} <= {"huns"}

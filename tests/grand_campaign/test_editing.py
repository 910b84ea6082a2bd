"""The editor of scenarios: what each act changes in scenario and drawing, which stay consistent."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from campaign.drafts import apply_patch, difference
from engine.errors import MalformedRecord
from games.grand_campaign.drawing import editing
from games.grand_campaign.drawing.drawing import SCENARIOS
from tests.grand_campaign.campaigns import TITLE

EXAMPLE = json.loads((Path(__file__).parents[2] / "static/examples/three_peoples.json").read_text())
MAP = {
    "scenario": TITLE.scenarios()["420ad"],
    "drawing": json.loads((SCENARIOS / "420ad/drawing.json").read_text()),
}


@pytest.fixture(scope="module")
def small() -> dict[str, Any]:
    return TITLE.begun(EXAMPLE, "")


@pytest.fixture(scope="module")
def great() -> dict[str, Any]:
    return TITLE.begun(MAP, "Another 420")


def row(bundle: dict[str, Any], key: str) -> Any:
    rows = (*bundle["scenario"]["provinces"], *bundle["scenario"]["nations"])
    return next(row for row in rows if row["key"] == key)


def whole(bundle: dict[str, Any]) -> None:
    """Assert that the bundle can be published, with no fault in scenario or drawing."""
    assert TITLE.scenario_faults(bundle["scenario"]) == []
    text, faults = TITLE.drawing(bundle["scenario"], bundle["drawing"])
    assert [str(fault) for fault in faults] == []
    assert text


def test_editing_starts_from_a_scenario_with_or_without_a_drawing(small: Any, great: Any) -> None:
    assert (great["scenario"]["name"], great["scenario"]["key"]) == ("Another 420", "another-420")
    assert great["drawing"]["provinces"]["achaia"]["seat"]["name"] == "Corinthus"
    laid = TITLE.begun({"scenario": EXAMPLE["scenario"], "drawing": None}, "")
    for bundle in (small, great, laid):
        whole(bundle)
    with pytest.raises(MalformedRecord, match=r"scenario\.turns: must be a whole number"):
        TITLE.begun({"scenario": EXAMPLE["scenario"] | {"turns": "six"}, "drawing": None}, "")


def test_acts_on_provinces(great: Any) -> None:
    painted = TITLE.edited(
        great, {"act": "owner", "provinces": ["aegyptus", "cyrenaica"], "owner": "romans"}
    )
    assert [
        (row(painted, key)["owner"], row(painted, key)["kind"]) for key in ("aegyptus", "cyrenaica")
    ] == [("romans", "nation")] * 2
    assert row(great, "aegyptus")["owner"] is None, "the bundle before it stays"
    named = TITLE.edited(
        painted,
        {"act": "province", "province": "aegyptus", "name": "Ptolemaic  Egypt", "fleet": True},
    )
    assert (row(named, "aegyptus")["name"], row(named, "aegyptus")["fleet"]) == (
        "Ptolemaic Egypt",
        True,
    )
    whole(named)
    free = TITLE.edited(named, {"act": "owner", "provinces": ["aegyptus"], "owner": "independent"})
    assert {"fleet", "fortification"} & set(row(free, "aegyptus")) == set()
    walled = TITLE.edited(named, {"act": "works", "province": "aegyptus", "works": "walls"})
    assert row(walled, "aegyptus")["fortification"] == "walls"
    assert "fortification" not in row(
        TITLE.edited(walled, {"act": "works", "province": "aegyptus", "works": "walls"}), "aegyptus"
    )
    capital = TITLE.edited(named, {"act": "capital", "province": "aegyptus"})
    assert row(capital, "romans")["capital"] == "aegyptus"
    whole(capital)


@pytest.mark.long
def test_removed_borders_and_routes_take_their_drawing_along(great: Any) -> None:
    cut = TITLE.edited(great, {"act": "border", "a": "macedonia", "b": "achaia"})
    _drawing, touching, faults = editing.drawn(cut)
    assert (touching, faults) == ([("achaia", "macedonia")], []), "they touch, and no border is set"
    whole(TITLE.edited(cut, {"act": "border", "a": "achaia", "b": "macedonia"}))
    alone = great
    for pair in [pair for pair in great["scenario"]["sea_routes"] if "sicilia" in pair]:
        alone = TITLE.edited(alone, {"act": "route", "a": pair[0], "b": pair[1], "there": False})
    assert "port" not in alone["drawing"]["provinces"]["sicilia"]
    assert not [pair for pair in alone["drawing"]["sea_routes"] if "sicilia" in pair]
    whole(alone)
    again = TITLE.edited(alone, {"act": "route", "a": "sicilia", "b": "aegyptus"})
    whole(again)


def test_two_neighbours_become_one(great: Any) -> None:
    one = TITLE.edited(great, {"act": "merge", "a": "macedonia", "b": "achaia"})
    assert len(one["scenario"]["provinces"]) == 89
    whole(one)
    with pytest.raises(MalformedRecord, match="b: the two do not touch"):
        TITLE.edited(great, {"act": "merge", "a": "macedonia", "b": "britannia"})


def test_nations_are_added_changed_and_removed(small: Any) -> None:
    more = TITLE.edited(small, {"act": "add-nation", "province": "coast", "name": "The Älteren"})
    new = more["scenario"]["nations"][-1]
    assert (new["key"], new["capital"], row(more, "coast")["owner"]) == (
        "the-lteren",
        "coast",
        "the-lteren",
    )
    changes = {
        "adjective": "Elder",
        "spoken": "state",
        "article": True,
        "italian": {"article": "gli", "name": "Anziani"},
        "colour": "#203040",
        "pattern": "dots",
        "culture": "barbarian",
        "start": {"income": 600, "hand": ["spy"], "army": ""},
    }
    shown = TITLE.edited(more, {"act": "nation", "nation": "the-lteren", **changes})
    assert row(shown, "the-lteren")["start"] == {"income": 600, "hand": ["spy"]}
    assert shown["drawing"]["nations"]["the-lteren"] == {
        "adjective": "Elder",
        "pattern": "dots",
        "text": "#fffaf0",
        "spoken": "state",
        "article": True,
        "it": {"name": "Anziani", "article": "gli"},
    }
    whole(shown)
    fewer = TITLE.edited(shown, {"act": "remove-nation", "nation": "the-lteren"})
    assert row(fewer, "coast")["kind"] == "independent"
    whole(fewer)


def test_numbers_of_the_rules(small: Any) -> None:
    raised = TITLE.edited(small, {"act": "rules", "path": "army.victory", "value": 45})
    before = small["scenario"].get("rules", {})
    assert raised["scenario"]["rules"]["army"]["victory"] == 45
    back = TITLE.edited(raised, {"act": "rules", "path": "army.victory", "value": None})
    assert back["scenario"].get("rules", {}) == before
    with pytest.raises(MalformedRecord, match=r"rules\.fortifications"):
        TITLE.edited(
            small, {"act": "rules", "path": "fortifications", "value": [["walls", "much", 3]]}
        )
    with pytest.raises(MalformedRecord, match="path: is not one of the rules"):
        TITLE.edited(small, {"act": "rules", "path": "luck", "value": 1})


@pytest.mark.parametrize(
    ("act", "why"),
    [
        ({"act": "conquer"}, "act: is not known"),
        (
            {"act": "owner", "provinces": ["atlantis"], "owner": "romans"},
            "province: is not a province of the scenario",
        ),
        (
            {"act": "owner", "provinces": ["achaia"], "owner": "gauls"},
            "nation: is not a nation of the scenario",
        ),
        (
            {"act": "province", "province": "achaia", "name": " "},
            "name: must be a name of 1 to 60 printable characters",
        ),
        (
            {"act": "province", "province": "aegyptus", "fleet": True},
            "fleet: the province belongs to no nation",
        ),
        (
            {"act": "works", "province": "media", "works": "fleet"},
            "fleet: the province is not maritime",
        ),
        (
            {"act": "nation", "nation": "huns", "colour": "red"},
            "colour: must be a colour written #rrggbb",
        ),
        ({"act": "scenario", "turns": 0}, "turns: must be a number from 1 to 100"),
        ({"act": "border", "a": "achaia", "b": "achaia"}, "b: must join two provinces"),
    ],
)
def test_invalid_edits_are_refused(great: Any, act: dict[str, Any], why: str) -> None:
    with pytest.raises(MalformedRecord, match=why):
        TITLE.edited(great, act)


def test_every_edit_can_be_undone(great: Any) -> None:
    acts = [
        {"act": "owner", "provinces": ["aegyptus"], "owner": "romans"},
        {"act": "merge", "a": "macedonia", "b": "achaia"},
        {"act": "add-nation", "province": "aquitania", "name": "Gauls"},
        {"act": "rules", "path": "event_turns", "value": [1, 3]},
        {"act": "remove-nation", "nation": "huns"},
        {"act": "scenario", "name": "X", "turns": 9},
    ]
    stood = [great]
    for act in acts:
        stood.append(TITLE.edited(stood[-1], act))
    at, patches = stood[-1], [difference(new, old) for old, new in pairwise(stood)]
    for was, patch in zip(reversed(stood[:-1]), reversed(patches), strict=True):
        at = apply_patch(at, patch)
        assert at == was


def test_other_names_of_provinces_and_nations(great: Any) -> None:
    """Other names are kept as typed, each once, and mean one province or nation only."""
    act = {"act": "province", "province": "thracia", "other_names": ["Thrace", "THRACE", "Rumelia"]}
    edited = TITLE.edited(great, act)
    assert edited["drawing"]["provinces"]["thracia"]["other_names"] == ["Thrace", "Rumelia"]
    nation = {"act": "nation", "nation": "huns", "other_names": ["<b>Riders</b>"]}
    edited = TITLE.edited(edited, nation)
    assert edited["drawing"]["nations"]["huns"]["other_names"] == ["<b>Riders</b>"]
    whole(edited)
    for names, why in (
        (["Asia"], "Asia is also a name of asia"),
        (["égypte"], "égypte is also a name of aegyptus"),
        (["Vandalen"], "Vandalen is also a name of vandals"),
        (["..."], "must be a name of 1 to 60 printable characters"),
        (["a" * 61], "must be a name of 1 to 60 printable characters"),
        ([str(n) + "x" for n in range(25)], "24"),
        ("Thrace", "must be a list"),
    ):
        with pytest.raises(MalformedRecord, match=why):
            TITLE.edited(great, {**act, "other_names": names})
    # A province that takes over another name leaves it to no one else.
    renamed = TITLE.edited(great, {"act": "province", "province": "asia", "name": "Thrace"})
    assert "Thrace" not in renamed["drawing"]["provinces"]["thracia"]["other_names"]
    whole(renamed)


def test_the_shipped_drawing_fits_a_scenario_with_other_names_of_its_own() -> None:
    scenario = json.loads(json.dumps(MAP["scenario"], default=float))
    row({"scenario": scenario}, "asia")["name"] = "Thrace"
    begun = TITLE.begun({"scenario": scenario, "drawing": None}, "")
    assert "Thrakien" in begun["drawing"]["provinces"]["thracia"]["other_names"]
    assert "Thrace" not in begun["drawing"]["provinces"]["thracia"]["other_names"]
    whole(begun)

"""Imported records with later features: sheets, corrections, campaigns in progress."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from campaign import services
from campaign.errors import Refused
from campaign.hosting import audit
from campaign.imports import check_record, import_record
from campaign.log import record, selectors
from campaign.models import Campaign
from games.grand_campaign.rules.scenario import load
from tests.web.frame.test_who_may import PAGES
from tests.web.scenarios.test_nine_powers import lacks

pytestmark = pytest.mark.django_db
NOT_HERE = {"plan", "seat_notes", "handover"}
LEVELS = {"stability": 6, "prestige": 6, "income": 450, "army": 1600, "victory_points": 0}
NATIONS = ("hephtalites", "huns", "kushans", "romans", "sassanids", "vandals")
WHY = "as in the old thread"


def gm(move: str, **arguments: Any) -> dict[str, Any]:
    return {"by": "gm", "move": move, **arguments}


def richer() -> dict[str, Any]:
    """Return the shipped map with a richer start.

    It has a sheet, walls and a fleet, and allows two cards and two attacks in each turn.
    """
    result: dict[str, Any] = copy.deepcopy(load("420ad").raw)
    result["key"] = "richer"
    for nation in result["nations"]:
        if nation["key"] == "romans":
            nation["start"] = {
                "income": 550,
                "structures": ["shrines"],
                "barracks": True,
                "siege_trains": 1,
                "hand": ["spy"],
            }
    for province in result["provinces"]:
        if province["key"] == "sicilia":
            province |= {"fortification": "walls", "fleet": True}
    result["rules"] = {"cards_per_turn": 2, "attacks_per_turn": {"overt": 2}}
    return result


CORRECTED = [
    gm("start"),
    gm("set-structures", nation="romans", structures=["shrines", "bridges", "temples"], reason=WHY),
    gm("set-structures", nation="romans", structures=["bridges"], reason=WHY),
    gm("set-assets", nation="huns", barracks=True, siege_trains=2, reason=WHY),
    gm("set-assets", nation="romans", barracks=False, siege_trains=0, reason=WHY),
    gm("set-fortification", province="pannonia", fortification="ramparts", reason=WHY),
    gm("set-fortification", province="sicilia", fortification=None, reason=WHY),
    gm("set-fleet", province="sicilia", fleet=False, reason=WHY),
    gm("set-fleet", province="africa", fleet=True, reason=WHY),
]
RESUMED = [
    gm(
        "resume",
        turn=1,
        first="romans",
        reason=WHY,
        appointed="huns",
        targets={"huns": ["dalmatia"]},
        truces=[
            {"nations": ["romans", "huns"], "until": 1},
            {"nations": ["huns", "vandals"], "until": 2},
        ],
        nations={
            key: (
                {
                    **LEVELS,
                    "hand": ["spy", "scouts"],
                    "table": ["ambush"],
                    "structures": ["shrines"],
                }
                if key == "romans"
                else {**LEVELS, "stability": 1, "fallen": True}
                if key == "kushans"
                else LEVELS
            )
            for key in NATIONS
        },
        provinces={
            "sicilia": {"owner": "romans", "fortification": "walls", "fleet": True},
            **{
                key: {"owner": None}
                for key, province in load("420ad").provinces.items()
                if province.owner == "kushans"
            },
        },
    ),
]


def written(scenario: Any, moves: list[dict[str, Any]], **dice: Any) -> str:
    raw = {
        "format": "grand-campaign/1",
        "scenario": scenario,
        "options": {},
        "dice": {"seed": "any text", **dice},
        "moves": moves,
    }
    return json.dumps(raw)


def founded(text: str, user: Any) -> Campaign:
    judged = check_record(text)
    assert judged.faults == []
    return import_record(user, judged, "Taken over", "Europe/Rome", "listed")


def faults_of_pages(campaign: Campaign, user: Any, battles: int) -> list[str]:
    """Return the faults of the campaign's pages, for its game master and for a stranger."""
    entries = campaign.entries.exclude(number=None).count()
    paths = [
        path
        for name, (path, _) in PAGES.items()
        if name not in NOT_HERE and not path.startswith(("/", "b/"))
    ]
    paths += (
        [f"b/{n}/" for n in range(1, battles + 1)]
        + [f"e/{n}/" for n in range(1, entries)]
        + [f"n/{key}/" for key in NATIONS]
    )
    paths += ["?province=sicilia", "?province=pannonia", "n/romans/?open=build", "history/?at=2"]
    wrong, looked = [], 0
    for who in (user, None):
        client = Client(raise_request_exception=False)
        if who:
            client.force_login(who)
        for path in paths:
            answer = client.get(f"/c/{campaign.address}/{path}")
            if answer.status_code >= 500:
                wrong.append(f"{who} {path}: {answer.status_code}")
            if answer.status_code == 200 and "html" in answer["Content-Type"]:
                looked += 1
                wrong += [f"{who} {path}: {fault}" for fault in lacks(answer.content.decode())]
    assert looked > 50
    return wrong


def for_(nation: str, move: str, **arguments: Any) -> dict[str, Any]:
    return {"by": "gm", "for": nation, "move": move, **arguments}


def test_a_richer_beginning_and_corrected_sheets_on_every_page(person: Callable[..., Any]) -> None:
    user = person("Marozia")
    slots = [
        for_(key, "end-slot") for key in ("vandals", *NATIONS[:5])
    ]  # with this seed the Vandals begin turn 1
    created = founded(written(richer(), [*CORRECTED, *slots, gm("open-turn")]), user)
    assert list(audit.differences(created)) == []
    assert record.replays(created)
    romans = selectors.view(created, "gm")["nations"]["romans"]
    assert (romans["structures"], romans["barracks"], romans["siege_trains"]) == (
        ["bridges"],
        False,
        0,
    )
    assert (romans["income"], len(romans["hand"])) == (550, 5)
    assert faults_of_pages(created, user, 0) == []


@pytest.mark.parametrize("opened", [pytest.param(False, marks=pytest.mark.nightly), True])
def test_a_campaign_taken_over_on_every_page(opened: bool, person: Callable[..., Any]) -> None:
    user = person("Marozia")
    battle = [
        gm("open-turn"),
        for_("sassanids", "attack", kind="land", **{"from": "assyria", "target": "osroene"}),
    ]
    created = founded(written("420ad", [*RESUMED, *(battle if opened else ())]), user)
    assert list(audit.differences(created)) == []
    assert record.replays(created)
    state = selectors.view(created, "gm")
    assert (state["turn"], state["phase"]) == ((2, "slots") if opened else (1, "closed"))
    assert (state["nations"]["romans"]["structures"], state["nations"]["kushans"]["fallen"]) == (
        ["shrines"],
        True,
    )
    assert state["provinces"]["sicilia"]["fortification"] == "walls"
    assert faults_of_pages(created, user, int(opened)) == []


def test_unsupported_parts_of_a_record_are_refused_by_name(person: Callable[..., Any]) -> None:
    user = person("Marozia")
    amend = gm("amend", rules={"siege_train": 30}, reason=WHY)
    sentence = "This move is not possible at the table yet. It is only played from records."
    assert check_record(written("420ad", [amend, gm("start")])).faults == []
    hidden = written("420ad", RESUMED).replace('"options": {}', '"options": {"hands": "hidden"}')
    assert check_record(hidden).faults == [f"Move 0: {sentence}"]
    renewal = {"commitment": "0" * 64, "purposes": []}
    assert check_record(written("420ad", [], renewals=[renewal])).faults == []
    assert check_record(written("420ad", [], mixed={"1": {"draw": "Bari"}})).faults == []
    assert check_record(written("420ad", [], renewals=[], mixed={})).faults == []
    created = founded(written("420ad", []), user)
    with pytest.raises(Refused, match="Propose the amendment first"):
        services.play(created, user, amend, created.last_sequence)

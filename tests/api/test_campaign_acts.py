"""Running a table by program: rulings, clocks, state, seats, waiting users and the lobby."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import time_machine

from tests.api.conftest import Program
from tests.web.grand_table import GrandTable, new_campaign

__all__ = ["new_campaign"]
pytestmark = pytest.mark.django_db
Api = Callable[..., Program]


def test_rulings_and_terms_and_life(grand_table: GrandTable, api: Api) -> None:
    gm = api("gm")
    created = gm.post("rulings/", {"text": "Rivers are no obstacle.", "rule": "7.3", "entry": 1})
    assert (created.status_code, created.json()["entries"][0]["act"]) == (201, "ruling")
    assert (
        gm.post("rulings/", {"text": "They are.", "rule": "§7.3", "revises": 1}).status_code == 201
    )
    shown = api("nobody").get("rulings/").json()["results"]
    assert [(entry["number"], entry["text"], entry["older"]) for entry in shown] == [
        (1, "They are.", 1)
    ]
    assert [(entry["text"], entry["about"], entry["person"]) for entry in shown[0]["replaced"]] == [
        ("Rivers are no obstacle.", 1, "Marozia")
    ]
    assert gm.post("rulings/", {"text": "x", "entry": 999}).status_code == 404
    terms = {"turn": None, "slot": {"length": "2d", "grace": "6h"}}
    assert gm.post("clocks/terms/", {"terms": terms}).status_code == 201
    agreed = {
        clock["kind"]: (clock["runs"], clock["length"], clock["grace"])
        for clock in gm.get("clocks/").json()["terms"]
    }
    assert (agreed["turn"], agreed["slot"], agreed["battle"]) == (
        (False, None, None),
        (True, "2d", "6h"),
        (True, "14d", "1d"),
    )
    assert gm.post("clocks/terms/", {"terms": terms}).json()["code"] == "no-change"
    paused = gm.post("life/", {"how": "paused", "reason": "Harvest."})
    assert [(entry["act"], entry["said"]["reason"]) for entry in paused.json()["entries"]] == [
        ("life", "Harvest.")
    ]
    assert gm.get("").json()["status"] == "paused"
    assert gm.post("life/", {"how": "resumed"}).status_code == 201


def test_a_rule_is_changed_by_agreement(grand_table: GrandTable, api: Api) -> None:
    gm, hun, roman = api("gm"), api("hun"), api("roman")
    wrong = gm.post("amendments/", {"rules": {"costs": {"castle": 1}}, "reason": "R."})
    assert (wrong.status_code, wrong.json()["code"]) == (422, "bad-argument")
    rules = {"costs": {"fleet": 0.5, "barracks": 1}}
    created = gm.post("amendments/", {"rules": rules, "reason": "They are late.", "need": "all"})
    assert (created.status_code, created.json()["entries"][0]["act"]) == (201, "amendment")
    assert hun.post("amendments/1/", {"agrees": True}).status_code == 201
    assert roman.post("amendments/1/", {"agrees": False, "reason": "Why?"}).status_code == 201
    shown = api("nobody").get("amendments/").json()
    assert shown["asked"] == ["huns", "romans"]
    (one,) = shown["results"]
    assert (one["state"], one["need"], one["turn"], one["rules"]) == ("open", "all", 2, rules)
    assert [(a["seat"], a["agrees"], a["reason"]) for a in one["answers"]] == [
        ("huns", True, ""),
        ("romans", False, "Why?"),
    ]
    assert roman.post("amendments/1/", {"agrees": True}).status_code == 201
    while grand_table.campaign.phase == "slots":
        grand_table.play(grand_table.campaign.active_seat, "end-slot")
    (one,) = api("nobody").get("amendments/").json()["results"]
    assert one["state"] == "agreed"
    assert (
        gm.post("moves/", {"move": one["move"], "seen": grand_table.seen("gm")}).status_code == 201
    )
    (one,) = api("nobody").get("amendments/").json()["results"]
    assert (one["state"], one["entry"]) == ("in force", grand_table.seen("gm"))
    assert gm.post("amendments/1/", {"withdraw": True}).json()["code"] == "not-open"


def test_a_campaign_goes_on_elsewhere(
    grand_table: GrandTable, new_campaign: Callable[..., GrandTable], api: Api
) -> None:
    while grand_table.campaign.phase == "slots":
        grand_table.play(grand_table.campaign.active_seat, "end-slot")
    move = api("nobody").get("sheet/").json()["move"]
    assert (move["move"], move["turn"], sorted(move["nations"])) == (
        "resume",
        1,
        sorted(grand_table.order),
    )
    other = new_campaign(name="Elsewhere")
    sent = {"move": {**move, "reason": "It ran at another table."}, "seen": other.seen("gm")}
    created = api("gm").post(f"/api/v1/campaigns/{other.campaign.address}/moves/", sent)
    assert created.status_code == 201
    other.campaign.refresh_from_db()
    assert (other.campaign.turn, other.campaign.phase) == (1, "closed")


def test_a_program_holds_a_free_seat(grand_table: GrandTable, api: Api) -> None:
    gm, ask = (
        api("gm"),
        {"act": "program", "seat": "vandals", "level": "bold", "reason": "Nobody has come yet."},
    )
    assert api("hun").post("people/acts/", ask).status_code == 403
    assert gm.post("people/acts/", {**ask, "level": "perfect"}).json()["code"] == "unknown-level"
    assert gm.post("people/acts/", {**ask, "reason": ""}).status_code == 400
    created = gm.post("people/acts/", ask).json()["entries"][0]
    assert (created["act"], created["said"]["level"], created["program"]) == (
        "program",
        "bold",
        None,
    )
    programs = {seat["key"]: seat["program"] for seat in gm.get("people/").json()["seats"]}
    assert {key for key, level in programs.items() if level} == {"vandals"}
    assert gm.post("people/acts/", {"act": "no-program", "seat": "vandals"}).status_code == 201
    assert (
        gm.post("people/acts/", {"act": "no-program", "seat": "vandals"}).json()["code"]
        == "no-program"
    )


def test_who_waits_is_seated_and_a_seat_is_given_up(grand_table: GrandTable, api: Api) -> None:
    gm, hun, stranger = api("gm"), api("hun"), api("stranger")
    assert stranger.post("people/acts/", {"act": "wait"}).status_code == 201
    assert (
        gm.post("people/acts/", {"act": "seat", "person": "Nobody", "seat": "huns"}).status_code
        == 400
    )
    assert (
        hun.post("people/acts/", {"act": "seat", "person": "Sid", "seat": "vandals"}).status_code
        == 403
    )
    assert api("roman").post("people/acts/", {"act": "vacate", "seat": "huns"}).status_code == 403
    assert (
        hun.post("people/acts/", {"act": "vacate", "seat": "huns"}).json()["entries"][0]["act"]
        == "seat"
    )
    assert (
        gm.post("people/acts/", {"act": "seat", "person": "Sid", "seat": "huns"}).status_code == 201
    )
    holders = {seat["key"]: seat["holder"] for seat in stranger.get("people/").json()["seats"]}
    assert holders["huns"] == "Sid"
    assert gm.post("people/acts/", {"act": "countersigner", "person": "Ingrid"}).status_code == 201
    assert ("Ingrid", "countersigner") in {
        (person["person"], person["role"]) for person in gm.get("people/").json()["people"]
    }


def test_the_lobby_by_program(new_campaign: Callable[..., GrandTable], programs: Any) -> None:
    api = programs(new_campaign())
    gm, stranger = api("gm"), api("stranger")
    assert stranger.post("lobby/acts/", {"act": "apply", "seats": ["vandals"]}).status_code == 409
    assert gm.post("lobby/acts/", {"act": "open", "words": "Ave"}).status_code == 201
    assert (
        stranger.post("lobby/acts/", {"act": "apply", "seats": ["vandals", "vandals"]}).status_code
        == 201
    )
    shown = stranger.get("lobby/").json()
    assert (shown["open"], shown["words"], shown["wishes"], shown["applicants"]) == (
        True,
        "Ave",
        ["vandals"],
        ["Sid"],
    )
    assert gm.post("lobby/acts/", {"act": "draw"}).json()["entries"][0]["act"] == "lobby"
    assert {seat["key"]: seat["holder"] for seat in stranger.get("people/").json()["seats"]}[
        "vandals"
    ] == "Sid"


def test_words_and_draw_by_program(new_campaign: Callable[..., GrandTable], programs: Any) -> None:
    table = new_campaign(chance="both")
    api = programs(table)
    hun, gm = api("hun"), api("gm")
    content = {"act": "words", "seat": "huns", "text": "Attila"}
    assert hun.post("dice/mixing/", content).status_code == 201
    content = {
        "act": "name",
        "origin": "lotto",
        "falls": "2031-01-01T12:00:00Z",
        "wheels": {"Bari": "huns"},
    }
    refused = gm.post("dice/mixing/", content)
    assert refused.status_code == 400
    assert "within 60 days" in refused.json()["detail"]
    with time_machine.travel("2026-11-23T12:00:00Z", tick=False):
        content["falls"] = "2026-11-23T13:00:00Z"
        assert gm.post("dice/mixing/", content).status_code == 201
    answer = hun.get("dice/").json()
    assert answer["chance"] == "both"
    assert answer["mixed"] == [
        {
            "turn": 0,
            "chain": 0,
            "ready": False,
            "words": {"huns": "Attila"},
            "words_closed": False,
            "drawn": "",
            "url": "",
            "without": "",
            "corrected": [],
            "signature": "",
            "unconfirmed": False,
            "true_draw": "",
            "draw": {
                "source": "lotto",
                "name": "",
                "falls": "2026-11-23T13:00:00+00:00",
                "wheels": {"Bari": "huns"},
            },
        }
    ]

"""Founding by program: scenario, campaign, invitations, and a record that is taken over."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from campaign import imports
from campaign.log import selectors
from campaign.models import Campaign
from tests.api.conftest import Program
from tests.web.grand_table import GrandTable

pytestmark = pytest.mark.django_db
EXAMPLE = json.loads((Path(__file__).parents[2] / "static/examples/three_peoples.json").read_text())


def test_a_scenario_is_brought_and_a_campaign_founded_with_it(
    grand_table: GrandTable, api: Callable[..., Program]
) -> None:
    gm, hun = api("gm"), api("stranger")
    wrong = gm.post(
        "/api/v1/scenarios/",
        {"title": "grand_campaign", "scenario": EXAMPLE["scenario"] | {"turns": 0}},
    )
    assert (wrong.status_code, list(wrong.json()["fields"])) == (422, ["scenario.turns"])
    row = gm.post(
        "/api/v1/scenarios/", {"title": "grand_campaign", **EXAMPLE, "sharing": "link"}
    ).json()
    assert (row["name"], row["drawn"], row["sharing"]) == ("Three peoples", True, "link")
    terms = {
        "title": "grand_campaign",
        "name": "By program",
        "shelf": row["ref"],
        "visibility": "listed",
    }
    created = gm.post("/api/v1/campaigns/", terms, Idempotency_Key="once")
    assert created.status_code == 201
    assert gm.post("/api/v1/campaigns/", terms, Idempotency_Key="once").json() == created.json()
    home = f"/api/v1/campaigns/{created.json()['ref']}/"
    seat = gm.get(home).json()["seats"][0]["key"]
    invited = gm.post(f"{home}invitations/", {"seat": seat}).json()
    assert (invited["seat"], invited["uses_left"]) == (seat, 1)
    assert [
        (invitation["id"], invitation["link"])
        for invitation in gm.get(f"{home}invitations/").json()
    ] == [(invited["id"], None)]
    token = invited["link"].rstrip("/").rpartition("/")[2]
    assert hun.post("/api/v1/invitations/", {"token": token}).status_code == 201
    assert hun.get(home).json()["mine"]["seats"] == [seat]
    again = gm.post(f"{home}invitations/", {}).json()
    assert gm.post(f"{home}invitations/{again['id']}/revoke/").status_code == 204
    assert gm.get(f"{home}invitations/").json() == []


def test_options_that_are_left_out_are_those_that_founding_proposes(
    grand_table: GrandTable, api: Callable[..., Program]
) -> None:
    """6.1, 4.8, 7.2; History 8.6; March 7.2."""
    gm = api("gm")

    def founded(title: str, scenario: str, **options: Any) -> Any:
        terms = {"title": title, "name": "Read so", "scenario": scenario, "options": options}
        created = gm.post("/api/v1/campaigns/", terms)
        assert created.status_code == 201, created.content
        campaign = Campaign.objects.get(public_id=created.json()["ref"].partition("-")[0])
        return selectors.terms(campaign)[1]

    proposed = {"external_attacks": True, "diplomat": "bordering", "attack_limit": "turn"}
    assert founded("grand_campaign", "420ad") == proposed
    chosen = {"external_attacks": False, "diplomat": "anywhere"}
    assert founded("grand_campaign", "420ad", **chosen) == proposed | chosen
    assert founded("march_on_rome", "standard") == {"barbarian_initiative": True}
    assert founded("march_on_rome", "standard", barbarian_initiative=False) == {
        "barbarian_initiative": False
    }
    assert founded("roman_empire", "standard", players=3) == {"players": 3, "choose_retreat": True}


def test_earlier_rules_are_only_for_records(
    grand_table: GrandTable, api: Callable[..., Program]
) -> None:
    terms = {
        "title": "roman_empire",
        "name": "Two dice",
        "scenario": "standard",
        "options": {"rules_edition": 1},
    }
    answer = api("gm").post("/api/v1/campaigns/", terms)
    assert (answer.status_code, answer.json()["fields"]) == (
        422,
        {
            "options.rules_edition": [
                "is allowed only in records of campaigns that began under earlier rules"
            ]
        },
    )


def test_terms_that_are_wrong_are_named(
    grand_table: GrandTable, api: Callable[..., Program]
) -> None:
    gm = api("gm")
    terms = {"title": "grand_campaign", "name": "X", "visibility": "listed"}
    before = Campaign.objects.count()
    for more, field in (
        ({}, "scenario"),
        ({"scenario": "1066"}, "scenario"),
        ({"shelf": "nothing"}, "shelf"),
    ):
        answer = gm.post("/api/v1/campaigns/", terms | more)
        assert (answer.status_code, list(answer.json()["fields"])) == (400, [field])
    faulty = gm.post("/api/v1/campaigns/", terms | {"scenario": {"key": "x"}})
    assert (faulty.status_code, faulty.json()["code"]) == (422, "malformed")
    assert Campaign.objects.count() == before


def test_a_record_is_taken_over(grand_table: GrandTable, api: Callable[..., Program]) -> None:
    gm = api("gm")
    record = {
        "format": "grand-campaign/1",
        "scenario": "420ad",
        "options": {},
        "dice": {"seed": "one"},
        "moves": [{"by": "gm", "move": "start"}],
    }
    shown = gm.post("/api/v1/imports/", {"record": record, "name": "From elsewhere"})
    assert shown.status_code == 202
    number = shown.json()["id"]
    imports.work(number)
    now = gm.get(f"/api/v1/imports/{number}/").json()
    assert (now["state"], now["faults"]) == ("founded", [])
    assert gm.get(f"/api/v1/campaigns/{now['campaign']}/").json()["turn"] == 1
    assert api("hun").get(f"/api/v1/imports/{number}/").status_code == 404

"""Founding, the genesis entry, and the terms until the start."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from campaign import access, keys, services
from campaign.errors import NoSuchCampaign, NotAllowed, Refused
from campaign.log import selectors
from campaign.models import Campaign
from engine.dice import commitment
from engine.errors import MalformedRecord
from engine.strict_json import canonical, entry_hash
from games.registry import TITLES


def test_founding_writes_the_genesis_entry_and_seats_the_game_master(people: Any) -> None:
    campaign = services.found_campaign(
        people["gm"],
        "heap",
        " Der große Haufen ",
        "large",
        {"quick": True},
        "Europe/Berlin",
        "listed",
    )
    assert (campaign.name, campaign.slug, campaign.status) == (
        "Der große Haufen",
        "der-groe-haufen",
        "draft",
    )
    assert len(campaign.public_id) == 8
    assert set(campaign.public_id) <= set(keys.LETTERS)
    assert campaign.address == f"{campaign.public_id}-{campaign.slug}"
    assert access.access_of(campaign, people["gm"]).voices == ("gm",)
    assert selectors.terms(campaign) == ({"key": "large", "stones": 3}, {"quick": True})
    assert (campaign.phase, campaign.last_number) == ("setup", 0)


def test_genesis_hashes_scenario_options_and_commitment(table: Any) -> None:
    first = table.campaign.entries.get(sequence=0)
    assert first.content == {
        "act": "genesis",
        "format": "heap/1",
        "scenario": {"key": "small", "stones": 0},
        "options": {},
        "commitment": table.campaign.commitment,
    }
    body = {
        "sequence": 0,
        "kind": "table",
        "what": first.content_json,
        "actor": table.gm.pk,
        "seat": "",
        "audience": None,
        "target": None,
        "digest": first.digest,
        "at": first.at.isoformat(timespec="microseconds"),
        "rolls": [],
    }
    assert first.hash == entry_hash("", body)


def test_seed_and_key_are_sealed_and_committed_to(table: Any) -> None:
    campaign = table.campaign
    seed = keys.unseal(campaign.seed_sealed)
    assert seed not in campaign.seed_sealed
    assert campaign.commitment == commitment(seed, 40)
    shown = canonical(
        [line.entry.content_json for line in selectors.log(campaign, table.gm)]
    ) + canonical(selectors.view(campaign, table.gm))
    assert seed not in shown
    assert keys.unseal(campaign.digest_key_sealed) not in shown


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"title": "chess"}, "unknown-title"),
        ({"name": ""}, "bad-name"),
        ({"name": "a\x00b"}, "bad-name"),
        ({"name": "x" * 101}, "bad-name"),
        ({"name": "two\nlines"}, "bad-name"),
        ({"time_zone": "Mars/Olympus"}, "bad-time-zone"),
        ({"time_zone": "../etc/passwd"}, "bad-time-zone"),
        ({"visibility": "secret"}, "bad-visibility"),
    ],
)
def test_bad_terms_are_refused(people: Any, change: dict[str, Any], error: str) -> None:
    given = {"title": "heap", "name": "Heap", "scenario": "small", **change}
    with pytest.raises(Refused) as caught:
        services.found_campaign(people["gm"], **given)
    assert caught.value.code == error
    assert not Campaign.objects.exists()


@pytest.mark.parametrize(
    ("scenario", "options"),
    [
        ("nowhere", {}),
        ({"key": "x"}, {}),
        ("small", {"quick": 1, "more": 2}),
        ({"key": float("nan"), "stones": 1}, {}),
    ],
)
def test_a_malformed_scenario_is_refused(people: Any, scenario: Any, options: Any) -> None:
    with pytest.raises(MalformedRecord):
        services.found_campaign(people["gm"], "heap", "Heap", scenario, options)


@pytest.mark.parametrize("name", ["Game master", "The GM", "Аdmin", "Spielleitung"])
def test_no_nation_has_the_name_of_a_role(people: Any, name: str) -> None:
    scenario = deepcopy(TITLES["grand_campaign"].scenarios()["420ad"])
    scenario["nations"][1]["name"] = name
    with pytest.raises(MalformedRecord, match="taken for a role") as caught:
        services.found_campaign(people["gm"], "grand_campaign", "Heap", scenario)
    assert caught.value.where == "scenario.nations.1.name"


def test_changed_terms_before_the_start_give_a_new_seed_and_commitment(table: Any) -> None:
    old = table.reload()
    before = old.commitment, old.seed_sealed
    campaign = services.change_terms(old, table.gm, scenario={"key": "mine", "stones": 5})
    assert before[0] != campaign.commitment
    assert keys.unseal(before[1]) != keys.unseal(campaign.seed_sealed)
    assert [entry.act for entry in campaign.entries.all()] == ["genesis", "seat", "seat", "genesis"]
    assert selectors.view(campaign, None)["stones"] == {"ant": 5, "bee": 5}
    assert campaign.status == "draft"
    table.play("gm", "start")
    assert selectors.position(table.campaign).stones == {"ant": 5, "bee": 5}


def test_the_terms_are_fixed_after_the_start_even_if_it_is_undone(table: Any) -> None:
    table.play("gm", "start")
    with pytest.raises(Refused):
        services.change_terms(table.campaign, table.gm, options={})
    table.undo(2)
    assert table.campaign.status == "running"
    with pytest.raises(Refused):
        services.change_terms(table.campaign, table.gm, options={})


def test_members_lose_seats_that_the_new_scenario_does_not_have(grand: Any) -> None:
    scenario, _ = selectors.terms(grand.campaign)
    gone, stays = grand.seats[0].key, grand.seats[1].key
    scenario["nations"] = [nation for nation in scenario["nations"] if nation["key"] != gone]
    for province in scenario["provinces"]:
        if province["owner"] == gone:
            province.update(owner=None, kind="independent")
    campaign = services.change_terms(grand.campaign, grand.people["gm"], scenario=scenario)
    assert access.access_of(campaign, grand.people["ant"]).seats == ()
    assert access.access_of(campaign, grand.people["bee"]).seats == (stays,)


def test_only_the_game_master_changes_the_terms(table: Any) -> None:
    for who in ("ant", "bee", "stranger"):
        with pytest.raises(NotAllowed):
            services.change_terms(table.campaign, table.people[who], options={})
        with pytest.raises(NotAllowed):
            services.change_description(
                table.campaign, table.people[who], name="X", time_zone="UTC", visibility="listed"
            )
    services.change_description(
        table.campaign, table.gm, name="Y", time_zone="UTC", visibility="members"
    )
    assert table.reload().name == "Y"
    with pytest.raises(NoSuchCampaign):
        services.change_description(
            table.campaign, table.stranger, name="X", time_zone="UTC", visibility="listed"
        )

"""The exported record, which anyone may replay."""

from __future__ import annotations

from typing import Any

import pytest

from campaign import access, keys, services
from campaign.errors import NotAllowed
from campaign.log import record, selectors
from engine import record as kernel
from engine.dice import sha256
from engine.strict_json import canonical, read
from games.registry import by_format


def test_a_running_campaign_gives_its_rolls_and_published_links_and_no_seed(running: Any) -> None:
    number = running.campaign.last_number
    struck = running.play("bee", "dig").rolls[0]
    running.undo(number)
    running.play("bee", "add", stones=2)
    created = record.full_record(running.campaign)
    assert set(created["dice"]) == {"fixed", "links"}
    assert created["dice"]["fixed"][struck.purpose] == struck.value
    assert keys.unseal(running.campaign.seed_sealed) not in canonical(created)
    assert len(created["dice"]["links"]) == running.campaign.turn
    assert sha256(created["dice"]["links"][0]) == running.campaign.commitment
    assert [move["move"] for move in created["moves"]][-1] == "add"
    assert record.replays(running.campaign)


def test_a_finished_campaign_gives_everything(running: Any) -> None:
    while running.campaign.status != "finished":
        running.play("bee", "dig")
    created = record.export(running.campaign, None)
    assert created["dice"]["seed"] == keys.unseal(running.campaign.seed_sealed)
    assert len(created["dice"]["links"]) == 41
    assert record.replays(running.campaign)
    del created["dice"]["links"]
    parsed = kernel.parse(read(canonical(created)), by_format())
    assert kernel.replay(parsed).stones == selectors.position(running.campaign).stones  # type: ignore[attr-defined]


def test_if_anything_is_hidden_only_the_game_master_exports_the_record(running: Any) -> None:
    for who in ("ant", "bee", "stranger"):
        with pytest.raises(NotAllowed):
            record.export(running.campaign, running.people[who])
    assert record.export(running.campaign, running.gm)["format"] == "heap/1"


def test_a_record_with_open_hands_is_public(grand: Any) -> None:
    services.play(grand.campaign, grand.people["gm"], {"by": "gm", "move": "start"}, 2)
    grand.campaign.refresh_from_db()
    for reader in (*grand.people.values(), None):
        assert record.export(grand.campaign, reader)["moves"] == [{"by": "gm", "move": "start"}]
    assert record.replays(grand.campaign)
    assert len(record.published_links(grand.campaign)) == 1


def test_hidden_hands_stay_hidden_in_the_record(people: Any) -> None:
    campaign = services.found_campaign(
        people["gm"], "grand_campaign", "Hidden", "420ad", {"hands": "hidden"}
    )
    services.play(campaign, people["gm"], {"move": "start"}, 0)
    campaign.refresh_from_db()
    assert access.access_of(campaign, people["ant"]).viewer is None
    with pytest.raises(NotAllowed):
        record.export(campaign, people["ant"])
    assert record.published_links(campaign) == []
    assert record.replays(campaign)

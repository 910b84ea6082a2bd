"""Stored answers to programs and stored replays of sample records."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from engine.strict_json import read
from games.replay import replay
from people import tokens
from tests.api.test_reads import READS
from tests.conftest import confirm
from tests.frozen.grand import CASES, Founder, covert_campaign
from tests.frozen.hold import hold
from tests.frozen.scene import LANGUAGES, READERS
from tests.frozen.still import NOW, still
from tests.frozen.walk import Shown, ask
from tests.web.grand_table import new_campaign

__all__ = ["new_campaign", "still"]

pytestmark = [pytest.mark.nightly, pytest.mark.django_db]


def test_answers_to_programs(
    still: Any, request: Any, person: Any, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    grand_table = covert_campaign(Founder(request, person, monkeypatch, settings))
    home = f"/api/v1/campaigns/{grand_table.campaign.address}/"
    paths = {
        name: path if path.startswith("/") else home + path for name, (path, _, _) in READS.items()
    }
    bearers = {
        reader: {
            "authorization": "Bearer "
            + tokens.make_token(confirm(grand_table.people[reader]), reader, "play", NOW)[1]
        }
        for reader in READERS
        if reader != "nobody"
    }
    shown: Shown = {}
    client = Client(raise_request_exception=False)
    for language in LANGUAGES:
        for reader in READERS:
            headers = {"accept-language": language, **bearers.get(reader, {})}
            shown.setdefault(language, {})[reader] = {
                name: ask(
                    client,
                    name,
                    lambda path=path, headers=headers: client.get(path, headers=headers),
                )
                for name, path in paths.items()
            }
    hold("answers", "covert", shown)


def test_sample_records_reach_their_stored_ends() -> None:
    cases = {path.name: read(path.read_text("utf-8")) for path in sorted(CASES.glob("*.json"))}
    lines = {
        name: (
            json.dumps(
                replay(case["record"]), sort_keys=True, ensure_ascii=False, default=str, indent=1
            ).splitlines()
        )
        for name, case in cases.items()
        if "record" in case
    }
    hold("answers", "samples", {"en": {"nobody": lines}})

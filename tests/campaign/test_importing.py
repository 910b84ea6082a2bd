"""Campaigns founded from a record.

Position and dice are the same; an import writes everything or nothing and reports every fault at
once.
"""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from campaign import services
from campaign.errors import NotAllowed, Refused
from campaign.imports import check_record, import_record
from campaign.log import positions, record
from campaign.models import Campaign, DiceRoll
from engine.strict_json import canonical

pytestmark = pytest.mark.django_db


@pytest.fixture
def demo() -> Campaign:
    call_command("demo", verbosity=0)
    return Campaign.objects.get(title="grand_campaign")


def record_text(campaign: Campaign, **other: Any) -> str:
    return canonical({**record.full_record(campaign), **other})


def import_campaign(text: str, user: Any) -> Campaign:
    judged = check_record(text)
    assert judged.faults == []
    return import_record(user, judged, "Taken over", "Europe/Rome", "unlisted")


def check_audit(campaign: Campaign) -> None:
    out = StringIO()
    call_command("audit", campaign.public_id, stdout=out)
    assert "all as replayed" in out.getvalue()


def test_a_running_campaign_is_imported(demo: Campaign, people: Any) -> None:
    """The seed stays with the other server.

    Rolls that were made are taken over; new rolls have a new commitment.
    """
    created = import_campaign(record_text(demo), people["gm"])
    assert positions.current(created).encode() == positions.current(demo).encode()
    assert created.commitment != demo.commitment
    assert record.full_record(created)["moves"] == record.full_record(demo)["moves"]
    fell = dict(DiceRoll.objects.filter(entry__campaign=demo).values_list("purpose", "value"))
    assert (
        dict(DiceRoll.objects.filter(entry__campaign=created).values_list("purpose", "value"))
        == fell
    )
    assert not created.memberships.filter(role="seat", until=None).exists()
    assert created.memberships.get().user == people["gm"]
    check_audit(created)
    positions.memory.clear()
    assert positions.current(created).encode() == positions.current(demo).encode()
    services.play(
        created,
        people["gm"],
        {"by": "gm", "for": created.active_seat, "move": "end-slot"},
        created.last_sequence,
    )


def test_a_finished_campaign_keeps_its_proof(people: Any) -> None:
    """A record with its seed keeps its commitment, and every roll can be checked again."""
    raw = {
        "format": "grand-campaign/1",
        "scenario": "420ad",
        "options": {},
        "dice": {"seed": "any text"},
        "moves": [{"by": "gm", "move": "start"}],
    }
    created = import_campaign(json.dumps(raw), people["gm"])
    assert created.commitment.startswith("beb4ec0d6bf06072")  # RECORD's worked example
    assert created.entered_dice == {}
    assert DiceRoll.objects.get(entry__campaign=created, purpose="start").value == 6
    assert DiceRoll.objects.get(entry__campaign=created, purpose="turn-1/card/romans").value == 59
    check_audit(created)


def test_a_campaign_with_one_player_is_imported(people: Any) -> None:
    alone = services.found_campaign(people["gm"], "march_on_rome", "Alone", "standard")
    created = import_campaign(record_text(alone), people["ant"])
    assert created.memberships.filter(role="seat", user=people["ant"], until=None).exists()
    assert positions.current(created).encode() == positions.current(alone).encode()
    check_audit(created)


def test_all_faults_are_reported_at_once(people: Any) -> None:
    raw = {
        "format": "grand-campaign/1",
        "scenario": "420ad",
        "options": {"hands": "shut"},
        "dice": {"fixed": {"start": 99, "turn-1/card/goths": 3}},
        "moves": {},
        "more": 1,
    }
    faults = check_record(json.dumps(raw)).faults
    assert faults[0] == "more: unknown key."
    assert any(fault.startswith("options.hands") for fault in faults)
    assert "moves: must be a list." in faults
    raw["options"] = {}
    faults = check_record(json.dumps(raw)).faults
    assert any("dice.fixed.start" in fault for fault in faults)
    assert any("dice.fixed.turn-1/card/goths" in fault for fault in faults)


def test_a_record_with_too_many_moves_is_refused() -> None:
    raw = {
        "format": "grand-campaign/1",
        "scenario": "420ad",
        "options": {},
        "dice": {"seed": "any text"},
    }
    moves = [{"by": "gm", "move": "start"}] * 20_001
    assert check_record(canonical({**raw, "moves": moves})).faults == [
        "A record can have at most 20,000 moves."
    ]
    assert (
        check_record(canonical({**raw, "moves": moves[:20_000]})).faults[0].startswith("Move 1: ")
    )


def test_a_record_with_an_illegal_move_is_refused(demo: Campaign, people: Any) -> None:
    whole = record.full_record(demo)
    moves = [*whole["moves"][:3], {"by": "gm", "move": "open-turn"}, *whole["moves"][3:]]
    (fault,) = check_record(canonical({**whole, "moves": moves})).faults
    assert fault.startswith("Move 3: ")
    before = Campaign.objects.count()
    with pytest.raises(Refused):
        import_record(
            people["gm"], check_record(canonical({**whole, "moves": moves})), "X", "UTC", "unlisted"
        )
    assert Campaign.objects.count() == before


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"format": "chess"}', "\ud800", "[" * 100_000, "1e999999", '{"format": []}'],
)
def test_texts_that_are_no_record_are_refused(text: str, people: Any) -> None:
    assert check_record(text.encode("utf-8", "surrogatepass")).faults


def test_an_invalid_name_leaves_no_campaign(demo: Campaign, people: Any) -> None:
    before = Campaign.objects.count()
    with pytest.raises(Refused):
        import_record(people["gm"], check_record(record_text(demo)), "", "UTC", "unlisted")
    assert Campaign.objects.count() == before


def test_a_guest_imports_nothing(demo: Campaign, people: Any) -> None:
    people["ant"].guest = True
    people["ant"].save()
    with pytest.raises(NotAllowed):
        import_record(people["ant"], check_record(record_text(demo)), "X", "UTC", "unlisted")

"""A campaign founded from its record: the same position, the same dice; all or nothing, every fault
at once.
"""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from campaign import services
from campaign.errors import NotAllowed, Refused
from campaign.imports import import_record, judge
from campaign.log import positions, record
from campaign.models import Campaign, DiceRoll
from engine.strict_json import canonical

pytestmark = pytest.mark.django_db


@pytest.fixture
def demo() -> Campaign:
    call_command("demo", verbosity=0)
    return Campaign.objects.get(title="grand_campaign")


def text(campaign: Campaign, **other: Any) -> str:
    return canonical({**record.whole(campaign), **other})


def founded(text: str, user: Any) -> Campaign:
    judged = judge(text)
    assert judged.faults == []
    return import_record(user, judged, "Taken over", "Europe/Rome", "unlisted")


def audited(campaign: Campaign) -> None:
    out = StringIO()
    call_command("audit", campaign.public_id, stdout=out)
    assert "all as replayed" in out.getvalue()


def test_a_running_campaign(demo: Campaign, people: Any) -> None:
    """Its seed stays with the other server: the dice that fell are taken as they are, new ones have
    a new commitment.
    """
    created = founded(text(demo), people["gm"])
    assert positions.current(created).encode() == positions.current(demo).encode()
    assert created.commitment != demo.commitment
    assert record.whole(created)["moves"] == record.whole(demo)["moves"]
    fell = dict(DiceRoll.objects.filter(entry__campaign=demo).values_list("purpose", "value"))
    assert (
        dict(DiceRoll.objects.filter(entry__campaign=created).values_list("purpose", "value"))
        == fell
    )
    assert not created.memberships.filter(role="seat", until=None).exists()
    assert created.memberships.get().user == people["gm"]
    audited(created)
    positions.memory.clear()
    assert positions.current(created).encode() == positions.current(demo).encode()
    services.play(
        created,
        people["gm"],
        {"by": "gm", "for": created.active_seat, "move": "end-slot"},
        created.last_sequence,
    )


def test_a_finished_one_keeps_its_proof(people: Any) -> None:
    """A record with its seed: the same commitment, every roll to be worked again."""
    raw = {
        "format": "grand-campaign/1",
        "scenario": "420ad",
        "options": {},
        "dice": {"seed": "any text"},
        "moves": [{"by": "gm", "move": "start"}],
    }
    created = founded(json.dumps(raw), people["gm"])
    assert created.commitment.startswith("beb4ec0d6bf06072")  # RECORD's worked example
    assert created.entered_dice == {}
    assert DiceRoll.objects.get(entry__campaign=created, purpose="start").value == 6
    assert DiceRoll.objects.get(entry__campaign=created, purpose="turn-1/card/romans").value == 59
    audited(created)


def test_one_that_is_played_alone(people: Any) -> None:
    alone = services.found_campaign(people["gm"], "march_on_rome", "Alone", "standard")
    created = founded(text(alone), people["ant"])
    assert created.memberships.filter(role="seat", user=people["ant"], until=None).exists()
    assert positions.current(created).encode() == positions.current(alone).encode()
    audited(created)


def test_every_fault_at_once(people: Any) -> None:
    raw = {
        "format": "grand-campaign/1",
        "scenario": "420ad",
        "options": {"hands": "shut"},
        "dice": {"fixed": {"start": 99, "turn-1/card/goths": 3}},
        "moves": {},
        "more": 1,
    }
    faults = judge(json.dumps(raw)).faults
    assert faults[0] == "more: unknown key."
    assert any(fault.startswith("options.hands") for fault in faults)
    assert "moves: must be a list." in faults
    raw["options"] = {}
    faults = judge(json.dumps(raw)).faults
    assert any("dice.fixed.start" in fault for fault in faults)
    assert any("dice.fixed.turn-1/card/goths" in fault for fault in faults)


def test_more_moves_than_the_table_takes() -> None:
    raw = {
        "format": "grand-campaign/1",
        "scenario": "420ad",
        "options": {},
        "dice": {"seed": "any text"},
    }
    moves = [{"by": "gm", "move": "start"}] * 20_001
    assert judge(canonical({**raw, "moves": moves})).faults == [
        "The table takes records of up to 20,000 moves."
    ]
    assert judge(canonical({**raw, "moves": moves[:20_000]})).faults[0].startswith("Move 1: ")


def test_a_move_that_the_rules_forbid(demo: Campaign, people: Any) -> None:
    whole = record.whole(demo)
    moves = [*whole["moves"][:3], {"by": "gm", "move": "open-turn"}, *whole["moves"][3:]]
    (fault,) = judge(canonical({**whole, "moves": moves})).faults
    assert fault.startswith("Move 3: ")
    before = Campaign.objects.count()
    with pytest.raises(Refused):
        import_record(
            people["gm"], judge(canonical({**whole, "moves": moves})), "X", "UTC", "unlisted"
        )
    assert Campaign.objects.count() == before


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"format": "chess"}', "\ud800", "[" * 100_000, "1e999999", '{"format": []}'],
)
def test_what_is_no_record(text: str, people: Any) -> None:
    assert judge(text.encode("utf-8", "surrogatepass")).faults


def test_a_bad_name_leaves_nothing(demo: Campaign, people: Any) -> None:
    before = Campaign.objects.count()
    with pytest.raises(Refused):
        import_record(people["gm"], judge(text(demo)), "", "UTC", "unlisted")
    assert Campaign.objects.count() == before


def test_a_guest_imports_nothing(demo: Campaign, people: Any) -> None:
    people["ant"].guest = True
    people["ant"].save()
    with pytest.raises(NotAllowed):
        import_record(people["ant"], judge(text(demo)), "X", "UTC", "unlisted")

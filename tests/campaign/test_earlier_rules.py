"""Campaigns that were founded under an earlier edition of the rules and continue with it.

The files in `earlier_rules/` hold the rows of two campaigns as the last version with the first
edition of the rules wrote them:

- `escort.json`, the Grand Campaign on a small map: an independent army that has the list of a
  nation with escorts meets an escort, which is forced (7.8).
- `empire.json`, the Roman Empire with three players: a Faction rolls two dice for the loot of
  ITALIA (8.10); a Rebellion is fought for three rounds without a question (9.3).
"""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from campaign import keys, services
from campaign.errors import NotNow
from campaign.hosting import audit
from campaign.imports import check_record, import_record
from campaign.log import positions, record, selectors
from campaign.log.entries import save_contests
from campaign.models import Campaign, DiceRoll, LogEntry, Membership, save_seat_sets
from engine.errors import MalformedRecord
from engine.strict_json import canonical
from people.models import User
from tests.web.dice.unpacked import run_script, unpack_audit_pack

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]
FILES = Path(__file__).parent / "earlier_rules"
NIGHT = datetime(2026, 11, 30, 2, 0, tzinfo=UTC)
EDITION = (
    "options.rules_edition: is allowed only in records of campaigns that began under earlier rules"
)


def stored(name: str) -> Campaign:
    """Put the rows of a stored campaign into the database, as they are after the migrations."""
    rows = json.loads((FILES / f"{name}.json").read_text(encoding="utf-8"))
    user = User.objects.get_or_create(pk=rows["user"], username="Old Marozia")[0]
    founded_at = datetime.fromisoformat(rows["founded_at"])
    secrets = {
        "seed_sealed": keys.seal(rows["seed"]),
        "digest_key_sealed": keys.seal(rows["digest_key"]),
    }
    campaign = Campaign.objects.create(
        founder=user, founded_at=founded_at, **rows["campaign"], **secrets
    )
    Membership.objects.create(
        campaign=campaign, user=user, role=Membership.Role.GAME_MASTER, since=founded_at
    )
    for row in rows["entries"]:
        rolls, actor = row.pop("rolls"), row.pop("actor")
        save_seat_sets([row.get("audience_id"), *(roll["audience_id"] for roll in rolls)])
        entry = LogEntry.objects.create(campaign=campaign, actor_id=actor, **row)
        DiceRoll.objects.bulk_create(DiceRoll(entry=entry, **roll) for roll in rolls)
        save_contests([entry])
    return Campaign.objects.get(pk=campaign.pk)


@pytest.fixture
def escort() -> Campaign:
    return stored("escort")


@pytest.fixture
def empire() -> Campaign:
    return stored("empire")


def run_audit(*arguments: str) -> tuple[int, str]:
    out = StringIO()
    try:
        call_command("audit", *arguments, stdout=out)
    except SystemExit as end:
        return int(end.code or 0), out.getvalue()
    return 0, out.getvalue()


def replay_record(whole: dict[str, Any]) -> tuple[int, Any]:
    """Return exit status and output of `manage.py replay` for this record."""
    command = [sys.executable, "manage.py", "replay", "-"]
    done = subprocess.run(
        command, input=canonical(whole), cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.returncode, json.loads(done.stdout)


def without_mark(whole: dict[str, Any]) -> dict[str, Any]:
    options = {
        option: value for option, value in whole["options"].items() if option != "rules_edition"
    }
    return {**whole, "options": options}


def play(campaign: Campaign, **move: Any) -> Campaign:
    gm = User.objects.get(username="Old Marozia")
    reloaded = Campaign.objects.get(pk=campaign.pk)
    return services.play(reloaded, gm, {"by": "gm", **move}, selectors.seen(reloaded, gm)).campaign


@pytest.mark.parametrize("name", ["escort", "empire"])
def test_the_nightly_audit_stops_no_earlier_campaign(name: str) -> None:
    campaign = stored(name)
    assert audit.log_fault(campaign) == ""
    assert audit.tick(NIGHT) == 1
    campaign.refresh_from_db()
    assert (campaign.fault, campaign.edition) == ("", 1)


@pytest.mark.parametrize(("name", "entries"), [("escort", 4), ("empire", 65)])
def test_after_a_rebuild_the_whole_audit_finds_nothing(name: str, entries: int) -> None:
    campaign = stored(name)
    hashes = list(campaign.entries.values_list("hash", "digest"))
    code, lines = run_audit("--rebuild")
    assert (code, lines) == (
        0,
        f"{campaign.public_id} {campaign.title}: {entries} entries, all as replayed\n",
    )
    assert list(campaign.entries.values_list("hash", "digest")) == hashes


def test_7_8_the_earlier_escort_remains_and_play_goes_on(escort: Campaign) -> None:
    attack = positions.current(escort).attacks[0]
    assert (attack.kind, attack.source, attack.battle) == (
        "independent",
        "i1",
        "escort-baggage-train",
    )
    run_audit("--rebuild")
    played = play(escort, move="report", attack=1, winner="attacker")
    assert positions.current(played).attacks[0].outcome == "attacker"
    assert run_audit()[0] == 0


def test_7_8_a_record_without_the_mark_goes_by_army_lists(escort: Campaign) -> None:
    whole = record.full_record(escort)
    assert whole["options"] == {"external_attacks": True, "rules_edition": 1}
    code, state = replay_record(whole)
    assert (code, state["attacks"][0]["module_attacker"]) == (0, "defender")
    code, answer = replay_record(without_mark(whole))
    assert (code, answer["error"]["move"], answer["error"]["code"]) == (2, 2, "no-escort-right")


def test_8_10_the_earlier_loot_remains_and_play_goes_on(empire: Campaign) -> None:
    loot = empire.entries.get(sequence=42)
    assert [
        roll.value
        for roll in loot.rolls.filter(purpose__contains="loot/italia").order_by("purpose")
    ] == [6, 4]
    position = positions.current(empire)
    assert position.vp["B"]["f"] == 21
    assert (position.lands["macedonia"].n, position.pending) == (
        0,
        None,
    ), "no one was asked in the Rebellion (9.3)"
    run_audit("--rebuild")
    played = play(empire, move="place", land="mesopotamia", **{"for": "B", "from": "start"})
    assert positions.current(played).lands["mesopotamia"].who == "parthi"
    assert run_audit()[0] == 0


def test_8_10_9_3_a_record_without_the_mark_follows_the_current_rules(empire: Campaign) -> None:
    whole = record.full_record(empire)
    assert whole["options"] == {"players": 3, "rules_edition": 1}
    code, state = replay_record(whole)
    assert (code, state["vp"]["B"]["f"], state["lands"]["macedonia"]["n"]) == (0, 21, 0)
    code, state = replay_record(without_mark(whole))
    assert (code, state["vp"]["B"]["f"]) == (0, 17), "one die for ITALIA"
    assert (state["lands"]["macedonia"]["n"], state["pending"]["kind"]) == (1, "retreat")


@pytest.mark.parametrize("name", ["escort", "empire"])
def test_verify_py_replays_the_pack_by_the_rules_of_its_genesis(name: str, tmp_path: Path) -> None:
    campaign = stored(name)
    run_audit("--rebuild")
    status, lines = run_script(unpack_audit_pack(campaign, tmp_path))
    assert (status, lines[-1]) == (0, "No faults were found.")


@pytest.mark.parametrize("name", ["escort", "empire"])
def test_a_campaign_is_founded_from_the_record_of_an_earlier_campaign(name: str) -> None:
    before = stored(name)
    judged = check_record(canonical(record.full_record(before)))
    assert judged.faults == []
    gm = User.objects.get(username="Old Marozia")
    campaign = import_record(gm, judged, "Taken over", "UTC", "unlisted")
    assert positions.current(campaign).encode() == positions.current(before).encode()
    assert record.full_record(campaign)["options"] == record.full_record(before)["options"]
    assert run_audit(campaign.public_id)[0] == 0
    # A new campaign on the same terms is played by the current rules.
    copied = services.copy_campaign(campaign, gm)
    assert "rules_edition" not in positions.record_options(copied)
    assert positions.options(copied).edition == 2


def test_only_a_record_can_set_the_edition(people: Any) -> None:
    gm = people["gm"]
    with pytest.raises(MalformedRecord, match="began under earlier rules") as refused:
        services.found_campaign(gm, "grand_campaign", "Mine", "420ad", {"rules_edition": 1})
    assert str(refused.value) == EDITION
    draft = services.found_campaign(gm, "grand_campaign", "Mine", "420ad")
    with pytest.raises(MalformedRecord, match="began under earlier rules"):
        services.change_terms(draft, gm, options={"rules_edition": 1})


@pytest.mark.parametrize("value", [0, 3, True, "1", None, 1.0])
@pytest.mark.parametrize("title", ["grand_campaign", "roman_empire"])
def test_the_edition_must_exist(title: str, value: Any, escort: Campaign, empire: Campaign) -> None:
    whole = record.full_record(escort if title == "grand_campaign" else empire)
    faults = check_record(
        json.dumps({**json.loads(canonical(whole)), "options": {"rules_edition": value}})
    ).faults
    assert faults[0] == "options.rules_edition: must be a whole number from 1 to 2."


def test_the_genesis_of_a_new_campaign_names_the_edition(people: Any) -> None:
    new = services.found_campaign(people["gm"], "roman_empire", "New", "standard")
    assert (new.edition, new.entries.get().content["edition"]) == (2, 2)
    assert record.full_record(new)["options"] == {}
    same = services.found_campaign(people["gm"], "tetrarchia", "Same", "standard")
    assert (same.edition, "edition" in same.entries.get(sequence=0).content) == (1, False)


def test_an_earlier_draft_gets_the_current_rules_with_its_terms(people: Any) -> None:
    draft = services.found_campaign(people["gm"], "grand_campaign", "Draft", "420ad")
    Campaign.objects.filter(pk=draft.pk).update(edition=1)  # the state after the migration
    draft.refresh_from_db()
    assert positions.options(draft).edition == 1
    changed = services.change_terms(draft, people["gm"])
    assert positions.options(changed).edition == 2
    assert run_audit(draft.public_id)[0] == 0


def test_verify_py_reads_terms_that_were_changed_before_the_start(
    people: Any, tmp_path: Path
) -> None:
    gm = people["gm"]
    draft = services.found_campaign(gm, "grand_campaign", "Draft", "420ad")
    campaign = services.change_terms(draft, gm)
    services.play(campaign, gm, {"by": "gm", "move": "start"}, selectors.seen(campaign, gm))
    status, lines = run_script(unpack_audit_pack(campaign, tmp_path))
    assert (status, lines[-1]) == (0, "No faults were found.")
    assert lines[0].startswith("entry 1 has the commitment ")
    log = tmp_path / "log.jsonl"
    genesis = log.read_text("utf-8").splitlines()[0]
    log.write_text(f"{log.read_text('utf-8')}{genesis}\n", "utf-8")
    status, lines = run_script(tmp_path)
    assert status == 1
    assert "entry 3: the terms were changed after the first move" in lines


def test_incomplete_stored_effects_are_no_fault_of_the_log(escort: Campaign) -> None:
    """Stored effects are a cache, which no hash covers.

    The audit lists them; a rebuild writes them again.
    """
    old = escort.entries.get(sequence=3)
    code, lines = run_audit("--all")
    assert code == 1
    assert "entry 3: its effects differ from those of the replay" in lines
    escort.refresh_from_db()
    assert escort.fault == ""
    run_audit("--rebuild")
    new = escort.entries.get(sequence=3)
    assert new.effects != old.effects
    assert new.all_effects[1].cause.facts["roll"] == 6


def test_pages_and_interface_name_the_earlier_rules(escort: Campaign, empire: Campaign) -> None:
    gm = User.objects.get(username="Old Marozia")
    client = Client()
    client.force_login(gm)
    run_audit("--rebuild")
    page = client.get(f"/c/{escort.address}/rules/").content.decode()
    assert "Rules from before November 2026" in page
    assert "army lists do not matter (§7.8)" in page
    terms = client.get(f"/api/v1/campaigns/{escort.public_id}/terms/").json()
    assert terms["options"] == {"external_attacks": True, "rules_edition": 1}
    page = client.get(f"/c/{empire.address}/rules/").content.decode()
    assert (
        "A Faction rolls two dice for the loot of ITALIA, and of TRACIA from period IV (8.10)"
        in page
    )


def test_a_fault_of_the_log_still_stops_a_campaign(escort: Campaign) -> None:
    LogEntry.objects.filter(campaign=escort, sequence=3).update(digest="0" * 64)
    assert audit.tick(NIGHT) == 1
    with pytest.raises(NotNow):
        play(escort, move="report", attack=1, winner="attacker")

"""Campaigns whose stored log does not verify: they accept no entry, say so, and affect no other."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaign import keys, pulse, services
from campaign.errors import LogFault
from campaign.hosting import audit
from campaign.log import entries as log_entries
from campaign.log import selectors
from campaign.models import Campaign, LogEntry
from tests.web.grand_table import GrandTable, new_campaign

__all__ = ["new_campaign"]
pytestmark = pytest.mark.django_db
FAULT = "entry 1: its hash does not match its text, its rolls or the previous entry"


@pytest.fixture
def bad(new_campaign: Any) -> GrandTable:
    grand_table: GrandTable = new_campaign()
    LogEntry.objects.filter(campaign=grand_table.campaign, sequence=1).update(hash="0" * 64)
    return grand_table


@pytest.fixture
def good(new_campaign: Any) -> GrandTable:
    other: GrandTable = new_campaign(name="The Other Frontier")
    return other


def run_audit(*arguments: str) -> tuple[int, list[str]]:
    out = StringIO()
    try:
        call_command("audit", *arguments, stdout=out)
    except SystemExit as end:
        return int(end.code or 0), out.getvalue().splitlines()
    return 0, out.getvalue().splitlines()


def test_the_audit_names_all_faulty_campaigns_and_these_accept_no_moves(
    bad: GrandTable, good: GrandTable, new_campaign: Any, caplog: pytest.LogCaptureFixture
) -> None:
    third = new_campaign(name="A Third One")
    LogEntry.objects.filter(campaign=third.campaign, sequence=1).update(hash="0" * 64)
    with caplog.at_level(logging.ERROR, "campaign.hosting.audit"):
        code, lines = run_audit()
    assert code == 1
    assert lines[0] == f"{bad.campaign.public_id} grand_campaign: {FAULT}"
    assert lines[1].endswith("entries, all as replayed")
    assert lines[2] == f"{third.campaign.public_id} grand_campaign: {FAULT}"
    logged = [record.getMessage() for record in caplog.records]
    assert (
        logged[0]
        == f"Campaign {bad.campaign.public_id} accepts no moves because its stored log has failed"
        f" the check: {FAULT}"
    )
    assert len(logged) == 2

    with pytest.raises(LogFault):
        start(bad)
    bad.campaign.refresh_from_db()
    for who in ("gm", "hun", "stranger", "nobody"):
        for path in ("", "log/", "desk/", "dice/"):
            answer = bad.get(who, path)
            assert answer.status_code == 409, path
            page = answer.content.decode()
            assert "The log has failed its check" in page
            assert FAULT in page
    problem = Client().get(f"/api/v1/campaigns/{bad.campaign.public_id}/")
    assert (problem.status_code, problem.json()["code"]) == (409, "log-fault")

    assert start(good).campaign.started
    assert good.get("gm").status_code == 200
    assert Client().get("/").status_code == 200
    assert bad.get("gm", "/").status_code == 200


def start(grand_table: GrandTable) -> Any:
    gm = grand_table.people["gm"]
    campaign = Campaign.objects.get(pk=grand_table.campaign.pk)
    return services.play(campaign, gm, {"by": "gm", "move": "start"}, selectors.seen(campaign, gm))


def test_a_faulty_campaign_accepts_no_acts_either(bad: GrandTable) -> None:
    audit.find_fault(bad.campaign)
    with pytest.raises(LogFault):
        log_entries.append_act(bad.campaign, None, {"act": "host", "how": "hidden"})


def test_a_repaired_log_accepts_moves_again(bad: GrandTable) -> None:
    entry = LogEntry.objects.get(campaign=bad.campaign, sequence=1)
    assert run_audit(bad.campaign.public_id)[0] == 1
    before = LogEntry.objects.get(campaign=bad.campaign, sequence=0)
    rolls = [row.roll for row in entry.rolls.all()]
    entry.hash = log_entries.entry_hash(before.hash, log_entries.body(entry, None, rolls))
    entry.save()
    assert run_audit(bad.campaign.public_id)[0] == 0
    assert Campaign.objects.get(pk=bad.campaign.pk).fault == ""
    assert start(bad).campaign.started


def test_a_difference_in_derived_rows_stops_no_campaign(good: GrandTable) -> None:
    """Derived rows can be rebuilt from the log by `audit --rebuild`."""
    Campaign.objects.filter(pk=good.campaign.pk).update(phase="elsewhere")
    code, lines = run_audit()
    assert (code, lines) == (
        1,
        [f"{good.campaign.public_id} grand_campaign: the campaign's phase differs from the log"],
    )
    assert Campaign.objects.get(pk=good.campaign.pk).fault == ""


def test_each_campaign_is_audited_once_a_night(bad: GrandTable, good: GrandTable) -> None:
    assert audit.tick(datetime(2026, 11, 29, 12, 0, tzinfo=UTC)) == 0
    night = datetime(2026, 11, 29, 2, 0, tzinfo=UTC)
    assert audit.tick(night, 1) == 1
    assert audit.tick(night, 5) == 1
    assert audit.tick(night, 5) == 0
    assert audit.tick(datetime(2026, 11, 30, 1, 0, tzinfo=UTC), 5) == 2
    faults = {campaign.pk: campaign.fault for campaign in Campaign.objects.all()}
    assert faults == {bad.campaign.pk: FAULT, good.campaign.pk: ""}
    assert "audit" in pulse.tick(limit=0)


def test_a_log_that_cannot_be_replayed_is_found_by_the_first_reader(good: GrandTable) -> None:
    start(good)
    moves = LogEntry.objects.filter(campaign=good.campaign, kind="move")
    moves.update(content_json='{"by":"gm","move":"nonsense"}')
    Campaign.objects.filter(pk=good.campaign.pk).update(
        last_hash="1" * 64, standing_hash="1" * 64
    )  # no process has it in its cache
    assert Client().get("/").status_code == 200
    assert good.get("gm").status_code == 409
    assert Campaign.objects.get(pk=good.campaign.pk).fault.startswith("entry ")


def test_a_move_made_during_the_audit_is_no_fault(new_campaign: Any) -> None:
    """The campaign row that a page has read is older than the log that it checks."""
    grand_table: GrandTable = new_campaign(chance="words")
    page = Campaign.objects.get(pk=grand_table.campaign.pk)
    services.add_words(grand_table.campaign, grand_table.people["hun"], "huns", "Attila")
    services.close_words(grand_table.campaign, grand_table.people["gm"])
    start(grand_table)
    assert audit.log_fault(page), "the test needs a page that is too old"
    assert audit.find_fault(page) == ""
    assert Campaign.objects.get(pk=grand_table.campaign.pk).fault == ""


@pytest.mark.django_db(transaction=True)
def test_moves_are_possible_during_the_nightly_audit(good: GrandTable) -> None:
    with CaptureQueriesContext(connection) as queries:
        assert audit.tick(datetime(2026, 11, 29, 2, 0, tzinfo=UTC)) == 1
    held = [
        query["sql"]
        for query in queries
        if query["sql"].startswith("BEGIN") or "FOR " in query["sql"]
    ]
    assert held == [], "no row, and on SQLite not the database"


def test_another_vault_key_neither_stops_a_campaign_nor_lifts_a_stop(
    bad: GrandTable, good: GrandTable, settings: Any
) -> None:
    """A process with another key can open neither removed texts nor dice."""
    audit.find_fault(bad.campaign)
    removed = LogEntry.objects.get(campaign=good.campaign, sequence=1)
    removed.sealed = keys.seal(removed.content_json)
    removed.save()
    LogEntry.objects.filter(campaign=bad.campaign, sequence=1).update(sealed=removed.sealed)
    settings.VAULT_KEY = "2" * 64
    assert run_audit()[0] == 1
    faults = {campaign.pk: campaign.fault for campaign in Campaign.objects.all()}
    assert faults == {bad.campaign.pk: FAULT, good.campaign.pk: ""}

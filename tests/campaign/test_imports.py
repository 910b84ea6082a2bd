"""Import jobs.

A record is stored, worked at once, and resumed if its worker died; it is imported as a whole or not
at all.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from campaign import imports
from campaign.errors import NotAllowed, Refused
from campaign.hosting import host_acts
from campaign.imports import ATTEMPTS, KEEP, SILENCE
from campaign.models import Campaign, ImportJob, LogEntry

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
SHORT = {
    "format": "grand-campaign/1",
    "scenario": "420ad",
    "options": {},
    "dice": {"seed": "any text"},
    "moves": [{"by": "gm", "move": "start"}],
}


def keep_import(user: Any, name: str = "Taken over", at: datetime = NOW, **other: Any) -> ImportJob:
    return imports.store_upload(
        user, json.dumps({**SHORT, **other}).encode(), name, "UTC", "unlisted", now=at
    )[0]


def test_a_stored_record_is_worked_and_founds_a_campaign(people: Any) -> None:
    row = keep_import(people["ant"])
    assert not Campaign.objects.exists()
    done = imports.work(row.pk, now=NOW)
    assert done is not None
    created = done.campaign
    assert (done.state, done.total, bytes(done.content)) == ("founded", 1, b"")
    assert (created.name, created.founder, created.founded_at) == ("Taken over", people["ant"], NOW)
    assert imports.work(row.pk) is None, "once"


def test_every_fault_is_stored_in_the_senders_language(people: Any) -> None:
    row = keep_import(people["ant"], moves=1, more=2)
    done = imports.work(row.pk, now=NOW)
    assert done is not None
    assert (done.state, done.campaign) == ("faulty", None)
    assert done.faults == ["more: unknown key.", "moves: must be a list."]


def test_a_fault_that_names_an_unprintable_key_is_stored(people: Any) -> None:
    """PostgreSQL stores no null character in JSON."""
    row = keep_import(people["ant"], **{"a\0b": 2})
    done = imports.work(row.pk, now=NOW)
    assert done is not None
    assert (done.state, done.faults) == ("faulty", ["a\ufffdb: unknown key."])


def test_a_worker_that_dies_leaves_nothing_and_another_worker_resumes_the_job(
    people: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A killed worker reports nothing.

    What it had begun is in no table except the row of the job.
    """
    row = keep_import(people["ant"])

    def killed(*_args: Any, **_kwargs: Any) -> None:
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr("campaign.log.entries.rebuild", killed)
        with pytest.raises(SystemExit):
            imports.work(row.pk, now=NOW)
    row.refresh_from_db()
    assert (row.state, row.attempt, Campaign.objects.count(), LogEntry.objects.count()) == (
        "writing",
        1,
        0,
        0,
    )
    assert imports.work(row.pk, now=row.heartbeat_at + timedelta(seconds=5)) is None, (
        "it may be at it still"
    )
    assert imports.tick(row.heartbeat_at + timedelta(seconds=5)) == 0
    assert imports.tick(row.heartbeat_at + SILENCE + timedelta(seconds=5)) == 1
    row.refresh_from_db()
    assert (row.state, row.attempt, Campaign.objects.count()) == ("founded", 2, 1)


def test_a_worker_that_was_given_up_writes_nothing_more(people: Any) -> None:
    row = keep_import(people["ant"])
    slow = imports._claim(row.pk, NOW)
    assert slow is not None
    assert imports.work(row.pk, now=NOW + SILENCE + timedelta(seconds=1)) is not None
    with pytest.raises(imports.TakenOver):
        imports._report_step(slow, done=1)
    assert imports._end(slow, ImportJob.State.STOPPED, NOW) is None
    assert Campaign.objects.count() == 1


def test_a_job_is_not_tried_for_ever(people: Any) -> None:
    row = keep_import(people["ant"])
    ImportJob.objects.update(attempt=ATTEMPTS, heartbeat_at=NOW)
    imports.tick(NOW + SILENCE + timedelta(seconds=1))
    row.refresh_from_db()
    assert (row.state, row.open, Campaign.objects.count()) == ("stopped", False, 0)


def test_a_user_has_few_jobs_at_once(people: Any) -> None:
    kept = [keep_import(people["ant"], name=f"No. {n}") for n in range(3)]
    assert keep_import(people["ant"], name="No. 1") == kept[1]
    with pytest.raises(Refused):
        keep_import(people["ant"], name="No. 3")
    with pytest.raises(Refused):
        keep_import(people["gm"], name="")
    people["gm"].guest = True
    with pytest.raises(NotAllowed):
        keep_import(people["gm"])


def test_old_jobs_are_deleted(people: Any) -> None:
    """The pulse deletes jobs a week after their end; jobs of an erased sender go at once."""
    row = keep_import(people["ant"])
    imports.tick(NOW + imports.SAME_CLICK + timedelta(seconds=1))
    assert Campaign.objects.count() == 1, "no worker took it: the pulse did"
    imports.tick(NOW + KEEP)
    assert ImportJob.objects.exists()
    imports.tick(NOW + KEEP + timedelta(minutes=5))
    assert not ImportJob.objects.exists()
    row = keep_import(people["gm"], name="Another")
    host_acts.erase_person(people["gm"], now=NOW)
    assert imports.work(row.pk) is None
    assert not ImportJob.objects.exists()


def test_each_user_has_one_running_job_at_a_time(people: Any) -> None:
    first, second = keep_import(people["ant"]), keep_import(people["ant"], name="Second")
    theirs = keep_import(people["bee"])
    assert imports._claim(first.pk, NOW) is not None
    assert imports.work(second.pk, now=NOW + timedelta(seconds=1)) is None
    second.refresh_from_db()
    assert second.state == "waiting"
    assert not imports.waits_for_worker(second, NOW + timedelta(seconds=60)), (
        "the worker is at the first"
    )
    done = imports.work(theirs.pk, now=NOW + timedelta(seconds=1))
    assert done is not None, "others do not wait for it"
    assert imports.tick(NOW + timedelta(seconds=61)) == 0
    # The worker of the first job has died: the pulse resumes it, and then starts the second.
    assert imports.tick(NOW + SILENCE + timedelta(seconds=61)) == 1
    assert imports.next_of(first.pk) == [second.pk]
    assert imports.tick(NOW + SILENCE + timedelta(seconds=62)) == 1
    assert set(ImportJob.objects.values_list("state", flat=True)) == {"founded"}


def test_a_job_that_takes_too_long_is_stopped_and_leaves_nothing(people: Any) -> None:
    row = keep_import(people["ant"])
    assert imports.work(row.pk, now=NOW, lasts=0) is not None
    row.refresh_from_db()
    assert (row.state, row.open, bytes(row.content), row.campaign, Campaign.objects.count()) == (
        "too-long",
        False,
        b"",
        None,
        0,
    )
    assert imports.work(row.pk, now=NOW) is None, "it is not tried again"

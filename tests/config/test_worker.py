"""Groups of work have processes of their own, and a task that hangs is ended by the real pool."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from django.conf import settings as installed
from django.db import connection

from campaign import pulse
from campaign.models import RunningTask
from config.celery import app
from tests.config.test_serve import until

ROOT = Path(__file__).resolve().parents[2]


def test_each_kind_of_work_is_in_one_group() -> None:
    grouped = [queue for _processes, queues in installed.GROUPS.values() for queue in queues]
    assert sorted(grouped) == sorted(["celery", *installed.TICKS])
    assert sorted(queue.name for queue in app.conf.task_queues) == sorted(grouped)
    assert {route["queue"] for route in installed.CELERY_TASK_ROUTES.values()} <= set(grouped)


def test_what_hangs_or_waits_for_others_keeps_neither_clocks_nor_codes() -> None:
    of = {
        queue: name for name, (_processes, queues) in installed.GROUPS.items() for queue in queues
    }
    assert of["clocks"] not in {
        of[kind] for kind in ("mail", "posts", "webhooks", "imports", "forecasts", "celery")
    }
    assert of["mail"] not in {
        of[kind] for kind in ("posts", "webhooks", "imports", "forecasts", "celery")
    }
    assert of["celery"] not in {of[kind] for kind in ("posts", "webhooks", "imports", "forecasts")}


def test_every_task_has_a_hard_limit() -> None:
    import web.tasks  # noqa: F401  its tasks are known from then on

    ours = [task for name, task in app.tasks.items() if not name.startswith("celery.")]
    assert {"work", "clear-sessions", "draw-picture", "take-over-record"} <= {
        task.name for task in ours
    }
    for task in ours:
        limit = task.time_limit or app.conf.task_time_limit
        soft = task.soft_time_limit or app.conf.task_soft_time_limit
        assert 0 < soft < limit <= installed.IMPORT_SECONDS + 60 + installed.GRACE, task.name
    for entry in app.conf.beat_schedule.values():
        if entry["task"] == "work":
            (kind,) = entry["args"]
            assert entry["options"]["time_limit"] == pulse.options(kind)["time_limit"] > 0
            assert entry["options"]["queue"] == kind


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    kept = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("REDIS", "TABULA_BROKER"))
    }
    return kept | {
        "DATABASE_URL": f"sqlite:///{connection.settings_dict['NAME']}",
        "TABULA_BROKER_FOLDER": str(tmp_path / "broker"),
        "TABULA_TASK_SECONDS": "2",
        "TABULA_TASK_GRACE": "2",
        "TABULA_WORKER_NICE": "0",
    }


def ended(process: subprocess.Popen[Any]) -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(90)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@pytest.fixture
def broker(tmp_path: Path, environment: dict[str, str]) -> Iterator[Any]:
    """A connection to the worker's folder."""
    (tmp_path / "broker").mkdir()
    folders = dict.fromkeys(
        ("data_folder_in", "data_folder_out", "control_folder"), str(tmp_path / "broker")
    )
    with app.connection_for_write("filesystem://", transport_options=folders) as connected:
        yield connected


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_a_task_that_hangs_is_ended_with_its_process_and_the_next_one_runs(
    tmp_path: Path, environment: dict[str, str], broker: Any
) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("the worker and this test share a file")
    log = (tmp_path / "log").open("wb")
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.config.hanging"],
        cwd=ROOT,
        env=environment,
        stdout=log,
        stderr=subprocess.STDOUT,
    )
    try:
        app.send_task("hang", (str(tmp_path / "hung"),), connection=broker)
        until((tmp_path / "hung").exists, 60)
        hung = int((tmp_path / "hung").read_text())
        until(lambda: RunningTask.objects.filter(name="hang").exists())
        app.send_task("write-pid", (str(tmp_path / "after"),), connection=broker)
        until((tmp_path / "after").exists, 60)
        assert (tmp_path / "hung.soft").read_text() == "SoftTimeLimitExceeded"
        assert (
            not Path(f"/proc/{hung}").exists()
            or "hang" not in Path(f"/proc/{hung}/cmdline").read_text()
        )
        assert int((tmp_path / "after").read_text()) != hung
    finally:
        ended(process)
        log.close()
    shown = (tmp_path / "log").read_text()
    assert re.search(r"Hard time limit \(4(\.0)?s\) exceeded for hang\[", shown), shown


@pytest.mark.long
@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_one_command_starts_every_group_and_ends_them_all(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    """A group's process that is killed is started again.

    SIGTERM ends the first process and all below it.
    """
    if connection.vendor != "sqlite":
        pytest.skip("the worker and this test share a file")
    process = subprocess.Popen(
        [sys.executable, "-m", "config.worker", "clocks", "mail"],
        cwd=ROOT,
        env=environment,
        stderr=subprocess.DEVNULL,
    )

    def below() -> list[int]:
        listed = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
        return [int(number) for number in listed.split()]

    try:
        until(lambda: len(below()) == 2, 60)
        first, other = below()
        sleep(3)  # they have pools below them by now, on a machine that is not busy
        os.kill(first, signal.SIGKILL)
        until(lambda: len(below()) == 2 and first not in below(), 30)
        assert other in below()
        everyone = below()
    finally:
        ended(process)
    assert process.returncode == 0
    assert not any(Path(f"/proc/{pid}").exists() for pid in everyone)


def test_a_group_that_does_not_exist_is_named(environment: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "config.worker", "clock"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert (
        "unknown group: clock; the groups are clocks, mail, outside, tables, heavy" in done.stderr
    )

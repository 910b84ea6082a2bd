"""The processes of the workers and beats under fire.

The site's own tasks, at the time in a file.

Each tick writes a line when it begins and one when it ends. Each act of a clock is written in its
transaction into a table that accepts duplicates.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import django
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.db import connection  # noqa: E402

from campaign import hooks, pulse  # noqa: E402
from campaign.models import Clock  # noqa: E402
from config.celery import app  # noqa: E402
from games import registry  # noqa: E402
from games.contract.title import Waiting  # noqa: E402
from tests.toy import Position, Toy  # noqa: E402

TABLE = "fire_told"


class Lapses(Toy):
    """Heap with slots that end automatically."""

    def lapse(self, position: Position, waiting: Waiting) -> dict[str, Any] | None:
        return {"by": "gm", "for": waiting.seat, "move": "end"}


def folder() -> Path:
    return Path(os.environ["TABULA_FIRE_FOLDER"])


def time_in_file() -> datetime:
    return datetime.fromisoformat((folder() / "now").read_text())


def note(what: str) -> None:
    with (folder() / "ticks").open("a") as file:
        file.write(f"{what} {os.getpid()}\n")


def noted(now: datetime, limit: int | None = None) -> int:
    """Run the tick of clocks between its two lines."""
    from campaign.clocks.services import tick

    note("begun")
    try:
        done = tick(now, limit)
    except Exception:
        note("failed")
        raise
    note("ended")
    return done


def record_clock_event(clock: Clock, what: str, at: datetime, facts: Mapping[str, Any]) -> None:
    """Take some time in the middle of the transaction, because a worker is to be killed there."""
    row = [clock.pk, what, clock.due_at.isoformat(), at.isoformat()]
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {TABLE} (clock, what, due, at) VALUES (%s, %s, %s, %s)", row)
    time.sleep(random.uniform(0, 0.08))


def worker() -> None:
    app.Worker(
        pool="solo",
        loglevel="ERROR",
        quiet=True,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    ).start()


def beat(name: str) -> None:
    app.Beat(schedule=str(folder() / name), loglevel="ERROR", quiet=True).run()


def nursery() -> None:
    """Start a process for each line of input and print its id.

    Everything that takes seconds to load is loaded once.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        what, _, name = line.strip().partition(" ")
        pid = os.fork()
        if pid:
            print(pid, flush=True)
            continue
        try:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.dup2(2, 1)
            worker() if what == "worker" else beat(name)
        finally:
            os._exit(0)


def ready() -> None:
    registry.TITLES["heap"] = Lapses()
    settings.TICKS = {"clocks": 25}
    hooks.ticks = {"clocks": noted}
    hooks.clock_event = record_clock_event
    # Pulses are frequent here, and a new process takes seconds to start: they stay valid for longer
    # than the time to the next one.
    app.conf.beat_schedule = {
        "clocks": {
            **app.conf.beat_schedule["clocks"],
            "options": {"queue": "clocks", "expires": 10.0},
        }
    }
    pulse.timezone = SimpleNamespace(now=time_in_file)  # type: ignore[assignment]


if "TABULA_FIRE_FOLDER" in os.environ:
    ready()
if __name__ == "__main__":
    sys.modules["tests.fire.worker"] = sys.modules["__main__"]
    nursery()

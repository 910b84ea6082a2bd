"""Monitoring of the site: health, metrics, log lines, letters about errors, the version."""

from __future__ import annotations

import http.server
import json
import logging
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection
from ipaddress import ip_network
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from django.conf import settings as installed
from django.core import mail
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import include, path
from django.utils import timezone

from campaign import pulse
from campaign.models import LogEntry, RunningTask, TickRun
from config import monitoring, version
from config.logs import AdminMailHandler, JsonLineFormatter, masked, report_to_sentry
from tests.table import people, running, table, toy

__all__ = ["people", "running", "table", "toy"]
ROOT = Path(__file__).resolve().parents[2]
TOKEN = "PKLK2s-YdQQDILJOdM7nLw"


def breaks(request: HttpRequest) -> HttpResponse:
    raise RuntimeError(f"No seat behind /join/{TOKEN}/ and tab_{TOKEN}{TOKEN}")


urlpatterns = [path("breaks/", breaks), path("", include("config.urls"))]
handler500 = "web.frame.errors.broken"


@pytest.fixture(autouse=True)
def _without_cached_checks() -> None:
    monitoring._ready.forget()


def ready(**how: Any) -> tuple[int, dict[str, Any]]:
    monitoring._ready.forget()
    answer = Client().get("/health/ready", **how)
    return answer.status_code, json.loads(answer.content)


# Health -------------------------------------------------------------------------------------------
@pytest.mark.django_db
def test_ready_reports_each_part_and_503_if_one_fails(
    running: Any, settings: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    fine = dict.fromkeys(("database", "migrations", "vault", "pulse", "broker", "cache"), "ok")
    status, shown = ready()
    assert (status, shown["ready"], shown["version"]) == (503, False, installed.VERSION)
    assert shown["checks"] == {
        **fine,
        "pulse": "none yet: start beat and worker, or run manage.py tick from cron",
    }
    assert shown["pulse_age_seconds"] is None

    monkeypatch.setattr(installed, "TICKS", ["letters", "posts"])
    pulse.note("letters", timezone.now(), 0.5, failed=False)
    assert ready()[0] == 503, "posts were never looked after"
    pulse.note("posts", timezone.now(), 0.5, failed=True)
    status, shown = ready()
    assert (status, shown["checks"]) == (
        503,
        {**fine, "pulse": "failed (posts): check the logs of beat and worker"},
    )
    pulse.note("posts", timezone.now(), 0.5, failed=False)
    status, shown = ready()
    assert (status, shown["ready"], shown["checks"]) == (200, True, fine)
    assert 0 <= shown["pulse_age_seconds"] < 300
    # Neither the name nor the scheme nor a session matters to it, and it gives none.
    settings.SECURE_SSL_REDIRECT = True
    for where in ("/health/live", "/health/ready"):
        client = Client()
        client.cookies[installed.SESSION_COOKIE_NAME] = "nobody's"
        answer = client.get(where, headers={"host": "10.0.0.7:8000"})
        assert (answer.status_code, answer["Cache-Control"], dict(answer.cookies)) == (
            200,
            "no-store",
            {},
        )
        assert answer.headers.get("Vary") is None
    assert json.loads(Client().get("/health/live").content) == {
        "live": True,
        "version": installed.VERSION,
    }

    TickRun.objects.filter(part="posts").update(at=timezone.now() - timedelta(seconds=301))
    status, shown = ready()
    assert (status, shown["checks"]) == (
        503,
        {**fine, "pulse": "late (posts): check the logs of beat and worker"},
    )
    TickRun.objects.update(at=timezone.now())

    MigrationRecorder(connection).record_unapplied("campaign", "0045_json_columns")
    status, shown = ready()
    assert (status, shown["checks"]) == (
        503,
        {**fine, "migrations": "1 missing: run manage.py migrate"},
    )
    MigrationRecorder(connection).record_applied("campaign", "0045_json_columns")

    key, settings.VAULT_KEY = settings.VAULT_KEY, "another"
    status, shown = ready()
    assert (status, shown["checks"]) == (
        503,
        {**fine, "vault": "this is not the key with which this database was encrypted"},
    )
    settings.VAULT_KEY = key

    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        settings.CELERY_BROKER_URL = f"redis://:hunter2@127.0.0.1:{closed.getsockname()[1]}/0"
    monkeypatch.setattr(cache, "get", lambda *args: None)
    status, shown = ready()
    broken = {"broker": "not reachable (ConnectionError)", "cache": "does not store values"}
    assert (status, shown["checks"]) == (503, {**fine, **broken})

    def away() -> str:
        raise DatabaseError("password=hunter2")

    monkeypatch.setattr(monitoring, "_database", away)
    monkeypatch.setattr(connection, "close", lambda: None)  # the test's own
    status, shown = ready()
    unknown = dict.fromkeys(("migrations", "vault", "pulse"), "unknown without the database")
    assert (status, shown["checks"]) == (
        503,
        {"database": "not reachable (DatabaseError)", **unknown, **broken},
    )
    assert "hunter2" not in json.dumps(shown)
    assert Client().get("/health/live").status_code == 200
    names = {record.name for record in caplog.records}
    assert "django.request" not in names, "machines repeat it"


@pytest.mark.django_db
def test_a_task_that_hangs_is_named_in_health_and_metrics(
    running: Any, settings: Any, caplog: Any
) -> None:
    settings.METRICS_ALLOWED = [ip_network("127.0.0.1")]
    for part in installed.TICKS:
        pulse.note(part, timezone.now(), 0.5, failed=False)
    begun = timezone.now()
    pulse.note_start("1", "work clocks", 330)
    pulse.note_start("2", "draw-picture", 330)
    pulse.note_start("3", "draw-picture", 330)
    assert ready()[0] == 200
    monitoring.site_metrics().text.forget()
    text = Client(REMOTE_ADDR="127.0.0.1").get("/metrics").content.decode()
    assert 'tabula_tasks_running{task="work clocks"} 1.0' in text
    assert 'tabula_tasks_running{task="draw-picture"} 2.0' in text
    since = re.search(r'tabula_task_oldest_timestamp_seconds\{task="work clocks"\} (\S+)', text)
    assert since
    assert abs(float(since[1]) - begun.timestamp()) < 5
    RunningTask.objects.filter(pk="1").update(ends_by=timezone.now() + timedelta(seconds=20))
    status, shown = ready()
    assert status == 503
    assert (
        shown["checks"]["pulse"] == "does not end (work clocks): check the logs of beat and worker"
    )
    # Its process was ended, and a later task of the same worker says so and removes its row.
    RunningTask.objects.filter(pk="1").update(ends_by=timezone.now() - timedelta(seconds=90))
    pulse.note_start("4", "work letters", 330)
    assert "work clocks, begun at" in caplog.text
    assert ready()[0] == 200
    for number in "234":
        pulse.note_end(number)
    assert not RunningTask.objects.exists()


@pytest.mark.django_db
def test_frequent_requests_cost_no_more(django_assert_num_queries: Any) -> None:
    Client().get("/health/ready")
    with django_assert_num_queries(0):
        for _ in range(50):
            assert Client().get("/health/ready").status_code == 503
            assert Client().get("/health/live").status_code == 200
    created: list[int] = []
    kept = monitoring.CachedResult(lambda: created.append(1) or len(created), 5.0)
    assert [kept.get(now) for now in (100.0, 104.9, 105.0, 106.0)] == [1, 1, 2, 2]


@pytest.mark.django_db
def test_a_pulse_is_noted_with_what_failed_and_stands_in_no_backup(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from campaign.hosting import backup

    at = datetime(2026, 11, 5, 12, tzinfo=UTC)
    monkeypatch.setattr(
        installed, "TICKS", {"clocks": 25, "nowhere": 1}
    )  # of which `hooks` knows the first
    monkeypatch.setattr(pulse, "close_old_connections", lambda: None)  # the test's own connection
    pulse.tick(at)
    assert list(TickRun.objects.order_by("part").values_list("part", "at", "failed")) == [
        ("clocks", at, False),
        ("nowhere", at, True),
    ]
    assert "campaign.tickrun" not in backup.occupied()
    pulse.tick(at + timedelta(minutes=1))
    assert set(TickRun.objects.values_list("at", flat=True)) == {at + timedelta(minutes=1)}


# Figures ------------------------------------------------------------------------------------------
@pytest.fixture
def metrics_text(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setattr(
        monitoring, "shared_folder", lambda: None
    )  # several processes: `test_two_processes_report_one_sum`
    settings.METRICS_ALLOWED = [ip_network("192.0.2.0/28"), ip_network("2001:db8::/64")]
    monitoring.site_metrics.cache_clear()
    yield monitoring.site_metrics()
    monitoring.site_metrics.cache_clear()


def metric_value(text: str, name: str) -> float:
    (value,) = [
        line.rpartition(" ")[2] for line in text.splitlines() if line.rpartition(" ")[0] == name
    ]
    return float(value)


@pytest.mark.django_db
def test_figures_are_read_by_an_allowed_address_only(
    metrics_text: Any, running: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    running.play("bee", "hide", secret=4711)
    running.play("bee", "dig")
    monkeypatch.setattr(installed, "TICKS", ["letters"])
    pulse.note("letters", datetime(2026, 11, 5, 12, tzinfo=UTC), 0.25, failed=True)

    def asked(address: str, forwarded: str = "") -> int:
        headers = {"x-forwarded-for": forwarded} if forwarded else {}
        return Client(REMOTE_ADDR=address).get("/metrics", headers=headers).status_code

    assert [
        asked(address)
        for address in (
            "192.0.2.1",
            "192.0.2.16",
            "127.0.0.1",
            "",
            "2001:db8::7",
            "::ffff:192.0.2.3",
            "nowhere",
        )
    ] == [
        200,
        404,
        404,
        404,
        200,
        200,
        404,
    ]
    # A proxy that is not configured: its own address says nothing about the client.
    assert asked("192.0.2.1", forwarded="203.0.113.9") == 404
    settings.TRUSTED_PROXIES = 1
    assert asked("127.0.0.1", forwarded="203.0.113.9, 192.0.2.1") == 200
    assert asked("127.0.0.1", forwarded="192.0.2.1, 203.0.113.9") == 404
    settings.TRUSTED_PROXIES = 2
    assert asked("192.0.2.1", forwarded="192.0.2.1") == 404
    settings.METRICS_ALLOWED = []
    assert asked("192.0.2.1") == 404

    settings.METRICS_ALLOWED, settings.TRUSTED_PROXIES = [ip_network("192.0.2.1")], 0
    metrics_text.text.forget()
    answer = Client(REMOTE_ADDR="192.0.2.1").get("/metrics")
    assert answer["Content-Type"].startswith("text/plain; version=")
    text = answer.content.decode()
    assert metric_value(text, "tabula_moves") == LogEntry.objects.filter(kind="move").count() == 3
    assert metric_value(text, 'tabula_campaigns{status="running"}') == 1
    assert metric_value(text, "tabula_due") == 0
    assert metric_value(text, 'tabula_deliveries{state="waiting"}') == 0
    assert metric_value(text, 'tabula_outbox{state="ready"}') == 0
    assert (
        metric_value(text, 'tabula_pulse_timestamp_seconds{part="letters"}')
        == datetime(2026, 11, 5, 12, tzinfo=UTC).timestamp()
    )
    assert metric_value(text, 'tabula_pulse_seconds{part="letters"}') == 0.25
    assert metric_value(text, 'tabula_pulse_failed{part="letters"}') == 1
    assert f'tabula_info{{version="{installed.VERSION}"}} 1.0' in text


def free_port() -> int:
    with socket.socket() as result:
        result.bind(("127.0.0.1", 0))
        return int(result.getsockname()[1])


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_two_processes_report_one_sum(tmp_path: Path) -> None:
    """A server runs as at a host: TLS is required, with two processes.

    Requests are counted whichever process answers.
    """
    if connection.vendor != "sqlite":
        pytest.skip("what is counted does not ask the database")
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    environment = {
        **kept,
        "TABULA_VAR": str(tmp_path),
        "SECRET_KEY": "s",
        "VAULT_KEY": "v",
        "ALLOWED_HOSTS": "tabula.example",
        "TABULA_HASHED_STATIC": "0",
        "METRICS_ALLOWED": "127.0.0.1",
        "LOG_FORMAT": "json",
        "CACHE_URL": "locmemcache://",
        "DATABASE_URL": f"sqlite:///{connection.settings_dict['NAME']}",
    }
    port = free_port()
    (tmp_path / "metrics" / f"{socket.gethostname()}-99999999").mkdir(parents=True)
    environment |= {"PORT": str(port), "WEB_CONCURRENCY": "2"}
    command = [sys.executable, "-m", "config.web"]
    with (tmp_path / "log").open("wb") as log:
        server = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=log)

    def ask(where: str) -> tuple[int, str]:
        door = HTTPConnection("127.0.0.1", port, timeout=300)
        door.request(
            "GET",
            where,
            headers={"Host": f"127.0.0.1:{port}" if where[1] in "hm" else "tabula.example"},
        )
        answer = door.getresponse()
        status, text = answer.status, answer.read().decode()
        door.close()
        return status, text

    try:
        end = monotonic() + 300
        while True:
            try:
                assert ask("/health/live")[0] == 200
                if (tmp_path / "log").read_text().count("Serving on") == 2:  # both processes
                    break
            except OSError:
                pass
            assert monotonic() < end, (tmp_path / "log").read_text()
            sleep(0.2)
        assert json.loads(ask("/health/ready")[1])["checks"]["pulse"].startswith("none yet")
        assert [ask("/rules/")[0] for _ in range(20)] == [301] * 20  # sent on to https
        folders = sorted((tmp_path / "metrics").iterdir())
        assert [folder.name for folder in folders] == [f"{socket.gethostname()}-{server.pid}"]
        for _ in range(6):
            status, text = ask("/metrics")
            assert (
                status,
                metric_value(text, 'tabula_requests_total{method="GET",page="none",status="301"}'),
            ) == (200, 20)
            assert metric_value(text, "tabula_request_seconds_count") == 20
    finally:
        server.terminate()
        server.wait(30)
    mine = [
        json.loads(line)
        for line in (tmp_path / "log").read_text().splitlines()
        if line.startswith("{")
    ]
    assert [line["logger"] for line in mine].count("waitress") == 2, mine


# Log lines and letters ----------------------------------------------------------------------------
@pytest.mark.django_db
@pytest.mark.urls("tests.config.test_monitoring")
def test_a_page_that_breaks_is_a_letter_to_admins(
    settings: Any, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    assert not installed.DEBUG
    client.raise_request_exception = False
    assert client.post("/breaks/", {"password": "hunter2"}).status_code == 500
    assert mail.outbox == [], "nobody is named"
    settings.ADMINS = [("Host", "host@example.org"), ("", "other@example.org")]
    answer = client.post("/breaks/", {"password": "hunter2"})
    assert answer.status_code == 500
    assert "Traceback" not in answer.content.decode()
    (letter,) = mail.outbox
    assert letter.to == ["host@example.org", "other@example.org"]
    assert letter.subject == "[Tabula] Internal Server Error: /breaks/"
    assert "RuntimeError: No seat behind /join/…/ and tab_…" in letter.body
    assert "test_monitoring.py" in letter.body
    assert TOKEN not in letter.body
    assert "hunter2" not in letter.body
    number = letter.body.split("Shown to the user as ")[1][:8]
    assert number in answer.content.decode()
    # Faults that strangers can cause, and deliberate "not now" answers, send no letter. They are
    # still logged.
    client.get("/nowhere/")
    client.get("/", headers={"host": "else.example"})
    client.get("/health/ready")
    assert len(mail.outbox) == 1
    assert [
        record.getMessage()
        for record in caplog.records
        if record.name == "django.request" and record.exc_info
    ] == ["Internal Server Error: /breaks/"] * 2


@pytest.mark.django_db
def test_a_check_of_readiness_that_breaks_is_a_letter_to_admins(
    settings: Any, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks() -> None:
        raise RuntimeError("No check")

    monkeypatch.setattr("config.middleware.ready", breaks)
    settings.ADMINS = [("", "host@example.org")]
    client.raise_request_exception = False
    assert client.get("/health/ready").status_code == 500
    assert [letter.subject for letter in mail.outbox] == [
        "[Tabula] Internal Server Error: /health/ready"
    ]


def test_one_fault_does_not_fill_a_letter_box(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ADMINS = [("Host", "host@example.org")]
    at = [0.0]
    handler = AdminMailHandler(most=3, clock=lambda: at[0])
    record = logging.LogRecord(
        "campaign.pulse",
        logging.ERROR,
        __file__,
        1,
        "forum.posts.sending.tick failed:\nhere",
        (),
        None,
    )
    for _ in range(5):
        handler.handle(record)
    assert [
        letter.subject.endswith("forum.posts.sending.tick failed: here") for letter in mail.outbox
    ] == [True] * 3
    assert ["no more such letters" in letter.body for letter in mail.outbox] == [False, False, True]
    at[0] = 3601.0
    handler.handle(record)
    assert len(mail.outbox) == 4

    def silent(*args: Any) -> None:
        raise ConnectionRefusedError

    monkeypatch.setattr("django.core.mail.mail_admins", silent)
    handler.handle(record)  # and the page that broke is shown all the same


@pytest.mark.parametrize(
    "link", ["join", "invited", "feed", "unsubscribe", "me/email", "password/key"]
)
def test_links_that_open_something_are_masked_everywhere(link: str) -> None:
    quoted = link.replace("/", "%2F")
    assert (
        masked(f'throttled from 192.0.2.7 account=none path="/{link}/{TOKEN}/"')
        == f'throttled from 192.0.2.7 account=none path="/{link}/…/"'
    )
    assert (
        masked(f"/sign-in/?next=%2F{quoted}%2F{TOKEN}%2F") == f"/sign-in/?next=%2F{quoted}%2F…%2F"
    )


def test_json_lines_are_masked_and_stay_json() -> None:
    """The mask covers a link's secret up to a quotation mark.

    In JSON a backslash precedes it.
    """
    record = logging.LogRecord(
        "web.x",
        logging.ERROR,
        __file__,
        1,
        'Gone: "/join/%s/x"\n%s',
        (TOKEN, "second\x1b[0m"),
        None,
    )
    try:
        raise ValueError(f'"https://hooks.slack.com/services/T1/B2/{TOKEN}"')
    except ValueError as error:
        record.exc_info = (type(error), error, error.__traceback__)
    record.request = HttpRequest()
    record.status_code = 500
    record.links = {f"/join/{TOKEN}": [f"/feed/{TOKEN}"]}
    line = JsonLineFormatter().format(record)
    assert "\n" not in line
    assert "\x1b" not in line
    assert TOKEN not in line
    shown = json.loads(line)
    assert shown["message"] == 'Gone: "/join/…/x"\nsecond\x1b[0m'
    assert (shown["level"], shown["logger"], shown["status_code"]) == ("ERROR", "web.x", 500)
    assert shown["links"] == {"/join/…": ["/feed/…"]}
    assert shown["traceback"].endswith('ValueError: "https://hooks.slack.com/services/…"')
    assert datetime.fromisoformat(shown["time"]).tzinfo == UTC
    assert "request" not in shown
    record.status_code = 404
    assert "traceback" not in json.loads(JsonLineFormatter().format(record))


@pytest.mark.long
def test_sentry_gets_no_secrets(tmp_path: Path) -> None:
    """A server of our own in the place of Sentry; the report comes from a process that breaks."""
    pytest.importorskip("sentry_sdk")
    shown: list[bytes] = []

    class Takes(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers.get("Content-Encoding") == "gzip":
                import gzip

                body = gzip.decompress(body)
            elif self.headers.get("Content-Encoding") == "br":
                import brotli

                body = brotli.decompress(body)
            shown.append(body)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *args: Any) -> None: ...

    server = http.server.HTTPServer(("127.0.0.1", 0), Takes)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    source = f"""
import django; django.setup()
import logging, sentry_sdk
secret = "/join/{TOKEN}/"
try:
    raise ValueError("behind " + secret)
except ValueError:
    logging.getLogger("web.x").exception("It broke at %s", secret)
sentry_sdk.flush(20)
"""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    environment = {
        **kept,
        "TABULA_VAR": str(tmp_path),
        "SECRET_KEY": "s",
        "VAULT_KEY": "v",
        "no_proxy": "127.0.0.1",
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "ALLOWED_HOSTS": "tabula.example",
        "SENTRY_DSN": f"http://public@127.0.0.1:{server.server_port}/7",
    }

    def start(**more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", source],
            cwd=ROOT,
            env=environment | more,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    try:
        assert start().returncode == 0
    finally:
        server.shutdown()
        server.server_close()
    report = b"".join(shown).decode().replace("\\u2026", "…")
    assert "behind /join/…/" in report
    assert f"tabula@{installed.VERSION}" in report
    assert "https://tabula.example" in report
    assert TOKEN not in report
    assert socket.gethostname() not in report
    refused = start(SENTRY_DSN="sentry")
    assert refused.returncode != 0
    assert "SENTRY_DSN is no address of Sentry" in refused.stderr


def test_without_sentry_sdk_the_setting_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentry_sdk", None)
    with pytest.raises(Exception, match="pip install sentry-sdk"):
        report_to_sentry("http://public@127.0.0.1/7", "1", "https://tabula.example")


@pytest.mark.parametrize(
    ("name", "value", "content"),
    [
        (
            "METRICS_ALLOWED",
            "127.0.0.1,home",
            "METRICS_ALLOWED: 'home' does not appear to be an IPv4 or IPv6 network",
        ),
        ("LOG_FORMAT", "xml", "LOG_FORMAT is 'xml'; it must be line or json."),
    ],
)
def test_an_invalid_setting_is_named(tmp_path: Path, name: str, value: str, content: str) -> None:
    kept = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}
    environment = {
        **kept,
        "TABULA_VAR": str(tmp_path),
        "SECRET_KEY": "s",
        "VAULT_KEY": "v",
        name: value,
    }
    done = subprocess.run(
        [sys.executable, "-c", "import config.settings"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode != 0
    assert content in done.stderr


# Version, robots.txt, security.txt ----------------------------------------------------------------
@pytest.mark.django_db
def test_the_version_and_what_machines_may_read(client: Client, settings: Any) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "version"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    assert done.stdout == f"Tabula {version()}\n"
    assert f'version = "{version()}"' in (ROOT / "pyproject.toml").read_text()
    assert f"<span>Tabula {version()}</span>" in client.get("/").content.decode()

    answer = client.get("/robots.txt")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    lines = answer.content.decode().splitlines()
    assert lines[0] == "User-agent: *"
    assert {"Disallow: /c/", "Allow: /c/*/story/", "Disallow: /join/", "Disallow: /api/"} <= set(
        lines
    )

    assert client.get("/.well-known/security.txt").status_code == 404
    settings.SECURITY_CONTACT = ["mailto:safe@example.org", "https://example.org/safe?a=1&b=2"]
    settings.SITE_URL = "https://tabula.example"
    before = timezone.now()
    answer = client.get("/.well-known/security.txt")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    lines = answer.content.decode().splitlines()
    assert lines[:2] == [
        "Contact: mailto:safe@example.org",
        "Contact: https://example.org/safe?a=1&b=2",
    ]
    assert lines[3:] == [
        "Preferred-Languages: en, it",
        "Canonical: https://tabula.example/.well-known/security.txt",
    ]
    ends = datetime.fromisoformat(lines[2].removeprefix("Expires: "))
    assert timedelta(days=178) < ends - before < timedelta(days=181)
    assert client.post("/.well-known/security.txt").status_code == 405

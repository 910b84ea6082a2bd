"""Health, metrics, robots.txt and security.txt.

The first middleware answers `/health/live`, `/health/ready` and `/metrics`. So these need no
session, count for no limit, are not redirected to https, and answer under any host name: their
clients are programs on the host's own machines.
"""

from __future__ import annotations

import ipaddress
import json
import logging
import os
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import cache as once
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar

from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Count, Min, Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import path
from django.utils import timezone

from campaign import keys, open_pages
from campaign.models import Campaign, Clock, LogEntry, RunningTask, TickRun
from forum.models import Post
from notices.models import Delivery, RequestedMail, WebhookDelivery
from web.frame import errors

if TYPE_CHECKING:
    from prometheus_client.core import Metric

LOG = logging.getLogger(__name__)
CACHE_SECONDS = 5.0
"""Seconds for which an answer of /health/ready or /metrics is reused, so that frequent requests
cost no more.
"""
COUNT_SECONDS = 60.0
"""Seconds for which the number of moves is reused: a database counts a million rows in a tenth of a
second.
"""
BROKER_SECONDS = 2.0
"""Seconds after which a silent broker counts as away."""
MISSED_PULSES = 5
"""The number of pulses, lasting at least five minutes, that may be missing before the site is not
ready.
"""
GRACE = timedelta(seconds=settings.GRACE)
"""The time between the interruption of a task and the end of its process."""
VAULT = {
    "wrong-key": "this is not the key with which this database was encrypted",
    "unknown": "the database does not say",
}
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
SECURITY_TXT_LASTS = timedelta(days=180)


# Alive and ready ----------------------------------------------------------------------------------
class CachedResult:
    """The result of `make()`, which is reused for some seconds.

    Threads that need it meanwhile wait for the one that makes it.
    """

    def __init__(self, make: Callable[[], Any], seconds: float) -> None:
        self.make, self.seconds = make, seconds
        self.lock = threading.Lock()
        self.made: tuple[float, Any] | None = None

    def get(self, now: float | None = None) -> Any:
        with self.lock:
            now = monotonic() if now is None else now
            if self.made is None or now - self.made[0] >= self.seconds:
                self.made = (now, self.make())
            return self.made[1]

    def forget(self) -> None:
        self.made = None


def _database() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return "ok"


@once
def _migrations_on_disk() -> frozenset[tuple[str, str]]:
    """Return the migrations of this program, which are read from the disk once."""
    return frozenset(MigrationLoader(None, ignore_no_migrations=True).disk_migrations or ())


def _migrations() -> str:
    missing = len(_migrations_on_disk() - set(MigrationRecorder(connection).applied_migrations()))
    return f"{missing} missing: run manage.py migrate" if missing else "ok"


def _broker() -> str:
    url = str(settings.CELERY_BROKER_URL)
    if url.startswith("filesystem:"):
        folder = str(settings.CELERY_BROKER_TRANSPORT_OPTIONS["data_folder_in"])
        return "ok" if os.access(folder, os.W_OK | os.X_OK) else "its folder is not writable"
    if url.startswith("memory:"):
        return "ok"
    import redis

    with redis.Redis.from_url(
        url, socket_timeout=BROKER_SECONDS, socket_connect_timeout=BROKER_SECONDS
    ) as client:
        client.ping()
    return "ok"


def _cache() -> str:
    cache.set("health", "here", 60)
    return "ok" if cache.get("health") == "here" else "does not store values"


def _live() -> str:
    """Return `ok` if a process forwards messages to open pages, else what is wrong."""
    return (
        "ok"
        if open_pages.has_subscriber()
        else "no process is listening: start live (until then pages poll)"
    )


def _vault() -> str:
    """Return `ok` if the vault key of this installation fits the database, else what is wrong."""
    state = keys.vault_state()
    return "ok" if state == "ok" else VAULT[state]


def _pulse() -> tuple[str, int | None]:
    """Return whether all parts of the pulse work, and the age of the oldest in whole seconds."""
    rows = {row.part: row for row in TickRun.objects.filter(part__in=list(settings.TICKS))}
    if any(part not in rows for part in settings.TICKS):
        return "none yet: start beat and worker, or run manage.py tick from cron", None
    now = timezone.now()
    ages = {part: max(0, int((now - row.at).total_seconds())) for part, row in rows.items()}
    most = max(300.0, MISSED_PULSES * settings.PULSE)
    wrong = {
        "failed": [part for part in settings.TICKS if rows[part].failed],
        "late": [part for part in settings.TICKS if ages[part] > most],
        # Tasks past their time, also for a while after their process has ended.
        "does not end": sorted(
            RunningTask.objects.filter(ends_by__lt=now + GRACE).values_list("name", flat=True)
        ),
    }
    faults = "; ".join(f"{what} ({', '.join(parts)})" for what, parts in wrong.items() if parts)
    return f"{faults}: check the logs of beat and worker" if faults else "ok", max(ages.values())


def readiness() -> dict[str, Any]:
    """Return the state of each part: "ok", or what is wrong with it.

    The text of an error is not included, since it may contain a password.
    """

    def checked(name: str, ask: Callable[[], str]) -> str:
        try:
            return ask()
        except Exception as error:
            LOG.warning("Not ready: %s (%s)", name, type(error).__name__)
            return f"not reachable ({type(error).__name__})"

    age: int | None = None

    def pulse() -> str:
        nonlocal age
        state, age = _pulse()
        return state

    checks = {"database": checked("database", _database)}
    for name, ask in (("migrations", _migrations), ("vault", _vault), ("pulse", pulse)):
        # Parts that need the database do not repeat its error.
        checks[name] = (
            checked(name, ask) if checks["database"] == "ok" else "unknown without the database"
        )
    checks["broker"] = checked("broker", _broker)
    # If both are the same server, wait for a silent one only once.
    same = settings.REDIS_URL and settings.CACHES["default"].get("LOCATION") == settings.REDIS_URL
    checks["cache"] = (
        checks["broker"] if same and checks["broker"] != "ok" else checked("cache", _cache)
    )
    if settings.LIVE:
        checks["live"] = (
            checked("live", _live) if checks["broker"] == "ok" else "unknown without the broker"
        )
    if checks["database"] != "ok":
        connection.close()  # the next request begins with a new one
    ready = all(state == "ok" for state in checks.values())
    return {"ready": ready, "version": settings.VERSION, "checks": checks, "pulse_age_seconds": age}


_ready = CachedResult(readiness, CACHE_SECONDS)


def _answer(content: str | bytes, status: int, kind: str) -> HttpResponse:
    response = HttpResponse(content, status=status, content_type=kind)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response


def live() -> HttpResponse:
    """Answer 200 if this process answers at all."""
    return _answer(json.dumps({"live": True, "version": settings.VERSION}), 200, "application/json")


def ready() -> HttpResponse:
    """Answer 200 if all parts work, else 503; the body says what is wrong."""
    known = _ready.get()
    return _answer(json.dumps(known), 200 if known["ready"] else 503, "application/json")


# Metrics ------------------------------------------------------------------------------------------
def client_address(request: HttpRequest) -> str:
    """Return the address of the client; empty if it cannot be known.

    A proxy writes X-Forwarded-For. If the header is present although no proxy is configured, there
    is one that the settings do not mention: all clients would seem to have its address.
    """
    forwarded = [
        part.strip()
        for part in request.headers.get("X-Forwarded-For", "").split(",")
        if part.strip()
    ]
    proxies = int(settings.TRUSTED_PROXIES)
    if not forwarded:
        return str(request.META.get("REMOTE_ADDR") or "")
    return forwarded[-proxies] if 0 < proxies <= len(forwarded) else ""


def may_read_metrics(address: str) -> bool:
    """Return whether the address may read the metrics (METRICS_ALLOWED)."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    mapped = getattr(ip, "ipv4_mapped", None)
    return any((mapped or ip) in network for network in settings.METRICS_ALLOWED)


PARENT_PROCESS = "TABULA_PROCESS_ABOVE"
"""The environment variable with the number of the process that has started the site's processes."""


def shared_folder() -> Path | None:
    """Return the folder in which the processes of a server share their counts.

    It is None if the folder cannot be made. It is named after the process that started them:
    `config.web` sets it, otherwise it is the parent process. Folders of earlier servers on this
    machine are removed: counts begin anew with the next server, as Prometheus expects.
    """
    if given := os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        return Path(given)
    machine = socket.gethostname().replace("/", "-") or "here"
    folder: Path = settings.VAR / "metrics"
    own = folder / f"{machine}-{os.environ.get(PARENT_PROCESS) or os.getppid()}"
    try:
        own.mkdir(mode=0o700, parents=True, exist_ok=True)
        for other in folder.glob(f"{machine}-*"):
            number = other.name.rpartition("-")[2]
            if (
                number.isdecimal()
                and other != own
                and not Path("/proc", number).exists()
                and Path("/proc").exists()
            ):
                shutil.rmtree(other, ignore_errors=True)
    except OSError as error:
        LOG.warning(
            "Metrics cover one process only: cannot write to %s (%s)",
            folder,
            type(error).__name__,
        )
        return None
    return own


class MetricFiles:
    """The metrics files of this process, written completely before the library maps them.

    If the disk is full, a mapped file without its bytes ends the process (SIGBUS). Without room
    this process counts nothing and tries again after a minute.
    """

    SIZES: ClassVar = {"counter": 2 * 1024 * 1024, "histogram": 64 * 1024}
    MOST = 4000
    """The most combinations of method, status and page, of about 250 bytes each."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.lock = threading.Lock()
        self.pid, self.again_at = 0, 0.0
        self.known: set[tuple[str, ...]] = set()

    def has(self, labels: tuple[str, ...] = ()) -> bool:
        """Return whether this process may count under these labels."""
        if self.folder is None:
            return True
        if self.pid != os.getpid() and not self._make_files(self.folder):
            return False
        if labels not in self.known and len(self.known) >= self.MOST:
            return False
        self.known.add(labels)
        return True

    def _make_files(self, folder: Path) -> bool:
        """Make the files of this process. A forked process has files of its own."""
        with self.lock:
            if self.pid == os.getpid():
                return True
            if monotonic() < self.again_at:
                return False
            try:
                for kind, size in self.SIZES.items():
                    fill(folder / f"{kind}_{os.getpid()}.db", size)
            except OSError as error:
                self.again_at = monotonic() + COUNT_SECONDS
                LOG.warning(
                    "Metrics are not counted: no space in %s (%s)", folder, type(error).__name__
                )
                return False
            self.pid, self.known = os.getpid(), set()
            return True


def fill(path: Path, size: int) -> None:
    """Create a file of `size` zeros on the disk.

    Raises `OSError` if they do not fit, and leaves no file.
    """
    draft = path.with_name(f"{path.name}.part")
    try:
        with draft.open("wb") as file:
            file.write(bytes(size))
            file.flush()
            os.fsync(file.fileno())
        draft.rename(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise


class Metrics:
    """The metrics: counts of the site's processes, and numbers from the database."""

    def __init__(self) -> None:
        folder = shared_folder()
        self.room = MetricFiles(folder)
        if not self.room.has():
            # Count in the memory of this process: the library looks at the environment.
            folder = None
            os.environ.pop("PROMETHEUS_MULTIPROC_DIR", None)
            self.room = MetricFiles(None)
        if folder is not None:
            # The library decides by this when it is first imported.
            os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)
        from prometheus_client import CollectorRegistry, Counter, Histogram
        from prometheus_client.multiprocess import MultiProcessCollector

        own = CollectorRegistry()
        self.requests = Counter(
            "tabula_requests",
            "Requests answered, by method, status and page",
            ["method", "status", "page"],
            registry=own,
        )
        self.seconds = Histogram(
            "tabula_request_seconds",
            "Seconds from a request to its response",
            registry=own,
            buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120),
        )
        self.registry = own
        if folder is not None:
            self.registry = CollectorRegistry()
            MultiProcessCollector(self.registry, path=str(folder))
        self.registry.register(self)
        self.moves = CachedResult(
            LogEntry.objects.filter(kind=LogEntry.Kind.MOVE).count, COUNT_SECONDS
        )
        self.text = CachedResult(self._text, CACHE_SECONDS)

    def count(self, request: HttpRequest, response: HttpResponseBase, seconds: float) -> None:
        match = request.resolver_match
        method = request.method if request.method in METHODS else "other"
        labels = (str(method), str(response.status_code), (match and match.view_name) or "none")
        if self.room.has(labels):
            self.requests.labels(*labels).inc()
            self.seconds.observe(seconds)

    def _text(self) -> bytes:
        from prometheus_client import generate_latest

        return generate_latest(self.registry)

    def describe(self) -> list[Metric]:
        """Return an empty list; otherwise the library would query the database at the start."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Yield the numbers from the database, which all processes and machines share."""
        from prometheus_client.core import GaugeMetricFamily as Gauge
        from prometheus_client.core import InfoMetricFamily as Info

        yield Info("tabula", "Version of Tabula", value={"version": settings.VERSION})
        yield Gauge("tabula_moves", "Moves in all logs", value=self.moves.get())
        campaigns = Gauge("tabula_campaigns", "Campaigns, by status", labels=["status"])
        _by(campaigns, Campaign.objects.values_list("status"), Campaign.Status.values)
        yield campaigns
        now = timezone.now()
        yield Gauge(
            "tabula_due",
            "Overdue tasks of clocks",
            value=Clock.objects.filter(next_at__lte=now).count(),
        )
        deliveries = Gauge("tabula_deliveries", "E-mails and messages, by state", labels=["state"])
        _by(deliveries, Delivery.objects.values_list("state"), Delivery.State.values)
        yield deliveries
        yield Gauge(
            "tabula_deliveries_due",
            "E-mails and messages that are overdue",
            value=Delivery.objects.filter(state=Delivery.State.WAITING, next_at__lte=now).count(),
        )
        yield Gauge(
            "tabula_requested_mail",
            "Waiting e-mails with codes and links that users have requested",
            value=RequestedMail.objects.count(),
        )
        webhooks = Gauge(
            "tabula_webhook_deliveries",
            "Deliveries to the webhooks of campaigns, by state",
            labels=["state"],
        )
        _by(webhooks, WebhookDelivery.objects.values_list("state"), WebhookDelivery.State.values)
        yield webhooks
        posts = Gauge("tabula_outbox", "Posts to boards, by state", labels=["state"])
        _by(posts, Post.objects.filter(~Q(state="")).values_list("state"), Post.State.values)
        yield posts
        at = Gauge(
            "tabula_pulse_timestamp_seconds",
            "Time of the last run of a part of the pulse",
            labels=["part"],
        )
        took = Gauge("tabula_pulse_seconds", "Duration of the last run", labels=["part"])
        failed = Gauge("tabula_pulse_failed", "1 if the last run failed", labels=["part"])
        for pulse in TickRun.objects.filter(part__in=list(settings.TICKS)):
            at.add_metric([pulse.part], pulse.at.timestamp())
            took.add_metric([pulse.part], pulse.seconds)
            failed.add_metric([pulse.part], int(pulse.failed))
        yield from (at, took, failed)
        running = Gauge("tabula_tasks_running", "Tasks that workers are running", labels=["task"])
        since = Gauge(
            "tabula_task_oldest_timestamp_seconds",
            "Start of the oldest running task",
            labels=["task"],
        )
        for name, count, oldest in RunningTask.objects.values_list("name").annotate(
            Count("pk"), Min("started_at")
        ):
            running.add_metric([name], count)
            since.add_metric([name], oldest.timestamp())
        yield from (running, since)


def _by(gauge: Any, rows: Any, known: list[str]) -> None:
    """Add the number of rows of each state, including states without rows."""
    counts = dict(rows.annotate(n=Count("pk")).order_by())
    for name in known:
        gauge.add_metric([name], counts.get(name, 0))


@once
def site_metrics() -> Metrics:
    return Metrics()


def metrics() -> HttpResponse:
    from prometheus_client import CONTENT_TYPE_LATEST

    try:
        return _answer(site_metrics().text.get(), 200, CONTENT_TYPE_LATEST)
    except Exception as error:  # The database is away, which /health/ready says as well.
        LOG.warning("No metrics: %s", type(error).__name__)
        return _answer("the database is not reachable\n", 503, "text/plain; charset=utf-8")


# Files for visitors -------------------------------------------------------------------------------
def robots(request: HttpRequest) -> HttpResponse:
    """Answer robots.txt: crawlers may read public pages, rules and shared pages of campaigns."""
    return _text(request, "robots.txt", {})


def security(request: HttpRequest) -> HttpResponse:
    """Answer security.txt (RFC 9116); 404 if SECURITY_CONTACT is empty."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    ends = (timezone.now() + SECURITY_TXT_LASTS).replace(hour=0, minute=0, second=0, microsecond=0)
    known = {
        "contacts": settings.SECURITY_CONTACT,
        "expires": ends.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "site": settings.SITE_URL,
    }
    return _text(request, "security.txt", known)


def _text(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    if request.method not in ("GET", "HEAD"):
        return errors.method_not_allowed(request, "GET, HEAD")
    response = render(request, template, context, content_type="text/plain; charset=utf-8")
    response.headers["Cache-Control"] = "public, max-age=3600"
    return response


urlpatterns = [
    path("robots.txt", robots, name="robots"),
    path(".well-known/security.txt", security, name="security_txt"),
]

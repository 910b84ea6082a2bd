"""The load of 200 readers and 20 writers over 50 campaigns: `script/measure load`.

TABULA_LOAD_MINUTES is the duration, by default ten; TABULA_LOAD_CAMPAIGNS is the number of stored
campaigns, of which 50 are used.

The processes are those of the Procfile, three of the site and one worker, on PostgreSQL and Valkey;
this process sends requests on the same two cores. Readers look at a page every five seconds,
writers make a move every ten. It prints the times of pages beside those of two empty ones, and the
memory of the processes each minute. It fails only if an answer is an error or an acknowledged move
is not in the log.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles
from time import monotonic
from typing import Any

import pytest

from tests.config.test_procfile import Site, commands, site, until

__all__ = ["site"]
READERS, WRITERS, CAMPAIGNS, PROCESSES = 200, 20, 50, 3
MINUTES = float(os.environ.get("TABULA_LOAD_MINUTES", "10"))
STORED = int(os.environ.get("TABULA_LOAD_CAMPAIGNS", str(CAMPAIGNS)))
LOOK, MOVE = 5.0, 10.0
"""Seconds between two looks of a reader, between two moves of a writer, as means."""
PAGES = ("", "", "", "log/", "n/huns/", "n/romans/", "dice/", "ledger/", "history/", "story/")
BARE, EMPTY = "/offline/", "/me/blocks/"
"""A page without queries, and an empty page in the frame of the site for a user who is signed in
and has blocked no one.
"""
PREPARE = """
from importlib import import_module
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.utils import timezone
from campaign import services
from campaign.models import Campaign
from people import tokens
from people.models import User

Store = import_module(settings.SESSION_ENGINE).SessionStore
def person(name):
    user = User.objects.create_user(name, f"{name}@example.org", None)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user
def cookie(user):
    session = Store()
    session[SESSION_KEY], session[BACKEND_SESSION_KEY] = str(user.pk), settings.AUTHENTICATION_BACKENDS[-1]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return session.session_key
for n in range(CAMPAIGNS):
    gm = person(f"master{n}")
    campaign = services.found_campaign(gm, "grand_campaign", f"Load {n}", "420ad", {}, "UTC", "listed")
    seats = []
    for seat in ("huns", "romans", "vandals"):
        user = person(f"{seat}{n}")
        services.take_seat(user, services.invite(campaign, gm, seat)[1])
        seats.append(cookie(user))
    from campaign.log import selectors
    campaign.refresh_from_db()
    services.play(campaign, gm, {"by": "gm", "move": "start"}, selectors.seen(campaign, gm))
    campaign.refresh_from_db()
    print("CAMPAIGN", campaign.address, tokens.make(gm, "load", "play", timezone.now())[1], cookie(gm), *seats)
if STORED > CAMPAIGNS:
    from tests.many import grow
    grow(STORED)
print("COOKIE", settings.SESSION_COOKIE_NAME)
"""  # noqa: E501


CALLERS: list[Caller] = []


class Caller:
    """A connection to the site, kept open as a browser keeps it."""

    def __init__(self, port: int, headers: str) -> None:
        self.port, self.headers = port, headers
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None
        CALLERS.append(self)

    async def ask(self, path: str, raw: Any = None) -> tuple[int, bytes]:
        body = b"" if raw is None else json.dumps(raw).encode()
        sort = (
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
            if raw is not None
            else ""
        )
        line = (
            f"{'GET' if raw is None else 'POST'} {path} HTTP/1.1\r\nHost:"
            f" 127.0.0.1\r\n{sort}{self.headers}\r\n"
        )
        for again in (True, False):
            if self.writer is None:
                self.reader, self.writer = await asyncio.open_connection(
                    "127.0.0.1", self.port, limit=2**22
                )
            try:
                self.writer.write(line.encode() + body)
                return await self._answer()
            except (asyncio.IncompleteReadError, ConnectionError):
                self.writer = None
                if not again or raw is not None:
                    raise
        raise AssertionError

    async def _answer(self) -> tuple[int, bytes]:
        assert self.reader is not None
        assert self.writer is not None
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        status = int(head.split(" ", 2)[1])
        length = re.search(r"(?i)content-length: (\d+)", head)
        if length:
            body = await self.reader.readexactly(int(length[1]))
        elif status in (204, 304):
            body = b""
        else:
            body = await self.reader.read()
        if (not length and status not in (204, 304)) or "connection: close" in head.lower():
            self.writer.close()
            self.writer = None
        return status, body


class Load:
    def __init__(
        self, port: int, tables: list[list[str]], cookie: str, weigh: Callable[[], dict[str, int]]
    ) -> None:
        self.port, self.tables, self.cookie, self.weigh = port, tables, cookie, weigh
        self.memory: list[dict[str, int]] = []
        self.until = monotonic() + MINUTES * 60
        self.took: dict[str, list[float]] = defaultdict(list)
        self.errors: Counter[str] = Counter()
        self.moves: dict[str, set[int]] = defaultdict(set)

    async def timed(
        self, what: str, caller: Caller, path: str, raw: Any = None
    ) -> tuple[int, bytes]:
        begun = monotonic()
        try:
            status, body = await caller.ask(path, raw)
        except (OSError, asyncio.IncompleteReadError) as error:
            self.errors[f"{what}: {type(error).__name__}"] += 1
            return 0, b""
        self.took[what].append(monotonic() - begun)
        if status >= 500 or (status >= 400 and status not in (409, 422)):
            self.errors[f"{what}: {status}"] += 1
        return status, body

    async def read(self, n: int) -> None:
        table = self.tables[n % len(self.tables)]
        rng, people = random.Random(n), table[2:]
        caller = Caller(
            self.port, f"Cookie: {self.cookie}={people[n // len(self.tables) % len(people)]}\r\n"
        )
        await asyncio.sleep(rng.uniform(0, LOOK))
        while monotonic() < self.until:
            page = rng.choice(PAGES)
            await self.timed(page or "table", caller, f"/c/{table[0]}/{page}")
            await asyncio.sleep(rng.uniform(0.5, 1.5) * LOOK)

    async def write(self, n: int) -> None:
        table, rng = self.tables[n], random.Random(n)
        caller = Caller(self.port, f"Authorization: Bearer {table[1]}\r\n")
        home = f"/api/v1/campaigns/{table[0]}/"
        while monotonic() < self.until:
            await asyncio.sleep(rng.uniform(0.5, 1.5) * MOVE)
            _, body = await self.timed("the position", caller, home)
            _, position = await self.timed("the position", caller, f"{home}position/")
            if not body or not position:
                continue
            slot = json.loads(position).get("slot")
            move = (
                {"by": "gm", "for": slot, "move": "end-slot"}
                if slot
                else {"by": "gm", "move": "open-turn"}
            )
            status, body = await self.timed(
                "a move", caller, f"{home}moves/", {"move": move, "seen": json.loads(body)["seen"]}
            )
            if status == 201:
                self.moves[table[0]] |= {entry["number"] for entry in json.loads(body)["entries"]}

    async def empty(self) -> None:
        caller, signed_in = (
            Caller(self.port, ""),
            Caller(self.port, f"Cookie: {self.cookie}={self.tables[0][2]}\r\n"),
        )
        while monotonic() < self.until:
            await self.timed("a bare answer", caller, BARE)
            await self.timed("an empty page", signed_in, EMPTY)
            await asyncio.sleep(0.5)

    async def watch(self) -> None:
        """Note the memory of the processes each minute."""
        while monotonic() < self.until:
            self.memory.append(self.weigh())
            await asyncio.sleep(60)
        self.memory.append(self.weigh())

    async def all(self) -> None:
        people = [*(self.read(n) for n in range(READERS)), *(self.write(n) for n in range(WRITERS))]
        await asyncio.gather(self.empty(), self.watch(), *people)
        for caller in CALLERS:
            if caller.writer is not None:
                caller.writer.close()
                await caller.writer.wait_closed()


def memory(pid: int) -> int:
    """Return the megabytes of a process and its children."""
    own = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(own[1] if own else 0) // 1024 + sum(memory(int(child)) for child in children)


def test_measure(site: Site, capfd: pytest.CaptureFixture[str]) -> None:
    site.environment |= {"WEB_CONCURRENCY": str(PROCESSES), "TABULA_PULSE": "10"}
    todo = commands()
    site.run(todo.pop("release"))
    lines = site.run(
        "python manage.py shell", f"CAMPAIGNS, STORED = {CAMPAIGNS}, {STORED}\n{PREPARE}"
    ).splitlines()
    tables = [line.split()[1:] for line in lines if line.startswith("CAMPAIGN")]
    cookie = next(line.split()[1] for line in lines if line.startswith("COOKIE"))
    for name, command in todo.items():
        site.start(name, command)
    until(lambda: site.ask("/health/live")[0] == 200, "the site")
    load = Load(
        site.port,
        tables,
        cookie,
        lambda: {name: memory(process.pid) for name, process in site.processes.items()},
    )
    asyncio.run(load.all())
    lost = 0
    for table in tables[:WRITERS]:
        site.token = table[1]
        status, body = site.ask(f"/api/v1/campaigns/{table[0]}/log/?limit=200")
        assert status == 200, body
        lost += len(
            load.moves[table[0]] - {entry["number"] for entry in json.loads(body)["results"]}
        )
    with capfd.disabled():
        print(f"\n{READERS} readers, {WRITERS} writers, {MINUTES:g} minutes, {PROCESSES} processes")
        print(f"{CAMPAIGNS} campaigns are asked for, {STORED:,} are stored")
        pages = [took for page in set(PAGES) for took in load.took[page or "table"]]
        empty, bare = load.took["an empty page"], load.took["a bare answer"]
        units = (quantiles(empty, n=100)[94], median(empty), median(bare))
        print(
            "p95 of each in turn as so many times an empty page's p95, its median, and a bare"
            " answer's median:"
        )
        for what, took in [("all pages", pages), *load.took.items()]:
            half, most, last = (1000 * quantiles(took, n=100)[n] for n in (49, 94, 98))
            times = ", ".join(f"{most / 1000 / unit:.1f}" for unit in units)
            print(
                f"{what:14} {len(took):7,d} times: median {half:.0f} ms, p95 {most:.0f}, p99"
                f" {last:.0f}: {times}"
            )
        print(
            f"entries acknowledged {sum(map(len, load.moves.values()))}, lost {lost}; errors"
            f" {dict(load.errors) or 'none'}"
        )
        print(
            "memory in MB, each minute: "
            + ", ".join(
                f"{name} {' '.join(str(sample[name]) for sample in load.memory)}"
                for name in load.memory[0]
            )
        )
    assert not load.errors, site.logs_text()[-4000:]
    assert lost == 0

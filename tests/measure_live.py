"""The cost of 500 open pages and their delay after a move: `script/measure live`.

It needs PostgreSQL and Valkey. The site (`config.web`, two processes) and the process with the
pages' connections (`config.live`) run as on a host; the pages are connections of this process, each
with its own address. A page that gets a message sends a request to the site, as a browser does. It
prints figures and fails only if a table of five pages learns of a move later than after a second.
"""

from __future__ import annotations

import asyncio
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from statistics import median
from time import monotonic, perf_counter, sleep
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import urlopen

import psutil
import pytest
from django.db import connection, connections
from django.test import Client

from campaign import services
from campaign.models import Campaign
from tests.web.grand_table import GrandTable, new_campaign

__all__ = ["new_campaign"]
PAGES, EACH, IDLE, POLLS, EVERY = 500, 5, 60, 300, 30


class Server:
    """A process and its children, with their memory and processor time."""

    def __init__(self, module: str, **more: str) -> None:
        name = connection.settings_dict["NAME"]
        database = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()
        given = {
            "DATABASE_URL": database,
            "TABULA_LIVE": "1",
            "TRUSTED_PROXIES": "1",
            "ALLOWED_HOSTS": "127.0.0.1",
            "WEB_CONCURRENCY": "2",
            "LOG_LEVEL": "WARNING",
        }
        self.port = free_port()
        given |= {"PORT": str(self.port), "LIVE_PORT": str(self.port)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", module], env={**os.environ, **given, **more}
        )
        end = monotonic() + 60
        while not listens(self.port):
            assert self.process.poll() is None, f"{module} ended"
            assert monotonic() < end, f"{module} did not start"
            sleep(0.1)
        sleep(2)

    @property
    def all(self) -> list[psutil.Process]:
        one = psutil.Process(self.process.pid)
        return [one, *one.children()]

    @property
    def memory(self) -> float:
        """Return the resident memory in KB."""
        return sum(process.memory_info().rss for process in self.all) / 1024

    @property
    def seconds(self) -> float:
        """Return the processor time in seconds."""
        return sum(sum(process.cpu_times()[:2]) for process in self.all)

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(20)


def listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


async def get(port: int, path: str, head: str) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(f"GET {path} HTTP/1.0\r\nHX-Request: true\r\n{head}".encode())
        got = await reader.read()
    finally:
        writer.close()
        await writer.wait_closed()
    assert b" 200 " in got[:20] or b" 304 " in got[:20], got[:300]
    return got


class Page:
    """An open page: the times of its message, of its answer and of its new parts."""

    def __init__(self, number: int, path: str, at: str, cookie: str) -> None:
        self.path, self.at = path, at
        self.heard = self.answered = self.drawn = 0.0
        self.campaign = path.split("/")[2][:8]
        self.condition = condition(at)
        self.head = (
            "Host: 127.0.0.1\r\nX-Forwarded-For:"
            f" 10.0.{number // 250}.{number % 250 + 1}\r\n{cookie}\r\n"
        )

    async def listen(self, live: int, web: int, ready: asyncio.Semaphore) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", live)
        try:
            writer.write(f"GET /live/{self.campaign}/ HTTP/1.1\r\n{self.head}".encode())
            await reader.readuntil(b"event: hello\ndata: 1\n\n")
            ready.release()
            await self.follow(reader, web)
        finally:
            writer.close()

    async def follow(self, reader: asyncio.StreamReader, web: int) -> None:
        while True:
            await reader.readuntil(b"event: moved\ndata: 1\n\n")
            self.heard = self.heard or perf_counter()
            got = await get(web, f"{self.path}live/?at={self.at}", self.condition + self.head)
            assert b"1 new entry" in got, got[-2000:]
            self.answered = self.answered or perf_counter()
            await get(web, self.path, self.head)
            self.drawn = self.drawn or perf_counter()


def mark(path: str, client: Client) -> str:
    known = re.search(r'data-at="([^"]+)"', client.get(path).content.decode())
    assert known
    return known[1]


def condition(at: str) -> str:
    return f'If-None-Match: "{at}"\r\n'


def cookie(client: Client) -> str:
    held = client.cookies.get("sessionid")
    return f"Cookie: sessionid={held.value}\r\n" if held else ""


@pytest.fixture
def servers() -> Iterator[tuple[Server, Server]]:
    """Start the site and the process of open pages."""
    started = [Server("config.web"), Server("config.live")]
    yield started[0], started[1]
    for process in started:
        process.end()


async def learn(
    pages: list[Page], concerned: list[Page], move: Any, servers: tuple[Server, Server], idle: int
) -> float:
    """Open all pages, wait, and make a move.

    Return the processor seconds used while nothing happened.
    """
    web, live = servers
    ready, spent = asyncio.Semaphore(0), 0.0
    begun = perf_counter()
    tasks = [asyncio.create_task(page.listen(live.port, web.port, ready)) for page in pages]
    for _ in pages:
        await ready.acquire()
    print(f"  {len(pages)} pages were connected in {perf_counter() - begun:.1f} s")
    if idle:
        await asyncio.sleep(3)
        before = web.seconds + live.seconds
        print(f"  memory of config.live with them: {live.memory / 1024:.0f} MB")
        await asyncio.sleep(idle)
        spent = web.seconds + live.seconds - before
    await asyncio.to_thread(lambda: (move(), connections.close_all()))
    end = monotonic() + 120
    while not all(page.drawn for page in concerned):
        assert monotonic() < end, "not all have learned of it"
        for task in tasks:
            if task.done():
                task.result()
        await asyncio.sleep(0.01)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.sleep(0.2)
    return spent


def figures(pages: list[Page], begun: float) -> float:
    """Return the seconds until the last page knew of the move."""
    last = 0.0
    for name, what in (
        ("heard", "heard"),
        ("answered", "knew the move"),
        ("drawn", "had the parts anew"),
    ):
        seconds = sorted(getattr(page, name) - begun for page in pages)
        print(f"  {what}: median {median(seconds):.2f} s, last {seconds[-1]:.2f} s")
        last = seconds[-1] if name == "answered" else last
    return last


@pytest.mark.django_db(transaction=True)
def test_measure(
    new_campaign: Any, settings: Any, servers: tuple[Server, Server], capsys: Any
) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("as a host runs it")
    settings.LIVE = True
    web, live = servers
    grand_table: GrandTable = new_campaign()
    grand_table.play("gm", "start")
    grand_table.slot_to("huns")
    moved = [0.0]
    with capsys.disabled():
        print(f"\n{PAGES} open pages, {psutil.cpu_count()} processors")
        with pytest.raises(HTTPError):  # this loads the addresses of the site
            urlopen(f"http://127.0.0.1:{live.port}/live/abcdefgh/")
        empty = live.memory
        print(f"  memory of config.live without pages: {empty / 1024:.0f} MB")

        # A hundred campaigns with five pages each: those of the table, and others.
        others = [
            services.found_campaign(
                grand_table.people["gm"], "grand_campaign", f"No. {n}", "420ad", visibility="listed"
            )
            for n in range(PAGES // EACH - 1)
        ]
        nobody = Client()
        pages = [
            Page(n, grand_table.home, mark(grand_table.home, client), cookie(client))
            for n, client in enumerate(grand_table.clients.values())
        ]
        for n, campaign in enumerate(others):
            at = mark(f"/c/{campaign.address}/", nobody)
            pages += [
                Page(EACH + n * EACH + m, f"/c/{campaign.address}/", at, "") for m in range(EACH)
            ]
        concerned = pages[:EACH]

        def move() -> None:
            grand_table.play(
                "huns",
                "attack",
                kind="land",
                battle="open",
                target="dalmatia",
                **{"from": "pannonia"},
            )
            moved[0] = perf_counter()

        # each process of the site must have shown the campaign before
        for page in pages[:EACH] * 4:
            asyncio.run(get(web.port, page.path, page.head))
        print(f"A hundred campaigns, {EACH} pages each; one moves:")
        spent = asyncio.run(learn(pages, concerned, move, servers, IDLE))
        last = figures(concerned, moved[0])
        full = live.memory
        print(f"  memory of a page: {(full - empty) / PAGES:.0f} kB")
        print(f"  idle: {spent * 60 / IDLE:.2f} s of a processor a minute for all of them")
        assert last < 1

        # All of them show one campaign.
        campaign = Campaign.objects.get(pk=grand_table.campaign.pk)
        at = mark(grand_table.home, nobody)
        pages = [Page(n, f"/c/{campaign.address}/", at, "") for n in range(PAGES)]

        def correct() -> None:
            grand_table.play(
                "gm", "adjust", nation="huns", account="income", change=1, reason="As ruled."
            )
            moved[0] = perf_counter()

        print("All look at one campaign:")
        asyncio.run(learn(pages, pages, correct, servers, 0))
        figures(pages, moved[0])

        # The cost of polling instead.
        before = web.seconds
        at = mark(grand_table.home, grand_table.clients["hun"])
        held = condition(at) + cookie(grand_table.clients["hun"])
        asyncio.run(polls(f"{grand_table.home}live/?at={at}", web.port, held))
        each = (web.seconds - before) / POLLS
        print(
            f"A poll costs {1000 * each:.1f} ms of a processor: {PAGES} pages every {EVERY} s would"
            f" take {each * PAGES * 60 / EVERY:.0f} s a minute, of {60 * (psutil.cpu_count() or 1)}"
            " that there are."
        )


async def polls(path: str, port: int, held: str) -> None:
    for _ in range(POLLS // 10):
        await asyncio.gather(
            *(get(port, path, f"Host: 127.0.0.1\r\n{held}\r\n") for _ in range(10))
        )

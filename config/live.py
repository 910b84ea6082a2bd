"""Tells open pages that they have to ask: `python -m config.live`, as the Procfile starts it
(docs/decisions/0043).

One process holds a connection for every open page (server-sent events) and hears of moves from
Redis or Valkey (`campaign.open_pages`). It sends no news: a page that is told asks the site, which
judges what its reader may see. Who may listen is asked of the database when a page connects and
once a minute for all of them; between that no connection to it is open.

Settings come from the environment: BIND (127.0.0.1), LIVE_PORT (8001). A proxy sends `/live/` here
and all else to the site.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import re
import sys
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any, NamedTuple

import uvicorn
from redis.asyncio import Redis
from redis.exceptions import RedisError

Send = Callable[[dict[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[dict[str, Any]]]
LOG = logging.getLogger("config.live")

BEAT = 25.0
"""Seconds between two signs of life, which keep proxies from closing a connection and tell a page
that it stands.
"""
CHECK = 60.0
"""Seconds between two looks whether those who listen still may."""
APART = 1.0
"""Seconds between two tellings of the same campaign: what happens meanwhile is told once."""
AT_ONCE = 50
"""So many pages are told at a time, those of people before those of nobody; then the next, `APART`
later: a move with hundreds of onlookers would keep the site from everybody else.
"""
SLOW = 5.0
"""Seconds for a page to take what it is sent."""
MOST, MOST_EACH = 5000, 50
"""Open pages of this process, and of one person or address."""
PATH = re.compile(r"/live/([a-z0-9]{8})/", re.ASCII)
MOVED, ALIVE, HELLO = (
    b"event: moved\ndata: 1\n\n",
    b"event: alive\ndata: 1\n\n",
    b"event: hello\ndata: 1\n\n",
)
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
]


class Asked(NamedTuple):
    """Who wants to hear of what: the key of a browser's session, empty where it has none, and a
    campaign's public id.
    """

    session: str
    campaign: str


class Listener(NamedTuple):
    """What a page hears of: a campaign, and a person (None: nobody is signed in). `last` is the
    campaign's last public entry.
    """

    campaign: int
    person: int | None
    last: int


# Who may listen: asked of the database, in a thread -----------------------------------------------


def people_of(sessions: Iterable[str]) -> dict[str, Any]:
    """The person of each session that stands, or its guest. As `django.contrib.auth.get_user` and
    `people.services.guest_of` judge, for many at once.
    """
    from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
    from django.utils import timezone
    from django.utils.crypto import constant_time_compare

    from people import services
    from people.models import BrowserSession, User

    living = BrowserSession.objects.filter(expire_date__gt=timezone.now())
    rows = living.filter(session_key__in=set(sessions) - {""})
    held = {row.session_key: row.get_decoded() for row in rows}
    numbers = {
        str(data.get(name)) for data in held.values() for name in (SESSION_KEY, services.KEY)
    }
    users = User.objects.filter(is_active=True, suspended_at=None).in_bulk(
        [int(one) for one in numbers if one.isdecimal()]
    )
    people = {}
    for key, data in held.items():
        user = users.get(int(data.get(SESSION_KEY) or 0))
        if user is not None:
            known = data.get(HASH_SESSION_KEY) or ""
            hashes = (user.get_session_auth_hash(), *user.get_session_auth_fallback_hash())
            if any(constant_time_compare(known, one) for one in hashes):
                people[key] = user
        elif (guest := users.get(data.get(services.KEY) or 0)) is not None and guest.guest:
            people[key] = guest
    return people


def admitted(asked: Collection[Asked]) -> dict[Asked, Listener]:
    """Those who may listen now. A handful of queries for all of them."""
    from django.db import connections

    from campaign import access
    from campaign.models import Campaign

    try:
        people = people_of(one.session for one in asked)
        campaigns = {
            row.public_id: row
            for row in Campaign.objects.filter(public_id__in={one.campaign for one in asked})
        }
        held: dict[int, list[Any]] = {}
        may = {}
        for one in asked:
            campaign, user = campaigns.get(one.campaign), people.get(one.session)
            if campaign is None or campaign.suspended:
                continue
            if campaign.visibility == Campaign.Visibility.MEMBERS:
                places = held.setdefault(campaign.pk, list(access.places(campaign)))
                if not access.access_of(campaign, user, places).member:
                    continue
            may[one] = Listener(
                campaign.pk, user.pk if user is not None else None, campaign.last_number
            )
        return may
    finally:
        connections.close_all()


# The open pages -----------------------------------------------------------------------------------


class Page:
    """An open connection."""

    __slots__ = ("asked", "end", "listener", "send", "whose")

    def __init__(
        self, send: Send, asked: Asked, listener: Listener, end: asyncio.Timeout, whose: str
    ) -> None:
        self.send, self.asked, self.listener, self.end, self.whose = (
            send,
            asked,
            listener,
            end,
            whose,
        )

    def close(self) -> None:
        with contextlib.suppress(RuntimeError):  # it ends already
            self.end.reschedule(0)


class Live:
    """The ASGI application, and what it does beside: hear, tell, look who may."""

    def __init__(self) -> None:
        self.pages: dict[str, set[Page]] = defaultdict(set)
        """By what they hear of, as `campaign.open_pages` names it: each stands under its campaign
        and its person.
        """
        self.each: Counter[str] = Counter()
        self.heard: set[int] = set()
        """The campaigns that were told of since the last look."""
        self.sent_at: dict[str, float] = {}
        self.hears = False
        self.threads = ThreadPoolExecutor(2, thread_name_prefix="may")
        self.tasks: set[asyncio.Task[None]] = set()

    @property
    def open(self) -> set[Page]:
        return {page for name, pages in self.pages.items() if name[0] == "c" for page in pages}

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.life(receive, send)
        elif scope["type"] == "http":
            match = PATH.fullmatch(scope["path"])
            if scope["path"] == "/health/live":
                await answer(send, 200, b"here")
            elif scope["method"] == "GET" and match:
                await self.stream(match[1], scope, receive, send)
            else:
                await answer(send, 404, b"nothing here")

    async def life(self, receive: Receive, send: Send) -> None:
        await receive()
        beside = [asyncio.create_task(work()) for work in (self.hear, self.beat, self.look)]
        await send({"type": "lifespan.startup.complete"})
        await receive()
        for task in (*beside, *self.tasks):
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)
        self.threads.shutdown(wait=False)
        await send({"type": "lifespan.shutdown.complete"})

    async def may(self, asked: Collection[Asked]) -> dict[Asked, Listener]:
        return await asyncio.get_running_loop().run_in_executor(self.threads, admitted, asked)

    async def stream(
        self, campaign: str, scope: dict[str, Any], receive: Receive, send: Send
    ) -> None:
        """One page, until it goes or may not listen any more."""
        from django.db import Error

        try:
            session, address = who_asks(scope)
        except ValueError:
            return await answer(send, 400, b"not here")
        asked = Asked(session, campaign)
        if not self.hears:
            return await answer(send, 503, b"later")
        try:
            listener = (await self.may([asked])).get(asked)
        except Error:
            return await answer(send, 503, b"later")
        if listener is None:
            return await answer(send, 404, b"nothing here")
        whose = address if listener.person is None else f"p{listener.person}"
        if self.each[whose] >= MOST_EACH or self.each.total() >= MOST:
            return await answer(send, 503, b"too many")
        async with contextlib.AsyncExitStack() as stack:
            await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
            stack.enter_context(contextlib.suppress(TimeoutError))
            page = Page(
                send, asked, listener, await stack.enter_async_context(asyncio.timeout(None)), whose
            )
            stack.enter_context(self.listening(page))
            await page.send(body(HELLO))
            while (await receive())["type"] != "http.disconnect":
                pass
        await send(body(b"", more=False))
        return None

    @contextlib.contextmanager
    def listening(self, page: Page) -> Any:
        from campaign import open_pages

        names = [open_pages.of_campaign(page.listener.campaign)]
        if page.listener.person is not None:
            names.append(open_pages.of_person(page.listener.person))
        for name in names:
            self.pages[name].add(page)
        self.each[page.whose] += 1
        try:
            yield
        finally:
            for name in names:
                self.pages[name].discard(page)
                if not self.pages[name]:
                    del self.pages[name]
                    self.sent_at.pop(name, None)
            self.each[page.whose] -= 1
            if not self.each[page.whose]:
                del self.each[page.whose]

    # What comes in

    async def hear(self) -> None:
        """From the broker; while it is away nobody is listening, and pages ask by themselves."""
        while True:
            try:
                async for names in heard_names():
                    self.hears = True
                    for name in names:
                        self.announce(name)
            except (RedisError, OSError) as error:
                LOG.warning(
                    "The broker does not answer (%s): open pages ask by themselves.",
                    type(error).__name__,
                )
            self.hears = False
            self.end_all()
            await asyncio.sleep(APART)

    def end_all(self) -> None:
        for page in self.open:
            page.close()

    # What goes out

    def announce(self, name: str) -> None:
        """To all pages of this name, soon; where they have been sent to within the last moment, at
        its end.
        """
        loop = asyncio.get_running_loop()
        if name[0] == "c":
            self.heard.add(int(name[1:]))
        if name not in self.pages or self.sent_at.get(name, 0.0) > loop.time():
            return  # nobody listens, or it is about to be told
        wait = max(0.0, self.sent_at.get(name, 0.0) + APART - loop.time())
        self.sent_at[name] = loop.time() + wait
        task = loop.create_task(self.announce_to_all(name, wait))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def announce_to_all(self, name: str, wait: float) -> None:
        await asyncio.sleep(wait)
        pages = sorted(self.pages.get(name, ()), key=lambda page: page.listener.person is None)
        for first in range(0, len(pages), AT_ONCE):
            if first:
                await asyncio.sleep(APART)
            await self.send_to(pages[first : first + AT_ONCE], MOVED)

    async def send_to(self, pages: Iterable[Page], what: bytes) -> None:
        async def one(page: Page) -> None:
            try:
                async with asyncio.timeout(SLOW):
                    await page.send(body(what))
            except (TimeoutError, OSError):
                page.close()

        await asyncio.gather(*map(one, pages))

    async def beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            await self.send_to(self.open, ALIVE)

    async def look(self) -> None:
        """Ends what may not be any more, and tells of what the broker has lost: the last public
        entry is another one.
        """
        from django.db import Error

        from campaign import open_pages

        while True:
            await asyncio.sleep(CHECK)
            pages, heard = self.open, self.heard
            self.heard = set()
            try:
                may = await self.may({page.asked for page in pages})
            except Error as error:
                LOG.warning(
                    "The database does not answer (%s): who listens goes on.", type(error).__name__
                )
                continue
            lost = set()
            for page in pages:
                now = may.get(page.asked)
                if now is None or now.person != page.listener.person:
                    page.close()
                    continue
                if now.last != page.listener.last and now.campaign not in heard:
                    lost.add(open_pages.of_campaign(now.campaign))
                page.listener = now
            for name in lost:
                self.announce(name)


def body(what: bytes, *, more: bool = True) -> dict[str, Any]:
    return {"type": "http.response.body", "body": what, "more_body": more}


async def answer(send: Send, status: int, text: bytes) -> None:
    """A page that gets it asks by itself, and tries again later."""
    await send(
        {
            "type": "http.response.start",
            "status": status,
            "headers": [(b"content-type", b"text/plain"), HEADERS[1]],
        }
    )
    await send(body(text, more=False))


def who_asks(scope: dict[str, Any]) -> tuple[str, str]:
    """The key of the session and the address, as Django reads them. Raises `ValueError` for a name
    that is not ours.
    """
    from django.conf import settings
    from django.core.exceptions import SuspiciousOperation
    from django.core.handlers.asgi import ASGIRequest

    from config import watch

    request = ASGIRequest(scope, BytesIO())
    try:
        request.get_host()
    except SuspiciousOperation:
        raise ValueError from None
    return request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")[:40], watch.asker(request)


async def heard_names() -> AsyncIterator[list[str]]:
    """What the broker passes on; first nothing, once it will pass on all."""
    from django.conf import settings

    from campaign import open_pages

    broker = Redis.from_url(
        settings.REDIS_URL,
        health_check_interval=15,
        socket_connect_timeout=5,
        socket_keepalive=True,
    )
    async with broker, broker.pubsub(ignore_subscribe_messages=True) as listening:
        await listening.subscribe(open_pages.channel())
        yield []
        while True:
            message = await listening.get_message(timeout=BEAT)
            if message is not None:
                yield [
                    name
                    for name in message["data"].decode().split()
                    if re.fullmatch(r"[cp]\d+", name)
                ]


class Server(uvicorn.Server):
    """Ends its pages when it is to end: else it would wait until their readers close them."""

    def __init__(self, config: uvicorn.Config, live: Live) -> None:
        super().__init__(config)
        self.live = live

    async def shutdown(self, sockets: Any = None) -> None:
        self.live.hears = False
        self.live.end_all()
        await super().shutdown(sockets)


def make(host: str, port: int) -> Server:
    """Asks for Django to be set up."""
    live = Live()
    config = uvicorn.Config(
        live,
        host,
        port,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="none",
        lifespan="on",
        backlog=1024,
        timeout_graceful_shutdown=5,
    )
    return Server(config, live)


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django
    from django.conf import settings

    django.setup()
    from campaign import schema
    from config.processes import REFUSED
    from config.web import refusal

    schema.at_start()
    host, port = os.environ.get("BIND", "127.0.0.1"), int(os.environ.get("LIVE_PORT", "8001"))
    if not settings.REDIS_URL:
        why = "REDIS_URL is not set: open pages hear of moves through Redis or Valkey."
    else:
        why = refusal(host, settings.TRUSTED_PROXIES, settings.TRUSTED_PROXIES_GUARDED)
    if why:
        print(why, file=sys.stderr)  # noqa: T201
        return REFUSED
    server = make(host, port)
    server.run()
    return 0 if server.started else 1


if __name__ == "__main__":
    sys.exit(main())

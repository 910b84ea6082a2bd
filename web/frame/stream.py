"""Events after which an open page asks for changes (docs/decisions/0051).

The process `config.live` holds a connection for each open page and subscribes once to the messages
of `campaign.open_pages`. Events have no content: the page then makes an ordinary request.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import NamedTuple, NoReturn

from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth import get_user
from django.core.handlers.asgi import ASGIRequest
from django.db import Error, close_old_connections
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.views.decorators.http import require_GET
from redis.asyncio import Redis
from redis.exceptions import RedisError

from campaign import access, open_pages
from campaign.errors import TableError
from people.address_proof import address
from people.services import guest_of
from people.sessions import SessionStore

log = logging.getLogger(__name__)
BEAT, CHECK, APART = 25.0, 35.0, 1.0
"""Seconds after which a quiet page gets a sign of life; after which the next event of a page
requires a check whether its reader may still see the campaign; between two events of a page.
"""
AT_ONCE, MOST_EACH = 50, 50
"""The number of pages of a campaign that learn of a move at a time, so that the requests of many
onlookers do not keep others waiting; and the largest number of pages for one user or address.
"""
HELLO, MOVED, ALIVE = (f"event: {name}\ndata: 1\n\n" for name in ("hello", "moved", "alive"))


class Listener(NamedTuple):
    """The names that messages use for a campaign and its reader, and the last public entry.

    `person` is empty if the reader is not signed in.
    """

    campaign: str
    person: str
    last: int


def listener_of(session_key: str | None, public_id: str) -> Listener | None:
    """Return the present reader of a session; None if they may not see the campaign.

    Raises `django.db.Error` if the database does not answer.
    """
    close_old_connections()
    request = HttpRequest()
    request.session = SessionStore(session_key)
    match = access.REF.fullmatch(public_id)
    try:
        user = get_user(request)
        reader = user if user.is_authenticated else guest_of(request.session)
        campaign = access.find(match["id"] if match else "", reader)
    except TableError:
        return None
    person = open_pages.of_person(reader.pk) if reader else ""
    return Listener(open_pages.of_campaign(campaign.pk), person, campaign.last_number)


class Broadcaster:
    """The open pages of this process. It wakes the pages that a message names."""

    def __init__(self) -> None:
        self.pages: defaultdict[str, list[asyncio.Event]] = defaultdict(list)
        """By the names of their campaigns and readers, those of signed-in readers first."""
        self.listens = False
        """Whether messages arrive."""

    async def listen(self) -> NoReturn:
        """Pass messages on. While the broker is away, no page stays open here, and pages poll."""
        while True:
            broker = Redis.from_url(
                settings.REDIS_URL,
                health_check_interval=15,
                socket_connect_timeout=5,
                socket_keepalive=True,
            )
            try:
                async with broker, broker.pubsub(ignore_subscribe_messages=True) as messages:
                    await messages.subscribe(open_pages.channel())
                    self.listens = True
                    while True:
                        message = await messages.get_message(timeout=BEAT)
                        for name in message["data"].decode().split() if message else ():
                            self.wake(name)
            except (RedisError, OSError) as error:
                log.warning("Open pages poll: the broker is away (%s)", type(error).__name__)
            self.end_all()
            await asyncio.sleep(APART)

    def wake(self, name: str) -> None:
        """Wake the pages of a campaign or a user."""
        loop = asyncio.get_running_loop()
        for rank, page in enumerate(self.pages.get(name, ())):
            loop.call_later(rank // AT_ONCE * APART, page.set)

    def end_all(self) -> None:
        """End all pages, and accept no new pages until messages arrive again."""
        self.listens = False
        for page in [page for pages in self.pages.values() for page in pages]:
            page.set()

    async def events(
        self, session_key: str | None, public_id: str, listener: Listener, source: str
    ) -> AsyncIterator[str]:
        """Yield the events of a page until it is closed or its reader may not see the campaign."""
        page, clock = asyncio.Event(), asyncio.get_running_loop().time
        check_at, names = clock() + CHECK, (listener.campaign, source)
        for name in names:
            self.pages[name].insert(0 if listener.person else len(self.pages[name]), page)
        try:
            yield HELLO
            while self.listens:
                with suppress(TimeoutError):
                    await asyncio.wait_for(page.wait(), BEAT)
                now: Listener | None = listener
                if clock() >= check_at:
                    # A database that does not answer ends no page: all would poll it at once.
                    with suppress(Error):
                        now = await sync_to_async(listener_of)(session_key, public_id)
                    check_at = clock() + CHECK
                if not self.listens or now is None or now.person != listener.person:
                    return
                # A message can get lost; the changed last entry then shows that there is news.
                moved, listener = page.is_set() or now.last != listener.last, now
                page.clear()
                yield MOVED if moved else ALIVE
                await asyncio.sleep(APART)
        finally:
            for name in names:
                self.pages[name].remove(page)
                if not self.pages[name]:
                    del self.pages[name]


broadcaster = Broadcaster()


@require_GET
async def stream(request: HttpRequest, public_id: str) -> HttpResponseBase:
    """Answer with the events of a campaign. A page that gets 404 or 503 polls.

    The processes of the site answer 404: they would hold a thread for each page.
    """
    key = request.session.session_key
    if not isinstance(request, ASGIRequest):
        return HttpResponse(status=404)
    if not broadcaster.listens:
        return HttpResponse(status=503)
    try:
        listener = await sync_to_async(listener_of)(key, public_id)
    except Error:
        return HttpResponse(status=503)
    if listener is None:
        return HttpResponse(status=404)
    source = listener.person or address(request)
    if len(broadcaster.pages.get(source, ())) >= MOST_EACH:
        return HttpResponse(status=503)
    events = broadcaster.events(key, public_id, listener, source)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingHttpResponse(events, content_type="text/event-stream", headers=headers)

"""Reports on a board where faults occur at every step, with the real outbox, rows and ticks.

A user does what the pages ask: "try again" if a thread is locked or a post has failed, and a look
at the board if the site cannot look.
"""

from __future__ import annotations

import random
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from http.cookiejar import CookieJar
from typing import Any

from django.db.models import Min

from forum import services
from forum.models import Post, Thread
from forum.posts import sending
from forum.posts.outbox import marker, with_mark
from outgoing.client import Client
from tests.boards.places import Place
from tests.boards.wire import Fault

State = Post.State
PACE = timedelta(minutes=30)
"""The time between two reports, so that hundreds of them take weeks of a campaign."""
FAULTS = tuple(fault for fault in Fault if fault is not Fault.SLOW)


class Killed(BaseException):
    """The end of the process."""


class DyingClient(Client):
    """A visitor whose process is killed at random.

    It dies after the post was sent and before it was marked as sent.
    """

    lot: random.Random
    chance = 0.0
    deaths = 0

    def request(self, method: str, url: str, **more: Any) -> Any:
        answer = super().request(method, url, **more)
        if method == "POST" and self.lot.random() < self.chance:
            DyingClient.deaths += 1
            raise Killed
        return answer


@dataclass
class Outcome:
    """The outcome, counted on the board and in the outbox."""

    posts: int
    once: int = 0
    lost: int = 0
    double: int = 0
    shared: int = 0
    """The number of posts whose link is that of another post, too."""
    requests: int = 0
    faults: int = 0
    killed: int = 0
    doubts: int = 0
    by_person: Counter[str] = field(default_factory=Counter)
    at_steps: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        steps = ", ".join(f"{step} {count}" for step, count in sorted(self.at_steps.items()))
        person = (
            ", ".join(f"{what} {count}" for what, count in sorted(self.by_person.items()))
            or "nothing"
        )
        return (
            f"{self.posts} posts: {self.once} once, {self.lost} lost, {self.double} double,"
            f" {self.shared} with a shared link;"
            f" {self.requests} requests, {self.faults} faults ({steps}), {self.killed} processes"
            f" killed, {self.doubts} doubts; left to a person: {person}"
        )


def outbox(here: Place, campaign: Any, gm: Any, posts: int) -> Thread:
    """Return a thread with so many reports that are ready."""
    at = here.board.clock.now()
    thread = services.set_up(
        campaign, gm, transport=here.kind, name="Under fire", settings=here.settings, now=at
    )
    for number in range(1, posts + 1):
        mark = marker(campaign, number, 1)
        shown = {
            "subject": f"Report {number}",
            "text": with_mark(f"What came to pass in turn {number}.", mark),
            "marker": mark,
        }
        row = {
            "campaign": campaign,
            "thread": thread,
            "number": number,
            "report": f"turn-{number}",
            "kind": "turn",
        }
        Post.objects.create(
            **row,
            **shown,
            made_at=at,
            made_by=gm,
            state=State.READY,
            next_at=at + (number - 1) * PACE,
        )
    return thread


def fire(
    here: Place, campaign: Any, gm: Any, posts: int, seed: int, chance: float = 0.25
) -> Outcome:
    """Send so many reports through one thread; each request has a fault with this chance."""
    lot, created, clock = random.Random(seed), Outcome(posts), here.board.clock
    thread = outbox(here, campaign, gm, posts)
    here.wire.faults = lambda step: lot.choice(FAULTS) if lot.random() < chance else None
    DyingClient.deaths = 0

    def visitor(jar: CookieJar) -> Client:
        one = DyingClient(now=clock.now, sleep=clock.sleep, cookies=jar)
        one.lot, one.chance = lot, chance / 10
        return one

    doubts = set[tuple[int, int]]()
    while (waiting := Post.objects.exclude(state__in=(State.POSTED, State.AWAITING))).exists():
        _wait(clock, waiting)
        if lot.random() < 0.2:
            here.rival(f"Somebody else has his say, {lot.random()}.")
        with suppress(Killed):
            sending.tick(clock.now(), limit=1, client=visitor)
        doubts |= set(Post.objects.filter(doubt=True).values_list("pk", "attempts"))
        _as_a_person(here, thread, gm, created)
    created.doubts = len(doubts)
    return _counted(here, created)


def _wait(clock: Any, waiting: Any) -> None:
    """Move the clock to the next moment at which something is due.

    That is the first post in line, or the end of a lease.
    """
    taken = waiting.filter(state=State.SENDING).aggregate(at=Min("taken_at"))["at"]
    first = waiting.filter(state=State.READY).order_by("pk").first()
    due = (
        taken + sending.LEASE + timedelta(seconds=1) if taken else first.next_at if first else None
    )
    clock.at = max(clock.at + timedelta(seconds=1), due or clock.at)


def _as_a_person(here: Place, thread: Thread, gm: Any, created: Outcome) -> None:
    now = here.board.clock.now()
    thread.refresh_from_db()
    if thread.locked_at is not None:
        services.unlock(thread, gm, now=now)
        created.by_person["unlock"] += 1
    for post in Post.objects.filter(thread=thread, state=State.FAILED):
        services.retry(post, gm, now=now)
        created.by_person["try again"] += 1
    for post in Post.objects.filter(thread=thread, state=State.DOUBTFUL):
        if here.markers(post.marker):
            services.record_posted(post, gm, "https://board.example/there", now=now)
            created.by_person["it is there"] += 1
        else:
            services.record_absent(post, gm, now=now)
            created.by_person["it is not there"] += 1


def _counted(here: Place, created: Outcome) -> Outcome:
    for post in Post.objects.all():
        times = here.markers(post.marker)
        created.once += times == 1
        created.lost += times == 0
        created.double += times > 1
    links = Counter(Post.objects.exclude(permalink="").values_list("permalink", flat=True))
    links.pop("https://board.example/there", None)
    created.shared = sum(count for count in links.values() if count > 1)
    created.requests, created.killed = sum(here.wire.seen.values()), DyingClient.deaths
    for (step, _), count in here.wire.befallen.items():
        created.faults += count
        created.at_steps[step] += count
    return created

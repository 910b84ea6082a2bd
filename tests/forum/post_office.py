"""What tests of the outbox share: a thread to a wall, a post on its way to it, ticks until nothing
is due.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from forum import services
from forum.models import Post, Thread
from forum.posts import reports, sending
from tests.forum.walls import Wall, visitor
from tests.table import Table

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY, SECOND = timedelta(days=1), timedelta(seconds=1)
State = Post.State


def a_thread(table: Table, wall: Wall, **more: Any) -> Thread:
    given = {
        "transport": "wall",
        "name": "The wall",
        "settings": {"url": wall.url, "password": "s3cret"},
        **more,
    }
    return services.set_up(table.campaign, table.gm, now=NOW, **given)


def a_post(table: Table, thread: Thread, key: str = "") -> Post:
    key = key or next(one.key for one in reports.contents(table.campaign) if one.kind == "opening")
    created = services.draft(table.campaign, table.gm, thread, key, now=NOW)
    return services.ready(created, table.gm, now=NOW)


def now_key(table: Table) -> str:
    return f"turn-{table.campaign.turn}"


def tick(at: datetime = NOW, **more: Any) -> int:
    return sending.tick(at, client=visitor, **more)


def ticks(start: datetime = NOW) -> None:
    """Ticks whenever something is due, until nothing is or a week has gone."""
    at = start
    while at < start + 7 * DAY:
        tick(at)
        waiting = Post.objects.filter(thread__locked_at=None)
        due = list(
            waiting.filter(state=State.READY, next_at__gt=at).values_list("next_at", flat=True)
        )
        due += [
            taken + sending.LEASE + SECOND
            for taken in waiting.filter(state=State.SENDING).values_list("taken_at", flat=True)
        ]
        if not due:
            return
        at = max(min(due), at + SECOND)


def fresh(post: Post) -> Post:
    return Post.objects.get(pk=post.pk)

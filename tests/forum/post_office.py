"""Functions for tests of the outbox, which make threads and posts and run its ticks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from forum import services
from forum.models import Post, Thread
from forum.posts import reports, sending
from tests.forum.walls import Wall, make_client
from tests.table import Table

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY, SECOND = timedelta(days=1), timedelta(seconds=1)
State = Post.State


def make_thread(table: Table, wall: Wall, **more: Any) -> Thread:
    given = {
        "transport": "wall",
        "name": "The wall",
        "settings": {"url": wall.url, "password": "s3cret"},
        **more,
    }
    return services.set_up(table.campaign, table.gm, now=NOW, **given)


def make_post(table: Table, thread: Thread, key: str = "") -> Post:
    key = key or next(
        report.key for report in reports.contents(table.campaign) if report.kind == "opening"
    )
    created = services.draft(table.campaign, table.gm, thread, key, now=NOW)
    return services.mark_ready(created, table.gm, now=NOW)


def turn_report_key(table: Table) -> str:
    """Return the key of the report of the current turn."""
    return f"turn-{table.campaign.turn}"


def run_tick(at: datetime = NOW, **more: Any) -> int:
    """Run the outbox once with a client that reaches this machine."""
    return sending.tick(at, client=make_client, **more)


def tick_until_idle(start: datetime = NOW) -> None:
    """Run a tick whenever a post is due, until none is due or a week has passed."""
    at = start
    while at < start + 7 * DAY:
        run_tick(at)
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


def reload_post(post: Post) -> Post:
    """Return the post as it is in the database."""
    return Post.objects.get(pk=post.pk)

"""Notices to game masters of failed and doubtful posts and of refusals, with a link."""

from __future__ import annotations

import pytest

from forum import services
from forum.models import Thread
from notices.models import Notice
from notices.wording import notices_in_words
from tests.forum.post_office import (
    DAY,
    NOW,
    make_post,
    reload_post,
    tick_until_idle,
    turn_report_key,
)
from tests.forum.test_sending import thread
from tests.forum.walls import Wall
from tests.table import Table

__all__ = ["thread"]

pytestmark = pytest.mark.django_db


def notices_shown() -> list[tuple[str, str, str]]:
    return [
        (notice.notice.kind, notice.title, notice.page[0])
        for notice in notices_in_words(Notice.objects.order_by("pk"))
        if "post" in notice.page[0]
    ]


def test_every_failed_post_is_notified(running: Table, thread: Thread, wall: Wall) -> None:
    wall.faults = ["404", "404"]
    post = make_post(running, thread)
    tick_until_idle()
    line = ("post-failed", f"A post has failed: {reload_post(post).subject}", "post")
    assert notices_shown() == [line]
    assert {(notice.user, notice.seat) for notice in Notice.objects.filter(kind="post-failed")} == {
        (running.gm, "gm")
    }
    (one,) = notices_in_words(Notice.objects.filter(kind="post-failed"))
    assert (one.page, one.body) == (
        ("post", post.number),
        f"{thread.name}: No such wall. Try again, post it by hand, or skip it.",
    )
    wall.faults = ["404", "404"]
    services.retry(reload_post(post), running.gm, now=NOW + DAY)
    tick_until_idle(NOW + DAY)
    assert notices_shown() == [line, line]


def test_a_refusing_board_is_notified_once(running: Table, thread: Thread, wall: Wall) -> None:
    make_post(running, thread)
    make_post(running, thread, turn_report_key(running))
    wall.faults = ["403"]
    tick_until_idle()
    assert notices_shown() == [("thread-locked", f"Posting has stopped: {thread.name}", "posts")]
    services.unlock(thread, running.gm, now=NOW + 4 * DAY)
    tick_until_idle(NOW + 4 * DAY)
    assert len(notices_shown()) == 1, "what arrives is told nobody"

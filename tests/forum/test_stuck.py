"""The game masters hear of a post that has failed or is in doubt, and of a place that refuses us,
with the way there.
"""

from __future__ import annotations

import pytest

from forum import services
from forum.models import Thread
from notices.models import Notice
from notices.wording import notices_in_words
from tests.forum.post_office import DAY, NOW, a_post, fresh, now_key, ticks
from tests.forum.test_sending import thread
from tests.forum.walls import Wall
from tests.table import Table

__all__ = ["thread"]

pytestmark = pytest.mark.django_db


def notices_shown() -> list[tuple[str, str, str]]:
    return [
        (one.notice.kind, one.title, one.page[0])
        for one in notices_in_words(Notice.objects.order_by("pk"))
        if "post" in one.page[0]
    ]


def test_a_post_that_fails_is_told_each_time(running: Table, thread: Thread, wall: Wall) -> None:
    wall.faults = ["404", "404"]
    post = a_post(running, thread)
    ticks()
    line = ("post-failed", f"A post has failed: {fresh(post).subject}", "post")
    assert notices_shown() == [line]
    assert {(one.user, one.seat) for one in Notice.objects.filter(kind="post-failed")} == {
        (running.gm, "gm")
    }
    (one,) = notices_in_words(Notice.objects.filter(kind="post-failed"))
    assert (one.page, one.body) == (
        ("post", post.number),
        f"{thread.name}: No such wall. Try it again, post it by hand, or skip it.",
    )
    wall.faults = ["404", "404"]
    services.again(fresh(post), running.gm, now=NOW + DAY)
    ticks(NOW + DAY)
    assert notices_shown() == [line, line]


def test_a_place_that_refuses_is_told_once(running: Table, thread: Thread, wall: Wall) -> None:
    a_post(running, thread)
    a_post(running, thread, now_key(running))
    wall.faults = ["403"]
    ticks()
    assert notices_shown() == [("thread-locked", f"Nothing more is posted: {thread.name}", "posts")]
    services.unlock(thread, running.gm, now=NOW + 4 * DAY)
    ticks(NOW + 4 * DAY)
    assert len(notices_shown()) == 1, "what arrives is told nobody"

"""MyBB joins two posts in a row by one user: reports are held apart, and each has its own link."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from campaign.errors import Refused
from forum import services
from forum.models import Post, Thread
from forum.posts import sending
from tests.boards.fire import outbox
from tests.boards.places import Place
from tests.boards.wire import client
from tests.table import Table, people, table, toy  # noqa: F401

pytestmark = pytest.mark.thorough
At = Callable[..., Place]


def tick(here: Place, minutes: int = 0) -> None:
    clock = here.board.clock
    clock.sleep(minutes * 60)
    sending.tick(clock.now(), client=lambda jar: client(clock, jar))


def states() -> list[str]:
    return [post.state for post in Post.objects.order_by("pk")]


def joined(at: At, table: Table, posts: int) -> tuple[Place, Thread]:  # noqa: F811
    """Return a board that has joined the first two reports, with all reports due at once."""
    here = at("mybb", merge=60)
    thread = outbox(here, table.campaign, table.gm, posts)
    Post.objects.update(next_at=here.board.clock.now())
    tick(here)
    tick(here, 2)
    thread.refresh_from_db()
    return here, thread


@pytest.mark.django_db
def test_a_board_that_joins_posts_is_recognized_by_the_first_joined_post(
    at: At,
    table: Table,  # noqa: F811
) -> None:
    here, thread = joined(at, table, 2)
    first, second = Post.objects.order_by("pk")
    assert first.permalink == second.permalink
    assert (len(here.board.posts), thread.joining_minutes) == (2, 60)
    assert [here.markers(post.marker) for post in (first, second)] == [1, 1]


@pytest.mark.django_db
def test_later_reports_are_held_apart_for_an_hour_and_have_their_own_links(
    at: At,
    table: Table,  # noqa: F811
) -> None:
    here, _thread = joined(at, table, 4)
    tick(here, 2)
    third = Post.objects.order_by("pk")[2]
    assert states() == ["posted", "posted", "ready", "ready"]
    assert (third.planned, third.attempts, third.last_error) == (True, 1, "")
    for _ in range(40):
        tick(here, 4)
    posts = list(Post.objects.order_by("pk"))
    assert states() == ["posted"] * 4
    assert len({post.permalink for post in posts}) == 3
    assert [here.markers(post.marker) for post in posts] == [1, 1, 1, 1]
    assert posts[3].posted_at is not None
    assert posts[2].posted_at is not None
    assert posts[3].posted_at - posts[2].posted_at >= timedelta(minutes=61)


@pytest.mark.django_db
def test_a_post_by_another_user_lets_the_next_report_go_at_once(at: At, table: Table) -> None:  # noqa: F811
    here, _thread = joined(at, table, 3)
    tick(here, 2)
    here.rival("I object.")
    tick(here, 16)
    third = Post.objects.order_by("pk")[2]
    assert third.state == "posted"
    assert third.permalink.endswith("#pid4")


@pytest.mark.django_db
def test_a_board_with_a_longer_time_is_learned(at: At, table: Table) -> None:  # noqa: F811
    here, thread = joined(at, table, 4)
    here.board.merge = 100
    for _ in range(50):
        tick(here, 4)
    thread.refresh_from_db()
    assert thread.joining_minutes == 120
    assert states()[2:] == ["posted", "posted"]
    assert len({post.permalink for post in Post.objects.all()}) == 2


@pytest.mark.django_db
def test_no_test_post_is_sent_to_a_board_that_joins_posts(at: At, table: Table) -> None:  # noqa: F811
    here, thread = joined(at, table, 2)
    with pytest.raises(Refused) as error:
        services.try_out(thread, table.gm, now=here.board.clock.now())
    assert error.value.code == "test-joins"


@pytest.mark.django_db
def test_a_report_after_a_test_post_waits_for_another_user(at: At, table: Table) -> None:  # noqa: F811
    here = at("mybb", merge=60)
    thread = outbox(here, table.campaign, table.gm, 0)
    services.try_out(thread, table.gm, now=here.board.clock.now())
    tick(here)
    assert states() == ["posted"]
    outbox(here, table.campaign, table.gm, 0)
    Post.objects.create(
        campaign=table.campaign,
        thread=thread,
        number=2,
        report="turn-1",
        kind="turn",
        subject="Report 1",
        text="What came to pass. [x-2-1]",
        marker="[x-2-1]",
        made_at=here.board.clock.now(),
        made_by=table.gm,
        state="ready",
        next_at=here.board.clock.now(),
    )
    tick(here, 2)
    assert states() == ["posted", "ready"]
    here.rival("Hello.")
    tick(here, 16)
    assert states() == ["posted", "posted"]
    assert len({post.permalink for post in Post.objects.all()}) == 2

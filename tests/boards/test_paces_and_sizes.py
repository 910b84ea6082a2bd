"""Limits of boards: a pause between two posts, the size of letters, a moderator's look."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils.html import strip_tags

from forum.boards import AccessRefused, PermanentError
from forum.models import Post, Thread
from forum.posts import sending
from tests.boards.fire import outbox
from tests.boards.places import Place
from tests.boards.wire import client
from tests.table import Table, people, table, toy  # noqa: F401
from tests.web.grand_table import GrandTable, new_campaign  # noqa: F401

pytestmark = [pytest.mark.thorough, pytest.mark.django_db]
At = Callable[..., Place]


def in_three_parts(here: Place, campaign: Any, gm: Any) -> list[Post]:
    """One report in three posts, ready now."""
    outbox(here, campaign, gm, 3)
    first = Post.objects.earliest("pk")
    Post.objects.exclude(pk=first.pk).update(first=first, next_at=here.board.clock.now())
    for part, post in enumerate(Post.objects.order_by("pk"), 1):
        Post.objects.filter(pk=post.pk).update(part=part, part_count=3)
    return list(Post.objects.order_by("part"))


def tick(here: Place) -> None:
    clock = here.board.clock
    sending.tick(clock.now(), client=lambda jar: client(clock, jar))


@pytest.mark.parametrize(("kind", "pace"), [("phpbb", 20), ("mybb", 60), ("nodebb", 10)])
def test_the_parts_of_a_report_are_planned_at_the_boards_pace(
    at: At,
    table: Table,  # noqa: F811
    kind: str,
    pace: int,
) -> None:
    here = at(kind)
    in_three_parts(here, table.campaign, table.gm)
    tick(here)
    first, second, third = Post.objects.order_by("part")
    assert (first.state, second.state, third.state) == ("posted", "ready", "ready")
    assert (second.planned, second.attempts, second.last_error) == (True, 0, "")
    assert second.next_at is not None
    assert third.next_at is not None
    assert third.next_at - second.next_at == timedelta(seconds=pace)
    for _ in range(3):
        here.board.clock.sleep(pace + 2)
        tick(here)
    assert [(post.state, post.attempts) for post in Post.objects.order_by("part")] == [
        ("posted", 1)
    ] * 3
    assert [here.markers(post.marker) for post in Post.objects.all()] == [1, 1, 1]


def test_a_longer_pause_is_learnt_and_is_no_failure(at: At, table: Table) -> None:  # noqa: F811
    here = at("nodebb", flood=90)
    in_three_parts(here, table.campaign, table.gm)
    tick(here)
    here.board.clock.sleep(11)
    tick(here)
    second = Post.objects.get(part=2)
    assert (second.state, second.last_error, second.planned) == ("ready", "", True)
    assert Thread.objects.get().pace == 90
    here.board.clock.sleep(92)
    tick(here)
    second, third = Post.objects.exclude(part=1).order_by("part")
    assert (second.state, third.planned) == ("posted", True)
    assert third.next_at is not None
    assert second.posted_at is not None
    assert third.next_at - second.posted_at == timedelta(seconds=90)


def test_headings_are_as_large_as_the_board_allows(at: At) -> None:
    here = at("phpbb", largest=120)
    here.play(
        1, "[size=150][b]Turn 3[/b][/size]\n[size=120][b]Moves[/b][/size]\n[size=85]small[/size]"
    )
    assert here.board.posts[-1].text.startswith(
        "[size=120][b]Turn 3[/b][/size]\n[size=120][b]Moves[/b][/size]\n[size=85]small[/size]"
    )
    assert here.times(1) == 1


@pytest.mark.parametrize("kind", ["phpbb", "mybb", "nodebb", "discourse"])
def test_what_a_moderator_let_through_is_posted_without_a_button(
    at: At,
    table: Table,  # noqa: F811
    kind: str,
) -> None:
    here = at(kind, queued=True) if kind in ("nodebb", "discourse") else at(kind)
    if kind == "phpbb":
        here.board.users[3].new = True
    if kind == "mybb":
        here.board.moderated = True
    outbox(here, table.campaign, table.gm, 1)
    tick(here)
    here.board.clock.sleep(3600)
    tick(here)
    assert (Post.objects.get().state, Post.objects.get().permalink) == ("awaiting", "")
    let_through(here)
    here.board.clock.sleep(3600)
    tick(here)
    post = Post.objects.get()
    assert (post.state, post.next_at, here.markers(post.marker)) == ("posted", None, 1)
    assert post.permalink.startswith(here.board.url)


def let_through(here: Place) -> None:
    if here.kind == "phpbb":
        here.board.posts[-1].approved = True
    elif here.kind == "mybb":
        here.board.posts[-1].visible = True
    elif here.kind == "nodebb":
        here.board.posts.append(here.board.queue.pop())
    else:
        here.board.write(7, "Clerk", here.board.pending.pop())


@pytest.mark.long
def test_a_moderators_queue_is_looked_at_less_and_less_often(at: At, table: Table) -> None:  # noqa: F811
    here = at("phpbb")
    here.board.users[3].new = True
    outbox(here, table.campaign, table.gm, 1)
    tick(here)
    looks = []
    for hour in range(24 * 40):
        before = here.wire.seen["read"]
        tick(here)
        if here.wire.seen["read"] > before:
            looks.append(hour)
        here.board.clock.sleep(3600)
    assert looks[:4] == [1, 2, 3, 4]
    assert 15 < len(looks) < 40
    assert looks[-1] < 24 * 31 + 24 * 8
    assert Post.objects.get().state == "awaiting"


# MyBB in clear words ------------------------------------------------------------------------------


def test_mybbs_errors_are_told_without_the_labels_of_its_forms(at: At) -> None:
    here = at("mybb", most=500)
    with pytest.raises(PermanentError) as error:
        here.play(1, "x" * 600)
    assert str(error.value).startswith(
        "The message is too long. Please enter a message shorter than 500 characters"
    )
    here.settings = {**here.settings, "password": "wrong"}
    here.http = here.client()
    with pytest.raises(AccessRefused) as locked:
        here.play(1)
    assert (
        str(locked.value)
        == "The board refused to sign the account in: You have entered an invalid username/password"
        " combination."
    )


def test_a_plan_is_shown_as_a_plan(at: At, new_campaign: Callable[..., GrandTable]) -> None:  # noqa: F811
    grand_table, here = new_campaign(), at("mybb")
    in_three_parts(here, grand_table.campaign, grand_table.people["gm"])
    tick(here)
    page = " ".join(strip_tags(grand_table.text("gm", "posts/", show="all")).split())
    assert re.search(r"part 2 of 3: .*\d\d:\d\d", page)
    page = " ".join(
        strip_tags(grand_table.text("gm", f"posts/{Post.objects.get(part=1).number}/")).split()
    )
    assert re.search(
        r"Part 2 of 3: .*\d\d:\d\d\. The board requires a pause between two posts\.", page
    )
    assert "attempt failed" not in page

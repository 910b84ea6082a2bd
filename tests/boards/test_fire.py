"""Reports under faults: none is lost, and none is posted twice.

`script/fire boards` sends 500 through each transport and prints the counts.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest

from forum import services
from forum.models import Post
from forum.posts import sending
from tests.boards.fire import fire, outbox
from tests.boards.places import Place
from tests.boards.wire import Fault, client, once
from tests.table import Table, people, table, toy  # noqa: F401

UNSEEN = "The post is not visible there, but it may be waiting for a moderator."
POSTS = int(os.environ.get("TABULA_FIRE", "12"))
BOARDS: dict[str, tuple[str, dict[str, Any]]] = {
    "phpbb 3.3.10": ("phpbb", {"version": "3.3.10"}),
    "phpbb 3.3.15": ("phpbb", {"version": "3.3.15"}),
    "mybb": ("mybb", {}),
    "mybb that joins posts": ("mybb", {"merge": 60, "friendly": False}),
    "nodebb": ("nodebb", {}),
    "nodebb with a queue": ("nodebb", {"queued": True}),
    "discourse": ("discourse", {}),
    "discourse with a queue": ("discourse", {"queued": True}),
}
BOARDS_FIRST = ("phpbb 3.3.15", "mybb that joins posts")
"""The default run has these two: of the others the long one."""


@pytest.mark.thorough
@pytest.mark.django_db
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if name in BOARDS_FIRST else pytest.mark.nightly)
        for name in BOARDS
    ],
)
def test_none_is_lost_and_none_is_double(at: Callable[..., Place], table: Table, name: str) -> None:  # noqa: F811
    kind, options = BOARDS[name]
    outcome = fire(at(kind, **options), table.campaign, table.gm, POSTS, seed=POSTS)
    print(f"\n{name}: {outcome}")  # noqa: T201
    assert (outcome.once, outcome.lost, outcome.double) == (POSTS, 0, 0)
    assert outcome.faults > POSTS / 6
    assert set(outcome.at_steps) >= {"post"}


@pytest.mark.nightly
@pytest.mark.django_db
@pytest.mark.parametrize("name", BOARDS)
def test_two_hundred_posts_arrive_once(at: Callable[..., Place], table: Table, name: str) -> None:  # noqa: F811
    """The faults include a busy board, empty pages, cut answers and killed processes."""
    kind, options = BOARDS[name]
    outcome = fire(at(kind, **options), table.campaign, table.gm, 200, seed=200)
    print(f"\n{name}: {outcome}")  # noqa: T201
    assert (outcome.once, outcome.lost, outcome.double) == (200, 0, 0)
    assert outcome.shared <= 4  # Only the first two, before the board is known to join posts.


@pytest.mark.thorough
@pytest.mark.django_db
def test_with_moderation_no_post_is_sent_twice(at: Callable[..., Place], table: Table) -> None:  # noqa: F811
    """MyBB shows no one their own waiting posts.

    In doubt, a user decides there, and nothing is sent twice.
    """
    here = at("mybb")
    here.board.moderated = True
    outbox(here, table.campaign, table.gm, 2)
    clock = here.board.clock
    seen = []
    here.wire.faults = lambda step: Fault.CUT_AFTER if step == "post" and len(seen) == 1 else None
    for _ in range(4):
        sending.tick(clock.now(), client=lambda jar: client(clock, jar))
        seen = list(Post.objects.filter(posted_at__isnull=False))
        clock.sleep(1800)
    first, second = Post.objects.order_by("pk")
    assert (first.state, second.state) == ("awaiting", "doubtful")
    assert (
        second.last_error
        == "Posts in this thread are waiting for a moderator there, and this may be one of them."
    )
    assert (here.markers(first.marker), here.markers(second.marker)) == (1, 1)


@pytest.fixture
def hidden(at: Callable[..., Place]) -> Place:
    """Return a phpBB that hides waiting posts from their authors.

    The account has no waiting posts yet.
    """
    return at("phpbb", own_unapproved=False)


def put_in_doubt(here: Place, post: Post) -> Post:
    """Cut the post's answer after the board has it, and tick for an hour and a half."""
    clock, here.wire.faults = here.board.clock, once("post", Fault.CUT_AFTER)
    for _ in range(3):
        sending.tick(clock.now(), client=lambda jar: client(clock, jar))
        clock.sleep(1800)
    post.refresh_from_db()
    return post


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["phpbb", "mybb"])
def test_the_first_post_of_all_is_not_sent_twice_to_a_moderator(
    at: Callable[..., Place],
    table: Table,  # noqa: F811
    kind: str,
) -> None:
    """No post of the account was ever seen there, and the answer was cut.

    A queue cannot be distinguished from a loss.
    """
    here = at(kind, own_unapproved=False)
    if kind == "phpbb":
        here.board.users[3].new = True
    else:
        here.board.moderated = True
    outbox(here, table.campaign, table.gm, 1)
    post = put_in_doubt(here, Post.objects.get())
    assert (post.state, post.last_error) == ("doubtful", UNSEEN)
    assert here.markers(post.marker) == 1


@pytest.mark.django_db
def test_a_post_that_a_moderator_let_through_does_not_prove_that_the_next_is_seen(
    hidden: Place,
    table: Table,  # noqa: F811
) -> None:
    hidden.board.users[3].new = True
    outbox(hidden, table.campaign, table.gm, 2)
    first, second = Post.objects.order_by("pk")
    clock = hidden.board.clock
    sending.tick(clock.now(), client=lambda jar: client(clock, jar))
    services.record_posted(
        first, table.gm, "https://board.example/viewtopic.php?p=2#p2", now=clock.now()
    )
    clock.sleep(1800)
    assert (put_in_doubt(hidden, second).state, second.last_error) == ("doubtful", UNSEEN)
    assert hidden.markers(second.marker) == 1


@pytest.mark.django_db
def test_a_board_that_began_to_moderate_since_the_last_report_gets_none_twice(
    hidden: Place,
    table: Table,  # noqa: F811
) -> None:
    outbox(hidden, table.campaign, table.gm, 2)
    first, second = Post.objects.order_by("pk")
    clock = hidden.board.clock
    sending.tick(clock.now(), client=lambda jar: client(clock, jar))
    first.refresh_from_db()
    assert first.state == "posted"
    hidden.board.users[3].new = True
    clock.sleep(7 * 86_400)
    assert (put_in_doubt(hidden, second).state, second.last_error) == ("doubtful", UNSEEN)
    assert hidden.markers(second.marker) == 1


@pytest.mark.django_db
def test_a_key_that_may_not_ask_for_the_queue_is_no_proof_that_it_is_empty(
    at: Callable[..., Place],
    table: Table,  # noqa: F811
) -> None:
    here = at("discourse", queued=True, narrow=True)
    outbox(here, table.campaign, table.gm, 1)
    post = put_in_doubt(here, Post.objects.get())
    assert (post.state, post.last_error) == ("doubtful", UNSEEN)
    assert here.markers(post.marker) == 1


@pytest.mark.django_db
def test_an_unknown_refusal_is_retried_for_minutes_and_then_reported(
    hidden: Place,
    table: Table,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from tests.boards import phpbb

    outbox(hidden, table.campaign, table.gm, 1)
    hidden.board.flood = 10**9
    hidden.board.users[3].last_post = hidden.board.clock.seconds
    monkeypatch.setattr(phpbb, "FLOOD", "Siin ei ole pilte lubatud.")
    clock = hidden.board.clock
    for _ in range(6):
        sending.tick(clock.now(), client=lambda jar: client(clock, jar))
        clock.sleep(120)
    post = Post.objects.get()
    assert (post.state, post.last_error) == ("failed", "Siin ei ole pilte lubatud.")
    assert hidden.wire.seen["post"] == 4

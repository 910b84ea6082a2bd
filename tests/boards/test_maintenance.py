"""Boards in maintenance, and foreign pages with status 200: they mean later, never final."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from forum import reading, services
from forum.boards import BoardClosed, DoubtfulError, TemporaryError
from forum.models import FollowedThread, ImportedPost, Post
from forum.posts import sending
from tests.boards.fire import outbox
from tests.boards.places import FORMS, Place
from tests.boards.wire import Fault, client, once
from tests.table import Table, people, table, toy  # noqa: F401

pytestmark = [pytest.mark.thorough]
At = Callable[..., Place]

WORDS = {
    "phpbb": "Sorry but this board is currently unavailable.",
    "mybb": "The bulletin board is currently closed. We are at work.",
}


def close(here: Place) -> None:
    if here.kind == "phpbb":
        here.board.disabled = True
    else:
        here.board.closed = "We are at work."


def reopen(here: Place) -> None:
    if here.kind == "phpbb":
        here.board.disabled = False
    else:
        here.board.closed = ""


@pytest.fixture(params=FORMS)
def form(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_maintenance_is_later_for_a_member_who_posts_or_looks(at: At, form: str) -> None:
    here = at(form)
    here.play(1)
    close(here)
    for ask in (here.play, here.find):
        with pytest.raises(BoardClosed) as error:
            ask(1)
        assert str(error.value) == WORDS[form]
    reopen(here)
    assert here.find(1) is not None
    assert here.times(1) == 1


def test_maintenance_that_begins_after_the_form_was_read(at: At, form: str) -> None:
    here = at(form)

    def begins(step: str) -> None:
        if step == "post":
            close(here)

    here.wire.faults = begins  # type: ignore[assignment]
    with pytest.raises(BoardClosed):
        here.play(1)
    assert here.times(1) == 0


def test_a_refusal_of_a_moment_is_asked_about_again(at: At, form: str) -> None:
    """The board was closed when the form was asked for, and open when its first page was."""
    here = at(form)
    here.wire.faults = once("post form", Fault.WORK)
    here.play(1)
    assert here.times(1) == 1


@pytest.mark.parametrize("fault", [Fault.EMPTY, Fault.CUT_SHORT, Fault.FOREIGN])
def test_no_page_of_the_board_is_later_at_every_step(at: At, kind: str, fault: Fault) -> None:
    steps = ("post form", "login form", "login", "read") if kind in FORMS else ("read",)
    for step in steps:
        here = at(kind)
        here.wire.faults = once(step, fault)
        with pytest.raises(TemporaryError):
            (here.find if step == "read" else here.play)(1)
        assert here.wire.befallen[step, fault] == 1
        assert here.times(1) == 0


@pytest.mark.parametrize("fault", [Fault.EMPTY, Fault.CUT_SHORT, Fault.FOREIGN])
def test_no_page_of_the_board_after_the_post_is_a_doubt(at: At, kind: str, fault: Fault) -> None:
    """A foreign page that redirects is no notice that a moderator will look."""
    here = at(kind)
    here.wire.faults = once("post", fault)
    with pytest.raises(DoubtfulError):
        here.play(1)
    assert here.times(1) == int(fault is Fault.CUT_SHORT)


@pytest.mark.django_db
def test_a_post_waits_for_as_long_as_the_board_is_closed(at: At, table: Table, form: str) -> None:  # noqa: F811
    here = at(form)
    outbox(here, table.campaign, table.gm, 1)
    close(here)
    clock = here.board.clock
    for _ in range(60):  # five days
        sending.tick(clock.now(), client=lambda jar: client(clock, jar))
        clock.sleep(2 * 3600)
    post = Post.objects.get()
    assert (post.state, post.doubt, post.last_error) == ("ready", False, WORDS[form])
    assert post.attempts > len(sending.BACK_OFF)
    reopen(here)
    clock.sleep(7 * 3600)
    sending.tick(clock.now(), client=lambda jar: client(clock, jar))
    post.refresh_from_db()
    assert (post.state, here.markers(post.marker)) == ("posted", 1)


@pytest.mark.django_db
def test_a_doubt_waits_for_as_long_as_the_board_is_closed(at: At, table: Table, form: str) -> None:  # noqa: F811
    here = at(form)
    outbox(here, table.campaign, table.gm, 1)
    clock = here.board.clock
    here.wire.faults = once("post", Fault.CUT_AFTER)
    sending.tick(clock.now(), limit=1, client=lambda jar: client(clock, jar))
    close(here)
    for _ in range(60):
        clock.sleep(2 * 3600)
        sending.tick(clock.now(), client=lambda jar: client(clock, jar))
    post = Post.objects.get()
    assert (post.state, post.doubt) == ("ready", True)
    reopen(here)
    clock.sleep(7 * 3600)
    sending.tick(clock.now(), client=lambda jar: client(clock, jar))
    post.refresh_from_db()
    assert (post.state, here.markers(post.marker)) == ("posted", 1)


@pytest.mark.django_db
def test_following_goes_on_when_the_board_opens_again(at: At, table: Table) -> None:  # noqa: F811
    here = at("phpbb")
    clock = here.board.clock
    thread = outbox(here, table.campaign, table.gm, 0)
    services.set_following(thread, table.gm, active=True, now=clock.now())
    close(here)

    def visitor(seen: dict[str, dict[str, str]]) -> reading.ConditionalClient:
        return reading.ConditionalClient(seen, now=clock.now, sleep=clock.sleep)

    for _ in range(40):
        reading.tick(clock.now(), client=visitor)
        clock.at += timedelta(hours=4)
    row: Any = FollowedThread.objects.get()
    assert (row.stopped_at, row.last_error) == (None, WORDS["phpbb"])
    assert row.failures > reading.MOST_FAILURES
    reopen(here)
    clock.at += timedelta(hours=8)
    reading.tick(clock.now(), client=visitor)
    assert ImportedPost.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("fault", [Fault.EMPTY, Fault.CUT_SHORT])
def test_one_broken_page_is_retried_after_a_minute(
    at: At,
    table: Table,  # noqa: F811
    kind: str,
    fault: Fault,
) -> None:
    here, step = at(kind), "post form"
    outbox(here, table.campaign, table.gm, 1)
    clock = here.board.clock
    if kind not in FORMS:  # Boards with an API are read only to search for a post.
        Post.objects.update(doubt=True, doubt_at=clock.now())
        step = "read"
    here.wire.faults = once(step, fault)
    start = clock.now()
    sending.tick(start, client=lambda jar: client(clock, jar))
    post = Post.objects.get()
    assert (post.state, post.attempts) == ("ready", 1)
    assert post.next_at is not None
    assert 60 <= (post.next_at - start).total_seconds() < 65


@pytest.mark.django_db
def test_a_second_broken_page_counts_as_maintenance(at: At, table: Table, form: str) -> None:  # noqa: F811
    here = at(form)
    outbox(here, table.campaign, table.gm, 1)
    clock = here.board.clock
    here.wire.faults = lambda step: Fault.EMPTY
    for _ in range(2):
        sending.tick(clock.now(), client=lambda jar: client(clock, jar))
        clock.sleep(61)
    post = Post.objects.get()
    assert post.last_error == "127.0.0.1 answered with an empty or incomplete page."
    assert post.next_at is not None
    assert (post.next_at - clock.now()).total_seconds() > 1700


@pytest.mark.django_db
def test_broken_pages_in_turns_are_asked_for_ever_more_rarely(
    at: At,
    table: Table,  # noqa: F811
    form: str,
) -> None:
    here = at(form)
    outbox(here, table.campaign, table.gm, 1)
    clock = here.board.clock
    for attempt in range(20):
        fault = Fault.FOREIGN if attempt % 2 else Fault.EMPTY
        here.wire.faults = lambda _step, fault=fault: fault  # type: ignore[misc]
        sending.tick(clock.now(), client=lambda jar: client(clock, jar))
        clock.sleep(61)
    post = Post.objects.get()
    assert (post.state, post.attempts) == ("ready", 2)


@pytest.mark.django_db
def test_a_board_that_says_it_is_too_busy_has_done_nothing(at: At, table: Table) -> None:  # noqa: F811
    here = at("nodebb")
    outbox(here, table.campaign, table.gm, 1)
    clock = here.board.clock
    here.wire.faults = once("post", Fault.WORK)
    sending.tick(clock.now(), client=lambda jar: client(clock, jar))
    post = Post.objects.get()
    assert (post.state, post.doubt) == ("ready", False)
    clock.sleep(61)
    sending.tick(clock.now(), client=lambda jar: client(clock, jar))
    post.refresh_from_db()
    assert (post.state, here.markers(post.marker)) == ("posted", 1)
    assert here.wire.seen["read"] == 0

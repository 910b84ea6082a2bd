"""The outbox around the sending: credentials, sessions, order, automatic posts, and triggers."""

from __future__ import annotations

from http.cookiejar import CookieJar
from types import SimpleNamespace
from typing import Any

import pytest

from campaign import keys, pulse
from forum import services
from forum.models import Post, Thread
from forum.posts import outbox, sending
from tests.forum.post_office import (
    DAY,
    NOW,
    make_post,
    make_thread,
    reload_post,
    run_tick,
    tick_until_idle,
    turn_report_key,
)
from tests.forum.walls import Wall
from tests.table import Table

pytestmark = pytest.mark.django_db


@pytest.fixture
def thread(running: Table, wall: Wall) -> Thread:
    return make_thread(running, wall)


def test_credentials_lie_sealed_and_stand_nowhere(
    running: Table, thread: Thread, wall: Wall
) -> None:
    assert "s3cret" not in f"{thread.sealed}{thread.settings}"
    assert keys.unseal(thread.sealed) == '{"password":"s3cret"}'
    make_post(running, thread)
    run_tick()
    thread.refresh_from_db()
    assert "visit" not in thread.session
    assert "visit" in keys.unseal(thread.session)


def test_the_session_is_kept_for_the_next_post(running: Table, thread: Thread, wall: Wall) -> None:
    make_post(running, thread)
    make_post(running, thread, turn_report_key(running))
    run_tick()
    assert b"Cookie" not in wall.server.asked[0]
    assert b"Cookie: visit=1\r\n" in wall.server.asked[1]


def test_a_key_that_is_another_locks_the_thread(
    running: Table, thread: Thread, wall: Wall, settings: Any
) -> None:
    make_post(running, thread)
    settings.VAULT_KEY = "another"
    assert run_tick() == 1
    thread.refresh_from_db()
    assert "credentials" in thread.locked_why
    assert wall.requests == []


def test_posts_of_one_thread_go_in_their_order(running: Table, thread: Thread, wall: Wall) -> None:
    first, second = make_post(running, thread), make_post(running, thread, turn_report_key(running))
    wall.faults = ["429"]
    run_tick()
    assert reload_post(second).attempts == 0  # it waits behind the first
    tick_until_idle()
    assert [post.split("\n", 1)[0] for post in wall.posts] == [
        reload_post(first).text.split("\n", 1)[0],
        reload_post(second).text.split("\n", 1)[0],
        reload_post(second).text.split("\n", 1)[0].replace("(1 of 2)", "(2 of 2)"),
    ]


def test_drafts_are_sent_automatically_if_no_review_is_wanted(
    running: Table, thread: Thread, wall: Wall
) -> None:
    Thread.objects.filter(pk=thread.pk).update(at_once=True)
    running.play(running.campaign.active_seat, "end")
    assert {post.report for post in Post.objects.all()} == {
        f"turn-{running.campaign.turn - 1}",
        f"opening-{running.campaign.turn}",
    }
    run_tick()
    assert {post.state for post in Post.objects.all()} == {"posted"}
    assert len(wall.posts) == 3, "the report of the turn has two parts"


def test_the_clipboards_posts_are_never_sent(running: Table) -> None:
    thread = services.set_up(
        running.campaign,
        running.gm,
        transport="clipboard",
        name="",
        settings={"address": ""},
        now=NOW,
    )
    post = make_post(running, thread)
    assert run_tick(NOW + DAY) == 0
    assert reload_post(post).state == "ready"
    assert not outbox.is_automatic(thread)


def test_a_jar_is_what_a_visitor_begins_with() -> None:
    assert sending.new_client(CookieJar()).cookies is not None


def test_a_pressed_button_does_not_wait_for_the_next_pulse(
    running: Table,
    thread: Thread,
    wall: Wall,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    asked: list[tuple[str, ...]] = []
    monkeypatch.setattr(
        pulse,
        "current_app",
        SimpleNamespace(send_task=lambda name, given, **_: asked.append((name, *given))),
    )
    with django_capture_on_commit_callbacks(execute=True):
        make_post(running, thread)
    assert asked == [("work", "posts")]
    monkeypatch.setattr(pulse, "current_app", SimpleNamespace(send_task=_no_broker))
    with django_capture_on_commit_callbacks(execute=True):
        post = make_post(running, thread, turn_report_key(running))
    assert post.state == "ready"  # the next pulse takes it


def _no_broker(name: str, given: Any, **_: Any) -> None:
    raise ConnectionRefusedError


def test_a_test_post_goes_the_way_of_all_others(running: Table, thread: Thread, wall: Wall) -> None:
    post = services.try_out(thread, running.gm, now=NOW)
    run_tick()
    assert reload_post(post).state == "posted"
    assert "The Heap: reports will be posted here. You can delete this post." in wall.posts[0]
    assert reload_post(post).marker in wall.posts[0]

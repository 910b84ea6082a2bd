"""Posts that are sent exactly once despite faults, counted by a server on this machine."""

from __future__ import annotations

import socket
from datetime import timedelta
from typing import Any

import pytest

from forum import services
from forum.boards import Letter, Settings
from forum.models import Post, Thread
from forum.posts import sending
from outgoing.client import Client
from tests.forum.post_office import (
    DAY,
    NOW,
    State,
    make_post,
    make_thread,
    reload_post,
    run_tick,
    tick_until_idle,
    turn_report_key,
)
from tests.forum.walls import Wall, WallTransport
from tests.table import Table

pytestmark = pytest.mark.django_db


@pytest.fixture
def thread(running: Table, wall: Wall) -> Thread:
    return make_thread(running, wall)


def test_a_ready_post_is_sent_once_with_its_mark_and_the_receipt_is_kept(
    running: Table, thread: Thread, wall: Wall
) -> None:
    post = make_post(running, thread)
    assert run_tick() == 1
    assert run_tick(NOW + DAY) == 0
    post = reload_post(post)
    assert (post.state, post.permalink, post.attempts, post.last_error) == (
        "posted",
        f"{wall.url}/1",
        1,
        "",
    )
    assert post.posted_at is not None
    assert wall.posts == [post.text]
    assert post.text.endswith(f"\n\n{post.marker}")
    assert wall.counts == {post.marker: 1}


def test_the_last_part_of_a_report_leads_to_the_table_where_the_site_is_public(
    running: Table, thread: Thread, wall: Wall, settings: Any
) -> None:
    post = make_post(running, thread)
    settings.SITE_URL = "http://127.0.0.1:8000"
    assert sending.build_letter(post).links == ()
    settings.SITE_URL = "https://tabula.example/"
    home = f"https://tabula.example/c/{running.campaign.address}/"
    assert sending.build_letter(post).links == (("Table", home), ("Battles", home + "battles/"))
    thread.language = "it"
    thread.save()
    assert sending.build_letter(reload_post(post)).links == (
        ("Tavolo", home),
        ("Battaglie", home + "battles/"),
    )
    post.part_count = 2
    assert sending.build_letter(post).links == ()


def test_a_draft_is_not_sent(running: Table, thread: Thread, wall: Wall) -> None:
    services.draft(running.campaign, running.gm, thread, turn_report_key(running), now=NOW)
    assert run_tick() == 0
    assert wall.requests == []


def test_cut_off_before_it_is_stored_it_is_looked_for_and_sent_again(
    running: Table, thread: Thread, wall: Wall
) -> None:
    post = make_post(running, thread)
    wall.faults = ["cut before"]
    run_tick()
    assert (reload_post(post).state, reload_post(post).doubt) == ("ready", True)
    assert "127.0.0.1" in reload_post(post).last_error
    assert run_tick(NOW + timedelta(seconds=30)) == 0  # what is on its way may still come in
    run_tick(NOW + timedelta(seconds=70))
    assert (reload_post(post).state, reload_post(post).doubt) == ("posted", False)
    assert wall.requests == ["POST", "GET", "POST"]
    assert wall.counts == {post.marker: 1}


def test_cut_off_after_it_is_stored_it_is_found_and_not_sent_again(
    running: Table, thread: Thread, wall: Wall
) -> None:
    post = make_post(running, thread)
    wall.faults = ["cut after"]
    tick_until_idle()
    assert (reload_post(post).state, reload_post(post).permalink) == ("posted", f"{wall.url}/1")
    assert wall.requests == ["POST", "GET"]
    assert wall.counts == {post.marker: 1}


def test_what_left_more_than_a_day_ago_is_looked_for_and_not_sent_again_by_itself(
    running: Table, thread: Thread, wall: Wall
) -> None:
    """The transport does not read everything written since.

    A post that is found counts, however long ago it was sent.
    """
    post = make_post(running, thread)
    wall.faults = ["cut before", "cut before"]
    run_tick()
    run_tick(NOW + timedelta(minutes=2))  # the look breaks: it is in doubt since the first attempt
    tick_until_idle(NOW + DAY + timedelta(minutes=1))
    assert wall.requests == ["POST", "GET", "GET"]
    assert (reload_post(post).state, reload_post(post).last_error[:38]) == (
        "doubtful",
        "This post was sent more than a day ago",
    )
    services.record_absent(reload_post(post), running.gm, now=NOW + 2 * DAY)
    wall.faults = ["cut after"]
    run_tick(NOW + 2 * DAY)  # sent again because a person said so, and in doubt since now
    run_tick(NOW + 4 * DAY)
    assert (reload_post(post).state, wall.counts) == ("posted", {post.marker: 1})


def test_a_look_that_breaks_is_taken_again(running: Table, thread: Thread, wall: Wall) -> None:
    post = make_post(running, thread)
    wall.faults = ["cut after", "cut before", "cut before"]
    tick_until_idle()
    assert reload_post(post).state == "posted"
    assert wall.requests == ["POST", "GET", "GET", "GET"]


def test_if_no_look_up_is_possible_a_user_decides_and_nothing_is_sent(
    running: Table, thread: Thread, wall: Wall, wall_transport: WallTransport
) -> None:
    wall_transport.readable = False
    post = make_post(running, thread)
    wall.faults = ["cut after"]
    tick_until_idle()
    assert (reload_post(post).state, reload_post(post).last_error) == (
        "doubtful",
        "Its paint is dry.",
    )
    assert wall.requests == ["POST"]
    services.record_posted(reload_post(post), running.gm, f"{wall.url}/1", now=NOW)
    assert (reload_post(post).state, reload_post(post).permalink) == ("posted", f"{wall.url}/1")
    tick_until_idle()
    assert wall.counts == {post.marker: 1}


def test_a_user_may_say_that_a_post_is_missing(
    running: Table, thread: Thread, wall: Wall, wall_transport: WallTransport
) -> None:
    wall_transport.readable = False
    post = make_post(running, thread)
    wall.faults = ["cut before"]
    tick_until_idle()
    services.record_absent(reload_post(post), running.gm, now=NOW + DAY)
    tick_until_idle(NOW + DAY)
    assert reload_post(post).state == "posted"
    assert wall.counts == {post.marker: 1}


class Killed(BaseException):
    """As a process that is stopped: nothing after it runs."""


def kill_at(monkeypatch: pytest.MonkeyPatch, where: Any, name: str, before: bool) -> None:
    """The first call ends the process, before or after it has done its work."""
    real, calls = getattr(where, name), []

    def once(*args: Any, **kwargs: Any) -> Any:
        calls.append(1)
        if len(calls) > 1:
            return real(*args, **kwargs)
        if before:
            raise Killed
        real(*args, **kwargs)
        raise Killed

    monkeypatch.setattr(where, name, once)


STEPS = [
    ("take_post", True),
    ("take_post", False),
    ("build_letter", True),
    ("store_arrival", True),
    ("store_arrival", False),
    ("_store_session", True),
    ("_store_session", False),
]


@pytest.mark.parametrize(("step", "before"), STEPS)
@pytest.mark.parametrize("readable", [True, False])
def test_a_worker_that_is_killed_never_doubles_a_post(
    running: Table,
    thread: Thread,
    wall: Wall,
    wall_transport: WallTransport,
    monkeypatch: pytest.MonkeyPatch,
    step: str,
    before: bool,
    readable: bool,
) -> None:
    wall_transport.readable = readable
    post = make_post(running, thread)
    kill_at(monkeypatch, sending, step, before)
    with pytest.raises(Killed):
        run_tick()
    assert run_tick(NOW + timedelta(minutes=1)) in (0, 1)
    tick_until_idle(NOW + timedelta(minutes=2))
    assert wall.counts[post.marker] <= 1
    if readable:
        assert reload_post(post).state == "posted"
        assert wall.counts == {post.marker: 1}
    else:  # killed with the answer in hand: the state is unknown, and the game master is asked
        assert reload_post(post).state == ("doubtful" if (step, before) in UNCERTAIN else "posted")


UNCERTAIN = [
    ("take_post", False),
    ("build_letter", True),
    ("store_arrival", True),
]


def test_killed_between_looking_and_sending_it_looks_again(
    running: Table,
    thread: Thread,
    wall: Wall,
    wall_transport: WallTransport,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    post = make_post(running, thread)
    wall.faults = ["cut before"]
    run_tick()
    kill_at(monkeypatch, wall_transport, "send", before=True)
    with pytest.raises(Killed):
        run_tick(NOW + timedelta(minutes=2))
    tick_until_idle(NOW + timedelta(minutes=3))
    assert wall.requests == ["POST", "GET", "GET", "POST"]
    assert wall.counts == {post.marker: 1}


def test_two_workers_take_one_post_once(running: Table, thread: Thread, wall: Wall) -> None:
    make_post(running, thread)
    assert sending.take_post(NOW, NOW) is not None
    assert sending.take_post(NOW, NOW) is None
    assert run_tick(NOW + timedelta(minutes=4)) == 0  # it is another's until its lease ends


def test_a_worker_that_was_given_up_does_not_mark_a_post_of_another(
    running: Table, thread: Thread, wall: Wall
) -> None:
    post = make_post(running, thread)
    slow = sending.take_post(NOW, NOW)
    assert slow is not None
    later = NOW + timedelta(minutes=6)
    sending.recover(later)
    assert sending.take_post(later, later) is not None
    assert not sending.change_taken(slow, state=State.FAILED)
    assert reload_post(post).state == "sending"


def test_a_sending_ends_before_its_lease_does() -> None:
    assert timedelta(seconds=sending.SENDING_SECONDS) < sending.LEASE


def test_of_whom_time_runs_out_nothing_is_sent_on_the_last_minute(
    running: Table, thread: Thread, wall: Wall
) -> None:
    post = make_post(running, thread)
    sending.tick(NOW, client=lambda jar: Client(cookies=jar, lasts=0))
    assert (reload_post(post).state, reload_post(post).doubt, wall.requests) == ("ready", False, [])
    tick_until_idle(NOW + timedelta(minutes=1))
    assert wall.counts == {post.marker: 1}


def test_in_doubt_it_is_not_sent_where_its_thread_leads_now(
    running: Table, thread: Thread, wall: Wall
) -> None:
    post = make_post(running, thread)
    wall.faults = ["cut after"]
    run_tick()
    assert (reload_post(post).state, reload_post(post).doubt) == ("ready", True)
    shown = {
        "name": "Moved",
        "dialect": "",
        "language": "en",
        "limit": None,
        "kinds": [],
        "at_once": False,
    }
    services.change(
        thread, running.gm, settings={"url": wall.url + "/2", "password": "s3cret"}, **shown
    )
    tick_until_idle(NOW + timedelta(minutes=2))
    assert (reload_post(post).state, wall.requests) == ("doubtful", ["POST"])
    assert reload_post(post).last_error.startswith(
        "It may still be at the earlier address of this thread: "
    )


@pytest.mark.parametrize("fault", ["cut before", "404", "403"])
def test_on_its_way_while_its_thread_is_removed_it_is_put_aside(
    running: Table, thread: Thread, wall: Wall, fault: str
) -> None:
    post = make_post(running, thread)
    wall.faults = [fault]

    class Slow(Client):
        def request(self, *args: Any, **more: Any) -> Any:
            services.remove(thread, running.gm, now=NOW)
            return super().request(*args, **more)

    sending.tick(NOW, client=lambda jar: Slow(cookies=jar))
    assert (reload_post(post).state, reload_post(post).next_at) == ("aside", None)


def test_left_behind_in_a_thread_that_is_removed_it_is_put_aside(
    running: Table, thread: Thread
) -> None:
    post = make_post(running, thread)
    assert sending.take_post(NOW, NOW) is not None
    services.remove(thread, running.gm, now=NOW)
    run_tick(NOW + sending.LEASE + timedelta(seconds=1))
    assert (reload_post(post).state, reload_post(post).doubt, reload_post(post).next_at) == (
        "aside",
        True,
        None,
    )


def test_unreachable_is_tried_again_ever_more_rarely_and_fails_at_last(
    running: Table, thread: Thread
) -> None:
    with socket.socket() as closed:  # taken, and nothing listens there
        closed.bind(("127.0.0.1", 0))
        thread.settings = {"url": f"http://127.0.0.1:{closed.getsockname()[1]}/"}
        thread.save()
        post = make_post(running, thread)
        tick_until_idle()
    post = reload_post(post)
    assert (post.state, post.attempts, post.doubt) == ("failed", len(sending.BACK_OFF) + 1, False)
    assert post.last_error == "127.0.0.1 cannot be reached."


def test_a_refusal_is_believed_the_second_time(running: Table, thread: Thread, wall: Wall) -> None:
    """Between two requests a board may go into maintenance and come back.

    Its words are then no refusal.
    """
    wall.faults = ["404"]
    post = make_post(running, thread)
    run_tick()
    assert (reload_post(post).state, reload_post(post).last_error) == ("ready", "No such wall.")
    assert run_tick(NOW + timedelta(seconds=50)) == 0
    assert run_tick(NOW + timedelta(seconds=70)) == 1
    assert (reload_post(post).state, reload_post(post).last_error, wall.counts) == (
        "posted",
        "",
        {post.marker: 1},
    )


def test_a_failed_post_is_tried_again_on_request(
    running: Table, thread: Thread, wall: Wall
) -> None:
    wall.faults = ["404", "404"]
    post = make_post(running, thread)
    tick_until_idle()
    assert (reload_post(post).state, reload_post(post).last_error, wall.requests) == (
        "failed",
        "No such wall.",
        ["POST", "POST"],
    )
    services.retry(reload_post(post), running.gm, now=NOW + DAY)
    tick_until_idle(NOW + DAY)
    assert reload_post(post).state == "posted"


def test_as_long_as_a_place_asks_to_wait_nothing_is_sent(
    running: Table, thread: Thread, wall: Wall
) -> None:
    wall.faults = ["429"]
    post = make_post(running, thread)
    run_tick()
    assert (reload_post(post).state, reload_post(post).next_at, reload_post(post).doubt) == (
        "ready",
        NOW + timedelta(seconds=90),
        False,
    ) or (reload_post(post).next_at - NOW - timedelta(seconds=90) < timedelta(seconds=5))
    assert run_tick(NOW + timedelta(seconds=80)) == 0
    assert run_tick(NOW + timedelta(seconds=100)) == 1
    assert wall.counts == {post.marker: 1}


def test_refused_credentials_lock_the_thread_until_a_person_says_so(
    running: Table, thread: Thread, wall: Wall
) -> None:
    first, second = make_post(running, thread), make_post(running, thread, turn_report_key(running))
    wall.faults = ["403"]
    tick_until_idle()
    thread.refresh_from_db()
    assert (wall.requests, thread.locked_why) == (["POST"], "Wrong password.")
    assert {reload_post(first).state, reload_post(second).state} == {"ready"}
    services.unlock(thread, running.gm, now=NOW + 4 * DAY)
    tick_until_idle(NOW + 4 * DAY)
    assert len(wall.posts) == 3, "the second has two parts"
    assert (reload_post(first).state, reload_post(second).state) == ("posted", "posted")


def test_what_waits_for_a_moderator_is_not_sent_again(
    running: Table, thread: Thread, wall: Wall
) -> None:
    wall.faults = ["awaiting"]
    post = make_post(running, thread)
    tick_until_idle()
    assert (reload_post(post).state, wall.requests) == ("awaiting", ["POST"])
    services.record_posted(reload_post(post), running.gm, f"{wall.url}/1", now=NOW)
    assert reload_post(post).state == "posted"


def test_a_transport_that_fails_leaves_doubt_and_delays_no_other(
    running: Table,
    wall: Wall,
    wall_transport: WallTransport,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    one, two = make_thread(running, wall), make_thread(running, wall)
    broken, good = make_post(running, one), make_post(running, two)
    real = wall_transport.send

    def send(settings: Settings, post: Letter, client: Client) -> Any:
        if post.marker == broken.marker and not caplog.records:
            raise ZeroDivisionError("s3cret")
        return real(settings, post, client)

    monkeypatch.setattr(wall_transport, "send", send)
    assert run_tick() == 2
    assert (reload_post(broken).state, reload_post(broken).doubt, reload_post(good).state) == (
        "ready",
        True,
        "posted",
    )
    assert "s3cret" not in caplog.text + reload_post(broken).last_error
    tick_until_idle(NOW + timedelta(hours=1))
    assert reload_post(broken).state == "posted"


@pytest.fixture
def whole(running: Table, thread: Thread) -> list[Post]:
    """Return a report in several parts: that of a duel, which describes every move at length."""
    running.play(running.campaign.active_seat, "duel")
    head = make_post(running, thread, "battle-1")
    return [head, *head.parts.order_by("part")]


def test_a_long_report_goes_part_by_part_in_order(whole: list[Post], wall: Wall) -> None:
    assert len(whole) > 2
    assert [(post.part, post.part_count) for post in whole] == [
        (n, len(whole)) for n in range(1, len(whole) + 1)
    ]
    run_tick()
    assert wall.posts == [post.text for post in whole]
    assert len({post.marker for post in whole}) == len(whole)


def test_a_failed_part_stops_the_later_ones_and_not_the_next_report(
    running: Table, thread: Thread, whole: list[Post], wall: Wall
) -> None:
    other = make_post(running, thread)
    wall.faults = ["", "404", "404"]
    tick_until_idle()
    assert [reload_post(post).state for post in whole] == [
        "posted",
        "failed",
        *["ready"] * (len(whole) - 2),
    ]
    assert reload_post(other).state == "posted"
    services.retry(reload_post(whole[1]), running.gm, now=NOW + DAY)
    tick_until_idle(NOW + DAY)
    assert wall.posts == [reload_post(post).text for post in (whole[0], other, *whole[1:])]


def test_a_part_in_doubt_stops_the_later_ones(
    whole: list[Post], wall: Wall, wall_transport: WallTransport
) -> None:
    wall_transport.readable = False
    wall.faults = ["", "cut after"]
    tick_until_idle()
    assert [reload_post(post).state for post in whole] == [
        "posted",
        "doubtful",
        *["ready"] * (len(whole) - 2),
    ]
    assert len(wall.posts) == 2


def test_the_rest_of_a_report_is_put_aside_and_brought_back(
    running: Table, whole: list[Post], wall: Wall
) -> None:
    wall.faults = ["", "404", "404"]
    tick_until_idle()
    services.skip(reload_post(whole[1]), running.gm)
    assert [reload_post(post).state for post in whole] == ["posted", *["aside"] * (len(whole) - 1)]
    services.resume_post(reload_post(whole[1]), running.gm, now=NOW + DAY)
    tick_until_idle(NOW + DAY)
    assert wall.posts == [post.text for post in whole]

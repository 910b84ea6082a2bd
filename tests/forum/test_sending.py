"""What leaves arrives once, whatever breaks: against a server on this machine that counts."""

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
from tests.forum.post_office import DAY, NOW, State, a_post, a_thread, fresh, now_key, tick, ticks
from tests.forum.walls import ToWall, Wall
from tests.table import Table

pytestmark = pytest.mark.django_db


@pytest.fixture
def thread(running: Table, wall: Wall) -> Thread:
    return a_thread(running, wall)


def test_a_ready_post_is_sent_once_with_its_mark_and_the_receipt_is_kept(
    running: Table, thread: Thread, wall: Wall
) -> None:
    post = a_post(running, thread)
    assert tick() == 1
    assert tick(NOW + DAY) == 0
    post = fresh(post)
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
    post = a_post(running, thread)
    settings.SITE_URL = "http://127.0.0.1:8000"
    assert sending.letter(post).links == ()
    settings.SITE_URL = "https://tabula.example/"
    home = f"https://tabula.example/c/{running.campaign.address}/"
    assert sending.letter(post).links == (("Table", home), ("Battles", home + "battles/"))
    thread.language = "it"
    thread.save()
    assert sending.letter(fresh(post)).links == (("Tavolo", home), ("Battaglie", home + "battles/"))
    post.part_count = 2
    assert sending.letter(post).links == ()


def test_a_draft_is_not_sent(running: Table, thread: Thread, wall: Wall) -> None:
    services.draft(running.campaign, running.gm, thread, now_key(running), now=NOW)
    assert tick() == 0
    assert wall.requests == []


def test_cut_off_before_it_is_stored_it_is_looked_for_and_sent_again(
    running: Table, thread: Thread, wall: Wall
) -> None:
    post = a_post(running, thread)
    wall.faults = ["cut before"]
    tick()
    assert (fresh(post).state, fresh(post).doubt) == ("ready", True)
    assert "127.0.0.1" in fresh(post).last_error
    assert tick(NOW + timedelta(seconds=30)) == 0  # what is on its way may still come in
    tick(NOW + timedelta(seconds=70))
    assert (fresh(post).state, fresh(post).doubt) == ("posted", False)
    assert wall.requests == ["POST", "GET", "POST"]
    assert wall.counts == {post.marker: 1}


def test_cut_off_after_it_is_stored_it_is_found_and_not_sent_again(
    running: Table, thread: Thread, wall: Wall
) -> None:
    post = a_post(running, thread)
    wall.faults = ["cut after"]
    ticks()
    assert (fresh(post).state, fresh(post).permalink) == ("posted", f"{wall.url}/1")
    assert wall.requests == ["POST", "GET"]
    assert wall.counts == {post.marker: 1}


def test_what_left_more_than_a_day_ago_is_looked_for_and_not_sent_again_by_itself(
    running: Table, thread: Thread, wall: Wall
) -> None:
    """Nobody leafs through all that was written since; what is found is found, however long ago it
    left.
    """
    post = a_post(running, thread)
    wall.faults = ["cut before", "cut before"]
    tick()
    tick(NOW + timedelta(minutes=2))  # the look breaks: it is in doubt since the first attempt
    ticks(NOW + DAY + timedelta(minutes=1))
    assert wall.requests == ["POST", "GET", "GET"]
    assert (fresh(post).state, fresh(post).last_error[:32]) == (
        "doubtful",
        "It was sent more than a day ago:",
    )
    services.absent(fresh(post), running.gm, now=NOW + 2 * DAY)
    wall.faults = ["cut after"]
    tick(NOW + 2 * DAY)  # sent again because a person said so, and in doubt since now
    tick(NOW + 4 * DAY)
    assert (fresh(post).state, wall.counts) == ("posted", {post.marker: 1})


def test_a_look_that_breaks_is_taken_again(running: Table, thread: Thread, wall: Wall) -> None:
    post = a_post(running, thread)
    wall.faults = ["cut after", "cut before", "cut before"]
    ticks()
    assert fresh(post).state == "posted"
    assert wall.requests == ["POST", "GET", "GET", "GET"]


def test_where_nobody_can_look_a_person_decides_and_nothing_is_sent_blindly(
    running: Table, thread: Thread, wall: Wall, to_wall: ToWall
) -> None:
    to_wall.readable = False
    post = a_post(running, thread)
    wall.faults = ["cut after"]
    ticks()
    assert (fresh(post).state, fresh(post).last_error) == ("doubtful", "Its paint is dry.")
    assert wall.requests == ["POST"]
    services.posted(fresh(post), running.gm, f"{wall.url}/1", now=NOW)
    assert (fresh(post).state, fresh(post).permalink) == ("posted", f"{wall.url}/1")
    ticks()
    assert wall.counts == {post.marker: 1}


def test_he_may_say_that_it_is_not_there(
    running: Table, thread: Thread, wall: Wall, to_wall: ToWall
) -> None:
    to_wall.readable = False
    post = a_post(running, thread)
    wall.faults = ["cut before"]
    ticks()
    services.absent(fresh(post), running.gm, now=NOW + DAY)
    ticks(NOW + DAY)
    assert fresh(post).state == "posted"
    assert wall.counts == {post.marker: 1}


class Killed(BaseException):
    """As a process that is stopped: nothing after it runs."""


def killing(monkeypatch: pytest.MonkeyPatch, where: Any, name: str, before: bool) -> None:
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
    ("take", True),
    ("take", False),
    ("letter", True),
    ("arrived", True),
    ("arrived", False),
    ("_remember", True),
    ("_remember", False),
]


@pytest.mark.parametrize(("step", "before"), STEPS)
@pytest.mark.parametrize("readable", [True, False])
def test_a_worker_that_is_killed_never_doubles_a_post(
    running: Table,
    thread: Thread,
    wall: Wall,
    to_wall: ToWall,
    monkeypatch: pytest.MonkeyPatch,
    step: str,
    before: bool,
    readable: bool,
) -> None:
    to_wall.readable = readable
    post = a_post(running, thread)
    killing(monkeypatch, sending, step, before)
    with pytest.raises(Killed):
        tick()
    assert tick(NOW + timedelta(minutes=1)) in (0, 1)
    ticks(NOW + timedelta(minutes=2))
    assert wall.counts[post.marker] <= 1
    if readable:
        assert fresh(post).state == "posted"
        assert wall.counts == {post.marker: 1}
    else:  # killed with the answer in hand: nobody knows, and the game master is asked
        assert fresh(post).state == ("doubtful" if (step, before) in KNOWS_NOT else "posted")


KNOWS_NOT = [
    ("take", False),
    ("letter", True),
    ("arrived", True),
]


def test_killed_between_looking_and_sending_it_looks_again(
    running: Table, thread: Thread, wall: Wall, to_wall: ToWall, monkeypatch: pytest.MonkeyPatch
) -> None:
    post = a_post(running, thread)
    wall.faults = ["cut before"]
    tick()
    killing(monkeypatch, to_wall, "send", before=True)
    with pytest.raises(Killed):
        tick(NOW + timedelta(minutes=2))
    ticks(NOW + timedelta(minutes=3))
    assert wall.requests == ["POST", "GET", "GET", "POST"]
    assert wall.counts == {post.marker: 1}


def test_two_workers_take_one_post_once(running: Table, thread: Thread, wall: Wall) -> None:
    a_post(running, thread)
    assert sending.take(NOW, NOW) is not None
    assert sending.take(NOW, NOW) is None
    assert tick(NOW + timedelta(minutes=4)) == 0  # it is another's until its lease ends


def test_who_was_thought_dead_does_not_mark_what_another_took_over(
    running: Table, thread: Thread, wall: Wall
) -> None:
    post = a_post(running, thread)
    slow = sending.take(NOW, NOW)
    assert slow is not None
    later = NOW + timedelta(minutes=6)
    sending.recover(later)
    assert sending.take(later, later) is not None
    assert not sending.mark(slow, state=State.FAILED)
    assert fresh(post).state == "sending"


def test_a_sending_ends_before_its_lease_does() -> None:
    assert timedelta(seconds=sending.LASTS) < sending.LEASE


def test_of_whom_time_runs_out_nothing_is_sent_on_the_last_minute(
    running: Table, thread: Thread, wall: Wall
) -> None:
    post = a_post(running, thread)
    sending.tick(NOW, client=lambda jar: Client(cookies=jar, lasts=0))
    assert (fresh(post).state, fresh(post).doubt, wall.requests) == ("ready", False, [])
    ticks(NOW + timedelta(minutes=1))
    assert wall.counts == {post.marker: 1}


def test_in_doubt_it_is_not_sent_where_its_thread_leads_now(
    running: Table, thread: Thread, wall: Wall
) -> None:
    post = a_post(running, thread)
    wall.faults = ["cut after"]
    tick()
    assert (fresh(post).state, fresh(post).doubt) == ("ready", True)
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
    ticks(NOW + timedelta(minutes=2))
    assert (fresh(post).state, wall.requests) == ("doubtful", ["POST"])
    assert fresh(post).last_error.startswith("It may be where this thread led before: ")


@pytest.mark.parametrize("fault", ["cut before", "404", "403"])
def test_on_its_way_while_its_thread_is_removed_it_is_put_aside(
    running: Table, thread: Thread, wall: Wall, fault: str
) -> None:
    post = a_post(running, thread)
    wall.faults = [fault]

    class Slow(Client):
        def request(self, *args: Any, **more: Any) -> Any:
            services.remove(thread, running.gm, now=NOW)
            return super().request(*args, **more)

    sending.tick(NOW, client=lambda jar: Slow(cookies=jar))
    assert (fresh(post).state, fresh(post).next_at) == ("aside", None)


def test_left_behind_in_a_thread_that_is_removed_it_is_put_aside(
    running: Table, thread: Thread
) -> None:
    post = a_post(running, thread)
    assert sending.take(NOW, NOW) is not None
    services.remove(thread, running.gm, now=NOW)
    tick(NOW + sending.LEASE + timedelta(seconds=1))
    assert (fresh(post).state, fresh(post).doubt, fresh(post).next_at) == ("aside", True, None)


def test_unreachable_is_tried_again_ever_more_rarely_and_fails_at_last(
    running: Table, thread: Thread
) -> None:
    with socket.socket() as closed:  # taken, and nobody listens
        closed.bind(("127.0.0.1", 0))
        thread.settings = {"url": f"http://127.0.0.1:{closed.getsockname()[1]}/"}
        thread.save()
        post = a_post(running, thread)
        ticks()
    post = fresh(post)
    assert (post.state, post.attempts, post.doubt) == ("failed", len(sending.BACK_OFF) + 1, False)
    assert post.last_error == "127.0.0.1 does not answer."


def test_a_refusal_is_believed_the_second_time(running: Table, thread: Thread, wall: Wall) -> None:
    """Between two requests a board may go into maintenance and come back: its words are then no
    refusal.
    """
    wall.faults = ["404"]
    post = a_post(running, thread)
    tick()
    assert (fresh(post).state, fresh(post).last_error) == ("ready", "No such wall.")
    assert tick(NOW + timedelta(seconds=50)) == 0
    assert tick(NOW + timedelta(seconds=70)) == 1
    assert (fresh(post).state, fresh(post).last_error, wall.counts) == (
        "posted",
        "",
        {post.marker: 1},
    )


def test_failed_it_is_tried_again_when_somebody_says_so(
    running: Table, thread: Thread, wall: Wall
) -> None:
    wall.faults = ["404", "404"]
    post = a_post(running, thread)
    ticks()
    assert (fresh(post).state, fresh(post).last_error, wall.requests) == (
        "failed",
        "No such wall.",
        ["POST", "POST"],
    )
    services.again(fresh(post), running.gm, now=NOW + DAY)
    ticks(NOW + DAY)
    assert fresh(post).state == "posted"


def test_as_long_as_a_place_asks_to_wait_nothing_is_sent(
    running: Table, thread: Thread, wall: Wall
) -> None:
    wall.faults = ["429"]
    post = a_post(running, thread)
    tick()
    assert (fresh(post).state, fresh(post).next_at, fresh(post).doubt) == (
        "ready",
        NOW + timedelta(seconds=90),
        False,
    ) or (fresh(post).next_at - NOW - timedelta(seconds=90) < timedelta(seconds=5))
    assert tick(NOW + timedelta(seconds=80)) == 0
    assert tick(NOW + timedelta(seconds=100)) == 1
    assert wall.counts == {post.marker: 1}


def test_refused_credentials_lock_the_thread_until_a_person_says_so(
    running: Table, thread: Thread, wall: Wall
) -> None:
    first, second = a_post(running, thread), a_post(running, thread, now_key(running))
    wall.faults = ["403"]
    ticks()
    thread.refresh_from_db()
    assert (wall.requests, thread.locked_why) == (["POST"], "Wrong password.")
    assert {fresh(first).state, fresh(second).state} == {"ready"}
    services.unlock(thread, running.gm, now=NOW + 4 * DAY)
    ticks(NOW + 4 * DAY)
    assert len(wall.posts) == 3, "the second has two parts"
    assert (fresh(first).state, fresh(second).state) == ("posted", "posted")


def test_what_waits_for_a_moderator_is_not_sent_again(
    running: Table, thread: Thread, wall: Wall
) -> None:
    wall.faults = ["awaiting"]
    post = a_post(running, thread)
    ticks()
    assert (fresh(post).state, wall.requests) == ("awaiting", ["POST"])
    services.posted(fresh(post), running.gm, f"{wall.url}/1", now=NOW)
    assert fresh(post).state == "posted"


def test_a_transport_that_breaks_leaves_doubt_and_keeps_nobody_else(
    running: Table,
    wall: Wall,
    to_wall: ToWall,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    one, two = a_thread(running, wall), a_thread(running, wall)
    broken, good = a_post(running, one), a_post(running, two)
    real = to_wall.send

    def send(settings: Settings, post: Letter, client: Client) -> Any:
        if post.marker == broken.marker and not caplog.records:
            raise ZeroDivisionError("s3cret")
        return real(settings, post, client)

    monkeypatch.setattr(to_wall, "send", send)
    assert tick() == 2
    assert (fresh(broken).state, fresh(broken).doubt, fresh(good).state) == (
        "ready",
        True,
        "posted",
    )
    assert "s3cret" not in caplog.text + fresh(broken).last_error
    ticks(NOW + timedelta(hours=1))
    assert fresh(broken).state == "posted"


@pytest.fixture
def whole(running: Table, thread: Thread) -> list[Post]:
    """A report in several parts: a duel's, which tells every move at length."""
    running.play(running.campaign.active_seat, "duel")
    head = a_post(running, thread, "battle-1")
    return [head, *head.parts.order_by("part")]


def test_a_long_report_goes_part_by_part_in_order(whole: list[Post], wall: Wall) -> None:
    assert len(whole) > 2
    assert [(post.part, post.part_count) for post in whole] == [
        (n, len(whole)) for n in range(1, len(whole) + 1)
    ]
    tick()
    assert wall.posts == [post.text for post in whole]
    assert len({post.marker for post in whole}) == len(whole)


def test_a_failed_part_stops_the_later_ones_and_not_the_next_report(
    running: Table, thread: Thread, whole: list[Post], wall: Wall
) -> None:
    other = a_post(running, thread)
    wall.faults = ["", "404", "404"]
    ticks()
    assert [fresh(post).state for post in whole] == [
        "posted",
        "failed",
        *["ready"] * (len(whole) - 2),
    ]
    assert fresh(other).state == "posted"
    services.again(fresh(whole[1]), running.gm, now=NOW + DAY)
    ticks(NOW + DAY)
    assert wall.posts == [fresh(post).text for post in (whole[0], other, *whole[1:])]


def test_a_part_in_doubt_stops_the_later_ones(
    whole: list[Post], wall: Wall, to_wall: ToWall
) -> None:
    to_wall.readable = False
    wall.faults = ["", "cut after"]
    ticks()
    assert [fresh(post).state for post in whole] == [
        "posted",
        "doubtful",
        *["ready"] * (len(whole) - 2),
    ]
    assert len(wall.posts) == 2


def test_the_rest_of_a_report_is_put_aside_and_brought_back(
    running: Table, whole: list[Post], wall: Wall
) -> None:
    wall.faults = ["", "404", "404"]
    ticks()
    services.aside(fresh(whole[1]), running.gm)
    assert [fresh(post).state for post in whole] == ["posted", *["aside"] * (len(whole) - 1)]
    services.resume_post(fresh(whole[1]), running.gm, now=NOW + DAY)
    ticks(NOW + DAY)
    assert wall.posts == [post.text for post in whole]

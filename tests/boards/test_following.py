"""A thread is read where a game master asked for it: each post once, at a quarter of an hour's pace, and no further than the
place allows."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from campaign.errors import NotAllowed, Refused
from campaign.models import Campaign
from forum import reading, services
from forum.models import Following, HeardPost, Post
from forum.posts import sending
from tests.boards.fire import outbox
from tests.boards.places import Place
from tests.boards.wire import Fault, client, once
from tests.table import Table, people, table, toy  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.thorough]
At = Callable[..., Place]


class Follows:
    """A thread that is followed. `read()` is a tick a quarter of an hour later, and says how many requests it made."""

    def __init__(self, here: Place, campaign: Any, gm: Any, active: bool = True) -> None:
        self.here, self.clock = here, here.board.clock
        self.thread = outbox(here, campaign, gm, 0)
        if active:
            services.set_following(self.thread, gm, active=True, now=self.clock.now())

    def visitor(self, seen: dict[str, dict[str, str]]) -> reading.Polite:
        return reading.Polite(seen, now=self.clock.now, sleep=self.clock.sleep)

    def read(self, minutes: float = 15, limit: int | None = None) -> int:
        self.clock.sleep(minutes * 60)
        before = sum(self.here.wire.seen.values())
        reading.tick(self.clock.now(), limit, client=self.visitor)
        return sum(self.here.wire.seen.values()) - before

    @property
    def row(self) -> Following:
        return Following.objects.get(thread=self.thread)

    @property
    def texts(self) -> list[str]:
        return list(HeardPost.objects.filter(thread=self.thread).values_list("text", flat=True))


def test_slow_places_are_read_one_at_a_time_so_that_other_work_has_its_turn(at: At, table: Table) -> None:  # noqa: F811
    here = at("phpbb")
    one, two = (Follows(here, table.campaign, table.gm) for _ in range(2))
    one.read(0, limit=1)
    assert (one.row.read_at is None, two.row.read_at is None) == (False, True)
    two.read(0)
    assert two.row.read_at is not None


@pytest.mark.parametrize("kind", ["phpbb", "nodebb", "discourse"])
def test_each_post_is_heard_once(at: At, table: Table, kind: str) -> None:  # noqa: F811
    here = at(kind)
    one = Follows(here, table.campaign, table.gm)
    one.read(0)
    opening = one.texts
    assert len(opening) == 1
    here.rival("We build a fleet,\nand sail.")
    one.read()
    here.rival("And I a wall.")
    for _ in range(3):
        one.read()
    assert one.texts == [*opening, "We build a fleet,\nand sail.", "And I a wall."]
    last = HeardPost.objects.latest("pk")
    assert (last.author, last.ours, last.post) == ("Master", False, None)
    assert set(here.wire.seen) == {"read"}


def test_it_is_off_until_somebody_asks_and_stops_when_he_says_so(at: At, table: Table) -> None:  # noqa: F811
    here = at("nodebb")
    one = Follows(here, table.campaign, table.gm, active=False)
    assert one.read() == 0
    services.set_following(one.thread, table.gm, active=True, now=one.clock.now())
    assert one.read(0) == 1
    services.set_following(one.thread, table.gm, active=False)
    assert one.read() == 0
    assert len(one.texts) == 1


def test_not_oftener_than_every_quarter_of_an_hour_and_only_what_changed(at: At, table: Table) -> None:  # noqa: F811
    here = at("nodebb")
    one = Follows(here, table.campaign, table.gm)
    assert one.read(0) == 1
    assert (one.read(14.9), one.read(0.2)) == (0, 1)
    assert "If-None-Match" in next(iter(one.row.headers.values()))
    answers: list[int] = []
    board_answers = here.board.answer
    here.board.answer = lambda request: answers.append((made := board_answers(request)).status_code) or made
    one.read()
    here.rival("Something new, at last.")
    one.read()
    assert answers == [304, 200]
    assert one.texts[-1] == "Something new, at last."


def test_two_ticks_at_once_ask_once(at: At, table: Table) -> None:  # noqa: F811
    here = at("nodebb")
    one = Follows(here, table.campaign, table.gm)
    row = Following.objects.select_related("thread__made_by", "thread__campaign").get(thread=one.thread)
    now = one.clock.now()
    assert [reading._follow(row, now, one.visitor) for _ in range(2)] == [True, False]
    assert here.wire.seen["read"] == 1


def test_who_does_not_answer_is_asked_less_often_and_in_the_end_not_at_all(at: At, table: Table) -> None:  # noqa: F811
    here = at("phpbb")
    one = Follows(here, table.campaign, table.gm)
    here.wire.faults = lambda step: Fault.BUSY
    waits = []
    for _ in range(reading.MOST_FAILURES):
        one.clock.at = one.row.next_at or one.clock.at
        one.read(0)
        waits.append(((one.row.next_at or one.clock.at) - one.clock.now()) / timedelta(minutes=1))
    assert [round(wait) for wait in waits[:5]] == [30, 60, 120, 240, 480]
    assert one.row.stopped_at is not None
    assert one.row.last_error == "127.0.0.1 is out of order (HTTP 503)."
    assert one.read(60 * 24) == 0
    here.wire.faults = lambda step: None
    services.read_again(one.thread, table.gm, now=one.clock.now())
    one.read(0)
    assert (one.row.stopped_at, one.row.failures, len(one.texts)) == (None, 0, 1)


def test_where_guests_may_not_read_it_stops_at_once(at: At, table: Table) -> None:  # noqa: F811
    for kind in ("phpbb", "nodebb", "discourse"):
        here = at(kind)
        here.board.public = False
        one = Follows(here, table.campaign, table.gm)
        one.read(0)
        assert (kind, one.row.stopped_at is not None) == (kind, True)
        assert one.read() == 0


def test_nothing_is_read_for_a_campaign_that_is_suspended_or_in_the_archive(at: At, table: Table) -> None:  # noqa: F811
    one = Follows(at("nodebb"), table.campaign, table.gm)
    for field in ("suspended", "archived"):
        Campaign.objects.filter(pk=table.campaign.pk).update(**{field: True})
        assert one.read() == 0
        Campaign.objects.filter(pk=table.campaign.pk).update(**{field: False})
    assert one.read() == 1


def test_a_place_that_cannot_be_read_is_not_followed(at: At, table: Table) -> None:  # noqa: F811
    one = Follows(at("mybb"), table.campaign, table.gm, active=False)
    with pytest.raises(Refused, match="cannot be followed"):
        services.set_following(one.thread, table.gm, active=True)


def test_only_who_looks_after_the_campaign_switches_it_on(at: At, table: Table) -> None:  # noqa: F811
    one = Follows(at("nodebb"), table.campaign, table.gm, active=False)
    for who in ("ant", "stranger"):
        with pytest.raises(NotAllowed):
            services.set_following(one.thread, table.people[who], active=True)


def test_our_own_reports_are_known_by_their_mark_and_a_quotation_is_none(at: At, table: Table) -> None:  # noqa: F811
    here = at("nodebb")
    one = Follows(here, table.campaign, table.gm)
    outbox(here, table.campaign, table.gm, 1)
    sending.tick(here.board.clock.now(), client=lambda jar: client(here.board.clock, jar))
    post = Post.objects.get()
    here.rival(f"You said {post.marker}, and I agree.")
    one.read()
    assert [(heard.post, heard.ours) for heard in HeardPost.objects.all()] == [(None, False), (post, True), (post, False)]


def test_a_reading_that_breaks_half_way_is_done_again_in_whole(at: At, table: Table) -> None:  # noqa: F811
    here = at("discourse")
    one = Follows(here, table.campaign, table.gm)
    one.read(0)
    for number in range(3):
        here.rival(f"Somebody says a thing, number {number}.")
    here.wire.faults = once("read", Fault.HALF)
    one.read()
    assert len(one.texts) == 1
    one.read(30)
    assert len(one.texts) == 4


def test_another_topic_is_read_from_its_newest_page(at: At, table: Table) -> None:  # noqa: F811
    here = at("nodebb")
    one = Follows(here, table.campaign, table.gm)
    other = here.board.open_topic("Another heap", "Master")
    for number in range(3):
        here.board.write(other.id, "Master", f"In the other one, {number}.")
    here.rival("The newest of all, in the first.")
    one.read(0)
    settings = {"address": f"{here.board.url}/topic/{other.id}", "token": ""}
    services.change(
        one.thread, table.gm, name="x", settings=settings, dialect="markdown", language="en", limit=None, kinds=(), at_once=False
    )
    one.read()
    assert one.texts[-1] == "In the other one, 2."
    assert len(one.texts) == 6


def test_another_board_has_posts_of_the_same_numbers(at: At, table: Table) -> None:  # noqa: F811
    here, there = at("nodebb"), at("nodebb")
    one = Follows(here, table.campaign, table.gm)
    here.rival("On the old board.")
    one.read(0)
    there.rival("On the new board.")
    services.change(
        one.thread, table.gm, name="x", settings=there.settings, dialect="markdown", language="en", limit=None, kinds=(),
        at_once=False,
    )  # fmt: skip
    one.read()
    assert one.texts[-1] == "On the new board."
    told = len(one.texts)
    one.read()
    assert len(one.texts) == told


def test_signs_that_no_text_of_ours_may_hold_are_left_out(at: At, table: Table) -> None:  # noqa: F811
    here = at("nodebb")
    one = Follows(here, table.campaign, table.gm)
    here.rival("I \u202egnihton\u202c hide\x07 here.")
    one.read(0)
    assert one.texts[-1] == "I gnihton hide here."

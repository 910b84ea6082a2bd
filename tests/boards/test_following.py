"""Threads that are read at a game master's request.

Each post is read once, every quarter of an hour, and no more than the board allows.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from campaign.errors import NotAllowed, Refused
from campaign.models import Campaign
from forum import reading, services
from forum.boards.markup import own_words
from forum.models import FollowedThread, ImportedPost, Post
from forum.posts import sending
from tests.boards.fire import outbox
from tests.boards.places import KINDS, Place
from tests.boards.wire import Fault, client, once
from tests.table import Table, people, table, toy  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.thorough]
At = Callable[..., Place]


class Follows:
    """A thread that is followed.

    `read()` is a tick a quarter of an hour later, and returns the number of its requests.
    """

    def __init__(self, here: Place, campaign: Any, gm: Any, active: bool = True) -> None:
        self.here, self.clock = here, here.board.clock
        self.thread = outbox(here, campaign, gm, 0)
        if active:
            services.set_following(self.thread, gm, active=True, now=self.clock.now())

    def visitor(self, seen: dict[str, dict[str, str]]) -> reading.ConditionalClient:
        return reading.ConditionalClient(seen, now=self.clock.now, sleep=self.clock.sleep)

    def read(self, minutes: float = 15, limit: int | None = None) -> int:
        self.clock.sleep(minutes * 60)
        before = sum(self.here.wire.seen.values())
        reading.tick(self.clock.now(), limit, client=self.visitor)
        return sum(self.here.wire.seen.values()) - before

    @property
    def row(self) -> FollowedThread:
        return FollowedThread.objects.get(thread=self.thread)

    @property
    def texts(self) -> list[str]:
        return list(ImportedPost.objects.filter(thread=self.thread).values_list("text", flat=True))


def test_slow_places_are_read_one_at_a_time_so_that_other_work_has_its_turn(
    at: At,
    table: Table,  # noqa: F811
) -> None:
    here = at("phpbb")
    one, two = (Follows(here, table.campaign, table.gm) for _ in range(2))
    one.read(0, limit=1)
    assert (one.row.read_at is None, two.row.read_at is None) == (False, True)
    two.read(0)
    assert two.row.read_at is not None


@pytest.mark.parametrize("kind", KINDS)
def test_each_post_is_read_once(at: At, table: Table, kind: str) -> None:  # noqa: F811
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
    last = ImportedPost.objects.latest("pk")
    assert (last.author, last.is_own_report, last.post) == ("Master", False, None)
    assert set(here.wire.seen) == {"read"}


def test_following_starts_and_stops_on_request(at: At, table: Table) -> None:  # noqa: F811
    here = at("nodebb")
    one = Follows(here, table.campaign, table.gm, active=False)
    assert one.read() == 0
    services.set_following(one.thread, table.gm, active=True, now=one.clock.now())
    assert one.read(0) == 1
    services.set_following(one.thread, table.gm, active=False)
    assert one.read() == 0
    assert len(one.texts) == 1


def test_not_oftener_than_every_quarter_of_an_hour_and_only_what_changed(
    at: At,
    table: Table,  # noqa: F811
) -> None:
    here = at("nodebb")
    one = Follows(here, table.campaign, table.gm)
    assert one.read(0) == 1
    assert (one.read(14.9), one.read(0.2)) == (0, 1)
    assert "If-None-Match" in next(iter(one.row.headers.values()))
    answers: list[int] = []
    board_answers = here.board.answer
    here.board.answer = lambda request: (
        answers.append((created := board_answers(request)).status_code) or created
    )
    one.read()
    here.rival("Something new, at last.")
    one.read()
    assert answers == [304, 200]
    assert one.texts[-1] == "Something new, at last."


def test_two_ticks_at_once_ask_once(at: At, table: Table) -> None:  # noqa: F811
    here = at("nodebb")
    one = Follows(here, table.campaign, table.gm)
    row = FollowedThread.objects.select_related("thread__made_by", "thread__campaign").get(
        thread=one.thread
    )
    now = one.clock.now()
    assert [reading._follow(row, now, one.visitor) for _ in range(2)] == [True, False]
    assert here.wire.seen["read"] == 1


def test_a_silent_board_is_read_less_often_and_finally_not_at_all(
    at: At,
    table: Table,  # noqa: F811
) -> None:
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
    assert one.row.last_error == "127.0.0.1 is not working (HTTP 503)."
    assert one.read(60 * 24) == 0
    here.wire.faults = lambda step: None
    services.read_again(one.thread, table.gm, now=one.clock.now())
    one.read(0)
    assert (one.row.stopped_at, one.row.failures, len(one.texts)) == (None, 0, 1)


def test_where_guests_may_not_read_it_stops_at_once(at: At, table: Table) -> None:  # noqa: F811
    for kind in KINDS:
        here = at(kind)
        here.board.public = False
        one = Follows(here, table.campaign, table.gm)
        one.read(0)
        assert (kind, one.row.stopped_at is not None) == (kind, True)
        assert one.read() == 0


def test_nothing_is_read_for_a_campaign_that_is_suspended_or_in_the_archive(
    at: At,
    table: Table,  # noqa: F811
) -> None:
    one = Follows(at("nodebb"), table.campaign, table.gm)
    for field in ("suspended", "archived"):
        Campaign.objects.filter(pk=table.campaign.pk).update(**{field: True})
        assert one.read() == 0
        Campaign.objects.filter(pk=table.campaign.pk).update(**{field: False})
    assert one.read() == 1


def test_a_place_that_cannot_be_read_is_not_followed(table: Table) -> None:  # noqa: F811
    for address in ("", "https://board.example/thread/", "https://discord.com/channels/1/2"):
        thread = services.set_up(
            table.campaign,
            table.gm,
            transport="clipboard",
            name="By hand",
            settings={"address": address},
        )
        with pytest.raises(Refused, match="cannot be followed"):
            services.set_following(thread, table.gm, active=True)


def test_only_who_looks_after_the_campaign_switches_it_on(at: At, table: Table) -> None:  # noqa: F811
    one = Follows(at("nodebb"), table.campaign, table.gm, active=False)
    for who in ("ant", "stranger"):
        with pytest.raises(NotAllowed):
            services.set_following(one.thread, table.people[who], active=True)


def test_our_own_reports_are_known_by_their_mark_and_a_quotation_is_none(
    at: At,
    table: Table,  # noqa: F811
) -> None:
    here = at("nodebb")
    one = Follows(here, table.campaign, table.gm)
    outbox(here, table.campaign, table.gm, 1)
    sending.tick(here.board.clock.now(), client=lambda jar: client(here.board.clock, jar))
    post = Post.objects.get()
    here.rival(f"You said {post.marker}, and I agree.")
    one.read()
    assert [(heard.post, heard.is_own_report) for heard in ImportedPost.objects.all()] == [
        (None, False),
        (post, True),
        (post, False),
    ]


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
        one.thread,
        table.gm,
        name="x",
        settings=settings,
        dialect="markdown",
        language="en",
        limit=None,
        kinds=(),
        at_once=False,
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
        one.thread,
        table.gm,
        name="x",
        settings=there.settings,
        dialect="markdown",
        language="en",
        limit=None,
        kinds=(),
        at_once=False,
    )
    one.read()
    assert one.texts[-1] == "On the new board."
    shown = len(one.texts)
    one.read()
    assert len(one.texts) == shown


def test_signs_that_no_text_of_ours_may_hold_are_left_out(at: At, table: Table) -> None:  # noqa: F811
    here = at("nodebb")
    one = Follows(here, table.campaign, table.gm)
    here.rival("I \u202egnihton\u202c hide\x07 here.")
    one.read(0)
    assert one.texts[-1] == "I gnihton hide here."


# Whose words, what changed, how far back ----------------------------------------------------------


@pytest.mark.parametrize(
    ("html", "words", "quoted"),
    [
        (  # phpBB
            (
                '<blockquote class="uncited"><div>Raise taxes</div></blockquote><br>No, I will not'
                " do that."
            ),
            "No, I will not do that.",
            "Raise taxes",
        ),
        (  # MyBB
            (
                '<blockquote class="mycode_quote"><cite>Anna Wrote:</cite>Raise'
                " taxes</blockquote>No, I will not."
            ),
            "No, I will not.",
            "Anna Wrote:Raise taxes",
        ),
        (  # NodeBB
            (
                '<p dir="auto">@Anna said:</p>\n<blockquote>\n<p dir="auto">Raise'
                ' taxes</p>\n</blockquote>\n<p dir="auto">No.</p>\n'
            ),
            "@Anna said:\n\nNo.",
            "Raise taxes",
        ),
        (  # Discourse
            (
                '<aside class="quote" data-post="1"><div class="title">Anna:</div>'
                "<blockquote><p>Raise taxes</p></blockquote></aside>"
                "<p>No.</p>"
            ),
            "No.",
            "Anna:\n\nRaise taxes",
        ),
        (  # a quotation in a quotation
            "<blockquote><div>One<blockquote><div>Two</div></blockquote></div></blockquote>Three",
            "Three",
            "One\n\nTwo",
        ),
        (
            (
                "Build Theatres<br><span>Raise taxes</span><ul><li>Attack Dalmatia</li><li>End the"
                " slot.</li></ul>And so on."
            ),
            "Build Theatres\nRaise taxes\nAttack Dalmatia\nEnd the slot.\nAnd so on.",
            "",
        ),
        (
            "Orders:<ol><li>One</li><li>Two<ul><li>Three</li></ul></li></ol>",
            "Orders:\nOne\nTwo\nThree",
            "",
        ),
        ("<p>One</p><p>Two</p>", "One\nTwo", ""),
    ],
)
def test_a_quotation_is_not_its_quoters_and_a_list_begins_a_line(
    html: str, words: str, quoted: str
) -> None:
    found_words, found_quoted = own_words(html)
    assert [line for line in found_words.splitlines() if line] == [
        line for line in words.splitlines() if line
    ]
    assert [line for line in found_quoted.splitlines() if line] == [
        line for line in quoted.splitlines() if line
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_a_post_that_is_edited_or_deleted_there_is_noticed(at: At, table: Table, kind: str) -> None:  # noqa: F811
    here = at(kind)
    one = Follows(here, table.campaign, table.gm)
    edited, deleted, last = (
        here.rival(text) for text in ("We build a fleet.", "We sail at once.", "We wait.")
    )
    one.read(0)
    edited.text = "We build two fleets."
    here.board.posts.remove(deleted)
    one.clock.at = one.clock.at.replace(minute=0) + timedelta(hours=1)
    one.read(0)
    rows = {row.name: row for row in ImportedPost.objects.filter(thread=one.thread)}
    assert (rows[str(edited.id)].before, rows[str(edited.id)].text) == (
        "We build a fleet.",
        "We build two fleets.",
    )
    assert rows[str(edited.id)].changed_at == one.row.read_at
    assert rows[str(deleted.id)].gone_at == one.row.read_at
    assert (rows[str(last.id)].changed_at, rows[str(last.id)].gone_at) == (None, None)
    assert len(rows) == 4


@pytest.mark.parametrize("kind", KINDS)
def test_the_first_reading_goes_back_to_the_turns_opening(at: At, table: Table, kind: str) -> None:  # noqa: F811
    here = at(kind)
    clock = here.board.clock
    for number in range(30):
        here.rival(f"An old word, number {number}.")
        clock.sleep(60)
    clock.sleep(86_400)
    opened = clock.now()
    table.campaign.entries.all().update(at=opened)
    Campaign.objects.filter(pk=table.campaign.pk).update(founded_at=opened)
    for number in range(45):
        clock.sleep(60)
        here.rival(f"A word of this turn, number {number}.")
    one = Follows(here, table.campaign, table.gm)
    one.read(0)
    assert {f"A word of this turn, number {number}." for number in range(45)} <= set(one.texts)
    assert "An old word, number 0." not in one.texts


@pytest.mark.parametrize("kind", KINDS)
def test_a_thread_without_an_account_is_followed_as_a_guest(
    at: At,
    table: Table,  # noqa: F811
    kind: str,
) -> None:
    """Posts are copied there by hand; its address is all that is known, and a name is learnt."""
    here = at(kind)
    clock = here.board.clock
    address = here.settings["address"]
    thread = services.set_up(
        table.campaign,
        table.gm,
        transport="clipboard",
        name="",
        settings={"address": address.replace("http:", "https:")},
    )
    type(thread).objects.update(settings={**thread.settings, "address": address})
    services.set_following(thread, table.gm, active=True, now=clock.now())
    here.rival("We march at dawn, all of us.")
    reading.tick(
        clock.now(),
        client=lambda seen: reading.ConditionalClient(seen, now=clock.now, sleep=clock.sleep),
    )
    assert ImportedPost.objects.latest("pk").text == "We march at dawn, all of us."
    thread.refresh_from_db()
    assert thread.name.endswith(": The Heap")
    assert here.wire.seen["login"] == 0


def test_a_post_that_waited_for_a_moderator_and_is_read_there_is_posted(
    at: At,
    table: Table,  # noqa: F811
) -> None:
    here = at("phpbb", own_unapproved=False)
    here.board.users[3].new = True
    clock = here.board.clock
    one = Follows(here, table.campaign, table.gm)
    outbox(here, table.campaign, table.gm, 1)
    sending.tick(clock.now(), limit=1, client=lambda jar: client(clock, jar))
    Post.objects.update(thread=one.thread)
    post = Post.objects.get()
    assert post.state == "awaiting"
    here.rival(f"What is {post.marker}?\nNobody knows.")
    one.read()
    post.refresh_from_db()
    assert post.state == "awaiting"  # who quotes it lets nothing through
    here.board.posts[-2].approved = True
    other = here.board.posts[-2]
    FollowedThread.objects.update(last_post_name="1")
    one.clock.at = one.clock.at.replace(minute=0) + timedelta(hours=1)
    Post.objects.update(next_at=None)
    one.read(0)
    post.refresh_from_db()
    assert (post.state, post.permalink) == (
        "posted",
        f"{here.board.url}/viewtopic.php?p={other.id}#p{other.id}",
    )

"""Behaviour that all transports to boards share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.utils import translation

from forum.boards import (
    AWAITING,
    AccessRefused,
    DoubtfulError,
    InvalidSetting,
    PermanentError,
    SearchError,
    TemporaryError,
)
from forum.boards.registry import transport
from outgoing.client import USER_AGENT
from tests.boards.places import FORMS, KINDS, Place
from tests.boards.wire import Fault, nowhere, once

pytestmark = pytest.mark.thorough
At = Callable[..., Place]


def test_a_report_stands_there_once_and_its_link_leads_to_it(at: At, kind: str) -> None:
    here = at(kind)
    sent = here.play(1)
    assert sent.state == "posted"
    assert sent.permalink == here.find(1)
    assert here.times(1) == 1
    assert here.find(2) is None
    newest = here.board.posts[-1]
    ends = {
        "phpbb": f"/viewtopic.php?p={newest.id}#p{newest.id}",
        "mybb": f"/showthread.php?tid=1&pid={newest.id}#pid{newest.id}",
        "nodebb": f"/post/{newest.id}",
        "discourse": "/t/7/2",
    }
    assert sent.permalink == here.board.url + ends[kind]


def test_the_agent_is_one_constant_name(at: At, kind: str) -> None:
    here = at(kind)
    here.play(1)
    assert here.wire.agents == {USER_AGENT}
    assert USER_AGENT == "Tabula/1.0 (campaign table; posts for a game master who asked it to)"


@pytest.mark.parametrize("kind", FORMS)
def test_one_signs_in_once_and_keeps_the_session(at: At, kind: str) -> None:
    here = at(kind)
    for number in range(1, 4):
        here.say_in_time(number)
    assert here.board.logins == 1
    assert here.wire.seen["login"] == 1


@pytest.mark.parametrize("kind", FORMS)
def test_a_refused_password_locks_at_the_first_attempt(at: At, kind: str) -> None:
    here = at(kind)
    here.settings |= {"password": "wrong"}
    with pytest.raises(
        AccessRefused,
        match=r"refused to sign the account in: .*incorrect password|username/password",
    ):
        here.play(1)
    assert here.board.logins == 1
    with pytest.raises(
        AccessRefused
    ):  # a person has said "try again"; the board has not had enough yet
        here.play(1)
    assert here.board.logins == 2


def test_a_refused_key_locks(at: At) -> None:
    for kind, field in (("nodebb", "token"), ("discourse", "api_key")):
        here = at(kind)
        here.settings |= {field: "wrong"}
        with pytest.raises(AccessRefused, match="The board refused"):
            here.play(1)
        assert here.times(1) == 0


@pytest.mark.parametrize("kind", FORMS)
def test_a_lost_session_is_made_anew_under_way(at: At, kind: str) -> None:
    here = at(kind)
    here.play(1)
    here.board.clock.sleep(100)
    here.wire.faults = once("post form", Fault.LOST)
    here.play(2)
    here.board.clock.sleep(100)
    here.wire.faults = once("post", Fault.LOST)
    here.play(3)
    assert [here.times(number) for number in (1, 2, 3)] == [1, 1, 1]
    assert here.board.logins == 3


def test_the_boards_wait_is_told_in_seconds_and_kept(at: At, kind: str) -> None:
    waits = {"phpbb": 20, "mybb": 60, "nodebb": 11, "discourse": 60}
    here = at(kind, per_minute=1) if kind == "discourse" else at(kind)
    here.play(1)
    with pytest.raises(TemporaryError) as result:
        here.play(2)
    assert abs(result.value.seconds - waits[kind]) <= 2
    here.board.clock.sleep(result.value.seconds)
    here.play(2)
    assert (here.times(1), here.times(2)) == (1, 1)


def test_a_missing_topic_and_a_closed_one_are_told_in_the_boards_words(at: At) -> None:
    words = {
        "phpbb": "is locked",
        "mybb": "is closed",
        "nodebb": "Topic Locked",
        "discourse": "not permitted",
    }
    for kind in KINDS:
        here = at(kind)
        topic = next(iter((here.board.threads if kind == "mybb" else here.board.topics).values()))
        setattr(topic, "closed" if kind in ("mybb", "discourse") else "locked", True)
        with pytest.raises((PermanentError, AccessRefused), match=words[kind]):
            here.play(1)
        gone = {"phpbb": "t=99", "mybb": "tid=99", "nodebb": "topic/99", "discourse": "t/99"}[kind]
        old = {"phpbb": "t=1", "mybb": "tid=1", "nodebb": "topic/1", "discourse": "t/7"}[kind]
        here.settings |= {"address": here.settings["address"].replace(old, gone)}
        with pytest.raises(PermanentError, match=r"does not exist|not there|has been deleted"):
            here.play(1)
        with pytest.raises(SearchError):
            here.find(1)
        assert here.times(1) == 0


def test_what_waits_for_a_moderator_is_said_to_wait(at: At) -> None:
    for kind in KINDS:
        here = at(kind, queued=True) if kind in ("nodebb", "discourse") else at(kind)
        if kind == "phpbb":
            here.board.users[3].new = True
        if kind == "mybb":
            here.board.moderated = True
        sent = here.play(1)
        assert (kind, sent.state, sent.permalink) == (kind, AWAITING, "")


def test_what_waits_for_a_moderator_is_found_by_who_wrote_it_and_still_waits(
    at: At, kind: str
) -> None:
    here = at(kind, queued=True) if kind in ("nodebb", "discourse") else at(kind)
    if kind == "phpbb":
        here.board.users[3].new = True
    if kind == "mybb":
        here.board.moderated = here.board.own_unapproved = True
    here.wire.faults = once("post", Fault.CUT_AFTER)
    with pytest.raises(DoubtfulError):
        here.play(1)
    result = here.look(1)
    assert result is not None
    assert result.state == AWAITING
    assert here.find(2) is None
    assert here.times(1) == 1


@pytest.mark.parametrize("kind", FORMS)
def test_a_long_subject_is_cut_between_words(at: At, kind: str) -> None:
    here = at(kind)
    whole = (
        "The Long Frontier: battle 12, the Western Roman Empire against the Sassanids and all their"
        " friends at Ctesiphon, lost"
    )
    here.transport.send(here.settings, replace(here.letter(1), subject=whole + whole), here.http)
    ends = {"phpbb": "all their friends at Ctesiphon…", "mybb": "against the Sassanids…"}
    assert here.board.posts[-1].subject.endswith(ends[kind])
    assert len(here.board.posts[-1].subject) <= {"phpbb": 120, "mybb": 85}[kind]


def test_too_long_is_permanent(at: At, kind: str) -> None:
    here = at(kind, most=500)
    with pytest.raises(PermanentError, match="500"):
        here.play(1, "x" * 600)
    assert here.times(1) == 0


def test_an_unreachable_board_means_later_and_nothing_was_done(at: At, kind: str) -> None:
    here = at(kind)
    here.settings |= {"address": here.settings["address"].replace(here.board.url, nowhere())}
    with pytest.raises(TemporaryError, match="cannot be reached"):
        here.play(1)


STEPS = {
    "phpbb": ("post form", "login form", "login", "post"),
    "mybb": ("post form", "login form", "login", "post"),
}


@pytest.mark.parametrize(
    "fault", [fault for fault in Fault if fault not in (Fault.SLOW, Fault.LOST, Fault.WORK)]
)
def test_a_fault_at_any_step_reports_what_is_known(at: At, kind: str, fault: Fault) -> None:
    """Before the post itself, nothing was done.

    During it the outcome is unknown, and reading back decides.
    """
    for step in STEPS.get(kind, ("post",)):
        here = at(kind)
        here.wire.faults = once(step, fault)
        expected = DoubtfulError if step == "post" else TemporaryError
        with pytest.raises(expected):
            here.play(1)
        assert here.wire.befallen[step, fault] == 1
        done = step == "post" and fault in (
            Fault.CUT_AFTER,
            Fault.HALF,
            Fault.BROKEN,
            Fault.CUT_SHORT,
        )
        assert here.times(1) == int(done)
        assert (here.find(1) is not None) is done
        if not done:
            here.say_in_time(1)
        assert here.times(1) == 1


def test_an_answer_after_the_time_limit_leaves_doubt(at: At, kind: str) -> None:
    here = at(kind)
    here.http = here.client(seconds=0.5)
    here.wire.faults = once("post", Fault.SLOW)
    with pytest.raises(DoubtfulError, match="not answered in time"):
        here.play(1)
    assert here.find(1) is not None
    assert here.times(1) == 1


def test_reading_back_fails_as_reading_does(at: At, kind: str) -> None:
    here = at(kind)
    here.play(1)
    for fault in (Fault.CUT_BEFORE, Fault.CUT_AFTER, Fault.BUSY):
        here.wire.faults = once("read", fault)
        with pytest.raises(TemporaryError):
            here.find(1)
        assert here.find(1) is not None


def test_others_write_between(at: At, kind: str) -> None:
    """The marker is found when two pages of others' posts follow it."""
    here = at(kind)
    here.play(1)
    for number in range(25):
        here.rival(f"We march, and this is post {number}.")
    assert here.find(1) is not None
    assert here.find(2) is None


@pytest.mark.parametrize("kind", ["phpbb", "nodebb", "discourse"])
def test_where_more_is_written_in_a_day_than_is_looked_through_a_person_looks(
    at: At, kind: str
) -> None:
    here = at(kind)
    here.play(1)
    for number in range(220):
        here.rival(f"Everybody talks at once, and this is post {number}.")
    with pytest.raises(SearchError, match="The topic has had more posts in a day"):
        here.find(1)
    here.board.clock.sleep(86_401)
    here.rival("The next morning.")
    assert here.find(2) is None  # what is a day old was there before the doubt


def test_a_marker_is_not_found_in_a_longer_one(at: At, kind: str) -> None:
    here = at(kind)
    here.rival("See [GC-11-9f2a] and [XGC-1-9f2a], which are others.")
    assert here.find(1) is None
    assert here.find(11) is not None


def test_guards_before_a_board_keep_programs_out(at: At, kind: str, monkeypatch: Any) -> None:
    from werkzeug.wrappers import Response

    here = at(kind)
    monkeypatch.setattr(
        here.board,
        "answer",
        lambda request: Response("Just a moment", 403, {"cf-mitigated": "challenge"}),
    )
    with pytest.raises(AccessRefused, match="keeps programs out"):
        here.play(1)


def test_a_board_that_has_moved_is_told_and_not_followed(
    at: At, kind: str, monkeypatch: Any
) -> None:
    from werkzeug.wrappers import Response

    here = at(kind)
    led = {"Location": "https://www.board.example/topic/1"}
    monkeypatch.setattr(here.board, "answer", lambda request: Response("", 301, led))
    with pytest.raises(
        PermanentError,
        match=r"redirects to https://www\.board\.example\. Enter the thread’s address",
    ):
        here.play(1)
    assert sum(here.wire.seen.values()) == 1


def test_addresses_that_cannot_be(kind: str) -> None:
    shown = {"username": "Clerk", "password": "x", "token": "x", "api_key": "x"}
    for wrong in (
        "",
        "board.example",
        "http://board.example/viewtopic.php?t=1",
        "https://board.example/",
        "javascript:alert(1)",
    ):
        with pytest.raises(InvalidSetting) as result:
            transport(kind).check(shown | {"address": wrong})
        assert result.value.field == "address"


@pytest.mark.parametrize(
    ("kind", "given", "kept"),
    [
        (
            "phpbb",
            "https://b.example/forum/viewtopic.php?f=3&t=12&start=40#p9",
            "https://b.example/forum/viewtopic.php?t=12",
        ),
        (
            "phpbb",
            "https://b.example/viewtopic.php?t=12&sid=abc",
            "https://b.example/viewtopic.php?t=12",
        ),
        (
            "mybb",
            "https://b.example/thread-12-page-3.html",
            "https://b.example/showthread.php?tid=12",
        ),
        (
            "mybb",
            "https://b.example/f/showthread.php?tid=12&pid=3#pid3",
            "https://b.example/f/showthread.php?tid=12",
        ),
        (
            "nodebb",
            "https://b.example/forum/topic/12/the-heap/40?page=2",
            "https://b.example/forum/topic/12",
        ),
        ("discourse", "https://b.example/t/the-heap/12/40", "https://b.example/t/12"),
        ("discourse", "https://b.example/t/12", "https://b.example/t/12"),
    ],
)
def test_an_address_is_taken_as_a_reader_has_it(kind: str, given: str, kept: str) -> None:
    shown = {"username": "Clerk", "password": " x ", "token": "x", "api_key": "x"}
    created = transport(kind).check(shown | {"address": given})
    assert created["address"] == kept
    assert created.get("password", " x ") == " x "


def test_what_a_transport_says_of_itself() -> None:
    for kind in KINDS:
        one = transport(kind)
        assert one.automatic
        assert [need.key for need in one.needs if need.secret] in (
            ["password"],
            ["token"],
            ["api_key"],
        )
        with translation.override("en"):
            assert "looks for its mark before" in str(one.account)

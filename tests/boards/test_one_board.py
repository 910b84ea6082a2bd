"""Behaviour of a transport that only its board requires, and the reading of topics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from forum.boards import (
    BoardClosed,
    DoubtfulError,
    PermanentError,
    SearchError,
    TemporaryError,
    UnclearError,
)
from tests.boards.places import Place
from tests.boards.wire import Fault, once

pytestmark = pytest.mark.thorough
At = Callable[..., Place]


# phpBB alone --------------------------------------------------------------------------------------


def test_phpbb_3_3_10_takes_a_form_twice_and_3_3_15_does_not(at: At) -> None:
    for version in ("3.3.10", "3.3.15"):
        here = at("phpbb", version=version)
        here.wire.faults = once("post", Fault.CUT_AFTER)
        with pytest.raises(DoubtfulError):
            here.play(1)
        assert here.find(1) is not None
        assert here.times(1) == 1


def test_phpbb_with_a_clock_that_stands_still_refuses_the_token_and_nothing_is_doubled(
    at: At,
) -> None:
    """The form is read and sent within one second, which the board refuses.

    The marker is looked for, and the form is read again.
    """
    here = at("phpbb")
    here.play(1)
    here.board.clock.sleep(60)
    here.board.lifetime = 0  # each token is too old when it comes
    with pytest.raises(TemporaryError):
        here.play(2)
    assert here.times(2) == 0
    here.board.lifetime = 7200
    here.play(2)
    assert here.times(2) == 1


def test_phpbb_review_of_posts_between_is_passed(at: At, monkeypatch: Any) -> None:
    from forum.boards import phpbb as boards_phpbb

    here = at("phpbb")
    # A board that insists on the field, as one with an extension might.
    monkeypatch.setattr(
        boards_phpbb,
        "reply",
        lambda form, subject, text: (
            form.fields | {"subject": subject, "message": text, "post": "Submit"}
        ),
    )
    content = []

    def rival_first(step: str) -> None:
        if step == "post" and not content:
            content.append(here.rival("Meanwhile"))

    here.wire.faults = rival_first
    sent = here.play(1)
    assert sent.permalink.endswith("#p3")
    assert here.times(1) == 1


def test_phpbb_with_a_style_of_its_own_is_read_by_the_print_view(at: At, monkeypatch: Any) -> None:
    from tests.boards import phpbb_pages

    here = at("phpbb")
    here.play(1)
    monkeypatch.setattr(
        phpbb_pages, "topic", lambda *_: phpbb_pages.page("x", "<article>another style</article>")
    )
    assert here.find(1) == here.board.url + "/viewtopic.php?t=1"
    assert here.find(2) is None


def test_phpbb_out_of_order_is_later(at: At) -> None:
    here = at("phpbb")
    here.board.disabled = True
    with pytest.raises(BoardClosed, match=r"^Sorry but this board is currently unavailable\.$"):
        here.play(1)


def test_phpbb_where_the_account_may_not_write(at: At) -> None:
    here = at("phpbb")
    here.play(1)
    here.board.session_length = -100  # every session is over when it is used
    with pytest.raises((TemporaryError, PermanentError)):
        here.play(2)
    assert here.board.logins <= 2


def test_phpbb_in_a_style_of_its_own_is_leafed_through_in_print(at: At, monkeypatch: Any) -> None:
    from tests.boards import phpbb_pages

    here = at("phpbb")
    here.play(1)
    for number in range(12):
        here.rival(f"We march, and this is post {number}.")
    monkeypatch.setattr(
        phpbb_pages, "topic", lambda *_: phpbb_pages.page("x", "<article>another style</article>")
    )
    assert here.find(1) == here.board.url + "/viewtopic.php?t=1"
    assert here.find(2) is None


@pytest.mark.parametrize(
    ("content", "error", "logins"),
    [
        ("Attendi: non puoi scrivere dopo così poco tempo.", TemporaryError, 1),
        ("Das geht nicht so schnell nach dem letzten.", TemporaryError, 1),
        ("Il form inviato non va bene.", TemporaryError, 1),
        ("Contiene 70000 caratteri: contiene 70000 caratteri.", PermanentError, 1),
    ],
)
def test_phpbb_is_understood_in_other_languages(
    at: At, monkeypatch: Any, content: str, error: Any, logins: int
) -> None:
    from tests.boards import phpbb

    here = at("phpbb", flood=60)
    here.play(1)
    monkeypatch.setattr(phpbb, "FLOOD", content)
    with pytest.raises(error):
        here.play(2)
    assert (here.times(2), here.board.logins) == (0, logins)


def test_phpbb_takes_no_emblem_in_a_subject(at: At) -> None:
    from dataclasses import replace

    here = at("phpbb")
    here.transport.send(
        here.settings, replace(here.letter(1), subject="The Huns \U0001f40e ride"), here.http
    )
    assert here.board.posts[-1].subject == "The Huns ride"


@pytest.mark.parametrize(
    ("page", "error"),
    [
        ("<p>Hold on, we are checking your browser.</p>", DoubtfulError),
        ('<div id="message"><p>This topic is locked.</p></div>', UnclearError),
        ('<div class="error">An extension of ours says no more.</div>', DoubtfulError),
    ],
)
def test_phpbb_answering_with_a_page_that_is_no_form(
    at: At, monkeypatch: Any, page: str, error: Any
) -> None:
    """Only an explicit message of the board proves that there is no post.

    Any other page leaves a doubt.
    """
    from werkzeug.wrappers import Response

    from tests.boards import phpbb_pages

    here = at("phpbb")
    monkeypatch.setattr(
        here.board,
        "_submitted",
        lambda *_: Response(phpbb_pages.page("x", page), mimetype="text/html"),
    )
    with pytest.raises(error):
        here.play(1)


def test_nodebb_tells_how_long_to_wait_in_minutes_and_in_other_languages(at: At) -> None:
    here = at("nodebb")
    here.play(1)
    for asks, seconds in (
        ("Only once every {} minutes.", 601),
        ("Ogni {} secondi.", 11),
        ("Bitte warte {} Sekunden.", 11),
    ):
        here.board.asks = asks
        with pytest.raises(TemporaryError) as result:
            here.play(2)
        assert result.value.seconds == seconds


# MyBB and Discourse alone -------------------------------------------------------------------------


def test_mybb_by_redirects(at: At) -> None:
    here = at("mybb", friendly=False)
    assert here.play(1).permalink == here.board.url + "/showthread.php?tid=1&pid=2#pid2"


def test_mybb_puts_two_parts_into_one_post(at: At) -> None:
    here = at("mybb", merge=60)
    first = here.play(1)
    here.board.clock.sleep(61)
    second = here.play(2)
    assert first.permalink == second.permalink
    assert (here.find(1), here.find(2)) == (first.permalink, first.permalink)
    assert len(here.board.posts) == 2


def test_mybb_knows_a_reply_it_has_already(at: At) -> None:
    here = at("mybb")
    first = here.play(1)
    here.board.clock.sleep(61)
    assert here.play(1) == first
    assert here.times(1) == 1


def test_mybb_that_says_in_its_own_language_that_it_has_the_reply_is_read_back(
    at: At, monkeypatch: Any
) -> None:
    from tests.boards import mybb

    monkeypatch.setattr(mybb, "TWICE", "Hai gi\u00e0 inviato questa risposta.")
    here = at("mybb")
    first = here.play(1)
    here.board.clock.sleep(61)
    assert here.play(1) == first
    here.board.threads[1].closed = True
    with pytest.raises(PermanentError, match="closed"):
        here.play(2)


def test_discourse_answers_the_same_with_the_same_for_two_minutes(at: At) -> None:
    here = at("discourse")
    first = here.play(1)
    here.board.clock.sleep(119)
    assert here.play(1) == first
    here.board.clock.sleep(2)
    with pytest.raises(PermanentError, match="too similar"):
        here.play(1)
    assert here.times(1) == 1


def test_discourse_lets_one_reply_to_oneself_so_often(at: At) -> None:
    here = at("discourse", in_a_row=3)
    for number in (1, 2, 3):
        here.play(number)
    with pytest.raises(PermanentError, match="No more than 3 consecutive replies"):
        here.play(4)
    here.rival("Somebody else speaks, at last.")
    here.board.clock.sleep(121)  # a refusal is kept as long as a post
    here.play(4)


# Following ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["phpbb", "nodebb", "discourse"])
def test_a_topic_is_read_by_a_guest(at: At, kind: str) -> None:
    from forum.boards import ReadsPosts

    here = at(kind)
    for number in range(30):
        here.rival(f"I build a fleet.\nNumber {number} & more")
    assert isinstance(here.transport, ReadsPosts)
    settings = {"address": here.settings["address"]}
    newest = here.transport.read(settings, "", here.http)
    assert 10 <= len(newest) <= 20
    assert newest[-1].text == "I build a fleet.\nNumber 29 & more"
    assert (newest[-1].author, newest[-1].at) == (
        "Master",
        here.board.clock.now().replace(microsecond=0, second=0),
    )
    assert here.transport.read(settings, newest[-1].id, here.http) == []
    earlier = str(int(newest[-1].id) - 25)
    again = here.transport.read(settings, earlier, here.http)
    assert [int(post.id) for post in again] == list(range(int(earlier) + 1, int(newest[-1].id) + 1))
    assert set(here.wire.seen) == {"read"}
    here.board.public = False
    with pytest.raises((SearchError, TemporaryError)):
        here.transport.read(settings, "", here.http)


def test_phpbb_without_a_feed_is_read_by_its_pages_and_print_view(at: At, monkeypatch: Any) -> None:
    from tests.boards import phpbb_pages

    here = at("phpbb", feed=False)
    for number in range(14):
        here.rival(f"Post {number}")
    shown = {"address": here.settings["address"]}
    pages = here.transport.read(shown, "3", here.http)  # type: ignore[attr-defined]
    assert [int(post.id) for post in pages] == list(range(4, 16))
    monkeypatch.setattr(
        phpbb_pages, "topic", lambda *_: phpbb_pages.page("x", "<article>another style</article>")
    )
    printed = here.transport.read(shown, "", here.http)  # type: ignore[attr-defined]
    assert [(post.id, post.text) for post in printed] == [
        (str(n + 2), f"Post {n}") for n in range(9, 14)
    ]
    assert here.transport.read(shown, "14", here.http)[0].text == "Post 13"  # type: ignore[attr-defined]

r"""The forms of phpBB. The tests run against the fake, and against a real board if there is one.

The variable TABULA_PHPBB names the board: its address, an open topic to which an administrator has
written last, and the name and password of a member who may only write:

    TABULA_PHPBB="https://board.example/ 7 clerk password" python -m pytest \
        tests/boards/test_phpbb_rules.py -m "thorough or not thorough"

The tests wait by the real board's clock. The board has the default settings: a flood interval of 15
seconds, and a review of new posts.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from http.cookiejar import CookieJar
from typing import Any
from urllib.parse import urljoin

import pytest
from bs4 import BeautifulSoup

from outgoing.client import Client
from tests.boards.phpbb import FORM_INVALID, Phpbb
from tests.boards.wire import Clock, client, serving

REAL = os.environ.get("TABULA_PHPBB", "")


class Member:
    """A member at the board's forms, who sends exactly the given fields."""

    def __init__(
        self,
        base: str,
        topic: int,
        name: str,
        password: str,
        http: Client,
        sleep: Callable[[float], None],
    ) -> None:
        self.base, self.topic, self.name, self.password = base, topic, name, password
        self.http, self.sleep = http, sleep

    def get(self, path: str) -> BeautifulSoup:
        return BeautifulSoup(self.http.get(urljoin(self.base, path)).text, "html.parser")

    def form(self, path: str, choose: str) -> tuple[str, dict[str, str]]:
        soup = self.get(path).select_one(choose)
        assert soup is not None, path
        fields = {
            str(field["name"]): str(field.get("value") or "")
            for field in soup.select("input[name]")
            if field["type"] in ("hidden", "text")
        }
        fields |= {str(tag["name"]): tag.get_text() for tag in soup.select("textarea[name]")}
        for tag in soup.select("select[name]"):
            fields[str(tag["name"])] = str(tag.select("option[selected]")[-1]["value"])
        for tag in soup.select("input[checked]"):
            fields[str(tag["name"])] = str(tag.get("value") or "on")
        return urljoin(urljoin(self.base, path), str(soup["action"])), fields

    def send(self, action: str, fields: dict[str, str]) -> Any:
        return self.http.post(action, data=fields)

    def login(self, password: str | None = None, wait: float = 1.1) -> Any:
        action, fields = self.form("ucp.php?mode=login", "form#login")
        self.sleep(wait)
        return self.send(
            action,
            fields
            | {
                "username": self.name,
                "password": password or self.password,
                "login": "Login",
            },
        )

    def reply_form(self) -> tuple[str, dict[str, str]]:
        return self.form(f"posting.php?mode=reply&t={self.topic}", "form#postform")

    def reply(self, text: str, wait: float = 1.1) -> Any:
        action, fields = self.reply_form()
        self.sleep(wait)
        return self.send(action, fields | {"message": text, "post": "Submit"})


def error(answer: Any) -> str:
    return " ".join(
        element.get_text(" ")
        for element in BeautifulSoup(answer.text, "html.parser").select(".error")
    )


@pytest.fixture
def board() -> Phpbb:
    return Phpbb(version="3.3.10")


@pytest.fixture
def member(board: Phpbb, settings: Any) -> Iterator[Member]:
    if REAL:
        base, topic, name, password = REAL.split()
        yield Member(base, int(topic), name, password, Client(cookies=CookieJar()), time.sleep)
        return
    settings.OUTSIDE_INSECURE = True
    master = board.register("Master", "sesame")
    board.register("Clerk", "correct horse")
    board.open_topic("The Heap", master)
    with serving(board):
        yield Member(
            board.url + "/",
            1,
            "Clerk",
            "correct horse",
            client(board.clock, CookieJar()),
            board.clock.sleep,
        )


only_here = pytest.mark.skipif(
    bool(REAL), reason="would change the real board's settings, or lock its account"
)


def test_cookies_have_a_prefix_of_the_board_and_the_anonymous_user_is_1(member: Member) -> None:
    member.get("index.php")
    names = {cookie.name.rsplit("_", 1)[1]: cookie for cookie in member.http.cookies or ()}
    assert names["u"].value == "1"
    assert {"u", "k", "sid"} <= set(names)
    assert not names["sid"].name.startswith("_")


def test_a_login_is_a_302_and_a_form_of_the_same_second_is_refused(member: Member) -> None:
    at_once = member.login(wait=0)
    if not REAL:  # a real second may have passed on the way
        assert at_once.status == 200
        assert FORM_INVALID in error(at_once)
    done = member.login()
    assert done.status == 302
    assert any(
        cookie.name.endswith("_u") and int(cookie.value or 0) > 1
        for cookie in member.http.cookies or ()
    )


def test_a_guests_token_belongs_to_his_session(member: Member) -> None:
    action, fields = member.form("ucp.php?mode=login", "form#login")
    member.sleep(1.1)
    assert member.http.cookies is not None
    member.http.cookies.clear()
    answer = member.send(
        action, fields | {"username": member.name, "password": member.password, "login": "Login"}
    )
    assert answer.status == 200
    assert FORM_INVALID in error(answer)


def test_a_reply_is_a_302_to_its_post_and_the_next_one_waits_15_seconds(member: Member) -> None:
    member.sleep(16)
    member.login()
    done = member.reply("[b]First[/b] post of two")
    assert done.status == 302
    assert re.search(r"/viewtopic\.php\?.*p=\d+", done.headers["location"])
    soon = member.reply("Second post of two")
    assert soon.status == 200
    assert "so soon after your last" in error(soon)
    member.sleep(15)
    assert member.reply("Second post of two").status == 302


def test_a_guest_who_wants_to_reply_is_shown_the_login(member: Member) -> None:
    soup = member.get(f"posting.php?mode=reply&t={member.topic}")
    assert soup.select_one("form#login")
    assert not soup.select_one("form#postform")


def test_a_missing_topic_is_a_404_with_a_message(member: Member) -> None:
    answer = member.http.get(urljoin(member.base, "posting.php?mode=reply&t=99999"))
    assert answer.status == 404
    message = BeautifulSoup(answer.text, "html.parser").select_one("#message")
    assert message
    assert "does not exist" in message.get_text()


def test_feed_and_print_view_tell_the_same_to_a_guest(member: Member) -> None:
    feed = member.http.get(urljoin(member.base, f"app.php/feed/topic/{member.topic}"))
    assert feed.headers["content-type"].startswith("application/atom+xml")
    entries = feed.xml().findall("{http://www.w3.org/2005/Atom}entry")
    assert "viewtopic.php?p=" in (entries[0].findtext("{http://www.w3.org/2005/Atom}id") or "")
    printed = member.get(f"viewtopic.php?t={member.topic}&view=print")
    assert len(printed.select("#page-body > div.post")) >= 1


# Tests of the fake only
# ----------------------------------------------------------------------------


@only_here
def test_a_token_lives_two_hours(member: Member, board: Phpbb) -> None:
    board.session_length = 10_000
    member.login()
    assert FORM_INVALID in error(member.reply("Late", wait=7201))
    assert member.reply("In time", wait=7199).status == 302


@only_here
@pytest.mark.parametrize(("version", "second", "posts"), [("3.3.10", 302, 3), ("3.3.15", 200, 2)])
def test_the_same_form_twice_makes_two_posts_before_3_3_15(
    member: Member, board: Phpbb, version: str, second: int, posts: int
) -> None:
    board.version = version
    board.users[3].ignores_flood = True
    member.login()
    action, fields = member.reply_form()
    del fields["topic_cur_post_id"]
    member.sleep(1.1)
    sent = fields | {"message": "Once or twice", "post": "Submit"}
    assert member.send(action, sent).status == 302
    again = member.send(action, sent)
    assert again.status == second
    assert len(board.posts) == posts
    assert (FORM_INVALID in error(again)) is (version == "3.3.15")
    # The lock is kept for the flood interval only.
    member.sleep(16)
    assert member.send(action, sent).status == 302


@only_here
def test_who_posts_on_an_old_page_is_shown_what_came_and_a_new_form(
    member: Member, board: Phpbb
) -> None:
    member.login()
    action, fields = member.reply_form()
    board.write(1, board.users[2], "Re", "Meanwhile")
    member.sleep(1.1)
    answer = member.send(action, fields | {"message": "Old page", "post": "Submit"})
    soup = BeautifulSoup(answer.text, "html.parser")
    assert (answer.status, error(answer), soup.h3 and soup.h3.get_text()) == (
        200,
        "",
        "Post review",
    )
    assert soup.select_one("form#postform input[name=topic_cur_post_id]")["value"] == "2"  # type: ignore[index]
    del fields["topic_cur_post_id"]
    assert member.send(action, fields | {"message": "Old page", "post": "Submit"}).status == 302


@only_here
def test_after_three_wrong_passwords_the_right_one_is_refused(member: Member, board: Phpbb) -> None:
    for _ in range(3):
        assert "incorrect password" in error(member.login("wrong"))
    assert "maximum allowed number of login attempts" in error(member.login())
    assert board.logins == 4


@only_here
def test_a_session_hangs_on_its_browser(member: Member, board: Phpbb) -> None:
    member.login()
    for session in board.sessions.values():
        session.agent = "Another/1.0"
    assert member.get("posting.php?mode=reply&t=1").select_one("form#login")


@only_here
def test_long_empty_locked_and_for_approval(member: Member, board: Phpbb) -> None:
    board.users[3].ignores_flood = True
    member.login()
    assert "The maximum number of allowed characters is 60000" in error(
        member.reply("&" * 12_001)
    )  # each counts as &amp;
    assert "too few characters" in error(member.reply(" "))
    board.users[3].new = True
    answer = member.reply("A newcomer speaks")
    assert answer.status == 200
    assert (
        "approved by a moderator"
        in BeautifulSoup(answer.text, "html.parser").select_one("#message").get_text()
    )  # type: ignore[union-attr]
    assert [post.approved for post in board.posts] == [True, False]
    board.topics[1].locked = True
    assert (
        "This topic is locked"
        in member.get("posting.php?mode=reply&t=1").select_one("#message").get_text()
    )  # type: ignore[union-attr]


def test_the_clock_is_the_boards() -> None:
    clock = Clock()
    before = clock.seconds
    clock.sleep(3)
    assert clock.seconds == before + 3

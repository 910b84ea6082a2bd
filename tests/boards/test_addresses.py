"""Addresses as browsers show them, and the look at a topic before anything is posted there."""

from __future__ import annotations

from collections.abc import Callable
from http.cookiejar import CookieJar
from typing import Any

import pytest

from forum import services
from forum.boards import AccessRefused, InvalidSetting, PermanentError, SearchError, Topic
from forum.boards.registry import transport
from forum.models import Thread
from forum.posts import sending
from tests.boards.places import KINDS, Place
from tests.boards.wire import client
from tests.table import Table, people, table, toy  # noqa: F401
from tests.web.grand_table import GrandTable, new_campaign  # noqa: F401

pytestmark = pytest.mark.thorough
At = Callable[..., Place]

POSTS = {
    "phpbb": ("/viewtopic.php?p={}#p{}", "/viewtopic.php?p={}"),
    "mybb": ("/showthread.php?pid={}#pid{}", "/showthread.php?pid={}"),
    "nodebb": ("/post/{}", "/post/{}"),
    "discourse": ("/p/{}", "/p/{}"),
}
TOPICS = {
    "phpbb": ("/viewtopic.php?t=1", "The Board"),
    "mybb": ("/showthread.php?tid=1", "The Round Table"),
    "nodebb": ("/topic/1", "The Forum"),
    "discourse": ("/t/7", "The Camp"),
}
REFUSALS = {
    "phpbb": "This topic is locked, you cannot edit posts or make further replies.",
    "mybb": "Sorry, but you cannot reply to this thread because it is closed.",
    "nodebb": "The topic is locked.",
    "discourse": "The topic is locked.",
}


def lock(here: Place) -> None:
    topic = next(iter((here.board.threads if here.kind == "mybb" else here.board.topics).values()))
    setattr(topic, "closed" if here.kind in ("mybb", "discourse") else "locked", True)


def as_browsers_show_it(here: Place, post: int) -> None:
    """The thread's address becomes that of a post of its topic."""
    given, kept = POSTS[here.kind]
    shown = {**here.settings, "address": here.board.url + given.format(post, post)}
    here.settings = transport(here.kind).check(shown)
    assert here.settings["address"] == here.board.url + kept.format(post)


def test_a_posts_address_leads_to_its_topic(at: At, kind: str) -> None:
    here = at(kind)
    post = here.rival("We march at dawn, all of us.")
    as_browsers_show_it(here, post.id)
    here.board.clock.sleep(60)
    here.play(1)
    assert here.find(1) is not None
    assert here.times(1) == 1


@pytest.mark.parametrize("kind", ["phpbb", "nodebb", "discourse"])
def test_a_posts_address_is_followed_in_its_topic(at: At, kind: str) -> None:
    here = at(kind)
    post = here.rival("We march at dawn, all of us.")
    as_browsers_show_it(here, post.id)
    heard = here.transport.read({"address": here.settings["address"]}, "", here.http)  # type: ignore[attr-defined]
    assert heard[-1].text == "We march at dawn, all of us."


def test_a_post_that_is_not_there_has_no_topic(at: At, kind: str) -> None:
    here = at(kind)
    as_browsers_show_it(here, 999)
    with pytest.raises(PermanentError):
        here.play(1)
    with pytest.raises((PermanentError, SearchError)):
        here.find(1)


def test_a_look_shows_board_and_topic_and_posts_nothing(at: At, kind: str) -> None:
    here = at(kind)
    post = here.rival("We march at dawn, all of us.")
    as_browsers_show_it(here, post.id)
    before = len(here.board.posts)
    path, board = TOPICS[kind]
    showing: Any = here.transport
    assert showing.topic(here.settings, here.http) == Topic(
        here.board.url + path, board, "The Heap", ""
    )
    guest = {"address": here.settings["address"]}
    assert showing.topic(guest, client(here.board.clock)) == Topic(
        here.board.url + path, board, "The Heap", ""
    )
    lock(here)
    assert showing.topic(here.settings, here.http).refusal == REFUSALS[kind]
    assert (len(here.board.posts), here.wire.seen["post"]) == (before, 0)


@pytest.mark.django_db
def test_a_thread_is_named_after_board_and_topic_unless_it_has_a_name(
    at: At,
    table: Table,  # noqa: F811
    kind: str,
) -> None:
    here = at(kind)
    post = here.rival("We march at dawn, all of us.")
    as_browsers_show_it(here, post.id)
    clock = here.board.clock
    unnamed, named = (
        services.set_up(
            table.campaign,
            table.gm,
            transport=kind,
            name=name,
            settings=here.settings,
            now=clock.now(),
        )
        for name in ("", "Our place")
    )
    assert unnamed.name == "127.0.0.1"
    for thread in (unnamed, named):
        sending.show_topic(thread, table.gm, now=clock.now(), client=lambda jar: client(clock, jar))
    path, board = TOPICS[kind]
    assert list(Thread.objects.order_by("pk").values_list("name", flat=True)) == [
        f"{board}: The Heap",
        "Our place",
    ]
    assert {thread.settings["address"] for thread in Thread.objects.all()} == {
        here.board.url + path
    }


@pytest.mark.django_db
@pytest.mark.parametrize("kind", KINDS)
def test_a_thread_for_copying_is_looked_at_as_a_guest(at: At, table: Table, kind: str) -> None:  # noqa: F811
    here = at(kind)
    address = here.settings["address"].replace("http://", "https://")
    thread = services.set_up(
        table.campaign, table.gm, transport="clipboard", name="", settings={"address": address}
    )
    Thread.objects.update(settings={"address": here.settings["address"]})
    thread.refresh_from_db()
    clock = here.board.clock
    topic = sending.show_topic(
        thread, table.gm, now=clock.now(), client=lambda jar: client(clock, jar)
    )
    assert (topic.board, topic.title) == (TOPICS[kind][1], "The Heap")
    assert here.wire.seen["login"] == 0


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["phpbb", "mybb"])
def test_a_look_that_is_refused_locks_as_a_post_would(at: At, table: Table, kind: str) -> None:  # noqa: F811
    here = at(kind)
    clock = here.board.clock
    shown, asked = {**here.settings, "password": "wrong"}, clock.now()
    thread = services.set_up(
        table.campaign, table.gm, transport=kind, name="", settings=shown, now=clock.now()
    )
    with pytest.raises(AccessRefused):
        sending.show_topic(
            thread, table.gm, now=asked, client=lambda jar: client(clock, CookieJar())
        )
    thread.refresh_from_db()
    assert thread.locked_at == asked


def test_an_expired_password_of_phpbb_is_said_in_clear_words(at: At) -> None:
    here = at("phpbb")
    here.board.users[3].expired = True
    with pytest.raises(AccessRefused) as error:
        here.play(1)
    assert str(error.value) == (
        "The password of this account has expired on the board. Choose a new one there, then "
        "enter it here."
    )
    assert here.board.logins == 1


# At set-up, and on the thread's page --------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "path"),
    [("phpbb", "viewtopic.php?t=1"), ("mybb", "showthread.php?tid=1"), ("nodebb", "topic/1")],
)
def test_a_board_of_this_network_is_refused_at_set_up_unless_the_host_names_it(
    settings: Any, kind: str, path: str
) -> None:
    shown = {"username": "Clerk", "password": "x", "token": "x"}
    with pytest.raises(InvalidSetting) as error:
        transport(kind).check(shown | {"address": f"https://10.0.0.5/{path}"})
    assert (error.value.field, str(error.value)) == (
        "address",
        "10.0.0.5 is not a public address of the internet.",
    )
    settings.OUTSIDE_ALLOWED_HOSTS = ["10.0.0.5", "http://board.lan:8080"]
    for address in (f"https://10.0.0.5/{path}", f"http://board.lan:8080/{path}"):
        assert transport(kind).check(shown | {"address": address})["address"] == address


@pytest.mark.django_db
def test_the_button_shows_what_the_board_shows(
    at: At,
    new_campaign: Callable[..., GrandTable],  # noqa: F811
) -> None:
    grand_table, here = new_campaign(), at("mybb")
    thread = services.set_up(
        grand_table.campaign,
        grand_table.people["gm"],
        transport="mybb",
        name="",
        settings=here.settings,
    )
    assert "Signs in there and shows the board, the topic" in grand_table.text(
        "gm", f"threads/{thread.pk}/"
    )
    answer = grand_table.post(
        "gm", f"threads/{thread.pk}/", do="check", follow=True
    ).content.decode()
    assert "The Round Table: The Heap. This account can reply there." in answer
    lock(here)
    answer = grand_table.post(
        "gm", f"threads/{thread.pk}/", do="check", follow=True
    ).content.decode()
    assert (
        "The Round Table: The Heap. This account cannot reply there: Sorry, but you cannot reply "
        "to this thread because it is closed."
    ) in answer
    here.board.closed = "We are at work."
    answer = grand_table.post(
        "gm", f"threads/{thread.pk}/", do="check", follow=True
    ).content.decode()
    assert "The bulletin board is currently closed. We are at work." in answer
    assert here.wire.seen["post"] == 0
    assert grand_table.post("hun", f"threads/{thread.pk}/", do="check").status_code == 403

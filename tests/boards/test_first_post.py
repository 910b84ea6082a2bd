"""The first post of a thread, which is kept up to date by program or copied by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from campaign.errors import Refused
from forum import services
from forum.models import Post, Thread
from forum.posts import first_post, sending
from tests.boards.places import Place
from tests.boards.wire import Fault, client, once
from tests.table import Table, people, running, table, toy  # noqa: F401
from tests.web.grand_table import GrandTable, new_campaign  # noqa: F401

pytestmark = pytest.mark.thorough
At = Callable[..., Place]


def tick(here: Place, minutes: int = 6) -> None:
    clock = here.board.clock
    clock.sleep(minutes * 60)
    sending.tick(clock.now(), client=lambda jar: client(clock, jar))


def own_first_post(here: Place) -> tuple[Any, str]:
    """Write the account's own post by hand, and return it with its address."""
    board = here.board
    text = "The rules of our thread."
    if here.kind == "phpbb":
        post = board.write(1, board.users[3], "Re: The Heap", text)
        return post, f"{board.url}/viewtopic.php?p={post.id}#p{post.id}"
    if here.kind == "mybb":
        post = board.write(1, "Clerk", "RE: The Heap", text)
        return post, f"{board.url}/showthread.php?tid=1&pid={post.id}#pid{post.id}"
    if here.kind == "nodebb":
        post = board.write(1, "Clerk", text)
        return post, f"{board.url}/post/{post.id}"
    post = board.write(7, "Clerk", text)
    return post, f"{board.url}/t/7/{post.number}"


def kept(at: At, table: Table, kind: str) -> tuple[Place, Thread, Any]:  # noqa: F811
    here = at(kind)
    thread = services.set_up(
        table.campaign,
        table.gm,
        transport=kind,
        name="The board",
        settings=here.settings,
        kinds=(),
        now=here.board.clock.now(),
    )
    post, link = own_first_post(here)
    first_post.keep(thread, table.gm, link, now=here.board.clock.now())
    return here, thread, post


@pytest.mark.django_db
def test_the_text_stands_above_what_was_written_there_and_follows_the_game(
    at: At,
    running: Table,  # noqa: F811
    kind: str,
) -> None:
    here, thread, post = kept(at, running, kind)
    tick(here)
    row = first_post.row_of(thread)
    assert row is not None
    assert (row.edit_at, row.last_error) == (None, "")
    assert post.text.split() == (row.text + "\n\nThe rules of our thread.").split()
    before = post.text
    for _ in range(3):
        tick(here)
    assert here.wire.seen["edit"] == 1
    running.play(running.campaign.active_seat, "end")
    tick(here)
    row.refresh_from_db()
    assert post.text != before
    assert post.text.split() == (row.text + "\n\nThe rules of our thread.").split()
    assert here.wire.seen["edit"] == 2
    assert len(here.board.posts) == 2


@pytest.mark.django_db
@pytest.mark.parametrize("fault", [Fault.CUT_AFTER, Fault.CUT_BEFORE, Fault.WORK])
def test_after_a_fault_the_text_is_there_once(
    at: At,
    running: Table,  # noqa: F811
    kind: str,
    fault: Fault,
) -> None:
    here, thread, post = kept(at, running, kind)
    here.wire.faults = once("edit", fault)
    for _ in range(4):
        tick(here, 11)
    row = first_post.row_of(thread)
    assert row is not None
    assert (row.edit_at, row.last_error) == (None, "")
    assert post.text.split() == (row.text + "\n\nThe rules of our thread.").split()


@pytest.mark.django_db
def test_changes_by_others_end_the_updates_with_an_error_and_block_no_post(
    at: At,
    running: Table,  # noqa: F811
) -> None:
    here, thread, post = kept(at, running, "phpbb")
    tick(here)
    post.text = "A moderator put another text here."
    running.play(running.campaign.active_seat, "end")
    services.try_out(thread, running.gm, now=here.board.clock.now())
    for _ in range(3):
        tick(here)
    row = first_post.row_of(thread)
    assert row is not None
    assert (
        row.last_error == "The post has since been changed on the board. Change it there yourself."
    )
    assert post.text == "A moderator put another text here."
    assert Post.objects.get(report="test").state == "posted"
    first_post.keep(thread, running.gm, row.permalink, now=here.board.clock.now())
    tick(here)
    assert post.text.endswith("A moderator put another text here.")
    assert post.text != "A moderator put another text here."


@pytest.mark.django_db
def test_other_boards_and_topics_are_refused(at: At, table: Table, kind: str) -> None:  # noqa: F811
    here = at(kind)
    now = here.board.clock.now()
    thread = services.set_up(
        table.campaign, table.gm, transport=kind, name="x", settings=here.settings, now=now
    )
    _post, link = own_first_post(here)
    for wrong in ("", here.settings["address"], link.replace("127.0.0.1", "example.org")):
        with pytest.raises(Refused) as error:
            first_post.keep(thread, table.gm, wrong, now=now)
        assert error.value.code == "no-post"


@pytest.mark.django_db
def test_the_page_shows_it_and_its_buttons(
    at: At,
    new_campaign: Callable[..., GrandTable],  # noqa: F811
) -> None:
    grand_table, here = new_campaign(), at("mybb")
    grand_table.play("gm", "start")
    thread = services.set_up(
        grand_table.campaign,
        grand_table.people["gm"],
        transport="mybb",
        name="The board",
        settings=here.settings,
        now=here.board.clock.now(),
    )
    page = f"threads/{thread.pk}/"
    shown = grand_table.text("gm", page)
    assert "Keep the first post up to date" in shown
    assert "Copy the first post" in shown
    assert " must move " in shown
    _post, link = own_first_post(here)
    wrong = grand_table.post("gm", page, follow=True, do="keep_first", link="https://example.org/")
    assert "This is not the address of a post" in wrong.content.decode()
    grand_table.post("gm", page, do="keep_first", link=link)
    assert Thread.objects.get().keeps_first_post
    shown = grand_table.text("gm", page)
    assert "Update now" in shown
    row = Post.objects.get()
    assert grand_table.get("gm", f"posts/{row.number}/").status_code == 303
    grand_table.post("gm", page, do="stop_first")
    assert not Thread.objects.get().keeps_first_post
    assert grand_table.post("hun", page, do="keep_first", link=link).status_code == 403


@pytest.mark.django_db
def test_by_hand_it_is_copied(new_campaign: Callable[..., GrandTable]) -> None:  # noqa: F811
    grand_table = new_campaign()
    thread = services.set_up(
        grand_table.campaign,
        grand_table.people["gm"],
        transport="clipboard",
        name="By hand",
        settings={"address": "https://board.example/viewtopic.php?t=1"},
    )
    shown = grand_table.text("gm", f"threads/{thread.pk}/")
    assert "Copy this text and put it into the first post of the thread by hand." in shown
    assert 'data-copy="#first-text"' in shown
    assert 'value="keep_first"' not in shown

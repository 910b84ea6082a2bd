"""The first post of a thread, which is kept up to date by program or copied by hand."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from campaign import services as table_services
from campaign.errors import NotNow, Refused
from forum import services
from forum.models import Post, Thread
from forum.posts import first_post, outbox, sending
from tests.boards.places import Place
from tests.boards.wire import Fault, client, once
from tests.table import Table, people, running, table, toy  # noqa: F401
from tests.web.grand_table import GrandTable, new_campaign  # noqa: F401
from web.exports import packs

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


def shows_once(thread: Thread, post: Any) -> bool:
    """Return whether the post is the present text above what was written by hand."""
    text = first_post.first_post_text(thread)
    return bool(post.text.split() == f"{text}\n\nThe rules of our thread.".split())


@pytest.mark.django_db
def test_an_undo_is_no_reason_to_correct_the_first_post(
    at: At,
    running: Table,  # noqa: F811
) -> None:
    here, thread, post = kept(at, running, "phpbb")
    number = running.campaign.last_number
    running.play(running.campaign.active_seat, "end")
    tick(here)
    undo = running.undo(number)
    assert list(Post.objects.values_list("report", "state")) == [("", "posted")]
    Post.objects.update(state="superseded")
    table_services.restore(running.reload(), running.gm, undo.number, "It was right")
    tick(here)
    row = first_post.row_of(thread)
    assert row is not None
    assert row.state == "superseded"
    assert shows_once(Thread.objects.get(), post)


@pytest.mark.django_db
def test_the_first_post_is_no_report_of_an_audit_pack(
    at: At,
    running: Table,  # noqa: F811
) -> None:
    here, _thread, _post = kept(at, running, "phpbb")
    tick(here)
    assert packs.content_of(running.campaign, "en")[-1] == []


@pytest.mark.django_db
@pytest.mark.parametrize("is_cut", [False, True])
def test_kept_up_to_date_again_it_replaces_the_text_that_is_there(
    at: At,
    running: Table,  # noqa: F811
    is_cut: bool,
) -> None:
    here, thread, post = kept(at, running, "phpbb")
    row = first_post.row_of(thread)
    assert row is not None
    if is_cut:
        here.wire.faults = once("edit", Fault.CUT_AFTER)
    tick(here)
    first_post.stop(thread, running.gm)
    running.play(running.campaign.active_seat, "end")
    first_post.keep(thread, running.gm, row.permalink, now=here.board.clock.now())
    for _ in range(3):
        tick(here)
    assert shows_once(Thread.objects.get(), post)


@pytest.mark.django_db
def test_a_change_that_was_not_confirmed_is_made_before_the_next_one(
    at: At,
    running: Table,  # noqa: F811
) -> None:
    here, thread, post = kept(at, running, "phpbb")
    here.wire.faults = once("edit", Fault.CUT_AFTER)
    tick(here)
    running.play(running.campaign.active_seat, "end")
    assert first_post.update_now(thread, running.gm, now=here.board.clock.now())
    for _ in range(3):
        tick(here)
    row = first_post.row_of(thread)
    assert row is not None
    assert (row.edit_at, row.last_error) == (None, "")
    assert shows_once(Thread.objects.get(), post)


@pytest.mark.django_db
def test_the_name_of_an_erased_user_disappears_from_the_board(
    at: At,
    running: Table,  # noqa: F811
) -> None:
    here, thread, post = kept(at, running, "phpbb")
    tick(here)
    user = running.people[running.campaign.active_seat]
    name = user.username
    assert f"({name})" in post.text
    type(user).objects.filter(pk=user.pk).update(username="former-7")
    leaver = SimpleNamespace(username=name, forum_name="", fog2_name="")
    outbox.erase(leaver, here.board.clock.now())
    tick(here)
    row = first_post.row_of(thread)
    assert row is not None
    assert row.last_error == ""
    assert f"({name})" not in post.text + row.text
    assert "(former-7)" in post.text
    first_post.stop(thread, running.gm)
    outbox.erase(
        SimpleNamespace(username="former-7", forum_name="", fog2_name=""), here.board.clock.now()
    )
    row.refresh_from_db()
    assert "former-7" not in row.text


@pytest.mark.django_db
def test_a_text_that_cannot_be_made_delays_no_other(
    at: At,
    running: Table,  # noqa: F811
    caplog: pytest.LogCaptureFixture,
) -> None:
    here, thread, post = kept(at, running, "phpbb")
    now = here.board.clock.now()
    other = services.set_up(
        running.campaign,
        running.gm,
        transport="phpbb",
        name="Another",
        settings=here.settings,
        now=now,
    )
    _post, link = own_first_post(here)
    first_post.keep(other, running.gm, link, now=now)
    Thread.objects.filter(pk=thread.pk).update(dialect="nonsense")
    tick(here)
    broken, whole = first_post.row_of(thread), first_post.row_of(other)
    assert broken is not None
    assert whole is not None
    assert (broken.last_error, broken.edit_at, broken.text) == ("KeyError", None, "")
    assert whole.text
    assert f"First post {broken.pk} of {running.campaign.public_id} has no text" in caplog.text
    Thread.objects.filter(pk=thread.pk).update(dialect=other.dialect)
    tick(here, 70)
    broken.refresh_from_db()
    assert broken.last_error == ""
    assert shows_once(Thread.objects.get(pk=thread.pk), post)


@pytest.mark.django_db
def test_an_old_form_changes_nothing_after_the_updates_were_stopped(
    at: At,
    running: Table,  # noqa: F811
) -> None:
    here, thread, _post = kept(at, running, "phpbb")
    tick(here)
    row = first_post.row_of(thread)
    assert row is not None
    first_post.stop(thread, running.gm)
    running.play(running.campaign.active_seat, "end")
    with pytest.raises(NotNow):
        first_post.update_now(thread, running.gm, now=here.board.clock.now())
    Thread.objects.update(active=False)
    with pytest.raises(NotNow):
        first_post.keep(thread, running.gm, row.permalink, now=here.board.clock.now())
    row.refresh_from_db()
    assert (row.edit_at, row.next_at) == (None, None)


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

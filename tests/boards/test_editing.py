"""Posted reports whose result was corrected, which are edited only when a user asks for it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from forum import services
from forum.boards import BoardClosed, DoubtfulError, EditsPosts, PermanentError, TemporaryError
from forum.models import Post
from forum.posts import outbox, sending
from games import registry
from outgoing.client import OutsideError
from tests.boards.places import FORMS, Place
from tests.boards.wire import Fault, client, once
from tests.forum.heap import HeapReports
from tests.table import Table, people, running, table, toy  # noqa: F401
from tests.web.grand_table import GrandTable, new_campaign  # noqa: F401

pytestmark = pytest.mark.thorough
At = Callable[..., Place]

WAS = "The Huns won 48% to 12% at Sirmium."
NOW = "The Huns won 48% to 22% at Sirmium."


def edit(here: Place, number: int, link: str, was: str = WAS, now: str = NOW) -> None:
    assert isinstance(here.transport, EditsPosts)
    letter = here.letter(number, now)
    before = here.letter(number, was).text
    here.transport.edit(here.settings, link, before, letter, here.http)


def mine(here: Place) -> str:
    """The text of the account's last post."""
    text: str = [post for post in here.board.posts if post.user in (3, "Clerk")][-1].text
    return text


def test_a_post_is_changed_in_its_place_and_again_changes_nothing(at: At, kind: str) -> None:
    here = at(kind)
    link = here.play(1, WAS).permalink
    posts = len(here.board.posts)
    for _ in range(2):
        here.board.clock.sleep(60)
        edit(here, 1, link)
        assert mine(here) == here.letter(1, NOW).text
    assert (len(here.board.posts), here.times(1), here.wire.seen["edit"]) == (posts, 1, 1)


@pytest.mark.parametrize("kind", FORMS)
def test_a_change_waits_while_the_board_ends_every_session_at_once(at: At, kind: str) -> None:
    here = at(kind)
    link = here.play(1, WAS).permalink
    here.board.clock.sleep(60)
    here.wire.faults = lambda step: Fault.LOST if step == "edit" else None
    with pytest.raises(
        TemporaryError, match="signs this account in and immediately out again"
    ) as result:
        edit(here, 1, link)
    assert result.value.seconds == 1800
    assert mine(here) == here.letter(1, WAS).text
    here.wire.faults = lambda step: None
    edit(here, 1, link)
    assert mine(here) == here.letter(1, NOW).text


def test_changes_of_others_are_not_overwritten(at: At, kind: str) -> None:
    here = at(kind)
    link = here.play(1, WAS).permalink
    here.board.posts[-1].text = "A moderator put another text here."
    with pytest.raises(
        PermanentError,
        match=r"^The post has since been changed on the board\. Change it there"
        r" yourself\.$",
    ):
        edit(here, 1, link)
    assert mine(here) == "A moderator put another text here."


def test_a_post_that_is_gone_or_whose_link_says_too_little(at: At, kind: str) -> None:
    here = at(kind)
    link = here.play(1, WAS).permalink
    with pytest.raises(PermanentError, match="does not say which post it is"):
        edit(here, 1, here.settings["address"])
    here.board.posts.pop()
    with pytest.raises(PermanentError):
        edit(here, 1, link)


def test_what_mybb_put_into_one_post_is_changed_in_its_part_only(at: At) -> None:
    here = at("mybb", merge=60, friendly=False)
    here.play(1, WAS)
    here.board.clock.sleep(61)
    link = here.play(2, "The second part.").permalink
    edit(here, 1, link)
    assert (
        mine(here) == f"{here.letter(1, NOW).text}\n[hr]\n{here.letter(2, 'The second part.').text}"
    )


@pytest.mark.parametrize("kind", FORMS)
def test_an_edit_waits_for_a_board_in_maintenance(at: At, kind: str) -> None:
    here = at(kind)
    link = here.play(1, WAS).permalink
    if kind == "phpbb":
        here.board.disabled = True
    else:
        here.board.closed = "We are at work."
    with pytest.raises(BoardClosed):
        edit(here, 1, link)


@pytest.mark.parametrize(
    "fault", [Fault.CUT_AFTER, Fault.CUT_BEFORE, Fault.EMPTY, Fault.FOREIGN, Fault.BUSY, Fault.LOST]
)
def test_an_edit_that_broke_may_simply_be_done_again(at: At, kind: str, fault: Fault) -> None:
    here = at(kind)
    link = here.play(1, WAS).permalink
    here.wire.faults = once("edit", fault)
    with suppress(TemporaryError, DoubtfulError, OutsideError):
        edit(here, 1, link)
    here.board.clock.sleep(60)
    edit(here, 1, link)
    assert (mine(here), here.times(1)) == (here.letter(1, NOW).text, 1)


# From the outbox ----------------------------------------------------------------------------------


@pytest.fixture
def rendered(running: Table, monkeypatch: pytest.MonkeyPatch) -> Table:  # noqa: F811
    monkeypatch.setattr(registry.TITLES["heap"], "reporter", HeapReports())
    while not running.reload().ended:
        running.play(running.campaign.active_seat, "add", stones=1)
        if not running.reload().ended:
            running.play(running.campaign.active_seat, "end")
    return running


def tick(here: Place) -> None:
    clock = here.board.clock
    sending.tick(clock.now(), client=lambda jar: client(clock, jar))


def posted(here: Place, campaign: Any, gm: Any, report: str) -> Post:
    clock = here.board.clock
    thread = services.set_up(
        campaign, gm, transport=here.kind, name="The board", settings=here.settings, now=clock.now()
    )
    post = services.mark_ready(
        services.draft(campaign, gm, thread, report, now=clock.now()), gm, now=clock.now()
    )
    tick(here)
    post.refresh_from_db()
    assert post.state == "posted"
    return post


@pytest.mark.long
@pytest.mark.django_db
@pytest.mark.parametrize("other", [Fault.CUT_AFTER, Fault.CUT_BEFORE])
def test_a_post_is_edited_only_on_request(at: At, rendered: Table, kind: str, other: Fault) -> None:
    here = at(kind)
    post = posted(here, rendered.campaign, rendered.gm, "final")
    assert outbox.changed_parts(post) == []
    stood = post.text
    # As if what was posted had told something else.
    wrong = stood.replace("\n", "\nIt was told wrongly.\n", 1)
    Post.objects.update(text=wrong)
    here.board.posts[-1].text = wrong
    post.refresh_from_db()
    assert outbox.changed_parts(post) == [(post, stood)]
    for _ in range(3):
        here.board.clock.sleep(3600)
        tick(here)
    assert mine(here) == wrong
    here.wire.faults = once("edit", other)
    services.edit(post, rendered.gm, now=here.board.clock.now())
    for _ in range(3):
        here.board.clock.sleep(3600)
        tick(here)
    post.refresh_from_db()
    assert (mine(here).split(), here.markers(post.marker)) == (stood.split(), 1)
    assert (post.text, post.edit, post.edit_at, post.last_error) == (stood, "", None, "")
    assert post.edited_at is not None
    assert outbox.changed_parts(post) == []


@pytest.mark.django_db
def test_a_change_can_be_taken_back_and_a_refused_one_is_told(at: At, rendered: Table) -> None:
    here = at("nodebb")
    post = posted(here, rendered.campaign, rendered.gm, "final")
    Post.objects.update(text=post.text + "x")
    post.refresh_from_db()
    services.edit(post, rendered.gm, now=here.board.clock.now())
    services.cancel_edit(post, rendered.gm)
    here.board.clock.sleep(3600)
    tick(here)
    assert here.wire.seen["edit"] == 0
    here.board.posts[-1].text = "Somebody changed it."
    services.edit(post, rendered.gm, now=here.board.clock.now())
    tick(here)
    post.refresh_from_db()
    assert (post.state, post.edit_at) == ("posted", None)
    assert (
        post.last_error == "The post has since been changed on the board. Change it there yourself."
    )


@pytest.mark.django_db
def test_the_page_offers_it_with_what_changes(
    at: At,
    new_campaign: Callable[..., GrandTable],  # noqa: F811
) -> None:
    grand_table, here = new_campaign(), at("mybb")
    grand_table.play("gm", "start")
    post = posted(here, grand_table.campaign, grand_table.people["gm"], "opening-1")
    page = f"posts/{post.number}/"
    assert "Update the post" not in grand_table.text("gm", page)
    Post.objects.update(text=post.text.replace("\n", "\nIt was told wrongly.\n", 1))
    shown = grand_table.text("gm", page)
    assert "<del>It was told wrongly.</del>" in shown
    assert "The current report differs from the text posted there." in shown
    assert grand_table.post("hun", page, do="edit").status_code == 403
    answer = grand_table.post("gm", page, do="edit", follow=True).content.decode()
    assert "The post will be changed there within a minute." in answer
    assert "Leave the post as it is" in answer
    grand_table.post("gm", page, do="keep")
    assert Post.objects.get().edit_at is None


def test_a_letter_with_another_text_is_another_letter(at: At) -> None:
    here = at("nodebb")
    assert replace(here.letter(1), text="x").marker == "[GC-1-9f2a]"
    assert timedelta(minutes=10) == sending.EDIT_AGAIN
    with pytest.raises(TemporaryError):
        raise BoardClosed(1, "x")

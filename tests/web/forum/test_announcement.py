"""The announcement before the start: in the outbox, on the desk, and in a question at the start."""

from __future__ import annotations

import pytest

from forum.models import Post
from tests.web.contests import visible_text
from tests.web.grand_table import GrandTable, draft, new_campaign

__all__ = ["draft", "new_campaign"]
pytestmark = pytest.mark.django_db
PLACE = "https://board.example/t/7"
FIRST = "Post the announcement with the commitment of the dice before you start."


def start(table: GrandTable, **more: str) -> object:
    table.campaign.refresh_from_db()
    return table.post("gm", "desk/", do="turn", move="start", seen=str(table.seen("gm")), **more)


def test_it_comes_first_in_the_outbox_and_on_the_desk(draft: GrandTable) -> None:
    outbox = visible_text(draft.get("gm", "posts/"))
    assert outbox.index("Before the start") < outbox.index("Announcement")
    desk = visible_text(draft.get("gm", "desk/"))
    assert desk.index(FIRST) < desk.index("A d6 decides which nation opens turn 1.")
    assert desk.count(FIRST) == 1
    draft.post("gm", "posts/", do="place", address=PLACE)
    thread = draft.campaign.threads.get()
    draft.post("gm", f"threads/{thread.pk}/", do="test")
    page = draft.text("gm", "posts/")
    assert "Next to post: Announcement" in page
    assert draft.campaign.commitment in page
    names = [
        page.index(f"<strong>{name}</strong>")
        for name in ("Announcement", Post.objects.get(report="test").subject)
    ]
    assert names == sorted(names)
    assert FIRST in visible_text(draft.get("gm", "desk/")), "a draft is not posted yet"
    post = Post.objects.get(report="announcement")
    draft.post(
        "gm", f"posts/{post.number}/", do="posted", part="1", link="https://board.example/p/1"
    )
    assert FIRST not in visible_text(draft.get("gm", "desk/"))
    assert start(draft).status_code == 302  # type: ignore[attr-defined]


def test_a_start_without_it_asks_once(draft: GrandTable) -> None:
    asked = start(draft)
    assert asked.status_code == 200  # type: ignore[attr-defined]
    text = visible_text(asked)
    assert "You have not posted the announcement. It contains the commitment of the dice" in text
    assert "Start without the announcement" in text
    draft.campaign.refresh_from_db()
    assert not draft.campaign.started
    assert 'name="unannounced" value="1"' in asked.content.decode()  # type: ignore[attr-defined]
    assert start(draft, unannounced="1").status_code == 302  # type: ignore[attr-defined]
    draft.campaign.refresh_from_db()
    assert draft.campaign.started
    assert FIRST not in visible_text(draft.get("gm", "desk/"))


def test_a_draft_of_it_is_skipped_when_the_campaign_starts(
    draft: GrandTable, django_capture_on_commit_callbacks: object
) -> None:
    draft.post("gm", "posts/", do="place", address=PLACE)
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        start(draft, unannounced="1")
    assert Post.objects.get(report="announcement").state == Post.State.ASIDE
    assert "Next to post: " in visible_text(draft.get("gm", "posts/"))

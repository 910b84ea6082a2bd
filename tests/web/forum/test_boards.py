"""The page that sets up a board: its fields, its errors, and secrets that are never shown again."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils.html import escape

from campaign import keys
from forum.models import Thread
from tests.web.grand_table import GrandTable, new_campaign  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.thorough]
SECRET = "Zx9-not-to-be-seen"
BOARDS = {
    "phpbb": (
        "https://board.example/viewtopic.php?f=3&t=12&start=10",
        "https://board.example/viewtopic.php?t=12",
    ),
    "mybb": (
        "https://board.example/thread-12-page-2.html",
        "https://board.example/showthread.php?tid=12",
    ),
    "nodebb": ("https://board.example/topic/12/the-heap/3", "https://board.example/topic/12"),
    "discourse": ("https://board.example/t/the-heap/12/3", "https://board.example/t/12"),
}


@pytest.mark.parametrize("kind", BOARDS)
def test_a_board_is_set_up_on_the_page(new_campaign: Callable[..., GrandTable], kind: str) -> None:  # noqa: F811
    grand_table = new_campaign()
    given, kept = BOARDS[kind]
    page = grand_table.text("gm", "threads/new/", transport=kind)
    assert "looks for its mark before anything is sent again" in page
    content = {
        "transport": kind,
        "name": "The board",
        "language": "en",
        "dialect": "",
        "kinds": "turn",
        "set-username": "Clerk",
    }
    content |= {"set-password": SECRET, "set-token": SECRET, "set-api_key": SECRET}
    wrong = grand_table.post(
        "gm", "threads/new/", **content, **{"set-address": "https://board.example/"}
    )
    assert wrong.status_code == 422
    assert "This is not the address of a topic" in wrong.content.decode()
    assert SECRET not in wrong.content.decode()
    created = grand_table.post(
        "gm", "threads/new/", **content, **{"set-address": given}, follow=True
    )
    assert created.status_code == 200
    thread = Thread.objects.get()
    assert thread.settings["address"] == kept
    assert SECRET in keys.unseal(thread.sealed)
    for text in (thread.settings, thread.sealed, thread.session):
        assert SECRET not in text
    for path in (f"threads/{thread.pk}/", "posts/", "heard/"):
        page = grand_table.text("gm", path)
        assert SECRET not in page
        assert "Clerk" not in page or path.startswith("threads/")
    assert escape(kept) in grand_table.text("gm", f"threads/{thread.pk}/")


@pytest.mark.parametrize("kind", BOARDS)
def test_a_password_goes_to_no_other_board(
    new_campaign: Callable[..., GrandTable],  # noqa: F811
    kind: str,
) -> None:
    """A game master who never saw a password cannot get it by another address.

    The password is not sent to an address of their own.
    """
    grand_table = new_campaign()
    given, kept = BOARDS[kind]
    content = {
        "transport": kind,
        "name": "The board",
        "language": "en",
        "dialect": "",
        "kinds": "turn",
        "set-username": "Clerk",
    }
    secret = {"set-password": SECRET, "set-token": SECRET, "set-api_key": SECRET}
    grand_table.post("gm", "threads/new/", **content, **secret, **{"set-address": given})
    thread = Thread.objects.get()
    change = {**content, "do": "save", "active": "on"}
    for other in (
        given.replace("board.example", "elsewhere.example"),
        given.replace("board.example", "board.example/mine"),
    ):
        answer = grand_table.post("gm", f"threads/{thread.pk}/", **change, **{"set-address": other})
        assert answer.status_code == 422
        assert "the saved credentials are not sent there" in answer.content.decode()
        assert Thread.objects.get().settings["address"] == kept
    # Another topic of the same board is the same board; a password typed anew may go anywhere.
    grand_table.post(
        "gm", f"threads/{thread.pk}/", **change, **{"set-address": given.replace("12", "13")}
    )
    assert Thread.objects.get().settings["address"] == kept.replace("12", "13")
    grand_table.post(
        "gm",
        f"threads/{thread.pk}/",
        **change,
        **secret,
        **{"set-address": given.replace("board.", "elsewhere.")},
    )
    assert "elsewhere.example" in Thread.objects.get().settings["address"]

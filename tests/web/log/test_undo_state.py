"""Undo by a lone player, who is game master too, on a page of the title's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaign.hosting.audit import differences
from tests.alone import Alone, alone, patience
from tests.web.titles.test_table import visible_text

__all__ = ["alone", "patience"]
pytestmark = pytest.mark.django_db


def test_a_player_takes_back_their_last_move_without_dice(alone: Alone) -> None:
    alone.post("act/", do="rest")
    page = visible_text(alone.text("undo/"))
    assert "Take back this move?" in page
    assert "Moldwarp does: rest" in page
    assert "hall of fame" not in page
    answer = alone.post("undo/", to="3")
    assert (answer.status_code, answer["Location"]) == (303, alone.home)
    assert alone.content() == ["begin"]
    last = alone.campaign.entries.last()
    assert last is not None
    assert last.content == {"act": "undo", "own": True}
    assert not alone.reload().retried
    assert list(differences(alone.campaign)) == []


def test_after_a_die_the_cost_of_an_undo_is_shown(alone: Alone) -> None:
    alone.post("act/", do="rest")
    alone.post("onward/", how="on")
    page = visible_text(alone.text("undo/", to="3"))
    assert "Take back these 3 moves?" in page
    assert (
        "Dice have been rolled: if you do this, this campaign cannot enter the hall of fame."
        in page
    )
    assert "(everyone can read it)" in page
    assert alone.content() == ["begin", "rest", "pass", "pass"]
    alone.post("undo/", to="3", reason="I meant to dig.")
    assert alone.content() == ["begin"]
    assert alone.reload().retried
    assert "I meant to dig." in Client().get(alone.home + "log/").content.decode()
    assert list(differences(alone.campaign)) == []
    alone.post("act/", do="rest")
    assert "hall of fame" not in alone.text("undo/"), "it is out of it already"


def test_a_player_goes_back_to_a_decision(alone: Alone) -> None:
    for _ in range(2):
        alone.post("act/", do="rest")
        alone.post("onward/", how="on")
    page = alone.text("undo/")
    assert "Take back these 3 moves?" in page
    assert '<input type="hidden" name="to" value="6">' in page
    assert '<a href="?to=3">Moldwarp does: rest</a>' in page
    assert 'href="?to=4"' not in page
    assert "Take back these 6 moves?" in alone.text("undo/", to="3")


def test_changes_are_listed_with_the_dice_that_become_known(alone: Alone) -> None:
    alone.post("act/", do="rest")
    alone.post("onward/", how="on")
    alone.text("undo/", to="3")
    with CaptureQueriesContext(connection) as queries:
        page = alone.text("undo/", to="3")
    assert len(queries) <= 12
    assert "Dice already known" in page
    assert (
        "If you repeat the move, you get the same dice. Moldwarp can "
        "now choose again, already knowing the dice."
    ) in visible_text(page)
    assert 'id="changes"' in page


def test_without_a_reason_nothing_is_struck(alone: Alone) -> None:
    alone.post("act/", do="rest")
    alone.post("onward/", how="on")
    answer = alone.post("undo/", to="3", reason=" ")
    assert answer["Location"] == alone.home + "undo/"
    assert len(alone.content()) == 4


def test_an_undo_can_be_restored_until_the_next_move(alone: Alone) -> None:
    alone.post("act/", do="rest")
    alone.post("onward/", how="on")
    alone.post("undo/", to="4", reason="Hm.")
    assert "Restore it?" in alone.text("undo/")
    alone.post("undo/", do="restore", reason="I want to keep it after all.")
    assert alone.content() == ["begin", "rest", "pass", "pass"]
    assert not alone.reload().retried
    assert "Restore it?" not in alone.text("undo/")
    alone.post("undo/", do="restore", reason="Again.")
    assert alone.content() == ["begin", "rest", "pass", "pass"]


def test_the_first_entry_cannot_be_undone(alone: Alone) -> None:
    assert "Nothing to take back" in alone.text("undo/")
    assert alone.client.get(alone.home + "undo/", {"to": "2"}).status_code == 404
    assert alone.post("undo/", to="2", reason="All of it.").status_code == 404
    alone.post("undo/", reason="All of it.")
    assert alone.content() == ["begin"]


@pytest.mark.parametrize("to", ["x", "99", "-1", "0", "\u0663", "9" * 30])
def test_an_invalid_request_strikes_nothing(alone: Alone, to: str) -> None:
    alone.post("act/", do="rest")
    assert alone.client.get(alone.home + "undo/", {"to": to}).status_code == 404
    assert alone.post("undo/", to=to, reason="Why?").status_code == 404
    assert alone.content() == ["begin", "rest"]


def test_a_stale_page_strikes_nothing(alone: Alone) -> None:
    alone.post("act/", do="rest")
    old = alone.seen
    alone.post("onward/", how="on")
    alone.post("undo/", seen=old, to="3", reason="Hm.")
    assert len(alone.content()) == 4
    assert "The table has moved on" in alone.text()


def test_other_users_cannot_undo(alone: Alone, person: Callable[..., Any]) -> None:
    alone.post("act/", do="rest")
    other = Client()
    other.force_login(person("Sid"))
    assert other.get(alone.home + "undo/").status_code == 403
    assert other.post(alone.home + "undo/", {"seen": str(alone.seen), "to": "3"}).status_code == 403
    assert Client().get(alone.home + "undo/").status_code == 302
    assert alone.content() == ["begin", "rest"]


def test_an_undo_reopens_a_finished_campaign(alone: Alone) -> None:
    while not alone.reload().ended:
        alone.post("onward/", how="end")
    number = alone.campaign.last_number
    alone.post("undo/", to=str(number), reason="Once more.")
    assert not alone.reload().ended

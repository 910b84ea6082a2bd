"""Answers to an open page: nothing, or the new entries that its reader may see."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaign import services
from tests.alone import Alone, alone, patience
from tests.web.grand_table import WHO, GrandTable, grand_table, new_campaign

__all__ = ["alone", "grand_table", "new_campaign", "patience"]
pytestmark = pytest.mark.django_db


def at(grand_table: GrandTable, who: str, path: str = "") -> str:
    """Return the mark of a fresh page."""
    created = re.search(
        r'id="live" role="status" data-url="([^"]+)" data-at="([^"]+)"', grand_table.text(who, path)
    )
    assert created
    assert created[1] == f"{grand_table.home}live/"
    return created[2]


def ask(grand_table: GrandTable, who: str, mark: str) -> Any:
    """Send the request of the page's script with this mark."""
    headers = {"If-None-Match": f'"{mark}"'}
    return grand_table.clients[who].get(f"{grand_table.home}live/", {"at": mark}, headers=headers)


def test_nothing_has_moved(grand_table: GrandTable) -> None:
    for who in WHO:
        mark = at(grand_table, who)
        answer = ask(grand_table, who, mark)
        assert (answer.status_code, answer.content) == (304, b"")
        assert answer["ETag"] == f'"{mark}"'
        assert answer["Cache-Control"] == "private, no-cache"


def test_every_reader_gets_a_new_entry_once(grand_table: GrandTable) -> None:
    before = {who: at(grand_table, who, "log/") for who in WHO}
    grand_table.play(
        "huns", "attack", kind="land", battle="open", target="dalmatia", **{"from": "pannonia"}
    )
    number = grand_table.campaign.last_number
    for who in WHO:
        text = grand_table.text(who, "live/", at=before[who])
        assert "<strong>1 new entry</strong>" in text
        assert re.search(
            rf'Dalmatia.* ?<a href="{grand_table.home}e/{number}/"'
            rf' data-entry="{number}">{number}</a>',
            text,
        )
        assert f'data-new="{number}"' in text
        now = re.search(r'data-at="([^"]+)"', text)
        assert now
        assert ask(grand_table, who, now[1]).status_code == 304


def test_of_many_new_entries_the_latest_are_sent(grand_table: GrandTable) -> None:
    before = at(grand_table, "roman")
    for n in range(5):
        grand_table.play(
            "gm", "adjust", nation="huns", account="income", change=1 + n, reason="As ruled."
        )
    text = grand_table.text("roman", "live/", at=before)
    assert "<strong>5 new entries</strong>" in text
    assert len(re.findall("data-entry", text)) == 3
    assert f'<a href="{grand_table.home}log/">and 2 before them</a>' in text


def test_an_open_mark_counts_the_entries_of_earlier_answers(grand_table: GrandTable) -> None:
    before = at(grand_table, "roman")
    grand_table.play("gm", "adjust", nation="huns", account="income", change=1, reason="As ruled.")
    text = grand_table.text("roman", "live/", at=before, counted="3")
    assert '<div class="live__text" data-count="4"><p><strong>4 new entries</strong>' in text
    for nonsense in ("", "-3", "a", "9" * 400):
        assert grand_table.get("roman", "live/", at=before, counted=nonsense).status_code == 200


def test_an_undo_is_announced(grand_table: GrandTable) -> None:
    grand_table.play("huns", "build", structure="shrines")
    before = at(grand_table, "roman")
    services.undo_to(
        grand_table.campaign,
        grand_table.people["gm"],
        grand_table.campaign.last_number - 1,
        "Too early.",
        grand_table.seen("gm"),
    )
    assert "1 new entry" in grand_table.text("roman", "live/", at=before)


def test_acts_are_announced_too(grand_table: GrandTable) -> None:
    before = at(grand_table, "roman")
    _, token = services.invite(grand_table.campaign, grand_table.people["gm"], "vandals")
    services.take_seat(grand_table.people["stranger"], token)
    assert "Vandals: the seat is taken." in grand_table.text("roman", "live/", at=before)


def test_a_notice_alone_changes_the_bell(grand_table: GrandTable) -> None:
    before = at(grand_table, "hun")
    grand_table.people["hun"].notices.filter(read_at=None).update(read_at="2026-03-01T00:00:00Z")
    assert ask(grand_table, "hun", before).status_code == 200


@pytest.mark.parametrize(
    "asked", ["", "x", "-1.0", "9999999999999999999.a", "1", "999.f", "\x00", "²."]
)
def test_an_invalid_mark_gets_the_current_one(grand_table: GrandTable, asked: str) -> None:
    answer = grand_table.get("hun", "live/", at=asked)
    assert answer.status_code == 200
    assert "data-at=" in answer.content.decode()


def test_only_their_player_gets_hidden_orders(new_campaign: Callable[..., GrandTable]) -> None:
    """The order is a Bodyguard's (4.10)."""
    grand_table = new_campaign(hands="hidden")
    grand_table.play("gm", "start")
    grand_table.play("gm", "give-card", nation="romans", card="bodyguard", reason="A correction.")
    before = {who: at(grand_table, who) for who in WHO}
    grand_table.play("romans", "keep", card="bodyguard", value=False)
    answers = {who: ask(grand_table, who, before[who]).status_code for who in WHO}
    assert answers == {"gm": 200, "hun": 304, "roman": 200, "stranger": 304, "nobody": 304}


def test_strangers_get_nothing_of_a_members_campaign(
    new_campaign: Callable[..., GrandTable],
) -> None:
    assert new_campaign("members").statuses("live/") == {
        "gm": 200,
        "hun": 200,
        "roman": 200,
        "stranger": 404,
        "nobody": 404,
    }


@pytest.mark.parametrize(("who", "most"), [("gm", 5), ("hun", 5), ("stranger", 4), ("nobody", 2)])
def test_an_answer_needs_few_queries_and_replays_nothing(
    grand_table: GrandTable, who: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The queries read session, user, campaign, seats and unread notices.

    For an anonymous reader they read campaign and seats. Strangers have no unread notices here.
    """
    before = at(grand_table, who)

    def never(campaign: Any) -> Any:
        raise AssertionError("the log was played again")

    monkeypatch.setattr("campaign.log.positions.current", never)
    with CaptureQueriesContext(connection) as queries:
        assert ask(grand_table, who, before).status_code == 304
    assert len(queries) == most


def test_these_pages_are_updated(grand_table: GrandTable) -> None:
    paths = ("", "n/huns/", "log/", "battles/", "desk/", "dice/", "history/", "rules/", "e/1/")
    parts = [path for path in paths if " data-parts" in grand_table.text("gm", path)]
    assert parts == ["", "n/huns/", "log/", "battles/", "desk/"]
    asked = grand_table.post(
        "gm",
        "preview/",
        offer="end-slot",
        move="end-slot",
        seen=str(grand_table.seen("gm")),
        **{"for": "huns"},
    )
    assert 'id="live"' in asked.content.decode()
    assert " data-parts" not in asked.content.decode()


def test_a_page_for_one_player_asks_nothing(alone: Alone) -> None:
    assert 'id="live"' not in alone.text()
    assert 'id="live"' in Client().get(alone.home).content.decode()

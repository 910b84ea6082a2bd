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
from tests.web.five import WHO, Five, five, new_campaign

__all__ = ["alone", "five", "new_campaign", "patience"]
pytestmark = pytest.mark.django_db


def at(five: Five, who: str, path: str = "") -> str:
    """Return the mark of a fresh page."""
    created = re.search(
        r'id="live" role="status" data-url="([^"]+)" data-at="([^"]+)"', five.text(who, path)
    )
    assert created
    assert created[1] == f"{five.home}live/"
    return created[2]


def ask(five: Five, who: str, mark: str) -> Any:
    """Send the request of the page's script with this mark."""
    headers = {"If-None-Match": f'"{mark}"'}
    return five.clients[who].get(f"{five.home}live/", {"at": mark}, headers=headers)


def test_nothing_has_moved(five: Five) -> None:
    for who in WHO:
        mark = at(five, who)
        answer = ask(five, who, mark)
        assert (answer.status_code, answer.content) == (304, b"")
        assert answer["ETag"] == f'"{mark}"'
        assert answer["Cache-Control"] == "private, no-cache"


def test_every_reader_gets_a_new_entry_once(five: Five) -> None:
    before = {who: at(five, who, "log/") for who in WHO}
    five.play(
        "huns", "attack", kind="land", battle="open", target="dalmatia", **{"from": "pannonia"}
    )
    number = five.campaign.last_number
    for who in WHO:
        text = five.text(who, "live/", at=before[who])
        assert "<strong>1 new entry</strong>" in text
        assert re.search(
            rf'Dalmatia.* ?<a href="{five.home}e/{number}/" data-entry="{number}">{number}</a>',
            text,
        )
        assert f'data-new="{number}"' in text
        now = re.search(r'data-at="([^"]+)"', text)
        assert now
        assert ask(five, who, now[1]).status_code == 304


def test_of_many_new_entries_the_latest_are_sent(five: Five) -> None:
    before = at(five, "roman")
    for n in range(5):
        five.play("gm", "adjust", nation="huns", account="income", change=1 + n, reason="As ruled.")
    text = five.text("roman", "live/", at=before)
    assert "<strong>5 new entries</strong>" in text
    assert len(re.findall("data-entry", text)) == 3
    assert f'<a href="{five.home}log/">and 2 before them</a>' in text


def test_an_open_mark_counts_the_entries_of_earlier_answers(five: Five) -> None:
    before = at(five, "roman")
    five.play("gm", "adjust", nation="huns", account="income", change=1, reason="As ruled.")
    text = five.text("roman", "live/", at=before, counted="3")
    assert '<div class="live__text" data-count="4"><p><strong>4 new entries</strong>' in text
    for nonsense in ("", "-3", "a", "9" * 400):
        assert five.get("roman", "live/", at=before, counted=nonsense).status_code == 200


def test_an_undo_is_announced(five: Five) -> None:
    five.play("huns", "build", structure="shrines")
    before = at(five, "roman")
    services.undo_to(
        five.campaign,
        five.people["gm"],
        five.campaign.last_number - 1,
        "Too early.",
        five.seen("gm"),
    )
    assert "1 new entry" in five.text("roman", "live/", at=before)


def test_acts_are_announced_too(five: Five) -> None:
    before = at(five, "roman")
    _, token = services.invite(five.campaign, five.people["gm"], "vandals")
    services.take_seat(five.people["stranger"], token)
    assert "Vandals: the seat is taken." in five.text("roman", "live/", at=before)


def test_a_notice_alone_changes_the_bell(five: Five) -> None:
    before = at(five, "hun")
    five.people["hun"].notices.filter(read_at=None).update(read_at="2026-03-01T00:00:00Z")
    assert ask(five, "hun", before).status_code == 200


@pytest.mark.parametrize(
    "asked", ["", "x", "-1.0", "9999999999999999999.a", "1", "999.f", "\x00", "²."]
)
def test_an_invalid_mark_gets_the_current_one(five: Five, asked: str) -> None:
    answer = five.get("hun", "live/", at=asked)
    assert answer.status_code == 200
    assert "data-at=" in answer.content.decode()


def test_only_their_player_gets_hidden_orders(new_campaign: Callable[..., Five]) -> None:
    """The order is a Bodyguard's (4.10)."""
    five = new_campaign(hands="hidden")
    five.play("gm", "start")
    five.play("gm", "give-card", nation="romans", card="bodyguard", reason="A correction.")
    before = {who: at(five, who) for who in WHO}
    five.play("romans", "keep", card="bodyguard", value=False)
    answers = {who: ask(five, who, before[who]).status_code for who in WHO}
    assert answers == {"gm": 200, "hun": 304, "roman": 200, "stranger": 304, "nobody": 304}


def test_strangers_get_nothing_of_a_members_campaign(new_campaign: Callable[..., Five]) -> None:
    assert new_campaign("members").statuses("live/") == {
        "gm": 200,
        "hun": 200,
        "roman": 200,
        "stranger": 404,
        "nobody": 404,
    }


@pytest.mark.parametrize(("who", "most"), [("gm", 5), ("hun", 5), ("stranger", 4), ("nobody", 2)])
def test_an_answer_needs_few_queries_and_replays_nothing(
    five: Five, who: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The queries read session, user, campaign, seats and unread notices.

    For an anonymous reader they read campaign and seats. Strangers have no unread notices here.
    """
    before = at(five, who)

    def never(campaign: Any) -> Any:
        raise AssertionError("the log was played again")

    monkeypatch.setattr("campaign.log.positions.current", never)
    with CaptureQueriesContext(connection) as queries:
        assert ask(five, who, before).status_code == 304
    assert len(queries) == most


def test_these_pages_are_updated(five: Five) -> None:
    paths = ("", "n/huns/", "log/", "battles/", "desk/", "dice/", "history/", "rules/", "e/1/")
    parts = [path for path in paths if " data-parts" in five.text("gm", path)]
    assert parts == ["", "n/huns/", "log/", "battles/", "desk/"]
    asked = five.post(
        "gm",
        "preview/",
        offer="end-slot",
        move="end-slot",
        seen=str(five.seen("gm")),
        **{"for": "huns"},
    )
    assert 'id="live"' in asked.content.decode()
    assert " data-parts" not in asked.content.decode()


def test_a_page_for_one_player_asks_nothing(alone: Alone) -> None:
    assert 'id="live"' not in alone.text()
    assert 'id="live"' in Client().get(alone.home).content.decode()

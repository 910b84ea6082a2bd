"""Deadlines where people look: at the table, on a nation's and a battle's page, at the desk, in the
list of campaigns.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from campaign.clocks.services import tick
from campaign.models import Clock, LogEntry
from tests.web.contests import plain, seen
from tests.web.five import Five, draft, new_campaign
from tests.web.timed import (
    DAY,
    HOUR,
    ROME,
    YORK,
    challenged,
    clock,
    local,
    moments,
    overdue,
    start,
    terms,
)
from web.frame.deadlines import left, span

__all__ = ["challenged", "draft", "new_campaign", "overdue"]
pytestmark = pytest.mark.django_db
NOW = datetime(2026, 3, 7, 11, 0, tzinfo=UTC)


def at(clock: Clock) -> str:
    """A moment of another day than today as it is read in Rome."""
    there = clock.due_at.astimezone(ROME)
    return (
        f"{there:%-d %b %H:%M}"
        if there.year == datetime.now(ROME).year
        else f"{there:%-d %b %Y %H:%M}"
    )


@pytest.mark.parametrize(
    ("rest", "content"),
    [
        (timedelta(days=3, hours=5), ("3 d", "")),
        (timedelta(days=2, hours=23, minutes=59), ("3 d", "")),
        (timedelta(days=2, hours=11), ("2 d", "")),
        (timedelta(hours=47, minutes=59), ("2 d", "")),
        (timedelta(hours=28), ("1 d 4 h", "")),
        (timedelta(hours=24), ("1 d 0 h", "")),
        (timedelta(hours=6, minutes=59), ("6 h left", "warn")),
        (timedelta(minutes=12), ("12 min left", "warn")),
        (timedelta(0), ("overdue", "bad")),
        (-timedelta(minutes=59), ("overdue", "bad")),
        (-timedelta(hours=5), ("overdue 5 h", "bad")),
        (-timedelta(days=3, hours=2), ("overdue 3 d 2 h", "bad")),
    ],
)
def test_how_much_is_left(rest: timedelta, content: tuple[str, str]) -> None:
    assert left(Clock(due_at=NOW + rest), NOW) == content
    assert left(Clock(due_at=NOW + rest, held_at=NOW - DAY), NOW) == ("stands still", "")


def test_a_length_of_time_has_its_two_greatest_units() -> None:
    assert [span(timedelta(minutes=n)) for n in (-5, 0, 59, 60, 1439, 1440, 7000)] == [
        "0 min",
        "0 min",
        "59 min",
        "1 h",
        "23 h",
        "1 d 0 h",
        "4 d 20 h",
    ]


# Where people look --------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["", "n/huns/", "b/1/", "battles/", "desk/", "clocks/", "log/"])
def test_the_open_slot_tells_its_deadline_in_the_readers_zone(challenged: Five, path: str) -> None:
    slot = clock(challenged, "slot")
    assert local(slot.due_at, ROME) in moments(challenged.text("gm", path))
    if path != "desk/":
        assert local(slot.due_at, YORK) in moments(challenged.text("hun", path))
        assert slot.due_at.isoformat(timespec="seconds") in moments(challenged.text("nobody", path))


def test_the_table_waits_for_whom_until_when(challenged: Five) -> None:
    answer = clock(challenged, "answer", 1)
    text = plain(challenged.get("roman"))
    assert f"You : answer the attack on Dalmatia #1 Romans due {at(answer)}" in text
    assert re.search(r"Ingrid : play the slot Huns since [^,]+, due \S+ \S+ \S* ?2\d h left", text)
    assert f"Answer awaited Benedetto, due {at(answer)}" in text


def test_a_nations_page_says_until_when_and_what_then(challenged: Five) -> None:
    text = plain(challenged.get("hun", "n/huns/"))
    then = "Nothing happens automatically then: the game master decides how it goes on."
    assert re.search(rf"Your slot is open until [^.]+\. 2\d h left {then}", text)
    assert "Extend…" not in text
    page = challenged.text("gm", "n/huns/")
    assert re.search(r"The slot is open since [^,]+, until [^.]+\.", plain(page))
    assert (
        f'href="{challenged.home}clocks/?extend={clock(challenged, "slot").pk}&amp;back=nation#extend">Extend…</a>'  # noqa: E501
        in page
    )
    assert "slot is open" not in plain(challenged.get("roman", "n/romans/"))


def test_a_battle_tells_until_when_it_is_answered_fought_confirmed(challenged: Five) -> None:
    assert f"Benedetto to answer. Answer until {at(clock(challenged, 'answer', 1))}" in plain(
        challenged.get("roman", "b/1/")
    )
    challenged.play("romans", "respond", attack=1, choice="accept")
    fight = at(clock(challenged, "battle", 1))
    assert f"Ingrid and Benedetto play. Fight until {fight}" in plain(
        challenged.get("roman", "b/1/")
    )
    claimed = challenged.post(
        "hun", "b/1/", do="claim", by="winner", side="attacker", seen=seen(challenged, "hun")
    )
    assert claimed.status_code == 302
    challenged.campaign.refresh_from_db()
    confirm = at(clock(challenged, "claim", 1))
    assert f"Benedetto to confirm. Confirm until {confirm}" in plain(
        challenged.get("roman", "b/1/")
    )
    assert f"Confirm or dispute by {confirm}" in plain(challenged.get("roman", "n/romans/"))
    assert f"Benedetto to confirm, due {confirm}" in plain(challenged.get("gm", "battles/"))
    disputed = challenged.post(
        "roman", "b/1/", do="dispute", claim=str(last(challenged).number), reason="No.", seen="0"
    )
    assert disputed.status_code == 302
    text = plain(challenged.get("roman", "b/1/"))
    assert "Marozia to judge." in text
    assert not re.search(r"(Confirm|Fight) until", text), "a game master has no deadline"


def last(table: Five) -> LogEntry:
    return LogEntry.objects.filter(campaign=table.campaign).latest("sequence")


def test_the_list_of_my_campaigns_says_what_waits_for_me(challenged: Five) -> None:
    slot, answer = clock(challenged, "slot"), clock(challenged, "answer", 1)
    page = challenged.text("hun", "/")
    assert local(slot.due_at, YORK) in moments(page)
    assert "your slot until" in plain(page)
    assert f"your answer to #1 until {at(answer)}" in plain(challenged.get("roman", "/"))
    for who in ("gm", "stranger", "nobody"):
        assert not re.search(
            r"your (slot|answer|battle|confirmation)", plain(challenged.get(who, "/"))
        ), who


# Overdue ------------------------------------------------------------------------------------------


def test_the_desk_marks_what_is_overdue_and_proposes(overdue: Five) -> None:
    page = overdue.text("gm", "desk/")
    text = plain(page)
    assert "Waiting for players 2 things, 2 overdue" in text
    slot, answer = clock(overdue, "slot"), clock(overdue, "answer", 1)
    assert re.search(
        r"overdue 1 d 2 h Remind Ingrid .{0,40}? End the slot Ingrid Extend… Ingrid", text
    )
    assert re.search(
        r"overdue 2 h Remind Benedetto .{0,40}? Answer… Benedetto #1 Extend… Benedetto #1", text
    )
    for one in (slot, answer):
        assert (
            f'href="{overdue.home}clocks/?extend={one.pk}&amp;back=desk#extend">Extend…<span'
            in page
        )
    (form,) = re.findall(r'<form method="post" action="[^"]+/move/">(.*?)</form>', page, re.S)
    fields = dict(re.findall(r'name="([^"]+)" value="([^"]*)"', form))
    fields.pop("csrfmiddlewaretoken")
    asked = overdue.post("gm", "move/", **fields)
    assert asked.status_code == 200, "actions are left: it says what lapses"
    done = overdue.post("gm", "move/", sure="1", **fields)
    assert (done.status_code, done["Location"]) == (303, overdue.home + "desk/")
    assert last(overdue).content == {"by": "gm", "for": "huns", "move": "end-slot"}


def test_what_is_not_overdue_is_not_ended_for_them(challenged: Five) -> None:
    text = plain(challenged.get("gm", "desk/"))
    assert "Play… Ingrid Extend… Ingrid" in text
    assert "End the slot" not in text
    assert "overdue" not in text


def test_everybody_sees_what_is_overdue(overdue: Five) -> None:
    for who in ("roman", "nobody"):
        assert "overdue 1 d 2 h" in plain(overdue.get(who))
    assert "overdue 1 d 2 h" in plain(overdue.get("hun", "/"))


# What the clock did -------------------------------------------------------------------------------


@pytest.fixture
def acted(overdue: Five) -> Five:
    """The clock has ended the Hun's slot and accepted for the Roman."""
    given = {"slot_then": "act", "slot_grace": "0", "answer_then": "act", "answer_grace": "0"}
    assert terms(overdue, **given).status_code == 303
    assert tick(timezone.now() + timedelta(minutes=1)) == 2
    overdue.campaign.refresh_from_db()
    return overdue


def test_what_the_clock_did_is_shown_as_such_with_undo_for_the_game_master(acted: Five) -> None:
    entries = list(
        LogEntry.objects.filter(campaign=acted.campaign, actor=None).order_by("sequence")
    )
    assert {entry.content["move"] for entry in entries} == {"end-slot", "respond"}
    accepted = next(entry for entry in entries if entry.content["move"] == "respond")
    link = f'<a class="small" href="{acted.home}rewind/?entry={accepted.number - 1}">Undo…</a>'
    for path, times in (("", 2), ("log/", 2), ("b/1/", 1)):
        page = acted.text("gm", path)
        assert page.count(">by the clock</span>") == times, path
        assert link in page
        for who in ("hun", "nobody"):
            page = acted.text(who, path)
            assert page.count(">by the clock</span>") == times, path
            assert "rewind/" not in page
    page = acted.text("gm", f"e/{accepted.number}/")
    assert "by the clock" in page
    assert "by the game master for" not in page
    assert f'href="{acted.home}rewind/?entry={accepted.number - 1}"' in page
    assert "rewind/" not in acted.text("roman", f"e/{accepted.number}/")


def test_undone_it_is_struck_and_offers_no_undo_any_more(acted: Five) -> None:
    first = LogEntry.objects.filter(campaign=acted.campaign, actor=None).earliest("sequence")
    text = plain(acted.get("gm", "rewind/", entry=str(first.number - 1)))
    assert "2 moves are struck" in text
    typed = {"entry": str(first.number - 1), "reason": "He was ill.", "seen": seen(acted)}
    assert acted.post("gm", "rewind/", **typed).status_code == 302
    page = acted.text("gm", "log/")
    assert page.count(">by the clock</span>") == 2
    assert "rewind/" not in page
    assert tick(timezone.now() + timedelta(minutes=2)) == 0, "it does not happen again"
    assert "Nothing happens automatically: the game master decides how it goes on." in plain(
        acted.get("hun", "n/huns/")
    )


def test_where_it_acts_people_read_when(overdue: Five) -> None:
    terms(overdue, slot_then="act", slot_grace="5", answer_then="act", answer_grace="5")
    assert re.search(
        r"Otherwise the slot ends automatically at [^.]+\.", plain(overdue.get("hun", "n/huns/"))
    )
    assert re.search(
        r"Otherwise the challenge is accepted automatically at [^.]+\.",
        plain(overdue.get("roman", "b/1/")),
    )


# One page, one state ------------------------------------------------------------------------------


def test_a_page_is_another_one_once_its_deadline_is(draft: Five) -> None:
    start(draft, DAY)
    tags = [draft.get("nobody")["ETag"]]
    Clock.objects.filter(campaign=draft.campaign, kind="slot").update(due_at=timezone.now() - HOUR)
    tags.append(draft.get("nobody")["ETag"])
    assert tags[0] != tags[1]
    assert (
        draft.clients["nobody"].get(draft.home, headers={"if-none-match": tags[1]}).status_code
        == 304
    )


def test_what_was_said_by_people_is_escaped(challenged: Five) -> None:
    user: Any = challenged.people["hun"]
    user.username = "<img src=x>"
    user.save()
    for path in ("", "desk/", "clocks/", "b/1/"):
        page = challenged.text("gm", path)
        assert "<img src=x" not in page
        assert "&lt;img src=x&gt;" in page
    assert Client().get(challenged.home + "clocks/").status_code == 200

"""Deadlines on the pages of table, nation, battle and desk, and in the list of campaigns."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from campaign.clocks.services import tick
from campaign.models import Clock, LogEntry
from tests.web.contests import seen_number, visible_text
from tests.web.grand_table import GrandTable, draft, new_campaign
from tests.web.timed import (
    DAY,
    HOUR,
    ROME,
    YORK,
    challenged,
    datetimes_on_page,
    local_iso_time,
    overdue,
    post_clock_terms,
    running_clock,
    start_with_slot_open_for,
)
from web.frame.deadlines import left, span

__all__ = ["challenged", "draft", "new_campaign", "overdue"]
pytestmark = pytest.mark.django_db
NOW = datetime(2026, 3, 7, 11, 0, tzinfo=UTC)


def at(clock: Clock) -> str:
    """Return a time as it is shown in Rome on another day."""
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
        (-timedelta(hours=5), ("5 h overdue", "bad")),
        (-timedelta(days=3, hours=2), ("3 d 2 h overdue", "bad")),
    ],
)
def test_the_remaining_time_is_in_words(rest: timedelta, content: tuple[str, str]) -> None:
    assert left(Clock(due_at=NOW + rest), NOW) == content
    assert left(Clock(due_at=NOW + rest, held_at=NOW - DAY), NOW) == ("stopped", "")


def test_a_length_of_time_has_its_two_largest_units() -> None:
    assert [span(timedelta(minutes=n)) for n in (-5, 0, 59, 60, 1439, 1440, 7000)] == [
        "0 min",
        "0 min",
        "59 min",
        "1 h",
        "23 h",
        "1 d 0 h",
        "4 d 20 h",
    ]


# Deadlines on pages -------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["", "n/huns/", "b/1/", "battles/", "desk/", "clocks/", "log/"])
def test_the_open_slot_shows_its_deadline_in_the_readers_time_zone(
    challenged: GrandTable, path: str
) -> None:
    slot = running_clock(challenged, "slot")
    assert local_iso_time(slot.due_at, ROME) in datetimes_on_page(challenged.text("gm", path))
    if path != "desk/":
        assert local_iso_time(slot.due_at, YORK) in datetimes_on_page(challenged.text("hun", path))
        assert slot.due_at.isoformat(timespec="seconds") in datetimes_on_page(
            challenged.text("nobody", path)
        )


def test_the_table_says_whom_it_waits_for_until_when(challenged: GrandTable) -> None:
    answer = running_clock(challenged, "answer", 1)
    text = visible_text(challenged.get("roman"))
    assert f"You : answer the attack on Dalmatia #1 Romans due {at(answer)}" in text
    assert re.search(r"Ingrid : play the turn Huns since [^,]+, due \S+ \S+ \S* ?2\d h left", text)
    assert f"Answer awaited Benedetto, due {at(answer)}" in text


def test_a_nations_page_shows_its_deadline_and_the_consequence(challenged: GrandTable) -> None:
    text = visible_text(challenged.get("hun", "n/huns/"))
    then = "Nothing happens automatically then: the game master decides what to do."
    assert re.search(rf"Your turn is open until [^.]+\. 2\d h left {then}", text)
    assert "Extend…" not in text
    page = challenged.text("gm", "n/huns/")
    assert re.search(
        "The turn has been open since [^,]+ and is open until [^.]+\\.", visible_text(page)
    )
    assert (
        f'href="{challenged.home}clocks/?extend={running_clock(challenged, "slot").pk}&amp;back=nation#extend">Extend…</a>'  # noqa: E501
        in page
    )
    assert "The turn has been open" not in visible_text(challenged.get("roman", "n/romans/"))


def test_a_battle_shows_the_deadlines_of_answer_result_and_confirmation(
    challenged: GrandTable,
) -> None:
    assert (
        f"Benedetto has to answer. Answer by {at(running_clock(challenged, 'answer', 1))}"
        in visible_text(challenged.get("roman", "b/1/"))
    )
    challenged.play("romans", "respond", attack=1, choice="accept")
    fight = at(running_clock(challenged, "battle", 1))
    assert f"Ingrid and Benedetto are playing. Fight by {fight}" in visible_text(
        challenged.get("roman", "b/1/")
    )
    claimed = challenged.post(
        "hun", "b/1/", do="claim", by="winner", side="attacker", seen=seen_number(challenged, "hun")
    )
    assert claimed.status_code == 302
    challenged.campaign.refresh_from_db()
    confirm = at(running_clock(challenged, "claim", 1))
    assert f"Benedetto has to confirm. Confirm by {confirm}" in visible_text(
        challenged.get("roman", "b/1/")
    )
    assert f"Confirm or dispute by {confirm}" in visible_text(challenged.get("roman", "n/romans/"))
    assert f"Benedetto has to confirm, due {confirm}" in visible_text(
        challenged.get("gm", "battles/")
    )
    disputed = challenged.post(
        "roman", "b/1/", do="dispute", claim=str(last(challenged).number), reason="No.", seen="0"
    )
    assert disputed.status_code == 302
    text = visible_text(challenged.get("roman", "b/1/"))
    assert "Marozia has to decide." in text
    assert not re.search(r"(Confirm|Fight) by", text), "a game master has no deadline"


def last(table: GrandTable) -> LogEntry:
    return LogEntry.objects.filter(campaign=table.campaign).latest("sequence")


def test_the_list_of_my_campaigns_shows_tasks_that_wait_for_me(challenged: GrandTable) -> None:
    slot, answer = running_clock(challenged, "slot"), running_clock(challenged, "answer", 1)
    page = challenged.text("hun", "/")
    assert local_iso_time(slot.due_at, YORK) in datetimes_on_page(page)
    assert "play your turn by" in visible_text(page)
    assert f"answer battle #1 by {at(answer)}" in visible_text(challenged.get("roman", "/"))
    for who in ("gm", "stranger", "nobody"):
        assert not re.search(
            r"your (slot|answer|battle|confirmation)", visible_text(challenged.get(who, "/"))
        ), who


# Overdue ------------------------------------------------------------------------------------------


def test_the_desk_marks_overdue_clocks_and_proposes_remedies(overdue: GrandTable) -> None:
    page = overdue.text("gm", "desk/")
    text = visible_text(page)
    assert "Waiting for players 2 tasks, 2 overdue" in text
    slot, answer = running_clock(overdue, "slot"), running_clock(overdue, "answer", 1)
    assert re.search(
        "1 d 2 h overdue Remind Ingrid .{0,40}? End their turn : Ingrid Extend… : Ingrid", text
    )
    assert re.search(
        r"2 h overdue Remind Benedetto .{0,40}? Answer… : Benedetto #1 Extend… : Benedetto #1", text
    )
    for overdue_clock in (slot, answer):
        assert (
            f'href="{overdue.home}clocks/?extend={overdue_clock.pk}&amp;back=desk#extend">Extend…<span'
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


def test_the_desk_ends_only_overdue_slots_for_players(challenged: GrandTable) -> None:
    text = visible_text(challenged.get("gm", "desk/"))
    assert "Play… : Ingrid Extend… : Ingrid" in text
    assert "End their turn" not in text
    assert "overdue" not in text


def test_all_readers_see_overdue_clocks(overdue: GrandTable) -> None:
    for who in ("roman", "nobody"):
        assert "1 d 2 h overdue" in visible_text(overdue.get(who))
    assert "1 d 2 h overdue" in visible_text(overdue.get("hun", "/"))


# Acts of clocks -----------------------------------------------------------------------------------


@pytest.fixture
def acted(overdue: GrandTable) -> GrandTable:
    """Let the clock end the Hun's slot and accept for the Roman."""
    given = {"slot_then": "act", "slot_grace": "0", "answer_then": "act", "answer_grace": "0"}
    assert post_clock_terms(overdue, **given).status_code == 303
    assert tick(timezone.now() + timedelta(minutes=1)) == 2
    overdue.campaign.refresh_from_db()
    return overdue


def test_acts_of_clocks_are_marked_and_the_game_master_can_undo_them(acted: GrandTable) -> None:
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


def test_an_undone_act_of_a_clock_is_struck_and_offers_no_undo(acted: GrandTable) -> None:
    first = LogEntry.objects.filter(campaign=acted.campaign, actor=None).earliest("sequence")
    text = visible_text(acted.get("gm", "rewind/", entry=str(first.number - 1)))
    assert "2 moves are struck" in text
    typed = {"entry": str(first.number - 1), "reason": "He was ill.", "seen": seen_number(acted)}
    assert acted.post("gm", "rewind/", **typed).status_code == 302
    page = acted.text("gm", "log/")
    assert page.count(">by the clock</span>") == 2
    assert "rewind/" not in page
    assert tick(timezone.now() + timedelta(minutes=2)) == 0, "it does not happen again"
    assert "Nothing happens automatically: the game master decides what to do." in visible_text(
        acted.get("hun", "n/huns/")
    )


def test_players_read_when_a_clock_will_act(overdue: GrandTable) -> None:
    post_clock_terms(overdue, slot_then="act", slot_grace="5", answer_then="act", answer_grace="5")
    assert re.search(
        r"Otherwise the turn ends automatically \([^)]+\)\.",
        visible_text(overdue.get("hun", "n/huns/")),
    )
    assert re.search(
        r"Otherwise the challenge is accepted automatically \([^)]+\)\.",
        visible_text(overdue.get("roman", "b/1/")),
    )


# Page tags ----------------------------------------------------------------------------------------


def test_a_page_has_another_tag_when_its_deadline_changes(draft: GrandTable) -> None:
    start_with_slot_open_for(draft, DAY)
    tags = [draft.get("nobody")["ETag"]]
    Clock.objects.filter(campaign=draft.campaign, kind="slot").update(due_at=timezone.now() - HOUR)
    tags.append(draft.get("nobody")["ETag"])
    assert tags[0] != tags[1]
    assert (
        draft.clients["nobody"].get(draft.home, headers={"if-none-match": tags[1]}).status_code
        == 304
    )


def test_texts_of_people_are_escaped(challenged: GrandTable) -> None:
    user: Any = challenged.people["hun"]
    user.username = "<img src=x>"
    user.save()
    for path in ("", "desk/", "clocks/", "b/1/"):
        page = challenged.text("gm", path)
        assert "<img src=x" not in page
        assert "&lt;img src=x&gt;" in page
    assert Client().get(challenged.home + "clocks/").status_code == 200

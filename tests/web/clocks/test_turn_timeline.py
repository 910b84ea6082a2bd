"""The timeline of a turn: remaining steps, the players they wait for, latest and earliest end."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client, RequestFactory
from django.utils import timezone

from campaign import access
from campaign.clocks import services
from campaign.clocks.selectors import Terms
from campaign.models import add
from tests.table import people, running, table, toy
from tests.web.contests import visible_text
from tests.web.grand_table import GrandTable, draft, new_campaign
from tests.web.timed import DAY, ROME, challenged, overdue, running_clock, start_with_slot_open_for
from web.clocks import turn_timeline
from web.frame.table import TableContext

__all__ = ["challenged", "draft", "new_campaign", "overdue", "people", "running", "table", "toy"]
pytestmark = pytest.mark.django_db


def path(grand_table: GrandTable) -> turn_timeline.Path:
    """Return the timeline that the game master has now."""
    request = RequestFactory().get("/")
    request.user = grand_table.people["gm"]
    grand_table.campaign.refresh_from_db()
    created = turn_timeline.turn_path(
        TableContext(
            request, grand_table.campaign, access.access_of(grand_table.campaign, request.user)
        )
    )
    assert created is not None
    return created


def after(at: datetime, *days: int) -> datetime:
    """Return the times after these lengths, each at the same local time of the campaign."""
    for length in days:
        at = add(at, f"{length}d", "Europe/Rome")
    return at


def near(one: datetime | None, other: datetime) -> bool:
    return one is not None and abs(one - other) < timedelta(minutes=1)


def day(at: datetime) -> str:
    there = at.astimezone(ROME)
    return f"{there:%-d %b}" if there.year == datetime.now(ROME).year else f"{there:%-d %b %Y}"


# Computation --------------------------------------------------------------------------------------


def test_slots_follow_each_other_and_battles_run_beside_them(challenged: GrandTable) -> None:
    slot, answer = running_clock(challenged, "slot"), running_clock(challenged, "answer", 1)
    created = path(challenged)
    assert [(step.name, step.people, step.style) for step in created.steps] == [
        ("Turn of the Huns", "Ingrid", "now"),
        ("Turn of the Kushans", "", "then"),
        ("Turn of the Romans", "Benedetto", "then"),
        ("Battle of the Romans, if any", "", "maybe"),
        ("#1 Dalmatia", "Benedetto", "side"),
    ]
    ends = [step.end for step in created.steps]
    slots = slot.due_at, after(slot.due_at, 3), after(slot.due_at, 3, 3)
    assert ends == [*slots, after(slots[2], 3, 14, 3), after(answer.due_at, 14, 3)]
    assert (created.latest, created.best) == (ends[3], ends[4])
    assert created.turn == running_clock(challenged, "turn").due_at
    assert created.late == (created.latest > created.turn)


def test_a_battle_nears_its_end_with_each_step(challenged: GrandTable) -> None:
    challenged.play("romans", "respond", attack=1, choice="accept")
    fight = running_clock(challenged, "battle", 1)
    step = path(challenged).steps[-1]
    assert (step.end, step.people) == (after(fight.due_at, 3), "Ingrid and Benedetto")
    assert step.note == f"fight by {fight.due_at:%-d %b}, ends by {after(fight.due_at, 3):%-d %b}"
    seen = str(challenged.seen("hun"))
    assert (
        challenged.post(
            "hun", "b/1/", do="claim", by="winner", side="attacker", seen=seen
        ).status_code
        == 302
    )
    step, claim = path(challenged).steps[-1], running_clock(challenged, "claim", 1)
    assert (step.end, step.note, step.people) == (
        claim.due_at,
        f"confirm by {claim.due_at:%-d %b}",
        "Benedetto",
    )


def test_an_overdue_step_lasts_at_least_until_now(overdue: GrandTable) -> None:
    due, created = running_clock(overdue, "slot").due_at, path(overdue)
    now = timezone.now()
    assert near(created.steps[0].end, now)
    assert created.steps[0].note == f"overdue since {due:%-d %b}"
    assert near(created.latest, after(now, 3, 3, 3, 14, 3))
    assert near(created.best, after(now, 14, 3))


def test_a_pause_and_an_extension_move_later_steps(challenged: GrandTable) -> None:
    before, gm = path(challenged), challenged.people["gm"]
    slot = running_clock(challenged, "slot")
    services.extend(challenged.campaign, gm, slot, slot.due_at + DAY, "Ill.", challenged.seen("gm"))
    longer = path(challenged)
    assert longer.latest == after(slot.due_at + DAY, 3, 3, 3, 14, 3)
    assert longer.best == before.best


def test_once_all_slots_have_ended_the_battles_are_left(challenged: GrandTable) -> None:
    while challenged.campaign.active_seat:
        challenged.play(challenged.campaign.active_seat, "end-slot")
    created = path(challenged)
    assert [step.style for step in created.steps] == ["side"]
    assert created.latest == created.best


def test_there_is_no_date_if_a_step_has_no_clock(challenged: GrandTable) -> None:
    gm = challenged.people["gm"]
    services.set_terms(challenged.campaign, gm, {"slot": None})
    created = path(challenged)
    assert (created.latest, created.best) == (None, None)
    assert (
        created.unknown
        == "Turn of the Huns, Turn of the Kushans, Turn of the Romans, Battle of the Romans, if any"
    )
    services.set_terms(challenged.campaign, gm, {"slot": Terms("2d"), "battle": None})
    assert path(challenged).unknown == "Battle of the Romans, if any, #1 Dalmatia"
    services.set_terms(
        challenged.campaign, gm, {"battle": Terms("36h"), "claim": None, "answer": None}
    )
    assert path(challenged).steps[-1].end is None


# Pages --------------------------------------------------------------------------------------------


def test_the_desk_and_the_clocks_show_it(challenged: GrandTable) -> None:
    created = path(challenged)
    assert created.latest is not None
    assert created.best is not None
    for who, where in (("gm", "desk/"), ("gm", "clocks/"), ("roman", "clocks/")):
        page = challenged.text(who, where)
        text = visible_text(page)
        assert (
            f"expected to close around {day(created.latest)} if everyone uses all their time, or"
            f" around {day(created.best)} if no remaining nation starts a battle" in text
        )
        due = day(running_clock(challenged, "slot").due_at)
        assert f"Turn of the Huns, Ingrid: due {due}, ends on " in text
        (svg,) = re.findall(r'<svg class="gantt".*?</svg>', page, re.S)
        assert svg.count("<rect") == len(created.steps)
        assert 'aria-hidden="true"' in svg, "the list beside it is what is read out"
        assert 'scroll-x" tabindex="0" role="group" aria-label="Until the turn closes"' in page


def test_there_is_no_timeline_while_no_turn_runs(draft: GrandTable) -> None:
    assert "Until the turn closes" not in draft.text("gm", "desk/")
    start_with_slot_open_for(draft, timedelta(hours=2))
    assert "Until the turn closes" in draft.text("gm", "desk/")
    while draft.campaign.active_seat:
        draft.play(draft.campaign.active_seat, "end-slot")
    assert "Until the turn closes" not in draft.text("gm", "desk/"), (
        "the turn is closed: it needs nothing more"
    )


def test_every_title_has_a_timeline(running: Any) -> None:
    running.play("bee", "duel")
    client = Client()
    client.force_login(running.gm)
    text = visible_text(client.get(f"/c/{running.campaign.address}/desk/"))
    assert "Turn of the Bee" in text
    assert "Battle of the Bee, if any" in text
    assert re.search("#1 Heap: answer by \\d+ \\w+, ends by \\d+ \\w+", text)


@pytest.mark.parametrize("hour", [0, 5, 12, 19, 23])
@pytest.mark.parametrize("days", [0.3, 1, 2, 9, 40, 400])
def test_the_picture_holds_for_any_length(days: float, hour: int) -> None:
    now = datetime(2026, 11, 22, hour, 23, tzinfo=UTC)
    steps = [
        turn_timeline.TimelineStep(
            "A",
            "huns",
            "Ingrid",
            now - timedelta(days=days / 3),
            now + timedelta(days=days / 2),
            "now",
            "due",
        ),
        turn_timeline.TimelineStep(
            "B" * 60,
            "",
            "Somebody with a long name" * 3,
            now,
            now + timedelta(days=days),
            "side",
            "fight by 1 Jan",
        ),
        turn_timeline.TimelineStep("C", "", "", now, None, "maybe", "no clock"),
    ]
    created = turn_timeline.drawn(steps, now, None, None, now + timedelta(days=days))
    assert 2 <= len(created.ticks) <= 10 or days > 300
    for bar in created.bars:
        assert turn_timeline.NAMES <= bar.x <= bar.x + bar.width <= turn_timeline.NOTES - 9
        assert (len(bar.name) <= turn_timeline.LONG[0], len(bar.note) <= turn_timeline.LONG[1]) == (
            True,
            True,
        )
    assert created.bars[0].x < created.now_x
    texts = [tick.x for tick in created.ticks]
    assert all(abs(x - created.now_x) > turn_timeline.APART for x in texts)


@pytest.mark.parametrize(
    "name", ["Battle of the Hephtalites, if any", "Eventuale battaglia degli Eftaliti"]
)
def test_the_longest_names_of_the_title_are_not_cut(name: str) -> None:
    assert len(name) <= turn_timeline.LONG[0]

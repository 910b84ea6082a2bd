"""The path to the close: what the turn still needs, on whom, when at the latest and when at
best.
"""

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
from tests.web.contests import plain
from tests.web.five import Five, draft, new_campaign
from tests.web.timed import DAY, ROME, challenged, clock, overdue, start
from web.clocks import turn_timeline
from web.frame.table import TableContext

__all__ = ["challenged", "draft", "new_campaign", "overdue", "people", "running", "table", "toy"]
pytestmark = pytest.mark.django_db


def path(five: Five) -> turn_timeline.Path:
    """As the game master has it now."""
    request = RequestFactory().get("/")
    request.user = five.people["gm"]
    five.campaign.refresh_from_db()
    created = turn_timeline.turn_path(
        TableContext(request, five.campaign, access.access_of(five.campaign, request.user))
    )
    assert created is not None
    return created


def after(at: datetime, *days: int) -> datetime:
    """So many days later, each length ending at the same local time of the table."""
    for one in days:
        at = add(at, f"{one}d", "Europe/Rome")
    return at


def near(one: datetime | None, other: datetime) -> bool:
    return one is not None and abs(one - other) < timedelta(minutes=1)


def day(at: datetime) -> str:
    there = at.astimezone(ROME)
    return f"{there:%-d %b}" if there.year == datetime.now(ROME).year else f"{there:%-d %b %Y}"


# What it comes to ---------------------------------------------------------------------------------


def test_slots_follow_each_other_and_battles_run_beside_them(challenged: Five) -> None:
    slot, answer = clock(challenged, "slot"), clock(challenged, "answer", 1)
    created = path(challenged)
    assert [(step.name, step.people, step.style) for step in created.steps] == [
        ("Slot of the Huns", "Ingrid", "now"),
        ("Slot of the Kushans", "", "then"),
        ("Slot of the Romans", "Benedetto", "then"),
        ("Battle of the Romans, if any", "", "maybe"),
        ("#1 Dalmatia", "Benedetto", "side"),
    ]
    ends = [step.end for step in created.steps]
    slots = slot.due_at, after(slot.due_at, 3), after(slot.due_at, 3, 3)
    assert ends == [*slots, after(slots[2], 3, 14, 3), after(answer.due_at, 14, 3)]
    assert (created.latest, created.best) == (ends[3], ends[4])
    assert created.turn == clock(challenged, "turn").due_at
    assert created.late == (created.latest > created.turn)


def test_a_battle_nears_its_end_with_each_step(challenged: Five) -> None:
    challenged.play("romans", "respond", attack=1, choice="accept")
    fight = clock(challenged, "battle", 1)
    step = path(challenged).steps[-1]
    assert (step.end, step.people) == (after(fight.due_at, 3), "Ingrid and Benedetto")
    assert step.note == f"fight by {fight.due_at:%-d %b}, over by {after(fight.due_at, 3):%-d %b}"
    seen = str(challenged.seen("hun"))
    assert (
        challenged.post(
            "hun", "b/1/", do="claim", by="winner", side="attacker", seen=seen
        ).status_code
        == 302
    )
    step, claim = path(challenged).steps[-1], clock(challenged, "claim", 1)
    assert (step.end, step.note, step.people) == (
        claim.due_at,
        f"confirm by {claim.due_at:%-d %b}",
        "Benedetto",
    )


def test_what_is_overdue_takes_until_now_at_least(overdue: Five) -> None:
    due, created = clock(overdue, "slot").due_at, path(overdue)
    now = timezone.now()
    assert near(created.steps[0].end, now)
    assert created.steps[0].note == f"overdue since {due:%-d %b}"
    assert near(created.latest, after(now, 3, 3, 3, 14, 3))
    assert near(created.best, after(now, 14, 3))


def test_a_pause_and_an_extension_move_what_comes_after(challenged: Five) -> None:
    before, gm = path(challenged), challenged.people["gm"]
    slot = clock(challenged, "slot")
    services.extend(challenged.campaign, gm, slot, slot.due_at + DAY, "Ill.", challenged.seen("gm"))
    longer = path(challenged)
    assert longer.latest == after(slot.due_at + DAY, 3, 3, 3, 14, 3)
    assert longer.best == before.best


def test_once_all_slots_have_ended_the_battles_are_left(challenged: Five) -> None:
    while challenged.campaign.active_seat:
        challenged.play(challenged.campaign.active_seat, "end-slot")
    created = path(challenged)
    assert [step.style for step in created.steps] == ["side"]
    assert created.latest == created.best


def test_where_something_has_no_clock_there_is_no_date(challenged: Five) -> None:
    gm = challenged.people["gm"]
    services.set_terms(challenged.campaign, gm, {"slot": None})
    created = path(challenged)
    assert (created.latest, created.best) == (None, None)
    assert (
        created.unknown
        == "Slot of the Huns, Slot of the Kushans, Slot of the Romans, Battle of the Romans, if any"
    )
    services.set_terms(challenged.campaign, gm, {"slot": Terms("2d"), "battle": None})
    assert path(challenged).unknown == "Battle of the Romans, if any, #1 Dalmatia"
    services.set_terms(
        challenged.campaign, gm, {"battle": Terms("36h"), "claim": None, "answer": None}
    )
    assert path(challenged).steps[-1].end is None


# What people see ----------------------------------------------------------------------------------


def test_the_desk_and_the_clocks_show_it(challenged: Five) -> None:
    created = path(challenged)
    assert created.latest is not None
    assert created.best is not None
    for who, where in (("gm", "desk/"), ("gm", "clocks/"), ("roman", "clocks/")):
        page = challenged.text(who, where)
        text = plain(page)
        assert (
            f"closes about {day(created.latest)} if all take their full time; {day(created.best)}"
            " if no slot" in text
        )
        assert (
            f"Slot of the Huns, Ingrid: due {day(clock(challenged, 'slot').due_at)}, over by "
            in text
        )
        (svg,) = re.findall(r'<svg class="gantt".*?</svg>', page, re.S)
        assert svg.count("<rect") == len(created.steps)
        assert 'aria-hidden="true"' in svg, "the list beside it is what is read out"
        assert (
            'class="sheet__body scroll-x" tabindex="0" role="group" aria-label="Path to the close"'
            in page
        )


def test_there_is_none_where_no_turn_runs(draft: Five) -> None:
    assert "Path to the close" not in draft.text("gm", "desk/")
    start(draft, timedelta(hours=2))
    assert "Path to the close" in draft.text("gm", "desk/")
    while draft.campaign.active_seat:
        draft.play(draft.campaign.active_seat, "end-slot")
    assert "Path to the close" not in draft.text("gm", "desk/"), (
        "the turn is closed: it needs nothing more"
    )


def test_any_title_has_one(running: Any) -> None:
    running.play("bee", "duel")
    client = Client()
    client.force_login(running.gm)
    text = plain(client.get(f"/c/{running.campaign.address}/desk/"))
    assert "Slot of the Bee" in text
    assert "Battle of the Bee, if any" in text
    assert re.search(r"#1 Heap: answer by \d+ \w+, over by \d+ \w+", text)


@pytest.mark.parametrize("hour", [0, 5, 12, 19, 23])
@pytest.mark.parametrize("days", [0.3, 1, 2, 9, 40, 400])
def test_whatever_its_length_the_picture_holds(days: float, hour: int) -> None:
    now = datetime(2026, 11, 22, hour, 23, tzinfo=UTC)
    steps = [
        turn_timeline.Step(
            "A",
            "huns",
            "Ingrid",
            now - timedelta(days=days / 3),
            now + timedelta(days=days / 2),
            "now",
            "due",
        ),
        turn_timeline.Step(
            "B" * 60,
            "",
            "Somebody with a long name" * 3,
            now,
            now + timedelta(days=days),
            "side",
            "fight by 1 Jan",
        ),
        turn_timeline.Step("C", "", "", now, None, "maybe", "no clock"),
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
def test_the_longest_names_of_the_title_stand_in_full(name: str) -> None:
    assert len(name) <= turn_timeline.LONG[0]

"""Notices of clocks: recipients, times and texts; a moved deadline is announced again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail as outbox
from django.utils import timezone

from campaign import services
from campaign.clocks import selectors as clocks
from campaign.clocks import services as clocks_services
from campaign.clocks.selectors import Terms
from campaign.log import selectors as log_selectors
from campaign.models import Clock
from notices import selectors
from notices.channels.mail import reading_as
from notices.delivery import tick
from notices.models import Notice
from notices.wording import notices_in_words
from tests.web.grand_table import GrandTable

pytestmark = [pytest.mark.django_db, pytest.mark.clock]


def notices_shown(user: Any, prefix: str = "clock-") -> list[tuple[str, str]]:
    """Return kind and title of a user's notices of clocks, oldest first, as they read them."""
    with reading_as(user.language, user.time_zone):
        result = notices_in_words(
            selectors.notices(user).filter(kind__startswith=prefix).order_by("pk")
        )
        return [(notice.notice.kind.removeprefix(prefix), notice.title) for notice in result]


def running_slot(table: Any) -> Any:
    return next(clock for clock in clocks.running(table.campaign) if clock.kind == "slot")


@pytest.fixture
def noon() -> Iterator[None]:
    """Start the slot at noon.

    The reminder of its day, at eight in the morning, comes after four fifths of the time.
    """
    with time_machine.travel(datetime(2031, 3, 10, 12, tzinfo=UTC)):
        yield


@pytest.mark.usefixtures("noon")
def test_80_percent_the_day_and_what_is_missed(running: Any) -> None:
    """A slot of three days reminds after 57 h and 36 min and on its day.

    When it has expired, the game master is notified.
    """
    bee, clock = running.people["bee"], running_slot(running)
    bee.time_zone = "America/New_York"
    bee.save()
    soon = clock.started_at + (clock.due_at - clock.started_at) * 4 / 5
    clocks_services.tick(soon - timedelta(minutes=1))
    assert notices_shown(bee) == []
    clocks_services.tick(soon + timedelta(minutes=1))
    with reading_as("", "America/New_York"):
        due = timezone.localtime(clock.due_at)
    until = f"{due.day} {due:%B} {due.year}, {due:%H:%M} (America/New_York)"
    assert notices_shown(bee) == [("soon", f"Turn of the Bee: due on {until}")]
    clocks_services.tick(clock.due_at - timedelta(minutes=1))
    assert notices_shown(bee)[1:] == [("today", f"Turn of the Bee: due today, {until}")]
    assert notices_shown(running.people["ant"]) == notices_shown(running.gm) == []
    clocks_services.tick(clock.due_at + timedelta(minutes=1))
    clocks_services.tick(clock.due_at + timedelta(minutes=2))
    assert [kind for kind, _title in notices_shown(bee)] == ["soon", "today"]
    assert notices_shown(running.gm) == [("missed", "Overdue: Turn of the Bee")]
    (missed,) = notices_in_words(selectors.notices(running.gm).filter(kind="clock-missed"))
    assert missed.body.endswith(
        "Extend the deadline, make the moves for the nation, or wait. Nothing happens "
        "automatically."
    )
    assert missed.page == ("desk",)


@pytest.mark.usefixtures("noon")
def test_reminders_and_what_is_asked_are_as_the_terms_have_them(running: Any) -> None:
    """Reminders come only on the last day, and at the deadline no one is asked.

    If the clock is silent, no one is notified. Changes take effect at once.
    """
    bee, clock = running.people["bee"], running_slot(running)
    clocks_services.set_terms(
        running.campaign, running.gm, {"slot": Terms("3d", asks=False, reminds="day")}
    )
    clocks_services.tick(clock.due_at - timedelta(hours=6))
    assert notices_shown(bee) == []
    clocks_services.tick(clock.due_at - timedelta(minutes=1))
    assert [kind for kind, _title in notices_shown(bee)] == ["today"]
    clocks_services.tick(clock.due_at + timedelta(minutes=1))
    assert notices_shown(running.gm) == []
    line = log_selectors.log(running.campaign, running.gm)[0]
    assert (
        line.text
        == "From now on, the turn of one nation may take 3 days, with a reminder only on the last"
        " day, and the game master is not asked afterwards."
    )


@pytest.mark.parametrize("days", [1, 5, 28])
def test_the_reminder_comes_when_four_fifths_are_gone(running: Any, days: int) -> None:
    """For lengths of any kind there is nothing at 79% and the reminder at 81%.

    The clock's own day is later than both.
    """
    bee, clock = running.people["bee"], running_slot(running)
    start = datetime(2026, 11, 5, 0, 30, tzinfo=UTC)
    Clock.objects.filter(pk=clock.pk).update(
        started_at=start, due_at=start + timedelta(days=days), zone="UTC", paused_time=timedelta(0)
    )
    clock.refresh_from_db()
    assert clock.instants()["soon"] == start + timedelta(days=days) * 4 / 5
    clock.arm()
    clock.save()
    clocks_services.tick(start + timedelta(days=days) * 79 / 100)
    assert [kind for kind, _title in notices_shown(bee) if kind == "soon"] == []
    clocks_services.tick(start + timedelta(days=days) * 81 / 100)
    assert [kind for kind, _title in notices_shown(bee) if kind == "soon"] == ["soon"]


def test_a_moved_deadline_is_said_and_reminds_again(running: Any) -> None:
    bee, clock = running.people["bee"], running_slot(running)
    clocks_services.tick(clock.due_at - timedelta(minutes=1))
    was = len(notices_shown(bee))
    to = clock.due_at + timedelta(days=2)
    clocks_services.extend(
        running.campaign,
        running.gm,
        clock,
        to,
        "He asked for it",
        running.seen("gm"),
        now=clock.due_at,
    )
    (moved,) = notices_in_words(selectors.notices(bee).filter(kind="clock-moved"))
    assert moved.title.startswith("Turn of the Bee: now due on ")
    assert moved.body.endswith("He asked for it")
    assert Notice.objects.filter(kind="clock-moved").count() == 1  # who moved it knows
    clocks_services.tick(to - timedelta(minutes=1))
    assert [kind for kind, _t in notices_shown(bee)].count("today") == 2
    assert len(notices_shown(bee)) > was + 1


def test_a_turn_is_told_to_all_who_sit_there(running: Any) -> None:
    turn = next(clock for clock in clocks.running(running.campaign) if clock.kind == "turn")
    clocks_services.tick(turn.due_at - timedelta(minutes=1))
    content = f"Turn {running.campaign.turn}: due today"
    for user in (running.people["ant"], running.people["bee"], running.gm):
        assert [
            title.split(",")[0]
            for kind, title in notices_shown(user)
            if kind == "today" and title.startswith("Turn")
        ] == [content]
    assert notices_shown(running.stranger) == []


def test_what_was_done_meanwhile_is_not_sent(
    running: Any, confirm_address: Callable[..., Any]
) -> None:
    bee, clock = confirm_address(running.people["bee"]), running_slot(running)
    tick(clock.due_at)
    outbox.outbox.clear()
    clocks_services.tick(clock.due_at - timedelta(hours=1))
    assert notices_shown(bee)
    running.play("bee", "end")
    tick(clock.due_at)
    assert not any("deadline" in mail.body or "Turn of" in mail.subject for mail in outbox.outbox)


def test_a_pause_moves_what_is_due_and_its_day_is_said_again(running: Any) -> None:
    """The table uses UTC.

    A pause by mistake, taken back at once, moves nothing that is shown.
    """
    bee, clock = running.people["bee"], running_slot(running)
    due = clock.due_at.replace(hour=18, minute=0, second=0, microsecond=0)
    clock.due_at = clock.first_due_at = due
    clock.arm()
    clock.save()

    def pause(at: datetime, length: timedelta) -> None:
        services.change_life(running.reload(), running.gm, "paused", now=at)
        services.change_life(running.reload(), running.gm, "resumed", now=at + length)

    clocks_services.tick(due - timedelta(hours=9))
    assert [kind for kind, _title in notices_shown(bee)] == ["today"]
    pause(due - timedelta(hours=8, minutes=30), timedelta(seconds=20))
    assert len(notices_shown(bee)) == 1
    pause(due - timedelta(hours=8), timedelta(days=4, hours=15))
    assert {kind for kind, _title in notices_shown(bee)[1:]} == {"moved"}
    to = due + timedelta(days=4, hours=15)
    clocks_services.tick(to - timedelta(hours=1))
    assert notices_shown(bee)[-1] == (
        "today",
        f"Turn of the Bee: due today, {to.day} {to:%B} {to.year}, 09:00 (UTC)",
    )


def test_whose_slot_is_over_is_not_told_that_it_is_open_or_next(
    running: Any, confirm_address: Callable[..., Any]
) -> None:
    ant, bee = confirm_address(running.people["ant"]), confirm_address(running.people["bee"])
    running.play("bee", "end")
    tick(timezone.now())
    sent = " ".join(
        f"{mail.subject} {mail.body}" for mail in outbox.outbox if mail.to == [bee.email]
    )
    assert "Your turn is open, The Bee" not in sent
    assert running.campaign.active_seat != "ant" or "Your turn is open, The Ant" in " ".join(
        f"{mail.subject} {mail.body}" for mail in outbox.outbox if mail.to == [ant.email]
    )


def test_in_italian(grand_table: GrandTable) -> None:
    hun = grand_table.people["hun"]
    hun.language, hun.time_zone = "it", "Europe/Rome"
    hun.save()
    clock = next(clock for clock in clocks.running(grand_table.campaign) if clock.kind == "slot")
    clocks_services.tick(clock.due_at - timedelta(minutes=1))
    titles = [title for _kind, title in notices_shown(hun)]
    assert any("degli Unni" in title and "(Europe/Rome)" in title for title in titles)
    assert (
        datetime.fromisoformat(
            Notice.objects.filter(user=hun, kind="clock-today").first().facts["due"]
        )
        == clock.due_at
    )  # type: ignore[union-attr]

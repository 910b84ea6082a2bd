"""Notices of deadlines, which the clocks send, and reminders, which a game master sends."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext_noop

from campaign.clocks import selectors as clock_terms
from campaign.models import (
    ACTED,
    GAME_MASTER,
    MISSED,
    MOVED,
    SMALLEST_CHANGE,
    SOON,
    TODAY,
    Clock,
    LogEntry,
    Membership,
)
from notices.deadlines import deadline_facts, deadline_words
from notices.kinds.kind import Content, EntryKind, Group, Kind
from notices.models import Notice
from notices.present import CampaignNow, Present, Task
from notices.writing import notify


class DeadlineKind(Kind):
    """A kind about a deadline."""

    group = Group.DEADLINES
    is_urgent = True

    def words(self, content: Content) -> Mapping[str, Any]:
        return deadline_words(content.campaign.title, content.values)

    def is_overtaken(self, notice: Notice, present: Present) -> bool:
        """Return whether the deadline has moved meanwhile, or the task is done."""
        facts = notice.facts
        clock = present.clock(facts["clock"])
        if clock is None or clock.held:
            return True
        return abs(clock.due_at - datetime.fromisoformat(facts["due"])) >= SMALLEST_CHANGE


class TaskKind(DeadlineKind):
    """A kind about a deadline that links to the task."""

    link = ("table",)
    warns = True

    def task(self, notice: Notice) -> Task:
        facts = notice.facts
        return Task(facts["task"], facts.get("seat", ""), facts.get("contest"))

    def letter_title(self, content: Content, campaign: CampaignNow, *, has_deadline: bool) -> str:
        return self.title if has_deadline else "{title}"

    def page(self, number: int | None, facts: Mapping[str, Any]) -> tuple[Any, ...]:
        if facts.get("contest") is not None:
            return ("battle", facts["contest"])
        if facts["task"] == "words":
            return ("dice",)
        if facts["task"] == "slot" and facts.get("seat"):
            return ("nation", facts["seat"])
        return super().page(number, facts)


class DeadlineSoon(TaskKind):
    """The notice that four fifths of the time have passed."""

    key = "clock-soon"
    name = gettext_noop("A deadline is near")
    title = gettext_noop("{task}: due on {due}")
    body = gettext_noop("Four fifths of your time have passed.")
    is_request = True


class DeadlineToday(TaskKind):
    """The notice that a deadline is today."""

    key = "clock-today"
    name = gettext_noop("A deadline is today")
    title = gettext_noop("{task}: due today, {due}")
    body = gettext_noop(
        "If you need more time, ask the game master before the deadline to extend it."
    )
    is_request = True


class ReminderReceived(TaskKind):
    """The reminder that a game master sends (`notices.services.remind`), even if no clock runs."""

    key = "reminded"
    name = gettext_noop("The game master reminds you")
    title = gettext_noop("Reminder: {task}")
    body = gettext_noop("{user} reminds you that the table is waiting for you. {until}")
    news = gettext_noop("{user} reminds you that the table is waiting for you.")
    is_request = True

    TITLE_WITH_DEADLINE = gettext_noop("Reminder: {task}, due on {due}")

    def letter_title(self, content: Content, campaign: CampaignNow, *, has_deadline: bool) -> str:
        return self.TITLE_WITH_DEADLINE if has_deadline else "{title}"

    def news_of(self, content: Content) -> str:
        return self.news

    def is_overtaken(self, notice: Notice, present: Present) -> bool:
        """Return whether the task of the reminder is done."""
        facts = notice.facts
        if "clock" in facts:
            return present.clock(facts["clock"]) is None
        return not any(
            (wait.seat, wait.contest) == (notice.seat or wait.seat, facts.get("contest"))
            for wait in present.campaign_of(notice).waiting
        )


class DeadlineMoved(TaskKind):
    """The notice that a deadline has been moved."""

    key = "clock-moved"
    name = gettext_noop("A deadline is moved")
    title = gettext_noop("{task}: now due on {due}")
    body = gettext_noop("The earlier deadline was {was}. {reason}")


class ClockActed(EntryKind):
    """The notice that the clock has acted. It links to the entry of the clock, and remains true."""

    key = "clock-acted"
    name = gettext_noop("The clock has acted")
    group = Group.DEADLINES
    title = gettext_noop("The clock has acted: {task}")
    body = gettext_noop("{sentence} The game master can undo this.")
    is_urgent = True
    is_news = True

    def words(self, content: Content) -> Mapping[str, Any]:
        return deadline_words(content.campaign.title, content.values)


class DeadlineMissed(DeadlineKind):
    """The notice that a deadline has passed."""

    key = "clock-missed"
    name = gettext_noop("A deadline has passed")
    title = gettext_noop("Overdue: {task}")
    body = gettext_noop("The deadline was {due}. {remedy}")
    link = ("desk",)


KIND_OF_NEWS = {
    SOON: DeadlineSoon.key,
    TODAY: DeadlineToday.key,
    MOVED: DeadlineMoved.key,
    ACTED: ClockActed.key,
    MISSED: DeadlineMissed.key,
}
"""The kind of notice for each event of a clock."""


def notify_of_clock(clock: Clock, news: str, at: datetime, facts: Mapping[str, Any]) -> None:
    """Notify everyone whom the event of a clock concerns, once for each deadline.

    `about` contains the deadline, so that a moved deadline is notified again.
    """
    kind = KIND_OF_NEWS.get(news)
    if kind is None or not _is_wanted(clock, news):
        return
    entry: LogEntry = facts.get("entry") or clock.entry
    known = deadline_facts(clock)
    users = _users(clock, news)
    if news == MOVED:
        known |= {"was": facts["was"].isoformat(), "reason": facts.get("reason") or ""}
        users = {user: seat for user, seat in users.items() if user != entry.actor_id}
    notify(kind, entry, users, known, at, f"{clock.pk}/{clock.due_at:%Y%m%dT%H%M%SZ}")


def _is_wanted(clock: Clock, news: str) -> bool:
    """Return whether the campaign's terms ask for a notice of this event of a clock."""
    terms = clock_terms.terms_of(clock.campaign)[clock.kind]
    if terms is None:
        return True
    if news == MISSED:
        return terms.asks
    if news == SOON:
        return terms.reminds == clock_terms.BOTH
    return news != TODAY or terms.reminds != clock_terms.SILENT


def _users(clock: Clock, news: str) -> dict[int, str]:
    """Return the users to notify, each with a seat.

    These are the users for whom the table waits, and for a turn the holders of every seat; also the
    game masters if a deadline was missed or moved, or the clock has acted.
    """
    role = Membership.Role
    held = Membership.objects.filter(campaign_id=clock.campaign_id, until=None)
    wanted = Q(pk=None)
    if news != MISSED:
        seats = Q(role=role.SEAT)
        wanted |= seats if clock.kind == Clock.Kind.TURN else seats & Q(seat__in=clock.seats)
        if clock.contest is not None:
            wanted |= Q(role=role.SUBSTITUTE, contest=clock.contest, seat__in=clock.seats)
    if news in (MISSED, ACTED, MOVED) or clock.kind == Clock.Kind.TURN:
        wanted |= Q(role__in=Membership.MASTERS)
    users: dict[int, str] = {}
    for membership in held.filter(wanted).order_by("pk"):
        is_master = membership.role in Membership.MASTERS
        own_seat = membership.seat if membership.role == role.SEAT else ""
        if membership.user_id not in users or not is_master:
            users[membership.user_id] = GAME_MASTER if is_master else own_seat
    return users


KINDS = (
    DeadlineSoon(),
    DeadlineToday(),
    ReminderReceived(),
    DeadlineMoved(),
    ClockActed(),
    DeadlineMissed(),
)

"""A user's deadlines as a calendar in the form of RFC 5545, which `icalendar` writes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import icalendar
from django.urls import reverse
from django.utils.translation import pgettext

from campaign.clocks import selectors as clocks
from campaign.log import positions
from campaign.models import Clock, Membership
from notices.deadlines import absolute_time, deadline_facts, task_name

PRODUCT = "-//Tabula//Deadlines//EN"


@dataclass(frozen=True, slots=True)
class Event:
    """A moment at which something is due.

    `key` does not change if the deadline moves; `revision` increases with each change.
    """

    key: str
    due: datetime
    summary: str
    description: str
    url: str
    revision: int = 0


def events_of_user(user: Any, site: str, host: str, *, of_everyone: bool = False) -> list[Event]:
    """Return the deadlines that wait for a user, and those of the turns of the user's campaigns.

    Deadlines that are held in a pause are left out. With `of_everyone`, the deadlines of other
    members are included in campaigns where the user is game master: deadlines are public, but not
    every calendar needs them.
    """
    held = Membership.objects.filter(
        user_id=user.pk, until=None, role__in=(*Membership.MASTERS, Membership.Role.SEAT)
    )
    turns = Clock.objects.filter(
        ended_at=None, kind=Clock.Kind.TURN, campaign__in=held.values("campaign")
    )
    turns = turns.filter(campaign__abandoned=False, campaign__archived=False)
    mine = [*clocks.clocks_of_user(user), *turns.select_related("campaign", "entry")]
    if of_everyone:
        campaigns = held.filter(role__in=Membership.MASTERS).values("campaign")
        of_others = Clock.objects.filter(
            ended_at=None,
            campaign__in=campaigns,
            campaign__abandoned=False,
            campaign__archived=False,
            campaign__suspended=False,
        )
        mine += of_others.select_related("campaign", "entry")
    ordered = sorted(
        {clock.pk: clock for clock in mine}.values(), key=lambda clock: (clock.due_at, clock.pk)
    )
    return [_event(clock, site, host) for clock in ordered if not clock.held]


def _event(clock: Clock, site: str, host: str) -> Event:
    campaign, facts = clock.campaign, deadline_facts(clock)
    names = positions.seats(campaign)
    title = task_name(
        campaign.title, clock.kind, {**facts, "seat": names.get(clock.seat, clock.seat)}
    )
    summary = pgettext("notice", "[%(campaign)s] %(title)s") % {
        "campaign": campaign.name,
        "title": title,
    }
    url = site + reverse("table", args=(campaign.address,))
    return Event(
        f"deadline-{clock.pk}@{host}",
        clock.due_at,
        summary,
        absolute_time(clock.due_at),
        url,
        campaign.last_number,
    )


def calendar(name: str, events: Iterable[Event], now: datetime) -> str:
    """Return a calendar with these events, as text."""
    document = icalendar.Calendar()
    facts = {"prodid": PRODUCT, "version": "2.0", "calscale": "GREGORIAN", "method": "PUBLISH"}
    for key, value in {**facts, "name": name, "x-wr-calname": name}.items():
        document.add(key, ical_text(value))
    document.add("refresh-interval", timedelta(hours=1), parameters={"value": "DURATION"})
    for event in events:
        component = icalendar.Event()
        component.add("uid", ical_text(event.key))
        component.add("dtstamp", now.astimezone(UTC))
        component.add("dtstart", event.due.astimezone(UTC))
        component.add("sequence", event.revision)
        component.add("summary", ical_text(event.summary))
        component.add("description", ical_text(event.description))
        component.add("url", event.url)
        component.add("transp", "TRANSPARENT")
        document.add_component(component)
    return document.to_ical(sorted=False).decode()


def ical_text(value: str) -> icalendar.vText:
    """Return a value of type TEXT.

    Line ends are unified, and characters that a line may not contain are left out.
    """
    lines = value.replace("\r\n", "\n").replace("\r", "\n")
    return icalendar.vText(
        "".join(sign for sign in lines if sign == "\n" or (sign >= " " and sign != "\x7f"))
    )

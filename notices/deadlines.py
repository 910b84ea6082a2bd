"""Deadlines in words, and a person's own as events of a calendar."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import icalendar
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from campaign.clocks import selectors as clocks
from campaign.log import positions
from campaign.models import Clock, Membership
from engine.language import sentence
from games import registry
from notices.texts import absolute

TASKS = {
    "turn": gettext_noop("{round} {turn}"),
    "slot": gettext_noop("Slot of {seat:the}"),
    "answer": gettext_noop("Answer to challenge #{contest}"),
    "battle": gettext_noop("Battle #{contest}"),
    "claim": gettext_noop("Confirmation of the result of battle #{contest}"),
    "words": gettext_noop("Words for the next dice"),
}
BY_NAME = {"slot": gettext_noop("Slot, {seat}")}
"""In titles with a page of their own, whose seats may be people."""
REMEDIES = {
    "turn": gettext_noop("Extend it, or close what is still open."),
    "slot": gettext_noop("Extend it, play the slot, or wait."),
    "answer": gettext_noop("Extend it, answer for them, or wait."),
    "battle": gettext_noop("Extend it, enter the result, name a substitute, or wait."),
    "claim": gettext_noop("Extend it, judge the claim, or wait."),
    "words": gettext_noop("Extend it, close the words, or wait."),
}
ACTS = gettext_noop("{remedy} Automatically, the clock acts on {acts}.")
NOTHING = gettext_noop("{remedy} Nothing happens automatically.")


def task(title: str, kind: str, facts: Mapping[str, Any]) -> str:
    """What is due, in the words of a title, by its key; `facts` are a notice's, names in place of keys."""
    turn = registry.word(title, "turn")
    tasks = {**TASKS, **BY_NAME} if title in registry.PAGES else TASKS
    return sentence(_(tasks[kind]), **facts, round=turn[:1].upper() + turn[1:])


def words(title: str, facts: Mapping[str, Any]) -> dict[str, str]:
    """What a notice of a deadline says beside its facts, in the words of a title: nothing for any other notice."""
    if "task" not in facts:
        return {}
    texts = {key: absolute(datetime.fromisoformat(facts[key])) for key in ("due", "was", "acts") if facts.get(key)}
    kind = facts["task"]
    remedy, after = REMEDIES[kind], ACTS if texts.get("acts") else NOTHING
    texts["until"] = sentence(_("It is due {due}."), due=texts["due"]) if "due" in texts else ""
    texts["remedy"] = sentence(_(after), remedy=_(remedy), acts=texts.get("acts", ""))
    return {"was": "", **texts, "reason": facts.get("reason", ""), "task": task(title, kind, facts)}


def page(facts: Mapping[str, Any]) -> tuple[Any, ...]:
    """Where a notice of a deadline leads."""
    if facts.get("contest") is not None:
        return ("battle", facts["contest"])
    if facts["task"] == "words":
        return ("dice",)
    return ("nation", facts["seat"]) if facts["task"] == "slot" and facts.get("seat") else ("table",)


def facts_of(clock: Clock) -> dict[str, Any]:
    """What is kept of a clock in a notice: it is told as it stood then."""
    facts: dict[str, Any] = {"clock": clock.pk, "task": clock.kind, "seat": clock.seat, "due": clock.due_at.isoformat()}
    if clock.contest is not None:
        facts["contest"] = clock.contest
    if clock.kind == Clock.Kind.TURN:
        facts["turn"] = clock.campaign.turn
    if clock.acts_at is not None and clock.acted_id is None:
        facts["acts"] = clock.acts_at.isoformat()
    return facts


def of_person(user: Any, site: str, host: str, everybody: bool = False) -> list[Event]:
    """The deadlines that wait for him, and those of the turns of his campaigns; none that stands still in a pause.

    With `everybody` also what waits for others, where he is game master: deadlines are public, his calendar need not be.
    """
    held = Membership.objects.filter(user_id=user.pk, until=None, role__in=(*Membership.MASTERS, Membership.Role.SEAT))
    turns = Clock.objects.filter(ended_at=None, kind=Clock.Kind.TURN, campaign__in=held.values("campaign"))
    turns = turns.filter(campaign__abandoned=False, campaign__archived=False).select_related("campaign", "entry")
    mine = [*clocks.of_person(user), *turns]
    if everybody:
        over = held.filter(role__in=Membership.MASTERS)
        mine += Clock.objects.filter(ended_at=None, campaign__in=over.values("campaign"), campaign__abandoned=False).filter(
            campaign__archived=False, campaign__suspended=False
        ).select_related("campaign", "entry")  # fmt: skip
    ordered = sorted({clock.pk: clock for clock in mine}.values(), key=lambda clock: (clock.due_at, clock.pk))
    return [_event(clock, site, host) for clock in ordered if not clock.held]


def _event(clock: Clock, site: str, host: str) -> Event:
    campaign, known = clock.campaign, facts_of(clock)
    names = positions.seats(campaign)
    title = task(campaign.title, clock.kind, {**known, "seat": names.get(clock.seat, clock.seat)})
    summary = _("[%(campaign)s] %(title)s") % {"campaign": campaign.name, "title": title}
    url = site + reverse("table", args=(campaign.address,))
    return Event(f"deadline-{clock.pk}@{host}", clock.due_at, summary, absolute(clock.due_at), url, campaign.last_number)


# A calendar of deadlines in the form of RFC 5545, which `icalendar` writes.

NAME = "-//Tabula//Deadlines//EN"


@dataclass(frozen=True, slots=True)
class Event:
    """An instant that something is due at. `key` stays the same while the deadline is moved, `revision` grows with that and
    never shrinks."""

    key: str
    due: datetime
    summary: str
    description: str
    url: str
    revision: int = 0


def calendar(name: str, events: Iterable[Event], now: datetime) -> str:
    whole = icalendar.Calendar()
    facts = {"prodid": NAME, "version": "2.0", "calscale": "GREGORIAN", "method": "PUBLISH"}
    for key, value in {**facts, "name": name, "x-wr-calname": name}.items():
        whole.add(key, ical_text(value))
    whole.add("refresh-interval", timedelta(hours=1), parameters={"value": "DURATION"})
    for one in events:
        event = icalendar.Event()
        event.add("uid", ical_text(one.key))
        event.add("dtstamp", now.astimezone(UTC))
        event.add("dtstart", one.due.astimezone(UTC))
        event.add("sequence", one.revision)
        event.add("summary", ical_text(one.summary))
        event.add("description", ical_text(one.description))
        event.add("url", one.url)
        event.add("transp", "TRANSPARENT")
        whole.add_component(event)
    return whole.to_ical(sorted=False).decode()


def ical_text(value: str) -> icalendar.vText:
    """A value of type TEXT: lines end in one way, and the signs that no line may hold are left out."""
    lines = value.replace("\r\n", "\n").replace("\r", "\n")
    return icalendar.vText("".join(sign for sign in lines if sign == "\n" or (sign >= " " and sign != "\x7f")))

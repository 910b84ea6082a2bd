"""Notices and deadlines in words, made when read, and a person's deadlines as events of a
calendar.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import icalendar
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from campaign.clocks import selectors as clocks
from campaign.dates import written
from campaign.log import positions
from campaign.models import Clock, Membership
from engine.language import sentence
from games import registry

# Notices in words, made when read. Ids of `notices.registry`; names of seats, nations and people
# are resolved then.


TEXTS = {
    "slot-open.title": gettext_noop("Your slot is open, {seat}"),
    "slot-open.body": gettext_noop("Turn {turn}. {actions}"),
    "next.title": gettext_noop("You are next, {seat}"),
    "next.body": gettext_noop("Turn {turn}. {other}: the slot is open; yours follows."),
    "challenged.title": gettext_noop("You are challenged: #{contest}"),
    "challenged.body": "{other}: {line}",
    "attacked.title": gettext_noop("An attack on you: #{contest}"),
    "attacked.body": "{other}: {line}",
    "answered.title": gettext_noop("Your challenge is answered: #{contest}"),
    "answered.body": "{speaker}: {line}",
    "result.title": gettext_noop("Battle #{contest} is decided"),
    "result.body": "{speaker}: {line}",
    "claimed.title": gettext_noop("A result of battle #{contest} is claimed"),
    "claimed.body": gettext_noop("{other}: confirm it or dispute it."),
    "disputed.title": gettext_noop("The result of battle #{contest} is disputed"),
    "disputed.body": "{other}: {reason}",
    "fell.title": gettext_noop("{seat:The} {seat:have|has} fallen"),
    "fell.body": gettext_noop(
        "Turn {turn}: {fall}. You take no more slots and draw no more cards; your income gives no"
        " more actions."
    ),
    "turn-opened.title": gettext_noop("Turn {turn} opens"),
    "turn-opened.body": gettext_noop("The order of play is on the table."),
    "words-wanted.title": gettext_noop("Words for the next dice"),
    "words-wanted.body": gettext_noop(
        "Add yours on the page Dice before they close; seats that are late are left out."
    ),
    "draw-named.title": gettext_noop("A public draw is named"),
    "draw-named.body": gettext_noop(
        "The dice page says which. Look at it before the draw takes place."
    ),
    "draw-entered.title": gettext_noop("The public draw is entered"),
    "draw-entered.body": gettext_noop(
        "{text}. Check whether it is the number drawn, and object if it is not."
    ),
    "draw-refuted.title": gettext_noop("A false public draw has been entered"),
    "draw-refuted.body": gettext_noop(
        "drand signed {text}. Dice have already been thrown with the false number."
    ),
    "draw-fallen.title": gettext_noop("The public draw has taken place"),
    "draw-fallen.body": gettext_noop(
        "Enter the number drawn on the page Dice; the turn waits for it."
    ),
    "dice-ready.title": gettext_noop("The next dice are mixed"),
    "dice-ready.body": gettext_noop("Nothing prevents the turn from opening."),
    "turn-closed.title": gettext_noop("Turn {turn} is closed"),
    "turn-closed.body": gettext_noop("Its report is ready."),
    "finished.title": gettext_noop("The campaign is over"),
    "finished.body": gettext_noop("The final standings are on the table."),
    "card-lost.title": gettext_noop("A card of {seat:the} is gone"),
    "card-lost.body": "{other}: {line}",
    "correction.title": gettext_noop("A correction touches you"),
    "correction.body": "{line}",
    "undone.title": gettext_noop("Moves after entry {after} are undone"),
    "undone.body": "{reason}",
    "taken-back.title": gettext_noop("A move in one of your notices is taken back"),
    "taken-back.body": gettext_noop("{seat}: your notice of it is no longer true."),
    "restored.title": gettext_noop("What entry {undo} undid is restored"),
    "restored.body": "{reason}",
    "message.title": gettext_noop("{seat}: a message for you"),
    "message.body": gettext_noop("Read it on the page Talk."),
    "message-reported.title": gettext_noop("A text is reported to you"),
    "message-reported.body": gettext_noop("See who reported it, and why."),
    "report-settled.title": gettext_noop("Your report has been looked at"),
    "report-settled.body": "{outcome} {reason}",
    "text-removed.title": gettext_noop("A moderator has removed a text of yours"),
    "text-removed.body": "{reason}",
    "warned.title": gettext_noop("The moderators of this site warn you"),
    "warned.body": "{reason}",
    "press.title": gettext_noop("{seat}: a proclamation"),
    "press.body": "{headline}",
    "sight.title": gettext_noop("The rule about messages changes"),
    "sight.body": "{sight}.",
    "seat-taken.title": gettext_noop("{seat}: the seat is taken"),
    "seat-taken.body": gettext_noop("{user} sits down."),
    "seat-left.title": gettext_noop("{seat}: the seat is free again"),
    "seat-left.body": gettext_noop("{user} sat there."),
    "seat-given.title": gettext_noop("{seat}: the seat is yours"),
    "seat-given.body": gettext_noop("{came} You sit at the table from now on."),
    "offered.title": gettext_noop("{user} hands you the campaign"),
    "offered.body": gettext_noop("Accept it under About, or decline; nothing changes until then."),
    "seat-offered.title": gettext_noop("{user} offers you the seat {seat}"),
    "seat-offered.body": gettext_noop(
        "Accept it under About, or decline; nothing changes until then."
    ),
    "seat-freed.title": gettext_noop("{seat}: you no longer hold the seat"),
    "seat-freed.body": gettext_noop("If you did not know this, ask the game master."),
    "stands-in.title": gettext_noop("You stand in for {seat:the} in battle #{contest}"),
    "stands-in.body": gettext_noop(
        "Set it up, play it, and claim or confirm its result. If you cannot, step back on its page."
    ),
    "stood-for.title": gettext_noop("{user} stands in for you in battle #{contest}"),
    "stood-for.body": gettext_noop("The moves of {seat:the} stay yours."),
    "stands-in-ended.title": gettext_noop(
        "{user} no longer stands in for {seat:the} in battle #{contest}"
    ),
    "stands-in-ended.body": gettext_noop("The holder of the seat plays it again."),
    "countersigner.title": gettext_noop("You are countersigner"),
    "countersigner.body": gettext_noop(
        "You are notified of what the game master corrects, undoes and judges; countersign what you"
        " agree with."
    ),
    "to-countersign.title": gettext_noop("Entry {entry} may be countersigned"),
    "to-countersign.body": "{reason}",
    "countersigned.title": gettext_noop("Entry {entry} is countersigned"),
    "countersigned.body": gettext_noop("{user} has looked at it and agrees."),
    "own-account.title": gettext_noop("You are asked to countersign entry {entry}"),
    "own-account.body": gettext_noop("It concerns the game master’s own nation. {reason}"),
    "objected.title": gettext_noop("{user} objects to entry {entry}"),
    "objected.body": "{reason}",
    "die-awaited.title": gettext_noop("The table waits for a die: {purpose}"),
    "die-awaited.body": gettext_noop("Enter it on the dice page; then the announced move is made."),
    "applied.title": gettext_noop("{user} applies for a seat"),
    "applied.body": gettext_noop("The draw decides when you close the lobby."),
    "life.title": "{life}",
    "life.body": "{reason}",
    "may-start.title": gettext_noop("Battle #{contest} may start"),
    "may-start.body": gettext_noop(
        "{speaker}: {sentence} Set it up, play it, and claim the result on its page."
    ),
    "set-up.title": gettext_noop("Battle #{contest} is set up"),
    "set-up.body": gettext_noop(
        "{other} reports that it is ready in the game. Its page explains how to join."
    ),
    "clock-soon.title": gettext_noop("{task}: until {due}"),
    "clock-soon.body": gettext_noop("Four fifths of the time have passed."),
    "clock-today.title": gettext_noop("{task}: today, {due}"),
    "clock-today.body": gettext_noop(
        "It is the day of this deadline. The game master may extend it if you ask before."
    ),
    "reminded.title": gettext_noop("Reminder: {task}"),
    "reminded.body": gettext_noop("{user} reminds you: the table waits for you. {until}"),
    "clock-moved.title": gettext_noop("{task}: now until {due}"),
    "clock-moved.body": gettext_noop("It was {was}. {reason}"),
    "clock-missed.title": gettext_noop("{task} is overdue"),
    "clock-missed.body": gettext_noop("It was due {due}. {remedy}"),
    "clock-acted.title": gettext_noop("The clock has acted: {task}"),
    "clock-acted.body": gettext_noop("{sentence} The game master can undo it."),
    "taken-over.title": gettext_noop("{user} is game master now"),
    "taken-over.body": "{reason}",
    "master-asked.title": gettext_noop("{seat}: a new game master is asked for"),
    "master-asked.body": gettext_noop(
        "The game master has not been seen for {days} days. A game master who comes again stays"
        " game master."
    ),
    "ruling.title": gettext_noop("Ruling {ruling}"),
    "ruling.body": "{reading}",
    "amendment.title": gettext_noop("Amendment {amendment} of the rules is proposed"),
    "amendment.body": gettext_noop("It is meant for turn {turn}. {reason} Say whether you agree."),
    "amendment-answer.title": gettext_noop("{seat} answers amendment {amendment}"),
    "amendment-answer.body": "{agreement} {reason}",
    "absence.title": "{away}",
    "absence.body": gettext_noop("The desk shows what is due meanwhile, and what may be done."),
    "program.title": "{program}",
    "program.body": "{reason}",
    "solo.title": gettext_noop("Battle #{contest}: how it is played changes"),
    "solo.body": "{solo}",
    "order-spoke.title": gettext_noop("Your standing order for {seat:the} has acted"),
    "order-spoke.body": gettext_noop(
        "What the order did is in the log. The game master may undo it."
    ),
    "order-skipped.title": gettext_noop("A standing order for {seat:the} was skipped"),
    "order-skipped.body": "{order}: {why} §{rule}",
    "channel-off.title": gettext_noop("{name} is switched off"),
    "channel-off.body": gettext_noop(
        "Nothing arrived there any more: {error} Correct it and switch it on again."
    ),
    "webhook-off.title": gettext_noop("A webhook is switched off"),
    "webhook-off.body": gettext_noop(
        "Nothing arrived there any more. Its page says why: correct it and switch it on again."
    ),
    "post-failed.title": gettext_noop("A post has failed: {report}"),
    "post-failed.body": gettext_noop("{place}: {error} Try it again, post it by hand, or skip it."),
    "post-doubtful.title": gettext_noop("Was it posted? {report}"),
    "post-doubtful.body": gettext_noop(
        "{place}: {error} Look whether it is there, and enter the answer; nothing is sent twice on"
        " a guess."
    ),
    "thread-locked.title": gettext_noop("Nothing more is posted: {place}"),
    "thread-locked.body": gettext_noop(
        "{error} Posts that are ready wait there until you have looked at its settings."
    ),
    "opponent-absent.title": "{away}",
    "opponent-absent.body": gettext_noop("You play battle #{contest} against each other."),
}

NO_DESK = gettext_noop("The path to the close, under Clocks, shows when they are awaited.")
"""In place of the body of an absence where the title has no desk."""

CHALLENGED_AT = gettext_noop("Challenge at {place}: #{contest}")
"""The title of a challenge where its place has a name."""
CLAIMED_RESULT = "{sentence} {origin}"
"""The text of a notice of a result that players claimed: without a speaker, with who claimed it."""
LEADS_AT = gettext_noop("You lead the defence of {place}: #{contest}")
"""The title of the notice of an attack on independents, for the nation that leads them."""
RULED_ON = gettext_noop("Ruling {ruling} on §{rule}")
"""In place of its title where a ruling is of a paragraph."""

OUTCOMES = {
    "dismissed": gettext_noop("The text stays."),
    "removed": gettext_noop("The text is removed."),
    "warned": gettext_noop("Its author is warned."),
    "closed": gettext_noop("The account of its author is closed."),
    "seen": gettext_noop("The game master has seen to it."),
}
"""What came of a report."""

AGREEMENT = {"agreed": gettext_noop("Agreed."), "refused": gettext_noop("Not agreed.")}

CAME = {
    "drawn": gettext_noop("The dice of the draw gave it to you."),
    "seated": gettext_noop("The game master gives it to you from the reserve."),
}
"""How a seat came to somebody who did not take it themselves."""

AWAY = {
    "announced": gettext_noop("{user} is away from {first} to {last}"),
    "changed": gettext_noop("{user} is away on other days: from {first} to {last}"),
    "taken-back": gettext_noop("{user} is not away after all from {first} to {last}"),
}

SOLO = {
    "agreed": gettext_noop(
        "{seat:The} {seat:are|is} away: their opponent plays it solo, on empire difficulty."
    ),
    "ended": gettext_noop("Both play it again."),
    "agreed-program": gettext_noop(
        "A program plays {seat:the}: the opponent plays it solo, on empire difficulty."
    ),
    "ended-program": gettext_noop(
        "No program plays {seat:the} any more: it is no longer played solo."
    ),
}

PROGRAM = {
    "takes": gettext_noop("{seat}: a program holds the seat ({level})"),
    "leaves": gettext_noop("{seat}: the program leaves the seat"),
}

LIFE = {
    "paused": gettext_noop("The campaign is paused"),
    "resumed": gettext_noop("The campaign goes on"),
    "abandoned": gettext_noop("The campaign is abandoned"),
    "revived": gettext_noop("The campaign is resumed"),
    "archived": gettext_noop("The campaign goes into the archive"),
    "unarchived": gettext_noop("The campaign comes out of the archive"),
    "suspended": gettext_noop("The host suspends the campaign"),
    "unsuspended": gettext_noop("The campaign goes on after its suspension"),
}


# Moments in words that hold wherever and whenever they are read.


def absolute(moment: datetime) -> str:
    """A moment with its day, its year and the reader's zone."""
    local = timezone.localtime(moment)
    facts = {"moment": written(local, "j F Y, H:i"), "zone": timezone.get_current_timezone_name()}
    return _("%(moment)s (%(zone)s)") % facts


# Deadlines in words, and a person's own as events of a calendar.


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
    """What is due, in the words of a title, by its key; `facts` are a notice's, names in place of
    keys.
    """
    turn = registry.word(title, "turn")
    tasks = {**TASKS, **BY_NAME} if registry.has_board(title) else TASKS
    return sentence(_(tasks[kind]), **facts, round=turn[:1].upper() + turn[1:])


def words(title: str, facts: Mapping[str, Any]) -> dict[str, str]:
    """What a notice of a deadline says beside its facts, in the words of a title: nothing for any
    other notice.
    """
    if "task" not in facts:
        return {}
    texts = {
        key: absolute(datetime.fromisoformat(facts[key]))
        for key in ("due", "was", "acts")
        if facts.get(key)
    }
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
    return (
        ("nation", facts["seat"]) if facts["task"] == "slot" and facts.get("seat") else ("table",)
    )


def facts_of(clock: Clock) -> dict[str, Any]:
    """What is kept of a clock in a notice: it is told as it stood then."""
    facts: dict[str, Any] = {
        "clock": clock.pk,
        "task": clock.kind,
        "seat": clock.seat,
        "due": clock.due_at.isoformat(),
    }
    if clock.contest is not None:
        facts["contest"] = clock.contest
    if clock.kind == Clock.Kind.TURN:
        facts["turn"] = clock.campaign.turn
    if clock.acts_at is not None and clock.acted_entry_id is None:
        facts["acts"] = clock.acts_at.isoformat()
    return facts


def of_person(user: Any, site: str, host: str, everybody: bool = False) -> list[Event]:
    """The deadlines that wait for them, and those of the turns of their campaigns; none that stands
    still in a pause.

    With `everybody` also what waits for others, where they are game master: deadlines are public,
    their calendar need not be.
    """
    held = Membership.objects.filter(
        user_id=user.pk, until=None, role__in=(*Membership.MASTERS, Membership.Role.SEAT)
    )
    turns = Clock.objects.filter(
        ended_at=None, kind=Clock.Kind.TURN, campaign__in=held.values("campaign")
    )
    turns = turns.filter(campaign__abandoned=False, campaign__archived=False).select_related(
        "campaign", "entry"
    )
    mine = [*clocks.of_person(user), *turns]
    if everybody:
        over = held.filter(role__in=Membership.MASTERS)
        mine += (
            Clock.objects.filter(
                ended_at=None, campaign__in=over.values("campaign"), campaign__abandoned=False
            )
            .filter(campaign__archived=False, campaign__suspended=False)
            .select_related("campaign", "entry")
        )
    ordered = sorted(
        {clock.pk: clock for clock in mine}.values(), key=lambda clock: (clock.due_at, clock.pk)
    )
    return [_event(clock, site, host) for clock in ordered if not clock.held]


def _event(clock: Clock, site: str, host: str) -> Event:
    campaign, known = clock.campaign, facts_of(clock)
    names = positions.seats(campaign)
    title = task(campaign.title, clock.kind, {**known, "seat": names.get(clock.seat, clock.seat)})
    summary = _("[%(campaign)s] %(title)s") % {"campaign": campaign.name, "title": title}
    url = site + reverse("table", args=(campaign.address,))
    return Event(
        f"deadline-{clock.pk}@{host}",
        clock.due_at,
        summary,
        absolute(clock.due_at),
        url,
        campaign.last_number,
    )


# A calendar of deadlines in the form of RFC 5545, which `icalendar` writes.

NAME = "-//Tabula//Deadlines//EN"


@dataclass(frozen=True, slots=True)
class Event:
    """An instant that something is due at. `key` stays the same while the deadline is moved,
    `revision` grows with that and never shrinks.
    """

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
    """A value of type TEXT: lines end in one way, and the signs that no line may hold are
    left out.
    """
    lines = value.replace("\r\n", "\n").replace("\r", "\n")
    return icalendar.vText(
        "".join(sign for sign in lines if sign == "\n" or (sign >= " " and sign != "\x7f"))
    )

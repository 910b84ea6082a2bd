"""Texts about deadlines and moments, made when they are read."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from campaign.dates import written
from campaign.models import Clock
from engine.language import sentence
from games import registry

TASKS = {
    "slot": gettext_noop("Turn of {seat:the}"),
    "answer": gettext_noop("Answer to challenge #{contest}"),
    "battle": gettext_noop("Battle #{contest}"),
    "claim": gettext_noop("Confirmation of the result of battle #{contest}"),
    "words": gettext_noop("Words for the next dice"),
}
TASKS_OF_PEOPLE = {"slot": gettext_noop("Turn of {seat}")}
"""The texts that differ for titles with a page of their own, whose seats may be people."""
REMEDIES = {
    "turn": gettext_noop("Extend the deadline, or close what is still open."),
    "slot": gettext_noop("Extend the deadline, make the moves for the nation, or wait."),
    "answer": gettext_noop("Extend the deadline, answer for the player, or wait."),
    "battle": gettext_noop("Extend the deadline, enter the result, name a substitute, or wait."),
    "claim": gettext_noop("Extend the deadline, decide on the claim, or wait."),
    "words": gettext_noop("Extend the deadline, stop accepting words, or wait."),
}
CLOCK_ACTS = gettext_noop("{remedy} If nothing is done, the clock acts automatically on {acts}.")
NOTHING_ACTS = gettext_noop("{remedy} Nothing happens automatically.")


def absolute_time(moment: datetime) -> str:
    """Return a moment with day, year and the reader's time zone.

    The text remains correct wherever and whenever it is read.
    """
    local = timezone.localtime(moment)
    facts = {"moment": written(local, "j F Y, H:i"), "zone": timezone.get_current_timezone_name()}
    return _("%(moment)s (%(zone)s)") % facts


def task_name(title: str, kind: str, facts: Mapping[str, Any]) -> str:
    """Return the name of what is due, in the words of the title with this key.

    `facts` are those of a notice, with names in place of keys.
    """
    if kind == "turn":
        return str(capfirst(registry.word(title, "turn_number").format(n=facts["turn"])))
    tasks = {**TASKS, **TASKS_OF_PEOPLE} if registry.has_board(title) else TASKS
    return sentence(_(tasks[kind]), **facts)


def deadline_words(title: str, facts: Mapping[str, Any]) -> dict[str, str]:
    """Return the texts of a notice about a deadline, in the words of a title."""
    moments = {
        key: absolute_time(datetime.fromisoformat(facts[key]))
        for key in ("due", "was", "acts")
        if facts.get(key)
    }
    kind = facts["task"]
    due, acts = moments.get("due", ""), moments.get("acts", "")
    after = CLOCK_ACTS if acts else NOTHING_ACTS
    return {
        "was": "",
        **moments,
        "until": sentence(_("The deadline is {due}."), due=due) if due else "",
        "remedy": sentence(_(after), remedy=_(REMEDIES[kind]), acts=acts),
        "reason": facts.get("reason", ""),
        "task": task_name(title, kind, facts),
    }


def deadline_facts(clock: Clock) -> dict[str, Any]:
    """Return the facts of a clock that a notice stores: the deadline as it is now."""
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

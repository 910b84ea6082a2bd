"""What the game master says of time: how long things may take, and that one takes longer. Pauses are `living.live`'s."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from campaign import access
from campaign.clocks import terms as said
from campaign.clocks.models import MOVED, Clock
from campaign.clocks.telling import announce
from campaign.clocks.terms import Terms
from campaign.errors import NotNow, Refused
from campaign.models import Campaign, LogEntry
from campaign.services import acts, asking, log


@transaction.atomic
def set_terms(campaign: Campaign, user: Any, terms: Mapping[str, Terms | None], *, now: datetime | None = None) -> LogEntry:
    """The terms of some kinds of clocks, or none (None: no such clock runs); those not named stay as they are.

    A new length holds for clocks that begin from now on; what happens when one is over, for those that run, too. A kind
    that is switched on begins to run now. Raises `Refused`, also where nothing would change.
    """
    table = log.lock(campaign)
    access.must_be_host(table, user)
    before = said.of(table)
    after = before | {kind: said.checked(table, kind, one) for kind, one in terms.items()}
    if after == before:
        raise Refused("no-change", _("These terms stand already."))
    what = {kind: None if one is None else one.to_json() for kind, one in after.items()}
    changed = [kind for kind in said.KINDS if after[kind] != before[kind]]
    return acts.append(table, user, {"act": said.ACT, "terms": what, "changed": changed}, now=now)


@transaction.atomic
def extend(
    campaign: Campaign, user: Any, clock: Clock, to: datetime, reason: str, seen: int, *, now: datetime | None = None
) -> LogEntry:
    """Another deadline for one clock, with a reason that everybody reads: not before what its length gave, at the latest
    twice its length after it began, pauses aside.

    Reminders come again for the new deadline. Raises `TableMovedOn`, `NotAllowed`, `NotNow`, `Refused`.
    """
    table, at = log.lock(campaign), log.moment(now)
    who = access.must_be_host(table, user)
    log.must_be_current(table, who, seen)
    one = Clock.objects.filter(pk=clock.pk, campaign=table, ended_at=None).select_related("entry").first()
    if one is None:
        raise NotNow("clock-ended", _("This clock runs no more."))
    if one.held:
        raise NotNow("held", _("The campaign pauses and its clocks stand still: extend when it goes on."))
    why, to = log.a_reason(reason), to.astimezone(UTC)
    if to == one.first_due_at.replace(second=0, microsecond=0):
        to = one.first_due_at  # a form knows minutes
    if to <= at:
        raise Refused("past", _("A new deadline lies ahead."))
    if to > one.latest:
        raise Refused("too-long", _("At most twice its length. Longer, the campaign pauses."))
    if to < one.first_due_at:
        raise Refused("too-short", _("Nobody is left less time than the terms gave him."))
    if to == one.due_at:
        raise Refused("no-change", _("This is its deadline already."))
    was = one.due_at
    one.move(to)
    one.attempts = 0
    one.rearm(at)
    one.save()
    facts: dict[str, Any] = {"kind": one.kind, "was": said_at(was), "to": said_at(to), "zone": table.time_zone, "reason": why}
    if one.contest is not None:
        facts["contest"] = one.contest
    entry = acts.append(table, user, {"act": said.EXTEND, **facts}, seat=one.seat, target=one.entry, now=at)
    if one.contest is not None:
        asking.of_contest(table, user, entry, one.contest, at)
    else:
        asking.ask(table, user, entry, lambda seats: seats & {one.seat}, at)
    announce(one, MOVED, at, {"was": was, "to": to, "reason": why, "entry": entry})
    return entry


def said_at(at: datetime) -> str:
    """An instant as the log has it."""
    return at.astimezone(UTC).isoformat(timespec="seconds")

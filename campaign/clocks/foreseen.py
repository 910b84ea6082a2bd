"""Which clocks an undo or a restoration would end, set running again, or begin: what `running.reconcile` would do."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import F, Q

from campaign import positions
from campaign.clocks import running
from campaign.clocks.models import Clock
from campaign.rewinds import Rewind

ENDS, OPENS, BEGINS = "ends", "opens", "begins"


class Foreseen(NamedTuple):
    """`due_at` is when it is due then; None for one that begins anew. `held`: the campaign stands still."""

    what: str
    kind: str
    seat: str
    contest: int | None
    due_at: datetime | None
    held: bool = False


def foresee(rewind: Rewind, now: datetime) -> list[Foreseen]:
    """Those that end first. Two queries where claims wait, else one. One that has never run begins when its opener says."""
    campaign, position = rewind.campaign, rewind.position
    missing = running.wanted(campaign, position, ended=positions.copies(campaign, position).finished)
    asked = Q(ended_at=None)
    for kind, seat, contest, mark in missing:
        asked |= Q(kind=kind, seat=seat, contest=contest, mark=mark)
    found = Clock.objects.filter(asked, campaign=campaign)
    rows = list(found.annotate(place=F("entry__sequence"), of_kind=F("entry__kind")).order_by("entry__sequence", "pk"))
    made: list[Foreseen] = []
    for clock in [one for one in rows if one.ended_at is None]:
        want = missing.get(_key(clock))
        if want is None or not _stands(clock, rewind) or want.entry not in (None, clock.entry_id):
            made.append(Foreseen(ENDS, clock.kind, clock.seat, clock.contest, clock.due_at, clock.held))
        else:
            del missing[want.key]
    for key, want in missing.items():
        old = [one for one in rows if one.ended_at is not None and _key(one) == key and _stands(one, rewind)]
        old = [one for one in old if want.entry in (None, one.entry_id)]
        frozen = running.frozen(campaign)
        if not old or old[-1].how == Clock.End.OFF:
            made.append(Foreseen(BEGINS, want.kind, want.seat, want.contest, None, frozen))
            continue
        last = old[-1]
        assert last.ended_at is not None
        due = last.due_at + max(now - last.ended_at, timedelta())
        made.append(Foreseen(OPENS, want.kind, want.seat, want.contest, due, frozen))
    return made


def _key(clock: Clock) -> tuple[str, str, int | None, str]:
    return clock.kind, clock.seat, clock.contest, clock.mark


def _stands(clock: Clock, rewind: Rewind) -> bool:
    """Is the entry that opened it in force then? An act is never struck."""
    facts = vars(clock)
    return facts["of_kind"] != "move" or facts["place"] in rewind.in_force

"""What is told of clocks: `tell` is one of `settings.CLOCK_TELLERS`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext_noop

from campaign.audience import GAME_MASTER
from campaign.clocks.models import ACTED, MISSED, MOVED, SOON, TODAY, WORTH_TELLING, Clock
from campaign.models import LogEntry, Membership
from engine.log import canonical
from notices import deadlines
from notices.models import Notice
from notices.registry import MASTERS, SEAT, Happening, Kind, To, register


def nobody(happening: Happening) -> Iterator[To]:
    """No entry tells of it by itself: the clock does."""
    yield from ()


def overtaken(notice: Notice) -> bool:
    """Was what is due done meanwhile, or the deadline moved?"""
    facts = notice.known
    clock = Clock.objects.filter(pk=facts["clock"]).first()
    if clock is None or clock.ended_at is not None or clock.held:
        return True
    return abs(clock.due_at - datetime.fromisoformat(facts["due"])) >= WORTH_TELLING


KINDS = {
    SOON: Kind(
        "clock-soon", gettext_noop("A deadline comes near"), SEAT, ("deadline",), nobody, urgent=True, overtaken=overtaken
    ),
    TODAY: Kind(
        "clock-today", gettext_noop("A deadline is today"), SEAT, ("deadline",), nobody, urgent=True, overtaken=overtaken
    ),
    MOVED: Kind(
        "clock-moved", gettext_noop("A deadline is moved"), SEAT, ("deadline",), nobody, urgent=True, overtaken=overtaken
    ),
    ACTED: Kind("clock-acted", gettext_noop("The clock has acted"), SEAT, ("entry",), nobody, urgent=True),
    MISSED: Kind(
        "clock-missed", gettext_noop("A deadline has passed"), MASTERS, ("desk",), nobody, urgent=True, overtaken=overtaken
    ),
}
for _kind in KINDS.values():
    register(_kind)


def tell(clock: Clock, what: str, at: datetime, facts: Mapping[str, Any]) -> None:
    """Write to each whom it concerns, once for each deadline: `about` holds it, so a moved one is told anew."""
    kind = KINDS.get(what)
    if kind is None:
        return
    entry: LogEntry = facts.get("entry") or clock.entry
    known = deadlines.facts_of(clock)
    if what == MOVED:
        known |= {"was": facts["was"].isoformat(), "reason": facts.get("reason") or ""}
    text = canonical(known)
    about = f"{clock.pk}/{clock.due_at:%Y%m%dT%H%M%SZ}"
    Notice.objects.bulk_create(
        [
            Notice(
                user_id=user, campaign_id=clock.campaign_id, entry=entry, kind=kind.key, about=about, seat=seat, facts=text, at=at
            )
            for user, seat in sorted(_whom(clock, what))
            if what != MOVED or user != entry.actor_id
        ],
        ignore_conflicts=True,
    )


def _whom(clock: Clock, what: str) -> set[tuple[int, str]]:
    """User ids, and as which seat each is told: who is waited for, for a turn who sits there, the game masters of what was
    missed, moved or done by the clock."""
    role = Membership.Role
    held = Membership.objects.filter(campaign_id=clock.campaign_id, until=None)
    asked = Q(pk=None)
    if what != MISSED:
        seats = Q(role=role.SEAT)
        asked |= seats if clock.kind == Clock.Kind.TURN else seats & Q(seat__in=clock.seats)
        if clock.contest is not None:
            asked |= Q(role=role.SUBSTITUTE, contest=clock.contest, seat__in=clock.seats)
    if what in (MISSED, ACTED, MOVED) or clock.kind == Clock.Kind.TURN:
        asked |= Q(role__in=Membership.MASTERS)
    found: dict[int, str] = {}
    for user, as_what, seat in held.filter(asked).order_by("pk").values_list("user_id", "role", "seat"):
        mine = GAME_MASTER if as_what in Membership.MASTERS else seat if as_what == role.SEAT else ""
        found[user] = mine if user not in found or mine != GAME_MASTER else found[user]
    return set(found.items())

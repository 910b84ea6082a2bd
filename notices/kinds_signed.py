"""Notices of countersignatures: to who is asked, to the game masters when somebody has looked, to everybody when he objects."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext_noop

from campaign import access, concerning, countersigned
from campaign.audience import GAME_MASTER
from campaign.models import Membership
from notices.models import Notice
from notices.registry import MASTERS, TABLE, Happening, Kind, To, register, to_masters


def to_countersign(h: Happening) -> Iterator[To]:
    """What concerns the game master's own seat is told by the act that asks: once is enough."""
    if countersigned.asks(h.entry) and not _own(h):
        held = Membership.objects.filter(campaign=h.campaign, role=Membership.Role.COUNTERSIGNER, until=None)
        for person in held.values_list("user_id", flat=True):
            yield To(person=person, facts={"entry": h.entry.number, "reason": h.said.get("reason", "")})


def _own(h: Happening) -> frozenset[str]:
    """Those of the game master's own seats that the entry concerns."""
    seats = concerning.own(h.campaign, h.entry.actor, access.of(h.campaign, h.entry.actor))
    if not seats:
        return frozenset()
    if h.entry.is_move:
        return concerning.of_move(h.campaign, h.said, h.effects, seats, h.before, h.after)
    if "battle" in h.said:
        return concerning.of_contest(h.campaign, h.said["battle"], seats, h.after)
    return concerning.of_struck(h.struck, seats)


def own_account(h: Happening) -> Iterator[To]:
    if h.act == countersigned.OWN and h.entry.target is not None:
        facts = {"entry": h.said["entry"], "reason": h.entry.target.said.get("reason", "")}
        for one in countersigned.asked(access.places(h.campaign), h.entry.actor_id, h.said["seats"]):
            yield To(person=one.user_id, facts=facts)


def settled(notice: Notice) -> bool:
    """Is what may be countersigned undone by now, or has somebody signed?"""
    target = notice.entry.target
    if target is None or target.struck_by_id is not None:
        return True
    return countersigned.under(notice.campaign, [target.pk], (countersigned.SIGN,)).exists()


def was_countersigned(h: Happening) -> Iterator[To]:
    if h.act == countersigned.SIGN:
        yield to_masters(entry=h.said["entry"], user=h.entry.actor_id)


def objected(h: Happening) -> Iterator[To]:
    """To all, and to who is asked beside them."""
    if h.act == countersigned.OBJECT:
        facts = {"entry": h.said["entry"], "user": h.entry.actor_id, "reason": h.said["reason"]}
        for seat in (*h.seats, GAME_MASTER):
            yield To(seat, facts=facts)
        named = Membership.objects.filter(campaign=h.campaign, role=Membership.Role.COUNTERSIGNER, until=None)
        for person in named.exclude(user=h.entry.actor).values_list("user_id", flat=True):
            yield To(person=person, facts=facts)


register(
    Kind("to-countersign", gettext_noop("A correction, undo or judgment may be countersigned"), TABLE, ("entry",), to_countersign)
)
OWN_NAME = gettext_noop("You are asked to countersign what concerns the game master’s own nation")
register(Kind("own-account", OWN_NAME, TABLE, ("entry", "entry"), own_account, overtaken=settled))
register(Kind("countersigned", gettext_noop("An entry is countersigned"), MASTERS, ("entry", "entry"), was_countersigned))
register(Kind("objected", gettext_noop("Somebody objects to what the game master did"), TABLE, ("entry", "entry"), objected))

"""Notices of absence: to the game masters, and to those whose open battles are against who is away; of standing orders."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext_noop

from campaign.audience import GAME_MASTER
from campaign.models import Membership
from notices.registry import MASTERS, SEAT, Happening, Kind, To, register


def absent(h: Happening) -> Iterator[To]:
    if h.act == "absence":
        yield To(GAME_MASTER, facts={key: h.said[key] for key in ("how", "user", "first", "last")})


def opponent_absent(h: Happening) -> Iterator[To]:
    """Each seat that stands against one of his in a battle that runs, once a battle."""
    if h.act != "absence":
        return
    held = Membership.objects.filter(campaign=h.campaign, user=h.said["user"], role=Membership.Role.SEAT, until=None)
    own = set(held.values_list("seat", flat=True))
    facts = {key: h.said[key] for key in ("how", "user", "first", "last")}
    for number, known in h.campaign.game.rows(h.after).contests.items():
        sides = [side for side in (known.get("attacker"), known.get("defender") or known.get("leader")) if side]
        if known["status"] != "resolved" and own & set(sides):
            for seat in sides:
                if seat not in own:
                    yield To(seat, about=str(number), facts={**facts, "contest": number})


def order_spoke(h: Happening) -> Iterator[To]:
    """To the seat's holder, who is away perhaps; what was said stands in the log."""
    if h.act == "standing":
        yield To(h.entry.seat, facts={"seat": h.entry.seat, "contest": h.said.get("battle")})


def played_solo(h: Happening) -> Iterator[To]:
    """To both sides: who is away, and who plays on alone."""
    if h.act == "solo":
        known = h.campaign.game.rows(h.after).contests.get(h.said["battle"], {})
        for seat in (known.get("attacker"), known.get("defender") or known.get("leader")):
            if seat:
                yield To(
                    seat,
                    about=str(h.said["battle"]),
                    facts={"contest": h.said["battle"], "seat": h.entry.seat, "how": h.said["how"]},
                )


def nobody(h: Happening) -> Iterator[To]:
    """No entry tells of it: `notices.ordered` does."""
    yield from ()


register(Kind("absence", gettext_noop("Somebody is away"), MASTERS, ("seats",), absent))
register(Kind("opponent-absent", gettext_noop("Your opponent is away"), SEAT, ("battle", "contest"), opponent_absent))
register(Kind("order-spoke", gettext_noop("Your standing order speaks"), SEAT, ("standing", "seat"), order_spoke))
register(Kind("order-skipped", gettext_noop("Your standing order was skipped"), SEAT, ("standing", "seat"), nobody, urgent=True))
register(Kind("solo", gettext_noop("A battle of yours is played solo"), SEAT, ("battle", "contest"), played_solo))

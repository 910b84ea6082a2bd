"""A seat's standing orders, read: its holder and the game master learn of them, and nobody else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from campaign import access, positions
from campaign.errors import NotAllowed
from campaign.models import Campaign, Handover, Heeded, Membership, StandingOrders
from engine.errors import IllegalMove
from engine.strict_json import read
from engine.title import OrderKind
from engine.title import StandingOrders as Takes

MOST = 20
"""Orders of a seat."""
LONGEST = 4000
"""Characters of one order, as canonical JSON."""
WHEN = (StandingOrders.AT_ONCE, StandingOrders.CLOCK)


class Skip(NamedTuple):
    """An order that would have acted and was forbidden: the order, the rule, why, the contest, when."""

    order: dict[str, Any]
    rule: str
    why: str
    contest: int | None
    at: Any


def takes(campaign: Campaign) -> bool:
    """Does the title know standing orders?"""
    return isinstance(campaign.game, Takes)


def kinds(campaign: Campaign, seat: str) -> Sequence[OrderKind]:
    """What may be ordered for a seat now."""
    game = campaign.game
    return game.order_kinds(positions.current(campaign), seat) if isinstance(game, Takes) else ()


def line(campaign: Campaign, order: dict[str, Any]) -> str:
    """An order in the reader's words."""
    game = campaign.game
    return game.order_line(positions.scenario(campaign), order) if isinstance(game, Takes) else ""


def of_seat(campaign: Campaign, user: Any, seat: str, places: Iterable[Membership] | None = None) -> StandingOrders | None:
    """The orders of who holds the seat, for himself and the game master; an unsaved, empty row where he gave none; None
    where nobody sits there. Raises `NotAllowed` for everybody else. `places` from `selectors.held`, asked once a page."""
    who = access.of(campaign, user)
    if seat not in who.seats and not who.game_master:
        raise NotAllowed("not-your-seat", _("Only who holds a seat gives it orders; he and the game master see them."))
    held = access.places(campaign) if places is None else places
    holder = next((one.user_id for one in held if (one.role, one.seat) == (Membership.Role.SEAT, seat)), None)
    if holder is None:
        return None
    kept = StandingOrders.objects.filter(campaign=campaign, user_id=holder, seat=seat).first()
    return kept or StandingOrders(campaign=campaign, user_id=holder, seat=seat)


def ended_with(campaign: Campaign, came: Handover) -> list[str]:
    """In words, what who held a seat before had ordered for it: it ended with him."""
    if came.leaver_id is None:
        return []
    kept = StandingOrders.objects.filter(campaign=campaign, user_id=came.leaver_id, seat=came.seat).first()
    return [line(campaign, one["order"]) for one in kept.given] if kept is not None else []


def in_force(campaign: Campaign) -> QuerySet[StandingOrders]:
    """The orders of every seat whose holder gave some and sits there still; one query, whether there are any or not."""
    sits = Membership.objects.filter(
        campaign=OuterRef("campaign"), user=OuterRef("user"), seat=OuterRef("seat"), role=Membership.Role.SEAT, until=None
    )
    return StandingOrders.objects.filter(Exists(sits), campaign=campaign, size__gt=0).order_by("seat", "pk")


def skips(kept: StandingOrders, most: int = 5) -> list[Skip]:
    """The latest times that one of these orders was forbidden."""
    if kept.pk is None:
        return []
    found = Heeded.objects.filter(orders=kept).exclude(refusal="").order_by("-pk")[:most]
    return [Skip(dict(read(one.said)), *_refused(kept.campaign, one.refusal), one.contest, one.at) for one in found]


def _refused(campaign: Campaign, kept: str) -> tuple[str, str]:
    """The rule and the sentence of a refusal as it was kept."""
    refusal = refusal_of(read(kept))
    return refusal.rule, campaign.game.refusal(positions.scenario(campaign), refusal)


def refusal_of(raw: dict[str, Any]) -> IllegalMove:
    """A refusal from how it was kept."""
    return IllegalMove(raw["code"], raw["rule"], raw["message"], **raw["facts"])

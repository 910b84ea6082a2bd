"""What a seat may say now, with values and costs, and for the rest the rule that forbids it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.serializers import moves as forms
from api.views.base import Here, OfCampaign
from campaign import looks, selectors
from campaign.audience import GAME_MASTER
from campaign.errors import NotAllowed
from engine.errors import IllegalMove
from engine.title import Field, Offer
from games import registry

TEXT = {"type": "string", "maxLength": 200}
SEAT = OpenApiParameter("seat", TEXT, description="A seat you speak for, `gm` for the game master; else your first.")
KEY = OpenApiParameter("offer", TEXT, description="This offer alone; values chosen for its fields may stand beside, by key.")
NOBODY = "!nobody"


class OffersView(OfCampaign):
    @extend_schema(summary="What a seat may say now", responses=forms.Offers, parameters=[SEAT, KEY])
    def get(self, request: Request, ref: str) -> Response:
        """As the page of the seat has it. With `offer=` and chosen fields the values of those that depend on them."""
        here = self.here
        seat = here.seat(request.GET.get("seat") or (here.access.seats or (GAME_MASTER,))[0])
        if seat != GAME_MASTER and here.access.game_master:
            must_lie_open(here, [seat])
        found = offered(here, seat)
        wanted = request.GET.get("offer")
        if wanted is not None:
            found = [one for one in found if one.key == wanted]
        asked = request.GET if wanted is not None else QueryDict()
        if seat == GAME_MASTER:  # whose cards he would correct is chosen in the address
            for one in found:
                chosen = {each.key: asked[each.key] for each in one.fields if each.key in asked}
                must_lie_open(here, looks.about(here.campaign, here.access, one.raw(chosen)))
        by = seat if seat in here.access.voices else GAME_MASTER
        return self.told(
            forms.Offers,
            {"seat": seat, "by": by, "seen": here.seen, "offers": [told(here, one, asked) for one in found],
             "onward": onward(here, by, seat)},
        )  # fmt: skip


def must_lie_open(here: Here, seats: Iterable[str]) -> None:
    """Raises `NotAllowed` for a game master where one of these hands is closed to him."""
    if not all(here.access.opens(seat) for seat in seats):
        raise NotAllowed("closed-hand", _("This hand is closed to you. Ask with ?hands=open: its holder reads that you did."))


def offered(here: Here, seat: str) -> list[Offer]:
    """Raises `NotAllowed` for a seat that is not his. Nothing is offered while nothing is played."""
    found, campaign = selectors.offers(here.campaign, here.access, seat), here.campaign
    if campaign.abandoned or campaign.archived or (campaign.paused and seat != GAME_MASTER):
        return []
    lone = campaign.title in registry.PAGES  # there whoever plays alone begins it, too
    if campaign.ended or not (campaign.started or lone or seat == GAME_MASTER):
        return []
    return list(found)


def told(here: Here, offer: Offer, asked: Mapping[str, str]) -> dict[str, Any]:
    chosen: dict[str, Any] = {}
    return {
        "key": offer.key, "group": offer.group, "move": offer.move, "cost": offer.cost, "raw": offer.raw({}),
        "refusal": refusal(here, offer.refusal), "fields": [field(offer, one, asked, chosen) for one in offer.fields],
    }  # fmt: skip


def field(offer: Offer, one: Field, asked: Mapping[str, str], chosen: dict[str, Any]) -> dict[str, Any]:
    """A field, with its values where all that it depends on is chosen; what the address says of it is added to `chosen`."""
    optional = {each.key for each in offer.fields if each.optional}
    known = all(key in chosen or key in optional for key in one.depends)
    values = offer.values(one.key, chosen) if known and offer.refusal is None else None
    said = asked.get(one.key)
    value = next((each for each in values or () if _text(each) == said), None) if said is not None else None
    if said is not None and values is not None and any(_text(each) == said for each in values):
        chosen[one.key] = value
    return {
        "key": one.key, "kind": one.kind, "optional": one.optional, "default": one.default, "depends": list(one.depends),
        "values": None if values is None else list(values), "chosen": value,
    }  # fmt: skip


def _text(value: Any) -> str:
    """A value as an address says it."""
    if value is None:
        return NOBODY
    return str(value).lower() if isinstance(value, bool) else str(value)


def refusal(here: Here, why: IllegalMove | None) -> dict[str, str] | None:
    return None if why is None else {"code": why.code, "rule": why.rule, "text": here.why_not(why)}


def onward(here: Here, by: str, seat: str) -> dict[str, Any] | None:
    """The move that goes on by itself, in the voice of who asks; None in a title where each is somebody's."""
    pages, campaign = registry.PAGES.get(here.campaign.title), here.campaign
    if pages is None or campaign.ended or campaign.paused or campaign.abandoned or campaign.archived:
        return None
    made = pages.onward(here.position)
    if made is None:
        return None
    spoken = {"by": by, **made}
    if spoken["by"] in here.access.voices:
        return spoken
    return {**spoken, "by": GAME_MASTER, "for": spoken["by"]} if here.access.game_master else None

"""The dice: what was promised, what is published, every roll that its reader may see."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api import pages
from api.serializers import dice as form
from api.views.base import OfCampaign, written
from campaign import hand, proof, record, selectors
from campaign.models import DiceRoll


class DiceView(OfCampaign):
    @extend_schema(summary="What proves the dice", responses=form.Dice)
    def get(self, request: Request, ref: str) -> Response:
        here = self.here
        waits = hand.awaited(here.campaign)
        found = {
            "commitment": here.campaign.commitment, "links": record.published_links(here.campaign),
            "last_link": here.title.last_link(here.scenario), "by_hand": here.campaign.by_hand,
            "awaited": self.awaited(waits) if waits else None,
            "check": request.build_absolute_uri(reverse("rolls_file", args=[here.campaign.address])),
            "rolls": reverse("api:rolls", args=[here.campaign.address]),
        }  # fmt: skip
        return self.told(form.Dice, found)

    def awaited(self, waits: hand.Awaited) -> dict[str, Any]:
        here, seat = self.here, str(waits.move.get("for", waits.move["by"]))
        mine = here.access.speaks_for(seat)
        dice = hand.ahead(here.campaign, here.position) if mine else []
        return {
            "purpose": waits.purpose, "sides": waits.sides, "seat": seat,
            "text": here.title.move_line(here.scenario, waits.move),
            "dice": [{"purpose": purpose, "sides": sides} for purpose, sides in dice],
        }  # fmt: skip


class RollsView(OfCampaign):
    @extend_schema(summary="Rolls", responses=form.RollPage, parameters=pages.PARAMETERS)
    def get(self, request: Request, ref: str) -> Response:
        """The newest first, those of struck moves among them: what was thrown is known."""
        here = self.here
        links, given, seen_at = record.published_links(here.campaign), hand.given(here.campaign), hand.links(here.campaign)

        def line(one: DiceRoll) -> dict[str, Any]:
            by_hand = one.purpose in given
            worked = None if by_hand else proof.proof(one, links)
            return {
                "entry": one.entry.number, "seat": one.entry.seat, "at": one.entry.at, "purpose": one.purpose, "sides": one.sides,
                "value": one.value, "link": one.turn, "struck": one.entry.struck_by_id is not None, "by_hand": by_hand,
                "seen_at": seen_at.get(one.purpose), "text": here.title.roll_line(here.scenario, one.roll),
                "proof": worked and {"message": worked.message, "mac": worked.mac, "number": str(worked.number)},
            }  # fmt: skip

        found = selectors.rolls(here.campaign, here.access)
        return pages.page(request, found, lambda some: written(form.RollLine, [line(one) for one in some]))

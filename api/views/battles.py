"""What was fought, claimed and shown. Contests are public in every title; a lobby's password is its players'."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api import pages
from api.serializers import battles as form
from api.serializers.moves import FAR
from api.views.base import Here, OfCampaign, written
from api.views.nations import SEAT
from battles import selectors as battles
from battles import services as fought
from battles.models import Battle, Claim, Evidence
from battles.storage import MEDIA, pictures
from campaign import told


class BattlesView(OfCampaign):
    @extend_schema(summary="Battles", responses=form.BattlePage, parameters=[*pages.PARAMETERS, SEAT])
    def get(self, request: Request, ref: str) -> Response:
        """The newest first."""
        here, seat = self.here, request.GET.get("seat", "").replace("\0", "")
        found = battles.battles(here.campaign, seat=seat).order_by("-number")
        return pages.page(request, found, lambda some: written(form.BattleLine, [line(here, one) for one in some]))


class BattleView(OfCampaign):
    @extend_schema(summary="One battle", responses=form.BattleWhole)
    def get(self, request: Request, ref: str, number: int) -> Response:
        """With its claims, its evidence and who stands in."""
        here, found = self.here, battles.battle(self.here.campaign, number) if number <= FAR else None
        if found is None:
            raise Http404
        named, agreed = battles.substitutes(found, here.places), battles.agreements(found)
        people = {seat.key: seat.holder.username for seat in here.seats if seat.holder is not None}
        sides = [
            {"seat": seat, "name": here.name_of(seat), "person": people.get(seat),
             "substitute": named[seat].user.username if seat in named else None,
             "agreed": sorted(what for what, seats in agreed.items() if seat in seats)}
            for seat in found.parties if seat
        ]  # fmt: skip
        whole = {
            **line(here, found), "sides": sides, "claims": [claim(here, one) for one in battles.claims(found)],
            "evidence": [shown(request, here, found, one) for one in battles.evidence(found)],
            "password": fought.password(found, here.access) if fought.may_read_password(here.access, found) else None,
        }  # fmt: skip
        return self.told(form.BattleWhole, whole)


class EvidenceView(OfCampaign):
    @extend_schema(summary="A picture shown for a battle", responses={(200, MEDIA): bytes})
    def get(self, request: Request, ref: str, number: int, entry: int) -> HttpResponse:
        """As it is kept. 404 once it is erased."""
        found = battles.battle(self.here.campaign, number) if number <= FAR and entry <= FAR else None
        one = battles.evidence(found).filter(entry__number=entry, bytes__gt=0).first() if found else None
        content = pictures.get(one.digest) if one and not one.erased_at else None
        if content is None:
            raise Http404
        answer = HttpResponse(content, content_type=MEDIA)
        answer.headers["Content-Security-Policy"] = "sandbox; default-src 'none'"
        return answer


def line(here: Here, one: Battle) -> dict[str, Any]:
    names = (
        "number", "turn", "kind", "attacker", "defender", "source", "target", "status", "outcome", "solo", "launched_at",
        "resolved_at",
    )  # fmt: skip
    return {
        **{name: getattr(one, name) for name in names}, "entry": one.entry.number, "facts": one.known,
        "set_up": battles.ready(one), "url": reverse("api:battle", args=[here.campaign.address, one.number]),
    }  # fmt: skip


def claim(here: Here, one: Claim) -> dict[str, Any]:
    return {
        "entry": one.entry.number, "seat": one.seat, "person": one.entry.actor.username if one.entry.actor else None,
        "at": one.entry.at, "state": one.state, "result": told.spoken(here.title, one.result, ()),
        "word": one.said.get("word", ""), "line": one.said.get("line", ""), "reason": one.last.said.get("reason", ""),
    }  # fmt: skip


def shown(request: Request, here: Here, battle: Battle, one: Evidence) -> dict[str, Any]:
    kept = reverse("api:evidence", args=[here.campaign.address, battle.number, one.entry.number]) if one.picture else ""
    return {
        "entry": one.entry.number, "person": one.entry.actor.username if one.entry.actor else None, "at": one.entry.at,
        "picture": one.picture, "sha256": one.digest, "width": one.width, "height": one.height, "erased_at": one.erased_at,
        "why_erased": one.why_erased,
        "url": None if one.erased_at else request.build_absolute_uri(kept) if kept else one.url or None,
    }  # fmt: skip

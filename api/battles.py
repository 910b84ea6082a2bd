"""What was fought, claimed and shown."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from api import base
from api.base import Here, OfCampaign, Resource, written
from api.moves import FAR
from api.nations import SEAT
from battles import projection as battles
from battles import ratings
from battles import services as fought
from battles.models import Battle, Claim, Evidence
from battles.services import MEDIA, pictures
from campaign.log import texts


class Side(s.Serializer):
    """A side that somebody plays; who stands in for its holder, if anybody does."""

    seat = s.CharField()
    name = s.CharField()
    person = s.CharField(allow_null=True)
    substitute = s.CharField(allow_null=True)
    agreed = s.ListField(child=s.CharField(), help_text="What this side agrees to (`naval` …).")


class BattleLine(s.Serializer):
    """A battle as a list has it."""

    number = s.IntegerField()
    entry = s.IntegerField(allow_null=True, help_text="The entry that launched it.")
    turn = s.IntegerField()
    kind = s.CharField()
    attacker = s.CharField(allow_blank=True)
    defender = s.CharField(allow_blank=True)
    source = s.CharField(allow_blank=True)  # type: ignore[assignment]
    target = s.CharField(allow_blank=True)
    status = s.CharField()
    outcome = s.CharField(allow_blank=True)
    solo = s.CharField(
        allow_blank=True, help_text="The seat that is away: the other plays it solo."
    )
    set_up = s.BooleanField(help_text="Does somebody say that it is set up in the game?")
    launched_at = s.DateTimeField()
    resolved_at = s.DateTimeField(allow_null=True)
    facts = s.JSONField(help_text="All that the title tells of it.")
    url = s.CharField()


class BattlePage(s.Serializer):
    results = BattleLine(many=True)
    next = s.CharField(allow_null=True)


class ClaimLine(s.Serializer):
    """A result that one side says was fought."""

    entry = s.IntegerField(allow_null=True)
    seat = s.CharField()
    person = s.CharField(allow_null=True)
    at = s.DateTimeField()
    state = s.ChoiceField(Claim.State.choices)
    result = s.JSONField(
        help_text="The game master's move that would enter it, in the form of the record."
    )
    word = s.CharField(allow_blank=True)
    line = s.CharField(allow_blank=True, help_text="The result as it was pasted.")
    reason = s.CharField(allow_blank=True, help_text="Of the last word on it.")


class EvidenceLine(s.Serializer):
    """A link or a picture that was shown."""

    entry = s.IntegerField(allow_null=True)
    person = s.CharField(allow_null=True)
    at = s.DateTimeField()
    picture = s.BooleanField()
    url = s.CharField(allow_null=True, help_text="Null once it is erased.")
    sha256 = s.CharField()
    width = s.IntegerField()
    height = s.IntegerField()
    erased_at = s.DateTimeField(allow_null=True)
    why_erased = s.CharField(allow_blank=True)


class BattleWhole(BattleLine):
    sides = Side(many=True)
    claims = ClaimLine(many=True, help_text="The latest first.")
    evidence = EvidenceLine(many=True)
    password = s.CharField(
        allow_null=True,
        help_text="Of the lobby in the game; null where there is none, and for others.",
    )


# What was fought, claimed and shown. Contests are public in every title; a lobby's password is its
# players'.


class BattlesView(OfCampaign):
    @extend_schema(summary="Battles", responses=BattlePage, parameters=[*base.PARAMETERS, SEAT])
    def get(self, request: Request, ref: str) -> Response:
        """The newest first."""
        here, seat = self.here, request.GET.get("seat", "").replace("\0", "")
        rows = battles.battles(here.campaign, seat=seat).order_by("-number")
        return base.page(
            request, rows, lambda some: written(BattleLine, [battle_row(here, one) for one in some])
        )


class BattleView(OfCampaign):
    @extend_schema(summary="One battle", responses=BattleWhole)
    def get(self, request: Request, ref: str, number: int) -> Response:
        """With its claims, its evidence and who stands in."""
        here, row = self.here, battles.battle(self.here.campaign, number) if number <= FAR else None
        if row is None:
            raise Http404
        named, agreed = battles.substitutes(row, here.places), battles.agreements(row)
        people = {seat.key: seat.holder.username for seat in here.seats if seat.holder is not None}
        sides = [
            {
                "seat": seat,
                "name": here.name_of(seat),
                "person": people.get(seat),
                "substitute": named[seat].user.username if seat in named else None,
                "agreed": sorted(what for what, seats in agreed.items() if seat in seats),
            }
            for seat in row.parties
            if seat
        ]
        whole = {
            **battle_row(here, row),
            "sides": sides,
            "claims": [claim(here, one) for one in battles.claims(row)],
            "evidence": [evidence_row(request, here, row, one) for one in battles.evidence(row)],
            "password": (
                fought.password(row, here.access)
                if fought.may_read_password(here.access, row)
                else None
            ),
        }
        return self.answer(BattleWhole, whole)


class EvidenceView(OfCampaign):
    @extend_schema(summary="A picture shown for a battle", responses={(200, MEDIA): bytes})
    def get(self, request: Request, ref: str, number: int, entry: int) -> HttpResponse:
        """As it is kept. 404 once it is erased."""
        fight = (
            battles.battle(self.here.campaign, number) if number <= FAR and entry <= FAR else None
        )
        one = (
            battles.evidence(fight).filter(entry__number=entry, bytes__gt=0).first()
            if fight
            else None
        )
        content = pictures.get(one.digest) if one and not one.erased_at else None
        if content is None:
            raise Http404
        answer = HttpResponse(content, content_type=MEDIA)
        answer.headers["Content-Security-Policy"] = "sandbox; default-src 'none'"
        return answer


def battle_row(here: Here, one: Battle) -> dict[str, Any]:
    names = (
        "number",
        "turn",
        "kind",
        "attacker",
        "defender",
        "source",
        "target",
        "status",
        "outcome",
        "solo",
        "launched_at",
        "resolved_at",
    )
    return {
        **{name: getattr(one, name) for name in names},
        "entry": one.entry.number,
        "facts": one.known,
        "set_up": battles.ready(one),
        "url": reverse("api:battle", args=[here.campaign.address, one.number]),
    }


def claim(here: Here, one: Claim) -> dict[str, Any]:
    return {
        "entry": one.entry.number,
        "seat": one.seat,
        "person": one.entry.actor.username if one.entry.actor else None,
        "at": one.entry.at,
        "state": one.state,
        "result": texts.public_move(here.title, one.result, ()),
        "word": one.content.get("word", ""),
        "line": one.content.get("line", ""),
        "reason": one.last.content.get("reason", ""),
    }


def evidence_row(request: Request, here: Here, battle: Battle, one: Evidence) -> dict[str, Any]:
    kept = (
        reverse("api:evidence", args=[here.campaign.address, battle.number, one.entry.number])
        if one.picture
        else ""
    )
    return {
        "entry": one.entry.number,
        "person": one.entry.actor.username if one.entry.actor else None,
        "at": one.entry.at,
        "picture": one.picture,
        "sha256": one.digest,
        "width": one.width,
        "height": one.height,
        "erased_at": one.erased_at,
        "why_erased": one.why_erased,
        "url": (
            None if one.erased_at else request.build_absolute_uri(kept) if kept else one.url or None
        ),
    }


class RatedPerson(s.Serializer):
    rank = s.IntegerField(allow_null=True, help_text="Null: provisional, with too few results.")
    name = s.CharField()
    rating = s.IntegerField()
    low = s.IntegerField(help_text="The true rating lies between `low` and `high` 19 times of 20.")
    high = s.IntegerField()
    results = s.IntegerField(help_text="How many battles or campaigns it comes from.")


class RatingTables(s.Serializer):
    battles = RatedPerson(many=True)
    campaigns = RatedPerson(many=True)


class RatingsView(Resource):
    @extend_schema(summary="Ratings of people", responses=RatingTables)
    def get(self, request: Request) -> Response:
        """By battles that two people fought, and by final ranks; of those who have switched them
        on.
        """
        now = ratings.ratings()

        def table(half: ratings.Half) -> list[dict[str, Any]]:
            return [
                {
                    "rank": line.rank,
                    "name": now.names[line.user],
                    "rating": line.rating.value,
                    "low": line.rating.low,
                    "high": line.rating.high,
                    "results": line.results,
                }
                for line in half.lines()
            ]

        return self.answer(
            RatingTables, {"battles": table(now.battles), "campaigns": table(now.campaigns)}
        )

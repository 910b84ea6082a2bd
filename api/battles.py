"""Battles, claims and evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime

from django.http import Http404, HttpResponse
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from api import paging
from api.base import CampaignContext, CampaignResource
from api.fields import FAR
from api.nations import SEAT
from battles import projection as battles
from battles import services as battle_services
from battles.models import Battle, Claim, Evidence
from battles.services import MEDIA
from campaign.log.public_content import public_move
from games.contract.plain import RawMove


class Side(s.Serializer):
    """A side of a battle, with the player of the seat and a substitute, if there is one."""

    seat = s.CharField()
    name = s.CharField()
    person = s.CharField(allow_null=True)
    substitute = s.CharField(allow_null=True)
    agreed = s.ListField(
        child=s.CharField(),
        help_text="The kinds of battle to which this side agrees (`naval` …).",
    )


class BattleLine(s.Serializer):
    """A battle as a list shows it."""

    number = s.IntegerField()
    entry = s.IntegerField(allow_null=True, help_text="The entry that started it.")
    turn = s.IntegerField()
    kind = s.CharField()
    attacker = s.CharField(allow_blank=True)
    defender = s.CharField(allow_blank=True)
    # DRF allows a field with the name of an attribute of the serializer.
    source = s.CharField(allow_blank=True)  # type: ignore[assignment]
    target = s.CharField(allow_blank=True)
    status = s.CharField()
    outcome = s.CharField(allow_blank=True)
    solo = s.CharField(
        allow_blank=True, help_text="The seat that is away; the other side plays the battle solo."
    )
    set_up = s.BooleanField(
        help_text="Whether a player has said that the battle is set up in the game."
    )
    launched_at = s.DateTimeField()
    resolved_at = s.DateTimeField(allow_null=True)
    facts = s.JSONField(help_text="All public facts of the battle, in the form of the title.")
    url = s.CharField()


class BattlePage(s.Serializer):
    """One page of battles."""

    results = BattleLine(many=True)
    next = s.CharField(allow_null=True)


class ClaimLine(s.Serializer):
    """A result that one side has claimed."""

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
    reason = s.CharField(
        allow_blank=True, help_text="The reason given in the last act about the claim."
    )


class EvidenceLine(s.Serializer):
    """A link or a picture that was added as evidence."""

    entry = s.IntegerField(allow_null=True)
    person = s.CharField(allow_null=True)
    at = s.DateTimeField()
    picture = s.BooleanField()
    url = s.CharField(allow_null=True, help_text="Null after it has been erased.")
    sha256 = s.CharField()
    width = s.IntegerField()
    height = s.IntegerField()
    erased_at = s.DateTimeField(allow_null=True)
    why_erased = s.CharField(allow_blank=True)


class BattleWhole(BattleLine):
    """A battle with its sides, claims and evidence."""

    sides = Side(many=True)
    claims = ClaimLine(many=True, help_text="The latest first.")
    evidence = EvidenceLine(many=True)
    password = s.CharField(
        allow_null=True,
        help_text=(
            "The password of the lobby in the game; null if there is none or you may not see it."
        ),
    )


# Battles are public in every title. Only the two players can see the lobby password.


class BattlesView(CampaignResource):
    """The battles of a campaign."""

    @extend_schema(summary="Battles", responses=BattlePage, parameters=[*paging.PARAMETERS, SEAT])
    def get(self, request: Request, ref: str) -> Response:
        """Return the battles, the newest first."""
        here, seat = self.here, request.GET.get("seat", "").replace("\0", "")
        rows = battles.battles(here.campaign, seat=seat).order_by("-number")
        return paging.page(
            request,
            rows,
            BattleLine,
            lambda shown: [battle_facts(here, battle) for battle in shown],
        )


class BattleView(CampaignResource):
    """One battle."""

    @extend_schema(summary="One battle", responses=BattleWhole)
    def get(self, request: Request, ref: str, number: int) -> Response:
        """Return a battle with its claims, its evidence and its substitutes."""
        battle = battle_by_number(self.here, number)
        if battle is None:
            raise Http404
        return self.answer(BattleWhole, whole_battle(request, self.here, battle))


class EvidenceView(CampaignResource):
    """A picture that was added as evidence."""

    @extend_schema(summary="A picture added as evidence", responses={(200, MEDIA): bytes})
    def get(self, request: Request, ref: str, number: int, entry: int) -> HttpResponse:
        """Return the picture as it was stored, or 404 after it has been erased."""
        battle = battle_by_number(self.here, number) if entry <= FAR else None
        content = battle_services.picture_of(battle, entry) if battle is not None else None
        if content is None:
            raise Http404
        answer = HttpResponse(content, content_type=MEDIA)
        answer.headers["Content-Security-Policy"] = "sandbox; default-src 'none'"
        return answer


# The facts that the serializers write


@dataclass(frozen=True, slots=True)
class BattleFacts:
    """The facts of `BattleLine`; `facts` are all public facts of the title."""

    number: int
    entry: int | None
    turn: int
    kind: str
    attacker: str
    defender: str
    source: str
    target: str
    status: str
    outcome: str
    solo: str
    set_up: bool
    launched_at: datetime
    resolved_at: datetime | None
    facts: Mapping[str, object]
    url: str


@dataclass(frozen=True, slots=True)
class SideFacts:
    """The facts of `Side`; `agreed` is what the side agrees to."""

    seat: str
    name: str
    person: str | None
    substitute: str | None
    agreed: list[str]


@dataclass(frozen=True, slots=True)
class ClaimFacts:
    """The facts of `ClaimLine`; `result` is the game master's move that would enter it."""

    entry: int | None
    seat: str
    person: str | None
    at: datetime
    state: str
    result: RawMove
    word: str
    line: str
    reason: str


@dataclass(frozen=True, slots=True)
class EvidenceFacts:
    """The facts of `EvidenceLine`; `url` is None after the evidence has been erased."""

    entry: int | None
    person: str | None
    at: datetime
    picture: bool
    url: str | None
    sha256: str
    width: int
    height: int
    erased_at: datetime | None
    why_erased: str


@dataclass(frozen=True, slots=True)
class WholeBattle(BattleFacts):
    """The facts of `BattleWhole`; the latest claim comes first."""

    sides: list[SideFacts]
    claims: list[ClaimFacts]
    evidence: list[EvidenceFacts]
    password: str | None


def battle_by_number(here: CampaignContext, number: int) -> Battle | None:
    """Return the battle of this number; None if there is none."""
    return battles.battle(here.campaign, number) if number <= FAR else None


def battle_facts(here: CampaignContext, battle: Battle) -> BattleFacts:
    """Return the public facts of a battle."""
    return BattleFacts(
        number=battle.number,
        entry=battle.entry.number,
        turn=battle.turn,
        kind=battle.kind,
        attacker=battle.attacker,
        defender=battle.defender,
        source=battle.source,
        target=battle.target,
        status=battle.status,
        outcome=battle.outcome,
        solo=battle.solo,
        set_up=battles.ready(battle),
        launched_at=battle.launched_at,
        resolved_at=battle.resolved_at,
        facts=battle.facts,
        url=reverse("api:battle", args=[here.campaign.address, battle.number]),
    )


def whole_battle(request: Request, here: CampaignContext, battle: Battle) -> WholeBattle:
    """Return a battle with its sides, claims and evidence.

    The lobby password is None for readers who may not know it.
    """
    may_read_password = battle_services.may_read_password(here.access, battle)
    return WholeBattle(
        **asdict(battle_facts(here, battle)),
        sides=sides_of(here, battle),
        claims=[claim_facts(here, claim) for claim in battles.claims(battle)],
        evidence=[
            evidence_facts(request, here, battle, evidence) for evidence in battles.evidence(battle)
        ],
        password=battle_services.password(battle, here.access) if may_read_password else None,
    )


def sides_of(here: CampaignContext, battle: Battle) -> list[SideFacts]:
    """Return the sides of a battle, with their substitutes and agreements."""
    substitutes = battles.substitutes(battle, here.places)
    agreements = battles.agreements(battle)
    holders = {seat.key: seat.holder.username for seat in here.seats if seat.holder is not None}
    return [
        SideFacts(
            seat=seat,
            name=here.name_of(seat),
            person=holders.get(seat),
            substitute=substitutes[seat].user.username if seat in substitutes else None,
            agreed=sorted(key for key, seats in agreements.items() if seat in seats),
        )
        for seat in battle.parties
        if seat
    ]


def claim_facts(here: CampaignContext, claim: Claim) -> ClaimFacts:
    """Return a claim with the reason of the last act about it."""
    entry = claim.entry
    return ClaimFacts(
        entry=entry.number,
        seat=claim.seat,
        person=entry.actor.username if entry.actor else None,
        at=entry.at,
        state=claim.state,
        result=public_move(here.title, claim.result, ()),
        word=claim.content.get("word", ""),
        line=claim.content.get("line", ""),
        reason=claim.last_act.content.get("reason", ""),
    )


def evidence_facts(
    request: Request, here: CampaignContext, battle: Battle, evidence: Evidence
) -> EvidenceFacts:
    """Return a link or a picture, without its address if it has been erased."""
    entry = evidence.entry
    return EvidenceFacts(
        entry=entry.number,
        person=entry.actor.username if entry.actor else None,
        at=entry.at,
        picture=evidence.picture,
        url=None if evidence.erased_at else url_of(request, here, battle, evidence),
        sha256=evidence.digest,
        width=evidence.width,
        height=evidence.height,
        erased_at=evidence.erased_at,
        why_erased=evidence.erasure_reason,
    )


def url_of(
    request: Request, here: CampaignContext, battle: Battle, evidence: Evidence
) -> str | None:
    """Return the address of a picture on this site, or the address of a link."""
    if not evidence.picture:
        return evidence.url or None
    place = [here.campaign.address, battle.number, evidence.entry.number]
    return str(request.build_absolute_uri(reverse("api:evidence", args=place)))

"""Invitations to seats: made, revoked and taken."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import OfCampaign, Resource, must_be_signed_in, read
from api.campaigns import CampaignLine, campaign_facts
from api.fields import optional_text
from api.once import answer_once
from campaign import access, services
from campaign.models import Invitation


class InvitationSent(s.Serializer):
    seat = optional_text(40, "Empty: any free one.")
    uses = s.IntegerField(
        required=False, default=1, min_value=1, help_text="Of a link to any free seat."
    )

    def body(self) -> InvitationBody:
        return InvitationBody(**self.validated_data)


class InvitationTold(s.Serializer):
    id = s.IntegerField()
    seat = s.CharField(allow_blank=True)
    uses_left = s.IntegerField()
    expires_at = s.DateTimeField()
    link = s.CharField(allow_null=True, help_text="Told once, to who made it.")


class InvitationTaken(s.Serializer):
    token = s.CharField(max_length=100, help_text="What stands in the link after `/join/`.")
    seat = optional_text(40, "Where you may choose.")

    def body(self) -> TakenSeatBody:
        return TakenSeatBody(**self.validated_data)


# What the bodies say


@dataclass(frozen=True, slots=True)
class InvitationBody:
    """A body of `InvitationSent`."""

    seat: str
    uses: int


@dataclass(frozen=True, slots=True)
class TakenSeatBody:
    """A body of `InvitationTaken`."""

    token: str
    seat: str


@dataclass(frozen=True, slots=True)
class InvitationFacts:
    """The facts of `InvitationTold`. Only a new invitation has a link."""

    id: int
    seat: str
    uses_left: int
    expires_at: datetime
    link: str | None


class InvitationsView(OfCampaign):
    @extend_schema(
        summary="Invitations that may still be taken", responses=InvitationTold(many=True)
    )
    def get(self, request: Request, ref: str) -> Response:
        """For game masters. A link is shown only once, when the invitation is made."""
        here = self.here
        access.must_be_host(here.campaign, here.user)
        invitations = here.campaign.invitations.filter(
            revoked_at=None, uses_left__gt=0, named=None
        ).order_by("pk")
        return self.answer(
            InvitationTold, [invitation_facts(invitation) for invitation in invitations]
        )

    @extend_schema(
        summary="Invite somebody", request=InvitationSent, responses={201: InvitationTold}
    )
    def post(self, request: Request, ref: str) -> Response:
        """A link to a seat, or to any free one."""
        here, body = self.here, read(InvitationSent, request)

        def make() -> Response:
            invitation, token = services.invite(here.campaign, here.user, body.seat, body.uses)
            link = request.build_absolute_uri(f"/join/{token}/")
            return self.answer(InvitationTold, invitation_facts(invitation, link), 201)

        return answer_once(request, make)


class RevokeView(OfCampaign):
    @extend_schema(summary="Revoke an invitation", request=None, responses={204: None})
    def post(self, request: Request, ref: str, number: int) -> Response:
        here = self.here
        invitation = here.campaign.invitations.filter(pk=number).first()
        access.must_be_host(here.campaign, here.user)
        if invitation is None:
            raise Http404
        services.revoke(invitation, here.user)
        return Response(status=204)


class TakeView(Resource):
    @extend_schema(
        summary="Take a seat by an invitation",
        request=InvitationTaken,
        responses={201: CampaignLine},
    )
    def post(self, request: Request) -> Response:
        must_be_signed_in(request)
        body = read(InvitationTaken, request)

        def make() -> Response:
            taken = services.take_seat(request.user, body.token, body.seat)
            return self.answer(CampaignLine, campaign_facts(taken.campaign), 201)

        return answer_once(request, make)


def invitation_facts(invitation: Invitation, link: str | None = None) -> InvitationFacts:
    return InvitationFacts(
        id=invitation.pk,
        seat=invitation.seat,
        uses_left=invitation.uses_left,
        expires_at=invitation.expires_at,
        link=link,
    )

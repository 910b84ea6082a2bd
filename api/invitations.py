"""Invitations to seats: created, revoked and accepted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import CampaignResource, Resource, must_be_signed_in, read
from api.campaigns import CampaignLine, campaign_facts
from api.fields import optional_text
from api.idempotency import answer_once
from campaign import access, services
from campaign.models import Invitation


class InvitationSent(s.Serializer):
    """A new invitation."""

    seat = optional_text(40, "Empty: any free seat.")
    uses = s.IntegerField(
        required=False,
        default=1,
        min_value=1,
        help_text="How many people may use the link; only for a link to any free seat.",
    )

    def body(self) -> InvitationBody:
        """Return the validated body."""
        return InvitationBody(**self.validated_data)


class InvitationLine(s.Serializer):
    """An invitation."""

    id = s.IntegerField()
    seat = s.CharField(allow_blank=True)
    uses_left = s.IntegerField()
    expires_at = s.DateTimeField()
    link = s.CharField(allow_null=True, help_text="Shown only once, to the user who created it.")


class InvitationTaken(s.Serializer):
    """An accepted invitation, with the chosen seat."""

    token = s.CharField(max_length=100, help_text="The part of the link after `/join/`.")
    seat = optional_text(40, "Your choice, if the invitation is to any free seat.")

    def body(self) -> TakenSeatBody:
        """Return the validated body."""
        return TakenSeatBody(**self.validated_data)


# Bodies of requests


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
    """The facts of `InvitationLine`. Only a new invitation has a link."""

    id: int
    seat: str
    uses_left: int
    expires_at: datetime
    link: str | None


class InvitationsView(CampaignResource):
    """The invitations of a campaign."""

    @extend_schema(summary="Valid invitations", responses=InvitationLine(many=True))
    def get(self, request: Request, ref: str) -> Response:
        """Return the invitations that are still valid, for game masters.

        The link of an invitation is shown only once, when the invitation is created.
        """
        here = self.here
        access.must_be_host(here.campaign, here.user)
        invitations = here.campaign.invitations.filter(
            revoked_at=None, uses_left__gt=0, named=None
        ).order_by("pk")
        return self.answer(
            InvitationLine, [invitation_facts(invitation) for invitation in invitations]
        )

    @extend_schema(
        summary="Create an invitation", request=InvitationSent, responses={201: InvitationLine}
    )
    def post(self, request: Request, ref: str) -> Response:
        """Create a link to a seat, or to any free seat."""
        here, body = self.here, read(InvitationSent, request)

        def make() -> Response:
            invitation, token = services.invite(here.campaign, here.user, body.seat, body.uses)
            link = request.build_absolute_uri(f"/join/{token}/")
            return self.answer(InvitationLine, invitation_facts(invitation, link), 201)

        return answer_once(request, make)


class RevokeView(CampaignResource):
    """The revocation of an invitation."""

    @extend_schema(summary="Revoke an invitation", request=None, responses={204: None})
    def post(self, request: Request, ref: str, number: int) -> Response:
        """Revoke an invitation, for game masters."""
        here = self.here
        invitation = here.campaign.invitations.filter(pk=number).first()
        access.must_be_host(here.campaign, here.user)
        if invitation is None:
            raise Http404
        services.revoke(invitation, here.user)
        return Response(status=204)


class TakeView(Resource):
    """The acceptance of an invitation."""

    @extend_schema(
        summary="Accept an invitation",
        request=InvitationTaken,
        responses={201: CampaignLine},
    )
    def post(self, request: Request) -> Response:
        """Take a seat with the token of an invitation."""
        must_be_signed_in(request)
        body = read(InvitationTaken, request)

        def make() -> Response:
            taken = services.take_seat(request.user, body.token, body.seat)
            return self.answer(CampaignLine, campaign_facts(taken.campaign), 201)

        return answer_once(request, make)


def invitation_facts(invitation: Invitation, link: str | None = None) -> InvitationFacts:
    """Return an invitation. Only a new invitation has a `link`."""
    return InvitationFacts(
        id=invitation.pk,
        seat=invitation.seat,
        uses_left=invitation.uses_left,
        expires_at=invitation.expires_at,
        link=link,
    )

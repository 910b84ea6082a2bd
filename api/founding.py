"""Beginnings by program: scenarios put on one's shelf, campaigns founded, records taken over,
people invited and seated.
"""

from __future__ import annotations

import csv
import io
import json
import logging
from collections.abc import Mapping
from typing import Any

from celery import current_app
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.exceptions import NotAuthenticated, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api import base
from api.base import Here, OfCampaign, Resource, answer_once, written
from api.campaigns import CampaignLine, CampaignsView, campaign_row
from api.moves import FAR, Receipt, moved_on
from api.moves import Speaking as SpeakingView
from api.problems import problem
from api.titles import ShelfLine, ShelfView, shelf_facts
from campaign import access, founding, imports, scenarios, services
from campaign.errors import TableMovedOn
from campaign.founding import SIGHTS, USUAL_SIGHT
from campaign.log import selectors
from campaign.models import Campaign, Import, Invitation, Lobby, Scenario
from engine.errors import IllegalMove
from engine.strict_json import canonical, read
from games import registry
from games.contract.title import Portable, Title, proposed_options

log = logging.getLogger(__name__)
LONGEST_NAME = 100


class ScenarioSent(s.Serializer):
    """A scenario for one's shelf, as the page “Bring a scenario” reads it."""

    title = s.CharField(max_length=40)
    scenario = s.DictField()
    drawing = s.DictField(required=False, allow_null=True)
    sharing = s.ChoiceField(Scenario.Sharing.choices, default=Scenario.Sharing.PRIVATE)


class CampaignSent(s.Serializer):
    """The terms of a new campaign. One of `scenario` and `shelf`."""

    title = s.CharField(max_length=40)
    name = s.CharField(max_length=LONGEST_NAME)
    scenario = s.JSONField(
        required=False, help_text="The key of a shipped one, or a scenario object."
    )
    shelf = s.CharField(
        required=False, max_length=8, help_text="`ref` of a scenario that you may see."
    )
    drawing = s.DictField(
        required=False, allow_null=True, help_text="The map of a scenario object."
    )
    options = s.DictField(
        required=False,
        help_text=(
            "As in a record. For options that you leave out, the proposals of the founding page"
            " apply."
        ),
    )
    time_zone = s.CharField(default="UTC", max_length=64)
    visibility = s.ChoiceField(Campaign.Visibility.choices, default=Campaign.Visibility.UNLISTED)
    chance = s.CharField(
        default="",
        allow_blank=True,
        max_length=8,
        help_text="Empty, `words`, `draw`, `both` or `manual`.",
    )
    amending = s.CharField(
        default="two-thirds", max_length=12, help_text="Who must agree before rules change in play."
    )
    sight = s.ChoiceField(
        list(SIGHTS),
        default=USUAL_SIGHT,
        help_text="What the game master reads of messages: all, reported, addressed.",
    )
    seat = s.CharField(required=False, max_length=40, help_text="Your own seat, if you play, too.")


class RecordSent(s.Serializer):
    record = s.DictField(help_text="As `record/` gives it.")
    name = s.CharField(max_length=LONGEST_NAME)
    time_zone = s.CharField(default="UTC", max_length=64)
    visibility = s.ChoiceField(Campaign.Visibility.choices, default=Campaign.Visibility.UNLISTED)


class ImportTold(s.Serializer):
    """A record that was sent, and how far it is."""

    id = s.IntegerField()
    state = s.CharField(
        help_text="waiting, reading, replaying, writing, founded, faulty, stopped or too-long."
    )
    ended_at = s.DateTimeField(allow_null=True)
    faults = s.ListField(child=s.CharField())
    campaign = s.CharField(allow_null=True, help_text="`ref` of the campaign that was founded.")


class InvitationSent(s.Serializer):
    seat = s.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=40,
        help_text="Empty: any free one.",
    )
    uses = s.IntegerField(
        required=False, default=1, min_value=1, help_text="Of a link to any free seat."
    )


class InvitationTold(s.Serializer):
    id = s.IntegerField()
    seat = s.CharField(allow_blank=True)
    uses_left = s.IntegerField()
    expires_at = s.DateTimeField()
    link = s.CharField(allow_null=True, help_text="Told once, to who made it.")


class InvitationTaken(s.Serializer):
    token = s.CharField(max_length=100, help_text="What stands in the link after `/join/`.")
    seat = s.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=40,
        help_text="Where you may choose.",
    )


def known_title(key: str) -> Title:
    title = registry.TITLES.get(key)
    if title is None:
        raise ValidationError({"title": [_("This game is not played here.")]})
    return title


def judged(title: Title, scenario: Any, drawing: Any) -> scenarios.Judged:
    """A scenario object with its map, as the page reads it."""
    return imports.judge_scenario(
        title.key, canonical(scenario), canonical(drawing) if drawing else ""
    )


def faulty(one: scenarios.Judged) -> Response:
    fields: dict[str, list[str]] = {}
    for fault in one.faults:
        fields.setdefault(fault.where, []).append(fault.why)
    return problem(422, "malformed", _("The scenario has faults."), fields=fields)


def must_be_somebody(request: Request) -> None:
    if not request.user.is_authenticated:
        raise NotAuthenticated
    access.must_have_account(request.user)


class BringScenarioView(ShelfView):
    @extend_schema(
        summary="Put a scenario on your shelf", request=ScenarioSent, responses={201: ShelfLine}
    )
    def post(self, request: Request) -> Response:
        """What stands there already, letter by letter, is given back. 422 with every fault."""
        must_be_somebody(request)
        sent = ScenarioSent(data=request.data)
        sent.is_valid(raise_exception=True)
        content = sent.validated_data
        title = known_title(content["title"])

        def make() -> Response:
            read_now = judged(title, content["scenario"], content.get("drawing"))
            if read_now.faults:
                return faulty(read_now)
            row = scenarios.put(
                request.user, title.key, read_now.scenario, read_now.drawing, content["sharing"]
            )
            return self.answer(ShelfLine, shelf_facts(row), 201)

        return answer_once(request, make)


class FoundView(CampaignsView):
    @extend_schema(summary="Found a campaign", request=CampaignSent, responses={201: CampaignLine})
    def post(self, request: Request) -> Response:
        """You are its game master; its clocks are the usual ones until `clocks/terms/` says
        otherwise.
        """
        must_be_somebody(request)
        sent = CampaignSent(data=request.data)
        sent.is_valid(raise_exception=True)
        content = sent.validated_data
        title = known_title(content["title"])
        if ("scenario" in content) == ("shelf" in content):
            raise ValidationError(
                {"scenario": [_("Send a scenario, or say which of a shelf, one of them.")]}
            )

        def make() -> Response:
            scenario, drawing = content.get("scenario"), ""
            if "shelf" in content:
                row = scenarios.seen(content["shelf"], request.user)
                if row is None or row.title != title.key:
                    raise ValidationError({"shelf": [_("There is no such scenario.")]})
                scenario, drawing = read(row.text), row.drawing.text if row.drawing else ""
            elif isinstance(scenario, dict):
                read_now = judged(title, scenario, content.get("drawing"))
                if read_now.faults:
                    return faulty(read_now)
                scenario, drawing = read_now.scenario, read_now.drawing
            elif scenario not in title.scenarios():
                raise ValidationError({"scenario": [_("Choose one of the scenarios.")]})
            options = {**proposed_options(title), **content.get("options", {})}
            campaign = services.found_campaign(
                request.user,
                title.key,
                content["name"],
                scenario,
                options,
                content["time_zone"],
                content["visibility"],
                drawing=drawing,
                chance=content["chance"],
                amending=content["amending"],
                sight=content["sight"],
            )
            if "seat" in content:
                services.play_too(campaign, request.user, content["seat"])
            campaign.refresh_from_db()
            return self.answer(CampaignLine, campaign_row(campaign), 201)

        return answer_once(request, make)


class ImportsView(Resource):
    @extend_schema(summary="Take a record over", request=RecordSent, responses={202: ImportTold})
    def post(self, request: Request) -> Response:
        """It is replayed whole before anything is founded; `imports/<id>/` says how far it is."""
        must_be_somebody(request)
        sent = RecordSent(data=request.data)
        sent.is_valid(raise_exception=True)
        content = sent.validated_data

        def make() -> Response:
            text = json.dumps(content["record"], default=float, ensure_ascii=False).encode()
            row, new = imports.store_upload(
                request.user, text, content["name"], content["time_zone"], content["visibility"]
            )
            if new:
                try:
                    current_app.send_task("take-over-record", (row.pk,), retry=False)
                except Exception as error:  # whatever the broker raises: the pulse takes it, too
                    log.warning("Nobody takes what programs send: %s", error)
            return self.answer(ImportTold, import_row(row), 202)

        return answer_once(request, make)


class ImportView(Resource):
    @extend_schema(summary="How far a record is", responses=ImportTold)
    def get(self, request: Request, number: int) -> Response:
        if not request.user.is_authenticated:
            raise NotAuthenticated
        row = Import.objects.filter(user=request.user, pk=number, kind=Import.Kind.RECORD).first()
        if row is None:
            raise Http404
        return self.answer(ImportTold, import_row(row))


def import_row(row: Import) -> dict[str, Any]:
    return {
        "id": row.pk,
        "state": row.state,
        "ended_at": row.ended_at,
        "faults": row.fault_list if row.state == Import.State.FAULTY else [],
        "campaign": row.campaign.address if row.campaign else None,
    }


class InvitationsView(OfCampaign):
    @extend_schema(
        summary="Invitations that may still be taken", responses=InvitationTold(many=True)
    )
    def get(self, request: Request, ref: str) -> Response:
        """The game master's; their links are not told again."""
        here = self.here
        access.must_be_host(here.campaign, here.user)
        rows = here.campaign.invitations.filter(
            revoked_at=None, uses_left__gt=0, named=None
        ).order_by("pk")
        return self.answer(InvitationTold, [invitation_row(one) for one in rows])

    @extend_schema(
        summary="Invite somebody", request=InvitationSent, responses={201: InvitationTold}
    )
    def post(self, request: Request, ref: str) -> Response:
        """A link to a seat, or to any free one."""
        sent = InvitationSent(data=request.data)
        sent.is_valid(raise_exception=True)
        here, content = self.here, sent.validated_data

        def make() -> Response:
            row, token = services.invite(here.campaign, here.user, content["seat"], content["uses"])
            return self.answer(
                InvitationTold,
                invitation_row(row, request.build_absolute_uri(f"/join/{token}/")),
                201,
            )

        return answer_once(request, make)


class RevokeView(OfCampaign):
    @extend_schema(summary="Revoke an invitation", request=None, responses={204: None})
    def post(self, request: Request, ref: str, number: int) -> Response:
        here = self.here
        row = here.campaign.invitations.filter(pk=number).first()
        access.must_be_host(here.campaign, here.user)
        if row is None:
            raise Http404
        services.revoke(row, here.user)
        return Response(status=204)


class TakeView(Resource):
    @extend_schema(
        summary="Take a seat by an invitation",
        request=InvitationTaken,
        responses={201: CampaignLine},
    )
    def post(self, request: Request) -> Response:
        must_be_somebody(request)
        sent = InvitationTaken(data=request.data)
        sent.is_valid(raise_exception=True)
        content = sent.validated_data

        def make() -> Response:
            taken = services.take_seat(request.user, content["token"], content["seat"])
            return self.answer(CampaignLine, campaign_row(taken.campaign), 201)

        return answer_once(request, make)


def invitation_row(row: Invitation, link: str | None = None) -> dict[str, Any]:
    return {
        "id": row.pk,
        "seat": row.seat,
        "uses_left": row.uses_left,
        "expires_at": row.expires_at,
        "link": link,
    }


# Which campaigns seek players, and the draw.


class Sought(s.Serializer):
    """A campaign whose lobby is open."""

    campaign = CampaignLine()
    words = s.CharField(allow_blank=True, help_text="The game master's.")


class SoughtPage(s.Serializer):
    results = Sought(many=True)
    next = s.CharField(allow_null=True)


class LobbyTold(s.Serializer):
    """Whoever applies is known; their wishes are their own until the draw, whose entry of the log
    tells all.
    """

    open = s.BooleanField()
    words = s.CharField(allow_blank=True)
    commitment = s.CharField(allow_null=True, help_text="Of the draw's dice.")
    free = s.ListField(child=s.CharField(), help_text="The seats that nobody holds.")
    applicants = s.ListField(child=s.CharField())
    wishes = s.ListField(child=s.CharField(), help_text="Yours, the best liked first.")
    drawn = s.IntegerField(allow_null=True, help_text="The log's entry of the last draw.")


# Which campaigns seek players, and who has applied.


class LobbiesView(Resource):
    @extend_schema(
        summary="Campaigns that seek players", responses=SoughtPage, parameters=base.PARAMETERS
    )
    def get(self, request: Request) -> Response:
        """The listed ones whose lobby is open, the latest first."""

        def lines_of(some: list[Campaign]) -> list[dict[str, object]]:
            words = dict(
                Lobby.objects.filter(campaign__in=some, closed_at=None).values_list(
                    "campaign", "words"
                )
            )
            return written(
                Sought,
                [{"campaign": campaign_row(one), "words": words.get(one.pk, "")} for one in some],
            )

        return base.page(
            request, selectors.seeking().filter(title__in=list(registry.TITLES)), lines_of
        )


class LobbyView(OfCampaign):
    @extend_schema(summary="The lobby", responses=LobbyTold)
    def get(self, request: Request, ref: str) -> Response:
        """Open, or with the entry of its last draw. 404 where one plays alone."""
        here = self.here
        if len(here.seats) == 1:
            raise Http404
        current = founding.current(here.campaign)
        people = list(founding.applicants(current).select_related("user")) if current else []
        mine = next((one for one in people if one.user_id == here.user.pk), None)
        drawn = founding.last_draw(here.campaign)
        facts = {
            "open": current is not None,
            "words": current.words if current else "",
            "commitment": current.commitment if current else None,
            "free": [seat.key for seat in here.seats if seat.holder is None],
            "applicants": [one.user.username for one in people],
            "wishes": mine.seats if mine else [],
            "drawn": drawn.number if drawn else None,
        }
        return self.answer(LobbyTold, facts)


# The sheet of a campaign: how it stands, as a table and as a move, and a campaign taken over from
# one.


LONGEST = 100_000
"""Characters of a table."""


class Sheet(s.Serializer):
    """How the campaign stands. Hands that you may not see are left out."""

    turn = s.IntegerField()
    phase = s.CharField(help_text="A sheet can be taken over as it is where this is `closed`.")
    csv = s.CharField(help_text="The table in your language, as the page of the sheet reads it.")
    move = s.JSONField(
        help_text="The same as the move `resume`: exact, also in the order of structures."
    )
    seen = s.IntegerField(help_text="Take a campaign over with this.")


class SheetSent(s.Serializer):
    """One of `csv` and `move`. `reason` stands in the place of theirs."""

    csv = s.CharField(required=False, max_length=LONGEST, trim_whitespace=False)
    move = s.DictField(required=False)
    reason = s.CharField(required=False, max_length=1000)


class SheetTaken(SheetSent):
    seen = s.IntegerField(min_value=0, max_value=FAR, help_text="Your last entry when you decided.")


class SheetFault(s.Serializer):
    place = s.CharField(
        allow_blank=True,
        help_text="`nations.huns.hand`, `provinces.sicilia`, `truces.1`; empty: the whole.",
    )
    text = s.CharField()


class SheetChecked(s.Serializer):
    """What is wrong, all at once; where nothing is, how it will stand."""

    move = s.JSONField(help_text="The move `resume` as it was read.")
    faults = SheetFault(many=True)
    stands = s.JSONField(
        allow_null=True, help_text="The position afterwards, as everybody will see it."
    )
    order = s.ListField(
        child=s.CharField(), help_text="The order of play of the turn that opens next."
    )


def portable(here: Here) -> Portable:
    if not isinstance(here.title, Portable):
        raise Http404
    return here.title


def read_sheet(
    here: Here, content: Mapping[str, Any]
) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """The move of what was sent, and its faults."""
    if ("csv" in content) == ("move" in content):
        raise ValidationError({"csv": [_("Send a table or a move, one of them.")]})
    title = portable(here)
    unread: list[tuple[str, str]] = []
    if "csv" in content:
        move, unread = title.read_sheet(here.position, content["csv"])
    else:
        move = {"by": "gm", "move": "resume", **content["move"]}
    if "reason" in content:
        move["reason"] = content["reason"]
        unread = [one for one in unread if one[0] != "reason"]
    places = {place for place, _text in unread}
    parts = {place.partition(".")[0] for place in places} & {"provinces", "truces", "targets"}
    judged = [
        (place, text)
        for place, text in title.sheet_faults(here.position, move)
        if place not in places and place.partition(".")[0] not in parts and (place or not unread)
    ]
    return move, [*unread, *judged]


def faults_told(faults: list[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"place": place, "text": text} for place, text in faults]


class SheetView(SpeakingView):
    form = SheetTaken

    @extend_schema(
        summary="The sheet: how the campaign stands, to go on elsewhere", responses=Sheet
    )
    def get(self, request: Request, ref: str) -> Response:
        """As a table for a spreadsheet, and as the move that brings a new campaign to just this
        position.
        """
        here, opens = self.here, self.here.access.opens
        hidden = access.hides(here.campaign)
        why = _("As it stood at %(address)s") % {
            "address": request.build_absolute_uri(f"/c/{here.campaign.address}/")
        }
        rows, move = portable(here).sheet(
            here.position, lambda seat: not hidden or opens(seat), why
        )
        stream = io.StringIO()
        csv.writer(stream, lineterminator="\n").writerows(rows)
        facts = {
            "turn": here.campaign.turn,
            "phase": here.campaign.phase,
            "csv": stream.getvalue(),
            "move": move,
        }
        return self.answer(Sheet, {**facts, "seen": here.seen})

    @extend_schema(
        summary="Take a campaign over from its sheet", request=SheetTaken, responses={201: Receipt}
    )
    def post(self, request: Request, ref: str) -> Response:
        """The game master's, in place of the start. 422 with all `faults` where the sheet is not
        right.
        """
        sent = SheetTaken(data=request.data)
        sent.is_valid(raise_exception=True)
        here, content = self.here, sent.validated_data
        access.must_be_game_master(here.campaign, here.user)

        def make() -> Response:
            move, faults = read_sheet(here, content)
            if faults:
                return problem(
                    422, "bad-sheet", _("The sheet is not right yet."), faults=faults_told(faults)
                )
            try:
                result = services.play(here.campaign, here.user, move, content["seen"])
            except TableMovedOn as moved:
                return moved_on(here, moved)
            return self.receipt(result.entries, 0)

        return answer_once(request, make)


class SheetCheckView(OfCampaign):
    writes = False

    @extend_schema(summary="Check a sheet", request=SheetSent, responses=SheetChecked)
    def post(self, request: Request, ref: str) -> Response:
        """All its faults, or how the campaign will stand. Nothing is written."""
        sent = SheetSent(data=request.data)
        sent.is_valid(raise_exception=True)
        here = self.here
        access.must_be_game_master(here.campaign, here.user)
        move, faults = read_sheet(here, sent.validated_data)
        stands, order = None, list[str]()
        if not faults:
            try:
                (branch,) = services.preview(here.campaign, here.user, move).branches
            except IllegalMove as refusal:
                faults = [("", here.why_not(refusal))]
            else:
                stands, order = (
                    here.title.view(branch.after, None),
                    list(portable(here).next_order(branch.after)),
                )
        return self.answer(
            SheetChecked,
            {"move": move, "faults": faults_told(faults), "stands": stands, "order": order},
        )

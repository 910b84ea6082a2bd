"""The sheet of a campaign by program: how it stands, as a table and as a move, and a campaign taken over from one."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Here, OfCampaign, answer_once
from api.moves import FAR, Receipt, moved_on
from api.moves import Speaking as SpeakingView
from api.problems import problem
from campaign import access, services
from campaign.errors import TableMovedOn
from engine.errors import IllegalMove
from games.contract.title import Portable

LONGEST = 100_000
"""Characters of a table."""


class Sheet(s.Serializer):
    """How the campaign stands. Hands that you may not see are left out."""

    turn = s.IntegerField()
    phase = s.CharField(help_text="A sheet can be taken over as it is where this is `closed`.")
    csv = s.CharField(help_text="The table in your language, as the page of the sheet reads it.")
    move = s.JSONField(help_text="The same as the move `resume`: exact, also in the order of structures.")
    seen = s.IntegerField(help_text="Take a campaign over with this.")


class SheetSent(s.Serializer):
    """One of `csv` and `move`. `reason` stands in the place of theirs."""

    csv = s.CharField(required=False, max_length=LONGEST, trim_whitespace=False)
    move = s.DictField(required=False)
    reason = s.CharField(required=False, max_length=1000)


class SheetTaken(SheetSent):
    seen = s.IntegerField(min_value=0, max_value=FAR, help_text="Your last entry when you decided.")


class SheetFault(s.Serializer):
    place = s.CharField(allow_blank=True, help_text="`nations.huns.hand`, `provinces.sicilia`, `truces.1`; empty: the whole.")
    text = s.CharField()


class SheetChecked(s.Serializer):
    """What is wrong, all at once; where nothing is, how it will stand."""

    move = s.JSONField(help_text="The move `resume` as it was read.")
    faults = SheetFault(many=True)
    stands = s.JSONField(allow_null=True, help_text="The position afterwards, as everybody will see it.")
    order = s.ListField(child=s.CharField(), help_text="The order of play of the turn that opens next.")


def portable(here: Here) -> Portable:
    if not isinstance(here.title, Portable):
        raise Http404
    return here.title


def read_sheet(here: Here, content: Mapping[str, Any]) -> tuple[dict[str, Any], list[tuple[str, str]]]:
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

    @extend_schema(summary="The sheet: how the campaign stands, to go on elsewhere", responses=Sheet)
    def get(self, request: Request, ref: str) -> Response:
        """As a table for a spreadsheet, and as the move that brings a new campaign to just this position."""
        here, opens = self.here, self.here.access.opens
        hidden = access.hides(here.campaign)
        why = _("As it stood at %(address)s") % {"address": request.build_absolute_uri(f"/c/{here.campaign.address}/")}
        rows, move = portable(here).sheet(here.position, lambda seat: not hidden or opens(seat), why)
        stream = io.StringIO()
        csv.writer(stream, lineterminator="\n").writerows(rows)
        facts = {"turn": here.campaign.turn, "phase": here.campaign.phase, "csv": stream.getvalue(), "move": move}
        return self.answer(Sheet, {**facts, "seen": here.seen})

    @extend_schema(summary="Take a campaign over from its sheet", request=SheetTaken, responses={201: Receipt})
    def post(self, request: Request, ref: str) -> Response:
        """The game master's, in place of the start. 422 with all `faults` where the sheet is not right."""
        sent = SheetTaken(data=request.data)
        sent.is_valid(raise_exception=True)
        here, content = self.here, sent.validated_data
        access.must_be_game_master(here.campaign, here.user)

        def make() -> Response:
            move, faults = read_sheet(here, content)
            if faults:
                return problem(422, "bad-sheet", _("The sheet is not right yet."), faults=faults_told(faults))
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
                stands, order = here.title.view(branch.after, None), list(portable(here).next_order(branch.after))
        return self.answer(SheetChecked, {"move": move, "faults": faults_told(faults), "stands": stands, "order": order})

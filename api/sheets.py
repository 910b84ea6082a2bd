"""The sheet of a campaign: its present values as a table and as a move.

A new campaign can be founded from a sheet.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import CampaignContext, CampaignResource, read, serialized
from api.fields import number
from api.idempotency import answer_once
from api.problems import problem
from api.receipts import ActResource, Receipt, moved_on
from campaign import access, services
from campaign.errors import TableMovedOn
from engine.errors import IllegalMove
from games.contract.plain import RawMove
from games.contract.title import WithResumeSheet

LONGEST = 100_000
"""The largest number of characters of a table."""


class Sheet(s.Serializer):
    """The present values of the campaign. Hands that you may not see are left out."""

    turn = s.IntegerField()
    phase = s.CharField(help_text="A sheet can be taken over unchanged if this is `closed`.")
    csv = s.CharField(
        help_text="The table in your language, in the form that the page of the sheet reads."
    )
    move = s.JSONField(
        help_text="The same as a move `resume`, which is exact, including the order of structures."
    )
    seen = s.IntegerField(
        help_text="The number of your last entry; send it when you take a campaign over."
    )


class SheetSent(s.Serializer):
    """Give either `csv` or `move`. `reason` replaces the reason in it."""

    csv = s.CharField(required=False, max_length=LONGEST, trim_whitespace=False)
    move = s.DictField(required=False)
    reason = s.CharField(required=False, max_length=1000)

    def body(self) -> SheetBody:
        """Return the validated body."""
        return SheetBody(**self.validated_data)


class SheetTaken(SheetSent):
    """A sheet with which a new campaign starts."""

    seen = number("The number of your last entry when you decided.")

    def body(self) -> TakenSheetBody:
        """Return the validated body."""
        return TakenSheetBody(**self.validated_data)


class SheetFault(s.Serializer):
    """A fault of a sheet."""

    place = s.CharField(
        allow_blank=True,
        help_text="`nations.huns.hand`, `provinces.sicilia`, `truces.1`; empty: the whole sheet.",
    )
    text = s.CharField()


class SheetChecked(s.Serializer):
    """All faults of a sheet, or the position to which it leads."""

    move = s.JSONField(help_text="The move `resume` that was read from the sheet.")
    faults = SheetFault(many=True)
    stands = s.JSONField(
        allow_null=True, help_text="The position afterwards, as everyone will see it."
    )
    order = s.ListField(child=s.CharField(), help_text="The order of play of the next turn.")


# Bodies of requests


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetBody:
    """A body of `SheetSent`."""

    csv: str | None = None
    move: RawMove | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenSheetBody(SheetBody):
    """A body of `SheetTaken`."""

    seen: int


# Facts for the serializers


@dataclass(frozen=True, slots=True)
class SheetFacts:
    """The facts of `Sheet`."""

    turn: int
    phase: str
    csv: str
    move: RawMove
    seen: int


class Fault(NamedTuple):
    """A fault at a place of a sheet; the place is empty for the whole sheet."""

    place: str
    text: str


@dataclass(frozen=True, slots=True)
class SheetCheckedFacts:
    """The facts of `SheetChecked`. `stands` is the position after it, as the title describes it."""

    move: RawMove
    faults: Sequence[Fault]
    stands: Mapping[str, object] | None = None
    order: Sequence[str] = ()


def portable(here: CampaignContext) -> WithResumeSheet:
    """Return the title if it has sheets. Raises `Http404` if it does not."""
    if not isinstance(here.title, WithResumeSheet):
        raise Http404
    return here.title


class SheetView(ActResource):
    """The sheet of a campaign."""

    @extend_schema(summary="The sheet of a campaign", responses=Sheet)
    def get(self, request: Request, ref: str) -> Response:
        """Return the position as a table for a spreadsheet, and as a move.

        The move brings a new campaign to exactly this position.
        """
        address = request.build_absolute_uri(f"/c/{self.here.campaign.address}/")
        return self.answer(Sheet, sheet_facts(self.here, address))

    @extend_schema(
        summary="Start a campaign from a sheet", request=SheetTaken, responses={201: Receipt}
    )
    def post(self, request: Request, ref: str) -> Response:
        """Start a campaign from a sheet, for the game master.

        A sheet with faults gets 422 with all of them in `faults`.
        """
        here, body = self.here, read(SheetTaken, request)
        access.must_be_game_master(here.campaign, here.user)

        def make() -> Response:
            move, faults = read_sheet(here, body)
            if faults:
                text = _("The sheet still contains errors.")
                return problem(422, "bad-sheet", text, faults=serialized(SheetFault, faults))
            try:
                result = services.play(here.campaign, here.user, move, body.seen)
            except TableMovedOn as moved:
                return moved_on(here, moved)
            return self.receipt(result.entries, 0)

        return answer_once(request, make)


def sheet_facts(here: CampaignContext, address: str) -> SheetFacts:
    """Return the position as a sheet. Hands that the reader may not see are left out."""
    hides_hands = access.hides(here.campaign)
    rows, move = portable(here).sheet(
        here.position,
        lambda seat: not hides_hands or here.access.opens(seat),
        pgettext("api", "Taken over from %(address)s") % {"address": address},
    )
    return SheetFacts(
        turn=here.campaign.turn,
        phase=here.campaign.phase,
        csv=text_of_rows(rows),
        move=move,
        seen=here.seen,
    )


def text_of_rows(rows: Iterable[Sequence[str]]) -> str:
    """Return rows of cells as CSV."""
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue()


def read_sheet(here: CampaignContext, body: SheetBody) -> tuple[dict[str, object], list[Fault]]:
    """Return the move of a sheet, and the faults of the sheet."""
    if (body.csv is None) == (body.move is None):
        raise ValidationError({"csv": [_("Send either a table or a move.")]})
    title = portable(here)
    unread: list[Fault] = []
    if body.csv is not None:
        move, faults = title.read_sheet(here.position, body.csv)
        unread = [Fault(place, text) for place, text in faults]
    else:
        move = {"by": "gm", "move": "resume", **(body.move or {})}
    if body.reason is not None:
        move["reason"] = body.reason
        unread = [fault for fault in unread if fault.place != "reason"]
    judged = [Fault(place, text) for place, text in title.sheet_faults(here.position, move)]
    return move, [*unread, *(fault for fault in judged if not is_known(fault, unread))]


def is_known(fault: Fault, unread: Sequence[Fault]) -> bool:
    """Return whether a fault of the rules follows from a fault of reading."""
    if not fault.place:
        return bool(unread)
    places = {other.place for other in unread}
    parts = {part_of(place) for place in places} & {"provinces", "truces", "targets"}
    return fault.place in places or part_of(fault.place) in parts


def part_of(place: str) -> str:
    """Return the part of a sheet to which a place belongs."""
    return place.partition(".")[0]


class SheetCheckView(CampaignResource):
    """The check of a sheet."""

    writes = False

    @extend_schema(summary="Check a sheet", request=SheetSent, responses=SheetChecked)
    def post(self, request: Request, ref: str) -> Response:
        """Return all faults of a sheet, or the position to which it leads. Nothing is written."""
        body = read(SheetSent, request)
        access.must_be_game_master(self.here.campaign, self.here.user)
        return self.answer(SheetChecked, checked_facts(self.here, body))


def checked_facts(here: CampaignContext, body: SheetBody) -> SheetCheckedFacts:
    """Return the faults of a sheet, or the position to which it leads."""
    move, faults = read_sheet(here, body)
    if faults:
        return SheetCheckedFacts(move, faults)
    try:
        (branch,) = services.preview(here.campaign, here.user, move).branches
    except IllegalMove as refusal:
        return SheetCheckedFacts(move, [Fault("", here.why_not(refusal))])
    return SheetCheckedFacts(
        move=move,
        faults=[],
        stands=here.title.view(branch.after, None),
        order=list(portable(here).next_order(branch.after)),
    )

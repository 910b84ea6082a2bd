"""Moves that are taken back and put in force again."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import FAR, Content
from api.log import EntryFacts, EntryLine, visible_entries
from api.receipts import Receipt, Refusal, RefusalFacts, Speaking
from campaign import services
from campaign.errors import CannotUndo
from campaign.models import LogEntry


class OwnUndo(s.Serializer):
    """What you may take back by yourself now, the last move first; `refusal` where there is
    nothing.
    """

    entries = EntryLine(many=True)
    refusal = Refusal(allow_null=True)
    seen = s.IntegerField()


class Undo(s.Serializer):
    """Your own last move, or all from the entry `first` on; the game master says `after` which
    entry, and why.
    """

    seen = s.IntegerField(min_value=0, max_value=FAR)
    first = s.IntegerField(min_value=0, max_value=FAR, required=False)
    after = s.IntegerField(min_value=0, max_value=FAR, required=False)
    reason = s.CharField(max_length=1000, required=False, allow_blank=True, default="")


class Restore(s.Serializer):
    """The game master puts back what an undo struck, and says why."""

    entry = s.IntegerField(min_value=0, max_value=FAR, help_text="The number of the undo.")
    reason = s.CharField(max_length=1000, allow_blank=True)
    seen = s.IntegerField(min_value=0, max_value=FAR)


@dataclass(frozen=True, slots=True)
class OwnUndoFacts:
    """The facts of `OwnUndo`."""

    entries: list[EntryFacts]
    refusal: RefusalFacts | None
    seen: int


class UndoView(Speaking):
    form = Undo

    @extend_schema(summary="What you may take back", responses=OwnUndo)
    def get(self, request: Request, ref: str) -> Response:
        here = self.here
        moves, why = list[LogEntry](), None
        try:
            moves = services.own_undos(here.campaign, here.access)
        except CannotUndo as error:
            why = RefusalFacts(error.code, "", str(error))
        return self.answer(OwnUndo, OwnUndoFacts(visible_entries(here, moves), why, here.seen))

    @extend_schema(summary="Take moves back", request=Undo, responses={201: Receipt})
    def post(self, request: Request, ref: str) -> Response:
        """Your own last move, or all from `first` on, until a die was thrown, a card shown, or
        another has moved. The game master says `after` which entry all is struck, with a reason
        that everybody reads.
        """
        return self.act(request, self.undo)

    def undo(self, content: Content) -> list[LogEntry]:
        here, seen = self.here, content["seen"]
        if "after" in content and "first" in content:
            raise ValidationError(
                {"after": [_("Either your own moves (`first`), or all after an entry.")]}
            )
        if "after" in content:
            return [
                services.undo_to(
                    here.campaign, here.user, content["after"], content["reason"], seen
                )
            ]
        return [services.undo_own(here.campaign, here.user, seen, content.get("first"))]


class RestoreView(Speaking):
    form = Restore

    @extend_schema(
        summary="Put back what an undo struck", request=Restore, responses={201: Receipt}
    )
    def post(self, request: Request, ref: str) -> Response:
        """The game master's, while nothing was played since."""
        return self.act(request, self.restore)

    def restore(self, content: Content) -> list[LogEntry]:
        here = self.here
        return [
            services.restore(
                here.campaign, here.user, content["entry"], content["reason"], content["seen"]
            )
        ]

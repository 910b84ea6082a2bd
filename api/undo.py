"""Moves that are taken back and put in force again."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import read
from api.fields import number, number_if_needed, optional_text
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

    seen = number()
    first = number_if_needed()
    after = number_if_needed()
    reason = optional_text(1000)

    def body(self) -> UndoBody:
        return UndoBody(**self.validated_data)


class Restore(s.Serializer):
    """The game master puts back what an undo struck, and says why."""

    entry = number("The number of the undo.")
    reason = s.CharField(max_length=1000, allow_blank=True)
    seen = number()

    def body(self) -> RestoreBody:
        return RestoreBody(**self.validated_data)


# What the bodies say


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoBody:
    """A body of `Undo`."""

    seen: int
    first: int | None = None
    after: int | None = None
    reason: str


@dataclass(frozen=True, slots=True)
class RestoreBody:
    """A body of `Restore`."""

    entry: int
    reason: str
    seen: int


@dataclass(frozen=True, slots=True)
class OwnUndoFacts:
    """The facts of `OwnUndo`."""

    entries: list[EntryFacts]
    refusal: RefusalFacts | None
    seen: int


class UndoView(Speaking):
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
        body = read(Undo, request)
        return self.act(request, lambda: self.undo(body))

    def undo(self, body: UndoBody) -> list[LogEntry]:
        campaign, user = self.here.campaign, self.here.user
        if body.after is not None and body.first is not None:
            raise ValidationError(
                {"after": [_("Either your own moves (`first`), or all after an entry.")]}
            )
        if body.after is not None:
            return [services.undo_to(campaign, user, body.after, body.reason, body.seen)]
        return [services.undo_own(campaign, user, body.seen, body.first)]


class RestoreView(Speaking):
    @extend_schema(
        summary="Put back what an undo struck", request=Restore, responses={201: Receipt}
    )
    def post(self, request: Request, ref: str) -> Response:
        """The game master's, while nothing was played since."""
        body = read(Restore, request)

        def act() -> list[LogEntry]:
            campaign, user = self.here.campaign, self.here.user
            return [services.restore(campaign, user, body.entry, body.reason, body.seen)]

        return self.act(request, act)

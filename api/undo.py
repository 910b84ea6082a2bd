"""Undos and restorations of moves."""

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
from api.receipts import ActResource, Receipt, Refusal, RefusalFacts
from campaign import services
from campaign.errors import CannotUndo
from campaign.models import LogEntry


class OwnUndo(s.Serializer):
    """The moves that you may take back now, the last move first; `refusal` if there are none."""

    entries = EntryLine(many=True)
    refusal = Refusal(allow_null=True)
    seen = s.IntegerField()


class Undo(s.Serializer):
    """An undo of your own last move, or of all your moves from the entry `first` on.

    The game master gives `after` which entry all is undone, and a reason.
    """

    seen = number()
    first = number_if_needed()
    after = number_if_needed()
    reason = optional_text(1000)

    def body(self) -> UndoBody:
        """Return the validated body."""
        return UndoBody(**self.validated_data)


class Restore(s.Serializer):
    """A restoration of the moves that an undo struck, with the game master's reason."""

    entry = number("The number of the undo.")
    reason = s.CharField(max_length=1000, allow_blank=True)
    seen = number()

    def body(self) -> RestoreBody:
        """Return the validated body."""
        return RestoreBody(**self.validated_data)


# Bodies of requests


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


class UndoView(ActResource):
    """The undo of moves."""

    @extend_schema(summary="Moves that you may take back", responses=OwnUndo)
    def get(self, request: Request, ref: str) -> Response:
        """Return the moves that you may take back, or the reason why there are none."""
        here = self.here
        moves, why = list[LogEntry](), None
        try:
            moves = services.own_undos(here.campaign, here.access)
        except CannotUndo as error:
            why = RefusalFacts(error.code, "", str(error))
        return self.answer(OwnUndo, OwnUndoFacts(visible_entries(here, moves), why, here.seen))

    @extend_schema(summary="Take moves back", request=Undo, responses={201: Receipt})
    def post(self, request: Request, ref: str) -> Response:
        """Take moves back.

        Players take back their own last move, or all from `first` on, unless a die has been thrown,
        a card revealed, or another seat has moved since. The game master undoes all moves `after`
        an entry, with a reason that everyone can read.
        """
        body = read(Undo, request)
        return self.act(request, lambda: self.undo(body))

    def undo(self, body: UndoBody) -> list[LogEntry]:
        """Do the undo of a body. Raises `ValidationError` if it has both `first` and `after`."""
        campaign, user = self.here.campaign, self.here.user
        if body.after is not None and body.first is not None:
            raise ValidationError(
                {
                    "after": [
                        _(
                            "Send only one: `first` to undo your own moves, or the entry after"
                            " which everything is undone."
                        )
                    ]
                }
            )
        if body.after is not None:
            return [services.undo_to(campaign, user, body.after, body.reason, body.seen)]
        return [services.undo_own(campaign, user, body.seen, body.first)]


class RestoreView(ActResource):
    """The restoration of undone moves."""

    @extend_schema(
        summary="Restore the moves that an undo struck", request=Restore, responses={201: Receipt}
    )
    def post(self, request: Request, ref: str) -> Response:
        """Restore the moves that an undo struck, for the game master.

        This is possible only while no move has been made since.
        """
        body = read(Restore, request)

        def act() -> list[LogEntry]:
            campaign, user = self.here.campaign, self.here.user
            return [services.restore(campaign, user, body.entry, body.reason, body.seen)]

        return self.act(request, act)

"""Base class of all moves and acts, which take effect once and answer with a receipt.

If others have moved meanwhile, the answer has their entries instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from django.utils.translation import gettext as _
from rest_framework import serializers as s
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import CampaignContext, CampaignResource, serialized
from api.idempotency import answer_once
from api.log import EntryFacts, EntryLine, visible_entries
from api.problems import problem
from campaign import access
from campaign.errors import TableMovedOn
from campaign.log import selectors
from campaign.models import Campaign, LogEntry
from engine.errors import IllegalMove

Needed = TypeVar("Needed")


class Refusal(s.Serializer):
    """The reason why something is forbidden: code, paragraph of the rules, and sentence."""

    code = s.CharField()
    rule = s.CharField(allow_blank=True)
    text = s.CharField()


class Receipt(s.Serializer):
    """The entries that a request has written, and the turn, phase and active seat after them.

    The entries contain what you may see, with their effects and rolls.
    """

    entries = EntryLine(many=True)
    seen = s.IntegerField(help_text="The number of your last entry; send it with your next move.")
    parked = s.BooleanField(
        help_text=(
            "Whether the move waits for a die that is thrown elsewhere. Nothing of it has"
            " been applied yet."
        )
    )
    turn = s.IntegerField()
    phase = s.CharField(allow_blank=True)
    active_seat = s.CharField(allow_blank=True)


@dataclass(frozen=True, slots=True)
class RefusalFacts:
    """The facts of `Refusal`."""

    code: str
    rule: str
    text: str


@dataclass(frozen=True, slots=True)
class ReceiptFacts:
    """The facts of `Receipt`."""

    entries: list[EntryFacts]
    seen: int
    parked: bool
    turn: int
    phase: str
    active_seat: str


def refusal_facts(here: CampaignContext, refusal: IllegalMove | None) -> RefusalFacts | None:
    """Return why the rules forbid a move; None if they do not."""
    if refusal is None:
        return None
    return RefusalFacts(refusal.code, refusal.rule, here.why_not(refusal))


def needed(value: Needed | None, name: str) -> Needed:
    """Return a field of a body that this act needs, unlike other acts of the same address.

    Raises `ValidationError` if the body does not have it.
    """
    if value is None:
        raise ValidationError({name: [_("This act needs this field.")]})
    return value


class ActResource(CampaignResource):
    """An address of a campaign that takes moves or acts."""

    def act(self, request: Request, do: Callable[[], Iterable[LogEntry] | None]) -> Response:
        """Do an act and answer 201 with the receipt.

        `do` does the act and returns its entries, or None if they are all entries since the request
        came.
        """

        def make() -> Response:
            before = self.here.campaign.last_sequence
            try:
                entries = do()
            except TableMovedOn as moved:
                return moved_on(self.here, moved)
            return self.receipt(entries, before)

        return answer_once(request, make)

    def receipt(
        self, result: Iterable[LogEntry] | None, before: int, status: int = 201, **headers: str
    ) -> Response:
        """Answer with the entries that were written.

        `before` is the sequence of the last entry before the act; it counts if the act returned no
        entry.
        """
        now = reloaded(self.here)
        entries: list[LogEntry] = [] if result is None else list(result)
        since = entries[-1].sequence if entries else before
        # Standing orders may have reacted, and some acts return no entry.
        if now.campaign.last_sequence > since:
            entries += selectors.between(now.campaign, since)
        return self.answer(Receipt, receipt(now, entries), status, **headers)


def reloaded(here: CampaignContext) -> CampaignContext:
    """Return the campaign as it is now, for the same reader."""
    campaign = Campaign.objects.get(pk=here.campaign.pk)
    return CampaignContext(campaign, here.user, access.access_of(campaign, here.user))


def receipt(now: CampaignContext, entries: list[LogEntry]) -> ReceiptFacts:
    """Return the entries of an act with the state of the campaign after it."""
    campaign = now.campaign
    return ReceiptFacts(
        entries=visible_entries(now, entries),
        seen=now.seen,
        parked=bool(campaign.parked and entries and not entries[-1].is_move),
        turn=campaign.turn,
        phase=campaign.phase,
        active_seat=campaign.active_seat,
    )


def moved_on(here: CampaignContext, moved: TableMovedOn) -> Response:
    """Answer 409 with the entries that others have made meanwhile, and the reader's last entry."""
    now = reloaded(here)
    visible = visible_entries(now, moved.entries) if moved.entries else []
    entries = serialized(EntryLine, visible)
    return problem(moved.status, moved.code, str(moved), seen=now.seen, entries=entries)

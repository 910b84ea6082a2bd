"""What all that is said at a table shares: done once, answered with what was written, or with what moved meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer

from api.once import once
from api.problems import problem
from api.serializers.log import EntryLine
from api.serializers.moves import Receipt
from api.views.base import Here, OfCampaign, written
from api.views.log import lines
from campaign import access, selectors
from campaign.errors import TableMovedOn
from campaign.models import Campaign, LogEntry


def needed(said: Mapping[str, Any], name: str) -> Any:
    """What this act cannot do without, though other acts of the same address can."""
    if name not in said:
        raise ValidationError({name: [_("It is needed for this.")]})
    return said[name]


class Speaking(OfCampaign):
    """An address of a campaign where something is said. `form` reads the body, `say` does it and tells the entries."""

    form: type[BaseSerializer[Any]]

    def act(self, request: Request, say: Callable[[Mapping[str, Any]], Iterable[LogEntry] | None]) -> Response:
        """201 with the receipt. `say` may tell None where the entries are those since the request came."""
        said = self.form(data=request.data)
        said.is_valid(raise_exception=True)

        def make() -> Response:
            before = self.here.campaign.last_sequence
            try:
                made = say(said.validated_data)
            except TableMovedOn as moved:
                return moved_on(self.here, moved)
            return self.receipt(made, before)

        return once(request, make)

    def receipt(self, made: Iterable[LogEntry] | None, before: int, status: int = 201, **headers: str) -> Response:
        now = fresh(self.here)
        entries = list(made) if made is not None else []
        since = entries[-1].sequence if entries else before
        if now.campaign.last_sequence > since:  # what standing orders said to it, and acts that tell no entry
            entries += selectors.between(now.campaign, since)
        return self.told(Receipt, receipt(now, entries), status, **headers)


def fresh(here: Here) -> Here:
    """The same reader at the table as it stands now."""
    campaign = Campaign.objects.get(pk=here.campaign.pk)
    return Here(campaign, here.user, access.of(campaign, here.user))


def receipt(now: Here, entries: list[LogEntry]) -> dict[str, Any]:
    campaign = now.campaign
    parked = bool(campaign.parked and entries and not entries[-1].is_move)
    return {
        "entries": lines(now, entries), "seen": now.seen, "parked": parked,
        "turn": campaign.turn, "phase": campaign.phase, "active_seat": campaign.active_seat,
    }  # fmt: skip


def moved_on(here: Here, moved: TableMovedOn) -> Response:
    """409: what was said meanwhile, as the reader may see it, and his last entry now."""
    now = fresh(here)
    told = written(EntryLine, lines(now, moved.entries)) if moved.entries else []
    return problem(moved.status, moved.code, str(moved), seen=now.seen, entries=told)

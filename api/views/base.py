"""What resources share.

A resource is a class of `Resource`, or of `OfCampaign` where its address begins with `campaigns/<ref>/`, in a file of its
own below `api/views/`, listed in `api/urls.py` and in tests/api/who_may.py. It answers plain dicts through a serializer
(`api/serializers/`): `return self.told(SomeSerializer, found)`, long lists by `pages.page`. Above each method
`@extend_schema(summary=…, responses=SomeSerializer)`: problems, 304 and the address's `ref` are put in for all
(`api.schema`). Errors are raised, never answered: `campaign.errors`, `IllegalMove`, `Http404` (`api.problems`).

Only what `self.here` or the selectors tell for `self.here.user` may be answered: a test compares whole answers of two
campaigns that differ in hidden cards alone, at every address there is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.conf import settings
from django.http import Http404
from django.utils.module_loading import import_string
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.views import APIView

from campaign import access, looks, selectors, services
from campaign.access import Access
from campaign.errors import NoSuchCampaign
from campaign.models import Campaign
from campaign.models_looked import Look
from campaign.reading import Reading
from engine.effects import Effect, Roll, Say
from games import registry


@dataclass
class Here(Reading):
    """A campaign as one reader sees it; made once a request. `position` hides nothing and is never answered."""

    campaign: Campaign
    user: Any
    access: Access

    @cached_property
    def seen(self) -> int:
        """The reader's last entry, counted from 0 among those he may see: what a move is said with."""
        return selectors.seen(self.campaign, self.access)

    def seat(self, key: str) -> str:
        """The seat of this key, `gm` among them. Raises `Http404` where there is none."""
        if key not in self.names:
            raise Http404
        return key

    def say(self, say: Say) -> str:
        return self.title.speak(self.scenario, say)

    def effects(self, effects: Sequence[Effect]) -> list[dict[str, Any]]:
        """Those that the reader may see, in words, too."""
        return [effect(self, one) for one in effects if self.access.sees(one.audience)]

    def rolls(self, rolls: Sequence[Roll]) -> list[dict[str, Any]]:
        return [
            {"purpose": one.purpose, "sides": one.sides, "value": one.value, "turn": one.turn,
             "text": self.title.roll_line(self.scenario, one)}
            for one in rolls if self.access.sees(one.audience)
        ]  # fmt: skip


def seeing(request: Request, campaign: Campaign) -> Access:
    """The reader at the table. Hidden hands are closed to a game master, as on the pages, unless what he reads says
    `?hands=open`: that is kept for their holders (docs/decisions/0027)."""
    who = access.of(campaign, request.user)
    if not (who.game_master and access.hides(campaign)):
        return who
    if request.method in ("GET", "HEAD") and request.GET.get("hands") == "open":
        services.looked_at_all(campaign, request.user, Look.Way.PROGRAM)
        return who
    access.open_eyes(campaign, request.user, looks.free(campaign, access.places(campaign)))
    return access.of(campaign, request.user)


def speaks_for(here: Here, move: Mapping[str, Any]) -> None:
    """A game master who moves for a seat, or corrects its cards, is told of its hand by the answer: its holder reads that."""
    for seat in looks.about(here.campaign, here.access, move):
        services.looked(here.campaign, here.user, seat, Look.Way.MOVE)


def by_pages(what: str) -> Callable[..., Any]:
    """What the titles' own parts of the pages know (`settings.TOLD_BY_PAGES`)."""
    found: Callable[..., Any] = import_string(settings.TOLD_BY_PAGES[what])
    return found


def effect(here: Here, one: Effect) -> dict[str, Any]:
    """One consequence of a move as JSON; whoever calls has asked whether its reader may see it."""
    return {
        "kind": one.kind, "holder": one.holder, "subject": one.subject, "change": one.change, "balance": one.balance,
        "facts": dict(one.facts), "cause": one.cause.id, "rule": one.cause.rule, "text": here.say(one.cause),
    }  # fmt: skip


class Resource(APIView):
    """One address of the interface."""

    writes = True
    """Does its POST change anything? Then it asks for a token that may play."""

    def told(self, kind: type[BaseSerializer[Any]], found: Any, status: int = 200, **headers: str) -> Response:
        """An answer in the form of a serializer; `found` is a dict, or a list of them."""
        return Response(written(kind, found), status, headers=headers or None)


def written(kind: type[BaseSerializer[Any]], found: Any) -> Any:
    """Dicts in the form of a serializer."""
    return kind(found, many=not isinstance(found, Mapping)).data


class OfCampaign(Resource):
    """An address below `campaigns/<ref>/`: 404 where this reader may not know the campaign, 403 while it is suspended."""

    here: Here

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.here = here(request, str(kwargs["ref"]))


def here(request: Request, ref: str) -> Here:
    """The campaign of an address, its slug ignored, for who asks. Raises as `access.find` does."""
    found = access.REF.fullmatch(ref)
    if found is None:
        raise NoSuchCampaign
    campaign = access.find(found["id"], request.user)
    if campaign.title not in registry.TITLES:
        raise NoSuchCampaign
    who = seeing(request, campaign)
    if request.method in ("GET", "HEAD") and request.user.is_authenticated:
        access.remember(campaign, request.user, who)
    return Here(campaign, request.user, who)

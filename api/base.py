"""Base classes and functions of all resources.

A resource is a class of `Resource`, or of `CampaignResource` if its address begins with
`campaigns/<ref>/`, in the module of its noun. It is listed in `api/urls.py` and in
tests/api/who_may.py. Its methods answer with facts through a serializer that is defined above the
view: `return self.answer(SomeSerializer, facts)`. Facts are frozen dataclasses: those of the
domain, which the pages show too, or dataclasses beside the serializer. `read(SomeSerializer,
request)` returns the body of a request as such a dataclass, which the serializer's method `body`
makes. `api.paging.page` answers long lists. Each method has `@extend_schema(summary=…,
responses=SomeSerializer)`; `api.docs` adds problems, 304 and the address's `ref` to all of them.
Views raise errors and never answer them: `campaign.errors`, `IllegalMove`, `Http404`
(`api.problems`).

Answers contain only what `self.here` or the selectors show to `self.here.user`: a test compares
whole answers of two campaigns that differ only in hidden cards, at every address.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Protocol, TypeVar

from django.contrib.auth.models import AnonymousUser
from django.http import Http404
from django.urls import URLPattern, get_resolver, reverse
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.utils.serializer_helpers import ReturnDict, ReturnList
from rest_framework.views import APIView

from campaign import access as campaign_access
from campaign import review, services
from campaign.access import Access
from campaign.errors import NoSuchCampaign
from campaign.log import selectors
from campaign.log.selectors import CampaignView
from campaign.models import AccessLogEntry, Campaign
from engine.effects import Phrase
from games import registry
from games.contract.plain import RawMove
from people.models import User

READ = ("GET", "HEAD")


@dataclass
class CampaignContext(CampaignView):
    """A campaign as one reader sees it, made once for each request.

    `position` hides nothing and must never be part of an answer.
    """

    campaign: Campaign
    user: User | AnonymousUser
    access: Access

    @cached_property
    def seen(self) -> int:
        """The number of the reader's last entry, counted from 0 among those they may see."""
        return selectors.seen(self.campaign, self.access)

    def seat(self, key: str) -> str:
        """Return this key if it is a seat or `gm`. Raises `Http404` for other keys."""
        if key not in self.names:
            raise Http404
        return key

    def sentence(self, phrase: Phrase) -> str:
        """Return a phrase of the title as a sentence."""
        return self.title.speak(self.scenario, phrase)


def reader_access(request: Request, campaign: Campaign) -> Access:
    """Return the reader's access.

    Hidden hands are closed to a game master, as on the pages, unless the address contains
    `?hands=open`. In that case the access is logged for the holders (docs/decisions/0027).
    """
    access = campaign_access.access_of(campaign, request.user)
    if not (access.game_master and campaign_access.hides(campaign)):
        return access
    if request.method in READ and request.GET.get("hands") == "open":
        services.log_access_to_all(campaign, request.user, AccessLogEntry.Way.PROGRAM)
        return access
    campaign_access.set_open_hands(
        campaign,
        request.user,
        review.seats_without_holder(campaign, campaign_access.places(campaign)),
    )
    return campaign_access.access_of(campaign, request.user)


def log_speaking_for(here: CampaignContext, move: RawMove) -> None:
    """Log for the holder of a seat that a game master moves for it or corrects its cards.

    The holder must know, because the answer shows something of the hand.
    """
    for seat in review.seats_revealed(here.campaign, here.access, move):
        services.log_access(here.campaign, here.user, seat, AccessLogEntry.Way.MOVE)


class Resource(APIView):
    """One address of the interface."""

    writes = True
    """Whether a POST changes something. Then it needs a token that may play."""

    def answer(
        self, kind: type[Serializer], facts: object, status: int = 200, **headers: str
    ) -> Response:
        """Answer with facts in the form of a serializer."""
        return Response(serialized(kind, facts), status, headers=headers or None)


def serialized(
    kind: type[Serializer], facts: object
) -> ReturnDict[str, object] | ReturnList[Mapping[str, object]]:
    """Return facts (a dict, a dataclass, or a list of them) in the form of a serializer."""
    return kind(facts, many=isinstance(facts, list | tuple)).data


Body = TypeVar("Body", covariant=True)


class BodySerializer(Protocol[Body]):
    """A serializer that reads the body of a request into a frozen dataclass."""

    def __init__(self, *, data: object) -> None: ...

    def is_valid(self, *, raise_exception: bool = False) -> bool:
        """Return whether the data are valid. Raises `ValidationError` if that is asked for."""
        ...

    def body(self) -> Body:
        """Return the validated body."""
        ...


def read(kind: type[BodySerializer[Body]], request: Request) -> Body:
    """Return the body of a request, read by a serializer. Raises `ValidationError`."""
    serializer = kind(data=request.data)
    serializer.is_valid(raise_exception=True)
    return serializer.body()


def must_be_signed_in(request: Request) -> None:
    """Raise an error unless the request comes from a user with an account."""
    if not request.user.is_authenticated:
        raise NotAuthenticated
    campaign_access.must_have_account(request.user)


class CampaignResource(Resource):
    """An address below `campaigns/<ref>/`.

    It answers 404 if the reader may not know the campaign, and 403 while the campaign is suspended.
    """

    here: CampaignContext

    def initial(self, request: Request, *args: object, **kwargs: str | int) -> None:
        """Find the campaign of the address before the request is handled."""
        super().initial(request, *args, **kwargs)
        self.here = campaign_of_address(request, str(kwargs["ref"]))


def campaign_of_address(request: Request, ref: str) -> CampaignContext:
    """Return the campaign of an address; the slug is ignored. Raises as `access.find` does."""
    match = campaign_access.REF.fullmatch(ref)
    if match is None:
        raise NoSuchCampaign
    campaign = campaign_access.find(match["id"], request.user)
    if campaign.title not in registry.TITLES:
        raise NoSuchCampaign
    access = reader_access(request, campaign)
    if request.method in READ and request.user.is_authenticated:
        campaign_access.cache_access(campaign, request.user, access)
    return CampaignContext(campaign, request.user, access)


@cache
def plain_names() -> tuple[str, ...]:
    """Return the names of readable addresses that need only a campaign, from `api/urls.py`."""
    patterns = [
        pattern
        for pattern in get_resolver("api.urls").url_patterns
        if isinstance(pattern, URLPattern)
    ]
    return tuple(str(pattern.name) for pattern in patterns if is_plain(pattern))


def is_plain(pattern: URLPattern) -> bool:
    """Return whether an address can be read and has a campaign as its only variable part."""
    address = str(pattern.pattern)
    return (
        address.startswith("v1/campaigns/<str:ref>/")
        and address.count("<") == 1
        and hasattr(vars(pattern.callback)["cls"], "get")
    )


def campaign_links(ref: str) -> dict[str, str]:
    """Return the addresses below a campaign by name."""
    return {name: reverse(f"api:{name}", args=[ref]) for name in plain_names()}

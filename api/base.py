"""What resources share.

A resource is a class of `Resource`, or of `OfCampaign` where its address begins with
`campaigns/<ref>/`, in the file of its noun, listed in `api/urls.py` and in tests/api/who_may.py. It
answers plain dicts through a serializer that stands above it: `return self.answer(SomeSerializer,
facts)`, long lists by `page`. Above each method `@extend_schema(summary=…,
responses=SomeSerializer)`: problems, 304 and the address's `ref` are put in for all (`api.docs`).
Errors are raised, never answered: `campaign.errors`, `IllegalMove`, `Http404` (`api.problems`).

Only what `self.here` or the selectors tell for `self.here.user` may be answered: a test compares
whole answers of two campaigns that differ in hidden cards alone, at every address there is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache as functools_cache
from functools import cached_property
from typing import Any

from django.core.cache import cache
from django.db.models import QuerySet
from django.http import Http404
from django.urls import URLPattern, get_resolver, reverse
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ParseError, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.views import APIView

from api.problems import problem
from campaign import access as campaign_access
from campaign import review, services
from campaign.access import Access
from campaign.errors import NoSuchCampaign
from campaign.log import selectors
from campaign.log.selectors import Reading
from campaign.models import Campaign, Look
from engine.effects import Effect, Roll, Say
from engine.strict_json import digest, whole
from games import registry
from people.proof import answers


@dataclass
class Here(Reading):
    """A campaign as one reader sees it; made once a request. `position` hides nothing and is never
    answered.
    """

    campaign: Campaign
    user: Any
    access: Access

    @cached_property
    def seen(self) -> int:
        """The reader's last entry, counted from 0 among those they may see: what a move is said
        with.
        """
        return selectors.seen(self.campaign, self.access)

    def seat(self, key: str) -> str:
        """The seat of this key, `gm` among them. Raises `Http404` where there is none."""
        if key not in self.names:
            raise Http404
        return key

    def sentence(self, phrase: Say) -> str:
        return self.title.speak(self.scenario, phrase)

    def effects(self, effects: Sequence[Effect]) -> list[dict[str, Any]]:
        """Those that the reader may see, in words, too."""
        return [effect(self, one) for one in effects if self.access.sees(one.audience)]

    def rolls(self, rolls: Sequence[Roll]) -> list[dict[str, Any]]:
        return [
            {
                "purpose": one.purpose,
                "sides": one.sides,
                "value": one.value,
                "turn": one.turn,
                "text": self.title.roll_line(self.scenario, one),
            }
            for one in rolls
            if self.access.sees(one.audience)
        ]


def seeing(request: Request, campaign: Campaign) -> Access:
    """The reader at the table. Hidden hands are closed to a game master, as on the pages, unless
    what they read says `?hands=open`: that is kept for their holders (docs/decisions/0027).
    """
    who = campaign_access.access_of(campaign, request.user)
    if not (who.game_master and campaign_access.hides(campaign)):
        return who
    if request.method in ("GET", "HEAD") and request.GET.get("hands") == "open":
        services.log_access_to_all(campaign, request.user, Look.Way.PROGRAM)
        return who
    campaign_access.open_eyes(
        campaign, request.user, review.free(campaign, campaign_access.places(campaign))
    )
    return campaign_access.access_of(campaign, request.user)


def speaks_for(here: Here, move: Mapping[str, Any]) -> None:
    """A game master who moves for a seat, or corrects its cards, is told of its hand by the answer:
    its holder reads that.
    """
    for seat in review.about(here.campaign, here.access, move):
        services.log_access(here.campaign, here.user, seat, Look.Way.MOVE)


def effect(here: Here, one: Effect) -> dict[str, Any]:
    """One consequence of a move as JSON; whoever calls has asked whether its reader may see it."""
    return {
        "kind": one.kind,
        "holder": one.holder,
        "subject": one.subject,
        "change": one.change,
        "balance": one.balance,
        "facts": dict(one.facts),
        "cause": one.cause.id,
        "rule": one.cause.rule,
        "text": here.sentence(one.cause),
    }


class Resource(APIView):
    """One address of the interface."""

    writes = True
    """Does its POST change anything? Then it asks for a token that may play."""

    def answer(
        self, kind: type[BaseSerializer[Any]], facts: Any, status: int = 200, **headers: str
    ) -> Response:
        """An answer in the form of a serializer; `found` is a dict, or a list of them."""
        return Response(written(kind, facts), status, headers=headers or None)


def written(kind: type[BaseSerializer[Any]], facts: Any) -> Any:
    """Return facts in the form of a serializer: a dict or a dataclass, or a list of them."""
    return kind(facts, many=isinstance(facts, list | tuple)).data


class OfCampaign(Resource):
    """An address below `campaigns/<ref>/`: 404 where this reader may not know the campaign, 403
    while it is suspended.
    """

    here: Here

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.here = campaign_of_address(request, str(kwargs["ref"]))


def campaign_of_address(request: Request, ref: str) -> Here:
    """The campaign of an address, its slug ignored, for who asks. Raises as `access.find` does."""
    match = campaign_access.REF.fullmatch(ref)
    if match is None:
        raise NoSuchCampaign
    campaign = campaign_access.find(match["id"], request.user)
    if campaign.title not in registry.TITLES:
        raise NoSuchCampaign
    who = seeing(request, campaign)
    if request.method in ("GET", "HEAD") and request.user.is_authenticated:
        campaign_access.remember(campaign, request.user, who)
    return Here(campaign, request.user, who)


# A request that comes twice is done once.
#
# `Idempotency-Key` names a request; for a day the same key of the same person at the same address
# is answered as at first, without anything being done again. The shared cache remembers that, and
# may forget. What may not be forgotten the log knows: a move is said with what its person had seen,
# so that the same move cannot be said twice (`api.moves`).

HEADER, REPLAYED = "Idempotency-Key", "Idempotency-Replayed"
DAY, BUSY = 24 * 3600, 60


def answer_once(request: Request, make: Callable[[], Response]) -> Response:
    """The answer of `make`, or the one it gave to this key before. Only what was done is
    remembered, no refusal.
    """
    key = request.headers.get(HEADER, "")
    if not key:
        return make()
    if len(key) > 200 or not key.isprintable():
        raise ValidationError({HEADER: [_("Up to 200 printable characters.")]})
    if not answers():
        detail = _(
            "The program cannot check now what this key was used for. Try again in a minute, or ask"
            " without a key."
        )
        return problem(503, "key-unknown", detail, {"Retry-After": "60"})
    slot = (
        "api-once-"
        + salted_hmac(
            "api.base", f"{request.user.pk}\n{request.path}\n{key}", algorithm="sha256"
        ).hexdigest()
    )
    try:
        sent = digest(request.data)
    except ValueError as wrong:  # a number that nothing can keep
        raise ParseError(str(wrong), "malformed") from None
    if not cache.add(slot, {"said": sent}, BUSY):
        known: dict[str, Any] = cache.get(slot) or {}
        if known.get("said", sent) != sent:
            return problem(
                422, "key-reused", _("This key has been used for something else. Choose a new one.")
            )
        if "answer" not in known:
            return problem(
                409,
                "in-progress",
                _("The same request is being answered just now."),
                {"Retry-After": "1"},
            )
        return Response(known["answer"], known["status"], headers={REPLAYED: "true"})
    try:
        answer = make()
    except BaseException:
        cache.delete(slot)
        raise
    if answer.status_code < 400:
        cache.set(slot, {"said": sent, "answer": answer.data, "status": answer.status_code}, DAY)
    else:
        cache.delete(slot)
    return answer


# Long lists, page by page.
#
# A cursor says how many things are older than the page it leads to. Lists here grow at their newest
# end only, so a page stays the same however much is added meanwhile; and it counts what its reader
# may see, so it tells of nothing else.

USUAL, MOST = 50, 200
PARAMETERS = [
    OpenApiParameter(
        "limit",
        {"type": "integer", "minimum": 1, "maximum": MOST, "default": USUAL},
        description="Most of a page.",
    ),
    OpenApiParameter(
        "cursor",
        {"type": "string", "pattern": "^[0-9]{1,9}$"},
        description="From `next` of the page before.",
    ),
]
"""For `extend_schema(parameters=…)` of a list."""


def page(
    request: Request,
    items: QuerySet[Any] | Sequence[Any],
    render_rows: Callable[[list[Any]], list[Any]],
) -> Response:
    """A page of `items`, which stand newest first: `{"results": […], "next": address or null}`.

    `told` makes what is answered of those on the page. Raises `ValidationError` for a limit or
    cursor that is none.
    """
    limit = whole_number(request, "limit", USUAL)
    if not 1 <= limit <= MOST:
        raise ValidationError({"limit": [_("A whole number from 1 to %(most)s.") % {"most": MOST}]})
    total = items.count() if isinstance(items, QuerySet) else len(items)
    older = min(whole_number(request, "cursor", total), total)
    start = total - older
    shown = list(items[start : start + limit])
    left = older - len(shown)
    after = None
    if left > 0 and shown:
        query = request.GET.copy()
        query["cursor"] = str(left)
        after = f"{request.path}?{query.urlencode()}"
    return Response({"results": render_rows(shown), "next": after})


def whole_number(request: Request, name: str, usual: int) -> int:
    """A whole number of the address. Raises `ValidationError`."""
    text = request.GET.get(name)
    if text is None:
        return usual
    number = whole(text)
    if number is None:
        raise ValidationError({name: [_("A whole number, please.")]})
    return number


# The addresses that a campaign leads to, read from `api/urls.py`: a new resource stands among them
# by itself.


@functools_cache
def _plain_names() -> tuple[str, ...]:
    """The names of those addresses that ask for a campaign and nothing else, and can be read."""
    there = [one for one in get_resolver("api.urls").url_patterns if isinstance(one, URLPattern)]
    of_campaigns = [one for one in there if str(one.pattern).startswith("v1/campaigns/<str:ref>/")]
    readable = [one for one in of_campaigns if hasattr(vars(one.callback)["cls"], "get")]
    return tuple(str(one.name) for one in readable if str(one.pattern).count("<") == 1)


def campaign_links(ref: str) -> dict[str, str]:
    return {name: reverse(f"api:{name}", args=[ref]) for name in _plain_names()}

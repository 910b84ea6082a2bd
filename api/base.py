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
    """A campaign as one reader sees it, made once for each request. `position` hides nothing and
    is never answered.
    """

    campaign: Campaign
    user: Any
    access: Access

    @cached_property
    def seen(self) -> int:
        """Return the reader's last entry, counted from 0 among those they may see."""
        return selectors.seen(self.campaign, self.access)

    def seat(self, key: str) -> str:
        """Return this key if it is a seat, or `gm`. Raises `Http404` for others."""
        if key not in self.names:
            raise Http404
        return key

    def sentence(self, phrase: Say) -> str:
        return self.title.speak(self.scenario, phrase)

    def effects(self, effects: Sequence[Effect]) -> list[dict[str, Any]]:
        """Return the effects that the reader may see, also in words."""
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
    """Return the reader at the table.

    Hidden hands are closed to a game master, as on the pages, unless the address says
    `?hands=open`, of which the holders are told (docs/decisions/0027).
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
    """Note for the holders that a game master moves for a seat or corrects its cards: the answer
    tells of the hand.
    """
    for seat in review.about(here.campaign, here.access, move):
        services.log_access(here.campaign, here.user, seat, Look.Way.MOVE)


def effect(here: Here, one: Effect) -> dict[str, Any]:
    """Return a consequence of a move as JSON. The caller checks whether the reader may see it."""
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
        """Answer with facts in the form of a serializer."""
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
    """Return the campaign of an address, whatever its slug. Raises as `access.find` does."""
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
"""Seconds for which an answer is remembered, and for which a request may take."""
LONGEST_KEY = 200
FIRST_REFUSAL = 400
"""The lowest HTTP status that refuses."""


@dataclass(frozen=True, slots=True)
class Slot:
    """Where the cache remembers a request: its key, and the digest of what was sent."""

    key: str
    sent: str

    def reserve(self) -> bool:
        """Return whether this is the first request; others then find it taken."""
        return cache.add(self.key, {"said": self.sent}, BUSY)

    def keep(self, answer: Response) -> None:
        """Remember an answer that did something; forget a refusal."""
        if answer.status_code < FIRST_REFUSAL:
            known = {"said": self.sent, "answer": answer.data, "status": answer.status_code}
            cache.set(self.key, known, DAY)
        else:
            self.release()

    def release(self) -> None:
        cache.delete(self.key)

    def answer_again(self) -> Response:
        """Return the answer to the first request, or why there is none."""
        known: dict[str, Any] = cache.get(self.key) or {}
        if known.get("said", self.sent) != self.sent:
            detail = _("This key has been used for something else. Choose a new one.")
            return problem(422, "key-reused", detail)
        if "answer" not in known:
            detail = _("The same request is being answered just now.")
            return problem(409, "in-progress", detail, {"Retry-After": "1"})
        return Response(known["answer"], known["status"], headers={REPLAYED: "true"})


def answer_once(request: Request, make: Callable[[], Response]) -> Response:
    """Return the answer of `make`, or the one it gave to this key before. Only what was done is
    remembered, no refusal.
    """
    key = request.headers.get(HEADER, "")
    if not key:
        return make()
    if len(key) > LONGEST_KEY or not key.isprintable():
        raise ValidationError({HEADER: [_("Up to 200 printable characters.")]})
    if not answers():
        detail = _(
            "The program cannot check now what this key was used for. Try again in a minute, or ask"
            " without a key."
        )
        return problem(503, "key-unknown", detail, {"Retry-After": "60"})
    slot = slot_of(request, key)
    if not slot.reserve():
        return slot.answer_again()
    try:
        answer = make()
    except BaseException:
        slot.release()
        raise
    slot.keep(answer)
    return answer


def slot_of(request: Request, key: str) -> Slot:
    """Return where a request is remembered. Raises `ParseError` for what cannot be kept."""
    named = f"{request.user.pk}\n{request.path}\n{key}"
    digest_of_name = salted_hmac("api.base", named, algorithm="sha256").hexdigest()
    try:
        sent = digest(request.data)
    except ValueError as error:  # a number that nothing can keep
        raise ParseError(str(error), "malformed") from None
    return Slot(f"api-once-{digest_of_name}", sent)


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
    """Answer with a page of `items`, newest first: `{"results": […], "next": address or null}`.

    `render_rows` makes the answer of those on the page. Raises `ValidationError` for a limit or
    cursor that is no number.
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
    """Return a whole number of the address. Raises `ValidationError`."""
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
    """Return the names of addresses that can be read and need a campaign and nothing else."""
    there = [one for one in get_resolver("api.urls").url_patterns if isinstance(one, URLPattern)]
    of_campaigns = [one for one in there if str(one.pattern).startswith("v1/campaigns/<str:ref>/")]
    readable = [one for one in of_campaigns if hasattr(vars(one.callback)["cls"], "get")]
    return tuple(str(one.name) for one in readable if str(one.pattern).count("<") == 1)


def campaign_links(ref: str) -> dict[str, str]:
    return {name: reverse(f"api:{name}", args=[ref]) for name in _plain_names()}

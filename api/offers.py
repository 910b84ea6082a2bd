"""Offers to a seat: possible values and costs, or the rule that forbids a move."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.http import QueryDict
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import CampaignContext, CampaignResource
from api.receipts import Refusal, RefusalFacts, refusal_facts
from campaign import review
from campaign.errors import NotAllowed
from campaign.log import selectors
from campaign.models import GAME_MASTER, Campaign
from games import registry
from games.contract.move_words import MoveWords
from games.contract.plain import RawMove
from games.contract.title import Field
from games.contract.title import Offer as TitleOffer
from games.kit.move_words import move_words


class OfferField(s.Serializer):
    """A field of a move that is still to be chosen."""

    key = s.CharField()
    name = s.CharField(help_text="The name of the field, in your language.")
    kind = s.CharField(
        help_text="province, nation, card, cards, choice, flag, number, text or shares."
    )
    optional = s.BooleanField()
    default = s.JSONField(
        allow_null=True, help_text="The value of an optional field that is left out."
    )
    depends = s.ListField(
        child=s.CharField(), help_text="The fields that must be chosen before its values are known."
    )
    values = s.ListField(
        child=s.JSONField(allow_null=True),
        allow_null=True,
        help_text=(
            "The possible values; null if anything of its kind is possible, or an earlier field"
            " has not been chosen yet."
        ),
    )
    names = s.ListField(
        child=s.CharField(),
        allow_null=True,
        help_text="The names of these values, in the same order.",
    )
    chosen = s.JSONField(
        allow_null=True, help_text="The value that you have chosen in the address."
    )


class Offer(s.Serializer):
    """A kind of move.

    Complete it by `raw` and a value for each field, or read in `refusal` why it is forbidden.
    """

    key = s.CharField()
    name = s.CharField(help_text="The name of the move, in your language.")
    group = s.CharField()
    move = s.CharField()
    raw = s.DictField(help_text="The move in record form, without the fields still to be chosen.")
    # DRF allows a field with the name of an attribute of the serializer.
    fields = OfferField(many=True)  # type: ignore[assignment]
    cost = s.IntegerField(
        allow_null=True,
        help_text="In units of the title's purse (half-actions); null if it costs nothing.",
    )
    refusal = Refusal(allow_null=True)


class Offers(s.Serializer):
    """The offers to a seat."""

    seat = s.CharField()
    by = s.CharField(help_text="The voice that makes the move: the seat itself, or `gm` for it.")
    seen = s.IntegerField(help_text="The number of your last entry; send it with a move.")
    offers = Offer(many=True)
    onward = s.DictField(
        allow_null=True,
        help_text=(
            "The move that can be made now because nothing needs to be decided, in record form."
        ),
    )


# Facts for the serializers


@dataclass(frozen=True, slots=True)
class FieldFacts:
    """The facts of `OfferField`. `chosen` is the value in the address."""

    key: str
    name: str
    kind: str
    optional: bool
    default: object
    depends: Sequence[str]
    values: list[object] | None
    names: list[str] | None
    chosen: object


@dataclass(frozen=True, slots=True)
class OfferFacts:
    """The facts of `Offer`."""

    key: str
    name: str
    group: str
    move: str
    raw: RawMove
    fields: list[FieldFacts]
    cost: int | None
    refusal: RefusalFacts | None


@dataclass(frozen=True, slots=True)
class OffersFacts:
    """The facts of `Offers`."""

    seat: str
    by: str
    seen: int
    offers: list[OfferFacts]
    onward: RawMove | None


TEXT = {"type": "string", "maxLength": 200}


SEAT = OpenApiParameter(
    "seat",
    TEXT,
    description="A seat that you may speak for, or `gm` for the game master; by default yours.",
)


KEY = OpenApiParameter(
    "offer",
    TEXT,
    description="Only this offer. Add the chosen values of its fields as parameters, by key.",
)


NOBODY = "!nobody"
"""The form in which an address contains the value None."""


class OffersView(CampaignResource):
    """The offers to a seat."""

    @extend_schema(
        summary="Moves that a seat may make now", responses=Offers, parameters=[SEAT, KEY]
    )
    def get(self, request: Request, ref: str) -> Response:
        """Return the moves that a seat may make now, as its page shows them.

        With `offer=` and chosen fields, the fields that depend on them have their values.
        """
        here = self.here
        seat = here.seat(request.GET.get("seat") or (here.access.seats or (GAME_MASTER,))[0])
        if seat != GAME_MASTER and here.access.game_master:
            must_lie_open(here, [seat])
        offers, query = offers_to_seat(here, seat), QueryDict()
        if "offer" in request.GET:
            query = request.GET
            offers = [offer for offer in offers if offer.key == query["offer"]]
        if seat == GAME_MASTER:
            must_lie_open(here, hands_of_corrections(here, offers, query))
        return self.answer(Offers, offers_facts(here, seat, offers, query))


def offers_facts(
    here: CampaignContext, seat: str, offers: Iterable[TitleOffer], query: Mapping[str, str]
) -> OffersFacts:
    """Return the offers to a seat. `query` has the values of fields in the address."""
    speaker = seat if seat in here.access.voices else GAME_MASTER
    words = move_words(here.title, here.scenario, here.position)
    return OffersFacts(
        seat=seat,
        by=speaker,
        seen=here.seen,
        offers=[offer_facts(here, offer, query, words) for offer in offers],
        onward=automatic_move(here, speaker),
    )


def hands_of_corrections(
    here: CampaignContext, offers: Iterable[TitleOffer], query: QueryDict
) -> Iterable[str]:
    """Yield the seats whose cards the game master would correct with the values in the address."""
    for offer in offers:
        chosen = {field.key: query[field.key] for field in offer.fields if field.key in query}
        yield from review.seats_revealed(here.campaign, here.access, offer.raw(chosen))


def must_lie_open(here: CampaignContext, seats: Iterable[str]) -> None:
    """Raise `NotAllowed` if one of these hands is closed to the game master."""
    if not all(here.access.opens(seat) for seat in seats):
        raise NotAllowed(
            "closed-hand",
            _("You cannot see this hand. Ask with ?hands=open: its holder will see that you did."),
        )


def offers_to_seat(here: CampaignContext, seat: str) -> list[TitleOffer]:
    """Return the offers to a seat; none while no moves are possible.

    Raises `NotAllowed` for a seat that is not the reader's.
    """
    offers, campaign = selectors.offers(here.campaign, here.access, seat), here.campaign
    if campaign.abandoned or campaign.archived or (campaign.paused and seat != GAME_MASTER):
        return []
    lone = registry.has_board(campaign.title)  # a user who plays such a title alone also starts it
    if campaign.ended or not (campaign.started or lone or seat == GAME_MASTER):
        return []
    return list(offers)


def offer_facts(
    here: CampaignContext, offer: TitleOffer, query: Mapping[str, str], words: MoveWords
) -> OfferFacts:
    """Return an offer with its cost, its fields and its refusal."""
    return OfferFacts(
        key=offer.key,
        name=words.offer_name(offer),
        group=offer.group,
        move=offer.move,
        cost=offer.cost,
        raw=offer.raw({}),
        refusal=refusal_facts(here, offer.refusal),
        fields=field_facts(offer, query, words),
    )


def field_facts(offer: TitleOffer, query: Mapping[str, str], words: MoveWords) -> list[FieldFacts]:
    """Return the fields of an offer, with values where all fields that they need are chosen."""
    facts, chosen = list[FieldFacts](), dict[str, object]()
    for field in offer.fields:
        values = known_values(offer, field, chosen)
        if is_chosen(field, values, query):
            chosen[field.key] = value_of_text(values or [], query[field.key])
        facts.append(
            FieldFacts(
                key=field.key,
                name=words.field_label(offer, field),
                kind=field.kind,
                optional=field.optional,
                default=field.default,
                depends=list(field.depends),
                values=values,
                names=value_names(offer, field, values, words),
                chosen=chosen.get(field.key),
            )
        )
    return facts


def is_chosen(field: Field, values: list[object] | None, query: Mapping[str, str]) -> bool:
    """Return whether the address contains one of the values of a field."""
    if values is None or field.key not in query:
        return False
    return query[field.key] in [text_of_value(value) for value in values]


def value_of_text(values: list[object], text: str) -> object:
    """Return the first value that has this form in an address."""
    texts = [text_of_value(value) for value in values]
    return values[texts.index(text)]


def known_values(
    offer: TitleOffer, field: Field, chosen: Mapping[str, object]
) -> list[object] | None:
    """Return the values of a field.

    None if the field has no list of values, or depends on a field that is not chosen yet.
    """
    optional = {other.key for other in offer.fields if other.optional}
    is_known = all(key in chosen or key in optional for key in field.depends)
    if not is_known or offer.refusal is not None:
        return None
    values = offer.values(field.key, chosen)
    return None if values is None else list(values)


def value_names(
    offer: TitleOffer, field: Field, values: list[object] | None, words: MoveWords
) -> list[str] | None:
    """Return the names of the values of a field; None if the values are not known."""
    if values is None:
        return None
    return [words.value_label(offer, field, value) for value in values]


def text_of_value(value: object) -> str:
    """Return the form that a value has in an address."""
    if value is None:
        return NOBODY
    return str(value).lower() if isinstance(value, bool) else str(value)


def automatic_move(here: CampaignContext, speaker: str) -> RawMove | None:
    """Return the move that needs no decision, as the reader would make it; None without one."""
    pages = here.campaign.game.pages
    if pages is None or not is_running(here.campaign):
        return None
    move = pages.automatic_move(here.position)
    if move is None:
        return None
    spoken = {"by": speaker, **move}
    if spoken["by"] in here.access.voices:
        return spoken
    return {**spoken, "by": GAME_MASTER, "for": spoken["by"]} if here.access.game_master else None


def is_running(campaign: Campaign) -> bool:
    """Return whether moves can be made, because the campaign is not over, paused or archived."""
    stopped = campaign.ended or campaign.paused or campaign.abandoned or campaign.archived
    return not stopped

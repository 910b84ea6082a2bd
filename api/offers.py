"""What a seat is offered: values and costs, or the rule that forbids a move."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.http import QueryDict
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Here, OfCampaign
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
    """A part of a move that is still to be chosen."""

    key = s.CharField()
    name = s.CharField(help_text="What is to be chosen, in your language.")
    kind = s.CharField(
        help_text="province, nation, card, cards, choice, flag, number, text or shares."
    )
    optional = s.BooleanField()
    default = s.JSONField(
        allow_null=True, help_text="What stands where an optional one is left out."
    )
    depends = s.ListField(
        child=s.CharField(), help_text="Fields that must be chosen before its values can be told."
    )
    values = s.ListField(
        child=s.JSONField(allow_null=True),
        allow_null=True,
        help_text=(
            "What it may be; null where anything of its kind may be said, or an earlier field is"
            " not chosen yet."
        ),
    )
    names = s.ListField(
        child=s.CharField(),
        allow_null=True,
        help_text="What these values are called, in the same order.",
    )
    chosen = s.JSONField(allow_null=True, help_text="What you have chosen in the address.")


class Offer(s.Serializer):
    """One kind of move: complete it by `given` and a value for each field, or see why it is
    refused.
    """

    key = s.CharField()
    name = s.CharField(help_text="What it does, in your language.")
    group = s.CharField()
    move = s.CharField()
    raw = s.DictField(help_text="The move in record form, without the fields still to be chosen.")
    # DRF allows a field with the name of an attribute of the serializer.
    fields = OfferField(many=True)  # type: ignore[assignment]
    cost = s.IntegerField(
        allow_null=True,
        help_text="In units of the title's purse (half-actions); null where it is free.",
    )
    refusal = Refusal(allow_null=True)


class Offers(s.Serializer):
    seat = s.CharField()
    by = s.CharField(help_text="As whom you speak: the seat itself, or `gm` for it.")
    seen = s.IntegerField(help_text="Say a move with this.")
    offers = Offer(many=True)
    onward = s.DictField(
        allow_null=True,
        help_text="The move that goes on by itself where nobody must decide, in record form.",
    )


# Facts for the serializers


@dataclass(frozen=True, slots=True)
class FieldFacts:
    """The facts of `OfferField`. `chosen` is the value that the address says."""

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
    "seat", TEXT, description="A seat you speak for, `gm` for the game master; else your first."
)


KEY = OpenApiParameter(
    "offer",
    TEXT,
    description="This offer alone; values chosen for its fields may stand beside, by key.",
)


NOBODY = "!nobody"
"""How an address writes the value None."""


class OffersView(OfCampaign):
    @extend_schema(summary="What a seat may say now", responses=Offers, parameters=[SEAT, KEY])
    def get(self, request: Request, ref: str) -> Response:
        """As the page of the seat has it. With `offer=` and chosen fields the values of those that
        depend on them.
        """
        here = self.here
        seat = here.seat(request.GET.get("seat") or (here.access.seats or (GAME_MASTER,))[0])
        if seat != GAME_MASTER and here.access.game_master:
            must_lie_open(here, [seat])
        offers, asked = offered(here, seat), QueryDict()
        if "offer" in request.GET:
            asked = request.GET
            offers = [offer for offer in offers if offer.key == asked["offer"]]
        if seat == GAME_MASTER:
            must_lie_open(here, hands_of_corrections(here, offers, asked))
        return self.answer(Offers, offers_facts(here, seat, offers, asked))


def offers_facts(
    here: Here, seat: str, offers: Iterable[TitleOffer], asked: Mapping[str, str]
) -> OffersFacts:
    """Return the offers to a seat. `asked` are the values of fields that the address says."""
    speaker = seat if seat in here.access.voices else GAME_MASTER
    words = move_words(here.title, here.scenario, here.position)
    return OffersFacts(
        seat=seat,
        by=speaker,
        seen=here.seen,
        offers=[offer_facts(here, offer, asked, words) for offer in offers],
        onward=automatic_move(here, speaker),
    )


def hands_of_corrections(
    here: Here, offers: Iterable[TitleOffer], asked: QueryDict
) -> Iterable[str]:
    """Return the seats whose cards the game master would correct by what the address says."""
    for offer in offers:
        chosen = {field.key: asked[field.key] for field in offer.fields if field.key in asked}
        yield from review.about(here.campaign, here.access, offer.raw(chosen))


def must_lie_open(here: Here, seats: Iterable[str]) -> None:
    """Raise `NotAllowed` if one of these hands is closed to the game master."""
    if not all(here.access.opens(seat) for seat in seats):
        raise NotAllowed(
            "closed-hand",
            _("This hand is closed to you. Ask with ?hands=open: its holder reads that you did."),
        )


def offered(here: Here, seat: str) -> list[TitleOffer]:
    """Return the offers to a seat; none while nothing can be played.

    Raises `NotAllowed` for a seat that is not the reader's.
    """
    offers, campaign = selectors.offers(here.campaign, here.access, seat), here.campaign
    if campaign.abandoned or campaign.archived or (campaign.paused and seat != GAME_MASTER):
        return []
    lone = registry.has_board(campaign.title)  # a user who plays such a title alone starts it, too
    if campaign.ended or not (campaign.started or lone or seat == GAME_MASTER):
        return []
    return list(offers)


def offer_facts(
    here: Here, offer: TitleOffer, asked: Mapping[str, str], words: MoveWords
) -> OfferFacts:
    return OfferFacts(
        key=offer.key,
        name=words.offer_name(offer),
        group=offer.group,
        move=offer.move,
        cost=offer.cost,
        raw=offer.raw({}),
        refusal=refusal_facts(here, offer.refusal),
        fields=field_facts(offer, asked, words),
    )


def field_facts(offer: TitleOffer, asked: Mapping[str, str], words: MoveWords) -> list[FieldFacts]:
    """Return the fields of an offer, with the values of those whose choices are known."""
    facts, chosen = list[FieldFacts](), dict[str, object]()
    for field in offer.fields:
        values = known_values(offer, field, chosen)
        if is_chosen(field, values, asked):
            chosen[field.key] = value_of_text(values or [], asked[field.key])
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


def is_chosen(field: Field, values: list[object] | None, asked: Mapping[str, str]) -> bool:
    """Return whether the address says one of the values of a field."""
    if values is None or field.key not in asked:
        return False
    return asked[field.key] in [text_of_value(value) for value in values]


def value_of_text(values: list[object], text: str) -> object:
    """Return the first value that an address writes so."""
    texts = [text_of_value(value) for value in values]
    return values[texts.index(text)]


def known_values(
    offer: TitleOffer, field: Field, chosen: Mapping[str, object]
) -> list[object] | None:
    """Return the values of a field; None if it has no list, or depends on what is not chosen."""
    optional = {other.key for other in offer.fields if other.optional}
    is_known = all(key in chosen or key in optional for key in field.depends)
    if not is_known or offer.refusal is not None:
        return None
    values = offer.values(field.key, chosen)
    return None if values is None else list(values)


def value_names(
    offer: TitleOffer, field: Field, values: list[object] | None, words: MoveWords
) -> list[str] | None:
    if values is None:
        return None
    return [words.value_label(offer, field, value) for value in values]


def text_of_value(value: object) -> str:
    """Return a value as an address has it."""
    if value is None:
        return NOBODY
    return str(value).lower() if isinstance(value, bool) else str(value)


def automatic_move(here: Here, speaker: str) -> RawMove | None:
    """Return the move that goes on by itself, as the reader would make it; None without one."""
    pages = here.campaign.game.pages
    if pages is None or not is_running(here.campaign):
        return None
    move = pages.onward(here.position)
    if move is None:
        return None
    spoken = {"by": speaker, **move}
    if spoken["by"] in here.access.voices:
        return spoken
    return {**spoken, "by": GAME_MASTER, "for": spoken["by"]} if here.access.game_master else None


def is_running(campaign: Campaign) -> bool:
    """Return whether moves can be made: not after the end, in a pause or in the archive."""
    stopped = campaign.ended or campaign.paused or campaign.abandoned or campaign.archived
    return not stopped

"""The offers to a seat: its possible moves as cards, with their forms and consequences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from django.forms import BoundField
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaign.models import GAME_MASTER
from engine.errors import IllegalMove
from engine.language import plain_name
from games.contract.move_words import MoveWords
from games.contract.plain import Position
from games.contract.title import Field, Offer
from games.kit.move_words import move_words
from web.frame.table import TableContext
from web.moves.chances import ChanceReader, OwnChance, chance_reader
from web.moves.forms import (
    Arguments,
    FormRefusal,
    OfferForm,
    complete,
    missing,
    read,
    shape,
    to_text,
    where_wrong,
)
from web.moves.preview import Block, Follow, preview_move

ANSWER, SLOT = "answer", "slot"
"""Groups of offers: answers to a challenge, and the end of the slot."""


@dataclass(frozen=True, slots=True)
class OpenForm:
    """The open form of a page: the key of its offer, the typed data, and its refusal."""

    key: str = ""
    data: QueryDict = field(default_factory=QueryDict)
    wrong: FormRefusal | None = None

    @classmethod
    def of_address(cls, query: QueryDict) -> OpenForm:
        """Return the form that `?open=KEY` opens, with the values of the query."""
        return cls(query.get("open", ""), query)


@dataclass(frozen=True, slots=True)
class OfferCard:
    """An offer as shown on a page."""

    offer: Offer
    name: str
    verb: str
    ident: str
    sub: str = ""
    about: str = ""
    why: str = ""
    rule: str = ""
    open: bool = False
    follow: Follow | None = None
    form: OfferForm | None = None
    hidden: Sequence[tuple[str, str]] = ()
    wrong: FormRefusal | None = None
    asks: bool = False
    """Whether the move needs a confirmation."""

    @property
    def key(self) -> str:
        return self.offer.key

    @property
    def cost(self) -> int | None:
        return self.offer.cost

    @property
    def off(self) -> bool:
        """Return whether the move is not possible now."""
        return self.offer.refusal is not None and not self.open

    @property
    def is_chosen_first(self) -> bool:
        """Return whether the form must be opened before the move can be made."""
        return bool(self.offer.fields)

    @property
    def fields(self) -> list[BoundField]:
        return list(self.form) if self.form is not None else []

    @property
    def wrong_without_field(self) -> FormRefusal | None:
        """Return the refusal of the form, unless a field shows it."""
        return self.wrong if self.wrong is not None and not self.wrong.field else None

    @property
    def button_text(self) -> str:
        """Return the verb, with an ellipsis if a question follows."""
        return f"{self.verb}…" if self.asks else self.verb

    @property
    def changes(self) -> list[Block] | None:
        """Return the changes of a move without fields for its seat; None if `about` has them."""
        if self.follow is None or self.offer.fields or not self.follow.blocks:
            return None
        return [block for block in self.follow.blocks if block.seat == self.offer.seat]


@dataclass(frozen=True, slots=True)
class OfferGroup:
    """A group of offers."""

    key: str
    name: str
    note: str
    cards: list[OfferCard]

    @property
    def possible(self) -> int:
        """Return the number of moves of the group that are possible now."""
        return sum(not card.off for card in self.cards)

    @property
    def counted(self) -> str:
        """Return the number of moves of the group that are possible now, and that are not."""
        possible = self.possible
        off = len(self.cards) - possible
        texts = []
        if possible or not off:
            texts.append(
                ngettext("%(count)d move", "%(count)d moves", possible) % {"count": possible}
            )
        if off:
            texts.append(_("%(count)d not possible now") % {"count": off})
        return ", ".join(texts)


class SeatOffers:
    """The moves that a reader may make for a seat.

    `by` is the mover: the seat itself, the game master for it, or None for a spectator. `position`
    is the position of the table, or a position that a plan predicts.
    """

    def __init__(self, table: TableContext, seat: str, position: Position = None) -> None:
        self.table, self.seat = table, seat
        self.position = table.position if position is None else position
        self.words: MoveWords = move_words(table.title, table.scenario, self.position)
        self.by = mover_of(table, seat)
        self._sentences: dict[tuple[str, ...], str] = {}

    @cached_property
    def offers(self) -> Sequence[Offer]:
        campaign = self.table.campaign
        if self.by is None or not campaign.started or campaign.ended or campaign.stopped:
            return ()
        return self.table.title.offers(self.position, self.seat, self.by)

    def offer(self, key: str) -> Offer | None:
        return next((offer for offer in self.offers if offer.key == key), None)

    def cards(self, back: str, opened: OpenForm) -> list[OfferCard]:
        """Return all offers as cards; `back` is the page that shows them."""
        return [self._card_on_page(offer, back, opened) for offer in self.offers]

    def _card_on_page(self, offer: Offer, back: str, opened: OpenForm) -> OfferCard:
        """Return a card; it is open if its form is the open form, or if it is a possible answer."""
        is_asked_for = offer.key == opened.key
        wrong = opened.wrong if is_asked_for else None
        if offer.group == ANSWER and offer.refusal is None:
            chosen = read(offer, opened.data) if is_asked_for else {}
            return self.card(offer, back, chosen, wrong)
        has_form = bool(offer.fields) and offer.refusal is None
        if not is_asked_for or not (has_form or wrong is not None):
            return self.card(offer, back)
        return self.card(offer, back, read(offer, opened.data), wrong)

    def card(
        self,
        offer: Offer,
        back: str,
        chosen: Arguments | None = None,
        wrong: FormRefusal | None = None,
    ) -> OfferCard:
        """Return an offer as a card; with `chosen` its form is open."""
        card = OfferCard(
            offer=offer,
            name=self.words.offer_name(offer),
            verb=self.verb(offer),
            ident=f"o-{offer.key}",
            sub=self.words.offer_sub(offer),
            open=chosen is not None,
            wrong=wrong,
        )
        if offer.refusal is not None and not card.open:
            return replace(card, why=self.sentence(offer.refusal), rule=offer.refusal.rule)
        card = replace(card, hidden=self.hidden(offer, back), about=self.words.offer_about(offer))
        if card.open or not offer.fields:
            return self._foreseen(card, chosen or {})
        return card

    def verb(self, offer: Offer) -> str:
        """Return the text of the button that makes a move."""
        campaign = self.table.campaign
        is_alone = bool(campaign.programs) and not campaign.lesson
        return self.words.verb_alone(offer) if is_alone else self.words.verb(offer)

    def _foreseen(self, card: OfferCard, chosen: Arguments) -> OfferCard:
        """Return the card with its form and with the consequences of the values in it."""
        offer, values = card.offer, complete(card.offer, chosen)
        wrong, follow, why = card.wrong, None, ""
        if missing(offer, values) is None:
            try:
                follow, why = self.preview(offer.raw(values))
            except IllegalMove as refusal:
                field = where_wrong(offer, values, refusal)
                wrong = wrong or FormRefusal(self.sentence(refusal), refusal.rule, field)
        form = OfferForm(self.words, offer, values)
        if self.chances is not None and follow is not None and follow.chance is not None:
            self._add_chances(form, offer, values, self.chances)
        if wrong is not None:
            form.refuse(wrong)
        return replace(card, form=form, follow=follow, asks=bool(why), wrong=wrong)

    @cached_property
    def chances(self) -> ChanceReader | None:
        """The chances in contests that a model decides; None if people decide them."""
        return chance_reader(self.table, self.words, self.seat)

    def preview(self, raw: Mapping[str, object]) -> tuple[Follow, str]:
        """Return the consequences of a move, and why it needs a confirmation."""
        return preview_move(self.words, raw, self.table.access.sees, self.chances)

    def _add_chances(
        self, form: OfferForm, offer: Offer, values: Arguments, chances: ChanceReader
    ) -> None:
        """Add the chance of victory to each target and to each card that a form may choose."""
        target = last_province(offer)
        for asked in offer.fields:
            if asked.key not in form.fields or not (asked == target or asked.kind == "cards"):
                continue
            choices = [choice.value for choice in form.choices(asked.key)]
            known = chances.of_choices(offer, asked, values, choices)
            notes = {value: chance_label(asked, chance) for value, chance in known.items()}
            form.relabel(asked.key, notes)

    def sentence(self, refusal: IllegalMove) -> str:
        """Return a refusal in words; cached, because most closed offers have the same refusal."""
        known = refusal.sentence, refusal.code, refusal.rule, str(refusal), repr(refusal.facts)
        if known not in self._sentences:
            self._sentences[known] = self.table.why_not(refusal)
        return self._sentences[known]

    def hidden(self, offer: Offer, back: str) -> list[tuple[str, str]]:
        """Return the hidden fields of an offer's form (`web.moves.forms.MoveForm`)."""
        fields = [("offer", offer.key), ("move", offer.move), ("seat", offer.seat)]
        if offer.by != offer.seat:
            fields.append(("for", offer.seat))
        kinds = " ".join(f"{key}:{kind}" for key, kind in shape(offer).items())
        fields += [("seen", str(self.table.seen)), ("shape", kinds), ("back", back)]
        return fields + [(key, to_text(value)) for key, value in offer.given.items()]

    def groups(self, cards: Iterable[OfferCard]) -> list[OfferGroup]:
        """Return the cards in the groups of the title, then those of unknown groups."""
        by_group: dict[str, list[OfferCard]] = {}
        for card in cards:
            by_group.setdefault(card.offer.group, []).append(card)
        known = {group.key: group for group in self.words.groups}
        keys = [key for key in known if key in by_group]
        keys += [key for key in by_group if key not in known]
        return [
            OfferGroup(
                key=key,
                name=known[key].name if key in known else plain_name(key),
                note=known[key].note if key in known else "",
                cards=by_group[key],
            )
            for key in keys
        ]


def last_province(offer: Offer) -> Field | None:
    """Return the last field for a province, which is the target of an attack."""
    return next((field for field in reversed(offer.fields) if field.kind == "province"), None)


def chance_label(field: Field, chance: OwnChance) -> str:
    """Return a note on a choice: the chance of victory with it."""
    if field.kind == "cards":
        return _("chance with this card: %(percent)s%%") % {"percent": chance.win}
    return f"{chance.win}%"


def mover_of(table: TableContext, seat: str) -> str | None:
    """Return the mover if the reader moves for this seat; None for a spectator."""
    if seat in table.own_seats:
        return seat
    if seat == GAME_MASTER:
        return seat if table.game_master else None
    return GAME_MASTER if table.access.opens(seat) else None


def common_refusal(cards: Sequence[OfferCard]) -> OfferCard | None:
    """Return one of the cards if all have the same refusal, for example because no slot is open."""
    refusals = {(card.why, card.rule) for card in cards if card.off}
    is_common = len(refusals) == 1 and all(card.off for card in cards)
    return cards[0] if is_common else None

"""Forms of moves: the fields of an offer, and the move that a posted form describes.

A form posts the argument keys of the record: the arguments that the offer gives as hidden fields,
then its fields; nested values as `routed.attacker`, lists by repeating the key. It also has the
fields of `MoveForm`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from django import forms
from django.http import QueryDict

from engine.errors import IllegalMove
from games.contract.move_words import MoveWords
from games.contract.title import Field, Offer
from web.frame.raw_forms import CSRF_FIELD, PostedForm
from web.frame.raw_forms import text_field as typed_field
from web.frame.requests import seen_number

NOBODY = "!nobody"
"""The posted form of the value None."""
NUMBER = re.compile(r"-?\d{1,12}([.,]\d{1,6})?", re.ASCII)
MOST_VALUES = 100
LONGEST_MOVE = 60
TYPED_KINDS = ("text", "number", "shares")
"""Kinds of fields whose value is typed, not chosen from a list."""

Arguments = Mapping[str, object]
"""The arguments of a move by their keys in the record."""


class Choice(NamedTuple):
    """A value of a field, as posted and as shown."""

    value: str
    label: str


class Part(NamedTuple):
    """One of several numbers that are typed for a field."""

    name: str
    label: str


@dataclass(frozen=True, slots=True)
class FormRefusal:
    """The refusal of a form: a sentence, its rule, and the wrong field.

    `field` is empty if the refusal concerns the whole form.
    """

    sentence: str
    rule: str = ""
    field: str = ""


# A form as it was posted


class MoveForm(PostedForm):
    """A posted form of a move: the fields other than the arguments.

    `offer` is the key of the offer, `for` the seat that the game master moves for, `seen` the last
    entry that the page showed, `shape` the kind of each argument (a form is understood even if its
    offer is gone), `back` the page of the form. `sure` is set if the reader has confirmed the
    move.
    """

    OUTSIDE = frozenset({CSRF_FIELD, "seen", "sure"})
    """Fields that are not repeated when the form is shown again."""

    offer = typed_field()
    move = typed_field()
    seat = typed_field()
    seen = typed_field()
    sure = typed_field()
    back = typed_field()

    def __init__(self, post_data: QueryDict) -> None:
        super().__init__(post_data)
        self.post_data = post_data
        self.fields["for"] = typed_field()

    @property
    def offer_key(self) -> str:
        return self.text_of("offer")

    @property
    def move_key(self) -> str:
        return self.text_of("move")[:LONGEST_MOVE]

    @property
    def seat_key(self) -> str:
        """Return the seat that moves; empty if the form names none."""
        return self.text_of("for") or self.text_of("seat")

    @property
    def is_by_game_master(self) -> bool:
        return "for" in self.post_data

    @property
    def seen_entry(self) -> int:
        return seen_number(self.text_of("seen"))

    @property
    def is_sure(self) -> bool:
        return self.text_of("sure") == "1"

    @property
    def repeated_fields(self) -> list[tuple[str, str]]:
        """Return all fields to be posted again, without those that the page adds itself."""
        return [
            (key, text)
            for key in self.post_data
            for text in self.post_data.getlist(key)
            if key not in self.OUTSIDE
        ]

    def raw(self, offer: Offer | None, by: str, seat: str) -> dict[str, object]:
        """Return the move in record form."""
        head: dict[str, object] = {"by": by, "move": offer.move if offer else self.move_key}
        if by != seat:
            head["for"] = seat
        return {**head, **self.arguments(offer)}

    def arguments(self, offer: Offer | None) -> dict[str, object]:
        """Return the arguments of the move."""
        return read(offer, self.post_data)


def number(text: str) -> int | Decimal | str:
    """Return a typed number; if it is not a number, the text, which the rules refuse."""
    plain = text.strip().replace("−", "-").replace("+", "")
    if not NUMBER.fullmatch(plain):
        return text.strip()
    plain = plain.replace(",", ".")
    return Decimal(plain) if "." in plain else int(plain)


def to_text(value: object) -> str:
    """Return a value in its posted form."""
    if value is None:
        return NOBODY
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def shape(offer: Offer) -> dict[str, str]:
    """Return the kind of each argument that a form of this offer posts."""
    given = {key: kind_of_given(value) for key, value in offer.given.items()}
    return {**given, **{field.key: field.kind for field in offer.fields}}


def kind_of_given(value: object) -> str:
    if isinstance(value, bool):
        return "flag"
    return "number" if isinstance(value, int) else "choice"


def read_value(kind: str, key: str, data: QueryDict) -> object:
    """Return the posted value of an argument. Raise `KeyError` if nothing was posted."""
    if kind == "cards":
        return [text for text in data.getlist(key)[:MOST_VALUES] if text]
    if kind == "flag":
        return data.get(key) == "true"
    if kind == "shares":
        return read_shares(key, data)
    text = str(data[key])
    if text == NOBODY:
        return None
    if not text.strip():
        raise KeyError(key)
    return number(text) if kind == "number" else text


def read_shares(key: str, data: QueryDict) -> dict[str, int | Decimal | str]:
    """Return the posted numbers of the two sides. Raise `KeyError` if none was typed."""
    start = f"{key}."
    parts = {
        name.removeprefix(start): str(text) for name, text in data.items() if name.startswith(start)
    }
    if not any(text.strip() for text in parts.values()):
        raise KeyError(key)
    return {name: number(text) for name, text in parts.items()}


def read(offer: Offer | None, data: QueryDict) -> dict[str, object]:
    """Return the arguments of a posted form, without those that are empty or have their default.

    The given arguments of the form count, not those that the offer has now, so that the second of
    two clicks means the same as the first.
    """
    return read_without_offer(data) if offer is None else read_of_offer(offer, data)


def read_without_offer(data: QueryDict) -> dict[str, object]:
    """Return the arguments of a form whose offer is gone, by the shape that it posts."""
    arguments: dict[str, object] = {}
    for pair in data.get("shape", "").split()[:MOST_VALUES]:
        key, _colon, kind = pair.partition(":")
        try:
            value = read_value(kind, key, data)
        except KeyError:
            continue
        if value not in ([], False):
            arguments[key] = value
    return arguments


def read_of_offer(offer: Offer, data: QueryDict) -> dict[str, object]:
    """Return the arguments of a form of this offer."""
    fields = {field.key: field for field in offer.fields}
    arguments: dict[str, object] = {}
    for key, kind in shape(offer).items():
        try:
            value = read_value(kind, key, data)
        except KeyError:
            if key in offer.given:
                arguments[key] = offer.given[key]
            continue
        field = fields.get(key)
        if field is None:
            arguments[key] = value
        elif not (field.optional and value == field.default):
            arguments[key] = listed_value(offer, key, value, arguments)
    return arguments


def listed_value(offer: Offer, key: str, value: object, chosen: Arguments) -> object:
    """Return the value of the offer's list with this text, because choices may be numbers."""
    if not isinstance(value, str):
        return value
    listed = offer.values(key, chosen) or ()
    return next((known for known in listed if to_text(known) == value), value)


# Missing, possible and wrong values


def missing(offer: Offer, arguments: Collection[str]) -> Field | None:
    """Return the first field that must be chosen and has not been."""
    return next(
        (field for field in offer.fields if not field.optional and field.key not in arguments),
        None,
    )


def complete(offer: Offer, chosen: Arguments) -> dict[str, object]:
    """Return the choices; missing or impossible values become the first possible value."""
    values: dict[str, object] = {}
    for field in offer.fields:
        allowed = offer.values(field.key, values)
        if field.kind in TYPED_KINDS or allowed is None:
            if field.key in chosen:
                values[field.key] = chosen[field.key]
        else:
            complete_choice(values, field, allowed, chosen)
    return values


def complete_choice(
    values: dict[str, object], field: Field, allowed: Sequence[object], chosen: Arguments
) -> None:
    """Add the value of a field with a list of values. An optional field may remain empty."""
    value = chosen.get(field.key, field.default if field.optional else None)
    if field.kind == "cards":
        value = cards_in_hands(value, allowed)
    if field.key in chosen and value is None and None in allowed:
        values[field.key] = None
    elif value is not None and value in allowed:
        if not field.optional or value != field.default:
            values[field.key] = value
    elif not field.optional and allowed:
        values[field.key] = allowed[0]


def cards_in_hands(cards: object, hands: Sequence[object]) -> list[object]:
    """Return the chosen cards that are in one of the allowed hands."""
    known = {card for hand in hands if isinstance(hand, Collection) for card in hand}
    return [card for card in cards if card in known] if isinstance(cards, list) else []


def where_wrong(offer: Offer | None, arguments: Arguments, refusal: IllegalMove) -> str:
    """Return the field that a refusal concerns; empty if it concerns the whole form.

    It is the field whose value the refusal names; otherwise a text or number that is missing.
    """
    if offer is None:
        return ""
    named = [value for value in refusal.facts.values() if isinstance(value, str)]
    for field in reversed(offer.fields):
        value = arguments.get(field.key)
        if value in named or (isinstance(value, list) and any(card in named for card in value)):
            return field.key
    return wrong_typed_field(offer, arguments, refusal) if refusal.code == "bad-argument" else ""


def wrong_typed_field(offer: Offer, arguments: Arguments, refusal: IllegalMove) -> str:
    """Return the typed field that a bad argument concerns; empty if nothing is typed."""
    typed = [field.key for field in offer.fields if field.kind in TYPED_KINDS]
    words = refusal.message.replace("-", " ").split()
    for key in typed:
        if key in words:
            return key
    return next((key for key in typed if key not in arguments), typed[0] if typed else "")


# The form of an offer


class OfferField(forms.Field):
    """A field of an offer: its `kind` by the contract, and the choices or parts of its value."""

    def __init__(
        self,
        kind: str,
        widget: forms.Widget,
        choices: Sequence[Choice] = (),
        parts: Sequence[Part] = (),
    ) -> None:
        super().__init__(widget=widget, required=False)
        self.kind, self.choices, self.parts = kind, list(choices), list(parts)

    @property
    def is_number(self) -> bool:
        return self.kind == "number"

    @property
    def css(self) -> str:
        """Return the classes of an input."""
        return "input input--num" if self.is_number else "input"


class SharesInput(forms.TextInput):
    """Several numbers for one field, with an input for each."""


class OfferForm(forms.Form):
    """The fields of an offer with the chosen values.

    Every field is optional here: the rules refuse missing and impossible values in their own words.
    `typed` has the posted fields: a number that cannot be read remains as it was typed.
    """

    def __init__(
        self, words: MoveWords, offer: Offer, chosen: Arguments, typed: Arguments | None = None
    ) -> None:
        super().__init__(data=None, auto_id=f"f-{offer.key}-%s", use_required_attribute=False)
        self.refusal: FormRefusal | None = None
        self.kinds = {field.key: field.kind for field in offer.fields}
        values: dict[str, object] = {}
        for field in offer.fields:
            form_field = offer_field(words, offer, field, chosen)
            if form_field is None:
                continue
            form_field.label = words.field_label(offer, field)
            form_field.help_text = words.field_help(offer, field, chosen)
            self.fields[field.key] = form_field
            values[field.key] = value_shown(form_field, chosen.get(field.key, field.default))
            if field.kind == "number" and typed is not None:
                values[field.key] = values[field.key] or str(typed.get(field.key, ""))
        self.data, self.is_bound = values, True

    def refuse(self, wrong: FormRefusal) -> None:
        """Show why the move was refused, beside the wrong field if the form has it."""
        self.refusal = wrong
        if wrong.field in self.fields:
            self.add_error(wrong.field, wrong.sentence)

    @property
    def wrong_rule(self) -> str:
        """Return the rule of the refusal."""
        return self.refusal.rule if self.refusal is not None else ""

    def relabel(self, key: str, notes: Mapping[object, str]) -> None:
        """Add a note to the labels of choices of a field, by their values."""
        field = self.fields[key]
        if isinstance(field, OfferField):
            field.choices = [
                choice._replace(label=f"{choice.label} ({notes[choice.value]})")
                if choice.value in notes
                else choice
                for choice in field.choices
            ]

    def keep_only(self, kind: str) -> None:
        """Drop the fields of every other kind."""
        self.fields = {key: field for key, field in self.fields.items() if self.kinds[key] == kind}

    def of_kind(self, kind: str) -> list[forms.BoundField]:
        """Return the fields of a kind."""
        return [bound for bound in self if self.kinds[bound.name] == kind]

    def choices(self, key: str) -> list[Choice]:
        """Return the choices of a field."""
        field = self.fields[key]
        return field.choices if isinstance(field, OfferField) else []

    @property
    def choices_first(self) -> list[forms.BoundField]:
        """Return the fields that determine the consequences of the move."""
        return [bound for bound in self if self.kinds[bound.name] != "text"]

    @property
    def texts(self) -> list[forms.BoundField]:
        """Return the fields for free text, which have no consequences."""
        return self.of_kind("text")


MakeField = Callable[[MoveWords, Offer, Field, Sequence[object] | None, object], OfferField | None]


def offer_field(
    words: MoveWords, offer: Offer, field: Field, chosen: Arguments
) -> OfferField | None:
    """Return the form field for a field of an offer; None if there is nothing to choose."""
    allowed = offer.values(field.key, chosen)
    now = chosen.get(field.key, field.default)
    make = FIELDS.get(field.kind)
    if make is not None:
        return make(words, offer, field, allowed, now)
    if allowed is None:
        return OfferField(field.kind, forms.TextInput())
    choices = [Choice(to_text(value), words.value_label(offer, field, value)) for value in allowed]
    return OfferField(field.kind, forms.Select(choices=choices), choices)


def cards_field(
    words: MoveWords, offer: Offer, field: Field, allowed: Sequence[object] | None, now: object
) -> OfferField | None:
    """Return check boxes for all cards of all allowed hands."""
    hands = [hand for hand in allowed or () if isinstance(hand, Collection)]
    cards = dict.fromkeys(card for hand in hands for card in hand)
    choices = [Choice(str(card), words.value_label(offer, field, card)) for card in cards]
    widget = forms.CheckboxSelectMultiple(choices=choices)
    return OfferField(field.kind, widget, choices) if choices else None


def flag_field(
    words: MoveWords, offer: Offer, field: Field, allowed: Sequence[object] | None, now: object
) -> OfferField | None:
    if allowed is not None and True not in allowed:
        return None
    return OfferField(field.kind, forms.CheckboxInput())


def shares_field(
    words: MoveWords, offer: Offer, field: Field, allowed: Sequence[object] | None, now: object
) -> OfferField:
    """Return a number for each side that the first allowed value names."""
    sides = (allowed[0] if allowed else now) or ()
    names = [str(name) for name in sides] if isinstance(sides, Collection) else []
    parts = [Part(name, words.value_label(offer, field, name)) for name in names]
    return OfferField(field.kind, SharesInput(), parts=parts)


def number_field(
    words: MoveWords, offer: Offer, field: Field, allowed: Sequence[object] | None, now: object
) -> OfferField:
    return OfferField(field.kind, forms.TextInput())


def text_field(
    words: MoveWords, offer: Offer, field: Field, allowed: Sequence[object] | None, now: object
) -> OfferField:
    return OfferField(field.kind, forms.Textarea())


FIELDS: dict[str, MakeField] = {
    "cards": cards_field,
    "flag": flag_field,
    "shares": shares_field,
    "number": number_field,
    "text": text_field,
}


Shown = str | bool | list[str] | dict[str, str]
"""The content of a field: a text, whether a box is ticked, the ticked boxes, the text of each part.
"""


def value_shown(field: OfferField, value: object) -> Shown:
    """Return the content of a field for a value."""
    if field.kind == "cards":
        cards = value if isinstance(value, Collection) else ()
        return [choice.value for choice in field.choices if choice.value in cards]
    if field.kind == "flag":
        return bool(value)
    if field.kind == "shares":
        numbers = value if isinstance(value, Mapping) else {}
        return {part.name: str(numbers.get(part.name, "")) for part in field.parts}
    return choice_shown(field, value) if field.choices else typed_text(value)


def choice_shown(field: OfferField, value: object) -> str:
    text = to_text(value)
    return text if any(choice.value == text for choice in field.choices) else ""


def typed_text(value: object) -> str:
    return "" if value is None else str(value)

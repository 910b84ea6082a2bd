"""From offers to forms and back: what a form shows of an offer, what it posts, the move that comes
of it.

A form posts the record's argument keys: hidden ones for what the offer has given, the fields,
nested values as `routed.attacker`, lists by repeating the key. Beside them: `offer` (its key),
`move`, `seen`, `for` (the seat, where the game master speaks for it), `shape` (which kind each
argument is, so that a form is still understood when its offer is gone), `back` (where it came
from), `sure` (asked and confirmed).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, NamedTuple

from django.http import QueryDict
from django.utils.translation import gettext as _

from campaign.log.undo import reveals
from engine.errors import IllegalMove
from games.contract.title import Branch, Field, Offer
from web.play.move_preview import Follow, Sees, everybody, outcome_columns, with_outcomes
from web.titles.talk import Talk

NOBODY = "!nobody"
NUMBER = re.compile(r"-?\d{1,12}([.,]\d{1,6})?", re.ASCII)
MOST_VALUES = 100


class Choice(NamedTuple):
    """A value of a field: as posted, as read, whether it is chosen."""

    value: str
    label: str
    chosen: bool = False


class Part(NamedTuple):
    """One of several numbers typed for a field: the name it is posted under, its label, what was
    typed.
    """

    name: str
    label: str
    value: str


@dataclass
class Control:
    """A field of an offer as a form shows it. `choices` None: something is typed."""

    key: str
    kind: str
    label: str
    ident: str
    choices: list[Choice] | None = None
    parts: list[Part] = field(default_factory=list)
    value: str = ""
    optional: bool = False
    help: str = ""
    error: str = ""
    rule: str = ""

    @property
    def described(self) -> str:
        """The ids of help and error, for `aria-describedby`."""
        return " ".join(
            [f"{self.ident}-help"] * bool(self.help) + [f"{self.ident}-error"] * bool(self.error)
        )

    @property
    def single(self) -> bool:
        return self.choices is not None and len(self.choices) == 1


@dataclass
class Wrong:
    """Why a form came back: the sentence, its rule, and the field it concerns (empty: the
    whole).
    """

    sentence: str
    rule: str = ""
    field: str = ""


@dataclass
class Card:
    """An offer as a page shows it."""

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
    controls: list[Control] = field(default_factory=list)
    hidden: list[tuple[str, str]] = field(default_factory=list)
    wrong: Wrong | None = None
    asks: bool = False

    @property
    def off(self) -> bool:
        return self.offer.refusal is not None and not self.open

    @property
    def has_form(self) -> bool:
        """Does a button on the card make the move at once?"""
        return not (self.off or self.open or self.offer.fields)

    @property
    def changes(self) -> list[dict[str, Any]] | None:
        """What it changes for its own seat, in plain data; None where its own words say what it
        does.
        """
        if self.follow is None or self.offer.fields or not self.follow.blocks:
            return None
        mine = [block for block in self.follow.blocks if block.seat == self.offer.seat]
        return [
            {
                "levels": [_changed(row) for row in block.levels],
                "cascades": [
                    {**_changed(row), "label": row.label, "rule": row.rule}
                    for row in block.cascades
                ],
            }
            for block in mine
        ]

    @property
    def plain(self) -> dict[str, Any]:
        """All that stands on a card that is not open, but for its form's hidden fields: plain data,
        by which it is kept.
        """
        return {
            "off": self.off,
            "ident": self.ident,
            "name": self.name,
            "sub": self.sub,
            "why": self.why,
            "rule": self.rule,
            "cost": self.offer.cost,
            "fields": bool(self.offer.fields),
            "key": self.offer.key,
            "about": self.about,
            "verb": self.verb,
            "asks": self.asks,
            "changes": self.changes,
        }

    @property
    def mine(self) -> tuple[Any, ...]:
        """The rows of the seat itself."""
        return self.follow.mine(self.offer.seat) if self.follow else ()


def _changed(row: Any) -> dict[str, Any]:
    cell = row.cells[0]
    return {"account_label": row.account_label, "was": cell.was, "now": cell.now, "note": cell.note}


def to_text(value: Any) -> str:
    """A value as a form posts it."""
    if value is None:
        return NOBODY
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def number(text: str) -> Any:
    """A number as people type it; the text itself where it is none, for the rules to refuse."""
    plain = text.strip().replace("−", "-").replace("+", "")
    if not NUMBER.fullmatch(plain):
        return text.strip()
    plain = plain.replace(",", ".")
    return Decimal(plain) if "." in plain else int(plain)


def shape(offer: Offer) -> dict[str, str]:
    """The kind of each argument a form of this offer posts."""
    given = {}
    for key, value in offer.given.items():
        given[key] = (
            "flag" if isinstance(value, bool) else "number" if isinstance(value, int) else "choice"
        )
    return {**given, **{one.key: one.kind for one in offer.fields}}


def read_value(kind: str, key: str, data: QueryDict) -> Any:
    """The value of one argument as posted; `KeyError` where nothing was said."""
    if kind == "cards":
        if key not in data:
            return []
        return [text for text in data.getlist(key)[:MOST_VALUES] if text]
    if kind == "flag":
        return str(data.get(key)) == "true"
    if kind == "shares":
        parts = {
            name[len(key) + 1 :]: str(text)
            for name, text in data.items()
            if name.startswith(key + ".")
        }
        if not parts or not any(text.strip() for text in parts.values()):
            raise KeyError(key)
        return {name: number(text) for name, text in parts.items()}
    text = str(data[key])
    if text == NOBODY:
        return None
    if not text.strip():
        raise KeyError(key)
    return number(text) if kind == "number" else text


def read(offer: Offer | None, data: QueryDict) -> dict[str, Any]:
    """The arguments of a posted form; what was left empty is left out, defaults as well.

    The form's own given arguments count, not those the offer has now: of two clicks the second
    means what the first did.
    """
    kinds = shape(offer) if offer else {}
    if offer is None:
        for pair in data.get("shape", "").split()[:MOST_VALUES]:
            key, _, kind = pair.partition(":")
            kinds[key] = kind
    fields = {one.key: one for one in offer.fields} if offer else {}
    arguments: dict[str, Any] = {}
    for key, kind in kinds.items():
        try:
            value = read_value(kind, key, data)
        except KeyError:
            if offer and key in offer.given:
                arguments[key] = offer.given[key]
            continue
        one = fields.get(key)
        if one is not None and one.optional and value == one.default:
            continue
        if one is None and offer is None and value in ([], False):
            continue
        arguments[key] = _as_listed(offer, key, value, arguments) if one else value
    return arguments


def _as_listed(offer: Offer | None, key: str, value: Any, chosen: Mapping[str, Any]) -> Any:
    """The value of the offer's own list that reads like this one: a choice may be of numbers."""
    if not isinstance(value, str) or offer is None:
        return value
    return next(
        (known for known in offer.values(key, chosen) or () if to_text(known) == value), value
    )


def missing(offer: Offer, arguments: Mapping[str, Any]) -> Field | None:
    """The first field that must be chosen and was not."""
    return next(
        (one for one in offer.fields if not one.optional and one.key not in arguments), None
    )


def raw_move(
    offer: Offer | None, data: QueryDict, arguments: Mapping[str, Any], by: str, seat: str
) -> dict[str, Any]:
    """The move in record form."""
    head: dict[str, Any] = {"by": by, "move": offer.move if offer else data.get("move", "")[:60]}
    if by != seat:
        head["for"] = seat
    return {**head, **arguments}


def complete(offer: Offer, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The choices with what is not chosen yet filled in: the first value there is. What does not
    fit is replaced.
    """
    values: dict[str, Any] = {}
    for one in offer.fields:
        allowed = offer.values(one.key, values)
        value = chosen.get(one.key, one.default if one.optional else None)
        if one.kind in ("number", "text", "shares") or allowed is None:
            if one.key in chosen:
                values[one.key] = chosen[one.key]
            continue
        if one.kind == "cards":
            value = [card for card in value or [] if any(card in some for some in allowed)]
        if one.key in chosen and value is None and None in allowed:
            values[one.key] = None
        elif value not in allowed or value is None:
            if not one.optional and allowed:
                values[one.key] = allowed[0]
        elif not (one.optional and value == one.default):
            values[one.key] = value
    return values


def controls(
    talk: Talk, offer: Offer, chosen: Mapping[str, Any], wrong: Wrong | None = None
) -> list[Control]:
    """The fields of an open offer with the values chosen, in their order."""
    widgets = []
    for one in offer.fields:
        allowed = offer.values(one.key, chosen)
        control = Control(
            one.key,
            one.kind,
            talk.field_label(offer, one),
            f"f-{offer.key}-{one.key}",
            optional=one.optional,
        )
        control.help = talk.field_help(offer, one, chosen)
        now = chosen.get(one.key, one.default)
        if one.kind == "cards":
            every = list(dict.fromkeys(card for some in allowed or () for card in some))
            control.choices = [
                Choice(card, talk.value_label(offer, one, card), card in (now or []))
                for card in every
            ]
            if not every:
                continue
        elif one.kind == "flag":
            if allowed is not None and True not in allowed:
                continue
            control.value = "true" if now else ""
        elif one.kind == "shares":
            value = now if isinstance(now, Mapping) else {}
            names = list(allowed[0]) if allowed else list(value)
            control.parts = [
                Part(
                    f"{one.key}.{name}",
                    talk.value_label(offer, one, name),
                    str(value.get(name, "")),
                )
                for name in names
            ]
        elif one.kind in ("number", "text") or allowed is None:
            control.value = "" if now is None else str(now)
        else:
            control.choices = [
                Choice(to_text(v), talk.value_label(offer, one, v), v == now) for v in allowed
            ]
        if wrong and wrong.field == one.key:
            control.error, control.rule = wrong.sentence, wrong.rule
        widgets.append(control)
    return widgets


def where_wrong(offer: Offer | None, arguments: Mapping[str, Any], refusal: IllegalMove) -> str:
    """The field a refusal speaks of: the one whose value it names, else a text or number that was
    left out.
    """
    if offer is None:
        return ""
    named = [value for value in refusal.facts.values() if isinstance(value, str)]
    for one in reversed(offer.fields):
        value = arguments.get(one.key)
        if value in named or (isinstance(value, list) and any(card in named for card in value)):
            return one.key
    typed = [one for one in offer.fields if one.kind in ("text", "number", "shares")]
    for one in typed:
        if refusal.code == "bad-argument" and one.key in refusal.message.replace("-", " ").split():
            return one.key
    if refusal.code == "bad-argument" and typed:
        return next((one.key for one in typed if one.key not in arguments), typed[0].key)
    return ""


def branches_of(talk: Talk, raw: Mapping[str, Any]) -> Sequence[Branch]:
    """How the move may turn out; empty where its dice cannot be told. Raises the refusal of a move
    that is not possible.
    """
    try:
        return talk.title.branches(talk.position, talk.title.decode(dict(raw), talk.position))
    except IllegalMove as refusal:
        if refusal.code == "no-dice":
            return ()
        raise


def preview_move(talk: Talk, raw: Mapping[str, Any], sees: Sees = everybody) -> tuple[Follow, str]:
    """What follows from the move, and why it is asked for twice (empty where one click is
    enough).
    """
    branches = branches_of(talk, raw)
    seat = str(raw.get("for", raw["by"]))
    follow = outcome_columns(talk, branches, sees=sees, first=seat)
    follow = with_outcomes(talk, follow, dict(raw), branches, sees)
    return follow, asks_twice(talk, raw, branches, follow) or (
        _("Thresholds are crossed, as shown.") if follow.cascades else ""
    )


def asks_twice(
    talk: Talk, raw: Mapping[str, Any], branches: Sequence[Branch], follow: Follow
) -> str:
    """What a confirmation says of taking back; empty where none is needed. Asks only what the
    reader may see: whether a hidden card is there must not show in whether one is asked.
    """
    own = talk.final(raw, talk.position)
    if not branches or any(branch.what.id != "certain" for branch in branches):
        thrown = _(
            "Dice are thrown at once; only the game master can undo this, and the same dice would"
            " come again."
        )
        return f"{own} {thrown}".strip()
    if any(reveals(effects) for effects in follow.effects):
        shown = _("A card changes hands or is shown: only the game master can undo this.")
        return f"{own} {shown}".strip()
    return own

"""The earlier names of `web.moves.forms`, for pages that are not rewritten yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.http import QueryDict

from games.contract.title import Offer
from web.moves import forms as moves_forms
from web.moves.forms import (
    OfferForm,
    Wrong,
    complete,
    missing,
    number,
    to_text,
    where_wrong,
)
from web.moves.preview import branches_of, preview_move
from web.titles.talk import Talk

__all__ = [
    "Choice",
    "Control",
    "Wrong",
    "branches_of",
    "complete",
    "controls",
    "missing",
    "number",
    "preview_move",
    "read",
    "to_text",
    "where_wrong",
]


def read(offer: Offer, data: QueryDict) -> dict[str, Any]:
    """Return the arguments of a posted form."""
    return moves_forms.read(offer, data)


class Choice(NamedTuple):
    """A value of a field and whether it is chosen."""

    value: str
    label: str
    chosen: bool = False


@dataclass
class Control:
    """A field of an offer. `choices` is None if something is typed."""

    key: str
    kind: str
    label: str
    ident: str
    choices: list[Choice] | None = None
    value: str = ""
    optional: bool = False
    help: str = ""
    error: str = ""
    rule: str = ""
    parts: list[str] = field(default_factory=list)

    @property
    def described(self) -> str:
        """Return the ids of help and error, for `aria-describedby`."""
        parts = [f"{self.ident}-help"] * bool(self.help)
        return " ".join([*parts, *[f"{self.ident}-error"] * bool(self.error)])


def controls(
    talk: Talk, offer: Offer, chosen: Mapping[str, object], wrong: Wrong | None = None
) -> list[Control]:
    """Return the fields of an offer with the values chosen."""
    form, shown_controls = OfferForm(talk, offer, chosen), []
    for bound in form:
        value = bound.value()
        control = Control(
            bound.name,
            form.kinds[bound.name],
            str(bound.label),
            str(bound.auto_id),
            help=str(bound.help_text),
        )
        if bound.widget_type in ("select", "checkboxselectmultiple"):
            values = value if isinstance(value, list) else [value]
            control.choices = [
                Choice(choice.value, choice.label, choice.value in values)
                for choice in form.choices(bound.name)
            ]
        else:
            control.value = str(value)
        if wrong is not None and wrong.field == bound.name:
            control.error, control.rule = wrong.sentence, wrong.rule
        shown_controls.append(control)
    return shown_controls

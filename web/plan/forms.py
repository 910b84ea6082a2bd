"""Read what the forms and the address of a plan say."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import QueryDict

from engine.strict_json import whole
from web.frame.requests import seen_number
from web.moves.forms import MoveForm, Wrong
from web.moves.offers import OpenForm

NOWHERE = 10**6
"""A place that no plan has: the form names none."""


def place(text: str) -> int:
    """Return a place in the plan, counted from 0; `NOWHERE` if the text is none."""
    number = whole(text)
    return NOWHERE if number is None else number


@dataclass(frozen=True, slots=True)
class OpenPlanForm:
    """Which form is open on the page of a plan: of a move to add, or of the move at `place`."""

    form: OpenForm = OpenForm()  # noqa: RUF009  # it is frozen
    place: int = NOWHERE

    @property
    def is_open(self) -> bool:
        return bool(self.form.key) or self.place != NOWHERE

    @property
    def has_typed_values(self) -> bool:
        """Return whether the form was sent, and not only opened by a link."""
        return "offer" in self.form.data


def opened_plan_form(query: QueryDict) -> OpenPlanForm:
    """Return the form that `?open=KEY` or `?change=N` opens."""
    return OpenPlanForm(OpenForm.of_address(query), place(query.get("change", "")))


class PlanForm:
    """A posted form of a plan.

    `version` is that of the plan on the page, `place` the place of the move that the form is about,
    `seen` the last entry that the page showed.
    """

    def __init__(self, data: QueryDict) -> None:
        self.data = data
        self.move = MoveForm(data)
        self.version, self.place = place(data.get("version", "")), place(data.get("at", ""))
        self.seen = seen_number(data.get("seen", ""))

    @property
    def is_sure(self) -> bool:
        return self.data.get("sure") == "1"

    @property
    def back(self) -> str:
        """Return which page the form is on: `nation`, or an address."""
        return self.data.get("back", "")

    @property
    def adds_a_move(self) -> bool:
        return self.place == NOWHERE

    def opened(self, key: str, wrong: Wrong | None = None) -> OpenPlanForm:
        """Return this form as the open one, with what was typed."""
        return OpenPlanForm(
            OpenForm(key if self.adds_a_move else "", self.data, wrong), place=self.place
        )

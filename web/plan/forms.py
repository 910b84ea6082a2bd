"""The forms and queries of a plan. The services check the values."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import QueryDict

from web.frame.raw_forms import PostedForm, text_field
from web.frame.requests import seen_number
from web.moves.forms import FormRefusal, MoveForm
from web.moves.offers import OpenForm

NOWHERE = 10**6
"""A place that no plan has, for a form that names no place."""


@dataclass(frozen=True, slots=True)
class OpenPlanForm:
    """The open form on the page of a plan: for a move to add, or for the move at `place`."""

    form: OpenForm = OpenForm()  # noqa: RUF009  # it is frozen
    place: int = NOWHERE

    @property
    def is_open(self) -> bool:
        return bool(self.form.key) or self.place != NOWHERE

    @property
    def has_typed_values(self) -> bool:
        """Return whether the form was sent, not only opened by a link."""
        return "offer" in self.form.data


class PlacesForm(PostedForm):
    """A form with places of a plan, counted from 0, and versions of the plan."""

    def place_or_nowhere(self, name: str) -> int:
        """Return a posted number; `NOWHERE` if it is not a number."""
        number = self.number_of(name)
        return NOWHERE if number is None else number


class ShownForm(PlacesForm):
    """The form that the address of a plan opens: `?open=KEY` or `?change=N`."""

    change = text_field()

    def __init__(self, query: QueryDict) -> None:
        super().__init__(query)
        self.query = query

    @property
    def opened(self) -> OpenPlanForm:
        return OpenPlanForm(OpenForm.of_address(self.query), self.place_or_nowhere("change"))


class PlanForm(PlacesForm):
    """A posted form of a plan.

    `version` is the version of the plan on the page, `at` the place of the move that the form
    concerns, `seen` the last entry that the page showed. `sure` is set if the reader has confirmed
    the act. `back` is the page of the form.
    """

    version = text_field()
    at = text_field()
    seen = text_field()
    sure = text_field()
    back = text_field()

    def __init__(self, post_data: QueryDict) -> None:
        super().__init__(post_data)
        self.post_data = post_data
        self.move = MoveForm(post_data)

    @property
    def plan_version(self) -> int:
        return self.place_or_nowhere("version")

    @property
    def place(self) -> int:
        return self.place_or_nowhere("at")

    @property
    def seen_entry(self) -> int:
        return seen_number(self.text_of("seen"))

    @property
    def is_sure(self) -> bool:
        return self.text_of("sure") == "1"

    @property
    def page_name(self) -> str:
        """Return the page that the form is on: `nation`, or an address."""
        return self.text_of("back")

    @property
    def adds_a_move(self) -> bool:
        return self.place == NOWHERE

    def opened(self, key: str, wrong: FormRefusal | None = None) -> OpenPlanForm:
        """Return this form as the open form, with the typed data."""
        return OpenPlanForm(
            OpenForm(key if self.adds_a_move else "", self.post_data, wrong), place=self.place
        )

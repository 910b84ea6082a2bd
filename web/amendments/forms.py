"""The forms of a change of the rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _

from campaign.rulebook import Amendment
from engine.errors import IllegalMove
from games.contract.plain import RawRules
from games.contract.title import RuleConsequence, RuleNumber, WithAmendments
from games.kit.numbers import read_number
from web.amendments.numbers import (
    HALVES,
    Number,
    Paragraph,
    changed_paragraphs,
    check_rules,
    path_meant,
    shown_number,
    typed_numbers,
    would_have_changed,
)
from web.frame.raw_forms import PostedForm
from web.frame.table import TableContext

PREFIX = "v."
"""The beginning of the names of fields for new numbers; the path follows."""
MOST_AMENDMENTS = 10**5


class AnswerForm(PostedForm):
    """A seat's answer to an amendment, or an act of the game master about it."""

    number = forms.IntegerField(min_value=0, max_value=MOST_AMENDMENTS, required=False)
    seat = forms.CharField(required=False, strip=False)
    why = forms.CharField(required=False, strip=False)

    @property
    def amendment(self) -> int:
        """Return the number of the amendment; 0 if none is named."""
        self.is_valid()
        return int(self.cleaned_data.get("number") or 0)

    @property
    def agrees(self) -> bool:
        return self.data.get("agrees") == "1"


@dataclass(frozen=True, slots=True)
class TypedNumber:
    """A row of the form: a number of the rules, the typed value, and its error."""

    number: RuleNumber
    old: str
    typed_text: str
    value: Number | None
    wrong: str = ""

    @property
    def is_new(self) -> bool:
        return self.value is not None and self.value != self.number.value


@dataclass(slots=True)
class Proposal:
    """A change of the rules as typed, with its errors and its consequences.

    `errors` are by field; the empty name means the whole form. `changes` is the number of the open
    amendment that it replaces. `looked` is true if the game master asks what the proposal would
    have changed.
    """

    rows: list[TypedNumber]
    reason: str
    need: str
    changes: int | None
    find: str = ""
    looked: bool = False
    rules: RawRules = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    paragraphs: list[Paragraph] = field(default_factory=list)
    would_have: Sequence[RuleConsequence] = ()

    @property
    def is_complete(self) -> bool:
        return bool(self.rules) and not self.errors

    @property
    def shows_past(self) -> bool:
        """Return whether the page shows what the proposal would have changed."""
        return self.looked or bool(self.would_have)

    @property
    def enter_does(self) -> str:
        """Return the act that the Enter key performs in the form."""
        return "look" if self.rows else "add"

    @property
    def find_label(self) -> str:
        return _("Another number") if self.rows else _("Choose a number.")

    @property
    def heading(self) -> str:
        if self.changes is None:
            return _("Change a rule")
        return _("Change amendment %(n)s") % {"n": self.changes}

    @property
    def error(self) -> str:
        return self.errors.get("", "")

    @property
    def reason_error(self) -> str:
        return self.errors.get("reason", "")

    @property
    def find_error(self) -> str:
        return self.errors.get("find", "")


def proposal_shown(
    table: TableContext, numbers: Mapping[str, RuleNumber], standing: Amendment | None
) -> Proposal:
    """Return the form before anything is typed, with the open amendment if there is one."""
    if standing is None:
        return Proposal(rows=[], reason="", need=table.campaign.amending, changes=None)
    proposal = Proposal(
        rows=typed_rows(numbers, typed_numbers(standing, numbers), strict=False),
        reason=standing.reason,
        need=standing.need,
        changes=standing.number,
    )
    return with_rules(table, proposal)


def proposal_typed(
    table: TableContext,
    numbers: Mapping[str, RuleNumber],
    standing: Amendment | None,
    post_data: QueryDict,
) -> Proposal:
    """Return the form as posted by `add`, `drop`, `look` or `ask`."""
    do, find = post_data.get("do", ""), post_data.get("find", "")
    asks = do == "ask"
    proposal = Proposal(
        rows=typed_rows(numbers, posted_numbers(post_data, numbers), strict=asks),
        reason=post_data.get("reason", standing.reason if standing else ""),
        need=post_data.get("need", standing.need if standing else table.campaign.amending),
        changes=standing.number if standing else None,
        looked=do == "look",
    )
    errors = {row.number.path: row.wrong for row in proposal.rows if row.wrong}
    if asks and not errors and not any(row.is_new for row in proposal.rows):
        errors[""] = _("Change at least one number.")
    if do == "add" and not path_meant(find, numbers):
        errors["find"] = _("There is no number with this name. Choose one from the list.")
        proposal.find = find
    proposal.errors = errors
    with_rules(table, proposal)
    return with_consequences(table, proposal) if asks or proposal.looked else proposal


def posted_numbers(post_data: QueryDict, numbers: Mapping[str, RuleNumber]) -> dict[str, str]:
    """Return the numbers that the form has after the pressed button, by their paths.

    A button can add a number to the form, or drop one.
    """
    typed = {
        key.removeprefix(PREFIX): post_data.get(key, "")
        for key in post_data
        if key.startswith(PREFIX)
    }
    path = path_meant(post_data.get("find", ""), numbers)
    if post_data.get("do") != "ask" and path:
        typed.setdefault(path, "")
    typed.pop(post_data.get("drop", ""), None)
    return typed


def typed_rows(
    numbers: Mapping[str, RuleNumber],
    form_values: Mapping[str, str],
    *,
    strict: bool,
) -> list[TypedNumber]:
    """Return a row for each typed number. If `strict`, an empty row is an error."""
    known = ((numbers[path], text) for path, text in form_values.items() if path in numbers)
    return [typed_row(number, text, strict=strict) for number, text in known]


def typed_row(number: RuleNumber, text: str, *, strict: bool) -> TypedNumber:
    """Return a row with its error."""
    value, wrong = number_or_none(text), ""
    if value is None and (text.strip() or strict):
        wrong = (
            _("Enter a number. Actions can be halves.")
            if number.unit == HALVES
            else _("Enter a number.")
        )
    return TypedNumber(
        number=number,
        old=shown_number(number.value, number.unit),
        typed_text=text,
        value=value,
        wrong=wrong,
    )


def number_or_none(text: str) -> Number | None:
    """Return a number as people type it (50, −30, 0,5, 1½); None if it is not a number."""
    try:
        return read_number(text)
    except ValueError:
        return None


def new_values(rows: Iterable[TypedNumber]) -> dict[str, Number]:
    """Return the numbers that change, by their paths."""
    return {row.number.path: row.value for row in rows if row.value is not None and row.is_new}


def with_rules(table: TableContext, proposal: Proposal) -> Proposal:
    """Set the rules of the proposal's move, and return the proposal."""
    new = new_values(proposal.rows)
    if new and isinstance(table.title, WithAmendments):
        proposal.rules = table.title.amendment(table.position, new)
    return proposal


def with_consequences(table: TableContext, proposal: Proposal) -> Proposal:
    """Set the consequences of the proposal, or its refusal by the game's rules; return it."""
    if not proposal.rules:
        return proposal
    try:
        check_rules(table, proposal.rules)
    except IllegalMove as refusal:
        proposal.errors[""] = table.why_not(refusal)
        return proposal
    proposal.would_have = would_have_changed(table, proposal.rules)
    if not proposal.error:
        proposal.paragraphs = changed_paragraphs(table, proposal.rules)
    return proposal

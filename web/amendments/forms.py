"""Read and check what is typed for a change of the rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _

from campaign.rulebook import Amendment
from engine.errors import IllegalMove
from games.contract.plain import RawRules
from games.contract.title import Amendable, RuleNumber, WouldHave
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
from web.frame.table import TableContext

PREFIX = "v."
"""The beginning of the names of fields for new numbers, before the path."""
MOST_AMENDMENTS = 10**5


class AnswerForm(forms.Form):
    """A seat's answer to an amendment, or what the game master does with it."""

    number = forms.IntegerField(min_value=0, max_value=MOST_AMENDMENTS, required=False)
    seat = forms.CharField(required=False, strip=False)
    why = forms.CharField(required=False, strip=False)

    @property
    def amendment(self) -> int:
        """Return the amendment's number; 0 for none."""
        self.is_valid()
        return int(self.cleaned_data.get("number") or 0)

    @property
    def agrees(self) -> bool:
        return self.data.get("agrees") == "1"

    def text(self, name: str) -> str:
        """Return a field as it was typed."""
        return str(self[name].value() or "")


@dataclass(frozen=True, slots=True)
class TypedNumber:
    """A row of the form: a number of the rules, what was typed for it, and what is wrong."""

    number: RuleNumber
    old: str
    typed: str
    value: Number | None
    wrong: str = ""

    @property
    def is_new(self) -> bool:
        return self.value is not None and self.value != self.number.value


@dataclass(slots=True)
class Proposal:
    """A change of the rules as it is typed, with what is wrong and what would follow.

    `errors` are by field; the empty name is the whole form. `changes` is the number of the open
    amendment that it replaces. `looked`: the game master asks what it would have changed.
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
    would_have: Sequence[WouldHave] = ()

    @property
    def is_complete(self) -> bool:
        return bool(self.rules) and not self.errors

    @property
    def shows_past(self) -> bool:
        """Return whether the page shows what the proposal would have changed."""
        return self.looked or bool(self.would_have)

    @property
    def enter_does(self) -> str:
        """Return what the Enter key does in the form."""
        return "look" if self.rows else "add"

    @property
    def find_label(self) -> str:
        return _("Another number") if self.rows else _("Which number?")

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
    posted: QueryDict,
) -> Proposal:
    """Return the form as it was posted by `add`, `drop`, `look` or `ask`."""
    do, find = posted.get("do", ""), posted.get("find", "")
    asks = do == "ask"
    proposal = Proposal(
        rows=typed_rows(numbers, posted_numbers(posted, numbers), strict=asks),
        reason=posted.get("reason", standing.reason if standing else ""),
        need=posted.get("need", standing.need if standing else table.campaign.amending),
        changes=standing.number if standing else None,
        looked=do == "look",
    )
    errors = {row.number.path: row.wrong for row in proposal.rows if row.wrong}
    if asks and not errors and not any(row.is_new for row in proposal.rows):
        errors[""] = _("Change at least one number.")
    if do == "add" and not path_meant(find, numbers):
        errors["find"] = _("No number has these words. Choose one of the list.")
        proposal.find = find
    proposal.errors = errors
    with_rules(table, proposal)
    return with_consequences(table, proposal) if asks or proposal.looked else proposal


def posted_numbers(posted: QueryDict, numbers: Mapping[str, RuleNumber]) -> dict[str, str]:
    """Return the numbers that the form has after what was posted, by their paths."""
    typed = {
        key.removeprefix(PREFIX): posted.get(key, "") for key in posted if key.startswith(PREFIX)
    }
    path = path_meant(posted.get("find", ""), numbers)
    if posted.get("do") != "ask" and path:
        typed.setdefault(path, "")
    typed.pop(posted.get("drop", ""), None)
    return typed


def typed_rows(
    numbers: Mapping[str, RuleNumber],
    typed: Mapping[str, str],
    *,
    strict: bool,
) -> list[TypedNumber]:
    """Return a row for each number that is typed. If `strict`, an empty row is wrong."""
    known = ((numbers[path], text) for path, text in typed.items() if path in numbers)
    return [typed_row(number, text, strict=strict) for number, text in known]


def typed_row(number: RuleNumber, text: str, *, strict: bool) -> TypedNumber:
    """Return a row with what is wrong with it."""
    value, wrong = number_or_none(text), ""
    if value is None and (text.strip() or strict):
        wrong = (
            _("Type a number. Actions may be halves.")
            if number.unit == HALVES
            else _("Type a number.")
        )
    return TypedNumber(
        number=number,
        old=shown_number(number.value, number.unit),
        typed=text,
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
    """Give the proposal the rules of its move."""
    new = new_values(proposal.rows)
    if new and isinstance(table.title, Amendable):
        proposal.rules = table.title.amendment(table.position, new)
    return proposal


def with_consequences(table: TableContext, proposal: Proposal) -> Proposal:
    """Give the proposal what would follow from it, or why the rules of the game refuse it."""
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

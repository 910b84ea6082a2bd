"""The page of a campaign's rulings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign import rulebook
from campaign.log import selectors
from campaign.rulebook import Ruling
from web.frame.table import TableContext
from web.log.lines import LogRow, rows
from web.moves import own_seats
from web.moves.own_seats import OwnSeats
from web.rulings.forms import LONGEST_PREFILL, RulingForm, RulingQuery


@dataclass(frozen=True, slots=True)
class EntryLink:
    """The number and the address of a log entry."""

    number: int | None
    url: str


@dataclass(frozen=True, slots=True)
class RulingText:
    """A ruling with its earlier versions."""

    number: int
    rule: str
    text: str
    author: str
    at: datetime
    entry: EntryLink
    about: EntryLink | None
    """The log entry that gave rise to the ruling."""
    older: Sequence[RulingText]
    """The earlier versions of the ruling, the latest first."""


@dataclass(frozen=True, slots=True)
class RulingSheet:
    """The form of the game master."""

    form: RulingForm
    heading: str
    button: str
    is_revision: bool
    own_seats: OwnSeats | None
    """The note if the ruling concerns the game master's own seats."""


@dataclass(frozen=True, slots=True)
class RulingsPage:
    """The rulings of a campaign, and the form for a new ruling."""

    rulings: Sequence[RulingText]
    judgments: Sequence[LogRow]
    """Rulings on disputed results, as log lines."""
    sheet: RulingSheet | None
    has_rules: bool
    empty_text: str


def rulings_page(
    table: TableContext, rulings: Sequence[Ruling], form: RulingForm | None
) -> RulingsPage:
    """Return the page; `form` is None for readers who cannot write rulings."""
    judgments = rulebook.judgments(table.campaign)
    return RulingsPage(
        rulings=[ruling_text(table, ruling) for ruling in rulings],
        judgments=rows(table, selectors.lines(table.campaign, table.access, judgments)),
        sheet=ruling_sheet(table, form, rulings) if form is not None else None,
        has_rules=bool(rulebook.chapters(table.campaign.title)[1]),
        empty_text=(
            _("There are no rulings yet. Your first one becomes number 1.")
            if form is not None
            else _("There are no rulings yet. The game master’s first one becomes number 1.")
        ),
    )


def ruling_text(table: TableContext, ruling: Ruling) -> RulingText:
    """Return a ruling with the addresses of its entries."""
    return RulingText(
        number=ruling.number,
        rule=ruling.rule,
        text=ruling.text,
        author=ruling.by,
        at=ruling.at,
        entry=entry_link(table, ruling.entry),
        about=entry_link(table, ruling.about) if ruling.about is not None else None,
        older=[ruling_text(table, older) for older in ruling.older],
    )


def entry_link(table: TableContext, number: int | None) -> EntryLink:
    """Return the link to an entry; its address is empty if the entry has no number."""
    return EntryLink(number=number, url=table.url("entry", number) if number is not None else "")


def ruling_sheet(table: TableContext, form: RulingForm, rulings: Sequence[Ruling]) -> RulingSheet:
    """Return the form with the number that its ruling will get."""
    revised = form.revised_number
    number = max((ruling.number for ruling in rulings), default=0) + 1
    return RulingSheet(
        form=form,
        heading=(
            _("Revise ruling %(number)s") % {"number": revised}
            if revised
            else pgettext("heading", "Ruling %(number)s") % {"number": number}
        ),
        button=pgettext("button", "Revise") if revised else pgettext("verb", "Make a ruling"),
        is_revision=bool(revised),
        own_seats=own_seats.always(table),
    )


def empty_form(table: TableContext, query: RulingQuery, rulings: Sequence[Ruling]) -> RulingForm:
    """Return the form before anything is typed.

    `?revise=` fills in the ruling with this number, `?rule=` and `?entry=` the fields of a new
    ruling.

    Raises:
        Http404: There is no ruling with this number.
    """
    revised = query.text_of("revise")
    if not revised:
        initial = {name: query.text_of(name)[:LONGEST_PREFILL] for name in ("rule", "entry")}
        return RulingForm(table.campaign.title, initial=initial)
    ruling = next((ruling for ruling in rulings if str(ruling.number) == revised), None)
    if ruling is None:
        raise Http404
    return RulingForm(
        table.campaign.title,
        initial={
            "text": ruling.text,
            "rule": ruling.rule,
            "entry": ruling.about or "",
            "revises": ruling.number,
        },
    )

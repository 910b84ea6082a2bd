"""The page that shows in advance what an undo or a restoration would change."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from campaign import status
from campaign.errors import CannotUndo, NoSuchEntry, NotNow
from campaign.log import selectors, undo
from campaign.log.rewind import Rewind
from campaign.log.selectors import Line
from campaign.models import LogEntry
from web.frame.table import TableContext
from web.moves import own_seats
from web.moves.actions import ActionOutcome
from web.moves.own_seats import OwnSeats
from web.undo.consequences import Consequences, consequences
from web.undo.forms import RewindForm

MOVES_LISTED = 120
LONGEST_CHOICE = 90


@dataclass(frozen=True, slots=True)
class Choice:
    """An entry to which the game master can go back."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class RewindPage:
    """An undo to an entry, or a restoration."""

    restores: bool
    number: int | None
    choices: list[Choice]
    """The entries to choose from, if none has been chosen."""
    listing: Consequences | None
    """The changes; None if no entry is chosen or it is not possible."""
    own: OwnSeats | None
    wrong: str
    closed: bool
    """Whether nothing can be struck or restored at present."""
    outcome: ActionOutcome | None
    reason: str
    seen: int
    back_url: str
    log_url: str

    @property
    def title(self) -> str:
        return (
            pgettext("heading", "Restore")
            if self.restores
            else pgettext("heading", "Undo to an entry")
        )

    @property
    def heading(self) -> str:
        if self.listing is None:
            blocked = _("It cannot be restored as it is")
            return blocked if self.restores else pgettext("heading", "Undo to an entry")
        text = (
            _("Restore what entry %(number)s undid?")
            if self.restores
            else _("Undo to entry %(number)s?")
        )
        return text % {"number": self.number}

    @property
    def reason_error(self) -> str:
        return (
            self.outcome.wrong
            if self.outcome is not None and self.outcome.field == "reason"
            else ""
        )

    @property
    def refused(self) -> ActionOutcome | None:
        """Return the refusal of the form, unless it is shown beside the reason."""
        return None if self.reason_error else self.outcome

    @property
    def has_no_choice(self) -> bool:
        return self.restores or self.closed

    @property
    def is_wrong(self) -> bool:
        return bool(self.wrong or (self.outcome is not None and self.outcome.wrong))

    @property
    def summary(self) -> str:
        """Return the number of moves concerned, and a note that nothing has been done yet."""
        assert self.listing is not None
        parts = [moves_text(self.listing, self.number)]
        if not self.restores:
            parts.append(_("It can be restored as long as no other move has been played."))
        return " ".join([*parts, _("These are all the changes. Nothing has been undone yet.")])

    @property
    def confirm_heading(self) -> str:
        return (
            pgettext("heading", "Restore it")
            if self.restores
            else pgettext("heading", "Strike these moves")
        )

    @property
    def field(self) -> str:
        return "undo" if self.restores else "entry"

    @property
    def verb(self) -> str:
        return pgettext("button", "Restore") if self.restores else _("Undo")

    @property
    def status(self) -> int:
        status = self.outcome.status if self.outcome else 200
        return 404 if self.wrong and not self.closed and status == 200 else status


def moves_text(listing: Consequences, number: int | None) -> str:
    if listing.restores:
        text = ngettext(
            "%(n)s move is in force again, as if it had never been struck.",
            "%(n)s moves are in force again, as if they had never been struck.",
            listing.count,
        )
    else:
        text = ngettext(
            "%(n)s move is struck and stays readable; everything up to entry %(number)s stays in"
            " force.",
            "%(n)s moves are struck and stay readable; everything up to entry %(number)s stays in"
            " force.",
            listing.count,
        )
    return text % {"n": listing.count, "number": number}


def rewind_page(
    table: TableContext, form: RewindForm, outcome: ActionOutcome | None = None
) -> RewindPage:
    """Return the page with the typed data and the outcome of the form that was sent."""
    number, closed = form.target, rewind_blocked(table)
    rewind, wrong = None, closed
    if number is not None and not closed:
        rewind, wrong = foreseen(table, number, restores=form.restores)
    asks = rewind is None and not form.restores and not closed
    latest = selectors.entries(table.campaign, table.access)[:MOVES_LISTED] if asks else ()
    return RewindPage(
        restores=form.restores,
        number=number,
        choices=choices(table, latest),
        listing=consequences(table, rewind) if rewind is not None else None,
        own=own_seats.of_struck(table, rewind.moves) if rewind is not None else None,
        wrong=wrong,
        closed=bool(closed),
        outcome=outcome,
        reason=form.text_of("reason"),
        seen=table.seen,
        back_url=table.url("desk") if table.pages is None else table.home,
        log_url=table.url("log"),
    )


def rewind_blocked(table: TableContext) -> str:
    """Return why no entry can be struck or restored at present; empty if it is possible."""
    try:
        status.must_be_played(table.campaign, by_master=True)
    except NotNow as refusal:
        return str(refusal)
    return ""


def foreseen(table: TableContext, number: int, *, restores: bool) -> tuple[Rewind | None, str]:
    """Return the rewind of an undo or a restoration; or None, and why it is not possible."""
    try:
        if restores:
            return undo.restoration(table.campaign, number)[1], ""
        return undo.rewind_to(table.campaign, number), ""
    except CannotUndo as refusal:
        return None, str(refusal)
    except NoSuchEntry:
        text = (
            _("Entry %(number)s is not an undo.")
            if restores
            else _("The log has no entry %(number)s.")
        )
        return None, text % {"number": number}


def choices(table: TableContext, latest: Iterable[LogEntry]) -> list[Choice]:
    """Return the entries to which the game master can go back, the newest first."""
    entries = entries_to_go_back_to(latest)
    lines = selectors.lines(table.campaign, table.access, entries, bare=True, rolls=False)
    return [choice(table, line) for line in lines]


def entries_to_go_back_to(latest: Iterable[LogEntry]) -> list[LogEntry]:
    """Return those of the latest entries that are followed by a move in force.

    Both lists begin with the newest entry.
    """
    return [entry for entry in latest if can_stay(entry)][1:]


def can_stay(entry: LogEntry) -> bool:
    """Return whether an entry can be the last to remain: a move in force, or the beginning."""
    if entry.number is None:
        return False
    return entry.number == 0 or (entry.is_move and entry.struck_by_id is None)


def choice(table: TableContext, line: Line) -> Choice:
    text = f"{line.number} · {name_before_line(table, line)}{line.text}"
    return Choice(line.number or 0, text[:LONGEST_CHOICE])


def name_before_line(table: TableContext, line: Line) -> str:
    seat = line.entry.seat
    return f"{table.name_of(seat)}: " if seat and not line.origin else ""

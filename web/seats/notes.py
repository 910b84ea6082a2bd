"""The page of a holder's notes for a seat."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AnonymousUser

from campaign.errors import NoteChanged, Refused
from campaign.seats import selectors
from people.models import User
from web.frame.table import TableContext
from web.seats.forms import NoteForm
from web.seats.handover import seat_url


@dataclass(frozen=True, slots=True)
class NotesPage:
    """The notes, or the typed text if it was refused."""

    seat: str
    name: str
    url: str
    text: str
    left: bool
    version: int
    changed_at: datetime | None
    longest: int
    wrong: str
    stored: str
    """The text that another window has stored meanwhile, if that is why the form was refused."""


def notes_page(
    table: TableContext,
    user: User | AnonymousUser,
    seat: str,
    form: NoteForm | None = None,
    error: Refused | NoteChanged | None = None,
) -> NotesPage:
    """Return the page of the notes. `form` was refused because of `error`."""
    note = selectors.note_of(table.campaign, user, seat)
    text = selectors.text_of(note)
    is_overtaken = error is not None and error.status == 409
    return NotesPage(
        seat=seat,
        name=table.name_of(seat),
        url=seat_url(table, seat),
        text=form.text_of("text") if form is not None else text,
        left=form.leaves if form is not None else note.for_successor,
        version=note.version,
        changed_at=note.changed_at if note.pk else None,
        longest=selectors.LONGEST_NOTE,
        wrong=str(error) if error is not None else "",
        stored=text if is_overtaken else "",
    )

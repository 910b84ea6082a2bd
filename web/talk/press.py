"""The press: public proclamations of the seats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.safestring import SafeString

from campaign.log.talk import HEADLINE, PROCLAMATION, proclamations
from campaign.models import GAME_MASTER, LogEntry
from games.registry import word
from web.frame.table import TableContext
from web.talk.forms import ProclamationForm
from web.talk.markup import marked_up
from web.talk.parties import Party, may_write, party

ON_PAGE = 20


@dataclass(frozen=True, slots=True)
class Proclamation:
    """A proclamation, which is an entry of the log."""

    number: int
    party: Party
    source: str
    """The author and the turn."""
    headline: str
    html: SafeString
    at: datetime
    can_be_reported: bool
    author_id: int | None
    url: str


@dataclass(frozen=True, slots=True)
class Publishing:
    """The form for a proclamation."""

    voices: list[Party]
    voice: str
    headline: str
    text: str
    error: str
    longest_headline: int = HEADLINE
    longest_text: int = PROCLAMATION

    @property
    def choices(self) -> list[Party]:
        """Return the parties to choose from; empty if there is no choice."""
        return self.voices if len(self.voices) > 1 else []


@dataclass(frozen=True, slots=True)
class PressPage:
    """The proclamations, the latest first."""

    proclamations: list[Proclamation]
    older_url: str
    publishing: Publishing | None
    is_host: bool
    is_reported: bool
    """Whether the report of a turn includes the proclamations."""
    press_url: str

    @property
    def has_side(self) -> bool:
        return self.publishing is not None or self.is_host


def press_page(
    table: TableContext, before: int | None, form: ProclamationForm, error: str = ""
) -> PressPage:
    """Return the proclamations before this number. `form` has the typed data."""
    entries = proclamations(table.campaign)
    if before is not None:
        entries = entries.filter(number__lt=before)
    shown: list[LogEntry] = list(entries[: ON_PAGE + 1])
    has_older = len(shown) > ON_PAGE
    voices = voices_of(table)
    writes = bool(voices) and may_write(table)
    return PressPage(
        proclamations=[proclamation(table, entry) for entry in shown[:ON_PAGE]],
        older_url=f"?before={shown[ON_PAGE - 1].number}" if has_older else "",
        publishing=publishing(table, voices, form, error) if writes else None,
        is_host=table.host,
        is_reported=table.campaign.press_reported,
        press_url=table.url("press"),
    )


def voices_of(table: TableContext) -> tuple[str, ...]:
    """Return the seats for which the reader may write."""
    return (*table.own_seats, *((GAME_MASTER,) if table.host else ()))


def publishing(
    table: TableContext, voices: Sequence[str], form: ProclamationForm, error: str
) -> Publishing:
    """Return the form for a proclamation."""
    cleaned_data = form.cleaned_data
    return Publishing(
        voices=[party(table, key) for key in voices],
        voice=cleaned_data["seat"],
        headline=cleaned_data["headline"],
        text=cleaned_data["text"],
        error=error,
    )


def proclamation(table: TableContext, entry: LogEntry) -> Proclamation:
    """Return an entry of the log as a proclamation."""
    assert entry.number is not None
    return Proclamation(
        number=entry.number,
        party=party(table, entry.seat),
        source=source_of(table, entry),
        headline=entry.content["headline"],
        html=text_of(table, entry),
        at=entry.at,
        can_be_reported=not entry.removed,
        author_id=entry.actor_id,
        url=table.url("entry", entry.number),
    )


def source_of(table: TableContext, entry: LogEntry) -> str:
    """Return the author of a proclamation, and the turn."""
    person = entry.actor.username if entry.actor else ""
    if not entry.turn:
        return person
    return f"{person} · {word(table.campaign.title, 'turn')} {entry.turn}"


def text_of(table: TableContext, entry: LogEntry) -> SafeString:
    """Return the text of a proclamation; empty if it was removed, as its headline says."""
    if entry.removed:
        return SafeString("")
    return marked_up(entry.content["text"], lambda number: table.url("entry", number))

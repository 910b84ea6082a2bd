"""The pages on which seats take moves back, for titles with and without a page of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from campaign.log import positions, selectors, undo
from campaign.log.acts.undo import UNDO
from campaign.log.rewind import Rewind
from campaign.log.selectors import Line
from campaign.log.undo import reveals
from campaign.models import LogEntry
from games.contract.pages import Pages
from games.registry import word
from web.frame.requests import seen_number
from web.frame.table import TableContext
from web.log.lines import LogRow, rows
from web.undo.consequences import Consequences, consequences

LISTED = 20
"""The number of last moves that can be taken back."""


@dataclass(frozen=True, slots=True)
class Back:
    """The moves to be taken back, the newest first."""

    lines: list[Line]
    own: bool
    """Whether the seat that made the moves may strike them without the game master."""

    @property
    def number(self) -> int:
        return self.lines[-1].number or 0

    @property
    def has_dice(self) -> bool:
        return any(line.rolls for line in self.lines)

    def rewind(self, table: TableContext) -> Rewind:
        """Return the rewind that takes these moves back."""
        moves = [line.entry for line in self.lines]
        if self.own:
            return undo.own_rewind(table.campaign, moves)
        return undo.rewind_to(table.campaign, self.number - 1, moves)


@dataclass(frozen=True, slots=True)
class BackForm:
    """The form that takes moves back."""

    number: int
    listing: Consequences | None
    """The changes; None for readers who may not take them back."""
    lines: list[LogRow]
    heading: str
    text: str
    may: bool
    needs_reason: bool
    fame_lost: str
    """A warning about the hall of fame; empty if the undo does not affect it."""


@dataclass(frozen=True, slots=True)
class TakeBackPage:
    """The moves that can be taken back, for a title with a page of its own."""

    back: BackForm | None
    earlier: list[LogRow]
    undone: int | None
    """The undo whose moves can be restored."""

    @property
    def heading(self) -> str:
        return self.back.heading if self.back is not None else _("Nothing to take back")


def take_back_page(table: TableContext, pages: Pages, asked: str) -> TakeBackPage:
    """Return the page; `asked` is the first entry to be struck, by default the last decision.

    Raise `Http404` if `asked` is not among the last moves.
    """
    moves = last_moves(table)
    decided = decisions(table, pages, moves)
    back = chosen(table, moves, asked or (str(decided[0].number) if decided else ""))
    before = [line for line in decided if back is not None and (line.number or 0) < back.number]
    return TakeBackPage(
        back=back_form(table, back) if back is not None else None,
        earlier=rows(table, before),
        undone=undo_to_restore(table, moves),
    )


def back_form(table: TableContext, back: Back) -> BackForm:
    may = back.own or strikes_all(table)
    text = _("Struck moves stay readable in the log.")
    if back.has_dice:
        again = _("If you repeat the move, you get the same dice.")
        text = f"{text} {again}"
    return BackForm(
        number=back.number,
        listing=consequences(table, back.rewind(table)) if may else None,
        lines=rows(table, back.lines),
        heading=back_heading(len(back.lines)),
        text=text,
        may=may,
        needs_reason=may and not back.own,
        fame_lost=fame_lost(table) if may and not back.own and back.has_dice else "",
    )


def strikes_all(table: TableContext) -> bool:
    """Return whether the reader may strike every move (`undo.must_strike_all`)."""
    is_alone = table.host and all(place.user_id == table.user.pk for place in table.places)
    return table.game_master or is_alone


def back_heading(count: int) -> str:
    text = ngettext("Take back this move?", "Take back these %(n)s moves?", count)
    return text % {"n": count}


def fame_lost(table: TableContext) -> str:
    """Return a warning about the hall of fame, for a campaign that is played alone."""
    campaign = table.campaign
    if not table.solo or campaign.retried or campaign.lesson:
        return ""
    return word(campaign.title, "fame_lost")


def last_moves(table: TableContext) -> list[Line]:
    """Return the last moves that can be taken back, the newest first.

    The first move of the campaign is never among them.
    """
    in_force = (
        positions.moves_in_force(table.campaign)
        .filter(number__isnull=False)
        .select_related("actor", "struck_by")
        .prefetch_related("rolls")
        .order_by("-sequence")
    )
    moves = selectors.lines(table.campaign, table.access, in_force[: LISTED + 1], bare=True)
    return moves[:-1] if len(moves) <= LISTED else moves[:LISTED]


def decisions(table: TableContext, pages: Pages, moves: Sequence[Line]) -> list[Line]:
    """Return the moves that a player decided; automatic moves are struck together with them."""
    replayed = positions.replayed_log(table.campaign)
    places = {move.number: place for place, move in enumerate(replayed.moves)}
    return [
        line
        for line in moves
        if pages.automatic_move(replayed.after(places[line.number] - 1)) is None
    ]


def chosen(table: TableContext, moves: list[Line], asked: str) -> Back | None:
    """Return the moves from `asked` on, by default the last move; None if there are no moves.

    Raise `Http404` if `asked` is not among them.
    """
    if not moves and not asked:
        return None
    wanted = seen_number(asked) if asked else moves[0].number
    place = next((place for place, line in enumerate(moves) if line.number == wanted), None)
    if place is None:
        raise Http404
    lines = moves[: place + 1]
    return Back(lines, own=are_own(table, lines))


def are_own(table: TableContext, lines: Sequence[Line]) -> bool:
    """Return whether a seat of the reader may strike these moves (see `own_undos`)."""
    last = lines[0].entry
    return last.seat in table.own_seats and all(
        (line.entry.seat, line.entry.audience_id) == (last.seat, last.audience_id)
        and line.entry.content["by"] == last.seat
        and not line.rolls
        and not reveals(line.effects)
        for line in lines
    )


def undo_to_restore(table: TableContext, moves: Sequence[Line] = ()) -> int | None:
    """Return the undo whose moves the reader can restore; None if a move was played since.

    `moves` are the last moves in force, the newest first, if they have already been read.
    """
    changed_by = table.campaign.standing_hash
    if not strikes_all(table) or (moves and moves[0].entry.hash == changed_by):
        return None
    last = table.campaign.entries.filter(hash=changed_by).first()
    if last is None or last.act != UNDO.name or last.struck_by_id is not None:
        return None
    return int(last.number) if last.number is not None else None


# A seat's own last moves, for a title without a page of its own


@dataclass(frozen=True, slots=True)
class OwnMove:
    """A move to which the seat can go back."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class OwnUndoPage:
    """The undo of a seat's last moves."""

    title: str
    number: int | None
    text_of_move: str
    """The sentence of the move."""
    first: int | None
    """The first of several moves to be struck; None if only one move is struck."""
    listing: Consequences | None
    """The changes, if several moves are struck."""
    further: list[OwnMove]
    seen: int
    back_url: str

    @property
    def heading(self) -> str:
        return f"{self.title}?" if self.listing is None else back_heading(self.listing.count)

    @property
    def text(self) -> str:
        if self.number is None:
            return _("The entry is struck but stays readable, and its changes are reversed.")
        text = _("Entry %(number)s is struck but stays readable, and its changes are reversed.")
        return text % {"number": self.number}


def own_undo_page(
    table: TableContext, mine: Sequence[LogEntry], gone: Sequence[LogEntry], move_name: str
) -> OwnUndoPage:
    """Return the page.

    `mine` are the moves that the seat may strike, the last first; `gone` are those to be struck;
    `move_name` names the last move.
    """
    last = gone[0]
    first = gone[-1].number if len(gone) > 1 else None
    rewind = undo.own_rewind(table.campaign, gone) if first is not None else None
    return OwnUndoPage(
        title=pgettext("heading", "Undo: %(move)s") % {"move": move_name},
        number=last.number,
        text_of_move=move_text(table, last),
        first=first,
        listing=consequences(table, rewind) if rewind is not None else None,
        further=[
            OwnMove(entry.number, move_text(table, entry))
            for entry in mine[len(gone) :]
            if entry.number is not None
        ],
        seen=table.seen,
        back_url=table.url("nation", last.seat),
    )


def move_text(table: TableContext, entry: LogEntry) -> str:
    effects: Any = entry.all_effects
    return table.title.move_line(table.scenario, entry.content, effects)

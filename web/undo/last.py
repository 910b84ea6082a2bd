"""The undo of the last decision: what it takes back and changes, or why it is not possible.

The board shows it in a small panel; without JavaScript it is a page.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from campaign import services
from campaign.errors import CannotUndo, TableMovedOn
from campaign.log import positions, talk
from campaign.log.acts.undo import UNDO
from campaign.log.acts.words import TALK
from campaign.log.positions import ReplayedMove
from campaign.log.rewind import Rewind
from campaign.log.undo import own_rewind, rewind_to
from campaign.models import GAME_MASTER, LogEntry
from engine.language import capitalize
from games.contract.pages import Pages
from people import services as people_services
from web.frame.requests import since
from web.frame.table import TableContext
from web.log.lines import LogRow
from web.moves import own_seats
from web.moves.own_seats import OwnSeats
from web.undo.consequences import Consequences, consequences
from web.undo.forms import LastUndoForm
from web.undo.page import rewind_blocked
from web.undo.take_back import fame_lost, strikes_all, undo_to_restore

SHOWN = 4
"""The number of undone moves that are shown; the others are counted."""


class Decision(NamedTuple):
    """The last decision that this reader may take back, with all moves after it."""

    rewind: Rewind
    own: bool
    """Whether its seat strikes it; otherwise the game master does, in public."""
    first: ReplayedMove | LogEntry


@dataclass(frozen=True, slots=True)
class LastUndo:
    """The undo of the last decision, before it is made."""

    text: str
    """The sentence that says what is taken back."""
    moves: list[LogRow]
    """The first moves that are taken back, in their order."""
    more: str
    """The number of further moves in words; empty if all are shown."""
    listing: Consequences
    dice: str
    """A sentence on the dice that were thrown; empty if there were none."""
    asks_reason: bool
    reason: str
    fame_lost: str
    own: OwnSeats | None


@dataclass(frozen=True, slots=True)
class LastUndoPage:
    """The undo of the last decision, or the reason why it is not possible."""

    undo: LastUndo | None
    refused: str
    request: str
    """The message that asks the game master to take the reader's last move back; empty if they
    cannot be asked.
    """
    restores: int | None
    """The undo whose moves this reader can restore."""
    seen: int
    back: str
    url: str
    further_url: str
    """The page for earlier moves; empty if the reader has none."""

    @property
    def heading(self) -> str:
        if self.undo is not None:
            return _("Undo your last decision?") if self.undo.reason else _("Undo your last move?")
        return pgettext("heading", "Undo")


def last_undo_page(table: TableContext, back: str) -> LastUndoPage:
    """Return the page; `back` is the key of the page that follows (`pages_after`)."""
    decision, refused = None, ""
    try:
        decision = last_decision(table)
    except CannotUndo as refusal:
        refused = str(refusal)
    may = strikes_all(table)
    return LastUndoPage(
        undo=None if decision is None else last_undo(table, decision),
        refused=refused,
        request=request_text(table) if decision is None and not may else "",
        restores=undo_to_restore(table),
        seen=table.seen,
        back=back,
        url=table.url("last_undo"),
        further_url=further_url(table) if decision is not None else "",
    )


def further_url(table: TableContext) -> str:
    if table.pages is None and table.game_master:
        return table.url("rewind")
    return table.url("undo") if table.pages is not None or table.own_seats else ""


# The last decision


def last_decision(table: TableContext) -> Decision:
    """Return the last decision that this reader may take back.

    A seat may take back its own last move, within the limits of `services.own_undos`. A game
    master may take back the last decision of any seat. A reader who plays alone, also among
    programs, takes back their own last decision with the moves that followed by themselves.

    Raises `CannotUndo` with the reason.
    """
    if not strikes_all(table):
        return own_decision(table)
    try:
        decision = own_decision(table)
        if decided(table, decision.first.sequence):
            return decision
    except CannotUndo:
        pass  # A game master has further rights.
    return any_decision(table)


def own_decision(table: TableContext) -> Decision:
    """Return the last move that the reader's seat may strike. Raises `CannotUndo`."""
    try:
        last = services.own_undo(table.campaign, table.access)
    except CannotUndo as refusal:
        raise CannotUndo(refusal.code, f"{refusal} {who_may(table)}".strip()) from None
    return Decision(own_rewind(table.campaign, [last]), own=True, first=last)


def who_may(table: TableContext) -> str:
    """Return a sentence that names the other game masters; empty if there are none."""
    names = [name for name in table.holders(GAME_MASTER) if name != table.user.get_username()]
    if not names:
        return ""
    return _("Game master: %(names)s.") % {"names": ", ".join(names)}


def any_decision(table: TableContext) -> Decision:
    """Return the last decision that a game master may strike.

    Raises `CannotUndo` if there is none, or if the campaign is not played.
    """
    if blocked := rewind_blocked(table):
        raise CannotUndo("not-played", blocked)
    moves = positions.replayed_log(table.campaign).moves
    wanted = reader_moves(table) if is_alone(table) else range(len(moves) - 1, 0, -1)
    place = next((place for place in wanted if is_decision(table, place)), None)
    if place is None:
        raise CannotUndo("nothing", _("You have not made a decision yet that can be undone."))
    before = [move.number for move in moves[:place] if move.number is not None]
    stays = max(before, default=0)
    return Decision(rewind_to(table.campaign, stays), own=False, first=moves[place])


def is_alone(table: TableContext) -> bool:
    """Return whether no other person is a member of this campaign."""
    return all(place.user_id == table.user.pk for place in table.places)


def reader_moves(table: TableContext) -> list[int]:
    """Return the places of the moves of the reader's seats, the last first, without the opening."""
    moves = positions.replayed_log(table.campaign).moves
    return [
        place
        for place in range(len(moves) - 1, 0, -1)
        if moves[place].seat in table.own_seats and moves[place].content["by"] == moves[place].seat
    ]


def is_decision(table: TableContext, place: int) -> bool:
    """Return whether a player chose this move: the rules left a choice."""
    pages: Pages | None = table.pages
    if pages is None:
        return True
    replayed = positions.replayed_log(table.campaign)
    return pages.automatic_move(replayed.after(place - 1)) is None


def decided(table: TableContext, sequence: int) -> bool:
    """Return whether the move of this sequence is a decision, and not the opening of the game."""
    moves = positions.replayed_log(table.campaign).moves
    place = next(place for place, move in enumerate(moves) if move.sequence == sequence)
    return place > 0 and is_decision(table, place)


# The panel


def last_undo(table: TableContext, decision: Decision) -> LastUndo:
    listing = consequences(table, decision.rewind)
    rows = [*reversed(listing.older), *reversed(listing.newest)]
    shown = rows if len(rows) <= SHOWN + 1 else rows[:SHOWN]
    asks = not decision.own and not is_alone(table)
    return LastUndo(
        text=sentence_of(table, decision),
        moves=shown,
        more=more_text(len(decision.rewind.moves) - len(shown)),
        listing=listing,
        dice=dice_text(listing),
        asks_reason=asks,
        reason="" if decision.own else _("The player takes it back."),
        fame_lost=fame_lost(table) if not decision.own and listing.dice else "",
        own=own_seats.of_struck(table, decision.rewind.moves) if asks else None,
    )


def sentence_of(table: TableContext, decision: Decision) -> str:
    """Return what is taken back in a sentence."""
    after = len(decision.rewind.moves) - 1
    if decision.first.seat in table.own_seats:
        text = (
            ngettext(
                "Your last decision and the %(n)s move after it are taken back.",
                "Your last decision and the %(n)s moves after it are taken back.",
                after,
            )
            if after
            else _("Your last decision is taken back.")
        )
        return text % {"n": after}
    facts = {"n": after, "name": capitalize(table.name_of(decision.first.seat or GAME_MASTER))}
    text = (
        ngettext(
            "%(name)s: the last decision and the %(n)s move after it are taken back.",
            "%(name)s: the last decision and the %(n)s moves after it are taken back.",
            after,
        )
        if after
        else _("%(name)s: the last decision is taken back.")
    )
    return text % facts


def more_text(count: int) -> str:
    if count <= 0:
        return ""
    return ngettext("And %(n)s more move.", "And %(n)s more moves.", count) % {"n": count}


def dice_text(listing: Consequences) -> str:
    """Return what happens to the dice of the moves; empty if none were thrown."""
    again = _("If you repeat the move, you get the same dice.") if listing.dice else ""
    return " ".join(filter(None, (again, listing.renewed)))


def request_text(table: TableContext) -> str:
    """Return the message that asks the game master to take the reader's last move back.

    It is empty if the reader has not moved, if no one else is a game master, or for guests, who
    cannot reach others.
    """
    others = who_may(table)
    if not others or not table.own_seats or table.campaign.archived:
        return ""
    if not people_services.has_account(table.signed_in_user):
        return ""
    own = table.campaign.entries.filter(
        kind=LogEntry.Kind.MOVE, seat__in=table.own_seats, struck_by=None, number__isnull=False
    )
    last = own.order_by("-sequence").first()
    if last is None:
        return ""
    text = _("Please take back my last move. It is entry %(number)s: %(move)s")
    # Everyone reads the message, so that it contains no effect that only some may see.
    effects: Any = tuple(effect for effect in last.all_effects if effect.audience is None)
    move = table.title.move_line(table.scenario, last.content, effects)
    return text % {"number": last.number, "move": move}


# The acts of the panel


def undo_last(table: TableContext, form: LastUndoForm) -> str:
    """Strike the last decision, and return the message for the reader.

    Raises `TableMovedOn` if anyone has moved since the panel was shown, and `CannotUndo`.
    """
    moved = since(table, form.seen_entry)
    if moved:
        if moved[0].entry.act == UNDO.name and moved[0].entry.actor_id == table.user.pk:
            return ""  # The button was pressed twice.
        raise TableMovedOn([line.entry for line in moved])
    decision = last_decision(table)
    if decision.own:
        services.undo_own(table.campaign, table.user, form.seen_entry)
    else:
        number = decision.rewind.number
        assert number is not None
        services.undo_to(
            table.campaign, table.user, number, form.text_of("reason"), form.seen_entry
        )
    done = _("Taken back. Struck moves stay readable in the log.")
    if not strikes_all(table):
        return done
    again = _("To restore them, choose Undo again.")
    return f"{done} {again}"


def ask_master(table: TableContext) -> str:
    """Ask the game master in the log to take a move back, and return the message for the reader.

    If the button is pressed twice, there is one request. Raises `CannotUndo` if there is no one to
    ask.
    """
    text = request_text(table)[: talk.LONGEST].strip()
    if not text:
        raise CannotUndo("nothing", _("There is nothing to take back."))
    own = table.campaign.entries.filter(
        kind=LogEntry.Kind.TABLE, act=TALK.name, actor=table.user.pk
    )
    last = own.order_by("-sequence").first()
    if last is None or last.content["text"] != text:
        talk.talk(table.campaign, table.user, text)
    return _("Your request is in the log, where the game master can read it.")

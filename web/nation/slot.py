"""The sheet of a nation's slot: its actions, its deadline, the plan, undo, the end of the slot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign import services
from campaign.errors import CannotUndo
from nations import projection as nations
from web.frame.deadlines import Due, deadline_of_slot, then_text, with_moments
from web.frame.table import TableContext
from web.moves.offers import SeatOffers


@dataclass(frozen=True, slots=True)
class Purse:
    """The remaining actions of an open slot."""

    left: str
    left_of_all: str
    """The remaining actions and the initial number, as a heading."""
    discs_label: str
    discs: list[str]
    """Full, half and spent discs: `1`, `h`, `0`."""
    rule: str

    @property
    def text(self) -> str:
        return pgettext("nation", "%(amount)s left") % {"amount": self.left}


@dataclass(frozen=True, slots=True)
class SlotDeadline:
    """The deadline of the open slot."""

    text: SafeString
    left: str
    tone: str
    shows_left: bool
    then: SafeString
    extend_url: str


class OwnUndo(NamedTuple):
    """The move that the reader may take back for the seat."""

    text: str
    url: str


def purse(actor: SeatOffers, rule: str) -> Purse | None:
    """Return the actions of the open slot; None if it is not open.

    `rule` is the paragraph about actions.
    """
    words, table = actor.words, actor.table
    account = words.accounts.get(words.purse)
    if account is None or table.campaign.active_seat != actor.seat:
        return None
    left = table.rows.accounts.get((actor.seat, account.key), 0)
    gained = nations.gained(table.campaign, table.access, actor.seat, account.key)
    had = max(left, gained)
    texts = {"left": words.amount(account.key, left), "had": words.amount(account.key, had)}
    is_one = 0 < had <= account.scale
    heading = (
        _("%(left)s of %(had)s action left") if is_one else _("%(left)s of %(had)s actions left")
    )
    return Purse(
        left=texts["left"],
        left_of_all=heading % texts,
        discs_label=_("%(left)s of %(had)s actions") % texts,
        discs=discs(left, had, account.scale),
        rule=rule,
    )


def discs(left: int, had: int, scale: int) -> list[str]:
    """Return a disc for each whole action that the slot had at its beginning."""
    remaining = ["1"] * (left // scale) + ["h"] * (left % scale > 0)
    spent = -(-had // scale) - len(remaining)
    return remaining + ["0"] * spent


def slot_deadline(actor: SeatOffers, *, for_nation: bool) -> SlotDeadline | None:
    """Return the deadline of the open slot; None if it has none."""
    due = deadline_of_slot(actor.table, actor.seat)
    if due is None:
        return None
    return SlotDeadline(
        text=open_until(due, for_nation=for_nation),
        left=due.left,
        tone=due.tone,
        shows_left=bool(due.tone) or due.held,
        then=then_text(due),
        extend_url=extend_url(actor.table, due),
    )


def open_until(due: Due, *, for_nation: bool) -> SafeString:
    if not for_nation:
        return with_moments(_("Your turn is open until %(at)s."), at=due.at)
    text = _("The turn has been open since %(since)s and is open until %(at)s.")
    return with_moments(text, since=due.clock.entry.at, at=due.at)


def extend_url(table: TableContext, due: Due) -> str:
    """Return the page where a game master extends the deadline; empty for other readers."""
    if not table.host or due.held:
        return ""
    return f"{table.url('clocks')}?extend={due.clock.pk}&back=nation#extend"


def own_undo(actor: SeatOffers) -> OwnUndo | None:
    """Return the move that the reader may take back for this seat; None if there is none."""
    table = actor.table
    if actor.seat not in table.own_seats:
        return None
    try:
        entry = services.own_undo(table.campaign, table.access)
    except CannotUndo:
        return None
    if entry.seat != actor.seat:
        return None
    text = pgettext("nation", "Undo: %(move)s") % {"move": actor.words.move_noun(entry.content)}
    return OwnUndo(text, table.url("undo"))

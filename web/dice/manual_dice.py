"""Dice thrown elsewhere: the announcement that waits for a die, and the forms to enter dice."""

from __future__ import annotations

from dataclasses import dataclass

from campaign.dice import selectors as dice_selectors
from campaign.log import positions
from games import registry
from web.dice.forms import MOST, NO_DICE_TYPED, TypedDice
from web.frame.dice_banners import Parked, parked
from web.frame.table import TableContext
from web.moves import own_seats
from web.moves.own_seats import OwnSeats


@dataclass(frozen=True, slots=True)
class AwaitedDie:
    """A die to be entered, and its typed value."""

    purpose: str
    sides: int
    typed_text: str


@dataclass(frozen=True, slots=True)
class ManualSheet:
    """The forms for members who enter dice; others only see that dice are thrown elsewhere."""

    on: bool
    error: str = ""
    form_values: TypedDice = NO_DICE_TYPED
    parked: Parked | None = None
    master: bool = False
    own: OwnSeats | None = None
    """The game master's own seats that the parked move concerns."""
    ahead: OwnSeats | None = None
    """The game master's own seats that a die entered in advance concerns."""
    dice: tuple[AwaitedDie, ...] = ()

    @property
    def informs_players(self) -> bool:
        return self.on and not self.master


def manual_sheet(table: TableContext, typed_dice: TypedDice, error: str) -> ManualSheet | None:
    """Return the sheet; None if there is nothing to show.

    `error` is the reason why `typed_dice` were refused.
    """
    campaign, waits = table.campaign, parked(table)
    is_master = table.game_master and not campaign.ended and not campaign.archived
    if not is_master and not (waits and waits.mine):
        is_told = campaign.by_hand and not campaign.ended
        return ManualSheet(on=True, error=error) if is_told else None
    if is_master and waits is None and not can_be_manual(table):
        return None
    return ManualSheet(
        on=campaign.by_hand,
        error=error,
        form_values=typed_dice,
        parked=waits,
        master=is_master,
        own=concerned(table, waits) if waits and is_master else None,
        ahead=own_seats.always(table) if is_master else None,
        dice=awaited_dice(table, typed_dice) if waits else (),
    )


def can_be_manual(table: TableContext) -> bool:
    """Return whether dice of this campaign are or can be thrown elsewhere."""
    campaign = table.campaign
    if campaign.by_hand:
        return True
    has_own_page = registry.has_board(campaign.title)
    return not has_own_page and not table.title.hides(positions.options(campaign))


def concerned(table: TableContext, waits: Parked) -> OwnSeats | None:
    return own_seats.of_seat(table, waits.seat) or own_seats.of_move(table, waits.move)


def awaited_dice(table: TableContext, typed_dice: TypedDice) -> tuple[AwaitedDie, ...]:
    dice = dice_selectors.dice_of_parked_move(table.campaign, table.position)[:MOST]
    return tuple(
        AwaitedDie(purpose, sides, typed_dice.dice.get(purpose, "")) for purpose, sides in dice
    )

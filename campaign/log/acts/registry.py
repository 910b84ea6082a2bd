"""The list of all acts, and what follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaign.log.acts import battles, clocks, dice, life, programs, rulings, seats, undo, words
from campaign.log.acts.declaration import NO_NAMES, Act, Content, LineFacts, Place

ALL = (
    undo.GENESIS,
    undo.UNDO,
    undo.RESTORE,
    dice.DIE,
    dice.RENEW,
    dice.MIX,
    battles.SET_UP,
    battles.CLAIM,
    battles.WITHDRAW_CLAIM,
    battles.CONFIRM,
    battles.DISPUTE,
    battles.JUDGE,
    battles.AGREE,
    battles.UNAGREED,
    battles.EVIDENCE,
    battles.SOLO,
    seats.SEAT,
    seats.MASTER,
    seats.NEW_MASTER,
    seats.RESERVE,
    seats.SUBSTITUTE,
    seats.COUNTERSIGNER,
    seats.GUEST,
    seats.LOBBY,
    programs.ABSENCE,
    programs.STANDING,
    programs.DEPUTY,
    programs.PROGRAM,
    programs.FORECAST,
    clocks.CLOCK_TERMS,
    clocks.EXTEND,
    life.LIFE,
    life.HOST,
    words.TALK,
    words.PRESS,
    words.LINK,
    words.SIGHT,
    rulings.RULING,
    rulings.AMENDMENT,
    rulings.OWN_ACCOUNT,
    rulings.COUNTERSIGN,
    rulings.OBJECT,
)
ACTS: Mapping[str, Act] = {act.name: act for act in ALL}
EMPTY_ROW: Mapping[str, Any] = {
    "by_hand": False,
    "given": "{}",
    "parked": "",
    "mixing": "{}",
    "seat_programs": "",
    "helped": False,
    "clock_terms": "",
    "forecast": "",
}
"""The columns that `Act.update_row` writes, before the first entry."""
ALWAYS_PUBLIC = frozenset({"act", "how"})
"""The facts that are public in every act."""

QUIET = frozenset(act.name for act in ALL if act.is_quiet)
CHANGES_POSITION = frozenset(act.name for act in ALL if act.changes_position)
CHANGES_READINGS = frozenset(act.name for act in ALL if act.changes_readings)
CONCERNS_DICE = frozenset(act.name for act in ALL if act.concerns_dice)
BINDS_TEXTS = frozenset(act.name for act in ALL if act.binds_texts)
CORRECTIONS = frozenset(act.name for act in ALL if act.is_correction)
BEGINS_CLOCKS = frozenset(act.name for act in ALL if act.begins_clocks)
NOT_LINKED = frozenset(act.name for act in ALL if not act.is_linked)


def act_of(content: Content) -> Act | None:
    """Return the declaration of a logged act; None if its name is unknown."""
    return ACTS.get(str(content["act"]))


def act_line(
    content: Content, seat: str, names: Mapping[int, str] = NO_NAMES, move: str = ""
) -> str:
    """Return the line of the log for an act (see `LineFacts`); its name if it is unknown.

    Pages show its actor beside the line.
    """
    act = act_of(content)
    if act is None:
        return str(content["act"])
    return act.line(LineFacts(content, seat, names, move))


def people_of(content: Content) -> set[int]:
    """Return the ids of the users whom the line of an act names, besides its actor."""
    act = act_of(content)
    return set() if act is None else act.people(content)


def names_move(content: Content) -> bool:
    """Return whether the line of an act names a move."""
    act = act_of(content)
    return act is not None and act.names_move


def public_facts(content: Content) -> dict[str, Any]:
    """Return the facts of an act that everyone may know who sees it. Users are ids."""
    act = act_of(content)
    known = ALWAYS_PUBLIC if act is None else ALWAYS_PUBLIC | act.public
    return {key: value for key, value in content.items() if key in known}


def update_row(row: Any, content: Content, seat: str, sequence: int) -> None:
    """Write what an act changes in the columns of a campaign's row that repeat the log."""
    act = act_of(content)
    if act is None:
        return
    if change := flag_change(content):
        setattr(row, *change)
    if act.update_row is not None:
        act.update_row(row, content, seat, sequence)


def update_places(places: set[Place], content: Content, seat: str) -> None:
    """Write what an act changes in who has which place."""
    act = act_of(content)
    if act is not None and act.update_places is not None:
        act.update_places(places, content, seat)


def flag_change(content: Content) -> tuple[str, bool] | None:
    """Return which flag of a campaign an act sets to which value; None if it sets none."""
    act = act_of(content)
    return None if act is None else act.flags.get(str(content.get("how")))

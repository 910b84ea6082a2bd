"""The single entry point for moves: check a move, play it, write it to the log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from campaign import access, review, rulebook, status
from campaign.access import Access
from campaign.errors import NoSuchCampaign, NotAllowed, Refused, TableMovedOn
from campaign.log import consequences, positions
from campaign.log import entries as log_entries
from campaign.log.agreements import must_have_agreement
from campaign.log.consequences import PagePosition
from campaign.models import GAME_MASTER, Campaign, LogEntry
from campaign.seats import seating, standing_orders
from engine.dice import Dice
from engine.effects import Effect, Roll
from engine.errors import IllegalMove
from engine.play import Move
from engine.play import play as play_move
from games.contract.title import Branch


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a move: its entries, effects and rolls, not filtered by who may see them.

    A move can make two entries, for example a report on an unanswered challenge. If the move waits
    for a die, the last entry is the act that parks it (`campaign.dice.selectors`).
    """

    campaign: Campaign
    entries: tuple[LogEntry, ...]
    effects: tuple[Effect, ...]
    rolls: tuple[Roll, ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """The possible outcomes of a move, with the effects that the reader may see.

    No die is thrown and nothing is written.
    """

    move: dict[str, Any]
    branches: tuple[Branch, ...]


def play(
    campaign: Campaign,
    user: Any,
    raw_move: object,
    seen: int,
    *,
    now: datetime | None = None,
    program: bool = False,
    strict: bool = False,
    shown: PagePosition | None = None,
) -> Result:
    """Check and play a user's move, and write it and its projections in one transaction.

    If others have moved since the page was read, the move is played if it is still possible and
    means the same as on the position that the user saw (`campaign.log.consequences`).

    Args:
        campaign: The campaign.
        user: The user who sends the move.
        raw_move: The move as JSON values.
        seen: The last entry that the user had read.
        now: The time of the entry, for tests.
        program: Whether our own program has chosen the move. A game master who plays may let it
            move for a seat without a holder.
        strict: Refuse the move if anyone has moved since `seen`, as for programs.
        shown: The position that a page of several moves foresaw; by default the one after `seen`.

    Raises:
        TableMovedOn: Others have moved, and the move is impossible or means something else.
        NotAllowed: The user may not speak with this voice.
        IllegalMove: The title refuses the move; its `sentence` says why. Nothing is written, with
            one exception: if an earlier part of a move that makes two entries threw a die, that
            part is kept, and the refusal of the later part is raised after the commit.
    """
    at = log_entries.moment(now)
    if not positions.known(campaign):
        _speaker(campaign, user)
        # Replayed before the row is locked, so that no other request waits for the replay.
        positions.current(campaign)
    with transaction.atomic():
        table = log_entries.lock(campaign)
        who = _speaker(table, user)
        _must_be_played(table, who, raw_move)
        log_entries.must_not_wait(table)
        position = positions.current(table)
        since = log_entries.since_seen(table, who, seen)
        if since and (strict or program):
            raise TableMovedOn(since)
        if since or shown is not None:
            _must_still_hold(
                table,
                user,
                who,
                raw_move,
                since,
                shown or consequences.page_position_at(table, who, seen),
            )
        move = _admitted(table, position, who, raw_move, program)
        announced = log_entries.announce(
            table, user, position, move, positions.dice(table, new=True), at
        )
        if announced.refused is not None and not any(
            receipt.rolls for receipt in announced.receipts
        ):
            raise announced.refused
        log_entries.save_campaign(table, announced.position)
        if announced.entries[-1].is_move:
            standing_orders.carry_out_at_once(table, announced.entries[-1], position, at)
        review.ask_for_moves(table, user, announced.entries, position, announced.position, at)
    if announced.refused is not None:
        raise announced.refused
    effects = tuple(effect for receipt in announced.receipts for effect in receipt.effects)
    return Result(
        table,
        tuple(announced.entries),
        effects,
        tuple(roll for receipt in announced.receipts for roll in receipt.rolls),
    )


def must_still_hold(
    campaign: Campaign,
    user: Any,
    raw_moves: Sequence[object],
    seen: int,
    *,
    shown: PagePosition | None = None,
) -> None:
    """Raise `TableMovedOn` if a move no longer means what it meant on the page.

    `seen` is the page's last entry. The page showed each move on the position after the moves
    before it. It showed no position beyond a die.
    """
    who = _speaker(campaign, user)
    since = log_entries.since_seen(campaign, who, seen)
    if not since:
        return
    on_page = shown or consequences.page_position_at(campaign, who, seen)
    on_table = PagePosition(campaign, positions.current(campaign))
    for place, raw in enumerate(raw_moves):
        if place and (on_page.position is None or on_table.position is None):
            return
        _must_still_hold(campaign, user, who, raw, since, on_page, on_table.position)
        spoken = _spoken(who, raw)
        assert isinstance(spoken, dict)
        on_page.advance(spoken)
        on_table.advance(spoken)


def _must_still_hold(
    table: Campaign,
    user: Any,
    who: Access,
    raw: object,
    since: Sequence[LogEntry],
    shown: PagePosition,
    now: Any = None,
) -> None:
    """Raise `TableMovedOn` if this move must not be played because of the entries in `since`."""
    spoken = _spoken(who, raw)
    again = _moves_before(table, user, spoken, since, shown.position)
    if again:
        raise TableMovedOn(since, again=again)
    position = positions.current(table) if now is None else now
    try:
        move = _admitted(table, position, who, spoken)
    except IllegalMove as refusal:
        raise TableMovedOn(since, why=refusal.sentence) from refusal
    if not consequences.still_holds(table, who, move.to_json(), shown.position, position):
        raise TableMovedOn(since, changed=shown.position is not None)


def result_must_still_hold(table: Campaign, who: Access, raw: Mapping[str, Any], seen: int) -> None:
    """Raise `TableMovedOn` if an entered result no longer means what it meant on the page.

    `seen` is the page's last entry.
    """
    since = log_entries.since_seen(table, who, seen)
    if not since:
        return
    shown, position = consequences.page_position_at(table, who, seen), positions.current(table)
    try:
        log_entries.allowed_move(table, position, dict(raw))
    except IllegalMove as refusal:
        raise TableMovedOn(since, why=refusal.sentence) from refusal
    if not consequences.still_holds(table, who, raw, shown.position, position):
        raise TableMovedOn(since, changed=shown.position is not None)


def _moves_before(
    table: Campaign, user: Any, spoken: object, since: Sequence[LogEntry], shown: Any
) -> list[LogEntry]:
    """Return the later entries with which this user has already made the same move.

    The user pressed a button twice, or lost the answer. A move may make two entries at the same
    moment; the second is the move.
    """
    same = [spoken]
    with suppress(IllegalMove):
        same.append(
            log_entries.as_logged(table.game, shown or positions.current(table), spoken).to_json()
        )
    for entry in since:
        own = entry.is_move and entry.struck_by_id is None and entry.actor_id == user.pk
        if own and entry.content in same:
            return [
                row
                for row in since
                if (row.actor_id, row.at) == (entry.actor_id, entry.at) and row.is_move
            ]
    return []


def _spoken(who: Access, raw: object) -> object:
    """Return the move with its voice: the user's first voice if the move names none."""
    return {"by": who.voices[0], **raw} if isinstance(raw, dict) and "by" not in raw else raw


def preview(campaign: Campaign, user: Any, raw_move: object) -> Preview:
    """Return the possible outcomes of a move now. Writes nothing; raises as `play` does."""
    who = _speaker(campaign, user)
    _must_be_played(campaign, who, raw_move)
    position = positions.current(campaign)
    move = _admitted(campaign, position, who, raw_move)
    try:
        branches = campaign.game.branches(position, move)
    except IllegalMove as refusal:
        log_entries.set_sentence(campaign, refusal)
        raise
    seen = [
        branch._replace(effects=tuple(e for e in branch.effects if who.sees(e.audience)))
        for branch in branches
    ]
    return Preview(move.to_json(), tuple(seen))


@dataclass(frozen=True, slots=True)
class Plan:
    """The position after planned moves.

    `count` says how many of the moves are possible, `refused` why the next one is not.
    """

    position: Any
    count: int
    refused: IllegalMove | None = None


def foresee(campaign: Campaign, user: Any, raws: Sequence[object]) -> Plan:
    """Return the position after several moves that throw no die. Writes nothing.

    Stops before the first move that the rules refuse or that needs a die (`no-dice`). Raises
    `NotAllowed` and `NotNow` as `play` does.
    """
    who = _speaker(campaign, user)
    position, count = positions.current(campaign), 0
    for raw in raws:
        _must_be_played(campaign, who, raw)
        try:
            move = _admitted(campaign, position, who, raw)
            position = play_move(
                position, move, Dice(campaign.game.last_link(positions.scenario(campaign)))
            ).after
        except IllegalMove as refusal:
            log_entries.set_sentence(campaign, refusal)
            return Plan(position, count, refusal)
        count += 1
    return Plan(position, count)


def _speaker(campaign: Campaign, user: Any) -> Access:
    """Return the user's access; raise an error if they may speak for no seat."""
    who = access.access_of(campaign, user)
    if who.voices:
        return who
    if campaign.visibility == Campaign.Visibility.MEMBERS and not who.member:
        raise NoSuchCampaign
    if who.host:
        raise NotAllowed("game-master-only", _(access.NO_FULL_SIGHT))
    raise NotAllowed(
        "not-at-the-table",
        _("Only the game master and people who hold a seat at this table may play."),
    )


def _must_be_played(campaign: Campaign, who: Access, raw: object) -> None:
    """Raise an error if the campaign is not being played.

    In a pause the game master can still enter corrections and results in their own name, but no
    seat's moves.
    """
    own = isinstance(raw, dict) and raw.get("by", who.voices[0]) == GAME_MASTER and "for" not in raw
    status.must_be_played(campaign, own and who.game_master)


def _admitted(
    campaign: Campaign, position: Any, who: Access, raw: object, program: bool = False
) -> Move:
    """Return the move if its form and voice are right and nothing forbids it before a die falls."""
    raw = _spoken(who, raw)
    if (
        isinstance(raw, dict)
        and raw.get("by") not in who.voices
        and not (program and _is_for_free_seat(campaign, who, raw))
    ):
        raise NotAllowed("not-your-seat", _("This is not your seat."))
    move = log_entries.allowed_move(campaign, position, raw)
    rulebook.must_be_agreed(campaign, move.to_json())
    must_have_agreement(campaign, position, move.to_json())
    return move


def _is_for_free_seat(campaign: Campaign, who: Access, raw: dict[str, Any]) -> bool:
    """Return whether a game master moves here for a seat without a human holder."""
    free = (*seating.free_seats(campaign), *seating.program_seats(campaign))
    return who.host and raw.get("by") == GAME_MASTER and raw.get("for") in free


# Moves of the game master that the table itself enters: a result that both sides of a contest
# agreed on, or a judgment.


def checked_move(table: Campaign, raw: Mapping[str, Any]) -> Move:
    """Return the move as the log will store it, if nothing forbids it now.

    Raises `IllegalMove` with its `sentence`.
    """
    move = log_entries.allowed_move(table, positions.current(table), dict(raw))
    if move.seat != GAME_MASTER:
        raise Refused("no-result", _("A result must be a move of the game master."))
    return move


def enter(table: Campaign, actor: Any, move: Move, at: datetime) -> LogEntry:
    """Play a checked move of the game master at once.

    The caller holds the campaign's row and has checked that the actor may do this. The record has
    the move as the game master's; the entry's actor is the user who caused it, and the act before
    it says how.
    """
    before = positions.current(table)
    if len(table.game.expand(before, move)) > 1:
        raise Refused(
            "two-moves",
            _(
                "This result takes two moves. The game master must announce both, one after the"
                " other."
            ),
        )
    log_entries.must_not_wait(table)
    entry, played = log_entries.play_or_park(
        table, actor, before, move.to_json(), positions.dice(table, new=True), at
    )
    log_entries.save_campaign(table, before if played is None else played.after)
    return entry

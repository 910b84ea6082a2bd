"""One move, from the form to the log (HOUSE)."""

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
from campaign.log.consequences import Shown
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
    """What came of a move: its entries (a report on an unanswered challenge makes two), unfiltered.
    The last is an act where the announcement is parked until its die is there
    (`campaign.dice.selectors`).
    """

    campaign: Campaign
    entries: tuple[LogEntry, ...]
    effects: tuple[Effect, ...]
    rolls: tuple[Roll, ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """What would come of a move: its ways to turn out, effects filtered for who asks; nothing
    thrown or written.
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
    shown: Shown | None = None,
) -> Result:
    """Play a user's move: locked, checked, logged, projected, in one transaction. `program`: our
    own program has chosen it, which a game master who plays may let it do for a seat that nobody
    holds.

    `seen` is the last entry that the user had read. If others have moved since, the move is played
    if it is still possible and means the same as on the position that the user saw
    (`campaign.log.consequences`): the position after `seen`, or `shown`, which a page of several
    moves foresaw. With `strict`, and for programs, the move is then not played.

    Raises `TableMovedOn` if it is not, `NotAllowed` if the voice is not theirs, and the title's
    `IllegalMove` with its `sentence`; then nothing is written. One exception: where an earlier part
    of a move that makes two entries threw a die, that part stands, and the `IllegalMove` of the
    later part is raised after commit.
    """
    at = log_entries.moment(now)
    if not positions.known(campaign):
        _speaker(campaign, user)
        positions.current(campaign)  # replayed before the row is held, so that nobody waits for it
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
                table, user, who, raw_move, since, shown or consequences.shown_at(table, who, seen)
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
            standing_orders.at_once(table, announced.entries[-1], position, at)
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
    shown: Shown | None = None,
) -> None:
    """Raise `TableMovedOn` if a move no longer means what it meant on the page whose last entry was
    `seen`.

    The page showed each move on the position after the moves before it. It showed nothing of moves
    behind a die.
    """
    who = _speaker(campaign, user)
    since = log_entries.since_seen(campaign, who, seen)
    if not since:
        return
    then = shown or consequences.shown_at(campaign, who, seen)
    now = Shown(campaign, positions.current(campaign))
    for place, raw in enumerate(raw_moves):
        if place and (then.position is None or now.position is None):
            return
        _must_still_hold(campaign, user, who, raw, since, then, now.position)
        spoken = _spoken(who, raw)
        assert isinstance(spoken, dict)
        then.advance(spoken)
        now.advance(spoken)


def _must_still_hold(
    table: Campaign,
    user: Any,
    who: Access,
    raw: object,
    since: Sequence[LogEntry],
    shown: Shown,
    now: Any = None,
) -> None:
    """Raise `TableMovedOn` if others have moved `since` and this move must not be played as it was
    sent.
    """
    spoken = _spoken(who, raw)
    again = _moves_before(table, user, spoken, since, shown.position)
    if again:
        raise TableMovedOn(since, again=again)
    position = positions.current(table) if now is None else now
    try:
        move = _admitted(table, position, who, spoken)
    except IllegalMove as refusal:
        raise TableMovedOn(since, why=refusal.sentence) from refusal
    if not consequences.hold(table, who, move.to_json(), shown.position, position):
        raise TableMovedOn(since, changed=shown.position is not None)


def result_must_still_hold(table: Campaign, who: Access, raw: Mapping[str, Any], seen: int) -> None:
    """Raise `TableMovedOn` if an entered result no longer means what it meant on the page whose
    last entry was `seen`.
    """
    since = log_entries.since_seen(table, who, seen)
    if not since:
        return
    shown, position = consequences.shown_at(table, who, seen), positions.current(table)
    try:
        log_entries.allowed(table, position, dict(raw))
    except IllegalMove as refusal:
        raise TableMovedOn(since, why=refusal.sentence) from refusal
    if not consequences.hold(table, who, raw, shown.position, position):
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
    """Return the move with its voice: the reader's first voice if the move names none."""
    return {"by": who.voices[0], **raw} if isinstance(raw, dict) and "by" not in raw else raw


def preview(campaign: Campaign, user: Any, raw_move: object) -> Preview:
    """How the move may turn out now. Raises as `play` does, and writes nothing."""
    who = _speaker(campaign, user)
    _must_be_played(campaign, who, raw_move)
    position = positions.current(campaign)
    move = _admitted(campaign, position, who, raw_move)
    try:
        branches = campaign.game.branches(position, move)
    except IllegalMove as refusal:
        log_entries.render(campaign, refusal)
        raise
    seen = [
        branch._replace(effects=tuple(e for e in branch.effects if who.sees(e.audience)))
        for branch in branches
    ]
    return Preview(move.to_json(), tuple(seen))


@dataclass(frozen=True, slots=True)
class Plan:
    """Where planned moves would lead: the position, how many of them go, and why the next one does
    not.
    """

    position: Any
    count: int
    refused: IllegalMove | None = None


def foresee(campaign: Campaign, user: Any, raws: Sequence[object]) -> Plan:
    """The position after moves that throw no die, one after the other; nothing is written. It ends
    before the first that the rules refuse, or that needs a die (`no-dice`). Raises `NotAllowed` and
    `NotNow` as `play` does.
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
            log_entries.render(campaign, refusal)
            return Plan(position, count, refusal)
        count += 1
    return Plan(position, count)


def _speaker(campaign: Campaign, user: Any) -> Access:
    who = access.access_of(campaign, user)
    if who.voices:
        return who
    if campaign.visibility == Campaign.Visibility.MEMBERS and not who.member:
        raise NoSuchCampaign
    if who.host:
        raise NotAllowed("game-master-only", _(access.BLIND))
    raise NotAllowed(
        "not-at-the-table",
        _("Only people who hold a seat at this table, and the game master, may play."),
    )


def _must_be_played(campaign: Campaign, who: Access, raw: object) -> None:
    """In a pause the game master goes on in their own name: corrections and results, no seat's
    moves.
    """
    own = isinstance(raw, dict) and raw.get("by", who.voices[0]) == GAME_MASTER and "for" not in raw
    status.must_be_played(campaign, own and who.game_master)


def _admitted(
    campaign: Campaign, position: Any, who: Access, raw: object, program: bool = False
) -> Move:
    """The move, if its form is right, its voice this user's, and nothing forbids it before a die is
    thrown.
    """
    raw = _spoken(who, raw)
    if (
        isinstance(raw, dict)
        and raw.get("by") not in who.voices
        and not (program and _of_nobody(campaign, who, raw))
    ):
        raise NotAllowed("not-your-seat", _("You do not hold this seat."))
    move = log_entries.allowed(campaign, position, raw)
    rulebook.must_be_agreed(campaign, move.to_json())
    must_have_agreement(campaign, position, move.to_json())
    return move


def _of_nobody(campaign: Campaign, who: Access, raw: dict[str, Any]) -> bool:
    """Is it a game master's word for a seat that no person holds?"""
    free = (*seating.free_seats(campaign), *seating.program_seats(campaign))
    return who.host and raw.get("by") == GAME_MASTER and raw.get("for") in free


# A game master's move that the table itself enters: what both sides of a contest agreed on, or what
# was judged.


def checked_move(table: Campaign, raw: Mapping[str, Any]) -> Move:
    """The move as it will be read from the log, if nothing forbids it now. Raises `IllegalMove`
    with its `sentence`.
    """
    move = log_entries.allowed(table, positions.current(table), dict(raw))
    if move.seat != GAME_MASTER:
        raise Refused("no-result", _("Only the game master's own moves enter a result."))
    return move


def enter(table: Campaign, actor: Any, move: Move, at: datetime) -> LogEntry:
    """Play it at once. Asks for a transaction that holds the campaign's row, and for who may to be
    asked before.

    The record knows it as the game master's; the entry's actor is who brought it about, and the act
    before says how.
    """
    before = positions.current(table)
    if len(table.game.expand(before, move)) > 1:
        raise Refused(
            "two-moves", _("This result makes two entries. Both must be announced before.")
        )
    log_entries.must_not_wait(table)
    entry, played = log_entries.say_or_park(
        table, actor, before, move.to_json(), positions.dice(table, new=True), at
    )
    log_entries.save_campaign(table, before if played is None else played.after)
    return entry

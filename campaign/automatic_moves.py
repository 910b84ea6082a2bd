"""Playing on: a campaign continues by itself, or by a program, until it waits for a person.

The request that starts it makes the first moves; the worker makes the rest, or the pulse if no
worker takes it. The task is stored in the campaign's row (`Campaign.onward`), and each move is
played like any other, so that nothing is lost or done twice if a process dies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import cached_property
from time import monotonic
from typing import Any, NamedTuple

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from campaign import access, keys, open_pages, services
from campaign.access import Access
from campaign.errors import TableError, TableMovedOn
from campaign.log import selectors
from campaign.log.acts.registry import CHANGES_POSITION
from campaign.models import GAME_MASTER, Campaign, LogEntry
from campaign.seats import seating
from campaign.seats.selectors import program_levels
from engine.errors import IllegalMove
from games.contract.pages import Pages, WithProposedMoves
from games.contract.players import WithProgress

STEP, ON, OUT, NOW, END = "step", "on", "out", "deputy", "end"
"""The ways to play on.

One move; everything that happens by itself; also the answers that the page proposes, until the turn
is over; also a program's moves, until a later turn needs a person; the same to the end.
"""
WAYS = (STEP, ON, OUT, NOW, END)
HOW = {NOW: "now", END: "end"}
"""The `how` of the act which logs that a program chooses, for each way that uses a program."""
SHARE, MOST = 1.0, 400
"""The seconds and the number of moves for which the request itself plays on."""
SLICE = 5.0
"""The seconds for which a worker plays on before other campaigns have their turn."""
SILENCE = timedelta(seconds=60)
"""A process gives a sign of life before each move.

If it is silent for so long, it is gone.
"""
MISSES = 20
"""How many times other entries may interrupt a run before it leaves the rest to the next task."""


class NextMove(NamedTuple):
    """The next move, and the `how` of the program that chose it, if one did."""

    move: Mapping[str, Any]
    how: str = ""


class Voice:
    """The seats for which a user can play on, in a title with its own board.

    A user who plays alone is game master, too.
    """

    def __init__(
        self, who: Access, solo: bool, seats: tuple[str, ...], free: Callable[[], tuple[str, ...]]
    ) -> None:
        self.who, self.solo, self.seats, self._free = who, solo, seats, free

    @property
    def own(self) -> tuple[str, ...]:
        """The voices of the user; the game master's own voice only if several people play."""
        return (
            (*self.who.seats, GAME_MASTER)
            if self.who.game_master and not self.solo
            else self.who.seats
        )

    @cached_property
    def deputes(self) -> tuple[str, ...]:
        """The seats of others for which the user may let a program choose.

        A game master may do so for any seat; if they play and hands are hidden, only for free
        seats.
        """
        if self.solo or not self.who.host:
            return ()
        return self.seats if self.who.game_master else self._free()

    def speak(self, raw: Mapping[str, Any], *, program: bool = False) -> dict[str, Any]:
        """Return the move with its voice: by default the user's seat.

        For the seat of another person, or of no one, the game master makes the move `for` that
        seat. A game master who plays where hands are hidden makes the table's first move as their
        seat, and lets a `program` choose for a free seat.
        """
        own = self.own
        spoken = {"by": own[0], **raw}
        if spoken["by"] in own:
            return spoken
        if self.who.game_master or (program and spoken["by"] in self.deputes):
            return {**spoken, "by": GAME_MASTER, "for": spoken["by"]}
        return {**spoken, "by": own[0]} if self.who.host and spoken["by"] == GAME_MASTER else spoken


class Task(NamedTuple):
    """The stored task: the user who started it, the way and the turn at which it started.

    `key` identifies the task, and `seat` is the seat that the program plays. `first` is the number
    of the first entry, `last` the sequence of the last move, `moves` the number of moves made.
    `held` is the time until which a process holds the task.
    """

    user: int
    how: str
    turn: int
    key: str
    seat: str = ""
    first: int | None = None
    last: int = -1
    moves: int = 0
    held: str = ""

    @property
    def stored(self) -> dict[str, Any]:
        """The value of `Campaign.onward`."""
        return self._asdict()


class RunResult(NamedTuple):
    """The result of one run: the task's first entry, the number of moves, and why it ended."""

    first: int | None
    moves: int
    more: bool
    refused: Exception | None = None


def task(campaign: Campaign) -> Task | None:
    """Return the task of a campaign; None if it has none."""
    return Task(**campaign.onward) if campaign.onward else None


def progress(campaign: Campaign, position: Any) -> tuple[int, int] | None:
    """Return how far the campaign or the turn is, and of how much; None if no number is known.

    It is the campaign if it is played to the end, otherwise the turn.
    """
    asked, players = task(campaign), campaign.game.players
    if asked is None or not isinstance(players, WithProgress):
        return None
    return players.measure(position, asked.how == END)


def begin(campaign: Campaign, user: Any, how: str) -> bool:
    """Store a new task; return False if the campaign has one already."""
    row = Campaign.objects.filter(pk=campaign.pk, onward__isnull=True)
    stands = row.values_list("turn", "last_sequence").first()
    if stands is None:
        return False
    asked = Task(user.pk, how, stands[0], keys.new_public_id(), last=stands[1])
    begun = bool(row.update(onward=asked.stored, changes=F("changes") + 1))
    open_pages.changed(campaign)
    return begun


def stop(campaign: Campaign) -> None:
    """Remove the task of a campaign. A move that is being made is still made."""
    Campaign.objects.filter(pk=campaign.pk).update(onward=None, changes=F("changes") + 1)
    open_pages.changed(campaign)


def advance(pk: int, seconds: float = SLICE, most: int | None = None) -> RunResult:
    """Play on for so many seconds, and at most so many moves.

    Does nothing if there is no task, or if another process holds it. A refusal by the rules or the
    table ends the task and is in the result; it is not raised.
    """
    campaign = Campaign.objects.filter(pk=pk).first()
    asked = task(campaign) if campaign is not None else None
    if campaign is None or asked is None or _is_held(asked):
        return RunResult(None, 0, False)
    mine = _Hold(campaign, asked)
    if not mine.keep(asked):
        return RunResult(None, 0, False)
    pages = campaign.game.pages
    user = get_user_model().objects.filter(pk=asked.user, is_active=True).first()
    if pages is None or user is None:
        mine.end()
        return RunResult(mine.task.first, 0, False)
    return _play_on(mine, pages, user, until=monotonic() + seconds, most=most)


def _is_held(play_task: Task) -> bool:
    """Return whether another process plays on now."""
    return bool(play_task.held) and datetime.fromisoformat(play_task.held) > timezone.now()


def _play_on(mine: _Hold, pages: Pages, user: Any, *, until: float, most: int | None) -> RunResult:
    """Make moves until the task is done, the time is over, or something stops it."""
    moves = misses = 0
    while True:
        campaign = Campaign.objects.get(pk=mine.campaign.pk)
        if campaign.onward != mine.stored:
            # It was stopped, or another process has taken it over.
            return RunResult(mine.task.first, moves, False)
        try:
            following = _next(campaign, pages, mine.task)
            if following is None:
                mine.end()
                return RunResult(mine.task.first, moves, False)
            if moves == most or monotonic() > until:
                return _paused(mine, moves)
            _move(campaign, user, mine, following)
            moves += 1
        except _Stopped:
            return RunResult(mine.task.first, moves, False)
        except TableMovedOn:
            misses += 1
            if misses > MISSES:
                return _paused(mine, moves)
        except (TableError, IllegalMove) as refusal:
            mine.end()
            return RunResult(mine.task.first, moves, False, refusal)


def _paused(mine: _Hold, moves: int) -> RunResult:
    """Leave the rest to any process."""
    mine.keep(mine.task, free=True)
    return RunResult(mine.task.first, moves, True)


class _Hold:
    """A process's hold on a task: the row changes only if it is as this process wrote it last."""

    def __init__(self, campaign: Campaign, play_task: Task) -> None:
        self.campaign, self.task, self.stored = campaign, play_task, play_task.stored
        self.rows = Campaign.objects.filter(pk=campaign.pk)

    def keep(self, play_task: Task, *, free: bool = False) -> bool:
        """Store the task; `free` lets any process continue it.

        Return False if the row has changed.
        """
        play_task = play_task._replace(held="" if free else (timezone.now() + SILENCE).isoformat())
        if not self.rows.filter(onward=self.stored).update(
            onward=play_task.stored, changes=F("changes") + 1
        ):
            return False
        self.task, self.stored = play_task, play_task.stored
        return True

    def end(self) -> None:
        """Remove the task."""
        if self.rows.filter(onward=self.stored).update(onward=None, changes=F("changes") + 1):
            open_pages.changed(self.campaign)


def _next(campaign: Campaign, pages: Pages, play_task: Task) -> NextMove | None:
    """Return the next move; None if the task is done, or a person has moved or undone a move."""
    if (
        campaign.ended
        or (play_task.how == STEP and play_task.moves)
        or _others_moved(campaign, play_task)
    ):
        return None
    position = selectors.position(campaign)
    following = pages.automatic_move(position)
    if following is not None:
        return NextMove(following)
    if (
        play_task.how == OUT
        and campaign.turn == play_task.turn
        and isinstance(pages, WithProposedMoves)
    ):
        # The user has agreed to proposals beforehand, so this is the user's move, not a program's.
        proposed = pages.proposed(position)
        return None if proposed is None else NextMove(proposed)
    if play_task.how not in HOW or (play_task.how == NOW and campaign.turn > play_task.turn):
        return None
    chosen = pages.program_move(position)
    if chosen is None:
        return None
    user = get_user_model().objects.get(pk=play_task.user)
    seat = voice(campaign, user).speak(chosen, program=True)
    mover = str(seat.get("for", seat["by"]))
    programs = {*seating.program_seats(campaign), *program_levels(campaign)}
    if (play_task.seat and mover != play_task.seat) or mover in programs:
        return None  # It is the turn of another seat, for which the program was not asked to play.
    return NextMove(chosen, HOW[play_task.how])


def _others_moved(campaign: Campaign, play_task: Task) -> bool:
    """Return whether a person has moved, or a move was undone, since the task's last move."""
    if campaign.last_sequence == play_task.last:
        return False
    later = LogEntry.objects.filter(campaign=campaign, sequence__gt=play_task.last)
    return later.filter(
        Q(kind=LogEntry.Kind.MOVE, actor__isnull=False) | Q(act__in=CHANGES_POSITION)
    ).exists()


class _Stopped(Exception):
    """A task that was stopped. The move that was being made is rolled back."""


@transaction.atomic
def _move(campaign: Campaign, user: Any, mine: _Hold, following: NextMove) -> None:
    """Play the next move and store that it is made.

    Before the first move that a program chooses, the log says so.
    """
    asked, program = mine.task, bool(following.how)
    move = voice(campaign, user).speak(following.move, program=program)
    seen = selectors.seen(campaign, user)
    if program and not asked.seat:
        asked = asked._replace(seat=str(move.get("for", move["by"])))
        services.deputize(campaign, user, asked.seat, following.how, seen)
        seen += 1
    result = services.play(campaign, user, move, seen, program=program, strict=True)
    first = result.entries[0].number if asked.first is None else asked.first
    if not mine.keep(
        asked._replace(first=first, last=result.campaign.last_sequence, moves=asked.moves + 1)
    ):
        raise _Stopped


def voice(campaign: Campaign, user: Any) -> Voice:
    """Return the seats for which a user can play on here."""
    seats = tuple(seating.seat_keys(campaign))

    def free() -> tuple[str, ...]:
        return (*seating.free_seats(campaign), *seating.program_seats(campaign))

    return Voice(access.access_of(campaign, user), len(seats) == 1, seats, free)


def tick(now: datetime, most: int) -> int:
    """Continue tasks that no process holds, as part of the pulse; return how many."""
    done = 0
    for campaign in Campaign.objects.filter(onward__isnull=False).order_by("pk"):
        if done >= most:
            break
        asked = task(campaign)
        if asked is None or (asked.held and datetime.fromisoformat(asked.held) > now):
            continue
        advance(campaign.pk)
        done += 1
    return done

"""Playing on: what goes on by itself, and what a program is asked to play, until it is done
(`Campaign.onward`).

Whoever asks gets the first moves at once; the rest is the worker's, and the pulse's where no worker
takes it. What was asked stands in the campaign's row, and each move goes through the door, so that
nothing is lost or done twice where a process dies.
"""

from __future__ import annotations

import json
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
from engine.errors import IllegalMove
from games.contract.pages import Answering, Pages
from games.contract.players import Measured

STEP, ON, OUT, NOW, END = "step", "on", "out", "deputy", "end"
"""One move; what goes on by itself; beside that the answers that the page proposes, until the turn
is over; beside that a program's moves until a later turn asks, or to the end.
"""
WAYS = (STEP, ON, OUT, NOW, END)
HOW = {NOW: "now", END: "end"}
"""What the log says of a program, by the way."""
SHARE, MOST = 1.0, 400
"""So many seconds who asks waits for the first moves, and so many of them at most."""
SLICE = 5.0
"""So many seconds are played at one go by a worker; then others have their turn."""
SILENCE = timedelta(seconds=60)
"""Whoever plays says so before each move; silent for so long, they are gone."""
MISSES = 20
"""So often something else may come between two moves before it is left to the next task."""


class Next(NamedTuple):
    """The next move, and whether a program chose it: then `HOW` the log says, else empty."""

    move: Mapping[str, Any]
    how: str = ""


class Voice:
    """As whom somebody plays on at a table with a page of its own. A person alone is game master,
    too.
    """

    def __init__(
        self, who: Access, solo: bool, seats: tuple[str, ...], free: Callable[[], tuple[str, ...]]
    ) -> None:
        self.who, self.solo, self.seats, self._free = who, solo, seats, free

    @property
    def own(self) -> tuple[str, ...]:
        """The seats they may speak for; a game master's own voice counts where several play."""
        return (
            (*self.who.seats, GAME_MASTER)
            if self.who.game_master and not self.solo
            else self.who.seats
        )

    @cached_property
    def deputes(self) -> tuple[str, ...]:
        """The seats of others for which they may let a program choose: any for a game master; for
        one who plays where hands are hidden, those that nobody holds.
        """
        if self.solo or not self.who.host:
            return ()
        return self.seats if self.who.game_master else self._free()

    def speak(self, raw: Mapping[str, Any], *, program: bool = False) -> dict[str, Any]:
        """The move with its voice: the own seat, where the title leaves it out.

        Of a seat that is another's, or nobody's, the game master makes it `for` that seat. A game
        master who plays where hands are hidden says what begins the table as their seat, and lets a
        `program` choose for a seat that nobody holds.
        """
        own = self.own
        spoken = {"by": own[0], **raw}
        if spoken["by"] in own:
            return spoken
        if self.who.game_master or (program and spoken["by"] in self.deputes):
            return {**spoken, "by": GAME_MASTER, "for": spoken["by"]}
        return {**spoken, "by": own[0]} if self.who.host and spoken["by"] == GAME_MASTER else spoken


class Task(NamedTuple):
    """What stands in the campaign's row: who asked, which way, from which turn on, whose seat the
    program plays, the first entry, the last sequence, how many moves, until when somebody plays it,
    and a key of its own.
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
    def text(self) -> str:
        return json.dumps(self._asdict())


class Share(NamedTuple):
    """What came of one go: the first entry of the whole, the moves made in it, is there more, and
    what stopped it.
    """

    first: int | None
    moves: int
    more: bool
    refused: Exception | None = None


def task(campaign: Campaign) -> Task | None:
    """What is being played on here; None where nothing is."""
    return Task(**json.loads(campaign.onward)) if campaign.onward else None


def progress(campaign: Campaign, position: Any) -> tuple[int, int] | None:
    """How far it is, and of how much: of the whole where it is played to the end, else of the turn.
    None where no number says.
    """
    asked, players = task(campaign), campaign.game.players
    if asked is None or not isinstance(players, Measured):
        return None
    return players.measure(position, asked.how == END)


def begin(campaign: Campaign, user: Any, how: str) -> bool:
    """Write down what is asked of the table as it stands; False where something is being played on
    already.
    """
    row = Campaign.objects.filter(pk=campaign.pk, onward="")
    stands = row.values_list("turn", "last_sequence").first()
    if stands is None:
        return False
    asked = Task(user.pk, how, stands[0], keys.new_public_id(), last=stands[1])
    begun = bool(row.update(onward=asked.text, changes=F("changes") + 1))
    open_pages.changed(campaign)
    return begun


def stop(campaign: Campaign) -> None:
    """No further move of it; one that is being made is made."""
    Campaign.objects.filter(pk=campaign.pk).update(onward="", changes=F("changes") + 1)
    open_pages.changed(campaign)


def advance(pk: int, seconds: float = SLICE, most: int | None = None) -> Share:
    """Play on for so many seconds, at most so many moves.

    Does nothing if nothing is asked, or if another process plays it. Raises nothing: what the rules
    or the table forbid ends it, and is answered.
    """
    campaign = Campaign.objects.filter(pk=pk).first()
    asked = task(campaign) if campaign is not None else None
    if campaign is None or asked is None or _is_held(asked):
        return Share(None, 0, False)
    mine = _Hold(campaign, asked)
    if not mine.keep(asked):
        return Share(None, 0, False)
    pages = campaign.game.pages
    user = get_user_model().objects.filter(pk=asked.user, is_active=True).first()
    if pages is None or user is None:
        mine.end()
        return Share(mine.task.first, 0, False)
    return _play_on(mine, pages, user, until=monotonic() + seconds, most=most)


def _is_held(asked: Task) -> bool:
    """Return whether another process plays on now."""
    return bool(asked.held) and datetime.fromisoformat(asked.held) > timezone.now()


def _play_on(mine: _Hold, pages: Pages, user: Any, *, until: float, most: int | None) -> Share:
    moves = misses = 0
    while True:
        campaign = Campaign.objects.get(pk=mine.campaign.pk)
        if campaign.onward != mine.text:
            return Share(mine.task.first, moves, False)  # stopped, or taken over
        try:
            following = _next(campaign, pages, mine.task)
            if following is None:
                mine.end()
                return Share(mine.task.first, moves, False)
            if moves == most or monotonic() > until:
                return _paused(mine, moves)
            _move(campaign, user, mine, following)
            moves += 1
        except _Stopped:
            return Share(mine.task.first, moves, False)
        except TableMovedOn:
            misses += 1
            if misses > MISSES:
                return _paused(mine, moves)
        except (TableError, IllegalMove) as refusal:
            mine.end()
            return Share(mine.task.first, moves, False, refusal)


def _paused(mine: _Hold, moves: int) -> Share:
    """Leave the rest to any process."""
    mine.keep(mine.task, free=True)
    return Share(mine.task.first, moves, True)


class _Hold:
    """A campaign's row as who plays on wrote it last: changed only where it still stands so."""

    def __init__(self, campaign: Campaign, asked: Task) -> None:
        self.campaign, self.task, self.text = campaign, asked, asked.text
        self.rows = Campaign.objects.filter(pk=campaign.pk)

    def keep(self, asked: Task, *, free: bool = False) -> bool:
        """Write it; `free`: anybody may go on. False where the row stands otherwise."""
        asked = asked._replace(held="" if free else (timezone.now() + SILENCE).isoformat())
        if not self.rows.filter(onward=self.text).update(
            onward=asked.text, changes=F("changes") + 1
        ):
            return False
        self.task, self.text = asked, asked.text
        return True

    def end(self) -> None:
        if self.rows.filter(onward=self.text).update(onward="", changes=F("changes") + 1):
            open_pages.changed(self.campaign)


def _next(campaign: Campaign, pages: Pages, asked: Task) -> Next | None:
    """The move to make now; None where it is done, or a person has moved or taken back
    meanwhile.
    """
    if campaign.ended or (asked.how == STEP and asked.moves) or _others_moved(campaign, asked):
        return None
    position = selectors.position(campaign)
    following = pages.onward(position)
    if following is not None:
        return Next(following)
    if asked.how == OUT and campaign.turn == asked.turn and isinstance(pages, Answering):
        proposed = pages.proposed(
            position
        )  # whoever asked has agreed to it beforehand: it is theirs, no program's
        return None if proposed is None else Next(proposed)
    if asked.how not in HOW or (asked.how == NOW and campaign.turn > asked.turn):
        return None
    chosen = pages.deputy(position)
    if chosen is None:
        return None
    user = get_user_model().objects.get(pk=asked.user)
    seat = voice(campaign, user).speak(chosen, program=True)
    mover = str(seat.get("for", seat["by"]))
    if (asked.seat and mover != asked.seat) or mover in seating.program_seats(campaign):
        return None  # another's turn: nobody asked the program to play that
    return Next(chosen, HOW[asked.how])


def _others_moved(campaign: Campaign, asked: Task) -> bool:
    """Has a person moved, or anything been taken back, since the last move of this?"""
    if campaign.last_sequence == asked.last:
        return False
    later = LogEntry.objects.filter(campaign=campaign, sequence__gt=asked.last)
    return later.filter(
        Q(kind=LogEntry.Kind.MOVE, actor__isnull=False) | Q(act__in=CHANGES_POSITION)
    ).exists()


class _Stopped(Exception):
    """What was asked is taken back: the move that was being made is not made."""


@transaction.atomic
def _move(campaign: Campaign, user: Any, mine: _Hold, following: Next) -> None:
    """Make it, through the door, and write down that it is made; before the first one that a
    program chose the log says so.
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
    """As whom a user plays on here."""
    seats = tuple(seating.seat_keys(campaign))

    def free() -> tuple[str, ...]:
        return (*seating.free_seats(campaign), *seating.program_seats(campaign))

    return Voice(access.access_of(campaign, user), len(seats) == 1, seats, free)


def tick(now: datetime, most: int) -> int:
    """The pulse: what nobody plays on."""
    done = 0
    for campaign in Campaign.objects.exclude(onward="").order_by("pk"):
        if done >= most:
            break
        asked = task(campaign)
        if asked is None or (asked.held and datetime.fromisoformat(asked.held) > now):
            continue
        advance(campaign.pk)
        done += 1
    return done

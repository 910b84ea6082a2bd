"""The position of a campaign: a replay of the moves in force, remembered while the process
lives.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache
from threading import Lock
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet, Subquery

from campaign import keys
from campaign.dice.selectors import keys_of, mixtures
from campaign.log import turn_times
from campaign.log.acts.registry import CHANGES_POSITION
from campaign.log.turn_times import TimedMove, TurnTimes
from campaign.models import Campaign, DiceRenewal, DiceRoll, LogEntry, MapDrawing
from engine.dice import Dice, Renewal, chain, mixed_key
from engine.effects import Effect, Roll
from engine.play import Played, perform, play
from engine.strict_json import as_stored, canonical, digest, read
from games import registry
from games.contract.title import Drawn, Varied, with_edition

KEPT = 64


class Step(NamedTuple):
    """A move in force and its receipt."""

    entry: LogEntry
    played: Played[Any]


class History(NamedTuple):
    """All that the log gives: the position before the first move, and each move in force with its
    receipt.
    """

    start: Any
    steps: list[Step]

    @property
    def after(self) -> Any:
        return self.steps[-1].played.after if self.steps else self.start


class Copies(NamedTuple):
    """What the campaign's row copies of a position."""

    turn: int
    phase: str
    active_seat: str
    result: list[list[Any]] | None
    """The final standings, best first: seat, points, rank, facts. None while it runs."""
    points: int | None

    @property
    def finished(self) -> bool:
        return bool(self.result)


class Memory:
    """The last positions used, by campaign and hash of the entry that made them. Nobody may change
    one.
    """

    def __init__(self, most: int = KEPT) -> None:
        self._kept: OrderedDict[tuple[int, str], Any] = OrderedDict()
        self._most = most
        self._lock = Lock()

    def get(self, key: tuple[int, str]) -> Any:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def put(self, key: tuple[int, str], position: Any) -> None:
        with self._lock:
            self._kept[key] = position
            self._kept.move_to_end(key)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()


memory = Memory()


@lru_cache(maxsize=32)
def _scenario(title: str, text: str, drawing: str | None) -> Any:
    game = registry.TITLES[title]
    plain = game.scenario(read(text))
    if drawing is None or not isinstance(game, Drawn):
        return plain
    return game.as_drawn(plain, MapDrawing.objects.get(pk=drawing).text)


def scenario(campaign: Campaign) -> Any:
    """The title's own reading of the campaign's scenario; its drawing, named by what it says, tells
    how nations are spoken of.
    """
    return _scenario(campaign.title, campaign.scenario, campaign.drawing_id)


def plays(campaign: Campaign) -> str:
    """What is played: the scenario by its own name where the title has more than one, else the
    title.
    """
    game = campaign.game
    return game.scenario_name(scenario(campaign)) if isinstance(game, Varied) else game.name


def options(campaign: Campaign) -> Any:
    return campaign.game.options(record_options(campaign))


def record_options(campaign: Campaign) -> dict[str, Any]:
    """Return the options as a record of the campaign has them, with the edition of its rules if it
    is an earlier one.
    """
    return with_edition(campaign.game, read(campaign.options), campaign.edition)


def seats(campaign: Campaign) -> dict[str, str]:
    """The campaign's seats in the title's order, each with its name in the language of now."""
    return {
        info.key: info.name for info in campaign.game.seats(scenario(campaign), options(campaign))
    }


def dice(campaign: Campaign, *, new: bool = False) -> Dice:
    """The campaign's dice: those that were given by hand, all others from its seed. `new` ones are
    to be thrown for the first time: where this is done by hand, they are waited for (`Awaits`).
    """
    last, fixed = campaign.game.last_link(scenario(campaign)), dict(campaign.entered_dice)
    seed = campaign.seed_sealed
    if campaign.renewals:
        # What fell before the last renewal keeps its value, struck or not; every other purpose is
        # the last renewal's.
        before = DiceRoll.objects.filter(entry__campaign=campaign, chain__lt=campaign.renewals)
        renewed = DiceRenewal.objects.filter(campaign=campaign, number=campaign.renewals)
        rolls = list(
            before.values_list("purpose", "value", Subquery(renewed.values("seed_sealed")))
        )
        fixed |= {purpose: value for purpose, value, _seed in rolls}
        seed = rolls[0][2] if rolls else _sealed_seed(campaign)
    mixed, ready = (
        ({}, None) if not campaign.chance else (keys_of(campaign)[-1], mixtures(campaign)[-1])
    )
    return Dice(
        last,
        seed=keys.unseal(seed),
        fixed=fixed,
        waits=new and campaign.by_hand,
        mixed=mixed,
        ready=ready,
    )


def _sealed_seed(campaign: Campaign) -> str:
    """Return the sealed seed of the chain in force: that of the last renewal, if there is one."""
    if not campaign.renewals:
        return campaign.seed_sealed
    return campaign.dice_renewals.get(number=campaign.renewals).seed_sealed


def turn_key(campaign: Campaign, turn: int) -> str | None:
    """Return the key of this turn's dice in the chain in force: the link, with the turn's mixture
    if it has one.

    None while the turn waits for its mixture. The key is secret until the link is published.
    """
    link = chain(keys.unseal(_sealed_seed(campaign)), campaign.game.last_link(scenario(campaign)))[
        turn
    ]
    if not campaign.chance:
        return link
    mixture = mixtures(campaign)[-1].get(turn)
    if mixture is None:
        return None
    return mixed_key(link, canonical(mixture)) if mixture else link


def proven_dice(campaign: Campaign) -> Dice:
    """The same dice, each worked from its own chain: what the stored rolls are compared with."""
    last, renewals = (
        campaign.game.last_link(scenario(campaign)),
        list(campaign.dice_renewals.order_by("number")),
    )
    purposes: dict[int, list[str]] = {}
    for purpose, number in thrown_chains(campaign).items():
        purposes.setdefault(number, []).append(purpose)
    mixed = keys_of(campaign)
    chains = [
        Renewal(
            one.commitment,
            chain(keys.unseal(one.seed_sealed), last),
            tuple(purposes.get(one.number, ())),
            mixed[one.number],
        )
        for one in renewals
    ]
    return Dice(
        last,
        seed=keys.unseal(campaign.seed_sealed),
        fixed=dict(campaign.entered_dice),
        renewals=chains,
        mixed=mixed[0],
    )


def thrown_chains(campaign: Campaign) -> dict[str, int]:
    """Each purpose that was ever thrown, with the number of the chain that its value came from."""
    rolls = DiceRoll.objects.filter(entry__campaign=campaign).order_by("-entry__sequence")
    return dict(rolls.values_list("purpose", "chain"))


def setup(campaign: Campaign) -> Any:
    """The position before the first move."""
    return campaign.game.setup(scenario(campaign), options(campaign))


def position_digest(campaign: Campaign, position: Any) -> str:
    """HMAC of the encoded position under the campaign's key, so that nobody can guess hidden cards
    by it.
    """
    return digest(position.encode(), keys.unseal(campaign.digest_key_sealed).encode())


def copies(campaign: Campaign, position: Any) -> Copies:
    """A title's view names at least `turn`, `phase` and `slot`."""
    seen = campaign.game.view(position, None)
    final = sorted(campaign.game.score(position) or (), key=lambda one: one.rank)
    result = (
        as_stored([[one.seat, one.points, one.rank, dict(one.facts)] for one in final])
        if final
        else None
    )
    return Copies(
        seen["turn"], seen["phase"], seen["slot"] or "", result, final[0].points if final else None
    )


def moves_in_force(campaign: Campaign) -> QuerySet[LogEntry]:
    """The moves in force, in order: the campaign's record."""
    return campaign.entries.filter(kind=LogEntry.Kind.MOVE, struck_by=None).order_by("sequence")


def timed(move: LogEntry) -> TimedMove:
    """Return what the times of a turn follow from."""
    return TimedMove(move.turn, move.at, move.act, move.audience_id is None, move.effects)


def times_of_turn(campaign: Campaign) -> TurnTimes:
    """Return the times of the campaign's turn from its moves in force. Makes one query."""
    moves = moves_in_force(campaign).filter(turn=campaign.turn)
    return turn_times.of_moves(campaign.turn, map(timed, moves))


def current(campaign: Campaign) -> Any:
    """The position after all moves in force. Nobody may change it: `play` copies."""
    key = (campaign.pk, campaign.standing_hash)
    position = memory.get(key)
    if position is not None:
        return position
    position = setup(campaign)
    thrown, decode = dice(campaign), campaign.game.decode
    moves = list(moves_in_force(campaign).values_list("content_json", "campaign__standing_hash"))
    for what, _hash in moves:
        perform(position, decode(read(what), position), thrown)
        thrown.take()
    # The position is not kept if the campaign's row was read before the last move.
    stored_hash = moves[-1][1] if moves else _stored_hash(campaign)
    if campaign.standing_hash == stored_hash:
        memory.put(key, position)
    return position


def _stored_hash(campaign: Campaign) -> str | None:
    """Return the hash of the last entry that changed the position, as it is stored now."""
    stored = Campaign.objects.filter(pk=campaign.pk).values_list("standing_hash", flat=True)
    return stored.first()


def at(campaign: Campaign, sequence: int) -> Any:
    """Return the position after an entry behind which nothing was undone or restored. Callers must
    not change it.
    """
    turning = Q(kind=LogEntry.Kind.MOVE) | Q(kind=LogEntry.Kind.TABLE, act__in=CHANGES_POSITION)
    before = campaign.entries.filter(turning, sequence__lte=sequence).order_by("-sequence")
    key = (campaign.pk, before.values_list("hash", flat=True)[0])
    position = memory.get(key)
    if position is None:
        position = setup(campaign)
        thrown, decode = dice(campaign), campaign.game.decode
        moves = moves_in_force(campaign).filter(sequence__lte=sequence)
        for what in list(moves.values_list("content_json", flat=True)):
            perform(position, decode(read(what), position), thrown)
            thrown.take()
        memory.put(key, position)
    return position


def known(campaign: Campaign) -> bool:
    """Is the current position there without a replay?"""
    return memory.get((campaign.pk, campaign.standing_hash)) is not None


def history(campaign: Campaign, moves: Iterable[LogEntry] | None = None) -> History:
    """Everything again from the start, with receipts; of other `moves` than those in force, where
    they are given.
    """
    start = position = setup(campaign)
    thrown, steps = dice(campaign), []
    for entry in moves_in_force(campaign) if moves is None else moves:
        played = play(position, campaign.game.decode(read(entry.content_json), position), thrown)
        steps.append(Step(entry, played))
        position = played.after
    return History(start, steps)


class Deed(NamedTuple):
    """A move in force as it was played again: its public number (None where it has an audience),
    what it said, did, threw.
    """

    number: int | None
    content: dict[str, Any]
    effects: tuple[Effect, ...]
    rolls: tuple[Roll, ...]
    mark: str
    """Its entry's hash."""
    at: datetime
    """When its entry was written."""
    sequence: int
    turn: int
    seat: str
    actor: int | None
    """The user who made it; None for a clock, a standing order, and a program."""


class Retold:
    """The log played again in one breath, without a copy for each move; `after(n)` makes the
    position after deed n.

    Every `STRIDE` moves a position is kept, so that any other is at most a few moves away. Nobody
    may change one.
    """

    STRIDE = 16

    def __init__(self, campaign: Campaign) -> None:
        self._game, self._dice = campaign.game, dice(campaign)
        self.start = setup(campaign)
        self.deeds: list[Deed] = []
        self.acts: set[str] = set()
        """The names of all acts of the table in the log. A report asks only for what there is."""
        self._kept = [self.start]
        position = self.start.copy()
        in_force = Q(kind=LogEntry.Kind.TABLE) | Q(struck_by=None)
        entries = campaign.entries.filter(
            in_force, sequence__lte=campaign.last_sequence
        )  # none later than the row as it was read
        columns = ("hash", "at", "sequence", "turn", "seat", "actor_id")
        for kind, act, number, what, *facts in entries.order_by("sequence").values_list(
            "kind", "act", "number", "content_json", *columns
        ):
            if kind == LogEntry.Kind.TABLE:
                self.acts.add(act)
                continue
            move = read(what)
            perform(position, self._game.decode(move, position), self._dice)
            effects, rolls = tuple(position.effects), self._dice.take()
            self.deeds.append(Deed(number, move, effects, rolls, *facts))
            if len(self.deeds) % self.STRIDE == 0:
                self._kept.append(position.copy())

    def after(self, n: int) -> Any:
        """The position after deed n, counted from 0; that of the start after -1."""
        near = (n + 1) // self.STRIDE
        position = self._kept[near].copy()
        for deed in self.deeds[near * self.STRIDE : n + 1]:
            perform(position, self._game.decode(deed.content, position), self._dice)
        self._dice.take()
        return position


def retold(campaign: Campaign) -> Retold:
    """The log played again, once for this object as long as nothing is appended: a page asks for
    several tellings of it.
    """
    known = known_retold(campaign)
    if known is None:
        known = Retold(campaign)
        campaign.__dict__["_retold"] = campaign.last_hash, known
    return known


def known_retold(campaign: Campaign) -> Retold | None:
    """Return the log played again, if `retold` was asked for since the last entry."""
    last_hash, known = campaign.__dict__.get("_retold", ("", None))
    return known if last_hash == campaign.last_hash else None


def effects_text(played: Played[Any]) -> str:
    """The cache of a move's effects."""
    return canonical([effect.to_json() for effect in played.effects])

"""The position of a campaign: a replay of the moves in force, kept in the memory of the process."""

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
from engine.play import MoveResult, perform, play
from engine.strict_json import as_stored, canonical, digest, read
from games import registry
from games.contract.title import WithScenarioDrawings, WithScenarioRules, with_edition

KEPT = 64


class Step(NamedTuple):
    """A move in force and its receipt."""

    entry: LogEntry
    played: MoveResult[Any]


class History(NamedTuple):
    """A replay of the whole log: the position before the first move, and every move."""

    start: Any
    steps: list[Step]

    @property
    def after(self) -> Any:
        """The position after the last move."""
        return self.steps[-1].played.after if self.steps else self.start


class Copies(NamedTuple):
    """The facts of a position that the campaign's row repeats."""

    turn: int
    phase: str
    active_seat: str
    result: list[list[Any]] | None
    """The final standings, best first: seat, points, rank, facts. None while the campaign runs."""
    points: int | None

    @property
    def finished(self) -> bool:
        """Whether the campaign has its final standings."""
        return bool(self.result)


class Memory:
    """The positions that were used last, by campaign and hash of the entry that led to them.

    Callers must not change a position.
    """

    def __init__(self, most: int = KEPT) -> None:
        self._kept: OrderedDict[tuple[int, str], Any] = OrderedDict()
        self._most = most
        self._lock = Lock()

    def get(self, key: tuple[int, str]) -> Any:
        """Return the position of this key; None if it is not in memory."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def put(self, key: tuple[int, str], position: Any) -> None:
        """Remember a position. If there are too many, forget the one not used for longest."""
        with self._lock:
            self._kept[key] = position
            self._kept.move_to_end(key)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)

    def clear(self) -> None:
        """Forget all positions."""
        with self._lock:
            self._kept.clear()


memory = Memory()


@lru_cache(maxsize=32)
def _scenario(title: str, text: str, drawing: str | None) -> Any:
    game = registry.TITLES[title]
    plain = game.scenario(read(text))
    if drawing is None or not isinstance(game, WithScenarioDrawings):
        return plain
    return game.as_drawn(plain, MapDrawing.objects.get(pk=drawing).text)


def scenario(campaign: Campaign) -> Any:
    """Return the campaign's scenario as its title reads it, with its own map drawing if it has one.

    The drawing determines the names of the nations.
    """
    return _scenario(campaign.title, campaign.scenario, campaign.drawing_id)


def plays(campaign: Campaign) -> str:
    """Return the name of what is played: the scenario if the title has several, else the title."""
    game = campaign.game
    return (
        game.scenario_name(scenario(campaign)) if isinstance(game, WithScenarioRules) else game.name
    )


def options(campaign: Campaign) -> Any:
    """Return the campaign's options as its title reads them."""
    return campaign.game.options(record_options(campaign))


def record_options(campaign: Campaign) -> dict[str, Any]:
    """Return the options as a record has them.

    They include the edition of the rules if it is an earlier one.
    """
    return with_edition(campaign.game, read(campaign.options), campaign.edition)


def seats(campaign: Campaign) -> dict[str, str]:
    """Return the names of the campaign's seats by key, in the title's order.

    The names are in the current language.
    """
    return {
        info.key: info.name for info in campaign.game.seats(scenario(campaign), options(campaign))
    }


def dice(campaign: Campaign, *, new: bool = False) -> Dice:
    """Return the campaign's dice: the values entered by hand, all others from its seed.

    With `new`, the dice are thrown for the first time. A campaign whose dice are thrown by hand
    then waits for them (`RollsMissing`).
    """
    last, fixed = campaign.game.last_link(scenario(campaign)), dict(campaign.entered_dice)
    seed = campaign.seed_sealed
    if campaign.renewals:
        # A purpose that was thrown before the last renewal keeps its value, even if its move was
        # struck. Every other purpose uses the last renewal.
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
    """Return the key of this turn's dice in the chain in force.

    The key is the link, with the turn's mixture if it has one; None while the turn waits for its
    mixture. It is secret until the link is published.
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
    """Return the campaign's dice, each computed from its own chain, to check the stored rolls."""
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
            renewal.commitment,
            chain(keys.unseal(renewal.seed_sealed), last),
            tuple(purposes.get(renewal.number, ())),
            mixed[renewal.number],
        )
        for renewal in renewals
    ]
    return Dice(
        last,
        seed=keys.unseal(campaign.seed_sealed),
        fixed=dict(campaign.entered_dice),
        renewals=chains,
        mixed=mixed[0],
    )


def thrown_chains(campaign: Campaign) -> dict[str, int]:
    """Return the number of the chain from which each purpose that was ever thrown has its value."""
    rolls = DiceRoll.objects.filter(entry__campaign=campaign).order_by("-entry__sequence")
    return dict(rolls.values_list("purpose", "chain"))


def setup(campaign: Campaign) -> Any:
    """Return the position before the first move."""
    return campaign.game.setup(scenario(campaign), options(campaign))


def position_digest(campaign: Campaign, position: Any) -> str:
    """Return the HMAC of the encoded position under the campaign's key.

    Because of the key, hidden cards cannot be guessed by comparing digests.
    """
    return digest(position.encode(), keys.unseal(campaign.digest_key_sealed).encode())


def copies(campaign: Campaign, position: Any) -> Copies:
    """Return the facts of a position that the campaign's row repeats.

    The view of a title has at least `turn`, `phase` and `slot`.
    """
    seen = campaign.game.view(position, None)
    final = sorted(campaign.game.score(position) or (), key=lambda standing: standing.rank)
    result = (
        as_stored(
            [
                [standing.seat, standing.points, standing.rank, dict(standing.facts)]
                for standing in final
            ]
        )
        if final
        else None
    )
    return Copies(
        seen["turn"], seen["phase"], seen["slot"] or "", result, final[0].points if final else None
    )


def moves_in_force(campaign: Campaign) -> QuerySet[LogEntry]:
    """Return the moves in force, in order. They are the campaign's record."""
    return campaign.entries.filter(kind=LogEntry.Kind.MOVE, struck_by=None).order_by("sequence")


def timed(move: LogEntry) -> TimedMove:
    """Return the facts of a move that `TurnTimes` needs."""
    return TimedMove(move.turn, move.at, move.act, move.audience_id is None, move.effects)


def times_of_turn(campaign: Campaign) -> TurnTimes:
    """Return the times of the campaign's turn from its moves in force. Makes one query."""
    moves = moves_in_force(campaign).filter(turn=campaign.turn)
    return turn_times.of_moves(campaign.turn, map(timed, moves))


def current(campaign: Campaign) -> Any:
    """Return the position after all moves in force.

    Callers must not change it; `play` copies it.
    """
    key = (campaign.pk, campaign.standing_hash)
    position = memory.get(key)
    if position is not None:
        return position
    position = setup(campaign)
    thrown, decode = dice(campaign), campaign.game.decode
    moves = list(moves_in_force(campaign).values_list("content_json", "campaign__standing_hash"))
    for what, _hash in moves:
        perform(position, decode(read(what), position), thrown)
        thrown.take_rolls()
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
    """Return the position after an entry, if no undo or restoration came after it.

    Callers must not change it.
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
            thrown.take_rolls()
        memory.put(key, position)
    return position


def known(campaign: Campaign) -> bool:
    """Return whether the current position is in memory, so that `current` needs no replay."""
    return memory.get((campaign.pk, campaign.standing_hash)) is not None


def history(campaign: Campaign, moves: Iterable[LogEntry] | None = None) -> History:
    """Replay the log from the start and return every position's receipt.

    The moves are those in force, unless `moves` are given.
    """
    start = position = setup(campaign)
    thrown, steps = dice(campaign), []
    for entry in moves_in_force(campaign) if moves is None else moves:
        played = play(position, campaign.game.decode(read(entry.content_json), position), thrown)
        steps.append(Step(entry, played))
        position = played.after
    return History(start, steps)


class ReplayedMove(NamedTuple):
    """A replayed move with its effects and rolls.

    `number` is None if the move has an audience.
    """

    number: int | None
    content: dict[str, Any]
    effects: tuple[Effect, ...]
    rolls: tuple[Roll, ...]
    mark: str
    """The hash of the move's entry."""
    at: datetime
    """The time at which the move's entry was written."""
    sequence: int
    turn: int
    seat: str
    actor: int | None
    """The user who made the move; None for a clock, a standing order, and a program."""


class ReplayedLog:
    """The whole log, replayed once without a copy of the position for each move.

    `after(n)` computes the position after move n. Every `STRIDE` moves a position is kept, so that
    any other is at most a few moves away. Callers must not change a position.
    """

    STRIDE = 16

    def __init__(self, campaign: Campaign) -> None:
        self._game, self._dice = campaign.game, dice(campaign)
        self.start = setup(campaign)
        self.moves: list[ReplayedMove] = []
        self.acts: set[str] = set()
        """The names of all acts in the log, so that a report queries only for those that exist."""
        self._kept = [self.start]
        position = self.start.copy()
        in_force = Q(kind=LogEntry.Kind.TABLE) | Q(struck_by=None)
        # None that is newer than this row of the campaign.
        entries = campaign.entries.filter(in_force, sequence__lte=campaign.last_sequence)
        columns = ("hash", "at", "sequence", "turn", "seat", "actor_id")
        for kind, act, number, what, *facts in entries.order_by("sequence").values_list(
            "kind", "act", "number", "content_json", *columns
        ):
            if kind == LogEntry.Kind.TABLE:
                self.acts.add(act)
                continue
            move = read(what)
            perform(position, self._game.decode(move, position), self._dice)
            effects, rolls = tuple(position.effects), self._dice.take_rolls()
            self.moves.append(ReplayedMove(number, move, effects, rolls, *facts))
            if len(self.moves) % self.STRIDE == 0:
                self._kept.append(position.copy())

    def after(self, n: int) -> Any:
        """Return the position after move n, counted from 0; the starting position for -1."""
        near = (n + 1) // self.STRIDE
        position = self._kept[near].copy()
        for move in self.moves[near * self.STRIDE : n + 1]:
            perform(position, self._game.decode(move.content, position), self._dice)
        self._dice.take_rolls()
        return position


def replayed_log(campaign: Campaign) -> ReplayedLog:
    """Return the replayed log, which is kept on the campaign object until an entry is appended."""
    known = known_replay(campaign)
    if known is None:
        known = ReplayedLog(campaign)
        campaign.__dict__["_replayed_log"] = campaign.last_hash, known
    return known


def known_replay(campaign: Campaign) -> ReplayedLog | None:
    """Return the replayed log, if `replayed_log` was called since the last entry."""
    last_hash, known = campaign.__dict__.get("_replayed_log", ("", None))
    return known if last_hash == campaign.last_hash else None


def effects_text(played: MoveResult[Any]) -> str:
    """Return a move's effects as the log stores them, in canonical JSON."""
    return canonical([effect.to_json() for effect in played.effects])

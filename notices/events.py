"""The entries of the log in the form in which kinds of notices read them, and recipients."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from campaign.log import history, positions
from campaign.log.acts.declaration import Act
from campaign.log.acts.undo import RESTORE, UNDO
from campaign.log.positions import Copies
from campaign.models import GAME_MASTER, Campaign, LogEntry, seen_by
from engine.effects import Effect

SIDES = ("defender", "leader")
"""The facts of an effect that name a side of a contest, in addition to the effect's holder."""


@dataclass(frozen=True)
class Recipient:
    """The recipient of a notice: the holder of a seat, the game masters (`gm`), or a user by id.

    `facts` are the values for the texts of the notice. `about` distinguishes several notices of one
    kind that an entry gives the same user.
    """

    seat: str = ""
    user: int | None = None
    about: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class LoggedEvent:
    """An entry that was just written to the log, with the positions before and after it.

    `position_before` is None for an act of the table.
    """

    campaign: Campaign
    entry: LogEntry
    position_before: Any
    position_after: Any

    @cached_property
    def effects(self) -> tuple[Effect, ...]:
        """The effects of the entry, including hidden ones: `is_seen` says which a seat may know."""
        return self.entry.all_effects

    @cached_property
    def content(self) -> Mapping[str, Any]:
        return self.entry.content

    @property
    def act(self) -> str:
        """The name of an act of the table; empty for a move."""
        return "" if self.entry.is_move else str(self.content["act"])

    def is_act(self, act: Act, *ways: str) -> bool:
        """Return whether the entry is this act of the table.

        If `ways` are given, the act must have been done in one of them.
        """
        return self.act == act.name and (not ways or self.content.get("how") in ways)

    @cached_property
    def seats(self) -> list[str]:
        return list(positions.seats(self.campaign))

    @cached_property
    def previous(self) -> Copies | None:
        """Turn, phase and open slot before the entry; None for an act of the table."""
        if self.position_before is None:
            return None
        return positions.copies(self.campaign, self.position_before)

    @cached_property
    def current(self) -> Copies:
        """Turn, phase and open slot after the entry."""
        return positions.copies(self.campaign, self.position_after)

    @property
    def opens_turn(self) -> bool:
        return self.previous is not None and self.current.turn > self.previous.turn

    @property
    def opens_slot(self) -> bool:
        """Whether the entry opens another slot, or the slot of the same seat in another turn."""
        if self.previous is None or not self.current.active_seat:
            return False
        before = (self.previous.turn, self.previous.active_seat)
        return before != (self.current.turn, self.current.active_seat)

    @property
    def closes_turn(self) -> bool:
        return self.previous is not None and self.current.phase == "closed" != self.previous.phase

    @cached_property
    def order(self) -> list[str]:
        """The order of play; the order of all seats if the title has none."""
        order = self.campaign.game.view(self.position_after, None).get("order") or self.seats
        return [key for key in order if key in self.seats]

    @cached_property
    def contests(self) -> Mapping[int, tuple[Mapping[str, Any] | None, Mapping[str, Any]]]:
        """The contests that a move launched or changed, by number.

        Each has its facts before the move (None for a new contest) and after it.
        """
        if self.position_before is None:
            return {}
        game = self.campaign.game
        old = game.rows(self.position_before).contests
        new = game.rows(self.position_after).contests
        return {
            number: (old.get(number), facts)
            for number, facts in new.items()
            if old.get(number) != facts
        }

    @cached_property
    def struck(self) -> list[LogEntry]:
        """The moves that an undo strikes, or that a restoration puts back in force."""
        if self.act not in (UNDO.name, RESTORE.name):
            return []
        turned = history.changed_moves(self.campaign, self.entry, history.acts(self.campaign))
        return list(self.campaign.entries.filter(pk__in=turned))

    @staticmethod
    def is_seen(effect: Effect, seat: str) -> bool:
        """Return whether a seat may know an effect."""
        return seen_by(effect.audience, (seat,))

    def seats_concerned(self) -> list[str]:
        """Return the seats that the struck or restored moves concern, as far as each seat knows.

        These are the seats that made the moves, whose accounts, cards or land they changed, or that
        they made a side of a contest.
        """
        concerned = set[str]()
        for move in self.struck:
            concerned |= {move.seat} if seen_by(move.viewers, (move.seat,)) else set()
            for effect in move.all_effects:
                seats = (effect.holder, *(effect.facts.get(side) for side in SIDES))
                concerned |= {seat for seat in seats if seat and self.is_seen(effect, seat)}
        return [seat for seat in self.seats if seat in concerned]

    def to_seats(self, facts: Mapping[str, Any], about: str = "") -> Iterator[Recipient]:
        """Yield the holder of each seat."""
        for seat in self.seats:
            yield Recipient(seat, about=about, facts=facts)

    def to_game_masters(self, facts: Mapping[str, Any], about: str = "") -> Iterator[Recipient]:
        """Yield the game masters."""
        yield Recipient(GAME_MASTER, about=about, facts=facts)

    def to_everyone(self, facts: Mapping[str, Any]) -> Iterator[Recipient]:
        """Yield the holder of each seat and the game masters."""
        yield from self.to_seats(facts)
        yield from self.to_game_masters(facts)

"""The kinds of notices. A kind says whom an entry concerns, and by which message ids it is told.

To add one: `register(Kind(…))` in `notices/kinds.py`, its key in `GROUPS` there, and its two texts
in `notices/texts.py`. `docs/walks.md` has the steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from campaign import open_pages
from campaign.log import history, positions
from campaign.log.acts.undo import RESTORE, UNDO
from campaign.log.positions import Copies
from campaign.models import GAME_MASTER, Campaign, LogEntry, seen_by
from engine.effects import Effect
from notices.models import Notice

SIDES = ("defender", "leader")
SEAT, TABLE, MASTERS = "seat", "table", "game master"
"""Audiences of kinds: whom it concerns by their seat, everybody with a seat, the game masters."""


@dataclass
class Happening:
    """An entry just written, with the positions around it; `before` is None for an act of the
    table.
    """

    campaign: Campaign
    entry: LogEntry
    before: Any
    after: Any

    @cached_property
    def effects(self) -> tuple[Effect, ...]:
        """Unfiltered: what a seat is told of must be one that it may see, see `seen`."""
        return self.entry.all_effects

    @cached_property
    def content(self) -> Mapping[str, Any]:
        return self.entry.content

    @property
    def act(self) -> str:
        """The name of a table's act; empty for a move."""
        return "" if self.entry.is_move else str(self.content["act"])

    @cached_property
    def seats(self) -> list[str]:
        return list(positions.seats(self.campaign))

    @cached_property
    def was(self) -> Copies | None:
        return None if self.before is None else positions.copies(self.campaign, self.before)

    @cached_property
    def now(self) -> Copies:
        return positions.copies(self.campaign, self.after)

    @cached_property
    def order(self) -> list[str]:
        """The order of play, of all seats where the title has none."""
        order = self.campaign.game.view(self.after, None).get("order") or self.seats
        return [key for key in order if key in self.seats]

    @cached_property
    def contests(self) -> Mapping[int, tuple[Mapping[str, Any] | None, Mapping[str, Any]]]:
        """The contests that this move launched or changed: number -> facts before (None: new) and
        after.
        """
        if self.before is None:
            return {}
        game = self.campaign.game
        old, new = game.rows(self.before).contests, game.rows(self.after).contests
        return {
            number: (old.get(number), facts)
            for number, facts in new.items()
            if old.get(number) != facts
        }

    @cached_property
    def struck(self) -> list[LogEntry]:
        """The moves that this undo strikes, or that this restoration puts back in force."""
        if self.act not in (UNDO.name, RESTORE.name):
            return []
        return list(
            self.campaign.entries.filter(
                pk__in=history.moves_turned(self.campaign, self.entry, history.acts(self.campaign))
            )
        )

    @staticmethod
    def seen(effect: Effect, seat: str) -> bool:
        return seen_by(effect.audience, (seat,))

    def touched(self) -> list[str]:
        """Return the seats that the struck or restored moves concern, as far as each seat knows:
        those who made them, whose accounts, cards or land they changed, or whom they made a side
        of a contest.
        """
        concerned = set[str]()
        for move in self.struck:
            concerned |= {move.seat} if seen_by(move.viewers, (move.seat,)) else set()
            for effect in move.all_effects:
                seats = (effect.holder, *(effect.facts.get(side) for side in SIDES))
                concerned |= {seat for seat in seats if seat and self.seen(effect, seat)}
        return [seat for seat in self.seats if seat in concerned]


def write(notices: Iterable[Notice], *, again: bool = False) -> list[Notice]:
    """Every notice is written here: whoever gets one has their bell ring. What stands already is
    not written twice, unless `again` says that it is new in any case.
    """
    rows = Notice.objects.bulk_create(notices, ignore_conflicts=not again)
    open_pages.changed_for(row.user_id for row in rows)
    return rows


@dataclass(frozen=True)
class To:
    """Somebody to tell: a seat's holder, the game masters (`gm`), or a person by user id; with the
    facts they are told.
    """

    seat: str = ""
    person: int | None = None
    about: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Kind:
    """`title` and `body` are message ids; `link` is the name of a page and the facts that are its
    arguments; of a `deadline` its facts say which page (`notices.texts`).

    `urgent` ones wait for an answer; `name` is what a person switches on and off for a channel.
    What is `public` says nothing in its words that not everybody may know: a campaign's own channel
    may tell it. `overtaken` says of a notice whether it tells nothing any more that is so, and need
    not leave.
    """

    key: str
    name: str
    audience: str
    link: tuple[str, ...]
    find: Callable[[Happening], Iterable[To]]
    urgent: bool = False
    public: bool = False
    overtaken: Callable[[Any], bool] | None = None

    @property
    def title(self) -> str:
        return f"{self.key}.title"

    @property
    def body(self) -> str:
        return f"{self.key}.body"


KINDS: dict[str, Kind] = {}


def register(kind: Kind) -> None:
    """Adds a kind; a key is taken once."""
    assert kind.key not in KINDS, kind.key
    KINDS[kind.key] = kind


def to_masters(**facts: Any) -> To:
    return To(GAME_MASTER, facts=facts)

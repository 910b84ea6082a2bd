"""An undo or a restoration before it is made: the moves that it changes, and its position."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import prefetch_related_objects
from django.utils.translation import gettext as _

from campaign.errors import CannotUndo
from campaign.log import history, positions
from campaign.log.acts.undo import RESTORE
from campaign.models import Campaign, LogEntry
from engine.errors import IllegalMove

OWN = "own"
"""The `how` of a seat that takes its own moves back."""


@dataclass(frozen=True)
class Rewind:
    """An undo or a restoration before it is logged.

    `how` is `OWN` or the name of the act. `number` is what the act would name: the last entry that
    stays, the undo, or the first move that its seat takes back (None if only some may see it).
    """

    campaign: Campaign
    how: str
    number: int | None
    moves: tuple[LogEntry, ...]
    """The moves that would be struck, or be in force again, in order, hidden ones included."""
    acts: tuple[LogEntry, ...]
    """The acts on these moves: claims of the battles that they launched, standing orders that made
    one, and so on.
    """
    left: tuple[int, ...]
    """The sequences of the moves that would be in force."""

    @cached_property
    def position(self) -> Any:
        """The position after it. The caller must not change it.

        Raises `CannotUndo` if a hidden move of another seat depends on what a seat takes back.
        """
        texts = {move.sequence: move.content_json for move in self.moves}
        try:
            return history.position_after_moves(self.campaign, self.left, texts)
        except IllegalMove:
            raise CannotUndo("built-upon", _("Something else now depends on this move.")) from None

    @cached_property
    def renewed(self) -> tuple[int, int] | None:
        """The first and the last turn whose dice would be renewed; None if the dice stay.

        Turns are numbered as in purposes.
        """
        links = self.campaign.game.links_due
        published = links(positions.current(self.campaign))
        first = links(self.position)
        if self.back or first >= published:
            return None
        return first, max(published, self.campaign.turn)

    @property
    def back(self) -> bool:
        """Whether this is a restoration, not an undo."""
        return self.how == RESTORE.name

    def read_rolls(self) -> None:
        """Read the rolls of the moves and acts. One query."""
        prefetch_related_objects([*self.moves, *self.acts], "rolls")

    @cached_property
    def rows(self) -> list[int]:
        """The primary keys of the moves."""
        return [move.pk for move in self.moves]

    @cached_property
    def in_force(self) -> frozenset[int]:
        """The sequences of the moves that would be in force, as a set."""
        return frozenset(self.left)

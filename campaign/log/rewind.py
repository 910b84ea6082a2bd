"""What an undo or a restoration would turn, and the position that it would leave."""

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
"""How a seat takes its own moves back."""


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
    stands: tuple[int, ...]
    """The sequences of the moves that would be in force."""

    @cached_property
    def position(self) -> Any:
        """Return the position that would be left. The caller must not change it.

        Raises `CannotUndo` if a hidden move of someone else depends on what a seat takes back.
        """
        texts = {move.sequence: move.content_json for move in self.moves}
        try:
            return history.as_if(self.campaign, self.stands, texts)
        except IllegalMove:
            raise CannotUndo("built-upon", _("Something else now depends on this move.")) from None

    @cached_property
    def renewed(self) -> tuple[int, int] | None:
        """Return the first and the last turn whose dice would be renewed, as purposes number turns;
        None if the dice stay.
        """
        links = self.campaign.game.links_due
        published = links(positions.current(self.campaign))
        first = links(self.position)
        if self.back or first >= published:
            return None
        return first, max(published, self.campaign.turn)

    @property
    def back(self) -> bool:
        return self.how == RESTORE.name

    def read_rolls(self) -> None:
        """Read the rolls of the moves and acts. One query."""
        prefetch_related_objects([*self.moves, *self.acts], "rolls")

    @cached_property
    def rows(self) -> list[int]:
        return [one.pk for one in self.moves]

    @cached_property
    def in_force(self) -> frozenset[int]:
        return frozenset(self.stands)

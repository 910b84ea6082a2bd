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
    """Those that would be struck, or be in force again, in their order, whoever may see them."""
    acts: tuple[LogEntry, ...]
    """What was said of these moves: claims of the battles that they launched, that a standing order
    made one …
    """
    stands: tuple[int, ...]
    """The sequences of the moves then in force."""

    @cached_property
    def position(self) -> Any:
        """Nobody may change it. Raises `CannotUndo` where a hidden move of somebody else hangs on
        what a seat takes back.
        """
        texts = {move.sequence: move.content_json for move in self.moves}
        try:
            return history.as_if(self.campaign, self.stands, texts)
        except IllegalMove:
            raise CannotUndo("built-upon", _("Something else now depends on this move.")) from None

    @cached_property
    def renewed(self) -> tuple[int, int] | None:
        """The first and the last turn whose dice are renewed, those of its numbers in purposes;
        None where the dice stay.
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

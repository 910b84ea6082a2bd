"""The declaration of an act: everything that the site knows of one kind of act.

An act is what people do with the campaign that is no move: an undo, a claim, a pause. To add one,
declare it in a module of this package, list it in `registry.py`, and write the service that logs
it (`campaign.log.entries.append_act`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import pgettext

Content = Mapping[str, Any]
"""An act as the log stores it: its name under `act`, its kind under `how` if it has several, and
its facts. Users are ids.
"""
NO_NAMES: Mapping[int, str] = {}
Place = tuple[str, str, int]
"""A user's place in a campaign: the role (`Membership.Role`), the seat, empty if it has none, and
the user's id.
"""


@dataclass(frozen=True, slots=True)
class LineFacts:
    """An act with what its line in the log needs.

    `seat` is the name of its seat, `names` the names of users, `move` the move that the act names,
    in the words of its title.
    """

    content: Content
    seat: str
    names: Mapping[int, str] = field(default_factory=dict)
    move: str = ""

    @property
    def how(self) -> str:
        """The kind of an act that has several kinds."""
        return str(self.content["how"])

    def name_of(self, key: str) -> str:
        """Return the name of the user whose id is the fact of this key."""
        return self.names.get(self.content.get(key, 0)) or pgettext("log", "someone")


def no_one(content: Content) -> set[int]:
    """Return an empty set, for acts whose line names only the actor."""
    return set()


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """A kind of act."""

    name: str
    line: Callable[[LineFacts], str]
    """The function that returns the line of the log. Pages show the actor beside it."""
    public: frozenset[str]
    """The facts that every reader of the act may know, besides `act` and `how`.

    Programs get no others.
    """
    people: Callable[[Content], set[int]] = no_one
    """The function that returns the ids of the users whom the line names, besides the actor."""
    names_move: bool = False
    """Whether the act may name a move, as a claim does."""
    changes_position: bool = False
    """Whether other moves are in force after the act.

    Every other act is quiet: it makes no page stale.
    """
    changes_readings: bool = False
    """Whether entries before the act read differently after it.

    Then everything that was computed from the log must be computed again from its beginning.
    """
    concerns_dice: bool = False
    """Whether everyone needs the act to check the dice, even if hands are hidden."""
    binds_texts: bool = False
    """Whether its typed texts are part of the dice, so that no one can remove them."""
    is_correction: bool = False
    """Whether the act of a game master may be countersigned."""
    is_linked: bool = True
    """Whether people link the act to a post on a forum."""
    begins_clocks: bool = False
    """Whether the time of a clock can begin with the act, later than with the move that opened the
    clock.
    """
    flags: Mapping[str, tuple[str, bool]] = field(default_factory=dict)
    """Which flag of a campaign (`campaign.status`) the act sets to which value, by its `how`."""
    update_row: Callable[[Any, Content, str, int], None] | None = None
    """The function that writes what the act changes in the columns that repeat the log.

    Its arguments are the campaign's row, and content, seat and sequence of the act.
    """
    update_places: Callable[[set[Place], Content, str], None] | None = None
    """The function that changes which user has which place.

    Its arguments are the places, and content and seat of the act.
    """

    @property
    def is_quiet(self) -> bool:
        """Whether the same moves are in force after the act."""
        return not self.changes_position

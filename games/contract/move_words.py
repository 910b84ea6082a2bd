"""Words for offers, for moves and for what follows from them, as pages and the API show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from engine.effects import Effect
from games.contract.plain import Position, RawMove
from games.contract.title import Account, Branch, Field, Offer, SeatInfo, Title


class Mark(NamedTuple):
    """A row of a preview for an effect that is not of an account, with its cell and its rule.

    `holder` is the seat whose row it is; None for a row that concerns no seat.
    """

    key: str
    label: str
    text: str
    rule: str = ""
    holder: str | None = None


class Outcome(NamedTuple):
    """One way in which a contest may end that the move begins, with its branches."""

    label: str
    branches: Sequence[Branch]


class Group(NamedTuple):
    """A group of offers: its key, its heading, and a note beside it."""

    key: str
    name: str
    note: str = ""


class MoveWords(Protocol):
    """The words of a title for its moves in one position, in the current language.

    `position` is the one that is shown; nothing here changes it.
    """

    title: Title
    scenario: object
    position: Position
    accounts: Mapping[str, Account]
    seats: Mapping[str, SeatInfo]
    groups: Sequence[Group]
    """The groups of offers in their order; an offer of another group belongs to none."""
    purse: str
    """The account from which moves are paid."""
    synonyms: Mapping[str, str]
    """Words that players type, in any language, for words of the title's own lines."""

    # Names

    def seat_name(self, key: str | None) -> str:
        """Return the name of a seat or of the game master."""
        ...

    def amount(self, account: str, value: int) -> str:
        """Return an amount with its unit, with ½ for a half and a true minus."""
        ...

    def account_name(self, account: str) -> str: ...

    def field_label(self, offer: Offer, field: Field) -> str:
        """Return what is to be chosen."""
        ...

    def field_help(self, offer: Offer, field: Field, chosen: Mapping[str, object]) -> str:
        """Return a line of help for a field; empty if it needs none."""
        ...

    def value_label(self, offer: Offer, field: Field, value: object) -> str:
        """Return a value of a field as people read it."""
        ...

    # Offers

    def offer_name(self, offer: Offer) -> str:
        """Return what a move does: "Walls", "Covert attack on the Huns"."""
        ...

    def offer_sub(self, offer: Offer) -> str:
        """Return a note beside the name of an offer."""
        ...

    def offer_about(self, offer: Offer) -> str:
        """Return what an offer with fields is about, before anything is chosen."""
        ...

    def verb(self, offer: Offer) -> str:
        """Return the text of the button that announces a move."""
        ...

    def final(self, raw: RawMove, position: Position) -> str:
        """Return why a move cannot be taken back, other than by dice and shown cards; empty if it
        can.
        """
        ...

    def deed(self, raw: RawMove) -> str:
        """Return a move as a thing: "Shrines", "Fleet in Sicilia"."""
        ...

    def moved(self, raw: RawMove, effects: Sequence[Effect]) -> str:
        """Return the message after a move."""
        ...

    # What follows

    def cascade(self, effect: Effect) -> bool:
        """Return whether an effect follows from the threshold of another one."""
        ...

    def mark(self, effect: Effect) -> Mark | None:
        """Return the row of an effect that is not of an account; None if it is not shown."""
        ...

    def untouched(self, key: str) -> str:
        """Return the cell of a row in a branch that does not touch it."""
        ...

    def branch(self, branch: Branch) -> tuple[str, str]:
        """Return a branch in one or two words, and the rolls that lead to it."""
        ...

    def hint(self, after: Position, holder: str, account: str) -> str:
        """Return what the new level of an account means, if that differs from before."""
        ...

    def notes(self, raw: RawMove, after: Position) -> Sequence[tuple[str, str]]:
        """Return sentences to be shown beside the effects, each with its rule or none."""
        ...

    def outcomes(self, raw: RawMove, after: Position) -> Sequence[Outcome]:
        """Return how a contest may end that this move begins or answers."""
        ...


@runtime_checkable
class Worded(Protocol):
    """A title that has words of its own for its moves; others have plain ones."""

    def move_words(self, scenario: object, position: Position) -> MoveWords:
        """Return the words for the moves in a position."""
        ...

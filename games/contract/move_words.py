"""Words for offers, moves and their effects, as pages and the API show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from engine.effects import Effect
from games.contract.plain import Position, RawMove
from games.contract.title import Account, Branch, Field, Offer, SeatInfo, Title


class Mark(NamedTuple):
    """A row of a preview for an effect that changes no account, with its cell and its rule.

    `holder` is the seat whose row it is; None for a row that concerns no seat.
    """

    key: str
    label: str
    text: str
    rule: str = ""
    holder: str | None = None


class Outcome(NamedTuple):
    """A way in which the contest that a move begins may end, with its branches."""

    label: str
    branches: Sequence[Branch]


class Group(NamedTuple):
    """A group of offers: its key, its heading, and a note beside it."""

    key: str
    name: str
    note: str = ""


class MoveWords(Protocol):
    """The words of a title for its moves in a position, in the current language.

    `position` is the one that is shown; nothing here changes it.
    """

    title: Title
    scenario: object
    position: Position
    accounts: Mapping[str, Account]
    seats: Mapping[str, SeatInfo]
    groups: Sequence[Group]
    """The groups of offers in their order.

    An offer whose group is missing here belongs to none.
    """
    purse: str
    """The account that pays for moves."""
    synonyms: Mapping[str, str]
    """Words that players of the current language type for words of the title's own lines."""

    things: Mapping[str, Sequence[str]]
    """Names of things that moves build, by their key; those of the title's lines are among them."""
    moves_of_things: Mapping[str, RawMove]
    """The move that builds a thing, without its actor, for things of which a nation has one."""
    phrases: Mapping[str, str]
    """Phrases that players type in any language, with English words of the title's lines."""
    foreign: Mapping[str, Mapping[str, str]]
    """Words of languages that the site does not have, by language, with English words."""

    # Names

    def other_names(self, kind: str, key: str) -> Sequence[str]:
        """Return other names of a place, holder or card; `kind` is that of a field."""
        ...

    def seat_name(self, key: str | None) -> str:
        """Return the name of a seat or of the game master."""
        ...

    def amount(self, account: str, value: int) -> str:
        """Return an amount with its unit, with ½ for a half and a true minus."""
        ...

    def account_name(self, account: str) -> str:
        """Return the name of an account."""
        ...

    def field_label(self, offer: Offer, field: Field) -> str:
        """Return the label of a field: what the user chooses there."""
        ...

    def field_help(self, offer: Offer, field: Field, chosen: Mapping[str, object]) -> str:
        """Return a line of help for a field; empty if it needs none."""
        ...

    def value_label(self, offer: Offer, field: Field, value: object) -> str:
        """Return a value of a field in words."""
        ...

    # Offers

    def offer_name(self, offer: Offer) -> str:
        """Return the name of an offer: "Walls", "Covert attack on the Huns"."""
        ...

    def offer_sub(self, offer: Offer) -> str:
        """Return a note beside the name of an offer."""
        ...

    def offer_about(self, offer: Offer) -> str:
        """Return the description of an offer with fields, before anything is chosen."""
        ...

    def verb(self, offer: Offer) -> str:
        """Return the text of the button that announces a move."""
        ...

    def verb_alone(self, offer: Offer) -> str:
        """Return the text of the button that makes a move where no other person plays."""
        ...

    def why_final(self, raw: RawMove, position: Position) -> str:
        """Return why a move cannot be taken back, apart from dice and shown cards.

        The text is empty if the move can be taken back.
        """
        ...

    def move_noun(self, raw: RawMove) -> str:
        """Return a move as a noun phrase: "Shrines", "Fleet in Sicilia"."""
        ...

    def confirmation(self, raw: RawMove, effects: Sequence[Effect]) -> str:
        """Return the message that confirms a move."""
        ...

    # Consequences

    def cascade(self, effect: Effect) -> bool:
        """Return whether an effect follows from a threshold that another effect has crossed."""
        ...

    def mark(self, effect: Effect) -> Mark | None:
        """Return the row of an effect that changes no account; None if it is not shown."""
        ...

    def unchanged_text(self, key: str) -> str:
        """Return the cell of a row in a branch that does not touch it."""
        ...

    def branch(self, branch: Branch) -> tuple[str, str]:
        """Return a branch in one or two words, and the rolls that lead to it."""
        ...

    def hint(self, after: Position, holder: str, account: str) -> str:
        """Return the meaning of the new level of an account, if it differs from before."""
        ...

    def notes(self, raw: RawMove, after: Position) -> Sequence[tuple[str, str]]:
        """Return sentences to show beside the effects, each with its rule or none."""
        ...

    def contest(self, raw: RawMove, after: Position) -> int | None:
        """Return the number of the contest that a move begins or answers; None for other moves."""
        ...

    def outcomes(self, raw: RawMove, after: Position) -> Sequence[Outcome]:
        """Return the ways in which the contest that a move begins or answers may end."""
        ...


@runtime_checkable
class WithMoveWords(Protocol):
    """A title that has its own words for moves; other titles use plain ones."""

    def move_words(self, scenario: object, position: Position) -> MoveWords:
        """Return the words for the moves in a position."""
        ...

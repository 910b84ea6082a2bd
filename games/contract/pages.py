"""A title's own page at the table: the title fills a dataclass, the pages render it.

A title that is played on one page has a `Pages` (`Title.pages`). This module knows no markup except
the SVG that a title draws itself; the title's templates are in `templates/titles/<key>/`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, runtime_checkable

from engine.effects import Effect, Phrase, Roll


@dataclass(frozen=True, slots=True)
class Picture:
    """A map or a board as SVG. `lit` means that some of its places are highlighted."""

    svg: str
    lit: bool = False


class PastBoard(Protocol):
    """The data of the template of a past board: a frozen dataclass of the title."""

    @property
    def map(self) -> Picture:
        """The map or board of that time."""
        ...


Own_co = TypeVar("Own_co", covariant=True)
"""The data of the template of a page: a frozen dataclass of the title."""
Past_co = TypeVar("Past_co", bound=PastBoard, covariant=True)


class LoggedMove(NamedTuple):
    """A move of the log that is in force, with the facts that its reader may know.

    They are the number of the entry, the move in record form, the seat, effects, rolls, the turn,
    and the reason that a program gave for it.
    """

    number: int
    move: Mapping[str, Any]
    seat: str
    effects: tuple[Effect, ...]
    rolls: tuple[Roll, ...]
    turn: int
    why: Phrase | None = None


class Reader(NamedTuple):
    """The reader of a page.

    `seats` are the seats they may speak for, with `gm` for the game master of a table of several
    users; `query` are the parameters of the address, and `form_values` is their input, if it was
    refused.

    `plays` is true if they may move now: they hold a seat, or are that game master, and the
    campaign is running. `plan` is their list of moves for the seat that `WithMoveList.announcer`
    returns; None if that seat is not theirs. If hidden hands are closed to a game master, `opened`
    are the other members' seats that are open to them: they see and move these. `host` runs the
    table and may use the moves that begin it, whatever they may see; `deputes` are the seats for
    which they may let a program choose without seeing the hand.
    """

    seats: tuple[str, ...]
    query: Mapping[str, str]
    plays: bool
    form_values: Mapping[str, str] = {}
    name: str = ""
    plan: Sequence[Mapping[str, Any]] | None = None
    opened: tuple[str, ...] = ()
    host: bool = False
    deputes: tuple[str, ...] = ()


class NamedSeat(NamedTuple):
    """A seat with its name."""

    key: str
    name: str


class Page(NamedTuple, Generic[Own_co]):
    """A page: its template below `templates/titles/<key>/`, the template's data, and its title.

    `seat` moves now or has won. `own` is a frozen dataclass of the title: only the title's
    templates know its fields.
    """

    template: str
    own: Own_co
    title: str = ""
    seat: NamedSeat | None = None


class PastPage(NamedTuple, Generic[Past_co]):
    """The page of a past board: its template, and the template's data."""

    template: str
    own: Past_co


class Fame(NamedTuple):
    """A finished campaign of the title in the hall of fame.

    It has the player, the result, the address and the end.
    """

    player: str
    points: int
    facts: Mapping[str, Any]
    url: str
    ended: str


class Question(NamedTuple):
    """A question that the form for a new campaign of a title asks.

    `key` is its name in the form; `kind` is `text`, `flag` or `choice`; `help` is a line of help;
    `default` is the answer in the empty form ("1" for a flag that is set); `longest` limits the
    characters of a text; `choices` are the value and the text of each choice.
    """

    key: str
    label: str
    kind: str = "text"
    help: str = ""
    default: str = ""
    longest: int = 40
    choices: tuple[tuple[str, str], ...] = ()


class Founding(Protocol):
    """The way a title is offered and founded (`Title.founding`).

    The form for a title without it asks only for the scenario.
    """

    picture: str
    """A picture in `static/`; empty if there is none."""
    together: bool
    """Whether several users can found it: a title that has one seat by default and more by its
    answers.
    """

    @property
    def questions(self) -> Sequence[Question]:
        """The questions of the form, in their order."""
        ...

    def terms(self, answers: Mapping[str, str]) -> tuple[Any, dict[str, Any]]:
        """Return scenario and options in record form.

        Raises `MalformedRecord` with the key of the question in `where`.
        """
        ...

    def proposed_name(self, answers: Mapping[str, str]) -> str:
        """Return the name of a campaign that the user has not named."""
        ...

    def outcome_line(self, scenario: Any, facts: Mapping[str, Any]) -> str:
        """Return the result of a finished campaign as a line of the hall of fame.

        `facts` are those of its first standing.
        """
        ...

    def division(self, facts: Mapping[str, Any]) -> str:
        """Return the name of the group in which the hall of fame compares a finished campaign.

        It is empty if all campaigns are comparable.
        """
        ...

    def facts(self, scenario: Any, options: Any) -> Sequence[tuple[str, str]]:
        """Return label and text of each term of a campaign.

        `scenario` and `options` are those that the title has parsed.
        """
        ...


class Pages(Protocol):
    """The page of a title that is played on one page."""

    styles: Sequence[str]
    """Stylesheets in `static/` that follow the site's own."""

    def page(
        self, position: Any, log: Sequence[LoggedMove], reader: Reader, hall: Sequence[Fame]
    ) -> Page[object]:
        """Return the page of the table for this position."""
        ...

    def read_move(self, position: Any, form: Mapping[str, str]) -> Mapping[str, Any]:
        """Return the move that a form of the title's templates makes, in record form.

        Raises `IllegalMove` if the form is malformed.
        """
        ...

    def automatic_move(self, position: Any) -> Mapping[str, Any] | None:
        """Return the move of the button "run on" now; None if a user must decide."""
        ...

    def program_move(self, position: Any) -> Mapping[str, Any] | None:
        """Return the move of a sensible program, for "play on for me".

        It is None if the campaign is over.
        """
        ...


@runtime_checkable
class WithPastPages(Protocol):
    """Pages of a title whose table can be shown as it was after any log entry."""

    def past(self, position: Any, changed: Collection[str]) -> PastPage[PastBoard]:
        """Return the board and the text beside it, without controls.

        The entry before had changed the places of `changed`.
        """
        ...

    def place(self, key: str) -> str:
        """Return the name of a place of `Rows.holdings`."""
        ...


@runtime_checkable
class WithItemNames(Protocol):
    """Pages of a title that has items in `Rows.items`."""

    def item(self, key: str) -> str:
        """Return the name of an item of `Rows.items`."""
        ...


@runtime_checkable
class WithMoveList(Protocol):
    """Pages on which a player may list moves and announce them together.

    Only the player sees the list. Each move is played by itself, dice included, until a move is
    refused or `stopped` returns a reason to stop.
    """

    def announcer(self, position: Any) -> str | None:
        """Return the seat that may have a list now, even while another seat is asked.

        It is None if no seat may.
        """
        ...

    def listed(self, position: Any, form: Mapping[str, str]) -> Mapping[str, Any]:
        """Return the announcer's move that a form makes for the list.

        Raises `IllegalMove` for a move that a list cannot have.
        """
        ...

    def stops(self) -> Collection[str]:
        """Return the keys of the conditions that a player may choose."""
        ...

    def stopped(self, before: Any, after: Any, seat: str, chosen: Collection[str]) -> str:
        """Return why the list stops between two positions, in the current language.

        It always stops if a user must decide or the seat's turn is over, otherwise by the chosen
        conditions. The text is empty if it continues.
        """
        ...


class Die(NamedTuple):
    """A die of a film: its value, its kind for the drawing, and the purpose in words.

    `shown` is the text of a face that has no digits.
    """

    value: int
    kind: str = ""
    label: str = ""
    sides: int = 6
    shown: str = ""


class Frame(NamedTuple):
    """A moment of a film: the attempt, the dice, the result, and the changes on the board.

    `intro` never reveals the result. The title's own script reads `changes`, each with its `kind`;
    `places` are highlighted and scrolled into view; `tone` is `good`, `bad` or empty; `weight` 0 to
    3 is how long the sentence remains; `at` is the number of the entry.
    """

    intro: str = ""
    dice: tuple[Die, ...] = ()
    say: str = ""
    changes: tuple[Mapping[str, Any], ...] = ()
    places: tuple[str, ...] = ()
    tone: str = ""
    weight: int = 1
    at: int = 0

    def to_json(self) -> dict[str, Any]:
        """Return the frame as a JSON object."""
        return {**self._asdict(), "dice": [die._asdict() for die in self.dice]}


@runtime_checkable
class WithMoveFilm(Protocol):
    """Pages of a title that can show moves on the board, one after the other."""

    def film(self, before: Any, log: Sequence[LoggedMove]) -> Sequence[Frame]:
        """Return the frames of these entries, in the current language.

        `before` is the position before the first of them. Frames may show only what `log` contains,
        since that is what its reader may know.
        """
        ...


@runtime_checkable
class WithConditions(Protocol):
    """Pages that send several moves together; a move may depend on the result of another."""

    def wanted(self, position: Any, condition: Mapping[str, Any]) -> bool:
        """Return whether a move with this condition is still to be made.

        Raises `IllegalMove` for a condition that the title does not know.
        """
        ...


@runtime_checkable
class WithProposedMoves(Protocol):
    """Pages of a title that asks questions during a move, and proposes an answer to each."""

    def proposed(self, position: Any) -> Mapping[str, Any] | None:
        """Return the move that the page proposes as the answer to the current question.

        It is None if there is no question.
        """
        ...


@runtime_checkable
class WithBoardData(Protocol):
    """Pages on which moves are composed on the board."""

    def board(self, position: Any, reader: Reader) -> Mapping[str, Any]:
        """Return the data of the board for its script.

        It has the pieces, and each act that the reader may do now, with its words, its price and
        its `moves` in record form. The function is also called for positions in which acts are only
        planned.
        """
        ...

"""A table's page of a title's own: the title fills a dataclass, the pages render it.

A title that is played on one page has a `Pages` (`Title.pages`). Nothing here knows
markup beyond the SVG a title draws itself; the title's templates lie in `templates/titles/<key>/`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, runtime_checkable

from engine.effects import Effect, Roll


@dataclass(frozen=True, slots=True)
class Picture:
    """A map or a board as SVG. `lit`: some of its places are highlighted."""

    svg: str
    lit: bool = False


class PastBoard(Protocol):
    """What the template of a past board reads: a frozen dataclass of the title."""

    @property
    def map(self) -> Picture: ...


Own_co = TypeVar("Own_co", covariant=True)
"""What the template of a page reads: a frozen dataclass of the title."""
Past_co = TypeVar("Past_co", bound=PastBoard, covariant=True)


class Told(NamedTuple):
    """A standing move of the log as its reader may know it: number, record form, seat, effects,
    rolls, turn.
    """

    number: int
    move: Mapping[str, Any]
    seat: str
    effects: tuple[Effect, ...]
    rolls: tuple[Roll, ...]
    turn: int


class Reader(NamedTuple):
    """Who looks: the seats they may speak for (`gm` among them for the game master of a table of
    several), what the address asks (`?told=…`), and what they typed, if refused.

    `plays` is whether they may move now: they hold a seat, or are that game master, and the
    campaign runs. `plan` is their list for the seat that `Announcing.announcer` names; None where
    that is not theirs. Of a game master whose eyes are closed to hidden hands `opened` are the
    seats of others that lie open to them: they see and move these. `host` runs the table and says
    what begins it, whatever they see; `deputes` are the seats for which they may let a program
    choose, unseen.
    """

    seats: tuple[str, ...]
    asked: Mapping[str, str]
    plays: bool
    typed: Mapping[str, str] = {}
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
    """What to show: the template below `templates/titles/<key>/`, what it reads, the page's title,
    and the seat that moves now or has won.

    `own` is a frozen dataclass of the title: only the title's templates know its fields.
    """

    template: str
    own: Own_co
    title: str = ""
    seat: NamedSeat | None = None


class PastPage(NamedTuple, Generic[Past_co]):
    """A board as it stood: its template, and what the template reads."""

    template: str
    own: Past_co


class Fame(NamedTuple):
    """A finished campaign of the title in the hall of fame: who played, its result, its address,
    when it ended.
    """

    player: str
    points: int
    facts: Mapping[str, Any]
    url: str
    ended: str


class Question(NamedTuple):
    """What a title asks before it is founded: key in the form, label, kind (`text`, `flag` or
    `choice`), a line of help, the answer that stands there first ("1" is a flag that is set), most
    characters of a text, value and text of each choice.
    """

    key: str
    label: str
    kind: str = "text"
    help: str = ""
    default: str = ""
    longest: int = 40
    choices: tuple[tuple[str, str], ...] = ()


class Founding(Protocol):
    """How a title is offered and founded (`Title.founding`).

    A title without it asks for its scenario only.
    """

    picture: str
    """A picture in `static/`; empty if there is none."""
    together: bool
    """May it be founded for several? A title of one seat by default, its answers may give
    it more.
    """

    @property
    def questions(self) -> Sequence[Question]: ...

    def terms(self, answers: Mapping[str, str]) -> tuple[Any, dict[str, Any]]:
        """Scenario and options in record form. Raises `MalformedRecord` with the key of the
        question in `where`.
        """
        ...

    def called(self, answers: Mapping[str, str]) -> str:
        """The campaign's name where nobody gives it one."""
        ...

    def outcome_line(self, scenario: Any, facts: Mapping[str, Any]) -> str:
        """What a finished campaign came to, by its scenario and the facts of its first standing: a
        line of the hall of fame.
        """
        ...

    def division(self, facts: Mapping[str, Any]) -> str:
        """With which others a finished campaign is compared in the hall of fame, in words; empty
        where all are alike.
        """
        ...

    def facts(self, scenario: Any, options: Any) -> Sequence[tuple[str, str]]:
        """Label and text of what was agreed, the title's own reading of scenario and
        options given.
        """
        ...


class Pages(Protocol):
    """What a title played on one page gives to the pages."""

    styles: Sequence[str]
    """Stylesheets in `static/`, after the product's own."""

    def page(
        self, position: Any, log: Sequence[Told], reader: Reader, hall: Sequence[Fame]
    ) -> Page[object]:
        """The page of the table as it stands."""
        ...

    def asked(self, position: Any, form: Mapping[str, str]) -> Mapping[str, Any]:
        """The move a form of the title's templates makes, in record form. Raises `IllegalMove` for
        a bad shape.
        """
        ...

    def onward(self, position: Any) -> Mapping[str, Any] | None:
        """The move "run on" makes now; None where somebody must decide."""
        ...

    def deputy(self, position: Any) -> Mapping[str, Any] | None:
        """The move of a sensible player by program, for "play on for me"; None where the campaign
        is over.
        """
        ...


@runtime_checkable
class Remembering(Protocol):
    """What `Pages` give beside them whose title's table can be looked at as it stood after any
    entry.
    """

    def past(self, position: Any, changed: Collection[str]) -> PastPage[PastBoard]:
        """The board and what stands beside it, without anything to be decided; these places had
        just become otherwise.
        """
        ...

    def place(self, key: str) -> str:
        """The name of a place of `Rows.holdings`."""
        ...


@runtime_checkable
class Naming(Protocol):
    """What `Pages` give beside them whose title has something in `Rows.items`."""

    def item(self, key: str) -> str:
        """The name of an item of `Rows.items`."""
        ...


@runtime_checkable
class Announcing(Protocol):
    """What `Pages` give beside them where a player may put moves one behind the other and announce
    them at once.

    The list is the player's alone; each move is played by itself, over dice, until one is refused
    or `stopped` says why not to go on.
    """

    def announcer(self, position: Any) -> str | None:
        """The seat that may have a list now, also while somebody else is asked; None where nobody
        may.
        """
        ...

    def listed(self, position: Any, form: Mapping[str, str]) -> Mapping[str, Any]:
        """The announcer's move that a form makes for the list. Raises `IllegalMove` for what cannot
        stand on one.
        """
        ...

    def stops(self) -> Collection[str]:
        """The keys of the conditions that a player may choose."""
        ...

    def stopped(self, before: Any, after: Any, seat: str, chosen: Collection[str]) -> str:
        """Why the list stops between two positions, in the language of now: always where somebody
        must decide or it is no longer the seat's turn, else by the chosen conditions; empty where
        it goes on.
        """
        ...


class Die(NamedTuple):
    """A die of a film: its value, its kind for the eye, what it was thrown for; `shown` where it
    bears no digits.
    """

    value: int
    kind: str = ""
    label: str = ""
    sides: int = 6
    shown: str = ""


class Frame(NamedTuple):
    """A moment of a film: what is tried, the dice, what came of it, and what changes on the board
    by it.

    `intro` never says the result. `changes` are read by the title's own script, each with its
    `kind`; `places` are lit and brought into view; `tone` is `good`, `bad` or empty; `weight` 0 to
    3 is how long the sentence stands; `at` is the entry.
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
        return {**self._asdict(), "dice": [die._asdict() for die in self.dice]}


@runtime_checkable
class Filming(Protocol):
    """What `Pages` give beside them whose title's moves can be shown on the board one after the
    other.
    """

    def film(self, before: Any, log: Sequence[Told]) -> Sequence[Frame]:
        """The frames of these entries, in the language of now. `before` is the position before the
        first of them; of what happened only what stands in `log` may be told: that is what its
        reader may know.
        """
        ...


@runtime_checkable
class Conditional(Protocol):
    """What `Pages` give beside them where several moves are sent together, and one may hang on what
    came of another.
    """

    def wanted(self, position: Any, condition: Mapping[str, Any]) -> bool:
        """Is a move with this condition still to be made? Raises `IllegalMove` for a condition that
        is none of the title's.
        """
        ...


@runtime_checkable
class Answering(Protocol):
    """What `Pages` give beside them whose title asks in the middle of things, and shows an answer
    with each question.
    """

    def proposed(self, position: Any) -> Mapping[str, Any] | None:
        """The move that answers the question of now as the page proposes it; None where nothing is
        asked.
        """
        ...


@runtime_checkable
class Composing(Protocol):
    """What `Pages` give beside them whose title's moves are put together on the board."""

    def board(self, position: Any, reader: Reader) -> Mapping[str, Any]:
        """The board as its script reads it: the pieces, and each act that the reader may do now,
        with its words, its price and its `moves` in record form. It is asked again for a position
        in which acts are only planned.
        """
        ...

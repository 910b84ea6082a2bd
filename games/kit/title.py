"""Base classes of titles that are made of modules for views, words, orders, rules and moves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from engine.effects import Effect, Phrase, Roll
from engine.errors import IllegalMove
from engine.language import Texts, text_of_file
from engine.play import Move
from games.contract.pages import Founding, Pages
from games.contract.players import Lesson, Players
from games.contract.report import Reporter
from games.contract.title import (
    Account,
    Branch,
    Offer,
    Ordered,
    OrderKind,
    Rows,
    SeatInfo,
    Standing,
    Waiting,
)
from games.kit.records import STANDARD

OWN_WORDS = (
    "turn",
    "turns",
    "campaign",
    "active",
    "idle",
    "start",
    "turn_number",
    "turn_of_turns",
    "before_turns",
    "turn_back",
    "turn_forward",
    "turn_closed",
    "turn_elsewhere",
    "turn_closes",
    "values_by_turn",
    "fame_lost",
)
"""The words that a title may replace by its own (`Title.own_words`)."""
RECORDS = "\n# "
"""The beginning of the part of RULES.md that is for authors of records and programs."""


class View(Protocol):
    """The interface of a title's `rules/view.py`."""

    def rows(self, position: Any) -> Rows: ...
    def view(self, position: Any, seat: str | None) -> dict[str, Any]: ...
    def waiting(self, position: Any) -> Sequence[Waiting]: ...
    def branches(self, position: Any, move: Any) -> Sequence[Branch]: ...
    def links_due(self, position: Any) -> int: ...
    def score(self, position: Any) -> Sequence[Standing] | None: ...


class BoardView(View, Protocol):
    """The interface of `rules/view.py` in a title with one board."""

    LAST_LINK: int

    def seats(self, scenario: Any, options: Any) -> Sequence[SeatInfo]: ...
    def offers(self, position: Any, seat: str, by: str) -> Sequence[Offer]: ...
    def read_position(self, raw: object, scenario: Any, options: Any) -> Any: ...


class Rules(Protocol):
    """The interface of a title's `rules/position.py`."""

    def read_scenario(self, raw: object) -> Any: ...
    def read_options(self, raw: object) -> Any: ...


class Moves(Protocol):
    """The interface of a title's `rules/moves.py`."""

    def decode(self, raw: object, position: Any) -> Move: ...


class Words(Protocol):
    """The interface of a title's `words.py`."""

    def book(self) -> Mapping[str, Any]: ...
    def speak(self, scenario: Any, phrase: Phrase) -> str: ...
    def move_line(
        self, scenario: Any, move: Mapping[str, Any], effects: Iterable[Effect] = ()
    ) -> str: ...
    def refusal(self, scenario: Any, illegal: IllegalMove) -> str: ...
    def roll_line(self, scenario: Any, roll: Roll) -> str: ...


class BoardWords(Words, Protocol):
    """The interface of `words.py` in a title whose effects may have log lines of their own."""

    def is_noted(self, effect: Effect) -> bool: ...


class Orders(Protocol):
    """The standing orders of a title."""

    def order_kinds(self, position: Any, seat: str) -> Sequence[OrderKind]: ...
    def read_order(self, position: Any, seat: str, raw: Mapping[str, Any]) -> dict[str, Any]: ...
    def order_line(self, scenario: Any, order: Mapping[str, Any]) -> str: ...
    def answers_by_orders(
        self, position: Any, seat: str, orders: Sequence[Mapping[str, Any]]
    ) -> Sequence[Ordered]: ...


class BaseTitle:
    """The parts of `games.contract.title.Title` that the title's view and word modules can answer.

    By default every move is public, and a move is one entry.
    """

    views: View
    texts: Words
    reporter: Reporter | None = None
    players: Players | None = None
    pages: Pages | None = None
    founding: Founding | None = None
    lesson: Lesson | None = None

    def state(self, position: Any) -> dict[str, Any]:
        state: dict[str, Any] = position.encode()
        return state

    def rows(self, position: Any) -> Rows:
        return self.views.rows(position)

    def view(self, position: Any, seat: str | None) -> dict[str, Any]:
        return self.views.view(position, seat)

    def waiting(self, position: Any) -> Sequence[Waiting]:
        return self.views.waiting(position)

    def expand(self, position: Any, move: Move) -> Sequence[dict[str, Any]]:
        return [move.to_json()]

    def branches(self, position: Any, move: Move) -> Sequence[Branch]:
        return self.views.branches(position, move)

    def audience(self, position: Any, move: Move) -> tuple[str, ...] | None:
        return None

    def links_due(self, position: Any) -> int:
        return self.views.links_due(position)

    def score(self, position: Any) -> Sequence[Standing] | None:
        return self.views.score(position)

    @property
    def own_words(self) -> Mapping[str, str]:
        return {}

    def speak(self, scenario: Any, phrase: Phrase) -> str:
        return self.texts.speak(scenario, phrase)

    def move_line(
        self, scenario: Any, move: Mapping[str, Any], effects: Iterable[Effect] = ()
    ) -> str:
        return self.texts.move_line(scenario, move, effects)

    def planned_line(self, scenario: Any, move: Mapping[str, Any]) -> str:
        return self.move_line(scenario, move)

    def claimed_line(
        self, scenario: Any, move: Mapping[str, Any], effects: Iterable[Effect] = ()
    ) -> str:
        return self.move_line(scenario, move, effects)

    def refusal(self, scenario: Any, refusal: IllegalMove) -> str:
        return self.texts.refusal(scenario, refusal)

    def roll_line(self, scenario: Any, roll: Roll) -> str:
        return self.texts.roll_line(scenario, roll)


class OrderedTitle:
    """The methods of `games.contract.title.StandingOrders`, answered by a module."""

    orders: Orders

    def order_kinds(self, position: Any, seat: str) -> Sequence[OrderKind]:
        return self.orders.order_kinds(position, seat)

    def read_order(self, position: Any, seat: str, raw: Mapping[str, Any]) -> dict[str, Any]:
        return self.orders.read_order(position, seat, raw)

    def order_line(self, scenario: Any, order: Mapping[str, Any]) -> str:
        return self.orders.order_line(scenario, order)

    def answers_by_orders(
        self, position: Any, seat: str, given: Sequence[Mapping[str, Any]]
    ) -> Sequence[Ordered]:
        return self.orders.answers_by_orders(position, seat, given)


class BoardFounding(Founding):
    """The description and setup form of a title with one board. `catalogue` has its texts."""

    catalogue: Texts
    picture = ""
    together = True

    def division(self, facts: Mapping[str, Any]) -> str:
        return ""


class BoardTitle(BaseTitle):
    """A title with one board, played on a page of its own. By default nothing is hidden.

    The catalogue of `founding` has the texts that describe the title, `folder` its RULES.
    """

    views: BoardView
    texts: BoardWords
    rules: Rules
    moves: Moves
    founding: BoardFounding
    folder: Path
    default_scenario = STANDARD

    @property
    def accounts(self) -> Sequence[Account]:
        return tuple(Account(key, label) for key, label in self.texts.book()["accounts"].items())

    @property
    def about(self) -> str:
        return self.founding.catalogue.text("about")

    @property
    def lasts(self) -> str:
        return self.founding.catalogue.text("lasts")

    @property
    def own_words(self) -> Mapping[str, str]:
        texts = self.founding.catalogue.read()
        return {key: texts[key] for key in OWN_WORDS if key in texts}

    def rules_text(self) -> str:
        return text_of_file(self.folder, "RULES").split(RECORDS)[0]

    def scenario(self, raw: object) -> Any:
        return self.rules.read_scenario(raw)

    def options(self, raw: object) -> Any:
        return self.rules.read_options(raw)

    def scenarios(self) -> Mapping[str, Mapping[str, Any]]:
        return {STANDARD: self.scenario(STANDARD).raw}

    def hides(self, options: Any) -> bool:
        return False

    def last_link(self, scenario: Any) -> int:
        return self.views.LAST_LINK

    def seats(self, scenario: Any, options: Any) -> Sequence[SeatInfo]:
        return self.views.seats(scenario, options)

    def situation(self, raw: object, options: Any) -> Any:
        return self.views.read_position(raw, self.scenario(STANDARD), options)

    def decode(self, raw: object, position: Any) -> Move:
        return self.moves.decode(raw, position)

    def offers(self, position: Any, seat: str, by: str | None = None) -> Sequence[Offer]:
        return self.views.offers(position, seat, by or seat)

    def is_noted(self, effect: Effect) -> bool:
        return self.texts.is_noted(effect)

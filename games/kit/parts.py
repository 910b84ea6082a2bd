"""A title whose parts are modules: what it shows and what it says are asked of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from engine.effects import Effect, Roll, Say
from engine.errors import IllegalMove
from engine.moves import Move
from games.contract.title import Branch, Offer, Rows, Standing, Waiting


class View(Protocol):
    """A title's `view.py`."""

    def rows(self, position: Any) -> Rows: ...
    def view(self, position: Any, seat: str | None) -> dict[str, Any]: ...
    def waiting(self, position: Any) -> Sequence[Waiting]: ...
    def offers(self, position: Any, seat: str, by: str) -> Sequence[Offer]: ...
    def branches(self, position: Any, move: Any) -> Sequence[Branch]: ...
    def links_due(self, position: Any) -> int: ...
    def score(self, position: Any) -> Sequence[Standing] | None: ...


class Words(Protocol):
    """A title's `words.py`."""

    def speak(self, scenario: Any, say: Say) -> str: ...
    def tells(self, effect: Effect) -> bool: ...
    def move_line(self, scenario: Any, move: Mapping[str, Any], effects: Iterable[Effect] = ()) -> str: ...
    def refusal(self, scenario: Any, illegal: IllegalMove) -> str: ...
    def roll_line(self, scenario: Any, roll: Roll) -> str: ...


class InParts:
    """What `games.contract.title.Title` asks, as far as `shown` and `said` answer it. Whatever is said everybody may know, and an
    announcement is one entry, unless the title says otherwise."""

    shown: View
    said: Words

    def state(self, position: Any) -> dict[str, Any]:
        state: dict[str, Any] = position.encode()
        return state

    def rows(self, position: Any) -> Rows:
        return self.shown.rows(position)

    def view(self, position: Any, seat: str | None) -> dict[str, Any]:
        return self.shown.view(position, seat)

    def waiting(self, position: Any) -> Sequence[Waiting]:
        return self.shown.waiting(position)

    def offers(self, position: Any, seat: str, by: str | None = None) -> Sequence[Offer]:
        return self.shown.offers(position, seat, by or seat)

    def expand(self, position: Any, move: Move) -> Sequence[dict[str, Any]]:
        return [move.to_json()]

    def branches(self, position: Any, move: Move) -> Sequence[Branch]:
        return self.shown.branches(position, move)

    def audience(self, position: Any, move: Move) -> tuple[str, ...] | None:
        return None

    def links_due(self, position: Any) -> int:
        return self.shown.links_due(position)

    def score(self, position: Any) -> Sequence[Standing] | None:
        return self.shown.score(position)

    def speak(self, scenario: Any, say: Say) -> str:
        return self.said.speak(scenario, say)

    def tells(self, effect: Effect) -> bool:
        return self.said.tells(effect)

    def move_line(self, scenario: Any, move: Mapping[str, Any], effects: Iterable[Effect] = ()) -> str:
        return self.said.move_line(scenario, move, effects)

    def refusal(self, scenario: Any, refusal: IllegalMove) -> str:
        return self.said.refusal(scenario, refusal)

    def roll_line(self, scenario: Any, roll: Roll) -> str:
        return self.said.roll_line(scenario, roll)

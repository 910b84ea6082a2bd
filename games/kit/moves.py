"""Moves whose classes declare their arguments: who speaks, what is read from a record, what is written back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, ClassVar, TypeVar, dataclass_transform

from engine.errors import IllegalMove
from engine.play import Move, frozen

GM, ENGINE = "gm", "engine"
ATTRIBUTES = {"from": "source"}
"""Arguments whose names are words of the language the program is written in."""
MOST = 10**6
"""No number of a move is larger."""
HEAD = ("by", "for", "move")
M = TypeVar("M", bound="FormMove")
C = TypeVar("C", bound="type[Move]")


def bad(message: str, **facts: Any) -> IllegalMove:
    """A move whose form is wrong."""
    return IllegalMove("bad-arguments", "", message, **facts)


class FormMove(Move):
    """A move that says what it takes.

    `form` gives the kind of each argument: `text`, `texts`, `number` (from `least`) or `flag`. `optional` names those that
    may be missing or null, `ways` the texts there are, `filled` the lists that may not be empty.
    """

    __slots__ = ()
    form: ClassVar[dict[str, Any]] = {}
    optional: ClassVar[frozenset[str]] = frozenset()
    ways: ClassVar[dict[str, tuple[str, ...]]] = {}
    filled: ClassVar[tuple[str, ...]] = ()
    least: ClassVar[int] = 1

    @classmethod
    def read_voice(cls, raw: Mapping[str, Any], position: Any) -> tuple[str, str]:
        """Who says it, and whose seat's move it is. Raises `IllegalMove` where the record says neither."""
        raise NotImplementedError(f"{cls.__name__} does not say who speaks")

    @classmethod
    def read_argument(cls, key: str, raw: Mapping[str, Any]) -> Any:
        """The value of one argument of a record's move. Raises `IllegalMove` where it is of another kind."""
        value, kind = raw.get(key), cls.form[key]
        if key not in raw or (value is None and key in cls.optional):
            if key not in cls.optional:
                raise bad("argument-missing", key=key)
            return None
        if kind == "number":
            if type(value) is not int or not cls.least <= value <= MOST:
                raise bad("not-number", key=key)
            return value
        if kind == "flag":
            if type(value) is not bool:
                raise bad("not-flag", key=key)
            return value
        if kind == "texts":
            if type(value) is not list or not all(type(one) is str for one in value):
                raise bad("not-texts", key=key)
            if key in cls.filled and not value:
                raise bad("no-step")
            return tuple(value)
        if type(value) is not str:
            raise bad("not-text", key=key)
        if key in cls.ways and value not in cls.ways[key]:
            raise bad("not-a-way", key=key, ways=", ".join(cls.ways[key]))
        return value

    def to_json(self) -> dict[str, Any]:
        raw: dict[str, Any] = {"by": self.by, "move": self.name}
        if self.by == GM and self.seat != GM:
            raw["for"] = self.seat
        for key in self.form:
            value = getattr(self, ATTRIBUTES.get(key, key))
            if value is not None or key not in self.optional:
                raw[key] = list(value) if type(value) is tuple else value
        return raw


@dataclass_transform(frozen_default=True, kw_only_default=True)
def register(moves: dict[str, Any], name: str) -> Callable[[C], C]:
    """The decorator that makes a class the move of this name: a frozen dataclass, entered into a title's moves."""

    def enter(cls: C) -> C:
        moves[name] = entered = move_class(cls, name)
        return entered

    return enter


def move_class(cls: C, name: str) -> C:
    """The class of the move of this name, as a frozen dataclass."""
    cls.name = name
    return frozen(cls)


def decode(raw: object, moves: Mapping[str, type[M]], position: Any) -> M:
    """Read a move of a record. Raises `IllegalMove` where its form is wrong: nothing of the rules is asked yet."""
    if type(raw) is not dict:
        raise bad("not-a-move")
    name = raw.get("move")
    if type(name) is not str:
        raise bad("argument-missing", key="move")
    cls = moves.get(name)
    if cls is None:
        raise IllegalMove("unknown-move", "", name=name[:40])
    by, seat = cls.read_voice(raw, position)
    for key in raw:
        if key not in cls.form and key not in HEAD:
            raise bad("unknown-argument", key=str(key)[:40], move=name)
    given = {ATTRIBUTES.get(key, key): cls.read_argument(key, raw) for key in cls.form}
    return cls(by=by, seat=seat, **given)


def read_voice(
    raw: Mapping[str, Any], speaker: str, seats: Collection[str], led: Collection[str], masters: Collection[str] = (GM,)
) -> tuple[str, str]:
    """Who says a move and for whom: `seats` speak for themselves, `masters` for one of `led`. Without `by` the `speaker`
    does, with `for` the game master. Raises `IllegalMove`."""
    by = raw.get("by", speaker if "for" not in raw else GM)
    if by in masters:
        seat = raw.get("for", GM)
        if type(seat) is not str or seat not in led:
            raise bad("not-a-voice")
        return GM, seat
    if type(by) is not str or "for" in raw or by not in seats:
        raise bad("not-a-voice")
    return by, by

"""The form of a move: who speaks, what it names, when it may be said (RULES, Moves)."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

from engine.errors import IllegalMove
from engine.moves import Move
from games.tetrarchia.board import EMPERORS
from games.tetrarchia.position import Position

GM = "gm"
M = TypeVar("M", bound="type[TetrarchyMove]")
MOVES: dict[str, type[TetrarchyMove]] = {}
ATTRIBUTES = {"from": "source"}
"""Arguments whose names are words of the language the program is written in."""
MOST = 10**6


class TetrarchyMove(Move):
    """A move of a player's. `form` gives the kind of each argument: `text`, `texts` or `number` (from 1); `ways` the texts
    there are, `filled` the lists that may not be empty. `admit` asks in this order: is the game over, the phase, whose
    turn it is, the variant, whether the Emperor must enter or is off the board (`needed`), whether he shares ROMA
    (`alone`, 8.11)."""

    __slots__ = ()
    form: ClassVar[dict[str, str]] = {}
    ways: ClassVar[dict[str, tuple[str, ...]]] = {}
    filled: ClassVar[tuple[str, ...]] = ()
    phase: ClassVar[str] = "roman"
    variant: ClassVar[str] = ""
    needed: ClassVar[bool] = True
    alone: ClassVar[bool] = False

    def admit(self, position: Position) -> None:
        if position.phase == "over":
            raise IllegalMove("game-over", "6", f"game-over-{position.result}")
        if position.phase != self.phase:
            raise IllegalMove("wrong-phase", "4", f"wrong-phase-{position.phase}")
        self.admit_speaker(position)
        if self.variant and not position.on(self.variant):
            raise IllegalMove("variant-off", "7", variant=self.variant)
        if self.phase == "roman":
            self.admit_place(position)

    def admit_speaker(self, position: Position) -> None:
        """An Emperor speaks in his own turn only; a seat for those it plays (2.1)."""
        other = self.by in EMPERORS and self.by not in position.options.seats and self.by != position.emperor
        if other or self.seat != position.options.player(position.emperor):
            raise IllegalMove("not-your-turn", "4", emperor=position.emperor)

    def admit_place(self, position: Position) -> None:
        emperor = position.emperor
        if position.can_enter:
            raise IllegalMove("must-enter", "4.1", emperor=emperor)
        if self.needed and position.at is None:
            raise IllegalMove("off-board", "5.5", emperor=emperor)
        if self.alone and position.sharing():
            raise IllegalMove("sharing", "8.11", emperor=emperor)

    def to_json(self) -> dict[str, Any]:
        raw: dict[str, Any] = {"by": self.by, "move": self.name}
        if self.by == GM and self.seat != GM:
            raw["for"] = self.seat
        for key in self.form:
            value = getattr(self, ATTRIBUTES.get(key, key))
            raw[key] = list(value) if type(value) is tuple else value
        return raw


def register(cls: M) -> M:
    """Enter a move's class under its name."""
    MOVES[cls.name] = cls
    return cls


def bad(message: str, **facts: Any) -> IllegalMove:
    """A move whose form is wrong."""
    return IllegalMove("bad-arguments", "", message, **facts)


def decode(raw: object, position: Position) -> TetrarchyMove:
    """Read a move of a record. Raises `IllegalMove` where its form is wrong: nothing of the rules is asked yet."""
    if type(raw) is not dict:
        raise bad("not-a-move")
    name = raw.get("move")
    if type(name) is not str:
        raise bad("argument-missing", key="move")
    cls = MOVES.get(name)
    if cls is None:
        raise IllegalMove("unknown-move", "", name=name[:40])
    by, seat = _voice(raw, position, cls)
    for key in raw:
        if key not in cls.form and key not in ("by", "for", "move"):
            raise bad("unknown-argument", key=str(key)[:40], move=name)
    given = {ATTRIBUTES.get(key, key): _value(cls, key, kind, raw) for key, kind in cls.form.items()}
    return cls(by=by, seat=seat, **given)


def _voice(raw: dict[str, Any], position: Position, cls: type[TetrarchyMove]) -> tuple[str, str]:
    """Who says it, and whose seat's move it is. Without `by` the player speaks who may; to begin, the table's owner."""
    options = position.options
    owner = cls.phase == "setup" and options.players > 1
    speaks = GM if owner else options.player(position.emperor)
    by = raw.get("by", speaks if "for" not in raw else GM)
    if by == GM:
        seat = raw.get("for", GM)
        # The one player owns his table: `gm` may begin there too.
        allowed = (GM, *options.seats) if cls.phase == "setup" else options.seats
        if type(seat) is not str or seat not in allowed:
            raise bad("not-a-voice")
        return GM, seat
    if type(by) is not str or "for" in raw or by not in (*options.seats, *EMPERORS):
        raise bad("not-a-voice")
    return by, by if by in options.seats else options.player(by)


def _value(cls: type[TetrarchyMove], key: str, kind: str, raw: dict[str, Any]) -> Any:
    if key not in raw:
        raise bad("argument-missing", key=key)
    value = raw[key]
    if kind == "number":
        if type(value) is not int or not 1 <= value <= MOST:
            raise bad("not-number", key=key)
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

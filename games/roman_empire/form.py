"""The form of a move: who speaks, what it names, when it may be said (RULES, Moves)."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

from engine.errors import IllegalMove
from engine.moves import Move
from games.roman_empire.position import DONE, FACTION, PEOPLE, START, Position

GM, ENGINE = "gm", "engine"
M = TypeVar("M", bound="type[EmpireMove]")
MOVES: dict[str, type[EmpireMove]] = {}
ATTRIBUTES = {"from": "source"}
"""Arguments whose names are words of the language the program is written in."""
MOST = 10**6
ACTING = (PEOPLE, FACTION)


class EmpireMove(Move):
    """`form` gives the kind of each argument (`text`, `texts`, `number`, `flag`), `optional` those that may be missing or
    null, `ways` the texts there are. `admit` asks in this order: is the game over, whose turn it is, the phase, whether a
    decision is pending (`decides`: which kind this move is)."""

    __slots__ = ()
    form: ClassVar[dict[str, str]] = {}
    optional: ClassVar[frozenset[str]] = frozenset()
    ways: ClassVar[dict[str, tuple[str, ...]]] = {}
    phases: ClassVar[tuple[str, ...]] = ACTING
    automatic: ClassVar[bool] = False
    decides: ClassVar[str] = ""
    only_start: ClassVar[bool] = False

    @classmethod
    def speaker(cls, position: Position) -> str | None:
        """The seat whose move it is; None if it is nobody's in particular."""
        if cls.decides:
            return position.pending.seat if position.pending is not None and position.pending.kind == cls.decides else None
        return None if cls.automatic else position.active

    def admit(self, position: Position) -> None:
        if position.phase == "over":
            raise IllegalMove("game-over", "11")
        speaker = self.speaker(position)
        if speaker is not None and self.seat != speaker:
            raise IllegalMove("not-your-turn", "4.4", seat=speaker)
        if self.decides:
            self.admit_decision(position)
            return
        self.admit_phase(position)
        if position.pending is not None:
            raise IllegalMove("pending-decision", "8.5", f"pending-{position.pending.kind}", seat=position.pending.seat)
        if self.only_start and position.step != START:
            raise IllegalMove("too-late", "6.2")

    def admit_decision(self, position: Position) -> None:
        if position.pending is None or position.pending.kind != self.decides:
            raise IllegalMove("nothing-pending", "8.5")

    def admit_phase(self, position: Position) -> None:
        if position.phase not in self.phases:
            raise IllegalMove("wrong-phase", "4", f"wrong-phase-{position.phase}")
        if position.phase in ACTING and position.step == DONE:
            raise IllegalMove("wrong-phase", "4", "phase-done")

    def to_json(self) -> dict[str, Any]:
        raw: dict[str, Any] = {"by": self.by, "move": self.name}
        if self.by == GM and self.seat != GM:
            raw["for"] = self.seat
        for key in self.form:
            value = getattr(self, ATTRIBUTES.get(key, key))
            if value is not None or key not in self.optional:
                raw[key] = list(value) if type(value) is tuple else value
        return raw


def register(cls: M) -> M:
    """Enter a move's class under its name."""
    MOVES[cls.name] = cls
    return cls


def bad(message: str, **facts: Any) -> IllegalMove:
    """A move whose form is wrong."""
    return IllegalMove("bad-arguments", "", message, **facts)


def decode(raw: object, position: Position) -> EmpireMove:
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


def _voice(raw: dict[str, Any], position: Position, cls: type[EmpireMove]) -> tuple[str, str]:
    """Who says it, and whose seat's move it is. Without `by` the seat speaks that may; what goes on by itself, the table."""
    speaks = GM if cls.automatic else cls.speaker(position) or next(iter(position.seats), GM)
    by = raw.get("by", speaks if "for" not in raw else GM)
    if by in (GM, ENGINE):
        seat = raw.get("for", GM)
        if type(seat) is not str or seat not in ((GM, *position.seats) if cls.automatic else position.seats):
            raise bad("not-a-voice")
        return GM, seat
    if type(by) is not str or "for" in raw or by not in position.seats:
        raise bad("not-a-voice")
    return by, by


def _value(cls: type[EmpireMove], key: str, kind: str, raw: dict[str, Any]) -> Any:
    value = raw.get(key)
    if key not in raw or (value is None and key in cls.optional):
        if key not in cls.optional:
            raise bad("argument-missing", key=key)
        return None
    if kind == "number":
        if type(value) is not int or not -MOST <= value <= MOST:
            raise bad("not-number", key=key)
        return value
    if kind == "flag":
        if type(value) is not bool:
            raise bad("not-flag", key=key)
        return value
    if kind == "texts":
        if type(value) is not list or not all(type(one) is str for one in value):
            raise bad("not-texts", key=key)
        return tuple(value)
    if type(value) is not str:
        raise bad("not-text", key=key)
    if key in cls.ways and value not in cls.ways[key]:
        raise bad("not-a-way", key=key, ways=", ".join(cls.ways[key]))
    return value

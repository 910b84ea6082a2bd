"""What the player can say, a class a move (RULES, Moves)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from engine.dice import Dice
from engine.errors import IllegalMove
from engine.moves import Move
from games.march_on_rome.rules import battle, year
from games.march_on_rome.rules import position as rules_position
from games.march_on_rome.rules.board import PC, PROVINCES
from games.march_on_rome.rules.position import Position

GM = "gm"
M = TypeVar("M", bound="type[MarchMove]")
MOVES: dict[str, type[MarchMove]] = {}


class MarchMove(Move):
    """A move of the player's. `form` gives the type of each argument. `admit` asks in RULES' order: is the game over, is
    another decision waiting (or none), the phase."""

    __slots__ = ()
    form: ClassVar[dict[str, type]] = {}
    phases: ClassVar[tuple[str, ...]] = ("pc",)
    answers: ClassVar[str] = ""

    def admit(self, position: Position) -> None:
        if position.phase == "over":
            raise IllegalMove("game-over", "7.1", f"game-over-{position.result}")
        pending = position.pending
        if pending is not None and pending["kind"] != self.answers:
            raise IllegalMove("pending-decision", "4.5" if pending["kind"] == "devote" else "5.5", f"pending-{pending['kind']}")
        if pending is None and self.answers:
            raise IllegalMove("nothing-pending", "4.5" if self.answers == "devote" else "5.5")
        if pending is None and position.phase not in self.phases:
            raise IllegalMove("wrong-phase", "3", f"wrong-phase-{position.phase}", move=self.name)

    @classmethod
    def probe(cls, position: Position, by: str) -> None:
        """Might the player say a move of this kind now, with the right arguments? Raises `IllegalMove` if not."""
        # Any arguments will do: admission asks for none, and the rest is asked with some that are allowed.
        cls(by=by, seat=PC, **{key: wanted() for key, wanted in cls.form.items()}).admit(position)

    def to_json(self) -> dict[str, Any]:
        raw: dict[str, Any] = {"by": self.by, "move": self.name}
        if self.by != self.seat:
            raw["for"] = self.seat
        return raw | {key: getattr(self, key) for key in self.form}


def register(cls: M) -> M:
    """Enter a move's class under its name."""
    MOVES[cls.name] = cls
    return cls


@register
@dataclass(frozen=True, slots=True, kw_only=True)
class Begin(MarchMove):
    """Sets up the board (2)."""

    name: ClassVar[str] = "begin"
    phases: ClassVar[tuple[str, ...]] = ("setup",)

    def apply(self, position: Position, dice: Dice) -> None:
        rules_position.begin(position, dice)


@register
@dataclass(frozen=True, slots=True, kw_only=True)
class Pass(MarchMove):
    """Does nothing this year (3.1)."""

    name: ClassVar[str] = "pass"

    def apply(self, position: Position, dice: Dice) -> None:
        position.note("idle", PC, PC, "3.1", general=PC, why="pass")
        year.advance(position)


class Campaigning(MarchMove):
    """A move against the holder of a neighbouring province."""

    __slots__ = ()
    form: ClassVar[dict[str, type]] = {"target": str}
    target: str

    @classmethod
    def probe(cls, position: Position, by: str) -> None:
        super().probe(position, by)
        # Every province may be his: then there is nobody left to deal with.
        made: Any = cls
        made(by=by, seat=PC, target=[*position.targets(), *position.lands(PC), *PROVINCES][0]).check(position)

    def check(self, position: Position) -> None:
        if self.target not in PROVINCES:
            raise IllegalMove("unknown-province", "1.1", name=self.target[:40])
        if position.owner[self.target] == PC:
            raise IllegalMove("own-province", "3.1", province=self.target)
        if not position.neighbours_pc(self.target):
            raise IllegalMove("not-adjacent", "3.1", province=self.target)


@register
@dataclass(frozen=True, slots=True, kw_only=True)
class Attack(Campaigning):
    """Attacks a neighbouring province (3.1, 4)."""

    name: ClassVar[str] = "attack"
    target: str

    def check(self, position: Position) -> None:
        Campaigning.check(self, position)
        if position.legions[PC] < 1:
            raise IllegalMove("no-legions", "3.1", province=self.target)

    def apply(self, position: Position, dice: Dice) -> None:
        battle.begin(position, dice, PC, self.target, "attack")
        year.advance(position)


@register
@dataclass(frozen=True, slots=True, kw_only=True)
class Ally(Campaigning):
    """Offers an alliance to the holder of a neighbouring province (3.1, 5)."""

    name: ClassVar[str] = "ally"
    target: str

    def apply(self, position: Position, dice: Dice) -> None:
        battle.offer(position, dice, PC, self.target)
        year.advance(position)


@register
@dataclass(frozen=True, slots=True, kw_only=True)
class Devote(MarchMove):
    """Says how many legions go into the battle (4.5)."""

    name: ClassVar[str] = "devote"
    form: ClassVar[dict[str, type]] = {"legions": int}
    answers: ClassVar[str] = "devote"
    legions: int

    def check(self, position: Position) -> None:
        least, most = bounds(position)
        if not least <= self.legions <= most:
            raise IllegalMove("bad-number", "4.5", least=least, most=most)

    def apply(self, position: Position, dice: Dice) -> None:
        assert position.pending is not None
        side = position.pending["side"]
        position.pending = None
        battle.devote(position, side, self.legions)
        if self.legions:
            battle.commit(position, dice)
        else:
            # Without dice (4.5): a rival who would have to say how many he devotes is not asked any more.
            others = battle.running(position)["devoted"]["attacker"] or 0
            battle.settle(position, "attacker", {"attacker": others, "defender": 0}, conceded=True)
        year.advance(position)


@register
@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(MarchMove):
    """Answers a stronger rival's offer; to accept is the end of the reign (5.5)."""

    name: ClassVar[str] = "answer"
    form: ClassVar[dict[str, type]] = {"accept": bool}
    answers: ClassVar[str] = "answer"
    accept: bool

    def apply(self, position: Position, dice: Dice) -> None:
        assert position.pending is not None
        general, target = position.pending["from"], position.pending["target"]
        position.pending = None
        if self.accept:
            battle.merge(position, general, PC, target)
        else:
            battle.refuse(position, dice, general, target)
        year.advance(position)


@register
@dataclass(frozen=True, slots=True, kw_only=True)
class Continue(MarchMove):
    """Lets the year take its next step (3.2 to 3.5)."""

    name: ClassVar[str] = "continue"
    phases: ClassVar[tuple[str, ...]] = ("npc", "recruit", "events")

    def apply(self, position: Position, dice: Dice) -> None:
        year.go_on(position, dice)


def bounds(position: Position) -> tuple[int, int]:
    """The least and the most legions that the player may devote now (4.5)."""
    assert position.pending is not None
    return (1 if position.pending["side"] == "attacker" else 0), position.legions[PC]


def bad(message: str, **facts: Any) -> IllegalMove:
    """A move whose form is wrong."""
    return IllegalMove("bad-arguments", "", message, **facts)


def decode(raw: object) -> MarchMove:
    """Read a move of a record. Raises `IllegalMove` where its form is wrong: nothing of the rules is asked yet."""
    if type(raw) is not dict:
        raise bad("not-a-move")
    name = raw.get("move")
    if type(name) is not str:
        raise bad("argument-missing", key="move")
    cls = MOVES.get(name)
    if cls is None:
        raise IllegalMove("unknown-move", "", name=name[:40])
    by = raw.get("by", PC)
    if by not in (PC, GM) or ("for" in raw) != (by == GM) or raw.get("for", PC) != PC:
        raise bad("not-a-voice")
    for key in raw:
        if key not in cls.form and key not in ("by", "for", "move"):
            raise bad("unknown-argument", key=str(key)[:40], move=name)
    for key, wanted in cls.form.items():
        if key not in raw:
            raise bad("argument-missing", key=key)
        if type(raw[key]) is not wanted:
            raise bad(f"not-{wanted.__name__}", key=key)
    return cls(by=by, seat=PC, **{key: raw[key] for key in cls.form})

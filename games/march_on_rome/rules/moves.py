"""What the player can say, a class a move (RULES, Moves)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from engine.dice import Dice
from engine.errors import IllegalMove
from games.kit.records import GM, FormMove, bad, register
from games.kit.records import decode as decode_move
from games.march_on_rome.rules import battle, year
from games.march_on_rome.rules import position as rules_position
from games.march_on_rome.rules.position import PC, PROVINCES, Position

MOVES: dict[str, type[MarchMove]] = {}


class MarchMove(FormMove):
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

    @classmethod
    def read_voice(cls, raw: Mapping[str, Any], position: object) -> tuple[str, str]:
        by = raw.get("by", PC)
        if by not in (PC, GM) or ("for" in raw) != (by == GM) or raw.get("for", PC) != PC:
            raise bad("not-a-voice")
        return by, PC

    @classmethod
    def read_argument(cls, key: str, raw: Mapping[str, Any]) -> Any:
        wanted = cls.form[key]
        if key not in raw:
            raise bad("argument-missing", key=key)
        if type(raw[key]) is not wanted:
            raise bad(f"not-{wanted.__name__}", key=key)
        return raw[key]


def decode(raw: object, position: object = None) -> MarchMove:
    """Read a move of a record. Raises `IllegalMove` where its form is wrong."""
    return decode_move(raw, MOVES, position)


@register(MOVES, "begin")
class Begin(MarchMove):
    """Sets up the board (2)."""

    phases: ClassVar[tuple[str, ...]] = ("setup",)

    def apply(self, position: Position, dice: Dice) -> None:
        rules_position.begin(position, dice)


@register(MOVES, "pass")
class Pass(MarchMove):
    """Does nothing this year (3.1)."""

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
        move_class: Any = cls
        move_class(by=by, seat=PC, target=[*position.targets(), *position.lands(PC), *PROVINCES][0]).check(position)

    def check(self, position: Position) -> None:
        if self.target not in PROVINCES:
            raise IllegalMove("unknown-province", "1.1", name=self.target[:40])
        if position.owner[self.target] == PC:
            raise IllegalMove("own-province", "3.1", province=self.target)
        if not position.neighbours_pc(self.target):
            raise IllegalMove("not-adjacent", "3.1", province=self.target)


@register(MOVES, "attack")
class Attack(Campaigning):
    """Attacks a neighbouring province (3.1, 4)."""

    target: str

    def check(self, position: Position) -> None:
        Campaigning.check(self, position)
        if position.legions[PC] < 1:
            raise IllegalMove("no-legions", "3.1", province=self.target)

    def apply(self, position: Position, dice: Dice) -> None:
        battle.begin(position, dice, PC, self.target, "attack")
        year.advance(position)


@register(MOVES, "ally")
class Ally(Campaigning):
    """Offers an alliance to the holder of a neighbouring province (3.1, 5)."""

    target: str

    def apply(self, position: Position, dice: Dice) -> None:
        battle.offer(position, dice, PC, self.target)
        year.advance(position)


@register(MOVES, "devote")
class Devote(MarchMove):
    """Says how many legions go into the battle (4.5)."""

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


@register(MOVES, "answer")
class Answer(MarchMove):
    """Answers a stronger rival's offer; to accept is the end of the reign (5.5)."""

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


@register(MOVES, "continue")
class Continue(MarchMove):
    """Lets the year take its next step (3.2 to 3.5)."""

    phases: ClassVar[tuple[str, ...]] = ("npc", "recruit", "events")

    def apply(self, position: Position, dice: Dice) -> None:
        year.go_on(position, dice)


def bounds(position: Position) -> tuple[int, int]:
    """The least and the most legions that the player may devote now (4.5)."""
    assert position.pending is not None
    return (1 if position.pending["side"] == "attacker" else 0), position.legions[PC]

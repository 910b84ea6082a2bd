"""The form of moves: keys, readers of their values, and the conditions for making them (RECORD)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from decimal import Decimal
from typing import Any, ClassVar, TypeVar, dataclass_transform

from engine.errors import IllegalMove, MalformedRecord
from engine.play import Move
from engine.strict_json import is_text
from games.grand_campaign.rules.numbers import CARDS, MOST_CARDS, Fault
from games.grand_campaign.rules.position import Attack, Position
from games.grand_campaign.rules.scenario import Scenario
from games.kit.records import HEAD, move_class

Reader = Callable[[Position, Any], Any]
T = TypeVar("T")
M = TypeVar("M", bound="type[GrandMove]")
SLOTS = ("slots",)
OPEN = ("slots", "battles", "closed")


def bad(message: str, **facts: Any) -> IllegalMove:
    """Return the refusal of a move whose form is wrong."""
    return IllegalMove("bad-argument", "", message, **facts)


def judged(check: Callable[..., T], *given: Any) -> T:
    """Return the result of a check of scenarios within a move.

    What is malformed in a scenario is a `bad-argument` in a move.
    """
    try:
        return check(*given)
    except MalformedRecord as wrong:
        raise bad("not-as-asked", where=wrong.where, why=wrong.why) from None


def a_nation(position: Position, value: Any) -> str:
    if type(value) is not str:
        raise bad("not-a-nation")
    if value not in position.nations:
        raise IllegalMove("unknown-nation", "1.1", name=value[:40])
    return value


def a_province(position: Position, value: Any) -> str:
    if type(value) is not str:
        raise bad("not-a-province")
    if value not in position.owner:
        raise IllegalMove("unknown-province", "6.1", name=value[:40])
    return value


def nation_or_nobody(position: Position, value: Any) -> str | None:
    return None if value is None else a_nation(position, value)


def a_card(position: Position, value: Any) -> str:
    if type(value) is not str or value not in CARDS:
        raise bad("not-a-card")
    return value


def cards(position: Position, value: Any) -> tuple[str, ...]:
    if type(value) is not list:
        raise bad("not-a-list")
    named = tuple(a_card(position, card) for card in value)
    if len(set(named)) != len(named):
        raise bad("card-named-twice")
    return named


def flag(position: Position, value: Any) -> bool:
    if type(value) is not bool:
        raise bad("not-a-flag")
    return value


def whole_number(position: Position, value: Any) -> int:
    if type(value) is not int:
        raise bad("not-a-whole-number")
    return value


def attack_number(position: Position, value: Any) -> int:
    return whole_number(position, value)


def a_number(position: Position, value: Any) -> int | Decimal:
    if type(value) is float:  # A form sends floats; the text of a record gives decimals.
        value = Decimal(repr(value))
    if type(value) is not int and type(value) is not Decimal:
        raise bad("not-a-number")
    return value


def reason(position: Position, value: Any) -> str:
    if not is_text(value):
        raise bad("not-a-text")
    if not value:
        raise bad("no-reason")
    return str(value)


def one_of(*values: str) -> Reader:
    """Return a reader that accepts only these words."""
    allowed = frozenset(values)

    def read(position: Position, value: Any) -> str:
        if type(value) is not str or value not in allowed:
            raise bad("not-one-of", values=sorted(allowed))
        return value

    return read


class GrandMove(Move):
    """A move of the Grand Campaign.

    `form` has the reader of each argument; an argument with a default may be left out. `admit`
    checks in RECORD's order: the attack's state, the phase, whether a nation has fallen, the slot,
    and whether this seat may make the move.
    """

    __slots__ = ()
    form: ClassVar[dict[str, Reader]] = {}
    keys: ClassVar[dict[str, str]] = {"from": "source"}
    phases: ClassVar[tuple[str, ...]] = SLOTS
    by_master: ClassVar[bool] = False
    in_slot: ClassVar[bool] = False

    def admit(self, position: Position) -> None:
        if position.phase not in self.phases:
            raise IllegalMove(
                "wrong-phase",
                "1.3",
                f"wrong-phase-{position.phase}",
                move=self.name,
                turn=position.turn,
            )
        if self.seat != "gm" and position.nations[self.seat].fallen:
            raise IllegalMove("nation-fallen", "2.3", nation=self.seat)
        for named in self.named_nations():
            if named is not None and position.nations[named].fallen:
                raise IllegalMove("nation-fallen", "2.3", nation=named)
        if self.in_slot and position.slot != self.seat:
            raise IllegalMove("not-your-slot", "1.3", nation=self.seat, slot=position.slot)
        if self.by_master and self.by != "gm":
            raise IllegalMove("not-allowed", "", "master-only", move=self.name)

    def named_nations(self) -> tuple[str | None, ...]:
        """Return the nations named in the move that must not have fallen."""
        return ()

    def to_json(self) -> dict[str, Any]:
        raw: dict[str, Any] = {"by": self.by, "move": self.name}
        if self.by != self.seat:
            raw["for"] = self.seat
        spec = SPECS[self.name]
        for key, attribute, _read in spec.readers:
            value, default = getattr(self, attribute), spec.defaults[attribute]
            if default is MISSING or value != default:
                raw[key] = list(value) if type(value) is tuple else value
        return raw


class SlotMove(GrandMove):
    """A move that a nation makes in its own slot."""

    __slots__ = ()
    in_slot: ClassVar[bool] = True


class MasterMove(GrandMove):
    """A move that only the game master makes."""

    __slots__ = ()
    by_master: ClassVar[bool] = True
    phases: ClassVar[tuple[str, ...]] = OPEN


def running_attack(position: Position, number: int, challenged: bool = False) -> Attack:
    """Return the attack that a move names, if its state allows the move (RECORD, Error codes)."""
    if not 1 <= number <= len(position.attacks):
        raise IllegalMove("unknown-attack", "7", attack=number)
    attack = position.attacks[number - 1]
    if attack.status == "resolved":
        raise IllegalMove("already-resolved", "9", attack=number)
    if challenged and attack.status != "challenged":
        raise IllegalMove("not-challenged", "7.8", attack=number)
    return attack


@dataclass(slots=True)
class Spec:
    """The data needed to read a move of one kind.

    `readers` has the key, the attribute and the reader of each argument; `defaults` those of the
    attributes.
    """

    make: type[GrandMove]
    readers: tuple[tuple[str, str, Reader], ...]
    defaults: dict[str, Any]
    known: frozenset[str]
    needed: tuple[str, ...]


SPECS: dict[str, Spec] = {}


@dataclass_transform(frozen_default=True, kw_only_default=True)
def register(name: str) -> Callable[[M], M]:
    """Return a decorator that makes a class the move of this name.

    The class becomes a frozen dataclass, and SPECS gets the data needed to read it.
    """

    def enter(cls: M) -> M:
        move_type = move_class(cls, name)
        defaults = {f.name: f.default for f in fields(move_type)}
        readers = tuple(
            (key, move_type.keys.get(key, key), read) for key, read in move_type.form.items()
        )
        needed = tuple(key for key, attribute, _read in readers if defaults[attribute] is MISSING)
        SPECS[name] = Spec(
            move_type, readers, defaults, frozenset((*move_type.form, *HEAD)), needed
        )
        return move_type

    return enter


# The purposes of rolls and their dice (RECORD, Dice).

ESCORT_DIE = 6
LARGEST_HAND = 10**9
FURTHER_CARDS = frozenset(str(n) for n in range(2, MOST_CARDS + 1))


def check_roll(scenario: Scenario, purpose: str, value: object) -> None:
    """Check that the purpose of a fixed roll is known and that its value is on the die.

    Raises `MalformedRecord` otherwise.
    """
    sides = sides_of(scenario, purpose)
    if sides is None:
        raise Fault(f"dice.fixed.{purpose[:80]}", "unknown-purpose")
    if type(value) is not int or not 1 <= value <= sides:
        raise Fault(f"dice.fixed.{purpose}", "whole", least=1, most=sides)


def sides_of(scenario: Scenario, purpose: str) -> int | None:
    """Return the number of sides of the purpose's die, or None for an unknown purpose.

    For a spy it is the largest possible hand, because the hand is not known here.
    """
    if purpose == "start":
        return len(scenario.nations)
    parts = purpose.split("/")
    if len(parts) < 3 or parts[2] not in scenario.nations or not _a_turn(scenario, parts[0]):
        return None
    kind, rest = parts[1], parts[3:]
    if kind in ("card", "event"):
        return (
            scenario.rules.die
            if not rest or (kind == "card" and len(rest) == 1 and rest[0] in FURTHER_CARDS)
            else None
        )
    if kind == "spy":
        return LARGEST_HAND if not rest or (len(rest) == 1 and _number(rest[0], 2)) else None
    if kind == "attack" and len(rest) >= 2 and rest[0] in scenario.provinces:
        what = "/".join(rest[1:])
        if what == "escort":
            return ESCORT_DIE
        if what in ("naval/attacker", "naval/defender", "siege"):
            return scenario.rules.die
    return None


def _a_turn(scenario: Scenario, text: str) -> bool:
    return text.startswith("turn-") and _number(text[5:], 1) and int(text[5:]) <= scenario.turns


def _number(text: str, least: int) -> bool:
    """Return whether the text is a whole number without sign or leading zeros."""
    return (
        text.isascii()
        and text.isdigit()
        and len(text) < 10
        and text[0] != "0"
        and int(text) >= least
    )

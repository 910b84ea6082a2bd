"""Moves whose classes declare their arguments, and what a record tells: who speaks, what is read
and written back, the values of a position's state, the one board's scenario, dice that are fixed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Self, TypeVar, dataclass_transform

from engine.dice import Dice
from engine.effects import Effect, Say
from engine.errors import IllegalMove, MalformedRecord
from engine.play import Move, frozen, play
from engine.strict_json import only_keys
from games.contract.title import Branch, Field, Offer

GM, ENGINE = "gm", "engine"
ATTRIBUTES = {"from": "source"}
"""Arguments whose names are words of the language the program is written in."""
MOST = 10**6
"""No number of a move is larger, nor of a told position, unless the title says otherwise."""
HEAD = ("by", "for", "move")
M = TypeVar("M", bound="FormMove")
C = TypeVar("C", bound="type[Move]")


def bad(message: str, **facts: Any) -> IllegalMove:
    """A move whose form is wrong."""
    return IllegalMove("bad-arguments", "", message, **facts)


class FormMove(Move):
    """A move that says what it takes.

    `form` gives the kind of each argument: `text`, `texts`, `number` (from `least`) or `flag`.
    `optional` names those that may be missing or null, `ways` the texts there are, `filled` the
    lists that may not be empty.
    """

    __slots__ = ()
    form: ClassVar[dict[str, Any]] = {}
    optional: ClassVar[frozenset[str]] = frozenset()
    ways: ClassVar[dict[str, tuple[str, ...]]] = {}
    filled: ClassVar[tuple[str, ...]] = ()
    least: ClassVar[int] = 1

    @classmethod
    def read_voice(cls, raw: Mapping[str, Any], position: Any) -> tuple[str, str]:
        """Who says it, and whose seat's move it is. Raises `IllegalMove` where the record says
        neither.
        """
        raise NotImplementedError(f"{cls.__name__} does not say who speaks")

    @classmethod
    def read_argument(cls, key: str, raw: Mapping[str, Any]) -> Any:
        """The value of one argument of a record's move. Raises `IllegalMove` where it is of another
        kind.
        """
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
    """The decorator that makes a class the move of this name: a frozen dataclass, entered into a
    title's moves.
    """

    def enter(cls: C) -> C:
        moves[name] = entered = move_class(cls, name)
        return entered

    return enter


def move_class(cls: C, name: str) -> C:
    """The class of the move of this name, as a frozen dataclass."""
    cls.name = name
    return frozen(cls)


def decode(raw: object, moves: Mapping[str, type[M]], position: Any) -> M:
    """Read a move of a record. Raises `IllegalMove` where its form is wrong: nothing of the rules
    is asked yet.
    """
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
    raw: Mapping[str, Any],
    speaker: str,
    seats: Collection[str],
    led: Collection[str],
    masters: Collection[str] = (GM,),
) -> tuple[str, str]:
    """Who says a move and for whom: `seats` speak for themselves, `masters` for one of `led`.
    Without `by` the `speaker` does, with `for` the game master. Raises `IllegalMove`.
    """
    by = raw.get("by", speaker if "for" not in raw else GM)
    if by in masters:
        seat = raw.get("for", GM)
        if type(seat) is not str or seat not in led:
            raise bad("not-a-voice")
        return GM, seat
    if type(by) is not str or "for" in raw or by not in seats:
        raise bad("not-a-voice")
    return by, by


# Reading what a record tells.

STANDARD = "standard"
"""The scenario of a title that has one."""

# The values of a position. `where` is the key in it; each raises `MalformedRecord` with that place.


def read_object(where: str, value: object, keys: Iterable[str]) -> dict[str, Any]:
    """An object that has no other keys than these."""
    return only_keys(f"position.{where}", value, set(keys))


def read_mapping(where: str, value: object) -> dict[str, Any]:
    """An object of any keys."""
    if type(value) is not dict:
        raise MalformedRecord(f"position.{where}", "object")
    return value


def read_list(where: str, value: object) -> list[Any]:
    if type(value) is not list:
        raise MalformedRecord(f"position.{where}", "list")
    return value


def read_whole(where: str, value: object, least: int = 0, most: int = MOST) -> int:
    """A whole number from `least`."""
    if type(value) is not int or not least <= value <= most:
        raise MalformedRecord(f"position.{where}", "whole-least", least=least)
    return value


def read_flag(where: str, value: object) -> bool:
    if type(value) is not bool:
        raise MalformedRecord(f"position.{where}", "boolean")
    return value


def read_one_of(where: str, value: object, allowed: Iterable[str]) -> str:
    """One of these texts."""
    if type(value) is not str or value not in allowed:
        raise MalformedRecord(f"position.{where}", "one-of", values=allowed)
    return value


def read_numbers(where: str, value: object, keys: Iterable[str]) -> dict[str, int]:
    """Whole numbers by these keys."""
    return {key: read_whole(where, n) for key, n in read_object(where, value, keys).items()}


def read_names(where: str, value: object, allowed: Iterable[str]) -> list[str]:
    """A list of these texts, each once."""
    names = [read_one_of(where, one, allowed) for one in read_list(where, value)]
    if len(names) != len(set(names)):
        raise MalformedRecord(f"position.{where}", "named-twice")
    return names


# The scenario of a title with one board, and values of fixed dice.


class Scenario(NamedTuple):
    """The one board of a title whose scenario has nothing else."""

    key: str = STANDARD

    @property
    def raw(self) -> dict[str, Any]:
        return {"key": self.key}


def read_standard(raw: object, more: Collection[str] = ()) -> Mapping[str, Any]:
    """The scenario object of the one board, with no other keys than `key` and these. Raises
    `MalformedRecord`.
    """
    if raw == STANDARD:
        return {"key": STANDARD}
    if type(raw) is str:
        raise MalformedRecord("scenario", "not-shipped")
    parts = only_keys("scenario", raw, {"key", *more}, {"key"})
    if parts["key"] != STANDARD:
        raise MalformedRecord("scenario.key", "standard")
    return parts


def fixed_place(purpose: str) -> str:
    """Where a record fixes the dice of a purpose."""
    return f"dice.fixed.{purpose[:80]}"


def check_die(where: str, value: object, sides: int) -> None:
    """A fixed value must be on the die; a purpose whose die has no sides is unknown. Raises
    `MalformedRecord`.
    """
    if not sides:
        raise MalformedRecord(where, "unknown-purpose")
    if type(value) is not int or not 1 <= value <= sides:
        raise MalformedRecord(where, "whole", least=1, most=sides)


# The position of a title with one board: what all of them do alike.

TABLES = (dict, list, set)


class BoardPosition:
    """Ordinary attributes: lists, tables and sets are changed in place, everything else is
    replaced.
    """

    effects: list[Effect]

    def copy(self) -> Self:
        """An independent position. A title whose tables hold lists or tables copies these
        itself.
        """
        new = object.__new__(type(self))
        new.__dict__.update(
            {k: v.copy() if type(v) in TABLES else v for k, v in self.__dict__.items()}
        )
        new.effects = []
        return new

    def rest(self) -> None:
        """Nothing is left half done: each move ends its own step, and what waits for somebody is
        part of the position.
        """

    def note(
        self,
        kind: str,
        holder: str | None,
        subject: str,
        rule: str,
        /,
        audience: tuple[str, ...] | None = None,
        **facts: Any,
    ) -> None:
        """Write an effect that is of no account and no owner; its cause is its kind."""
        self.effects.append(
            Effect(kind, holder, subject, Say(kind, rule, facts), 0, 0, facts, audience)
        )


# What may be said now, and how it may turn out: the offers of moves whose classes declare their
# arguments.

Given = Mapping[str, Any]
"""The arguments of a move in record form."""


def make_move(cls: type[M], seat: str, by: str, given: Given) -> M:
    """The move of a seat with these arguments."""
    named = {
        ATTRIBUTES.get(key, key): tuple(value) if type(value) is list else value
        for key, value in given.items()
    }
    return cls(by=by, seat=seat, **named)


def legal_choices(
    position: Any, cls: type[FormMove], seat: str, by: str, candidates: Iterable[Given]
) -> tuple[list[Given], IllegalMove | None]:
    """The candidates that make a legal move of this kind for this seat, and why there are none."""
    legal: list[Given] = []
    refused: IllegalMove | None = None
    admitted = False
    for given in candidates:
        move = make_move(cls, seat, by, given)
        try:
            if not admitted:
                move.admit(position)
                admitted = True
            move.check(position)
        except IllegalMove as refusal:
            refused = refused or refusal
            if not admitted:
                break
        else:
            legal.append(given)
    return legal, None if legal else refused


def offer_choices(
    cls: type[FormMove],
    seat: str,
    by: str,
    group: str,
    kinds: Mapping[str, str],
    choices: tuple[Sequence[Given], IllegalMove | None],
) -> Offer:
    """The offer of a move with these legal choices, or the rule that forbids it. `kinds` says of an
    argument what it is, where it is more than a choice.
    """
    legal, refused = choices
    keys = list(cls.form)
    fields = tuple(
        Field(key, kinds.get(key, "choice"), optional=key in cls.optional, depends=tuple(keys[:at]))
        for at, key in enumerate(keys)
    )

    def allowed(key: str, chosen: Mapping[str, Any]) -> Sequence[Any]:
        fit = [
            given.get(key)
            for given in legal
            if all(given.get(k) == value for k, value in chosen.items())
        ]
        return [value for at, value in enumerate(fit) if value not in fit[:at]]

    return Offer(
        cls.name, cls.name, group, by, seat, fields=fields, refusal=refused, allowed=allowed
    )


def certain_branch(position: Any, move: Move, last_link: int) -> list[Branch]:
    """The one way a move without dice turns out; none where dice decide. Raises `IllegalMove` if it
    is not possible.
    """
    try:
        played = play(position, move, Dice(last_link))
    except IllegalMove as refusal:
        if refusal.code != "no-dice":
            raise
        return []
    return [Branch(Say("certain"), (1, 1), played.effects, played.after)]


def links_by_turn(phase: str, turn: int, last_link: int) -> int:
    """How many links are published: link n when turn n + 1 opens, the last turn's when all
    is over.
    """
    if phase == "setup":
        return 0
    return min(turn + (phase == "over"), last_link + 1)

"""The record format of moves and positions: classes of moves that declare their arguments.

The module reads moves and the values of a position from a record and writes them back. It also has
the scenario of titles with one board, the check of fixed dice, and the offers of such moves.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Self, TypeVar, dataclass_transform

from engine.dice import Dice
from engine.effects import Effect, Phrase
from engine.errors import IllegalMove, MalformedRecord
from engine.play import Move, frozen, play
from engine.strict_json import check_keys
from games.contract.title import Branch, Field, Offer

GM, ENGINE = "gm", "engine"
ATTRIBUTES = {"from": "source"}
"""The attributes of arguments whose names are Python keywords."""
MOST = 10**6
"""The largest number in a move or in the position of a record, unless the title has its own limit.
"""
HEAD = ("by", "for", "move")
M = TypeVar("M", bound="FormMove")
C = TypeVar("C", bound="type[Move]")


def bad(message: str, **facts: Any) -> IllegalMove:
    """Return the refusal of a move whose form is wrong."""
    return IllegalMove("bad-arguments", "", message, **facts)


class FormMove(Move):
    """A move whose class declares its arguments.

    `form` gives the kind of each argument: `text`, `texts`, `number` (from `least`) or `flag`.
    `optional` names the arguments that may be missing or null, `ways` the allowed texts of an
    argument, `filled` the lists that may not be empty.
    """

    __slots__ = ()
    form: ClassVar[dict[str, Any]] = {}
    optional: ClassVar[frozenset[str]] = frozenset()
    ways: ClassVar[dict[str, tuple[str, ...]]] = {}
    filled: ClassVar[tuple[str, ...]] = ()
    least: ClassVar[int] = 1

    @classmethod
    def read_voice(cls, raw: Mapping[str, Any], position: Any) -> tuple[str, str]:
        """Return the seat or game master that makes the move, and the seat whose move it is.

        Raises:
            IllegalMove: The record names neither.
        """
        raise NotImplementedError(f"{cls.__name__} does not say who speaks")

    @classmethod
    def read_argument(cls, key: str, raw: Mapping[str, Any]) -> Any:
        """Return the value of one argument of a recorded move.

        Raises:
            IllegalMove: The argument is missing or of another kind.
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
            if type(value) is not list or not all(type(text) is str for text in value):
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
    """Return a decorator that enters a class into a title's moves under this name.

    The class becomes a frozen dataclass.
    """

    def enter(cls: C) -> C:
        moves[name] = entered = move_class(cls, name)
        return entered

    return enter


def move_class(cls: C, name: str) -> C:
    """Return the class as a frozen dataclass with this name of a move."""
    cls.name = name
    return frozen(cls)


def decode(raw: object, moves: Mapping[str, type[M]], position: Any) -> M:
    """Read a move of a record.

    Raises:
        IllegalMove: The form of the move is wrong. The rules are not checked yet.
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
    """Return the seat or game master that makes a move, and the seat that it is made for.

    Each of `seats` moves for itself; each of `masters` moves for one of `led`. Without `by`, the
    move is by `speaker`, or by the game master if there is a `for`.

    Raises:
        IllegalMove: The record names another combination.
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


# Values of a record.

STANDARD = "standard"
"""The key of the only scenario of a title."""

# The values of a position. `where` is the key in the position; each function raises
# `MalformedRecord` with that place.


def read_object(where: str, value: object, keys: Iterable[str]) -> dict[str, Any]:
    """Return an object that has only these keys."""
    return check_keys(f"position.{where}", value, set(keys))


def read_mapping(where: str, value: object) -> dict[str, Any]:
    """Return an object with any keys."""
    if type(value) is not dict:
        raise MalformedRecord(f"position.{where}", "object")
    return value


def read_list(where: str, value: object) -> list[Any]:
    """Return a list."""
    if type(value) is not list:
        raise MalformedRecord(f"position.{where}", "list")
    return value


def read_whole(where: str, value: object, least: int = 0, most: int = MOST) -> int:
    """Return a whole number from `least` to `most`."""
    if type(value) is not int or not least <= value <= most:
        raise MalformedRecord(f"position.{where}", "whole-least", least=least)
    return value


def read_flag(where: str, value: object) -> bool:
    """Return a boolean."""
    if type(value) is not bool:
        raise MalformedRecord(f"position.{where}", "boolean")
    return value


def read_one_of(where: str, value: object, allowed: Iterable[str]) -> str:
    """Return a text that is one of those allowed."""
    if type(value) is not str or value not in allowed:
        raise MalformedRecord(f"position.{where}", "one-of", values=allowed)
    return value


def read_numbers(where: str, value: object, keys: Iterable[str]) -> dict[str, int]:
    """Return whole numbers by these keys."""
    return {key: read_whole(where, n) for key, n in read_object(where, value, keys).items()}


def read_names(where: str, value: object, allowed: Iterable[str]) -> list[str]:
    """Return a list of allowed texts without repetitions."""
    names = [read_one_of(where, name, allowed) for name in read_list(where, value)]
    if len(names) != len(set(names)):
        raise MalformedRecord(f"position.{where}", "named-twice")
    return names


# The scenario of a title with one board, and the values of fixed dice.


class Scenario(NamedTuple):
    """The scenario of a title with one board, which has nothing but its key."""

    key: str = STANDARD

    @property
    def raw(self) -> dict[str, Any]:
        return {"key": self.key}


def read_standard(raw: object, more: Collection[str] = ()) -> Mapping[str, Any]:
    """Return the scenario object of the only board, with no keys other than `key` and `more`.

    Raises:
        MalformedRecord: It is another scenario or has other keys.
    """
    if raw == STANDARD:
        return {"key": STANDARD}
    if type(raw) is str:
        raise MalformedRecord("scenario", "not-shipped")
    parts = check_keys("scenario", raw, {"key", *more}, {"key"})
    if parts["key"] != STANDARD:
        raise MalformedRecord("scenario.key", "standard")
    return parts


def fixed_place(purpose: str) -> str:
    """Return the place in a record that fixes the dice of a purpose."""
    return f"dice.fixed.{purpose[:80]}"


def check_die(where: str, value: object, sides: int) -> None:
    """Check that a fixed value is possible on the die of a purpose.

    `sides` is 0 for an unknown purpose.

    Raises:
        MalformedRecord: The purpose is unknown or the die does not have this value.
    """
    if not sides:
        raise MalformedRecord(where, "unknown-purpose")
    if type(value) is not int or not 1 <= value <= sides:
        raise MalformedRecord(where, "whole", least=1, most=sides)


# The position of a title with one board: the behaviour that all such titles share.

TABLES = (dict, list, set)


class BoardPosition:
    """The position of a title with one board, with ordinary attributes.

    Lists, dictionaries and sets are changed in place; all other values are replaced.
    """

    effects: list[Effect]

    def copy(self) -> Self:
        """Return an independent position.

        A title whose dictionaries hold lists or dictionaries copies these itself.
        """
        new = object.__new__(type(self))
        new.__dict__.update(
            {k: v.copy() if type(v) in TABLES else v for k, v in self.__dict__.items()}
        )
        new.effects = []
        return new

    def finish_move(self) -> None:
        """Do nothing: no step is left unfinished after a move.

        Each move completes its own step, and decisions that a seat still has to make are part of
        the position.
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
        """Add an effect that belongs to no account and no owner; its cause is its kind."""
        self.effects.append(
            Effect(kind, holder, subject, Phrase(kind, rule, facts), 0, 0, facts, audience)
        )


# Offers and their branches, for moves whose classes declare their arguments.

Given = Mapping[str, Any]
"""The arguments of a move, in record form."""


def make_move(cls: type[M], seat: str, by: str, given: Given) -> M:
    """Return the move of a seat with these arguments."""
    named = {
        ATTRIBUTES.get(key, key): tuple(value) if type(value) is list else value
        for key, value in given.items()
    }
    return cls(by=by, seat=seat, **named)


def legal_choices(
    position: Any, cls: type[FormMove], seat: str, by: str, candidates: Iterable[Given]
) -> tuple[list[Given], IllegalMove | None]:
    """Return the candidates that make a legal move of this kind, or the first refusal."""
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
    """Return the offer of a move with these legal choices, or with the refusal that forbids it.

    `kinds` has the field kinds of the arguments that are more than a `choice`.
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
    """Return the only outcome of a move without dice, or an empty list if dice decide.

    Raises:
        IllegalMove: The move is not possible.
    """
    try:
        played = play(position, move, Dice(last_link))
    except IllegalMove as refusal:
        if refusal.code != "no-dice":
            raise
        return []
    return [Branch(Phrase("certain"), (1, 1), played.effects, played.after)]


def links_by_turn(phase: str, turn: int, last_link: int) -> int:
    """Return how many links of the dice are published in this turn.

    Link n is published when turn n + 1 opens, the link of the last turn when the game is over.
    """
    if phase == "setup":
        return 0
    return min(turn + (phase == "over"), last_link + 1)

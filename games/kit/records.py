"""Reading what a record tells: the values of a position's state, the one board's scenario, dice that are fixed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from engine.errors import MalformedRecord
from engine.record import only_keys

MOST = 10**6
"""No number of a told position is larger, unless the title says otherwise."""
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
    """The scenario object of the one board, with no other keys than `key` and these. Raises `MalformedRecord`."""
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
    """A fixed value must be on the die; a purpose whose die has no sides is unknown. Raises `MalformedRecord`."""
    if not sides:
        raise MalformedRecord(where, "unknown-purpose")
    if type(value) is not int or not 1 <= value <= sides:
        raise MalformedRecord(where, "whole", least=1, most=sides)

"""Moves typed in the form of the record: `report attack=3 winner=attacker`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal

from games.contract.plain import RawMove

RECORD = re.compile(
    r'(?P<move>[a-z][a-z_-]{1,39})(?P<rest>(?:\s+[a-z_.]{1,40}=(?:"[^"]*"|[^\s"]+))*)', re.ASCII
)
PAIR = re.compile(r'([a-z_.]{1,40})=(?:"([^"]*)"|([^\s"]+))', re.ASCII)
NUMBER = re.compile(r"-?\d{1,12}(?:\.\d{1,6})?", re.ASCII)
WORDS = {"true": True, "false": False, "null": None}

Value = int | Decimal | str | bool | None
"""The value of an argument on a line."""


@dataclass(frozen=True, slots=True)
class RecordLine:
    """A line in the form of the record: the name of a move and its arguments."""

    move: str
    arguments: str

    @property
    def is_one_word(self) -> bool:
        """Return whether the line might also be an ordinary word."""
        return not self.arguments and not re.search("[_-]", self.move)

    def raw(self, by: str, seat: str, lists: Collection[str]) -> RawMove:
        """Return the move. `lists` are the arguments that may have several values."""
        raw: dict[str, object] = {"by": by, "move": self.move}
        if by != seat:
            raw["for"] = seat
        for key, quoted, bare in PAIR.findall(self.arguments):
            put(raw, key, quoted or value(bare), key in lists)
        return raw


def record_line(typed: str) -> RecordLine | None:
    """Return a line in the form of the record in its parts; None if it has another form."""
    match = RECORD.fullmatch(typed.strip())
    return None if match is None else RecordLine(match["move"], match["rest"])


def put(raw: dict[str, object], key: str, given: Value, several: bool) -> None:
    """Set an argument.

    `routed.attacker` goes into `routed`. If there may be `several` values, commas separate them.
    """
    outer, _dot, inner = key.partition(".")
    if inner:
        held = raw.setdefault(outer, {})
        if isinstance(held, dict):
            held[inner] = given
    elif several:
        raw[outer] = [word for word in str(given).split(",") if word]
    else:
        raw[outer] = given


def value(text: str) -> Value:
    """Return a typed value: a number, true, false or null, otherwise the word itself."""
    if text in WORDS:
        return WORDS[text]
    if NUMBER.fullmatch(text):
        return Decimal(text) if "." in text else int(text)
    return text


def written(raw: RawMove) -> str:
    """Return a move as a line in the form of the record."""
    pairs = [
        pair
        for key, given in raw.items()
        if key not in ("by", "for", "move")
        for pair in written_pairs(key, given)
    ]
    return " ".join([str(raw["move"]), *pairs])


def written_pairs(key: str, given: object) -> Iterator[str]:
    """Yield an argument as `key=value`, a pair for each of its parts."""
    if isinstance(given, Mapping):
        for inner, held in given.items():
            yield from written_pairs(f"{key}.{inner}", held)
    elif isinstance(given, list | tuple):
        if given:
            yield f"{key}={','.join(map(str, given))}"
    else:
        yield f"{key}={written_value(given)}"


def written_value(given: object) -> str:
    if given is None:
        return "null"
    if isinstance(given, bool):
        return str(given).lower()
    text = str(given)
    if re.fullmatch(r'[^\s"=]+', text) and value(text) == given:
        return text
    return f'"{text.replace(chr(34), chr(8217))}"'  # a quotation mark would end the value

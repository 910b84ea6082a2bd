"""JSON without its surprises: read strictly, bounded in size and depth; written as one canonical
text; digested and chained.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import unicodedata
from collections.abc import Set
from decimal import Decimal
from typing import Any, NoReturn

from engine.errors import MalformedRecord

LIMIT = 20_000_000
LONGEST_INTEGER = 40
UNREAD = {
    "Expecting value": "json-value",
    "Expecting ',' delimiter": "json-comma",
    "Expecting ':' delimiter": "json-colon",
    "Expecting property name enclosed in double quotes": "json-key",
    "Extra data": "json-more",
    "Unterminated string starting at": "json-open-text",
    "Invalid control character at": "json-control",
}
"""What the interpreter finds, as the id of our sentence; for the rest it says it in its own
words.
"""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    facts = dict(pairs)
    if len(facts) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise MalformedRecord("", "key-twice", key=repr(key[:40]))
            seen.add(key)
    return facts


def _constant(text: str) -> NoReturn:
    raise MalformedRecord("", "no-number", text=text)


def _integer(text: str) -> int | Decimal:
    # A number of thousands of digits is no amount of anything; as a Decimal it fails every type
    # check cheaply.
    return int(text) if len(text) <= LONGEST_INTEGER else Decimal(text)


_FAST = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_float=Decimal)
_SLOW = json.JSONDecoder(
    object_pairs_hook=_object, parse_constant=_constant, parse_float=Decimal, parse_int=_integer
)


def read(source: str | bytes) -> Any:
    """The value of a JSON text of at most 20 MB. Raises `MalformedRecord`, whatever is wrong with
    it.
    """
    try:
        size = (
            len(source)
            if isinstance(source, bytes) or len(source) * 4 <= LIMIT
            else len(source.encode(errors="replace"))
        )
        if size > LIMIT:
            raise MalformedRecord("", "too-large")
        text = source if isinstance(source, str) else source.decode("utf-8")
        try:
            return _FAST.decode(text)
        except json.JSONDecodeError:
            raise
        except ValueError:  # the interpreter's own limit on the digits of an integer
            return _SLOW.decode(text)
    except UnicodeDecodeError:
        raise MalformedRecord("", "not-utf-8") from None
    except json.JSONDecodeError as error:
        raise MalformedRecord(
            "", UNREAD.get(error.msg, "json"), what=error.msg, line=error.lineno, column=error.colno
        ) from None
    except RecursionError:
        raise MalformedRecord("", "too-deep") from None


def only_keys(
    where: str,
    raw: object,
    known: set[str],
    needed: Set[str] = frozenset(),
) -> dict[str, Any]:
    """The object, if it is one and has all `needed` and only `known` keys."""
    if type(raw) is not dict:
        raise MalformedRecord(where, "object")
    for key in raw:
        if key not in known:
            raise MalformedRecord(
                f"{where}.{key[:40]}" if where else key[:40], "unknown-key", known=sorted(known)
            )
    for key in sorted(needed):
        if key not in raw:
            raise MalformedRecord(f"{where}.{key}" if where else key, "missing")
    return raw


def is_text(value: Any) -> bool:
    """Is it a text that UTF-8 can write, that is, without lone surrogates?"""
    return type(value) is str and (
        value.isascii() or not any("\ud800" <= c <= "\udfff" for c in value)
    )


def clean_text(value: Any, longest: int = 10_000) -> bool:
    """Is it a text without control characters (line breaks excepted) and lone surrogates, not too
    long?
    """
    if type(value) is not str or len(value) > longest:
        return False
    if value.isascii():
        return value.isprintable() or (
            "\x7f" not in value and all(c >= " " or c in "\n\r\t" for c in value)
        )
    return not any(
        (c < " " and c not in "\n\r\t") or "\x7f" <= c <= "\x9f" or "\ud800" <= c <= "\udfff"
        for c in value
    )


def whole(text: str, most: int = 9) -> int | None:
    """The number that one to `most` plain digits write, as a form or an address sends it; None for
    every other text.
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= most else None


def printable(text: str) -> bool:
    """Is every character of it seen, on one line? Marks that turn the direction, hide or join
    letters are not.

    The two joiners may stand where writing needs them: after a virama, and the non-joiner between
    two Arabic letters.
    """
    return all(
        (c.isprintable() and c not in UNSEEN) or _joins(text, at) for at, c in enumerate(text)
    )


def printable_text(text: str) -> str:
    """Return a text with a replacement character for each that cannot be printed."""
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in text)


def unseen(text: str) -> str:
    """The first mark of a running text that nobody sees, or that turns the direction of what
    follows; "" where there is none.

    Spaces of all widths and line ends are no such marks, nor are joiners where writing or an emoji
    needs them.
    """
    for at, c in enumerate(text):
        seen = (
            (c.isprintable() and c not in UNSEEN)
            or c in "\n\r\t"
            or unicodedata.category(c) == "Zs"
        )
        if not (seen or _joins(text, at) or _joins_pictures(text, at)):
            return c
    return ""


def _joins_pictures(text: str, at: int) -> bool:
    sides = text[at - 1 : at], text[at + 1 : at + 2]
    return text[at] == "\u200d" and all(
        c and (unicodedata.category(c) in ("So", "Sk") or c == "\ufe0f") for c in sides
    )


UNSEEN = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""Fillers that count as printable and show nothing."""


def _joins(text: str, at: int) -> bool:
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if text[at] not in "\u200c\u200d" or not before or not after:
        return False
    between = unicodedata.bidirectional(before) == unicodedata.bidirectional(after) == "AL"
    return unicodedata.combining(before) == VIRAMA or (text[at] == "\u200c" and between)


VIRAMA = 9
"""The combining class of the sign that takes a letter's vowel away."""


# Canonical text, digests, and the chain of hashes that makes a log tamper-evident.


def _decimal(value: object) -> object:
    if isinstance(value, Decimal):
        written = float(value)
        if Decimal(repr(written)) != value:
            raise ValueError(f"{value} has more digits than can be stored")
        return int(value) if written.is_integer() else written
    raise TypeError(f"{type(value).__name__} is no JSON value")


_WRITER = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False, default=_decimal
)


def canonical(value: Any) -> str:
    """The one JSON text of a value: sorted keys, no spaces, no NaN."""
    return _WRITER.encode(value)


class StoredEncoder(json.JSONEncoder):
    """Writes JSON columns as canonical text."""

    def __init__(self, **options: Any) -> None:
        canonical_options: dict[str, Any] = {
            "sort_keys": True,
            "separators": (",", ":"),
            "ensure_ascii": False,
            "allow_nan": False,
            "default": _decimal,
        }
        super().__init__(**options | canonical_options)


class StoredDecoder(json.JSONDecoder):
    """Reads JSON columns: keys in the order of canonical text, which PostgreSQL does not keep, and
    fractions as decimals.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options | {"object_pairs_hook": _sorted_object, "parse_float": Decimal})


def _sorted_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return dict(sorted(pairs))


def as_stored(value: Any) -> Any:
    """Return a value as a JSON column gives it back."""
    return read(canonical(value))


def digest(value: Any, key: bytes | None = None) -> str:
    """SHA-256 of the canonical text as hex; an HMAC under `key`, so that nobody can guess hidden
    cards by it.
    """
    text = canonical(value).encode()
    if key is None:
        return hashlib.sha256(text).hexdigest()
    return hmac.digest(key, text, "sha256").hex()


def entry_hash(previous: str, body: dict[str, Any]) -> str:
    """The hash of a log entry over its canonical body and the hash of the entry before ("" for the
    first).
    """
    return hashlib.sha256(f"{previous}\n{canonical(body)}".encode()).hexdigest()

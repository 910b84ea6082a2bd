"""JSON that is read strictly, within limits of size and depth, and written as canonical text.

Digests and the chain of hashes of a log are made from the canonical text.
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
"""Messages of the interpreter, with the ids of the site's sentences for them.

Other messages are shown unchanged.
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
    # A number of thousands of digits is not a valid amount of anything; as a Decimal it fails every
    # type check cheaply.
    return int(text) if len(text) <= LONGEST_INTEGER else Decimal(text)


_FAST = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_float=Decimal)
_SLOW = json.JSONDecoder(
    object_pairs_hook=_object, parse_constant=_constant, parse_float=Decimal, parse_int=_integer
)


def read(source: str | bytes) -> Any:
    """Return the value of a JSON text of at most 20 MB.

    Raises `MalformedRecord` for every fault.
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


def check_keys(
    where: str,
    raw: object,
    known: set[str],
    needed: Set[str] = frozenset(),
) -> dict[str, Any]:
    """Return the object, after checking that it has all `needed` keys and only `known` ones."""
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
    """Return whether it is a text that UTF-8 can write, that is, without lone surrogates."""
    return type(value) is str and (
        value.isascii() or not any("\ud800" <= c <= "\udfff" for c in value)
    )


def is_clean_text(value: Any, longest: int = 10_000) -> bool:
    """Return whether it is a text of limited length without control characters and lone surrogates.

    Line breaks and tabs are allowed.
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


def read_whole_number(text: str, most: int = 9) -> int | None:
    """Return the number that a text of 1 to `most` digits writes; None for every other text.

    Forms and addresses send numbers in this form.
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= most else None


def is_printable(text: str) -> bool:
    """Return whether every character is visible and the text is a single line.

    Characters that change the direction of text, hide letters or join them are not visible. The two
    joiners are allowed where writing needs them: after a virama, and the non-joiner between two
    Arabic letters.
    """
    return all(
        (c.isprintable() and c not in UNSEEN) or _joins(text, at) for at, c in enumerate(text)
    )


def replace_unprintable(text: str) -> str:
    """Return a text with a replacement character for each character that cannot be printed."""
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in text)


def first_invisible(text: str) -> str:
    """Return the first character that is invisible or changes the direction of text; "" if none.

    Spaces of all widths and line ends are allowed, and joiners where writing or an emoji needs
    them.
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
"""Fillers that count as printable but are invisible."""


def _joins(text: str, at: int) -> bool:
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if text[at] not in "\u200c\u200d" or not before or not after:
        return False
    between = unicodedata.bidirectional(before) == unicodedata.bidirectional(after) == "AL"
    return unicodedata.combining(before) == VIRAMA or (text[at] == "\u200c" and between)


VIRAMA = 9
"""The combining class of the sign that removes the vowel of a letter."""


# Canonical text, digests, and the chain of hashes that makes changes of a log evident.


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
    """Return the canonical JSON text of a value: sorted keys, no spaces, no NaN."""
    return _WRITER.encode(value)


class StoredEncoder(json.JSONEncoder):
    """An encoder that writes JSON columns as canonical text."""

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
    """A decoder for JSON columns.

    It sorts keys as canonical text does, since PostgreSQL does not keep their order, and reads
    fractions as decimals.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options | {"object_pairs_hook": _sorted_object, "parse_float": Decimal})


def _sorted_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return dict(sorted(pairs))


def as_stored(value: Any) -> Any:
    """Return a value as a JSON column returns it after storing it."""
    return read(canonical(value))


def digest(value: Any, key: bytes | None = None) -> str:
    """Return the SHA-256 of the canonical text as hex, or an HMAC under `key`.

    With a key, no one can find hidden cards by guessing.
    """
    text = canonical(value).encode()
    if key is None:
        return hashlib.sha256(text).hexdigest()
    return hmac.digest(key, text, "sha256").hex()


def entry_hash(previous: str, body: dict[str, Any]) -> str:
    """Return the hash of a log entry: over its canonical body and the hash of the previous entry.

    `previous` is "" for the first entry.
    """
    return hashlib.sha256(f"{previous}\n{canonical(body)}".encode()).hexdigest()

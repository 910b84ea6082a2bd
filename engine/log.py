"""Canonical text, digests, and the chain of hashes that makes a log tamper-evident."""

from __future__ import annotations

import hashlib
import hmac
import json
from decimal import Decimal
from typing import Any


def _decimal(value: object) -> object:
    if isinstance(value, Decimal):
        written = float(value)
        if Decimal(repr(written)) != value:
            raise ValueError(f"{value} has more digits than can be stored")
        return int(value) if written.is_integer() else written
    raise TypeError(f"{type(value).__name__} is no JSON value")


_WRITER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False, default=_decimal)


def canonical(value: Any) -> str:
    """The one JSON text of a value: sorted keys, no spaces, no NaN."""
    return _WRITER.encode(value)


def digest(value: Any, key: bytes | None = None) -> str:
    """SHA-256 of the canonical text as hex; an HMAC under `key`, so that nobody can guess hidden cards by it."""
    text = canonical(value).encode()
    if key is None:
        return hashlib.sha256(text).hexdigest()
    return hmac.digest(key, text, "sha256").hex()


def entry_hash(previous: str, body: dict[str, Any]) -> str:
    """The hash of a log entry over its canonical body and the hash of the entry before ("" for the first)."""
    return hashlib.sha256(f"{previous}\n{canonical(body)}".encode()).hexdigest()

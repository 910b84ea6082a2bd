"""The signature that proves that a request comes from Discord."""

from __future__ import annotations

from datetime import timedelta

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.http import HttpRequest
from django.utils import timezone

MOST_DIGITS = 20
"""The largest number of digits of a timestamp, which counts seconds."""
LONGEST_AGE = timedelta(minutes=5)
"""The largest age of a request. An older request may be a copy that an attacker sends again."""


def is_signed(request: HttpRequest, key: str) -> bool:
    """Return whether Discord has just signed this request.

    Args:
        request: The request.
        key: The public key of the application, in hexadecimal digits.
    """
    timestamp = request.headers.get("X-Signature-Timestamp", "")
    signature = request.headers.get("X-Signature-Ed25519", "")
    return is_recent(timestamp) and is_valid(key, signature, timestamp.encode() + request.body)


def is_recent(timestamp: str) -> bool:
    if not timestamp.isdecimal() or len(timestamp) > MOST_DIGITS:
        return False
    age = abs(timezone.now().timestamp() - int(timestamp))
    return age <= LONGEST_AGE.total_seconds()


def is_valid(key: str, signature: str, content: bytes) -> bool:
    """Return whether this is the (Ed25519) signature of the content with this key."""
    try:
        public_key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
        public_key.verify(bytes.fromhex(signature), content)
    except (InvalidSignature, ValueError):
        return False
    return True

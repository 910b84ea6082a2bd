"""How what is sent to a webhook is signed, and how its receiver looks whether it is ours."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from datetime import datetime

SIGNATURE, DELIVERY = "Tabula-Signature", "Tabula-Delivery"

CHECK = '''\
import hashlib, hmac, time


def genuine(secret: str, signature: str, body: bytes) -> bool:
    """Did Tabula send this body, in the last five minutes?"""
    said = dict(part.split("=", 1) for part in signature.split(","))
    wanted = hmac.new(secret.encode(), said["t"].encode() + b"." + body, hashlib.sha256)
    fresh = abs(time.time() - int(said["t"])) < 300
    return fresh and hmac.compare_digest(wanted.hexdigest(), said["v1"])
'''
"""As the page shows it; `signature` is the header, `body` the bytes as they came. Run by tests/notices/test_webhooks.py."""


def new_secret() -> str:
    """256 random bits behind a mark by which scanners of published code know it."""
    return f"whsec_{secrets.token_urlsafe(32)}"


def signature(secret: str, body: bytes, at: datetime) -> str:
    """The header: the second of the attempt, and the HMAC-SHA256 of it, a point and the body under the secret."""
    seconds = str(int(at.timestamp()))
    made = hmac.new(secret.encode(), seconds.encode() + b"." + body, hashlib.sha256).hexdigest()
    return f"t={seconds},v1={made}"

"""Web Push: a message to one browser, encrypted for it alone (RFC 8291), signed as ours (VAPID, RFC
8292).

The push service between us and the browser is named by the browser. It is asked as any other site
is (`outgoing.client`): by https, at public addresses. It reads nothing of what passes but its size
and its hour.
"""

from __future__ import annotations

import base64
import json
import os
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.utils.translation import gettext as _

from campaign import keys
from engine.errors import MalformedRecord
from engine.strict_json import read
from notices.channels import NotSent
from outgoing.client import Client, Doubtful, OutsideError, check_public

CURVE = ec.SECP256R1()
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
RECORD = 4096
LONGEST = 2000
"""Bytes of a payload: every service takes as many."""
KEEPS = timedelta(days=1)
"""So long a service keeps what it cannot deliver."""
SIGNED = timedelta(hours=12)
GONE = frozenset({403, 404, 410})
"""A subscription that was given up, has expired, or was made for another key than ours."""
SECONDS = 6
PORTS = (443,)
"""The ports of push services. With another port a browser could make this site call other
servers.
"""


class BadSubscription(Exception):
    """What a browser sent is no subscription that can be written to."""


@dataclass(frozen=True, slots=True)
class Subscription:
    """Where to push, and the browser's public key and secret for it."""

    endpoint: str
    key: bytes
    secret: bytes

    def sealed(self) -> str:
        return keys.seal(
            json.dumps(
                {"endpoint": self.endpoint, "p256dh": b64(self.key), "auth": b64(self.secret)}
            )
        )


def subscription(text: str) -> Subscription:
    """As a browser writes it (`PushSubscription.toJSON`). Raises `BadSubscription`."""
    try:
        raw = read(text)
        given = raw.get("keys", raw)
        created = Subscription(str(raw["endpoint"]), unb64(given["p256dh"]), unb64(given["auth"]))
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, created.key)
        check_public(created.endpoint, PORTS)
    except (MalformedRecord, ValueError, KeyError, TypeError, AttributeError, OutsideError):
        raise BadSubscription from None
    if len(created.endpoint) > 1000 or len(created.key) != 65 or len(created.secret) != 16:
        raise BadSubscription
    return created


def unsealed(sealed: str) -> Subscription:
    return subscription(keys.unseal(sealed))


def b64(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode("ascii")


def unb64(text: str) -> bytes:
    return base64.urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))


def point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


# Our own key: a file like the other keys, else made from the vault's.


@lru_cache(4)
def _private(push: str, vault: str) -> ec.EllipticCurvePrivateKey:
    drawn = HKDF(hashes.SHA256(), 48, None, b"tabula web push").derive((push or vault).encode())
    return ec.derive_private_key(int.from_bytes(drawn, "big") % (ORDER - 1) + 1, CURVE)


def private_key() -> ec.EllipticCurvePrivateKey:
    return _private(settings.PUSH_KEY, settings.VAULT_KEY)


def public_key() -> str:
    """What a browser is to know of us when it subscribes."""
    return b64(point(private_key().public_key()))


def authorization(endpoint: str, now: datetime) -> str:
    """Who we are, to the push service: a token signed for its origin alone (RFC 8292)."""
    parts = urlsplit(endpoint)
    who = next(iter(settings.SECURITY_CONTACT), settings.SITE_URL)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int((now + SIGNED).timestamp()),
        "sub": who,
    }
    head = {"typ": "JWT", "alg": "ES256"}
    text = ".".join(b64(json.dumps(one, separators=(",", ":")).encode()) for one in (head, claims))
    r, s = decode_dss_signature(private_key().sign(text.encode(), ec.ECDSA(hashes.SHA256())))
    return f"vapid t={text}.{b64(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}, k={public_key()}"


# The encryption of RFC 8291: a key agreed between one of ours, used once, and the browser's; then
# aes128gcm of RFC 8188.


def _derived(
    secret: bytes, salt: bytes, shared: bytes, browser: bytes, sender: bytes
) -> tuple[bytes, bytes]:
    """The content key and the nonce."""
    ikm = HKDF(hashes.SHA256(), 32, secret, b"WebPush: info\x00" + browser + sender).derive(shared)
    cek = HKDF(hashes.SHA256(), 16, salt, b"Content-Encoding: aes128gcm\x00").derive(ikm)
    nonce = HKDF(hashes.SHA256(), 12, salt, b"Content-Encoding: nonce\x00").derive(ikm)
    return cek, nonce


def encrypt(
    text: bytes,
    to: Subscription,
    sender: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """The body of a push. `sender` and `salt` are drawn anew for each but in tests."""
    sender, salt = sender or ec.generate_private_key(CURVE), salt or os.urandom(16)
    shared = sender.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, to.key))
    own = point(sender.public_key())
    cek, nonce = _derived(to.secret, salt, shared, to.key, own)
    head = salt + RECORD.to_bytes(4, "big") + bytes([len(own)]) + own
    return head + AESGCM(cek).encrypt(nonce, text + b"\x02", None)


def decrypt(body: bytes, browser: ec.EllipticCurvePrivateKey, secret: bytes) -> bytes:
    """What a browser reads. Raises `ValueError` where it is not for it. For checks: the site itself
    gets no pushes.
    """
    salt, size = body[:16], body[20]
    own, content = body[21 : 21 + size], body[21 + size :]
    shared = browser.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, own))
    cek, nonce = _derived(secret, salt, shared, point(browser.public_key()), own)
    try:
        return AESGCM(cek).decrypt(nonce, content, None).rstrip(b"\x00").removesuffix(b"\x02")
    except InvalidTag:
        raise ValueError("not for this browser") from None


def send(
    to: Subscription, payload: dict[str, Any], topic: str, now: datetime, *, urgent: bool = False
) -> None:
    """Push it; one of the same topic that waits still is replaced. Raises `NotSent`."""
    text = json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode()
    assert len(text) <= LONGEST, "a payload is cut where it is made"
    headers = {
        "Authorization": authorization(to.endpoint, now),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(int(KEEPS.total_seconds())),
        "Urgency": "high" if urgent else "normal",
        "Topic": topic[:32],
    }
    try:
        answer = Client(seconds=SECONDS).post(to.endpoint, data=encrypt(text, to), headers=headers)
    except Doubtful:  # it goes again: a second one takes the place of the first
        raise NotSent(
            _("The push service did not answer: it may have arrived."), ours=True
        ) from None
    except OutsideError:
        raise NotSent(_("The push service could not be reached."), ours=True) from None
    if not answer.ok:
        raise NotSent(
            _("The push service refused it (%(status)d).") % {"status": answer.status},
            gone=answer.status in GONE,
            ours=answer.status == 429 or answer.status >= 500,
        )

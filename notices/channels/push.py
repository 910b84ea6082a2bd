"""Web Push: messages to a browser, encrypted for it (RFC 8291) and signed by this site (RFC 8292).

The browser names the push service that forwards its messages. This site contacts the service like
any other site (`outgoing.client`): by https and only at public addresses. The service learns only
the size and the time of each message.
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
RECORD_SIZE = 4096
MOST_BYTES = 2000
"""The maximum size of a payload in bytes, which every push service accepts."""
TIME_TO_LIVE = timedelta(days=1)
"""How long a push service keeps a message that it cannot deliver."""
TOKEN_LIFETIME = timedelta(hours=12)
GONE = frozenset({403, 404, 410})
"""The statuses of a subscription that was cancelled, has expired, or belongs to another key."""
SECONDS = 6
PORTS = (443,)
"""The ports of push services.

If other ports were allowed, a browser could make this site call other servers.
"""


class BadSubscription(Exception):
    """The error that a browser sent something that is not a usable subscription."""


@dataclass(frozen=True, slots=True)
class Subscription:
    """The endpoint of a browser at its push service, with the browser's public key and secret."""

    endpoint: str
    key: bytes
    secret: bytes

    def sealed(self) -> str:
        return keys.seal(
            json.dumps(
                {"endpoint": self.endpoint, "p256dh": b64(self.key), "auth": b64(self.secret)}
            )
        )


def parse_subscription(text: str) -> Subscription:
    """Read a subscription as a browser writes it (`PushSubscription.toJSON`).

    Raises:
        BadSubscription: The text is not a usable subscription.
    """
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


def unseal_subscription(sealed: str) -> Subscription:
    return parse_subscription(keys.unseal(sealed))


def b64(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode("ascii")


def unb64(text: str) -> bytes:
    return base64.urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))


def encode_point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


# The key of this site: a file like the other keys, otherwise derived from the vault key


@lru_cache(4)
def _private(push: str, vault: str) -> ec.EllipticCurvePrivateKey:
    drawn = HKDF(hashes.SHA256(), 48, None, b"tabula web push").derive((push or vault).encode())
    return ec.derive_private_key(int.from_bytes(drawn, "big") % (ORDER - 1) + 1, CURVE)


def private_key() -> ec.EllipticCurvePrivateKey:
    return _private(settings.PUSH_KEY, settings.VAULT_KEY)


def public_key() -> str:
    """Return the public key of this site, which a browser needs to subscribe."""
    return b64(encode_point(private_key().public_key()))


def authorization(endpoint: str, now: datetime) -> str:
    """Return the header with which this site identifies itself to a push service.

    It is a token signed for the origin of the endpoint only (RFC 8292).
    """
    parts = urlsplit(endpoint)
    who = next(iter(settings.SECURITY_CONTACT), settings.SITE_URL)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int((now + TOKEN_LIFETIME).timestamp()),
        "sub": who,
    }
    head = {"typ": "JWT", "alg": "ES256"}
    text = ".".join(
        b64(json.dumps(part, separators=(",", ":")).encode()) for part in (head, claims)
    )
    r, s = decode_dss_signature(private_key().sign(text.encode(), ec.ECDSA(hashes.SHA256())))
    return f"vapid t={text}.{b64(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}, k={public_key()}"


# The encryption of RFC 8291: a key is agreed between a key pair that the sender uses once and the
# browser's; the content is then encrypted with aes128gcm (RFC 8188).


def _derive_keys(
    secret: bytes, salt: bytes, shared: bytes, browser: bytes, sender: bytes
) -> tuple[bytes, bytes]:
    """Return the content key and the nonce."""
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
    """Return the encrypted body of a push message.

    `sender` and `salt` are drawn anew for each message; only tests pass them.
    """
    sender, salt = sender or ec.generate_private_key(CURVE), salt or os.urandom(16)
    shared = sender.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, to.key))
    own = encode_point(sender.public_key())
    cek, nonce = _derive_keys(to.secret, salt, shared, to.key, own)
    head = salt + RECORD_SIZE.to_bytes(4, "big") + bytes([len(own)]) + own
    return head + AESGCM(cek).encrypt(nonce, text + b"\x02", None)


def decrypt(body: bytes, browser: ec.EllipticCurvePrivateKey, secret: bytes) -> bytes:
    """Return the text that a browser reads from the body of a push message.

    Only checks use this: the site itself receives no push messages.

    Raises:
        ValueError: The message was not encrypted for this browser.
    """
    salt, size = body[:16], body[20]
    own, content = body[21 : 21 + size], body[21 + size :]
    shared = browser.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, own))
    cek, nonce = _derive_keys(secret, salt, shared, encode_point(browser.public_key()), own)
    try:
        return AESGCM(cek).decrypt(nonce, content, None).rstrip(b"\x00").removesuffix(b"\x02")
    except InvalidTag:
        raise ValueError("not for this browser") from None


def send(
    to: Subscription, payload: dict[str, Any], topic: str, now: datetime, *, urgent: bool = False
) -> None:
    """Push a message. It replaces a waiting message with the same topic.

    Raises:
        NotSent: The push service refused the message or could not be reached.
    """
    text = json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode()
    assert len(text) <= MOST_BYTES, "a payload is cut where it is made"
    headers = {
        "Authorization": authorization(to.endpoint, now),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(int(TIME_TO_LIVE.total_seconds())),
        "Urgency": "high" if urgent else "normal",
        "Topic": topic[:32],
    }
    try:
        answer = Client(seconds=SECONDS).post(to.endpoint, data=encrypt(text, to), headers=headers)
    except Doubtful:  # it is sent again, because a second message replaces the first
        raise NotSent(
            _("The push service did not answer. The notice may have arrived."), blameless=True
        ) from None
    except OutsideError:
        raise NotSent(_("The push service could not be reached."), blameless=True) from None
    if not answer.ok:
        raise NotSent(
            _("The push service refused the notice (%(status)d).") % {"status": answer.status},
            gone=answer.status in GONE,
            blameless=answer.status == 429 or answer.status >= 500,
        )

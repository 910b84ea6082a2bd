"""A device that stores passkeys and signs by the standard (Web Authentication, level 2)."""

from __future__ import annotations

import hashlib
import json
import os
from base64 import urlsafe_b64encode
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from django.test import Client
from fido2 import cbor

ORIGIN = "https://tabula.example"
PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


def encode_base64url(data: bytes) -> str:
    """Return the data in base64url without padding, as browsers send it."""
    return urlsafe_b64encode(data).decode().rstrip("=")


class Device:
    """A device with one passkey of one account; tests may set wrong `flags` or `origin`."""

    def __init__(self, origin: str = ORIGIN) -> None:
        self.origin, self.flags, self.id = origin, PRESENT | VERIFIED, os.urandom(16)
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.handle = ""

    def create_credential(self, options: Any) -> str:
        """Return the answer to a page that asks for a new passkey."""
        asked = options["publicKey"]
        self.handle = asked["user"]["id"]
        numbers = self.private.public_key().public_numbers()
        public = {
            1: 2,
            3: -7,
            -1: 1,
            -2: numbers.x.to_bytes(32, "big"),
            -3: numbers.y.to_bytes(32, "big"),
        }
        known = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + cbor.encode(public)
        attested = cbor.encode(
            {
                "fmt": "none",
                "attStmt": {},
                "authData": self._data(asked["rp"]["id"], ATTESTED) + known,
            }
        )
        return self._sent(
            "webauthn.create", asked, {"attestationObject": encode_base64url(attested)}
        )

    def sign_challenge(self, options: Any, **changed: str) -> str:
        """Return the signed answer to a page that asks the user to sign in."""
        asked = options["publicKey"]
        data = self._data(asked["rpId"])
        client = self._client("webauthn.get", asked)
        signature = self.private.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(SHA256()))
        response = {
            "authenticatorData": encode_base64url(data),
            "signature": encode_base64url(signature),
            "userHandle": self.handle,
        }
        return self._sent("webauthn.get", asked, response | changed)

    def _data(self, host: str, more: int = 0) -> bytes:
        return hashlib.sha256(host.encode()).digest() + bytes([self.flags | more]) + bytes(4)

    def _client(self, kind: str, asked: Any) -> bytes:
        return json.dumps(
            {"type": kind, "challenge": asked["challenge"], "origin": self.origin}
        ).encode()

    def _sent(self, kind: str, asked: Any, response: dict[str, str]) -> str:
        response = {"clientDataJSON": encode_base64url(self._client(kind, asked))} | response
        number = encode_base64url(self.id)
        return json.dumps(
            {
                "id": number,
                "rawId": number,
                "type": "public-key",
                "response": response,
                "clientExtensionResults": {},
            }
        )


def add_passkey(client: Client, name: str = "Laptop", device: Device | None = None) -> Device:
    """Add a passkey for a user who has just signed in, and return its device."""
    device = device or Device()
    options = client.post("/me/ways/passkey/", {"do": "options"})
    assert options.status_code == 200, options.headers
    answer = client.post(
        "/me/ways/passkey/", {"name": name, "credential": device.create_credential(options.json())}
    )
    assert answer.status_code == 302, answer.content.decode()
    return device


def sign_in_by_passkey(client: Client, device: Device, **more: str) -> Any:
    options = client.post("/sign-in/passkey/", {"do": "options"}).json()
    return client.post("/sign-in/passkey/", {"credential": device.sign_challenge(options), **more})

"""Rounds of drand's chain `quicknet`: public, signed random numbers that no one can choose.

The scheme is `bls-unchained-g1-rfc9380`: the signature is a BLS signature, a point of G1; the
public key is one of G2; the message is the SHA-256 of the round's number, and the random number is
the SHA-256 of the signature.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, NamedTuple

from pyblst import BlstP1Element, BlstP2Element, final_verify, miller_loop

from outgoing.client import Client

CHAIN = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
GENESIS, PERIOD = 1692803367, 3
"""The second of the first round, and the seconds between two rounds."""
PUBLIC_KEY = bytes.fromhex(
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c"
    "8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb"
    "5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
)
GENERATOR = bytes.fromhex(
    "93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049"
    "334cf11213945d57e5ac7d055d042b7e024aa2b2f08f0a91260805272dc51051"
    "c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8"
)
"""The generator of G2."""
DOMAIN = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"


class Round(NamedTuple):
    """A verified round: its random number and its signature, as lower-case hex."""

    random: str
    signature: str


def round_at(falls: datetime) -> int:
    """Return the first round that is made at this instant or after it."""
    return -((GENESIS - int(falls.timestamp())) // PERIOD) + 1 if falls.timestamp() > GENESIS else 1


def time_of(number: int) -> datetime:
    """Return the instant at which this round is made."""
    return datetime.fromtimestamp(GENESIS + (number - 1) * PERIOD, UTC)


def address(number: int) -> str:
    """Return the address at which everyone can read this round."""
    return f"https://api.drand.sh/{CHAIN}/public/{number}"


def fetch(number: int, client: Callable[[], Client] = Client) -> Round:
    """Fetch this round and verify its signature.

    Raises:
        OutsideError: The other site does not answer.
        ValueError: The answer is not this round, or the signature is false.
    """
    raw = client().get(address(number)).json()
    if not isinstance(raw, dict):
        raise ValueError("no round")
    return verify(number, raw)


def verify(number: int, raw: dict[str, Any]) -> Round:
    """Return the round after checking its number, its random number and its signature.

    Raises `ValueError` if one of them is false.
    """
    random, signature = str(raw.get("randomness", "")), str(raw.get("signature", ""))
    if raw.get("round") != number or hashlib.sha256(bytes.fromhex(signature)).hexdigest() != random:
        raise ValueError("not this round")
    if not is_signed(number, bytes.fromhex(signature)):
        raise ValueError("the signature is false")
    return Round(random, signature.lower())


def is_signed(number: int, signature: bytes) -> bool:
    """Return whether this is the network's BLS signature of the round."""
    if not 0 < number < 2**64:
        return False
    message = BlstP1Element.hash_to_group(
        hashlib.sha256(number.to_bytes(8, "big")).digest(), DOMAIN
    )
    try:
        point = BlstP1Element.uncompress(signature)
    except ValueError:
        return False
    signed = miller_loop(point, BlstP2Element.uncompress(GENERATOR))
    return bool(final_verify(signed, miller_loop(message, BlstP2Element.uncompress(PUBLIC_KEY))))

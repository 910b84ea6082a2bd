"""Secrets at rest: seeds and digest keys are encrypted with the installation's key and decrypted only to play."""

import base64
import hashlib
import hmac
import os
import secrets
import time
from functools import lru_cache
from pathlib import Path

from cryptography.fernet import Fernet
from django.conf import settings

# No i, l, o, 0 and 1: an address may be read out over the telephone.
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


@lru_cache(maxsize=4)
def _vault(key: str) -> Fernet:
    return Fernet(base64.urlsafe_b64encode(hashlib.sha256(key.encode()).digest()))


def seal(secret: str) -> str:
    """The secret, unreadable without the key of this installation."""
    return _vault(settings.VAULT_KEY).encrypt(secret.encode()).decode("ascii")


def unseal(sealed: str) -> str:
    """The secret again. Raises `cryptography.fernet.InvalidToken` under another installation's key."""
    return _vault(settings.VAULT_KEY).decrypt(sealed.encode("ascii")).decode()


def fingerprint(key: str) -> str:
    """Tells one vault key from another, and tells nobody the key. Backups of every format and the database keep it."""
    return hmac.digest(key.encode(), b"tabula-backup/1", "sha256").hex()


def reseal(sealed: str, old: str, new: str) -> str:
    """The same secret under another key. Raises `cryptography.fernet.InvalidToken` where `old` does not open it."""
    return _vault(new).encrypt(_vault(old).decrypt(sealed.encode("ascii"))).decode("ascii")


def new_secret() -> str:
    """A seed or a digest key: 256 random bits as hex."""
    return secrets.token_hex(32)


def new_public_id() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(8))


def new_token() -> str:
    """An invitation's: 128 random bits, fit for an address."""
    return secrets.token_urlsafe(16)


def token_hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def change_vault(key: str) -> Path | None:
    """Puts another vault key in the place of this installation's (`config.keys`), whose file keeps a name beside it: tells
    that. From the next start on; None where the environment names the key, which then has to change there."""
    if os.environ.get("VAULT_KEY"):
        return None
    folder = Path(settings.VAR) / "keys"
    path, kept = folder / "vault", folder / f"vault.before-{time.time_ns()}"
    if path.exists():
        os.link(path, kept)
    write_key(path, key)
    return kept


def write_key(path: Path, key: str) -> None:
    """Writes a key file that only its owner reads. It is whole and on the disk when this returns."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(key)
        file.flush()
        os.fsync(file.fileno())
    os.replace(draft, path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)

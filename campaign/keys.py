"""Secrets at rest: seeds, digest keys and others, encrypted with the installation's key.

They are decrypted only when they are needed.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import secrets
import sys
import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet, InvalidToken
from django.apps import apps
from django.conf import settings
from django.core.checks import CheckMessage, Error
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from campaign.models import VaultKey
from people import sign_in_ways
from people.sessions import BrowserSession, SessionStore

# No i, l, o, 0 and 1, because an address may be read out over the telephone.
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


@lru_cache(maxsize=4)
def _vault(key: str) -> Fernet:
    """Return the cipher of a vault key."""
    return Fernet(base64.urlsafe_b64encode(hashlib.sha256(key.encode()).digest()))


def seal(secret: str) -> str:
    """Return the secret encrypted with the key of this installation."""
    return _vault(settings.VAULT_KEY).encrypt(secret.encode()).decode("ascii")


def unseal(sealed: str) -> str:
    """Return the decrypted secret.

    Raises `cryptography.fernet.InvalidToken` if it is sealed with another key.
    """
    return _vault(settings.VAULT_KEY).decrypt(sealed.encode("ascii")).decode()


def fingerprint(key: str) -> str:
    """Return a text that identifies a vault key without revealing it.

    Backups of every format and the database keep it.
    """
    return hmac.digest(key.encode(), b"tabula-backup/1", "sha256").hex()


def reseal(sealed: str, old: str, new: str) -> str:
    """Return the same secret encrypted with another key.

    Raises `cryptography.fernet.InvalidToken` if `old` does not open it.
    """
    return _vault(new).encrypt(_vault(old).decrypt(sealed.encode("ascii"))).decode("ascii")


def new_secret() -> str:
    """Return a new seed or digest key: 256 random bits as hex."""
    return secrets.token_hex(32)


def new_public_id() -> str:
    """Return a new public id: eight random letters and digits."""
    return "".join(secrets.choice(LETTERS) for _ in range(8))


def new_token() -> str:
    """Return a new token for an invitation: 128 random bits, fit for an address."""
    return secrets.token_urlsafe(16)


def token_hash(token: str) -> str:
    """Return the hash under which a token is stored."""
    return hashlib.sha256(token.encode()).hexdigest()


def change_vault(key: str) -> Path | None:
    """Replace the vault key of this installation and return the path of the old key's file.

    The new key counts from the next start on (`config.keys`). Returns None if the environment names
    the key, which then has to be changed there.
    """
    if os.environ.get("VAULT_KEY"):
        return None
    folder = Path(settings.VAR) / "keys"
    path, kept = folder / "vault", folder / f"vault.before-{time.time_ns()}"
    if path.exists():
        os.link(path, kept)
    write_key(path, key)
    return kept


def write_key(path: Path, key: str) -> None:
    """Write a key file that only its owner can read.

    It is complete and on the disk when this returns.
    """
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


# The vault key and this database: whether the key fits, and how all secrets get another key.
#
# The database keeps the fingerprint of the key that seals its secrets. A process that starts with
# another key would seal new secrets with it and could read none of the old ones, so it does not
# start (`check_vault_key`).

State = Literal["ok", "wrong-key", "unknown"]
EXIT_STATUS = 3
"""The exit status of a process that does not start."""
BATCH = 500
SEALED: dict[str, tuple[str, ...]] = {
    "battles.lobbypassword": ("sealed",),
    "campaign.campaign": ("seed_sealed", "digest_key_sealed"),
    "campaign.dicerenewal": ("seed_sealed",),
    "campaign.lobby": ("seed_sealed",),
    "campaign.logentry": ("sealed",),
    "campaign.seatnote": ("text_sealed",),
    "moderation.removal": ("sealed",),
    "moderation.abusereport": ("sealed",),
    "talk.message": ("sealed",),
    "forum.thread": ("sealed", "session"),
    "notices.channel": ("sealed",),
    "notices.requestedmail": ("sealed",),
    "notices.webhook": ("sealed", "secret"),
}
"""Every column that `keys.seal` fills.

Second factors and sessions keep theirs inside JSON: `_second_factor`, `_session`.
"""
WRONG_KEY = (
    "The vault key is not the one that sealed this database's secrets. Nothing is lost. Set"
    " VAULT_KEY to the right key, or put it into {path}. If `manage.py rotate_vault` was cut off,"
    " run it again. (docs/host/backup.md, “The vault key”)"
)


class RotationFailed(Exception):
    """A rotation that failed; the secrets keep the old key.

    The text says why, and what to do.
    """


# Checking the key.


def vault_state() -> State:
    """Return whether this process's key opens the secrets of this database.

    `unknown` means that the database does not answer, or has no tables yet.
    """
    try:
        stored = VaultKey.objects.filter(pk=1).values_list("fingerprint", flat=True).first()
        if stored is None:
            return "ok" if _opens(settings.VAULT_KEY) else "wrong-key"
    except DatabaseError:
        return "unknown"
    return "ok" if hmac.compare_digest(stored, fingerprint(settings.VAULT_KEY)) else "wrong-key"


def _opens(key: str) -> bool:
    """Return whether a key opens the first secret of each kind; True if there is none.

    For databases from before fingerprints.
    """
    for label, columns in SEALED.items():
        for column in columns:
            rows = apps.get_model(label)._base_manager.exclude(**{column: ""}).order_by("pk")
            sealed = rows.values_list(column, flat=True).first()
            try:
                if sealed:
                    reseal(sealed, key, key)
            except InvalidToken:
                return False
    return True


def store_fingerprint(key: str) -> None:
    """Store the fingerprint of the key that seals the secrets of this database."""
    VaultKey.objects.update_or_create(
        pk=1, defaults={"fingerprint": fingerprint(key), "set_at": timezone.now()}
    )


def refusal() -> str | None:
    """Return in one line why no process may start with this key; None if it fits or is unknown.

    A database without a stored fingerprint stores that of this key.
    """
    state = vault_state()
    if state == "wrong-key":
        return WRONG_KEY.format(path=Path(settings.VAR) / "keys" / "vault")
    try:
        if state == "ok" and not VaultKey.objects.exists():
            VaultKey.objects.get_or_create(
                pk=1,
                defaults={"fingerprint": fingerprint(settings.VAULT_KEY), "set_at": timezone.now()},
            )
    # The database can only be read, or has gone away. The next start stores it.
    except DatabaseError:
        pass
    return None


def check_vault_key(**_: Any) -> None:
    """End a process that starts with a wrong key.

    Web, worker and beat call this. It leaves no connection open.
    """
    try:
        why = refusal()
    finally:
        connection.close()
    if why:
        stream = sys.__stderr__ or sys.stderr  # Celery replaces `sys.stderr`.
        stream.write(f"Tabula does not start. {why}\n")
        stream.flush()
        raise SystemExit(EXIT_STATUS)


def check(app_configs: Any, databases: Any = None, **_: Any) -> list[CheckMessage]:
    """Return the error of a wrong key, for `manage.py check --database default` and `migrate`."""
    if not databases or vault_state() != "wrong-key":
        return []
    return [Error(WRONG_KEY.format(path=Path(settings.VAR) / "keys" / "vault"), id="campaign.E001")]


# Rotating the key.


def next_key_file() -> Path:
    """Return the file that has the new key while the secrets are being sealed with it."""
    return Path(settings.VAR) / "keys" / "vault.next"


def rotate(new: str, report: Callable[[str, int, int], None]) -> int:
    """Seal every secret with the key `new` in one transaction, and return how many there were.

    `report(table, done, of)` receives the progress. Raises `RotationFailed` if the present key does
    not open a secret. All other processes must be stopped, because they would continue to use the
    old key.
    """
    old, count = settings.VAULT_KEY, 0
    with transaction.atomic():
        labels = [*SEALED, "mfa.authenticator", "people.browsersession"]
        if connection.vendor == "postgresql":
            quoted = ", ".join(
                connection.ops.quote_name(apps.get_model(label)._meta.db_table) for label in labels
            )
            with connection.cursor() as cursor:
                cursor.execute(f"LOCK TABLE {quoted} IN SHARE ROW EXCLUSIVE MODE")
        for label in labels:
            model = apps.get_model(label)
            of = model._base_manager.count()
            report(label, 0, of)
            for done, row in enumerate(
                model._base_manager.order_by("pk").iterator(chunk_size=BATCH), 1
            ):
                try:
                    count += _reseal(label, row, old, new)
                except InvalidToken:
                    raise RotationFailed(
                        f"A secret of {label} {row.pk} does not open under the present key."
                    ) from None
                if done % BATCH == 0 or done == of:
                    report(label, done, of)
        store_fingerprint(new)
    return count


def _reseal(label: str, row: Any, old: str, new: str) -> int:
    """Seal the secrets of a row with the new key; return how many it has."""
    if label == "people.browsersession":
        return _session(row, old, new)
    if label == "mfa.authenticator":
        return _second_factor(row, old, new)
    changed = {
        name: reseal(value, old, new) for name in SEALED[label] if (value := getattr(row, name))
    }
    if changed:
        type(row)._base_manager.filter(pk=row.pk).update(**changed)
    return len(changed)


def _second_factor(row: Authenticator, old: str, new: str) -> int:
    """Reseal a second factor.

    It has the secret of an app, the seed of recovery codes, or codes that were imported.
    """
    data = dict(row.data)
    for name in ("secret", "seed"):
        if data.get(name):
            data[name] = sign_in_ways.reseal(data[name], old, new)
    if data.get("migrated_codes"):
        data["migrated_codes"] = [
            sign_in_ways.reseal(code, old, new) for code in data["migrated_codes"]
        ]
    changed = data != row.data
    if changed:
        Authenticator.objects.filter(pk=row.pk).update(data=data)
    return int(changed)


def _session(row: BrowserSession, old: str, new: str) -> int:
    """Reseal a new secret in a session that waits to be shown (`web.frame.requests`)."""
    data, changed = row.get_decoded(), 0
    for value in data.values():
        if isinstance(value, dict) and isinstance(value.get("sealed"), str):
            try:
                value["sealed"] = reseal(value["sealed"], old, new)
            except InvalidToken:  # It is sealed with an earlier key and can no longer be shown.
                value["sealed"] = ""
            changed += 1
    if changed:
        BrowserSession.objects.filter(pk=row.pk).update(session_data=SessionStore().encode(data))
    return changed

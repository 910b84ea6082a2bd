"""Secrets at rest: seeds and digest keys are encrypted with the installation's key and decrypted
only to play.
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
from people import ways
from people.sessions import BrowserSession, SessionStore

# No i, l, o, 0 and 1: an address may be read out over the telephone.
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


@lru_cache(maxsize=4)
def _vault(key: str) -> Fernet:
    return Fernet(base64.urlsafe_b64encode(hashlib.sha256(key.encode()).digest()))


def seal(secret: str) -> str:
    """The secret, unreadable without the key of this installation."""
    return _vault(settings.VAULT_KEY).encrypt(secret.encode()).decode("ascii")


def unseal(sealed: str) -> str:
    """The secret again. Raises `cryptography.fernet.InvalidToken` under another
    installation's key.
    """
    return _vault(settings.VAULT_KEY).decrypt(sealed.encode("ascii")).decode()


def fingerprint(key: str) -> str:
    """Tells one vault key from another, and tells nobody the key. Backups of every format and the
    database keep it.
    """
    return hmac.digest(key.encode(), b"tabula-backup/1", "sha256").hex()


def reseal(sealed: str, old: str, new: str) -> str:
    """The same secret under another key. Raises `cryptography.fernet.InvalidToken` where `old` does
    not open it.
    """
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
    """Puts another vault key in the place of this installation's (`config.keys`), whose file keeps
    a name beside it: tells that. From the next start on; None where the environment names the key,
    which then has to change there.
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
    """Writes a key file that only its owner reads. It is whole and on the disk when this
    returns.
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


# The vault key and this database: does the key fit, and how all secrets come under another one.
#
# The database keeps the fingerprint of the key that seals its secrets. A process that starts with
# another key would seal new secrets under it and read none of the old ones, so it does not start
# (`must_fit`).

State = Literal["ok", "wrong-key", "unknown"]
REFUSED = 3
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
"""Every column that `keys.seal` fills. Second factors and sessions keep theirs inside JSON:
`_second_factor`, `_session`.
"""
WRONG = (
    "The vault key is not the one that sealed this database's secrets. Nothing is lost. Set"
    " VAULT_KEY to the right key, or put it into {path}. If `manage.py rotate_vault` was cut off,"
    " run it again. (docs/hosting.md, “The vault key”)"
)


class NotRotated(Exception):
    """The secrets were left under the old key; says why, and what to do."""


# Does the key fit? --------------------------------------------------------------------------------


def vault_state() -> State:
    """Does this process's key open what this database keeps? `unknown`: the database does not
    answer, or has no tables yet.
    """
    try:
        stored = VaultKey.objects.filter(pk=1).values_list("fingerprint", flat=True).first()
        if stored is None:
            return "ok" if _opens(settings.VAULT_KEY) else "wrong-key"
    except DatabaseError:
        return "unknown"
    return "ok" if hmac.compare_digest(stored, fingerprint(settings.VAULT_KEY)) else "wrong-key"


def _opens(key: str) -> bool:
    """Of a database from before fingerprints: does the key open the first secret of each kind? True
    where there is none.
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


def remember(key: str) -> None:
    """From now on this key seals the secrets of this database."""
    VaultKey.objects.update_or_create(
        pk=1, defaults={"fingerprint": fingerprint(key), "set_at": timezone.now()}
    )


def refusal() -> str | None:
    """Why nothing may start with this key, in one line; None where it fits, or where nobody can
    tell. A database that knows no key yet remembers this one.
    """
    state = vault_state()
    if state == "wrong-key":
        return WRONG.format(path=Path(settings.VAR) / "keys" / "vault")
    try:
        if state == "ok" and not VaultKey.objects.exists():
            VaultKey.objects.get_or_create(
                pk=1,
                defaults={"fingerprint": fingerprint(settings.VAULT_KEY), "set_at": timezone.now()},
            )
    except DatabaseError:  # it only reads, or went away: the next start remembers
        pass
    return None


def must_fit(**_: Any) -> None:
    """Ends a process that starts with a wrong key: called by web, worker and beat. Leaves no
    connection open behind it.
    """
    try:
        why = refusal()
    finally:
        connection.close()
    if why:
        stream = sys.__stderr__ or sys.stderr  # Celery's own stands in the place of `sys.stderr`
        stream.write(f"Tabula does not start. {why}\n")
        stream.flush()
        raise SystemExit(REFUSED)


def check(app_configs: Any, databases: Any = None, **_: Any) -> list[CheckMessage]:
    """For `manage.py check --database default`, and before `migrate`."""
    if not databases or vault_state() != "wrong-key":
        return []
    return [Error(WRONG.format(path=Path(settings.VAR) / "keys" / "vault"), id="campaign.E001")]


# Another key --------------------------------------------------------------------------------------


def next_key_file() -> Path:
    """Where the new key lies from before the first secret is under it until it is in its place."""
    return Path(settings.VAR) / "keys" / "vault.next"


def rotate(new: str, tell: Callable[[str, int, int], None]) -> int:
    """Puts every secret under the key `new`, in one transaction: all, or none. How many there were.

    `tell(table, done, of)` hears how far it is. Raises `NotRotated` where a secret does not open
    under the present key. Whatever runs meanwhile has to be stopped: it would go on sealing with
    the key that it started with.
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
            tell(label, 0, of)
            for done, row in enumerate(
                model._base_manager.order_by("pk").iterator(chunk_size=BATCH), 1
            ):
                try:
                    count += _reseal(label, row, old, new)
                except InvalidToken:
                    raise NotRotated(
                        f"A secret of {label} {row.pk} does not open under the present key."
                    ) from None
                if done % BATCH == 0 or done == of:
                    tell(label, done, of)
        remember(new)
    return count


def _reseal(label: str, row: Any, old: str, new: str) -> int:
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
    """The secret of an app, the seed of recovery codes, and codes that were brought from
    elsewhere.
    """
    data = dict(row.data)
    for name in ("secret", "seed"):
        if data.get(name):
            data[name] = ways.reseal(data[name], old, new)
    if data.get("migrated_codes"):
        data["migrated_codes"] = [ways.reseal(code, old, new) for code in data["migrated_codes"]]
    changed = data != row.data
    if changed:
        Authenticator.objects.filter(pk=row.pk).update(data=data)
    return int(changed)


def _session(row: BrowserSession, old: str, new: str) -> int:
    """A secret that was made just now and waits to be shown (`web.frame.requests`)."""
    data, changed = row.get_decoded(), 0
    for value in data.values():
        if isinstance(value, dict) and isinstance(value.get("sealed"), str):
            try:
                value["sealed"] = reseal(value["sealed"], old, new)
            except InvalidToken:  # of a key before: nobody can be shown it any more
                value["sealed"] = ""
            changed += 1
    if changed:
        BrowserSession.objects.filter(pk=row.pk).update(session_data=SessionStore().encode(data))
    return changed

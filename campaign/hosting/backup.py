"""Backups: every row of the installation in one file, for either database, without the keys.

See docs/decisions/0024. The file is a zip. Each table is a member of JSON lines, one row a line, in
the order of its keys. `manifest.json` has the applied migrations, the number of rows and the
SHA-256 of each member, and a fingerprint of the vault key that seals the secrets. `manifest.sig` is
its signature under that key (an HMAC), so that a person without the key cannot alter a row and
repair the digests. Times keep their microseconds, because the log's hashes cover them.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import zipfile
import zlib
from base64 import b64encode
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.management.color import no_style
from django.db import connection, models, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.db.models.functions import Collate
from django.utils import timezone

from campaign import keys
from engine.strict_json import canonical

FORMAT = "tabula-backup/2"
UNSIGNED = "tabula-backup/1"
"""The format before signatures.

It is restored only if the host says that they trust the file.
"""
MANIFEST, SIGNATURE = "manifest.json", "manifest.sig"
BATCH = 500
LEFT_OUT = frozenset({"contenttypes", "sessions", "admin", "axes"})
"""Apps whose rows belong to an installation, not to its campaigns.

`migrate` makes them, or they are worthless after a day.
"""
RIGHTS = frozenset(
    {
        "auth.permission",
        "auth.group",
        "auth.group_permissions",
        "people.user_groups",
        "people.user_user_permissions",
    }
)
NOT_KEPT = RIGHTS | {
    "campaign.vaultkey",
    "campaign.tickrun",
    "campaign.runningtask",
    "notices.requestedmail",
    "people.browsersession",
}
"""Tables that are in no backup.

The manifest has the vault key's fingerprint, and `read` writes that row. Tick runs and running
tasks belong to an installation's own processes. Requested e-mails hold codes that expire within
minutes. Sessions name users by number, which may be another user's on another site.
"""


class UnusableBackup(Exception):
    """A file that cannot be restored here. The text says why, and what to do."""


class UnsignedBackup(UnusableBackup):
    """A backup in the format before signatures."""


class WrongKey(UnusableBackup):
    """A backup whose secrets are sealed with another vault key than this installation's."""


def tables() -> list[type[models.Model]]:
    """Return the models in a backup, in the order of their names."""
    every = apps.get_models(include_auto_created=True)
    kept = [model for model in every if model._meta.managed and not model._meta.proxy]
    return sorted(
        (
            model
            for model in kept
            if model._meta.app_label not in LEFT_OUT and model._meta.label_lower not in NOT_KEPT
        ),
        key=lambda model: model._meta.label_lower,
    )


def models_referring_to_backup() -> list[type[models.Model]]:
    """Return the models outside a backup that refer to models in it, such as users' rights.

    Their rows are deleted with them.
    """
    kept = tables()
    every = (model for model in apps.get_models(include_auto_created=True) if model not in kept)
    return [
        model
        for model in every
        if any(field.related_model in kept for field in model._meta.local_concrete_fields)
    ]


def signature(manifest: bytes, key: str) -> str:
    """Return the signature of a manifest: an HMAC under a key derived from the vault key."""
    own = hmac.digest(key.encode(), b"tabula-backup/2 signature", "sha256")
    return hmac.digest(own, manifest, "sha256").hex()


def applied_migrations() -> list[str]:
    """Return the migrations that this database has."""
    return sorted(
        f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations()
    )


def table_lines(model: type[models.Model]) -> Iterator[bytes]:
    """Yield the rows of a table as lines."""
    fields = model._meta.local_concrete_fields
    for row in _in_order(model).iterator(chunk_size=BATCH):
        known = {field.attname: _plain(field.value_from_object(row)) for field in fields}
        yield canonical(known).encode() + b"\n"


def _in_order(model: type[models.Model]) -> models.QuerySet[models.Model]:
    """Return the rows in the order of their keys, which is the same in every database.

    PostgreSQL would otherwise compare texts by the rules of its language.
    """
    rows = model._base_manager.all()
    is_text = isinstance(model._meta.pk, models.CharField | models.TextField)
    if is_text and connection.vendor == "postgresql":
        return rows.order_by(Collate("pk", "C"))
    return rows.order_by("pk")


def _plain(value: Any) -> Any:
    """Return a value as JSON can hold it."""
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, bytes | bytearray | memoryview):
        return b64encode(bytes(value)).decode("ascii")
    return str(value) if isinstance(value, Decimal | timedelta) else value


def digest(model: type[models.Model]) -> dict[str, Any]:
    """Return how many rows a table has, and the SHA-256 of its lines."""
    hasher, count = hashlib.sha256(), 0
    for line in table_lines(model):
        hasher.update(line)
        count += 1
    return {"rows": count, "sha256": hasher.hexdigest()}


def write(path: Path) -> dict[str, Any]:
    """Write the backup of one moment and return its manifest.

    An earlier file at `path` stays until the new one is complete.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive, _Snapshot():
                manifest = _written(archive)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)
    return manifest


def _written(archive: zipfile.ZipFile) -> dict[str, Any]:
    """Write all members and return the manifest."""
    members: dict[str, Any] = {}
    for model in tables():
        hasher, count = hashlib.sha256(), 0
        with archive.open(f"{model._meta.label_lower}.jsonl", "w", force_zip64=True) as member:
            for line in table_lines(model):
                member.write(line)
                hasher.update(line)
                count += 1
        members[model._meta.label_lower] = {"rows": count, "sha256": hasher.hexdigest()}
    manifest = {
        "format": FORMAT,
        "made_at": timezone.now().isoformat(),
        "migrations": applied_migrations(),
        "vault": keys.fingerprint(settings.VAULT_KEY),
        "tables": members,
    }
    text = json.dumps(manifest, indent=1, sort_keys=True).encode()
    archive.writestr(MANIFEST, text)
    archive.writestr(SIGNATURE, signature(text, settings.VAULT_KEY))
    return manifest


class _Snapshot:
    """A transaction that sees one state of the database and does not block writers."""

    def __enter__(self) -> None:
        connection.ensure_connection()
        self.mode = getattr(connection, "transaction_mode", None)
        if connection.vendor == "sqlite":
            setattr(connection, "transaction_mode", "DEFERRED")  # noqa: B010 - the other database has none
        self.block = transaction.atomic()
        self.block.__enter__()
        if connection.vendor == "postgresql" and len(connection.savepoint_ids) == 0:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")

    def __exit__(self, *wrong: Any) -> None:
        try:
            self.block.__exit__(*wrong)
        finally:
            if connection.vendor == "sqlite":
                setattr(connection, "transaction_mode", self.mode)  # noqa: B010 - as above


def read_manifest(path: Path, *, unsigned: bool = False) -> dict[str, Any]:
    """Return the manifest of a backup after checking that its members are complete and known.

    Does not check the signature; `read` does. Raises `UnusableBackup`, and `UnsignedBackup` for a
    backup from before signatures unless `unsigned` says that it is trusted.
    """
    try:
        with zipfile.ZipFile(path) as file:
            manifest = json.loads(file.read(MANIFEST))
            if manifest["format"] == UNSIGNED and not unsigned:
                raise UnsignedBackup(
                    "The backup was made before backups were signed, so it cannot be checked"
                    " for alterations. If you trust its source, use --unsigned."
                )
            if manifest["format"] not in (FORMAT, UNSIGNED):
                raise UnusableBackup(
                    f"The format of the backup is {manifest['format']}; this version of Tabula"
                    f" can restore only format {FORMAT}."
                )
            for name, table_facts in manifest["tables"].items():
                hasher = hashlib.sha256()
                with file.open(f"{name}.jsonl") as member:
                    while part := member.read(1 << 20):
                        hasher.update(part)
                if hasher.hexdigest() != table_facts["sha256"]:
                    raise UnusableBackup(
                        f"{name}.jsonl does not match its checksum: the file is damaged. Use"
                        " another backup."
                    )
    except (
        OSError,
        EOFError,
        RuntimeError,
        zipfile.BadZipFile,
        zlib.error,
        LookupError,
        ValueError,
        TypeError,
    ) as wrong:
        raise UnusableBackup(
            f"{path} is not a backup of Tabula, or part of it is missing: {wrong}"
        ) from None
    known = {model._meta.label_lower for model in tables()}
    if set(manifest["tables"]) != known or manifest["migrations"] != applied_migrations():
        raise UnusableBackup(
            "The migrations of the backup differ from those of this database. Install the version"
            " of Tabula that made the backup, or run `manage.py migrate` if this database is new."
            " Restore the backup, then upgrade."
        )
    return dict(manifest)


def occupied() -> dict[str, int]:
    """Return the number of rows of each table that has rows."""
    counts = {model._meta.label_lower: model._base_manager.count() for model in tables()}
    return {name: count for name, count in counts.items() if count}


def _signed(file: zipfile.ZipFile, manifest: dict[str, Any], key: str) -> None:
    """Raise `UnusableBackup` unless the file has this manifest, signed with this key.

    A backup from before signatures has no signature to check.
    """
    try:
        text = file.read(MANIFEST)
        there = file.read(SIGNATURE).decode("ascii") if manifest["format"] == FORMAT else None
    except (KeyError, ValueError):
        raise UnusableBackup(
            "The signature is missing: the file has been altered. Use another backup."
        ) from None
    signed = there is None or hmac.compare_digest(there, signature(text, key))
    if not signed or json.loads(text) != manifest:
        raise UnusableBackup(
            "The signature does not match this vault key: the file has been altered. Use"
            " another backup."
        )


def read(path: Path, manifest: dict[str, Any], *, key: str, replace: bool = False) -> None:
    """Restore every row of the backup in one transaction.

    Raises `WrongKey`, and `UnusableBackup` if the signature is not of this key, if there are rows
    already and `replace` is not set, or if the written rows do not read back the same. All users
    are signed out, because a session refers to a user by number.
    """
    if not hmac.compare_digest(manifest["vault"], keys.fingerprint(key)):
        raise WrongKey(
            "The secrets of the backup are not encrypted with the vault key that you gave."
        )
    with transaction.atomic(), zipfile.ZipFile(path) as file:
        _signed(file, manifest, key)
        if occupied():
            if not replace:
                raise UnusableBackup(
                    "This database contains rows. Use --replace to remove all of them."
                )
            for model in (*models_referring_to_backup(), *tables()):
                model._base_manager.all()._raw_delete(connection.alias)
        apps.get_model("people", "BrowserSession")._base_manager.all().delete()
        for model in tables():
            _fill(model, file)
        keys.store_fingerprint(key)
        with connection.cursor() as cursor:
            for statement in connection.ops.sequence_reset_sql(no_style(), tables()):
                cursor.execute(statement)
        connection.check_constraints()
        for model in tables():
            if digest(model) != manifest["tables"][model._meta.label_lower]:
                raise UnusableBackup(
                    f"{model._meta.label_lower}: the restored rows differ from those in the backup."
                )


def _fill(model: type[models.Model], file: zipfile.ZipFile) -> None:
    """Insert the rows of a table."""
    fields = {field.attname: field for field in model._meta.local_concrete_fields}
    batch: list[models.Model] = []
    with file.open(f"{model._meta.label_lower}.jsonl") as member:
        for line in member:
            row = model()
            for name, value in json.loads(line).items():
                setattr(row, name, fields[name].to_python(value))
            batch.append(row)
            if len(batch) == BATCH:
                model._base_manager.bulk_create(batch)
                batch.clear()
    model._base_manager.bulk_create(batch)

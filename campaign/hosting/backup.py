"""A backup: every row of the installation in one file, for either database, without the keys
(docs/decisions/0024).

The file is a zip: a table is a member of JSON lines, one row a line, in the order of its keys;
`manifest.json` has the migrations the tables stand at, each member's rows and SHA-256, and by which
vault key the secrets are sealed, as a fingerprint. `manifest.sig` is its signature under that key
(an HMAC), so that nobody without the key can alter a row and repair the digests. Times keep their
microseconds: the log's hashes cover them.
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
"""The format before signatures: restored only where somebody says that they trust the file."""
MANIFEST, SIGNATURE = "manifest.json", "manifest.sig"
BATCH = 500
LEFT_OUT = frozenset({"contenttypes", "sessions", "admin", "axes"})
"""Apps whose rows belong to an installation, not to its campaigns: made by `migrate`, or gone with
the next day.
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
"""The manifest has the vault key's fingerprint; `read` writes that row. Pulses tell of an
installation's own processes: a new one has a row there before anything is restored. Requested
e-mails hold codes that expire within minutes. Sessions name users by number, and a number may
belong to another user on another site.
"""


class Unfit(Exception):
    """A file that cannot be restored here; says why, and what to do."""


class Unsigned(Unfit):
    """A backup from before signatures."""


class WrongKey(Unfit):
    """Its secrets are sealed with another vault key than this installation's."""


def tables() -> list[type[models.Model]]:
    """All that is kept, in the order of their names."""
    every = apps.get_models(include_auto_created=True)
    kept = [one for one in every if one._meta.managed and not one._meta.proxy]
    return sorted(
        (
            one
            for one in kept
            if one._meta.app_label not in LEFT_OUT and one._meta.label_lower not in NOT_KEPT
        ),
        key=lambda one: one._meta.label_lower,
    )


def pointing() -> list[type[models.Model]]:
    """What is in no backup and points to rows of one, as who has which rights: it goes with
    them.
    """
    kept = tables()
    every = (one for one in apps.get_models(include_auto_created=True) if one not in kept)
    return [
        one
        for one in every
        if any(field.related_model in kept for field in one._meta.local_concrete_fields)
    ]


def signature(manifest: bytes, key: str) -> str:
    """What only an installation with this vault key can write under a manifest: an HMAC under a key
    made from it.
    """
    own = hmac.digest(key.encode(), b"tabula-backup/2 signature", "sha256")
    return hmac.digest(own, manifest, "sha256").hex()


def stand() -> list[str]:
    """The migrations that this database has."""
    return sorted(
        f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations()
    )


def table_lines(model: type[models.Model]) -> Iterator[bytes]:
    """The rows of a table as lines."""
    fields = model._meta.local_concrete_fields
    for row in _in_order(model).iterator(chunk_size=BATCH):
        known = {field.attname: _plain(field.value_from_object(row)) for field in fields}
        yield canonical(known).encode() + b"\n"


def _in_order(model: type[models.Model]) -> models.QuerySet[models.Model]:
    """Return the rows in the order of their keys, which is the same in every database: PostgreSQL
    would compare texts by the rules of its language.
    """
    rows = model._base_manager.all()
    is_text = isinstance(model._meta.pk, models.CharField | models.TextField)
    if is_text and connection.vendor == "postgresql":
        return rows.order_by(Collate("pk", "C"))
    return rows.order_by("pk")


def _plain(value: Any) -> Any:
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, bytes | bytearray | memoryview):
        return b64encode(bytes(value)).decode("ascii")
    return str(value) if isinstance(value, Decimal | timedelta) else value


def digest(model: type[models.Model]) -> dict[str, Any]:
    """How many rows a table has, and the SHA-256 of its lines."""
    hasher, count = hashlib.sha256(), 0
    for line in table_lines(model):
        hasher.update(line)
        count += 1
    return {"rows": count, "sha256": hasher.hexdigest()}


def write(path: Path) -> dict[str, Any]:
    """Write the backup, all of one moment, and tell its manifest. What was at `path` stays until
    the new one is whole.
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
        "migrations": stand(),
        "vault": keys.fingerprint(settings.VAULT_KEY),
        "tables": members,
    }
    text = json.dumps(manifest, indent=1, sort_keys=True).encode()
    archive.writestr(MANIFEST, text)
    archive.writestr(SIGNATURE, signature(text, settings.VAULT_KEY))
    return manifest


class _Snapshot:
    """A transaction that sees one state of the database and keeps nobody from writing."""

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
    """The manifest of a backup whose members are whole and known; `read` asks who signed it. Raises
    `Unfit`, and `Unsigned` for a backup from before signatures unless `unsigned` says that it is
    trusted.
    """
    try:
        with zipfile.ZipFile(path) as file:
            manifest = json.loads(file.read(MANIFEST))
            if manifest["format"] == UNSIGNED and not unsigned:
                raise Unsigned(
                    "It was made before backups were signed: nobody can tell whether it was"
                    " altered. If you trust where it lay, say --unsigned."
                )
            if manifest["format"] not in (FORMAT, UNSIGNED):
                raise Unfit(f"Its format is {manifest['format']}; this Tabula restores {FORMAT}.")
            for name, table_facts in manifest["tables"].items():
                hasher = hashlib.sha256()
                with file.open(f"{name}.jsonl") as member:
                    while part := member.read(1 << 20):
                        hasher.update(part)
                if hasher.hexdigest() != table_facts["sha256"]:
                    raise Unfit(
                        f"{name}.jsonl is not as it was written: the file is damaged. Take another"
                        " backup."
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
        raise Unfit(f"{path} is no backup of Tabula, or a part of it is missing: {wrong}") from None
    known = {one._meta.label_lower for one in tables()}
    if set(manifest["tables"]) != known or manifest["migrations"] != stand():
        raise Unfit(
            "Its tables stand at other migrations than this database. Install the Tabula that made"
            " it, or run `manage.py migrate` if this database is new; restore, and update after"
            " that."
        )
    return dict(manifest)


def occupied() -> dict[str, int]:
    """The tables that have rows, with how many."""
    counts = {one._meta.label_lower: one._base_manager.count() for one in tables()}
    return {name: count for name, count in counts.items() if count}


def _signed(file: zipfile.ZipFile, manifest: dict[str, Any], key: str) -> None:
    """Raises `Unfit` unless the file has this very manifest, signed with this key. One from before
    signatures has none.
    """
    try:
        text = file.read(MANIFEST)
        there = file.read(SIGNATURE).decode("ascii") if manifest["format"] == FORMAT else None
    except (KeyError, ValueError):
        raise Unfit(
            "Its signature is missing: the file was altered. Take another backup."
        ) from None
    signed = there is None or hmac.compare_digest(there, signature(text, key))
    if not signed or json.loads(text) != manifest:
        raise Unfit(
            "Its signature is not the one of this vault key: the file was altered. Take another"
            " backup."
        )


def read(path: Path, manifest: dict[str, Any], *, key: str, replace: bool = False) -> None:
    """Put every row of the backup here, in one transaction: all of it, or what was there stays.

    Raises `WrongKey`, or `Unfit` where the signature is not of this key, where rows are here
    already and are not to be replaced, or where what was written does not read back the same.
    Everybody is signed out: a session knows people by their numbers.
    """
    if not hmac.compare_digest(manifest["vault"], keys.fingerprint(key)):
        raise WrongKey("The secrets in it are sealed with another vault key than the one given.")
    with transaction.atomic(), zipfile.ZipFile(path) as file:
        _signed(file, manifest, key)
        if occupied():
            if not replace:
                raise Unfit("There are rows in this database. With --replace they go, all of them.")
            for model in (*pointing(), *tables()):
                model._base_manager.all()._raw_delete(connection.alias)
        apps.get_model("people", "BrowserSession")._base_manager.all().delete()
        for model in tables():
            _fill(model, file)
        keys.remember(key)
        with connection.cursor() as cursor:
            for statement in connection.ops.sequence_reset_sql(no_style(), tables()):
                cursor.execute(statement)
        connection.check_constraints()
        for model in tables():
            if digest(model) != manifest["tables"][model._meta.label_lower]:
                raise Unfit(f"{model._meta.label_lower} does not read back as it was written.")


def _fill(model: type[models.Model], file: zipfile.ZipFile) -> None:
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

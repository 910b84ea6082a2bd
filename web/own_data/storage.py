"""The files of users: made by the worker, kept encrypted for a day in the shared storage."""

from __future__ import annotations

import base64
import io
import logging
import secrets
from datetime import datetime, timedelta

from cryptography.fernet import InvalidToken
from django.utils import timezone, translation

from campaign import files, keys
from engine.language import use_language
from people.models import OwnDataExport, User
from web.own_data.archive import archive_of
from web.own_data.contents import NUMBER_OF_PARTS

log = logging.getLogger(__name__)
LIFETIME = timedelta(days=1)
"""The time for which a file can be downloaded."""
PATIENCE = timedelta(seconds=15)
"""If no worker begins a file within this time, none seems to run."""
SILENCE = timedelta(minutes=2)
"""If a worker reports no progress for this time, it seems to have died."""


def path_of(row: OwnDataExport) -> str:
    """Return the path of a file in the storage."""
    return f"own/{row.user_id}/{row.key}.sealed"


def new_row(user: User, language: str) -> OwnDataExport:
    """Return a row for a new file. Earlier files of the user are removed."""
    for row in OwnDataExport.objects.filter(user=user):
        remove(row)
    return OwnDataExport.objects.create(
        user=user, key=secrets.token_hex(16), language=language, asked_at=timezone.now()
    )


def make(pk: int) -> None:
    """Make the file of a row, unless it exists or is being made."""
    row = OwnDataExport.objects.select_related("user").filter(pk=pk, ready_at=None).first()
    if row is None or row.user.erased_at is not None or is_being_made(row):
        return
    rows = OwnDataExport.objects.filter(pk=pk)
    rows.update(heartbeat_at=timezone.now(), total=NUMBER_OF_PARTS, done=0, failed=False)

    def note_progress(done: int) -> None:
        rows.update(done=done, heartbeat_at=timezone.now())

    try:
        with translation.override(row.language), use_language(row.language):
            content = archive_of(row.user, note_progress)
        files.put(path_of(row), io.BytesIO(sealed(content)))
    except Exception:
        rows.update(failed=True)
        raise
    rows.update(ready_at=timezone.now())


def is_being_made(row: OwnDataExport) -> bool:
    return row.heartbeat_at is not None and timezone.now() - row.heartbeat_at < SILENCE


def sealed(content: bytes) -> bytes:
    return keys.seal(base64.b64encode(content).decode()).encode()


def content_of(row: OwnDataExport) -> bytes | None:
    """Return a file; None if it is gone, or if the installation's key has changed."""
    stored = files.content(path_of(row))
    try:
        return base64.b64decode(keys.unseal(stored.decode())) if stored is not None else None
    except InvalidToken:
        return None


def tick(now: datetime) -> int:
    """Remove files that are too old, with their rows; return their number."""
    return sum(remove(row) for row in OwnDataExport.objects.filter(asked_at__lt=now - LIFETIME))


def erase(user: User, at: datetime) -> list[str]:
    """Remove the files of a user whose account is being erased.

    A file that cannot be removed now keeps its row, and `tick` tries again.
    """
    rows = list(OwnDataExport.objects.filter(user=user))
    for row in rows:
        remove(row)
    return [f"{len(rows)} files of their own data"]


def remove(row: OwnDataExport) -> bool:
    """Remove a file with its row; return whether it is gone."""
    try:
        files.remove(path_of(row))
    except files.no_answer() as error:
        log.warning("A file of somebody's own data is not removed yet: %s", error)
        return False
    row.delete()
    return True

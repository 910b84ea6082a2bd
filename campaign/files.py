"""The storage of files that the site makes and can make again: pictures and packs.

All machines share it: `settings.STORAGES["made"]` is a local folder by default, a shared folder, or
a bucket. A storage that does not answer counts as empty: the page then says that the file is being
made, and asks again.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from tempfile import mkstemp
from typing import IO, Any

from django.core.cache import cache
from django.core.files import File
from django.core.files.storage import FileSystemStorage, Storage, storages

log = logging.getLogger(__name__)

HOUR = 60 * 60


class WholeFiles(FileSystemStorage):
    """A folder in which a file appears whole or not at all.

    Another machine that reads meanwhile never sees a part of it.
    """

    def _save(self, name: str, content: File[bytes]) -> str:
        path = self.path(name)
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        handle, draft = mkstemp(dir=os.path.dirname(path), suffix=".draft")
        try:
            with open(handle, "wb") as file:
                for chunk in content.chunks():
                    file.write(chunk)
            os.replace(draft, path)
        except BaseException:
            os.unlink(draft)
            raise
        return name


def _storage() -> Storage:
    """Return the storage of made files."""
    return storages["made"]


def no_answer() -> tuple[type[BaseException], ...]:
    """Return the errors of a storage that cannot be reached or refuses."""
    remote = sys.modules.get("botocore.exceptions")
    return (OSError, remote.BotoCoreError, remote.ClientError) if remote else (OSError,)


def exists(name: str) -> bool:
    """Return whether a file exists."""
    try:
        return _storage().exists(name)
    except no_answer() as error:
        log.warning("The storage does not answer: %s", error)
        return False


def content(name: str) -> bytes | None:
    """Return the bytes of a file; None if it does not exist."""
    try:
        with _storage().open(name, "rb") as file:
            return bytes(file.read())
    except FileNotFoundError:
        return None
    except no_answer() as error:
        log.warning("The storage does not answer: %s", error)
        return None


def newest(folder: str, begin: str) -> str | None:
    """Return the newest file of a folder whose name begins with `begin`; None without one."""
    start = f"{folder}/{begin}"
    return next((name for name in reversed(kept(folder)) if name.startswith(start)), None)


def kept(folder: str) -> list[str]:
    """Return the files of a folder, the newest last; none if the storage does not answer."""
    try:
        return names(folder)
    except no_answer() as error:
        log.warning("The storage does not answer: %s", error)
        return []


def put(name: str, file: IO[bytes]) -> None:
    """Store the content of `file` under this name, from its beginning."""
    _storage().save(name, File(file))


def names(folder: str) -> list[str]:
    """Return the files of a folder, the newest last.

    Raises an error of `no_answer()` if the storage does not answer.
    """
    return [
        name for _modified, _size, name in sorted(_files(folder)) if not name.endswith(".draft")
    ]


def remove(name: str) -> None:
    """Remove a file, if it exists.

    Raises an error of `no_answer()` if it cannot be removed.
    """
    _storage().delete(name)


def prune(folder: str, most: int, since: float = 0) -> int:
    """Remove the oldest files below a folder until `most` bytes are left; return their number.

    Files that are older than `since` (seconds since 1970) are removed, too. A bucket is checked
    only once an hour, because every listing costs money.
    """
    if not isinstance(_storage(), FileSystemStorage) and not cache.add(f"pruned:{folder}", 1, HOUR):
        return 0
    total = removed = 0
    try:
        for modified, size, name in sorted(_files(folder), reverse=True):
            total += size
            if total > most or modified < since:
                remove(name)
                removed += 1
    except no_answer() as error:
        log.warning("The storage does not answer: %s", error)
    return removed


def _files(folder: str) -> Iterator[tuple[float, int, str]]:
    """Return when each file below a folder was made, its size in bytes, and its name."""
    storage = _storage()
    if hasattr(storage, "bucket"):
        return _files_of_bucket(storage, folder)
    return _files_of_folder(storage, folder)


def _files_of_bucket(storage: Any, folder: str) -> Iterator[tuple[float, int, str]]:
    """Return the files of a bucket: one request for a thousand files.

    The methods of `Storage` would take two requests for each file.
    """
    above = f"{storage.location.strip('/')}/".lstrip("/")
    for file in storage.bucket.objects.filter(Prefix=f"{above}{folder}/"):
        yield file.last_modified.timestamp(), file.size, file.key.removeprefix(above)


def _files_of_folder(storage: Storage, folder: str) -> Iterator[tuple[float, int, str]]:
    """Return the files below a folder."""
    try:
        folders, files = storage.listdir(folder)
    except FileNotFoundError:
        return
    for name in files:
        path = f"{folder}/{name}"
        try:
            yield storage.get_modified_time(path).timestamp(), storage.size(path), path
        except FileNotFoundError:  # Another process has removed it.
            continue
    for name in folders:
        yield from _files_of_folder(storage, f"{folder}/{name}")

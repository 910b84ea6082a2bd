"""Files that were made and can be made again: pictures and packs, in the storage that all machines
share.

`settings.STORAGES["made"]` is a local folder by default, a shared one, or a bucket. What does not
answer has nothing: then a page says that the file is being made, and asks again. The site's own
styles and scripts are collected here, too.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from tempfile import NamedTemporaryFile, mkstemp
from typing import Any

import rjsmin
from django.core.cache import cache
from django.core.files import File
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, Storage, storages
from lightningcss import bundle_css, process_stylesheet
from whitenoise.storage import CompressedManifestStaticFilesStorage

log = logging.getLogger(__name__)

HOUR = 60 * 60


class WholeFiles(FileSystemStorage):
    """A folder in which a file appears whole or not at all, also to other machines that read it
    meanwhile.
    """

    def _save(self, name: str, content: File[bytes]) -> str:
        path = self.path(name)
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        handle, draft = mkstemp(dir=os.path.dirname(path), suffix=".draft")
        try:
            with open(handle, "wb") as whole:
                for part in content.chunks():
                    whole.write(part)
            os.replace(draft, path)
        except BaseException:
            os.unlink(draft)
            raise
        return name


class SmallStaticFiles(CompressedManifestStaticFilesStorage):
    """Styles and scripts, compressed, under names that are made of what they say, also where one
    script asks for another; without comments and needless spaces. A style that imports others is
    one file with them.
    """

    # Of our own scripts only: one of django-htmx speaks in a comment of a file that is nowhere.
    _imports = CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1]
    patterns = (*CompressedManifestStaticFilesStorage.patterns, ("js/*.js", _imports))

    def _save(self, name: str, content: File[bytes]) -> str:
        if name.endswith(".js") and not name.endswith(".min.js"):
            content = ContentFile(rjsmin.jsmin(b"".join(content.chunks()).decode()).encode())
        elif name.endswith(".css"):
            text = b"".join(content.chunks()).decode()
            short = self._with_imports(name, text) if "@import" in text else None
            content = ContentFile((short or process_stylesheet(text, minify=True)).encode())
        return str(super()._save(name, content))

    def _with_imports(self, name: str, text: str) -> str | None:
        """One style of it and of those it imports; None as long as one of them has not been
        collected.
        """
        folder = os.path.dirname(self.path(name))
        os.makedirs(folder, exist_ok=True)
        with NamedTemporaryFile("w", suffix=".css", dir=folder) as draft:
            draft.write(text)
            draft.flush()
            with suppress(OSError):
                return str(bundle_css(draft.name, minify=True))
        return None


def _storage() -> Storage:
    return storages["made"]


def no_answer() -> tuple[type[BaseException], ...]:
    """What a storage raises that cannot be reached, or refuses."""
    remote = sys.modules.get("botocore.exceptions")
    return (OSError, remote.BotoCoreError, remote.ClientError) if remote else (OSError,)


def there(name: str) -> bool:
    """Has it been made?"""
    try:
        return _storage().exists(name)
    except no_answer() as wrong:
        log.warning("The storage does not answer: %s", wrong)
        return False


def content(name: str) -> bytes | None:
    """Its bytes; None where there is none any more."""
    try:
        with _storage().open(name, "rb") as file:
            return bytes(file.read())
    except FileNotFoundError:
        return None
    except no_answer() as wrong:
        log.warning("The storage does not answer: %s", wrong)
        return None


def newest(folder: str, begin: str) -> str | None:
    """The newest file of a folder whose name begins so."""
    return next(
        (name for name in reversed(kept(folder)) if name.startswith(f"{folder}/{begin}")), None
    )


def kept(folder: str) -> list[str]:
    """What lies in a folder, the newest last; nothing where the storage does not answer."""
    try:
        return names(folder)
    except no_answer() as wrong:
        log.warning("The storage does not answer: %s", wrong)
        return []


def put(name: str, file: Any) -> None:
    """Keeps what can be read from `file`, from its beginning, under this name."""
    _storage().save(name, File(file))


def names(folder: str) -> list[str]:
    """What lies in a folder, the newest last. Raises what the storage raises where it does not
    answer.
    """
    return [name for _when, _size, name in sorted(_files(folder)) if not name.endswith(".draft")]


def remove(name: str) -> None:
    """Raises what the storage raises where it cannot be removed; nothing where it is gone
    already.
    """
    _storage().delete(name)


def prune(folder: str, most: int, since: float = 0) -> int:
    """Removes the oldest of what lies in the folder's folders until `most` bytes are left, and what
    is older than `since` (seconds since 1970); how many went. A bucket is looked through once an
    hour: each listing of it is paid for.
    """
    if not isinstance(_storage(), FileSystemStorage) and not cache.add(f"pruned:{folder}", 1, HOUR):
        return 0
    kept = gone = 0
    try:
        for when, size, name in sorted(_files(folder), reverse=True):
            kept += size
            if kept > most or when < since:
                remove(name)
                gone += 1
    except no_answer() as wrong:
        log.warning("The storage does not answer: %s", wrong)
    return gone


def _files(folder: str) -> Iterator[tuple[float, int, str]]:
    """When it was made, its bytes and its name, of each file below a folder."""
    storage: Any = _storage()
    if hasattr(
        storage, "bucket"
    ):  # one question for a thousand files, where the general way asks twice for each
        above = f"{storage.location.strip('/')}/".lstrip("/")
        for file in storage.bucket.objects.filter(Prefix=f"{above}{folder}/"):
            yield file.last_modified.timestamp(), file.size, file.key.removeprefix(above)
        return
    try:
        folders, here = storage.listdir(folder)
    except FileNotFoundError:
        return
    for name in here:
        path = f"{folder}/{name}"
        try:
            yield storage.get_modified_time(path).timestamp(), storage.size(path), path
        except FileNotFoundError:  # another process removed it
            continue
    for name in folders:
        yield from _files(f"{folder}/{name}")

"""Files that were made and can be made again: the oldest go where there are too many."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path


def prune(folder: Path, pattern: str, most: int, since: float = 0) -> int:
    """Removes the oldest of what matches until `most` bytes are left, and what is older than `since`; how many went."""
    kept = gone = 0
    for when, size, path in sorted(_files(folder, pattern), reverse=True):
        kept += size
        if kept > most or when < since:
            path.unlink(missing_ok=True)
            gone += 1
    return gone


def _files(folder: Path, pattern: str) -> Iterator[tuple[float, int, Path]]:
    for path in folder.glob(pattern):
        try:
            found = path.stat()
        except FileNotFoundError:  # another process removed it
            continue
        yield found.st_mtime, found.st_size, path

"""The digest of the code, templates and texts from which pages are made."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

from django.conf import settings

CODE = (
    ("people/templates", ".html"),
    ("templates", ".html"),
    ("web", ".py"),
    ("games", ""),
    ("locale", ".po"),
    ("static", ""),
    ("engine", ""),
    ("campaign", ".py"),
    ("battles", ".py"),
    ("nations", ".py"),
    ("notices", ".py"),
    ("people", ".py"),
    ("forum", ".py"),
    ("talk", ".py"),
    ("moderation", ".py"),
    ("config", ".py"),
    ("", "requirements.txt"),
)


@cache
def version() -> str:
    """Return the digest of the files with which this process has started."""
    return digest_of(Path(settings.BASE_DIR))


def digest_of(root: Path) -> str:
    """Return the digest of the files in `CODE` below a folder."""
    hasher = sha256()
    for folder, ending in CODE:
        paths = sorted((root / folder).rglob(f"*{ending}")) if folder else [root / ending]
        for path in paths:
            if path.is_file() and path.suffix not in (".pyc", ".woff2"):
                hasher.update(f"{path.relative_to(root)} {path.stat().st_size}\n".encode())
                hasher.update(path.read_bytes())
    return hasher.hexdigest()

"""Keys of this installation. `python -m config.keys` creates those that are missing.

Each is a file in var/keys that only its owner can read: outside git, outside the database, outside
every backup of it.
"""

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

NAMES = ("secret", "vault", "push")
"""Keys of sessions and forms, of sealed texts such as seeds, and of the site at push services."""


def folder(var: Path) -> Path:
    """Return the folder of the keys."""
    return var / "keys"


def read(var: Path, name: str) -> str:
    """Return the key; empty if it does not exist."""
    try:
        return (folder(var) / name).read_text("ascii").strip()
    except FileNotFoundError:
        return ""


KEPT = ("*.sqlite3*", "beat*", "keys", "broker", "locale", "metrics", "static")
"""Files in `var`, except pictures and packs, that may be older than the rule that only the owner
can read them.
"""


def close(var: Path) -> None:
    """Close `var` to all other users, and let this process create only private files.

    A shared folder such as /tmp stays as it is. So does a folder that contains the program itself.
    """
    os.umask(0o077)
    with suppress(OSError):
        if not var.exists():
            var.mkdir(mode=0o700, parents=True, exist_ok=True)
        known = var.stat()
        shared = known.st_mode & stat.S_ISVTX or Path(__file__).resolve().is_relative_to(
            var.resolve()
        )
        if known.st_uid == os.getuid() and known.st_mode & 0o077 and not shared:
            var.chmod(0o700)


def close_files(var: Path) -> None:
    """Close files that earlier commands have created in `var` to all other users.

    Folders get the mode 0700, files 0600.
    """
    for path in (kept for pattern in KEPT for kept in var.glob(pattern)):
        for below in (path, *(path.rglob("*") if path.is_dir() else ())):
            with suppress(OSError):
                if not below.is_symlink() and below.stat().st_mode & 0o077:
                    below.chmod(0o700 if below.is_dir() else 0o600)


def make(var: Path) -> None:
    """Create the missing keys and leave the others alone.

    Two processes that do this at the same time create one key.
    """
    close(var)
    folder(var).mkdir(mode=0o700, parents=True, exist_ok=True)
    for name in NAMES:
        path = folder(var) / name
        if path.exists():
            continue
        draft = path.with_name(f".{name}.{os.getpid()}")
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_hex(32))
        try:
            os.link(draft, path)  # unlike a rename it never replaces a key that is in use
        except FileExistsError:
            pass
        finally:
            draft.unlink()


if __name__ == "__main__":
    place = Path(os.environ.get("TABULA_VAR") or Path(__file__).resolve().parent.parent / "var")
    make(place)
    close_files(place)

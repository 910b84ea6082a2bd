"""Keys of this installation. `python -m config.keys` makes those that are missing.

Each is a file only its owner can read, under var/keys: outside git, outside the database, outside every backup of it.
"""

import os
import secrets
from pathlib import Path

NAMES = ("secret", "vault", "push")  # sessions and forms; seeds and links not yet due; who we are to push services


def folder(var: Path) -> Path:
    return var / "keys"


def read(var: Path, name: str) -> str:
    """The key, or an empty string where it was never made."""
    try:
        return (folder(var) / name).read_text("ascii").strip()
    except FileNotFoundError:
        return ""


def make(var: Path) -> None:
    """Makes what is missing and leaves the rest alone. Two at once make one key."""
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
    make(Path(os.environ.get("TABULA_VAR") or Path(__file__).resolve().parent.parent / "var"))

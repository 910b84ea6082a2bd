"""`manage.py restore FILE`: restore a backup into this installation, all of it or nothing."""

import getpass
import signal
import sys
import threading
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import Error

from campaign import keys
from campaign.hosting import backup
from campaign.models import VaultKey

KEY_ATTEMPTS = 3


@contextmanager
def _sigterm_as_interrupt() -> Iterator[None]:
    """Treat SIGTERM, which a supervisor sends, like Ctrl-C.

    So the command can say what has happened to the rows.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class Command(BaseCommand):
    help = (
        "Restore all rows of a backup into this database, or none. Stop web, worker and beat"
        " first. If this installation has another vault key, the command asks for the key of the"
        " backup, which must be signed with it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--replace",
            action="store_true",
            help=(
                "required if this database has rows: removes all users and campaigns with"
                " everything that belongs to them, including those that are not in FILE, and all"
                " access to the admin pages. Groups of the admin pages and files outside the"
                " database remain. In a terminal you are asked to confirm"
            ),
        )
        parser.add_argument(
            "--noinput",
            action="store_true",
            help=(
                "ask nothing: use this installation's vault key, and with --replace remove its"
                " rows at once"
            ),
        )
        parser.add_argument(
            "--unsigned",
            action="store_true",
            help=(
                "accept a backup from before backups were signed; it cannot be checked for"
                " alterations"
            ),
        )

    def handle(
        self, *args: Any, file: Path, replace: bool, noinput: bool, unsigned: bool, **options: Any
    ) -> None:
        ask = not noinput and sys.stdin.isatty()
        before = self._last_set()
        try:
            with _sigterm_as_interrupt():
                manifest = backup.read_manifest(file, unsigned=unsigned)
                key = self._agreed(file, manifest, ask, replace)
                backup.read(file, manifest, key=key, replace=replace)
        except backup.UnusableBackup as wrong:
            raise CommandError(f"{wrong} Nothing has been changed.") from None
        except (Error, OSError, ValueError) as wrong:
            raise CommandError(
                f"The rows could not be written: {wrong}. Nothing has been changed."
            ) from None
        except (KeyboardInterrupt, EOFError):
            # Once all rows are stored, the new key must still be put in its place.
            if self._last_set() == before:
                raise CommandError(
                    "The restore was interrupted. Nothing has been changed."
                ) from None
        if key != settings.VAULT_KEY:
            kept = keys.change_vault(key)
            self.stdout.write(
                (
                    f"The vault key has been installed; the previous key is in {kept.name} in the"
                    " same folder. Start Tabula again."
                )
                if kept
                else "Set VAULT_KEY to that key before Tabula starts again."
            )
        rows = sum(table["rows"] for table in manifest["tables"].values())
        self.stdout.write(
            f"Restored {rows} rows from the backup of {manifest['made_at']}. All users have to"
            " sign in again."
        )
        if manifest["format"] == backup.UNSIGNED:
            self.stdout.write(
                "The backup was not signed, so its content could not be checked. Make a new backup."
            )

    def _last_set(self) -> datetime | None:
        """Return when the vault key of the database was last stored.

        A restore writes it together with the rows, all or nothing.
        """
        return VaultKey.objects.filter(pk=1).values_list("set_at", flat=True).first()

    def _agreed(self, file: Path, manifest: dict[str, Any], ask: bool, replace: bool) -> str:
        """Return the key, after the user has agreed that the rows here are removed."""
        here = backup.occupied()
        if here and not replace:
            raise CommandError(
                "This database contains rows. Restore into an empty database, or use --replace to"
                " remove all of them. Nothing has been changed."
            )
        if here and ask:
            self.stdout.write(
                f"{sum(here.values())} rows of this installation will be removed and replaced by"
                f" those of {file}."
            )
            if input("Type replace to continue: ").strip() != "replace":
                raise CommandError("Nothing has been changed.")
        return self._key(manifest, ask)

    def _key(self, manifest: dict[str, Any], ask: bool) -> str:
        """Return this installation's key if it fits, otherwise the one that the user types."""
        if keys.fingerprint(settings.VAULT_KEY) == manifest["vault"]:
            return str(settings.VAULT_KEY)
        for _n in range(KEY_ATTEMPTS if ask else 0):
            typed = getpass.getpass("Vault key of the installation that made the backup: ").strip()
            if keys.fingerprint(typed) == manifest["vault"]:
                return typed
            self.stderr.write("This is not the key of the backup.")
        raise CommandError(
            "The secrets of the backup are encrypted with another vault key. Set VAULT_KEY to"
            " that key, or write it to var/keys/vault, and restore again. Nothing has been"
            " changed."
        )

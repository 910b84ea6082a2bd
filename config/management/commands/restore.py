"""`manage.py restore FILE`: a backup into this installation, all of it or nothing."""

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

ASKED = 3


@contextmanager
def _ended_politely() -> Iterator[None]:
    """SIGTERM, as a supervisor sends it, interrupts like Ctrl-C, so that it is told what became of
    the rows.
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
        "Put the rows of a backup into this database, all of them or none. Stop web, worker and"
        " beat first. Asks for the vault key if this installation has another. The backup must be"
        " signed with that key."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--replace",
            action="store_true",
            help=(
                "needed where this database has rows: all people, campaigns and what belongs to"
                " them are removed, also those that are not in FILE, and who may use the admin"
                " pages. Groups of the admin pages and files outside the database stay. In a"
                " terminal it asks once more"
            ),
        )
        parser.add_argument(
            "--noinput",
            action="store_true",
            help=(
                "ask nothing: the vault key is this installation's, and with --replace the rows"
                " here go at once. --replace must still be said"
            ),
        )
        parser.add_argument(
            "--unsigned",
            action="store_true",
            help=(
                "take a backup from before backups were signed: nobody can tell whether it was"
                " altered"
            ),
        )

    def handle(
        self, *args: Any, file: Path, replace: bool, noinput: bool, unsigned: bool, **options: Any
    ) -> None:
        ask = not noinput and sys.stdin.isatty()
        before = self._last_set()
        try:
            with _ended_politely():
                manifest = backup.read_manifest(file, unsigned=unsigned)
                key = self._agreed(file, manifest, ask, replace)
                backup.read(file, manifest, key=key, replace=replace)
        except backup.Unfit as wrong:
            raise CommandError(f"{wrong} Nothing has been changed.") from None
        except (Error, OSError, ValueError) as wrong:
            raise CommandError(
                f"The rows could not be written: {wrong}. Nothing has been changed."
            ) from None
        except (KeyboardInterrupt, EOFError):
            # Once all rows are kept there is a key to be put in its place: that goes on.
            if self._last_set() == before:
                raise CommandError("It was cut off. Nothing has been changed.") from None
        if key != settings.VAULT_KEY:
            kept = keys.change_vault(key)
            self.stdout.write(
                f"The vault key is in its place; the one before is {kept.name} beside it. Start"
                " Tabula again."
                if kept
                else "Set VAULT_KEY to that key before Tabula starts again."
            )
        rows = sum(table["rows"] for table in manifest["tables"].values())
        self.stdout.write(
            f"{rows} rows of {manifest['made_at']} restored, each table as it was. Everybody signs"
            " in again."
        )
        if manifest["format"] == backup.UNSIGNED:
            self.stdout.write(
                "It was not signed: what it holds is what its file held. Make a new backup."
            )

    def _last_set(self) -> datetime | None:
        """When the database last learned its vault key: a restore writes that with its rows, all or
        nothing.
        """
        return VaultKey.objects.filter(pk=1).values_list("set_at", flat=True).first()

    def _agreed(self, file: Path, manifest: dict[str, Any], ask: bool, replace: bool) -> str:
        """The key, once whoever sits there has agreed that the rows here go."""
        here = backup.occupied()
        if here and not replace:
            raise CommandError(
                "There are rows in this database. Restore into an empty one, or say --replace: they"
                " go, all. Nothing has been changed."
            )
        if here and ask:
            self.stdout.write(
                f"{sum(here.values())} rows of this installation will be removed, for those of"
                f" {file}."
            )
            if input("Type replace to go on: ").strip() != "replace":
                raise CommandError("Nothing has been changed.")
        return self._key(manifest, ask)

    def _key(self, manifest: dict[str, Any], ask: bool) -> str:
        """This installation's if it fits, else the one that is typed."""
        if keys.fingerprint(settings.VAULT_KEY) == manifest["vault"]:
            return str(settings.VAULT_KEY)
        for _n in range(ASKED if ask else 0):
            typed = getpass.getpass("Vault key of the installation that made the backup: ").strip()
            if keys.fingerprint(typed) == manifest["vault"]:
                return typed
            self.stderr.write("This is not its key.")
        raise CommandError(
            "The backup's secrets are sealed with another vault key. Set VAULT_KEY to that key, or"
            " put it into var/keys/vault, and restore again. Nothing has been changed."
        )

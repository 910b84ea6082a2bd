"""`manage.py restore FILE`: a backup into this installation, all of it or nothing."""

import getpass
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from campaign import backup, keys

ASKED = 3


class Command(BaseCommand):
    help = "Put the rows of a backup into this database. Asks for the vault key if this installation has another."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--replace", action="store_true", help="remove every row that is here first")
        parser.add_argument("--noinput", action="store_true", help="ask nothing: VAULT_KEY is the key, --replace is meant")

    def handle(self, *args: Any, file: Path, replace: bool, noinput: bool, **options: Any) -> None:
        ask = not noinput and sys.stdin.isatty()
        try:
            manifest = backup.look(file)
            here = backup.occupied()
            if here and not replace:
                raise CommandError("There are rows in this database. Restore into an empty one, or say --replace: they go, all.")
            if here and ask:
                self.stdout.write(f"{sum(here.values())} rows of this installation will be removed, for those of {file}.")
                if input("Type replace to go on: ").strip() != "replace":
                    raise CommandError("Nothing has been changed.")
            key = self._key(manifest, ask)
            backup.read(file, manifest, key=key, replace=replace)
        except backup.Unfit as wrong:
            raise CommandError(str(wrong)) from None
        if key != settings.VAULT_KEY:
            kept = keys.change_vault(key)
            self.stdout.write(
                f"The vault key is in its place; the one before is {kept.name} beside it. Start Tabula anew."
                if kept
                else "Set VAULT_KEY to that key before Tabula starts again."
            )
        rows = sum(table["rows"] for table in manifest["tables"].values())
        self.stdout.write(f"{rows} rows of {manifest['made_at']} restored, each table as it was. Everybody signs in again.")

    def _key(self, manifest: dict[str, Any], ask: bool) -> str:
        """This installation's if it fits, else the one that is typed."""
        if backup.fingerprint(settings.VAULT_KEY) == manifest["vault"]:
            return str(settings.VAULT_KEY)
        for _n in range(ASKED if ask else 0):
            typed = getpass.getpass("Vault key of the installation that made the backup: ").strip()
            if backup.fingerprint(typed) == manifest["vault"]:
                return typed
            self.stderr.write("This is not its key.")
        raise CommandError(
            "The backup's secrets are sealed with another vault key. Set VAULT_KEY to that key, or put it into var/keys/vault, "
            "and restore again. Nothing has been changed."
        )

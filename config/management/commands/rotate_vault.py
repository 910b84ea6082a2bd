"""`manage.py rotate_vault`: encrypt every secret of this installation with a new vault key."""

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from campaign import keys
from campaign.hosting import host_acts
from campaign.models import VaultKey


class Command(BaseCommand):
    help = (
        "Encrypt every secret of this installation with a new vault key, in one transaction. Stop"
        " web, worker and beat first, and start them again afterwards. If the command is"
        " interrupted, run it again: it starts over, or installs the new key."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--to", type=Path, metavar="FILE", help="the new key (default: a generated key)"
        )

    def handle(self, *args: Any, to: Path | None, **options: Any) -> None:
        path = keys.next_key_file()
        try:
            new = self._new(path, to)
            if not self._done(new):
                if why := keys.refusal():
                    raise CommandError(f"Nothing has been changed. {why}")
                keys.write_key(path, new)
                host_acts.note_rekeying()
                count = keys.rotate(new, self._report_step)
                self.stdout.write(f"{count} secrets are encrypted with the new key.")
        except keys.RotationFailed as wrong:
            raise CommandError(
                f"{wrong} Nothing has been changed: all secrets are still encrypted with the"
                " current key."
            ) from None
        except KeyboardInterrupt:
            raise CommandError(
                "The command was interrupted. All secrets are encrypted either with the current"
                f" key or with the new key, which is in {path}. Run the command again before you"
                " start Tabula."
            ) from None
        except OSError as wrong:
            raise CommandError(
                f"The new key could not be saved: {wrong}. Nothing has been changed."
            ) from None
        self._put(path, new)

    def _new(self, path: Path, to: Path | None) -> str:
        """Return the key of an interrupted rotation, or the given one, or a new one."""
        given = to.read_text("utf-8").strip() if to else ""
        if to and len(given) < 32:
            raise CommandError(
                f"The key in {to} is shorter than 32 characters. Nothing has been changed."
            )
        kept = path.read_text("utf-8").strip() if path.exists() else ""
        if kept and (not given or self._done(kept)):
            return kept
        new = given or keys.new_secret()
        if new == settings.VAULT_KEY:
            raise CommandError("This is the current key. Nothing has been changed.")
        return new

    def _done(self, new: str) -> bool:
        """Return whether all secrets are already encrypted with the new key."""
        return VaultKey.objects.filter(pk=1, fingerprint=keys.fingerprint(new)).exists()

    def _put(self, path: Path, new: str) -> None:
        if os.environ.get("VAULT_KEY"):
            if new == settings.VAULT_KEY:
                path.unlink(missing_ok=True)
                self.stdout.write("VAULT_KEY is already the new key. Start Tabula.")
                return
            self.stdout.write(
                f"The new key is in {path}. Set VAULT_KEY to it on every machine, start Tabula, and"
                " then remove the file."
            )
            return
        try:
            kept = keys.change_vault(new)
        except OSError as wrong:
            raise CommandError(
                f"The secrets are encrypted with the new key, which is in {path}, but the key"
                f" could not be installed: {wrong}. Run this command again."
            ) from None
        path.unlink(missing_ok=True)
        name = kept.name if kept else ""
        self.stdout.write(
            f"The new key has been installed. The old key is in {name} in the same folder; earlier"
            " backups need it. Start Tabula."
        )

    def _report_step(self, table: str, done: int, of: int) -> None:
        self.stdout.write(f"{table}: {done} of {of}")
        self.stdout.flush()

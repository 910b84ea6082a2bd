"""`manage.py backup FILE`: write every row of this installation to a file, without the keys."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from campaign import keys
from campaign.hosting import backup


class Command(BaseCommand):
    help = (
        "Write every row of the database to FILE, and sign the file with the vault key. The site"
        " can run meanwhile. The file does not contain the keys: back them up separately."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        if why := keys.refusal():
            raise CommandError(f"No backup has been written. {why}")
        try:
            manifest = backup.write(file)
        except OSError as wrong:
            raise CommandError(
                f"The backup could not be written: {wrong}. An existing file with this name has not"
                " been changed."
            ) from None
        rows = sum(table["rows"] for table in manifest["tables"].values())
        self.stdout.write(
            f"{file}: {rows} rows of {len(manifest['tables'])} tables, {file.stat().st_size} bytes."
        )
        self.stdout.write(
            "To restore this backup you need the vault key of this installation (the file"
            " var/keys/vault, or the setting VAULT_KEY). Keep a copy of the key in another place."
        )

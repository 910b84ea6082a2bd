"""`manage.py backup FILE`: every row of this installation in one file, without the keys."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from campaign import keys
from campaign.hosting import backup


class Command(BaseCommand):
    help = (
        "Write every row of this installation into FILE, while it runs, signed with the vault key."
        " The keys are not in it: keep them apart."
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
                f"The backup could not be written: {wrong}. What was there before is still there."
            ) from None
        rows = sum(table["rows"] for table in manifest["tables"].values())
        self.stdout.write(
            f"{file}: {rows} rows of {len(manifest['tables'])} tables, {file.stat().st_size} bytes."
        )
        self.stdout.write(
            "It can be restored only with this installation's vault key (var/keys/vault, or"
            " VAULT_KEY): keep that elsewhere."
        )

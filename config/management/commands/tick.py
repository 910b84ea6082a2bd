"""`manage.py tick`: do the work that is due, for cron."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from campaign import keys, pulse


class Command(BaseCommand):
    help = (
        "Do all work that is due: clocks, e-mails, posts. The exit status is 1 if something"
        " failed; the next run tries it again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--limit", type=int, help="the largest number of tasks of each kind")

    def handle(self, *args: Any, **options: Any) -> None:
        if why := keys.refusal():
            raise CommandError(f"Nothing has been done. {why}")
        done = pulse.tick(limit=options["limit"])
        for kind, count in done.items():
            self.stdout.write(f"{kind}: {'failed' if count is None else count}")
        if None in done.values():
            raise SystemExit(1)

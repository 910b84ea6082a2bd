"""`manage.py erase_evidence PUBLIC_ID ENTRY REASON`: erase a picture or link.

Its hash and the reason stay.
"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from battles import services
from battles.models import Evidence
from campaign.errors import TableError


class Command(BaseCommand):
    help = (
        "Erase a picture or link that was shown as evidence. Its hash and the reason, which"
        " everyone can read, remain."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", help="the 8 characters of its address")
        parser.add_argument("entry", type=int, help="the number of the entry that shows it")
        parser.add_argument("reason")

    def handle(self, *args: Any, **options: Any) -> None:
        evidence = Evidence.objects.filter(
            campaign__public_id=options["campaign"], entry__number=options["entry"]
        ).first()
        if evidence is None:
            raise CommandError("This entry does not show any evidence.")
        if evidence.erased_at:
            raise CommandError("This evidence has already been erased.")
        try:
            rows = services.erase(evidence, options["reason"])
        except TableError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Erased {evidence.digest}, shown {rows} time{'s' if rows > 1 else ''}.")

"""`manage.py invite`: a link by which people make an account while others may not."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse
from django.utils import timezone

from people import services


class Command(BaseCommand):
    help = (
        "Make a link to sign-up, for a site that people join by invitation"
        " (TABULA_SIGN_UP=invited). It is shown once."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--uses", type=int, default=1, help="how many accounts may be made with it"
        )
        parser.add_argument(
            "--days", type=int, default=30, choices=services.LIVES, help="how long it opens sign-up"
        )
        parser.add_argument("--note", default="", help="whom it is for, for yourself")

    def handle(self, *args: Any, **options: Any) -> None:
        given = {name: options[name] for name in ("uses", "days", "note")}
        try:
            _row, token = services.make_invitation(None, timezone.now(), **given)
        except services.CannotInvite as error:
            raise CommandError(str(error)) from error
        self.stdout.write(settings.SITE_URL.rstrip("/") + reverse("invited", args=[token]))
        if services.way() != services.INVITED:
            self.stderr.write(
                f"TABULA_SIGN_UP is {services.way()}: the link changes nothing until it is invited."
            )

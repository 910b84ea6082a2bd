"""`manage.py invite`: create a link to sign-up for a site that people join by invitation."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse
from django.utils import timezone

from people import services


class Command(BaseCommand):
    help = (
        "Create a sign-up link for a site that people join by invitation"
        " (TABULA_SIGN_UP=invited). It is shown only once."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--uses", type=int, default=1, help="how many accounts can be created with it"
        )
        parser.add_argument(
            "--days", type=int, default=30, choices=services.LIVES, help="how many days it is valid"
        )
        parser.add_argument("--note", default="", help="a note for yourself about the recipient")

    def handle(self, *args: Any, **options: Any) -> None:
        given = {name: options[name] for name in ("uses", "days", "note")}
        try:
            _row, token = services.make_invitation(None, timezone.now(), **given)
        except services.CannotInvite as error:
            raise CommandError(str(error)) from error
        self.stdout.write(settings.SITE_URL.rstrip("/") + reverse("invited", args=[token]))
        if services.sign_up_mode() != services.INVITED:
            self.stderr.write(
                f"TABULA_SIGN_UP is {services.sign_up_mode()}: the link changes nothing until you"
                " set it to invited."
            )

"""`manage.py erase USER`: erase a user, who is "a former player" everywhere from then on."""

from argparse import ArgumentParser
from typing import Any

from campaign.hosting.host_acts import HostCommand, erase_person, user_of


class Command(HostCommand):
    help = (
        "Erase a user: their name, addresses, sessions, second factors, plans, notes, channels"
        " and absences are deleted, and their seats become free. What they wrote in campaigns"
        ' remains, under "a former player". This cannot be undone.'
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("user", help="name or e-mail address")
        parser.add_argument(
            "--successor",
            default="",
            metavar="USER",
            help="the new game master of their campaigns that continue",
        )
        super().add_arguments(parser)

    def do(self, options: dict[str, Any]) -> list[str]:
        user = user_of(options["user"])
        name, number = user.username, user.pk
        lines = erase_person(user, user_of(options["successor"]) if options["successor"] else None)
        return [
            *lines,
            (
                f"{name} has been erased. In the logs they have the number {number} and are called"
                " a former player."
            ),
        ]

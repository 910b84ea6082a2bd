"""`manage.py erase USER`: a person leaves for good, and is "a former player" everywhere."""

from argparse import ArgumentParser
from typing import Any

from campaign.hosting.host_acts import HostCommand, erase_person, user_of


class Command(HostCommand):
    help = (
        "Erase a person: their name, addresses, sessions, second factors, plans, notes, channels"
        " and absences go, their seats are free. What they said at a table stands as a former"
        " player's. It cannot be taken back."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("user", help="by name or e-mail address")
        parser.add_argument(
            "--successor",
            default="",
            metavar="USER",
            help="game master of their campaigns that go on",
        )
        super().add_arguments(parser)

    def do(self, options: dict[str, Any]) -> list[str]:
        user = user_of(options["user"])
        name, number = user.username, user.pk
        lines = erase_person(user, user_of(options["successor"]) if options["successor"] else None)
        return [
            *lines,
            (
                f"{name} is erased. The logs know them as number {number}, and call them a former"
                " player."
            ),
        ]

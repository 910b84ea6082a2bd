"""`manage.py close_account USER --reason "…"`: close or reopen a user's account."""

from argparse import ArgumentParser
from typing import Any

from campaign.hosting.host_acts import HostCommand, user_of
from moderation import services


class Command(HostCommand):
    help = (
        "Close an account at once: its sessions, tokens, channels and devices end, its seats"
        " become free, and no one can sign up with its address again. The owner receives the"
        " reason by e-mail. With --reopen they can sign in again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("user", help="name or e-mail address")
        parser.add_argument("--reopen", action="store_true", help="let the user sign in again")
        super().add_arguments(parser)

    def do(self, options: dict[str, Any]) -> list[str]:
        user = user_of(options["user"])
        if options["reopen"]:
            services.reopen_account(user, options["reason"])
            return [
                (
                    f"{user.username} can sign in again. The seats that they have lost are not"
                    " restored."
                )
            ]
        lines = services.close_account(None, user, options["reason"])
        return [*lines, f"The account of {user.username} has been closed."]

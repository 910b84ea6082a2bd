"""`manage.py close_account USER --reason "…"`: nobody signs in as them any more."""

from argparse import ArgumentParser
from typing import Any

from campaign.hosting.host_acts import HostCommand, user_of
from moderation import services


class Command(HostCommand):
    help = (
        "Close an account at once: sessions, tokens, channels and devices end, places fall free,"
        " nobody signs up with its address again; its owner reads the reason by e-mail. With"
        " --reopen they may sign in again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("user", help="by name or e-mail address")
        parser.add_argument("--reopen", action="store_true", help="they may sign in again")
        super().add_arguments(parser)

    def do(self, options: dict[str, Any]) -> list[str]:
        user = user_of(options["user"])
        if options["reopen"]:
            services.reopen_account(user, options["reason"])
            return [f"{user.username} may sign in again. Places that they lost stay lost."]
        lines = services.close_account(None, user, options["reason"])
        return [*lines, f"The account of {user.username} is closed."]

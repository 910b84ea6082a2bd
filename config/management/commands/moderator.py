"""`manage.py moderator USER`: make a user a moderator of this site, or no longer one."""

from argparse import ArgumentParser
from typing import Any

from django.utils import timezone

from campaign.errors import Refused
from campaign.hosting.host_acts import HostCommand, user_of
from moderation.services import moderators
from people import services


class Command(HostCommand):
    help = (
        "Make a user a moderator: they read reports, remove texts, warn users, close accounts,"
        " and invite people to the site. --take-away ends the role. Superusers are moderators,"
        " too."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("user", help="name or e-mail address")
        parser.add_argument("--take-away", action="store_true", help="end the role of a moderator")
        super().add_arguments(parser)

    def do(self, options: dict[str, Any]) -> list[str]:
        user, on = user_of(options["user"]), not options["take_away"]
        if on and (not user.is_active or user.guest or user.demo):
            raise Refused(
                "no-account", f"{user.username} has no account of their own, or cannot sign in."
            )
        user.moderator = on
        user.save(update_fields=["moderator"])
        services.record_host_act(
            user, "moderator" if on else "no-moderator", options["reason"], timezone.now()
        )
        names = ", ".join(moderator.username for moderator in moderators()) or "none"
        return [
            f"{user.username} is {'now a moderator' if on else 'no longer a moderator'}.",
            f"Moderators now: {names}.",
        ]

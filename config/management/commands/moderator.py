"""`manage.py moderator USER`: somebody looks after this site for its host."""

from argparse import ArgumentParser
from typing import Any

from django.utils import timezone

from campaign.errors import Refused
from campaign.hosting.host_acts import HostCommand, user_of
from moderation.services import moderators
from people import services


class Command(HostCommand):
    help = (
        "Make a person a moderator: they read what is reported, remove texts, warn, close accounts,"
        " and invite people to the site. With --take-away they are none any more. Superusers are"
        " moderators, too."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("user", help="by name or e-mail address")
        parser.add_argument(
            "--take-away", action="store_true", help="they are no moderator any more"
        )
        super().add_arguments(parser)

    def do(self, options: dict[str, Any]) -> list[str]:
        user, on = user_of(options["user"]), not options["take_away"]
        if on and (not user.is_active or user.guest or user.demo):
            raise Refused(
                "no-account", f"{user.username} has no account of their own, or cannot sign in."
            )
        user.moderator = on
        user.save(update_fields=["moderator"])
        services.note(
            user, "moderator" if on else "no-moderator", options["reason"], timezone.now()
        )
        names = ", ".join(one.username for one in moderators()) or "nobody"
        return [
            f"{user.username} is {'a moderator' if on else 'no moderator any more'}.",
            f"Moderators now: {names}.",
        ]

"""`manage.py takeover CAMPAIGN USER`: another game master where this one is seen no more."""

from argparse import ArgumentParser
from typing import Any

from campaign.hosting import host_acts
from campaign.hosting.host_acts import HostCommand, campaign_of, user_of


class Command(HostCommand):
    help = (
        "Make somebody game master in the place of who has not been seen for 14 days, when a"
        " majority of seats asks. --force asks neither, and wants a --reason."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="by its public id or address")
        parser.add_argument("user", help="by name or e-mail address")
        parser.add_argument(
            "--force",
            action="store_true",
            help="whoever asks, even if the game master was seen lately; give a --reason",
        )
        super().add_arguments(parser)

    def do(self, options: dict[str, Any]) -> list[str]:
        campaign, user = campaign_of(options["campaign"]), user_of(options["user"])
        host_acts.name_master(campaign, user, force=options["force"], reason=options["reason"])
        return [
            (
                f"{user.username} is game master of {campaign.name} ({campaign.public_id}); it"
                " stands in its log."
            )
        ]

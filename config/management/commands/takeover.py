"""`manage.py takeover CAMPAIGN USER`: replace a game master who no longer visits the site."""

from argparse import ArgumentParser
from typing import Any

from campaign.hosting import host_acts
from campaign.hosting.host_acts import HostCommand, campaign_of, user_of


class Command(HostCommand):
    help = (
        "Replace a game master who has not visited the site for 14 days, if a majority of the"
        " seats asks for it. --force ignores both conditions and needs a --reason."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="public id or address")
        parser.add_argument("user", help="name or e-mail address")
        parser.add_argument(
            "--force",
            action="store_true",
            help="replace the game master without these conditions; needs a --reason",
        )
        super().add_arguments(parser)

    def do(self, options: dict[str, Any]) -> list[str]:
        campaign, user = campaign_of(options["campaign"]), user_of(options["user"])
        host_acts.name_master(campaign, user, force=options["force"], reason=options["reason"])
        return [
            (
                f"{user.username} is now the game master of {campaign.name}"
                f" ({campaign.public_id}). The log of the campaign records this."
            )
        ]

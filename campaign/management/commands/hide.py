"""`manage.py hide CAMPAIGN`."""

from argparse import ArgumentParser
from typing import Any

from campaign.management.hosting import HostCommand, state
from campaign.management.targets import campaign_of


class Command(HostCommand):
    help = "Take a campaign out of all lists; who has its address reads it as before."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="by its public id or address")
        super().add_arguments(parser)

    def do(self, options: dict[str, Any]) -> list[str]:
        return state(campaign_of(options["campaign"]), "hidden", options["reason"])

"""`manage.py unhide CAMPAIGN|SCENARIO`: put a campaign or a scenario back into the lists."""

from argparse import ArgumentParser
from typing import Any

from campaign import scenarios
from campaign.hosting.host_acts import HostCommand, campaign_of, scenario_of, state


class Command(HostCommand):
    help = "Put a hidden campaign back into the lists."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "campaign", help="the campaign's public id or address, or a scenario's address"
        )
        super().add_arguments(parser)

    def do(self, options: dict[str, Any]) -> list[str]:
        if (key := scenario_of(options["campaign"])) is not None:
            row = scenarios.set_hidden(key, False, options["reason"])
            return [
                (
                    f"{row.name} ({row.public_id}) is shown again, to those with whom its owner"
                    " shares it."
                )
            ]
        return state(campaign_of(options["campaign"]), "shown", options["reason"])

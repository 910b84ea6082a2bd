"""`manage.py hide CAMPAIGN|SCENARIO`: remove a campaign or a scenario from all lists."""

from argparse import ArgumentParser
from typing import Any

from campaign import scenarios
from campaign.hosting.host_acts import HostCommand, campaign_of, scenario_of, state


class Command(HostCommand):
    help = "Remove a campaign from all lists. People who have its address can still read it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "campaign", help="the campaign's public id or address, or a scenario's address"
        )
        super().add_arguments(parser)

    def do(self, options: dict[str, Any]) -> list[str]:
        if (key := scenario_of(options["campaign"])) is not None:
            row = scenarios.set_hidden(key, True, options["reason"])
            return [f"{row.name} ({row.public_id}) is hidden: only its owner can see it."]
        return state(campaign_of(options["campaign"]), "hidden", options["reason"])

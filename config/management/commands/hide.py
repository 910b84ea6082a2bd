"""`manage.py hide CAMPAIGN|SCENARIO`."""

from argparse import ArgumentParser
from typing import Any

from campaign import scenarios
from campaign.hosting.host_acts import HostCommand, campaign_of, scenario_of, state


class Command(HostCommand):
    help = "Take a campaign out of all lists; who has its address reads it as before."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "campaign", help="by its public id or address; a scenario by its address"
        )
        super().add_arguments(parser)

    def do(self, options: dict[str, Any]) -> list[str]:
        if (key := scenario_of(options["campaign"])) is not None:
            row = scenarios.set_hidden(key, True, options["reason"])
            return [f"{row.name} ({row.public_id}) is hidden: its owner alone sees it."]
        return state(campaign_of(options["campaign"]), "hidden", options["reason"])

"""`manage.py audit`: replays every stored campaign and compares every row."""

from argparse import ArgumentParser
from typing import Any

from cryptography.fernet import InvalidToken
from django.core.management.base import BaseCommand
from django.db import transaction

from campaign.audit import differences
from campaign.models import Campaign
from campaign.services.rebuilding import rebuild
from games.registry import TITLES


class Command(BaseCommand):
    help = "Replay every stored campaign and compare every row. Exit status 1 with the first difference."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", nargs="*", help="public ids; all campaigns by default")
        parser.add_argument("--rebuild", action="store_true", help="write readings and copies anew from the log first")
        parser.add_argument("--all", action="store_true", help="tell every difference, not only the first")

    def handle(self, *args: Any, **options: Any) -> None:
        found = Campaign.objects.order_by("pk")
        if options["campaign"]:
            found = found.filter(public_id__in=options["campaign"])
        wrong = 0
        for pk in found.values_list("pk", flat=True):
            # One transaction each: no move comes between two reads of one campaign.
            with transaction.atomic():
                campaign = Campaign.objects.select_for_update().get(pk=pk)
                if options["rebuild"] and campaign.title in TITLES:
                    campaign = rebuild(campaign)
                told = self._told(campaign, options["all"])
                entries = campaign.entries.count()
            if told:
                wrong += 1
            for text in told or [f"{entries} entries, all as replayed"]:
                self.stdout.write(f"{campaign.public_id} {campaign.title}: {text}")
            if wrong and not options["all"]:
                break
        if wrong:
            raise SystemExit(1)

    def _told(self, campaign: Campaign, every: bool) -> list[str]:
        if campaign.title not in TITLES:
            return [f"the game {campaign.title} is not played here"]
        told: list[str] = []
        try:
            for text in differences(campaign):
                told.append(text)
                if not every:
                    break
        except InvalidToken:
            told.append("its secrets are sealed with another installation's key")
        return told

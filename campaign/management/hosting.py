"""What the host's commands have in common: a dry run, a reason, a person's or a campaign's state."""

from __future__ import annotations

from abc import ABC, abstractmethod
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from campaign.errors import TableError
from campaign.management.targets import either
from campaign.models import Campaign, Membership
from campaign.services import hosting
from engine.errors import IllegalMove
from people import hosting as people


class HostCommand(BaseCommand, ABC):
    """A command that does something for good; with --dry-run it does it, tells it, and takes it all back."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--reason", default="", help="why; it is told with the act")
        parser.add_argument("--dry-run", action="store_true", help="tell what it would do, and do nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with transaction.atomic():
                told = self.do(options)
                if options["dry_run"]:
                    transaction.set_rollback(True)
        except (TableError, IllegalMove, people.NotSo) as refused:
            raise CommandError(f"Refused: {refused}") from refused
        if options["dry_run"]:
            self.stdout.write("Nothing is done; this is what would be:")
        for line in told:
            self.stdout.write(line)

    @abstractmethod
    def do(self, options: dict[str, Any]) -> list[str]:
        """Does it, and tells it line by line. What it raises takes all back."""


class StateCommand(HostCommand):
    """Suspends, or takes that back: a campaign or a person."""

    how: str

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("whom", help="a campaign by its public id or address, a person by name or e-mail address")
        parser.add_argument("--campaign", action="store_true", help="it is a campaign")
        parser.add_argument("--user", action="store_true", help="it is a person")
        super().add_arguments(parser)

    def do(self, options: dict[str, Any]) -> list[str]:
        found = either(options["whom"], options)
        if isinstance(found, Campaign):
            return state(found, self.how, options["reason"])
        act = people.suspend if self.how == "suspended" else people.unsuspend
        act(found, options["reason"], timezone.now())
        return [f"{found.username} is {self.how}.", *_holds(found)]


def state(campaign: Campaign, how: str, reason: str) -> list[str]:
    hosting.set_state(campaign, how, reason)
    return [f"{campaign.name} ({campaign.public_id}) is {how}; it stands in its log."]


def _holds(user: Any) -> list[str]:
    """The places for which somebody else has to see now."""
    held = Membership.objects.filter(user=user, until=None).select_related("campaign").order_by("campaign", "pk")
    return [f"He is {one.seat or one.get_role_display()} in {one.campaign.name} ({one.campaign.public_id})." for one in held]

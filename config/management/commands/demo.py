"""`manage.py demo`: load the demonstration.

It is a campaign in the middle of turn 2 with its game master and six players.
"""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.utils import timezone

from campaign import services
from campaign.log import selectors
from campaign.models import Campaign
from games.registry import DEMONSTRATIONS
from people.models import User


class Command(BaseCommand):
    help = "Load the demonstration campaign with its users."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--if-empty", action="store_true", help="only if there is no campaign yet"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if Campaign.objects.exists():
            if options["if_empty"]:
                return
            raise CommandError(
                "This site already has campaigns. The demonstration can only be loaded into an"
                " empty site."
            )
        for story in DEMONSTRATIONS:
            campaign = load(json.loads(story.read_text(encoding="utf-8")))
            self.stdout.write(f"Loaded the demonstration: {campaign.name}.")


@transaction.atomic
def load(story: dict[str, Any]) -> Campaign:
    """Found a campaign, seat its players and play the story through the table's entry point.

    The last move of the story is made an hour ago. Some players have plans.
    """
    clock = timezone.now() - timedelta(minutes=sum(line[0] for line in story["moves"]) + 60)
    people = {seat: _person(name, story["time_zone"]) for seat, name in story["people"].items()}
    master = people["gm"]
    campaign = services.found_campaign(
        master,
        story["title"],
        story["name"],
        story["scenario"],
        {},
        story["time_zone"],
        "listed",
        seed=story["seed"],
        now=clock,
    )
    for seat, user in people.items():
        if seat != "gm":
            _, token = services.invite(campaign, master, seat, now=clock)
            services.take_seat(user, token, now=clock)
    for minutes, seat, move in (line[:3] for line in story["moves"]):
        clock += timedelta(minutes=minutes)
        user = people[seat]
        services.play(
            campaign, user, {"by": seat, **move}, selectors.seen(campaign, user), now=clock
        )
    campaign.refresh_from_db()
    for seat, moves in story.get("plans", {}).items():
        for move in moves:
            services.plan_move(campaign, people[seat], seat, {"by": seat, **move}, now=clock)
    return campaign


def _person(name: str, zone: str) -> User:
    """Return a new demonstration user, who has no password.

    A number is added to a name that is already taken.
    """
    while User.objects.filter(username__iexact=name).exists():
        name += " 2"
    user = User(username=name, time_zone=zone, fog2_name=f"{name}_FoG", demo=True, rated=True)
    user.set_unusable_password()
    user.full_clean(exclude=["password"])
    user.save()
    return user

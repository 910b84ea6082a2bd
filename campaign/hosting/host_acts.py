"""What the host does at a table, by a command: in its log, with no actor, for everybody to read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from argparse import ArgumentParser
from datetime import datetime, timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from campaign.errors import NotNow, Refused, TableError
from campaign.lifecycle.status import HOST, TURNS
from campaign.log import entries, selectors
from campaign.models import Campaign, Membership
from campaign.seats import masters
from campaign.seats import selectors as seats_selectors
from campaign.seats.seating import must_have_company
from engine.errors import IllegalMove, MalformedRecord
from games.registry import TITLES
from people import services
from people import services as people
from people.models import User, find


@transaction.atomic
def set_state(campaign: Campaign, how: str, reason: str = "", *, now: datetime | None = None) -> Campaign:
    """Suspend (`suspended`: nobody reads or moves it), take that back, hide it from the lists (`hidden`), or take that back.

    Raises `NotNow` where it stands so already. Whether the host is asking, the command has asked: no page leads here.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    flag, value = TURNS[HOST, how]
    if getattr(table, flag) == value:
        raise NotNow("not-now", _("This cannot be done now: the campaign is not in the state for it."))
    entries.append_act(table, None, {"act": HOST, "how": how, **_why(reason)}, now=at)
    return table


def remove_name(campaign: Campaign) -> str:
    """The campaign is called by the signs of its address until its game master gives it another name."""
    name = f"Campaign {campaign.public_id}"
    Campaign.objects.filter(pk=campaign.pk).update(name=name, slug="")
    return name


def note_rekeying(*, now: datetime | None = None) -> int:
    """Say in the log of each campaign that runs that its sealed dice were read, to be put under another key: in how many.

    Before the key is changed. One that cannot be read is left to the audit. Once within an hour: the command may be run again.
    """
    at, done = entries.moment(now), 0
    for campaign in Campaign.objects.filter(started=True, ended=False).order_by("pk"):
        if campaign.title not in TITLES:
            continue
        lately = campaign.entries.filter(act=HOST, how="rekeyed", at__gt=at - timedelta(hours=1))
        if lately.exists():
            continue
        try:
            with transaction.atomic():
                entries.append_act(entries.lock(campaign), None, {"act": HOST, "how": "rekeyed"}, now=at)
                done += 1
        except (IllegalMove, MalformedRecord):
            continue
    return done


def _why(reason: str) -> dict[str, str]:
    return {"reason": entries.a_reason(reason)} if reason.strip() else {}


@transaction.atomic
def name_master(
    campaign: Campaign, to: User, *, force: bool = False, reason: str = "", now: datetime | None = None
) -> Membership:
    """The host makes somebody game master in the place of who has not been seen for 14 days, when a majority of seats asks.

    `force` asks neither and wants a reason. Raises `NotNow` and `Refused` with what is missing, in words.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    must_have_company(table)
    places = selectors.held(table)
    if not to.is_active or to.guest:
        raise Refused("no-account", _(masters.NO_ACCOUNT) % {"name": to.username})
    if any(one.user_id == to.pk and one.role == Membership.Role.GAME_MASTER for one in places):
        raise Refused("yours", _("%(name)s is the game master here.") % {"name": to.username})
    content: dict[str, Any] = {"how": "placed"}
    if force:
        content["reason"] = entries.a_reason(reason)
    else:
        inactive = seats_selectors.inactive_master(table, places, at)
        if inactive is None:
            raise NotNow("seen", _(masters.SEEN) % {"days": services.AWAY})
        if not inactive.enough:
            facts = {"asked": len(inactive.asked), "seats": len(inactive.seats), "needed": inactive.needed}
            raise NotNow("too-few", _("%(asked)s of %(seats)s seats ask for a new game master; it takes %(needed)s.") % facts)
        content |= {"days": inactive.days, "asked": sorted(inactive.asked), **_why(reason)}
    return masters.replace(table, None, to, at, content)


# What the host's commands have in common: a dry run, a reason, a person's or a campaign's state.


class HostCommand(BaseCommand, ABC):
    """A command that does something for good; with --dry-run it does it, tells it, and takes it all back."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--reason", default="", help="why; it is told with the act")
        parser.add_argument("--dry-run", action="store_true", help="tell what it would do, and do nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with transaction.atomic():
                lines = self.do(options)
                if options["dry_run"]:
                    transaction.set_rollback(True)
        except (TableError, IllegalMove, people.NotSo) as refused:
            raise CommandError(f"Refused: {refused}") from refused
        if options["dry_run"]:
            self.stdout.write("Nothing is done; this is what would be:")
        for line in lines:
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
        target = either(options["whom"], options)
        if isinstance(target, Campaign):
            return state(target, self.how, options["reason"])
        act = people.suspend if self.how == "suspended" else people.unsuspend
        act(target, options["reason"], timezone.now())
        return [f"{target.username} is {self.how}.", *_holds(target)]


def state(campaign: Campaign, how: str, reason: str) -> list[str]:
    set_state(campaign, how, reason)
    return [f"{campaign.name} ({campaign.public_id}) is {how}; it stands in its log."]


def _holds(user: Any) -> list[str]:
    """The places for which somebody else has to see now."""
    held = Membership.objects.filter(user=user, until=None).select_related("campaign").order_by("campaign", "pk")
    return [f"He is {one.seat or one.get_role_display()} in {one.campaign.name} ({one.campaign.public_id})." for one in held]


# Whom and what the host's commands mean, as he types it.


def campaign_of(text: str) -> Campaign:
    """By its public id, or by the address of one of its pages."""
    key = text.rstrip("/").split("/c/")[-1].split("/")[0][:8]
    campaign = Campaign.objects.filter(public_id=key).first()
    if campaign is None:
        raise CommandError(f"There is no campaign {text!r}. Name it by the eight signs behind /c/ in its address.")
    return campaign


def scenario_of(text: str) -> str | None:
    """The public id in the address of somebody's scenario; None where it is no such address."""
    _before, separator, after = text.partition("/scenarios/")
    return after.split("/")[0].split(".")[0][:8] if separator else None


def user_of(text: str) -> User:
    """By his name or e-mail address, in whatever case; by `#` and his number where he has no name any more."""
    user = User.objects.filter(pk=int(text[1:])).first() if text[:1] == "#" and text[1:].isdigit() else find(text)
    if user is None:
        raise CommandError(f"Nobody is called {text!r}. Name him by his name, his e-mail address, or # and his number.")
    return user


def either(text: str, options: dict[str, Any]) -> Campaign | User:
    """A campaign or a person; where it may be both, `--campaign` or `--user` say which."""
    if options["campaign"]:
        return campaign_of(text)
    if options["user"]:
        return user_of(text)
    if "/c/" in text:
        return campaign_of(text)
    short = len(text) == 8 or text[8:9] == "-"
    campaign = Campaign.objects.filter(public_id=text[:8]).first() if short else None
    user = find(text)
    if campaign is not None and user is not None:
        raise CommandError(f"{text!r} is a campaign and a person. Say which: --campaign or --user.")
    return campaign or user_of(text)

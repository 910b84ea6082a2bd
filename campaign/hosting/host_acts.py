"""What the host does at a table, by a command: in its log, with no actor, for everybody to read."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from campaign import access, drafts, founding, hooks, scenarios
from campaign.errors import NotNow, Refused, TableError
from campaign.log import entries, selectors
from campaign.log.acts.life import HOST, LIFE
from campaign.log.acts.seats import COUNTERSIGNER, LOBBY, MASTER, RESERVE
from campaign.models import (
    AbsenceCampaign,
    Campaign,
    ImportJob,
    Invitation,
    Membership,
    Plan,
    SeatNote,
    StandingOrders,
)
from campaign.seats import handover, seating, standing_orders
from campaign.seats import selectors as seats_selectors
from campaign.seats.seating import keep_a_master, must_have_company, note, solo
from engine.errors import IllegalMove, MalformedRecord
from games.registry import TITLES
from people import hooks as people_hooks
from people import services
from people import services as people
from people.models import Absence, User, find


@transaction.atomic
def set_state(
    campaign: Campaign, how: str, reason: str = "", *, now: datetime | None = None
) -> Campaign:
    """Suspend (`suspended`: nobody reads or moves it), take that back, hide it from the lists
    (`hidden`), or take that back.

    Raises `NotNow` where it stands so already. Whether the host is asking, the command has asked:
    no page leads here.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    flag, value = HOST.flags[how]
    if getattr(table, flag) == value:
        raise NotNow(
            "not-now", _("This cannot be done now: the campaign is not in the state for it.")
        )
    entries.append_act(table, None, {"act": HOST.name, "how": how, **_why(reason)}, now=at)
    return table


def remove_name(campaign: Campaign) -> str:
    """The campaign is called by the signs of its address until its game master gives it another
    name.
    """
    name = f"Campaign {campaign.public_id}"
    Campaign.objects.filter(pk=campaign.pk).update(name=name, slug="")
    return name


def note_rekeying(*, now: datetime | None = None) -> int:
    """Say in the log of each campaign that runs that its sealed dice were read, to be put under
    another key: in how many.

    Before the key is changed. One that cannot be read is left to the audit. Once within an hour:
    the command may be run again.
    """
    at, done = entries.moment(now), 0
    for campaign in Campaign.objects.filter(started=True, ended=False).order_by("pk"):
        if campaign.title not in TITLES:
            continue
        lately = campaign.entries.filter(
            act=HOST.name, how="rekeyed", at__gt=at - timedelta(hours=1)
        )
        if lately.exists():
            continue
        try:
            with transaction.atomic():
                entries.append_act(
                    entries.lock(campaign), None, {"act": HOST.name, "how": "rekeyed"}, now=at
                )
                done += 1
        except (IllegalMove, MalformedRecord):
            continue
    return done


def _why(reason: str) -> dict[str, str]:
    return {"reason": entries.a_reason(reason)} if reason.strip() else {}


@transaction.atomic
def name_master(
    campaign: Campaign,
    to: User,
    *,
    force: bool = False,
    reason: str = "",
    now: datetime | None = None,
) -> Membership:
    """The host makes somebody game master in the place of who has not been seen for 14 days, when a
    majority of seats asks.

    `force` asks neither and wants a reason. Raises `NotNow` and `Refused` with what is missing, in
    words.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    must_have_company(table)
    places = selectors.held(table)
    if not to.is_active or to.guest:
        raise Refused("no-account", _(handover.NO_ACCOUNT) % {"name": to.username})
    if any(one.user_id == to.pk and one.role == Membership.Role.GAME_MASTER for one in places):
        raise Refused("yours", _("%(name)s is the game master here.") % {"name": to.username})
    content: dict[str, Any] = {"how": "placed"}
    if force:
        content["reason"] = entries.a_reason(reason)
    else:
        inactive = seats_selectors.inactive_master(table, places, at)
        if inactive is None:
            raise NotNow("seen", _(handover.SEEN) % {"days": services.AWAY})
        if not inactive.enough:
            facts = {
                "asked": len(inactive.asked),
                "seats": len(inactive.seats),
                "needed": inactive.needed,
            }
            raise NotNow(
                "too-few",
                _("%(asked)s of %(seats)s seats ask for a new game master; it takes %(needed)s.")
                % facts,
            )
        content |= {"days": inactive.days, "asked": sorted(inactive.asked), **_why(reason)}
    return handover.replace_chief(table, None, to, at, content)


# What the host's commands have in common: a dry run, a reason, a person's or a campaign's state.


class HostCommand(BaseCommand, ABC):
    """A command that does something for good; with --dry-run it does it, tells it, and takes it all
    back.
    """

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--reason", default="", help="why; it is told with the act")
        parser.add_argument(
            "--dry-run", action="store_true", help="tell what it would do, and do nothing"
        )

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
        parser.add_argument(
            "whom",
            help="a campaign by its public id or address, a person by name or e-mail address",
        )
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
    held = (
        Membership.objects.filter(user=user, until=None)
        .select_related("campaign")
        .order_by("campaign", "pk")
    )
    return [
        f"They are {one.seat or one.get_role_display()} in {one.campaign.name}"
        f" ({one.campaign.public_id})."
        for one in held
    ]


# Whom and what the host's commands mean, as the host types it.


def campaign_of(text: str) -> Campaign:
    """By its public id, or by the address of one of its pages."""
    key = text.rstrip("/").split("/c/")[-1].split("/")[0][:8]
    campaign = Campaign.objects.filter(public_id=key).first()
    if campaign is None:
        raise CommandError(
            f"There is no campaign {text!r}. Name it by the eight signs behind /c/ in its address."
        )
    return campaign


def scenario_of(text: str) -> str | None:
    """The public id in the address of somebody's scenario; None where it is no such address."""
    _before, separator, after = text.partition("/scenarios/")
    return after.split("/")[0].split(".")[0][:8] if separator else None


def user_of(text: str) -> User:
    """By their name or e-mail address, in whatever case; by `#` and their number where they have no
    name any more.
    """
    user = (
        User.objects.filter(pk=int(text[1:])).first()
        if text[:1] == "#" and text[1:].isdigit()
        else find(text)
    )
    if user is None:
        raise CommandError(
            f"Nobody is called {text!r}. Give their name, their e-mail address, or # and their"
            " number."
        )
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


# A person leaves for good: their places are given up by the ordinary acts, and what the rooms keep
# of them goes; or their account closes, and only the places are given up.
#
# What the logs say stands under their number: hashes hold, and readers find "a former player".

log = logging.getLogger(__name__)

Role = Membership.Role
LEFT = {
    Role.CO_GAME_MASTER: MASTER,
    Role.RESERVE: RESERVE,
    Role.COUNTERSIGNER: COUNTERSIGNER,
}
"""The act by which a place that is no seat is given up."""


@transaction.atomic
def erase_person(user: Any, successor: Any = None, *, now: datetime | None = None) -> list[str]:
    """Erase a user: first the places, then what every package keeps (`hooks.user_erased`).

    Return what was done, in words for the host.

    `successor` becomes game master of those campaigns that go on and whose game master the person
    is. Raises `Refused`, and does nothing, where there is no successor, or one who may not
    (`keep_a_master`), and says what to do first.
    """
    at = entries.moment(now)
    if user.erased_at is not None:
        raise Refused("erased", _("This person has been erased already."))
    chief = masters_of(user)
    if chief and successor is None:
        names = ", ".join(f"{one.name} ({one.public_id})" for one in chief)
        raise Refused(
            "game-master",
            _(
                "%(name)s is game master of %(campaigns)s. Hand these over first, or name a"
                " successor."
            )
            % {"name": user.username, "campaigns": names},
        )
    if successor is not None and (
        not successor.is_active or successor.guest or successor.pk == user.pk
    ):
        raise Refused("no-account", _(handover.NO_ACCOUNT) % {"name": successor.username})
    lines = leave_tables(user, at, "erased", {one.pk: successor for one in chief})
    mine = Invitation.objects.filter(
        Q(made_by=user) | Q(named=user) | Q(leaver=user), revoked_at=None, uses_left__gt=0
    )
    lines.append(f"{mine.update(revoked_at=at)} invitations")
    for erase in hooks.user_erased:
        lines += erase(user, at)
    return [*lines, *erase_table_rows(user, at), *people.erase(user, at)]


def leave_tables(
    user: Any, at: datetime, how: str, successors: Mapping[int, Any], *, force: bool = False
) -> list[str]:
    """Give up every place, in every campaign whose log knows them, and say there `how` they went:
    `erased` or `closed`.

    `successors` become game masters, by campaign. Raises `Refused` with the campaign where one
    cannot be left; with `force` it is left as it stands, and a line says so.
    """
    lines: list[str] = []
    for campaign in touched(user):
        try:
            with transaction.atomic():
                lines += _leave(entries.lock(campaign), user, successors.get(campaign.pk), at, how)
        except Refused as refused:
            if not force:
                raise Refused(
                    refused.code, f"{campaign.name} ({campaign.public_id}): {refused}"
                ) from refused
            lines.append(f"{campaign.public_id}: not left. {refused}")
    return lines


def close_account(
    user: Any, reason: str, *, by: Any = None, own: bool = False, now: datetime | None = None
) -> list[str]:
    """Nobody signs in as them any more, and their places are free; what they played and wrote stays
    under their name.

    A campaign that they run passes to a co-game-master, where it has one; else the host has to name
    somebody (`takeover`). `own`: they wanted it themselves: where a campaign that goes on has
    nobody else, it raises `Refused`. Raises `NotSo`.
    """
    at = entries.moment(now)
    heirs = {one.pk: heir(one, user) for one in masters_of(user)}
    if own and None in heirs.values():
        raise Refused("game-master", _("They are game master of a campaign that goes on."))
    services.close(user, reason, at, by, own=own)
    lines = leave_tables(
        user, at, "closed", {pk: one for pk, one in heirs.items() if one is not None}, force=True
    )
    mine = Invitation.objects.filter(
        Q(made_by=user) | Q(named=user) | Q(leaver=user), revoked_at=None, uses_left__gt=0
    )
    mine.update(revoked_at=at)
    people_hooks.access_ended(user, at)
    return lines


@transaction.atomic
def ask_to_close(user: Any, *, erase: bool, now: datetime | None = None) -> datetime:
    """They want their account closed, or all that is kept of them erased, after `leaving.DELAY`:
    when it will be. They are signed out; the game masters of their tables read that they are away
    until then. Raises `Refused` while they run a campaign.
    """
    at = entries.moment(now)
    access.must_have_account(user)
    if chief := masters_of(user):
        names = ", ".join(one.name for one in chief)
        raise Refused(
            "game-master",
            _("You are game master of %(campaigns)s. Hand these over first.")
            % {"campaigns": names},
        )
    closes_at = services.wish(user, at, erase=erase)
    zone = ZoneInfo(user.time_zone)
    first, last = (moment.astimezone(zone).date() for moment in (at, closes_at))
    text = _("This account closes then, unless its owner signs in before.")
    with (
        suppress(Refused),
        transaction.atomic(),
    ):  # who has announced these days already is known to be away
        standing_orders.announce(user, first, last, note=text, masters_only=True, now=at)
    return closes_at


@transaction.atomic
def keep_account(user: Any, *, now: datetime | None = None) -> bool:
    """They have signed in: the account stays open. Was it to be closed?"""
    if user.closes_at is None or not services.keep(user):
        return False
    asked: datetime = user.closes_at - services.DELAY
    for one in Absence.objects.filter(user=user, announced_at=asked, taken_back_at=None):
        standing_orders.take_back(user, one.pk, now=now)
    return True


def heir(campaign: Campaign, user: Any) -> Any:
    """The co-game-master to whom a campaign passes whose game master goes; None where there is
    none.
    """
    held = campaign.memberships.filter(
        role=Role.CO_GAME_MASTER, until=None, user__is_active=True
    ).exclude(user=user)
    member = held.select_related("user").order_by("since", "pk").first()
    return member.user if member is not None else None


def tick(now: datetime, limit: int) -> int:
    """Closes or erases the accounts whose owners want it and whose time has come. How many it
    looked at.
    """
    done = 0
    for user in services.due(now)[:limit]:
        done += 1
        try:
            with transaction.atomic():
                if user.closing_erases:
                    erase_person(user, now=now)
                else:
                    close_account(user, "", own=True, now=now)
        except Refused as refused:
            log.warning("An account whose time has come cannot be closed: %s", refused)
            services.postpone(user, now)
    return done


def masters_of(user: Any) -> list[Campaign]:
    """The campaigns that go on, where others play too, and whose game master the user is."""
    held = Membership.objects.filter(user=user, role=Role.GAME_MASTER, until=None)
    going = Campaign.objects.filter(
        pk__in=held.values("campaign"), ended=False, abandoned=False, archived=False
    ).order_by("pk")
    return [one for one in going if not _played_alone(one, user)]


def _played_alone(campaign: Campaign, user: Any) -> bool:
    """Has it one seat, or programs on all the others and no other person? Nobody waits there, and
    nobody can take it over.
    """
    return solo(campaign) or (
        bool(campaign.programs)
        and not campaign.memberships.filter(until=None).exclude(user=user).exists()
    )


def touched(user: Any) -> QuerySet[Campaign]:
    """Every campaign whose log knows them."""
    return (
        Campaign.objects.filter(
            Q(memberships__user=user) | Q(entries__actor=user) | Q(founder=user)
        )
        .distinct()
        .order_by("pk")
    )


def _leave(table: Campaign, user: Any, successor: Any, at: datetime, how: str) -> Iterable[str]:
    """Give up every place of theirs at a locked table, each by the act by which one leaves it, said
    by nobody.
    """
    lines: list[str] = []
    alone = _played_alone(table, user)
    if successor is not None:
        handover.replace_chief(table, None, successor, at, {"how": "placed"})
        lines.append(f"{table.public_id}: {successor.username} is game master")
    for one in table.memberships.filter(user=user, until=None).order_by("since", "pk"):
        if alone or one.role == Role.GAME_MASTER:
            continue  # nobody can take it: a game played alone, or one that is over
        if one.role == Role.SUBSTITUTE:
            seating.end_substitute(table, None, one, at)
        else:
            one.until = at
            one.save(update_fields=["until"])
            if one.role == Role.SEAT:
                note(table, None, "left", one.seat, user.pk, at, {"host": True})
            else:
                entries.append_act(
                    table,
                    None,
                    {
                        "act": LEFT[Role(one.role)].name,
                        "how": "left",
                        "user": user.pk,
                        "host": True,
                    },
                    now=at,
                )
        lines.append(f"{table.public_id}: {one.seat or one.get_role_display()} is free")
    keep_a_master(table)
    opened = founding.current(table)
    if opened is not None and founding.applicants(opened).filter(user=user).update(withdrawn_at=at):
        entries.append_act(
            table,
            None,
            {"act": LOBBY.name, "how": "withdrew", "user": user.pk, "host": True},
            now=at,
        )
        lines.append(f"{table.public_id}: their application is withdrawn")
    if alone and not (table.ended or table.abandoned or table.archived):
        entries.append_act(
            table, None, {"act": LIFE.name, "how": "abandoned", "host": True}, now=at
        )
        lines.append(f"{table.public_id}: played alone, and abandoned")
    entries.append_act(table, None, {"act": HOST.name, "how": how, "user": user.pk}, now=at)
    return lines


def erase_table_rows(user: Any, at: datetime) -> list[str]:
    """What the table keeps of them beside the logs: plans, notes, standing orders, records sent,
    where their absences are told.
    """
    lines = []
    for what, rows in (
        ("plans", Plan.objects.filter(user=user)),
        ("notes", SeatNote.objects.filter(user=user)),
        ("sets of standing orders", StandingOrders.objects.filter(user=user)),
        ("imports", ImportJob.objects.filter(user=user)),
    ):
        lines.append(f"{rows.count()} {what}")
        rows.delete()
    AbsenceCampaign.objects.filter(absence__user=user).delete()
    return lines + scenarios.remove_scenarios_of(user, at) + drafts.remove_drafts_of(user, at)

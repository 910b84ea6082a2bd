"""Acts of the host, done by commands. The log has them in public, without an actor."""

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
from campaign.seats.seating import log_seat_change, must_have_company, must_keep_a_master, solo
from engine.errors import IllegalMove, MalformedRecord
from games.registry import TITLES
from people import hooks as people_hooks
from people import services
from people import services as people
from people.models import Absence, User, find_by_login


@transaction.atomic
def set_state(
    campaign: Campaign, how: str, reason: str = "", *, now: datetime | None = None
) -> Campaign:
    """Suspend a campaign, hide it from the lists, or undo either.

    `how` is a key of `HOST.flags`. A suspended campaign can neither be read nor played. Raises
    `NotNow` if it is in this state already. There is no permission check: only commands call this.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    flag, value = HOST.flags[how]
    if getattr(table, flag) == value:
        raise NotNow("not-now", _("This is not possible in the present state of the campaign."))
    entries.append_act(table, None, {"act": HOST.name, "how": how, **_why(reason)}, now=at)
    return table


def remove_name(campaign: Campaign) -> str:
    """Replace the campaign's name by its public id, until its game master gives it another."""
    name = f"Campaign {campaign.public_id}"
    Campaign.objects.filter(pk=campaign.pk).update(name=name, slug="")
    return name


def note_rekeying(*, now: datetime | None = None) -> int:
    """Log in each running campaign that its sealed dice were read to be sealed with another key.

    This happens before the key is changed. Returns the number of campaigns. A campaign that cannot
    be replayed is left to the audit. A campaign logs it at most once an hour, because the command
    may be run again.
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
    """Return the reason as a fact of an act; nothing if there is none."""
    return {"reason": entries.checked_reason(reason)} if reason.strip() else {}


@transaction.atomic
def name_master(
    campaign: Campaign,
    to: User,
    *,
    force: bool = False,
    reason: str = "",
    now: datetime | None = None,
) -> Membership:
    """Replace a game master who has not been seen for 14 days, when a majority of seats asks.

    `force` skips both conditions and requires a reason. Raises `NotNow` and `Refused`, which say
    what is missing.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    must_have_company(table)
    places = selectors.held(table)
    if not to.is_active or to.guest:
        raise Refused("no-account", _(handover.NO_ACCOUNT) % {"name": to.username})
    if any(
        place.user_id == to.pk and place.role == Membership.Role.GAME_MASTER for place in places
    ):
        raise Refused("yours", _("%(name)s is the game master here.") % {"name": to.username})
    content: dict[str, Any] = {"how": "placed"}
    if force:
        content["reason"] = entries.checked_reason(reason)
    else:
        inactive = seats_selectors.inactive_master(table, places, at)
        if inactive is None:
            raise NotNow("seen", _(handover.SEEN) % {"days": services.AWAY})
        if not inactive.enough:
            facts = {
                "asked": len(inactive.asking_seats),
                "seats": len(inactive.seats),
                "needed": inactive.needed,
            }
            raise NotNow(
                "too-few",
                _(
                    "%(asked)s of %(seats)s seats have asked for a new game master; %(needed)s "
                    "are needed."
                )
                % facts,
            )
        content |= {"days": inactive.days, "asked": sorted(inactive.asking_seats), **_why(reason)}
    return handover.replace_chief(table, None, to, at, content)


# The common parts of the host's commands: a dry run, a reason, the state of a user or a campaign.


class HostCommand(BaseCommand, ABC):
    """A command with permanent effects.

    With --dry-run it does everything, reports it, and rolls it back.
    """

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments that all host commands have."""
        parser.add_argument("--reason", default="", help="the reason; it is shown with the act")
        parser.add_argument(
            "--dry-run",
            action="store_true",
            help="show what the command would do, but change nothing",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the command, or its dry run."""
        try:
            with transaction.atomic():
                lines = self.do(options)
                if options["dry_run"]:
                    transaction.set_rollback(True)
        except (TableError, IllegalMove, people.AccountError) as refused:
            raise CommandError(f"Refused: {refused}") from refused
        if options["dry_run"]:
            self.stdout.write(
                "Nothing has been changed. Without --dry-run the command would do this:"
            )
        for line in lines:
            self.stdout.write(line)

    @abstractmethod
    def do(self, options: dict[str, Any]) -> list[str]:
        """Do it and return the lines of the report. If this raises, everything is rolled back."""


class StateCommand(HostCommand):
    """A command that suspends a campaign or a user, or ends a suspension."""

    how: str

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the campaign or user."""
        parser.add_argument(
            "whom",
            help="the public id or address of a campaign, or the name or e-mail address of a user",
        )
        parser.add_argument("--campaign", action="store_true", help="look only for a campaign")
        parser.add_argument("--user", action="store_true", help="look only for a user")
        super().add_arguments(parser)

    def do(self, options: dict[str, Any]) -> list[str]:
        """Change the state and return the lines of the report."""
        target = either(options["whom"], options)
        if isinstance(target, Campaign):
            return state(target, self.how, options["reason"])
        act = people.suspend if self.how == "suspended" else people.unsuspend
        act(target, options["reason"], timezone.now())
        return [f"{target.username} is {self.how}.", *_holds(target)]


def state(campaign: Campaign, how: str, reason: str) -> list[str]:
    """Change a campaign's state and return the line of the report."""
    set_state(campaign, how, reason)
    return [
        (
            f"{campaign.name} ({campaign.public_id}) is now {how}. The log of the campaign records"
            " this."
        )
    ]


def _holds(user: Any) -> list[str]:
    """Return the places of a suspended user, which other people have to look after now."""
    held = (
        Membership.objects.filter(user=user, until=None)
        .select_related("campaign")
        .order_by("campaign", "pk")
    )
    return [
        f"They have the role {place.seat or place.get_role_display()} in {place.campaign.name}"
        f" ({place.campaign.public_id})."
        for place in held
    ]


# The users and campaigns that the host names in a command.


def campaign_of(text: str) -> Campaign:
    """Return the campaign with this public id, or of this address."""
    key = text.rstrip("/").split("/c/")[-1].split("/")[0][:8]
    campaign = Campaign.objects.filter(public_id=key).first()
    if campaign is None:
        raise CommandError(
            f"There is no campaign {text!r}. Use the eight characters after /c/ in its address."
        )
    return campaign


def scenario_of(text: str) -> str | None:
    """Return the public id in the address of a scenario; None if it is no such address."""
    _before, separator, after = text.partition("/scenarios/")
    return after.split("/")[0].split(".")[0][:8] if separator else None


def user_of(text: str) -> User:
    """Return the user with this name or e-mail address, in any case.

    A user who has no name any more is named by `#` and their number.
    """
    user = (
        User.objects.filter(pk=int(text[1:])).first()
        if text[:1] == "#" and text[1:].isdigit()
        else find_by_login(text)
    )
    if user is None:
        raise CommandError(
            f"There is no user {text!r}. Use the name, the e-mail address, or # and the number"
            " of the user."
        )
    return user


def either(text: str, options: dict[str, Any]) -> Campaign | User:
    """Return a campaign or a user; if the text fits both, `--campaign` or `--user` decides."""
    if options["campaign"]:
        return campaign_of(text)
    if options["user"]:
        return user_of(text)
    if "/c/" in text:
        return campaign_of(text)
    short = len(text) == 8 or text[8:9] == "-"
    campaign = Campaign.objects.filter(public_id=text[:8]).first() if short else None
    user = find_by_login(text)
    if campaign is not None and user is not None:
        raise CommandError(f"{text!r} is both a campaign and a user. Add --campaign or --user.")
    return campaign or user_of(text)


# A user leaves for good. Their places are given up by ordinary acts, and what the packages keep of
# them is erased; or their account is closed, and only the places are given up.
#
# The logs keep their entries under the user's number: hashes stay valid, and readers see "a former
# player".

log = logging.getLogger(__name__)

Role = Membership.Role
LEFT = {
    Role.CO_GAME_MASTER: MASTER,
    Role.RESERVE: RESERVE,
    Role.COUNTERSIGNER: COUNTERSIGNER,
}
"""The act that gives up a place that is not a seat, by role."""


@transaction.atomic
def erase_person(user: Any, successor: Any = None, *, now: datetime | None = None) -> list[str]:
    """Erase a user: first their places, then what every package keeps (`hooks.user_erased`).

    Returns what was done, in words for the host. `successor` becomes game master of the running
    campaigns whose game master the user is. Raises `Refused`, which says what to do first, and does
    nothing if there is no successor or they may not be game master (`must_keep_a_master`).
    """
    at = entries.moment(now)
    if user.erased_at is not None:
        raise Refused("erased", _("This person has already been erased."))
    chief = masters_of(user)
    if chief and successor is None:
        names = ", ".join(f"{campaign.name} ({campaign.public_id})" for campaign in chief)
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
    lines = leave_tables(user, at, "erased", {campaign.pk: successor for campaign in chief})
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
    """Give up every place in every campaign whose log knows the user.

    `how` is what the log says: `erased` or `closed`. `successors` become game masters, by campaign.
    Raises `Refused` with the campaign that cannot be left; with `force` it is left unchanged, and a
    line says so.
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
            lines.append(f"{campaign.public_id}: the user has not left. {refused}")
    return lines


def close_account(
    user: Any, reason: str, *, by: Any = None, own: bool = False, now: datetime | None = None
) -> list[str]:
    """Close an account: no one can sign in with it, and its places become free.

    Their moves and texts remain under their name. A campaign that they run passes to a
    co-game-master if it has one; otherwise the host must name a game master (`takeover`). With
    `own` the users close it themselves; then a running campaign without a co-game-master raises
    `Refused`. Raises `AccountError`.
    """
    at = entries.moment(now)
    heirs = {campaign.pk: heir(campaign, user) for campaign in masters_of(user)}
    if own and None in heirs.values():
        raise Refused(
            "game-master", _("They are game master of a campaign that is still in progress.")
        )
    services.close_account(user, reason, at, by, own=own)
    lines = leave_tables(
        user,
        at,
        "closed",
        {pk: successor for pk, successor in heirs.items() if successor is not None},
        force=True,
    )
    mine = Invitation.objects.filter(
        Q(made_by=user) | Q(named=user) | Q(leaver=user), revoked_at=None, uses_left__gt=0
    )
    mine.update(revoked_at=at)
    people_hooks.access_ended(user, at)
    return lines


@transaction.atomic
def ask_to_close(user: Any, *, erase: bool, now: datetime | None = None) -> datetime:
    """Schedule the closing or erasure of an account at its owner's request; return the date.

    It happens after `services.DELAY`. The user is signed out; the game masters of their campaigns
    read that they are away until then. Raises `Refused` while they run a campaign.
    """
    at = entries.moment(now)
    access.must_have_account(user)
    if chief := masters_of(user):
        names = ", ".join(campaign.name for campaign in chief)
        raise Refused(
            "game-master",
            _("You are game master of %(campaigns)s. Hand these over first.")
            % {"campaigns": names},
        )
    closes_at = services.schedule_closing(user, at, erase=erase)
    zone = ZoneInfo(user.time_zone)
    first, last = (moment.astimezone(zone).date() for moment in (at, closes_at))
    text = _("This account will be closed after these days unless its owner signs in.")
    # A user who has announced an absence for these days is known to be away.
    with suppress(Refused), transaction.atomic():
        standing_orders.announce_absence(user, first, last, note=text, masters_only=True, now=at)
    return closes_at


@transaction.atomic
def keep_account(user: Any, *, now: datetime | None = None) -> bool:
    """Keep an account open because its owner has signed in; return whether it was to be closed."""
    if user.closes_at is None or not services.cancel_closing(user):
        return False
    asked: datetime = user.closes_at - services.DELAY
    for absence in Absence.objects.filter(user=user, announced_at=asked, taken_back_at=None):
        standing_orders.take_back_absence(user, absence.pk, now=now)
    return True


def heir(campaign: Campaign, user: Any) -> Any:
    """Return the co-game-master who takes over from a leaving game master; None without one."""
    held = campaign.memberships.filter(
        role=Role.CO_GAME_MASTER, until=None, user__is_active=True
    ).exclude(user=user)
    member = held.select_related("user").order_by("since", "pk").first()
    return member.user if member is not None else None


def tick(now: datetime, limit: int) -> int:
    """Close or erase the accounts that are due; return how many were handled."""
    done = 0
    for user in services.accounts_to_close(now)[:limit]:
        done += 1
        try:
            with transaction.atomic():
                if user.closing_erases:
                    erase_person(user, now=now)
                else:
                    close_account(user, "", own=True, now=now)
        except Refused as refused:
            log.warning("A scheduled closing of an account failed: %s", refused)
            services.postpone_closing(user, now)
    return done


def masters_of(user: Any) -> list[Campaign]:
    """Return the running campaigns with other players whose game master the user is."""
    held = Membership.objects.filter(user=user, role=Role.GAME_MASTER, until=None)
    going = Campaign.objects.filter(
        pk__in=held.values("campaign"), ended=False, abandoned=False, archived=False
    ).order_by("pk")
    return [campaign for campaign in going if not _played_alone(campaign, user)]


def _played_alone(campaign: Campaign, user: Any) -> bool:
    """Return whether no other person plays in this campaign.

    Then no one waits there, and no one can take it over.
    """
    return solo(campaign) or (
        bool(campaign.programs)
        and not campaign.memberships.filter(until=None).exclude(user=user).exists()
    )


def touched(user: Any) -> QuerySet[Campaign]:
    """Return every campaign whose log knows the user."""
    return (
        Campaign.objects.filter(
            Q(memberships__user=user) | Q(entries__actor=user) | Q(founder=user)
        )
        .distinct()
        .order_by("pk")
    )


def _leave(table: Campaign, user: Any, successor: Any, at: datetime, how: str) -> Iterable[str]:
    """Give up every place of a user in a locked campaign, each by its ordinary act.

    The acts have no actor.
    """
    lines: list[str] = []
    alone = _played_alone(table, user)
    if successor is not None:
        handover.replace_chief(table, None, successor, at, {"how": "placed"})
        lines.append(f"{table.public_id}: {successor.username} is now the game master")
    for place in table.memberships.filter(user=user, until=None).order_by("since", "pk"):
        if alone or place.role == Role.GAME_MASTER:
            continue  # No one can take it over: the game is played alone or is over.
        if place.role == Role.SUBSTITUTE:
            seating.end_substitute(table, None, place, at)
        else:
            place.until = at
            place.save(update_fields=["until"])
            if place.role == Role.SEAT:
                log_seat_change(table, None, "left", place.seat, user.pk, at, {"host": True})
            else:
                entries.append_act(
                    table,
                    None,
                    {
                        "act": LEFT[Role(place.role)].name,
                        "how": "left",
                        "user": user.pk,
                        "host": True,
                    },
                    now=at,
                )
        lines.append(f"{table.public_id}: {place.seat or place.get_role_display()} is now free")
    must_keep_a_master(table)
    opened = founding.current_lobby(table)
    if opened is not None and founding.applicants(opened).filter(user=user).update(withdrawn_at=at):
        entries.append_act(
            table,
            None,
            {"act": LOBBY.name, "how": "withdrew", "user": user.pk, "host": True},
            now=at,
        )
        lines.append(f"{table.public_id}: their application has been withdrawn")
    if alone and not (table.ended or table.abandoned or table.archived):
        entries.append_act(
            table, None, {"act": LIFE.name, "how": "abandoned", "host": True}, now=at
        )
        lines.append(f"{table.public_id}: abandoned, because the user played alone")
    entries.append_act(table, None, {"act": HOST.name, "how": how, "user": user.pk}, now=at)
    return lines


def erase_table_rows(user: Any, at: datetime) -> list[str]:
    """Delete what the table keeps of a user outside the logs, and return what was deleted."""
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

"""A person leaves for good: their places are given up by the ordinary acts, and what the rooms keep of them goes; or their
account closes, and only the places are given up.

What the logs say stands under his number: hashes hold, and whoever reads it finds "a former player".
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from campaign import access, drafts, hooks, scenarios
from campaign.errors import Refused
from campaign.lifecycle import lobby
from campaign.lifecycle.status import HOST, LIFE
from campaign.log import entries
from campaign.models import AbsenceAt, Campaign, Import, Invitation, Membership, Note, Plan, StandingOrders
from campaign.seats import absence, masters, seating
from campaign.seats.seating import keep_a_master, note, solo
from people import proof, services
from people.models import Absence

log = logging.getLogger(__name__)

Role = Membership.Role
LEFT = {Role.CO_GAME_MASTER: "master", Role.RESERVE: "reserve", Role.COUNTERSIGNER: "countersigner"}
"""The act by which a place that is no seat is given up."""


@transaction.atomic
def erase_person(user: Any, successor: Any = None, *, now: datetime | None = None) -> list[str]:
    """Everything that `hooks.erasers` know of him, after his places; what was done, in words, for the host.

    `successor` becomes game master where he is one of a campaign that goes on. Raises `Refused`, and does nothing, where
    there is no successor, or one who may not (`keep_a_master`), and says what to do first.
    """
    at = entries.moment(now)
    if user.erased_at is not None:
        raise Refused("erased", _("This person has been erased already."))
    chief = masters_of(user)
    if chief and successor is None:
        names = ", ".join(f"{one.name} ({one.public_id})" for one in chief)
        raise Refused(
            "game-master",
            _("%(name)s is game master of %(campaigns)s. Hand these over first, or name a successor.")
            % {"name": user.username, "campaigns": names},
        )
    if successor is not None and (not successor.is_active or successor.guest or successor.pk == user.pk):
        raise Refused("no-account", _(masters.NO_ACCOUNT) % {"name": successor.username})
    lines = leave_tables(user, at, "erased", {one.pk: successor for one in chief})
    mine = Invitation.objects.filter(Q(made_by=user) | Q(named=user) | Q(leaver=user), revoked_at=None, uses_left__gt=0)
    lines.append(f"{mine.update(revoked_at=at)} invitations")
    for erase in hooks.erasers:
        lines += erase(user, at)
    return lines


def leave_tables(user: Any, at: datetime, how: str, successors: Mapping[int, Any], *, force: bool = False) -> list[str]:
    """Give up every place, in every campaign whose log knows them, and say there `how` they went: `erased` or `closed`.

    `successors` become game masters, by campaign. Raises `Refused` with the campaign where one cannot be left; with `force` it
    is left as it stands, and a line says so.
    """
    lines: list[str] = []
    for campaign in touched(user):
        try:
            with transaction.atomic():
                lines += _leave(entries.lock(campaign), user, successors.get(campaign.pk), at, how)
        except Refused as refused:
            if not force:
                raise Refused(refused.code, f"{campaign.name} ({campaign.public_id}): {refused}") from refused
            lines.append(f"{campaign.public_id}: not left. {refused}")
    return lines


def close_account(user: Any, reason: str, *, by: Any = None, own: bool = False, now: datetime | None = None) -> list[str]:
    """Nobody signs in as them any more, and their places are free; what they played and wrote stays under their name.

    A campaign that they run passes to a co-game-master, where it has one; else the host has to name somebody (`takeover`).
    `own`: they wanted it themselves: where a campaign that goes on has nobody else, it raises `Refused`. Raises `NotSo`.
    """
    at = entries.moment(now)
    heirs = {one.pk: heir(one, user) for one in masters_of(user)}
    if own and None in heirs.values():
        raise Refused("game-master", _("They are game master of a campaign that goes on."))
    services.close(user, reason, at, by, own=own)
    lines = leave_tables(user, at, "closed", {pk: one for pk, one in heirs.items() if one is not None}, force=True)
    mine = Invitation.objects.filter(Q(made_by=user) | Q(named=user) | Q(leaver=user), revoked_at=None, uses_left__gt=0)
    mine.update(revoked_at=at)
    for end in proof.enders:
        end(user, at)
    return lines


@transaction.atomic
def ask_to_close(user: Any, *, erase: bool, now: datetime | None = None) -> datetime:
    """They want their account closed, or all that is kept of them erased, after `leaving.DELAY`: when it will be. They are signed
    out; the game masters of their tables read that they are away until then. Raises `Refused` while they run a campaign."""
    at = entries.moment(now)
    access.must_have_account(user)
    if chief := masters_of(user):
        names = ", ".join(one.name for one in chief)
        raise Refused("game-master", _("You are game master of %(campaigns)s. Hand these over first.") % {"campaigns": names})
    closes_at = services.wish(user, at, erase=erase)
    zone = ZoneInfo(user.time_zone)
    first, last = (moment.astimezone(zone).date() for moment in (at, closes_at))
    text = _("This account closes then, unless its owner signs in before.")
    with suppress(Refused), transaction.atomic():  # who has announced these days already is known to be away
        absence.announce(user, first, last, note=text, masters_only=True, now=at)
    return closes_at


@transaction.atomic
def keep_account(user: Any, *, now: datetime | None = None) -> bool:
    """They have signed in: the account stays open. Was it to be closed?"""
    if user.closes_at is None or not services.keep(user):
        return False
    asked: datetime = user.closes_at - services.DELAY
    for one in Absence.objects.filter(user=user, announced_at=asked, taken_back_at=None):
        absence.take_back(user, one.pk, now=now)
    return True


def heir(campaign: Campaign, user: Any) -> Any:
    """The co-game-master to whom a campaign passes whose game master goes; None where there is none."""
    held = campaign.memberships.filter(role=Role.CO_GAME_MASTER, until=None, user__is_active=True).exclude(user=user)
    member = held.select_related("user").order_by("since", "pk").first()
    return member.user if member is not None else None


def tick(now: datetime, limit: int) -> int:
    """Closes or erases the accounts whose owners want it and whose time has come. How many it looked at."""
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
    """The campaigns that go on, where others play too, and whose game master he is."""
    held = Membership.objects.filter(user=user, role=Role.GAME_MASTER, until=None)
    going = Campaign.objects.filter(pk__in=held.values("campaign"), ended=False, abandoned=False, archived=False).order_by("pk")
    return [one for one in going if not _played_alone(one, user)]


def _played_alone(campaign: Campaign, user: Any) -> bool:
    """Has it one seat, or programs on all the others and no other person? Nobody waits there, and nobody can take it over."""
    return solo(campaign) or (bool(campaign.programs) and not campaign.memberships.filter(until=None).exclude(user=user).exists())


def touched(user: Any) -> QuerySet[Campaign]:
    """Every campaign whose log knows him."""
    return Campaign.objects.filter(Q(memberships__user=user) | Q(entries__actor=user) | Q(founder=user)).distinct().order_by("pk")


def _leave(table: Campaign, user: Any, successor: Any, at: datetime, how: str) -> Iterable[str]:
    """Give up every place of his at a locked table, each by the act by which one leaves it, said by nobody."""
    lines: list[str] = []
    alone = _played_alone(table, user)
    if successor is not None:
        masters.replace(table, None, successor, at, {"how": "placed"})
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
                    table, None, {"act": LEFT[Role(one.role)], "how": "left", "user": user.pk, "host": True}, now=at
                )
        lines.append(f"{table.public_id}: {one.seat or one.get_role_display()} is free")
    keep_a_master(table)
    opened = lobby.current(table)
    if opened is not None and lobby.applicants(opened).filter(user=user).update(withdrawn_at=at):
        entries.append_act(table, None, {"act": "lobby", "how": "withdrew", "user": user.pk, "host": True}, now=at)
        lines.append(f"{table.public_id}: his application is withdrawn")
    if alone and not (table.ended or table.abandoned or table.archived):
        entries.append_act(table, None, {"act": LIFE, "how": "abandoned", "host": True}, now=at)
        lines.append(f"{table.public_id}: played alone, and abandoned")
    entries.append_act(table, None, {"act": HOST, "how": how, "user": user.pk}, now=at)
    return lines


def erase_table_rows(user: Any, at: datetime) -> list[str]:
    """What the table keeps of him beside the logs: plans, notes, standing orders, records sent, where his absences are told."""
    lines = []
    for what, rows in (
        ("plans", Plan.objects.filter(user=user)),
        ("notes", Note.objects.filter(user=user)),
        ("sets of standing orders", StandingOrders.objects.filter(user=user)),
        ("imports", Import.objects.filter(user=user)),
    ):
        lines.append(f"{rows.count()} {what}")
        rows.delete()
    AbsenceAt.objects.filter(absence__user=user).delete()
    return lines + scenarios.remove_scenarios_of(user, at) + drafts.remove_drafts_of(user, at)

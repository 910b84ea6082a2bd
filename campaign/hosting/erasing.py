"""A person leaves for good: his places are given up by the ordinary acts, and what the rooms keep of him goes.

What the logs say stands under his number: hashes hold, and whoever reads it finds "a former player".
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from campaign import drafts, hooks, scenarios
from campaign.errors import Refused
from campaign.lifecycle import lobby
from campaign.lifecycle.status import HOST, LIFE
from campaign.log import entries
from campaign.models import AbsenceAt, Campaign, Import, Invitation, Membership, Note, Plan, StandingOrders
from campaign.seats import masters, seating
from campaign.seats.seating import keep_a_master, note, solo

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
    lines: list[str] = []
    for campaign in touched(user):
        try:
            lines += _leave(entries.lock(campaign), user, successor if campaign in chief else None, at)
        except Refused as refused:
            raise Refused(refused.code, f"{campaign.name} ({campaign.public_id}): {refused}") from refused
    mine = Invitation.objects.filter(Q(made_by=user) | Q(named=user) | Q(leaver=user), revoked_at=None, uses_left__gt=0)
    lines.append(f"{mine.update(revoked_at=at)} invitations")
    for erase in hooks.erasers:
        lines += erase(user, at)
    return lines


def masters_of(user: Any) -> list[Campaign]:
    """The campaigns that go on, where others play too, and whose game master he is."""
    held = Membership.objects.filter(user=user, role=Role.GAME_MASTER, until=None)
    going = Campaign.objects.filter(pk__in=held.values("campaign"), ended=False, abandoned=False, archived=False).order_by("pk")
    return [one for one in going if not solo(one)]


def touched(user: Any) -> QuerySet[Campaign]:
    """Every campaign whose log knows him."""
    return Campaign.objects.filter(Q(memberships__user=user) | Q(entries__actor=user) | Q(founder=user)).distinct().order_by("pk")


def _leave(table: Campaign, user: Any, successor: Any, at: datetime) -> Iterable[str]:
    """Give up every place of his at a locked table, each by the act by which one leaves it, said by nobody."""
    lines: list[str] = []
    alone = solo(table)
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
    entries.append_act(table, None, {"act": HOST, "how": "erased", "user": user.pk}, now=at)
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

"""The page About: the campaign's game, its people, and the reader's own place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign.log.acts.words import SIGHTS
from campaign.models import Campaign, Invitation, Membership
from campaign.rulebook import NEEDS
from campaign.seats import seating
from campaign.seats import selectors as seats_selectors
from campaign.seats.selectors import InactiveMaster
from engine.language import sentence
from games.contract.title import WithAmendments, WithResumeSheet
from web.frame.absences import listed_absences
from web.frame.table import TableContext
from web.lobby.choices import VISIBILITIES
from web.lobby.game_facts import Fact, GameFacts, game_facts
from web.lobby.life import LifeSheet, life_sheet
from web.seats.page import (
    Heir,
    Level,
    NewLink,
    SeatName,
    Substitute,
    level_rows,
    master_places,
    program_of_seat,
    substitutes,
    take_link,
)


class SeatOffer(NamedTuple):
    """A seat that its holder offers to the reader."""

    seat: str
    title: str


@dataclass(frozen=True, slots=True)
class PersonRow:
    """A user with a place other than a seat."""

    user: int
    name: str
    role: str
    since: datetime


@dataclass(frozen=True, slots=True)
class SeatHolder:
    """A seat with its holder."""

    key: str
    name: str
    holder: str
    program: str
    reportable: int | None
    """The id of the holder, if the reader can report them."""


@dataclass(frozen=True, slots=True)
class OwnSeat:
    """A seat of the reader, with the users to whom they can offer it."""

    key: str
    name: str
    heirs: list[Heir]


@dataclass(frozen=True, slots=True)
class OwnPlace:
    """The reader's own places, with the acts that are possible."""

    seats: list[OwnSeat]
    levels: list[Level]
    """The levels of a program that can play a seat which the reader leaves."""
    programs: list[SeatName]
    """The seats that the reader has left to a program and can take back."""
    may_return: bool
    """Whether the reader still sees the campaign without a seat, and can take a seat back."""
    waits: bool
    may_wait: bool
    needs_account: bool
    is_countersigner: bool
    is_co_master: bool
    is_blind: bool
    """Whether the reader runs the campaign without seeing hidden hands, because they play."""


class Choice(NamedTuple):
    """A value that can be chosen."""

    key: str
    name: str
    about: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class AboutPage:
    """A campaign, its people, and the reader's place in it."""

    new_link: NewLink | None
    inactive_master: InactiveMaster | None
    offered_by: str
    """The game master who offers the campaign to the reader; empty if there is no offer."""
    seat_offers: list[SeatOffer]
    masters: list[PersonRow]
    seats: list[SeatHolder]
    substitutes: list[Substitute]
    others: list[PersonRow]
    own: OwnPlace | None
    absences: Sequence[Any]
    played: GameFacts
    sheet_url: str
    can_be_reported: bool
    visibilities: list[Choice]
    """The choices of visibility for a campaign that the reader plays alone; empty for others."""
    can_be_muted: bool
    life: LifeSheet | None


def about_page(request: HttpRequest, table: TableContext) -> AboutPage:
    """Return the page About."""
    campaign, places = table.campaign, table.places
    invitations = list(standing_invitations(table)) if table.user.is_authenticated else []
    has_sheet = isinstance(table.title, WithResumeSheet) and campaign.started
    return AboutPage(
        new_link=take_link(request, table, "about"),
        inactive_master=inactive_master(table),
        offered_by=offered_by(invitations),
        seat_offers=seat_offers(table, invitations),
        masters=[] if table.solo else [master_row(place) for place in master_places(places)],
        seats=seat_holders(table),
        substitutes=substitutes(table, places),
        others=other_people(places),
        own=own_place(table),
        absences=[] if table.solo else listed_absences(table),
        played=game_facts(table, *table_facts(table)),
        sheet_url=table.url("sheet_file") if has_sheet else "",
        can_be_reported=not table.access.host,
        visibilities=visibilities(table) if table.solo and table.host else [],
        can_be_muted=table.user.is_authenticated and table.access.member and not table.solo,
        life=life_sheet(table),
    )


def inactive_master(table: TableContext) -> InactiveMaster | None:
    """Return the game master absent for two weeks; None for a reader who cannot act on this."""
    if not table.access.member or table.solo:
        return None
    return seats_selectors.inactive_master(table.campaign, table.places, timezone.now())


# Offers to the reader


def standing_invitations(table: TableContext) -> QuerySet[Invitation]:
    """Return the invitations to the reader that can be used now."""
    mine = Invitation.objects.filter(
        campaign=table.campaign, named=table.signed_in_user, revoked_at=None, uses_left__gt=0
    )
    return mine.filter(expires_at__gt=timezone.now()).select_related("leaver", "made_by")


def offered_by(invitations: Iterable[Invitation]) -> str:
    """Return the game master who offers the campaign to the reader; empty if there is no offer."""
    return next(
        (
            row.leaver.username
            for row in invitations
            if row.role == Membership.Role.GAME_MASTER and row.leaver is not None
        ),
        "",
    )


def seat_offers(table: TableContext, invitations: Iterable[Invitation]) -> list[SeatOffer]:
    """Return the seats that are offered to the reader by users who still hold them."""
    holders = {seat.key: seat.holder.pk for seat in table.seats if seat.holder is not None}
    text = _("{who} is offering you the seat of {name:the}")
    return [
        SeatOffer(row.seat, sentence(text, who=row.made_by.username, name=table.name_of(row.seat)))
        for row in invitations
        if row.role == Membership.Role.SEAT and holders.get(row.seat) == row.leaver_id
    ]


# People


def master_row(place: Membership) -> PersonRow:
    """Return a game master."""
    return PersonRow(place.user_id, place.user.username, place.get_role_display(), place.since)


def seat_holders(table: TableContext) -> list[SeatHolder]:
    """Return the seats with their holders."""
    return [
        SeatHolder(
            key=seat.key,
            name=seat.name,
            holder=seat.holder.username if seat.holder is not None else "",
            program=program_of_seat(table, seat),
            reportable=seat.holder.pk if seat.holder is not None and not table.solo else None,
        )
        for seat in table.seats
    ]


def other_people(places: Iterable[Membership]) -> list[PersonRow]:
    """Return the countersigners, then the users who wait for a seat."""
    roles = {
        Membership.Role.COUNTERSIGNER: pgettext("lobby", "countersigner"),
        Membership.Role.RESERVE: _("is waiting for a seat"),
    }
    known = list(places)
    return [
        PersonRow(place.user_id, place.user.username, text, place.since)
        for role, text in roles.items()
        for place in known
        if place.role == role
    ]


# The reader's own place


def own_place(table: TableContext) -> OwnPlace | None:
    """Return the reader's own and possible places; None if there are none."""
    access = table.access
    place = OwnPlace(
        seats=own_seats(table),
        levels=level_rows(table, seating.levels(table.campaign), ""),
        programs=[
            SeatName(seat, table.name_of(seat))
            for seat in seating.seats_to_take_back(table.campaign, table.user)
        ],
        may_return=table.host or table.campaign.visibility != Campaign.Visibility.MEMBERS,
        waits=access.reserve,
        may_wait=may_wait(table),
        needs_account=not table.user.is_authenticated or table.user.guest,
        is_countersigner=access.countersigner,
        is_co_master=table.host and not access.chief,
        is_blind=table.host and not table.game_master,
    )
    has_something = (
        place.seats
        or place.programs
        or place.waits
        or place.may_wait
        or place.is_countersigner
        or place.is_co_master
    )
    return place if has_something else None


def own_seats(table: TableContext) -> list[OwnSeat]:
    """Return the reader's seats; none if they play alone."""
    if table.solo:
        return []
    return [
        OwnSeat(
            key=seat.key,
            name=seat.name,
            heirs=[
                Heir(user.pk, user.username)
                for user in seats_selectors.seat_heirs(table.campaign, table.places, seat.key)
            ],
        )
        for seat in table.seats
        if seat.key in table.own_seats
    ]


def may_wait(table: TableContext) -> bool:
    """Return whether the reader may wait for a seat."""
    campaign = table.campaign
    if table.solo or campaign.programs or campaign.stopped or campaign.ended:
        return False
    return not table.own_seats and not table.access.reserve


# The campaign


def table_facts(table: TableContext) -> list[Fact]:
    """Return how the rules can be changed, and what the game masters can read."""
    campaign, facts = table.campaign, []
    if isinstance(table.title, WithAmendments):
        facts.append((pgettext("lobby", "Rule changes"), str(NEEDS[campaign.amending])))
    if not table.solo and not campaign.programs:
        facts.append((pgettext("lobby", "Messages"), str(SIGHTS[campaign.sight])))
    return facts


def visibilities(table: TableContext) -> list[Choice]:
    """Return the choices of visibility for a campaign that is played alone."""
    return [
        Choice(key, str(name), str(about), key == table.campaign.visibility)
        for key, name, about in VISIBILITIES
    ]

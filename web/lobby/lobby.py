"""The pages of lobbies: campaigns that are looking for players, and applications for a seat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.contrib.auth import get_user_model
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from campaign import founding
from campaign.log import positions, selectors
from campaign.log.acts.words import SIGHTS
from campaign.models import Application as ApplicationRow
from campaign.models import Campaign, Lobby, LogEntry, Membership
from games.registry import TITLES
from web.frame.front import memberships
from web.frame.table import TableContext, address
from web.lobby.game_facts import Fact, GameFacts, founding_facts, game_facts

LISTED = 50
"""The number of lobbies that the list shows."""


class SeatName(NamedTuple):
    """A seat's key and name."""

    key: str
    name: str


# The list of lobbies


@dataclass(frozen=True, slots=True)
class OpenLobby:
    """A campaign that is looking for players."""

    name: str
    url: str
    about: str
    words: str
    zone: str
    free: list[SeatName]
    free_text: str
    facts: Sequence[Fact]


@dataclass(frozen=True, slots=True)
class LobbiesPage:
    """The listed campaigns whose lobby is open."""

    lobbies: list[OpenLobby]


def lobbies_page() -> LobbiesPage:
    """Return the listed campaigns whose lobby is open."""
    campaigns = [
        campaign for campaign in selectors.open_lobbies()[:LISTED] if campaign.title in TITLES
    ]
    held = memberships(campaigns)
    lobbies = Lobby.objects.filter(campaign__in=campaigns, closed_at=None)
    words = dict(lobbies.values_list("campaign", "words"))
    return LobbiesPage(
        [
            open_lobby(campaign, held.get(campaign.pk, []), words.get(campaign.pk, ""))
            for campaign in campaigns
        ]
    )


def open_lobby(campaign: Campaign, places: Iterable[Membership], words: str) -> OpenLobby:
    """Return a campaign that is looking for players."""
    places = list(places)
    scenario, options = positions.scenario(campaign), positions.options(campaign)
    taken = {place.seat for place in places if place.role == Membership.Role.SEAT}
    masters = [place.user.username for place in places if place.role in Membership.MASTERS]
    seats = campaign.game.seats(scenario, options)
    free = [SeatName(seat.key, seat.name) for seat in seats if seat.key not in taken]
    return OpenLobby(
        name=campaign.name,
        url=address("lobby", campaign.address),
        about=_("%(title)s, game master %(gm)s")
        % {"title": positions.plays(campaign), "gm": ", ".join(masters)},
        words=words,
        zone=campaign.time_zone,
        free=free,
        free_text=ngettext(
            "%(free)s of %(seats)s seats free", "%(free)s of %(seats)s seats free", len(free)
        )
        % {"free": len(free), "seats": len(seats)},
        facts=founding_facts(campaign, scenario),
    )


# One lobby


class Applicant(NamedTuple):
    """A user who has applied."""

    name: str
    applied_at: datetime


class SeatChoice(NamedTuple):
    """A seat that can be chosen."""

    key: str
    name: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Wish:
    """A field for a seat, in order of preference."""

    number: int
    label: str
    seats: list[SeatChoice]

    @property
    def is_first(self) -> bool:
        """Whether it is the first preference."""
        return self.number == 1


@dataclass(frozen=True, slots=True)
class Application:
    """The form with which the reader applies."""

    title: str
    free_text: str
    is_seated: bool
    has_applied: bool
    wishes: list[Wish]
    sight: str

    @property
    def verb(self) -> str:
        """The text of the button that sends the application."""
        return (
            pgettext("button", "Change the application")
            if self.has_applied
            else pgettext("lobby", "Apply")
        )


@dataclass(frozen=True, slots=True)
class CurrentLobby:
    """A lobby that is open."""

    words: str
    commitment: str
    application: Application
    applicants: list[Applicant]
    closing_text: str


class DrawnApplicant(NamedTuple):
    """An applicant in the order of the draw, with their seat."""

    name: str
    seat: str
    seat_name: str
    wishes: str
    value: int
    sides: int


@dataclass(frozen=True, slots=True)
class Draw:
    """The last draw: the order of applicants, their dice, and their seats."""

    entry: int | None
    order: list[DrawnApplicant]
    applied: str
    seed: str
    commitment: str


class SeatHolder(NamedTuple):
    """A seat with the name of its holder."""

    key: str
    name: str
    holder: str


@dataclass(frozen=True, slots=True)
class LobbyPage:
    """A campaign's lobby, or its last draw."""

    lobby: CurrentLobby | None
    draw: Draw | None
    opening_text: str
    """A sentence about the consequences of opening the lobby; empty if the reader cannot open it.
    """
    is_host: bool
    played: GameFacts
    seats: list[SeatHolder]

    @property
    def is_closed(self) -> bool:
        """Whether there is neither a lobby nor a draw, and the reader cannot open one."""
        return self.lobby is None and self.draw is None and not self.opening_text


def lobby_page(table: TableContext) -> LobbyPage:
    """Return the page of a campaign's lobby."""
    lobby = founding.current_lobby(table.campaign)
    return LobbyPage(
        lobby=current_lobby(table, lobby) if lobby is not None else None,
        draw=last_draw(table) if lobby is None else None,
        opening_text=opening_text(table) if lobby is None else "",
        is_host=table.host,
        played=game_facts(table),
        seats=[
            SeatHolder(seat.key, seat.name, seat.holder.username if seat.holder is not None else "")
            for seat in table.seats
        ],
    )


def free_seats(table: TableContext) -> list[SeatName]:
    """Return the seats that no one holds."""
    return [SeatName(seat.key, seat.name) for seat in table.seats if seat.holder is None]


def opening_text(table: TableContext) -> str:
    """Return whether an opened lobby would be listed; empty if the reader cannot open it."""
    campaign = table.campaign
    if not table.host or campaign.started or campaign.stopped or not free_seats(table):
        return ""
    if campaign.visibility == Campaign.Visibility.LISTED:
        return _("The lobby will be listed under Open seats.")
    return _("The lobby will not be listed: only people with the address can find it.")


def current_lobby(table: TableContext, lobby: Lobby) -> CurrentLobby:
    """Return the open lobby."""
    applications = list(founding.applicants(lobby).select_related("user"))
    mine = next((row for row in applications if row.user_id == table.user.pk), None)
    free = free_seats(table)
    return CurrentLobby(
        words=lobby.words,
        commitment=lobby.commitment,
        application=application(table, mine, free),
        applicants=[Applicant(row.user.username, row.applied_at) for row in applications],
        closing_text=closing_text(len(applications), len(free)),
    )


def application(
    table: TableContext, mine: ApplicationRow | None, free: Sequence[SeatName]
) -> Application:
    """Return the form with which the reader applies, or changes their application."""
    text = ngettext("%(n)s of %(seats)s free", "%(n)s of %(seats)s free", len(free))
    wishes = [*(mine.preferences if mine is not None else ()), *[""] * len(free)]
    return Application(
        title=_("Your application") if mine is not None else _("Apply for a seat"),
        free_text=text % {"n": len(free), "seats": len(table.seats)},
        is_seated=bool(table.own_seats),
        has_applied=mine is not None,
        wishes=[wish(number, wishes[number - 1], free) for number in range(1, len(free) + 1)],
        sight="" if table.solo else str(SIGHTS[table.campaign.sight]),
    )


def wish(number: int, chosen: str, free: Iterable[SeatName]) -> Wish:
    """Return the field for one preference."""
    return Wish(
        number=number,
        label=_("First choice") if number == 1 else _("Choice %(number)s") % {"number": number},
        seats=[SeatChoice(seat.key, seat.name, seat.key == chosen) for seat in free],
    )


def closing_text(people: int, seats: int) -> str:
    """Return a sentence about the effect of the draw."""
    if not people:
        return _("No one has applied, so the lobby will just close.")
    text = _(
        "Applicants: %(people)s. Free seats: %(seats)s. The dice decide who gets a seat; the others"
        " go on the reserve."
    )
    return text % {"people": people, "seats": seats}


def last_draw(table: TableContext) -> Draw | None:
    """Return the last draw; None if there was none."""
    entry = founding.last_draw(table.campaign)
    if entry is None:
        return None
    content = entry.content
    names = names_of(drawn["user"] for drawn in content["order"])
    applied = [names.get(row["user"], "") for row in content["applications"]]
    return Draw(
        entry=entry.number,
        order=drawn_applicants(table, entry, names),
        applied=", ".join(applied),
        seed=content["seed"],
        commitment=content["commitment"],
    )


def names_of(users: Iterable[int]) -> dict[int, str]:
    """Return the names of users by their ids."""
    rows = get_user_model().objects.filter(pk__in=set(users))
    return dict(rows.values_list("pk", "username"))


def drawn_applicants(
    table: TableContext, entry: LogEntry, names: Mapping[int, str]
) -> list[DrawnApplicant]:
    """Return the applicants in the order of the draw."""
    content: Mapping[str, Any] = entry.content
    wishes = {
        row["user"]: ", ".join(map(table.name_of, row["wishes"])) for row in content["applications"]
    }
    return [
        DrawnApplicant(
            name=names.get(drawn["user"], ""),
            seat=drawn["seat"],
            seat_name=table.name_of(drawn["seat"]),
            wishes=wishes[drawn["user"]],
            value=drawn["value"],
            sides=drawn["sides"],
        )
        for drawn in content["order"]
    ]

"""Build the page of a campaign's seats, which its game masters use."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from campaign import access
from campaign.log.acts.programs import level_word
from campaign.log.selectors import Seat
from campaign.models import Invitation, Membership
from campaign.seats import handover, seating, selectors
from engine.language import sentence
from web.frame import requests
from web.frame.absences import ListedAbsence, listed_absences
from web.frame.table import TableContext, address
from web.practice.levels import LEVELS
from web.seats.forms import DescriptionForm, ProgramForm

ONCE = "invited"
"""The word under which a session keeps a new link until its page has shown it."""
USUAL_LEVEL = "bold"


class SeatName(NamedTuple):
    """A seat's key and name."""

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class NewLink:
    """A link that was made just now. It is shown once."""

    seat: str
    name: str
    secret: str
    here: str
    co: bool


@dataclass(frozen=True, slots=True)
class Occupant:
    """A seat that a user or a program holds."""

    key: str
    name: str
    holder: str


@dataclass(frozen=True, slots=True)
class BeforeStart:
    """What is left to do about seats before the start."""

    count: str
    occupants: list[Occupant]
    text: str
    invite: str
    """The button that makes a link for every free seat; empty if there is no need for one."""
    onward: str
    onward_url: str
    complete: bool
    another_link: bool
    """Whether there is an open link already. The user can make another."""


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat in the list: who holds it, and what can be done with it."""

    key: str
    name: str
    about: str
    holder: str
    """The name of the user who holds the seat."""
    program: str
    """The words for the program that holds the seat."""
    linked: bool
    takes_program: bool
    has_program: bool

    @property
    def invite(self) -> str:
        """Return the button that makes a link to the seat."""
        return _("Make another link") if self.linked else _("Make a link")


class Level(NamedTuple):
    """How well a program plays."""

    key: str
    name: str
    about: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class ProgramChoice:
    """The form by which a program is to hold a free seat."""

    seat: str
    title: str
    levels: list[Level]
    reason: str
    wrong: str


@dataclass(frozen=True, slots=True)
class MadeInvitation:
    """An invitation, and what became of it."""

    number: int
    seat: str
    name: str
    handed_over: bool
    state: str
    tone: str
    open: bool
    made_at: datetime
    made_by: str
    expires_at: datetime
    uses_left: int


@dataclass(frozen=True, slots=True)
class Master:
    """A game master."""

    user: int
    name: str
    role: str
    can_be_dismissed: bool


@dataclass(frozen=True, slots=True)
class Person:
    """A user with another place at the table."""

    user: int
    name: str
    since: datetime


@dataclass(frozen=True, slots=True)
class Heir:
    """A user to whom the campaign can be offered."""

    user: int
    name: str


@dataclass(frozen=True, slots=True)
class Substitute:
    """A user who plays a battle for the holder of a seat."""

    person: str
    seat: str
    name: str
    number: int | None
    url: str


@dataclass(frozen=True, slots=True)
class LobbyLink:
    """The way to the lobby."""

    url: str
    text: str
    verb: str


@dataclass(frozen=True, slots=True)
class SeatsPage:
    """The seats of a campaign, its invitations, and who else has a place in it."""

    new_link: NewLink | None
    before: BeforeStart | None
    seats: list[SeatRow]
    count: str
    free: list[SeatName]
    free_links: str
    program: ProgramChoice | None
    reserve: list[Person]
    invitations: list[MadeInvitation]
    absences: list[ListedAbsence]
    lobby: LobbyLink | None
    masters: list[Master]
    is_chief: bool
    offered_to: str
    heirs: list[Heir]
    countersigners: list[Person]
    substitutes: list[Substitute]
    ends_substitutes: bool
    description: DescriptionForm
    unfolded: bool
    url: str


def seats_page(
    request: HttpRequest,
    table: TableContext,
    description: DescriptionForm,
    program: ProgramForm,
    wrong: str = "",
) -> SeatsPage:
    """Return the page of the seats. `wrong` says why a program could not take a seat."""
    description.offer_choices()
    places = table.places
    invitations = made_invitations(table)
    linked = {invitation.seat for invitation in invitations if invitation.open}
    new_link = take_link(request, table, "seats")
    levels = seating.levels(table.campaign)
    free = [SeatName(seat.key, seat.name) for seat in table.seats if seat.holder is None]
    return SeatsPage(
        new_link=new_link,
        before=before_start(table, linked_any="" in linked, has_new_link=new_link is not None),
        seats=[seat_row(table, seat, linked, offers_program=bool(levels)) for seat in table.seats],
        count=free_count(len(free)),
        free=free,
        free_links=free_links_text(len(free)),
        program=program_choice(table, levels, program, wrong),
        reserve=people_of(places, Membership.Role.RESERVE),
        invitations=invitations,
        absences=listed_absences(table),
        lobby=lobby_link(table),
        masters=masters(table),
        is_chief=table.access.chief,
        offered_to=offered_to(table),
        heirs=heirs(table),
        countersigners=people_of(places, Membership.Role.COUNTERSIGNER),
        substitutes=substitutes(table, places),
        ends_substitutes=table.game_master,
        description=description,
        unfolded=table.campaign.started or bool(description.errors) or bool(wrong),
        url=table.url("seats"),
    )


# Before the start


def before_start(
    table: TableContext, *, linked_any: bool, has_new_link: bool
) -> BeforeStart | None:
    """Return what is left to do before the start; None after it."""
    if table.campaign.started or table.campaign.stopped:
        return None
    held = [seat for seat in table.seats if seat.holder is not None or seat.program]
    missing = len(table.seats) - len(held)
    invites = bool(missing) and not has_new_link
    invite = _("Make a new link for friends") if linked_any else _("Make the link for friends")
    onward, onward_url = onward_link(table)
    return BeforeStart(
        count=_("%(taken)s of %(of)s seats taken") % {"taken": len(held), "of": len(table.seats)},
        occupants=[occupant(seat) for seat in held],
        text=missing_text(missing),
        invite=invite if invites else "",
        onward=onward,
        onward_url=onward_url,
        complete=not missing,
        another_link=invites and linked_any,
    )


def occupant(seat: Seat) -> Occupant:
    """Return a seat with the name of its holder."""
    holder = seat.holder.username if seat.holder is not None else pgettext("seat", "program")
    return Occupant(seat.key, seat.name, holder)


def missing_text(missing: int) -> str:
    """Return how many seats are free, and how to fill them."""
    if not missing:
        return _("Everybody sits: it can start.")
    text = ngettext(
        "One seat is still free: send its link, or let a program play for it.",
        "%(n)s seats are still free: send the link, or let programs play for them.",
        missing,
    )
    return text % {"n": missing}


def onward_link(table: TableContext) -> tuple[str, str]:
    """Return the text and the address for the start; empty for users who cannot start."""
    if table.pages is not None:
        return _("To the board, to begin"), table.home
    if table.game_master:
        return _("To the desk, to start"), table.url("desk")
    return "", ""


# The seats


def free_count(free: int) -> str:
    """Return how many seats are free."""
    return ngettext("%(n)s free", "%(n)s free", free) % {"n": free} if free else _("all taken")


def free_links_text(free: int) -> str:
    """Return what the link to any free seat is good for; empty if no seat is free."""
    if not free:
        return ""
    text = ngettext(
        "One link for %(n)s seat; each person chooses a seat.",
        "One link for %(n)s seats; each person chooses a seat.",
        free,
    )
    return text % {"n": free}


def seat_row(table: TableContext, seat: Seat, linked: set[str], *, offers_program: bool) -> SeatRow:
    """Return a seat of the list."""
    has_holder = seat.holder is not None
    return SeatRow(
        key=seat.key,
        name=seat.name,
        about=seat.info.about,
        holder=seat.holder.username if has_holder else "",
        program=program_of_seat(table, seat),
        linked=seat.key in linked,
        takes_program=not has_holder and not seat.program and offers_program,
        has_program=not has_holder and bool(seat.program),
    )


def program_of_seat(table: TableContext, seat: Seat) -> str:
    """Return the words for the program that holds a seat; empty if none does."""
    if table.campaign.programs:
        return pgettext("seat", "program")
    return _("program: %(level)s") % {"level": seat.program} if seat.program else ""


def program_choice(
    table: TableContext, levels: Collection[str], form: ProgramForm, wrong: str
) -> ProgramChoice | None:
    """Return the form for a program, if the seat that it names is free."""
    asked = form.typed("seat")
    seat = next((seat for seat in table.seats if seat.key == asked and seat.holder is None), None)
    if seat is None or not levels:
        return None
    chosen = form.typed("level") or USUAL_LEVEL
    words = [(key, *LEVELS.get(key, (level_word(key), ""))) for key in levels]
    return ProgramChoice(
        seat=seat.key,
        title=sentence(_("A program for {name:the}"), name=seat.name),
        levels=[Level(key, str(name), str(about), key == chosen) for key, name, about in words],
        reason=form.typed("reason"),
        wrong=wrong,
    )


# Invitations


def made_invitations(table: TableContext) -> list[MadeInvitation]:
    """Return every invitation by link, the newest first."""
    links = table.campaign.invitations.filter(named=None).select_related("made_by")
    return [made_invitation(table, row) for row in links.order_by("-created_at", "-pk")]


def made_invitation(table: TableContext, row: Invitation) -> MadeInvitation:
    """Return an invitation with its state."""
    state, tone = invitation_state(row)
    return MadeInvitation(
        number=row.pk,
        seat=row.seat,
        name=invitation_name(table, row),
        handed_over=row.leaver_id is not None and bool(row.seat),
        state=state,
        tone=tone,
        open=tone == "mine",
        made_at=row.created_at,
        made_by=row.made_by.username,
        expires_at=row.expires_at,
        uses_left=row.uses_left,
    )


def invitation_state(row: Invitation) -> tuple[str, str]:
    """Return what became of an invitation, and the tone of that word."""
    if row.revoked_at is not None:
        return _("revoked"), ""
    if row.uses_left < 1:
        return _("used"), "good"
    if row.expires_at <= timezone.now():
        return _("expired"), ""
    return pgettext("invitation", "open"), "mine"


def invitation_name(table: TableContext, row: Invitation) -> str:
    """Return what an invitation leads to."""
    if row.seat:
        return table.name_of(row.seat)
    if row.role == Membership.Role.CO_GAME_MASTER:
        return _("co-game-master")
    return _("any free seat")


def keep_link(
    request: HttpRequest, table: TableContext, token: str, seat: str, here: str, co: bool = False
) -> None:
    """Keep a new link until the page `here` has shown it. `co`: it is for a co-game-master."""
    url = request.build_absolute_uri(address("join", token))
    name = table.name_of(seat) if seat else ""
    requests.keep_secret(
        request, f"{ONCE} {table.campaign.public_id}", name, url, seat=seat, here=here, co=co
    )


def take_link(request: HttpRequest, table: TableContext, here: str) -> NewLink | None:
    """Return the link that was made just now for this page, once.

    A passer-by could read it on a page that is loaded again.
    """
    kept = requests.take_secret(request, f"{ONCE} {table.campaign.public_id}", here=here)
    if kept is None:
        return None
    facts = kept.facts
    return NewLink(facts["seat"], kept.name, kept.secret, facts["here"], facts["co"])


# Who else has a place


def people_of(places: Iterable[Membership], role: str) -> list[Person]:
    """Return the users who have a role."""
    return [
        Person(place.user_id, place.user.username, place.since)
        for place in places
        if place.role == role
    ]


def master_places(places: Iterable[Membership]) -> list[Membership]:
    """Return the places of the game masters, the chief first."""
    held = [place for place in places if place.role in Membership.MASTERS]
    return sorted(held, key=lambda place: place.role, reverse=True)


def masters(table: TableContext) -> list[Master]:
    """Return the game masters, the chief first."""
    return [
        Master(
            user=place.user_id,
            name=place.user.username,
            role=place.get_role_display(),
            can_be_dismissed=(table.access.chief and place.role == Membership.Role.CO_GAME_MASTER),
        )
        for place in master_places(table.places)
    ]


def offered_to(table: TableContext) -> str:
    """Return the name of the user to whom the campaign is offered; empty if it is not."""
    if not table.access.chief:
        return ""
    offer = handover.offered(table.campaign).select_related("named").first()
    return offer.named.username if offer is not None else ""


def heirs(table: TableContext) -> list[Heir]:
    """Return the users to whom the reader may hand the campaign over."""
    if not table.access.chief:
        return []
    users = selectors.to_campaign(table.campaign, table.places)
    return [Heir(user.pk, user.username) for user in users]


def substitutes(table: TableContext, places: Iterable[Membership]) -> list[Substitute]:
    """Return the substitutes at battles that run."""
    return [
        Substitute(
            person=place.user.username,
            seat=place.seat,
            name=table.name_of(place.seat),
            number=place.contest,
            url=table.url("battle", place.contest),
        )
        for place in access.in_force(table.campaign, places)
    ]


def lobby_url(table: TableContext) -> str:
    """Return where the lobby is opened or drawn; empty if neither is possible.

    The lobby can be opened before the start while seats are free.
    """
    campaign = table.campaign
    free = any(seat.holder is None for seat in table.seats)
    possible = not campaign.started and free and not campaign.stopped
    return table.url("lobby") if campaign.lobby_open or possible else ""


def lobby_link(table: TableContext) -> LobbyLink | None:
    """Return the way to the lobby, if there is one."""
    url = lobby_url(table)
    if not url:
        return None
    if table.campaign.lobby_open:
        return LobbyLink(url, _("People apply. You close it and draw."), _("To the lobby"))
    text = _("Instead of links: people apply for seats, and dice seat them.")
    return LobbyLink(url, text, _("Open the lobby…"))

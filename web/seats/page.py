"""The page of a campaign's seats for its game masters."""

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
from campaign.log.selectors import Seat
from campaign.models import Invitation, Membership
from campaign.seats import handover, seating, selectors
from engine.language import sentence
from web.frame import requests
from web.frame.absences import ListedAbsence, listed_absences
from web.frame.table import TableContext, address
from web.practice.levels import USUAL, level_choices
from web.seats.forms import DescriptionForm, ProgramForm

ONCE = "invited"
"""The key of a session for a new link until its page has shown it."""


class SeatName(NamedTuple):
    """A seat's key and name."""

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class NewLink:
    """A link that has just been created. It is shown once."""

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
    """The tasks about seats before the start."""

    count: str
    occupants: list[Occupant]
    text: str
    invite: str
    """The text of the button that makes a link for every free seat; empty if none is needed."""
    onward: str
    onward_url: str
    complete: bool
    another_link: bool
    """Whether there is already a valid link. The user can make another."""


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat in the list: its holder, and its buttons."""

    key: str
    name: str
    about: str
    holder: str
    """The name of the user who holds the seat."""
    program: str
    """The text for the program that plays the seat."""
    linked: bool
    takes_program: bool
    has_program: bool
    changes_level: bool
    can_be_taken: bool
    """Whether the reader may take the seat at once, because they run the campaign."""

    @property
    def invite(self) -> str:
        """The text of the button that makes a link to the seat."""
        return _("Create another link") if self.linked else pgettext("seats", "Create a link")


class Level(NamedTuple):
    """A level at which a program can play."""

    key: str
    name: str
    about: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class ProgramChoice:
    """The form that lets a program play a free seat."""

    seat: str
    title: str
    about: str
    rule: str
    levels: list[Level]
    reason: str
    wrong: str
    verb: str
    cancel: str


@dataclass(frozen=True, slots=True)
class MadeInvitation:
    """An invitation with its state."""

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
    """A link to the lobby."""

    url: str
    text: str
    verb: str


@dataclass(frozen=True, slots=True)
class SeatsPage:
    """The seats of a campaign, its invitations, and the other people who have a place in it."""

    new_link: NewLink | None
    before: BeforeStart | None
    seats: list[SeatRow]
    count: str
    free: list[SeatName]
    free_links: str
    fill: list[Level]
    """The levels of programs that can play all free seats; empty with fewer than two free seats."""
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
    """Return the page of the seats. `wrong` is the reason why a program could not take a seat."""
    description.offer_choices()
    places = table.places
    invitations = made_invitations(table)
    linked = {invitation.seat for invitation in invitations if invitation.open}
    new_link = take_link(request, table, "seats")
    levels = seating.levels(table.campaign)
    free = [SeatName(seat.key, seat.name) for seat in table.seats if seat.holder is None]
    unplayed = [seat for seat in table.seats if seat.holder is None and not seat.program]
    return SeatsPage(
        new_link=new_link,
        before=before_start(table, linked_any="" in linked, has_new_link=new_link is not None),
        seats=[seat_row(table, seat, linked, offers_program=bool(levels)) for seat in table.seats],
        count=free_count(len(unplayed)),
        free=free,
        free_links=free_links_text(len(free)),
        fill=level_rows(table, levels, "") if len(unplayed) > 1 else [],
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
    """Return the tasks before the start; None after it."""
    if table.campaign.started or table.campaign.stopped:
        return None
    held = [seat for seat in table.seats if seat.holder is not None or seat.program]
    missing = len(table.seats) - len(held)
    invites = bool(missing) and not has_new_link
    invite = _("Create a new link for friends") if linked_any else _("Create the link for friends")
    onward, onward_url = onward_link(table, missing)
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
    level = pgettext("seats", "program: %(level)s") % {"level": seat.program}
    holder = seat.holder.username if seat.holder is not None else level
    return Occupant(seat.key, seat.name, holder)


def missing_text(missing: int) -> str:
    """Return a sentence about the free seats, and how to fill them."""
    if not missing:
        return _("All seats are taken. The campaign can start.")
    text = ngettext(
        "One seat is still free. Send its link, or let a program play it.",
        "%(n)s seats are still free. Send the link, or let programs play them.",
        missing,
    )
    return text % {"n": missing}


def onward_link(table: TableContext, missing: int) -> tuple[str, str]:
    """Return the text and the address of the link to the start; empty if the user cannot start."""
    if table.pages is None and not table.game_master:
        return "", ""
    if missing:
        return _("Start the game…"), table.url("start")
    if table.pages is not None:
        return _("Go to the board and start"), table.home
    return _("Go to the desk and start"), table.url("desk")


# The seats


def free_count(free: int) -> str:
    """Return the number of free seats in words."""
    return ngettext("%(n)s free", "%(n)s free", free) % {"n": free} if free else _("all taken")


def free_links_text(free: int) -> str:
    """Return a sentence about the link to any free seat; empty if no seat is free."""
    if not free:
        return ""
    text = ngettext(
        "One link for %(n)s seat.",
        "One link for %(n)s seats; each person chooses a seat.",
        free,
    )
    return text % {"n": free}


def seat_row(table: TableContext, seat: Seat, linked: set[str], *, offers_program: bool) -> SeatRow:
    """Return a seat as a line of the list."""
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
        changes_level=not has_holder and bool(seat.program) and offers_program,
        can_be_taken=not has_holder and not table.own_seats and offers_program,
    )


def program_of_seat(table: TableContext, seat: Seat) -> str:
    """Return the text for the program that plays a seat; empty if there is none."""
    if table.campaign.programs:
        return pgettext("seat", "program")
    return pgettext("seats", "program: %(level)s") % {"level": seat.program} if seat.program else ""


def program_choice(
    table: TableContext, levels: Collection[str], form: ProgramForm, wrong: str
) -> ProgramChoice | None:
    """Return the form for a program; None unless the seat that it names is free."""
    asked = form.text_of("seat")
    seat = next((seat for seat in table.seats if seat.key == asked and seat.holder is None), None)
    if seat is None or not levels:
        return None
    held = table.program_levels.get(seat.key, "")
    title = _("Level of the program of {name:the}") if held else _("A program for {name:the}")
    return ProgramChoice(
        seat=seat.key,
        title=sentence(title, name=seat.name),
        about=program_text(table),
        rule="11" if table.pages is None else "",
        levels=level_rows(table, levels, form.text_of("level") or held),
        reason=form.text_of("reason"),
        wrong=wrong,
        verb=_("Change the level") if held else _("Let a program play the seat"),
        cancel=_("Keep the level") if held else _("Leave the seat free"),
    )


def program_text(table: TableContext) -> str:
    """Return what a program does for a seat."""
    if table.pages is None:
        return _(
            "The program takes this seat’s turns and answers its challenges. Its battles are "
            "fought by the opponent alone, on empire difficulty. Anyone who takes the seat "
            "replaces the program."
        )
    return _(
        "The program makes the seat’s moves by itself, as soon as it is the seat’s turn. Anyone "
        "who takes the seat replaces the program."
    )


def level_rows(table: TableContext, levels: Collection[str], chosen: str) -> list[Level]:
    """Return the levels for a form; without a chosen level, the usual level is chosen."""
    players = seating.seat_players(table.campaign.title)
    if players is None or not levels:
        return []
    usual = USUAL if USUAL in levels else list(levels)[-1]
    return [
        Level(choice.key, choice.name, choice.about, choice.key == (chosen or usual))
        for choice in level_choices(players)
    ]


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
    """Return the state of an invitation, and its tone."""
    if row.revoked_at is not None:
        return pgettext("state", "revoked"), ""
    if row.uses_left < 1:
        return _("used"), "good"
    if row.expires_at <= timezone.now():
        return _("expired"), ""
    return pgettext("invitation", "open"), "mine"


def invitation_name(table: TableContext, row: Invitation) -> str:
    """Return the seat or the role for which an invitation is."""
    if row.seat:
        return table.name_of(row.seat)
    if row.role == Membership.Role.CO_GAME_MASTER:
        return pgettext("seats", "co-game-master")
    return _("any free seat")


def keep_link(
    request: HttpRequest, table: TableContext, token: str, seat: str, here: str, co: bool = False
) -> None:
    """Keep a new link until the page `here` shows it. `co`: whether it is for a co-game-master."""
    url = request.build_absolute_uri(address("join", token))
    name = table.name_of(seat) if seat else ""
    requests.keep_secret(
        request, f"{ONCE} {table.campaign.public_id}", name, url, seat=seat, here=here, co=co
    )


def take_link(request: HttpRequest, table: TableContext, here: str) -> NewLink | None:
    """Return the link that has just been created for this page. It is returned only once.

    Otherwise a passer-by could read it when the page is loaded again.
    """
    kept = requests.take_secret(request, f"{ONCE} {table.campaign.public_id}", here=here)
    if kept is None:
        return None
    facts = kept.facts
    return NewLink(facts["seat"], kept.name, kept.secret, facts["here"], facts["co"])


# Other people with a place


def people_of(places: Iterable[Membership], role: str) -> list[Person]:
    """Return the users with a role."""
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
    offer = handover.campaign_offer(table.campaign).select_related("named").first()
    return offer.named.username if offer is not None else ""


def heirs(table: TableContext) -> list[Heir]:
    """Return the users to whom the reader may hand the campaign over."""
    if not table.access.chief:
        return []
    users = selectors.campaign_heirs(table.campaign, table.places)
    return [Heir(user.pk, user.username) for user in users]


def substitutes(table: TableContext, places: Iterable[Membership]) -> list[Substitute]:
    """Return the substitutes in running battles."""
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
    """Return the page on which the lobby can be opened or drawn; empty if neither is possible.

    The lobby can be opened before the start while seats are free.
    """
    campaign = table.campaign
    free = any(seat.holder is None for seat in table.seats)
    possible = not campaign.started and free and not campaign.stopped
    return table.url("lobby") if campaign.lobby_open or possible else ""


def lobby_link(table: TableContext) -> LobbyLink | None:
    """Return the link to the lobby; None if there is none."""
    url = lobby_url(table)
    if not url:
        return None
    if table.campaign.lobby_open:
        return LobbyLink(
            url,
            _("People are applying for seats. When you close the lobby, the seats are drawn."),
            pgettext("seats", "Open the lobby page"),
        )
    text = _("Instead of using links, you can let people apply for seats and draw them by dice.")
    return LobbyLink(url, text, pgettext("seats", "Open the lobby…"))

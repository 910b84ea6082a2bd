"""The page of an invitation: the campaign, and the form that takes the seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign import rulebook
from campaign.clocks import selectors as clock_terms
from campaign.dates import written
from campaign.log import positions
from campaign.log.acts.clocks import length_words
from campaign.log.acts.words import SIGHTS
from campaign.log.selectors import Seat
from campaign.models import Campaign, Invitation, Membership
from campaign.seats.seating import free_seats
from engine.language import sentence
from forum.posts import outbox
from games.contract.rules import HouseRule
from people.forms import InvitedSignUp
from web.clocks import turn_timeline
from web.dice.trust import Chance, chance_sheet
from web.frame.layout import seat_styles
from web.frame.table import TableContext
from web.lobby.game_facts import Fact, founding_facts, title_text
from web.seats.contract import Start
from web.titles.contract import pages_of


@dataclass(frozen=True, slots=True)
class SeatChoice:
    """A seat as the invitation lists it."""

    key: str
    name: str
    text: str
    """The holder of the seat, or else the things with which it begins."""
    free: bool
    chosen: bool
    is_offered: bool
    holder: str
    program: str

    @property
    def state(self) -> str:
        """The text for a seat without a user."""
        if self.program:
            return pgettext("state", "program: %(level)s") % {"level": self.program}
        return pgettext("seat", "open")


@dataclass(frozen=True, slots=True)
class OfferedSeat:
    """The seat of an invitation."""

    key: str
    about: str
    leaver: str
    """The user who hands the seat over; empty if the seat is free."""


@dataclass(frozen=True, slots=True)
class Buttons:
    """The texts of the form that takes the place or the seat."""

    take: str
    sign_up: str
    sign_in: str


@dataclass(frozen=True, slots=True)
class InvitationPage:
    """A valid invitation."""

    name: str
    invites: str
    plays: str
    taken_text: str
    start: Start | None
    master: bool
    seat: OfferedSeat | None
    title: str
    note: str
    seats: list[SeatChoice]
    seats_text: str
    needs_account: bool
    username: str
    form: InvitedSignUp
    url: str
    sign_in_url: str
    buttons: Buttons
    title_text: str
    facts: list[Fact]
    thread: str
    sight: str
    time_zone: str
    house_rules: Sequence[HouseRule]
    chance: Chance
    seat_styles: Mapping[str, str]
    rules_url: str
    """The rules that the reader may open; empty if there are none."""

    @property
    def thread_host(self) -> str:
        """The host name of the thread."""
        return urlsplit(self.thread).hostname or ""

    @property
    def chooses(self) -> bool:
        """Whether the reader chooses a seat."""
        return self.seat is None and not self.master


@dataclass(frozen=True, slots=True)
class RefusedPage:
    """The reason why an invitation cannot be used."""

    text: str
    campaign_url: str


def invitation_page(
    request: HttpRequest,
    table: TableContext,
    row: Invitation,
    chosen: str,
    form: InvitedSignUp | None = None,
) -> InvitationPage:
    """Return the page of an invitation. `chosen` is the seat that was chosen in the form."""
    campaign = table.campaign
    seat = next((seat for seat in table.seats if seat.key == row.seat), None)
    master = row.role != Membership.Role.SEAT
    free = free_seats(campaign)
    start = start_of(campaign, row.seat)
    onward = urlencode({"next": reverse("invitation")})
    return InvitationPage(
        name=campaign.name,
        invites=invites_text(row, seat),
        plays=plays_text(table),
        taken_text=taken_text(len(table.seats) - len(free)),
        start=start,
        master=master,
        seat=offered_seat(table, row, seat),
        title=heading(master, seat),
        note=heading_note(table, row, len(free)),
        seats=[seat_choice(seat, row.seat, free, chosen, start) for seat in table.seats],
        seats_text=_("%(taken)s of %(seats)s taken")
        % {"taken": len(table.seats) - len(free), "seats": len(table.seats)},
        needs_account=not request.user.is_authenticated or request.user.guest,
        username=request.user.get_username(),
        form=form or InvitedSignUp(),
        url=reverse("invitation"),
        sign_in_url=f"{reverse('account_login')}?{onward}",
        buttons=buttons(master),
        title_text=title_text(table),
        facts=[*founding_facts(campaign, positions.scenario(campaign)), *times(table)],
        thread=thread_of(campaign),
        sight=str(SIGHTS[campaign.sight]),
        time_zone=campaign.time_zone,
        house_rules=rulebook.house_rules(campaign, table.scenario),
        chance=chance_sheet(campaign),
        seat_styles=seat_styles(table),
        rules_url=rules_address(table),
    )


def rules_address(table: TableContext) -> str:
    """Return the rules that the reader may open: the campaign's own, or else the title's."""
    campaign = table.campaign
    if not rulebook.rules_text(campaign.title):
        return ""
    if campaign.visibility != campaign.Visibility.MEMBERS or table.access.member:
        return table.url("campaign_rules")
    return reverse("rules", args=[campaign.title])


# The heading


def invites_text(row: Invitation, seat: Seat | None) -> str:
    """Return the text with the inviting user and the seat."""
    host = row.made_by.username
    if seat is not None:
        return sentence(_("{host} is inviting you to lead {name:the}"), host=host, name=seat.name)
    if row.role != Membership.Role.SEAT:
        return _("%(host)s is inviting you") % {"host": host}
    return _("%(host)s is inviting you to take a free seat") % {"host": host}


def plays_text(table: TableContext) -> str:
    """Return the game and the number of players in words."""
    facts = {"name": positions.plays(table.campaign), "seats": len(table.seats)}
    return _("%(name)s, for %(seats)s players.") % facts


def taken_text(taken: int) -> str:
    """Return the number of taken seats in words."""
    if taken == 0:
        return _("No one has taken a seat yet.")
    if taken == 1:
        return _("One seat is taken.")
    return _("%(taken)s players have taken a seat.") % {"taken": taken}


def heading(master: bool, seat: Seat | None) -> str:
    """Return the heading of the form."""
    if master:
        return _("Co-game-master")
    if seat is not None:
        return sentence(_("The seat of {name:the}"), name=seat.name)
    return _("Choose a seat")


def heading_note(table: TableContext, row: Invitation, free: int) -> str:
    """Return until when the place is reserved, or how many seats are open."""
    if row.seat or row.role != Membership.Role.SEAT:
        day = written(timezone.localtime(row.expires_at), "j M")
        return _("reserved for you until %(day)s") % {"day": day}
    return _("%(n)s of %(seats)s open") % {"n": free, "seats": len(table.seats)}


def buttons(master: bool) -> Buttons:
    """Return the texts of the form."""
    if master:
        return Buttons(
            take=_("Become co-game-master"),
            sign_up=_("Create an account and accept"),
            sign_in=_("Sign in and accept"),
        )
    return Buttons(
        take=_("Take the seat"),
        sign_up=_("Create an account and take the seat"),
        sign_in=_("Sign in and take the seat"),
    )


# The seats


def offered_seat(table: TableContext, row: Invitation, seat: Seat | None) -> OfferedSeat | None:
    """Return the seat of the invitation; None if the reader chooses one."""
    if seat is None:
        return None
    leavers = table.holders(seat.key) if row.leaver_id is not None else []
    return OfferedSeat(seat.key, seat.info.about, ", ".join(leavers))


def seat_choice(
    seat: Seat, offered: str, free: Sequence[str], chosen: str, start: Start | None
) -> SeatChoice:
    """Return a seat as a choice."""
    holder = seat.holder.username if seat.holder is not None else ""
    begins = start.begins.get(seat.key, "") if start is not None else ""
    if holder:
        text = _("taken by %(name)s") % {"name": holder}
    elif start is not None and start.begins:
        text = begins
    else:
        text = seat.info.about
    is_free = seat.key in free
    return SeatChoice(
        key=seat.key,
        name=seat.name,
        text=text,
        free=is_free,
        chosen=is_free and seat.key == chosen,
        is_offered=seat.key == offered,
        holder=holder,
        program=seat.program,
    )


# The game


def start_of(campaign: Campaign, seat: str) -> Start | None:
    """Return the title's picture of the start; None if it has none."""
    shown = pages_of(campaign.title).invitation
    return None if shown is None else shown.invitation(campaign, seat)


def thread_of(campaign: Campaign) -> str:
    """Return the address of the campaign's thread; empty if there is none."""
    settings = (thread.settings for thread in outbox.threads(campaign))
    return next((str(thread["address"]) for thread in settings if thread.get("address")), "")


def times(table: TableContext) -> list[Fact]:
    """Return facts about the time that players have, and about late players."""
    terms = clock_terms.terms_of(table.campaign)
    slot, battle = terms[clock_terms.SLOT], terms[clock_terms.BATTLE]
    facts = []
    if slot:
        text = _("to be completed within %(time)s") % {"time": length_words(slot.length)}
        facts.append((pgettext("seats", "Your turn"), text))
    if battle and turn_timeline.fights(table):
        text = _("to be fought within %(time)s") % {"time": length_words(battle.length)}
        facts.append((pgettext("seats", "A battle"), text))
    if slot:
        facts.append((_("If you are late"), late_text(slot)))
    return facts


def late_text(slot: clock_terms.Terms) -> str:
    """Return what happens when the time of a slot is up."""
    if slot.reminds == clock_terms.SILENT:
        return (
            _("your turn ends automatically")
            if slot.acts
            else pgettext("seats", "the game master decides")
        )
    if slot.acts:
        return _("you are reminded, then your turn ends automatically")
    return _("you are reminded, then the game master decides")

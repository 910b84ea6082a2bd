"""The views of a campaign's seats, of a seat's notes and hand-over, and of hidden hands."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext
from django.views.decorators.http import require_http_methods, require_safe

from campaign import access, services
from campaign.errors import NoteChanged, Refused, TableError
from campaign.models import GAME_MASTER, AccessLogEntry, Invitation
from campaign.seats import handover as mastering
from campaign.seats import seating, selectors
from engine.language import sentence
from people.models import User, find_by_name
from web.frame.campaign_page import campaign_page, see_other, show
from web.frame.raw_forms import form_key
from web.frame.requests import inside_this_site
from web.frame.table import TableContext
from web.seats import hidden_hands
from web.seats.forms import (
    CountersignerForm,
    DescriptionForm,
    FillForm,
    InvitationForm,
    LookForm,
    NoteForm,
    PersonForm,
    ProgramForm,
    ProgramQuery,
    SeatForm,
    TurnQuery,
)
from web.seats.handover import handover_page, seat_url
from web.seats.hidden_hands import ALL_HANDS, access_log_page
from web.seats.notes import notes_page
from web.seats.page import keep_link, seats_page

LINK_MADE = gettext_lazy("Link created. It is shown only once.")
FIELDS = {"bad-name": "name", "bad-time-zone": "time_zone", "bad-visibility": "visibility"}
"""The field of the description for each error of the service."""


@campaign_page
def seats(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Show the seats; a POST does `describe`, `program`, or one of `ACTIONS`.

    `?program=` opens the form that lets a program play a seat.
    """
    do = form_key(request)
    if request.method == "POST" and do == "vacate":
        return do_action(request, table, vacate)
    table.must_be_host()
    if request.method == "POST" and do == "describe":
        return describe(request, table)
    if request.method == "POST" and do == "program":
        return let_program(request, table)
    if request.method == "POST":
        action = ACTIONS.get(do)
        return do_action(request, table, action) if action else redirect(table.url("seats"))
    return show_seats(request, table)


def show_seats(
    request: HttpRequest,
    table: TableContext,
    description: DescriptionForm | None = None,
    program: ProgramForm | None = None,
    wrong: str = "",
) -> HttpResponse:
    """Show the seats, with a refused form if there is one."""
    refused = description is not None or bool(wrong)
    if program is None:
        seat = ProgramQuery(request.GET).text_of("program")
        program = ProgramForm({**request.GET.dict(), "seat": seat})
    if description is None:
        campaign = table.campaign
        description = DescriptionForm(
            initial={
                "name": campaign.name,
                "time_zone": campaign.time_zone,
                "visibility": campaign.visibility,
            }
        )
    page = seats_page(request, table, description, program, wrong)
    status = 422 if refused else 200
    return show(request, table, "seats/seats.html", {"page": page}, tab="seats", status=status)


def describe(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Change the campaign's name, its time zone, and its visibility."""
    form = DescriptionForm(request.POST)
    try:
        table.campaign = services.change_description(
            table.campaign,
            table.user,
            name=form.text_of("name"),
            time_zone=form.text_of("time_zone"),
            visibility=form.text_of("visibility"),
        )
    except TableError as error:
        form.add_error(FIELDS.get(error.code, "name"), str(error))
        return show_seats(request, table, description=form)
    messages.success(request, pgettext("notice", "Saved."))
    return redirect(table.url("seats"))


def let_program(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Let a program play a free seat."""
    form = ProgramForm(request.POST)
    seat, had_program = form.text_of("seat"), form.text_of("seat") in table.program_levels
    try:
        services.let_program(
            table.campaign, table.user, seat, form.text_of("level"), form.text_of("reason")
        )
    except TableError as error:
        if error.status == 403:
            raise
        return show_seats(request, table, program=form, wrong=str(error))
    text = sentence(
        _("The program of {name:the} now plays at another level.")
        if had_program
        else _("A program now plays {name:the}."),
        name=table.name_of(seat),
    )
    messages.success(request, text)
    return redirect(table.url("seats"))


# Actions of the buttons. Each returns the message for the reader.

Act = Callable[[HttpRequest, TableContext], str]


def do_action(request: HttpRequest, table: TableContext, action: Act) -> HttpResponse:
    """Do an action and redirect to the seats, or to the table if the user may not see the seats.

    After a seat was freed, the page asks whether a program is to play it.
    """
    onward = table.url("seats") if table.host else table.home
    try:
        messages.success(request, action(request, table))
        if action is vacate and table.host and seating.levels(table.campaign):
            onward += f"?{urlencode({'program': SeatForm(request.POST).text_of('seat')})}#program"
    except TableError as error:
        if error.status == 403:
            raise
        messages.error(request, str(error))
    return redirect(onward)


def vacate(request: HttpRequest, table: TableContext) -> str:
    """Free a seat."""
    seat = SeatForm(request.POST).text_of("seat")
    services.vacate(table.campaign, table.user, seat)
    return sentence(_("The seat of {name:the} is free."), name=table.name_of(seat))


def invite(request: HttpRequest, table: TableContext) -> str:
    """Make a link to a seat, or to every free seat."""
    seat = SeatForm(request.POST).text_of("seat")
    free = len([seat for seat in table.seats if seat.holder is None])
    _row, token = services.invite(table.campaign, table.user, seat, 1 if seat else free or 1)
    keep_link(request, table, token, seat, "seats")
    return str(LINK_MADE)


def give(request: HttpRequest, table: TableContext) -> str:
    """Make a link with which another user takes over a seat."""
    seat = SeatForm(request.POST).text_of("seat")
    _row, token = services.hand_over_link(table.campaign, table.user, seat)
    keep_link(request, table, token, seat, "seats")
    return str(LINK_MADE)


def invite_master(request: HttpRequest, table: TableContext) -> str:
    """Make a link for a co-game-master."""
    _row, token = services.invite_master(table.campaign, table.user)
    keep_link(request, table, token, "", "seats", co=True)
    return str(LINK_MADE)


def revoke(request: HttpRequest, table: TableContext) -> str:
    """Revoke an invitation."""
    number = InvitationForm(request.POST).number_of("invitation")
    rows = Invitation.objects.filter(campaign=table.campaign)
    row = rows.filter(pk=number).first() if number is not None else None
    if row is None:
        raise TableError("no-such-invitation", _("This invitation does not exist."))
    services.revoke(row, table.user)
    return _("The link no longer works.")


def person_of(form: PersonForm) -> User:
    """Return the user whom a form names. Raises `TableError` if there is none."""
    number = form.number_of("person")
    user = User.objects.filter(pk=number).first() if number is not None else None
    if user is None:
        raise TableError("no-such-person", _("This person is not a member of the campaign."))
    return user


def seat_person(request: HttpRequest, table: TableContext) -> str:
    """Give a free seat to a user who waits for a seat."""
    form = PersonForm(request.POST)
    user, seat = person_of(form), form.text_of("seat")
    services.seat_reserve(table.campaign, table.user, user.pk, seat)
    text = _("{person} now has the seat of {name:the}.")
    return sentence(text, person=user.username, name=table.name_of(seat))


def dismiss_master(request: HttpRequest, table: TableContext) -> str:
    """Dismiss a co-game-master."""
    user = person_of(PersonForm(request.POST))
    services.leave_masters(table.campaign, table.user, user)
    return _("%(name)s is no longer a co-game-master.") % {"name": user.username}


def offer_campaign(request: HttpRequest, table: TableContext) -> str:
    """Offer the campaign to another game master."""
    user = person_of(PersonForm(request.POST))
    services.offer_campaign(table.campaign, table.user, user)
    text = _("%(name)s has received your offer. Until they accept, you are the game master.")
    return text % {"name": user.username}


def keep_campaign(request: HttpRequest, table: TableContext) -> str:
    """Withdraw the offer of the campaign."""
    offer = mastering.campaign_offer(table.campaign).first()
    if offer is not None:
        services.revoke(offer, table.user)
    return _("Offer withdrawn. You keep the campaign.")


def name_countersigner(request: HttpRequest, table: TableContext) -> str:
    """Ask a user to countersign."""
    user = find_by_name(CountersignerForm(request.POST).text_of("name"))
    if user is None:
        raise TableError(
            "no-such-person",
            _("There is no user with this name. Enter the exact user name."),
        )
    services.name_countersigner(table.campaign, table.user, user)
    return _("%(name)s is now a countersigner and has been notified.") % {"name": user.username}


def dismiss_countersigner(request: HttpRequest, table: TableContext) -> str:
    """Dismiss a countersigner."""
    user = person_of(PersonForm(request.POST))
    services.dismiss_countersigner(table.campaign, table.user, user)
    return _("%(name)s is no longer a countersigner.") % {"name": user.username}


def take_program_away(request: HttpRequest, table: TableContext) -> str:
    """Free a seat that a program plays."""
    seat = SeatForm(request.POST).text_of("seat")
    services.take_program_away(table.campaign, table.user, seat)
    return sentence(_("The program no longer plays {name:the}."), name=table.name_of(seat))


def fill(request: HttpRequest, table: TableContext) -> str:
    """Let programs of one level play all free seats."""
    level = FillForm(request.POST).text_of("level")
    chosen = {seat.key: level for seat in table.seats}
    seats = services.fill_with_programs(table.campaign, table.user, chosen)
    if not seats:
        raise Refused("taken", _("No seat is free any more."))
    text = ngettext(
        "A program now plays the free seat.", "Programs now play %(n)s seats.", len(seats)
    )
    return text % {"n": len(seats)}


def take(request: HttpRequest, table: TableContext) -> str:
    """Take a free seat, or the seat of a program, as the game master."""
    seat = SeatForm(request.POST).text_of("seat")
    services.take_seat_as_master(table.campaign, table.user, seat)
    return sentence(_("You now have the seat of {name:the}."), name=table.name_of(seat))


ACTIONS: dict[str, Act] = {
    "fill": fill,
    "take": take,
    "invite": invite,
    "revoke": revoke,
    "give": give,
    "co": invite_master,
    "dismiss": dismiss_master,
    "offer": offer_campaign,
    "keep": keep_campaign,
    "seat": seat_person,
    "countersigner": name_countersigner,
    "no-countersigner": dismiss_countersigner,
    "take-program": take_program_away,
}


# Notes and hand-over


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def notes(request: HttpRequest, table: TableContext, seat: str) -> HttpResponse:
    """Show a seat's notes to its holder; a POST writes them."""
    must_be_seat(table, seat)
    status = 200
    page = notes_page(table, request.user, seat)
    if request.method == "POST":
        form = NoteForm(request.POST)
        try:
            services.write_note(
                table.campaign,
                request.user,
                seat,
                form.text_of("text"),
                left=form.leaves,
                version=form.read_version,
            )
        except (Refused, NoteChanged) as error:
            page = notes_page(table, request.user, seat, form, error)
            status = error.status if error.status == 409 else 422
        else:
            messages.success(request, pgettext("notice", "Saved."))
            return redirect(table.url("seat_notes", seat))
    return show(
        request, table, "seats/notes.html", {"page": page}, tab=f"nation-{seat}", status=status
    )


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def handover(request: HttpRequest, table: TableContext, seat: str) -> HttpResponseBase:
    """Show a new holder what was handed over with the seat; a POST records that they have read it.

    `?turn=N` lists the entries from turn N on.
    """
    must_be_seat(table, seat)
    handed = selectors.handover_of(table.campaign, request.user, seat)
    if request.method == "POST":
        services.dismiss_handover(table.campaign, request.user, seat)
        return redirect(seat_url(table, seat))
    if handed is None:
        return redirect(seat_url(table, seat))
    page = handover_page(table, seat, handed, TurnQuery(request.GET).number_of("turn"))
    return show(request, table, "seats/handover.html", {"page": page}, tab=f"nation-{seat}")


def must_be_seat(table: TableContext, seat: str) -> None:
    """Raise `Http404` if the campaign has no such seat."""
    if seat not in table.names or seat == GAME_MASTER:
        raise Http404


# Hidden hands


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def open_hands(request: HttpRequest, table: TableContext, seat: str) -> HttpResponseBase:
    """Open the hand of a seat, or of `all`, to the game master for an hour.

    Its holder can read this. A POST with `do=close` closes all hands. A GET opens nothing.
    """
    if seat != ALL_HANDS:
        must_be_seat(table, seat)
    table.must_be_game_master()
    form = LookForm(request.POST)
    back = way_back(request, table, seat, form)
    if request.method != "POST" or not access.hides(table.campaign):
        return see_other(back)
    if form.closes:
        hidden_hands.close_hands(table)
        return see_other(back)
    held = [
        other.key
        for other in table.seats
        if other.holder is not None and seat in (ALL_HANDS, other.key)
    ]
    for key in held:
        services.log_access(table.campaign, table.user, key, AccessLogEntry.Way.HAND)
    hidden_hands.open_hands(table, held)
    return see_other(back)


def way_back(request: HttpRequest, table: TableContext, seat: str, form: LookForm) -> str:
    """Return the page that asked, or else the seat's page."""
    if back := inside_this_site(request, form.text_of("back"), f"/c/{table.ref}/"):
        return back
    return table.home if seat == ALL_HANDS or table.pages is not None else table.url("nation", seat)


@require_safe
@campaign_page
def access_log(request: HttpRequest, table: TableContext, seat: str) -> HttpResponse:
    """Show the users who have looked at the hand of a seat."""
    must_be_seat(table, seat)
    if table.solo:
        raise Http404
    if seat not in table.own_seats and not table.game_master:
        raise PermissionDenied(_("Only the holder of a seat can see who has looked at its hand."))
    page = access_log_page(table, seat)
    return show(request, table, "seats/access_log.html", {"page": page}, tab=f"nation-{seat}")

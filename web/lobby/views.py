"""The views of the page About, of lobbies, and of halls of fame."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from campaign import access, practice, services
from campaign.errors import TableError
from campaign.log import selectors
from campaign.models import Campaign
from campaign.seats import handover
from campaign.seats import selectors as seats_selectors
from engine.language import sentence
from games.registry import TITLES
from people.models import User
from web.frame import requests, throttle
from web.frame.campaign_page import campaign_page, show
from web.frame.play_again import NEW_DICE, SAME_DICE
from web.frame.raw_forms import form_key
from web.frame.table import TableContext, address
from web.lobby.about import about_page
from web.lobby.choices import VISIBILITIES
from web.lobby.forms import AboutForm, ApplicationForm, LobbyForm
from web.lobby.hall import hall_page
from web.lobby.life import shift
from web.lobby.lobby import lobbies_page, lobby_page
from web.seats.page import keep_link
from web.tasks import ask_to_play_on


@campaign_page
def about(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Show the About page; a POST carries out one of `ACTIONS`."""
    if request.method != "POST":
        return show(
            request, table, "lobby/about.html", {"page": about_page(request, table)}, tab="about"
        )
    if not request.user.is_authenticated:
        return redirect_to_login(request.path)
    action = ACTIONS.get(form_key(request))
    if action is None:
        return redirect(table.url("about"))
    form, onward = AboutForm(request.POST), ""
    try:
        onward = action(request, table, form)
    except TableError as error:
        if error.status in (403, 404):
            raise
        messages.error(request, str(error))
    back = "desk" if form.returns_to_desk and table.game_master else "about"
    return redirect(onward or table.url(back))


# Actions of the buttons. Each returns the address of the next page; empty: this page again.

Act = Callable[[HttpRequest, TableContext, AboutForm], str]


def accept(request: HttpRequest, table: TableContext, form: AboutForm) -> str:
    """Accept the campaign."""
    services.accept_campaign(table.campaign, request.user)
    messages.success(request, _("You are now the game master of this campaign."))
    return ""


def decline(request: HttpRequest, table: TableContext, form: AboutForm) -> str:
    """Decline the campaign."""
    offer = handover.campaign_offer(table.campaign).filter(named=request.user).first()
    if offer is not None:
        services.revoke(offer, request.user)
        messages.success(request, _("Offer declined. The game master stays the same."))
    return ""


def offer_seat(request: HttpRequest, table: TableContext, form: AboutForm) -> str:
    """Offer the reader's seat to another user."""
    number = form.number_of("person")
    user = User.objects.filter(pk=number).first() if number is not None else None
    if user is None:
        raise TableError("no-such-person", _("This person is not a member of the campaign."))
    services.offer_seat(table.campaign, request.user, form.text_of("seat"), user)
    text = _("%(name)s has received your offer. Until they accept, you keep the seat.")
    messages.success(request, text % {"name": user.username})
    return ""


def known_seat(table: TableContext, form: AboutForm) -> str:
    """Return the seat of a form if the campaign has it; otherwise an empty text."""
    asked = form.text_of("seat")
    return asked if any(seat.key == asked for seat in table.seats) else ""


def accept_seat(request: HttpRequest, table: TableContext, form: AboutForm) -> str:
    """Accept a seat from its holder."""
    seat = known_seat(table, form)
    services.accept_seat(table.campaign, request.user, seat)
    text = sentence(_("You now have the seat of {name:the}."), name=table.name_of(seat))
    messages.success(request, text)
    handed = seats_selectors.handover_of(table.campaign, request.user, seat)
    return table.url("handover", seat) if handed else ""


def decline_seat(request: HttpRequest, table: TableContext, form: AboutForm) -> str:
    """Decline a seat that its holder offers."""
    offers = handover.seat_offers(table.campaign)
    offer = offers.filter(named=request.user, seat=known_seat(table, form)).first()
    if offer is not None:
        services.revoke(offer, request.user)
        messages.success(request, _("Offer declined. The seat stays with its holder."))
    return ""


def leave(request: HttpRequest, table: TableContext, form: AboutForm) -> str:
    """Leave the reader's seat, to a program if the form names its level."""
    seat, level = form.text_of("seat"), form.text_of("level")
    if level:
        services.leave_to_program(table.campaign, request.user, seat, level)
        text = _("A program now plays {name:the}.")
    else:
        services.vacate(table.campaign, request.user, seat)
        text = _("The seat of {name:the} is free.")
    messages.success(request, sentence(text, name=table.name_of(seat)))
    return front_if_hidden(request, table)


def take_back(request: HttpRequest, table: TableContext, form: AboutForm) -> str:
    """Take a seat again that the reader has left to a program."""
    seat = known_seat(table, form)
    services.take_back(table.campaign, request.user, seat)
    text = sentence(_("You now have the seat of {name:the}."), name=table.name_of(seat))
    messages.success(request, text)
    return table.home


def give(request: HttpRequest, table: TableContext, form: AboutForm) -> str:
    """Make a link with which another user takes over the reader's seat."""
    seat = form.text_of("seat")
    _row, token = services.hand_over_link(table.campaign, request.user, seat)
    keep_link(request, table, token, seat, "about")
    return ""


def wait(request: HttpRequest, table: TableContext, form: AboutForm) -> str:
    """Wait for a seat."""
    services.join_waiting_list(table.campaign, request.user)
    text = _("You are waiting for a seat. The game master can seat you when one becomes free.")
    messages.success(request, text)
    return ""


def stop_waiting(request: HttpRequest, table: TableContext, form: AboutForm) -> str:
    """Stop waiting for a seat."""
    services.leave_waiting_list(table.campaign, request.user)
    messages.success(request, _("You are no longer waiting for a seat."))
    return front_if_hidden(request, table)


def stop_countersigning(request: HttpRequest, table: TableContext, form: AboutForm) -> str:
    """Stop countersigning."""
    services.dismiss_countersigner(table.campaign, request.user, request.user)
    text = _(
        "You are no longer a countersigner. Entries that you have countersigned stay countersigned."
    )
    messages.success(request, text)
    return front_if_hidden(request, table)


def leave_masters(request: HttpRequest, table: TableContext, form: AboutForm) -> str:
    """Stop being co-game-master."""
    services.leave_masters(table.campaign, request.user, request.user)
    messages.success(request, _("You are no longer a co-game-master."))
    return front_if_hidden(request, table)


def front_if_hidden(request: HttpRequest, table: TableContext) -> str:
    """Return the first page if the reader can no longer see the campaign; else an empty text."""
    return "" if access.may_see(table.campaign, request.user) else address("front")


def change_life(request: HttpRequest, table: TableContext, form: AboutForm) -> str:
    """Pause, resume, abandon or archive the campaign."""
    before = [(clock.pk, clock.due_at) for clock in table.clocks]
    services.change_life(table.campaign, request.user, form.text_of("how"), form.text_of("reason"))
    line = selectors.log(table.campaign, request.user, limit=1)[0]
    messages.success(request, " ".join(filter(None, (line.text, shift(table, before)))))
    return ""


def another(
    request: HttpRequest,
    table: TableContext,
    make: Callable[[Campaign, User], Campaign],
    text: str = "",
) -> str:
    """Make a campaign from this campaign and return its address.

    A double click returns the address of the campaign that the first click has made.
    """
    if not requests.first_time(request):
        campaigns = Campaign.objects.filter(founder_id=request.user.pk).order_by("-pk")
        return address("table", (campaigns.first() or table.campaign).address)
    try:
        campaign = make(table.campaign, table.signed_in_user)
    except TableError:
        requests.allow_again(request)
        raise
    if text:
        messages.success(request, text % {"name": campaign.name})
    return address("table", campaign.address)


def copy(request: HttpRequest, table: TableContext, form: AboutForm) -> str:
    """Found a campaign with the same terms."""
    if table.solo:
        text = _("%(name)s has been created with the same terms and new dice.")
    else:
        text = _("%(name)s has been created with the same terms, new dice and empty seats.")
    return another(request, table, services.copy_campaign, text)


def begin_again(request: HttpRequest, table: TableContext, form: AboutForm) -> str:
    """Begin a campaign of one player again, with the same dice or with new dice."""
    if throttle.spend(request, throttle.REIGN, f"user {request.user.pk}"):
        raise TableError("too-many", _("You have started too many games. Try again later."))
    same_dice = form_key(request) == SAME_DICE

    def make(campaign: Campaign, user: User) -> Campaign:
        begun = practice.begin_again(campaign, user, same_dice=same_dice)
        if begun.programs:
            ask_to_play_on(begun.pk)
        return begun

    return another(request, table, make)


def describe(request: HttpRequest, table: TableContext, form: AboutForm) -> str:
    """Change the name and the visibility of a campaign of one player."""
    name = form.text_or("name", table.campaign.name)
    visibility = form.text_of("visibility")
    if not table.solo or visibility not in [key for key, _name, _about in VISIBILITIES]:
        raise TableError("bad-visibility", _("A solo campaign must be listed or unlisted."))
    services.change_description(
        table.campaign,
        request.user,
        name=name,
        time_zone=table.campaign.time_zone,
        visibility=visibility,
    )
    messages.success(request, pgettext("notice", "Saved."))
    return ""


def take_over(request: HttpRequest, table: TableContext, form: AboutForm) -> str:
    """Take the campaign over from a game master who has been absent for two weeks."""
    services.take_over(table.campaign, request.user)
    messages.success(request, _("You are the game master now. Everyone has been notified."))
    return ""


def ask_for_master(request: HttpRequest, table: TableContext, form: AboutForm) -> str:
    """Ask for a new game master."""
    services.ask_for_master(table.campaign, request.user, known_seat(table, form))
    messages.success(
        request, _("You have asked for a new game master. Everyone can read this in the log.")
    )
    return ""


def keep_master(request: HttpRequest, table: TableContext, form: AboutForm) -> str:
    """Stop asking for a new game master."""
    services.keep_master(table.campaign, request.user, known_seat(table, form))
    messages.success(request, _("You have withdrawn your request for a new game master."))
    return ""


ACTIONS: dict[str, Act] = {
    "describe": describe,
    "accept": accept,
    "decline": decline,
    "leave": leave,
    "take-back": take_back,
    "give": give,
    "wait": wait,
    "stop": stop_waiting,
    "leave-masters": leave_masters,
    "live": change_life,
    "copy": copy,
    SAME_DICE: begin_again,
    NEW_DICE: begin_again,
    "no-countersigner": stop_countersigning,
    "offer-seat": offer_seat,
    "accept-seat": accept_seat,
    "decline-seat": decline_seat,
    "take-over": take_over,
    "ask-master": ask_for_master,
    "keep-master": keep_master,
}


# Lobbies


@require_safe
def lobbies(request: HttpRequest) -> HttpResponse:
    """Show the listed campaigns whose lobby is open."""
    return render(request, "lobby/lobbies.html", {"page": lobbies_page()})


@campaign_page
def lobby(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Show the open lobby, or the last draw; a POST does one of `LOBBY_ACTIONS`."""
    if request.method != "POST":
        return show(request, table, "lobby/lobby.html", {"page": lobby_page(table)}, tab="lobby")
    if not request.user.is_authenticated:
        return redirect_to_login(request.path)
    try:
        if action := LOBBY_ACTIONS.get(form_key(request)):
            messages.success(request, action(request, table))
    except TableError as error:
        if error.status in (403, 404):
            raise
        messages.error(request, str(error))
    return redirect(table.url("lobby"))


def apply_for_seat(request: HttpRequest, table: TableContext) -> str:
    """Apply for a seat, or change the application."""
    services.apply_for_seat(table.campaign, table.user, ApplicationForm(request.POST).wanted_seats)
    return _("Your application has been recorded. You can change or withdraw it until the draw.")


def withdraw(request: HttpRequest, table: TableContext) -> str:
    """Withdraw the application."""
    services.withdraw_application(table.campaign, table.user)
    return _("Your application has been withdrawn.")


def open_lobby(request: HttpRequest, table: TableContext) -> str:
    """Open the lobby."""
    services.open_lobby(table.campaign, table.user, LobbyForm(request.POST).text_of("words"))
    return _("The lobby is open. The commitment of its dice has been published.")


def change_words(request: HttpRequest, table: TableContext) -> str:
    """Change the game master's text for users who may apply."""
    services.change_lobby_text(table.campaign, table.user, LobbyForm(request.POST).text_of("words"))
    return pgettext("lobby", "Saved.")


def draw(request: HttpRequest, table: TableContext) -> str:
    """Close the lobby and draw."""
    order = services.draw_seats(table.campaign, table.user)["order"]
    seated = sum(1 for drawn in order if drawn["seat"])
    text = _(
        "The lobby is closed: %(seated)s seated, %(left)s on the reserve. The seed of the draw "
        "has been published."
    )
    return text % {"seated": seated, "left": len(order) - seated}


LOBBY_ACTIONS: dict[str, Callable[[HttpRequest, TableContext], str]] = {
    "apply": apply_for_seat,
    "withdraw": withdraw,
    "open": open_lobby,
    "words": change_words,
    "draw": draw,
}


# Halls of fame


@require_safe
def hall(request: HttpRequest, title: str) -> HttpResponse:
    """Show the hall of fame of a title."""
    if title not in TITLES:
        raise Http404
    return render(request, "lobby/hall_of_fame.html", {"page": hall_page(title)})

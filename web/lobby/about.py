"""About the campaign: its state and people, what is one's own there, and for game masters
its life.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.contrib import messages
from django.contrib.auth import get_user_model
from django.contrib.auth.views import redirect_to_login
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from campaign import access, rulebook, services, status
from campaign import founding as founding
from campaign.clocks.selectors import running
from campaign.errors import TableError
from campaign.log import positions, selectors
from campaign.log.texts import SIGHTS
from campaign.models import Campaign, Invitation, Lobby, Membership
from campaign.rulebook import NEEDS
from campaign.seats import handover
from campaign.seats import selectors as seats_selectors
from campaign.status import Finished, Placed
from games.contract.title import Amendable, Portable
from games.registry import FOUNDINGS, RATED, TITLES, word
from web import waiting
from web.dice.trust import chance_sheet
from web.frame import requests
from web.frame.campaign_page import TableContext, address, campaign_page, show
from web.frame.front import memberships
from web.lobby.founding import VISIBILITIES
from web.seats.forms import PersonForm
from web.seats.page import keep_link, substitutes, take_link
from web.seats.views import person_of
from web.titles import cards, extras, house_rules
from web.waiting import span

# What a game master may do with the campaign's life: the verb, what it does, whether a reason is
# asked for.
LIFE = {
    "paused": (
        gettext_lazy("Pause the campaign"),
        gettext_lazy("Nobody moves until you resume. You can still undo; nothing is lost."),
    ),
    "resumed": (
        gettext_lazy("Resume the campaign"),
        gettext_lazy("Moves go on where they stopped."),
    ),
    "abandoned": (
        gettext_lazy("Abandon the campaign"),
        gettext_lazy("Nobody moves any more. Everything stays readable, and you can resume it."),
    ),
    "revived": (
        gettext_lazy("Resume the campaign"),
        gettext_lazy("Moves go on where they stopped."),
    ),
    "archived": (
        gettext_lazy("Put it into the archive"),
        gettext_lazy(
            "It is removed from all lists. Its address continues to work, and you can take it out"
            " again."
        ),
    ),
    "unarchived": (
        gettext_lazy("Take it out of the archive"),
        gettext_lazy("It is in the lists again."),
    ),
}


@campaign_page
def about(request: HttpRequest, table: TableContext) -> HttpResponse:
    """GET shows; POST does one of `DEEDS`, each asked again by the table's services whether this
    reader may.
    """
    if request.method == "POST":
        if not request.user.is_authenticated:
            return redirect_to_login(request.path)
        deed = DEEDS.get(request.POST.get("do", ""))
        if deed is None:
            return redirect(table.url("about"))
        try:
            onward = deed(request, table)
        except TableError as error:
            if error.status in (403, 404):
                raise
            messages.error(request, str(error))
            onward = ""
        back = "desk" if request.POST.get("back") == "desk" and table.game_master else "about"
        return redirect(onward or table.url(back))
    offer, seats_offered = None, []
    if request.user.is_authenticated:
        standing = list(standing_invitations(table))
        offer = next((one for one in standing if one.role == Membership.Role.GAME_MASTER), None)
        seats_offered = seat_offers(table, standing)
    founding = extras(table.campaign.title, "founding") or FOUNDINGS.get(table.campaign.title)
    people = table.places
    context: dict[str, Any] = {
        "facts": (
            founding.facts(table.scenario, positions.options(table.campaign)) if founding else []
        ),
        "house_rules": house_rules(
            table.campaign.title, table.scenario, positions.options(table.campaign)
        ),
        "chance": chance_sheet(table.campaign),
        "sheet_url": (
            table.url("sheet_file")
            if isinstance(table.title, Portable) and table.campaign.started
            else ""
        ),
        "amending": NEEDS[table.campaign.amending] if isinstance(table.title, Amendable) else "",
        "sight": "" if table.solo or table.campaign.programs else SIGHTS[table.campaign.sight],
        "people": sorted(
            (one for one in people if one.role in Membership.MASTERS),
            key=lambda one: one.role,
            reverse=True,
        ),
        "reserve": [one for one in people if one.role == Membership.Role.RESERVE],
        "countersigners": [one for one in people if one.role == Membership.Role.COUNTERSIGNER],
        "substitutes": substitutes(table, people),
        "absences": [] if table.solo else waiting.listed(table),
        "own": [
            {
                "key": seat.key,
                "name": seat.name,
                "heirs": seats_selectors.to_seat(table.campaign, people, seat.key),
            }
            for seat in table.seats
            if seat.key in table.own_seats and not table.solo
        ],
        "offer": offer,
        "seats_offered": seats_offered,
        "new": take_link(request, table, "about"),
        "alone": table.solo and table.host,
        "visibilities": VISIBILITIES,
        "may_wait": (
            not table.solo
            and not table.campaign.programs
            and not (
                table.own_seats
                or table.access.reserve
                or table.campaign.stopped
                or table.campaign.ended
            )
        ),
        "co": table.host and not table.access.chief,
        "life": life(table),
        "unseen": (
            seats_selectors.inactive_master(table.campaign, people, timezone.now())
            if table.access.member and not table.solo
            else None
        ),
        "blind": table.host and not table.game_master,
    }
    return show(request, table, "lobby/about.html", context, here="about")


def standing_invitations(table: TableContext) -> QuerySet[Invitation]:
    """Return the invitations to the reader that can be used now."""
    mine = Invitation.objects.filter(
        campaign=table.campaign, named=table.user, revoked_at=None, uses_left__gt=0
    )
    return mine.filter(expires_at__gt=timezone.now()).select_related("leaver", "made_by")


def seat_offers(table: TableContext, standing: Iterable[Invitation]) -> list[dict[str, str]]:
    """The seats offered to the reader whose holder still sits there."""
    holders = {seat.key: seat.holder.pk for seat in table.seats if seat.holder is not None}
    return [
        {"seat": one.seat, "name": table.name_of(one.seat), "by": one.made_by.username}
        for one in standing
        if one.role == Membership.Role.SEAT and holders.get(one.seat) == one.leaver_id
    ]


def life(table: TableContext) -> list[tuple[str, Any, str, bool]]:
    """What a game master may do with the campaign's life now: the act, its verb, what it does,
    whether it asks why.
    """
    ways = []
    for key in founding.possible(table.campaign) if table.host else ():
        verb, does = LIFE[key]
        text = " ".join(filter(None, (str(does), shifts(table, key))))
        ways.append((key, verb, text, key in founding.WITH_REASON))
    return ways


def shifts(table: TableContext, how: str) -> str:
    """What an act of the campaign's life will do to its deadlines."""
    since = [clock.held_at for clock in waiting.clocks(table)]
    if how in ("paused", "abandoned") and since and not table.campaign.stopped:
        text = ngettext(
            "%(n)d deadline stands still meanwhile.",
            "%(n)d deadlines stand still meanwhile.",
            len(since),
        )
        return text % {"n": len(since)}
    if how == "resumed" or (how == "revived" and not table.campaign.paused):
        return _moved([timezone.now() - held for held in since if held is not None])
    return ""


def _accept(request: HttpRequest, table: TableContext) -> str:
    services.accept_campaign(table.campaign, request.user)
    messages.success(request, _("The campaign is yours: you are its game master."))
    return ""


def _decline(request: HttpRequest, table: TableContext) -> str:
    offer = handover.offered(table.campaign).filter(named=request.user).first()
    if offer is not None:
        services.revoke(offer, request.user)
        messages.success(request, _("Declined. The game master stays."))
    return ""


def _offer_seat(request: HttpRequest, table: TableContext) -> str:
    to, seat = person_of(PersonForm(request.POST)), request.POST.get("seat", "")
    services.offer_seat(table.campaign, request.user, seat, to)
    messages.success(
        request,
        _("%(name)s is asked. Until they accept, you hold the seat.") % {"name": to.username},
    )
    return ""


def _seat(request: HttpRequest, table: TableContext) -> str:
    """The seat that is meant, if the table has it: what else was typed never reaches a query."""
    asked = request.POST.get("seat", "")
    return asked if any(seat.key == asked for seat in table.seats) else ""


def _accept_seat(request: HttpRequest, table: TableContext) -> str:
    seat = _seat(request, table)
    services.accept_seat(table.campaign, request.user, seat)
    messages.success(request, _("%(seat)s: the seat is yours.") % {"seat": table.name_of(seat)})
    return (
        table.url("handover", seat)
        if seats_selectors.handed(table.campaign, request.user, seat)
        else ""
    )


def _decline_seat(request: HttpRequest, table: TableContext) -> str:
    offer = (
        handover.offers(table.campaign)
        .filter(named=request.user, seat=_seat(request, table))
        .first()
    )
    if offer is not None:
        services.revoke(offer, request.user)
        messages.success(request, _("Declined. The seat stays with its holder."))
    return ""


def _leave(request: HttpRequest, table: TableContext) -> str:
    seat = request.POST.get("seat", "")
    services.vacate(table.campaign, request.user, seat)
    messages.success(request, _("%(seat)s: the seat is free.") % {"seat": table.name_of(seat)})
    return ""


def _give(request: HttpRequest, table: TableContext) -> str:
    seat = request.POST.get("seat", "")
    _, token = services.hand_over_link(table.campaign, request.user, seat)
    keep_link(request, table, token, seat, "about")
    return ""


def _wait(request: HttpRequest, table: TableContext) -> str:
    services.wait(table.campaign, request.user)
    messages.success(
        request, _("You wait for a seat. The game master seats you when one becomes free.")
    )
    return ""


def _stop(request: HttpRequest, table: TableContext) -> str:
    services.stop_waiting(table.campaign, request.user)
    messages.success(request, _("You no longer wait for a seat."))
    return _stays(request, table)


def _no_countersigner(request: HttpRequest, table: TableContext) -> str:
    services.dismiss_countersigner(table.campaign, request.user, request.user)
    messages.success(
        request, _("You are no longer countersigner. What you have countersigned stays.")
    )
    return _stays(request, table)


def _leave_masters(request: HttpRequest, table: TableContext) -> str:
    services.leave_masters(table.campaign, request.user, request.user)
    messages.success(request, _("You are no longer co-game-master."))
    return _stays(request, table)


def _stays(request: HttpRequest, table: TableContext) -> str:
    """Where somebody who gave up a place goes on: here, unless they may see the campaign no
    more.
    """
    return "" if access.may_see(table.campaign, request.user) else address("front")


def _live(request: HttpRequest, table: TableContext) -> str:
    before = [(clock.pk, clock.due_at) for clock in waiting.clocks(table)]
    services.live(
        table.campaign, request.user, request.POST.get("how", ""), request.POST.get("reason", "")
    )
    line = selectors.log(table.campaign, request.user, limit=1)[0]
    messages.success(request, " ".join(filter(None, (line.text, shifted(table, before)))))
    return ""


def shifted(table: TableContext, before: Iterable[tuple[int, datetime]]) -> str:
    """What an act of the campaign's life did to its deadlines, as they were before: they stand
    still, or have moved.
    """
    now = {clock.pk: clock for clock in running(table.campaign)}
    there = [(now[pk], was) for pk, was in before if pk in now]
    if not there:
        return ""
    if there[0][0].held:
        return ngettext(
            "%(n)d deadline stands still.", "%(n)d deadlines stand still.", len(there)
        ) % {"n": len(there)}
    return _moved([clock.due_at - was for clock, was in there if clock.due_at > was])


def _moved(by: Sequence[timedelta]) -> str:
    if not by or max(by) < timedelta(minutes=1):
        return ""
    text = ngettext(
        "%(n)d deadline moves by %(time)s.", "%(n)d deadlines move by %(time)s.", len(by)
    )
    return text % {"n": len(by), "time": span(max(by))}


def _another(
    request: HttpRequest,
    table: TableContext,
    make: Callable[[Campaign, Any], Campaign],
    name: str = "",
) -> str:
    """Makes a campaign of this one and leads to it; a double click leads to what the first click
    has made.
    """
    if not requests.first_time(request):
        campaign = (
            Campaign.objects.filter(founder_id=request.user.pk).order_by("-pk").first()
            or table.campaign
        )
        return address("table", campaign.address)
    try:
        campaign = make(table.campaign, request.user)
    except TableError:
        requests.allow_again(request)
        raise
    if name:
        messages.success(request, name % {"name": campaign.name})
    return address("table", campaign.address)


def _copy(request: HttpRequest, table: TableContext) -> str:
    alone, others = (
        _("%(name)s is founded: the same terms, new dice."),
        _("%(name)s is founded: the same terms, new dice, nobody seated."),
    )
    return _another(request, table, services.copy, alone if table.solo else others)


def _again(request: HttpRequest, table: TableContext) -> str:
    return _another(request, table, services.again)


def _describe(request: HttpRequest, table: TableContext) -> str:
    """Name and who finds it, where one plays alone and has no page of seats."""
    name, visibility = (
        request.POST.get("name", table.campaign.name),
        request.POST.get("visibility", ""),
    )
    if not table.solo or visibility not in [key for key, _, _ in VISIBILITIES]:
        raise TableError("bad-visibility", _("A campaign played alone is listed or unlisted."))
    services.describe(
        table.campaign,
        request.user,
        name=name,
        time_zone=table.campaign.time_zone,
        visibility=visibility,
    )
    messages.success(request, _("Saved."))
    return ""


def _take_over(request: HttpRequest, table: TableContext) -> str:
    services.take_over(table.campaign, request.user)
    messages.success(request, _("You are the game master now. Everybody is notified."))
    return ""


def _ask_for_master(request: HttpRequest, table: TableContext) -> str:
    services.ask_for_master(table.campaign, request.user, _seat(request, table))
    messages.success(request, _("You ask for a new game master. Everybody reads it in the log."))
    return ""


def _keep_master(request: HttpRequest, table: TableContext) -> str:
    services.keep_master(table.campaign, request.user, _seat(request, table))
    messages.success(request, _("You no longer ask for a new game master."))
    return ""


DEEDS = {
    "describe": _describe,
    "accept": _accept,
    "decline": _decline,
    "leave": _leave,
    "give": _give,
    "wait": _wait,
    "stop": _stop,
    "leave-masters": _leave_masters,
    "live": _live,
    "copy": _copy,
    "again": _again,
    "no-countersigner": _no_countersigner,
    "offer-seat": _offer_seat,
    "accept-seat": _accept_seat,
    "decline-seat": _decline_seat,
    "take-over": _take_over,
    "ask-master": _ask_for_master,
    "keep-master": _keep_master,
}


# The lobby: which campaigns seek players, and applying for a seat in one.

LISTED = 50


@require_safe
def lobbies(request: HttpRequest) -> HttpResponse:
    """The listed campaigns whose lobby is open: what is sought, in the game master's words."""
    campaigns = [one for one in selectors.seeking()[:LISTED] if one.title in TITLES]
    held = memberships(campaigns)
    words = dict(
        Lobby.objects.filter(campaign__in=campaigns, closed_at=None).values_list(
            "campaign", "words"
        )
    )
    rows = [_sought(one, held.get(one.pk, []), words.get(one.pk, "")) for one in campaigns]
    return render(request, "lobby/lobbies.html", {"lobbies": rows})


def _sought(campaign: Campaign, held: list[Membership], words: str) -> dict[str, Any]:
    scenario, options = positions.scenario(campaign), positions.options(campaign)
    taken = {one.seat for one in held if one.role == Membership.Role.SEAT}
    own = extras(campaign.title, "founding") or FOUNDINGS.get(campaign.title)
    infos = campaign.game.seats(scenario, options)
    return {
        "name": campaign.name,
        "url": address("lobby", campaign.address),
        "title": positions.plays(campaign),
        "words": words,
        "gm": ", ".join(one.user.username for one in held if one.role in Membership.MASTERS),
        "zone": campaign.time_zone,
        "free": [info for info in infos if info.key not in taken],
        "seats": len(infos),
        "facts": own.facts(scenario, options) if own else [],
    }


@campaign_page
def lobby(request: HttpRequest, table: TableContext) -> HttpResponse:
    """GET shows the open lobby, or the last draw; POST does one of `apply`, `withdraw`, `open`,
    `words`, `draw`.
    """
    if request.method == "POST":
        if not request.user.is_authenticated:
            return redirect_to_login(request.path)
        try:
            if deed := LOBBY_DEEDS.get(request.POST.get("do", "")):
                messages.success(request, deed(request, table))
        except TableError as error:
            if error.status in (403, 404):
                raise
            messages.error(request, str(error))
        return redirect(table.url("lobby"))
    lobby_now = founding.current(table.campaign)
    people = list(founding.applicants(lobby_now).select_related("user")) if lobby_now else []
    mine = next((one for one in people if one.user_id == request.user.pk), None)
    free = [seat for seat in table.seats if seat.holder is None]
    wishes = (mine.seats if mine else []) + [""] * len(free)
    own = extras(table.campaign.title, "founding") or FOUNDINGS.get(table.campaign.title)
    context: dict[str, Any] = {
        "sight": "" if table.solo else SIGHTS[table.campaign.sight],
        "lobby": lobby_now,
        "people": people,
        "mine": mine,
        "free": free,
        "ranks": [(number, wish) for number, wish in enumerate(wishes[: len(free)], 1)],
        "facts": own.facts(table.scenario, positions.options(table.campaign)) if own else [],
        "house_rules": house_rules(
            table.campaign.title, table.scenario, positions.options(table.campaign)
        ),
        "chance": chance_sheet(table.campaign),
        "drawn": None if lobby_now else _drawn(table),
        "closing": _draw_effect(len(people), len(free)),
        "may_open": (
            table.host and not table.campaign.started and not table.campaign.stopped and bool(free)
        ),
        "seated": bool(table.own_seats),
    }
    return show(request, table, "lobby/lobby.html", context, here="lobby")


def _draw_effect(people: int, seats: int) -> str:
    """What the draw would do."""
    who = ngettext("%(n)d person", "%(n)d people", people) % {"n": people}
    where = ngettext("%(n)d seat", "%(n)d seats", seats) % {"n": seats}
    facts = {"people": who, "seats": where}
    return (
        _("The dice seat %(people)s on %(seats)s; people without a seat wait on the reserve.")
        % facts
    )


def _drawn(table: TableContext) -> dict[str, Any] | None:
    """The last draw: who was drawn when, with the die, for which seat; None where there was
    none.
    """
    entry = founding.last_draw(table.campaign)
    if entry is None:
        return None
    content = entry.content
    users = {one["user"] for one in content["order"]}
    names = dict(get_user_model().objects.filter(pk__in=users).values_list("pk", "username"))
    wishes = {
        one["user"]: ", ".join(map(table.name_of, one["wishes"])) for one in content["applications"]
    }
    order = [
        {
            **one,
            "name": names.get(one["user"], ""),
            "wishes": wishes[one["user"]],
            "seat_name": table.name_of(one["seat"]),
        }
        for one in content["order"]
    ]
    applied = [names.get(one["user"], "") for one in content["applications"]]
    return {
        "order": order,
        "applied": applied,
        "entry": entry,
        "seed": content["seed"],
        "commitment": content["commitment"],
    }


def _apply(request: HttpRequest, table: TableContext) -> str:
    wishes = [seat for seat in request.POST.getlist("wish") if seat]
    services.apply(table.campaign, request.user, list(dict.fromkeys(wishes)))
    return _("Your application is recorded. You may change it or take it back until the draw.")


def _withdraw(request: HttpRequest, table: TableContext) -> str:
    services.withdraw(table.campaign, request.user)
    return _("Your application is taken back.")


def _open(request: HttpRequest, table: TableContext) -> str:
    services.open_lobby(table.campaign, request.user, request.POST.get("words", ""))
    return _("The lobby is open. The commitment of its dice is published.")


def _words(request: HttpRequest, table: TableContext) -> str:
    services.reword(table.campaign, request.user, request.POST.get("words", ""))
    return _("Saved.")


def _draw(request: HttpRequest, table: TableContext) -> str:
    drawn = services.draw(table.campaign, request.user)["order"]
    seated = sum(1 for one in drawn if one["seat"])
    return _(
        "The lobby is closed: %(seated)s seated, %(left)s on the reserve. The seed of the draw is"
        " published."
    ) % {
        "seated": seated,
        "left": len(drawn) - seated,
    }


LOBBY_DEEDS = {
    "apply": _apply,
    "withdraw": _withdraw,
    "open": _open,
    "words": _words,
    "draw": _draw,
}


# The hall of fame of a title, for everybody.


class Row(NamedTuple):
    """A line of the hall: `told` says what it came to, `points` is empty where the title's own
    words say all.
    """

    place: int
    player: str
    points: str
    outcome: str
    url: str
    finished: Finished


@require_safe
def hall(request: HttpRequest, title: str) -> HttpResponse:
    if title not in TITLES:
        raise Http404
    context = {
        "title": TITLES[title],
        "halls": divisions(title),
        "card": next(card for card in cards() if card.key == title),
        "others": [card for card in cards() if card.key != title],
        "what": word(title, "campaign"),
        "rated": title in RATED,
        "rules_here": reverse("rules", args=[title]) if rulebook.rules_text(title) else "",
    }
    return render(request, "lobby/hall_of_fame.html", context)


def divisions(title: str) -> list[tuple[str, list[Row]]]:
    """The hall in parts, each with its heading, each line with its address."""
    return [(name, [_row(one) for one in placed]) for name, placed in status.divisions(title)]


def _row(one: Placed) -> Row:
    url = reverse("table", args=[one.finished.campaign.address])
    return Row(one.place, one.finished.player, one.points, one.outcome, url, one.finished)

"""The lobby: which campaigns seek players, and applying for a seat in one."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.contrib import messages
from django.contrib.auth import get_user_model
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from campaign import rulebook, services
from campaign.errors import TableError
from campaign.lifecycle import lobby as lobbying
from campaign.lifecycle import status as halls
from campaign.lifecycle.status import Finished, Placed
from campaign.log import positions, selectors
from campaign.log.texts import SIGHTS
from campaign.models import Campaign, Lobby, Membership
from games.registry import FOUNDINGS, RATED, TITLES, word
from web.dice import chance_sheet
from web.shell.campaign_page import TableContext, address, campaign_page, show
from web.shell.views import memberships
from web.titles import extras, house_rules
from web.titles.cards import cards

LISTED = 50


@require_safe
def lobbies(request: HttpRequest) -> HttpResponse:
    """The listed campaigns whose lobby is open: what is sought, in the game master's words."""
    campaigns = [one for one in selectors.seeking()[:LISTED] if one.title in TITLES]
    held = memberships(campaigns)
    words = dict(Lobby.objects.filter(campaign__in=campaigns, closed_at=None).values_list("campaign", "words"))
    rows = [_sought(one, held.get(one.pk, []), words.get(one.pk, "")) for one in campaigns]
    return render(request, "lobby/lobbies.html", {"lobbies": rows})


def _sought(campaign: Campaign, held: list[Membership], words: str) -> dict[str, Any]:
    scenario, options = positions.scenario(campaign), positions.options(campaign)
    taken = {one.seat for one in held if one.role == Membership.Role.SEAT}
    own = extras(campaign.title, "founding") or FOUNDINGS.get(campaign.title)
    infos = campaign.game.seats(scenario, options)
    return {
        "name": campaign.name, "url": address("lobby", campaign.address), "title": positions.plays(campaign), "words": words,
        "gm": ", ".join(one.user.username for one in held if one.role in Membership.MASTERS), "zone": campaign.time_zone,
        "free": [info for info in infos if info.key not in taken], "seats": len(infos),
        "facts": own.facts(scenario, options) if own else [],
    }  # fmt: skip


@campaign_page
def lobby(request: HttpRequest, table: TableContext) -> HttpResponse:
    """GET shows the open lobby, or the last draw; POST does one of `apply`, `withdraw`, `open`, `words`, `draw`."""
    if request.method == "POST":
        if not request.user.is_authenticated:
            return redirect_to_login(request.path)
        try:
            if deed := DEEDS.get(request.POST.get("do", "")):
                messages.success(request, deed(request, table))
        except TableError as error:
            if error.status in (403, 404):
                raise
            messages.error(request, str(error))
        return redirect(table.url("lobby"))
    lobby_now = lobbying.current(table.campaign)
    people = list(lobbying.applicants(lobby_now).select_related("user")) if lobby_now else []
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
        "house_rules": house_rules(table.campaign.title, table.scenario, positions.options(table.campaign)),
        "chance": chance_sheet(table.campaign),
        "drawn": None if lobby_now else _drawn(table),
        "closing": _draw_effect(len(people), len(free)),
        "may_open": table.host and not table.campaign.started and not table.campaign.stopped and bool(free),
        "seated": bool(table.own_seats),
    }
    return show(request, table, "lobby/lobby.html", context, here="lobby")


def _draw_effect(people: int, seats: int) -> str:
    """What the draw would do."""
    who = ngettext("%(n)d person", "%(n)d people", people) % {"n": people}
    where = ngettext("%(n)d seat", "%(n)d seats", seats) % {"n": seats}
    facts = {"people": who, "seats": where}
    return _("The dice seat %(people)s on %(seats)s; people without a seat wait on the reserve.") % facts


def _drawn(table: TableContext) -> dict[str, Any] | None:
    """The last draw: who was drawn when, with the die, for which seat; None where there was none."""
    entry = lobbying.last_draw(table.campaign)
    if entry is None:
        return None
    content = entry.content
    users = {one["user"] for one in content["order"]}
    names = dict(get_user_model().objects.filter(pk__in=users).values_list("pk", "username"))
    wishes = {one["user"]: ", ".join(map(table.name_of, one["wishes"])) for one in content["applications"]}
    order = [
        {**one, "name": names.get(one["user"], ""), "wishes": wishes[one["user"]], "seat_name": table.name_of(one["seat"])}
        for one in content["order"]
    ]
    applied = [names.get(one["user"], "") for one in content["applications"]]
    return {"order": order, "applied": applied, "entry": entry, "seed": content["seed"], "commitment": content["commitment"]}


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
    return _("The lobby is closed: %(seated)s seated, %(left)s on the reserve. The seed of the draw is published.") % {
        "seated": seated,
        "left": len(drawn) - seated,
    }


DEEDS = {"apply": _apply, "withdraw": _withdraw, "open": _open, "words": _words, "draw": _draw}


# The hall of fame of a title, for everybody.


class Row(NamedTuple):
    """A line of the hall: `told` says what it came to, `points` is empty where the title's own words say all."""

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
    return [(name, [_row(one) for one in placed]) for name, placed in halls.divisions(title)]


def _row(one: Placed) -> Row:
    url = reverse("table", args=[one.finished.campaign.address])
    return Row(one.place, one.finished.player, one.points, one.outcome, url, one.finished)

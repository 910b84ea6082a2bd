"""Practice against programs: how one begins, and what follows each move."""

from __future__ import annotations

from functools import partial
from typing import Any, cast

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from campaign import practice
from campaign import scenarios as shelves
from campaign.errors import TableError
from campaign.models import Campaign, LogEntry
from campaign.seats.selectors import program_levels
from engine.strict_json import read
from games.contract.title import Title
from games.registry import TITLES
from people import services as people_services
from people.models import User
from web.scenarios import SHELF
from web.shell import throttle
from web.shell.campaign_page import address, see_other
from web.tasks import ask_to_play_on

LEVELS = {
    "random": (gettext_lazy("Careless"), gettext_lazy("any move that the rules allow")),
    "bold": (gettext_lazy("Bold"), gettext_lazy("they attack where a victory promises more than a building")),
    "cautious": (
        gettext_lazy("Cautious"),
        gettext_lazy("they build and defend, and attack where they are likely to win"),
    ),
    "cunning": (gettext_lazy("Cunning"), gettext_lazy("they plan their actions to the end of the campaign: the strongest")),
}
BATTLES = (
    (practice.MODEL, gettext_lazy("By the model"), gettext_lazy("at once, from points, type, cards and luck")),
    (
        practice.HAND,
        gettext_lazy("Yours by hand"),
        gettext_lazy("fought against the computer, both percentages entered"),
    ),
)


def play_after(campaign: Campaign, entry: LogEntry, before: Any, after: Any) -> None:
    """One of `hooks.tellers`: after an entry of a person the programs play on, once it is written."""
    if (campaign.programs or program_levels(campaign)) and not practice.playing.get():
        transaction.on_commit(partial(ask_to_play_on, campaign.pk))


def titles() -> list[Title]:
    """The titles that one can practise."""
    return [title for title in TITLES.values() if practice.opponents(title.key) is not None]


@require_http_methods(["GET", "HEAD", "POST"])
def begin(request: HttpRequest, title: str) -> HttpResponse:
    """Which scenario, which nation, how well the others play; POST begins. A stranger becomes a guest, whom this browser
    remembers."""
    game = TITLES.get(title)
    players = practice.opponents(title)
    if game is None or players is None:
        raise Http404
    user = cast(User, request.user)
    asked = request.POST if request.method == "POST" else request.GET
    shipped = dict(game.scenarios())
    key = asked.get("scenario", "") or next(iter(shipped))
    raw, drawing, own = shipped.get(key), "", None
    if raw is None and key.startswith(SHELF):
        own = shelves.seen(key.removeprefix(SHELF), user)
        raw, drawing = (read(own.text), own.drawing.text if own.drawing else "") if own is not None else (None, "")
    if raw is None:
        raise Http404
    wrong = ""
    if request.method == "POST" and "begin" in request.POST:
        limit, who = (throttle.REIGN, f"user {user.pk}") if user.is_authenticated else (throttle.GUEST, throttle.address(request))
        if wait := throttle.spend(request, limit, who):
            return throttle.refused(request, wait)
        try:
            with transaction.atomic():
                player = user if user.is_authenticated else people_services.make()
                campaign = practice.begin(
                    player, title, key if own is None else raw, request.POST.get("seat", ""), request.POST.get("level", ""),
                    request.POST.get("battles", practice.MODEL), drawing=drawing, time_zone=player.time_zone,
                    name=_("Practice: %(name)s") % {"name": raw.get("name", game.name)},
                )  # fmt: skip
        except TableError as refused:
            wrong = str(refused)
        else:
            if player is not user:
                people_services.remember(request.session, player)
            ask_to_play_on(campaign.pk)
            return see_other(address("table", campaign.address))
    scenario = game.scenario(raw)
    context = {
        "title": game, "scenario": key, "wrong": wrong, "seat": asked.get("seat", ""), "level": asked.get("level", "bold"),
        "battles": asked.get("battles", practice.MODEL), "levels": [(one, *LEVELS[one]) for one in players.levels],
        "ways": BATTLES, "seats": [(seat.key, seat.name) for seat in game.seats(scenario, game.options({}))],
        "scenarios": [*((one, data.get("name", one)) for one, data in shipped.items()), *([(key, raw["name"])] if own else [])],
        "known": request.user.is_authenticated,
    }  # fmt: skip
    return render(request, "lobby/practice.html", context, status=422 if wrong else 200)

"""Play a title at once: a campaign of one seat with nothing asked, also as a guest."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from time import sleep
from typing import Any

from django.core.cache import cache
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from campaign import playing_on, services
from campaign.models import Campaign
from games.registry import TITLES, solo
from people import services as people_services
from people.models import User
from web.board.forms import PlayForm
from web.frame import throttle
from web.frame.adapter import may_join
from web.frame.campaign_page import see_other
from web.frame.table import address
from web.tasks import ask_to_finish

PROGRAM = "program"
"""Who plays: a program, from the beginning to the end, unless it is stopped."""
DOUBLE_CLICK = 3
"""Seconds within which a second click is the same wish."""
LOOKS = 20
"""How often the second click looks for the campaign that the first has founded."""
PAUSE = 0.1
"""Seconds between two looks."""


@require_POST
def play(request: HttpRequest, title: str) -> HttpResponse:
    """Found a campaign of the title and lead onto its page.

    Someone without an account becomes a guest, whom this browser remembers.
    """
    game = TITLES.get(title)
    if game is None or not solo(game):
        raise Http404
    wait = spend(request)
    if wait:
        return throttle.refused(request, wait)
    if not request.user.is_authenticated and not may_join(request):
        return redirect("account_signup")  # which says that an invitation is needed
    key = key_of(request, title)
    while key and not cache.add(key, [], DOUBLE_CLICK):
        answer = second_click(request, key)
        if answer is not None:
            return answer
    player, campaign = new_campaign(request, title)
    by_program = PlayForm(request.POST).typed("by") == PROGRAM
    if by_program and playing_on.begin(campaign, player, playing_on.END):
        ask_to_finish(campaign.pk)
    if key:
        cache.set(key, [player.pk, campaign.address], DOUBLE_CLICK)
    return see_other(address("table", campaign.address))


def spend(request: HttpRequest) -> int:
    """Count this founding, and return the seconds to wait if there were too many."""
    if request.user.is_authenticated:
        return throttle.spend(request, throttle.REIGN, f"user {request.user.pk}")
    return throttle.spend(request, throttle.GUEST, throttle.address(request))


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a campaign in record form, and its name."""

    scenario: Any
    options: dict[str, Any]
    name: str


def usual_terms(title: str) -> Terms:
    """Return the terms of a title with the usual answers to its questions."""
    game = TITLES[title]
    founding = game.founding
    if founding is None:
        return Terms(next(iter(game.scenarios())), {}, game.name)
    answers = {question.key: question.default for question in founding.questions}
    scenario, options = founding.terms(answers)
    return Terms(scenario, options, founding.called(answers))


def new_campaign(request: HttpRequest, title: str) -> tuple[User, Campaign]:
    """Found a campaign for the user, or for a new guest."""
    terms = usual_terms(title)
    with transaction.atomic():
        player = request.user if isinstance(request.user, User) else people_services.make()
        campaign = services.found_campaign(
            player, title, terms.name, terms.scenario, terms.options, player.time_zone
        )
    if player is not request.user:
        people_services.remember(request.session, player)
    return player, campaign


def key_of(request: HttpRequest, title: str) -> str:
    """Return who presses the button: a user, else a browser by the secret of its forms. Empty if
    neither is known.
    """
    if request.user.is_authenticated:
        presser = f"user {request.user.pk}"
    else:
        presser = str(request.META.get("CSRF_COOKIE", ""))
    return f"play:{sha256(f'{presser} {title}'.encode()).hexdigest()}" if presser else ""


def second_click(request: HttpRequest, key: str) -> HttpResponse | None:
    """Lead the second click of a double one where the first leads, as the same guest.

    Return None if the first is so long ago that this is no second one.
    """
    kept = cache.get(key)
    for _look in range(LOOKS):
        if kept is None:
            return None
        if kept:
            break
        sleep(PAUSE)
        kept = cache.get(key)
    if not kept:
        return redirect("front")
    number, where = kept
    if not request.user.is_authenticated:
        guest = User.objects.filter(pk=number, guest=True, is_active=True).first()
        if guest is not None:
            people_services.remember(request.session, guest)
    return see_other(address("table", where))

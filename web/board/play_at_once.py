"""Immediate play: a campaign with one seat that is founded without questions, also by guests."""

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

from campaign import automatic_moves, services
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
"""The value of `by` that lets a program play from the beginning to the end, unless it is stopped.
"""
DOUBLE_CLICK = 3
"""Seconds within which a second click counts as the same request."""
LOOKS = 20
"""The number of times that the second click looks for the campaign founded by the first."""
PAUSE = 0.1
"""Seconds between two attempts."""


@require_POST
def play(request: HttpRequest, title: str) -> HttpResponse:
    """Found a campaign of the title and redirect to its page.

    A visitor without an account becomes a guest, whom this browser remembers.
    """
    game = TITLES.get(title)
    if game is None or not solo(game):
        raise Http404
    wait = spend(request)
    if wait:
        return throttle.refused(request, wait)
    if not request.user.is_authenticated and not may_join(request):
        return redirect("account_signup")  # the page says that an invitation is needed
    key = key_of(request, title)
    while key and not cache.add(key, [], DOUBLE_CLICK):
        answer = second_click(request, key)
        if answer is not None:
            return answer
    player, campaign = new_campaign(request, title)
    by_program = PlayForm(request.POST).text_of("by") == PROGRAM
    if by_program and automatic_moves.begin(campaign, player, automatic_moves.END):
        ask_to_finish(campaign.pk)
    if key:
        cache.set(key, [player.pk, campaign.address], DOUBLE_CLICK)
    return see_other(address("table", campaign.address))


def spend(request: HttpRequest) -> int:
    """Count this founding; return the seconds to wait if there were too many."""
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
    """Return the terms of a title with the default answers to its questions."""
    game = TITLES[title]
    founding = game.founding
    if founding is None:
        return Terms(next(iter(game.scenarios())), {}, game.name)
    answers = {question.key: question.default for question in founding.questions}
    scenario, options = founding.terms(answers)
    return Terms(scenario, options, founding.proposed_name(answers))


def new_campaign(request: HttpRequest, title: str) -> tuple[User, Campaign]:
    """Found a campaign for the user, or for a new guest."""
    terms = usual_terms(title)
    with transaction.atomic():
        player = request.user if isinstance(request.user, User) else people_services.make_guest()
        campaign = services.found_campaign(
            player, title, terms.name, terms.scenario, terms.options, player.time_zone
        )
    if player is not request.user:
        people_services.remember_guest(request.session, player)
    return player, campaign


def key_of(request: HttpRequest, title: str) -> str:
    """Return a cache key for the title and the user, or the browser of an anonymous visitor.

    A browser is identified by the secret of its forms. The key is empty if there is none.
    """
    if request.user.is_authenticated:
        presser = f"user {request.user.pk}"
    else:
        presser = str(request.META.get("CSRF_COOKIE", ""))
    return f"play:{sha256(f'{presser} {title}'.encode()).hexdigest()}" if presser else ""


def second_click(request: HttpRequest, key: str) -> HttpResponse | None:
    """Redirect the second of two quick clicks to the campaign of the first, as the same guest.

    Return None if the first click is so long ago that this is a new request.
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
            people_services.remember_guest(request.session, guest)
    return see_other(address("table", where))

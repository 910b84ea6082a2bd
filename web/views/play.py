"""Playing at once: a title of one seat, founded as it comes, by who is signed in or by a guest made for it."""

from __future__ import annotations

from typing import Any, cast

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from campaign import services
from games.registry import FOUNDINGS, TITLES, solo
from people import guests
from people.models import User
from web import throttle


@require_POST
def play(request: HttpRequest, title: str) -> HttpResponse:
    """A campaign of the title with nothing asked, and onto its page. Nobody becomes a guest, whom this browser remembers."""
    game = TITLES.get(title)
    if game is None or not solo(game):
        raise Http404
    user = cast(User, request.user)
    if not user.is_authenticated:
        if wait := throttle.spend(request, throttle.GUEST, throttle.address(request)):
            return throttle.refused(request, wait)
    elif wait := throttle.spend(request, throttle.REIGN, f"user {user.pk}"):
        return throttle.refused(request, wait)
    founding = FOUNDINGS.get(title)
    scenario: Any = next(iter(game.scenarios()))
    options: dict[str, Any] = {}
    name = game.name
    if founding is not None:
        answers = {one.key: one.default for one in founding.questions}
        (scenario, options), name = founding.terms(answers), founding.called(answers)
    with transaction.atomic():
        player = user if user.is_authenticated else guests.make()
        campaign = services.found(player, title, name, scenario, options, player.time_zone)
    if player is not user:
        guests.remember(request.session, player)
    response = redirect(reverse("table", args=[campaign.address]))
    response.status_code = 303
    return response

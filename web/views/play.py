"""Playing at once: a title of one seat, founded as it comes, by who is signed in or by a guest made for it."""

from __future__ import annotations

from hashlib import sha256
from time import sleep
from typing import Any, cast

from django.core.cache import cache
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from campaign import services
from games.registry import FOUNDINGS, TITLES, solo
from people import guests
from people.models import User
from web import throttle
from web.views.common import address, see_other

DOUBLE_CLICK = 3  # seconds
LOOKS = 20  # ten a second


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
    key = _key(request, user, title)
    while key and not cache.add(key, [], DOUBLE_CLICK):
        if (answer := _second(request, key)) is not None:
            return answer
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
    if key:
        cache.set(key, [player.pk, campaign.address], DOUBLE_CLICK)
    return see_other(address("table", campaign.address))


def _key(request: HttpRequest, user: User, title: str) -> str:
    """Who presses the button: a user, else a browser by the secret of its forms. Empty where neither is known."""
    who = f"user {user.pk}" if user.is_authenticated else str(request.META.get("CSRF_COOKIE", ""))
    return f"play:{sha256(f'{who} {title}'.encode()).hexdigest()}" if who else ""


def _second(request: HttpRequest, key: str) -> HttpResponse | None:
    """The second click of a double one leads where the first does, as the same guest: no other campaign, no other guest.

    None where the first is so long ago meanwhile that this is no second one.
    """
    for _ in range(LOOKS):
        found = cache.get(key)
        if found is None:
            return None
        if found:
            break
        sleep(0.1)
    if not found:
        return redirect("front")
    number, where = found
    if not request.user.is_authenticated and (guest := User.objects.filter(pk=number, guest=True, is_active=True).first()):
        guests.remember(request.session, guest)
    return see_other(address("table", where))

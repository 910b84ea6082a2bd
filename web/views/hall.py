"""The hall of fame of a title, for everybody."""

from __future__ import annotations

from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from campaign import hall as halls
from campaign import rulebook
from campaign.hall import Finished, Placed
from games.registry import TITLES, word
from web.titles.cards import cards


class Row(NamedTuple):
    """A line of the hall: `told` says what it came to, `points` is empty where the title's own words say all."""

    place: int
    player: str
    points: str
    told: str
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
        "rules_here": reverse("rules", args=[title]) if rulebook.text(title) else "",
    }
    return render(request, "hall.html", context)


def divisions(title: str) -> list[tuple[str, list[Row]]]:
    """The hall in parts, each with its heading, each line with its address."""
    return [(name, [_row(one) for one in placed]) for name, placed in halls.divisions(title)]


def _row(one: Placed) -> Row:
    url = reverse("table", args=[one.finished.campaign.address])
    return Row(one.place, one.finished.player, one.points, one.told, url, one.finished)

"""The hall of fame of a title, for everybody."""

from __future__ import annotations

from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from campaign import hall as halls
from campaign import positions
from campaign.hall import Finished
from games.registry import FOUNDINGS, TITLES, word
from web.titles import rules_text
from web.titles.cards import cards

MOST = 50


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
        "rows": rows(halls.best(title, MOST)),
        "card": next(card for card in cards() if card.key == title),
        "others": [card for card in cards() if card.key != title],
        "what": word(title, "campaign"),
        "rules_here": reverse("rules", args=[title]) if rules_text(title) else "",
    }
    return render(request, "hall.html", context)


def rows(found: list[Finished]) -> list[Row]:
    made = []
    for place, one in enumerate(found, 1):
        founding = FOUNDINGS.get(one.campaign.title)
        if founding:
            told, points = founding.told(positions.scenario(one.campaign), one.facts), ""
        else:
            told = ", ".join(f"{key} {value}" for key, value in one.facts.items())
            points = str(one.points)
        made.append(Row(place, one.player, points, told, reverse("table", args=[one.campaign.address]), one))
    return made

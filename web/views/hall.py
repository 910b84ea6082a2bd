"""The hall of fame of a title, for everybody."""

from __future__ import annotations

from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from campaign import hall as halls
from campaign import positions, rulebook
from campaign.hall import Finished
from games.registry import FOUNDINGS, TITLES, word
from web.titles.cards import cards

MOST = 50
LOOKED_AT = 500
"""So many are read for a hall in divisions, each of which shows its best."""
OF_EACH = 10


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
    """The hall in parts, each with its heading: what is alike is compared. One part without a heading in most titles."""
    founding = FOUNDINGS.get(title)
    parts: dict[str, list[Finished]] = {}
    for one in halls.best(title, LOOKED_AT):
        parts.setdefault(founding.division(one.facts) if founding else "", []).append(one)
    if set(parts) <= {""}:
        return [("", rows(parts.get("", [])[:MOST]))]
    return [(name, rows(parts[name][:OF_EACH])) for name in sorted(parts)]


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

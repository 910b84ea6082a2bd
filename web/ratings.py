"""Ratings of people: the table of those who take part, and what each one's rating comes from (docs/ratings.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_safe

from battles import ratings as rated
from battles.ratings import Counted, Half, Rating, Ratings, Share
from campaign.log import positions
from campaign.models import Campaign

ROOM = 4
"""Between the ends of the bars and of their column, in percent."""
OUTCOMES = {1: pgettext_lazy("battle", "won"), 0: pgettext_lazy("battle", "drawn"), -1: pgettext_lazy("battle", "lost")}
TONES = {1: "good", 0: "", -1: "bad"}
HEADINGS = {"battles": gettext_lazy("Battles"), "campaigns": gettext_lazy("Campaigns")}


class Bar(NamedTuple):
    """An interval on a scale that all bars of a table share, in percent: where it begins, how wide it is, the rating itself."""

    begins: int
    wide: int
    at: int


class Row(NamedTuple):
    """Somebody's line in the table."""

    rank: int | None
    name: str
    url: str
    mine: bool
    rating: Rating
    bar: Bar
    results: int


class Part(NamedTuple):
    """One result that a rating comes from: against whom, how it ended, what it changed. Campaign, nations and address are empty
    where the reader may not be led there."""

    at: datetime
    campaign: str
    url: str
    nations: tuple[tuple[str, str], ...]
    others: tuple[tuple[str, str], ...]
    outcome: str
    tone: str
    lost: tuple[float, ...]
    chance: int | None
    change: int
    after: int


@require_safe
def ratings(request: HttpRequest) -> HttpResponse:
    now = rated.ratings()
    own = request.user.pk if request.user.is_authenticated else None
    halves = [
        {"key": key, "heading": HEADINGS[key], "rows": _rows(now, half, own), "settled": half.settled}
        for key, half in _halves(now).items()
    ]
    return render(request, "ratings/ratings.html", {"halves": halves, "base": round(rated.BASE), "takes_part": own in now.names})


@require_safe
def person(request: HttpRequest, number: int) -> HttpResponse:
    """Of those who take part alone: whoever has switched it off is not here, as if they had never been."""
    now = rated.ratings()
    if number not in now.names:
        raise Http404
    reader = request.user if request.user.is_authenticated else None
    result = {key: half.results_of(number) for key, half in _halves(now).items()}
    open_to = rated.open_campaigns((one.campaign for parts in result.values() for one, _share in parts), reader)
    halves = [
        {"key": key, "heading": HEADINGS[key], "settled": half.settled,
         "row": next((row for row in _rows(now, half, None) if row.url == _url(number)), None),
         "parts": [_part(now, one, share, open_to) for one, share in result[key]]}
        for key, half in _halves(now).items()
    ]  # fmt: skip
    context = {"person": now.names[number], "number": number, "halves": halves, "own": reader is not None and reader.pk == number}
    return render(request, "ratings/person.html", context)


def _halves(now: Ratings) -> dict[str, Half]:
    return {"battles": now.battles, "campaigns": now.campaigns}


def _url(user: int) -> str:
    return reverse("ratings_person", args=[user])


def _rows(now: Ratings, half: Half, own: int | None) -> list[Row]:
    lines = half.lines()
    bars = _bars(line.rating for line in lines)
    return [
        Row(line.rank, now.names[line.user], _url(line.user), line.user == own, line.rating, bar, line.results)
        for line, bar in zip(lines, bars, strict=True)
    ]


def _bars(shown: Iterable[Rating]) -> list[Bar]:
    """The intervals of a table on one scale, from the lowest end to the highest."""
    known = list(shown)
    if not known:
        return []
    low = min(one.low for one in known)
    scale = (100 - 2 * ROOM) / max(1, max(one.high for one in known) - low)

    def place(value: int) -> int:
        return ROOM + round((value - low) * scale)

    return [Bar(place(one.low), place(one.high) - place(one.low), place(one.value)) for one in known]


def _part(now: Ratings, one: Counted, share: Share, open_to: Mapping[int, Campaign]) -> Part:
    campaign = open_to.get(one.campaign)
    others = tuple((now.names[other.user], _url(other.user)) for other in one.shares if other.user != share.user)
    url, chance = "", None
    lost: tuple[float, ...] = ()
    if campaign is not None:
        address = [campaign.address]
        url = reverse("battle", args=[*address, one.number]) if one.fought else reverse("table", args=address)
    if one.fought is None:
        outcome, tone = _("rank %(n)s") % {"n": share.rank}, "good" if share.rank == 1 else ""
        seats = [share.seat]
    else:
        attacks = one.shares[0] is share
        won = {"attacker": 1, "defender": -1, "draw": 0}[one.fought.winner] * (1 if attacks else -1)
        outcome, tone = str(OUTCOMES[won]), TONES[won]
        lost = (one.fought.lost or ())[:: 1 if attacks else -1]
        better = rated.expected(one.shares[0].before, one.shares[1].before, one.fought.edge)
        chance = round(100 * (better if attacks else 1 - better))
        seats = [side.seat for side in one.shares]
    names = positions.seats(campaign) if campaign is not None else {}
    return Part(
        one.at, campaign.name if campaign is not None else "", url,
        tuple((seat, names[seat]) for seat in seats if seat in names), others,
        outcome, tone, lost, chance, share.after.value - share.before.value, share.after.value,
    )  # fmt: skip

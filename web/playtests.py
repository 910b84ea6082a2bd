"""A play-test on its page: asked for, how far it is, what came of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaign import drafts, playtests
from campaign import scenarios as shelves
from campaign.errors import TableError
from campaign.playtests import Balance, Result, Share
from engine.strict_json import read
from people import services as people_services
from web.scenarios import scenario_shown
from web.shell import throttle
from web.shell.campaign_page import see_other
from web.tasks import ask_to_play_test

AGAIN = 3
"""After so many seconds the page looks again."""


class Bar(NamedTuple):
    """One row of the picture, in hundredths of its width: the bar, where its share lies, the number beside it."""

    name: str
    colour: str
    to: str
    low: str
    high: str
    wins: int
    percent: str
    beside: int


class Line(NamedTuple):
    """A nation in the table; `spread` is from where to where eight of ten of its campaigns lie, in hundredths."""

    name: str
    colour: str
    balance: Balance
    low: str
    mean: str
    high: str


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """The play-test of a scenario of one's own, `?scenario=`, or of a draft, `?draft=`; posted, it is asked for."""
    if people_services.is_guest(request.user) and request.method == "POST":
        raise PermissionDenied(_("A guest plays alone. Make an account first: what you have goes with you."))
    title, raw, back, query = _asked(request, request.GET.get("scenario", ""), request.GET.get("draft", ""))
    wrong = ""
    if request.method == "POST":
        if wait := throttle.spend(request, throttle.PACK, f"user {request.user.pk}"):
            return throttle.refused(request, wait)
        try:
            row, new = playtests.ask(title, raw)
            if new:
                ask_to_play_test(row.pk)
            if not request.headers.get("HX-Request"):
                return see_other(reverse("scenario_playtest") + f"?{query}")
        except TableError as refused:
            wrong = scenario_shown(str(refused))
    context = {**context_of(title, raw, query), "name": raw.get("name", ""), "back": back, "wrong": wrong}
    part = bool(request.headers.get("HX-Request"))
    template = "scenarios/_playtest.html" if part else "scenarios/playtest.html"
    return render(request, template, context, status=422 if wrong and not part else 200)


def _asked(request: HttpRequest, scenario: str, draft: str) -> tuple[str, dict[str, Any], str, str]:
    """Title, scenario, the address that leads back, and the query of this page."""
    if draft:
        mine = drafts.draft_of(request.user, draft[:8])
        if mine is None:
            raise Http404
        raw = drafts.bundle_of(mine)["scenario"]
        return mine.title, raw, reverse("scenario_editor", args=[mine.public_id]), f"draft={mine.public_id}"
    row = shelves.seen(scenario[:8], request.user)
    if row is None or row.owner_id != request.user.pk:
        raise Http404
    return row.title, dict(read(row.text)), reverse("scenario_shown", args=[row.public_id]), f"scenario={row.public_id}"


def context_of(title: str, raw: Mapping[str, Any], query: str) -> dict[str, Any]:
    """What `scenarios/_playtest.html` shows: `query` is `scenario=…` or `draft=…`."""
    row = playtests.stands(title, raw) if playtests.testable(title) else None
    result = playtests.result(row) if row is not None and row.ended_at else None
    context: dict[str, Any] = {
        "testable": playtests.testable(title), "test_query": query, "test_games": playtests.GAMES, "test": row,
        "test_runs": row is not None and row.ended_at is None, "result": None, "again": AGAIN,
    }  # fmt: skip
    if result is not None and row is not None:
        context |= _shown(json.loads(row.scenario), raw, result)
    return context


def _shown(played: Mapping[str, Any], raw: Mapping[str, Any], result: Result) -> dict[str, Any]:
    names = {row["key"]: str(row["name"]) for row in (*played["nations"], *raw["nations"])}
    colours = {row["key"]: str(row["colour"]) for row in (*played["nations"], *raw["nations"])}
    most = max([one.won.high for one in result.nations] + [one.high for one in result.places] + [result.even]) or 1.0
    points = [*(one.low for one in result.nations), *(one.high for one in result.nations)]
    least, span = min(points), (max(points) - min(points)) or 1.0

    def bar(name: str, colour: str, won: Share) -> Bar:
        return Bar(name, colour, _hundredths(won.share / most), _hundredths(won.low / most), _hundredths(won.high / most),
                   won.wins, f"{100 * won.low:.0f}–{100 * won.high:.0f}%", won.beside(result.even))  # fmt: skip

    return {
        "result": result, "verdict": verdict(result, names), "even": f"{result.even * result.games:.0f}",
        "even_at": _hundredths(result.even / most),
        "bars": [bar(names[one.key], colours[one.key], one.won) for one in result.nations],
        "place_bars": [bar(_("Opening place %(n)s") % {"n": n}, "", one) for n, one in enumerate(result.places, 1)],
        "lines": [
            Line(names[one.key], colours[one.key], one, *(
                _hundredths((value - least) / span) for value in (one.low, one.mean, one.high)
            ))
            for one in result.nations
        ],
    }  # fmt: skip


def _hundredths(part: float) -> str:
    return f"{100 * part:.1f}"


def verdict(result: Result, names: Mapping[str, str]) -> str:
    """Who surely wins more or less often than an even share, with their victories."""

    def those(side: int) -> str:
        return ", ".join(f"{names[one.key]} ({one.won.wins})" for one in result.nations if one.won.beside(result.even) == side)

    above, below = those(1), those(-1)
    facts = {"above": above, "below": below, "games": result.games, "even": f"{result.even * result.games:.0f}"}
    if above and below:
        return _("More victories than an even share, %(even)s of %(games)s: %(above)s. Fewer: %(below)s.") % facts
    if above:
        return _("More victories than an even share, %(even)s of %(games)s: %(above)s.") % facts
    if below:
        return _("Fewer victories than an even share, %(even)s of %(games)s: %(below)s.") % facts
    return _("Even: no nation is sure to win more or less often than the others, by %(games)s campaigns.") % facts

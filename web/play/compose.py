"""Several moves in one request, put together on a title's board, and their film.

The page composes what it was offered; here each move is judged alone, in its order, and it stops at the first that is refused,
at a condition that was chosen, and where another seat is asked. The answer brings what a page needs to go on: the frames of
what was decided, what was not done and why, and the title's page as it stands now.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from math import ceil
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect
from django.urls import resolve
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from campaign import playing_on, services
from campaign.errors import NotNow, TableMovedOn
from campaign.log import selectors
from campaign.models import Campaign, Look
from engine.errors import IllegalMove, MalformedRecord
from engine.strict_json import is_text, read
from games.contract.pages import Announcing, Composing, Conditional, Frame, Pages
from web.log.film import reel_of, reel_since
from web.play import title_page
from web.seats import hidden_hands
from web.shell import throttle
from web.shell.campaign_page import TableContext, campaign_page
from web.shell.requests import since

MOST = 60
"""So many moves may one request bring."""
LARGEST = 64_000
"""Bytes of a request."""
DICE = "dice"
"""The condition of every title: stop after a move that threw a die."""
WAYS = frozenset({"", *playing_on.WAYS})
IF = "if"
"""The key of a move's own condition (`Conditional`)."""
LONGEST_IF = 400
"""Characters of a condition."""


@dataclass
class Asked:
    """What a request asks, by shape."""

    seen: int
    moves: list[dict[str, Any]]
    stop: frozenset[str] = frozenset()
    then: str = ""
    plan: bool = False
    """Is it only asked what the board would be?"""


@dataclass
class Done:
    """What came of it: the entries' numbers, what was left and why, and the table's row now."""

    campaign: Campaign
    seen: int
    numbers: list[int] = field(default_factory=list)
    left: Sequence[Mapping[str, Any]] = ()
    why: dict[str, str] | None = None
    stopped: str = ""
    played: int = 0
    skipped: list[int] = field(default_factory=list)


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def moves(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Plays the moves of the body in their order (`Asked`), and answers with what came of them."""
    pages = title_page.own_pages(table)
    if request.method != "POST":
        return redirect(table.home)
    title_page.must_play(table)
    asked = read_request(request.body)
    if asked is None:
        wrong = {"sentence": _("This request cannot be read."), "rule": "", "code": "malformed"}
        return JsonResponse({"why": wrong}, status=400)
    if wait := throttle.spend(request, throttle.MOVES, f"user {request.user.pk}"):
        text = ngettext("Come again in %(n)d minute.", "Come again in %(n)d minutes.", ceil(wait / 60)) % {"n": ceil(wait / 60)}
        answer = JsonResponse({"why": {"sentence": text, "rule": "", "code": "throttled"}}, status=429)
        answer.headers["Retry-After"] = str(wait)
        return answer
    if since(table, asked.seen):
        done = Done(table.campaign, asked.seen, left=asked.moves, why=moved_on())
        return answered(request, table, pages, done, reel_since(table, asked.seen, newest=True).frames, 409)
    if asked.plan:
        return planned(request, table, pages, asked)
    done = play_all(request, table, pages, asked)
    if done.why is not None and done.why["code"] == "table-moved-on" and not done.numbers:
        return answered(request, table, pages, done, reel_since(fresh(request, table), asked.seen, newest=True).frames, 409)
    first = min(done.numbers, default=None)
    frames = () if first is None else reel_of(fresh(request, table), table.position, first).frames
    return answered(request, table, pages, done, frames, 200 if done.numbers or done.why is None else 422)


def planned(request: HttpRequest, table: TableContext, pages: Pages, asked: Asked) -> HttpResponse:
    """The board as it would stand after these moves, of which none is played: as far as they go without a die."""
    if not isinstance(pages, Composing):
        raise Http404
    moves = [title_page.voice(table).speak(raw) for raw in asked.moves]
    for seat in {move["for"] for move in moves if "for" in move}:
        services.log_access(table.campaign, request.user, seat, Look.Way.MOVE)
    try:
        plan = services.foresee(table.campaign, request.user, moves)
    except NotNow as refusal:
        stopped = {"sentence": str(refusal), "rule": "", "code": refusal.code}
        return JsonResponse({"seen": table.seen, "count": 0, "why": stopped}, status=409)
    reader = title_page.reader_of(request, table, {})
    why = None if plan.refused is None else title_page.wrong(table, plan.refused)
    board = pages.board(plan.position, reader)
    return JsonResponse({"seen": table.seen, "count": plan.count, "why": why, "board": board}, status=422 if why else 200)


def read_request(body: bytes) -> Asked | None:
    """The request by its shape; None where it has none."""
    try:
        given = read(body) if len(body) <= LARGEST else None
    except MalformedRecord:
        return None
    if not isinstance(given, dict) or given.keys() - {"seen", "moves", "stop", "then", "plan"}:
        return None
    seen, listed, stop, then = (
        given.get(key, usual) for key, usual in (("seen", None), ("moves", []), ("stop", []), ("then", ""))
    )
    if type(seen) is not int or not isinstance(listed, list) or len(listed) > MOST or not _texts(given):
        return None
    if not all(isinstance(one, dict) and isinstance(one.get("move"), str) for one in listed):
        return None
    if not all(isinstance(one.get(IF, {}), dict) and len(str(one.get(IF, ""))) <= LONGEST_IF for one in listed):
        return None
    if not isinstance(stop, list) or not all(isinstance(one, str) for one in stop) or then not in WAYS:
        return None
    if type(given.get("plan", False)) is not bool:
        return None
    return Asked(seen, listed, frozenset(stop), then, given.get("plan", False))


def _texts(value: Any) -> bool:
    """Can UTF-8 write all its texts?"""
    if isinstance(value, dict):
        return all(is_text(key) and _texts(one) for key, one in value.items())
    if isinstance(value, list):
        return all(_texts(one) for one in value)
    return not isinstance(value, str) or is_text(value)


def moved_on() -> dict[str, str]:
    text = _("The table has moved on since that page was made. This is the position now.")
    return {"sentence": text, "rule": "", "code": "table-moved-on"}


def play_all(request: HttpRequest, table: TableContext, pages: Pages, asked: Asked) -> Done:
    """The moves one after the other, then what goes on by itself if that was asked and nothing stopped."""
    done = Done(table.campaign, max(asked.seen, table.seen))
    announcing = pages if isinstance(pages, Announcing) else None
    chosen = [key for key in announcing.stops() if key in asked.stop] if announcing else []
    before = table.position
    for place, raw in enumerate(asked.moves):
        if done.campaign.ended or done.stopped:
            done.left = asked.moves[place:]
            break
        try:
            if IF in raw and not wanted(pages, before, raw[IF]):
                done.skipped.append(place)
                continue
            move = title_page.voice(table).speak({key: value for key, value in raw.items() if key != IF})
            if "for" in move:
                services.log_access(done.campaign, request.user, move["for"], Look.Way.MOVE)
            result = services.play(done.campaign, request.user, move, done.seen)
        except TableMovedOn:
            done.why, done.left = moved_on(), asked.moves[place:]
            break
        except NotNow as refusal:
            done.why, done.left = {"sentence": str(refusal), "rule": "", "code": refusal.code}, asked.moves[place:]
            break
        except IllegalMove as refusal:
            done.why, done.left = title_page.wrong(table, refusal), asked.moves[place:]
            break
        after = selectors.position(result.campaign)
        note(table, done, result)
        if not result.entries[-1].is_move:
            done.stopped = _("A die is to be thrown elsewhere first.")
        elif announcing is not None:
            done.stopped = announcing.stopped(before, after, str(move.get("for", move["by"])), chosen)
        if not done.stopped and DICE in asked.stop and result.rolls:
            done.stopped = _("A die was thrown.")
        before = after
    # What goes on by itself does so also where the seat's turn is over, which stops a list.
    going = done.why is None and not done.left and not done.campaign.ended and (not done.stopped or _goes_on(asked))
    if going and asked.then in playing_on.WAYS:
        first = title_page.run(request, table, asked.then, asked=not asked.moves)
        if first is not None:
            done.numbers.append(first)
    return done


def _goes_on(asked: Asked) -> bool:
    return asked.then in (playing_on.ON, playing_on.OUT) and DICE not in asked.stop


def wanted(pages: Pages, position: Any, condition: Mapping[str, Any]) -> bool:
    """Is a move still wanted under its own condition? Raises `IllegalMove` where the title knows no such condition."""
    if not isinstance(pages, Conditional):
        raise IllegalMove("bad-arguments", "", "unknown-argument", key=IF, move="")
    return pages.wanted(position, condition)


def note(table: TableContext, done: Done, result: services.Result) -> None:
    """Counts a move that was played."""
    done.campaign, done.played = result.campaign, done.played + 1
    done.seen += seen_of(table, result)
    done.numbers += [entry.number for entry in result.entries if entry.number is not None]


def seen_of(table: TableContext, result: services.Result) -> int:
    """How many of the entries just made the reader sees, those of others' standing orders among them."""
    written = list(result.entries)
    if result.campaign.last_sequence > written[-1].sequence:
        written += selectors.between(result.campaign, written[-1].sequence)
    return sum(table.access.sees(entry.viewers) for entry in written)


def fresh(request: HttpRequest, table: TableContext) -> TableContext:
    """The same reader at the table as it stands now."""
    campaign = Campaign.objects.get(pk=table.campaign.pk)
    known = "places" in vars(table)
    now = TableContext(request, campaign, hidden_hands.access_with_open_hands(request, campaign, table.places if known else None))
    if known:
        now.places = table.places
    return now


def answered(
    request: HttpRequest, table: TableContext, pages: Pages, done: Done, frames: Sequence[Frame], status: int
) -> HttpResponse:
    """The answer of `moves`; with it the title's page, made as for whoever opens it now."""
    now = fresh(request, table)
    shown = {
        "seen": now.seen, "first": min(done.numbers, default=None), "played": done.played, "left": list(done.left),
        "why": done.why, "stopped": done.stopped, "skipped": done.skipped, "frames": [one.to_json() for one in frames],
    }  # fmt: skip
    return JsonResponse({**shown, "page": page_now(request, now)}, status=status)


def page_now(request: HttpRequest, table: TableContext) -> str:
    """The title's page as a GET of the table would bring it."""
    opened = copy(request)
    opened.method, opened.GET, opened.POST = "GET", QueryDict(), QueryDict()
    opened.path = opened.path_info = table.home
    opened.resolver_match = resolve(table.home)
    opened.META = {**opened.META, title_page.BARE: "1"}
    table.request = opened
    return str(title_page.page(opened, table).content.decode())

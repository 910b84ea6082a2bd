"""Several moves in a single request, composed on a title's board, and their film.

The page composes the moves from its offers. Each move is judged separately, in order, until a move
is refused, a chosen condition is met, or another seat must answer. The answer has everything that
the page needs to continue: the frames of the moves that were made, the moves that were not made and
why, and the title's page as it is now.
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

from campaign import automatic_moves, services
from campaign.errors import NotNow, TableMovedOn
from campaign.log import selectors
from campaign.models import AccessLogEntry, Campaign
from engine.errors import IllegalMove, MalformedRecord
from engine.strict_json import is_text, read
from games.contract.pages import Frame, Pages, WithBoardData, WithConditions, WithMoveList
from games.contract.plain import Position
from web.board.playing_rights import must_play, own_pages, reader_of, refusal_of, voice
from web.board.views import BARE, play_on_if_possible, play_on_now, show_board
from web.frame import throttle
from web.frame.campaign_page import access_with_open_hands, campaign_page
from web.frame.requests import since
from web.frame.table import TableContext
from web.history.film import reel_of, reel_since

MOST = 60
"""The largest number of moves in a request."""
LARGEST = 64_000
"""The largest size of a request in bytes."""
DICE = "dice"
"""The condition that every title has: stop after a move that threw a die."""
WAYS = frozenset({"", *automatic_moves.WAYS})
AUTOMATIC = frozenset({automatic_moves.STEP, automatic_moves.ON})
"""The ways to play on in which no program chooses a move."""
IF = "if"
"""The key of a move's own condition (`WithConditions`)."""
LONGEST_IF = 400
"""The largest number of characters of a condition."""
KEYS = frozenset({"seen", "moves", "stop", "then", "plan"})
"""The keys of a request."""
BAD_REQUEST, CONFLICT, UNPROCESSABLE, TOO_MANY = 400, 409, 422, 429

Why = dict[str, str]
"""The reason why a move was not made: sentence, rule and code."""
RawMove = dict[str, Any]
"""A move in record form, as JSON."""


@dataclass(frozen=True, slots=True)
class SeriesRequest:
    """The contents of a request."""

    seen: int
    moves: list[RawMove]
    stop: frozenset[str] = frozenset()
    then: str = ""
    plan: bool = False
    """Whether the request asks only for the board after the moves."""

    @property
    def goes_on_after_stop(self) -> bool:
        """Return whether automatic play continues even after the list of moves was stopped."""
        return self.then in (automatic_moves.ON, automatic_moves.OUT) and DICE not in self.stop


@dataclass
class SeriesResult:
    """The result of a request: the new entries, the remaining moves and why, the campaign."""

    campaign: Campaign
    seen: int
    numbers: list[int] = field(default_factory=list)
    left: Sequence[RawMove] = ()
    why: Why | None = None
    stopped: str = ""
    played: int = 0
    skipped: list[int] = field(default_factory=list)
    has_repeated: bool = False
    """Whether some of the moves had been made before the request."""

    def note(self, table: TableContext, result: services.Result) -> None:
        """Count a move that was made."""
        self.campaign, self.played = result.campaign, self.played + 1
        self.seen = selectors.seen_after(result.campaign, table.access)
        self.numbers += [entry.number for entry in result.entries if entry.number is not None]

    @property
    def is_overtaken(self) -> bool:
        """Return whether nothing was done because others have moved."""
        return self.why is not None and self.why["code"] == "table-moved-on" and not self.numbers

    @property
    def status(self) -> int:
        return 200 if self.numbers or self.why is None else UNPROCESSABLE


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def moves(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Make the moves of the body in their order (`SeriesRequest`), and answer with the result."""
    pages = own_pages(table)
    if request.method != "POST":
        return redirect(table.home)
    must_play(table)
    series_request = read_request(request.body)
    if series_request is None:
        wrong = why_not(_("The server could not read this request."), "malformed")
        return JsonResponse({"why": wrong}, status=BAD_REQUEST)
    if wait := throttle.spend(request, throttle.MOVES, f"user {request.user.pk}"):
        return throttled(wait)
    if not series_request.moves and since(table, series_request.seen):
        return already_moved(request, table, series_request)
    if series_request.plan and (why := outdated(table, series_request)) is not None:
        done = SeriesResult(table.campaign, series_request.seen, left=series_request.moves, why=why)
        frames = reel_since(table, series_request.seen, newest=True).frames
        return answered(request, table, done, frames, CONFLICT)
    if series_request.plan:
        return planned(request, table, pages, series_request)
    done = play_all(request, table, pages, series_request)
    now = present_table(request, table)
    if done.is_overtaken or done.has_repeated:
        frames = reel_since(now, series_request.seen, newest=True).frames
        status = CONFLICT if done.is_overtaken else done.status
        return answered(request, table, done, frames, status)
    first = min(done.numbers, default=None)
    frames = () if first is None else reel_of(now, table.position, first).frames
    return answered(request, table, done, frames, done.status)


def already_moved(
    request: HttpRequest, table: TableContext, series_request: SeriesRequest
) -> HttpResponse:
    """Answer a request to play on at a table that has moved since its page was shown.

    Automatic moves mean the same then: a program or another player has only made some of them. A
    request to let a program choose moves would mean something else now, so it is not carried out.
    """
    done = SeriesResult(table.campaign, series_request.seen)
    if series_request.then not in AUTOMATIC:
        done.why = moved_on()
    elif series_request.then == automatic_moves.ON:
        play_on_if_possible(request, table)
    now = present_table(request, table)
    frames = reel_since(now, series_request.seen, newest=True).frames
    return answered(request, table, done, frames, CONFLICT if done.why else 200)


def outdated(table: TableContext, series_request: SeriesRequest) -> Why | None:
    """Return why planned moves mean something else than on their page; None if they do not."""
    spoken = [voice(table).speak(raw) for raw in series_request.moves]
    try:
        services.must_still_hold(table.campaign, table.user, spoken, series_request.seen)
    except TableMovedOn as error:
        return why_not(str(error), error.code)
    except (NotNow, IllegalMove):
        pass  # The plan itself says so.
    return None


def throttled(wait: float) -> HttpResponse:
    """Answer that this user has sent too many moves; `wait` is in seconds."""
    minutes = ceil(wait / 60)
    text = ngettext("Try again in %(n)d minute.", "Try again in %(n)d minutes.", minutes)
    why = why_not(text % {"n": minutes}, "throttled")
    answer = JsonResponse({"why": why}, status=TOO_MANY)
    answer.headers["Retry-After"] = str(wait)
    return answer


def planned(
    request: HttpRequest, table: TableContext, pages: Pages, series_request: SeriesRequest
) -> HttpResponse:
    """Answer with the board after these moves, up to the first die."""
    if not isinstance(pages, WithBoardData):
        raise Http404
    moves = [voice(table).speak(raw) for raw in series_request.moves]
    for seat in {move["for"] for move in moves if "for" in move}:
        services.log_access(table.campaign, table.user, seat, AccessLogEntry.Way.MOVE)
    try:
        plan = services.foresee(table.campaign, table.user, moves)
    except NotNow as refusal:
        answer = {"seen": table.seen, "count": 0, "why": why_not(str(refusal), refusal.code)}
        return JsonResponse(answer, status=CONFLICT)
    reader = reader_of(request, table, {})
    why = None if plan.refused is None else refusal_of(table, plan.refused)
    board = pages.board(plan.position, reader)
    answer = {"seen": table.seen, "count": plan.count, "why": why, "board": board}
    return JsonResponse(answer, status=UNPROCESSABLE if why else 200)


def why_not(sentence: str, code: str) -> Why:
    return {"sentence": sentence, "rule": "", "code": code}


def moved_on() -> Why:
    text = _("The table has moved on since you opened that page. This is the current position.")
    return why_not(text, "table-moved-on")


# Request


def read_request(body: bytes) -> SeriesRequest | None:
    """Return a request; None if it does not have the right structure."""
    try:
        given = read(body) if len(body) <= LARGEST else None
    except MalformedRecord:
        return None
    if not isinstance(given, dict) or given.keys() - KEYS or not is_written(given):
        return None
    seen, moves, plan = given.get("seen"), given.get("moves", []), given.get("plan", False)
    stop, then = given.get("stop", []), given.get("then", "")
    if type(seen) is not int or type(plan) is not bool or not is_list_of_moves(moves):
        return None
    if not is_list_of_texts(stop) or not isinstance(then, str) or then not in WAYS:
        return None
    return SeriesRequest(seen, moves, frozenset(stop), then, plan)


def is_list_of_moves(value: object) -> bool:
    return isinstance(value, list) and len(value) <= MOST and all(is_move(move) for move in value)


def is_move(value: object) -> bool:
    """Return whether a value is a move with a name and, if present, a valid condition."""
    if not isinstance(value, dict) or not isinstance(value.get("move"), str):
        return False
    condition = value.get(IF, {})
    return isinstance(condition, dict) and len(str(value.get(IF, ""))) <= LONGEST_IF


def is_list_of_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def is_written(value: object) -> bool:
    """Return whether all texts of a value can be encoded as UTF-8."""
    if isinstance(value, dict):
        return all(is_text(key) and is_written(item) for key, item in value.items())
    if isinstance(value, list):
        return all(is_written(item) for item in value)
    return not isinstance(value, str) or is_text(value)


# Moves


class Series:
    """The moves of a request, made one after the other until a reason to stop."""

    def __init__(self, table: TableContext, pages: Pages, series_request: SeriesRequest) -> None:
        self.table, self.pages, self.series_request = table, pages, series_request
        self.done = SeriesResult(table.campaign, series_request.seen)
        self.announcing = pages if isinstance(pages, WithMoveList) else None
        known = self.announcing.stops() if self.announcing is not None else ()
        self.conditions = [key for key in known if key in series_request.stop]
        self.made_before: set[int] = set()
        self.position = table.position

    def play(self) -> SeriesResult:
        """Make the moves and return the result."""
        table, series_request, done = self.table, self.series_request, self.done
        try:
            self.shown = services.page_position_before(
                table.campaign, table.access, series_request.seen
            )
        except TableMovedOn as error:
            self._leave(0, why_not(str(error), error.code))
            return done
        for place, raw in enumerate(series_request.moves):
            if done.campaign.ended or done.stopped:
                self._leave(place, None)
            elif IF not in raw or self._is_wanted(place, raw[IF]):
                self._play_one(place, raw)
            if done.left:
                break
        return done

    def _leave(self, place: int, why: Why | None) -> None:
        """Stop before the move at this place: record the remaining moves and the reason."""
        self.done.left, self.done.why = self.series_request.moves[place:], why

    def _is_wanted(self, place: int, condition: Mapping[str, object]) -> bool:
        """Return whether the condition of a move is met. Stop if the rules refuse it."""
        try:
            if wanted(self.pages, self.position, condition):
                return True
        except IllegalMove as refusal:
            self._leave(place, refusal_of(self.table, refusal))
            return False
        self.done.skipped.append(place)
        return False

    def _play_one(self, place: int, raw: RawMove) -> None:
        """Make a move. If it is refused, stop before it."""
        try:
            move, result = self._make(raw)
        except TableMovedOn as error:
            if not self._was_made(error):
                self._leave(place, why_not(str(error), error.code))
        except NotNow as refusal:
            self._leave(place, why_not(str(refusal), refusal.code))
        except IllegalMove as refusal:
            self._leave(place, refusal_of(self.table, refusal))
        else:
            self._stop_after(move, result)

    def _was_made(self, error: TableMovedOn) -> bool:
        """Count a move that this user has already made, for example if the answer was lost.

        Each entry counts for one move of the list only. If no one else moved before it, the
        following moves are sent from the position after it.
        """
        entries, table = error.again, self.table
        if not entries or entries[-1].sequence in self.made_before:
            return False
        self.made_before.add(entries[-1].sequence)
        if error.entries[: len(entries)] == entries:
            self.done.seen += len(entries)
            self.shown = services.page_position_before(table.campaign, table.access, self.done.seen)
        else:
            self.shown = services.page_position_after(self.shown, entries)
        self.done.played, self.done.has_repeated = self.done.played + 1, True
        self.done.numbers += [entry.number for entry in entries if entry.number is not None]
        self.done.campaign = Campaign.objects.get(pk=table.campaign.pk)
        self.position = selectors.position(self.done.campaign)
        return True

    def _make(self, raw: RawMove) -> tuple[RawMove, services.Result]:
        table, done = self.table, self.done
        plain = {key: value for key, value in raw.items() if key != IF}
        move = voice(table).speak(plain)
        if "for" in move:
            services.log_access(done.campaign, table.user, move["for"], AccessLogEntry.Way.MOVE)
        result = services.play(done.campaign, table.user, move, done.seen, shown=self.shown)
        self.shown = services.page_position_after(self.shown, result.entries)
        return move, result

    def _stop_after(self, move: RawMove, result: services.Result) -> None:
        """Count a move, and set the reason if the list stops after it."""
        before, self.position = self.position, selectors.position(result.campaign)
        self.done.note(self.table, result)
        seat, stopped = str(move.get("for", move["by"])), ""
        if not result.entries[-1].is_move:
            stopped = _("First a die must be thrown elsewhere.")
        elif self.announcing is not None:
            stopped = self.announcing.stopped(before, self.position, seat, self.conditions)
        if not stopped and DICE in self.series_request.stop and result.rolls:
            stopped = _("A die was thrown.")
        self.done.stopped = stopped


def play_all(
    request: HttpRequest, table: TableContext, pages: Pages, series_request: SeriesRequest
) -> SeriesResult:
    """Make the moves, then start automatic play if the request asks for it."""
    done = Series(table, pages, series_request).play()
    is_over = done.why is not None or bool(done.left) or done.campaign.ended
    # Automatic play continues even if the end of the seat's turn has stopped the list.
    is_stopped = bool(done.stopped) and not series_request.goes_on_after_stop
    if not is_over and not is_stopped and series_request.then in automatic_moves.WAYS:
        first = play_on_now(request, table, series_request.then, asked=not series_request.moves)
        if first is not None:
            done.numbers.append(first)
    return done


def wanted(pages: Pages, position: Position, condition: Mapping[str, object]) -> bool:
    """Return whether the condition of a move is met.

    Raise `IllegalMove` if the title has no conditions.
    """
    if not isinstance(pages, WithConditions):
        raise IllegalMove("bad-arguments", "", "unknown-argument", key=IF, move="")
    return pages.wanted(position, condition)


# Answer


def present_table(request: HttpRequest, table: TableContext) -> TableContext:
    """Return the present campaign for the same reader."""
    campaign = Campaign.objects.get(pk=table.campaign.pk)
    reader = access_with_open_hands(request, campaign, table.memberships)
    now = TableContext(request, campaign, reader)
    now.memberships, now.places = table.memberships, table.places
    return now


def answered(
    request: HttpRequest,
    table: TableContext,
    done: SeriesResult,
    frames: Sequence[Frame],
    status: int,
) -> HttpResponse:
    """Return the answer, with the title's page as it is now."""
    now = present_table(request, table)
    answer = {
        "seen": now.seen,
        "first": min(done.numbers, default=None),
        "played": done.played,
        "left": list(done.left),
        "why": done.why,
        "stopped": done.stopped,
        "skipped": done.skipped,
        "frames": [frame.to_json() for frame in frames],
        "page": page_now(request, now),
    }
    return JsonResponse(answer, status=status)


def page_now(request: HttpRequest, table: TableContext) -> str:
    """Return the title's page as a GET of the table would show it."""
    opened = copy(request)
    opened.method, opened.GET, opened.POST = "GET", QueryDict(), QueryDict()
    opened.path = opened.path_info = table.home
    opened.resolver_match = resolve(table.home)
    opened.META = {**opened.META, BARE: "1"}
    table.request = opened
    return show_board(opened, table).content.decode()

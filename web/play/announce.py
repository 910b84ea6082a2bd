"""Announcing a move, looking at what it would do, taking one's own last move back; and several
moves in one request.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from math import ceil
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.middleware.csrf import get_token
from django.shortcuts import redirect
from django.urls import resolve
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext
from django.views.decorators.http import require_http_methods

from campaign import playing_on, review, services
from campaign.errors import CannotUndo, NotNow, NotOfThisTable, TableMovedOn
from campaign.log import entries, selectors
from campaign.models import Campaign, Look
from engine.errors import IllegalMove, MalformedRecord
from engine.strict_json import is_text, read
from games.contract.pages import Announcing, Composing, Conditional, Frame, Pages
from games.contract.title import Offer
from web.frame import throttle
from web.frame.campaign_page import (
    GAME_MASTER,
    TableContext,
    access_with_open_hands,
    campaign_page,
    see_other,
    show,
)
from web.frame.requests import inside_this_site, seen_number, since
from web.history.film import reel_of, reel_since
from web.log import lines
from web.play import forms, gm_move, nation, title_page
from web.play.forms import Wrong
from web.play.nation import Desk
from web.titles.talk import plain_name


class Said:
    """What a form posted, read: who speaks for whom, the offer (None if it is gone), the move in
    record form.
    """

    def __init__(self, table: TableContext, data: QueryDict) -> None:
        self.table, self.data = table, data
        first = table.own_seats[0] if table.own_seats else GAME_MASTER
        self.seat = data.get("for") or data.get("seat") or first
        if self.seat not in table.names:
            self.seat = first
        self.by = GAME_MASTER if "for" in data or self.seat == GAME_MASTER else self.seat
        if self.by not in table.access.voices:
            raise PermissionDenied(_("You do not hold this seat."))
        self.desk = Desk(table, self.seat)
        self.desk.by = self.by
        if self.by != self.seat:
            services.log_access(table.campaign, table.user, self.seat, Look.Way.MOVE)
        self.offer: Offer | None = self.desk.offer(data.get("offer", ""))
        self.arguments = forms.read(self.offer, data)
        self.raw = forms.raw_move(self.offer, data, self.arguments, self.by, self.seat)
        if self.seat == GAME_MASTER:
            filled = forms.complete(self.offer, self.arguments) if self.offer else {}
            if not all(
                map(
                    table.access.opens,
                    review.about(table.campaign, table.access, {**filled, **self.raw}),
                )
            ):
                raise PermissionDenied(_("This hand is closed to you. Open it first."))

    @property
    def back(self) -> str:
        """Where the form came from, if that is a page of this site; else the seat's page, the desk
        for the game master.
        """
        wanted = self.data.get("back", "")
        if back := inside_this_site(self.table.request, wanted, "/c/"):
            return back
        return (
            self.table.url("nation", self.seat)
            if self.seat != GAME_MASTER
            else self.table.url("desk")
        )

    @property
    def name(self) -> str:
        return (
            self.desk.talk.offer_name(self.offer)
            if self.offer
            else plain_name(str(self.raw["move"]))
        )

    @property
    def seen(self) -> int:
        return seen_number(self.data.get("seen", ""))

    def line(self) -> str:
        """The move as a sentence; its name where the sentence wants what was not said."""
        try:
            text = self.table.title.move_line(self.table.scenario, self.raw)
        except (KeyError, TypeError, ValueError, AttributeError):
            return self.name
        return text

    def hidden(self, *, sure: bool = False) -> list[tuple[str, str]]:
        """The whole form again, as hidden fields with the present entry."""
        skip = {"csrfmiddlewaretoken", "seen", "sure"}
        fields = [
            (key, text) for key in self.data for text in self.data.getlist(key) if key not in skip
        ]
        return [*fields, ("seen", str(self.table.seen))] + [("sure", "1")] * sure


@require_http_methods(["GET", "POST"])
@campaign_page
def announce(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Plays the posted move and goes back to where the form stood; asks first where it cannot be
    taken back.
    """
    if request.method != "POST":
        return redirect(table.home)
    asked = Said(table, request.POST)
    if asked.seen > table.seen:
        alone = {
            "name": asked.name,
            "wrong": Wrong(str(NotOfThisTable())),
            "back": asked.back,
            "who": table.name_of(asked.seat),
        }
        return show(request, table, "play/refused.html", alone, status=409)
    wrong = _incomplete(asked)
    if wrong is None:
        try:
            if request.POST.get("sure") != "1":
                services.must_still_hold(table.campaign, request.user, [asked.raw], asked.seen)
                follow, why = forms.preview_move(asked.desk.talk, asked.raw, table.access.sees)
                concerned = gm_move.of_move(table, asked.raw)
                if why or concerned:
                    return _ask(
                        request, asked, {"follow": follow, "why": why, "concerned": concerned}
                    )
            result = services.play(table.campaign, request.user, asked.raw, asked.seen)
        except TableMovedOn as error:
            return _moved_on(request, asked, error)
        except NotNow as refusal:
            wrong = Wrong(str(refusal))
        except IllegalMove as refusal:
            field = forms.where_wrong(asked.offer, asked.arguments, refusal)
            wrong = Wrong(asked.desk.sentence(refusal), refusal.rule, field)
        else:
            if not result.entries[-1].is_move:
                messages.success(
                    request, _("Announced. It waits for a die that is thrown elsewhere.")
                )
                return _back(asked)
            effects = [effect for effect in result.effects if table.access.sees(effect.audience)]
            _toast(request, asked, result.entries[-1].content, effects, result.campaign)
            return _back(asked)
    return _refused(request, asked, wrong)


@require_http_methods(["GET", "POST"])
@campaign_page
def preview(request: HttpRequest, table: TableContext) -> HttpResponse:
    """The form again with what follows from what it says now; nothing is played."""
    if request.method != "POST":
        return redirect(table.home)
    asked = Said(table, request.POST)
    if asked.seat != GAME_MASTER:
        return nation.page(request, table, asked.seat, asked.data.get("offer", ""), asked.data)
    return _refused(request, asked, None, status=200)


def _incomplete(asked: Said) -> Wrong | None:
    """What was left empty that must be chosen."""
    one = forms.missing(asked.offer, asked.arguments) if asked.offer else None
    if asked.offer is None or one is None:
        return None
    if one.kind in ("text", "number", "shares"):
        return None  # the rules say best what is missing here
    return Wrong(
        _("%(field)s: choose one.") % {"field": asked.desk.talk.field_label(asked.offer, one)},
        "",
        one.key,
    )


def _ask(request: HttpRequest, asked: Said, whole: Mapping[str, Any]) -> HttpResponse:
    context = {
        "said": asked,
        "name": asked.name,
        "sentence": asked.line(),
        "hidden": asked.hidden(sure=True),
        "back": asked.back,
        "verb": asked.desk.talk.verb(asked.offer) if asked.offer else _("Announce"),
        "who": asked.table.name_of(asked.seat),
        "for_nation": asked.by != asked.seat,
        **whole,
    }
    return show(request, asked.table, "play/confirm.html", context)


def _refused(
    request: HttpRequest, asked: Said, wrong: Wrong | None, status: int = 422
) -> HttpResponse:
    """The form back with its error: on the nation's page, or alone for what belongs to another
    page.
    """
    on_nation = asked.seat != GAME_MASTER and asked.back.split("?")[0] == asked.table.url(
        "nation", asked.seat
    )
    if on_nation and asked.offer is not None:
        return nation.page(
            request, asked.table, asked.seat, asked.offer.key, asked.data, wrong, status
        )
    card = asked.desk.card(asked.offer, asked.back, asked.arguments, wrong) if asked.offer else None
    whole = {
        "name": asked.name,
        "sentence": "",
        "card": card,
        "wrong": wrong,
        "back": asked.back,
        "who": asked.table.name_of(asked.seat),
    }
    return show(request, asked.table, "play/refused.html", whole, status=status)


def _moved_on(request: HttpRequest, asked: Said, error: TableMovedOn) -> HttpResponse:
    """The table has moved on: what moved, whether the move is still possible, one click to announce
    it again.

    If this user has made this move since, they have pressed a button twice.
    """
    if error.again:
        campaign = type(asked.table.campaign).objects.get(pk=asked.table.campaign.pk)
        last = selectors.lines(campaign, request.user, error.again)[-1]
        _toast(request, asked, last.entry.content, last.effects, campaign)
        return _back(asked)
    moved = selectors.lines(asked.table.campaign, request.user, error.entries)
    whole: dict[str, Any] = {
        "said": asked,
        "name": asked.name,
        "sentence": asked.line(),
        "hidden": asked.hidden(),
        "back": asked.back,
        "who": asked.table.name_of(asked.seat),
        "moved": lines.rows(asked.table, moved),
        "wrong": _incomplete(asked),
        "changed": error.changed,
    }
    if whole["wrong"] is None:
        try:
            whole["follow"], whole["why"] = forms.preview_move(
                asked.desk.talk, asked.raw, asked.table.access.sees
            )
            whole["hidden"] = asked.hidden(sure=bool(whole["why"]))
        except IllegalMove as refusal:
            whole["wrong"] = Wrong(asked.desk.sentence(refusal), refusal.rule)
    return show(request, asked.table, "play/moved_on.html", whole, status=409)


def _toast(
    request: HttpRequest,
    asked: Said,
    raw: Mapping[str, Any],
    effects: Sequence[Any],
    campaign: Campaign,
) -> None:
    """What was announced, with Undo where the speaker may: a click with script, a page that asks
    without. `campaign` is its row after the move.
    """
    text, who = asked.desk.talk.moved(raw, effects), asked.table.access
    try:
        services.own_undo(campaign, who)
    except CannotUndo:
        messages.success(request, text)
        return
    seen = entries.known_to(campaign, who) - 1
    get_token(request)
    link = (
        '<span>{}</span> <a href="{}" hx-post="{}" hx-vals=\'{{"seen": {}}}\' hx-target="body"'
        ' hx-swap="innerHTML show:none" hx-push-url="true">{}</a>'
    )
    url = asked.table.url("undo")
    messages.success(request, format_html(link, text, url, url, seen, pgettext("own move", "Undo")))


def _back(asked: Said) -> HttpResponse:
    return see_other(asked.back)


# Several moves in one request, put together on a title's board, and their film.
#
# The page composes what it was offered; here each move is judged alone, in its order, and it stops
# at the first that is refused, at a condition that was chosen, and where another seat is asked. The
# answer brings what a page needs to go on: the frames of what was decided, what was not done and
# why, and the title's page as it stands now.


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
        text = ngettext(
            "Come again in %(n)d minute.", "Come again in %(n)d minutes.", ceil(wait / 60)
        ) % {"n": ceil(wait / 60)}
        answer = JsonResponse(
            {"why": {"sentence": text, "rule": "", "code": "throttled"}}, status=429
        )
        answer.headers["Retry-After"] = str(wait)
        return answer
    if (asked.plan or not asked.moves) and since(table, asked.seen):
        done = Done(table.campaign, asked.seen, left=asked.moves, why=moved_on())
        return answered(
            request, table, pages, done, reel_since(table, asked.seen, newest=True).frames, 409
        )
    if asked.plan:
        return planned(request, table, pages, asked)
    done = play_all(request, table, pages, asked)
    if done.why is not None and done.why["code"] == "table-moved-on" and not done.numbers:
        return answered(
            request,
            table,
            pages,
            done,
            reel_since(fresh(request, table), asked.seen, newest=True).frames,
            409,
        )
    first = min(done.numbers, default=None)
    frames = () if first is None else reel_of(fresh(request, table), table.position, first).frames
    return answered(
        request, table, pages, done, frames, 200 if done.numbers or done.why is None else 422
    )


def planned(request: HttpRequest, table: TableContext, pages: Pages, asked: Asked) -> HttpResponse:
    """The board as it would stand after these moves, of which none is played: as far as they go
    without a die.
    """
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
    return JsonResponse(
        {"seen": table.seen, "count": plan.count, "why": why, "board": board},
        status=422 if why else 200,
    )


def read_request(body: bytes) -> Asked | None:
    """The request by its shape; None where it has none."""
    try:
        given = read(body) if len(body) <= LARGEST else None
    except MalformedRecord:
        return None
    if not isinstance(given, dict) or given.keys() - {"seen", "moves", "stop", "then", "plan"}:
        return None
    seen, listed, stop, then = (
        given.get(key, usual)
        for key, usual in (("seen", None), ("moves", []), ("stop", []), ("then", ""))
    )
    if (
        type(seen) is not int
        or not isinstance(listed, list)
        or len(listed) > MOST
        or not _texts(given)
    ):
        return None
    if not all(isinstance(one, dict) and isinstance(one.get("move"), str) for one in listed):
        return None
    if not all(
        isinstance(one.get(IF, {}), dict) and len(str(one.get(IF, ""))) <= LONGEST_IF
        for one in listed
    ):
        return None
    if (
        not isinstance(stop, list)
        or not all(isinstance(one, str) for one in stop)
        or then not in WAYS
    ):
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
    """The moves one after the other, then what goes on by itself if that was asked and nothing
    stopped.
    """
    done = Done(table.campaign, asked.seen)
    try:
        shown = services.shown_before(table.campaign, table.access, asked.seen)
    except TableMovedOn:
        done.why, done.left = moved_on(), asked.moves
        return done
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
            move = title_page.voice(table).speak(
                {key: value for key, value in raw.items() if key != IF}
            )
            if "for" in move:
                services.log_access(done.campaign, request.user, move["for"], Look.Way.MOVE)
            result = services.play(done.campaign, request.user, move, done.seen, shown=shown)
            shown = services.shown_after(shown, result.entries)
        except TableMovedOn:
            done.why, done.left = moved_on(), asked.moves[place:]
            break
        except NotNow as refusal:
            done.why, done.left = (
                {"sentence": str(refusal), "rule": "", "code": refusal.code},
                asked.moves[place:],
            )
            break
        except IllegalMove as refusal:
            done.why, done.left = title_page.wrong(table, refusal), asked.moves[place:]
            break
        after = selectors.position(result.campaign)
        note(table, done, result)
        if not result.entries[-1].is_move:
            done.stopped = _("A die is to be thrown elsewhere first.")
        elif announcing is not None:
            done.stopped = announcing.stopped(
                before, after, str(move.get("for", move["by"])), chosen
            )
        if not done.stopped and DICE in asked.stop and result.rolls:
            done.stopped = _("A die was thrown.")
        before = after
    # What goes on by itself does so also where the seat's turn is over, which stops a list.
    going = (
        done.why is None
        and not done.left
        and not done.campaign.ended
        and (not done.stopped or _goes_on(asked))
    )
    if going and asked.then in playing_on.WAYS:
        first = title_page.run(request, table, asked.then, asked=not asked.moves)
        if first is not None:
            done.numbers.append(first)
    return done


def _goes_on(asked: Asked) -> bool:
    return asked.then in (playing_on.ON, playing_on.OUT) and DICE not in asked.stop


def wanted(pages: Pages, position: Any, condition: Mapping[str, Any]) -> bool:
    """Is a move still wanted under its own condition? Raises `IllegalMove` where the title knows no
    such condition.
    """
    if not isinstance(pages, Conditional):
        raise IllegalMove("bad-arguments", "", "unknown-argument", key=IF, move="")
    return pages.wanted(position, condition)


def note(table: TableContext, done: Done, result: services.Result) -> None:
    """Counts a move that was played."""
    done.campaign, done.played = result.campaign, done.played + 1
    done.seen = selectors.seen_after(result.campaign, table.access)
    done.numbers += [entry.number for entry in result.entries if entry.number is not None]


def fresh(request: HttpRequest, table: TableContext) -> TableContext:
    """The same reader at the table as it stands now."""
    campaign = Campaign.objects.get(pk=table.campaign.pk)
    known = "places" in vars(table)
    now = TableContext(
        request,
        campaign,
        access_with_open_hands(request, campaign, table.places if known else None),
    )
    if known:
        now.places = table.places
    return now


def answered(
    request: HttpRequest,
    table: TableContext,
    pages: Pages,
    done: Done,
    frames: Sequence[Frame],
    status: int,
) -> HttpResponse:
    """The answer of `moves`; with it the title's page, made as for whoever opens it now."""
    now = fresh(request, table)
    shown = {
        "seen": now.seen,
        "first": min(done.numbers, default=None),
        "played": done.played,
        "left": list(done.left),
        "why": done.why,
        "stopped": done.stopped,
        "skipped": done.skipped,
        "frames": [one.to_json() for one in frames],
    }
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

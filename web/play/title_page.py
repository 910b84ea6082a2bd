"""A table whose title has a page of its own: that page, the moves its forms make, and what goes on
by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from time import sleep
from typing import Any, cast
from urllib.parse import urlencode

from django.contrib import messages
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from campaign import plans, playing_on, services
from campaign import status as halls
from campaign.errors import NotNow, Refused, TableError, TableMovedOn
from campaign.log import selectors
from campaign.log.selectors import Line
from campaign.log.talk import LONGEST, talk
from campaign.models import Look, Plan
from campaign.plans import EARLIER, LATER, Announced
from campaign.seats.seating import program_seats
from campaign.sentences import written
from engine.errors import IllegalMove
from engine.strict_json import whole
from games.contract.pages import Announcing, Fame, Pages, Reader
from games.registry import FOUNDINGS, LESSONS, TITLES, solo
from people import services as people_services
from people.models import User
from web.frame import throttle
from web.frame.adapter import may_join
from web.frame.campaign_page import (
    TableContext,
    address,
    campaign_page,
    see_other,
    show,
    state_line,
)
from web.frame.requests import seen_number, since
from web.log.lines import recent_talk, rows, unsent_key
from web.plan.page import may_plan
from web.seats import hidden_hands, standing_orders
from web.tasks import ask_to_finish

BARE = "tabula.bare"
"""Set where a page is made for one who has its board already: what never changes on it is
left out.
"""
BEGINNING = 12
"""So many entries is the beginning of a game, where its lesson is offered."""
THEN = "then"
"""The field of a title's form that plays on after its move: one of `playing_on.WAYS`."""
STOP = "stop"
PROGRAM = "program"
"""Who plays a campaign that one may also play alone: a program, from the beginning to the end,
unless it is stopped.
"""


def page(
    request: HttpRequest,
    table: TableContext,
    *,
    typed: Mapping[str, str] | None = None,
    error: Mapping[str, str] | None = None,
    moved: Sequence[Line] | None = None,
    status: int = 200,
) -> HttpResponse:
    """The title's page; with `error` or `moved` what was typed stands in it again, and nothing was
    played.
    """
    pages = own_pages(table)
    asked = request.GET.dict() if request.method == "GET" else {}
    closed = hidden_hands.closed_hands(table)
    kept = listed(table) if plays(table) else None
    reader = reader_of(request, table, asked, typed or {}, kept)
    page_made = pages.page(
        table.position, selectors.moves_on_page(table.campaign, table.access), reader, hall(table)
    )
    context = {
        **page_made.context,
        "own_title": page_made.title,
        "bare": BARE in request.META,
        "player": player_of(
            table, page_made.context.get("seat") or page_made.context.get("winner")
        ),
        "closed": closed,
        "seen": table.seen,
        "act_url": table.url("act"),
        "onward_url": table.url("onward"),
        "moves_url": table.url("moves"),
        "film_url": table.url("film"),
        "log_url": table.url("log"),
        "undo_url": table.url("undo"),
        "fame": fame(table),
        "onward": played_on(table),
        "talk": recent_talk(request, table),
        "talk_url": table.url("aloud"),
        "orders": standing_orders.links(table),
        "looks": hidden_hands.looks_links(table),
        "free": [] if table.solo or table.campaign.ended else free(table),
        "lesson_offer": offers_lesson(table),
        "plan": kept,
        "list_url": table.url("sequence"),
        "error": error,
        "moved": None if moved is None else rows(table, moved),
    }
    return show(
        request,
        table,
        f"titles/{table.campaign.title}/{page_made.template}",
        context,
        here="table",
        status=status,
    )


def player_of(table: TableContext, seat: Any) -> str:
    """Who holds the seat whose move it is, or who has won with it; its own name where
    nobody does.
    """
    if not isinstance(seat, Mapping) or "key" not in seat:
        return ""
    return ", ".join(table.holders(seat["key"])) or str(seat.get("seat_name", ""))


def plays(table: TableContext) -> bool:
    """May the reader move at all, whoever's turn it is?"""
    return (
        bool(voices(table))
        and not table.campaign.ended
        and not table.campaign.stopped
        and not table.campaign.onward
    )


def offers_lesson(table: TableContext) -> bool:
    """Is this the beginning of the reader's first game of its title, which has a lesson?"""
    campaign = table.campaign
    if (
        campaign.lesson
        or campaign.title not in LESSONS
        or campaign.last_number > BEGINNING
        or not plays(table)
    ):
        return False
    return (
        not selectors.campaigns_of_user(table.user)
        .filter(title=campaign.title)
        .exclude(pk=campaign.pk)
        .exists()
    )


def reader_of(
    request: HttpRequest,
    table: TableContext,
    asked: Mapping[str, str],
    typed: Mapping[str, str] | None = None,
    kept: Plan | None = None,
) -> Reader:
    """Who looks, as the title's pages ask for it."""
    closed = hidden_hands.closed_hands(table)
    return Reader(
        table.own_seats if closed else voices(table),
        asked,
        plays(table),
        typed or {},
        request.user.get_username(),
        None if kept is None else kept.move_list,
        tuple(sorted(table.access.eyes or ())) if closed else (),
        table.host,
        voice(table).deputes,
    )


def listed(table: TableContext) -> Plan | None:
    """The reader's list of the seat that may have one now; None where that is not theirs."""
    seat = table.pages.announcer(table.position) if isinstance(table.pages, Announcing) else None
    if seat is None or not may_plan(table, seat):
        return None
    return plans.plan_of_user(table.campaign, table.user, seat, table.access)


def own_pages(table: TableContext) -> Pages:
    """The title's own pages. Raises `Http404` where it has none."""
    if table.pages is None:
        raise Http404
    return table.pages


def hall(table: TableContext) -> Sequence[Fame]:
    """The best of the title, on the page of a campaign that has ended."""
    if not table.campaign.ended:
        return ()
    return [
        Fame(
            one.player,
            one.points,
            one.facts,
            address("table", one.campaign.address),
            written(one.ended_at.date(), "j M Y"),
        )
        for one in halls.best(table.campaign.title)
    ]


def fame(table: TableContext) -> dict[str, Any] | None:
    """What can be said of the hall on the page of a campaign that has ended: is it `listed`, `may`
    it be, by whom (`own`), was it `helped` by a program or `retried`, is it a `lesson`, is it
    played `again`, may it be (`repeatable`).
    """
    if not table.campaign.ended:
        return None
    campaign = table.campaign
    return {
        "listed": campaign.visibility == campaign.Visibility.LISTED,
        "may": halls.may_enter(campaign),
        "helped": campaign.helped,
        "lesson": bool(campaign.lesson),
        "retried": campaign.retried,
        "again": campaign.retried and "again" in campaign.entries.get(sequence=0).content,
        "repeatable": services.repeatable(campaign),
        "own": table.access.chief,
        "url": address("hall", campaign.title),
        "about_url": table.url("about"),
    }


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def act(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Plays what a form of the title's page says."""
    pages = own_pages(table)
    if request.method != "POST":
        return redirect(table.home)
    must_play(table)
    seen, typed = seen_number(request.POST.get("seen", "")), form(request.POST)
    try:
        move = voice(table).speak(pages.asked(position_of_form(table, seen), typed))
        if "for" in move:
            services.log_access(table.campaign, request.user, move["for"], Look.Way.MOVE)
        result = services.play(table.campaign, request.user, move, seen)
    except TableMovedOn as error:
        if error.again:
            return story_address(table, error.again[0].number)
        lines = selectors.lines(table.campaign, request.user, error.entries)
        return page(request, table, typed=typed, moved=lines, status=error.status)
    except NotNow as refusal:
        return page(
            request,
            table,
            typed=typed,
            error={"sentence": str(refusal), "rule": "", "code": refusal.code},
            status=409,
        )
    except IllegalMove as refusal:
        return page(request, table, typed=typed, error=wrong(table, refusal), status=422)
    first = result.entries[0].number
    if typed.get(THEN, "") in playing_on.WAYS and not result.campaign.ended:
        run(request, table, typed[THEN], asked=False)
    return story_address(table, first)


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def play_on(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Plays on: `how` is one of `playing_on.WAYS`, or `stop`."""
    own_pages(table)
    if request.method != "POST":
        return redirect(table.home)
    must_play(table)
    how = request.POST.get("how", "")
    if how == STOP:
        playing_on.stop(table.campaign)
        return redirect(table.home)
    if how not in playing_on.WAYS or table.campaign.ended:
        return redirect(table.home)
    seen = seen_number(request.POST.get("seen", ""))
    if moved := since(table, seen):
        if moved[0].entry.actor_id != request.user.pk:  # their own: a button pressed twice
            messages.info(
                request,
                _("The table has moved on since that page was made. This is the position now."),
            )
        return story_address(table, moved[0].number)
    return story_address(table, run(request, table, how))


def run(request: HttpRequest, table: TableContext, how: str, *, asked: bool = True) -> int | None:
    """Plays on in one of `playing_on.WAYS`: the first moves now, what is left by the worker. The
    first entry of it.

    Where it was not `asked` for but follows a move, nothing is said if nothing goes on.
    """
    if not playing_on.begin(table.campaign, request.user, how):
        messages.info(request, _("This table is being played on already."))
        return None
    share = playing_on.advance(table.campaign.pk, playing_on.SHARE, playing_on.MOST)
    if share.more:
        ask_to_finish(table.campaign.pk)
    elif isinstance(share.refused, IllegalMove):
        messages.error(request, wrong(table, share.refused)["sentence"])
    elif share.refused is not None:
        messages.error(request, str(share.refused))
    elif not share.moves and asked:
        messages.info(request, _("Somebody must decide first: nothing goes on automatically."))
    return share.first


def played_on(table: TableContext) -> dict[str, Any] | None:
    """What a page says of what is being played on here: how far, by whom it may be stopped; None
    where nothing is.
    """
    asked = playing_on.task(table.campaign)
    if asked is None:
        return None
    far = playing_on.progress(table.campaign, table.position)
    return {
        "program": asked.how in playing_on.HOW,
        "whole": asked.how == playing_on.END,
        "moves": asked.moves,
        "url": table.url("onward"),
        "done": far[0] if far else None,
        "of": far[1] if far else None,
        "state": state_line(table),
        "mine": table.user.pk == asked.user or table.host,
    }


def voice(table: TableContext) -> playing_on.Voice:
    """As whom the reader speaks at this table."""
    return playing_on.Voice(
        table.access, table.solo, tuple(seat.key for seat in table.seats), lambda: free(table)
    )


def voices(table: TableContext) -> tuple[str, ...]:
    """The seats the reader may speak for; a game master's own voice counts where several play."""
    return voice(table).own


def free(table: TableContext) -> tuple[str, ...]:
    """The seats that neither a person nor a program of its own holds."""
    programs = program_seats(table.campaign)
    return tuple(
        seat.key for seat in table.seats if seat.holder is None and seat.key not in programs
    )


def must_play(table: TableContext) -> None:
    if not voices(table):
        raise PermissionDenied(_("Only people who hold a seat at this table play here."))


def form(data: QueryDict) -> dict[str, str]:
    """What was typed, without what the page itself put in."""
    return {
        key: str(text)
        for key, text in data.dict().items()
        if key not in ("csrfmiddlewaretoken", "seen")
    }


def position_of_form(table: TableContext, seen: int) -> Any:
    """Return the position on which the user filled in a form. Raises `TableMovedOn` if there is
    none.
    """
    if not since(table, seen):
        return table.position
    shown = services.shown_at(table.campaign, table.access, seen)
    if shown.position is None:
        raise TableMovedOn([line.entry for line in since(table, seen)])
    return shown.position


def wrong(table: TableContext, refusal: IllegalMove) -> dict[str, str]:
    """A refused move as the page tells it."""
    return {"sentence": table.why_not(refusal), "rule": refusal.rule, "code": refusal.code}


def story_address(table: TableContext, number: int | None) -> HttpResponse:
    """Back to the table, where the telling begins at this entry."""
    return see_other(table.home + (f"?told={number}" if number is not None else ""))


# A list of moves on a title's own page: put one behind the other by who acts, seen by nobody else,
# announced in one go.

TIMES = 9
"""How often one form may put the same move on the list."""
NOWHERE = 10**6
HERE = "#h-list"


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def move_queue(request: HttpRequest, table: TableContext) -> HttpResponse:
    """A form of a move puts it on the list `times` times; `list` changes the list's order, takes
    out, announces.
    """
    pages = table.pages
    if not isinstance(pages, Announcing):
        raise Http404
    if request.method != "POST":
        return redirect(table.home)
    must_play(table)
    seat = pages.announcer(table.position)
    if seat is None or seat not in table.own_seats:
        if seat is None and table.own_seats:
            return see_other(table.home)
        raise PermissionDenied(
            _("Only the holder of a seat makes plans for it, and nobody else sees them.")
        )
    do, typed = request.POST.get("list", ""), form(request.POST)
    version, at = (_whole(request.POST.get(key, "")) for key in ("version", "at"))
    here = (table.campaign, table.user, seat)
    try:
        if do in ("announce", "first"):
            return _announce(request, table, pages, seat, version)
        if do in ("earlier", "later"):
            services.shift(*here, version, at, EARLIER if do == "earlier" else LATER)
        elif do == "remove":
            services.unplan(*here, version, at)
        elif do == "empty":
            services.unplan(*here, version)
        elif not do:
            _add(here, pages.listed(table.position, typed), typed)
    except TableMovedOn as error:
        lines = selectors.lines(table.campaign, request.user, error.entries)
        return page(request, table, moved=lines, status=error.status)
    except TableError as error:
        if error.status in (403, 404):
            raise
        refused = {"sentence": str(error), "rule": "", "code": error.code}
        return page(request, table, typed=typed, error=refused, status=error.status)
    except IllegalMove as refusal:
        return page(request, table, typed=typed, error=wrong(table, refusal), status=422)
    return see_other(table.home + HERE)


def _add(here: tuple[Any, Any, str], move: Mapping[str, Any], typed: Mapping[str, str]) -> None:
    for _once in range(min(max(whole(typed.get("times", "1")) or 1, 1), TIMES)):
        services.plan_move(*here, dict(move))


def _whole(text: str) -> int:
    """A number as posted; of nonsense one that nothing has."""
    number = whole(text)
    return NOWHERE if number is None else number


def _announce(
    request: HttpRequest, table: TableContext, pages: Announcing, seat: str, version: int
) -> HttpResponse:
    """Announce the first or all, to the first of the chosen stops. What is left stays on the list;
    why is told.
    """
    seen = seen_number(request.POST.get("seen", ""))
    chosen = [key for key in pages.stops() if key in request.POST.getlist("stop")]
    last = [table.position]

    def stop(result: services.Result) -> str:
        before, last[0] = last[0], selectors.position(result.campaign)
        return pages.stopped(before, last[0], seat, chosen)

    most = 1 if request.POST.get("list") == "first" else plans.MOST
    announced = services.announce_plan(
        table.campaign, table.user, seat, version, seen, most, stop=stop
    )
    if not announced.results:
        assert isinstance(announced.refused, IllegalMove)
        return page(request, table, error=wrong(table, announced.refused), status=422)
    _confirm_moves(request, table, announced)
    first = announced.results[0].entries[0].number
    asked = {"told": first, "stops": ".".join(chosen)}
    return see_other(f"{table.home}?{urlencode(asked)}")


def _confirm_moves(request: HttpRequest, table: TableContext, announced: Announced) -> None:
    count = len(announced.results)
    text = ngettext("%(count)d move announced.", "%(count)d moves announced.", count) % {
        "count": count
    }
    messages.success(request, text)
    if isinstance(announced.refused, IllegalMove):
        messages.warning(
            request,
            _("The next move was refused: %(why)s") % {"why": table.why_not(announced.refused)},
        )
    elif isinstance(announced.refused, TableError):
        messages.warning(request, str(announced.refused))
    elif announced.stopped and announced.plan.size:
        messages.warning(request, announced.stopped)


# Playing at once: a title of one seat, founded as it comes, by who is signed in or by a guest made
# for it.

DOUBLE_CLICK = 3  # seconds
LOOKS = 20  # ten a second


@require_POST
def play(request: HttpRequest, title: str) -> HttpResponse:
    """A campaign of the title with nothing asked, by a program where that is asked, and onto its
    page. Who is nobody becomes a guest, whom this browser remembers.
    """
    game = TITLES.get(title)
    if game is None or not solo(game):
        raise Http404
    user = cast(User, request.user)
    if not user.is_authenticated:
        if wait := throttle.spend(request, throttle.GUEST, throttle.address(request)):
            return throttle.refused(request, wait)
    elif wait := throttle.spend(request, throttle.REIGN, f"user {user.pk}"):
        return throttle.refused(request, wait)
    if not user.is_authenticated and not may_join(request):
        return redirect("account_signup")  # where nobody comes without an invitation, it says so
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
        player = user if user.is_authenticated else people_services.make()
        campaign = services.found_campaign(player, title, name, scenario, options, player.time_zone)
    if player is not user:
        people_services.remember(request.session, player)
    if request.POST.get("by") == PROGRAM and playing_on.begin(campaign, player, playing_on.END):
        ask_to_finish(campaign.pk)
    if key:
        cache.set(key, [player.pk, campaign.address], DOUBLE_CLICK)
    return see_other(address("table", campaign.address))


def _key(request: HttpRequest, user: User, title: str) -> str:
    """Who presses the button: a user, else a browser by the secret of its forms. Empty where
    neither is known.
    """
    who = f"user {user.pk}" if user.is_authenticated else str(request.META.get("CSRF_COOKIE", ""))
    return f"play:{sha256(f'{who} {title}'.encode()).hexdigest()}" if who else ""


def _second(request: HttpRequest, key: str) -> HttpResponse | None:
    """The second click of a double one leads where the first does, as the same guest: no other
    campaign, no other guest.

    None where the first is so long ago meanwhile that this is no second one.
    """
    for _look in range(LOOKS):
        kept = cache.get(key)
        if kept is None:
            return None
        if kept:
            break
        sleep(0.1)
    if not kept:
        return redirect("front")
    number, where = kept
    if not request.user.is_authenticated and (
        guest := User.objects.filter(pk=number, guest=True, is_active=True).first()
    ):
        people_services.remember(request.session, guest)
    return see_other(address("table", where))


# Talk at a table that is played on a page of its own by several: plans, proposals, answers.


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def talk_view(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Says it, and back to the board; what was typed and cannot be said stands in the field
    again.
    """
    own_pages(table)
    if request.method != "POST":
        return redirect(table.home)
    text = request.POST.get("text", "")
    if table.access.voices and (
        wait := throttle.spend(request, throttle.TALK, f"user {request.user.pk}")
    ):
        request.session[unsent_key(table)] = text[:LONGEST]
        return throttle.refused(request, wait)
    try:
        talk(table.campaign, request.user, text)
    except (Refused, NotNow) as wrong:
        messages.error(request, str(wrong))
        request.session[unsent_key(table)] = text[:LONGEST]
    return see_other(table.home + "#talk")

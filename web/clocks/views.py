"""Time at the table: which deadlines run, how one is extended, how long things may take and what
happens then.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from campaign.clocks import selectors as clock_terms
from campaign.clocks import services
from campaign.clocks.selectors import KINDS, Terms
from campaign.dice.selectors import BOTH, WORDS
from campaign.errors import TableError
from campaign.log import selectors
from campaign.log.texts import length_words
from campaign.models import Clock, LogEntry, local
from campaign.sentences import written
from engine.language import joined
from engine.strict_json import whole
from games.registry import word
from web import waiting
from web.clocks import turn_timeline
from web.frame.campaign_page import TableContext, campaign_page, see_other, show
from web.log.lines import rows
from web.moves import own_seats
from web.moves.deeds import Deed, attempt
from web.titles.talk import capital
from web.waiting import absence_chips

UNITS = (("d", gettext_lazy("days")), ("h", gettext_lazy("hours")))
FIELDS = ("length", "unit", "grace", "grace_unit", "then")
NONE, REMIND, ASK, ACT = "none", "remind", "ask", "act"
LOCAL, MOMENT = "%Y-%m-%dT%H:%M", "j M Y H:i"
BACK = {"desk", "nation", "battle"}


@campaign_page
@require_http_methods(["GET", "HEAD", "POST"])
def clocks(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """`?extend=` a clock opens its form for game masters; a POST's `do` is `extend` or `terms`."""
    if request.method != "POST":
        clock = clock_to_extend(table, request.GET)
        return page(request, table, clock=clock, typed=request.GET)
    table.must_be_host()
    if request.POST.get("do") == "extend":
        return extend(request, table)
    return set_terms(request, table)


def clock_to_extend(table: TableContext, typed: QueryDict) -> Clock | None:
    """The running clock that is to be extended; none for who may not, and where it has ended."""
    number = whole(typed.get("extend", ""))
    return (
        next((one for one in waiting.clocks(table) if one.pk == number and not one.held), None)
        if table.host
        else None
    )


def extend(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    posted = request.POST
    clock = clock_to_extend(table, posted)
    if clock is None:
        messages.error(request, _("This clock no longer runs."))
        return see_other(table.url("clocks"))
    to, wrong = instant(posted.get("to", ""), table.campaign.time_zone)
    if to is None:
        return page(request, table, clock=clock, typed=posted, deed=Deed(wrong=wrong, field="to"))
    deed = attempt(
        table,
        partial(services.extend, table.campaign, table.user, clock, to, posted.get("reason", "")),
        posted,
    )
    if not deed.done:
        deed.field = deed.field or ("" if deed.overtaken else "to")
        return page(request, table, clock=clock, typed=posted, deed=deed)
    line = selectors.log(table.campaign, table.user, limit=1)[0]
    messages.success(request, line.text)
    return see_other(came_from(table, clock, posted.get("back", "")))


def came_from(table: TableContext, clock: Clock, asked: str) -> str:
    """Where the reader came from."""
    if asked == "battle" and clock.contest is not None and table.pages is None:
        return table.url("battle", clock.contest)
    if asked == "nation" and clock.seat and table.pages is None:
        return table.url("nation", clock.seat)
    return table.url(
        "desk" if asked == "desk" and table.game_master and table.pages is None else "clocks"
    )


def instant(text: str, zone: str) -> tuple[datetime | None, str]:
    """A local date and time as a form gives it, as an instant; None and why where it is none."""
    try:
        where = ZoneInfo(zone)
        return (
            local(
                datetime.strptime(text.strip()[:16].replace(" ", "T"), LOCAL).replace(tzinfo=where),
                where,
            ),
            "",
        )
    except (ValueError, OverflowError):
        return None, _("Type a date and a time, such as 2026-03-10 18:00.")


def set_terms(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    posted, wrong = request.POST, dict[str, str]()
    wanted: dict[str, Terms | None] = {}
    for kind in kinds(table):
        given = {field: posted.get(f"{kind}-{field}", "").strip() for field in FIELDS}
        if given["then"] == NONE:
            wanted[kind] = None
            continue
        wanted_terms = Terms(
            _length(given["length"], given["unit"]),
            _length(given["grace"], given["grace_unit"]),
            given["then"] == ACT,
            given["then"] != REMIND,
            posted.get("reminds", clock_terms.BOTH),
        )
        try:
            wanted[kind] = clock_terms.checked(table.campaign, kind, wanted_terms)
        except TableError as refused:
            wrong[kind] = str(refused)
    if wrong:
        return page(request, table, typed=posted, wrong=wrong, status=422)
    try:
        services.set_terms(table.campaign, table.user, wanted)
    except TableError as refused:
        if refused.status in (403, 404):
            raise
        return page(request, table, typed=posted, wrong={"": str(refused)}, status=422)
    messages.success(request, _("Changed. The change is in the log for everybody to read."))
    return see_other(table.url("clocks") + "#terms")


def kinds(table: TableContext) -> tuple[str, ...]:
    """The clocks that can run here: those of battles where there are any, that of words where they
    are mixed into the dice.
    """
    mixes = table.campaign.chance in (WORDS, BOTH)
    of_play = tuple(
        kind
        for kind in KINDS
        if kind in (clock_terms.TURN, clock_terms.SLOT) or turn_timeline.fights(table)
    )
    return tuple(kind for kind in of_play if kind != clock_terms.WORDS or mixes)


def _length(amount: str, unit: str) -> str:
    """A length as terms have it; what is typed and is none stays none."""
    number = whole(amount)
    return f"{number}{unit}" if number else "0h" if number == 0 else amount + unit


# What the page shows ------------------------------------------------------------------------------


def page(
    request: HttpRequest,
    table: TableContext,
    *,
    clock: Clock | None = None,
    typed: Mapping[str, str] | None = None,
    deed: Deed | None = None,
    wrong: Mapping[str, str] | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page, with the form of one extension, and what was typed and refused."""
    posted, shown = typed if typed is not None and request.method == "POST" else {}, kinds(table)
    context: dict[str, Any] = {
        "clocks": [clock_row(table, one) for one in waiting.clocks(table)],
        "extend": None if clock is None else extension(table, clock, typed or {}, deed),
        "terms": [
            terms_of(table, kind, posted if wrong is not None else {}, (wrong or {}).get(kind, ""))
            for kind in shown
        ],
        "reminders": waiting.REMINDERS,
        "reminds": posted.get("reminds") or _reminds(table),
        "terms_wrong": (wrong or {}).get("", ""),
        "wrong_terms": bool(wrong),
        "units": UNITS,
        "last": last_change(table),
        "path": turn_timeline.turn_path(table),
        "seen": table.seen,
        "deed": deed,
        "zone": table.campaign.time_zone,
        "elsewhere": timezone.get_current_timezone_name() != table.campaign.time_zone,
    }
    return show(
        request,
        table,
        "clocks/clocks.html",
        context,
        here="clocks",
        status=deed.status if deed else status,
    )


def _reminds(table: TableContext) -> str:
    """When one is reminded here: of the first clock that runs."""
    return next(
        (one.reminds for one in clock_terms.terms_of(table.campaign).values() if one is not None),
        clock_terms.BOTH,
    )


def clock_row(table: TableContext, clock: Clock) -> dict[str, Any]:
    """A clock in the list: what it is of, for whom it waits, since and until when."""
    people = [name for seat in clock.seats for name in table.holders(seat) or [table.name_of(seat)]]
    held = [
        name for seat in clock.seats for name in table.holders(seat)
    ]  # beside the seats' names: a free one stands there once
    plain = table.pages is None
    return {
        "due": waiting.read_deadline(clock),
        "what": clock_subject(table, clock),
        "people": joined(_(" and "), dict.fromkeys(people)),
        "held": joined(_(" and "), dict.fromkeys(held)),
        "absent": absence_chips(table, *clock.seats),
        "seats": [{"key": seat, "name": table.name_of(seat)} for seat in clock.seats],
        "pk": clock.pk,
        "since": clock.started_at,
        "extended": clock.extended,
        "entry": clock.entry.number,
        "battle": table.url("battle", clock.contest) if clock.contest is not None and plain else "",
    }


def clock_subject(table: TableContext, clock: Clock) -> str:
    """What a clock is of, in a word or two."""
    if clock.kind == clock_terms.TURN:
        said_turn = {
            "turn": capital(word(table.campaign.title, "turn")),
            "number": table.campaign.turn,
        }
        return _("%(turn)s %(number)s") % said_turn
    return str(clock.get_kind_display())


def own_clock(table: TableContext, clock: Clock) -> own_seats.OwnSeats | None:
    """What is said of another deadline for the game master's own seat."""
    return (
        own_seats.of_seat(table, clock.seat)
        if clock.contest is None
        else own_seats.of_contest(table, clock.contest)
    )


def extension(
    table: TableContext, clock: Clock, typed: Mapping[str, str], deed: Deed | None
) -> dict[str, Any]:
    """The form of another deadline: local times of the table, the reader's beside them where theirs
    are others.
    """
    zone = ZoneInfo(table.campaign.time_zone)
    posted = "to" in typed
    earliest = max(clock.first_due_at, timezone.now() + timedelta(minutes=1))
    return {
        **clock_row(table, clock),
        "own": own_clock(table, clock),
        "field": deed.field if deed else "",
        "wrong": deed.wrong if deed else "",
        "to": typed["to"] if posted else clock.due_at.astimezone(zone).strftime(LOCAL),
        "reason": typed.get("reason", "") if posted else "",
        "back": typed.get("back", "") if typed.get("back") in BACK else "",
        "min": earliest.astimezone(zone).strftime(LOCAL),
        "max": clock.latest.astimezone(zone).strftime(LOCAL),
        "there": written(clock.due_at.astimezone(zone), MOMENT),
        "latest": clock.latest,
        "latest_there": written(clock.latest.astimezone(zone), MOMENT),
        "full": clock.latest <= max(clock.due_at, timezone.now()),
        "length": length_words(clock.length),
        "cancel": came_from(table, clock, typed.get("back", "")),
    }


def terms_of(
    table: TableContext, kind: str, posted: Mapping[str, str], wrong: str
) -> dict[str, Any]:
    """The terms of a kind: as fields of the form, and in plain words."""
    now = clock_terms.terms_of(table.campaign)[kind]
    shown = now or clock_terms.DEFAULTS[kind]
    fields = {
        "length": shown.length[:-1],
        "unit": shown.length[-1],
        "grace": shown.grace[:-1],
        "grace_unit": shown.grace[-1],
        "then": NONE if now is None else ACT if now.acts else ASK if now.asks else REMIND,
    }
    if posted:
        fields = {field: posted.get(f"{kind}-{field}", "") for field in FIELDS}
    acts = (
        [(ACT, _("it happens automatically"))]
        if kind in clock_terms.acting(table.campaign.game)
        else []
    )
    thens = [(ASK, _("the game master is asked")), *acts, (REMIND, _("only a reminder"))]
    return {
        "kind": kind,
        "name": NAMES[kind],
        "none": now is None,
        "length": length_words(shown.length),
        "acts": shown.acts,
        "grace": "" if shown.grace == "0h" else length_words(shown.grace),
        "fields": fields,
        "wrong": wrong,
        "thens": [*thens, (NONE, _("no clock"))],
        "may_act": bool(acts),
        "asks": shown.asks,
        "reminds": shown.reminds,
    }


NAMES = {
    clock_terms.TURN: gettext_lazy("A turn"),
    clock_terms.SLOT: gettext_lazy("A slot"),
    clock_terms.ANSWER: gettext_lazy("The answer to a challenge"),
    clock_terms.BATTLE: gettext_lazy("A battle"),
    clock_terms.CLAIM: gettext_lazy("The confirmation of a claim"),
    clock_terms.WORDS: gettext_lazy("Words for the dice"),
}


def last_change(table: TableContext) -> Any:
    """The last act on the terms, as a line of the log; None where they stand as at the founding.
    One query.
    """
    if not table.campaign.clock_terms:
        return None
    acts = table.campaign.entries.filter(kind=LogEntry.Kind.TABLE, act=clock_terms.ACT)
    latest = list(acts.select_related("actor", "struck_by").order_by("-sequence")[:1])
    return next(iter(rows(table, selectors.lines(table.campaign, table.access, latest))), None)

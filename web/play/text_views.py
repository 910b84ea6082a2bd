"""Moves as text: typed or pasted from a thread, understood line by line, announced or planned; a
form turned into a line.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from battles.models import Battle
from campaign import plans, review, services
from campaign.errors import TableError, TableMovedOn
from campaign.log import history, selectors
from campaign.log.selectors import Line
from campaign.models import LogEntry, Look
from engine.errors import IllegalMove
from engine.strict_json import canonical, clean_text, whole
from web import desk
from web.announcements.announcement import Announcement
from web.battles.forms import AnswerForm
from web.battles.page import battle_forms
from web.battles.views import speaker_of
from web.frame.campaign_page import GAME_MASTER, TableContext, campaign_page, see_other, show
from web.frame.requests import seen_number, since
from web.log import lines
from web.plan.page import may_plan
from web.play import text_moves
from web.play.text_moves import Heard, Listener, addressed
from web.titles.talk import talk

LONGEST = 6000
MOST, MOST_PARTS = 30, 6
"""Lines read at once, and moves in one line."""
FIGHTING = "fighting"
FAILED = ("unread", "refused")


@dataclass
class Read:
    """A line as the page shows it. `state`: ready, die (what follows is not read), refused, unread,
    beyond, result.
    """

    heard: Heard
    state: str
    name: str
    asks: str = ""
    by: str = ""
    battle: tuple[int, str] | None = None
    """The battle whose result the line tells, and where it is claimed with what was read."""


@dataclass
class Shown:
    text: str = ""
    found: list[Read] = field(default_factory=list)
    line: str = ""
    notice: str = ""
    moved: list[Any] | None = None
    status: int = 200


@require_http_methods(["GET", "POST"])
@campaign_page
def text_moves_page(request: HttpRequest, table: TableContext) -> HttpResponse:
    """For who may move: a box for lines, and what they say. `seat` says for whom a line without a
    name speaks.
    """
    if table.pages is not None:
        raise Http404
    voices = [*table.own_seats, *([GAME_MASTER] if table.game_master else [])]
    if not voices:
        raise PermissionDenied(
            _("Only people who hold a seat at this table, and the game master, may play.")
        )
    if "line" in (request.POST.get("do"), request.GET.get("do")):
        return _as_line(request, table)
    if request.method != "POST":
        return _page(request, table, Shown(line=""))
    text = request.POST.get("text", "").replace("\r\n", "\n")
    if len(text) > LONGEST or not clean_text(text.replace("\n", " ").replace("\t", " "), LONGEST):
        notice = _("Up to 6,000 characters that can be shown, a move a line.")
        return _page(request, table, Shown(text=text[:LONGEST], notice=notice, status=422))
    text = _with_choice(table, text, request.POST.get("choose", ""))
    readings = Reader(table, _seat(table, request.POST.get("seat", ""))).read(text)
    if len(readings) != len(text_moves.typed_lines(text)):
        text = "\n".join(one.heard.typed for one in readings)
    for seat in sorted(
        {one.heard.seat for one in readings if one.by == GAME_MASTER != one.heard.seat}
    ):
        services.log_access(table.campaign, table.user, seat, Look.Way.MOVE)
    if request.POST.get("do") == "announce":
        return _announce(request, table, text, readings)
    if request.POST.get("do") == "plan":
        return _plan(request, table, text, readings)
    return _page(request, table, Shown(text, readings))


def _with_choice(table: TableContext, text: str, choice: str) -> str:
    """The lines with the one of this number replaced by what was chosen for it: `2:Build
    Shrines`.
    """
    number, _colon, chosen = choice.partition(":")
    lines_typed, at = text_moves.typed_lines(text), whole(number, 3)
    if at is None or at >= len(lines_typed) or not chosen:
        return text
    seat, _rest = addressed(lines_typed[at], text_moves.speakers(table))
    lines_typed[at] = f"{text_moves.capital(table.name_of(seat))}: {chosen}" if seat else chosen
    return "\n".join(lines_typed)


def _as_line(request: HttpRequest, table: TableContext) -> HttpResponse:
    raw = move_of(request, table)
    if raw is None:
        return _page(
            request,
            table,
            Shown(
                notice=_("The form is not complete enough for a line of text: fill it in first."),
                status=422,
            ),
        )
    return _page(request, table, Shown(line=text_moves.as_line(table, raw)))


def _seat(table: TableContext, asked: str) -> str:
    """For whom a line without a name speaks: as chosen, else one's own seat, else the one whose
    slot it is.
    """
    if asked in table.names and (asked in table.own_seats or table.game_master):
        return asked
    if table.own_seats:
        return table.own_seats[0]
    return table.campaign.active_seat or GAME_MASTER


class Reader:
    """Reads lines one after the other, each at the position that those before it would make."""

    def __init__(self, table: TableContext, seat: str) -> None:
        self.table, self.seat = table, seat
        self.names = text_moves.speakers(table)
        self.position = table.position
        self.listener: Listener | None = None
        self.open = True

    def read(self, text: str) -> list[Read]:
        """A line each; a line that tells several moves gives one for each of them."""
        readings: list[Read] = []
        for line in text_moves.typed_lines(text)[:MOST]:
            before = self.position
            one = self._one(line)
            several = (
                self._several(line) if one.state == "unread" and self.position is before else []
            )
            readings += several or [one]
        return readings[:MOST]

    def _several(self, line: str) -> list[Read]:
        """The moves of a line that tells more than one; none where a part of it is not
        understood.
        """
        _named, rest = addressed(line, self.names)
        pieces = text_moves.parts(rest)
        if not 1 < len(pieces) <= MOST_PARTS:
            return []
        before, head = self.position, line.removesuffix(rest)
        readings = [self._one(head + piece) for piece in pieces]
        if all(one.state in ("ready", "die", "beyond") for one in readings):
            return readings
        self.position, self.open = before, True
        return []

    def count_matching(self, text: str, entries: Sequence[LogEntry]) -> tuple[int, int]:
        """How many of the lines, from the first on, these entries say, and how many of the entries
        that takes.
        """
        count = spent = 0
        for typed in text_moves.typed_lines(text)[:MOST]:
            before, one = self.position, self._one(typed)
            if one.state not in ("ready", "die") or one.heard.raw is None or spent == len(entries):
                break
            move = self.table.title.decode(dict(one.heard.raw), before)
            parts = [
                canonical(part)
                for part in self.table.title.expand(before, move) or [move.to_json()]
            ]
            there = [entry.what for entry in entries[spent : spent + len(parts)]]
            if there[0] != parts[0]:
                break
            count, spent = count + 1, spent + (len(there) if there == parts else 1)
        return count, spent

    def _one(self, typed: str) -> Read:
        named, rest = addressed(typed, self.names)
        seat = named or self.seat
        name = self.table.name_of(seat)
        by = seat if seat in self.table.access.voices else GAME_MASTER
        if by not in self.table.access.voices:
            return Read(Heard(typed, seat, why=_("You do not hold this seat.")), "refused", name)
        if not self.open:
            return Read(Heard(typed, seat), "beyond", name, by=by)
        reading = self._read_line(seat, by, typed, rest)
        if (
            reading.state in FAILED
            and not named
            and seat != GAME_MASTER
            and GAME_MASTER in self.table.access.voices
        ):
            own = self._read_line(
                GAME_MASTER, GAME_MASTER, typed, rest
            )  # a line without a name may be the game master's own
            reading = reading if own.state in FAILED else own
        return reading

    def _listener(self, seat: str, by: str) -> Listener:
        """One for a seat as long as the position stays."""
        if (
            self.listener is None
            or (self.listener.seat, self.listener.by) != (seat, by)
            or self.listener.position is not self.position
        ):
            self.listener = Listener(self.table, seat, by, self.position)
        return self.listener

    def _read_line(self, seat: str, by: str, typed: str, rest: str) -> Read:
        """What the line says for this seat."""
        name = self.table.name_of(seat)
        heard = self._listener(seat, by).hear(rest)
        heard.typed = typed
        if heard.raw is None:
            battle = self.result(typed)
            return Read(heard, "result" if battle else "unread", name, by=by, battle=battle)
        table = self.table
        if seat == GAME_MASTER and not all(
            map(table.access.opens, review.about(table.campaign, table.access, heard.raw))
        ):
            heard.why = _("This hand is closed to you. Open it first.")
            return Read(heard, "refused", name, by=by)
        return self._foreseen(heard, name, by)

    def result(self, typed: str) -> tuple[int, str] | None:
        """The running battle whose two sides and shares a result line of the forum names; None
        where it is not plain.
        """
        own = battle_forms(self.table)
        if own is None:
            return None
        links = []
        for number, known in self.table.rows.contests.items():
            if known.get("status") == FIGHTING:
                typed_in, reading = own.pasted(self.table, known, {"read": "1", "line": typed})
                if reading is not None and reading.shares is not None:
                    asked = urlencode({"by": typed_in.get("by", ""), "read": "1", "line": typed})
                    links.append((number, f"{self.table.url('battle', number)}?{asked}#report"))
        return links[0] if len(links) == 1 else None

    def _foreseen(self, heard: Heard, name: str, by: str) -> Read:
        """What it does to the position, as a plan's move: nothing is thrown."""
        assert heard.raw is not None
        (one,) = plans.foresee(self.table.title, self.position, [heard.raw])
        if one.refusal is not None:
            heard.why, heard.rule = self.table.why_not(one.refusal), one.refusal.rule
            return Read(heard, "refused", name, by=by)
        speaker = talk(self.table.title, self.table.scenario, self.position)
        asks = speaker.final(heard.raw, self.position)
        self.position, self.open = one.after, one.certain
        return Read(heard, "ready" if one.certain else "die", name, asks, by)


def _page(request: HttpRequest, table: TableContext, shown: Shown) -> HttpResponse:
    ready = [one for one in shown.found if one.state in ("ready", "die")]
    seat = _seat(table, request.POST.get("seat", "") or request.GET.get("seat", ""))
    choices = (
        [(key, table.name_of(key)) for key in table.names if key != GAME_MASTER]
        if table.game_master
        else []
    )
    mine = [one for one in ready if one.by == one.heard.seat and one.heard.seat in table.own_seats]
    lead = list(takewhile(lambda one: one.state in ("ready", "die"), shown.found))
    whole = {
        "shown": shown,
        "ready": len(lead),
        "whole": len(lead) == len(shown.found),
        "seat": seat,
        "choices": [*choices, (GAME_MASTER, table.name_of(GAME_MASTER))] if choices else [],
        "here_url": table.url("orders"),
        "plannable": bool(mine) and len(mine) == len(ready) and may_plan(table, mine[0].heard.seat),
        "examples": _examples(table, seat),
        "moved_on": shown.moved,
    }
    return show(request, table, "play/text_moves.html", whole, here="orders", status=shown.status)


def _examples(table: TableContext, seat: str) -> list[str]:
    """A few lines that would be understood now, one of a kind, with the last that is offered: the
    end of the slot.
    """
    if seat != GAME_MASTER and not table.access.opens(seat):
        return []
    by = seat if seat in table.access.voices else GAME_MASTER
    listener = Listener(table, seat, by, table.position)
    examples: dict[str, str] = {}
    for offer in listener.offers:
        raw = next(iter(offer.moves()), None)
        text = listener.line(raw) if raw else ""
        if raw and text:
            examples.setdefault(str(raw.get("move")), text[:1].upper() + text[1:])
    lines_of = list(examples.values())
    return [*lines_of[:4], *lines_of[4:][-1:]]


def _announce(
    request: HttpRequest, table: TableContext, text: str, readings: list[Read]
) -> HttpResponse:
    """Say what was understood, one after the other, up to a die or a refusal; what was not said
    stays in the box.
    """
    seen = seen_number(request.POST.get("seen", ""))
    moved = since(table, seen) if seen <= table.seen else []
    shown = None
    if moved:
        shown = _still_meant(table, text, readings, seen)
        if shown is None or any(_own(table, one) for one in moved):
            return _moved_on(request, table, text, moved)
    left = [one.heard.typed for one in readings]
    announced, why = 0, ""
    for one in readings:
        if one.state not in ("ready", "die") or one.heard.raw is None:
            break
        try:
            result = services.play(table.campaign, request.user, one.heard.raw, seen, shown=shown)
        except (TableError, IllegalMove) as error:
            why = table.why_not(error) if isinstance(error, IllegalMove) else str(error)
            break
        announced, left = announced + 1, left[1:]
        seen = selectors.seen_after(result.campaign, request.user)
        shown = services.shown_after(shown, result.entries)
        if result.rolls:
            break
    if announced:
        _confirm_count(request, announced)
    if why:
        messages.warning(request, _("The next move was refused: %(why)s") % {"why": why})
    if not left:
        return see_other(table.home)
    if not announced:
        return _page(request, table, Shown(text, readings, notice=why, status=422))
    fresh = TableContext(
        request, type(table.campaign).objects.get(pk=table.campaign.pk), table.access
    )
    return _page(request, fresh, _read(request, fresh, "\n".join(left)))


def _still_meant(
    table: TableContext, text: str, readings: Sequence[Read], seen: int
) -> services.Shown | None:
    """Return the position of the page if these lines mean the same on it as now; else None."""
    shown = services.shown_at(table.campaign, table.access, seen)
    if shown.position is None:
        return None
    reader = Reader(table, _seat(table, table.request.POST.get("seat", "")))
    reader.position = shown.position
    then = [one.heard.raw for one in reader.read(text) if one.state in ("ready", "die")]
    now = [one.heard.raw for one in readings if one.state in ("ready", "die")]
    if then != now:
        return None
    try:
        services.must_still_hold(table.campaign, table.user, then, seen)
    except TableMovedOn:
        return None
    return shown


def _own(table: TableContext, line: Line) -> bool:
    """Return whether the line is a move in force that the reader has made."""
    entry = line.entry
    return entry.is_move and entry.struck_by_id is None and entry.actor_id == table.user.pk


def _read(request: HttpRequest, table: TableContext, text: str) -> Shown:
    return Shown(text, Reader(table, _seat(table, request.POST.get("seat", ""))).read(text))


def _confirm_count(request: HttpRequest, count: int) -> None:
    text_told = ngettext("%(count)d move announced.", "%(count)d moves announced.", count) % {
        "count": count
    }
    messages.success(request, text_told)


def _moved_on(
    request: HttpRequest, table: TableContext, text: str, moved: Sequence[Line]
) -> HttpResponse:
    """The table has moved on. Where the reader has made the first of these very moves since, a
    button was pressed twice or an answer was lost: what stands in the log is told and not offered
    again.
    """
    mine = [one.entry for one in moved if _own(table, one)]
    count = spent = 0
    if mine:
        reader = Reader(table, _seat(table, request.POST.get("seat", "")))
        reader.position = history.after(
            table.campaign, bisect_left(history.trail(table.campaign).sequences, mine[0].sequence)
        )
        count, spent = reader.count_matching(text, mine)
    if count:
        _confirm_count(request, count)
    left, known = text_moves.typed_lines(text)[count:], {entry.pk for entry in mine[:spent]}
    if not left:
        return see_other(table.home)
    others = [one for one in moved if one.entry.pk not in known]
    shown = _read(request, table, "\n".join(left) if count else text)
    if others:
        shown.moved, shown.status = lines.rows(table, others), TableMovedOn.status
    return _page(request, table, shown)


def _plan(
    request: HttpRequest, table: TableContext, text: str, readings: list[Read]
) -> HttpResponse:
    """Put what was understood into one's own plan."""
    ready = [
        one
        for one in readings
        if one.state in ("ready", "die") and one.heard.seat in table.own_seats and one.heard.raw
    ]
    if not ready:
        return _page(request, table, Shown(text, readings, status=422))
    try:
        for one in ready:
            services.plan_move(table.campaign, request.user, one.heard.seat, one.heard.raw)
    except (TableError, IllegalMove) as error:
        why = table.why_not(error) if isinstance(error, IllegalMove) else str(error)
        return _page(request, table, Shown(text, readings, notice=why, status=422))
    return see_other(table.url("plan", ready[0].heard.seat))


# Which move a form says, whichever form it is: for the button that writes it as a line.


def move_of(request: HttpRequest, table: TableContext) -> dict[str, Any] | None:
    """The move in record form: a correction (`fix`), an answer or a result (`battle`), else an
    offer. None where the form says too little.
    """
    posted = request.POST if request.method == "POST" else request.GET
    if posted.get("fix"):
        table.must_be_game_master()
        return desk.correction(table, posted)[2] or None
    if "battle" not in posted:
        return Announcement(table, posted).raw
    forms = battle_forms(table)
    number = whole(posted["battle"])
    fight = (
        Battle.objects.filter(campaign=table.campaign, number=number).first()
        if number is not None and number < 10**6
        else None
    )
    if forms is None or fight is None:
        return None
    if posted.get("move") == "respond":
        move = forms.answer_move(fight.number, speaker_of(table, fight), AnswerForm(posted).answer)
    else:
        move = forms.result_move(fight.number, posted)
    return dict(move) if move is not None else None

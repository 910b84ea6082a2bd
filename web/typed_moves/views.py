"""Views of typed moves: read line by line, announced or planned; forms converted to lines."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from battles.models import Battle
from campaign import services
from campaign.errors import TableError, TableMovedOn
from campaign.log import history
from campaign.log.selectors import Line
from campaign.models import GAME_MASTER, Campaign, LogEntry
from engine.errors import IllegalMove
from engine.language import capitalize
from engine.strict_json import read_whole_number
from games.contract.plain import RawMove
from games.kit.reading.lines import typed_lines
from web.announcements.announcement import Announcement
from web.battles.forms import AnswerForm
from web.battles.views import speaker_of
from web.desk.corrections import read_correction
from web.frame.campaign_page import campaign_page, see_other, show
from web.frame.raw_forms import form_key
from web.frame.requests import since
from web.frame.table import TableContext
from web.titles.contract import pages_of
from web.typed_moves.announcing import (
    Announced,
    announce_moves,
    confirm_count,
    note_access,
    refusal_text,
)
from web.typed_moves.forms import TOO_LONG, LinesForm, ShownForm, chosen_seat
from web.typed_moves.page import Answer, typed_moves_page
from web.typed_moves.post_views import read_post_lines
from web.typed_moves.reader import MOST, Reader, ReadLine, move_reader_at

REFUSED = 422
MOST_BATTLES = 10**6


@require_http_methods(["GET", "POST"])
@campaign_page
def typed_moves(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Show a box for lines to all who may move, or process the lines according to `do`."""
    if table.pages is not None:
        raise Http404
    if not table.own_seats and not table.game_master:
        raise PermissionDenied(
            _("Only the game master and people who hold a seat at this table may play.")
        )
    if ShownForm(request.POST).asks_for_line or ShownForm(request.GET).asks_for_line:
        return show_page(request, table, write_as_line(request, table))
    if request.method != "POST":
        return show_page(request, table, Answer())
    if "post" in request.POST:
        return read_post_lines(request, table)
    form = LinesForm(request.POST)
    if not form.is_valid():
        return show_page(
            request, table, Answer(text=form.typed_text, notice=str(TOO_LONG), status=REFUSED)
        )
    lines = read_lines(table, form)
    note_access(table, lines.readings)
    act = {"announce": announce, "plan": plan}.get(form_key(request))
    if act is not None:
        return act(request, table, lines)
    return show_page(request, table, Answer(lines.text, lines.readings))


def show_page(request: HttpRequest, table: TableContext, answer: Answer) -> HttpResponse:
    asked = ShownForm(request.POST).text_of("seat") or ShownForm(request.GET).text_of("seat")
    context = {"page": typed_moves_page(table, answer, asked)}
    template = "typed_moves/typed_moves.html"
    return show(request, table, template, context, tab="orders", status=answer.status)


# Typed lines


@dataclass(frozen=True, slots=True)
class Lines:
    """The typed lines and their readings.

    `seat` is the seat for lines without a name, `seen` the last entry that the page had shown.
    """

    text: str
    seat: str
    seen: int
    readings: Sequence[ReadLine]

    @property
    def moves(self) -> list[RawMove]:
        """Return the possible moves."""
        return [
            line.reading.raw
            for line in self.readings
            if line.is_possible and line.reading.raw is not None
        ]


def read_lines(table: TableContext, form: LinesForm) -> Lines:
    """Read the lines of the form at the present position."""
    text, seat = form.lines(table), chosen_seat(table, form.cleaned_data["seat"])
    readings = Reader(table, seat).read(text)
    if len(readings) != len(typed_lines(text)):
        read_texts = [line.reading.typed_text for line in readings]
        text = "\n".join([*read_texts, *typed_lines(text)[MOST:]])
    return Lines(text, seat, form.seen_entry, readings)


# Announcement


def announce(request: HttpRequest, table: TableContext, lines: Lines) -> HttpResponse:
    """Announce the understood moves one after the other, up to a die or a refusal.

    The moves that were not announced stay in the box.
    """
    moved = since(table, lines.seen) if 0 <= lines.seen <= table.seen else []
    shown = still_meant(table, lines) if moved else None
    if moved and (shown is None or any(is_own_move(table, line) for line in moved)):
        return show_moved_on(request, table, lines, moved)
    done = announce_moves(table, lines.readings, lines.seen, shown)
    if done.count:
        confirm_count(request, done.count)
    if done.why:
        messages.warning(request, _("The next move was refused: %(why)s") % {"why": done.why})
    return show_rest(request, table, lines, done)


def show_rest(
    request: HttpRequest, table: TableContext, lines: Lines, done: Announced
) -> HttpResponse:
    """Show the lines that were not announced; redirect to the table if there are none."""
    left = [line.reading.typed_text for line in lines.readings[done.count :]]
    left += typed_lines(lines.text)[max(MOST, len(lines.readings)) :]
    if not left:
        return see_other(table.home)
    if not done.count:
        answer = Answer(lines.text, lines.readings, notice=done.why, status=REFUSED)
        return show_page(request, table, answer)
    now = TableContext(request, Campaign.objects.get(pk=table.campaign.pk), table.access)
    text = "\n".join(left)
    return show_page(request, now, Answer(text, Reader(now, lines.seat).read(text)))


def still_meant(table: TableContext, lines: Lines) -> services.PagePosition | None:
    """Return the position that the page had shown, if the lines mean the same there as now.

    Return None if they do not, or if that position is not available.
    """
    shown = services.page_position_at(table.campaign, table.access, lines.seen)
    if shown.position is None:
        return None
    reader = Reader(table, lines.seat)
    reader.position = shown.position
    then = [line.reading.raw for line in reader.read(lines.text) if line.is_possible]
    if then != [line.reading.raw for line in lines.readings if line.is_possible]:
        return None
    try:
        services.must_still_hold(table.campaign, table.user, then, lines.seen)
    except TableMovedOn:
        return None
    return shown


def is_own_move(table: TableContext, line: Line) -> bool:
    """Return whether the log line is a move in force that the reader has made."""
    entry = line.entry
    return entry.is_move and entry.struck_by_id is None and entry.actor_id == table.user.pk


def count_announced(table: TableContext, lines: Lines, own: Sequence[LogEntry]) -> tuple[int, int]:
    """Compare the lines with the reader's own new moves.

    Return how many of the first lines these moves match, and how many of the moves match.
    """
    if not own:
        return 0, 0
    reader = Reader(table, lines.seat)
    place = bisect_left(history.trail(table.campaign).sequences, own[0].sequence)
    reader.position = history.after(table.campaign, place)
    return reader.count_matching(lines.text, own)


def show_moved_on(
    request: HttpRequest, table: TableContext, lines: Lines, moved: Sequence[Line]
) -> HttpResponse:
    """Show the entries since the page was shown.

    If the reader has made the first of these very moves since, a button was pressed twice or an
    answer was lost: moves in the log are confirmed and not offered again.
    """
    own = [line.entry for line in moved if is_own_move(table, line)]
    count, spent = count_announced(table, lines, own)
    if count:
        confirm_count(request, count)
    left = typed_lines(lines.text)[count:]
    if not left:
        return see_other(table.home)
    confirmed = {entry.pk for entry in own[:spent]}
    others = [line for line in moved if line.entry.pk not in confirmed]
    text = "\n".join(left) if count else lines.text
    answer = Answer(
        text=text,
        readings=Reader(table, lines.seat).read(text),
        moved=others,
        status=TableMovedOn.status if others else 200,
    )
    return show_page(request, table, answer)


# Plan


def plan(request: HttpRequest, table: TableContext, lines: Lines) -> HttpResponse:
    """Add the understood moves to the reader's own plan."""
    own = [line for line in lines.readings if line.is_possible]
    own = [line for line in own if line.reading.seat in table.own_seats and line.reading.raw]
    if not own:
        return show_page(request, table, Answer(lines.text, lines.readings, status=REFUSED))
    try:
        for line in own:
            assert line.reading.raw is not None
            services.plan_move(table.campaign, table.user, line.reading.seat, line.reading.raw)
    except (TableError, IllegalMove) as error:
        why = refusal_text(table, error)
        answer = Answer(lines.text, lines.readings, notice=why, status=REFUSED)
        return show_page(request, table, answer)
    return see_other(table.url("plan", own[0].reading.seat))


# Conversion of any form to a line


def write_as_line(request: HttpRequest, table: TableContext) -> Answer:
    """Return the move of a form as a line of text."""
    form_data = request.POST if request.method == "POST" else request.GET
    raw = move_of_form(table, form_data)
    if raw is None:
        notice = _("The form is not complete enough to become a line of text. Fill it in first.")
        return Answer(notice=notice, status=REFUSED)
    return Answer(line=as_line(table, raw))


def as_line(table: TableContext, raw: RawMove) -> str:
    """Return a move as a line that is read back as this very move, with the name of its seat."""
    seat = str(raw.get("for", raw["by"]))
    text = move_reader_at(table, seat, str(raw["by"])).line_read_back(raw)
    return text if seat == GAME_MASTER else f"{capitalize(table.name_of(seat))}: {text}"


def move_of_form(table: TableContext, post_data: QueryDict) -> RawMove | None:
    """Return the move of a form; None if the form is incomplete.

    The form may be a correction (`fix`), an answer or a result (`battle`), or an offer.
    """
    if post_data.get("fix"):
        table.must_be_game_master()
        return read_correction(table, post_data).raw or None
    if "battle" in post_data:
        return move_of_battle(table, post_data)
    return Announcement(table, post_data).raw


def move_of_battle(table: TableContext, post_data: QueryDict) -> RawMove | None:
    """Return the answer to a challenge, or the result, that a form of a battle describes."""
    forms, number = (
        pages_of(table.title.key).battle_forms,
        read_whole_number(str(post_data["battle"])),
    )
    if forms is None or number is None or number >= MOST_BATTLES:
        return None
    battle = Battle.objects.filter(campaign=table.campaign, number=number).first()
    if battle is None:
        return None
    if post_data.get("move") == "respond":
        move = forms.answer_move(
            battle.number, speaker_of(table, battle), AnswerForm(post_data).answer
        )
    else:
        move = forms.result_move(battle.number, post_data)
    return dict(move) if move is not None else None

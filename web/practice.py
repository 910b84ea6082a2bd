"""Programs on their pages: practice against them, lessons, and the forecast of how a campaign may
end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, cast

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from campaign import access, forecasts, practice
from campaign import scenarios as shelves
from campaign.errors import TableError
from campaign.forecasts import Course
from campaign.log import selectors
from campaign.log.texts import OFF
from campaign.models import Campaign, LogEntry
from campaign.seats.selectors import program_levels
from engine.errors import MalformedRecord
from engine.language import sentence
from engine.shares import whole_percents
from engine.strict_json import read
from games.contract.pages import Question
from games.contract.report import Block, Bullets, Heading, Paragraph, Span
from games.contract.title import SeatInfo, Title, proposed_options
from games.registry import FOUNDINGS, LESSONS, TITLES, solo, word
from people import services as people_services
from people.models import User
from web.frame import hooks, throttle
from web.frame.adapter import may_join
from web.frame.campaign_page import TableContext, address, campaign_page, see_other
from web.lobby.questions import Choice, Option, QuestionField, SeatPick, question_fields
from web.scenarios.choice import SHELF
from web.tasks import ask_to_forecast, ask_to_play_on
from web.titles import extras

LEVELS = {
    "random": (gettext_lazy("Careless"), gettext_lazy("any move that the rules allow")),
    "bold": (gettext_lazy("Bold"), gettext_lazy("they attack first, even at poor odds")),
    "cautious": (
        gettext_lazy("Cautious"),
        gettext_lazy("they build and defend, and attack where they are likely to win"),
    ),
    "cunning": (
        gettext_lazy("Cunning"),
        gettext_lazy("they plan their actions to the end of the campaign: the strongest"),
    ),
}
USUAL = "bold"
"""The level that stands there first, where a title has it; else its strongest."""
BATTLES = (
    (
        practice.MODEL,
        gettext_lazy("By the model"),
        gettext_lazy("at once, from points, type, cards and luck"),
    ),
    (
        practice.HAND,
        gettext_lazy("Yours by hand"),
        gettext_lazy("fought against the computer, both percentages entered"),
    ),
)


def play_after(campaign: Campaign, entry: LogEntry, before: Any, after: Any) -> None:
    """One of `hooks.tellers`: after an entry of a person the programs play on, once it is
    written.
    """
    if (campaign.programs or program_levels(campaign)) and not practice.playing.get():
        transaction.on_commit(partial(ask_to_play_on, campaign.pk))


def titles() -> list[Title]:
    """The titles that one can practise."""
    return [title for title in TITLES.values() if practice.opponents(title.key) is not None]


class Asked(NamedTuple):
    """What a form asks of a game with programs, as far as it can be read; `wrong` says what cannot,
    `errors` beside which question. `levels` are those chosen for seats, `usual` the level of the
    others.
    """

    game: Title
    players: Any
    key: str
    raw: Any
    drawing: str
    own: Any
    questions: Sequence[Question]
    answers: Mapping[str, str]
    options: Mapping[str, Any]
    seats: Sequence[SeatInfo]
    seat: str
    levels: Mapping[str, str]
    usual: str
    manners: Sequence[str]
    battles: str
    wrong: str
    errors: Mapping[str, str]

    def level(self, at: int) -> str:
        """The level of this seat's program: as chosen, else the next of the manners."""
        return self.levels.get(self.seats[at].key, self.manners[at % len(self.manners)])

    def rows(self) -> list[SeatPick]:
        """Return the seats for a form, each with its level."""
        return [
            SeatPick(
                key=seat.key,
                name=seat.name,
                about=seat.about,
                colour=seat.colour,
                mine=seat.key == self.seat,
                level=self.level(at),
            )
            for at, seat in enumerate(self.seats)
        ]

    def own_seats(self) -> set[str]:
        """Return the seats that the player has."""
        return set(
            practice.seats_of_player(
                self.game,
                self.game.scenario(self.raw),
                self.game.options(self.options),
                self.seat,
                [seat.key for seat in self.seats],
            )
        )

    @property
    def seat_name(self) -> str:
        """Return the name of the player's seat."""
        return next(seat.name for seat in self.seats if seat.key == self.seat)

    def sentence(self) -> str:
        """What will be founded, in one sentence."""
        names = {key: str(name).lower() for key, name, _about in manners(self.players)}
        mine = self.own_seats()
        played = [self.level(at) for at, one in enumerate(self.seats) if one.key not in mine]
        chosen = ", ".join(dict.fromkeys(names.get(one, one) for one in played))
        if solo(self.game):
            text = ngettext(
                "You play {name:the} with {n} program ({manners}); no clock runs.",
                "You play {name:the} with {n} programs ({manners}); no clock runs.",
                len(played),
            )
        else:
            text = ngettext(
                "You play {name:the} against {n} program ({manners}); no clock runs.",
                "You play {name:the} against {n} programs ({manners}); no clock runs.",
                len(played),
            )
        return sentence(text, name=self.seat_name, n=len(played), manners=chosen)


def read_asked(game: Title, user: Any, asked: Mapping[str, Any]) -> Asked | None:
    """The choices of a form; None where there is no such scenario, or no program plays the
    title.
    """
    title, players = game.key, practice.opponents(game.key)
    if players is None:
        return None
    shipped = dict(game.scenarios())
    key = asked.get("scenario", "") or next(iter(shipped))
    raw, drawing, own = shipped.get(key), "", None
    if raw is None and key.startswith(SHELF):
        own = shelves.seen(key.removeprefix(SHELF), user)
        raw, drawing = (
            (read(own.text), own.drawing.text if own.drawing else "")
            if own is not None
            else (None, "")
        )
    if raw is None:
        return None
    founding = FOUNDINGS.get(title)
    questions = (
        [one for one in founding.questions if one.key != "name"] if founding is not None else []
    )
    answers = _answers(questions, asked, title)
    options = proposed_options(game)
    wrong, errors = "", dict[str, str]()
    try:
        if founding is not None:
            raw, options = founding.terms(answers)
        scenario, terms = game.scenario(raw), game.options(options)
    except MalformedRecord as bad:
        errors[bad.where.split(".")[-1]] = wrong = f"{bad.why}."
        answers = _answers(questions, {}, title)
        raw, options = founding.terms(answers) if founding is not None else (raw, {})
        scenario, terms = game.scenario(raw), game.options(options)
    seats = game.seats(scenario, terms)
    levels = {
        one.key: asked[f"level-{one.key}"]
        for one in seats
        if asked.get(f"level-{one.key}") in players.levels
    }
    usual = asked.get("level", "") or (
        USUAL if USUAL in players.levels else list(players.levels)[-1]
    )
    # Where a title has manners of equal right, each seat begins with another.
    each = (
        list(players.levels)
        if founding is not None and USUAL in players.levels and "level" not in asked
        else [usual]
    )
    seat = asked.get("seat", "")
    seat = seat if any(one.key == seat for one in seats) else seats[0].key
    battles = asked.get("battles", practice.MODEL)
    return Asked(
        game,
        players,
        key,
        raw,
        drawing,
        own,
        questions,
        answers,
        options,
        seats,
        seat,
        levels,
        usual,
        each,
        battles,
        wrong,
        errors,
    )


def begin_asked(
    request: HttpRequest, asked: Asked, seat: str, levels: Mapping[str, str], name: str = ""
) -> HttpResponse | str:
    """Begins it, and leads there; or why not. A stranger becomes a guest, whom this browser
    remembers.
    """
    user, title = cast(User, request.user), asked.game.key
    if not user.is_authenticated and not may_join(request):
        return redirect("account_signup")
    limit, who = (
        (throttle.REIGN, f"user {user.pk}")
        if user.is_authenticated
        else (throttle.GUEST, throttle.address(request))
    )
    if wait := throttle.spend(request, limit, who):
        return throttle.refused(request, wait)
    called = _("Practice: %(name)s") if title not in FOUNDINGS else _("%(name)s with programs")
    raw = asked.raw if asked.own is not None or title in FOUNDINGS else asked.key
    try:
        with transaction.atomic():
            player = user if user.is_authenticated else people_services.make()
            campaign = practice.begin(
                player,
                title,
                raw,
                seat,
                asked.usual,
                asked.battles,
                levels=levels,
                options=asked.options,
                drawing=asked.drawing,
                time_zone=player.time_zone,
                name=name or called % {"name": asked.raw.get("name", asked.game.name)},
            )
    except TableError as refused:
        return str(refused)
    if player is not user:
        people_services.remember(request.session, player)
    ask_to_play_on(campaign.pk)
    return see_other(address("table", campaign.address))


def posted_levels(asked: Asked, data: Mapping[str, str]) -> dict[str, str]:
    """The levels as posted, unknown ones too: those are refused where it is begun."""
    return {
        one.key: data[f"level-{one.key}"] for one in asked.seats if data.get(f"level-{one.key}")
    }


@require_http_methods(["GET", "HEAD", "POST"])
def begin(request: HttpRequest, title: str) -> HttpResponse:
    """Which scenario, which nation, how well the others play; POST begins, `part` answers the
    sentence of what is chosen.
    """
    game = TITLES.get(title)
    data = request.POST if request.method == "POST" else request.GET
    asked = read_asked(game, request.user, data) if game is not None else None
    if game is None or asked is None:
        raise Http404
    if request.method != "POST" and data.get("part") == "sentence":
        return render(request, "lobby/sentence.html", {"sentence": asked.sentence()})
    wrong = asked.wrong
    if request.method == "POST" and "begin" in data and not wrong:
        answer = begin_asked(request, asked, data.get("seat", ""), posted_levels(asked, data))
        if not isinstance(answer, str):
            return answer
        wrong = answer
    page = practice_page(asked, wrong, is_known=request.user.is_authenticated)
    return render(request, "lobby/practice.html", {"page": page}, status=422 if wrong else 200)


@dataclass(frozen=True, slots=True)
class PracticePage:
    """The form of a game against programs. A title with a board asks its own questions."""

    title: Title
    heading: str
    lede: str
    has_board: bool
    has_lesson: bool
    wrong: str
    sentence: str
    scenario: str
    scenarios: list[Option]
    campaign_word: str
    first_questions: list[QuestionField]
    questions: list[QuestionField]
    seats_heading: str
    seats: list[SeatPick]
    levels: list[Choice]
    battles: list[Choice]
    """Who decides battles; empty if the title has none."""
    is_known: bool

    @property
    def verb(self) -> str:
        """Return the button that begins the game."""
        return _("Sit down and begin") if self.has_board else _("Begin")


def practice_page(asked: Asked, wrong: str, *, is_known: bool) -> PracticePage:
    """Return the form as it was filled in; `wrong` says why the game could not begin."""
    title = asked.game
    has_board = title.key in FOUNDINGS
    questions = question_fields(asked.questions, asked.answers, asked.errors)
    heading = _("Play with programs") if has_board else _("Practise against programs")
    return PracticePage(
        title=title,
        heading=heading,
        lede=practice_lede(has_board),
        has_board=has_board,
        has_lesson=title.key in LESSONS,
        wrong=wrong,
        sentence=asked.sentence(),
        scenario=asked.key,
        scenarios=[] if has_board else scenario_options(asked),
        campaign_word=word(title.key, "campaign"),
        first_questions=questions[:1],
        questions=questions[1:],
        seats_heading=_("Seats") if has_board else _("Your nation"),
        seats=asked.rows(),
        levels=level_choices(asked.players),
        battles=[] if has_board else battle_choices(asked.battles),
        is_known=is_known,
    )


def practice_lede(has_board: bool) -> str:
    """Return how a game against programs is played."""
    if has_board:
        return _(
            "You hold one seat, programs hold the others and answer at once. No deadline runs,"
            " nobody waits for you."
        )
    return _(
        "You hold one nation, programs hold the others. No deadline runs, nobody waits for you; a"
        " whole campaign fits into an evening. It counts in no ranking."
    )


def scenario_options(asked: Asked) -> list[Option]:
    """Return the scenarios of the title, and the user's own that was chosen."""
    names = {key: str(raw.get("name", key)) for key, raw in asked.game.scenarios().items()}
    if asked.own:
        names[asked.key] = asked.raw["name"]
    return [Option(key, name, key == asked.key) for key, name in names.items()]


def battle_choices(chosen: str) -> list[Choice]:
    """Return who decides battles."""
    return [Choice(key, str(name), str(about), key == chosen) for key, name, about in BATTLES]


def _answers(questions: Sequence[Question], asked: Mapping[str, Any], title: str) -> dict[str, str]:
    """What is answered to a founding's questions, the usual where nothing is; of a title that one
    plays alone by default, the most seats there are. A form that was sent leaves out the flags that
    are not set.
    """
    sent = any(one.key in asked for one in questions)
    answers = {
        one.key: (
            asked.get(one.key, "")
            if one.kind == "flag" and sent
            else asked.get(one.key, one.default)
        )
        for one in questions
    }
    if questions and solo(TITLES[title]) and questions[0].key not in asked:
        answers[questions[0].key] = questions[0].choices[-1][0]
    return answers


def manners(players: Any) -> list[tuple[str, Any, Any]]:
    """Each level with its word and what it is like; a title's own words where it has some."""
    own: Mapping[str, str] | None = getattr(players, "manners", None)
    if own is None:
        return [(one, *LEVELS[one]) for one in players.levels]
    return [(one, name.capitalize(), own[one]) for one, name in players.levels.items()]


def level_choices(players: Any) -> list[Choice]:
    """Return how well a program can play."""
    return [Choice(key, str(name), str(about)) for key, name, about in manners(players)]


# Lessons: how one begins, and the note that leads through it on every page of its campaign.

LARGEST, MOST = 64_000, 60


@require_http_methods(["GET", "HEAD", "POST"])
def learn(request: HttpRequest, title: str) -> HttpResponse:
    """What a lesson teaches; POST begins it. A stranger becomes a guest, whom this browser
    remembers.
    """
    if title not in LESSONS or title not in TITLES:
        raise Http404
    lesson, user = LESSONS[title], cast(User, request.user)
    if request.method == "POST":
        if not user.is_authenticated and not may_join(request):
            return redirect("account_signup")
        limit, who = (
            (throttle.REIGN, f"user {user.pk}")
            if user.is_authenticated
            else (throttle.GUEST, throttle.address(request))
        )
        if wait := throttle.spend(request, limit, who):
            return throttle.refused(request, wait)
        with transaction.atomic():
            learner = user if user.is_authenticated else people_services.make()
            campaign = practice.begin_lesson(learner, title, learner.time_zone)
        if learner is not user:
            people_services.remember(request.session, learner)
        if campaign.programs:
            ask_to_play_on(campaign.pk)
        return see_other(address("table", campaign.address))
    texts = lesson.texts.read()
    context = {
        "title": TITLES[title],
        "name": texts["name"],
        "about": texts["about"],
        "minutes": lesson.minutes,
        "steps": [texts["steps"][step.key]["head"] for step in lesson.steps],
        "others": [(key, one.texts.text("name")) for key, one in LESSONS.items() if key != title],
        "known": request.user.is_authenticated,
    }
    return render(request, "lessons/learn.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def lesson(request: HttpRequest, table: TableContext) -> HttpResponse:
    """A form leaves the guide or takes it up again. JSON (`moves`) asks what the note says with
    these moves planned.
    """
    if not table.campaign.lesson:
        raise Http404
    if request.method != "POST":
        return redirect(table.home)
    if request.content_type == "application/json":
        planned = read_planned(request.body)
        if planned is None:
            return HttpResponse(status=400)
        return render(
            request,
            "lessons/_lesson.html",
            {"lesson": note(table, "table", planned), "table": table},
        )
    try:
        practice.guide(table.campaign, request.user, request.POST.get("guide", ""))
    except TableError as refused:
        if refused.status in (403, 404):
            raise
    return see_other(table.home)


def read_planned(body: bytes) -> Sequence[Mapping[str, Any]] | None:
    """The planned moves of a request; None where it has not the shape."""
    try:
        given = read(body) if len(body) <= LARGEST else None
    except MalformedRecord:
        return None
    moves = given.get("moves") if isinstance(given, dict) and given.keys() == {"moves"} else None
    if not isinstance(moves, list) or len(moves) > MOST:
        return None
    return (
        moves
        if all(isinstance(one, dict) and isinstance(one.get("move"), str) for one in moves)
        else None
    )


def note(
    table: TableContext, page: str, planned: Sequence[Mapping[str, Any]] = ()
) -> dict[str, Any] | None:
    """What the note beside the board says now; None where there is nobody to lead."""
    known = practice.lesson_of(table.campaign)
    if known is None or not table.access.chief:
        return None
    far = practice.progress_of(table.campaign, table.user, table.position, page, planned)
    assert far is not None
    texts = known.texts.read()["steps"]
    step = known.steps[far.at]
    text = texts[step.key]
    waits = bool(table.campaign.programs) and practice.waits(table.campaign)
    return {
        "left": table.campaign.lesson == practice.LEFT,
        "number": far.at + 1,
        "of": len(known.steps),
        "beside": step.beside,
        "head": text["head"],
        "text": text["text"] if far.possible else text.get("late", text["text"]),
        "last": far.at == len(known.steps) - 1,
        "otherwise": far.otherwise,
        "waits": waits,
        "late": not far.possible,
        "title": table.campaign.title,
        "url": table.url("lesson"),
        "programs": practice.opponents(table.campaign.title) is not None,
        "steps": [
            {
                "head": texts[one.key]["head"],
                "done": n < far.at and n not in far.left_out,
                "left_out": n in far.left_out,
                "now": n == far.at,
            }
            for n, one in enumerate(known.steps)
        ],
    }


# The forecast on its pages: the chances over the log as a stacked area, likely points, what swung
# it, the switch.


SIZES = {"story": (760, 340), "charts": (1160, 360), "phone": (360, 300)}
"""Width and height of the picture by where it stands."""
TOP, BOTTOM, LEFT, RIGHT = 26, 30, 40, 150
LINE = 17
"""From one name to the next at the right edge."""
NAMED = 0.12
"""So high must an area be somewhere, of the whole, to have its name in it."""
LETTER = 7.0


def forecast_after(campaign: Campaign, entry: LogEntry, before: Any, after: Any) -> None:
    """One of `hooks.tellers`: when a turn has closed, a forecast is made, once that is written."""
    if forecasts.note(campaign, entry, after):
        transaction.on_commit(partial(ask_to_forecast, campaign.pk))


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def switch(request: HttpRequest, table: TableContext) -> HttpResponse:
    """POST is the game master's switch, `on` is 1 or 0; a GET leads to the forecast."""
    where = table.url("story") + "#forecast"
    if request.method != "POST":
        return HttpResponseRedirect(where)
    table.must_be_host()
    on = request.POST.get("on") == "1"
    if forecasts.forecaster(table.campaign.title) is None:
        raise Http404
    if forecasts.shown(table.campaign) != on:
        forecasts.switch(table.campaign, request.user, on)
        if on:
            ask_to_forecast(table.campaign.pk)
    return see_other(where)


def percents(chances: Mapping[str, float]) -> dict[str, str]:
    """Return the chances of all seats as texts that add up to 100%.

    Stored chances are rounded to 1/10,000, so their sum can differ a little from 1. Equal chances
    are rounded in the order of the seats' keys: the chart, the list and the table show the same
    numbers.
    """
    seats = sorted(chances)
    total = sum(chances.values()) or 1.0
    shares = whole_percents([chances[seat] / total for seat in seats])
    return {
        seat: f"{share}%" if share else _("under 1%")
        for seat, share in zip(seats, shares, strict=True)
    }


def percent(chance: float) -> str:
    """Return one chance as text: whole per cent, and no certainty before the end."""
    if chance < 0.005:
        return _("under 1%")
    if 0.995 <= chance < 1:
        return _("over 99%")
    return f"{100 * chance:.0f}%"


class Range(NamedTuple):
    """How a seat may end; `start`, `width`, `at` in hundredths of the bar, the rest as it
    is read.
    """

    seat: str
    name: str
    points: str
    chance: str
    bounds: str
    start: str
    width: str
    at: str
    label: str


class Swing(NamedTuple):
    """An entry that changed a chance, as it is read."""

    number: int
    entry: int
    seat: str
    name: str
    text: str
    chances: str


def context_of(table: TableContext, where: str) -> dict[str, Any]:
    """What `forecast/_forecast.html` shows, on the story page or on `charts`."""
    campaign = table.campaign
    players = forecasts.forecaster(campaign.title)
    if players is None or not table.campaign.started:
        return {"forecast": None}
    on = forecasts.shown(campaign)
    course = forecasts.course(campaign) if on and campaign.forecasts else None
    context: dict[str, Any] = {
        "forecast": course,
        "forecast_on": on,
        "forecast_off": campaign.forecast == OFF,
        "forecast_switch": table.host,
        "forecast_shown": on or table.host or campaign.forecast == OFF,
        "forecast_hides": access.hides(campaign),
        "forecast_stopped": forecasts.why_stopped(campaign) if on and campaign.forecasts else "",
    }
    if course is None:
        return context
    names = {seat.key: table.name_of(seat.key) for seat in table.seats}
    turn_word = word(campaign.title, "turn")
    swings = _swings(table, course, names)
    turns = [
        (first, f"{turn_word} {turn}") for turn, first, _last in selectors.turns(campaign) if turn
    ]
    art = getattr(extras(campaign.title, "front"), "patterns", None)
    patterns = art(campaign) if art is not None else {}
    draw = partial(area, course, names, turns, patterns)
    marks = [one.entry for one in swings]
    certain = {one.seat: one.won for one in course.chances}
    context |= {
        "area": draw(marks, *SIZES[where], uid="f-wide"),
        "area_phone": draw(marks, *SIZES["phone"], uid="f-phone", names_right=False),
        "ranges": _ranges(course, names),
        "swings": swings,
        "forecast_heads": list(names.items()),
        "forecast_bounds": [_bounds(certain[seat].low, certain[seat].high) for seat in names],
        "forecast_rows": [
            (turn, entry, _row(course, entry, names)) for turn, entry in course.closes
        ],
    }
    return context


def _row(course: Course, entry: int, seats: Iterable[str]) -> list[str]:
    """Return the chances of these seats at the end of a turn."""
    shares = percents(next(point for point in course.points if point.entry == entry).chances)
    return [shares[seat] for seat in seats]


def _last_percents(course: Course) -> dict[str, str]:
    """Return the chances of all seats after the last turn that has a forecast."""
    return percents({chance.seat: chance.won.share for chance in course.chances})


def _ranges(course: Course, names: Mapping[str, str]) -> list[Range]:
    least = min(one.low for one in course.chances) - 2
    span = max(one.high for one in course.chances) + 2 - least
    shares = _last_percents(course)
    rows = []
    for one in course.chances:
        points = _points(one.low, one.high)
        label = _("%(points)s, half of them over %(middle)s") % {
            "points": points,
            "middle": f"{one.middle:.0f}",
        }
        start, wide, at = (
            f"{100 * part / span:.1f}"
            for part in (one.low - least, one.high - one.low, one.middle - least)
        )
        bounds = _bounds(one.won.low, one.won.high)
        rows.append(
            Range(
                one.seat, names[one.seat], points, shares[one.seat], bounds, start, wide, at, label
            )
        )
    return rows


def _points(low: float, high: float) -> str:
    if round(low) == round(high):
        return ngettext("%(n)s point", "%(n)s points", round(low)) % {"n": f"{low:.0f}"}
    return _("%(low)s to %(high)s points") % {"low": f"{low:.0f}", "high": f"{high:.0f}"}


def _bounds(low: float, high: float) -> str:
    return _("%(low)s to %(high)s%%") % {"low": f"{100 * low:.0f}", "high": f"{100 * high:.0f}"}


def _swings(table: TableContext, course: Course, names: Mapping[str, str]) -> list[Swing]:
    numbers = [one.entry for one in course.swings]
    rows = LogEntry.objects.filter(
        campaign=table.campaign, number__in=numbers, audience=None
    ).select_related("actor", "struck_by")
    texts = (
        {
            line.number: line.text
            for line in selectors.lines(table.campaign, None, rows.order_by("sequence"))
        }
        if numbers
        else {}
    )
    return [
        Swing(
            n,
            one.entry,
            one.seat,
            names[one.seat],
            texts.get(one.entry, ""),
            f"{percent(one.before)} → {percent(one.after)}",
        )
        for n, one in enumerate(course.swings, 1)
    ]


# The picture. -------------------------------------------------------------------------------------


def area(
    course: Course,
    names: Mapping[str, str],
    turns: Sequence[tuple[int, str]],
    patterns: Mapping[str, str],
    marks: Sequence[int],
    width: int,
    height: int,
    *,
    uid: str,
    names_right: bool = True,
) -> SafeString:
    """The chances of all seats upon each other over the entries, the first seat at the bottom;
    `marks` are numbered entries.
    """
    first, last = course.points[0].entry, course.points[-1].entry
    right, bottom = width - (RIGHT if names_right else 10), height - BOTTOM

    def x(entry: int) -> float:
        return LEFT + (right - LEFT) * (entry - first) / max(last - first, 1)

    def y(part: float) -> float:
        return TOP + (bottom - TOP) * (1 - part)

    shares = _last_percents(course)
    label = _("Chance of victory over the log, if programs played on: %(chances)s") % {
        "chances": ", ".join(f"{names[one.seat]} {shares[one.seat]}" for one in course.chances)
    }
    box = 'width="8" height="8" patternUnits="userSpaceOnUse" class="pat"'
    drawn = {seat: pattern for seat, pattern in patterns.items() if pattern and seat in names}
    parts = [
        (
            f'<svg class="forecast__chart" viewBox="0 0 {width} {height}" role="img"'
            f' aria-label="{escape(label)}"><defs>'
        ),
        *(
            f'<pattern id="{uid}-{escape(seat)}" {box}>{pattern}</pattern>'
            for seat, pattern in drawn.items()
        ),
        "</defs>",
    ]
    spots = course.points if len(course.points) > 1 else [course.points[0], course.points[0]]
    places = [x(point.entry) for point in spots] if len(course.points) > 1 else [LEFT, right]
    base = [0.0] * len(spots)
    inside, edge = [], []
    for seat in names:
        tops = [low + point.chances[seat] for low, point in zip(base, spots, strict=True)]
        over = [f"{at:.1f} {y(top):.1f}" for at, top in zip(places, tops, strict=True)]
        under = [f"{at:.1f} {y(low):.1f}" for at, low in zip(places, base, strict=True)]
        shape = "M" + "L".join([*over, *reversed(under)]) + "z"
        parts.append(f'<g data-nation="{escape(seat)}"><path class="forecast__area" d="{shape}"/>')
        if seat in drawn:
            parts.append(
                f'<path class="forecast__pattern" d="{shape}" fill="url(#{uid}-{escape(seat)})"/>'
            )
        parts.append("</g>")
        low, high = [y(one) for one in base], [y(one) for one in tops]
        inside.append(
            _inside(
                seat, names[seat], places, low, high, bottom - TOP, [x(entry) for entry in marks]
            )
        )
        edge.append((y((base[-1] + tops[-1]) / 2), seat, shares[seat]))
        base = tops
    for part in (0.25, 0.5, 0.75):
        parts.append(
            f'<path class="chart__grid" d="M{LEFT} {y(part):.1f}H{right}"/>'
            f'<text class="chart__y" x="{LEFT - 6}" y="{y(part) + 4:.1f}">{100 * part:.0f}%</text>'
        )
    parts += _turn_marks(turns, first, last, x, bottom, height, right)
    parts += [*inside, *(_edge(edge, names, right, bottom) if names_right else ())]
    for n, entry in enumerate(marks, 1):
        parts.append(
            f'<path class="forecast__at" d="M{x(entry):.1f} {TOP}V{bottom}"/>'
            f'<circle class="forecast__mark" cx="{x(entry):.1f}" cy="{TOP - 10}" r="9"/>'
            f'<text class="forecast__n" x="{x(entry):.1f}" y="{TOP - 6}">{n}</text>'
        )
    return SafeString(
        "".join([*parts, "</svg>"])
    )  # names are escaped where they are written, all else is ours


def _turn_marks(
    turns: Sequence[tuple[int, str]],
    first: int,
    last: int,
    x: Any,
    bottom: int,
    height: int,
    right: int,
) -> list[str]:
    """A mark where each turn begins, and its name where there is room."""
    parts, free = [], 0.0
    for entry, name in turns:
        if not first - 1 <= entry <= last:
            continue
        at = x(max(entry, first))
        parts.append(f'<path class="chart__turn" d="M{at:.1f} {TOP}V{bottom}"/>')
        if at >= free and at + LETTER * len(name) <= right + 24:
            parts.append(
                f'<text class="chart__x" x="{at + 4:.1f}" y="{height - 8}">{escape(name)}</text>'
            )
            free = at + 12 + LETTER * len(name)
    return parts


def _inside(
    seat: str,
    name: str,
    places: Sequence[float],
    low: Sequence[float],
    high: Sequence[float],
    span: float,
    marks: Sequence[float],
) -> str:
    """The name in its area where that is highest and no mark stands; nothing where it has
    no room.
    """
    half = LETTER * len(name) / 2 + 4
    best, where, steps = 0.0, None, 60
    for free in (
        True,
        False,
    ):  # rather beside the marks than on them, rather on them than not at all
        for n in range(1, steps):
            at = places[0] + (places[-1] - places[0]) * n / steps
            if (
                at - half < places[0]
                or at + half > places[-1]
                or (free and any(abs(mark - at) < half for mark in marks))
            ):
                continue
            # Free over the whole name: between the lowest upper and the highest lower edge.
            spots = [at - half, at - half / 2, at, at + half / 2, at + half]
            top, bottom = (
                max(_on(places, high, one) for one in spots),
                min(_on(places, low, one) for one in spots),
            )
            if bottom - top > best:
                best, where = bottom - top, (at, (bottom + top) / 2)
        if best >= max(NAMED * span / 2, 18):
            break
    if where is None or best < max(NAMED * span / 2, 18):
        return ""
    x, y = where
    return (
        f'<text class="forecast__name" data-nation="{escape(seat)}" x="{x:.1f}"'
        f' y="{y + 4:.1f}">{escape(name)}</text>'
    )


def _on(places: Sequence[float], values: Sequence[float], at: float) -> float:
    """The value of a line at this place."""
    for n in range(1, len(places)):
        if at <= places[n]:
            wide = places[n] - places[n - 1]
            part = (at - places[n - 1]) / wide if wide else 1.0
            return values[n - 1] + (values[n] - values[n - 1]) * part
    return values[-1]


def _edge(
    edge: Sequence[tuple[float, str, str]], names: Mapping[str, str], right: int, bottom: int
) -> list[str]:
    """Names and chances at the right edge, each as near to its area as the others let it."""
    ordered = sorted(edge)
    places: list[float] = []
    for at, _seat, _share in ordered:
        places.append(max(at, places[-1] + LINE) if places else max(at, TOP))
    lowest = float(bottom)
    for n in range(len(places) - 1, -1, -1):
        places[n] = min(places[n], lowest)
        lowest = places[n] - LINE
    most = int((RIGHT - 62) / LETTER)
    return [
        f'<text class="forecast__end" data-nation="{escape(seat)}" x="{right + 8}"'
        f' y="{at + 5:.1f}">{escape(_cut(names[seat], most))} {escape(share)}</text>'
        for (_at, seat, share), at in zip(ordered, places, strict=True)
    ]


def _cut(name: str, most: int) -> str:
    return name if len(name) <= most else name[: most - 1].rstrip() + "…"


# In the report of a turn. -------------------------------------------------------------------------


def chapter(campaign: Campaign, turn: int) -> Sequence[Block]:
    """The forecast of a turn as a chapter of its report; nothing where there is none."""
    course = forecasts.course(campaign, turn) if campaign.forecasts else None
    if course is None:
        return ()
    names = {seat.key: seat.name for seat in selectors.seats(campaign)}
    shares = _last_percents(course)
    opening = _(
        "If programs played on from here, by %(games)s campaigns. Eight of ten end with these"
        " points:"
    )
    blocks: list[Block] = [
        Heading((Span(_("Forecast")),), 2, "forecast"),
        Paragraph((Span(opening % {"games": course.games}),)),
        Bullets(
            tuple(
                (
                    Span(names[chance.seat], seat=chance.seat),
                    Span(f": {_outlook(chance, shares[chance.seat])}"),
                )
                for chance in course.chances
            )
        ),
    ]
    if course.swings:
        swung = [
            (
                Span(_("Entry %(entry)s: ") % {"entry": one.entry}),
                Span(names[one.seat], seat=one.seat),
                Span(f" {percent(one.before)} → {percent(one.after)}"),
            )
            for one in course.swings
        ]
        blocks += [Paragraph((Span(_("What swung it:")),)), Bullets(tuple(swung))]
    return blocks


def _outlook(one: forecasts.Chance, share: str) -> str:
    bounds, points = _bounds(one.won.low, one.won.high), _points(one.low, one.high)
    facts = {"chance": share, "bounds": bounds, "points": points}
    return _("%(chance)s to win (%(bounds)s), %(points)s") % facts


hooks.lesson_note = note

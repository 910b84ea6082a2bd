"""Practice against programs: how one begins, and what follows each move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, cast

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from campaign import practice
from campaign import scenarios as shelves
from campaign.errors import TableError
from campaign.models import Campaign, LogEntry
from campaign.seats.selectors import program_levels
from engine.errors import MalformedRecord
from engine.language import sentence
from engine.strict_json import read
from games.contract.pages import Question
from games.contract.title import SeatInfo, Title
from games.registry import FOUNDINGS, LESSONS, TITLES, solo, word
from people import services as people_services
from people.models import User
from web.scenarios import SHELF
from web.shell import throttle
from web.shell.adapter import may_join
from web.shell.campaign_page import TableContext, address, campaign_page, see_other
from web.tasks import ask_to_play_on

LEVELS = {
    "random": (gettext_lazy("Careless"), gettext_lazy("any move that the rules allow")),
    "bold": (gettext_lazy("Bold"), gettext_lazy("they attack first, even at poor odds")),
    "cautious": (
        gettext_lazy("Cautious"),
        gettext_lazy("they build and defend, and attack where they are likely to win"),
    ),
    "cunning": (gettext_lazy("Cunning"), gettext_lazy("they plan their actions to the end of the campaign: the strongest")),
}
USUAL = "bold"
"""The level that stands there first, where a title has it; else its strongest."""
BATTLES = (
    (practice.MODEL, gettext_lazy("By the model"), gettext_lazy("at once, from points, type, cards and luck")),
    (
        practice.HAND,
        gettext_lazy("Yours by hand"),
        gettext_lazy("fought against the computer, both percentages entered"),
    ),
)


def play_after(campaign: Campaign, entry: LogEntry, before: Any, after: Any) -> None:
    """One of `hooks.tellers`: after an entry of a person the programs play on, once it is written."""
    if (campaign.programs or program_levels(campaign)) and not practice.playing.get():
        transaction.on_commit(partial(ask_to_play_on, campaign.pk))


def titles() -> list[Title]:
    """The titles that one can practise."""
    return [title for title in TITLES.values() if practice.opponents(title.key) is not None]


class Asked(NamedTuple):
    """What a form asks of a game with programs, as far as it can be read; `wrong` says what cannot, `errors` beside which
    question. `levels` are those chosen for seats, `usual` the level of the others."""

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

    def rows(self) -> list[dict[str, Any]]:
        """The seats for a form, each with its level."""
        return [{**one._asdict(), "level": self.level(at), "mine": one.key == self.seat} for at, one in enumerate(self.seats)]

    def sentence(self) -> str:
        """What will be founded, in one sentence."""
        names = {key: str(name).lower() for key, name, _about in manners(self.players)}
        mine = set(practice.seats_of_player(
            self.game, self.game.scenario(self.raw), self.game.options(self.options), self.seat, [one.key for one in self.seats]
        ))  # fmt: skip
        played = [self.level(at) for at, one in enumerate(self.seats) if one.key not in mine]
        chosen = ", ".join(dict.fromkeys(names.get(one, one) for one in played))
        if solo(self.game):
            text = ngettext("You play {name:the} with {n} program ({manners}); no clock runs.",
                            "You play {name:the} with {n} programs ({manners}); no clock runs.", len(played))  # fmt: skip
        else:
            text = ngettext("You play {name:the} against {n} program ({manners}); no clock runs.",
                            "You play {name:the} against {n} programs ({manners}); no clock runs.", len(played))  # fmt: skip
        name = next(one.name for one in self.seats if one.key == self.seat)
        return sentence(text, name=name, n=len(played), manners=chosen)


def read_asked(game: Title, user: Any, asked: Mapping[str, Any]) -> Asked | None:
    """The choices of a form; None where there is no such scenario, or no program plays the title."""
    title, players = game.key, practice.opponents(game.key)
    if players is None:
        return None
    shipped = dict(game.scenarios())
    key = asked.get("scenario", "") or next(iter(shipped))
    raw, drawing, own = shipped.get(key), "", None
    if raw is None and key.startswith(SHELF):
        own = shelves.seen(key.removeprefix(SHELF), user)
        raw, drawing = (read(own.text), own.drawing.text if own.drawing else "") if own is not None else (None, "")
    if raw is None:
        return None
    founding = FOUNDINGS.get(title)
    questions = [one for one in founding.questions if one.key != "name"] if founding is not None else []
    answers = _answers(questions, asked, title)
    options: dict[str, Any] = {}
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
    levels = {one.key: asked[f"level-{one.key}"] for one in seats if asked.get(f"level-{one.key}") in players.levels}
    usual = asked.get("level", "") or (USUAL if USUAL in players.levels else list(players.levels)[-1])
    # Where a title has manners of equal right, each seat begins with another.
    each = list(players.levels) if founding is not None and USUAL in players.levels and "level" not in asked else [usual]
    seat = asked.get("seat", "")
    seat = seat if any(one.key == seat for one in seats) else seats[0].key
    battles = asked.get("battles", practice.MODEL)
    return Asked(game, players, key, raw, drawing, own, questions, answers, options, seats, seat, levels, usual, each, battles,
                 wrong, errors)  # fmt: skip


def begin_asked(request: HttpRequest, asked: Asked, seat: str, levels: Mapping[str, str], name: str = "") -> HttpResponse | str:
    """Begins it, and leads there; or why not. A stranger becomes a guest, whom this browser remembers."""
    user, title = cast(User, request.user), asked.game.key
    if not user.is_authenticated and not may_join(request):
        return redirect("account_signup")
    limit, who = (throttle.REIGN, f"user {user.pk}") if user.is_authenticated else (throttle.GUEST, throttle.address(request))
    if wait := throttle.spend(request, limit, who):
        return throttle.refused(request, wait)
    called = _("Practice: %(name)s") if title not in FOUNDINGS else _("%(name)s with programs")
    raw = asked.raw if asked.own is not None or title in FOUNDINGS else asked.key
    try:
        with transaction.atomic():
            player = user if user.is_authenticated else people_services.make()
            campaign = practice.begin(
                player, title, raw, seat, asked.usual, asked.battles, levels=levels, options=asked.options,
                drawing=asked.drawing, time_zone=player.time_zone,
                name=name or called % {"name": asked.raw.get("name", asked.game.name)},
            )  # fmt: skip
    except TableError as refused:
        return str(refused)
    if player is not user:
        people_services.remember(request.session, player)
    ask_to_play_on(campaign.pk)
    return see_other(address("table", campaign.address))


def posted_levels(asked: Asked, data: Mapping[str, str]) -> dict[str, str]:
    """The levels as posted, unknown ones too: those are refused where it is begun."""
    return {one.key: data[f"level-{one.key}"] for one in asked.seats if data.get(f"level-{one.key}")}


@require_http_methods(["GET", "HEAD", "POST"])
def begin(request: HttpRequest, title: str) -> HttpResponse:
    """Which scenario, which nation, how well the others play; POST begins, `part` answers the sentence of what is chosen."""
    game = TITLES.get(title)
    data = request.POST if request.method == "POST" else request.GET
    asked = read_asked(game, request.user, data) if game is not None else None
    if game is None or asked is None:
        raise Http404
    if request.method != "POST" and data.get("part") == "sentence":
        return render(request, "lobby/_sentence.html", {"sentence": asked.sentence()})
    wrong = asked.wrong
    if request.method == "POST" and "begin" in data and not wrong:
        answer = begin_asked(request, asked, data.get("seat", ""), posted_levels(asked, data))
        if not isinstance(answer, str):
            return answer
        wrong = answer
    board = title in FOUNDINGS
    shown = [{"one": one, "value": asked.answers[one.key], "error": asked.errors.get(one.key, "")} for one in asked.questions]
    context = {
        "title": game, "scenario": asked.key, "wrong": wrong, "seat": asked.seat, "board": board, "battles": asked.battles,
        "levels": manners(asked.players), "ways": BATTLES, "seats": asked.rows(), "first": shown[:1], "questions": shown[1:],
        "what": word(title, "campaign"), "sentence": asked.sentence(),
        "scenarios": [] if board else [
            *((one, row.get("name", one)) for one, row in game.scenarios().items()),
            *([(asked.key, asked.raw["name"])] if asked.own else []),
        ],
        "known": request.user.is_authenticated, "lesson": title in LESSONS,
    }  # fmt: skip
    return render(request, "lobby/practice.html", context, status=422 if wrong else 200)


def _answers(questions: Sequence[Question], asked: Mapping[str, Any], title: str) -> dict[str, str]:
    """What is answered to a founding's questions, the usual where nothing is; of a title that one plays alone by default, the
    most seats there are. A form that was sent leaves out the flags that are not set."""
    sent = any(one.key in asked for one in questions)
    answers = {one.key: asked.get(one.key, "") if one.kind == "flag" and sent else asked.get(one.key, one.default)
               for one in questions}  # fmt: skip
    if questions and solo(TITLES[title]) and questions[0].key not in asked:
        answers[questions[0].key] = questions[0].choices[-1][0]
    return answers


def manners(players: Any) -> list[tuple[str, Any, Any]]:
    """Each level with its word and what it is like; a title's own words where it has some."""
    own: Mapping[str, str] | None = getattr(players, "manners", None)
    if own is None:
        return [(one, *LEVELS[one]) for one in players.levels]
    return [(one, name.capitalize(), own[one]) for one, name in players.levels.items()]


# Lessons: how one begins, and the note that leads through it on every page of its campaign.

LARGEST, MOST = 64_000, 60


@require_http_methods(["GET", "HEAD", "POST"])
def learn(request: HttpRequest, title: str) -> HttpResponse:
    """What a lesson teaches; POST begins it. A stranger becomes a guest, whom this browser remembers."""
    if title not in LESSONS or title not in TITLES:
        raise Http404
    lesson, user = LESSONS[title], cast(User, request.user)
    if request.method == "POST":
        if not user.is_authenticated and not may_join(request):
            return redirect("account_signup")
        limit, who = (throttle.REIGN, f"user {user.pk}") if user.is_authenticated else (throttle.GUEST, throttle.address(request))
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
        "title": TITLES[title], "name": texts["name"], "about": texts["about"], "minutes": lesson.minutes,
        "steps": [texts["steps"][step.key]["head"] for step in lesson.steps],
        "others": [(key, one.texts.text("name")) for key, one in LESSONS.items() if key != title],
        "known": request.user.is_authenticated,
    }  # fmt: skip
    return render(request, "lessons/learn.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def lesson(request: HttpRequest, table: TableContext) -> HttpResponse:
    """A form leaves the guide or takes it up again. JSON (`moves`) asks what the note says with these moves planned."""
    if not table.campaign.lesson:
        raise Http404
    if request.method != "POST":
        return redirect(table.home)
    if request.content_type == "application/json":
        planned = read_planned(request.body)
        if planned is None:
            return HttpResponse(status=400)
        return render(request, "lessons/_lesson.html", {"lesson": note(table, "table", planned), "table": table})
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
    return moves if all(isinstance(one, dict) and isinstance(one.get("move"), str) for one in moves) else None


def note(table: TableContext, page: str, planned: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any] | None:
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
        "left": table.campaign.lesson == practice.LEFT, "number": far.at + 1, "of": len(known.steps), "beside": step.beside,
        "head": text["head"], "text": text["text"] if far.possible else text.get("late", text["text"]),
        "last": far.at == len(known.steps) - 1, "otherwise": far.otherwise, "waits": waits, "late": not far.possible,
        "title": table.campaign.title, "url": table.url("lesson"),
        "programs": practice.opponents(table.campaign.title) is not None,
        "steps": [
            {"head": texts[one.key]["head"], "done": n < far.at and n not in far.left_out, "left_out": n in far.left_out,
             "now": n == far.at}
            for n, one in enumerate(known.steps)
        ],
    }  # fmt: skip

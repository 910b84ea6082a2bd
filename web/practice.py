"""Practice against programs: how one begins, and what follows each move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, cast

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from campaign import practice
from campaign import scenarios as shelves
from campaign.errors import TableError
from campaign.models import Campaign, LogEntry
from campaign.seats.selectors import program_levels
from engine.errors import MalformedRecord
from engine.strict_json import read
from games.contract.pages import Question
from games.contract.title import Title
from games.registry import FOUNDINGS, LESSONS, TITLES, solo, word
from people import services as people_services
from people.models import User
from web.scenarios import SHELF
from web.shell import throttle
from web.shell.adapter import may_join
from web.shell.campaign_page import address, see_other
from web.tasks import ask_to_play_on

LEVELS = {
    "random": (gettext_lazy("Careless"), gettext_lazy("any move that the rules allow")),
    "bold": (gettext_lazy("Bold"), gettext_lazy("they attack where a victory promises more than a building")),
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


@require_http_methods(["GET", "HEAD", "POST"])
def begin(request: HttpRequest, title: str) -> HttpResponse:
    """Which scenario, which nation, how well the others play; POST begins. A stranger becomes a guest, whom this browser
    remembers."""
    game = TITLES.get(title)
    players = practice.opponents(title)
    if game is None or players is None:
        raise Http404
    user = cast(User, request.user)
    asked = request.POST if request.method == "POST" else request.GET
    shipped = dict(game.scenarios())
    key = asked.get("scenario", "") or next(iter(shipped))
    raw, drawing, own = shipped.get(key), "", None
    if raw is None and key.startswith(SHELF):
        own = shelves.seen(key.removeprefix(SHELF), user)
        raw, drawing = (read(own.text), own.drawing.text if own.drawing else "") if own is not None else (None, "")
    if raw is None:
        raise Http404
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
    levels = {one.key: asked[f"level-{one.key}"] for one in seats if asked.get(f"level-{one.key}")}
    usual = asked.get("level", "") or (USUAL if USUAL in players.levels else list(players.levels)[-1])
    if request.method == "POST" and "begin" in request.POST and not wrong:
        if not user.is_authenticated and not may_join(request):
            return redirect("account_signup")
        limit, who = (throttle.REIGN, f"user {user.pk}") if user.is_authenticated else (throttle.GUEST, throttle.address(request))
        if wait := throttle.spend(request, limit, who):
            return throttle.refused(request, wait)
        called = _("Practice: %(name)s") if founding is None else _("%(name)s with programs")
        try:
            with transaction.atomic():
                player = user if user.is_authenticated else people_services.make()
                campaign = practice.begin(
                    player, title, raw if own is not None or founding is not None else key, request.POST.get("seat", ""), usual,
                    request.POST.get("battles", practice.MODEL), levels=levels, options=options, drawing=drawing,
                    time_zone=player.time_zone, name=called % {"name": raw.get("name", game.name)},
                )  # fmt: skip
        except TableError as refused:
            wrong = str(refused)
        else:
            if player is not user:
                people_services.remember(request.session, player)
            ask_to_play_on(campaign.pk)
            return see_other(address("table", campaign.address))
    # Where a title has manners of equal right, each seat begins with another.
    manners = list(players.levels) if founding is not None and USUAL in players.levels and "level" not in asked else [usual]
    shown = [{"one": one, "value": answers[one.key], "error": errors.get(one.key, "")} for one in questions]
    context = {
        "title": game, "scenario": key, "wrong": wrong, "seat": asked.get("seat", ""), "board": founding is not None,
        "battles": asked.get("battles", practice.MODEL), "levels": _manners(players), "ways": BATTLES,
        "seats": [
            {**one._asdict(), "level": levels.get(one.key, manners[at % len(manners)])} for at, one in enumerate(seats)
        ],
        "first": shown[:1], "questions": shown[1:], "what": word(title, "campaign"),
        "scenarios": [] if founding is not None else [
            *((one, data.get("name", one)) for one, data in shipped.items()), *([(key, raw["name"])] if own else []),
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


def _manners(players: Any) -> list[tuple[str, Any, Any]]:
    """Each level with its word and what it is like; a title's own words where it has some."""
    own: Mapping[str, str] | None = getattr(players, "manners", None)
    if own is None:
        return [(one, *LEVELS[one]) for one in players.levels]
    return [(one, name.capitalize(), own[one]) for one, name in players.levels.items()]

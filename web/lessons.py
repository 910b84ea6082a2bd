"""Lessons: how one begins, and the note that leads through it on every page of its campaign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from campaign import lessons, practice
from campaign.errors import TableError
from engine.errors import MalformedRecord
from engine.strict_json import read
from games.registry import LESSONS, TITLES
from people import services as people_services
from people.models import User
from web.shell import throttle
from web.shell.campaign_page import TableContext, address, campaign_page, see_other
from web.tasks import ask_to_play_on

LARGEST, MOST = 64_000, 60


@require_http_methods(["GET", "HEAD", "POST"])
def learn(request: HttpRequest, title: str) -> HttpResponse:
    """What a lesson teaches; POST begins it. A stranger becomes a guest, whom this browser remembers."""
    if title not in LESSONS or title not in TITLES:
        raise Http404
    lesson, user = LESSONS[title], cast(User, request.user)
    if request.method == "POST":
        limit, who = (throttle.REIGN, f"user {user.pk}") if user.is_authenticated else (throttle.GUEST, throttle.address(request))
        if wait := throttle.spend(request, limit, who):
            return throttle.refused(request, wait)
        with transaction.atomic():
            learner = user if user.is_authenticated else people_services.make()
            campaign = lessons.begin(learner, title, learner.time_zone)
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
        lessons.guide(table.campaign, request.user, request.POST.get("guide", ""))
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
    known = lessons.lesson_of(table.campaign)
    if known is None or not table.access.chief:
        return None
    far = lessons.progress_of(table.campaign, table.user, table.position, page, planned)
    assert far is not None
    texts = known.texts.read()["steps"]
    step = known.steps[far.at]
    text = texts[step.key]
    waits = bool(table.campaign.programs) and practice.waits(table.campaign)
    return {
        "left": table.campaign.lesson == lessons.LEFT, "number": far.at + 1, "of": len(known.steps), "beside": step.beside,
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

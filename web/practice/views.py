"""Views of games against programs and of lessons."""

from __future__ import annotations

from typing import cast

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from campaign import practice
from campaign.errors import TableError
from games.registry import TITLES
from people import services as people_services
from people.models import User
from web.frame.campaign_page import campaign_page, see_other
from web.frame.table import TableContext, address
from web.practice.choices import admit, begin_practice, posted_levels, read_choices
from web.practice.forms import GuideForm, PracticeForm
from web.practice.lessons import learn_page, lesson_note, read_planned
from web.practice.page import practice_page
from web.tasks import ask_to_play_on


@require_http_methods(["GET", "HEAD", "POST"])
def begin(request: HttpRequest, title: str) -> HttpResponse:
    """Show the form for a game against programs; a POST begins the game.

    With `part`, send only the sentence that describes the choices.
    """
    game = TITLES.get(title)
    form = PracticeForm(request.POST if request.method == "POST" else request.GET)
    asked = read_choices(game, request.user, form) if game is not None else None
    if asked is None:
        raise Http404
    if request.method != "POST" and form.asks_for_sentence:
        return render(request, "lobby/practice_part.html", {"page": asked.sentence()})
    wrong = asked.wrong
    if request.method == "POST" and form.begins and not wrong:
        answer = begin_practice(request, asked, form.text_of("seat"), posted_levels(asked, form))
        if not isinstance(answer, str):
            return answer
        wrong = answer
    page = practice_page(asked, wrong, is_known=request.user.is_authenticated)
    return render(request, "lobby/practice.html", {"page": page}, status=422 if wrong else 200)


# Lessons


@require_http_methods(["GET", "HEAD", "POST"])
def learn(request: HttpRequest, title: str) -> HttpResponse:
    """Show the introduction to a lesson; a POST begins it.

    A visitor without an account becomes a guest, whom this browser remembers.
    """
    if title not in TITLES or TITLES[title].lesson is None:
        raise Http404
    if request.method == "POST":
        return admit(request) or begin_lesson(request, title)
    page = learn_page(title, is_known=request.user.is_authenticated)
    return render(request, "lessons/learn.html", {"page": page})


def begin_lesson(request: HttpRequest, title: str) -> HttpResponse:
    """Begin a lesson and redirect to it."""
    user = cast(User, request.user)
    with transaction.atomic():
        learner = user if user.is_authenticated else people_services.make_guest()
        campaign = practice.begin_lesson(learner, title, learner.time_zone)
    if learner is not user:
        people_services.remember_guest(request.session, learner)
    if campaign.programs:
        ask_to_play_on(campaign.pk)
    return see_other(address("table", campaign.address))


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def lesson(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Leave the guide or resume it; for JSON (`moves`) send the note for these planned moves."""
    if not table.campaign.lesson:
        raise Http404
    if request.method != "POST":
        return redirect(table.home)
    if request.content_type == "application/json":
        return planned_note(request, table)
    try:
        practice.guide(table.campaign, request.user, GuideForm(request.POST).text_of("guide"))
    except TableError as refused:
        if refused.status in (403, 404):
            raise
    return see_other(table.home)


def planned_note(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Send the note for planned moves."""
    planned = read_planned(request.body)
    if planned is None:
        return HttpResponse(status=400)
    return render(request, "lessons/note.html", {"page": lesson_note(table, "table", planned)})

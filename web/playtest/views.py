"""The view of a play-test: ask for it, follow its progress, read its result."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from campaign import playtests
from campaign.errors import TableError
from engine.strict_json import replace_unprintable
from web.frame import throttle
from web.frame.campaign_page import see_other
from web.frame.guests import refuse_guest
from web.playtest.forms import SubjectQuery
from web.playtest.page import playtest_page
from web.playtest.subject import Subject, subject_of
from web.tasks import ask_to_play_test


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def playtest(request: HttpRequest) -> HttpResponse:
    """Show the play-test of `?scenario=` or `?draft=`; on POST start it."""
    if request.method == "POST":
        refuse_guest(request)
    query = SubjectQuery(request.GET)
    subject = subject_of(request.user, query.text_of("scenario"), query.text_of("draft"))
    if request.method != "POST":
        return show_playtest(request, subject)
    if wait := throttle.spend(request, throttle.PACK, f"user {request.user.pk}"):
        return throttle.refused(request, wait)
    error = ask_for_playtest(subject)
    if error or is_part(request):
        return show_playtest(request, subject, error)
    return see_other(f"{reverse('scenario_playtest')}?{subject.query}")


def ask_for_playtest(subject: Subject) -> str:
    """Let the worker play the scenario; return why it cannot be played, empty if it can."""
    try:
        row, is_new = playtests.ask(subject.title, subject.scenario)
    except TableError as refused:
        return replace_unprintable(str(refused))
    if is_new:
        ask_to_play_test(row.pk)
    return ""


def show_playtest(request: HttpRequest, subject: Subject, error: str = "") -> HttpResponse:
    """Show the page, or only its changing part if htmx asks for it."""
    part = is_part(request)
    template = "playtest/_playtest.html" if part else "playtest/playtest.html"
    page = playtest_page(subject, error)
    return render(request, template, {"page": page}, status=422 if error and not part else 200)


def is_part(request: HttpRequest) -> bool:
    """Return whether htmx asks for a part of the page."""
    return bool(request.headers.get("HX-Request"))

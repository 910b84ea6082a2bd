"""The picture of the table after an entry, to post elsewhere: by the entry's number, and by what is drawn."""

from __future__ import annotations

import time

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect
from django.utils import translation
from django.views.decorators.http import require_safe

from campaign.models import Campaign
from engine.language import spoken
from web import files, pictures, throttle
from web.pictures import Known, Place
from web.throttle import Limit
from web.views.common import TableContext, campaign_page, show

STRANGERS = Limit("picture", address=20, person=200)
MEMBERS = Limit("picture-member", address=600, person=200)
"""So many pictures that nobody has asked for yet are drawn in an hour; the last one, and the last of each turn, for all."""
HELD, LOOK, AGAIN = 3.0, 0.1, 3
"""So many seconds the request that asks first waits for the worker, and looks so often; it, and all others at once, are then
told when to come again: who asks often holds nobody else up."""
YEAR, HOUR = 365 * 24 * 60 * 60, 60 * 60


@require_safe
@campaign_page
def latest(request: HttpRequest, table: TableContext) -> HttpResponse:
    """To the picture after entry `?at=N`, by default after the last one."""
    asked = request.GET.get("at", "")
    if asked and not (asked.isascii() and asked.isdigit() and len(asked) < 10):
        raise Http404
    return _onward(table, _place(table, int(asked) if asked else None))


@require_safe
@campaign_page
def picture(request: HttpRequest, table: TableContext, number: str, digest: str) -> HttpResponse:
    """One picture, for ever the same. One that is no more (another name, another drawing) leads to the present one."""
    entry = int(number)
    if not files.there(pictures.file(table.campaign, entry, digest)):
        at = _place(table, entry)
        wanted = pictures.known(table.campaign, at)
        if wanted.digest != digest:
            return _onward(table, at)
        if (waits := _drawing(request, table, at, wanted)) is not None:
            return waits
    return _sent(request, table, entry, digest, f"max-age={YEAR}, immutable")


@require_safe
@campaign_page
def after(request: HttpRequest, table: TableContext, number: str, language: str) -> HttpResponse:
    """The picture after an entry in a language, under an address that stays: what posts elsewhere show.

    Of an entry that was undone since, the picture that was shown then, as long as it lies here.
    """
    entry = int(number)
    with translation.override(language), spoken(language):
        at = pictures.place(table.campaign, entry) if pictures.draws(table.campaign) else None
        if at is None:
            old = pictures.drawn_once(table.campaign, entry)
            if old is None:
                raise Http404
            return _sent(request, table, entry, old, f"max-age={HOUR}")
        wanted = pictures.known(table.campaign, at)
        there = files.there(pictures.file(table.campaign, entry, wanted.digest))
        waits = None if there else _drawing(request, table, at, wanted)
        return waits or _sent(request, table, entry, wanted.digest, f"max-age={HOUR}")


def _drawing(request: HttpRequest, table: TableContext, at: Place, wanted: Known) -> HttpResponse | None:
    """The answer until the picture is drawn; None once it is."""
    if not at.free and not pictures.waits(table.campaign, wanted) and (refusal := _limited(request, table)):
        return refusal
    if not (pictures.ask(table.campaign, wanted) and _wait(table, wanted)):
        return _not_yet(request, table, wanted)
    return None


def _sent(request: HttpRequest, table: TableContext, entry: int, digest: str, lasting: str) -> HttpResponse:
    if request.headers.get("If-None-Match", "").strip() == f'"{digest}"':
        answer: HttpResponse = HttpResponseNotModified()
    else:
        content = files.content(pictures.file(table.campaign, entry, digest))
        if content is None:  # the oldest go: asked again it is drawn again
            return _not_yet(request, table, pictures.known(table.campaign, _place(table, entry)))
        answer = HttpResponse(content, content_type="image/png")
        answer.headers["Content-Disposition"] = f'inline; filename="{table.campaign.slug or "map"}-{entry}.png"'
    members = table.campaign.visibility == Campaign.Visibility.MEMBERS
    answer.headers["ETag"] = f'"{digest}"'
    answer.headers["Cache-Control"] = f"{'private' if members else 'public'}, {lasting}"
    return answer


def _place(table: TableContext, number: int | None) -> Place:
    at = pictures.place(table.campaign, number) if pictures.draws(table.campaign) else None
    if at is None:
        raise Http404
    return at


def _onward(table: TableContext, at: Place) -> HttpResponse:
    wanted = pictures.known(table.campaign, at)
    answer = redirect(table.url("picture", wanted.number, wanted.digest))
    answer.headers["Cache-Control"] = "private, no-cache"
    return answer


def _limited(request: HttpRequest, table: TableContext) -> HttpResponse | None:
    """The refusal where this reader has had enough drawn; else one is counted. Strangers together count as one person."""
    if table.access.member:
        seconds = throttle.spend(request, MEMBERS, f"user {request.user.pk}")
    else:
        seconds = throttle.spend(request, STRANGERS, "strangers")
    return throttle.refused(request, seconds) if seconds else None


def _wait(table: TableContext, wanted: Known) -> bool:
    """Was it drawn while the request was held? Who puts an address into a post gets no second try."""
    name, until = pictures.file(table.campaign, wanted.number, wanted.digest), time.monotonic() + HELD
    while not files.there(name):
        if time.monotonic() >= until:
            return False
        time.sleep(LOOK)
    return True


def _not_yet(request: HttpRequest, table: TableContext, wanted: Known) -> HttpResponse:
    """It is being drawn: a page that looks again by itself, or the bare word for whoever wants no page."""
    if request.accepts("text/html") and "text/html" in request.headers.get("Accept", ""):
        answer = show(request, table, "campaign/picture.html", {"picture": wanted, "again": AGAIN}, status=202)
        answer.headers["Refresh"] = str(AGAIN)
    else:
        answer = HttpResponse(status=202, content_type="text/plain")
    answer.headers["Retry-After"] = str(AGAIN)
    answer.headers["Cache-Control"] = "no-store"
    return answer

"""Views of the picture of the table after an entry, to be posted elsewhere.

Its address has the number of the entry or the digest of the picture.
"""

from __future__ import annotations

import time

from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseNotModified,
)
from django.shortcuts import redirect
from django.utils import translation
from django.views.decorators.http import require_safe

from campaign import files
from campaign.models import Campaign
from campaign.pictures import images
from campaign.pictures.images import KnownPicture, Place
from campaign.tasks import ask_to_draw
from engine.language import use_language
from games.contract.maps import WithMaps
from web.exports.forms import PictureQuery
from web.exports.page import PICTURE_LOOKS_AGAIN, picture_page
from web.frame import throttle
from web.frame.campaign_page import campaign_page, show
from web.frame.table import TableContext
from web.frame.throttle import Limit

STRANGERS = Limit("picture", address=20, person=200)
MEMBERS = Limit("picture-member", address=600, person=200)
"""The limits of requested drawings per hour.

The picture after the last entry, and after the last entry of each turn, is drawn for everyone.
"""
HELD, LOOK = 3.0, 0.1
"""The seconds that the first request waits for the worker, and the seconds between two checks."""
YEAR, HOUR, SHORT = 365 * 24 * 60 * 60, 60 * 60, 15


@require_safe
@campaign_page
def latest(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Redirect to the picture after entry `?at=N`, by default after the last entry."""
    query = PictureQuery(request.GET)
    if not query.is_valid():
        raise Http404
    return _redirect_to_picture(table, _place(table, query.cleaned_data["at"]))


@require_safe
@campaign_page
def picture(request: HttpRequest, table: TableContext, number: str, digest: str) -> HttpResponse:
    """Send a picture, which never changes.

    If it no longer exists because of another name or drawing, redirect to the present picture.
    """
    entry = int(number)
    if not files.exists(images.file(table.campaign, entry, digest)):
        at = _place(table, entry)
        wanted = images.picture_after(table.campaign, at)
        if wanted.digest != digest:
            return _redirect_to_picture(table, at)
        waits = _drawing(request, table, at, wanted)
        if waits is not None:
            return waits
    return _sent(request, table, entry, digest, f"max-age={YEAR}, immutable")


@require_safe
@campaign_page
def after(request: HttpRequest, table: TableContext, number: str, language: str) -> HttpResponse:
    """Send the picture after an entry in a language, under a permanent address for posts on forums.

    If the entry was undone, send the picture that was shown before, as long as it is kept.
    """
    entry = int(number)
    with translation.override(language), use_language(language):
        at = images.place(table.campaign, entry) if isinstance(table.title, WithMaps) else None
        if at is None:
            old = images.drawn_once(table.campaign, entry)
            if old is None:
                raise Http404
            return _sent(request, table, entry, old, f"max-age={HOUR}")
        wanted = images.picture_after(table.campaign, at)
        there = files.exists(images.file(table.campaign, entry, wanted.digest))
        waits = None if there else _drawing(request, table, at, wanted)
        if waits is not None and not _wants_page(request):
            return _meanwhile(request, table, at) or waits
        return waits or _sent(request, table, entry, wanted.digest, f"max-age={HOUR}")


def _meanwhile(request: HttpRequest, table: TableContext, at: Place) -> HttpResponse | None:
    """Send the previous picture while a picture is being drawn.

    The first picture of a campaign is drawn at once.
    """
    before = images.drawn_before(table.campaign, at.number)
    if before is None and at.free:
        images.make(table.campaign, at)
        before = images.drawn_before(table.campaign, at.number)
    return _sent(request, table, *before, f"max-age={SHORT}") if before is not None else None


def _wants_page(request: HttpRequest) -> bool:
    """Return whether a browser asks for a page, not for an image in a page."""
    return request.accepts("text/html") and "text/html" in request.headers.get("Accept", "")


def _drawing(
    request: HttpRequest, table: TableContext, at: Place, wanted: KnownPicture
) -> HttpResponse | None:
    """Return the answer until the picture is drawn; None when it has been drawn."""
    if not at.free and not images.waits(table.campaign, wanted):
        refusal = _limited(request, table)
        if refusal is not None:
            return refusal
    if not (ask_to_draw(table.campaign, wanted) and _wait(table, wanted)):
        return _not_yet(request, table, wanted)
    return None


def _sent(
    request: HttpRequest, table: TableContext, entry: int, digest: str, lasting: str
) -> HttpResponse:
    if request.headers.get("If-None-Match", "").strip() == f'"{digest}"':
        answer: HttpResponse = HttpResponseNotModified()
    else:
        content = files.content(images.file(table.campaign, entry, digest))
        if content is None:  # the oldest files are removed: draw it again on request
            return _not_yet(
                request, table, images.picture_after(table.campaign, _place(table, entry))
            )
        answer = HttpResponse(content, content_type="image/png")
        answer.headers["Content-Disposition"] = (
            f'inline; filename="{table.campaign.slug or "map"}-{entry}.png"'
        )
    members = table.campaign.visibility == Campaign.Visibility.MEMBERS
    answer.headers["ETag"] = f'"{digest}"'
    answer.headers["Cache-Control"] = f"{'private' if members else 'public'}, {lasting}"
    return answer


def _place(table: TableContext, number: int | None) -> Place:
    at = images.place(table.campaign, number) if isinstance(table.title, WithMaps) else None
    if at is None:
        raise Http404
    return at


def _redirect_to_picture(table: TableContext, at: Place) -> HttpResponse:
    wanted = images.picture_after(table.campaign, at)
    answer = redirect(table.url("picture", wanted.number, wanted.digest))
    answer.headers["Cache-Control"] = "private, no-cache"
    return answer


def _limited(request: HttpRequest, table: TableContext) -> HttpResponse | None:
    """Count a drawing for this reader; return the refusal if they have requested too many.

    All readers who are not members count as a single person.
    """
    if table.access.member:
        seconds = throttle.spend(request, MEMBERS, f"user {request.user.pk}")
    else:
        seconds = throttle.spend(request, STRANGERS, "strangers")
    return throttle.refused(request, seconds) if seconds else None


def _wait(table: TableContext, wanted: KnownPicture) -> bool:
    """Wait for a picture, and return whether it was drawn.

    It waits because an image in a post is not requested a second time.
    """
    name, until = images.file(table.campaign, wanted.number, wanted.digest), time.monotonic() + HELD
    while not files.exists(name):
        if time.monotonic() >= until:
            return False
        time.sleep(LOOK)
    return True


def _not_yet(request: HttpRequest, table: TableContext, wanted: KnownPicture) -> HttpResponse:
    """Answer that a picture is being drawn; browsers get a page that reloads automatically."""
    if _wants_page(request):
        page = picture_page(wanted)
        answer = show(request, table, "exports/picture.html", {"page": page}, status=202)
        answer.headers["Refresh"] = str(PICTURE_LOOKS_AGAIN)
    else:
        answer = HttpResponse(status=202, content_type="text/plain")
    answer.headers["Retry-After"] = str(PICTURE_LOOKS_AGAIN)
    answer.headers["Cache-Control"] = "no-store"
    return answer

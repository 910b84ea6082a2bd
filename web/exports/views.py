"""What leaves the site as a file, and a record out of what somebody sends."""

from __future__ import annotations

import re
import time
from functools import lru_cache
from json import dumps
from types import ModuleType

import brotli
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseNotModified,
)
from django.shortcuts import redirect
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_http_methods, require_safe

from campaign import services
from campaign.models import Campaign, Look
from engine.language import reading_in
from games import registry
from web import titles
from web.exports import images, packs
from web.exports.images import Known, Place
from web.exports.packs import Wanted
from web.frame import files, throttle
from web.frame.campaign_page import TableContext, campaign_page, see_other, show, talks
from web.frame.throttle import Limit
from web.seats import hidden_hands
from web.sheets.csv_file import download
from web.titles import extras

# The picture of the table after an entry, to post elsewhere: by the entry's number, and by what is
# drawn.


STRANGERS = Limit("picture", address=20, person=200)
MEMBERS = Limit("picture-member", address=600, person=200)
"""So many pictures that nobody has asked for yet are drawn in an hour; the last one, and the last
of each turn, for all.
"""
HELD, LOOK, AGAIN = 3.0, 0.1, 3
"""So many seconds the request that asks first waits for the worker, and looks so often; it, and all
others at once, are then told when to come again: who asks often holds nobody else up.
"""
YEAR, HOUR, SHORT = 365 * 24 * 60 * 60, 60 * 60, 15


@require_safe
@campaign_page
def latest(request: HttpRequest, table: TableContext) -> HttpResponse:
    """To the picture after entry `?at=N`, by default after the last one."""
    asked = request.GET.get("at", "")
    if asked and not (asked.isascii() and asked.isdigit() and len(asked) < 10):
        raise Http404
    return _redirect_to_picture(table, _place(table, int(asked) if asked else None))


@require_safe
@campaign_page
def picture(request: HttpRequest, table: TableContext, number: str, digest: str) -> HttpResponse:
    """One picture, for ever the same. One that is no more (another name, another drawing) leads to
    the present one.
    """
    entry = int(number)
    if not files.there(images.file(table.campaign, entry, digest)):
        at = _place(table, entry)
        wanted = images.picture_after(table.campaign, at)
        if wanted.digest != digest:
            return _redirect_to_picture(table, at)
        if (waits := _drawing(request, table, at, wanted)) is not None:
            return waits
    return _sent(request, table, entry, digest, f"max-age={YEAR}, immutable")


@require_safe
@campaign_page
def after(request: HttpRequest, table: TableContext, number: str, language: str) -> HttpResponse:
    """The picture after an entry in a language, under an address that stays: what posts elsewhere
    show.

    Of an entry that was undone since, the picture that was shown then, as long as it lies here.
    """
    entry = int(number)
    with translation.override(language), reading_in(language):
        at = images.place(table.campaign, entry) if titles.draws(table.campaign) else None
        if at is None:
            old = images.drawn_once(table.campaign, entry)
            if old is None:
                raise Http404
            return _sent(request, table, entry, old, f"max-age={HOUR}")
        wanted = images.picture_after(table.campaign, at)
        there = files.there(images.file(table.campaign, entry, wanted.digest))
        waits = None if there else _drawing(request, table, at, wanted)
        if waits is not None and not _wants_page(request):
            return _meanwhile(request, table, at) or waits
        return waits or _sent(request, table, entry, wanted.digest, f"max-age={HOUR}")


def _meanwhile(request: HttpRequest, table: TableContext, at: Place) -> HttpResponse | None:
    """What a board's reader sees until a picture is drawn: the last one before it, which says of
    which entry it is, for a short time. The first picture of a campaign is drawn at once.
    """
    before = images.drawn_before(table.campaign, at.number)
    if before is None and at.free:
        images.make(table.campaign, at)
        before = images.drawn_before(table.campaign, at.number)
    return _sent(request, table, *before, f"max-age={SHORT}") if before is not None else None


def _wants_page(request: HttpRequest) -> bool:
    """Does a browser ask that shows pages, not an image in a page?"""
    return request.accepts("text/html") and "text/html" in request.headers.get("Accept", "")


def _drawing(
    request: HttpRequest, table: TableContext, at: Place, wanted: Known
) -> HttpResponse | None:
    """The answer until the picture is drawn; None once it is."""
    if (
        not at.free
        and not images.waits(table.campaign, wanted)
        and (refusal := _limited(request, table))
    ):
        return refusal
    if not (images.ask(table.campaign, wanted) and _wait(table, wanted)):
        return _not_yet(request, table, wanted)
    return None


def _sent(
    request: HttpRequest, table: TableContext, entry: int, digest: str, lasting: str
) -> HttpResponse:
    if request.headers.get("If-None-Match", "").strip() == f'"{digest}"':
        answer: HttpResponse = HttpResponseNotModified()
    else:
        content = files.content(images.file(table.campaign, entry, digest))
        if content is None:  # the oldest go: asked again it is drawn again
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
    at = images.place(table.campaign, number) if titles.draws(table.campaign) else None
    if at is None:
        raise Http404
    return at


def _redirect_to_picture(table: TableContext, at: Place) -> HttpResponse:
    wanted = images.picture_after(table.campaign, at)
    answer = redirect(table.url("picture", wanted.number, wanted.digest))
    answer.headers["Cache-Control"] = "private, no-cache"
    return answer


def _limited(request: HttpRequest, table: TableContext) -> HttpResponse | None:
    """The refusal where this reader has had enough drawn; else one is counted. Strangers together
    count as one person.
    """
    if table.access.member:
        seconds = throttle.spend(request, MEMBERS, f"user {request.user.pk}")
    else:
        seconds = throttle.spend(request, STRANGERS, "strangers")
    return throttle.refused(request, seconds) if seconds else None


def _wait(table: TableContext, wanted: Known) -> bool:
    """Was it drawn while the request was held? Who puts an address into a post gets no
    second try.
    """
    name, until = images.file(table.campaign, wanted.number, wanted.digest), time.monotonic() + HELD
    while not files.there(name):
        if time.monotonic() >= until:
            return False
        time.sleep(LOOK)
    return True


def _not_yet(request: HttpRequest, table: TableContext, wanted: Known) -> HttpResponse:
    """It is being drawn: a page that looks again by itself, or the bare word for whoever wants no
    page.
    """
    if _wants_page(request):
        answer = show(
            request, table, "exports/picture.html", {"picture": wanted, "again": AGAIN}, status=202
        )
        answer.headers["Refresh"] = str(AGAIN)
    else:
        answer = HttpResponse(status=202, content_type="text/plain")
    answer.headers["Retry-After"] = str(AGAIN)
    answer.headers["Cache-Control"] = "no-store"
    return answer


# The audit pack as a file, and the page on which one waits for it.

PACK_AGAIN = 2
"""After so many seconds the page looks again."""


# The outlines of a map that its pages use again and again: a file for ever the same, whose name is
# made of what it says.


@require_safe
def outlines(request: HttpRequest, name: str) -> HttpResponse:
    """Those that a title brings, for everybody."""
    for key in registry.TITLES:
        own = extras(key, "atlas")
        if own is not None and name in (known := own.shipped_outlines()):
            return _outlines(request, known[name], "public")
    raise Http404


@require_safe
@campaign_page
def campaign_outlines(request: HttpRequest, table: TableContext, name: str) -> HttpResponse:
    """Those that a campaign brings, for who may see it."""
    own = extras(table.campaign.title, "atlas")
    text, known = own.outlines_of(table.campaign) if own is not None else ("", "")
    if name != known:
        raise Http404
    return _outlines(request, text, "private")


@lru_cache(maxsize=64)
def _small(text: str) -> bytes:
    return brotli.compress(text.encode(), mode=brotli.MODE_TEXT)


def _outlines(request: HttpRequest, text: str, whose: str) -> HttpResponse:
    """Made small once, by Brotli where the browser reads it: two thirds of what a proxy would make
    of it each time.
    """
    answer = HttpResponse(content_type="image/svg+xml")
    if re.search(
        r"\bbr\b(?!\s*;\s*q=0(?:\.0*)?(?:\s*,|\s*$))", request.headers.get("Accept-Encoding", "")
    ):
        answer.content = _small(text)
        answer.headers["Content-Encoding"] = "br"
    else:
        answer.content = text.encode()
    patch_vary_headers(answer, ["Accept-Encoding"])
    answer.headers["Cache-Control"] = f"{whose}, max-age={YEAR}, immutable"
    return answer


@require_safe
@campaign_page
def pack(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """The whole campaign in one zip, for who may take its record; where it is not made yet, on to
    the page that waits for it, or the bare word to come again for whoever wants no page.
    """
    wanted = packs.wanted_pack(table.campaign, table.user)
    if wanted.audience == packs.GAME_MASTER:
        if hidden_hands.ahead(request):
            return hidden_hands.not_ahead()
        services.log_access_to_all(table.campaign, table.user, Look.Way.PACK)
    content = files.content(wanted.file)
    if content is None:
        if "text/html" in request.headers.get("Accept", ""):
            return _unkept(see_other(table.url("pack_waits")))
        return _request_pack(request, table, wanted) or _unkept(
            _later(HttpResponse(status=202, content_type="text/plain"))
        )
    answer = HttpResponse(content, content_type="application/zip")
    answer.headers["Content-Disposition"] = (
        content_disposition_header(True, f"{table.ref}.zip") or ""
    )
    return _unkept(answer)


@require_safe
@campaign_page
def waits(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """Has the pack made, tells how far it is, and goes on to the file once it is there."""
    wanted = packs.wanted_pack(table.campaign, table.user)
    refusal = None if files.there(wanted.file) else _request_pack(request, table, wanted)
    if refusal is not None:
        return refusal
    ready, at = files.there(wanted.file), packs.progress(wanted)
    context = {
        "ready": ready,
        "at": at,
        "talks": talks(table),
        "again": PACK_AGAIN,
        "percent": 100 * at.done // at.of if at and at.of else 0,
    }
    answer = show(request, table, "exports/pack.html", context)
    answer.headers["Refresh"] = f"1; url={table.url('pack')}" if ready else str(PACK_AGAIN)
    return _unkept(answer)


def _request_pack(request: HttpRequest, table: TableContext, wanted: Wanted) -> HttpResponse | None:
    """Leaves a pack that is not there to the worker, once; makes it itself where no worker has
    begun. The refusal where this reader has had enough made.
    """
    at, now = packs.progress(wanted), time.time()
    if at is None or packs.silent(at, now):
        if request.method != "GET":
            return None
        who = f"user {table.user.pk}" if table.user.is_authenticated else throttle.address(request)
        if seconds := throttle.spend(request, throttle.PACK, who):
            return throttle.refused(request, seconds)
        packs.ask(wanted)
    elif packs.abandoned(at, now) and request.method == "GET":
        packs.make(table.campaign.pk, wanted.audience, wanted.language)
    return None


def _later(answer: HttpResponse) -> HttpResponse:
    answer.headers["Retry-After"] = str(PACK_AGAIN)
    return answer


def _unkept(answer: HttpResponseBase) -> HttpResponseBase:
    """Whoever asks again may see another campaign, or none."""
    answer.headers["Cache-Control"] = "no-store, private"
    return answer


# A campaign that runs elsewhere goes on here, and one that runs here may go on elsewhere: the
# sheet, of titles that have one.


def _sheet(table: TableContext) -> ModuleType:
    part = extras(table.title.key, "resume")
    if part is None:
        raise Http404
    return part


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def page(request: HttpRequest, table: TableContext) -> HttpResponse:
    """For the game master of a campaign that has not begun."""
    answer: HttpResponse = _sheet(table).page(request, table)
    return answer


@require_safe
@campaign_page
def sheet(request: HttpRequest, table: TableContext) -> HttpResponse:
    """How the campaign stands, as a table that the page above reads."""
    first, *rows = _sheet(table).rows(table)
    return download(f"{table.ref}-sheet.csv", first, rows)


@require_safe
@campaign_page
def move(request: HttpRequest, table: TableContext) -> HttpResponse:
    """The same as a move in the form of the record: exact, for another campaign here or for a
    program.
    """
    text = dumps(_sheet(table).move(table), ensure_ascii=False, indent=1)
    named = {
        "Content-Disposition": f'attachment; filename="{table.ref}-resume.json"',
        "Cache-Control": "private",
    }
    return HttpResponse(text, content_type="application/json", headers=named)

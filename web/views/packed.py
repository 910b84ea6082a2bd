"""The audit pack as a file, and the page on which one waits for it."""

from __future__ import annotations

import time

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from campaign import services
from campaign.models_looked import Look
from web import eyes, files, packs, throttle
from web.packs import Wanted
from web.views.common import TableContext, campaign_page, see_other, show

AGAIN = 2
"""After so many seconds the page looks again."""


@require_safe
@campaign_page
def pack(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """The whole campaign in one zip, for who may take its record; where it is not made yet, on to the page that waits for it,
    or the bare word to come again for whoever wants no page."""
    wanted = packs.wanted(table.campaign, table.user)
    if wanted.audience == packs.GAME_MASTER:
        if eyes.ahead(request):
            return eyes.not_ahead()
        services.looked_at_all(table.campaign, table.user, Look.Way.PACK)
    content = files.content(wanted.file)
    if content is None:
        if "text/html" in request.headers.get("Accept", ""):
            return _unkept(see_other(table.url("pack_waits")))
        return _asked(request, table, wanted) or _unkept(_later(HttpResponse(status=202, content_type="text/plain")))
    answer = HttpResponse(content, content_type="application/zip")
    answer.headers["Content-Disposition"] = content_disposition_header(True, f"{table.ref}.zip") or ""
    return _unkept(answer)


@require_safe
@campaign_page
def waits(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """Has the pack made, tells how far it is, and goes on to the file once it is there."""
    wanted = packs.wanted(table.campaign, table.user)
    refusal = None if files.there(wanted.file) else _asked(request, table, wanted)
    if refusal is not None:
        return refusal
    ready, at = files.there(wanted.file), packs.progress(wanted)
    context = {"ready": ready, "at": at, "again": AGAIN, "percent": 100 * at.done // at.of if at and at.of else 0}
    answer = show(request, table, "campaign/pack.html", context)
    answer.headers["Refresh"] = f"1; url={table.url('pack')}" if ready else str(AGAIN)
    return _unkept(answer)


def _asked(request: HttpRequest, table: TableContext, wanted: Wanted) -> HttpResponse | None:
    """Leaves a pack that is not there to the worker, once; makes it itself where no worker has begun. The refusal where this
    reader has had enough made."""
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
    answer.headers["Retry-After"] = str(AGAIN)
    return answer


def _unkept(answer: HttpResponseBase) -> HttpResponseBase:
    """Whoever asks again may see another campaign, or none."""
    answer.headers["Cache-Control"] = "no-store, private"
    return answer

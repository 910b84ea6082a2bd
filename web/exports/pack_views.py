"""Views of the audit pack: the file, and the page that waits for it."""

from __future__ import annotations

import time

from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
)
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from campaign import files, services
from campaign.models import AccessLogEntry
from web.exports import packs
from web.exports.packs import Wanted
from web.exports.page import PACK_LOOKS_AGAIN, pack_page
from web.frame import throttle
from web.frame.campaign_page import campaign_page, see_other, show
from web.frame.table import TableContext
from web.seats import hidden_hands
from web.tasks import ask_to_make_pack


@require_safe
@campaign_page
def pack(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """Send the whole campaign as a zip to users who may take its record.

    If it has not been made yet, a browser is redirected to the page that waits for it, and a
    program is asked to retry later.
    """
    wanted = packs.wanted_pack(table.campaign, table.user)
    if wanted.audience == packs.GAME_MASTER:
        if hidden_hands.is_prefetch(request):
            return hidden_hands.refuse_prefetch()
        services.log_access_to_all(table.campaign, table.user, AccessLogEntry.Way.PACK)
    content = files.content(wanted.file)
    if content is not None:
        answer = HttpResponse(content, content_type="application/zip")
        name = content_disposition_header(True, f"{table.ref}.zip")
        answer.headers["Content-Disposition"] = name or ""
        return not_stored(answer)
    if "text/html" in request.headers.get("Accept", ""):
        return not_stored(see_other(table.url("pack_waits")))
    refusal = request_pack(request, table, wanted)
    if refusal is not None:
        return refusal
    later = HttpResponse(status=202, content_type="text/plain")
    later.headers["Retry-After"] = str(PACK_LOOKS_AGAIN)
    return not_stored(later)


@require_safe
@campaign_page
def wait_for_pack(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """Have the pack made, show its progress, and send the file when it is ready."""
    wanted = packs.wanted_pack(table.campaign, table.user)
    refusal = None if files.exists(wanted.file) else request_pack(request, table, wanted)
    if refusal is not None:
        return refusal
    page = pack_page(table, wanted)
    answer = show(request, table, "exports/pack.html", {"page": page})
    answer.headers["Refresh"] = (
        f"1; url={table.url('pack')}" if page.ready else str(PACK_LOOKS_AGAIN)
    )
    return not_stored(answer)


def request_pack(request: HttpRequest, table: TableContext, wanted: Wanted) -> HttpResponse | None:
    """Ask the worker once for a missing pack; make it here if no worker has begun.

    Return the refusal if this reader has requested too many packs.
    """
    known, now = packs.progress(wanted), time.time()
    if known is None or packs.silent(known, now):
        if request.method != "GET":
            return None
        user = table.user
        who = f"user {user.pk}" if user.is_authenticated else throttle.address(request)
        seconds = throttle.spend(request, throttle.PACK, who)
        if seconds:
            return throttle.refused(request, seconds)
        ask_to_make_pack(wanted)
    elif packs.abandoned(known, now) and request.method == "GET":
        packs.make(table.campaign.pk, wanted.audience, wanted.language)
    return None


def not_stored(answer: HttpResponseBase) -> HttpResponseBase:
    """Keep an answer out of every cache, because other readers may get another pack or none."""
    answer.headers["Cache-Control"] = "no-store, private"
    return answer

"""When there is no page to show. What is, then what to do; never a traceback."""

import logging
import secrets
import sys
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse

from campaign import schema
from campaign.life import HOST
from campaign.models import Campaign, LogEntry
from web import throttle

log = logging.getLogger(__name__)


def bad_request(request: HttpRequest, exception: Any = None) -> HttpResponse:
    # Without the request: it may be the part that cannot be read.
    return HttpResponse(render_to_string("errors/400.html"), status=400)


def forbidden(request: HttpRequest, exception: Any = None) -> HttpResponse:
    """`PermissionDenied("Only the game master may do this.")` is shown in its own words, with the way back to the table."""
    found = request.resolver_match
    ref = found.kwargs.get("ref") if found else None
    home = reverse("table", args=[ref]) if ref else ""
    return render(request, "errors/403.html", {"reason": str(exception or ""), "home": home}, status=403)


def suspended(request: HttpRequest, campaign: Campaign | None = None, reason: str = "") -> HttpResponse:
    """What stands in the place of a campaign, or of every page to a person, that the host has suspended."""
    if campaign is not None:
        acts = campaign.entries.filter(kind=LogEntry.Kind.TABLE, act=HOST, how="suspended").order_by("-sequence")
        reason = next((str(entry.said.get("reason", "")) for entry in acts[:1]), "")
    answer = render(request, "errors/suspended.html", {"campaign": campaign, "reason": reason}, status=403)
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


def not_found(request: HttpRequest, exception: Any = None) -> HttpResponse:
    return render(request, "errors/404.html", status=404)


def not_so(request: HttpRequest, allowed: str) -> HttpResponse:
    """405. `allowed` is the header's own text."""
    response = render(request, "errors/405.html", status=405)
    response.headers["Allow"] = allowed
    return response


def gone(request: HttpRequest, reason: str = "") -> HttpResponse:
    """410: there was a page, and there will be none again."""
    return render(request, "errors/410.html", {"reason": reason}, status=410)


def too_large(request: HttpRequest, most: int) -> HttpResponse:
    """413. `most` is in bytes."""
    return render(request, "errors/413.html", {"most": most // 1_000_000}, status=413)


def too_many(request: HttpRequest, exception: Any = None) -> HttpResponse:
    """What allauth counts itself: its limits are by the minute."""
    return throttle.refused(request, 60)


def away(request: HttpRequest) -> HttpResponse:
    """503: what counts tries does not answer, so nobody signs in now."""
    response = render(request, "errors/503.html", status=503)
    response.headers["Retry-After"] = "60"
    return response


def csrf(request: HttpRequest, reason: str = "") -> HttpResponse:
    return render(request, "errors/csrf.html", status=403)


def broken(request: HttpRequest) -> HttpResponse:
    """The number on the page stands beside the traceback in the log. Where the database is older than the program, the page
    says so, and the log what to do."""
    if schema.caused(sys.exc_info()[1]):
        return HttpResponse(render_to_string("errors/updating.html"), status=503, headers={"Retry-After": "60"})
    number = secrets.token_hex(4)
    request.shown_as = number  # type: ignore[attr-defined]  # stands in the letter to ADMINS, too
    log.error("shown to the user as %s: %s %s", number, request.method, request.path)
    # Without the request: the user or the database may be what broke.
    return HttpResponse(render_to_string("errors/500.html", {"number": number}), status=500)

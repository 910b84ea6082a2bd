"""Error pages: what has happened, then what to do; never a traceback."""

from __future__ import annotations

import logging
import secrets
import sys
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from campaign import busy, schema
from campaign.models import Campaign, LogEntry
from campaign.status import HOST
from web.frame import throttle

SECRET_FORMS = ("/sign-in/", "/sign-up/", "/password/", "/me/")
"""Addresses whose forms hold passwords, codes and addresses."""
log = logging.getLogger(__name__)


def bad_request(request: HttpRequest, exception: Any = None) -> HttpResponse:
    # Without the request: it may be the part that cannot be read.
    return HttpResponse(render_to_string("errors/400.html"), status=400)


def forbidden(request: HttpRequest, exception: Any = None) -> HttpResponse:
    """`PermissionDenied("Only the game master may do this.")` is shown in its own words, with the
    way back to the table.
    """
    match = request.resolver_match
    ref = match.kwargs.get("ref") if match else None
    home = reverse("table", args=[ref]) if ref else ""
    return render(
        request, "errors/403.html", {"reason": str(exception or ""), "home": home}, status=403
    )


def suspended(
    request: HttpRequest, campaign: Campaign | None = None, reason: str = "", closed: bool = False
) -> HttpResponse:
    """What stands in the place of a campaign, or of every page to a person, that the host has
    suspended.
    """
    if campaign is not None:
        acts = campaign.entries.filter(
            kind=LogEntry.Kind.TABLE, act=HOST, how="suspended"
        ).order_by("-sequence")
        reason = next((str(entry.content.get("reason", "")) for entry in acts[:1]), "")
    answer = render(
        request,
        "errors/suspended.html",
        {"campaign": campaign, "reason": reason, "closed": closed},
        status=403,
    )
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


def log_fault(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Return the 409 page of a campaign whose stored log has failed its check."""
    answer = render(
        request,
        "errors/log_fault.html",
        {"campaign": campaign, "fault": campaign.fault},
        status=409,
    )
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


def not_in_time(request: HttpRequest, error: BaseException | None) -> HttpResponse | None:
    """Return the answer for a database that was too slow; None for every other error."""
    if busy.is_locked(error):
        return busy_now(request)
    if busy.is_away(error):
        return database_away(request, error)
    return None


def busy_now(request: HttpRequest) -> HttpResponse:
    """Return 503 because another change has held the campaign or the database for too long.

    The typed text is kept: a form that htmx has sent stays as it is, and this page contains any
    other form, which the user can send again.
    """
    headers = {"Retry-After": str(busy.RETRY_AFTER)}
    if getattr(request, "htmx", False):
        kept = _("What you typed is still there.")
        text = f"{busy.Busy()} {kept}"
        return HttpResponse(
            text, status=503, headers=headers, content_type="text/plain; charset=utf-8"
        )
    shown = {"fields": _typed(request), "here": request.get_full_path()}
    # Without the request: the query for the reader may be the one that took too long.
    token = {"csrf_token": get_token(request)} if shown["fields"] else {}
    return HttpResponse(
        render_to_string("errors/busy.html", shown | token), status=503, headers=headers
    )


def _typed(request: HttpRequest) -> list[tuple[str, str]]:
    """Return the fields of a sent form, to send them again; none if it has files or passwords."""
    if request.method != "POST" or request.FILES or request.path.startswith(SECRET_FORMS):
        return []
    return [
        (name, value)
        for name, values in request.POST.lists()
        for value in values
        if isinstance(value, str) and name != "csrfmiddlewaretoken" and "password" not in name
    ]


def database_away(request: HttpRequest, error: BaseException | None) -> HttpResponse:
    """Return 503 because the database does not answer. It is unknown whether something was
    saved.
    """
    busy.log_outage(f"{request.method} {request.path}", error)
    headers = {"Retry-After": str(busy.RETRY_AFTER_OUTAGE)}
    with translation.override(translation.get_language_from_request(request)):
        if getattr(request, "htmx", False):
            return HttpResponse(
                busy.away_text(),
                status=503,
                headers=headers,
                content_type="text/plain; charset=utf-8",
            )
        return HttpResponse(
            render_to_string("errors/database_away.html"), status=503, headers=headers
        )


def csrf(request: HttpRequest, reason: str = "") -> HttpResponse:
    return render(request, "errors/csrf.html", status=403)


def broken(request: HttpRequest) -> HttpResponse:
    """The number on the page stands beside the traceback in the log. Where the database is older
    than the program, the page says so, and the log what to do.
    """
    error = sys.exc_info()[1]
    if (answer := not_in_time(request, error)) is not None:
        return answer
    if schema.caused(error):
        return HttpResponse(
            render_to_string("errors/updating.html"), status=503, headers={"Retry-After": "60"}
        )
    number = secrets.token_hex(4)
    request.shown_as = number  # type: ignore[attr-defined]  # stands in the letter to ADMINS, too
    log.error("shown to the user as %s: %s %s", number, request.method, request.path)
    # Without the request: the user or the database may be what broke.
    return HttpResponse(render_to_string("errors/500.html", {"number": number}), status=500)

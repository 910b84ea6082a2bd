"""Error pages: what has happened, and what to do. They never show a traceback."""

from __future__ import annotations

import logging
import secrets
import sys
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign import schema, slow_database
from campaign.log.acts.life import HOST
from campaign.models import Campaign, LogEntry
from web.frame import throttle
from web.frame.raw_forms import sent_fields
from web.frame.requests import request_facts

SECRET_FORMS = ("/sign-in/", "/sign-up/", "/password/", "/me/")
"""Addresses whose forms contain passwords, codes and e-mail addresses."""
log = logging.getLogger(__name__)


# Requests that are refused


@dataclass(frozen=True, slots=True)
class ForbiddenPage:
    """The reason of a refusal, and the way back; `home_url` is empty outside of a campaign."""

    text: str
    home_url: str


@dataclass(frozen=True, slots=True)
class GonePage:
    """The reason why a page no longer exists."""

    text: str


@dataclass(frozen=True, slots=True)
class TooLargePage:
    """The limit for uploads in megabytes."""

    most: int


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    # Rendered without the request, because the request may be what cannot be read.
    return HttpResponse(render_to_string("errors/400.html"), status=400)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Return the 403 page with the text of the exception and a link back to the table."""
    match = request.resolver_match
    ref = match.kwargs.get("ref") if match else None
    page = ForbiddenPage(
        text=str(exception or "")
        or _(
            "Your role at this table does not allow this. Sign in as a user who has permission, "
            "or ask the game master."
        ),
        home_url=reverse("table", args=[ref]) if ref else "",
    )
    return render(request, "errors/403.html", {"page": page}, status=403)


def csrf(request: HttpRequest, reason: str = "") -> HttpResponse:
    return render(request, "errors/csrf.html", status=403)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return render(request, "errors/404.html", status=404)


def method_not_allowed(request: HttpRequest, allowed: str) -> HttpResponse:
    """Return the 405 page. `allowed` is the text of the header `Allow`."""
    response = render(request, "errors/405.html", status=405)
    response.headers["Allow"] = allowed
    return response


def gone(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return the 410 page, for an address that had a page and will have none again."""
    text = reason or _(
        "This link has been revoked or used. Ask the person who gave it to you for a new one."
    )
    return render(request, "errors/410.html", {"page": GonePage(text)}, status=410)


def too_large(request: HttpRequest, most: int) -> HttpResponse:
    """Return the 413 page. `most` is in bytes."""
    page = TooLargePage(most // 1_000_000)
    return render(request, "errors/413.html", {"page": page}, status=413)


def too_many(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Return the 429 page for allauth's own limits, which are per minute."""
    return throttle.refused(request, 60)


# Suspended campaigns and users


@dataclass(frozen=True, slots=True)
class SuspendedPage:
    """The reason why a campaign or an account is suspended, or an account is closed."""

    title: str
    heading: str
    text: str
    reason: str
    is_of_campaign: bool = False
    can_sign_out: bool = False


def suspended(
    request: HttpRequest, campaign: Campaign | None = None, reason: str = "", closed: bool = False
) -> HttpResponse:
    """Return the 403 page for a suspended campaign, or for all pages of a suspended user."""
    if campaign is not None:
        page = suspended_campaign_page(campaign)
    elif closed:
        page = closed_account_page(reason)
    else:
        page = suspended_account_page(reason)
    return unshared(render(request, "errors/suspended.html", {"page": page}, status=403))


def suspended_campaign_page(campaign: Campaign) -> SuspendedPage:
    acts = campaign.entries.filter(kind=LogEntry.Kind.TABLE, act=HOST.name, how="suspended")
    latest = acts.order_by("-sequence").first()
    return SuspendedPage(
        title=pgettext("heading", "Suspended"),
        heading=_("%(name)s is suspended") % {"name": campaign.name},
        text=_(
            "The host has suspended this campaign. No one can read it or move in it until the "
            "host lifts the suspension. Nothing is lost, and its clocks are stopped."
        ),
        reason=str(latest.content.get("reason", "")) if latest is not None else "",
        is_of_campaign=True,
    )


def suspended_account_page(reason: str) -> SuspendedPage:
    return SuspendedPage(
        title=pgettext("heading", "Suspended"),
        heading=_("Your account is suspended"),
        text=_(
            "The host has suspended your account. You keep your seats and everything you wrote. "
            "Only the game master can move for you. If you have questions, ask the host."
        ),
        reason=reason,
        can_sign_out=True,
    )


def closed_account_page(reason: str) -> SuspendedPage:
    return SuspendedPage(
        title=pgettext("heading", "Closed"),
        heading=_("Your account has been closed"),
        text=_(
            "You can no longer sign in with it. If you think this is a mistake, write to the host "
            "of this site."
        ),
        reason=reason,
    )


@dataclass(frozen=True, slots=True)
class LogFaultPage:
    """A campaign, and the fault in its log."""

    campaign_name: str
    fault: str


def log_fault(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Return the 409 page of a campaign whose stored log has failed its check."""
    page = LogFaultPage(campaign.name, campaign.fault)
    return unshared(render(request, "errors/log_fault.html", {"page": page}, status=409))


def unshared(response: HttpResponse) -> HttpResponse:
    """Return the answer, marked so that no browser keeps a copy."""
    response.headers["Cache-Control"] = "private, no-store"
    return response


# Failures of the server


@dataclass(frozen=True, slots=True)
class BusyPage:
    """A form that can be sent to `url` again; without `fields`, the page can be requested again."""

    url: str
    fields: list[tuple[str, str]]
    csrf_token: str


@dataclass(frozen=True, slots=True)
class BrokenPage:
    """The number of an error, which is also in the log."""

    number: str


def sign_in_unavailable(request: HttpRequest) -> HttpResponse:
    """Return 503 because attempts cannot be counted, so that no one can sign in now."""
    response = render(request, "errors/503.html", status=503)
    response.headers["Retry-After"] = "60"
    return response


def not_in_time(request: HttpRequest, error: BaseException | None) -> HttpResponse | None:
    """Return the answer for a database that was too slow; None for every other error."""
    if slow_database.is_locked(error):
        return busy_now(request)
    if slow_database.is_unavailable(error):
        return database_away(request, error)
    return None


def busy_now(request: HttpRequest) -> HttpResponse:
    """Return 503 because another change has held the campaign or the database for too long.

    The typed text is kept: a form that htmx has sent stays unchanged, and this page contains any
    other form, which the user can send again.
    """
    if getattr(request, "htmx", False):
        kept = _("What you typed is still here.")
        return unavailable_text(f"{slow_database.Busy()} {kept}", slow_database.RETRY_AFTER)
    fields = typed_fields(request)
    # Rendered without the request, because the query for the reader may be the slow one.
    page = BusyPage(
        url=request.get_full_path(),
        fields=fields,
        csrf_token=get_token(request) if fields else "",
    )
    return unavailable_page("errors/busy.html", slow_database.RETRY_AFTER, page)


def typed_fields(request: HttpRequest) -> list[tuple[str, str]]:
    """Return the fields of a sent form, to be sent again; none if it has files or passwords."""
    if request.method != "POST" or request.FILES or request.path.startswith(SECRET_FORMS):
        return []
    return [
        (name, value)
        for name, values in sent_fields(request)
        for value in values
        if "password" not in name
    ]


def database_away(request: HttpRequest, error: BaseException | None) -> HttpResponse:
    """Return 503 because the database does not answer. It is unknown whether anything was saved."""
    slow_database.log_outage(f"{request.method} {request.path}", error)
    with translation.override(translation.get_language_from_request(request)):
        if getattr(request, "htmx", False):
            return unavailable_text(slow_database.outage_text(), slow_database.RETRY_AFTER_OUTAGE)
        return unavailable_page("errors/database_away.html", slow_database.RETRY_AFTER_OUTAGE)


def unavailable_text(text: str, seconds: int) -> HttpResponse:
    """Return 503 as plain text. The browser may try again after `seconds`."""
    return HttpResponse(
        text,
        status=503,
        headers={"Retry-After": str(seconds)},
        content_type="text/plain; charset=utf-8",
    )


def unavailable_page(template: str, seconds: int, page: BusyPage | None = None) -> HttpResponse:
    """Return 503 as a page that is rendered without the request."""
    content = render_to_string(template, {"page": page})
    return HttpResponse(content, status=503, headers={"Retry-After": str(seconds)})


def broken(request: HttpRequest) -> HttpResponse:
    """Return the page for an unexpected error, with a number that is also in the log.

    If the database is older than the program, the page says so, and the log says what to do.
    """
    error = sys.exc_info()[1]
    if (answer := not_in_time(request, error)) is not None:
        return answer
    if schema.caused(error):
        return unavailable_page("errors/updating.html", 60)
    number = secrets.token_hex(4)
    request_facts(request).shown_as = number
    log.error("shown to the user as %s: %s %s", number, request.method, request.path)
    # Rendered without the request, because the user or the database may be what failed.
    content = render_to_string("errors/500.html", {"page": BrokenPage(number)})
    return HttpResponse(content, status=500)

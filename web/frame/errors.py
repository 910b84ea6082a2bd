"""Error pages: what has happened, then what to do. They never show a traceback."""

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

from campaign import busy, schema
from campaign.log.acts.life import HOST
from campaign.models import Campaign, LogEntry
from web.frame import throttle
from web.frame.posted import sent_fields
from web.frame.requests import noted

SECRET_FORMS = ("/sign-in/", "/sign-up/", "/password/", "/me/")
"""Addresses whose forms hold passwords, codes and addresses."""
log = logging.getLogger(__name__)


# Requests that are refused


@dataclass(frozen=True, slots=True)
class ForbiddenPage:
    """The reason, and the table of the campaign; `home_url` is empty outside of a campaign."""

    text: str
    home_url: str


@dataclass(frozen=True, slots=True)
class GonePage:
    """Why there is no page any more."""

    text: str


@dataclass(frozen=True, slots=True)
class TooLargePage:
    """The limit in megabytes."""

    most: int


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    # Without the request: it may be the part that cannot be read.
    return HttpResponse(render_to_string("errors/400.html"), status=400)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Return the 403 page with the words of the exception and the way back to the table."""
    match = request.resolver_match
    ref = match.kwargs.get("ref") if match else None
    page = ForbiddenPage(
        text=str(exception or "")
        or _(
            "You have no place at this table that allows this. Sign in as somebody who may, or ask"
            " the game master."
        ),
        home_url=reverse("table", args=[ref]) if ref else "",
    )
    return render(request, "errors/403.html", {"page": page}, status=403)


def csrf(request: HttpRequest, reason: str = "") -> HttpResponse:
    return render(request, "errors/csrf.html", status=403)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return render(request, "errors/404.html", status=404)


def not_so(request: HttpRequest, allowed: str) -> HttpResponse:
    """Return the 405 page. `allowed` is the text of the header `Allow`."""
    response = render(request, "errors/405.html", status=405)
    response.headers["Allow"] = allowed
    return response


def gone(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return the 410 page: there was a page, and there will be none again."""
    text = reason or _(
        "What this link opened was taken back or has been used. Ask the person who gave it to you"
        " for another."
    )
    return render(request, "errors/410.html", {"page": GonePage(text)}, status=410)


def too_large(request: HttpRequest, most: int) -> HttpResponse:
    """Return the 413 page. `most` is in bytes."""
    page = TooLargePage(most // 1_000_000)
    return render(request, "errors/413.html", {"page": page}, status=413)


def too_many(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Return the 429 page for what allauth counts: its limits are by the minute."""
    return throttle.refused(request, 60)


# Campaigns and users that are stopped


@dataclass(frozen=True, slots=True)
class SuspendedPage:
    """Why a campaign is suspended, or an account suspended or closed."""

    title: str
    heading: str
    text: str
    reason: str
    is_of_campaign: bool = False
    can_sign_out: bool = False


def suspended(
    request: HttpRequest, campaign: Campaign | None = None, reason: str = "", closed: bool = False
) -> HttpResponse:
    """Return the 403 page in place of a suspended campaign, or of all pages to a suspended user."""
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
        title=_("Suspended"),
        heading=_("%(name)s is suspended") % {"name": campaign.name},
        text=_(
            "The host has suspended this campaign. Nobody reads it or moves in it until the host"
            " ends the suspension; nothing is lost, and its clocks stand still."
        ),
        reason=str(latest.content.get("reason", "")) if latest is not None else "",
        is_of_campaign=True,
    )


def suspended_account_page(reason: str) -> SuspendedPage:
    return SuspendedPage(
        title=_("Suspended"),
        heading=_("Your account is suspended"),
        text=_(
            "The host has suspended your account. Your seats and everything you wrote stay; nobody"
            " but the game master plays in your name. Ask the host."
        ),
        reason=reason,
        can_sign_out=True,
    )


def closed_account_page(reason: str) -> SuspendedPage:
    return SuspendedPage(
        title=_("Closed"),
        heading=_("Your account is closed"),
        text=_(
            "Nobody can sign in with it any more. If you think this is wrong, write to the host of"
            " this site."
        ),
        reason=reason,
    )


@dataclass(frozen=True, slots=True)
class LogFaultPage:
    """A campaign, and what is wrong with its log."""

    campaign_name: str
    fault: str


def log_fault(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Return the 409 page of a campaign whose stored log has failed its check."""
    page = LogFaultPage(campaign.name, campaign.fault)
    return unshared(render(request, "errors/log_fault.html", {"page": page}, status=409))


def unshared(response: HttpResponse) -> HttpResponse:
    """Return the answer, of which no browser keeps a copy."""
    response.headers["Cache-Control"] = "private, no-store"
    return response


# Failures of the server


@dataclass(frozen=True, slots=True)
class BusyPage:
    """A form that can be sent again to `url`; without `fields` the page can be asked again."""

    url: str
    fields: list[tuple[str, str]]
    csrf_token: str


@dataclass(frozen=True, slots=True)
class BrokenPage:
    """The number of an error, which is in the log too."""

    number: str


def away(request: HttpRequest) -> HttpResponse:
    """Return 503 because tries cannot be counted, so that no one can sign in now."""
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
    if getattr(request, "htmx", False):
        kept = _("What you typed is still there.")
        return unavailable_text(f"{busy.Busy()} {kept}", busy.RETRY_AFTER)
    fields = typed_fields(request)
    # Without the request: the query for the reader may be the one that took too long.
    page = BusyPage(
        url=request.get_full_path(),
        fields=fields,
        csrf_token=get_token(request) if fields else "",
    )
    return unavailable_page("errors/busy.html", busy.RETRY_AFTER, page)


def typed_fields(request: HttpRequest) -> list[tuple[str, str]]:
    """Return the fields of a sent form, to send them again; none if it has files or passwords."""
    if request.method != "POST" or request.FILES or request.path.startswith(SECRET_FORMS):
        return []
    return [
        (name, value)
        for name, values in sent_fields(request)
        for value in values
        if "password" not in name
    ]


def database_away(request: HttpRequest, error: BaseException | None) -> HttpResponse:
    """Return 503 because the database does not answer. It is unknown whether something was
    saved.
    """
    busy.log_outage(f"{request.method} {request.path}", error)
    with translation.override(translation.get_language_from_request(request)):
        if getattr(request, "htmx", False):
            return unavailable_text(busy.away_text(), busy.RETRY_AFTER_OUTAGE)
        return unavailable_page("errors/database_away.html", busy.RETRY_AFTER_OUTAGE)


def unavailable_text(text: str, seconds: int) -> HttpResponse:
    """Return 503 as a text. The browser may try again after some seconds."""
    return HttpResponse(
        text,
        status=503,
        headers={"Retry-After": str(seconds)},
        content_type="text/plain; charset=utf-8",
    )


def unavailable_page(template: str, seconds: int, page: BusyPage | None = None) -> HttpResponse:
    """Return 503 as a page that is made without the request."""
    content = render_to_string(template, {"page": page})
    return HttpResponse(content, status=503, headers={"Retry-After": str(seconds)})


def broken(request: HttpRequest) -> HttpResponse:
    """Return the page of an unexpected error, with a number that the log has too.

    If the database is older than the program, the page says so, and the log what to do.
    """
    error = sys.exc_info()[1]
    if (answer := not_in_time(request, error)) is not None:
        return answer
    if schema.caused(error):
        return unavailable_page("errors/updating.html", 60)
    number = secrets.token_hex(4)
    noted(request).shown_as = number
    log.error("shown to the user as %s: %s %s", number, request.method, request.path)
    # Without the request: the user or the database may be what broke.
    content = render_to_string("errors/500.html", {"page": BrokenPage(number)})
    return HttpResponse(content, status=500)

"""Between the server and the pages: what happens around every request. Their order stands in
`settings.MIDDLEWARE`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from time import perf_counter
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.exceptions import SessionInterrupted
from django.contrib.sessions.middleware import SessionMiddleware
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.crypto import salted_hmac
from django.utils.http import urlencode

from api import problems
from campaign import busy
from campaign.log.entries import note_presence
from config.watch import allowed, asker, figures, live, metrics, ready
from engine.language import reading_in
from people import attacks, services
from people.models import User
from people.sessions import is_due
from web.frame import errors, requests, throttle
from web.frame.offline import READER
from web.frame.requests import noted
from web.help.legal import must_agree
from web.imports.record_files import HEAVIEST

Next = Callable[[HttpRequest], HttpResponse]

WARMING_UP = "tabula.warming_up"
"""In the server's own word for a request, which no header can be: the process asks itself
(`config.wsgi`).
"""

# What machines ask.


def answers_machines(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Answers what machines ask, and counts all else where somebody may read the count."""
    if settings.METRICS_ALLOWED:
        figures()

    def answer(request: HttpRequest) -> HttpResponseBase:
        if request.method in ("GET", "HEAD"):
            if request.path_info == "/health/live":
                return live()
            if request.path_info == "/health/ready":
                return ready()
            # To all others it is an address like any that does not exist.
            if request.path_info == "/metrics" and allowed(asker(request)):
                return metrics()
        if not settings.METRICS_ALLOWED or WARMING_UP in request.META:
            return get_response(request)
        begun = perf_counter()
        response = get_response(request)
        figures().count(request, response, perf_counter() - begun)
        return response

    return answer


# Pages.


PERMISSIONS = ", ".join(
    f"{feature}=()"
    for feature in (
        "accelerometer",
        "camera",
        "display-capture",
        "geolocation",
        "gyroscope",
        "magnetometer",
        "microphone",
        "midi",
        "payment",
        "usb",
        "browsing-topics",
    )
)


def security_headers(get_response: Next) -> Next:
    """Every answer says what a browser may load beside it; one to HEAD has no body, whatever page
    or error it is.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.method == "HEAD" and not response.streaming:
            response.content = b""  # its length stays: it is that of the page
        response.headers.setdefault("Content-Security-Policy", settings.CONTENT_SECURITY_POLICY)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        # Also on what is refused before any other middleware: a request to a foreign name.
        response.headers.setdefault("X-Frame-Options", settings.X_FRAME_OPTIONS)
        return response

    return middleware


class Sessions(SessionMiddleware):
    """Django's, but a session that is not there takes no cookie away. Who signs in has another
    cookie from then on; the answer to a request that was under way with the one before would sign
    them out again.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        session = request.session
        if session.is_empty() and not session.modified:
            if session.accessed:
                patch_vary_headers(response, ("Cookie",))
            return response
        idle = session.accessed and not session.modified and response.status_code < 500
        if idle and is_due(session):
            return self._renewed(request, response)
        return super().process_response(request, response)

    def _renewed(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Save a session on each day of its use, which postpones its end.

        A session that another request has just ended stays ended.
        """
        request.session.modified = True
        try:
            return super().process_response(request, response)
        except SessionInterrupted:
            return response


HEAVY, ROUND_IT = 30_000_000, 1_000_000
"""Bytes of a request anywhere but where packs are sent: a form with a picture that it refuses in
its own words; and of what a form has around its file.
"""
SIGNING = ("/sign-in/", "/sign-up/", "/password/")
OWN = ("/me/", "/me/absence/")
"""Pages under /me/ that a guest has, too."""


def guests_play(get_response: Next) -> Next:
    """Whoever plays without an account is the request's user as a guest, but nobody where one signs
    in or up: there they become somebody.

    `noted(request).guest` says everywhere whom this browser's session remembers.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        noted(request).guest = None
        if services.KEY in request.session and not request.user.is_authenticated:
            guest = services.guest_of(request.session)
            noted(request).guest = guest
            signing = request.path.startswith(SIGNING) or (
                request.path.startswith("/me/") and request.path not in OWN
            )
            if guest is not None and not signing:
                request.user = guest
        return get_response(request)

    return middleware


REFUSALS = {403: attacks.PERMISSION_REFUSED, 429: attacks.THROTTLED}
"""Events of the log of attacks by the status of the answer."""


def notes_attacks(get_response: Next) -> Next:
    """Log throttled requests, refused permissions and invalid tokens as attacks."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if event := REFUSALS.get(response.status_code):
            attacks.note(request, event)
        elif response.status_code == 401 and request.headers.get("Authorization"):
            attacks.note(request, attacks.SIGN_IN_FAILED)
        return response

    return middleware


def days_seen(get_response: Next) -> Next:
    """The day on which somebody came, written once a day: a game master who is seen no more can be
    replaced. And the browser knows who has signed in at it.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.user.is_authenticated:
            _note_presence(request.user)
        response = get_response(request)
        if request.user.is_authenticated and services.has_account(request.user):
            requests.remember(request, response, request.user)
        return response

    return middleware


def _note_presence(user: User) -> None:
    """Store the day of the visit. If the database is busy, leave it to the next request."""
    try:
        if services.note_presence(user, timezone.now()):
            note_presence(user)  # pages say who has not been seen for long
    except OperationalError as error:
        if not busy.is_locked(error):
            raise


def suspended_read_why(get_response: Next) -> Next:
    """Whom the host has suspended, signed in still: every page says so, but for signing out and the
    language's.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        number = request.session.get(SESSION_KEY) if not request.user.is_authenticated else None
        user = (
            User.objects.filter(pk=number, suspended_at__isnull=False).first() if number else None
        )
        if user is None or request.path == reverse("language"):
            return get_response(request)
        if request.path == reverse("account_logout") and request.method == "POST":
            request.session.flush()  # to what follows they are nobody, with nothing to sign out of
            return get_response(request)
        return errors.suspended(request, reason=user.suspended_for)

    return middleware


def readers_language(get_response: Next) -> Next:
    """Pages are in the reader's language: what they have set, what this browser chose here, what it
    asks for.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        language = getattr(request.user, "language", "") or translation.get_language_from_request(
            request
        )
        with translation.override(language), reading_in(language):
            response = get_response(request)
        response.headers.setdefault("Content-Language", language)
        # Nothing between us and the reader keeps it, and they ask again, unless its view says
        # otherwise.
        response.headers.setdefault("Cache-Control", "private, no-cache")
        if noted(request).shows_a_secret:
            response.headers["Cache-Control"] = "private, no-store"
        # What is the same for ever depends on nobody who asks: a browser need not ask again because
        # a cookie is another one.
        if (
            "immutable" not in response.headers["Cache-Control"]
            or "private, no-store" in response.headers["Cache-Control"]
        ):
            patch_vary_headers(response, ("Accept-Language", "Cookie"))
        return response

    return middleware


def not_too_large(get_response: Next) -> Next:
    """What is larger than any form takes is refused unread: to look for a form's token in it means
    to write it all to the disk first, whoever sends it.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        header = request.META.get("CONTENT_LENGTH") or ""
        size = int(header) if header.isdecimal() else 0
        if size > HEAVY + ROUND_IT:
            most = HEAVIEST if request.path == reverse("import") else HEAVY
            if size > most + ROUND_IT:
                return errors.too_large(request, most)
        return get_response(request)

    return middleware


def readers_zone(get_response: Next) -> Next:
    """Times are shown in the reader's zone, in UTC to those who are not signed in."""

    def middleware(request: HttpRequest) -> HttpResponse:
        zone = getattr(request.user, "time_zone", "UTC")
        with timezone.override(ZoneInfo(zone)):
            return get_response(request)

    return middleware


def told_why(get_response: Next) -> Next:
    """Show a page for an empty 405 or 410, for a try that cannot be counted, and for a busy or
    absent database.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.streaming or response.content:
            return response
        if response.status_code == 405:
            return errors.not_so(request, response.headers.get("Allow", ""))
        if response.status_code == 410:
            return errors.gone(request)
        return response

    def away(request: HttpRequest, error: Exception) -> HttpResponse | None:
        return (
            errors.away(request)
            if isinstance(error, throttle.Away)
            else errors.not_in_time(request, error)
        )

    middleware.process_exception = away  # type: ignore[attr-defined]
    return middleware


FREE = (
    "/terms/",
    "/privacy/",
    "/sign-out/",
    "/me/leave/",
    "/me/data/",
    "/me/again/",
    "/language/",
    "/worker.js",
    "/manifest.webmanifest",
    "/offline/",
    "/api/",
    "/static/",
    "/admin/",
    "/health/",
)
"""Addresses at which nobody is asked: who does not agree takes what is theirs and leaves."""


def asks_again(get_response: Next) -> Next:
    """Leads a reader who has not agreed to the terms of now to the page that asks. What they have
    typed is not lost: only pages are held up, no form that is sent.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        page_asked = (
            request.method == "GET"
            and not getattr(request, "htmx", False)
            and not request.path.startswith(FREE)
        )
        if settings.TERMS_ASK_AGAIN and page_asked and must_agree(request.user):
            return redirect(reverse("agree") + "?" + urlencode({"next": request.get_full_path()}))
        return get_response(request)

    return middleware


def readers_mark(get_response: Next) -> Next:
    """Every page says whose it is, by a mark that tells nothing but whether two pages are of the
    same reader.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        user = request.user
        mark = (
            salted_hmac("web.pocket", str(user.pk), algorithm="sha256").hexdigest()[:16]
            if user.is_authenticated
            else "-"
        )
        request.reader = mark  # type: ignore[attr-defined]
        response = get_response(request)
        if response.headers.get("Content-Type", "").startswith("text/html"):
            response.headers[READER] = mark
        return response

    return middleware


# The interface for programs: no cookies, its own headers, and problems in place of pages.


ROOT = "/api/v1/"
CACHE = "private, no-cache"
VARY = "Authorization, Accept-Language"


def for_programs(get_response: Next) -> Next:
    """Every answer below `ROOT` is of its reader alone, has a tag where it was read, and is a
    problem where it is none.

    Cookies that a browser sends along say nothing here, and none is given.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith(ROOT):
            return get_response(request)
        request.META.pop("HTTP_COOKIE", None)
        response = get_response(request)
        if response.status_code >= 400 and response.headers.get("Content-Type") != problems.MEDIA:
            response = _problem(response)
        response.cookies.clear()
        response.headers["Cache-Control"] = CACHE
        response.headers["Vary"] = VARY
        return marked(request, response)

    return middleware


def _problem(page: HttpResponse) -> HttpResponse:
    """What was refused before a view was asked, or broke around it: a page would be shown
    for it.
    """
    kind, title = problems.KINDS.get(page.status_code, problems.KINDS[400])
    content = problems.body(page.status_code, kind, title)
    answer = HttpResponse(
        json.dumps(content, ensure_ascii=False),
        content_type=problems.MEDIA,
        status=page.status_code,
    )
    for name in ("Allow", "Retry-After"):
        if name in page.headers:
            answer.headers[name] = page.headers[name]
    return answer


# 304 for what its reader has already.
#
# A tag is made of the answer itself, which holds what this reader may see and nothing else: so a
# hidden move changes nobody else's. That saves the way, not the work: what costs work is kept by
# the log's own hash (`campaign.log.positions`).


def marked(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The answer with its tag, or 304 where the request brings that tag."""
    if request.method not in ("GET", "HEAD") or response.status_code != 200 or response.streaming:
        return response
    text = f"{response.headers.get('Content-Language', '')}\n".encode() + response.content
    tag = f'W/"{salted_hmac("config.middleware", text, algorithm="sha256").hexdigest()[:40]}"'
    response.headers["ETag"] = tag
    answer = get_conditional_response(request, etag=tag, response=response)
    if answer is not response and answer is not None:
        for name in ("Cache-Control", "Vary", "Content-Language"):
            if name in response.headers:
                answer.headers[name] = response.headers[name]
    return answer or response

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
from config.processes import WARMING_UP
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

# What machines ask.


def answers_machines(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Answer requests of machines. Count all others if the host allows the figures to be read."""
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
    """Tell the browser what a page may load and use. Remove the body of every answer to HEAD."""

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
    """Django's middleware, except that an empty session does not delete the browser's cookie.

    A user who signs in gets a new cookie. An answer to an earlier request with the old cookie may
    arrive later. It would delete the new cookie and sign the user out.
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
    """Make the guest of this browser the user of the request.

    The pages to sign in and up have an anonymous user: there the guest gets an account.
    `noted(request).guest` is the guest of the session on every page.
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
    """Store the day of the user's visit, once a day, and remember the user in the browser.

    A game master who has not visited the site for a while can be replaced.
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
    """Show suspended users who are still signed in why they are suspended.

    They can only sign out or choose a language.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        number = request.session.get(SESSION_KEY) if not request.user.is_authenticated else None
        user = (
            User.objects.filter(pk=number, suspended_at__isnull=False).first() if number else None
        )
        if user is None or request.path == reverse("language"):
            return get_response(request)
        if request.path == reverse("account_logout") and request.method == "POST":
            request.session.flush()  # the view of the address finds no user to sign out
            return get_response(request)
        return errors.suspended(request, reason=user.suspended_for)

    return middleware


def readers_language(get_response: Next) -> Next:
    """Set the language of the page.

    It is the language of the user's account, or the one chosen in this browser, or the one that the
    browser prefers.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        language = getattr(request.user, "language", "") or translation.get_language_from_request(
            request
        )
        with translation.override(language), reading_in(language):
            response = get_response(request)
        response.headers.setdefault("Content-Language", language)
        # No cache on the way stores a page, and a browser checks it each time, unless the view has
        # set the header.
        response.headers.setdefault("Cache-Control", "private, no-cache")
        if noted(request).shows_a_secret:
            response.headers["Cache-Control"] = "private, no-store"
        # A page that never changes does not depend on the reader: a browser need not load it again
        # when a cookie changes.
        if (
            "immutable" not in response.headers["Cache-Control"]
            or "private, no-store" in response.headers["Cache-Control"]
        ):
            patch_vary_headers(response, ("Accept-Language", "Cookie"))
        return response

    return middleware


def not_too_large(get_response: Next) -> Next:
    """Refuse requests that are larger than any form, without reading them.

    To check the token of a form, Django would first write the whole request to the disk.
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
    """Set the time zone of the page: the user's, or UTC for readers who are not signed in."""

    def middleware(request: HttpRequest) -> HttpResponse:
        zone = getattr(request.user, "time_zone", "UTC")
        with timezone.override(ZoneInfo(zone)):
            return get_response(request)

    return middleware


class ErrorPages:
    """Pages for an empty 405 or 410, for a try that cannot be counted, and for a busy or absent
    database.
    """

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer an empty 405 or 410 with a page."""
        response = self.get_response(request)
        if response.streaming or response.content:
            return response
        if response.status_code == 405:
            return errors.not_so(request, response.headers.get("Allow", ""))
        if response.status_code == 410:
            return errors.gone(request)
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Answer an error of the cache or of the database with a page; None for other errors."""
        if isinstance(error, throttle.Away):
            return errors.away(request)
        return errors.not_in_time(request, error)


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
    "/live/",
)
"""Addresses without the question. Users who do not agree can download their data and leave."""


def asks_again(get_response: Next) -> Next:
    """Lead a user who has not agreed to the present terms to the page that asks them to.

    Only requests for pages are redirected, so that no typed form is lost.
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
    """Send with every page a mark of its reader.

    Two pages have the same mark only if they are for the same reader. The mark contains nothing
    else about the reader.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        user = request.user
        mark = (
            salted_hmac("web.pocket", str(user.pk), algorithm="sha256").hexdigest()[:16]
            if user.is_authenticated
            else "-"
        )
        noted(request).reader_mark = mark
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
    """Prepare the answers of the interface for programs, below `ROOT`.

    Caches may not share them. An answer to GET has a tag, and an error is a problem document.
    Cookies are neither read nor set.
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
    """Return the problem document for an error that arose outside the views of the interface.

    Without it the program would get an HTML page.
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


# 304 for an answer that the reader has already.
#
# A tag is a digest of the answer, which contains only what this reader may see: a hidden move does
# not change the tags of others. This saves transfer, not work: costly facts are kept under the hash
# of the log (`campaign.log.positions`).


def marked(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Return the answer with its tag, or 304 if the request has that tag."""
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

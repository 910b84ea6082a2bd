"""Middleware: work around every request. `settings.MIDDLEWARE` has its order."""

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
from campaign import slow_database
from campaign.log.entries import note_presence
from config.monitoring import client_address, live, may_read_metrics, metrics, ready, site_metrics
from config.processes import WARMING_UP
from engine.language import use_language
from people import attack_log, services
from people.models import User
from people.sessions import is_due
from web.frame import errors, requests, throttle
from web.frame.offline import READER
from web.frame.requests import request_facts
from web.help.legal import must_agree
from web.imports.record_files import HEAVIEST

Next = Callable[[HttpRequest], HttpResponse]

# Requests of machines.


def monitoring_endpoints(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Answer requests of machines, and count all others if the host reads metrics."""
    if settings.METRICS_ALLOWED:
        site_metrics()

    def answer(request: HttpRequest) -> HttpResponseBase:
        if request.method in ("GET", "HEAD"):
            if request.path_info == "/health/live":
                return live()
            if request.path_info == "/health/ready":
                return ready()
            # For others this address does not exist.
            if request.path_info == "/metrics" and may_read_metrics(client_address(request)):
                return metrics()
        if not settings.METRICS_ALLOWED or WARMING_UP in request.META:
            return get_response(request)
        begun = perf_counter()
        response = get_response(request)
        site_metrics().count(request, response, perf_counter() - begun)
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
            response.content = b""  # the length of the page remains in the header
        response.headers.setdefault("Content-Security-Policy", settings.CONTENT_SECURITY_POLICY)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        # Needed also for requests to an unknown host, which are refused before any other
        # middleware.
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
"""The most bytes of a request (a form with a picture refuses its file with its own message), and of
the rest of a form around its file. The page that imports packs allows more.
"""
SIGNING = ("/sign-in/", "/sign-up/", "/password/")
OWN = ("/me/", "/me/absence/")
"""Pages below /me/ that guests have, too."""


def guest_users(get_response: Next) -> Next:
    """Make the guest of this browser the user of the request.

    The user is anonymous on the pages to sign in and up, where the guest gets an account.
    `request_facts(request).guest` is the guest of the session on every page.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        request_facts(request).guest = None
        if services.KEY in request.session and not request.user.is_authenticated:
            guest = services.guest_of(request.session)
            request_facts(request).guest = guest
            signing = request.path.startswith(SIGNING) or (
                request.path.startswith("/me/") and request.path not in OWN
            )
            if guest is not None and not signing:
                request.user = guest
        return get_response(request)

    return middleware


REFUSALS = {403: attack_log.PERMISSION_REFUSED, 429: attack_log.THROTTLED}
"""Events of the log of attacks by the status of the answer."""


def log_attacks(get_response: Next) -> Next:
    """Log throttled requests, refused permissions and invalid tokens as attacks."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if event := REFUSALS.get(response.status_code):
            attack_log.note(request, event)
        elif response.status_code == 401 and request.headers.get("Authorization"):
            attack_log.note(request, attack_log.SIGN_IN_FAILED)
        return response

    return middleware


def record_visits(get_response: Next) -> Next:
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
            note_presence(user)  # pages show who has been away for long
    except OperationalError as error:
        if not slow_database.is_locked(error):
            raise


def suspended_accounts(get_response: Next) -> Next:
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
            request.session.flush()  # the view would find no user to sign out
            return get_response(request)
        return errors.suspended(request, reason=user.suspended_for)

    return middleware


def user_language(get_response: Next) -> Next:
    """Set the language of the page.

    It is the language of the user's account, or the one chosen in this browser, or the one that the
    browser prefers.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        language = getattr(request.user, "language", "") or translation.get_language_from_request(
            request
        )
        with translation.override(language), use_language(language):
            response = get_response(request)
        response.headers.setdefault("Content-Language", language)
        # No shared cache stores a page, and a browser checks it each time, unless the view has set
        # the header.
        response.headers.setdefault("Cache-Control", "private, no-cache")
        if request_facts(request).shows_a_secret:
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


def request_size_limit(get_response: Next) -> Next:
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


def user_time_zone(get_response: Next) -> Next:
    """Set the time zone of the page: the user's, or UTC for readers who are not signed in."""

    def middleware(request: HttpRequest) -> HttpResponse:
        zone = getattr(request.user, "time_zone", "UTC")
        with timezone.override(ZoneInfo(zone)):
            return get_response(request)

    return middleware


class ErrorPages:
    """Pages for an empty 405 or 410, an absent cache, and a busy or absent database."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer an empty 405 or 410 with a page."""
        response = self.get_response(request)
        if response.streaming or response.content:
            return response
        if response.status_code == 405:
            return errors.method_not_allowed(request, response.headers.get("Allow", ""))
        if response.status_code == 410:
            return errors.gone(request)
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Answer an error of the cache or of the database with a page; None for other errors."""
        if isinstance(error, throttle.CacheUnavailable):
            return errors.sign_in_unavailable(request)
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
"""Addresses that need no agreement.

Users who do not agree can download their data and leave.
"""


def terms_agreement(get_response: Next) -> Next:
    """Redirect a user who has not agreed to the current terms to the page that asks for it.

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


def reader_mark(get_response: Next) -> Next:
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
        request_facts(request).reader_mark = mark
        response = get_response(request)
        if response.headers.get("Content-Type", "").startswith("text/html"):
            response.headers[READER] = mark
        return response

    return middleware


# The API: no cookies, its own headers, and problem documents instead of pages.


ROOT = "/api/v1/"
CACHE = "private, no-cache"
VARY = "Authorization, Accept-Language"


def api_responses(get_response: Next) -> Next:
    """Prepare the responses of the API, below `ROOT`.

    Caches may not share them. A response to GET has a tag, and an error is a problem document.
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
        return with_etag(request, response)

    return middleware


def _problem(page: HttpResponse) -> HttpResponse:
    """Return the problem document for an error that arose outside the views of the API.

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


# 304 for a response that the reader already has.
#
# A tag is a digest of the response, which contains only what this reader may see: a hidden move
# does not change the tags of others. This saves transfer, not work: expensive facts are stored
# under the hash of the log (`campaign.log.positions`).


def with_etag(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Return the response with its tag, or 304 if the request has that tag."""
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

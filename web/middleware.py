"""Between the server and the pages."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

Next = Callable[[HttpRequest], HttpResponse]


def security_headers(get_response: Next) -> Next:
    """Every answer says what a browser may load beside it."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Content-Security-Policy", settings.CONTENT_SECURITY_POLICY)
        response.headers.setdefault("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
        return response

    return middleware


def readers_zone(get_response: Next) -> Next:
    """Times are shown in the reader's zone, in UTC to those who are not signed in."""

    def middleware(request: HttpRequest) -> HttpResponse:
        zone = getattr(request.user, "time_zone", "UTC")
        with timezone.override(ZoneInfo(zone)):
            return get_response(request)

    return middleware

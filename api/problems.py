"""Answers to requests that fail: problem details (RFC 9457), the same in the whole interface.

`type`, `title`, `status` and `detail` are those of the RFC. `code` is for programs, and comes from
the table or the rules. `rule` is the paragraph that forbids a move. `fields` are the faults of the
body by field. If the table has moved on, there are `seen` and `entries`. A fault of the site has a
`number` under which the host finds its traceback in the log.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Mapping
from typing import TypedDict

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import set_rollback

from api.authentication import REALM
from campaign import schema, slow_database
from campaign.errors import TableError
from campaign.slow_database import Busy
from engine.errors import IllegalMove, MalformedRecord

log = logging.getLogger(__name__)
MEDIA = "application/problem+json"
KINDS = {
    400: ("bad-request", gettext_noop("The request cannot be read")),
    401: ("sign-in", gettext_noop("A token is needed")),
    403: ("forbidden", gettext_noop("You may not do this")),
    404: ("not-found", gettext_noop("Not found")),
    405: ("method", gettext_noop("This cannot be done here")),
    409: ("conflict", gettext_noop("The table has changed")),
    410: ("gone", gettext_noop("This no longer exists")),
    413: ("too-large", gettext_noop("The request is too large")),
    415: ("media", gettext_noop("Send JSON")),
    422: ("illegal", gettext_noop("The rules forbid this")),
    429: ("throttled", gettext_noop("Too many requests")),
    500: ("broken", gettext_noop("An error has occurred on our side")),
    503: ("unavailable", gettext_noop("Not available at the moment")),
}
"""The last part of `type` and the title, by status."""


def body(status: int, code: str, detail: str, **more: object) -> dict[str, object]:
    """Return a problem as JSON. `more` are members beyond those that all problems have."""
    kind, title = KINDS.get(status, KINDS[500] if status >= 500 else KINDS[400])
    members = {
        "type": f"/api/docs/#problem-{kind}",
        "title": _(title),
        "status": status,
        "detail": detail,
        "code": code,
    }
    return {**members, **{key: value for key, value in more.items() if value not in ("", None)}}


def problem(
    status: int, code: str, detail: str, headers: Mapping[str, str] | None = None, **more: object
) -> Response:
    """Answer with a problem. Members that are empty or None are left out."""
    content = body(status, code, detail, **more)
    return Response(content, status, headers=dict(headers or {}), content_type=MEDIA)


class Context(TypedDict):
    """The context that Django REST framework passes to the exception handler."""

    request: Request


def handler(error: Exception, context: Context) -> Response:
    """Return the answer to any error that a view raises: the exception handler of the settings."""
    set_rollback()
    request = context["request"]
    is_anonymous = not getattr(request, "auth", None)
    return (
        _not_in_time(error, request)
        or _of_the_table(error, is_anonymous=is_anonymous)
        or _of_the_request(error, is_anonymous=is_anonymous)
        or _of_the_site(error, request)
    )


def _of_the_table(error: Exception, *, is_anonymous: bool) -> Response | None:
    """Return the answer to a refusal by the table or the rules; None for other errors."""
    if isinstance(error, TableError):
        if error.status == 403 and is_anonymous:
            return _sign_in(str(error), error.code)
        return problem(error.status, error.code, str(error))
    if isinstance(error, IllegalMove):
        return problem(422, error.code, error.sentence or str(error), rule=error.rule)
    if isinstance(error, MalformedRecord):
        fields = {error.where: [error.why]} if error.where else None
        return problem(422, "malformed", error.why, fields=fields)
    return None


def _of_the_request(error: Exception, *, is_anonymous: bool) -> Response | None:
    """Return the answer to a faulty request; None for other errors."""
    if isinstance(error, Http404):
        return problem(404, "not-found", _("There is nothing at this address."))
    if isinstance(error, (exceptions.NotAuthenticated, PermissionDenied)) and is_anonymous:
        return _sign_in(_("Send a token: Authorization: Bearer tab_…"), "sign-in")
    if isinstance(error, PermissionDenied):
        return problem(403, "forbidden", str(error) or _("You may not do this."))
    return _of_the_framework(error) if isinstance(error, exceptions.APIException) else None


def _of_the_framework(error: exceptions.APIException) -> Response:
    """Return the answer to an error of Django REST framework."""
    if isinstance(error, exceptions.ValidationError):
        fields = error.detail if isinstance(error.detail, dict) else {"": error.detail}
        text = _("Part of the request cannot be read.")
        return problem(400, "bad-fields", text, fields=_plain(fields))
    if isinstance(error, exceptions.Throttled):
        seconds = max(1, int(getattr(error, "wait", None) or 1))
        text = _("Try again in %(n)d seconds.") % {"n": seconds}
        return problem(429, "throttled", text, {"Retry-After": str(seconds)})
    headers = {"WWW-Authenticate": REALM} if error.status_code == 401 else {}
    code = str(error.get_codes()).replace("_", "-")
    return problem(error.status_code, code, str(error.detail), headers)


def _of_the_site(error: Exception, request: Request) -> Response:
    """Return the answer to a fault of this installation."""
    if schema.caused(error):
        log.error("%s (%s %s)", schema.RUN_MIGRATE, request.method, request.path)
        text = _("This site is being updated. Try again in a few minutes.")
        return problem(503, "updating", text, {"Retry-After": "60"})
    return broken(f"{request.method} {request.path}", error)


def _not_in_time(error: Exception, request: Request) -> Response | None:
    """Return 503 if the database is busy or does not answer; None for other errors."""
    if slow_database.is_locked(error):
        return problem(503, Busy.code, str(Busy()), {"Retry-After": str(slow_database.RETRY_AFTER)})
    if slow_database.is_unavailable(error):
        slow_database.log_outage(f"{request.method} {request.path}", error)
        return problem(
            503,
            "database-away",
            slow_database.outage_text(),
            {"Retry-After": str(slow_database.RETRY_AFTER_OUTAGE)},
        )
    return None


def broken(what: str, error: Exception | None = None) -> Response:
    """Answer 500 with a number, under which the traceback is in the log."""
    number = secrets.token_hex(4)
    log.error("shown to a program as %s: %s", number, what, exc_info=error)
    return problem(
        500,
        "broken",
        _("The error has been recorded under %(number)s.") % {"number": number},
        number=number,
    )


def _sign_in(detail: str, code: str) -> Response:
    return problem(401, code, detail, {"WWW-Authenticate": REALM})


def _plain(fields: Mapping[str, object]) -> dict[str, object]:
    """Return each field with a list of its sentences; nested fields stay nested."""
    return {str(key): _plain_errors(errors) for key, errors in fields.items()}


def _plain_errors(errors: object) -> object:
    if isinstance(errors, Mapping):
        return _plain(errors)
    return [str(error) for error in errors] if isinstance(errors, list) else [str(errors)]

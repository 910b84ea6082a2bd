"""What is answered where something cannot be done: problem details (RFC 9457), the same in all of
the interface.

`type`, `title`, `status`, `detail` as the RFC has them; `code` for programs: the table's, or the
rules' own; `rule` the paragraph that forbids a move; `fields` what is wrong in which part of the
body; of a table that has moved on `seen` and `entries`. A fault of ours has a `number` under which
its traceback stands in the host's log; nobody else reads that.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from api.authentication import REALM
from campaign import busy, schema
from campaign.busy import Busy
from campaign.errors import TableError
from engine.errors import IllegalMove, MalformedRecord

log = logging.getLogger(__name__)
MEDIA = "application/problem+json"
KINDS = {
    400: ("bad-request", gettext_noop("The request cannot be read")),
    401: ("sign-in", gettext_noop("A token is needed")),
    403: ("forbidden", gettext_noop("You may not do this")),
    404: ("not-found", gettext_noop("There is no such thing here")),
    405: ("method", gettext_noop("This cannot be done here")),
    409: ("conflict", gettext_noop("The table has changed")),
    410: ("gone", gettext_noop("It is no longer there")),
    413: ("too-large", gettext_noop("The request is too large")),
    415: ("media", gettext_noop("Send JSON")),
    422: ("illegal", gettext_noop("The rules forbid it")),
    429: ("throttled", gettext_noop("Too often")),
    500: ("broken", gettext_noop("An error happened here")),
    503: ("unavailable", gettext_noop("Not at the moment")),
}
"""By status: the part of `type` after its address, and the title."""


def body(status: int, code: str, detail: str, **more: Any) -> dict[str, Any]:
    """A problem; `more` are members beside those that all have."""
    kind, title = KINDS.get(status, KINDS[500] if status >= 500 else KINDS[400])
    whole = {
        "type": f"/api/docs/#problem-{kind}",
        "title": _(title),
        "status": status,
        "detail": detail,
        "code": code,
    }
    return {**whole, **{key: value for key, value in more.items() if value not in ("", None)}}


def problem(
    status: int, code: str, detail: str, headers: Mapping[str, str] | None = None, **more: Any
) -> Response:
    return Response(
        body(status, code, detail, **more), status, headers=dict(headers or {}), content_type=MEDIA
    )


def handler(error: Exception, context: Mapping[str, Any]) -> Response:
    """For `REST_FRAMEWORK`: whatever is raised in a view becomes a problem."""
    set_rollback()
    request = context["request"]
    nobody = not getattr(request, "auth", None)
    if (answer := _not_in_time(error, request)) is not None:
        return answer
    if isinstance(error, TableError):
        if error.status == 403 and nobody:
            return _sign_in(str(error), error.code)
        return problem(error.status, error.code, str(error))
    if isinstance(error, IllegalMove):
        return problem(422, error.code, error.sentence or str(error), rule=error.rule)
    if isinstance(error, MalformedRecord):
        return problem(
            422, "malformed", error.why, fields={error.where: [error.why]} if error.where else None
        )
    if isinstance(error, Http404):
        return problem(404, "not-found", _("There is nothing at this address."))
    if isinstance(error, (exceptions.NotAuthenticated, PermissionDenied)) and nobody:
        return _sign_in(_("Send a token: Authorization: Bearer tab_…"), "sign-in")
    if isinstance(error, PermissionDenied):
        return problem(403, "forbidden", str(error) or _("You may not do this."))
    if isinstance(error, exceptions.ValidationError):
        fields = error.detail if isinstance(error.detail, dict) else {"": error.detail}
        return problem(
            400, "bad-fields", _("Some of what was sent cannot be read."), fields=_plain(fields)
        )
    if isinstance(error, exceptions.Throttled):
        seconds = max(1, int(getattr(error, "wait", None) or 1))
        return problem(
            429,
            "throttled",
            _("Come again in %(n)d seconds.") % {"n": seconds},
            {"Retry-After": str(seconds)},
        )
    if isinstance(error, exceptions.APIException):
        headers = {"WWW-Authenticate": REALM} if error.status_code == 401 else {}
        codes = error.get_codes()
        return problem(error.status_code, str(codes).replace("_", "-"), str(error.detail), headers)
    if schema.caused(error):
        log.error("%s (%s %s)", schema.RUN_MIGRATE, request.method, request.path)
        return problem(
            503,
            "updating",
            _("This site is being updated. Try again in a few minutes."),
            {"Retry-After": "60"},
        )
    return broken(f"{request.method} {request.path}", error)


def _not_in_time(error: Exception, request: Any) -> Response | None:
    """Return 503 if the database is busy or does not answer; None for other errors."""
    if busy.is_locked(error):
        return problem(503, Busy.code, str(Busy()), {"Retry-After": str(busy.RETRY_AFTER)})
    if busy.is_away(error):
        busy.log_outage(f"{request.method} {request.path}", error)
        return problem(
            503, "database-away", busy.away_text(), {"Retry-After": str(busy.RETRY_AFTER_OUTAGE)}
        )
    return None


def broken(what: str, error: Exception | None = None) -> Response:
    """500. The number stands beside the traceback in the log."""
    number = secrets.token_hex(4)
    log.error("shown to a program as %s: %s", number, what, exc_info=error)
    return problem(
        500, "broken", _("It is recorded under %(number)s.") % {"number": number}, number=number
    )


def _sign_in(detail: str, code: str) -> Response:
    return problem(401, code, detail, {"WWW-Authenticate": REALM})


def _plain(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Each field with its sentences; what is nested stays so."""
    plain_errors: dict[str, Any] = {}
    for key, value in fields.items():
        several = value if isinstance(value, list) else [value]
        plain_errors[str(key)] = (
            _plain(value) if isinstance(value, Mapping) else [str(one) for one in several]
        )
    return plain_errors

"""A request that comes twice is done once.

`Idempotency-Key` names a request; for a day the same key of the same person at the same address is answered as at first,
without anything being done again. The shared cache remembers that, and may forget. What may not be forgotten the log
knows: a move is said with what its person had seen, so that the same move cannot be said twice (`api.views.moves`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.core.cache import cache
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api.problems import problem
from engine.log import digest
from people.limits import answers

HEADER, REPLAYED = "Idempotency-Key", "Idempotency-Replayed"
DAY, BUSY = 24 * 3600, 60


def once(request: Request, make: Callable[[], Response]) -> Response:
    """The answer of `make`, or the one it gave to this key before. Only what was done is remembered, no refusal."""
    key = request.headers.get(HEADER, "")
    if not key:
        return make()
    if len(key) > 200 or not key.isprintable():
        raise ValidationError({HEADER: [_("Up to 200 printable characters.")]})
    if not answers():
        detail = _("What this key was used for cannot be looked up now. Try again in a minute, or ask without a key.")
        return problem(503, "key-unknown", detail, {"Retry-After": "60"})
    slot = "api-once-" + salted_hmac("api.once", f"{request.user.pk}\n{request.path}\n{key}", algorithm="sha256").hexdigest()
    try:
        said = digest(request.data)
    except ValueError as wrong:  # a number that nothing can keep
        raise ParseError(str(wrong), "malformed") from None
    if not cache.add(slot, {"said": said}, BUSY):
        known: dict[str, Any] = cache.get(slot) or {}
        if known.get("said", said) != said:
            return problem(422, "key-reused", _("This key has been used for something else. Choose a new one."))
        if "answer" not in known:
            return problem(409, "in-progress", _("The same request is being answered just now."), {"Retry-After": "1"})
        return Response(known["answer"], known["status"], headers={REPLAYED: "true"})
    try:
        answer = make()
    except BaseException:
        cache.delete(slot)
        raise
    if answer.status_code < 400:
        cache.set(slot, {"said": said, "answer": answer.data, "status": answer.status_code}, DAY)
    else:
        cache.delete(slot)
    return answer

"""Requests that are repeated but take effect only once.

`Idempotency-Key` names a request. For a day, a request of the same user to the same address with
the same key gets the first answer again, and nothing else happens. The shared cache remembers the
keys, and may lose them. The log does not: a move is made with the last entry that its user had
seen, so the same move cannot be made twice (`api.moves`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Required, TypedDict

from django.core.cache import cache
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api.problems import problem
from engine.strict_json import digest
from people.address_proof import is_available

HEADER, REPLAYED = "Idempotency-Key", "Idempotency-Replayed"
DAY, BUSY = 24 * 3600, 60
"""Seconds for which an answer is remembered, and for which a request may take."""
LONGEST_KEY = 200
FIRST_REFUSAL = 400
"""The lowest HTTP status of a refusal."""


class Remembered(TypedDict, total=False):
    """A request in the cache: the digest of its body, and the answer after it has been made."""

    said: Required[str]
    answer: object
    status: int


@dataclass(frozen=True, slots=True)
class Slot:
    """The place of a request in the cache: its key, and the digest of its body."""

    key: str
    sent: str

    def reserve(self) -> bool:
        """Return whether this is the first request with its key, and mark the key as used."""
        return cache.add(self.key, Remembered(said=self.sent), BUSY)

    def keep(self, answer: Response) -> None:
        """Remember an answer that succeeded; forget a refusal."""
        if answer.status_code < FIRST_REFUSAL:
            known = Remembered(said=self.sent, answer=answer.data, status=answer.status_code)
            cache.set(self.key, known, DAY)
        else:
            self.release()

    def release(self) -> None:
        """Forget the request, so that it can be repeated."""
        cache.delete(self.key)

    def answer_again(self) -> Response:
        """Return the answer to the first request, or a problem if there is none."""
        known: Remembered = cache.get(self.key) or Remembered(said=self.sent)
        if known["said"] != self.sent:
            detail = _("This key has already been used for another request. Choose a new one.")
            return problem(422, "key-reused", detail)
        if "answer" not in known:
            detail = _("The same request is being answered right now.")
            return problem(409, "in-progress", detail, {"Retry-After": "1"})
        return Response(known["answer"], known["status"], headers={REPLAYED: "true"})


def answer_once(request: Request, make: Callable[[], Response]) -> Response:
    """Return the answer of `make`, or the earlier answer to a request with the same key.

    Only successful answers are remembered, not refusals.
    """
    key = request.headers.get(HEADER, "")
    if not key:
        return make()
    if len(key) > LONGEST_KEY or not key.isprintable():
        raise ValidationError({HEADER: [_("Use up to 200 printable characters.")]})
    if not is_available():
        detail = _(
            "The site cannot check right now whether this key has already been used. Try again in "
            "a minute, or send the request without a key."
        )
        return problem(503, "key-unknown", detail, {"Retry-After": "60"})
    slot = slot_of(request, key)
    if not slot.reserve():
        return slot.answer_again()
    try:
        answer = make()
    except BaseException:
        slot.release()
        raise
    slot.keep(answer)
    return answer


def slot_of(request: Request, key: str) -> Slot:
    """Return the place of a request in the cache. Raises `ParseError` if it has no digest."""
    named = f"{request.user.pk}\n{request.path}\n{key}"
    digest_of_name = salted_hmac("api.base", named, algorithm="sha256").hexdigest()
    try:
        sent = digest(request.data)
    except ValueError as error:  # a number that nothing can keep
        raise ParseError(str(error), "malformed") from None
    return Slot(f"api-once-{digest_of_name}", sent)

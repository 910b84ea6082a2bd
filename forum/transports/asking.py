"""How boards are asked: what no answer means, and what every board means by a status."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urljoin, urlsplit

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

import outside
from forum.transports import CannotRead, Doubtful, Later, Locked, Need, Permanent, Settings, Wrong
from outside.answer import Answer
from outside.client import check

SOON, LONG, DAY = 60, 30 * 60, 24 * 60 * 60
LEAST_PAGES, MOST_PAGES = 3, 10
"""Pages of a topic that are looked through for a marker, the newest first."""


def far_enough(page: int, oldest: datetime | None, now: datetime) -> bool:
    """Is a marker that was not on so many pages, down to the post of this time, surely not there? Who looks after a doubt
    looks within a day. Where a board does not say when its posts were written, all pages that are looked through are
    enough. Raises `CannotRead` where more was written in a day than is looked through."""
    if page < LEAST_PAGES:
        return False
    if oldest is not None and (now - oldest).total_seconds() > DAY:
        return True
    if page < MOST_PAGES:
        return False
    if oldest is None:
        return True
    raise CannotRead(_("More was written there in a day than is looked through."))


def web_address(settings: Settings, key: str = "address") -> str:
    """An address that can be asked. Raises `Wrong`."""
    where = settings.get(key, "").strip()
    try:
        check(where)
    except outside.Refused as error:
        raise Wrong(key, str(error)) from None
    return where


MEMBER = (
    Need("username", gettext_lazy("User name there")),
    Need("password", gettext_lazy("Password there"), secret=True, kind="password"),
)
AS_A_MEMBER = gettext_lazy(
    "An account of its own on the board, and leave of who runs it to post by program. It signs in once, fills in the "
    "form of a reply as a person would, and looks for its mark before anything is sent again. If the board refuses "
    "the password, nothing goes there until you say so."
)
"""In plain words what comes of filling in a board's forms."""


def topic_of(address: str, form: re.Pattern[str], example: str) -> tuple[str, int]:
    """The forum's address without a slash at its end, and the topic's number: `base` and `number` of an address's path in
    this form. Raises `Wrong` where it is none."""
    parts = urlsplit(address.strip())
    found = form.match(parts.path)
    if found is None:
        raise no_topic(example)
    return f"{parts.scheme}://{parts.netloc}{found['base']}", int(found["number"])


def no_topic(example: str) -> Wrong:
    return Wrong("address", _("This is no address of a topic: it looks like {example}.").format(example=example))


def member(settings: Settings) -> dict[str, str]:
    """Name and password as they are sent: a password is not trimmed. Raises `Wrong`."""
    name, password = settings.get("username", "").strip(), settings.get("password", "")
    if not name:
        raise Wrong("username", _("The board asks for a user name."))
    if not password:
        raise Wrong("password", _("The board asks for a password."))
    return {"username": name, "password": password}


def token(settings: Settings, key: str) -> str:
    """A key or token, of letters that may stand in a header. Raises `Wrong`."""
    found = settings.get(key, "").strip()
    if not found or not found.isascii() or not found.isprintable() or " " in found or len(found) > 200:
        raise Wrong(key, _("This is no key: it is one word of letters and figures."))
    return found


def reading(ask: Callable[[], Answer], now: datetime) -> Answer:
    """An answer to a question that changes nothing: where there is none one asks later."""
    try:
        answer = ask()
    except outside.Refused as error:
        raise Permanent(str(error)) from None
    except outside.OutsideError as error:
        raise Later(SOON, str(error)) from None
    if answer.status == 429 or answer.status >= 500:
        raise Later(wait(answer, now, LONG if answer.status < 500 else SOON), at_fault(answer))
    guarded(answer)
    if moved := elsewhere(answer):
        raise Permanent(moved)
    return answer


def elsewhere(answer: Answer) -> str:
    """What to tell where a site leads on to another one: nothing is followed, least of all with a password; else ""."""
    if not 300 <= answer.status < 400:
        return ""
    to = urlsplit(urljoin(answer.url, str(answer.headers.get("location") or "")))
    here = urlsplit(answer.url)
    if (to.scheme, to.netloc.lower()) == (here.scheme, here.netloc.lower()):
        return ""
    said = _("{host} leads on to {other}. Give the thread's address as the browser shows it there.")
    return said.format(host=answer.host, other=f"{to.scheme}://{to.netloc}"[:200])


def writing(ask: Callable[[], Answer], now: datetime) -> Answer:
    """An answer to what may have been done. Raises `Doubtful` where nobody can say."""
    try:
        answer = ask()
    except outside.Refused as error:
        raise Permanent(str(error)) from None
    except outside.Unreachable as error:
        raise Later(SOON, str(error)) from None
    except outside.Doubtful as error:
        raise Doubtful(str(error)) from None
    if answer.status == 429:
        raise Later(wait(answer, now, LONG), at_fault(answer))
    if answer.status >= 500:  # of a proxy, perhaps, behind which it was done
        raise Doubtful(at_fault(answer))
    guarded(answer)
    return answer


def refusal(answer: Answer, words: str) -> Exception:
    """What a board that is written to with a key says by a status that is no success."""
    if moved := elsewhere(answer):
        return Permanent(moved)
    if answer.status in (401, 403):  # the key, or a closed topic: both are told in the same words, and trying mends neither
        return Locked(_("The board refused: {said}").format(said=words))
    if answer.status == 404:
        return Permanent(_("The topic is not there: {said}").format(said=words))
    return Permanent(words)


def at_fault(answer: Answer) -> str:
    if answer.status == 429:
        return _("{host} asks us to wait.").format(host=answer.host)
    return _("{host} is out of order (HTTP {status}).").format(host=answer.host, status=answer.status)


def guarded(answer: Answer) -> None:
    """Raises `Locked` where something before the board keeps programs out."""
    if answer.headers.get("cf-mitigated") or (answer.status == 403 and "challenge-platform" in answer.text):
        said = _("Something before {host} keeps programs out. Post by hand there, or ask who runs it.")
        raise Locked(said.format(host=answer.host))


def wait(answer: Answer, now: datetime, least: int) -> int:
    """Seconds that the board asks for in its body (Discourse) or in `Retry-After`, else `least`; at most a day."""
    try:
        return min(max(int(answer.json()["extras"]["wait_seconds"]) + 1, 1), DAY)
    except (outside.Doubtful, LookupError, TypeError, ValueError):
        asked = str(answer.headers.get("retry-after") or "")
    if asked.isascii() and asked.isdigit():
        return min(max(int(asked[:9]), 1), DAY)
    try:
        until = parsedate_to_datetime(asked)
    except (TypeError, ValueError):
        return least
    until = until if until.tzinfo else until.replace(tzinfo=UTC)
    return min(max(int((until - now).total_seconds()) + 1, 1), DAY)

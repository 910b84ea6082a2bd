"""Requests to boards: what an address, a status or a missing answer means."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urljoin, urlsplit

from django.utils.translation import gettext as _

from forum.boards import (
    CannotRead,
    Closed,
    Doubtful,
    Heard,
    Later,
    Locked,
    Permanent,
    Settings,
    Wrong,
)
from forum.boards.markup import Page
from outgoing import client as outgoing
from outgoing.client import Answer, Client, check_public

SOON, LONG, DAY = 60, 30 * 60, 24 * 60 * 60
LEAST_PAGES, MOST_PAGES = 3, 10
"""The least and the most pages of a topic that are searched for a mark, the newest first."""


def far_enough(page: int, oldest: datetime | None, now: datetime) -> bool:
    """Return whether a mark that is on none of the searched pages is surely not in the topic.

    `page` is the number of searched pages, and `oldest` the time of the oldest post on them: a
    search after a doubt takes place within a day of it. Where a board does not say when its posts
    were written, the most pages are enough. Raises `CannotRead` where more was written in a day
    than is searched.
    """
    if page < LEAST_PAGES:
        return False
    if oldest is not None and (now - oldest).total_seconds() > DAY:
        return True
    if page < MOST_PAGES:
        return False
    if oldest is None:
        return True
    raise CannotRead(_("More was written there in a day than can be searched."))


@dataclass(frozen=True, slots=True)
class Wanted:
    """The posts to read in a topic. The fields are the arguments of `Readable.read`."""

    since: int
    """The number of the newest post that is known; 0 for none."""
    again: bool
    back_to: datetime | None

    def reached(self, heard: Mapping[int, Heard]) -> bool:
        """Return whether these posts, by their numbers, go back far enough."""
        if self.since:
            return min(heard, default=0) <= self.since
        oldest = heard[min(heard)].at if heard else None
        return self.back_to is None or oldest is None or oldest < self.back_to

    def among(self, heard: Mapping[int, Heard]) -> list[Heard]:
        """Return those of these posts that the reader gets, oldest first."""
        return [heard[number] for number in sorted(heard) if self.again or number > self.since]


def web_address(settings: Settings, key: str = "address") -> str:
    """Return the address among the settings. Raises `Wrong` if it is none on the internet."""
    where = settings.get(key, "").strip()
    try:
        check_public(where)
    except outgoing.Refused as error:
        raise Wrong(key, str(error)) from None
    return where


def topic_of(address: str, form: re.Pattern[str], example: str) -> tuple[str, int]:
    """Return the forum's address without a slash at its end, and the number of the topic.

    They are the groups `base` and `number` of the address's path in this form. Raises `Wrong` where
    the address has another form.
    """
    parts = urlsplit(address.strip())
    match = form.match(parts.path)
    if match is None:
        raise no_topic(example)
    return f"{parts.scheme}://{parts.netloc}{match['base']}", int(match["number"])


def no_such_topic(words: str) -> Permanent:
    """Return what it means that the board shows no topic, in its own words if it has some."""
    return Permanent(words or _("The board shows no topic at this address."))


def no_post_in_link() -> Permanent:
    """Return what stops an edit of a post whose link names no post."""
    return Permanent(_("The post’s link does not say which post it is. Change it there yourself."))


def no_topic(example: str) -> Wrong:
    """Return the refusal of an address that is not that of a topic, as the example is."""
    return Wrong(
        "address",
        _("This is not the address of a topic: it looks like {example}.").format(example=example),
    )


def member(settings: Settings) -> dict[str, str]:
    """Return name and password as they are sent, the password untrimmed. Raises `Wrong`."""
    name, password = settings.get("username", "").strip(), settings.get("password", "")
    if not name:
        raise Wrong("username", _("The board asks for a user name."))
    if not password:
        raise Wrong("password", _("The board asks for a password."))
    return {"username": name, "password": password}


def token(settings: Settings, key: str) -> str:
    """Return a key or token of characters that a header may have. Raises `Wrong`."""
    value = settings.get(key, "").strip()
    if (
        not value
        or not value.isascii()
        or not value.isprintable()
        or " " in value
        or len(value) > 200
    ):
        raise Wrong(key, _("This is not a key: a key is one word of letters and figures."))
    return value


def reading(ask: Callable[[], Answer], now: datetime, message: str = "") -> Answer:
    """Return the answer to a question that changes nothing.

    `message` is the CSS selector of what the board says on a page of its own: a 503 with it is
    maintenance. Raises `Later` where there is no answer.
    """
    try:
        answer = ask()
    except outgoing.Refused as error:
        raise Permanent(str(error)) from None
    except outgoing.OutsideError as error:
        raise Later(SOON, str(error)) from None
    if answer.status == 503 and message and (words := Page(answer).text_at(message)):
        raise Closed(wait(answer, now, LONG), words)
    if answer.status == 429 or answer.status >= 500:
        raise Later(wait(answer, now, LONG if answer.status < 500 else SOON), at_fault(answer))
    guarded(answer)
    if moved := elsewhere(answer):
        raise Permanent(moved)
    return answer


def board_page(answer: Answer, signs: str) -> Page:
    """Return the answer as a page of the board.

    `signs` is a CSS selector of what its pages have. Raises `Closed` for another page with the
    status 200: one that is empty, cut off, or without any of these signs; and for a redirect within
    the site, which mostly leads to a note.
    """
    page = Page(answer)
    if 300 <= answer.status < 400:
        raise Closed(
            LONG,
            _("{host} leads on to another page: it may be in maintenance.").format(
                host=answer.host
            ),
        )
    if answer.status == 200 and "</html" not in answer.text.lower():
        raise Closed(
            LONG,
            _("{host} answered with an empty page, or with half of one.").format(host=answer.host),
        )
    if answer.status == 200 and page.soup.select_one(signs) is None:
        raise Closed(
            LONG,
            _(
                "{host} answered with a page that is not the board’s: it may be in maintenance."
            ).format(host=answer.host),
        )
    return page


def as_guest(client: Client, address: str) -> Answer:
    """Return the answer to a guest."""
    jar, client.cookies = client.cookies, None
    try:
        return client.get(address)
    finally:
        client.cookies = jar


def elsewhere(answer: Answer) -> str:
    """Return an error text if a site redirects to another site; else an empty text.

    No redirect is followed, least of all with a password.
    """
    if not 300 <= answer.status < 400:
        return ""
    to = urlsplit(urljoin(answer.url, str(answer.headers.get("location") or "")))
    here = urlsplit(answer.url)
    if (to.scheme, to.netloc.lower()) == (here.scheme, here.netloc.lower()):
        return ""
    text = _("{host} leads on to {other}. Give the thread's address as the browser shows it there.")
    return text.format(host=answer.host, other=f"{to.scheme}://{to.netloc}"[:200])


def writing(ask: Callable[[], Answer], now: datetime) -> Answer:
    """Return the answer to a request that writes. Raises `Doubtful` if it may have succeeded."""
    try:
        answer = ask()
    except outgoing.Refused as error:
        raise Permanent(str(error)) from None
    except outgoing.Unreachable as error:
        raise Later(SOON, str(error)) from None
    except outgoing.Doubtful as error:
        raise Doubtful(str(error)) from None
    if answer.status == 429:
        raise Later(wait(answer, now, LONG), at_fault(answer))
    if answer.status >= 500:  # of a proxy, perhaps, behind which it was done
        raise Doubtful(at_fault(answer))
    guarded(answer)
    return answer


def refusal(answer: Answer, words: str) -> Exception:
    """Return what the status of a refusal means, of a board that is written to with a key."""
    if moved := elsewhere(answer):
        return Permanent(moved)
    if answer.status in (
        401,
        403,
    ):  # the key, or a closed topic: both are told in the same words, and trying mends neither
        return Locked(_("The board refused: {said}").format(said=words))
    if answer.status == 404:
        return Permanent(_("The topic is not there: {said}").format(said=words))
    return Permanent(words)


def at_fault(answer: Answer) -> str:
    """Return a sentence about a status that asks to wait or tells of a fault."""
    if answer.status == 429:
        return _("{host} asks us to wait.").format(host=answer.host)
    return _("{host} is out of order (HTTP {status}).").format(
        host=answer.host, status=answer.status
    )


def guarded(answer: Answer) -> None:
    """Raise `Locked` where a guard before the board keeps programs out."""
    if answer.headers.get("cf-mitigated") or (
        answer.status == 403 and "challenge-platform" in answer.text
    ):
        text = _(
            "A guard before {host} keeps programs out. Post by hand there, or ask the forum's"
            " owner."
        )
        raise Locked(text.format(host=answer.host))


def wait(answer: Answer, now: datetime, least: int) -> int:
    """Return the seconds that the board asks to wait, at most a day.

    The answer has them in its body (Discourse) or in `Retry-After`; else they are `least`.
    """
    try:
        return min(max(int(answer.json()["extras"]["wait_seconds"]) + 1, 1), DAY)
    except (outgoing.Doubtful, LookupError, TypeError, ValueError):
        asked = str(answer.headers.get("retry-after") or "")
    if asked.isascii() and asked.isdigit():
        return min(max(int(asked[:9]), 1), DAY)
    try:
        until = parsedate_to_datetime(asked)
    except (TypeError, ValueError):
        return least
    until = until if until.tzinfo else until.replace(tzinfo=UTC)
    return min(max(int((until - now).total_seconds()) + 1, 1), DAY)

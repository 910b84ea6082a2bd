"""Requests to boards, and the meaning of addresses, statuses and missing answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urljoin, urlsplit

from django.utils.translation import gettext as _

from forum.boards import (
    AccessRefused,
    BoardClosed,
    BrokenPage,
    DoubtfulError,
    InvalidSetting,
    PermanentError,
    ReadPost,
    SearchError,
    Settings,
    TemporaryError,
)
from forum.boards.markup import Page
from outgoing import client as outgoing
from outgoing.client import Answer, Client, check_public

SOON, LONG, DAY = 60, 30 * 60, 24 * 60 * 60
LEAST_PAGES, MOST_PAGES = 3, 10
"""The minimum and maximum number of pages of a topic that are searched for a mark, newest first."""


def is_searched_enough(page: int, oldest: datetime | None, now: datetime) -> bool:
    """Return whether a mark that is on none of the searched pages is certainly not in the topic.

    `page` is the number of searched pages, and `oldest` the time of the oldest post on them: a
    search after a doubt takes place within a day of it. If a board does not say when its posts were
    written, the maximum number of pages is enough. Raises `SearchError` if more was written in a
    day than is searched.
    """
    if page < LEAST_PAGES:
        return False
    if oldest is not None and (now - oldest).total_seconds() > DAY:
        return True
    if page < MOST_PAGES:
        return False
    if oldest is None:
        return True
    raise SearchError(_("The topic has had more posts in a day than can be searched."))


@dataclass(frozen=True, slots=True)
class WantedPosts:
    """The posts to read in a topic; the fields are the arguments of `ReadsPosts.read`."""

    since: int
    """The number of the newest known post; 0 if none is known."""
    again: bool
    back_to: datetime | None

    def reached(self, read_posts: Mapping[int, ReadPost]) -> bool:
        """Return whether these posts, by their numbers, go back far enough."""
        if self.since:
            return min(read_posts, default=0) <= self.since
        oldest = read_posts[min(read_posts)].at if read_posts else None
        return self.back_to is None or oldest is None or oldest < self.back_to

    def among(self, read_posts: Mapping[int, ReadPost]) -> list[ReadPost]:
        """Return the posts of these that the reader gets, oldest first."""
        return [
            read_posts[number] for number in sorted(read_posts) if self.again or number > self.since
        ]


def web_address(settings: Settings, key: str = "address") -> str:
    """Return the address in the settings. Raises `InvalidSetting` if it is not public."""
    where = settings.get(key, "").strip()
    try:
        check_public(where)
    except outgoing.Refused as error:
        raise InvalidSetting(key, str(error)) from None
    return where


def split_topic_address(address: str, form: re.Pattern[str], example: str) -> tuple[str, int]:
    """Return the forum's address without a slash at its end, and the number of the topic.

    They are the groups `base` and `number` in the path of the address. Raises `InvalidSetting` if
    the path does not have this form.
    """
    parts = urlsplit(address.strip())
    match = form.match(parts.path)
    if match is None:
        raise not_a_topic(example)
    return f"{parts.scheme}://{parts.netloc}{match['base']}", int(match["number"])


def no_such_topic(words: str) -> PermanentError:
    """Return the error that the board shows no topic, with the board's own words if any."""
    return PermanentError(words or _("The board shows no topic at this address."))


def not_a_post() -> InvalidSetting:
    """Return the error that an address is not that of a post on the thread's board."""
    return InvalidSetting(
        "link",
        _("This is not the address of a post on the thread’s board. Copy the link of the post."),
    )


def no_post_in_link() -> PermanentError:
    """Return the error for an edit of a post whose link does not name a post."""
    return PermanentError(
        _("The post’s link does not say which post it is. Change it there yourself.")
    )


def not_a_topic(example: str) -> InvalidSetting:
    """Return the error that an address is not that of a topic; `example` shows the right form."""
    return InvalidSetting(
        "address",
        _("This is not the address of a topic. Such an address looks like {example}.").format(
            example=example
        ),
    )


def member_fields(settings: Settings) -> dict[str, str]:
    """Return the name and the password; the password is not trimmed. Raises `InvalidSetting`."""
    name, password = settings.get("username", "").strip(), settings.get("password", "")
    if not name:
        raise InvalidSetting("username", _("The board asks for a user name."))
    if not password:
        raise InvalidSetting("password", _("The board asks for a password."))
    return {"username": name, "password": password}


def valid_token(settings: Settings, key: str) -> str:
    """Return a key or token whose characters are allowed in a header. Raises `InvalidSetting`."""
    value = settings.get(key, "").strip()
    if (
        not value
        or not value.isascii()
        or not value.isprintable()
        or " " in value
        or len(value) > 200
    ):
        raise InvalidSetting(key, _("This is not a key: a key is one word of letters and digits."))
    return value


def answer_to_read(ask: Callable[[], Answer], now: datetime, message: str = "") -> Answer:
    """Return the answer to a request that changes nothing.

    `message` is the CSS selector of a board's message on a page of its own: a status 503 with such
    a message means maintenance. Raises `TemporaryError` if there is no answer.
    """
    try:
        answer = ask()
    except outgoing.Refused as error:
        raise PermanentError(str(error)) from None
    except outgoing.OutsideError as error:
        raise TemporaryError(SOON, str(error)) from None
    if answer.status == 503 and message and (words := Page(answer).text_at(message)):
        raise BoardClosed(wait_seconds(answer, now, LONG), words)
    if answer.status == 429 or answer.status >= 500:
        raise TemporaryError(
            wait_seconds(answer, now, LONG if answer.status < 500 else SOON), fault_sentence(answer)
        )
    must_not_be_guarded(answer)
    if moved := redirect_error(answer):
        raise PermanentError(moved)
    return answer


def board_page(answer: Answer, signs: str) -> Page:
    """Return the answer as a page of the board.

    `signs` is a CSS selector of elements that its pages have. Raises `BrokenPage` for another page
    with the status 200: an empty or incomplete page, or a page without any of these elements.
    Raises `BoardClosed` for a redirect within the site, which usually leads to a message.
    """
    page = Page(answer)
    if 300 <= answer.status < 400:
        raise BoardClosed(
            LONG,
            _("{host} redirects to another page. It may be down for maintenance.").format(
                host=answer.host
            ),
        )
    if answer.status == 200 and "</html" not in answer.text.lower():
        raise BrokenPage(
            LONG,
            _("{host} answered with an empty or incomplete page.").format(host=answer.host),
        )
    if answer.status == 200 and page.soup.select_one(signs) is None:
        raise BrokenPage(
            LONG,
            _(
                "{host} answered with a page that does not belong to the board. It may be down "
                "for maintenance."
            ).format(host=answer.host),
        )
    return page


def get_as_guest(client: Client, address: str) -> Answer:
    """Return the answer that a guest gets."""
    jar, client.cookies = client.cookies, None
    try:
        return client.get(address)
    finally:
        client.cookies = jar


def redirect_error(answer: Answer) -> str:
    """Return an error text if a site redirects to another site, otherwise an empty text.

    No redirect is followed, least of all with a password.
    """
    if not 300 <= answer.status < 400:
        return ""
    to = urlsplit(urljoin(answer.url, str(answer.headers.get("location") or "")))
    here = urlsplit(answer.url)
    if (to.scheme, to.netloc.lower()) == (here.scheme, here.netloc.lower()):
        return ""
    text = _(
        "{host} redirects to {other}. Enter the thread’s address as the browser shows it there."
    )
    return text.format(host=answer.host, other=f"{to.scheme}://{to.netloc}"[:200])


def answer_to_write(
    ask: Callable[[], Answer],
    now: datetime,
    did_nothing: Callable[[Answer], bool] = lambda answer: False,
) -> Answer:
    """Return the answer to a writing request. Raises `DoubtfulError` if it may have succeeded.

    `did_nothing` says whether an answer about a fault comes from the board itself, which has done
    nothing.
    """
    try:
        answer = ask()
    except outgoing.Refused as error:
        raise PermanentError(str(error)) from None
    except outgoing.Unreachable as error:
        raise TemporaryError(SOON, str(error)) from None
    except outgoing.Doubtful as error:
        raise DoubtfulError(str(error)) from None
    if answer.status == 429:
        raise TemporaryError(wait_seconds(answer, now, LONG), fault_sentence(answer))
    if answer.status >= 500 and did_nothing(answer):
        raise TemporaryError(wait_seconds(answer, now, SOON), fault_sentence(answer))
    # The status may come from a proxy although the board has already done it.
    if answer.status >= 500:
        raise DoubtfulError(fault_sentence(answer))
    must_not_be_guarded(answer)
    return answer


def refusal_error(answer: Answer, words: str) -> Exception:
    """Return the error for the status of a refusal by a board that is accessed with a key."""
    if moved := redirect_error(answer):
        return PermanentError(moved)
    # The key is wrong or the topic closed. The answers are alike, and another attempt is useless.
    if answer.status in (401, 403):
        return AccessRefused(_("The board refused: {said}").format(said=words))
    if answer.status == 404:
        return PermanentError(_("The topic was not found: {said}").format(said=words))
    return PermanentError(words)


def fault_sentence(answer: Answer) -> str:
    """Return a sentence about a status that asks to wait or reports an error."""
    if answer.status == 429:
        return _("{host} has asked us to wait.").format(host=answer.host)
    return _("{host} is not working (HTTP {status}).").format(
        host=answer.host, status=answer.status
    )


def must_not_be_guarded(answer: Answer) -> None:
    """Raise `AccessRefused` if a protection service in front of the board keeps programs out."""
    if answer.headers.get("cf-mitigated") or (
        answer.status == 403 and "challenge-platform" in answer.text
    ):
        text = _(
            "A bot filter in front of {host} keeps programs out. Post there by hand, or ask the "
            "forum’s owner."
        )
        raise AccessRefused(text.format(host=answer.host))


def wait_seconds(answer: Answer, now: datetime, least: int) -> int:
    """Return the seconds for which the board asks to wait, at most a day.

    They are in the body of the answer (Discourse) or in `Retry-After`; otherwise they are `least`.
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

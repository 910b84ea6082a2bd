"""NodeBB 4 by its interface for programs: a token from the admin panel, replies to one topic.

NodeBB keeps no watch for duplicates: whether a post is there is looked up by its marker, newest
first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar
from urllib.parse import urlsplit

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from forum.boards import (
    AWAITING,
    CannotRead,
    Closed,
    Doubtful,
    Heard,
    Letter,
    Need,
    Permanent,
    Sent,
    Settings,
    TooSoon,
    Topic,
    Unseen,
    register,
)
from forum.boards.forms import (
    LONG,
    MOST_PAGES,
    SOON,
    far_enough,
    holds,
    no_such_topic,
    one_line,
    own_words,
    read_time,
    reading,
    refusal,
    replaced,
    text_of,
    token,
    topic_of,
    web_address,
    writing,
)
from outgoing import client as outgoing
from outgoing.client import Answer, Client

PAGES = 10
"""Pages that are read of what is new, at most."""
_TOPIC = re.compile(r"(?P<base>.*)/(?:topic|post)/(?P<number>\d+)(?:/|$)")
GUEST = {"Accept": "application/json"}
_WAIT = re.compile(r"(\d{1,5})\s*(?:(se[cgk])|minut)", re.IGNORECASE)
"""How long to wait, in many of the languages in which an account may have its board."""


def place(address: str) -> tuple[str, int]:
    """The forum's address, and the number of the topic, or of the post where it is one's."""
    return topic_of(address, _TOPIC, "https://…/topic/12/…")


def _of_post(address: str) -> bool:
    return re.search(r"/post/\d+", urlsplit(address).path) is not None


def nodebb_errors(answer: Answer) -> str:
    """The board's own words for what it does not do."""
    try:
        return one_line(str(answer.json()["status"]["message"]))
    except Exception:  # whatever it was, it is no such answer
        return f"HTTP {answer.status}"


@register
class Nodebb:
    """Replies to one topic."""

    key: ClassVar[str] = "nodebb"
    name = gettext_lazy("NodeBB 4")
    dialect: ClassVar[str] = "markdown"
    limit: ClassVar[int] = 32_767
    pace: ClassVar[int] = 10
    automatic: ClassVar[bool] = True
    needs: ClassVar[Sequence[Need]] = (
        Need(
            "address", gettext_lazy("Address of the topic"), kind="url", help="https://…/topic/12/…"
        ),
        Need(
            "token",
            gettext_lazy("Token"),
            secret=True,
            kind="password",
            help=gettext_lazy("An administrator makes it, for the account that posts."),
        ),
    )
    account = gettext_lazy(
        "A token that an administrator of the forum makes for an account of its own. The account"
        " posts by the forum's interface for programs, and looks for its mark before anything is"
        " sent again."
    )

    def check(self, settings: Settings) -> dict[str, str]:
        where = web_address(settings)
        base, number = place(where)
        what = "post" if _of_post(where) else "topic"
        return {"address": f"{base}/{what}/{number}", "token": token(settings, "token")}

    def place(
        self, settings: Settings, client: Client, headers: Mapping[str, str]
    ) -> tuple[str, int]:
        """The forum's address and the topic's number; asks the board where the address is of a
        post.
        """
        base, number = place(settings["address"])
        if not _of_post(settings["address"]):
            return base, number
        answer = reading(
            lambda: client.get(f"{base}/api/v3/posts/{number}", headers=headers), client.now()
        )
        if not answer.ok:
            raise no_such_topic(nodebb_errors(answer))
        try:
            return base, int(answer.json()["response"]["tid"])
        except (outgoing.Doubtful, LookupError, TypeError, ValueError):
            raise Closed(LONG, _("The board's answer cannot be read.")) from None

    def edit(
        self, settings: Settings, permalink: str, was: str, post: Letter, client: Client
    ) -> None:
        headers, match = self.headers(settings), _TOPIC.match(permalink)
        if match is None or not _of_post(permalink):
            raise Permanent(
                _("The post’s link does not say which post it is. Change it there yourself.")
            )
        where = f"{match['base']}/api/v3/posts/{match['number']}"
        answer = reading(lambda: client.get(f"{where}/raw", headers=headers), client.now())
        if not answer.ok:
            raise refusal(answer, nodebb_errors(answer))
        try:
            stands = str(answer.json()["response"]["content"])
        except (outgoing.Doubtful, LookupError, TypeError):
            raise Closed(LONG, _("The board's answer cannot be read.")) from None
        text = replaced(stands, was, post.text)
        if text is not None:
            answer = writing(
                lambda: client.put(where, json={"content": text}, headers=headers), client.now()
            )
            if not answer.ok:
                raise refusal(answer, nodebb_errors(answer))
            try:
                answer.json()
            except outgoing.Doubtful:
                raise Doubtful(_("The board's answer cannot be read.")) from None

    def topic(self, settings: Settings, client: Client) -> Topic:
        headers = self.headers(settings) if "token" in settings else GUEST
        base, number = self.place(settings, client, headers)
        page = self._page(client, f"{base}/api/topic/{number}", headers)
        site = reading(lambda: client.get(f"{base}/api/config", headers=GUEST), client.now())
        try:
            board = one_line(str(site.json()["siteTitle"]))
        except (outgoing.Doubtful, LookupError, TypeError):
            board = ""
        refusal = ""
        if page.get("locked"):
            refusal = _("The topic is locked.")
        elif "token" in settings and (page.get("privileges") or {}).get("topics:reply") is False:
            refusal = _("This account may not write there.")
        title = text_of(str(page.get("titleRaw") or page.get("title") or ""))
        return Topic(f"{base}/topic/{number}", board, title, refusal)

    def headers(self, settings: Settings) -> dict[str, str]:
        return {
            "Authorization": f"Bearer {settings['token']}",
            "Accept": "application/json",
            "Accept-Language": "en",
        }

    def send(self, settings: Settings, post: Letter, client: Client) -> Sent:
        base, topic = self.place(settings, client, self.headers(settings))
        where, sent = f"{base}/api/v3/topics/{topic}", {"content": post.text}
        answer = writing(
            lambda: client.post(where, json=sent, headers=self.headers(settings)), client.now()
        )
        if not answer.ok:
            words = nodebb_errors(answer)
            if answer.status == 400 and (match := _WAIT.search(words)):
                pause = int(match[1]) * (1 if match[2] else 60)
                raise TooSoon(pause + 1, words, pause)
            raise refusal(answer, words)
        try:
            response = answer.json()["response"]
            if response.get("queued"):
                return Sent("", AWAITING)
            return Sent(f"{base}/post/{int(response['pid'])}")
        except Exception as error:
            raise Doubtful(_("The board's answer cannot be read.")) from error

    def find(self, settings: Settings, marker: str, client: Client) -> Sent | None:
        base, topic = self.place(settings, client, self.headers(settings))
        seen = set[int]()
        for page in range(1, MOST_PAGES + 1):
            answer = self._page(
                client,
                f"{base}/api/topic/{topic}?sort=newest_to_oldest&page={page}",
                self.headers(settings),
            )
            posts = [one for one in answer["posts"] if int(one["pid"]) not in seen]
            if numbers := [
                int(one["pid"])
                for one in posts
                if holds(text_of(str(one.get("content") or "")), marker)
            ]:
                return Sent(f"{base}/post/{min(numbers)}")
            seen |= {int(one["pid"]) for one in posts}
            oldest = read_time(str(posts[-1].get("timestampISO") or "")) if posts else None
            last = page >= int((answer.get("pagination") or {}).get("pageCount") or 1)
            if last or not posts or far_enough(page, oldest, client.now()):
                break
        return self._waits(client, base, topic, marker, self.headers(settings))

    def _waits(
        self, client: Client, base: str, topic: int, marker: str, headers: Mapping[str, str]
    ) -> Sent | None:
        """The topic, where the post waits for a moderator: an account sees its own in the queue."""
        answer = reading(
            lambda: client.get(f"{base}/api/post-queue", headers=headers), client.now()
        )
        try:
            rows = answer.json()["posts"]
            waiting = any(
                holds(text_of(str((row.get("data") or {}).get("content") or "")), marker)
                for row in rows
            )
        except (outgoing.Doubtful, LookupError, TypeError, AttributeError):
            if answer.ok:  # no answer of the board's at all
                raise Closed(LONG, _("The board's answer cannot be read.")) from None
            raise Unseen(
                _("What waits for a moderator there cannot be read (HTTP {status}).").format(
                    status=answer.status
                )
            ) from None
        return Sent(f"{base}/topic/{topic}", AWAITING) if waiting else None

    def _page(self, client: Client, where: str, headers: Mapping[str, str]) -> dict[str, Any]:
        answer = reading(lambda: client.get(where, headers=headers), client.now())
        if not answer.ok:
            raise CannotRead(
                _("The topic cannot be read (HTTP {status}).").format(status=answer.status)
            )
        try:
            page = answer.json()
            assert isinstance(page, dict)
            assert isinstance(page["posts"], list)
        except Exception as error:
            raise Closed(SOON, _("The board's answer cannot be read.")) from error
        return page

    def read(
        self,
        settings: Settings,
        since: str,
        client: Client,
        *,
        again: bool = False,
        back_to: datetime | None = None,
    ) -> list[Heard]:
        """Read as a guest: no token is sent."""
        base, topic = self.place(settings, client, GUEST)
        heard = dict[int, Heard]()
        for page in range(1, PAGES + 1):
            where = f"{base}/api/topic/{topic}?sort=newest_to_oldest&page={page}"
            answer = self._page(client, where, GUEST)
            number_of_pages = int((answer.get("pagination") or {}).get("pageCount") or 1)
            posts = {int(post["pid"]): post for post in answer["posts"] if not post.get("deleted")}
            if page == 1 and number_of_pages > 1:
                # The topic's first post stands on every first page.
                posts.pop(min(posts, default=0), None)
            heard |= {number: self._heard(base, number, post) for number, post in posts.items()}
            if not posts or page >= number_of_pages:
                break
            if _reaches(min(posts), heard[min(posts)].at, since, back_to):
                break
        return [heard[number] for number in sorted(heard) if again or number > int(since or 0)]

    def _heard(self, base: str, number: int, one: dict[str, Any]) -> Heard:
        user = one.get("user") or {}
        author = str(user.get("displayname") or user.get("username") or "")
        words, quoted = own_words(str(one.get("content") or ""))
        return Heard(
            str(number),
            author,
            read_time(str(one.get("timestampISO") or "")),
            words,
            f"{base}/post/{number}",
            quoted,
        )


def _reaches(number: int, at: datetime | None, since: str, back_to: datetime | None) -> bool:
    """Return whether a post is old enough that no older one is asked for."""
    if since:
        return number <= int(since)
    return back_to is None or at is None or at < back_to

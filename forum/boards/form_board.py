"""Boards that only people with a browser can write to: what the transports to phpBB and MyBB share.

A member fills in the board's forms. There is one attempt to sign in, never a second one with the
same password: after some wrong ones a board asks for a picture to be read. The session is kept with
the client's cookies and used again. The module of a board declares its texts, paths and selectors,
and says how its pages are read.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from http.cookiejar import CookieJar
from typing import ClassVar
from urllib.parse import urljoin

from bs4 import Tag
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from forum.boards import (
    AWAITING,
    POSTED,
    CannotRead,
    Closed,
    Doubtful,
    Heard,
    Later,
    Letter,
    Locked,
    Need,
    Permanent,
    Sent,
    Settings,
    Topic,
    Unreadable,
)
from forum.boards.answers import (
    LONG,
    Wanted,
    as_guest,
    board_page,
    far_enough,
    member,
    no_post_in_link,
    no_such_topic,
    no_topic,
    reading,
    web_address,
    writing,
)
from forum.boards.markup import Form, Page, holds, own_words, replaced, text_of
from outgoing.client import Answer, Client

TRIES = 3
"""How often a form is filled in before it is put off."""
MEMBER = (
    Need("username", gettext_lazy("User name there")),
    Need("password", gettext_lazy("Password there"), secret=True, kind="password"),
)
AS_A_MEMBER = gettext_lazy(
    "An account of its own on the board, and permission from the forum's owner to post"
    " automatically. It signs in once, fills in the form of a reply as a person would, and looks"
    " for its mark before anything is sent again. If the board refuses the password, nothing is"
    " sent there until you allow it."
)
"""What a transport that fills in forms needs and does, in plain words."""


def needs_of_member(example: str) -> tuple[Need, ...]:
    """Return the needs of a transport that fills in forms; `example` is a topic's address."""
    address = Need("address", gettext_lazy("Address of the topic"), kind="url", help=example)
    return (address, *MEMBER)


@dataclass(frozen=True, slots=True)
class ShownPost:
    """A post on a page of its topic."""

    number: int
    author: str
    at: datetime | None
    content: Tag | None
    waits: bool = False
    """True for a post that only its writer sees until a moderator has looked at it."""

    @property
    def text(self) -> str:
        """All that the post shows, with what it quotes."""
        return text_of(self.content) if self.content else ""

    @property
    def words(self) -> tuple[str, str]:
        """The writer's own words, and those that the post quotes."""
        return own_words(self.content) if self.content else ("", "")


@dataclass(frozen=True, slots=True)
class TopicPage:
    """A page of a topic, and the posts that it shows."""

    page: Page
    posts: list[ShownPost]


@dataclass(frozen=True, slots=True)
class Attempt:
    """The page with the form of a reply, and what it is to be filled in with."""

    page: Page
    letter: Letter


class FormVisit:
    """A series of requests about one topic, by a member or, without a password, by a guest."""

    def __init__(self, board: FormBoard, settings: Settings, client: Client) -> None:
        self.board = board
        self.settings = settings
        self.client = client
        if client.cookies is None:
            client.cookies = CookieJar()
        self.base = board.base_of(settings["address"])
        self._tried_to_sign_in = False
        self._topic = board.topic_in(settings["address"])

    @property
    def topic(self) -> int:
        """The topic's number. Asks the board where the address is that of a post."""
        if self._topic is None:
            post = self.board.post_in(self.settings["address"])
            page = self.as_member(self.board.post_path.format(number=post))
            self._topic = self.board.topic_on(page)
            if self._topic is None:
                raise no_such_topic(self.board.reason_on(page))
        return self._topic

    @property
    def topic_address(self) -> str:
        """The topic's address for readers."""
        return urljoin(self.base, self.board.topic_path.format(number=self.topic))

    def get(self, path: str) -> Answer:
        """Return an answer of the board.

        Raises `Locked` where the account's password is too old for the board, which then shows
        nothing but the form for a new one, else as `reading`.
        """
        answer = reading(
            lambda: self.client.get(urljoin(self.base, path)),
            self.client.now(),
            self.board.message,
        )
        if self.board.leads_to_new_password(answer):
            raise Locked(
                _(
                    "The password of this account has expired on the board. Choose a new one there,"
                    " then type it here."
                )
            )
        return answer

    def page(self, path: str) -> Page:
        """Return a page of the board as it is shown now. Raises `Closed` for any other page."""
        return board_page(self.get(path), self.board.signs)

    def as_member(self, path: str) -> Page:
        """Return a page, signed in if it asks for that. It may still be one that asks."""
        page = self.page(path)
        if self.board.asks_to_sign_in(page) and "password" in self.settings:
            self.sign_in()
            page = self.page(path)
        return page

    def submit(self, form: Form, fields: Mapping[str, str]) -> Answer:
        """Send a form, no sooner than the board takes it. Raises as `writing`."""
        if self.board.pause:
            self.client.sleep(self.board.pause)
        return writing(lambda: self.client.post(form.action, data=fields), self.client.now())

    def sign_in(self) -> None:
        """Sign in, in one attempt.

        Raises `Locked` when the board refuses: only a person tries again.
        """
        if self._tried_to_sign_in:
            raise Later(LONG, _("The board signs this account in and signs it out at once."))
        self._tried_to_sign_in = True
        assert self.client.cookies is not None
        if self.board.signs_in_afresh:
            self.client.cookies.clear()
        answer = self._send_password()
        if not self._is_signed_in(answer) and self.board.login_expired(Page(answer)):
            answer = self._send_password()
        if not self._is_signed_in(answer):
            self._refuse_sign_in(answer)

    def _send_password(self) -> Answer:
        page = self.page(self.board.login_path)
        form = self.board.login_form(page)
        if form is None:
            self.must_be_open(page)
            raise Permanent(self.board.reason_on(page) or str(self.board.no_board))
        try:
            return self.submit(form, self.board.credentials(form, self.settings))
        except Doubtful as error:
            raise Later(LONG, str(error)) from None

    def _is_signed_in(self, answer: Answer) -> bool:
        cookies = {cookie.name: cookie.value or "" for cookie in self.client.cookies or ()}
        return self.board.is_signed_in(answer, cookies)

    def _refuse_sign_in(self, answer: Answer) -> None:
        """Raise what an answer to a password means that did not sign the account in."""
        page = self.board.page_of_refused_login(answer)
        if self.board.login_form(page) is None:
            self.must_be_open(page)
        reason = self.board.login_error(page)
        if self.board.login_expired(page):  # the form, not the password, which was not looked at
            raise Later(LONG, reason)
        raise Locked(
            _("The board refused to sign the account in: {said}").format(
                said=reason or f"HTTP {answer.status}"
            )
        )

    def posting_form(self) -> Page:
        """Return the page with the form of a reply. Raises what keeps the account from replying."""
        path = self.board.reply_path.format(number=self.topic)
        page = self.as_member(path)
        if page.form(self.board.posting) is None:
            self.must_be_open(page)
            page = self.as_member(path)  # asked twice: the board may have opened in between
        if page.form(self.board.posting) is None:
            raise Permanent(self.board.refusal(page))
        return page

    def must_be_open(self, page: Page) -> None:
        """Raise `Closed` where the page's words are about the board, not the topic or the account.

        That is where a guest who asks for the board's first page gets the same words.
        """
        reason = self.board.reason_on(page)
        if page.status != 200 or not reason or page.form(self.board.form_within) is not None:
            return
        first = board_page(
            reading(
                lambda: as_guest(self.client, urljoin(self.base, "index.php")),
                self.client.now(),
                self.board.message,
            ),
            self.board.signs,
        )
        if self.board.reason_on(first) == reason:
            raise Closed(LONG, reason)


class FormBoard(ABC):
    """Replies to one topic of a board, by filling in its forms."""

    key: ClassVar[str]
    name: Promise
    software: ClassVar[str]
    address_pattern: ClassVar[re.Pattern[str]]
    limit: ClassVar[int]
    dialect: ClassVar[str]
    pace: ClassVar[int]
    needs: ClassVar[Sequence[Need]]
    account = AS_A_MEMBER
    automatic: ClassVar[bool] = True
    veiled: ClassVar[bool] = True

    no_board: Promise
    """What to tell where an address leads to no such board."""
    example: ClassVar[str]
    """A topic's address, for a person who gave another one."""
    topic_path: ClassVar[str]
    """The path of a topic, with the place `{number}`, as the three below."""
    post_path: ClassVar[str]
    reply_path: ClassVar[str]
    edit_path: ClassVar[str]
    login_path: ClassVar[str]

    posting: ClassVar[str]
    """A CSS selector of the form of a reply."""
    editing: ClassVar[str]
    """A CSS selector of the form that changes a post."""
    message: ClassVar[str]
    """A CSS selector of what the board says on a page of its own."""
    signs: ClassVar[str]
    """A CSS selector of what a page of such a board has and hardly any other page."""
    form_within: ClassVar[str]
    """A CSS selector of a form that a page about the whole board does not have."""

    pause: ClassVar[float] = 0
    """Seconds between reading a form and sending it."""
    signs_in_afresh: ClassVar[bool] = False
    """Whether cookies of an earlier session keep the account from signing in."""
    exact_times: ClassVar[bool] = True
    """Whether the times of posts are right to the day."""
    least_again: ClassVar[int] = 0
    """Posts that are read again, at least, to see whether they were changed."""

    @abstractmethod
    def base_of(self, address: str) -> str:
        """Return the board's folder of any address on it, with a slash at its end."""

    @abstractmethod
    def topic_in(self, address: str) -> int | None:
        """Return the number of the topic that an address names."""

    @abstractmethod
    def post_in(self, address: str) -> int | None:
        """Return the number of the post that an address names."""

    @abstractmethod
    def permalink(self, visit: FormVisit, post: int) -> str:
        """Return the link to a post."""

    @abstractmethod
    def topic_on(self, page: Page) -> int | None:
        """Return the number of the topic that a page shows."""

    @abstractmethod
    def topic_shown(self, page: Page) -> tuple[str, str] | None:
        """Return the names of the board and of the topic that a page shows, if it shows one."""

    @abstractmethod
    def reason_on(self, page: Page) -> str:
        """Return what the page says went wrong, "" where it says nothing."""

    @abstractmethod
    def login_form(self, page: Page) -> Form | None:
        """Return the form to sign in."""

    @abstractmethod
    def credentials(self, form: Form, settings: Settings) -> dict[str, str]:
        """Return the form to sign in, filled in."""

    @abstractmethod
    def asks_to_sign_in(self, page: Page) -> bool:
        """Return whether a page has a form to sign in instead of what was asked for."""

    @abstractmethod
    def is_signed_in(self, answer: Answer, cookies: Mapping[str, str]) -> bool:
        """Return whether a password was accepted, by its answer and the cookies after it."""

    @abstractmethod
    def page_of_refused_login(self, answer: Answer) -> Page:
        """Return the answer to a password that was not accepted. May raise `Closed`."""

    @abstractmethod
    def reply(self, form: Form, subject: str, text: str) -> dict[str, str]:
        """Return the form of a reply, filled in."""

    @abstractmethod
    def change(self, form: Form, subject: str, text: str) -> dict[str, str]:
        """Return the form that changes a post, filled in."""

    @abstractmethod
    def outcome(self, visit: FormVisit, letter: Letter, answer: Answer) -> Sent | Attempt:
        """Return what an answer to a reply means: a post, or the next attempt. Raises the rest."""

    @abstractmethod
    def is_changed(self, visit: FormVisit, answer: Answer) -> bool:
        """Return whether an answer says that the post is changed.

        False means that the form is to be filled in again. Raises what speaks against that.
        """

    @abstractmethod
    def pages(self, visit: FormVisit) -> Iterator[TopicPage]:
        """Yield the pages of the topic, newest posts first, as many as are looked through."""

    def leads_to_new_password(self, answer: Answer) -> bool:
        """Return whether the board shows the account nothing but a form for a new password."""
        return False

    def login_error(self, page: Page) -> str:
        """Return why a password was not accepted."""
        return self.reason_on(page)

    def login_expired(self, page: Page) -> bool:
        """Return whether the board refused the form to sign in before it looked at the password."""
        return False

    def refusal(self, page: Page) -> str:
        """Return why a page does not have the form of a reply or a change."""
        return self.reason_on(page) or _("This account may not write there.")

    def check(self, settings: Settings) -> dict[str, str]:
        """Implement `Transport.check`."""
        where = web_address(settings)
        topic, post = self.topic_in(where), self.post_in(where)
        if topic is not None:
            path = self.topic_path.format(number=topic)
        elif post is not None:
            path = self.post_path.format(number=post)
        else:
            raise no_topic(self.example)
        return {**member(settings), "address": f"{self.base_of(where)}{path}"}

    def send(self, settings: Settings, post: Letter, client: Client) -> Sent:
        """Implement `Transport.send`."""
        visit = FormVisit(self, settings, client)
        attempt = Attempt(visit.posting_form(), post)
        for _again in range(TRIES):
            form, letter = attempt.page.form(self.posting), attempt.letter
            assert form is not None
            answer = visit.submit(form, self.reply(form, letter.subject, letter.text))
            outcome = self.outcome(visit, letter, answer)
            if isinstance(outcome, Sent):
                return outcome
            attempt = outcome
        raise Later(self.pace, _("The board shows its form again and again."))

    def edit(
        self, settings: Settings, permalink: str, was: str, post: Letter, client: Client
    ) -> None:
        """Implement `Editing.edit`."""
        visit, number = FormVisit(self, settings, client), self.post_in(permalink)
        if number is None:
            raise no_post_in_link()
        for _again in range(TRIES):
            page = visit.as_member(self.edit_path.format(number=number))
            form = page.form(self.editing)
            if form is None:
                visit.must_be_open(page)
                raise Permanent(self.refusal(page))
            text = replaced(form.fields.get("message", ""), was, post.text)
            if text is None:
                return
            if self.is_changed(visit, visit.submit(form, self.change(form, post.subject, text))):
                return
        raise Later(self.pace, _("The board shows its form again and again."))

    def topic(self, settings: Settings, client: Client) -> Topic:
        """Implement `Showing.topic`."""
        visit, refusal = FormVisit(self, settings, client), ""
        if "password" in settings:
            try:
                visit.posting_form()
            except Permanent as error:
                refusal = str(error)
        page = visit.as_member(self.topic_path.format(number=visit.topic))
        shown = self.topic_shown(page)
        if shown is None:
            visit.must_be_open(page)
            raise no_such_topic(refusal or self.reason_on(page))
        board, title = shown
        return Topic(visit.topic_address, board, title, refusal)

    def find(self, settings: Settings, marker: str, client: Client) -> Sent | None:
        """Implement `Transport.find`: read as the member, newest pages first."""
        visit = FormVisit(self, settings, client)
        for number, shown in enumerate(self.pages(visit), 1):
            if not shown.posts:
                return self.find_unshown(visit, marker, shown.page)
            if marked := [post for post in shown.posts if holds(post.text, marker)]:
                first = min(marked, key=lambda post: post.number)
                state = AWAITING if first.waits else POSTED
                return Sent(self.permalink(visit, first.number), state)
            times = [post.at for post in shown.posts if post.at is not None and self.exact_times]
            if far_enough(number, min(times, default=None), client.now()):
                break
        return None

    def find_unshown(self, visit: FormVisit, marker: str, page: Page) -> Sent | None:
        """Do what `find` does where a page of the topic shows no posts. Raises `Unreadable`."""
        visit.must_be_open(page)
        raise Unreadable(self.reason_on(page) or _("The topic's posts cannot be read."))

    def read(
        self,
        settings: Settings,
        since: str,
        client: Client,
        *,
        again: bool = False,
        back_to: datetime | None = None,
    ) -> list[Heard]:
        """Implement `Readable.read`, as a guest."""
        visit = FormVisit(self, {"address": settings["address"]}, client)
        wanted = Wanted(int(since or 0), again, back_to)
        return wanted.among(self.read_pages(visit, wanted, {}))

    def read_pages(
        self, visit: FormVisit, wanted: Wanted, heard: dict[int, Heard]
    ) -> dict[int, Heard]:
        """Return the posts of the newest pages, as many as are wanted, by their numbers.

        Posts that are known already, in `heard`, stay as they are.
        """
        for shown in self.pages(visit):
            if not shown.posts:
                return self.read_unshown(visit, wanted, heard, shown.page)
            heard = {post.number: self._heard(visit, post) for post in shown.posts} | heard
            if wanted.reached(heard) and not (wanted.again and len(heard) < self.least_again):
                break
        return heard

    def read_unshown(
        self, visit: FormVisit, wanted: Wanted, heard: dict[int, Heard], page: Page
    ) -> dict[int, Heard]:
        """Do what `read` does where a page of the topic shows no posts. Raises `CannotRead`."""
        visit.must_be_open(page)
        raise CannotRead(self.reason_on(page) or _("Guests may not read this topic."))

    def _heard(self, visit: FormVisit, post: ShownPost) -> Heard:
        words, quoted = post.words
        return Heard(
            id=str(post.number),
            author=post.author,
            at=post.at,
            text=words,
            permalink=self.permalink(visit, post.number),
            quoted=quoted,
        )

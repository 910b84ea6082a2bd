"""The base class of transports to boards that accept posts only through forms: phpBB and MyBB.

A member fills in the board's forms. There is one attempt to sign in, and never a second attempt
with the same password: after some wrong passwords a board shows a captcha. The session is stored
with the client's cookies and used again. The module of a board declares its texts, paths and
selectors, and says how its pages are read.
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
from django.utils.translation import gettext_lazy, pgettext_lazy

from forum.boards import (
    AWAITING,
    POSTED,
    AccessRefused,
    BoardClosed,
    DoubtfulError,
    HeldApart,
    Letter,
    PermanentError,
    ReadPost,
    SearchError,
    SentPost,
    SettingField,
    Settings,
    TemporaryError,
    Topic,
    UnreadableAnswer,
)
from forum.boards.answers import (
    LONG,
    WantedPosts,
    answer_to_read,
    answer_to_write,
    board_page,
    get_as_guest,
    is_searched_enough,
    member_fields,
    no_post_in_link,
    no_such_topic,
    not_a_post,
    not_a_topic,
    web_address,
)
from forum.boards.markup import Form, Page, has_mark, own_words, replace_text, text_of
from outgoing.client import Answer, Client

TRIES = 3
"""The number of times that a form is filled in before the post is postponed."""
QUARTER = 15 * 60
"""The maximum number of seconds after which a topic is looked at again for another user's post."""
MEMBER = (
    SettingField("username", pgettext_lazy("field", "User name there")),
    SettingField("password", gettext_lazy("Password there"), secret=True, kind="password"),
)
AS_A_MEMBER = gettext_lazy(
    "You need a separate account on the board, and the forum owner’s permission to post "
    "automatically. The account signs in once, fills in the reply form as a person would, and "
    "looks for its mark before anything is sent again. If the board refuses the password, nothing "
    "is sent there until you allow it."
)
"""The description of a transport that fills in forms."""


def needs_of_member(example: str) -> tuple[SettingField, ...]:
    """Return the needs of a transport that fills in forms; `example` is a topic's address."""
    address = SettingField(
        "address", pgettext_lazy("field", "Address of the topic"), kind="url", help=example
    )
    return (address, *MEMBER)


@dataclass(frozen=True, slots=True)
class ShownPost:
    """A post on a page of its topic."""

    number: int
    author: str
    at: datetime | None
    content: Tag | None
    waits: bool = False
    """Whether only its writer sees the post until a moderator has approved it."""

    @property
    def text(self) -> str:
        """The whole text of the post, including quotations."""
        return text_of(self.content) if self.content else ""

    @property
    def words(self) -> tuple[str, str]:
        """The writer's own words, and the words that the post quotes."""
        return own_words(self.content) if self.content else ("", "")


@dataclass(frozen=True, slots=True)
class TopicPage:
    """A page of a topic, with the posts that it shows."""

    page: Page
    posts: list[ShownPost]


@dataclass(frozen=True, slots=True)
class Attempt:
    """The page with the form of a reply, and the letter for it."""

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
        """The topic's number. Asks the board if the address is that of a post."""
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

        Raises `AccessRefused` if the account's password has expired, so that the board shows only
        the form for a new one; otherwise the same errors as `answer_to_read`.
        """
        answer = answer_to_read(
            lambda: self.client.get(urljoin(self.base, path)),
            self.client.now(),
            self.board.message,
        )
        if self.board.leads_to_new_password(answer):
            raise AccessRefused(
                _(
                    "The password of this account has expired on the board. Choose a new one "
                    "there, then enter it here."
                )
            )
        return answer

    def page(self, path: str) -> Page:
        """Return a page of the board. Raises `BoardClosed` if the answer is no such page."""
        return board_page(self.get(path), self.board.signs)

    def as_member(self, path: str) -> Page:
        """Return a page, after signing in if it asks for that. It may still ask afterwards."""
        page = self.page(path)
        if self.board.asks_to_sign_in(page) and "password" in self.settings:
            self.sign_in()
            page = self.page(path)
        return page

    def submit(self, form: Form, fields: Mapping[str, str]) -> Answer:
        """Send a form after the pause that the board requires.

        Raises the errors of `answer_to_write`.
        """
        if self.board.pause:
            self.client.sleep(self.board.pause)
        return answer_to_write(
            lambda: self.client.post(form.action, data=fields), self.client.now()
        )

    def sign_in(self) -> None:
        """Sign in, in one attempt.

        Raises `AccessRefused` if the board refuses; only a person may order another attempt.
        """
        if self._tried_to_sign_in:
            raise TemporaryError(
                LONG, _("The board signs this account in and immediately out again.")
            )
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
            raise PermanentError(self.board.reason_on(page) or str(self.board.no_board))
        try:
            return self.submit(form, self.board.credentials(form, self.settings))
        except DoubtfulError as error:
            raise TemporaryError(LONG, str(error)) from None

    def _is_signed_in(self, answer: Answer) -> bool:
        cookies = {cookie.name: cookie.value or "" for cookie in self.client.cookies or ()}
        return self.board.is_signed_in(answer, cookies)

    def _refuse_sign_in(self, answer: Answer) -> None:
        """Raise the error for an answer to a password that did not sign the account in."""
        page = self.board.page_of_refused_login(answer)
        if self.board.login_form(page) is None:
            self.must_be_open(page)
        reason = self.board.login_error(page)
        # The board rejected the form and did not check the password.
        if self.board.login_expired(page):
            raise TemporaryError(LONG, reason)
        raise AccessRefused(
            _("The board refused to sign the account in: {said}").format(
                said=reason or f"HTTP {answer.status}"
            )
        )

    def posting_form(self) -> Page:
        """Return the page with the form of a reply. Raises the reason if there is no form."""
        path = self.board.reply_path.format(number=self.topic)
        page = self.as_member(path)
        if page.form(self.board.posting) is None:
            self.must_be_open(page)
            # The second request is for a board that has opened in between.
            page = self.as_member(path)
        if page.form(self.board.posting) is None:
            raise PermanentError(self.board.refusal(page))
        return page

    def must_be_open(self, page: Page) -> None:
        """Raise `BoardClosed` if the page's message is about the board, not a topic or account.

        This is the case if a guest gets the same message on the board's first page.
        """
        reason = self.board.reason_on(page)
        if page.status != 200 or not reason or page.form(self.board.form_within) is not None:
            return
        first = board_page(
            answer_to_read(
                lambda: get_as_guest(self.client, urljoin(self.base, "index.php")),
                self.client.now(),
                self.board.message,
            ),
            self.board.signs,
        )
        if self.board.reason_on(first) == reason:
            raise BoardClosed(LONG, reason)


class FormBoard(ABC):
    """The base class of transports that reply to a topic of a board by filling in forms."""

    key: ClassVar[str]
    name: Promise
    software: ClassVar[str]
    address_pattern: ClassVar[re.Pattern[str]]
    limit: ClassVar[int]
    dialect: ClassVar[str]
    pace: ClassVar[int]
    needs: ClassVar[Sequence[SettingField]]
    account = AS_A_MEMBER
    automatic: ClassVar[bool] = True
    veiled: ClassVar[bool] = True

    no_board: Promise
    """The message if an address does not lead to such a board."""
    example: ClassVar[str]
    """A topic's address, as an example for a person who gave an unsuitable address."""
    topic_path: ClassVar[str]
    """The path of a topic, with the placeholder `{number}`; the three paths below have it too."""
    post_path: ClassVar[str]
    reply_path: ClassVar[str]
    edit_path: ClassVar[str]
    login_path: ClassVar[str]

    posting: ClassVar[str]
    """A CSS selector of the form of a reply."""
    editing: ClassVar[str]
    """A CSS selector of the form that changes a post."""
    message: ClassVar[str]
    """A CSS selector of the board's message on a page of its own."""
    signs: ClassVar[str]
    """A CSS selector of elements that pages of such a board have and hardly any other page has."""
    form_within: ClassVar[str]
    """A CSS selector of a form that a page about the whole board does not have."""

    pause: ClassVar[float] = 0
    """The seconds between reading a form and sending it."""
    signs_in_afresh: ClassVar[bool] = False
    """Whether cookies of an earlier session prevent the account from signing in."""
    exact_times: ClassVar[bool] = True
    """Whether the times of posts are accurate to the day."""
    least_again: ClassVar[int] = 0
    """The minimum number of posts that are read again to see whether they were changed."""

    @abstractmethod
    def base_of(self, address: str) -> str:
        """Return the board's folder from any address on it, with a slash at its end."""

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
        """Return the error message on the page; empty if it has none."""

    @abstractmethod
    def login_form(self, page: Page) -> Form | None:
        """Return the form to sign in."""

    @abstractmethod
    def credentials(self, form: Form, settings: Settings) -> dict[str, str]:
        """Return the form to sign in, filled in."""

    @abstractmethod
    def asks_to_sign_in(self, page: Page) -> bool:
        """Return whether a page has a form to sign in instead of the requested content."""

    @abstractmethod
    def is_signed_in(self, answer: Answer, cookies: Mapping[str, str]) -> bool:
        """Return whether a password was accepted, by the answer and the cookies after it."""

    @abstractmethod
    def page_of_refused_login(self, answer: Answer) -> Page:
        """Return the answer to a password that was not accepted. May raise `BoardClosed`."""

    @abstractmethod
    def reply(self, form: Form, subject: str, text: str) -> dict[str, str]:
        """Return the form of a reply, filled in."""

    @abstractmethod
    def change(self, form: Form, subject: str, text: str) -> dict[str, str]:
        """Return the form that changes a post, filled in."""

    @abstractmethod
    def outcome(self, visit: FormVisit, letter: Letter, answer: Answer) -> SentPost | Attempt:
        """Return the result of a reply: a post, or the next attempt. Raises the error otherwise."""

    @abstractmethod
    def is_changed(self, visit: FormVisit, answer: Answer) -> bool:
        """Return whether an answer says that the post is changed.

        False means that the form has to be filled in again. Raises an error if the change is
        impossible.
        """

    @abstractmethod
    def pages(self, visit: FormVisit) -> Iterator[TopicPage]:
        """Yield the pages of the topic that are searched, newest posts first."""

    def leads_to_new_password(self, answer: Answer) -> bool:
        """Return whether the board shows the account only a form for a new password."""
        return False

    def login_error(self, page: Page) -> str:
        """Return why a password was not accepted."""
        return self.reason_on(page)

    def login_expired(self, page: Page) -> bool:
        """Return whether the board rejected the form to sign in before it checked the password."""
        return False

    def is_last(self, visit: FormVisit, page: Page) -> bool:
        """Return whether the account may have written the topic's newest post."""
        return True

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
            raise not_a_topic(self.example)
        return {**member_fields(settings), "address": f"{self.base_of(where)}{path}"}

    def send(self, settings: Settings, post: Letter, client: Client) -> SentPost:
        """Implement `Transport.send`."""
        visit = FormVisit(self, settings, client)
        attempt = Attempt(visit.posting_form(), post)
        until = post.apart_until
        if until is not None and until > client.now() and self.is_last(visit, attempt.page):
            seconds = min((until - client.now()).total_seconds() + 1, QUARTER)
            raise HeldApart(seconds, _("The board joins two consecutive posts by one user."))
        for _again in range(TRIES):
            form, letter = attempt.page.form(self.posting), attempt.letter
            assert form is not None
            answer = visit.submit(form, self.reply(form, letter.subject, letter.text))
            outcome = self.outcome(visit, letter, answer)
            if isinstance(outcome, SentPost):
                return outcome
            attempt = outcome
        raise TemporaryError(self.pace, _("The board keeps showing its form again."))

    def must_be_post(self, settings: Settings, address: str) -> None:
        """Implement `EditsPosts.must_be_post`."""
        is_here = self.base_of(address) == self.base_of(settings["address"])
        if not is_here or self.post_in(address) is None:
            raise not_a_post()

    def edit(
        self, settings: Settings, permalink: str, was: str, post: Letter, client: Client
    ) -> None:
        """Implement `EditsPosts.edit`."""
        visit, number = FormVisit(self, settings, client), self.post_in(permalink)
        if number is None:
            raise no_post_in_link()
        for _again in range(TRIES):
            page = visit.as_member(self.edit_path.format(number=number))
            form = page.form(self.editing)
            if form is None:
                visit.must_be_open(page)
                raise PermanentError(self.refusal(page))
            text = replace_text(form.fields.get("message", ""), was, post.text)
            if text is None:
                return
            if self.is_changed(visit, visit.submit(form, self.change(form, post.subject, text))):
                return
        raise TemporaryError(self.pace, _("The board keeps showing its form again."))

    def topic(self, settings: Settings, client: Client) -> Topic:
        """Implement `ShowsTopic.topic`."""
        visit, refusal = FormVisit(self, settings, client), ""
        if "password" in settings:
            try:
                visit.posting_form()
            except PermanentError as error:
                refusal = str(error)
        page = visit.as_member(self.topic_path.format(number=visit.topic))
        shown = self.topic_shown(page)
        if shown is None:
            visit.must_be_open(page)
            raise no_such_topic(refusal or self.reason_on(page))
        board, title = shown
        return Topic(visit.topic_address, board, title, refusal)

    def find(self, settings: Settings, marker: str, client: Client) -> SentPost | None:
        """Implement `Transport.find`: read as the member, newest pages first."""
        visit = FormVisit(self, settings, client)
        for number, shown in enumerate(self.pages(visit), 1):
            if not shown.posts:
                return self.find_unshown(visit, marker, shown.page)
            if marked := [post for post in shown.posts if has_mark(post.text, marker)]:
                first = min(marked, key=lambda post: post.number)
                state = AWAITING if first.waits else POSTED
                return SentPost(self.permalink(visit, first.number), state)
            times = [post.at for post in shown.posts if post.at is not None and self.exact_times]
            if is_searched_enough(number, min(times, default=None), client.now()):
                break
        return None

    def find_unshown(self, visit: FormVisit, marker: str, page: Page) -> SentPost | None:
        """Finish `find` if a page of the topic shows no posts. Raises `UnreadableAnswer`."""
        visit.must_be_open(page)
        raise UnreadableAnswer(self.reason_on(page) or _("The topic’s posts cannot be read."))

    def read(
        self,
        settings: Settings,
        since: str,
        client: Client,
        *,
        again: bool = False,
        back_to: datetime | None = None,
    ) -> list[ReadPost]:
        """Implement `ReadsPosts.read` as a guest."""
        visit = FormVisit(self, {"address": settings["address"]}, client)
        wanted = WantedPosts(int(since or 0), again, back_to)
        return wanted.among(self.read_pages(visit, wanted, {}))

    def read_pages(
        self, visit: FormVisit, wanted: WantedPosts, read_posts: dict[int, ReadPost]
    ) -> dict[int, ReadPost]:
        """Return as many posts of the newest pages as are wanted, by their numbers.

        Posts in `heard`, which are known already, are not replaced.
        """
        for shown in self.pages(visit):
            if not shown.posts:
                return self.read_unshown(visit, wanted, read_posts, shown.page)
            read_posts = {
                post.number: self._as_read_post(visit, post) for post in shown.posts
            } | read_posts
            if wanted.reached(read_posts) and not (
                wanted.again and len(read_posts) < self.least_again
            ):
                break
        return read_posts

    def read_unshown(
        self, visit: FormVisit, wanted: WantedPosts, read_posts: dict[int, ReadPost], page: Page
    ) -> dict[int, ReadPost]:
        """Finish `read` if a page of the topic shows no posts. Raises `SearchError`."""
        visit.must_be_open(page)
        raise SearchError(self.reason_on(page) or _("Guests may not read this topic."))

    def _as_read_post(self, visit: FormVisit, post: ShownPost) -> ReadPost:
        words, quoted = post.words
        return ReadPost(
            id=str(post.number),
            author=post.author,
            at=post.at,
            text=words,
            permalink=self.permalink(visit, post.number),
            quoted=quoted,
        )

"""The transport to MyBB 1.8, which posts as a member who fills in forms.

A success is a page that redirects to the post, or a 302 if the board is configured so. A board may
join a reply with the member's previous post: two parts of a report then have the same address. The
form of a reply shows who wrote last.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import ClassVar
from urllib.parse import urljoin, urlsplit

from bs4 import BeautifulSoup, Tag
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from forum.boards import (
    AWAITING,
    DoubtfulError,
    Letter,
    PermanentError,
    SentPost,
    SettingField,
    Settings,
    TooSoonError,
    TransportError,
    UnclearError,
)
from forum.boards.answers import MOST_PAGES, SOON, board_page
from forum.boards.form_board import (
    Attempt,
    FormBoard,
    FormVisit,
    ShownPost,
    TopicPage,
    needs_of_member,
)
from forum.boards.markup import Form, Page, number_in, one_line, shorten
from outgoing.client import Answer

FLOOD = 60
SUBJECT = 80
POSTING = 'form[name="input"]'
LOGIN = 'form:has(input[name="username"]):has(input[name="action"][value="do_login"])'
EDITING = 'form:has(textarea[name="message"])'
MESSAGE = "td.trow1"
REVIEW = f"{POSTING} ~ table td.tcat strong"
"""The writer of the newest post, below the form of a reply."""

_FLOOD = re.compile(r"too quickly", re.IGNORECASE)
_WAIT = re.compile(r"(\d{1,5}) more second")
_MISMATCH = re.compile(r"authorization code mismatch", re.IGNORECASE)
_TWICE = re.compile(r"already posted this reply", re.IGNORECASE)
_LENGTH = re.compile(r"message is too (long|short)", re.IGNORECASE)
_THREAD = re.compile(r"/thread-(\d+)")
_BODY = re.compile(r"^pid_\d+$")
_POST = re.compile(r"[?&#]pid=?(\d{1,10})(?!\d)")
_DATE = re.compile(r"(\d{2}-\d{2}-\d{4}), (\d{2}:\d{2} [AP]M)")
_POST_PAGE = re.compile(r"/(?:thread-\d+-)?post-(\d+)")


class Mybb(FormBoard):
    """The transport to a topic, which MyBB calls a thread."""

    key: ClassVar[str] = "mybb"
    name = gettext_lazy("MyBB 1.8")
    software: ClassVar[str] = "MyBB"
    address_pattern: ClassVar[re.Pattern[str]] = re.compile(
        r"/(showthread\.php\?(.*&)?[tp]id=|thread-|post-)\d", re.IGNORECASE
    )
    dialect: ClassVar[str] = "mybb"
    limit: ClassVar[int] = 65_535
    pace: ClassVar[int] = FLOOD
    example: ClassVar[str] = "https://…/showthread.php?tid=12"
    needs: ClassVar[Sequence[SettingField]] = needs_of_member(example)
    no_board = gettext_lazy("There is no MyBB at this address.")

    topic_path: ClassVar[str] = "showthread.php?tid={number}"
    post_path: ClassVar[str] = "showthread.php?pid={number}"
    reply_path: ClassVar[str] = "newreply.php?tid={number}"
    edit_path: ClassVar[str] = "editpost.php?pid={number}"
    login_path: ClassVar[str] = "member.php?action=login"
    posting: ClassVar[str] = POSTING
    editing: ClassVar[str] = EDITING
    message: ClassVar[str] = MESSAGE
    signs: ClassVar[str] = (
        f"{POSTING}, {EDITING}, {MESSAGE}, #posts, div.error, "
        'form input[name="my_post_key"], .tborder'
    )
    form_within: ClassVar[str] = POSTING
    signs_in_afresh: ClassVar[bool] = True
    """An outdated key in a cookie would prevent the board from asking to sign in again."""
    exact_times: ClassVar[bool] = False
    joining_minutes: ClassVar[int] = 60
    least_again: ClassVar[int] = 10
    """The newest page may have only one post."""

    # Reading addresses and pages

    def base_of(self, address: str) -> str:
        """Return `/forum/` of `/forum/showthread.php?tid=7` or `/forum/thread-7.html`."""
        parts = urlsplit(address)
        path = re.sub(r"[^/]*\.(php|html)$", "", parts.path)
        return f"{parts.scheme}://{parts.netloc}{path.rstrip('/')}/"

    def topic_in(self, address: str) -> int | None:
        """Return the number of the topic, in either form that its address may have."""
        match = _THREAD.search(urlsplit(address).path)
        return number_in(address, "tid") or (int(match[1]) if match else None)

    def post_in(self, address: str) -> int | None:
        """Return the number of the post, in either form that its address may have."""
        match = _POST_PAGE.search(urlsplit(address).path)
        return number_in(address, "pid") or (int(match[1]) if match else None)

    def permalink(self, visit: FormVisit, post: int) -> str:
        """Return the link to a post in its topic."""
        return f"{visit.topic_address}&pid={post}#pid{post}"

    def topic_on(self, page: Page) -> int | None:
        """Return the number of the topic from the links of a page that shows posts."""
        if not _shows_posts(page):
            return None
        for link in page.soup.select(
            'a[href*="newreply.php"], #posts a[href*="showthread.php"], link[rel="canonical"]'
        ):
            number = self.topic_in(urljoin(page.answer.url, str(link.get("href") or "")))
            if number is not None:
                return number
        return None

    def topic_shown(self, page: Page) -> tuple[str, str] | None:
        """Return the names of board and topic from the breadcrumbs above the posts."""
        if not _shows_posts(page):
            return None
        board = page.soup.select_one(".navigation a")
        title = page.text_at(".navigation .active") or page.text_at("title")
        return one_line(board.get_text()) if board else "", title

    def reason_on(self, page: Page) -> str:
        """Return the error message on the page, without the labels of its forms."""
        if errors := page.text_at("div.error li"):
            return errors
        texts = []
        for cell in page.soup.select(MESSAGE):
            if cell.find_parent("form") is None and cell.find_parent(id="quick_login") is None:
                words = BeautifulSoup(str(cell), "html.parser")
                for inner in words.select("form, table, script"):
                    inner.decompose()
                texts.append(words.get_text(" "))
        return one_line(" ".join(texts))

    # Signing in

    def login_form(self, page: Page) -> Form | None:
        """Return the form to sign in; otherwise the short one, which most pages show to guests."""
        if (whole := page.form(LOGIN)) is not None:
            return whole
        for tag in page.soup.select('form input[name="action"][value="do_login"]'):
            form = tag.find_parent("form")
            if form is not None and form.get("action"):
                key = form.select_one('input[name="my_post_key"]')
                fields = {"my_post_key": str(key.get("value") or "")} if key else {}
                return Form(urljoin(page.answer.url, str(form["action"])), fields | {"url": ""})
        return None

    def credentials(self, form: Form, settings: Settings) -> dict[str, str]:
        """Return the form to sign in, filled in for a permanent session."""
        return form.fields | {
            "action": "do_login",
            "username": settings["username"],
            "password": settings["password"],
            "remember": "yes",
        }

    def asks_to_sign_in(self, page: Page) -> bool:
        """Return whether a page has a form to sign in, but no posts and no other form."""
        for_members = page.form(POSTING) or page.form(EDITING)
        return for_members is None and not _shows_posts(page) and self.login_form(page) is not None

    def is_signed_in(self, answer: Answer, cookies: Mapping[str, str]) -> bool:
        """Return whether the cookie of a member is set."""
        return bool(cookies.get("mybbuser"))

    def page_of_refused_login(self, answer: Answer) -> Page:
        """Return the answer to a password that was not accepted."""
        return board_page(answer, self.signs) if answer.status == 200 else Page(answer)

    # Writing

    def reply(self, form: Form, subject: str, text: str) -> dict[str, str]:
        """Return the form of a reply, filled in. An empty subject leaves the board's own."""
        title = {"subject": shorten(subject, SUBJECT)} if subject else {}
        return form.fields | {"message": text} | title

    def change(self, form: Form, subject: str, text: str) -> dict[str, str]:
        """Return the form that changes a post, filled in. The subject remains."""
        return form.fields | {"message": text}

    def is_last(self, visit: FormVisit, page: Page) -> bool:
        """Return whether no other user's name is above the newest post below the form."""
        newest = page.soup.select_one(REVIEW)
        name = re.escape(visit.settings["username"])
        return newest is None or bool(
            re.search(rf"(?<!\w){name}(?!\w)", newest.get_text(), re.IGNORECASE)
        )

    def outcome(self, visit: FormVisit, letter: Letter, answer: Answer) -> SentPost | Attempt:
        """Return the result of a reply: a post, or the next attempt. Raises the error otherwise."""
        page = Page(answer)
        if location := _leads_to(page):
            return self._posted(visit, location)
        reason = self.reason_on(page)
        if _FLOOD.search(reason):
            match = _WAIT.search(reason)
            raise TooSoonError(int(match[1]) + 1 if match else FLOOD, reason)
        # A post that the board has but does not show waits for a moderator.
        if _TWICE.search(reason):
            sent = self.find(visit.settings, letter.marker, visit.client)
            return sent or SentPost("", AWAITING)
        if _LENGTH.search(reason):
            raise PermanentError(reason)
        if page.form(POSTING) is not None:
            raise UnclearError(SOON, reason or _("The board shows its form again."))
        if not self._session_ended(page, reason):
            return self._refused(visit, letter, page, reason)
        return Attempt(visit.posting_form(), letter)

    def _session_ended(self, page: Page, reason: str) -> bool:
        """Return whether the session, and with it the form's key, has expired meanwhile."""
        return _MISMATCH.search(reason) is not None or self.login_form(page) is not None

    def _refused(self, visit: FormVisit, letter: Letter, page: Page, reason: str) -> SentPost:
        """Return the post if a page without a form means that the reply exists already.

        Boards say that in any language. Other pages without a form are refusals.
        """
        if not reason:
            raise DoubtfulError(_("The board’s answer cannot be read."))
        visit.must_be_open(page)
        with suppress(TransportError):
            if (sent := self.find(visit.settings, letter.marker, visit.client)) is not None:
                return sent
        # This raises the reason if the account cannot reply. If it does not, the board was closed
        # for a moment.
        visit.posting_form()
        raise UnclearError(SOON, reason)

    def _posted(self, visit: FormVisit, location: str) -> SentPost:
        if match := _POST.search(location):
            return SentPost(self.permalink(visit, int(match[1])))
        if _is_topic(location):
            return SentPost("", AWAITING)
        raise DoubtfulError(_("The board redirected to a page without the post."))

    def is_changed(self, visit: FormVisit, answer: Answer) -> bool:
        """Return whether the answer says that the post is changed. Raises the reason if not."""
        page = Page(answer)
        if _is_topic(_leads_to(page)):
            return True
        reason = self.reason_on(page)
        if _LENGTH.search(reason):
            raise PermanentError(reason)
        if not self._session_ended(page, reason):
            visit.must_be_open(board_page(answer, self.signs))
            raise UnclearError(SOON, reason or _("The board shows its form again."))
        return False

    # Reading the topic

    def pages(self, visit: FormVisit) -> Iterator[TopicPage]:
        """Yield the pages of the topic from the last one backwards."""
        where, last = "last", 1
        for back in range(MOST_PAGES):
            topic = self.topic_path.format(number=visit.topic)
            page = visit.as_member(f"{topic}&mode=linear&page={where}")
            if back == 0:
                last = _current(page)
            yield TopicPage(page, _posts_on(page, visit.client.now()))
            if last - back <= 1:
                return
            where = str(last - back - 1)


def _leads_to(page: Page) -> str:
    """Return the address to which an answer redirects; empty if it does not."""
    if 300 <= page.status < 400:
        return str(page.answer.headers.get("location") or "")
    return page.leads_to()


def _is_topic(location: str) -> bool:
    return "showthread" in location or _THREAD.search(location) is not None


def _shows_posts(page: Page) -> bool:
    return page.soup.find("div", id=_BODY) is not None


def _current(page: Page) -> int:
    """Return the number of the shown page, which is the last page if that was requested."""
    current = page.soup.select_one(".pagination .pagination_current")
    return int(current.get_text()) if current and current.get_text().isdigit() else 1


def _posts_on(page: Page, now: datetime) -> list[ShownPost]:
    """Return the posts of a topic's page, in its order."""
    posts = []
    for body in page.soup.find_all("div", id=_BODY):
        post = body.find_parent("div", id=re.compile(r"^post_\d+$"))
        author = post.select_one(".author_information .largetext") if post else None
        date = post.select_one(".post_date") if post else None
        posts.append(
            ShownPost(
                number=int(str(body["id"])[4:]),
                author=one_line(author.get_text(" ")) if author else "",
                at=_time(date, now),
                content=body,
                waits=body.find_parent(class_="unapproved_post") is not None,
            )
        )
    return posts


def _time(date: Tag | None, now: datetime) -> datetime | None:
    """Return when a post was written, in the default format of boards: "11-22-2026, 09:18 PM".

    The board's clock is assumed to be UTC. Returns None if a board writes its times in another way,
    or if the time is in the future.
    """
    if date is None:
        return None
    text = " ".join(
        [
            *(str(element.get("title") or "") for element in date.select("[title]")),
            date.get_text(" "),
        ]
    )
    match = _DATE.search(text)
    try:
        at = (
            datetime.strptime(f"{match[1]} {match[2]}", "%m-%d-%Y %I:%M %p").replace(tzinfo=UTC)
            if match
            else None
        )
    except ValueError:
        return None
    return at if at is not None and at <= now + timedelta(hours=14) else None

"""MyBB 1.8, as a member who fills in its forms.

Success is a page that leads on to the post, or a 302 where the board is set so. A reply after one's
own may be put into that post: two parts of a report then have one address.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from http.cookiejar import CookieJar
from typing import ClassVar
from urllib.parse import urljoin, urlsplit

from bs4 import BeautifulSoup, Tag
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
    TooSoon,
    Topic,
    TransportError,
    Unclear,
    Unreadable,
    register,
)
from forum.boards.forms import (
    AS_A_MEMBER,
    LONG,
    MEMBER,
    MOST_PAGES,
    SOON,
    Form,
    Page,
    as_guest,
    board_page,
    holds,
    member,
    no_such_topic,
    no_topic,
    number_in,
    one_line,
    own_words,
    reading,
    replaced,
    shortened,
    text_of,
    web_address,
    writing,
)
from outgoing.client import Answer, Client

FLOOD = 60
SUBJECT = 80
TRIES = 3
LEAST_AGAIN = 10
"""Posts that are read again, at least, to see whether they were changed."""
POSTING = 'form[name="input"]'
EDITING = 'form[name="editpost"]'
MESSAGE = "td.trow1"
SIGNS = (
    f'{POSTING}, {EDITING}, {MESSAGE}, #posts, div.error, form input[name="my_post_key"], .tborder'
)
"""What stands on a page of MyBB and hardly on any other."""

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


def post_in(address: str) -> int | None:
    """The post's number, in either form its address may have."""
    match = _POST_PAGE.search(urlsplit(address).path)
    return number_in(address, "pid") or (int(match[1]) if match else None)


def place(address: str) -> tuple[str, int | None]:
    """The board's folder with a slash at its end, and the thread's number, of an address in either
    form it may have: None where it names a post only.
    """
    parts = urlsplit(address)
    match = _THREAD.search(parts.path)
    path = re.sub(r"[^/]*\.(php|html)$", "", parts.path)
    number = number_in(address, "tid") or (int(match[1]) if match else None)
    return f"{parts.scheme}://{parts.netloc}{path.rstrip('/')}/", number


class Visit:
    """A member at a board, from form to form."""

    def __init__(self, settings: Settings, client: Client) -> None:
        self.base, self._thread = place(settings["address"])
        self.settings = settings
        self.client = client
        if client.cookies is None:
            client.cookies = CookieJar()
        self.asked = False

    @property
    def thread(self) -> int:
        """Asks the board where the address is of a post."""
        if self._thread is None:
            self._thread = thread_with(self.settings["address"], self.as_member)
        return self._thread

    def page(self, path: str) -> Page:
        return _get(self.client, self.base, path)

    def permalink(self, post: int) -> str:
        return urljoin(self.base, f"showthread.php?tid={self.thread}&pid={post}#pid{post}")

    @property
    def member(self) -> bool:
        return any(
            cookie.name == "mybbuser" and cookie.value for cookie in self.client.cookies or ()
        )

    def sign_in(self) -> None:
        """One attempt. Raises `Locked` when the board refuses."""
        if self.asked:
            raise Later(LONG, _("The board signs this account in and signs it out at once."))
        self.asked = True
        self.forget()
        page = self.page("member.php?action=login")
        form = login_form(page)
        if form is None:
            must_be_open(page, self.base, self.client)
            raise Permanent(reason_on(page) or _("There is no MyBB at this address."))
        sent: dict[str, str] = {
            name: form.fields[name] for name in ("my_post_key", "url") if name in form.fields
        }
        sent |= {
            "action": "do_login",
            "username": self.settings["username"],
            "password": self.settings["password"],
            "remember": "yes",
        }
        try:
            answer = writing(lambda: self.client.post(form.action, data=sent), self.client.now())
        except Doubtful as error:
            raise Later(LONG, str(error)) from None
        if not self.member:
            page = board_page(answer, SIGNS) if answer.status == 200 else Page(answer)
            if login_form(page) is None:
                must_be_open(page, self.base, self.client)
            reason = reason_on(page)
            raise Locked(
                _("The board refused to sign the account in: {said}").format(
                    said=reason or f"HTTP {answer.status}"
                )
            )

    def forget(self) -> None:
        """A key that the board no longer knows would keep it from asking for another."""
        assert self.client.cookies is not None
        self.client.cookies.clear()

    def posting_form(self) -> Page:
        path = f"newreply.php?tid={self.thread}"
        page = self.as_member(path)
        if page.form(POSTING) is None:
            must_be_open(page, self.base, self.client)
            page = self.as_member(path)  # asked twice: the board may have opened in between
        if page.form(POSTING) is None:
            raise Permanent(reason_on(page) or _("This account may not write there."))
        return page

    def as_member(self, path: str) -> Page:
        page = self.page(path)
        if not member_page(page) and login_form(page) is not None and "password" in self.settings:
            self.sign_in()
            page = self.page(path)
        return page


def _current(page: Page) -> int:
    """The number of the page that is shown, which is the last one where that was asked for."""
    current = page.soup.select_one(".pagination .pagination_current")
    return int(current.get_text()) if current and current.get_text().isdigit() else 1


def _posts_on(page: Page, visit: Visit) -> list[Heard]:
    posts = []
    for body in page.soup.find_all("div", id=_BODY):
        number, post = (
            int(str(body["id"])[4:]),
            body.find_parent("div", id=re.compile(r"^post_\d+$")),
        )
        author = post.select_one(".author_information .largetext") if post else None
        date = post.select_one(".post_date") if post else None
        words, quoted = own_words(body)
        name = one_line(author.get_text(" ")) if author else ""
        posts.append(
            Heard(
                str(number),
                name,
                _time(date, visit.client.now()),
                words,
                visit.permalink(number),
                quoted,
            )
        )
    return posts


def _time(date: Tag | None, now: datetime) -> datetime | None:
    """When a post was written, as boards come: "11-22-2026, 09:18 PM", by the board's clock, which
    is taken for UTC; None where a board writes its times in another way, or a time would be still
    to come.
    """
    if date is None:
        return None
    text = " ".join(
        [*(str(one.get("title") or "") for one in date.select("[title]")), date.get_text(" ")]
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


def member_page(page: Page) -> bool:
    """Is there something to read or to fill in, rather than a form to sign in?"""
    return page.form(POSTING) is not None or page.soup.find("div", id=_BODY) is not None


def thread_with(address: str, ask: Callable[[str], Page]) -> int:
    """The thread's number: the address's own, else that of the thread in which its post stands.
    Raises `Permanent`.
    """
    number = place(address)[1]
    if number is not None:
        return number
    page = ask(f"showthread.php?pid={post_in(address)}")
    if page.soup.find("div", id=_BODY) is not None:
        for link in page.soup.select(
            'a[href*="newreply.php"], #posts a[href*="showthread.php"], link[rel="canonical"]'
        ):
            number = place(urljoin(page.answer.url, str(link.get("href") or "")))[1]
            if number is not None:
                return number
    raise no_such_topic(reason_on(page))


def _get(client: Client, base: str, path: str) -> Page:
    return board_page(
        reading(lambda: client.get(urljoin(base, path)), client.now(), MESSAGE), SIGNS
    )


def reason_on(page: Page) -> str:
    """What the page says went wrong, without the labels of its forms; "" where it says nothing."""
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


def must_be_open(page: Page, base: str, client: Client) -> None:
    """Raises `Closed` where the board answers a guest who asks for its first page in the same
    words: they are about the board, not about the thread or the account.
    """
    reason = reason_on(page)
    if page.status != 200 or not reason or page.form(POSTING) is not None:
        return
    first = board_page(
        reading(lambda: as_guest(client, urljoin(base, "index.php")), client.now(), MESSAGE), SIGNS
    )
    if reason_on(first) == reason:
        raise Closed(LONG, reason)


def login_form(page: Page) -> Form | None:
    for tag in page.soup.select('form input[name="action"][value="do_login"]'):
        form = tag.find_parent("form")
        if form is not None and form.get("action"):
            key = form.select_one('input[name="my_post_key"]')
            fields = {"my_post_key": str(key.get("value") or "")} if key else {}
            return Form(urljoin(page.answer.url, str(form["action"])), fields | {"url": ""})
    return None


@register
class Mybb:
    """Replies to one thread."""

    key: ClassVar[str] = "mybb"
    name = gettext_lazy("MyBB 1.8")
    dialect: ClassVar[str] = "mybb"
    limit: ClassVar[int] = 65_535
    pace: ClassVar[int] = FLOOD
    automatic: ClassVar[bool] = True
    veiled: ClassVar[bool] = True
    needs: ClassVar[Sequence[Need]] = (
        Need(
            "address",
            gettext_lazy("Address of the topic"),
            kind="url",
            help="https://…/showthread.php?tid=12",
        ),
        *MEMBER,
    )
    account = AS_A_MEMBER

    def check(self, settings: Settings) -> dict[str, str]:
        where = web_address(settings)
        (base, thread), post = place(where), post_in(where)
        if thread is None and post is None:
            raise no_topic("https://…/showthread.php?tid=12")
        query = f"tid={thread}" if thread is not None else f"pid={post}"
        return {**member(settings), "address": f"{base}showthread.php?{query}"}

    def send(self, settings: Settings, post: Letter, client: Client) -> Sent:
        visit = Visit(settings, client)
        page = visit.posting_form()
        for _again in range(TRIES):
            form = page.form(POSTING)
            assert form is not None
            data = (
                form.fields
                | {"message": post.text}
                | ({"subject": shortened(post.subject, SUBJECT)} if post.subject else {})
            )
            answer = writing(
                lambda to=form.action, data=data: client.post(to, data=data),  # type: ignore[misc]
                client.now(),
            )
            page = Page(answer)
            location = (
                str(answer.headers.get("location") or "")
                if 300 <= answer.status < 400
                else page.leads_to()
            )
            if location:
                return self._posted(visit, location)
            reason = reason_on(page)
            if _FLOOD.search(reason):
                match = _WAIT.search(reason)
                raise TooSoon(int(match[1]) + 1 if match else FLOOD, reason)
            if _TWICE.search(reason):  # what is there and not seen waits for a moderator
                return self.find(settings, post.marker, client) or Sent("", AWAITING)
            if _LENGTH.search(reason):
                raise Permanent(reason)
            if page.form(POSTING) is not None:
                raise Unclear(SOON, reason or _("The board shows its form again."))
            if not (_MISMATCH.search(reason) or login_form(page) is not None):
                return self._refused(visit, post, answer, reason)
            page = visit.posting_form()  # the session ended under our hands, and the key with it
        raise Later(FLOOD, _("The board shows its form again and again."))

    def _refused(self, visit: Visit, post: Letter, answer: Answer, reason: str) -> Sent:
        """A page without a form refuses for good, unless it says in some language that the reply is
        there already.
        """
        if not reason:
            raise Doubtful(_("The board's answer cannot be read."))
        must_be_open(Page(answer), visit.base, visit.client)
        with suppress(TransportError):
            if (sent := self.find(visit.settings, post.marker, visit.client)) is not None:
                return sent
        # raises what keeps one from replying; else the board was closed for a moment
        visit.posting_form()
        raise Unclear(SOON, reason)

    def _posted(self, visit: Visit, location: str) -> Sent:
        if match := _POST.search(location):
            return Sent(visit.permalink(int(match[1])))
        if "showthread" in location or _THREAD.search(location):
            return Sent("", AWAITING)
        raise Doubtful(_("The board led to a page where no post is."))

    def edit(
        self, settings: Settings, permalink: str, was: str, post: Letter, client: Client
    ) -> None:
        visit, number = Visit(settings, client), post_in(permalink)
        if number is None:
            raise Permanent(
                _("The post’s link does not say which post it is. Change it there yourself.")
            )
        for _again in range(TRIES):
            page = visit.page(f"editpost.php?pid={number}")
            form = page.form(EDITING)
            if form is None and login_form(page) is not None and not visit.asked:
                visit.sign_in()
                page = visit.page(f"editpost.php?pid={number}")
                form = page.form(EDITING)
            if form is None:
                must_be_open(page, visit.base, client)
                raise Permanent(reason_on(page) or _("This account may not write there."))
            text = replaced(form.fields.get("message", ""), was, post.text)
            if text is None:
                return
            data = form.fields | {"message": text}
            answer = writing(
                lambda to=form.action, data=data: client.post(to, data=data),  # type: ignore[misc]
                client.now(),
            )
            page = Page(answer)
            location = (
                str(answer.headers.get("location") or "")
                if 300 <= answer.status < 400
                else page.leads_to()
            )
            if "showthread" in location or _THREAD.search(location):
                return
            reason = reason_on(page)
            if _LENGTH.search(reason):
                raise Permanent(reason)
            if not (_MISMATCH.search(reason) or login_form(page) is not None):
                must_be_open(board_page(answer, SIGNS), visit.base, client)
                raise Unclear(SOON, reason or _("The board shows its form again."))
        raise Later(FLOOD, _("The board shows its form again and again."))

    def topic(self, settings: Settings, client: Client) -> Topic:
        visit, refusal = Visit(settings, client), ""
        if "password" in settings:
            try:
                visit.posting_form()
            except Permanent as error:
                refusal = str(error)
        page = visit.as_member(f"showthread.php?tid={visit.thread}")
        if page.soup.find("div", id=_BODY) is None:
            must_be_open(page, visit.base, client)
            raise no_such_topic(refusal or reason_on(page))
        board, title = (
            page.soup.select_one(".navigation a"),
            page.text_at(".navigation .active") or page.text_at("title"),
        )
        address = urljoin(visit.base, f"showthread.php?tid={visit.thread}")
        return Topic(address, one_line(board.get_text()) if board else "", title, refusal)

    def read(
        self,
        settings: Settings,
        since: str,
        client: Client,
        *,
        again: bool = False,
        back_to: datetime | None = None,
    ) -> list[Heard]:
        """As a guest. The newest page may hold one post only: the one before it is read, too, where
        old ones count.
        """
        visit = Visit({"address": settings["address"]}, client)
        heard, where, last = dict[int, Heard](), "last", 1
        for back in range(MOST_PAGES):
            page = visit.page(f"showthread.php?tid={visit.thread}&mode=linear&page={where}")
            posts = {int(one.id): one for one in _posts_on(page, visit)}
            if not posts:
                must_be_open(page, visit.base, client)
                raise CannotRead(reason_on(page) or _("Guests may not read this topic."))
            heard |= posts
            if back == 0:
                last = _current(page)
            oldest = heard[min(heard)].at
            done = (
                min(heard) <= int(since)
                if since
                else back_to is None or oldest is None or oldest < back_to
            )
            if last - back <= 1 or (done and not (again and len(heard) < LEAST_AGAIN)):
                break
            where = str(last - back - 1)
        return [heard[number] for number in sorted(heard) if again or number > int(since or 0)]

    def find(self, settings: Settings, marker: str, client: Client) -> Sent | None:
        """The last pages, read as the member."""
        visit = Visit(settings, client)
        where, last = "last", 1
        for back in range(MOST_PAGES):
            path = f"showthread.php?tid={visit.thread}&mode=linear&page={where}"
            page = visit.page(path)
            posts = page.soup.find_all("div", id=_BODY)
            if not posts and login_form(page) is not None and not visit.asked:
                visit.sign_in()
                page = visit.page(path)
                posts = page.soup.find_all("div", id=_BODY)
            if not posts:
                must_be_open(page, visit.base, client)
                raise Unreadable(reason_on(page) or _("The topic's posts cannot be read."))
            if marked := [one for one in posts if holds(text_of(one), marker)]:
                first = min(marked, key=lambda one: int(str(one["id"])[4:]))
                waits = first.find_parent(class_="unapproved_post") is not None
                return Sent(
                    visit.permalink(int(str(first["id"])[4:])), AWAITING if waits else POSTED
                )
            if back == 0:
                last = _current(page)
            if last - back <= 1:
                break
            where = str(last - back - 1)
        return None

"""phpBB 3.3, as a member who fills in its forms: the board has no other way to write.

One attempt to sign in, never a second one with the same password: after three wrong ones the
account needs a picture read. The session is kept with the client's cookies and used again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from http.cookiejar import CookieJar
from typing import ClassVar, NamedTuple
from urllib.parse import urljoin, urlsplit

from bs4 import BeautifulSoup
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
    far_enough,
    holds,
    member,
    no_such_topic,
    no_topic,
    number_in,
    own_words,
    read_time,
    reading,
    replaced,
    shortened,
    text_of,
    web_address,
    writing,
)
from outgoing import client as outgoing
from outgoing.client import Answer, Client

FLOOD = 20
"""Seconds after which one asks again: boards come with 15 between two posts of a member."""
TRIES = 3


class Visit:
    """A member at a board, from form to form. `topic` is the topic's number, `base` the board's
    folder.
    """

    def __init__(self, settings: Settings, client: Client) -> None:
        self.settings = settings
        self.client = client
        if client.cookies is None:
            client.cookies = CookieJar()
        self.base = root(settings["address"])
        self.asked = False
        self._topic = number_in(settings["address"], "t")

    @property
    def topic(self) -> int:
        """Asks the board where the address is of a post."""
        if self._topic is None:
            self._topic = topic_with(self.settings["address"], self.as_member)
        return self._topic

    def page(self, path: str) -> Page:
        return board_page(_get(self.client, self.base, path), SIGNS)

    def sign_in(self) -> None:
        """One attempt. Raises `Locked` when the board refuses: nobody tries again but a person."""
        if self.asked:
            raise Later(LONG, _("The board signs this account in and signs it out at once."))
        self.asked = True
        answer = page = None
        for _again in range(2):
            page = self.page("ucp.php?mode=login")
            form = page.form(LOGIN)
            if form is None:
                must_be_open(page, self.base, self.client)
                raise Permanent(page.text_at(MESSAGE) or _("There is no phpBB at this address."))
            self.client.sleep(PAUSE)
            sent = credentials(form, self.settings["username"], self.settings["password"])
            try:
                answer = writing(
                    lambda to=form.action, data=sent: self.client.post(to, data=data),  # type: ignore[misc]
                    self.client.now(),
                )
            except Doubtful as error:
                raise Later(LONG, str(error)) from None
            if answer.status == 302 and signed_in(
                str(answer.headers.get("location") or ""), self._cookies()
            ):
                return
            page = Page(answer)
            if not is_token(page.text_at(".error")):
                break
        assert page is not None
        assert answer is not None
        if page.form(LOGIN) is None:
            page = board_page(answer, SIGNS)
            must_be_open(page, self.base, self.client)
        reason = page.text_at(f".error, {MESSAGE}")
        if is_token(reason):  # the form, not the password, which nobody has looked at
            raise Later(LONG, reason)
        raise Locked(
            _("The board refused to sign the account in: {said}").format(
                said=reason or f"HTTP {answer.status}"
            )
        )

    def _cookies(self) -> dict[str, str]:
        return {cookie.name: cookie.value or "" for cookie in self.client.cookies or ()}

    def as_member(self, path: str) -> Page:
        """The page, signed in if it asks for that. May still be one that asks."""
        page = self.page(path)
        if page.form(LOGIN) is not None and "password" in self.settings:
            self.sign_in()
            page = self.page(path)
        return page

    def posting_form(self) -> Page:
        """The page with the form of a reply. Raises what keeps one from replying."""
        path = f"posting.php?mode=reply&t={self.topic}"
        page = self.as_member(path)
        if page.form(POSTING) is None:
            must_be_open(page, self.base, self.client)
            page = self.as_member(path)  # asked twice: the board may have opened in between
        if page.form(POSTING) is None:
            raise Permanent(self.refusal(page))
        return page

    def refusal(self, page: Page) -> str:
        if page.form(LOGIN) is not None:
            return _("This account may not write there: {said}").format(
                said=page.text_at(f"{LOGIN} h2") or "–"
            )
        reason = page.text_at(MESSAGE)
        return reason or _("The board's page cannot be understood (HTTP {status}).").format(
            status=page.status
        )


@register
class Phpbb:
    """Replies to one topic, whose address is given as a reader has it."""

    key: ClassVar[str] = "phpbb"
    name = gettext_lazy("phpBB 3.3")
    dialect: ClassVar[str] = "phpbb"
    limit: ClassVar[int] = 60_000
    pace: ClassVar[int] = FLOOD
    automatic: ClassVar[bool] = True
    veiled: ClassVar[bool] = True
    needs: ClassVar[Sequence[Need]] = (
        Need(
            "address",
            gettext_lazy("Address of the topic"),
            kind="url",
            help="https://…/viewtopic.php?t=12",
        ),
        *MEMBER,
    )
    account = AS_A_MEMBER

    def check(self, settings: Settings) -> dict[str, str]:
        where = web_address(settings)
        topic, post = number_in(where, "t"), number_in(where, "p")
        if (topic is None and post is None) or "viewtopic" not in where:
            raise no_topic("https://…/viewtopic.php?t=12")
        query = f"t={topic}" if topic is not None else f"p={post}"
        return {**member(settings), "address": f"{root(where)}viewtopic.php?{query}"}

    def send(self, settings: Settings, post: Letter, client: Client) -> Sent:
        visit = Visit(settings, client)
        page, text = visit.posting_form(), post.text
        for _again in range(TRIES):
            form = page.form(POSTING)
            assert form is not None
            client.sleep(PAUSE)
            data = reply(form, post.subject, text)
            answer = writing(
                lambda to=form.action, data=data: client.post(to, data=data),  # type: ignore[misc]
                client.now(),
            )
            if 300 <= answer.status < 400:
                return self._posted(visit, str(answer.headers.get("location") or ""))
            page = Page(answer)
            if page.form(LOGIN) is not None:  # the session ended under our hands
                page = visit.posting_form()
                continue
            if page.form(POSTING) is None:
                return self._waiting(visit, page)
            reason = page.text_at(".error")
            largest = self._largest(reason, data["message"])
            if largest is not None:
                text, page = resized(data["message"], largest), visit.posting_form()
            elif is_token(reason):  # too early, too late, or taken already
                if (sent := self.find(settings, post.marker, client)) is not None:
                    return sent
                page = visit.posting_form()
            elif reason:
                raise Unclear(SOON, reason)
            # else somebody wrote meanwhile: the board shows that, and its form once more
        raise Later(FLOOD, _("The board shows its form again and again."))

    def _largest(self, reason: str, message: str) -> int | None:
        """Return the greatest size of letters if the board says that the post has greater ones.

        Raises what keeps the post from being sent now or at all.
        """
        if is_flood(reason):
            raise TooSoon(FLOOD, reason)
        largest = largest_size(reason, message)
        if largest is None and is_length(reason):
            raise Permanent(reason)
        return largest

    def _posted(self, visit: Visit, location: str) -> Sent:
        number = post_of(location)
        if number is not None:
            return Sent(permalink(visit.base, number))
        if topic_of(location) == visit.topic:
            return Sent(urljoin(visit.base, f"viewtopic.php?t={visit.topic}"))
        raise Doubtful(_("The board led to a page where no post is."))

    def _waiting(self, visit: Visit, page: Page) -> Sent:
        """A page that leads on is how a board tells that a moderator will look at it; one that
        stays refuses. A page of another kind, with no form on it, is no answer.
        """
        reason = page.text_at(MESSAGE)
        if page.status == 200 and reason and "/view" in page.leads_to():
            return Sent("", AWAITING)
        if page.status == 200 and not reason:
            raise Doubtful(visit.refusal(page))
        must_be_open(page, visit.base, visit.client)
        if page.status == 200:
            # raises what keeps one from replying; else the board was closed for a moment
            visit.posting_form()
            raise Unclear(SOON, reason)
        raise Permanent(visit.refusal(page))

    def find(self, settings: Settings, marker: str, client: Client) -> Sent | None:
        """Newest pages first, read as the member. Raises `CannotRead` where no posts can be
        seen.
        """
        visit = Visit(settings, client)
        start, seen = 0, set[int]()
        for number in range(1, MOST_PAGES + 1):
            page = visit.as_member(f"viewtopic.php?t={visit.topic}&st=0&sk=t&sd=d&start={start}")
            posts = [post for post in posts_on_page(page) if post.id not in seen]
            if not posts and not seen:
                return self._find_printed(visit, marker, page)
            if marked := [post for post in posts if holds(post.text, marker)]:
                first = min(marked, key=lambda post: post.id)
                return Sent(permalink(visit.base, first.id), AWAITING if first.waits else POSTED)
            seen |= {post.id for post in posts}
            start += len(posts)
            if not posts or far_enough(number, read_time(posts[-1].at), client.now()):
                break
        return None

    def _find_printed(self, visit: Visit, marker: str, page: Page) -> Sent | None:
        """A style of its own may hide the posts: every one has the print view, where a post has
        neither number nor time.
        """
        must_be_open(page, visit.base, visit.client)
        if page.status != 200 or page.form(LOGIN) is not None:
            raise Unreadable(visit.refusal(page))
        start = 0
        for number in range(1, MOST_PAGES + 1):
            leaf = visit.page(
                f"viewtopic.php?t={visit.topic}&st=0&sk=t&sd=d&start={start}&view=print"
            )
            posts = printed(leaf)
            if not posts:
                raise Unreadable(_("The topic's posts cannot be read."))
            if any(holds(post.text, marker) for post in posts):
                return Sent(urljoin(visit.base, f"viewtopic.php?t={visit.topic}"))
            start += len(posts)
            if number >= printed_pages(leaf):
                break
        return None

    def edit(
        self, settings: Settings, permalink: str, was: str, post: Letter, client: Client
    ) -> None:
        visit, number = Visit(settings, client), post_of(permalink)
        if number is None:
            raise Permanent(
                _("The post’s link does not say which post it is. Change it there yourself.")
            )
        text: str | None = None
        for _again in range(TRIES):
            page = visit.as_member(f"posting.php?mode=edit&p={number}")
            form = page.form(POSTING)
            if form is None:
                must_be_open(page, visit.base, client)
                raise Permanent(visit.refusal(page))
            text = replaced(form.fields.get("message", ""), was, post.text)
            if text is None:
                return
            client.sleep(PAUSE)
            data = reply(form, post.subject or form.fields.get("subject", ""), text)
            answer = writing(
                lambda to=form.action, data=data: client.post(to, data=data),  # type: ignore[misc]
                client.now(),
            )
            page = Page(answer)
            reason = page.text_at(".error")
            if 300 <= answer.status < 400 or (page.text_at(MESSAGE) and "/view" in page.leads_to()):
                return
            if page.form(LOGIN) is None and page.form(POSTING) is None:
                must_be_open(board_page(answer, SIGNS), visit.base, client)
                raise Permanent(visit.refusal(page))
            if is_length(reason):
                raise Permanent(reason)
            if reason and not is_token(reason):
                raise Unclear(SOON, reason)
        raise Later(FLOOD, _("The board shows its form again and again."))

    def topic(self, settings: Settings, client: Client) -> Topic:
        visit, refusal = Visit(settings, client), ""
        if "password" in settings:
            try:
                visit.posting_form()
            except Permanent as error:
                refusal = str(error)
        page = visit.as_member(f"viewtopic.php?t={visit.topic}")
        title = page.text_at(".topic-title")
        if not title:
            must_be_open(page, visit.base, client)
            raise no_such_topic(refusal or page.text_at(MESSAGE))
        return Topic(
            urljoin(visit.base, f"viewtopic.php?t={visit.topic}"),
            page.text_at("#site-description h1"),
            title,
            refusal,
        )

    def read(
        self,
        settings: Settings,
        since: str,
        client: Client,
        *,
        again: bool = False,
        back_to: datetime | None = None,
    ) -> list[Heard]:
        base = root(settings["address"])
        number = topic_with(
            settings["address"], lambda path: board_page(_get(client, base, path), SIGNS)
        )
        return read(base, number, int(since or 0), client, again=again, back_to=back_to)


# phpBB 3.3 by its forms: what stands on its pages and what is sent back.
#
# A token is good when it is older than a second and younger than two hours; success is a 302 and
# nothing else.

PAUSE = 1.2
"""Seconds between reading a form and sending it: the board refuses what comes within the same
second.
"""
SUBJECT = 120
LOGIN = "form#login"
POSTING = "form#postform"
MESSAGE = "#message p"
SIGNS = f"body#phpbb, {LOGIN}, {POSTING}, #message, div.post"
"""What stands on a page of phpBB and hardly on any other."""


class Shown(NamedTuple):
    """A post on a page of its topic."""

    id: int
    author: str
    at: str
    text: str
    waits: bool = False
    """Shown to who wrote it only, until a moderator has looked at it."""
    words: tuple[str, str] = ("", "")
    """Its writer's own, and those that it quotes."""


def root(address: str) -> str:
    """The board's folder of any address on it, with a slash at its end: `/forum/viewtopic.php?t=7`
    is in `/forum/`.
    """
    parts = urlsplit(address.strip())
    path = re.sub(r"[^/]*\.php(/.*)?$", "", parts.path)
    return f"{parts.scheme}://{parts.netloc}{path.rstrip('/')}/"


def credentials(form: Form, user: str, password: str) -> dict[str, str]:
    """The login form filled in: all that is hidden in it, and no box ticked."""
    kept = {
        name: value
        for name, value in form.fields.items()
        if name not in ("autologin", "viewonline")
    }
    return kept | {"username": user, "password": password, "login": "Login"}


def reply(form: Form, subject: str, text: str) -> dict[str, str]:
    """The posting form filled in.

    `topic_cur_post_id` stays out: with it the board stops where somebody posted since, to show that
    first. A subject with a sign beyond the Basic Multilingual Plane is refused.
    """
    kept = {name: value for name, value in form.fields.items() if name != "topic_cur_post_id"}
    plain = "".join(sign for sign in subject if sign <= "\uffff")
    return kept | {
        "subject": shortened(plain, SUBJECT) or kept.get("subject", ""),
        "message": text,
        "post": "Submit",
    }


def signed_in(location: str, cookies: dict[str, str]) -> bool:
    """A login's 302, and the cookie of a user who is not the anonymous one."""
    users = [value for name, value in cookies.items() if name.endswith("_u")]
    return bool(location) and any(value.isdigit() and int(value) > 1 for value in users)


def post_of(location: str) -> int | None:
    """The number of the post that a success leads to."""
    return number_in(location, "p") if "viewtopic" in location else None


def topic_of(location: str) -> int | None:
    return number_in(location, "t") if "viewtopic" in location else None


def topic_with(address: str, ask: Callable[[str], Page]) -> int:
    """The topic's number: the address's own, else that of the topic in which its post stands.
    Raises `Permanent`.
    """
    number = number_in(address, "t")
    if number is not None:
        return number
    page = ask(f"viewtopic.php?p={number_in(address, 'p')}")
    for link in page.soup.select('link[rel="canonical"], .topic-title a, a[href*="mode=reply"]'):
        number = number_in(str(link.get("href") or ""), "t")
        if number is not None:
            return number
    raise no_such_topic(page.text_at(MESSAGE))


def permalink(base: str, post: int) -> str:
    return urljoin(base, f"viewtopic.php?p={post}#p{post}")


# What went wrong, by the words of boards in some languages. What is none of these is said as it
# stands, and tried again.
_FLOOD = re.compile(
    r"so soon after your last|dopo così poco tempo|subito dopo|so schnell nach|si tôt"
    r" après|aussitôt après|trop rapproch"
    r"|tan pronto|zo snel",
    re.IGNORECASE,
)
_TOKEN = re.compile(
    r"form was invalid|(form|modulo) inviato non|Formular war ung|formulaire .{0,40}(invalide|pas"
    r" valide|incorrect)"
    r"|formulario .{0,30}(inv|no (es|era|fue) v)|formulier .{0,30}ongeldig",
    re.IGNORECASE,
)
_LENGTH = re.compile(
    r"contains \d+ characters|contiene \d+ caratteri|\d+ Zeichen|\d+ caract|too (few|many)"
    r" characters",
    re.IGNORECASE,
)


_FONT = re.compile(r"\bfonts?\b|schrift|caratter|\bpolices?\b|fuente|letter", re.IGNORECASE)
_SIZE = re.compile(r"\[size=(\d{1,3})\]")


def largest_size(reason: str, text: str) -> int | None:
    """The largest size of letters that the board takes, where it refuses a text for a larger one;
    else None.
    """
    numbers = [int(one) for one in re.findall(r"\d+", reason)]
    sizes = [int(one) for one in _SIZE.findall(text)]
    if len(numbers) == 1 and sizes and numbers[0] < max(sizes) and _FONT.search(reason):
        return numbers[0]
    return None


def resized(text: str, largest: int) -> str:
    """The text with no letters larger than that, in percent."""
    return _SIZE.sub(lambda match: f"[size={min(int(match[1]), largest)}]", text)


def is_flood(text: str) -> bool:
    return _FLOOD.search(text) is not None


def is_token(text: str) -> bool:
    return _TOKEN.search(text) is not None


def is_length(text: str) -> bool:
    return _LENGTH.search(text) is not None


def posts_on_page(page: Page) -> list[Shown]:
    """The posts of a topic's page, in its order."""
    posts = []
    for div in page.soup.find_all("div", id=re.compile(r"^p\d+$")):
        author = div.select_one("p.author strong, .author .username, .author .username-coloured")
        at = div.select_one("p.author time")
        content = div.select_one("div.content")
        posts.append(
            Shown(
                int(str(div["id"])[1:]),
                author.get_text(strip=True) if author else "",
                str(at.get("datetime") or "") if at else "",
                text_of(content) if content else "",
                div.select_one(".post-notice.unapproved") is not None,
                own_words(content) if content else ("", ""),
            )
        )
    return posts


def printed(page: Page) -> list[Shown]:
    """The posts of a print view: they have no numbers there, and their times are written for
    people.
    """
    posts = []
    for div in page.soup.select("#page-body > div.post"):
        author, content = div.select_one(".author strong"), div.select_one("div.content")
        name, text = (
            author.get_text(strip=True) if author else "",
            text_of(content) if content else "",
        )
        posts.append(Shown(0, name, "", text, words=own_words(content) if content else ("", "")))
    return posts


def printed_pages(page: Page) -> int:
    """How many pages the print view has."""
    numbers = [one.get_text(strip=True) for one in page.soup.select(".page-number strong")]
    return int(numbers[1]) if len(numbers) > 1 and numbers[1].isdigit() else 1


# Reading a topic of phpBB as anybody may: its Atom feed, else its pages, else its print view.
# Nobody signs in for it.

ATOM = "{http://www.w3.org/2005/Atom}"
SHORT = 15
"""Entries a feed holds as boards come: where all are new, older ones may be, too."""
PAGES = 10


def read(
    base: str,
    topic: int,
    since: int,
    client: Client,
    *,
    again: bool = False,
    back_to: datetime | None = None,
) -> list[Heard]:
    """Posts with a number above `since`, oldest first, as `Readable` has it. Raises `CannotRead`
    where guests may not look.
    """
    fed = feed(base, topic, client)
    posts = {int(one.id): one for one in fed or ()}

    def far_enough_back() -> bool:
        oldest = posts[min(posts)].at if posts else None
        return (
            min(posts, default=0) <= since
            if since
            else back_to is None or oldest is None or oldest < back_to
        )

    if fed is None or (len(posts) >= SHORT and not far_enough_back()):
        start = 0
        for _page in range(PAGES):
            page = board_page(
                _get(client, base, f"viewtopic.php?t={topic}&st=0&sk=t&sd=d&start={start}"), SIGNS
            )
            shown = posts_on_page(page)
            if not shown and not posts:
                return _printed(base, topic, since, client, page)
            posts = {post.id: _post_from_feed(base, post) for post in shown} | posts
            start += len(shown)
            if not shown or min(post.id for post in shown) == 1 or far_enough_back():
                break
    return [posts[number] for number in sorted(posts) if again or number > since]


def _get(client: Client, base: str, path: str) -> Answer:
    """Raises `Locked` where the account's password is too old for the board, which then shows
    nothing but the form for a new one.
    """
    answer = reading(lambda: client.get(urljoin(base, path)), client.now(), MESSAGE)
    if 300 <= answer.status < 400 and "mode=reg_details" in str(
        answer.headers.get("location") or ""
    ):
        raise Locked(
            _(
                "The password of this account has expired on the board. Choose a new one there,"
                " then type it here."
            )
        )
    return answer


def must_be_open(page: Page, base: str, client: Client) -> None:
    """Raises `Closed` where the board answers a guest who asks for its first page in the same
    words: they are about the board, not about the topic or the account.
    """
    reason = page.text_at(MESSAGE)
    if page.status != 200 or not reason or page.form(LOGIN) is not None:
        return
    first = board_page(
        reading(lambda: as_guest(client, urljoin(base, "index.php")), client.now(), MESSAGE), SIGNS
    )
    if first.text_at(MESSAGE) == reason:
        raise Closed(LONG, reason)


def feed(base: str, topic: int, client: Client) -> list[Heard] | None:
    """What the feed holds, newest first; None where the board has none, or shows it to members
    only.
    """
    answer = _get(client, base, f"app.php/feed/topic/{topic}")
    if not answer.ok:
        return None
    try:
        root = answer.xml()
    except outgoing.Doubtful:
        return None
    posts = []
    for entry in root.iter(f"{ATOM}entry"):
        number = number_in(entry.findtext(f"{ATOM}id") or "", "p")
        if number is None:
            continue
        author = (entry.findtext(f"{ATOM}author/{ATOM}name") or "").strip()
        at = read_time(entry.findtext(f"{ATOM}published") or entry.findtext(f"{ATOM}updated") or "")
        words, quoted = _without_statistics(entry.findtext(f"{ATOM}content") or "")
        posts.append(Heard(str(number), author, at, words, permalink(base, number), quoted))
    return posts


def _without_statistics(html: str) -> tuple[str, str]:
    """Own words and quoted ones. A feed's content ends with a line about who wrote it when, above a
    rule.
    """
    soup = BeautifulSoup(html, "html.parser")
    rules = soup.find_all("hr")
    if rules and not rules[-1].find_next_sibling():
        before = rules[-1].find_previous_sibling()
        if before is not None and before.name == "p":
            before.decompose()
        rules[-1].decompose()
    return own_words(soup)


def _post_from_feed(base: str, post: Shown) -> Heard:
    words, quoted = post.words
    return Heard(
        str(post.id), post.author, read_time(post.at), words, permalink(base, post.id), quoted
    )


def _printed(base: str, topic: int, since: int, client: Client, page: Page) -> list[Heard]:
    """A print view has no numbers: each post is known by its place in the topic."""
    must_be_open(page, base, client)
    if page.status != 200 or page.form(LOGIN) is not None:
        raise CannotRead(page.text_at(MESSAGE) or _("Guests may not read this topic."))
    path = f"viewtopic.php?t={topic}&view=print"
    first = board_page(_get(client, base, path), SIGNS)
    posts, pages = printed(first), printed_pages(first)
    if not posts:
        raise CannotRead(_("The topic's posts cannot be read."))
    before = 0
    if pages > 1:
        before = len(posts) * (pages - 1)
        posts = printed(board_page(_get(client, base, f"{path}&start={before}"), SIGNS))
    address = urljoin(base, f"viewtopic.php?t={topic}")
    heard = [
        Heard(
            str(before + at),
            post.author,
            None,
            post.words[0],
            address,
            post.words[1],
            lasting=False,
        )
        for at, post in enumerate(posts, 1)
    ]
    return [one for one in heard if int(one.id) > since]

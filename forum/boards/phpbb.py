"""The transport to phpBB 3.3, which posts as a member who fills in forms: phpBB has no API.

A form token is valid if it is between one second and two hours old. The only sign of success is a
302. A topic is read by its Atom feed, or else by its pages, or else by its print view.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
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
    ReadPost,
    SearchError,
    SentPost,
    SettingField,
    Settings,
    TooSoonError,
    UnclearError,
    UnreadableAnswer,
)
from forum.boards.answers import MOST_PAGES, SOON, WantedPosts, board_page
from forum.boards.form_board import (
    Attempt,
    FormBoard,
    FormVisit,
    ShownPost,
    TopicPage,
    needs_of_member,
)
from forum.boards.markup import Form, Page, has_mark, number_in, own_words, read_time, shorten
from outgoing import client as outgoing
from outgoing.client import Answer

FLOOD = 20
"""The seconds from a refusal to the next attempt. The default of boards is 15 between two posts."""
SUBJECT = 120
LOGIN = "form#login"
POSTING = "form#postform"
MESSAGE = "#message p"
ERROR = ".error"
"""A CSS selector of a form's error message about its fields."""
ATOM = "{http://www.w3.org/2005/Atom}"
SHORT = 15
"""The default number of entries in a feed: if all are new, older posts may be new too."""


class Phpbb(FormBoard):
    """The transport to a topic, with the address that readers use."""

    key: ClassVar[str] = "phpbb"
    name = gettext_lazy("phpBB 3.3")
    software: ClassVar[str] = "phpBB"
    address_pattern: ClassVar[re.Pattern[str]] = re.compile(r"/viewtopic\.php\?")
    dialect: ClassVar[str] = "phpbb"
    limit: ClassVar[int] = 60_000
    pace: ClassVar[int] = FLOOD
    example: ClassVar[str] = "https://…/viewtopic.php?t=12"
    needs: ClassVar[Sequence[SettingField]] = needs_of_member(example)
    no_board = gettext_lazy("There is no phpBB at this address.")

    topic_path: ClassVar[str] = "viewtopic.php?t={number}"
    post_path: ClassVar[str] = "viewtopic.php?p={number}"
    reply_path: ClassVar[str] = "posting.php?mode=reply&t={number}"
    edit_path: ClassVar[str] = "posting.php?mode=edit&p={number}"
    login_path: ClassVar[str] = "ucp.php?mode=login"
    posting: ClassVar[str] = POSTING
    editing: ClassVar[str] = POSTING
    message: ClassVar[str] = MESSAGE
    signs: ClassVar[str] = f"body#phpbb, {LOGIN}, {POSTING}, #message, div.post"
    form_within: ClassVar[str] = LOGIN
    pause: ClassVar[float] = 1.2
    """The board refuses a form that is sent within a second after it was read."""

    # Reading addresses and pages

    def base_of(self, address: str) -> str:
        """Return `/forum/` of `/forum/viewtopic.php?t=7`, with the host."""
        parts = urlsplit(address.strip())
        path = re.sub(r"[^/]*\.php(/.*)?$", "", parts.path)
        return f"{parts.scheme}://{parts.netloc}{path.rstrip('/')}/"

    def topic_in(self, address: str) -> int | None:
        """Return the number of the topic that an address or a success names."""
        return number_in(address, "t") if "viewtopic" in address else None

    def post_in(self, address: str) -> int | None:
        """Return the number of the post that an address or a success names."""
        return number_in(address, "p") if "viewtopic" in address else None

    def permalink(self, visit: FormVisit, post: int) -> str:
        """Return the link to a post, which does not name its topic."""
        return urljoin(visit.base, f"{self.post_path.format(number=post)}#p{post}")

    def topic_on(self, page: Page) -> int | None:
        """Return the number of the topic from the page's links to it and to the form of a reply."""
        for link in page.soup.select(
            'link[rel="canonical"], .topic-title a, a[href*="mode=reply"]'
        ):
            number = number_in(str(link.get("href") or ""), "t")
            if number is not None:
                return number
        return None

    def topic_shown(self, page: Page) -> tuple[str, str] | None:
        """Return the names of board and topic from the page's head and above its posts."""
        title = page.text_at(".topic-title")
        return (page.text_at("#site-description h1"), title) if title else None

    def reason_on(self, page: Page) -> str:
        """Return the message of a page without a form."""
        return page.text_at(MESSAGE)

    def refusal(self, page: Page) -> str:
        """Return why a page does not have the form of a reply or a change."""
        if page.form(LOGIN) is not None:
            return _("This account may not write there: {said}").format(
                said=page.text_at(f"{LOGIN} h2") or "–"
            )
        return self.reason_on(page) or _(
            "The board’s page cannot be understood (HTTP {status})."
        ).format(status=page.status)

    # Signing in

    def leads_to_new_password(self, answer: Answer) -> bool:
        """Return whether the board redirects to the form where a member changes the password."""
        return "mode=reg_details" in _location(answer)

    def login_form(self, page: Page) -> Form | None:
        """Return the form to sign in, which a board shows in place of the requested page."""
        return page.form(LOGIN)

    def asks_to_sign_in(self, page: Page) -> bool:
        """Return whether the board shows the form to sign in in place of the requested page."""
        return page.form(LOGIN) is not None

    def credentials(self, form: Form, settings: Settings) -> dict[str, str]:
        """Return the hidden fields of the form with name and password, without check boxes."""
        kept = {
            name: value
            for name, value in form.fields.items()
            if name not in ("autologin", "viewonline")
        }
        typed = {"username": settings["username"], "password": settings["password"]}
        return kept | typed | {"login": "Login"}

    def is_signed_in(self, answer: Answer, cookies: Mapping[str, str]) -> bool:
        """Return whether there is a 302, and a cookie names a user who is not anonymous."""
        users = [value for name, value in cookies.items() if name.endswith("_u")]
        known = any(value.isdigit() and int(value) > 1 for value in users)
        return answer.status == 302 and bool(_location(answer)) and known

    def page_of_refused_login(self, answer: Answer) -> Page:
        """Return the form to sign in with its error, or another page of the board."""
        page = Page(answer)
        return page if page.form(LOGIN) is not None else board_page(answer, self.signs)

    def login_error(self, page: Page) -> str:
        """Return the error message of the form or the page."""
        return page.text_at(f"{ERROR}, {MESSAGE}")

    def login_expired(self, page: Page) -> bool:
        """Return whether the form's token was too early, too late, or used already."""
        return is_token_error(self.login_error(page))

    # Writing

    def reply(self, form: Form, subject: str, text: str) -> dict[str, str]:
        """Return the form of a reply, filled in."""
        return reply(form, subject, text)

    def change(self, form: Form, subject: str, text: str) -> dict[str, str]:
        """Return the form that changes a post, filled in. An empty subject leaves the old one."""
        return reply(form, subject or form.fields.get("subject", ""), text)

    def outcome(self, visit: FormVisit, letter: Letter, answer: Answer) -> SentPost | Attempt:
        """Return the result of a reply: a post, or the next attempt. Raises the error otherwise."""
        if 300 <= answer.status < 400:
            return self._posted(visit, _location(answer))
        page = Page(answer)
        if page.form(LOGIN) is not None:  # The session has ended meanwhile.
            return Attempt(visit.posting_form(), letter)
        if page.form(POSTING) is None:
            return self._waiting(visit, page)
        reason = page.text_at(ERROR)
        largest = self._largest(reason, letter.text)
        if largest is not None:
            smaller = replace(letter, text=limit_sizes(letter.text, largest))
            return Attempt(visit.posting_form(), smaller)
        if is_token_error(reason):  # The token was too early, too late, or used already.
            sent = self.find(visit.settings, letter.marker, visit.client)
            return sent or Attempt(visit.posting_form(), letter)
        if reason:
            raise UnclearError(SOON, reason)
        # The board shows above its form the posts that others have written meanwhile.
        return Attempt(page, letter)

    def _largest(self, reason: str, message: str) -> int | None:
        """Return the maximum letter size if the board says that the post exceeds it.

        Raises the reason if the post cannot be sent now or at all.
        """
        if is_flood_error(reason):
            raise TooSoonError(FLOOD, reason)
        largest = largest_size(reason, message)
        if largest is None and is_length_error(reason):
            raise PermanentError(reason)
        return largest

    def _posted(self, visit: FormVisit, location: str) -> SentPost:
        number = self.post_in(location)
        if number is not None:
            return SentPost(self.permalink(visit, number))
        if self.topic_in(location) == visit.topic:
            return SentPost(visit.topic_address)
        raise DoubtfulError(_("The board redirected to a page without the post."))

    def _waiting(self, visit: FormVisit, page: Page) -> SentPost:
        """Return the result of a reply whose answer is a page without a form.

        A page that redirects means that the post waits for a moderator; a page that does not is a
        refusal. Any other page is not an answer.
        """
        reason = self.reason_on(page)
        if page.status == 200 and reason and "/view" in page.leads_to():
            return SentPost("", AWAITING)
        if page.status == 200 and not reason:
            raise DoubtfulError(self.refusal(page))
        visit.must_be_open(page)
        if page.status == 200:
            # This raises the reason if the account cannot reply. If it does not, the board was
            # closed for a moment.
            visit.posting_form()
            raise UnclearError(SOON, reason)
        raise PermanentError(self.refusal(page))

    def is_changed(self, visit: FormVisit, answer: Answer) -> bool:
        """Return whether the answer says that the post is changed. Raises the reason if not."""
        page = Page(answer)
        reason = page.text_at(ERROR)
        if 300 <= answer.status < 400 or (self.reason_on(page) and "/view" in page.leads_to()):
            return True
        if page.form(LOGIN) is None and page.form(POSTING) is None:
            visit.must_be_open(board_page(answer, self.signs))
            raise PermanentError(self.refusal(page))
        if is_length_error(reason):
            raise PermanentError(reason)
        if reason and not is_token_error(reason):
            raise UnclearError(SOON, reason)
        return False

    # Reading the topic

    def pages(self, visit: FormVisit) -> Iterator[TopicPage]:
        """Yield the pages of the topic, newest posts first, each post once."""
        seen = set[int]()
        for _page in range(MOST_PAGES):
            page = visit.as_member(
                f"{self._topic(visit)}&st=0&sk=t&sd=d&start={len(seen)}",
            )
            posts = [post for post in posts_on_page(page) if post.number not in seen]
            if posts or not seen:
                yield TopicPage(page, posts)
            seen |= {post.number for post in posts}
            if not posts or 1 in seen:
                return

    def find_unshown(self, visit: FormVisit, marker: str, page: Page) -> SentPost | None:
        """Search the print view, which has no numbers of posts.

        A custom style may hide the posts, but every style has the print view.
        """
        visit.must_be_open(page)
        if page.status != 200 or page.form(LOGIN) is not None:
            raise UnreadableAnswer(self.refusal(page))
        start = 0
        for number in range(1, MOST_PAGES + 1):
            leaf = visit.page(f"{self._topic(visit)}&st=0&sk=t&sd=d&start={start}&view=print")
            posts = printed_posts(leaf)
            if not posts:
                raise UnreadableAnswer(_("The topic’s posts cannot be read."))
            if any(has_mark(post.text, marker) for post in posts):
                return SentPost(visit.topic_address)
            start += len(posts)
            if number >= printed_pages(leaf):
                break
        return None

    def read_pages(
        self, visit: FormVisit, wanted: WantedPosts, read_posts: dict[int, ReadPost]
    ) -> dict[int, ReadPost]:
        """Return the posts of the feed, and those of the pages if the feed is too short."""
        fed = self._feed(visit)
        if fed is not None and (len(fed) < SHORT or wanted.reached(fed)):
            return fed
        return super().read_pages(visit, wanted, read_posts | (fed or {}))

    def _feed(self, visit: FormVisit) -> dict[int, ReadPost] | None:
        """Return the posts of the feed; None if there is none, or only for members."""
        answer = visit.get(f"app.php/feed/topic/{visit.topic}")
        if not answer.ok:
            return None
        try:
            root = answer.xml()
        except outgoing.Doubtful:
            return None
        posts = {}
        for entry in root.iter(f"{ATOM}entry"):
            number = number_in(entry.findtext(f"{ATOM}id") or "", "p")
            if number is None:
                continue
            at = entry.findtext(f"{ATOM}published") or entry.findtext(f"{ATOM}updated") or ""
            words, quoted = _without_statistics(entry.findtext(f"{ATOM}content") or "")
            posts[number] = ReadPost(
                id=str(number),
                author=(entry.findtext(f"{ATOM}author/{ATOM}name") or "").strip(),
                at=read_time(at),
                text=words,
                permalink=self.permalink(visit, number),
                quoted=quoted,
            )
        return posts

    def read_unshown(
        self, visit: FormVisit, wanted: WantedPosts, read_posts: dict[int, ReadPost], page: Page
    ) -> dict[int, ReadPost]:
        """Return the last posts of the print view, which has no numbers.

        Each post is identified by its place in the topic.
        """
        if read_posts:
            return read_posts
        visit.must_be_open(page)
        if page.status != 200 or page.form(LOGIN) is not None:
            raise SearchError(self.reason_on(page) or _("Guests may not read this topic."))
        path = f"{self._topic(visit)}&view=print"
        first = visit.page(path)
        posts, pages, before = printed_posts(first), printed_pages(first), 0
        if not posts:
            raise SearchError(_("The topic’s posts cannot be read."))
        if pages > 1:
            before = len(posts) * (pages - 1)
            posts = printed_posts(visit.page(f"{path}&start={before}"))
        return {
            number: self._from_print(visit, number, post)
            for number, post in enumerate(posts, before + 1)
            if number > wanted.since
        }

    def _from_print(self, visit: FormVisit, number: int, post: ShownPost) -> ReadPost:
        words, quoted = post.words
        return ReadPost(
            id=str(number),
            author=post.author,
            at=None,
            text=words,
            permalink=visit.topic_address,
            quoted=quoted,
            lasting=False,
        )

    def _topic(self, visit: FormVisit) -> str:
        return self.topic_path.format(number=visit.topic)


def _location(answer: Answer) -> str:
    """Return the address of a redirect; empty for another answer."""
    return str(answer.headers.get("location") or "") if 300 <= answer.status < 400 else ""


def reply(form: Form, subject: str, text: str) -> dict[str, str]:
    """Return the posting form, filled in.

    `topic_cur_post_id` is left out: with it the board would first show posts that others have
    written since. The board refuses subjects with characters beyond the Basic Multilingual Plane,
    so these are removed.
    """
    kept = {name: value for name, value in form.fields.items() if name != "topic_cur_post_id"}
    plain = "".join(sign for sign in subject if sign <= "\uffff")
    return kept | {
        "subject": shorten(plain, SUBJECT) or kept.get("subject", ""),
        "message": text,
        "post": "Submit",
    }


# Error messages of boards in some languages. Messages that are not recognized are shown to the user
# as they are, and the post is tried again.
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
    """Return the board's maximum letter size if it refuses a text because of larger letters."""
    numbers = [int(number) for number in re.findall(r"\d+", reason)]
    sizes = [int(size) for size in _SIZE.findall(text)]
    if len(numbers) == 1 and sizes and numbers[0] < max(sizes) and _FONT.search(reason):
        return numbers[0]
    return None


def limit_sizes(text: str, largest: int) -> str:
    """Return the text with no letters larger than `largest`, in percent."""
    return _SIZE.sub(lambda match: f"[size={min(int(match[1]), largest)}]", text)


def is_flood_error(text: str) -> bool:
    """Return whether the board asks for a pause between two posts."""
    return _FLOOD.search(text) is not None


def is_token_error(text: str) -> bool:
    """Return whether the board refuses a form because of its token, not its content."""
    return _TOKEN.search(text) is not None


def is_length_error(text: str) -> bool:
    """Return whether the board considers a post too long or too short."""
    return _LENGTH.search(text) is not None


def posts_on_page(page: Page) -> list[ShownPost]:
    """Return the posts of a topic's page, in its order."""
    posts = []
    for div in page.soup.find_all("div", id=re.compile(r"^p\d+$")):
        at = div.select_one("p.author time")
        posts.append(
            ShownPost(
                number=int(str(div["id"])[1:]),
                author=_name(
                    div.select_one("p.author strong, .author .username, .author .username-coloured")
                ),
                at=read_time(str(at.get("datetime") or "")) if at else None,
                content=div.select_one("div.content"),
                waits=div.select_one(".post-notice.unapproved") is not None,
            )
        )
    return posts


def printed_posts(page: Page) -> list[ShownPost]:
    """Return the posts of a print view.

    They have no numbers there, and their times are not machine-readable.
    """
    return [
        ShownPost(
            number=0,
            author=_name(div.select_one(".author strong")),
            at=None,
            content=div.select_one("div.content"),
        )
        for div in page.soup.select("#page-body > div.post")
    ]


def _name(author: Tag | None) -> str:
    return author.get_text(strip=True) if author else ""


def printed_pages(page: Page) -> int:
    """Return the number of pages of the print view."""
    numbers = [number.get_text(strip=True) for number in page.soup.select(".page-number strong")]
    return int(numbers[1]) if len(numbers) > 1 and numbers[1].isdigit() else 1


def _without_statistics(html: str) -> tuple[str, str]:
    """Return the writer's own words and the quoted words.

    The content in a feed ends with a rule and a line about author and time.
    """
    soup = BeautifulSoup(html, "html.parser")
    rules = soup.find_all("hr")
    if rules and not rules[-1].find_next_sibling():
        before = rules[-1].find_previous_sibling()
        if before is not None and before.name == "p":
            before.decompose()
        rules[-1].decompose()
    return own_words(soup)

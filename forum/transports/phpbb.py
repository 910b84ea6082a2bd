"""phpBB 3.3, as a member who fills in its forms: the board has no other way to write.

One attempt to sign in, never a second one with the same password: after three wrong ones the account needs a picture
read. The session is kept with the client's cookies and used again.
"""

from __future__ import annotations

from collections.abc import Sequence
from http.cookiejar import CookieJar
from typing import ClassVar
from urllib.parse import urljoin

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from forum.transports import (
    AWAITING,
    POSTED,
    CannotRead,
    Doubtful,
    Heard,
    Later,
    Letter,
    Locked,
    Need,
    Permanent,
    Sent,
    Settings,
    Unclear,
    phpbb_feed,
    register,
)
from forum.transports import phpbb_forms as forms
from forum.transports.asking import (
    AS_A_MEMBER,
    LONG,
    MEMBER,
    MOST_PAGES,
    SOON,
    far_enough,
    member,
    no_topic,
    reading,
    web_address,
    writing,
)
from forum.transports.pages import Page, holds, number_in, when
from outside.client import Client

FLOOD = 20
"""Seconds after which one asks again: boards come with 15 between two posts of a member."""
TRIES = 3


class Visit:
    """A member at a board, from form to form. `topic` is the topic's number, `base` the board's folder."""

    def __init__(self, settings: Settings, client: Client) -> None:
        self.settings = settings
        self.client = client
        if client.cookies is None:
            client.cookies = CookieJar()
        self.base = forms.root(settings["address"])
        self.topic = number_in(settings["address"], "t")
        self.asked = False

    def page(self, path: str) -> Page:
        return Page(reading(lambda: self.client.get(urljoin(self.base, path)), self.client.now()))

    def sign_in(self) -> None:
        """One attempt. Raises `Locked` when the board refuses: nobody tries again but a person."""
        if self.asked:
            raise Later(LONG, _("The board signs this account in and forgets it at once."))
        self.asked = True
        answer = page = None
        for _again in range(2):
            page = self.page("ucp.php?mode=login")
            form = page.form(forms.LOGIN)
            if form is None:
                raise Permanent(page.said("#message p") or _("There is no phpBB at this address."))
            self.client.sleep(forms.PAUSE)
            sent = forms.credentials(form, self.settings["username"], self.settings["password"])
            try:
                answer = writing(lambda to=form.action, data=sent: self.client.post(to, data=data), self.client.now())  # type: ignore[misc]
            except Doubtful as error:
                raise Later(LONG, str(error)) from None
            if answer.status == 302 and forms.signed_in(str(answer.headers.get("location") or ""), self._cookies()):
                return
            page = Page(answer)
            if not forms.is_token(page.said(".error")):
                break
        assert page is not None
        assert answer is not None
        said = page.said(".error, #message p")
        if forms.is_token(said):  # the form, not the password, which nobody has looked at
            raise Later(LONG, said)
        raise Locked(_("The board refused to sign the account in: {said}").format(said=said or f"HTTP {answer.status}"))

    def _cookies(self) -> dict[str, str]:
        return {cookie.name: cookie.value or "" for cookie in self.client.cookies or ()}

    def as_member(self, path: str) -> Page:
        """The page, signed in if it asks for that. May still be one that asks."""
        page = self.page(path)
        if page.form(forms.LOGIN) is not None:
            self.sign_in()
            page = self.page(path)
        return page

    def posting_form(self) -> Page:
        """The page with the form of a reply. Raises what keeps one from replying."""
        page = self.as_member(f"posting.php?mode=reply&t={self.topic}")
        if page.form(forms.POSTING) is None:
            raise Permanent(self.refusal(page))
        return page

    def refusal(self, page: Page) -> str:
        if page.form(forms.LOGIN) is not None:
            return _("This account may not write there: {said}").format(said=page.said(f"{forms.LOGIN} h2") or "–")
        said = page.said("#message p")
        return said or _("The board's page cannot be understood (HTTP {status}).").format(status=page.status)


@register
class Phpbb:
    """Replies to one topic, whose address is given as a reader has it."""

    key: ClassVar[str] = "phpbb"
    name = gettext_lazy("phpBB 3.3")
    dialect: ClassVar[str] = "phpbb"
    limit: ClassVar[int] = 60_000
    automatic: ClassVar[bool] = True
    veiled: ClassVar[bool] = True
    needs: ClassVar[Sequence[Need]] = (
        Need("address", gettext_lazy("Address of the topic"), kind="url", help="https://…/viewtopic.php?t=12"),
        *MEMBER,
    )
    account = AS_A_MEMBER

    def check(self, settings: Settings) -> dict[str, str]:
        where = web_address(settings)
        topic = number_in(where, "t")
        if topic is None or "viewtopic" not in where:
            raise no_topic("https://…/viewtopic.php?t=12")
        return {**member(settings), "address": f"{forms.root(where)}viewtopic.php?t={topic}"}

    def send(self, settings: Settings, post: Letter, client: Client) -> Sent:
        visit = Visit(settings, client)
        page = visit.posting_form()
        for _again in range(TRIES):
            form = page.form(forms.POSTING)
            assert form is not None
            client.sleep(forms.PAUSE)
            data = forms.reply(form, post.subject, post.text)
            answer = writing(lambda to=form.action, data=data: client.post(to, data=data), client.now())  # type: ignore[misc]
            if 300 <= answer.status < 400:
                return self._posted(visit, str(answer.headers.get("location") or ""))
            page = Page(answer)
            said = page.said(".error")
            if page.form(forms.LOGIN) is not None:  # the session ended under our hands
                page = visit.posting_form()
            elif page.form(forms.POSTING) is None:
                return self._waiting(visit, page)
            elif forms.is_flood(said):
                raise Later(FLOOD, said)
            elif forms.is_length(said):
                raise Permanent(said)
            elif forms.is_token(said):  # too early, too late, or taken already
                if (found := self.find(settings, post.marker, client)) is not None:
                    return found
                page = visit.posting_form()
            elif said:
                raise Unclear(SOON, said)
            # else somebody wrote meanwhile: the board shows that, and its form once more
        raise Later(FLOOD, _("The board shows its form again and again."))

    def _posted(self, visit: Visit, location: str) -> Sent:
        number = forms.post_of(location)
        if number is not None:
            return Sent(forms.permalink(visit.base, number))
        if visit.topic is not None and forms.topic_of(location) == visit.topic:
            return Sent(urljoin(visit.base, f"viewtopic.php?t={visit.topic}"))
        raise Doubtful(_("The board led to a page where no post is."))

    def _waiting(self, visit: Visit, page: Page) -> Sent:
        """A page that leads on is how a board tells that a moderator will look at it; one that stays refuses. A page of
        another kind, with no form on it, is no answer."""
        if page.status == 200 and page.leads_to():
            return Sent("", AWAITING)
        if page.status == 200 and not page.said("#message p"):
            raise Doubtful(visit.refusal(page))
        raise Permanent(visit.refusal(page))

    def find(self, settings: Settings, marker: str, client: Client) -> Sent | None:
        """Newest pages first, read as the member. Raises `CannotRead` where no posts can be seen."""
        visit = Visit(settings, client)
        start, seen = 0, set[int]()
        for number in range(1, MOST_PAGES + 1):
            page = visit.as_member(f"viewtopic.php?t={visit.topic}&st=0&sk=t&sd=d&start={start}")
            posts = [post for post in forms.shown(page) if post.id not in seen]
            if not posts and not seen:
                return self._find_printed(visit, marker, page)
            if found := [post for post in posts if holds(post.text, marker)]:
                first = min(found, key=lambda post: post.id)
                return Sent(forms.permalink(visit.base, first.id), AWAITING if first.waits else POSTED)
            seen |= {post.id for post in posts}
            start += len(posts)
            if not posts or far_enough(number, when(posts[-1].at), client.now()):
                break
        return None

    def _find_printed(self, visit: Visit, marker: str, page: Page) -> Sent | None:
        """A style of its own may hide the posts: every one has the print view, where a post has neither number nor time."""
        if page.status != 200 or page.form(forms.LOGIN) is not None:
            raise CannotRead(visit.refusal(page))
        start = 0
        for number in range(1, MOST_PAGES + 1):
            leaf = visit.page(f"viewtopic.php?t={visit.topic}&st=0&sk=t&sd=d&start={start}&view=print")
            posts = forms.printed(leaf)
            if not posts:
                raise CannotRead(_("The topic's posts cannot be read."))
            if any(holds(post.text, marker) for post in posts):
                return Sent(urljoin(visit.base, f"viewtopic.php?t={visit.topic}"))
            start += len(posts)
            if number >= forms.printed_pages(leaf):
                break
        return None

    def read(self, settings: Settings, since: str, client: Client) -> list[Heard]:
        topic = number_in(settings["address"], "t")
        assert topic is not None
        return phpbb_feed.read(forms.root(settings["address"]), topic, int(since or 0), client)

"""Reading a topic of phpBB as anybody may: its Atom feed, else its pages, else its print view. Nobody signs in for it."""

from __future__ import annotations

from urllib.parse import urljoin

from bs4 import BeautifulSoup
from django.utils.translation import gettext as _

import outside
from forum.transports import CannotRead, Heard
from forum.transports import phpbb_forms as forms
from forum.transports.asking import reading
from forum.transports.pages import Page, number_in, text_of, when
from outside.answer import Answer
from outside.client import Client

ATOM = "{http://www.w3.org/2005/Atom}"
SHORT = 15
"""Entries a feed holds as boards come: where all are new, older ones may be, too."""
PAGES = 4


def read(base: str, topic: int, since: int, client: Client) -> list[Heard]:
    """Posts with a number above `since`, oldest first. Raises `CannotRead` where guests may not look."""
    fed = feed(base, topic, client)
    found = {int(one.id): one for one in fed or ()}
    if fed is None or (since and len(found) >= SHORT and min(found) > since):
        start = 0
        for _page in range(PAGES):
            page = Page(_get(client, base, f"viewtopic.php?t={topic}&st=0&sk=t&sd=d&start={start}"))
            shown = forms.shown(page)
            if not shown and not found:
                return _printed(base, topic, since, client, page)
            found = {post.id: _heard(base, post) for post in shown} | found
            start += len(shown)
            if not shown or not since or min(post.id for post in shown) <= since:
                break
    return [found[number] for number in sorted(found) if number > since]


def _get(client: Client, base: str, path: str) -> Answer:
    return reading(lambda: client.get(urljoin(base, path)), client.now())


def feed(base: str, topic: int, client: Client) -> list[Heard] | None:
    """What the feed holds, newest first; None where the board has none, or shows it to members only."""
    answer = _get(client, base, f"app.php/feed/topic/{topic}")
    if not answer.ok:
        return None
    try:
        root = answer.xml()
    except outside.Doubtful:
        return None
    made = []
    for entry in root.iter(f"{ATOM}entry"):
        number = number_in(entry.findtext(f"{ATOM}id") or "", "p")
        if number is None:
            continue
        author = (entry.findtext(f"{ATOM}author/{ATOM}name") or "").strip()
        at = when(entry.findtext(f"{ATOM}published") or entry.findtext(f"{ATOM}updated") or "")
        text = _without_statistics(entry.findtext(f"{ATOM}content") or "")
        made.append(Heard(str(number), author, at, text, forms.permalink(base, number)))
    return made


def _without_statistics(html: str) -> str:
    """A feed's content ends with a line about who wrote it when, above a rule."""
    soup = BeautifulSoup(html, "html.parser")
    rules = soup.find_all("hr")
    if rules and not rules[-1].find_next_sibling():
        before = rules[-1].find_previous_sibling()
        if before is not None and before.name == "p":
            before.decompose()
        rules[-1].decompose()
    return text_of(str(soup))


def _heard(base: str, post: forms.Shown) -> Heard:
    return Heard(str(post.id), post.author, when(post.at), post.text, forms.permalink(base, post.id))


def _printed(base: str, topic: int, since: int, client: Client, page: Page) -> list[Heard]:
    """A print view has no numbers: each post is known by its place in the topic."""
    if page.status != 200 or page.form(forms.LOGIN) is not None:
        raise CannotRead(page.said("#message p") or _("Guests may not read this topic."))
    path = f"viewtopic.php?t={topic}&view=print"
    first = Page(_get(client, base, path))
    posts, pages = forms.printed(first), forms.printed_pages(first)
    if not posts:
        raise CannotRead(_("The topic's posts cannot be read."))
    before = 0
    if pages > 1:
        before = len(posts) * (pages - 1)
        posts = forms.printed(Page(_get(client, base, f"{path}&start={before}")))
    address = urljoin(base, f"viewtopic.php?t={topic}")
    made = [Heard(str(before + at), post.author, None, post.text, address) for at, post in enumerate(posts, 1)]
    return [one for one in made if int(one.id) > since]

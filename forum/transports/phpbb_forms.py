"""phpBB 3.3 by its forms: what stands on its pages and what is sent back.

A token is good when it is older than a second and younger than two hours; success is a 302 and nothing else.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

from forum.transports.pages import Form, Page, number_in, shortened, text_of

PAUSE = 1.2
"""Seconds between reading a form and sending it: the board refuses what comes within the same second."""
SUBJECT = 120
LOGIN = "form#login"
POSTING = "form#postform"


class Shown(NamedTuple):
    """A post on a page of its topic."""

    id: int
    author: str
    at: str
    text: str
    waits: bool = False
    """Shown to who wrote it only, until a moderator has looked at it."""


def root(address: str) -> str:
    """The board's folder of any address on it, with a slash at its end: `/forum/viewtopic.php?t=7` is in `/forum/`."""
    parts = urlsplit(address.strip())
    path = re.sub(r"[^/]*\.php(/.*)?$", "", parts.path)
    return f"{parts.scheme}://{parts.netloc}{path.rstrip('/')}/"


def credentials(form: Form, user: str, password: str) -> dict[str, str]:
    """The login form filled in: all that is hidden in it, and no box ticked."""
    kept = {name: value for name, value in form.fields.items() if name not in ("autologin", "viewonline")}
    return kept | {"username": user, "password": password, "login": "Login"}


def reply(form: Form, subject: str, text: str) -> dict[str, str]:
    """The posting form filled in.

    `topic_cur_post_id` stays out: with it the board stops where somebody posted since, to show that first. A subject with a
    sign beyond the Basic Multilingual Plane is refused.
    """
    kept = {name: value for name, value in form.fields.items() if name != "topic_cur_post_id"}
    plain = "".join(sign for sign in subject if sign <= "\uffff")
    return kept | {"subject": shortened(plain, SUBJECT) or kept.get("subject", ""), "message": text, "post": "Submit"}


def signed_in(location: str, cookies: dict[str, str]) -> bool:
    """A login's 302, and the cookie of a user who is not the anonymous one."""
    users = [value for name, value in cookies.items() if name.endswith("_u")]
    return bool(location) and any(value.isdigit() and int(value) > 1 for value in users)


def post_of(location: str) -> int | None:
    """The number of the post that a success leads to."""
    return number_in(location, "p") if "viewtopic" in location else None


def topic_of(location: str) -> int | None:
    return number_in(location, "t") if "viewtopic" in location else None


def permalink(base: str, post: int) -> str:
    return urljoin(base, f"viewtopic.php?p={post}#p{post}")


# What went wrong, by the words of boards in some languages. What is none of these is said as it stands, and tried again.
_FLOOD = re.compile(
    r"so soon after your last|dopo così poco tempo|subito dopo|so schnell nach|si tôt après|aussitôt après|trop rapproch"
    r"|tan pronto|zo snel",
    re.IGNORECASE,
)
_TOKEN = re.compile(
    r"form was invalid|(form|modulo) inviato non|Formular war ung|formulaire .{0,40}(invalide|pas valide|incorrect)"
    r"|formulario .{0,30}(inv|no (es|era|fue) v)|formulier .{0,30}ongeldig",
    re.IGNORECASE,
)
_LENGTH = re.compile(
    r"contains \d+ characters|contiene \d+ caratteri|\d+ Zeichen|\d+ caract|too (few|many) characters", re.IGNORECASE
)


def is_flood(said: str) -> bool:
    return _FLOOD.search(said) is not None


def is_token(said: str) -> bool:
    return _TOKEN.search(said) is not None


def is_length(said: str) -> bool:
    return _LENGTH.search(said) is not None


def shown(page: Page) -> list[Shown]:
    """The posts of a topic's page, in its order."""
    made = []
    for found in page.soup.find_all("div", id=re.compile(r"^p\d+$")):
        author = found.select_one("p.author strong, .author .username, .author .username-coloured")
        at = found.select_one("p.author time")
        content = found.select_one("div.content")
        made.append(
            Shown(
                int(str(found["id"])[1:]),
                author.get_text(strip=True) if author else "",
                str(at.get("datetime") or "") if at else "",
                text_of(content) if content else "",
                found.select_one(".post-notice.unapproved") is not None,
            )
        )
    return made


def printed(page: Page) -> list[Shown]:
    """The posts of a print view: they have no numbers there, and their times are written for people."""
    made = []
    for found in page.soup.select("#page-body > div.post"):
        author, content = found.select_one(".author strong"), found.select_one("div.content")
        made.append(Shown(0, author.get_text(strip=True) if author else "", "", text_of(content) if content else ""))
    return made


def printed_pages(page: Page) -> int:
    """How many pages the print view has."""
    found = [one.get_text(strip=True) for one in page.soup.select(".page-number strong")]
    return int(found[1]) if len(found) > 1 and found[1].isdigit() else 1

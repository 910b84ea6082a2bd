"""A form that comes twice within seconds: a double click does its work once."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from cryptography.fernet import InvalidToken
from django.core.cache import cache
from django.http import HttpRequest
from django.utils.crypto import salted_hmac
from django.utils.http import url_has_allowed_host_and_scheme, urlencode

from campaign import keys
from campaign.log import selectors
from campaign.log.entries import QUIET
from campaign.log.selectors import Line
from engine.strict_json import whole
from games.registry import PAGES
from notices.selectors import News
from people.models import User

if TYPE_CHECKING:
    from web.shell.campaign_page import TableContext

DOUBLE_CLICK = 10  # seconds


@dataclass
class Noted:
    """What one request has noted while it is answered."""

    guest: User | None = None
    """Whom this browser's session remembers as its guest, signed in or not."""
    news: list[News] | None = None
    """The reader's unread notices; None as long as nobody has asked."""
    looked: bool = False
    """Were those marked as read that lead to the page which is shown?"""
    shows_a_secret: bool = False
    """Does the page show a secret, so that nobody keeps a copy?"""
    written: dict[str | None, Hashable] = field(default_factory=dict)
    """Language, zone and day in which the page is written, by language."""


def noted(request: HttpRequest) -> Noted:
    """The same for everybody who asks during one request."""
    notes: Noted = request.__dict__.setdefault("noted", Noted())
    return notes


def first_time(request: HttpRequest, seconds: int = DOUBLE_CLICK) -> bool:
    """Is it the first time within `seconds` that this very form comes from this account to this address?"""
    return cache.add(_form(request), 1, seconds)


def allow_again(request: HttpRequest) -> None:
    """It was refused: mended or not, it may be sent again at once."""
    cache.delete(_form(request))


def _form(request: HttpRequest) -> str:
    """The key under which a form that was sent is remembered; it may hold a password, which nobody reads out of the key."""
    fields = [(key, request.POST.getlist(key)) for key in sorted(request.POST) if key != "csrfmiddlewaretoken"]
    for key, file in sorted(request.FILES.items()):
        marks = sha256()
        for chunk in file.chunks():  # type: ignore[union-attr]
            marks.update(chunk)
        file.seek(0)  # type: ignore[union-attr]
        fields.append((key, [marks.hexdigest()]))
    body = urlencode([("", [request.path]), *fields], True)
    return f"once-{request.user.pk}-{salted_hmac('web.shell.requests', body, algorithm='sha256').hexdigest()}"


# A secret that was made just now: it lies sealed in the session until the next page has shown it, once.


def keep_secret(request: HttpRequest, kind: str, name: str, secret: str, **more: Any) -> None:
    """`kind` is the page's own word; `name` what the secret is of; `more` what the page wants to know of it."""
    request.session[kind] = {"name": name, "sealed": keys.seal(secret), **more}


def take_secret(request: HttpRequest, kind: str, **wanted: Any) -> dict[str, Any] | None:
    """What was kept, with its `secret`, for the page that a GET asks for: no browser keeps a copy of that. None where there is
    none, where it was shown, or where `wanted` says otherwise than what was kept with it."""
    kept: dict[str, Any] = request.session.get(kind) or {}
    if request.method != "GET" or not kept or wanted.items() - kept.items():
        return None
    del request.session[kind]
    try:
        secret = keys.unseal(kept.pop("sealed"))
    except InvalidToken:
        return None
    noted(request).shows_a_secret = True
    return {**kept, "secret": secret}


# Back to where somebody came from.


def safe_redirect(request: HttpRequest) -> str:
    """The address of this site that the form names as `next`; empty if it names none, or another site's."""
    return inside_this_site(request, request.POST.get("next", ""))


def inside_this_site(request: HttpRequest, wanted: str, below: str = "/") -> str:
    """`wanted`, if it is a path of this site that begins with `below`; else empty."""
    hosts = {request.get_host()}
    safe = wanted.startswith(below) and url_has_allowed_host_and_scheme(wanted, hosts, require_https=request.is_secure())
    return wanted if safe else ""


# What a form's page had shown, and what has moved since.


def seen_number(text: str) -> int:
    """The last entry a form's page had shown, as posted; of nonsense nothing was seen."""
    number = whole(text)
    return -1 if number is None else number


def since(table: TableContext, seen: int) -> list[Line]:
    """What has moved since the form was made; seats taken and the like move nothing."""
    if seen == table.seen:
        return []
    lines = selectors.since(table.campaign, table.user, seen)
    return [line for line in lines if line.entry.table_act not in QUIET]


# Where an address leads in a title that has a page of its own: most rooms of the table are on that page.

PLAIN = frozenset({
    "story", "nation", "plan", "announce", "preview", "battles", "battle", "evidence", "desk", "remedies", "terms",
})  # fmt: skip
"""Addresses that are nowhere where the title has a page of its own."""


def page_or_table(title: str, page: tuple[Any, ...]) -> tuple[Any, ...]:
    """The page, a name and its arguments after the campaign, or the table where the title has no such page."""
    return ("table",) if title in PAGES and page[0] in PLAIN else page

"""Facts about a request that several pages need.

These are forms sent twice, secrets shown once, the page that follows a form, the bell, and the
users whom a browser knows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import NotRequired, TypedDict, Unpack

from cryptography.fernet import InvalidToken
from django.conf import settings
from django.core import signing
from django.core.cache import cache
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.translation import ngettext

from campaign import keys
from campaign.log import selectors
from campaign.log.acts.registry import QUIET
from campaign.log.selectors import Line
from engine.strict_json import read_whole_number
from games.registry import TITLES, has_board
from moderation import services as moderation
from notices import selectors as notices_selectors
from notices import services
from notices.registry import KINDS
from notices.selectors import NoticeLink
from people import services as people_services
from people.models import User
from web.frame.raw_forms import NextForm, sent_fields
from web.frame.table import TableContext

DOUBLE_CLICK = 10
"""Seconds within which a form that is sent again counts as a double click."""
Page = tuple[str | int, ...]
"""A page of a campaign: the name of its address, then its arguments."""


@dataclass(frozen=True, slots=True)
class PasswordAttempt:
    """A counted attempt to sign in with a password.

    It is counted for `seconds` from `moment` on, in the list that the cache has under `key`.
    `is_here` is true if this list counts the wrong passwords for one user from one address.
    """

    key: str
    seconds: int
    moment: float
    is_here: bool


@dataclass
class RequestFacts:
    """Facts that are collected while one request is answered."""

    guest: User | None = None
    """The guest of this browser's session, signed in or not."""
    news: tuple[NoticeLink, ...] | None = None
    """The reader's unread notices, the newest first; None until they are read."""
    looked: bool = False
    """Whether the notices that lead to the shown page have been looked for."""
    marked: bool = False
    """Whether such notices have been marked as read."""
    signed_in_now: bool = False
    """Whether the user has signed in with this request."""
    tries: list[PasswordAttempt] = field(default_factory=list)
    """The attempts to sign in that have been counted."""
    token: str = ""
    """The placeholder for the CSRF token on a page that readers share."""
    reader_mark: str = ""
    """The mark of the page's reader (`config.middleware.reader_mark`)."""
    shown_as: str = ""
    """The number of an unexpected error, which the page and the e-mail to ADMINS show."""
    shows_a_secret: bool = False
    """Whether the page shows a secret, so that no copy may be kept."""


def request_facts(request: HttpRequest) -> RequestFacts:
    """Return the facts that have been collected for a request."""
    facts: RequestFacts = request.__dict__.setdefault("noted", RequestFacts())
    return facts


# A form that comes twice within seconds is a double click and takes effect once.


def first_time(request: HttpRequest, seconds: int = DOUBLE_CLICK) -> bool:
    """Return whether this form of this user to this address is the first within `seconds`."""
    return cache.add(_form(request), 1, seconds)


def allow_again(request: HttpRequest) -> None:
    """Let a refused form be sent again at once."""
    cache.delete(_form(request))


def _digest(file: UploadedFile) -> str:
    marks = sha256()
    for chunk in file.chunks():
        marks.update(chunk)
    file.seek(0)
    return marks.hexdigest()


def _form(request: HttpRequest) -> str:
    """Return the key under which the cache remembers that a form was sent.

    The form may contain a password, which cannot be read from the key.
    """
    fields = sorted(sent_fields(request))
    for key in sorted(request.FILES):
        fields.append((key, [_digest(file) for file in request.FILES.getlist(key)]))
    body = urlencode([("", [request.path]), *fields], True)
    digest = salted_hmac("web.frame.requests", body, algorithm="sha256").hexdigest()
    return f"once-{request.user.pk}-{digest}"


# A new secret is kept sealed in the session until the next page has shown it once.


class LinkFacts(TypedDict, total=False):
    """Facts about a secret link to a campaign."""

    seat: str
    here: str
    """The page that shows the link."""
    co: bool
    """Whether the link is for a co-game-master."""


class SealedSecret(TypedDict):
    """A secret in the form in which a session keeps it."""

    name: str
    sealed: str
    facts: NotRequired[LinkFacts]


@dataclass(frozen=True, slots=True)
class KeptSecret:
    """A secret that is shown once. `name` says what it is for."""

    name: str
    secret: str
    facts: LinkFacts


def keep_secret(
    request: HttpRequest, kind: str, name: str, secret: str, **facts: Unpack[LinkFacts]
) -> None:
    """Keep a secret for the next page.

    Args:
        request: The request that made the secret.
        kind: The page's own key for such secrets.
        name: The thing that the secret is for.
        secret: The secret.
        facts: The facts that the page needs if the secret is a link.
    """
    kept: SealedSecret = {"name": name, "sealed": keys.seal(secret), "facts": facts}
    request.session[kind] = kept


def take_secret(request: HttpRequest, kind: str, **wanted: Unpack[LinkFacts]) -> KeptSecret | None:
    """Return the kept secret for the page that a GET requests. No browser keeps a copy of the page.

    None if nothing was kept, if it has already been shown, or if its facts differ from those
    `wanted`.
    """
    kept: SealedSecret | None = request.session.get(kind)
    if request.method != "GET" or not kept:
        return None
    facts = kept.get("facts", {})
    if wanted.items() - facts.items():
        return None
    del request.session[kind]
    try:
        secret = keys.unseal(kept["sealed"])
    except InvalidToken:
        return None
    request_facts(request).shows_a_secret = True
    return KeptSecret(kept["name"], secret, facts)


# The page that follows a form


def safe_redirect(request: HttpRequest) -> str:
    """Return the address that the form names as `next`; empty if it is not of this site."""
    return inside_this_site(request, NextForm(request.POST).text_of("next"))


def inside_this_site(request: HttpRequest, wanted: str, below: str = "/") -> str:
    """Return a path if it is of this site and begins with `below`; else an empty text."""
    hosts = {request.get_host()}
    safe = wanted.startswith(below) and url_has_allowed_host_and_scheme(
        wanted, hosts, require_https=request.is_secure()
    )
    return wanted if safe else ""


# Entries that a form's page had shown, and entries since


def seen_number(text: str) -> int:
    """Return the last entry that the page of a form had shown; -1 if the number cannot be read."""
    number = read_whole_number(text)
    return -1 if number is None else number


def since(table: TableContext, seen: int) -> list[Line]:
    """Return the entries since the form was shown, without acts that change no page."""
    if seen == table.seen:
        return []
    lines = selectors.since(table.campaign, table.user, seen)
    return [line for line in lines if line.entry.table_act not in QUIET]


# Addresses in a title with a page of its own, which replaces most pages of the table

PLAIN = frozenset(
    {
        "story",
        "nation",
        "plan",
        "announce",
        "preview",
        "battles",
        "battle",
        "evidence",
        "desk",
        "remedies",
        "terms",
    }
)
"""Addresses that do not exist if the title has a page of its own."""


def page_or_table(title: str, page: Page) -> Page:
    """Return a page (its name and arguments), or the table if the title has no such page."""
    return ("table",) if has_board(title) and page[0] in PLAIN else page


# The bell in the bar, with the number of new notices. Notices about the page that is being read are
# no longer new.

MOST = 100
"""The largest number of notices that are read for one page. The bell shows 99+."""


def guest_has(request: HttpRequest) -> str:
    """Return a sentence about the campaigns that a guest keeps on signing up; empty for others."""
    guest = request_facts(request).guest
    if guest is None:
        return ""
    held = [
        campaign
        for campaign in selectors.campaigns_of_user(guest)[:MOST]
        if campaign.title in TITLES
    ]
    if not held:
        return ""
    text = ngettext(
        "You keep the game that you have begun.",
        "You keep the %(n)d games that you have begun.",
        len(held),
    )
    return text % {"n": len(held)}


def reports_waiting(request: HttpRequest) -> int | None:
    """Return the number of texts that wait for a moderator; None, without a query, for others."""
    user = getattr(request, "user", None)
    if user is None or not people_services.is_moderator(user):
        return None
    return moderation.open_reports().values("kind", "ref").distinct().order_by().count()


def site(request: HttpRequest) -> dict[str, object]:
    """Return the context for every template: settings of the site, and facts about the reader."""
    return {
        "demonstration": settings.TABULA_DEMO,
        "site_version": settings.VERSION,
        "site_zone": timezone.get_current_timezone_name(),
        "passkey_places": settings.PASSKEY_ORIGINS,
        "sign_up": settings.SIGN_UP,
        "contact": settings.CONTACT,
        "reports_waiting": lambda: reports_waiting(request),
        "guest_has": lambda: guest_has(request),
        "reader_mark": request_facts(request).reader_mark,
    }


def news(request: HttpRequest) -> tuple[NoticeLink, ...]:
    """Return the reader's unread notices. They are read once per request."""
    notes = request_facts(request)
    if notes.news is None:
        notes.news = (
            notices_selectors.unread_links(request.user, MOST)
            if request.user.is_authenticated
            else ()
        )
    return notes.news


def unread_of(request: HttpRequest, public_id: str, page: Page | None = None) -> list[int]:
    """Return the ids of a campaign's unread notices that lead to this page, or to any page."""
    return [
        lead.pk
        for lead in news(request)
        if lead.campaign == public_id and lead.kind in KINDS
        if page is None or page in (page_or_table(lead.title, lead.page), ("entry", lead.number))
    ]


def mark_page_read(request: HttpRequest) -> None:
    """Mark the notices that lead to the shown page as read.

    A part that is fetched in the background shows no page.
    """
    if request.method != "GET" or getattr(request, "htmx", False) or request_facts(request).looked:
        return
    request_facts(request).looked = True
    match = request.resolver_match
    if match is None or "ref" not in match.kwargs:
        return
    page = (match.url_name, *(given for key, given in match.kwargs.items() if key != "ref"))
    here = unread_of(request, match.kwargs["ref"][:8], page)
    if here:
        services.mark_read(request.user, notices=here)
        request_facts(request).marked = True
        request_facts(request).news = tuple(lead for lead in news(request) if lead.pk not in here)


def count(request: HttpRequest) -> str:
    """Return the number on the bell: empty, a number, or 99+."""
    new = len(news(request))
    return "99+" if new > 99 else str(new or "")


def bell(request: HttpRequest) -> dict[str, Callable[[], str]]:
    """Return the context with the number on the bell, which only pages with the bar read."""
    return {"bell": lambda: count(request)}


# The users who have signed in with this browser, in a signed cookie


YEAR = 365 * 24 * 3600

DEVICES = 5
"""The largest number of users who are remembered for one browser."""


def people_known(request: HttpRequest) -> list[str]:
    """Return the marks of the users who have signed in with this browser."""
    try:
        cookie = request.COOKIES.get(settings.DEVICE_COOKIE_NAME, "")
        names = signing.loads(cookie, salt="web.frame.throttle.device", max_age=YEAR)
    except signing.BadSignature:
        return []
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []


def mark_of_person(user: User) -> str:
    """Return the mark of a user.

    It changes when all their sessions are ended (`people.address_proof`), so that no browser is
    known any more.
    """
    return f"{user.pk}:{user.sessions_ended}"


def remember(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Remember in a signed cookie that this user has signed in with this browser."""
    people, mark = people_known(request), mark_of_person(user)
    if mark in people and not request_facts(request).signed_in_now:
        return
    others = [other for other in people if other.partition(":")[0] != str(user.pk)]
    value = signing.dumps([mark, *others][:DEVICES], salt="web.frame.throttle.device")
    response.set_cookie(
        settings.DEVICE_COOKIE_NAME,
        value,
        max_age=YEAR,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )

"""What a request brings and what is noted on it: a form sent twice, a secret shown once, the way
back, the bell, who is known.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from cryptography.fernet import InvalidToken
from django.conf import settings
from django.core import signing
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.translation import gettext as _

from campaign import keys
from campaign.log import selectors
from campaign.log.entries import QUIET
from campaign.log.selectors import Line
from engine.strict_json import whole
from games.registry import PAGES, TITLES, word
from moderation import services as moderation
from notices import selectors as notices_selectors
from notices import services
from people import services as people_services
from people.models import User

if TYPE_CHECKING:
    from web.frame.campaign_page import TableContext


DOUBLE_CLICK = 10  # seconds


@dataclass
class Noted:
    """What one request has noted while it is answered."""

    guest: User | None = None
    """Whom this browser's session remembers as its guest, signed in or not."""
    news: tuple[int, ...] | None = None
    """The reader's unread notices by their keys, the newest first; None as long as nobody has
    asked.
    """
    looked: bool = False
    """Were those marked as read that lead to the page which is shown?"""
    token: str = ""
    """What stands in the place of a form's token on a page that readers share."""
    shows_a_secret: bool = False
    """Does the page show a secret, so that nobody keeps a copy?"""


def noted(request: HttpRequest) -> Noted:
    """The same for everybody who asks during one request."""
    notes: Noted = request.__dict__.setdefault("noted", Noted())
    return notes


# A form that comes twice within seconds: a double click does its work once.


def first_time(request: HttpRequest, seconds: int = DOUBLE_CLICK) -> bool:
    """Is it the first time within `seconds` that this very form comes from this account to this
    address?
    """
    return cache.add(_form(request), 1, seconds)


def allow_again(request: HttpRequest) -> None:
    """It was refused: mended or not, it may be sent again at once."""
    cache.delete(_form(request))


def _form(request: HttpRequest) -> str:
    """The key under which a form that was sent is remembered; it may hold a password, which nobody
    reads out of the key.
    """
    fields = [
        (key, request.POST.getlist(key))
        for key in sorted(request.POST)
        if key != "csrfmiddlewaretoken"
    ]
    for key, file in sorted(request.FILES.items()):
        marks = sha256()
        for chunk in file.chunks():  # type: ignore[union-attr]
            marks.update(chunk)
        file.seek(0)  # type: ignore[union-attr]
        fields.append((key, [marks.hexdigest()]))
    body = urlencode([("", [request.path]), *fields], True)
    digest = salted_hmac("web.frame.requests", body, algorithm="sha256").hexdigest()
    return f"once-{request.user.pk}-{digest}"


# A secret that was made just now: it lies sealed in the session until the next page has shown it,
# once.


def keep_secret(request: HttpRequest, kind: str, name: str, secret: str, **more: Any) -> None:
    """`kind` is the page's own word; `name` what the secret is of; `more` what the page wants to
    know of it.
    """
    request.session[kind] = {"name": name, "sealed": keys.seal(secret), **more}


def take_secret(request: HttpRequest, kind: str, **wanted: Any) -> dict[str, Any] | None:
    """What was kept, with its `secret`, for the page that a GET asks for: no browser keeps a copy
    of that. None where there is none, where it was shown, or where `wanted` says otherwise than
    what was kept with it.
    """
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
    """The address of this site that the form names as `next`; empty if it names none, or another
    site's.
    """
    return inside_this_site(request, request.POST.get("next", ""))


def inside_this_site(request: HttpRequest, wanted: str, below: str = "/") -> str:
    """`wanted`, if it is a path of this site that begins with `below`; else empty."""
    hosts = {request.get_host()}
    safe = wanted.startswith(below) and url_has_allowed_host_and_scheme(
        wanted, hosts, require_https=request.is_secure()
    )
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


# Where an address leads in a title that has a page of its own: most rooms of the table are on that
# page.

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
"""Addresses that are nowhere where the title has a page of its own."""


def page_or_table(title: str, page: tuple[Any, ...]) -> tuple[Any, ...]:
    """The page, a name and its arguments after the campaign, or the table where the title has no
    such page.
    """
    return ("table",) if title in PAGES and page[0] in PLAIN else page


# The bell in the bar: how many notices are new; those of the page that is read are new no longer.

MOST = 100
"""More are not looked at for one page: the bell says 99+."""


def guest_has(request: HttpRequest) -> str:
    """What goes with a guest who makes an account; empty where nobody is one."""
    guest = noted(request).guest
    if guest is None:
        return ""
    held = [
        campaign
        for campaign in selectors.campaigns_of_user(guest)[:MOST]
        if campaign.title in TITLES
    ]
    if len(held) != 1:
        return _("Your %(n)d campaigns go with you.") % {"n": len(held)} if held else ""
    (one,) = held
    named = {
        "what": word(one.title, "campaign"),
        "n": one.turn,
        "turns": word(one.title, "turn" if one.turn == 1 else "turns"),
    }
    if not one.turn:
        return _("Your %(what)s goes with you.") % named
    return _("Your %(what)s of %(n)d %(turns)s goes with you.") % named


def reports_waiting(request: HttpRequest) -> int | None:
    """For a moderator of the site, how many texts wait to be looked at; None for everybody else,
    who is asked nothing.
    """
    user = getattr(request, "user", None)
    if user is None or not people_services.is_moderator(user):
        return None
    return moderation.waiting().values("kind", "ref").distinct().order_by().count()


def site(request: HttpRequest) -> dict[str, Any]:
    """What every page may ask: is this a demonstration, in which zone do times stand."""
    return {
        "demonstration": settings.TABULA_DEMO,
        "site_version": settings.VERSION,
        "site_zone": timezone.get_current_timezone_name(),
        "passkey_places": settings.PASSKEY_ORIGINS,
        "sign_up": settings.SIGN_UP,
        "contact": settings.CONTACT,
        "reports_waiting": lambda: reports_waiting(request),
        "guest_has": lambda: guest_has(request),
    }


def news(request: HttpRequest) -> tuple[int, ...]:
    """The reader's unread notices, asked for once a request."""
    notes = noted(request)
    if notes.news is None:
        notes.news = (
            notices_selectors.news(request.user, MOST) if request.user.is_authenticated else ()
        )
    return notes.news


def unread_of(
    request: HttpRequest, public_id: str, page: tuple[Any, ...] | None = None
) -> list[int]:
    """Return the unread notices of a campaign that lead to this page, or to any page."""
    unread = news(request)
    if not unread:
        return []
    leads = notices_selectors.leads(request.user, public_id, min(unread))
    return [
        lead.pk
        for lead in leads
        if lead.pk in unread
        and (page is None or page in (page_or_table(lead.title, lead.page), ("entry", lead.number)))
    ]


def mark_page_read(request: HttpRequest) -> None:
    """Marks as read what leads to the page that is shown now. A part fetched in the background
    shows no page.
    """
    if request.method != "GET" or getattr(request, "htmx", False) or noted(request).looked:
        return
    noted(request).looked = True
    match = request.resolver_match
    if match is None or "ref" not in match.kwargs:
        return
    page = (match.url_name, *(given for key, given in match.kwargs.items() if key != "ref"))
    here = unread_of(request, match.kwargs["ref"][:8], page)
    if here:
        services.mark_read(request.user, notices=here)
        noted(request).news = tuple(one for one in news(request) if one not in here)


def count(request: HttpRequest) -> str:
    """What the bell says: nothing, a number, 99+."""
    new = len(news(request))
    return "99+" if new > 99 else str(new or "")


def bell(request: HttpRequest) -> dict[str, Any]:
    """For every page: asked only where the bar is drawn."""
    return {"bell": lambda: count(request)}


# Whom this browser is known to have signed in, by a cookie that nobody else can make.


YEAR = 365 * 24 * 3600

DEVICES = 5
"""How many people one browser is known to have signed in."""


def people_known(request: HttpRequest) -> list[str]:
    try:
        cookie = request.COOKIES.get(settings.DEVICE_COOKIE_NAME, "")
        names = signing.loads(cookie, salt="web.frame.throttle.device", max_age=YEAR)
    except signing.BadSignature:
        return []
    return [one for one in names if isinstance(one, str)] if isinstance(names, list) else []


def mark_of_person(user: Any) -> str:
    """The person, as long as their sessions were not all ended (`people.proof`): a stranger's
    browser is known no more then.
    """
    return f"{user.pk}:{user.sessions_ended}"


def remember(request: HttpRequest, response: HttpResponse, user: Any) -> None:
    """This person is signed in at this browser, which says so from now on by a cookie that nobody
    else can make.
    """
    people, mark = people_known(request), mark_of_person(user)
    if mark in people and not getattr(request, "signed_in_now", False):
        return
    others = [one for one in people if one.partition(":")[0] != str(user.pk)]
    value = signing.dumps([mark, *others][:DEVICES], salt="web.frame.throttle.device")
    response.set_cookie(
        settings.DEVICE_COOKIE_NAME,
        value,
        max_age=YEAR,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )

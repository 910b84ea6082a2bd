"""What all pages of a campaign share: which campaign, who reads it, what he may see of it, the head above it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property, lru_cache, partial, wraps
from types import SimpleNamespace
from typing import Any, TypeVar

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import get_script_prefix, get_urlconf, reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from battles import projection as battles_projection
from campaign import access as campaign_access
from campaign import plans, review, rulebook
from campaign.access import Access
from campaign.errors import NoSuchCampaign, NoSuchEntry, NotAllowed
from campaign.log import entries, positions, selectors
from campaign.log.selectors import Reading
from campaign.models import GAME_MASTER, Campaign, LogEntry, Membership
from campaign.prepared import Prepared
from campaign.seats import seating
from campaign.seats import selectors as seats_selectors
from engine.effects import Say
from engine.strict_json import clean_text
from forum.models import Thread
from games import registry
from games.contract.pages import Pages
from people import services as people_services
from talk.selectors import with_unread
from web import titles
from web.shell import page_cache
from web.shell.requests import PLAIN
from web.templatetags.tabula import NO_RULES
from web.titles import extras

COMPANY = frozenset({
    "seats", "lobby", "terms", "channels", "webhooks", "clocks", "seat_notes", "handover",
    "talk", "talk_file", "talk_thread", "press", "reported",
})  # fmt: skip
"""Addresses that are nowhere where one plays alone."""

LEADING = frozenset({"table", "nation"})
"""Pages that lead to what was handed over with a seat."""

RESUME = "resume"
"""The move that takes a campaign over in its course, in place of the start."""

View = Callable[..., HttpResponseBase]
T = TypeVar("T")


def address(name: str, *args: Any) -> str:
    """The address of a page."""
    return _address(get_urlconf() or settings.ROOT_URLCONF, get_script_prefix(), name, args)


@lru_cache(maxsize=16_384)
def _address(urlconf: str, prefix: str, name: str, args: tuple[Any, ...]) -> str:
    """A page has some thirty addresses, of which most stand on every page of its campaign."""
    return reverse(name, args=args)


@dataclass(frozen=True, slots=True)
class Notes:
    """What the database says of the reader beside the campaign's row, in the same query. A page that does not ask has the
    values that stand here."""

    planned: int | None = None
    """How many moves the reader has planned for the seat whose page this is; None: no plan of theirs."""
    listed: Any = None
    """When a plan of theirs was changed last, on pages of no seat."""
    talk_new: int = 0
    """The messages that are new to them."""
    handed: str | None = None
    """The first of their seats whose hand-over page waits for them."""
    guarded: bool = False
    """Has the reader a second factor? The desk asks, as for the two that follow."""
    thread: bool = False
    """Is a thread set up?"""
    amended: bool = False
    """Was a change of the rules ever proposed?"""


NOTED = tuple(one.name for one in fields(Notes))


@dataclass
class TableContext(Reading):
    """A campaign as one reader sees it; made once a request. `position` hides nothing and is never shown."""

    request: HttpRequest
    campaign: Campaign
    access: Access
    past: bool = False
    """Is `position` not that of now?"""
    mark: str = ""
    """Of a position of the past: the key of the moves that made it. Empty where nobody asks for it again."""
    notes: Notes = Notes()
    known: dict[str, Any] = field(default_factory=dict)
    """What parts of the page have read already: `once`."""

    def once(self, key: str, read: Callable[[], T]) -> T:
        """What several parts of one page ask for, read by the first."""
        if key not in self.known:
            self.known[key] = read()
        value: T = self.known[key]
        return value

    def has(self, key: str) -> bool:
        """Has a part of the page read it already?"""
        return key in self.known

    @property
    def user(self) -> Any:
        return self.request.user

    @property
    def pages(self) -> Pages | None:
        """The title's own page of the table; None where the plain pages serve."""
        return registry.PAGES.get(self.campaign.title)

    @cached_property
    def solo(self) -> bool:
        """Is it played alone? Then there is nobody to invite, to wait for, or to be replaced by."""
        return len(self.seats) == 1

    @cached_property
    def view(self) -> dict[str, Any]:
        """The title's view of the position, redacted for the reader: made once for all who see alike, and nobody changes it."""
        seen: dict[str, Any] = page_cache.of_position(self, "position seen", lambda: self.title.view(self.position, self.viewer))
        return seen

    @cached_property
    def rows(self) -> Any:
        """As `Reading` has them: the same for every reader, made once a position; nobody changes them."""
        make = lambda: self.title.rows(self.position)  # noqa: E731
        key = self.mark if self.past else self.campaign.standing_hash
        return page_cache.kept.get(("rows", self.campaign.pk, key), make) if key else make()

    @cached_property
    def seats(self) -> list[selectors.Seat]:
        """As `Reading` has them; where the page knows who has a place now, made once a change of the campaign."""
        make = lambda: selectors.seats(self.campaign, self.places)  # noqa: E731
        if self.past or "places" not in self.__dict__:
            return make()
        campaign = self.campaign
        what = "seats", campaign.scenario, campaign.options, campaign.drawing_id, get_language()
        listed: list[selectors.Seat] = page_cache.of_change(campaign, what, make)
        return listed

    @property
    def ref(self) -> str:
        """What stands behind /c/ in the addresses of this campaign."""
        return self.campaign.address

    @property
    def home(self) -> str:
        return self.url("table")

    @property
    def game_master(self) -> bool:
        return self.access.game_master

    @property
    def host(self) -> bool:
        """A game master, also one who plays and may not see all: for pages that show nothing hidden."""
        return self.access.host

    @property
    def own_seats(self) -> tuple[str, ...]:
        return self.access.seats

    @cached_property
    def seen(self) -> int:
        """The reader's last entry for the forms, none later than the campaign's row was read: `services.play` asks for it."""
        return page_cache.seen(self)

    def holders(self, seat: str) -> list[str]:
        """The names of the people behind a seat, of all game masters for `gm`."""
        if seat == GAME_MASTER:
            return [user.username for user in selectors.game_masters(self.campaign, self.places)]
        return [s.holder.username for s in self.seats if s.key == seat and s.holder is not None]

    def is_mine(self, seat: str) -> bool:
        """Is it the reader who acts for this seat? A game master may, but only his own waits for him."""
        return seat in self.access.voices

    def sentence(self, phrase: Say) -> str:
        return battles_projection.speak(self.title, self.scenario, phrase)

    def url(self, name: str, *args: Any) -> str:
        """The address of a page of this campaign."""
        return _address(*self._site, name, (self.campaign.address, *args))

    @cached_property
    def _site(self) -> tuple[str, str]:
        """What beside its name and arguments says where a page is."""
        return get_urlconf() or settings.ROOT_URLCONF, get_script_prefix()

    def must_be_game_master(self) -> None:
        """Raises `PermissionDenied` for everybody else."""
        if not self.game_master:
            raise PermissionDenied(_(campaign_access.BLIND) if self.host else _("Only the game master may do this."))

    def must_be_host(self) -> None:
        """Raises `PermissionDenied` for who is no game master at all."""
        if not self.host:
            raise PermissionDenied(_("Only the game master may do this."))


def campaign_of_page(public_id: str, user: Any, page: str, seat: str) -> tuple[Campaign, Notes] | None:
    """The campaign's row, and what its page wants to know of the reader beside it: one query."""
    signed_in = user.is_authenticated
    more = page if signed_in and (page in LEADING or page == "desk") else ""
    seated = bool(seat) and clean_text(seat, plans.LONGEST_KEY)
    rows = _row.rows(public_id, user.pk or 0, seat if seated else "-", same=(signed_in, more, seated))
    if not rows:
        return None
    beside = vars(rows[0])
    return rows[0], Notes(**{name: beside.pop(name) for name in NOTED if name in beside})


def _row_of_page(public_id: str, user: int, seat: str, signed_in: bool, more: str, seated: bool) -> QuerySet[Campaign]:
    reader = SimpleNamespace(pk=user if signed_in else None, is_authenticated=signed_in)
    rows = with_unread(plans.with_plans(Campaign.objects.filter(public_id=public_id), reader, seat if seated else ""), reader)
    if more in LEADING:
        rows = seats_selectors.with_handovers(rows, reader)
    return of_desk(rows, reader) if more == "desk" else rows


_row = Prepared(_row_of_page, str, int, str)


def see_other(url: str) -> HttpResponse:
    """From a form that did its work to the page where that is seen."""
    return HttpResponseRedirect(url, status=303)


SESSION = "eyes"
"""Where a session has the hands that its reader has opened (`web.seats.hidden_hands`)."""


def access_with_open_hands(request: HttpRequest, campaign: Campaign, places: Sequence[Membership] | None) -> Access:
    """The reader at the table, with what of hidden hands lies open to him."""
    if places is not None:
        now = int(timezone.now().timestamp())
        opened = {seat for seat, until in request.session.get(SESSION, {}).get(campaign.public_id, {}).items() if until > now}
        masters = any(one.user_id == request.user.pk and one.role in Membership.MASTERS for one in places)
        shut = review.held(places) - opened
        if masters and shut:  # where every hand lies open he sees as game masters do
            campaign_access.open_eyes(campaign, request.user, review.free(campaign, places) | opened)
    return campaign_access.access_of(campaign, request.user, places)


def campaign_page(view: View) -> View:
    """Wraps `view(request, table, …)` of an address `c/<str:ref>/…`.

    404 where there is no such campaign or this reader may not know it; a wrong slug is redirected to the right one
    (not where something is posted); what somebody may not do asks him to sign in first, then says so.
    """

    @wraps(view)
    def wrapped(request: HttpRequest, ref: str, **kwargs: Any) -> HttpResponseBase:
        from web.shell import browser, views

        match = campaign_access.REF.fullmatch(ref)
        name = (request.resolver_match.url_name if request.resolver_match else "") or ""
        row = campaign_of_page(match["id"], request.user, name, kwargs.get("seat", "")) if match else None
        if row is None:
            raise Http404
        campaign, notes = row
        places = page_cache.places(campaign) if request.user.is_authenticated else None
        who = access_with_open_hands(request, campaign, places)
        if campaign.visibility == Campaign.Visibility.MEMBERS and not who.member:
            raise Http404
        if campaign.suspended:
            return views.suspended(request, campaign)
        if ref != campaign.address and request.method in ("GET", "HEAD"):
            here = request.get_full_path().replace(f"/c/{ref}/", f"/c/{campaign.address}/", 1)
            # Asked for again each time: a name may come back, and a browser that kept both ways would go round for ever.
            return browser.marked(redirect(here, permanent=True), "")
        if request.method in ("GET", "HEAD") and request.user.is_authenticated:
            campaign_access.remember(campaign, request.user, who)
        table = TableContext(request, campaign, who, notes=notes)
        table.places = page_cache.places(campaign) if places is None else places
        if (table.pages is not None and name in PLAIN) or (name in COMPANY and table.solo):
            raise Http404
        tag = browser.page_tag(request, table, name)
        if (known := browser.not_modified(request, tag)) is not None:
            return known
        try:
            return browser.marked(browser.may_keep(table, name, view(request, table, **kwargs)), tag)
        except (NoSuchCampaign, NoSuchEntry) as error:
            raise Http404 from error
        except (NotAllowed, PermissionDenied) as error:
            if not request.user.is_authenticated:
                return redirect_to_login(request.get_full_path())
            raise PermissionDenied(str(error)) from None

    return wrapped


def show(
    request: HttpRequest,
    table: TableContext,
    template: str,
    context: Mapping[str, Any] | None = None,
    *,
    here: str = "",
    status: int = 200,
) -> HttpResponse:
    """A page of the campaign: `template` extends campaign/base.html, `here` is the key of the tab that is open."""
    from web import practice
    from web.shell import head
    from web.shell import requests as shell_context
    from web.shell.browser import live

    if status == 200:
        shell_context.mark_page_read(request)
    whole = {"table": table, "campaign": table.campaign, "head": head.head(table, here), **(context or {})}
    whole["rules_link"] = rules_link(table)
    whole["rules_here"] = "" if whole["rules_link"] == NO_RULES else whole["rules_link"]
    whole["share"] = head.share(table, head.state_line(table)) if status == 200 else None
    whole["live"] = live(table, request.resolver_match.url_name or "" if request.resolver_match else "", status)
    name = request.resolver_match.url_name or "" if request.resolver_match else ""
    whole["lesson"] = practice.note(table, name) if table.campaign.lesson and here != "history" else None
    whole["visit"] = visit(request, table) if status == 200 else None
    whole["last_own"] = partial(head.last_own, table)
    whole["has_film"] = titles.films(table)
    whole["title_played"] = positions.plays(table.campaign)
    whole["seat_styles"] = partial(seat_styles, table)
    whole["own_styles"] = table.pages.styles if table.pages else ()
    return render(request, template, whole, status=status)


def rules_link(table: TableContext) -> str:
    """Where a rule that is cited is read: `rules_page` of `{% rule %}`."""
    return table.url("campaign_rules") if rulebook.rules_text(table.campaign.title) else NO_RULES


def visit(request: HttpRequest, table: TableContext) -> dict[str, Any] | None:
    """The film of what happened since the last visit of a member who is signed in; None for others, whose browser keeps it."""
    if (
        request.method != "GET"
        or not titles.films(table)
        or not table.access.member
        or not people_services.has_account(request.user)
    ):
        return None
    place = min((one for one in table.places if one.user_id == request.user.pk), key=lambda one: one.pk, default=None)
    if place is None:
        return None
    last = table.campaign.last_number
    since = seating.note_visit(place, last, timezone.now())
    text = _("Film since your last visit: entries {first} to {last}").format(first=since + 1, last=last)
    return {"since": since, "last": last, "text": text, "any": since < last}


# Colours of seats that the stylesheet does not know.

COLOUR = re.compile(r"#[0-9a-fA-F]{6}", re.ASCII)


def seat_styles(table: TableContext) -> dict[str, str]:
    """Per seat the custom properties of its colours, as inline styles; the title's own where it has some."""
    by_seat: dict[str, str] = page_cache.of_log(table, "styles", lambda: _seat_styles(table))
    return by_seat


def _seat_styles(table: TableContext) -> dict[str, str]:
    own = extras(table.campaign.title, "table")
    if own is not None and hasattr(own, "styles"):
        return {key: style for key, style in own.styles(table).items() if style}
    return {
        seat.key: f"--fill:{seat.info.colour};--name:light-dark(color-mix(in oklab,{seat.info.colour},black 35%),"
        f"color-mix(in oklab,{seat.info.colour},white 45%));--on:#fff8ea"
        for seat in table.seats
        if COLOUR.fullmatch(seat.info.colour)
    }


# What the desk wants to know beside the campaign's row, asked with it.


def of_desk(campaigns: QuerySet[Campaign], user: Any) -> QuerySet[Campaign]:
    """The same campaigns, each with what `Notes` has for the desk."""
    factor = Authenticator.objects.filter(user_id=user.pk, type=Authenticator.Type.TOTP)
    threads = Thread.objects.filter(campaign=OuterRef("pk"), removed_at=None)
    proposals = LogEntry.objects.filter(campaign=OuterRef("pk"), kind=LogEntry.Kind.TABLE, act=entries.AMENDMENT)
    return campaigns.annotate(guarded=Exists(factor), thread=Exists(threads), amended=Exists(proposals))

"""What all pages of a campaign share: which campaign, who reads it, what they may see of it, the
head above it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from functools import cached_property, lru_cache, partial, wraps
from typing import Any, NamedTuple, TypeVar

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import get_script_prefix, get_urlconf, reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy, ngettext, pgettext
from django.utils.translation import gettext as _

from battles import projection as battles_projection
from battles.projection import CONFIRM, JUDGE
from campaign import access as campaign_access
from campaign import plans, review
from campaign.access import Access
from campaign.clocks.selectors import SLOT, TURN
from campaign.errors import NoSuchCampaign, NoSuchEntry, NotAllowed
from campaign.hosting.audit import find_fault
from campaign.log import entries, positions, selectors
from campaign.log.history import BEFORE_ALL, Running
from campaign.log.selectors import Reading
from campaign.models import GAME_MASTER, Campaign, LogEntry, Membership
from campaign.seats import seating
from campaign.seats import selectors as seats_selectors
from engine.effects import Effect, Say
from engine.errors import IllegalMove, MalformedRecord
from engine.strict_json import clean_text, read
from forum.models import Thread
from games import registry
from games.contract.pages import Pages
from games.contract.title import Account, Ruled, Waiting
from games.registry import word, words
from people import services as people_services
from talk.selectors import with_unread
from web import titles, waiting
from web.frame import page_cache
from web.frame.requests import PLAIN
from web.templatetags.tabula import MINUS, NO_RULES, half
from web.titles import draws, extras
from web.waiting import live_claims, waited_for

COMPANY = frozenset(
    {
        "seats",
        "lobby",
        "terms",
        "channels",
        "webhooks",
        "clocks",
        "seat_notes",
        "handover",
        "talk",
        "talk_file",
        "talk_thread",
        "press",
        "reported",
    }
)
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
    """What the database says of the reader beside the campaign's row, in the same query. A page
    that does not ask has the values that stand here.
    """

    planned: int | None = None
    """How many moves the reader has planned for the seat whose page this is; None: no plan of
    theirs.
    """
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
    """A campaign as one reader sees it; made once a request. `position` hides nothing and is never
    shown.
    """

    request: HttpRequest
    campaign: Campaign
    access: Access
    past: bool = False
    """Is `position` not that of now?"""
    mark: str = ""
    """Of a position of the past: the key of the moves that made it. Empty where nobody asks for it
    again.
    """
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
        """The title's view of the position, redacted for the reader: made once for all who see
        alike, and nobody changes it.
        """
        seen: dict[str, Any] = page_cache.of_position(
            self, "position seen", lambda: self.title.view(self.position, self.viewer)
        )
        return seen

    @cached_property
    def rows(self) -> Any:
        """As `Reading` has them: the same for every reader, made once a position; nobody changes
        them.
        """
        make = lambda: self.title.rows(self.position)  # noqa: E731
        key = self.mark if self.past else self.campaign.standing_hash
        return page_cache.kept.get(("rows", self.campaign.pk, key), make) if key else make()

    @cached_property
    def seats(self) -> list[selectors.Seat]:
        """As `Reading` has them; where the page knows who has a place now, made once a change of
        the campaign.
        """
        make = lambda: selectors.seats(self.campaign, self.places)  # noqa: E731
        if self.past or "places" not in self.__dict__:
            return make()
        campaign = self.campaign
        what = "seats", campaign.scenario, campaign.options, campaign.drawing_id, get_language()
        listed: list[selectors.Seat] = page_cache.of_acts(campaign, what, make)
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
        """A game master, also one who plays and may not see all: for pages that show nothing
        hidden.
        """
        return self.access.host

    @property
    def own_seats(self) -> tuple[str, ...]:
        return self.access.seats

    @cached_property
    def seen(self) -> int:
        """The reader's last entry for the forms, none later than the campaign's row was read:
        `services.play` asks for it.
        """
        return page_cache.seen(self)

    def holders(self, seat: str) -> list[str]:
        """The names of the people behind a seat, of all game masters for `gm`."""
        if seat == GAME_MASTER:
            return [user.username for user in selectors.game_masters(self.campaign, self.places)]
        return [s.holder.username for s in self.seats if s.key == seat and s.holder is not None]

    def is_mine(self, seat: str) -> bool:
        """Is it the reader who acts for this seat? A game master may, but only their own waits for
        them.
        """
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
            raise PermissionDenied(
                _(campaign_access.BLIND) if self.host else _("Only the game master may do this.")
            )

    def must_be_host(self) -> None:
        """Raises `PermissionDenied` for who is no game master at all."""
        if not self.host:
            raise PermissionDenied(_("Only the game master may do this."))


def campaign_of_page(
    public_id: str, user: Any, page: str, seat: str
) -> tuple[Campaign, Notes] | None:
    """The campaign's row, and what its page wants to know of the reader beside it: one query."""
    signed_in = user.is_authenticated
    more = page if signed_in and (page in LEADING or page == "desk") else ""
    seated = bool(seat) and clean_text(seat, plans.LONGEST_KEY)
    rows = plans.with_plans(
        Campaign.objects.filter(public_id=public_id), user, seat if seated else ""
    )
    rows = with_unread(rows, user)
    if more in LEADING:
        rows = seats_selectors.with_handovers(rows, user)
    if more == "desk":
        rows = of_desk(rows, user)
    campaign = rows.first()
    if campaign is None:
        return None
    beside = vars(campaign)
    return campaign, Notes(**{name: beside.pop(name) for name in NOTED if name in beside})


def see_other(url: str) -> HttpResponse:
    """From a form that did its work to the page where that is seen."""
    return HttpResponseRedirect(url, status=303)


SESSION = "eyes"
"""Where a session has the hands that its reader has opened (`web.seats.hidden_hands`)."""


def access_with_open_hands(
    request: HttpRequest, campaign: Campaign, places: Sequence[Membership] | None
) -> Access:
    """The reader at the table, with what of hidden hands lies open to them."""
    if places is not None:
        now = int(timezone.now().timestamp())
        opened = {
            seat
            for seat, until in request.session.get(SESSION, {}).get(campaign.public_id, {}).items()
            if until > now
        }
        masters = any(
            one.user_id == request.user.pk and one.role in Membership.MASTERS for one in places
        )
        shut = review.held(places) - opened
        if masters and shut:  # where every hand lies open they see as game masters do
            campaign_access.open_eyes(
                campaign, request.user, review.free(campaign, places) | opened
            )
    return campaign_access.access_of(campaign, request.user, places)


def campaign_page(view: View) -> View:
    """Wraps `view(request, table, …)` of an address `c/<str:ref>/…`.

    404 where there is no such campaign or this reader may not know it; a wrong slug is redirected
    to the right one (not where something is posted); what somebody may not do asks them to sign in
    first, then says so.
    """

    @wraps(view)
    def wrapped(request: HttpRequest, ref: str, **kwargs: Any) -> HttpResponseBase:
        from web.frame import browser, views

        match = campaign_access.REF.fullmatch(ref)
        name = (request.resolver_match.url_name if request.resolver_match else "") or ""
        row = (
            campaign_of_page(match["id"], request.user, name, kwargs.get("seat", ""))
            if match
            else None
        )
        if row is None:
            raise Http404
        campaign, notes = row
        places = page_cache.places(campaign) if request.user.is_authenticated else None
        who = access_with_open_hands(request, campaign, places)
        if campaign.visibility == Campaign.Visibility.MEMBERS and not who.member:
            raise Http404
        if campaign.suspended:
            return views.suspended(request, campaign)
        if campaign.fault:
            return views.log_fault(request, campaign)
        if ref != campaign.address and request.method in ("GET", "HEAD"):
            here = request.get_full_path().replace(f"/c/{ref}/", f"/c/{campaign.address}/", 1)
            # Asked for again each time: a name may come back, and a browser that kept both ways
            # would go round for ever.
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
            return browser.marked(
                browser.may_keep(table, name, view(request, table, **kwargs)), tag
            )
        except (NoSuchCampaign, NoSuchEntry) as error:
            raise Http404 from error
        except (IllegalMove, MalformedRecord):
            # The log cannot be replayed; the page itself has answered every other refusal.
            if not find_fault(campaign):
                raise
            return views.log_fault(request, campaign)
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
    """A page of the campaign: `template` extends campaign/base.html, `here` is the key of the tab
    that is open.
    """
    from web import practice
    from web.frame import requests as shell_context
    from web.frame.browser import live

    if status == 200:
        shell_context.mark_page_read(request)
    whole = {
        "table": table,
        "campaign": table.campaign,
        "head": head(table, here),
        **(context or {}),
    }
    whole["rules_link"] = rules_link(table)
    whole["rules_here"] = "" if whole["rules_link"] == NO_RULES else whole["rules_link"]
    whole["share"] = share(table, state_line(table)) if status == 200 else None
    whole["live"] = live(
        table, request.resolver_match.url_name or "" if request.resolver_match else "", status
    )
    name = request.resolver_match.url_name or "" if request.resolver_match else ""
    whole["lesson"] = (
        practice.note(table, name) if table.campaign.lesson and here != "history" else None
    )
    whole["visit"] = visit(request, table) if status == 200 else None
    whole["last_own"] = partial(last_own, table)
    whole["has_film"] = titles.films(table)
    whole["title_played"] = positions.plays(table.campaign)
    whole["seat_styles"] = partial(seat_styles, table)
    whole["own_styles"] = table.pages.styles if table.pages else ()
    return render(request, template, whole, status=status)


def rules_link(table: TableContext) -> str:
    """Where a rule that is cited is read: `rules_page` of `{% rule %}`."""
    return table.url("campaign_rules") if isinstance(table.title, Ruled) else NO_RULES


def visit(request: HttpRequest, table: TableContext) -> dict[str, Any] | None:
    """The film of what happened since the last visit of a member who is signed in; None for others,
    whose browser keeps it.
    """
    if (
        request.method != "GET"
        or not titles.films(table)
        or not table.access.member
        or not people_services.has_account(request.user)
    ):
        return None
    place = min(
        (one for one in table.places if one.user_id == request.user.pk),
        key=lambda one: one.pk,
        default=None,
    )
    if place is None:
        return None
    last = table.campaign.last_number
    since = seating.note_visit(place, last, timezone.now())
    text = _("Film since your last visit: entries {first} to {last}").format(
        first=since + 1, last=last
    )
    return {"since": since, "last": last, "text": text, "any": since < last}


# Colours of seats that the stylesheet does not know.

COLOUR = re.compile(r"#[0-9a-fA-F]{6}", re.ASCII)


def seat_styles(table: TableContext) -> dict[str, str]:
    """Per seat the custom properties of its colours, as inline styles; the title's own where it has
    some.
    """
    by_seat: dict[str, str] = page_cache.of_log(table, "styles", lambda: _seat_styles(table))
    return by_seat


def _seat_styles(table: TableContext) -> dict[str, str]:
    own = extras(table.campaign.title, "table")
    if own is not None and hasattr(own, "styles"):
        return {key: style for key, style in own.styles(table).items() if style}
    return {
        seat.key: (
            f"--fill:{seat.info.colour};--name:light-dark(color-mix(in"
            f" oklab,{seat.info.colour},black 35%),color-mix(in oklab,{seat.info.colour},white"
            " 45%));--on:#fff8ea"
        )
        for seat in table.seats
        if COLOUR.fullmatch(seat.info.colour)
    }


# What the desk wants to know beside the campaign's row, asked with it.


def of_desk(campaigns: QuerySet[Campaign], user: Any) -> QuerySet[Campaign]:
    """The same campaigns, each with what `Notes` has for the desk."""
    factor = Authenticator.objects.filter(user_id=user.pk, type=Authenticator.Type.TOTP)
    threads = Thread.objects.filter(campaign=OuterRef("pk"), removed_at=None)
    proposals = LogEntry.objects.filter(
        campaign=OuterRef("pk"), kind=LogEntry.Kind.TABLE, act=entries.AMENDMENT
    )
    return campaigns.annotate(
        guarded=Exists(factor), thread=Exists(threads), amended=Exists(proposals)
    )


# The head of a campaign's pages: the order of play as a ribbon, the rooms as tabs, whom the table
# waits for.


def accounts_by_key(table: TableContext) -> dict[str, Account]:
    """The title's accounts by their keys."""
    return table.once(
        "accounts", lambda: {account.key: account for account in table.title.accounts}
    )


def talks(table: TableContext) -> bool:
    """Does the reader take part in the talk of this table?"""
    return (
        (bool(table.own_seats) or table.host)
        and not table.solo
        and not table.campaign.programs
        and not table.user.guest
    )


def handed(table: TableContext) -> dict[str, str] | None:
    """The reader's seat whose hand-over page waits for them, on the pages that lead there; another
    nation's does not.
    """
    seat, match = table.notes.handed, table.request.resolver_match
    here = match.kwargs.get("seat", seat) if match else None
    return (
        {"name": table.name_of(seat), "url": table.url("handover", seat)}
        if seat and seat == here
        else None
    )


def last_own(table: TableContext) -> int | None:
    """In practice the reader's last move, from which the film of the others' begins; None before
    it, and for others.
    """
    if not table.campaign.programs or not table.own_seats:
        return None
    own = table.campaign.entries.filter(
        kind=LogEntry.Kind.MOVE, seat__in=list(table.own_seats), struck_by=None
    )
    return table.once(
        "last own", lambda: own.order_by("-number").values_list("number", flat=True).first()
    )


def turn_moves(table: TableContext) -> list[LogEntry]:
    """The moves in force of this turn, hidden ones too, oldest first."""
    return table.once(
        TURN_MOVES, lambda: list(_moves_of_turn(table.campaign.entries.all(), table.campaign.turn))
    )


def _moves_of_turn(entries: QuerySet[LogEntry], turn: int) -> QuerySet[LogEntry]:
    return entries.filter(turn=turn, kind=LogEntry.Kind.MOVE, struck_by=None).order_by("sequence")


TURN_MOVES = "turn moves"


def amount(account: Account | None, value: int) -> str:
    """A balance as read: ½ for half-actions, the unit behind it, a true minus."""
    if account is None:
        return str(value).replace("-", MINUS)
    number = half(value) if account.scale == 2 else str(value).replace("-", MINUS)
    return number + account.unit


def change(account: Account | None, value: int) -> str:
    """A change of a balance with its sign."""
    return ("+" if value > 0 else "") + amount(account, value)


def head(table: TableContext, here: str) -> dict[str, Any]:
    return {
        "ribbon": ribbon(table),
        "tabs": tabs(table, here),
        "here": here,
        "state": state_line(table),
        "chip": chip(table.campaign),
        "stopped": stopped(table),
        "words": words(table.campaign.title),
        "until": waiting.deadline_of(table, TURN),
        "slots": slots(table),
        "handed": handed(table),
        "game_masters": ", ".join(table.holders(GAME_MASTER)),
    }


def state_line(table: TableContext) -> str:
    """Where the campaign stands, in two or three words."""
    if not table.campaign.started:
        return _("not started")
    if table.campaign.ended:
        return _("finished")
    turns = table.view.get("turns")
    facts = {
        "turn": word(table.campaign.title, "turn"),
        "number": table.campaign.turn,
        "turns": turns,
    }
    return (_("%(turn)s %(number)s of %(turns)s") if turns else _("%(turn)s %(number)s")) % facts


def slots(table: TableContext) -> list[dict[str, Any]]:
    """Until when each open slot may take, where the title's own page draws the order of play:
    whose, its deadline, and whether who is waited for is away.
    """
    open_now = (
        [clock for clock in waiting.clocks(table) if clock.kind == SLOT]
        if table.pages is not None
        else []
    )
    return [
        {
            "seat": one.seat,
            "name": table.name_of(one.seat),
            "due": waiting.read_deadline(one),
            "absent": waiting.absence_chips(table, one.seat),
        }
        for one in open_now
    ]


CHIPS = {
    Campaign.Status.DRAFT: (gettext_lazy("Not started"), ""),
    Campaign.Status.SEATING: (gettext_lazy("Seats open"), "mine"),
    Campaign.Status.RUNNING: (gettext_lazy("Running"), "good"),
    Campaign.Status.PAUSED: (gettext_lazy("Paused"), "warn"),
    Campaign.Status.FINISHED: (gettext_lazy("Finished"), ""),
    Campaign.Status.ABANDONED: (gettext_lazy("Abandoned"), "bad"),
    Campaign.Status.ARCHIVED: (gettext_lazy("Archived"), ""),
    Campaign.Status.SUSPENDED: (gettext_lazy("Suspended"), "bad"),
}


def chip(campaign: Campaign) -> tuple[Any, str]:
    """The campaign's state as a chip: its word, its tone."""
    return CHIPS[Campaign.Status(campaign.status)]


def stopped(table: TableContext) -> str:
    """Why no moves are made at present and what ends that; empty where they are."""
    if table.campaign.archived:
        return _("This campaign is in the archive. Everything can be read; no moves are made.")
    if table.campaign.abandoned:
        return _(
            "This campaign is abandoned. Everything can be read; the game master can resume it."
        )
    if table.campaign.paused:
        return _(
            "This campaign is paused. Nobody moves until the game master resumes it; nothing is"
            " lost meanwhile."
        )
    return ""


Times = dict[tuple[str, str], datetime]
"""When slots opened and ended: (seat, "opened" or "ended") -> the moment."""


class SlotTimes(NamedTuple):
    turn: int
    times: Times


def slot_times(table: TableContext) -> Times:
    """Those of this turn, by moves that everybody sees."""
    if table.has(TURN_MOVES):
        return _with_slots(
            {},
            [
                (one.at, one.effects)
                for one in turn_moves(table)
                if one.audience is None and one.slot
            ],
        )
    return _slot_times.of_log(table.campaign).times if table.campaign.started else {}


def _carried_on(campaign: Campaign, before: SlotTimes | None, after: int) -> SlotTimes:
    same = before is not None and before.turn == campaign.turn
    known = before.times if before is not None and same else {}
    rows = list(_slots_since(campaign, after if same else BEFORE_ALL))
    return SlotTimes(campaign.turn, _with_slots(known, rows) if rows else known)


def _with_slots(known: Times, rows: Iterable[tuple[datetime, str]]) -> Times:
    """These times, and those of moves: when each was made, and its effects as JSON."""
    times = dict(known)
    for at, effects in rows:
        for effect in map(Effect.from_json, read(effects)):
            if effect.kind == "slot" and effect.holder:
                times[effect.holder, effect.subject] = at
    return times


def _slots_since(campaign: Campaign, after: int) -> QuerySet[LogEntry, Any]:
    """Return moment and effects of this turn's public moves of slots behind a sequence."""
    rows = LogEntry.objects.filter(
        campaign=campaign,
        audience=None,
        slot=True,
        sequence__gt=after,
        sequence__lte=campaign.last_sequence,
    )
    return _moves_of_turn(rows, campaign.turn).values_list("at", "effects")


_slot_times = Running(_carried_on)


def ribbon(table: TableContext) -> list[dict[str, Any]]:
    """The order of play of this turn, a slot a seat: `is` is done, now, next, later or idle. A
    title's own page has its own.
    """
    if table.pages is not None:
        return []
    keys = [
        key
        for key in table.view.get("order") or table.names
        if key in table.names and key != GAME_MASTER
    ]
    now = table.campaign.active_seat
    at = keys.index(now) if now in keys else None
    purse = accounts_by_key(table).get("actions")
    times = slot_times(table) if not table.campaign.ended else {}
    slots = []
    for place, key in enumerate(keys):
        name = table.name_of(key)
        kind, state, when, until = "idle", "", None, None
        if not table.campaign.started:
            state = ", ".join(table.holders(key)) or pgettext("seat", "free")
        elif table.campaign.ended:
            state = ""
        elif key != now and table.rows.holders.get(key, {}).get("fallen"):
            state = pgettext("slot", "fallen")
        elif at is None or place < at:
            kind, when = "done", times.get((key, "ended"))
            state = pgettext("slot", "ended")
        elif place == at:
            kind, state, due = "now", pgettext("slot", "playing"), waiting.of_slot(table, key)
            until = None if due is None else {"at": due.at, "over": due.over}
            if purse is not None:
                left = table.rows.accounts.get((key, purse.key), 0)
                one = 0 < left <= purse.scale  # half an action and a whole one are said as one
                state = ngettext(
                    "%(left)s action left", "%(left)s actions left", 1 if one else 2
                ) % {"left": amount(purse, left)}
        else:
            kind = "next" if place == at + 1 else "later"
            state = pgettext("slot", "next") if place == at + 1 else pgettext("slot", "then")
        slots.append(
            {
                "key": key,
                "name": name,
                "short": name[:3],
                "is": kind,
                "state": state,
                "at": when,
                "until": until,
                "url": "" if not table.campaign.started else table.url("nation", key),
            }
        )
    return slots


FOLD = 4
"""So many lines of whom the table waits for stand open on the map; of more, the reader's own and
the next deadline.
"""


def fold(lines: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """The lines of `waits` that stand `open`, and the `others`, the earliest deadline first."""
    if len(lines) <= FOLD:
        return {"open": lines, "others": []}
    mine = [line for line in lines if line["mine"]]
    later = sorted(
        (line for line in lines if not line["mine"]),
        key=lambda line: (
            line["due"] is None,
            line["due"].at.timestamp() if line["due"] is not None else 0.0,
        ),
    )
    first = [*mine[:2], *later[:1]]
    return {"open": first, "others": [*mine[2:], *later[1:]]}


MOST_ROOMS = 7
SHOWN_ROOMS = 5
"""Of a phone's width: more stand under More."""


def tabs(table: TableContext, here: str) -> list[dict[str, Any]]:
    """The rooms of the campaign, at most `MOST_ROOMS`; `inner` are the pages of a room that has
    several, itself first.

    `wide` ones stand under More on a phone; `mine` counts wait for the reader.
    """
    rooms: list[dict[str, Any]] = []

    def room(
        key: str,
        name: str,
        icon: str,
        url: str,
        *pages: tuple[str, str, str],
        count: int = 0,
        mine: bool = False,
        wide: bool = False,
    ) -> None:
        inner = [
            {"key": one, "name": called, "url": where, "here": one == here}
            for one, called, where in pages
        ]
        if inner:
            inner.insert(0, {"key": key, "name": name, "url": url, "here": key == here})
        rooms.append(
            {
                "key": key,
                "name": name,
                "icon": icon,
                "url": url,
                "count": count,
                "mine": mine,
                "wide": wide,
                "inner": inner,
                "here": key == here or any(page["here"] for page in inner),
                "exact": key == here,
            }
        )

    posts = table.host and not table.solo and not table.user.guest
    room("table", _("Table"), "map", table.url("table"))
    if table.game_master and table.pages is None:
        room("desk", _("Desk"), "glass", table.url("desk"), count=masters_things(table), mine=True)
    seats = table.own_seats if table.campaign.started and table.pages is None else ()
    for seat in seats[:1]:
        others = [
            (f"nation-{other}", table.name_of(other), table.url("nation", other))
            for other in seats[1:]
        ]
        mine = (one for one in waited_for(table) if one.seat in seats)
        waits = sum(1 for one in mine if not waiting.substitute(table, one.seat, one.contest))
        room(
            f"nation-{seat}",
            table.name_of(seat),
            "shield",
            table.url("nation", seat),
            *others,
            count=waits,
            mine=True,
        )
    if table.pages is None:
        contests = {number for number, facts in table.rows.contests.items() if running(facts)}
        room("battles", _("Battles"), "swords", table.url("battles"), count=len(contests))
    press = (
        [("press", _("Press"), table.url("press"))]
        if not table.solo and not table.campaign.programs
        else []
    )
    if talks(table):
        room(
            "talk",
            _("Talk"),
            "talk",
            table.url("talk"),
            *press,
            count=table.notes.talk_new,
            mine=True,
        )
    past = [("story", _("Story"), table.url("story"))] if table.pages is None else []
    past += [("history", _("History"), table.url("history"))] if titles.remembers(table) else []
    past.append(("charts", _("Charts"), table.url("charts")))
    crowded = (
        len(rooms) + 3 > MOST_ROOMS
    )  # a game master who plays: the outbox stands beside the log
    if crowded:
        past.append(
            ("reports", _("Outbox"), table.url("posts"))
            if posts
            else ("reports", _("Reports"), table.url("reports"))
        )
    room("log", _("Log"), "clock", table.url("log"), *past, wide=posts or talks(table))
    if crowded:
        pass
    elif posts:
        room("reports", _("Outbox"), "mail", table.url("posts"), wide=len(rooms) > SHOWN_ROOMS)
    else:
        room(
            "reports",
            _("Reports"),
            "scroll",
            table.url("reports"),
            *(() if talks(table) else press),
            wide=True,
        )
    rules = isinstance(table.title, Ruled)
    about = [
        (
            "rules",
            _("Rules") if rules else _("Rulings"),
            table.url("campaign_rules" if rules else "rulings"),
        )
    ]
    about += [("seats", _("Seats"), table.url("seats"))] if table.host and not table.solo else []
    about += [("clocks", _("Deadlines"), table.url("clocks"))] if not table.solo else []
    about += [("lobby", _("Lobby"), table.url("lobby"))] if table.campaign.lobby_open else []
    if len(rooms) + 2 <= MOST_ROOMS:
        room("dice", _("Dice"), "die", table.url("dice"), wide=True)
    else:
        about.append(("dice", _("Dice"), table.url("dice")))
    room("about", _("About"), "info", table.url("about"), *about, wide=True)
    return page_cache.Listed(rooms)


def running(contest: Mapping[str, Any]) -> bool:
    """Is this contest of `Rows` still open?"""
    return contest.get("status") != "resolved"


VERBS = {CONFIRM: gettext_lazy("Review and confirm"), JUDGE: gettext_lazy("Judge")}
"""What one does where the table waits by its own acts."""


def claimed_at(table: TableContext, contest: int | None) -> datetime | None:
    """Since when a claim waits for an answer or a judgment."""
    claim = live_claims(table).get(contest) if contest is not None else None
    return claim.last.at if claim is not None else None


def due_of(table: TableContext, one: Waiting) -> waiting.Due | None:
    """Until when somebody is waited for; the game master has no deadline."""
    if one.seat == GAME_MASTER:
        return None
    return (
        waiting.of_contest(table, one.contest)
        if one.contest is not None
        else waiting.of_slot(table, one.seat)
    )


def things(table: TableContext) -> set[tuple[str, int | str]]:
    """What the table waits for, each thing once: a battle that two are to play is one."""
    return {
        (one.what.id, one.contest if one.contest is not None else one.seat)
        for one in waited_for(table)
    }


def masters_things(table: TableContext) -> int:
    """Count what waits for the game master: decisions, the next turn, and missed deadlines."""
    own = {(one.what.id, one.contest) for one in waited_for(table) if one.seat == GAME_MASTER}
    return len(own) + len(waiting.asked(table))


def waits(table: TableContext) -> list[dict[str, Any]]:
    """Whom the table waits for, the reader first; both sides of a battle are one line.

    `who` are the people, `mine` whether the reader is one, `seats` their keys and names, `text`
    what for, `since` since when.
    """
    times = slot_times(table)
    lines: dict[tuple[str, int | None, str], dict[str, Any]] = {}
    for one in waited_for(table):
        key = (one.what.id, one.contest, "" if one.contest is not None else one.seat)
        line = lines.setdefault(
            key,
            {
                "what": one.what.id,
                "text": table.sentence(one.what),
                "contest": one.contest,
                "seats": [],
                "who": [],
                "mine": False,
                "since": (
                    claimed_at(table, one.contest)
                    if one.contest is not None
                    else times.get((one.seat, "opened"))
                ),
                "url": "",
                "due": due_of(table, one),
            },
        )
        line["seats"].append({"key": one.seat, "name": table.name_of(one.seat)})
        if waiting.for_reader(table, one.seat, one.contest):
            line["mine"] = True
        else:
            names = waiting.people(table, one.seat, one.contest) or [table.name_of(one.seat)]
            line["who"] += [name for name in names if name not in line["who"]]
        own = one.seat if one.seat != GAME_MASTER else ""
        if one.contest is not None:
            line["url"] = table.url("battle", one.contest) + (
                "#claim" if one.what.id in VERBS else ""
            )
        elif own:
            line["url"] = line["url"] or table.url("nation", own)
        elif table.game_master:
            line["url"] = table.url("desk")
    for line in lines.values():
        line["absent"] = waiting.absence_chips(table, *(seat["key"] for seat in line["seats"]))
        played = line["seats"][0]["key"] != GAME_MASTER
        plain = (
            _("View")
            if line["contest"] is not None
            else _("Play")
            if played
            else pgettext("turn", "Open")
        )
        line["verb"] = VERBS.get(line["what"], plain)
    return sorted(lines.values(), key=lambda line: not line["mine"])


# What a page says of itself to whoever shows a link to it elsewhere: title, sentence, picture, one
# address.


class Share(NamedTuple):
    """`url` and `picture` are absolute; a picture is 1600 pixels wide, or there is none."""

    title: str
    text: str
    url: str
    picture: str = ""
    alt: str = ""


def share(table: TableContext, state: str) -> Share | None:
    """Of a campaign's page, the same for every reader; nothing of a campaign that is for its
    members only.
    """
    campaign = table.campaign
    if campaign.visibility == Campaign.Visibility.MEMBERS:
        return None
    request, picture, alt = table.request, "", ""
    if draws(campaign):
        picture = request.build_absolute_uri(table.url("map_picture"))
        alt = _("Map of {campaign}").format(campaign=campaign.name)
    text = _("{title}: {state}. Map, standings and battles as they are now, and the story so far.")
    return Share(
        campaign.name,
        text.format(title=positions.plays(campaign), state=state),
        own_address(request),
        picture,
        alt,
    )


def own_address(request: HttpRequest) -> str:
    """Where a page is, whatever was asked of it."""
    return request.build_absolute_uri(request.path)

"""The wrapper of all views of a campaign: it finds the campaign, its reader and the frame."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect, render
from django_htmx.http import HttpResponseClientRedirect

from campaign import access as campaign_access
from campaign import review
from campaign.access import Access
from campaign.errors import NoSuchCampaign, NoSuchEntry, NotAllowed
from campaign.hosting.audit import find_fault
from campaign.models import Campaign, Membership
from engine.errors import IllegalMove, MalformedRecord
from web.frame import conditional, errors, offline
from web.frame.layout import frame_of
from web.frame.open_hands import open_hands
from web.frame.requests import PLAIN, mark_page_read, request_facts
from web.frame.table import CampaignRow, TableContext, campaign_row, memberships_and_notes
from web.templatetags.tabula import NO_RULES

PAGES_FOR_SEVERAL = frozenset(
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
"""Addresses that do not exist in a campaign for one seat."""

View = Callable[..., HttpResponseBase]


def see_other(url: str) -> HttpResponse:
    """Redirect from a form that has done its work to the page that shows it."""
    return HttpResponseRedirect(url, status=303)


def whole_page(request: HttpRequest, url: str) -> HttpResponse:
    """Redirect from a form to a page with its own styles, which the browser loads as a whole."""
    if request.headers.get("HX-Request"):
        return HttpResponseClientRedirect(url)
    return see_other(url)


def access_with_open_hands(
    request: HttpRequest, campaign: Campaign, memberships: Sequence[Membership]
) -> Access:
    """Return the reader's access, including the hidden hands that they have opened.

    `memberships` are those of the campaign, including past memberships.
    """
    places = [place for place in memberships if place.until is None]
    opened = open_hands(request, campaign.public_id)
    is_master = any(
        place.user_id == request.user.pk and place.role in Membership.MASTERS for place in places
    )
    # Where every hand is open, game masters see everything anyway.
    if is_master and review.seats_with_holder(places) - opened:
        campaign_access.set_open_hands(
            campaign, request.user, review.seats_without_holder(campaign, places) | opened
        )
    return campaign_access.access_of(campaign, request.user, places, memberships)


def campaign_page(view: View) -> View:
    """Wrap `view(request, table, …)` of an address `c/<str:ref>/…`.

    It answers 404 if there is no such campaign or this reader may not know of it, redirects from a
    wrong slug to the right one (not what is posted), and asks a reader who may not do something to
    sign in before it refuses.
    """

    @wraps(view)
    def wrapped(request: HttpRequest, ref: str, **kwargs: str | int) -> HttpResponseBase:
        name = name_of_page(request)
        row = row_of(request, ref)
        state = conditional.page_state(request, row, name)
        if state is not None and (known := conditional.known_answer(request, state)) is not None:
            return known
        table = table_of(request, row.campaign, name, str(kwargs.get("seat", "")))
        if state is not None and table.has_clocks:
            table.clocks = state.clocks
        if (answer := instead_of_page(table, ref)) is not None:
            return answer
        if request.method in ("GET", "HEAD") and request.user.is_authenticated:
            campaign_access.cache_access(table.campaign, request.user, table.access)
        if not has_page(table, name):
            raise Http404
        with conditional.rendering(request, state):
            page = answer_of(view, table, kwargs)
        page = offline.may_keep(table, name, page)
        return page if state is None else conditional.rendered(request, page, state)

    return wrapped


def name_of_page(request: HttpRequest) -> str:
    """Return the name of the requested address."""
    return (request.resolver_match.url_name if request.resolver_match else "") or ""


def row_of(request: HttpRequest, ref: str) -> CampaignRow:
    """Return the campaign's row of an address, or raise `Http404`."""
    match = campaign_access.REF.fullmatch(ref)
    row = campaign_row(match["id"], request.user) if match else None
    if row is None:
        raise Http404
    if not row.unread:
        request_facts(request).news = ()
    return row


def table_of(request: HttpRequest, campaign: Campaign, name: str, seat: str) -> TableContext:
    """Return a campaign as this reader sees it, or raise `Http404` if they may not know of it."""
    memberships, notes = memberships_and_notes(campaign, request.user, name, seat)
    reader = access_with_open_hands(request, campaign, memberships)
    if campaign.visibility == Campaign.Visibility.MEMBERS and not reader.member:
        raise Http404
    table = TableContext(request, campaign, reader, notes=notes)
    table.memberships = memberships
    return table


def instead_of_page(table: TableContext, ref: str) -> HttpResponseBase | None:
    """Return the answer that replaces every page of this campaign; None if its pages are shown."""
    request, campaign = table.request, table.campaign
    if campaign.suspended:
        return errors.suspended(request, campaign)
    if campaign.fault:
        return errors.log_fault(request, campaign)
    if ref != campaign.address and request.method in ("GET", "HEAD"):
        url = request.get_full_path().replace(f"/c/{ref}/", f"/c/{campaign.address}/", 1)
        # The middleware keeps browsers from caching this redirect. A campaign can get an earlier
        # name back, and a browser with both redirects in its cache would follow them for ever.
        return redirect(url, permanent=True)
    return None


def has_page(table: TableContext, name: str) -> bool:
    """Return whether this campaign has a page of this name."""
    on_title_page = table.pages is not None and name in PLAIN
    return not on_title_page and not (table.solo and name in PAGES_FOR_SEVERAL)


def answer_of(view: View, table: TableContext, given: Mapping[str, str | int]) -> HttpResponseBase:
    """Return the answer of a view, with the errors of the table as errors of a page."""
    request = table.request
    try:
        return view(request, table, **given)
    except (NoSuchCampaign, NoSuchEntry) as error:
        raise Http404 from error
    except (IllegalMove, MalformedRecord):
        # The log cannot be replayed; the page itself has answered every other refusal.
        if not find_fault(table.campaign):
            raise
        return errors.log_fault(request, table.campaign)
    except (NotAllowed, PermissionDenied) as error:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        raise PermissionDenied(str(error)) from None


def show(
    request: HttpRequest,
    table: TableContext,
    template: str,
    context: Mapping[str, object] | None = None,
    *,
    tab: str = "",
    status: int = 200,
    scripts: Sequence[str] = (),
) -> HttpResponse:
    """Render a page of the campaign.

    Args:
        request: the request that is answered.
        table: the campaign.
        template: the page; it extends `frame/base.html`.
        context: the names of the template, usually `page` alone.
        tab: the key of the open tab.
        status: the status of the answer.
        scripts: static files that the page loads.
    """
    if status == 200:
        mark_page_read(request)
    frame = frame_of(table, name_of_page(request), tab, status, scripts)
    shown = {
        "table": table,
        "campaign": table.campaign,
        "frame": frame,
        "rules_page": frame.rules_url or NO_RULES,  # for `rule()`, which is called in every row
        **(context or {}),
    }
    return render(request, template, shown, status=status)

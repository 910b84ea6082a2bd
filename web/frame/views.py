"""The first page: what this is, which campaigns, sign in."""

from __future__ import annotations

import logging
import secrets
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from ipaddress import ip_address
from typing import Any

from django.conf import settings
from django.contrib.auth import login
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext, pgettext
from django.views.decorators.http import require_POST

from battles.models import Claim
from battles.projection import stood_in
from campaign import busy, schema
from campaign.clocks.selectors import WORDS, of_person
from campaign.hosting.audit import find_fault
from campaign.log import positions, selectors
from campaign.models import Campaign, LogEntry, Membership
from campaign.status import HOST
from engine.errors import IllegalMove, MalformedRecord
from engine.language import sentence
from forum.models import Post
from forum.posts.reports import TEST
from games import registry
from games.registry import TITLES, together, words
from notices.selectors import notices_in_words, unread
from people import services as people_services
from people.models import User
from web import waiting as table_waiting
from web.frame import campaign_page, throttle
from web.frame.campaign_page import Share, own_address
from web.frame.requests import safe_redirect
from web.titles import alone, cards, extras
from web.waiting import Due

LISTED, NEWS = 50, 4
DUES = {
    "slot": (gettext_noop("Play your slot"), gettext_noop("Play")),
    "answer": (gettext_noop("Answer the attack of battle #%(number)s"), gettext_noop("Answer")),
    "battle": (gettext_noop("Play battle #%(number)s"), gettext_noop("View")),
    "claim": (
        gettext_noop("Confirm or dispute the result of battle #%(number)s"),
        gettext_noop("View"),
    ),
    WORDS: (gettext_noop("Add your words for the dice"), gettext_noop("Add")),
}
"""What a deadline asks of somebody, and the verb on its button."""
SECRET_FORMS = ("/sign-in/", "/sign-up/", "/password/", "/me/")
"""Addresses whose forms hold passwords, codes and addresses."""
SEATED = (*Membership.MASTERS, Membership.Role.SEAT)


def front(request: HttpRequest) -> HttpResponse:
    """The reader's own campaigns first, then the listed ones. Who has campaigns finds what waits
    for them before all else.
    """
    held_in = own_campaigns(request.user) if request.user.is_authenticated else []
    own = [campaign for campaign in held_in if not campaign.archived]
    for_several = [key for key, title in TITLES.items() if together(title)]
    campaigns = selectors.listed().filter(title__in=for_several)[:LISTED]
    others = [
        c for c in campaigns if c not in own and not selectors.alone_in(c)
    ]  # who played alone stands in the hall of fame
    held = memberships([*own, *others])
    clocks = deadlines(request.user) if own else {}
    mine, listed = (
        [
            campaign_line(c, held.get(c.pk, []), request.user, clocks.get(c.pk, []))
            for c in some
            if c.title in TITLES
        ]
        for some in (own, others)
    )
    demo = (
        User.objects.filter(demo=True, is_active=True).order_by("pk")
        if settings.TABULA_DEMO
        else ()
    )
    at_home = bool(own) and people_services.has_account(request.user)
    shown = hero([*own, *others] if at_home else [*others, *own])
    context = {
        "campaigns": [*mine, *listed],
        "own": mine,
        "others": listed,
        "archive": [c for c in held_in if c.archived],
        "demo_people": demo_people(list(demo)),
        "titles": cards(),
        "practised": [one for one in cards() if one.practised],
        "play": next(iter(alone()), None),
        "hero": shown,
        "share": share(request, shown),
    }
    if not at_home:
        return render(request, "frame/front.html", context)
    context |= {
        "waiting": waiting_for(request.user, own, held, clocks),
        "news": notices_in_words(unread(request.user)[:NEWS]),
    }
    return render(request, "frame/home.html", context)


def waiting_of(user: Any) -> list[dict[str, Any]]:
    """What all of a person's campaigns wait for from them."""
    own = [campaign for campaign in own_campaigns(user) if not campaign.archived]
    return waiting_for(user, own, memberships(own), deadlines(user)) if own else []


def waiting_for(
    user: Any,
    own: Iterable[Campaign],
    held: Mapping[int, list[Membership]],
    clocks: Mapping[int, list[Due]],
) -> list[dict[str, Any]]:
    """What the reader's campaigns wait for from them, what holds others up first: disputes to
    judge, deadlines, posts. Two queries for a game master, none for others.
    """
    campaigns = {campaign.pk: campaign for campaign in own}
    masters = [
        pk
        for pk in campaigns
        if any(
            one.user_id == user.pk and one.role in Membership.MASTERS for one in held.get(pk, [])
        )
    ]
    rows: list[dict[str, Any]] = []

    def row(
        campaign: Campaign,
        text: str,
        url: str,
        verb: str,
        due: Due | None = None,
        since: Any = None,
    ) -> None:
        rows.append(
            {
                "campaign": campaign,
                "text": text,
                "url": url,
                "verb": verb,
                "due": due,
                "since": since,
            }
        )

    disputed = (
        Claim.objects.filter(
            campaign__in=masters, state=Claim.State.DISPUTED, entry__struck_by=None
        )
        if masters
        else ()
    )
    for claim in sorted(disputed, key=lambda one: one.pk):
        campaign = campaigns[claim.campaign_id]
        text = _("Judge the result of battle #%(number)s") % {"number": claim.number}
        row(
            campaign,
            text,
            reverse("battle", args=[campaign.address, claim.number]) + "#claim",
            _("Judge"),
        )
    dues = [
        (campaigns[pk], due)
        for pk, some in clocks.items()
        if pk in campaigns
        for due in some
        if not due.held
    ]
    for campaign, due in sorted(dues, key=lambda one: one[1].at):
        text, verb = DUES.get(due.kind, ("", ""))
        if text:
            facts = {"number": due.clock.contest}
            row(campaign, _(text) % facts, _page_of_due(campaign, due), _(verb), due)
    if masters:
        waiting = Post.objects.filter(
            campaign__in=masters,
            state__in=(Post.State.DRAFT, Post.State.FAILED, Post.State.DOUBTFUL),
        )
        waiting = (
            waiting.filter(first=None, thread__removed_at=None)
            .exclude(report="")
            .exclude(report=TEST)
        )
        for pk, count in Counter(waiting.values_list("campaign_id", flat=True)).items():
            many = ngettext(
                "%(count)s post for the thread", "%(count)s posts for the thread", count
            ) % {"count": count}
            row(
                campaigns[pk],
                many,
                reverse("posts", args=[campaigns[pk].address]),
                pgettext("post", "Copy"),
            )
    return rows


def _page_of_due(campaign: Campaign, due: Due) -> str:
    """Where one does what is due."""
    if due.clock.contest is not None:
        return reverse("battle", args=[campaign.address, due.clock.contest])
    if due.kind == WORDS:
        return reverse("dice", args=[campaign.address]) + "#h-mix"
    paged = campaign.title in registry.PAGES or not due.clock.seat
    return (
        reverse("table", args=[campaign.address])
        if paged
        else reverse("nation", args=[campaign.address, due.clock.seat])
    )


def hero(campaigns: Iterable[Campaign]) -> dict[str, Any] | None:
    """The map of the newest listed campaign that is played, where its title draws one, else of how
    the first title that draws one begins.
    """
    for campaign in campaigns:
        shown = (
            campaign.status == Campaign.Status.RUNNING
            and campaign.visibility == Campaign.Visibility.LISTED
        )
        own = extras(campaign.title, "front") if shown and not campaign.fault else None
        if own is not None and (picture := _picture(own, campaign)):
            caption = f"{words(campaign.title)['turn']} {campaign.turn}" + (
                f": {picture['told']}" if picture["told"] else ""
            )
            return {
                **picture,
                "told": caption,
                "name": campaign.name,
                "url": reverse("story", args=[campaign.address]),
                "picture": reverse("map_picture", args=[campaign.address]),
            }
    for key, title in TITLES.items():
        if (own := extras(key, "front")) is not None:
            return {**own.opening(), "name": title.name, "url": ""}
    return None


def _picture(own: Any, campaign: Campaign) -> Any:
    """Return the map of a campaign; None if its log cannot be replayed, so that the first page
    shows another map.
    """
    try:
        return own.picture(campaign)
    except (IllegalMove, MalformedRecord):
        if not find_fault(campaign):
            raise
        return None


def share(request: HttpRequest, shown: Mapping[str, Any] | None) -> Share:
    """What a link to the site shows elsewhere: the map that the page shows, if it is a
    campaign's.
    """
    picture = request.build_absolute_uri(shown["picture"]) if shown and "picture" in shown else ""
    alt = _("Map of {campaign}").format(campaign=shown["name"]) if shown and picture else ""
    text = _("Map, ledgers and dice of campaigns that last for months, kept in one place.")
    return Share("Tabula", text, own_address(request), picture, alt)


def own_campaigns(user: Any) -> list[Campaign]:
    """Where the user has a place, then where they only stand in for somebody at a battle."""
    held = list(selectors.campaigns_of_user(user))
    return [*held, *(campaign for campaign in stood_in(user) if campaign not in held)]


def memberships(campaigns: Iterable[Campaign]) -> dict[int, list[Membership]]:
    """Who has a place now in these campaigns; one query."""
    by_campaign: dict[int, list[Membership]] = {}
    for one in (
        Membership.objects.filter(campaign__in=list(campaigns), until=None)
        .select_related("user")
        .order_by("since", "pk")
    ):
        by_campaign.setdefault(one.campaign_id, []).append(one)
    return by_campaign


def deadlines(user: Any) -> dict[int, list[Due]]:
    """What the user's campaigns wait for from them, by campaign, the earliest first; one query."""
    by_campaign: dict[int, list[Due]] = {}
    for clock in of_person(user):
        by_campaign.setdefault(clock.campaign_id, []).append(table_waiting.read_deadline(clock))
    return by_campaign


def campaign_line(
    campaign: Campaign, held: Iterable[Membership], user: Any, dues: Iterable[Due] = ()
) -> dict[str, object]:
    """A campaign's line: state, seats, and what is the reader's there and until when."""
    infos = campaign.game.seats(positions.scenario(campaign), positions.options(campaign))
    names = {info.key: info.name for info in infos}
    taken = {one.seat for one in held if one.role == Membership.Role.SEAT}
    masters = [one.user.username for one in held if one.role in Membership.MASTERS]
    mine = {one.seat or "gm" for one in held if one.user_id == user.pk and one.role in SEATED}
    chip, kind = campaign_page.chip(campaign)
    free = len(names) - len(taken & set(names))
    words_of, alone = words(campaign.title), len(names) == 1
    if not campaign.started:
        many = ngettext(
            "%(free)s of %(seats)s seats free", "%(free)s of %(seats)s seats free", free
        )
        state = many % {"free": free, "seats": len(names)} if free else _("all seats taken")
        note = (
            _("the lobby is open: apply for one")
            if campaign.lobby_open
            else _("the game master starts it")
        )
    elif campaign.ended:
        state = _("finished after %(turn)s %(number)s") % {
            "turn": words_of["turn"],
            "number": campaign.turn,
        }
        note = ""
    else:
        state = f"{words_of['turn']} {campaign.turn}"
        active = campaign.active_seat in names
        note = (
            sentence(words_of["active"], seat=names[campaign.active_seat])
            if active
            else words_of["idle"]
        )
        note = "" if alone else note
    if mine and campaign.status in (Campaign.Status.DRAFT, Campaign.Status.RUNNING):
        chip, kind = _("Yours"), ""
    if campaign.status == Campaign.Status.RUNNING and campaign.active_seat in mine and not alone:
        chip, kind = _("Your slot"), "mine"
    has_story = campaign.started and extras(campaign.title, "story") is not None
    people = ", ".join(masters)
    page = (
        "table" if mine else "lobby" if campaign.lobby_open else "story" if has_story else "table"
    )
    return {
        "name": campaign.name,
        "url": reverse(page, args=[campaign.address]),
        "title": positions.plays(campaign),
        "by": people if alone else _("game master %(names)s") % {"names": people},
        "state": state,
        "note": note,
        "chip": chip,
        "chip_kind": kind,
        "dues": [one for one in dues if not one.held],
        "seats": [
            {
                "key": key,
                "name": name if key in taken else _("%(seat)s: free") % {"seat": name},
                "free": key not in taken,
            }
            for key, name in ({} if alone else names).items()
        ],
    }


def demo_people(people: list[User]) -> list[Mapping[str, object]]:
    """The demonstration's users, game master first, each with what they play."""
    names: dict[int, tuple[str, str]] = {}
    seated = Membership.objects.filter(user__in=people, until=None, role__in=SEATED)
    held = seated.select_related("campaign") if people else []
    for one in held:
        infos = {
            i.key: i.name
            for i in one.campaign.game.seats(
                positions.scenario(one.campaign), positions.options(one.campaign)
            )
        }
        key = one.seat or "gm"
        names.setdefault(one.user_id, (key, infos.get(key, "Game master")))
    rows = [
        {"user": u, "nation": names.get(u.pk, ("", ""))[0], "label": names.get(u.pk, ("", ""))[1]}
        for u in people
    ]
    return sorted(rows, key=lambda one: one["nation"] != "gm")


# When there is no page to show. What is, then what to do; never a traceback.

log = logging.getLogger(__name__)


def bad_request(request: HttpRequest, exception: Any = None) -> HttpResponse:
    # Without the request: it may be the part that cannot be read.
    return HttpResponse(render_to_string("errors/400.html"), status=400)


def forbidden(request: HttpRequest, exception: Any = None) -> HttpResponse:
    """`PermissionDenied("Only the game master may do this.")` is shown in its own words, with the
    way back to the table.
    """
    match = request.resolver_match
    ref = match.kwargs.get("ref") if match else None
    home = reverse("table", args=[ref]) if ref else ""
    return render(
        request, "errors/403.html", {"reason": str(exception or ""), "home": home}, status=403
    )


def suspended(
    request: HttpRequest, campaign: Campaign | None = None, reason: str = "", closed: bool = False
) -> HttpResponse:
    """What stands in the place of a campaign, or of every page to a person, that the host has
    suspended.
    """
    if campaign is not None:
        acts = campaign.entries.filter(
            kind=LogEntry.Kind.TABLE, act=HOST, how="suspended"
        ).order_by("-sequence")
        reason = next((str(entry.content.get("reason", "")) for entry in acts[:1]), "")
    answer = render(
        request,
        "errors/suspended.html",
        {"campaign": campaign, "reason": reason, "closed": closed},
        status=403,
    )
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


def log_fault(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Return the 409 page of a campaign whose stored log has failed its check."""
    answer = render(
        request,
        "errors/log_fault.html",
        {"campaign": campaign, "fault": campaign.fault},
        status=409,
    )
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


def not_found(request: HttpRequest, exception: Any = None) -> HttpResponse:
    return render(request, "errors/404.html", status=404)


def not_so(request: HttpRequest, allowed: str) -> HttpResponse:
    """405. `allowed` is the header's own text."""
    response = render(request, "errors/405.html", status=405)
    response.headers["Allow"] = allowed
    return response


def gone(request: HttpRequest, reason: str = "") -> HttpResponse:
    """410: there was a page, and there will be none again."""
    return render(request, "errors/410.html", {"reason": reason}, status=410)


def too_large(request: HttpRequest, most: int) -> HttpResponse:
    """413. `most` is in bytes."""
    return render(request, "errors/413.html", {"most": most // 1_000_000}, status=413)


def too_many(request: HttpRequest, exception: Any = None) -> HttpResponse:
    """What allauth counts itself: its limits are by the minute."""
    return throttle.refused(request, 60)


def away(request: HttpRequest) -> HttpResponse:
    """503: what counts tries does not answer, so nobody signs in now."""
    response = render(request, "errors/503.html", status=503)
    response.headers["Retry-After"] = "60"
    return response


def not_in_time(request: HttpRequest, error: BaseException | None) -> HttpResponse | None:
    """Return the answer for a database that was too slow; None for every other error."""
    if busy.is_locked(error):
        return busy_now(request)
    if busy.is_away(error):
        return database_away(request, error)
    return None


def busy_now(request: HttpRequest) -> HttpResponse:
    """Return 503 because another change has held the campaign or the database for too long.

    The typed text is kept: a form that htmx has sent stays as it is, and this page contains any
    other form, which the user can send again.
    """
    headers = {"Retry-After": str(busy.RETRY_AFTER)}
    if getattr(request, "htmx", False):
        text = f"{busy.Busy()} {_('What you typed is still there.')}"
        return HttpResponse(
            text, status=503, headers=headers, content_type="text/plain; charset=utf-8"
        )
    shown = {"fields": _typed(request), "here": request.get_full_path()}
    # Without the request: the query for the reader may be the one that took too long.
    token = {"csrf_token": get_token(request)} if shown["fields"] else {}
    return HttpResponse(
        render_to_string("errors/busy.html", shown | token), status=503, headers=headers
    )


def _typed(request: HttpRequest) -> list[tuple[str, str]]:
    """Return the fields of a sent form, to send them again; none if it has files or passwords."""
    if request.method != "POST" or request.FILES or request.path.startswith(SECRET_FORMS):
        return []
    return [
        (name, value)
        for name, values in request.POST.lists()
        for value in values
        if isinstance(value, str) and name != "csrfmiddlewaretoken" and "password" not in name
    ]


def database_away(request: HttpRequest, error: BaseException | None) -> HttpResponse:
    """Return 503 because the database does not answer. It is unknown whether something was
    saved.
    """
    busy.log_outage(f"{request.method} {request.path}", error)
    headers = {"Retry-After": str(busy.RETRY_AFTER_OUTAGE)}
    with translation.override(translation.get_language_from_request(request)):
        if getattr(request, "htmx", False):
            return HttpResponse(
                busy.away_text(),
                status=503,
                headers=headers,
                content_type="text/plain; charset=utf-8",
            )
        return HttpResponse(
            render_to_string("errors/database_away.html"), status=503, headers=headers
        )


def csrf(request: HttpRequest, reason: str = "") -> HttpResponse:
    return render(request, "errors/csrf.html", status=403)


def broken(request: HttpRequest) -> HttpResponse:
    """The number on the page stands beside the traceback in the log. Where the database is older
    than the program, the page says so, and the log what to do.
    """
    error = sys.exc_info()[1]
    if (answer := not_in_time(request, error)) is not None:
        return answer
    if schema.caused(error):
        return HttpResponse(
            render_to_string("errors/updating.html"), status=503, headers={"Retry-After": "60"}
        )
    number = secrets.token_hex(4)
    request.shown_as = number  # type: ignore[attr-defined]  # stands in the letter to ADMINS, too
    log.error("shown to the user as %s: %s %s", number, request.method, request.path)
    # Without the request: the user or the database may be what broke.
    return HttpResponse(render_to_string("errors/500.html", {"number": number}), status=500)


# Choosing the language of pages: for this browser, and for good where somebody is signed in.


@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    language = request.POST.get("language", "")
    if language not in dict(settings.LANGUAGES):
        raise BadRequest(_("There are no pages in this language."))
    if isinstance(request.user, User):
        request.user.language = language
        request.user.save(update_fields=["language"])
    answer = redirect(safe_redirect(request) or "front")
    answer.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        samesite="Lax",
    )
    return answer


# Becoming a demonstration user by a click: only where script/serve runs, only those users.


def from_this_machine(request: HttpRequest) -> bool:
    try:
        return ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False


@require_POST
def become(request: HttpRequest, pk: int) -> HttpResponse:
    if not settings.TABULA_DEMO or not from_this_machine(request):
        raise Http404
    user = get_object_or_404(
        User, pk=pk, demo=True, is_active=True, is_staff=False, is_superuser=False
    )
    login(request, user, backend=settings.AUTHENTICATION_BACKENDS[-1])
    return redirect(safe_redirect(request) or settings.LOGIN_REDIRECT_URL)

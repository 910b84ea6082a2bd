"""Reporting a text, what moderators and game masters read of it, blocks between people, and the
host's invitations.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaign import sentences
from campaign.errors import TableError
from engine.strict_json import whole
from moderation import services, targets
from moderation.models import Kind, Removal, Report
from moderation.targets import NoSuchText, Target
from people import services as people_services
from people.models import SiteInvitation, User, find
from people.services import CannotBlock, CannotInvite, NotSo
from web.frame import requests
from web.frame.campaign_page import TableContext, campaign_page, see_other, show

PAGE = 30
ONCE = "site invitation"
ACTS: dict[str, Callable[..., None]] = {
    "dismiss": services.dismiss,
    "remove": services.remove,
    "warn": services.warn,
    "close": services.close,
}


# Reporting ----------------------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest, kind: str, ref: str) -> HttpResponse:
    """A text as its reader sees it, and a form that shows it to the moderators. A moderator removes
    it here, too.
    """
    user: Any = request.user
    if user.guest:
        raise PermissionDenied(
            _("Make an account first: the moderators tell you what comes of your report.")
        )
    moderates = people_services.is_moderator(user)
    try:
        one = targets.target(kind, ref, user)
    except NoSuchText as error:
        raise Http404 from error
    wrong, status = {}, 200
    if request.method == "POST":
        try:
            return _done(request, one)
        except (TableError, CannotBlock) as error:
            if getattr(error, "status", 0) == 404:
                raise Http404 from error
            wrong, status = (
                {request.POST.get("do", "report"): str(error)},
                getattr(error, "status", 422),
            )
    context = {
        "one": one,
        "kind": one.kind.label,
        "wrong": wrong,
        "typed": request.POST,
        "longest": services.REASON,
        "words_longest": services.WORDS,
        "waits": _waits(user, one),
        "mine": one.author is not None and one.author.pk == user.pk,
        "masters": (
            one.campaign is not None
            and one.to_masters
            and bool(services.masters_to_tell(one, user))
        ),
        "removes": moderates,
        "person": _person_link(user, one),
        "blocks": _may_block(user, one),
    }
    return render(request, "moderation/report.html", context, status=status)


def _done(request: HttpRequest, one: Target) -> HttpResponse:
    user: Any = request.user
    match request.POST.get("do", "report"):
        case "block" if one.author is not None:
            services.block(user, one.author)
            messages.success(
                request,
                _("%(name)s is blocked. They are not told.") % {"name": one.author.username},
            )
            return redirect("blocks")
        case "remove":
            services.remove_text(user, one.kind, one.ref, request.POST.get("words", ""))
            messages.success(request, _("The text is removed."))
            return redirect("moderation")
        case _:
            services.report(user, one.kind, one.ref, request.POST.get("reason", ""))
            messages.success(request, _("Reported. You read here what comes of it."))
            return redirect("own_reports")


def _waits(user: Any, one: Target) -> Report | None:
    return services.made_by(user).filter(kind=one.kind, ref=one.ref, settled_at=None).first()


def _person_link(user: Any, one: Target) -> str:
    """Where the name of its author is reported; empty where the reader cannot."""
    if one.kind == Kind.PERSON or one.author is None or one.author.pk == user.pk:
        return ""
    try:
        targets.target(Kind.PERSON, str(one.author.pk), user)
    except NoSuchText:
        return ""
    return reverse("report_text", args=[Kind.PERSON, one.author.pk])


def _may_block(user: Any, one: Target) -> bool:
    other = one.author
    if (
        other is None
        or other.pk == user.pk
        or other.guest
        or other.erased_at is not None
        or user.demo
    ):
        return False
    return not people_services.blocks(user, [other.pk])


@login_required
@require_http_methods(["GET", "HEAD"])
def own_reports(request: HttpRequest) -> HttpResponse:
    """What one has reported, and what came of it."""
    reports = list(services.made_by(request.user)[:PAGE])
    texts = services.shown_texts(reports)
    rows = [{"one": one, "kind": one.get_kind_display(), "text": texts[one.pk]} for one in reports]
    return render(request, "moderation/own_reports.html", {"rows": rows})


# What moderators do -------------------------------------------------------------------------------


def _must_moderate(request: HttpRequest) -> User:
    """To nobody else these pages exist."""
    if not people_services.is_moderator(request.user):
        raise Http404
    user: Any = request.user
    return user


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def queue(request: HttpRequest) -> HttpResponse:
    """The reports that wait, each text once, the oldest first; POST decides one. `?page=` turns the
    pages of what was decided.
    """
    moderator = _must_moderate(request)
    wrong: dict[str, Any] = {}
    if request.method == "POST":
        try:
            return _decided(request, moderator)
        except (TableError, NotSo) as error:
            wrong = {
                "report": whole(request.POST.get("report", "")),
                "text": str(error),
                "do": request.POST.get("do", ""),
            }
    grouped: dict[tuple[str, str], list[Report]] = {}
    for one in services.waiting():
        grouped.setdefault((one.kind, one.ref), []).append(one)
    waiting = [_shown(rows, moderator, wrong) for rows in grouped.values()]
    past = Paginator(services.settled(), PAGE).get_page(request.GET.get("page"))
    context = {
        "waiting": waiting,
        "past": past,
        "wrong": wrong,
        "typed": request.POST,
        "words_longest": services.WORDS,
        "moderators": services.moderators(),
        "removals": Removal.objects.select_related("campaign", "author", "by")[:PAGE],
        "closing": request.POST.get("do") == "close-account",
        "invites": people_services.way() == people_services.INVITED,
    }
    return render(request, "moderation/queue.html", context, status=422 if wrong else 200)


def _shown(rows: list[Report], moderator: User, wrong: dict[str, Any]) -> dict[str, Any]:
    """A reported text: as it was when it was first reported, and whether it is another by now."""
    first = rows[0]
    try:
        now: Target | None = targets.target(first.kind, first.ref)
    except NoSuchText:
        now = None
    author = first.author
    return {
        "one": first,
        "kind": first.get_kind_display(),
        "text": first.text,
        "reports": rows,
        "now": now,
        "changed": now.text if now is not None and now.text != first.text else "",
        "path": now.path if now is not None else "",
        "before": (
            services.about(author).exclude(pk__in=[one.pk for one in rows]).count()
            if author is not None
            else 0
        ),
        "party": moderator.pk in (first.author_id, *(one.by_id for one in rows)),
        "wrong": wrong.get("report") == first.pk,
        "may_remove": (
            now is not None and not (now.kind == Kind.ENTRY and now.row.act in sentences.BOUND)
        ),
        "may_close": author is not None and author.closed_at is None and author.erased_at is None,
    }


def _decided(request: HttpRequest, moderator: User) -> HttpResponse:
    do, words = request.POST.get("do", ""), request.POST.get("words", "")
    if do == "close-account":
        user = find(request.POST.get("name", ""))
        if user is None or user.guest:
            raise TableError(
                "no-such-person",
                _("Nobody has this name here. Type the whole name, or the e-mail address."),
            )
        services.close_account(moderator, user, words)
        messages.success(request, _("The account of %(name)s is closed.") % {"name": user.username})
        return redirect("moderation")
    number = whole(request.POST.get("report", ""))
    row = Report.objects.filter(pk=number).first() if number is not None else None
    if row is None or do not in ACTS:
        raise Http404
    ACTS[do](moderator, row, words)
    messages.success(request, _("Decided. Who reported it is notified."))
    return redirect("moderation")


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def of_campaign(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """The reports of a campaign's texts that its game masters read; POST says that one has been
    seen to.
    """
    table.must_be_host()
    if request.method == "POST":
        services.seen_to(table.campaign, request.user, whole(request.POST.get("report", "")) or 0)
        return see_other(table.url("reported"))
    reports = services.of_campaign(table.campaign, request.user)
    texts = services.shown_texts(reports)
    rows = [
        {"one": one, "kind": one.get_kind_display(), "text": texts[one.pk], "path": _path(one)}
        for one in reports
    ]
    return show(request, table, "moderation/reported.html", {"rows": rows}, here="seats")


def _path(one: Report) -> str:
    try:
        return targets.target(one.kind, one.ref).path
    except NoSuchText:
        return ""


# Blocks -------------------------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def blocks(request: HttpRequest) -> HttpResponse:
    """Whom one has blocked; POST blocks somebody by name, or ends a block."""
    user: Any = request.user
    if user.guest or user.demo:
        raise PermissionDenied(_("Make an account first: a guest is written to by nobody."))
    wrong, typed = "", ""
    if request.method == "POST":
        number = whole(request.POST.get("unblock", ""))
        if number is not None:
            if people_services.unblock(user, number):
                messages.success(request, _("The block is ended."))
            return redirect("blocks")
        typed = request.POST.get("name", "").strip()
        other = (
            find(typed) if "@" not in typed else None
        )  # by name alone: an address would tell whether it is anybody's
        if other is None or other.guest:
            wrong = _(
                "Nobody has this name here. Type the whole name as it stands beside what they"
                " write."
            )
        else:
            try:
                services.block(user, other)
            except CannotBlock as error:
                wrong = str(error)
            else:
                messages.success(
                    request, _("%(name)s is blocked. They are not told.") % {"name": other.username}
                )
                return redirect("blocks")
    context = {"rows": people_services.blocks_of(user), "wrong": wrong, "typed": typed}
    return render(request, "moderation/blocks.html", context, status=422 if wrong else 200)


# Invitations to the site --------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def site_invitations(request: HttpRequest) -> HttpResponse:
    """The host's links to sign-up: made and shown once, listed, revoked."""
    moderator, now = _must_moderate(request), timezone.now()
    wrong: dict[str, str] = {}
    if request.method == "POST":
        number = whole(request.POST.get("revoke", ""))
        if number is not None:
            people_services.revoke(number, now)
            messages.success(request, _("The link no longer opens anything."))
            return redirect("site_invitations")
        try:
            days, uses = (
                whole(request.POST.get("days", ""), 3) or 0,
                whole(request.POST.get("uses", ""), 4) or 0,
            )
            row, token = people_services.make_invitation(
                moderator, now, days=days, uses=uses, note=request.POST.get("note", "")
            )
        except CannotInvite as error:
            wrong = {error.field: str(error)}
        else:
            url = request.build_absolute_uri(reverse("invited", args=[token]))
            requests.keep_secret(request, ONCE, row.note or _("Link to sign-up"), url)
            return redirect(reverse("site_invitations") + "#new")
    rows = [
        {"one": one, "state": _state(one, now)}
        for one in SiteInvitation.objects.select_related("made_by")[:PAGE]
    ]
    context = {
        "rows": rows,
        "new": requests.take_secret(request, ONCE),
        "wrong": wrong,
        "lives": people_services.LIVES,
        "typed": request.POST or {"days": "30", "uses": "1", "note": ""},
        "most": people_services.MOST_USES,
        "longest": SiteInvitation.LONGEST_NOTE,
        "way": people_services.way(),
    }
    return render(request, "moderation/invitations.html", context, status=422 if wrong else 200)


def _state(one: SiteInvitation, now: Any) -> str:
    if one.revoked_at is not None:
        return "revoked"
    if one.uses_left < 1:
        return "used"
    return "expired" if one.ends_at <= now else "open"


@require_http_methods(["GET", "HEAD"])
def invited(request: HttpRequest, token: str) -> HttpResponse:
    """A link of the host's: it is kept for this browser, and leads to sign-up."""
    if people_services.has_account(request.user):
        return redirect("front")
    if people_services.opening(token[:100], timezone.now()) is None:
        return render(request, "moderation/invitation_over.html", status=410)
    request.session[people_services.INVITATION_KEY] = token
    return redirect("account_signup")

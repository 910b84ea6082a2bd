"""The tokens of one's programs: made and shown once, listed, revoked."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, cast

from allauth.account.adapter import get_adapter
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy
from django.views.decorators.http import require_http_methods

from engine.strict_json import whole
from people import tokens
from people.models import Token, User
from web import once, shown_once, throttle

ONCE = "token"
ALL = "all"
SHOWN = 60
SCOPES = [
    (
        Token.Scope.READ,
        pgettext_lazy("token", "Read"),
        gettext_lazy("What you see on the pages, your own cards too. It changes nothing."),
    ),
    (Token.Scope.PLAY, gettext_lazy("Read and play"), gettext_lazy("Also make every move that you could make, in your name.")),
]
LIVES = [
    ("30", gettext_lazy("30 days")), ("90", gettext_lazy("90 days")), ("365", gettext_lazy("a year")),
    ("", gettext_lazy("until I revoke it")),
]  # fmt: skip
USUAL = {"name": "", "scope": Token.Scope.READ.value, "days": "90"}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def programs(request: HttpRequest) -> HttpResponse:
    """`?revoke=N` (or `all`) asks before anything is revoked; a POST's `do` says which form it is."""
    user = cast(User, request.user)
    if user.guest or user.demo:
        return render(request, "account/programs_none.html")
    if request.method == "POST":
        match request.POST.get("do"):
            case "make":
                return _make(request, user)
            case "revoke":
                return _revoke(request, user)
    return _page(request, user)


def _page(
    request: HttpRequest, user: User, typed: dict[str, str] | None = None, wrong: tokens.Wrong | None = None
) -> HttpResponse:
    now, scopes = timezone.now(), {key: name for key, name, _more in SCOPES}
    rows = [
        {"one": one, "scope": scopes[Token.Scope(one.scope)], "over": one.ends_at is not None and one.ends_at <= now}
        for one in tokens.of(user)[:SHOWN]
    ]
    context = {
        "tokens": rows, "asked": request.GET.get("revoke", ""), "all": ALL, "new": shown_once.take(request, ONCE),
        "scopes": SCOPES, "lives": LIVES, "typed": typed or USUAL, "longest": Token.LONGEST_NAME,
        "wrong": {wrong.field or "all": str(wrong)} if wrong is not None else {},
    }  # fmt: skip
    return render(request, "account/programs.html", context, status=422 if wrong else 200)


def _make(request: HttpRequest, user: User) -> HttpResponse:
    typed = {key: request.POST.get(key, "") for key in USUAL}
    if not once.first(request):
        return redirect("programs")
    if wait := throttle.spend(request, throttle.TOKEN, f"user {user.pk}"):
        once.forget(request)
        return throttle.refused(request, wait)
    days = None if typed["days"] == "" else whole(typed["days"], 3) or 0
    try:
        made, secret = tokens.make(user, typed["name"], typed["scope"], timezone.now(), days=days)
    except tokens.Wrong as wrong:
        once.forget(request)
        return _page(request, user, {**typed, "name": typed["name"][: Token.LONGEST_NAME]}, wrong)
    shown_once.keep(request, ONCE, made.name, secret)
    if made.scope == Token.Scope.PLAY:
        _warn(request, user, made)
    return redirect(reverse("programs") + "#new")


def _warn(request: HttpRequest, user: User, made: Token) -> None:
    """A letter as for another password: whoever sits at somebody's open browser does not do this unseen."""
    facts: dict[str, Any] = {"name": made.name}
    with suppress(OSError):  # the token is made, and has to be shown
        get_adapter().send_notification_mail("account/email/token_made", user, facts)


def _revoke(request: HttpRequest, user: User) -> HttpResponse:
    now, said = timezone.now(), request.POST.get("token", "")
    if said == ALL:
        many = tokens.revoke_all(user, now)
        text = ngettext("%(n)s token is revoked.", "%(n)s tokens are revoked.", many) % {"n": many}
        messages.success(request, text)
        return redirect("programs")
    number = whole(said, 18)
    one = Token.objects.filter(user=user, pk=number).first() if number is not None else None
    if one is None:
        raise Http404
    tokens.revoke(user, one.pk, now)
    messages.success(request, _("%(name)s is revoked: nothing opens with it any more.") % {"name": one.name})
    return redirect("programs")

"""The views of account pages: settings, programs, ways to sign in, an account elsewhere."""

from __future__ import annotations

from contextlib import suppress
from typing import cast

from allauth.account.adapter import get_adapter
from allauth.socialaccount.internal.flows import connect
from allauth.socialaccount.internal.flows import signup as pending
from allauth.socialaccount.models import SocialLogin
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext
from django.views.decorators.http import require_http_methods

from campaign.log.entries import note_change
from engine.strict_json import read_whole_number
from people import sign_in_ways as people_ways
from people import tokens
from people.forms import GuestProfileForm, ProfileForm
from people.models import Token, User
from web import provider
from web.account.access import own_account, user_of
from web.account.account_page import account_page
from web.account.forms import LONGEST_KEY, LinkForm, RevokeForm, TokenForm, WayForm
from web.account.link import link_page
from web.account.programs import ALL, SECRET, programs_page
from web.account.sign_in_ways import ways_page
from web.frame import requests, throttle
from web.frame.raw_forms import form_key
from web.frame.reauthentication import signed_in_lately


@login_required
def account_settings(request: HttpRequest) -> HttpResponse:
    """Show and change the reader's settings."""
    user = user_of(request)
    # Another object: an invalid form must not change the user whom the page shows.
    copy = User.objects.get(pk=user.pk)
    form = (GuestProfileForm if user.guest else ProfileForm)(request.POST or None, instance=copy)
    if request.method == "POST" and form.is_valid():
        form.save()
        note_change(memberships__user=user)
        messages.success(request, pgettext("notice", "Saved."))
        return redirect("me")
    status = 422 if form.errors else 200
    page = account_page(user, form)
    return render(request, "account/account.html", {"page": page}, status=status)


# Programs


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def programs(request: HttpRequest) -> HttpResponse:
    """Show the tokens of the reader's programs; a POST creates or revokes tokens."""
    user = user_of(request)
    if user.guest or user.demo:
        return render(request, "account/programs_none.html")
    if request.method == "POST":
        match form_key(request):
            case "make":
                return make_token(request, user)
            case "revoke":
                return revoke_token(request, user)
    return render(request, "account/programs.html", {"page": programs_page(request, user)})


@signed_in_lately
def make_token(request: HttpRequest, user: User) -> HttpResponse:
    """Create a token. It is shown once."""
    if not requests.first_time(request):
        return redirect("programs")
    if wait := throttle.spend(request, throttle.TOKEN, f"user {user.pk}"):
        requests.allow_again(request)
        return throttle.refused(request, wait)
    form = TokenForm(request.POST)
    form.is_valid()
    cleaned_data, now = form.cleaned_data, timezone.now()
    try:
        token, secret = tokens.make_token(
            user, cleaned_data["name"], cleaned_data["scope"], now, days=form.number_of_days()
        )
    except tokens.TokenError as wrong:
        requests.allow_again(request)
        page = programs_page(request, user, form.shown_values(), wrong)
        return render(request, "account/programs.html", {"page": page}, status=422)
    requests.keep_secret(request, SECRET, token.name, secret)
    if token.scope == Token.Scope.PLAY:
        notify_of_token(user, token)
    return redirect(reverse("programs") + "#new")


def notify_of_token(user: User, token: Token) -> None:
    """Send an e-mail about a new token.

    The owner then learns of a token that someone else has created at their open browser.
    """
    with suppress(OSError):  # the token exists already and must be shown
        facts = {"name": token.name}
        get_adapter().send_notification_mail("account/email/token_made", user, facts)


def revoke_token(request: HttpRequest, user: User) -> HttpResponse:
    """Revoke a token, or all tokens."""
    form, now = RevokeForm(request.POST), timezone.now()
    form.is_valid()
    wanted = form.cleaned_data["token"]
    if wanted == ALL:
        number = tokens.revoke_all(user, now)
        text = ngettext("%(n)s token has been revoked.", "%(n)s tokens have been revoked.", number)
        messages.success(request, text % {"n": number})
        return redirect("programs")
    key = read_whole_number(wanted, LONGEST_KEY)
    token = Token.objects.filter(user=user, pk=key).first() if key is not None else None
    if token is None:
        raise Http404
    tokens.revoke(user, token.pk, now)
    text = _("%(name)s has been revoked and no longer gives access.")
    messages.success(request, text % {"name": token.name})
    return redirect("programs")


# Ways to sign in


@own_account
@require_http_methods(["GET", "HEAD", "POST"])
def ways(request: HttpRequest) -> HttpResponse:
    """Show the ways by which the reader signs in; a POST removes or renames a way."""
    if request.method == "POST":
        match form_key(request):
            case "remove":
                return remove_way(request)
            case "rename":
                return rename_way(request)
    return show_ways(request)


def show_ways(request: HttpRequest, error: str = "") -> HttpResponse:
    """Show the ways, with an error if there is one."""
    page = ways_page(request, user_of(request), error)
    return render(request, "account/ways.html", {"page": page}, status=422 if error else 200)


@signed_in_lately
def remove_way(request: HttpRequest) -> HttpResponse:
    """Remove a way to sign in. Other browsers are signed out."""
    user, form = user_of(request), WayForm(request.POST)
    form.is_valid()
    if wait := throttle.spend(request, throttle.WAYS, f"user {user.pk}"):
        return throttle.refused(request, wait)
    session = request.session.session_key or ""
    try:
        way = people_ways.remove_way(user, form.cleaned_data["way"], session)
    except people_ways.LastWay as last:
        return show_ways(request, str(last))
    if way is None:
        messages.info(request, _("This way to sign in no longer exists."))
        return redirect("ways")
    update_session_auth_hash(request, user)
    people_ways.notify(user, "way_removed", way.title)
    text = _("Removed: %(way)s. Your other browsers have been signed out.")
    messages.success(request, text % {"way": way.title})
    return redirect("ways")


def rename_way(request: HttpRequest) -> HttpResponse:
    """Give a passkey another name."""
    form = WayForm(request.POST)
    form.is_valid()
    key = form.passkey()
    try:
        is_renamed = key is not None and people_ways.rename_passkey(
            user_of(request), key, form.cleaned_data["name"]
        )
    except people_ways.PasskeyError as wrong:
        return show_ways(request, str(wrong))
    if not is_renamed:
        raise Http404
    messages.success(request, pgettext("notice", "Saved."))
    return redirect("ways")


# An account elsewhere


@own_account
@require_http_methods(["GET", "HEAD", "POST"])
def link(request: HttpRequest) -> HttpResponse:
    """Ask whether an account elsewhere may sign in here too.

    The reader first tried to sign in with the account elsewhere, and then signed in to their
    existing account here.
    """
    login = provider.waiting(request)
    if login is None:
        return redirect("ways")
    if request.method == "POST":
        return answer_link(request, login)
    site, name = login.account.provider, login.account.extra_data.get("name", "")
    site_name = people_ways.ELSEWHERE.get(site, site)
    return render(
        request, "account/link.html", {"page": link_page(user_of(request), site_name, name)}
    )


def answer_link(request: HttpRequest, login: SocialLogin) -> HttpResponse:
    """Link the account elsewhere if the reader agrees; otherwise forget it."""
    form = LinkForm(request.POST)
    form.is_valid()
    pending.clear_pending_signup(request)
    if form.cleaned_data["do"] != "link":
        return redirect("ways")
    login.state.pop("next", None)
    try:
        with transaction.atomic():
            return cast(HttpResponse, connect.connect(request, login))
    except IntegrityError:  # another browser has just linked it
        text = _(
            "This account is already linked to another account here. Remove the link there first."
        )
        messages.error(request, text)
        return redirect("ways")

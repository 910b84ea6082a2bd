"""The page "Access to your account": everything that opens it or acts for it, ended together."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import cast

from allauth.account.adapter import get_adapter
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from people import credentials
from people.credentials import Credential
from people.models import User
from people.sessions import public_key
from web.frame import throttle
from web.frame.reauthentication import signed_in_lately
from web.ways import own_account


@dataclass(frozen=True, slots=True)
class Row:
    """A credential on the page.

    Attributes:
        what: The name of the credential in the form.
        credential: The credential.
        here: Whether it is the session of this browser.
        asked: Whether the page asks for confirmation before it ends the credential.
        url: The page that ends it, if this page does not.
        notes_use: Whether the site records its last use.
    """

    what: str
    credential: Credential
    here: bool
    asked: bool
    url: str
    notes_use: bool


@dataclass(frozen=True, slots=True)
class Group:
    """The credentials of one kind."""

    heading: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """The content of the page; `empty` has the headings of the kinds of which the user has none."""

    groups: tuple[Group, ...]
    empty: tuple[str, ...]


@own_account
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """List credentials; `?end=WHAT` asks for confirmation, and a POST's `do` says what to end."""
    match request.POST.get("do"):
        case "end":
            return _end(request)
        case "everywhere":
            return _end_everywhere(request)
    return render(request, "account/credentials.html", {"page": _page(request)})


def _page(request: HttpRequest) -> Page:
    user = cast(User, request.user)
    asked, here = request.GET.get("end", ""), public_key(request.session.session_key or "")
    groups, empty = [], []
    for source in credentials.sources():
        rows = tuple(_row(row, asked, here) for row in source.listed(user))
        if rows:
            groups.append(Group(str(source.heading), rows))
        else:
            empty.append(str(source.heading))
    return Page(tuple(groups), tuple(empty))


def _row(credential: Credential, asked: str, here: str) -> Row:
    what = f"{credential.kind}:{credential.key}"
    url = ""
    if credential.kind in credentials.SIGNS_IN:
        url = f"{reverse('ways')}?remove={credential.key}#{credential.key}"
    is_here = credential.kind == credentials.SESSION and credential.key == here
    notes_use = credential.kind not in (credentials.DISCORD, credentials.ADDRESS)
    return Row(what, credential, is_here, what == asked and not (url or is_here), url, notes_use)


def _end(request: HttpRequest) -> HttpResponse:
    user = cast(User, request.user)
    kind, _colon, key = request.POST.get("what", "").partition(":")
    here = public_key(request.session.session_key or "")
    if kind in credentials.SIGNS_IN or (kind, key) == (credentials.SESSION, here):
        return redirect("ways" if kind in credentials.SIGNS_IN else "account_logout")
    if credentials.end_one(user, kind, key, timezone.now()):
        messages.success(request, _("You have ended this access to your account."))
    else:
        messages.info(request, _("This access has already ended."))
    return redirect("credentials")


@signed_in_lately
def _end_everywhere(request: HttpRequest) -> HttpResponse:
    user = cast(User, request.user)
    if wait := throttle.spend(request, throttle.WAYS, f"user {user.pk}"):
        return throttle.refused(request, wait)
    all_ended = credentials.end_all(user, timezone.now(), keep=request.session.session_key or "")
    update_session_auth_hash(request, user)
    with suppress(OSError):  # all has ended, whatever the mail server answers
        facts = {"list_url": reverse("credentials")}
        get_adapter().send_notification_mail("account/email/signed_out", user, facts)
    messages.success(request, _("Now only this browser has access to your account."))
    if not all_ended:
        text = _(
            "Your passkeys and accounts elsewhere remain, because nothing else signs you in. Set a "
            "password or confirm your address, then remove those that are not yours."
        )
        messages.warning(request, text)
    return redirect("credentials")

"""Ways to sign in: a password, a code by mail, passkeys, accounts elsewhere. One person may have several of them.

What keeps an account is at least one way that works without the others: it is not removed. Every removal ends the sessions of
other browsers, since a device that was lost may be signed in still.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from datetime import time as clock
from time import time
from typing import Any
from urllib.parse import urlsplit

from allauth.account.adapter import get_adapter
from allauth.account.app_settings import REAUTHENTICATION_TIMEOUT
from allauth.account.authentication import get_authentication_records
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.core.checks import CheckMessage, Error
from django.core.checks import Warning as CheckWarning
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from people import passkeys
from people.models import User
from people.proof import proven

PASSWORD, MAIL, PASSKEY = "password", "mail", "passkey"
ELSEWHERE = {"discord": "Discord", "steam": "Steam"}
"""Other sites whose accounts may sign in here; a host offers them by setting their keys."""


@dataclass(frozen=True, slots=True)
class Way:
    """`key` is how a form names it; `counts` whether it signs in by itself, now; `last` whether nothing else would."""

    key: str
    kind: str
    name: str
    added_at: datetime | None
    used_at: datetime | None
    counts: bool
    last: bool = False

    @property
    def title(self) -> str:
        """What it is called in a sentence."""
        if self.kind == PASSWORD:
            return _("the password")
        if self.kind == PASSKEY:
            return _("the passkey “%(name)s”") % {"name": self.name}
        if self.kind == MAIL:
            return _("a code by mail")
        account = {"site": ELSEWHERE.get(self.kind, self.kind), "name": self.name}
        return _("the %(site)s account “%(name)s”") % account if self.name else ELSEWHERE.get(self.kind, self.kind)


class LastWay(Exception):
    """It is the only one left; the text says what to do."""


def offered() -> list[tuple[str, str]]:
    """The other sites whose keys the host has set: key and name."""
    return [(key, name) for key, name in ELSEWHERE.items() if settings.SOCIALACCOUNT_PROVIDERS.get(key, {}).get("APPS")]


def _noon(day: date | None) -> datetime | None:
    """A moment of a day of which nothing more is known."""
    return datetime.combine(day, clock(12), UTC) if day is not None else None


def reached_by_mail(user: User) -> bool:
    """Does a code by mail come to this person? Not to an address that somebody else has."""
    return bool(user.email) and not user.email_is_anothers


def ways_of(user: User) -> list[Way]:
    """All that this person has, in the order of the page. A mailed code counts once its address is confirmed: a letter to an
    address with a slip in it signs in nobody, or a stranger."""
    rows: list[Way] = []
    if user.has_usable_password():
        rows.append(Way(PASSWORD, PASSWORD, "", None, _noon(user.password_used_on), True))
    if reached_by_mail(user):
        confirmed = EmailAddress.objects.filter(user_id=user.pk, email__iexact=user.email, verified=True).exists()
        rows.append(Way(MAIL, MAIL, user.email, None, _noon(user.code_used_on), confirmed))
    for key in Authenticator.objects.filter(user_id=user.pk, type=Authenticator.Type.WEBAUTHN).order_by("pk"):
        name = str(key.data.get("name", ""))
        counts = passkeys.works_here(key)
        rows.append(Way(f"{PASSKEY}-{key.pk}", PASSKEY, name, key.created_at, key.last_used_at, counts))
    open_sites = {site for site, _name in offered()}
    for account in SocialAccount.objects.filter(user_id=user.pk).order_by("pk"):
        name, kind = str(account.extra_data.get("name", "")), account.provider
        used, counts = account.last_login, kind in open_sites
        rows.append(Way(f"{kind}-{account.pk}", kind, name, account.date_joined, used, counts))
    return [replace(one, last=not any(other.counts for other in rows if other is not one)) for one in rows]


def note_use(request: HttpRequest, user: User, now: datetime) -> None:
    """A sign-in by password or by a code just now: its day is kept. allauth keeps when passkeys and accounts elsewhere were."""
    columns = {"password": "password_used_on", "code": "code_used_on"}
    records = get_authentication_records(request, user)
    today = now.astimezone(UTC).date()
    for column in {columns[one["method"]] for one in records if one.get("method") in columns}:
        if getattr(user, column) != today:
            setattr(user, column, today)
            User.objects.filter(pk=user.pk).update(**{column: today})


def fresh(request: HttpRequest) -> bool:
    """Has this person shown within the last minutes who they are, by signing in or by confirming it again?"""
    if not request.user.is_authenticated:
        return False
    records = get_authentication_records(request, request.user)
    return bool(records) and time() - float(records[-1]["at"]) < REAUTHENTICATION_TIMEOUT


@transaction.atomic
def remove(user: User, key: str) -> Way | None:
    """Takes a way away and ends every session; the way that went, None where there is none of this key. Raises `LastWay`.

    The code by mail stays as long as there is an address: it brings back whoever has lost all else.
    """
    locked = User.objects.select_for_update().get(pk=user.pk)  # of two removed at once, the second is looked at after the first
    way = next((one for one in ways_of(locked) if one.key == key and one.kind != MAIL), None)
    if way is None:
        return None
    if way.last:
        raise LastWay(_("This is the only way left to sign in to your account. Add another, or confirm your address, first."))
    if way.kind == PASSWORD:
        locked.set_unusable_password()
        locked.save(update_fields=["password"])
    elif way.kind == PASSKEY:
        Authenticator.objects.filter(user_id=user.pk, type=Authenticator.Type.WEBAUTHN, pk=_number(key)).delete()
    else:
        SocialAccount.objects.filter(user_id=user.pk, pk=_number(key)).delete()
    User.objects.filter(pk=user.pk).update(sessions_ended=F("sessions_ended") + 1)
    user.refresh_from_db(fields=["password", "sessions_ended"])
    return way


def _number(key: str) -> int:
    return int(key.rpartition("-")[2])


def notify(user: User, template: str, way: str) -> None:
    """A letter about a way that was added or removed, to an address that is surely theirs. The thing is done, whatever the mail
    server says."""
    if proven(user):
        with suppress(OSError):
            facts = {"way": way, "ways_url": reverse("ways")}
            get_adapter().send_notification_mail(f"account/email/{template}", user, facts)


def has_second_factor(user: User) -> bool:
    return Authenticator.objects.filter(user_id=user.pk, type=Authenticator.Type.TOTP).exists()


# What a host has set, looked at by `manage.py check`.


def check(app_configs: Any = None, **options: Any) -> Sequence[CheckMessage]:
    """Keys of other sites, and the name that passkeys belong to."""
    return [*_check_keys(), *_check_passkeys()]


def _check_keys() -> list[CheckMessage]:
    wrong: list[CheckMessage] = []
    number, secret, steam = settings.DISCORD_CLIENT_ID, settings.DISCORD_CLIENT_SECRET, settings.STEAM_KEY
    if secret and not number:
        hint = "Set TABULA_DISCORD_ID to the application's number, or take TABULA_DISCORD_SECRET away."
        wrong.append(Error("TABULA_DISCORD_SECRET is set without TABULA_DISCORD_ID.", hint=hint, id="people.E001"))
    if secret and number and not (number.isascii() and number.isdigit() and 15 <= len(number) <= 20):
        hint = "It is “Application ID” in Discord's developer portal."
        wrong.append(Error("TABULA_DISCORD_ID is no number of an application at Discord.", hint=hint, id="people.E002"))
    if secret and not (secret.isascii() and secret.isprintable() and " " not in secret and len(secret) >= 20):
        hint = "It is “Client Secret” on the page OAuth2 of the application."
        wrong.append(Error("TABULA_DISCORD_SECRET is no secret of an application at Discord.", hint=hint, id="people.E003"))
    if steam and not (len(steam) == 32 and all(sign in "0123456789abcdefABCDEF" for sign in steam)):
        hint = "It is the key that https://steamcommunity.com/dev/apikey shows: 32 figures and letters."
        wrong.append(Error("TABULA_STEAM_KEY is no key of Steam's.", hint=hint, id="people.E004"))
    if (secret or steam) and urlsplit(settings.SITE_URL).scheme != "https":
        hint = "Set SITE_URL to the address that people see. Discord sends nobody back to another."
        wrong.append(CheckWarning("Signing in by another site needs a SITE_URL with https.", hint=hint, id="people.W001"))
    return wrong


def _check_passkeys() -> list[CheckMessage]:
    name = settings.PASSKEY_HOST
    wrong: list[CheckMessage] = []
    if not name:
        return []
    for origin in settings.PASSKEY_ORIGINS:
        parts = urlsplit(origin)
        host = parts.hostname or ""
        local = host == "localhost" or host.endswith(".localhost")
        if parts.path.strip("/") or parts.query or (host != name and not host.endswith(f".{name}")):
            hint = f"Write it as https://{name}; below that name others are possible."
            wrong.append(Error(f"TABULA_PASSKEY_ORIGINS: {origin} is no address of {name}.", hint=hint, id="people.E005"))
        elif parts.scheme != "https" and not local:
            hint = "Browsers give passkeys to https only. Set SITE_URL, or TABULA_PASSKEY_HOST= for none."
            wrong.append(CheckWarning(f"No passkey works at {origin}.", hint=hint, id="people.W002"))
    return wrong

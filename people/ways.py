"""Ways to sign in: a password, a code by mail, passkeys, accounts elsewhere. One person may have
several of them.

What keeps an account is at least one way that works without the others: it is not removed. Every
removal ends the sessions of other browsers, since a device that was lost may be signed in still.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from datetime import time as clock
from functools import lru_cache
from hashlib import sha256
from time import time
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from allauth.account.adapter import DefaultAccountAdapter, get_adapter
from allauth.account.app_settings import REAUTHENTICATION_TIMEOUT
from allauth.account.authentication import get_authentication_records
from allauth.account.models import EmailAddress
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.internal import auth
from allauth.socialaccount.models import SocialAccount
from cryptography.fernet import Fernet
from django.conf import settings
from django.core.checks import CheckMessage, Error
from django.core.checks import Warning as CheckWarning
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from fido2.webauthn import AuthenticationResponse, RegistrationResponse

from engine import strict_json
from engine.errors import MalformedRecord
from people import attacks, credentials, tokens
from people.models import User, look_alike
from people.proof import proven
from people.validators import fold, one_line

PASSWORD, MAIL, PASSKEY = "password", "mail", "passkey"
ELSEWHERE = {"discord": "Discord", "steam": "Steam"}
"""Other sites whose accounts may sign in here; a host offers them by setting their keys."""


@dataclass(frozen=True, slots=True)
class Way:
    """`key` is how a form names it; `counts` whether it signs in by itself, now; `last` whether
    nothing else would.
    """

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
        return (
            _("the %(site)s account “%(name)s”") % account
            if self.name
            else ELSEWHERE.get(self.kind, self.kind)
        )


class LastWay(Exception):
    """It is the only one left; the text says what to do."""


def offered() -> list[tuple[str, str]]:
    """The other sites whose keys the host has set: key and name."""
    return [
        (key, name)
        for key, name in ELSEWHERE.items()
        if settings.SOCIALACCOUNT_PROVIDERS.get(key, {}).get("APPS")
    ]


def _noon(day: date | None) -> datetime | None:
    """A moment of a day of which nothing more is known."""
    return datetime.combine(day, clock(12), UTC) if day is not None else None


def reached_by_mail(user: User) -> bool:
    """Does a code by mail come to this person? Not to an address that somebody else has."""
    return bool(user.email) and not user.email_is_anothers


def ways_of(user: User) -> list[Way]:
    """All that this person has, in the order of the page. A mailed code counts once its address is
    confirmed: a letter to an address with a slip in it signs in nobody, or a stranger.
    """
    rows: list[Way] = []
    if user.has_usable_password():
        rows.append(Way(PASSWORD, PASSWORD, "", None, _noon(user.password_used_on), True))
    if reached_by_mail(user):
        confirmed = EmailAddress.objects.filter(
            user_id=user.pk, email__iexact=user.email, verified=True
        ).exists()
        rows.append(Way(MAIL, MAIL, user.email, None, _noon(user.code_used_on), confirmed))
    for key in Authenticator.objects.filter(
        user_id=user.pk, type=Authenticator.Type.WEBAUTHN
    ).order_by("pk"):
        name = str(key.data.get("name", ""))
        counts = works_here(key)
        rows.append(
            Way(f"{PASSKEY}-{key.pk}", PASSKEY, name, key.created_at, key.last_used_at, counts)
        )
    open_sites = {site for site, _name in offered()}
    for account in SocialAccount.objects.filter(user_id=user.pk).order_by("pk"):
        name, kind = str(account.extra_data.get("name", "")), account.provider
        used, counts = account.last_login, kind in open_sites
        rows.append(Way(f"{kind}-{account.pk}", kind, name, account.date_joined, used, counts))
    return [
        replace(one, last=not any(other.counts for other in rows if other is not one))
        for one in rows
    ]


def note_use(request: HttpRequest, user: User, now: datetime) -> None:
    """A sign-in by password or by a code just now: its day is kept. allauth keeps when passkeys and
    accounts elsewhere were.
    """
    columns = {"password": "password_used_on", "code": "code_used_on"}
    records = get_authentication_records(request, user)
    today = now.astimezone(UTC).date()
    for column in {columns[one["method"]] for one in records if one.get("method") in columns}:
        if getattr(user, column) != today:
            setattr(user, column, today)
            User.objects.filter(pk=user.pk).update(**{column: today})


def fresh(request: HttpRequest) -> bool:
    """Has this person shown within the last minutes who they are, by signing in or by confirming it
    again?
    """
    if not request.user.is_authenticated:
        return False
    records = get_authentication_records(request, request.user)
    return bool(records) and time() - float(records[-1]["at"]) < REAUTHENTICATION_TIMEOUT


@transaction.atomic
def remove(user: User, key: str, keep: str = "") -> Way | None:
    """Remove a way to sign in and end every session but `keep`.

    Return the removed way, None if the key does not exist. Raises `LastWay`.

    The code by mail stays as long as there is an address: it brings back whoever has lost all else.
    """
    locked = User.objects.select_for_update().get(
        pk=user.pk
    )  # of two removed at once, the second is looked at after the first
    way = next((one for one in ways_of(locked) if one.key == key and one.kind != MAIL), None)
    if way is None:
        return None
    if way.last:
        raise LastWay(
            _(
                "This is the only way left to sign in to your account. Add another, or confirm your"
                " address, first."
            )
        )
    if way.kind == PASSWORD:
        locked.set_unusable_password()
        locked.save(update_fields=["password"])
    elif way.kind == PASSKEY:
        Authenticator.objects.filter(
            user_id=user.pk, type=Authenticator.Type.WEBAUTHN, pk=_number(key)
        ).delete()
    else:
        SocialAccount.objects.filter(user_id=user.pk, pk=_number(key)).delete()
    credentials.end_sessions(user, keep)
    user.refresh_from_db(fields=["password"])
    return way


def _number(key: str) -> int:
    return int(key.rpartition("-")[2])


def notify(user: User, template: str, way: str) -> None:
    """A letter about a way that was added or removed, to an address that is surely theirs. The
    thing is done, whatever the mail server says.
    """
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
    number, secret, steam = (
        settings.DISCORD_CLIENT_ID,
        settings.DISCORD_CLIENT_SECRET,
        settings.STEAM_KEY,
    )
    if secret and not number:
        hint = (
            "Set TABULA_DISCORD_ID to the application's number, or take TABULA_DISCORD_SECRET away."
        )
        wrong.append(
            Error(
                "TABULA_DISCORD_SECRET is set without TABULA_DISCORD_ID.",
                hint=hint,
                id="people.E001",
            )
        )
    if (
        secret
        and number
        and not (number.isascii() and number.isdigit() and 15 <= len(number) <= 20)
    ):
        hint = "It is “Application ID” in Discord's developer portal."
        wrong.append(
            Error(
                "TABULA_DISCORD_ID is no number of an application at Discord.",
                hint=hint,
                id="people.E002",
            )
        )
    if secret and not (
        secret.isascii() and secret.isprintable() and " " not in secret and len(secret) >= 20
    ):
        hint = "It is “Client Secret” on the page OAuth2 of the application."
        wrong.append(
            Error(
                "TABULA_DISCORD_SECRET is no secret of an application at Discord.",
                hint=hint,
                id="people.E003",
            )
        )
    if steam and not (len(steam) == 32 and all(sign in "0123456789abcdefABCDEF" for sign in steam)):
        hint = (
            "It is the key that https://steamcommunity.com/dev/apikey shows: 32 figures and"
            " letters."
        )
        wrong.append(Error("TABULA_STEAM_KEY is no key of Steam's.", hint=hint, id="people.E004"))
    if (secret or steam) and urlsplit(settings.SITE_URL).scheme != "https":
        hint = "Set SITE_URL to the address that people see. Discord sends nobody back to another."
        wrong.append(
            CheckWarning(
                "Signing in by another site needs a SITE_URL with https.",
                hint=hint,
                id="people.W001",
            )
        )
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
            wrong.append(
                Error(
                    f"TABULA_PASSKEY_ORIGINS: {origin} is no address of {name}.",
                    hint=hint,
                    id="people.E005",
                )
            )
        elif parts.scheme != "https" and not local:
            hint = (
                "Browsers give passkeys to https only. Set SITE_URL, or TABULA_PASSKEY_HOST= for"
                " none."
            )
            wrong.append(
                CheckWarning(f"No passkey works at {origin}.", hint=hint, id="people.W002")
            )
    return wrong


# Passkeys: a key pair that a device keeps for this site, opened there by a finger, a face or a
# number (WebAuthn).
#
# The public half lies with allauth's second factors, but a passkey is a way to sign in of its own
# and no second factor: it is asked for with user verification, which is two factors in one. What
# comes from a browser is a stranger's until it is verified.

MOST = 20
"""Passkeys that a person may have."""
LONGEST_NAME = 60
LONGEST = 16_000
"""Signs of what a browser sends; attestations of the longest kind have some 8,000."""
KEPT = ("id", "rawId", "type", "response", "clientExtensionResults")


class Wrong(Exception):
    """It cannot be done so; the text says what to do. `code` is for programs."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(why)
        self.code = code


def passkeys_offered() -> bool:
    return bool(settings.PASSKEY_HOST)


def passkeys_of(user: User) -> Any:
    return Authenticator.objects.filter(user_id=user.pk, type=Authenticator.Type.WEBAUTHN)


def works_here(key: Authenticator) -> bool:
    """Was it made for the name that the site has now? A key of another name signs in nobody."""
    try:
        made_for = key.wrap().authenticator_data.rp_id_hash
    except (ValueError, KeyError, TypeError, ValidationError):
        return False
    return passkeys_offered() and made_for == sha256(settings.PASSKEY_HOST.encode()).digest()


def creation_options(user: User) -> dict[str, Any]:
    """What the browser is asked for a new one; the challenge lies in the session. Raises
    `Wrong`.
    """
    if passkeys_of(user).count() >= MOST:
        raise Wrong("too-many", _("These are as many passkeys as one may have. Remove one first."))
    return auth.begin_registration(user, True)


def request_options(user: User | None = None) -> dict[str, Any]:
    """What the browser is asked for to sign in by one, or to confirm again who `user` is."""
    return auth.begin_authentication(user)


def add(user: User, name: str, sent: str) -> Authenticator:
    """Keeps what the browser made. Raises `Wrong`."""
    credential = _read(sent)
    try:
        response = RegistrationResponse.from_dict(credential)
        _from_here(response.response.client_data.origin)
        auth.complete_registration(credential)
        number = response.raw_id
    except Wrong:
        raise
    # a stranger's bytes, of which the readers of CBOR and keys say what is wrong in many ways
    except Exception as broken:
        raise _refused(broken) from None
    finally:
        auth.clear_state()
    if passkeys_of(user).count() >= MOST:
        raise Wrong("too-many", _("These are as many passkeys as one may have. Remove one first."))
    if auth.get_authenticator_by_credential_id(user, number) is not None:
        raise Wrong("twice", _("This passkey is in your account already."))
    return auth.WebAuthn.add(user, cleaned_name(name) or _("Passkey"), credential).instance


def authenticated(sent: str, user: User | None = None) -> Authenticator:
    """The key that signed, of `user` where one is named, else of whom the key says. Raises
    `Wrong`.
    """
    credential = _read(sent)
    try:
        _from_here(AuthenticationResponse.from_dict(credential).response.client_data.origin)
        if auth.get_state() is None:
            raise Wrong("late", _("This page was open for too long. Try again."))
        person = user if user is not None else _whose(credential)
        if (
            auth.get_authenticator_by_credential_id(
                person, auth.websafe_decode(credential["rawId"])
            )
            is None
        ):
            raise Wrong("unknown", _unknown())
        return auth.complete_authentication(person, credential)
    except Wrong:
        raise
    except Exception as broken:  # as above
        raise _refused(broken) from None
    finally:
        auth.clear_state()


def _whose(credential: dict[str, Any]) -> Any:
    try:
        return auth.extract_user_from_response(credential)
    except ValidationError:
        raise Wrong("unknown", _unknown()) from None


def _unknown() -> str:
    return _(
        "This passkey belongs to no account here; it may have been removed. Sign in another way."
    )


def _refused(broken: Exception) -> Wrong:
    return Wrong(
        "refused",
        _(
            "The passkey was not accepted. Load the page again and try once more, or choose another"
            " way."
        ),
    )


def _from_here(origin: str) -> None:
    """A page of another name below ours may not ask for our keys."""
    if origin not in settings.PASSKEY_ORIGINS:
        raise Wrong(
            "origin",
            _("Passkeys of this site work at %(place)s only.")
            % {"place": ", ".join(settings.PASSKEY_ORIGINS)},
        )


def _read(sent: str) -> dict[str, Any]:
    """What the browser sent, without what nobody asked for."""
    try:
        value = strict_json.read(sent) if len(sent) <= LONGEST else None
    except MalformedRecord:
        value = None
    if not isinstance(value, dict):
        raise Wrong("broken", _("Your browser sent no passkey. Try again."))
    return {key: value[key] for key in KEPT if key in value}


def cleaned_name(name: str) -> str:
    """Raises `Wrong` for what is no name."""
    name = name.strip()
    try:
        one_line(name)
    except ValidationError as wrong:
        raise Wrong("name", wrong.messages[0]) from None
    if len(name) > LONGEST_NAME:
        raise Wrong("name", _("Write the name in up to 60 characters."))
    return name


def rename(user: User, number: int, name: str) -> bool:
    """False where this person has no such key. Raises `Wrong`."""
    name = cleaned_name(name)
    if not name:
        raise Wrong("name", _("Write a name, so that you know the device again."))
    key = passkeys_of(user).filter(pk=number).first()
    if key is None:
        return False
    Authenticator.objects.filter(pk=key.pk).update(data={**key.data, "name": name})
    return True


# The more special before the more general: a telephone with Android says Linux, too, and one of
# Apple's says Mac.
DEVICES = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "Chromebook"),
    ("Windows", "Windows"),
    ("Macintosh", "Mac"),
    ("Linux", "Linux"),
)


def device_of(request: HttpRequest) -> str:
    """Return the system that the browser names; empty if it names none that we know."""
    agent = request.headers.get("User-Agent", "")
    return next((name for sign, name in DEVICES if sign in agent), "")


def device_name(request: HttpRequest) -> str:
    """What to call a new one, as the browser says where it runs."""
    return device_of(request) or _("Passkey")


# How people meet django-allauth.


MISMATCH = gettext_lazy("Name and password do not match. Try again, or have a link sent to you.")

SAID = {
    "account/messages/password_changed.txt",
    "account/messages/password_set.txt",
    "account/messages/email_confirmed.txt",
    "account/messages/email_confirmation_failed.txt",
    "account/messages/email_confirmation_sent.txt",
    "account/messages/email_deleted.txt",
    "mfa/messages/totp_activated.txt",
    "socialaccount/messages/account_connected.txt",
    "socialaccount/messages/account_connected_other.txt",
    "socialaccount/messages/account_connected_updated.txt",
    "mfa/messages/totp_deactivated.txt",
    "mfa/messages/recovery_codes_generated.txt",
}


def _of_site(key: str, value: Any) -> Any:
    if not key.endswith("url") or not isinstance(value, str):
        return value
    parts = urlsplit(value)
    return (
        settings.SITE_URL.rstrip("/") + urlunsplit(("", "", *parts[2:]))
        if parts.scheme in ("", "http", "https")
        else value
    )


def _twin(email: str, password: str) -> User | None:
    """Who has given an address at sign-up that somebody else has: they sign in by it, too, with
    their own password, as if it had been free. So a password that works tells nothing (decision
    30).
    """
    if not email or not password:
        return None
    twins = User.objects.filter(email_is_anothers=True, email__iexact=email.strip(), is_active=True)
    return next((one for one in twins if one.check_password(password)), None)


class Adapter(DefaultAccountAdapter):
    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_taken": gettext_lazy("This name is taken. Choose another."),
        "username_similar": gettext_lazy(
            "This name looks like the name of another person here. Choose another."
        ),
        "email_taken": gettext_lazy(
            "There is an account with this address. Sign in, or have a link sent to you."
        ),
        "email_password_mismatch": MISMATCH,
        "username_email_password_mismatch": MISMATCH,
        "username_password_mismatch": MISMATCH,
        "incorrect_password": gettext_lazy("This is not your password. Try again."),
        "enter_current_password": gettext_lazy("Type the password you have now."),
        "too_many_login_attempts": gettext_lazy(
            "Too many tries. Wait five minutes, then try again."
        ),
        "incorrect_code": gettext_lazy("This is not the code. Look at it again."),
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        username = super().clean_username(username, shallow)
        if not shallow and User.objects.filter(username_folded=fold(username)).exists():
            raise self.validation_error("username_taken")
        if not shallow and look_alike(username) is not None:
            raise self.validation_error("username_similar")
        return username

    def save_user(self, request: Any, user: Any, form: Any, commit: bool = True) -> Any:
        user.time_zone = form.cleaned_data.get("time_zone") or user.time_zone
        user.email_is_anothers = User.objects.filter(
            email_folded=fold(form.cleaned_data["email"])
        ).exists()
        return super().save_user(request, user, form, commit)

    def authenticate(self, request: Any, **credentials: Any) -> Any:
        """By the address or by the name, not by both in turn: a known address must not take twice
        as long as an unknown one.
        """
        if credentials.get("username") and credentials.get("email"):
            credentials.pop("username" if "@" in credentials["email"] else "email")
        user = super().authenticate(request, **credentials)
        if user is not None or getattr(request, "axes_locked_out", False):
            return user
        return _twin(credentials.get("email") or "", credentials.get("password") or "")

    def send_confirmation_mail(self, request: Any, emailconfirmation: Any, signup: bool) -> None:
        """To an address that somebody has already: a letter that says so, and no link to
        confirm.
        """
        if emailconfirmation.email_address.user.email_is_anothers:
            self.send_account_already_exists_mail(emailconfirmation.email_address.email)
        else:
            super().send_confirmation_mail(request, emailconfirmation, signup)

    def send_account_already_exists_mail(self, email: str) -> None:
        self.send_mail(
            "account/email/account_already_exists",
            email,
            {
                "password_reset_url": reverse("account_reset_password"),
                "login_url": reverse("account_login"),
            },
        )

    def set_password(self, user: Any, password: str) -> None:
        """End all credentials but this browser's session after a change of password.

        A first password, which its owner adds to other ways, only ends other browsers and programs.
        """
        asker = getattr(self.request, "user", None)
        here = asker is not None and asker.is_authenticated and asker.pk == user.pk
        first = here and not user.has_usable_password()
        kept = self.request.session.session_key or "" if here else ""
        super().set_password(user, password)
        now = timezone.now()
        if first:
            tokens.revoke_all(user, now)
            credentials.end_sessions(user, kept)
        else:
            credentials.end_all(user, now, keep=kept)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Links in letters lead to SITE_URL, whatever name the request came by."""
        super().send_mail(
            template_prefix, email, {key: _of_site(key, value) for key, value in context.items()}
        )

    def add_message(
        self,
        request: Any,
        level: int,
        message_template: str | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> None:
        """Only what the next page does not show by itself is said."""
        if message_template is None or message_template in SAID:
            super().add_message(request, level, message_template, *args, **kwargs)

    def should_send_confirmation_mail(self, request: Any, email_address: Any, signup: bool) -> bool:
        """On sign-up; at a sign-in not again. The account page sends another when asked."""
        return signup

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Who has signed in within the last minutes need not do it again."""
        return bool(super().is_reauthentication_required(app=app, **kwargs)) and not fresh(
            self.request
        )

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        """By every way that this person has: the password first, a mailed code where there is an
        address.
        """
        words = {
            "reauthenticate": gettext_lazy("Use the password"),
            "mfa_reauthenticate": gettext_lazy("Use a code of the second factor"),
            "mfa_reauthenticate:webauthn": gettext_lazy("Use a passkey"),
        }
        methods = super().get_reauthentication_methods(user)
        methods = [
            {**method, "description": words.get(method["id"], method["description"])}
            for method in methods
        ]
        if not user.is_authenticated:
            return methods
        if reached_by_mail(user):
            methods.append(
                {
                    "id": "mail",
                    "description": gettext_lazy("Have a code sent to you"),
                    "url": reverse("mail_reauthenticate"),
                }
            )
        linked = set(
            SocialAccount.objects.filter(user_id=user.pk).values_list("provider", flat=True)
        )
        for site, name in offered():
            if site in linked:
                described = format_lazy(gettext_lazy("Use {site}"), site=name)
                methods.append(
                    {
                        "id": site,
                        "description": described,
                        "url": f"{reverse(f'{site}_login')}?process=redirect",
                    }
                )
        return methods

    def send_notification_mail(
        self, template_prefix: str, user: Any, *args: Any, **kwargs: Any
    ) -> None:
        """Never to an address that was given at sign-up and is somebody else's."""
        if not user.email_is_anothers:
            super().send_notification_mail(template_prefix, user, *args, **kwargs)


# The second factor: its secrets lie in the database only under the key of this installation.


@lru_cache(maxsize=4)
def _vault(key: str) -> Fernet:
    return Fernet(
        base64.urlsafe_b64encode(hashlib.sha256(b"second factor" + key.encode()).digest())
    )


def reseal(sealed: str, old: str, new: str) -> str:
    """The same secret under another vault key. Raises `cryptography.fernet.InvalidToken` where
    `old` does not open it.
    """
    return _vault(new).encrypt(_vault(old).decrypt(sealed.encode("ascii"))).decode("ascii")


class SecondFactor(DefaultMFAAdapter):
    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": gettext_lazy(
            "This is not the code. Wait for the next one and type that."
        ),
        "unverified_email": gettext_lazy(
            "Confirm your e-mail address first. The link was sent to you; your account page sends"
            " another."
        ),
        "add_email_blocked": gettext_lazy(
            "Switch the second factor off before you change the address."
        ),
        "cannot_generate_recovery_codes": gettext_lazy("Switch the second factor on first."),
    }

    def validation_error(self, code: str, *args: Any) -> ValidationError:
        """Log a refused code of the second factor as an attack."""
        if code == "incorrect_code" and self.request is not None:
            attacks.note(self.request, attacks.CODE_REFUSED)
        return super().validation_error(code, *args)

    def is_mfa_enabled(self, user: Any, types: Any = None) -> bool:
        """A passkey is a way to sign in of its own, no second factor: who has one signs in by a
        password or a mailed code as before. Only whether there is one is asked for it alone.
        """
        if types is None or len(types) > 1:
            types = [
                one
                for one in types or Authenticator.Type.values
                if one != Authenticator.Type.WEBAUTHN
            ]
        return bool(super().is_mfa_enabled(user, types))

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """Passkeys are of the host's name, whatever name the request came by."""
        return {"id": settings.PASSKEY_HOST, "name": "Tabula"}

    def get_public_key_credential_user_entity(self, user: Any) -> dict[str, Any]:
        """The name that the table sees, not the address."""
        return {
            **super().get_public_key_credential_user_entity(user),
            "name": user.username,
            "display_name": user.username,
        }

    def encrypt(self, text: str) -> str:
        return _vault(settings.VAULT_KEY).encrypt(text.encode()).decode("ascii")

    def decrypt(self, encrypted_text: str) -> str:
        return _vault(settings.VAULT_KEY).decrypt(encrypted_text.encode("ascii")).decode()

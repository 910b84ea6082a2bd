"""Ways to sign in: a password, a code by mail, passkeys, accounts elsewhere.

A user may have several ways. The last way that works without the others cannot be removed. Every
removal ends the sessions of other browsers, since a lost device may still be signed in.
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
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy
from fido2.webauthn import AuthenticationResponse, RegistrationResponse

from engine import strict_json
from engine.errors import MalformedRecord
from people import attack_log, credentials, tokens
from people.address_proof import proven
from people.models import User, look_alike
from people.validators import fold, one_line

PASSWORD, MAIL, PASSKEY = "password", "mail", "passkey"
ELSEWHERE = {"discord": "Discord", "steam": "Steam"}
"""Other sites whose accounts can sign in here.

A host offers them by setting their keys.
"""


@dataclass(frozen=True, slots=True)
class Way:
    """A way to sign in.

    `key` identifies it in forms; `counts` says whether it currently suffices to sign in; `last`
    says whether no other way does.
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
        """The name of the way in a sentence."""
        if self.kind == PASSWORD:
            return pgettext("heading", "the password")
        if self.kind == PASSKEY:
            return _("the passkey “%(name)s”") % {"name": self.name}
        if self.kind == MAIL:
            return _("a code by e-mail")
        account = {"site": ELSEWHERE.get(self.kind, self.kind), "name": self.name}
        return (
            _("the %(site)s account “%(name)s”") % account
            if self.name
            else ELSEWHERE.get(self.kind, self.kind)
        )


class LastWay(Exception):
    """A removal of the last way to sign in; the text says what to do."""


def offered_sites() -> list[tuple[str, str]]:
    """Return key and name of the other sites whose keys the host has set."""
    return [
        (key, name)
        for key, name in ELSEWHERE.items()
        if settings.SOCIALACCOUNT_PROVIDERS.get(key, {}).get("APPS")
    ]


def _noon(day: date | None) -> datetime | None:
    """Return a time on a day for which only the date is known."""
    return datetime.combine(day, clock(12), UTC) if day is not None else None


def can_receive_code(user: User) -> bool:
    """Return whether a mailed code reaches this user: not at an address that another user has."""
    return bool(user.email) and not user.email_is_anothers


def ways_of(user: User) -> list[Way]:
    """Return all ways of this user to sign in, in the order of the page.

    A mailed code counts once the address is confirmed: a message to a misspelt address reaches no
    one, or a stranger.
    """
    rows: list[Way] = []
    if user.has_usable_password():
        rows.append(Way(PASSWORD, PASSWORD, "", None, _noon(user.password_used_on), True))
    if can_receive_code(user):
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
    open_sites = {site for site, _name in offered_sites()}
    for account in SocialAccount.objects.filter(user_id=user.pk).order_by("pk"):
        name, kind = str(account.extra_data.get("name", "")), account.provider
        used, counts = account.last_login, kind in open_sites
        rows.append(Way(f"{kind}-{account.pk}", kind, name, account.date_joined, used, counts))
    return [
        replace(way, last=not any(other.counts for other in rows if other is not way))
        for way in rows
    ]


def note_use(request: HttpRequest, user: User, now: datetime) -> None:
    """Store the day of a sign-in by password or code.

    allauth stores the time for passkeys and accounts elsewhere.
    """
    columns = {"password": "password_used_on", "code": "code_used_on"}
    records = get_authentication_records(request, user)
    today = now.astimezone(UTC).date()
    for column in {
        columns[record["method"]] for record in records if record.get("method") in columns
    }:
        if getattr(user, column) != today:
            setattr(user, column, today)
            User.objects.filter(pk=user.pk).update(**{column: today})


def is_recently_confirmed(request: HttpRequest) -> bool:
    """Return whether the user has signed in or confirmed their identity within the last minutes."""
    if not request.user.is_authenticated:
        return False
    records = get_authentication_records(request, request.user)
    return bool(records) and time() - float(records[-1]["at"]) < REAUTHENTICATION_TIMEOUT


@transaction.atomic
def remove_way(user: User, key: str, keep: str = "") -> Way | None:
    """Remove a way to sign in and end every session except `keep`.

    Return the removed way, None if the key does not exist. Raises `LastWay`. The code by mail stays
    as long as there is an address: it helps users who have lost all other ways.
    """
    locked = User.objects.select_for_update().get(
        pk=user.pk
    )  # If two are removed at once, the second is checked after the first.
    way = next(
        (
            candidate
            for candidate in ways_of(locked)
            if candidate.key == key and candidate.kind != MAIL
        ),
        None,
    )
    if way is None:
        return None
    if way.last:
        raise LastWay(
            _(
                "This is your only remaining way to sign in. Add another, or confirm your "
                "address, first."
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
    """Send a message about a way that was added or removed, if the address is confirmed.

    An error of the mail server is ignored, because the change has been made.
    """
    if proven(user):
        with suppress(OSError):
            facts = {"way": way, "ways_url": reverse("ways")}
            get_adapter().send_notification_mail(f"account/email/{template}", user, facts)


def has_second_factor(user: User) -> bool:
    """Return whether the user has a second factor with codes."""
    return Authenticator.objects.filter(user_id=user.pk, type=Authenticator.Type.TOTP).exists()


# Checks of the host's settings by `manage.py check`.


def check(app_configs: Any = None, **options: Any) -> Sequence[CheckMessage]:
    """Check the keys of other sites and the host name of passkeys."""
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


# Passkeys: a key pair that a device keeps for this site and unlocks with a fingerprint, a face or a
# number (WebAuthn).
#
# The public key is stored among allauth's second factors, but a passkey is a separate way to sign
# in and not a second factor: it is requested with user verification, which is two factors in one.
# Data from a browser is untrusted until it is verified.

MOST = 20
"""The most passkeys that a user may have."""
LONGEST_NAME = 60
LONGEST = 16_000
"""The most characters that a browser may send; the longest attestations have about 8,000."""
KEPT = ("id", "rawId", "type", "response", "clientExtensionResults")


class PasskeyError(Exception):
    """A passkey that cannot be used; the text says what to do. `code` is for programs."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(why)
        self.code = code


def passkeys_offered() -> bool:
    """Return whether the host offers passkeys."""
    return bool(settings.PASSKEY_HOST)


def passkeys_of(user: User) -> Any:
    """Return the passkeys of this user."""
    return Authenticator.objects.filter(user_id=user.pk, type=Authenticator.Type.WEBAUTHN)


def works_here(key: Authenticator) -> bool:
    """Return whether the passkey was made for the host name that the site has now."""
    try:
        made_for = key.wrap().authenticator_data.rp_id_hash
    except (ValueError, KeyError, TypeError, ValidationError):
        return False
    return passkeys_offered() and made_for == sha256(settings.PASSKEY_HOST.encode()).digest()


def creation_options(user: User) -> dict[str, Any]:
    """Return the options with which the browser creates a passkey. Raises `PasskeyError`.

    The challenge is stored in the session.
    """
    if passkeys_of(user).count() >= MOST:
        raise PasskeyError(
            "too-many", _("You have as many passkeys as an account can have. Remove one first.")
        )
    return auth.begin_registration(user, True)


def request_options(user: User | None = None) -> dict[str, Any]:
    """Return the options with which the browser signs in, or confirms the identity of `user`."""
    return auth.begin_authentication(user)


def add_passkey(user: User, name: str, sent: str) -> Authenticator:
    """Store the passkey that the browser has created. Raises `PasskeyError`."""
    credential = _read(sent)
    try:
        response = RegistrationResponse.from_dict(credential)
        _from_here(response.response.client_data.origin)
        auth.complete_registration(credential)
        number = response.raw_id
    except PasskeyError:
        raise
    # The parsers of CBOR and keys raise many kinds of errors for untrusted bytes.
    except Exception as broken:
        raise _refused(broken) from None
    finally:
        auth.clear_state()
    if passkeys_of(user).count() >= MOST:
        raise PasskeyError(
            "too-many", _("You have as many passkeys as an account can have. Remove one first.")
        )
    if auth.get_authenticator_by_credential_id(user, number) is not None:
        raise PasskeyError("twice", _("Your account already has this passkey."))
    return auth.WebAuthn.add(
        user, cleaned_name(name) or pgettext("account", "Passkey"), credential
    ).instance


def authenticate_passkey(sent: str, user: User | None = None) -> Authenticator:
    """Return the passkey that has signed the challenge. Raises `PasskeyError`.

    It must belong to `user` if given, otherwise to the user whom the passkey names.
    """
    credential = _read(sent)
    try:
        _from_here(AuthenticationResponse.from_dict(credential).response.client_data.origin)
        if auth.get_state() is None:
            raise PasskeyError("late", _("This page was open for too long. Try again."))
        person = user if user is not None else _whose(credential)
        if (
            auth.get_authenticator_by_credential_id(
                person, auth.websafe_decode(credential["rawId"])
            )
            is None
        ):
            raise PasskeyError("unknown", _unknown())
        return auth.complete_authentication(person, credential)
    except PasskeyError:
        raise
    except Exception as broken:  # see `add_passkey`
        raise _refused(broken) from None
    finally:
        auth.clear_state()


def _whose(credential: dict[str, Any]) -> Any:
    try:
        return auth.extract_user_from_response(credential)
    except ValidationError:
        raise PasskeyError("unknown", _unknown()) from None


def _unknown() -> str:
    return _("No account here has this passkey; it may have been removed. Sign in another way.")


def _refused(broken: Exception) -> PasskeyError:
    return PasskeyError(
        "refused",
        _("The passkey was not accepted. Reload the page and try again, or choose another way."),
    )


def _from_here(origin: str) -> None:
    """Refuse a page at another name below the site's own: it may not use the site's passkeys."""
    if origin not in settings.PASSKEY_ORIGINS:
        raise PasskeyError(
            "origin",
            _("Passkeys for this site work only at %(place)s.")
            % {"place": ", ".join(settings.PASSKEY_ORIGINS)},
        )


def _read(sent: str) -> dict[str, Any]:
    """Return the parsed message of the browser, without unknown keys."""
    try:
        value = strict_json.read(sent) if len(sent) <= LONGEST else None
    except MalformedRecord:
        value = None
    if not isinstance(value, dict):
        raise PasskeyError("broken", _("Your browser did not send a passkey. Try again."))
    return {key: value[key] for key in KEPT if key in value}


def cleaned_name(name: str) -> str:
    """Return the name of a passkey without surrounding spaces.

    Raises `PasskeyError` for an invalid one.
    """
    name = name.strip()
    try:
        one_line(name)
    except ValidationError as wrong:
        raise PasskeyError("name", wrong.messages[0]) from None
    if len(name) > LONGEST_NAME:
        raise PasskeyError("name", _("Enter a name of up to 60 characters."))
    return name


def rename_passkey(user: User, number: int, name: str) -> bool:
    """Rename a passkey. Return False if the user has no such passkey. Raises `PasskeyError`."""
    name = cleaned_name(name)
    if not name:
        raise PasskeyError("name", _("Enter a name, so that you can recognise the device later."))
    key = passkeys_of(user).filter(pk=number).first()
    if key is None:
        return False
    Authenticator.objects.filter(pk=key.pk).update(data={**key.data, "name": name})
    return True


# Special names precede general ones: Android telephones also name Linux, and iPhones also name Mac.
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
    """Return the system that the browser names; empty if it names no known system."""
    agent = request.headers.get("User-Agent", "")
    return next((name for sign, name in DEVICES if sign in agent), "")


def device_name(request: HttpRequest) -> str:
    """Return a name for a new passkey: the system on which the browser runs."""
    return device_of(request) or pgettext("account", "Passkey")


# Adapters for django-allauth.


MISMATCH = gettext_lazy(
    "The name and password do not match. Try again, or request a link by e-mail."
)

SHOWN_MESSAGES = {
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
"""Messages of allauth that are shown; the next page makes all others unnecessary."""


def _of_site(key: str, value: Any) -> Any:
    if not key.endswith("url") or not isinstance(value, str):
        return value
    parts = urlsplit(value)
    return (
        settings.SITE_URL.rstrip("/") + urlunsplit(("", "", *parts[2:]))
        if parts.scheme in ("", "http", "https")
        else value
    )


def _owner_of_taken_address(email: str, password: str) -> User | None:
    """Return the user who gave this address at sign-up although another user has it.

    They sign in with it and their own password, as if it had been free. So a working password
    reveals nothing about the address (decision 30).
    """
    if not email or not password:
        return None
    twins = User.objects.filter(email_is_anothers=True, email__iexact=email.strip(), is_active=True)
    return next((twin for twin in twins if twin.check_password(password)), None)


class Adapter(DefaultAccountAdapter):
    """The adapter of allauth for accounts."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_taken": gettext_lazy("This name is already taken. Choose another."),
        "username_similar": gettext_lazy(
            "This name is too similar to someone else’s name here. Choose another."
        ),
        "email_taken": gettext_lazy(
            "There is already an account with this address. Sign in, or request a link by e-mail."
        ),
        "email_password_mismatch": MISMATCH,
        "username_email_password_mismatch": MISMATCH,
        "username_password_mismatch": MISMATCH,
        "incorrect_password": gettext_lazy("This is not your password. Try again."),
        "enter_current_password": gettext_lazy("Enter your current password."),
        "too_many_login_attempts": gettext_lazy(
            "Too many attempts. Wait five minutes, then try again."
        ),
        "incorrect_code": gettext_lazy("This is not the right code. Check it and try again."),
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
        """Authenticate by the address or by the name, but not by both in turn.

        A known address must not take twice as long as an unknown one.
        """
        if credentials.get("username") and credentials.get("email"):
            credentials.pop("username" if "@" in credentials["email"] else "email")
        user = super().authenticate(request, **credentials)
        if user is not None or getattr(request, "axes_locked_out", False):
            return user
        return _owner_of_taken_address(
            credentials.get("email") or "", credentials.get("password") or ""
        )

    def send_confirmation_mail(self, request: Any, emailconfirmation: Any, signup: bool) -> None:
        """Send a link that confirms the address.

        If another user has the address, the message says so instead and has no link.
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
        """End all credentials except this browser's session after a change of password.

        If the user had no password before, this ends only the sessions of other browsers and the
        access of programs.
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
        """Send a message whose links lead to SITE_URL, whatever host name the request used."""
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
        """Add a message only if the next page does not show the change itself."""
        if message_template is None or message_template in SHOWN_MESSAGES:
            super().add_message(request, level, message_template, *args, **kwargs)

    def should_send_confirmation_mail(self, request: Any, email_address: Any, signup: bool) -> bool:
        """Return whether to confirm the address: at sign-up, but not at each sign-in.

        The account page sends another link on request.
        """
        return signup

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Return whether the user must confirm their identity: not if they have just done so."""
        return bool(
            super().is_reauthentication_required(app=app, **kwargs)
        ) and not is_recently_confirmed(self.request)

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        """Return every way in which this user can confirm their identity, the password first.

        A mailed code is one if the user has an address.
        """
        words = {
            "reauthenticate": gettext_lazy("Use your password"),
            "mfa_reauthenticate": gettext_lazy("Use a code from your second factor"),
            "mfa_reauthenticate:webauthn": pgettext_lazy("account", "Use a passkey"),
        }
        methods = super().get_reauthentication_methods(user)
        methods = [
            {**method, "description": words.get(method["id"], method["description"])}
            for method in methods
        ]
        if not user.is_authenticated:
            return methods
        if can_receive_code(user):
            methods.append(
                {
                    "id": "mail",
                    "description": gettext_lazy("Get a code by e-mail"),
                    "url": reverse("mail_reauthenticate"),
                }
            )
        linked = set(
            SocialAccount.objects.filter(user_id=user.pk).values_list("provider", flat=True)
        )
        for site, name in offered_sites():
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
        """Send a notification, but never to an address that belongs to another user."""
        if not user.email_is_anothers:
            super().send_notification_mail(template_prefix, user, *args, **kwargs)


# The second factor: its secrets are in the database only encrypted with the key of this
# installation.


@lru_cache(maxsize=4)
def _vault(key: str) -> Fernet:
    return Fernet(
        base64.urlsafe_b64encode(hashlib.sha256(b"second factor" + key.encode()).digest())
    )


def reseal(sealed: str, old: str, new: str) -> str:
    """Return a secret encrypted with another vault key.

    Raises `cryptography.fernet.InvalidToken` if `old` does not decrypt it.
    """
    return _vault(new).encrypt(_vault(old).decrypt(sealed.encode("ascii"))).decode("ascii")


class SecondFactor(DefaultMFAAdapter):
    """The adapter of allauth for second factors and passkeys."""

    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": gettext_lazy(
            "This is not the right code. Wait for the next one and enter that."
        ),
        "unverified_email": gettext_lazy(
            "Confirm your e-mail address first. We have sent you a link; you can request a new "
            "one on your account page."
        ),
        "add_email_blocked": gettext_lazy(
            "Switch off the second factor before you change the address."
        ),
        "cannot_generate_recovery_codes": gettext_lazy("Switch on the second factor first."),
    }

    def validation_error(self, code: str, *args: Any) -> ValidationError:
        """Write a refused code of the second factor to the log of attacks."""
        if code == "incorrect_code" and self.request is not None:
            attack_log.note(self.request, attack_log.CODE_REFUSED)
        return super().validation_error(code, *args)

    def is_mfa_enabled(self, user: Any, types: Any = None) -> bool:
        """Return whether the user has a second factor, not counting passkeys.

        A passkey is a separate way to sign in: its owner needs no second step after a password or a
        mailed code. Passkeys count only if they are the only type asked for.
        """
        if types is None or len(types) > 1:
            types = [
                kind
                for kind in types or Authenticator.Type.values
                if kind != Authenticator.Type.WEBAUTHN
            ]
        return bool(super().is_mfa_enabled(user, types))

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """Return the host name that passkeys belong to, whatever host name the request used."""
        return {"id": settings.PASSKEY_HOST, "name": "Tabula"}

    def get_public_key_credential_user_entity(self, user: Any) -> dict[str, Any]:
        """Return the user with the public name instead of the address."""
        return {
            **super().get_public_key_credential_user_entity(user),
            "name": user.username,
            "display_name": user.username,
        }

    def encrypt(self, text: str) -> str:
        return _vault(settings.VAULT_KEY).encrypt(text.encode()).decode("ascii")

    def decrypt(self, encrypted_text: str) -> str:
        return _vault(settings.VAULT_KEY).decrypt(encrypted_text.encode("ascii")).decode()

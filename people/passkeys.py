"""Passkeys: a key pair that a device keeps for this site, opened there by a finger, a face or a number (WebAuthn).

The public half lies with allauth's second factors, but a passkey is a way to sign in of its own and no second factor: it is
asked for with user verification, which is two factors in one. What comes from a browser is a stranger's until it is verified.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.internal import auth
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext as _
from fido2.webauthn import AuthenticationResponse, RegistrationResponse

from engine import strict_json
from engine.errors import MalformedRecord
from people.models import User
from people.validators import one_line

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


def offered() -> bool:
    return bool(settings.PASSKEY_HOST)


def passkeys_of(user: User) -> Any:
    return Authenticator.objects.filter(user_id=user.pk, type=Authenticator.Type.WEBAUTHN)


def works_here(key: Authenticator) -> bool:
    """Was it made for the name that the site has now? A key of another name signs in nobody."""
    try:
        made_for = key.wrap().authenticator_data.rp_id_hash
    except (ValueError, KeyError, TypeError, ValidationError):
        return False
    return offered() and made_for == sha256(settings.PASSKEY_HOST.encode()).digest()


def creation_options(user: User) -> dict[str, Any]:
    """What the browser is asked for a new one; the challenge lies in the session. Raises `Wrong`."""
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
    except Exception as broken:  # a stranger's bytes, of which the readers of CBOR and keys say what is wrong in many ways
        raise _refused(broken) from None
    finally:
        auth.clear_state()
    if passkeys_of(user).count() >= MOST:
        raise Wrong("too-many", _("These are as many passkeys as one may have. Remove one first."))
    if auth.get_authenticator_by_credential_id(user, number) is not None:
        raise Wrong("twice", _("This passkey is in your account already."))
    return auth.WebAuthn.add(user, cleaned_name(name) or _("Passkey"), credential).instance


def authenticated(sent: str, user: User | None = None) -> Authenticator:
    """The key that signed, of `user` where one is named, else of whom the key says. Raises `Wrong`."""
    credential = _read(sent)
    try:
        _from_here(AuthenticationResponse.from_dict(credential).response.client_data.origin)
        if auth.get_state() is None:
            raise Wrong("late", _("This page was open for too long. Try again."))
        person = user if user is not None else _whose(credential)
        if auth.get_authenticator_by_credential_id(person, auth.websafe_decode(credential["rawId"])) is None:
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
    return _("This passkey belongs to no account here; it may have been removed. Sign in another way.")


def _refused(broken: Exception) -> Wrong:
    return Wrong("refused", _("The passkey was not accepted. Load the page again and try once more, or choose another way."))


def _from_here(origin: str) -> None:
    """A page of another name below ours may not ask for our keys."""
    if origin not in settings.PASSKEY_ORIGINS:
        raise Wrong("origin", _("Passkeys of this site work at %(place)s only.") % {"place": ", ".join(settings.PASSKEY_ORIGINS)})


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


# The more special before the more general: a telephone with Android says Linux, too, and one of Apple's says Mac.
DEVICES = (
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("CrOS", "Chromebook"), ("Windows", "Windows"),
    ("Macintosh", "Mac"), ("Linux", "Linux"),
)  # fmt: skip


def device_name(request: HttpRequest) -> str:
    """What to call a new one, as the browser says where it runs."""
    agent = request.headers.get("User-Agent", "")
    return next((name for sign, name in DEVICES if sign in agent), _("Passkey"))

"""How people meet django-allauth."""

import base64
import hashlib
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from cryptography.fernet import Fernet
from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy

from people import tokens, ways
from people.models import User
from people.validators import fold

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
    return settings.SITE_URL.rstrip("/") + urlunsplit(("", "", *parts[2:])) if parts.scheme in ("", "http", "https") else value


def _twin(email: str, password: str) -> User | None:
    """Who has given an address at sign-up that somebody else has: they sign in by it, too, with their own password, as if it had
    been free. So a password that works tells nothing (decision 30)."""
    if not email or not password:
        return None
    twins = User.objects.filter(email_is_anothers=True, email__iexact=email.strip(), is_active=True)
    return next((one for one in twins if one.check_password(password)), None)


class Adapter(DefaultAccountAdapter):
    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_taken": gettext_lazy("This name is taken. Choose another."),
        "email_taken": gettext_lazy("There is an account with this address. Sign in, or have a link sent to you."),
        "email_password_mismatch": MISMATCH,
        "username_email_password_mismatch": MISMATCH,
        "username_password_mismatch": MISMATCH,
        "incorrect_password": gettext_lazy("This is not your password. Try again."),
        "enter_current_password": gettext_lazy("Type the password you have now."),
        "too_many_login_attempts": gettext_lazy("Too many tries. Wait five minutes, then try again."),
        "incorrect_code": gettext_lazy("This is not the code. Look at it again."),
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        username = super().clean_username(username, shallow)
        if not shallow and User.objects.filter(username_folded=fold(username)).exists():
            raise self.validation_error("username_taken")
        return username

    def save_user(self, request: Any, user: Any, form: Any, commit: bool = True) -> Any:
        user.time_zone = form.cleaned_data.get("time_zone") or user.time_zone
        user.email_is_anothers = User.objects.filter(email_folded=fold(form.cleaned_data["email"])).exists()
        return super().save_user(request, user, form, commit)

    def authenticate(self, request: Any, **credentials: Any) -> Any:
        """By the address or by the name, not by both in turn: a known address must not take twice as long as an unknown one."""
        if credentials.get("username") and credentials.get("email"):
            credentials.pop("username" if "@" in credentials["email"] else "email")
        user = super().authenticate(request, **credentials)
        if user is not None or getattr(request, "axes_locked_out", False):
            return user
        return _twin(credentials.get("email") or "", credentials.get("password") or "")

    def send_confirmation_mail(self, request: Any, emailconfirmation: Any, signup: bool) -> None:
        """To an address that somebody has already: a letter that says so, and no link to confirm."""
        if emailconfirmation.email_address.user.email_is_anothers:
            self.send_account_already_exists_mail(emailconfirmation.email_address.email)
        else:
            super().send_confirmation_mail(request, emailconfirmation, signup)

    def send_account_already_exists_mail(self, email: str) -> None:
        self.send_mail("account/email/account_already_exists", email, {
            "password_reset_url": reverse("account_reset_password"), "login_url": reverse("account_login"),
        })  # fmt: skip

    def set_password(self, user: Any, password: str) -> None:
        """Whoever takes another password wants everybody else out: programs as well as other browsers."""
        super().set_password(user, password)
        tokens.revoke_all(user, timezone.now())

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Links in letters lead to SITE_URL, whatever name the request came by."""
        super().send_mail(template_prefix, email, {key: _of_site(key, value) for key, value in context.items()})

    def add_message(self, request: Any, level: int, message_template: str | None = None, *args: Any, **kwargs: Any) -> None:
        """Only what the next page does not show by itself is said."""
        if message_template is None or message_template in SAID:
            super().add_message(request, level, message_template, *args, **kwargs)

    def should_send_confirmation_mail(self, request: Any, email_address: Any, signup: bool) -> bool:
        """On sign-up; at a sign-in not again. The account page sends another when asked."""
        return signup

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Who has signed in within the last minutes need not do it again."""
        return bool(super().is_reauthentication_required(app=app, **kwargs)) and not ways.fresh(self.request)

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        """By every way that this person has: the password first, a mailed code where there is an address."""
        words = {
            "reauthenticate": gettext_lazy("Use the password"),
            "mfa_reauthenticate": gettext_lazy("Use a code of the second factor"),
            "mfa_reauthenticate:webauthn": gettext_lazy("Use a passkey"),
        }
        methods = super().get_reauthentication_methods(user)
        methods = [{**method, "description": words.get(method["id"], method["description"])} for method in methods]
        if not user.is_authenticated:
            return methods
        if ways.reached_by_mail(user):
            methods.append(
                {"id": "mail", "description": gettext_lazy("Have a code sent to you"), "url": reverse("mail_reauthenticate")}
            )
        linked = set(SocialAccount.objects.filter(user_id=user.pk).values_list("provider", flat=True))
        for site, name in ways.offered():
            if site in linked:
                described = format_lazy(gettext_lazy("Use {site}"), site=name)
                methods.append({"id": site, "description": described, "url": f"{reverse(f'{site}_login')}?process=redirect"})
        return methods

    def send_notification_mail(self, template_prefix: str, user: Any, *args: Any, **kwargs: Any) -> None:
        """Never to an address that was given at sign-up and is somebody else's."""
        if not user.email_is_anothers:
            super().send_notification_mail(template_prefix, user, *args, **kwargs)


# The second factor: its secrets lie in the database only under the key of this installation.


@lru_cache(maxsize=4)
def _vault(key: str) -> Fernet:
    return Fernet(base64.urlsafe_b64encode(hashlib.sha256(b"second factor" + key.encode()).digest()))


def reseal(sealed: str, old: str, new: str) -> str:
    """The same secret under another vault key. Raises `cryptography.fernet.InvalidToken` where `old` does not open it."""
    return _vault(new).encrypt(_vault(old).decrypt(sealed.encode("ascii"))).decode("ascii")


class SecondFactor(DefaultMFAAdapter):
    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": gettext_lazy("This is not the code. Wait for the next one and type that."),
        "unverified_email": gettext_lazy(
            "Confirm your e-mail address first. The link was sent to you; your account page sends another."
        ),
        "add_email_blocked": gettext_lazy("Switch the second factor off before you change the address."),
        "cannot_generate_recovery_codes": gettext_lazy("Switch the second factor on first."),
    }

    def is_mfa_enabled(self, user: Any, types: Any = None) -> bool:
        """A passkey is a way to sign in of its own, no second factor: who has one signs in by a password or a mailed code as
        before. Only whether there is one is asked for it alone."""
        if types is None or len(types) > 1:
            types = [one for one in types or Authenticator.Type.values if one != Authenticator.Type.WEBAUTHN]
        return bool(super().is_mfa_enabled(user, types))

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """Passkeys are of the host's name, whatever name the request came by."""
        return {"id": settings.PASSKEY_HOST, "name": "Tabula"}

    def get_public_key_credential_user_entity(self, user: Any) -> dict[str, Any]:
        """The name that the table sees, not the address."""
        return {**super().get_public_key_credential_user_entity(user), "name": user.username, "display_name": user.username}

    def encrypt(self, text: str) -> str:
        return _vault(settings.VAULT_KEY).encrypt(text.encode()).decode("ascii")

    def decrypt(self, encrypted_text: str) -> str:
        return _vault(settings.VAULT_KEY).decrypt(encrypted_text.encode("ascii")).decode()

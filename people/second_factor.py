"""The second factor: its secrets lie in the database only under the key of this installation."""

import base64
import hashlib
from functools import lru_cache

from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet
from django.conf import settings
from django.utils.translation import gettext_lazy as _


@lru_cache(maxsize=4)
def _vault(key: str) -> Fernet:
    return Fernet(base64.urlsafe_b64encode(hashlib.sha256(b"second factor" + key.encode()).digest()))


def reseal(sealed: str, old: str, new: str) -> str:
    """The same secret under another vault key. Raises `cryptography.fernet.InvalidToken` where `old` does not open it."""
    return _vault(new).encrypt(_vault(old).decrypt(sealed.encode("ascii"))).decode("ascii")


class Adapter(DefaultMFAAdapter):
    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": _("This is not the code. Wait for the next one and type that."),
        "unverified_email": _("Confirm your e-mail address first. The link was sent to you; your account page sends another."),
        "add_email_blocked": _("Switch the second factor off before you change the address."),
        "cannot_generate_recovery_codes": _("Switch the second factor on first."),
    }

    def encrypt(self, text: str) -> str:
        return _vault(settings.VAULT_KEY).encrypt(text.encode()).decode("ascii")

    def decrypt(self, encrypted_text: str) -> str:
        return _vault(settings.VAULT_KEY).decrypt(encrypted_text.encode("ascii")).decode()

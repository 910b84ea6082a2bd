"""Links in e-mails that set a new password."""

from __future__ import annotations

from allauth.account.forms import EmailAwarePasswordResetTokenGenerator
from django.contrib.auth.base_user import AbstractBaseUser


class ResetLinks(EmailAwarePasswordResetTokenGenerator):
    """Links that also expire when all sessions of the user end (`people.credentials`)."""

    def _make_hash_value(self, user: AbstractBaseUser, timestamp: int) -> str:
        ended = getattr(user, "sessions_ended", 0)
        return f"{super()._make_hash_value(user, timestamp)}\n{ended}"

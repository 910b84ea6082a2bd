"""How a guest becomes somebody: by signing up he is the new account, by signing in his places pass to the one he has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from campaign import services
from campaign.log.entries import note_change
from people import adapter, ways
from people import services as people_services
from people.models import User
from web.shell import throttle, views


def _login(credentials: Mapping[str, Any]) -> str:
    return str(credentials.get("username") or credentials.get("email") or "")


class Adapter(adapter.Adapter):
    def new_user(self, request: HttpRequest) -> Any:
        """Whom a sign-up makes: the guest of this browser himself, so that all he has stays his.

        Asks for a transaction: of two sign-ups at once by one guest, the second makes a new person.
        """
        guest = getattr(request, "guest", None)
        if guest is None:
            return super().new_user(request)
        locked = User.objects.select_for_update().filter(pk=guest.pk, guest=True, is_active=True).first()
        if locked is None:
            return super().new_user(request)
        locked.guest = False
        return locked

    def save_user(self, request: HttpRequest, user: Any, form: Any, commit: bool = True) -> Any:
        """A guest's pages of campaigns have his name, which is another one from now on."""
        saved = super().save_user(request, user, form, commit)
        if saved.pk is not None:
            note_change(memberships__user=saved)
        return saved

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Raises `throttle.Away` where wrong passwords could not be counted."""
        if throttle.tried_too_often(request, _login(credentials)):
            raise self.validation_error("too_many_login_attempts")
        super().pre_authenticate(request, **credentials)

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        throttle.wrong_password(request, _login(credentials))
        super().authentication_failed(request, **credentials)

    def respond_user_inactive(self, request: HttpRequest, user: Any) -> Any:
        """Whom the host has suspended reads why."""
        if user.suspended_at is not None:
            return views.suspended(request, reason=user.suspended_for)
        return super().respond_user_inactive(request, user)

    def login(self, request: HttpRequest, user: Any) -> None:
        guest = getattr(request, "guest", None)
        super().login(request, user)
        throttle.signed_in(request, user)
        ways.note_use(request, user, timezone.now())
        people_services.forget_guest(request.session)
        if guest is None or guest.pk == user.pk:
            return
        passed = services.merge(guest, user)
        if passed:
            names = ", ".join(campaign.name for campaign in passed)
            messages.success(
                request, _("What you played as %(guest)s is yours now: %(names)s.") % {"guest": guest.username, "names": names}
            )

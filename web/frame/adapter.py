"""How a guest becomes somebody: by signing up they are the new account, by signing in their places
pass to the one they have.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from allauth.core.exceptions import ImmediateHttpResponse
from axes.handlers.proxy import AxesProxyHandler
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign import services
from campaign.errors import InvitationRefused
from campaign.hosting import host_acts
from campaign.log.entries import note_change
from notices import mailing
from people import attacks, ways
from people import services as people_services
from people.models import User, find
from people.sessions import describe_browser
from web.frame import errors, throttle
from web.frame.requests import noted


def _login(credentials: Mapping[str, Any]) -> str:
    return str(credentials.get("username") or credentials.get("email") or "")


CODES = ("account/email/login_code", "account/email/again_code")
CODES_LAST = timedelta(seconds=settings.ACCOUNT_LOGIN_BY_CODE_TIMEOUT)
"""How long a mailed code is valid. Its e-mail is not sent later."""
INVITATION = "invitation"
"""Where a session keeps the link that it opened last (`web.seats.invitation_views`)."""


def may_join(request: HttpRequest) -> bool:
    """May whoever asks make an account, or play as a guest? Where people come by invitation, a link
    that this browser has opened and that still opens something.
    """
    if people_services.way() == people_services.OPEN:
        return True
    return people_services.way() == people_services.INVITED and (
        _invited_to_campaign(request) or _invited_to_site(request)
    )


def _invited_to_site(request: HttpRequest) -> bool:
    return (
        people_services.opening(
            str(request.session.get(people_services.INVITATION_KEY, "")), timezone.now()
        )
        is not None
    )


def _invited_to_campaign(request: HttpRequest) -> bool:
    try:
        services.look_at(str(request.session.get(INVITATION, "")))
    except InvitationRefused:
        return False
    return True


NOTED = {"incorrect_code": attacks.CODE_REFUSED, "too_many_login_attempts": attacks.THROTTLED}
"""Refusals of allauth's forms that are logged as attacks."""


class Adapter(ways.Adapter):
    error_messages = {
        **ways.Adapter.error_messages,
        "address_closed": gettext_lazy(
            "No account can be made with this address. Its account was closed by the moderators."
        ),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return may_join(request)

    def clean_email(self, email: str) -> str:
        email = super().clean_email(email)
        if people_services.is_closed(email):
            raise self.validation_error("address_closed")
        return email

    def save_user(self, request: Any, user: Any, form: Any, commit: bool = True) -> Any:
        """Whoever signs up agrees to the terms, which stand above the button, and uses a link of
        the host's once more. A guest's pages of campaigns have their name, which is another one
        from now on.
        """
        if people_services.way() == people_services.INVITED and not _invited_to_campaign(request):
            token = str(request.session.get(people_services.INVITATION_KEY, ""))
            if not people_services.use(token, timezone.now()):
                raise ImmediateHttpResponse(redirect("account_signup"))
            request.session.pop(people_services.INVITATION_KEY, None)
        user.terms_version, user.terms_at = settings.TERMS_VERSION, timezone.now()
        saved = super().save_user(request, user, form, commit)
        if saved.pk is not None:
            note_change(memberships__user=saved)
        return saved

    def render_mail(self, template_prefix: str, *args: Any, **kwargs: Any) -> Any:
        """Return an e-mail that the worker will send, so that no request waits for a mail
        server.
        """
        message = super().render_mail(template_prefix, *args, **kwargs)
        message.connection = mailing.ByWorker(
            CODES_LAST if template_prefix in CODES else mailing.LASTS
        )
        return message

    def new_user(self, request: HttpRequest) -> Any:
        """Whom a sign-up makes: the very guest of this browser, so that all they have stays theirs.

        Asks for a transaction: of two sign-ups at once by one guest, the second makes a new person.
        """
        guest = noted(request).guest
        if guest is None:
            return super().new_user(request)
        locked = (
            User.objects.select_for_update().filter(pk=guest.pk, guest=True, is_active=True).first()
        )
        if locked is None:
            return super().new_user(request)
        locked.guest = False
        return locked

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count a try of a password (`throttle.may_try`), in place of allauth's own count by
        address and name.

        Where axes refuses to look at the password, none is tried. Raises `throttle.Away` where
        tries cannot be counted.
        """
        allowed = AxesProxyHandler.is_allowed(request, credentials)
        if allowed and not throttle.may_try(request, _login(credentials)):
            raise self.validation_error("too_many_login_attempts")

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:
        user = super().authenticate(request, **credentials)
        if user is not None:
            throttle.right_password(request)
        else:
            holder = find(_login(credentials))
            attacks.note(request, attacks.SIGN_IN_FAILED, holder.pk if holder is not None else None)
        return user

    def validation_error(self, code: str, *args: Any) -> ValidationError:
        """Log refused codes, and passwords that are no longer checked, as attacks."""
        if code in NOTED and self.request is not None:
            attacks.note(self.request, NOTED[code])
        return super().validation_error(code, *args)

    def respond_user_inactive(self, request: HttpRequest, user: Any) -> Any:
        """Whom the host has suspended reads why."""
        if user.suspended_at is not None:
            return errors.suspended(
                request, reason=user.suspended_for, closed=user.closed_at is not None
            )
        return super().respond_user_inactive(request, user)

    def login(self, request: HttpRequest, user: Any) -> None:
        guest = noted(request).guest
        super().login(request, user)
        if user.closes_at is not None and host_acts.keep_account(user):
            messages.info(request, _("You have signed in, so your account stays open."))
        throttle.signed_in(request, user)
        ways.note_use(request, user, timezone.now())
        agent, device = request.headers.get("User-Agent", ""), ways.device_of(request)
        describe_browser(request.session, agent, device, timezone.now())
        people_services.forget_guest(request.session)
        if guest is None or guest.pk == user.pk:
            return
        passed = services.merge(guest, user)
        if passed:
            names = ", ".join(campaign.name for campaign in passed)
            messages.success(
                request,
                _("What you played as %(guest)s is yours now: %(names)s.")
                % {
                    "guest": guest.username,
                    "names": names,
                },
            )

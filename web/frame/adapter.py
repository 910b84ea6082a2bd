"""Signing up and signing in: the adapter that allauth asks for.

A guest who signs up keeps their row in the database, so everything that they have stays theirs. If
a guest signs in, their places pass to the account.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from allauth.core.exceptions import ImmediateHttpResponse
from axes.handlers.proxy import AxesProxyHandler
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign import services
from campaign.errors import InvitationRefused
from campaign.hosting import host_acts
from campaign.log.entries import note_change
from notices import mailing
from people import attack_log, sign_in_ways
from people import services as people_services
from people.models import User, find_by_login
from people.sessions import describe_browser
from web.frame import errors, throttle
from web.frame.requests import request_facts


def login_name(credentials: Mapping[str, object]) -> str:
    """Return the name or e-mail address that was typed."""
    return str(credentials.get("username") or credentials.get("email") or "")


CODES = ("account/email/login_code", "account/email/again_code")
CODES_LAST = timedelta(seconds=settings.ACCOUNT_LOGIN_BY_CODE_TIMEOUT)
"""The time for which a mailed code is valid. Its e-mail is not sent later."""
INVITATION = "invitation"
"""The key of a session for the last invitation link that it opened (`web.seats.invitation_views`).
"""


def may_join(request: HttpRequest) -> bool:
    """Return whether a visitor may create an account or play as a guest.

    If the site is only for invited people, the browser must have opened a link that is still valid.
    """
    if people_services.sign_up_mode() == people_services.OPEN:
        return True
    return people_services.sign_up_mode() == people_services.INVITED and (
        is_invited_to_campaign(request) or is_invited_to_site(request)
    )


def invitation_to_site(request: HttpRequest) -> str:
    """Return the token of the host's link that this browser has opened; empty if it has none."""
    return str(request.session.get(people_services.INVITATION_KEY, ""))


def is_invited_to_site(request: HttpRequest) -> bool:
    return people_services.open_invitation(invitation_to_site(request), timezone.now()) is not None


def is_invited_to_campaign(request: HttpRequest) -> bool:
    try:
        services.open_invitation(str(request.session.get(INVITATION, "")))
    except InvitationRefused:
        return False
    return True


NOTED = {"incorrect_code": attack_log.CODE_REFUSED, "too_many_login_attempts": attack_log.THROTTLED}
"""Refusals of allauth's forms that are logged as attacks."""


class Adapter(sign_in_ways.Adapter):
    """The adapter through which allauth asks this site about accounts."""

    error_messages = {
        **sign_in_ways.Adapter.error_messages,
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

    def save_user(
        self,
        request: HttpRequest,
        user: AbstractBaseUser,
        form: BaseForm,
        commit: bool = True,
    ) -> User:
        """Save a user who signs up, and record that they have accepted the terms.

        An invitation link of the host counts as used once more. If the user was a guest, the pages
        of their campaigns change, because they show the name.
        """
        if people_services.sign_up_mode() == people_services.INVITED and not is_invited_to_campaign(
            request
        ):
            if not people_services.use_invitation(invitation_to_site(request), timezone.now()):
                raise ImmediateHttpResponse(redirect("account_signup"))
            request.session.pop(people_services.INVITATION_KEY, None)
        person = user_of_site(user)
        person.terms_version, person.terms_at = settings.TERMS_VERSION, timezone.now()
        saved = user_of_site(super().save_user(request, person, form, commit))
        if saved.pk is not None:
            note_change(memberships__user=saved)
        return saved

    def render_mail(
        self,
        template_prefix: str,
        email: str | list[str],
        context: dict[str, object],
        headers: dict[str, str] | None = None,
    ) -> EmailMessage:
        """Return an e-mail for the worker to send, so that no request waits for a mail server."""
        message = super().render_mail(template_prefix, email, context, headers)
        message.connection = mailing.ByWorker(
            CODES_LAST if template_prefix in CODES else mailing.LIFETIME
        )
        return message

    def new_user(self, request: HttpRequest) -> User:
        """Return the user who signs up: the guest of this browser, or else a new user.

        Needs a transaction: if one guest signs up twice at once, the second request makes a new
        user.
        """
        guest = request_facts(request).guest
        if guest is not None:
            guests = User.objects.select_for_update().filter(guest=True, is_active=True)
            if (locked := guests.filter(pk=guest.pk).first()) is not None:
                locked.guest = False
                return locked
        return user_of_site(super().new_user(request))

    def pre_authenticate(self, request: HttpRequest, **credentials: object) -> None:
        """Count an attempt to sign in (`throttle.may_try`), instead of allauth's own count.

        allauth counts by address and name. If axes refuses to check the password, nothing is
        counted. Raises `throttle.CacheUnavailable` if attempts cannot be counted.
        """
        allowed = AxesProxyHandler.is_allowed(request, credentials)
        if allowed and not throttle.may_try(request, login_name(credentials)):
            raise self.validation_error("too_many_login_attempts")

    def authenticate(self, request: HttpRequest, **credentials: object) -> AbstractBaseUser | None:
        """Check a password, and log a wrong password as an attack."""
        user = super().authenticate(request, **credentials)
        if user is not None:
            throttle.right_password(request)
        else:
            holder = find_by_login(login_name(credentials))
            attack_log.note(
                request, attack_log.SIGN_IN_FAILED, holder.pk if holder is not None else None
            )
        return user

    def validation_error(self, code: str, *args: object) -> ValidationError:
        """Log refused codes, and passwords that are no longer checked, as attacks."""
        if code in NOTED and self.request is not None:
            attack_log.note(self.request, NOTED[code])
        return super().validation_error(code, *args)

    def respond_user_inactive(self, request: HttpRequest, user: AbstractBaseUser) -> HttpResponse:
        """Return the page that a user sees instead of signing in, if the host has stopped them."""
        person = user_of_site(user)
        if person.suspended_at is not None:
            is_closed = person.closed_at is not None
            return errors.suspended(request, reason=person.suspended_for, closed=is_closed)
        return super().respond_user_inactive(request, user)

    def login(self, request: HttpRequest, user: AbstractBaseUser) -> None:
        """Sign a user in, and give them the places that they had as a guest of this browser."""
        guest, person = request_facts(request).guest, user_of_site(user)
        super().login(request, person)
        if person.closes_at is not None and host_acts.keep_account(person):
            messages.info(request, _("You have signed in, so your account stays open."))
        throttle.signed_in(request, person)
        sign_in_ways.note_use(request, person, timezone.now())
        agent, device = request.headers.get("User-Agent", ""), sign_in_ways.device_of(request)
        describe_browser(request.session, agent, device, timezone.now())
        people_services.forget_guest(request.session)
        if guest is not None and guest.pk != person.pk:
            take_over(request, guest, person)


def user_of_site(user: AbstractBaseUser) -> User:
    """Return a user of allauth, which allows any model of users, as a user of this site."""
    assert isinstance(user, User)
    return user


def take_over(request: HttpRequest, guest: User, user: User) -> None:
    """Pass the places of a guest to a user who has signed in."""
    campaigns = services.merge_guest(guest, user)
    if campaigns:
        names = ", ".join(campaign.name for campaign in campaigns)
        text = _("What you played as %(guest)s is yours now: %(names)s.")
        messages.success(request, text % {"guest": guest.username, "names": names})

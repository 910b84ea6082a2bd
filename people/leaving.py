"""An account closes: by a moderator at once, by its owner after `DELAY`, in which signing in keeps it. What becomes of places
at tables is `campaign.hosting.erasing`'s."""

from __future__ import annotations

from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils.crypto import salted_hmac

from people import tokens
from people.models import ClosedAddress, HostAct, User
from people.services import NotSo, sessions
from people.validators import fold

DELAY = timedelta(days=14)
CLOSED, REOPENED = "closed", "reopened"


def wish(user: User, now: datetime, *, erase: bool) -> datetime:
    """They want their account closed, or with `erase` all that is kept of them erased. When it will be done. They are signed out
    everywhere, and their programs with them."""
    closes_at = now + DELAY
    User.objects.filter(pk=user.pk).update(closes_at=closes_at, closing_erases=erase)
    user.closes_at, user.closing_erases = closes_at, erase
    end_sessions(user, now)
    return closes_at


def keep(user: User) -> bool:
    """They keep the account after all. Was it to be closed?"""
    return bool(User.objects.filter(pk=user.pk, closes_at__isnull=False).update(closes_at=None, closing_erases=False))


def due(now: datetime) -> QuerySet[User]:
    return User.objects.filter(closes_at__lte=now, erased_at=None, closed_at=None).order_by("closes_at", "pk")


def postpone(user: User, now: datetime) -> None:
    """It cannot be done today."""
    User.objects.filter(pk=user.pk).update(closes_at=now + timedelta(days=1))


@transaction.atomic
def close(user: User, reason: str, now: datetime, by: User | None = None, *, own: bool = False) -> None:
    """Nobody signs in as them any more. `own`: they wanted it themselves, and may come again with the same address; else none of
    their addresses is taken at sign-up again. Raises `NotSo`."""
    account = User.objects.select_for_update().get(pk=user.pk)
    if account.erased_at is not None or account.merged_into_id is not None or account.closed_at is not None:
        raise NotSo(f"{account} has no account any more.")
    account.is_active, account.closes_at, account.closing_erases, account.closed_at = False, None, False, now
    account.suspended_at, account.suspended_for, account.moderator = now, reason.strip(), False
    account.save(update_fields=[
        "is_active", "closes_at", "closing_erases", "closed_at", "suspended_at", "suspended_for", "moderator",
    ])  # fmt: skip
    end_sessions(account, now)
    if own:
        for model in (EmailAddress, SocialAccount, Authenticator):
            model.objects.filter(user=account).delete()
        account.email = ""
        account.save(update_fields=["email"])
    else:
        for email in addresses(account):
            ClosedAddress.objects.get_or_create(digest=_digest(email), defaults={"at": now})
    HostAct.objects.create(what=CLOSED, user=account, reason=reason.strip(), at=now, by=by)


@transaction.atomic
def reopen(user: User, reason: str, now: datetime, by: User | None = None) -> None:
    """They sign in again, with what they had; places at tables that they lost stay lost. Raises `NotSo`."""
    account = User.objects.select_for_update().get(pk=user.pk)
    if account.closed_at is None or account.erased_at is not None:
        raise NotSo(f"{account} is not closed.")
    account.is_active, account.closed_at, account.suspended_at, account.suspended_for = True, None, None, ""
    account.save(update_fields=["is_active", "closed_at", "suspended_at", "suspended_for"])
    ClosedAddress.objects.filter(digest__in=[_digest(email) for email in addresses(account)]).delete()
    HostAct.objects.create(what=REOPENED, user=account, reason=reason.strip(), at=now, by=by)


def end_sessions(user: User, now: datetime) -> None:
    """Every browser and every program of theirs is signed out."""
    Session.objects.filter(pk__in=[one.pk for one in sessions(user)]).delete()
    User.objects.filter(pk=user.pk).update(sessions_ended=F("sessions_ended") + 1)
    tokens.revoke_all(user, now)


def addresses(user: User) -> set[str]:
    """Every address of theirs, those that they have not confirmed and those of somebody else left out."""
    confirmed = set(EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True))
    own = {user.email} if user.email and not user.email_is_anothers else set()
    return confirmed | own


def is_closed(email: str) -> bool:
    """Has a moderator closed the account of this address?"""
    return bool(email.strip()) and ClosedAddress.objects.filter(digest=_digest(email)).exists()


def _digest(email: str) -> str:
    return salted_hmac("people.leaving", fold(email.strip()), algorithm="sha256").hexdigest()

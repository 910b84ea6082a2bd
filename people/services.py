"""Services for users: guests, suspension, closing and erasing accounts, invitations, blocks.

They also store the day on which a user was last seen.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.contrib.admin.models import LogEntry as AdminEntry
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from people import credentials, sessions, tokens
from people.models import (
    Absence,
    Block,
    BrowserSession,
    ClosedAddress,
    DiscordAccount,
    HostAct,
    Name,
    SiteInvitation,
    Theme,
    Token,
    User,
    look_alike,
)
from people.validators import fold

KEY = sessions.GUEST
"""The entry of a session that names its guest.

A guest is not signed in: a user who signs in or up replaces the guest.
"""
GUEST_SECONDS = 90 * 24 * 3600  # seconds
NOBODY = ""


def make_guest() -> User:
    """Create a guest with a unique name: "Guest 4821"."""
    for digits in (4, 4, 6, 8, 10, 12):
        name = f"Guest {secrets.randbelow(9 * 10 ** (digits - 1)) + 10 ** (digits - 1)}"
        if look_alike(name) is not None:
            continue
        guest = User(username=name, email=NOBODY, guest=True)
        guest.set_unusable_password()
        try:
            with transaction.atomic():
                guest.save(force_insert=True)
        except IntegrityError:
            continue  # another guest got the name a moment ago
        return guest
    raise RuntimeError("no name was free for a guest")


def is_guest(user: User | AnonymousUser) -> bool:
    """Return whether the reader is a guest. A reader who is not signed in is not."""
    return bool(user.is_authenticated and user.guest)


def has_account(user: User | AnonymousUser) -> bool:
    """Return whether the reader is signed in with an account, which guests are not."""
    return bool(user.is_authenticated and not user.guest)


def guest_of(session: Any) -> User | None:
    """Return the guest of this session, unless the guest has become a user with an account."""
    number = session.get(KEY)
    return (
        User.objects.filter(pk=number, guest=True, is_active=True).first()
        if type(number) is int
        else None
    )


def remember_guest(session: Any, guest: User) -> None:
    """Make this browser the guest's for `GUEST_SECONDS` seconds."""
    session.cycle_key()
    session[KEY] = guest.pk
    session.set_expiry(GUEST_SECONDS)


def forget_guest(session: Any) -> None:
    """Remove the guest from this session."""
    if session.pop(KEY, None) is not None:
        session.set_expiry(None)


# The last day on which a user was seen. No other trace of their visits is stored.
#
# It counts if a table waits for a game master who does not come: no one sees it before they have
# been away for `AWAY` days.

AWAY = 14
"""Days after which another member may take over the role of a game master (RULES, absence)."""


def utc_day(now: datetime) -> date:
    """Return the day in UTC: the user's own time zone would reveal where they are."""
    return now.astimezone(UTC).date()


def note_presence(user: User, now: datetime) -> bool:
    """Note that the user was seen today, and return whether this call has written it.

    At most one write a day is made.
    """
    today = utc_day(now)
    if user.seen_on >= today:
        return False
    user.seen_on = today
    return bool(User.objects.filter(pk=user.pk, seen_on__lt=today).update(seen_on=today))


def days_away(user: User, now: datetime) -> int:
    """Return the number of days since the user was last seen."""
    return max(0, (utc_day(now) - user.seen_on).days)


def is_inactive(user: User, now: datetime) -> bool:
    """Return whether the user has been away for at least `AWAY` days."""
    return days_away(user, now) >= AWAY


# Acts of the host by a command: suspended users may not sign in, erased users have no name any
# more.

SUSPENDED, UNSUSPENDED, ERASED = "suspended", "unsuspended", "erased"


class AccountError(Exception):
    """The account is already in the wanted state, or cannot be; the text says why."""


@transaction.atomic
def suspend(user: User, reason: str, now: datetime) -> None:
    """Suspend a user, who can no longer sign in and reads the reason at every attempt.

    Their seats and everything they have written stay. Raises `AccountError`.
    """
    account = User.objects.select_for_update().get(pk=user.pk)
    if account.erased_at is not None or account.merged_into_id is not None:
        raise AccountError(f"{account} has no account any more.")
    if account.suspended_at is not None:
        raise AccountError(f"{account} is suspended already.")
    account.is_active, account.suspended_at, account.suspended_for = False, now, reason.strip()
    account.save(update_fields=["is_active", "suspended_at", "suspended_for"])
    HostAct.objects.create(act=SUSPENDED, user=account, reason=reason.strip(), at=now)


@transaction.atomic
def unsuspend(user: User, reason: str, now: datetime) -> None:
    """Allow a suspended user to sign in again. Raises `AccountError`."""
    account = User.objects.select_for_update().get(pk=user.pk)
    if (
        account.suspended_at is None
        or account.erased_at is not None
        or account.closed_at is not None
    ):
        raise AccountError(f"{account} is not suspended.")
    account.is_active, account.suspended_at, account.suspended_for = True, None, ""
    account.save(update_fields=["is_active", "suspended_at", "suspended_for"])
    HostAct.objects.create(act=UNSUSPENDED, user=account, reason=reason.strip(), at=now)


def remove_names(user: User, reason: str, now: datetime, by: User | None = None) -> str:
    """Replace the names that a user chose by one with a number, and return that name.

    A moderator does this. The user may choose another name.
    """
    name = f"Name removed {user.pk}"
    while User.objects.filter(username_folded=fold(name)).exclude(pk=user.pk).exists():
        name += "-"
    account = User.objects.get(pk=user.pk)
    account.username, account.forum_name, account.fog2_name = name, "", ""
    account.save(update_fields=["username", "forum_name", "fog2_name"])
    HostAct.objects.create(act="renamed", user=account, reason=reason, at=now, by=by)
    return name


def replace_absence_note(absence: Absence, text: str) -> None:
    """Replace the note of an absence."""
    Absence.objects.filter(pk=absence.pk).update(note=text[: Absence.LONGEST_NOTE])


def record_host_act(
    user: User, what: str, reason: str, now: datetime, by: User | None = None
) -> None:
    """Record an act of the host or a moderator that no campaign's log records."""
    HostAct.objects.create(act=what, user=user, reason=reason, at=now, by=by)


def erase(user: User, now: datetime) -> list[str]:
    """Erase all personal data of a user and return in words what was erased.

    These are name, addresses, password, sessions, second factor, tokens and absences. The row
    stays, because logs refer to its number. Needs a transaction; the caller ends the user's seats
    before.
    """
    lines = []
    for what, rows in (
        ("e-mail addresses", EmailAddress.objects.filter(user=user)),
        ("second factors and passkeys", Authenticator.objects.filter(user=user)),
        ("accounts elsewhere that signed in", SocialAccount.objects.filter(user=user)),
        ("lines of the administration", AdminEntry.objects.filter(user=user)),
    ):
        lines.append(f"{rows.delete()[0]} {what}")
    lines.append(f"{BrowserSession.objects.filter(user=user).delete()[0]} sessions")
    lines.append(f"{Absence.objects.filter(user=user).delete()[0]} absences")
    lines.append(f"{DiscordAccount.objects.filter(user=user).delete()[0]} links to Discord")
    lines.append(f"{Block.objects.filter(user=user).delete()[0]} blocks")
    lines.append(f"{tokens.revoke_all(user, now)} tokens")
    Token.objects.filter(user=user).update(name="", last_used_at=None)
    HostAct.objects.filter(user=user).update(reason="")
    user.groups.clear()
    user.user_permissions.clear()
    unknown = f"{Name.MARK}{user.pk}"
    plain: dict[str, Any] = {
        "username": unknown,
        "username_folded": unknown,
        "username_skeleton": unknown,
        "email": "",
        "email_folded": None,
        "forum_name": "",
        "fog2_name": "",
        "owns_mare_nostrum": False,
        "rated": False,
        "time_zone": "UTC",
        "language": "",
        "theme": Theme.SYSTEM,
        "password": "!",
        "last_login": None,
        "is_active": False,
        "is_staff": False,
        "is_superuser": False,
        "demo": False,
        "suspended_at": None,
        "suspended_for": "",
        "erased_at": now,
        "password_used_on": None,
        "code_used_on": None,
        "moderator": False,
        "closes_at": None,
        "closing_erases": False,
        "terms_version": "",
        "terms_at": None,
    }
    User.objects.filter(pk=user.pk).update(**plain)
    HostAct.objects.create(act=ERASED, user=user, at=now)
    return lines


# Closing an account: a moderator closes it at once, its owner after `DELAY`, during which a sign-in
# keeps it. `campaign.hosting.host_acts` ends the seats.

DELAY = timedelta(days=14)
CLOSED, REOPENED = "closed", "reopened"


def schedule_closing(user: User, now: datetime, *, erase: bool) -> datetime:
    """Schedule the closing of an account, or with `erase` the deletion of its data.

    Return when it will happen. All access to the account ends now. Passkeys and accounts elsewhere
    stay until then if the owner could not otherwise sign in to keep the account.
    """
    closes_at = now + DELAY
    User.objects.filter(pk=user.pk).update(closes_at=closes_at, closing_erases=erase)
    user.closes_at, user.closing_erases = closes_at, erase
    credentials.end_all(user, now)
    return closes_at


def cancel_closing(user: User) -> bool:
    """Cancel the closing of an account, and return whether one was scheduled."""
    return bool(
        User.objects.filter(pk=user.pk, closes_at__isnull=False).update(
            closes_at=None, closing_erases=False
        )
    )


def accounts_to_close(now: datetime) -> QuerySet[User]:
    """Return the users whose accounts are to be closed now."""
    return User.objects.filter(closes_at__lte=now, erased_at=None, closed_at=None).order_by(
        "closes_at", "pk"
    )


def postpone_closing(user: User, now: datetime) -> None:
    """Postpone the closing of an account by a day, because it cannot be done today."""
    User.objects.filter(pk=user.pk).update(closes_at=now + timedelta(days=1))


@transaction.atomic
def close_account(
    user: User, reason: str, now: datetime, by: User | None = None, *, own: bool = False
) -> None:
    """Close an account: no one can sign in with it any more. Raises `AccountError`.

    With `own` the owner wanted it and may sign up again with the same address; otherwise none of
    their addresses is accepted at sign-up again.
    """
    account = User.objects.select_for_update().get(pk=user.pk)
    if (
        account.erased_at is not None
        or account.merged_into_id is not None
        or account.closed_at is not None
    ):
        raise AccountError(f"{account} has no account any more.")
    account.is_active, account.closes_at, account.closing_erases, account.closed_at = (
        False,
        None,
        False,
        now,
    )
    account.suspended_at, account.suspended_for, account.moderator = now, reason.strip(), False
    account.save(
        update_fields=[
            "is_active",
            "closes_at",
            "closing_erases",
            "closed_at",
            "suspended_at",
            "suspended_for",
            "moderator",
        ]
    )
    credentials.end_all(account, now, force=True)
    if own:
        for model in (EmailAddress, SocialAccount, Authenticator):
            model.objects.filter(user=account).delete()
        account.email = ""
        account.save(update_fields=["email"])
    else:
        for email in addresses(account):
            ClosedAddress.objects.get_or_create(digest=_digest(email), defaults={"at": now})
    HostAct.objects.create(act=CLOSED, user=account, reason=reason.strip(), at=now, by=by)


@transaction.atomic
def reopen_account(user: User, reason: str, now: datetime, by: User | None = None) -> None:
    """Reopen a closed account with what remains of it. Raises `AccountError`.

    The seats that the user lost stay lost.
    """
    account = User.objects.select_for_update().get(pk=user.pk)
    if account.closed_at is None or account.erased_at is not None:
        raise AccountError(f"{account} is not closed.")
    account.is_active, account.closed_at, account.suspended_at, account.suspended_for = (
        True,
        None,
        None,
        "",
    )
    account.save(update_fields=["is_active", "closed_at", "suspended_at", "suspended_for"])
    ClosedAddress.objects.filter(
        digest__in=[_digest(email) for email in addresses(account)]
    ).delete()
    HostAct.objects.create(act=REOPENED, user=account, reason=reason.strip(), at=now, by=by)


def addresses(user: User) -> set[str]:
    """Return the addresses of the user, without unconfirmed ones and those of other users."""
    confirmed = set(
        EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True)
    )
    own = {user.email} if user.email and not user.email_is_anothers else set()
    return confirmed | own


def is_closed(email: str) -> bool:
    """Return whether a moderator has closed the account of this address."""
    return bool(email.strip()) and ClosedAddress.objects.filter(digest=_digest(email)).exists()


def _digest(email: str) -> str:
    # The salt is an old module name: stored digests were made with it.
    return salted_hmac("people.leaving", fold(email.strip()), algorithm="sha256").hexdigest()


# Sign-up: open to everyone, only by invitation, or closed (`settings.SIGN_UP`).
#
# If it is by invitation, it needs a link from the game master of a campaign, or a link of the host,
# which these functions make.

OPEN, INVITED, SIGN_UP_CLOSED = "open", "invited", "closed"
LIVES = (1, 7, 30, 90)
"""Days for which a link may open sign-up."""
MOST_USES = 500
INVITATION_KEY = "site invitation"
"""The entry of a session with the token of its link."""


class CannotInvite(Exception):
    """An invitation that cannot be made; `field` is the field of the form to change."""

    def __init__(self, why: str, field: str) -> None:
        super().__init__(why)
        self.field = field


def make_invitation(
    by: User | None, now: datetime, *, days: int = 30, uses: int = 1, note: str = ""
) -> tuple[SiteInvitation, str]:
    """Create an invitation and return its row and its token.

    The token cannot be looked up later. `by` is None for a command. Raises `CannotInvite`.
    """
    note = note.strip()
    if days not in LIVES:
        raise CannotInvite(_("Choose how long people can sign up with the link."), "days")
    if not 1 <= uses <= MOST_USES:
        raise CannotInvite(
            _("Choose how often the link can be used, from 1 to %(most)s times.")
            % {"most": MOST_USES},
            "uses",
        )
    if len(note) > SiteInvitation.LONGEST_NOTE or not all(sign.isprintable() for sign in note):
        raise CannotInvite(
            _("A note can have up to %(most)s characters.") % {"most": SiteInvitation.LONGEST_NOTE},
            "note",
        )
    token = secrets.token_urlsafe(24)
    row = SiteInvitation.objects.create(
        token_hash=_hash(token),
        note=note,
        made_by=by,
        made_at=now,
        ends_at=now + timedelta(days=days),
        uses_left=uses,
    )
    return row, token


def open_invitation(token: str, now: datetime) -> SiteInvitation | None:
    """Return the invitation of a link that opens sign-up now."""
    return open_invitations(now).filter(token_hash=_hash(token)).first() if token else None


def use_invitation(token: str, now: datetime) -> bool:
    """Count an account that was created with this link.

    Return False if the link was just used up.
    """
    row = open_invitations(now).filter(token_hash=_hash(token))
    return bool(row.update(uses_left=F("uses_left") - 1, used=F("used") + 1))


def revoke_invitation(number: int, now: datetime) -> bool:
    """Revoke an invitation, and return whether it was in force."""
    return bool(SiteInvitation.objects.filter(pk=number, revoked_at=None).update(revoked_at=now))


def open_invitations(now: datetime) -> QuerySet[SiteInvitation]:
    """Return the invitations that open sign-up now."""
    return SiteInvitation.objects.filter(Q(ends_at__gt=now), uses_left__gt=0, revoked_at=None)


def sign_up_mode() -> str:
    """Return how people can sign up: OPEN, INVITED or SIGN_UP_CLOSED."""
    return str(settings.SIGN_UP)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


# Blocks: a user who does not want messages from another one.
#
# A block works in both directions, but only the user who made it knows of it: messages of the
# blocked user are dropped but look as if they had arrived, and messages to the blocked user are
# refused with the reason. Blocks have no effect on the table: moves and battles go on.

MOST = 200


class CannotBlock(Exception):
    """A user who cannot be blocked; the text says why."""


def block(user: User, other: User, now: datetime | None = None) -> Block:
    """Block a user from now on. This function is idempotent. Raises `CannotBlock`."""
    if user.guest or user.demo:
        raise CannotBlock(_("Create an account first: guests cannot receive messages."))
    if other.pk == user.pk or other.guest or other.erased_at is not None:
        raise CannotBlock(_("There is no one to block."))
    if blocks_of(user).count() >= MOST:
        raise CannotBlock(
            _("You have blocked %(most)s people, which is the limit. Unblock someone first.")
            % {"most": MOST}
        )
    return Block.objects.get_or_create(
        user=user, blocked=other, defaults={"at": now or timezone.now()}
    )[0]


def unblock(user: User, other: int) -> bool:
    """Remove a block, and return whether there was one."""
    return bool(Block.objects.filter(user=user, blocked_id=other).delete()[0])


def blocks_of(user: User) -> QuerySet[Block]:
    """Return the blocks that this user has made, the latest first."""
    return Block.objects.filter(user=user).select_related("blocked")


def apart_since(user: User | AnonymousUser) -> dict[int, datetime]:
    """Return the users whom they block or who block them, each with the time of the block."""
    if not user.pk:
        return {}
    rows = Block.objects.filter(Q(user_id=user.pk) | Q(blocked_id=user.pk)).order_by("-at")
    pairs = rows.values_list("user_id", "blocked_id", "at")
    return {blocked if blocker == user.pk else blocker: at for blocker, blocked, at in pairs}


def apart_from(user: User | AnonymousUser) -> set[int]:
    """Return the users whom they block or who block them."""
    return set(apart_since(user))


def blocks(user: User, others: Iterable[int]) -> bool:
    """Return whether the user has blocked at least one of the others."""
    return Block.objects.filter(user_id=user.pk, blocked_id__in=list(others)).exists()


def are_apart(one: Any, other: Any) -> bool:
    """Return whether either of two users has blocked the other."""
    return Block.objects.filter(
        Q(user_id=one.pk, blocked_id=other.pk) | Q(user_id=other.pk, blocked_id=one.pk)
    ).exists()


def is_moderator(user: User | AnonymousUser) -> bool:
    """Return whether the user may moderate the site.

    These are the host's superusers and the users that `manage.py moderator` has named.
    """
    if (
        not getattr(user, "is_authenticated", False)
        or not user.is_active
        or user.guest
        or user.demo
    ):
        return False
    return bool(user.moderator or user.is_superuser)

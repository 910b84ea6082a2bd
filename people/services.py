"""Writing about people: guests, blocks, invitations to the site, closing an account, and the day on
which somebody was seen.
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
"""Where a session says who its guest is. Guests are not signed in: whoever signs in or up is
somebody in the guest's place.
"""
KEPT = 90 * 24 * 3600  # seconds
NOBODY = ""


def make() -> User:
    """A new guest with a name of their own: "Guest 4821"."""
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
            continue  # another got the name a moment ago
        return guest
    raise RuntimeError("no name was free for a guest")


def is_guest(user: User | AnonymousUser) -> bool:
    """Is the reader a guest? Who is not signed in is none."""
    return bool(user.is_authenticated and user.guest)


def has_account(user: User | AnonymousUser) -> bool:
    """Is the reader signed in with an account of their own? Neither a guest is nor who is not
    signed in.
    """
    return bool(user.is_authenticated and not user.guest)


def guest_of(session: Any) -> User | None:
    """The guest whom this session remembers, as long as they are one."""
    number = session.get(KEY)
    return (
        User.objects.filter(pk=number, guest=True, is_active=True).first()
        if type(number) is int
        else None
    )


def remember(session: Any, guest: User) -> None:
    """This browser is the guest's from now on, for `KEPT` seconds."""
    session.cycle_key()
    session[KEY] = guest.pk
    session.set_expiry(KEPT)


def forget_guest(session: Any) -> None:
    if session.pop(KEY, None) is not None:
        session.set_expiry(None)


# The last day on which somebody was seen: the one thing that is kept of their coming and going.
#
# It is asked where a table waits for a game master who does not come: nobody reads it before they
# have been away for `AWAY` days.

AWAY = 14
"""Days after which a game master's place may be taken by who is left (RULES, absence)."""


def day(now: datetime) -> date:
    """Days are counted in UTC: a person's own zone would say where they are."""
    return now.astimezone(UTC).date()


def note_presence(user: User, now: datetime) -> bool:
    """They ask for something today. At most one write a day; tells whether it was this one."""
    today = day(now)
    if user.seen_on >= today:
        return False
    user.seen_on = today
    return bool(User.objects.filter(pk=user.pk, seen_on__lt=today).update(seen_on=today))


def away(user: User, now: datetime) -> int:
    """For how many days they have not been seen."""
    return max(0, (day(now) - user.seen_on).days)


def is_inactive(user: User, now: datetime) -> bool:
    return away(user, now) >= AWAY


# What the host does to a person by a command: suspended they may not sign in, erased they have no
# name any more.

SUSPENDED, UNSUSPENDED, ERASED = "suspended", "unsuspended", "erased"


class NotSo(Exception):
    """They stand so already; the text says it."""


@transaction.atomic
def suspend(user: User, reason: str, now: datetime) -> None:
    """They sign in no more, and read why wherever they come; their places and all they have said
    stay. Raises `NotSo`.
    """
    account = User.objects.select_for_update().get(pk=user.pk)
    if account.erased_at is not None or account.merged_into_id is not None:
        raise NotSo(f"{account} has no account any more.")
    if account.suspended_at is not None:
        raise NotSo(f"{account} is suspended already.")
    account.is_active, account.suspended_at, account.suspended_for = False, now, reason.strip()
    account.save(update_fields=["is_active", "suspended_at", "suspended_for"])
    HostAct.objects.create(act=SUSPENDED, user=account, reason=reason.strip(), at=now)


@transaction.atomic
def unsuspend(user: User, reason: str, now: datetime) -> None:
    """They sign in again. Raises `NotSo`."""
    account = User.objects.select_for_update().get(pk=user.pk)
    if (
        account.suspended_at is None
        or account.erased_at is not None
        or account.closed_at is not None
    ):
        raise NotSo(f"{account} is not suspended.")
    account.is_active, account.suspended_at, account.suspended_for = True, None, ""
    account.save(update_fields=["is_active", "suspended_at", "suspended_for"])
    HostAct.objects.create(act=UNSUSPENDED, user=account, reason=reason.strip(), at=now)


def remove_names(user: User, reason: str, now: datetime, by: User | None = None) -> str:
    """A moderator takes the names somebody chose; they are called by a number until they choose
    others. The name they have.
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
    Absence.objects.filter(pk=absence.pk).update(note=text[: Absence.LONGEST_NOTE])


def note(user: User, what: str, reason: str, now: datetime, by: User | None = None) -> None:
    """The host, or a moderator, did something to what is theirs, where no log tells of it."""
    HostAct.objects.create(act=what, user=user, reason=reason, at=now, by=by)


def erase(user: User, now: datetime) -> list[str]:
    """Everything that says who they were goes: name, addresses, password, sessions, second factor,
    tokens, absences. The row stays, for the logs' numbers. What went, in words. Asks for a
    transaction; their places are the table's to end before.
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


# An account closes: by a moderator at once, by its owner after `DELAY`, in which signing in keeps
# it. What becomes of places at tables is `campaign.hosting.host_acts`'s.

DELAY = timedelta(days=14)
CLOSED, REOPENED = "closed", "reopened"


def wish(user: User, now: datetime, *, erase: bool) -> datetime:
    """Schedule the closing of an account, or with `erase` the deletion of its data. Return when.

    All access to the account ends now. Passkeys and accounts elsewhere stay until then if the
    owner could not otherwise sign in to keep the account.
    """
    closes_at = now + DELAY
    User.objects.filter(pk=user.pk).update(closes_at=closes_at, closing_erases=erase)
    user.closes_at, user.closing_erases = closes_at, erase
    credentials.end_all(user, now)
    return closes_at


def keep(user: User) -> bool:
    """They keep the account after all. Was it to be closed?"""
    return bool(
        User.objects.filter(pk=user.pk, closes_at__isnull=False).update(
            closes_at=None, closing_erases=False
        )
    )


def due(now: datetime) -> QuerySet[User]:
    return User.objects.filter(closes_at__lte=now, erased_at=None, closed_at=None).order_by(
        "closes_at", "pk"
    )


def postpone(user: User, now: datetime) -> None:
    """It cannot be done today."""
    User.objects.filter(pk=user.pk).update(closes_at=now + timedelta(days=1))


@transaction.atomic
def close(
    user: User, reason: str, now: datetime, by: User | None = None, *, own: bool = False
) -> None:
    """Nobody signs in as them any more. `own`: they wanted it themselves, and may come again with
    the same address; else none of their addresses is taken at sign-up again. Raises `NotSo`.
    """
    account = User.objects.select_for_update().get(pk=user.pk)
    if (
        account.erased_at is not None
        or account.merged_into_id is not None
        or account.closed_at is not None
    ):
        raise NotSo(f"{account} has no account any more.")
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
def reopen(user: User, reason: str, now: datetime, by: User | None = None) -> None:
    """They sign in again, with what they had; places at tables that they lost stay lost. Raises
    `NotSo`.
    """
    account = User.objects.select_for_update().get(pk=user.pk)
    if account.closed_at is None or account.erased_at is not None:
        raise NotSo(f"{account} is not closed.")
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
    """Every address of theirs, those that they have not confirmed and those of somebody else left
    out.
    """
    confirmed = set(
        EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True)
    )
    own = {user.email} if user.email and not user.email_is_anothers else set()
    return confirmed | own


def is_closed(email: str) -> bool:
    """Has a moderator closed the account of this address?"""
    return bool(email.strip()) and ClosedAddress.objects.filter(digest=_digest(email)).exists()


def _digest(email: str) -> str:
    # The name stays as it is: what is stored was hashed with it.
    return salted_hmac("people.leaving", fold(email.strip()), algorithm="sha256").hexdigest()


# Who may make an account here: everybody, who was invited, or nobody (`settings.SIGN_UP`).
#
# Where people come by invitation, a link of a campaign's game master opens sign-up, or one of the
# host's, which this file makes.

OPEN, INVITED, SIGN_UP_CLOSED = "open", "invited", "closed"
LIVES = (1, 7, 30, 90)
"""Days for which a link may open sign-up."""
MOST_USES = 500
INVITATION_KEY = "site invitation"
"""Where a session keeps the link that it came by."""


class CannotInvite(Exception):
    """No link can be made so; `field` is what is to be changed."""

    def __init__(self, why: str, field: str) -> None:
        super().__init__(why)
        self.field = field


def make_invitation(
    by: User | None, now: datetime, *, days: int = 30, uses: int = 1, note: str = ""
) -> tuple[SiteInvitation, str]:
    """A link's row and its token, which nobody can look up later. `by` None: a command. Raises
    `CannotInvite`.
    """
    note = note.strip()
    if days not in LIVES:
        raise CannotInvite(_("Choose how long the link opens sign-up."), "days")
    if not 1 <= uses <= MOST_USES:
        raise CannotInvite(
            _("A link serves once, or up to %(most)s times.") % {"most": MOST_USES}, "uses"
        )
    if len(note) > SiteInvitation.LONGEST_NOTE or not all(sign.isprintable() for sign in note):
        raise CannotInvite(
            _("A note has up to %(most)s characters.") % {"most": SiteInvitation.LONGEST_NOTE},
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


def opening(token: str, now: datetime) -> SiteInvitation | None:
    """The row of a link that opens sign-up now."""
    return living(now).filter(token_hash=_hash(token)).first() if token else None


def use(token: str, now: datetime) -> bool:
    """An account was made by this link. False where it was used up a moment ago."""
    row = living(now).filter(token_hash=_hash(token))
    return bool(row.update(uses_left=F("uses_left") - 1, used=F("used") + 1))


def revoke(number: int, now: datetime) -> bool:
    return bool(SiteInvitation.objects.filter(pk=number, revoked_at=None).update(revoked_at=now))


def living(now: datetime) -> QuerySet[SiteInvitation]:
    return SiteInvitation.objects.filter(Q(ends_at__gt=now), uses_left__gt=0, revoked_at=None)


def way() -> str:
    return str(settings.SIGN_UP)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


# Two people of whom one wants to hear nothing from the other.
#
# A block works both ways and only who made it knows of it: what the other sends goes nowhere and
# looks as if it had arrived, and what the blocker would send is refused with the reason. What the
# table does, moves and battles among it, knows no blocks.

MOST = 200


class CannotBlock(Exception):
    """Nobody can be blocked so; the text says why."""


def block(user: User, other: User, now: datetime | None = None) -> Block:
    """From now on. Twice is no error. Raises `CannotBlock`."""
    if user.guest or user.demo:
        raise CannotBlock(_("Make an account first: a guest is written to by nobody."))
    if other.pk == user.pk or other.guest or other.erased_at is not None:
        raise CannotBlock(_("There is nobody to block."))
    if blocks_of(user).count() >= MOST:
        raise CannotBlock(
            _("You have blocked %(most)s people. Unblock somebody first.") % {"most": MOST}
        )
    return Block.objects.get_or_create(
        user=user, blocked=other, defaults={"at": now or timezone.now()}
    )[0]


def unblock(user: User, other: int) -> bool:
    """Was there a block?"""
    return bool(Block.objects.filter(user=user, blocked_id=other).delete()[0])


def blocks_of(user: User) -> QuerySet[Block]:
    """Whom they block, the latest first."""
    return Block.objects.filter(user=user).select_related("blocked")


def apart_since(user: User | AnonymousUser) -> dict[int, datetime]:
    """Whom they block and who blocks them, each with since when."""
    if not user.pk:
        return {}
    rows = Block.objects.filter(Q(user_id=user.pk) | Q(blocked_id=user.pk)).order_by("-at")
    pairs = rows.values_list("user_id", "blocked_id", "at")
    return {blocked if one == user.pk else one: at for one, blocked, at in pairs}


def apart_from(user: User | AnonymousUser) -> set[int]:
    """Whom they block and who blocks them."""
    return set(apart_since(user))


def blocks(user: User, others: Iterable[int]) -> bool:
    """Do they themselves block one of these?"""
    return Block.objects.filter(user_id=user.pk, blocked_id__in=list(others)).exists()


def are_apart(one: Any, other: Any) -> bool:
    """Does either block the other?"""
    return Block.objects.filter(
        Q(user_id=one.pk, blocked_id=other.pk) | Q(user_id=other.pk, blocked_id=one.pk)
    ).exists()


def is_moderator(user: User | AnonymousUser) -> bool:
    """Does this person look after the site? The host's superusers do, and whom `manage.py
    moderator` names.
    """
    if (
        not getattr(user, "is_authenticated", False)
        or not user.is_active
        or user.guest
        or user.demo
    ):
        return False
    return bool(user.moderator or user.is_superuser)

"""The list of all that opens an account or acts for it: shown on one page, ended together.

The password and the second factor are no part of the list: they are what its owner keeps. A new
kind of credential becomes a `Source`; then it is shown and ended everywhere
(docs/decisions/0030).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from people import sessions, tokens
from people.models import DiscordAccount, User

SESSION, TOKEN, PASSKEY, ELSEWHERE = "session", "token", "passkey", "elsewhere"
ADDRESS, DISCORD = "address", "discord"
SIGNS_IN = frozenset({PASSKEY, ELSEWHERE})
"""Kinds that sign in by themselves, beside the password and a mailed code."""


@dataclass(frozen=True, slots=True)
class Credential:
    """One thing that opens the account or acts for it. `key` names it within its kind and is no
    secret; `people.ways` has the same keys for what signs in."""

    kind: str
    key: str
    name: str
    begun_at: datetime | None = None
    used_at: datetime | None = None
    ends_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """A kind of credential: its heading, its list for a person, and how one or all (no key) end."""

    kind: str
    heading: Promise
    listed: Callable[[User], list[Credential]]
    end: Callable[[User, datetime, str | None], None]


others: Sequence[Source] = ()
"""The kinds of the rooms above; `config.hooks` fills them in at start."""


def _number(key: str | None) -> int:
    """Return a row's number, which ends the key; -1, which no row has, for a key that is none."""
    digits = (key or "").rpartition("-")[2]
    return int(digits) if re.fullmatch("[0-9]{1,18}", digits) else -1


# Sessions of browsers ---------------------------------------------------------------------------


def _sessions(user: User) -> list[Credential]:
    rows = []
    for row, data in sessions.live_sessions(user):
        browser = data.get(sessions.BROWSER, {})
        used, since = data.get(sessions.USED_ON), browser.get("since")
        rows.append(
            Credential(
                SESSION,
                sessions.public_key(row.session_key),
                browser.get("name") or _("A browser"),
                begun_at=datetime.fromisoformat(since) if since else None,
                used_at=datetime.fromisoformat(f"{used}T12:00:00+00:00") if used else None,
                ends_at=row.expire_date,
            )
        )
    return rows


def _end_session(user: User, now: datetime, key: str | None) -> None:
    """End one; all of them end in `end_sessions`, which knows which one stays."""
    for row, _data in sessions.live_sessions(user):
        if sessions.public_key(row.session_key) == key:
            row.delete()


def end_sessions(user: User, keep: str = "") -> None:
    """Sign out every browser but the one whose session key is `keep`.

    Codes and links in letters, and browsers that are known to have signed in, end as well: they
    hold `sessions_ended`. The session that stays needs `update_session_auth_hash`.
    """
    rows = sessions.BrowserSession.objects.filter(user_id=user.pk)
    rows.exclude(session_key=keep).delete()
    User.objects.filter(pk=user.pk).update(sessions_ended=F("sessions_ended") + 1)
    user.refresh_from_db(fields=["sessions_ended"])


# What people.models and allauth keep ------------------------------------------------------------


def _tokens(user: User) -> list[Credential]:
    return [
        Credential(TOKEN, str(row.pk), row.name, row.made_at, row.last_used_at, row.ends_at)
        for row in tokens.living(user, timezone.now())
    ]


def _end_token(user: User, now: datetime, key: str | None) -> None:
    if key is None:
        tokens.revoke_all(user, now)
    else:
        tokens.revoke(user, _number(key), now)


def _passkeys(user: User) -> list[Credential]:
    rows = Authenticator.objects.filter(user_id=user.pk, type=Authenticator.Type.WEBAUTHN)
    return [
        Credential(
            PASSKEY,
            f"{PASSKEY}-{row.pk}",
            str(row.data.get("name", "")),
            row.created_at,
            row.last_used_at,
        )
        for row in rows.order_by("pk")
    ]


def _end_passkey(user: User, now: datetime, key: str | None) -> None:
    rows = Authenticator.objects.filter(user_id=user.pk, type=Authenticator.Type.WEBAUTHN)
    (rows if key is None else rows.filter(pk=_number(key))).delete()


def _accounts_elsewhere(user: User) -> list[Credential]:
    return [
        Credential(
            ELSEWHERE,
            f"{row.provider}-{row.pk}",
            ": ".join(filter(None, [row.provider.title(), str(row.extra_data.get("name", ""))])),
            row.date_joined,
            row.last_login,
        )
        for row in SocialAccount.objects.filter(user_id=user.pk).order_by("pk")
    ]


def _end_account_elsewhere(user: User, now: datetime, key: str | None) -> None:
    rows = SocialAccount.objects.filter(user_id=user.pk)
    (rows if key is None else rows.filter(pk=_number(key))).delete()


def _pending_addresses(user: User) -> list[Credential]:
    """Return the addresses whose letter, once answered, would make them the account's."""
    rows = EmailAddress.objects.filter(user_id=user.pk, verified=False)
    waiting = rows.exclude(email__iexact=user.email).order_by("pk")
    return [Credential(ADDRESS, str(row.pk), row.email) for row in waiting]


def _end_pending_address(user: User, now: datetime, key: str | None) -> None:
    rows = EmailAddress.objects.filter(user_id=user.pk, verified=False)
    rows = rows.exclude(email__iexact=user.email)
    (rows if key is None else rows.filter(pk=_number(key))).delete()


def _discord(user: User) -> list[Credential]:
    rows = DiscordAccount.objects.filter(user_id=user.pk)
    return [Credential(DISCORD, str(row.pk), row.name, begun_at=row.linked_at) for row in rows]


def _end_discord(user: User, now: datetime, key: str | None) -> None:
    rows = DiscordAccount.objects.filter(user_id=user.pk)
    (rows if key is None else rows.filter(pk=_number(key))).delete()


OWN = (
    Source(SESSION, gettext_lazy("Browsers that are signed in"), _sessions, _end_session),
    Source(PASSKEY, gettext_lazy("Passkeys"), _passkeys, _end_passkey),
    Source(
        ELSEWHERE,
        gettext_lazy("Accounts elsewhere that sign in"),
        _accounts_elsewhere,
        _end_account_elsewhere,
    ),
    Source(
        ADDRESS,
        gettext_lazy("New addresses that wait to be confirmed"),
        _pending_addresses,
        _end_pending_address,
    ),
    Source(TOKEN, gettext_lazy("Tokens of programs"), _tokens, _end_token),
    Source(DISCORD, gettext_lazy("Playing from Discord"), _discord, _end_discord),
)


def sources() -> Sequence[Source]:
    """Return all kinds, in the order of the page."""
    return (*OWN, *others)


# Ending -----------------------------------------------------------------------------------------


@transaction.atomic
def end_all(
    user: User,
    now: datetime,
    *,
    keep: str = "",
    spare: Collection[str] = (),
    force: bool = False,
) -> bool:
    """End everything on the list but the session `keep` and the kinds in `spare`.

    Passkeys and accounts elsewhere stay where nothing else would sign in, unless `force`: their
    owner would be locked out. Return whether they ended.
    """
    locked = User.objects.select_for_update().get(pk=user.pk)
    stay = SIGNS_IN if not force and not _signs_in_otherwise(locked) else frozenset()
    for source in sources():
        if source.kind not in stay and source.kind not in spare and source.kind != SESSION:
            source.end(user, now, None)
    end_sessions(user, keep)
    return not stay


def _signs_in_otherwise(user: User) -> bool:
    """Return whether a password, or a code to a confirmed address, signs this person in."""
    if user.has_usable_password():
        return True
    address = EmailAddress.objects.filter(user_id=user.pk, email__iexact=user.email, verified=True)
    return bool(user.email) and not user.email_is_anothers and address.exists()


def end_one(user: User, kind: str, key: str, now: datetime) -> bool:
    """End one credential. Return False where the person has none of this kind and key."""
    source = next((source for source in sources() if source.kind == kind), None)
    if source is None or all(row.key != key for row in source.listed(user)):
        return False
    source.end(user, now, key)
    return True

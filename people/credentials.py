"""All credentials of a user: the list for the page, and the functions that end them.

A credential opens the account or acts for it. The list does not contain the password and the second
factor, which the owner keeps. Add a new kind of credential as a `Source`; the site then shows it
and ends it everywhere (docs/decisions/0030).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import datetime

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from people import hooks, sessions, tokens
from people.hooks import Credential, Source
from people.models import DiscordAccount, User

SESSION, TOKEN, PASSKEY, ELSEWHERE = "session", "token", "passkey", "elsewhere"
ADDRESS, DISCORD = "address", "discord"
SIGNS_IN = frozenset({PASSKEY, ELSEWHERE})
"""Kinds that suffice to sign in, apart from the password and a mailed code."""


def _number(key: str | None) -> int:
    """Return the row number at the end of a key; -1, which no row has, for an invalid key."""
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
    """End the session with this key.

    Without a key `end_sessions` is called instead, which can keep a session.
    """
    for row, _data in sessions.live_sessions(user):
        if sessions.public_key(row.session_key) == key:
            row.delete()


def end_sessions(user: User, keep: str = "") -> None:
    """Sign out every browser except the one whose session key is `keep`.

    Codes and links in e-mails, and remembered browsers, end as well, because they contain
    `sessions_ended`. The session that stays needs `update_session_auth_hash`.
    """
    rows = sessions.BrowserSession.objects.filter(user_id=user.pk)
    rows.exclude(session_key=keep).delete()
    User.objects.filter(pk=user.pk).update(sessions_ended=F("sessions_ended") + 1)
    user.refresh_from_db(fields=["sessions_ended"])


# Credentials in people.models and allauth -------------------------------------------------------


def _tokens(user: User) -> list[Credential]:
    return [
        Credential(TOKEN, str(row.pk), row.name, row.made_at, row.last_used_at, row.ends_at)
        for row in tokens.valid_tokens(user, timezone.now())
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
    """Return the addresses that will belong to the account once they are confirmed."""
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
    Source(SESSION, gettext_lazy("Browsers signed in to your account"), _sessions, _end_session),
    Source(PASSKEY, gettext_lazy("Passkeys"), _passkeys, _end_passkey),
    Source(
        ELSEWHERE,
        gettext_lazy("Accounts on other sites that sign you in"),
        _accounts_elsewhere,
        _end_account_elsewhere,
    ),
    Source(
        ADDRESS,
        gettext_lazy("New addresses that you have not confirmed"),
        _pending_addresses,
        _end_pending_address,
    ),
    Source(TOKEN, pgettext_lazy("account", "Tokens for programs"), _tokens, _end_token),
    Source(DISCORD, gettext_lazy("Playing from Discord"), _discord, _end_discord),
)


def sources() -> Sequence[Source]:
    """Return all kinds, in the order of the page."""
    return (*OWN, *hooks.credential_sources)


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
    """End everything on the list except the session `keep` and the kinds in `spare`.

    Passkeys and accounts elsewhere stay if the owner could not sign in without them, unless `force`
    is set. Return whether they have ended.
    """
    locked = User.objects.select_for_update().get(pk=user.pk)
    stay = SIGNS_IN if not force and not _signs_in_otherwise(locked) else frozenset()
    for source in sources():
        if source.kind not in stay and source.kind not in spare and source.kind != SESSION:
            source.end(user, now, None)
    end_sessions(user, keep)
    return not stay


def _signs_in_otherwise(user: User) -> bool:
    """Return whether a password, or a code to a confirmed address, signs this user in."""
    if user.has_usable_password():
        return True
    address = EmailAddress.objects.filter(user_id=user.pk, email__iexact=user.email, verified=True)
    return bool(user.email) and not user.email_is_anothers and address.exists()


def end_one(user: User, kind: str, key: str, now: datetime) -> bool:
    """End a credential. Return False if the user has none of this kind and key."""
    source = next((source for source in sources() if source.kind == kind), None)
    if source is None or all(row.key != key for row in source.listed(user)):
        return False
    source.end(user, now, key)
    return True

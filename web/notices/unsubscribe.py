"""The page on which users unsubscribe from e-mails without signing in."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from notices.models import Channel


@dataclass(frozen=True, slots=True)
class UnsubscribePage:
    """The state of a user's e-mails, and the possible choices."""

    token: str
    is_active: bool
    is_digest: bool
    """Whether the user has just chosen a single daily e-mail."""
    note: str


def unsubscribe_page(channel: Channel, token: str, *, is_digest: bool) -> UnsubscribePage:
    """Return the page for a user's e-mails."""
    return UnsubscribePage(
        token=token,
        is_active=channel.active,
        is_digest=is_digest,
        note=note_of(channel, is_digest=is_digest),
    )


def note_of(channel: Channel, *, is_digest: bool) -> str:
    """Return a sentence that says which e-mails are sent to the user now."""
    if not channel.active:
        return _(
            "We will not send you any more e-mails. What concerns you at a table is under Notices "
            "on the site."
        )
    if is_digest:
        text = _("You now get everything in one e-mail a day, at %(hour)s:00.")
        return text % {"hour": channel.digest_hour}
    return _(
        "E-mails are only about what concerns you at your tables. If you stop them, nothing "
        "else changes."
    )

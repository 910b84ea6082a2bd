"""The page on which someone ends their e-mails without signing in."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from notices.models import Channel


@dataclass(frozen=True, slots=True)
class UnsubscribePage:
    """Whether e-mails are sent, and what can end."""

    token: str
    is_active: bool
    is_digest: bool
    """Whether everything was put into one e-mail a day just now."""
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
    """Return what is sent now."""
    if not channel.active:
        return _(
            "No more e-mails are sent to you. What concerns you at a table is under Notices there."
        )
    if is_digest:
        text = _("Everything now comes in one e-mail a day, at %(hour)s:00.")
        return text % {"hour": channel.digest_hour}
    return _(
        "E-mails report what concerns you at your tables. They end here; nothing else changes."
    )

"""The host's sign-up links."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from people import services as people_services
from people.models import SiteInvitation
from web.frame import requests
from web.frame.sentences import with_times
from web.templatetags.tabula import a_day

MOST_SHOWN = 30
SECRET = "site invitation"  # noqa: S105  # the name of a value in the session, not a secret
USUAL = {"days": "30", "uses": "1", "note": ""}


class NewLink(NamedTuple):
    """A link that was just made."""

    name: str
    url: str


class Lifetime(NamedTuple):
    """A choice of how long a link can be used."""

    days: int
    text: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class LinkRow:
    """A link in the list."""

    pk: int
    note: str
    state: str
    can_be_revoked: bool

    @property
    def name(self) -> str:
        return self.note or _("without a note")


@dataclass(frozen=True, slots=True)
class InvitationsPage:
    """The sign-up links, and the form for a new link."""

    explanation: str
    new: NewLink | None
    note: str
    uses: str
    lifetimes: list[Lifetime]
    errors: Mapping[str, str]
    links: list[LinkRow]
    most_uses: int = people_services.MOST_USES
    longest_note: int = SiteInvitation.LONGEST_NOTE

    def error(self, field: str) -> str:
        """Return the error of a field."""
        return self.errors.get(field, "")


def invitations_page(
    request: HttpRequest,
    form_values: Mapping[str, str] = USUAL,
    errors: Mapping[str, str] | None = None,
) -> InvitationsPage:
    """Return the links, with the typed data and its errors."""
    now, secret = timezone.now(), requests.take_secret(request, SECRET)
    rows = SiteInvitation.objects.select_related("made_by")[:MOST_SHOWN]
    return InvitationsPage(
        explanation=explanation(),
        new=NewLink(secret.name, secret.secret) if secret else None,
        note=form_values["note"],
        uses=form_values["uses"],
        lifetimes=[
            Lifetime(days, days_text(days), form_values["days"] == str(days))
            for days in people_services.LIVES
        ],
        errors=errors or {},
        links=[link_row(row, now) for row in rows],
    )


def explanation() -> str:
    """Return a text on whether sign-up needs such a link."""
    way = people_services.sign_up_mode()
    if way == people_services.INVITED:
        return _(
            "To create an account here, people need a link from you or from a campaign’s game "
            "master."
        )
    if way == "open":
        return _(
            "Anyone can create an account here at present. These links make no difference until "
            "the host sets TABULA_SIGN_UP to invited."
        )
    return _("No new accounts can be created here at present, with or without a link.")


def days_text(days: int) -> str:
    """Return a number of days in words."""
    return ngettext("%(n)s day", "%(n)s days", days) % {"n": days}


def link_row(row: SiteInvitation, now: datetime) -> LinkRow:
    """Return a link as a line of the list."""
    is_open = row.revoked_at is None and row.uses_left > 0 and row.ends_at > now
    state = open_text(row) if is_open else closed_text(row)
    if row.made_by:
        state = with_times("%(state)s · %(by)s", state=state, by=row.made_by.username)
    return LinkRow(pk=row.pk, note=row.note, state=state, can_be_revoked=is_open)


def open_text(row: SiteInvitation) -> str:
    """Return how often and until when a link can still be used."""
    text = _("%(used)s used, %(left)s left, until %(at)s")
    return with_times(text, used=row.used, left=row.uses_left, at=a_day(row.ends_at))


def closed_text(row: SiteInvitation) -> str:
    """Return why a link no longer works."""
    if row.revoked_at is not None:
        return pgettext("moderation", "revoked")
    return _("used up") if row.uses_left < 1 else pgettext("link", "expired")

"""The host's links to sign-up."""

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
SECRET = "site invitation"  # noqa: S105  # the name of what the session keeps, not a secret
USUAL = {"days": "30", "uses": "1", "note": ""}


class NewLink(NamedTuple):
    """A link that was made just now."""

    name: str
    url: str


class Lifetime(NamedTuple):
    """How long a link can be used."""

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
    """The links to sign-up, and the form of a new one."""

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
        """Return what is wrong with a field."""
        return self.errors.get(field, "")


def invitations_page(
    request: HttpRequest, typed: Mapping[str, str] = USUAL, errors: Mapping[str, str] | None = None
) -> InvitationsPage:
    """Return the links, with what was typed and what was wrong in it."""
    now, secret = timezone.now(), requests.take_secret(request, SECRET)
    rows = SiteInvitation.objects.select_related("made_by")[:MOST_SHOWN]
    return InvitationsPage(
        explanation=explanation(),
        new=NewLink(secret.name, secret.secret) if secret else None,
        note=typed["note"],
        uses=typed["uses"],
        lifetimes=[
            Lifetime(days, days_text(days), typed["days"] == str(days))
            for days in people_services.LIVES
        ],
        errors=errors or {},
        links=[link_row(row, now) for row in rows],
    )


def explanation() -> str:
    """Return whether the links are needed."""
    way = people_services.way()
    if way == people_services.INVITED:
        return _(
            "People make an account here by a link of yours, or by one of a campaign’s game master."
        )
    if way == "open":
        return _(
            "Anybody may make an account here now: these links change nothing until the host sets"
            " TABULA_SIGN_UP to invited."
        )
    return _("No accounts are made here now, with or without a link.")


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
    """Return how often a link can still be used, and until when."""
    text = _("%(used)s used, %(left)s left, until %(at)s")
    return with_times(text, used=row.used, left=row.uses_left, at=a_day(row.ends_at))


def closed_text(row: SiteInvitation) -> str:
    """Return why a link opens nothing any more."""
    if row.revoked_at is not None:
        return _("revoked")
    return _("used up") if row.uses_left < 1 else pgettext("link", "over")

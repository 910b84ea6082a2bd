"""The page on which a user announces absences."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign.errors import NoSuchEntry, TableError
from campaign.models import Campaign
from campaign.seats import selectors, standing_orders
from people.forms import ALL, SOME, AwayForm
from people.models import Absence, User
from web.frame.absences import days_text

SHOWN = 30
"""The number of absences that the page lists."""
FIELDS = {
    "backwards": "last",
    "past": "last",
    "too-long": "last",
    "overlaps": "first",
    "bad-note": "note",
    "no-campaign": "campaigns",
}
"""The field for each error of the service."""


@dataclass(frozen=True, slots=True)
class AnnouncedAbsence:
    """An absence in the list."""

    number: int
    days: str
    informed: str
    note: str
    masters_only: bool
    is_over: bool
    is_now: bool
    is_open: bool

    @property
    def chip(self) -> str:
        """A word for a present or past absence; empty if the absence is still to come."""
        if self.is_now:
            return pgettext("away", "now")
        return pgettext("away", "past") if self.is_over else ""

    @property
    def take_back(self) -> str:
        """The text of the button that ends the absence."""
        return _("I am back") if self.is_now else pgettext("seats", "Withdraw the absence")


@dataclass(frozen=True, slots=True)
class AbsencePage:
    """A user's absences, and the form for a new or a changed absence."""

    absences: list[AnnouncedAbsence]
    form: AwayForm
    changed: int | None
    """The number of the absence that is changed."""
    title: str
    verb: str


@dataclass(frozen=True, slots=True)
class Calendar:
    """A user's absences, and the campaigns that they can notify."""

    absences: list[Absence]
    campaigns: list[Campaign]

    def opened(self, number: int | None) -> Absence | None:
        """Return the absence of this number, unless it is over."""
        now = timezone.now()
        return next(
            (
                absence
                for absence in self.absences
                if absence.pk == number and absence.ends_at > now
            ),
            None,
        )

    def choices(self, opened: Absence | None) -> dict[str, Campaign]:
        """Return the campaigns that can be notified of an absence, by their public ids."""
        campaigns = [*self.campaigns, *campaigns_informed(opened)]
        return {campaign.public_id: campaign for campaign in campaigns}


def calendar_of(user: User) -> Calendar:
    """Return the user's absences, and the campaigns that they can notify."""
    return Calendar(
        absences=selectors.absences_of_user(user)[:SHOWN],
        campaigns=list(selectors.campaigns_to_inform(user)),
    )


def campaigns_informed(absence: Absence | None) -> list[Campaign]:
    """Return the campaigns that an absence names, if any. No query."""
    if absence is None:
        return []
    return [row.campaign for row in absence.campaign_links.all() if row.dropped_at is None]


def away_form(
    calendar: Calendar, opened: Absence | None, post_data: QueryDict | None = None
) -> AwayForm:
    """Return the form as it was posted, or with the absence that is to be changed."""
    known = [(key, campaign.name) for key, campaign in calendar.choices(opened).items()]
    if post_data is not None:
        return AwayForm(post_data, known=known)
    if opened is None:
        return AwayForm(known=known)
    initial = {
        "first": opened.first,
        "last": opened.last,
        "note": opened.note,
        "masters_only": opened.masters_only,
        "whom": ALL if opened.everywhere else SOME,
        "campaigns": [campaign.public_id for campaign in campaigns_informed(opened)],
    }
    return AwayForm(initial=initial, known=known)


def announce(user: User, calendar: Calendar, opened: Absence | None, form: AwayForm) -> bool:
    """Announce or change an absence, and return whether it was accepted.

    Raises `NoSuchEntry`.
    """
    if not form.is_valid():
        return False
    fields = form.cleaned_data
    campaigns = None
    if fields["whom"] == SOME:
        by_id = calendar.choices(opened)
        campaigns = [by_id[key] for key in fields["campaigns"]]
    act = (
        partial(standing_orders.announce_absence, user)
        if opened is None
        else partial(standing_orders.change_absence, user, opened.pk)
    )
    try:
        act(
            fields["first"],
            fields["last"],
            note=fields["note"],
            masters_only=fields["masters_only"],
            campaigns=campaigns,
        )
    except NoSuchEntry:
        raise
    except TableError as error:
        form.add_error(FIELDS.get(error.code), str(error))
        return False
    return True


def absence_page(calendar: Calendar, form: AwayForm, opened: Absence | None) -> AbsencePage:
    """Return the page of a user's absences."""
    return AbsencePage(
        absences=[announced_absence(absence, opened) for absence in calendar.absences],
        form=form,
        changed=opened.pk if opened is not None else None,
        title=pgettext("verb", "Change") if opened is not None else _("I will be away"),
        verb=_("Announce the absence") if opened is not None else _("Notify my campaigns"),
    )


def announced_absence(absence: Absence, opened: Absence | None) -> AnnouncedAbsence:
    """Return an absence of the list."""
    now = timezone.now()
    names = ", ".join(campaign.name for campaign in campaigns_informed(absence))
    return AnnouncedAbsence(
        number=absence.pk,
        days=days_text(absence.first, absence.last),
        informed=_("all my campaigns") if absence.everywhere else names,
        note=absence.note,
        masters_only=absence.masters_only,
        is_over=absence.ends_at <= now,
        is_now=absence.begins_at <= now < absence.ends_at,
        is_open=opened is not None and absence.pk == opened.pk,
    )

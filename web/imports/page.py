"""The page with the form that founds a campaign from a record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign.models import Campaign, ImportJob
from people.models import User
from people.validators import zones
from web.imports.forms import LONGEST_TEXT, RecordForm

LATEST = 5
"""The number of earlier imports in the list."""


@dataclass(frozen=True, slots=True)
class FormErrors:
    """The errors of the fields; empty if there are none."""

    record: str = ""
    name: str = ""
    time_zone: str = ""
    visibility: str = ""


NO_ERRORS = FormErrors()
FIELDS = {"bad-name": "name", "bad-time-zone": "time_zone", "bad-visibility": "visibility"}
"""The field that a refusal of the service concerns, by its code; others concern the record."""


def errors_of(code: str, text: str) -> FormErrors:
    """Return a refusal as the error of the field that it concerns."""
    return FormErrors(**{FIELDS.get(code, "record"): text})


@dataclass(frozen=True, slots=True)
class EarlierImport:
    """An earlier import of the user."""

    pk: int
    name: str
    state: str
    made_at: datetime


@dataclass(frozen=True, slots=True)
class ImportPage:
    """The form with the typed data."""

    errors: FormErrors
    name: str
    text: str
    time_zone: str
    visibility: str
    zones: Sequence[str]
    visibilities: Sequence[tuple[str, str]]
    earlier: Sequence[EarlierImport]


def import_page(user: User, form: RecordForm, errors: FormErrors) -> ImportPage:
    """Return the form with the typed data."""
    sent = imports_of(user).filter(kind=ImportJob.Kind.RECORD).order_by("-pk")[:LATEST]
    return ImportPage(
        errors=errors,
        name=form.text_of("name"),
        text=form.text_of("text")[:LONGEST_TEXT],
        time_zone=form.text_of("time_zone") or user.time_zone,
        visibility=form.text_of("visibility") or Campaign.Visibility.UNLISTED,
        zones=zones(),
        visibilities=[(key, str(text)) for key, text in Campaign.Visibility.choices],
        earlier=[EarlierImport(row.pk, row.name, state_text(row), row.made_at) for row in sent],
    )


def imports_of(user: User) -> QuerySet[ImportJob]:
    """Return the import jobs of a user, without their content."""
    rows = ImportJob.objects.filter(user_id=user.pk)
    return rows.select_related("campaign", "scenario").defer("content")


def state_text(row: ImportJob) -> str:
    """Return the state of an import in a few words."""
    texts = {
        ImportJob.State.FOUNDED: pgettext("import", "created"),
        ImportJob.State.FAULTY: _("contains an error"),
        ImportJob.State.TOO_LONG: _("stopped: it took too long"),
        ImportJob.State.STOPPED: _("stopped by an error of the site"),
    }
    return texts.get(ImportJob.State(row.state), pgettext("import", "in progress"))

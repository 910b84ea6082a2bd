"""What the form shows that founds a campaign from a record."""

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
"""The number of earlier imports that are listed."""


@dataclass(frozen=True, slots=True)
class FormErrors:
    """What is wrong with a field; empty if nothing is."""

    record: str = ""
    name: str = ""
    time_zone: str = ""
    visibility: str = ""


NO_ERRORS = FormErrors()
FIELDS = {"bad-name": "name", "bad-time-zone": "time_zone", "bad-visibility": "visibility"}
"""The field that a refusal of the service concerns; others concern the record."""


def errors_of(code: str, text: str) -> FormErrors:
    """Return a refusal beside the field that it concerns."""
    return FormErrors(**{FIELDS.get(code, "record"): text})


@dataclass(frozen=True, slots=True)
class EarlierImport:
    """Something that the user has sent before."""

    pk: int
    name: str
    state: str
    made_at: datetime


@dataclass(frozen=True, slots=True)
class ImportPage:
    """The form with what was typed."""

    errors: FormErrors
    name: str
    text: str
    time_zone: str
    visibility: str
    zones: Sequence[str]
    visibilities: Sequence[tuple[str, str]]
    earlier: Sequence[EarlierImport]


def import_page(user: User, form: RecordForm, errors: FormErrors) -> ImportPage:
    """Return the form with what was typed in it."""
    sent = imports_of(user).filter(kind=ImportJob.Kind.RECORD).order_by("-pk")[:LATEST]
    return ImportPage(
        errors=errors,
        name=form.typed("name"),
        text=form.typed("text")[:LONGEST_TEXT],
        time_zone=form.typed("time_zone") or user.time_zone,
        visibility=form.typed("visibility") or Campaign.Visibility.UNLISTED,
        zones=zones(),
        visibilities=[(key, str(text)) for key, text in Campaign.Visibility.choices],
        earlier=[EarlierImport(row.pk, row.name, state_text(row), row.made_at) for row in sent],
    )


def imports_of(user: User) -> QuerySet[ImportJob]:
    """Return what a user has sent, without its text."""
    rows = ImportJob.objects.filter(user_id=user.pk)
    return rows.select_related("campaign", "scenario").defer("content")


def state_text(row: ImportJob) -> str:
    """Return in a few words what has become of an import."""
    texts = {
        ImportJob.State.FOUNDED: pgettext("import", "founded"),
        ImportJob.State.FAULTY: _("something in it is wrong"),
        ImportJob.State.TOO_LONG: _("ended: it took too long"),
        ImportJob.State.STOPPED: _("stopped by an error of the site"),
    }
    return texts.get(ImportJob.State(row.state), pgettext("import", "under way"))

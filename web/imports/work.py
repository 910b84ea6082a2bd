"""The page of an import: its progress and its result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.template.defaultfilters import floatformat
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, npgettext, pgettext

from campaign import imports
from campaign.models import ImportJob
from campaign.seats.seating import solo
from web.frame.table import address

AGAIN = 2
"""The seconds after which the page reloads."""
MOST_FAULTS = 50
"""The largest number of faults that are shown at once."""


@dataclass(frozen=True, slots=True)
class Wording:
    """The texts of the page for one kind of work, such as an import of a record.

    A text about a result that this kind of work cannot have is empty.
    """

    title: str
    form_url: str
    reading: str
    states: Mapping[str, str]
    begun_again: str
    goes_on: str
    done: str
    errors: Callable[[int], str]
    stopped: str
    stopped_hint: str
    too_long_hint: str
    narrow_faults: bool


@dataclass(frozen=True, slots=True)
class Replayed:
    """The number of replayed moves of a record; `of` is 0 while it is unknown."""

    done: int
    of: int
    text: str


@dataclass(frozen=True, slots=True)
class RunningWork:
    """Unfinished work. `begun_again` is empty unless the work had to be restarted."""

    heading: str
    status: str
    replayed: Replayed | None
    begun_again: str
    untaken: bool
    goes_on: str
    looks_again: str


@dataclass(frozen=True, slots=True)
class DoneWork:
    """Work that has succeeded. `replayed` is empty if the import has no moves."""

    heading: str
    replayed: str
    url: str


@dataclass(frozen=True, slots=True)
class FailedWork:
    """Work that has failed, with its faults."""

    title: str
    hint: str
    faults: Sequence[str]
    more: str
    narrow_faults: bool
    form_url: str


@dataclass(frozen=True, slots=True)
class WorkPage:
    """The page of an import. Exactly one of its three parts is set."""

    title: str
    form_url: str
    name: str
    running: RunningWork | None
    done: DoneWork | None
    failed: FailedWork | None


def work_page(row: ImportJob) -> WorkPage:
    """Return the page of an import."""
    words = WORDINGS[ImportJob.Kind(row.kind)]()
    url = result_url(row)
    return WorkPage(
        title=words.title,
        form_url=words.form_url,
        name=row.name or _("A file with shapes"),
        running=running_work(row, words) if row.open else None,
        done=done_work(row, words, url) if url and not row.open else None,
        failed=failed_work(row, words) if not url and not row.open else None,
    )


def result_url(row: ImportJob) -> str:
    """Return the address of the result; empty if there is none."""
    if row.campaign is not None:
        return address("table" if solo(row.campaign) else "seats", row.campaign.address)
    if row.scenario is not None:
        return reverse("scenario_shown", args=[row.scenario.public_id])
    return ""


def address_of_shapes(row: ImportJob) -> str:
    """Return the page that shows the shapes: the editor with the draft, or the form."""
    draft = (row.result or {}).get("draft")
    if draft:
        return reverse("scenario_editor", args=[draft])
    return f"{reverse('scenario_begin')}?from=file&read={row.pk}"


def running_work(row: ImportJob, words: Wording) -> RunningWork:
    """Return the progress of the work."""
    looks_again = ngettext(
        "This page checks again in %(seconds)s second.",
        "This page checks again in %(seconds)s seconds.",
        AGAIN,
    )
    return RunningWork(
        heading=words.reading,
        status=words.states.get(row.state, _("Waiting in the queue")),
        replayed=replayed(row) if row.kind == ImportJob.Kind.RECORD else None,
        begun_again=words.begun_again if row.attempt > 1 else "",
        untaken=imports.waits_for_worker(row, timezone.now()),
        goes_on=words.goes_on,
        looks_again=looks_again % {"seconds": AGAIN},
    )


def replayed(row: ImportJob) -> Replayed:
    """Return the number of replayed moves."""
    if not row.total:
        return Replayed(row.done, row.total, _("No move has been replayed yet."))
    text = ngettext(
        "%(done)s of %(of)s move replayed", "%(done)s of %(of)s moves replayed", row.total
    )
    counts = {"done": floatformat(row.done, "0g"), "of": floatformat(row.total, "0g")}
    return Replayed(row.done, row.total, text % counts)


def done_work(row: ImportJob, words: Wording, url: str) -> DoneWork:
    """Return the result of the work."""
    result = row.campaign or row.scenario
    text = ngettext("%(of)s move replayed.", "%(of)s moves replayed.", row.total)
    count = text % {"of": floatformat(row.total, "0g")}
    return DoneWork(
        heading=words.done % {"name": result.name if result else ""},
        replayed=count if row.kind == ImportJob.Kind.RECORD else "",
        url=url,
    )


def failed_work(row: ImportJob, words: Wording) -> FailedWork:
    """Return why the work has no result."""
    faults = row.faults
    shown, count = faults[:MOST_FAULTS], len(faults)
    more = count - len(shown)
    text_of_more = npgettext("imports", "and one more", "and %(n)s more", more) % {"n": more}
    if faults:
        title, hint = words.errors(count), ""
    elif row.state == ImportJob.State.TOO_LONG:
        title, hint = too_long_text(), words.too_long_hint
    else:
        title, hint = words.stopped, words.stopped_hint
    return FailedWork(
        title=title,
        hint=hint,
        faults=shown,
        more=text_of_more if more else "",
        narrow_faults=words.narrow_faults,
        form_url=words.form_url,
    )


def too_long_text() -> str:
    minutes = max(1, round(settings.IMPORT_SECONDS / 60))
    text = ngettext(
        "It took longer than a minute and was stopped. Nothing has been saved.",
        "It took longer than %(n)s minutes and was stopped. Nothing has been saved.",
        minutes,
    )
    return text % {"n": minutes}


def errors_text(count: int) -> str:
    """Return the number of errors in a scenario or shapes, as a sentence."""
    text = ngettext(
        "It contains one error. Nothing has been saved.",
        "It contains %(n)s errors. Nothing has been saved.",
        count,
    )
    return text % {"n": count}


def errors_of_record_text(count: int) -> str:
    """Return the number of errors in a record, as a sentence."""
    text = ngettext(
        "It contains one error. No campaign has been created.",
        "It contains %(n)s errors. No campaign has been created.",
        count,
    )
    return text % {"n": count}


# Texts for records, scenarios and shapes


def wording_of_record() -> Wording:
    return Wording(
        title=pgettext("heading", "Campaign from a record"),
        form_url=reverse("import"),
        reading=_("The record is being imported"),
        states={
            ImportJob.State.REPLAYING: _("Replaying the moves"),
            ImportJob.State.WRITING: _("Saving the campaign"),
            ImportJob.State.READING: _("Reading the file"),
        },
        begun_again=_(
            "The process that did this work stopped, so the work has started again from the first "
            "move. Nothing had been saved before."
        ),
        goes_on=_(
            "Either the whole campaign is created or nothing. You can close this page: the work "
            "continues, and you will find it under “Start from a record or an audit pack "
            "instead”."
        ),
        done=pgettext("imports", "%(name)s has been created."),
        errors=errors_of_record_text,
        stopped=_("The site stopped working on it. No campaign has been created."),
        stopped_hint=_(
            "No error was found in the part of the record that was read. Send it again; if it "
            "stops again, tell the host of this site."
        ),
        too_long_hint=too_long_hint(),
        narrow_faults=False,
    )


def wording_of_scenario() -> Wording:
    return Wording(
        title=pgettext("heading", "Upload a scenario"),
        form_url=reverse("scenario_new"),
        reading=_("Reading the scenario"),
        states={
            ImportJob.State.REPLAYING: _("Replaying the moves"),
            ImportJob.State.WRITING: _("Adding it to your scenarios"),
            ImportJob.State.READING: _("Reading its map, or drawing it from the borders"),
        },
        begun_again=_(
            "The process that did this work stopped, so the work has started again. Nothing had "
            "been saved before."
        ),
        goes_on=_(
            "You can close this page: the work continues, and you will find the result among your "
            "scenarios. Uploads are read one after the other."
        ),
        done=_("%(name)s is now among your scenarios."),
        errors=errors_text,
        stopped=_("The site stopped working on it. Nothing has been saved."),
        stopped_hint=_(
            "No error was found in the part of the scenario that was read. Send it again; if it "
            "stops again, tell the host of this site."
        ),
        too_long_hint=too_long_hint(),
        narrow_faults=True,
    )


def wording_of_shapes() -> Wording:
    reading = _("Reading and arranging its shapes")
    return Wording(
        title=pgettext("heading", "Start a scenario"),
        form_url=f"{reverse('scenario_begin')}?from=file",
        reading=_("Reading the file"),
        states={
            ImportJob.State.REPLAYING: reading,
            ImportJob.State.WRITING: _("Saving what was read"),
            ImportJob.State.READING: reading,
        },
        begun_again=_(
            "The process that did this work stopped, so the work has started again. Nothing had "
            "been saved before."
        ),
        goes_on=_(
            "This takes a few seconds. Then the page shows the provinces, or the errors in the "
            "file."
        ),
        done="",
        errors=errors_text,
        stopped=_("The site stopped working on it. Nothing has been saved."),
        stopped_hint=_("Send the file again; if it stops again, tell the host of this site."),
        too_long_hint="",
        narrow_faults=True,
    )


def too_long_hint() -> str:
    return _(
        "Send something smaller, or try again when the site is less busy. If it stops again, ask "
        "the host of this site to allow more time."
    )


WORDINGS = {
    ImportJob.Kind.RECORD: wording_of_record,
    ImportJob.Kind.SCENARIO: wording_of_scenario,
    ImportJob.Kind.SHAPES: wording_of_shapes,
}

"""What the page shows of the progress and the result of reading a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from json import loads

from django.conf import settings
from django.template.defaultfilters import floatformat
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaign import imports
from campaign.models import ImportJob
from campaign.seats.seating import solo
from web.frame.table import address

AGAIN = 2
"""Seconds after which the page looks again."""
MOST_FAULTS = 50
"""The most faults that are shown at once."""


@dataclass(frozen=True, slots=True)
class Wording:
    """The words for a kind of work. Texts about a result that the kind does not have are empty."""

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
    """How many moves of a record were replayed; `of` is 0 while that is unknown."""

    done: int
    of: int
    text: str


@dataclass(frozen=True, slots=True)
class RunningWork:
    """Work that is not done. `begun_again` is empty unless the work had to begin again."""

    heading: str
    status: str
    replayed: Replayed | None
    begun_again: str
    untaken: bool
    goes_on: str
    looks_again: str


@dataclass(frozen=True, slots=True)
class DoneWork:
    """Work that has succeeded. `replayed` is empty for what has no moves."""

    heading: str
    replayed: str
    url: str


@dataclass(frozen=True, slots=True)
class FailedWork:
    """Work that has failed, with what is wrong."""

    title: str
    hint: str
    faults: Sequence[str]
    more: str
    narrow_faults: bool
    form_url: str


@dataclass(frozen=True, slots=True)
class WorkPage:
    """The page of an import: exactly one of its three parts is there."""

    title: str
    form_url: str
    name: str
    running: RunningWork | None
    done: DoneWork | None
    failed: FailedWork | None


def work_page(row: ImportJob) -> WorkPage:
    """Return what the page of an import shows."""
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
    """Return where the result is; empty if there is none."""
    if row.campaign is not None:
        return address("table" if solo(row.campaign) else "seats", row.campaign.address)
    if row.scenario is not None:
        return reverse("scenario_shown", args=[row.scenario.public_id])
    return ""


def address_of_shapes(row: ImportJob) -> str:
    """Return where shapes are shown after reading: the editor with the draft, or the form."""
    draft = loads(row.result).get("draft")
    if draft:
        return reverse("scenario_editor", args=[draft])
    return f"{reverse('scenario_begin')}?from=file&read={row.pk}"


def running_work(row: ImportJob, words: Wording) -> RunningWork:
    """Return how far the work is."""
    looks_again = ngettext(
        "This page looks again in %(seconds)s second.",
        "This page looks again in %(seconds)s seconds.",
        AGAIN,
    )
    return RunningWork(
        heading=words.reading,
        status=words.states.get(row.state, _("It waits for its turn")),
        replayed=replayed(row) if row.kind == ImportJob.Kind.RECORD else None,
        begun_again=words.begun_again if row.attempt > 1 else "",
        untaken=imports.untaken(row, timezone.now()),
        goes_on=words.goes_on,
        looks_again=looks_again % {"seconds": AGAIN},
    )


def replayed(row: ImportJob) -> Replayed:
    """Return how many moves were replayed."""
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
    faults = row.fault_list
    shown, count = faults[:MOST_FAULTS], len(faults)
    more = count - len(shown)
    text_of_more = ngettext("and one more", "and %(n)s more", more) % {"n": more}
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
    """Return how many errors there are in what would have been saved."""
    text = ngettext(
        "There is one error in it. Nothing has been saved.",
        "There are %(n)s errors in it. Nothing has been saved.",
        count,
    )
    return text % {"n": count}


def errors_of_record_text(count: int) -> str:
    """Return how many errors there are in what would have been founded."""
    text = ngettext(
        "There is one error in it. Nothing has been founded.",
        "There are %(n)s errors in it. Nothing has been founded.",
        count,
    )
    return text % {"n": count}


# The words for records, scenarios and shapes.


def wording_of_record() -> Wording:
    return Wording(
        title=_("A campaign from its record"),
        form_url=reverse("import"),
        reading=_("The record is being taken over"),
        states={
            ImportJob.State.REPLAYING: _("It is being replayed"),
            ImportJob.State.WRITING: _("The campaign is being written"),
            ImportJob.State.READING: _("It is being read"),
        },
        begun_again=_(
            "The process that did this work has stopped: the work began again from the first move."
            " Nothing was founded before."
        ),
        goes_on=_(
            "Everything is founded, or nothing. You may close this page: the work goes on, and you"
            " find it again under “From a record or an audit pack”."
        ),
        done=_("%(name)s is founded."),
        errors=errors_of_record_text,
        stopped=_("The site stopped working on it. Nothing has been founded."),
        stopped_hint=_(
            "The record had no error as far as it was read. Send it again; if it stops again, tell"
            " the host of this site."
        ),
        too_long_hint=too_long_hint(),
        narrow_faults=False,
    )


def wording_of_scenario() -> Wording:
    return Wording(
        title=_("Bring a scenario"),
        form_url=reverse("scenario_new"),
        reading=_("The scenario is being read"),
        states={
            ImportJob.State.REPLAYING: _("It is being replayed"),
            ImportJob.State.WRITING: _("It is being put among your scenarios"),
            ImportJob.State.READING: _("Its map is being read, or drawn from the borders"),
        },
        begun_again=_(
            "The process that did this work has stopped: the work began again. Nothing was saved"
            " before."
        ),
        goes_on=_(
            "You may close this page: the work goes on, and you find the result among your"
            " scenarios. What you send is read one after the other."
        ),
        done=_("%(name)s is among your scenarios."),
        errors=errors_text,
        stopped=_("The site stopped working on it. Nothing has been saved."),
        stopped_hint=_(
            "The scenario had no error as far as it was read. Send it again; if it stops again,"
            " tell the host of this site."
        ),
        too_long_hint=too_long_hint(),
        narrow_faults=True,
    )


def wording_of_shapes() -> Wording:
    reading = _("Its shapes are being read and laid out")
    return Wording(
        title=_("Begin a scenario"),
        form_url=f"{reverse('scenario_begin')}?from=file",
        reading=_("The file is being read"),
        states={
            ImportJob.State.REPLAYING: reading,
            ImportJob.State.WRITING: _("What was read is being saved"),
            ImportJob.State.READING: reading,
        },
        begun_again=_(
            "The process that did this work has stopped: the work began again. Nothing was saved"
            " before."
        ),
        goes_on=_(
            "This takes a few seconds. The page then shows the provinces, or what is wrong with the"
            " file."
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
        "Send something smaller, or try again when less is going on here. If it stops again, ask"
        " the host of this site to allow more time."
    )


WORDINGS = {
    ImportJob.Kind.RECORD: wording_of_record,
    ImportJob.Kind.SCENARIO: wording_of_scenario,
    ImportJob.Kind.SHAPES: wording_of_shapes,
}

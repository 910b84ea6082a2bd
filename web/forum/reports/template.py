"""The template of a campaign's reports in one language: tone, greeting, parts and their order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from forum.posts import reports
from web.forum.common import Tab, language_names
from web.forum.reports.forms import LAST_PART, TemplateForm
from web.frame.table import TableContext


@dataclass(frozen=True, slots=True)
class ToneChoice:
    """A tone that reports can have."""

    key: str
    name: str
    explanation: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class PartRow:
    """A part of a report, with its place and whether it is shown."""

    key: str
    name: str
    is_needed: bool
    is_shown: bool
    place: int

    @property
    def is_last(self) -> bool:
        """Whether this part is always at the end of a report."""
        return self.key == LAST_PART


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A word in braces that a report replaces."""

    text: str
    meaning: str


@dataclass(frozen=True, slots=True)
class TemplatePage:
    """The form of the template."""

    language: str
    language_name: str
    language_tabs: list[Tab]
    tones: list[ToneChoice]
    form: TemplateForm
    placeholders: list[Placeholder]
    parts: list[PartRow]
    places: range
    reports_url: str


def template_page(
    table: TableContext, language: str, template: reports.Template, form: TemplateForm
) -> TemplatePage:
    """Return the page for a stored or a typed template."""
    parts = part_rows(template.order)
    return TemplatePage(
        language=language,
        language_name=language_names()[language],
        language_tabs=[
            Tab(name=name, url=f"?language={code}", is_open=code == language, code=code)
            for code, name in language_names().items()
        ],
        tones=tone_choices(template.tone),
        form=form,
        placeholders=[
            Placeholder(f"{{{name}}}", str(meaning))
            for name, meaning in reports.PLACEHOLDERS.items()
        ],
        parts=parts,
        places=range(1, len(parts)),
        reports_url=table.url("reports"),
    )


def tone_choices(chosen: str) -> list[ToneChoice]:
    """Return the tones with their explanations."""
    choices = []
    for key, text in reports.TONES.items():
        name, _colon, explanation = str(text).partition(": ")
        choices.append(ToneChoice(key, name, explanation, is_chosen=key == chosen))
    return choices


def part_rows(order: Sequence[str]) -> list[PartRow]:
    """Return all parts: those of the template in its order, then the others."""
    shown = [part for part in order if part in reports.PARTS]
    others = [part for part in reports.PARTS if part not in shown]
    rows = [
        PartRow(
            key=part,
            name=str(reports.PARTS[part]),
            is_needed=part in reports.NEEDED,
            is_shown=part in order or part in reports.NEEDED,
            place=place,
        )
        for place, part in enumerate([*shown, *others], 1)
    ]
    return sorted(rows, key=lambda row: row.is_last)

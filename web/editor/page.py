"""The pages of the editor: the map with its tools, and the numbers of the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from campaign import drafts
from campaign.models import Scenario, ScenarioDraft
from games.contract.plain import Bundle
from web.editor.contract import Cell, Check, Choice, EditorPart, Panel, Sheet, Tool
from web.scenarios.page import SharingChoice, sharing_choices

LISTED_CHECKS = 40
NO_STEPS = "[]"


@dataclass(frozen=True, slots=True)
class Version:
    """A published version of the draft."""

    number: int
    url: str
    made_at: datetime
    note: str


@dataclass(frozen=True, slots=True)
class SavedLine:
    """The time at which the draft was saved, and its last version or its origin."""

    saved_at: datetime
    version_text: str
    version_url: str
    origin: str


@dataclass(frozen=True, slots=True)
class DraftPage:
    """The common part of both pages of a draft: its head, its checks, and its panel."""

    ref: str
    name: str
    revision: int
    is_map: bool
    """Whether the page with the map is open; otherwise it is the page with the numbers."""
    is_removed: bool
    saved: SavedLine
    can_undo: bool
    can_redo: bool
    faults: Sequence[Check]
    warnings: Sequence[Check]
    next_version: int
    sharings: Sequence[SharingChoice]
    versions: Sequence[Version]
    panel: Panel
    panel_template: str

    @property
    def act_url(self) -> str:
        return reverse("scenario_act", args=[self.ref])

    @property
    def listed_faults(self) -> Sequence[Check]:
        return self.faults[:LISTED_CHECKS]

    @property
    def listed_warnings(self) -> Sequence[Check]:
        return self.warnings[:LISTED_CHECKS]


@dataclass(frozen=True, slots=True)
class EditorPage:
    """The map with its tools."""

    draft: DraftPage
    map: object
    map_template: str
    sheet: Sheet
    tools: Sequence[Tool]
    owners: Sequence[Choice]
    works: Sequence[Choice]


@dataclass(frozen=True, slots=True)
class ChangedParts:
    """The parts of the editor that an act has changed."""

    draft: DraftPage


@dataclass(frozen=True, slots=True)
class NumberRow:
    """A number of the rules, and the error in its typed value."""

    cell: Cell
    error: str


@dataclass(frozen=True, slots=True)
class NumbersPage:
    """The numbers of the rules, and the changed paragraphs of the rulebook."""

    draft: DraftPage
    sections: Sequence[tuple[str, Sequence[NumberRow]]]
    errors: Sequence[str]
    """The errors that belong to no number."""
    changes: int
    only_changed: bool
    paragraphs: Sequence[tuple[str, str]]


def draft_page(
    draft: ScenarioDraft,
    bundle: Bundle,
    part: EditorPart[Bundle],
    query: Mapping[str, str],
    *,
    is_map: bool,
) -> DraftPage:
    """Return the common part of both pages of a draft; `query` opens the panel."""
    faults, warnings = part.checks(bundle)
    published = list(drafts.versions(draft))
    return DraftPage(
        ref=draft.public_id,
        name=draft.name,
        revision=draft.revision,
        is_map=is_map,
        is_removed=draft.removed_at is not None,
        saved=saved_line(draft, published),
        can_undo=draft.past != NO_STEPS,
        can_redo=draft.future != NO_STEPS,
        faults=faults,
        warnings=warnings,
        next_version=version_number(published[0]) + 1 if published else 1,
        sharings=sharing_choices(Scenario.Sharing.PRIVATE),
        versions=[version_of(row) for row in published],
        panel=part.panel(bundle, query),
        panel_template=part.PANEL_TEMPLATE,
    )


def version_number(row: Scenario) -> int:
    """Return the number of a published version."""
    assert row.version is not None
    return row.version


def version_of(row: Scenario) -> Version:
    """Return a published version."""
    return Version(
        number=version_number(row),
        url=reverse("scenario_shown", args=[row.public_id]),
        made_at=row.made_at,
        note=row.note,
    )


def saved_line(draft: ScenarioDraft, published: Sequence[Scenario]) -> SavedLine:
    """Return when the draft was saved, and its newest version; without a version, its origin."""
    newest = version_of(published[0]) if published else None
    return SavedLine(
        saved_at=timezone.localtime(draft.saved_at),
        version_text=_("version %(n)s has been published") % {"n": newest.number} if newest else "",
        version_url=newest.url if newest else "",
        origin="" if newest else draft.origin_name,
    )


def editor_page(
    draft: ScenarioDraft, part: EditorPart[Bundle], query: Mapping[str, str]
) -> EditorPage:
    """Return the page with the map."""
    bundle = drafts.bundle_of(draft)
    selected = query.get("province", "")
    return EditorPage(
        draft=draft_page(draft, bundle, part, query, is_map=True),
        map=part.map_of(bundle, selected),
        map_template=part.MAP_TEMPLATE,
        sheet=part.sheet(bundle, selected),
        tools=part.TOOLS,
        owners=part.owners(bundle),
        works=part.works(bundle),
    )


def numbers_page(
    draft: ScenarioDraft,
    part: EditorPart[Bundle],
    query: Mapping[str, str],
    wrong: Mapping[str, str],
) -> NumbersPage:
    """Return the page with the numbers; `wrong` maps paths of numbers to errors."""
    bundle = drafts.bundle_of(draft)
    sections = [
        (heading, [NumberRow(cell=cell, error=wrong.get(cell.path, "")) for cell in cells])
        for heading, cells in part.numbers(bundle)
        if cells
    ]
    rows = [row for _heading, inside in sections for row in inside]
    known = {row.cell.path for row in rows}
    return NumbersPage(
        draft=draft_page(draft, bundle, part, query, is_map=False),
        sections=sections,
        errors=[text for path, text in wrong.items() if path not in known],
        changes=sum(row.cell.is_changed for row in rows),
        only_changed=query.get("only") == "1",
        paragraphs=part.changed_paragraphs(bundle),
    )


def changed_parts(
    draft: ScenarioDraft, part: EditorPart[Bundle], query: Mapping[str, str], shape: str
) -> tuple[DraftPage, dict[str, object]]:
    """Return the page after an act, and the JSON from which the script updates the map.

    Args:
        draft: The draft after the act.
        part: The editor of its title.
        query: The selection that the page shows.
        shape: The shape of the map that the browser has.
    """
    bundle = drafts.bundle_of(draft)
    sheet = part.sheet(bundle, query.get("province", ""), shape)
    page = draft_page(draft, bundle, part, query, is_map=True)
    return page, {
        "revision": draft.revision,
        "shape": sheet.shape,
        "svg": sheet.svg,
        "moving": sheet.moving,
        "styles": sheet.styles,
        "graph": sheet.graph,
        "undo": page.can_undo,
        "redo": page.can_redo,
        "name": draft.name,
        "owners": part.owners(bundle),
    }
